//! Run directories that cannot be trusted or used as they are: results that disagree, files that
//! are none, odd names, no space. What is wrong is said, and said by the exit code.

mod program;

use std::{
    fs,
    path::{Path, PathBuf},
};

use program::{Answer, exported, place, solve, status, tmd};
use rusqlite::Connection;
use serde_json::Value;
use sha2::{Digest, Sha256};
use tmd_driver::solve::UnitResult;

/// A question of a few units, and of many cases.
const QUESTION: &str = "sin --format binary16 --unit 0.005";
/// The same, by another engine.
const BY_REGULAR: &str = "sin --format binary16 --unit 0.005 --engine regular-simd";

/// A run without results.
fn begun(folder: &Path, name: &str, question: &str) -> (String, Answer) {
    let run = place(folder, name);
    let begun = tmd("", &[&solve(question, &run)[..], &["--begin-only"]].concat()).done();
    (run, begun)
}

/// A run without results, with the results of its units in files.
fn of_shards(folder: &Path, name: &str, question: &str) -> String {
    let (run, _) = begun(folder, name, question);
    tmd("shard --count 1", &[&run]).done();
    tmd("work --shard 1/1", &[&run]).done();
    run
}

/// The file of a unit with cases, and what it would be with a case less.
fn with_a_case_less(run: &str) -> (PathBuf, String) {
    for unit in 0.. {
        let file = Path::new(run).join(format!("shards/0000/{unit}.json"));
        let content = fs::read_to_string(&file).unwrap();
        let (header, document) = content.trim_end().split_once('\n').unwrap();
        let mut header: Value = serde_json::from_str(header).unwrap();
        let mut result: UnitResult = serde_json::from_str(document).unwrap();
        // numbers and the order of fields stay as they are
        assert_eq!(serde_json::to_string(&result).unwrap(), document);
        if result.cases.pop().is_none() {
            continue;
        }
        result.record.cases -= 1;
        let wrong = serde_json::to_string(&result).unwrap();
        header["sha256"] = format!("{:x}", Sha256::digest(&wrong)).into();
        return (file, format!("{header}\n{wrong}\n"));
    }
    unreachable!()
}

/// A shard's file with a case less: whatever is done, the run is not complete before the unit was
/// searched again here.
#[test]
fn a_dispute_stays_until_the_unit_is_searched_again() {
    let folder = tempfile::tempdir().unwrap();
    let expected = program::undisturbed(folder.path(), QUESTION);
    let run = of_shards(folder.path(), "run", QUESTION);
    tmd("merge", &[&run]).done();
    let (file, wrong) = with_a_case_less(&run);
    fs::write(&file, &wrong).unwrap();
    // one more that is wrong in the same way
    fs::write(file.with_extension("other.json"), wrong).unwrap();
    for _ in 0..3 {
        tmd("merge", &[&run])
            .ends(1)
            .says("DISAGREE: the case at ")
            .prints("25 of 26 units are finished; 1 are DISPUTED");
        for line in ["status", "status --json"] {
            let status = tmd(line, &[&run]).ends(1);
            assert!(!status.text().contains("all units are finished; tmd export"), "{status}");
        }
        tmd("status", &[&run]).prints("DISPUTED: unit ").prints("shards/0000/");
        tmd("export", &[&run]).ends(1).says("DISAGREE").says("25 of 26 units are finished");
    }
    tmd("resume", &[&run]).done();
    assert!(exported(&run) == expected);
    tmd("status", &[&run]).done();
    // the wrong file is still there: it is named, and changes nothing
    tmd("merge", &[&run]).ends(1).says("WRONG").prints("26 of 26 units are finished\n");
    assert!(exported(&run) == expected);
}

/// Another engine's run, with a case less.
#[test]
fn a_comparison_disputes() {
    let folder = tempfile::tempdir().unwrap();
    let run = place(folder.path(), "run");
    tmd("", &solve(QUESTION, &run)).done();
    let expected = exported(&run);
    let other = of_shards(folder.path(), "other", BY_REGULAR);
    let (file, wrong) = with_a_case_less(&other);
    fs::write(&file, wrong).unwrap();
    // nobody disagrees there
    tmd("merge", &[&other]).done();
    tmd("merge", &[&run, &other]).ends(1).says("is in one of the two runs only").says(&other);
    tmd("status", &[&run]).ends(1);
    tmd("export", &[&run]).ends(1);
    tmd("resume", &[&run]).done();
    assert!(exported(&run) == expected);
    tmd("status", &[&run]).done();
    // they still differ
    tmd("merge", &[&run, &other]).ends(1);
}

