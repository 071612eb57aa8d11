//! [`DivergenceError`]: why a measurement cannot be made or shown.

use crate::figures::picture::PictureError;
use tmd_core::CoreError;
use tmd_driver::DriverError;
use tmd_functions::{ParseError, taylor::TaylorError};

/// Errors of a measurement.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DivergenceError {
    /// The function or an end of the interval cannot be read.
    #[error(transparent)]
    Parse(#[from] ParseError),
    /// The interval is empty, or the function not defined on it.
    #[error(transparent)]
    Driver(#[from] DriverError),
    /// A format, a distance or a domain size out of range.
    #[error(transparent)]
    Core(#[from] CoreError),
    /// No polynomial, even for a single block of domains.
    #[error("no Taylor polynomial over the {arguments} arguments from {from} on: {reason}")]
    NoPiece {
        /// length of the shortest range that was tried
        arguments: u64,
        /// its first argument
        from: String,
        /// of the last attempt
        reason: TaylorError,
    },
    /// A line cannot stand for domains of this size.
    #[error("domains of 2^{bits} arguments are too bent for an existence test here; try --domain-bits {}", bits - 1)]
    TooBent {
        /// log2 of the domain size asked for
        bits: u32,
    },
    /// No whole block of domains.
    #[error("fewer than {blocks} domains of {domain} arguments: nothing to measure")]
    TooFewDomains {
        /// arguments per domain
        domain: u64,
        /// domains per block
        blocks: usize,
    },
    /// A name that no test has.
    #[error("no test is called `{name}`; without --tests all are measured and named")]
    UnknownTest {
        /// the name
        name: String,
    },
    /// A Farey walk cannot start.
    #[error("no Farey walk: {reason}")]
    Walk {
        /// what the walk says
        reason: String,
    },
    /// The threads asked for cannot be had.
    #[error("cannot start the threads: {reason}")]
    Threads {
        /// what rayon says
        reason: String,
    },
    /// A file cannot be written.
    #[error("cannot write {path}: {source}")]
    Write {
        /// the file
        path: String,
        /// what the system says
        source: std::io::Error,
    },
    /// The picture cannot be drawn, converted or written.
    #[error(transparent)]
    Picture(#[from] PictureError),
}
