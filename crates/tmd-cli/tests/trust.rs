//! Run directories that cannot be trusted or used as they are: results that disagree, files that
//! are none, odd names, no space. What is wrong is said, and said by the exit code.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Output,
};

use rusqlite::Connection;
use serde_json::Value;
use sha2::{Digest, Sha256};

#[allow(dead_code)]
mod common;

use common::{command, exported, place, solve, text, tmd};

/// A question of a few units, and of many cases.
const QUESTION: &str = "sin --format binary16 --unit 0.005";

/// A run without results, with the results of its units in files.
fn of_shards(folder: &Path, name: &str) -> String {
    let run = place(folder, name);
    assert!(tmd(&[&solve(QUESTION, &run)[..], &["--begin-only"]].concat()).status.success());
    assert!(tmd(&["shard", &run, "--count", "1"]).status.success());
    assert!(tmd(&["work", &run, "--shard", "1/1"]).status.success());
    run
}

fn document(file: &Path) -> (Value, Value) {
    let content = fs::read_to_string(file).unwrap();
    let (header, document) = content.trim_end().split_once('\n').unwrap();
    (serde_json::from_str(header).unwrap(), serde_json::from_str(document).unwrap())
}

/// The file of a unit with cases, and what it would be with a case less.
fn with_a_case_less(run: &str) -> (PathBuf, String) {
    for unit in 0.. {
        let file = Path::new(run).join(format!("shards/0000/{unit}.json"));
        let content = fs::read_to_string(&file).unwrap();
        let (mut header, parsed) = document(&file);
        let Some(lost) = parsed["cases"].as_array().unwrap().last().cloned() else { continue };
        let count = parsed["cases"].as_array().unwrap().len();
        // in the text: numbers and the order of fields stay as they are
        let text = content.trim_end().split_once('\n').unwrap().1;
        let end = text.rfind(&format!("\"x\":\"{}\"", lost["x"].as_str().unwrap())).unwrap() - 1;
        let start = if count == 1 { end } else { end - 1 };
        let close =
            end + text[end..].find("},").map_or_else(
                || text[end..].find("}]").unwrap(),
                |at| at.min(text[end..].find("}]").unwrap()),
            ) + 1;
        let wrong = format!("{}{}", &text[..start], &text[close..]);
        let wrong = wrong.replacen(&format!("\"cases\":{count},"), &format!("\"cases\":{},", count - 1), 1);
        let parsed: Value = serde_json::from_str(&wrong).unwrap();
        assert_eq!(parsed["cases"].as_array().unwrap().len(), count - 1, "{wrong}");
        header["sha256"] = format!("{:x}", Sha256::digest(&wrong)).into();
        return (file, format!("{header}\n{wrong}\n"));
    }
    unreachable!()
}

fn code(output: &Output) -> i32 {
    output.status.code().unwrap()
}

/// A shard's file with a case less: whatever is done, the run is not complete before the unit was
/// searched again here.
#[test]
fn a_dispute_stays_until_the_unit_is_searched_again() {
    let folder = tempfile::tempdir().unwrap();
    let expected = common::undisturbed(folder.path(), QUESTION);
    let run = of_shards(folder.path(), "run");
    assert_eq!(code(&tmd(&["merge", &run])), 0);
    let (file, wrong) = with_a_case_less(&run);
    fs::write(&file, &wrong).unwrap();
    // one more that is wrong in the same way
    fs::write(file.with_extension("other.json"), wrong).unwrap();
    for _ in 0..3 {
        let merged = tmd(&["merge", &run]);
        assert_eq!(code(&merged), 1, "{}", text(&merged.stdout));
        assert!(text(&merged.stderr).contains("DISAGREE: the case at "), "{}", text(&merged.stderr));
        assert!(text(&merged.stdout).contains("25 of 26 units are finished; 1 are DISPUTED"));
        for arguments in [&["status", &run][..], &["status", &run, "--json"]] {
            let status = tmd(arguments);
            assert_eq!(code(&status), 1, "{}", text(&status.stdout));
            assert!(!text(&status.stdout).contains("complete; tmd export"), "{}", text(&status.stdout));
        }
        let status = tmd(&["status", &run]);
        let said = text(&status.stdout);
        assert!(said.contains("DISPUTED: unit ") && said.contains("shards/0000/"), "{said}");
        let export = tmd(&["export", &run]);
        assert_eq!(code(&export), 1);
        let said = text(&export.stderr);
        assert!(said.contains("DISAGREE") && said.contains("25 of 26 units are finished"), "{said}");
    }
    let resumed = tmd(&["resume", &run]);
    assert_eq!(code(&resumed), 0, "{}", text(&resumed.stderr));
    assert!(exported(&run) == expected && code(&tmd(&["status", &run])) == 0);
    // the wrong file is still there: it is named, and changes nothing
    let merged = tmd(&["merge", &run]);
    assert_eq!(code(&merged), 1);
    assert!(
        text(&merged.stderr).contains("WRONG")
            && text(&merged.stdout).contains("26 of 26 units are finished\n")
    );
    assert!(exported(&run) == expected);
}

