//! Consecutive windows in every lane: which of them must be enumerated.
//!
//! Proof in docs/proofs/lattice3.md, section 6. Theorem S.17 and Theorem S.18 of proofs/Lanes.v say
//! what an empty range and far points mean, by Theorem S.16 for a case's numbers, Lemma L.17 and
//! Theorem L.18 for the ranges, Theorem S.20 for the points.
//!
//! A lane begins with an exact dual basis (rows e) and phases. It keeps the integer matrix T of the
//! row operations made so far; in window k the dual basis is `T·e·S_k`, and phases are `T·C(k)`
//! (Lemma L.13), both computed from the beginning each time, so that nothing drifts. Operations on
//! T are exact: its entries stay below 2^53 (Theorem S.19, Lemma L.14), and its determinant is 1
//! (Theorem S.22). C(k) is a table of differences of 64-bit fractions.
//!
//! Two vectors of doubles walk together. What only chooses operations is computed in one vector of
//! singles for both: which row operations to make, on which no result depends, and where the points
//! of the box are.

use tmd_core::lattice3::TOLERANCE;

use super::{
    beginning::{Beginning, End},
    budget::{LOOSEST, MARGIN, SLACK, TALLEST, WIDEST},
    plan::{Plan, operate},
    queue::{Item, Lines, Queue},
};
use crate::lanes::{Kernel, Lanes, Row};

/// A bound of T, over that of a dual vector of length 1, above which singles may overflow: the
/// window is flagged.
const WILDEST: f32 = 1e12;

/// `steps` windows in every lane, for so many targets: two or more, or one.
pub(super) struct Run<'a, const TWO: bool> {
    pub(super) beginning: &'a Beginning,
    pub(super) steps: u32,
    pub(super) targets: usize,
    pub(super) queue: &'a mut Queue,
    pub(super) end: &'a mut End,
}

/// Three rows of three vectors.
pub(super) type Matrix<L> = [[<L as Lanes>::F; 3]; 3];

/// The same in singles.
pub(super) type Short<L> = [[<L as Lanes>::S; 3]; 3];

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

/// The boxes of the lanes: the basis, τ and ν, and how far integers may be below and above phases.
/// The widest range is the last.
pub(super) struct Boxes<L: Lanes> {
    pub(super) tau: [L::S; 3],
    pub(super) nu: [L::S; 3],
    below: [L::S; 3],
    above: [L::S; 3],
    /// where the ranges of rows 0 and 1 were wider than the last one, and were exchanged with it,
    /// one after the other
    swaps: [L::N; 2],
    /// whether lanes may look at points
    pub(super) is_tame: L::N,
}

/// What a row of the dual basis says of a box.
#[derive(Clone, Copy)]
pub(super) struct Side<L: Lanes> {
    below: L::S,
    above: L::S,
    width: L::S,
    reach: L::S,
}

impl<L: Lanes> Side<L> {
    #[inline(always)]
    pub(super) fn new(l: L, row: &[L::S; 3]) -> Self {
        let (x, y, v) = (l.abs_s(row[0]), l.abs_s(row[1]), l.abs_s(row[2]));
        let reach = l.fma_s(v, l.splat_s(1.0 + TOLERANCE), l.add_s(x, y));
        // half of what the parabola does not use of the box (lemma L.17): of min(0.75·|τ|, |ν| +
        // 0.25·|τ|, 2·|ν|)
        let part = l.mul_s(y, l.splat_s(0.125));
        let spared = l.min_s(l.mul_s(part, l.splat_s(3.0)), l.min_s(v, l.fma_s(v, l.splat_s(0.5), part)));
        let side = l.copysign_s(spared, row[2]);
        let width = l.fma_s(l.sub_s(reach, spared), l.splat_s(1.0 + MARGIN), l.splat_s(MARGIN));
        Self { below: l.sub_s(width, side), above: l.add_s(width, side), width, reach }
    }
}

/// A vector of the basis, τ and ν: row a × row b times the determinant.
#[inline(always)]
pub(super) fn vector<L: Lanes>(l: L, d: &Short<L>, a: usize, b: usize, determinant: L::S) -> (L::S, L::S) {
    (l.mul_s(cross(l, d, a, b, 2, 0), determinant), l.mul_s(cross(l, d, a, b, 0, 1), determinant))
}

