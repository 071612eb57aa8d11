//! The named functions of data.
//!
//! At a number that is known exactly, and at zeros and infinities, MPFR is asked twice, rounding
//! down and up: it says NaN outside a domain and ±∞ at a pole both times, ±0 both times where the
//! value is exactly 0, and otherwise bounds of the value (an underflow is 0 and the smallest
//! number, an overflow the largest number and ∞). At a number that is only enclosed the function
//! must be strictly monotonic or even, where ends that are 0 or ∞ do no harm, or go through
//! [`Interval`] (sine and its kin).

use std::cmp::Ordering;

use rug::Float;
use rug::float::{Round, Special};
use rug::ops::AssignRound;

use super::{Arithmetic, Datum, Doubt, End, Real, Sign};
use crate::builtin::Builtin;
use crate::exact::Value;
use crate::interval::{DomainRelation, Interval, MAX_ANGLE_EXPONENT};

/// Bits of the longest rational numbers that are worth having.
const LONGEST_RATIONAL: u32 = 1 << 16;

impl Arithmetic {
    /// The named function of a datum.
    pub(super) fn call(self, builtin: Builtin, a: &Datum) -> Result<Datum, Doubt> {
        match a {
            Datum::Nan => Ok(Datum::Nan),
            // 1/√x keeps the sign of its pole (IEEE 754-2019, 9.2.1); MPFR's function has +∞ on
            // both sides
            Datum::Zero(sign) if builtin == Builtin::Rsqrt => Ok(Datum::Infinity(*sign)),
            Datum::Zero(Sign::Positive) => self.at(builtin, &self.special(Special::Zero)),
            Datum::Zero(Sign::Negative) => self.at(builtin, &self.special(Special::NegZero)),
            Datum::Infinity(Sign::Positive) => self.at(builtin, &self.special(Special::Infinity)),
            Datum::Infinity(Sign::Negative) => self.at(builtin, &self.special(Special::NegInfinity)),
            Datum::Real(x) if x.lo.at == x.hi.at => self.at(builtin, &x.lo.at),
            Datum::Real(x) => self.near(builtin, x),
        }
    }

    /// f(x) for an exact x.
    fn at(self, builtin: Builtin, x: &Float) -> Result<Datum, Doubt> {
        let is_angle = matches!(builtin, Builtin::Sin | Builtin::Cos | Builtin::Tan);
        if is_angle && x.get_exp().is_some_and(|exponent| exponent > MAX_ANGLE_EXPONENT) {
            return Err(Doubt::about(builtin.name()));
        }
        let [lo, hi] = [Round::Down, Round::Up]
            .map(|round| End::rounded(self.precision, round, false, |at, round| mpfr(builtin, at, x, round)));
        if lo.at.is_nan() || hi.at.is_nan() {
            return Ok(Datum::Nan);
        }
        if lo.at == hi.at && lo.at.is_infinite() {
            return Ok(Datum::Infinity(Sign::of(&lo.at)));
        }
        if lo.at.is_zero() && hi.at.is_zero() {
            return Ok(Datum::Zero(Sign::of(&hi.at)));
        }
        // MPFR rounds correctly: equal ends are the value, and a value of 0 would have been both
        // ends. Rational numbers of large exponents are long, and such values are far from all
        // numbers of any format: the enclosure says enough of them
        let exactly = |y: &Float| {
            let is_short = y.get_exp().is_none_or(|exponent| exponent.unsigned_abs() < LONGEST_RATIONAL);
            if is_short { y.to_rational() } else { None }
        };
        let value = if lo.at == hi.at {
            exactly(&lo.at).map_or(Value::Unknown, Value::Rational)
        } else {
            exactly(x).map_or(Value::Unknown, |q| builtin.value(&q))
        };
        self.settle(builtin.name(), value, (lo, hi), true)
    }

