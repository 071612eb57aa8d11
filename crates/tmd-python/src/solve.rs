//! `solve`: the dilemma of a function for all numbers of a format.

use pyo3::{exceptions::PyTypeError, prelude::*, types::PyRange};
use tmd_driver::{Breakpoints, Format, Problem, Solve, Workers, tmd_functions::Expression};

use crate::{
    ask::{engine, threads},
    certificate::Certificate,
    errors::{self, Fault, outcome},
    job::{self, Ending},
};

/// The question about a whole function, understood.
pub(crate) struct Whole {
    function: Expression,
    problem: Problem,
    binades: Option<std::ops::Range<i32>>,
    /// core-seconds
    limit: f64,
}

impl Whole {
    pub(crate) fn new(
        function: &str,
        format: &str,
        rounding: &str,
        extra_bits: Option<u32>,
        binades: Option<&Bound<'_, PyAny>>,
        limit: f64,
    ) -> Result<Self, Fault> {
        let format = Format::named(format)?;
        let bits = extra_bits.unwrap_or_else(|| Solve::default_extra_bits(format));
        let problem = Problem::new(format, format, rounding.parse::<Breakpoints>()?, bits)?;
        if limit.is_nan() || limit <= 0.0 {
            return Err(Fault::Question("limit must be a positive number of core-hours".into()));
        }
        Ok(Self {
            function: errors::function(function)?,
            problem,
            binades: binades.map(exponents).transpose()?,
            limit: limit * 3600.0,
        })
    }

    pub(crate) fn solve<'a>(&'a self, workers: Workers<'a>) -> Solve<'a> {
        Solve {
            function: &self.function,
            problem: self.problem,
            binades: self.binades.clone(),
            workers,
            limit: self.limit,
        }
    }
}

/// Exponents (a, b) with 2^a <= |x| < 2^b, or range(a, b).
fn exponents(given: &Bound<'_, PyAny>) -> Result<std::ops::Range<i32>, Fault> {
    let (start, end): (i32, i32) = match given.cast::<PyRange>() {
        Ok(range) => {
            let [start, stop, step] = ["start", "stop", "step"].map(|name| range.getattr(name));
            if step?.extract::<i64>()? != 1 {
                return Err(Fault::Question("binades are neighbors: give a range whose step is 1".into()));
            }
            (start?.extract()?, stop?.extract()?)
        }
        Err(_) => given.extract().map_err(|_| {
            PyTypeError::new_err("binades are two exponents (a, b) with 2**a <= |x| < 2**b, or range(a, b)")
        })?,
    };
    if start >= end {
        return Err(Fault::Question(format!(
            "the binades {start}..{end} are empty: (a, b) means 2**a <= |x| < 2**b"
        )));
    }
    Ok(start..end)
}

/// The dilemma solved for all numbers of a format, as a certificate that can be kept and verified.
///
/// Seconds for 16 bits, about a minute for binary32, hours for binary64: `plan(function)` says how
/// many. For days, and for many machines, use run directories (`tmd solve --run`); `load` reads
/// what comes of them.
///
/// binades: exponents (a, b), or range(a, b), for arguments with 2**a <= |x| < 2**b only;
/// limit: core-hours that a binade may take, by the estimate; longer ones are out of reach, and the
/// certificate says so;
/// the others as for `search`. What was finished when Ctrl-C came, or `progress` returned False,
/// makes a certificate that says it is partial.
///
/// >>> certificate = tablemaker.solve("exp", format="binary16")
/// >>> certificate.complete, certificate.coverage
/// (True, 'complete for every number of binary16')
/// >>> certificate.hardest(1)[0].argument
/// 0.0019512176513671875
#[pyfunction]
#[pyo3(signature = (function, *, format="binary64", rounding="all", extra_bits=None, binades=None, limit=1000.0, threads=None,
    progress=None))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn solve(
    py: Python<'_>,
    function: &str,
    format: &str,
    rounding: &str,
    extra_bits: Option<u32>,
    binades: Option<&Bound<'_, PyAny>>,
    limit: f64,
    threads: Option<usize>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Certificate> {
    let whole = Whole::new(function, format, rounding, extra_bits, binades, limit)?;
    let threads = self::threads(threads)?;
    let ended = job::run(py, progress, Ending::Keep, move |watch, interrupt| {
        let walk = engine();
        let solve = whole.solve(Workers::cpu(&walk, threads));
        let plan = solve.plan()?;
        interrupt.check()?;
        Certificate::new(solve.run(&plan, watch, interrupt)?)
    })?;
    outcome(py, ended)
}
