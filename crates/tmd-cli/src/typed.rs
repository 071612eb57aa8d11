//! Functions and numbers as people type them.

use rug::Rational;
use tmd_core::{Format, Problem};
use tmd_driver::table::{Rounding, TableError};
use tmd_functions::{Builtin, Expression, PairFunction, ParseError, SpecialFunction, parse, parse_number};

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
        let hint = match &error {
            ParseError::UnknownName { suggestion: None, .. } => {
                let names = Builtin::ALL.map(Builtin::name).into_iter();
                let names: Vec<_> = names.chain(SpecialFunction::ALL.map(SpecialFunction::name)).collect();
                let pairs = PairFunction::ALL.map(|function| format!("{function}(a, b)")).join(", ");
                let names = names.join(", ");
                format!("; the variable is x, the functions are {names}, rootn(a, n), pown(a, n), {pairs}")
            }
            _ => String::new(),
        };
        Failure::question(format!("function `{text}`: {error}{hint}"))
    })
}

/// An end of an interval: a number, or `inf` and `-inf` for the end of the format's numbers.
pub(crate) fn end(option: &str, text: &str, format: Format, is_unbounded: bool) -> Result<Rational, Failure> {
    let name = text.trim().to_ascii_lowercase();
    let (is_negative, name) = match name.strip_prefix(['-', '+']) {
        Some(name) => (text.trim().starts_with('-'), name.to_string()),
        None => (false, name),
    };
    if !matches!(name.as_str(), "inf" | "infinity") {
        return number(option, text);
    }
    let hint = match (option, is_negative) {
        _ if is_unbounded => "numbers of this precision have no largest one; give a number",
        // every number of the format is on the right side of it
        ("--to", false) => return Ok(Rational::from(1) << (format.max_exponent() + 1)),
        ("--from", true) => return Ok(-(Rational::from(1) << (format.max_exponent() + 1))),
        _ => "no number is beyond it; for all numbers use tmd solve, or --from -inf --to inf",
    };
    Err(Failure::question(format!("{option} `{text}`: {hint}")))
}

/// An exact number.
pub(crate) fn number(option: &str, text: &str) -> Result<Rational, Failure> {
    let name = text.trim().trim_start_matches(['-', '+']).to_ascii_lowercase();
    if matches!(name.as_str(), "inf" | "infinity" | "nan") {
        return Err(Failure::question(format!("{option} `{text}` is no finite number")));
    }
    parse_number(text).map_err(|error| Failure::question(format!("{option} `{text}`: {error}")))
}
