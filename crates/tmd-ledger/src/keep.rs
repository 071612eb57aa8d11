//! [`Ledger::finish`]: the result of a unit is kept; and [`Dispute`], when two results of one unit
//! differ.
//!
//! Of two results that differ one is wrong, and nobody knows which. So none of them is the unit's
//! result any more: all versions go to the table `disputed`, with where they came from, and the
//! unit is open again. It has a result when it was searched again *here*, by a worker of this
//! ledger, and that search found what one of the versions says. What comes from elsewhere, and the
//! same result once more, are no such search. The versions stay, with the verdict: one that was
//! found to differ opens no other dispute.

use rusqlite::{Connection, Transaction, params};
use serde::Serialize;
use tmd_driver::{Solve, SolvePlan, solve::UnitResult};

use crate::{
    Ledger, LedgerError,
    ledger::{kept, now},
    record::{Record, compare, is_of, sha256},
};

/// What became of a result that was handed in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finish {
    /// It is the unit's result now.
    First,
    /// There was the same one already.
    Again,
}

/// A unit of which results differ.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Dispute {
    /// Number of the unit.
    pub unit: usize,
    /// Its first argument.
    pub first: String,
    /// What differs.
    pub difference: String,
    /// Where the versions came from: workers, files, run directories. Of a merge, where the version
    /// that differs did.
    pub sources: Vec<String>,
    /// Whether the unit was searched again here since, and the version was found to differ from
    /// that, too. The unit counts then.
    pub is_settled: bool,
}

/// Who found a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin<'a> {
    /// a worker of this ledger
    Here(&'a str),
    /// a file or a run directory
    Elsewhere(&'a str),
}

impl<'a> Origin<'a> {
    pub(crate) const fn name(self) -> &'a str {
        match self {
            Self::Here(name) | Self::Elsewhere(name) => name,
        }
    }
}

/// What became of a result, whoever found it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Weighed {
    First,
    Again,
    Disputed { difference: String, is_settled: bool },
}

impl Ledger {
    /// Keeps the result of a unit that a worker of this ledger searched, for good when this
    /// returns. The result of a unit that has one already must be the same. If it is not, neither
    /// counts any more: both are kept as versions of a [`Dispute`], which ends when another search
    /// here comes to the result of one of the versions.
    ///
    /// # Errors
    /// [`LedgerError::Disagreement`]; [`LedgerError::ForeignResult`], and those of writing: nothing
    /// was changed then.
    pub fn finish(
        &self,
        solve: &Solve,
        plan: &SolvePlan,
        number: usize,
        result: &UnitResult,
        worker: &str,
    ) -> Result<Finish, LedgerError> {
        let origin = Origin::Here(worker);
        match self.write(|transaction| self.keep(transaction, solve, plan, number, result, origin))? {
            Weighed::First => Ok(Finish::First),
            Weighed::Again => Ok(Finish::Again),
            Weighed::Disputed { difference, .. } => Err(LedgerError::Disagreement {
                unit: number,
                first: result.record.first.clone(),
                difference,
            }),
        }
    }

    /// Units of which results differ, and that were not searched again since.
    ///
    /// # Errors
    /// Those of reading.
    pub fn disputes(&self) -> Result<Vec<Dispute>, LedgerError> {
        let query = "SELECT disputed.unit, coalesce(unit.first, ''), source, difference
             FROM disputed LEFT JOIN unit ON unit.number = disputed.unit
             WHERE disputed.unit IN (SELECT unit FROM disputed WHERE verdict IS NULL)
             ORDER BY disputed.unit, found_at, difference";
        // what is no text is damage, and no reason to be silent
        let rows: Vec<(i64, String, String, String)> = self.select(query, |row| {
            let text = |column| row.get(column).unwrap_or_default();
            Ok((row.get(0)?, text(1), text(2), text(3)))
        })?;
        let mut disputes: Vec<Dispute> = Vec::new();
        for (unit, first, source, difference) in rows {
            let unit = unit as usize;
            if disputes.last().is_none_or(|last| last.unit != unit) {
                let (sources, is_settled) = (Vec::new(), false);
                disputes.push(Dispute { unit, first, difference: String::new(), sources, is_settled });
            }
            if let Some(last) = disputes.last_mut() {
                // the latest
                if !difference.is_empty() {
                    last.difference = difference;
                }
                last.sources.push(source);
            }
        }
        Ok(disputes)
    }

