//! [`Via`]: what is searched in place of the function's own arguments: breakpoints of the inverse,
//! or cells of a family; or how its cases follow without a search; and `Task`, a search of any of
//! these.

use std::{iter, sync::Mutex, time::Instant};

use tmd_core::{ArgumentRange, Breakpoints, CoreError, Interrupt, Number, Problem, difftable::power_of_two};
use tmd_functions::Function;

use crate::{
    DriverError, Observer, Outcome, Progress, Search, Workers,
    congruence::CongruenceVia,
    family::{FamilyVia, FamilyWorkers},
    inverse::InverseVia,
    parallel,
    search::{MAX_CASES, outcome::Findings},
};

/// What a range stands for that is not searched as the function's own arguments.
#[derive(Clone, Debug, PartialEq)]
pub enum Via {
    /// Breakpoints, over which the inverse function is searched.
    Inverse(InverseVia),
    /// Cells of the circle, in which the turns of a family's arguments are.
    Family(FamilyVia),
    /// The function's own arguments, whose cases follow from congruences.
    Congruences(CongruenceVia),
}

impl Via {
    /// The search of the inverse function, if it is one.
    pub fn inverse(&self) -> Option<&InverseVia> {
        match self {
            Self::Inverse(via) => Some(via),
            Self::Family(_) | Self::Congruences(_) => None,
        }
    }

    /// The family, if it is one.
    pub fn family(&self) -> Option<&FamilyVia> {
        match self {
            Self::Family(via) => Some(via),
            Self::Inverse(_) | Self::Congruences(_) => None,
        }
    }
}

impl Via {
    /// The arguments that a range of cells counts as, for progress; of breakpoints as many as they
    /// are.
    pub(crate) fn weight(&self, range: &ArgumentRange) -> u128 {
        let Self::Family(via) = self else { return range.count().into() };
        let arguments: u128 = via.arguments.iter().map(|range| u128::from(range.count())).sum();
        (arguments * u128::from(range.count()) / u128::from(via.cells.max(1))).max(1)
    }
}

/// In a few words, without spaces at the ends: units of the same words and cells are the same.
impl std::fmt::Display for Via {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        crate::certificate::ViaRecord::from(self).fmt(f)
    }
}

/// What is to be searched: f over its arguments, g over f's breakpoints, or f over the arguments
/// with some turns.
#[derive(Clone, Copy)]
pub(crate) struct Task<'a> {
    pub(crate) function: &'a dyn Function,
    pub(crate) problem: &'a Problem,
    /// arguments of the function that is searched, or cells
    pub(crate) range: ArgumentRange,
    pub(crate) via: Option<&'a Via>,
}

