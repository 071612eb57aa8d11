//! What the ledger of a run costs: made, opened, leased from by several processes, served from by
//! one, merged, and its size on the disk.
//!
//! The plan is a real one, of a million small units of exp in binary32. One unit is searched; its
//! result, with the place of each other unit written in, stands for all of them: counts, budget and
//! one case, as units of a search have that is long enough to need a million.

mod assembly;
mod simulate;

use std::{
    fs,
    io::{BufRead, BufReader, Write},
    path::Path,
    process::{Child, Command, Stdio},
    time::Instant,
};

use clap::Args;
use tempfile::TempDir;
use tmd_core::{Breakpoints, Format, Interrupt, Problem};
use tmd_driver::{DriverError, Solve, SolvePlan, Workers, solve::UnitResult};
use tmd_functions::{Expression, parse};
use tmd_ledger::{Access, Leases, Ledger, LedgerError, Question, Shard, Shards};
use tmd_simd::{Level, Simd};

use crate::ToolError;
use crate::figures::{
    table::{Table, markdown},
    timed,
};
pub use assembly::assembly;
use simulate::{Crowd, Day};

/// What is measured.
#[derive(Args, Clone, Debug)]
pub struct Ask {
    /// Units, about
    #[arg(long, default_value_t = 1 << 20, value_name = "COUNT")]
    pub units: u64,
    /// Units that each process leases and finishes
    #[arg(long, default_value_t = 500, value_name = "COUNT")]
    pub share: usize,
    /// Numbers of processes at one ledger
    #[arg(long, value_delimiter = ',', default_values_t = [1, 2, 4, 8], value_name = "N,...")]
    pub processes: Vec<usize>,
    /// Workers that are simulated, at one process that hands out units
    #[arg(long, default_value_t = 10_000, value_name = "COUNT")]
    pub workers: usize,
    /// Results of shards that are written to files, and merged
    #[arg(long, default_value_t = 20_000, value_name = "COUNT")]
    pub files: usize,
}

/// The figures, as tables.
pub struct LedgerFigures {
    tables: Vec<Table>,
}

/// What a search of exp in binary32 costs, about, by the plan: units of this part of it are as many
/// as are asked for.
const CORE_SECONDS: f64 = 60.0;

/// Seconds of a unit of the crowd.
const CROWD_UNIT_S: f64 = 120.0;

/// The question, and how long a unit is.
pub(crate) struct Asked {
    function: Expression,
    walk: Simd,
    /// core-seconds by the plan
    pub(crate) unit_s: f64,
}

impl Asked {
    /// Units as short as it takes for so many.
    pub(crate) fn new(units: u64) -> Result<Self, ToolError> {
        let (function, walk) = (parse("exp")?, Simd::farey(Level::best()));
        let mut asked = Self { function, walk, unit_s: CORE_SECONDS };
        // the estimate is linear: two plans are enough
        let solve = asked.solve()?;
        let total: f64 =
            solve.plan_in_units_of(CORE_SECONDS)?.units.iter().map(|unit| unit.core_seconds).sum();
        asked.unit_s = total / units as f64;
        Ok(asked)
    }

    pub(crate) fn solve(&self) -> Result<Solve<'_>, ToolError> {
        let problem = Problem::new(Format::BINARY32, Format::BINARY32, Breakpoints::All, 21)
            .map_err(DriverError::from)?;
        let workers = Workers::cpu(&self.walk, 1);
        Ok(Solve { function: &self.function, problem, binades: None, workers, limit: f64::INFINITY })
    }
}

/// A result that stands for all.
pub(crate) struct Model(UnitResult);

impl Model {
    pub(crate) fn new(solve: &Solve, plan: &SolvePlan) -> Result<Self, ToolError> {
        for unit in plan.units.iter().step_by(plan.units.len() / 4096 + 1) {
            if let Some(result) = solve.search_unit(unit, &(), &Interrupt::new())?
                && result.cases.len() == 1
            {
                return Ok(Self(result));
            }
        }
        Err(ToolError::failed("no unit has a case that could stand for the others'; ask for fewer units"))
    }

    /// The result of a unit.
    pub(crate) fn of(&self, plan: &SolvePlan, number: usize) -> (usize, UnitResult) {
        let (mut result, unit) = (self.0.clone(), &plan.units[number]);
        result.record.region = unit.region;
        result.record.first = unit.range.argument(0).to_string();
        result.record.spacing = unit.range.exponent();
        result.record.arguments = unit.range.count();
        for case in &mut result.cases {
            case.x.clone_from(&result.record.first);
        }
        (number, result)
    }
}

impl Ask {
    /// One of the processes: says when it is ready, waits for a line, leases and finishes one unit
    /// after the other.
    ///
    /// # Errors
    /// Those of the ledger.
    pub fn be_a_process(&self, run: &Path, ready: impl FnOnce()) -> Result<(), ToolError> {
        let asked = Asked::new(self.units)?;
        let solve = asked.solve()?;
        let plan = solve.plan_in_units_of(asked.unit_s)?;
        let (model, ledger) = (Model::new(&solve, &plan)?, Ledger::open(run, Access::Write)?);
        ready();
        std::io::stdin().read_line(&mut String::new())?;
        serve(&ledger, &solve, &plan, &model, self.share, 1)?;
        Ok(())
    }

