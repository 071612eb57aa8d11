//! [`Ledger::check`]: is the run still what it was, and what of it is damaged?

use rusqlite::{Connection, params};
use sha2::{Digest, Sha256};
use tmd_driver::{Solve, SolvePlan, certificate::RegionRecord, solve::Unit};

use crate::{
    Access, Damage, Ledger, LedgerError, Question,
    ledger::{copies, is_whole, kept, now, write_question, write_regions, write_units},
    sound,
};

impl Ledger {
    /// Compares question and plan with those that the run began with, and every result with its
    /// checksum and its unit. Opened to write, what is damaged is set aside.
    ///
    /// # Errors
    /// [`LedgerError::OtherQuestion`], [`LedgerError::OtherPlan`].
    pub fn check(&self, solve: &Solve, plan: &SolvePlan, access: Access) -> Result<Vec<Damage>, LedgerError> {
        let asked = Question::new(solve, self.question().unit_s, self.question().options.clone());
        let differences = asked.differences(self.question());
        if !differences.is_empty() {
            return Err(LedgerError::OtherQuestion { path: self.directory().to_path_buf(), differences });
        }
        if plan.digest() != self.plan_sha256() {
            let difference = self.first_difference(plan)?;
            return Err(LedgerError::OtherPlan { path: self.directory().to_path_buf(), difference });
        }
        let is_repaired = access == Access::Write;
        if is_repaired {
            self.repair_question()?;
            self.repair_plan(plan)?;
        }
        let damages = self.damaged(plan)?;
        if is_repaired {
            self.set_aside(plan, &damages)?;
        }
        Ok(damages)
    }

    /// Where this program's plan first differs.
    fn first_difference(&self, plan: &SolvePlan) -> Result<String, LedgerError> {
        let regions: Vec<String> =
            self.select("SELECT document FROM region ORDER BY number", |row| row.get(0))?;
        let units = self.read(unit_rows)?;
        let derived: Vec<String> = plan.regions.iter().map(|region| json(&region.into())).collect();
        for (number, (there, here)) in regions.iter().zip(&derived).enumerate() {
            if there != here {
                return Ok(format!("region {number} is {there} there and {here} here"));
            }
        }
        if regions.len() != derived.len() {
            return Ok(format!("there are {} regions there and {} here", regions.len(), derived.len()));
        }
        for (number, (there, unit)) in units.iter().zip(&plan.units).enumerate() {
            let here = unit_row(unit);
            if *there != here {
                return Ok(format!("unit {number} is {there:?} there and {here:?} here"));
            }
        }
        Ok(match (units.len(), plan.units.len()) {
            (there, here) if there == here => "only its digest, which was changed".into(),
            (there, here) => format!("there are {there} units there and {here} here"),
        })
    }

    /// Writes the question again where a copy of it is damaged: another one is whole, or the ledger
    /// would not be open.
    fn repair_question(&self) -> Result<(), LedgerError> {
        if is_whole(&self.read(copies)?) {
            return Ok(());
        }
        self.change(|transaction| write_question(transaction, self.question(), self.plan_sha256()))
    }

    /// Writes rows of the plan again that are not what they were: the digest says that the plan is
    /// the same.
    fn repair_plan(&self, plan: &SolvePlan) -> Result<(), LedgerError> {
        if self.read(|connection| holds_plan(connection, plan))? {
            return Ok(());
        }
        self.change(|transaction| {
            let (units, regions) = (plan.units.len() as i64, plan.regions.len() as i64);
            for table in ["result", "disputed"] {
                let delete = format!("DELETE FROM {table} WHERE unit NOT BETWEEN 0 AND ? - 1");
                transaction.execute(&delete, [units])?;
            }
            transaction.execute("DELETE FROM unit WHERE number NOT BETWEEN 0 AND ? - 1", [units])?;
            write_regions(transaction, plan)?;
            write_units(transaction, plan)?;
            transaction.execute("DELETE FROM region WHERE number NOT BETWEEN 0 AND ? - 1", [regions])?;
            Ok(())
        })
    }

    /// Takes damaged results away and makes states agree with results.
    fn set_aside(&self, plan: &SolvePlan, damages: &[Damage]) -> Result<(), LedgerError> {
        const UNFOUNDED: &str = "state = 'finished' AND number NOT IN (SELECT unit FROM result)";
        const UNNOTED: &str = "state <> 'finished' AND number IN (SELECT unit FROM result)";
        const UNHELD: &str = "state = 'leased' AND worker IS NULL";
        let is_consistent = self.read(|connection| {
            let count =
                format!("SELECT count(*) = 0 FROM unit WHERE ({UNFOUNDED}) OR ({UNNOTED}) OR ({UNHELD})");
            connection.query_row(&count, [], |row| row.get::<_, bool>(0))
        })?;
        if is_consistent && damages.is_empty() {
            return Ok(());
        }
        self.change(|transaction| {
            for damage in damages {
                let number = damage.unit;
                // another process may have searched it again meanwhile
                let there = kept(transaction, number);
                let is_sound = matches!(there, Ok(Some(Ok(kept))) if kept.result(plan, number).is_ok());
                if !is_sound {
                    transaction.execute("DELETE FROM result WHERE unit = ?", [number as i64])?;
                    let update = "UPDATE unit SET failure = NULL WHERE number = ?";
                    transaction.execute(update, [number as i64])?;
                    transaction.execute(
                        "INSERT INTO damage (unit, reason, found_at) VALUES (?, ?, ?)",
                        params![number as i64, damage.reason, now()],
                    )?;
                }
            }
            for (state, which) in [("finished", UNNOTED), ("open", UNFOUNDED), ("open", UNHELD)] {
                let update = format!("UPDATE unit SET state = '{state}', worker = NULL WHERE {which}");
                transaction.execute(&update, [])?;
            }
            Ok(())
        })
    }
}

