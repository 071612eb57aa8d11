//! Flagged domains, exactly: which of their arguments are candidates.
//!
//! A vector of domains at a time where the lattice points of a box lie on two lines, which is
//! nearly always ([`Enumeration`]); by [`LatticeBasis::near`], in integers, where they may not
//! ([`points`]).
//!
//! [`LatticeBasis::near`]: tmd_core::contfrac::LatticeBasis::near

use tmd_core::walk::contract::MAX_ORDER;

use super::kernel::{self, Constants, Flagged, UNIT};
use super::stages::MOST_RHO;
use crate::lanes::{Kernel, Lanes, MAX_LANES, Row};
use crate::tables::Tables;

/// Parabolas within this of an integer are candidates: acc, and more than the roundings of g, each
/// below 2^-52 of h ≤ 1/2, but far less than what a candidate costs.
fn accepted(constants: &Constants) -> f64 {
    constants.acceptance * (1.0 + 1.0 / 1_048_576.0) + 4.0 / UNIT
}

/// Calls `found(x)` for every `x` with `|x| ≤ N/2` at which the flagged domain's parabola is within
/// acc of an integer; a point whose parabola is farther may be among them, an argument twice is
/// not.
pub(super) fn points(flagged: &Flagged, constants: &Constants, tables: &Tables, mut found: impl FnMut(i64)) {
    let lane = flagged.lane as usize;
    let (curvature, kappa, accepted) = (tables.curvature[lane], tables.kappa[lane], accepted(constants));
    near(flagged, constants, |x, off| {
        // as in lanes, bit by bit
        let (place, e) = (x as f64, -(off as f64) / UNIT);
        if (curvature * place).mul_add(place, -(kappa + e)).abs() <= accepted {
            found(x);
        }
    });
}

/// Calls `found(x, y − β)` for every lattice point of a flagged domain's box, lengths in units of
/// 2^-52: [`near`](tmd_core::contfrac::LatticeBasis::near) of its basis.
pub(super) fn near(flagged: &Flagged, constants: &Constants, mut found: impl FnMut(i64, i64)) {
    let Flagged { u, v, p, q, beta, .. } = *flagged;
    // any basis will do, of counts and lengths that a walk may have: the casts are exact
    debug_assert_eq!(kernel::violation([u, v], [p, q], MAX_ORDER), None, "{flagged:?}");
    let (beta, width) = ((beta.0 * UNIT) as i128, (constants.half_width * UNIT) as i128);
    // whole units are within h where they are within ⌊h⌋; y − β is no more than that
    let basis = flagged.basis();
    basis.near(beta, constants.half_domain as i64, width, |x, off| found(x, off as i64));
}

/// What [`points`] finds in a run's flagged domains, a vector of them at a time.
///
/// With ρ < 1 only the two lines next to `U·β` are near. On a line, `s` is within `N/(2 U)` of
/// `t·V/U` and within `h/|P|` of `(β − t·Q)/P`. These ranges are computed in `f64` and widened, so
/// that they hold what they should; what else they hold is seen by its x and y. The first has its
/// ends below 2^27 and is wider by 2^-10, which is more than its errors; errors of the second, of
/// any size, are below a relative 2^-51 of its middle and its radius. All else is exact as in the
/// lanes' walk (Lemmas W.26 and W.36 of docs/proofs/walk.md).
pub(super) struct Enumeration<'a> {
    pub(super) constants: &'a Constants,
    /// parabolas of the lanes
    pub(super) tables: &'a Tables,
    pub(super) flagged: &'a [Flagged],
    /// number of a flagged domain, and x
    pub(super) found: &'a mut Vec<(usize, i64)>,
    /// numbers of domains left to [`points`]: their points may lie on other lines than two, or many
    /// on one
    pub(super) left: &'a mut Vec<usize>,
}

/// Most places on a line that lanes look at: others wait for the lane that has most.
const PLACES: f64 = 64.0;

impl Kernel for Enumeration<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        let Self { constants, tables, flagged, found, left } = self;
        for (block, domains) in flagged.chunks(L::WIDTH).enumerate() {
            let first = block * L::WIDTH;
            let done = enumerate_block(l, constants, &Rows::new(domains, tables), |lane, x| {
                found.push((first + lane, x));
            });
            left.extend((0..domains.len()).filter(|lane| done >> lane & 1 == 0).map(|lane| first + lane));
        }
    }
}

/// Flagged domains side by side, and their parabolas; what is behind the last one has no basis.
#[derive(Default)]
#[repr(align(64))]
struct Rows {
    u: Row<f64>,
    v: Row<f64>,
    p: Row<f64>,
    q: Row<f64>,
    beta: Row<f64>,
    curvature: Row<f64>,
    kappa: Row<f64>,
}

impl Rows {
    #[inline(always)]
    fn new(domains: &[Flagged], tables: &Tables) -> Self {
        let mut rows = Self::default();
        for (k, domain) in domains.iter().enumerate().take(MAX_LANES) {
            let lane = domain.lane as usize;
            rows.u[k] = domain.u.0;
            rows.v[k] = domain.v.0;
            rows.p[k] = domain.p.0;
            rows.q[k] = domain.q.0;
            rows.beta[k] = domain.beta.0;
            rows.curvature[k] = tables.curvature[lane];
            rows.kappa[k] = tables.kappa[lane];
        }
        rows
    }
}

