//! [`Ledger::work`]: units are leased, searched and finished, by any number of processes.
//!
//! A lease keeps two workers from the same unit for as long as both live; that a unit is finished once does not hang on it. A
//! worker beats: it counts up a number in its row. Another one that sees the number stand still for the time of a lease, by its
//! own clock that knows no date and is never set, gives the units back. So clocks may differ or jump, and a worker that was only
//! slow finds the same result there when it finishes. Of workers on its own machine it knows sooner ([`Pulse`]).

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{
        Condvar, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    thread::{Builder, scope},
    time::{Duration, Instant},
};

use rusqlite::{OptionalExtension, params};
use tmd_core::Interrupt;
use tmd_driver::{DriverError, Observer, Progress, Solve, SolvePlan, solve::Tally};

use crate::{
    Finish, Ledger, LedgerError,
    ledger::now,
    pulse::{Pulse, name},
};

/// How long leases last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leases {
    /// Time between two beats.
    pub beat: Duration,
    /// Time without a beat after which a worker's units go back.
    pub expiry: Duration,
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

/// How often the caller's interrupt is looked at.
const GLANCE: Duration = Duration::from_millis(20);

impl Ledger {
    /// Takes unit after unit until all are finished, those of other workers included, or `interrupt` is requested. Units in work
    /// are given back then.
    ///
    /// # Errors
    /// Those of writing, [`LedgerError::Disagreement`], and machines that fail. What was finished before is kept.
    pub fn work(
        &self,
        solve: &Solve,
        plan: &SolvePlan,
        leases: Leases,
        observer: &dyn Observer,
        interrupt: &Interrupt,
    ) -> Result<Worked, LedgerError> {
        let threads = solve.units_at_a_time().max(1);
        let name = name();
        let worker = self.join(&name, threads)?;
        let pulse = Pulse::take(self.directory(), worker);
        self.bury(worker)?;
        let progress = self.progress(plan)?;
        let crew = Crew {
            ledger: self,
            solve,
            plan,
            name,
            worker,
            leases,
            tally: Tally::new(observer, progress),
            stop: Interrupt::new(),
            state: Mutex::default(),
        };
        let result = crew.run(threads, interrupt);
        // of a directory that cannot be written any more the error above says more
        let left = self.leave(worker);
        let state = crew.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        if let (Some(pulse), Ok(())) = (pulse, &left) {
            pulse.end();
        }
        result?;
        left?;
        Ok(Worked { is_complete: self.is_complete()?, failed: state.failed.len(), ..state.worked })
    }

    fn join(&self, name: &str, threads: usize) -> Result<i64, LedgerError> {
        self.write(|transaction| {
            let insert = "INSERT INTO worker (name, threads, joined_at, seen_at) VALUES (?1, ?2, ?3, ?3)";
            let inserted = transaction.execute(insert, params![name, threads as i64, now()]);
            inserted.map(|_| transaction.last_insert_rowid()).map_err(|error| self.sqlite(&error))
        })
    }

    fn leave(&self, worker: i64) -> Result<(), LedgerError> {
        self.give_back(worker)?;
        self.write(|transaction| {
            let update = "UPDATE worker SET left_at = ? WHERE number = ?";
            transaction.execute(update, params![now(), worker]).map_err(|error| self.sqlite(&error))?;
            Ok(())
        })
    }

    fn beat(&self, worker: i64) -> Result<(), LedgerError> {
        self.write(|transaction| {
            let update = "UPDATE worker SET beats = beats + 1, seen_at = ? WHERE number = ?";
            transaction.execute(update, params![now(), worker]).map_err(|error| self.sqlite(&error))?;
            Ok(())
        })
    }

    /// The next open unit but those in `without`, leased to `worker`.
    fn claim(&self, worker: i64, without: &BTreeSet<usize>) -> Result<Option<usize>, LedgerError> {
        // looking costs nothing, and most that wait find nothing
        if self.open_unit(without)?.is_none() {
            return Ok(None);
        }
        self.write(|transaction| {
            let claim = || -> rusqlite::Result<Option<usize>> {
                let Some(number) = open_unit(transaction, without)? else { return Ok(None) };
                let update = "UPDATE unit SET state = 'leased', worker = ? WHERE number = ?";
                transaction.execute(update, params![worker, number as i64])?;
                Ok(Some(number))
            };
            claim().map_err(|error| self.sqlite(&error))
        })
    }

