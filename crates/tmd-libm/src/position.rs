//! [`Position`]: where a real number lies among the numbers of a format, exactly enough to decide
//! its rounding and the exceptions.

use std::cmp::Ordering;

use rug::{
    Assign, Float, Integer,
    float::{Round, Special},
};
use tmd_functions::special::{Real, Sign};

use crate::{Encoding, Flags, Mode};

/// Where a real number other than 0 lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Position {
    /// Its magnitude is 2^(emax + 1) at least.
    Beyond(Sign),
    /// It is between two neighbors, or one of them.
    At {
        sign: Sign,
        /// the ordinal of the largest magnitude that is not above it
        ordinal: u128,
        rest: Rest,
    },
}

/// What is left above that magnitude, in ulps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Rest {
    Nothing,
    BelowHalf,
    Half,
    /// Above the largest subnormal number: less than 3/4. Elsewhere: less than 1.
    AboveHalf,
    /// Said above the largest subnormal number only, as are those below: there is a number here if
    /// exponents had no bounds, and the midpoint of it and the least normal number.
    ThreeQuarters,
    AboveThreeQuarters,
}

/// A correctly rounded result, and what goes with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Expected {
    /// The pattern; a NaN stands for every quiet one.
    pub bits: u128,
    /// The exceptions that IEEE 754 signals.
    pub raised: Flags,
    /// Exceptions that it leaves open: underflow, where a result is tiny before rounding and not
    /// after (7.5).
    pub optional: Flags,
}

impl Position {
    /// The position of all numbers of an enclosure, if they have one.
    pub(crate) fn of(y: &Real, encoding: Encoding) -> Option<Self> {
        // Breakpoints are numbers of the enclosure's precision or less. With two bits more the
        // neighbor of an open end, on the inside, is none, and all that lies between the end and
        // this neighbor has the neighbor's position.
        let inside = |end: &Float, is_open: bool, step: fn(&mut Float)| {
            let mut at = Float::with_val(end.prec().max(encoding.format().precision() + 2) + 2, end);
            if is_open {
                step(&mut at);
            }
            if at.is_zero() {
                at.assign(end); // from the least number of MPFR's
            }
            at
        };
        let lo = inside(y.lo(), y.lo_is_open(), Float::next_up);
        let hi = inside(y.hi(), y.hi_is_open(), Float::next_down);
        let [lo, hi] = [lo, hi].map(|end| Self::of_float(&end, y.sign(), encoding));
        (lo == hi).then_some(lo)
    }

    fn of_float(y: &Float, sign: Sign, encoding: Encoding) -> Self {
        let format = encoding.format();
        let (least, p) = (format.min_exponent(), format.precision() as i32);
        // MPFR: 2^(e−1) ≤ |y| < 2^e; a zero, which stands for less than all numbers of MPFR's, and
        // an infinity have no exponent
        let exponent = match y.get_exp() {
            Some(e) => e - 1,
            None if y.is_zero() => i32::MIN,
            None => i32::MAX,
        };
        if exponent > format.max_exponent() {
            return Self::Beyond(sign);
        }
        if exponent < least - p {
            return Self::At { sign, ordinal: 0, rest: Rest::BelowHalf };
        }
        let scaled = Float::with_val(y.prec(), y.abs_ref()) >> format.ulp_exponent(exponent);
        // less than 2^p
        let ulps = scaled.to_integer_round(Round::Down).map_or_else(Integer::new, |(ulps, _)| ulps);
        let rest = Float::with_val(y.prec(), &scaled - &ulps);
        let ulps = ulps.to_u128_wrapping();
        let binades = (exponent.max(least) - least) as u128;
        // the integer bit of a normal number adds the 1 that its biased exponent has more
        let ordinal = (binades << (p - 1)) + ulps;
        Self::At { sign, ordinal, rest: Rest::of(&rest, ordinal + 1 == encoding.least_normal()) }
    }

    /// log2 of the ulp there; none beyond the format.
    pub(crate) fn ulp_exponent(self, encoding: Encoding) -> Option<i32> {
        let Self::At { ordinal, .. } = self else { return None };
        let format = encoding.format();
        Some(format.ulp_exponent(encoding.binade(ordinal).unwrap_or(format.min_exponent())))
    }

