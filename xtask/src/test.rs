//! `cargo xtask test`: everything that must hold before a change is shown to anyone.

use std::{env, process::Command};

use crate::{
    alone, measure, package,
    prerequisites::{self, Demand},
    prove,
    run::{Failure, Steps, cargo, execute, target_directory},
    tidy,
};

/// The variable that asks tests for their larger samples (`tmd_testkit::is_long`).
pub(crate) const LONG: &str = "TMD_LONG";

/// The variable that asks for GMP's and MPFR's own tests.
const GMP: &str = "TMD_GMP";

const CHECKS: &str = "checks";
const ALONE: &str = "alone";

/// Steps that run beside others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// What needs nothing compiled.
    Checks,
    /// Programs that have none of our code.
    Alone,
}

impl Part {
    pub(crate) fn parse(name: &str) -> Option<Self> {
        [(CHECKS, Self::Checks), (ALONE, Self::Alone)]
            .into_iter()
            .find(|part| part.0 == name)
            .map(|part| part.1)
    }

    /// Runs its steps to the end.
    pub(crate) fn run(self) -> Result<(), Failure> {
        let mut steps = Steps::default();
        match self {
            Self::Checks => {
                steps.step("format", || execute(&mut cargo(&["fmt", "--all", "--check"])));
                steps.step("tidy", tidy::run);
                steps.step("proofs", prove::step);
            }
            Self::Alone => {
                steps.step("certificates without our code", alone::step);
                steps.step("functions against Arb", alone::functions_step);
                steps.step("16-bit formats without our code", alone::small_formats_step);
                steps.step("witnesses without our code", alone::witnesses_step);
            }
        }
        steps.finish()
    }
}

/// Runs all steps to the end, whatever fails; `arguments` go to `cargo test`, and `long` asks for
/// larger samples and adds the long tests.
pub(crate) fn run(long: bool, arguments: &[String]) -> Result<(), Failure> {
    prerequisites::ensure()?;
    let extras = [("TMD_GPU", prerequisites::gpu_driver()), ("TMD_BROWSER", prerequisites::browser())];
    let mut steps = Steps::default();
    let asks_for_long = if long { &[(LONG, "1")][..] } else { &[] };
    let is_integrated = env::var_os(GMP).is_some_and(|word| word == Demand::Require.word());
    steps.beside(CHECKS, asks_for_long, |steps| {
        // once, where changes are integrated, and not on each user's machine. In a folder of its
        // own, where nothing is done twice; first, as the libraries go to `target/gmp`, from which
        // all other builds take them
        if is_integrated {
            steps.step("tests of GMP and MPFR", || {
                let mut build = cargo(&["build", "--package", "tmd-functions", "--no-default-features"]);
                execute(build.arg("--target-dir").arg(target_directory()?.join("gmp-tests")))
            });
        } else {
            println!("tests of GMP and MPFR: not run; {GMP}={} asks for them", Demand::Require.word());
        }
        steps.step("clippy", || {
            let mut clippy = cargo(&["clippy", "--workspace", "--all-targets"]);
            if is_integrated || long {
                // what draws PNGs, too, which is of no use to any test
                clippy.args(["--features", &format!("tmd-tools/{}", measure::PNG)]);
            }
            execute(clippy.args(["--", "-D", "warnings"]))
        });
    });
    package::packages(&mut steps);
    steps.step("test", || {
        let mut tests = tests(extras, &["test", "--workspace", "--no-fail-fast"]);
        if long {
            tests.env(LONG, "1");
        }
        execute(tests.args(arguments))
    });
    steps.step("without GPUs", || {
        // all packages, so that all that is needed has been compiled. Without its default feature,
        // tmd-functions would run GMP's own tests; tmd-mpi wants all of tmd-cli
        let mut test = cargo(&["test", "--workspace", "--exclude", "tmd-functions", "--exclude", "tmd-mpi"]);
        execute(test.args(["--no-default-features", "--test", "without_gpu"]))
    });
    // programs of ours are not made again while their tests run: so not before
    steps.beside(ALONE, asks_for_long, |steps| {
        if long {
            // without the user's arguments: they may hold a `--` of their own
            steps.step("pictures", || {
                let mut test = cargo(&["test", "--package", "tmd-tools", "--features", measure::PNG]);
                execute(test.arg("--lib"))
            });
            steps.step("long tests", || {
                let mut long = tests(extras, &["test", "--workspace", "--no-fail-fast", "--release"]);
                execute(long.args(["--", "--ignored"]))
            });
        }
        steps.step("documentation", || {
            // programs have nothing public; an example, so that clippy has checked all that is
            // needed: features are the same
            let mut document = cargo(&["doc", "--workspace", "--no-deps", "--lib"]);
            execute(document.args(["--example", package::EXAMPLE]).env("RUSTDOCFLAGS", "-D warnings"))
        });
        steps.step("outside users", package::outside_users);
    });
    steps.finish()
}

/// Cargo, for tests: what is said of the GPU and of the browser by hand stays.
fn tests(extras: [(&str, Demand); 2], arguments: &[&str]) -> Command {
    let mut command = cargo(arguments);
    for (variable, demand) in extras {
        if env::var_os(variable).is_none() {
            command.env(variable, demand.word());
        }
    }
    // Mesa asks the desktop which GPU it prefers, and complains once per device where there is no
    // desktop
    command.env("NODEVICE_SELECT", "1");
    command
}
