//! `results/unfinished/`: runs that no machine had the time to finish, kept where the data set is,
//! so that another machine goes on with them.
//!
//! Of a run there are its ledger, the seconds that it took so far, and what `tmd status` says of
//! it. A job whose run directory is missing begins with what is here; a job that is done takes it
//! away.

use std::{
    fs,
    path::{Path, PathBuf},
};

use super::{Job, Tool, failure, record, run_directory, said};
use crate::run::{Failure, root};

/// The name of a ledger in its run directory.
pub(super) const LEDGER: &str = "ledger.sqlite";

/// What is kept of a run, by the endings of the files' names: the ledger last, which says that all
/// is there.
const ENDINGS: [&str; 3] = ["json", "seconds", "sqlite"];

/// The file of a job's run in a folder of results.
fn file(results: &Path, job: &Job, ending: &str) -> PathBuf {
    results.join("unfinished").join(format!("{}.{ending}", job.run_name()))
}

/// Writes a file as a whole, or not at all.
fn copy(from: &Path, to: &Path) -> Result<(), Failure> {
    let folder = to.parent().unwrap_or(to);
    fs::create_dir_all(folder).map_err(|error| failure(folder, &error))?;
    let part = to.with_extension("part");
    fs::copy(from, &part).map_err(|error| failure(from, &error))?;
    fs::rename(&part, to).map_err(|error| failure(to, &error))
}

/// Makes the run directory of a job of what was kept, if there is no run and something was.
pub(super) fn fetch(job: &Job) -> Result<(), Failure> {
    fetch_from(&root().join("results"), job, &run_directory(job))
}

fn fetch_from(results: &Path, job: &Job, run: &Path) -> Result<(), Failure> {
    let kept = file(results, job, "sqlite");
    if run.join(LEDGER).exists() || !kept.is_file() {
        return Ok(());
    }
    let json = file(results, job, "json");
    let status = fs::read_to_string(&json).map_err(|error| failure(&json, &error))?;
    if number(&status, "extra_bits") != Some(job.target.extra_bits.into()) {
        return Err(Failure::step(format!("{} is of another question: take it away", kept.display())));
    }
    let seconds = file(results, job, "seconds");
    if seconds.is_file() {
        copy(&seconds, &record::seconds_file(run))?;
    }
    copy(&kept, &run.join(LEDGER))?;
    println!("{}: goes on with {}", job.stem(), kept.display());
    Ok(())
}

/// Keeps the run of a job that is not finished, in place of what was kept before.
pub(super) fn keep(tool: &Tool, job: &Job) -> Result<(), Failure> {
    let run = run_directory(job);
    if !run.join(LEDGER).is_file() {
        return Ok(());
    }
    let status = said(tool, &["status".into(), run.display().to_string(), "--json".into()])?;
    keep_in(&root().join("results"), job, &run, &status)
}

fn keep_in(results: &Path, job: &Job, run: &Path, status: &str) -> Result<(), Failure> {
    // SQLite takes its log away when the last process closes the ledger
    let log = run.join(format!("{LEDGER}-wal"));
    if fs::metadata(&log).is_ok_and(|log| log.len() > 0) {
        return Err(Failure::step(format!(
            "{}: not kept, as another process works on it, or one was killed: `tmd resume` it, and let it end",
            run.display()
        )));
    }
    let [json, seconds, ledger] = ENDINGS.map(|ending| file(results, job, ending));
    let finished = |status: &str| number(status, "finished");
    let before = fs::read_to_string(&json).ok().filter(|_| ledger.is_file());
    if before.as_deref().and_then(finished) > finished(status) {
        return Err(Failure::step(format!(
            "{}: not kept, as {} has more units: `tmd merge` the one into the other",
            run.display(),
            ledger.display()
        )));
    }
    if record::seconds_file(run).is_file() {
        copy(&record::seconds_file(run), &seconds)?;
    }
    fs::create_dir_all(results.join("unfinished")).map_err(|error| failure(&json, &error))?;
    fs::write(&json, status).map_err(|error| failure(&json, &error))?;
    copy(&run.join(LEDGER), &ledger)?;
    println!("{}: {}, kept as {}", job.stem(), units(status).unwrap_or_default(), ledger.display());
    Ok(())
}

