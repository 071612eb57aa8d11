//! Run directories: what is kept, what is damaged, who disagrees.

mod common;

use std::{
    fs,
    sync::atomic::{AtomicBool, Ordering::Relaxed},
    time::Duration,
};

use common::{
    Asked, StopAfter, UNIT_S, begun, begun_in, execute, finish, in_memory, leases, lose_cases, question,
    results, sqlite,
};
use sha2::{Digest, Sha256};
use tmd_core::{Backend, CoreError, Interrupt, Piece, PieceOutcome, PiecePlan};
use tmd_driver::{
    Certificate, DriverError, Solve, SolvePlan, Workers, certificate::Effort, solve::UnitResult,
};
use tmd_ledger::{Access, Finish, Leases, Ledger, LedgerError};
use tmd_simd::Simd;

#[test]
fn the_certificate_is_that_of_a_run_in_memory() {
    let asked = Asked::new("exp", 12);
    let solve = asked.solve();
    let (folder, plan, _) = begun(&solve);
    assert!(plan.units.len() > 50, "{}", plan.units.len());
    let expected = in_memory(&solve, &plan);
    let directory = folder.path().join("deep/run");
    Ledger::create(&directory, &question(&solve), &plan).unwrap();
    assert!(finish(&directory, &solve, &plan).to_json() == expected.to_json());
    assert!(expected.is_complete() && !expected.cases.is_empty());

    let status = Ledger::open(&directory, Access::Read).unwrap().status(true).unwrap();
    assert!(status.is_complete && status.damaged.is_empty() && status.workers.is_empty());
    assert_eq!((status.finished, status.arguments), (plan.units.len(), plan.searched()));
    assert_eq!(status.binades.iter().map(|binade| binade.units).sum::<usize>(), plan.units.len());
    assert!(status.to_text().contains("all units are finished; tmd export"), "{}", status.to_text());
}

#[test]
fn a_directory_has_one_question() {
    let asked = Asked::new("exp", 12);
    let solve = asked.solve();
    let plan = solve.plan_in_units_of(UNIT_S).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let directory = folder.path();
    let none = Ledger::open(directory, Access::Write).err().unwrap();
    assert_eq!(none, LedgerError::NotARun { path: directory.into() });
    Ledger::create(directory, &question(&solve), &plan).unwrap();
    let again = Ledger::create(directory, &question(&solve), &plan).err().unwrap();
    assert_eq!(again, LedgerError::Exists { path: directory.into() });

    let other = Asked::new("exp", 13);
    let (other, differences) = (other.solve(), vec!["extra_bits is 12 there and 13 here".to_owned()]);
    let refused = LedgerError::OtherQuestion { path: directory.into(), differences };
    assert_eq!(Ledger::create(directory, &question(&other), &plan).err().unwrap(), refused);
    let ledger = Ledger::open(directory, Access::Write).unwrap();
    assert_eq!(ledger.check(&other, &plan, Access::Write).err().unwrap(), refused);

    // the same question, and another plan
    let longer = solve.plan_in_units_of(10.0 * UNIT_S).unwrap();
    match ledger.check(&solve, &longer, Access::Write) {
        Err(LedgerError::OtherPlan { difference, .. }) => {
            assert!(difference.starts_with("region ") && difference.contains("\"units\":"), "{difference}");
        }
        other => panic!("{other:?}"),
    }
    fs::write(folder.path().join("ledger.sqlite"), "").unwrap();
    let other_place = folder.path().join("other");
    fs::create_dir(&other_place).unwrap();
    fs::write(other_place.join("letter"), "dear").unwrap();
    let occupied = Ledger::create(&other_place, &question(&solve), &plan).err().unwrap();
    assert_eq!(occupied, LedgerError::Occupied { path: other_place });
}

#[test]
fn another_version_is_said_so() {
    let asked = Asked::new("exp", 12);
    let solve = asked.solve();
    let (folder, plan, _) = begun(&solve);
    // a run that another version of the program began
    let old = question(&solve);
    let old = serde_json::to_string(&old).unwrap().replace(&old.program, "tmd 0.0.9");
    let mark = format!("{:x}", Sha256::digest(format!("{old}\n{}\n", plan.digest())));
    sqlite(folder.path()).execute("UPDATE run SET question = ?, sha256 = ?", [&old, &mark]).unwrap();
    let ledger = Ledger::open(folder.path(), Access::Write).unwrap();
    let error = ledger.check(&solve, &plan, Access::Write).err().unwrap().to_string();
    assert!(error.contains("program is tmd 0.0.9 there and tmd "), "{error}");
    drop(ledger);
    sqlite(folder.path()).pragma_update(None, "user_version", 99).unwrap();
    let error = Ledger::open(folder.path(), Access::Read).err().unwrap();
    assert!(matches!(error, LedgerError::OtherSchema { found: 99, .. }), "{error}");
    sqlite(folder.path()).pragma_update(None, "application_id", 1).unwrap();
    let error = Ledger::open(folder.path(), Access::Read).err().unwrap();
    assert!(matches!(&error, LedgerError::Damaged { reason, .. } if reason.contains("PRAGMA")), "{error}");
    execute(folder.path(), "ALTER TABLE result RENAME TO letter");
    let error = Ledger::open(folder.path(), Access::Read).err().unwrap();
    assert!(matches!(error, LedgerError::NotARun { .. }), "{error}");
}