impl Task<'_> {
    /// The problem of the function that is searched.
    fn searched(&self) -> Result<Problem, DriverError> {
        self.via.and_then(Via::inverse).map_or(Ok(*self.problem), |via| via.problem(self.problem))
    }

    /// The breakpoints of the function that is searched.
    pub(crate) fn breakpoints(&self) -> Breakpoints {
        let is_inverse = self.via.and_then(Via::inverse).is_some();
        if is_inverse { Breakpoints::Directed } else { self.problem.breakpoints() }
    }

    /// The search of f or g, whose interval plays no role.
    pub(crate) fn search<'b>(&'b self, workers: Workers<'b>) -> Result<Search<'b>, DriverError> {
        let function = self.via.and_then(Via::inverse).map_or(self.function, |via| &via.function);
        Ok(Search { function, from: 0.into(), to: 0.into(), problem: self.searched()?, workers })
    }

    /// Searches. What is found is said of f, whichever function is searched; counts and budgets are
    /// of that one.
    pub(crate) fn run(
        &self,
        workers: Workers,
        observer: &dyn Observer,
        interrupt: &Interrupt,
    ) -> Result<Outcome, DriverError> {
        match self.via {
            None => self.search(workers)?.run_over(&[self.range], observer, interrupt),
            Some(Via::Inverse(via)) if via.is_listed() => self.list(via, &workers, observer, interrupt),
            Some(Via::Inverse(via)) => {
                let decide = |y| via.decide(self.function, self.problem, y);
                self.search(workers)?.run_deciding(&[self.range], &decide, observer, interrupt)
            }
            Some(Via::Congruences(via)) => {
                via.run(self.function, self.problem, &self.range, observer, interrupt)
            }
            Some(Via::Family(via)) => {
                let (families, threads) = workers.families().ok_or(DriverError::NoBackend)?;
                let arguments = self.via.map_or(0, |via| via.weight(&self.range));
                let unit =
                    arguments as f64 / (self.range.count() as f64 * power_of_two(self.range.exponent()));
                let swept = Mutex::new(0.0);
                let told = |length: f64| {
                    let mut swept = swept.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                    *swept += length;
                    // the end is told when it is there
                    let searched = (*swept * unit).min(arguments as f64 - 1.0) as u128;
                    observer.progress(Progress { searched, arguments, cases: 0 });
                };
                let engine = families.engine.as_ref();
                let family_workers = FamilyWorkers { engine, threads, has_fallback: workers.has_fallback() };
                let found =
                    via.run(self.function, self.problem, &self.range, family_workers, &told, interrupt)?;
                let failures = found.backends.iter().filter_map(|share| share.reason.as_ref());
                // without a fallback it ends the search, which tells it: this unit was just done
                let is_told = workers.has_fallback() && found.failure.is_none();
                failures.filter(|_| is_told).for_each(|failure| observer.failed(failure));
                if !found.is_partial() {
                    observer.progress(Progress { searched: arguments, arguments, cases: found.cases.len() });
                }
                Ok(found)
            }
        }
    }

    /// Lists the arguments next to the breakpoints of the range.
    fn list(
        &self,
        via: &InverseVia,
        workers: &Workers,
        observer: &dyn Observer,
        interrupt: &Interrupt,
    ) -> Result<Outcome, DriverError> {
        let started = Instant::now();
        let arguments = u128::from(self.range.count());
        let breakpoints: Vec<Number> = (0..self.range.count()).map(|k| self.range.argument(k)).collect();
        let lists = parallel::map(workers.threads(), &breakpoints, |y| {
            interrupt.check()?;
            via.list(self.function, self.problem, *y)
        })?;
        let mut outcome = Outcome::new(arguments, iter::empty());
        for verdicts in lists {
            match verdicts {
                Ok(verdicts) => outcome.add(1, Findings::of(verdicts)),
                Err(DriverError::Core(CoreError::Interrupted)) => {}
                Err(error) => return Err(error),
            }
            if outcome.is_too_long() {
                return Err(DriverError::TooManyFound { limit: MAX_CASES });
            }
        }
        outcome.sort();
        outcome.elapsed = started.elapsed();
        observer.progress(Progress { searched: outcome.searched, arguments, cases: outcome.cases.len() });
        Ok(outcome)
    }

    /// Pieces and budgets of the search, without searching; `dry` makes those of searches of f and
    /// g, and the walk over a family `refused` segments of these numbers.
    pub(crate) fn derive(
        &self,
        dry: Workers,
        refused: &[u64],
        interrupt: &Interrupt,
    ) -> Result<Outcome, DriverError> {
        match self.via {
            Some(Via::Family(via)) => {
                via.derive(self.function, self.problem, &self.range, refused, interrupt)
            }
            Some(Via::Congruences(_)) => Ok(self.without_pieces()),
            Some(Via::Inverse(via)) if via.is_listed() => Ok(self.without_pieces()),
            _ => self.run(dry, &(), interrupt),
        }
    }

    /// All searched, and no piece made.
    fn without_pieces(&self) -> Outcome {
        let mut outcome = Outcome::new(self.range.count().into(), iter::empty());
        outcome.searched = outcome.arguments;
        outcome
    }
}
