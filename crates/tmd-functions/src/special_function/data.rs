//! The functions at data of IEEE 754: zeros, infinities, NaN, and numbers that are only enclosed.
//!
//! IEEE 754 has `minimum`, `maximum` (−0 is less than +0), `hypot` (infinite with an infinite
//! operand, even beside a NaN) and `copySign`; C23 has `tgamma` and `lgamma`, POSIX the Bessel
//! functions: theirs are the values at zeros, poles and infinities. The others have their limits:
//! ψ(±0) = ∓∞, W₀(±0) = ±0, W₋₁(±0) = −∞. At the other poles of Γ and ψ, which have two signs
//! there, the result is a NaN.

use rug::Float;
use rug::float::Special;

use super::{PairFunction, SpecialFunction};
use crate::error::FunctionError;
use crate::exact::Value;
use crate::interval::Interval;
use crate::range::{Bound, Range};
use crate::special::{Arithmetic, Datum, Doubt, Real, Sign};

impl Arithmetic {
    /// The function of a datum.
    pub(crate) fn special_function(self, function: SpecialFunction, a: &Datum) -> Result<Datum, Doubt> {
        use SpecialFunction::{Abs, Digamma, Erfcx, Gamma, J0, J1, LambertW, LambertWm1, Lgamma, Y0, Y1};
        Ok(match (function, a) {
            (_, Datum::Nan) => Datum::Nan,
            (Abs, a) if a.sign() == Some(Sign::Negative) => a.clone().negated(),
            (Abs, a) => a.clone(),
            (Erfcx | J0, Datum::Zero(_)) => self.rational(&1.into()),
            (Gamma, Datum::Zero(sign)) => Datum::Infinity(*sign),
            (Digamma, Datum::Zero(sign)) => Datum::Infinity(-*sign),
            (LambertW | J1, Datum::Zero(sign)) => Datum::Zero(*sign),
            (LambertWm1 | Y0 | Y1, Datum::Zero(_)) => Datum::Infinity(Sign::Negative),
            (Erfcx, Datum::Infinity(Sign::Negative))
            | (Gamma | Digamma | LambertW, Datum::Infinity(Sign::Positive))
            | (Lgamma, Datum::Infinity(_) | Datum::Zero(_)) => Datum::Infinity(Sign::Positive),
            (Erfcx | J1 | Y0 | Y1, Datum::Infinity(Sign::Positive)) | (J0, Datum::Infinity(_)) => {
                Datum::Zero(Sign::Positive)
            }
            (J1, Datum::Infinity(Sign::Negative)) => Datum::Zero(Sign::Negative),
            (_, Datum::Infinity(_)) => Datum::Nan,
            (function, Datum::Real(x)) => return self.of_number(function, x),
        })
    }

    /// The function of a number other than 0.
    fn of_number(self, function: SpecialFunction, x: &Real) -> Result<Datum, Doubt> {
        let doubt = |_| Doubt::about(function.name());
        let at = Interval::new(x.lo().clone(), x.hi().clone()).map_err(doubt)?;
        let precision = self.precision().max(at.precision());
        match at.round_to(precision).and_then(|at| function.range(&at.into(), precision)) {
            Ok(range) => self.between(function.name(), &range, function.value_of(x.value().clone())),
            // ln |Γ| tends to +∞ on both sides of its poles
            Err(FunctionError::Pole { everywhere: true, .. }) if function == SpecialFunction::Lgamma => {
                Ok(Datum::Infinity(Sign::Positive))
            }
            Err(
                FunctionError::OutsideDomain { everywhere: true, .. }
                | FunctionError::Pole { everywhere: true, .. },
            ) => Ok(Datum::Nan),
            Err(error) => Err(doubt(error)),
        }
    }

    /// A number of which a range and theory say so much.
    fn between(self, operation: &str, range: &Range, value: Value) -> Result<Datum, Doubt> {
        if matches!(&value, Value::Rational(q) if q.is_zero()) {
            return Ok(Datum::Zero(Sign::Positive));
        }
        let infinity = Float::with_val(self.precision(), Special::Infinity);
        let (lo, lo_is_open) = match &range.below {
            Bound::Unbounded => (-infinity.clone(), true),
            bound => (bound.value().cloned().unwrap_or_else(|| -infinity.clone()), bound.is_open()),
        };
        let (hi, hi_is_open) = match &range.above {
            Bound::Unbounded => (infinity, true),
            bound => (bound.value().cloned().unwrap_or(infinity), bound.is_open()),
        };
        self.enclosed(operation, value, (lo, lo_is_open), (hi, hi_is_open))
    }

    /// The function of two data.
    pub(crate) fn pair_function(self, function: PairFunction, a: &Datum, b: &Datum) -> Result<Datum, Doubt> {
        match function {
            PairFunction::Hypot => match (a, b) {
                (Datum::Infinity(_), _) | (_, Datum::Infinity(_)) => Ok(Datum::Infinity(Sign::Positive)),
                (Datum::Nan, _) | (_, Datum::Nan) => Ok(Datum::Nan),
                // the square of a zero is +0, and so is the root of +0
                _ => self.root(&self.sum(self.product(a, a)?, self.product(b, b)?)?, 2),
            },
            PairFunction::Copysign => Ok(match (a.sign(), b.sign()) {
                (Some(from), Some(to)) if from == to => a.clone(),
                (Some(_), Some(_)) => a.clone().negated(),
                _ => Datum::Nan,
            }),
            PairFunction::Max => Ok(self.smaller(a.clone().negated(), b.clone().negated())?.negated()),
            PairFunction::Min => self.smaller(a.clone(), b.clone()),
        }
    }

    /// IEEE 754's `minimum`.
    fn smaller(self, a: Datum, b: Datum) -> Result<Datum, Doubt> {
        let (Some(a_sign), Some(b_sign)) = (a.sign(), b.sign()) else { return Ok(Datum::Nan) };
        let is_negative = a_sign == Sign::Negative;
        if a_sign != b_sign {
            return Ok(if is_negative { a } else { b });
        }
        // of one sign: a zero is the smaller one of numbers that are not negative, an infinity of
        // those that are
        let is_first = match (&a, &b) {
            (Datum::Real(x), Datum::Real(y)) => return self.smaller_number(x, y),
            (Datum::Infinity(_), _) | (_, Datum::Zero(_)) => is_negative,
            _ => !is_negative,
        };
        Ok(if is_first { a } else { b })
    }

    /// The smaller one of two numbers.
    fn smaller_number(self, x: &Real, y: &Real) -> Result<Datum, Doubt> {
        let rational = x.rational().zip(y.rational());
        if x.hi() <= y.lo() || rational.is_some_and(|(p, q)| p <= q) {
            return Ok(Datum::Real(x.clone()));
        }
        if y.hi() <= x.lo() || rational.is_some() {
            return Ok(Datum::Real(y.clone()));
        }
        // whichever it is, it lies between the smaller ends
        let least = |p: &Float, q: &Float| (if p <= q { p } else { q }).clone();
        let value = PairFunction::Min.value(x.value().clone(), y.value().clone(), None);
        let (lo, hi) = (least(x.lo(), y.lo()), least(x.hi(), y.hi()));
        self.enclosed("min", value, (lo, false), (hi, false))
    }
}