    fn open_unit(&self, without: &BTreeSet<usize>) -> Result<Option<usize>, LedgerError> {
        self.read(|connection| open_unit(connection, without))
    }

    /// Gives back all units of a worker.
    fn give_back(&self, worker: i64) -> Result<(), LedgerError> {
        self.write(|transaction| {
            let update =
                "UPDATE unit SET state = 'open', worker = NULL WHERE state = 'leased' AND worker = ?";
            transaction.execute(update, [worker]).map_err(|error| self.sqlite(&error))?;
            Ok(())
        })
    }

    /// Notes why a unit cannot be searched, and gives it back.
    fn fail(&self, number: usize, error: &DriverError) -> Result<(), LedgerError> {
        self.write(|transaction| {
            let update = "UPDATE unit SET state = 'open', worker = NULL, failure = ? WHERE number = ? AND state <> 'finished'";
            let updated = transaction.execute(update, params![error.to_string(), number as i64]);
            updated.map_err(|error| self.sqlite(&error))?;
            Ok(())
        })
    }

    /// Whether all units are finished.
    pub fn is_complete(&self) -> Result<bool, LedgerError> {
        let query = "SELECT NOT EXISTS (SELECT 1 FROM unit WHERE number NOT IN (SELECT unit FROM result))";
        self.read(|connection| connection.query_row(query, [], |row| row.get(0)))
    }

    /// Gives back the units of those that are known to be dead.
    fn bury(&self, worker: i64) -> Result<(), LedgerError> {
        let holders: Vec<(i64, String)> = self.read(|connection| {
            let mut statement = connection.prepare(
                "SELECT DISTINCT worker.number, worker.name FROM unit
                 JOIN worker ON worker.number = unit.worker WHERE unit.state = 'leased'",
            )?;
            let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
            rows.collect()
        })?;
        for (number, name) in holders {
            if number != worker && Pulse::is_gone(self.directory(), number, &name) {
                self.leave(number)?;
            }
        }
        Ok(())
    }

    /// Workers that hold units, and their beats.
    fn holders(&self) -> Result<Vec<(i64, i64)>, LedgerError> {
        self.read(|connection| {
            let mut statement = connection.prepare(
                "SELECT DISTINCT unit.worker, coalesce(worker.beats, -1) FROM unit
                 LEFT JOIN worker ON worker.number = unit.worker WHERE unit.state = 'leased'",
            )?;
            let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
            rows.collect()
        })
    }

    /// What is finished, for an observer.
    fn progress(&self, plan: &SolvePlan) -> Result<Progress, LedgerError> {
        let finished: Vec<(i64, i64)> = self.read(|connection| {
            let mut statement = connection.prepare("SELECT unit, cases FROM result")?;
            let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
            rows.collect()
        })?;
        let arguments =
            |number: i64| plan.units.get(number as usize).map_or(0, |unit| u128::from(unit.range.count()));
        Ok(Progress {
            searched: finished.iter().map(|(number, _)| arguments(*number)).sum(),
            arguments: plan.searched(),
            cases: finished.iter().map(|(_, cases)| *cases as usize).sum(),
        })
    }
}

fn open_unit(
    connection: &rusqlite::Connection,
    without: &BTreeSet<usize>,
) -> rusqlite::Result<Option<usize>> {
    let mut statement = connection
        .prepare("SELECT number FROM unit WHERE state = 'open' AND number >= ? ORDER BY number LIMIT 1")?;
    let mut from = 0i64;
    loop {
        let found: Option<i64> = statement.query_row([from], |row| row.get(0)).optional()?;
        match found {
            Some(number) if without.contains(&(number as usize)) => from = number + 1,
            found => return Ok(found.map(|number| number as usize)),
        }
    }
}

