//! The database: its tables, how it is opened, and what its journal is.

use std::{
    fs::{self, File},
    io::{self, Read as _},
    path::{Path, PathBuf},
    time::Duration,
};

use rusqlite::{Connection, OpenFlags};
use tempfile::TempDir;

use crate::{Access, LedgerError};

/// The version of the tables.
pub(crate) const SCHEMA: i64 = 2;

/// What marks the file as a ledger of tmd: `tmdL`.
const APPLICATION: i64 = 0x746d_644c;

/// How long one who looks waits for others …
const PATIENCE_TO_READ: Duration = Duration::from_secs(60);

/// … and one who works: whatever others look at meanwhile, work of minutes is not to be lost for it.
const PATIENCE_TO_WRITE: Duration = Duration::from_secs(600);

/// docs/ledger.md describes each column.
pub(crate) const TABLES: &str = "
CREATE TABLE run (
    copy        INTEGER PRIMARY KEY,
    question    TEXT NOT NULL,
    plan_sha256 TEXT NOT NULL,
    sha256      TEXT NOT NULL,
    begun_at    REAL NOT NULL
);
CREATE TABLE region (
    number      INTEGER PRIMARY KEY,
    document    TEXT NOT NULL
);
CREATE TABLE worker (
    number      INTEGER PRIMARY KEY AUTOINCREMENT,
    name        TEXT NOT NULL,
    threads     INTEGER NOT NULL,
    beats       INTEGER NOT NULL DEFAULT 0,
    lease_s     REAL NOT NULL,
    joined_at   REAL NOT NULL,
    seen_at     REAL NOT NULL,
    left_at     REAL
);
CREATE TABLE unit (
    number      INTEGER PRIMARY KEY,
    region      INTEGER NOT NULL REFERENCES region (number),
    via         TEXT,
    first       TEXT NOT NULL,
    spacing     INTEGER NOT NULL,
    arguments   TEXT NOT NULL,
    planned_s   REAL NOT NULL,
    state       TEXT NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'leased', 'finished')),
    worker      INTEGER REFERENCES worker (number),
    failure     TEXT
);
CREATE INDEX unit_by_state ON unit (state, number);
CREATE TABLE result (
    unit        INTEGER PRIMARY KEY REFERENCES unit (number),
    document    TEXT NOT NULL,
    sha256      TEXT NOT NULL,
    cases       INTEGER NOT NULL,
    elapsed_s   REAL NOT NULL,
    worker      TEXT NOT NULL,
    finished_at REAL NOT NULL
);
CREATE TABLE damage (
    unit        INTEGER NOT NULL,
    reason      TEXT NOT NULL,
    found_at    REAL NOT NULL
);
";

/// The ledger's file in a run directory.
pub(crate) fn ledger_file(directory: &Path) -> PathBuf {
    directory.join("ledger.sqlite")
}

/// Whether a directory holds a run, or the shards of one.
pub fn is_run(directory: &Path) -> bool {
    ledger_file(directory).exists() || directory.join("shards").join("plan.json").exists()
}

/// An open database, and the copy it is read from, if the directory cannot be written.
pub(crate) struct Database {
    pub(crate) connection: Connection,
    _copy: Option<TempDir>,
}

impl Database {
    /// For reading and writing; made if it does not exist and may be made.
    pub(crate) fn to_write(path: &Path, may_create: bool) -> Result<Self, LedgerError> {
        // processes on several machines cannot share the memory that a write-ahead log needs
        let journal = if is_on_a_network(path) { Journal::Rollback } else { Journal::WriteAhead };
        Self::with(path, may_create, journal)
    }

