//! The named functions: their texts, their enclosures, and their exact values.

use std::fmt;

use rug::Rational;

use crate::error::FunctionError;
use crate::exact::{self, Value};
use crate::interval::Interval;
use crate::series::Series;

/// A named function of one variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Builtin {
    /// eˣ, text `exp`.
    Exp,
    /// 2ˣ, text `exp2`.
    Exp2,
    /// 10ˣ, text `exp10`.
    Exp10,
    /// The natural logarithm, text `log` (`ln` is read as well).
    Ln,
    /// The logarithm to base 2, text `log2`.
    Log2,
    /// The logarithm to base 10, text `log10`.
    Log10,
    /// Sine, text `sin`.
    Sin,
    /// Cosine, text `cos`.
    Cos,
    /// Tangent, text `tan`.
    Tan,
    /// Square root, text `sqrt`.
    Sqrt,
    /// Cube root (of negative numbers too), text `cbrt`.
    Cbrt,
}

impl Builtin {
    /// All of them.
    pub const ALL: [Self; 11] = [
        Self::Exp,
        Self::Exp2,
        Self::Exp10,
        Self::Ln,
        Self::Log2,
        Self::Log10,
        Self::Sin,
        Self::Cos,
        Self::Tan,
        Self::Sqrt,
        Self::Cbrt,
    ];

    /// The name in the language of [`parse`](crate::parse()).
    pub const fn name(self) -> &'static str {
        match self {
            Self::Exp => "exp",
            Self::Exp2 => "exp2",
            Self::Exp10 => "exp10",
            Self::Ln => "log",
            Self::Log2 => "log2",
            Self::Log10 => "log10",
            Self::Sin => "sin",
            Self::Cos => "cos",
            Self::Tan => "tan",
            Self::Sqrt => "sqrt",
            Self::Cbrt => "cbrt",
        }
    }

    /// The function with this name; `ln` is [`Builtin::Ln`] too.
    pub fn from_name(name: &str) -> Option<Self> {
        if name == "ln" {
            return Some(Self::Ln);
        }
        Self::ALL.into_iter().find(|builtin| builtin.name() == name)
    }

    /// An enclosure of the range over an interval.
    pub fn interval(self, g: &Interval) -> Result<Interval, FunctionError> {
        match self {
            Self::Exp => g.exp(),
            Self::Exp2 => g.exp2(),
            Self::Exp10 => g.exp10(),
            Self::Ln => g.ln(),
            Self::Log2 => g.log2(),
            Self::Log10 => g.log10(),
            Self::Sin => g.sin(),
            Self::Cos => g.cos(),
            Self::Tan => g.tan(),
            Self::Sqrt => g.sqrt(),
            Self::Cbrt => g.cbrt(),
        }
    }

    /// The function of a series.
    pub fn series(self, g: &Series) -> Result<Series, FunctionError> {
        match self {
            Self::Exp => g.exp(),
            Self::Exp2 => g.exp2(),
            Self::Exp10 => g.exp10(),
            Self::Ln => g.ln(),
            Self::Log2 => g.log2(),
            Self::Log10 => g.log10(),
            Self::Sin => g.sin(),
            Self::Cos => g.cos(),
            Self::Tan => g.tan(),
            Self::Sqrt => g.sqrt(),
            Self::Cbrt => g.cbrt(),
        }
    }

    /// What theory says about f(q); the theorems are listed in the source of the module `exact`.
    pub(crate) fn value(self, q: &Rational) -> Value {
        let (at_zero, at_one) = (*q == 0, *q == 1);
        let integer = |n: i64| Value::Rational(Rational::from(n));
        match self {
            Self::Exp | Self::Cos if at_zero => integer(1),
            Self::Sin | Self::Tan if at_zero => integer(0),
            Self::Exp2 => exact::power_of_base(2, q),
            Self::Exp10 => exact::power_of_base(10, q),
            Self::Ln | Self::Log2 | Self::Log10 if *q <= 0 => Value::Unknown,
            Self::Ln if at_one => integer(0),
            Self::Exp | Self::Sin | Self::Cos | Self::Tan | Self::Ln => Value::Transcendental,
            Self::Log2 => exact::power_of_two(q).map_or(Value::Transcendental, integer),
            Self::Log10 => exact::power_of_ten(q).map_or(Value::Transcendental, integer),
            Self::Sqrt if *q < 0 => Value::Unknown,
            Self::Sqrt => exact::sqrt(q).map_or(Value::Irrational, Value::Rational),
            Self::Cbrt => exact::cbrt(q).map_or(Value::Irrational, Value::Rational),
        }
    }
}

impl fmt::Display for Builtin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
