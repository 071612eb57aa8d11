//! Cases one by one: [`Case`], [`ExactCase`], [`Undecided`], and [`Results`] in all modes.

use std::{
    hash::{Hash, Hasher},
    sync::Arc,
};

use pyo3::{prelude::*, types::PyDict};
use tmd_driver::{Number, report};
use tmd_report::{
    ReportError,
    number::{number, value},
};

use crate::{
    ask::Formats,
    number::{rounded, to_python},
    results::InModes,
};

/// A result, correctly rounded in each of the modes of IEEE 754.
///
/// Floats where the format is binary64 or narrower, else fractions; infinities and -0.0 are floats
/// always.
#[pyclass(frozen, eq, module = "tablemaker")]
#[derive(Clone, PartialEq)]
pub(crate) struct Results {
    inner: InModes,
    is_double: bool,
}

#[pymethods]
impl Results {
    /// To nearest, ties to even.
    #[getter]
    fn nearest_even(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.python(py, 0)
    }

    /// To nearest, ties away from zero.
    #[getter]
    fn nearest_away(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.python(py, 1)
    }

    /// Toward +infinity.
    #[getter]
    fn up(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.python(py, 2)
    }

    /// Toward -infinity.
    #[getter]
    fn down(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.python(py, 3)
    }

    /// Toward zero.
    #[getter]
    fn zero(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.python(py, 4)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let [even, away, up, down, zero] =
            [self.nearest_even(py)?, self.nearest_away(py)?, self.up(py)?, self.down(py)?, self.zero(py)?];
        Ok(format!("Results(nearest_even={even}, nearest_away={away}, up={up}, down={down}, zero={zero})"))
    }
}

impl Results {
    /// The result in a mode, by its place in [`MODES`](crate::results::MODES).
    fn python(&self, py: Python<'_>, mode: usize) -> PyResult<Py<PyAny>> {
        rounded(py, self.inner.0[mode], self.is_double)
    }
}

/// A case as it is listed, its numbers read.
#[derive(Debug)]
pub(crate) struct Listed {
    pub(crate) case: report::Case,
    pub(crate) argument: Number,
    breakpoint: Number,
    bracket: [Number; 2],
    pub(crate) results: InModes,
    /// itself, and those that follow from it and are not listed
    pub(crate) stands_for: u128,
    pub(crate) formats: Formats,
}

impl Listed {
    pub(crate) fn new(case: report::Case, stands_for: u128, formats: Formats) -> Result<Self, ReportError> {
        let [lower, upper] = &case.bracket;
        Ok(Self {
            argument: number(&case.x)?,
            breakpoint: number(&case.breakpoint)?,
            bracket: [number(lower)?, number(upper)?],
            results: InModes::of_case(&case, formats.results)?,
            stands_for,
            formats,
            case,
        })
    }
}

/// A hard case: an argument x whose result f(x) is next to a breakpoint of rounding, but not on it.
#[pyclass(frozen, eq, hash, module = "tablemaker")]
#[derive(Clone)]
pub(crate) struct Case(pub(crate) Arc<Listed>);

impl PartialEq for Case {
    fn eq(&self, other: &Self) -> bool {
        self.0.case == other.0.case && self.0.formats == other.0.formats
    }
}

impl Hash for Case {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (&self.0.case.x, &self.0.case.breakpoint).hash(state);
    }
}

#[pymethods]
impl Case {
    /// The argument x: a float where the format of the arguments is binary64 or narrower, else a
    /// fraction.
    #[getter]
    fn argument(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        to_python(py, self.0.argument, self.0.formats.has_double_arguments())
    }

    /// The argument as C's `%a` writes it, as lists and certificates have it.
    #[getter]
    fn x(&self) -> &str {
        &self.0.case.x
    }

    /// The argument as integers (m, e): it is m·2^e, and m is odd, or both are 0.
    #[getter]
    fn parts(&self) -> (i128, i32) {
        (self.0.argument.significand(), self.0.argument.exponent())
    }

    /// The kind of breakpoint next to f(x): "number" (hard to round up, down and toward zero) or
    /// "midpoint" of two (to nearest).
    #[getter]
    fn kind(&self) -> &str {
        &self.0.case.kind
    }

    /// Whether f(x) is above the breakpoint.
    #[getter]
    fn above(&self) -> bool {
        self.0.case.sign == '+'
    }

    /// log2 of the distance in ulps of the result, to four digits, as lists have it; the more
    /// negative, the harder.
    #[getter]
    fn log2_distance(&self) -> f64 {
        self.0.case.log2_dist
    }

    /// The distance between f(x) and the breakpoint in ulps of the result; 0.0 if no float is so
    /// small.
    #[getter]
    fn distance(&self) -> f64 {
        self.0.case.log2_dist.exp2()
    }

    /// -log2(distance): the bits after the last one of the result that an approximation of f(x)
    /// must have right, at least.
    #[getter]
    fn hardness(&self) -> f64 {
        -self.0.case.log2_dist
    }

    /// Bits of f(x) after the rounding bit that are all 0 or all 1.
    #[getter]
    fn identical_bits(&self) -> u32 {
        self.0.case.identical_bits
    }

    /// The breakpoint. A midpoint has a bit more than the format: a float where the format is
    /// narrower than binary64, else a fraction.
    #[getter]
    fn breakpoint(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        to_python(py, self.0.breakpoint, self.0.formats.has_double_breakpoints())
    }

    /// The number of the format next below f(x); beyond the largest one, the power of two that
    /// would follow (in binary64 the float inf).
    #[getter]
    fn lower(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        to_python(py, self.0.bracket[0], self.0.formats.has_double_results())
    }

