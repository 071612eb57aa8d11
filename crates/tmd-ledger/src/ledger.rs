//! [`Ledger`]: the run directory of one question, opened.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
    time::{SystemTime, UNIX_EPOCH},
};

use rusqlite::{Connection, OptionalExtension, Row, Transaction, TransactionBehavior, params};
use serde::Serialize;
use tmd_driver::{Certificate, Solve, SolvePlan, certificate::Effort, solve::UnitResult};

use crate::{
    LedgerError, Question,
    check::{json, unit_row},
    database::{Database, ledger_file, sync_directory},
    question::mark,
    record::{Kept, RESULTS},
    schema::{TABLES, check, is_empty, mark as mark_version},
};

/// A run directory, opened.
pub struct Ledger {
    directory: PathBuf,
    path: PathBuf,
    database: Mutex<Database>,
    question: Question,
    plan_sha256: String,
}

/// What a ledger is opened for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// To look at it. Nothing is changed, damage is only named.
    Read,
    /// To work on it. What is damaged is set aside, and its units are searched again.
    Write,
}

/// A unit whose result is damaged, or that could not be searched.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Damage {
    /// Number of the unit.
    pub unit: usize,
    /// Its first argument.
    pub first: String,
    /// What is wrong.
    pub reason: String,
}

impl Damage {
    /// Of a unit's result, in the plan or not.
    pub(crate) fn of(plan: &SolvePlan, unit: usize, reason: String) -> Self {
        let first = plan.units.get(unit).map_or_else(String::new, |unit| unit.range.argument(0).to_string());
        Self { unit, first, reason }
    }
}

/// The results that a ledger keeps.
#[derive(Clone, Debug, Default)]
pub struct Results {
    /// Those that are whole, by the numbers of their units.
    pub whole: Vec<(usize, UnitResult)>,
    /// Those that are damaged.
    pub damaged: Vec<Damage>,
}

impl Ledger {
    /// Begins a run in a directory that is new or empty: all of it is there at once, or nothing is.
    ///
    /// # Errors
    /// [`LedgerError::Exists`], [`LedgerError::OtherQuestion`], [`LedgerError::Occupied`],
    /// [`LedgerError::NoRoom`], and those of writing.
    pub fn create(directory: &Path, question: &Question, plan: &SolvePlan) -> Result<Self, LedgerError> {
        Self::begin(directory, question, plan).map_err(|error| match error {
            LedgerError::Full { path, reason } => LedgerError::NoRoom { path, reason },
            error => error,
        })
    }

    fn begin(directory: &Path, question: &Question, plan: &SolvePlan) -> Result<Self, LedgerError> {
        let path = ledger_file(directory);
        if !path.exists() {
            fs::create_dir_all(directory).map_err(|error| LedgerError::of_writing(directory, &error))?;
            let mut entries =
                fs::read_dir(directory).map_err(|error| LedgerError::of_reading(directory, &error))?;
            if entries.next().is_some() {
                return Err(LedgerError::Occupied { path: directory.to_path_buf() });
            }
        }
        let database = Database::to_write(&path, true)?;
        let sqlite = |error| LedgerError::of_database(&path, &error);
        let connection = &database.connection;
        let begun = begin(connection).and_then(|transaction| {
            if !is_empty(&transaction)? {
                return Ok(false);
            }
            transaction.execute_batch(TABLES)?;
            write_question(&transaction, question, &plan.digest())?;
            write_regions(&transaction, plan)?;
            write_units(&transaction, plan)?;
            mark_version(&transaction)?;
            transaction.commit()?;
            Ok(true)
        });
        if !begun.map_err(sqlite)? {
            let there = Self::open(directory, Access::Read)?;
            let path = directory.to_path_buf();
            return Err(match question.differences(&there.question) {
                none if none.is_empty() => LedgerError::Exists { path },
                differences => LedgerError::OtherQuestion { path, differences },
            });
        }
        sync_directory(directory)?;
        if let Some(parent) = directory.canonicalize().ok().as_deref().and_then(Path::parent) {
            // a parent that may not be opened holds a directory that was there before
            let _ = sync_directory(parent);
        }
        Self::with(directory, database)
    }

    /// Opens a run directory: its version and its pages are checked. [`check`](Self::check) comes
    /// next.
    ///
    /// # Errors
    /// [`LedgerError::NotARun`], [`LedgerError::OtherSchema`], [`LedgerError::Damaged`], and those
    /// of reading.
    pub fn open(directory: &Path, access: Access) -> Result<Self, LedgerError> {
        let path = ledger_file(directory);
        if !path.is_file() {
            return Err(LedgerError::NotARun { path: directory.to_path_buf() });
        }
        let database = match access {
            Access::Read => Database::to_read(&path)?,
            Access::Write => Database::to_write(&path, false)?,
        };
        check(&database, directory, access)?;
        Self::with(directory, database)
    }

