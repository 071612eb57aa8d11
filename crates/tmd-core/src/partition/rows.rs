//! [`RunRows`]: the inner tables' entries at the start of every run, as polynomials in the number
//! of the run. Exact.

use tmd_difftable::{Fixed, Hierarchy, Polynomial};

use super::{BETAS, Partition, SLOPES};
use crate::{PIECE_LIMBS, Piece};

/// Most differences of an entry: the degree of a piece's polynomial plus one.
pub const MAX_DIFFERENCES: usize = 20;

/// `Δ^l` of `−R` and of `R'` over the domains' centers, `l` below [`BETAS`] and [`SLOPES`], at
/// the start of run r.
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
            slopes: Hierarchy::new(&Polynomial::new(slopes), partition.run, SLOPES),
            degrees: partition.tables.degrees,
        }
    }

    /// The differences over the runs of entry `entry` (betas, then slopes) at run number `run`,
    /// rounded down to 128 bits: those up to the table's degree, at most [`MAX_DIFFERENCES`], which
    /// are fewer if the others are 0.
    pub fn differences(&self, entry: usize, run: u64) -> Vec<u128> {
        let row = if entry < BETAS { self.betas.row(entry) } else { self.slopes.row(entry - BETAS) };
        let count = (self.degrees[entry] + 1).min(row.differences().len());
        row.shifted(run, count).differences().iter().map(Fixed::high128).collect()
    }
}
