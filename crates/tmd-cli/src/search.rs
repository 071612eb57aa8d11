//! `tmd search`.

use std::process::ExitCode;
use std::sync::Arc;

use tmd_core::{Interrupt, Problem};
use tmd_driver::{DriverError, Outcome, Report, Search};

use crate::arguments::{OutputFormat, SearchOptions, function, number};
use crate::output::{Destination, Failure};
use crate::progress::Bar;

/// Cases that the default of `--extra-bits` aims at; `--hardest K` aims at four times K at least.
const CASES: f64 = 50.0;

pub(crate) fn run(options: &SearchOptions) -> Result<ExitCode, Failure> {
    let function = function(&options.function)?;
    let (arguments, results) = options.target.formats()?;
    let breakpoints = options.target.breakpoints()?;
    let backend = options.backend()?;
    let problem =
        |extra_bits| Problem::new(arguments, results, breakpoints, extra_bits).map_err(DriverError::from);
    let mut search = Search {
        function: &function,
        from: number("--from", &options.from)?,
        to: number("--to", &options.to)?,
        problem: problem(options.extra_bits.unwrap_or(Problem::MIN_EXTRA_BITS))?,
        backend: backend.as_ref(),
        threads: options.threads.unwrap_or(0) as usize,
    };
    let hardest = options.hardest.map(|k| k as usize);
    if options.extra_bits.is_none() {
        let aim = CASES.max(4.0 * hardest.unwrap_or(0) as f64);
        let (count, _) = search.ranges()?;
        // 2^(1 + scale − m)·count ≥ aim for the largest such m
        let most = breakpoints.expected_cases(count as f64, 0) / aim;
        let bits = most.log2().floor().max(0.0) as u32;
        search.problem = problem(bits.clamp(Problem::MIN_EXTRA_BITS, Problem::MAX_EXTRA_BITS))?;
    }
    let destination = Destination::open(options.out.as_deref())?;

    let interrupt = Arc::new(Interrupt::new());
    let handler = Arc::clone(&interrupt);
    // without a handler Ctrl-C ends the program at once: the search itself does not depend on it
    let _ = ctrlc::set_handler(move || handler.request());
    let bar = Bar::new();
    let outcome = loop {
        let outcome = search.run(&bar, &interrupt);
        bar.finish();
        let outcome = outcome?;
        match fewer_bits(&search.problem, &outcome, options, hardest) {
            Some(bits) => search.problem = problem(bits)?,
            None => break outcome,
        }
    };
    let report = Report::new(&search, &outcome, hardest);
    let text = match options.output {
        OutputFormat::Table => report.to_table(),
        OutputFormat::Json => report.to_json(),
        OutputFormat::Csv => report.to_csv(),
        OutputFormat::Wc => report.to_wc(),
    };
    destination.write(&text)?;
    // beside a table on the standard output the summary belongs to it; elsewhere it must not get into the document
    if options.output == OutputFormat::Table && options.out.is_none() {
        Destination::Standard.write(&format!("\n{}", report.summary()))?;
    } else {
        eprint!("{}", report.summary());
    }
    if report.partial {
        eprintln!(
            "tmd: interrupted: the list is PARTIAL, it covers {} of {} arguments",
            report.searched, report.arguments
        );
        return Ok(ExitCode::from(130));
    }
    Ok(ExitCode::SUCCESS)
}

/// Fewer extra bits to try if `--hardest K` found less than K cases with bits that we chose.
fn fewer_bits(
    problem: &Problem,
    outcome: &Outcome,
    options: &SearchOptions,
    hardest: Option<usize>,
) -> Option<u32> {
    let wanted = hardest.filter(|_| options.extra_bits.is_none() && !outcome.is_partial())?;
    let fewer = problem.extra_bits().saturating_sub(3).max(Problem::MIN_EXTRA_BITS);
    (outcome.cases.len() < wanted && fewer < problem.extra_bits()).then_some(fewer)
}