/// Another engine's run, with a case less.
#[test]
fn a_comparison_disputes() {
    let folder = tempfile::tempdir().unwrap();
    let run = place(folder.path(), "run");
    assert!(tmd(&solve(QUESTION, &run)).status.success());
    let expected = exported(&run);
    let other = of_shards_by(folder.path(), "other");
    let (file, wrong) = with_a_case_less(&other);
    fs::write(&file, wrong).unwrap();
    assert_eq!(code(&tmd(&["merge", &other])), 0, "nobody disagrees there");
    let merged = tmd(&["merge", &run, &other]);
    assert_eq!(code(&merged), 1, "{}", text(&merged.stdout));
    let said = text(&merged.stderr);
    assert!(said.contains("is in one of the two runs only") && said.contains(&other), "{said}");
    assert_eq!([code(&tmd(&["status", &run])), code(&tmd(&["export", &run]))], [1, 1]);
    assert_eq!(code(&tmd(&["resume", &run])), 0);
    assert!(exported(&run) == expected && code(&tmd(&["status", &run])) == 0);
    assert_eq!(code(&tmd(&["merge", &run, &other])), 1, "they still differ");
}

fn of_shards_by(folder: &Path, name: &str) -> String {
    let run = place(folder, name);
    let question = format!("{QUESTION} --engine regular-simd");
    assert!(tmd(&[&solve(&question, &run)[..], &["--begin-only"]].concat()).status.success());
    assert!(tmd(&["shard", &run, "--count", "1"]).status.success());
    assert!(tmd(&["work", &run, "--shard", "1/1"]).status.success());
    run
}

#[test]
fn damaged_files_are_told_by_the_exit_code() {
    let folder = tempfile::tempdir().unwrap();
    let run = of_shards(folder.path(), "run");
    // what is there before the merge is seen
    let status = tmd(&["status", &run]);
    let said = text(&status.stdout);
    assert!(said.contains("shards have written results of 26 more units, 100.0% of the arguments"), "{said}");
    assert!(said.contains("0 of 26 units finished") && code(&status) == 0, "{said}");
    let file = Path::new(&run).join("shards/0000/7.json");
    let whole = fs::read(&file).unwrap();
    fs::write(&file, &whole[..whole.len() / 2]).unwrap();
    let merged = tmd(&["merge", &run]);
    assert_eq!(code(&merged), 1);
    assert!(text(&merged.stdout).contains("25 of 26 units are finished"), "{}", text(&merged.stdout));
    assert!(text(&merged.stderr).contains("shards/0000/7.json: "), "{}", text(&merged.stderr));
    fs::write(&file, &whole).unwrap();
    assert_eq!(code(&tmd(&["merge", &run])), 0);
    // units of which nothing was compared
    let other = place(folder.path(), "empty");
    let question = format!("{QUESTION} --engine regular-simd");
    assert!(tmd(&[&solve(&question, &other)[..], &["--begin-only"]].concat()).status.success());
    let merged = tmd(&["merge", &run, &other]);
    assert!(text(&merged.stdout).contains("NOT compared"), "{}", text(&merged.stdout));
    assert_eq!(code(&merged), 1);
}

/// Before anything is finished, the time that is left is that of this machine, not of the model.
#[test]
fn times_are_those_of_this_machine() {
    let folder = tempfile::tempdir().unwrap();
    let run = place(folder.path(), "run");
    // an engine that is slower than its model on every machine, in a debug build or not, would do;
    // the calibration itself is random
    let begun = tmd(&[&solve(QUESTION, &run)[..], &["--begin-only"]].concat());
    assert!(begun.status.success());
    let planned: f64 = Connection::open(Path::new(&run).join("ledger.sqlite"))
        .unwrap()
        .query_row("SELECT sum(planned_s) FROM unit", [], |row| row.get(0))
        .unwrap();
    let left = common::status(&run)["left_core_s"].as_f64().unwrap();
    assert!(left > 0.0 && (left / planned - 1.0).abs() > 1e-9, "{left} is what the model says: {planned}");
}

