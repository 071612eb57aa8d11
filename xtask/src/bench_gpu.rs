//! `cargo xtask bench-gpu`: every figure of the search on a GPU, by a program of the package `tmd-benches`.

use std::process::Command;

use crate::{
    prerequisites,
    run::{Failure, cargo, execute},
};

/// Where figures are kept, by machine and date.
const RECORD: &str = "benches/record";

pub(crate) fn run(arguments: &[String]) -> Result<(), Failure> {
    prerequisites::ensure()?;
    execute(&mut program(arguments))
}

/// Cargo, with the program and what it is told. Quick figures are no record.
fn program(arguments: &[String]) -> Command {
    let mut command = cargo(&["run", "--release", "--package", "tmd-benches", "--bin", "gpu_figures", "--"]);
    let says = |option: &str| arguments.iter().any(|argument| argument.split('=').next() == Some(option));
    if !says("--quick") && !says("--record") {
        command.args(["--record", RECORD]);
    }
    // Mesa asks the desktop which GPU it prefers, and complains once per device where there is no desktop
    command.args(arguments).env("NODEVICE_SELECT", "1");
    command
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::typed;

    #[test]
    fn what_is_run() {
        let run = |line: &str| {
            let arguments: Vec<String> = line.split_whitespace().map(Into::into).collect();
            let typed = typed(&program(&arguments));
            typed.split_once("--bin gpu_figures -- ").unwrap().1.to_owned()
        };
        assert_eq!(run("--adapter 0"), "--record benches/record --adapter 0");
        assert_eq!(run("--quick --out f.md"), "--quick --out f.md");
        assert_eq!(run("--record elsewhere"), "--record elsewhere");
        assert_eq!(run("--record=elsewhere"), "--record=elsewhere");
    }
}
