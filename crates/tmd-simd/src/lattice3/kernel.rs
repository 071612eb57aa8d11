//! Consecutive windows in every lane: which of them need a second look.
//!
//! Proof in docs/proofs/lattice3.md, section 6. A lane begins with an exact dual basis (rows e) and phases. It keeps the integer
//! matrix T of the row operations made so far; in window k the dual basis is `T·e·S_k`, and phases are `T·C(k)`, both computed from the
//! beginning each time, so that nothing drifts. Operations on T are exact: its entries stay below 2^53. C(k) is a table of differences
//! of 64-bit fractions.
//!
//! Two vectors of doubles walk together, and what is only asked of the numbers is asked in one vector of singles for both: which
//! row operations to make, which none of the answers depends on, and where the points of the box are.

use tmd_core::lattice3::MAX_SPANS;

use super::queue::{Item, Lines, Queue};
use crate::lanes::{Kernel, Lanes, Row, Singles};

/// Ranges of coordinates are widened by this share, and by this.
pub(super) const MARGIN: f32 = 1.0 / 1024.0;

/// What the lanes take for near an integer, in units of κ.
pub(super) const TOLERANCE: f32 = 1.0 / 2048.0;

/// Most of a coordinate's reach, and this much more, times its vector's τ, where lanes look at points themselves.
const WIDEST: f32 = 3.0;

/// The same, of ν.
const TALLEST: f32 = 16.0;

/// Most of the product of the three reaches and the determinant.
const LOOSEST: f32 = 64.0;

/// That much more.
const SLACK: f32 = 1.0 / 16.0;

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
    /// what the third derivative adds to the value from window 0 to window k, times k^-3, in units of κ
    pub(super) cubic: [Row<f64>; 2],
}

/// How a run ended.
#[derive(Clone, Debug, Default)]
pub(super) struct End {
    /// T: `rows[g][i][c]`
    pub(super) rows: [[[Row<f64>; 3]; 3]; 2],
    /// Entries of T were at most so much, in and between windows, over the bound of what a dual vector of length 1 is made with.
    pub(super) longest: Singles,
}

/// `steps` windows in every lane, for so many targets.
pub(super) struct Run<'a> {
    pub(super) beginning: &'a Beginning,
    pub(super) steps: u32,
    pub(super) targets: usize,
    pub(super) queue: &'a mut Queue,
    pub(super) end: &'a mut End,
}

/// Three rows of three vectors.
type Matrix<L> = [[<L as Lanes>::F; 3]; 3];

/// The same in singles.
type Short<L> = [[<L as Lanes>::S; 3]; 3];

/// What to do with a pair of rows: the first less `of_j` times the second, and the second less `of_i` times the first. One of the two
/// is 0.
#[derive(Clone, Copy)]
struct Operation<L: Lanes> {
    of_j: L::S,
    of_i: L::S,
}

/// Bounds of the rows of T.
type Sizes<L> = [<L as Lanes>::S; 3];

