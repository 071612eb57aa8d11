//! `tmd export` as source, `tmd needs`, and `tmd check` with many arguments and a data folder.

mod program;

use std::{
    collections::BTreeSet,
    fs,
    io::Write,
    path::Path,
    process::{Command, Stdio},
};

use program::{Answer, TMD, command, place, tmd};
use serde_json::Value;
use tmd_driver::{Certificate, certificate::ClassRecord};

fn solved(folder: &Path, function: &str) -> String {
    let path = place(folder, "my exp.json");
    tmd(&format!("solve {function} --format binary16 --overwrite --out"), &[&path]).done();
    path
}

/// Lines of a list that are no comments.
fn rows(list: &Answer) -> usize {
    list.text().lines().filter(|line| !line.starts_with('#')).count()
}

/// The comment's command, run where the file is, writes the same again.
#[test]
fn the_comment_says_how_to_make_it_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = solved(folder.path(), "exp");
    for options in [
        "export --output c",
        "export --output rust --hardest 5 --mode nearest,up",
        "export --output corpus --per-binade 2",
        "export --output wc --mode down",
        "export --output c --name my_cases --no-expand",
        "needs --output c --phase-accuracy 2^-16,2^-30",
        "needs --output rust --phase-accuracy 2^-30 --mode nearest-even --name EXCEPTIONS",
    ] {
        let written = tmd(options, &[&path]).done();
        let made_by = |line| str::split_once(line, "made by: tmd ");
        let line = written.text().lines().find_map(made_by).expect(options).1;
        let mut again = Command::new("bash");
        again.args(["-c", &format!("\"$TMD\" {line}")]).env("TMD", TMD).current_dir(folder.path());
        assert_eq!(Answer::of(&mut again).done().text(), written.text(), "{options}: {line}");
    }
}

#[test]
fn choices_of_lists() {
    let folder = tempfile::tempdir().unwrap();
    let path = solved(folder.path(), "exp");
    let asked = |options: &str| tmd(&format!("export --output {options}"), &[&path]);
    let export = |options: &str| asked(options).done();
    let all = export("corpus").prints("# columns: x nearest_even zero up down log2_dist\n");
    let hardest =
        export("corpus --hardest 4").prints(&format!("# SELECTED 4 of {} rows: the 4 hardest\n", rows(&all)));
    assert_eq!(rows(&hardest), 4);
    assert_eq!(rows(&export("wc --hardest 4")), 4);
    let csv = export("csv --hardest 4");
    let csv: Vec<&str> = csv.text().lines().collect();
    assert!(csv.len() == 5 && csv[1..].iter().all(|line| line.contains("SELECTED 4 of ")));
    let json = export("json --mode nearest").json();
    let of_json = json["rows"].as_array().unwrap();
    assert!(of_json.len() > 100 && of_json.iter().all(|row| row["kind"] == "midpoint"));
    export("c").prints("static const struct exp_binary16_case exp_binary16[");
    for (options, words) in [
        ("c --hardest 0", "invalid value '0'"),
        ("c --hardest 2 --per-binade 2", "cannot be used with"),
        ("c --mode nearest,sideways", "unknown rounding `sideways`"),
    ] {
        asked(options).ends(2).says(words);
    }
    for (options, words) in [
        ("certificate --hardest 2", "are for lists and tables of cases"),
        ("hardest --mode up", "not for tables binade by binade"),
        ("wc --name x", "--name is for source text"),
        ("c --name int", "cannot be the name of a table in C"),
    ] {
        asked(options).refused(words);
    }
}

