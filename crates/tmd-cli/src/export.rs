//! `tmd export` and `tmd report`.

use std::{
    io::{IsTerminal, stdout},
    path::PathBuf,
    process::ExitCode,
};

use clap::{Args, ValueEnum};
use tmd_report::{ReportError, export, html};

use crate::certificate::read;
use crate::output::{Destination, Failure};

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExportFormat {
    /// The certificate itself
    Certificate,
    /// CORE-MATH's worst-case files: an argument per line
    Wc,
    /// Comma-separated values
    Csv,
    /// An array of objects
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
    /// The certificate, as tmd solve --out writes it, or a run directory
    pub(crate) certificate: PathBuf,
    /// What to write
    #[arg(long, default_value = "certificate")]
    pub(crate) output: ExportFormat,
    /// Cases of each binade in hardest and hardest-csv [default: 20]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) per_binade: Option<u32>,
    /// Write to a file instead of the standard output; it appears complete or not at all
    #[arg(short, long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

#[derive(Args)]
pub(crate) struct ReportOptions {
    /// The certificate, as tmd solve --out writes it, or a run directory
    pub(crate) certificate: PathBuf,
    /// Write to a file instead of the standard output; it appears complete or not at all
    #[arg(long, value_name = "FILE.html")]
    pub(crate) out: Option<PathBuf>,
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
    if options.output == ExportFormat::Parquet && options.out.is_none() && stdout().is_terminal() {
        return Err(Failure::question(
            "a terminal cannot show parquet; add --out FILE.parquet, or redirect the output",
        ));
    }
    let certificate = read(&options.certificate)?;
    let destination = Destination::open(options.out.as_deref())?;
    let per_binade = options.per_binade.unwrap_or(PER_BINADE) as usize;
    let content = match options.output {
        ExportFormat::Certificate => certificate.to_json().into_bytes(),
        ExportFormat::Wc => export::to_wc(&certificate)?.into_bytes(),
        ExportFormat::Csv => export::to_csv(&certificate)?.into_bytes(),
        ExportFormat::Json => export::to_json(&certificate)?.into_bytes(),
        ExportFormat::Parquet => export::to_parquet(&certificate)?,
        ExportFormat::Hardest => export::to_hardest_markdown(&certificate, per_binade)?.into_bytes(),
        ExportFormat::HardestCsv => export::to_hardest_csv(&certificate, per_binade)?.into_bytes(),
    };
    destination.write(content)?;
    let is_partial = options.output == ExportFormat::Certificate && !certificate.is_complete();
    Ok(if is_partial { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

pub(crate) fn report(options: &ReportOptions) -> Result<ExitCode, Failure> {
    let certificate = read(&options.certificate)?;
    let destination = Destination::open(options.out.as_deref())?;
    // without its folder: readers of the page have the file elsewhere
    let name = options.certificate.file_name().unwrap_or_default().to_string_lossy();
    destination.write(html::page(&certificate, &name)?)?;
    Ok(ExitCode::SUCCESS)
}

impl From<ReportError> for Failure {
    fn from(error: ReportError) -> Self {
        Self::question(error.to_string())
    }
}