    fn with(directory: &Path, database: Database) -> Result<Self, LedgerError> {
        let path = ledger_file(directory);
        let copies = copies(&database.connection).map_err(|error| LedgerError::of_database(&path, &error))?;
        let damaged = |reason: String| LedgerError::Damaged { path: path.clone(), reason };
        let (question, plan_sha256) = copies
            .into_iter()
            .flatten()
            .next()
            .ok_or_else(|| damaged("neither copy of the question has its checksum".into()))?;
        let question = serde_json::from_str(&question)
            .map_err(|error| damaged(format!("the question cannot be read: {error}")))?;
        let directory = directory.to_path_buf();
        Ok(Self { directory, path, database: Mutex::new(database), question, plan_sha256 })
    }

    /// The run directory.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// What is asked.
    pub fn question(&self) -> &Question {
        &self.question
    }

    /// [`SolvePlan::digest`] of the plan that the run began with.
    pub fn plan_sha256(&self) -> &str {
        &self.plan_sha256
    }

    /// The results that are kept, by the numbers of their units, and those that are damaged.
    ///
    /// # Errors
    /// Those of reading.
    pub fn results(&self, plan: &SolvePlan) -> Result<Results, LedgerError> {
        let mut results = Results::default();
        self.each_result(|unit, record| match record.and_then(|record| record.result(plan, unit)) {
            Ok(result) => results.whole.push((unit, result)),
            Err(reason) => results.damaged.push(Damage::of(plan, unit, reason)),
        })?;
        Ok(results)
    }

    /// Those that are damaged: one result at a time is in memory.
    pub(crate) fn damaged(&self, plan: &SolvePlan) -> Result<Vec<Damage>, LedgerError> {
        let mut damaged = Vec::new();
        self.each_result(|unit, record| {
            if let Err(reason) = record.and_then(|record| record.result(plan, unit)) {
                damaged.push(Damage::of(plan, unit, reason));
            }
        })?;
        Ok(damaged)
    }

    /// The results of a run whose plan is not at hand, compared with their checksums and with the
    /// rows of the plan, if these are whole.
    pub(crate) fn loose_results(&self) -> Result<Results, LedgerError> {
        let mut results = Results::default();
        let trusts_rows = self.holds_its_plan()?;
        self.each_result(|unit, record| match record.and_then(|record| record.loose_result(trusts_rows)) {
            Ok(result) => results.whole.push((unit, result)),
            Err(reason) => results.damaged.push(Damage { unit, first: String::new(), reason }),
        })?;
        Ok(results)
    }

    /// The results that are damaged, without a plan. Whether its rows are whole says
    /// [`holds_its_plan`](Self::holds_its_plan).
    pub(crate) fn loosely_damaged(&self, trusts_rows: bool) -> Result<Vec<(usize, String)>, LedgerError> {
        let mut damaged = Vec::new();
        self.each_result(|unit, record| {
            if let Err(reason) = record.and_then(|record| record.loose_result(trusts_rows)) {
                damaged.push((unit, reason));
            }
        })?;
        Ok(damaged)
    }

    /// Shows each result as it is kept, with the number of its unit.
    fn each_result(&self, mut look: impl FnMut(usize, Result<Kept, String>)) -> Result<(), LedgerError> {
        self.read(|connection| {
            let mut statement = connection.prepare(&format!("{RESULTS} ORDER BY result.unit"))?;
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                look(row.get::<_, i64>(0)? as usize, Kept::read(row));
            }
            Ok(())
        })
    }

    /// The certificate of what is finished. A complete one is the same, byte by byte, however often
    /// the run was interrupted and whoever worked on it: it says nothing of times.
    ///
    /// # Errors
    /// Those of reading, and of [`Solve::certificate`].
    pub fn certificate(&self, solve: &Solve, plan: &SolvePlan) -> Result<Certificate, LedgerError> {
        let results = self.results(plan)?.whole;
        let query = "SELECT number, failure FROM unit WHERE failure IS NOT NULL AND state <> 'finished' ORDER BY number";
        let failures: Vec<(i64, String)> = self.select(query, |row| Ok((row.get(0)?, row.get(1)?)))?;
        let sentence = |(number, reason): (i64, String)| {
            plan.units.get(number as usize).map(|unit| unit.failure(&reason))
        };
        let failures = failures.into_iter().filter_map(sentence).collect();
        Ok(solve.certificate(plan, results, failures, Effort::default())?)
    }

    /// Lets the database grow to so many pages of 4 KiB at most, as long as this ledger is open: a
    /// quota.
    ///
    /// # Errors
    /// Those of reading.
    pub fn limit_pages(&self, pages: u32) -> Result<(), LedgerError> {
        self.read(|connection| connection.pragma_update(None, "max_page_count", pages))
    }

    /// Asks the database.
    pub(crate) fn read<T>(
        &self,
        question: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, LedgerError> {
        question(&self.lock().connection).map_err(|error| self.sqlite(&error))
    }

    /// What a query finds.
    pub(crate) fn select<T>(
        &self,
        query: &str,
        row: impl FnMut(&Row) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, LedgerError> {
        self.read(|connection| connection.prepare(query)?.query_map([], row)?.collect())
    }

    /// Changes the database: altogether, or not at all.
    pub(crate) fn change<T>(
        &self,
        change: impl FnOnce(&Transaction) -> rusqlite::Result<T>,
    ) -> Result<T, LedgerError> {
        self.write(|transaction| change(transaction).map_err(|error| self.sqlite(&error)))
    }

    /// The same with errors that are not the database's.
    pub(crate) fn write<T>(
        &self,
        change: impl FnOnce(&Transaction) -> Result<T, LedgerError>,
    ) -> Result<T, LedgerError> {
        let database = self.lock();
        let transaction = begin(&database.connection).map_err(|error| self.sqlite(&error))?;
        let changed = change(&transaction)?;
        transaction.commit().map_err(|error| self.sqlite(&error))?;
        Ok(changed)
    }

    pub(crate) fn sqlite(&self, error: &rusqlite::Error) -> LedgerError {
        LedgerError::of_database(&self.path, error)
    }

    fn lock(&self) -> MutexGuard<'_, Database> {
        self.database.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A transaction that may write: it begins when all others have ended.
fn begin(connection: &Connection) -> rusqlite::Result<Transaction<'_>> {
    Transaction::new_unchecked(connection, TransactionBehavior::Immediate)
}

/// Seconds since 1970 by the clock: for readers, nothing hangs on it.
pub(crate) fn now() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |time| time.as_secs_f64())
}

