//! `check`: the hardness of one argument.

use std::sync::Arc;

use pyo3::prelude::*;
use tmd_driver::{
    DriverError, Function, Problem,
    confirm::{Verdict, hardness},
    report,
};

use crate::{
    ask::Formats,
    case::{Case, ExactCase, Listed},
    errors::{self, Fault},
    job::{self, Ending},
    number::Given,
};

/// A case, or an exact one.
enum Checked {
    Case(Case),
    Exact(Box<ExactCase>),
}

/// How hard one argument is: a Case, whatever its distance, with f(x) correctly rounded in each
/// mode; or an ExactCase.
///
/// The options are those of `search`. An argument that is no number of the format is refused, and
/// its neighbors are named.
///
/// >>> case = tablemaker.check("exp", "0x1.d6336a88077aap+0")
/// >>> case
/// <Case x=0x1.d6336a88077aap+0: 2^-54.4 ulp above the number 0x1.91a8dff540ff7p+2>
/// >>> case.results.nearest_even, case.results.up
/// (6.275932302003631, 6.275932302003632)
/// >>> tablemaker.check("sqrt", 9)
/// <ExactCase x=0x1.2p+3: exactly the number 0x1.8p+1>
#[pyfunction]
#[pyo3(signature = (function, x, *, format=None, precision=None, argument_precision=None, rounding="all"))]
pub(crate) fn check(
    py: Python<'_>,
    function: &str,
    x: &Bound<'_, PyAny>,
    format: Option<&str>,
    precision: Option<u32>,
    argument_precision: Option<u32>,
    rounding: &str,
) -> PyResult<Py<PyAny>> {
    let formats = Formats::new(format, precision, argument_precision)?;
    let function = errors::function(function)?;
    let x = Given::of(x)?.argument(formats.arguments)?;
    let breakpoints = rounding.parse().map_err(DriverError::from).map_err(Fault::from)?;
    // the tolerance plays no role in the hardness of one argument
    let problem = Problem::new(formats.arguments, formats.results, breakpoints, Problem::MIN_EXTRA_BITS);
    let problem = problem.map_err(Fault::from)?;
    let ended = job::run(py, None, Ending::Abandon, move |_, _| match hardness(&function, &problem, x)? {
        Ok(case) => Ok(Checked::Case(Case(Arc::new(Listed::new(report::Case::from(&case), 1, formats)?)))),
        Err(Verdict::Exact(case)) => {
            Ok(Checked::Exact(Box::new(ExactCase::new(report::Exact::from(&case), formats)?)))
        }
        Err(Verdict::Undecided { argument, bits }) => {
            let (function, argument) = (function.name(), argument.to_string());
            Err(Fault::from(DriverError::Undecided { function, argument, bits }))
        }
        // hardness never returns these
        Err(Verdict::NotHard | Verdict::Case(_)) => Err(Fault::Machine("no hardness".into())),
    })?;
    match ended.value {
        Ok(Checked::Case(case)) => Ok(Py::new(py, case)?.into_any()),
        Ok(Checked::Exact(case)) => Ok(Py::new(py, *case)?.into_any()),
        Err(fault) => Err(fault.raise(py)),
    }
}
