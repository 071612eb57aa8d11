//! `cargo xtask solve-large`: large binary64 arguments of sin, cos and tan, some binades after the
//! others.
//!
//! A job is a function over one binade, or over consecutive ones of a block of four, which take
//! less time together (Theorem L.10 of docs/proofs/lattice3.md); where there is a GPU, of eight
//! blocks. Its run directory is below `runs/`; what it leaves are
//! `results/large/FUNCTION/NAME.json.zst`, a verified certificate, and `NAME.csv`, the hardest of
//! its cases, NAME being `1023` or `1016-1019`, first and last; and a row of `results/effort.csv`.
//! Where the certificate is, the job is done. Certificates that are made elsewhere may be of any
//! consecutive binades.

use std::{
    fmt::Write as _,
    fs,
    io::ErrorKind,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use super::{
    Tool, failure,
    record::{self, LARGE, Record, Subject},
    said, search,
};
use crate::run::{Failure, capture, root, say};

const FUNCTIONS: [&str; 3] = ["sin", "cos", "tan"];

/// Cases of a binade in the tables of the hardest.
const PER_BINADE: &str = "20";

/// Exponents from where on arguments are searched all at once, and where those of binary64 end.
const BINADES: (i32, i32) = (13, 1024);

/// Binades of a block; blocks end where the format does.
const BLOCK: i32 = 4;

/// Blocks of a run on a GPU, side by side: one by itself keeps it busy for half of the time.
const BLOCKS_OF_A_GPU: i32 = 8;

/// Cases are nearer to a breakpoint than 2^-44 ulp.
const EXTRA_BITS: &str = "44";

/// Around the table of the page.
const MARKS: (&str, &str) = ("<!-- begin of the table -->\n", "<!-- end of the table -->\n");

/// What `cargo xtask solve-large` is told.
#[derive(Debug, PartialEq)]
pub(crate) struct Large {
    functions: Vec<&'static str>,
    binades: (i32, i32),
    hours: Option<f64>,
    nice: u32,
    threads: Option<u32>,
    backend: String,
    /// the program, if it is not to be built
    program: Option<PathBuf>,
    action: Action,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Action {
    Compute,
    /// these certificates, made elsewhere
    Import(Vec<PathBuf>),
    List,
    Page,
}

/// A function over the arguments of consecutive binades.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Job {
    function: &'static str,
    /// the first …
    binade: i32,
    /// … and the last one
    last: i32,
}

impl Job {
    /// What its files are named by.
    fn name(self) -> String {
        let Self { binade, last, .. } = self;
        if binade == last { binade.to_string() } else { format!("{binade}-{last}") }
    }

    /// By the name of its certificate.
    fn named(function: &'static str, file: &str) -> Option<Self> {
        let name = file.strip_suffix(".json.zst")?;
        let (binade, last) = name.split_once('-').unwrap_or((name, name));
        let job = Self { function, binade: binade.parse().ok()?, last: last.parse().ok()? };
        let is_one = BINADES.0 <= job.binade && job.binade <= job.last && job.last < BINADES.1;
        (is_one && job.name() == name).then_some(job)
    }

    fn run(self) -> PathBuf {
        root().join("runs").join(format!("large-{}-{}", self.function, self.name()))
    }

    /// Its files below `results/`, without an ending.
    pub(super) fn stem(self) -> String {
        format!("large/{}/{}", self.function, self.name())
    }

    pub(super) fn file(self, ending: &str) -> PathBuf {
        root().join("results").join(format!("{}.{ending}", self.stem()))
    }

    fn subject(self) -> Subject {
        Subject {
            format: format!("binary64{LARGE}"),
            function: self.function,
            domain: format!("2^{} <= abs(x) < 2^{}", self.binade, self.last + 1),
            extra_bits: EXTRA_BITS.parse().unwrap_or_default(),
            question: self.question(),
        }
    }

    fn question(self) -> Vec<String> {
        let binades = format!("--binades={}..{}", self.binade, self.last + 1);
        [self.function, "--format", "binary64", "--extra-bits", EXTRA_BITS, &binades].map(Into::into).to_vec()
    }
}

/// The jobs of a function that are done, from the smallest arguments on.
fn jobs_done(function: &'static str) -> Result<Vec<Job>, Failure> {
    let folder = root().join("results/large").join(function);
    let entries = match fs::read_dir(&folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(|error| failure(&folder, &error))?,
    };
    let mut jobs = Vec::new();
    for entry in entries {
        let name = entry.map_err(|error| failure(&folder, &error))?.file_name();
        jobs.extend(name.to_str().and_then(|name| Job::named(function, name)));
    }
    jobs.sort_by_key(|job| (job.binade, job.last));
    Ok(jobs)
}

/// The jobs that are left of some binades, of which some are done: those of so many blocks
/// together.
fn jobs_left(function: &'static str, (from, to): (i32, i32), done: &[Job], blocks: i32) -> Vec<Job> {
    let is_done = |binade: i32| done.iter().any(|job| (job.binade..=job.last).contains(&binade));
    let block = |binade: i32| (BINADES.1 - 1 - binade) / (BLOCK * blocks);
    let mut jobs: Vec<Job> = Vec::new();
    for binade in (from..to).filter(|binade| !is_done(*binade)) {
        match jobs.last_mut() {
            Some(job) if job.last + 1 == binade && block(job.last) == block(binade) => job.last = binade,
            _ => jobs.push(Job { function, binade, last: binade }),
        }
    }
    jobs
}

impl Large {
    /// From
    /// `[FUNCTION...] [--binades A..B] [--hours H] [--nice N] [--threads T]
    /// [--backend WHO] [--program FILE] [--import CERTIFICATE]... [--list|--page]`;
    /// what is wrong otherwise.
    pub(crate) fn parse(arguments: &[String]) -> Result<Self, String> {
        let mut large = Self {
            functions: Vec::new(),
            binades: BINADES,
            hours: None,
            nice: 10,
            threads: None,
            backend: "auto".into(),
            program: None,
            action: Action::Compute,
        };
        let mut arguments = arguments.iter();
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().ok_or(format!("{argument} takes a value"));
            match argument.as_str() {
                "--binades" => {
                    large.binades = binades(value()?).ok_or_else(|| {
                        format!("--binades takes A..B with {} ≤ A < B ≤ {}", BINADES.0, BINADES.1)
                    })?;
                }
                "--hours" => {
                    let hours = value()?.parse().ok().filter(|hours: &f64| hours.is_finite() && *hours > 0.0);
                    large.hours = Some(hours.ok_or("--hours takes a number of hours, such as 8 or 0.5")?);
                }
                "--nice" => {
                    let nice = value()?.parse().ok().filter(|nice| *nice <= 19);
                    large.nice = nice.ok_or("--nice takes a number from 0 to 19")?;
                }
                "--threads" => {
                    let threads = value()?.parse().ok().filter(|threads| *threads > 0);
                    large.threads = Some(threads.ok_or("--threads takes a number from 1 on")?);
                }
                "--backend" => {
                    let who =
                        Some(value()?).filter(|who| ["cpu", "gpu", "hybrid", "auto"].contains(&who.as_str()));
                    large.backend.clone_from(who.ok_or("--backend takes cpu, gpu, hybrid or auto")?);
                }
                "--program" => large.program = Some(value()?.into()),
                "--import" => {
                    let file = value()?.into();
                    match &mut large.action {
                        Action::Import(files) => files.push(file),
                        _ => large.action = Action::Import(vec![file]),
                    }
                }
                "--list" => large.action = Action::List,
                "--page" => large.action = Action::Page,
                word if word.starts_with('-') => return Err(format!("no option `{word}`")),
                name => {
                    let known = FUNCTIONS.into_iter().find(|function| *function == name);
                    large
                        .functions
                        .push(known.ok_or(format!("sin, cos and tan are searched, not `{name}`"))?);
                }
            }
        }
        Ok(large)
    }

    /// Does it.
    pub(crate) fn run(&self) -> Result<(), Failure> {
        match &self.action {
            Action::Page => write_page(),
            Action::List => self.list(),
            Action::Import(files) => self.import(files),
            Action::Compute => self.compute(),
        }
    }

    fn functions(&self) -> Vec<&'static str> {
        if self.functions.is_empty() { FUNCTIONS.to_vec() } else { self.functions.clone() }
    }

    fn list(&self) -> Result<(), Failure> {
        let (from, to) = self.binades;
        let functions = self.functions();
        let mut count = 0;
        for &function in &functions {
            let done = jobs_done(function)?;
            for job in done.iter().filter(|job| job.last >= from && job.binade < to) {
                say(&format_args!("{function:<4} [2^{}, 2^{}) done", job.binade, job.last + 1))?;
            }
            let left = jobs_left(function, self.binades, &done, 1);
            count += to - from - left.iter().map(|job| job.last - job.binade + 1).sum::<i32>();
        }
        say(&format_args!("{count} of {} binades are done", (to - from) * functions.len() as i32))
    }

    /// What is left, from both ends: the largest first, then the smallest, and so on; of each the
    /// functions one after the other.
    fn jobs(&self, blocks: i32) -> Result<Vec<Job>, Failure> {
        let left = self.functions().into_iter().map(|function| {
            let left = jobs_left(function, self.binades, &jobs_done(function)?, blocks);
            let (count, half) = (left.len(), left.len().div_ceil(2));
            let (smallest, largest) = left.split_at(count - half);
            let mut ends = Vec::with_capacity(count);
            for k in 0..half {
                ends.extend(largest.get(half - 1 - k));
                ends.extend(smallest.get(k));
            }
            Ok(ends)
        });
        let left = left.collect::<Result<Vec<Vec<Job>>, Failure>>()?;
        let most = left.iter().map(Vec::len).max().unwrap_or(0);
        Ok((0..most).flat_map(|k| left.iter().filter_map(move |jobs| jobs.get(k).copied())).collect())
    }

    /// What a run of a job begins with: a run that goes on has its backend.
    fn asked(&self, job: Job) -> Vec<String> {
        [job.question(), vec!["--backend".to_owned(), self.backend.clone()]].concat()
    }

    /// Blocks of a job.
    fn blocks(&self, tool: &Tool) -> Result<i32, Failure> {
        let has_gpu = match self.backend.as_str() {
            "cpu" => false,
            "auto" => has_gpu(&capture(tool.command().arg("adapters"))?),
            _ => true,
        };
        Ok(if has_gpu { BLOCKS_OF_A_GPU } else { 1 })
    }

    fn compute(&self) -> Result<(), Failure> {
        let tool = Tool::new(self.program.as_deref(), self.nice)?;
        let jobs = self.jobs(self.blocks(&tool)?)?;
        let deadline = self.hours.map(|hours| Instant::now() + Duration::from_secs_f64(hours * 3600.0));
        let how: Vec<String> =
            self.threads.map(|threads| format!("--threads={threads}")).into_iter().collect();
        let mut failures = Vec::new();
        for job in &jobs {
            let is_over = deadline.is_some_and(|deadline| Instant::now() >= deadline);
            let done = if is_over { Ok(false) } else { self.job(&tool, *job, &how, deadline) };
            match done {
                Ok(true) => {}
                Ok(false) => {
                    println!(
                        "time is over; the same command goes on with {} from 2^{}",
                        job.function, job.binade
                    );
                    break;
                }
                // the others do not depend on it
                Err(failure) => {
                    eprintln!("{} from 2^{}: {failure}", job.function, job.binade);
                    failures.push(format!("{} from 2^{}", job.function, job.binade));
                }
            }
        }
        if !failures.is_empty() {
            return Err(Failure::step(format!("not finished, see above: {}", failures.join(", "))));
        }
        println!("what is there: {}", root().join("results/large").display());
        Ok(())
    }

    /// Certificates that were made elsewhere, each verified and put in its place.
    fn import(&self, files: &[PathBuf]) -> Result<(), Failure> {
        let tool = Tool::new(self.program.as_deref(), self.nice)?;
        fs::create_dir_all(root().join("runs")).map_err(|error| failure(root(), &error))?;
        let mut jobs = Vec::new();
        for file in files {
            let (job, engine) = asked_by(&tool, file)?;
            let place = job.file("json.zst");
            if place.exists() {
                return Err(Failure::step(format!("{} is there already", place.display())));
            }
            jobs.push((file, job, engine));
        }
        let imported = jobs.iter().try_for_each(|(file, job, engine)| import(&tool, file, *job, engine));
        // also of those before one that does not hold
        write_page()?;
        super::summarize(&tool)?;
        imported
    }

    /// A job to its end, or to the deadline: whether it is done.
    fn job(&self, tool: &Tool, job: Job, how: &[String], deadline: Option<Instant>) -> Result<bool, Failure> {
        if !search(tool, &job.run(), &self.asked(job), how, deadline)? {
            return Ok(false);
        }
        finish(tool, job)?;
        write_page()?;
        super::summarize(tool)?;
        Ok(true)
    }
}

