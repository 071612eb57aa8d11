//! Run directories: `tmd solve --run`, `resume`, `status`, `export`, `shard`, `work`, `merge`;
//! killed, shared, full, read-only.

use std::{
    fs,
    path::Path,
    process::{Child, Command, Output, Stdio},
    thread::sleep,
    time::{Duration, Instant},
};

use serde_json::Value;
use tmd_testkit::is_long;

mod common;

use common::{
    TMD, command, exported, place, solve, status, text, tmd, undisturbed, wait_for, wait_until_begun,
};

/// A question of a hundred units or two, each of a millisecond.
const SMALL: &str = "exp --format binary16 --extra-bits 12 --unit 0.0002";
const LARGER: &str = "exp --format binary32 --extra-bits 20 --binades -1..2 --unit 0.001";

fn spawn(arguments: &[&str]) -> Child {
    command(arguments).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Numbers that look random: the same at each run of the test.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}

/// Results that are in a ledger, by a quick look.
fn kept_now(run: &str) -> u64 {
    let flags = rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY;
    let count = || -> rusqlite::Result<i64> {
        let ledger = rusqlite::Connection::open_with_flags(Path::new(run).join("ledger.sqlite"), flags)?;
        ledger.query_row("SELECT count(*) FROM result", [], |row| row.get(0))
    };
    // there is none yet, or it is just being made
    count().map_or(0, |count| count as u64)
}

/// SIGKILL at seventy moments, two hundred with `--long`, from the making of the directory to the
/// last unit: nothing is lost, nothing counts twice, and the certificate is that of an undisturbed
/// run, bit by bit.
#[test]
fn killed_many_times() {
    let most = if is_long() { 200 } else { 70 };
    let folder = tempfile::tempdir().unwrap();
    let mut random = Random(200);
    let (mut kills, mut runs, mut kept) = (0, 0, 0);
    let expected = [SMALL, LARGER].map(|question| undisturbed(folder.path(), question));
    // how long the plan takes here and now: half of the moments are in the midst of the work
    let planned = place(folder.path(), "planned");
    assert!(tmd(&solve(SMALL, &planned)).status.success());
    let started = Instant::now();
    assert!(tmd(&["resume", &planned]).status.success());
    let mut longest = started.elapsed().as_millis() as u64 + 100;
    while kills < most {
        let which = runs % 2;
        let run = place(folder.path(), &format!("run{runs}"));
        let mut finished = 0;
        loop {
            // what is there after a kill may be nothing, and never less than before
            let is_begun = tmd(&["status", &run]).status.success();
            if is_begun {
                let now = status(&run)["finished"].as_u64().unwrap();
                assert!(now >= finished, "{now} units are kept of {finished}");
                kept += u64::from(now > 0);
                finished = now;
            }
            let arguments = if is_begun {
                vec!["resume", &run, "--threads", "2", "--lease", "0.2"]
            } else {
                solve([SMALL, LARGER][which], &run)
            };
            let mut child = spawn(&arguments);
            if kept < kills / 2 {
                // on a machine where most of the random moments are too early: in the midst of the
                // work
                wait_for("progress", || kept_now(&run) > finished || child.try_wait().unwrap().is_some());
            } else {
                let moment = Instant::now() + Duration::from_millis(random.below(longest));
                while Instant::now() < moment && child.try_wait().unwrap().is_none() {
                    sleep(Duration::from_millis(2));
                }
            }
            let is_over = child.try_wait().unwrap().is_some();
            child.kill().unwrap();
            let ended = child.wait_with_output().unwrap();
            if is_over {
                assert!(ended.status.success(), "{}", text(&ended.stderr));
                // the machine is faster than it was, or there is little left to do
                longest = (longest / 2).max(100);
                break;
            }
            kills += 1;
            // a machine that became slower than it was must come to an end, too
            longest += longest / 16;
        }
        assert!(exported(&run) == expected[which], "run {runs}");
        assert_eq!(status(&run)["damaged"], Value::Array(Vec::new()));
        runs += 1;
    }
    assert!(4 * kept > most && runs > 1, "{kept} kills in the midst, {runs} runs");
}

