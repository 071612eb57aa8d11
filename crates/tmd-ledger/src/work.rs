//! [`Ledger::work`]: units are leased, searched and finished, by any number of processes.
//!
//! A lease keeps two workers from the same unit for as long as both live; that a unit is finished
//! once does not hang on it. A worker beats: it counts up a number in its row. Another one that
//! sees the number stand still for the time of a lease, by its own clock that knows no date and is
//! never set, gives the units back. So clocks may differ or jump, and a worker that was only slow
//! finds the same result there when it finishes. Of workers on its own machine it knows sooner
//! ([`LivenessLock`]).

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Mutex, PoisonError},
    thread::{Builder, scope},
    time::Duration,
};

use rusqlite::params;
use tmd_core::Interrupt;
use tmd_driver::{
    DriverError, Observer, Progress, Solve, SolvePlan,
    solve::{Tally, Unit},
};

use crate::{
    Finish, Ledger, LedgerError,
    heartbeat::Heartbeat,
    ledger::now,
    liveness::{LivenessLock, name},
};

/// How long leases last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leases {
    /// Time between two beats.
    pub beat: Duration,
    /// Time without a beat after which a worker's units go back to the others, whatever leases
    /// these have themselves.
    pub expiry: Duration,
}

impl Leases {
    /// No lease is longer than this.
    pub const LONGEST: Duration = Duration::from_secs(24 * 3600);
}

/// A worker that holds units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Holder {
    pub(crate) beats: i64,
    /// its own
    pub(crate) expiry: Duration,
}

impl Default for Leases {
    fn default() -> Self {
        Self { beat: Duration::from_secs(5), expiry: Duration::from_secs(60) }
    }
}

/// What a worker did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Worked {
    /// Units that it finished first …
    pub finished: usize,
    /// … and those that another one had finished meanwhile, with the same result.
    pub again: usize,
    /// Units that cannot be searched; the certificate says why.
    pub failed: usize,
    /// Whether all units are finished now.
    pub is_complete: bool,
}

impl Ledger {
    /// Takes unit after unit until all are finished, those of other workers included, or
    /// `interrupt` is requested. Units in work are given back then.
    ///
    /// # Errors
    /// Those of writing, [`LedgerError::Disagreement`], and machines that fail. What was finished
    /// before is kept.
    pub fn work(
        &self,
        solve: &Solve,
        plan: &SolvePlan,
        leases: Leases,
        observer: &dyn Observer,
        interrupt: &Interrupt,
    ) -> Result<Worked, LedgerError> {
        let threads = solve.units_at_a_time(plan).max(1);
        let state = self.with_session(threads, leases, interrupt, |session| {
            let tally = Tally::new(observer, self.progress(plan)?);
            let searching =
                WorkerThreads { ledger: self, solve, plan, leases, session, tally, state: Mutex::default() };
            searching.run(threads)?;
            Ok::<_, LedgerError>(searching.state.into_inner().unwrap_or_else(PoisonError::into_inner))
        })?;
        Ok(Worked { is_complete: self.is_complete(plan)?, failed: state.failed.len(), ..state.worked })
    }

    /// Joins as a worker, works while its heartbeat beats, and leaves.
    pub(crate) fn with_session<T, E: From<LedgerError>>(
        &self,
        threads: usize,
        leases: Leases,
        interrupt: &Interrupt,
        work: impl FnOnce(&WorkerSession) -> Result<T, E>,
    ) -> Result<T, E> {
        let name = name();
        let worker = self.join(&name, threads, leases)?;
        let session = WorkerSession { worker, name, interrupt, stop: Interrupt::new() };
        let lock = LivenessLock::take(self.directory(), worker);
        self.reclaim_dead(worker)?;
        let heartbeat = Heartbeat { ledger: self, worker, leases };
        let result = match heartbeat.during(interrupt, &session.stop, || work(&session)) {
            Ok(result) => result,
            Err(error) => {
                Err(LedgerError::from(DriverError::Threads { threads, reason: error.to_string() }).into())
            }
        };
        // of a directory that cannot be written any more the error of the work says more
        let left = self.leave(worker);
        if let (Some(lock), Ok(())) = (lock, &left) {
            lock.end();
        }
        let result = result?;
        left?;
        Ok(result)
    }

    fn join(&self, name: &str, threads: usize, leases: Leases) -> Result<i64, LedgerError> {
        self.change(|transaction| {
            let insert =
                "INSERT INTO worker (name, threads, lease_s, joined_at, seen_at) VALUES (?1, ?2, ?3, ?4, ?4)";
            let lease_s = leases.expiry.as_secs_f64();
            transaction.execute(insert, params![name, threads as i64, lease_s, now()])?;
            Ok(transaction.last_insert_rowid())
        })
    }