#[test]
fn what_an_implementation_needs() {
    let folder = tempfile::tempdir().unwrap();
    let path = solved(folder.path(), "exp --rounding nearest");
    let needs = |options: &str| tmd(&format!("needs {options}"), &[&path]);
    let said = needs("--phase-accuracy 2^-16,2^-24").done();
    for words in
        ["rounding to nearest", "\nto nearest ", "\n2^-16 ", "THE LIST DOES NOT REACH", "2^-4 ≤ x < 2^-3"]
    {
        assert!(said.text().contains(words), "{words}: {said}");
    }
    let json = needs("--output json --phase-accuracy 2^-24").done().json();
    assert!(json["phases"][0]["may_fall_through"].is_u64() && json["phases"][0]["accuracy"] == "2^-24");
    let [out, changed, run] = ["exceptions.h", "changed.json", "run"].map(|name| place(folder.path(), name));
    tmd("needs --output c --phase-accuracy 2^-24", &[&path, "--out", &out]).done().prints_nothing();
    assert!(fs::read_to_string(&out).unwrap().contains("exp_binary16_exceptions["));
    for (options, words) in [
        ("--output c", "add its --phase-accuracy"),
        ("--output c --phase-accuracy 2^-16", "the list does not reach"),
        ("--output c --phase-accuracy 2^-24 --mode up", "says nothing of rounding up"),
        ("--phase-accuracy 2^-24,2^-24", "is no better than the one of 2^-24 before it"),
        ("--phase-accuracy 68", "is none: it is not between 0 and 1/4"),
        ("--phase-accuracy 2^-24,", "is none: "),
        ("--name x", "add --output c"),
        ("--output rust --phase-accuracy 2^-24 --name fn", "it is a keyword"),
    ] {
        needs(options).refused(words);
    }
    // a certificate that was changed, and a run that is not finished
    let content = fs::read_to_string(&path).unwrap();
    fs::write(&changed, content.replacen("\"extra_bits\":8", "\"extra_bits\":7", 1)).unwrap();
    tmd("needs", &[&changed]).ends(1).prints_nothing();
    tmd("solve exp --format binary16 --begin-only --run", &[&run]).done();
    tmd("needs", &[&run]).ends(1).prints("PARTIAL: 0 of ");
}

fn check(line: &str, more: &[&str], input: &str) -> Answer {
    let mut child = command(&format!("check --format binary16 {line}"), more)
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
    Answer::of_child(child)
}

#[test]
fn many_arguments_are_checked() {
    let folder = tempfile::tempdir().unwrap();
    let path = solved(folder.path(), "exp2");
    let corpus = tmd("export --output corpus", &[&path]).done();
    let corpus = corpus.text();
    let data = folder.path().to_str().unwrap();
    let all = ["--arguments", "-", "--data", data];
    // a list is itself a file of arguments: everything in it is listed, with the same results
    let printed = check("--function exp2", &all, corpus).done();
    let rows: Vec<Vec<&str>> =
        corpus.lines().filter(|line| !line.starts_with('#')).map(|line| line.split(' ').collect()).collect();
    assert!(printed.text().lines().count() == rows.len() && rows.len() > 300);
    for (line, row) in printed.text().lines().zip(&rows) {
        let results = format!("; nearest-even {}, zero {}, up {}, down {}; ", row[1], row[2], row[3], row[4]);
        assert!(line.starts_with(&format!("{}: ", row[0])) && line.contains(&results), "{line}: {row:?}");
        assert!(line.contains("my exp.json lists it"), "{line}");
    }
    let lines = check("--function exp2 --output json", &all, corpus).done();
    for (line, row) in lines.text().lines().zip(&rows) {
        let value: Value = serde_json::from_str(line).unwrap();
        assert_eq!(value["results"]["zero"], row[2]);
        let listed = value["listed"][0]["listed"].as_str().unwrap();
        assert_eq!(listed == "exact", row[5] == "-inf", "{line}");
        assert!(["case", "follows", "exact"].contains(&listed), "{line}");
    }
    // others, and what has no result
    let file = place(folder.path(), "list.txt");
    fs::write(&file, "# arguments\n\n 0.75 a\n0x1p-24,ERANGE\n-30\n1000\n").unwrap();
    let lines = check("--function exp2", &["--arguments", &file, "--data", data], "").done();
    for (line, words) in lines.text().lines().zip([
        "does not list it, for it is no case there",
        "is known without a search: ",
        "0x0p+0; ",
        "0x1.f4p+9: no result: ",
    ]) {
        assert!(line.contains(words), "{words}: {lines}");
    }
    // without the data folder, and of one argument
    let one =
        check("0.75 --function exp2", &[], "").done().prints("\nrounded: nearest-even 0x1.ae8p+0, zero ");
    assert!(!one.text().contains("list"), "{one}");
    let one = check("0.75 --function exp2 --output json --data", &[data], "").done();
    assert_eq!(one.json()["listed"][0]["listed"], "not");
    for (input, words) in [
        ("1\n\n1/3\n", "the standard input, line 3: "),
        ("1\nhello\n", "the standard input, line 2: "),
        ("# nothing\n", "the standard input holds no argument"),
    ] {
        check("--function exp2", &all, input).refused(words);
    }
    check("--function exp2 --arguments missing.txt", &[], "").refused("cannot read missing.txt");
    check("1 --function exp2 --data no/where", &[], "").refused("there is no data folder no/where");
    check("--function exp2", &[], "").ends(2);
}

