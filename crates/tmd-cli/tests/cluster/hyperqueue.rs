//! `HyperQueue`'s Python API: a server and its worker in one process, as `PyPI`'s package has no
//! `hq` binary.

use std::process::Stdio;

use super::*;

/// The script, on four cores of a cluster of its own.
fn tmd_hq(folder: &Path, run: &str) -> Command {
    let server = folder.join("server");
    let mut command = Command::new(told("TMD_PYTHON"));
    command.arg(script("hyperqueue/tmd_hq.py")).args([run, "--local", "4", "--tmd", program::TMD]);
    command.arg("--server-dir").arg(server).current_dir(folder).stdin(Stdio::null());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// The processes that search a run's shards.
fn tasks(run: &str) -> Vec<Process> {
    Process::of(Path::new(program::TMD), run)
}

#[test]
fn tasks_are_killed() {
    let _alone = alone();
    let (folder, run) = sharded(6);
    let script = tmd_hq(folder.path(), &run).spawn().unwrap();
    wait("ten results", || results(&run) > 10);
    let before = results(&run);
    for task in tasks(&run).iter().take(2) {
        kill(task.pid);
    }
    // the killed tasks are named
    Answer::of_child(script).done().says("/6: ");
    assert!(before < results(&run), "killed in the midst");
    assert!(exported(&run) == expected());
}

/// The node is lost: server, worker and tasks.
#[test]
fn everything_is_killed() {
    let _alone = alone();
    let (folder, run) = sharded(6);
    let mut script = tmd_hq(folder.path(), &run).spawn().unwrap();
    wait("ten results", || results(&run) > 10);
    script.kill().unwrap();
    script.wait().unwrap();
    for task in tasks(&run) {
        // it may have ended with its server
        let _ = Command::new("kill").args(["-KILL", &task.pid.to_string()]).output();
    }
    wait("the end of the tasks", || tasks(&run).is_empty());
    let before = results(&run);
    assert!(before < status(&run)["units"].as_u64().unwrap() as usize, "killed in the midst");
    Answer::of(&mut tmd_hq(folder.path(), &run)).done();
    // what was there was found there
    let logs = fs::read_dir(Path::new(&run).join("hyperqueue")).unwrap();
    let logs = logs.map(|log| fs::read_to_string(log.unwrap().path()).unwrap());
    let there =
        logs.filter_map(|log| log.rsplit_once(" searched, ")?.1.split(' ').next()?.parse::<usize>().ok());
    assert_eq!(there.sum::<usize>(), before);
    assert!(exported(&run) == expected());
}
