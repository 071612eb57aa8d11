//! `tmd plan`, `tmd solve` and `tmd verify` of whole functions: documents, exit codes, sentences.

mod program;

use std::{fs, path::Path};

use program::{place, tmd};
use serde_json::Value;
use tmd_testkit::one_in;

/// A certificate in a file, by `tmd solve`.
fn solve(folder: &Path, options: &str) -> String {
    let path = place(folder, "certificate.json");
    // the plan comes first
    tmd(&format!("solve {options} --overwrite --out"), &[&path]).done().says(" searched");
    path
}

/// How a report ends of a certificate that holds, and of whose searches some were not made again.
const SAMPLED: &str = " holds in what was checked; --all checks the rest\n";

/// A certificate holds, and does not when it was changed. The exit code is 0 only if everything was
/// checked, all searches too.
#[test]
fn solved_and_verified() {
    let folder = tempfile::tempdir().unwrap();
    for options in [
        "sin --format bfloat16",
        "exp2 --format binary16 --rounding nearest --engine regular-simd",
        // sizes and thresholds are part of the engine's name, and budgets depend on them
        "cos --format bfloat16 --domain-size 64",
        "exp --format binary16 --engine lefevre-simd --domain-size 1000 --logms 3",
        "exp --format binary16 --engine regular --domain-size 100 --logms 64",
    ] {
        let path = solve(folder.path(), options);
        let report = tmd("verify --samples 3", &[&path])
            .ends(3)
            .prints("all lines of their error budgets")
            .prints("seed of the samples: ");
        assert!(report.text().ends_with(SAMPLED), "{report}");
        let report = tmd("verify --all", &[&path])
            .done()
            .prints(" parts searched again by ")
            .prints("counts of phases included");
        let text = report.text();
        assert!(text.ends_with(" holds\n") && !text.contains("not checked"), "{report}");
        let document = fs::read_to_string(&path).unwrap();
        let line = document.lines().find(|line| line.starts_with("\"0x1")).unwrap();
        fs::write(&path, document.replacen(&format!("{line}\n"), "", 1)).unwrap();
        tmd("verify", &[&path]).ends(1).prints("WRONG: ").prints("does NOT hold");
    }
}

/// A tenth of every unit; the same places with the same seed, and others with none.
#[test]
fn shares_and_seeds() {
    let folder = tempfile::tempdir().unwrap();
    let path = solve(folder.path(), "exp --format binary16 --rounding directed");
    let verify = |options: &str| tmd(&format!("verify {options}"), &[&path]);
    let said = |options: &str| verify(options).ends(3).text().to_owned();
    let share = said("--share 0.1 --seed 7");
    assert_eq!(share, said("--share 0.1 --seed 7"));
    // a tenth, and up to an argument more of each unit
    let percent = share.split(" were searched again").next().unwrap().rsplit(", ").next().unwrap();
    let percent: f64 = percent.trim_end_matches(" %").parse().unwrap();
    assert!((10.0..12.0).contains(&percent), "{share}");
    assert!(share.contains("--all everything"), "{share}");
    let [one, other] = [(); 2].map(|()| {
        let report = said("--samples 1");
        report.split("seed of the samples: ").nth(1).unwrap().split(' ').next().unwrap().to_owned()
    });
    assert_ne!(one, other, "the system's");
    for (options, hint) in [
        ("--share 0", "more than 0 and at most 1"),
        ("--share 1.5", "more than 0 and at most 1"),
        ("--share 0.5 --all", "cannot be used with"),
        ("--sample-seconds 0", "positive number of seconds"),
    ] {
        verify(options).ends(2).says(hint);
    }
}

/// The plan of all of exp in binary64: thresholds, and a time for each binade.
#[test]
fn whole_domains_planned() {
    let table = tmd("plan exp --table", &[])
        .done()
        .prints("0x1.62e42fefa39fp+9      0x1.fffffffffffffp+1023     2^62.0                         f(x) > 0x1.fffffffffffff8p+1023")
        .prints("f(x) = 1, a number")
        .prints("exact results: exp(x) is rational only at x = 0");
    let lines = || table.text().lines();
    assert!(lines().filter(|line| line.contains("  search ")).count() > 120, "{table}");
    // the answer comes first, and alone unless the rows are asked for
    assert!(lines().next().unwrap().starts_with("2^64.0 arguments: "), "{table}");
    let [answer, table] = ["", " --table"].map(|rows| tmd(&format!("plan exp --format binary32{rows}"), &[]));
    let rows: Vec<&str> = answer.text().lines().collect();
    assert!(rows[0].starts_with("2^32.0 arguments: ") && rows.len() < 8, "{answer}");
    assert_eq!(table.text().lines().next(), Some(rows[0]));
    let uncovered = |when: &str| {
        let document = tmd("plan sin --binades 900..1024 --output json --at-once", &[when]).json();
        let regions = document["regions"].as_array().unwrap();
        let count = regions.iter().filter(|region| region["class"]["is"] == "out-of-reach").count();
        (count, document["totals"]["uncovered"].as_f64().unwrap() > 0.0)
    };
    let (count, is_any) = uncovered("never");
    assert!(count > 100 && is_any, "large arguments of sin, binade by binade, one after the other");
    assert_eq!(uncovered("auto"), (0, false), "all at once");
}

