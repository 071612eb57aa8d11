//! From an interval of real numbers to ranges of arguments.

use rug::{Integer, Rational, ops::DivRounding};
use tmd_core::{ArgumentRange, Format, Number};
use tmd_functions::{ParseError, parse_number};

use crate::DriverError;

/// Most binades an interval may span.
const MAX_BINADES: u64 = 1 << 16;

/// Which end of an interval a text is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The first argument, or less.
    First,
    /// More than the last argument.
    After,
}

/// Why a text is no number, or no end of an interval.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EndError {
    /// Not a number.
    #[error("is no finite number")]
    NotFinite,
    /// Infinity, where no interval ends so.
    #[error("no number is beyond it; for all numbers search from -inf to inf, or solve the whole function")]
    Beyond,
    /// Infinity, in a format without a largest number.
    #[error("numbers of this precision have no largest one; give a number")]
    Unbounded,
    /// What is not understood.
    #[error(transparent)]
    Unreadable(#[from] ParseError),
}

/// A number from its text.
///
/// # Errors
/// [`EndError::NotFinite`] and [`EndError::Unreadable`].
pub fn finite(text: &str) -> Result<Rational, EndError> {
    let name = text.trim().trim_start_matches(['-', '+']).to_ascii_lowercase();
    if matches!(name.as_str(), "inf" | "infinity" | "nan") {
        return Err(EndError::NotFinite);
    }
    Ok(parse_number(text)?)
}

/// The end of an interval from its text: a number such as `1+2^-13`, or `-inf` and `inf` for the
/// ends of all numbers of the format.
///
/// # Errors
/// [`EndError`]
pub fn end(text: &str, end: End, format: Format) -> Result<Rational, EndError> {
    let name = text.trim().to_ascii_lowercase();
    let is_negative = name.starts_with('-');
    match name.strip_prefix(['-', '+']).unwrap_or(&name) {
        "inf" | "infinity" => {}
        _ => return finite(text),
    }
    // every number of the format is on the right side of it
    let beyond = || power_of_two(format.max_exponent() + 1);
    match (end, is_negative) {
        _ if format.max_exponent() >= Format::UNBOUNDED_EXPONENT => Err(EndError::Unbounded),
        (End::First, true) => Ok(-beyond()),
        (End::After, false) => Ok(beyond()),
        _ => Err(EndError::Beyond),
    }
}

/// All arguments `x` of `format` with `from ≤ x < to`, in increasing order: ranges of equal
/// spacing.
///
/// Numbers below the smallest normal one share its spacing and its range.
pub fn argument_ranges(
    from: &Rational,
    to: &Rational,
    format: Format,
) -> Result<Vec<ArgumentRange>, DriverError> {
    if from >= to {
        return Err(DriverError::EmptyInterval { from: decimal(from), to: decimal(to) });
    }
    for end in [from, to] {
        let limit = power_of_two(format.max_exponent()) * Rational::from(2);
        if end.clone().abs() > limit {
            return Err(DriverError::ArgumentOverflow { value: decimal(end), format });
        }
    }
    let zero = Rational::new();
    let mut ranges = Vec::new();
    if *from < zero {
        // x = −y with y in (−to, −from]: mirror the ranges of [smallest above −to, …]
        let mut mirrored = Vec::new();
        magnitudes(
            &(-to.clone()).max(zero.clone()),
            &(-from.clone()),
            Ends::OpenClosed,
            format,
            &mut mirrored,
        )?;
        ranges.extend(mirrored.iter().rev().map(|range| {
            let last = range.first() + i128::from(range.count()) - 1;
            ArgumentRange::new(-last, range.exponent(), range.count())
        }));
    }
    if *to > zero {
        magnitudes(&from.clone().max(zero), to, Ends::ClosedOpen, format, &mut ranges)?;
    }
    if ranges.is_empty() {
        return Err(DriverError::NoArguments { format, from: decimal(from), to: decimal(to) });
    }
    Ok(ranges)
}

/// Which ends of an interval belong to it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ends {
    ClosedOpen,
    OpenClosed,
}