/// The result of a unit, if there is one.
pub(crate) fn kept(connection: &Connection, number: usize) -> rusqlite::Result<Option<Result<Kept, String>>> {
    let query = format!("{RESULTS} WHERE result.unit = ?");
    let row = |row: &Row| Ok(Kept::read(row));
    connection.prepare_cached(&query)?.query_row([number as i64], row).optional()
}

/// Copies of the question and of the plan's digest: one page that is damaged is not to cost a run.
const COPIES: i64 = 2;

/// Question and plan's digest of each copy whose checksum holds.
pub(crate) fn copies(connection: &Connection) -> rusqlite::Result<Vec<Option<(String, String)>>> {
    let mut statement = connection.prepare("SELECT question, plan_sha256, sha256 FROM run ORDER BY copy")?;
    let copies = statement.query_map([], |row| {
        // a column that is no text is damage of this copy
        let texts = [0, 1, 2].map(|column| row.get::<_, String>(column).ok());
        let [Some(question), Some(plan), Some(sha256)] = texts else { return Ok(None) };
        Ok((mark(&question, &plan) == sha256).then_some((question, plan)))
    })?;
    copies.collect()
}

/// Writes the question, all copies of it.
pub(crate) fn write_question(
    transaction: &Transaction,
    question: &Question,
    plan_sha256: &str,
) -> rusqlite::Result<()> {
    let begun_at: Option<f64> = transaction.query_row(
        "SELECT min(begun_at) FROM run WHERE typeof(begun_at) = 'real'",
        [],
        |row| row.get(0),
    )?;
    transaction.execute("DELETE FROM run", [])?;
    let insert = "INSERT INTO run (copy, question, plan_sha256, sha256, begun_at) VALUES (?, ?, ?, ?, ?)";
    let (sha256, begun_at) = (question.mark(plan_sha256), begun_at.unwrap_or_else(now));
    for copy in 1..=COPIES {
        transaction.execute(insert, params![copy, question.to_json(), plan_sha256, sha256, begun_at])?;
    }
    Ok(())
}

/// Whether all copies of the question are there, and whole.
pub(crate) fn is_whole(copies: &[Option<(String, String)>]) -> bool {
    copies.len() as i64 == COPIES && copies.iter().all(Option::is_some)
}

pub(crate) fn write_regions(transaction: &Transaction, plan: &SolvePlan) -> rusqlite::Result<()> {
    let insert = "INSERT INTO region (number, document) VALUES (?, ?)
                  ON CONFLICT (number) DO UPDATE SET document = excluded.document";
    let mut statement = transaction.prepare(insert)?;
    for (number, region) in plan.regions.iter().enumerate() {
        statement.execute(params![number as i64, json(&region.into())])?;
    }
    Ok(())
}

pub(crate) fn write_units(transaction: &Transaction, plan: &SolvePlan) -> rusqlite::Result<()> {
    let insert = "INSERT INTO unit (number, region, via, first, spacing, arguments, planned_s) VALUES (?, ?, ?, ?, ?, ?, ?)
                  ON CONFLICT (number) DO UPDATE SET region = excluded.region, via = excluded.via,
                  first = excluded.first, spacing = excluded.spacing, arguments = excluded.arguments,
                  planned_s = excluded.planned_s";
    let mut statement = transaction.prepare(insert)?;
    for (number, unit) in plan.units.iter().enumerate() {
        let (region, via, first, spacing, arguments) = unit_row(unit);
        statement.execute(params![
            number as i64,
            region,
            via,
            first,
            spacing,
            arguments,
            unit.core_seconds
        ])?;
    }
    Ok(())
}
