//! The program, its run directories, and what it says of them.

use std::{
    fs,
    path::Path,
    process::{Command, Output, Stdio},
    thread::sleep,
    time::{Duration, Instant},
};

use serde_json::Value;

pub(crate) const TMD: &str = env!("CARGO_BIN_EXE_tmd");

pub(crate) fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(TMD);
    command.args(arguments).stdin(Stdio::null());
    command
}

pub(crate) fn tmd(arguments: &[&str]) -> Output {
    command(arguments).output().unwrap()
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// The words of `tmd solve … --run`.
pub(crate) fn solve<'a>(question: &'a str, run: &'a str) -> Vec<&'a str> {
    ["solve"].into_iter().chain(question.split(' ')).chain(["--run", run, "--threads", "2"]).collect()
}

/// A directory for a run, by its name.
pub(crate) fn place(folder: &Path, name: &str) -> String {
    folder.join(name).to_str().unwrap().to_owned()
}

pub(crate) fn exported(run: &str) -> Vec<u8> {
    let exported = tmd(&["export", run]);
    assert!(exported.status.success(), "{}", text(&exported.stderr));
    exported.stdout
}

/// The certificate of an undisturbed run.
pub(crate) fn undisturbed(folder: &Path, question: &str) -> Vec<u8> {
    let run = place(folder, "undisturbed");
    let solved = tmd(&solve(question, &run));
    assert!(solved.status.success(), "{}", text(&solved.stderr));
    let certificate = exported(&run);
    fs::remove_dir_all(run).unwrap();
    certificate
}

pub(crate) fn status(run: &str) -> Value {
    let status = tmd(&["status", run, "--json"]);
    assert!(status.status.success(), "{}", text(&status.stderr));
    serde_json::from_slice(&status.stdout).unwrap()
}

/// Waits for an event, however slow the machine is: at most ten minutes.
#[allow(dead_code)]
pub(crate) fn wait_for(what: &str, mut has_happened: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !has_happened() {
        assert!(begun.elapsed() < Duration::from_secs(600), "waited for {what}");
        sleep(Duration::from_millis(2));
    }
}

/// Waits until there is a run in a directory.
#[allow(dead_code)]
pub(crate) fn wait_until_begun(run: &str) {
    wait_for("the run", || tmd(&["status", run]).status.success());
}
