//! [`Beside`]: steps in a process of their own, beside others: what takes one core leaves the other
//! ones to them.
//!
//! The process is this program again. What it says comes when it ends, in one piece.

use std::{
    fs::{self, File},
    io,
    path::{Path, PathBuf},
    process::{Child, Command},
};

use crate::run::{Failure, root, target_directory};

/// A process at work.
pub(crate) struct Beside {
    name: &'static str,
    child: Child,
    log: PathBuf,
}

impl Beside {
    /// Begins `cargo xtask test --part name`, with these variables.
    pub(crate) fn begin(name: &'static str, variables: &[(&str, &str)]) -> Result<Self, Failure> {
        let folder = target_directory()?;
        let log = folder.join(format!("xtask-{name}.log"));
        let cannot = |error: io::Error| Failure::step(format!("{}: {error}", log.display()));
        fs::create_dir_all(&folder).map_err(cannot)?;
        let output = File::create(&log).map_err(cannot)?;
        let errors = output.try_clone().map_err(cannot)?;
        let unknown = |error| Failure::step(format!("the system does not tell this program's path: {error}"));
        let program = std::env::current_exe().map_err(unknown)?;
        let mut command = Command::new(&program);
        command.args(["test", "--part", name]).envs(variables.iter().copied());
        command.current_dir(root()).stdout(output).stderr(errors);
        let child = command.spawn().map_err(|error| not_started(&program, &error))?;
        println!("── beside what follows: {name} ({})", log.display());
        Ok(Self { name, child, log })
    }

    /// Waits for its end, and shows what it said.
    pub(crate) fn end(mut self) -> Result<(), Failure> {
        let cannot = |error: io::Error| Failure::step(format!("{}: {error}", self.name));
        let status = self.child.wait().map_err(cannot)?;
        print!("{}", String::from_utf8_lossy(&fs::read(&self.log).map_err(cannot)?));
        match status.code() {
            Some(0) => Ok(()),
            Some(2) => Err(Failure::usage(format!("see `{}` above", self.name))),
            _ => Err(Failure::step(format!("see `{}` above: {status}", self.name))),
        }
    }
}

/// What is said where this program cannot be started again: by its path, since that is what is
/// missing after a build beside it (Linux then tells `…/xtask (deleted)`).
fn not_started(program: &Path, error: &io::Error) -> Failure {
    let path = program.display();
    Failure::step(format!("cannot start {path}: {error}; if it was built again meanwhile, begin anew"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_is_gone_is_named() {
        let folder = std::env::temp_dir().join("xtask (deleted)");
        let error = Command::new(&folder).spawn().unwrap_err();
        let said = not_started(&folder, &error).to_string();
        assert!(said.starts_with(&format!("cannot start {}: ", folder.display())), "{said}");
    }
}