/// What is asked is kept twice, with checksums: no damage makes another question of it.
#[test]
fn a_question_that_is_damaged() {
    let asked = Asked::new("exp", 12);
    let solve = asked.solve();
    let (folder, plan, ledger) = begun(&solve);
    let question = ledger.question().clone();
    drop(ledger);
    let rows = || -> Vec<(i64, String, String, String, f64)> {
        let database = sqlite(folder.path());
        let mut statement =
            database.prepare("SELECT copy, question, plan_sha256, sha256, begun_at FROM run").unwrap();
        let rows = statement
            .query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?)));
        rows.unwrap().map(Result::unwrap).collect()
    };
    let whole = rows();
    assert_eq!(whole.len(), 2);
    // 12 extra bits become 10: the plan in these units is the same, the cases are not
    let bit = "replace(question, '\"extra_bits\":12', '\"extra_bits\":10')";
    for change in [
        &format!("question = {bit}"),
        "question = x'ff00'",
        "question = substr(question, 2)",
        "plan_sha256 = replace(plan_sha256, substr(plan_sha256, 1, 1), 'x')",
        "sha256 = ''",
        "sha256 = NULL",
    ] {
        for copy in [1, 2] {
            let damage = format!("UPDATE OR IGNORE run SET {change} WHERE copy = {copy}");
            let database = sqlite(folder.path());
            if database.execute(&damage, []).unwrap() == 0 {
                // a column that must not be empty
                assert!(change.ends_with("NULL"));
                database.execute(&format!("DELETE FROM run WHERE copy = {copy}"), []).unwrap();
            }
            drop(database);
            let ledger = Ledger::open(folder.path(), Access::Read).unwrap();
            assert_eq!((ledger.question(), ledger.plan_sha256()), (&question, &*plan.digest()), "{change}");
            let ledger = Ledger::open(folder.path(), Access::Write).unwrap();
            assert!(ledger.check(&solve, &plan, Access::Write).unwrap().is_empty());
            drop(ledger);
            assert_eq!(rows(), whole, "{change}");
        }
    }
    // both: an error, and no other question
    execute(folder.path(), &format!("UPDATE run SET question = {bit}"));
    for access in [Access::Read, Access::Write] {
        let error = Ledger::open(folder.path(), access).err().unwrap();
        assert!(
            matches!(&error, LedgerError::Damaged { reason, .. } if reason.contains("checksum")),
            "{error}"
        );
    }
}

