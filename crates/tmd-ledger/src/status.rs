//! [`Status`]: how far a run is.

mod families;
mod text;

use std::collections::BTreeSet;

use serde::Serialize;
use tmd_driver::certificate::RegionRecord;

use crate::{Damage, Dispute, Ledger, LedgerError, Question, ledger::now, shards::result_files};

/// How far a run is. Times to come are estimates: the planned times of the units to come, in
/// seconds, by the ratio of times taken to times planned of the finished ones, over the threads at
/// work.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Status {
    /// What is asked.
    pub question: Question,
    /// Whether all units are finished, without damage and without dispute.
    pub is_complete: bool,
    /// Whether the rows of regions and units are those that the run began with. If not,
    /// `tmd resume` writes them again, and until then numbers of arguments, and of units, may be
    /// too small.
    pub is_plan_whole: bool,
    /// Units …
    pub units: usize,
    /// … those finished …
    pub finished: usize,
    /// … those in work …
    pub leased: usize,
    /// … and those nobody works on.
    pub open: usize,
    /// Those of all units that search families of arguments by the walk in three dimensions, and
    /// not by the engine that the question names.
    pub of_families: usize,
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
    /// Arguments per second of all threads at work, about; none if nobody works or nothing is
    /// finished.
    pub rate: Option<f64>,
    /// Seconds until the end, about; none if nobody works.
    pub left_s: Option<f64>,
    /// Binade by binade, in the order of the arguments.
    pub binades: Vec<BinadeStatus>,
    /// Those that work, and those that left without a word.
    pub workers: Vec<WorkerStatus>,
    /// Results that are damaged; their units will be searched again.
    pub damaged: Vec<Damage>,
    /// Units of which results disagree: none counts, until the unit was searched again here.
    pub disputed: Vec<Dispute>,
    /// Units that have no result but a file of a shard, which nobody has looked into yet …
    pub unmerged: usize,
    /// … and the arguments of these units.
    pub unmerged_arguments: u128,
    /// Units that could not be searched.
    pub failures: Vec<Damage>,
}

/// How far a binade is, by the first arguments of its units.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct BinadeStatus {
    /// The least magnitude, such as `-2^3`.
    pub from: String,
    /// Those of the other binades that its units search with it, as one family.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub with: Vec<String>,
    /// Units …
    pub units: usize,
    /// … those finished …
    pub finished: usize,
    /// … and those that have no result but a file of a shard.
    pub unmerged: usize,
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

/// Thread-seconds of finished units that weigh as much in estimates as the
/// [calibration](tmd_driver::Workers::calibration).
const TRIAL_S: f64 = 10.0;

/// A worker that was not seen for longer, and for longer than its lease, does not count as one at
/// work.
const SILENCE_S: f64 = 60.0;

/// What of a unit's row is needed here.
#[derive(Default)]
struct Row {
    number: i64,
    first: String,
    /// an argument of the binade in whose line it counts
    place: String,
    /// the other binades that it searches
    with: Vec<String>,
    arguments: u128,
    /// of a unit that searches a family of arguments
    family_region: Option<i64>,
    planned_s: f64,
    state: String,
    failure: Option<String>,
    cases: Option<i64>,
    elapsed_s: Option<f64>,
    /// else a result without a unit, whose row was lost
    is_planned: bool,
}

