//! `plan`: how long a search would take.

use pyo3::prelude::*;
use tmd_driver::Workers;

use crate::{
    ask::{Asked, Formats, engine, threads},
    errors::{Fault, outcome},
    job::{self, Ending},
    solve::Whole,
};

/// How a search would go, and how long it would take on this machine.
#[pyclass(frozen, module = "tablemaker")]
pub(crate) struct Plan {
    /// Arguments asked for.
    #[pyo3(get)]
    arguments: u128,
    /// Arguments to be searched; the others are known without a search, follow from others, or are
    /// out of reach.
    #[pyo3(get)]
    searched: u128,
    /// Cases expected if results were spread evenly.
    #[pyo3(get)]
    expected_cases: f64,
    /// Seconds expected on one core of this machine.
    #[pyo3(get)]
    core_seconds: f64,
    table: String,
    json: String,
}

/// How `search(function, start, stop)`, or without ends `solve(function)`, would go and how long it
/// would take: without searching.
///
/// The options are those of `search` and `solve`. A short search tells how fast this machine is.
///
/// >>> plan = tablemaker.plan("exp", 1, 2, format="binary32")
/// >>> plan.arguments == 2**23, plan.core_seconds < 60
/// (True, True)
#[pyfunction]
#[pyo3(signature = (function, start=None, stop=None, *, format=None, precision=None, argument_precision=None, rounding="all",
    extra_bits=None, binades=None, limit=None, threads=None))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn plan(
    py: Python<'_>,
    function: &str,
    start: Option<&Bound<'_, PyAny>>,
    stop: Option<&Bound<'_, PyAny>>,
    format: Option<&str>,
    precision: Option<u32>,
    argument_precision: Option<u32>,
    rounding: &str,
    extra_bits: Option<u32>,
    binades: Option<&Bound<'_, PyAny>>,
    limit: Option<f64>,
    threads: Option<usize>,
) -> PyResult<Plan> {
    let threads = self::threads(threads)?;
    let (start, stop) = match (start, stop) {
        (Some(start), Some(stop)) => (start, stop),
        (None, None) => {
            if precision.is_some() || argument_precision.is_some() {
                let hint = "a whole function has one format for arguments and results; give start and stop for other precisions";
                return Err(Fault::Question(hint.into()).raise(py));
            }
            let (format, limit) = (format.unwrap_or("binary64"), limit.unwrap_or(1000.0));
            let whole = Whole::new(function, format, rounding, extra_bits, binades, limit)?;
            let ended = job::run(py, None, Ending::Abandon, move |_, _| of_whole(&whole, threads))?;
            return outcome(py, ended);
        }
        _ => return Err(Fault::Question("an interval has a start and a stop".into()).raise(py)),
    };
    if binades.is_some() || limit.is_some() {
        let hint = "binades and limit are for whole functions; leave them away, or start and stop";
        return Err(Fault::Question(hint.into()).raise(py));
    }
    let formats = Formats::new(format, precision, argument_precision)?;
    let asked = Asked { function, start, stop, formats, rounding, extra_bits, hardest: None };
    let question = asked.understood()?;
    let ended = job::run(py, None, Ending::Abandon, move |_, _| {
        let walk = engine();
        let workers = Workers::cpu(&walk, threads);
        let (search, _) = question.search(workers)?;
        let (arguments, _) = search.ranges()?;
        let plan = search.plan()?.at_calibration_of(&search.workers)?.0;
        Ok::<_, Fault>(Plan {
            arguments,
            searched: plan.arguments,
            expected_cases: plan.expected_cases,
            core_seconds: plan.core_seconds,
            table: plan.to_table(),
            json: plan.to_json(),
        })
    })?;
    outcome(py, ended)
}

fn of_whole(whole: &Whole, threads: usize) -> Result<Plan, Fault> {
    let walk = engine();
    let solve = whole.solve(Workers::cpu(&walk, threads));
    let plan = solve.plan()?.at_calibration_of(&solve.workers)?.0;
    let totals = plan.totals(&solve);
    Ok(Plan {
        arguments: totals.arguments,
        searched: totals.searched,
        expected_cases: totals.expected_cases,
        core_seconds: totals.core_seconds,
        table: plan.to_table(&solve),
        json: plan.to_json(&solve),
    })
}

#[pymethods]
impl Plan {
    /// The plan binade by binade, as `tmd plan --table` prints it.
    fn table(&self) -> &str {
        &self.table
    }

    /// The document that `tmd plan --output json` prints.
    fn to_json(&self) -> &str {
        &self.json
    }

    fn __repr__(&self) -> String {
        let Self { searched, expected_cases, core_seconds, .. } = self;
        format!(
            "<Plan: {searched} arguments to search, {expected_cases:.0} cases, {core_seconds:.3} s on one core>"
        )
    }
}
