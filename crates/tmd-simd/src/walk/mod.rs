//! The Farey walk over a piece: one run of domains per lane, one lattice basis per lane, moved from
//! domain to domain.
//!
//! * [`layout`]: N and M; lanes, runs and the error budget as in
//!   [`partition`](tmd_core::partition);
//! * [`kernel`]: a run, and what it flags;
//! * [`stages`]: what a domain takes, in three parts, the walk to its slope first;
//! * [`enumerate`]: what the walk flags, exactly.
//!
//! Source: our own; proof in docs/proofs/walk.md, Theorem W.25.

mod enumerate;
mod kernel;
mod layout;
mod stages;
#[cfg(test)]
pub(crate) mod tests;

use std::time::{Duration, Instant};

use tmd_core::{
    Candidates, CoreError, Interrupt, Phases, Piece, PieceOutcome, PiecePlan,
    contfrac::{FareyWalk, Rotation},
    difftable::power_of_two,
    partition::Unfit,
    walk::contract::Unit,
};

use crate::lanes::{Lanes, MAX_LANES};
use crate::tables::{LaneTables, Tables};
use enumerate::Enumeration;
use kernel::{Constants, Flagged, Pairs, Records, Run};
pub use layout::CostTable;
use layout::WalkLayout;

/// Searches a whole piece, in the lanes of so many vectors, or says why it cannot be walked.
pub(crate) fn search<L: Lanes>(
    lanes: L,
    vectors: usize,
    piece: &Piece,
    domain: Option<u64>,
    costs: CostTable,
    interrupt: &Interrupt,
) -> Result<Result<PieceOutcome, CoreError>, Unfit> {
    if let Some(flat) = costs.flat(piece, domain) {
        return Ok(flat.search(piece, interrupt));
    }
    let (layout, candidates) = prepare(piece, (vectors * L::WIDTH) as u64, domain, costs)?;
    let budget = &layout.partition.budget;
    let constants = Constants::new(layout.plan, budget.test_half_width(), budget.exhaust_half_width());
    let walk = WalkSearch { lanes, vectors, piece, layout, constants, candidates };
    Ok(walk.run(interrupt))
}

/// The layout of a walk, and no candidates yet.
fn prepare(
    piece: &Piece,
    lanes: u64,
    domain: Option<u64>,
    costs: CostTable,
) -> Result<(WalkLayout, Candidates<'_>), Unfit> {
    let layout = WalkLayout::new(piece, lanes, domain, costs)?;
    let candidates = Candidates::new(piece).filter(|_| layout.is_valid());
    Ok((layout, candidates.ok_or(Unfit::CurvatureTooLarge)?))
}

/// How a piece would be walked.
pub(crate) fn plan(
    piece: &Piece,
    lanes: u64,
    domain: Option<u64>,
    costs: CostTable,
) -> Result<PiecePlan, Unfit> {
    if let Some(flat) = costs.flat(piece, domain) {
        return Ok(flat.plan(piece));
    }
    let (layout, _) = prepare(piece, lanes, domain, costs)?;
    Ok(layout.partition.plan(piece, Some(layout.plan.order), layout.plan.cost))
}

/// A piece being walked.
struct WalkSearch<'a, L> {
    lanes: L,
    /// that have a lane for each of the partition's, one after the other
    vectors: usize,
    piece: &'a Piece,
    layout: WalkLayout,
    constants: Constants,
    candidates: Candidates<'a>,
}

