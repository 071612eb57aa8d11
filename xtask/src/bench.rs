//! `cargo xtask bench`: engines as ratios to a baseline of the same run, by the program of `benches/ratios`.

use crate::{
    prerequisites,
    run::{Failure, cargo, execute},
};

pub(crate) fn run(arguments: &[String]) -> Result<(), Failure> {
    prerequisites::ensure()?;
    let mut program =
        cargo(&["run", "--quiet", "--release", "--package", "tmd-benches", "--bin", "ratios", "--"]);
    // Mesa asks the desktop which GPU it prefers, and complains where there is no desktop
    execute(program.args(arguments).env("NODEVICE_SELECT", "1"))
}
