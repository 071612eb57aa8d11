//! `ledger`: what a run directory costs that has a million units; the program behind
//! `cargo xtask bench-ledger`.
#![forbid(unsafe_code)]

use std::process::ExitCode;

use clap::Parser;
use tmd_tools::ledger::{self, Ask, LedgerFigures};

/// What a run directory costs that has a million units: results are made up, not searched, and go
/// through the ledger as real ones do. The question is exp in binary32, cut into units of a few
/// thousand arguments
#[derive(Parser)]
#[command(name = "ledger", bin_name = "cargo xtask bench-ledger", max_term_width = 110)]
struct Options {
    /// Units, about
    #[arg(long, default_value_t = 1 << 20, value_name = "COUNT")]
    units: u64,
    /// Where the run directory is made, which is removed at the end [default: the system's
    /// temporary directory]
    #[arg(long, value_name = "DIR")]
    directory: Option<std::path::PathBuf>,
    /// Units that each process leases and finishes
    #[arg(long, default_value_t = 500, value_name = "COUNT")]
    share: usize,
    /// Numbers of processes at one ledger
    #[arg(long, value_delimiter = ',', default_values_t = [1, 2, 4, 8], value_name = "N,...")]
    processes: Vec<usize>,
    /// Workers that are simulated, at one process that hands out units
    #[arg(long, default_value_t = 10_000, value_name = "COUNT")]
    workers: usize,
    /// Results of shards that are written to files, and merged
    #[arg(long, default_value_t = 20_000, value_name = "COUNT")]
    files: usize,
    /// Nothing but the assembly of certificates, of runs of so many units each, such as
    /// 10000,100000,1000000: the processor's seconds, and those of a unit
    #[arg(long, value_delimiter = ',', value_name = "COUNT,...")]
    assembly: Vec<u64>,
    /// One of the processes: leases and finishes units of a run that is there
    #[arg(long, hide = true)]
    process: bool,
}

fn main() -> ExitCode {
    let Options { units, directory, share, processes, workers, files, assembly, process } = Options::parse();
    let ask = Ask { units, share, processes, workers, files };
    let done = match (process, directory) {
        (false, directory) if !assembly.is_empty() => {
            ledger::assembly(&assembly, directory.as_deref(), |line| eprintln!("{line}"))
                .map(|tables| print!("{tables}"))
        }
        (true, Some(run)) => ask.be_a_process(&run, || println!("ready")),
        (_, directory) => LedgerFigures::take(&ask, directory.as_deref(), |line| eprintln!("{line}"))
            .map(|figures| print!("{}", figures.markdown())),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("ledger: {error}");
            ExitCode::FAILURE
        }
    }
}
