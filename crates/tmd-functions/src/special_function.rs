//! The named functions beyond those that IEEE 754 recommends: [`SpecialFunction`] of one argument,
//! [`PairFunction`] of two.
//!
//! | text | function |
//! |---|---|
//! | `abs` | absolute value |
//! | `erfcx` | e^(x²)·erfc(x) |
//! | `gamma`, `lgamma`, `digamma` | Γ; ln of its absolute value; Γ′/Γ |
//! | `lambertw`, `lambertwm1` | Lambert's W, the inverses of x·eˣ on the principal and on the lower branch |
//! | `j0`, `j1`, `y0`, `y1` | Bessel functions of the first and second kind |
//! | `min(a,b)`, `max(a,b)` | the smaller and the larger one |
//! | `hypot(a,b)` | √(a² + b²) |
//! | `copysign(a,b)` | the magnitude of a with the sign of b |
//!
//! How they are enclosed is told in the modules of the same names of [`interval`](crate::interval)
//! and [`series`](crate::series).

mod absent;
mod data;
mod theory;

#[cfg(test)]
mod tests;

use std::fmt;

use rug::Float;

use crate::error::FunctionError;
use crate::exact::Value;
use crate::interval::Interval;
use crate::range::{Bound, Range};
use crate::series::Series;
use crate::symmetry::Parity;

pub(crate) use absent::why_absent;

/// The functions: variant, text, the method of that name of [`Interval`] and of [`Series`], and
/// other names that are read: C's, those of IEEE 754-2019, and those of textbooks.
macro_rules! functions {
    (
        $(#[$all:meta])* $name:ident($($argument:ident)?);
        $($(#[$doc:meta])* $variant:ident, $text:literal, $method:ident($($second:ident)?)
            $(, [$($alias:literal),+])?;)*
    ) => {
        $(#[$all])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name {
            $($(#[$doc])* $variant,)*
        }

        impl $name {
            /// All of them.
            pub const ALL: [Self; [$($text),*].len()] = [$(Self::$variant),*];

            /// The name in the language of [`parse`](crate::parse()).
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $text,)*
                }
            }

            /// The function with this name, or with one of the other names it is known by.
            pub fn from_name(name: &str) -> Option<Self> {
                match name {
                    $($text $($(| $alias)+)? => Some(Self::$variant),)*
                    _ => None,
                }
            }

            /// An enclosure of the range over intervals.
            ///
            /// # Errors
            /// Those of the method of [`Interval`].
            pub fn interval(self, g: &Interval, $($argument: &Interval)?) -> Result<Interval, FunctionError> {
                match self {
                    $(Self::$variant => g.$method($($second)?),)*
                }
            }

            /// The function of series.
            ///
            /// # Errors
            /// Those of the method of [`Series`].
            pub fn series(self, g: &Series, $($argument: &Series)?) -> Result<Series, FunctionError> {
                match self {
                    $(Self::$variant => g.$method($($second)?),)*
                }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.name())
            }
        }
    };
}

pub(crate) use functions;

functions! {
    /// A named function of one argument.
    SpecialFunction();
    /// Absolute value, text `abs` (`fabs` is read as well).
    Abs, "abs", abs(), ["fabs"];
    /// e^(x²)·erfc(x), text `erfcx`.
    Erfcx, "erfcx", erfcx();
    /// The gamma function Γ, text `gamma` (C's `tgamma` is read as well).
    Gamma, "gamma", gamma(), ["tgamma"];
    /// ln |Γ(x)|, text `lgamma`.
    Lgamma, "lgamma", lgamma();
    /// Γ′/Γ, text `digamma` (`psi` is read as well).
    Digamma, "digamma", digamma(), ["psi"];
    /// The principal branch W₀ of Lambert's W, text `lambertw` (`lambertw0` is read as well).
    LambertW, "lambertw", lambertw(), ["lambertw0"];
    /// The lower branch W₋₁ of Lambert's W, text `lambertwm1`.
    LambertWm1, "lambertwm1", lambertwm1();
    /// The Bessel function J₀, text `j0`.
    J0, "j0", j0();
    /// The Bessel function J₁, text `j1`.
    J1, "j1", j1();
    /// The Bessel function Y₀, text `y0`.
    Y0, "y0", y0();
    /// The Bessel function Y₁, text `y1`.
    Y1, "y1", y1();
}

functions! {
    /// A named function of two arguments.
    PairFunction(h);
    /// The smaller one, text `min` (IEEE 754's `minimum`).
    Min, "min", min(h), ["minimum", "fmin"];
    /// The larger one, text `max` (IEEE 754's `maximum`).
    Max, "max", max(h), ["maximum", "fmax"];
    /// √(a² + b²), text `hypot`.
    Hypot, "hypot", hypot(h);
    /// The magnitude of a with the sign of b, text `copysign`.
    Copysign, "copysign", copysign(h);
}

