//! Consecutive windows in every lane: which of them need a second look, and for which target.
//!
//! Proof in docs/proofs/lattice3.md, section 6. A lane begins with an exact dual basis (rows e) and phases. It keeps the integer
//! matrix T of the row operations made so far; in window k the dual basis is `T·e·S^k`, and phases are `T·C(k)`, both computed from the
//! beginning each time, so that nothing drifts. Operations on T are exact: its entries stay below 2^53.

use crate::lanes::{Kernel, Lanes, MAX_LANES, Row};

/// Most targets.
pub(super) const MAX_TARGETS: usize = 2;

/// Longest vector whose box the lanes look at themselves.
pub(super) const LONGEST: f64 = 8.0;

/// Ranges beyond this are no ranges.
const ABSURD: f64 = 1024.0;

/// Ranges of coordinates are widened by this share, and by this.
pub(super) const MARGIN: f64 = 1.0 / 1024.0;

/// Where the lanes begin.
#[derive(Clone, Debug, Default)]
pub(super) struct Beginning {
    /// dual[i][c]: component c (x, τ, ν) of row i
    pub(super) dual: [[Row<f64>; 3]; 3],
    /// what its τ and ν lack
    pub(super) low: [[Row<f64>; 2]; 3],
    /// phases[target][i]
    pub(super) phases: [[Row<f64>; 3]; MAX_TARGETS],
    /// |det| of the basis
    pub(super) determinant: Row<f64>,
    /// what the third derivative adds to the value from window 0 to window k, times k^-3, in units of κ
    pub(super) cubic: Row<f64>,
}

/// A window to be looked at again.
#[derive(Clone, Copy, Debug)]
pub(super) struct Flagged {
    pub(super) step: u32,
    pub(super) lane: u32,
    /// the dual basis, and the phases
    pub(super) dual: [[f64; 3]; 3],
    pub(super) phases: [f64; 3],
}

/// `steps` windows in every lane.
pub(super) struct Run<'a, const TARGETS: usize> {
    pub(super) beginning: &'a Beginning,
    pub(super) steps: u32,
    /// a value nearer to an integer than this, in units of κ, is a hit; boxes are higher by it
    pub(super) tolerance: f64,
    pub(super) flagged: &'a mut Vec<Flagged>,
    /// per lane the largest |entry| of T that was in use, and by how much the operations of one window may have let them grow meanwhile
    pub(super) largest: &'a mut [Row<f64>; 2],
}

/// Three rows of three vectors.
type Matrix<L> = [[<L as Lanes>::F; 3]; 3];

/// One pair of rows: the longer one minus the integer multiple of the other that is best, if lengths are what G says; G follows.
///
/// Any integers q would do: no list depends on them. Returns `growth·(1 + |q|)`, by which entries of T may have grown.
#[inline(always)]
fn pair<L: Lanes, const I: usize, const J: usize, const K: usize>(
    l: L,
    t: &mut Matrix<L>,
    g: &mut Matrix<L>,
    growth: L::F,
) -> L::F {
    let (i, j, k) = (I, J, K);
    let zero = l.splat(0.0);
    let least = l.min(g[i][i], g[j][j]);
    let inverse = l.reciprocal(least);
    let q = l.round_product(g[i][j], inverse);
    let i_is_short = l.le(g[i][i], g[j][j]);
    // one of the two is 0
    let (of_j, of_i) = (l.select(i_is_short, zero, q), l.select(i_is_short, q, zero));
    for c in 0..3 {
        let (ti, tj) = (t[i][c], t[j][c]);
        t[i][c] = l.fnma(of_j, tj, ti);
        t[j][c] = l.fnma(of_i, ti, tj);
    }
    // row_i −= a·row_j: G_ii −= a·(2·G_ij − a·G_jj), G_ij −= a·G_jj, G_ik −= a·G_jk; and the other way
    let (gii, gjj, gij, gik, gjk) = (g[i][i], g[j][j], g[i][j], g[i][k], g[j][k]);
    let ij = l.fnma(of_i, gii, l.fnma(of_j, gjj, gij));
    g[i][i] = l.fnma(of_j, l.add(gij, ij), gii);
    g[j][j] = l.fnma(of_i, l.add(gij, ij), gjj);
    (g[i][j], g[j][i]) = (ij, ij);
    let (ik, jk) = (l.fnma(of_j, gjk, gik), l.fnma(of_i, gik, gjk));
    (g[i][k], g[k][i], g[j][k], g[k][j]) = (ik, ik, jk, jk);
    l.fma(growth, l.abs(q), growth)
}

