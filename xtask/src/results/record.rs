//! What a job took, beside what was planned: `results/effort.csv`.

use std::{
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    time::Instant,
};

use super::{Job, Tool, failure, said};
use crate::run::{Failure, root};

/// The columns of `results/effort.csv`. Seconds are those of one core, as the system counts what
/// the processor did for the search, whatever else it did. The ratio is what was taken over what
/// was planned, of plans of a minute or more. `busy` is the share of its threads' time that the
/// search did not get, as other programs had it: 0 on a machine that does nothing else. Beside a
/// busy one a second of a core is worth less, for what cores share.
pub(super) const HEADER: &str =
    "format,function,domain,extra_bits,planned_core_s,core_s,ratio,busy,verify_core_s,remark,processor";

/// The columns before there were `busy` and a remark, and before there was a ratio.
const FORMER: [usize; 2] = [9, 8];

/// Shorter plans are not compared: starting, planning and confirming are not in them.
const SHORTEST: f64 = 60.0;

/// A search that got less than the rest of its threads' time is not held against the plan.
#[cfg(test)]
const BUSY: f64 = 0.1;

/// Most that a search may take over what was planned, and what was planned over what it took.
const MOST: f64 = 1.5;

/// The remark of a row of the former columns whose time the plan does not explain: the plan was
/// that of a later program than the search's.
const OLDER: &str = "older program";

/// The remark of a row of a certificate that was made on another machine.
const ELSEWHERE: &str = "another machine";

/// The word after the format in rows of large arguments.
pub(super) const LARGE: &str = " large";

/// A row of `results/effort.csv`.
pub(super) struct Record {
    row: String,
}

/// What a row is about.
pub(super) struct Subject {
    /// the format; of large arguments with the word
    pub(super) format: String,
    pub(super) function: &'static str,
    pub(super) domain: String,
    pub(super) extra_bits: u32,
    /// what `tmd plan` and `tmd solve` are asked
    pub(super) question: Vec<String>,
}

impl From<&Job> for Subject {
    fn from(job: &Job) -> Self {
        Self {
            format: job.target.format.into(),
            function: job.function,
            domain: job.domain(),
            extra_bits: job.target.extra_bits,
            question: job.question(),
        }
    }
}

impl Record {
    /// What the finished run of a job took.
    pub(super) fn of(
        tool: &Tool,
        subject: &Subject,
        run: &Path,
        verify_s: Option<f64>,
    ) -> Result<Self, Failure> {
        let seconds = |seconds: Option<f64>| seconds.map_or_else(String::new, |s| format!("{s:.1}"));
        let planned = planned_seconds(tool, &subject.question)?;
        let took = fs::read_to_string(seconds_file(run)).ok().and_then(|text| Took::read(&text));
        let share = |value: Option<f64>| value.map_or_else(String::new, |value| format!("{value:.2}"));
        let row = format!(
            "{},{},{},{},{planned:.1},{},{},{},{},,{}",
            subject.format,
            subject.function,
            subject.domain,
            subject.extra_bits,
            seconds(took.map(|took| took.core)),
            share(took.and_then(|took| ratio(took.core, planned))),
            share(took.and_then(Took::busy)),
            seconds(verify_s),
            processor()
        );
        Ok(Self { row })
    }

    /// What is known of a job whose certificate was made elsewhere, by an engine.
    pub(super) fn elsewhere(
        tool: &Tool,
        subject: &Subject,
        engine: &str,
        verify_s: Option<f64>,
    ) -> Result<Self, Failure> {
        let planned = planned_seconds(tool, &subject.question)?;
        let Subject { format, function, domain, extra_bits, .. } = subject;
        let verify_s = verify_s.map_or_else(String::new, |s| format!("{s:.1}"));
        let row = format!(
            "{format},{function},{domain},{extra_bits},{planned:.1},,,,{verify_s},{ELSEWHERE},{engine}"
        );
        Ok(Self { row })
    }

