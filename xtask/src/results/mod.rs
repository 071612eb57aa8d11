//! `cargo xtask results`: the data set in `results/`, computed, verified and written, one function
//! after the other.
//!
//! * [`jobs`]: what there is to compute; [`large`]: large arguments of sin, cos and tan, binade by
//!   binade; [`record`]: what it took; [`files`]: what is written of a certificate;
//! * [`checked`]: all of it verified and written again, and the record of that;
//! * [`compare`]: published worst cases beside ours; [`theirs`]: lists of others against ours;
//! * [`index`]: the table of what is there; [`page`]: the page of it; [`sums`]: checksums;
//!   [`former`]: what was there before; [`unfinished`]: runs to be gone on with elsewhere.
//!
//! A job is a run directory below `runs/`, which git ignores: it goes on wherever it was stopped.
//! With `--hours`, what is not finished then is kept in `results/unfinished`, for other machines.
//! When it is complete its certificate is verified and written with its lists, and the job is done
//! for good: what is in `results/` is never computed again.

mod checked;
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
mod theirs;
mod unfinished;

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Stdio},
    thread::{sleep, spawn},
    time::{Duration, Instant},
};

use crate::{
    prerequisites,
    run::{Failure, be_nice_to_other_sessions, capture, cargo, execute, root, say, target_directory, typed},
};
use jobs::Job;
pub(crate) use large::Large;
pub(crate) use unfinished::LEDGER;

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
    /// compute what is there again
    again: bool,
    /// the part of what was searched that `--check` searches again, as `tmd verify` takes it
    share: String,
    /// whether a GPU walks families again then that lanes walked
    by_gpu: bool,
    /// a folder of lists of others, and where they come from
    theirs: Option<PathBuf>,
    source: Option<String>,
    /// their lists are excerpts
    excerpt: bool,
    action: Action,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Action {
    Compute,
    /// Print the jobs, what is done and what the rest takes.
    List,
    /// Verify what is there, and write what is written of it a second time.
    Check,
    /// Write the lists again, of the certificates.
    Lists,
    /// Write the index again.
    Index,
    /// Compare with published worst cases.
    Compare,
}

