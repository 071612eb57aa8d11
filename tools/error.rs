//! [`ToolError`]: why a figure cannot be taken, shown or kept. One type for all programs, so that
//! each may use what another one has.

use std::{
    io,
    path::{Path, PathBuf},
    process::ExitCode,
};

use tmd_core::{CoreError, exist::ExistError};
use tmd_driver::DriverError;
use tmd_functions::{ParseError, taylor::TaylorError};
use tmd_gpu::GpuError;
use tmd_ledger::LedgerError;

/// Errors of the programs of this package.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ToolError {
    /// A format, a distance, a domain size or a piece that cannot be searched.
    #[error(transparent)]
    Core(#[from] CoreError),
    /// A search or a plan fails, or the function is not defined there.
    #[error(transparent)]
    Driver(#[from] DriverError),
    /// A function or a number cannot be read.
    #[error(transparent)]
    Parse(#[from] ParseError),
    /// No polynomial over an interval.
    #[error(transparent)]
    Taylor(#[from] TaylorError),
    /// An existence test that the catalogue does not have.
    #[error(transparent)]
    Test(#[from] ExistError),
    /// The adapter cannot be opened, or a kernel not be built.
    #[error(transparent)]
    Gpu(#[from] GpuError),
    /// A run directory fails.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// Processes or temporary files fail.
    #[error(transparent)]
    System(#[from] io::Error),

    /// A file cannot be read, or written.
    #[error("cannot {what} {}: {source}", path.display())]
    File {
        /// read or write
        what: &'static str,
        /// the file
        path: PathBuf,
        /// what the system says
        source: io::Error,
    },
    /// A CSV file cannot be read or written.
    #[error("{}: {source}", path.display())]
    Csv {
        /// the file
        path: PathBuf,
        /// what the library says
        source: csv::Error,
    },
    /// A file is not what `cargo xtask bench --json` writes.
    #[error("{} is no record of `cargo xtask bench --json`: {source}", path.display())]
    Json {
        /// the file
        path: PathBuf,
        /// what is wrong
        source: serde_json::Error,
    },
    /// A picture cannot be drawn or converted.
    #[error("cannot draw: {reason}")]
    Draw {
        /// what the library says
        reason: String,
    },
    /// The threads asked for cannot be had.
    #[error("cannot start {threads} threads: {reason}")]
    Threads {
        /// how many
        threads: usize,
        /// what rayon says
        reason: String,
    },

    /// A question of the agreement that is too small or too large.
    #[error("places have 2^{} to 2^{} arguments, not 2^{asked}", allowed.0, allowed.1)]
    Size {
        /// log2 of the fewest and of the most arguments
        allowed: (u32, u32),
        /// log2 of the number of arguments asked for
        asked: u32,
    },
    /// No line, or no parabola, can stand for domains of this size.
    #[error("the curvature is too large for domains of 2^{bits} arguments; try 2^{}", bits - 1)]
    CurvatureTooLarge {
        /// log2 of the domain size asked for
        bits: u32,
    },
    /// A list is wrong, so that its time is worth nothing.
    #[error(
        "{engine} finds {found} candidates in `{place}` where {reference} finds {expected}: no figure is taken from it"
    )]
    Disagreement {
        /// the engine that was measured
        engine: String,
        /// where
        place: String,
        /// how many it finds
        found: usize,
        /// the engine it is compared with
        reference: String,
        /// how many that finds
        expected: usize,
    },
    /// A figure is wrong, or could not be taken though it was asked for.
    #[error("{reason}")]
    Failed {
        /// why
        reason: String,
    },
    /// A figure was not taken, and nothing is wrong about that.
    #[error("not measured: {reason}")]
    NotMeasured {
        /// why
        reason: String,
    },
}

impl ToolError {
    /// For `map_err`: this file cannot be written.
    pub fn write(path: &Path) -> impl FnOnce(io::Error) -> Self {
        |source| Self::File { what: "write", path: path.into(), source }
    }

    /// For `map_err`: this CSV file cannot be read or written.
    pub fn csv(path: &Path) -> impl FnOnce(csv::Error) -> Self {
        |source| Self::Csv { path: path.into(), source }
    }

    /// A library's words about a picture.
    pub fn draw(reason: impl Into<Box<dyn std::error::Error>>) -> Self {
        Self::Draw { reason: reason.into().to_string() }
    }

    /// A figure that is wrong.
    pub fn failed(reason: impl Into<String>) -> Self {
        Self::Failed { reason: reason.into() }
    }

    /// Whether an engine lists at a place what another one does there.
    pub fn unless_same<T: PartialEq>(
        place: &str,
        (engine, found): (&str, &[T]),
        (reference, expected): (&str, &[T]),
    ) -> Result<(), Self> {
        if found == expected {
            return Ok(());
        }
        let [engine, place, reference] = [engine, place, reference].map(String::from);
        Err(Self::Disagreement { engine, place, found: found.len(), reference, expected: expected.len() })
    }

    /// A figure that was not taken.
    pub fn not_measured(reason: impl Into<String>) -> Self {
        Self::NotMeasured { reason: reason.into() }
    }

    /// For `ok_or_else`: the arguments of a function are no family.
    pub fn no_family(function: &dyn tmd_functions::Function) -> Self {
        Self::failed(format!("{} has no family", function.name()))
    }

    /// The same, for another figure.
    #[must_use]
    pub fn again(&self) -> Self {
        match self {
            Self::NotMeasured { reason } => Self::not_measured(reason),
            other => Self::failed(other.to_string()),
        }
    }
}

/// The end of a program: whether all is well, or why not, on standard error.
pub fn ended(program: &str, result: Result<bool, ToolError>) -> ExitCode {
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{program}: {error}");
            ExitCode::FAILURE
        }
    }
}
