//! Questions: formats, breakpoints and extra bits from Python's values.

use pyo3::prelude::*;
use tmd_driver::{
    Breakpoints, Format, Problem, Search, Workers,
    interval::End,
    rug::Rational,
    tmd_functions::Expression,
    tmd_simd::{Level, Simd},
};

use crate::{
    errors::{Fault, function},
    number::{Given, are_doubles},
};

/// Cases that are expected, if nobody says how hard they must be: as `tmd search` has it.
const CASES: f64 = 50.0;

/// The formats of arguments and of results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Formats {
    pub(crate) arguments: Format,
    pub(crate) results: Format,
}

impl Formats {
    /// One format for both.
    pub(crate) fn of(format: Format) -> Self {
        Self { arguments: format, results: format }
    }

    /// A named format, or a precision with exponents that have no bounds; and the precision of
    /// arguments, if it is another.
    pub(crate) fn new(
        format: Option<&str>,
        precision: Option<u32>,
        argument_precision: Option<u32>,
    ) -> Result<Self, Fault> {
        let results = match (format, precision) {
            (Some(_), Some(_)) => {
                return Err(Fault::Question(
                    "a format has its precision: give format or precision, not both".into(),
                ));
            }
            (None, Some(precision)) => Format::custom(precision)?,
            (format, None) => Format::named(format.unwrap_or("binary64"))?,
        };
        let arguments = match argument_precision {
            Some(precision) => results.with_precision(precision)?,
            None => results,
        };
        Ok(Self { arguments, results })
    }

    /// Whether all arguments are doubles.
    pub(crate) fn has_double_arguments(self) -> bool {
        are_doubles(self.arguments, 0)
    }

    /// Whether all results are doubles.
    pub(crate) fn has_double_results(self) -> bool {
        are_doubles(self.results, 0)
    }

    /// Whether all breakpoints are, midpoints included.
    pub(crate) fn has_double_breakpoints(self) -> bool {
        are_doubles(self.results, 1)
    }
}

/// A search that is asked for, understood.
pub(crate) struct SearchRequest {
    function: Expression,
    from: Rational,
    to: Rational,
    problem: Problem,
    /// whether the extra bits are to be chosen
    is_free: bool,
    /// the hardest that are wanted
    hardest: Option<usize>,
    pub(crate) formats: Formats,
}

/// What is asked of a search, as it is given.
pub(crate) struct Asked<'a, 'py> {
    pub(crate) function: &'a str,
    pub(crate) start: &'a Bound<'py, PyAny>,
    pub(crate) stop: &'a Bound<'py, PyAny>,
    pub(crate) formats: Formats,
    pub(crate) rounding: &'a str,
    pub(crate) extra_bits: Option<u32>,
    pub(crate) hardest: Option<usize>,
}

impl Asked<'_, '_> {
    pub(crate) fn understood(self) -> Result<SearchRequest, Fault> {
        let Self { function: text, start, stop, formats, rounding, extra_bits, hardest } = self;
        let Formats { arguments, results } = formats;
        if hardest == Some(0) {
            return Err(Fault::Question("hardest is a number of cases, 1 or more".into()));
        }
        let bits = extra_bits.unwrap_or(Problem::MIN_EXTRA_BITS);
        Ok(SearchRequest {
            function: function(text)?,
            from: Given::of(start)?.end(End::First, arguments)?,
            to: Given::of(stop)?.end(End::After, arguments)?,
            problem: Problem::new(arguments, results, rounding.parse::<Breakpoints>()?, bits)?,
            is_free: extra_bits.is_none(),
            hardest,
            formats,
        })
    }
}

impl SearchRequest {
    /// The search, and how many cases it must find at least.
    pub(crate) fn search<'a>(&'a self, workers: Workers<'a>) -> Result<(Search<'a>, usize), Fault> {
        let mut search = Search {
            function: &self.function,
            from: self.from.clone(),
            to: self.to.clone(),
            problem: self.problem,
            workers,
        };
        let hardest = self.hardest.unwrap_or(0);
        if !self.is_free {
            return Ok((search, 0));
        }
        search.aim(CASES.max(4.0 * hardest as f64))?;
        Ok((search, hardest))
    }

    /// The hardest that are wanted.
    pub(crate) fn hardest(&self) -> Option<usize> {
        self.hardest
    }
}

/// The engine that searches: the walk in this machine's best lanes.
pub(crate) fn engine() -> Simd {
    Simd::farey(Level::best())
}

/// The threads that are meant: none, or 0, for one per core.
pub(crate) fn threads(threads: Option<usize>) -> Result<usize, Fault> {
    match threads.unwrap_or(0) {
        threads if threads > 4096 => Err(Fault::Question("threads are 4096 at most".into())),
        threads => Ok(threads),
    }
}
