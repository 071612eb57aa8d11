//! [`Shards`]: the same units for machines that share no database, only a directory.
//!
//! `shards/plan.json` is written once: the question, the digest of the plan, the number of shards.
//! A worker reads nothing else, makes the plan again and searches the units `i, i + K, i + 2K, …`.
//! Each result is a file of its own, `shards/<thousands>/<unit>.json`: a line with unit, mark and
//! checksum, a line with the result. It is written under another name, written through, and
//! renamed. So a file is whole or damaged in a way that its checksum shows; a unit that two tasks
//! search is there once; and what a killed task finished is not searched again.

use std::{
    fs::{self, File},
    io::{self, Read as _, Write as _},
    path::{Path, PathBuf},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
    thread::{Builder, scope},
};

use serde::{Deserialize, Serialize};
use tempfile::NamedTempFile;
use tmd_core::Interrupt;
use tmd_driver::{
    DriverError, Observer, Progress, Solve, SolvePlan,
    solve::{Tally, UnitResult},
};

use crate::{
    Damage, Ledger, LedgerError, Question,
    database::sync_directory,
    record::{Record, compare},
    words::quoted,
};

/// The version of the files.
const SCHEMA: &str = "tmd-shards-2";

/// Results in one folder.
const FOLDER: usize = 1000;

/// What workers without a database need to know.
pub struct Shards {
    directory: PathBuf,
    plan: ShardPlan,
}

/// `plan.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ShardPlan {
    schema: String,
    question: Question,
    plan_sha256: String,
    /// of the two
    mark: String,
    units: usize,
    shards: u64,
}

/// The first line of a result's file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    schema: String,
    /// of the question and the plan
    mark: String,
    unit: usize,
    sha256: String,
}

/// One of the shards: units number `index − 1`, `index − 1 + count`, …
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Which, from 1 …
    pub index: u64,
    /// … to this.
    pub count: u64,
}

/// What a worker on a shard did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ShardWorked {
    /// Units that it searched …
    pub finished: usize,
    /// … and those whose results were there.
    pub there: usize,
    /// Units that cannot be searched, and why.
    pub failed: Vec<(usize, String)>,
    /// Whether the results of all units of the shard are there now.
    pub is_complete: bool,
}

/// A file of a result.
pub(crate) struct ResultFile {
    pub(crate) path: PathBuf,
    pub(crate) unit: usize,
}

impl Ledger {
    /// Writes what workers without a database need, for so many shards. Results that are there stay
    /// good: they do not depend on the number of shards.
    ///
    /// # Errors
    /// [`LedgerError::Shard`] for none, and those of writing.
    pub fn shard(&self, count: u64) -> Result<(), LedgerError> {
        if count == 0 {
            return Err(LedgerError::Shard { index: 1, count, reason: "there must be one at least".into() });
        }
        let units: i64 =
            self.read(|connection| connection.query_row("SELECT count(*) FROM unit", [], |row| row.get(0)))?;
        let plan = ShardPlan {
            schema: SCHEMA.into(),
            question: self.question().clone(),
            plan_sha256: self.plan_sha256().into(),
            mark: self.question().mark(self.plan_sha256()),
            units: units as usize,
            shards: count,
        };
        // strings and finite numbers only: serialization does not fail
        let text = serde_json::to_string_pretty(&plan).unwrap_or_default() + "\n";
        let folder = folder(self.directory());
        make(&folder)?;
        let path = folder.join("plan.json");
        let file = temporary(&folder, text.as_bytes())?;
        file.persist(&path).map_err(|error| LedgerError::of_writing(&path, &error.error))?;
        sync_directory(&folder)
    }
}

