//! Closed intervals of reals with MPFR endpoints, rounded outward.
//!
//! # The containment theorem
//!
//! An [`Interval`] stands for the set {x : lo ≤ x ≤ hi}. For every operation ∘ of this module and
//! all x ∈ a, y ∈ b, x ∘ y ∈ a ∘ b (Moore, *Interval Analysis*, 1966, chapter 3). MPFR rounds each
//! elementary function correctly in the direction asked for, underflow included (the lower end of a
//! tiny positive number is 0, the upper end the smallest positive number), so an end computed with
//! the extreme point of the exact range, rounded outward, is a bound; the only mathematics left is
//! to find the extreme points, and that is what the text beside each operation argues. Operations
//! are inclusion monotonic: smaller operands (at the same precision) never give a larger result.
//!
//! # Domains
//!
//! A function that is not defined on all of an interval is an error,
//! [`OutsideDomain`](FunctionError::OutsideDomain), also at the open end of a domain (log at 0,
//! logp1 at −1, atanh at ±1); one that is infinite at a point inside its domain, or between two
//! parts of it, [`Pole`](FunctionError::Pole) (tan, tanPi, 1/√x and the roots of negative degree at
//! 0). `OutsideDomain` says whether there is no value at any point of the interval (`everywhere`),
//! so that a planner need not cut it further.
//!
//! # Precision
//!
//! Both endpoints of an interval have the same precision, in bits: [`Interval::precision`]. The
//! result of an operation has the **largest precision of its operands**; only constructors and
//! [`Interval::round_to`] take a precision.
//!
//! # Nothing infinite
//!
//! Endpoints are finite, always. An operation whose exact result does not fit returns
//! [`Overflow`](FunctionError::Overflow), one that meets a NaN
//! [`NotFinite`](FunctionError::NotFinite).

mod arithmetic;
mod bessel;
mod elementary;
mod erfcx;
mod gamma;
mod hyperbolic;
mod inverse;
mod lambert;
mod pi;
mod pieces;
mod tight;
mod trigonometric;

#[cfg(test)]
mod tests;

use std::fmt;

use rug::float::Round;
use rug::ops::CompleteRound;
use rug::{Assign, Float, Integer, Rational};

use crate::error::FunctionError;

pub(crate) use arithmetic::SumOfProducts;
pub(crate) use bessel::{FIRST_DERIVATIVE, HIGHER_DERIVATIVES};
pub(crate) use elementary::DomainRelation;
pub(crate) use gamma::{LEAST_SHIFTED, MAX_FACTORIAL, coefficients as gamma_coefficients};
pub use trigonometric::MAX_ANGLE_EXPONENT;

/// The smallest precision of an interval, in bits.
pub const MIN_PRECISION: u32 = 2;

/// The largest precision of an interval, in bits: 2^24 (two megabytes per endpoint).
pub const MAX_PRECISION: u32 = 1 << 24;

/// Significant decimal digits that an endpoint is printed with.
const PRINTED_DIGITS: usize = 17;

/// The closed interval [lo, hi] of real numbers; a point when lo = hi.
///
/// Invariants: both endpoints are finite, lo ≤ hi, and both have the same precision.
///
/// ```
/// use tmd_functions::Interval;
/// let third = Interval::from_rational(&(1, 3).into(), 53)?;
/// assert!(third.contains(&rug::Rational::from((1, 3))));
/// assert!(third.sqr()?.contains(&rug::Rational::from((1, 9))));
/// assert_eq!(third.width()?.to_f64(), 2f64.powi(-54)); // one ulp of 1/3
/// # Ok::<(), tmd_functions::FunctionError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Interval {
    lo: Float,
    hi: Float,
}

