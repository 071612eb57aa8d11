//! Shards and merges: tasks that are killed, run twice, or disagree.

mod common;

use std::{
    fs,
    path::{Path, PathBuf},
};

use common::{Asked, StopAfter, UNIT_S, begun, finish, question, results};
use tmd_core::{Breakpoints, Format, Interrupt, Problem};
use tmd_driver::{InverseUse, Solve, SolvePlan, Workforce, report::Undecided};
use tmd_ledger::{Access, Ledger, LedgerError, Question, Shard, ShardWorked, Shards};
use tmd_simd::{Level, Simd, SimdEngine};

fn work(
    directory: &Path,
    solve: &Solve,
    plan: &SolvePlan,
    index: u64,
    count: u64,
) -> Result<ShardWorked, LedgerError> {
    let shards = Shards::open(directory)?;
    shards.check(solve, plan)?;
    shards.work(solve, plan, Shard { index, count }, &(), &Interrupt::new())
}

/// The file of a unit below 1000.
fn file(directory: &Path, unit: usize) -> PathBuf {
    directory.join(format!("shards/0000/{unit}.json"))
}

/// What another run says of all.
fn expected(solve: &Solve, plan: &SolvePlan) -> String {
    let folder = tempfile::tempdir().unwrap();
    Ledger::create(folder.path(), &question(solve), plan).unwrap();
    finish(folder.path(), solve, plan).to_json()
}

#[test]
fn shards_together_are_the_run() {
    let asked = Asked::new("exp", 12);
    let solve = asked.solve();
    let (folder, plan, ledger) = begun(&solve);
    let directory = folder.path();
    assert!(matches!(Shards::open(directory), Err(LedgerError::Unreadable { .. })), "there is no plan yet");
    assert!(matches!(ledger.shard(0), Err(LedgerError::Shard { count: 0, .. })));
    ledger.shard(4).unwrap();
    for (index, count) in [(0, 4), (5, 4), (1, 3)] {
        let refused = work(directory, &solve, &plan, index, count);
        assert!(matches!(refused, Err(LedgerError::Shard { .. })), "{index}/{count}");
    }
    // elsewhere, without the ledger
    let elsewhere = folder.path().join("elsewhere");
    fs::create_dir_all(elsewhere.join("shards")).unwrap();
    fs::copy(directory.join("shards/plan.json"), elsewhere.join("shards/plan.json")).unwrap();
    let worked = work(&elsewhere, &solve, &plan, 4, 4).unwrap();
    assert!(worked.is_complete && worked.finished == plan.units.len() / 4 && worked.there == 0);
    fs::rename(elsewhere.join("shards/0000"), directory.join("shards/0000")).unwrap();

    let (mut finished, mut new) = (worked.finished, 0);
    for index in 1..=4 {
        let worked = work(directory, &solve, &plan, index, 4).unwrap();
        assert!(worked.is_complete && worked.failed.is_empty());
        finished += worked.finished;
        assert!(ledger.status(false).unwrap().unmerged > 0 || index == 4);
        new += ledger.merge_shards(&solve, &plan).unwrap().new;
    }
    assert_eq!((finished, new), (plan.units.len(), plan.units.len()));
    let merged = ledger.merge_shards(&solve, &plan).unwrap();
    assert_eq!((merged.new, merged.again), (0, plan.units.len()));
    assert!(ledger.certificate(&solve, &plan).unwrap().to_json() == expected(&solve, &plan));
    assert!(ledger.status(true).unwrap().is_complete);
}

#[test]
fn other_questions_and_plans_are_refused() {
    let asked = Asked::new("exp", 12);
    let solve = asked.solve();
    let (folder, plan, ledger) = begun(&solve);
    ledger.shard(2).unwrap();
    let other = Asked::new("exp2", 12);
    let refused = work(folder.path(), &other.solve(), &plan, 1, 2);
    assert!(matches!(refused, Err(LedgerError::OtherQuestion { .. })));
    let longer = solve.plan_in_units_of(10.0 * UNIT_S).unwrap();
    assert!(matches!(work(folder.path(), &solve, &longer, 1, 2), Err(LedgerError::OtherPlan { .. })));
    let path = folder.path().join("shards/plan.json");
    let text = fs::read_to_string(&path).unwrap();
    for broken in [
        text.replace("tmd-shards-2", "tmd-shards-9"),
        text.replace("\"extra_bits\": 12", "\"extra_bits\": 10"),
        text[..text.len() / 2].into(),
        String::new(),
    ] {
        assert_ne!(broken, text);
        fs::write(&path, broken).unwrap();
        assert!(matches!(Shards::open(folder.path()), Err(LedgerError::Unreadable { .. })));
    }
}

