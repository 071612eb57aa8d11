//! [`RatiosError`]: why ratios cannot be taken, kept or compared.

use std::{io, path::PathBuf};

use tmd_core::CoreError;
use tmd_driver::DriverError;
use tmd_functions::{ParseError, taylor::TaylorError};

/// Errors of a run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RatiosError {
    /// A piece cannot be searched.
    #[error(transparent)]
    Core(#[from] CoreError),
    /// An argument cannot be confirmed.
    #[error(transparent)]
    Driver(#[from] DriverError),
    /// A function or a number cannot be read.
    #[error(transparent)]
    Parse(#[from] ParseError),
    /// No polynomial over a piece.
    #[error(transparent)]
    Taylor(#[from] TaylorError),
    /// An engine's list is wrong, so that its time is worth nothing.
    #[error(
        "{engine} finds {found} candidates in `{place}` where the walk finds {expected}: no ratio is taken from it"
    )]
    Disagreement {
        /// the engine
        engine: String,
        /// where
        place: String,
        /// how many it finds
        found: usize,
        /// how many there are
        expected: usize,
    },
    /// No round at all.
    #[error("no rounds: nothing would be measured")]
    NoRounds,
    /// A factor that would call everything slower, or nothing.
    #[error("the factor must be at least 1, not {factor}")]
    Factor {
        /// the factor asked for
        factor: f64,
    },
    /// A file cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// the file
        path: PathBuf,
        /// what the system says
        source: io::Error,
    },
    /// A file is not a run's record.
    #[error("{} is no record of `cargo xtask bench --json`: {source}", path.display())]
    Json {
        /// the file
        path: PathBuf,
        /// what is wrong
        source: serde_json::Error,
    },
    /// A file cannot be written.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// the file
        path: PathBuf,
        /// what the system says
        source: io::Error,
    },
}
