//! Functions and numbers as people type them.

use rug::Rational;
use tmd_core::{Format, Problem};
use tmd_driver::interval::{self, End, EndError};
use tmd_driver::table::{Rounding, TableError};
use tmd_functions::{Expression, parse};

use crate::output::Failure;

/// The value of `--extra-bits`.
pub(crate) fn extra_bits(text: &str) -> Result<u32, String> {
    let (least, most) = (Problem::MIN_EXTRA_BITS, Problem::MAX_EXTRA_BITS);
    // too large a number is refused with the others, by the problem
    text.trim().parse().map_err(|_| {
        format!("extra bits are an integer M from {least} to {most}: cases are results closer than 2^-M ulp to a breakpoint")
    })
}

/// A value of `--mode`.
pub(crate) fn mode(text: &str) -> Result<Rounding, String> {
    if text == "nearest" {
        return Ok(Rounding::NearestEven);
    }
    text.parse().map_err(|error: TableError| error.to_string())
}

/// A function or expression.
pub(crate) fn function(text: &str) -> Result<Expression, Failure> {
    parse(text).map_err(|error| {
        let hint = error.hint().map_or_else(String::new, |hint| format!("; {hint}"));
        Failure::question(format!("function `{text}`: {error}{hint}"))
    })
}

/// An end of an interval: a number, or `inf` and `-inf` for the end of the format's numbers.
pub(crate) fn end(option: &str, text: &str, end: End, format: Format) -> Result<Rational, Failure> {
    interval::end(text, end, format).map_err(|error| refused(option, text, &error))
}

/// An exact number.
pub(crate) fn number(option: &str, text: &str) -> Result<Rational, Failure> {
    interval::finite(text).map_err(|error| refused(option, text, &error))
}

fn refused(option: &str, text: &str, error: &EndError) -> Failure {
    Failure::question(match error {
        EndError::NotFinite => format!("{option} `{text}` {error}"),
        EndError::Beyond => format!(
            "{option} `{text}`: no number is beyond it; for all numbers use tmd solve, or --from -inf --to inf"
        ),
        _ => format!("{option} `{text}`: {error}"),
    })
}