/// Exchanges two vectors where a mask holds.
#[inline(always)]
fn exchange<L: Lanes>(l: L, swap: L::M, x: &mut L::F, y: &mut L::F) {
    let (a, b) = (*x, *y);
    *x = l.select(swap, b, a);
    *y = l.select(swap, a, b);
}

/// Puts row I last if its range is longer than that of row 2.
#[inline(always)]
fn last<L: Lanes, const I: usize, const TARGETS: usize>(
    l: L,
    r: &mut [L::F; 3],
    d: &mut Matrix<L>,
    phases: &mut [[L::F; 3]; TARGETS],
) {
    let swap = l.le(r[2], r[I]);
    let ([a, b], [p, q]) = (both::<_, I>(r), both::<_, I>(d));
    exchange(l, swap, a, b);
    for c in 0..3 {
        exchange(l, swap, &mut p[c], &mut q[c]);
    }
    for own in phases {
        let [a, b] = both::<_, I>(own);
        exchange(l, swap, a, b);
    }
}

/// Elements I and 2.
#[inline(always)]
fn both<T, const I: usize>(x: &mut [T; 3]) -> [&mut T; 2] {
    let [first, second, third] = x;
    [if I == 0 { first } else { second }, third]
}

/// ⟨row i, row j⟩
#[inline(always)]
fn dot<L: Lanes>(l: L, d: &Matrix<L>, i: usize, j: usize) -> L::F {
    l.fma(d[i][2], d[j][2], l.fma(d[i][1], d[j][1], l.mul(d[i][0], d[j][0])))
}

/// The component of row a × row b that the columns p and q make.
#[inline(always)]
fn cross<L: Lanes>(l: L, d: &Matrix<L>, a: usize, b: usize, p: usize, q: usize) -> L::F {
    l.fms(d[a][p], d[b][q], l.mul(d[a][q], d[b][p]))
}

