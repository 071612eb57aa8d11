//! `cargo xtask agree`: every engine's list against the Farey walk's, by the program of `benches/agreement`.

use crate::{
    prerequisites,
    run::{Failure, cargo, execute},
};

pub(crate) fn run(arguments: &[String]) -> Result<(), Failure> {
    prerequisites::ensure()?;
    let mut program =
        cargo(&["run", "--quiet", "--release", "--package", "tmd-benches", "--bin", "agreement", "--"]);
    execute(program.args(arguments).env("NODEVICE_SELECT", "1"))
}
