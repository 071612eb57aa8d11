//! Expressions at signed zeros, infinities and NaN, and at numbers where a part of them is one of
//! these.
//!
//! # The rule
//!
//! An expression is a tree, and every node of it is an operation of IEEE 754. Its operands are
//! *data*: NaN, ±∞, ±0, or a real number other than 0, which is kept exactly (by enclosures, never
//! rounded). So:
//!
//! * Where every part has a finite value other than 0 the result is the real number that the
//!   expression stands for.
//! * A part that is exactly 0 is a zero with a sign, a part that has a pole is an infinity, a part
//!   outside its function's domain is a NaN; what follows are IEEE 754's rules for these: 1/(−0) =
//!   −∞, ∞ − ∞ and 0·∞ are NaN, e^(−∞) = +0. So `exp(-1/x^2)` is +0 at ±0.
//! * The sum of two zeros of different signs, and of x and −x, is +0, but −0 where the rounding is
//!   toward −∞ (clause 6.3).
//! * The named functions are those of IEEE 754-2019, clause 9.2.1, and of C23, annex F.10; `x^n` is
//!   `pown` (`x^0` is 1, of NaN too) and `rootn(x,n)` is `rootn` (unlike √(−0), `rootn(-0,2)` is
//!   +0).
//! * An operation that has a NaN as an operand gives a NaN, `x^0` apart; constant parts are what
//!   they are.
//! * A number that is finite stays finite, however large: `1/exp(x)` never is 0 by overflow.
//!
//! The special values of the named functions are MPFR's own, except for `rsqrt(-0)`, which is −∞
//! and which MPFR says is +∞.
//!
//! # Doubt
//!
//! Whether a part is exactly 0, and on which side of the end of a domain it lies, is known from its
//! enclosure or from theory (see [`Function::exact`](crate::Function::exact)). Where neither says
//! so the answer is a [`Doubt`]; more precision may remove it.

mod arithmetic;
mod call;

#[cfg(test)]
pub(crate) mod tests;

use std::cmp::Ordering;
use std::ops::Neg;

use rug::float::{Round, Special};
use rug::ops::AssignRound;
use rug::{Float, Rational};
use thiserror::Error;

use crate::error::FunctionError;
use crate::exact::Value;
use crate::expression::Expression;
use crate::interval::check_precision;

/// A sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// +
    Positive,
    /// −
    Negative,
}

impl Sign {
    /// The sign of a product or quotient.
    #[must_use]
    pub fn times(self, other: Self) -> Self {
        if self == other { Self::Positive } else { Self::Negative }
    }

    /// The sign bit of a number, a zero or an infinity.
    fn of(x: &Float) -> Self {
        if x.is_sign_negative() { Self::Negative } else { Self::Positive }
    }
}

impl Neg for Sign {
    type Output = Self;

    fn neg(self) -> Self {
        self.times(Self::Negative)
    }
}

/// What an operation of IEEE 754 works on, before any rounding.
#[derive(Clone, Debug)]
pub enum Datum {
    /// Not a number; always quiet, without sign and payload.
    Nan,
    /// ±∞.
    Infinity(Sign),
    /// ±0: exactly zero.
    Zero(Sign),
    /// A real number other than 0.
    Real(Real),
}

/// An enclosure of a real number other than 0, whose sign is known.
///
/// An end is *open* if it is known not to be the number itself, as where rounding made it: so 1 +
/// e^(−x) stays above 1 for every x.
#[derive(Clone, Debug)]
pub struct Real {
    lo: End,
    hi: End,
    value: Value,
}

/// An end of an enclosure; never a NaN.
#[derive(Clone, Debug)]
struct End {
    at: Float,
    is_open: bool,
}

impl Real {
    /// The lower end. −∞ if the number is below MPFR's range; 0 if it is positive and no better
    /// bound is known.
    pub fn lo(&self) -> &Float {
        &self.lo.at
    }