/// Whether one of the adapters in the program's table is a GPU.
fn has_gpu(adapters: &str) -> bool {
    let of_table = adapters.lines().skip(1).take_while(|line| !line.is_empty());
    of_table.flat_map(str::split_whitespace).any(|word| ["discrete", "integrated"].contains(&word))
}

fn binades(text: &str) -> Option<(i32, i32)> {
    let (from, to) = text.split_once("..")?;
    let (from, to) = (from.parse().ok()?, to.parse().ok()?);
    (BINADES.0 <= from && from < to && to <= BINADES.1).then_some((from, to))
}

/// A certificate of a job, verified and put in its place.
fn import(tool: &Tool, file: &Path, job: Job, engine: &str) -> Result<(), Failure> {
    let copy = scratch(job)?;
    // compressed, whatever the file is
    tool.run(&["export", &file.display().to_string(), "--out", &copy.display().to_string()])?;
    keep(tool, job, &copy, |tool, verify_s, said| {
        // a certificate may be one of a part of what it was asked
        let whole = format!("complete for 2^{} <= |x| < 2^{}", job.binade, job.last + 1);
        let left: Vec<&str> = super::unchecked(said).collect();
        if !said.lines().any(|line| line == whole) || !left.is_empty() {
            let what = format!("{} is not {whole}, or not all of it can be checked", file.display());
            return Err(Failure::step([&[what.as_str()], &left[..]].concat().join("; ")));
        }
        Record::elsewhere(tool, &job.subject(), engine, verify_s)
    })?;
    println!("{} from 2^{}: done", job.function, job.binade);
    Ok(())
}

