//! What a job took, beside what was planned: `results/effort.csv`.

use std::{fmt::Write as _, fs, path::Path};

use super::{Job, Tool, failure, said};
use crate::run::{Failure, root};

/// The columns of `results/effort.csv`; seconds are those of one core.
const HEADER: &str = "format,function,domain,extra_bits,planned_core_s,core_s,verify_core_s,processor";

/// A row of `results/effort.csv`.
pub(super) struct Record {
    row: String,
}

impl Record {
    /// What the finished run of a job took.
    pub(super) fn of(tool: &Tool, job: &Job, run: &Path, verify_s: Option<f64>) -> Result<Self, Failure> {
        let seconds = |seconds: Option<f64>| seconds.map_or_else(String::new, |s| format!("{s:.1}"));
        let planned = planned_seconds(tool, job)?;
        let took = fs::read_to_string(seconds_file(run)).ok().and_then(|text| text.trim().parse().ok());
        let row = format!(
            "{},{},{},{},{planned:.1},{},{},{}",
            job.target.format,
            job.function,
            job.domain(),
            job.target.extra_bits,
            seconds(took),
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
    let mut rows: Vec<&str> = table.lines().skip(1).filter(|other| key(other) != key(row)).collect();
    rows.push(row);
    rows.sort_unstable();
    let mut text = format!("{HEADER}\n");
    for row in rows {
        // writing to a String does not fail
        let _ = writeln!(text, "{row}");
    }
    text
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

/// Adds what this process's children took since `before` to a run's core-seconds.
pub(super) fn add_seconds(run: &Path, before: Option<f64>) -> Result<(), Failure> {
    let Some((now, before)) = children_seconds().zip(before) else { return Ok(()) };
    let path = seconds_file(run);
    let sum: f64 = fs::read_to_string(&path).ok().and_then(|text| text.trim().parse().ok()).unwrap_or(0.0);
    fs::write(&path, format!("{:.2}\n", sum + now - before)).map_err(|error| failure(&path, &error))
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

    #[test]
    fn rows_replace_their_like() {
        let one = with_row("", "binary64,exp,all,45,1.0,2.0,3.0,x");
        let two = with_row(&one, "binary64,cos,all,45,1.0,2.0,3.0,x");
        let three = with_row(&two, "binary64,exp,all,45,9.0,2.0,3.0,x");
        let rows: Vec<&str> = three.lines().collect();
        assert_eq!(rows.len(), 3);
        assert!(rows[1].starts_with("binary64,cos") && rows[2].starts_with("binary64,exp,all,45,9.0"));
    }
}
