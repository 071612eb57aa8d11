//! A build that says how far it is: what cargo reports of every finished package, weighed by how
//! long packages take.

use std::{
    collections::HashSet,
    io::{BufRead, BufReader, IsTerminal, Write},
    process::{Command, Stdio},
    sync::mpsc::{self, RecvTimeoutError},
    thread,
    time::{Duration, Instant},
};

use crate::run::{Failure, capture, cargo, json_string, typed};

/// Seconds of one core for the packages that take longest (docs/performance.md); others take
/// [`OTHERS`].
const SECONDS: [(&str, f64); 16] = [
    (LARGEST, 60.0),
    ("tmd-driver", 26.0),
    ("tmd-simd", 19.0),
    ("zstd-sys", 8.0),
    ("tmd-ledger", 7.0),
    ("tmd-functions", 7.0),
    ("tmd-report", 6.0),
    ("tmd-cli", 6.0),
    ("tmd-core", 6.0),
    ("parquet", 4.5),
    ("wide", 4.5),
    ("syn", 4.5),
    ("rug", 3.5),
    ("libsqlite3-sys", 3.0),
    ("tmd-libm", 3.0),
    ("zerocopy", 2.5),
];

/// Takes a quarter of the time, and is done in none where its libraries are in `target/gmp`.
const LARGEST: &str = "gmp-mpfr-sys";

const OTHERS: f64 = 0.4;

const NO_FEATURES: &str = "--no-default-features";

/// How often a line is printed where it cannot be written over.
const LINES: Duration = Duration::from_secs(30);

/// Seconds that a package takes on one core, about.
fn seconds(package: &str) -> f64 {
    SECONDS.iter().find(|(name, _)| *name == package).map_or(OTHERS, |(_, seconds)| *seconds)
}

/// Builds the program `binary` of `package` in release mode, without its default features, with a
/// line about how far it is.
pub(crate) fn release(package: &str, binary: &str) -> Result<(), Failure> {
    let mut tree = cargo(&["tree", "--package", package, NO_FEATURES, "--edges", "normal,build"]);
    let tree = capture(tree.args(["--prefix", "none", "--format", "{p}"]))?;
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let mut progress = Progress::new(&tree, cores);
    println!(
        "Building `{binary}` and the {} packages it is made of, {:.0} minutes of one core if none of them is there yet, on {cores}: \
         GMP and MPFR are compiled, too.",
        progress.left.len(),
        (progress.total / 60.0).ceil(),
    );
    let mut build =
        cargo(&["build", "--release", "--package", package, NO_FEATURES, "--bin", binary, "--quiet"]);
    println!("$ {}", typed(&build));
    build.args(["--message-format", "json-render-diagnostics"]).stdout(Stdio::piped());
    watch(&mut build, &mut progress)
}

/// Runs a build and tells of its progress.
fn watch(build: &mut Command, progress: &mut Progress) -> Result<(), Failure> {
    let command = typed(build);
    let mut child =
        build.spawn().map_err(|error| Failure::step(format!("cannot start `{command}`: {error}")))?;
    let (sender, messages) = mpsc::channel();
    if let Some(output) = child.stdout.take() {
        thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                let _ = sender.send(line); // nobody listens: the build has failed
            }
        });
    }
    let (is_terminal, started, mut last) = (std::io::stdout().is_terminal(), Instant::now(), Instant::now());
    loop {
        match messages.recv_timeout(Duration::from_secs(1)) {
            Ok(message) => progress.note(&message, started.elapsed()),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
        if is_terminal {
            print!("\r{:<78}", progress.line(started.elapsed()));
            let _ = std::io::stdout().flush(); // a line about progress may be lost
        } else if last.elapsed() >= LINES {
            last = Instant::now();
            println!("{}", progress.line(started.elapsed()));
        }
    }
    if is_terminal {
        println!("\r{:<78}", format!("built in {}", minutes(started.elapsed())));
    }
    let status = child.wait().map_err(|error| Failure::step(format!("the build is lost: {error}")))?;
    if status.success() { Ok(()) } else { Err(Failure::step(format!("`{command}`: {status}"))) }
}

/// What of a build is done.
struct Progress {
    /// packages that are not finished
    left: HashSet<String>,
    packages: usize,
    /// seconds of one core for all of them
    total: f64,
    /// of those that took some time here: what was there before is not a measure of anything
    compiled: f64,
    /// of those that were there before
    fresh: f64,
    last: String,
    cores: f64,
}

impl Progress {
    /// Of the packages of `cargo tree`, one a line: `name v1.2.3 (…)`.
    fn new(tree: &str, cores: usize) -> Self {
        let left: HashSet<String> =
            tree.lines().filter_map(|line| line.split_whitespace().next()).map(Into::into).collect();
        let total = left.iter().map(|package| seconds(package)).sum();
        let cores = cores as f64;
        Self { packages: left.len(), left, total, compiled: 0.0, fresh: 0.0, last: String::new(), cores }
    }

