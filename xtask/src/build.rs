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
const SECONDS: [(&str, f64); 14] = [
    ("gmp-mpfr-sys", 120.0),
    ("parquet", 25.0),
    ("libsqlite3-sys", 14.0),
    ("tmd-driver", 13.0),
    ("naga", 12.0),
    ("wgpu-core", 10.0),
    ("tmd-cli", 9.0),
    ("tmd-simd", 8.0),
    ("tmd-ledger", 7.0),
    ("ash", 6.0),
    ("tmd-functions", 5.0),
    ("tmd-gpu", 5.0),
    ("tmd-report", 5.0),
    ("tmd-core", 4.0),
];

const OTHERS: f64 = 0.6;

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
    let mut progress = Progress::new(&tree);
    let cores = thread::available_parallelism().map_or(1, usize::from);
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
            Ok(message) => progress.note(&message),
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
}

impl Progress {
    /// Of the packages of `cargo tree`, one a line: `name v1.2.3 (…)`.
    fn new(tree: &str) -> Self {
        let left: HashSet<String> =
            tree.lines().filter_map(|line| line.split_whitespace().next()).map(Into::into).collect();
        let total = left.iter().map(|package| seconds(package)).sum();
        Self { packages: left.len(), left, total, compiled: 0.0, fresh: 0.0, last: String::new() }
    }

    /// Takes note of one of cargo's messages.
    fn note(&mut self, message: &str) {
        let Some(id) = json_string(message, "package_id") else { return };
        let Some(package) = name(&id).map(String::from) else { return };
        // a library is compiled after its build script has run, which is what takes the time in GMP
        let is_done = message.starts_with("{\"reason\":\"compiler-artifact\"")
            && !message.contains("\"kind\":[\"custom-build\"]");
        if is_done && self.left.remove(&package) {
            let seconds = seconds(&package);
            if message.contains("\"fresh\":true") {
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
        // the first packages say little
        let left = if self.compiled > 10.0 {
            let left = Duration::from_secs_f64(elapsed.as_secs_f64() * rest / self.compiled);
            format!("about {} left", minutes(left))
        } else {
            format!("{rest:.0} core-seconds left")
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

    #[test]
    fn what_is_done_and_what_is_left() {
        let tree = "tmd-cli v0.1.0 (/tmd)\ngmp-mpfr-sys v1.7.1\nlibc v0.2.1\nrug v1.30.0\nlibc v0.2.1 (*)\n";
        let mut progress = Progress::new(tree);
        assert_eq!((progress.packages, progress.total), (4, 9.0 + 120.0 + 2.0 * OTHERS));
        let id = |package: &str| format!("\"package_id\":\"registry+https://x#{package}@1.0.0\"");
        let artifact = |package: &str, kind: &str, fresh: bool| {
            let id = id(package);
            format!(
                "{{\"reason\":\"compiler-artifact\",{id},\"target\":{{\"kind\":[\"{kind}\"]}},\"fresh\":{fresh}}}"
            )
        };
        assert!(
            progress
                .line(Duration::from_secs(5))
                .starts_with("0 of 4 packages in 0:05, 130 core-seconds left")
        );
        // a script that is compiled has not run
        progress.note(&artifact("gmp-mpfr-sys", "custom-build", false));
        progress.note(&artifact("libc", "custom-build", false));
        progress.note(&format!("{{\"reason\":\"build-script-executed\",{}}}", id("gmp-mpfr-sys")));
        progress.note("{\"reason\":\"build-finished\",\"success\":true}");
        progress.note("not JSON at all");
        assert_eq!(progress.left.len(), 4);
        progress.note(&artifact("libc", "lib", true));
        progress.note(&artifact("libc", "lib", true));
        assert_eq!((progress.left.len(), progress.compiled), (3, 0.0));
        progress.note(&artifact("gmp-mpfr-sys", "lib", false));
        let line = progress.line(Duration::from_secs(200));
        // 9.6 of 129.6 seconds are left, after 200 seconds for 120
        assert_eq!(line, "2 of 4 packages in 3:20, about 0:16 left; gmp-mpfr-sys is done");
    }
}
