//! `ratios`: engines and parts of a search as ratios to a baseline of the same run; the program
//! behind `cargo xtask bench`.
#![forbid(unsafe_code)]

use std::{path::PathBuf, process::ExitCode};

use clap::Parser;
use tmd_gpu::AdapterChoice;
use tmd_tools::ratios::{record::Record, run};
use tmd_tools::{ToolError, ended};

/// Engines and parts of a search, as ratios to the scalar regular search measured in turn with
/// them: a check that nothing became slower, which needs no quiet machine and no record of seconds
#[derive(Parser)]
#[command(name = "ratios", bin_name = "cargo xtask bench", max_term_width = 110)]
struct Options {
    /// Rounds per subject: the baseline, then the subject
    #[arg(long, value_name = "COUNT", default_value_t = 15, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// The GPU, by index or by a part of its name (`tmd adapters` lists them)
    #[arg(long, value_name = "INDEX|NAME", default_value = "auto")]
    adapter: AdapterChoice,
    /// Write all samples to this file
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write the table to MACHINE/DATE-ratios.csv below this folder, such as benches/record
    #[arg(long, value_name = "FOLDER")]
    record: Option<PathBuf>,
    /// Compare with the ratios of an earlier run's --json FILE; the exit code is 1 if one got
    /// slower
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// Slower is: a median of more than FACTOR times the earlier one, and quartiles that do not
    /// overlap
    #[arg(long, default_value_t = 1.15, requires = "baseline")]
    factor: f64,
}

fn main() -> ExitCode {
    ended("bench", measure(&Options::parse()))
}

/// Whether nothing got slower.
fn measure(options: &Options) -> Result<bool, ToolError> {
    if options.factor.is_nan() || options.factor < 1.0 {
        return Err(ToolError::failed(format!("the factor must be at least 1, not {}", options.factor)));
    }
    // a file that cannot be read should not cost two minutes
    let earlier = options.baseline.as_deref().map(Record::read).transpose()?;
    let record = run(options.rounds, &options.adapter)?;
    println!("{}", record.table().markdown());
    for reason in &record.missing {
        println!("not measured: {reason}");
    }
    if let Some(path) = &options.json {
        record.write(path)?;
    }
    if let Some(folder) = &options.record {
        println!("{}", record.keep(folder)?.display());
    }
    let Some(earlier) = earlier else { return Ok(true) };
    if earlier.cpu != record.cpu {
        println!("the earlier run is of another processor ({}): ratios differ for that alone", earlier.cpu);
    }
    let comparison = record.compare(&earlier, options.factor);
    for line in &comparison.unmatched {
        println!("not compared: {line}");
    }
    for line in &comparison.slower {
        println!("SLOWER: {line}");
    }
    println!(
        "{} of {} ratios are worse than on {} ({}) by more than {} and beyond both spreads",
        comparison.slower.len(),
        comparison.compared,
        earlier.date,
        earlier.commit,
        options.factor
    );
    Ok(comparison.slower.is_empty())
}
