//! Inverse functions, with the arguments over which they are inverse: [`Inverse`].
//!
//! A search may look at the values of f instead of its arguments where the inverse has fewer of
//! them. The intervals are those of the principal branches (DLMF 4.23(ii), 4.37(ii)). Where their
//! ends are irrational, the rational interval given lies inside: 3/2 < π/2 and 3 < π.

use rug::Rational;

use crate::builtin::Builtin;
use crate::expression::Expression;

#[cfg(test)]
mod tests;

/// A function g with g(f(x)) = x for all x in I = {x : `from` ≤ x ≤ `to`, and f is defined at x}.
///
/// I is not empty, f is defined on all of the interval but perhaps at its ends, and strictly
/// monotonic there. `None` is no limit on that side: I is then all of the domain there. f is not
/// defined at an end itself if that is a pole: 0 for 1/x, ±1/2 for `tanpi`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inverse {
    /// g.
    pub function: Expression,
    /// The least argument.
    pub from: Option<Rational>,
    /// The greatest argument.
    pub to: Option<Rational>,
}

impl Inverse {
    /// On all of the domain, an interval.
    fn everywhere(function: Expression) -> Self {
        Self { function, from: None, to: None }
    }

    /// Over the arguments that are not negative.
    fn from_zero(function: Expression) -> Self {
        Self { function, from: Some(Rational::new()), to: None }
    }

    /// Over `halves.0`/2 ≤ x ≤ `halves.1`/2.
    fn between_halves(function: Expression, halves: (i32, i32)) -> Self {
        let half = |n| Some(Rational::from((n, 2)));
        Self { function, from: half(halves.0), to: half(halves.1) }
    }
}

impl Builtin {
    /// The inverse of the function; `None` for erf and erfc.
    pub fn inverse(self) -> Option<Inverse> {
        let power = |n| Expression::Powi(Box::new(Expression::X), n);
        let whole = |builtin| Inverse::everywhere(Expression::function(builtin));
        let half_period =
            |builtin, from, to| Inverse::between_halves(Expression::function(builtin), (from, to));
        Some(match self {
            Self::Exp => whole(Self::Ln),
            Self::Exp2 => whole(Self::Log2),
            Self::Exp10 => whole(Self::Log10),
            Self::Expm1 => whole(Self::Logp1),
            Self::Exp2m1 => whole(Self::Log2p1),
            Self::Exp10m1 => whole(Self::Log10p1),
            Self::Ln => whole(Self::Exp),
            Self::Log2 => whole(Self::Exp2),
            Self::Log10 => whole(Self::Exp10),
            Self::Logp1 => whole(Self::Expm1),
            Self::Log2p1 => whole(Self::Exp2m1),
            Self::Log10p1 => whole(Self::Exp10m1),
            Self::Sqrt => Inverse::everywhere(power(2)),
            Self::Cbrt => Inverse::everywhere(power(3)),
            Self::Rsqrt => Inverse::everywhere(power(-2)),
            Self::Sin => half_period(Self::Asin, -3, 3),
            Self::Cos => half_period(Self::Acos, 0, 6),
            Self::Tan => half_period(Self::Atan, -3, 3),
            Self::SinPi => half_period(Self::AsinPi, -1, 1),
            Self::CosPi => half_period(Self::AcosPi, 0, 2),
            Self::TanPi => half_period(Self::AtanPi, -1, 1),
            Self::Asin => whole(Self::Sin),
            Self::Acos => whole(Self::Cos),
            Self::Atan => whole(Self::Tan),
            Self::AsinPi => whole(Self::SinPi),
            Self::AcosPi => whole(Self::CosPi),
            Self::AtanPi => whole(Self::TanPi),
            Self::Sinh => whole(Self::Asinh),
            Self::Cosh => Inverse::from_zero(Expression::function(Self::Acosh)),
            Self::Tanh => whole(Self::Atanh),
            Self::Asinh => whole(Self::Sinh),
            Self::Acosh => whole(Self::Cosh),
            Self::Atanh => whole(Self::Tanh),
            Self::Erf | Self::Erfc => return None,
        })
    }
}

impl Expression {
    /// The inverse of a named function, a power, a root or the reciprocal **of x itself**; `None`
    /// for other expressions.
    pub(crate) fn inverse_of_x(&self) -> Option<Inverse> {
        let x = || Box::new(Self::X);
        match self {
            Self::Call(builtin, a) if **a == Self::X => builtin.inverse(),
            Self::Div(one, a) if **a == Self::X && **one == Self::Const(1.into()) => {
                Some(Inverse::from_zero(self.clone()))
            }
            Self::Powi(a, n) if **a == Self::X && *n != 0 => {
                let root = match n {
                    2 => Self::function(Builtin::Sqrt),
                    3 => Self::function(Builtin::Cbrt),
                    -1 => self.clone(),
                    -2 => Self::function(Builtin::Rsqrt),
                    n => Self::Rootn(x(), *n),
                };
                Some(on_one_branch(root, *n))
            }
            Self::Rootn(a, n) if **a == Self::X && *n != 0 => {
                let inverse = on_one_branch(Self::Powi(x(), *n), *n);
                // an even root is defined on one side of 0 only
                Some(if n % 2 == 0 { Inverse::everywhere(inverse.function) } else { inverse })
            }
            _ => None,
        }
    }
}

/// The inverse of xⁿ (or of its root): everywhere for odd n > 0; else over x ≥ 0, as xⁿ is even or
/// has its pole at 0.
fn on_one_branch(inverse: Expression, n: i32) -> Inverse {
    if n > 0 && n % 2 != 0 { Inverse::everywhere(inverse) } else { Inverse::from_zero(inverse) }
}
