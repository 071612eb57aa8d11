//! `cargo xtask reproduce`: the papers' tables and figures beside ours, by the program of `benches/reproduce`.

use crate::{
    prerequisites,
    run::{Failure, cargo, execute},
};

pub(crate) fn run(arguments: &[String]) -> Result<(), Failure> {
    prerequisites::ensure()?;
    let mut program =
        cargo(&["run", "--quiet", "--release", "--package", "tmd-benches", "--bin", "reproduce", "--"]);
    // Mesa asks the desktop which GPU it prefers, and complains where there is no desktop
    execute(program.args(arguments).env("NODEVICE_SELECT", "1"))
}
