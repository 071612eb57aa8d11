//! `cargo xtask bench-divergence`: the papers' measure of divergence, by the program of `benches/divergence`.

use crate::{
    prerequisites,
    run::{Failure, cargo, execute},
};

pub(crate) fn run(arguments: &[String]) -> Result<(), Failure> {
    prerequisites::ensure()?;
    let mut program =
        cargo(&["run", "--quiet", "--release", "--package", "tmd-benches", "--bin", "divergence", "--"]);
    execute(program.args(arguments))
}
