//! `cargo xtask test`: everything that must hold before a change is shown to anyone.

use std::{env, process::Command};

use crate::{
    package,
    prerequisites::{self, GpuTests},
    run::{Failure, Steps, cargo, execute},
    tidy,
};

/// Runs all steps; `arguments` go to `cargo test`, and `long` adds the long tests.
pub(crate) fn run(long: bool, arguments: &[String]) -> Result<(), Failure> {
    prerequisites::ensure()?;
    let gpu = prerequisites::gpu_driver();
    let mut steps = Steps::default();
    steps.step("format", || execute(&mut cargo(&["fmt", "--all", "--check"])))?;
    steps.step("tidy", tidy::run)?;
    steps.step("clippy", || {
        execute(&mut cargo(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]))
    })?;
    steps.step("test", || execute(tests(gpu, &["test", "--workspace"]).args(arguments)))?;
    if long {
        // without the user's arguments: they may hold a `--` of their own
        steps.step("long tests", || {
            execute(&mut tests(gpu, &["test", "--workspace", "--release", "--", "--ignored"]))
        })?;
    }
    steps.step("documentation", || {
        execute(cargo(&["doc", "--workspace", "--no-deps"]).env("RUSTDOCFLAGS", "-D warnings"))
    })?;
    package::all(&mut steps)?;
    print!("\n{}", steps.summary());
    Ok(())
}

/// Cargo, for tests: what is said of the GPU by hand stays.
fn tests(gpu: GpuTests, arguments: &[&str]) -> Command {
    let mut command = cargo(arguments);
    if env::var_os("TMD_GPU").is_none() {
        command.env("TMD_GPU", gpu.word());
    }
    // Mesa asks the desktop which GPU it prefers, and complains once per device where there is no desktop
    command.env("NODEVICE_SELECT", "1");
    command
}
