//! `tmd`: find and check the hardest-to-round cases of a function. Arguments in, text out; the work is in
//! `tmd-driver`.
//!
//! Exit codes: 0 done; 1 the machine failed (what is known is printed); 2 the question was wrong; 130 interrupted (what is known is printed).
#![forbid(unsafe_code)]

mod adapters;
mod arguments;
mod check;
mod devices;
mod output;
mod plan;
mod progress;
mod search;

use std::process::ExitCode;

use clap::Parser;

use arguments::{Cli, Command};

fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Search(options) => search::run(&options),
        Command::Plan(options) => plan::run(&options),
        Command::Check(options) => check::run(&options),
        Command::Adapters(options) => adapters::run(&options),
    };
    result.unwrap_or_else(|failure| {
        eprintln!("tmd: {failure}");
        failure.exit_code()
    })
}