    /// The rest of the run by a crowd at a unit server, as by rank 0 of an MPI job: reports are
    /// read, kept by one transaction, and as many units leased by another one.
    fn crowd(
        &self,
        ledger: &Ledger,
        solve: &Solve,
        plan: &SolvePlan,
        model: &Model,
    ) -> Result<Table, ToolError> {
        let crowd = Crowd { workers: self.workers, unit_s: CROWD_UNIT_S };
        let mut day = Day::default();
        let (leases, interrupt) = (Leases::default(), Interrupt::new());
        ledger.serve::<ToolError>(solve, plan, crowd.workers, leases, &interrupt, |server| {
            day = crowd.work(|done, wanted| {
                // strings and finite numbers only: serialization does not fail
                let report = |&unit: &usize| serde_json::to_vec(&model.of(plan, unit)).unwrap_or_default();
                let reports: Vec<Vec<u8>> = done.iter().map(report).collect();
                let begun = Instant::now();
                let read = reports.iter().map(|report| serde_json::from_slice(report));
                let results: Vec<(usize, UnitResult)> =
                    read.collect::<Result<_, _>>().map_err(std::io::Error::from)?;
                server.finish(&results)?;
                let units = server.take(wanted)?;
                Ok::<_, ToolError>((units, begun.elapsed().as_secs_f64()))
            })?;
            Ok(())
        })?;
        let title = format!("{} workers at a unit server, simulated", crowd.workers);
        let columns = "units of 120 s | hours | unit server busy | ms a unit | mean wait, ms | longest wait, s | workers idle";
        let mut table = Table::new(&title, columns);
        table.note("The workers' time is made up, the unit server's is real. They wait longest at the beginning, and are idle at the end.");
        table.row(vec![
            day.units.to_string(),
            format!("{:.2}", day.elapsed_s / 3600.0),
            format!("{:.2} %", 100.0 * day.load()),
            format!("{:.3}", day.busy_s / day.units.max(1) as f64 * 1e3),
            format!("{:.2}", day.wait_s() * 1e3),
            format!("{:.2}", day.longest_s),
            format!("{:.2} %", 100.0 * day.lost(crowd)),
        ]);
        Ok(table)
    }

    /// Several processes at a ledger; seconds for each unit of them all.
    fn together(&self, run: &Path, processes: usize) -> Result<f64, ToolError> {
        let program = std::env::current_exe()?;
        let start = |_| {
            let mut command = Command::new(&program);
            command.arg("--process").arg("--directory").arg(run);
            command.args(["--units", &self.units.to_string(), "--share", &self.share.to_string()]);
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()
        };
        let mut children: Vec<Child> = (0..processes).map(start).collect::<Result<_, _>>()?;
        for child in &mut children {
            if let Some(says) = child.stdout.as_mut() {
                BufReader::new(says).read_line(&mut String::new())?;
            }
        }
        let begun = Instant::now();
        for child in &mut children {
            if let Some(hears) = child.stdin.as_mut() {
                hears.write_all(b"go\n")?;
            }
        }
        for mut child in children {
            if !child.wait()?.success() {
                return Err(std::io::Error::other("one of the processes failed").into());
            }
        }
        Ok(begun.elapsed().as_secs_f64() / (processes * self.share) as f64)
    }
}

/// A folder of its own, below this one or where the system has such.
fn folder(directory: Option<&Path>) -> std::io::Result<TempDir> {
    directory.map_or_else(TempDir::new, TempDir::new_in)
}

/// Leases and finishes so many units, in batches; seconds for each.
fn serve(
    ledger: &Ledger,
    solve: &Solve,
    plan: &SolvePlan,
    model: &Model,
    units: usize,
    batch: usize,
) -> Result<f64, LedgerError> {
    let mut seconds = 0.0;
    ledger.serve::<LedgerError>(solve, plan, 1, Leases::default(), &Interrupt::new(), |server| {
        let begun = Instant::now();
        let mut left = units;
        while left > 0 {
            let taken = server.take(batch.min(left))?;
            if taken.is_empty() {
                break;
            }
            let results: Vec<_> = taken.iter().map(|&number| model.of(plan, number)).collect();
            server.finish(&results)?;
            left -= taken.len();
        }
        seconds = begun.elapsed().as_secs_f64() / (units - left).max(1) as f64;
        Ok(())
    })?;
    Ok(seconds)
}