/// Several processes share a directory; what one of them held when it was killed goes back.
#[test]
fn processes_share_a_directory() {
    let folder = tempfile::tempdir().unwrap();
    let expected = undisturbed(folder.path(), SMALL);
    let run = place(folder.path(), "run");
    let first = spawn(&solve(SMALL, &run));
    wait_until_begun(&run);
    let resume = ["resume", &run, "--threads", "1", "--lease", "0.3"];
    let mut others = [spawn(&resume), spawn(&resume), spawn(&resume)];
    // it is to die with a unit in its hands, or after the last one
    let name = format!(":{}", others[1].id());
    let holds = |status: &Value| {
        let workers = status["workers"].as_array().unwrap();
        workers
            .iter()
            .any(|worker| worker["name"].as_str().unwrap().ends_with(&name) && worker["leased"] != 0)
    };
    wait_for("a lease, or the end", || {
        let now = status(&run);
        holds(&now) || now["is_complete"] == true
    });
    others[1].kill().unwrap();
    let ended = others[1].wait().unwrap();
    // between the look and the kill it may have finished the last unit
    assert!(!ended.success() || status(&run)["is_complete"] == true);
    let [second, _, third] = others;
    for child in [first, second, third] {
        let ended = child.wait_with_output().unwrap();
        assert!(ended.status.success(), "{}", text(&ended.stderr));
    }
    assert!(exported(&run) == expected);
    // resuming what is complete writes the certificate, and leaves it
    let out = place(folder.path(), "c.json");
    assert!(tmd(&["resume", &run, "--out", &out]).status.success());
    assert!(fs::read(&out).unwrap() == expected && exported(&run) == expected);
}

#[test]
fn what_a_directory_is_good_for() {
    let folder = tempfile::tempdir().unwrap();
    let run = place(folder.path(), "run");
    let solved = tmd(&solve(SMALL, &run));
    assert!(
        solved.status.success() && text(&solved.stdout).contains("units; digest "),
        "{}",
        text(&solved.stdout)
    );
    let status = tmd(&["status", &run]);
    assert!(text(&status.stdout).contains("complete; tmd export"), "{}", text(&status.stdout));
    let watched = tmd(&["status", &run, "--json", "--watch"]);
    let line: Value = serde_json::from_slice(&watched.stdout).unwrap();
    assert_eq!((&line["is_complete"], &line["finished"]), (&Value::Bool(true), &line["units"]));
    assert!(line["binades"].as_array().unwrap().len() > 10 && line["question"]["function"] == "exp(x)");
    // wherever a certificate is acceptable
    let file = place(folder.path(), "certificate.json");
    assert!(tmd(&["export", &run, "-o", &file]).status.success());
    assert_eq!(
        tmd(&["export", &run, "--output", "csv"]).stdout,
        tmd(&["export", &file, "--output", "csv"]).stdout
    );
    let verified = tmd(&["verify", &run, "--all"]);
    assert!(
        verified.status.success() && text(&verified.stdout).ends_with(" holds\n"),
        "{}",
        text(&verified.stdout)
    );
    let page = place(folder.path(), "page.html");
    assert!(tmd(&["report", &run, "--out", &page]).status.success());
    // the program without a directory finds the same
    let memory = place(folder.path(), "memory.json");
    let words: Vec<&str> = SMALL.split(" --unit").next().unwrap().split(' ').collect();
    assert!(tmd(&[&["solve"], &words[..], &["--out", &memory]].concat()).status.success());
    // in other units: all but the digest, which is the last column
    let rows = |certificate: &str| {
        let table = tmd(&["export", certificate, "--output", "csv"]).stdout;
        let row = |line: &str| line.rsplit_once(',').map(|(row, _)| row.to_owned());
        text(&table).lines().map(row).collect::<Vec<_>>()
    };
    assert!(rows(&memory) == rows(&file) && rows(&file).len() > 10);
}