/// One pair of rows: the longer one minus the integer multiple of the other that is best, if lengths are what G says; G follows, and
/// so do bounds of the rows of T.
///
/// Any integers would do: no list depends on them.
#[inline(always)]
fn pair<L: Lanes, const I: usize, const J: usize, const K: usize>(
    l: L,
    gram: &mut Short<L>,
    sizes: &mut Sizes<L>,
) -> Operation<L> {
    let (i, j, k) = (I, J, K);
    let zero = l.splat_s(0.0);
    let (gii, gjj, gij, gik, gjk) = (gram[i][i], gram[j][j], gram[i][j], gram[i][k], gram[j][k]);
    let q = l.round_product_s(gij, l.rough_reciprocal_s(l.min_s(gii, gjj)));
    let i_is_short = l.le_s(gii, gjj);
    let (of_j, of_i) = (l.select_s(i_is_short, zero, q), l.select_s(i_is_short, q, zero));
    // row_i −= a·row_j: G_ii −= a·(2·G_ij − a·G_jj), G_ij −= a·G_jj, G_ik −= a·G_jk; and the other way
    let ij = l.fnma_s(of_i, gii, l.fnma_s(of_j, gjj, gij));
    let both = l.add_s(gij, ij);
    gram[i][i] = l.fnma_s(of_j, both, gii);
    gram[j][j] = l.fnma_s(of_i, both, gjj);
    (gram[i][j], gram[j][i]) = (ij, ij);
    let (ik, jk) = (l.fnma_s(of_j, gjk, gik), l.fnma_s(of_i, gik, gjk));
    (gram[i][k], gram[k][i], gram[j][k], gram[k][j]) = (ik, ik, jk, jk);
    let (more_i, more_j) = (l.fma_s(l.abs_s(of_j), sizes[j], sizes[i]), l.fma_s(l.abs_s(of_i), sizes[i], sizes[j]));
    (sizes[i], sizes[j]) = (more_i, more_j);
    Operation { of_j, of_i }
}

/// The operations of a window, for dual vectors of the window before, and a bound of what T's entries may be meanwhile.
#[inline(always)]
fn plan<L: Lanes>(l: L, d: &Short<L>, back: f32, mut sizes: Sizes<L>) -> ([Operation<L>; 6], L::S) {
    let mut d = *d;
    for row in &mut d {
        row[1] = l.fnma_s(l.splat_s(back), row[2], row[1]);
    }
    let (g01, g12, g02) = (dot(l, &d, 0, 1), dot(l, &d, 1, 2), dot(l, &d, 0, 2));
    let mut gram =
        [[dot(l, &d, 0, 0), g01, g02], [g01, dot(l, &d, 1, 1), g12], [g02, g12, dot(l, &d, 2, 2)]];
    let operations = [
        pair::<L, 0, 1, 2>(l, &mut gram, &mut sizes),
        pair::<L, 1, 2, 0>(l, &mut gram, &mut sizes),
        pair::<L, 0, 2, 1>(l, &mut gram, &mut sizes),
        pair::<L, 0, 1, 2>(l, &mut gram, &mut sizes),
        pair::<L, 1, 2, 0>(l, &mut gram, &mut sizes),
        pair::<L, 0, 2, 1>(l, &mut gram, &mut sizes),
    ];
    // bounds never fall
    (operations, l.max_s(sizes[0], l.max_s(sizes[1], sizes[2])))
}

/// Makes the operations of a window with the rows of both T.
#[inline(always)]
fn operate<L: Lanes>(l: L, t: &mut [Matrix<L>; 2], operations: &[Operation<L>; 6]) {
    const PAIRS: [(usize, usize); 6] = [(0, 1), (1, 2), (0, 2), (0, 1), (1, 2), (0, 2)];
    for g in 0..2 {
        for n in 0..6 {
            let (i, j) = PAIRS[n];
            let (of_j, of_i) = (l.widen(operations[n].of_j)[g], l.widen(operations[n].of_i)[g]);
            for c in 0..3 {
                let (ti, tj) = (t[g][i][c], t[g][j][c]);
                t[g][i][c] = l.fnma(of_j, tj, ti);
                t[g][j][c] = l.fnma(of_i, ti, tj);
            }
        }
    }
}

/// The product of two matrices.
#[inline(always)]
fn product<L: Lanes>(l: L, t: &Matrix<L>, at: &Matrix<L>) -> Matrix<L> {
    let mut d = *at;
    for i in 0..3 {
        for c in 0..3 {
            d[i][c] = l.fma(t[i][2], at[2][c], l.fma(t[i][1], at[1][c], l.mul(t[i][0], at[0][c])));
        }
    }
    d
}

