//! `divergence`: the papers' measure of divergence for the existence tests and the Farey walk; the
//! program behind `cargo xtask bench-divergence`.
#![forbid(unsafe_code)]

use std::{path::PathBuf, process::ExitCode};

use clap::Parser;
use tmd_tools::{
    ToolError,
    divergence::{
        MeasuredInterval, Sample, Subject, measure, picture,
        report::{Report, tables},
        subjects::FAREY_WALK,
    },
    ended,
    figures::{
        picture::write,
        pool,
        table::{markdown, write_csv},
    },
};

/// How much of a group of lanes idles: turns of the main loop of the existence tests and passes of
/// the Farey walk's crossing loop, over the domains of an interval; without options over the
/// papers' I0, all of it
#[derive(Parser)]
#[command(name = "bench-divergence", max_term_width = 110)]
struct Options {
    #[command(flatten)]
    question: MeasuredInterval,
    /// Only these tests, by name (comma-separated); farey-walk is the walk
    #[arg(long, value_delimiter = ',')]
    tests: Vec<String>,
    /// Measure one block of 64 consecutive domains in 64
    #[arg(long, conflicts_with = "every")]
    quick: bool,
    /// Measure one block of 64 consecutive domains in EVERY
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    every: Option<u64>,
    /// Let a test end as soon as it cannot exclude a case, as in a search, instead of placing all N
    /// points
    #[arg(long)]
    ends_early: bool,
    /// Threads [default: one per core]
    #[arg(long)]
    threads: Option<usize>,
    /// Write everything, histograms and turn-by-turn shares included, to this file
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write the tables to this CSV file, a line for each figure
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Draw the histograms of the papers' three tests to STEM.svg and STEM.png
    #[arg(long, value_name = "STEM")]
    picture: Option<PathBuf>,
}

/// Lanes per group in the picture, as in the papers.
const PICTURE_LANES: usize = 32;

fn main() -> ExitCode {
    ended("bench-divergence", run(&Options::parse()).map(|()| true))
}

fn run(options: &Options) -> Result<(), ToolError> {
    let question = &options.question;
    let every = options.every.unwrap_or(if options.quick { Sample::QUICK.every } else { 1 });
    let sample = Sample { every, ends_early: options.ends_early };
    let is_wanted = |name: &str| options.tests.is_empty() || options.tests.iter().any(|test| test == name);
    let known = |name: &String| name == FAREY_WALK || Subject::all().iter().any(|test| test.name() == name);
    if let Some(unknown) = options.tests.iter().find(|name| !known(name)) {
        return Err(ToolError::failed(format!(
            "no test is called `{unknown}`; without --tests all are measured and named"
        )));
    }
    let subjects: Vec<Subject> = Subject::all().into_iter().filter(|test| is_wanted(test.name())).collect();

    let MeasuredInterval { function, from, to, argument_precision, breakpoints, domain_bits, .. } = question;
    println!(
        "{function} on [{from}, {to}), arguments of {argument_precision} bits, breakpoints: {breakpoints}, domains of 2^{domain_bits} arguments"
    );
    match sample.every {
        1 => println!("every domain"),
        k => println!("a sample: one block of 64 consecutive domains in {k}, from the first on"),
    }
    let end =
        if sample.ends_early { "end as soon as they cannot exclude a case" } else { "place all N points" };
    println!("tests {end}\n");

    let measured = || measure(question, &subjects, is_wanted(FAREY_WALK), sample);
    let measurements = match options.threads {
        None => measured(),
        Some(threads) => pool(threads)?.install(measured),
    }?;

    let papers = MeasuredInterval { extra_bits: question.extra_bits, ..MeasuredInterval::papers() };
    let tables = tables(&measurements, *question == papers);
    print!("{}", markdown(&tables));
    if let Some(walk) = measurements.iter().find(|measurement| measurement.name == FAREY_WALK) {
        println!(
            "\nfarey-walk: passes of the crossing loop; domains of {} arguments by its own plan",
            walk.domain
        );
    }
    if let Some(path) = &options.json {
        Report::new(question, sample, &measurements).write_json(path)?;
    }
    if let Some(path) = &options.csv {
        write_csv(path, &tables)?;
    }
    if let Some(stem) = &options.picture {
        write(stem, &picture::svg(&picture::panels(&measurements), PICTURE_LANES)?)?;
    }
    Ok(())
}
