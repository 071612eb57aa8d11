//! `cargo xtask fuzz`, `deny` and `miri`: tools from outside that look for what tests do not. Each
//! is installed where it plainly may be, or the line to type is printed (docs/hardening.md).

use std::process::{Command, Stdio};

use crate::{
    prerequisites,
    run::{Failure, cannot, cargo, execute, root, typed},
};

/// The fuzz targets: the binaries of fuzz/Cargo.toml.
const TARGETS: [&str; 6] = ["numbers", "expressions", "certificates", "ledgers", "segments", "pieces"];

/// Minutes of all targets together unless said otherwise.
const MINUTES: f64 = 60.0;

/// Crates without foreign code: Miri interprets Rust only.
const PURE: [&str; 5] = ["tmd-contfrac", "tmd-exist", "tmd-difftable", "tmd-core", "tmd-simd"];

/// What `cargo xtask fuzz` is told.
#[derive(Debug, PartialEq)]
pub(crate) struct Fuzz {
    /// None for all.
    target: Option<&'static str>,
    minutes: f64,
}

impl Fuzz {
    /// From `[TARGET] [--minutes M]`; what is wrong otherwise.
    pub(crate) fn parse(arguments: &[String]) -> Result<Self, String> {
        let mut fuzz = Self { target: None, minutes: MINUTES };
        let mut arguments = arguments.iter();
        while let Some(argument) = arguments.next() {
            if argument == "--minutes" {
                let minutes = arguments.next().and_then(|text| text.parse().ok());
                fuzz.minutes = minutes
                    .filter(|minutes: &f64| minutes.is_finite() && *minutes > 0.0)
                    .ok_or("--minutes takes a number of minutes, such as 60 or 0.5")?;
            } else {
                let target = TARGETS.into_iter().find(|target| target == argument);
                let unknown = || format!("no fuzz target `{argument}`; there are {}", TARGETS.join(", "));
                fuzz.target = Some(target.ok_or_else(unknown)?);
            }
        }
        Ok(fuzz)
    }

    /// Runs the targets one after the other, each for its share of the time; the first that finds
    /// something ends it.
    pub(crate) fn run(&self) -> Result<(), Failure> {
        prerequisites::ensure()?;
        ensure_subcommand("fuzz")?;
        let targets: Vec<&str> = self.target.map_or_else(|| TARGETS.into(), |target| vec![target]);
        let seconds = (self.minutes * 60.0 / targets.len() as f64).ceil() as u64;
        for target in targets {
            println!("── {target}, {seconds} s");
            execute(&mut command(target, seconds)?)?;
        }
        Ok(())
    }
}

/// cargo-fuzz on one target. Its seeds are in fuzz/seeds; what it learns is kept in fuzz/corpus,
/// what it finds in fuzz/artifacts.
fn command(target: &str, seconds: u64) -> Result<Command, Failure> {
    let fuzz = root().join("fuzz");
    let corpus = fuzz.join("corpus").join(target);
    std::fs::create_dir_all(&corpus).map_err(cannot("create", &corpus))?;
    // our crates forbid unsafe code, but for the lanes: what is looked for are panics, which need
    // no sanitizer
    let mut command = cargo(&["fuzz", "run", "--fuzz-dir", "fuzz", "--sanitizer", "none", target]);
    command.arg(corpus);
    let seeds = fuzz.join("seeds").join(target);
    if seeds.is_dir() {
        command.arg(seeds);
    }
    command.arg("--").arg(format!("-max_total_time={seconds}"));
    // hangs and memory that grows are faults, too
    command.args(["-timeout=30", "-rss_limit_mb=4096", "-print_final_stats=1"]);
    // a stable compiler takes the flags of the instrumentation, if asked
    command.env("RUSTC_BOOTSTRAP", "1");
    Ok(command)
}

/// Checks licenses, bans and sources of all dependencies.
pub(crate) fn deny() -> Result<(), Failure> {
    ensure_subcommand("deny")?;
    execute(&mut cargo(&["deny", "check", "--hide-inclusion-graph", "licenses", "bans", "sources"]))?;
    println!(
        "not checked: advisories, whose database is on GitHub; where that can be reached: cargo deny check advisories"
    );
    Ok(())
}

/// Runs the tests of the crates without foreign code under Miri.
pub(crate) fn miri() -> Result<(), Failure> {
    // through rustup: the cargo that runs us knows no other toolchains
    let mut version = Command::new("cargo");
    version.args(["+nightly", "miri", "--version"]);
    if !succeeds(&mut version) {
        return Err(Failure::usage(
            "Miri is a component of the nightly toolchain, which is not installed here: \
             `rustup toolchain install nightly --component miri --component rust-src`",
        ));
    }
    let mut command = Command::new("cargo");
    command.current_dir(root()).args(["+nightly", "miri", "test", "--lib"]);
    // rustup sets it for the toolchain that runs us
    command.env_remove("RUSTUP_TOOLCHAIN").env_remove("CARGO");
    for package in PURE {
        command.args(["--package", package]);
    }
    // property tests read their seeds of earlier failures; the lanes of this machine's instructions
    // are not interpreted
    command.env("MIRIFLAGS", "-Zmiri-disable-isolation").env("PROPTEST_CASES", "8");
    execute(&mut command)
}

/// Sees to `cargo <name>`.
fn ensure_subcommand(name: &str) -> Result<(), Failure> {
    if succeeds(&mut cargo(&[name, "--version"])) {
        return Ok(());
    }
    let mut install = cargo(&["install", "--locked", &format!("cargo-{name}")]);
    println!("cargo-{name} is not there; installing it takes some minutes: {}", typed(&install));
    execute(&mut install)
        .map_err(|failure| Failure::usage(format!("{failure}; install cargo-{name} by hand")))
}

fn succeeds(command: &mut Command) -> bool {
    command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Result<Fuzz, String> {
        Fuzz::parse(&line.split_whitespace().map(Into::into).collect::<Vec<_>>())
    }

    #[test]
    fn arguments() {
        assert_eq!(parsed(""), Ok(Fuzz { target: None, minutes: MINUTES }));
        assert_eq!(parsed("pieces --minutes 0.5"), Ok(Fuzz { target: Some("pieces"), minutes: 0.5 }));
        assert!(parsed("peaces").unwrap_err().contains("there are numbers, "));
        for wrong in ["--minutes", "--minutes 0", "--minutes inf", "--minutes soon"] {
            assert!(parsed(wrong).unwrap_err().starts_with("--minutes takes"), "{wrong}");
        }
    }

    #[test]
    fn targets_exist() {
        let manifest = std::fs::read_to_string(root().join("fuzz/Cargo.toml")).unwrap();
        let named = manifest.matches("[[bin]]").count();
        assert_eq!(named, TARGETS.len());
        for target in TARGETS {
            assert!(
                manifest.contains(&format!("name = \"{target}\"\npath = \"targets/{target}.rs\"")),
                "{target}"
            );
            assert!(root().join(format!("fuzz/targets/{target}.rs")).is_file(), "{target}");
        }
    }
}