#[test]
fn finished_once() {
    let asked = Asked::new("exp", 10);
    let solve = asked.solve();
    let (folder, plan, ledger) = begun(&solve);
    let results = results(&solve, &plan);
    let with_case = results.iter().position(|result| !result.cases.is_empty()).unwrap();
    let result = &results[with_case];
    let hand_in = |result: &UnitResult, by: &str| ledger.finish(&solve, &plan, with_case, result, by);
    let changed = |change: &dyn Fn(&mut UnitResult)| {
        let mut changed = result.clone();
        change(&mut changed);
        changed
    };
    assert_eq!(hand_in(result, "a").unwrap(), Finish::First);
    // times differ
    let later = |more: f64| changed(&|result| result.elapsed_s += more);
    assert_eq!(hand_in(&later(1.0), "b").unwrap(), Finish::Again);
    // a case less, a count more
    let [less, more] = [changed(&lose_cases), changed(&|result| result.record.phases[0].domains_in += 1)];
    let kept = ledger.results(&plan).unwrap();
    assert_eq!(kept.whole, [(with_case, result.clone())]);
    assert!(kept.damaged.is_empty());
    for (wrong, what) in [(less, "the case at "), (more.clone(), "the counts are ")] {
        match hand_in(&wrong, "c") {
            Err(LedgerError::Disagreement { unit, first, difference }) => {
                assert_eq!((unit, &first), (with_case, &result.record.first));
                assert!(difference.contains(what), "{difference}");
            }
            other => panic!("{other:?}"),
        }
        // nobody knows which of the two is wrong: neither counts, until the unit was searched again
        let kept = ledger.results(&plan).unwrap();
        assert!(kept.whole.is_empty() && kept.damaged.is_empty(), "{kept:?}");
        let disputes = ledger.disputes().unwrap();
        let [dispute] = &disputes[..] else { panic!("{disputes:?}") };
        // those of the first dispute are witnesses of the second
        assert!(
            dispute.unit == with_case && dispute.sources.len() >= 2 && !dispute.is_settled,
            "{dispute:?}"
        );
        assert!(dispute.difference.contains(what), "{dispute:?}");
        assert_eq!(ledger.certificate(&solve, &plan).unwrap().units.len(), 0);
        for is_thorough in [false, true] {
            let status = ledger.status(is_thorough).unwrap();
            assert_eq!((status.finished, status.damaged.len(), status.failures.len()), (0, 0, 0));
            assert_eq!((&status.disputed, status.is_complete), (&disputes, false));
            assert!(status.to_text().contains("DISPUTED: unit "), "{}", status.to_text());
        }
        // the same search once more is no other one; another one with the same end is
        let same = hand_in(result, "a");
        assert!(matches!(same, Err(LedgerError::Disagreement { .. })), "{same:?}");
        assert_eq!(hand_in(&later(2.0 + what.len() as f64), "e").unwrap(), Finish::First);
        assert!(ledger.disputes().unwrap().is_empty());
    }
    // one that counts more than it lists, another unit's, and none's
    let error = hand_in(&changed(&|result| result.record.cases = u64::MAX), "d").unwrap_err();
    assert!(matches!(error, LedgerError::ForeignResult { unit, .. } if unit == with_case), "{error}");
    for number in [with_case + 1, plan.units.len()] {
        let error = ledger.finish(&solve, &plan, number, result, "d").unwrap_err();
        assert!(matches!(error, LedgerError::ForeignResult { unit, .. } if unit == number), "{error}");
    }
    let kept = ledger.results(&plan).unwrap();
    let [(number, found)] = &kept.whole[..] else { panic!("one result") };
    assert!(*number == with_case && found.record == result.record && found.finds_the_same_as(result));
    assert!(kept.damaged.is_empty() && !ledger.certificate(&solve, &plan).unwrap().is_complete());

    // who goes on searches a unit again that two disagree about
    let expected = finish(folder.path(), &solve, &plan);
    assert!(hand_in(&more, "f").is_err());
    assert!(!ledger.is_complete(&plan).unwrap() && !ledger.certificate(&solve, &plan).unwrap().is_complete());
    // looking and opening with a check set nothing aside
    for access in [Access::Read, Access::Write] {
        let again = Ledger::open(folder.path(), access).unwrap();
        assert!(again.check(&solve, &plan, access).unwrap().is_empty());
        assert!(!again.is_complete(&plan).unwrap() && again.disputes().unwrap().len() == 1);
    }
    assert!(finish(folder.path(), &solve, &plan).to_json() == expected.to_json());
    // all versions are there: of three, and of the search that decided each time
    let database = sqlite(folder.path());
    let query = "SELECT source, verdict FROM disputed WHERE document IS NOT NULL ORDER BY found_at";
    let mut statement = database.prepare(query).unwrap();
    let rows = statement.query_map([], |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?)));
    let mut versions: Vec<(String, String)> = rows.unwrap().map(Result::unwrap).collect();
    versions.sort();
    let differs: Vec<&str> =
        versions.iter().filter(|(_, verdict)| verdict == "differs").map(|(source, _)| &**source).collect();
    // the last one is the same as one of the first
    assert_eq!(differs, ["c", "c"], "{versions:?}");
    assert!(versions.iter().any(|(source, verdict)| source == "a" && verdict == "agrees"), "{versions:?}");
}

