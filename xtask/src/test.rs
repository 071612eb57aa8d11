//! `cargo xtask test`: everything that must hold before a change is shown to anyone.

use crate::{
    package, prerequisites,
    run::{Failure, Steps, cargo, execute},
    tidy,
};

/// Runs all steps; `arguments` go to `cargo test`, and `long` adds the long tests.
pub(crate) fn run(long: bool, arguments: &[String]) -> Result<(), Failure> {
    prerequisites::ensure()?;
    let mut steps = Steps::default();
    steps.step("format", || execute(&mut cargo(&["fmt", "--all", "--check"])))?;
    steps.step("tidy", tidy::run)?;
    steps.step("clippy", || {
        execute(&mut cargo(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]))
    })?;
    steps.step("test", || execute(cargo(&["test", "--workspace"]).args(arguments)))?;
    if long {
        // without the user's arguments: they may hold a `--` of their own
        steps.step("long tests", || {
            execute(&mut cargo(&["test", "--workspace", "--release", "--", "--ignored"]))
        })?;
    }
    steps.step("documentation", || {
        execute(cargo(&["doc", "--workspace", "--no-deps"]).env("RUSTDOCFLAGS", "-D warnings"))
    })?;
    package::all(&mut steps)?;
    print!("\n{}", steps.summary());
    Ok(())
}
