//! `tmd merge --out`: one certificate of runs over different binades.

use std::{fs, path::Path, process::Output};

use tmd_driver::Certificate;

#[allow(dead_code)]
mod common;

use common::{exported, place, solve, text, tmd};

/// A run to its end, in units of so many core-seconds.
fn run(folder: &Path, name: &str, question: &str) -> String {
    let run = place(folder, name);
    let question = format!("{question} --format binary16");
    let solved = tmd(&solve(&question, &run));
    assert!(solved.status.success(), "{}", text(&solved.stderr));
    run
}

fn code(output: &Output) -> i32 {
    output.status.code().unwrap()
}

fn certificate(bytes: &[u8]) -> Certificate {
    Certificate::from_json(&text(bytes)).unwrap()
}

const LOW: &str = "exp --binades -3..-1 --unit 0.0002";
const MIDDLE: &str = "exp --binades -2..1 --unit 0.0005";
const HIGH: &str = "exp --binades -1..2 --unit 0.0004";

/// Runs of two machines become what one would have written, but for how units are cut.
#[test]
fn groups_of_binades() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let [low, middle, high] = [("low", LOW), ("middle", MIDDLE), ("high", HIGH)]
        .map(|(name, question)| run(folder, name, question));
    let [file, again, both] = ["whole.json", "again.json", "both.json.zst"].map(|name| place(folder, name));
    let merged = tmd(&["merge", &low, &high, "--out", &file]);
    assert_eq!(code(&merged), 0, "{}", text(&merged.stderr));
    assert!(merged.stderr.is_empty(), "{}", text(&merged.stderr));
    let verified = tmd(&["verify", &file, "--all"]);
    assert_eq!(code(&verified), 0, "{}", text(&verified.stdout));
    let whole = certificate(&fs::read(&file).unwrap());
    let expected = certificate(&exported(&run(folder, "all", "exp --binades -3..2")));
    assert_eq!((whole.binades, &whole.cases), (Some([-3, 2]), &expected.cases));
    assert!(whole.is_complete() && whole.cases.len() > 50);
    let units = [&low, &high].map(|run| certificate(&exported(run)).units.len());
    assert_eq!(whole.units.len(), units.iter().sum::<usize>());
    // a certificate does as well as its run
    let exported = place(folder, "low.json");
    assert_eq!(code(&tmd(&["export", &low, "--out", &exported])), 0);
    assert_eq!(code(&tmd(&["merge", &exported, &high, "--out", &again])), 0);
    assert!(fs::read(&file).unwrap() == fs::read(&again).unwrap());
    // what several have searched is compared
    let merged = tmd(&["merge", &low, &middle, &high, "--out", &both]);
    assert_eq!(code(&merged), 0, "{}", text(&merged.stderr));
    assert!(text(&merged.stderr).contains("arguments that two of them searched agree"));
    assert_eq!(code(&tmd(&["verify", &both, "--all"])), 0);
    // and nothing is overwritten
    assert_eq!(code(&tmd(&["merge", &low, &high, "--out", &file])), 2);
    // without --out a run takes in what is its own, and says how else
    let merged = tmd(&["merge", &low, &high]);
    assert_eq!(code(&merged), 1);
    assert!(
        text(&merged.stdout).contains("NOT compared: no argument was searched by both; with --out FILE.json")
    );
}

#[test]
fn what_is_left_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let [low, top] = [("low", LOW), ("top", "exp --binades 1..2 --unit 0.0002")]
        .map(|(name, question)| run(folder, name, question));
    let file = place(folder, "partial.json");
    let merged = tmd(&["merge", &low, &top, "--out", &file]);
    assert_eq!(code(&merged), 1, "{}", text(&merged.stderr));
    let said = text(&merged.stderr);
    assert!(said.contains("NOT COVERED: 0x1p-1 to 0x1.ffcp+0: not searched to the end"), "{said}");
    let partial = certificate(&fs::read(&file).unwrap());
    assert!(!partial.is_finished() && !partial.cases.is_empty());
    assert_eq!(code(&tmd(&["verify", &file])), 1);
}

#[test]
fn results_that_disagree() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let [low, middle] =
        [("low", LOW), ("middle", MIDDLE)].map(|(name, question)| run(folder, name, question));
    let mut wrong = certificate(&exported(&middle));
    let at = wrong.cases.iter().position(|case| case.x.starts_with("0x") && case.x.ends_with("p-2")).unwrap();
    let lost = wrong.cases.remove(at);
    let [file, out] = ["wrong.json", "out.json"].map(|name| place(folder, name));
    // changed after it was written
    fs::write(&file, wrong.to_json()).unwrap();
    let merged = tmd(&["merge", &low, &file, "--out", &out]);
    assert_eq!(code(&merged), 1);
    assert!(!Path::new(&out).exists(), "{}", text(&merged.stderr));
    wrong.digest = wrong.computed_digest();
    fs::write(&file, wrong.to_json()).unwrap();
    let merged = tmd(&["merge", &low, &file, "--out", &out]);
    assert_eq!(code(&merged), 1);
    let said = text(&merged.stderr);
    assert!(said.contains("DISAGREE") && said.contains(&format!("the case at {} ", lost.x)), "{said}");
    assert!(said.contains("low") && said.contains("wrong.json"), "{said}");
    // neither counts there
    assert!(!certificate(&fs::read(&out).unwrap()).is_complete());
}

#[test]
fn wrong_inputs_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let low = run(folder, "low", LOW);
    let out = place(folder, "out.json");
    for (name, question, difference) in [
        ("other", "sin --binades -1..2", "function is sin(x) there and exp(x) in the other"),
        ("bits", "exp --binades -1..2 --extra-bits 9", "extra_bits is 9 there and 8 in the other"),
        (
            "rounding",
            "exp --binades -1..2 --rounding nearest",
            "rounding is nearest there and all in the other",
        ),
    ] {
        let other = run(folder, name, question);
        let merged = tmd(&["merge", &low, &other, "--out", &out]);
        let said = text(&merged.stderr);
        assert_eq!(code(&merged), 2, "{said}");
        assert!(said.contains(difference) && said.lines().count() == 1, "{said}");
        assert!(merged.stdout.is_empty() && !Path::new(&out).exists());
    }
    let nothing = place(folder, "nothing");
    assert_eq!(code(&tmd(&["merge", &low, &nothing, "--out", &out])), 2);
    fs::write(&nothing, "{}").unwrap();
    assert_eq!(code(&tmd(&["merge", &low, &nothing, "--out", &out])), 2);
    // a place inside a run
    let inside = place(Path::new(&low), "out.json");
    assert_eq!(code(&tmd(&["merge", &low, "--out", &inside])), 2);
    assert!(!Path::new(&out).exists());
}