#[test]
fn tasks_are_interrupted_requeued_and_run_twice_at_once() {
    let asked = Asked::new("sin", 12);
    let solve = asked.solve();
    let (folder, plan, ledger) = begun(&solve);
    ledger.shard(1).unwrap();
    let shards = Shards::open(folder.path()).unwrap();
    let shard = Shard { index: 1, count: 1 };
    let mut before = 0;
    for part in 1..=3 {
        let interrupt = Interrupt::new();
        let observer = StopAfter(plan.searched() * part / 5, &interrupt);
        let worked = shards.work(&solve, &plan, shard, &observer, &interrupt).unwrap();
        assert_eq!(worked.there, before, "what was finished stays");
        before += worked.finished;
        assert!(!worked.is_complete && worked.finished > 0);
    }
    // a requeued task and its orphan
    let both = std::thread::scope(|scope| {
        let orphan = scope.spawn(|| work(folder.path(), &solve, &plan, 1, 1).unwrap());
        [work(folder.path(), &solve, &plan, 1, 1).unwrap(), orphan.join().unwrap()]
    });
    assert!(both.iter().all(|worked| worked.is_complete));
    let entries =
        |name: &str| fs::read_dir(folder.path().join("shards").join(name)).map_or(0, Iterator::count);
    let files: usize = ["0000", "0001", "0002"].map(entries).iter().sum();
    assert_eq!(files, plan.units.len(), "a file for each unit, and nothing else");
    assert_eq!(ledger.merge_shards(&solve, &plan).unwrap().new, plan.units.len());
    assert!(ledger.certificate(&solve, &plan).unwrap().to_json() == expected(&solve, &plan));
}

#[test]
fn damaged_files_are_named_and_searched_again() {
    let asked = Asked::new("exp", 12);
    let solve = asked.solve();
    let plan = solve.plan_in_units_of(5.0 * UNIT_S).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let ledger = Ledger::create(folder.path(), &question(&solve), &plan).unwrap();
    ledger.shard(1).unwrap();
    work(folder.path(), &solve, &plan, 1, 1).unwrap();
    let path = file(folder.path(), 5);
    let whole = fs::read(&path).unwrap();
    let mut broken: Vec<Vec<u8>> =
        [0, 1, 60, 200, whole.len() - 1].map(|length| whole[..length].to_vec()).to_vec();
    for at in (0..whole.len()).step_by(whole.len() / 40) {
        let mut flipped = whole.clone();
        flipped[at] ^= 4;
        broken.push(flipped);
    }
    broken.push(fs::read(file(folder.path(), 6)).unwrap());
    broken.push(vec![0; whole.len()]);
    for bytes in broken {
        fs::write(&path, &bytes).unwrap();
        let fresh = tempfile::tempdir().unwrap();
        let copy = Ledger::create(fresh.path(), &question(&solve), &plan).unwrap();
        fs::create_dir_all(fresh.path().join("shards/0000")).unwrap();
        fs::copy(&path, file(fresh.path(), 5)).unwrap();
        let merged = copy.merge_shards(&solve, &plan).unwrap();
        let named: Vec<usize> = merged.damaged.iter().map(|damage| damage.unit).collect();
        assert_eq!((merged.new, named), (0, vec![5]), "{}", String::from_utf8_lossy(&bytes));
        assert!(merged.damaged[0].reason.contains("5.json"));
    }
    let worked = work(folder.path(), &solve, &plan, 1, 1).unwrap();
    assert_eq!((worked.finished, worked.there), (1, plan.units.len() - 1));
    assert_eq!(ledger.merge_shards(&solve, &plan).unwrap().new, plan.units.len());
    assert!(ledger.certificate(&solve, &plan).unwrap().is_complete());
}

/// A result that is whole and wrong: a case is missing.
fn wrong(directory: &Path, unit: usize) -> Vec<u8> {
    use sha2::{Digest, Sha256};
    let text = fs::read_to_string(file(directory, unit)).unwrap();
    let (header, document) = text.trim_end().split_once('\n').unwrap();
    let mut header: serde_json::Value = serde_json::from_str(header).unwrap();
    let mut result: tmd_driver::solve::UnitResult = serde_json::from_str(document).unwrap();
    result.cases.clear();
    result.record.cases = 0;
    let document = serde_json::to_string(&result).unwrap();
    header["sha256"] = format!("{:x}", Sha256::digest(&document)).into();
    format!("{header}\n{document}\n").into_bytes()
}