    /// [`finish`](Self::finish) as a part of a transaction.
    pub(crate) fn keep(
        &self,
        transaction: &Transaction,
        solve: &Solve,
        plan: &SolvePlan,
        number: usize,
        result: &UnitResult,
        origin: Origin,
    ) -> Result<Weighed, LedgerError> {
        let foreign = |reason| LedgerError::ForeignResult { unit: number, reason };
        is_of(plan, number, result).map_err(foreign)?;
        let here = Handed { number, result, record: Record::new(result), origin };
        let weigh = || -> rusqlite::Result<Weighed> {
            let versions = versions(transaction, number)?;
            if versions.iter().any(|version| version.is_open) {
                return here.weigh(transaction, solve, plan, &versions);
            }
            // one that is damaged is none
            let there = kept(transaction, number)?.and_then(|there| there.ok()?.result(plan, number).ok());
            let Some(there) = there else {
                return here.insert(transaction).map(|()| Weighed::First);
            };
            let Err(difference) = compare(&there, result, solve.has_repeatable_counts()) else {
                return Ok(Weighed::Again);
            };
            let is_known = versions.iter().any(|version| version.sha256 == here.record.sha256);
            if is_known && matches!(origin, Origin::Elsewhere(_)) {
                return Ok(Weighed::Disputed { difference, is_settled: true });
            }
            open(transaction, number)?;
            here.note(transaction, &difference)?;
            Ok(Weighed::Disputed { difference, is_settled: false })
        };
        weigh().map_err(|error| self.sqlite(&error))
    }

    /// Notes that another run, whose results are not of these units, found something else in this
    /// one. Whether the unit was searched again since then, with the same difference.
    pub(crate) fn contradict(
        &self,
        transaction: &Transaction,
        number: usize,
        source: &str,
        difference: &str,
    ) -> Result<bool, LedgerError> {
        let contradict = || -> rusqlite::Result<bool> {
            let key = sha256(format!("{source}\n{difference}\n").as_bytes());
            let known = versions(transaction, number)?.into_iter().find(|version| version.sha256 == key);
            if let Some(known) = known {
                return Ok(!known.is_open);
            }
            open(transaction, number)?;
            let values = params![number as i64, key, None::<String>, source, difference, now()];
            transaction.prepare_cached(NOTE)?.execute(values).map(|_| false)
        };
        contradict().map_err(|error| self.sqlite(&error))
    }
}

/// A version that comes again is not told of twice.
const NOTE: &str = "INSERT INTO disputed (unit, sha256, document, source, difference, found_at)
    VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (unit, sha256) DO UPDATE SET verdict = NULL";

/// A result that is handed in.
struct Handed<'a> {
    number: usize,
    result: &'a UnitResult,
    record: Record,
    origin: Origin<'a>,
}

