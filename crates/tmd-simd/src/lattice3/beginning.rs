//! Where a run of the lanes begins, and how it ended.

use tmd_core::lattice3::{MAX_SPANS, Start};

use crate::lanes::{Row, Singles};

/// Where the lanes begin: `[g]` is the vector.
#[derive(Clone, Debug, Default)]
pub(super) struct Beginning {
    /// `dual[g][i][c]`: component c (x, τ, ν) of row i
    pub(super) dual: [[[Row<f64>; 3]; 3]; 2],
    /// `phases[target][g][i]`
    pub(super) phases: [[[Row<u64>; 3]; 2]; MAX_SPANS],
    /// `differences[g][i]` of phases: first, second and third
    pub(super) differences: [[[Row<u64>; 3]; 3]; 2],
    /// det of the basis, with its sign
    pub(super) determinant: Singles,
    /// what the third derivative adds to the value from window 0 to window k, times k^-3, in units
    /// of κ
    pub(super) cubic: [Row<f64>; 2],
}

impl Beginning {
    /// Fills a lane.
    pub(super) fn fill(&mut self, lane: usize, width: usize, start: &Start, differences: &[[u64; 3]; 3]) {
        let (g, at) = place(lane, width);
        for i in 0..3 {
            for c in 0..3 {
                self.dual[g][i][c][at] = start.dual[i][c];
            }
            for (lanes, own) in self.differences[g][i].iter_mut().zip(differences[i]) {
                lanes[at] = own;
            }
            for (phases, own) in self.phases.iter_mut().zip(&start.phases) {
                phases[g][i][at] = own[i];
            }
        }
        self.determinant[lane] = start.determinant as f32;
        self.cubic[g][at] = start.cubic;
    }

    /// Makes a lane the same as the first one.
    pub(super) fn repeat(&mut self, lane: usize, width: usize) {
        let (g, at) = place(lane, width);
        for i in 0..3 {
            for c in 0..3 {
                self.dual[g][i][c][at] = self.dual[0][i][c][0];
                self.differences[g][i][c][at] = self.differences[0][i][c][0];
            }
            for own in &mut self.phases {
                own[g][i][at] = own[0][i][0];
            }
        }
        self.determinant[lane] = self.determinant[0];
        self.cubic[g][at] = self.cubic[0][0];
    }

    /// A lane's dual basis in a window where its T is this, and a target's phases: what lanes
    /// compute, one at a time.
    pub(super) fn at(
        &self,
        lane: usize,
        width: usize,
        target: usize,
        step: u32,
        t: &[[f64; 3]; 3],
    ) -> ([[f64; 3]; 3], [u64; 3]) {
        let (g, at) = place(lane, width);
        let (k, n) = (f64::from(step), u64::from(step));
        let shear = 1.5 * k * k * self.cubic[g][at] + 8.0 * k;
        let (mut dual, mut phases) = ([[0.0; 3]; 3], [0u64; 3]);
        // k choose 2, and 3
        let (pairs, triples) =
            (n * n.saturating_sub(1) / 2, n * n.saturating_sub(1) * n.saturating_sub(2) / 6);
        for j in 0..3 {
            let [x, y, v] = [0, 1, 2].map(|c| self.dual[g][j][c][at]);
            let [first, second, third] = [0, 1, 2].map(|c| self.differences[g][j][c][at]);
            let gain = n.wrapping_mul(first);
            let gain =
                gain.wrapping_add(pairs.wrapping_mul(second)).wrapping_add(triples.wrapping_mul(third));
            let own = self.phases[target][g][j][at].wrapping_add(gain);
            for i in 0..3 {
                let entry = t[i][j];
                for (sum, c) in dual[i].iter_mut().zip([x, y - shear * v, v]) {
                    *sum += entry * c;
                }
                phases[i] = phases[i].wrapping_add((entry as i64 as u64).wrapping_mul(own));
            }
        }
        (dual, phases)
    }
}

/// How a run ended.
#[derive(Clone, Debug, Default)]
pub(super) struct End {
    /// T: `rows[g][i][c]`
    pub(super) rows: [[[Row<f64>; 3]; 3]; 2],
    /// Entries of T were at most so much, in and between windows, over the bound of what a dual
    /// vector of length 1 is made with.
    pub(super) longest: Singles,
}

/// The lane of the two vectors, as their number and the lane in it.
pub(super) const fn place(lane: usize, width: usize) -> (usize, usize) {
    (lane / width, lane % width)
}
