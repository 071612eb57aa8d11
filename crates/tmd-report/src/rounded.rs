//! [`Neighbors`] and [`Rounded`]: the correctly rounded results of a value that lies between two
//! numbers, in every rounding mode.

use std::fmt;

use tmd_core::{BreakpointKind, Format, HrCase, Number};
use tmd_driver::{
    report::Case,
    table::Rounding,
    tmd_functions::{
        parse,
        special::{Arithmetic, Datum, Sign},
        taylor::float_of,
    },
};

use crate::{ReportError, number::number};

/// The modes that C's `<fenv.h>` has, in CORE-MATH's order.
pub const MODES: [Rounding; 4] = [Rounding::NearestEven, Rounding::Zero, Rounding::Up, Rounding::Down];

/// Bits at which the sign of an exact zero is looked for.
const PRECISION: u32 = 128;

/// The breakpoints of a mode: midpoints of those to nearest, numbers of the others.
pub fn kind_of(mode: Rounding) -> BreakpointKind {
    match mode {
        Rounding::NearestEven | Rounding::NearestAway => BreakpointKind::Midpoint,
        Rounding::Up | Rounding::Down | Rounding::Zero => BreakpointKind::Number,
    }
}

/// A result of rounding: a number of the format, a zero with its sign, or what overflow gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounded {
    /// A number other than 0.
    Number(Number),
    /// ±0; whether it is −0.
    Zero(bool),
    /// ±∞; whether it is −∞.
    Infinity(bool),
}

/// As C's `%a` writes it: `0x1.8p+0`, `-0x0p+0`, `inf`.
impl fmt::Display for Rounded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(x) => x.fmt(f),
            Self::Zero(is_negative) => f.pad(if *is_negative { "-0x0p+0" } else { "0x0p+0" }),
            Self::Infinity(is_negative) => f.pad(if *is_negative { "-inf" } else { "inf" }),
        }
    }
}

impl Rounded {
    /// The number, as far as a format goes; `is_negative` is the sign that a zero has.
    pub fn new(x: Number, is_negative: bool, format: Format) -> Self {
        match x.log2_floor() {
            None => Self::Zero(is_negative),
            Some(exponent) if exponent > format.max_exponent() => Self::Infinity(x < Number::ZERO),
            Some(_) => Self::Number(x),
        }
    }
}

/// Where a value is in relation to the two numbers around it. Beyond the largest number the next
/// one is 2^(`max_exponent` + 1), as if there were no end: that is what overflow is decided by
/// (IEEE 754-2019, 4.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Neighbors {
    lower: Number,
    upper: Number,
    side: Side,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    /// It is the lower number, and the upper one.
    Exact,
    NearLower,
    Tie,
    NearUpper,
}

impl Neighbors {
    /// Of a case: not a number, nor the midpoint of two.
    ///
    /// # Errors
    /// [`ReportError::Number`] if its bracket or its breakpoint is none.
    pub fn of(case: &Case) -> Result<Self, ReportError> {
        let [lower, upper] = [number(&case.bracket[0])?, number(&case.bracket[1])?];
        let is_up = if case.kind == BreakpointKind::Midpoint.to_string() {
            case.sign == '+'
        } else {
            number(&case.breakpoint)? == upper
        };
        Ok(Self { lower, upper, side: if is_up { Side::NearUpper } else { Side::NearLower } })
    }

    /// Of a case that was confirmed.
    pub fn between(case: &HrCase) -> Self {
        let is_up = match case.kind {
            BreakpointKind::Midpoint => case.above,
            BreakpointKind::Number => case.breakpoint == case.upper,
        };
        let side = if is_up { Side::NearUpper } else { Side::NearLower };
        Self { lower: case.lower, upper: case.upper, side }
    }

    /// Of a value that is a breakpoint of this kind.
    pub fn exact(value: Number, kind: BreakpointKind) -> Self {
        if kind == BreakpointKind::Number {
            return Self { lower: value, upper: value, side: Side::Exact };
        }
        // an odd multiple of half an ulp
        let at = |significand| Number::new(significand, value.exponent());
        let (lower, upper) = (at(value.significand() - 1), at(value.significand() + 1));
        Self { lower, upper, side: Side::Tie }
    }

    /// The value, rounded. Of an exact 0 it is +0 ([`sign_of_zero`] knows better).
    pub fn round(self, mode: Rounding, format: Format) -> Rounded {
        let Self { lower, upper, side } = self;
        let is_negative = upper <= Number::ZERO && lower < Number::ZERO;
        let away = |is_away: bool| if is_away == is_negative { lower } else { upper };
        let rounded = match (mode, side) {
            (_, Side::Exact) | (Rounding::Down, _) => lower,
            (Rounding::Up, _) => upper,
            (Rounding::Zero, _) => away(false),
            (_, Side::NearLower) => lower,
            (_, Side::NearUpper) => upper,
            (Rounding::NearestAway, Side::Tie) => away(true),
            (Rounding::NearestEven, Side::Tie) => {
                // numbers that are an ulp apart: one of them is an even multiple of it
                let gap = lower.exponent().min(upper.exponent());
                let is_even = |x: Number| x == Number::ZERO || x.exponent() > gap;
                if is_even(lower) { lower } else { upper }
            }
        };
        Rounded::new(rounded, is_negative, format)
    }
}

