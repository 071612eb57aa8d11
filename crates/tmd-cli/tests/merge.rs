//! `tmd merge --out`: one certificate of runs over different binades.

mod program;

use std::{fs, path::Path};

use program::{exported, place, solve, tmd};
use tmd_driver::Certificate;

/// A run to its end, in units of so many core-seconds.
fn run(folder: &Path, name: &str, question: &str) -> String {
    let run = place(folder, name);
    tmd("", &solve(&format!("{question} --format binary16"), &run)).done();
    run
}

fn certificate(bytes: &[u8]) -> Certificate {
    Certificate::from_json(str::from_utf8(bytes).unwrap()).unwrap()
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
    let merged = tmd("merge", &[&low, &high, "--out", &file]).done();
    assert!(merged.err.is_empty(), "{merged}");
    tmd("verify --all", &[&file]).done();
    let whole = certificate(&fs::read(&file).unwrap());
    let expected = certificate(&exported(&run(folder, "all", "exp --binades -3..2")));
    assert_eq!((whole.binades, &whole.cases), (Some([-3, 2]), &expected.cases));
    assert!(whole.is_complete() && whole.cases.len() > 50);
    let units = [&low, &high].map(|run| certificate(&exported(run)).units.len());
    assert_eq!(whole.units.len(), units.iter().sum::<usize>());
    // a certificate does as well as its run
    let exported = place(folder, "low.json");
    tmd("export", &[&low, "--out", &exported]).done();
    tmd("merge", &[&exported, &high, "--out", &again]).done();
    assert!(fs::read(&file).unwrap() == fs::read(&again).unwrap());
    // what several have searched is compared
    tmd("merge", &[&low, &middle, &high, "--out", &both])
        .done()
        .says("arguments that two of them searched agree");
    tmd("verify --all", &[&both]).done();
    // and nothing is overwritten
    tmd("merge", &[&low, &high, "--out", &file]).ends(2);
    // without --out a run takes in what is its own, and says how else
    tmd("merge", &[&low, &high])
        .ends(1)
        .prints("NOT compared: no argument was searched by both; with --out FILE.json");
}

#[test]
fn what_is_left_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let [low, top] = [("low", LOW), ("top", "exp --binades 1..2 --unit 0.0002")]
        .map(|(name, question)| run(folder, name, question));
    let file = place(folder, "partial.json");
    tmd("merge", &[&low, &top, "--out", &file])
        .ends(1)
        .says("NOT COVERED: 0x1p-1 to 0x1.ffcp+0: not searched to the end");
    let partial = certificate(&fs::read(&file).unwrap());
    assert!(!partial.is_finished() && !partial.cases.is_empty());
    tmd("verify", &[&file]).ends(1);
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
    let merge = || tmd("merge", &[&low, &file, "--out", &out]).ends(1);
    let merged = merge();
    assert!(!Path::new(&out).exists(), "{merged}");
    wrong.digest = wrong.computed_digest();
    fs::write(&file, wrong.to_json()).unwrap();
    merge().says("DISAGREE").says(&format!("the case at {} ", lost.x)).says("low").says("wrong.json");
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
        tmd("merge", &[&low, &other, "--out", &out]).refused(difference);
        assert!(!Path::new(&out).exists());
    }
    let nothing = place(folder, "nothing");
    tmd("merge", &[&low, &nothing, "--out", &out]).ends(2);
    fs::write(&nothing, "{}").unwrap();
    tmd("merge", &[&low, &nothing, "--out", &out]).ends(2);
    // a place inside a run
    let inside = place(Path::new(&low), "out.json");
    tmd("merge", &[&low, "--out", &inside]).ends(2);
    assert!(!Path::new(&out).exists());
}
