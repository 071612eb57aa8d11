//! Ziv's rounding test, and which results it may not decide: docs/needs.md has the definitions and
//! the proofs.
//!
//! A phase of accuracy E gives `y` with `|y − f(x)| ≤ E·|y|`; its test passes if `y − E·|y|` and
//! `y + E·|y|` round to the same number. It may fail for a breakpoint b, with some such y, if and
//! only if `|f(x) − b| ≤ (2E/(1 + E))·max(|f(x)|, |b|)`.

use std::{cmp::Ordering, fmt};

use tmd_core::Number;
use tmd_driver::{
    report::Case,
    rug::{Float, Rational},
    tmd_functions::{Expression, Function, Interval, parse_number, taylor::float_of},
};

use crate::{ReportError, number::number};

/// Of `log2` of thresholds: certificates write distances with four digits, so that these are wrong
/// by 5·10^-5; the same at most comes of `f(x)` being taken for the breakpoint and that distance,
/// and next to nothing of doubles.
const DOUBT: f64 = 2e-4;

/// A result that is nearer than 2^-this to a breakpoint, relatively, may be nearer than its
/// certificate says: MPFR has no smaller numbers.
const BEYOND_PRECISION: f64 = 16_777_216.0;

/// Accuracies go down to 2^-this: what agrees with a breakpoint to as many bits is undecided.
const MOST_BITS: u32 = 16_384;

/// Bits of enclosures with which what is in doubt is decided.
const PRECISIONS: [u32; 5] = [256, 512, 1024, 4096, 16_384];

/// A relative error bound E, exactly.
#[derive(Clone, Debug, PartialEq)]
pub struct Accuracy {
    text: String,
    bound: Rational,
    log2: f64,
}

impl Accuracy {
    /// From a text such as `2^-68`, `1e-21`, `0x1.8p-70`.
    ///
    /// # Errors
    /// [`ReportError::Accuracy`] for anything but `0 < E < 1/4`, and bounds below 2^-16384.
    pub fn new(text: &str) -> Result<Self, ReportError> {
        let refuse = |reason: String| ReportError::Accuracy { text: text.into(), reason };
        let bound = parse_number(text).map_err(|error| refuse(error.to_string()))?;
        if bound <= 0 || bound >= Rational::from((1, 4)) {
            return Err(refuse("it is not between 0 and 1/4".into()));
        }
        let log2 = Float::with_val(64, &bound).log2().to_f64();
        if log2 < -f64::from(MOST_BITS) {
            return Err(refuse(format!("no certificate says anything of less than 2^-{MOST_BITS}")));
        }
        Ok(Self { text: text.trim().into(), bound, log2 })
    }

    /// `E = 2^-bits`.
    pub(crate) fn of_bits(bits: u32) -> Self {
        let bound = Rational::from(1) >> bits;
        Self { text: format!("2^-{bits}"), bound, log2: -f64::from(bits) }
    }

    /// E as a double; 0 if it is less than all of them.
    pub(crate) fn to_f64(&self) -> f64 {
        self.bound.to_f64()
    }

    /// Whether `E ≤ 2^-bits`.
    pub(crate) fn is_at_most(&self, bits: u32) -> bool {
        // certificates that were not checked have any number of extra bits
        bits <= MOST_BITS && self.bound <= Rational::from(1) >> bits
    }

    /// E.
    pub fn bound(&self) -> &Rational {
        &self.bound
    }
}

/// The text that it came from.
impl fmt::Display for Accuracy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

/// How near a result is to a breakpoint, in relation to both.
pub(crate) struct Nearness {
    pub(crate) x: Number,
    breakpoint: Number,
    /// the test may fail if and only if `log2 E ≥ −threshold`, within [`DOUBT`]
    threshold: f64,
}

impl Nearness {
    /// That of a case; nothing if its breakpoint is 0, which no relative error reaches.
    ///
    /// # Errors
    /// [`ReportError::Number`] if it holds something that is none.
    pub(crate) fn new(case: &Case) -> Result<Option<Self>, ReportError> {
        let [lower, upper] = [number(&case.bracket[0])?, number(&case.bracket[1])?];
        let (x, breakpoint) = (number(&case.x)?, number(&case.breakpoint)?);
        if breakpoint == Number::ZERO {
            return Ok(None);
        }
        let wrong = || ReportError::Number { text: case.breakpoint.clone() };
        // numbers next to each other are an ulp of what is between them apart
        let ulp = (float_of(upper) - float_of(lower)).get_exp().ok_or_else(wrong)? - 1;
        let in_ulps = Float::with_val(64, float_of(breakpoint) >> ulp).to_f64().abs();
        let distance = case.log2_dist.exp2();
        let is_outward = (case.sign == '+') == (breakpoint > Number::ZERO);
        // the larger of |f(x)| and |b|: the one of which the other lies inward
        let larger = if is_outward { in_ulps + distance } else { in_ulps };
        // with r = |f(x) − b|/larger: 2E/(1 + E) ≥ r, so E ≥ r/(2 − r)
        let log2_ratio = case.log2_dist - larger.log2();
        let threshold = 1.0 - log2_ratio + (-log2_ratio.exp2() / 2.0).ln_1p() / std::f64::consts::LN_2;
        if threshold.is_finite() { Ok(Some(Self { x, breakpoint, threshold })) } else { Err(wrong()) }
    }

