//! [`FilteringError`]: why domains cannot be counted.

use tmd_core::{CoreError, exist::ExistError};

use crate::divergence::DivergenceError;

/// Errors of a count.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FilteringError {
    /// The interval cannot be cut into pieces.
    #[error(transparent)]
    Question(#[from] DivergenceError),
    /// A domain size out of range.
    #[error(transparent)]
    Core(#[from] CoreError),
    /// A test that the catalogue does not have.
    #[error(transparent)]
    Test(#[from] ExistError),
    /// A parabola cannot stand for domains of this size.
    #[error("domains of 2^{bits} arguments are too bent to be counted here")]
    TooBent {
        /// log2 of the domain size asked for
        bits: u32,
    },
}
