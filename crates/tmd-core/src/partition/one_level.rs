//! [`OneLevel`]: tables of the scalar engines, in as many limbs as the tolerance asks for.
//!
//! Three rows are tabulated: `r_0` (value), `r_1` (slope) and `r_2` (second difference), at a
//! domain's *first* argument. A run starts with a straightforward shift of the rows in the outer
//! limbs, and goes on by additions in the inner limbs: one level of tables, any domain size, and
//! precision up to that of the piece itself.
//!
//! # What each choice neglects
//!
//! Let `B_m ≥ |R^(m)/m!|` over all arguments touched, R being the polynomial with the coefficients
//! that are used, and `C(·,·)` the binomial coefficients.
//!
//! * *outer limbs* L: coefficients about the first argument rounded down to L limbs: at most
//!   `Σ_k reach^k·2^(-64 L)`;
//! * *inner limbs* K: row `j` lags by less than `Σ_l C(ν−1, l)·2^(-64 K)`, times `C(N−1, j)` at the
//!   domain's end;
//! * *degrees*: `Σ_{l > degree} C(ν−1, l)·N^l·(l+j)!·B_(l+j)`, times `C(N−1, j)`;
//! * *parabola*: terms `C(x, 3)` and above: `Σ_{j ≥ 3} C(N−1, j)·j!·B_j`;
//! * *line*: the chord of `r_2·C(x, 2)` lowered to the middle leaves `|r_2|·(n−1)²/16` on either
//!   side, n = N in phase 1, N/8 in phase 2;
//! * *quantization*: slope and value of the line rounded down to 64 bits lag by less than
//!   `N·2^-64`; and 128-bit halving and sixteenths of `r_2` in forming the line by less than
//!   `2·N²·2^-128`.
//!
//! # Which second difference bends the line
//!
//! That of the tables, `r_2 = r − lag − o + d`: r is the domain's own, `|r| ≤ 2·B_2` over the
//! domain, *lag* the inner limbs', *o* ≥ 0 the outer limbs' and d the dropped differences'.
//! [`OneLevel::second_difference`] bounds `r − lag`. Of a segment of n arguments from argument s of
//! the domain on, argument `s + x` has the coefficient
//! `w = C(s, 2) + s·x + (n−2)x/2 − (n−1)²/16` of `r_2`, and for `0 ≤ x < n`, `s + n ≤ N`
//!
//! > `−(n−1)²/16 ≤ w ≤ C(s + n − 1, 2) ≤ C(N − 1, 2)`,
//!
//! where `(n−1)² ≤ (N−1)² ≤ 16·C(N − 1, 2)` from `N = 3` on. So d and o move the *line* by no more
//! than the value at the domain's end, for which *dropped* and *tables* have them. And the residue
//! of `r_2` next to 0 is `r_2` itself if `second_difference + |d| + o < 1/2`. Both are what
//! [`OneLevel::is_linear`] says.
//!
//! Lemmas P.9 to P.12 of docs/proofs/piece.md, and Lemma P.15 for the line *linear*. What an
//! existence test says of such a line is said of the piece: Theorem B.11 and Theorem C.15 of
//! `proofs/Certificate.v`.

use tmd_difftable::{Upper, bounds};

use super::{Partition, SUBDOMAINS, least_degree};
use crate::{ErrorBudget, PIECE_LIMBS, Piece};

/// Rows tabulated per run: value, slope, second difference.
pub const ROWS: usize = 3;

/// Limb counts that [`Generator`](crate::scalar::generate::Generator)'s tables are compiled for,
/// outer then inner.
const OUTER_LIMBS: [usize; 3] = [3, 5, 8];
const INNER_LIMBS: [usize; 3] = [1, 2, 3];

/// Longest run. Longer runs spread the straightforward shift at their start over more domains; at
/// 512 it is noise.
const LONGEST_RUN: u64 = 512;

/// Each part of the budget aims at this share of ε. A choice of speed, not of soundness: the budget
/// carries what was reached, whatever it is.
const SHARE: f64 = 1.0 / 64.0;