/// Takes away what was kept of a job.
pub(super) fn forget(job: &Job) {
    for ending in ENDINGS {
        let _ = fs::remove_file(file(&root().join("results"), job, ending));
    }
    // only if nothing else is in it
    let _ = fs::remove_dir(root().join("results/unfinished"));
}

/// How far the run of a job is that was kept: `13 of 124 units`.
pub(super) fn units_of(results: &Path, job: &Job) -> Option<String> {
    units(&fs::read_to_string(file(results, job, "json")).ok()?)
}

/// How far a run is, by what `tmd status --json` says.
fn units(status: &str) -> Option<String> {
    Some(format!("{} of {} units", number(status, "finished")?, number(status, "units")?))
}

/// The first number of a name in what `tmd status --json` says.
fn number(status: &str, name: &str) -> Option<u64> {
    let (_, rest) = status.split_once(&format!("\"{name}\":"))?;
    rest.split([',', '}', '\n']).next()?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::{super::jobs, *};

    const STATUS: &str = "{\n  \"question\": {\"extra_bits\": 56},\n  \"units\": 124,\n  \"finished\": 13,\n  \"binades\": [{\"units\": 6, \"finished\": 6}]\n}\n";

    /// A run is kept, and another machine, which has none, goes on with it; one that has its own is
    /// left alone.
    #[test]
    fn kept_and_fetched() {
        let folder = std::env::temp_dir().join(format!("tmd-unfinished-{}", std::process::id()));
        let (results, here, there) =
            (folder.join("results"), folder.join("here/run"), folder.join("there/run"));
        let job = jobs::jobs(&["exp2".into()], &["x87".into()]).unwrap()[0];
        fs::create_dir_all(&here).unwrap();
        fetch_from(&results, &job, &there).unwrap();
        assert!(!there.exists(), "nothing was kept");
        fs::write(here.join(LEDGER), "units").unwrap();
        fs::write(record::seconds_file(&here), "95.00 100.00\n").unwrap();
        keep_in(&results, &job, &here, STATUS).unwrap();
        assert_eq!(units_of(&results, &job).as_deref(), Some("13 of 124 units"));
        let mut other = job;
        other.target.extra_bits += 1;
        assert!(fetch_from(&results, &other, &there).is_err() && !there.exists());
        fetch_from(&results, &job, &there).unwrap();
        let read = |path: &Path| fs::read_to_string(path).unwrap();
        assert_eq!(read(&there.join(LEDGER)), "units");
        assert_eq!(read(&record::seconds_file(&there)), "95.00 100.00\n");
        fs::write(there.join(LEDGER), "more units").unwrap();
        fetch_from(&results, &job, &there).unwrap();
        assert_eq!(read(&there.join(LEDGER)), "more units");
        // what is in the log only would be lost
        fs::write(there.join("ledger.sqlite-wal"), "most of it").unwrap();
        assert!(keep_in(&results, &job, &there, STATUS).is_err());
        assert_eq!(read(&file(&results, &job, "sqlite")), "units");
        fs::write(there.join("ledger.sqlite-wal"), "").unwrap();
        keep_in(&results, &job, &there, STATUS).unwrap();
        assert_eq!(read(&file(&results, &job, "sqlite")), "more units");
        // another run of it, which is not as far
        let less = STATUS.replace("13", "12");
        assert!(keep_in(&results, &job, &here, &less).is_err());
        assert_eq!(read(&file(&results, &job, "sqlite")), "more units");
        assert_eq!(fs::read_dir(results.join("unfinished")).unwrap().count(), ENDINGS.len());
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn how_far_a_run_is() {
        assert_eq!(units(STATUS).as_deref(), Some("13 of 124 units"));
        assert_eq!(units("{}"), None);
    }

    /// What is done needs no run.
    #[test]
    fn nothing_is_kept_of_what_is_done() {
        for job in jobs::jobs(&[], &[]).unwrap() {
            let is_kept = units_of(&root().join("results"), &job).is_some();
            assert!(!(is_kept && super::super::is_done(&job)), "{}", job.stem());
        }
    }
}
