//! [`Status`]: how far a run is.

use std::{collections::BTreeSet, fmt::Write as _};

use serde::Serialize;
use tmd_driver::plan::duration;

use crate::{
    Ledger, LedgerError, Question,
    ledger::now,
    shards::{ResultFile, result_files},
};

/// How far a run is. Times to come are estimates: planned times of what is left, by the ratio of times taken to times planned of
/// what is finished, over the threads at work.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Status {
    /// What is asked.
    pub question: Question,
    /// Whether all units are finished, without damage.
    pub is_complete: bool,
    /// Units …
    pub units: usize,
    /// … those finished …
    pub finished: usize,
    /// … those in work …
    pub leased: usize,
    /// … and those nobody works on.
    pub open: usize,
    /// Arguments to be searched …
    pub arguments: u128,
    /// … and those of the finished units.
    pub searched: u128,
    /// Cases of the finished units.
    pub cases: u64,
    /// Thread-seconds that the finished units took …
    pub spent_s: f64,
    /// … and those planned for them …
    pub planned_s: f64,
    /// … and the thread-seconds that the others will take, about.
    pub left_core_s: f64,
    /// Threads at work.
    pub threads: usize,
    /// Arguments per second of all threads at work, about; none if nobody works or nothing is finished.
    pub rate: Option<f64>,
    /// Seconds until the end, about; none if nobody works.
    pub left_s: Option<f64>,
    /// Binade by binade, in the order of the arguments.
    pub binades: Vec<BinadeStatus>,
    /// Those that work, and those that left without a word.
    pub workers: Vec<WorkerStatus>,
    /// Results that are damaged; their units will be searched again.
    pub damaged: Vec<DamageStatus>,
    /// Results of shards that are not merged yet.
    pub unmerged: usize,
    /// Units that could not be searched.
    pub failures: Vec<FailureStatus>,
}

/// How far a binade is, by the first arguments of its units.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BinadeStatus {
    /// The least magnitude, such as `-2^3`.
    pub from: String,
    /// Units …
    pub units: usize,
    /// … those finished.
    pub finished: usize,
    /// Thread-seconds that the others will take, about.
    pub left_core_s: f64,
    /// Seconds until they are finished, if the threads at work did nothing else.
    pub left_s: Option<f64>,
}

/// A process at work.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WorkerStatus {
    /// Machine and process.
    pub name: String,
    /// Its threads.
    pub threads: usize,
    /// Units that it holds.
    pub leased: usize,
    /// Units that it finished.
    pub finished: usize,
    /// Seconds since its last beat, by the clocks of two machines perhaps …
    pub seen_s: f64,
    /// … and those without a beat after which it is taken for dead.
    pub lease_s: f64,
}

/// A damaged result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[allow(missing_docs)]
pub struct DamageStatus {
    pub unit: usize,
    pub first: String,
    pub reason: String,
}

/// A unit that could not be searched.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[allow(missing_docs)]
pub struct FailureStatus {
    pub unit: usize,
    pub first: String,
    pub reason: String,
}

/// A worker that was not seen for longer, and for longer than its lease, does not count as one at work.
const SILENCE_S: f64 = 60.0;

/// What of a unit's row is needed here.
struct Row {
    number: i64,
    first: String,
    arguments: u128,
    planned_s: f64,
    state: String,
    failure: Option<String>,
    cases: Option<i64>,
    elapsed_s: Option<f64>,
}

