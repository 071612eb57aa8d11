//! `cargo xtask test`: everything that must hold before a change is shown to anyone.

use std::{env, process::Command};

use crate::{
    alone, package,
    prerequisites::{self, Demand},
    prove,
    run::{Failure, Steps, cargo, execute, target_directory},
    tidy,
};

/// Runs all steps to the end, whatever fails; `arguments` go to `cargo test`, and `long` adds the
/// long tests.
pub(crate) fn run(long: bool, arguments: &[String]) -> Result<(), Failure> {
    prerequisites::ensure()?;
    let extras = [("TMD_GPU", prerequisites::gpu_driver()), ("TMD_BROWSER", prerequisites::browser())];
    let mut steps = Steps::default();
    steps.step("format", || execute(&mut cargo(&["fmt", "--all", "--check"])));
    steps.step("tidy", tidy::run);
    steps.step("proofs", prove::step);
    steps.step("clippy", || {
        execute(&mut cargo(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]))
    });
    // users' builds leave them out; in a folder of its own, where nothing is done twice
    steps.step("tests of GMP and MPFR", || {
        let mut build = cargo(&["build", "--package", "tmd-functions", "--no-default-features"]);
        execute(build.arg("--target-dir").arg(target_directory()?.join("gmp-tests")))
    });
    steps.step("test", || execute(tests(extras, &["test", "--workspace", "--no-fail-fast"]).args(arguments)));
    steps.step("certificates without our code", alone::step);
    steps.step("functions against Arb", alone::functions_step);
    steps.step("16-bit formats without our code", alone::small_formats_step);
    steps.step("witnesses without our code", alone::witnesses_step);
    if long {
        // without the user's arguments: they may hold a `--` of their own
        steps.step("long tests", || {
            execute(&mut tests(
                extras,
                &["test", "--workspace", "--no-fail-fast", "--release", "--", "--ignored"],
            ))
        });
    }
    steps.step("documentation", || {
        execute(cargo(&["doc", "--workspace", "--no-deps"]).env("RUSTDOCFLAGS", "-D warnings"))
    });
    let packaged = package::all(&mut steps);
    steps.finish().and(packaged)
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
