//! Run directories: `tmd solve --run`, `resume`, `status`, `export`, `shard`, `work`, `merge`;
//! killed, shared, full, read-only.

mod program;

use std::{
    fs,
    path::Path,
    process::{Child, Command, Stdio},
    thread::sleep,
    time::{Duration, Instant},
};

use program::{
    Answer, TMD, command, exported, place, solve, status, tmd, undisturbed, wait_for, wait_until_begun, words,
};
use serde_json::Value;
use tmd_testkit::is_long;

/// A question of a hundred units or two, each of a millisecond.
const SMALL: &str = "exp --format binary16 --extra-bits 12 --unit 0.0002";
const LARGER: &str = "exp --format binary32 --extra-bits 20 --binades -1..2 --unit 0.001";

fn spawn(words: &[&str]) -> Child {
    command("", words).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
}

/// A run that is begun, and killed at once.
fn begun_and_killed(folder: &Path) -> String {
    let run = place(folder, "run");
    let mut begun = spawn(&solve(SMALL, &run));
    wait_until_begun(&run);
    begun.kill().unwrap();
    begun.wait().unwrap();
    run
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

/// SIGKILL at 25 moments, two hundred with `--long`, from the making of the directory to the
/// last unit: nothing is lost, nothing counts twice, and the certificate is that of an undisturbed
/// run, bit by bit.
#[test]
fn killed_many_times() {
    let most = if is_long() { 200 } else { 25 };
    let folder = tempfile::tempdir().unwrap();
    let mut random = Random(200);
    let (mut kills, mut runs, mut kept) = (0, 0, 0);
    let expected = [SMALL, LARGER].map(|question| undisturbed(folder.path(), question));
    // how long the plan takes here and now: half of the moments are in the midst of the work
    let planned = place(folder.path(), "planned");
    tmd("", &solve(SMALL, &planned)).done();
    let started = Instant::now();
    tmd("resume", &[&planned]).done();
    let mut longest = started.elapsed().as_millis() as u64 + 100;
    while kills < most {
        let which = runs % 2;
        let run = place(folder.path(), &format!("run{runs}"));
        let mut finished = 0;
        loop {
            // what is there after a kill may be nothing, and never less than before
            let is_begun = tmd("status", &[&run]).is_done();
            if is_begun {
                let now = status(&run)["finished"].as_u64().unwrap();
                assert!(now >= finished, "{now} units are kept of {finished}");
                kept += u64::from(now > 0);
                finished = now;
            }
            let arguments = if is_begun {
                words("resume --threads 2 --lease 0.2", &[&run])
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
            let ended = Answer::of_child(child);
            if is_over {
                ended.done();
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
    let mut others = [(); 3].map(|()| spawn(&words("resume --threads 1 --lease 0.3", &[&run])));
    // it is to die with a unit in its hands, or after the last one
    let name = format!(":{}", others[1].id());
    let is_it = |worker: &Value| worker["name"].as_str().unwrap().ends_with(&name) && worker["leased"] != 0;
    wait_for("a lease, or the end", || {
        let now = status(&run);
        now["workers"].as_array().unwrap().iter().any(is_it) || now["is_complete"] == true
    });
    others[1].kill().unwrap();
    let ended = others[1].wait().unwrap();
    // between the look and the kill it may have finished the last unit
    assert!(!ended.success() || status(&run)["is_complete"] == true);
    let [second, _, third] = others;
    for child in [first, second, third] {
        Answer::of_child(child).done();
    }
    assert!(exported(&run) == expected);
    // resuming what is complete writes the certificate, and leaves it
    let out = place(folder.path(), "c.json");
    tmd("resume", &[&run, "--out", &out]).done();
    assert!(fs::read(&out).unwrap() == expected && exported(&run) == expected);
}

#[test]
fn what_a_directory_is_good_for() {
    let folder = tempfile::tempdir().unwrap();
    let [run, file, page, memory] =
        ["run", "certificate.json", "page.html", "memory.json"].map(|name| place(folder.path(), name));
    tmd("", &solve(SMALL, &run)).done().prints("units; digest ");
    tmd("status", &[&run]).prints("all units are finished; tmd export");
    let line = tmd("status --json --watch", &[&run]).json();
    assert_eq!((&line["is_complete"], &line["finished"]), (&Value::Bool(true), &line["units"]));
    assert!(line["binades"].as_array().unwrap().len() > 10 && line["question"]["function"] == "exp(x)");
    // wherever a certificate is acceptable
    tmd("export", &[&run, "-o", &file]).done();
    let [of_run, of_file] = [&run, &file].map(|source| tmd("export --output csv", &[source]).out);
    assert_eq!(of_run, of_file);
    let verified = tmd("verify --all", &[&run]).done();
    assert!(verified.text().ends_with(" holds\n"), "{verified}");
    tmd("report", &[&run, "--out", &page]).done();
    // the program without a directory finds the same
    tmd("solve", &words(SMALL.split(" --unit").next().unwrap(), &["--out", &memory])).done();
    // in other units: all but the digest, which is the last column
    let rows = |certificate: &str| {
        let row = |line: &str| line.rsplit_once(',').map(|(row, _)| row.to_owned());
        tmd("export --output csv", &[certificate]).text().lines().map(row).collect::<Vec<_>>()
    };
    assert!(rows(&memory) == rows(&file) && rows(&file).len() > 10);
}

#[test]
fn wrong_questions() {
    let folder = tempfile::tempdir().unwrap();
    let (run, nothing) = (place(folder.path(), "run"), place(folder.path(), "nothing"));
    tmd("", &solve(SMALL, &run)).done();
    tmd("shard --count 3", &[&run]).done();
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
        tmd("", &question).ends(2).says(hint);
    }
    assert!(!Path::new(&nothing).exists(), "nothing was made");
}

/// Tasks of a cluster: killed, requeued, run twice at once; merged as they come.
#[test]
fn shards_of_a_cluster() {
    let folder = tempfile::tempdir().unwrap();
    let expected = undisturbed(folder.path(), SMALL);
    // a run that is begun, and goes on elsewhere
    let run = begun_and_killed(folder.path());
    tmd("shard --count 3", &[&run]).prints("--shard I/3");
    for round in 0..3 {
        let tasks = ["1/3", "2/3", "3/3", "1/3"]
            .map(|shard| spawn(&words("work --threads 1", &[&run, "--shard", shard])));
        for (i, mut task) in tasks.into_iter().enumerate() {
            if round < 2 {
                sleep(Duration::from_millis(20 * (i as u64 + round)));
                task.kill().unwrap();
            }
            let ended = Answer::of_child(task);
            assert!(round < 2 || ended.is_done(), "{ended}");
        }
        let merged = tmd("merge", &[&run]).done();
        assert!(merged.err.is_empty(), "{merged}");
    }
    assert!(exported(&run) == expected);
    // another engine's run of the same question
    let other = place(folder.path(), "other");
    tmd("", &solve(&format!("{SMALL} --engine regular-simd"), &other)).done();
    tmd("merge", &[&run, &other]).prints("arguments agree");
    assert!(exported(&run) == expected);
}

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::PermissionsExt;

    use super::*;
    use program::{shell, signal};

    #[test]
    fn interrupted_cleanly() {
        let folder = tempfile::tempdir().unwrap();
        let (run, expected) = (place(folder.path(), "run"), undisturbed(folder.path(), LARGER));
        let child = spawn(&solve(LARGER, &run));
        wait_until_begun(&run);
        wait_for("a first unit", || status(&run)["finished"] != 0);
        signal(&child, "INT");
        let ended = Answer::of_child(child);
        let now = status(&run);
        assert_eq!(now["leased"], 0, "units in work are given back");
        if now["is_complete"] == true {
            // it was faster than the signal
            ended.done();
            return;
        }
        ended.ends(130);
        let partial = tmd("export", &[&run]).ends(1).says("PARTIAL");
        assert!(!partial.out.is_empty());
        assert!(now["left_core_s"].as_f64().unwrap() > 0.0);
        tmd("resume", &[&run]).done();
        assert!(exported(&run) == expected);
    }

    /// A file that may not grow stands for a disk that is full.
    #[test]
    fn no_space() {
        let folder = tempfile::tempdir().unwrap();
        let (run, expected) = (place(folder.path(), "run"), undisturbed(folder.path(), SMALL));
        // 512 or 1024 bytes a block, by the shell
        shell(&format!("ulimit -f 300; exec \"$TMD\" solve {SMALL} --run {run}"), folder.path())
            .ends(1)
            .says("no space left")
            .says("tmd resume goes on");
        let now = status(&run);
        assert!(now["finished"].as_u64().unwrap() > 0 && now["is_complete"] == false, "{now}");
        tmd("resume", &[&run]).done();
        assert!(exported(&run) == expected);
    }

    /// The same for the files of shards.
    #[test]
    fn no_space_for_shards() {
        let folder = tempfile::tempdir().unwrap();
        let expected = undisturbed(folder.path(), SMALL);
        let run = begun_and_killed(folder.path());
        tmd("shard --count 1", &[&run]).done();
        // a block is less than a result
        shell(&format!("ulimit -f 1; exec \"$TMD\" work {run} --shard 1/1"), folder.path())
            .ends(1)
            .says("no space left");
        let merged = tmd("merge", &[&run]).done();
        assert!(merged.err.is_empty(), "nothing is torn: {merged}");
        tmd("work --shard 1/1", &[&run]).done();
        tmd("merge", &[&run]).done();
        assert!(exported(&run) == expected);
    }

    /// A directory that may only be read is looked at and exported, and not written.
    #[test]
    fn a_directory_to_read() {
        let folder = tempfile::tempdir().unwrap();
        let run = place(folder.path(), "run");
        tmd("", &solve(SMALL, &run)).done();
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
        let is_root = Answer::of(Command::new("id").arg("-u")).text().trim() == "0";
        let run_as = |words: &[&str]| {
            let mut command = Command::new(if is_root { Path::new("setpriv") } else { &program });
            if is_root {
                command.args(["--reuid", "65534", "--regid", "65534", "--clear-groups"]).arg(&program);
            }
            Answer::of(command.args(words).env("TMPDIR", std::env::temp_dir()))
        };
        let exported = run_as(&["export", &run]);
        assert!(exported.out == expected, "{exported}");
        run_as(&["status", &run]).prints("all units are finished");
        run_as(&["resume", &run]).ends(2).says("cannot write");
        run_as(&solve(SMALL, &place(Path::new(&run), "below"))).ends(2);
        allow(Path::new(&run), 0o755);
    }
}