#[test]
fn a_disagreement_names_the_unit_and_keeps_the_rest() {
    let asked = Asked::new("exp", 10);
    let solve = asked.solve();
    let plan = solve.plan_in_units_of(5.0 * UNIT_S).unwrap();
    let with_case = results(&solve, &plan).iter().position(|result| !result.cases.is_empty()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let ledger = Ledger::create(folder.path(), &question(&solve), &plan).unwrap();
    ledger.shard(1).unwrap();
    work(folder.path(), &solve, &plan, 1, 1).unwrap();
    let path = file(folder.path(), with_case);
    let (right, wrong) = (fs::read(&path).unwrap(), wrong(folder.path(), with_case));
    let beside = path.with_file_name(format!("{with_case}.other-0123.json"));
    fs::write(&beside, &wrong).unwrap();
    match ledger.merge_shards(&solve, &plan) {
        Err(LedgerError::Disagreement { unit, first, difference }) => {
            assert_eq!((unit, first), (with_case, plan.units[with_case].range.argument(0).to_string()));
            assert!(difference.contains("the case at "), "{difference}");
        }
        other => panic!("{other:?}"),
    }
    let kept = ledger.results(&plan).unwrap();
    assert_eq!((kept.whole.len(), kept.damaged.len()), (plan.units.len() - 1, 1), "all that agree are kept");
    assert!(!ledger.certificate(&solve, &plan).unwrap().is_complete());
    // the other one is what a merge finds first: the run disagrees with the file
    fs::write(&path, &wrong).unwrap();
    fs::write(&beside, &right).unwrap();
    assert!(matches!(ledger.merge_shards(&solve, &plan), Err(LedgerError::Disagreement { .. })));
    // searched again, the unit counts; the file that is wrong is told of by each merge
    let expected = finish(folder.path(), &solve, &plan);
    assert!(expected.is_complete() && !expected.cases.is_empty());
    assert!(matches!(ledger.merge_shards(&solve, &plan), Err(LedgerError::Disagreement { .. })));
    fs::remove_file(&path).unwrap();
    assert!(finish(folder.path(), &solve, &plan).to_json() == expected.to_json());
    assert_eq!(ledger.merge_shards(&solve, &plan).unwrap().again, plan.units.len());
    assert!(ledger.certificate(&solve, &plan).unwrap().to_json() == expected.to_json());
}

#[test]
fn runs_of_other_engines_and_units_are_compared() {
    let asked = Asked::new("exp", 10);
    let solve = asked.solve();
    let plan = solve.plan_in_units_of(UNIT_S).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name);
    let ledger = Ledger::create(&place("a"), &question(&solve), &plan).unwrap();
    // half of it by another machine with the same engine
    let half = Ledger::create(&place("b"), &question(&solve), &plan).unwrap();
    for (number, result) in results(&solve, &plan).iter().enumerate() {
        if number % 2 == 0 {
            half.finish(&solve, &plan, number, result, "b").unwrap();
        }
    }
    let merged = ledger.merge(&solve, &plan, &half).unwrap();
    assert_eq!((merged.new, merged.again), (plan.units.len().div_ceil(2), 0));
    let merged = ledger.merge(&solve, &plan, &half).unwrap();
    assert_eq!((merged.new, merged.again), (0, plan.units.len().div_ceil(2)));
    finish(&place("a"), &solve, &plan);

    // all of it in other units by another engine
    let regular = Simd::new(SimdEngine::Regular, Level::best());
    let again = Solve { workforce: Workforce::cpu(&regular, 2), ..asked.solve() };
    let other_plan = again.plan_in_units_of(7.0 * UNIT_S).unwrap();
    let asked_again = Question::new(&again, 7.0 * UNIT_S, Vec::new());
    Ledger::create(&place("c"), &asked_again, &other_plan).unwrap();
    finish(&place("c"), &again, &other_plan);
    let other = Ledger::open(&place("c"), Access::Read).unwrap();
    let merged = ledger.merge(&solve, &plan, &other).unwrap();
    assert_eq!((merged.new, merged.compared), (0, Some(plan.searched())), "every argument is compared");
    // and with a case less
    let mut results = results(&again, &other_plan);
    let number = results.iter().position(|result| !result.cases.is_empty()).unwrap();
    let lost = results[number].cases.pop().unwrap();
    results[number].record.cases -= 1;
    let less = Ledger::create(&place("d"), &asked_again, &other_plan).unwrap();
    less.finish(&again, &other_plan, number, &results[number], "d").unwrap();
    match ledger.merge(&solve, &plan, &less) {
        Err(LedgerError::Disagreement { difference, .. }) => {
            assert!(difference.contains(&lost.x), "{difference}");
        }
        other => panic!("{other:?}"),
    }
    // another question has other cases
    let asked = Asked::new("exp", 11);
    let solve11 = asked.solve();
    let plan11 = solve11.plan_in_units_of(UNIT_S).unwrap();
    let other = Ledger::create(&place("e"), &question(&solve11), &plan11).unwrap();
    assert!(matches!(ledger.merge(&solve, &plan, &other), Err(LedgerError::OtherQuestion { .. })));
}