    fn leave(&self, worker: i64) -> Result<(), LedgerError> {
        self.give_back(worker)?;
        let update = "UPDATE worker SET left_at = ? WHERE number = ?";
        self.change(|transaction| transaction.execute(update, params![now(), worker]).map(drop))
    }

    pub(crate) fn beat(&self, worker: i64) -> Result<(), LedgerError> {
        let update = "UPDATE worker SET beats = beats + 1, seen_at = ? WHERE number = ?";
        self.change(|transaction| transaction.execute(update, params![now(), worker]).map(drop))
    }

    /// The next open units but those in `without`, so many at most, leased to `worker`.
    pub(crate) fn claim(
        &self,
        worker: i64,
        without: &BTreeSet<usize>,
        most: usize,
    ) -> Result<Vec<usize>, LedgerError> {
        // looking costs nothing, and most that wait find nothing
        if most == 0 || !self.has_open_units(without)? {
            return Ok(Vec::new());
        }
        self.change(|transaction| {
            let numbers = open_units(transaction, without, most)?;
            let update = "UPDATE unit SET state = 'leased', worker = ? WHERE number = ?";
            let mut update = transaction.prepare_cached(update)?;
            for number in &numbers {
                update.execute(params![worker, *number as i64])?;
            }
            Ok(numbers)
        })
    }

    /// Whether there are open units but those in `without`.
    pub(crate) fn has_open_units(&self, without: &BTreeSet<usize>) -> Result<bool, LedgerError> {
        Ok(!self.read(|connection| open_units(connection, without, 1))?.is_empty())
    }

    /// Gives back all units of a worker.
    pub(crate) fn give_back(&self, worker: i64) -> Result<(), LedgerError> {
        let update = "UPDATE unit SET state = 'open', worker = NULL WHERE state = 'leased' AND worker = ?";
        self.change(|transaction| transaction.execute(update, [worker]).map(drop))
    }

    /// Gives a unit back, and notes why it could not be searched, if there is a reason.
    pub(crate) fn fail(&self, number: usize, reason: Option<&str>) -> Result<(), LedgerError> {
        let update = "UPDATE unit SET state = 'open', worker = NULL, failure = ? WHERE number = ? AND state <> 'finished'";
        self.change(|transaction| transaction.execute(update, params![reason, number as i64]).map(drop))
    }

    /// Whether all units of the plan have a result. One of which two results disagree has none.
    ///
    /// # Errors
    /// Those of reading.
    pub fn is_complete(&self, plan: &SolvePlan) -> Result<bool, LedgerError> {
        let query = "SELECT count(*) FROM result JOIN unit ON number = result.unit WHERE number < ?";
        let units = plan.units.len() as i64;
        self.read(|connection| connection.query_row(query, [units], |row| Ok(row.get::<_, i64>(0)? == units)))
    }

    /// Gives back the units of those that are known to be dead.
    pub(crate) fn reclaim_dead(&self, worker: i64) -> Result<(), LedgerError> {
        let query = "SELECT DISTINCT worker.number, worker.name FROM unit
             JOIN worker ON worker.number = unit.worker WHERE unit.state = 'leased'";
        let holders: Vec<(i64, String)> = self.select(query, |row| Ok((row.get(0)?, row.get(1)?)))?;
        for (number, name) in holders {
            if number == worker {
                continue;
            }
            if let Some(lock) = LivenessLock::of_dead(self.directory(), number, &name) {
                self.leave(number)?;
                lock.end();
            }
        }
        Ok(())
    }

    /// Workers that hold units.
    pub(crate) fn holders(&self) -> Result<BTreeMap<i64, Holder>, LedgerError> {
        let query =
            "SELECT DISTINCT unit.worker, coalesce(worker.beats, -1), coalesce(worker.lease_s, 0) FROM unit
             LEFT JOIN worker ON worker.number = unit.worker WHERE unit.state = 'leased'";
        let holders = self.select(query, |row| {
            let lease = Duration::try_from_secs_f64(row.get(2)?).unwrap_or(Leases::LONGEST);
            Ok((row.get(0)?, Holder { beats: row.get(1)?, expiry: lease.min(Leases::LONGEST) }))
        })?;
        Ok(holders.into_iter().collect())
    }

