//! One domain's parabola, out of its lane's tables: sub-domains and stretches.
//!
//! Definition E.6 and Lemma E.23 of docs/proofs/phases.md.

use crate::lanes::{MAX_LANES, Row};
use crate::tables::Tables;

/// `2^64`.
const SCALE: f64 = 18_446_744_073_709_551_616.0;

/// The difference tables of a run's chords, from those of betas and slopes at the domains'
/// centers.
///
/// The chord of a domain `b + a·x + c·x²`, `|x| ≤ N/2`, lowered to the middle of what it leaves, is
/// `b + κ + a·x`; its value at the domain's first argument, `b + κ − a·N/2`, is a linear
/// combination of two tables, and so are all its differences.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chords {
    /// `beta` holds the chords' first values, `slope` their slopes
    tables: Tables,
    /// N/2
    half: u64,
}

/// A domain's parabola; arguments y are counted from its first one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parabola {
    /// `b − a·N/2`
    base: u64,
    slope: u64,
    curvature: f64,
    half: u64,
}

impl Chords {
    /// The chords of the domains of `2·half` arguments whose betas and slopes at the center
    /// `tables` holds.
    pub(super) fn new(tables: &Tables, half: u64) -> Self {
        let mut chords = *tables;
        for (l, row) in chords.beta.iter_mut().enumerate() {
            for (lane, value) in row.iter_mut().enumerate() {
                let slope = tables.slope.get(l).map_or(0, |row| row[lane]);
                // the tables' betas are −(b + κ)
                *value = value.wrapping_neg().wrapping_sub(slope.wrapping_mul(half));
            }
        }
        Self { tables: chords, half }
    }

    /// The tables of the segments b − a·x, raised by `half_width` and rounded to 52 bits when their
    /// upper 52 bits are read: the slope to nearest, the value down.
    pub(super) fn segments(&self, half_width: u64) -> Tables {
        let mut segments = self.tables;
        let negated = |row: Row<u64>| row.map(u64::wrapping_neg);
        segments.slope = segments.slope.map(negated);
        for lane in 0..MAX_LANES {
            segments.slope[0][lane] = rounded(segments.slope[0][lane]);
            segments.beta[0][lane] = segments.beta[0][lane].wrapping_add(half_width);
        }
        segments
    }

    /// The parabola of the domain at `step` of a lane.
    pub(super) fn parabola(&self, lane: usize, step: u32) -> Parabola {
        let Tables { beta, slope, curvature, kappa } = &self.tables;
        // exact, see `LaneTables::inner`
        let kappa = (kappa[lane] * SCALE) as i64 as u64;
        Parabola {
            base: at(beta, lane, step).wrapping_sub(kappa),
            slope: at(slope, lane, step),
            curvature: curvature[lane],
            half: self.half,
        }
    }
}

/// `Σ C(step, l)·Δ^l`: what `step` steps of a lane's table lead to.
fn at<const D: usize>(table: &[Row<u64>; D], lane: usize, step: u32) -> u64 {
    let (mut sum, mut binomial) = (0u64, 1u64);
    for (l, row) in table.iter().enumerate() {
        sum = sum.wrapping_add(binomial.wrapping_mul(row[lane]));
        // C(1024, 4) is far below 2^64: the product is exact, and so is the division
        binomial = binomial * u64::from(step).saturating_sub(l as u64) / (l as u64 + 1);
    }
    sum
}

/// Half a unit of 2^-52 more, so that truncation rounds to nearest.
const fn rounded(x: u64) -> u64 {
    x.wrapping_add(1 << 11)
}

/// A fraction `|z| < 1/2` in units of 2^-64.
fn fixed(z: f64) -> u64 {
    (z * SCALE).round() as i64 as u64
}

impl Parabola {
    /// Argument y counted from the center, exact.
    fn offset(&self, y: u64) -> f64 {
        y as f64 - self.half as f64
    }

    /// The value at argument y.
    pub(super) fn value(&self, y: u64) -> u64 {
        let x = self.offset(y);
        self.base.wrapping_add(self.slope.wrapping_mul(y)).wrapping_add(fixed(self.curvature * x * x))
    }

    /// The first difference at argument y: from y to y + 1.
    pub(super) fn difference(&self, y: u64) -> u64 {
        self.slope.wrapping_add(fixed(self.curvature * (2.0 * self.offset(y) + 1.0)))
    }

    /// The second difference.
    pub(super) fn second_difference(&self) -> u64 {
        fixed(2.0 * self.curvature)
    }

