//! The three parts of what a domain takes: the walk to its slope ([`PairLanes::step`]), the two
//! lines ([`Basis::lines`]), and the nearest lattice points of these ([`Lines::record`]).
//!
//! With the names of [`kernel`](super::kernel), which puts them together and says what is exact.
//! Debug builds assert what the proofs use of each step, in the lanes that are `inside` the piece:
//! one bit per lane.
//!
//! Lemmas W.26 and W.27 of docs/proofs/walk.md.

use tmd_core::walk::contract::{COUNT_LIMIT, PairContract, Unit};

use super::kernel::{Constants, Pairs, RECORDS, Records};
use crate::lanes::Lanes;
use crate::tables::Tables;

/// What ρ may be: 1, less the rounding of ρ itself and of U·β.
pub(super) const MOST_RHO: f64 = 1.0 - 1.0 / (1u64 << 20) as f64;

/// The pairs of all lanes, and what their steps need.
pub(super) struct PairLanes<L: Lanes> {
    u: L::F,
    v: L::F,
    p: L::F,
    q: L::F,
    /// upper 52 bits of the slope that the pairs were moved to
    slope: L::U,
    /// M + 1/2
    order: L::F,
    /// N/2
    half_domain: L::F,
    half_width: L::F,
    /// crossings in a step
    most: u32,
}

impl<L: Lanes> PairLanes<L> {
    #[inline(always)]
    pub(super) fn new(l: L, constants: &Constants, pairs: &Pairs) -> Self {
        Self {
            u: l.load(&pairs.u),
            v: l.load(&pairs.v),
            p: l.load(&pairs.p),
            q: l.load(&pairs.q),
            slope: l.load_u(&pairs.slope),
            order: l.splat(constants.order + 0.5),
            half_domain: l.splat(constants.half_domain),
            half_width: l.splat(constants.half_width),
            // inside the piece 1.6·M + 1 crossings are enough (Lemma W.33); of lanes that go on
            // beyond it nothing is proved
            most: 3 * constants.order as u32 + 64,
        }
    }

    #[inline(always)]
    pub(super) fn store(self, l: L, pairs: &mut Pairs) {
        l.store(self.u, &mut pairs.u);
        l.store(self.v, &mut pairs.v);
        l.store(self.p, &mut pairs.p);
        l.store(self.q, &mut pairs.q);
        l.store_u(self.slope, &mut pairs.slope);
    }

    /// The lanes whose counts or lengths are out of the contract's bounds.
    #[inline(always)]
    pub(super) fn out_of_bounds(&self, l: L) -> u32 {
        let (one, longest) = (l.splat(1.0), l.splat(f64::from(PairContract::LANES.longest).next_down()));
        let is_count = |n| l.both(l.le(one, n), l.le(n, self.order)); // M + 1/2
        let is_length = |x| l.le(l.abs(x), longest);
        let holds =
            l.both(l.both(is_count(self.u), is_count(self.v)), l.both(is_length(self.p), is_length(self.q)));
        l.bits(l.not(holds))
    }

    /// The lanes in which the slope's step `delta` is longer than a contract allows: `M·δ`.
    #[inline(always)]
    fn step_out_of_bounds(&self, l: L, delta: L::F) -> u32 {
        let order = l.sub(self.order, l.splat(0.5));
        let longest = l.splat(PairContract::LANES.longest_step());
        l.bits(l.not(l.le(l.mul(order, l.abs(delta)), longest)))
    }

    /// The lanes in which a crossing breaks its contract: from `[u, v, q]`, by the quotient `k`, to
    /// the pair with the right neighbor `k·v − u` and its length.
    #[inline(always)]
    fn crossing_out_of_bounds(
        &self,
        l: L,
        [u, v, q]: [L::F; 3],
        k: L::F,
        [next, next_length]: [L::F; 2],
    ) -> u32 {
        let [one, limit] = [1.0, COUNT_LIMIT as f64].map(|x| l.splat(x));
        let longest = l.splat(f64::from(PairContract::LANES.longest).next_down());
        let sum = l.add(self.order, u); // M + u + 1/2
        let is_count = |n| l.both(l.le(one, n), l.le(n, self.order));
        let is_length = |x| l.le(l.abs(x), longest);
        let is_quotient = l.both(l.le(l.mul(k, v), sum), l.le(sum, limit));
        let are_counts = l.both(is_count(v), is_count(next));
        l.bits(l.not(l.both(l.both(is_quotient, are_counts), l.both(is_length(q), is_length(next_length)))))
    }