#[test]
fn wrong_questions() {
    for (question, hint) in [
        ("solve exp --format binary99", "unknown format"),
        ("solve exp --binades 5", "is not A..B"),
        ("solve exp --format binary16 --binades 3..99", "give exponents A..B"),
        ("solve exp --format binary16 --binades 3..3", "did you mean 3..4"),
        ("solve exp --limit 0", "positive number of core-hours"),
        ("solve exq", "unknown"),
        ("solve exp --extra-bits 99", "extra bits"),
        ("solve exp --out /nowhere/x.json", "make it first"),
        ("plan exp --from 1", "--to"),
        ("plan exp --from 1 --to 2 --binades 0..1", "cannot be used with"),
        ("plan exp --precision 30", "give --from and --to"),
        ("verify /nowhere/x.json", "cannot read"),
    ] {
        tmd(question, &[]).ends(2).says(hint);
    }
    let folder = tempfile::tempdir().unwrap();
    let empty = place(folder.path(), "empty.json");
    fs::write(&empty, "{}").unwrap();
    tmd("verify", &[&empty]).ends(2).says("is not a certificate");
}

/// On a GPU, alone and beside the CPU: the CPU's list and a certificate that holds, of searches of
/// the function and of its inverse.
#[test]
fn on_a_gpu() {
    if tmd("adapters --output json", &[]).json()["adapters"].as_array().unwrap().is_empty() {
        println!("skipped: no GPU adapter");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let cases = |options: &str| {
        let path = solve(folder.path(), options);
        let report = tmd("verify --samples 3 --sample-seconds 0.1", &[&path]).ends(3);
        // the lines of the budgets that depend on a device are not derived again
        let end = if options.contains("--backend") { " NOT all was\n" } else { SAMPLED };
        assert!(report.text().ends_with(end), "{options}: {report}");
        let document: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
        let units = document["units"].as_array().unwrap();
        let is_inverse = units.iter().any(|unit| unit.get("via").is_some());
        (document["cases"].clone(), is_inverse)
    };
    // binary32, and results of exp on a flat binade of binary64, which are searched by log
    let questions =
        [("sin --format binary32 --binades=-3..1", false), ("exp --binades=-26..-24 --extra-bits 40", true)];
    for (question, expects_inverse) in one_in(2, questions) {
        let (expected, is_inverse) = cases(question);
        assert_eq!(is_inverse, expects_inverse, "{question}");
        assert!(expected.as_array().unwrap().len() > 50, "{question}");
        for backend in ["gpu", "hybrid"] {
            assert_eq!(
                cases(&format!("{question} --backend {backend}")).0,
                expected,
                "{question}, {backend}"
            );
        }
    }
}

/// What is out of reach was said to be: nothing that was to be searched is missing, but it is left,
/// and whoever reads exit codes only learns that as well.
#[test]
fn what_is_out_of_reach_is_left() {
    let folder = tempfile::tempdir().unwrap();
    let [file, run] = ["exp.json", "run"].map(|name| place(folder.path(), name));
    let solve = "solve exp --format binary16 --limit 1e-13";
    for (line, words) in [
        (solve, ["--out", &file]),
        (solve, ["--run", &run]),
        ("export", [&file, "--output=wc"]),
        ("export", [&run, "--output=wc"]),
    ] {
        let answer = tmd(line, &words).ends(1);
        let said = answer.text().to_owned() + &answer.err;
        for words in ["NOT COMPLETE for every number of binary16: ", " out of reach)"] {
            assert!(said.contains(words), "{answer}");
        }
        assert!(!said.contains("PARTIAL"), "{answer}");
    }
    // nothing is wrong with it, and not all that was asked for is covered
    for certificate in [&file, &run] {
        tmd("verify", &[certificate])
            .ends(3)
            .prints("NOT COMPLETE for every number of binary16")
            .prints("NOT COVERED: ")
            .prints("holds in what it covers")
            .prints("out of reach derived again");
    }
    // all that others would follow from: nothing but 0 and what has no value is known
    tmd("solve sqrt --limit 1e-7", &[])
        .ends(1)
        .prints("0 cases ")
        .prints("NOT COMPLETE for every number of binary64");
}
