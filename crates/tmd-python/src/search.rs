//! `search`: the hard cases of an interval.

use pyo3::{
    prelude::*,
    types::{PyCapsule, PyTuple},
};
use tmd_driver::{InverseUse, Report, Workers, report};
use tmd_report::export;

use crate::{
    arrow,
    ask::{Asked, Formats, engine, threads},
    case::{ExactCase, Undecided},
    cases::Cases,
    errors::{Fault, outcome},
    job::{self, Ending},
};

/// What a search found.
#[pyclass(frozen, module = "tablemaker")]
pub(crate) struct SearchResult {
    report: Report,
    cases: Cases,
    exact: Vec<ExactCase>,
    formats: Formats,
}

/// All arguments x with start <= x < stop whose results are closer than 2**-extra_bits ulp to a
/// breakpoint of rounding: hard cases.
///
/// The list is complete: none is left out. `function` is an expression in x, such as "exp", "sinpi"
/// or "exp(x)/x". The ends are numbers (int, float, Fraction, Decimal, NumPy's) or texts
/// ("1+2^-13", "0x1.8p-3", "-inf").
///
/// format: of arguments and results, "binary16", "bfloat16", "binary32", "binary64" (default) or
/// "x87";
/// precision: bits of the results, 2 to 64, with exponents that have no bounds, instead of a
/// format;
/// argument_precision: bits of the arguments, if they are not the results';
/// rounding: "directed" (breakpoints are the numbers), "nearest" (their midpoints) or "all";
/// extra_bits: 2 to 60; chosen so that about 50 cases are expected, if it is None;
/// hardest: keep so many cases only, the hardest first;
/// threads: of the processor, one per core if it is None;
/// progress: called with a Progress about ten times a second; if it returns False, the search ends
/// early, and `complete` is False.
///
/// Other threads of Python run meanwhile. Ctrl-C ends the search and raises Interrupted, whose
/// `partial` holds what was found so far; an exception of `progress`, or of another signal's
/// handler, is raised with such an attribute.
///
/// >>> found = tablemaker.search("exp(x)/x", 1, 2, format="binary32")
/// >>> found.complete, found.arguments == 2**23
/// (True, True)
/// >>> found.hardest(1)[0]
/// <Case x=0x1.cdd018p+0: 2^-24.9 ulp above the midpoint 0x1.aef491p+1>
/// >>> found.hardest(1)[0].argument
/// 1.8039565086364746
#[pyfunction]
#[pyo3(signature = (function, start, stop, *, format=None, precision=None, argument_precision=None, rounding="all", extra_bits=None,
    hardest=None, threads=None, progress=None))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn search(
    py: Python<'_>,
    function: &str,
    start: &Bound<'_, PyAny>,
    stop: &Bound<'_, PyAny>,
    format: Option<&str>,
    precision: Option<u32>,
    argument_precision: Option<u32>,
    rounding: &str,
    extra_bits: Option<u32>,
    hardest: Option<usize>,
    threads: Option<usize>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<SearchResult> {
    let formats = Formats::new(format, precision, argument_precision)?;
    let asked = Asked { function, start, stop, formats, rounding, extra_bits, hardest };
    let question = asked.understood()?;
    let threads = self::threads(threads)?;
    let ended = job::run(py, progress, Ending::Keep, move |watch, interrupt| {
        let walk = engine();
        let (mut search, wanted) = question.search(Workers::cpu(&walk, threads))?;
        let outcome = search.run_until_found(wanted, InverseUse::default(), watch, interrupt)?;
        SearchResult::new(Report::new(&search, &outcome, question.hardest()), question.formats)
    })?;
    outcome(py, ended)
}

impl SearchResult {
    fn new(report: Report, formats: Formats) -> Result<Self, Fault> {
        let cases = Cases::new(report.cases.iter().map(|case| (case.clone(), 1)), formats)?;
        let exact = report.exact_cases.iter().map(|case| ExactCase::new(case.clone(), formats));
        Ok(Self { cases, exact: exact.collect::<Result<_, _>>()?, report, formats })
    }
}

#[pymethods]
impl SearchResult {
    /// The function, as it was understood.
    #[getter]
    fn function(&self) -> &str {
        &self.report.function
    }

    /// The ends of the interval, exactly, as texts.
    #[getter]
    fn domain(&self) -> (&str, &str) {
        (&self.report.domain.from, &self.report.domain.to)
    }

    /// The breakpoints: "directed", "nearest" or "all".
    #[getter]
    fn rounding(&self) -> &str {
        &self.report.rounding
    }

    /// m: cases are closer than 2**-m ulp to a breakpoint.
    #[getter]
    fn extra_bits(&self) -> u32 {
        self.report.extra_bits
    }

    /// The engine that searched.
    #[getter]
    fn engine(&self) -> &str {
        &self.report.engine
    }

    /// Arguments in the interval.
    #[getter]
    fn arguments(&self) -> u128 {
        self.report.arguments
    }

    /// Arguments searched: all, but for those of which all roundings are known by an inequality,
    /// and unless the search ended early.
    #[getter]
    fn searched(&self) -> u128 {
        self.report.searched
    }

    /// Whether nothing is missing: the search was not ended early, and every argument was decided.
    #[getter]
    fn complete(&self) -> bool {
        !self.report.partial && self.report.undecided.is_empty()
    }

    /// The cases by argument; with `hardest`, the hardest first.
    #[getter]
    fn cases(&self) -> Cases {
        self.cases.clone()
    }

    /// Cases found, of which `hardest` may have kept a part.
    #[getter]
    fn cases_found(&self) -> usize {
        self.report.cases_found
    }

    /// Cases expected if results were spread evenly.
    #[getter]
    fn expected_cases(&self) -> f64 {
        self.report.expected_cases
    }

    /// Arguments whose result is a breakpoint; none if they are too many to list.
    #[getter]
    fn exact_cases<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.exact.iter().cloned())
    }

    /// The number of arguments whose result is a breakpoint.
    #[getter]
    fn exact_found(&self) -> u64 {
        self.report.exact_found
    }

    /// Arguments that no precision tried could decide.
    #[getter]
    fn undecided<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        undecided(py, &self.report.undecided, self.formats)
    }

    /// Seconds that it took.
    #[getter]
    fn elapsed(&self) -> f64 {
        self.report.elapsed_s
    }

    /// The `most` hardest cases, the hardest first.
    fn hardest(&self, py: Python<'_>, most: usize) -> PyResult<Cases> {
        let cases = Bound::new(py, self.cases.clone())?;
        Ok(cases.call_method1("hardest", (most,))?.cast::<Cases>()?.get().clone())
    }

    /// A few lines: the numbers, and whether the list is partial.
    fn summary(&self) -> String {
        self.report.summary()
    }

    /// The document that `tmd search --output json` prints.
    fn to_json(&self) -> String {
        self.report.to_json()
    }

    /// The cases as comma-separated values, as `tmd search --output csv` prints them.
    fn to_csv(&self) -> PyResult<String> {
        Ok(export::search_to_csv(&self.report).map_err(Fault::from)?)
    }

    /// The arguments one per line with comments, as CORE-MATH's worst-case files.
    fn to_wc(&self) -> String {
        self.report.to_wc()
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
        arrow::stream(py, &self.cases, &self.exact, &self.report.undecided)
    }

    fn __repr__(&self) -> String {
        let Report { function, cases_found, arguments, .. } = &self.report;
        let partial = if self.complete() { "" } else { ", NOT COMPLETE" };
        format!("<SearchResult {function}: {cases_found} cases among {arguments} arguments{partial}>")
    }
}

/// Undecided arguments as a tuple.
pub(crate) fn undecided<'py>(
    py: Python<'py>,
    list: &[report::Undecided],
    formats: Formats,
) -> PyResult<Bound<'py, PyTuple>> {
    let list: Result<Vec<_>, _> = list.iter().map(|one| Undecided::new(one.clone(), formats)).collect();
    PyTuple::new(py, list.map_err(Fault::from)?)
}