    /// How hard it is: with how many bits of accuracy the test may still fail, within rounding.
    pub(crate) fn hardness(&self) -> f64 {
        self.threshold
    }

    /// Whether the test of a phase of accuracy E may fail.
    pub(crate) fn may_fail(&self, function: &Expression, accuracy: &Accuracy) -> bool {
        let above = accuracy.log2 + self.threshold;
        if above.abs() > DOUBT { above > 0.0 } else { self.is_within(function, &accuracy.bound) }
    }

    /// The least a such that the test of a phase of accuracy 2^-a does not fail; `u32::MAX` if
    /// nobody knows, where the distance is no more than a bound.
    pub(crate) fn bits(&self, function: &Expression) -> u32 {
        if self.threshold > BEYOND_PRECISION {
            return u32::MAX;
        }
        // a double that is no integer of 32 bits saturates
        let mut bits = (self.threshold - DOUBT).floor().max(1.0) as u32;
        while self.may_fail(function, &Accuracy::of_bits(bits)) {
            bits += 1;
        }
        bits
    }

    /// The inequality, by enclosures of f(x). Where none decides, f(x) is rational and known, or
    /// the answer is yes: an argument too many is listed, never one too few.
    fn is_within(&self, function: &Expression, bound: &Rational) -> bool {
        let Some(breakpoint) = float_of(self.breakpoint).to_rational() else { return true };
        let is_within = |value: &Rational| {
            let difference = Rational::from(value - &breakpoint).abs();
            let (value, other) = (Rational::from(value.abs_ref()), Rational::from(breakpoint.abs_ref()));
            let larger = if value > other { value } else { other };
            difference * (bound + Rational::from(1)) <= larger * bound * 2u32
        };
        for precision in PRECISIONS {
            let at = Interval::point(float_of(self.x)).and_then(|at| at.round_to(precision));
            let Ok(y) = at.and_then(|at| function.enclose(&at, precision)) else { continue };
            let ends = [y.lo(), y.hi()].map(Float::to_rational);
            let [Some(lo), Some(hi)] = ends else { continue };
            // what is on the same side of 0 and of the breakpoint is the nearer, the less its
            // distance: both ends say it for all between them
            let is_on_one_side = lo.cmp(&breakpoint) == hi.cmp(&breakpoint) && lo.cmp0() == hi.cmp0();
            if is_on_one_side && lo.cmp(&breakpoint) != Ordering::Equal && is_within(&lo) == is_within(&hi) {
                return is_within(&lo);
            }
        }
        let exact = float_of(self.x).to_rational().and_then(|x| function.exact(&x));
        exact.is_none_or(|value| is_within(&value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn case(kind: &str, sign: char, log2_dist: f64, breakpoint: &str, bracket: [&str; 2]) -> Case {
        Case {
            x: "0x1p+0".into(),
            kind: kind.into(),
            sign,
            log2_dist,
            identical_bits: 8,
            breakpoint: breakpoint.into(),
            bracket: bracket.map(str::to_owned),
        }
    }

    #[test]
    fn accuracies() {
        for text in ["2^-68", " 0x1p-68 ", "1/2^68"] {
            let accuracy = Accuracy::new(text).unwrap();
            assert_eq!(accuracy.bound(), Accuracy::of_bits(68).bound());
            assert_eq!((accuracy.log2, accuracy.to_string()), (-68.0, text.trim().into()));
            assert!(accuracy.is_at_most(68) && !accuracy.is_at_most(69) && !accuracy.is_at_most(u32::MAX));
        }
        for text in ["", "0", "-2^-68", "1/4", "2", "2^-20000", "half"] {
            assert!(matches!(Accuracy::new(text), Err(ReportError::Accuracy { .. })), "{text}");
        }
    }

    /// The threshold is what the inequality says, at powers of two and elsewhere, of either sign,
    /// above and below: f(x) is the breakpoint and the distance, exactly.
    #[test]
    fn thresholds_are_the_inequality() {
        // (breakpoint, its bracket, above): 2^3, 1.5, −1 with 11 bits; the ulp below a power of two
        // is half of that above
        let table = [
            ("number", '+', "0x1p+3", ["0x1p+3", "0x1.004p+3"]),
            ("number", '-', "0x1p+3", ["0x1.ffcp+2", "0x1p+3"]),
            ("number", '+', "0x1.8p+0", ["0x1.8p+0", "0x1.804p+0"]),
            ("number", '-', "-0x1p+0", ["-0x1.004p+0", "-0x1p+0"]),
            ("number", '+', "-0x1p+0", ["-0x1p+0", "-0x1.ffcp-1"]),
            ("midpoint", '+', "0x1.ffep-1", ["0x1.ffcp-1", "0x1p+0"]),
            ("midpoint", '-', "0x1.002p+0", ["0x1p+0", "0x1.004p+0"]),
            ("midpoint", '+', "0x1p-25", ["0x0p+0", "0x1p-24"]),
            ("midpoint", '-', "0x1p-25", ["0x0p+0", "0x1p-24"]),
        ];
        for (kind, sign, breakpoint, bracket) in table {
            for distance in [2, 3, 9, 30, 60] {
                let case = case(kind, sign, -f64::from(distance), breakpoint, bracket);
                let nearness = Nearness::new(&case).unwrap().unwrap();
                let value = |text| float_of(number(text).unwrap()).to_rational().unwrap();
                let (b, ulp) = (value(breakpoint), value(bracket[1]) - value(bracket[0]));
                let off = ulp >> distance as u32;
                let f = if sign == '+' { Rational::from(&b + &off) } else { Rational::from(&b - &off) };
                let (f_size, b_size) = (f.clone().abs(), b.clone().abs());
                let larger = if f_size > b_size { f_size } else { b_size };
                let ratio = off / larger;
                // E = r/(2 − r)
                let bound = &ratio / (Rational::from(2) - &ratio);
                let threshold = -Float::with_val(100, &bound).log2().to_f64();
                let found = nearness.hardness();
                assert!((found - threshold).abs() < 1e-9, "{case:?}: {threshold} {found}");
            }
        }
        let function = tmd_driver::parse("exp").unwrap();
        let beyond = case("number", '+', -4e7, "0x1p+3", ["0x1p+3", "0x1.004p+3"]);
        assert_eq!(Nearness::new(&beyond).unwrap().unwrap().bits(&function), u32::MAX);
        let zero = case("number", '+', -9.0, "0x0p+0", ["0x0p+0", "0x1p-24"]);
        assert!(Nearness::new(&zero).unwrap().is_none());
    }

    /// Bounds as near to the threshold as may be, to either side: the enclosures tell, and where
    /// the value is rational, theory does.
    #[test]
    fn what_is_in_doubt_is_decided() {
        for (function, breakpoint, bracket, sign) in [
            ("exp(x)", "0x1.5bf0a8b145768p+1", ["0x1.5bf0a8b145768p+1", "0x1.5bf0a8b145769p+1"], '+'),
            ("(1+x)/3", "0x1.5555555555556p-1", ["0x1.5555555555555p-1", "0x1.5555555555556p-1"], '-'),
        ] {
            let function = tmd_driver::parse(function).unwrap();
            let at = Interval::from_f64(1.0, 512).unwrap();
            let f = function.enclose(&at, 512).unwrap();
            let b = float_of(number(breakpoint).unwrap());
            let distance = Float::with_val(256, f.lo() - &b).abs();
            let ulp = float_of(number(bracket[1]).unwrap()) - float_of(number(bracket[0]).unwrap());
            let log2 = Float::with_val(256, &distance / &ulp).log2().to_f64();
            let case = case("number", sign, (log2 * 1e4).round() / 1e4, breakpoint, bracket);
            let nearness = Nearness::new(&case).unwrap().unwrap();
            let larger = if f.lo().clone().abs() > b.clone().abs() { f.lo().clone().abs() } else { b.abs() };
            let ratio = Float::with_val(256, &distance / &larger);
            let bound =
                Float::with_val(256, &ratio / (Float::with_val(256, 2) - &ratio)).to_rational().unwrap();
            let close = |numerator: u64| {
                let bound = &bound * Rational::from((numerator, 1u64 << 60));
                let log2 = Float::with_val(64, &bound).log2().to_f64();
                nearness.may_fail(&function, &Accuracy { text: String::new(), bound, log2 })
            };
            assert!(close((1 << 60) + 1) && !close((1 << 60) - 1));
            assert!(close(1 << 61) && !close(1 << 59));
        }
    }
}
