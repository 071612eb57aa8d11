//! [`Certificate`], and `load`.

use std::path::PathBuf;

use pyo3::{
    prelude::*,
    types::{PyBytes, PyCapsule, PyTuple},
};
use tmd_driver::{Coverage, certificate::ClassRecord, report};
use tmd_report::{
    export, file,
    list::{List, Listing},
    rows,
};

use crate::{
    arrow,
    ask::Formats,
    case::ExactCase,
    cases::Cases,
    errors::{Fault, outcome},
    job::{self, Ending},
    search::undecided,
};

/// The dilemma of a function, solved: what was searched, how, what was found, and what can be
/// checked of it.
#[pyclass(frozen, module = "tablemaker")]
pub(crate) struct Certificate {
    pub(crate) inner: tmd_driver::Certificate,
    cases: Cases,
    exact: Vec<ExactCase>,
    coverage: Coverage,
    formats: Formats,
}

/// The certificate in a file that `tmd solve --out` wrote, compressed by Zstandard (.zst) or not.
///
/// A file that was changed since it was written is refused with CertificateError, unless `force` is
/// given. What it says is not checked; `verify` does that.
///
/// >>> tablemaker.load("no-such-file.json")
/// Traceback (most recent call last):
/// FileNotFoundError: [Errno 2] No such file or directory...
#[pyfunction]
#[pyo3(signature = (path, *, force=false))]
pub(crate) fn load(py: Python<'_>, path: PathBuf, force: bool) -> PyResult<Certificate> {
    let ended = job::run(py, None, Ending::Abandon, move |_, _| {
        if path.is_dir() {
            return Err(Fault::Certificate(format!(
                "{} is a directory; of a run directory tmd export writes the certificate",
                path.display()
            )));
        }
        let certificate = file::read(&path).map_err(|error| Fault::of_file(&error, &path))?;
        if !force {
            file::unchanged(&path, &certificate).map_err(|error| {
                Fault::Certificate(format!("{error}; load(path, force=True) reads it all the same"))
            })?;
        }
        Certificate::new(certificate)
    })?;
    outcome(py, ended)
}

impl Certificate {
    pub(crate) fn new(inner: tmd_driver::Certificate) -> Result<Self, Fault> {
        let formats = Formats::of(inner.format.format()?);
        let list = List::new(&inner, Listing::of(&inner))?;
        let cases =
            Cases::new(list.cases().iter().map(|case| (case.clone(), list.stands_for(case))), formats)?;
        // those of single arguments that are known without a search, too
        let listed = rows::rows(&inner, &list)?;
        let exact = listed.iter().filter(|row| row.exact).map(|row| {
            let value = row.breakpoint.clone().unwrap_or_default();
            let case = report::Exact { x: row.x.into(), kind: row.kind.into(), value };
            ExactCase::new(case, formats)
        });
        let exact = exact.collect::<Result<_, _>>()?;
        let coverage = Coverage::of(&inner)?;
        Ok(Self { inner, cases, exact, coverage, formats })
    }
}

#[pymethods]
impl Certificate {
    /// The function.
    #[getter]
    fn function(&self) -> &str {
        &self.inner.function
    }

    /// The name of the format of arguments and results.
    #[getter]
    fn format(&self) -> &str {
        &self.inner.format.name
    }

    /// The breakpoints: "directed", "nearest" or "all".
    #[getter]
    fn rounding(&self) -> &str {
        &self.inner.rounding
    }

    /// m: cases are closer than 2**-m ulp to a breakpoint.
    #[getter]
    fn extra_bits(&self) -> u32 {
        self.inner.extra_bits
    }

    /// The exponents (a, b) that were asked for, 2**a <= |x| < 2**b; None if all numbers were.
    #[getter]
    fn binades(&self) -> Option<(i32, i32)> {
        self.inner.binades.map(|[start, end]| (start, end))
    }

    /// Name and version of the program that wrote it.
    #[getter]
    fn program(&self) -> &str {
        &self.inner.program
    }

    /// The engine that searched.
    #[getter]
    fn engine(&self) -> &str {
        &self.inner.engine
    }

    /// SHA-256 of what it says, but for the times.
    #[getter]
    fn digest(&self) -> &str {
        &self.inner.digest
    }