    /// Adds the row to the file, in place of an earlier one of the same job.
    pub(super) fn keep(&self) -> Result<(), Failure> {
        let path = root().join("results/effort.csv");
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(failure(&path, &error)),
        };
        fs::write(&path, with_row(&text, &self.row)).map_err(|error| failure(&path, &error))
    }
}

/// The file of the table, and its text with the columns of today.
pub(super) fn made() -> Result<(PathBuf, String), Failure> {
    let path = root().join("results/effort.csv");
    let table = fs::read_to_string(&path).map_err(|error| failure(&path, &error))?;
    let rows: Vec<String> = table.lines().skip(1).map(of_today).collect();
    Ok((path, format!("{HEADER}\n{}\n", rows.join("\n"))))
}

/// The table with a row more, sorted, one row a job.
fn with_row(table: &str, row: &str) -> String {
    // large arguments have rows of their own
    let key = |row: &str| {
        let cells = row.split(',').take(3).map(str::to_owned);
        cells.take(if row.contains(LARGE) { 3 } else { 2 }).collect::<Vec<_>>()
    };
    let others = table.lines().skip(1).filter(|other| key(other) != key(row));
    let mut rows: Vec<String> = others.chain([row]).map(of_today).collect();
    rows.sort_unstable();
    let mut text = format!("{HEADER}\n");
    for row in rows {
        // writing to a String does not fail
        let _ = writeln!(text, "{row}");
    }
    text
}

/// A row as it is written today. One of the former columns gets its ratio of what it says; how busy
/// the machine was nobody knows.
fn of_today(row: &str) -> String {
    let mut cells: Vec<String> = row.split(',').map(str::to_owned).collect();
    if !FORMER.contains(&cells.len()) {
        return row.to_owned();
    }
    let seconds = |cell: usize| cells[cell].parse::<f64>().ok();
    let ratio = seconds(4).zip(seconds(5)).and_then(|(planned, core)| ratio(core, planned));
    let is_explained = ratio.is_none_or(is_near);
    if cells.len() == FORMER[1] {
        cells.insert(6, String::new());
    }
    cells[6] = ratio.map_or_else(String::new, |ratio| format!("{ratio:.2}"));
    cells.insert(7, String::new());
    cells.insert(9, if is_explained { String::new() } else { OLDER.into() });
    cells.join(",")
}

/// What was taken over what was planned, of plans that say something.
fn ratio(core: f64, planned: f64) -> Option<f64> {
    (planned >= SHORTEST).then(|| core / planned)
}

fn is_near(ratio: f64) -> bool {
    (1.0 / MOST..=MOST).contains(&ratio)
}

/// A cell of a row, by the name of its column.
pub(super) fn cell<'a>(row: &'a str, name: &str) -> Option<&'a str> {
    row.split(',').nth(HEADER.split(',').position(|column| column == name)?)
}

/// The row of a function.
pub(super) fn row_of<'a>(table: &'a str, format: &str, function: &str) -> Option<&'a str> {
    table.lines().find(|row| cell(row, "format") == Some(format) && cell(row, "function") == Some(function))
}

/// What a run took, over all sessions.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Took {
    core: f64,
    /// what its threads would have got of a machine that does nothing else, if that is known of all
    /// sessions
    there_was: Option<f64>,
}

impl Took {
    /// From core-seconds, and what there was if it is known.
    fn read(text: &str) -> Option<Self> {
        let mut words = text.split_whitespace().map(str::parse::<f64>);
        Some(Self { core: words.next()?.ok()?, there_was: words.next().and_then(Result::ok) })
    }

    fn written(self) -> String {
        let there_was = self.there_was.map_or_else(String::new, |seconds| format!(" {seconds:.2}"));
        format!("{:.2}{there_was}\n", self.core)
    }