#[test]
fn damaged_results_are_named_and_searched_again() {
    let asked = Asked::new("exp", 12);
    let solve = asked.solve();
    let (folder, plan, _) = begun(&solve);
    let expected = finish(folder.path(), &solve, &plan).to_json();
    let count = plan.units.len() as i64;
    for (number, change) in [
        "UPDATE result SET document = replace(document, '\"pieces\":', '\"pieces\":1') WHERE unit = 3",
        "UPDATE result SET document = substr(document, 1, 40) WHERE unit = 3",
        "UPDATE result SET document = x'ff00fe' WHERE unit = 3",
        "UPDATE result SET document = NULL, sha256 = 7 WHERE unit = 3",
        "UPDATE result SET sha256 = '' WHERE unit = 3",
        // somebody else's result, in good order
        "UPDATE result SET document = (SELECT document FROM result WHERE unit = 4), sha256 = (SELECT sha256 FROM result WHERE unit = 4) WHERE unit = 3",
        // what readers ask for without reading documents
        "UPDATE result SET cases = cases + 1 WHERE unit = 3",
        "UPDATE result SET cases = x'' WHERE unit = 3",
        "UPDATE result SET elapsed_s = 2 * elapsed_s + 1 WHERE unit = 3",
        "UPDATE result SET elapsed_s = 'long' WHERE unit = 3",
    ]
    .into_iter()
    .enumerate()
    {
        let database = sqlite(folder.path());
        database.execute_batch("PRAGMA ignore_check_constraints = ON; PRAGMA writable_schema = ON").unwrap();
        if database.execute(change, []).is_err() {
            // a column that must not be empty
            assert_eq!(number, 3);
            continue;
        }
        drop(database);
        let ledger = Ledger::open(folder.path(), Access::Read).unwrap();
        let status = ledger.status(true).unwrap();
        assert_eq!((status.finished as i64, status.damaged.len()), (count - 1, 1), "{change}");
        let damaged = ledger.check(&solve, &plan, Access::Read).unwrap();
        let units: Vec<usize> = damaged.iter().map(|damage| damage.unit).collect();
        assert_eq!((units, &damaged[0].first), (vec![3], &plan.units[3].range.argument(0).to_string()), "{change}");
        let partial = ledger.certificate(&solve, &plan).unwrap();
        assert!(!partial.is_complete() && partial.units.len() as i64 == count - 1);
        drop(ledger);
        assert!(finish(folder.path(), &solve, &plan).to_json() == expected, "{change}");
        let found: i64 = sqlite(folder.path())
            .query_row("SELECT count(*) FROM damage WHERE unit = 3", [], |row| row.get(0))
            .unwrap();
        assert_eq!(found as usize, number + 1 - usize::from(number > 3), "{change}");
    }
}

#[test]
fn states_and_rows_of_the_plan_are_repaired() {
    let asked = Asked::new("exp", 12);
    let solve = asked.solve();
    let (folder, plan, _) = begun(&solve);
    let expected = finish(folder.path(), &solve, &plan).to_json();
    for change in [
        "UPDATE region SET document = replace(document, ':', ';') WHERE number = 1",
        "UPDATE region SET document = x'ff' WHERE number = 0",
        "PRAGMA foreign_keys = OFF; DELETE FROM region WHERE number = 1; UPDATE unit SET first = '' WHERE number = 5",
        "PRAGMA foreign_keys = OFF; UPDATE region SET number = 77 WHERE number = 1",
        "PRAGMA foreign_keys = OFF; UPDATE unit SET number = 999999 WHERE number = 4; UPDATE result SET unit = 999999 WHERE unit = 4",
        "UPDATE unit SET planned_s = x'00' WHERE number = 5",
        "UPDATE unit SET planned_s = 1e9, arguments = x'' WHERE number = 5",
        "UPDATE unit SET first = '0x1p+0', arguments = 'many' WHERE number = 5",
        "UPDATE unit SET state = 'open' WHERE number < 9",
        "UPDATE unit SET state = 'leased' WHERE number < 9",
        "DELETE FROM result WHERE unit > 20",
        "DELETE FROM result WHERE unit = 7; DELETE FROM unit WHERE number = 7",
        "INSERT INTO unit (number, region, first, spacing, arguments, planned_s) VALUES (999999, 0, '0x1p+0', 0, '1', 1)",
    ] {
        execute(folder.path(), change);
        Ledger::open(folder.path(), Access::Read).unwrap().status(true).unwrap();
        assert!(finish(folder.path(), &solve, &plan).to_json() == expected, "{change}");
        let status = Ledger::open(folder.path(), Access::Read).unwrap().status(true).unwrap();
        assert!(status.is_complete && status.units == plan.units.len(), "{change}");
    }
}

