//! The regular test in lanes: TOMS 2016, Algorithm 4; SIMD 2016, Algorithm 3
//! (`tmd_core::exist::regular_unrolled`).
//!
//! ```text
//! p ← {a}; q ← 1; d ← {b}; u ← 0; v ← 1
//! while True
//!     k ← ⌊q/p⌋; q ← q − k·p; u ← u + k·v; d ← d mod p
//!     if u + v ≥ N then return d ≥ ε″
//!     k ← ⌊p/q⌋; p ← p − k·q; v ← v + k·u; if d ≥ p then d ← (d − p) mod q
//!     if u + v ≥ N then return d ≥ ε″
//! ```
//!
//! The lanes have nothing to diverge on but when they are done. A lane that is done goes on with
//! the others; its verdict was recorded, and d never grows, so that none is taken back.
//!
//! **Unconditional first steps.** Four quotients hardly ever make up N, so in the first two turns
//! nobody asks whether they do. A lane that is done earlier is seen to be done after the third: d
//! is no larger then than it was, so it may be undecided for that, and is never taken for empty for
//! it.
//!
//! # Deviations from the papers
//!
//! 1. The start (u, v) = (0, 1), for the printed (1, 0): Remark E.25; and ε″ is compared in every
//!    lane and turn.
//! 2. **Quotients from reciprocals** (and by subtraction where LOGMS asks for it, exact then:
//!    `crate::division`). One reciprocal serves the quotients of the length and of d. It is a
//!    little too small: k is never too large, and at most one too small while it is below 2^26.
//!    Such a k leads to an intermediate configuration of the same two lengths, and the next turn
//!    takes the rest: harmless. **But d is reduced exactly**, by one more subtraction where it is
//!    still no smaller than the length: what is not reduced is lost at the next step. (Theorem E.18
//!    of `proofs/Existence.v`, by Theorem E.17: "empty" is true for all quotients that are not too
//!    large, as long as d is reduced exactly.)
//! 3. **Huge quotients.** `⌊p/q⌋` is cut off at 2^25 ≥ N, which ends the test (u ≥ 1). So d − p is
//!    below 2^25·q, and its quotient is exact after the correction. In the first half d/p may be
//!    larger: then `⌊q/p⌋` is as well (or b was in an interval of length p, with d < p), the lane
//!    is done, and d was reduced by at least 2^26 − 1 of the points that fall from left to right:
//!    only the first N count (Theorem E.21).
//! 4. **The end of an orbit.** With q = 0 the quotient is cut off, which leaves p as it is and ends
//!    the test: all points are placed and d is the minimum. With p = 0 the arithmetic gives NaN for
//!    d or for the counts: the lane is not empty. So it is if a lane is not done after [`TURNS`]
//!    turns, as it would be if p = q and both quotients came out as 0, or `⌊1/p⌋` at the start.

//!
//! # The last quotient trimmed
//!
//! Next to a slope with a small denominator the last quotient k is huge, and with it the number of
//! points, up to (k+1)·N: a fifth of the domains of exp near 2^-10 fail for points beyond N alone.
//! [`Trimmed`] takes only as many rounds of a quotient as make up N, in both halves:
//!
//! * from the right the quotient itself is cut off at `⌈(N − u − v)/u⌉`, or one round more: a
//!   quotient that is too small, to which Theorem E.18 has no objection;
//! * from the left only d knows of the points: it is reduced by at most `t = ⌈(N − u − v)/v⌉`
//!   rounds, or one more, in the turn that ends the lane (Lemma E.29). That `u + v + t·v ≥ N` is
//!   verified, exactly, lane by lane.
//!
//! A verdict is recorded in the turn that ends a lane, and in no later one: there is nothing to
//! trim then. [`Retested`] is the papers' test, and the trimmed one where many of its lanes fail.

use super::kernel::{Floats, Masks, Test, TestBounds, VECTORS};
use crate::division::Division;
use crate::lanes::Lanes;

/// Turns of two quotients after which a lane counts as undecided. `u + v ≥ 2^24` takes 35 quotients
/// of at least 1, and one that came out too small by one takes two.
const TURNS: u32 = 40;

/// First turns without a test for the end, where quotients are even: hardly any lane ends there.
const FIRST: u32 = 2;