    fn with(path: &Path, may_create: bool, journal: Journal) -> Result<Self, LedgerError> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let create = if may_create { OpenFlags::SQLITE_OPEN_CREATE } else { OpenFlags::empty() };
        let open = || {
            let connection = Connection::open_with_flags(path, flags | create)?;
            connection.busy_timeout(PATIENCE_TO_WRITE)?;
            let mode = match journal {
                Journal::WriteAhead => "PRAGMA journal_mode = WAL",
                Journal::Rollback => "PRAGMA journal_mode = DELETE",
            };
            let _: String = connection.query_row(mode, [], |row| row.get(0))?;
            // with a rollback journal EXTRA also writes the directory through, with a log it is FULL
            connection.execute_batch("PRAGMA synchronous = EXTRA; PRAGMA foreign_keys = ON;")?;
            Ok(connection)
        };
        let connection = open().map_err(|error| LedgerError::of_database(path, &error))?;
        Ok(Self { connection, _copy: None })
    }

    /// For reading only. Where nothing may be written, not even the index of a log, and where a rollback journal was left behind that
    /// nobody rolled back yet, a copy is read.
    pub(crate) fn to_read(path: &Path) -> Result<Self, LedgerError> {
        match read(path) {
            Ok(connection) => Ok(Self { connection, _copy: None }),
            Err(error @ (LedgerError::Damaged { .. } | LedgerError::Busy { .. })) => Err(error),
            Err(_) => Self::copy(path),
        }
    }

    fn copy(path: &Path) -> Result<Self, LedgerError> {
        let folder =
            tempfile::tempdir().map_err(|error| LedgerError::of_writing(&std::env::temp_dir(), &error))?;
        let copy = ledger_file(folder.path());
        let beside = |path: &Path, what: &str| PathBuf::from(format!("{}{what}", path.display()));
        // a log, or a journal that holds what the database was before a transaction that did not end
        let files = ["", "-wal", "-journal"];
        let stamps = || {
            files.map(|what| {
                fs::metadata(beside(path, what)).map(|file| (file.len(), file.modified().ok())).ok()
            })
        };
        for _ in 0..COPIES {
            let before = stamps();
            for what in files {
                let (from, to) = (beside(path, what), beside(&copy, what));
                match fs::copy(&from, &to) {
                    Ok(_) => {}
                    Err(error) if error.kind() == io::ErrorKind::NotFound && !what.is_empty() => {
                        let _ = fs::remove_file(&to);
                    }
                    Err(error) => return Err(LedgerError::of_reading(&from, &error)),
                }
            }
            // else somebody changed one of them meanwhile
            if before == stamps() {
                break;
            }
        }
        Ok(Self { connection: Self::to_write(&copy, false)?.connection, _copy: Some(folder) })
    }

    /// Marks the database as a ledger of this version.
    pub(crate) fn mark(connection: &Connection) -> rusqlite::Result<()> {
        connection.pragma_update(None, "application_id", APPLICATION)?;
        connection.pragma_update(None, "user_version", SCHEMA)
    }
}

/// Tries to copy a database that nobody changes meanwhile.
const COPIES: usize = 10;

/// How a transaction is made whole after a crash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Journal {
    WriteAhead,
    Rollback,
}

fn read(path: &Path) -> Result<Connection, LedgerError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let open = || {
        let connection = Connection::open_with_flags(path, flags)?;
        connection.busy_timeout(PATIENCE_TO_READ)?;
        // the file is looked at by the first question only
        connection.query_row("SELECT count(*) FROM sqlite_master", [], |row| row.get::<_, i64>(0))?;
        Ok(connection)
    };
    open().map_err(|error| LedgerError::of_database(path, &error))
}

/// Whether the number of the format, by which `SQLite` knows whether it may write the file, is none of those there are.
fn is_of_a_later_format(path: &Path) -> bool {
    let mut header = [0; 19];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut header));
    read.is_ok() && !(1..=2).contains(&header[18])
}

/// Whether nothing was written yet.
pub(crate) fn is_empty(connection: &Connection) -> rusqlite::Result<bool> {
    connection.query_row("SELECT count(*) = 0 FROM sqlite_master", [], |row| row.get(0))
}

/// Version, pages and indexes.
pub(crate) fn check(connection: &Connection, directory: &Path, access: Access) -> Result<(), LedgerError> {
    let path = ledger_file(directory);
    let sqlite = |error| LedgerError::of_database(&path, &error);
    let number =
        |name: &str| connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0)).map_err(sqlite);
    if is_empty(connection).map_err(sqlite)? {
        return Err(LedgerError::NotARun { path: directory.to_path_buf() });
    }
    if number("application_id")? != APPLICATION {
        let tables = "SELECT count(*) = 3 FROM sqlite_master WHERE type = 'table' AND name IN ('run', 'unit', 'result')";
        let is_ledger = connection.query_row(tables, [], |row| row.get::<_, bool>(0)).map_err(sqlite)?;
        return Err(if is_ledger {
            let reason = format!(
                "its application_id is not that of a ledger; PRAGMA application_id = {APPLICATION} is"
            );
            LedgerError::Damaged { path, reason }
        } else {
            LedgerError::NotARun { path: directory.to_path_buf() }
        });
    }
    if access == Access::Write && is_of_a_later_format(&path) {
        let reason = "its header says that only a later SQLite may write it".into();
        return Err(LedgerError::Damaged { path, reason });
    }
    let found = number("user_version")?;
    if found != SCHEMA {
        return Err(LedgerError::OtherSchema { path, found, expected: SCHEMA });
    }
    let verdict = || connection.query_row("PRAGMA integrity_check(1)", [], |row| row.get::<_, String>(0));
    let mut found = verdict().map_err(sqlite)?;
    if found != "ok" && access == Access::Write {
        // an index says nothing that its table does not say
        connection.execute_batch("REINDEX").map_err(sqlite)?;
        found = verdict().map_err(sqlite)?;
    }
    if found == "ok" { Ok(()) } else { Err(LedgerError::Damaged { path, reason: found }) }
}

/// Makes the entries of a directory last.
pub(crate) fn sync_directory(directory: &Path) -> Result<(), LedgerError> {
    if cfg!(unix) {
        let synced = File::open(directory).and_then(|directory| directory.sync_all());
        synced.map_err(|error| LedgerError::of_writing(directory, &error))?;
    }
    Ok(())
}

