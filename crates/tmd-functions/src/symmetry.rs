//! Symmetries by which a search of a part of the domain answers for another: [`Parity`],
//! [`Translation`], [`Reflection`].
//!
//! All of them are identities of real functions: they hold wherever one side is defined (then so is
//! the other one), with no rounding. Whether x + p, 2·x or 1 − x is again an argument of a format,
//! and whether the factor maps breakpoints to breakpoints, is for the caller to see.
//!
//! | identity | why |
//! |---|---|
//! | exp2(x + 1) = 2·exp2(x) | addition theorem of the exponential function |
//! | log2(2·x) = log2(x) + 1, x > 0 | its inverse |
//! | (2^a·x)^(b/a) = 2^b·x^(b/a), x > 0 | roots and powers |
//! | sin π(x + 1) = −sin πx, cos π(x + 1) = −cos πx, tan π(x + 1) = tan πx | DLMF 4.21.1, 4.21.2 and 4.21.4 with sin π = 0, cos π = −1, tan π = 0 |
//! | sin, tan, asin, atan, their kin in half-turns, sinh, tanh, asinh, atanh, erf and the odd roots are odd; cos, cosPi, cosh even | DLMF 4.14, 4.23(iii), 4.28, 4.37(iii), 7.4.1 |

use crate::builtin::Builtin;
use crate::exact::Value;
use crate::expression::Expression;

#[cfg(test)]
mod tests;

/// What f(−x) is, for all x where f(x) or f(−x) is defined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parity {
    /// f(−x) = f(x).
    Even,
    /// f(−x) = −f(x).
    Odd,
}

/// What f is at another argument, for all real x where either side is defined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Translation {
    /// f(x + period) = 2^`log2_factor` · f(x).
    Scaling {
        /// What is added to the argument.
        period: u32,
        /// The binary logarithm of the factor, > 0.
        log2_factor: u32,
    },
    /// f(x + period) = f(x), or −f(x) if `negates`.
    Sign {
        /// What is added to the argument.
        period: u32,
        /// Whether the sign changes.
        negates: bool,
    },
    /// f(2^`log2_ratio` · x) = f(x) + `addend`.
    Offset {
        /// The binary logarithm of what the argument is multiplied by, > 0.
        log2_ratio: u32,
        /// What is added to the value.
        addend: u32,
    },
    /// f(2^`log2_ratio` · x) = 2^`log2_factor` · f(x), of a root or a power: f(x) =
    /// x^(`log2_factor`/`log2_ratio`) for x > 0.
    Power {
        /// The binary logarithm of what the argument is multiplied by, > 0.
        log2_ratio: u32,
        /// The binary logarithm of what the value is multiplied by, not 0.
        log2_factor: i32,
    },
    /// Next to 0, f is nearly a multiple of x: for 2^`anchor` ≤ |x| < 2^(`anchor` + 1) and each
    /// n < 0 with |2^n·x| ≥ 2^`from`, f(2^n·x) is 2^n times one of the values that the function
    /// encloses at x ([`Repeating`](crate::Repeating)).
    Near {
        /// The least exponent of the arguments that follow.
        from: i32,
        /// The exponent of those that they follow from: the next one after theirs.
        anchor: i32,
    },
    /// At large arguments f is nearly log2. Let 2^j ≥ `least`, 2^j ≤ k < 2^(j+1), and
    /// 2^k < x < 2^(k+1): then f(x) is k − 2^j more than one of the values that the function
    /// encloses at `2^(2^j − k)·x` ([`Repeating`](crate::Repeating)).
    NearOffset {
        /// The least exponent of arguments from which others follow, a power of two.
        least: i32,
    },
    /// At large arguments f is nearly exp2. Let `least` < y < `least` + 1, n ≥ 1: then f(y + n) is
    /// 2^n times one of the values that the function encloses at y
    /// ([`Repeating`](crate::Repeating)).
    NearScaling {
        /// The integer after which the arguments come from which others follow.
        least: i32,
    },
}

/// A function that has a [`Translation`], and that another one is next to at large arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nearly {
    /// `0 < f(x) − log2(x) ≤ 2/x` for all x ≥ 1.
    Log2,
    /// `0 ≤ 2^x − f(x) ≤ 1` for all x ≥ 0.
    Exp2,
}

/// f(`sum` − x) = f(x), or −f(x) if `negates`, for all real x where either side is defined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reflection {
    /// The sum of the two arguments.
    pub sum: u32,
    /// Whether the sign changes.
    pub negates: bool,
}

