//! The sizes of a search, for all its kernels: `phases/parameters.wgsl`.

use tmd_shaders::constants::lists::LOG2_PARTS;

use crate::GpuError;

/// How far from an integer, in units of 2^-64, below 2^63.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HalfWidths {
    /// A domain's chord.
    pub test: u64,
    /// The chord of a part of a domain.
    pub refine: u64,
    /// A tabulated value.
    pub exhaust: u64,
}

/// The sizes of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameters {
    pub(super) runs: u32,
    pub(super) steps: u32,
    pub(super) log2_n: u32,
    pub(super) log2_stretch: u32,
    pub(super) half_widths: HalfWidths,
}

impl Parameters {
    /// Most domains of a run: their numbers' binomials fit 32 bits.
    pub const MOST_STEPS: u32 = 2048;
    /// Most domains altogether: the parts of each can be counted below 2^31.
    pub const MOST_DOMAINS: u64 = (1 << (31 - LOG2_PARTS)) - 1;
    /// The logarithm of the smallest and of the largest number of arguments of a domain.
    pub const LOG2_N: (u32, u32) = (4, 24);
    /// The logarithm of the largest number of arguments of a stretch.
    pub const MOST_LOG2_STRETCH: u32 = 16;

    /// `runs` runs of `steps` domains of 2^`log2_n` arguments, tabulated in stretches of
    /// 2^`log2_stretch` arguments (or of an eighth of a domain, if that is less).
    ///
    /// # Errors
    /// [`GpuError::Validation`] for a size out of its range.
    pub fn new(
        runs: u32,
        steps: u32,
        log2_n: u32,
        log2_stretch: u32,
        half_widths: HalfWidths,
    ) -> Result<Self, GpuError> {
        let HalfWidths { test, refine, exhaust } = half_widths;
        let (least, most) = Self::LOG2_N;
        let ranges = [
            ("runs", u64::from(runs), 1, Self::MOST_DOMAINS),
            ("steps", u64::from(steps), 1, u64::from(Self::MOST_STEPS)),
            ("the number of domains", u64::from(runs) * u64::from(steps), 1, Self::MOST_DOMAINS),
            ("log2_n", u64::from(log2_n), u64::from(least), u64::from(most)),
            ("log2_stretch", u64::from(log2_stretch), 0, u64::from(Self::MOST_LOG2_STRETCH)),
            ("the half-width of the test", test, 0, (1 << 63) - 1),
            ("the half-width of the refinement", refine, 0, (1 << 63) - 1),
            ("the half-width of the exhaustion", exhaust, 0, (1 << 63) - 1),
        ];
        for (name, value, least, most) in ranges {
            if !(least..=most).contains(&value) {
                let message = format!("{name} is {value}, out of {least}..={most}");
                return Err(GpuError::Validation { message });
            }
        }
        Ok(Self { runs, steps, log2_n, log2_stretch, half_widths })
    }

    /// The uniform buffer of the kernels.
    pub const fn words(&self) -> [u32; 10] {
        let HalfWidths { test, refine, exhaust } = self.half_widths;
        [
            self.runs,
            self.steps,
            self.log2_n,
            self.log2_stretch,
            test as u32,
            (test >> 32) as u32,
            refine as u32,
            (refine >> 32) as u32,
            exhaust as u32,
            (exhaust >> 32) as u32,
        ]
    }

    /// How many words the flags of phase 1 take. In a kernel's buffer one more follows, which is 0
    /// unless an invocation was cut off.
    pub const fn words_of_flags(&self) -> u32 {
        self.steps.div_ceil(32) * self.runs
    }

    /// The logarithm of the number of arguments of a part of a domain.
    pub(super) const fn log2_part(&self) -> u32 {
        self.log2_n - LOG2_PARTS
    }

    /// The logarithm of the number of arguments of a stretch.
    pub(super) const fn log2_of_stretch(&self) -> u32 {
        if self.log2_stretch < self.log2_part() { self.log2_stretch } else { self.log2_part() }
    }

    /// How many stretches a part has.
    pub(super) const fn stretches(&self) -> u32 {
        1 << (self.log2_part() - self.log2_of_stretch())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_ranges() {
        let half_widths = HalfWidths { test: 1, refine: 2, exhaust: 3 << 40 };
        let new = |runs, steps, log2_n, log2_stretch| {
            Parameters::new(runs, steps, log2_n, log2_stretch, half_widths)
        };
        let words = new(5, 2048, 24, 16).unwrap().words();
        assert_eq!(words, [5, 2048, 24, 16, 1, 0, 2, 0, 0, 3 << 8]);
        for wrong in [new(0, 1, 4, 0), new(1, 0, 4, 0), new(1, 2049, 4, 0), new(1, 1, 3, 0), new(1, 1, 25, 0)]
        {
            assert!(matches!(wrong, Err(GpuError::Validation { .. })), "{wrong:?}");
        }
        assert!(new(1, 1, 4, 17).is_err() && new(1 << 28, 1, 4, 0).is_err());
        assert!(new(1 << 17, 2048, 4, 0).is_err() && new((1 << 17) - 1, 2048, 4, 0).is_ok());
        let half_widths = HalfWidths { refine: 1 << 63, ..half_widths };
        let error = Parameters::new(1, 1, 4, 0, half_widths).unwrap_err();
        assert!(error.to_string().contains("refinement"), "{error}");
    }

    #[test]
    fn stretches_are_no_longer_than_parts() {
        let half_widths = HalfWidths { test: 0, refine: 0, exhaust: 0 };
        for (log2_n, log2_stretch, stretches) in [(4, 9, 1), (10, 7, 1), (10, 3, 16), (24, 0, 1 << 21)] {
            assert_eq!(
                Parameters::new(1, 1, log2_n, log2_stretch, half_widths).unwrap().stretches(),
                stretches
            );
        }
    }
}
