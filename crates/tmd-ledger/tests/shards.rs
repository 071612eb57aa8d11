//! Shards and merges: tasks that are killed, run twice, or disagree.

mod common;

use std::{
    fs,
    path::{Path, PathBuf},
};

use common::{Asked, StopAfter, UNIT_S, begun, begun_in, finish, leases, lose_cases, question, results};
use tmd_core::{Breakpoints, Format, Interrupt, Problem};
use tmd_driver::{InverseUse, Solve, SolvePlan, Workers, report::Undecided, solve::UnitResult};
use tmd_ledger::{Access, Ledger, LedgerError, Merged, Question, Shard, ShardWorked, Shards};
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
    let (folder, plan, ledger) = begun_in(5.0 * UNIT_S, &solve);
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

/// The file of a result, changed, with the checksum of what it is then.
fn resigned(text: &str, change: impl Fn(&mut UnitResult)) -> Vec<u8> {
    use sha2::{Digest, Sha256};
    let (header, document) = text.trim_end().split_once('\n').unwrap();
    let mut header: serde_json::Value = serde_json::from_str(header).unwrap();
    let mut result: UnitResult = serde_json::from_str(document).unwrap();
    change(&mut result);
    let document = serde_json::to_string(&result).unwrap();
    header["sha256"] = format!("{:x}", Sha256::digest(&document)).into();
    format!("{header}\n{document}\n").into_bytes()
}

/// A result that is whole and wrong: a case is missing.
fn wrong(directory: &Path, unit: usize) -> Vec<u8> {
    resigned(&fs::read_to_string(file(directory, unit)).unwrap(), lose_cases)
}

#[test]
fn a_disagreement_names_the_unit_and_keeps_the_rest() {
    let asked = Asked::new("exp", 10);
    let solve = asked.solve();
    let (folder, plan, ledger) = begun_in(5.0 * UNIT_S, &solve);
    let with_case = results(&solve, &plan).iter().position(|result| !result.cases.is_empty()).unwrap();
    ledger.shard(1).unwrap();
    work(folder.path(), &solve, &plan, 1, 1).unwrap();
    let path = file(folder.path(), with_case);
    let (right, wrong) = (fs::read(&path).unwrap(), wrong(folder.path(), with_case));
    let beside = path.with_file_name(format!("{with_case}.other-0123.json"));
    fs::write(&beside, &wrong).unwrap();
    let disputed = |merged: &Merged| merged.disputes.iter().map(|dispute| dispute.unit).collect::<Vec<_>>();
    let merged = ledger.merge_shards(&solve, &plan).unwrap();
    let [dispute] = &merged.disputes[..] else { panic!("{merged:?}") };
    assert_eq!(
        (dispute.unit, &dispute.first),
        (with_case, &plan.units[with_case].range.argument(0).to_string())
    );
    assert!(dispute.difference.contains("the case at ") && !dispute.is_settled, "{dispute:?}");
    assert_eq!(dispute.sources, [format!("shards/0000/{with_case}.other-0123.json")]);
    let kept = ledger.results(&plan).unwrap();
    assert_eq!((kept.whole.len(), kept.damaged.len()), (plan.units.len() - 1, 0), "all that agree are kept");
    assert!(!ledger.certificate(&solve, &plan).unwrap().is_complete());
    // merging again, whichever comes first, and opening with a check, decide nothing
    for contents in [[&right, &wrong], [&wrong, &right], [&wrong, &wrong], [&right, &right]] {
        for (path, content) in [&path, &beside].into_iter().zip(contents) {
            fs::write(path, content).unwrap();
        }
        let opened = Ledger::open(folder.path(), Access::Write).unwrap();
        assert!(opened.check(&solve, &plan, Access::Write).unwrap().is_empty());
        let merged = opened.merge_shards(&solve, &plan).unwrap();
        assert_eq!((disputed(&merged), merged.is_sound()), (vec![with_case; 2], false));
        let status = opened.status(true).unwrap();
        assert_eq!((status.is_complete, status.finished), (false, plan.units.len() - 1));
        let [dispute] = &status.disputed[..] else { panic!("{status:?}") };
        let sources = [".json", ".other-0123.json"].map(|end| format!("shards/0000/{with_case}{end}"));
        assert_eq!(dispute.sources, sources, "where they came from");
        assert!(!opened.is_complete(&plan).unwrap());
    }
    fs::write(&path, &wrong).unwrap();
    // searched again, the unit counts; the file that is wrong is told of by each merge, and changes
    // nothing
    let expected = finish(folder.path(), &solve, &plan);
    assert!(expected.is_complete() && !expected.cases.is_empty());
    for _ in 0..2 {
        let merged = ledger.merge_shards(&solve, &plan).unwrap();
        assert_eq!((disputed(&merged), merged.disputes[0].is_settled), (vec![with_case], true));
        assert!(!merged.is_sound() && ledger.status(true).unwrap().is_complete);
        assert!(ledger.certificate(&solve, &plan).unwrap().to_json() == expected.to_json());
    }
    fs::remove_file(&path).unwrap();
    assert!(finish(folder.path(), &solve, &plan).to_json() == expected.to_json());
    let merged = ledger.merge_shards(&solve, &plan).unwrap();
    assert_eq!((merged.again, merged.is_sound()), (plan.units.len(), true));
    assert!(ledger.certificate(&solve, &plan).unwrap().to_json() == expected.to_json());
}