/// What a shell, or a terminal, would make something else of.
#[test]
fn names_are_quoted() {
    let folder = tempfile::tempdir().unwrap();
    let run = place(folder.path(), "my run; it's here");
    let begun = tmd(&[&solve(QUESTION, &run)[..], &["--begin-only"]].concat());
    let hint = r"/my run; it'\''s here' goes on";
    assert!(text(&begun.stderr).contains(hint), "{}", text(&begun.stderr));
    let sharded = tmd(&["shard", &run, "--count", "2"]);
    assert!(
        text(&sharded.stdout).contains(r"/my run; it'\''s here' --shard I/2`"),
        "{}",
        text(&sharded.stdout)
    );
    let again = tmd(&solve(QUESTION, &run));
    assert!(text(&again.stderr).trim_end().ends_with(r"/my run; it'\''s here'"), "{}", text(&again.stderr));
    let database = Connection::open(Path::new(&run).join("ledger.sqlite")).unwrap();
    let worker = "INSERT INTO worker (name, threads, lease_s, joined_at, seen_at) VALUES (?, 1, 60, 0, 0)";
    database.execute(worker, ["evil\u{1b}[2J\nhost:1"]).unwrap();
    database.execute("UPDATE unit SET failure = ? WHERE number = 3", ["no\u{7}\u{1b}]0;x"]).unwrap();
    let status = tmd(&["status", &run]);
    let said = text(&status.stdout);
    assert!(
        said.contains(r"worker evil\u{1b}[2J\nhost:1: ") && said.contains(r"no\u{7}\u{1b}]0;x"),
        "{said}"
    );
    assert!(!said.contains('\u{1b}') && !said.contains('\u{7}'), "{said}");
}

/// A name that `SQLite` takes for an address.
#[test]
fn a_name_that_is_an_address() {
    let folder = tempfile::tempdir().unwrap();
    let there = |name: &str| folder.path().join(name).join("ledger.sqlite").is_file();
    fs::create_dir(folder.path().join("xx")).unwrap();
    let in_folder = |arguments: &[&str]| command(arguments).current_dir(folder.path()).output().unwrap();
    let solved = in_folder(&solve(QUESTION, "file:xx"));
    assert!(solved.status.success(), "{}", text(&solved.stderr));
    assert!(there("file:xx") && !there("xx"));
    assert!(in_folder(&["export", "file:xx"]).status.success());
}

#[cfg(unix)]
mod unix {
    use std::process::{Command, Stdio};

    use super::*;

    /// `sh -c`, with tmd's place in `$TMD`.
    fn shell(script: &str) -> Output {
        let mut command = Command::new("sh");
        command.args(["-c", script]).env("TMD", common::TMD).stdin(Stdio::null()).output().unwrap()
    }

    /// A limit of file sizes stands for a disk that is full: nothing was begun, and nobody is told
    /// to go on.
    #[test]
    fn a_run_that_cannot_begin() {
        let folder = tempfile::tempdir().unwrap();
        let run = place(folder.path(), "run");
        let full = shell(&format!("ulimit -f 8; exec \"$TMD\" solve {QUESTION} --run {run}"));
        let said = text(&full.stderr);
        assert_eq!(full.status.code(), Some(1), "{said}");
        assert!(said.contains("nothing was begun") && !said.contains("tmd resume"), "{said}");
        assert_eq!(code(&tmd(&["status", &run])), 2, "there is no run");
        // the same command, with space
        assert!(tmd(&solve(QUESTION, &run)).status.success());
        assert_eq!(code(&tmd(&["status", &run])), 0);
    }

    /// Who looks for GPUs says nothing of windows.
    #[test]
    fn no_word_of_window_systems() {
        let mut adapters = command(&["adapters"]);
        let said = adapters.env_remove("XDG_RUNTIME_DIR").env_remove("NODEVICE_SELECT").output().unwrap();
        assert!(!text(&said.stderr).contains("XDG_RUNTIME_DIR"), "{}", text(&said.stderr));
    }
}
