//! Run directories: `tmd solve --run`, `tmd resume`, `tmd status`.

use std::{
    fmt::Write as _,
    io::{IsTerminal, stdout},
    path::{Path, PathBuf},
    process::ExitCode,
    time::Duration,
};

use clap::Args;
use tmd_core::{Breakpoints, Format, Interrupt, Problem};
use tmd_driver::{Certificate, DriverError, Observer, Solve, SolvePlan};
use tmd_functions::{Function, Repeating};
use tmd_ledger::{Access, Damage, Dispute, Leases, Ledger, LedgerError, Question, Status, plain, quoted};

use crate::arguments::{Backends, EngineOptions, function};
use crate::destination::CertificateOut;
use crate::output::{Destination, Failure, tell};
use crate::plan::timed;
use crate::progress::Bar;
use crate::solve::{SolveOptions, end, interrupt};

/// When a worker is taken for dead.
#[derive(Args)]
pub(crate) struct Lease {
    /// Seconds without a sign of life after which the units of this process go back to the others
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0)]
    lease: f64,
}

/// The command line of `tmd resume`.
#[derive(Args)]
pub struct ResumeOptions {
    /// The run directory
    #[arg(value_name = "DIR")]
    directory: PathBuf,
    /// Threads of the CPU [default: one per core]
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u32).range(1..=4096))]
    threads: Option<u32>,
    #[command(flatten)]
    lease: Lease,
    #[command(flatten)]
    out: CertificateOut,
}

#[derive(Args)]
pub(crate) struct StatusOptions {
    /// The run directory
    #[arg(value_name = "DIR")]
    directory: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Print it again every two seconds until the run is complete
    #[arg(long)]
    watch: bool,
}

/// Time between two looks at a run.
const LOOK: Duration = Duration::from_secs(2);

/// Beats in the time after which a worker is taken for dead.
const BEATS: f64 = 12.0;

impl Lease {
    fn leases(&self) -> Result<Leases, Failure> {
        let time = |seconds| Duration::try_from_secs_f64(seconds).ok().filter(|time| !time.is_zero());
        match (time(self.lease / BEATS), time(self.lease)) {
            (Some(beat), Some(expiry)) if expiry <= Leases::LONGEST => Ok(Leases { beat, expiry }),
            _ => {
                Err(Failure::question("--lease must be a positive number of seconds, a day (86400) at most"))
            }
        }
    }
}

/// A run whose units are to be searched.
pub struct Job<'a> {
    /// Where they are leased and finished.
    pub ledger: &'a Ledger,
    /// The question.
    pub solve: &'a Solve<'a>,
    /// Its plan, compared with the ledger's.
    pub plan: &'a SolvePlan,
    /// When a worker is taken for dead.
    pub leases: Leases,
    /// Who is told how far it is.
    pub observer: &'a dyn Observer,
    /// Requested when the user wants an end.
    pub interrupt: &'a Interrupt,
}

/// Who searches the units of a run.
pub trait UnitWorkers {
    /// Searches all that is left of the run, unless the interrupt comes first.
    ///
    /// # Errors
    /// What ended the work early. What was finished before is kept.
    fn work(&self, job: &Job) -> Result<(), Failure>;
}

/// The threads of this process.
pub struct OwnThreads;

impl UnitWorkers for OwnThreads {
    fn work(&self, job: &Job) -> Result<(), Failure> {
        let Job { ledger, solve, plan, leases, observer, interrupt } = job;
        ledger.work(solve, plan, *leases, *observer, interrupt)?;
        Ok(())
    }
}

/// A question that is asked again, and who searches.
pub struct Asked {
    question: Question,
    function: Box<dyn Function>,
    problem: Problem,
    backends: Backends,
}

impl Asked {
    /// The question of a run, on so many threads; on one per core if nothing is said.
    ///
    /// # Errors
    /// Words that another version of the program wrote, and backends that this machine does not
    /// have.
    pub fn again(question: &Question, threads: Option<u32>) -> Result<Self, Failure> {
        let engine_options = EngineOptions { threads, ..EngineOptions::again(question)? };
        let (function, problem) = (Box::new(function(&question.function)?), problem(question)?);
        let repeating = Repeating::of(function, problem.arguments());
        let function = Box::new(repeating.only(question.is_repeating, question.is_repeating_at_large));
        Ok(Self { question: question.clone(), function, problem, backends: engine_options.backends()? })
    }

