//! [`ReportError`]: why a certificate cannot be written in another format.

use tmd_core::{CoreError, Format};
use tmd_driver::{
    DriverError,
    table::{Rounding, TableError},
};

/// Errors of this crate.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum ReportError {
    /// The certificate holds something that is no number.
    #[error(
        "the certificate lists `{text}`, which is not a number such as 0x1.8p+3; tmd verify says what is wrong with it"
    )]
    Number { text: String },
    /// The certificate's question does not exist.
    #[error(transparent)]
    Question(#[from] CoreError),
    /// What the certificate says of its arguments cannot be.
    #[error(transparent)]
    Certificate(#[from] DriverError),
    /// A table could not be written.
    #[error("cannot write {format}: {reason}")]
    Table { format: &'static str, reason: String },
    /// A rounding mode of whose breakpoints the certificate says nothing.
    #[error(
        "the certificate is about rounding {rounding}: it says nothing of rounding {mode}; name other modes, or solve with --rounding all"
    )]
    Mode { mode: Rounding, rounding: String },
    /// A format that neither C nor Rust has a type for.
    #[error("there is no type for numbers of {format} in C or Rust; take --output corpus, csv or wc")]
    Type { format: Format },
    /// A name that a program cannot use.
    #[error(transparent)]
    Name(#[from] TableError),
    /// The certificate's function does not exist.
    #[error(
        "the certificate is about `{text}`, which is no function: {reason}; tmd verify says what is wrong with it"
    )]
    Function { text: String, reason: String },
    /// An accuracy that is none.
    #[error(
        "an accuracy is a relative error bound E with 0 < E < 1/4, such as 2^-68; `{text}` is none: {reason}"
    )]
    Accuracy { text: String, reason: String },
    /// Exceptions that a certificate does not list.
    #[error(
        "the list does not reach: with an error of {accuracy} arguments may fall through whose distance is 2^-{extra_bits} ulp or more, and the certificate lists none of these; take an accuracy of 2^-{least} or better, or solve with fewer --extra-bits"
    )]
    Reach { accuracy: String, extra_bits: u32, least: u32 },
    /// A plot could not be drawn.
    #[error("cannot draw a plot: {reason}")]
    Plot { reason: String },
}