/// ⟨row i, row j⟩
#[inline(always)]
fn dot<L: Lanes>(l: L, d: &Short<L>, i: usize, j: usize) -> L::S {
    l.fma_s(d[i][2], d[j][2], l.fma_s(d[i][1], d[j][1], l.mul_s(d[i][0], d[j][0])))
}

/// The component of row a × row b that the columns p and q make.
#[inline(always)]
fn cross<L: Lanes>(l: L, d: &Short<L>, a: usize, b: usize, p: usize, q: usize) -> L::S {
    l.fms_s(d[a][p], d[b][q], l.mul_s(d[a][q], d[b][p]))
}

/// Turns as a fraction, minus the integer next to it.
#[inline(always)]
fn centered<L: Lanes>(l: L, x: L::F) -> L::F {
    let unit = l.splat(1.0 / L::TURN);
    l.fms(x, unit, l.round_product(x, unit))
}

/// Exchanges elements I and 2 where a mask holds.
#[inline(always)]
fn exchange<L: Lanes, const I: usize>(l: L, swap: L::N, x: &mut [L::S; 3]) {
    let (a, b) = (x[I], x[2]);
    (x[I], x[2]) = (l.select_s(swap, b, a), l.select_s(swap, a, b));
}

/// The boxes of the lanes: the basis, τ and ν, and how far integers may be below and above phases. The widest range is the last.
struct Boxes<L: Lanes> {
    tau: [L::S; 3],
    nu: [L::S; 3],
    below: [L::S; 3],
    above: [L::S; 3],
    /// where the ranges of rows 0 and 1 were wider than the last one, and were exchanged with it, one after the other
    swaps: [L::N; 2],
    /// whether lanes may look at points
    is_tame: L::N,
    /// the lengths of the rows, as sums of magnitudes and a little more, not in this order
    reach: [L::S; 3],
}

impl<L: Lanes> Boxes<L> {
    #[inline(always)]
    fn new(l: L, d: &Short<L>, determinant: L::S) -> Self {
        let zero = l.splat_s(0.0);
        let [mut tau, mut nu, mut below, mut above, mut width, mut reach] = [[zero; 3]; 6];
        for i in 0..3 {
            let (a, b) = ((i + 1) % 3, (i + 2) % 3);
            tau[i] = l.mul_s(cross(l, d, a, b, 2, 0), determinant);
            nu[i] = l.mul_s(cross(l, d, a, b, 0, 1), determinant);
            let (x, y, v) = (l.abs_s(d[i][0]), l.abs_s(d[i][1]), l.abs_s(d[i][2]));
            let r = l.fma_s(v, l.splat_s(1.0 + TOLERANCE), l.add_s(x, y));
            reach[i] = r;
            // half of what the parabola does not use of the box: of min(0.75·|τ|, |ν| + 0.25·|τ|, 2·|ν|)
            let part = l.mul_s(y, l.splat_s(0.125));
            let spared = l.min_s(l.mul_s(part, l.splat_s(3.0)), l.min_s(v, l.fma_s(v, l.splat_s(0.5), part)));
            let side = l.copysign_s(spared, d[i][2]);
            width[i] = l.fma_s(l.sub_s(r, spared), l.splat_s(1.0 + MARGIN), l.splat_s(MARGIN));
            (below[i], above[i]) = (l.sub_s(width[i], side), l.add_s(width[i], side));
        }
        let volume = l.mul_s(l.mul_s(reach[0], reach[1]), l.mul_s(reach[2], l.abs_s(determinant)));
        let [mut wide, mut tall] = [zero; 2];
        for i in 0..3 {
            let more = l.add_s(reach[i], l.splat_s(SLACK));
            wide = l.max_s(wide, l.mul_s(more, l.abs_s(tau[i])));
            tall = l.max_s(tall, l.mul_s(more, l.abs_s(nu[i])));
        }
        // a NaN that a maximum lost is in the volume, too
        let is_tame = l.both_s(
            l.le_s(volume, l.splat_s(LOOSEST)),
            l.both_s(l.le_s(wide, l.splat_s(WIDEST)), l.le_s(tall, l.splat_s(TALLEST))),
        );
        let first = l.le_s(width[2], width[0]);
        exchange::<L, 0>(l, first, &mut width);
        let second = l.le_s(width[2], width[1]);
        let mut boxes = Self { tau, nu, below, above, swaps: [first, second], is_tame, reach };
        boxes.tau = boxes.ordered(l, boxes.tau);
        boxes.nu = boxes.ordered(l, boxes.nu);
        boxes.below = boxes.ordered(l, boxes.below);
        boxes.above = boxes.ordered(l, boxes.above);
        boxes
    }

