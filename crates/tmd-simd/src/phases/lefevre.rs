//! Lefèvre's test in lanes, with masks and with swap: TOMS 2016, Algorithms 1 and 3; PDP 2012,
//! Algorithms 1 and 2 (`tmd_core::exist::{lefevre_division, lefevre_swap}`, whose names and
//! invariants are used here).
//!
//! A lane's branch depends on where its b lies. *With masks* every turn computes both branches and
//! each lane keeps its own; *with swap* the variables p and q (u and v) are exchanged where the
//! branch changes, and the split is computed once.
//!
//! # Deviations from the papers
//!
//! 1. Those of the scalar forms: what is subtracted and compared while swapped, and the end of an
//!    orbit.
//! 2. The split's quotient must be exact here, as the next length is `p − (q mod p)`: a reciprocal
//!    gives one that is at most one too small, and one more subtraction where the rest is no
//!    smaller than the divisor corrects it (`crate::division`, also for LOGMS). A quotient of 2^26
//!    or more may be farther off, but it ends the test before its remainder is used, as all counts
//!    are at least 1.
//! 3. Runs of points that fall one after the other into b's interval are taken at once on either
//!    side (`tmd_core::exist::reductions`): with one point a turn, a vector would wait for the lane
//!    with the largest quotient, hundreds of turns. The number of turns taken at once may here be
//!    too small, which costs a turn, and it is not trimmed to N, which places more points: both are
//!    sound.
//! 4. A lane that is not decided after [`TURNS`] turns is not empty.
//!
//! Theorem E.20 of `proofs/Existence.v`: "empty" is true for all quotients that are taken so, huge
//! ones included (Theorem E.19 is the turn, the same with masks and with swap).

use super::kernel::{Floats, Masks, Test, TestBounds, UNIT, VECTORS};
use crate::division::Division;
use crate::lanes::Lanes;

/// Turns after which a lane counts as undecided.
const TURNS: u32 = 64;

/// Lefèvre's test, both branches under masks, with quotients of this kind.
#[derive(Clone, Copy, Debug)]
pub(super) struct Masked<D>(pub(super) D);

/// Lefèvre's test with swap, with quotients of this kind.
#[derive(Clone, Copy, Debug)]
pub(super) struct Swap<D>(pub(super) D);

/// What every lane of a vector knows.
#[derive(Clone, Copy)]
struct State<L: Lanes> {
    p: L::F,
    q: L::F,
    u: L::F,
    v: L::F,
    d: L::F,
    /// a point below ε″ was found
    holds: L::M,
    /// decided: none can be
    empty: L::M,
}

/// ε″ and N in all lanes.
#[derive(Clone, Copy)]
struct Limits<L: Lanes> {
    beyond: L::F,
    arguments: L::F,
}

impl<L: Lanes> Limits<L> {
    #[inline(always)]
    fn new(l: L, bounds: &TestBounds) -> Self {
        Self { beyond: l.splat(bounds.beyond), arguments: l.splat(bounds.arguments) }
    }
}

impl<L: Lanes> State<L> {
    /// Records the lanes of `these` whose d is below ε″.
    #[inline(always)]
    fn look(&mut self, l: L, these: L::M, limits: Limits<L>) {
        let inside = l.not(l.le(limits.beyond, self.d));
        self.holds = l.either(self.holds, l.both(l.both(these, inside), l.not(self.empty)));
    }

    /// Records the lanes that have no remainder or N points as empty, if they hold nothing.
    #[inline(always)]
    fn end(&mut self, l: L, rest: L::F, limits: Limits<L>) {
        let ends = l.either(l.le(rest, l.splat(0.0)), l.le(limits.arguments, l.add(self.u, self.v)));
        self.empty = l.either(self.empty, l.both(ends, l.not(self.holds)));
    }

    /// The lanes of `these` that are not decided.
    #[inline(always)]
    fn active(&self, l: L, these: L::M) -> L::M {
        l.both(these, l.not(l.either(self.holds, self.empty)))
    }
}

