//! The database: how it is opened, and what its journal is.

use std::{
    ffi::OsString,
    fs::{self, File},
    io,
    path::{Path, PathBuf},
    time::Duration,
};

use rusqlite::{Connection, MAIN_DB, OpenFlags};
use tempfile::TempDir;

use crate::LedgerError;

/// How long one who looks waits for others …
const PATIENCE_TO_READ: Duration = Duration::from_secs(60);

/// … and one who works: whatever others look at meanwhile, work of minutes is not to be lost for
/// it.
const PATIENCE_TO_WRITE: Duration = Duration::from_secs(600);

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
    /// whether the file was opened for writing
    is_writable: bool,
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
        let file = named(path);
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let create = if may_create { OpenFlags::SQLITE_OPEN_CREATE } else { OpenFlags::empty() };
        let open = || {
            let connection = Connection::open_with_flags(&file, flags | create)?;
            // nothing of it was read yet
            let is_writable = !connection.is_readonly(MAIN_DB)?;
            connection.busy_timeout(PATIENCE_TO_WRITE)?;
            let mode = match journal {
                Journal::WriteAhead => "PRAGMA journal_mode = WAL",
                Journal::Rollback => "PRAGMA journal_mode = DELETE",
            };
            let _: String = connection.query_row(mode, [], |row| row.get(0))?;
            // with a rollback journal EXTRA also writes the directory through, with a log it is
            // FULL
            connection.execute_batch("PRAGMA synchronous = EXTRA; PRAGMA foreign_keys = ON;")?;
            Ok(Self { connection, is_writable, _copy: None })
        };
        open().map_err(|error| LedgerError::of_database(path, &error))
    }

    /// Whether `SQLite`, once it has read from the file, says that it may not write it, because of
    /// the number of its format.
    ///
    /// The file itself must not be looked at: closing it would end all locks that this process has
    /// on it, and the next process to leave the run would delete the log that this one writes.
    pub(crate) fn is_of_a_later_format(&self) -> rusqlite::Result<bool> {
        Ok(self.is_writable && self.connection.is_readonly(MAIN_DB)?)
    }

    /// For reading only. Where nothing may be written, not even the index of a log, and where a
    /// rollback journal was left behind that nobody rolled back yet, a copy is read.
    pub(crate) fn to_read(path: &Path) -> Result<Self, LedgerError> {
        match read(path) {
            Ok(connection) => Ok(Self { connection, is_writable: false, _copy: None }),
            Err(error @ (LedgerError::Damaged { .. } | LedgerError::Busy { .. })) => Err(error),
            Err(_) => Self::copy(path),
        }
    }

    fn copy(path: &Path) -> Result<Self, LedgerError> {
        let folder = folder_for_a_copy(path)?;
        let copy = ledger_file(folder.path());
        // a log, or a journal that holds what the database was before a transaction that did not
        // end
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
                match File::open(&from) {
                    Ok(mut from) => {
                        // a new file, without the permissions of the old one: the copy is to be
                        // written
                        let written = File::create(&to).and_then(|mut to| io::copy(&mut from, &mut to));
                        written.map_err(|error| LedgerError::of_copying(path, &to, &error))?;
                    }
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
        Ok(Self { _copy: Some(folder), ..Self::to_write(&copy, false)? })
    }
}

/// The file as `SQLite` is told of it: `file:xx` would be an address, and another file's.
fn named(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| Path::new(".").join(path))
}

/// The file beside the database whose name goes on like this, whether the name is a text or not.
fn beside(path: &Path, what: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(what);
    name.into()
}

/// A folder where the copy of a database fits: that of temporary files, or where else one may
/// write.
fn folder_for_a_copy(path: &Path) -> Result<TempDir, LedgerError> {
    let usual = std::env::temp_dir();
    let others = ["/dev/shm", "/var/tmp", "/tmp", "."].map(PathBuf::from);
    let made = tempfile::tempdir_in(&usual);
    let elsewhere = || others.iter().find_map(|folder| tempfile::tempdir_in(folder).ok());
    made.or_else(|error| elsewhere().ok_or(error))
        .map_err(|error| LedgerError::of_copying(path, &usual, &error))
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
    let file = named(path);
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let open = || {
        let connection = Connection::open_with_flags(&file, flags)?;
        connection.busy_timeout(PATIENCE_TO_READ)?;
        // what is looked at through views needs no file
        connection.pragma_update(None, "temp_store", "MEMORY")?;
        // the file is looked at by the first question only
        connection.query_row("SELECT count(*) FROM sqlite_master", [], |row| row.get::<_, i64>(0))?;
        Ok(connection)
    };
    open().map_err(|error| LedgerError::of_database(path, &error))
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
    // names that are no text are those of other mounts, or as odd on both sides
    let mounts = fs::read("/proc/self/mounts").map(|mounts| String::from_utf8_lossy(&mounts).into_owned());
    let path = path.map(|path| PathBuf::from(path.to_string_lossy().into_owned()));
    path.zip(mounts.ok()).is_some_and(|(path, mounts)| is_network(&path, &mounts))
}

/// Kinds of file systems that several machines see.
const NETWORK: &str = "nfs nfs4 cifs smb3 smbfs 9p afs ceph lustre gpfs beegfs glusterfs gfs2 ocfs2 \
    orangefs pvfs2 ceph-fuse sshfs virtiofs panfs dvs juicefs moosefs wekafs";

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
        NETWORK.split(' ').any(|known| known == kind)
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

    /// A process that was killed amid a transaction leaves its journal behind, and pages that
    /// nobody committed.
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