/// Quotients of this size end a test: 2^25, twice the largest N.
const LARGEST: f64 = (1u64 << 25) as f64;

/// The regular test, unrolled by two, with quotients of this kind.
#[derive(Clone, Copy, Debug)]
pub(super) struct Regular<D>(pub(super) D);

/// The same with the last quotient trimmed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Trimmed<D>(pub(super) D);

/// [`Regular`], and [`Trimmed`] where more than an eighth of a kernel's segments fail it: elsewhere
/// few fail, and for most of these the trimmed test has no other word.
#[derive(Clone, Copy, Debug)]
pub(super) struct Retested<D>(pub(super) D);

/// All segments are tested again if more than one in so many fails.
const FEW: u32 = 8;

/// Two lengths, their counts and the distance of four vectors of segments, and what is known of
/// them.
struct State<L: Lanes> {
    p: Floats<L>,
    q: Floats<L>,
    d: Floats<L>,
    u: Floats<L>,
    v: Floats<L>,
    done: Masks<L>,
    empty: Masks<L>,
}

impl<L: Lanes> State<L> {
    /// Both halves of a turn. In a turn that is not `CHECKED` nobody looks whether lanes are done.
    #[inline(always)]
    fn turn<D: Division, const CHECKED: bool>(&mut self, l: L, division: &D, bounds: &TestBounds) {
        let Self { p, q, d, u, v, done, empty } = self;
        let (arguments, beyond) = (l.splat(bounds.arguments), l.splat(bounds.beyond));
        let largest = l.splat(LARGEST);
        for i in 0..VECTORS {
            let (by, active) = (division.divisor(l, p[i]), l.not(done[i]));
            let k = division.quotient(l, q[i], by, active);
            q[i] = l.fnma(k, p[i], q[i]); // exact, as k ≤ q/p
            u[i] = l.fma(k, v[i], u[i]); // exact while below 2^53; beyond, as good as any number ≥ N
            (_, d[i]) = division.divided(l, d[i], by, active);
            if CHECKED {
                done[i] = l.le(arguments, l.add(u[i], v[i]));
                empty[i] = l.either(empty[i], l.both(done[i], l.le(beyond, d[i])));
            }
        }
        for i in 0..VECTORS {
            let (by, active) = (division.divisor(l, q[i]), l.not(done[i]));
            let k = l.min(division.quotient(l, p[i], by, active), largest);
            p[i] = l.fnma(k, q[i], p[i]); // exact
            v[i] = l.fma(k, u[i], v[i]);
            let reached = l.le(p[i], d[i]);
            let (_, rest) = division.divided(l, l.sub(d[i], p[i]), by, l.both(active, reached));
            d[i] = l.select(reached, rest, d[i]);
            if CHECKED {
                done[i] = l.le(arguments, l.add(u[i], v[i]));
                empty[i] = l.either(empty[i], l.both(done[i], l.le(beyond, d[i])));
            }
        }
    }

    /// The same with quotients trimmed.
    #[inline(always)]
    fn trimmed_turn<D: Division>(&mut self, l: L, division: &D, bounds: &TestBounds) {
        let Self { p, q, d, u, v, done, empty } = self;
        let (arguments, beyond) = (l.splat(bounds.arguments), l.splat(bounds.beyond));
        let largest = l.splat(LARGEST);
        for i in 0..VECTORS {
            let (by, active) = (division.divisor(l, p[i]), l.not(done[i]));
            let (points, t) = (l.add(u[i], v[i]), rounds(l, arguments, u[i], v[i], v[i]));
            let k = division.quotient(l, q[i], by, active);
            q[i] = l.fnma(k, p[i], q[i]);
            u[i] = l.fma(k, v[i], u[i]);
            let ends = l.both(active, l.le(arguments, l.add(u[i], v[i])));
            let (j, rest) = division.divided(l, d[i], by, active);
            // t ≤ ⌊d/p⌋: exact, and not negative
            let some = l.fnma(t, p[i], d[i]);
            let is_enough = l.both(l.le(t, j), l.le(arguments, l.fma(t, v[i], points)));
            d[i] = l.select(l.both(ends, is_enough), some, rest);
            empty[i] = l.either(empty[i], l.both(ends, l.le(beyond, d[i])));
            done[i] = l.either(done[i], ends);
        }
        for i in 0..VECTORS {
            let (by, active) = (division.divisor(l, q[i]), l.not(done[i]));
            let k = l.min(division.quotient(l, p[i], by, active), largest);
            let k = l.min(k, rounds(l, arguments, u[i], v[i], u[i]));
            p[i] = l.fnma(k, q[i], p[i]); // exact
            v[i] = l.fma(k, u[i], v[i]);
            let reached = l.le(p[i], d[i]);
            let (_, rest) = division.divided(l, l.sub(d[i], p[i]), by, l.both(active, reached));
            d[i] = l.select(reached, rest, d[i]);
            let ends = l.both(active, l.le(arguments, l.add(u[i], v[i])));
            empty[i] = l.either(empty[i], l.both(ends, l.le(beyond, d[i])));
            done[i] = l.either(done[i], ends);
        }
    }
}

