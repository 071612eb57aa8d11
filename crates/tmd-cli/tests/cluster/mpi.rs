//! `tmd-mpi` on eight ranks of this machine.

use std::process::{Output, Stdio};

use super::*;

/// Ranks that search, one unit each at a time.
const OTHERS: u64 = 7;

fn mpirun(words: &[&str]) -> Command {
    let mut command = Command::new("mpirun");
    command.args(["--allow-run-as-root", "--oversubscribe", "-n", "8"]).arg(program()).args(words);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn program() -> PathBuf {
    told("TMD_MPI").canonicalize().unwrap()
}

fn solve(run: &str) -> Command {
    let mut command = mpirun(&["solve"]);
    command.args(QUESTION.split(' ')).args(["--run", run]);
    command
}

/// How many units a job says it searched.
fn searched(output: &Output) -> u64 {
    let said = text(&output.stderr);
    let number =
        said.split_once(" units searched by 7 ranks").and_then(|(before, _)| before.rsplit(' ').next());
    number.and_then(|number| number.parse().ok()).unwrap_or_else(|| panic!("{said}"))
}

/// Begins a run, and kills a rank when some units are finished. How many are finished then, how
/// many are leased, and how many there are.
fn killed(run: &str, rank: u32) -> (u64, u64, u64) {
    let job = solve(run).spawn().unwrap();
    let finished =
        || common::tmd(&["status", run]).status.success() && status(run)["finished"].as_u64() > Some(20);
    wait("twenty units", finished);
    let ranks = Process::of(&program(), run);
    let victim = ranks.iter().find(|process| process.has("OMPI_COMM_WORLD_RANK", &rank.to_string())).unwrap();
    kill(victim.pid);
    let ended = job.wait_with_output().unwrap();
    assert!(!ended.status.success(), "a killed rank ends the job");
    wait("the other ranks", || Process::of(&program(), run).is_empty());
    let now = status(run);
    let count = |name: &str| now[name].as_u64().unwrap();
    assert!(count("finished") > 20 && count("open") > 0, "killed in the midst: {now}");
    (count("finished"), count("leased"), count("units"))
}

#[test]
fn undisturbed_and_complete() {
    let _alone = alone();
    let folder = tempfile::tempdir().unwrap();
    let run = place(folder.path(), "run");
    let ended = solve(&run).output().unwrap();
    assert!(ended.status.success(), "{}", text(&ended.stderr));
    assert_eq!(searched(&ended), status(&run)["units"].as_u64().unwrap());
    assert!(exported(&run) == expected());
    // there is nothing left to do
    let ended = mpirun(&["resume", &run]).output().unwrap();
    assert!(ended.status.success() && searched(&ended) == 0, "{}", text(&ended.stderr));
}

#[test]
fn a_rank_is_killed_and_mpi_resumes() {
    let _alone = alone();
    let folder = tempfile::tempdir().unwrap();
    let run = place(folder.path(), "run");
    let (finished, leased, units) = killed(&run, 3);
    assert!(leased <= OTHERS, "{leased} units were in work");
    let ended = mpirun(&["resume", &run]).output().unwrap();
    assert!(ended.status.success(), "{}", text(&ended.stderr));
    assert_eq!(searched(&ended), units - finished, "what was finished is not searched again");
    assert!(exported(&run) == expected());
}

/// Rank 0 dies without a word: what it had handed out is still leased, and that is all that is
/// searched again.
#[test]
fn rank_0_is_killed_and_one_process_resumes() {
    let _alone = alone();
    let folder = tempfile::tempdir().unwrap();
    let run = place(folder.path(), "run");
    let (finished, leased, units) = killed(&run, 0);
    assert!((1..=OTHERS).contains(&leased), "{leased} units were in work");
    let resumed = common::tmd(&["resume", &run]);
    assert!(resumed.status.success(), "{}", text(&resumed.stderr));
    let now = status(&run);
    assert_eq!(
        (now["finished"].as_u64(), now["leased"].as_u64()),
        (Some(units), Some(0)),
        "{finished} before"
    );
    assert!(exported(&run) == expected());
}

/// A ledger that cannot be written ends the job, before any unit is handed out, with a sentence:
/// nobody waits for ever.
#[test]
fn a_ledger_that_cannot_be_joined() {
    let _alone = alone();
    let (_folder, run) = sharded(1);
    let database = rusqlite::Connection::open(Path::new(&run).join("ledger.sqlite")).unwrap();
    let refuse = "CREATE TRIGGER refuse BEFORE INSERT ON worker BEGIN SELECT raise(ABORT, 'not today'); END";
    database.execute(refuse, []).unwrap();
    let mut job = mpirun(&["resume", &run]).spawn().unwrap();
    wait("the end of the job", || job.try_wait().unwrap().is_some());
    let ended = job.wait_with_output().unwrap();
    let said = text(&ended.stderr);
    assert!(ended.status.code() == Some(1) && said.contains("not today"), "{}: {said}", ended.status);
    database.execute("DROP TRIGGER refuse", []).unwrap();
    drop(database);
    assert!(mpirun(&["resume", &run]).output().unwrap().status.success());
    assert!(exported(&run) == expected());
}

#[test]
fn wrong_questions() {
    let _alone = alone();
    let folder = tempfile::tempdir().unwrap();
    let nothing = place(folder.path(), "nothing");
    for (words, code, hint) in [
        (vec!["resume", &nothing], 2, "is not a run directory"),
        (vec!["solve", "exp"], 2, "--run"),
        (vec!["solve", "no_such_function", "--run", &nothing], 2, "no_such_function"),
    ] {
        let ended = mpirun(&words).output().unwrap();
        let said = text(&ended.stderr);
        assert_eq!((ended.status.code(), said.contains(hint)), (Some(code), true), "{words:?}: {said}");
    }
    let alone = Command::new("mpirun")
        .args(["--allow-run-as-root", "-n", "1"])
        .arg(program())
        .args(["resume", &nothing])
        .output()
        .unwrap();
    assert!(text(&alone.stderr).contains("two ranks"), "{}", text(&alone.stderr));
}