    /// The upper end. +∞ if the number is above MPFR's range; 0 if it is negative and no better
    /// bound is known.
    pub fn hi(&self) -> &Float {
        &self.hi.at
    }

    /// Whether the number is known to be larger than [`lo`](Self::lo).
    pub fn lo_is_open(&self) -> bool {
        self.lo.is_open
    }

    /// Whether the number is known to be less than [`hi`](Self::hi).
    pub fn hi_is_open(&self) -> bool {
        self.hi.is_open
    }

    /// The sign.
    pub fn sign(&self) -> Sign {
        // one end may be 0, the other one is not
        if self.lo.at < 0 { Sign::Negative } else { Sign::Positive }
    }

    /// The number, where it is rational by theory and known.
    pub fn rational(&self) -> Option<&Rational> {
        match &self.value {
            Value::Rational(q) => Some(q),
            _ => None,
        }
    }

    /// What theory says about it.
    pub(crate) fn value(&self) -> &Value {
        &self.value
    }

    fn is_above(&self, n: i32) -> bool {
        self.lo.is_above(n)
    }

    fn is_below(&self, n: i32) -> bool {
        self.hi.is_below(n)
    }

    /// The ends of an enclosure of |self|: the lower one is finite and maybe 0, the upper one
    /// positive and maybe ∞.
    fn magnitude(&self) -> (End, End) {
        match self.sign() {
            Sign::Positive => (self.lo.clone().abs(), self.hi.clone()),
            Sign::Negative => (self.hi.clone().abs(), self.lo.clone().abs()),
        }
    }
}

impl End {
    /// The end of a range: `f(at, round)` assigns it, correctly rounded, and says in which
    /// direction the error is; `is_open` if the range itself does not reach its end.
    fn rounded(
        precision: u32,
        round: Round,
        is_open: bool,
        f: impl FnOnce(&mut Float, Round) -> Ordering,
    ) -> Self {
        let mut at = Float::new(precision);
        let error = f(&mut at, round);
        Self { at, is_open: is_open || error != Ordering::Equal }
    }

    /// Whether what this is the lower end of is larger than n.
    fn is_above(&self, n: i32) -> bool {
        self.at > n || self.at == n && self.is_open
    }

    /// Whether what this is the upper end of is less than n.
    fn is_below(&self, n: i32) -> bool {
        self.at < n || self.at == n && self.is_open
    }

    fn abs(self) -> Self {
        Self { at: self.at.abs(), ..self }
    }

    fn negated(self) -> Self {
        Self { at: -self.at, ..self }
    }
}

/// It is not known what an operation gives: whether it is defined, or the sign of its result.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("it cannot be told whether {operation} is defined there and which sign it has")]
pub struct Doubt {
    operation: String,
}

impl Doubt {
    pub(crate) fn about(operation: impl Into<String>) -> Self {
        Self { operation: operation.into() }
    }

    /// The operation in doubt, such as `log` or `a sum`.
    pub fn operation(&self) -> &str {
        &self.operation
    }
}

/// How precisely data are enclosed, and the one thing in which unrounded data depend on the
/// rounding.
#[derive(Clone, Copy, Debug)]
pub struct Arithmetic {
    precision: u32,
    zero_sum: Sign,
}

impl Arithmetic {
    /// Enclosures of `precision` bits; sums x + (−x) are zeros with the sign `zero_sum`.
    ///
    /// # Errors
    /// [`FunctionError::Precision`].
    pub fn new(precision: u32, zero_sum: Sign) -> Result<Self, FunctionError> {
        Ok(Self { precision: check_precision(precision)?, zero_sum })
    }

    /// Bits of enclosures.
    pub(crate) fn precision(self) -> u32 {
        self.precision
    }

    /// A result between two ends, each of which may be known not to be taken, of which theory says
    /// `value`.
    pub(crate) fn enclosed(
        self,
        operation: &str,
        value: Value,
        (lo, lo_is_open): (Float, bool),
        (hi, hi_is_open): (Float, bool),
    ) -> Result<Datum, Doubt> {
        let (lo, hi) = (End { at: lo, is_open: lo_is_open }, End { at: hi, is_open: hi_is_open });
        self.settle(operation, value, (lo, hi), false)
    }