/// The job that a certificate answers, and the engine that it names; nothing else of it is looked
/// at.
fn asked_by(tool: &Tool, certificate: &Path) -> Result<(Job, String), Failure> {
    let mut command = tool.command();
    command.arg("export").arg(certificate).args(["--output", "certificate"]);
    let output = command.output().map_err(|error| failure(certificate, &error))?;
    let text = String::from_utf8_lossy(&output.stdout);
    job_of(&text).ok_or_else(|| {
        let what = format!(
            "no certificate of sin, cos or tan in binary64, within 2^-{EXTRA_BITS} ulp of all \
                            breakpoints, over binades from 2^13 on"
        );
        let said = String::from_utf8_lossy(&output.stderr);
        Failure::step(format!("{}: {what}\n{}", certificate.display(), said.trim_end()))
    })
}

/// Whether lanes walked a part of a job: then only the walk in exact integers is another one.
pub(super) fn is_by_lanes(tool: &Tool, job: Job) -> Result<bool, Failure> {
    let file = job.file("json.zst");
    let words = ["export".into(), file.display().to_string(), "--output".into(), "certificate".into()];
    Ok(has_walk_in_lanes(&said(tool, &words)?))
}

/// The same of its text: a device's walk is named by it and by its integers.
fn has_walk_in_lanes(text: &str) -> bool {
    let walks = text.split("\"engine\":\"lattice3 (").skip(1).filter_map(|rest| rest.split('"').next());
    walks.into_iter().any(|name| !name.ends_with(" integers))"))
}

