//! [`ReproduceError`]: why a section cannot be measured or written.

use std::{io, path::PathBuf};

use tmd_core::CoreError;
use tmd_driver::DriverError;
use tmd_functions::{ParseError, taylor::TaylorError};

use crate::{divergence::DivergenceError, figures::picture::PictureError, filtering::FilteringError};

/// Errors of a reproduction.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReproduceError {
    /// Divergence cannot be measured.
    #[error(transparent)]
    Divergence(#[from] DivergenceError),
    /// Domains cannot be counted.
    #[error(transparent)]
    Filtering(#[from] FilteringError),
    /// A search failed.
    #[error(transparent)]
    Driver(#[from] DriverError),
    /// A piece cannot be searched.
    #[error(transparent)]
    Core(#[from] CoreError),
    /// A function or a number of the papers cannot be read.
    #[error(transparent)]
    Parse(#[from] ParseError),
    /// No polynomial over an interval of the papers.
    #[error(transparent)]
    Taylor(#[from] TaylorError),
    /// A picture cannot be drawn or written.
    #[error(transparent)]
    Picture(#[from] PictureError),
    /// Two engines do not agree, so that neither's time is worth anything.
    #[error(
        "{engine} finds {found} candidates where {reference} finds {expected}: no figure is taken from it"
    )]
    Disagreement {
        /// the engine that was measured
        engine: String,
        /// how many it finds
        found: usize,
        /// the engine it is compared with
        reference: String,
        /// how many that finds
        expected: usize,
    },
    /// The threads of a measurement cannot be had.
    #[error("cannot start {threads} threads: {reason}")]
    Threads {
        /// how many
        threads: usize,
        /// what rayon says
        reason: String,
    },
    /// A way to divide is wrong.
    #[error("{method}: the sum of its quotients is wrong, no figure is taken from it")]
    Quotients {
        /// how it divides
        method: String,
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