    /// f(x) for an x that is only enclosed.
    fn near(self, builtin: Builtin, x: &Real) -> Result<Datum, Doubt> {
        let doubt = || Doubt::about(builtin.name());
        let value = match (builtin, &x.value) {
            (builtin, Value::Rational(q)) => builtin.value(q),
            (Builtin::Cbrt, y) => y.clone().rootn(3),
            _ => Value::Unknown,
        };
        match place(builtin, x) {
            DomainRelation::Inside => {}
            DomainRelation::Outside => return Ok(Datum::Nan),
            DomainRelation::Across => return Err(doubt()),
        }
        let f = |at: &mut Float, x: &Float, round| mpfr(builtin, at, x, round);
        let ends = match builtin.is_increasing() {
            Some(increases) => self.monotonic((x.lo.clone(), x.hi.clone()), increases, f),
            None if builtin == Builtin::Cosh => self.monotonic(x.magnitude(), true, f),
            None => {
                let range =
                    Interval::new(x.lo.at.clone(), x.hi.at.clone()).and_then(|x| builtin.interval(&x));
                // an error is an infinite end, a pole, or an angle that is too large
                let (lo, hi) = range.map_err(|_| doubt())?.into_endpoints();
                (End { at: lo, is_open: false }, End { at: hi, is_open: false })
            }
        };
        self.settle(builtin.name(), value, ends, vanishes_at_most_at_zero(builtin))
    }
}

/// Where a number other than 0 lies, seen from the domain of a function; across next to the
/// domain's ends.
fn place(builtin: Builtin, x: &Real) -> DomainRelation {
    let place = DomainRelation::new;
    match builtin {
        Builtin::Ln | Builtin::Log2 | Builtin::Log10 | Builtin::Sqrt | Builtin::Rsqrt => {
            place(x.sign() == Sign::Positive, true)
        }
        Builtin::Logp1 | Builtin::Log2p1 | Builtin::Log10p1 => place(x.is_above(-1), x.is_below(-1)),
        Builtin::Acosh => place(x.is_above(1), x.is_below(1)),
        Builtin::Asin | Builtin::Acos | Builtin::AsinPi | Builtin::AcosPi | Builtin::Atanh => {
            place(x.is_above(-1) && x.is_below(1), x.is_below(-1) || x.is_above(1))
        }
        _ => DomainRelation::Inside,
    }
}

/// Whether f(x) ≠ 0 for all x ≠ 0. (The others have zeros elsewhere: at 1, or at many places.)
fn vanishes_at_most_at_zero(builtin: Builtin) -> bool {
    use Builtin::{Acos, AcosPi, Acosh, Cosh, Ln, Log2, Log10};
    match builtin {
        Ln | Log2 | Log10 | Acos | AcosPi | Acosh => false,
        Cosh => true,
        _ => builtin.is_increasing().is_some(),
    }
}

/// MPFR's operations.
macro_rules! operations {
    ($($variant:ident $operation:ident,)*) => {
        /// `at` becomes f(x), correctly rounded; x may be a zero or an infinity.
        pub(super) fn mpfr(builtin: Builtin, at: &mut Float, x: &Float, round: Round) -> Ordering {
            match builtin {
                $(Builtin::$variant => at.assign_round(x.$operation(), round),)*
            }
        }
    };
}

operations! {
    Exp exp_ref, Exp2 exp2_ref, Exp10 exp10_ref, Expm1 exp_m1_ref, Exp2m1 exp2_m1_ref, Exp10m1 exp10_m1_ref,
    Ln ln_ref, Log2 log2_ref, Log10 log10_ref, Logp1 ln_1p_ref, Log2p1 log2_1p_ref, Log10p1 log10_1p_ref,
    Sqrt sqrt_ref, Cbrt cbrt_ref, Rsqrt recip_sqrt_ref,
    Sin sin_ref, Cos cos_ref, Tan tan_ref, SinPi sin_pi_ref, CosPi cos_pi_ref, TanPi tan_pi_ref,
    Asin asin_ref, Acos acos_ref, Atan atan_ref, AsinPi asin_pi_ref, AcosPi acos_pi_ref, AtanPi atan_pi_ref,
    Sinh sinh_ref, Cosh cosh_ref, Tanh tanh_ref, Asinh asinh_ref, Acosh acosh_ref, Atanh atanh_ref,
    Erf erf_ref, Erfc erfc_ref,
}
