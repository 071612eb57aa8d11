//! `ledger`: what a run directory costs that has a million units; the program behind
//! `cargo xtask bench-ledger`.
#![forbid(unsafe_code)]

use std::process::ExitCode;

use clap::Parser;
use tmd_tools::{
    ended,
    ledger::{self, Ask, LedgerFigures},
};

/// What a run directory costs that has a million units: results are made up, not searched, and go
/// through the ledger as real ones do. The question is exp in binary32, cut into units of a few
/// thousand arguments
#[derive(Parser)]
#[command(name = "ledger", bin_name = "cargo xtask bench-ledger", max_term_width = 110)]
struct Options {
    #[command(flatten)]
    ask: Ask,
    /// Where the run directory is made, which is removed at the end [default: the system's
    /// temporary directory]
    #[arg(long, value_name = "DIR")]
    directory: Option<std::path::PathBuf>,
    /// Nothing but the assembly of certificates, of runs of so many units each, such as
    /// 10000,100000,1000000: the processor's seconds, and those of a unit
    #[arg(long, value_delimiter = ',', value_name = "COUNT,...")]
    assembly: Vec<u64>,
    /// One of the processes: leases and finishes units of a run that is there
    #[arg(long, hide = true)]
    process: bool,
}

fn main() -> ExitCode {
    let Options { ask, directory, assembly, process } = Options::parse();
    let done = match (process, directory) {
        (false, directory) if !assembly.is_empty() => {
            ledger::assembly(&assembly, directory.as_deref(), |line| eprintln!("{line}"))
                .map(|tables| print!("{tables}"))
        }
        (true, Some(run)) => ask.be_a_process(&run, || println!("ready")),
        (_, directory) => LedgerFigures::take(&ask, directory.as_deref(), |line| eprintln!("{line}"))
            .map(|figures| print!("{}", figures.markdown())),
    };
    ended("ledger", done.map(|()| true))
}
