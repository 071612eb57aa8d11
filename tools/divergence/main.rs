//! `divergence`: the papers' measure of divergence for the existence tests and the Farey walk; the
//! program behind `cargo xtask bench-divergence`.
#![forbid(unsafe_code)]

use std::{path::PathBuf, process::ExitCode};

use clap::Parser;
use tmd_core::Breakpoints;
use tmd_tools::{
    ToolError,
    divergence::{
        MeasuredInterval, Measurement, Sample, Subject, measure, picture,
        report::{Report, tables},
        subjects::FAREY_WALK,
    },
    figures::{
        picture::write,
        table::{markdown, write_csv},
    },
};

/// How much of a group of lanes idles: turns of the main loop of the existence tests and passes of
/// the Farey walk's crossing loop, over the domains of an interval; without options over the
/// papers' I0, all of it
#[derive(Parser)]
#[command(name = "bench-divergence", max_term_width = 110)]
struct Options {
    /// Function or expression in x
    #[arg(long, default_value = "exp")]
    function: String,
    /// First end of the interval, included
    #[arg(long, default_value = "1", allow_hyphen_values = true)]
    from: String,
    /// Second end, not included
    #[arg(long, default_value = "1+2^-13", allow_hyphen_values = true)]
    to: String,
    /// Precision of the arguments in bits; results have 53
    #[arg(long, default_value_t = 54)]
    arg_precision: u32,
    /// Breakpoints: directed (the numbers), nearest (their midpoints) or all (both)
    #[arg(long, default_value = "all")]
    rounding: Breakpoints,
    /// A case is within 2^-EXTRA_BITS ulp of a breakpoint; matters with --ends-early only
    #[arg(long, default_value_t = 34)]
    extra_bits: u32,
    /// log2 of the arguments per domain
    #[arg(long, default_value_t = 15, value_parser = clap::value_parser!(u32).range(1..=32))]
    domain_bits: u32,
    /// Number the arguments of a domain from its start, so that the a of b - a*x is minus the
    /// slope, not the slope
    #[arg(long)]
    from_start: bool,
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

/// The panels of the picture: title and test.
const PANELS: [(&str, &str); 4] = [
    ("Lefèvre", "lefevre-division"),
    ("Lefèvre with special instructions", "lefevre-special-hybrid"),
    ("Regular", "regular"),
    ("Farey walk", FAREY_WALK),
];

/// Lanes per group in the picture, as in the papers.
const PICTURE_LANES: usize = 32;

fn main() -> ExitCode {
    match run(&Options::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("bench-divergence: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(options: &Options) -> Result<(), ToolError> {
    let question = MeasuredInterval {
        function: options.function.clone(),
        from: options.from.clone(),
        to: options.to.clone(),
        argument_precision: options.arg_precision,
        breakpoints: options.rounding,
        extra_bits: options.extra_bits,
        domain_bits: options.domain_bits,
        from_end: !options.from_start,
    };
    let every = options.every.unwrap_or(if options.quick { Sample::QUICK.every } else { 1 });
    let sample = Sample { every, ends_early: options.ends_early };
    let is_wanted = |name: &str| options.tests.is_empty() || options.tests.iter().any(|test| test == name);
    let known = |name: &String| name == FAREY_WALK || Subject::all().iter().any(|test| test.name() == name);
    if let Some(unknown) = options.tests.iter().find(|name| !known(name)) {
        return Err(ToolError::UnknownTest { name: unknown.clone() });
    }
    let subjects: Vec<Subject> = Subject::all().into_iter().filter(|test| is_wanted(test.name())).collect();

    println!(
        "{} on [{}, {}), arguments of {} bits, breakpoints: {}, domains of 2^{} arguments",
        question.function,
        question.from,
        question.to,
        question.argument_precision,
        question.breakpoints,
        question.domain_bits
    );
    match sample.every {
        1 => println!("every domain"),
        k => println!("a sample: one block of 64 consecutive domains in {k}, from the first on"),
    }
    println!(
        "{}\n",
        if sample.ends_early {
            "tests end as soon as they cannot exclude a case"
        } else {
            "tests place all N points"
        }
    );

    let measured = || measure(&question, &subjects, is_wanted(FAREY_WALK), sample);
    let measurements = match options.threads {
        None => measured(),
        Some(threads) => rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .map_err(|error| ToolError::Threads { threads, reason: error.to_string() })?
            .install(measured),
    }?;

    let papers = MeasuredInterval { extra_bits: question.extra_bits, ..MeasuredInterval::papers() };
    print!("{}", markdown(&tables(&measurements, question == papers)));
    if let Some(walk) = measurements.iter().find(|measurement| measurement.name == FAREY_WALK) {
        println!(
            "\nfarey-walk: passes of the crossing loop; domains of {} arguments by its own plan",
            walk.domain
        );
    }
    let report = Report::new(&question, sample, &measurements);
    if let Some(path) = &options.json {
        report.write_json(path)?;
    }
    if let Some(path) = &options.csv {
        write_csv(path, &tables(&measurements, question == papers))?;
    }
    if let Some(stem) = &options.picture {
        let panels: Vec<(&str, &Measurement)> = PANELS
            .iter()
            .filter_map(|(title, name)| Some((*title, measurements.iter().find(|m| m.name == *name)?)))
            .collect();
        write(stem, &picture::svg(&panels, PICTURE_LANES)?)?;
    }
    Ok(())
}
