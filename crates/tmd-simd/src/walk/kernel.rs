//! One run of domains in every lane: which of them must be enumerated.
//!
//! All fractions are multiples of 2^-52 ([`Unit::LANES`]) below 2 in `f64`, all counts integers up
//! to M, so that every fused operation marked *exact* in [`stages`](super::stages) has a
//! representable result: it is a multiple of 2^-52 of magnitude below 2, or an integer below 2^53.
//! Vectors have no types for the two: both are floats, and which it is a vector's name says.
//! What each step asks for and promises, with the bounds that are proved:
//! [`contract`](tmd_core::walk::contract).
//!
//! With the names of `tmd_core::contfrac::lattice`: the domain holds a case only if there is a
//! lattice point `s·e1 + t·e2` with `|x| ≤ N/2` and `|y − β| ≤ h`. Let `(U, P)` be the vector with
//! the smaller length, `(V, Q)` the other, `ρ = |P|·N/2 + U·h`. Then `|t − U·β| ≤ ρ`, and if
//! `ρ < 1` only `t = ⌊U·β⌋` and the next integer remain. If moreover `|P| > 2h`, only the `s`
//! nearest to `(β − t·Q)/P` remains on each, and its distance from the parabola is
//! `g = c·x² − κ − (β − y)`. A lane is *flagged*, that is enumerated exactly, if
//!
//! * one of the lines is near enough, `min(f, 1 − f) ≤ ρ` with `f = U·β − ⌊U·β⌋`, and either
//!   `|g| ≤ acc` on one of the two, most likely a candidate, or `|P| ≤ 2h` (*dense*); or
//! * `ρ < 1` does not hold (*stuck*), NaN included.
//!
//! Where the function is flat `|P|` is tiny, and every β has a point of a line next to it, mostly
//! far outside the domain: only ρ tells. The comparison with ρ in `f64` loses nothing: `f`, `1 − f`
//! and `|P|·N/2` are multiples of 2^-52 below 2, `U·h` is rounded from an h that is larger by a
//! relative 2^-40, and rounding their sum keeps its order to `f`, a number of `f64`.
//!
//! **Nothing about the walk is taken on trust** but `u·q + v·p = 1` and that `(u, p)`, `(−v, q)`
//! are lattice points, which every step and every crossing preserves exactly whatever the quotient
//! k. Whether the pair is a Farey pair of order M only decides how often `ρ < 1`.
//!
//! Machine-checked in `proofs/`: that a lane without a flag has no case, for any crossings and
//! either drift of the slope, is Theorem W.14 (with the two vectors exchanged, Theorem W.15), from
//! Theorem W.17 for one slope and Theorem W.16 for what a walk makes of a basis; the parabola's
//! half-width is Theorem W.20; that the fused operations are exact is Theorem F.2, for counts
//! Theorem F.3; the floor of AVX-512 is Theorem F.4, and a floor that is one too large Theorem W.8;
//! the places that lanes round to are Theorem F.6 and Theorem W.18. The contract of a pair is
//! asserted in debug builds, its bounds after each step, and `u·q + v·p = 1` after each run and for
//! each flagged domain: a determinant that was lost does not come back.
//!
//! **Three domains at once.** From a domain's basis to its flags it is some 60 cycles, one
//! operation waiting for the other, and a processor looks ahead over a hundred vector operations or
//! so, hardly more than one domain. So a domain is done in three parts, and each pass of the loop
//! does the last part of one domain, the second of the next one and the first of the one after
//! that: no part waits for another one of the same pass.

use tmd_core::{
    WalkPlan,
    contfrac::LatticeBasis,
    difftable::{Upper, power_of_two},
    walk::{
        MAX_DOMAIN,
        contract::{PairContract, Unit, Violation, max_order},
        units::Count,
    },
};

use super::stages::{Basis, Lines, PairLanes, Parabola};
use crate::lanes::{Kernel, Lanes, MAX_LANES, Row};
use crate::tables::Tables;

/// `2^52`: fractions are integers of this unit's inverse.
pub(super) const UNIT: f64 = power_of_two(Unit::LANES.bits() as i32);

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

