//! `results/unfinished/`: runs that no machine had the time to finish, kept where the data set is,
//! so that another machine goes on with them.
//!
//! A folder of a job is a run directory: its ledger, what `tmd status` says of it, and the seconds
//! that it took so far. A job whose run directory is missing begins with what is here; one that has
//! its own takes in the units that are here; a job that is done takes the folder away.

use std::{
    fs,
    path::{Path, PathBuf},
};

use super::{Job, Tool, failure, record, run_directory, said};
use crate::run::{Failure, root};

/// The name of a ledger in its run directory.
pub(crate) const LEDGER: &str = "ledger.sqlite";

/// The other files of a folder.
const STATUS: &str = "status.json";
const SECONDS: &str = "seconds";

/// Where the run of a job is kept, below a folder of results.
fn kept(results: &Path, job: &Job) -> PathBuf {
    results.join("unfinished").join(job.run_name())
}

/// Writes a file as a whole, or not at all.
fn copy(from: &Path, to: &Path) -> Result<(), Failure> {
    let text = fs::read(from).map_err(|error| failure(from, &error))?;
    write(to, &text)
}

fn write(to: &Path, text: &[u8]) -> Result<(), Failure> {
    let folder = to.parent().unwrap_or(to);
    fs::create_dir_all(folder).map_err(|error| failure(folder, &error))?;
    let part = to.with_extension("part");
    fs::write(&part, text).map_err(|error| failure(&part, &error))?;
    fs::rename(&part, to).map_err(|error| failure(to, &error))
}

/// Makes the run directory of a job of what was kept, and says so; a run that is there takes in
/// what was kept.
pub(super) fn fetch(tool: &Tool, job: &Job) -> Result<bool, Failure> {
    let (results, run) = (root().join("results"), run_directory(job));
    let is_fetched = fetch_from(&results, job, &run)?;
    if !is_fetched {
        take_in(tool, &results, job, &run)?;
    }
    Ok(is_fetched)
}

fn fetch_from(results: &Path, job: &Job, run: &Path) -> Result<bool, Failure> {
    let kept = kept(results, job);
    if run.join(LEDGER).exists() || !is_kept(&kept, job) {
        return Ok(false);
    }
    let seconds = kept.join(SECONDS);
    if seconds.is_file() {
        copy(&seconds, &record::seconds_file(run))?;
    }
    copy(&kept.join(LEDGER), &run.join(LEDGER))?;
    println!("{}: goes on with {}", job.stem(), kept.display());
    Ok(true)
}

/// Whether there is a run of this job's question.
fn is_kept(kept: &Path, job: &Job) -> bool {
    kept.join(LEDGER).is_file()
        && fs::read_to_string(kept.join(STATUS)).is_ok_and(|status| {
            let is_of = is_of(&status, job);
            if !is_of {
                println!(
                    "{}: {} is a run of another question: it stays as it is",
                    job.stem(),
                    kept.display()
                );
            }
            is_of
        })
}

/// Begins anew where a run that was fetched cannot be gone on with: it may be in lanes that this
/// processor has not, or of another version. What is kept stays.
pub(super) fn leave(job: &Job) -> Result<bool, Failure> {
    leave_in(&root().join("results"), job, &run_directory(job))
}

fn leave_in(results: &Path, job: &Job, run: &Path) -> Result<bool, Failure> {
    let read = |folder: &Path| fs::read(folder.join(LEDGER)).ok();
    // not a unit more than was fetched
    if read(run).is_none() || read(run) != read(&kept(results, job)) {
        return Ok(false);
    }
    fs::remove_dir_all(run).map_err(|error| failure(run, &error))?;
    record::forget(run);
    println!("{}: what is kept is of another engine or version, and stays: this begins anew", job.stem());
    Ok(true)
}

