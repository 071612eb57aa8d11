//! `tmd table`.

use std::process::ExitCode;

use tmd_core::Format;
use tmd_driver::table::{Language, Rounding, Table, TableError};

use crate::arguments::{TableOptions, TableOutput, function};
use crate::output::{Failure, tell};

pub(crate) fn run(options: &TableOptions) -> Result<ExitCode, Failure> {
    let function = function(&options.function)?;
    let format = format(&options.format)?;
    let rounding: Rounding = options.rounding.parse()?;
    let language = match options.output {
        TableOutput::Binary => None,
        TableOutput::C => Some(Language::C),
        TableOutput::Rust => Some(Language::Rust),
    };
    match (language, &options.name) {
        (Some(language), Some(name)) => language.check(name)?,
        (None, Some(_)) => {
            return Err(Failure::question(
                "--name is for source text; add --output c or --output rust, or leave it away",
            ));
        }
        _ => {}
    }
    let destination = options.out.open(&[])?;
    refuse_terminal(language.is_none() && destination.is_terminal())?;

    let interrupt = crate::solve::interrupt();
    let table = match Table::compute(&function, format, rounding, &interrupt) {
        Err(TableError::Interrupted) => {
            tell("tmd: interrupted: nothing is written");
            return Ok(ExitCode::from(130));
        }
        table => table?,
    };
    match language {
        None => destination.write(table.to_bytes())?,
        Some(language) => {
            let name = options.name.clone().unwrap_or_else(|| table.default_name(language));
            let text = match language {
                Language::C => table.to_c(&name)?,
                Language::Rust => table.to_rust(&name)?,
            };
            destination.write(text)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// A format that tables can have.
fn format(name: &str) -> Result<Format, Failure> {
    Format::named(name).map_err(|_| {
        Failure::question(format!(
            "unknown format `{name}`; tables are for 16-bit formats: --format binary16 or --format bfloat16"
        ))
    })
}

/// Bytes that no terminal shows are not sent to one.
fn refuse_terminal(is_terminal: bool) -> Result<(), Failure> {
    if is_terminal {
        return Err(Failure::question(
            "a binary table is not for a terminal; name a file with --out, or take --output c or --output rust",
        ));
    }
    Ok(())
}

impl From<TableError> for Failure {
    fn from(error: TableError) -> Self {
        Self::question(error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terminals_get_a_hint() {
        assert!(refuse_terminal(false).is_ok());
        let failure = refuse_terminal(true).unwrap_err();
        assert!(failure.to_string().contains("--out"), "{failure}");
        assert_eq!(failure.exit_code(), ExitCode::from(2));
    }
}
