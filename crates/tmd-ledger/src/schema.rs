//! The tables, their versions, and what is looked at before they are used.

use std::path::Path;

use rusqlite::Connection;

use crate::{
    Access, LedgerError,
    database::{Database, ledger_file},
};

/// The version of the tables.
pub(crate) const SCHEMA: i64 = 3;

/// What marks the file as a ledger of tmd: `tmdL`.
const APPLICATION: i64 = 0x746d_644c;

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
CREATE TABLE disputed (
    unit        INTEGER NOT NULL,
    sha256      TEXT NOT NULL,
    document    TEXT,
    source      TEXT NOT NULL,
    difference  TEXT NOT NULL,
    found_at    REAL NOT NULL,
    verdict     TEXT CHECK (verdict IN ('agrees', 'differs')),
    PRIMARY KEY (unit, sha256)
);
";

/// Marks the database as a ledger of this version.
pub(crate) fn mark(connection: &Connection) -> rusqlite::Result<()> {
    connection.pragma_update(None, "application_id", APPLICATION)?;
    connection.pragma_update(None, "user_version", SCHEMA)
}

/// Whether nothing was written yet.
pub(crate) fn is_empty(connection: &Connection) -> rusqlite::Result<bool> {
    connection.query_row("SELECT count(*) = 0 FROM sqlite_master", [], |row| row.get(0))
}

/// Version, pages and indexes.
pub(crate) fn check(database: &Database, directory: &Path, access: Access) -> Result<(), LedgerError> {
    let (connection, path) = (&database.connection, ledger_file(directory));
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
    if access == Access::Write && database.is_of_a_later_format().map_err(sqlite)? {
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
    if found != "ok" {
        return Err(LedgerError::Damaged { path, reason: found });
    }
    Ok(())
}
