//! One run of domains in every lane: the step of the Farey walk, and which domains need a second look.
//!
//! All fractions are multiples of 2^-52 below 2 in `f64`, all counts integers below 2^26, so that every fused operation
//! marked *exact* below has a representable result: it is a multiple of 2^-52 of magnitude below 2, or an integer. Why lengths
//! stay below 2 also where a pair lags behind the slope is shown in docs/algorithms.md, "Exactness in f64".
//!
//! With the names of `tmd_core::contfrac::lattice`: the domain holds a case only if there is a lattice point
//! `s·e1 + t·e2` with `|x| ≤ N/2` and `|y − β| ≤ h`. Let `(U, P)` be the vector with the smaller length, `(V, Q)` the
//! other, `ρ = |P|·N/2 + U·h`. Then `|t − U·β| ≤ ρ`, and if `ρ < 1` only `t = ⌊U·β⌋` and the next integer remain. If
//! moreover `|P| > 2h`, only the `s` nearest to `(β − t·Q)/P` remains on each, and its distance from the parabola is
//! `g = c·x² − κ − (β − y)`. A lane is *flagged*, that is looked at again exactly, if
//!
//! * one of the lines is near enough, `min(f, 1 − f) ≤ ρ` with `f = U·β − ⌊U·β⌋`, and either `|g| ≤ acc` on one of the two, most
//!   likely a candidate, or `|P| ≤ 2h` (*dense*); or
//! * `ρ < 1` does not hold (*stuck*), NaN included.
//!
//! Where the function is flat `|P|` is tiny, and every β has a point of a line next to it, mostly far outside the domain: only
//! ρ tells. The comparison with ρ in `f64` loses nothing: `f`, `1 − f` and `|P|·N/2` are multiples of 2^-52 below 2, `U·h`
//! is rounded from an h that is larger by a relative 2^-40, and rounding their sum keeps its order to `f`, a number of `f64`.
//!
//! **Nothing about the walk is taken on trust** but `u·q + v·p = 1` and that `(u, p)`, `(−v, q)` are lattice points, which
//! every step and every crossing preserves exactly whatever the quotient k. Whether the pair is a Farey pair of order
//! M only decides how often `ρ < 1`.
//!
//! **One crossing pass.** A step that leads past the right neighbor (`q ≤ 0`) is followed by one masked crossing. A
//! second one is due in few lanes, and even then the pair often serves (`ρ < 1`): only if it does not, the pass is
//! repeated. This keeps the branch predictable.

use tmd_core::{
    FareyPlan,
    difftable::{Upper, power_of_two},
};

use crate::lanes::{Kernel, Lanes, MAX_LANES, Row};
use crate::tables::Tables;

/// A Farey pair per lane and the slope it was last moved to.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Pairs {
    pub(crate) u: Row<f64>,
    pub(crate) v: Row<f64>,
    pub(crate) p: Row<f64>,
    pub(crate) q: Row<f64>,
    /// upper 52 bits of the slope
    pub(crate) slope: Row<u64>,
}

/// What all domains of a part have in common.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Constants {
    /// N/2
    pub(crate) reach: f64,
    /// M
    pub(crate) order: f64,
    /// h, rounded up
    pub(crate) half_width: f64,
    /// acc, rounded up
    pub(crate) acceptance: f64,
    /// lengths up to this are dense: a little above 2h
    pub(crate) dense: f64,
}

impl Constants {
    /// The constants of a plan with the half-widths h (`line`) and acc (`accepted`).
    pub(crate) fn new(plan: FareyPlan, line: Upper, accepted: Upper) -> Self {
        // whatever is computed from these in f64 stays an upper bound
        let up = Upper::new(1.0 + power_of_two(-40));
        let half_width = line * up;
        // a point within h on a line of lengths P > 2h·(1 + 2^-20) is off its place s by less than P/2·(1 − 2^-21), and
        // (β − t·Q)/P is known to 2^26·2^-51
        let dense = half_width * Upper::new(2.0 * (1.0 + power_of_two(-20))) + Upper::power_of_two(-52);
        Self {
            reach: (plan.domain / 2) as f64,
            order: plan.order as f64,
            half_width: half_width.get(),
            acceptance: (accepted * up).get(),
            dense: dense.get(),
        }
    }
}

/// A domain to be looked at exactly, with the pair and the height that the lane had.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Flagged {
    /// number of the domain in its lane's run
    pub(crate) step: u32,
    pub(crate) lane: u32,
    pub(crate) u: f64,
    pub(crate) v: f64,
    pub(crate) p: f64,
    pub(crate) q: f64,
    pub(crate) height: f64,
}

/// What ρ may be: 1, less the rounding of ρ itself and of U·β.
pub(crate) const CONDITION: f64 = 1.0 - 1.0 / (1u64 << 20) as f64;

