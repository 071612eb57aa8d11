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
mod tests;

use std::time::{Duration, Instant};

use tmd_core::{
    CoreError, Interrupt, Phases, Piece, PieceOutcome, PiecePlan,
    contfrac::{FareyWalk, Rotation},
    difftable::power_of_two,
    partition::Unfit,
    scalar::{MAX_CANDIDATES, parabola::Window},
};

use crate::lanes::{Lanes, MAX_LANES};
use crate::tables::{LaneTables, Tables};
use enumerate::Curvature;
use kernel::{Constants, Flagged, Pairs, Run};
use layout::WalkLayout;

/// Searches a whole piece, or says why it cannot be walked.
pub(crate) fn search<L: Lanes>(
    lanes: L,
    piece: &Piece,
    domain: Option<u64>,
    interrupt: &Interrupt,
) -> Result<Result<PieceOutcome, CoreError>, Unfit> {
    let (layout, window) = prepare(piece, L::WIDTH as u64, domain)?;
    let budget = &layout.partition.budget;
    let constants = Constants::new(layout.plan, budget.test_half_width(), budget.exhaust_half_width());
    let walk = WalkSearch { lanes, piece, layout, constants, window, outcome: PieceOutcome::default() };
    Ok(walk.run(interrupt))
}

/// The layout of a walk, and the window of the piece's own half-width.
fn prepare(piece: &Piece, lanes: u64, domain: Option<u64>) -> Result<(WalkLayout, Window), Unfit> {
    let layout = WalkLayout::new(piece, lanes, domain)?;
    let window =
        Window::new(piece.half_width()).filter(|_| layout.is_valid()).ok_or(Unfit::CurvatureTooLarge)?;
    Ok((layout, window))
}

/// How a piece would be walked.
pub(crate) fn plan(piece: &Piece, lanes: u64, domain: Option<u64>) -> Result<PiecePlan, Unfit> {
    let (layout, _) = prepare(piece, lanes, domain)?;
    Ok(PiecePlan {
        engine: String::new(),
        domain_size: layout.plan.domain,
        run: layout.partition.run,
        order: Some(layout.plan.order),
        seconds: layout.plan.cost * piece.arguments() as f64 * 1e-9,
        budget: layout.partition.budget,
    })
}

/// A piece being walked.
struct WalkSearch<'a, L> {
    lanes: L,
    piece: &'a Piece,
    layout: WalkLayout,
    constants: Constants,
    /// of the piece's own half-width
    window: Window,
    outcome: PieceOutcome,
}