/// The same of its text.
fn job_of(text: &str) -> Option<(Job, String)> {
    let (head, _) = text.split_once("\"regions\"")?;
    let engine = head.split_once("\"engine\":\"")?.1.split_once('"')?.0.replace(',', " ");
    let head: String = head.split_whitespace().collect();
    let has = |entry: &str| head.contains(entry);
    let is_one = has("\"format\":{\"name\":\"binary64\"") && has("\"rounding\":\"all\"");
    let is_near = has(&format!("\"extra_bits\":{EXTRA_BITS},"));
    let function = FUNCTIONS.into_iter().find(|name| has(&format!("\"function\":\"{name}(x)\"")))?;
    let (from, to) = head.split_once("\"binades\":[")?.1.split_once(']')?.0.split_once(',')?;
    let (from, to) = binades(&format!("{from}..{to}"))?;
    (is_one && is_near).then_some((Job { function, binade: from, last: to - 1 }, engine))
}

/// A complete run: its certificate verified and put in its place, after the lists.
fn finish(tool: &Tool, job: Job) -> Result<(), Failure> {
    let certificate = scratch(job)?;
    tool.run(&["export", &job.run().display().to_string(), "--out", &certificate.display().to_string()])?;
    keep(tool, job, &certificate, |tool, verify_s, _| {
        Record::of(tool, &job.subject(), &job.run(), verify_s)
    })?;
    println!("{} from 2^{}: done; {} is not needed any more", job.function, job.binade, job.run().display());
    Ok(())
}

/// Where the certificate of a job is before it is in its place, in an empty folder: with the name
/// that it has there, as lists say what they were made of.
fn scratch(job: Job) -> Result<PathBuf, Failure> {
    let folder = job.run().with_extension("files");
    // of a time that was stopped
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).map_err(|error| failure(&folder, &error))?;
    Ok(folder.join(format!("{}.json.zst", job.name())))
}

/// The certificate of a job, verified and put in its place, after the lists; the record is made of
/// the seconds that took, and of what was said.
fn keep(
    tool: &Tool,
    job: Job,
    certificate: &Path,
    record: impl Fn(&Tool, Option<f64>, &str) -> Result<Record, Failure>,
) -> Result<(), Failure> {
    let place = job.file("json.zst");
    let folder = place.parent().unwrap_or(root());
    fs::create_dir_all(folder).map_err(|error| failure(folder, &error))?;
    let list = certificate.with_extension("csv");
    let before = record::children_seconds();
    let said = tool.verify(certificate, &[], false)?;
    let verify_s = record::children_seconds().zip(before).map(|(now, before)| now - before);
    let record = record(tool, verify_s, &said)?;
    write_list(tool, certificate, &list)?;
    record.keep()?;
    let moves = [(&*list, job.file("csv")), (certificate, place)];
    for (from, to) in moves {
        fs::rename(from, &to).map_err(|error| failure(&to, &error))?;
    }
    let _ = certificate.parent().map(fs::remove_dir_all);
    Ok(())
}

/// The table of the page and that of all binades, from what is in `results/large/`.
fn write_page() -> Result<(), Failure> {
    for (path, written) in [made()?, made_binades()?] {
        if fs::read_to_string(&path).ok().as_ref() != Some(&written) {
            fs::write(&path, written).map_err(|error| failure(&path, &error))?;
        }
    }
    Ok(())
}

/// The page of all binades, and its text.
pub(super) fn made_binades() -> Result<(PathBuf, String), Failure> {
    Ok((root().join("results/large.md"), table_of_binades()?))
}

