//! [`Record`]: the result of a unit as it is kept, text and checksum; [`Kept`]: its row in the
//! ledger.

use rusqlite::{Row, types::FromSql};
use sha2::{Digest, Sha256};
use tmd_driver::{SolvePlan, certificate::UnitRecord, solve::UnitResult};

use crate::{check::UnitRow, sound};

/// A result as canonical JSON (the fields in their order, no spaces, numbers in their shortest
/// form), with its SHA-256.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Record {
    pub(crate) document: String,
    pub(crate) sha256: String,
}

impl Record {
    pub(crate) fn new(result: &UnitResult) -> Self {
        // strings and finite numbers only: serialization does not fail
        let document = serde_json::to_string(result).unwrap_or_default();
        let sha256 = sha256(document.as_bytes());
        Self { document, sha256 }
    }

    /// The result, of whichever unit, or why it is not the one that was written, or none that a
    /// search may have.
    pub(crate) fn loose_result(&self) -> Result<UnitResult, String> {
        let result = self.read()?;
        sound::check(&result, None).map(|()| result)
    }

    /// The result, or why it is not the one that was written for a unit, or none that a search of
    /// it may have.
    pub(crate) fn result(&self, plan: &SolvePlan, number: usize) -> Result<UnitResult, String> {
        let result = self.read()?;
        is_of(plan, number, &result).map(|()| result)
    }

    fn read(&self) -> Result<UnitResult, String> {
        if sha256(self.document.as_bytes()) != self.sha256 {
            return Err("its checksum is wrong".into());
        }
        serde_json::from_str(&self.document).map_err(|error| error.to_string())
    }
}

/// Whether a result is of this unit, and may come of a search of it; else, why not.
pub(crate) fn is_of(plan: &SolvePlan, number: usize, result: &UnitResult) -> Result<(), String> {
    let unit = plan.units.get(number).ok_or("there is no such unit")?;
    let bounds = result.record.via.as_ref().map(|_| plan.bounds(unit));
    sound::check(result, bounds)?;
    if unit.is_of(result) {
        return Ok(());
    }
    Err(format!("it is of the unit at {}", result.record.first))
}

/// Rows of results, with what [`Kept::read`] reads.
pub(crate) const RESULTS: &str = "SELECT result.unit, document, sha256, cases, elapsed_s,
        region, via, first, spacing, arguments
    FROM result LEFT JOIN unit ON unit.number = result.unit";

/// A result in the ledger: the record, and beside it what readers ask for without reading
/// documents.
pub(crate) struct Kept {
    record: Record,
    cases: i64,
    elapsed_s: f64,
    /// as the plan's row says, if there is one that can be read
    unit: Option<UnitRow>,
}

impl Kept {
    /// A row of [`RESULTS`], or why its result is not to be trusted. Bytes that are no text are
    /// damage of this result, not of the database.
    pub(crate) fn read(row: &Row) -> Result<Self, String> {
        fn column<T: FromSql>(row: &Row, column: usize) -> Result<T, String> {
            row.get(column).map_err(|error| error.to_string())
        }
        let record = Record { document: column(row, 1)?, sha256: column(row, 2)? };
        let unit = || {
            Some((row.get(5).ok()?, row.get(6).ok()?, row.get(7).ok()?, row.get(8).ok()?, row.get(9).ok()?))
        };
        Ok(Self { record, cases: column(row, 3)?, elapsed_s: column(row, 4)?, unit: unit() })
    }

    /// The result without a plan, or why it is not the one that was written for the unit of its
    /// row.
    pub(crate) fn loose_result(&self, trusts_rows: bool) -> Result<UnitResult, String> {
        let result = self.compare(self.record.loose_result()?)?;
        match &self.unit {
            Some(unit) if trusts_rows && *unit != planned(&result.record) => {
                Err(format!("it is of the unit at {}", result.record.first))
            }
            _ => Ok(result),
        }
    }

    /// The result, or why it is not the one that was written for the unit.
    pub(crate) fn result(&self, plan: &SolvePlan, number: usize) -> Result<UnitResult, String> {
        self.compare(self.record.result(plan, number)?)
    }

    fn compare(&self, result: UnitResult) -> Result<UnitResult, String> {
        // times are read from the document to the last place but one
        let is_close = (self.elapsed_s - result.elapsed_s).abs() <= 1e-9 * result.elapsed_s.abs();
        if self.cases == result.cases.len() as i64 && is_close {
            Ok(result)
        } else {
            Err("the columns beside its document are not what it says".into())
        }
    }
}

/// The row of the unit that a result is of.
fn planned(record: &UnitRecord) -> UnitRow {
    let via = record.via.as_ref().map(ToString::to_string);
    (record.region as i64, via, record.first.clone(), record.spacing, record.arguments.to_string())
}

pub(crate) fn sha256(bytes: &[u8]) -> String {
    format!("{:x}", Sha256::digest(bytes))
}

/// Two results of one unit must be the same; else, what differs. Where devices search, counts
/// depend on how the work was cut, and only what was found is compared.
pub(crate) fn compare(
    there: &UnitResult,
    here: &UnitResult,
    has_repeatable_counts: bool,
) -> Result<(), String> {
    if !there.finds_the_same_as(here) {
        let alone = |a: &UnitResult, b: &UnitResult| {
            let missing = a.cases.iter().find(|case| !b.cases.contains(case));
            missing.map(|case| format!("the case at {}", case.x))
        };
        let which = alone(there, here).or_else(|| alone(here, there));
        return Err(match which {
            Some(case) => format!("{case} is in one of them only"),
            None => "they list other exact or undecided cases".into(),
        });
    }
    if has_repeatable_counts && !there.record.says_the_same_as(&here.record) {
        let text = |result: &UnitResult| serde_json::to_string(&result.record).unwrap_or_default();
        return Err(format!("the counts are {} and {}", text(there), text(here)));
    }
    Ok(())
}
