//! The difference tables of all lanes: the inner ones of a run ([`Tables`]) and the outer ones, from one run to the next
//! ([`LaneTables`]).
//!
//! The entries of the inner tables at the start of run r are polynomials in r. They are computed once per part, exactly;
//! each lane starts by a straightforward shift to its first run, rounded down to 128 bits, and goes on by additions.

use tmd_core::{
    Piece,
    difftable::{Fixed, Hierarchy, Polynomial},
};

use super::{Cut, HEIGHTS, SLOPES};
use crate::lanes::{MAX_LANES, Row};

/// Most entries of an outer table: the degree of a piece's polynomial plus one.
const MOST: usize = 20;

/// Difference tables of the values and slopes at the domains' centers, 64-bit fractions.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tables {
    /// `−(b + κ)` and its differences
    pub(crate) height: [Row<u64>; HEIGHTS],
    /// `a` and its differences
    pub(crate) slope: [Row<u64>; SLOPES],
    /// `c`, for the whole run
    pub(crate) curvature: Row<f64>,
    /// κ, for the whole run
    pub(crate) kappa: Row<f64>,
}

/// One entry of the inner tables, as a difference table over the runs of every lane.
struct Outer {
    differences: [Row<u128>; MOST],
    degree: usize,
}

/// The outer tables at the current run of every lane.
pub(crate) struct LaneTables {
    entries: [Outer; HEIGHTS + SLOPES],
    /// `1/(2N²)` and `N²/8`
    from_second_difference: f64,
    to_kappa: f64,
}

impl LaneTables {
    /// The tables of the first run of each of `lanes` lanes.
    pub(crate) fn new(piece: &Piece, cut: &Cut, lanes: usize) -> Self {
        let n = cut.domain;
        // R about the center of domain 0; with the sign that makes c positive
        let first = piece.polynomial().shifted((n / 2) as i64 - piece.center() as i64);
        let signed = |c: Fixed<8>| if cut.negated { -c } else { c };
        let scaled = |c: Fixed<8>, k: usize| (0..k).fold(signed(c), |c, _| c.times(n));
        let coefficients = first.coefficients();
        // −R(i·N) and R'(i·N) as polynomials in the number i of the domain
        let heights = coefficients.iter().enumerate().map(|(k, &c)| -scaled(c, k)).collect();
        let slopes =
            (1..coefficients.len()).map(|k| scaled(coefficients[k].times(k as u64), k - 1)).collect();
        let heights = Hierarchy::new(&Polynomial::new(heights), cut.run, HEIGHTS);
        let slopes = Hierarchy::new(&Polynomial::new(slopes), cut.run, SLOPES);
        let entries = core::array::from_fn(|entry| {
            let row = if entry < HEIGHTS { heights.row(entry) } else { slopes.row(entry - HEIGHTS) };
            let count = (cut.degrees[entry] + 1).min(row.differences().len());
            let mut differences = [[0; MAX_LANES]; MOST];
            for lane in 0..lanes {
                let shifted = row.shifted(lane as u64 * cut.runs, count);
                for (entry, d) in differences.iter_mut().zip(shifted.differences()) {
                    entry[lane] = d.high128();
                }
            }
            Outer { differences, degree: count.saturating_sub(1) }
        });
        let size = n as f64;
        Self { entries, from_second_difference: 0.5 / (size * size), to_kappa: size * size / 8.0 }
    }

    /// The inner tables of the current run.
    pub(crate) fn inner(&self) -> Tables {
        let high = |entry: usize| self.entries[entry].differences[0].map(|d| (d >> 64) as u64);
        let mut tables = Tables {
            height: core::array::from_fn(high),
            slope: core::array::from_fn(|l| high(HEIGHTS + l)),
            ..Tables::default()
        };
        for lane in 0..MAX_LANES {
            // the heights are −R, and their second difference −2cN²
            let second = -(tables.height[2][lane] as i64 as f64) * 2f64.powi(-64);
            let curvature = second * self.from_second_difference;
            // κ to 64 bits: exact as an integer below 2^53 and as a float
            let kappa = (curvature * self.to_kappa * 2f64.powi(64)) as i64;
            tables.height[0][lane] = tables.height[0][lane].wrapping_sub(kappa as u64);
            tables.curvature[lane] = curvature;
            tables.kappa[lane] = kappa as f64 * 2f64.powi(-64);
        }
        tables
    }

    /// Moves every lane to its next run.
    pub(crate) fn step(&mut self) {
        for Outer { differences, degree } in &mut self.entries {
            for k in 0..*degree {
                let (low, high) = differences.split_at_mut(k + 1);
                for (d, next) in low[k].iter_mut().zip(&high[0]) {
                    *d = d.wrapping_add(*next);
                }
            }
        }
    }
}