    /// Whether every number that was asked for is covered.
    #[getter]
    fn complete(&self) -> bool {
        self.inner.is_complete()
    }

    /// Whether all that was planned was searched: not if the work was ended early. What is out of
    /// reach was not planned.
    #[getter]
    fn finished(&self) -> bool {
        self.inner.is_finished()
    }

    /// What is covered of what was asked, and what is not, and why: a sentence.
    #[getter]
    fn coverage(&self) -> String {
        self.coverage.sentence()
    }

    /// What is not covered: a sentence for each stretch of arguments.
    #[getter]
    fn uncovered(&self) -> Vec<String> {
        let stretches = self.coverage.stretches().iter();
        stretches.filter(|stretch| !stretch.is_covered()).map(ToString::to_string).collect()
    }

    /// The cases by argument. Those that repeat others by a rule are among them; where that makes
    /// more than a million, only those are from which the others follow, and `stands_for` says how
    /// many they are.
    #[getter]
    fn cases(&self) -> Cases {
        self.cases.clone()
    }

    /// The number of cases, all that rules stand for included.
    #[getter]
    fn case_count(&self) -> u128 {
        self.inner.case_count()
    }

    /// Cases expected if results were spread evenly.
    #[getter]
    fn expected_cases(&self) -> f64 {
        self.inner.totals().expected_cases
    }

    /// Arguments whose result is a breakpoint; those found by searches are left out if they are
    /// more than 10000.
    #[getter]
    fn exact_cases<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.exact.iter().cloned())
    }

    /// The number of arguments whose result is a breakpoint, listed or not.
    #[getter]
    fn exact_found(&self) -> u64 {
        let known =
            self.inner.regions.iter().filter(|region| matches!(region.class, ClassRecord::Exact { .. }));
        self.inner.units.iter().map(|unit| unit.exact).sum::<u64>() + known.count() as u64
    }

    /// The theorem behind exact cases.
    #[getter]
    fn exact_rule(&self) -> Option<&str> {
        self.inner.exact_rule.as_deref()
    }

    /// Arguments that no precision tried could decide.
    #[getter]
    fn undecided<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        undecided(py, &self.inner.undecided, self.formats)
    }

    /// Why units were not finished, if not for lack of time.
    #[getter]
    fn failures(&self) -> Vec<String> {
        self.inner.failures.clone()
    }

    /// The `most` hardest cases, the hardest first.
    fn hardest(&self, py: Python<'_>, most: usize) -> PyResult<Cases> {
        let cases = Bound::new(py, self.cases.clone())?;
        Ok(cases.call_method1("hardest", (most,))?.cast::<Cases>()?.get().clone())
    }

    /// A few lines: what is covered, the numbers, the hardest cases.
    fn summary(&self) -> String {
        self.inner.summary()
    }

    /// The certificate as the document that `tmd solve --out` writes and `tmd verify` reads.
    fn to_json(&self) -> String {
        self.inner.to_json()
    }

    /// All rows as comma-separated values, as `tmd export --output csv`.
    fn to_csv(&self) -> PyResult<String> {
        Ok(export::to_csv(&self.inner, Listing::of(&self.inner)).map_err(Fault::from)?)
    }

    /// The arguments one per line with comments, as CORE-MATH's worst-case files.
    fn to_wc(&self) -> PyResult<String> {
        Ok(export::to_wc(&self.inner, Listing::of(&self.inner)).map_err(Fault::from)?)
    }

    /// All rows as a Parquet file, as `tmd export --output parquet`.
    fn to_parquet<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let file = py.detach(|| export::to_parquet(&self.inner, Listing::of(&self.inner)));
        Ok(PyBytes::new(py, &file.map_err(Fault::from)?))
    }

    /// All rows (cases, exact cases, undecided arguments) as a stream of Arrow's C interface; see
    /// Cases.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        arrow::stream(py, &self.cases, &self.exact, &self.inner.undecided)
    }

    fn __repr__(&self) -> String {
        let tmd_driver::Certificate { function, format, .. } = &self.inner;
        let (count, coverage) = (self.case_count(), self.coverage.sentence());
        format!("<Certificate {function} in {}: {count} cases, {coverage}>", format.name)
    }
}
