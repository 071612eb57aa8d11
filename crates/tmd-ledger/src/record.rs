//! [`Record`]: the result of a unit as it is kept, text and checksum.

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