/// Takes the units that were kept into a run, if there are both. Runs of another engine or plan do
/// not mix: then nothing is taken.
fn take_in(tool: &Tool, results: &Path, job: &Job, run: &Path) -> Result<(), Failure> {
    let kept = kept(results, job);
    if !run.join(LEDGER).is_file() || !is_kept(&kept, job) {
        return Ok(());
    }
    // SQLite writes beside a ledger that it reads
    let other = run.with_extension("kept");
    copy(&kept.join(LEDGER), &other.join(LEDGER))?;
    let words = ["merge".into(), run.display().to_string(), other.display().to_string()];
    let said = said(tool, &words);
    fs::remove_dir_all(&other).map_err(|error| failure(&other, &error))?;
    match said {
        Ok(said) => {
            print!("{said}");
            // what these took nobody knows: it may be in both sums
            if taken_in(&said, &other) > 0 {
                record::forget(run);
            }
        }
        Err(failure) => println!("{}: nothing is taken of what is kept: {failure}", job.stem()),
    }
    Ok(())
}

/// How many results came from a run, by what `tmd merge` says.
fn taken_in(said: &str, other: &Path) -> u64 {
    let start = format!("{}: ", other.display());
    let of = |line: &str| line.strip_prefix(&start)?.split_once(" results taken in")?.0.parse().ok();
    said.lines().find_map(of).unwrap_or(0)
}

/// Keeps the run of a job that is not finished, with all that was kept before.
pub(super) fn keep(tool: &Tool, job: &Job) -> Result<(), Failure> {
    let (results, run) = (root().join("results"), run_directory(job));
    if !run.join(LEDGER).is_file() {
        return Ok(());
    }
    take_in(tool, &results, job, &run)?;
    let status = said(tool, &["status".into(), run.display().to_string(), "--json".into()])?;
    keep_in(&results, job, &run, &status)
}

fn keep_in(results: &Path, job: &Job, run: &Path, status: &str) -> Result<(), Failure> {
    let not_kept = |why: String| Failure::step(format!("{}: not kept, as {why}", run.display()));
    // SQLite takes its log away when the last process closes the ledger
    let log = run.join(format!("{LEDGER}-wal"));
    if fs::metadata(&log).is_ok_and(|log| log.len() > 0) {
        let why = "another process works on it, or one was killed: `tmd resume` it, and let it end";
        return Err(not_kept(why.into()));
    }
    if !is_of(status, job) {
        return Err(not_kept(format!("it is a run of another question than that of {}", job.stem())));
    }
    let kept = kept(results, job);
    let (ledger, seconds) = (kept.join(LEDGER), kept.join(SECONDS));
    if ledger.is_file() {
        let before =
            fs::read_to_string(kept.join(STATUS)).map_err(|error| failure(&kept.join(STATUS), &error))?;
        // of one question and plan, of which it has all units (`take_in`)
        let is_same = question(&before) == question(status)
            && number(&before, "units") == number(status, "units")
            && number(&before, "finished") <= number(status, "finished");
        if !is_same {
            return Err(not_kept(format!(
                "{} is a run of another engine or plan, or has more",
                kept.display()
            )));
        }
    }
    copy(&run.join(LEDGER), &ledger)?;
    if record::seconds_file(run).is_file() {
        copy(&record::seconds_file(run), &seconds)?;
    } else if seconds.is_file() {
        fs::remove_file(&seconds).map_err(|error| failure(&seconds, &error))?;
    }
    write(&kept.join(STATUS), status.as_bytes())?;
    println!("{}: {}, kept as {}", job.stem(), units(status).unwrap_or_default(), kept.display());
    Ok(())
}

/// Takes away what was kept of a job.
pub(super) fn forget(job: &Job) {
    let results = root().join("results");
    let _ = fs::remove_dir_all(kept(&results, job));
    // only if nothing else is in it
    let _ = fs::remove_dir(results.join("unfinished"));
}

/// How far the run of a job is that was kept: `13 of 124 units`.
pub(super) fn units_of(results: &Path, job: &Job) -> Option<String> {
    units(&fs::read_to_string(kept(results, job).join(STATUS)).ok()?)
}

/// How far a run is, by what `tmd status --json` says.
fn units(status: &str) -> Option<String> {
    Some(format!("{} of {} units", number(status, "finished")?, number(status, "units")?))
}

