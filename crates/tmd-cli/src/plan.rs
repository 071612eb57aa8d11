//! `tmd plan`: of an interval, or of a whole domain.

use std::process::ExitCode;

use tmd_driver::{Uses, calibration::Timing};
use tmd_functions::Repeating;

use crate::arguments::{PlanOptions, Span, TextOutput, function};
use crate::output::{Destination, Failure, tell};
use crate::search::CASES;

/// What is said below a plan that is not listed.
const MORE: &str = "--table lists it binade by binade\n";

pub(crate) fn run(options: &PlanOptions) -> Result<ExitCode, Failure> {
    let function = function(&options.problem.function)?;
    let backends = options.engine_options.backends()?;
    let workers = backends.workers();
    let json = options.output == TextOutput::Json;
    let problem = &options.problem;
    let text = if let (Some(from), Some(to)) = (options.span.from.clone(), options.span.to.clone()) {
        let search = problem.search(&Span { from, to }, &function, workers, CASES)?;
        let plan = timed(search.plan_with(problem.at_once.into())?.at_calibration_of(&search.workers)?);
        match (json, options.whole.table) {
            (true, _) => plan.to_json(),
            (false, true) => plan.to_table(),
            (false, false) => plan.summary() + MORE,
        }
    } else {
        let (arguments, results) = problem.target.formats()?;
        if arguments != results || problem.target.is_unbounded() {
            return Err(Failure::question(
                "a whole domain has one --format for arguments and results; give --from and --to for other precisions",
            ));
        }
        let breakpoints = problem.target.breakpoints()?;
        let repeating = Repeating::of(&function, results);
        let function = options.whole.function(&function, &repeating);
        let solve = options.whole.solve(function, results, breakpoints, problem.extra_bits, workers)?;
        let uses = Uses { families: problem.at_once.into(), ..Uses::default() };
        let plan = timed(solve.plan_with(uses)?.at_calibration_of(&solve.workers)?);
        match (json, options.whole.table) {
            (true, _) => plan.to_json(&solve),
            (false, true) => plan.to_table(&solve),
            (false, false) => plan.summary(&solve) + MORE,
        }
    };
    Destination::Standard.write(text)?;
    Ok(ExitCode::SUCCESS)
}

/// A plan at the calibration of this machine; says so if others keep it busy.
pub(crate) fn timed<P>((plan, timing): (P, Timing)) -> P {
    if timing.is_busy() {
        tell(format_args!(
            "the machine is busy: a search on one thread got {:.0} % of a core just now; times are those of a quiet machine",
            100.0 * timing.share
        ));
    }
    plan
}
