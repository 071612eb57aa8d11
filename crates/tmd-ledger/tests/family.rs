//! Runs whose units are parts of the circle of a family's turns: kept, resumed, sharded, merged and
//! compared as any others.

mod common;

use std::path::Path;

use common::{Asked, StopAfter, finish, leases, question, results};
use tmd_core::{Breakpoints, Format, Interrupt, Problem};
use tmd_driver::{Certificate, InverseUse, Solve, SolvePlan, Uses};
use tmd_ledger::{Access, Ledger, Shard, Shards};

fn asked() -> Asked {
    let format = Format::new(20, -150, 150).unwrap();
    let problem = Problem::new(format, format, Breakpoints::All, 13).unwrap();
    Asked { problem, ..Asked::new("sin", 12) }
}

fn plan(solve: &Solve, families: InverseUse) -> SolvePlan {
    solve.plan_in_units_with(5e-4, Uses { inverse: InverseUse::Never, families }).unwrap()
}

fn begin(directory: &Path, solve: &Solve, plan: &SolvePlan) -> Ledger {
    Ledger::create(directory, &question(solve), plan).unwrap()
}

#[test]
fn runs_are_interrupted_and_sharded() {
    let asked = asked();
    let solve = Solve { binades: Some(70..72), ..asked.solve() };
    let plan = plan(&solve, InverseUse::WherePossible);
    assert!(plan.units.len() > 8 && plan.units.iter().all(|unit| unit.via.is_some()), "{}", plan.units.len());
    let same = |certificate: &Certificate| {
        let mut expected = solve.run(&plan, &(), &Interrupt::new()).unwrap();
        expected.effort = certificate.effort.clone();
        assert!(certificate.is_complete() && certificate.cases.len() > 200);
        assert!(certificate.to_json() == expected.to_json());
    };
    // stopped in the middle, and again
    let folder = tempfile::tempdir().unwrap();
    let ledger = begin(folder.path(), &solve, &plan);
    let interrupt = Interrupt::new();
    let stop = StopAfter(plan.searched() / 3, &interrupt);
    assert!(!ledger.work(&solve, &plan, leases(), &stop, &interrupt).unwrap().is_complete);
    let status = ledger.status(true).unwrap();
    assert!(!status.is_complete && status.finished > 0, "{}", status.to_text());
    // units are parts of circles, but the arguments are those of the binades, which are searched
    // together
    let binades: Vec<&str> = status.binades.iter().map(|binade| binade.from.as_str()).collect();
    assert_eq!(binades, ["2^70"]);
    assert_eq!(status.binades[0].with, ["2^71"]);
    assert_eq!(status.of_families, status.units);
    let text = status.to_text();
    assert!(text.contains(" by lattice3\n") && text.contains("\n2^70 and 2^71 "), "{text}");
    let asked = 2u128 << 19;
    assert!(
        status.arguments <= asked && asked - status.arguments < plan.units.len() as u128,
        "{}",
        status.arguments
    );
    drop(ledger);
    same(&finish(folder.path(), &solve, &plan));

    // as shards
    let folder = tempfile::tempdir().unwrap();
    let ledger = begin(folder.path(), &solve, &plan);
    ledger.shard(2).unwrap();
    for index in 1..=2 {
        let shards = Shards::open(folder.path()).unwrap();
        shards.check(&solve, &plan).unwrap();
        let worked = shards.work(&solve, &plan, Shard { index, count: 2 }, &(), &Interrupt::new()).unwrap();
        assert!(worked.is_complete && worked.failed.is_empty());
    }
    assert_eq!(ledger.merge_shards(&solve, &plan).unwrap().new, plan.units.len());
    same(&ledger.certificate(&solve, &plan).unwrap());
}