impl Ledger {
    /// How far the run is. With `is_thorough` all results are compared with their checksums, which takes seconds for a million.
    ///
    /// # Errors
    /// Those of reading.
    pub fn status(&self, is_thorough: bool) -> Result<Status, LedgerError> {
        let rows = self.rows()?;
        let workers = self.workers()?;
        let damaged = if is_thorough {
            self.loosely_damaged()?
        } else {
            let disputed = rows.iter().filter(|row| row.elapsed_s.is_some());
            disputed.filter_map(|row| Some((row.number as usize, row.failure.clone()?))).collect()
        };
        let files = result_files(self.directory())?;
        let is_new = |file: &&ResultFile| rows.get(file.unit).is_some_and(|row| row.elapsed_s.is_none());
        let unmerged = files.iter().filter(is_new).count();
        let is_damaged: BTreeSet<i64> = damaged.iter().map(|(unit, _)| *unit as i64).collect();
        let is_finished = |row: &&Row| row.elapsed_s.is_some() && !is_damaged.contains(&row.number);
        let count =
            |state: &str| rows.iter().filter(|row| row.state == state && row.elapsed_s.is_none()).count();
        let finished: Vec<&Row> = rows.iter().filter(is_finished).collect();
        let spent_s: f64 = finished.iter().filter_map(|row| row.elapsed_s).sum();
        let planned_s: f64 = finished.iter().map(|row| row.planned_s).sum();
        let ratio = if planned_s > 0.0 && spent_s > 0.0 { spent_s / planned_s } else { 1.0 };
        let threads = workers
            .iter()
            .filter(|worker| worker.seen_s < worker.lease_s.max(SILENCE_S))
            .map(|worker| worker.threads)
            .sum();
        let share = |core_s: f64| (threads > 0).then(|| core_s / threads as f64);
        let searched = finished.iter().map(|row| row.arguments).sum();
        let mut binades: Vec<BinadeStatus> = Vec::new();
        for row in &rows {
            let from = binade(&row.first);
            if binades.last().is_none_or(|last| last.from != from) {
                binades.push(BinadeStatus { from, units: 0, finished: 0, left_core_s: 0.0, left_s: None });
            }
            if let Some(last) = binades.last_mut() {
                last.units += 1;
                if is_finished(&row) {
                    last.finished += 1;
                } else {
                    last.left_core_s += row.planned_s * ratio;
                }
                last.left_s = share(last.left_core_s);
            }
        }
        // an empty sum is −0
        let left_core_s = binades.iter().map(|binade| binade.left_core_s).sum::<f64>() + 0.0;
        Ok(Status {
            question: self.question().clone(),
            is_complete: finished.len() == rows.len(),
            units: rows.len(),
            finished: finished.len(),
            leased: count("leased"),
            open: rows.len() - finished.len() - count("leased"),
            arguments: rows.iter().map(|row| row.arguments).sum(),
            searched,
            cases: finished.iter().filter_map(|row| row.cases).sum::<i64>() as u64,
            spent_s: spent_s + 0.0,
            planned_s: planned_s + 0.0,
            left_core_s,
            threads,
            rate: (threads > 0 && spent_s > 0.0).then(|| searched as f64 / spent_s * threads as f64),
            left_s: share(left_core_s),
            binades,
            workers,
            failures: rows
                .iter()
                .filter(|row| row.elapsed_s.is_none())
                .filter_map(|row| {
                    let (unit, first) = (row.number as usize, row.first.clone());
                    row.failure.clone().map(|reason| FailureStatus { unit, first, reason })
                })
                .collect(),
            damaged: damaged
                .iter()
                .map(|(unit, reason)| {
                    let row = rows.get(*unit);
                    let first = row.map_or_else(String::new, |row| row.first.clone());
                    DamageStatus { unit: *unit, first, reason: reason.clone() }
                })
                .collect(),
            unmerged,
        })
    }

    fn rows(&self) -> Result<Vec<Row>, LedgerError> {
        self.read(|connection| {
            let mut statement = connection.prepare(
                "SELECT number, first, arguments, planned_s, state, failure, cases, elapsed_s
                 FROM unit LEFT JOIN result ON result.unit = unit.number ORDER BY number",
            )?;
            // what is of another kind is damage, which is named where results are read, and mended where the run goes on
            let rows = statement.query_map([], |row| {
                Ok(Row {
                    number: row.get(0)?,
                    first: row.get(1).unwrap_or_default(),
                    arguments: row.get::<_, String>(2).unwrap_or_default().parse().unwrap_or(0),
                    planned_s: row.get(3).unwrap_or_default(),
                    state: row.get(4).unwrap_or_default(),
                    failure: row.get(5).unwrap_or_default(),
                    cases: row.get(6).unwrap_or_default(),
                    elapsed_s: row.get(7).unwrap_or_default(),
                })
            })?;
            rows.collect()
        })
    }

    fn workers(&self) -> Result<Vec<WorkerStatus>, LedgerError> {
        let now = now();
        self.read(|connection| {
            let mut statement = connection.prepare(
                "SELECT name, threads, seen_at, coalesce(held, 0), coalesce(finished, 0), lease_s
                 FROM worker
                 LEFT JOIN (SELECT worker AS holder, count(*) AS held FROM unit WHERE state = 'leased' GROUP BY worker)
                 ON holder = worker.number
                 LEFT JOIN (SELECT worker AS finisher, count(*) AS finished FROM result GROUP BY worker)
                 ON finisher = worker.name WHERE left_at IS NULL OR held IS NOT NULL ORDER BY number",
            )?;
            let rows = statement.query_map([], |row| {
                Ok(WorkerStatus {
                    name: row.get(0)?,
                    threads: row.get::<_, i64>(1)? as usize,
                    // clocks of two machines, or one that was set back
                    seen_s: (now - row.get::<_, f64>(2)?).max(0.0),
                    leased: row.get::<_, i64>(3)? as usize,
                    finished: row.get::<_, i64>(4)? as usize,
                    lease_s: row.get(5)?,
                })
            })?;
            rows.collect()
        })
    }
}

