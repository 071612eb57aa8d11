//! `tmd check`.

use std::process::ExitCode;

use serde_json::json;
use tmd_core::Problem;
use tmd_driver::{
    DriverError,
    confirm::{Verdict, hardness},
    interval,
    report::{Case, check_text},
};
use tmd_functions::Function;

use crate::arguments::{CheckOptions, OutputFormat, function, number};
use crate::output::{Destination, Failure};

pub(crate) fn run(options: &CheckOptions) -> Result<ExitCode, Failure> {
    let function = function(&options.function)?;
    let (arguments, results) = options.target.formats()?;
    let x = interval::argument(&number("argument", &options.x)?, arguments)?;
    // the tolerance plays no role in the hardness of one argument
    let breakpoints = options.target.breakpoints()?;
    let problem = Problem::new(arguments, results, breakpoints, Problem::MIN_EXTRA_BITS)?;
    let name = function.name();
    let json = match options.output {
        OutputFormat::Table => false,
        OutputFormat::Json => true,
        OutputFormat::Csv | OutputFormat::Wc => {
            return Err(Failure::question(
                "tmd check prints a table or json; use --output table or --output json",
            ));
        }
    };
    let text = match hardness(&function, &problem, x)? {
        Ok(case) if json => format!("{:#}\n", json!({ "function": name, "case": Case::from(&case) })),
        Ok(case) => check_text(&name, &case),
        Err(Verdict::Exact(case)) if json => {
            let (x, value) = (case.argument.to_string(), case.value.to_string());
            format!(
                "{:#}\n",
                json!({ "function": name, "exact": { "x": x, "kind": case.kind.to_string(), "value": value } })
            )
        }
        Err(Verdict::Exact(case)) => {
            format!("{name} at x = {x} is exactly the {} {}: it has no hardness\n", case.kind, case.value)
        }
        Err(Verdict::Undecided { argument, bits }) => {
            return Err(
                DriverError::Undecided { function: name, argument: argument.to_string(), bits }.into()
            );
        }
        // hardness never returns these
        Err(Verdict::NotHard | Verdict::Case(_)) => String::new(),
    };
    Destination::Standard.write(text)?;
    Ok(ExitCode::SUCCESS)
}
