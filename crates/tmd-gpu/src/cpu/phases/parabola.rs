//! One domain's parabola: `phases/parabola.wgsl`, where the formulas and their rounding are.

use tmd_shaders::constants::lists::{LOG2_PARTS, PARTS};

use super::{Parameters, Run, Tables, run::kappa};

/// b + a·x + c·x², |x| ≤ N/2; arguments y = x + N/2 are counted from the first one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parabola {
    /// b − a·N/2
    base: u64,
    /// a
    slope: u64,
    /// 2c·N², signed
    curvature: u64,
}

/// The chord of a part, in units of 2^-64.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chord {
    /// At the part's first argument.
    pub value: u64,
    /// Minus its slope.
    pub fall: u64,
}

impl Parabola {
    /// Of the run's current domain.
    pub(super) const fn of(run: &Run) -> Self {
        let base = run.value[0].wrapping_sub(kappa(run.curvature));
        Self { base, slope: run.fall[0].wrapping_neg(), curvature: run.curvature }
    }

    /// Of the domain at `step` of a run.
    pub fn at(parameters: &Parameters, tables: &Tables<'_>, run: u32, step: u32) -> Self {
        let start = Run::start(parameters, tables, run);
        let step = u64::from(step);
        let once = step;
        let twice = once * step.saturating_sub(1) / 2;
        let thrice = twice * step.saturating_sub(2) / 3;
        let sum = |entries: &[u64]| {
            let terms = entries.iter().zip([1, once, twice, thrice]);
            terms.fold(0u64, |sum, (entry, binomial)| sum.wrapping_add(entry.wrapping_mul(binomial)))
        };
        let mut here = start;
        here.value[0] = sum(&start.value);
        here.fall[0] = sum(&start.fall);
        Self::of(&here)
    }

    /// curvature·m/2^shift to nearest.
    fn share(&self, m: i64, shift: u32) -> u64 {
        let product = i128::from(self.curvature.cast_signed()).unsigned_abs() * u128::from(m.unsigned_abs());
        let share = ((product >> (shift - 1)) + 1) >> 1;
        let is_negative = (self.curvature.cast_signed() < 0) != (m < 0);
        if is_negative { (share as u64).wrapping_neg() } else { share as u64 }
    }

    /// The chord of part j of [`PARTS`].
    pub fn part_chord(&self, parameters: &Parameters, j: u32) -> Chord {
        let t = i64::from(j) - i64::from(PARTS / 2);
        let value = self.share(8 * t * t - 1, 4 + 2 * LOG2_PARTS);
        let slope = self.share(2 * t + 1, parameters.log2_n + 1 + LOG2_PARTS);
        let first = u64::from(j) << parameters.log2_part();
        Chord {
            value: self.base.wrapping_add(self.slope.wrapping_mul(first)).wrapping_add(value),
            fall: self.slope.wrapping_add(slope).wrapping_neg(),
        }
    }

    /// Argument y counted from the center.
    fn offset(parameters: &Parameters, y: u32) -> i64 {
        i64::from(y) - (1 << (parameters.log2_n - 1))
    }

    /// The value at argument y.
    pub fn value(&self, parameters: &Parameters, y: u32) -> u64 {
        let x = Self::offset(parameters, y);
        let curved = self.share(x * x, 2 * parameters.log2_n + 1);
        self.base.wrapping_add(self.slope.wrapping_mul(u64::from(y))).wrapping_add(curved)
    }

    /// The first difference, from y to y + 1.
    pub fn difference(&self, parameters: &Parameters, y: u32) -> u64 {
        let x = Self::offset(parameters, y);
        self.slope.wrapping_add(self.share(2 * x + 1, 2 * parameters.log2_n + 1))
    }

    /// The second difference.
    pub fn second_difference(&self, parameters: &Parameters) -> u64 {
        self.share(1, 2 * parameters.log2_n)
    }
}