    /// The question as the driver takes it.
    pub fn solve(&self) -> Solve<'_> {
        let question = &self.question;
        Solve {
            function: &*self.function,
            problem: self.problem,
            binades: question.binades.map(|[start, end]| start..end),
            workers: self.backends.workers(),
            limit: question.limit(),
        }
    }

    /// The plan, made again.
    ///
    /// # Errors
    /// Those of planning.
    pub fn plan(&self, solve: &Solve) -> Result<SolvePlan, Failure> {
        Ok(solve.plan_in_units_of(self.question.unit_s)?)
    }
}

/// A run that goes on.
pub(crate) struct Run {
    pub(crate) ledger: Ledger,
    asked: Asked,
    access: Access,
}

impl Run {
    pub(crate) fn open(directory: &Path, access: Access, threads: Option<u32>) -> Result<Self, Failure> {
        let ledger = Ledger::open(directory, access)?;
        let asked = Asked::again(ledger.question(), threads)?;
        Ok(Self { ledger, asked, access })
    }

    pub(crate) fn solve(&self) -> Solve<'_> {
        self.asked.solve()
    }

    /// The plan, made again and compared, and the results, compared with their checksums.
    pub(crate) fn plan(&self, solve: &Solve) -> Result<SolvePlan, Failure> {
        let plan = self.asked.plan(solve)?;
        say_damaged(&self.ledger.check(solve, &plan, self.access)?);
        Ok(plan)
    }

    /// What is known so far.
    pub(crate) fn certificate(&self) -> Result<Certificate, Failure> {
        let solve = self.solve();
        let plan = self.plan(&solve)?;
        say_disputed(&self.ledger.disputes()?);
        let certificate = self.ledger.certificate(&solve, &plan)?;
        if !certificate.is_finished() {
            eprintln!(
                "tmd: the certificate is PARTIAL: {} of {} units are finished; tmd resume {} searches the rest",
                certificate.units.len(),
                plan.units.len(),
                quoted(self.ledger.directory())
            );
        }
        Ok(certificate)
    }
}

/// Names results that are damaged.
pub(crate) fn say_damaged(damaged: &[Damage]) {
    for Damage { unit, first, reason } in damaged {
        let (first, reason) = (plain(first), plain(reason));
        eprintln!(
            "tmd: the result of unit {unit}, at {first}, is DAMAGED: {reason}; it is to be searched again"
        );
    }
}

/// Names units of which results disagree.
pub(crate) fn say_disputed(disputes: &[Dispute]) {
    for Dispute { unit, first, difference, sources, is_settled } in disputes {
        let (first, difference, sources) = (plain(first), plain(difference), sources.join(", "));
        let sources = plain(&sources);
        if *is_settled {
            eprintln!(
                "tmd: the result of unit {unit}, at {first}, of {sources} is WRONG: {difference}; the unit was searched again here, and its own result stands: remove the other one"
            );
        } else {
            eprintln!(
                "tmd: results of unit {unit}, at {first}, of {sources}, DISAGREE: {difference}; one of the machines or programs is wrong: please find out which; the unit does not count until tmd resume has searched it again"
            );
        }
    }
}

fn problem(question: &Question) -> Result<Problem, Failure> {
    let format = Format::named(&question.format)?;
    let breakpoints: Breakpoints = question.rounding.parse()?;
    Ok(Problem::new(format, format, breakpoints, question.extra_bits).map_err(DriverError::from)?)
}

