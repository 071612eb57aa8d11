//! [`Cases`]: a sequence of cases.

use std::sync::Arc;

use pyo3::{
    exceptions::{PyIndexError, PyValueError},
    prelude::*,
    types::{PyCapsule, PyIterator, PyList, PySlice},
};
use tmd_driver::report;
use tmd_report::ReportError;

use crate::{
    arrow,
    ask::Formats,
    case::{Case, Listed},
};

/// Hard cases in order: a sequence (also a `collections.abc.Sequence`) of [`Case`], and a table for
/// whoever reads Arrow.
#[pyclass(frozen, eq, sequence, module = "tablemaker")]
#[derive(Clone, PartialEq)]
pub(crate) struct Cases(Arc<[Case]>);

impl Cases {
    /// Cases as they are listed, each with the number of cases that it stands for.
    pub(crate) fn new(
        cases: impl IntoIterator<Item = (report::Case, u128)>,
        formats: Formats,
    ) -> Result<Self, ReportError> {
        let read = |(case, stands_for)| Ok(Case(Arc::new(Listed::new(case, stands_for, formats)?)));
        cases.into_iter().map(read).collect::<Result<_, _>>().map(Self)
    }

    pub(crate) fn list(&self) -> &[Case] {
        &self.0
    }
}

#[pymethods]
impl Cases {
    fn __len__(&self) -> usize {
        self.0.len()
    }

    fn __getitem__<'py>(&self, index: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = index.py();
        if let Ok(slice) = index.cast::<PySlice>() {
            let indices = slice.indices(self.0.len() as isize)?;
            let at = |k: usize| (indices.start + k as isize * indices.step) as usize;
            let some: Arc<[Case]> = (0..indices.slicelength).map(|k| self.0[at(k)].clone()).collect();
            return Ok(Bound::new(py, Self(some))?.into_any());
        }
        let index: isize = py.import("operator")?.call_method1("index", (index,))?.extract()?;
        let from_start = if index < 0 { index + self.0.len() as isize } else { index };
        let case = usize::try_from(from_start).ok().and_then(|index| self.0.get(index));
        let case = case.ok_or_else(|| PyIndexError::new_err("there are fewer cases"))?;
        Ok(Bound::new(py, case.clone())?.into_any())
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        PyList::new(py, self.0.iter().cloned())?.try_iter()
    }

    fn __reversed__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        PyList::new(py, self.0.iter().rev().cloned())?.try_iter()
    }

    fn __contains__(&self, case: &Bound<'_, PyAny>) -> bool {
        self.count(case) > 0
    }

    /// The number of cases that equal this one.
    fn count(&self, case: &Bound<'_, PyAny>) -> usize {
        let Ok(case) = case.cast::<Case>() else { return 0 };
        self.0.iter().filter(|other| *other == case.get()).count()
    }

    /// The index of a case, between `start` and `stop`.
    #[pyo3(signature = (case, start=0, stop=None))]
    fn index(&self, case: &Bound<'_, PyAny>, start: isize, stop: Option<isize>) -> PyResult<usize> {
        let count = self.0.len() as isize;
        let place = |end: isize| (if end < 0 { end + count } else { end }).clamp(0, count) as usize;
        let (start, stop) = (place(start), place(stop.unwrap_or(count)));
        let wanted = case.cast::<Case>().ok();
        let found = wanted.and_then(|wanted| (start..stop).find(|&index| self.0[index] == *wanted.get()));
        found.ok_or_else(|| PyValueError::new_err("the case is not in the list"))
    }

    /// The `most` hardest cases, the hardest first; of equally hard ones the least argument.
    ///
    /// >>> found = tablemaker.search("exp", 1, 1 + 2**-13, format="binary32")
    /// >>> found.cases.hardest(1)[0].hardness >= found.cases[0].hardness
    /// True
    fn hardest(&self, most: usize) -> Self {
        let mut cases = self.0.to_vec();
        let distance = |case: &Case| case.0.case.log2_dist;
        cases.sort_by(|a, b| distance(a).total_cmp(&distance(b)).then(a.0.argument.cmp(&b.0.argument)));
        cases.truncate(most);
        Self(cases.into())
    }

    /// The cases as a stream of Arrow's C interface: one batch, whose memory is shared.
    /// `pandas.DataFrame.from_arrow`, `pyarrow.table` and DuckDB call it, and `polars.DataFrame`
    /// that of a whole result. The columns are those of `tmd export` and the results in each mode,
    /// null where no double equals them.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // what is asked for is a wish by the protocol; there is one schema
        let _ = requested_schema;
        arrow::stream(py, self, &[], &[])
    }

    fn __repr__(&self) -> String {
        match &*self.0 {
            [] => "<Cases: none>".into(),
            [case] => format!("<Cases: {}>", case_text(case)),
            [first, .., last] => {
                format!("<Cases: {} from {} to {}>", self.0.len(), first.0.case.x, last.0.case.x)
            }
        }
    }
}

fn case_text(case: &Case) -> &str {
    &case.0.case.x
}
