//! `gpu_figures`: every figure of the search on a GPU; the program behind `cargo xtask bench-gpu`.
#![forbid(unsafe_code)]

use std::process::ExitCode;

use clap::Parser;
use tmd_tools::gpu::{arguments::Arguments, run};

fn main() -> ExitCode {
    match run(Arguments::parse(), |table| println!("{}", table.markdown())) {
        Ok(figures) if figures.wrong == 0 => ExitCode::SUCCESS,
        Ok(figures) => {
            eprintln!(
                "gpu_figures: {} figures are wrong or could not be taken; the tables say why",
                figures.wrong
            );
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("gpu_figures: {error}");
            ExitCode::FAILURE
        }
    }
}
