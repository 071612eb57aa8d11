//! The commands that measure and compare: programs of the package `tmd-tools`, built for release
//! but for the soak.

use std::process::Command;

use crate::{
    prerequisites,
    run::{Failure, cargo, execute},
};

/// Where figures of GPUs are kept, by machine and date.
const RECORD: &str = "benches/record";

/// Commands and their programs, which have a `--help` of their own.
const PROGRAMS: [(&str, &str); 7] = [
    ("agree", "agreement"),
    ("bench", "ratios"),
    ("bench-gpu", GPU_FIGURES),
    ("bench-divergence", "divergence"),
    ("bench-ledger", "ledger"),
    ("reproduce", "reproduce"),
    ("soak", SOAK),
];

/// Those that draw pictures.
const DRAWING: [&str; 2] = ["divergence", "reproduce"];

/// The feature of `tmd-tools` by which pictures are PNGs, too.
pub(crate) const PNG: &str = "png";

const GPU_FIGURES: &str = "gpu_figures";

/// Looks for faults, not for figures: built as the tests are, optimized but with all assertions and
/// overflow checks.
const SOAK: &str = "soak";

/// The program behind a command.
pub(crate) fn program(command: &str) -> Option<&'static str> {
    PROGRAMS.iter().find(|(name, _)| *name == command).map(|(_, program)| *program)
}

/// Runs a program with these arguments.
pub(crate) fn run(program: &str, arguments: &[String]) -> Result<(), Failure> {
    prerequisites::ensure()?;
    execute(&mut command(program, arguments))
}

/// Cargo, with the program and what it is told. Quick figures of a GPU are no record.
fn command(program: &str, arguments: &[String]) -> Command {
    let profile = if program == SOAK { "dev" } else { "release" };
    let mut command =
        cargo(&["run", "--quiet", "--profile", profile, "--package", "tmd-tools", "--bin", program]);
    if DRAWING.contains(&program) {
        command.args(["--features", PNG]);
    }
    command.arg("--");
    let says = |options: &[&str]| {
        arguments.iter().any(|argument| options.contains(&argument.split('=').next().unwrap_or_default()))
    };
    if program == GPU_FIGURES && !says(&["--quick", "--record", "--help", "-h"]) {
        command.args(["--record", RECORD]);
    }
    // Mesa asks the desktop which GPU it prefers, and complains once per device where there is no
    // desktop
    command.args(arguments).env("NODEVICE_SELECT", "1");
    command
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::{root, typed};

    #[test]
    fn what_is_run() {
        let run = |program: &str, line: &str| {
            let arguments: Vec<String> = line.split_whitespace().map(Into::into).collect();
            let typed = typed(&command(program, &arguments));
            typed.split_once(&format!("--bin {program} ")).unwrap().1.to_owned()
        };
        assert_eq!(run(GPU_FIGURES, "--adapter 0"), "-- --record benches/record --adapter 0");
        for line in ["--quick --out f.md", "--record elsewhere", "--record=elsewhere", "--help"] {
            assert_eq!(run(GPU_FIGURES, line), format!("-- {line}"));
        }
        assert_eq!(run("reproduce", "--full"), "--features png -- --full");
        assert!(DRAWING.iter().all(|program| PROGRAMS.iter().any(|(_, known)| known == program)));
    }

    #[test]
    fn programs_exist() {
        let manifest = std::fs::read_to_string(root().join("tools/Cargo.toml")).unwrap();
        for (name, binary) in PROGRAMS {
            assert!(manifest.contains(&format!("[[bin]]\nname = \"{binary}\"\n")), "{binary}");
            assert_eq!(program(name), Some(binary));
        }
        assert_eq!(program("demo"), None);
    }
}