/// One good file and two bad ones, in every order, by one merge and by three.
#[test]
fn a_majority_that_is_wrong_decides_nothing() {
    let asked = Asked::new("exp", 10);
    let solve = asked.solve();
    let (shards, plan, ledger) = begun_in(5.0 * UNIT_S, &solve);
    let with_case = results(&solve, &plan).iter().position(|result| !result.cases.is_empty()).unwrap();
    ledger.shard(1).unwrap();
    work(shards.path(), &solve, &plan, 1, 1).unwrap();
    let right = fs::read(file(shards.path(), with_case)).unwrap();
    let wrong = wrong(shards.path(), with_case);
    // the same finding by another search
    let text = String::from_utf8(wrong.clone()).unwrap();
    let also_wrong = resigned(&text, |result| result.elapsed_s += 1.0);
    let all = [&right, &wrong, &also_wrong];
    for order in [[0, 1, 2], [1, 0, 2], [1, 2, 0]] {
        for at_once in [true, false] {
            let folder = tempfile::tempdir().unwrap();
            let ledger = Ledger::create(folder.path(), &question(&solve), &plan).unwrap();
            let path = file(folder.path(), with_case);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            for (i, which) in order.into_iter().enumerate() {
                fs::write(path.with_file_name(format!("{with_case}.{i}.json")), all[which]).unwrap();
                if !at_once {
                    ledger.merge_shards(&solve, &plan).unwrap();
                }
            }
            assert!(!ledger.merge_shards(&solve, &plan).unwrap().is_sound());
            let kept = ledger.results(&plan).unwrap();
            assert!(kept.whole.is_empty(), "{order:?} {at_once}");
            // one that agreed with the one that was there before the dispute is no version of its
            // own
            assert!(ledger.disputes().unwrap()[0].sources.len() >= 2, "{order:?} {at_once}");
            let certificate = finish(folder.path(), &solve, &plan);
            assert!(certificate.to_json() == expected(&solve, &plan), "{order:?} {at_once}");
        }
    }
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
    let again = Solve { workers: Workers::cpu(&regular, 2), ..asked.solve() };
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
    let merged = ledger.merge(&solve, &plan, &less).unwrap();
    let [dispute] = &merged.disputes[..] else { panic!("{merged:?}") };
    assert!(dispute.difference.contains(&lost.x) && !dispute.is_settled, "{dispute:?}");
    assert!(dispute.sources[0].ends_with("/d"), "{dispute:?}");
    // the unit does not count until it was searched again, whoever looks and merges
    for _ in 0..2 {
        assert!(!ledger.is_complete(&plan).unwrap());
        assert_eq!(ledger.disputes().unwrap()[0].unit, dispute.unit);
        ledger.merge(&solve, &plan, &less).unwrap();
        ledger.check(&solve, &plan, Access::Write).unwrap();
    }
    assert!(finish(&place("a"), &solve, &plan).is_complete());
    let merged = ledger.merge(&solve, &plan, &less).unwrap();
    assert!(!merged.is_sound() && merged.disputes[0].is_settled, "{merged:?}");
    assert!(ledger.is_complete(&plan).unwrap());
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
    let again = Solve { workers: Workers::cpu(&regular, 2), ..asked.solve() };
    let other_plan = again.plan_in_units_of(7.0 * UNIT_S).unwrap();
    let results = results(&again, &other_plan);
    let number = results.iter().position(|result| !result.exact_cases.is_empty()).unwrap();
    let right = &results[number];
    let mut lost = right.clone();
    let x = lost.exact_cases.pop().unwrap().x;
    lost.record.exact -= 1;
    let mut undecided = right.clone();
    let range = right.range(&again).unwrap();
    let is_free = |x: &String| {
        !right.cases.iter().any(|case| case.x == *x) && !right.exact_cases.iter().any(|case| case.x == *x)
    };
    let free = (0..range.count()).map(|k| range.argument(k).to_string()).find(is_free).unwrap();
    undecided.undecided.push(Undecided { x: free.clone(), bits: 4096 });
    undecided.record.undecided += 1;
    for (wrong, what) in [
        (right, None),
        (&lost, Some(format!("the exact case at {x} "))),
        (&undecided, Some(format!("the undecided argument at {free} "))),
    ] {
        let place = tempfile::tempdir().unwrap();
        let other = Ledger::create(place.path(), &question(&again), &other_plan).unwrap();
        other.finish(&again, &other_plan, number, wrong, "d").unwrap();
        match (ledger.merge(&solve, &plan, &other), what) {
            (Ok(merged), None) => {
                assert_eq!(merged.compared, Some(u128::from(right.record.arguments)));
                assert!(merged.is_sound());
            }
            (Ok(merged), Some(what)) => {
                let [dispute] = &merged.disputes[..] else { panic!("{merged:?}") };
                let difference = &dispute.difference;
                assert!(difference.contains(&what), "{difference}");
                assert!(finish(folder.path(), &solve, &plan).is_complete());
            }
            other => panic!("{other:?}"),
        }
    }
}

/// A run that searched the inverse function, and one that did not: regions that both finished are
/// compared.
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
        let merged = run.merge(&solve, plan, twin).unwrap();
        assert!(!merged.disputes.is_empty() && !run.is_complete(plan).unwrap(), "{merged:?}");
        // where neither run has what the unit has, a second search decides
        if let Err(error) = run.work(&solve, plan, leases(), &(), &Interrupt::new()) {
            assert!(matches!(error, LedgerError::Disagreement { unit: 1, .. }), "{error}");
        }
        assert!(finish(run.directory(), &solve, plan).is_complete());
    }
}