/// The least |ν − 1 + 2τ²| of four points, a step (−τ2, −ν2) apart, and `best`; v is ν − 1.
#[inline(always)]
fn line<L: Lanes>(l: L, best: L::F, (y, v): (L::F, L::F), (tau, nu): (L::F, L::F)) -> L::F {
    let (double, twice) = (l.add(y, y), l.add(tau, tau));
    let bend = l.mul(twice, twice);
    let q0 = l.fma(double, y, v);
    // q(y − τ2, v − ν2) − q = −ν2 − 4·y·τ2 + 2·τ2²; second differences are 4·τ2²
    let by = l.fma(l.splat(0.5), bend, l.sub(l.splat(0.0), l.fma(double, twice, nu)));
    let q1 = l.add(q0, by);
    let by = l.add(by, bend);
    let q2 = l.add(q1, by);
    let q3 = l.add(q2, l.add(by, bend));
    l.min(l.min_abs(q0, q1), l.min(best, l.min_abs(q2, q3)))
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

/// x minus the integer next to it.
#[inline(always)]
fn centered<L: Lanes>(l: L, x: L::F) -> L::F {
    l.sub(x, l.round_product(x, l.splat(1.0)))
}

/// What phases of the first basis gain: −2k·τ + (8k² + cubic·k³)·ν mod 1, products of integers and doubles in two parts.
#[inline(always)]
fn gains<L: Lanes>(l: L, k: f64, cubic: L::F, e: &Matrix<L>, low: &[[L::F; 2]; 3]) -> [L::F; 3] {
    let zero = l.splat(0.0);
    let (back, rise, small) = (l.splat(-2.0 * k), l.splat(8.0 * k * k), l.mul(l.splat(k * k * k), cubic));
    let mut gain = [zero; 3];
    for i in 0..3 {
        let ([_, y, v], [y_low, v_low]) = (e[i], low[i]);
        let (p, q) = (l.mul(back, y), l.mul(rise, v));
        let rest = l.add(l.fms(back, y, p), l.fms(rise, v, q));
        let rest = l.fma(back, y_low, l.fma(rise, v_low, l.fma(small, v, rest)));
        gain[i] = l.add(l.add(centered(l, p), centered(l, q)), rest);
    }
    gain
}

/// Whether no case is in the box of the target: a coordinate's range is empty, or all points are far from the parabola.
#[inline(always)]
fn is_done<L: Lanes>(
    l: L,
    phase: &[L::F; 3],
    r: &[L::F; 3],
    tau: &[L::F; 3],
    nu: &[L::F; 3],
    is_short: L::M,
    near: L::F,
) -> L::M {
    let (zero, half, one) = (l.splat(0.0), l.splat(0.5), l.splat(1.0));
    // the integers in [c − r, c + r], from the first on
    let mut counts = [zero; 3];
    let mut z = [zero; 3];
    for i in 0..3 {
        let first = l.round_product(l.add(l.sub(phase[i], r[i]), half), one);
        let last = l.round_product(l.sub(l.add(phase[i], r[i]), half), one);
        counts[i] = l.sub(last, first);
        z[i] = l.sub(phase[i], first);
    }
    let is_empty = l.not(l.both(l.le(zero, counts[0]), l.both(l.le(zero, counts[1]), l.le(zero, counts[2]))));
    let fits = l.both(
        l.both(is_short, l.le(counts[2], l.splat(3.0))),
        l.both(l.le(counts[0], one), l.le(counts[1], one)),
    );
    // the point of the first integers, then 2·2·4 points
    let y = l.fma(z[2], tau[2], l.fma(z[1], tau[1], l.mul(z[0], tau[0])));
    let v = l.fma(z[2], nu[2], l.fma(z[1], nu[1], l.fms(z[0], nu[0], one)));
    let stride = (tau[2], nu[2]);
    let (y0, v0) = (l.sub(y, tau[0]), l.sub(v, nu[0]));
    let best = line(l, one, (y, v), stride);
    let best = line(l, best, (y0, v0), stride);
    let best = line(l, best, (l.sub(y, tau[1]), l.sub(v, nu[1])), stride);
    let best = line(l, best, (l.sub(y0, tau[1]), l.sub(v0, nu[1])), stride);
    let is_far = l.both(fits, l.le(near, best));
    l.either(l.both(is_empty, is_short), is_far)
}

impl<const TARGETS: usize> Kernel for Run<'_, TARGETS> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        let Run { beginning, steps, tolerance, flagged, largest } = self;
        let zero = l.splat(0.0);
        let one = l.splat(1.0);
        let (mut e, mut low) = ([[zero; 3]; 3], [[zero; 2]; 3]);
        for i in 0..3 {
            for c in 0..3 {
                e[i][c] = l.load(&beginning.dual[i][c]);
            }
            for c in 0..2 {
                low[i][c] = l.load(&beginning.low[i][c]);
            }
        }
        let mut begin = [[zero; 3]; TARGETS];
        for p in 0..TARGETS {
            for i in 0..3 {
                begin[p][i] = l.load(&beginning.phases[p][i]);
            }
        }
        let (cubic, determinant) = (l.load(&beginning.cubic), l.load(&beginning.determinant));
        let mut t: Matrix<L> = [[one, zero, zero], [zero, one, zero], [zero, zero, one]];
        let (mut most, mut multiple) = (one, one);
        let (widen, more) = (l.splat(1.0 + MARGIN), l.splat(MARGIN));
        let (near, tall) = (l.splat(tolerance), l.splat(1.0 + tolerance));

        for step in 0..steps {
            let k = f64::from(step);
            // the shear from window 0, s = 8k + 1.5·cubic·k², and how much the box's middle rises, 8k² + cubic·k³
            let shear = l.fma(l.splat(1.5 * k * k), cubic, l.splat(8.0 * k));
            let mut at = e;
            for i in 0..3 {
                at[i][1] = l.fnma(shear, e[i][2], e[i][1]);
            }
            let d = product(l, &t, &at);
            let (g01, g12, g02) = (dot(l, &d, 0, 1), dot(l, &d, 1, 2), dot(l, &d, 0, 2));
            let mut g =
                [[dot(l, &d, 0, 0), g01, g02], [g01, dot(l, &d, 1, 1), g12], [g02, g12, dot(l, &d, 2, 2)]];
            let growth = pair::<L, 0, 1, 2>(l, &mut t, &mut g, one);
            let growth = pair::<L, 1, 2, 0>(l, &mut t, &mut g, growth);
            let growth = pair::<L, 0, 2, 1>(l, &mut t, &mut g, growth);
            let growth = pair::<L, 0, 1, 2>(l, &mut t, &mut g, growth);
            let growth = pair::<L, 1, 2, 0>(l, &mut t, &mut g, growth);
            let growth = pair::<L, 0, 2, 1>(l, &mut t, &mut g, growth);
            multiple = l.max(multiple, growth);
            // from T again: what the lattice is does not depend on how G was rounded
            let mut d = product(l, &t, &at);
            for row in &t {
                for &entry in row {
                    most = l.max(most, l.abs(entry));
                }
            }
            // reaches: how far a coordinate of a point of the box is from the target's
            let mut r = [zero; 3];
            for i in 0..3 {
                let sum = l.fma(l.abs(d[i][2]), tall, l.add(l.abs(d[i][0]), l.abs(d[i][1])));
                r[i] = l.fma(sum, widen, more);
            }
            let gain = gains(l, k, cubic, &e, &low);
            let mut phases = [[zero; 3]; TARGETS];
            for p in 0..TARGETS {
                let start = begin[p];
                let mut own = [zero; 3];
                for i in 0..3 {
                    own[i] = centered(l, l.add(start[i], gain[i]));
                }
                for i in 0..3 {
                    let sum = l.fma(t[i][2], own[2], l.fma(t[i][1], own[1], l.mul(t[i][0], own[0])));
                    phases[p][i] = centered(l, sum);
                }
            }
            // the row of the longest range last; what is flagged gets the same order
            last::<L, 0, TARGETS>(l, &mut r, &mut d, &mut phases);
            last::<L, 1, TARGETS>(l, &mut r, &mut d, &mut phases);
            // the basis itself, τ and ν: cross products times the determinant, whose sign the rows have
            let [mut tau, mut nu] = [[zero; 3]; 2];
            for i in 0..3 {
                let (a, b) = ((i + 1) % 3, (i + 2) % 3);
                tau[i] = cross(l, &d, a, b, 2, 0);
                nu[i] = cross(l, &d, a, b, 0, 1);
            }
            // ⟨row_0, row_1 × row_2⟩ = ±1/|det|
            let triple =
                l.fma(d[0][2], nu[0], l.fma(d[0][1], tau[0], l.mul(d[0][0], cross(l, &d, 1, 2, 1, 2))));
            let scale = l.select(l.le(zero, triple), determinant, l.sub(zero, determinant));
            let mut long = zero;
            for i in 0..3 {
                (tau[i], nu[i]) = (l.mul(tau[i], scale), l.mul(nu[i], scale));
                long = l.max(long, l.max(l.abs(tau[i]), l.abs(nu[i])));
            }
            // NaN is neither
            let sum = l.add(l.add(r[0], r[1]), r[2]);
            let is_short = l.both(l.le(long, l.splat(LONGEST)), l.le(sum, l.splat(ABSURD)));
            for p in 0..TARGETS {
                let phase = &phases[p];
                let done = is_done(l, phase, &r, &tau, &nu, is_short, near);
                let flags = l.bits(l.not(done)) & ((1u32 << L::WIDTH) - 1);
                if flags != 0 {
                    note(l, flagged, flags, step, &d, phase);
                }
            }
        }
        l.store(most, &mut largest[0]);
        l.store(multiple, &mut largest[1]);
    }
}

#[inline(never)]
fn note<L: Lanes>(
    l: L,
    flagged: &mut Vec<Flagged>,
    mut flags: u32,
    step: u32,
    d: &Matrix<L>,
    phase: &[L::F; 3],
) {
    let mut rows = [[[0.0; MAX_LANES]; 3]; 3];
    let mut phases = [[0.0; MAX_LANES]; 3];
    for i in 0..3 {
        for c in 0..3 {
            l.store(d[i][c], &mut rows[i][c]);
        }
        l.store(phase[i], &mut phases[i]);
    }
    while flags != 0 {
        let lane = flags.trailing_zeros();
        let at = lane as usize;
        flagged.push(Flagged {
            step,
            lane,
            dual: rows.map(|row| row.map(|c| c[at])),
            phases: phases.map(|c| c[at]),
        });
        flags &= flags - 1;
    }
}