impl Shards {
    /// Reads the plan of a run directory's shards.
    ///
    /// # Errors
    /// [`LedgerError::Unreadable`].
    pub fn open(directory: &Path) -> Result<Self, LedgerError> {
        let path = folder(directory).join("plan.json");
        let unreadable = |reason: String| LedgerError::Unreadable { path: path.clone(), reason };
        let bytes = content(&path)
            .map_err(|error| unreadable(format!("{error}; tmd shard writes it, into a run directory")))?;
        let text = String::from_utf8(bytes)
            .map_err(|_| unreadable("it is no text; tmd shard writes it again".into()))?;
        let plan: ShardPlan = serde_json::from_str(&text).map_err(|error| unreadable(error.to_string()))?;
        if plan.schema != SCHEMA {
            return Err(unreadable(format!("it is of the version {}, not {SCHEMA}", plan.schema)));
        }
        if plan.mark != plan.question.mark(&plan.plan_sha256) {
            return Err(unreadable(
                "it is damaged: its mark is not that of its question; tmd shard writes it again".into(),
            ));
        }
        Ok(Self { directory: directory.to_path_buf(), plan })
    }

    /// What is asked.
    pub fn question(&self) -> &Question {
        &self.plan.question
    }

    /// The number of shards.
    pub fn count(&self) -> u64 {
        self.plan.shards
    }

    /// Compares question and plan with those that the run began with.
    ///
    /// # Errors
    /// [`LedgerError::OtherQuestion`], [`LedgerError::OtherPlan`].
    pub fn check(&self, solve: &Solve, plan: &SolvePlan) -> Result<(), LedgerError> {
        let asked = Question::new(solve, self.plan.question.unit_s, self.plan.question.options.clone());
        let differences = asked.differences(&self.plan.question);
        let path = self.directory.clone();
        if !differences.is_empty() {
            return Err(LedgerError::OtherQuestion { path, differences });
        }
        if plan.digest() != self.plan.plan_sha256 || plan.units.len() != self.plan.units {
            let (there, here) = (self.plan.units, plan.units.len());
            let difference = format!("it has {there} units there and {here} here, or another digest");
            return Err(LedgerError::OtherPlan { path, difference });
        }
        Ok(())
    }

    /// Searches all units of a shard whose results are not there. It may be killed at any moment
    /// and begun again, also while another one works on the same shard.
    ///
    /// # Errors
    /// [`LedgerError::Shard`], [`LedgerError::Disagreement`], those of writing, and machines that
    /// fail.
    pub fn work(
        &self,
        solve: &Solve,
        plan: &SolvePlan,
        shard: Shard,
        observer: &dyn Observer,
        interrupt: &Interrupt,
    ) -> Result<ShardWorked, LedgerError> {
        let Shard { index, count } = shard;
        let refuse = |reason: String| Err(LedgerError::Shard { index, count, reason });
        if count != self.plan.shards {
            return refuse(format!(
                "the run has {} shards; tmd shard makes another number",
                self.plan.shards
            ));
        }
        if index == 0 || index > count {
            return refuse(format!("shards are 1/{count} to {count}/{count}"));
        }
        let numbers: Vec<usize> = ((index - 1) as usize..plan.units.len())
            .step_by(usize::try_from(count).unwrap_or(usize::MAX))
            .collect();
        let arguments = numbers.iter().map(|&number| u128::from(plan.units[number].range.count())).sum();
        let searching = WorkerThreads {
            folder: folder(&self.directory),
            mark: self.plan.question.mark(&self.plan.plan_sha256),
            solve,
            plan,
            tally: Tally::new(observer, Progress { searched: 0, arguments, cases: 0 }),
            numbers: &numbers,
            next: AtomicUsize::new(0),
            worked: Mutex::default(),
            interrupt,
        };
        searching.run(solve.units_at_a_time(plan).max(1))?;
        let worked = searching.worked.into_inner().unwrap_or_else(PoisonError::into_inner);
        Ok(ShardWorked { is_complete: worked.finished + worked.there == numbers.len(), ..worked })
    }
}