    /// Walks to the slope `a`, in a domain whose β is `b`, both 64-bit fractions.
    ///
    /// A step that leads past the right neighbor (`q ≤ 0`) is followed by one masked crossing. A
    /// second one is due in few lanes, and even then the pair often serves (`ρ < 1`): only if it
    /// does not, the pass is repeated. This keeps the branch predictable.
    #[inline(always)]
    pub(super) fn step(&mut self, l: L, a: L::U, b: L::U, inside: u32) -> Basis<L> {
        let Self { mut u, mut v, mut p, mut q, slope, order, half_domain, half_width, most } = *self;
        let (zero, condition) = (l.splat(0.0), l.splat(MOST_RHO));
        // where the slope moved, and the lengths with it: exact
        self.slope = l.and_u(a, l.splat_u(!0 << Unit::LANES.bits_below()));
        let delta = l.small_fraction(l.sub_u(self.slope, slope));
        debug_assert_eq!(self.step_out_of_bounds(l, delta) & inside, 0, "M·δ");
        p = l.fma(u, delta, p);
        q = l.fnma(v, delta, q);

        let (mut is_left, mut u_min, mut p_min, mut rho, mut stuck);
        let mut passes = 0;
        loop {
            // the next Farey interval where a lane is past its right neighbor: exact
            let k = l.floor_quotient(l.add(order, u), v);
            let past = l.le(q, zero);
            let (kv_u, p_kq) = (l.fms(k, v, u), l.fma(k, q, p));
            debug_assert_eq!(
                self.crossing_out_of_bounds(l, [u, v, q], k, [kv_u, p_kq]) & l.bits(past) & inside,
                0,
                "crossing {passes}"
            );
            p = l.select(past, l.sub(zero, q), p);
            q = l.select(past, p_kq, q);
            u = l.select(past, v, u);
            v = l.select(past, kv_u, v);

            // p may be a little below 0, where the slope stepped back behind the left neighbor:
            // nothing rests on its sign
            is_left = l.le(p, l.abs(q));
            (p_min, u_min) = (l.select(is_left, p, q), l.select(is_left, u, v));
            rho = l.fma(l.abs(p_min), half_domain, l.mul(u_min, half_width));
            stuck = l.not(l.le(rho, condition));
            passes += 1;
            if l.bits(l.both(stuck, l.le(q, zero))) == 0 || passes == most {
                break;
            }
        }
        (self.u, self.v, self.p, self.q) = (u, v, p, q);
        let (other_length, other_count) = (l.select(is_left, q, p), l.select(is_left, v, u));
        Basis { is_left, u_min, p_min, other_count, other_length, rho, stuck, beta: b }
    }
}

/// A domain's basis, the vector (U, P) with the smaller length first.
#[derive(Clone, Copy)]
pub(super) struct Basis<L: Lanes> {
    /// whether U and P are u and p, not v and q
    is_left: L::M,
    /// U
    u_min: L::F,
    /// P
    p_min: L::F,
    /// V
    other_count: L::F,
    /// Q
    other_length: L::F,
    rho: L::F,
    stuck: L::M,
    /// 64-bit fraction
    beta: L::U,
}

impl<L: Lanes> Basis<L> {
    /// That of no domain: nothing comes of it.
    #[inline(always)]
    pub(super) fn none(l: L) -> Self {
        let (zero, one) = (l.splat(0.0), l.splat(1.0));
        let stuck = l.le(one, zero);
        let rho = l.splat(-1.0); // no line is near enough
        let (u_min, other_count, other_length, beta) = (zero, zero, zero, l.splat_u(0));
        Self { is_left: stuck, u_min, p_min: one, other_count, other_length, rho, stuck, beta }
    }

    /// The lines `t = ⌊U·β⌋` and `t + 1`, and whether they are near enough.
    #[inline(always)]
    pub(super) fn lines(self, l: L, inside: u32) -> Lines<L> {
        let Self { is_left, u_min, p_min, other_count, other_length, rho, stuck, beta } = self;
        let one = l.splat(1.0);
        let beta = l.fraction(beta);
        let t = l.floor_product(u_min, beta);
        // ⌊U·β⌋ < U, or the next integer (Lemma W.27)
        debug_assert_eq!(l.bits(l.not(l.le(t, u_min))) & inside, 0, "t");
        let f = l.fms(u_min, beta, t); // exact
        let near = l.fnma(t, other_length, beta); // exact: β − t·Q
        Lines {
            is_left,
            u_min,
            p_min,
            other_count,
            other_length,
            beta,
            near,
            next: l.sub(near, other_length), // exact: β − (t + 1)·Q
            inverse: l.div(one, p_min),
            offset: l.mul(t, other_count), // exact
            relevant: l.le(l.min(f, l.sub(one, f)), rho),
            stuck,
        }
    }
}