/// The page, and its text with the table as it is now.
pub(super) fn made() -> Result<(PathBuf, String), Failure> {
    let path = root().join("docs/large-arguments.md");
    let page = fs::read_to_string(&path).map_err(|error| failure(&path, &error))?;
    let written = with_table(&page, &table()?)
        .ok_or_else(|| Failure::step(format!("{} has no marks around a table", path.display())))?;
    Ok((path, written))
}

/// What is done of the functions of these jobs in binary64.
pub(super) fn jobs_of(jobs: &[super::Job]) -> Result<Vec<Job>, Failure> {
    let done = asked(jobs).map(jobs_done).collect::<Result<Vec<_>, _>>()?;
    Ok(done.concat())
}

/// Writes the list of a job that is done a second time: a sentence if it is not what is there.
pub(super) fn differing_list(tool: &Tool, job: Job) -> Result<Option<String>, Failure> {
    let again = again(job)?;
    write_list(tool, &job.file("json.zst"), &again)?;
    let read = |path: &Path| fs::read(path).map_err(|error| failure(path, &error));
    let is_same = read(&again)? == fs::read(job.file("csv")).unwrap_or_default();
    fs::remove_file(&again).map_err(|error| failure(&again, &error))?;
    Ok((!is_same).then(|| format!("{}.csv is not what the certificate says", job.stem())))
}

/// The hardest of a binade.
pub(super) struct List {
    pub(super) binade: i32,
    /// of the files that have it
    pub(super) name: String,
    /// lines of CSV, the first with the names of the columns
    pub(super) text: String,
}

/// The binades of a function that are done, from the smallest on, each with its list.
pub(super) struct Done {
    pub(super) function: &'static str,
    pub(super) lists: Vec<List>,
}

impl Done {
    /// The hardest of a kind in all of them: its distance, its argument and the list that has it.
    pub(super) fn hardest(&self, kind: &str) -> Option<(f64, String, &List)> {
        let all = self.lists.iter().filter_map(|list| {
            let (distance, x) = hardest_of(&list.text, kind)?;
            Some((distance, x, list))
        });
        all.min_by(|a, b| a.0.total_cmp(&b.0))
    }

    /// How many of how many binades these are.
    pub(super) fn domain(&self) -> String {
        let (from, to) = BINADES;
        format!("{} of {} binades from 2^{from} on", self.lists.len(), to - from)
    }
}

/// The lists of a job's binades, by that of the job.
fn lists(job: Job, text: &str) -> Vec<List> {
    let mut lines = text.lines();
    let head = lines.next().unwrap_or_default();
    let column = head.split(',').position(|name| name == "binade");
    let lines: Vec<&str> = lines.collect();
    let own = |binade: i32| {
        let is_own = |line: &&&str| {
            let cell = column.and_then(|column| line.split(',').nth(column));
            cell.and_then(|cell| cell.parse::<i32>().ok()) == Some(binade)
        };
        let rows = std::iter::once(&head).chain(lines.iter().filter(is_own));
        let text = rows.flat_map(|line| [*line, "\n"]).collect();
        List { binade, name: job.name(), text }
    };
    (job.binade..=job.last).map(own).collect()
}

/// The functions of which at least one binade is done.
pub(super) fn done() -> Result<Vec<Done>, Failure> {
    let mut all = Vec::new();
    for function in FUNCTIONS {
        let mut of_function = Vec::new();
        for job in jobs_done(function)? {
            let path = job.file("csv");
            let text = fs::read_to_string(&path).map_err(|error| failure(&path, &error))?;
            let known: Vec<i32> = of_function.iter().map(|list: &List| list.binade).collect();
            // files of two machines may overlap
            of_function.extend(lists(job, &text).into_iter().filter(|list| !known.contains(&list.binade)));
        }
        if !of_function.is_empty() {
            all.push(Done { function, lists: of_function });
        }
    }
    Ok(all)
}

/// ε is 2^-this ulp.
pub(super) const fn extra_bits() -> &'static str {
    EXTRA_BITS
}

/// Their part of the index.
pub(super) fn section() -> Result<String, Failure> {
    let mut rows = String::new();
    for done in done()? {
        for (rounding, kind) in [("directed", "number"), ("to nearest", "midpoint")] {
            let head = if rounding == "directed" {
                format!(
                    "{} | {} | [large/{}](large/{})",
                    done.function,
                    done.domain(),
                    done.function,
                    done.function
                )
            } else {
                " | |".into()
            };
            let cells = done
                .hardest(kind)
                .map_or_else(|| "none | ".into(), |(distance, x, _)| format!("`{x}` | {distance:.4}"));
            // writing to a String does not fail
            let _ = writeln!(rows, "| {head} | {rounding} | {cells} |");
        }
    }
    Ok(if rows.is_empty() {
        rows
    } else {
        format!(
            "\n## binary64: large arguments, within 2^-{EXTRA_BITS} ulp\n\n\
             Binade by binade, by `cargo xtask solve-large`: [docs/large-arguments.md](../docs/large-arguments.md) names them.\n\n\
             | function | domain | files | rounding | hardest argument | log2(distance in ulps) |\n\
             |---|---|---|---|---|---:|\n{rows}"
        )
    })
}

