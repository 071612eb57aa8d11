//! What is said beside the result, and how a failure ends the program.

use std::{
    fmt,
    io::{self, Write},
    process::ExitCode,
};

pub(crate) use crate::destination::Destination;
use tmd_core::CoreError;
use tmd_driver::{DriverError, WitnessError};

/// A failure in one sentence, and whose it is.
#[derive(Debug)]
pub struct Failure {
    sentence: String,
    code: u8,
}

impl Failure {
    /// The question was wrong: exit code 2.
    pub fn question(sentence: impl Into<String>) -> Self {
        Self { sentence: sentence.into(), code: 2 }
    }

    /// The machine failed, or lacks what it takes: exit code 1.
    pub fn machine(sentence: impl Into<String>) -> Self {
        Self { sentence: sentence.into(), code: 1 }
    }

    /// The exit code that goes with it.
    pub fn exit_code(&self) -> ExitCode {
        ExitCode::from(self.code)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.sentence)
    }
}

impl From<DriverError> for Failure {
    fn from(error: DriverError) -> Self {
        // a thread that does not start or a device that is lost is the machine's failure
        let machine = match &error {
            DriverError::Threads { .. } => true,
            DriverError::Core(error) => error.is_of_the_machine(),
            _ => false,
        };
        Self { sentence: error.to_string(), code: if machine { 1 } else { 2 } }
    }
}

impl From<WitnessError> for Failure {
    fn from(error: WitnessError) -> Self {
        match error {
            WitnessError::Search(error) => error.into(),
            error => Self::question(error.to_string()),
        }
    }
}

impl From<CoreError> for Failure {
    fn from(error: CoreError) -> Self {
        DriverError::from(error).into()
    }
}

/// Prints a line to standard error; errors of writing are ignored.
pub(crate) fn tell(line: impl fmt::Display) {
    let _ = writeln!(io::stderr().lock(), "{line}");
}