/// Whether the file is on a network's file system, as far as Linux says.
fn is_on_a_network(path: &Path) -> bool {
    let path = path.parent().and_then(|folder| folder.canonicalize().ok());
    let mounts = fs::read_to_string("/proc/self/mounts");
    path.zip(mounts.ok()).is_some_and(|(path, mounts)| is_network(&path, &mounts))
}

/// Kinds of file systems that several machines see.
const NETWORK: [&str; 24] = [
    "nfs",
    "nfs4",
    "cifs",
    "smb3",
    "smbfs",
    "9p",
    "afs",
    "ceph",
    "lustre",
    "gpfs",
    "beegfs",
    "glusterfs",
    "gfs2",
    "ocfs2",
    "orangefs",
    "pvfs2",
    "ceph-fuse",
    "sshfs",
    "virtiofs",
    "panfs",
    "dvs",
    "juicefs",
    "moosefs",
    "wekafs",
];

/// The same, from the lines of `/proc/self/mounts`.
fn is_network(path: &Path, mounts: &str) -> bool {
    let mount = |line: &str| {
        let mut words = line.split(' ').skip(1);
        // spaces are written in octal
        let place = words.next()?.replace("\\040", " ");
        let kind = words.next()?.to_owned();
        path.starts_with(&place).then_some((place.len(), kind))
    };
    // later ones hide earlier ones at the same place
    let kind = mounts.lines().filter_map(mount).max_by_key(|(length, _)| *length).map(|(_, kind)| kind);
    kind.is_some_and(|kind| {
        let kind = kind.strip_prefix("fuse.").unwrap_or(&kind);
        NETWORK.contains(&kind)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A ledger that comes from one file system to the other.
    #[test]
    fn journals_change_and_keep_what_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = ledger_file(folder.path());
        for (count, (journal, name)) in [
            (Journal::WriteAhead, "wal"),
            (Journal::Rollback, "delete"),
            (Journal::Rollback, "delete"),
            (Journal::WriteAhead, "wal"),
        ]
        .into_iter()
        .enumerate()
        {
            let Database { connection, .. } = Database::with(&path, count == 0, journal).unwrap();
            let mode: String = connection.pragma_query_value(None, "journal_mode", |row| row.get(0)).unwrap();
            let synchronous: i64 =
                connection.pragma_query_value(None, "synchronous", |row| row.get(0)).unwrap();
            assert_eq!((mode.as_str(), synchronous), (name, 3), "written through in either way");
            connection.execute_batch("CREATE TABLE IF NOT EXISTS a (b); INSERT INTO a VALUES (1)").unwrap();
            let rows: i64 = connection.query_row("SELECT count(*) FROM a", [], |row| row.get(0)).unwrap();
            assert_eq!(rows as usize, count + 1);
        }
    }

    /// A process that was killed amid a transaction leaves its journal behind, and pages that nobody committed.
    #[test]
    fn a_journal_that_was_left_behind() {
        let folder = tempfile::tempdir().unwrap();
        let path = ledger_file(folder.path());
        let Database { connection, .. } = Database::with(&path, true, Journal::Rollback).unwrap();
        connection.execute_batch("CREATE TABLE a (b); INSERT INTO a VALUES (1)").unwrap();
        connection.execute_batch("BEGIN; INSERT INTO a VALUES (2); UPDATE a SET b = b + 10").unwrap();
        connection.cache_flush().unwrap();
        let left = tempfile::tempdir().unwrap();
        let dead = ledger_file(left.path());
        for what in ["", "-journal"] {
            let name = |path: &Path| format!("{}{what}", path.display());
            fs::copy(name(&path), name(&dead)).unwrap();
        }
        let sum = |connection: &Connection| -> i64 {
            connection.query_row("SELECT sum(b) FROM a", [], |row| row.get(0)).unwrap()
        };
        // what was flushed is really in the file
        fs::copy(&dead, folder.path().join("alone")).unwrap();
        assert_eq!(sum(&Connection::open(folder.path().join("alone")).unwrap()), 23);
        for _ in 0..2 {
            assert_eq!(sum(&Database::to_read(&dead).unwrap().connection), 1);
        }
        assert!(left.path().join("ledger.sqlite-journal").exists(), "a look changes nothing");
        assert_eq!(sum(&Database::to_write(&dead, false).unwrap().connection), 1);
    }

    #[test]
    fn file_systems_of_networks() {
        let mounts = "/dev/sda / ext4 rw 0 0\nserver:/home /home nfs4 rw 0 0\ntmpfs /home/my\\040run tmpfs rw 0 0\n\
                      a /g fuse.glusterfs rw 0 0\nceph-fuse /c fuse.ceph-fuse rw 0 0\n";
        for (path, expected) in [
            ("/run", false),
            ("/home/a", true),
            ("/home/my run/b", false),
            ("/homer", false),
            ("/g/x", true),
            ("/c", true),
        ] {
            assert_eq!(is_network(Path::new(path), mounts), expected, "{path}");
        }
    }
}