impl<L: Lanes> Boxes<L> {
    #[inline(always)]
    pub(super) fn new(l: L, sides: &[Side<L>; 3], vectors: &[(L::S, L::S); 3], determinant: L::S) -> Self {
        let zero = l.splat_s(0.0);
        let [mut tau, mut nu, mut below, mut above, mut width] = [[zero; 3]; 5];
        let [mut wide, mut tall] = [zero; 2];
        let mut volume = l.abs_s(determinant);
        for i in 0..3 {
            (tau[i], nu[i]) = vectors[i];
            (below[i], above[i], width[i]) = (sides[i].below, sides[i].above, sides[i].width);
            let more = l.add_s(sides[i].reach, l.splat_s(SLACK));
            wide = l.max_s(wide, l.mul_s(more, l.abs_s(tau[i])));
            tall = l.max_s(tall, l.mul_s(more, l.abs_s(nu[i])));
            volume = l.mul_s(volume, sides[i].reach);
        }
        let is_tame = l.both_s(
            l.le_s(volume, l.splat_s(LOOSEST)),
            l.both_s(l.le_s(wide, l.splat_s(WIDEST)), l.le_s(tall, l.splat_s(TALLEST))),
        );
        let first = l.le_s(width[2], width[0]);
        exchange::<L, 0>(l, first, &mut width);
        let second = l.le_s(width[2], width[1]);
        let mut boxes = Self { tau, nu, below, above, swaps: [first, second], is_tame };
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

    /// Looks at a target's points; the lanes that this does not decide, and what the queue is to
    /// know of them.
    #[inline(always)]
    pub(super) fn look(&self, l: L, phase: [L::S; 3], step: u32, target: usize) -> Item<L> {
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
        Item { step, target, flagged, z, more }
    }
}

/// A target's phases at a window, in both T.
#[inline(always)]
fn phases<L: Lanes>(
    l: L,
    gain: &[[L::U; 3]; 2],
    start: &[[Row<u64>; 3]; 2],
    t: &[Matrix<L>; 2],
) -> [L::S; 3] {
    let zero = l.splat(0.0);
    let mut all = [[zero; 3]; 2];
    for g in 0..2 {
        let mut own = [zero; 3];
        for i in 0..3 {
            own[i] = l.turns(l.add_u(gain[g][i], l.load_u(&start[g][i])));
        }
        for i in 0..3 {
            let t = &t[g][i];
            all[g][i] = centered(l, l.fma(t[2], own[2], l.fma(t[1], own[1], l.mul(t[0], own[0]))));
        }
    }
    let [first, second] = all;
    [l.narrow(first[0], second[0]), l.narrow(first[1], second[1]), l.narrow(first[2], second[2])]
}

impl<const TWO: bool> Kernel for Run<'_, TWO> {
    type Output = ();

    #[expect(clippy::too_many_lines, reason = "one loop, in the order of its machine code")]
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
            sizes[i] = l.add_s(l.abs_s(d[i][0]), l.add_s(l.abs_s(d[i][1]), l.abs_s(d[i][2])));
        }
        let mut plan = Plan::new(l, &d, 0.0, sizes);
        let mut operations = [
            plan.pair::<0, 1, 2>(l),
            plan.pair::<1, 2, 0>(l),
            plan.pair::<0, 2, 1>(l),
            plan.pair::<0, 1, 2>(l),
            plan.pair::<1, 2, 0>(l),
            plan.pair::<0, 2, 1>(l),
        ];
        let mut most = plan.most(l);
        let [first, second] = [&beginning.phases[0], &beginning.phases[1]];

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
            // The operations that the next window wants, one waiting for the other, while the
            // points of this one are looked at. The order of these lines is that of the machine
            // code, more or less: without it processors wait a third of the time.
            let side_0 = Side::new(l, &d[0]);
            let side_1 = Side::new(l, &d[1]);
            let side_2 = Side::new(l, &d[2]);
            let mut plan = Plan::new(l, &d, 8.0, [side_0.reach, side_1.reach, side_2.reach]);
            let operation_0 = plan.pair::<0, 1, 2>(l);
            let vectors = [
                vector(l, &d, 1, 2, determinant),
                vector(l, &d, 2, 0, determinant),
                vector(l, &d, 0, 1, determinant),
            ];
            let operation_1 = plan.pair::<1, 2, 0>(l);
            let mut boxes = Boxes::new(l, &[side_0, side_1, side_2], &vectors, determinant);
            let operation_2 = plan.pair::<0, 2, 1>(l);
            let phase = phases(l, &gain, first, &t);
            let operation_3 = plan.pair::<0, 1, 2>(l);
            let mut one = boxes.look(l, phase, step, 0);
            let operation_4 = plan.pair::<1, 2, 0>(l);
            let mut two = one;
            if TWO {
                let phase = phases(l, &gain, second, &t);
                two = boxes.look(l, phase, step, 1);
            }
            let operation_5 = plan.pair::<0, 2, 1>(l);
            operations = [operation_0, operation_1, operation_2, operation_3, operation_4, operation_5];
            let size = plan.most(l);
            most = l.max_s(most, size);
            // If this holds, all numbers above are finite. The plan is made before what follows
            let is_calm = l.le_s(size, l.splat_s(WILDEST));
            boxes.is_tame = l.both_s(boxes.is_tame, is_calm);
            one.flagged = l.either_s(one.flagged, l.not_s(is_calm));
            two.flagged = l.either_s(two.flagged, l.not_s(is_calm));
            let flags = l.bits_s(l.either_s(one.flagged, two.flagged));
            if flags != 0 {
                queue.put(l, &one, &boxes, &t);
                if TWO {
                    queue.put(l, &two, &boxes, &t);
                }
            }
            if TWO {
                for (target, start) in beginning.phases[..targets].iter().enumerate().skip(2) {
                    let phase = phases(l, &gain, start, &t);
                    let item = boxes.look(l, phase, step, target);
                    queue.put(l, &item, &boxes, &t);
                }
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
