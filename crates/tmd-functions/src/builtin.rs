//! The named functions: their texts, their enclosures, and their exact values.
//!
//! They are √ and the functions of one variable that IEEE 754-2019 recommends (clause 9.2, table
//! 9.1), with the cube root and the error functions of C. The integer powers and roots have a
//! second argument and are nodes of their own: [`Expression::Powi`](crate::Expression::Powi),
//! [`Expression::Rootn`](crate::Expression::Rootn).

use std::fmt;

use rug::Rational;

use crate::error::FunctionError;
use crate::exact::{self, Value, half_turns};
use crate::interval::Interval;
use crate::series::Series;
use crate::special_function::functions;

functions! {
    /// A named function of one variable.
    Builtin();
    /// eˣ, text `exp`.
    Exp, "exp", exp();
    /// 2ˣ, text `exp2`.
    Exp2, "exp2", exp2();
    /// 10ˣ, text `exp10`.
    Exp10, "exp10", exp10();
    /// eˣ − 1, text `expm1`.
    Expm1, "expm1", expm1();
    /// 2ˣ − 1, text `exp2m1`.
    Exp2m1, "exp2m1", exp2m1();
    /// 10ˣ − 1, text `exp10m1`.
    Exp10m1, "exp10m1", exp10m1();
    /// The natural logarithm, text `log` (`ln` is read as well).
    Ln, "log", ln(), ["ln", "loge"];
    /// The logarithm to base 2, text `log2`.
    Log2, "log2", log2();
    /// The logarithm to base 10, text `log10`.
    Log10, "log10", log10(), ["lg"];
    /// The natural logarithm of 1 + x, text `logp1` (`log1p` is read as well).
    Logp1, "logp1", logp1(), ["log1p"];
    /// The logarithm of 1 + x to base 2, text `log2p1`.
    Log2p1, "log2p1", log2p1();
    /// The logarithm of 1 + x to base 10, text `log10p1`.
    Log10p1, "log10p1", log10p1();
    /// Square root, text `sqrt`.
    Sqrt, "sqrt", sqrt();
    /// Cube root (of negative numbers too), text `cbrt`.
    Cbrt, "cbrt", cbrt();
    /// 1/√x, text `rsqrt` (IEEE 754's `rSqrt` is read as well).
    Rsqrt, "rsqrt", rsqrt(), ["rSqrt"];
    /// Sine, text `sin`.
    Sin, "sin", sin();
    /// Cosine, text `cos`.
    Cos, "cos", cos();
    /// Tangent, text `tan`.
    Tan, "tan", tan(), ["tg"];
    /// sin(π·x), text `sinpi` (IEEE 754's `sinPi` is read as well).
    SinPi, "sinpi", sinpi(), ["sinPi"];
    /// cos(π·x), text `cospi` (IEEE 754's `cosPi` is read as well).
    CosPi, "cospi", cospi(), ["cosPi"];
    /// tan(π·x), text `tanpi` (IEEE 754's `tanPi` is read as well).
    TanPi, "tanpi", tanpi(), ["tanPi"];
    /// Inverse sine, text `asin`.
    Asin, "asin", asin(), ["arcsin"];
    /// Inverse cosine, text `acos`.
    Acos, "acos", acos(), ["arccos"];
    /// Inverse tangent, text `atan`.
    Atan, "atan", atan(), ["arctan"];
    /// asin(x)/π, text `asinpi` (IEEE 754's `asinPi` is read as well).
    AsinPi, "asinpi", asinpi(), ["asinPi"];
    /// acos(x)/π, text `acospi` (IEEE 754's `acosPi` is read as well).
    AcosPi, "acospi", acospi(), ["acosPi"];
    /// atan(x)/π, text `atanpi` (IEEE 754's `atanPi` is read as well).
    AtanPi, "atanpi", atanpi(), ["atanPi"];
    /// Hyperbolic sine, text `sinh`.
    Sinh, "sinh", sinh();
    /// Hyperbolic cosine, text `cosh`.
    Cosh, "cosh", cosh();
    /// Hyperbolic tangent, text `tanh`.
    Tanh, "tanh", tanh();
    /// Inverse hyperbolic sine, text `asinh`.
    Asinh, "asinh", asinh(), ["arcsinh", "arsinh"];
    /// Inverse hyperbolic cosine, text `acosh`.
    Acosh, "acosh", acosh(), ["arccosh", "arcosh"];
    /// Inverse hyperbolic tangent, text `atanh`.
    Atanh, "atanh", atanh(), ["arctanh", "artanh"];
    /// The error function, text `erf`.
    Erf, "erf", erf();
    /// The complementary error function, 1 − erf, text `erfc`.
    Erfc, "erfc", erfc();
}

impl Builtin {
    /// What theory says about f(q); the theorems are listed in the source of the module `exact`.
    pub(crate) fn value(self, q: &Rational) -> Value {
        use Builtin::{Asin, Asinh, Atan, Atanh, Expm1, Logp1, Sin, Sinh, Tan, Tanh};
        let integer = |n: i64| Value::Rational(Rational::from(n));
        // transcendental but for one argument
        let only =
            |argument: i32, value: i64| if *q == argument { integer(value) } else { Value::Transcendental };
        let power_or_transcendental = |n: Option<i64>| n.map_or(Value::Transcendental, integer);
        let is_outside = match self {
            Self::Ln | Self::Log2 | Self::Log10 | Self::Rsqrt => *q <= 0,
            Self::Logp1 | Self::Log2p1 | Self::Log10p1 => *q <= -1,
            Self::Sqrt => *q < 0,
            Self::Asin | Self::Acos | Self::AsinPi | Self::AcosPi => *q < -1 || *q > 1,
            Self::Atanh => *q <= -1 || *q >= 1,
            Self::Acosh => *q < 1,
            _ => false,
        };
        if is_outside {
            return Value::Unknown;
        }
        match self {
            Self::Exp | Self::Cos | Self::Cosh => only(0, 1),
            Expm1 | Logp1 | Sin | Tan | Asin | Atan | Sinh | Tanh | Asinh | Atanh => only(0, 0),
            Self::Ln | Self::Acos | Self::Acosh => only(1, 0),
            Self::Exp2 => exact::power_of_base(2, q),
            Self::Exp10 => exact::power_of_base(10, q),
            Self::Exp2m1 => exact::power_of_base(2, q).add(integer(-1)),
            Self::Exp10m1 => exact::power_of_base(10, q).add(integer(-1)),
            Self::Log2 => power_or_transcendental(exact::power_of_two(q)),
            Self::Log10 => power_or_transcendental(exact::power_of_ten(q)),
            Self::Log2p1 => power_or_transcendental(exact::power_of_two(&Rational::from(q + 1))),
            Self::Log10p1 => power_or_transcendental(exact::power_of_ten(&Rational::from(q + 1))),
            Self::Sqrt => exact::rootn(q, 2),
            Self::Cbrt => exact::rootn(q, 3),
            Self::Rsqrt => exact::rootn(q, -2),
            Self::SinPi => half_turns::sine(q),
            Self::CosPi => half_turns::cosine(q),
            Self::TanPi => half_turns::tangent(q),
            Self::AsinPi => half_turns::arcsine(q),
            Self::AcosPi => half_turns::arccosine(q),
            Self::AtanPi => half_turns::arctangent(q),
            // nothing is known but the values at 0: see `exact`
            Self::Erf if q.is_zero() => integer(0),
            Self::Erfc if q.is_zero() => integer(1),
            Self::Erf | Self::Erfc => Value::Unknown,
        }
    }
}
