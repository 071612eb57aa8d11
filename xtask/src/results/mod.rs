//! `cargo xtask results`: the data set in `results/`, computed, verified and written, one function
//! after the other.
//!
//! * [`jobs`]: what there is to compute; [`large`]: large arguments of sin, cos and tan, binade by
//!   binade; [`record`]: what it took; [`files`]: what is written of a certificate, and checked;
//!   [`compare`]: published worst cases beside ours; [`index`]: the table of what is there;
//!   [`page`]: the page of it; [`sums`]: checksums; [`former`]: what was there before.
//!
//! A job is a run directory below `runs/`, which git ignores: it goes on wherever it was stopped.
//! When it is complete its certificate is verified and written with its lists, and the job is done
//! for good: what is in `results/` is never computed again.

mod compare;
#[cfg(test)]
mod data;
mod files;
mod former;
mod index;
mod jobs;
mod large;
mod page;
mod record;
mod sums;

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Child, Command},
    thread::sleep,
    time::{Duration, Instant},
};

use crate::{
    prerequisites,
    run::{Failure, capture, cargo, execute, root, target_directory, typed},
};
use jobs::Job;
pub(crate) use large::Large;

/// What `cargo xtask results` is told.
#[derive(Debug, PartialEq)]
pub(crate) struct Results {
    functions: Vec<String>,
    formats: Vec<String>,
    /// hours after which it stops, wherever it is
    hours: Option<f64>,
    /// niceness of the searches
    nice: u32,
    threads: Option<u32>,
    /// the program, if it is not to be built
    program: Option<PathBuf>,
    action: Action,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Action {
    Compute,
    /// Print the jobs, what is done and what the rest takes.
    List,
    /// Verify what is there, and write its lists a second time.
    Check,
    /// Write the lists again, of the certificates.
    Lists,
    /// Write the index again.
    Index,
    /// Compare with published worst cases.
    Compare,
}

impl Results {
    /// From
    /// `[FUNCTION...] [--format F,...] [--hours H] [--nice N]
    /// [--threads T] [--program FILE] [--list|--check|--lists|--index|--compare]`;
    /// what is wrong otherwise.
    pub(crate) fn parse(arguments: &[String]) -> Result<Self, String> {
        let mut results = Self {
            functions: Vec::new(),
            formats: Vec::new(),
            hours: None,
            nice: 10,
            threads: None,
            program: None,
            action: Action::Compute,
        };
        let mut arguments = arguments.iter();
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().ok_or(format!("{argument} takes a value"));
            match argument.as_str() {
                "--format" => results.formats.extend(value()?.split(',').map(str::to_owned)),
                "--hours" => {
                    let hours = value()?.parse().ok().filter(|hours: &f64| hours.is_finite() && *hours > 0.0);
                    results.hours = Some(hours.ok_or("--hours takes a number of hours, such as 8 or 0.5")?);
                }
                "--nice" => {
                    let nice = value()?.parse().ok().filter(|nice| *nice <= 19);
                    results.nice = nice.ok_or("--nice takes a number from 0 to 19")?;
                }
                "--threads" => {
                    let threads = value()?.parse().ok().filter(|threads| *threads > 0);
                    results.threads = Some(threads.ok_or("--threads takes a number from 1 on")?);
                }
                "--program" => results.program = Some(value()?.into()),
                "--list" => results.action = Action::List,
                "--lists" => results.action = Action::Lists,
                "--check" => results.action = Action::Check,
                "--index" => results.action = Action::Index,
                "--compare" => results.action = Action::Compare,
                word if word.starts_with('-') => return Err(format!("no option `{word}`")),
                function => results.functions.push(function.to_owned()),
            }
        }
        Ok(results)
    }

    /// Does it.
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let jobs = jobs::jobs(&self.functions, &self.formats)?;
        if self.action == Action::Index {
            return summarize();
        }
        let tool = match &self.program {
            Some(binary) => Tool { binary: binary.clone(), nice: self.nice },
            None => Tool::built(self.nice)?,
        };
        match self.action {
            Action::Compute => self.compute(&tool, &jobs),
            Action::List => list(&tool, &jobs),
            Action::Check => files::check(&tool, &jobs),
            Action::Lists => files::write_lists(&tool, &jobs),
            Action::Compare => compare::write(&tool),
            Action::Index => Ok(()),
        }
    }

    fn compute(&self, tool: &Tool, jobs: &[Job]) -> Result<(), Failure> {
        let deadline = self.hours.map(|hours| Instant::now() + Duration::from_secs_f64(hours * 3600.0));
        let is_over = || deadline.is_some_and(|deadline| Instant::now() >= deadline);
        for job in jobs {
            if is_done(job) {
                continue;
            }
            if is_over() || !self.search(tool, job, deadline)? {
                println!("time is over; the same command goes on with {}", job.stem());
                return Ok(());
            }
            files::finish(tool, job)?;
            summarize()?;
        }
        println!("all of it is there: {}", root().join("results/README.md").display());
        Ok(())
    }

    /// Searches a job to its end, or to the deadline: whether it is complete.
    fn search(&self, tool: &Tool, job: &Job, deadline: Option<Instant>) -> Result<bool, Failure> {
        let threads = self.threads.map(|threads| vec!["--threads".into(), threads.to_string()]);
        search(tool, &run_directory(job), &job.question(), &threads.unwrap_or_default(), deadline)
    }
}

