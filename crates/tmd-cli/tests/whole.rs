//! `tmd plan`, `tmd solve` and `tmd verify` of whole functions: documents, exit codes, sentences.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

fn tmd(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tmd"));
    command.env("NODEVICE_SELECT", "1").args(arguments).stdin(Stdio::null()).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn solve(folder: &Path, options: &str) -> PathBuf {
    let path = folder.join("certificate.json");
    let options: Vec<&str> = options.split(' ').collect();
    let solved = tmd(&[&["solve"], &options[..], &["--overwrite", "--out", path.to_str().unwrap()]].concat());
    assert!(solved.status.success(), "{}", text(&solved.stderr));
    assert!(text(&solved.stderr).contains(" searched"), "the plan comes first");
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
        let verified = tmd(&["verify", path.to_str().unwrap(), "--samples", "3"]);
        let report = text(&verified.stdout);
        assert!(verified.status.code() == Some(3) && report.ends_with(SAMPLED), "{report}");
        assert!(report.contains("all lines of their error budgets"), "{report}");
        assert!(report.contains("seed of the samples: "), "{report}");
        let all = tmd(&["verify", path.to_str().unwrap(), "--all"]);
        let report = text(&all.stdout);
        assert!(all.status.success() && report.ends_with(" holds\n"), "{report}");
        assert!(
            report.contains(" parts searched again by ") && report.contains("counts of phases included"),
            "{report}"
        );
        assert!(!report.contains("not checked"), "{report}");
        let document = fs::read_to_string(&path).unwrap();
        let line = document.lines().find(|line| line.starts_with("{\"x\":\"0x1")).unwrap();
        fs::write(&path, document.replacen(&format!("{line}\n"), "", 1)).unwrap();
        let verified = tmd(&["verify", path.to_str().unwrap()]);
        let report = text(&verified.stdout);
        assert_eq!(verified.status.code(), Some(1), "{report}");
        assert!(report.contains("WRONG: ") && report.contains("does NOT hold"), "{report}");
    }
}

/// A tenth of every unit; the same places with the same seed, and others with none.
#[test]
fn shares_and_seeds() {
    let folder = tempfile::tempdir().unwrap();
    let path = solve(folder.path(), "exp --format binary16 --rounding directed");
    let path = path.to_str().unwrap();
    let said = |options: &[&str]| {
        let verified = tmd(&[&["verify", path], options].concat());
        assert_eq!(verified.status.code(), Some(3), "{}", text(&verified.stdout));
        text(&verified.stdout)
    };
    let share = said(&["--share", "0.1", "--seed", "7"]);
    assert_eq!(share, said(&["--share", "0.1", "--seed", "7"]));
    // a tenth, and up to an argument more of each unit
    let percent = share.split(" were searched again").next().unwrap().rsplit(", ").next().unwrap();
    let percent: f64 = percent.trim_end_matches(" %").parse().unwrap();
    assert!((10.0..12.0).contains(&percent), "{share}");
    assert!(share.contains("--all everything"), "{share}");
    let seed = |report: &str| {
        report.split("seed of the samples: ").nth(1).unwrap().split(' ').next().map(str::to_owned)
    };
    assert_ne!(seed(&said(&["--samples", "1"])), seed(&said(&["--samples", "1"])), "the system's");
    for (options, hint) in [
        (&["--share", "0"][..], "more than 0 and at most 1"),
        (&["--share", "1.5"], "more than 0 and at most 1"),
        (&["--share", "0.5", "--all"], "cannot be used with"),
        (&["--sample-seconds", "0"], "positive number of seconds"),
    ] {
        let answer = tmd(&[&["verify", path], options].concat());
        assert_eq!(answer.status.code(), Some(2), "{options:?}");
        assert!(text(&answer.stderr).contains(hint), "{options:?}: {}", text(&answer.stderr));
    }
}

/// The plan of all of exp in binary64: thresholds, and a time for each binade.
#[test]
fn whole_domains_planned() {
    let planned = tmd(&["plan", "exp", "--table"]);
    let table = text(&planned.stdout);
    assert!(planned.status.success(), "{}", text(&planned.stderr));
    for part in [
        "0x1.62e42fefa39fp+9      0x1.fffffffffffffp+1023     2^62.0                         f(x) > 0x1.fffffffffffff8p+1023",
        "f(x) = 1, a number",
        "exact results: exp(x) is rational only at x = 0",
    ] {
        assert!(table.contains(part), "{table}");
    }
    assert!(table.lines().filter(|line| line.contains("  search ")).count() > 120, "{table}");
    // the answer comes first, and alone unless the rows are asked for
    let answer = text(&tmd(&["plan", "exp"]).stdout);
    assert!(answer.starts_with("2^64.0 arguments: ") && answer.lines().count() < 8, "{answer}");
    assert_eq!(answer.lines().next(), table.lines().next());
    let planned = |when: &str| {
        let planned = tmd(&["plan", "sin", "--output", "json", "--at-once", when]);
        serde_json::from_slice::<serde_json::Value>(&planned.stdout).unwrap()
    };
    let uncovered = |document: &serde_json::Value| {
        let regions = document["regions"].as_array().unwrap();
        let count = regions.iter().filter(|region| region["class"]["is"] == "out-of-reach").count();
        (count, document["totals"]["uncovered"].as_f64().unwrap() > 0.0)
    };
    let (count, is_any) = uncovered(&planned("never"));
    assert!(count > 1000 && is_any, "large arguments of sin, binade by binade, one after the other");
    assert_eq!(uncovered(&planned("auto")), (0, false), "all at once");
}