impl Interval {
    /// The interval [lo, hi], at the larger of the two precisions (so exactly).
    ///
    /// # Errors
    /// [`NotFinite`](FunctionError::NotFinite),
    /// [`ReversedEndpoints`](FunctionError::ReversedEndpoints), or
    /// [`Precision`](FunctionError::Precision) if an endpoint has more than [`MAX_PRECISION`] bits.
    pub fn new(mut lo: Float, mut hi: Float) -> Result<Self, FunctionError> {
        let precision = check_precision(lo.prec().max(hi.prec()).max(MIN_PRECISION))?;
        if !lo.is_finite() || !hi.is_finite() {
            let at = format!("[{}, {}]", decimal(&lo, Round::Down), decimal(&hi, Round::Up));
            return Err(FunctionError::NotFinite { function: "Interval::new".into(), at });
        }
        if lo > hi {
            let (lo, hi) = (decimal(&lo, Round::Nearest), decimal(&hi, Round::Nearest));
            return Err(FunctionError::ReversedEndpoints { lo, hi });
        }
        lo.set_prec(precision);
        hi.set_prec(precision);
        Ok(Self { lo, hi })
    }

    /// The interval that holds `x` alone, at the precision of `x`.
    pub fn point(x: Float) -> Result<Self, FunctionError> {
        Self::new(x.clone(), x)
    }

    /// The interval [0, 0].
    pub fn zero(precision: u32) -> Result<Self, FunctionError> {
        check_precision(precision)?;
        Ok(Self { lo: Float::new(precision), hi: Float::new(precision) })
    }

    /// The tightest interval around the number `x`; a point if `precision` bits hold it.
    pub fn from_f64(x: f64, precision: u32) -> Result<Self, FunctionError> {
        Self::new(Float::with_val(53, x), Float::with_val(53, x))?.round_to(precision)
    }

    /// The tightest interval around the integer `x`; a point if `precision` bits hold it.
    pub fn from_integer(x: &Integer, precision: u32) -> Result<Self, FunctionError> {
        Self::enclosing(precision, "Interval::from_integer", |round| {
            Float::with_val_round(precision, x, round).0
        })
    }

    /// The tightest interval around the rational number `x`; a point if `precision` bits hold it.
    pub fn from_rational(x: &Rational, precision: u32) -> Result<Self, FunctionError> {
        Self::enclosing(precision, "Interval::from_rational", |round| {
            Float::with_val_round(precision, x, round).0
        })
    }

    /// The tightest interval around m·2^exponent; a point if `precision` bits hold it.
    pub fn from_dyadic(m: &Integer, exponent: i32, precision: u32) -> Result<Self, FunctionError> {
        Self::from_integer(m, precision)?.mul_2exp(exponent)
    }

    /// The number of bits of both endpoints.
    pub fn precision(&self) -> u32 {
        self.lo.prec()
    }

    /// The lower endpoint.
    pub fn lo(&self) -> &Float {
        &self.lo
    }

    /// The upper endpoint.
    pub fn hi(&self) -> &Float {
        &self.hi
    }

    /// The endpoints (lo, hi).
    pub fn into_endpoints(self) -> (Float, Float) {
        (self.lo, self.hi)
    }

    /// The tightest interval around this one whose endpoints have `precision` bits: the same set if
    /// the precision does not fall.
    pub fn round_to(&self, precision: u32) -> Result<Self, FunctionError> {
        check_precision(precision)?;
        let lo = Float::with_val_round(precision, &self.lo, Round::Down).0;
        let hi = Float::with_val_round(precision, &self.hi, Round::Up).0;
        Self::checked(lo, hi, "Interval::round_to", || self.to_string())
    }

    /// Whether lo = hi.
    pub fn is_point(&self) -> bool {
        self.lo == self.hi
    }

    /// Whether this is [0, 0].
    pub fn is_zero(&self) -> bool {
        self.lo.is_zero() && self.hi.is_zero()
    }

    /// Whether 0 is in the interval, endpoints included.
    pub fn contains_zero(&self) -> bool {
        self.lo <= 0 && self.hi >= 0
    }