impl Handed<'_> {
    /// One more result of a unit that is disputed.
    fn weigh(
        &self,
        transaction: &Transaction,
        solve: &Solve,
        plan: &SolvePlan,
        versions: &[Version],
    ) -> rusqlite::Result<Weighed> {
        let compared: Vec<Option<Result<(), String>>> = versions
            .iter()
            .map(|version| {
                let there = version.record()?.result(plan, self.number).ok()?;
                Some(compare(&there, self.result, solve.has_repeatable_counts()))
            })
            .collect();
        let is_known = versions.iter().any(|version| version.sha256 == self.record.sha256);
        let is_search = matches!(self.origin, Origin::Here(_)) && !is_known;
        if is_search && compared.contains(&Some(Ok(()))) {
            let update = "UPDATE disputed SET verdict = ? WHERE unit = ? AND sha256 = ?";
            for (version, compared) in versions.iter().zip(&compared) {
                let verdict = if *compared == Some(Ok(())) { "agrees" } else { "differs" };
                transaction.execute(update, params![verdict, self.number as i64, version.sha256])?;
            }
            return self.insert(transaction).map(|()| Weighed::First);
        }
        let difference = compared.into_iter().flatten().find_map(Result::err);
        let difference = difference
            .or_else(|| {
                versions.iter().map(|version| version.difference.clone()).find(|text| !text.is_empty())
            })
            .unwrap_or_default();
        if !is_known {
            self.note(transaction, &difference)?;
        }
        if let Origin::Here(_) = self.origin {
            let update = "UPDATE unit SET state = 'open', worker = NULL WHERE number = ?";
            transaction.execute(update, [self.number as i64])?;
        }
        Ok(Weighed::Disputed { difference, is_settled: false })
    }

    /// It is the unit's result.
    fn insert(&self, transaction: &Transaction) -> rusqlite::Result<()> {
        let insert =
            "INSERT OR REPLACE INTO result (unit, document, sha256, cases, elapsed_s, worker, finished_at)
                      VALUES (?, ?, ?, ?, ?, ?, ?)";
        transaction.prepare_cached(insert)?.execute(params![
            self.number as i64,
            self.record.document,
            self.record.sha256,
            self.result.cases.len() as i64,
            self.result.elapsed_s,
            self.origin.name(),
            now()
        ])?;
        let update = "UPDATE unit SET state = 'finished', worker = NULL, failure = NULL WHERE number = ?";
        transaction.prepare_cached(update)?.execute([self.number as i64])?;
        Ok(())
    }

    /// It is one of the versions.
    fn note(&self, transaction: &Transaction, difference: &str) -> rusqlite::Result<()> {
        let Record { document, sha256 } = &self.record;
        let source = self.origin.name();
        let values = params![self.number as i64, sha256, document, source, difference, now()];
        transaction.prepare_cached(NOTE)?.execute(values).map(|_| ())
    }
}

/// A version of a disputed result.
struct Version {
    /// of the document, or what stands for it
    sha256: String,
    /// none of a run in other units
    document: Option<String>,
    difference: String,
    is_open: bool,
}

impl Version {
    fn record(&self) -> Option<Record> {
        Some(Record { document: self.document.clone()?, sha256: self.sha256.clone() })
    }
}

/// All versions of a unit's result that there were in disputes.
fn versions(connection: &Connection, number: usize) -> rusqlite::Result<Vec<Version>> {
    let query =
        "SELECT sha256, document, difference, verdict IS NULL FROM disputed WHERE unit = ? ORDER BY found_at";
    let mut statement = connection.prepare_cached(query)?;
    // a column that is no text is damage: that version agrees with none
    let versions = statement.query_map([number as i64], |row| {
        Ok(Version {
            sha256: row.get(0).unwrap_or_default(),
            document: row.get(1).unwrap_or_default(),
            difference: row.get(2).unwrap_or_default(),
            is_open: row.get(3)?,
        })
    })?;
    versions.collect()
}

/// Begins a dispute about the result of a unit, which is one of the versions from now on.
fn open(transaction: &Transaction, number: usize) -> rusqlite::Result<()> {
    let number = number as i64;
    transaction.execute(
        "INSERT OR REPLACE INTO disputed (unit, sha256, document, source, difference, found_at)
         SELECT unit, sha256, document, worker, '', finished_at FROM result WHERE unit = ?",
        [number],
    )?;
    transaction.execute("DELETE FROM result WHERE unit = ?", [number])?;
    // those of an earlier one are witnesses again
    transaction.execute("UPDATE disputed SET verdict = NULL WHERE unit = ?", [number])?;
    let update = "UPDATE unit SET state = 'open', worker = NULL, failure = NULL WHERE number = ?";
    transaction.execute(update, [number])?;
    Ok(())
}