impl Ledger {
    /// Whether the rows of regions and units are those of the plan that the run began with, by its
    /// digest: without making the plan again.
    pub(crate) fn holds_its_plan(&self) -> Result<bool, LedgerError> {
        self.read(|connection| Ok(digest(connection)?.as_deref() == Some(self.plan_sha256())))
    }
}

/// [`SolvePlan::digest`] of the plan that the rows describe; none if a row cannot be read, or a
/// number is left out.
fn digest(connection: &Connection) -> rusqlite::Result<Option<String>> {
    let mut digest = Sha256::new();
    let mut statement = connection.prepare("SELECT number, document FROM region ORDER BY number")?;
    let mut rows = statement.query([])?;
    for number in 0.. {
        let Some(row) = rows.next()? else { break };
        let (Ok(found), Ok(document)) = (row.get::<_, i64>(0), row.get::<_, String>(1)) else {
            return Ok(None);
        };
        if found != number {
            return Ok(None);
        }
        digest.update(document);
        digest.update(b"\n");
    }
    let mut statement = connection
        .prepare("SELECT number, region, via, first, spacing, arguments FROM unit ORDER BY number")?;
    let mut rows = statement.query([])?;
    for number in 0.. {
        let Some(row) = rows.next()? else { break };
        let line = || -> Option<String> {
            let (region, via): (i64, Option<String>) = (row.get(1).ok()?, row.get(2).ok()?);
            let (first, spacing): (String, i32) = (row.get(3).ok()?, row.get(4).ok()?);
            let arguments = row.get::<_, String>(5).ok()?;
            let first = sound::multiple(sound::number(&first)?, spacing)?;
            let via = via.as_deref().unwrap_or("directly");
            Some(format!("{region} {first} {spacing} {arguments} {via}\n"))
        };
        match line() {
            Some(line) if row.get::<_, i64>(0) == Ok(number) => digest.update(line),
            _ => return Ok(None),
        }
    }
    Ok(Some(format!("{:x}", digest.finalize())))
}

/// Region, what is searched in place of the function if anything is, first argument, spacing and
/// number of arguments.
pub(crate) type UnitRow = (i64, Option<String>, String, i32, String);

pub(crate) fn unit_row(unit: &Unit) -> UnitRow {
    let range = &unit.range;
    let via = unit.via.as_ref().map(ToString::to_string);
    (unit.region as i64, via, range.argument(0).to_string(), range.exponent(), range.count().to_string())
}

fn unit_rows(connection: &Connection) -> rusqlite::Result<Vec<UnitRow>> {
    let mut statement =
        connection.prepare("SELECT region, via, first, spacing, arguments FROM unit ORDER BY number")?;
    let rows = statement
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?)))?;
    rows.collect()
}

/// Whether the rows of regions and units are those of the plan. A column of another kind is a
/// difference, not an error.
fn holds_plan(connection: &Connection, plan: &SolvePlan) -> rusqlite::Result<bool> {
    let compare = || -> rusqlite::Result<bool> {
        let mut statement = connection.prepare("SELECT number, document FROM region ORDER BY number")?;
        let regions = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        let regions: Vec<(i64, String)> = regions.collect::<rusqlite::Result<_>>()?;
        let documents = plan.regions.iter().map(|region| json(&region.into()));
        let planned: Vec<(i64, String)> = (0..).zip(documents).collect();
        let mut statement = connection.prepare("SELECT number, planned_s FROM unit ORDER BY number")?;
        let seconds = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        let seconds: Vec<(i64, f64)> = seconds.collect::<rusqlite::Result<_>>()?;
        // estimates may differ from machine to machine in their last places
        let is_close = |there: f64, here: f64| (there - here).abs() <= 1e-6 * here.abs();
        let is_unit = |((number, (there, seconds)), unit): ((i64, &(i64, f64)), &Unit)| {
            *there == number && is_close(*seconds, unit.core_seconds)
        };
        Ok(regions == planned
            && seconds.len() == plan.units.len()
            && (0..).zip(&seconds).zip(&plan.units).all(is_unit)
            && unit_rows(connection)?.iter().zip(&plan.units).all(|(row, unit)| *row == unit_row(unit)))
    };
    match compare() {
        Err(error) if error.sqlite_error_code().is_none() => Ok(false),
        compared => compared,
    }
}

pub(crate) fn json(region: &RegionRecord) -> String {
    // strings and finite numbers only: serialization does not fail
    serde_json::to_string(region).unwrap_or_default()
}