impl<L: Lanes> WalkSearch<'_, L> {
    fn run(mut self, interrupt: &Interrupt) -> Result<PieceOutcome, CoreError> {
        let layout = self.layout;
        let started = Instant::now();
        let mut outer = LaneTables::new(self.piece, &layout.partition, L::WIDTH);
        let mut tables = outer.inner();
        let mut pairs = self.pairs(&tables);
        let mut generating = started.elapsed();
        let (mut walking, mut enumerating) = (Duration::ZERO, Duration::ZERO);
        let mut flagged = Vec::new();
        let mut enumerated = 0;
        for run in 0..layout.partition.runs {
            interrupt.check()?;
            let started = Instant::now();
            self.lanes.run(Run {
                constants: &self.constants,
                tables: &tables,
                pairs: &mut pairs,
                steps: layout.partition.run as u32,
                flagged: &mut flagged,
            });
            let walked = Instant::now();
            debug_assert!(self.is_exact(run, &pairs), "Theorem F.2 does not apply to a pair of run {run}");
            for flagged in flagged.drain(..) {
                enumerated += 1;
                self.enumerate(run, &flagged, &tables)?;
            }
            let done = Instant::now();
            outer.step();
            tables = outer.inner();
            walking += walked - started;
            enumerating += done - walked;
            generating += done.elapsed();
        }
        let arguments_in = self.piece.arguments();
        let domains = arguments_in.div_ceil(layout.plan.domain);
        let Self { mut outcome, .. } = self;
        outcome.candidates.sort_unstable();
        let found = outcome.candidates.len() as u64;
        let mut phases = Phases::default();
        for (phase, domains_in, domains_out, time) in [
            (&mut phases.generate, domains, domains, generating),
            (&mut phases.test, domains, enumerated, walking),
            (&mut phases.exhaust, enumerated, found, enumerating),
        ] {
            (phase.domains_in, phase.domains_out, phase.time) = (domains_in, domains_out, time);
        }
        (phases.generate.arguments_in, phases.test.arguments_in) = (arguments_in, arguments_in);
        phases.exhaust.arguments_in = enumerated * layout.plan.domain;
        (outcome.phases, outcome.budget, outcome.domain_size) =
            (phases, layout.partition.budget, layout.plan.domain);
        Ok(outcome)
    }

    /// Whether all lanes that have not gone on beyond the piece in this run hold what exactness
    /// asks for.
    fn is_exact(&self, run: u64, pairs: &Pairs) -> bool {
        let Self { layout, piece, .. } = self;
        let is_inside = |lane| {
            let last = layout.partition.place(lane, run, layout.partition.run as u32 - 1);
            last.checked_mul(layout.plan.domain).is_some_and(|first| first < piece.arguments())
        };
        (0..L::WIDTH).all(|lane| !is_inside(lane) || pairs.is_exact(lane))
    }

    /// The pairs for the slopes of the first domains.
    fn pairs(&self, tables: &Tables) -> Pairs {
        let mut pairs = Pairs::default();
        for lane in 0..MAX_LANES {
            start_pair(&mut pairs, lane, tables.slope[0][lane], self.layout.plan.order);
        }
        pairs
    }

    /// Adds the candidates of a flagged domain of run number `run`.
    fn enumerate(&mut self, run: u64, flagged: &Flagged, tables: &Tables) -> Result<(), CoreError> {
        let Self { layout, piece, constants, window, outcome, .. } = self;
        let lane = flagged.lane as usize;
        let domain = layout.partition.place(lane, run, flagged.step);
        // the last lanes go on beyond the piece
        let Some(first) = domain.checked_mul(layout.plan.domain).filter(|&k| k < piece.arguments()) else {
            return Ok(());
        };
        let half = (layout.plan.domain / 2) as i64;
        let bend = Curvature { curvature: tables.curvature[lane], kappa: tables.kappa[lane] };
        enumerate::points(flagged, bend, constants, |x| {
            let inside = (-half..half).contains(&x); // x = N/2 belongs to the next domain
            let k = (first as i64 + half + x) as u64;
            if inside && k < piece.arguments() && crate::is_candidate(piece, k, *window) {
                outcome.candidates.push(k);
            }
        });
        if outcome.candidates.len() > MAX_CANDIDATES {
            return Err(CoreError::TooManyCandidates { limit: MAX_CANDIDATES, arguments: piece.arguments() });
        }
        Ok(())
    }
}

/// Puts the pair for this slope into its lane.
fn start_pair(pairs: &mut Pairs, lane: usize, slope: u64, order: u64) {
    let top = slope >> 12;
    #[expect(clippy::expect_used, reason = "a modulus of 2^52 and an order between 1 and 2^25 are valid")]
    let walk = Rotation::new(u128::from(top), 1 << 52)
        .and_then(|rotation| FareyWalk::new(rotation, order))
        .expect("a valid rotation and order");
    pairs.slope[lane] = top << 12;
    (pairs.u[lane], pairs.v[lane]) = (walk.u() as f64, walk.v() as f64);
    // lengths are at most 2^52 in these units: exact
    (pairs.p[lane], pairs.q[lane]) =
        (walk.p() as f64 * power_of_two(-52), walk.q() as f64 * power_of_two(-52));
}
