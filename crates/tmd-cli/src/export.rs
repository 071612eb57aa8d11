//! `tmd export` and `tmd report`.

use std::process::ExitCode;

use clap::{Args, ValueEnum};
use tmd_report::{ReportError, export, html, list::Listing};

use crate::certificate::{Source, ending};
use crate::destination::Out;
use crate::output::Failure;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExportFormat {
    /// The certificate itself
    Certificate,
    /// CORE-MATH's worst-case files: an argument per line
    Wc,
    /// Comma-separated values
    Csv,
    /// An object with the question and the rows as objects
    Json,
    /// Apache Parquet
    Parquet,
    /// Markdown tables: hardness to round, and the hardest cases of each binade
    Hardest,
    /// The hardest cases of each binade as comma-separated values
    HardestCsv,
}

#[derive(Args)]
pub(crate) struct ExportOptions {
    #[command(flatten)]
    pub(crate) source: Source,
    /// What to write
    #[arg(long, default_value = "certificate")]
    pub(crate) output: ExportFormat,
    /// List cases that repeat others one by one, not how many there are [default: in wc, csv, json and parquet, below a million]
    #[arg(long)]
    pub(crate) expand: bool,
    /// Leave cases that repeat others behind them: each line says how many it stands for
    #[arg(long, conflicts_with = "expand")]
    pub(crate) no_expand: bool,
    /// Cases of each binade in hardest and hardest-csv [default: 20]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) per_binade: Option<u32>,
    #[command(flatten)]
    pub(crate) out: Out,
}

#[derive(Args)]
pub(crate) struct ReportOptions {
    #[command(flatten)]
    pub(crate) source: Source,
    #[command(flatten)]
    pub(crate) out: Out,
}

/// Cases of a binade in tables of the hardest, unless asked otherwise.
const PER_BINADE: u32 = 20;

pub(crate) fn run(options: &ExportOptions) -> Result<ExitCode, Failure> {
    let is_of_the_hardest = matches!(options.output, ExportFormat::Hardest | ExportFormat::HardestCsv);
    if options.per_binade.is_some() && !is_of_the_hardest {
        return Err(Failure::question(
            "--per-binade is for tables of the hardest cases; add --output hardest or --output hardest-csv",
        ));
    }
    let destination = options.out.open(&[&options.source.certificate])?;
    if options.output == ExportFormat::Parquet && destination.is_terminal() {
        return Err(Failure::question(
            "a terminal cannot show parquet; add --out FILE.parquet, or redirect the output",
        ));
    }
    let certificate = options.source.read()?;
    let listing = match (options.expand, options.no_expand) {
        (true, _) => Listing::Expanded,
        (_, true) => Listing::Short,
        // of the hardest it is one of each kind that is looked at
        _ if is_of_the_hardest => Listing::Short,
        _ => Listing::of(&certificate),
    };
    let per_binade = options.per_binade.unwrap_or(PER_BINADE) as usize;
    let content = match options.output {
        ExportFormat::Certificate => certificate.to_json().into_bytes(),
        ExportFormat::Wc => export::to_wc(&certificate, listing)?.into_bytes(),
        ExportFormat::Csv => export::to_csv(&certificate, listing)?.into_bytes(),
        ExportFormat::Json => export::to_json(&certificate, listing)?.into_bytes(),
        ExportFormat::Parquet => export::to_parquet(&certificate, listing)?,
        ExportFormat::Hardest => export::to_hardest_markdown(&certificate, listing, per_binade)?.into_bytes(),
        ExportFormat::HardestCsv => export::to_hardest_csv(&certificate, listing, per_binade)?.into_bytes(),
    };
    destination.write(content)?;
    Ok(ExitCode::from(ending(&certificate)))
}

pub(crate) fn report(options: &ReportOptions) -> Result<ExitCode, Failure> {
    let destination = options.out.open(&[&options.source.certificate])?;
    let certificate = options.source.read()?;
    // without its folder: readers of the page have the file elsewhere
    let name = options.source.certificate.file_name().unwrap_or_default().to_string_lossy();
    destination.write(html::page(&certificate, &name)?)?;
    Ok(ExitCode::from(ending(&certificate)))
}

impl From<ReportError> for Failure {
    fn from(error: ReportError) -> Self {
        Self::question(error.to_string())
    }
}
