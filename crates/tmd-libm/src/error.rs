//! [`LibmError`]: why a library could not be tested.

use std::{io, path::PathBuf};

use tmd_core::Format;
use tmd_driver::table::pattern::UnknownFormat;
use tmd_functions::FunctionError;

/// Errors of tests. Each says what is wrong with the question, or what the machine lacks, and where
/// there is one, a way out. What is wrong with the library is no error but a finding of the
/// [report](crate::Report).
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum LibmError {
    /// A format without a type that a C function takes.
    #[error("no C type has the format {format}; take binary16, bfloat16, binary32, binary64 or x87")]
    Format { format: Format },
    /// The library could not be loaded, or has no such symbol.
    #[error("{reason}")]
    Library { reason: String },
    /// Nothing was answered, not even that the library is loaded.
    #[error("loading {library} {fate}; nothing of it could be tested")]
    Loading { library: String, fate: String },
    /// All arguments of a format that has too many.
    #[error(
        "there are too many numbers in {format} to test them all; --exhaustive is for binary32, binary16 and bfloat16"
    )]
    TooMany { format: Format },
    /// A list of cases that cannot be read.
    #[error("{}: {reason}", path.display())]
    Cases { path: PathBuf, reason: String },
    /// This machine has another architecture, or another kind of operating system.
    #[error(
        "libraries can be tested on x86-64 with Linux or another Unix: nothing is known here of how another machine passes numbers and \
         rounds"
    )]
    Platform,
    /// A process could not be started or spoken to.
    #[error("cannot start the process that calls the library: {0}")]
    Process(#[source] io::Error),
    /// The function refuses.
    #[error(transparent)]
    Function(#[from] FunctionError),
    /// The caller asked for the test to stop.
    #[error("the test was interrupted")]
    Interrupted,
}

impl From<UnknownFormat> for LibmError {
    fn from(UnknownFormat { format }: UnknownFormat) -> Self {
        Self::Format { format }
    }
}