#[test]
fn interrupted_and_resumed() {
    let asked = Asked::new("sin", 12);
    let solve = asked.solve();
    let (_folder, plan, ledger) = begun(&solve);
    let mut finished = 0;
    for part in 1..=4 {
        let interrupt = Interrupt::new();
        let observer = StopAfter(plan.searched() * part / 5, &interrupt);
        let worked = ledger.work(&solve, &plan, leases(), &observer, &interrupt).unwrap();
        finished += worked.finished;
        let status = ledger.status(true).unwrap();
        assert_eq!((status.finished, status.leased, worked.again), (finished, 0, 0), "units are given back");
        assert!(!worked.is_complete && status.finished < plan.units.len());
    }
    let worked = ledger.work(&solve, &plan, leases(), &(), &Interrupt::new()).unwrap();
    assert!(worked.is_complete && finished + worked.finished == plan.units.len());
    assert!(ledger.certificate(&solve, &plan).unwrap().to_json() == in_memory(&solve, &plan).to_json());
}

#[test]
fn units_of_the_dead_go_back() {
    let asked = Asked::new("exp", 12);
    let solve = asked.solve();
    let (folder, plan, _) = begun(&solve);
    // one that was seen in the far future, by its clock, and one of whom nothing is known
    execute(
        folder.path(),
        "PRAGMA foreign_keys = OFF;
         INSERT INTO worker (name, threads, beats, lease_s, joined_at, seen_at) VALUES ('dead:1', 4, 9, 0.1, 1e10, 1e10);
         UPDATE unit SET state = 'leased', worker = (SELECT number FROM worker) WHERE number % 3 = 0;
         UPDATE unit SET state = 'leased', worker = 77 WHERE number % 3 = 1;",
    );
    let certificate = finish(folder.path(), &solve, &plan);
    assert!(certificate.is_complete() && certificate.units.len() == plan.units.len());
}

/// A worker that promised to beat once in an hour is waited for, whatever the others promise; and
/// is at work by its own word.
#[test]
fn leases_are_those_of_their_holders() {
    let asked = Asked::new("exp", 12);
    let solve = asked.solve();
    let (folder, plan, ledger) = begun(&solve);
    let ago =
        std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs_f64() - 600.0;
    let insert = "INSERT INTO worker (number, name, threads, beats, lease_s, joined_at, seen_at) VALUES (?1, ?2, 4, 9, ?3, ?4, ?4)";
    for (number, lease_s) in [(7, 3600.0), (8, 0.1)] {
        sqlite(folder.path()).execute(insert, (number, format!("far:{number}"), lease_s, ago)).unwrap();
    }
    execute(
        folder.path(),
        "UPDATE unit SET state = 'leased', worker = 7 WHERE number % 3 = 0;
         UPDATE unit SET state = 'leased', worker = 8 WHERE number % 3 = 1;",
    );
    assert_eq!(ledger.status(true).unwrap().threads, 4, "one of them is silent for longer than its lease");
    let interrupt = Interrupt::new();
    let patient = std::thread::scope(|scope| {
        let worked = scope.spawn(|| ledger.work(&solve, &plan, leases(), &(), &interrupt).unwrap());
        let expected = plan.units.len() - plan.units.len().div_ceil(3);
        let other = Ledger::open(folder.path(), Access::Read).unwrap();
        let begun = std::time::Instant::now();
        while other.status(false).unwrap().finished < expected {
            assert!(begun.elapsed() < Duration::from_secs(600), "waited for what the silent one held");
            std::thread::sleep(Duration::from_millis(5));
        }
        // some more leases of the one who works
        std::thread::sleep(5 * leases().expiry);
        interrupt.request();
        worked.join().unwrap()
    });
    let status = ledger.status(true).unwrap();
    assert_eq!((patient.is_complete, status.leased), (false, plan.units.len().div_ceil(3)), "{patient:?}");
    execute(folder.path(), "UPDATE worker SET lease_s = 0.1");
    assert!(finish(folder.path(), &solve, &plan).is_complete());
}

/// Of a worker on this machine the system says whether it lives: its units go back at once, and not
/// before.
#[test]
fn the_dead_of_this_machine_are_known() {
    let asked = Asked::new("exp", 12);
    let solve = asked.solve();
    let (folder, plan, ledger) = begun_in(5.0 * UNIT_S, &solve);
    let stopped = Interrupt::new();
    stopped.request();
    ledger.work(&solve, &plan, leases(), &(), &stopped).unwrap();
    // another worker of this machine, with its lock
    execute(
        folder.path(),
        "INSERT INTO worker (number, name, threads, lease_s, joined_at, seen_at) SELECT 9, name || '0', 4, 3600, 0, 0 FROM worker;
         UPDATE unit SET state = 'leased', worker = 9 WHERE number % 2 = 0;",
    );
    let lock = fs::File::create(folder.path().join("workers/9.lock")).unwrap();
    lock.lock().unwrap();
    let patient = Leases { beat: Duration::from_millis(10), expiry: Duration::from_secs(3600) };
    let interrupt = Interrupt::new();
    let observer = StopAfter(plan.searched() / 4, &interrupt);
    let worked = ledger.work(&solve, &plan, patient, &observer, &interrupt).unwrap();
    let leased = ledger.status(true).unwrap().leased;
    assert_eq!((worked.is_complete, leased), (false, plan.units.len().div_ceil(2)), "{worked:?}");
    drop(lock);
    let worked = ledger.work(&solve, &plan, patient, &(), &Interrupt::new()).unwrap();
    assert!(worked.is_complete && !folder.path().join("workers/9.lock").exists());
}