#[test]
fn wrong_questions() {
    let folder = tempfile::tempdir().unwrap();
    let (run, nothing) = (place(folder.path(), "run"), place(folder.path(), "nothing"));
    assert!(tmd(&solve(SMALL, &run)).status.success());
    assert!(tmd(&["shard", &run, "--count", "3"]).status.success());
    let other = SMALL.replace("bits 12", "bits 11");
    let engine = format!("{SMALL} --engine farey-scalar");
    let folder = folder.path().to_str().unwrap().to_owned();
    for (question, hint) in [
        (solve(SMALL, &run), "holds a run of this question already; go on with tmd resume "),
        (solve(&other, &run), "extra_bits is 12 there and 11 here"),
        (solve(&engine, &run), "engine is farey"),
        (solve(SMALL, &folder), "is not empty"),
        (vec!["resume", &nothing], "is not a run directory"),
        (vec!["status", &nothing], "is not a run directory"),
        (vec!["export", &folder], "is not a run directory"),
        (vec!["merge", &run, &nothing], "is not a run directory"),
        (vec!["work", &nothing, "--shard", "1/2"], "tmd shard writes it"),
        (vec!["work", &run, "--shard", "1/2"], "the run has 3 shards"),
        (vec!["work", &run, "--shard", "4/3"], "shards are 1/3 to 3/3"),
        (vec!["work", &run, "--shard", "one"], "is not I/K"),
        (vec!["shard", &run, "--count", "0"], "there must be one at least"),
        (vec!["resume", &run, "--lease", "0"], "--lease must be a positive"),
        (vec!["solve", "exp", "--run", &nothing, "--unit=-1"], "--unit must be a positive"),
        (vec!["solve", "exp", "--unit", "1"], "--run"),
    ] {
        let answer = tmd(&question);
        let said = text(&answer.stderr);
        assert_eq!(answer.status.code(), Some(2), "{question:?}: {said}");
        assert!(said.contains(hint), "{question:?}: {said}");
    }
    assert!(!Path::new(&nothing).exists(), "nothing was made");
}

