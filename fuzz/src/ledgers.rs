//! Run directories: results, files of shards and databases that are damaged are refused or made
//! good. None leads to another certificate.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::LazyLock,
    time::Duration,
};

use arbitrary::{Result, Unstructured};
use serde_json::Value;
use tempfile::TempDir;
use tmd_core::{Breakpoints, Format, Interrupt, Problem};
use tmd_driver::{Certificate, Solve, SolvePlan, Workers, certificate::Effort, solve::UnitResult};
use tmd_functions::{Expression, parse};
use tmd_ledger::{Access, Leases, Ledger, LedgerError, Question, Shard, Shards};
use tmd_simd::{Level, Simd};

use crate::tampering;

/// Core-seconds of a unit: there are about ten.
const UNIT_S: f64 = 1e-4;

/// A run that is finished, and what it takes to go on with one.
struct Run {
    function: Expression,
    walk: Simd,
    plan: SolvePlan,
    results: Vec<UnitResult>,
    certificate: Certificate,
    directory: TempDir,
    database: Vec<u8>,
}

static RUN: LazyLock<Run> = LazyLock::new(|| {
    let function = parse("exp").expect("a function");
    let walk = Simd::farey(Level::best());
    let directory = folder();
    let (plan, results, certificate) = {
        let solve = solve(&function, &walk);
        let plan = solve.plan_in_units_of(UNIT_S).expect("a plan");
        let results: Vec<UnitResult> = plan
            .units
            .iter()
            .map(|unit| solve.search_unit(unit, &(), &Interrupt::new()).expect("a search").expect("a result"))
            .collect();
        let path = directory.path();
        let ledger =
            Ledger::create(path, &Question::new(&solve, UNIT_S, Vec::new()), &plan).expect("a ledger");
        ledger.shard(1).expect("shards");
        work_shard(path, &solve, &plan).expect("results in files");
        ledger.merge_shards(&solve, &plan).expect("results");
        let certificate = ledger.certificate(&solve, &plan).expect("a certificate");
        assert!(certificate.is_complete() && plan.units.len() > 4);
        (plan, results, certificate)
    };
    let database = fs::read(directory.path().join("ledger.sqlite")).expect("a database");
    Run { function, walk, plan, results, certificate, directory, database }
});

/// exp on [1/2, 2), both signs, in binary16.
pub(crate) fn solve<'a>(function: &'a Expression, walk: &'a Simd) -> Solve<'a> {
    let problem = Problem::new(Format::BINARY16, Format::BINARY16, Breakpoints::All, 8).expect("a problem");
    let workers = Workers::cpu(walk, 1);
    Solve { function, problem, binades: Some(-1..1), workers, limit: f64::INFINITY }
}

/// In memory, if there is such a place: the tests write through.
fn folder() -> TempDir {
    let memory = Path::new("/dev/shm");
    let made = if memory.is_dir() { TempDir::new_in(memory) } else { TempDir::new() };
    made.expect("a folder")
}

fn work_shard(path: &Path, solve: &Solve, plan: &SolvePlan) -> std::result::Result<(), LedgerError> {
    let shards = Shards::open(path)?;
    shards.check(solve, plan)?;
    shards.work(solve, plan, Shard { index: 1, count: shards.count() }, &(), &Interrupt::new()).map(drop)
}

/// Damages something and goes on.
pub fn fuzz(data: &[u8]) {
    let bytes = &mut Unstructured::new(data);
    let _ = match bytes.int_in_range(0..=2) {
        Ok(0) => result(bytes),
        Ok(1) => shard(bytes),
        _ => database(bytes),
    };
}

/// A result that is another one, or none.
fn result(bytes: &mut Unstructured) -> Result<()> {
    let run = &*RUN;
    let solve = solve(&run.function, &run.walk);
    let number = bytes.choose_index(run.results.len())?;
    let mut value: Value = serde_json::to_value(&run.results[number]).expect("a document");
    tampering::document(&mut value, bytes)?;
    let Ok(result) = serde_json::from_value::<UnitResult>(value) else { return Ok(()) };
    let _ = result.range(&solve);
    let mut results: Vec<(usize, UnitResult)> = run.results.iter().cloned().enumerate().collect();
    results[number].1 = result;
    if let Ok(certificate) = solve.certificate(&run.plan, results, Vec::new(), Effort::default()) {
        let _ = (certificate.totals(), certificate.counts(&run.function));
    }
    Ok(())
}

/// A file of a shard, or the shards' plan.
fn shard(bytes: &mut Unstructured) -> Result<()> {
    let run = &*RUN;
    let solve = solve(&run.function, &run.walk);
    let copy = folder();
    let unit = |number: usize| PathBuf::from(format!("shards/0000/{number}.json"));
    let number = bytes.choose_index(run.plan.units.len() + 1)?;
    let damaged = if number == run.plan.units.len() { "shards/plan.json".into() } else { unit(number) };
    fs::create_dir_all(copy.path().join("shards/0000")).expect("a folder");
    for file in (0..run.plan.units.len()).map(unit).chain(["shards/plan.json".into()]) {
        let mut content = fs::read(run.directory.path().join(&file)).expect("a file");
        if file == damaged {
            tampering::file(&mut content, bytes)?;
        }
        fs::write(copy.path().join(&file), content).expect("a copy");
    }
    let question = Question::new(&solve, UNIT_S, Vec::new());
    let empty = copy.path().join("ledger");
    let ledger = Ledger::create(&empty, &question, &run.plan).expect("a ledger");
    fs::rename(copy.path().join("shards"), empty.join("shards")).expect("files");
    ledger.merge_shards(&solve, &run.plan).expect("damaged files are named");
    if work_shard(&empty, &solve, &run.plan).is_ok() {
        ledger.merge_shards(&solve, &run.plan).expect("all results");
        same(&ledger.certificate(&solve, &run.plan).expect("a certificate"));
    }
    Ok(())
}

/// A database.
fn database(bytes: &mut Unstructured) -> Result<()> {
    let run = &*RUN;
    let solve = solve(&run.function, &run.walk);
    let mut content = run.database.clone();
    tampering::file(&mut content, bytes)?;
    let copy = folder();
    fs::write(copy.path().join("ledger.sqlite"), &content).expect("a copy");
    let leases = Leases { beat: Duration::from_millis(5), expiry: Duration::from_millis(50) };
    let go_on = || -> std::result::Result<Certificate, LedgerError> {
        let ledger = Ledger::open(copy.path(), Access::Write)?;
        let asked = Question::new(&solve, UNIT_S, Vec::new());
        assert_eq!(ledger.question(), &asked, "damage led to another question");
        ledger.check(&solve, &run.plan, Access::Write)?;
        ledger.status(true)?;
        ledger.work(&solve, &run.plan, leases, &(), &Interrupt::new())?;
        ledger.certificate(&solve, &run.plan)
    };
    // an error names the damage; what goes on comes to the same end
    match go_on() {
        Ok(certificate) => same(&certificate),
        Err(
            LedgerError::Damaged { .. }
            | LedgerError::NotARun { .. }
            | LedgerError::OtherSchema { .. }
            | LedgerError::Database { .. },
        ) => {}
        Err(other) => panic!("damage is told as something else: {other}"),
    }
    Ok(())
}

fn same(certificate: &Certificate) {
    assert_eq!(certificate.digest, RUN.certificate.digest, "damage led to another certificate");
}