impl Parity {
    /// The parity of a product or a quotient.
    #[must_use]
    pub fn times(self, other: Self) -> Self {
        if self == other { Self::Even } else { Self::Odd }
    }

    fn is_odd(self) -> bool {
        self == Self::Odd
    }
}

impl Translation {
    /// The reflection that follows with the parity of the function: f(p − x) = ±f(−x) = ±f(x).
    pub fn reflection(self, parity: Parity) -> Option<Reflection> {
        match self {
            Self::Sign { period, negates } => {
                Some(Reflection { sum: period, negates: negates ^ parity.is_odd() })
            }
            _ => None,
        }
    }
}

impl Builtin {
    /// The parity of the function; `None` if it is neither even nor odd.
    pub fn parity(self) -> Option<Parity> {
        use Builtin::{
            Asin, AsinPi, Asinh, Atan, AtanPi, Atanh, Cbrt, Erf, Sin, SinPi, Sinh, Tan, TanPi, Tanh,
        };
        const ODD: [Builtin; 14] =
            [Cbrt, Sin, Tan, SinPi, TanPi, Asin, Atan, AsinPi, AtanPi, Sinh, Tanh, Asinh, Atanh, Erf];
        match self {
            Self::Cos | Self::CosPi | Self::Cosh => Some(Parity::Even),
            _ => ODD.contains(&self).then_some(Parity::Odd),
        }
    }

    /// The translation of the function; `None` if there is none that a binary format can use.
    pub fn translation(self) -> Option<Translation> {
        match self {
            Self::Exp2 => Some(Translation::Scaling { period: 1, log2_factor: 1 }),
            Self::SinPi | Self::CosPi => Some(Translation::Sign { period: 1, negates: true }),
            Self::TanPi => Some(Translation::Sign { period: 1, negates: false }),
            Self::Log2 => Some(Translation::Offset { log2_ratio: 1, addend: 1 }),
            Self::Sqrt => Some(Translation::Power { log2_ratio: 2, log2_factor: 1 }),
            Self::Rsqrt => Some(Translation::Power { log2_ratio: 2, log2_factor: -1 }),
            Self::Cbrt => Some(Translation::Power { log2_ratio: 3, log2_factor: 1 }),
            _ => None,
        }
    }

    /// What the function is next to at large arguments, if that has a translation:
    /// `log2(1 + x) − log2(x) = log2(1 + 1/x) < 1/(x·ln 2)`, and `2^x − (2^x − 1) = 1`.
    pub fn nearly(self) -> Option<Nearly> {
        match self {
            Self::Log2p1 => Some(Nearly::Log2),
            Self::Exp2m1 => Some(Nearly::Exp2),
            _ => None,
        }
    }
}

impl Expression {
    /// The parity that the form of the expression proves.
    ///
    /// By induction: where the subexpressions are even or odd, their domains are symmetric to 0,
    /// and so is that of the expression.
    pub(crate) fn structural_parity(&self) -> Option<Parity> {
        match self {
            Self::Const(_) | Self::Pi | Self::E => Some(Parity::Even),
            Self::X => Some(Parity::Odd),
            Self::Neg(a) => a.structural_parity(),
            Self::Add(a, b) | Self::Sub(a, b) => {
                a.structural_parity().filter(|parity| b.structural_parity() == Some(*parity))
            }
            Self::Mul(a, b) | Self::Div(a, b) => Some(a.structural_parity()?.times(b.structural_parity()?)),
            Self::Powi(a, n) => of_odd(a.structural_parity()?, Some(odd_if(n % 2 != 0))),
            // an even root of an odd function is defined on one side of 0 only
            Self::Rootn(a, n) => of_odd(a.structural_parity()?, (n % 2 != 0).then_some(Parity::Odd)),
            Self::Call(builtin, a) => of_odd(a.structural_parity()?, builtin.parity()),
            Self::Special(function, a) => of_odd(a.structural_parity()?, function.parity()),
            Self::Pair(function, a, b) => {
                let vanishes = || matches!(a.value(&0.into()), Value::Rational(q) if q.is_zero());
                function.parity(a.structural_parity(), b.structural_parity(), vanishes())
            }
        }
    }
}

/// The parity of f∘g: even if g is, whatever f is; else that of f.
fn of_odd(g: Parity, f: Option<Parity>) -> Option<Parity> {
    if g.is_odd() { f } else { Some(Parity::Even) }
}

fn odd_if(is_odd: bool) -> Parity {
    if is_odd { Parity::Odd } else { Parity::Even }
}
