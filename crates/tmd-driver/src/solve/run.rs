//! [`Solve::run`]: the units of a plan, searched.
//!
//! On the CPU a unit is searched by one thread from its first argument to its last, as many units
//! at a time as there are threads. So what is written down of it, counts and budget, depends on the
//! unit and the engine, and on nothing else. A device searches one unit at a time, with all its
//! streams, or some families' units.

use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::Instant,
};

use tmd_core::Interrupt;

use super::{Solve, SolvePlan, Tally, Unit};
use crate::{Certificate, DriverError, Observer, Progress, certificate::Effort, parallel};

impl Solve<'_> {
    /// Searches all units of the plan, or those that there is time for before `interrupt` is
    /// requested. A unit that fails is left out, with the reason, and the others go on; but a
    /// machine that fails without a fallback ends the search.
    ///
    /// # Errors
    /// [`DriverError::Threads`]; [`DriverError::Symmetry`] if a case that follows by symmetry is
    /// none.
    pub fn run(
        &self,
        plan: &SolvePlan,
        observer: &dyn Observer,
        interrupt: &Interrupt,
    ) -> Result<Certificate, DriverError> {
        let started = Instant::now();
        let tally = Tally::new(observer, Progress { searched: 0, arguments: plan.searched(), cases: 0 });
        // what a machine fails at, it fails at with the next unit, too
        let is_over = AtomicBool::new(false);
        let one = |unit: &Unit| {
            if is_over.load(Ordering::Relaxed) {
                return Ok(None);
            }
            let result = self.search_unit(unit, &tally.unit(), interrupt);
            let is_of_the_machine =
                matches!(&result, Err(DriverError::Core(error)) if error.is_of_the_machine());
            // it is one failure, whichever units were in work
            if is_of_the_machine && is_over.swap(true, Ordering::Relaxed) {
                return Ok(None);
            }
            result
        };
        let searched = parallel::map(self.units_at_a_time(plan), &plan.units, one)?;
        let mut effort = Effort { threads: self.workers.threads(), ..Effort::default() };
        let (mut results, mut failures) = (Vec::new(), Vec::new());
        for (number, result) in searched.into_iter().enumerate() {
            match result {
                Ok(Some(result)) => {
                    effort.unit_s.push(result.elapsed_s);
                    effort.planned_s.push(result.planned_s);
                    results.push((number, result));
                }
                Ok(None) => {}
                Err(error) => failures.push(plan.units[number].failure(&error)),
            }
        }
        let mut certificate = self.certificate(plan, results, failures, effort)?;
        certificate.effort.elapsed_s = started.elapsed().as_secs_f64();
        Ok(certificate)
    }
}

impl Unit {
    /// The sentence of a certificate about a unit that could not be searched.
    pub fn failure(&self, reason: &impl std::fmt::Display) -> String {
        format!("{self}: {reason}")
    }
}

impl SolvePlan {
    /// Arguments of all units, as [`Unit::weight`] counts them.
    pub fn searched(&self) -> u128 {
        self.units.iter().map(Unit::weight).sum()
    }
}