    /// The number of the format next above f(x); beyond the largest one, the power of two that
    /// would follow (in binary64 the float inf).
    #[getter]
    fn upper(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        to_python(py, self.0.bracket[1], self.0.formats.has_double_results())
    }

    /// f(x), correctly rounded in each mode.
    #[getter]
    fn results(&self) -> Results {
        Results { inner: self.0.results, is_double: self.0.formats.has_double_results() }
    }

    /// Cases that this one stands for: itself, and those that repeat it by a rule of the
    /// certificate and are not listed, being too many.
    #[getter]
    fn stands_for(&self) -> u128 {
        self.0.stands_for
    }

    /// Whether f(x) is the breakpoint: never.
    #[getter]
    #[allow(clippy::unused_self)]
    fn exact(&self) -> bool {
        false
    }

    /// The case as lists in JSON have it.
    fn as_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let case = &self.0.case;
        let dict = PyDict::new(py);
        dict.set_item("x", &case.x)?;
        dict.set_item("kind", &case.kind)?;
        dict.set_item("sign", case.sign.to_string())?;
        dict.set_item("log2_dist", case.log2_dist)?;
        dict.set_item("identical_bits", case.identical_bits)?;
        dict.set_item("breakpoint", &case.breakpoint)?;
        dict.set_item("lower", &case.bracket[0])?;
        dict.set_item("upper", &case.bracket[1])?;
        Ok(dict)
    }

    fn __repr__(&self) -> String {
        let case = &self.0.case;
        let side = if self.above() { "above" } else { "below" };
        format!(
            "<Case x={}: 2^{:.1} ulp {side} the {} {}>",
            case.x, case.log2_dist, case.kind, case.breakpoint
        )
    }
}

/// An argument whose result is a breakpoint: it has no hardness.
#[pyclass(frozen, eq, hash, module = "tablemaker")]
#[derive(Clone, PartialEq)]
pub(crate) struct ExactCase {
    pub(crate) case: report::Exact,
    argument: Number,
    value: Number,
    pub(crate) results: InModes,
    formats: Formats,
}

impl ExactCase {
    pub(crate) fn new(case: report::Exact, formats: Formats) -> Result<Self, ReportError> {
        Ok(Self {
            argument: number(&case.x)?,
            value: value(&case.value)?,
            results: InModes::of_exact(&case, formats.results)?,
            case,
            formats,
        })
    }
}

impl Hash for ExactCase {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (&self.case.x, &self.case.value).hash(state);
    }
}

#[pymethods]
impl ExactCase {
    /// The argument x: a float where the format of the arguments is binary64 or narrower, else a
    /// fraction.
    #[getter]
    fn argument(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        to_python(py, self.argument, self.formats.has_double_arguments())
    }

    /// The argument as C's `%a` writes it, as lists and certificates have it.
    #[getter]
    fn x(&self) -> &str {
        &self.case.x
    }

    /// The argument as integers (m, e): it is m·2^e, and m is odd, or both are 0.
    #[getter]
    fn parts(&self) -> (i128, i32) {
        (self.argument.significand(), self.argument.exponent())
    }

    /// The kind of breakpoint that f(x) is: "number" or "midpoint".
    #[getter]
    fn kind(&self) -> &str {
        &self.case.kind
    }

    /// f(x): a float where the format is narrower than binary64, else a fraction, since a midpoint
    /// has a bit more than the format.
    #[getter]
    fn value(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        to_python(py, self.value, self.formats.has_double_breakpoints())
    }

    /// f(x), correctly rounded in each mode.
    #[getter]
    fn results(&self) -> Results {
        Results { inner: self.results, is_double: self.formats.has_double_results() }
    }

    /// Whether f(x) is the breakpoint: always.
    #[getter]
    #[allow(clippy::unused_self)]
    fn exact(&self) -> bool {
        true
    }

    /// The exact case as lists in JSON have it.
    fn as_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        dict.set_item("x", &self.case.x)?;
        dict.set_item("kind", &self.case.kind)?;
        dict.set_item("value", &self.case.value)?;
        Ok(dict)
    }

    fn __repr__(&self) -> String {
        format!("<ExactCase x={}: exactly the {} {}>", self.case.x, self.case.kind, self.case.value)
    }
}

/// An argument that could not be decided: with so many bits f(x) cannot be told from a breakpoint,
/// and no theorem says whether it is one.
#[pyclass(frozen, eq, hash, module = "tablemaker")]
#[derive(Clone, PartialEq)]
pub(crate) struct Undecided {
    inner: report::Undecided,
    argument: Number,
    formats: Formats,
}

impl Undecided {
    pub(crate) fn new(inner: report::Undecided, formats: Formats) -> Result<Self, ReportError> {
        Ok(Self { argument: number(&inner.x)?, inner, formats })
    }
}

impl Hash for Undecided {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.inner.x.hash(state);
    }
}

#[pymethods]
impl Undecided {
    /// The argument x: a float where the format of the arguments is binary64 or narrower, else a
    /// fraction.
    #[getter]
    fn argument(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        to_python(py, self.argument, self.formats.has_double_arguments())
    }

    /// The argument as C's `%a` writes it.
    #[getter]
    fn x(&self) -> &str {
        &self.inner.x
    }

    /// Bits with which f(x) cannot be told from a breakpoint.
    #[getter]
    fn bits(&self) -> u32 {
        self.inner.bits
    }

    fn __repr__(&self) -> String {
        format!(
            "<Undecided x={}: cannot be told from a breakpoint with {} bits>",
            self.inner.x, self.inner.bits
        )
    }
}
