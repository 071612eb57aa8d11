//! `tmd-mpi` on eight ranks of this machine.

use std::process::Stdio;

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
fn searched(answer: &Answer) -> u64 {
    let said = &answer.err;
    let number =
        said.split_once(" units searched by 7 ranks").and_then(|(before, _)| before.rsplit(' ').next());
    number.and_then(|number| number.parse().ok()).unwrap_or_else(|| panic!("{said}"))
}

/// Begins a run, and kills a rank when some units are finished. How many are finished then, how
/// many are leased, and how many there are.
fn killed(run: &str, rank: u32) -> (u64, u64, u64) {
    let job = solve(run).spawn().unwrap();
    let finished = || program::tmd("status", &[run]).is_done() && status(run)["finished"].as_u64() > Some(20);
    wait("twenty units", finished);
    let ranks = Process::of(&program(), run);
    let victim = ranks.iter().find(|process| process.has("OMPI_COMM_WORLD_RANK", &rank.to_string())).unwrap();
    kill(victim.pid);
    assert!(!Answer::of_child(job).is_done(), "a killed rank ends the job");
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
    let ended = Answer::of(&mut solve(&run)).done();
    assert_eq!(searched(&ended), status(&run)["units"].as_u64().unwrap());
    assert!(exported(&run) == expected());
    // there is nothing left to do
    let ended = Answer::of(&mut mpirun(&["resume", &run])).done();
    assert_eq!(searched(&ended), 0, "{ended}");
}

#[test]
fn a_rank_is_killed_and_mpi_resumes() {
    let _alone = alone();
    let folder = tempfile::tempdir().unwrap();
    let run = place(folder.path(), "run");
    let (finished, leased, units) = killed(&run, 3);
    assert!(leased <= OTHERS, "{leased} units were in work");
    let ended = Answer::of(&mut mpirun(&["resume", &run])).done();
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
    program::tmd("resume", &[&run]).done();
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
    Answer::of_child(job).ends(1).says("not today");
    database.execute("DROP TRIGGER refuse", []).unwrap();
    drop(database);
    Answer::of(&mut mpirun(&["resume", &run])).done();
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
        Answer::of(&mut mpirun(&words)).ends(code).says(hint);
    }
    let mut alone = Command::new("mpirun");
    alone.args(["--allow-run-as-root", "-n", "1"]).arg(program()).args(["resume", &nothing]);
    Answer::of(&mut alone).says("two ranks");
}