fn with_table(page: &str, table: &str) -> Option<String> {
    let (before, rest) = page.split_once(MARKS.0)?;
    let (_, after) = rest.split_once(MARKS.1)?;
    Some(format!("{before}{}{table}{}{after}", MARKS.0, MARKS.1))
}

const COLUMNS: &str =
    "directed: hardest | log2(distance in ulps) | to nearest: hardest | log2(distance in ulps)";

/// A row for each range of binades without a gap.
fn table() -> Result<String, Failure> {
    let (mut rows, mut hardest_of_all) = (String::new(), String::new());
    for done in done()? {
        let mut rest = &done.lists[..];
        while !rest.is_empty() {
            let (own, others) = rest.split_at(neighbors(rest));
            rest = others;
            let first = own.first().map_or(0, |list| list.binade);
            // writing to a String does not fail
            let _ = writeln!(
                rows,
                "| {} | [2^{first}, 2^{}) | {} | {} |",
                done.function,
                first + own.len() as i32,
                own.len(),
                hardest_cells(own)
            );
        }
        // writing to a String does not fail
        let _ = writeln!(
            hardest_of_all,
            "| {} | all of these | {} | {} |",
            done.function,
            done.lists.len(),
            hardest_cells(&done.lists)
        );
    }
    if rows.is_empty() {
        return Ok("No binade is done yet.\n".into());
    }
    Ok(format!(
        "| function | arguments | binades | {COLUMNS} |\n|---|---|---:|---|---:|---|---:|\n{rows}{hardest_of_all}"
    ))
}

/// How many lists from the first one on are of binades without a gap.
fn neighbors(lists: &[List]) -> usize {
    let gap = lists.windows(2).position(|pair| pair[0].binade + 1 != pair[1].binade);
    gap.map_or(lists.len(), |before| before + 1)
}

/// The hardest of each kind in some binades and their distances, as four cells.
fn hardest_cells(lists: &[List]) -> String {
    let cells = ["number", "midpoint"].map(|kind| {
        let all = lists.iter().filter_map(|list| hardest_of(&list.text, kind));
        match all.min_by(|a, b| a.0.total_cmp(&b.0)) {
            Some((distance, x)) => format!("`{x}` | {distance:.3}"),
            None => format!("none within 2^-{EXTRA_BITS} | "),
        }
    });
    cells.join(" | ")
}

/// A row for each binade.
fn table_of_binades() -> Result<String, Failure> {
    let mut rows = String::new();
    for Done { function, lists } in done()? {
        for list in &lists {
            let List { binade, name, .. } = list;
            // writing to a String does not fail
            let _ = writeln!(
                rows,
                "| {function} | [2^{binade}, 2^{}) | {} | [{name}](large/{function}/{name}.json.zst) |",
                binade + 1,
                hardest_cells(std::slice::from_ref(list))
            );
        }
    }
    Ok(format!(
        "# Large arguments, binade by binade\n\n\
         binary64, within 2^-{EXTRA_BITS} ulp, by `cargo xtask solve-large`; \
         [docs/large-arguments.md](../docs/large-arguments.md) says what that is for. \
         Beside each certificate are its {PER_BINADE} hardest cases of each binade and sign (`.csv`); \
         `tmd export results/large/sin/1023.json.zst --output wc` lists all.\n\n\
         | function | arguments | {COLUMNS} | certificate |\n|---|---|---|---:|---|---:|---|\n{rows}"
    ))
}

/// Writes the list of the hardest of a certificate, without the columns that are the same in all of
/// its rows.
fn write_list(tool: &Tool, certificate: &Path, list: &Path) -> Result<(), Failure> {
    let (input, output) = (certificate.display().to_string(), list.display().to_string());
    tool.run(&["export", &input, "--output", "hardest-csv", "--per-binade", PER_BINADE, "--out", &output])?;
    let text = fs::read_to_string(list).map_err(|error| failure(list, &error))?;
    fs::write(list, own_columns(&text)).map_err(|error| failure(list, &error))
}

/// The columns of a list that are before that of the function.
fn own_columns(list: &str) -> String {
    let columns = list.lines().next().unwrap_or_default().split(',').take_while(|name| *name != "function");
    let number = columns.count();
    let row = |line: &str| line.split(',').take(number).collect::<Vec<_>>().join(",") + "\n";
    list.lines().map(row).collect()
}

/// Where the list of a job is written a second time; nothing is there.
fn again(job: Job) -> Result<PathBuf, Failure> {
    let again = job.run().with_extension("again.csv");
    fs::create_dir_all(root().join("runs")).map_err(|error| failure(&again, &error))?;
    // of a time that was stopped
    let _ = fs::remove_file(&again);
    Ok(again)
}

