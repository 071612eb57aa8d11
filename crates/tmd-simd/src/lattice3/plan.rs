//! Which row operations a window wants: in singles, for two vectors of doubles.

use super::kernel::{Matrix, Short};
use crate::lanes::Lanes;

/// What to do with a pair of rows: the first less `of_j` times the second, and the second less
/// `of_i` times the first. One of the two is 0.
#[derive(Clone, Copy)]
pub(super) struct Operation<L: Lanes> {
    of_j: L::S,
    of_i: L::S,
}

/// Which operations a window wants: the Gram matrix of the dual vectors, and bounds of the rows of
/// T.
pub(super) struct Plan<L: Lanes> {
    gram: Short<L>,
    sizes: [L::S; 3],
}

impl<L: Lanes> Plan<L> {
    /// For dual vectors of the window before, sheared by so much since.
    #[inline(always)]
    pub(super) fn new(l: L, d: &Short<L>, shear: f32, sizes: [L::S; 3]) -> Self {
        let mut d = *d;
        for i in 0..3 {
            d[i][1] = l.fnma_s(l.splat_s(shear), d[i][2], d[i][1]);
        }
        let (g01, g12, g02) = (dot(l, &d, 0, 1), dot(l, &d, 1, 2), dot(l, &d, 0, 2));
        let gram = [[dot(l, &d, 0, 0), g01, g02], [g01, dot(l, &d, 1, 1), g12], [g02, g12, dot(l, &d, 2, 2)]];
        Self { gram, sizes }
    }

    /// One pair of rows: the longer one minus the integer multiple of the other that is best, if
    /// lengths are what G says; G follows, and so do the bounds.
    ///
    /// Any integers would do: no list depends on them.
    #[inline(always)]
    pub(super) fn pair<const I: usize, const J: usize, const K: usize>(&mut self, l: L) -> Operation<L> {
        let (i, j, k) = (I, J, K);
        let Self { gram, sizes } = self;
        let zero = l.splat_s(0.0);
        let (gii, gjj, gij, gik, gjk) = (gram[i][i], gram[j][j], gram[i][j], gram[i][k], gram[j][k]);
        let q = l.round_product_s(gij, l.rough_reciprocal_s(l.min_s(gii, gjj)));
        let i_is_short = l.le_s(gii, gjj);
        let (of_j, of_i) = (l.select_s(i_is_short, zero, q), l.select_s(i_is_short, q, zero));
        // row_i −= a·row_j: G_ii −= a·(2·G_ij − a·G_jj), G_ij −= a·G_jj, G_ik −= a·G_jk; and the
        // other way
        let ij = l.fnma_s(q, l.min_s(gii, gjj), gij);
        let both = l.add_s(gij, ij);
        gram[i][i] = l.fnma_s(of_j, both, gii);
        gram[j][j] = l.fnma_s(of_i, both, gjj);
        (gram[i][j], gram[j][i]) = (ij, ij);
        // one of the two changes nothing
        let ik = l.fnma_s(of_j, gjk, gik);
        let jk = l.fnma_s(of_i, ik, gjk);
        (gram[i][k], gram[k][i], gram[j][k], gram[k][j]) = (ik, ik, jk, jk);
        sizes[i] = l.fma_s(l.abs_s(of_j), sizes[j], sizes[i]);
        sizes[j] = l.fma_s(l.abs_s(of_i), sizes[i], sizes[j]);
        Operation { of_j, of_i }
    }

    /// What entries of T are bounded by after all that: bounds never fall.
    #[inline(always)]
    pub(super) fn most(&self, l: L) -> L::S {
        let [a, b, c] = self.sizes;
        l.max_s(a, l.max_s(b, c))
    }
}

/// Makes the operations of a window with the rows of both T.
#[inline(always)]
pub(super) fn operate<L: Lanes>(l: L, t: &mut [Matrix<L>; 2], operations: &[Operation<L>; 6]) {
    const PAIRS: [(usize, usize); 6] = [(0, 1), (1, 2), (0, 2), (0, 1), (1, 2), (0, 2)];
    for g in 0..2 {
        for n in 0..6 {
            let (i, j) = PAIRS[n];
            let (of_j, of_i) = (l.widen(operations[n].of_j)[g], l.widen(operations[n].of_i)[g]);
            for c in 0..3 {
                // one of the two changes nothing
                t[g][i][c] = l.fnma(of_j, t[g][j][c], t[g][i][c]);
                t[g][j][c] = l.fnma(of_i, t[g][i][c], t[g][j][c]);
            }
        }
    }
}

/// ⟨row i, row j⟩
#[inline(always)]
fn dot<L: Lanes>(l: L, d: &Short<L>, i: usize, j: usize) -> L::S {
    l.fma_s(d[i][2], d[j][2], l.fma_s(d[i][1], d[j][1], l.mul_s(d[i][0], d[j][0])))
}