impl Results {
    /// From `[FUNCTION...] [--format F,...] [--hours H] [--nice N] [--threads T] [--program FILE]
    /// [--again|--list|--check [--share S] [--backend cpu|gpu]|--lists|--index|--compare [--theirs
    /// FOLDER --source TEXT [--excerpt]]]`; or what is wrong with them.
    pub(crate) fn parse(arguments: &[String]) -> Result<Self, String> {
        let mut results = Self {
            functions: Vec::new(),
            formats: Vec::new(),
            hours: None,
            nice: 10,
            threads: None,
            program: None,
            again: false,
            share: "0.1".into(),
            by_gpu: false,
            theirs: None,
            source: None,
            excerpt: false,
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
                "--again" => results.again = true,
                "--share" => {
                    let share = value()?;
                    let number = share.parse().ok().filter(|share: &f64| *share > 0.0 && *share <= 1.0);
                    number.ok_or("--share takes a number above 0 and up to 1, such as 0.1")?;
                    results.share.clone_from(share);
                }
                "--backend" => {
                    results.by_gpu = match value()?.as_str() {
                        "cpu" => false,
                        "gpu" => true,
                        other => return Err(format!("--backend takes cpu or gpu, not `{other}`")),
                    }
                }
                "--theirs" => results.theirs = Some(value()?.into()),
                "--source" => results.source = Some(value()?.clone()),
                "--excerpt" => results.excerpt = true,
                "--list" => results.action = Action::List,
                "--lists" => results.action = Action::Lists,
                "--check" => results.action = Action::Check,
                "--index" => results.action = Action::Index,
                "--compare" => results.action = Action::Compare,
                word if word.starts_with('-') => return Err(format!("no option `{word}`")),
                function => results.functions.push(function.to_owned()),
            }
        }
        if results.again && (results.functions.is_empty() || results.action != Action::Compute) {
            return Err("--again takes the functions that are to be computed again".into());
        }
        if results.by_gpu && results.action != Action::Check {
            return Err("--backend gpu goes with --check: it says who looks again".into());
        }
        if results.excerpt && results.theirs.is_none() {
            return Err("--excerpt goes with --theirs FOLDER: the lists there are not whole".into());
        }
        if results.theirs.is_some() != results.source.is_some() {
            return Err("--theirs FOLDER goes with --source TEXT, which says whose lists they are".into());
        }
        Ok(results)
    }

    /// Does it.
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let mut jobs = jobs::jobs(&self.functions, &self.formats)?;
        for job in &mut jobs {
            job.again = self.again;
        }
        let tool = Tool::new(self.program.as_deref(), self.nice)?;
        match self.action {
            Action::Compute => self.compute(&tool, &jobs),
            Action::List => list(&tool, &jobs),
            Action::Check => {
                let how = checked::How { share: &self.share, by_gpu: self.by_gpu };
                checked::check(&tool, &jobs, how, deadline(self.hours))
            }
            Action::Lists => files::write_lists(&tool, &jobs),
            Action::Compare => {
                if let Some((folder, text)) = self.theirs.as_ref().zip(self.source.clone()) {
                    let source = theirs::Source { text, is_whole: !self.excerpt };
                    theirs::count(&tool, folder, &source, &self.functions)?;
                }
                summarize(&tool)
            }
            Action::Index => summarize(&tool),
        }
    }

    fn compute(&self, tool: &Tool, jobs: &[Job]) -> Result<(), Failure> {
        let deadline = deadline(self.hours);
        let is_over = || deadline.is_some_and(|deadline| Instant::now() >= deadline);
        let (mut failed, mut is_left) = (Vec::new(), false);
        for (number, job) in jobs.iter().enumerate() {
            if is_done(job) && !job.again {
                continue;
            }
            let is_begun = !is_over();
            let is_complete = if is_begun { self.search(tool, job, deadline) } else { Ok(false) };
            let finished = is_complete.and_then(|is_complete| {
                if is_complete {
                    files::finish(tool, job)?;
                    summarize(tool)?;
                }
                Ok(is_complete)
            });
            match finished {
                Ok(true) => {}
                Ok(false) => {
                    let left: Vec<String> = jobs[number..].iter().map(Job::stem).collect();
                    let how =
                        if self.again { "the same command with these functions" } else { "the same command" };
                    if is_begun && let Err(failure) = unfinished::keep(tool, job) {
                        println!("{failure}");
                    }
                    println!("time is over; {how} goes on with {}", left.join(", "));
                    summarize(tool)?;
                    is_left = true;
                    break;
                }
                // others may do better
                Err(failure) => {
                    println!("{}: {failure}", job.stem());
                    failed.push(job.stem());
                }
            }
        }
        if !failed.is_empty() {
            return Err(Failure::step(format!("there is no result of {}, see above", failed.join(", "))));
        }
        if is_left {
            return Ok(());
        }
        println!("all of it is there: {}", root().join("results/README.md").display());
        Ok(())
    }

    /// Searches a job to its end, or to the deadline: whether it is complete.
    fn search(&self, tool: &Tool, job: &Job, deadline: Option<Instant>) -> Result<bool, Failure> {
        let threads = self.threads.map(|threads| vec!["--threads".into(), threads.to_string()]);
        let threads = threads.unwrap_or_default();
        let is_fetched = unfinished::fetch(tool, job)?;
        let search = || search(tool, &run_directory(job), &job.question(), &threads, deadline);
        match search() {
            Err(_) if is_fetched && unfinished::leave(job)? => search(),
            other => other,
        }
    }
}