/// The threads of a process at work.
struct Crew<'a> {
    ledger: &'a Ledger,
    solve: &'a Solve<'a>,
    plan: &'a SolvePlan,
    name: String,
    worker: i64,
    leases: Leases,
    tally: Tally<'a>,
    /// the caller's interrupt, or an error of one of the threads
    stop: Interrupt,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    worked: Worked,
    failed: BTreeSet<usize>,
}

impl Crew<'_> {
    fn run(&self, threads: usize, interrupt: &Interrupt) -> Result<(), LedgerError> {
        let refused = |error: &std::io::Error| DriverError::Threads { threads, reason: error.to_string() };
        let bell = Bell::default();
        if interrupt.is_requested() {
            self.stop.request();
        }
        scope(|scope| {
            let spawn = |work: &'static str| Builder::new().name(work.into());
            let heart = spawn("heart").spawn_scoped(scope, || self.beat(&bell, interrupt));
            let heart = heart.map_err(|error| refused(&error))?;
            let one = || self.units().inspect_err(|_| self.stop.request());
            let spawned: Vec<_> = (0..threads).map(|_| spawn("unit").spawn_scoped(scope, one)).collect();
            let mut result = Ok(());
            for thread in spawned {
                let ended = match thread {
                    Ok(thread) => thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
                    Err(error) => {
                        self.stop.request();
                        Err(refused(&error).into())
                    }
                };
                result = result.and(ended);
            }
            bell.ring();
            heart.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            result
        })
    }

    /// One thread: unit after unit.
    fn units(&self) -> Result<(), LedgerError> {
        while !self.stop.is_requested() {
            let failed = self.state().failed.clone();
            let Some(number) = self.ledger.claim(self.worker, &failed)? else {
                if self.ledger.holders()?.is_empty() && self.ledger.open_unit(&failed)?.is_none() {
                    return Ok(());
                }
                std::thread::sleep(self.leases.beat.min(Duration::from_secs(1)) / 4);
                continue;
            };
            match self.solve.search_unit(&self.plan.units[number], &self.tally.unit(), &self.stop) {
                Ok(None) => return Ok(()),
                Ok(Some(result)) => {
                    let finish = self.ledger.finish(self.solve, self.plan, number, &result, &self.name)?;
                    let worked = &mut self.state().worked;
                    *match finish {
                        Finish::First => &mut worked.finished,
                        Finish::Again => &mut worked.again,
                    } += 1;
                }
                Err(error) => {
                    self.ledger.fail(number, &error)?;
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

    /// The heart: beats, looks for others that do not, and passes the interrupt on.
    fn beat(&self, bell: &Bell, interrupt: &Interrupt) {
        let mut seen: BTreeMap<i64, (i64, Instant)> = BTreeMap::new();
        let mut last = Instant::now();
        while !bell.wait(GLANCE) {
            if interrupt.is_requested() {
                self.stop.request();
            }
            if last.elapsed() < self.leases.beat {
                continue;
            }
            last = Instant::now();
            // a beat that fails costs the lease at worst; a result that cannot be written ends the work
            let _ = self.ledger.beat(self.worker);
            let _ = self.ledger.bury(self.worker);
            let holders = self.ledger.holders().unwrap_or_default();
            seen.retain(|worker, _| holders.iter().any(|(holder, _)| holder == worker));
            for (worker, beats) in holders.into_iter().filter(|(worker, _)| *worker != self.worker) {
                let entry = seen.entry(worker).or_insert((beats, last));
                if entry.0 != beats {
                    *entry = (beats, last);
                } else if entry.1.elapsed() >= self.leases.expiry {
                    let _ = self.ledger.give_back(worker);
                }
            }
        }
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Tells one thread that the others are done.
#[derive(Default)]
struct Bell {
    is_rung: AtomicBool,
    lock: Mutex<()>,
    changed: Condvar,
}

impl Bell {
    fn ring(&self) {
        let _guard = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        self.is_rung.store(true, Relaxed);
        self.changed.notify_all();
    }

    /// Waits; whether it was rung.
    fn wait(&self, time: Duration) -> bool {
        let guard = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        if !self.is_rung.load(Relaxed) {
            drop(self.changed.wait_timeout(guard, time).unwrap_or_else(PoisonError::into_inner));
        }
        self.is_rung.load(Relaxed)
    }
}
