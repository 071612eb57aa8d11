//! `tmd solve`, and `tmd plan` of a whole domain.

use std::{path::PathBuf, process::ExitCode, sync::Arc};

use clap::Args;
use tmd_core::{Breakpoints, Format, Interrupt, Problem};
use tmd_driver::{Certificate, DriverError, Solve, SolvePlan, Workers};
use tmd_functions::{Expression, Function, Repeating};

use crate::arguments::{EngineOptions, extra_bits, function};
use crate::certificate::ending;
use crate::destination::CertificateOut;
use crate::output::{Destination, Failure, tell};
use crate::plan::timed;
use crate::progress::Bar;
use crate::run::{Lease, UnitWorkers, begin};

/// Exponents of binades, `A..B`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Binades(std::ops::Range<i32>);

impl std::str::FromStr for Binades {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let meaning = "--binades A..B means 2^A ≤ |x| < 2^B";
        let hint = || format!("`{text}` is not A..B; {meaning}, such as -1..9");
        let (start, end) = text.split_once("..").ok_or_else(hint)?;
        let exponent = |text: &str| text.trim().parse::<i32>().map_err(|_| hint());
        let start = exponent(start)?;
        let end = match end.strip_prefix('=') {
            Some(last) => exponent(last)?.saturating_add(1),
            None => exponent(end)?,
        };
        if start >= end {
            let instead = if start > end { (end, start) } else { (start, start.saturating_add(1)) };
            let (start, end) = instead;
            return Err(format!("`{text}` is empty: {meaning}; did you mean {start}..{end}?"));
        }
        Ok(Self(start..end))
    }
}

/// What is asked of a whole function.
#[derive(Args)]
pub(crate) struct Whole {
    /// Only arguments with 2^A ≤ |x| < 2^B; from the format's least number on (-1074 in binary64) 0
    /// is among them
    #[arg(long, value_name = "A..B", allow_hyphen_values = true)]
    pub(crate) binades: Option<Binades>,
    /// Most core-hours of a binade, by the estimate; longer ones are left out, named as out of
    /// reach, and the exit code is 1
    #[arg(long, value_name = "HOURS", default_value_t = 1000.0, allow_negative_numbers = true)]
    pub(crate) limit: f64,
    /// List the plan region by region and binade by binade, not only its total
    #[arg(long)]
    pub(crate) table: bool,
}

/// The command line of `tmd solve`.
#[derive(Args)]
#[command(after_help = tmd_driver::report::LEGEND)]
pub struct SolveOptions {
    /// Function or expression in x: exp, sinpi, "rootn(x,3)", "exp(2*x)+sin(3*x^2)", …
    #[arg(allow_hyphen_values = true)]
    pub(crate) function: String,
    /// Format of arguments and results: binary16, bfloat16, binary32, binary64 or x87
    #[arg(long, default_value = "binary64")]
    pub(crate) format: String,
    /// Breakpoints of which rounding modes: directed (up, down, to zero: the numbers), nearest
    /// (their midpoints) or all (both)
    #[arg(long, default_value = "all")]
    pub(crate) rounding: String,
    /// Cases are results closer than 2^-M ulp to a breakpoint [default: 56 for x87, 45 for
    /// binary64, 21 for binary32, 8 for binary16, 5 for bfloat16]
    #[arg(long, value_name = "M", allow_negative_numbers = true, value_parser = extra_bits)]
    pub(crate) extra_bits: Option<u32>,
    #[command(flatten)]
    pub(crate) whole: Whole,
    #[command(flatten)]
    pub(crate) engine_options: EngineOptions,
    #[command(flatten)]
    pub(crate) out: CertificateOut,
    /// Keep the run in a new directory; tmd resume continues it after any interruption
    #[arg(long, value_name = "DIR")]
    pub(crate) run: Option<PathBuf>,
    /// Core-seconds of a unit of work, by the estimate: what is lost at most when a thread is
    /// killed
    #[arg(long, value_name = "SECONDS", default_value_t = 120.0, requires = "run")]
    pub(crate) unit: f64,
    /// Only begin the run: tmd resume, tmd shard or tmd-mpi resume go on
    #[arg(long, requires = "run", conflicts_with = "out")]
    pub(crate) begin_only: bool,
    #[command(flatten)]
    pub(crate) lease: Lease,
}