/// A worker whose units were given to others while it was suspended finishes them all the same.
#[test]
fn two_at_once_and_a_slow_one() {
    let asked = Asked::new("cos", 10);
    let solve = asked.solve();
    let (folder, plan, first) = begun(&solve);
    let second = Ledger::open(folder.path(), Access::Write).unwrap();
    let work = |ledger: &Ledger| ledger.work(&solve, &plan, leases(), &(), &Interrupt::new()).unwrap();
    let (a, b) = std::thread::scope(|scope| {
        let other = scope.spawn(|| work(&second));
        (work(&first), other.join().unwrap())
    });
    assert!(a.is_complete && b.is_complete);
    assert_eq!(a.finished + b.finished, plan.units.len(), "each unit is finished first by one of them");
    for (number, result) in results(&solve, &plan).iter().enumerate() {
        assert_eq!(first.finish(&solve, &plan, number, result, "slow").unwrap(), Finish::Again);
    }
}

/// Goes on with a run whose file was damaged: to the same end, or to an error that says that it is
/// damaged. Whether it came to the end.
fn comes_to_the_same_end(bytes: &[u8], solve: &Solve, plan: &SolvePlan, expected: &str, what: &str) -> bool {
    let broken = tempfile::tempdir().unwrap();
    fs::write(broken.path().join("ledger.sqlite"), bytes).unwrap();
    let go_on = || -> Result<Certificate, LedgerError> {
        let ledger = Ledger::open(broken.path(), Access::Write)?;
        assert_eq!(ledger.question(), &question(solve), "{what}");
        ledger.check(solve, plan, Access::Write)?;
        ledger.status(true)?;
        ledger.work(solve, plan, leases(), &(), &Interrupt::new())?;
        ledger.certificate(solve, plan)
    };
    match go_on() {
        Ok(certificate) => {
            assert!(certificate.to_json() == expected, "{what}");
            true
        }
        Err(
            LedgerError::Damaged { .. }
            | LedgerError::NotARun { .. }
            | LedgerError::OtherSchema { .. }
            | LedgerError::Database { .. },
        ) => false,
        Err(other) => panic!("{what}: {other}"),
    }
}

/// A finished run of some units: its plan, its file, and its certificate.
fn finished(solve: &Solve) -> (SolvePlan, Vec<u8>, String) {
    let (folder, plan, _) = begun_in(5.0 * UNIT_S, solve);
    let expected = finish(folder.path(), solve, &plan).to_json();
    let whole = fs::read(folder.path().join("ledger.sqlite")).unwrap();
    (plan, whole, expected)
}

/// Results are broken in every way: none is taken for whole, and nothing panics.
#[test]
fn a_file_that_is_broken_anywhere() {
    use rand::{Rng, SeedableRng, rngs::StdRng};
    let asked = Asked::new("exp", 12);
    let solve = asked.solve();
    let (plan, whole, expected) = finished(&solve);
    let mut random = StdRng::seed_from_u64(7);
    let (mut told, mut mended) = (0, 0);
    for round in 0..100 {
        let mut bytes = whole.clone();
        if round % 5 == 0 {
            bytes.truncate(random.random_range(0..whole.len()));
        } else {
            for _ in 0..random.random_range(1..20) {
                let at = random.random_range(0..bytes.len());
                bytes[at] ^= 1 << random.random_range(0..8);
            }
        }
        let ended = comes_to_the_same_end(&bytes, &solve, &plan, &expected, &format!("round {round}"));
        *if ended { &mut mended } else { &mut told } += 1;
    }
    assert!(told > 10 && mended > 10, "{told} {mended}");
}

/// Each bit of the database's header.
#[test]
fn a_header_that_is_broken_anywhere() {
    let asked = Asked::new("exp", 12);
    let solve = asked.solve();
    let (plan, whole, expected) = finished(&solve);
    let mut told = 0;
    for bit in 0..800 {
        let mut bytes = whole.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        told += usize::from(!comes_to_the_same_end(&bytes, &solve, &plan, &expected, &format!("bit {bit}")));
    }
    assert!(told > 100, "{told}");
}