/// The binade of an argument in hexadecimal digits: `-2^3` of `-0x1.8p+3`.
fn binade(first: &str) -> String {
    let sign = if first.starts_with('-') { "-" } else { "" };
    match first.split_once('p') {
        Some((digits, exponent)) if !digits.ends_with("0x0") => {
            format!("{sign}2^{}", exponent.trim_start_matches('+'))
        }
        _ => "0".into(),
    }
}

impl Status {
    /// The status as JSON.
    pub fn to_json(&self) -> String {
        // strings and finite numbers only: serialization cannot fail
        serde_json::to_string_pretty(self).map_or_else(|error| error.to_string(), |text| text + "\n")
    }

    /// The status as JSON in one line.
    pub fn to_line(&self) -> String {
        serde_json::to_string(self).unwrap_or_else(|error| error.to_string())
    }

    /// The status for people: what is done, how long the rest takes, binade by binade, who works, what is wrong.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        let question = &self.question;
        // writing to a String does not fail
        let _ = writeln!(
            text,
            "{} in {}, rounding {}, 2^-{} ulp, by {}",
            question.function, question.format, question.rounding, question.extra_bits, question.engine
        );
        let percent = 100.0 * self.searched as f64 / self.arguments.max(1) as f64;
        let _ = writeln!(
            text,
            "{} of {} units finished, {} in work, {} open; {percent:.1}% of 2^{:.1} arguments, {} cases",
            self.finished,
            self.units,
            self.leased,
            self.open,
            (self.arguments.max(1) as f64).log2(),
            self.cases
        );
        let left = match (self.is_complete, self.left_s) {
            (true, _) => "complete; tmd export writes the certificate".to_owned(),
            (false, Some(seconds)) => format!("about {} left on {} threads", duration(seconds), self.threads),
            (false, None) => {
                format!(
                    "about {} left on one core; nobody is at work: tmd resume",
                    duration(self.left_core_s)
                )
            }
        };
        let rate =
            self.rate.map(|rate| format!(", 2^{:.1} arguments/s", rate.max(1.0).log2())).unwrap_or_default();
        let _ = writeln!(
            text,
            "{left}{rate}; {} spent, {} planned for it",
            duration(self.spent_s),
            duration(self.planned_s)
        );
        let unfinished: Vec<_> =
            self.binades.iter().filter(|binade| binade.finished < binade.units).collect();
        if !unfinished.is_empty() {
            let _ = writeln!(
                text,
                "\n{:<10} {:>8} {:>8} {:>12}",
                "|x| from", "finished", "units", "core time left"
            );
        }
        for binade in unfinished {
            let left = duration(binade.left_core_s);
            let _ =
                writeln!(text, "{:<10} {:>8} {:>8} {left:>12}", binade.from, binade.finished, binade.units);
        }
        for worker in &self.workers {
            let _ = writeln!(
                text,
                "worker {}: {} threads, {} units in work, {} finished, seen {:.0} s ago",
                worker.name, worker.threads, worker.leased, worker.finished, worker.seen_s
            );
        }
        if self.unmerged > 0 {
            let _ = writeln!(text, "{} results of shards are not taken in yet: tmd merge", self.unmerged);
        }
        for DamageStatus { unit, first, reason } in &self.damaged {
            let _ = writeln!(
                text,
                "DAMAGED: the result of unit {unit}, at {first}: {reason}; it will be searched again"
            );
        }
        for FailureStatus { unit, first, reason } in &self.failures {
            let _ = writeln!(text, "FAILED: unit {unit}, at {first}: {reason}");
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::binade;

    #[test]
    fn binades_of_arguments() {
        for (first, expected) in
            [("0x1.8p+3", "2^3"), ("-0x1p-1074", "-2^-1074"), ("0x0p+0", "0"), ("0x1.000p+0", "2^0")]
        {
            assert_eq!(binade(first), expected);
        }
    }
}