    /// With a session more.
    fn and(before: Option<Self>, core: f64, there_was: f64) -> Self {
        match before {
            None => Self { core, there_was: Some(there_was) },
            Some(before) => Self {
                core: before.core + core,
                there_was: before.there_was.map(|seconds| seconds + there_was),
            },
        }
    }

    /// The share of its threads' time that it did not get, if that is known.
    fn busy(self) -> Option<f64> {
        let there_was = self.there_was.filter(|seconds| *seconds > 0.0)?;
        Some((1.0 - self.core / there_was).max(0.0))
    }
}

/// Core-seconds of a question by the plan, for this machine.
pub(super) fn planned_seconds(tool: &Tool, question: &[String]) -> Result<f64, Failure> {
    let mut words = vec!["plan".to_owned()];
    words.extend_from_slice(question);
    words.extend(["--output".into(), "json".into()]);
    let json = said(tool, &words)?;
    total_seconds(&json)
        .ok_or_else(|| Failure::step(format!("`tmd plan` says no time for {}", question.join(" "))))
}

/// The core-seconds among the totals of a plan.
fn total_seconds(json: &str) -> Option<f64> {
    let totals = &json[json.rfind("\"totals\"")?..];
    let value = &totals[totals.find("\"core_seconds\":")? + "\"core_seconds\":".len()..];
    value.split([',', '}', '\n']).next()?.trim().parse().ok()
}

/// Where the core-seconds of a run are summed up, over all sessions that it took.
pub(super) fn seconds_file(run: &Path) -> PathBuf {
    run.with_extension("seconds")
}

/// Forgets what a run took.
pub(super) fn forget(run: &Path) {
    let _ = fs::remove_file(seconds_file(run));
}

/// What stands in the file while a session goes on: one that is killed leaves it, and what the run
/// took is not known any more.
const UNKNOWN: &str = "unknown\n";

/// A session of a run.
pub(super) struct Session {
    path: PathBuf,
    /// of the sessions before, if there were any
    sum: Option<Took>,
    /// none of them was killed
    is_known: bool,
    before: Option<f64>,
    began: Instant,
}

impl Session {
    /// Begins one, the run's first or another.
    pub(super) fn begin(run: &Path, is_first: bool) -> Result<Self, Failure> {
        let path = seconds_file(run);
        let known = fs::read_to_string(&path).ok().and_then(|text| Took::read(&text));
        let (is_known, sum) = (is_first || known.is_some(), known.filter(|_| !is_first));
        fs::write(&path, UNKNOWN).map_err(|error| failure(&path, &error))?;
        Ok(Self { path, sum, is_known, before: children_seconds(), began: Instant::now() })
    }

    /// Ends it, and adds what this process's children took, on so many threads.
    pub(super) fn end(self, threads: u32) -> Result<(), Failure> {
        let Self { path, sum, is_known, before, began } = self;
        let Some((now, before)) = children_seconds().zip(before).filter(|_| is_known) else { return Ok(()) };
        let took = Took::and(sum, now - before, began.elapsed().as_secs_f64() * f64::from(threads));
        fs::write(&path, took.written()).map_err(|error| failure(&path, &error))
    }
}

/// Core-seconds of this process's finished children: Linux's fields 16 and 17 of `/proc/self/stat`,
/// in hundredths of a second.
pub(super) fn children_seconds() -> Option<f64> {
    children_of(&fs::read_to_string("/proc/self/stat").ok()?)
}

fn children_of(stat: &str) -> Option<f64> {
    // the name of the program, in parentheses, may hold anything; the state is field 3
    let fields: Vec<&str> = stat[stat.rfind(')')? + 1..].split_whitespace().collect();
    let ticks = |field: usize| fields.get(field - 3)?.parse::<f64>().ok();
    Some((ticks(16)? + ticks(17)?) / 100.0)
}