/// The sign of the zero that a function gives at an argument where it is exactly 0, in a mode: the
/// rules of IEEE 754, as [`tmd_functions::special`](tmd_driver::tmd_functions::special) has them.
/// An argument 0 is +0. Where they do not say, +.
pub fn sign_of_zero(function: &str, x: Number, mode: Rounding) -> bool {
    let sum = if mode == Rounding::Down { Sign::Negative } else { Sign::Positive };
    let datum = parse(function).ok().and_then(|function| {
        let arithmetic = Arithmetic::new(PRECISION, sum).ok()?;
        let x = float_of(x).to_rational()?;
        function.evaluate(&arithmetic.rational(&x), arithmetic).ok()
    });
    matches!(datum, Some(Datum::Zero(Sign::Negative)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tmd_driver::{rug::Float, table::Encoding};

    fn pattern(rounded: Rounded, encoding: Encoding) -> u16 {
        let sign = |is_negative| if is_negative { Sign::Negative } else { Sign::Positive };
        match rounded {
            Rounded::Zero(is_negative) => encoding.zero(sign(is_negative)),
            Rounded::Infinity(is_negative) => encoding.infinity(sign(is_negative)),
            Rounded::Number(x) => encoding.round(&float_of(x), Rounding::Zero),
        }
    }

    /// Around every number and every midpoint of binary16, of either sign, up to what overflows: as
    /// an encoding of its own rounds.
    #[test]
    fn every_breakpoint_of_binary16() {
        let format = Format::BINARY16;
        let encoding = Encoding::new(format).unwrap();
        // halves of the least number, and of ulps beyond it
        let ends = (0..2 * 2048i128)
            .map(|n| (n, -25))
            .chain((-24..=4).flat_map(|e| (2048..4096).map(move |n| (n, e))));
        let mut seen = 0;
        for (n, e) in ends {
            // a number or a midpoint, and the next of its kind
            let [below, at, above] = [n - 1, n, n + 1].map(|n| Number::new(n, e));
            let is_midpoint = n % 2 != 0;
            let kind = if is_midpoint { BreakpointKind::Midpoint } else { BreakpointKind::Number };
            for is_negative in [false, true] {
                let turned =
                    |x: Number| if is_negative { Number::new(-x.significand(), x.exponent()) } else { x };
                for mode in Rounding::ALL {
                    if n > 0 {
                        let exact = Neighbors::exact(turned(at), kind).round(mode, format);
                        assert_eq!(
                            pattern(exact, encoding),
                            encoding.round(&float_of(turned(at)), mode),
                            "{at} {mode}"
                        );
                    }
                    // a little off the breakpoint, away from 0; the next number is one or two steps
                    // off
                    let far = if is_midpoint { above } else { Number::new(n + 2, e) };
                    let near = if is_midpoint { below } else { at };
                    let ends = if is_negative { [turned(far), turned(near)] } else { [near, far] };
                    let case = Case {
                        x: "0x1p+0".into(),
                        kind: kind.to_string(),
                        sign: if is_negative { '-' } else { '+' },
                        log2_dist: -9.0,
                        identical_bits: 8,
                        breakpoint: turned(at).to_string(),
                        bracket: ends.map(|end| end.to_string()),
                    };
                    let off = float_of(at) + (Float::with_val(128, 1) << (e - 12));
                    let off = if is_negative { -off } else { off };
                    let place = Neighbors::of(&case).unwrap().round(mode, format);
                    assert_eq!(pattern(place, encoding), encoding.round(&off, mode), "{case:?} {mode}");
                    seen += 1;
                }
            }
        }
        assert!(seen > 600_000, "{seen}");
    }

    #[test]
    fn signs_of_zeros() {
        let number = |n, e| Number::new(n, e);
        for (function, x, mode, is_negative) in [
            ("log(x)", number(1, 0), Rounding::Down, false),
            ("x-1", number(1, 0), Rounding::Down, true),
            ("x-1", number(1, 0), Rounding::Up, false),
            ("sinpi(x)", number(-1, 0), Rounding::NearestEven, true),
            ("sinpi(x)", number(3, 4), Rounding::NearestEven, false),
            ("-sin(x)", Number::ZERO, Rounding::NearestEven, true),
            ("x^2-0.25", number(1, -1), Rounding::Down, true),
            ("no function", number(1, -1), Rounding::Down, false),
        ] {
            assert_eq!(sign_of_zero(function, x, mode), is_negative, "{function} {mode}");
        }
    }

    #[test]
    fn as_text() {
        let texts =
            [Rounded::Number(number("0x1.8p+0").unwrap()), Rounded::Zero(true), Rounded::Infinity(false)];
        assert_eq!(texts.map(|rounded| rounded.to_string()), ["0x1.8p+0", "-0x0p+0", "inf"]);
        let largest = Number::new(2047, 5);
        assert_eq!(Rounded::new(largest, false, Format::BINARY16), Rounded::Number(largest));
        assert_eq!(Rounded::new(Number::new(-1, 16), false, Format::BINARY16), Rounded::Infinity(true));
    }
}