/// The threads of a worker.
struct WorkerThreads<'a> {
    folder: PathBuf,
    mark: String,
    solve: &'a Solve<'a>,
    plan: &'a SolvePlan,
    tally: Tally<'a>,
    numbers: &'a [usize],
    next: AtomicUsize,
    worked: Mutex<ShardWorked>,
    interrupt: &'a Interrupt,
}

impl WorkerThreads<'_> {
    fn run(&self, threads: usize) -> Result<(), LedgerError> {
        scope(|scope| {
            let one = || {
                // no other thread takes more after an error
                self.units().inspect_err(|_| self.next.store(self.numbers.len(), Relaxed))
            };
            let spawned: Vec<_> = (0..threads).map(|_| Builder::new().spawn_scoped(scope, one)).collect();
            let mut result = Ok(());
            for thread in spawned {
                result = result.and(match thread {
                    Ok(thread) => thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
                    Err(error) => Err(DriverError::Threads { threads, reason: error.to_string() }.into()),
                });
            }
            result
        })
    }

    fn units(&self) -> Result<(), LedgerError> {
        while !self.interrupt.is_requested() {
            // far from overflow: each thread adds one beyond the end, and an error sets it there
            // again
            let Some(&number) = self.numbers.get(self.next.fetch_add(1, Relaxed)) else { return Ok(()) };
            let unit = &self.plan.units[number];
            if let Ok(Some(_)) = read(&path(&self.folder, number), &self.mark, number, self.plan) {
                self.worked().there += 1;
                let arguments = unit.weight();
                self.tally.unit().progress(Progress { searched: arguments, arguments, cases: 0 });
                continue;
            }
            match self.solve.search_unit(unit, &self.tally.unit(), self.interrupt) {
                Ok(None) => return Ok(()),
                Ok(Some(result)) => {
                    self.write(number, &result)?;
                    self.worked().finished += 1;
                }
                Err(DriverError::Core(error)) if error.is_of_the_machine() => {
                    return Err(DriverError::Core(error).into());
                }
                Err(error) => self.worked().failed.push((number, unit.failure(&error))),
            }
        }
        Ok(())
    }

    /// Writes a result for good. If there is one already, it must be the same; if it is not, both
    /// are kept.
    fn write(&self, number: usize, result: &UnitResult) -> Result<(), LedgerError> {
        let target = path(&self.folder, number);
        let folder = target.parent().unwrap_or(&self.folder);
        make(folder)?;
        let Record { document, sha256 } = Record::new(result);
        let header =
            Header { schema: SCHEMA.into(), mark: self.mark.clone(), unit: number, sha256: sha256.clone() };
        // strings and finite numbers only: serialization does not fail
        let header = serde_json::to_string(&header).unwrap_or_default();
        let file = temporary(folder, format!("{header}\n{document}\n").as_bytes())?;
        let refuse = |error: &io::Error| LedgerError::of_writing(&target, error);
        let Err(persisted) = file.persist_noclobber(&target) else { return sync_directory(folder) };
        if !target.exists() {
            return Err(refuse(&persisted.error));
        }
        let file = persisted.file;
        let Ok(Some(there)) = read(&target, &self.mark, number, self.plan) else {
            // what is there is damaged
            file.persist(&target).map_err(|error| refuse(&error.error))?;
            return sync_directory(folder);
        };
        let compared = compare(&there, result, self.solve.has_repeatable_counts());
        if compared.is_err() {
            // for whoever finds out which of them is wrong; a merge sees both
            let beside = folder.join(format!("{number}.other-{}.json", &sha256[..16.min(sha256.len())]));
            file.persist(&beside).map_err(|error| LedgerError::of_writing(&beside, &error.error))?;
            sync_directory(folder)?;
        }
        let first = result.record.first.clone();
        compared.map_err(|difference| LedgerError::Disagreement { unit: number, first, difference })
    }

    fn worked(&self) -> std::sync::MutexGuard<'_, ShardWorked> {
        self.worked.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// All files of results of a run directory, in the order of their names.