    /// Whether the number `x` (a [`Float`], [`Rational`], [`Integer`], f64, …) is in the interval;
    /// compared exactly.
    pub fn contains<T>(&self, x: &T) -> bool
    where
        Float: PartialOrd<T>,
    {
        self.lo <= *x && self.hi >= *x
    }

    /// Whether all of `other` is in the interval.
    pub fn contains_interval(&self, other: &Self) -> bool {
        self.lo <= other.lo && other.hi <= self.hi
    }

    /// Whether the two intervals have a point in common.
    pub fn intersects(&self, other: &Self) -> bool {
        self.lo <= other.hi && other.lo <= self.hi
    }

    /// The smallest interval that holds both.
    #[must_use]
    pub fn hull(&self, other: &Self) -> Self {
        let precision = self.precision().max(other.precision());
        let lo = if self.lo <= other.lo { &self.lo } else { &other.lo };
        let hi = if self.hi >= other.hi { &self.hi } else { &other.hi };
        Self { lo: Float::with_val(precision, lo), hi: Float::with_val(precision, hi) }
    }

    /// The points in both intervals; `None` if there is none.
    #[must_use]
    pub fn intersection(&self, other: &Self) -> Option<Self> {
        if !self.intersects(other) {
            return None;
        }
        let precision = self.precision().max(other.precision());
        let lo = if self.lo >= other.lo { &self.lo } else { &other.lo };
        let hi = if self.hi <= other.hi { &self.hi } else { &other.hi };
        Some(Self { lo: Float::with_val(precision, lo), hi: Float::with_val(precision, hi) })
    }

    /// Cuts off what is larger in magnitude than `bound`, as the caller has proved that no value
    /// is; the interval stays as it is should nothing be left.
    pub(crate) fn cut_to_magnitude(&mut self, bound: &Self) {
        let mag = bound.mag();
        if let Some(cut) = self.intersection(&Self { lo: -mag.clone(), hi: mag }) {
            *self = cut;
        }
    }

    /// max |x| over the interval, exactly.
    pub fn mag(&self) -> Float {
        self.mag_ref().clone().abs()
    }

    /// min |x| over the interval, exactly (0 if the interval holds 0).
    pub fn mig(&self) -> Float {
        if self.contains_zero() {
            return Float::new(self.precision());
        }
        self.mig_ref().clone().abs()
    }

    /// An upper bound of |x| over the interval: max |x| rounded up to a double.
    ///
    /// # Errors
    /// [`Overflow`](FunctionError::Overflow) if no finite double is that large.
    pub fn mag_f64(&self) -> Result<f64, FunctionError> {
        let bound = self.mag_ref().clone().abs().to_f64_round(Round::Up);
        if bound.is_finite() { Ok(bound) } else { Err(overflow("Interval::mag_f64", self.to_string())) }
    }

    /// A lower bound of |x| over the interval: min |x| rounded down to a double.
    pub fn mig_f64(&self) -> f64 {
        // rounding down never leaves the range of finite doubles for a finite number
        self.mig().to_f64_round(Round::Down)
    }

    /// hi − lo, rounded up.
    pub fn width(&self) -> Result<Float, FunctionError> {
        let width = (&self.hi - &self.lo).complete_round(self.precision(), Round::Up).0;
        self.finite(width, "Interval::width")
    }

    /// A point of the interval next to its middle: (lo + hi)/2 rounded, exact if it fits.
    pub fn midpoint(&self) -> Float {
        // halving first cannot overflow; where it underflows the sum may leave the interval, hence
        // the clamp
        let (half_lo, half_hi) = (
            Float::with_val(self.precision(), &self.lo >> 1),
            Float::with_val(self.precision(), &self.hi >> 1),
        );
        let mut middle = Float::with_val(self.precision(), &half_lo + &half_hi);
        if middle < self.lo {
            middle.assign(&self.lo);
        } else if middle > self.hi {
            middle.assign(&self.hi);
        }
        middle
    }

