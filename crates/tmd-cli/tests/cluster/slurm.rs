//! Slurm on one node: munge, slurmctld and slurmd of this test's own, on loopback, with their files
//! in a temporary directory.

use std::net::TcpListener;

use super::*;

/// A cluster of one node with four processors, which may be more than there are.
struct Slurm {
    folder: TempDir,
    node: Option<Kept>,
    /// before the others, in this order: munge, then the controller
    _daemons: Vec<Kept>,
}

impl Slurm {
    fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::write(path("munge.key"), [b'k'; 128]).unwrap();
        done(Command::new("chmod").arg("600").arg(path("munge.key")));
        let mut munge = Command::new("munged");
        munge.args(["--foreground", "--force", "--num-threads=2"]);
        for (option, name) in [
            ("key-file", "munge.key"),
            ("socket", "munge.socket"),
            ("pid-file", "munge.pid"),
            ("seed-file", "munge.seed"),
        ] {
            munge.arg(format!("--{option}={}", path(name).display()));
        }
        let munge = daemon(&mut munge, &path("munge.log"));
        wait("munge", || path("munge.socket").exists());
        fs::write(path("slurm.conf"), configuration(folder.path())).unwrap();
        fs::create_dir(path("state")).unwrap();
        let mut controller = Command::new("slurmctld");
        controller.args(["-D", "-i", "-f"]).arg(path("slurm.conf"));
        let controller = daemon(&mut controller, &path("slurmctld.out"));
        let mut slurm = Self { folder, node: None, _daemons: vec![controller, munge] };
        slurm.start_node();
        slurm
    }

    /// Starts the node, and waits until it is ready.
    fn start_node(&mut self) {
        let mut node = Command::new("slurmd");
        node.args(["-D", "-N", "node", "-f"]).arg(self.folder.path().join("slurm.conf"));
        self.node = Some(daemon(&mut node, &self.folder.path().join("slurmd.out")));
        wait("the node", || {
            let state = Answer::of(&mut self.client("sinfo", &["--noheader", "--format=%T"]));
            ["idle", "mixed", "allocated"].contains(&state.text().trim())
        });
    }

    /// The node is lost: its daemon dies. What it had started may go on.
    fn lose_node(&mut self) {
        self.node = None;
    }

    /// A program that asks the controller, or submits.
    fn client(&self, program: &str, words: &[&str]) -> Command {
        let mut command = Command::new(program);
        command.args(words).env("SLURM_CONF", self.folder.path().join("slurm.conf"));
        command.env("TMD", program::TMD).current_dir(self.folder.path());
        command
    }

    /// Submits the script for the shards of a run.
    fn submit(&self, run: &str, array: &str) -> String {
        let script = script("slurm/tmd.sbatch");
        let array = format!("--array={array}");
        let words = ["--parsable", "--cpus-per-task=1", &array, script.to_str().unwrap(), run];
        done(&mut self.client("sbatch", &words)).trim().to_owned()
    }

    /// The states of a job's tasks that are not over, by their indices.
    fn tasks(&self, job: &str) -> Vec<(String, String)> {
        let words = ["--noheader", "--array", "--format=%K %T", "--jobs", job];
        let listed = Answer::of(&mut self.client("squeue", &words));
        let task =
            |line: &str| line.split_once(' ').map(|(task, state)| (task.to_owned(), state.trim().to_owned()));
        listed.text().lines().filter_map(task).collect()
    }

    /// Slurm holds requeued tasks back for two minutes: these are started now.
    fn hurry(&self, job: &str) {
        for (task, _) in self.tasks(job).iter().filter(|(_, state)| state == "PENDING") {
            // it may have started this moment
            let _ = self
                .client("scontrol", &["update", &format!("jobid={job}_{task}"), "StartTime=now"])
                .output();
        }
    }

    /// The tasks that run.
    fn running(&self, job: &str) -> Vec<String> {
        let running = self.tasks(job).into_iter().filter(|(_, state)| state == "RUNNING");
        running.map(|(task, _)| format!("{job}_{task}")).collect()
    }

    /// Waits for the end of a job: none of its tasks is queued or at work.
    fn wait_for(&self, job: &str) {
        let is_over =
            |(_, state): &(String, String)| ["COMPLETED", "FAILED", "CANCELLED"].contains(&state.as_str());
        wait("the end of the job", || {
            self.hurry(job);
            self.tasks(job).iter().all(is_over)
        });
    }

    /// How often a task was started again.
    fn restarts(&self, task: &str) -> u32 {
        let said = done(&mut self.client("scontrol", &["show", "job", task]));
        said.split_once("Restarts=").unwrap().1.split(' ').next().unwrap().parse().unwrap()
    }
}

