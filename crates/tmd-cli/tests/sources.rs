//! `tmd export` as source, `tmd needs`, and `tmd check` with many arguments and a data folder.

mod program;

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

use program::{refused, tmd};
use serde_json::Value;

fn text(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn solved(folder: &Path, function: &str, more: &[&str]) -> PathBuf {
    let path = folder.join("my exp.json");
    let solve = ["solve", function, "--format", "binary16", "--overwrite", "--out", path.to_str().unwrap()];
    text(&tmd(&[&solve, more].concat()));
    path
}

/// The comment's command, run where the file is, writes the same again.
#[test]
fn the_comment_says_how_to_make_it_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = solved(folder.path(), "exp", &[]);
    for options in [
        "export --output c",
        "export --output rust --hardest 5 --mode nearest,up",
        "export --output corpus --per-binade 2",
        "export --output wc --mode down",
        "export --output c --name my_cases --no-expand",
        "needs --output c --phase-accuracy 2^-16,2^-30",
        "needs --output rust --phase-accuracy 2^-30 --mode nearest-even --name EXCEPTIONS",
    ] {
        let words: Vec<&str> = options.split(' ').collect();
        let written = text(&tmd(&[&words[..1], &[path.to_str().unwrap()], &words[1..]].concat()));
        let line = written.lines().find_map(|line| line.split_once("made by: tmd ")).expect(options).1;
        let again = Command::new("bash")
            .args(["-c", &format!("\"$TMD\" {line}")])
            .env("TMD", env!("CARGO_BIN_EXE_tmd"))
            .current_dir(folder.path())
            .output()
            .unwrap();
        assert_eq!(text(&again), written, "{options}: {line}");
    }
}

#[test]
fn choices_of_lists() {
    let folder = tempfile::tempdir().unwrap();
    let path = solved(folder.path(), "exp", &[]);
    let path = path.to_str().unwrap();
    let export = |options: &[&str]| text(&tmd(&[&["export", path, "--output"], options].concat()));
    let rows = |list: &str| list.lines().filter(|line| !line.starts_with('#')).count();
    let all = export(&["corpus"]);
    let hardest = export(&["corpus", "--hardest", "4"]);
    assert_eq!(rows(&hardest), 4);
    assert!(hardest.contains(&format!("# SELECTED 4 of {} rows: the 4 hardest\n", rows(&all))), "{hardest}");
    assert!(all.contains("# columns: x nearest_even zero up down log2_dist\n"));
    assert_eq!(export(&["wc", "--hardest", "4"]).lines().filter(|line| !line.starts_with('#')).count(), 4);
    let csv = export(&["csv", "--hardest", "4"]);
    assert!(csv.lines().count() == 5 && csv.lines().skip(1).all(|line| line.contains("SELECTED 4 of ")));
    let json: Value = serde_json::from_str(&export(&["json", "--mode", "nearest"])).unwrap();
    let of_json = json["rows"].as_array().unwrap();
    assert!(of_json.len() > 100 && of_json.iter().all(|row| row["kind"] == "midpoint"));
    assert!(export(&["c"]).contains("static const struct exp_binary16_case exp_binary16["));
    for (options, words) in [
        (&["c", "--hardest", "0"][..], "invalid value '0'"),
        (&["c", "--hardest", "2", "--per-binade", "2"], "cannot be used with"),
        (&["c", "--mode", "nearest,sideways"], "unknown rounding `sideways`"),
    ] {
        let output = tmd(&[&["export", path, "--output"], options].concat());
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(2) && said.contains(words), "{options:?}: {said}");
    }
    for (options, words) in [
        (&["certificate", "--hardest", "2"][..], "are for lists and tables of cases"),
        (&["hardest", "--mode", "up"], "not for tables binade by binade"),
        (&["wc", "--name", "x"], "--name is for source text"),
        (&["c", "--name", "int"], "cannot be the name of a table in C"),
    ] {
        refused(&tmd(&[&["export", path, "--output"], options].concat()), words);
    }
}

#[test]
fn what_an_implementation_needs() {
    let folder = tempfile::tempdir().unwrap();
    let path = solved(folder.path(), "exp", &["--rounding", "nearest"]);
    let path = path.to_str().unwrap();
    let needs = |options: &[&str]| tmd(&[&["needs", path], options].concat());
    let said = text(&needs(&["--phase-accuracy", "2^-16,2^-24"]));
    for words in
        ["rounding to nearest", "\nto nearest ", "\n2^-16 ", "THE LIST DOES NOT REACH", "2^-4 ≤ x < 2^-3"]
    {
        assert!(said.contains(words), "{words}: {said}");
    }
    let json: Value =
        serde_json::from_str(&text(&needs(&["--output", "json", "--phase-accuracy", "2^-24"]))).unwrap();
    assert!(json["phases"][0]["may_fall_through"].is_u64() && json["phases"][0]["accuracy"] == "2^-24");
    let out = folder.path().join("exceptions.h");
    let c = ["--output", "c", "--phase-accuracy", "2^-24", "--out", out.to_str().unwrap()];
    assert!(text(&needs(&c)).is_empty());
    assert!(fs::read_to_string(&out).unwrap().contains("exp_binary16_exceptions["));
    for (options, words) in [
        (&["--output", "c"][..], "add its --phase-accuracy"),
        (&["--output", "c", "--phase-accuracy", "2^-16"], "the list does not reach"),
        (&["--output", "c", "--phase-accuracy", "2^-24", "--mode", "up"], "says nothing of rounding up"),
        (&["--phase-accuracy", "2^-24,2^-24"], "is no better than the one of 2^-24 before it"),
        (&["--phase-accuracy", "68"], "is none: it is not between 0 and 1/4"),
        (&["--phase-accuracy", "2^-24,"], "is none: "),
        (&["--name", "x"], "add --output c"),
        (&["--output", "rust", "--phase-accuracy", "2^-24", "--name", "fn"], "it is a keyword"),
    ] {
        refused(&needs(options), words);
    }
    // a certificate that was changed, and a run that is not finished
    let content = fs::read_to_string(path).unwrap();
    let changed = folder.path().join("changed.json");
    fs::write(&changed, content.replacen("\"extra_bits\":8", "\"extra_bits\":7", 1)).unwrap();
    let changed = tmd(&["needs", changed.to_str().unwrap()]);
    assert!(changed.status.code() == Some(1) && changed.stdout.is_empty());
    let run = folder.path().join("run");
    let run = run.to_str().unwrap();
    text(&tmd(&["solve", "exp", "--format", "binary16", "--run", run, "--begin-only"]));
    let partial = tmd(&["needs", run]);
    assert!(partial.status.code() == Some(1));
    assert!(String::from_utf8_lossy(&partial.stdout).contains("PARTIAL: 0 of "));
}