/// The two lines of a domain.
#[derive(Clone, Copy)]
pub(super) struct Lines<L: Lanes> {
    is_left: L::M,
    u_min: L::F,
    p_min: L::F,
    other_count: L::F,
    other_length: L::F,
    /// β
    beta: L::F,
    /// β − t·Q
    near: L::F,
    /// β − (t + 1)·Q
    next: L::F,
    /// 1/P
    inverse: L::F,
    /// t·V
    offset: L::F,
    /// whether one of the lines is near enough
    relevant: L::M,
    stuck: L::M,
}

impl<L: Lanes> Lines<L> {
    /// Those of no domain: nothing comes of them. (Constants: with `Basis::none(l).lines(l)` AVX2
    /// is a tenth slower.)
    #[inline(always)]
    pub(super) fn none(l: L) -> Self {
        let zero = l.splat(0.0);
        let none = l.le(l.splat(1.0), zero);
        Self {
            is_left: none,
            u_min: zero,
            p_min: zero,
            other_count: zero,
            other_length: zero,
            beta: zero,
            near: zero,
            next: zero,
            inverse: zero,
            offset: zero,
            relevant: none,
            stuck: none,
        }
    }

    /// The nearest lattice point on each line, and in the next record what the lanes have for its
    /// enumeration. Returns the new number of records, one more only if a lane is flagged.
    #[inline(always)]
    pub(super) fn record(
        self,
        l: L,
        parabola: Parabola<L>,
        (step, inside): (u32, u32),
        recorded: usize,
        records: &mut Records,
    ) -> usize {
        let Self { is_left, u_min, p_min, other_count, other_length, .. } = self;
        let Self { beta, near, next, inverse, offset, relevant, stuck, .. } = self;
        let Parabola { half_domain, curvature, kappa, acceptance, dense } = parabola;
        let (s1, s2) = (l.round_product(near, inverse), l.round_product(next, inverse));
        let (e1, e2) = (l.fnma(s1, p_min, near), l.fnma(s2, p_min, next)); // exact: β − y
        // exact, as t·V is: integers
        let (x1, x2) = (l.fms(s1, u_min, offset), l.fms(s2, u_min, l.add(offset, other_count)));
        // |s| < 2^26 where |x| ≤ N/2 (Lemma W.27)
        let is_far = |s, x| l.both(l.le(l.abs(x), half_domain), l.le(l.splat(COUNT_LIMIT as f64), l.abs(s)));
        debug_assert_eq!(l.bits(l.either(is_far(s1, x1), is_far(s2, x2))) & inside, 0, "s");
        let g1 = l.fms(l.mul(curvature, x1), x1, l.add(kappa, e1));
        let g2 = l.fms(l.mul(curvature, x2), x2, l.add(kappa, e2));
        let hit = l.le(l.min_abs(g1, g2), acceptance);
        let is_dense = l.le(l.abs(p_min), dense);
        let flags = l.bits(l.either(stuck, l.both(relevant, l.either(hit, is_dense))));
        // every step writes, but only a flagged one stays: a branch would be mispredicted at each
        // flagged one
        let record = &mut records[recorded % RECORDS];
        l.store(u_min, &mut record.rows[0]);
        l.store(other_count, &mut record.rows[1]);
        l.store(p_min, &mut record.rows[2]);
        l.store(other_length, &mut record.rows[3]);
        l.store(beta, &mut record.rows[4]);
        (record.step, record.flags, record.is_left) = (step, flags, l.bits(is_left));
        recorded + usize::from(flags != 0)
    }
}

/// The parabolas of a run, and how far from an integer they may be.
#[derive(Clone, Copy)]
pub(super) struct Parabola<L: Lanes> {
    half_domain: L::F,
    curvature: L::F,
    kappa: L::F,
    acceptance: L::F,
    dense: L::F,
}

impl<L: Lanes> Parabola<L> {
    #[inline(always)]
    pub(super) fn new(l: L, constants: &Constants, tables: &Tables) -> Self {
        Self {
            half_domain: l.splat(constants.half_domain),
            curvature: l.load(&tables.curvature),
            kappa: l.load(&tables.kappa),
            acceptance: l.splat(constants.acceptance),
            dense: l.splat(constants.dense),
        }
    }
}