impl Whole {
    /// Says what will be done.
    pub(crate) fn tell(&self, plan: &SolvePlan, solve: &Solve) {
        tell(if self.table { plan.to_table(solve) } else { plan.summary(solve) }.trim_end());
    }

    /// The function as it is searched: next to 0 one binade stands for all below, if all are asked
    /// for.
    pub(crate) fn function<'a>(
        &self,
        function: &'a dyn Function,
        repeating: &'a Repeating<&'a Expression>,
    ) -> &'a dyn Function {
        if self.binades.is_some() { function } else { repeating }
    }

    /// The question about a whole function.
    pub(crate) fn solve<'a>(
        &self,
        function: &'a dyn Function,
        format: Format,
        breakpoints: Breakpoints,
        extra_bits: Option<u32>,
        workers: Workers<'a>,
    ) -> Result<Solve<'a>, Failure> {
        let bits = extra_bits.unwrap_or_else(|| Solve::default_extra_bits(format));
        let problem = Problem::new(format, format, breakpoints, bits);
        let problem = problem.map_err(DriverError::from)?;
        if self.limit.is_nan() || self.limit <= 0.0 {
            return Err(Failure::question("--limit must be a positive number of core-hours"));
        }
        let binades = self.binades.as_ref().map(|binades| binades.0.clone());
        Ok(Solve { function, problem, binades, workers, limit: self.limit * 3600.0 })
    }
}

/// `tmd solve`: solves the dilemma of a function. With a run directory, its units are searched by
/// `workers`.
///
/// # Errors
/// Wrong questions, directories that hold a run already, and what ended the work early.
pub fn run(options: &SolveOptions, workers: &dyn UnitWorkers) -> Result<ExitCode, Failure> {
    let function = function(&options.function)?;
    let format = Format::named(&options.format)?;
    let breakpoints = options.rounding.parse::<Breakpoints>()?;
    let backends = options.engine_options.backends()?;
    let repeating = Repeating::of(&function, format);
    let function = options.whole.function(&function, &repeating);
    let solve = options.whole.solve(function, format, breakpoints, options.extra_bits, backends.workers())?;
    let destination = options.out.open(options.run.as_deref().as_slice())?;

    if let Some(directory) = &options.run {
        return begin(directory, options, &solve, destination, workers);
    }
    let plan = timed(solve.plan()?.at_calibration_of(&solve.workers)?);
    options.whole.tell(&plan, &solve);
    let interrupt = interrupt();
    let bar = Bar::new();
    let certificate = solve.run(&plan, &bar, &interrupt);
    bar.finish();
    end(&certificate?, destination, &interrupt)
}

/// An interrupt that Ctrl-C requests, or a signal that asks for the end.
pub fn interrupt() -> Arc<Interrupt> {
    let interrupt = Arc::new(Interrupt::new());
    let handler = Arc::clone(&interrupt);
    // without a handler Ctrl-C ends the program at once
    let _ = ctrlc::set_handler(move || handler.request());
    interrupt
}

/// Writes the certificate, and says what is in it.
pub(crate) fn end(
    certificate: &Certificate,
    destination: Option<Destination>,
    interrupt: &Interrupt,
) -> Result<ExitCode, Failure> {
    let is_printed = matches!(destination, Some(Destination::Standard));
    let is_partial = !certificate.is_finished();
    let kept = destination
        .map_or(Ok(()), |destination| destination.keep(certificate.to_json(), ".json", !is_partial));
    let said = if is_printed {
        tell(certificate.summary().trim_end());
        Ok(())
    } else {
        Destination::Standard.keep(certificate.summary(), ".txt", true)
    };
    if is_partial {
        tell("tmd: the certificate is PARTIAL: not all units were searched");
    }
    let code = ending(certificate);
    kept.and(said)?;
    let is_interrupted = interrupt.is_requested() && is_partial;
    Ok(ExitCode::from(if is_interrupted { 130 } else { code }))
}