impl Pairs {
    /// How a lane's pair of a walk of order `order` breaks the contract, if it does. That is what
    /// exactness asks for (Theorems F.2 and F.3 of `proofs/Doubles.v`).
    pub(crate) fn violation(&self, lane: usize, order: u64) -> Option<Violation> {
        let counts = [self.u[lane], self.v[lane]].map(Count);
        violation(counts, [self.p[lane], self.q[lane]].map(Length), order)
    }
}

/// A length, or β, as lanes have it: a float that is a multiple of 2^-52.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(transparent)]
pub(crate) struct Length(pub(crate) f64);

/// How a pair in floats breaks the lanes' contract, if it does.
pub(super) fn violation(counts: [Count<f64>; 2], lengths: [Length; 2], order: u64) -> Option<Violation> {
    let (counts, lengths) = (counts.map(|count| count.0), lengths.map(|length| length.0 * UNIT));
    let is_whole = |numbers: [f64; 2]| numbers.iter().all(|x| x.fract() == 0.0);
    if !is_whole(counts) {
        return Some(Violation::Count);
    }
    // casts of integers; what they saturate at is no length
    let ([u, v], [p, q]) = (counts.map(|x| x as i64), lengths.map(|x| x as i128));
    let pair = LatticeBasis { u, p, v, q, modulus: Unit::LANES.one() };
    if is_whole(lengths) { PairContract::LANES.violation(order, &pair) } else { Some(Violation::Length) }
}

/// What all domains of a part have in common.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Constants {
    /// N/2
    pub(crate) half_domain: f64,
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
    pub(crate) fn new(plan: WalkPlan, line: Upper, accepted: Upper) -> Self {
        // whatever is computed from these in f64 stays an upper bound
        let up = Upper::new(1.0 + power_of_two(-40));
        debug_assert!((2..=MAX_DOMAIN).contains(&plan.domain) && plan.domain.is_multiple_of(2), "{plan:?}");
        debug_assert!((1..=max_order(plan.domain)).contains(&plan.order), "{plan:?}");
        debug_assert!(accepted <= line && line.get() < 0.25, "{line:?}, {accepted:?}");
        let half_width = line * up;
        // a point within h on a line of lengths P > 2h·(1 + 2^-20) is off its place s by less than
        // P/2·(1 − 2^-21), and (β − t·Q)/P is known to 2^26·2^-51
        let dense = half_width * Upper::new(2.0 * (1.0 + power_of_two(-20))) + Unit::LANES.upper();
        Self {
            half_domain: (plan.domain / 2) as f64,
            order: plan.order as f64,
            half_width: half_width.get(),
            acceptance: (accepted * up).get(),
            dense: dense.get(),
        }
    }
}

/// A domain to be looked at exactly, with the pair and the β that the lane had.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Flagged {
    /// number of the domain in its lane's run
    pub(crate) step: u32,
    pub(crate) lane: u32,
    pub(crate) u: Count<f64>,
    pub(crate) v: Count<f64>,
    pub(crate) p: Length,
    pub(crate) q: Length,
    pub(crate) beta: Length,
}

impl Flagged {
    /// The pair as a basis of the lattice, lengths in units of 2^-52: exact, if it holds the
    /// contract.
    pub(crate) fn basis(&self) -> LatticeBasis {
        let [u, v] = [self.u, self.v].map(|count| count.0 as i64);
        let [p, q] = [self.p, self.q].map(|length| (length.0 * UNIT) as i128);
        LatticeBasis { u, p, v, q, modulus: Unit::LANES.one() }
    }
}

/// `steps` domains in every lane.
pub(crate) struct Run<'a> {
    pub(crate) constants: &'a Constants,
    pub(crate) tables: &'a Tables,
    pub(crate) pairs: &'a mut Pairs,
    pub(crate) steps: u32,
    /// how many of them hold arguments of the piece, in each lane: of those the contract is
    /// asserted, in debug builds; others do not ask
    pub(crate) inside: [u32; MAX_LANES],
    pub(crate) flagged: &'a mut Vec<Flagged>,
    /// whatever they hold: to make them anew takes longer than a short run
    pub(crate) records: &'a mut Records,
}