impl LedgerFigures {
    /// Takes the figures, in a run directory below `directory`; `tell` hears how far it is.
    ///
    /// # Errors
    /// Those of the ledger, and of the system.
    pub fn take(ask: &Ask, directory: Option<&Path>, tell: impl Fn(&str)) -> Result<Self, ToolError> {
        let folder = folder(directory)?;
        let run = folder.path().join("run");
        let asked = Asked::new(ask.units)?;
        let solve = asked.solve()?;
        let mut whole =
            Stopwatch { table: Table::new("The whole of a run", "what | seconds | MB on disk"), tell: &tell };
        let plan = whole.time("plan", || solve.plan_in_units_of(asked.unit_s))?;
        let units = plan.units.len();
        let question = Question::new(&solve, asked.unit_s, Vec::new());
        let ledger = whole.time("begin", || Ledger::create(&run, &question, &plan))?;
        drop(ledger);
        let model = Model::new(&solve, &plan)?;
        whole.size("nothing finished yet", &run)?;

        let mut table = Table::new("Leasing and finishing", "who | units | ms a unit, altogether | units/s");
        let mut row = |who: String, units: usize, seconds: f64| {
            let [each, rate] = [format!("{:.3}", seconds * 1e3), format!("{:.0}", 1.0 / seconds)];
            table.row([who, units.to_string(), each, rate]);
        };
        for &processes in &ask.processes {
            let seconds = ask.together(&run, processes)?;
            row(format!("{processes} processes, unit by unit"), processes * ask.share, seconds);
        }
        let ledger = Ledger::open(&run, Access::Write)?;
        for batch in [1, 16, 256] {
            let seconds = serve(&ledger, &solve, &plan, &model, ask.share * batch, batch)?;
            row(format!("a unit server, {batch} at a time"), ask.share * batch, seconds);
        }

        // shards: a run of their own, as its results are found, not made up
        let shard_run = folder.path().join("shards");
        let sharded = Ledger::create(&shard_run, &question, &plan)?;
        sharded.shard((units / ask.files.max(1)).max(1) as u64)?;
        let shards = Shards::open(&shard_run)?;
        let shard = Shard { index: shards.count(), count: shards.count() };
        let (written, seconds) = timed(|| shards.work(&solve, &plan, shard, &(), &Interrupt::new()));
        let (written, files) = (written?.finished, size(&shard_run.join("shards"))?);
        let (merged, merging) = timed(|| sharded.merge_shards(&solve, &plan));
        let merged = merged?.new;
        let searching: f64 = sharded.status(false)?.spent_s;
        let each = (seconds - searching) / written.max(1) as f64;
        row("files of a shard, without the search".into(), written, each);
        row("merging them".into(), merged, merging / merged.max(1) as f64);
        drop(sharded);
        fs::remove_dir_all(&shard_run)?;

        let crowded = ask.crowd(&ledger, &solve, &plan, &model)?;
        table.note(format!("{written} files of shards take {:.0} MB of the disk.", files as f64 / 1e6));
        drop(ledger);
        whole.size("all finished", &run)?;
        let ledger = whole.time("open: pages and indexes", || Ledger::open(&run, Access::Write))?;
        whole.time("open: plan and checksums", || ledger.check(&solve, &plan, Access::Write))?;
        whole.time("status", || ledger.status(false))?;
        whole.time("status with checksums", || ledger.status(true))?;
        // made-up cases are none; the certificate does not look at that
        let certificate = whole.time("certificate", || ledger.certificate(&solve, &plan))?;
        let text = certificate.to_json();
        whole.table.note(format!("{units} units; the certificate has {:.0} MB.", text.len() as f64 / 1e6));
        Ok(Self { tables: vec![whole.table, table, crowded] })
    }

    /// The tables as Markdown.
    pub fn markdown(&self) -> String {
        markdown(&self.tables)
    }
}

/// A table of times, each told when it is known.
struct Stopwatch<'a> {
    table: Table,
    tell: &'a dyn Fn(&str),
}

impl Stopwatch<'_> {
    fn time<T, E>(&mut self, what: &str, work: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
        let (done, seconds) = timed(work);
        let done = done?;
        (self.tell)(&format!("{what}: {seconds:.2} s"));
        self.table.row(vec![what.into(), format!("{seconds:.2}")]);
        Ok(done)
    }

    /// A row about the size of the ledger.
    fn size(&mut self, what: &str, run: &Path) -> std::io::Result<()> {
        let bytes = size(run)? - size(&run.join("shards"))?;
        self.table.row(vec![what.into(), String::new(), format!("{:.0}", bytes as f64 / 1e6)]);
        Ok(())
    }
}

/// Bytes of the files below a folder, in blocks as the disk has them; none if there is no folder.
fn size(folder: &Path) -> std::io::Result<u64> {
    const BLOCK: u64 = 4096;
    if !folder.exists() {
        return Ok(0);
    }
    let mut bytes = 0;
    for entry in fs::read_dir(folder)? {
        let (entry, path) = entry.map(|entry| (entry.metadata(), entry.path()))?;
        let metadata = entry?;
        bytes += if metadata.is_dir() { size(&path)? } else { metadata.len().next_multiple_of(BLOCK) };
    }
    Ok(bytes)
}