/// The rows' tables.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OneLevel {
    /// Degrees of the rows' tables.
    pub degrees: [usize; ROWS],
    /// Limbs in which the start of a run is computed.
    pub outer_limbs: usize,
    /// Limbs of the tables.
    pub inner_limbs: usize,
    /// Whether a line may stand for a domain: it has 3 arguments or more, and the tabulated second
    /// difference is known to be small enough, `|r_2| < 1/2`.
    pub is_linear: bool,
    /// Bound of the domains' second differences `|r_2|`, but for what outer limbs and dropped
    /// differences do to them.
    pub second_difference: Upper,
}

impl Partition<OneLevel> {
    /// The partition of `piece` into domains of `n` arguments for one lane, in runs as long as the
    /// budget allows.
    pub fn one_level(piece: &Piece, n: u64) -> Self {
        let domains = piece.arguments().div_ceil(n);
        let aim = piece.tolerance().get() * SHARE;
        let mut run = LONGEST_RUN.min(domains.next_power_of_two());
        loop {
            let (partition, of_the_run) = Self::of_run(piece, n, run, aim);
            // shorter runs need fewer and smaller differences; a single domain needs none
            if run == 1 || of_the_run.get() <= 2.0 * aim {
                return partition;
            }
            run /= 2;
        }
    }

    /// The partition with runs of `run` domains, and the part of its budget that shorter runs
    /// would lower.
    fn of_run(piece: &Piece, n: u64, run: u64, aim: f64) -> (Self, Upper) {
        let count = piece.polynomial().len();
        let steps = run - 1;
        let size = Upper::of_integer(n);
        // over the arguments of all domains, and over those that differences of a run can touch
        let inside = piece.derivatives(size);
        let touched = piece.derivatives(Upper::of_integer(steps + count as u64) * size);
        let weight = |j: usize| bounds::binomial(n - 1, j);

        let dropped_by =
            |j: usize, degree| weight(j) * bounds::dropped_differences(&touched, j, degree, steps, n);
        let degrees = [0, 1, 2].map(|j| {
            let most = count.saturating_sub(j + 1).min(tmd_difftable::table::MAX_DIFFERENCES - 1);
            least_degree(most, aim / 8.0, |degree| dropped_by(j, degree))
        });
        let dropped_differences = (0..ROWS).map(|j| dropped_by(j, degrees[j])).sum::<Upper>();

        let lag = |j: usize, limbs| bounds::tabulation(degrees[j], steps, limbs);
        let inner_lag = |limbs: &usize| (0..ROWS).map(|j| weight(j) * lag(j, *limbs)).sum::<Upper>();
        let outer_reach = Upper::of_integer(piece.arguments()) + size;
        let outer_lag = |limbs: &usize| {
            if *limbs == PIECE_LIMBS {
                return Upper::ZERO; // the piece's own coefficients: nothing is rounded
            }
            bounds::coefficient_rounding(count, outer_reach, Upper::power_of_two(-64 * *limbs as i32))
        };
        let inner_limbs = smallest(INNER_LIMBS, |limbs| inner_lag(limbs).get() <= aim);
        let outer_limbs =
            smallest(OUTER_LIMBS, |limbs| *limbs >= inner_limbs && outer_lag(limbs).get() <= aim / 8.0);

        // but for the dropped differences: `dropped` has them for each row, at the end of the
        // domain
        let second_difference =
            Upper::new(2.0) * inside.get(2).copied().unwrap_or(Upper::ZERO) + lag(2, inner_limbs);
        let chord = |n: u64| {
            second_difference * Upper::of_integer(n - 1) * Upper::of_integer(n - 1) * Upper::new(1.0 / 16.0)
        };
        let budget = ErrorBudget {
            tables: inner_lag(&inner_limbs) + outer_lag(&outer_limbs),
            dropped: dropped_differences + bounds::dropped_terms(&inside, ROWS - 1, n),
            linear: chord(n),
            refined: chord(n.div_ceil(SUBDOMAINS)),
            quantization: (size + Upper::ONE) * Upper::power_of_two(-64)
                + Upper::new(2.0) * size * size * Upper::power_of_two(-128),
            ..ErrorBudget::of_piece(piece)
        };
        let dropped_second = bounds::dropped_differences(&touched, 2, degrees[2], steps, n);
        let is_linear = n >= 3 && (second_difference + dropped_second + outer_lag(&outer_limbs)).get() < 0.5;
        let tables = OneLevel { degrees, outer_limbs, inner_limbs, is_linear, second_difference };
        let runs = piece.arguments().div_ceil(n).div_ceil(run);
        (Self { domain: n, run, runs, tables, budget }, inner_lag(&inner_limbs) + dropped_differences)
    }
}

