//! `gpu_figures`: every figure of the search on a GPU; the program behind `cargo xtask bench-gpu`.
#![forbid(unsafe_code)]

use std::process::ExitCode;

use clap::Parser;
use tmd_tools::{
    ToolError, ended,
    gpu::{arguments::Arguments, run},
};

fn main() -> ExitCode {
    let taken = run(Arguments::parse(), |table| println!("{}", table.markdown()));
    let all_taken = taken.and_then(|figures| match figures.wrong {
        0 => Ok(true),
        wrong => Err(ToolError::failed(format!(
            "{wrong} figures are wrong or could not be taken; the tables say why"
        ))),
    });
    ended("gpu_figures", all_taken)
}