/// Ranges of non-negative numbers between `low` and `high`, binade by binade.
fn magnitudes(
    low: &Rational,
    high: &Rational,
    ends: Ends,
    format: Format,
    ranges: &mut Vec<ArgumentRange>,
) -> Result<(), DriverError> {
    let lowest = format.min_exponent();
    let start = floor_log2(low).map_or(lowest, |e| e.max(lowest));
    let end = floor_log2(high).map_or(lowest, |e| e.max(lowest)).min(format.max_exponent());
    if i64::from(end) - i64::from(start) >= MAX_BINADES as i64 {
        return Err(DriverError::TooManyBinades { binades: MAX_BINADES });
    }
    let top = Integer::from(1) << format.precision();
    for exponent in start..=end {
        let spacing = format.ulp_exponent(exponent);
        let bottom = if exponent == lowest { Integer::new() } else { Integer::from(&top >> 1) };
        // the first multiple of the spacing inside at the lower end, and the first one outside at
        // the upper end
        let index = |x: &Rational| {
            let scaled = x.clone() / power_of_two(spacing);
            match ends {
                Ends::ClosedOpen => scaled.ceil(),
                Ends::OpenClosed => scaled.floor() + 1u32,
            }
        };
        let first = bottom.max(index(low).into_numer_denom().0);
        let after = top.clone().min(index(high).into_numer_denom().0);
        // at most 2^64 breakpoints to a binade, 2^65 with the subnormal ones: split what does not
        // fit 64 bits
        let mut first = first;
        while first < after {
            let count = Integer::from(&after - &first).to_u64().unwrap_or(1 << 63);
            // first ≤ 2^65
            ranges.push(ArgumentRange::new(first.to_i128_wrapping(), spacing, count));
            first += count;
        }
    }
    Ok(())
}

/// The argument with value `x`.
///
/// # Errors
/// [`DriverError::NotRepresentable`] with the two neighbors, [`DriverError::ArgumentOverflow`].
pub fn argument(x: &Rational, format: Format) -> Result<Number, DriverError> {
    let exponent = floor_log2(x).map_or(format.min_exponent(), |e| e.max(format.min_exponent()));
    if exponent > format.max_exponent() {
        return Err(DriverError::ArgumentOverflow { value: decimal(x), format });
    }
    let spacing = format.ulp_exponent(exponent);
    let (numerator, denominator) = (x.clone() / power_of_two(spacing)).into_numer_denom();
    let below = Integer::from((&numerator).div_floor(&denominator)).to_i128_wrapping(); // |·| ≤ 2^64
    if denominator == 1 {
        return Ok(Number::new(below, spacing));
    }
    Err(DriverError::NotRepresentable {
        value: decimal(x),
        format,
        below: Number::new(below, spacing).to_string(),
        above: Number::new(below + 1, spacing).to_string(),
    })
}

/// `2^exponent` exactly.
pub(crate) fn power_of_two(exponent: i32) -> Rational {
    let one = Rational::from(1);
    if exponent < 0 { one >> exponent.unsigned_abs() } else { one << exponent.unsigned_abs() }
}

/// `⌊log2|x|⌋`, `None` for 0.
pub(crate) fn floor_log2(x: &Rational) -> Option<i32> {
    if *x == 0 {
        return None;
    }
    let magnitude = x.clone().abs();
    let guess = magnitude.numer().significant_bits() as i32 - magnitude.denom().significant_bits() as i32;
    // 2^(n−1) ≤ numer < 2^n, 2^(d−1) ≤ denom < 2^d: the quotient is in (2^(n−d−1), 2^(n−d+1))
    Some(if magnitude >= power_of_two(guess) { guess } else { guess - 1 })
}