    /// An upper bound of |x − midpoint| over the interval.
    pub fn radius(&self) -> Result<Float, FunctionError> {
        let middle = self.midpoint();
        let below = (&middle - &self.lo).complete_round(self.precision(), Round::Up).0;
        let above = (&self.hi - &middle).complete_round(self.precision(), Round::Up).0;
        self.finite(if below >= above { below } else { above }, "Interval::radius")
    }

    /// The endpoint that is larger in magnitude.
    fn mag_ref(&self) -> &Float {
        if self.lo.cmp_abs(&self.hi) == Some(std::cmp::Ordering::Greater) { &self.lo } else { &self.hi }
    }

    /// The endpoint that is smaller in magnitude.
    fn mig_ref(&self) -> &Float {
        if self.lo.cmp_abs(&self.hi) == Some(std::cmp::Ordering::Greater) { &self.hi } else { &self.lo }
    }

    fn finite(&self, value: Float, function: &str) -> Result<Float, FunctionError> {
        if value.is_finite() { Ok(value) } else { Err(overflow(function, self.to_string())) }
    }

    /// The interval from `value` rounded down and up, after a check of the precision.
    fn enclosing(
        precision: u32,
        function: &str,
        value: impl Fn(Round) -> Float,
    ) -> Result<Self, FunctionError> {
        check_precision(precision)?;
        Self::checked(value(Round::Down), value(Round::Up), function, || "the number given".into())
    }

    /// The one gate through which computed endpoints become an interval: no NaN, no infinity.
    pub(crate) fn checked(
        lo: Float,
        hi: Float,
        function: &str,
        at: impl FnOnce() -> String,
    ) -> Result<Self, FunctionError> {
        if lo.is_finite() && hi.is_finite() {
            debug_assert!(lo <= hi, "{function}: {lo} > {hi}");
            debug_assert_eq!(lo.prec(), hi.prec(), "{function}");
            return Ok(Self { lo, hi });
        }
        if lo.is_nan() || hi.is_nan() {
            return Err(FunctionError::NotFinite { function: function.into(), at: at() });
        }
        Err(overflow(function, at()))
    }
}

/// `[lo, hi]` in decimal, rounded outward to 17 significant digits; a point prints as one number
/// (to nearest).
impl fmt::Display for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_point() {
            return f.write_str(&decimal(&self.lo, Round::Nearest));
        }
        write!(f, "[{}, {}]", decimal(&self.lo, Round::Down), decimal(&self.hi, Round::Up))
    }
}

/// `precision` if it lies in the supported range.
pub(crate) fn check_precision(precision: u32) -> Result<u32, FunctionError> {
    if (MIN_PRECISION..=MAX_PRECISION).contains(&precision) {
        Ok(precision)
    } else {
        Err(FunctionError::Precision { precision })
    }
}

pub(crate) fn pole(function: impl Into<String>, at: String, everywhere: bool) -> FunctionError {
    FunctionError::Pole { function: function.into(), at, everywhere }
}

pub(crate) fn overflow(function: &str, at: String) -> FunctionError {
    FunctionError::Overflow { function: function.into(), at }
}

/// `x` in decimal with [`PRINTED_DIGITS`] digits, trailing zeros removed.
pub(crate) fn decimal(x: &Float, round: Round) -> String {
    if x.is_zero() {
        return "0".into();
    }
    let text = x.to_string_radix_round(10, Some(PRINTED_DIGITS), round);
    let (digits, exponent) = text.split_once('e').map_or((text.as_str(), None), |(d, e)| (d, Some(e)));
    let digits =
        if digits.contains('.') { digits.trim_end_matches('0').trim_end_matches('.') } else { digits };
    exponent.map_or_else(|| digits.to_string(), |e| format!("{digits}e{e}"))
}
