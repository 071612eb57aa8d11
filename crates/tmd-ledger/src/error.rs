//! [`LedgerError`]: why a run directory cannot be used.

use std::{
    io,
    path::{Path, PathBuf},
};

use rusqlite::ErrorCode;
use tmd_driver::DriverError;

use crate::words::quoted;

/// Errors of run directories. Each says what is wrong and, where there is one, a way out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum LedgerError {
    /// There is no ledger.
    #[error("{} is not a run directory: there is no ledger in it; tmd solve --run makes one", quoted(path))]
    NotARun { path: PathBuf },
    /// A run of the same question is there already.
    #[error("{} holds a run of this question already; go on with tmd resume {}", quoted(path), quoted(path))]
    Exists { path: PathBuf },
    /// Other files are there.
    #[error("{} is not empty, and no run directory; name a directory that is new or empty", quoted(path))]
    Occupied { path: PathBuf },
    /// The run is of another question.
    #[error("{} holds another question: {}; name another directory", quoted(path), differences.join(", "))]
    OtherQuestion { path: PathBuf, differences: Vec<String> },
    /// The plan that this program makes of the question is not the one of the run.
    #[error(
        "the plan of {} is not the one that this program makes of its question: {difference}; go on with the program that began it, or begin a new run in another directory and compare the two by tmd merge",
        quoted(path)
    )]
    OtherPlan { path: PathBuf, difference: String },
    /// The ledger is of another version.
    #[error(
        "{} is a ledger of version {found}, and this program reads version {expected}; use the program that wrote it",
        quoted(path)
    )]
    OtherSchema { path: PathBuf, found: i64, expected: i64 },
    /// The database itself is damaged.
    #[error(
        "{} is damaged: {reason}; tmd resume mends what it can; if it says the same, save what can be read by `sqlite3 {} .recover | sqlite3 new.sqlite`, put new.sqlite in its place without the files -wal and -shm, and tmd resume searches the rest again",
        quoted(path),
        quoted(path)
    )]
    Damaged { path: PathBuf, reason: String },
    /// Two results of the same unit differ.
    #[error(
        "results of unit {unit}, at {first}, DISAGREE: {difference}; one of the two machines or programs is wrong: please find out which; both results are kept, the unit does not count, and tmd resume searches it again"
    )]
    Disagreement { unit: usize, first: String, difference: String },
    /// A result is not of the unit that it claims to be of, or none that a search may have.
    #[error("a result named for unit {unit} does not belong to it: {reason}")]
    ForeignResult { unit: usize, reason: String },
    /// No space is left.
    #[error(
        "there is no space left to write {}: {reason}; all finished units are kept: make space, then tmd resume goes on, or the same tmd work",
        quoted(path)
    )]
    Full { path: PathBuf, reason: String },
    /// No space is left for a run to begin.
    #[error(
        "there is no space left to begin a run: {} cannot be written: {reason}; nothing was begun: make space, then give the same command again",
        quoted(path)
    )]
    NoRoom { path: PathBuf, reason: String },
    /// There is no place for a copy of a ledger that may not be written.
    #[error(
        "{} may not be written, and {} has no place for a copy to read: {reason}; set TMPDIR to a directory that you may write to",
        quoted(path),
        quoted(folder)
    )]
    NoCopy { path: PathBuf, folder: PathBuf, reason: String },
    /// A file or directory that cannot be written.
    #[error("cannot write {}: {reason}; a run needs a directory that you may write to", quoted(path))]
    Unwritable { path: PathBuf, reason: String },
    /// A file that cannot be read.
    #[error("cannot read {}: {reason}", quoted(path))]
    Unreadable { path: PathBuf, reason: String },
    /// Others hold the ledger for longer than one waits.
    #[error(
        "{} is busy for minutes: {reason}; if its file system is a network's, use tmd shard",
        quoted(path)
    )]
    Busy { path: PathBuf, reason: String },
    /// `SQLite` fails for another reason.
    #[error("{}: {reason}", quoted(path))]
    Database { path: PathBuf, reason: String },
    /// A shard that there is not.
    #[error("there is no shard {index}/{count}: {reason}")]
    Shard { index: u64, count: u64, reason: String },
    /// The search refuses.
    #[error(transparent)]
    Driver(#[from] DriverError),
}

impl LedgerError {
    /// Whether the question, or the directory that was named, is at fault, not the machine.
    pub const fn is_of_the_question(&self) -> bool {
        matches!(
            self,
            Self::NotARun { .. }
                | Self::Exists { .. }
                | Self::Occupied { .. }
                | Self::OtherQuestion { .. }
                | Self::OtherPlan { .. }
                | Self::OtherSchema { .. }
                | Self::Unwritable { .. }
                | Self::Unreadable { .. }
                | Self::ForeignResult { .. }
                | Self::Shard { .. }
        )
    }

    /// What `SQLite` says of the file at `path`.
    pub(crate) fn of_database(path: &Path, error: &rusqlite::Error) -> Self {
        let (path, reason) = (path.to_path_buf(), error.to_string());
        match error.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => Self::Full { path, reason },
            Some(ErrorCode::SystemIoFailure) if is_of_writing(error) => Self::Full { path, reason },
            Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied | ErrorCode::CannotOpen) => {
                Self::Unwritable { path, reason }
            }
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::Busy { path, reason },
            // without a code: a column of the wrong kind, a text that is none; unknown: a table
            // that is missing
            None
            | Some(
                ErrorCode::DatabaseCorrupt
                | ErrorCode::NotADatabase
                | ErrorCode::Unknown
                | ErrorCode::TypeMismatch,
            ) => Self::Damaged { path, reason },
            Some(_) => Self::Database { path, reason },
        }
    }

    /// What the system says of writing the file at `path`.
    pub(crate) fn of_writing(path: &Path, error: &io::Error) -> Self {
        let (path, reason) = (path.to_path_buf(), error.to_string());
        match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => {
                Self::Full { path, reason }
            }
            _ => Self::Unwritable { path, reason },
        }
    }

    /// What the system says of a copy of the ledger at `path`.
    pub(crate) fn of_copying(path: &Path, folder: &Path, error: &io::Error) -> Self {
        Self::NoCopy { path: path.to_path_buf(), folder: folder.to_path_buf(), reason: error.to_string() }
    }

    /// What the system says of reading the file at `path`.
    pub(crate) fn of_reading(path: &Path, error: &io::Error) -> Self {
        Self::Unreadable { path: path.to_path_buf(), reason: error.to_string() }
    }
}

/// Whether an input or output error is one of writing: what a quota or a limit of sizes leads to.
fn is_of_writing(error: &rusqlite::Error) -> bool {
    use rusqlite::ffi;
    let code = error.sqlite_error().map(|error| error.extended_code);
    code.is_some_and(|code| {
        matches!(
            code,
            ffi::SQLITE_IOERR_WRITE
                | ffi::SQLITE_IOERR_FSYNC
                | ffi::SQLITE_IOERR_DIR_FSYNC
                | ffi::SQLITE_IOERR_TRUNCATE
                | ffi::SQLITE_IOERR_SHMOPEN
                | ffi::SQLITE_IOERR_SHMSIZE
                | ffi::SQLITE_IOERR_SHMMAP
        )
    })
}