/// A certificate that lacks a case is found out by whoever looks the case up.
#[test]
fn a_case_that_is_missing() {
    let folder = tempfile::tempdir().unwrap();
    let path = solved(folder.path(), "exp");
    let mut certificate = Certificate::from_json(&fs::read_to_string(&path).unwrap()).unwrap();
    let case = certificate.cases.remove(7);
    certificate.digest = certificate.computed_digest();
    fs::write(&path, certificate.to_json()).unwrap();
    let data = folder.path().to_str().unwrap();
    let looked_up = |x: &str| check("--function exp", &[x, "--data", data], "");
    looked_up(&case.x).ends(1).prints("DOES NOT LIST IT, although it is a case");
    looked_up(&certificate.cases[7].x).done().prints("lists it\n");
}

/// What a certificate says of its regions is so of each result; what a forged one says is found out
/// by whoever looks at an argument.
#[test]
fn what_is_known_is_compared_with_results() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().to_str().unwrap();
    // some of all numbers of binary16
    let some = (-24..6).flat_map(|exponent| (1024..2048).step_by(67).map(move |m| (m, exponent)));
    let text = |(m, exponent)| [1, -1].map(|sign| format!("{}*2^{exponent}", sign * m));
    let subnormal = (1..1024).step_by(67).map(|m| (m, -24));
    let arguments: Vec<String> = some.chain(subnormal).chain([(2047, 5)]).flat_map(text).collect();
    let mut classes = BTreeSet::new();
    for function in ["exp", "sin", "3*sin(x)/5", "3*log(1+exp(x))/7", "x+x^2/250000000", "abs(x)+pi", "cos"] {
        let path = place(folder.path(), "list.json");
        tmd(&format!("solve {function} --format binary16 --overwrite --out"), &[&path]).done();
        let all = ["--function", function, "--arguments", "-", "--data", data];
        let answer = check("", &all, &arguments.join("\n"));
        for line in answer.text().lines() {
            assert!(!line.contains("NOT SO") && !line.contains("DOES NOT"), "{function}: {line}");
        }
        let whole = Certificate::from_json(&fs::read_to_string(&path).unwrap()).unwrap();
        for (index, region) in whole.regions.iter().enumerate() {
            let kind = std::mem::discriminant(&region.class);
            let forge = |class: ClassRecord, is_found: bool| {
                let mut forged = whole.clone();
                forged.regions[index].class = class;
                forged.digest = forged.computed_digest();
                fs::write(&path, forged.to_json()).unwrap();
                let answer = check("", &[&region.first, "--function", function, "--data", data], "");
                assert_eq!(answer.text().contains("NOT SO"), is_found, "{function}: {answer}");
            };
            match region.class.clone() {
                ClassRecord::Between { below: Some(below), above: Some(above) } => {
                    forge(ClassRecord::Undefined, true);
                    let (below, above) = (Some(below), Some(above));
                    forge(ClassRecord::Between { below: above.clone(), above: None }, true);
                    forge(ClassRecord::Between { below: None, above: below }, true);
                    forge(ClassRecord::Between { below: None, above: above.clone() }, true);
                    forge(ClassRecord::Between { below: None, above: None }, true);
                    forge(ClassRecord::Exact { value: "1".into(), kind: "number".into() }, true);
                }
                ClassRecord::Exact { value, kind } => {
                    forge(ClassRecord::Exact { value: "2".into(), kind: kind.clone() }, true);
                    forge(ClassRecord::Exact { value: value.clone(), kind: "midpoint".into() }, true);
                    forge(ClassRecord::Between { below: Some(value), above: None }, true);
                }
                ClassRecord::Beside { line, side } => {
                    let other = if side == "above" { "below" } else { "above" };
                    forge(ClassRecord::Beside { line: line.clone(), side: other.into() }, true);
                    forge(ClassRecord::Beside { line: format!("1/1000*{line}"), side }, true);
                }
                _ => continue,
            }
            classes.insert(format!("{kind:?}"));
        }
    }
    assert_eq!(classes.len(), 3);
}