/// Whether a run is of a job's question, by what `tmd status --json` says.
fn is_of(status: &str, job: &Job) -> bool {
    let Some(question) = question(status) else { return false };
    let bits = job.target.extra_bits;
    let binades = job.binades.and_then(|binades| binades.split_once(".."));
    let binades = binades.map_or_else(|| "null".into(), |(from, to)| format!("[{from},{to}]"));
    let asked = format!(
        "\"function\":\"{}(x)\",\"format\":\"{}\",\"rounding\":\"all\",\"extra_bits\":{bits},\"binades\":{binades},",
        job.function, job.target.format
    );
    question.contains(&asked)
}

/// The question of a run, without white space.
fn question(status: &str) -> Option<String> {
    let (_, rest) = status.split_once("\"question\":")?;
    let (question, _) = rest.split_once('}')?;
    Some(question.split_whitespace().collect())
}

/// The first number of a name in what `tmd status --json` says.
fn number(status: &str, name: &str) -> Option<u64> {
    let (_, rest) = status.split_once(&format!("\"{name}\":"))?;
    rest.split([',', '}', '\n']).next()?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::{super::jobs, *};

    const SAID: &str = r#"{
  "question": {
    "program": "tmd 0.1.0",
    "function": "exp2(x)",
    "format": "x87",
    "rounding": "all",
    "extra_bits": 56,
    "binades": null,
    "limit_s": 3600000.0,
    "engine": "farey avx512, costs 4"
  },
  "units": 124,
  "finished": 13,
  "binades": [{"units": 6, "finished": 6}]
}
"#;

    fn job(function: &str) -> Job {
        jobs::jobs(&[function.into()], &["x87".into()]).unwrap()[0]
    }

    fn read(path: &Path) -> String {
        fs::read_to_string(path).unwrap()
    }

    /// A folder of results, a run, and one that is not there yet.
    fn folders(name: &str) -> [PathBuf; 4] {
        let folder = std::env::temp_dir().join(format!("tmd-unfinished-{name}-{}", std::process::id()));
        let (results, here, there) =
            (folder.join("results"), folder.join("here/run"), folder.join("there/run"));
        fs::create_dir_all(&here).unwrap();
        fs::write(here.join(LEDGER), "units").unwrap();
        fs::write(record::seconds_file(&here), "95.00 100.00\n").unwrap();
        [folder, results, here, there]
    }

    /// A run is kept, and another machine, which has none, goes on with it; one that has its own is
    /// left alone.
    #[test]
    fn kept_and_fetched() {
        let [folder, results, here, there] = folders("fetched");
        let job = job("exp2");
        assert!(!fetch_from(&results, &job, &there).unwrap() && !there.exists(), "nothing was kept");
        keep_in(&results, &job, &here, SAID).unwrap();
        assert_eq!(units_of(&results, &job).as_deref(), Some("13 of 124 units"));
        assert!(fetch_from(&results, &job, &there).unwrap());
        assert_eq!(read(&there.join(LEDGER)), "units");
        assert_eq!(read(&record::seconds_file(&there)), "95.00 100.00\n");
        fs::write(there.join(LEDGER), "more units").unwrap();
        assert!(!fetch_from(&results, &job, &there).unwrap());
        assert_eq!(read(&there.join(LEDGER)), "more units");
        let ledger = kept(&results, &job).join(LEDGER);
        // what is in the log only would be lost
        fs::write(there.join("ledger.sqlite-wal"), "most of it").unwrap();
        assert!(keep_in(&results, &job, &there, SAID).is_err());
        assert_eq!(read(&ledger), "units");
        fs::write(there.join("ledger.sqlite-wal"), "").unwrap();
        keep_in(&results, &job, &there, SAID).unwrap();
        assert_eq!(read(&ledger), "more units");
        // the seconds are those of the run
        record::forget(&there);
        keep_in(&results, &job, &there, SAID).unwrap();
        assert!(!kept(&results, &job).join(SECONDS).exists());
        let mut names: Vec<_> =
            fs::read_dir(kept(&results, &job)).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        assert_eq!(names, [LEDGER, STATUS]);
        fs::remove_dir_all(&folder).unwrap();
    }

    /// A run of another engine, plan or question, and one with fewer units, replaces nothing.
    #[test]
    fn nothing_is_lost_that_was_kept() {
        let [folder, results, here, there] = folders("lost");
        let job = job("exp2");
        keep_in(&results, &job, &here, SAID).unwrap();
        fs::create_dir_all(&there).unwrap();
        fs::write(there.join(LEDGER), "other units").unwrap();
        let others = [
            ("\"finished\": 13", "\"finished\": 12"),
            ("\"units\": 124", "\"units\": 4096"),
            ("avx512", "avx2"),
            ("tmd 0.1.0", "tmd 0.2.0"),
            ("exp2(x)", "exp(x)"),
            ("\"binades\": null", "\"binades\": [-1, 1]"),
            ("56", "57"),
        ];
        for (of, other) in others {
            let status = SAID.replacen(of, other, 1);
            assert_ne!(status, SAID);
            assert!(keep_in(&results, &job, &there, &status).is_err(), "{other}");
            assert_eq!(read(&kept(&results, &job).join(LEDGER)), "units", "{other}");
        }
        // nor is a run of another question fetched
        fs::write(kept(&results, &job).join(STATUS), SAID.replace("exp2", "exp")).unwrap();
        assert!(!fetch_from(&results, &job, &folder.join("elsewhere")).unwrap());
        assert!(!folder.join("elsewhere").exists());
        fs::remove_dir_all(&folder).unwrap();
    }

    /// A run that was fetched and is not gone on with is left, unless it has more by now.
    #[test]
    fn what_cannot_be_gone_on_with_is_left() {
        let [folder, results, here, there] = folders("left");
        let job = job("exp2");
        keep_in(&results, &job, &here, SAID).unwrap();
        fetch_from(&results, &job, &there).unwrap();
        fs::write(there.join(LEDGER), "more units").unwrap();
        assert!(!leave_in(&results, &job, &there).unwrap() && there.join(LEDGER).is_file());
        fs::write(there.join(LEDGER), "units").unwrap();
        assert!(leave_in(&results, &job, &there).unwrap());
        assert!(!there.exists() && !record::seconds_file(&there).exists());
        assert_eq!(read(&kept(&results, &job).join(LEDGER)), "units");
        assert!(!leave_in(&results, &job, &there).unwrap(), "there is none");
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn what_is_asked_of_a_run() {
        assert!(is_of(SAID, &job("exp2")) && !is_of(SAID, &job("cbrt")) && !is_of("{}", &job("exp2")));
        // half a binade
        let sin = job("sin");
        let said = SAID.replace("exp2", "sin").replace("null", "[\n -1,\n 0\n ]");
        assert_eq!(is_of(&said, &sin), sin.binades == Some("-1..0"));
        assert_eq!(is_of(&said.replace('0', "1"), &sin), sin.binades == Some("-1..1"));
        assert!(!is_of(&SAID.replace("exp2", "sin"), &sin));
        let other = Path::new("runs/x.kept");
        let said = "shards: 7 results taken in, 0 were there\nruns/x.kept: 4 results taken in, 15 were there and agree\n";
        assert_eq!((taken_in(said, other), taken_in("compared\n", other)), (4, 0));
    }

    #[test]
    fn how_far_a_run_is() {
        assert_eq!(units(SAID).as_deref(), Some("13 of 124 units"));
        assert_eq!(units("{}"), None);
    }

    /// What is done needs no run; what is kept is that of its job.
    #[test]
    fn nothing_is_kept_of_what_is_done() {
        let results = root().join("results");
        for job in jobs::jobs(&[], &[]).unwrap() {
            let kept = kept(&results, &job);
            if kept.exists() {
                assert!(!super::super::is_done(&job) && is_kept(&kept, &job), "{}", job.stem());
            }
        }
    }
}
