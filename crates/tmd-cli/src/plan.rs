//! `tmd plan`.

use std::process::ExitCode;
use std::thread::available_parallelism;

use crate::arguments::{OutputFormat, PlanOptions, function};
use crate::output::{Destination, Failure};
use crate::search::CASES;

pub(crate) fn run(options: &PlanOptions) -> Result<ExitCode, Failure> {
    let function = function(&options.question.function)?;
    let backend = options.means.backend()?;
    let search = options.question.search(&function, backend.as_ref(), options.means.threads, CASES)?;
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
    let cores = || available_parallelism().map_or(1, Into::into);
    let threads = options.means.threads.map_or_else(cores, |threads| threads as usize);
    let text = if json { plan.to_json() } else { plan.to_table(threads) };
    Destination::Standard.write(&text)?;
    Ok(ExitCode::SUCCESS)
}