/// When a command that may take so many hours is to stop.
fn deadline(hours: Option<f64>) -> Option<Instant> {
    hours.map(|hours| Instant::now() + Duration::from_secs_f64(hours * 3600.0))
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
    let is_first = !run.join(unfinished::LEDGER).is_file();
    if is_first {
        fs::create_dir_all(root().join("runs")).map_err(|error| failure(run, &error))?;
        command.arg("solve").args(question).arg("--run").arg(run);
    } else {
        command.arg("resume").arg(run);
    }
    command.args(how);
    println!("$ {}", typed(&command));
    let session = record::Session::begin(run, is_first)?;
    let mut child = command.spawn().map_err(not_started)?;
    let (status, _) = wait(&mut child, deadline, interrupt)?;
    session.end(threads_of(how))?;
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

/// How a verification ended.
#[derive(Debug, PartialEq)]
enum Verified {
    /// what the program said
    Holds(String),
    /// how it was called, and how it ended
    Fails(String),
    /// the time was over
    Stopped,
}

/// The program, and how it is run.
struct Tool {
    binary: PathBuf,
    nice: u32,
}

impl Tool {
    /// This program, or the one that is built.
    fn new(program: Option<&Path>, nice: u32) -> Result<Self, Failure> {
        be_nice_to_other_sessions(nice);
        if let Some(program) = program {
            return Ok(Self { binary: program.to_owned(), nice });
        }
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

    /// Verifies a certificate: what the program said. One that holds as far as it goes (exit code
    /// 3), over a part of the format or searched again in samples, is what jobs over a part of the
    /// numbers ask for. Of a job over all numbers it must at least cover all of them: what then is
    /// left are searches of which only samples were made again, and units of which only another
    /// search says more, and the program names them.
    fn verify(&self, certificate: &Path, how: &[&str], is_whole: bool) -> Result<String, Failure> {
        match self.verify_until(certificate, how, is_whole, None)? {
            Verified::Holds(said) => Ok(said),
            Verified::Fails(why) => Err(Failure::step(why)),
            Verified::Stopped => Err(Failure::step("a verification without a deadline reached it")),
        }
    }

    /// The same, up to a deadline; an error says nothing of the certificate.
    fn verify_until(
        &self,
        certificate: &Path,
        how: &[&str],
        is_whole: bool,
        deadline: Option<Instant>,
    ) -> Result<Verified, Failure> {
        let mut command = self.command();
        command.arg("verify").arg(certificate).args(how).stdout(Stdio::piped());
        println!("$ {}", typed(&command));
        let mut child = command.spawn().map_err(not_started)?;
        // a pipe that nobody reads is full some time
        let pipe = child.stdout.take();
        let reader = spawn(move || pipe.map_or_else(|| Ok(String::new()), std::io::read_to_string));
        let (status, is_stopped) = wait(&mut child, deadline, kill)?;
        if is_stopped {
            return Ok(Verified::Stopped);
        }
        let said = reader.join().map_err(|_| Failure::step("nothing read what tmd says"))?;
        let said = said.map_err(|error| failure(certificate, &error))?;
        print!("{said}");
        let how = format!("`{}`: {status}", typed(&command));
        match status.code() {
            Some(0) => Ok(Verified::Holds(said)),
            Some(3) if !is_whole || is_covered(&said) => Ok(Verified::Holds(said)),
            Some(3) => Ok(Verified::Fails(how)),
            Some(1) if said.lines().any(|line| line.contains(" does NOT hold: ")) => Ok(Verified::Fails(how)),
            _ => Err(Failure::step(how)),
        }
    }
}

/// Whether a verification says that all numbers of the format are covered.
fn is_covered(said: &str) -> bool {
    let has = |word: &str| said.lines().any(|line| line.starts_with(word));
    has("complete for every number of ") && !has("NOT COVERED") && !has("NOT COMPLETE")
}

/// What a verification could not check.
fn unchecked(said: &str) -> impl Iterator<Item = &str> {
    said.lines().filter_map(|line| line.strip_prefix("NOT CHECKED: "))
}

/// Waits for the end of a program, which is told to stop when the deadline comes: how it ended, and
/// whether it was told so.
fn wait(
    child: &mut Child,
    deadline: Option<Instant>,
    stop: impl FnOnce(&mut Child) -> Result<(), Failure>,
) -> Result<(ExitStatus, bool), Failure> {
    let failed = |error| Failure::step(format!("cannot wait for tmd: {error}"));
    loop {
        if let Some(status) = child.try_wait().map_err(failed)? {
            return Ok((status, false));
        }
        if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            stop(child)?;
            return Ok((child.wait().map_err(failed)?, true));
        }
        sleep(Duration::from_millis(200));
    }
}

/// Ends a program that loses nothing by it.
fn kill(child: &mut Child) -> Result<(), Failure> {
    child.kill().map_err(|error| Failure::step(format!("cannot stop tmd: {error}")))
}

/// Asks a search to stop, as Ctrl-C does: what is finished is kept.
fn interrupt(child: &mut Child) -> Result<(), Failure> {
    if cfg!(unix) {
        execute(Command::new("kill").args(["-INT", &child.id().to_string()]))
    } else {
        // a run directory survives that
        kill(child)
    }
}

/// Writes what is said of all certificates together; an alarm comes last.
fn summarize(tool: &Tool) -> Result<(), Failure> {
    let write = |made: fn() -> Result<(PathBuf, String), Failure>| {
        let (path, text) = made()?;
        fs::write(&path, text).map_err(|error| failure(&path, &error))
    };
    write(record::made)?;
    let compared = compare::write(tool);
    // checksums are of all else
    for made in [index::made, page::made, sums::made] {
        write(made)?;
    }
    compared
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
            let hours = record::planned_seconds(tool, &job.question())? / 3600.0;
            left += hours;
            let kept = unfinished::units_of(&root().join("results"), job);
            let begun = match kept {
                Some(units) => format!("{units} are kept; in all "),
                None if run_directory(job).is_dir() => "begun, in all ".into(),
                None => String::new(),
            };
            format!("{begun}{hours:.2} core-hours by the plan")
        };
        say(&format_args!("{:<20} {:<22} {state}", job.stem(), job.domain()))?;
    }
    say(&format_args!("{left:.1} core-hours left by the plan"))
}

fn failure(path: &Path, error: &std::io::Error) -> Failure {
    Failure::step(format!("{}: {error}", path.display()))
}