    /// The segments (a, b) for `count` times `n` arguments from the first one on, raised by
    /// `half_width`: the chords of the parts, lowered to the middle.
    ///
    /// About the middle `m = s + n/2` of `s ≤ x < s + n`,
    /// `c·x² = c·m² + 2c·m·(x − m) + c·(x − m)²`, and the last term lies within `|c|·n²/8` of
    /// `c·n²/8`. At x = s the line is `c·(s² − n²/8)`, and its slope `c·(2s + n)`: from one part to
    /// the next, with s larger by n, the first has the difference `c·n·(2s + n)` and the second
    /// difference `2c·n²`, the other the difference `2c·n`.
    pub(super) fn segments(&self, n: u64, count: usize, half_width: u64, mut segment: impl FnMut(u64, u64)) {
        let (s, length, c) = (self.offset(0), n as f64, self.curvature);
        let mut slope = self.slope.wrapping_add(fixed(c * (2.0 * s + length)));
        let slope_difference = fixed(2.0 * c * length);
        let mut value =
            self.base.wrapping_add(fixed(c * (s * s - length * length / 8.0))).wrapping_add(half_width);
        let mut difference = self.slope.wrapping_mul(n).wrapping_add(fixed(c * length * (2.0 * s + length)));
        let second_difference = fixed(2.0 * c * length * length);
        for _ in 0..count {
            segment(rounded(slope.wrapping_neg()), value);
            slope = slope.wrapping_add(slope_difference);
            value = value.wrapping_add(difference);
            difference = difference.wrapping_add(second_difference);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use tmd_core::difftable::power_of_two;

    const HALF: u64 = 1 << 9;

    /// Tables of one run with curvature `c`, slopes and betas stepping as a parabola's do.
    fn chords(b: u64, a: u64, c: f64) -> Chords {
        let n = 2.0 * HALF as f64;
        let kappa = (c * n * n / 8.0 * SCALE) as i64;
        let mut tables = Tables::default();
        for lane in 0..MAX_LANES {
            tables.beta[0][lane] = b.wrapping_add(kappa as u64).wrapping_neg();
            tables.beta[1][lane] = a.wrapping_mul(2 * HALF).wrapping_add(fixed(c * n * n)).wrapping_neg();
            tables.beta[2][lane] = fixed(2.0 * c * n * n).wrapping_neg();
            tables.slope[0][lane] = a;
            tables.slope[1][lane] = fixed(2.0 * c * n);
            tables.curvature[lane] = c;
            tables.kappa[lane] = kappa as f64 / SCALE;
        }
        Chords::new(&tables, HALF)
    }

    proptest! {
        /// Every domain of a run is the same parabola seen from elsewhere: its values at the seams
        /// agree, and the chords of its parts stay within their bound.
        #[test]
        fn parabolas_and_their_chords(b in any::<u64>(), a in any::<u64>(), curvature in -1000i32..1000, step in 0u32..50) {
            let c = f64::from(curvature) * power_of_two(-40);
            let chords = chords(b, a, c);
            let (here, next) = (chords.parabola(3, step), chords.parabola(3, step + 1));
            let apart = here.value(2 * HALF).wrapping_sub(next.value(0)) as i64;
            prop_assert!(apart.unsigned_abs() < 1 << 16, "off by {apart}");
            let tabulated = here.value(7).wrapping_add(here.difference(7)).wrapping_sub(here.value(8)) as i64;
            prop_assert!(tabulated.unsigned_abs() <= 2);
            let curved = here.difference(7).wrapping_add(here.second_difference()).wrapping_sub(here.difference(8));
            prop_assert!((curved as i64).unsigned_abs() <= 2);

            for parts in [1, 3, 8] {
                let n = (2 * HALF).div_ceil(parts);
                let bound = (c.abs() * (n * n) as f64 / 8.0 * SCALE) as u64 + (1 << 11) * n + (1 << 12);
                let mut y = 0;
                let mut worst = 0;
                here.segments(n, parts as usize, 0, |a, b| {
                    for x in 0..n {
                        let off = b.wrapping_sub(a.wrapping_mul(x)).wrapping_sub(here.value(y + x)) as i64;
                        worst = worst.max(off.unsigned_abs());
                    }
                    y += n;
                });
                prop_assert!(worst <= bound, "{parts} parts: off by {worst}, bound {bound}");
                prop_assert!(worst >= bound / 10 || curvature == 0, "{parts} parts: off by {worst} only, bound {bound}");
            }
            // the whole domain's chord is what the tables hold
            let tables = chords.segments(0);
            here.segments(2 * HALF, 1, 0, |_, b| {
                let apart = b.wrapping_sub(at(&tables.beta, 3, step)) as i64;
                assert!(apart.unsigned_abs() <= 2, "off by {apart}");
            });
        }
    }
}