    /// In the order of these boxes.
    #[inline(always)]
    fn ordered(&self, l: L, mut x: [L::S; 3]) -> [L::S; 3] {
        exchange::<L, 0>(l, self.swaps[0], &mut x);
        exchange::<L, 1>(l, self.swaps[1], &mut x);
        x
    }

    /// Looks at a target's points; the lanes that this does not decide, and what the queue is to know of them.
    #[inline(always)]
    fn look(&self, l: L, phase: [L::S; 3], step: u32, target: usize) -> (L::N, Item<'_, L>) {
        let (zero, half, one) = (l.splat_s(0.0), l.splat_s(0.5), l.splat_s(1.0));
        let phase = self.ordered(l, phase);
        // the integers in [c − below, c + above], from the first on
        let [mut more, mut z] = [[zero; 3]; 2];
        for i in 0..3 {
            let first = l.round_product_s(l.add_s(l.sub_s(phase[i], self.below[i]), half), one);
            let last = l.round_product_s(l.sub_s(l.add_s(phase[i], self.above[i]), half), one);
            more[i] = l.sub_s(last, first);
            z[i] = l.sub_s(phase[i], first);
        }
        // false for NaN
        let is_empty = l.le_s(l.min_s(more[0], l.min_s(more[1], more[2])), l.splat_s(-0.5));
        let most = l.max_s(l.max_s(more[0], more[1]), l.sub_s(more[2], l.splat_s(2.0)));
        let fits = l.both_s(self.is_tame, l.le_s(most, one));
        // the point of the first integers, then 2·2·4 points
        let y = l.fma_s(z[2], self.tau[2], l.fma_s(z[1], self.tau[1], l.mul_s(z[0], self.tau[0])));
        let v = l.fma_s(z[2], self.nu[2], l.fma_s(z[1], self.nu[1], l.fms_s(z[0], self.nu[0], one)));
        let lines = Lines::new(l, self.tau[2], self.nu[2]);
        let (y0, v0) = (l.sub_s(y, self.tau[0]), l.sub_s(v, self.nu[0]));
        let (y1, v1) = (l.sub_s(y, self.tau[1]), l.sub_s(v, self.nu[1]));
        let (y2, v2) = (l.sub_s(y0, self.tau[1]), l.sub_s(v0, self.nu[1]));
        let (near, next) = (lines.nearest(l, y, v), lines.nearest(l, y0, v0));
        let (other, last) = (lines.nearest(l, y1, v1), lines.nearest(l, y2, v2));
        let best = l.min_s(l.min_s(near, next), l.min_s(other, last));
        let is_far = l.both_s(fits, l.le_s(l.splat_s(TOLERANCE), best));
        let flagged = l.not_s(l.either_s(is_far, is_empty));
        let Self { tau, nu, is_tame, .. } = self;
        (flagged, Item { step, target, z, tau, nu, more, is_tame: *is_tame })
    }
}