/// A rational number as exact text if short, else as a decimal approximation.
pub(crate) fn decimal(x: &Rational) -> String {
    let exact = x.to_string();
    if exact.len() <= 24 { exact } else { rug::Float::with_val(192, x).to_string_radix(10, Some(24)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A tiny format, so that all its numbers below 2^7 can be listed: 4 bits, exponents from −14.
    fn tiny() -> (Format, Vec<Rational>) {
        let format = Format::BINARY16.with_precision(4).unwrap();
        let mut numbers: Vec<Rational> = vec![Rational::new()];
        for exponent in -14..7 {
            for m in 8..16 {
                numbers.push(Rational::from(m) * power_of_two(exponent - 3));
            }
        }
        for m in 1..8 {
            numbers.push(Rational::from(m) * power_of_two(-17));
        }
        let negative: Vec<_> = numbers.iter().filter(|x| **x > 0).map(|x| -x.clone()).collect();
        numbers.extend(negative);
        numbers.sort();
        (format, numbers)
    }

    fn exact(number: Number) -> Rational {
        Rational::from(number.significand()) * power_of_two(number.exponent())
    }

    proptest! {
        #[test]
        fn every_number_of_the_format_once(a in -200i64..200, b in -200i64..200, scale in 0i32..18) {
            let (format, numbers) = tiny();
            let [from, to] = [a, b].map(|n| Rational::from((n, 13)) * power_of_two(3 - scale));
            let expected: Vec<_> = numbers.iter().filter(|x| **x >= from && **x < to).cloned().collect();
            let found = argument_ranges(&from, &to, format).map(|ranges| {
                ranges.iter().flat_map(|r| (0..r.count()).map(|k| exact(r.argument(k)))).collect::<Vec<_>>()
            });
            if from >= to {
                let is_empty = matches!(found, Err(DriverError::EmptyInterval { .. }));
                prop_assert!(is_empty);
            } else if expected.is_empty() {
                let has_none = matches!(found, Err(DriverError::NoArguments { .. }));
                prop_assert!(has_none);
            } else {
                prop_assert_eq!(found.unwrap(), expected);
            }
        }

        #[test]
        fn floor_log2_brackets(n in 1i64.., d in 1i64..) {
            let x = Rational::from((n, d));
            let e = floor_log2(&x).unwrap();
            prop_assert!(power_of_two(e) <= x && x < power_of_two(e + 1));
        }
    }

    #[test]
    fn the_papers_interval() {
        let format = Format::BINARY64.with_precision(54).unwrap();
        let to = Rational::from(1) + power_of_two(-13);
        let ranges = argument_ranges(&Rational::from(1), &to, format).unwrap();
        assert_eq!(ranges, [ArgumentRange::new(1 << 53, -53, 1 << 40)]);
    }

    #[test]
    fn ends_from_texts() {
        let format = Format::BINARY32;
        let all = |text| [End::First, End::After].map(|which| end(text, which, format));
        assert_eq!(end("-inf", End::First, format), Ok(-power_of_two(128)));
        assert_eq!(end("+Infinity", End::After, format), Ok(power_of_two(128)));
        assert_eq!(end("inf", End::First, format), Err(EndError::Beyond));
        assert_eq!(end("-inf", End::After, format), Err(EndError::Beyond));
        assert_eq!(all(" 1+2^-13"), [(); 2].map(|()| Ok(Rational::from(1) + power_of_two(-13))));
        assert_eq!(all("-nan"), [(); 2].map(|()| Err(EndError::NotFinite)));
        assert_eq!((finite("-Inf"), finite("0.5")), (Err(EndError::NotFinite), Ok(Rational::from((1, 2)))));
        assert!(all("one").iter().all(|end| matches!(end, Err(EndError::Unreadable(_)))));
        let unbounded = Format::custom(54).unwrap();
        assert_eq!(end("inf", End::After, unbounded), Err(EndError::Unbounded));
    }

    #[test]
    fn ends() {
        let (one, huge) = (Rational::from(1), power_of_two(1024));
        let d = Format::BINARY64;
        assert!(argument_ranges(&one, &huge, d).is_ok(), "up to, not including, 2^1024");
        let error = argument_ranges(&one, &(huge * Rational::from(2)), d).unwrap_err();
        assert!(matches!(error, DriverError::ArgumentOverflow { .. }));
        let error = argument_ranges(&Rational::new(), &one, Format::custom(53).unwrap()).unwrap_err();
        assert!(matches!(error, DriverError::TooManyBinades { .. }));
        let x87 = argument_ranges(&Rational::new(), &one, Format::X87_EXTENDED).unwrap();
        assert_eq!(x87[0].first(), 0);
        assert_eq!(argument(&Rational::from((3, 4)), d).unwrap(), Number::new(3, -2));
        let tenth = argument(&Rational::from((1, 10)), d).unwrap_err();
        assert!(tenth.to_string().contains("0x1.999999999999ap-4"), "{tenth}");
    }
}