/// Against a run that searched the same arguments one after the other.
#[test]
fn runs_are_compared() {
    let asked = asked();
    let solve = Solve { binades: Some(70..71), ..asked.solve() };
    let [direct, family] = [InverseUse::Never, InverseUse::WherePossible].map(|uses| plan(&solve, uses));
    assert_ne!(direct.digest(), family.digest());
    let folder = tempfile::tempdir().unwrap();
    let [ledger, other] = [("direct", &direct), ("family", &family)]
        .map(|(name, plan)| begin(&folder.path().join(name), &solve, plan));
    finish(ledger.directory(), &solve, &direct);
    for (number, result) in results(&solve, &family).iter().enumerate() {
        other.finish(&solve, &family, number, result, "b").unwrap();
    }
    for (run, plan, twin) in [(&ledger, &direct, &other), (&other, &family, &ledger)] {
        let merged = run.merge(&solve, plan, twin).unwrap();
        assert!(merged.disputes.is_empty() && merged.uncompared == 0, "{merged:?}");
        assert_eq!(merged.compared, Some(1 << 19));
    }
    // the results of another plan are of other units
    let ledger = Ledger::open(ledger.directory(), Access::Write).unwrap();
    assert!(ledger.check(&solve, &family, Access::Write).is_err());
}

/// Regions that are searched together: exponentials of both signs, logarithms of all exponents.
#[test]
fn runs_of_several_regions() {
    for (function, binades) in [("exp", 4..6), ("log", 30..40)] {
        let asked = Asked { problem: asked().problem, ..Asked::new(function, 12) };
        let solve = Solve { binades: Some(binades), ..asked.solve() };
        let plan = plan(&solve, InverseUse::WherePossible);
        let shared = plan.units.iter().filter(|unit| unit.via.is_some() && plan.bounds(unit).len() > 1);
        assert!(shared.count() > 8, "{function}: {} units", plan.units.len());
        let folder = tempfile::tempdir().unwrap();
        let ledger = begin(folder.path(), &solve, &plan);
        let interrupt = Interrupt::new();
        let stop = StopAfter(plan.searched() / 3, &interrupt);
        assert!(!ledger.work(&solve, &plan, leases(), &stop, &interrupt).unwrap().is_complete);
        let status = ledger.status(true).unwrap();
        assert!(!status.is_complete && status.finished > 0, "{}", status.to_text());
        let of_families = plan.units.iter().filter(|unit| unit.via.is_some()).count();
        assert_eq!(status.of_families, of_families);
        // a part that is missing is missing in all of these regions
        let partial = ledger.certificate(&solve, &plan).unwrap();
        assert!(!partial.is_complete() && !partial.cases.is_empty());
        drop(ledger);
        let certificate = finish(folder.path(), &solve, &plan);
        let mut expected = solve.run(&plan, &(), &Interrupt::new()).unwrap();
        expected.effort = certificate.effort.clone();
        assert!(certificate.is_complete() && certificate.cases.len() > 200);
        assert!(certificate.to_json() == expected.to_json());
        // the sum of what a status says is what was asked
        let status = Ledger::open(folder.path(), Access::Read).unwrap().status(true).unwrap();
        let searched = certificate.totals().searched;
        assert!(status.arguments <= searched && searched - status.arguments < plan.units.len() as u128);
    }
}

/// A status names both engines, where units of both kinds are.
#[test]
fn a_status_names_the_engines() {
    let asked = Asked { problem: asked().problem, ..Asked::new("log", 12) };
    let solve = Solve { binades: Some(-20..10), ..asked.solve() };
    let plan = plan(&solve, InverseUse::WherePossible);
    let folder = tempfile::tempdir().unwrap();
    let status = begin(folder.path(), &solve, &plan).status(true).unwrap();
    let (some, units) = (status.of_families, status.units);
    assert!(0 < some && some < units, "{some} of {units}");
    let line = format!(", by {}, {some} of {units} units by lattice3\n", status.question.engine);
    assert!(status.to_text().contains(&line), "{}", status.to_text());
}