#[expect(clippy::needless_pass_by_value, reason = "what `map_err` takes")]
fn not_started(error: std::io::Error) -> Failure {
    Failure::step(format!("cannot start tmd: {error}"))
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
        assert_eq!(parse("--check").unwrap().share, "0.1");
        assert_eq!(parse("--check --share 1").unwrap().share, "1");
        assert!(parse("--check --backend gpu").unwrap().by_gpu && !parse("--check").unwrap().by_gpu);
        assert!(parse("erf --format binary64 --again").unwrap().again);
        let theirs = parse("--compare --theirs a/b --source someone").unwrap();
        assert_eq!((theirs.theirs, theirs.source), (Some("a/b".into()), Some("someone".into())));
        for wrong in ["--hours", "--hours -1", "--hours x", "--nice 20", "--threads 0", "--what"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
        for wrong in [
            "--again",
            "erf --again --check",
            "--share 0",
            "--share 1.5",
            "--check --backend hybrid",
            "exp --backend gpu",
            "--compare --theirs a",
            "--compare --excerpt",
            "--source b",
        ] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
        let unknown = parse("sine").unwrap().run().unwrap_err();
        assert_eq!(unknown.exit_code(), 2);
    }

    /// What holds as far as it goes does not hold for all numbers; a program that says so stands
    /// for ours.
    #[cfg(unix)]
    #[test]
    fn exit_codes_of_verifications() {
        let (unchecked, whole) = ("NOT CHECKED: 6 units", "complete for every number of binary64");
        for (code, says, of_a_part, of_all) in [
            (0, "", true, true),
            (3, "", true, false),
            (3, "complete for 2^-1 <= |x| < 1", true, false),
            (3, "NOT COVERED: a; NOT COMPLETE for every number of binary64", true, false),
            (3, unchecked, true, false),
            (3, whole, true, true),
            (1, whole, false, false),
        ] {
            let (tool, folder) = scripted(&format!("echo checked: $1; echo '{says}'; exit {code}"));
            let verify = |is_whole| tool.verify(Path::new("a.json"), &[], is_whole);
            let said = of_a_part.then(|| format!("checked: a.json\n{says}\n"));
            assert_eq!(verify(false).ok(), said, "{code} {says}");
            assert_eq!(verify(true).is_ok(), of_all, "{code} {says}");
            fs::remove_dir_all(&folder).unwrap();
        }
        let said = format!("checked: a\n{unchecked}\n{whole}\n");
        assert_eq!(super::unchecked(&said).collect::<Vec<_>>(), ["6 units"]);
    }

    /// A verification that is not over when the time is says nothing, and is ended.
    #[cfg(unix)]
    #[test]
    fn verifications_stop_when_the_time_is_over() {
        let (tool, folder) = scripted("echo complete; exec sleep 100000");
        let verify = |deadline| tool.verify_until(Path::new("a.json"), &[], false, Some(deadline));
        assert_eq!(verify(Instant::now()).unwrap(), Verified::Stopped);
        fs::remove_dir_all(&folder).unwrap();
        let (tool, folder) = scripted("echo complete");
        let verify = |deadline| tool.verify_until(Path::new("a.json"), &[], false, Some(deadline));
        let later = Instant::now() + Duration::from_secs(100_000);
        assert_eq!(verify(later).unwrap(), Verified::Holds("complete\n".into()));
        fs::remove_dir_all(&folder).unwrap();
    }

    /// A program that fails says nothing of a certificate.
    #[cfg(unix)]
    #[test]
    fn verifications_that_fail() {
        for (script, is_a_verdict) in [
            ("echo 'a.json does NOT hold: one thing is wrong'; exit 1", true),
            ("exit 1", false),
            ("echo 'a.json does NOT hold: one thing is wrong'; kill -9 $$", false),
            ("exit 2", false),
            ("exit 127", false),
            ("exit 130", false),
        ] {
            let (tool, folder) = scripted(script);
            let verified = tool.verify_until(Path::new("a.json"), &[], true, None);
            assert_eq!(matches!(verified, Ok(Verified::Fails(_))), is_a_verdict, "{script}");
            assert_eq!(verified.is_err(), !is_a_verdict, "{script}");
            fs::remove_dir_all(&folder).unwrap();
        }
    }

    /// A program that runs this script in place of `tmd verify FILE`, and the folder it is in.
    #[cfg(unix)]
    fn scripted(script: &str) -> (Tool, PathBuf) {
        use std::sync::atomic::{AtomicU32, Ordering};
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("tmd-verify-{}-{number}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        // run as `sh verify FILE`, in the folder of a script of that name
        fs::write(folder.join("verify"), format!("{script}\n")).unwrap();
        let program = format!("#!/bin/sh\ncd {}\nexec sh \"$@\"\n", folder.display());
        fs::write(folder.join("tmd"), program).unwrap();
        execute(Command::new("chmod").arg("+x").arg(folder.join("tmd"))).unwrap();
        (Tool { binary: folder.join("tmd"), nice: 0 }, folder)
    }
}