fn check(arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_tmd"))
        .args([&["check", "--format", "binary16"], arguments].concat())
        // no data folder of whoever runs the tests
        .env_remove("TMD_DATA")
        .envs([("XDG_DATA_HOME", "/nowhere"), ("XDG_DATA_DIRS", "/nowhere")])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // a program that refuses its arguments need not read
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

#[test]
fn many_arguments_are_checked() {
    let folder = tempfile::tempdir().unwrap();
    let path = solved(folder.path(), "exp2", &[]);
    let corpus = text(&tmd(&["export", path.to_str().unwrap(), "--output", "corpus"]));
    let data = folder.path().to_str().unwrap();
    let all = ["--function", "exp2", "--arguments", "-", "--data", data];
    // a list is itself a file of arguments: everything in it is listed, with the same results
    let printed = text(&check(&all, &corpus));
    let rows: Vec<Vec<&str>> =
        corpus.lines().filter(|line| !line.starts_with('#')).map(|line| line.split(' ').collect()).collect();
    assert!(printed.lines().count() == rows.len() && rows.len() > 300);
    for (line, row) in printed.lines().zip(&rows) {
        let results = format!("; nearest-even {}, zero {}, up {}, down {}; ", row[1], row[2], row[3], row[4]);
        assert!(line.starts_with(&format!("{}: ", row[0])) && line.contains(&results), "{line}: {row:?}");
        assert!(line.contains("my exp.json lists it"), "{line}");
    }
    let lines = text(&check(&[&all[..], &["--output", "json"]].concat(), &corpus));
    for (line, row) in lines.lines().zip(&rows) {
        let value: Value = serde_json::from_str(line).unwrap();
        assert_eq!(value["results"]["zero"], row[2]);
        let listed = value["listed"][0]["listed"].as_str().unwrap();
        assert_eq!(listed == "exact", row[5] == "-inf", "{line}");
        assert!(["case", "follows", "exact"].contains(&listed), "{line}");
    }
    // others, and what has no result
    let file = folder.path().join("list.txt");
    fs::write(&file, "# arguments\n\n 0.75 a\n0x1p-24,ERANGE\n-30\n1000\n").unwrap();
    let some = ["--function", "exp2", "--arguments", file.to_str().unwrap(), "--data", data];
    let lines = text(&check(&some, ""));
    let lines: Vec<&str> = lines.lines().collect();
    for (line, words) in lines.iter().zip([
        "does not list it, for it is no case there",
        "is known without a search: ",
        "0x0p+0; ",
        "0x1.f4p+9: no result: ",
    ]) {
        assert!(line.contains(words), "{words}: {lines:?}");
    }
    // without the data folder, and of one argument
    let one = text(&check(&["0.75", "--function", "exp2"], ""));
    assert!(one.contains("\nrounded: nearest-even 0x1.ae8p+0, zero ") && !one.contains("list"), "{one}");
    let one = text(&check(&["0.75", "--function", "exp2", "--output", "json", "--data", data], ""));
    assert_eq!(serde_json::from_str::<Value>(&one).unwrap()["listed"][0]["listed"], "not");
    for (arguments, input, words) in [
        (&all[..], "1\n\n1/3\n", "the standard input, line 3: "),
        (&all, "1\nhello\n", "the standard input, line 2: "),
        (&all, "# nothing\n", "the standard input holds no argument"),
        (&["--function", "exp2", "--arguments", "missing.txt"], "", "cannot read missing.txt"),
        (&["1", "--function", "exp2", "--data", "no/where"], "", "there is no data folder no/where"),
    ] {
        refused(&check(arguments, input), words);
    }
    assert_eq!(check(&["--function", "exp2"], "").status.code(), Some(2));
}

/// A certificate that lacks a case is found out by whoever looks the case up.
#[test]
fn a_case_that_is_missing() {
    let folder = tempfile::tempdir().unwrap();
    let path = solved(folder.path(), "exp", &[]);
    let mut certificate = tmd_driver::Certificate::from_json(&fs::read_to_string(&path).unwrap()).unwrap();
    let case = certificate.cases.remove(7);
    certificate.digest = certificate.computed_digest();
    fs::write(&path, certificate.to_json()).unwrap();
    let data = folder.path().to_str().unwrap();
    let output = check(&[&case.x, "--function", "exp", "--data", data], "");
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stdout).contains("DOES NOT LIST IT, although it is a case"));
    let next = &certificate.cases[7].x;
    assert!(text(&check(&[next, "--function", "exp", "--data", data], "")).contains("lists it\n"));
}
