//! Tables by Arrow's C stream interface: the rows of tmd-report, and results as numbers.

use std::sync::Arc;

use arrow_array::{Float64Array, RecordBatchIterator, ffi_stream::FFI_ArrowArrayStream};
use arrow_schema::{DataType, Field};
use pyo3::{prelude::*, types::PyCapsule};
use tmd_driver::report;
use tmd_report::rows::rows_of;

use crate::{
    case::ExactCase,
    cases::Cases,
    columns::{self, Column, columns},
    errors::Fault,
    number::double,
    results::{InModes, MODES},
};

/// All rows in a capsule: cases, exact cases, undecided arguments. The stream lives on when the
/// lists are gone.
pub(crate) fn stream<'py>(
    py: Python<'py>,
    cases: &Cases,
    exact: &[ExactCase],
    undecided: &[report::Undecided],
) -> PyResult<Bound<'py, PyCapsule>> {
    let stream = py.detach(|| table(cases, exact, undecided))?;
    PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
}

fn table(
    cases: &Cases,
    exact: &[ExactCase],
    undecided: &[report::Undecided],
) -> Result<FFI_ArrowArrayStream, Fault> {
    let listed: Vec<report::Case> = cases.list().iter().map(|case| case.0.case.clone()).collect();
    let exactly: Vec<report::Exact> = exact.iter().map(|case| case.case.clone()).collect();
    let mut rows = rows_of(&listed, &exactly, undecided)?;
    for (row, case) in std::iter::zip(&mut rows, cases.list()) {
        row.stands_for = case.0.stands_for;
    }
    let mut table = columns(&rows);
    let results: Vec<Option<&InModes>> = cases
        .list()
        .iter()
        .map(|case| Some(&case.0.results))
        .chain(exact.iter().map(|case| Some(&case.results)))
        .chain(undecided.iter().map(|_| None))
        .collect();
    // f(x) rounded in each mode
    table.extend(MODES.iter().enumerate().map(|(mode, (name, _))| -> Column {
        let values: Float64Array = results.iter().map(|results| double((*results)?.0[mode])).collect();
        (Field::new(*name, DataType::Float64, true), Arc::new(values))
    }));
    let batch = columns::batch(table).map_err(|error| Fault::Certificate(error.to_string()))?;
    let schema = batch.schema();
    Ok(FFI_ArrowArrayStream::new(Box::new(RecordBatchIterator::new([Ok(batch)], schema))))
}
