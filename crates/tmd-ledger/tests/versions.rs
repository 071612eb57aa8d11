//! Run directories that are odd, and results that no search can produce.

mod common;

use std::{fs, path::Path};

use common::{Asked, UNIT_S, begun, begun_in, execute, finish, question, results, sqlite};
use sha2::{Digest, Sha256};
use tmd_core::Interrupt;
use tmd_driver::solve::UnitResult;
use tmd_ledger::{Access, Ledger, LedgerError, Shard, Shards};

/// A result written over another one, with its checksum and the columns beside it.
fn forge(directory: &Path, unit: usize, result: &UnitResult) {
    let document = serde_json::to_string(result).unwrap();
    let sha256 = format!("{:x}", Sha256::digest(&document));
    let update = "UPDATE result SET document = ?, sha256 = ?, cases = ?, elapsed_s = ? WHERE unit = ?";
    let values = (document, sha256, result.cases.len() as i64, result.elapsed_s, unit as i64);
    assert_eq!(sqlite(directory).execute(update, values).unwrap(), 1);
}

/// Results that are well signed, and that no search of the unit can have.
#[test]
fn impossible_results_are_set_aside_and_searched_again() {
    let asked = Asked::new("exp2", 10);
    let solve = asked.solve();
    let (folder, plan, ledger) = begun(&solve);
    let all = results(&solve, &plan);
    let expected = finish(folder.path(), &solve, &plan).to_json();
    let number = all.iter().position(|result| result.cases.len() > 1).unwrap();
    let right = &all[number];
    let elsewhere = all.iter().rev().find_map(|result| result.cases.first()).unwrap().x.clone();
    let change = |change: &dyn Fn(&mut UnitResult)| {
        let mut wrong = right.clone();
        change(&mut wrong);
        wrong.record.cases = wrong.cases.len() as u64;
        wrong
    };
    let undecided = |x: &str| {
        change(&|result| {
            result.undecided.push(tmd_driver::report::Undecided { x: x.into(), bits: 99 });
            result.record.undecided += 1;
        })
    };
    let not_searched = "no argument that was searched";
    let wrong = [
        ("twice", change(&|result| result.cases.insert(1, result.cases[0].clone()))),
        ("after", change(&|result| result.cases.swap(0, 1))),
        (not_searched, change(&|result| result.cases[1].x.clone_from(&elsewhere))),
        (not_searched, change(&|result| result.cases[0].x = "0x1.000000001p+0".into())),
        ("no number", change(&|result| result.cases[0].x = "tomorrow".into())),
        ("no number", change(&|result| result.cases[0].x = "nan".into())),
        ("in two of its lists", undecided(&right.cases[0].x)),
        (not_searched, undecided(&elsewhere)),
    ];
    ledger.shard(1).unwrap();
    let shards = Shards::open(folder.path()).unwrap();
    let shard = Shard { index: 1, count: 1 };
    shards.work(&solve, &plan, shard, &(), &Interrupt::new()).unwrap();
    let file = folder.path().join(format!("shards/0000/{number}.json"));
    let signed = fs::read_to_string(&file).unwrap();
    for (what, wrong) in &wrong {
        forge(folder.path(), number, wrong);
        let looker = Ledger::open(folder.path(), Access::Read).unwrap();
        let damaged = looker.check(&solve, &plan, Access::Read).unwrap();
        let [damage] = &damaged[..] else { panic!("{what}: {damaged:?}") };
        assert!(damage.unit == number && damage.reason.contains(what), "{what}: {damage:?}");
        let partial = looker.certificate(&solve, &plan).unwrap();
        let status = looker.status(true).unwrap();
        assert_eq!((status.finished, status.damaged.len()), (partial.units.len(), 1), "{what}");
        assert_eq!(partial.units.len(), plan.units.len() - 1);
        drop(looker);
        // in a file of a shard it is damage, too; and no worker can hand it in
        let mut header: serde_json::Value = serde_json::from_str(signed.lines().next().unwrap()).unwrap();
        let document = serde_json::to_string(wrong).unwrap();
        header["sha256"] = format!("{:x}", Sha256::digest(&document)).into();
        fs::write(&file, format!("{header}\n{document}\n")).unwrap();
        let merged = ledger.merge_shards(&solve, &plan).unwrap();
        assert_eq!((merged.damaged.len(), merged.is_sound()), (1, false), "{what}");
        fs::write(&file, &signed).unwrap();
        let refused = ledger.finish(&solve, &plan, number, wrong, "a");
        assert!(matches!(refused, Err(LedgerError::ForeignResult { .. })), "{what}");
        // whoever goes on searches again
        assert!(finish(folder.path(), &solve, &plan).to_json() == expected, "{what}");
    }
}