/// So many rounds of `each` points that with them there are `arguments`: `⌈(N − u − v)/each⌉`, or
/// one more. Anything in lanes that have as many already.
#[inline(always)]
fn rounds<L: Lanes>(l: L, arguments: L::F, u: L::F, v: L::F, each: L::F) -> L::F {
    let (one, points) = (l.splat(1.0), l.add(u, v));
    // the quotient is the floor or one less: with one more it is the ceiling, or one round is
    // missing
    let k = l.add(l.quotient(l.sub(arguments, points), l.reciprocal(each)), one);
    l.select(l.le(arguments, l.fma(k, each, points)), k, l.add(k, one))
}

/// The state at the start of a test.
#[inline(always)]
fn start<L: Lanes>(l: L, a: Floats<L>, b: Floats<L>) -> State<L> {
    let (zero, one) = (l.splat(0.0), l.splat(1.0));
    let none = [l.le(one, zero); VECTORS];
    State { p: a, q: [one; VECTORS], d: b, u: [zero; VECTORS], v: [one; VECTORS], done: none, empty: none }
}

/// Whether all lanes are done.
#[inline(always)]
fn are_done<L: Lanes>(l: L, state: &State<L>) -> bool {
    let mut all = l.le(l.splat(0.0), l.splat(0.0));
    for done in state.done {
        all = l.both(all, done);
    }
    l.bits(l.not(all)) == 0
}

impl<D: Division> Test for Regular<D> {
    #[inline(always)]
    fn empty<L: Lanes>(self, l: L, a: Floats<L>, b: Floats<L>, bounds: &TestBounds) -> Masks<L> {
        let division = self.0.up_to(bounds.arguments);
        let mut state = start(l, a, b);
        let first = if D::EVEN { FIRST } else { 0 };
        for _ in 0..first {
            state.turn::<_, false>(l, &division, bounds);
        }
        for _ in first..TURNS {
            state.turn::<_, true>(l, &division, bounds);
            if are_done(l, &state) {
                break;
            }
        }
        state.empty
    }
}

impl<D: Division> Test for Trimmed<D> {
    #[inline(always)]
    fn empty<L: Lanes>(self, l: L, a: Floats<L>, b: Floats<L>, bounds: &TestBounds) -> Masks<L> {
        let division = self.0.up_to(bounds.arguments);
        let mut state = start(l, a, b);
        for _ in 0..TURNS {
            state.trimmed_turn(l, &division, bounds);
            if are_done(l, &state) {
                break;
            }
        }
        state.empty
    }
}

impl<D: Division> Test for Retested<D> {
    #[inline(always)]
    fn empty<L: Lanes>(self, l: L, a: Floats<L>, b: Floats<L>, bounds: &TestBounds) -> Masks<L> {
        let mut empty = Regular(self.0).empty(l, a, b, bounds);
        let mut failing = 0;
        for mask in empty {
            failing += l.bits(l.not(mask)).count_ones();
        }
        if failing * FEW > (VECTORS * L::WIDTH) as u32 {
            let trimmed = Trimmed(self.0).empty(l, a, b, bounds);
            for i in 0..VECTORS {
                empty[i] = l.either(empty[i], trimmed[i]);
            }
        }
        empty
    }
}
