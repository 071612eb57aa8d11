//! The operations of IEEE 754 on data: −, +, ·, ÷, `pown`, `rootn`.
//!
//! Products, quotients, powers and roots work on magnitudes. The lower end of a magnitude is finite
//! (rounding down never reaches ∞) and may be 0; the upper end is positive (rounding up never
//! reaches 0) and may be ∞: so 0·∞, 0/0 and ∞/∞ cannot meet here.

use std::cmp::Ordering;

use rug::float::{Constant, Round};
use rug::ops::{AssignRound, Pow};
use rug::{Float, Rational};

use super::{Arithmetic, Datum, Doubt, End, Real, Sign};
use crate::exact::Value;
use crate::expression::Expression;

impl Datum {
    /// −self.
    #[must_use]
    pub fn negated(self) -> Self {
        match self {
            Self::Nan => Self::Nan,
            Self::Infinity(sign) => Self::Infinity(-sign),
            Self::Zero(sign) => Self::Zero(-sign),
            Self::Real(x) => {
                Self::Real(Real { lo: x.hi.negated(), hi: x.lo.negated(), value: x.value.neg() })
            }
        }
    }

    /// The sign, which a NaN does not have.
    pub fn sign(&self) -> Option<Sign> {
        match self {
            Self::Nan => None,
            Self::Infinity(sign) | Self::Zero(sign) => Some(*sign),
            Self::Real(x) => Some(x.sign()),
        }
    }
}

impl Arithmetic {
    /// π or e.
    pub(super) fn constant(self, constant: &Expression) -> Result<Datum, Doubt> {
        let one = Float::with_val(self.precision, 1);
        let [lo, hi] = [Round::Down, Round::Up].map(|round| {
            End::rounded(self.precision, round, false, |at, round| match constant {
                Expression::Pi => at.assign_round(Constant::Pi, round),
                _ => at.assign_round(one.exp_ref(), round),
            })
        });
        self.settle("a constant", Value::Transcendental, (lo, hi), true)
    }

    /// a + b.
    pub(crate) fn sum(self, a: Datum, b: Datum) -> Result<Datum, Doubt> {
        Ok(match (a, b) {
            (Datum::Nan, _) | (_, Datum::Nan) => Datum::Nan,
            (Datum::Infinity(a), Datum::Infinity(b)) if a != b => Datum::Nan,
            (infinity @ Datum::Infinity(_), _) | (_, infinity @ Datum::Infinity(_)) => infinity,
            (Datum::Zero(a), Datum::Zero(b)) => Datum::Zero(if a == b { a } else { self.zero_sum }),
            (Datum::Zero(_), x) | (x, Datum::Zero(_)) => x,
            (Datum::Real(a), Datum::Real(b)) => {
                let nonzero = a.sign() == b.sign();
                let end = |a: &End, b: &End, round| {
                    self.end(a, b, round, |at, a, b, round| at.assign_round(a + b, round))
                };
                let ends = (end(&a.lo, &b.lo, Round::Down), end(&a.hi, &b.hi, Round::Up));
                let value = a.value.add(b.value);
                if matches!(&value, Value::Rational(q) if q.is_zero()) {
                    return Ok(Datum::Zero(self.zero_sum));
                }
                return self.settle("a sum", value, ends, nonzero);
            }
        })
    }

    /// a · b.
    pub(crate) fn product(self, a: &Datum, b: &Datum) -> Result<Datum, Doubt> {
        let Some(sign) = sign_of_both(a, b) else { return Ok(Datum::Nan) };
        Ok(match (a, b) {
            (Datum::Infinity(_), Datum::Zero(_)) | (Datum::Zero(_), Datum::Infinity(_)) => Datum::Nan,
            (Datum::Infinity(_), _) | (_, Datum::Infinity(_)) => Datum::Infinity(sign),
            (Datum::Real(a), Datum::Real(b)) => {
                let (a_magnitude, b_magnitude) = (a.magnitude(), b.magnitude());
                let end = |a: &End, b: &End, round| {
                    self.end(a, b, round, |at, a, b, round| at.assign_round(a * b, round))
                };
                let ends = (
                    end(&a_magnitude.0, &b_magnitude.0, Round::Down),
                    end(&a_magnitude.1, &b_magnitude.1, Round::Up),
                );
                return self.signed("a product", a.value.clone().mul(b.value.clone()), sign, ends);
            }
            _ => Datum::Zero(sign),
        })
    }

