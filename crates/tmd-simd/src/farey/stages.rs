//! The three parts of what a domain takes: the walk to its slope ([`Walk::step`]), the two lines ([`Basis::lines`]), and the
//! nearest lattice points of these ([`Lines::mark`]).
//!
//! With the names of [`kernel`](super::kernel), which puts them together and says what is exact.

use super::kernel::{Constants, MARKS, Mark, Pairs};
use crate::lanes::Lanes;
use crate::tables::Tables;

/// What ρ may be: 1, less the rounding of ρ itself and of U·β.
pub(super) const CONDITION: f64 = 1.0 - 1.0 / (1u64 << 20) as f64;

/// The pairs of all lanes, and what their steps need.
pub(super) struct Walk<L: Lanes> {
    u: L::F,
    v: L::F,
    p: L::F,
    q: L::F,
    /// upper 52 bits of the slope that the pairs were moved to
    slope: L::U,
    /// M + 1/2
    order: L::F,
    /// N/2
    reach: L::F,
    half_width: L::F,
    /// crossings in a step
    most: u32,
}

impl<L: Lanes> Walk<L> {
    #[inline(always)]
    pub(super) fn new(l: L, constants: &Constants, pairs: &Pairs) -> Self {
        Self {
            u: l.load(&pairs.u),
            v: l.load(&pairs.v),
            p: l.load(&pairs.p),
            q: l.load(&pairs.q),
            slope: l.load_u(&pairs.slope),
            order: l.splat(constants.order + 0.5),
            reach: l.splat(constants.reach),
            half_width: l.splat(constants.half_width),
            // inside the piece 1.6·M + 1 crossings are enough (docs/algorithms.md); of lanes that go on beyond it nothing is proved
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

    /// Walks to the slope `a`, in a domain of height `b`, both 64-bit fractions.
    ///
    /// A step that leads past the right neighbor (`q ≤ 0`) is followed by one masked crossing. A second one is due in few lanes, and even
    /// then the pair often serves (`ρ < 1`): only if it does not, the pass is repeated. This keeps the branch predictable.
    #[inline(always)]
    pub(super) fn step(&mut self, l: L, a: L::U, b: L::U) -> Basis<L> {
        let Self { mut u, mut v, mut p, mut q, slope, order, reach, half_width, most } = *self;
        let (zero, condition) = (l.splat(0.0), l.splat(CONDITION));
        // where the slope moved, and the lengths with it: exact
        self.slope = l.and_u(a, l.splat_u(!0xfff));
        let delta = l.small_fraction(l.sub_u(self.slope, slope));
        p = l.fma(u, delta, p);
        q = l.fnma(v, delta, q);

        let (mut first, mut long, mut short, mut rho, mut stuck);
        let mut passes = 0;
        loop {
            // the next Farey interval where a lane is past its right neighbor: exact
            let k = l.floor_quotient(l.add(order, u), v);
            let past = l.le(q, zero);
            let (kv_u, p_kq) = (l.fms(k, v, u), l.fma(k, q, p));
            p = l.select(past, l.sub(zero, q), p);
            q = l.select(past, p_kq, q);
            u = l.select(past, v, u);
            v = l.select(past, kv_u, v);

            // p may be a little below 0, where the slope stepped back behind the left neighbor: nothing rests on its sign
            first = l.le(p, l.abs(q));
            (short, long) = (l.select(first, p, q), l.select(first, u, v));
            rho = l.fma(l.abs(short), reach, l.mul(long, half_width));
            stuck = l.not(l.le(rho, condition));
            passes += 1;
            if l.bits(l.both(stuck, l.le(q, zero))) == 0 || passes == most {
                break;
            }
        }
        (self.u, self.v, self.p, self.q) = (u, v, p, q);
        let (other_length, other_count) = (l.select(first, q, p), l.select(first, v, u));
        Basis { first, long, short, other_count, other_length, rho, stuck, height: b }
    }
}

/// A domain's basis, the vector (U, P) with the smaller length first.
#[derive(Clone, Copy)]
pub(super) struct Basis<L: Lanes> {
    /// whether U and P are u and p, not v and q
    first: L::M,
    /// U
    long: L::F,
    /// P
    short: L::F,
    /// V
    other_count: L::F,
    /// Q
    other_length: L::F,
    rho: L::F,
    stuck: L::M,
    /// 64-bit fraction
    height: L::U,
}

impl<L: Lanes> Basis<L> {
    /// That of no domain: nothing comes of it.
    #[inline(always)]
    pub(super) fn none(l: L) -> Self {
        let (zero, one) = (l.splat(0.0), l.splat(1.0));
        let stuck = l.le(one, zero);
        let rho = l.splat(-1.0); // no line is near enough
        let (long, other_count, other_length, height) = (zero, zero, zero, l.splat_u(0));
        Self { first: stuck, long, short: one, other_count, other_length, rho, stuck, height }
    }

    /// The lines `t = ⌊U·β⌋` and `t + 1`, and whether they are near enough.
    #[inline(always)]
    pub(super) fn lines(self, l: L) -> Lines<L> {
        let Self { first, long, short, other_count, other_length, rho, stuck, height } = self;
        let one = l.splat(1.0);
        let height = l.fraction(height);
        let t = l.floor_product(long, height);
        let f = l.fms(long, height, t); // exact
        let near = l.fnma(t, other_length, height); // exact: β − t·Q
        Lines {
            first,
            long,
            short,
            other_count,
            other_length,
            height,
            near,
            next: l.sub(near, other_length), // exact: β − (t + 1)·Q
            inverse: l.div(one, short),
            offset: l.mul(t, other_count), // exact
            relevant: l.le(l.min(f, l.sub(one, f)), rho),
            stuck,
        }
    }
}

/// The two lines of a domain.
#[derive(Clone, Copy)]
pub(super) struct Lines<L: Lanes> {
    first: L::M,
    long: L::F,
    short: L::F,
    other_count: L::F,
    other_length: L::F,
    /// β
    height: L::F,
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
    /// Those of no domain: nothing comes of them. (Constants: with `Basis::none(l).lines(l)` AVX2 is a tenth slower.)
    #[inline(always)]
    pub(super) fn none(l: L) -> Self {
        let zero = l.splat(0.0);
        let none = l.le(l.splat(1.0), zero);
        Self {
            first: none,
            long: zero,
            short: zero,
            other_count: zero,
            other_length: zero,
            height: zero,
            near: zero,
            next: zero,
            inverse: zero,
            offset: zero,
            relevant: none,
            stuck: none,
        }
    }

    /// The nearest lattice point on each line, and in the next mark what the lanes have for a second look. Returns the new number of
    /// marks, one more only if a lane is flagged.
    #[inline(always)]
    pub(super) fn mark(
        self,
        l: L,
        parabola: Parabola<L>,
        step: u32,
        marked: usize,
        marks: &mut [Mark; MARKS],
    ) -> usize {
        let Self { first, long, short, other_count, other_length, .. } = self;
        let Self { height, near, next, inverse, offset, relevant, stuck, .. } = self;
        let Parabola { curvature, kappa, acceptance, dense } = parabola;
        let (s1, s2) = (l.round_product(near, inverse), l.round_product(next, inverse));
        let (e1, e2) = (l.fnma(s1, short, near), l.fnma(s2, short, next)); // exact: β − y
        // exact, as t·V is: integers
        let (x1, x2) = (l.fms(s1, long, offset), l.fms(s2, long, l.add(offset, other_count)));
        let g1 = l.fms(l.mul(curvature, x1), x1, l.add(kappa, e1));
        let g2 = l.fms(l.mul(curvature, x2), x2, l.add(kappa, e2));
        let hit = l.le(l.min_abs(g1, g2), acceptance);
        let is_dense = l.le(l.abs(short), dense);
        let flags = l.bits(l.either(stuck, l.both(relevant, l.either(hit, is_dense))));
        // every step writes, but only a flagged one stays: a branch would be mispredicted at each flagged one
        let mark = &mut marks[marked % MARKS];
        l.store(long, &mut mark.rows[0]);
        l.store(other_count, &mut mark.rows[1]);
        l.store(short, &mut mark.rows[2]);
        l.store(other_length, &mut mark.rows[3]);
        l.store(height, &mut mark.rows[4]);
        (mark.step, mark.flags, mark.first) = (step, flags, l.bits(first));
        marked + usize::from(flags != 0)
    }
}

/// The parabolas of a run, and how far from an integer they may be.
#[derive(Clone, Copy)]
pub(super) struct Parabola<L: Lanes> {
    curvature: L::F,
    kappa: L::F,
    acceptance: L::F,
    dense: L::F,
}

impl<L: Lanes> Parabola<L> {
    #[inline(always)]
    pub(super) fn new(l: L, constants: &Constants, tables: &Tables) -> Self {
        Self {
            curvature: l.load(&tables.curvature),
            kappa: l.load(&tables.kappa),
            acceptance: l.splat(constants.acceptance),
            dense: l.splat(constants.dense),
        }
    }
}
