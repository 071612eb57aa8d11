//! Numbers: from Python's values, and to floats or fractions.

use pyo3::{
    exceptions::{PyOverflowError, PyTypeError, PyValueError},
    prelude::*,
    sync::PyOnceLock,
    types::{PyFloat, PyInt, PyString, PyType},
};
use tmd_driver::{
    Format, Number,
    interval::{self, End, EndError},
    rug::{Integer, Rational},
};
use tmd_report::rounded::Rounded;

use crate::errors::Fault;

/// A number as Python gives it.
pub(crate) enum Given {
    /// a text, or what only a text says: infinities and NaN
    Text(String),
    Exact(Rational),
}

impl Given {
    /// Anything that is exactly an integer or a fraction, or a text.
    pub(crate) fn of(value: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(text) = value.cast::<PyString>() {
            return Ok(Self::Text(text.to_str()?.to_owned()));
        }
        if let Ok(float) = value.cast::<PyFloat>() {
            let float = float.value();
            // `inf`, `-inf` or `nan`, as Python writes them
            let text = || float.to_string().to_lowercase();
            return Ok(Rational::from_f64(float).map_or_else(|| Self::Text(text()), Self::Exact));
        }
        let py = value.py();
        if let Ok(index) = py.import("operator")?.call_method1("index", (value,)) {
            return Ok(Self::Exact(integer(&index)?.into()));
        }
        if !value.hasattr("as_integer_ratio")? {
            let name = value.get_type().name()?;
            return Err(PyTypeError::new_err(format!(
                "a number is an int, a float, a fraction or a text such as \"1+2^-13\", not {name}"
            )));
        }
        match value.call_method0("as_integer_ratio") {
            Ok(ratio) => {
                let (numerator, denominator): (Bound<'_, PyAny>, Bound<'_, PyAny>) = ratio.extract()?;
                let (numerator, denominator) = (integer(&numerator)?, integer(&denominator)?);
                if denominator.is_zero() {
                    return Err(PyValueError::new_err("a fraction whose denominator is 0"));
                }
                Ok(Self::Exact(Rational::from((numerator, denominator))))
            }
            // infinities and NaN of NumPy and of decimal
            Err(error)
                if error.is_instance_of::<PyOverflowError>(py)
                    || error.is_instance_of::<PyValueError>(py) =>
            {
                Ok(Self::Text(value.str()?.to_str()?.to_owned()))
            }
            Err(error) => Err(error),
        }
    }

    /// The argument that it is.
    pub(crate) fn argument(&self, format: Format) -> Result<Number, Fault> {
        let value = match self {
            Self::Exact(value) => value.clone(),
            Self::Text(text) => {
                interval::finite(text).map_err(|error| Fault::Question(refused("argument", text, &error)))?
            }
        };
        Ok(interval::argument(&value, format)?)
    }

    /// The end of an interval that it is.
    pub(crate) fn end(self, which: End, format: Format) -> Result<Rational, Fault> {
        let name = match which {
            End::First => "start",
            End::After => "stop",
        };
        match self {
            Self::Exact(value) => Ok(value),
            Self::Text(text) => interval::end(&text, which, format)
                .map_err(|error| Fault::Question(refused(name, &text, &error))),
        }
    }
}

fn refused(name: &str, text: &str, error: &EndError) -> String {
    let colon = if *error == EndError::NotFinite { "" } else { ":" };
    format!("{name} `{text}`{colon} {error}")
}

/// An integer of any size.
fn integer(value: &Bound<'_, PyAny>) -> PyResult<Integer> {
    // of Python's conversions this one knows no limit
    let digits: String = value.call_method1("__format__", ("x",))?.extract()?;
    Integer::from_str_radix(&digits, 16).map_err(|error| PyValueError::new_err(error.to_string()))
}

/// Whether all numbers of a format with so many more bits are doubles.
pub(crate) fn are_doubles(format: Format, more: u32) -> bool {
    let binary64 = Format::BINARY64;
    let least = format.ulp_exponent(format.min_exponent()) - more as i32;
    format.precision() + more <= binary64.precision()
        && format.max_exponent() <= binary64.max_exponent()
        && least >= binary64.ulp_exponent(binary64.min_exponent())
}

/// A float, or a fraction.
pub(crate) fn to_python(py: Python<'_>, x: Number, is_double: bool) -> PyResult<Py<PyAny>> {
    static FRACTION: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    if is_double {
        return Ok(PyFloat::new(py, x.to_f64()).into_any().unbind());
    }
    let fraction = FRACTION.import(py, "fractions", "Fraction")?;
    let (significand, power) = parts(py, x)?;
    let numbers = if x.exponent() < 0 {
        let one = PyInt::new(py, 1).into_any();
        (significand, one.lshift(-i64::from(x.exponent()))?)
    } else {
        (significand.lshift(power)?, PyInt::new(py, 1).into_any())
    };
    Ok(fraction.call1(numbers)?.unbind())
}

/// Significand and exponent.
fn parts(py: Python<'_>, x: Number) -> PyResult<(Bound<'_, PyAny>, i32)> {
    Ok((x.significand().into_pyobject(py)?.into_any(), x.exponent()))
}

/// A float, or a fraction; infinities and −0 are floats everywhere.
pub(crate) fn rounded(py: Python<'_>, result: Rounded, is_double: bool) -> PyResult<Py<PyAny>> {
    let float = |value: f64| Ok(PyFloat::new(py, value).into_any().unbind());
    match result {
        Rounded::Number(x) => to_python(py, x, is_double),
        Rounded::Zero(false) => to_python(py, Number::ZERO, is_double),
        Rounded::Zero(true) => float(-0.0),
        Rounded::Infinity(is_negative) => float(if is_negative { -f64::INFINITY } else { f64::INFINITY }),
    }
}

/// The double that a result is; none if no double equals it.
pub(crate) fn double(result: Rounded) -> Option<f64> {
    match result {
        Rounded::Number(x) => tmd_report::number::exact_f64(x),
        Rounded::Zero(is_negative) => Some(if is_negative { -0.0 } else { 0.0 }),
        Rounded::Infinity(is_negative) => Some(if is_negative { -f64::INFINITY } else { f64::INFINITY }),
    }
}
