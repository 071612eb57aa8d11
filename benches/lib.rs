//! What the benchmarks have in common: pieces of real functions.
#![forbid(unsafe_code)]

pub mod operands;

use rug::Rational;
use tmd_core::{ArgumentRange, Breakpoints, Format, Number, Piece, Problem};
use tmd_functions::{parse, parse_number, taylor::taylor_piece};

/// A piece of `function` that starts at `from`, an expression for a number, with `arguments`
/// arguments of `precision` bits; results are doubles, breakpoints directed, 33 extra bits.
///
/// # Panics
/// If there is no such piece: the benchmarks name valid ones.
#[expect(clippy::expect_used, reason = "benchmarks name valid pieces")]
pub fn piece(function: &str, from: &str, arguments: u64, precision: u32) -> Piece {
    let function = parse(function).expect("a function");
    let from: Rational = parse_number(from).expect("a number");
    let from = Number::from_f64(from.to_f64()).expect("a double");
    let formats = Format::BINARY64.with_precision(precision).expect("a precision");
    let problem =
        Problem::new(formats, Format::BINARY64, Breakpoints::Directed, 33).expect("a valid problem");
    let ulp = formats.ulp_exponent(from.log2_floor().expect("not zero"));
    // a double is a multiple of the spacing of its binade
    let first = from.significand() << (from.exponent() - ulp);
    let range = ArgumentRange::new(first, ulp, arguments);
    taylor_piece(&function, &range, &problem).expect("a piece")
}