pub(crate) fn result_files(directory: &Path) -> Result<Vec<ResultFile>, LedgerError> {
    let top = folder(directory);
    let mut files = Vec::new();
    if !top.is_dir() {
        return Ok(files);
    }
    let entries = |folder: &Path| -> Result<Vec<PathBuf>, LedgerError> {
        let unreadable = |error: &io::Error| LedgerError::of_reading(folder, error);
        let mut paths = Vec::new();
        for entry in fs::read_dir(folder).map_err(|error| unreadable(&error))? {
            paths.push(entry.map_err(|error| unreadable(&error))?.path());
        }
        paths.sort();
        Ok(paths)
    };
    for folder in entries(&top)?.into_iter().filter(|path| path.is_dir()) {
        for path in entries(&folder)? {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let number = name.strip_suffix(".json").and_then(|name| name.split('.').next()?.parse().ok());
            // temporary files have other names
            if let Some(unit) = number {
                files.push(ResultFile { path, unit });
            }
        }
    }
    Ok(files)
}

/// Most bytes of a result: the database takes no more.
const MOST_BYTES: u64 = 1_000_000_000;

/// What is in an ordinary file. Of a pipe one would wait for its other end, and of a device there
/// may be no end.
fn content(path: &Path) -> io::Result<Vec<u8>> {
    let what = fs::metadata(path)?;
    if !what.is_file() {
        return Err(io::Error::other("it is no ordinary file"));
    }
    if what.len() > MOST_BYTES {
        return Err(io::Error::other(format!("{} bytes are more than any result has", what.len())));
    }
    let mut bytes = Vec::with_capacity(what.len() as usize);
    // it may grow meanwhile
    File::open(path)?.take(MOST_BYTES).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The result in a file; nothing if there is no file; what is wrong if it is damaged.
pub(crate) fn read(
    path: &Path,
    mark: &str,
    number: usize,
    plan: &SolvePlan,
) -> Result<Option<UnitResult>, Damage> {
    let damaged = |reason: String| Damage::of(plan, number, format!("{}: {reason}", quoted(path)));
    if number >= plan.units.len() {
        return Err(damaged("there is no such unit".into()));
    }
    let bytes = match content(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(damaged(error.to_string())),
        Ok(bytes) => bytes,
    };
    let text = String::from_utf8(bytes).map_err(|_| damaged("it is no text".into()))?;
    let (header, document) = text.split_once('\n').ok_or_else(|| damaged("it ends too early".into()))?;
    let header: Header = serde_json::from_str(header).map_err(|error| damaged(error.to_string()))?;
    if header.schema != SCHEMA || header.mark != mark || header.unit != number {
        return Err(damaged("it is of another run, program or unit".into()));
    }
    let document = document.strip_suffix('\n').ok_or_else(|| damaged("it ends too early".into()))?;
    let record = Record { document: document.into(), sha256: header.sha256 };
    record.result(plan, number).map(Some).map_err(damaged)
}

fn folder(directory: &Path) -> PathBuf {
    directory.join("shards")
}

fn path(folder: &Path, number: usize) -> PathBuf {
    folder.join(format!("{:04}", number / FOLDER)).join(format!("{number}.json"))
}

/// Makes a folder that lasts.
fn make(folder: &Path) -> Result<(), LedgerError> {
    if folder.is_dir() {
        return Ok(());
    }
    fs::create_dir_all(folder).map_err(|error| LedgerError::of_writing(folder, &error))?;
    folder.parent().map_or(Ok(()), sync_directory)
}

/// A temporary file with this content, written through, that others may read.
fn temporary(folder: &Path, content: &[u8]) -> Result<NamedTempFile, LedgerError> {
    let write = || {
        let mut file = tempfile::Builder::new().prefix(".writing-").tempfile_in(folder)?;
        file.write_all(content)?;
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            file.as_file().set_permissions(fs::Permissions::from_mode(0o644))?;
        }
        file.as_file().sync_all()?;
        Ok(file)
    };
    write().map_err(|error| LedgerError::of_writing(folder, &error))
}