/// `steps` domains in every lane.
pub(crate) struct Run<'a> {
    pub(crate) constants: &'a Constants,
    pub(crate) tables: &'a Tables,
    pub(crate) pairs: &'a mut Pairs,
    pub(crate) steps: u32,
    pub(crate) flagged: &'a mut Vec<Flagged>,
}

impl Kernel for Run<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        let Run { constants, tables, pairs, steps, flagged } = self;
        let [mut b0, mut b1, mut b2, b3] = [0, 1, 2, 3].map(|k| l.load_u(&tables.height[k]));
        let [mut a0, mut a1, a2] = [0, 1, 2].map(|k| l.load_u(&tables.slope[k]));
        let (c, kappa) = (l.load(&tables.curvature), l.load(&tables.kappa));
        let (mut u, mut v) = (l.load(&pairs.u), l.load(&pairs.v));
        let (mut p, mut q) = (l.load(&pairs.p), l.load(&pairs.q));
        let mut slope = l.load_u(&pairs.slope);

        let (zero, one) = (l.splat(0.0), l.splat(1.0));
        let order = l.splat(constants.order + 0.5);
        let (reach, half_width) = (l.splat(constants.reach), l.splat(constants.half_width));
        let (acceptance, dense) = (l.splat(constants.acceptance), l.splat(constants.dense));
        let condition = l.splat(CONDITION);
        let top = l.splat_u(!0xfff);
        // inside the piece 1.2·M + 10 crossings are enough (docs/algorithms.md); lanes that go on beyond it might need any number
        let most = 3 * constants.order as u32 + 64;

        for step in 0..steps {
            // where the slope moved, and the lengths with it: exact
            let next = l.and_u(a0, top);
            let delta = l.small_fraction(l.sub_u(next, slope));
            slope = next;
            p = l.fma(u, delta, p);
            q = l.fnma(v, delta, q);

            let (mut long, mut short, mut length, mut other_count, mut other_length, mut rho, mut stuck);
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

                // p ≥ 0, as slopes only grow; were it negative, ρ would tell
                let first = l.le(p, l.abs(q));
                (short, long) = (l.select(first, p, q), l.select(first, u, v));
                (other_length, other_count) = (l.select(first, q, p), l.select(first, v, u));
                length = l.abs(short);
                rho = l.fma(length, reach, l.mul(long, half_width));
                stuck = l.not(l.le(rho, condition));
                passes += 1;
                if l.bits(l.both(stuck, l.le(q, zero))) == 0 || passes == most {
                    break;
                }
            }

            // the two lines, and on each the nearest lattice point
            let height = l.fraction(b0);
            let t = l.floor_product(long, height);
            let f = l.fms(long, height, t); // exact
            let near = l.fnma(t, other_length, height); // exact: β − t·Q
            let next_line = l.sub(near, other_length); // exact: β − (t + 1)·Q
            let inverse = l.div(one, short);
            let (s1, s2) = (l.round_product(near, inverse), l.round_product(next_line, inverse));
            let (e1, e2) = (l.fnma(s1, short, near), l.fnma(s2, short, next_line)); // exact: β − y
            let tv = l.mul(t, other_count); // exact, as x below: integers
            let (x1, x2) = (l.fms(s1, long, tv), l.fms(s2, long, l.add(tv, other_count)));
            let g1 = l.fms(l.mul(c, x1), x1, l.add(kappa, e1));
            let g2 = l.fms(l.mul(c, x2), x2, l.add(kappa, e2));
            let hit = l.le(l.min_abs(g1, g2), acceptance);
            let is_dense = l.le(length, dense);
            let relevant = l.le(l.min(f, l.sub(one, f)), rho);
            let flags = l.bits(l.either(stuck, l.both(relevant, l.either(hit, is_dense))));
            if flags != 0 {
                let mut rows = [[0.0; MAX_LANES]; 5];
                for (row, x) in rows.iter_mut().zip([u, v, p, q, height]) {
                    l.store(x, row);
                }
                note(flagged, flags, step, &rows);
            }

            b0 = l.add_u(b0, b1);
            b1 = l.add_u(b1, b2);
            b2 = l.add_u(b2, b3);
            a0 = l.add_u(a0, a1);
            a1 = l.add_u(a1, a2);
        }

        l.store(u, &mut pairs.u);
        l.store(v, &mut pairs.v);
        l.store(p, &mut pairs.p);
        l.store(q, &mut pairs.q);
        l.store_u(slope, &mut pairs.slope);
    }
}

/// Notes the lanes whose bits are set.
#[inline(never)]
fn note(flagged: &mut Vec<Flagged>, mut flags: u32, step: u32, rows: &[Row<f64>; 5]) {
    while flags != 0 {
        let lane = flags.trailing_zeros();
        let [u, v, p, q, height] = rows.map(|row| row[lane as usize]);
        flagged.push(Flagged { step, lane, u, v, p, q, height });
        flags &= flags - 1;
    }
}