/// The processor, as Linux names it, with family and model: of one family are some with AVX-512 and
/// some without.
pub(super) fn processor() -> String {
    processor_in(&fs::read_to_string("/proc/cpuinfo").unwrap_or_default())
}

fn processor_in(info: &str) -> String {
    let field = |name: &str| {
        let line = info.lines().find(|line| line.split(':').next().is_some_and(|key| key.trim() == name))?;
        Some(line.split_once(':')?.1.trim().replace(',', " "))
    };
    let kind = field("cpu family").zip(field("model"));
    let kind = kind.map_or_else(String::new, |(family, model)| format!(" (family {family} model {model})"));
    field("model name").map_or_else(|| "unknown".into(), |name| name + &kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_read() {
        let json = r#"{"regions":[{"core_seconds": 1.5}],"totals": {"core_seconds": 816.25, "x": 1}, "calibration": 2}"#;
        assert_eq!(total_seconds(json), Some(816.25));
        assert_eq!(total_seconds("{}"), None);
        let stat = "12 (a) b) S 1 1 1 0 -1 4 1 2 3 4 5 6 1000 250 20 0 1";
        assert_eq!(children_of(stat), Some(12.5));
        let info = "processor\t: 0\ncpu family\t: 25\nmodel\t\t: 17\nmodel name\t: AMD EPYC, old\n";
        assert_eq!(processor_in(info), "AMD EPYC  old (family 25 model 17)");
        assert_eq!(processor_in(""), "unknown");
    }

    /// What a search took, over its plan, and how busy the machine was, over all sessions.
    #[test]
    fn ratios() {
        let one = Took::and(None, 95.0, 100.0);
        let two = Took::and(Some(one), 55.0, 60.0);
        assert_eq!(Took::read(&two.written()), Some(two));
        assert_eq!((ratio(150.0, 100.0), ratio(150.0, 59.0)), (Some(1.5), None));
        assert_eq!(two.busy(), Some(1.0 - 150.0 / 160.0));
        assert_eq!(Took::and(Some(two), 10.0, 160.0).busy(), Some(0.5));
        // clocks are not exact
        assert_eq!(Took::and(None, 101.0, 100.0).busy(), Some(0.0));
        let unknown = Took::read("95.00\n").unwrap();
        assert_eq!((unknown.busy(), unknown.written()), (None, "95.00\n".into()));
        assert_eq!(Took::and(Some(unknown), 95.0, 100.0).busy(), None);
        assert_eq!(Took::read(""), None);
    }

    /// A session that was killed leaves nothing known of the run, and neither does one before that
    /// wrote nothing.
    #[test]
    fn sessions_that_are_killed() {
        let run = std::env::temp_dir().join(format!("tmd-sessions-{}", std::process::id()));
        let took = || fs::read_to_string(seconds_file(&run)).ok().and_then(|text| Took::read(&text));
        Session::begin(&run, true).unwrap().end(1).unwrap();
        let first = took().unwrap();
        Session::begin(&run, false).unwrap().end(2).unwrap();
        assert!(took().unwrap().there_was >= first.there_was);
        drop(Session::begin(&run, false).unwrap());
        assert_eq!(took(), None);
        Session::begin(&run, false).unwrap().end(1).unwrap();
        assert_eq!(took(), None, "what was before is not known");
        forget(&run);
        Session::begin(&run, false).unwrap().end(1).unwrap();
        assert_eq!(took(), None, "a ledger without seconds");
        Session::begin(&run, true).unwrap().end(1).unwrap();
        assert!(took().is_some());
        forget(&run);
    }

    /// The rows of binary64 whose time their plan does not explain, though it should.
    fn unexplained(table: &str) -> Vec<&str> {
        let is_unexplained = |row: &&str| {
            let number = |name: &str| cell(row, name).and_then(|cell| cell.parse::<f64>().ok());
            cell(row, "format").is_some_and(|format| format.starts_with("binary64"))
                && cell(row, "remark") == Some("")
                && number("busy").is_none_or(|busy| busy <= BUSY)
                && number("ratio").is_some_and(|ratio| !is_near(ratio))
        };
        table.lines().skip(1).filter(is_unexplained).collect()
    }

    #[test]
    fn plans_are_within_half_of_what_was_taken() {
        let table = fs::read_to_string(root().join("results/effort.csv")).unwrap();
        assert_eq!(unexplained(&table), [""; 0]);
        let compared = table.lines().filter(|row| {
            cell(row, "format") == Some("binary64")
                && cell(row, "ratio").is_some_and(|ratio| !ratio.is_empty())
        });
        assert!(compared.count() >= 10);
        let row = |ratio: &str, busy: &str, remark: &str| {
            format!("{HEADER}\nbinary64,f,all numbers,45,100.0,1.0,{ratio},{busy},1.0,{remark},x\n")
        };
        for (ratio, busy, remark, is_wrong) in [
            ("1.49", "0.00", "", false),
            ("1.51", "0.05", "", true),
            ("1.51", "", "", true),
            ("0.60", "0.00", "", true),
            ("1.51", "0.30", "", false),
            ("1.51", "", OLDER, false),
            ("", "", "", false),
        ] {
            assert_eq!(
                !unexplained(&row(ratio, busy, remark)).is_empty(),
                is_wrong,
                "{ratio} {busy} {remark}"
            );
        }
    }

    /// The table in the repository has a cell in each column.
    #[test]
    fn rows_have_all_columns() {
        let table = fs::read_to_string(root().join("results/effort.csv")).unwrap();
        assert_eq!(table.lines().next(), Some(HEADER));
        let columns = HEADER.split(',').count();
        assert!(table.lines().all(|row| row.split(',').count() == columns));
        let row = row_of(&table, "binary64", "rsqrt").unwrap();
        assert_eq!((cell(row, "extra_bits"), cell(row, "nothing")), (Some("45"), None));
    }

    #[test]
    fn rows_replace_their_like() {
        let one = with_row("", "binary64,exp,all,45,100.0,120.0,1.20,0.05,3.0,,x");
        let two = with_row(&one, "binary64,cos,all,45,1.0,2.0,,,3.0,,x");
        let three = with_row(&two, "binary64,exp,all,45,100.0,90.0,0.90,0.00,3.0,,x");
        let rows: Vec<&str> = three.lines().collect();
        assert_eq!(rows.len(), 3);
        assert!(rows[1].starts_with("binary64,cos"));
        assert_eq!(rows[2], "binary64,exp,all,45,100.0,90.0,0.90,0.00,3.0,,x");
        // of large arguments each block has one
        let large = ["2^16 <= abs(x) < 2^20", "2^20 <= abs(x) < 2^24", "2^16 <= abs(x) < 2^20"]
            .map(|domain| format!("binary64{LARGE},sin,{domain},44,100.0,90.0,0.90,0.00,3.0,,x"));
        let four = large.iter().fold(three.clone(), |table, row| with_row(&table, row));
        assert_eq!(four.lines().count(), 5);
        // rows of the columns of earlier versions
        for (former, row) in [
            ("b,f,all,45,100.0,120.0,3.0,x", "b,f,all,45,100.0,120.0,1.20,,3.0,,x"),
            ("b,f,all,45,100.0,120.0,,3.0,x", "b,f,all,45,100.0,120.0,1.20,,3.0,,x"),
            ("b,f,all,45,100.0,200.0,,3.0,x", "b,f,all,45,100.0,200.0,2.00,,3.0,older program,x"),
            ("b,f,all,45,10.0,200.0,,3.0,x", "b,f,all,45,10.0,200.0,,,3.0,,x"),
            ("b,f,all,45,100.0,,,3.0,x", "b,f,all,45,100.0,,,,3.0,,x"),
        ] {
            assert_eq!(of_today(former), row);
        }
    }
}