/// A log that a power failure tore, or that was changed: transactions are lost from there on, and
/// no others.
#[test]
fn a_log_that_is_torn_anywhere() {
    use rand::{Rng, SeedableRng, rngs::StdRng};
    let asked = Asked::new("exp", 12);
    let solve = asked.solve();
    let (folder, plan, ledger) = begun(&solve);
    for (number, result) in results(&solve, &plan).iter().enumerate() {
        ledger.finish(&solve, &plan, number, result, "a").unwrap();
    }
    let read = |name: &str| fs::read(folder.path().join(name)).unwrap();
    let (database, log) = (read("ledger.sqlite"), read("ledger.sqlite-wal"));
    let expected = ledger.certificate(&solve, &plan).unwrap().to_json();
    assert!(log.len() > 100_000, "the ledger is open: its log is not yet in the database");
    let mut random = StdRng::seed_from_u64(8);
    let mut kept = Vec::new();
    for round in 0..24 {
        let mut torn = log.clone();
        let at = random.random_range(0..log.len());
        match round % 3 {
            0 => torn.truncate(at),
            1 => torn[at] ^= 1 << random.random_range(0..8),
            // a page that was never written
            _ => torn[at..(at + 4096).min(log.len())].fill(0),
        }
        let copy = folder.path().join(format!("torn{round}"));
        fs::create_dir(&copy).unwrap();
        fs::write(copy.join("ledger.sqlite"), &database).unwrap();
        fs::write(copy.join("ledger.sqlite-wal"), &torn).unwrap();
        let Ok(ledger) = Ledger::open(&copy, Access::Write) else {
            // the run itself was in what was lost
            continue;
        };
        assert!(ledger.check(&solve, &plan, Access::Write).unwrap().is_empty(), "round {round}");
        let numbers: Vec<usize> =
            ledger.results(&plan).unwrap().whole.iter().map(|(number, _)| *number).collect();
        assert!(numbers.iter().copied().eq(0..numbers.len()), "the first ones, without a hole");
        kept.push(numbers.len());
        drop(ledger);
        assert!(finish(&copy, &solve, &plan).to_json() == expected, "round {round}");
    }
    kept.sort_unstable();
    kept.dedup();
    assert!(kept.len() > 5, "{kept:?}");
}

/// Space that ends: an error that says so, and what was finished is kept.
#[test]
fn no_space_left() {
    let asked = Asked::new("exp", 12);
    let solve = asked.solve();
    let (folder, plan, _) = begun(&solve);
    let ledger = Ledger::open(folder.path(), Access::Write).unwrap();
    ledger.limit_pages(60).unwrap();
    let error = ledger.work(&solve, &plan, leases(), &(), &Interrupt::new()).unwrap_err();
    assert!(matches!(error, LedgerError::Full { .. }), "{error}");
    assert!(error.to_string().contains("make space"), "{error}");
    let kept = ledger.results(&plan).unwrap();
    assert!(!kept.whole.is_empty() && kept.damaged.is_empty() && kept.whole.len() < plan.units.len());
    drop(ledger);
    assert!(finish(folder.path(), &solve, &plan).is_complete());
}

/// The walk, which refuses some pieces for a while.
struct Refusing(Simd, AtomicBool);

impl Backend for Refusing {
    fn name(&self) -> String {
        self.0.name()
    }

    fn plan(&self, piece: &Piece) -> Result<PiecePlan, CoreError> {
        self.0.plan(piece)
    }

    fn search(&self, piece: &Piece, interrupt: &Interrupt) -> Result<PieceOutcome, CoreError> {
        if self.1.load(Relaxed) && piece.arguments().is_multiple_of(3) {
            return Err(CoreError::DomainSize { size: 0 });
        }
        self.0.search(piece, interrupt)
    }
}

