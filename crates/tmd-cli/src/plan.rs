//! `tmd plan`.

use std::process::ExitCode;

use crate::arguments::{OutputFormat, PlanOptions, function};
use crate::output::{Destination, Failure};
use crate::search::CASES;

pub(crate) fn run(options: &PlanOptions) -> Result<ExitCode, Failure> {
    let function = function(&options.question.function)?;
    let backends = options.means.backends()?;
    let search = options.question.search(&function, backends.workforce(), CASES)?;
    let json = match options.output {
        OutputFormat::Table => false,
        OutputFormat::Json => true,
        OutputFormat::Csv | OutputFormat::Wc => {
            return Err(Failure::question(
                "tmd plan prints a table or json; use --output table or --output json",
            ));
        }
    };
    let plan = search.plan()?;
    let text = if json { plan.to_json() } else { plan.to_table() };
    Destination::Standard.write(&text)?;
    Ok(ExitCode::SUCCESS)
}
