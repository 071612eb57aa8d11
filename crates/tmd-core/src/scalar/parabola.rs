//! [`Parabola`]: one domain's polynomial of degree 2 mod 1, and the segment that stands for it.
//!
//! Lemmas P.14 and P.16 of docs/proofs/piece.md; Lemma P.16 is machine-checked in
//! `proofs/Budget.v`.

use core::ops::Range;

use tmd_exist::{ExistError, Segment};

use crate::{
    Window,
    coarse::{BLOCK, Coarse, MOST_BLOCKS},
};

/// `r_0 + r_1·x + r_2·C(x, 2)` mod 1, coefficients in units of 2^-128. Arithmetic wraps, that is,
/// works mod 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parabola {
    /// value at the domain's first argument
    pub r0: u128,
    /// first difference there
    pub r1: u128,
    /// second difference
    pub r2: u128,
}

impl Parabola {
    /// The same parabola seen from argument `x`, exact mod 1.
    #[must_use]
    pub const fn shifted(self, x: u64) -> Self {
        let x = x as u128; // x < 2^32: C(x, 2) < 2^63
        let pairs = x * (x.wrapping_sub(1)) / 2;
        Self {
            r0: self.r0.wrapping_add(self.r1.wrapping_mul(x)).wrapping_add(self.r2.wrapping_mul(pairs)),
            r1: self.r1.wrapping_add(self.r2.wrapping_mul(x)),
            r2: self.r2,
        }
    }

    /// The segment for the first `n` arguments, raised by the window's half-width.
    ///
    /// `C(x, 2) = x(n−2)/2 − x(n−1−x)/2`, and the last term lies in `[0, (n−1)²/8]` for
    /// `0 ≤ x ≤ n−1`. So the chord with slope `r_1 + r_2·(n−2)/2`, moved by `−r_2·(n−1)²/16`, stays
    /// within `|r_2|·(n−1)²/16` of the parabola: the line `linear` of the error budget (Theorem T.3
    /// and Theorem T.4 of `proofs/Tables.v`). Halves and sixteenths of `r_2` are taken of its
    /// representative in `[−1/2, 1/2)`, which is the real one when `|r_2| < 1/2`
    /// ([`OneLevel::is_linear`](crate::partition::OneLevel::is_linear)).
    #[inline]
    pub fn segment(&self, n: u64, window: Window) -> Result<Segment, ExistError> {
        let r2 = self.r2 as i128;
        let (half, sixteenth) = ((r2 >> 1) as u128, (r2 >> 4) as u128);
        let end = u128::from(n - 1);
        let slope = self.r1.wrapping_add(half.wrapping_mul(u128::from(n).wrapping_sub(2)));
        let value = self.r0.wrapping_sub(sixteenth.wrapping_mul(end * end));
        Segment::new(high(slope).wrapping_neg(), high(value).wrapping_add(window.half()), n)
    }

    /// Phase 3: calls `found(x)` for every `x < n` whose value lies in the window, in order; `n` is
    /// at most 2^32. Tabulated differences, but of the blocks that [`Coarse`] passes over.
    pub fn tabulate(&self, n: u64, window: Window, mut found: impl FnMut(u64)) {
        // one more, as the second difference is rounded down
        let curvature = high((self.r2 as i128).unsigned_abs()) + 1;
        let coarse = Coarse::new(window.half(), curvature).filter(|_| n >= BLOCK / 4);
        let Some(coarse) = coarse else { return self.tabulate_all(0..n, window, &mut found) };
        let packet = BLOCK * u64::from(MOST_BLOCKS);
        for first in (0..n).step_by(packet as usize) {
            let here = self.shifted(first);
            let blocks = (n - first).min(packet).div_ceil(BLOCK) as u32;
            // three values rounded down, over 2^14 arguments: less than 1 + 2^14 + 2^27 units lost
            let start = [high(here.r0), high(here.r1), high(here.r2)];
            let mut suspects = coarse.suspects(start, blocks);
            while suspects != 0 {
                let block = first + u64::from(suspects.trailing_zeros()) * BLOCK;
                self.tabulate_all(block..(block + BLOCK).min(n), window, &mut found);
                suspects &= suspects - 1;
            }
        }
    }

    /// The same without passing over any.
    fn tabulate_all(&self, arguments: Range<u64>, window: Window, found: &mut impl FnMut(u64)) {
        let Self { r0: mut value, r1: mut slope, r2 } = self.shifted(arguments.start);
        for x in arguments {
            if window.holds(high(value)) {
                found(x);
            }
            value = value.wrapping_add(slope);
            slope = slope.wrapping_add(r2);
        }
    }
}

/// The upper 64 of 128 bits.
#[inline]
pub(super) const fn high(x: u128) -> u64 {
    (x >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use tmd_difftable::{Upper, power_of_two};

    proptest! {
        #[test]
        fn shifted_is_the_same_parabola(r in any::<[u128; 3]>(), x in 0u64..1 << 20, y in 0u64..1 << 20) {
            let p = Parabola { r0: r[0], r1: r[1], r2: r[2] };
            prop_assert_eq!(p.shifted(x).shifted(y), p.shifted(x + y));
            // one step by definition
            let next = Parabola { r0: r[0].wrapping_add(r[1]), r1: r[1].wrapping_add(r[2]), r2: r[2] };
            prop_assert_eq!(p.shifted(1), next);
        }

        /// The segment's distance from the parabola: within the bound, and the bound is nearly
        /// reached.
        #[test]
        fn the_chord_is_within_its_bound(r in any::<[u128; 2]>(), curvature in -(1i128 << 100)..1 << 100, n in 1u64..500) {
            let p = Parabola { r0: r[0], r1: r[1], r2: curvature as u128 };
            let window = Window::new(Upper::ZERO).unwrap();
            let segment = p.segment(n, window).unwrap();
            let bound = curvature.unsigned_abs() as f64 * ((n - 1) as f64).powi(2) / 16.0 / power_of_two(64) + n as f64 + 1.0;
            let mut worst = 0f64;
            for x in 0..n {
                let line = segment.distance(x).unwrap().wrapping_sub(window.half());
                let off = line.wrapping_sub(high(p.shifted(x).r0)) as i64;
                prop_assert!((off as f64).abs() <= bound, "off by {off} at {x}, bound {bound}");
                worst = worst.max((off as f64).abs());
            }
            prop_assert!(worst >= bound / 10.0 - n as f64 - 1.0, "worst {worst}, bound {bound}");
        }

        #[test]
        fn tabulation_is_the_definition(
            r in any::<[u128; 3]>(), shift in 0u32..70, n in prop_oneof![0u64..300, 0u64..40_000], bits in 2u32..40,
            place in prop_oneof![Just(0.0), Just(1.0), 0.0..1.0],
        ) {
            let mut p = Parabola { r0: 0, r1: r[1], r2: ((r[2] as i128) >> shift) as u128 };
            // one argument is inside, often the first or the last one
            p.r0 = p.shifted((n.saturating_sub(1) as f64 * place) as u64).r0.wrapping_neg().wrapping_add(r[0] >> 70);
            let window = Window::new(Upper::power_of_two(-(bits as i32))).unwrap();
            let mut found = vec![];
            p.tabulate(n, window, |x| found.push(x));
            let expected: Vec<_> = (0..n)
                .filter(|&x| (high(p.shifted(x).r0) as i64).unsigned_abs() <= window.half())
                .collect();
            prop_assert_eq!(found, expected);
        }
    }
}