/// A result of another engine that lacks an exact case, or that has an argument undecided.
#[test]
fn exact_cases_and_undecided_arguments_are_compared() {
    let asked = Asked::new("exp2", 10);
    let solve = asked.solve();
    let (folder, plan, ledger) = begun(&solve);
    finish(folder.path(), &solve, &plan);
    let regular = Simd::new(SimdEngine::Regular, Level::best());
    let again = Solve { workforce: Workforce::cpu(&regular, 2), ..asked.solve() };
    let other_plan = again.plan_in_units_of(7.0 * UNIT_S).unwrap();
    let results = results(&again, &other_plan);
    let number = results.iter().position(|result| !result.exact_cases.is_empty()).unwrap();
    let right = &results[number];
    let mut lost = right.clone();
    let x = lost.exact_cases.pop().unwrap().x;
    lost.record.exact -= 1;
    let mut undecided = right.clone();
    undecided.undecided.push(Undecided { x: x.clone(), bits: 4096 });
    undecided.record.undecided += 1;
    for (wrong, what) in
        [(right, None), (&lost, Some("the exact case at ")), (&undecided, Some("the undecided argument at "))]
    {
        let place = tempfile::tempdir().unwrap();
        let other = Ledger::create(place.path(), &question(&again), &other_plan).unwrap();
        other.finish(&again, &other_plan, number, wrong, "d").unwrap();
        match (ledger.merge(&solve, &plan, &other), what) {
            (Ok(merged), None) => assert_eq!(merged.compared, Some(u128::from(right.record.arguments))),
            (Err(LedgerError::Disagreement { difference, .. }), Some(what)) => {
                assert!(difference.contains(what) && difference.contains(&x), "{difference}");
            }
            other => panic!("{other:?}"),
        }
    }
}

/// A run that searched the inverse function, and one that did not: regions that both finished are compared.
#[test]
fn runs_of_the_inverse_function_are_compared() {
    let mut asked = Asked::new("log", 17);
    asked.problem = Problem::new(Format::BINARY32, Format::BINARY32, Breakpoints::All, 17).unwrap();
    let solve = Solve { binades: Some(20..24), ..asked.solve() };
    let [direct, inverse] =
        [InverseUse::Never, InverseUse::WherePossible].map(|uses| solve.plan_with(uses).unwrap());
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name);
    let begin = |name: &str, plan: &SolvePlan| Ledger::create(&place(name), &question(&solve), plan).unwrap();
    let ledger = begin("direct", &direct);
    let other = begin("inverse", &inverse);
    let all = results(&solve, &inverse);
    assert!(all.iter().all(|result| result.record.via.is_some()));
    other.finish(&solve, &inverse, 0, &all[0], "b").unwrap();
    // the other run has not finished that region
    let merged = ledger.merge(&solve, &direct, &other).unwrap();
    assert_eq!((merged.compared, merged.uncompared), (Some(0), 1));
    finish(&place("direct"), &solve, &direct);
    for (number, result) in all.iter().enumerate() {
        other.finish(&solve, &inverse, number, result, "b").unwrap();
    }
    for (run, plan, twin) in [(&ledger, &direct, &other), (&other, &inverse, &ledger)] {
        let merged = run.merge(&solve, plan, twin).unwrap();
        assert_eq!((merged.compared, merged.uncompared), (Some(direct.searched()), 0));
    }
    // a case less in one of the units
    let less = begin("less", &inverse);
    for (number, mut result) in all.into_iter().enumerate() {
        if number == 1 {
            result.record.cases -= 1;
            result.cases.pop().unwrap();
        }
        less.finish(&solve, &inverse, number, &result, "c").unwrap();
    }
    for (run, plan, twin) in [(&ledger, &direct, &less), (&less, &inverse, &ledger)] {
        let refused = run.merge(&solve, plan, twin);
        assert!(matches!(refused, Err(LedgerError::Disagreement { .. })), "{refused:?}");
    }
}