/// Turns that the lanes of `these` may take at once at the right of b: at most
/// `⌈(p − max(d, q))/q⌉`, 0 if that is not positive.
#[inline(always)]
fn at_right<L: Lanes, D: Division>(l: L, state: &State<L>, division: D, these: L::M) -> L::F {
    let State { p, q, d, .. } = *state;
    // lengths are multiples of the unit: ⌈x/q⌉ = ⌊(x − unit)/q⌋ + 1
    let excess = l.sub(l.sub(p, l.max(d, q)), l.splat(UNIT));
    let positive = l.le(l.splat(0.0), excess);
    let active = l.both(state.active(l, these), positive);
    let k = division.quotient(l, l.max(excess, l.splat(0.0)), division.divisor(l, q), active);
    l.select(positive, l.add(k, l.splat(1.0)), l.splat(0.0))
}

/// `y` raised by `s·x` in the lanes of `these`.
#[inline(always)]
fn raised<L: Lanes>(l: L, these: L::M, s: L::F, x: L::F, y: L::F) -> L::F {
    l.select(these, l.fma(s, x, y), y)
}

/// `y` lowered by `s·x` in the lanes of `these`.
#[inline(always)]
fn lowered<L: Lanes>(l: L, these: L::M, s: L::F, x: L::F, y: L::F) -> L::F {
    l.select(these, l.fnma(s, x, y), y)
}

/// One vector on its way through the configurations.
trait Reduction<L: Lanes>: Sized + Copy {
    fn start(l: L, a: L::F, b: L::F, limits: Limits<L>) -> Self;

    /// One turn; says which lanes are decided.
    fn turn<D: Division>(&mut self, l: L, limits: Limits<L>, division: D) -> L::M;

    fn empty(&self) -> L::M;
}

/// Walks on until every lane is decided.
#[inline(always)]
fn walk<L: Lanes, W: Reduction<L>>(
    l: L,
    a: &Floats<L>,
    b: &Floats<L>,
    bounds: &TestBounds,
    division: impl Division,
) -> Masks<L> {
    let (limits, division) = (Limits::new(l, bounds), division.up_to(bounds.arguments));
    let mut walks = [W::start(l, a[0], b[0], limits); VECTORS];
    for i in 1..VECTORS {
        walks[i] = W::start(l, a[i], b[i], limits);
    }
    for _ in 0..TURNS {
        let mut all = walks[0].turn(l, limits, division);
        for i in 1..VECTORS {
            all = l.both(all, walks[i].turn(l, limits, division));
        }
        if l.bits(l.not(all)) == 0 {
            break;
        }
    }
    let mut empty = [walks[0].empty(); VECTORS];
    for i in 1..VECTORS {
        empty[i] = walks[i].empty();
    }
    empty
}

impl<D: Division> Test for Masked<D> {
    #[inline(always)]
    fn empty<L: Lanes>(self, l: L, a: Floats<L>, b: Floats<L>, bounds: &TestBounds) -> Masks<L> {
        walk::<L, State<L>>(l, &a, &b, bounds, self.0)
    }
}

impl<D: Division> Test for Swap<D> {
    #[inline(always)]
    fn empty<L: Lanes>(self, l: L, a: Floats<L>, b: Floats<L>, bounds: &TestBounds) -> Masks<L> {
        walk::<L, Swapping<L>>(l, &a, &b, bounds, self.0)
    }
}

impl<L: Lanes> Reduction<L> for State<L> {
    #[inline(always)]
    fn start(l: L, a: L::F, b: L::F, limits: Limits<L>) -> Self {
        let one = l.splat(1.0);
        let (none, holds) = (l.le(one, l.splat(0.0)), l.not(l.le(limits.beyond, b)));
        Self { p: a, q: l.sub(one, a), u: one, v: one, d: b, holds, empty: none }
    }

