//! [`RunRows`]: the inner tables' entries at the start of every run, as polynomials in the number
//! of the run. Exact.

use tmd_difftable::{BinomialPolynomial, Fixed, Hierarchy, Polynomial};

use super::{BETAS, Partition, SLOPES};
use crate::{PIECE_LIMBS, Piece};

/// Most differences of an entry: the degree of a piece's polynomial plus one.
pub const MAX_DIFFERENCES: usize = 20;

/// `Δ^l` of `−R` and of `R'` over the domains' centers, `l` below [`BETAS`] and [`SLOPES`], at
/// the start of run r; 0 where tables have fewer slopes.
#[derive(Clone, Debug)]
pub struct RunRows {
    betas: Hierarchy<PIECE_LIMBS>,
    slopes: Hierarchy<PIECE_LIMBS>,
    degrees: [usize; BETAS + SLOPES],
}

impl RunRows {
    /// The rows of a piece, divided like this.
    pub fn new(piece: &Piece, partition: &Partition) -> Self {
        let n = partition.domain;
        // R about the center of domain 0; with the sign that makes c positive
        let first = piece.polynomial().shifted((n / 2) as i64 - piece.center() as i64);
        let signed = |c: Fixed<PIECE_LIMBS>| if partition.tables.negated { -c } else { c };
        let scaled = |c: Fixed<PIECE_LIMBS>, k: usize| (0..k).fold(signed(c), |c, _| c.times(n));
        let coefficients = first.coefficients();
        // −R(i·N) and R'(i·N) as polynomials in the number i of the domain
        let betas = coefficients.iter().enumerate().map(|(k, &c)| -scaled(c, k)).collect();
        let slopes =
            (1..coefficients.len()).map(|k| scaled(coefficients[k].times(k as u64), k - 1)).collect();
        Self {
            betas: Hierarchy::new(&Polynomial::new(betas), partition.run, BETAS),
            slopes: Hierarchy::new(&Polynomial::new(slopes), partition.run, partition.tables.slopes),
            degrees: partition.tables.degrees,
        }
    }

    /// The differences over the runs of entry `entry` (betas, then slopes) at run number `run`,
    /// rounded down to 128 bits: those up to the table's degree, at most [`MAX_DIFFERENCES`], which
    /// are fewer if the others are 0.
    pub fn differences(&self, entry: usize, run: u64) -> Vec<u128> {
        let (row, count) = self.row(entry);
        row.shifted(run, count).differences().iter().map(Fixed::high128).collect()
    }

    /// The same at runs 0, `step`, 2·`step`, …, so many: those of one from those of the one before,
    /// which takes a tenth of the time if they are many.
    pub fn every(&self, entry: usize, step: u64, number: u64) -> impl Iterator<Item = Vec<u128>> {
        let (row, count) = self.row(entry);
        let is_many = number > row.differences().len() as u64;
        let mut rows = if is_many { row.every(step, count) } else { Vec::new() };
        (0..number).map(move |k| {
            if !is_many {
                return self.differences(entry, k * step);
            }
            let here = rows.iter().map(|row| row.differences()[0].high128()).collect();
            rows.iter_mut().for_each(BinomialPolynomial::advance);
            here
        })
    }

    /// An entry, and how many of its differences are in its table.
    fn row(&self, entry: usize) -> (&BinomialPolynomial<PIECE_LIMBS>, usize) {
        let row = if entry < BETAS { self.betas.row(entry) } else { self.slopes.row(entry - BETAS) };
        (row, (self.degrees[entry] + 1).min(row.differences().len()))
    }
}

#[cfg(test)]
mod tests {
    use tmd_difftable::bounds::Upper;

    use super::*;
    use crate::partition::{Neglected, TwoLevels, budget};

    /// Rows that follow from those before are those of their runs, few and many.
    #[test]
    fn every_so_many_runs() {
        let coefficients =
            [0x56fc_2a2c_515d_a54di64, 0x2b7e_1516_28ae_d2a6, 0x39fd_71bb_83b6_1b34, 0x1234_5678_9abc];
        let scaled = |(k, &c): (usize, &i64)| Fixed::from_ratio_pow2(c, 64 + 50 * k as u32);
        let polynomial = Polynomial::new(coefficients.iter().enumerate().map(scaled).collect());
        let zero = Upper::ZERO;
        let [domain, run, runs] = [1 << 12, 64, 30];
        let arguments = 1000 * runs * run * domain;
        let piece = Piece::new(
            polynomial,
            vec![zero; 4],
            arguments,
            arguments / 3,
            Upper::power_of_two(-40),
            zero,
            zero,
        );
        let piece = piece.unwrap();
        for negated in [false, true] {
            let most = Upper::power_of_two(-60);
            let slopes = if negated { SLOPES - 1 } else { SLOPES };
            let Neglected { degrees, budget, .. } =
                budget(&piece, domain, run, runs, most, Upper::power_of_two(-60), slopes);
            let tables = TwoLevels { negated, slopes, degrees, outer: zero };
            let rows = RunRows::new(&piece, &Partition { domain, run, runs, tables, budget });
            for (entry, step, number) in
                (0..BETAS + SLOPES).flat_map(|e| [(e, 7, 1), (e, runs, 3), (e, runs, 100)])
            {
                let every: Vec<_> = rows.every(entry, step, number).collect();
                let each: Vec<_> = (0..number).map(|k| rows.differences(entry, k * step)).collect();
                let is_there = entry < BETAS + slopes;
                assert!(every == each && each[0].is_empty() != is_there, "{entry} {step} {number}");
            }
        }
    }
}
