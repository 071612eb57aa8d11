//! [`Record`]: the result of a unit as it is kept, text and checksum; [`Kept`]: its row in the ledger.

use rusqlite::{Row, types::FromSql};
use sha2::{Digest, Sha256};
use tmd_driver::solve::{Unit, UnitResult};

use crate::LedgerError;

/// A result as canonical JSON (the fields in their order, no spaces, numbers in their shortest form), with its SHA-256.
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

    /// The result, of whichever unit, or why it is not the one that was written.
    pub(crate) fn loose_result(&self) -> Result<UnitResult, String> {
        if sha256(self.document.as_bytes()) != self.sha256 {
            return Err("its checksum is wrong".into());
        }
        serde_json::from_str(&self.document).map_err(|error| error.to_string())
    }

    /// The result, or why it is not the one that was written for the unit.
    pub(crate) fn result(&self, unit: &Unit) -> Result<UnitResult, String> {
        let result = self.loose_result()?;
        if unit.is_of(&result) {
            Ok(result)
        } else {
            Err(format!(
                "it is of the unit at {}, or its lists are not as long as it counts",
                result.record.first
            ))
        }
    }
}

/// Rows of results, with what [`Kept::read`] reads.
pub(crate) const RESULTS: &str = "SELECT result.unit, document, sha256, cases, elapsed_s, failure
    FROM result LEFT JOIN unit ON unit.number = result.unit";

/// A result in the ledger: the record, and beside it what readers ask for without reading documents.
pub(crate) struct Kept {
    record: Record,
    cases: i64,
    elapsed_s: f64,
}

impl Kept {
    /// A row of [`RESULTS`], or why its result is not to be trusted. Bytes that are no text are damage of this result, not of the
    /// database; so is another result that disagrees.
    pub(crate) fn read(row: &Row) -> Result<Self, String> {
        fn column<T: FromSql>(row: &Row, column: usize) -> Result<T, String> {
            row.get(column).map_err(|error| error.to_string())
        }
        let record = Record { document: column(row, 1)?, sha256: column(row, 2)? };
        if let Some(dispute) = column::<Option<String>>(row, 5)? {
            return Err(dispute);
        }
        Ok(Self { record, cases: column(row, 3)?, elapsed_s: column(row, 4)? })
    }

    /// The result, of whichever unit, or why it is not the one that was written.
    pub(crate) fn loose_result(&self) -> Result<UnitResult, String> {
        self.compare(self.record.loose_result()?)
    }

    /// The result, or why it is not the one that was written for the unit.
    pub(crate) fn result(&self, unit: &Unit) -> Result<UnitResult, String> {
        self.compare(self.record.result(unit)?)
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

pub(crate) fn sha256(bytes: &[u8]) -> String {
    format!("{:x}", Sha256::digest(bytes))
}

/// Two results of one unit must be the same. Where devices search, counts depend on how the work was cut, and only what was found
/// is compared.
pub(crate) fn compare(
    number: usize,
    there: &UnitResult,
    here: &UnitResult,
    has_repeatable_counts: bool,
) -> Result<(), LedgerError> {
    let disagree = |difference: String| {
        Err(LedgerError::Disagreement { unit: number, first: there.record.first.clone(), difference })
    };
    if !there.finds_the_same_as(here) {
        let alone = |a: &UnitResult, b: &UnitResult| {
            let missing = a.cases.iter().find(|case| !b.cases.contains(case));
            missing.map(|case| format!("the case at {}", case.x))
        };
        let which = alone(there, here).or_else(|| alone(here, there));
        return disagree(match which {
            Some(case) => format!("{case} is in one of them only"),
            None => "they list other exact or undecided cases".into(),
        });
    }
    if has_repeatable_counts && there.record != here.record {
        let text = |result: &UnitResult| serde_json::to_string(&result.record).unwrap_or_default();
        return disagree(format!("the counts are {} and {}", text(there), text(here)));
    }
    Ok(())
}
