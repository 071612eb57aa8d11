//! What theory says about values at rational arguments.
//!
//! | theorem | used for a rational q |
//! |---|---|
//! | Hermite–Lindemann: if W(q) = a ≠ 0 were algebraic, q = a·eᵃ would be transcendental | lambertw, lambertwm1 (q ≠ 0) |
//! | Siegel: J₀(q) and J₁(q) are transcendental for algebraic q ≠ 0 (Shidlovskii, *Transcendental Numbers*, chapter 9) | j0, j1 |
//! | Γ(n) = (n − 1)!, and Γ(n + 1/2) is a rational multiple of √π, not 0 | gamma; lgamma at 1 and 2 |
//! | Chudnovsky: Γ(1/4) and π are algebraically independent; Γ(3/4) = π·√2/Γ(1/4) | gamma at odd multiples of 1/4 |
//! | Hermite–Lindemann: the logarithm of an integer above 1 is transcendental | lgamma at n ≥ 3 |
//!
//! Nothing is known to us of erfcx but at 0, of y0, y1 and digamma anywhere, and of gamma and
//! lgamma elsewhere.

use std::cmp::Ordering;

use rug::{Float, Integer, Rational};

use super::{PairFunction, SpecialFunction};
use crate::exact::{self, Value};
use crate::interval::MAX_FACTORIAL;

impl SpecialFunction {
    /// What theory says about f(q).
    pub(crate) fn value(self, q: &Rational) -> Value {
        let integer = |n: i64| Value::Rational(Rational::from(n));
        match self {
            Self::Abs => Value::Rational(Rational::from(q.abs_ref())),
            Self::Erfcx | Self::J0 if q.is_zero() => integer(1),
            Self::LambertW | Self::J1 if q.is_zero() => integer(0),
            Self::J0 | Self::J1 => Value::Transcendental,
            Self::LambertW if is_above_branch_point(q) => Value::Transcendental,
            Self::LambertWm1 if *q < 0 && is_above_branch_point(q) => Value::Transcendental,
            Self::Gamma => gamma(q),
            Self::Lgamma if *q == 1 || *q == 2 => integer(0),
            Self::Lgamma if *q > 2 && *q.denom() == 1 => Value::Transcendental,
            _ => Value::Unknown,
        }
    }

    /// What theory says about f(y) of a number y of which it says so much.
    pub(crate) fn value_of(self, y: Value) -> Value {
        match (self, y) {
            (function, Value::Rational(q)) => function.value(&q),
            (Self::Abs, y) => y,
            _ => Value::Unknown,
        }
    }

    /// One sentence: at which arguments x = m·2^k of a binary format the value is rational, or what
    /// is known of that.
    pub fn exact_rule(self) -> String {
        let name = self.name();
        let only_at_zero = |value: u32, theorem: &str| {
            format!("{name}(x) is rational only at x = 0, where it is {value} ({theorem})")
        };
        match self {
            Self::Abs => "abs(x) is rational at every x, and a binary number".into(),
            Self::LambertW => only_at_zero(0, "Hermite–Lindemann"),
            Self::LambertWm1 => "lambertwm1(x) is irrational at every x (Hermite–Lindemann)".into(),
            Self::J0 => only_at_zero(1, "Siegel"),
            Self::J1 => only_at_zero(0, "Siegel"),
            Self::Gamma => {
                "gamma(x) is rational at the integers x ≥ 1, where it is (x − 1)!, and transcendental at odd \
                            multiples of 1/2 and 1/4 (Chudnovsky); whether it is irrational at every other x is not known"
            }
            .into(),
            Self::Lgamma => {
                "lgamma(x) is 0 at x = 1 and x = 2, and transcendental at the integers x ≥ 3 \
                             (Hermite–Lindemann); whether it is irrational at every other x is not known"
            }
            .into(),
            Self::Erfcx => {
                "erfcx(x) is 1 at x = 0; whether it is irrational at every other x is not known".into()
            }
            Self::Digamma | Self::Y0 | Self::Y1 => {
                format!("whether {name}(x) is irrational at every x is not known")
            }
        }
    }
}

/// Γ(q).
fn gamma(q: &Rational) -> Value {
    if *q.denom() == 2 || *q.denom() == 4 {
        return Value::Transcendental;
    }
    match q.numer().to_u32().filter(|n| *q.denom() == 1 && (1..=MAX_FACTORIAL).contains(n)) {
        Some(n) => Value::Rational(Rational::from(Integer::from(Integer::factorial(n - 1)))),
        None => Value::Unknown, // a pole, or long, or a fraction
    }
}

/// Whether q > −1/e, as far as 256 bits tell; `false` is no proof of the contrary.
fn is_above_branch_point(q: &Rational) -> bool {
    let mut bound = -Float::with_val(256, -1).exp();
    bound.next_up();
    *q > bound
}

/// The value of a function of two numbers.
pub(super) fn pair(function: PairFunction, a: Value, b: Value, order: Option<Ordering>) -> Value {
    match function {
        PairFunction::Min | PairFunction::Max => {
            let order = match (&a, &b) {
                (Value::Rational(a), Value::Rational(b)) => Some(a.cmp(b)),
                _ => order,
            };
            let is_first = |order| (order != Ordering::Greater) == (function == PairFunction::Min);
            match (order, a, b) {
                (Some(order), a, _) if is_first(order) => a,
                (Some(_), _, b) => b,
                // it is one of the two
                (None, Value::Transcendental, Value::Transcendental) => Value::Transcendental,
                (None, a, b) if a.is_irrational() && b.is_irrational() => Value::Irrational,
                _ => Value::Unknown,
            }
        }
        PairFunction::Hypot => match a.powi(2).add(b.powi(2)) {
            Value::Rational(sum) => exact::rootn(&sum, 2),
            other => other, // a sum of squares is not negative, and the root of an irrational number is one
        },
        PairFunction::Copysign => match (a, b) {
            (Value::Rational(a), Value::Rational(b)) => {
                let magnitude = a.abs();
                Value::Rational(if b < 0 { -magnitude } else { magnitude })
            }
            (Value::Rational(a), b) if a.is_zero() && b.is_irrational() => Value::Rational(a),
            (a, _) if a.is_irrational() => a,
            _ => Value::Unknown,
        },
    }
}