impl Kernel for Run<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        let Run { beginning, steps, targets, queue, end } = self;
        let (zero, one) = (l.splat(0.0), l.splat(1.0));
        let mut e = [[[zero; 3]; 3]; 2];
        let mut gain = [[l.splat_u(0); 3]; 2];
        let mut rate = [[[l.splat_u(0); 3]; 3]; 2];
        for g in 0..2 {
            for i in 0..3 {
                for c in 0..3 {
                    e[g][i][c] = l.load(&beginning.dual[g][i][c]);
                    rate[g][i][c] = l.load_u(&beginning.differences[g][i][c]);
                }
            }
        }
        let cubic = [l.load(&beginning.cubic[0]), l.load(&beginning.cubic[1])];
        let determinant = l.load_s(&beginning.determinant);
        let mut t: [Matrix<L>; 2] = [[[one, zero, zero], [zero, one, zero], [zero, zero, one]]; 2];
        let mut d = [[l.splat_s(0.0); 3]; 3];
        for i in 0..3 {
            for c in 0..3 {
                d[i][c] = l.narrow(e[0][i][c], e[1][i][c]);
            }
        }
        let mut sizes = [l.splat_s(0.0); 3];
        for i in 0..3 {
            let (x, y, v) = (l.abs_s(d[i][0]), l.abs_s(d[i][1]), l.abs_s(d[i][2]));
            sizes[i] = l.add_s(x, l.add_s(y, v));
        }
        let (mut operations, mut most) = plan(l, &d, 0.0, sizes);

        for step in 0..steps {
            let k = f64::from(step);
            operate(l, &mut t, &operations);
            // the dual basis, from T: the shear from window 0 is s = 8k + 1.5·cubic·k²
            let mut rows = e;
            for g in 0..2 {
                let shear = l.fma(l.splat(1.5 * k * k), cubic[g], l.splat(8.0 * k));
                for i in 0..3 {
                    rows[g][i][1] = l.fnma(shear, e[g][i][2], e[g][i][1]);
                }
                rows[g] = product(l, &t[g], &rows[g]);
            }
            for i in 0..3 {
                for c in 0..3 {
                    d[i][c] = l.narrow(rows[0][i][c], rows[1][i][c]);
                }
            }
            let boxes = Boxes::new(l, &d, determinant);
            // which operations the next window wants: while the points of this one are looked at
            let (next, size) = plan(l, &d, 8.0, boxes.reach);
            operations = next;
            most = l.max_s(most, size);
            for (target, start) in beginning.phases[..targets].iter().enumerate() {
                let mut phases = [[zero; 3]; 2];
                for g in 0..2 {
                    let mut own = [zero; 3];
                    for i in 0..3 {
                        own[i] = l.turns(l.add_u(gain[g][i], l.load_u(&start[g][i])));
                    }
                    for i in 0..3 {
                        let t = &t[g][i];
                        let sum = l.fma(t[2], own[2], l.fma(t[1], own[1], l.mul(t[0], own[0])));
                        phases[g][i] = centered(l, sum);
                    }
                }
                let [first, second] = phases;
                let mut phase = [l.splat_s(0.0); 3];
                for i in 0..3 {
                    phase[i] = l.narrow(first[i], second[i]);
                }
                let (flagged, item) = boxes.look(l, phase, step, target);
                queue.put(l, flagged, &item, &t);
            }
            for g in 0..2 {
                for i in 0..3 {
                    let [first, second, third] = rate[g][i];
                    gain[g][i] = l.add_u(gain[g][i], first);
                    rate[g][i] = [l.add_u(first, second), l.add_u(second, third), third];
                }
            }
            if queue.is_full() {
                queue.drain(l);
            }
        }
        queue.drain(l);
        for g in 0..2 {
            for i in 0..3 {
                for c in 0..3 {
                    l.store(t[g][i][c], &mut end.rows[g][i][c]);
                }
            }
        }
        l.store_s(most, &mut end.longest);
    }
}

/// The lane of the two vectors, as their number and the lane in it.
pub(super) const fn place(lane: usize, width: usize) -> (usize, usize) {
    (lane / width, lane % width)
}