/// `tmd solve --run`.
pub(crate) fn begin(
    directory: &Path,
    options: &SolveOptions,
    solve: &Solve,
    destination: Option<Destination>,
    workers: &dyn UnitWorkers,
) -> Result<ExitCode, Failure> {
    if !options.unit.is_finite() || options.unit <= 0.0 {
        return Err(Failure::question("--unit must be a positive number of core-seconds"));
    }
    let leases = options.lease.leases()?;
    let plan = solve.plan_in_units_of(options.unit)?;
    // the plan itself keeps the model's times: it is the same on all machines
    options.whole.tell(&timed(plan.clone().at_calibration_of(&solve.workers)?), solve);
    let question = Question::new(solve, options.unit, options.engine_options.to_words());
    let ledger = Ledger::create(directory, &question, &plan)?;
    tell(format_args!(
        "{} units; whatever happens, tmd resume {} goes on",
        plan.units.len(),
        quoted(directory)
    ));
    if options.begin_only {
        return Ok(ExitCode::SUCCESS);
    }
    work(&ledger, solve, &plan, leases, destination, workers)
}

/// `tmd resume`: goes on with a run.
///
/// # Errors
/// Directories that hold no run or another one's, and what ended the work early.
pub fn resume(options: &ResumeOptions, workers: &dyn UnitWorkers) -> Result<ExitCode, Failure> {
    let leases = options.lease.leases()?;
    let destination = options.out.open(&[&options.directory])?;
    let run = Run::open(&options.directory, Access::Write, options.threads)?;
    let solve = run.solve();
    let plan = run.plan(&solve)?;
    work(&run.ledger, &solve, &plan, leases, destination, workers)
}

fn work(
    ledger: &Ledger,
    solve: &Solve,
    plan: &SolvePlan,
    leases: Leases,
    destination: Option<Destination>,
    workers: &dyn UnitWorkers,
) -> Result<ExitCode, Failure> {
    let interrupt = interrupt();
    let bar = Bar::new();
    let worked = workers.work(&Job { ledger, solve, plan, leases, observer: &bar, interrupt: &interrupt });
    bar.finish();
    worked?;
    end(&ledger.certificate(solve, plan)?, destination, &interrupt)
}

/// `tmd status`.
pub(crate) fn status(options: &StatusOptions) -> Result<ExitCode, Failure> {
    let interrupt = interrupt();
    let mut calibration = None;
    let mut is_first = true;
    loop {
        // opened each time: others may have put the directory away meanwhile, and a copy would not
        // change
        let ledger = Ledger::open(&options.directory, Access::Read)?;
        let mut status = ledger.status(is_first || !options.watch)?;
        if !status.is_complete {
            status =
                status.at_calibration(*calibration.get_or_insert_with(|| calibration_of(ledger.question())));
        }
        let mut text = String::new();
        if options.watch && !options.json && stdout().is_terminal() {
            text += "\x1b[H\x1b[J";
        }
        // writing to a String does not fail
        let _ = match (options.json, options.watch) {
            (true, true) => writeln!(text, "{}", status.to_line()),
            (true, false) => write!(text, "{}", status.to_json()),
            (false, _) => write!(text, "{}", status.to_text()),
        };
        Destination::Standard.write(text)?;
        if !options.watch || status.is_complete || interrupt.is_requested() {
            return Ok(if is_sound(&status) { ExitCode::SUCCESS } else { ExitCode::from(1) });
        }
        is_first = false;
        std::thread::sleep(LOOK);
    }
}

/// Whether there is nothing in a run that a search has to make good.
fn is_sound(status: &Status) -> bool {
    status.disputed.is_empty() && status.damaged.is_empty() && status.is_plan_whole
}

/// How long this machine takes, compared with the model, as `tmd solve` says before a run. 1 for
/// devices, which are not opened for a look, and where the engine of the run does not work.
fn calibration_of(question: &Question) -> f64 {
    let calibration = || -> Result<f64, Failure> {
        let engine_options = EngineOptions::again(question)?;
        if !engine_options.is_of_the_cpu() {
            return Ok(1.0);
        }
        let timing = engine_options.backends()?.workers().timing()?;
        Ok(timed((timing.calibration, timing)))
    };
    calibration().unwrap_or(1.0)
}

impl From<LedgerError> for Failure {
    fn from(error: LedgerError) -> Self {
        match error {
            LedgerError::Driver(error) => error.into(),
            error if error.is_of_the_question() => Self::question(error.to_string()),
            error => Self::machine(error.to_string()),
        }
    }
}
