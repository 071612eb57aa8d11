//! `tmd export` and `tmd report`.

use std::process::ExitCode;

use clap::{Args, ValueEnum, builder::PossibleValue};
use tmd_driver::table::{Language, Rounding};
use tmd_report::{ReportError, choice::Choice, export, html, list::Listing};

use crate::arguments::mode;
use crate::certificate::{Source, ending};
use crate::command_line::CommandLine;
use crate::destination::Out;
use crate::output::Failure;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExportFormat {
    /// The certificate itself
    Certificate,
    /// CORE-MATH's worst-case files: an argument per line
    Wc,
    /// A line for each argument: its correctly rounded results and the distance
    Corpus,
    /// The same as a C99 header
    C,
    /// The same as a Rust module
    Rust,
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
    /// List cases that repeat others one by one instead of counting them [default: in wc, csv, json
    /// and parquet, below a million]
    #[arg(long)]
    pub(crate) expand: bool,
    /// List repeated cases once, each line with the number of cases that it stands for
    #[arg(long, conflicts_with = "expand")]
    pub(crate) no_expand: bool,
    /// Only the K hardest cases of each binade, the hardest first [default in hardest and
    /// hardest-csv: 20]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) per_binade: Option<u32>,
    /// Only the N hardest cases, the hardest first
    #[arg(long, value_name = "N", conflicts_with = "per_binade", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) hardest: Option<u32>,
    /// Only what is next to breakpoints of these rounding modes, and in c, rust and corpus their
    /// results: nearest-even, nearest-away, zero, up, down [default: all rows, and the results of
    /// all modes but nearest-away]
    #[arg(long, value_name = "MODE,…", value_delimiter = ',', value_parser = mode)]
    pub(crate) mode: Vec<Rounding>,
    /// Name of the array in C or Rust [default: from the function, such as `exp_binary64`]
    #[arg(long)]
    pub(crate) name: Option<String>,
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
    options.refuse(is_of_the_hardest)?;
    let destination = options.out.open(&[&options.source.certificate])?;
    if options.output == ExportFormat::Parquet && destination.is_terminal() {
        return Err(Failure::question(
            "a terminal cannot show parquet; add --out FILE.parquet, or redirect the output",
        ));
    }
    let mut certificate = options.source.read()?;
    if options.output == ExportFormat::Certificate {
        certificate.renew();
    }
    let listing = match (options.expand, options.no_expand) {
        (true, _) => Listing::Expanded,
        (_, true) => Listing::Short,
        // of the hardest it is one of each kind that is looked at
        _ if is_of_the_hardest || options.hardest.is_some() || options.per_binade.is_some() => Listing::Short,
        _ => Listing::of(&certificate),
    };
    let per_binade = options.per_binade.unwrap_or(PER_BINADE) as usize;
    let choice = Choice {
        listing,
        hardest: options.hardest.map(|most| most as usize),
        per_binade: options.per_binade.map(|most| most as usize),
        modes: options.mode.clone(),
        command: Some(options.command()),
    };
    let name =
        |language| options.name.clone().unwrap_or_else(|| export::default_name(&certificate, language));
    let content = match options.output {
        ExportFormat::Certificate => certificate.to_json().into_bytes(),
        ExportFormat::Wc => export::to_wc(&certificate, choice)?.into_bytes(),
        ExportFormat::Corpus => export::to_corpus(&certificate, &choice)?.into_bytes(),
        ExportFormat::C => export::to_c(&certificate, &choice, &name(Language::C))?.into_bytes(),
        ExportFormat::Rust => export::to_rust(&certificate, &choice, &name(Language::Rust))?.into_bytes(),
        ExportFormat::Csv => export::to_csv(&certificate, choice)?.into_bytes(),
        ExportFormat::Json => export::to_json(&certificate, choice)?.into_bytes(),
        ExportFormat::Parquet => export::to_parquet(&certificate, choice)?,
        ExportFormat::Hardest => export::to_hardest_markdown(&certificate, listing, per_binade)?.into_bytes(),
        ExportFormat::HardestCsv => export::to_hardest_csv(&certificate, listing, per_binade)?.into_bytes(),
    };
    destination.write(content)?;
    Ok(ExitCode::from(ending(&certificate)))
}

impl ExportOptions {
    /// Refuses options that do not go with the format.
    fn refuse(&self, is_of_the_hardest: bool) -> Result<(), Failure> {
        let is_certificate = self.output == ExportFormat::Certificate;
        let is_source = matches!(self.output, ExportFormat::C | ExportFormat::Rust);
        let refused = [
            (
                is_certificate
                    && (self.per_binade.is_some() || self.hardest.is_some() || !self.mode.is_empty()),
                "--per-binade, --hardest and --mode are for lists and tables of cases; add --output wc, csv, c, … or hardest",
            ),
            (
                is_of_the_hardest && (self.hardest.is_some() || !self.mode.is_empty()),
                "--hardest and --mode are not for tables binade by binade; take --per-binade, or another --output",
            ),
            (
                !is_source && self.name.is_some(),
                "--name is for source text; add --output c or --output rust, or leave it away",
            ),
        ];
        match refused.into_iter().find(|(is_refused, _)| *is_refused) {
            Some((_, sentence)) => Err(Failure::question(sentence)),
            None => Ok(()),
        }
    }

    /// The command that writes the same again.
    fn command(&self) -> String {
        let output = self.output.to_possible_value();
        CommandLine::new("export", &self.source.certificate)
            .option("--output", output.as_ref().map(PossibleValue::get_name))
            .flag("--expand", self.expand)
            .flag("--no-expand", self.no_expand)
            .option("--per-binade", self.per_binade)
            .option("--hardest", self.hardest)
            .list("--mode", &self.mode)
            .option("--name", self.name.as_ref())
            .text()
    }
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