    /// a / b.
    pub(super) fn quotient(self, a: &Datum, b: &Datum) -> Result<Datum, Doubt> {
        let Some(sign) = sign_of_both(a, b) else { return Ok(Datum::Nan) };
        Ok(match (a, b) {
            (Datum::Infinity(_), Datum::Infinity(_)) | (Datum::Zero(_), Datum::Zero(_)) => Datum::Nan,
            (Datum::Infinity(_), _) | (_, Datum::Zero(_)) => Datum::Infinity(sign),
            (Datum::Real(a), Datum::Real(b)) => {
                let (a_magnitude, b_magnitude) = (a.magnitude(), b.magnitude());
                let end = |a: &End, b: &End, round| {
                    self.end(a, b, round, |at, a, b, round| at.assign_round(a / b, round))
                };
                let ends = (
                    end(&a_magnitude.0, &b_magnitude.1, Round::Down),
                    end(&a_magnitude.1, &b_magnitude.0, Round::Up),
                );
                let value = a.value.clone().mul(b.value.clone().recip());
                return self.signed("a quotient", value, sign, ends);
            }
            _ => Datum::Zero(sign),
        })
    }

    /// `pown(a, n)`.
    pub(super) fn power(self, a: &Datum, n: i32) -> Result<Datum, Doubt> {
        if n == 0 {
            return Ok(self.rational(&Rational::from(1)));
        }
        let sign = |a: Sign| if n % 2 == 0 { Sign::Positive } else { a };
        Ok(match a {
            Datum::Nan => Datum::Nan,
            Datum::Infinity(a) if n > 0 => Datum::Infinity(sign(*a)),
            Datum::Zero(a) if n < 0 => Datum::Infinity(sign(*a)),
            Datum::Infinity(a) | Datum::Zero(a) => Datum::Zero(sign(*a)),
            Datum::Real(a) => {
                let ends =
                    self.monotonic(a.magnitude(), n > 0, |at, x, round| at.assign_round(x.pow(n), round));
                return self.signed("a power", a.value.clone().powi(n), sign(a.sign()), ends);
            }
        })
    }

    /// `rootn(a, n)`.
    pub(crate) fn root(self, a: &Datum, n: i32) -> Result<Datum, Doubt> {
        let is_even = n % 2 == 0;
        let sign = |a: Sign| if is_even { Sign::Positive } else { a };
        Ok(match a {
            Datum::Zero(a) if n < 0 => Datum::Infinity(sign(*a)),
            Datum::Zero(a) => Datum::Zero(sign(*a)),
            Datum::Nan => Datum::Nan,
            a if n == 0 || is_even && a.sign() == Some(Sign::Negative) => Datum::Nan,
            Datum::Infinity(a) if n > 0 => Datum::Infinity(*a),
            Datum::Infinity(a) => Datum::Zero(*a),
            Datum::Real(a) => {
                let ends = self
                    .monotonic(a.magnitude(), n > 0, |at, x, round| at.assign_round(x.root_i_ref(n), round));
                return self.signed("a root", a.value.clone().rootn(n), sign(a.sign()), ends);
            }
        })
    }

    /// The ends of a strictly monotonic function's range: `f(at, x, round)` assigns f(x), correctly
    /// rounded, and says in which direction the error is.
    pub(super) fn monotonic(
        self,
        (lo, hi): (End, End),
        increases: bool,
        f: impl Fn(&mut Float, &Float, Round) -> Ordering,
    ) -> (End, End) {
        let (least, greatest) = if increases { (lo, hi) } else { (hi, lo) };
        let end =
            |x: &End, round| End::rounded(self.precision, round, x.is_open, |at, round| f(at, &x.at, round));
        (end(&least, Round::Down), end(&greatest, Round::Up))
    }

    /// An end of the range of an operation that is strictly monotonic in both operands.
    fn end(
        self,
        a: &End,
        b: &End,
        round: Round,
        f: impl FnOnce(&mut Float, &Float, &Float, Round) -> Ordering,
    ) -> End {
        End::rounded(self.precision, round, a.is_open || b.is_open, |at, round| f(at, &a.at, &b.at, round))
    }

    /// A result other than 0 with this sign and a magnitude between these ends.
    fn signed(self, operation: &str, value: Value, sign: Sign, (lo, hi): (End, End)) -> Result<Datum, Doubt> {
        let ends = if sign == Sign::Positive { (lo, hi) } else { (hi.negated(), lo.negated()) };
        self.settle(operation, value, ends, true)
    }
}

/// The sign of a product or quotient; `None` if one operand is a NaN.
fn sign_of_both(a: &Datum, b: &Datum) -> Option<Sign> {
    Some(a.sign()?.times(b.sign()?))
}
