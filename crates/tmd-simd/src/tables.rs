//! The difference tables of all lanes: the inner ones of a run ([`Tables`]) and the outer ones,
//! from one run to the next ([`LaneTables`]).
//!
//! The entries of the inner tables at the start of run r are polynomials in r. They are computed
//! once per part, exactly; each lane starts by a straightforward shift to its first run, rounded
//! down to 128 bits, and goes on by additions.

use std::borrow::Cow;

use tmd_core::{
    Piece,
    difftable::{Upper, power_of_two},
    partition::{BETAS, Partition, RunRows, SLOPES, rows::MAX_DIFFERENCES},
    walk::contract::Unit,
};

use crate::lanes::{MAX_LANES, Row};

/// What 52 bits of slope and beta neglect: `2^-52·N/2` and `2^-52`. κ has 64 bits, and what else
/// is rounded to 53 bits is below `2κ + 2^-52·N < 1` and rounded three times at most: `3·2^-53`.
pub(crate) fn quantization(n: u64) -> Upper {
    (Upper::of_integer(n / 2) + Upper::new(4.0)) * Unit::LANES.upper()
}

/// Difference tables of the values and slopes at the domains' centers, 64-bit fractions.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tables {
    /// `−(b + κ)` and its differences
    pub(crate) beta: [Row<u64>; BETAS],
    /// `a` and its differences
    pub(crate) slope: [Row<u64>; SLOPES],
    /// `c`, for the whole run
    pub(crate) curvature: Row<f64>,
    /// κ, for the whole run
    pub(crate) kappa: Row<f64>,
}

impl Tables {
    /// The tables with this lane first, and those that follow it.
    pub(crate) fn starting_at(&self, first: usize) -> Cow<'_, Self> {
        if first == 0 {
            return Cow::Borrowed(self);
        }
        let mut tables = *self;
        let Self { beta, slope, curvature, kappa } = &mut tables;
        beta.iter_mut().chain(slope).for_each(|row| row.rotate_left(first));
        curvature.rotate_left(first);
        kappa.rotate_left(first);
        Cow::Owned(tables)
    }
}

/// One entry of the inner tables, as a difference table over the runs of every lane.
struct Outer {
    differences: [Row<u128>; MAX_DIFFERENCES],
    degree: usize,
}

/// The outer tables at the current run of every lane.
pub(crate) struct LaneTables {
    entries: [Outer; BETAS + SLOPES],
    /// `1/(2N²)` and `N²/8`
    from_second_difference: f64,
    to_kappa: f64,
}

impl LaneTables {
    /// The tables of the first run of each of `lanes` lanes.
    pub(crate) fn new(piece: &Piece, partition: &Partition, lanes: usize) -> Self {
        let rows = RunRows::new(piece, partition);
        let entries = core::array::from_fn(|entry| {
            let (mut differences, mut degree) = ([[0; MAX_LANES]; MAX_DIFFERENCES], 0);
            for lane in 0..lanes {
                let shifted = rows.differences(entry, lane as u64 * partition.runs);
                degree = shifted.len().saturating_sub(1);
                for (row, d) in differences.iter_mut().zip(shifted) {
                    row[lane] = d;
                }
            }
            Outer { differences, degree }
        });
        let size = partition.domain as f64;
        Self { entries, from_second_difference: 0.5 / (size * size), to_kappa: size * size / 8.0 }
    }

    /// The inner tables of the current run.
    pub(crate) fn inner(&self) -> Tables {
        let high = |entry: usize| self.entries[entry].differences[0].map(|d| (d >> 64) as u64);
        let mut tables = Tables {
            beta: core::array::from_fn(high),
            slope: core::array::from_fn(|l| high(BETAS + l)),
            ..Tables::default()
        };
        for lane in 0..MAX_LANES {
            // the betas are −R, and their second difference −2cN²
            let second = -(tables.beta[2][lane] as i64 as f64) * power_of_two(-64);
            let curvature = second * self.from_second_difference;
            // κ to 64 bits: exact as an integer below 2^53 and as a float
            let kappa = (curvature * self.to_kappa * power_of_two(64)) as i64;
            tables.beta[0][lane] = tables.beta[0][lane].wrapping_sub(kappa as u64);
            tables.curvature[lane] = curvature;
            tables.kappa[lane] = kappa as f64 * power_of_two(-64);
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