/// Records that are kept before they are flushed.
pub(super) const RECORDS: usize = 16;

/// The memory for as many.
pub(crate) type Records = [FlagRecord; RECORDS];

/// What the lanes had at a step, for those that are flagged; on cache lines of its own, or each of
/// its rows would be written to two.
#[repr(align(64))]
#[derive(Clone, Copy, Default)]
pub(crate) struct FlagRecord {
    /// U, V, P, Q and beta
    pub(super) rows: [Row<f64>; 5],
    /// number of the domain in its lanes' runs
    pub(super) step: u32,
    /// lanes that are flagged
    pub(super) flags: u32,
    /// lanes where U and P are u and p, not v and q
    pub(super) is_left: u32,
}

impl Kernel for Run<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        let Run { constants, tables, pairs, steps, inside, flagged, records } = self;
        let [mut b0, mut b1, mut b2, b3] = [0, 1, 2, 3].map(|k| l.load_u(&tables.beta[k]));
        let [mut a0, mut a1, a2] = [0, 1, 2].map(|k| l.load_u(&tables.slope[k]));
        let parabola = Parabola::new(l, constants, tables);
        let mut walk = PairLanes::new(l, constants, pairs);
        let (mut basis, mut lines) = (Basis::none(l), Lines::none(l));
        let mut recorded = 0;

        for step in 0..steps {
            let of = |before| {
                let step = step.wrapping_sub(before);
                (step, lanes_inside(inside, step))
            };
            recorded = lines.record(l, parabola, of(2), recorded, records);
            if recorded == RECORDS {
                flush(flagged, records);
                recorded = 0;
            }
            lines = basis.lines(l, of(1).1);
            basis = walk.step(l, a0, b0, of(0).1);
            debug_assert_eq!(walk.out_of_bounds(l) & of(0).1, 0, "step {step}");

            b0 = l.add_u(b0, b1);
            b1 = l.add_u(b1, b2);
            b2 = l.add_u(b2, b3);
            a0 = l.add_u(a0, a1);
            a1 = l.add_u(a1, a2);
        }
        // the last two domains
        let of = |before| {
            let step = steps.wrapping_sub(before);
            (step, lanes_inside(inside, step))
        };
        recorded = lines.record(l, parabola, of(2), recorded, records);
        flush(flagged, &records[..recorded]);
        recorded = basis.lines(l, of(1).1).record(l, parabola, of(1), 0, records);
        flush(flagged, &records[..recorded]);
        walk.store(l, pairs);
        for (lane, _) in
            inside.iter().enumerate().filter(|&(lane, &inside)| lane < L::WIDTH && inside == steps)
        {
            debug_assert_eq!(pairs.violation(lane, constants.order as u64), None, "lane {lane}: {pairs:?}");
        }
    }
}

/// The lanes whose domain at this step holds an argument of the piece; only debug builds ask.
#[inline(always)]
fn lanes_inside(inside: [u32; MAX_LANES], step: u32) -> u32 {
    if !cfg!(debug_assertions) {
        return 0;
    }
    let lanes = inside.iter().enumerate().filter(|&(_, &inside)| step < inside);
    lanes.map(|(lane, _)| 1 << lane).sum()
}

/// Lists the flagged lanes of the records.
#[inline(never)]
fn flush(flagged: &mut Vec<Flagged>, records: &[FlagRecord]) {
    for FlagRecord { rows, flags, is_left, step } in records {
        let mut flags = *flags;
        while flags != 0 {
            let lane = flags.trailing_zeros();
            let [mut u, mut v, mut p, mut q, beta] = rows.map(|row| row[lane as usize]);
            if is_left >> lane & 1 == 0 {
                (u, v, p, q) = (v, u, q, p);
            }
            let ([u, v], [p, q, beta]) = ([u, v].map(Count), [p, q, beta].map(Length));
            flagged.push(Flagged { step: *step, lane, u, v, p, q, beta });
            flags &= flags - 1;
        }
    }
}
