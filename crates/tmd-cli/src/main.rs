//! `tmd`: find and check the hardest-to-round cases of a function, and tabulate it over a small format. Arguments in, text out; the work is in
//! `tmd-driver`.
//!
//! Exit codes: 0 done; 1 the machine failed (what is known is printed); 2 the question was wrong; 130 interrupted (what is known is printed).
#![forbid(unsafe_code)]

mod adapters;
mod arguments;
mod certificate;
mod check;
mod devices;
mod export;
mod output;
mod plan;
mod progress;
mod run;
mod search;
mod shards;
mod solve;
mod table;
mod verify;
mod words;

use std::process::ExitCode;

use clap::Parser;

use arguments::{Cli, Command};

fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Search(options) => search::run(&options),
        Command::Solve(options) => solve::run(&options),
        Command::Resume(options) => run::resume(&options),
        Command::Status(options) => run::status(&options),
        Command::Shard(options) => shards::shard(&options),
        Command::Work(options) => shards::work(&options),
        Command::Merge(options) => shards::merge(&options),
        Command::Verify(options) => verify::run(&options),
        Command::Export(options) => export::run(&options),
        Command::Report(options) => export::report(&options),
        Command::Plan(options) => plan::run(&options),
        Command::Check(options) => check::run(&options),
        Command::Table(options) => table::run(&options),
        Command::Adapters(options) => adapters::run(&options),
    };
    result.unwrap_or_else(|failure| {
        eprintln!("tmd: {failure}");
        failure.exit_code()
    })
}
