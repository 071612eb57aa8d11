//! What a job took, beside what was planned: `results/effort.csv`.

use std::{fmt::Write as _, fs, path::Path};

use super::{Job, Tool, failure, said};
use crate::run::{Failure, root};

/// The columns of `results/effort.csv`; seconds are those of one core. The ratio is what was taken
/// over what was planned, of searches of a minute or more on a machine that did little else: of
/// others it is left out.
const HEADER: &str = "format,function,domain,extra_bits,planned_core_s,core_s,ratio,verify_core_s,processor";

/// Shorter plans are not compared: starting, planning and confirming are not in them.
const SHORTEST: f64 = 60.0;

/// The share of the time of its threads that a search must have got.
const QUIET: f64 = 0.9;

/// A row of `results/effort.csv`.
pub(super) struct Record {
    row: String,
}

impl Record {
    /// What the finished run of a job took.
    pub(super) fn of(tool: &Tool, job: &Job, run: &Path, verify_s: Option<f64>) -> Result<Self, Failure> {
        let seconds = |seconds: Option<f64>| seconds.map_or_else(String::new, |s| format!("{s:.1}"));
        let planned = planned_seconds(tool, job)?;
        let took = fs::read_to_string(seconds_file(run)).ok().and_then(|text| Took::read(&text));
        let ratio = took.as_ref().and_then(|took| took.ratio(planned));
        let row = format!(
            "{},{},{},{},{planned:.1},{},{},{},{}",
            job.target.format,
            job.function,
            job.domain(),
            job.target.extra_bits,
            seconds(took.map(|took| took.core)),
            ratio.map_or_else(String::new, |ratio| format!("{ratio:.2}")),
            seconds(verify_s),
            processor()
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

/// The table with a row more, sorted, one row a job.
fn with_row(table: &str, row: &str) -> String {
    let key = |row: &str| row.splitn(3, ',').take(2).map(str::to_owned).collect::<Vec<_>>();
    let others = table.lines().skip(1).filter(|other| key(other) != key(row));
    let mut rows: Vec<String> = others.chain([row]).map(with_ratio).collect();
    rows.sort_unstable();
    let mut text = format!("{HEADER}\n");
    for row in rows {
        // writing to a String does not fail
        let _ = writeln!(text, "{row}");
    }
    text
}

/// A row, with an empty ratio if it is of an earlier version, which had none.
fn with_ratio(row: &str) -> String {
    let mut cells: Vec<&str> = row.split(',').collect();
    if cells.len() + 1 == HEADER.split(',').count() {
        cells.insert(6, "");
    }
    cells.join(",")
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

    /// Over what was planned, if both say something.
    fn ratio(self, planned: f64) -> Option<f64> {
        let is_quiet = self.there_was.is_some_and(|seconds| self.core >= QUIET * seconds);
        (is_quiet && planned >= SHORTEST).then(|| self.core / planned)
    }
}

/// Core-seconds by the plan, for this machine.
pub(super) fn planned_seconds(tool: &Tool, job: &Job) -> Result<f64, Failure> {
    let mut words = vec!["plan".to_owned()];
    words.extend(job.question());
    words.extend(["--output".into(), "json".into()]);
    let json = said(tool, &words)?;
    total_seconds(&json).ok_or_else(|| Failure::step(format!("`tmd plan` says no time for {}", job.stem())))
}

/// The core-seconds among the totals of a plan.
fn total_seconds(json: &str) -> Option<f64> {
    let totals = &json[json.rfind("\"totals\"")?..];
    let value = &totals[totals.find("\"core_seconds\":")? + "\"core_seconds\":".len()..];
    value.split([',', '}', '\n']).next()?.trim().parse().ok()
}

/// Where the core-seconds of a run are summed up, over all sessions that it took.
fn seconds_file(run: &Path) -> std::path::PathBuf {
    run.with_extension("seconds")
}

/// Adds what this process's children took since `before` to a run's core-seconds, of so many
/// seconds of so many threads.
pub(super) fn add_seconds(
    run: &Path,
    before: Option<f64>,
    elapsed: f64,
    threads: u32,
) -> Result<(), Failure> {
    let Some((now, before)) = children_seconds().zip(before) else { return Ok(()) };
    let path = seconds_file(run);
    let sum = fs::read_to_string(&path).ok().and_then(|text| Took::read(&text));
    let took = Took::and(sum, now - before, elapsed * f64::from(threads));
    fs::write(&path, took.written()).map_err(|error| failure(&path, &error))
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

/// The processor, as Linux names it.
fn processor() -> String {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let field = |name: &str| {
        let line = info.lines().find(|line| line.split(':').next().is_some_and(|key| key.trim() == name))?;
        Some(line.split_once(':')?.1.trim().replace(',', " "))
    };
    let family = field("cpu family").map_or_else(String::new, |family| format!(" (family {family})"));
    field("model name").map_or_else(|| "unknown".into(), |name| name + &family)
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
    }

    /// What a search took is compared with the plan only where it had its threads to itself, in all
    /// sessions, and long enough.
    #[test]
    fn ratios() {
        let one = Took::and(None, 95.0, 100.0);
        let two = Took::and(Some(one), 55.0, 60.0);
        assert_eq!(Took::read(&two.written()), Some(two));
        assert_eq!(two.ratio(100.0), Some(1.5));
        assert_eq!(two.ratio(59.0), None);
        assert_eq!(Took::and(Some(two), 10.0, 100.0).ratio(100.0), None);
        let unknown = Took::read("95.00\n").unwrap();
        assert_eq!((unknown.ratio(100.0), unknown.written()), (None, "95.00\n".into()));
        assert_eq!(Took::and(Some(unknown), 95.0, 100.0).ratio(100.0), None);
        assert_eq!(Took::read(""), None);
    }

    /// The table in the repository has a cell in each column.
    #[test]
    fn rows_have_all_columns() {
        let table = fs::read_to_string(root().join("results/effort.csv")).unwrap();
        assert_eq!(table.lines().next(), Some(HEADER));
        let columns = HEADER.split(',').count();
        assert!(table.lines().all(|row| row.split(',').count() == columns));
    }

    #[test]
    fn rows_replace_their_like() {
        let one = with_row("", "binary64,exp,all,45,1.0,2.0,3.0,x");
        let two = with_row(&one, "binary64,cos,all,45,1.0,2.0,,3.0,x");
        let three = with_row(&two, "binary64,exp,all,45,9.0,2.0,0.22,3.0,x");
        let rows: Vec<&str> = three.lines().collect();
        assert_eq!(rows.len(), 3);
        assert!(rows[1].starts_with("binary64,cos") && rows[2] == "binary64,exp,all,45,9.0,2.0,0.22,3.0,x");
        assert_eq!(one.lines().nth(1), Some("binary64,exp,all,45,1.0,2.0,,3.0,x"), "of an earlier version");
    }
}