    /// A rational number; 0 is +0.
    pub fn rational(self, q: &Rational) -> Datum {
        if q.is_zero() {
            return Datum::Zero(Sign::Positive);
        }
        let [lo, hi] = [Round::Down, Round::Up]
            .map(|round| End::rounded(self.precision, round, false, |at, round| at.assign_round(q, round)));
        Datum::Real(Real { lo, hi, value: Value::Rational(q.clone()) })
    }

    /// A result between `lo` and `hi` of which theory says `value`; `nonzero` if it is known not to
    /// be 0.
    fn settle(
        self,
        operation: &str,
        value: Value,
        (mut lo, mut hi): (End, End),
        nonzero: bool,
    ) -> Result<Datum, Doubt> {
        debug_assert!(lo.at <= hi.at, "{operation}: {lo:?} {hi:?}");
        let is_irrational = match &value {
            Value::Rational(q) if !q.is_zero() => return Ok(self.rational(q)),
            Value::Rational(_) => return Err(Doubt::about(operation)), // a zero, and its sign is not known here
            Value::Transcendental | Value::Irrational => true,
            Value::Unknown => false,
        };
        if nonzero || is_irrational {
            lo.is_open |= lo.at.is_zero();
            hi.is_open |= hi.at.is_zero();
        }
        if lo.is_above(0) || hi.is_below(0) {
            return Ok(Datum::Real(Real { lo, hi, value }));
        }
        Err(Doubt::about(operation))
    }

    fn special(self, special: Special) -> Float {
        Float::with_val(self.precision, special)
    }
}

impl Expression {
    /// The datum that the expression gives at the datum `x`: the real value, or what IEEE 754 says;
    /// see [`special`](self).
    ///
    /// # Errors
    /// [`Doubt`]; more precision may remove it.
    ///
    /// ```
    /// use tmd_functions::{parse, special::{Arithmetic, Datum, Sign}};
    /// let nearest = Arithmetic::new(64, Sign::Positive)?;
    /// let zero = Datum::Zero(Sign::Negative);
    /// assert!(matches!(parse("1/x")?.evaluate(&zero, nearest)?, Datum::Infinity(Sign::Negative)));
    /// assert!(matches!(parse("exp(-1/x^2)")?.evaluate(&zero, nearest)?, Datum::Zero(Sign::Positive)));
    /// assert!(matches!(parse("sin(1/x)")?.evaluate(&zero, nearest)?, Datum::Nan));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn evaluate(&self, x: &Datum, arithmetic: Arithmetic) -> Result<Datum, Doubt> {
        let part = |a: &Self| a.evaluate(x, arithmetic);
        Ok(match self {
            Self::Const(q) => arithmetic.rational(q),
            Self::Pi | Self::E => return arithmetic.constant(self),
            Self::X => x.clone(),
            Self::Neg(a) => part(a)?.negated(),
            Self::Add(a, b) => return arithmetic.sum(part(a)?, part(b)?),
            Self::Sub(a, b) => return arithmetic.sum(part(a)?, part(b)?.negated()),
            Self::Mul(a, b) => return arithmetic.product(&part(a)?, &part(b)?),
            Self::Div(a, b) => return arithmetic.quotient(&part(a)?, &part(b)?),
            Self::Powi(a, n) => return arithmetic.power(&part(a)?, *n),
            Self::Rootn(a, n) => return arithmetic.root(&part(a)?, *n),
            Self::Call(builtin, a) => return arithmetic.call(*builtin, &part(a)?),
            Self::Special(function, a) => return arithmetic.special_function(*function, &part(a)?),
            Self::Pair(function, a, b) => return arithmetic.pair_function(*function, &part(a)?, &part(b)?),
        })
    }
}
