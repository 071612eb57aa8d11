//! The paths of docs/cluster.md, for real, on one node: Slurm, `HyperQueue` and MPI, with workers
//! killed on the way.
//!
//! `cargo xtask test --cluster` installs what these tests need, and says so in the variables
//! `TMD_MPI` (the program `tmd-mpi`) and `TMD_PYTHON` (a Python that has `hyperqueue`).
#![cfg(target_os = "linux")]

mod hyperqueue;
mod mpi;
#[path = "../program/mod.rs"]
mod program;
mod slurm;

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Child, Command},
    sync::{Mutex, MutexGuard, OnceLock, PoisonError},
    thread::sleep,
    time::{Duration, Instant},
};

use program::{Answer, command, exported, place, status, undisturbed};
use tempfile::TempDir;

/// A question of some hundred units, long enough to be disturbed in the midst of it.
const QUESTION: &str = "exp --format binary64 --binades -9..-7 --extra-bits 44 --unit 0.05";

/// The certificate of the question, by `tmd solve` alone.
fn expected() -> &'static [u8] {
    static CERTIFICATE: OnceLock<Vec<u8>> = OnceLock::new();
    CERTIFICATE.get_or_init(|| undisturbed(tempfile::tempdir().unwrap().path(), QUESTION))
}

/// One test at a time: each takes all of the machine.
fn alone() -> MutexGuard<'static, ()> {
    static ONE: Mutex<()> = Mutex::new(());
    ONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A directory for a test, and in it a run that is begun and cut into so many shards.
fn sharded(shards: u32) -> (TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let run = place(folder.path(), "run");
    done(&mut command(&format!("solve {QUESTION} --begin-only --run"), &[&run]));
    done(&mut command("shard", &[&run, "--count", &shards.to_string()]));
    (folder, run)
}

/// Runs a command that must succeed; what it prints.
fn done(command: &mut Command) -> String {
    Answer::of(command).done().text().to_owned()
}

/// Waits until something holds, which `what` describes.
fn wait(what: &str, mut holds: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < Duration::from_secs(300), "waited for {what}");
        sleep(Duration::from_millis(5));
    }
}

/// The number of results of shards that a run has.
fn results(run: &str) -> usize {
    let folders = fs::read_dir(Path::new(run).join("shards")).unwrap();
    let files = folders.filter_map(|folder| fs::read_dir(folder.unwrap().path()).ok()).flatten();
    files.filter(|file| file.as_ref().unwrap().path().extension().is_some_and(|kind| kind == "json")).count()
}

/// A running process.
struct Process {
    pid: u32,
    environment: String,
}

impl Process {
    /// Those of a program that have a word, a run directory for example, on their command line.
    fn of(program: &Path, word: &str) -> Vec<Self> {
        let numbers = fs::read_dir("/proc").unwrap();
        let numbers = numbers.filter_map(|entry| entry.unwrap().file_name().to_str()?.parse().ok());
        let is_meant = |pid: &u32| {
            let words = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
            let is_of = |path: PathBuf| path == program;
            fs::read_link(format!("/proc/{pid}/exe")).is_ok_and(is_of)
                && words.split(|byte| *byte == 0).any(|there| there == word.as_bytes())
        };
        let environment = |pid| fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        let process =
            |pid| Self { pid, environment: String::from_utf8_lossy(&environment(pid)).into_owned() };
        numbers.filter(is_meant).map(process).collect()
    }

    /// Whether its environment has this variable of this value.
    fn has(&self, name: &str, value: &str) -> bool {
        self.environment.split('\0').any(|entry| entry.split_once('=') == Some((name, value)))
    }
}

/// SIGKILL.
fn kill(pid: u32) {
    done(Command::new("kill").args(["-KILL", &pid.to_string()]));
}

/// A child that ends with the test, whatever happens in it.
struct Kept(Child);

impl Drop for Kept {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A file of the folder `cluster`.
fn script(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cluster").join(name).canonicalize().unwrap()
}

/// What `cargo xtask test --cluster` says.
fn told(variable: &str) -> PathBuf {
    env::var_os(variable).unwrap_or_else(|| panic!("{variable}: use cargo xtask test --cluster")).into()
}