impl Drop for Slurm {
    fn drop(&mut self) {
        // steps outlive their daemon
        let _ = self.client("scancel", &["--user", &user()]).output();
        if std::thread::panicking() {
            for log in ["slurmctld.log", "slurmd.log"] {
                let log = fs::read_to_string(self.folder.path().join(log)).unwrap_or_default();
                let lines: Vec<&str> = log.lines().collect();
                eprintln!("{}", lines[lines.len().saturating_sub(30)..].join("\n"));
            }
        }
    }
}

/// The parent of a process: the script of a program, the step's daemon of a script.
fn parent(pid: u32) -> u32 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    status.split_once("PPid:\t").unwrap().1.lines().next().unwrap().parse().unwrap()
}

fn user() -> String {
    done(Command::new("id").arg("-un")).trim().to_owned()
}

fn daemon(command: &mut Command, log: &Path) -> Kept {
    let log = fs::File::create(log).unwrap();
    Kept(command.stdout(log.try_clone().unwrap()).stderr(log).spawn().unwrap())
}

fn configuration(folder: &Path) -> String {
    // free at this moment
    let ports = [0; 2].map(|port| TcpListener::bind(("127.0.0.1", port)).unwrap());
    let [controller, node] = ports.map(|port| port.local_addr().unwrap().port());
    let (folder, user) = (folder.display(), user());
    let host = done(&mut Command::new("hostname")).trim().to_owned();
    format!(
        "ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller}
SlurmdPort={node}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CredType=cred/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
MailProg=/bin/true
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=batch_sched_delay=0,sched_min_interval=0
SlurmdParameters=config_overrides
SlurmdTimeout=5
ReturnToService=2
JobRequeue=1
KillWait=2
NodeName=node NodeHostname={host} NodeAddr=127.0.0.1 CPUs=4 RealMemory=4096 State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"
    )
}

/// Tasks killed and requeued, told that their time is over, and lost with their node; then the
/// merge that depends on them.
#[test]
fn tasks_are_requeued_and_their_node_is_lost() {
    let _alone = alone();
    let (_folder, run) = sharded(6);
    let mut slurm = Slurm::start();
    let job = slurm.submit(&run, "1-6");
    let merge = format!("{} merge {run}", program::TMD);
    let dependency = format!("--dependency=afterok:{job}");
    let merge = done(&mut slurm.client("sbatch", &["--parsable", &dependency, "--wrap", &merge]));
    let merge = merge.trim();

    // one is killed and requeued; one is told that its time is nearly over, as --signal does
    wait("ten results", || results(&run) > 10);
    let tasks = slurm.running(&job);
    done(&mut slurm.client("scontrol", &["requeue", &tasks[0]]));
    // it may try again, as the task may be requeued before it hears of its success
    let _signal = Kept(slurm.client("scancel", &["--batch", "--signal=USR1", &tasks[1]]).spawn().unwrap());
    for task in &tasks[..2] {
        wait("its restart", || slurm.restarts(task) == 1);
    }
    let are_back = |slurm: &Slurm| tasks[..2].iter().all(|task| slurm.running(&job).contains(task));
    wait("their return", || {
        slurm.hurry(&job);
        are_back(&slurm)
    });

    // the node is lost: its daemon, the daemons of its steps, and all that runs there but one
    // process, which knows nothing of it
    let lost: Vec<(String, u32)> =
        slurm.running(&job).into_iter().map(|task| (task.clone(), slurm.restarts(&task))).collect();
    wait("their work", || Process::of(Path::new(program::TMD), &run).len() > 1);
    slurm.lose_node();
    let workers = Process::of(Path::new(program::TMD), &run);
    for worker in &workers {
        kill(parent(parent(worker.pid)));
    }
    for worker in &workers[1..] {
        kill(worker.pid);
    }
    let units = status(&run)["units"].as_u64().unwrap() as usize;
    assert!(results(&run) < units, "lost in the midst");
    wait("the loss of the node", || slurm.running(&job).is_empty());
    assert!(
        lost.iter().any(|(task, before)| slurm.restarts(task) > *before),
        "requeued for the loss of the node"
    );
    slurm.start_node();
    slurm.wait_for(&job);
    slurm.wait_for(merge);
    assert_eq!(results(&run), units);
    assert_eq!(status(&run)["finished"], units, "all is merged");
    assert!(exported(&run) == expected());
}