    #[inline(always)]
    fn turn<D: Division>(&mut self, l: L, limits: Limits<L>, division: D) -> L::M {
        let one = l.splat(1.0);
        let in_q = l.le(self.p, self.d);
        let in_p = l.not(in_q);
        let by_p = division.divisor(l, self.p);

        // b in an interval of length q: the point at distance p, and those after it at b's left
        self.d = l.select(in_q, l.sub(self.d, self.p), self.d);
        let s = division.quotient(l, self.d, by_p, self.active(l, in_q));
        self.q = lowered(l, in_q, s, self.p, self.q);
        self.d = lowered(l, in_q, s, self.p, self.d);
        self.u = raised(l, in_q, s, self.v, self.u);
        self.look(l, in_q, limits);

        // the intervals that do not hold b: of length q in the lanes of `in_p`, of length p in the
        // others
        let (kq, rest_q) = division.divided(l, self.q, by_p, self.active(l, in_p));
        let (kp, rest_p) = division.divided(l, self.p, division.divisor(l, self.q), self.active(l, in_q));
        self.q = l.select(in_p, rest_q, self.q);
        self.u = raised(l, in_p, kq, self.v, self.u);
        self.p = l.select(in_q, rest_p, self.p);
        self.v = raised(l, in_q, kp, self.u, self.v);
        self.end(l, l.select(in_p, rest_q, rest_p), limits);

        // the interval that does, by one point, and those after it at b's right
        self.p = lowered(l, in_p, one, self.q, self.p);
        self.v = raised(l, in_p, one, self.u, self.v);
        self.q = lowered(l, in_q, one, self.p, self.q);
        self.u = raised(l, in_q, one, self.v, self.u);
        let s = at_right(l, self, division, in_p);
        self.p = lowered(l, in_p, s, self.q, self.p);
        self.v = raised(l, in_p, s, self.u, self.v);
        l.either(self.holds, self.empty)
    }

    #[inline(always)]
    fn empty(&self) -> L::M {
        self.empty
    }
}

/// The variables of a lane that may be swapped.
#[derive(Clone, Copy)]
struct Swapping<L: Lanes> {
    state: State<L>,
    swapped: L::M,
}

impl<L: Lanes> Reduction<L> for Swapping<L> {
    #[inline(always)]
    fn start(l: L, a: L::F, b: L::F, limits: Limits<L>) -> Self {
        let mut state = State::start(l, a, b, limits);
        let swapped = l.le(state.p, state.d);
        (state.p, state.q) = (l.select(swapped, state.q, state.p), l.select(swapped, state.p, state.q));
        Self { state, swapped }
    }

    #[inline(always)]
    fn turn<D: Division>(&mut self, l: L, limits: Limits<L>, division: D) -> L::M {
        let Self { state, swapped } = self;
        // while swapped: the point at distance q, and those after it at b's left
        state.d = l.select(*swapped, l.sub(state.d, state.q), state.d);
        let s = division.quotient(l, state.d, division.divisor(l, state.q), state.active(l, *swapped));
        state.p = lowered(l, *swapped, s, state.q, state.p);
        state.d = lowered(l, *swapped, s, state.q, state.d);
        state.v = raised(l, *swapped, s, state.u, state.v);
        state.look(l, *swapped, limits);

        // the intervals that do not hold b
        let all = l.either(*swapped, l.not(*swapped));
        let (k, rest) = division.divided(l, state.q, division.divisor(l, state.p), state.active(l, all));
        state.q = rest;
        state.u = l.fma(k, state.v, state.u);
        state.end(l, rest, limits);

        // the interval that does, by one point; while not swapped, those after it at b's right
        let unswapped = l.not(*swapped);
        state.p = l.sub(state.p, state.q);
        state.v = l.add(state.v, state.u);
        let s = at_right(l, state, division, unswapped);
        state.p = lowered(l, unswapped, s, state.q, state.p);
        state.v = raised(l, unswapped, s, state.u, state.v);

        // b is in the other interval now: d ≥ p unless swapped, d < q while swapped
        let leaves = l.both(unswapped, l.le(state.p, state.d));
        let returns = l.both(*swapped, l.not(l.le(state.q, state.d)));
        let change = l.either(leaves, returns);
        (state.p, state.q) = (l.select(change, state.q, state.p), l.select(change, state.p, state.q));
        (state.u, state.v) = (l.select(change, state.v, state.u), l.select(change, state.u, state.v));
        *swapped = l.either(l.both(*swapped, l.not(change)), leaves);
        l.either(state.holds, state.empty)
    }

    #[inline(always)]
    fn empty(&self) -> L::M {
        self.state.empty
    }
}
