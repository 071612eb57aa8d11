//! [`Fault`]: what goes wrong, as one of the exceptions of `tablemaker._errors`.

use std::path::{Path, PathBuf};

use pyo3::{
    PyClass,
    exceptions::{PyKeyboardInterrupt, PyOSError},
    prelude::*,
    pyclass_init::PyClassInitializer,
};
use tmd_driver::{
    DriverError,
    tmd_core::CoreError,
    tmd_functions::{Expression, parse},
};
use tmd_report::{ReportError, file::FileError};

use crate::job::Ended;

/// What goes wrong, and whose fault it is.
#[derive(Debug)]
pub(crate) enum Fault {
    /// `QuestionError`
    Question(String),
    /// `ExpressionError`
    Expression(String),
    /// `MachineError`
    Machine(String),
    /// `CertificateError`
    Certificate(String),
    /// The end that was asked for came before there was anything to keep
    Interrupted,
    /// `OSError`, of the kind that goes with the system's number: a file that cannot be read
    File { number: Option<i32>, path: PathBuf },
    /// Python's own
    Python(PyErr),
}

impl Fault {
    /// The exception.
    pub(crate) fn raise(self, py: Python<'_>) -> PyErr {
        let (class, sentence) = match self {
            Self::Question(sentence) => ("QuestionError", sentence),
            Self::Expression(sentence) => ("ExpressionError", sentence),
            Self::Machine(sentence) => ("MachineError", sentence),
            Self::Certificate(sentence) => ("CertificateError", sentence),
            Self::Interrupted => ("MachineError", CoreError::Interrupted.to_string()),
            Self::File { number, path } => return unreadable(py, number, &path),
            Self::Python(error) => return error,
        };
        exception(py, class, |class| class.call1((sentence,)))
    }

    /// The exception for a file without a certificate; one that cannot be read is an `OSError` of
    /// its kind.
    pub(crate) fn of_file(error: &FileError, path: &Path) -> Self {
        match error {
            FileError::Unreadable { reason, .. } => {
                Self::File { number: reason.raw_os_error(), path: path.to_path_buf() }
            }
            _ => Self::Certificate(error.to_string()),
        }
    }
}

impl From<DriverError> for Fault {
    fn from(error: DriverError) -> Self {
        let is_of_the_machine = match &error {
            DriverError::Threads { .. } => true,
            DriverError::Core(error) => error.is_of_the_machine(),
            _ => false,
        };
        match error {
            DriverError::Core(CoreError::Interrupted) => Self::Interrupted,
            DriverError::Unreadable { .. } => Self::Certificate(error.to_string()),
            _ if is_of_the_machine => Self::Machine(error.to_string()),
            _ => Self::Question(error.to_string()),
        }
    }
}

impl From<CoreError> for Fault {
    fn from(error: CoreError) -> Self {
        DriverError::from(error).into()
    }
}

impl From<ReportError> for Fault {
    fn from(error: ReportError) -> Self {
        Self::Certificate(error.to_string())
    }
}

impl From<PyErr> for Fault {
    fn from(error: PyErr) -> Self {
        Self::Python(error)
    }
}

impl From<Fault> for PyErr {
    fn from(fault: Fault) -> Self {
        Python::attach(|py| fault.raise(py))
    }
}

/// A function or expression.
pub(crate) fn function(text: &str) -> Result<Expression, Fault> {
    parse(text).map_err(|error| {
        let hint = error.hint().map_or_else(String::new, |hint| format!("; {hint}"));
        Fault::Expression(format!("function `{text}`: {error}{hint}"))
    })
}

/// What a job comes to in Python. If its end was asked for by an exception, it is raised with what
/// is known: `Interrupted` for `KeyboardInterrupt`; all others as they are, with an attribute
/// `partial`.
pub(crate) fn outcome<T>(py: Python<'_>, ended: Ended<Result<T, Fault>>) -> PyResult<T>
where
    T: PyClass + Into<PyClassInitializer<T>>,
{
    let (partial, reason) = match (ended.value, ended.reason) {
        (Ok(value), None) => return Ok(value),
        (Ok(value), Some(reason)) => (Py::new(py, value)?.into_any(), reason),
        (Err(Fault::Interrupted), Some(reason)) => (py.None(), reason),
        (Err(fault), _) => return Err(fault.raise(py)),
    };
    if !reason.is_instance_of::<PyKeyboardInterrupt>(py) {
        // an exception that takes no attributes is raised without
        let _ = reason.value(py).setattr("partial", partial);
        return Err(reason);
    }
    let interrupted = exception(py, "Interrupted", |class| class.call1((partial,)));
    interrupted.set_cause(py, Some(reason));
    Err(interrupted)
}

/// `OSError` of three arguments: Python makes FileNotFoundError, PermissionError, … of them.
fn unreadable(py: Python<'_>, number: Option<i32>, path: &Path) -> PyErr {
    let said: PyResult<String> =
        py.import("os").and_then(|os| os.call_method1("strerror", (number.unwrap_or(0),))?.extract());
    match said {
        Ok(said) => PyOSError::new_err((number, said, path.to_string_lossy().into_owned())),
        Err(error) => error,
    }
}

/// An exception of the package; if that cannot be made, why not.
fn exception<'py>(
    py: Python<'py>,
    class: &str,
    make: impl FnOnce(&Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>>,
) -> PyErr {
    let made = py.import("tablemaker._errors").and_then(|module| make(&module.getattr(class)?));
    made.map_or_else(|error| error, PyErr::from_value)
}