#[test]
fn damaged_files_are_told_by_the_exit_code() {
    let folder = tempfile::tempdir().unwrap();
    let run = of_shards(folder.path(), "run", QUESTION);
    // what is there before the merge is seen
    tmd("status", &[&run])
        .done()
        .prints("shards have written results of 26 more units, 100.0% of the arguments")
        .prints("0 of 26 units finished");
    let file = Path::new(&run).join("shards/0000/7.json");
    let whole = fs::read(&file).unwrap();
    fs::write(&file, &whole[..whole.len() / 2]).unwrap();
    tmd("merge", &[&run]).ends(1).prints("25 of 26 units are finished").says("shards/0000/7.json: ");
    fs::write(&file, &whole).unwrap();
    tmd("merge", &[&run]).done();
    // units of which nothing was compared
    let (other, _) = begun(folder.path(), "empty", BY_REGULAR);
    tmd("merge", &[&run, &other]).ends(1).prints("NOT compared");
}

/// Before anything is finished, the time that is left is that of this machine, not of the model.
#[test]
fn times_are_those_of_this_machine() {
    let folder = tempfile::tempdir().unwrap();
    // an engine that is slower than its model on every machine, in a debug build or not, would do;
    // the calibration itself is random
    let (run, _) = begun(folder.path(), "run", QUESTION);
    let planned: f64 = Connection::open(Path::new(&run).join("ledger.sqlite"))
        .unwrap()
        .query_row("SELECT sum(planned_s) FROM unit", [], |row| row.get(0))
        .unwrap();
    let left = status(&run)["left_core_s"].as_f64().unwrap();
    assert!(left > 0.0 && (left / planned - 1.0).abs() > 1e-9, "{left} is what the model says: {planned}");
}

/// What a shell, or a terminal, would make something else of.
#[test]
fn names_are_quoted() {
    let folder = tempfile::tempdir().unwrap();
    let (run, begun) = begun(folder.path(), "my run; it's here", QUESTION);
    begun.says(r"/my run; it'\''s here' goes on");
    tmd("shard --count 2", &[&run]).prints(r"/my run; it'\''s here' --shard I/2`");
    let again = tmd("", &solve(QUESTION, &run));
    assert!(again.err.trim_end().ends_with(r"/my run; it'\''s here'"), "{again}");
    let database = Connection::open(Path::new(&run).join("ledger.sqlite")).unwrap();
    let worker = "INSERT INTO worker (name, threads, lease_s, joined_at, seen_at) VALUES (?, 1, 60, 0, 0)";
    database.execute(worker, ["evil\u{1b}[2J\nhost:1"]).unwrap();
    database.execute("UPDATE unit SET failure = ? WHERE number = 3", ["no\u{7}\u{1b}]0;x"]).unwrap();
    let status =
        tmd("status", &[&run]).prints(r"worker evil\u{1b}[2J\nhost:1: ").prints(r"no\u{7}\u{1b}]0;x");
    assert!(!status.text().contains(['\u{1b}', '\u{7}']), "{status}");
}

/// A name that `SQLite` takes for an address.
#[test]
fn a_name_that_is_an_address() {
    let folder = tempfile::tempdir().unwrap();
    let there = |name: &str| folder.path().join(name).join("ledger.sqlite").is_file();
    fs::create_dir(folder.path().join("xx")).unwrap();
    let in_folder =
        |words: &[&str]| Answer::of(program::command("", words).current_dir(folder.path())).done();
    in_folder(&solve(QUESTION, "file:xx"));
    assert!(there("file:xx") && !there("xx"));
    in_folder(&["export", "file:xx"]);
}

/// A limit of file sizes stands for a disk that is full: nothing was begun, and nobody is told to
/// go on.
#[test]
#[cfg(unix)]
fn a_run_that_cannot_begin() {
    let folder = tempfile::tempdir().unwrap();
    let run = place(folder.path(), "run");
    let script = format!("ulimit -f 8; exec \"$TMD\" solve {QUESTION} --run {run}");
    let full = program::shell(&script, folder.path()).ends(1).says("nothing was begun");
    assert!(!full.err.contains("tmd resume"), "{full}");
    // there is no run
    tmd("status", &[&run]).ends(2);
    // the same command, with space
    tmd("", &solve(QUESTION, &run)).done();
    tmd("status", &[&run]).done();
}

/// Who looks for GPUs says nothing of windows.
#[test]
#[cfg(unix)]
fn no_word_of_window_systems() {
    let mut adapters = program::command("adapters", &[]);
    let answer = Answer::of(adapters.env_remove("XDG_RUNTIME_DIR").env_remove("NODEVICE_SELECT"));
    assert!(!answer.err.contains("XDG_RUNTIME_DIR"), "{answer}");
}