/// Begins a run of a question, or goes on with it, to its end or to the deadline: whether it is
/// complete.
fn search(
    tool: &Tool,
    run: &Path,
    question: &[String],
    how: &[String],
    deadline: Option<Instant>,
) -> Result<bool, Failure> {
    let mut command = tool.command();
    if run.join("ledger.sqlite").is_file() {
        command.arg("resume").arg(run);
    } else {
        fs::create_dir_all(root().join("runs")).map_err(|error| failure(run, &error))?;
        command.arg("solve").args(question).arg("--run").arg(run);
    }
    command.args(how);
    println!("$ {}", typed(&command));
    let (before, began) = (record::children_seconds(), Instant::now());
    let mut child = command.spawn().map_err(|error| Failure::step(format!("cannot start tmd: {error}")))?;
    let status = loop {
        if let Some(status) = child.try_wait().map_err(|error| failure(run, &error))? {
            break status;
        }
        if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            interrupt(&mut child)?;
            break child.wait().map_err(|error| failure(run, &error))?;
        }
        sleep(Duration::from_millis(200));
    };
    record::add_seconds(run, before, began.elapsed().as_secs_f64(), threads_of(how))?;
    match status.code() {
        Some(0) => Ok(true),
        // interrupted: what was finished is kept
        Some(130) => Ok(false),
        _ => Err(Failure::step(format!("`{}`: {status}", typed(&command)))),
    }
}

/// Threads of a search that is told this: by itself it takes one per core.
fn threads_of(how: &[String]) -> u32 {
    let told = how.windows(2).find(|words| words[0] == "--threads").and_then(|words| words[1].parse().ok());
    told.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, |cores| cores.get() as u32))
}

/// The program, and how it is run.
struct Tool {
    binary: PathBuf,
    nice: u32,
}

impl Tool {
    fn built(nice: u32) -> Result<Self, Failure> {
        prerequisites::ensure()?;
        execute(&mut cargo(&["build", "--release", "--package", "tmd-cli", "--bin", "tmd"]))?;
        let binary = target_directory()?.join("release").join(format!("tmd{}", std::env::consts::EXE_SUFFIX));
        Ok(Self { binary, nice })
    }

    fn command(&self) -> Command {
        if cfg!(unix) && self.nice > 0 {
            let mut command = Command::new("nice");
            command.args(["-n", &self.nice.to_string()]).arg(&self.binary);
            command
        } else {
            Command::new(&self.binary)
        }
    }

    fn run(&self, arguments: &[&str]) -> Result<(), Failure> {
        let mut command = self.command();
        command.args(arguments);
        println!("$ {}", typed(&command));
        execute(&mut command)
    }

    /// Verifies a certificate. One that holds as far as it goes (exit code 3), over a part of the
    /// format or with units of which only another search says more, is what some jobs ask for; the
    /// program says what was not checked.
    fn verify(&self, certificate: &Path, how: &[&str]) -> Result<(), Failure> {
        let mut command = self.command();
        command.arg("verify").arg(certificate).args(how);
        println!("$ {}", typed(&command));
        let status = command.status().map_err(|error| failure(certificate, &error))?;
        match status.code() {
            Some(0 | 3) => Ok(()),
            _ => Err(Failure::step(format!("`{}`: {status}", typed(&command)))),
        }
    }
}

/// Asks a search to stop, as Ctrl-C does: what is finished is kept.
fn interrupt(child: &mut Child) -> Result<(), Failure> {
    if cfg!(unix) {
        execute(Command::new("kill").args(["-INT", &child.id().to_string()]))
    } else {
        // a run directory survives that
        child.kill().map_err(|error| Failure::step(format!("cannot stop tmd: {error}")))
    }
}

/// Writes what is said of all certificates together.
fn summarize() -> Result<(), Failure> {
    index::write()?;
    page::write()?;
    sums::write()
}

fn certificate_of(job: &Job) -> PathBuf {
    root().join("results").join(format!("{}.json.zst", job.stem()))
}

fn is_done(job: &Job) -> bool {
    certificate_of(job).is_file()
}

fn run_directory(job: &Job) -> PathBuf {
    root().join("runs").join(job.run_name())
}

/// Prints what is done, what is begun and what the rest takes.
fn list(tool: &Tool, jobs: &[Job]) -> Result<(), Failure> {
    let mut left = 0.0;
    for job in jobs {
        let state = if is_done(job) {
            "done".into()
        } else {
            let hours = record::planned_seconds(tool, job)? / 3600.0;
            left += hours;
            let begun = if run_directory(job).is_dir() { "begun, in all " } else { "" };
            format!("{begun}{hours:.2} core-hours by the plan")
        };
        println!("{:<20} {:<22} {state}", job.stem(), job.domain());
    }
    println!("{left:.1} core-hours left by the plan");
    Ok(())
}

fn failure(path: &Path, error: &std::io::Error) -> Failure {
    Failure::step(format!("{}: {error}", path.display()))
}

/// The standard output of the program.
fn said(tool: &Tool, arguments: &[String]) -> Result<String, Failure> {
    let mut command = tool.command();
    command.args(arguments);
    capture(&mut command)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said() {
        let parse =
            |line: &str| Results::parse(&line.split_whitespace().map(str::to_owned).collect::<Vec<_>>());
        let results = parse("exp log --format binary32,x87 --hours 0.5 --nice 19 --threads 2").unwrap();
        assert_eq!((results.functions.len(), results.formats.len()), (2, 2));
        assert_eq!((results.hours, results.nice, results.threads), (Some(0.5), 19, Some(2)));
        assert_eq!(results.action, Action::Compute);
        assert_eq!(parse("--check").unwrap().action, Action::Check);
        assert_eq!(parse("--compare").unwrap().action, Action::Compare);
        for wrong in ["--hours", "--hours -1", "--hours x", "--nice 20", "--threads 0", "--what"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
        let unknown = parse("sine").unwrap().run().unwrap_err();
        assert_eq!(unknown.exit_code(), 2);
    }
}