/// The first choice that is good enough, or the last.
fn smallest<const C: usize>(choices: [usize; C], enough: impl Fn(&usize) -> bool) -> usize {
    choices.iter().copied().find(|limbs| enough(limbs)).unwrap_or(choices[C - 1])
}

#[cfg(test)]
mod tests {
    use super::*;
    use tmd_difftable::{Fixed, Polynomial, power_of_two};

    /// What an error of the second difference does to a segment, in 16ths, against what it does to
    /// the value at the domain's end.
    #[test]
    fn a_segment_moves_no_more_than_the_last_value() {
        let pairs = |n: i64| n * (n - 1) / 2;
        let moved = |s: i64, n: i64, x: i64| 16 * (pairs(s) + s * x) + 8 * (n - 2) * x - (n - 1) * (n - 1);
        for size in 1..40 {
            let paid = 16 * pairs(size - 1);
            let all = (0..size).flat_map(|s| (1..=size - s).map(move |n| (s, n)));
            let most = all.flat_map(|(s, n)| (0..n).map(move |x| moved(s, n, x).abs())).max();
            assert_eq!(most <= Some(paid), size != 2, "{size}: {most:?} against {paid}");
        }
    }

    /// A piece `c2·x² + c3·x³` of these coefficients in units of 2^-100 and of 192 arguments, in
    /// domains of `n`.
    fn partition(n: u64, [c2, c3]: [f64; 2], tolerance_bits: i32) -> Partition<OneLevel> {
        let magnitudes = [0.0, 0.0, c2, c3].map(Upper::new).to_vec();
        let polynomial = Polynomial::new(
            magnitudes
                .iter()
                .map(|c| Fixed::from_ratio_pow2((c.get() * power_of_two(60)) as i64, 60))
                .collect(),
        );
        let tolerance = Upper::power_of_two(-tolerance_bits);
        let piece = Piece::new(polynomial, magnitudes, 192, 96, tolerance, Upper::ZERO, Upper::ZERO);
        crate::scalar::partition(&piece.unwrap(), Some(n)).unwrap()
    }

    /// `|r_2| < 1/2` is asked of what the tables hold: with what they drop, not of the polynomial
    /// alone.
    #[test]
    fn a_line_stands_for_a_domain_only_if_its_curvature_is_known() {
        // over 63 steps of 3 arguments the second difference changes by a little less than 2^-11,
        // which is not tabulated
        let c3 = 0.9 * power_of_two(-11) / f64::from(63 * 3 * 6);
        let of_curvature = |curvature: f64| partition(3, [(curvature - 6.0 * c3 * 99.0) / 2.0, c3], 2);
        for (curvature, linear) in [(0.5 - power_of_two(-13), false), (0.5 - power_of_two(-10), true)] {
            let partition = of_curvature(curvature);
            let OneLevel { degrees, second_difference, is_linear, .. } = partition.tables;
            assert_eq!((partition.run, degrees[2]), (64, 0));
            let found = second_difference.get();
            assert!((found - curvature).abs() < 1e-9 && found < 0.5);
            assert_eq!(is_linear, linear, "{partition:?}");
        }
        let straight = [1, 2, 3].map(|n| partition(n, [power_of_two(-30), 0.0], 10).tables.is_linear);
        assert_eq!(straight, [false, false, true]);
    }
}