    /// Takes note of one of cargo's messages, and of when it came.
    fn note(&mut self, message: &str, elapsed: Duration) {
        let Some(id) = json_string(message, "package_id") else { return };
        let Some(package) = name(&id).map(String::from) else { return };
        // a library is compiled after its build script has run, which is what takes the time in GMP
        let is_done = message.starts_with("{\"reason\":\"compiler-artifact\"")
            && !message.contains("\"kind\":[\"custom-build\"]");
        if is_done && self.left.remove(&package) {
            let seconds = seconds(&package);
            // it cannot have been compiled by now
            let is_cached = package == LARGEST && elapsed.as_secs_f64() * self.cores < seconds / 4.0;
            if is_cached || message.contains("\"fresh\":true") {
                self.fresh += seconds;
            } else {
                self.compiled += seconds;
                self.last = package;
            }
        }
    }

    /// What is done, and how long the rest takes if it goes on like this.
    fn line(&self, elapsed: Duration) -> String {
        let done = self.packages - self.left.len();
        let rest = self.total - self.compiled - self.fresh;
        let elapsed_s = elapsed.as_secs_f64();
        let left = if self.left.contains(LARGEST) {
            // of this package any share may be done, and how fast the machine is, is not seen. It
            // is taken to be as fast as the table's, as long as that may be; from then on all of
            // this package is taken to be done
            let largest = seconds(LARGEST);
            let slowness = (elapsed_s * self.cores / (self.compiled + largest)).max(1.0);
            let others = slowness * (rest - largest) / self.cores;
            others.max((self.total - self.fresh) / self.cores - elapsed_s)
        } else if self.compiled > 10.0 {
            elapsed_s * rest / self.compiled
        } else {
            rest / self.cores
        };
        let left = match left {
            1.0.. => format!("about {} left", minutes(Duration::from_secs_f64(left))),
            _ => format!("{rest:.0} core-seconds left"),
        };
        let last = if self.last.is_empty() { String::new() } else { format!("; {} is done", self.last) };
        format!("{done} of {} packages in {}, {left}{last}", self.packages, minutes(elapsed))
    }
}

/// `1:05`
fn minutes(time: Duration) -> String {
    format!("{}:{:02}", time.as_secs() / 60, time.as_secs() % 60)
}

/// The package's name in what cargo calls its id: `…#name@1.2.3`, or `…/name#1.2.3` if the folder
/// has the same name.
fn name(id: &str) -> Option<&str> {
    let (place, package) = id.rsplit_once('#')?;
    match package.split_once('@') {
        Some((name, _)) => Some(name),
        None => place.rsplit('/').next(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_packages() {
        assert_eq!(name("registry+https://github.com/rust-lang/crates.io-index#naga@30.0.1"), Some("naga"));
        assert_eq!(name("path+file:///home/me/tmd/crates/tmd-cli#0.1.0"), Some("tmd-cli"));
        assert_eq!(name("path+file:///home/me/tmd/shaders#tmd-shaders@0.1.0"), Some("tmd-shaders"));
        assert_eq!(name("nothing"), None);
    }

    fn artifact(package: &str, kind: &str, fresh: bool) -> String {
        let id = format!("\"package_id\":\"registry+https://x#{package}@1.0.0\"");
        format!(
            "{{\"reason\":\"compiler-artifact\",{id},\"target\":{{\"kind\":[\"{kind}\"]}},\"fresh\":{fresh}}}"
        )
    }

    const TREE: &str =
        "tmd-cli v0.1.0 (/tmd)\ngmp-mpfr-sys v1.7.1\nlibc v0.2.1\nrug v1.30.0\nlibc v0.2.1 (*)\n";

    #[test]
    fn what_is_done_and_what_is_left() {
        let mut progress = Progress::new(TREE, 2);
        assert_eq!((progress.packages, progress.total), (4, 6.0 + 60.0 + 3.5 + OTHERS));
        let line = |progress: &Progress, seconds| progress.line(Duration::from_secs(seconds));
        assert_eq!(line(&progress, 5), "0 of 4 packages in 0:05, about 0:29 left");
        // a script that is compiled has not run
        let late = Duration::from_secs(90);
        progress.note(&artifact(LARGEST, "custom-build", false), late);
        progress.note(&artifact("libc", "custom-build", false), late);
        progress.note(
            "{\"reason\":\"build-script-executed\",\"package_id\":\"registry+https://x#gmp-mpfr-sys@1.0.0\"}",
            late,
        );
        progress.note("{\"reason\":\"build-finished\",\"success\":true}", late);
        progress.note("not JSON at all", late);
        assert_eq!(progress.left.len(), 4);
        progress.note(&artifact("libc", "lib", true), late);
        progress.note(&artifact("libc", "lib", true), late);
        assert_eq!((progress.left.len(), progress.compiled), (3, 0.0));
        // slower than the table's machine, 180 core-seconds for at most 60: the other 9.5 take 14.2
        // seconds of two cores
        assert_eq!(line(&progress, 90), "1 of 4 packages in 1:30, about 0:14 left");
        progress.note(&artifact(LARGEST, "lib", false), late);
        // 9.5 of 69.5 seconds are left, after 90 seconds for 60
        assert_eq!(line(&progress, 90), "2 of 4 packages in 1:30, about 0:14 left; gmp-mpfr-sys is done");
    }

    /// Libraries that come from a cache say nothing of this machine.
    #[test]
    fn what_is_there_from_the_beginning() {
        let mut progress = Progress::new(TREE, 2);
        progress.note(&artifact(LARGEST, "lib", false), Duration::from_secs(3));
        assert_eq!((progress.fresh, progress.compiled), (60.0, 0.0));
        assert_eq!(progress.line(Duration::from_secs(3)), "1 of 4 packages in 0:03, about 0:04 left");
    }
}