impl Ledger {
    /// How far the run is. With `is_thorough` the rows of the plan are compared with its digest and
    /// all results with their checksums, which takes seconds for a million.
    ///
    /// # Errors
    /// Those of reading.
    pub fn status(&self, is_thorough: bool) -> Result<Status, LedgerError> {
        let rows = self.rows()?;
        let units = self.planned_units()?.max(rows.len());
        let is_plan_whole = units == rows.iter().filter(|row| row.is_planned).count()
            && (!is_thorough || self.holds_its_plan()?);
        let workers = self.workers()?;
        let disputed = self.disputes()?;
        let damaged = if is_thorough { self.loosely_damaged(is_plan_whole)? } else { Vec::new() };
        let row = |unit: usize| {
            rows.binary_search_by_key(&(unit as i64), |row| row.number).ok().and_then(|at| rows.get(at))
        };
        let files: BTreeSet<usize> = result_files(self.directory())?.iter().map(|file| file.unit).collect();
        // nobody needs to look into those of a unit that is disputed
        let in_dispute: BTreeSet<usize> = disputed.iter().map(|dispute| dispute.unit).collect();
        let is_unmerged = |row: &Row| {
            let unit = row.number as usize;
            row.elapsed_s.is_none() && files.contains(&unit) && !in_dispute.contains(&unit)
        };
        let unmerged: Vec<&Row> = rows.iter().filter(|row| is_unmerged(row)).collect();
        let is_damaged: BTreeSet<i64> = damaged.iter().map(|(unit, _)| *unit as i64).collect();
        let is_finished = |row: &&Row| row.elapsed_s.is_some() && !is_damaged.contains(&row.number);
        let leased = rows.iter().filter(|row| row.state == "leased" && row.elapsed_s.is_none()).count();
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
            let from = binade(&row.place);
            if binades.last().is_none_or(|last| last.from != from) {
                binades.push(BinadeStatus { from, ..BinadeStatus::default() });
            }
            if let Some(last) = binades.last_mut() {
                if last.with.is_empty() {
                    last.with.clone_from(&row.with);
                }
                last.units += 1;
                if is_finished(&row) {
                    last.finished += 1;
                } else if is_unmerged(row) {
                    last.unmerged += 1;
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
            is_complete: is_plan_whole && finished.len() == units,
            is_plan_whole,
            units,
            finished: finished.len(),
            leased,
            open: units - finished.len() - leased,
            of_families: rows.iter().filter(|row| row.family_region.is_some()).count(),
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
                    row.failure.clone().map(|reason| Damage { unit, first, reason })
                })
                .collect(),
            damaged: damaged
                .iter()
                .map(|(unit, reason)| {
                    let first = row(*unit).map_or_else(String::new, |row| row.first.clone());
                    Damage { unit: *unit, first, reason: reason.clone() }
                })
                .collect(),
            disputed,
            unmerged: unmerged.len(),
            unmerged_arguments: unmerged.iter().map(|row| row.arguments).sum(),
        })
    }

    /// Units of the plan, as the regions count them. What of them cannot be read is not counted.
    fn planned_units(&self) -> Result<usize, LedgerError> {
        let documents: Vec<Option<String>> =
            self.select("SELECT document FROM region", |row| Ok(row.get(0).ok()))?;
        let regions = documents.iter().flatten().filter_map(|text| serde_json::from_str(text).ok());
        let units = regions.map(|region: RegionRecord| region.units.unwrap_or(0));
        // a forged number is no reason to overflow
        Ok(units.fold(0, |sum: usize, units| sum.saturating_add(units.min(1 << 40))).min(1 << 40))
    }

    fn rows(&self) -> Result<Vec<Row>, LedgerError> {
        self.read(|connection| {
            let mut statement = connection.prepare(
                "SELECT number, first, arguments, planned_s, state, failure, cases, elapsed_s, via, region
                 FROM unit LEFT JOIN result ON result.unit = unit.number ORDER BY number",
            )?;
            // what is of another kind is damage, which is named where results are read, and mended
            // where the run goes on
            let rows = statement.query_map([], |row| {
                let via: Option<String> = row.get(8).unwrap_or_default();
                let is_family = via.is_some_and(|via| via.starts_with(families::FAMILY));
                let first: String = row.get(1).unwrap_or_default();
                Ok(Row {
                    number: row.get(0)?,
                    place: first.clone(),
                    first,
                    with: Vec::new(),
                    family_region: if is_family { row.get(9).unwrap_or_default() } else { None },
                    arguments: row.get::<_, String>(2).unwrap_or_default().parse().unwrap_or(0),
                    planned_s: row.get(3).unwrap_or_default(),
                    state: row.get(4).unwrap_or_default(),
                    failure: row.get(5).unwrap_or_default(),
                    cases: row.get(6).unwrap_or_default(),
                    elapsed_s: elapsed(row, 7),
                    is_planned: true,
                })
            })?;
            let mut rows: Vec<Row> = rows.collect::<rusqlite::Result<_>>()?;
            families::place(connection, &mut rows);
            let mut statement = connection.prepare(
                "SELECT unit, cases, elapsed_s FROM result WHERE unit NOT IN (SELECT number FROM unit)",
            )?;
            let lost = statement.query_map([], |row| {
                let (number, elapsed_s) = (row.get(0)?, elapsed(row, 2));
                Ok(Row { number, cases: row.get(1).unwrap_or_default(), elapsed_s, ..Row::default() })
            })?;
            for row in lost {
                rows.push(row?);
            }
            rows.sort_by_key(|row| row.number);
            Ok(rows)
        })
    }

    fn workers(&self) -> Result<Vec<WorkerStatus>, LedgerError> {
        let now = now();
        let query = "SELECT name, threads, seen_at, coalesce(held, 0), coalesce(finished, 0), lease_s
             FROM worker
             LEFT JOIN (SELECT worker AS holder, count(*) AS held FROM unit WHERE state = 'leased' GROUP BY worker)
             ON holder = worker.number
             LEFT JOIN (SELECT worker AS finisher, count(*) AS finished FROM result GROUP BY worker)
             ON finisher = worker.name WHERE left_at IS NULL OR held IS NOT NULL ORDER BY number";
        self.select(query, |row| {
            Ok(WorkerStatus {
                name: row.get(0)?,
                threads: row.get::<_, i64>(1)? as usize,
                // clocks of two machines, or one that was set back
                seen_s: (now - row.get::<_, f64>(2)?).max(0.0),
                leased: row.get::<_, i64>(3)? as usize,
                finished: row.get::<_, i64>(4)? as usize,
                lease_s: row.get(5)?,
            })
        })
    }
}

/// Seconds that a result took, if there is one. What is no number is damage, which is named where
/// results are read: there is a result.
fn elapsed(row: &rusqlite::Row, column: usize) -> Option<f64> {
    match row.get_ref(column) {
        Ok(rusqlite::types::ValueRef::Null) | Err(_) => None,
        Ok(value) => Some(value.as_f64().unwrap_or(0.0)),
    }
}

impl Status {
    /// Times to come at the [calibration](tmd_driver::Workers::calibration) of the machines that
    /// will work: what finished units took counts the more, the more of them there are.
    #[must_use]
    pub fn at_calibration(mut self, calibration: f64) -> Self {
        let now =
            if self.planned_s > 0.0 && self.spent_s > 0.0 { self.spent_s / self.planned_s } else { 1.0 };
        let factor = (self.spent_s + calibration * TRIAL_S) / (self.planned_s + TRIAL_S) / now;
        self.left_core_s *= factor;
        self.left_s = self.left_s.map(|seconds| seconds * factor);
        for binade in &mut self.binades {
            binade.left_core_s *= factor;
            binade.left_s = binade.left_s.map(|seconds| seconds * factor);
        }
        self
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
