//! A small question, and what its answer takes.

#![allow(dead_code, reason = "each file of tests uses a part of it")]

use std::{path::Path, time::Duration};

use rusqlite::Connection;
use tempfile::TempDir;
use tmd_core::{Breakpoints, Format, Interrupt, Problem};
use tmd_driver::{
    Certificate, Observer, Progress, Solve, SolvePlan, Workers, certificate::Effort, solve::UnitResult,
};
use tmd_functions::{Expression, parse};
use tmd_ledger::{Access, Leases, Ledger, Question};
use tmd_simd::{Level, Simd};

/// Core-seconds of a unit: binary16 has a hundred of them.
pub(crate) const UNIT_S: f64 = 1e-4;

/// A question, with all that its answer takes.
pub(crate) struct Asked {
    pub(crate) function: Expression,
    pub(crate) walk: Simd,
    pub(crate) problem: Problem,
}

impl Asked {
    pub(crate) fn new(function: &str, extra_bits: u32) -> Self {
        let problem = Problem::new(Format::BINARY16, Format::BINARY16, Breakpoints::All, extra_bits).unwrap();
        Self { function: parse(function).unwrap(), walk: Simd::farey(Level::best()), problem }
    }

    pub(crate) fn solve(&self) -> Solve<'_> {
        Solve {
            function: &self.function,
            problem: self.problem,
            binades: None,
            workers: Workers::cpu(&self.walk, 2),
            limit: f64::INFINITY,
        }
    }
}

pub(crate) fn question(solve: &Solve) -> Question {
    Question::new(solve, UNIT_S, vec!["--engine".into(), "farey".into()])
}

/// A fresh run of a question: where it is, its plan, its ledger.
pub(crate) fn begun(solve: &Solve) -> (TempDir, SolvePlan, Ledger) {
    begun_in(UNIT_S, solve)
}

/// In units of so many core-seconds.
pub(crate) fn begun_in(unit_s: f64, solve: &Solve) -> (TempDir, SolvePlan, Ledger) {
    let (folder, plan) = (tempfile::tempdir().unwrap(), solve.plan_in_units_of(unit_s).unwrap());
    let ledger = Ledger::create(folder.path(), &question(solve), &plan).unwrap();
    (folder, plan, ledger)
}

pub(crate) fn sqlite(directory: &Path) -> Connection {
    Connection::open(directory.join("ledger.sqlite")).unwrap()
}

pub(crate) fn execute(directory: &Path, statements: &str) {
    sqlite(directory).execute_batch(statements).unwrap();
}

/// Stops a search after so many arguments.
pub(crate) struct StopAfter<'a>(pub(crate) u128, pub(crate) &'a Interrupt);

impl Observer for StopAfter<'_> {
    fn progress(&self, progress: Progress) {
        if progress.searched >= self.0 {
            self.1.request();
        }
    }
}

pub(crate) fn leases() -> Leases {
    Leases { beat: Duration::from_millis(10), expiry: Duration::from_millis(100) }
}

/// Opens, checks, works to the end.
pub(crate) fn finish(directory: &Path, solve: &Solve, plan: &SolvePlan) -> Certificate {
    let ledger = Ledger::open(directory, Access::Write).unwrap();
    ledger.check(solve, plan, Access::Write).unwrap();
    let worked = ledger.work(solve, plan, leases(), &(), &Interrupt::new()).unwrap();
    assert!(worked.is_complete);
    ledger.certificate(solve, plan).unwrap()
}

/// All results of a plan.
pub(crate) fn results(solve: &Solve, plan: &SolvePlan) -> Vec<UnitResult> {
    let search = |unit| solve.search_unit(unit, &(), &Interrupt::new()).unwrap().unwrap();
    plan.units.iter().map(search).collect()
}

/// What a search in memory says, but for its times.
pub(crate) fn in_memory(solve: &Solve, plan: &SolvePlan) -> Certificate {
    let certificate = solve.run(plan, &(), &Interrupt::new()).unwrap();
    Certificate { effort: Effort::default(), ..certificate }
}

/// Makes a result one that is whole and wrong: its cases are missing.
pub(crate) fn lose_cases(result: &mut UnitResult) {
    result.cases.clear();
    result.record.cases = 0;
}
