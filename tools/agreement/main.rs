//! `agreement`: every engine against the Farey walk on the same doubles; the program behind
//! `cargo xtask agree`.
#![forbid(unsafe_code)]

use std::{path::PathBuf, process::ExitCode};

use clap::Parser;
use serde::{Serialize, de::DeserializeOwned};
use tmd_tools::{
    ToolError,
    agreement::{Contender, ExpInterval, Row, contenders, families},
    ended,
    figures::{machine::commit, records},
};

/// Whether every engine, in every kind of lanes, with one thread and with two, lists the same cases
/// of exp: doubles from 1, 2^-10, 16 and 128 on, or the papers' interval, against the Farey walk in
/// the best lanes; or the walk in three dimensions
#[derive(Parser)]
#[expect(clippy::struct_excessive_bools, reason = "flags of a command")]
#[command(name = "agreement", bin_name = "cargo xtask agree", max_term_width = 110)]
struct Options {
    /// log2 of the arguments per place; the engines that look at every argument take hours from 42
    /// on [default: 34; of families 32, where lanes leave nearly all windows to the exact walk, and
    /// from 40 on nearly none]
    #[arg(long, value_name = "BITS")]
    log2_arguments: Option<u32>,
    /// The papers' interval I₀ and three questions next to it instead, whose numbers of cases are
    /// known: 243, 241, 236 and 242
    #[arg(long, conflicts_with = "log2_arguments")]
    counted: bool,
    /// The walk in three dimensions instead: arcs of doubles against the Farey walk, and arguments
    /// of small formats against MPFR
    #[arg(long, conflicts_with_all = ["counted", "gpu"])]
    families: bool,
    /// All arguments of four of the intervals with 44 extra bits instead of arcs: half an hour of a
    /// core
    #[arg(long, requires = "families", conflicts_with = "log2_arguments")]
    whole: bool,
    /// Random questions of small formats
    #[arg(long, default_value_t = 500, value_name = "COUNT", requires = "families")]
    formats: u64,
    /// What the random questions are drawn from
    #[arg(long, default_value_t = 1, requires = "families")]
    seed: u64,
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
    let options = Options::parse();
    let wrong = if options.families { run_families(&options) } else { run(&options) };
    let same = wrong.and_then(|wrong| match wrong {
        0 => Ok(true),
        wrong => Err(ToolError::failed(format!("{wrong} lists differ"))),
    });
    ended("agreement", same)
}

impl Options {
    fn is_wanted(&self, engine: &str) -> bool {
        self.engines.is_empty() || self.engines.iter().any(|word| engine.contains(word.as_str()))
    }

    /// The rows that are known.
    fn known<R: DeserializeOwned>(&self) -> Result<Vec<R>, ToolError> {
        self.record.as_deref().map_or(Ok(Vec::new()), records::read)
    }

    fn keep(&self, row: &impl Serialize) -> Result<(), ToolError> {
        self.record.as_deref().map_or(Ok(()), |path| records::append(path, row))
    }
}

/// Compares; returns how many lists differ.
fn run(options: &Options) -> Result<usize, ToolError> {
    let places = if options.counted {
        ExpInterval::counted()?
    } else {
        ExpInterval::all(options.log2_arguments.unwrap_or(34))?
    };
    let known: Vec<Row> = options.known()?;
    let all = contenders(options.gpu)?;
    let is_wanted = |contender: &&Contender| options.is_wanted(&contender.name);
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
                options.keep(&row)?;
            }
        }
    }
    Ok(wrong)
}

/// The same of the walk in three dimensions: arcs, then small formats.
fn run_families(options: &Options) -> Result<usize, ToolError> {
    let arcs = if options.whole {
        families::Arc::whole()?
    } else {
        families::Arc::all(options.log2_arguments.unwrap_or(32))?
    };
    let known: Vec<families::Row> = options.known()?;
    let (engines, commit) = (families::engines(), commit());
    let mut wrong = known.iter().filter(|row| !row.agrees).count();
    println!(
        "{:<26}{:>18}{:>8}{:>6}{:>8}{:>11}{:>11}{:>7}{:>9}",
        "place", "engine", "log2 n", "bits", "threads", "windows", "exactly", "cases", "seconds"
    );
    for arc in &arcs {
        let mut reference = None;
        for engine in engines.iter().filter(|engine| options.is_wanted(&engine.name())) {
            for &threads in &options.threads {
                if known.iter().any(|row| arc.is_of(row, engine.as_ref(), threads)) {
                    continue;
                }
                let reference = match &reference {
                    Some(reference) => reference,
                    None => reference.insert(arc.by_plane(0)?),
                };
                let row = arc.compare(engine.as_ref(), threads, reference, &commit)?;
                wrong += show(&row);
                options.keep(&row)?;
            }
        }
    }
    if options.formats > 0 {
        let place = families::Totals::place(options.seed, options.formats);
        if known.iter().any(|row| row.place == place) {
            return Ok(wrong);
        }
        for row in families::Totals::of(options.seed, options.formats)?.rows(&place, &commit) {
            wrong += show(&row);
            options.keep(&row)?;
        }
    }
    Ok(wrong)
}

/// Prints a row; returns 1 if its list is another one.
fn show(row: &families::Row) -> usize {
    let families::Row { place, log2_arguments, extra_bits, engine, threads, windows, .. } = row;
    let families::Row { exactly, cases, seconds, agrees, .. } = row;
    let bits = extra_bits.map_or_else(|| "any".to_owned(), |bits| bits.to_string());
    let verdict = if *agrees { "" } else { "  DIFFERS" };
    println!(
        "{place:<26}{engine:>18}{log2_arguments:>8}{bits:>6}{threads:>8}{windows:>11}{exactly:>11}{cases:>7}{seconds:>9.1}{verdict}"
    );
    usize::from(!agrees)
}