impl<L: Lanes> WalkSearch<'_, L> {
    fn run(mut self, interrupt: &Interrupt) -> Result<PieceOutcome, CoreError> {
        let layout = self.layout;
        let started = Instant::now();
        let mut outer = LaneTables::new(self.piece, &layout.partition, self.vectors * L::WIDTH);
        let mut tables = outer.inner();
        let mut pairs = self.pairs(&tables);
        let mut at = Instant::now();
        let mut generating = at - started;
        let (mut walking, mut enumerating) = (Duration::ZERO, Duration::ZERO);
        let (mut flagged, mut records) = (Flags::default(), Records::default());
        let mut enumerated = 0;
        for run in 0..layout.partition.runs {
            interrupt.check()?;
            for (vector, pairs) in pairs.iter_mut().enumerate() {
                let first = vector * L::WIDTH;
                let begun = flagged.domains.len();
                self.lanes.run(Run {
                    constants: &self.constants,
                    tables: &tables.starting_at(first),
                    pairs,
                    steps: layout.partition.run as u32,
                    inside: if cfg!(debug_assertions) { self.inside(run, first) } else { [0; MAX_LANES] },
                    flagged: &mut flagged.domains,
                    records: &mut records,
                });
                flagged.domains[begun..].iter_mut().for_each(|domain| domain.lane += first as u32);
            }
            let walked = Instant::now();
            enumerated += self.enumerate(run, &mut flagged, &tables)?;
            let done = Instant::now();
            outer.step();
            tables = outer.inner();
            walking += walked - at;
            enumerating += done - walked;
            // three looks at the clock, not four: each is a hundredth of a short run
            at = Instant::now();
            generating += at - done;
        }
        let domain_size = layout.plan.domain;
        let counts = [self.piece.arguments(), domain_size, enumerated, self.candidates.count()];
        Ok(PieceOutcome {
            candidates: self.candidates.into_sorted(),
            phases: Phases::of_walk(counts, [generating, walking, enumerating]),
            budget: layout.partition.budget,
            domain_size,
            kernels: Vec::new(),
        })
    }

    /// How many domains of each lane's run hold arguments of the piece, from the lane `first` on.
    fn inside(&self, run: u64, first: usize) -> [u32; MAX_LANES] {
        core::array::from_fn(|lane| self.layout.partition.steps_inside(self.piece, first + lane, run) as u32)
    }

    /// The pairs of each vector for the slopes of the first domains.
    fn pairs(&self, tables: &Tables) -> Vec<Pairs> {
        let of_vector = |vector| {
            let (mut pairs, tables) = (Pairs::default(), tables.starting_at(vector * L::WIDTH));
            for lane in 0..L::WIDTH {
                start_pair(&mut pairs, lane, tables.slope[0][lane], self.layout.plan.order);
            }
            pairs
        };
        (0..self.vectors).map(of_vector).collect()
    }

    /// Adds the candidates of the flagged domains of run number `run`, of which none are left.
    /// Returns how many there were, those outside the piece among them.
    fn enumerate(&mut self, run: u64, flags: &mut Flags, tables: &Tables) -> Result<u64, CoreError> {
        let Self { lanes, layout, piece, constants, candidates, .. } = self;
        let Flags { domains, first, found, left } = flags;
        let count = domains.len() as u64;
        // outside the piece nothing is known of a pair
        domains.retain(|Flagged { lane, step, .. }| {
            let argument = layout.partition.first_argument(piece, *lane as usize, run, *step);
            first.extend(argument);
            argument.is_some()
        });
        lanes.run(Enumeration { constants, tables, flagged: domains, found, left });
        let half = (layout.plan.domain / 2) as i64;
        for (number, x) in found.drain(..) {
            candidates.look_at_point(first[number], half, x);
        }
        for number in left.drain(..) {
            let look = |x| candidates.look_at_point(first[number], half, x);
            enumerate::points(&domains[number], constants, tables, look);
            candidates.check()?;
        }
        domains.clear();
        first.clear();
        candidates.check()?;
        Ok(count)
    }
}

/// What a run flags, and what comes of it; kept from run to run, as memory.
#[derive(Default)]
struct Flags {
    domains: Vec<Flagged>,
    /// first argument of each
    first: Vec<u64>,
    /// number of a domain, and x
    found: Vec<(usize, i64)>,
    /// numbers of domains that lanes left
    left: Vec<usize>,
}

/// Puts the pair for this slope into its lane.
fn start_pair(pairs: &mut Pairs, lane: usize, slope: u64, order: u64) {
    let below = Unit::LANES.bits_below();
    let top = slope >> below;
    #[expect(clippy::expect_used, reason = "a modulus of 2^52 and an order between 1 and 2^25 are valid")]
    let walk = Rotation::new(u128::from(top), Unit::LANES.one() as u128)
        .and_then(|rotation| FareyWalk::new(rotation, order))
        .expect("a valid rotation and order");
    pairs.slope[lane] = top << below;
    (pairs.u[lane], pairs.v[lane]) = (walk.u() as f64, walk.v() as f64);
    // lengths are at most 1, 2^52 units: exact
    let unit = power_of_two(-(Unit::LANES.bits() as i32));
    (pairs.p[lane], pairs.q[lane]) = (walk.p() as f64 * unit, walk.q() as f64 * unit);
    debug_assert_eq!(pairs.violation(lane, order), None, "{walk:?}");
}
