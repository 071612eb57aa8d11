//! [`ReportError`]: why a certificate cannot be written in another format.

use tmd_core::CoreError;
use tmd_driver::DriverError;

/// Errors of this crate.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReportError {
    /// The certificate holds something that is no number.
    #[error(
        "the certificate lists `{text}`, which is not a number such as 0x1.8p+3; tmd verify says what is wrong with it"
    )]
    Number {
        /// what it holds
        text: String,
    },
    /// The certificate's question does not exist.
    #[error(transparent)]
    Question(#[from] CoreError),
    /// What the certificate says of its arguments cannot be.
    #[error(transparent)]
    Certificate(#[from] DriverError),
    /// A table could not be written.
    #[error("cannot write {format}: {reason}")]
    Table {
        /// the format
        format: &'static str,
        /// what its library says
        reason: String,
    },
    /// A plot could not be drawn.
    #[error("cannot draw a plot: {reason}")]
    Plot {
        /// what the drawing library says
        reason: String,
    },
}