    /// What it rounds to.
    pub(crate) fn rounded(self, mode: Mode, encoding: Encoding) -> Expected {
        let infinite = encoding.infinite();
        match self {
            Self::Beyond(sign) => {
                let is_infinite = mode == Mode::Nearest || mode.is_away(sign);
                let bits = encoding.pattern(sign, if is_infinite { infinite } else { infinite - 1 });
                Expected { bits, raised: Flags::OVERFLOW | Flags::INEXACT, optional: Flags::NONE }
            }
            Self::At { sign, ordinal, rest: Rest::Nothing } => {
                let bits = encoding.pattern(sign, ordinal);
                Expected { bits, raised: Flags::NONE, optional: Flags::NONE }
            }
            Self::At { sign, ordinal, rest } => {
                let is_up = match mode {
                    Mode::Nearest => rest > Rest::Half || rest == Rest::Half && ordinal % 2 != 0,
                    _ => mode.is_away(sign),
                };
                let result = ordinal + u128::from(is_up);
                let (mut raised, mut optional) = (Flags::INEXACT, Flags::NONE);
                if result == infinite {
                    raised = raised | Flags::OVERFLOW;
                }
                if ordinal < encoding.least_normal() {
                    // Tininess after rounding: with unbounded exponents there are numbers half a
                    // subnormal ulp apart below the least normal number; what rounds to the latter
                    // there is tiny before rounding only.
                    let last = if mode == Mode::Nearest { Rest::AboveHalf } else { Rest::Half };
                    if result == encoding.least_normal() && rest > last {
                        optional = Flags::UNDERFLOW;
                    } else {
                        raised = raised | Flags::UNDERFLOW;
                    }
                }
                Expected { bits: encoding.pattern(sign, result), raised, optional }
            }
        }
    }
}

impl Rest {
    /// The kind of a rest 0 ≤ `rest` < 1.
    fn of(rest: &Float, is_last_subnormal: bool) -> Self {
        let than = |x: f64| rest.partial_cmp(&x).unwrap_or(Ordering::Equal); // no NaN
        match than(0.5) {
            _ if rest.is_zero() => Self::Nothing,
            Ordering::Less => Self::BelowHalf,
            Ordering::Equal => Self::Half,
            Ordering::Greater if !is_last_subnormal => Self::AboveHalf,
            Ordering::Greater => match than(0.75) {
                Ordering::Less => Self::AboveHalf,
                Ordering::Equal => Self::ThreeQuarters,
                Ordering::Greater => Self::AboveThreeQuarters,
            },
        }
    }
}

