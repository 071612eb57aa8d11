//! `tmd plan`: of an interval, or of a whole domain.

use std::process::ExitCode;

use tmd_driver::Workforce;

use crate::arguments::{OutputFormat, PlanOptions, Span, function};
use crate::output::{Destination, Failure, tell};
use crate::search::CASES;

/// What is said below a plan that is not listed.
const MORE: &str = "--table lists it binade by binade\n";

pub(crate) fn run(options: &PlanOptions) -> Result<ExitCode, Failure> {
    let function = function(&options.question.function)?;
    let backends = options.means.backends()?;
    let workforce = backends.workforce();
    let pace = pace(&workforce)?;
    let json = match options.output {
        OutputFormat::Table => false,
        OutputFormat::Json => true,
        OutputFormat::Csv | OutputFormat::Wc => {
            return Err(Failure::question(
                "tmd plan prints a table or json; use --output table or --output json",
            ));
        }
    };
    let question = &options.question;
    let text = if let (Some(from), Some(to)) = (options.span.from.clone(), options.span.to.clone()) {
        let plan = question.search(&Span { from, to }, &function, workforce, CASES)?.plan()?.at_pace(pace);
        match (json, options.whole.table) {
            (true, _) => plan.to_json(),
            (false, true) => plan.to_table(),
            (false, false) => plan.summary() + MORE,
        }
    } else {
        let (arguments, results) = question.target.formats()?;
        if arguments != results || question.target.is_unbounded() {
            return Err(Failure::question(
                "a whole domain has one --format for arguments and results; give --from and --to for other precisions",
            ));
        }
        let breakpoints = question.target.breakpoints()?;
        let solve = options.whole.solve(&function, results, breakpoints, question.extra_bits, workforce)?;
        let plan = solve.plan()?.at_pace(pace);
        match (json, options.whole.table) {
            (true, _) => plan.to_json(&solve),
            (false, true) => plan.to_table(&solve),
            (false, false) => plan.summary(&solve) + MORE,
        }
    };
    Destination::Standard.write(text)?;
    Ok(ExitCode::SUCCESS)
}

/// How long this machine takes, over what plans expect; says so if others keep it busy.
pub(crate) fn pace(workforce: &Workforce) -> Result<f64, Failure> {
    let timing = workforce.timing()?;
    if timing.is_busy() {
        tell(format_args!(
            "the machine is busy: a search on one thread got {:.0} % of a core just now; times are those of a quiet machine",
            100.0 * timing.share
        ));
    }
    Ok(timing.pace)
}
