//! `reproduce`: the papers' tables and figures beside ours; the program behind
//! `cargo xtask reproduce`.
#![forbid(unsafe_code)]

use std::{path::PathBuf, process::ExitCode, time::Instant};

use clap::{Parser, ValueEnum};
use tmd_tools::reproduce::{Name, Scale, document::Document};
use tmd_tools::{ToolError, ended};

/// Every published table and figure again, beside the papers' numbers, as one Markdown file with
/// pictures
#[derive(Parser)]
#[command(name = "reproduce", bin_name = "cargo xtask reproduce", max_term_width = 110)]
struct Options {
    /// Samples, in less than five minutes on two cores; the default
    #[arg(long, conflicts_with = "full")]
    quick: bool,
    /// All counts over whole intervals, longer samples of what takes days
    #[arg(long)]
    full: bool,
    /// Only these sections, in this order; the file then holds nothing else
    #[arg(long, value_name = "SECTION,...", value_delimiter = ',', value_enum)]
    sections: Vec<Name>,
    /// The file; its pictures go into a folder of the same name beside it
    #[arg(long, value_name = "FILE.md", default_value = "docs/reproduction.md")]
    out: PathBuf,
    /// The folder of the record, a CSV file with all tables
    #[arg(long, value_name = "FOLDER", default_value = "benches/record")]
    record: PathBuf,
}

fn main() -> ExitCode {
    ended("reproduce", run(&Options::parse()).map(|()| true))
}

fn run(options: &Options) -> Result<(), ToolError> {
    let scale = if options.full { Scale::Full } else { Scale::Quick };
    let names =
        if options.sections.is_empty() { Name::value_variants().to_vec() } else { options.sections.clone() };
    let mut document = Document::new(&options.out, &options.record, scale)?;
    for name in names {
        let started = Instant::now();
        let section = name.section(scale)?;
        // what is measured is kept, whatever happens next
        document.add(name, &section)?;
        println!("{}: {:.0} s", section.title, started.elapsed().as_secs_f64());
    }
    println!("written to {}", options.out.display());
    Ok(())
}
