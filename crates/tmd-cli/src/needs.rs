//! `tmd needs`.

use std::process::ExitCode;

use clap::{Args, ValueEnum};
use tmd_driver::table::{Language, Rounding};
use tmd_report::{
    export::default_name,
    needs::{Accuracy, Needs, exceptions},
};

use crate::arguments::mode;
use crate::certificate::{Source, ending};
use crate::command_line::CommandLine;
use crate::destination::Out;
use crate::output::Failure;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum NeedsOutput {
    /// Text: bits, phases, and what is needed binade by binade
    Table,
    /// The same as an object
    Json,
    /// The exceptions of the last phase as a C99 header
    C,
    /// The exceptions of the last phase as a Rust module
    Rust,
}

#[derive(Args)]
pub(crate) struct NeedsOptions {
    #[command(flatten)]
    pub(crate) source: Source,
    /// Relative error bounds of the phases, in their order: 2^-68,2^-110
    #[arg(long, value_name = "E,…", value_delimiter = ',')]
    pub(crate) phase_accuracy: Vec<String>,
    /// What to write
    #[arg(long, default_value = "table")]
    pub(crate) output: NeedsOutput,
    /// Rounding modes of the exceptions: nearest-even, nearest-away, zero, up, down [default: all
    /// but nearest-away]
    #[arg(long, value_name = "MODE,…", value_delimiter = ',', value_parser = mode)]
    pub(crate) mode: Vec<Rounding>,
    /// Name of the array in C or Rust [default: from the function, such as
    /// `exp_binary64_exceptions`]
    #[arg(long)]
    pub(crate) name: Option<String>,
    #[command(flatten)]
    pub(crate) out: Out,
}

pub(crate) fn run(options: &NeedsOptions) -> Result<ExitCode, Failure> {
    let accuracies = accuracies(&options.phase_accuracy)?;
    let language = match options.output {
        NeedsOutput::C => Some(Language::C),
        NeedsOutput::Rust => Some(Language::Rust),
        NeedsOutput::Table | NeedsOutput::Json => None,
    };
    if language.is_none() && (options.name.is_some() || !options.mode.is_empty()) {
        return Err(Failure::question(
            "--name and --mode are for a table of exceptions; add --output c or --output rust, or leave them away",
        ));
    }
    let destination = options.out.open(&[&options.source.certificate])?;
    let certificate = options.source.read()?;
    let content = match (language, accuracies.last()) {
        (None, _) => {
            let needs = Needs::new(&certificate, &accuracies)?;
            if options.output == NeedsOutput::Json { needs.to_json()? } else { needs.to_text() }
        }
        (Some(_), None) => {
            return Err(Failure::question(
                "exceptions are those of a last phase; add its --phase-accuracy, such as 2^-110",
            ));
        }
        (Some(language), Some(last)) => {
            let ending = if language == Language::C { "_exceptions" } else { "_EXCEPTIONS" };
            let own = || default_name(&certificate, language) + ending;
            let name = options.name.clone().unwrap_or_else(own);
            let command = CommandLine::new("needs", &options.source.certificate)
                .option("--phase-accuracy", Some(last))
                .option("--output", Some(if language == Language::C { "c" } else { "rust" }))
                .list("--mode", &options.mode)
                .option("--name", options.name.as_ref())
                .text();
            exceptions(&certificate, last, &options.mode, language, &name, Some(&command))?
        }
    };
    destination.write(content)?;
    Ok(ExitCode::from(ending(&certificate)))
}

/// The accuracies of phases, each better than the one before.
fn accuracies(texts: &[String]) -> Result<Vec<Accuracy>, Failure> {
    let mut accuracies: Vec<Accuracy> = Vec::new();
    for text in texts {
        let accuracy = Accuracy::new(text)?;
        if let Some(before) = accuracies.last().filter(|before| before.bound() <= accuracy.bound()) {
            return Err(Failure::question(format!(
                "--phase-accuracy: a phase of {accuracy} is no better than the one of {before} before it; name phases in their order"
            )));
        }
        accuracies.push(accuracy);
    }
    Ok(accuracies)
}
