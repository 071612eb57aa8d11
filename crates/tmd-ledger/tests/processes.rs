//! Several processes at one run directory.

mod common;

use std::{env, process::Command, time::Duration};

use common::{Asked, begun, sqlite};
use rusqlite::ErrorCode;
use tmd_ledger::{Access, Ledger};

/// Where the other process finds the run.
const RUN: &str = "TMD_TEST_RUN";

/// A process that works on a run has its lock on the database, so that no other one takes itself
/// for the last to leave and deletes the log: the sqlite3 shell did (3.40.1; later versions look at
/// other locks, too).
#[test]
fn a_run_in_work_is_locked() {
    if let Some(directory) = env::var_os(RUN) {
        // the other process wants the database for itself
        let ledger = sqlite(directory.as_ref());
        ledger.busy_timeout(Duration::ZERO).unwrap();
        ledger.pragma_update(None, "locking_mode", "EXCLUSIVE").unwrap();
        let asked = ledger.query_row("SELECT count(*) FROM result", [], |row| row.get::<_, i64>(0));
        assert_eq!(asked.unwrap_err().sqlite_error_code(), Some(ErrorCode::DatabaseBusy));
        return;
    }
    let asked = Asked::new("exp", 12);
    let (folder, _, ledger) = begun(&asked.solve());
    let is_refused_elsewhere = || {
        let mut other = Command::new(env::current_exe().unwrap());
        let words = ["--exact", "a_run_in_work_is_locked"];
        other.args(words).env(RUN, folder.path()).output().unwrap().status.success()
    };
    assert!(is_refused_elsewhere(), "of a run that was begun");
    drop(ledger);
    let ledger = Ledger::open(folder.path(), Access::Write).unwrap();
    assert!(is_refused_elsewhere(), "of one that goes on");
    drop(ledger);
    assert!(!is_refused_elsewhere(), "nobody works on it");
}