    /// Whether nobody holds a unit, and none is open but those in `without`.
    pub(crate) fn is_over(&self, without: &BTreeSet<usize>) -> Result<bool, LedgerError> {
        Ok(self.holders()?.is_empty() && !self.has_open_units(without)?)
    }

    /// What is finished, for an observer.
    pub(crate) fn progress(&self, plan: &SolvePlan) -> Result<Progress, LedgerError> {
        // what is no number is damage, which `check` names
        let query = "SELECT unit, cases FROM result";
        let finished: Vec<(i64, i64)> =
            self.select(query, |row| Ok((row.get(0)?, row.get(1).unwrap_or(0))))?;
        let arguments = |number: i64| plan.units.get(number as usize).map_or(0, Unit::weight);
        Ok(Progress {
            searched: finished.iter().map(|(number, _)| arguments(*number)).sum(),
            arguments: plan.searched(),
            cases: finished.iter().map(|(_, cases)| *cases as usize).sum(),
        })
    }
}

/// The first open units but those in `without`. The index has them in this order: no more are read
/// than that.
fn open_units(
    connection: &rusqlite::Connection,
    without: &BTreeSet<usize>,
    most: usize,
) -> rusqlite::Result<Vec<usize>> {
    let query = "SELECT number FROM unit WHERE state = 'open' ORDER BY number";
    let mut statement = connection.prepare_cached(query)?;
    let numbers = statement.query_map([], |row| Ok(row.get::<_, i64>(0)? as usize))?;
    let is_wanted = |number: &rusqlite::Result<usize>| number.as_ref().map_or(true, |n| !without.contains(n));
    numbers.filter(is_wanted).take(most).collect()
}

/// A worker that is at work.
pub(crate) struct WorkerSession<'a> {
    pub(crate) worker: i64,
    pub(crate) name: String,
    interrupt: &'a Interrupt,
    /// the caller's interrupt, or an error of one of the threads
    pub(crate) stop: Interrupt,
}

impl WorkerSession<'_> {
    /// Whether no more is to be begun. The heartbeat passes the interrupt on to what is in work, a
    /// moment later.
    pub(crate) fn is_over(&self) -> bool {
        self.stop.is_requested() || self.interrupt.is_requested()
    }
}

/// The threads of a process at work.
struct WorkerThreads<'a> {
    ledger: &'a Ledger,
    solve: &'a Solve<'a>,
    plan: &'a SolvePlan,
    leases: Leases,
    session: &'a WorkerSession<'a>,
    tally: Tally<'a>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    worked: Worked,
    failed: BTreeSet<usize>,
}

impl WorkerThreads<'_> {
    fn run(&self, threads: usize) -> Result<(), LedgerError> {
        let stop = &self.session.stop;
        scope(|scope| {
            let one = || self.units().inspect_err(|_| stop.request());
            let spawn = |_| Builder::new().name("unit".into()).spawn_scoped(scope, one);
            let spawned: Vec<_> = (0..threads).map(spawn).collect();
            let mut result = Ok(());
            for thread in spawned {
                let ended = match thread {
                    Ok(thread) => thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
                    Err(error) => {
                        stop.request();
                        Err(DriverError::Threads { threads, reason: error.to_string() }.into())
                    }
                };
                result = result.and(ended);
            }
            result
        })
    }

    /// One thread: unit after unit.
    fn units(&self) -> Result<(), LedgerError> {
        let WorkerSession { worker, name, stop, .. } = self.session;
        while !self.session.is_over() {
            let failed = self.state().failed.clone();
            let Some(&number) = self.ledger.claim(*worker, &failed, 1)?.first() else {
                if self.ledger.is_over(&failed)? {
                    return Ok(());
                }
                std::thread::sleep(self.leases.beat.min(Duration::from_secs(1)) / 4);
                continue;
            };
            match self.solve.search_unit(&self.plan.units[number], &self.tally.unit(), stop) {
                Ok(None) => return Ok(()),
                Ok(Some(result)) => {
                    let finish = self.ledger.finish(self.solve, self.plan, number, &result, name)?;
                    let worked = &mut self.state().worked;
                    *match finish {
                        Finish::First => &mut worked.finished,
                        Finish::Again => &mut worked.again,
                    } += 1;
                }
                Err(error) => {
                    self.ledger.fail(number, Some(&error.to_string()))?;
                    self.state().failed.insert(number);
                    // what a machine fails at, it fails at with the next unit, too
                    if matches!(&error, DriverError::Core(error) if error.is_of_the_machine()) {
                        return Err(error.into());
                    }
                }
            }
        }
        Ok(())
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