/// Units that cannot be searched are named, the others are searched; later they may be searched,
/// too.
#[test]
fn units_that_fail() {
    let asked = Asked::new("exp", 10);
    let refusing = Refusing(asked.walk, AtomicBool::new(true));
    let solve = Solve { workers: Workers::cpu(&refusing, 2), ..asked.solve() };
    let (_folder, plan, ledger) = begun(&solve);
    let worked = ledger.work(&solve, &plan, leases(), &(), &Interrupt::new()).unwrap();
    assert!(worked.failed > 0 && worked.finished > 0 && !worked.is_complete, "{worked:?}");
    let certificate = ledger.certificate(&solve, &plan).unwrap();
    assert_eq!(certificate, in_memory(&solve, &plan));
    assert_eq!(certificate.failures.len(), worked.failed);
    let status = ledger.status(true).unwrap();
    assert_eq!((status.failures.len(), status.leased), (worked.failed, 0));
    assert!(status.to_text().contains("FAILED: unit "), "{}", status.to_text());

    refusing.1.store(false, Relaxed);
    let worked = ledger.work(&solve, &plan, leases(), &(), &Interrupt::new()).unwrap();
    assert!(worked.is_complete && worked.failed == 0, "{worked:?}");
    let certificate = ledger.certificate(&solve, &plan).unwrap();
    assert!(certificate.is_complete() && certificate.failures.is_empty());
    // a result in another one's place, or twice
    let results = ledger.results(&plan).unwrap().whole;
    let (zero, one) = (results[0].1.clone(), results[1].1.clone());
    for wrong in [vec![(0, one.clone())], vec![(1, one.clone()), (0, zero), (1, one)]] {
        let refused = solve.certificate(&plan, wrong, Vec::new(), Effort::default());
        assert!(matches!(refused, Err(DriverError::ForeignUnit { .. })));
    }
}

/// One process leases for others, and takes their results in.
#[test]
fn units_for_workers_elsewhere() {
    let asked = Asked::new("exp", 12);
    let solve = asked.solve();
    let (_folder, plan, ledger) = begun(&solve);
    let results = results(&solve, &plan);
    let some = |units: &[usize]| -> Vec<(usize, UnitResult)> {
        units.iter().map(|&unit| (unit, results[unit].clone())).collect()
    };
    let worked = ledger.serve::<LedgerError>(&solve, &plan, 7, leases(), &Interrupt::new(), |server| {
        assert_eq!(server.take(5)?, [0, 1, 2, 3, 4]);
        let status = ledger.status(false)?;
        assert_eq!((status.leased, status.threads, status.workers[0].leased), (5, 7, 5));
        server.give_back(0, Some("no device"))?;
        server.fail(1, "no series")?;
        server.finish(&some(&[2, 3]))?;
        server.finish(&some(&[3]))?;
        let arguments = |unit: usize| u128::from(plan.units[unit].range.count());
        assert_eq!(server.progress().searched, arguments(2) + arguments(3));
        assert_eq!(server.take(2)?, [0, 5], "what was given back comes again, what failed does not");
        assert!(!server.is_over()? && !server.is_interrupted());
        Ok(())
    });
    let worked = worked.unwrap();
    assert_eq!((worked.finished, worked.again, worked.failed, worked.is_complete), (2, 1, 1, false));
    let status = ledger.status(true).unwrap();
    assert_eq!((status.finished, status.leased), (2, 0), "the rest is given back");

    // one that disagrees does not keep the others out
    let with_cases = results.iter().position(|result| !result.cases.is_empty()).unwrap();
    let worked = ledger.serve::<LedgerError>(&solve, &plan, 7, leases(), &Interrupt::new(), |server| {
        let units = server.take(plan.units.len())?;
        assert_eq!(units.len(), plan.units.len() - 2);
        server.finish(&some(&[with_cases]))?;
        let mut batch = some(&units);
        let at = units.iter().position(|&unit| unit == with_cases).unwrap();
        lose_cases(&mut batch[at].1);
        server.finish(&batch)
    });
    assert!(matches!(worked, Err(LedgerError::Disagreement { unit, .. }) if unit == with_cases));
    assert!(!ledger.is_complete(&plan).unwrap());
    let kept = ledger.results(&plan).unwrap();
    assert_eq!((kept.whole.len(), kept.damaged.len()), (plan.units.len() - 1, 0));
    assert_eq!(ledger.disputes().unwrap().len(), 1);
    ledger.check(&solve, &plan, Access::Write).unwrap();
    let worked = ledger.serve::<LedgerError>(&solve, &plan, 7, leases(), &Interrupt::new(), |server| {
        assert_eq!(server.take(9)?, [with_cases], "searched again");
        let mut again = some(&[with_cases]);
        again[0].1.elapsed_s += 1.0;
        server.finish(&again)
    });
    assert!(worked.unwrap().is_complete);
    let interrupt = Interrupt::new();
    interrupt.request();
    let worked = ledger.serve::<LedgerError>(&solve, &plan, 7, leases(), &interrupt, |server| {
        assert!(server.is_over()? && server.is_interrupted() && server.take(9)?.is_empty());
        Ok(())
    });
    assert!(worked.unwrap().is_complete);
}
