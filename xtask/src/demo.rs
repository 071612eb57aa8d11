//! `cargo xtask demo`: from a fresh checkout to the papers' result, with as few words as possible.

use std::process::Command;

use crate::{
    build, prerequisites,
    run::{Failure, execute, target_directory, typed},
};

/// The papers' interval I₀: 2^40 arguments of 54 bits; both papers count 243 cases there.
const SEARCH: &str =
    "search exp --from 1 --to 1+2^-13 --arg-precision 54 --rounding directed --extra-bits 33";

pub(crate) fn run() -> Result<(), Failure> {
    prerequisites::ensure()?;
    build::release("tmd-cli", "tmd")?;

    let binary = target_directory()?.join("release").join(format!("tmd{}", std::env::consts::EXE_SUFFIX));
    let mut search = Command::new(&binary);
    search.args(SEARCH.split(' '));
    println!();
    println!(
        "All 2^40 arguments of 54 bits in [1, 1 + 2^-13): where is exp within 2^-33 ulp of a 53-bit number?"
    );
    println!("$ {}", typed(&search));
    execute(&mut search)?;
    println!();
    println!("The papers count 243 cases here. The program is {}; try `tmd --help`.", binary.display());
    println!(
        "It has no part for GPUs, a sixth of the build: `cargo build --release --package tmd-cli` adds it."
    );
    Ok(())
}
