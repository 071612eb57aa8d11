//! [`Ledger::serve`]: units for workers that do not see the ledger.
//!
//! One process sits at the ledger, leases units for all of them, hands them out and takes their
//! results in: rank 0 of an MPI job. It is one worker of the ledger among others, with one
//! heartbeat; if it dies, what it handed out and had not taken in goes back. Whatever came in
//! meanwhile is kept by one transaction, so that many small units cost one write-through together.

use std::collections::BTreeSet;

use tmd_core::Interrupt;
use tmd_driver::{Progress, Solve, SolvePlan, solve::UnitResult};

use crate::{Dispute, Leases, Ledger, LedgerError, Worked, keep::Origin, work::WorkerSession};

/// Where units are handed out and results are taken in.
pub struct UnitServer<'a> {
    ledger: &'a Ledger,
    solve: &'a Solve<'a>,
    plan: &'a SolvePlan,
    session: &'a WorkerSession<'a>,
    progress: Progress,
    worked: Worked,
    /// units that cannot be searched, by nobody
    failed: BTreeSet<usize>,
}

impl Ledger {
    /// Joins as one worker with so many `threads` elsewhere, and serves at the [`UnitServer`] while
    /// the heartbeat beats. Units that were handed out and did not come back are given back at the
    /// end.
    ///
    /// # Errors
    /// Those of reading and writing, and those of `serve`.
    pub fn serve<E: From<LedgerError>>(
        &self,
        solve: &Solve,
        plan: &SolvePlan,
        threads: usize,
        leases: Leases,
        interrupt: &Interrupt,
        serve: impl FnOnce(&mut UnitServer) -> Result<(), E>,
    ) -> Result<Worked, E> {
        let worked = self.with_session(threads, leases, interrupt, |session| {
            let progress = self.progress(plan)?;
            let (worked, failed) = (Worked::default(), BTreeSet::new());
            let mut server = UnitServer { ledger: self, solve, plan, session, progress, worked, failed };
            serve(&mut server)?;
            Ok::<_, E>(Worked { failed: server.failed.len(), ..server.worked })
        })?;
        Ok(Worked { is_complete: self.is_complete(plan)?, ..worked })
    }
}

impl UnitServer<'_> {
    /// Results that are best kept by one transaction, at most: more would hold up other processes.
    pub const BATCH: usize = 256;

    /// Leases open units, so many at most. Fewer come if there are no more, or if others hold the
    /// rest.
    ///
    /// # Errors
    /// Those of reading and writing.
    pub fn take(&self, most: usize) -> Result<Vec<usize>, LedgerError> {
        self.ledger.claim(self.session.worker, &self.failed, most)
    }

    /// Keeps results, each with the number of its unit, for good when this returns.
    ///
    /// # Errors
    /// [`LedgerError::Disagreement`] for the first that another worker found otherwise: the others
    /// are kept; [`LedgerError::ForeignResult`] and those of writing: none is kept then.
    pub fn finish(&mut self, results: &[(usize, UnitResult)]) -> Result<(), LedgerError> {
        if results.is_empty() {
            return Ok(());
        }
        let origin = |_| Origin::Here(&self.session.name);
        let kept = self.ledger.keep_all(self.solve, self.plan, results, origin)?;
        self.worked.finished += kept.new.len();
        self.worked.again += kept.again;
        let arguments = |number: &usize| u128::from(self.plan.units[*number].range.count());
        self.progress.searched += kept.new.iter().map(arguments).sum::<u128>();
        let new: BTreeSet<usize> = kept.new.into_iter().collect();
        let cases = |(number, result): &(usize, UnitResult)| {
            if new.contains(number) { result.cases.len() } else { 0 }
        };
        self.progress.cases += results.iter().map(cases).sum::<usize>();
        match kept.disputes.into_iter().next() {
            Some(Dispute { unit, first, difference, .. }) => {
                Err(LedgerError::Disagreement { unit, first, difference })
            }
            None => Ok(()),
        }
    }

    /// Records that a unit cannot be searched, and why. It is not handed out again at this server.
    ///
    /// # Errors
    /// Those of writing.
    pub fn fail(&mut self, unit: usize, reason: &str) -> Result<(), LedgerError> {
        self.ledger.fail(unit, Some(reason))?;
        self.failed.insert(unit);
        Ok(())
    }

    /// Gives a unit back that a worker could not search for reasons of its own.
    ///
    /// # Errors
    /// Those of writing.
    pub fn give_back(&self, unit: usize, reason: Option<&str>) -> Result<(), LedgerError> {
        self.ledger.fail(unit, reason)
    }

    /// Whether nothing is left: nobody holds a unit, and none is open but those that failed here.
    ///
    /// # Errors
    /// Those of reading.
    pub fn is_over(&self) -> Result<bool, LedgerError> {
        self.ledger.is_over(&self.failed)
    }

    /// Whether the caller's interrupt was requested.
    pub fn is_interrupted(&self) -> bool {
        self.session.is_over()
    }

    /// How far the run is.
    pub fn progress(&self) -> Progress {
        self.progress
    }
}
