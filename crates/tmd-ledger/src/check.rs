//! [`Ledger::check`]: is the run still what it was, and what of it is damaged?

use rusqlite::{Connection, params};
use tmd_driver::{Solve, SolvePlan, certificate::RegionRecord, solve::Unit};

use crate::{
    Access, Damage, Ledger, LedgerError, Question,
    ledger::{kept, now, write_units},
};

impl Ledger {
    /// Compares question and plan with those that the run began with, and every result with its checksum and its unit. Opened to
    /// write, what is damaged is set aside.
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
        let (regions, units) = self.read(|connection| {
            let mut statement = connection.prepare("SELECT document FROM region ORDER BY number")?;
            let regions: Vec<String> =
                statement.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
            Ok((regions, unit_rows(connection)?))
        })?;
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

    /// Writes rows of the plan again that are not what they were: the digest says that the plan is the same.
    fn repair_plan(&self, plan: &SolvePlan) -> Result<(), LedgerError> {
        let rows = self.read(unit_rows)?;
        if rows.len() == plan.units.len()
            && rows.iter().zip(&plan.units).all(|(row, unit)| *row == unit_row(unit))
        {
            return Ok(());
        }
        self.write(|transaction| {
            let write = || -> rusqlite::Result<()> {
                transaction.execute("DELETE FROM unit WHERE number >= ?", [plan.units.len() as i64])?;
                write_units(
                    transaction,
                    plan,
                    "ON CONFLICT (number) DO UPDATE SET region = excluded.region, via = excluded.via,
                    first = excluded.first, spacing = excluded.spacing, arguments = excluded.arguments,
                    planned_s = excluded.planned_s",
                )
            };
            write().map_err(|error| self.sqlite(&error))
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
        self.write(|transaction| {
            let repair = || -> rusqlite::Result<()> {
                for damage in damages {
                    let number = damage.unit;
                    // another process may have searched it again meanwhile
                    let is_sound = plan.units.get(number).is_some_and(|unit| {
                        matches!(kept(transaction, number), Ok(Some(record)) if record.result(unit).is_ok())
                    });
                    if !is_sound {
                        transaction.execute("DELETE FROM result WHERE unit = ?", [number as i64])?;
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
            };
            repair().map_err(|error| self.sqlite(&error))
        })
    }
}

/// Region, inverse function if that is searched, first argument, spacing and number of arguments.
pub(crate) type UnitRow = (i64, Option<String>, String, i32, String);

pub(crate) fn unit_row(unit: &Unit) -> UnitRow {
    let range = &unit.range;
    let via = unit.via.as_ref().map(|via| format!("{} to {} bits", via.function, via.extra_bits));
    (unit.region as i64, via, range.argument(0).to_string(), range.exponent(), range.count().to_string())
}

fn unit_rows(connection: &Connection) -> rusqlite::Result<Vec<UnitRow>> {
    let mut statement =
        connection.prepare("SELECT region, via, first, spacing, arguments FROM unit ORDER BY number")?;
    let rows = statement
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?)))?;
    rows.collect()
}

pub(crate) fn json(region: &RegionRecord) -> String {
    // strings and finite numbers only: serialization does not fail
    serde_json::to_string(region).unwrap_or_default()
}