/// Calls `found(lane, x)` for the candidates of a vector of domains. Returns the lanes for which
/// this was done: where points lie on two lines, and not too many on one.
#[inline(always)]
fn enumerate_block<L: Lanes>(
    l: L,
    constants: &Constants,
    rows: &Rows,
    mut found: impl FnMut(usize, i64),
) -> u32 {
    let boxes = Boxes::new(l, constants, rows);
    // the lines t = ⌊U·β⌋ and t + 1
    let t = l.floor_product(boxes.u, boxes.beta);
    let offset = l.mul(t, boxes.v);
    let near = l.fnma(t, boxes.q, boxes.beta);
    let line1 = Line { offset, near };
    let line2 = Line { offset: l.add(offset, boxes.v), near: l.sub(near, boxes.q) };
    let (mut s1, last1) = boxes.places(l, line1);
    let (mut s2, last2) = boxes.places(l, line2);
    let most = l.splat(PLACES);
    let are_few = l.both(l.le(l.sub(last1, s1), most), l.le(l.sub(last2, s2), most));
    let is_done = l.both(boxes.is_regular(l), are_few);
    let one = l.splat(1.0);
    loop {
        let (active1, active2) = (l.both(is_done, l.le(s1, last1)), l.both(is_done, l.le(s2, last2)));
        if l.bits(l.either(active1, active2)) == 0 {
            break;
        }
        let (x1, bits1) = boxes.look(l, line1, s1, active1);
        let (x2, bits2) = boxes.look(l, line2, s2, active2);
        if bits1 | bits2 != 0 {
            let mut row = [Row::default(); 2];
            l.store(x1, &mut row[0]);
            l.store(x2, &mut row[1]);
            for lane in 0..L::WIDTH {
                if bits1 >> lane & 1 != 0 {
                    found(lane, row[0][lane] as i64);
                }
                if bits2 >> lane & 1 != 0 {
                    found(lane, row[1][lane] as i64);
                }
            }
        }
        (s1, s2) = (l.add(s1, one), l.add(s2, one));
    }
    l.bits(is_done)
}

/// A line of each domain.
#[derive(Clone, Copy)]
struct Line<L: Lanes> {
    /// t·V
    offset: L::F,
    /// β − t·Q
    near: L::F,
}

/// Bases and boxes of a vector of domains, the vector (U, P) with the smaller length first.
struct Boxes<L: Lanes> {
    /// whether U and P are u and p, not v and q
    is_left: L::M,
    u: L::F,
    p: L::F,
    v: L::F,
    q: L::F,
    beta: L::F,
    curvature: L::F,
    kappa: L::F,
    half_domain: L::F,
    half_width: L::F,
    accepted: L::F,
    /// 1/U and 1/P
    inverse: [L::F; 2],
}

impl<L: Lanes> Boxes<L> {
    #[inline(always)]
    fn new(l: L, constants: &Constants, rows: &Rows) -> Self {
        let (u, p) = (l.load(&rows.u), l.load(&rows.p));
        let (v, q) = (l.load(&rows.v), l.load(&rows.q));
        let is_left = l.le(l.abs(p), l.abs(q));
        let (u_min, p_min) = (l.select(is_left, u, v), l.select(is_left, p, q));
        let one = l.splat(1.0);
        Self {
            is_left,
            u: u_min,
            p: p_min,
            v: l.select(is_left, v, u),
            q: l.select(is_left, q, p),
            beta: l.load(&rows.beta),
            curvature: l.load(&rows.curvature),
            kappa: l.load(&rows.kappa),
            half_domain: l.splat(constants.half_domain),
            half_width: l.splat(constants.half_width),
            accepted: l.splat(accepted(constants)),
            inverse: [l.div(one, u_min), l.div(one, p_min)],
        }
    }

    /// Whether only two lines are near, ρ < 1, and their points have distances.
    #[inline(always)]
    fn is_regular(&self, l: L) -> L::M {
        let rho = l.fma(l.abs(self.p), self.half_domain, l.mul(self.u, self.half_width));
        l.both(l.le(rho, l.splat(MOST_RHO)), l.le(l.splat(1.0 / UNIT), l.abs(self.p)))
    }

    /// The first and the last place `s` on a line that may be in the box.
    #[inline(always)]
    fn places(&self, l: L, line: Line<L>) -> (L::F, L::F) {
        let Self { half_domain, half_width, inverse: [inverse_u, inverse_p], .. } = *self;
        let x_middle = l.mul(line.offset, inverse_u);
        let x_radius = l.fma(half_domain, inverse_u, l.splat(1.0 / 1024.0));
        let y_middle = l.mul(line.near, inverse_p);
        let y_radius = l.mul(half_width, l.abs(inverse_p));
        let y_radius = l.fma(l.add(l.abs(y_middle), y_radius), l.splat(4.0 / UNIT), y_radius);
        let low = l.max(l.sub(x_middle, x_radius), l.sub(y_middle, y_radius));
        let high = l.min(l.add(x_middle, x_radius), l.add(y_middle, y_radius));
        // nearest to a little below low + 1/2 and a little above high − 1/2: no more than ⌈low⌉, no
        // less than ⌊high⌋
        let (one, almost_half) = (l.splat(1.0), l.splat(0.5 - 1.0 / 1024.0));
        (l.round_product(l.add(low, almost_half), one), l.round_product(l.sub(high, almost_half), one))
    }

    /// x of the points at the places `s` of a line, and in which of the lanes `is_active` they are
    /// candidates.
    #[inline(always)]
    fn look(&self, l: L, line: Line<L>, s: L::F, is_active: L::M) -> (L::F, u32) {
        let x = l.fms(s, self.u, line.offset);
        let e = l.fnma(s, self.p, line.near); // β − y
        let g = l.fms(l.mul(self.curvature, x), x, l.add(self.kappa, e));
        let is_inside = l.both(l.le(l.abs(x), self.half_domain), l.le(l.abs(e), self.half_width));
        let is_found = l.both(l.both(is_active, is_inside), l.le(l.abs(g), self.accepted));
        (l.select(self.is_left, x, l.sub(l.splat(0.0), x)), l.bits(is_found))
    }
}
