//! What a caller of this crate can do wrong.

use thiserror::Error;

/// A refused argument, with the offending value.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum ExistError {
    /// A segment was given no argument: N = 0.
    #[error("a segment needs at least one argument, and was given none (N = 0)")]
    NoArguments,
    /// A segment was given more arguments than the 2^32 that the counters of the tests allow for.
    #[error("a segment has at most 2^32 arguments, and was given N = {0}")]
    TooManyArguments(u64),
    /// A threshold for the hybrid division above 64, the size of the operands.
    #[error("LOGMS is a number of bits from 0 (always divide) to 64 (always subtract), not {0}")]
    LogmsAboveWordSize(u32),
    /// A name that no test of the catalogue has.
    #[error("no existence test is called `{0}`")]
    UnknownTest(String),
}