#[test]
fn wrong_questions() {
    let folder = tempfile::tempdir().unwrap();
    let empty = folder.path().join("empty.json");
    fs::write(&empty, "{}").unwrap();
    let empty = empty.to_str().unwrap();
    for (question, hint) in [
        (&["solve", "exp", "--format", "binary99"][..], "unknown format"),
        (&["solve", "exp", "--binades", "5"], "is not A..B"),
        (&["solve", "exp", "--format", "binary16", "--binades", "3..99"], "give exponents A..B"),
        (&["solve", "exp", "--format", "binary16", "--binades", "3..3"], "did you mean 3..4"),
        (&["solve", "exp", "--limit", "0"], "positive number of core-hours"),
        (&["solve", "exq"], "unknown"),
        (&["solve", "exp", "--extra-bits", "99"], "extra bits"),
        (&["solve", "exp", "--out", "/nowhere/x.json"], "make it first"),
        (&["plan", "exp", "--from", "1"], "--to"),
        (&["plan", "exp", "--from", "1", "--to", "2", "--binades", "0..1"], "cannot be used with"),
        (&["plan", "exp", "--precision", "30"], "give --from and --to"),
        (&["verify", "/nowhere/x.json"], "cannot read"),
        (&["verify", empty], "is not a certificate"),
    ] {
        let answer = tmd(question);
        let sentence = text(&answer.stderr);
        assert_eq!(answer.status.code(), Some(2), "{question:?}: {sentence}");
        assert!(sentence.contains(hint), "{question:?}: {sentence}");
    }
}

/// On a GPU, alone and beside the CPU: the CPU's list and a certificate that holds, of searches of
/// the function and of its inverse.
#[test]
fn on_a_gpu() {
    let adapters = tmd(&["adapters", "--output", "json"]);
    let document: serde_json::Value = serde_json::from_slice(&adapters.stdout).unwrap();
    if document["adapters"].as_array().unwrap().is_empty() {
        println!("skipped: no GPU adapter");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let cases = |options: &str| {
        let path = solve(folder.path(), options);
        let verified = tmd(&["verify", path.to_str().unwrap(), "--samples", "3", "--sample-seconds", "0.5"]);
        let report = text(&verified.stdout);
        // the lines of the budgets that depend on a device are not derived again
        let end = if options.contains("--backend") { " NOT all was\n" } else { SAMPLED };
        assert!(verified.status.code() == Some(3) && report.ends_with(end), "{options}: {report}");
        let document: serde_json::Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
        let units = document["units"].as_array().unwrap();
        let is_inverse = units.iter().any(|unit| unit.get("via").is_some());
        (document["cases"].clone(), is_inverse)
    };
    // binary32, and results of exp on a flat binade of binary64, which are searched by log
    for (question, expects_inverse) in
        [("sin --format binary32 --binades=-3..1", false), ("exp --binades=-26..-24 --extra-bits 40", true)]
    {
        let (expected, is_inverse) = cases(question);
        assert_eq!(is_inverse, expects_inverse, "{question}");
        assert!(expected.as_array().unwrap().len() > 100, "{question}");
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
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (file, run) = (path("exp.json"), path("run"));
    let solve = ["solve", "exp", "--format", "binary16", "--limit", "1e-13"];
    let begin = [&solve[..], &["--run", &run]].concat();
    let (export, of_run) = (["export", &file, "--output", "wc"], ["export", &run, "--output", "wc"]);
    for command in [&[&solve[..], &["--out", &file]].concat()[..], &begin, &export, &of_run] {
        let output = tmd(command);
        let said = text(&output.stdout) + &text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{command:?}: {said}");
        assert!(
            said.contains("NOT COMPLETE for every number of binary16: ") && said.contains(" out of reach)"),
            "{said}"
        );
        assert!(!said.contains("PARTIAL"), "{command:?}: {said}");
    }
    // nothing is wrong with it, and not all that was asked for is covered
    for certificate in [&file, &run] {
        let verified = tmd(&["verify", certificate]);
        let report = text(&verified.stdout);
        assert_eq!(verified.status.code(), Some(3), "{report}");
        assert!(report.contains("NOT COMPLETE for every number of binary16"), "{report}");
        assert!(report.contains("NOT COVERED: ") && report.contains("holds in what it covers"), "{report}");
        assert!(report.contains("out of reach derived again"), "{report}");
    }
    // all that others would follow from: nothing but 0 and what has no value is known
    let output = tmd(&["solve", "sqrt", "--limit", "1e-7"]);
    let said = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(
        said.contains("0 cases ") && said.contains("NOT COMPLETE for every number of binary64"),
        "{said}"
    );
}