/// An enclosure of |r − y| in ulps of y, for a y in an enclosure.
pub(crate) fn error(r: &Float, y: &Real, ulp_exponent: i32) -> [f64; 2] {
    let precision = r.prec().max(y.lo().prec());
    let subtract = |end: &Float, round| Float::with_val_round(precision, r - end, round).0 >> ulp_exponent;
    let (least, most) = (subtract(y.hi(), Round::Down), subtract(y.lo(), Round::Up));
    // the difference is between them
    let (least, most) = if least >= 0 {
        (least, most)
    } else if most <= 0 {
        (-most, -least)
    } else {
        (Float::with_val(2, Special::Zero), Float::with_val(precision, -least).max(&most))
    };
    [least.to_f64_round(Round::Down), most.to_f64_round(Round::Up)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rug::Rational;
    use tmd_core::Format;
    use tmd_functions::special::{Arithmetic, Datum};

    fn real(q: &Rational) -> Real {
        let arithmetic = Arithmetic::new(128, Sign::Positive).unwrap();
        let Datum::Real(y) = arithmetic.rational(q) else { panic!("{q} is 0") };
        y
    }

    /// Rounding as IEEE 754 defines it (4.3, 7.4, 7.5), in rational numbers: first with unbounded
    /// exponents, then into the format. The result, and the flags with tininess before and after
    /// rounding.
    fn by_the_book(q: &Rational, mode: Mode, format: Format) -> (f64, Flags, Flags) {
        let power = |e: i32| {
            let one = Rational::from(1);
            if e < 0 { one >> e.unsigned_abs() } else { one << e.unsigned_abs() }
        };
        let magnitude = q.clone().abs();
        let exponent = (-60..60).rev().find(|e| power(*e) <= magnitude).unwrap();
        let to_multiple = |ulp: Rational| {
            let scaled = q.clone() / &ulp;
            let multiple = match mode {
                Mode::Zero => scaled.trunc(),
                Mode::Up => scaled.ceil(),
                Mode::Down => scaled.floor(),
                Mode::Nearest => {
                    let (down, up) = (scaled.clone().floor(), scaled.clone().ceil());
                    let (below, above) = (scaled.clone() - &down, Rational::from(&up - &scaled));
                    let is_even = down.numer().is_even();
                    if below < above || below == above && is_even { down } else { up }
                }
            };
            multiple * ulp
        };
        let p = format.precision() as i32;
        let unbounded = to_multiple(power(exponent + 1 - p));
        let least = power(format.min_exponent());
        let largest = power(format.max_exponent() + 1) - power(format.max_exponent() + 1 - p);
        let is_negative = *q < 0;
        if unbounded.clone().abs() > largest {
            let is_infinite = match mode {
                Mode::Nearest => true,
                Mode::Up => !is_negative,
                Mode::Down => is_negative,
                Mode::Zero => false,
            };
            let magnitude = if is_infinite { f64::INFINITY } else { largest.to_f64() };
            let flags = Flags::OVERFLOW | Flags::INEXACT;
            return (if is_negative { -magnitude } else { magnitude }, flags, flags);
        }
        let result = to_multiple(power(format.ulp_exponent(exponent)));
        let inexact = if result == *q { Flags::NONE } else { Flags::INEXACT };
        let underflow = |is_tiny: bool| {
            if is_tiny && result != *q { inexact | Flags::UNDERFLOW } else { inexact }
        };
        let flags = (underflow(magnitude < least), underflow(unbounded.abs() < least));
        let value = result.to_f64().abs();
        (if is_negative { -value } else { value }, flags.0, flags.1)
    }

    /// In binary16, where all is small: results and flags of numbers between 2^-30 and 2^18, those
    /// at the borders most often.
    fn agree(q: &Rational) {
        let encoding = Encoding::new(Format::BINARY16).unwrap();
        let position = Position::of(&real(q), encoding).unwrap();
        for mode in Mode::ALL {
            let expected = position.rounded(mode, encoding);
            let (value, before, after) = by_the_book(q, mode, Format::BINARY16);
            let got = match encoding.decode(expected.bits) {
                crate::Class::Infinity(Sign::Positive) => f64::INFINITY,
                crate::Class::Infinity(Sign::Negative) => f64::NEG_INFINITY,
                crate::Class::Zero(Sign::Positive) => 0.0,
                crate::Class::Zero(Sign::Negative) => -0.0,
                crate::Class::Number(x) => x.to_f64(),
                other => panic!("{other}"),
            };
            assert_eq!(got.to_bits(), value.to_bits(), "{q} {mode}: {got} {value}");
            assert_eq!(expected.raised | expected.optional, before, "{q} {mode}");
            assert_eq!(expected.raised, after, "{q} {mode}");
        }
    }

    #[test]
    fn borders() {
        let eighths = |unit: Rational| move |n: i32| Rational::from((n, 8)) * unit.clone();
        // around the least normal number 2^-14, in eighths of 2^-24, and around the largest, in
        // eighths of 2^5
        let subnormal = eighths(Rational::from(1) >> 24u32);
        for n in (1..40).chain(8150..8230) {
            agree(&subnormal(n));
            agree(&-subnormal(n));
        }
        let large = eighths(Rational::from(1) << 5u32);
        for n in 8 * 2040..8 * 2050 {
            agree(&large(n));
            agree(&-large(n));
        }
    }

    proptest! {
        #[test]
        fn as_by_the_book(m in 1i64..1 << 40, e in -70i32..-22, negative: bool, short: bool) {
            let m = if short { m >> 26 << 26 } else { m };
            prop_assume!(m != 0);
            let q = Rational::from(if negative { -m } else { m }) * (Rational::from(1) >> e.unsigned_abs());
            agree(&q);
        }

        /// The error's enclosure holds the error, and little more.
        #[test]
        fn errors_are_enclosed(a in -1000i64..1000, b in 1i64..100_000, r in -3000i32..3000) {
            prop_assume!(a != 0);
            let q = Rational::from((a, b));
            let [lo, hi] = error(&Float::with_val(53, r), &real(&q), -3);
            let exact = (Rational::from(r) - q).abs() * Rational::from(8);
            prop_assert!(lo <= exact && hi >= exact);
            prop_assert!(hi - lo <= 1e-10 * hi);
        }
    }

    /// An enclosure that straddles a breakpoint has no position, and an open end on one has.
    #[test]
    fn enclosures() {
        let encoding = Encoding::new(Format::BINARY64).unwrap();
        let at = |text: &str, precision: u32| {
            let arithmetic = Arithmetic::new(precision, Sign::Positive).unwrap();
            let x = arithmetic.rational(&(Rational::from(1) >> 1000u32));
            let Datum::Real(y) = tmd_functions::parse(text).unwrap().evaluate(&x, arithmetic).unwrap() else {
                panic!("{text}")
            };
            Position::of(&y, encoding)
        };
        let one = encoding.encode(tmd_core::Number::new(1, 0)).unwrap();
        let above = Position::At { sign: Sign::Positive, ordinal: one, rest: Rest::BelowHalf };
        assert_eq!(at("exp(x)", 64), Some(above), "1 + 2^-1000, an open end on 1");
        let below = Position::At { sign: Sign::Positive, ordinal: one - 1, rest: Rest::AboveHalf };
        assert_eq!(at("exp(-x)", 64), Some(below));
        assert_eq!(at("sin(3*x)+cos(x)", 64), None);
    }
}
