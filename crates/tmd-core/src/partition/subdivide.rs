//! Pieces that do not fit an engine: halved as long as halves may fit, else searched by another
//! engine, the fallback.

use core::time::Duration;
use std::sync::Arc;

use super::Unfit;
use crate::{
    Backend, CoreError, Derived, Families, Interrupt, KernelTime, Piece, PieceOutcome, PiecePlan, candidates,
};

/// Parts shorter than this are not cut further to get around an inflection point: another engine
/// takes them …
const SHORT: u64 = 1 << 15;

/// … and neither are those that were halved so often: around a point of inflection they are a
/// vanishing share, and where the sign of the curvature is nowhere certain (an expression that is a
/// straight line in disguise) there is no end to it.
const MOST_CUTS: u32 = 12;

/// The same for a plan, which asks both halves.
const PLANNED_CUTS: u32 = 5;

/// An engine that may refuse a piece. It is a [`Backend`]: what it refuses is searched in halves
/// where halves may fit, else by its fallback.
pub trait PieceSearch: Sync {
    /// The backend's [`name`](Backend::name).
    fn label(&self) -> String;

    /// Searches a piece in one, or says why it cannot.
    fn search_whole(
        &self,
        piece: &Piece,
        interrupt: &Interrupt,
    ) -> Result<Result<PieceOutcome, CoreError>, Unfit>;

    /// How a piece would be searched in one, but for the engine's name; it refuses what
    /// [`search_whole`](Self::search_whole) refuses, for the same reason.
    fn plan_whole(&self, piece: &Piece) -> Result<PiecePlan, Unfit>;

    /// Who searches pieces that the engine refuses for this reason.
    fn fallback(&self, unfit: Unfit) -> Arc<dyn Backend + Send + Sync>;

    /// The backend's [`busy`](Backend::busy) time.
    fn busy_time(&self) -> Option<Duration> {
        None
    }

    /// The backend's [`families`](Backend::families).
    fn family_engine(&self) -> Option<Families> {
        None
    }
}

impl<E: PieceSearch> Backend for E {
    fn name(&self) -> String {
        self.label()
    }

    fn plan(&self, piece: &Piece) -> Result<PiecePlan, CoreError> {
        plan_from(self, piece, PLANNED_CUTS)
    }

    fn search(&self, piece: &Piece, interrupt: &Interrupt) -> Result<PieceOutcome, CoreError> {
        search_from(self, piece, shortest(piece), interrupt)
    }

    fn derive(&self, piece: &Piece) -> Result<Derived, CoreError> {
        derive_from(self, piece, shortest(piece))
    }

    fn busy(&self) -> Option<Duration> {
        self.busy_time()
    }

    fn families(&self) -> Option<Families> {
        self.family_engine()
    }
}

/// The shortest parts that a piece is cut into.
fn shortest(piece: &Piece) -> u64 {
    SHORT.max(piece.arguments() >> MOST_CUTS)
}

/// Adds what the second of two neighboring parts gave to what the first one did, which has
/// `arguments` arguments.
///
/// # Errors
/// [`CoreError::TooManyCandidates`], as for one piece.
pub fn join(outcome: &mut PieceOutcome, arguments: u64, second: &PieceOutcome) -> Result<(), CoreError> {
    outcome.candidates.extend(second.candidates.iter().map(|k| arguments + k));
    candidates::check(&outcome.candidates, arguments)?;
    outcome.phases.add(&second.phases);
    outcome.budget = outcome.budget.max(&second.budget);
    outcome.domain_size = outcome.domain_size.max(second.domain_size);
    KernelTime::add(&mut outcome.kernels, &second.kernels);
    Ok(())
}

/// The halves of a piece.
pub fn halves(piece: &Piece) -> Result<(Piece, Piece), CoreError> {
    let (middle, count) = (piece.arguments() / 2, piece.arguments());
    Ok((piece.part(0, middle)?, piece.part(middle, count - middle)?))
}

/// Parts of `shortest` arguments are not cut further.
fn search_from(
    engine: &impl PieceSearch,
    piece: &Piece,
    shortest: u64,
    interrupt: &Interrupt,
) -> Result<PieceOutcome, CoreError> {
    interrupt.check()?;
    let unfit = match engine.search_whole(piece, interrupt) {
        Ok(outcome) => return outcome,
        Err(unfit) => unfit,
    };
    if unfit == Unfit::CurvatureTooLarge || piece.arguments() <= shortest {
        return engine.fallback(unfit).search(piece, interrupt);
    }
    let (left, right) = halves(piece)?;
    let mut outcome = search_from(engine, &left, shortest, interrupt)?;
    join(&mut outcome, left.arguments(), &search_from(engine, &right, shortest, interrupt)?)?;
    Ok(outcome)
}

/// [`search_from`] without searching: an engine plans what it would search, and refuses the same.
fn derive_from(engine: &impl PieceSearch, piece: &Piece, shortest: u64) -> Result<Derived, CoreError> {
    let unfit = match engine.plan_whole(piece) {
        Ok(plan) => return Ok(plan.into()),
        Err(unfit) => unfit,
    };
    if unfit == Unfit::CurvatureTooLarge || piece.arguments() <= shortest {
        return Ok(Derived { has_fallback: true, ..engine.fallback(unfit).derive(piece)? });
    }
    let (left, right) = halves(piece)?;
    let (left, right) = (derive_from(engine, &left, shortest)?, derive_from(engine, &right, shortest)?);
    Ok(Derived {
        budget: left.budget.max(&right.budget),
        domain_size: left.domain_size.max(right.domain_size),
        has_fallback: left.has_fallback || right.has_fallback,
    })
}

/// Parts are cut at most `cuts` times.
fn plan_from(engine: &impl PieceSearch, piece: &Piece, cuts: u32) -> Result<PiecePlan, CoreError> {
    match engine.plan_whole(piece) {
        Ok(plan) => Ok(PiecePlan { engine: engine.label(), ..plan }),
        Err(Unfit::PieceTooLong) if piece.arguments() > SHORT => {
            // one half is like the other; asking both would ask for every part in the end
            let half = plan_from(engine, &halves(piece)?.0, cuts)?;
            Ok(PiecePlan { seconds: 2.0 * half.seconds, ..half })
        }
        Err(Unfit::Inflection) if piece.arguments() > SHORT && cuts > 0 => {
            let (left, right) = halves(piece)?;
            let (left, right) = (plan_from(engine, &left, cuts - 1)?, plan_from(engine, &right, cuts - 1)?);
            let seconds = left.seconds + right.seconds;
            let slower = if left.seconds >= right.seconds { left } else { right };
            Ok(PiecePlan { seconds, ..slower })
        }
        Err(unfit) => engine.fallback(unfit).plan(piece),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joined_outcomes() {
        let kernel = |invocations| KernelTime {
            name: "walk".into(),
            time: Duration::from_millis(invocations),
            invocations,
        };
        let outcome = |candidates: &[u64], domain_size, invocations| PieceOutcome {
            candidates: candidates.to_vec(),
            domain_size,
            kernels: vec![kernel(invocations)],
            ..PieceOutcome::default()
        };
        let mut whole = outcome(&[3, 99], 10, 2);
        join(&mut whole, 100, &outcome(&[0, 7], 20, 5)).unwrap();
        assert_eq!(whole.candidates, [3, 99, 100, 107]);
        assert_eq!((whole.domain_size, whole.kernels), (20, vec![kernel(7)]));
    }
}