/// Arguments beyond these need not be looked at where Γ and erfcx overflow: Γ(2^16) and
/// erfcx(−2^10) exceed all numbers of any format, and are numbers of MPFR.
const FAR: [(SpecialFunction, f64); 2] =
    [(SpecialFunction::Gamma, 65536.0), (SpecialFunction::Erfcx, -16384.0)];

impl SpecialFunction {
    /// The parity of the function; `None` if it is neither even nor odd.
    pub fn parity(self) -> Option<Parity> {
        match self {
            Self::Abs | Self::J0 => Some(Parity::Even),
            Self::J1 => Some(Parity::Odd),
            _ => None,
        }
    }

    /// What is proved of f(y), for all y that satisfy the bounds of `g`; new numbers have
    /// `precision` bits.
    ///
    /// # Errors
    /// Those of [`SpecialFunction::interval`]; [`Overflow`](FunctionError::Overflow) if `g` is
    /// unbounded (but for `abs`).
    pub fn range(self, g: &Range, precision: u32) -> Result<Range, FunctionError> {
        if self == Self::Abs {
            return Ok(g.clone().abs(precision));
        }
        let x = g.closure().ok_or_else(|| crate::interval::overflow(self.name(), g.to_string()))?;
        let values = match self.interval(&x) {
            Err(FunctionError::Overflow { .. }) if self.is_far(&x) => return self.beyond(&x, precision),
            values => values?,
        };
        // Γ and erfcx have no zero: one that rounding made is never taken
        let has_zero = !matches!(self, Self::Gamma | Self::Erfcx);
        let bound = |end: Float| {
            if end.is_zero() && !has_zero { Bound::Open(end) } else { Bound::Closed(end) }
        };
        let (lo, hi) = values.into_endpoints();
        Ok(Range { below: bound(lo), above: bound(hi) })
    }

    /// Whether the function grows beyond bounds over x, away from 0.
    fn is_far(self, x: &Interval) -> bool {
        match self {
            Self::Gamma => *x.lo() >= 2,
            Self::Erfcx => *x.hi() <= 0,
            _ => false,
        }
    }

    /// The range where it overflows: from the value at the end next to 0, or at [`FAR`] if that is
    /// nearer.
    fn beyond(self, x: &Interval, precision: u32) -> Result<Range, FunctionError> {
        let far = FAR.into_iter().find(|(function, _)| *function == self).map_or(0.0, |(_, far)| far);
        let far = Float::with_val(precision.max(53), far);
        let nearest = if self == Self::Gamma { x.lo().clone().min(&far) } else { x.hi().clone().max(&far) };
        let (least, _) = self.interval(&Interval::point(nearest)?)?.into_endpoints();
        Ok(Range { below: Bound::Closed(least), above: Bound::Unbounded })
    }
}

impl PairFunction {
    /// What is proved of the function of all pairs that satisfy the bounds of `f` and `g`.
    ///
    /// # Errors
    /// [`Overflow`](FunctionError::Overflow) where a bound that is needed is missing.
    pub fn range(self, f: &Range, g: &Range, precision: u32) -> Result<Range, FunctionError> {
        match self {
            Self::Min => Ok(f.min(g)),
            Self::Max => Ok(f.clone().neg().min(&g.clone().neg()).neg()),
            Self::Hypot => {
                let square = |range: &Range| range.powi(2, precision);
                match square(f).zip(square(g)) {
                    Some((a, b)) => crate::Builtin::Sqrt.range(&a.add(&b), precision),
                    None => Err(crate::interval::overflow("hypot", f.to_string())), // an even power is always bounded
                }
            }
            Self::Copysign => {
                let magnitude = f.clone().abs(precision);
                let is_positive = g.below.value().is_some_and(|b| *b >= 0);
                let is_negative = g.above.value().is_some_and(|b| *b < 0 || b.is_zero() && g.above.is_open());
                Ok(match (is_positive, is_negative) {
                    (true, _) => magnitude,
                    (_, true) => magnitude.neg(),
                    _ => Range { below: magnitude.clone().neg().below, above: magnitude.above },
                })
            }
        }
    }

    /// The parity of the function of a and b with these parities; `vanishes` if a is known to be 0
    /// at 0.
    pub(crate) fn parity(self, a: Option<Parity>, b: Option<Parity>, vanishes: bool) -> Option<Parity> {
        match (self, a?, b?) {
            // at 0, where the sign of b is that of 0, the magnitude must be 0
            (Self::Copysign, _, Parity::Odd) => vanishes.then_some(Parity::Odd),
            (Self::Hypot, _, _)
            | (Self::Copysign, _, Parity::Even)
            | (Self::Min | Self::Max, Parity::Even, Parity::Even) => Some(Parity::Even),
            _ => None,
        }
    }
}

/// What theory says where both values are known not to be rational, or one of them is.
impl PairFunction {
    /// The value of the function of two numbers of which theory says `a` and `b`; `order` compares
    /// the numbers where that is known.
    pub(crate) fn value(self, a: Value, b: Value, order: Option<std::cmp::Ordering>) -> Value {
        theory::pair(self, a, b, order)
    }
}