/// Rows that are lost with their results: whoever counts comes to the same number.
#[test]
fn rows_that_are_lost_are_missing_to_all() {
    let asked = Asked::new("exp", 12);
    let solve = asked.solve();
    let (folder, plan, _) = begun(&solve);
    let expected = finish(folder.path(), &solve, &plan).to_json();
    for (loss, missing) in [
        ("DELETE FROM result WHERE unit >= 30; DELETE FROM unit WHERE number >= 30", plan.units.len() - 30),
        ("DELETE FROM result WHERE unit < 2; DELETE FROM unit WHERE number < 2", 2),
        ("DELETE FROM result; DELETE FROM unit", plan.units.len()),
        // the results are there, and count
        ("DELETE FROM unit WHERE number = 7", 0),
        ("UPDATE unit SET first = '0x1p+0' WHERE number = 7", 0),
        ("UPDATE unit SET number = 999999 WHERE number = 7", 0),
    ] {
        execute(folder.path(), &format!("PRAGMA foreign_keys = OFF; {loss}"));
        let looker = Ledger::open(folder.path(), Access::Read).unwrap();
        let status = looker.status(true).unwrap();
        let certificate = looker.certificate(&solve, &plan).unwrap();
        assert_eq!(certificate.units.len(), plan.units.len() - missing, "{loss}");
        assert_eq!(status.finished, certificate.units.len(), "{loss}");
        assert!(status.units >= plan.units.len() && !status.is_plan_whole && !status.is_complete, "{loss}");
        if missing > 0 {
            let status = looker.status(false).unwrap();
            assert_eq!(status.finished, certificate.units.len(), "{loss}");
            assert_eq!(status.units, plan.units.len(), "{loss}");
            assert!(!status.is_complete && !looker.is_complete(&plan).unwrap());
        }
        assert!(status.to_text().contains("rows of the plan are missing"), "{loss}: {}", status.to_text());
        drop(looker);
        assert!(finish(folder.path(), &solve, &plan).to_json() == expected, "{loss}");
        assert!(Ledger::open(folder.path(), Access::Read).unwrap().status(true).unwrap().is_plan_whole);
    }
}

/// The same file by a name that `SQLite` takes for an address.
#[test]
fn a_directory_whose_name_is_an_address() {
    let asked = Asked::new("exp", 10);
    let solve = asked.solve();
    let plan = solve.plan_in_units_of(5.0 * UNIT_S).unwrap();
    // relative names only are taken so; tests share a working directory: the name is of this
    // process alone
    let name = format!("file:tmd-test-{}", std::process::id());
    let bare = Path::new(name.strip_prefix("file:").unwrap()).to_owned();
    let directory = Path::new(&name).to_owned();
    fs::create_dir(&bare).unwrap();
    let made = Ledger::create(&directory, &question(&solve), &plan);
    let (is_here, strays) = (directory.join("ledger.sqlite").is_file(), fs::read_dir(&bare).unwrap().count());
    let opened = Ledger::open(&directory, Access::Write).is_ok();
    fs::remove_dir_all(&bare).unwrap();
    fs::remove_dir_all(&directory).unwrap();
    assert!(made.is_ok() && opened && is_here && strays == 0, "{is_here} {opened} {strays}");
}

#[cfg(unix)]
mod unix {
    use std::{
        ffi::OsStr,
        os::unix::{ffi::OsStrExt, fs::symlink},
        process::Command,
    };

    use super::*;

    /// Pipes, devices and folders where files should be: named, and not waited for.
    #[test]
    fn what_is_no_file_is_no_result() {
        let asked = Asked::new("exp", 10);
        let solve = asked.solve();
        let (folder, plan, ledger) = begun_in(5.0 * UNIT_S, &solve);
        ledger.shard(1).unwrap();
        let results = folder.path().join("shards/0000");
        fs::create_dir_all(&results).unwrap();
        let pipe = |path: &Path| assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
        pipe(&results.join("1.json"));
        symlink("/dev/zero", results.join("2.json")).unwrap();
        fs::create_dir(results.join("3.json")).unwrap();
        fs::File::create(results.join("4.json")).unwrap().set_len(1 << 42).unwrap();
        let merged = ledger.merge_shards(&solve, &plan).unwrap();
        let named: Vec<usize> = merged.damaged.iter().map(|damage| damage.unit).collect();
        assert_eq!((merged.new, named), (0, vec![1, 2, 3, 4]), "{:?}", merged.damaged);
        assert!(merged.damaged[0].reason.contains("no ordinary file"), "{:?}", merged.damaged);
        // a worker's lock
        let workers = folder.path().join("workers");
        fs::create_dir_all(&workers).unwrap();
        for number in 1..9 {
            pipe(&workers.join(format!("{number}.lock")));
        }
        assert!(finish(folder.path(), &solve, &plan).is_complete());
        // and the shards' plan
        let path = folder.path().join("shards/plan.json");
        fs::remove_file(&path).unwrap();
        pipe(&path);
        match Shards::open(folder.path()) {
            Err(LedgerError::Unreadable { reason, .. }) => assert!(reason.contains("no ordinary file")),
            other => panic!("{:?}", other.is_ok()),
        }
    }

    /// A name that is no text, of a ledger that is copied to be read: its journal cannot be rolled
    /// back where it is.
    #[test]
    fn a_directory_whose_name_is_no_text() {
        let asked = Asked::new("exp", 10);
        let solve = asked.solve();
        let (made, plan, ledger) = begun(&solve);
        let result = &results(&solve, &plan)[0];
        ledger.finish(&solve, &plan, 0, result, "a").unwrap();
        let folder = tempfile::tempdir().unwrap();
        let directory = folder.path().join(OsStr::from_bytes(b"r\xffn"));
        fs::create_dir(&directory).unwrap();
        for name in ["ledger.sqlite", "ledger.sqlite-wal"] {
            fs::copy(made.path().join(name), directory.join(name)).unwrap();
        }
        // no index of the log can be made
        fs::create_dir(directory.join("ledger.sqlite-shm")).unwrap();
        let looker = Ledger::open(&directory, Access::Read).unwrap();
        assert_eq!(looker.results(&plan).unwrap().whole.len(), 1, "with its log");
        let text = LedgerError::NotARun { path: directory }.to_string();
        assert!(text.contains(r"r\377n'") && !text.contains(char::REPLACEMENT_CHARACTER), "{text}");
    }
}
