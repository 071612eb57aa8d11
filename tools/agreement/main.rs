//! `agreement`: every engine against the Farey walk on the same doubles; the program behind
//! `cargo xtask agree`.
#![forbid(unsafe_code)]

use std::{
    fs::OpenOptions,
    path::{Path, PathBuf},
    process::ExitCode,
};

use clap::Parser;
use tmd_tools::{
    ToolError,
    agreement::{Contender, ExpInterval, Row, contenders},
    figures::machine::commit,
};

/// Whether every engine, in every kind of lanes, with one thread and with two, lists the same cases
/// of exp: doubles from 1, 2^-10, 16 and 128 on, or the papers' interval, against the Farey walk in
/// the best lanes
#[derive(Parser)]
#[command(name = "agreement", bin_name = "cargo xtask agree", max_term_width = 110)]
struct Options {
    /// log2 of the arguments per place; the engines that look at every argument take hours from 42
    /// on
    #[arg(long, default_value_t = 34, value_name = "BITS")]
    log2_arguments: u32,
    /// The papers' interval I₀ and three questions next to it instead, whose numbers of cases are
    /// known: 243, 241, 236 and 242
    #[arg(long, conflicts_with = "log2_arguments")]
    counted: bool,
    /// Only engines with one of these words in their names
    #[arg(long, value_delimiter = ',', value_name = "WORD,...")]
    engines: Vec<String>,
    /// Numbers of threads, or of streams to a GPU
    #[arg(long, value_delimiter = ',', default_values_t = [1, 2], value_name = "N,...")]
    threads: Vec<usize>,
    /// The engines of the best adapter, too
    #[arg(long)]
    gpu: bool,
    /// Keep the results in this CSV file, and go on with those that it lacks
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
}

fn main() -> ExitCode {
    match run(&Options::parse()) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(wrong) => {
            eprintln!("agreement: {wrong} lists differ from the Farey walk's");
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("agreement: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Compares; returns how many lists differ.
fn run(options: &Options) -> Result<usize, ToolError> {
    let places =
        if options.counted { ExpInterval::counted()? } else { ExpInterval::all(options.log2_arguments)? };
    let known = options.record.as_deref().map_or(Ok(Vec::new()), read)?;
    let all = contenders(options.gpu)?;
    let is_wanted = |contender: &&Contender| {
        options.engines.is_empty()
            || options.engines.iter().any(|word| contender.name.contains(word.as_str()))
    };
    let commit = commit();
    let references = places.iter().map(|place| place.search(&all[0], 0)).collect::<Result<Vec<_>, _>>()?;
    let mut wrong = known.iter().filter(|row| !row.agrees).count();
    println!("{:<42}{:>14}{:>8}{:>8}{:>8}{:>11}", "engine", "place", "log2 n", "threads", "cases", "seconds");
    // engine by engine, so that the slow ones come last
    for contender in all.iter().filter(is_wanted) {
        for (place, reference) in places.iter().zip(&references) {
            for &threads in &options.threads {
                if known.iter().any(|row| row.is_of(place, contender, threads)) {
                    continue;
                }
                let row = place.compare(contender, threads, reference, &commit)?;
                let Row { engine, place, log2_arguments, cases, seconds, agrees, .. } = &row;
                let verdict = if *agrees { "" } else { "  DIFFERS" };
                println!(
                    "{engine:<42}{place:>14}{log2_arguments:>8}{threads:>8}{cases:>8}{seconds:>11.1}{verdict}"
                );
                wrong += usize::from(!agrees);
                if let Some(path) = &options.record {
                    append(path, &row)?;
                }
            }
        }
    }
    Ok(wrong)
}

fn read(path: &Path) -> Result<Vec<Row>, ToolError> {
    if !path.exists() {
        return Ok(Vec::new());
    }
    let rows = || -> Result<Vec<Row>, csv::Error> { csv::Reader::from_path(path)?.deserialize().collect() };
    rows().map_err(ToolError::csv(path))
}

/// Adds a line: what is known survives whatever happens next.
fn append(path: &Path, row: &Row) -> Result<(), ToolError> {
    let write = || -> Result<(), csv::Error> {
        let file = OpenOptions::new().create(true).append(true).open(path)?;
        let is_new = file.metadata()?.len() == 0;
        let mut writer = csv::WriterBuilder::new().has_headers(is_new).from_writer(file);
        writer.serialize(row)?;
        Ok(writer.flush()?)
    };
    write().map_err(ToolError::csv(path))
}