/// The functions of jobs in binary64 that have large arguments.
fn asked(jobs: &[super::Job]) -> impl Iterator<Item = &'static str> {
    let is_asked =
        |name: &&str| jobs.iter().any(|job| job.function == *name && job.target.format == "binary64");
    FUNCTIONS.into_iter().filter(is_asked)
}

/// Writes the lists of all binades of the functions of these jobs again, and the page.
pub(super) fn write_lists(tool: &Tool, jobs: &[super::Job]) -> Result<(), Failure> {
    for function in asked(jobs) {
        for job in jobs_done(function)? {
            let (again, place) = (again(job)?, job.file("csv"));
            write_list(tool, &job.file("json.zst"), &again)?;
            // the list that is there stays until the new one is whole
            fs::rename(&again, &place).map_err(|error| failure(&place, &error))?;
        }
    }
    write_page()
}

/// The hardest of a kind: its distance and its argument.
pub(super) fn hardest_of(list: &str, kind: &str) -> Option<(f64, String)> {
    let mut lines = list.lines();
    let names: Vec<&str> = lines.next().unwrap_or_default().split(',').collect();
    let column = |name: &str| names.iter().position(|other| *other == name);
    let (x, own, distance) = (column("x")?, column("kind")?, column("log2_dist")?);
    let fields = lines.map(|line| line.split(',').collect::<Vec<_>>());
    let of_kind = fields.filter(|fields| fields.get(own) == Some(&kind));
    let measured = of_kind.filter_map(|fields| {
        Some((fields.get(distance)?.parse::<f64>().ok()?, (*fields.get(x)?).to_owned()))
    });
    measured.min_by(|a, b| a.0.total_cmp(&b.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Result<Large, String> {
        Large::parse(&line.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn what_is_said() {
        let large = parsed(
            "sin tan --binades 1020..1024 --hours 2 --nice 19 --threads 2 --backend cpu --program tmd",
        )
        .unwrap();
        assert_eq!(large.program.as_deref(), Some(Path::new("tmd")));
        assert_eq!((large.hours, large.nice, large.threads), (Some(2.0), 19, Some(2)));
        assert_eq!(large.functions(), ["sin", "tan"]);
        let job = Job { function: "sin", binade: 1020, last: 1022 };
        assert_eq!(
            job.question(),
            ["sin", "--format", "binary64", "--extra-bits", "44", "--binades=1020..1023"]
        );
        for wrong in
            ["exp", "--binades 12..20", "--binades 20..20", "--binades 20", "--backend tpu", "--hours 0"]
        {
            assert!(parsed(wrong).is_err(), "{wrong}");
        }
        let files = |names: &[&str]| Action::Import(names.iter().map(PathBuf::from).collect());
        assert_eq!(parsed("--import a.zst --import b.zst").unwrap().action, files(&["a.zst", "b.zst"]));
        assert!(parsed("--import").is_err());
    }

    /// Who walked is read from the units.
    #[test]
    fn who_walked() {
        let text = |walks: &[&str]| {
            let units = walks.iter().map(|walk| format!("{{\"via\":{{\"engine\":\"{walk}\"}}}}\n"));
            format!("\"engine\":\"farey avx512\",\n{}", units.collect::<String>())
        };
        let gpu = "lattice3 (NVIDIA H200 (native integers))";
        assert!(has_walk_in_lanes(&text(&["lattice3 (avx2)"])));
        assert!(has_walk_in_lanes(&text(&[gpu, "lattice3 (avx512)"])));
        assert!(!has_walk_in_lanes(&text(&[gpu, "lattice3 (Mesa (emulated integers))"])));
        assert!(!has_walk_in_lanes(&text(&["lattice3-scalar"])) && !has_walk_in_lanes(&text(&[])));
    }

    /// What a certificate answers is read from it; one that answers another question is none.
    #[test]
    fn what_is_imported() {
        let head = |function: &str, format: &str, rounding: &str, bits: u32, binades: &str| {
            format!(
                "{{\n\"function\":\"{function}\",\n\"format\":{{\"name\":\"{format}\",\"precision\":53}},\n\
                 \"rounding\":\"{rounding}\",\n\"extra_bits\":{bits},\n\"binades\":{binades},\n\"engine\":\"one, two\",\n\
                 \"regions\":[\n"
            )
        };
        let right = head("sin(x)", "binary64", "all", 44, "[\n13,\n16]");
        let job = Job { function: "sin", binade: 13, last: 15 };
        assert_eq!(job_of(&right), Some((job, "one  two".to_owned())));
        for wrong in [
            head("exp(x)", "binary64", "all", 44, "[13,16]"),
            head("sin(2*x)", "binary64", "all", 44, "[13,16]"),
            head("sin(x)", "binary32", "all", 44, "[13,16]"),
            head("sin(x)", "binary64", "nearest", 44, "[13,16]"),
            head("sin(x)", "binary64", "all", 48, "[13,16]"),
            head("sin(x)", "binary64", "all", 44, "[12,16]"),
            head("sin(x)", "binary64", "all", 44, "null"),
            right.replace("regions", "units"),
        ] {
            assert_eq!(job_of(&wrong), None, "{wrong}");
        }
    }

    /// Every binade is in one job, whatever is done, and no job is of two blocks.
    #[test]
    fn jobs_of_blocks() {
        let job = |binade, last| Job { function: "sin", binade, last };
        for name in ["1023", "1016-1019", "13-15"] {
            assert_eq!(Job::named("sin", &format!("{name}.json.zst")).unwrap().name(), name);
        }
        // other names, and no binades of the functions
        for wrong in [
            "1024.json.zst",
            "12.json.zst",
            "20-19.json.zst",
            "20-20.json.zst",
            "20.csv",
            "x.json.zst",
            "+20.json.zst",
        ] {
            assert_eq!(Job::named("sin", wrong), None, "{wrong}");
        }
        assert_eq!(jobs_left("sin", (1016, 1024), &[], 1), [job(1016, 1019), job(1020, 1023)]);
        assert_eq!(
            jobs_left("sin", (980, 1024), &[job(1000, 1003)], 8),
            [job(980, 991), job(992, 999), job(1004, 1023)]
        );
        let done = [job(1023, 1023), job(1013, 1017)];
        assert_eq!(
            jobs_left("sin", (1010, 1024), &done, 1),
            [job(1010, 1011), job(1012, 1012), job(1018, 1019), job(1020, 1022)]
        );
        let all = jobs_left("sin", BINADES, &done[..1], 1);
        assert_eq!((all[0], all.len()), (job(13, 15), 253));
        let binades: Vec<i32> = all.iter().flat_map(|job| job.binade..=job.last).collect();
        assert_eq!(binades, (13..1023).collect::<Vec<_>>());
    }

    /// What `tmd adapters` says on a machine with a GPU, and on one without.
    #[test]
    fn machines_with_a_gpu() {
        let said = |rows: &str| {
            format!("index  adapter  kind  interface\n{rows}\nA discrete or integrated GPU is chosen.\n")
        };
        assert!(has_gpu(&said("0  llvmpipe  software  Vulkan\n1  NVIDIA H100  discrete  Vulkan\n")));
        assert!(has_gpu(&said("0  a GPU  integrated  Metal\n")));
        assert!(!has_gpu(&said("0  llvmpipe  software  Vulkan\n")) && !has_gpu("no adapter\n"));
    }

    /// Lists have their own columns only.
    #[test]
    fn columns_of_lists() {
        let list = "x,kind,function,state\n0x1p5,number,sin(x),complete\n0x1p6,midpoint,sin(x),complete\n";
        assert_eq!(own_columns(list), "x,kind\n0x1p5,number\n0x1p6,midpoint\n");
        assert_eq!(own_columns("x,kind\n"), "x,kind\n");
    }

    #[test]
    fn lists_of_binades() {
        let job = Job { function: "sin", binade: 20, last: 22 };
        let all =
            lists(job, "x,binade,kind,log2_dist\na,20,number,-50\nb,22,number,-60\nc,22,midpoint,-55\n");
        assert_eq!(all.iter().map(|list| list.binade).collect::<Vec<_>>(), [20, 21, 22]);
        assert_eq!(all[1].text, "x,binade,kind,log2_dist\n");
        let done = Done { function: "sin", lists: all };
        let (distance, x, list) = done.hardest("number").unwrap();
        assert_eq!((distance, x.as_str(), list.binade, list.name.as_str()), (-60.0, "b", 22, "20-22"));
    }

    #[test]
    fn the_page_has_the_hardest() {
        let list = |binade: i32, rows: &str| List {
            binade,
            name: "20-23".into(),
            text: format!("x,kind,log2_dist\n{rows}"),
        };
        let lists = [
            list(20, "0x1p5,number,-50.5\n0x1p6,number,-60.25\n"),
            list(21, "0x1p7,midpoint,-49\n"),
            list(23, ""),
        ];
        assert_eq!(hardest_cells(&lists), "`0x1p6` | -60.250 | `0x1p7` | -49.000");
        assert_eq!(hardest_cells(&lists[2..]), "none within 2^-44 |  | none within 2^-44 | ");
        assert_eq!((neighbors(&lists), neighbors(&lists[1..]), neighbors(&lists[2..])), (2, 1, 1));
        let page = format!("a\n{}old\n{}b\n", MARKS.0, MARKS.1);
        assert_eq!(with_table(&page, "new\n"), Some(page.replace("old", "new")));
        assert_eq!(with_table("nothing", "new"), None);
    }

    /// The page in the repository is that of the lists in the repository.
    #[test]
    fn the_page_is_up_to_date() {
        for (path, text) in [made().unwrap(), made_binades().unwrap()] {
            assert_eq!(fs::read_to_string(path).unwrap(), text, "cargo xtask solve-large --page writes it");
        }
        assert!(section().unwrap().contains("| sin | 1 of 1011") || done().unwrap()[0].lists.len() > 1);
    }
}
