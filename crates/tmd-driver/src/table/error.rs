//! [`TableError`]: why there is no table.

use tmd_core::Format;
use tmd_functions::{FunctionError, special::Doubt};

use super::Language;

/// Errors of tables. Each says what is wrong with the question and, where there is one, a way out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum TableError {
    /// A format with other than 16 bits.
    #[error("tables are for 16-bit formats; {format} is none: take binary16 or bfloat16")]
    Format { format: Format },
    /// A rounding that is not known.
    #[error("unknown rounding `{name}` (known: {known})")]
    Rounding { name: String, known: String },
    /// A name that a program cannot use.
    #[error("`{name}` cannot be the name of a table in {language}: {reason}")]
    Identifier { name: String, language: Language, reason: &'static str },
    /// An argument whose result could not be told.
    #[error(
        "{function} at x = {argument} (pattern {pattern:#06x}) is not decided with {bits} bits: {}; simplify the expression",
        undecided(.doubt.as_ref())
    )]
    Undecided { function: String, argument: String, pattern: u16, bits: u32, doubt: Option<Doubt> },
    /// The function refuses.
    #[error(transparent)]
    Function(#[from] FunctionError),
    /// The caller asked for the computation to stop.
    #[error("the table was interrupted")]
    Interrupted,
}

fn undecided(doubt: Option<&Doubt>) -> String {
    match doubt {
        Some(doubt) => doubt.to_string(),
        None => {
            "it agrees with a number or a midpoint, and no theorem here says whether it is one".to_string()
        }
    }
}