/// Tasks of a cluster: killed, requeued, run twice at once; merged as they come.
#[test]
fn shards_of_a_cluster() {
    let folder = tempfile::tempdir().unwrap();
    let expected = undisturbed(folder.path(), SMALL);
    let run = place(folder.path(), "run");
    // a run that is begun, and goes on elsewhere
    let mut begun = spawn(&solve(SMALL, &run));
    wait_until_begun(&run);
    begun.kill().unwrap();
    begun.wait().unwrap();
    assert!(text(&tmd(&["shard", &run, "--count", "3"]).stdout).contains("--shard I/3"));
    for round in 0..3 {
        let tasks: Vec<Child> = ["1/3", "2/3", "3/3", "1/3"]
            .iter()
            .map(|shard| spawn(&["work", &run, "--shard", shard, "--threads", "1"]))
            .collect();
        for (i, mut task) in tasks.into_iter().enumerate() {
            if round < 2 {
                sleep(Duration::from_millis(20 * (i as u64 + round)));
                task.kill().unwrap();
            }
            let ended = task.wait_with_output().unwrap();
            assert!(round < 2 || ended.status.success(), "{}", text(&ended.stderr));
        }
        let merged = tmd(&["merge", &run]);
        assert!(merged.status.success() && merged.stderr.is_empty(), "{}", text(&merged.stderr));
    }
    assert!(exported(&run) == expected);
    // another engine's run of the same question
    let other = place(folder.path(), "other");
    assert!(tmd(&solve(&format!("{SMALL} --engine regular-simd"), &other)).status.success());
    let merged = tmd(&["merge", &run, &other]);
    assert!(text(&merged.stdout).contains("arguments agree"), "{}", text(&merged.stdout));
    assert!(exported(&run) == expected);
}

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    /// `sh -c`, with tmd's place in `$TMD`.
    fn shell(script: &str) -> Output {
        Command::new("sh").args(["-c", script]).env("TMD", TMD).stdin(Stdio::null()).output().unwrap()
    }

    #[test]
    fn interrupted_cleanly() {
        let folder = tempfile::tempdir().unwrap();
        let (run, expected) = (place(folder.path(), "run"), undisturbed(folder.path(), LARGER));
        let child = spawn(&solve(LARGER, &run));
        wait_until_begun(&run);
        wait_for("a first unit", || status(&run)["finished"] != 0);
        shell(&format!("kill -INT {}", child.id()));
        let ended = child.wait_with_output().unwrap();
        let now = status(&run);
        assert_eq!(now["leased"], 0, "units in work are given back");
        if now["is_complete"] == true {
            // it was faster than the signal
            assert!(ended.status.success());
            return;
        }
        assert_eq!(ended.status.code(), Some(130), "{}", text(&ended.stderr));
        let partial = tmd(&["export", &run]);
        assert_eq!(partial.status.code(), Some(1));
        assert!(text(&partial.stderr).contains("PARTIAL") && !partial.stdout.is_empty());
        assert!(now["left_core_s"].as_f64().unwrap() > 0.0);
        assert!(tmd(&["resume", &run]).status.success());
        assert!(exported(&run) == expected);
    }

    /// A file that may not grow stands for a disk that is full.
    #[test]
    fn no_space() {
        let folder = tempfile::tempdir().unwrap();
        let (run, expected) = (place(folder.path(), "run"), undisturbed(folder.path(), SMALL));
        // 512 or 1024 bytes a block, by the shell
        let full = shell(&format!("ulimit -f 300; exec \"$TMD\" solve {SMALL} --run {run}"));
        let said = text(&full.stderr);
        assert_eq!(full.status.code(), Some(1), "{said}");
        assert!(said.contains("no space left") && said.contains("tmd resume goes on"), "{said}");
        let kept = status(&run)["finished"].as_u64().unwrap();
        assert!(kept > 0 && status(&run)["is_complete"] == false, "{kept}");
        assert!(tmd(&["resume", &run]).status.success());
        assert!(exported(&run) == expected);
    }

    /// The same for the files of shards.
    #[test]
    fn no_space_for_shards() {
        let folder = tempfile::tempdir().unwrap();
        let (run, expected) = (place(folder.path(), "run"), undisturbed(folder.path(), SMALL));
        let begun = spawn(&solve(SMALL, &run));
        wait_until_begun(&run);
        shell(&format!("kill -9 {}", begun.id()));
        begun.wait_with_output().unwrap();
        assert!(tmd(&["shard", &run, "--count", "1"]).status.success());
        // a block is less than a result
        let full = shell(&format!("ulimit -f 1; exec \"$TMD\" work {run} --shard 1/1"));
        let said = text(&full.stderr);
        assert_eq!(full.status.code(), Some(1), "{said}");
        assert!(said.contains("no space left"), "{said}");
        let merged = tmd(&["merge", &run]);
        assert!(
            merged.status.success() && merged.stderr.is_empty(),
            "nothing is torn: {}",
            text(&merged.stderr)
        );
        assert!(tmd(&["work", &run, "--shard", "1/1"]).status.success());
        assert!(tmd(&["merge", &run]).status.success());
        assert!(exported(&run) == expected);
    }

    /// A directory that may only be read is looked at and exported, and not written.
    #[test]
    fn a_directory_to_read() {
        let folder = tempfile::tempdir().unwrap();
        let run = place(folder.path(), "run");
        assert!(tmd(&solve(SMALL, &run)).status.success());
        let expected = exported(&run);
        let allow = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
        for entry in fs::read_dir(&run).unwrap() {
            allow(&entry.unwrap().path(), 0o444);
        }
        // nothing of a log's index may be made here
        for name in ["ledger.sqlite-shm", "ledger.sqlite-wal"] {
            let _ = fs::remove_file(Path::new(&run).join(name));
        }
        allow(Path::new(&run), 0o555);
        allow(folder.path(), 0o755);
        // root may write anything: somebody else looks
        let program = folder.path().join("tmd");
        fs::copy(TMD, &program).unwrap();
        allow(&program, 0o755);
        let is_root = text(&Command::new("id").arg("-u").output().unwrap().stdout).trim() == "0";
        let run_as = |arguments: &[&str]| {
            let mut command = if is_root {
                let mut command = Command::new("setpriv");
                command.args(["--reuid", "65534", "--regid", "65534", "--clear-groups"]).arg(&program);
                command
            } else {
                Command::new(&program)
            };
            command.args(arguments).env("TMPDIR", std::env::temp_dir()).output().unwrap()
        };
        let exported = run_as(&["export", &run]);
        assert!(exported.stdout == expected, "{}", text(&exported.stderr));
        assert!(text(&run_as(&["status", &run]).stdout).contains("complete"));
        let refused = run_as(&["resume", &run]);
        assert_eq!(refused.status.code(), Some(2), "{}", text(&refused.stderr));
        assert!(text(&refused.stderr).contains("cannot write"), "{}", text(&refused.stderr));
        let below = format!("{run}/below");
        let refused = run_as(&solve(SMALL, &below));
        assert_eq!(refused.status.code(), Some(2), "{}", text(&refused.stderr));
        allow(Path::new(&run), 0o755);
    }
}
