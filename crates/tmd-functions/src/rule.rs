//! The rules of exact values, in words: at which arguments of a binary format a function has a
//! rational value.
//!
//! The theorems are those of the module `exact`. An argument of a binary format is a dyadic
//! fraction x = m·2^k, so of Niven's multiples of 1/6 only those of 1/2 remain, and of the powers
//! of ten those with an exponent ≥ 0.

use crate::builtin::Builtin;
use crate::expression::Expression;

#[cfg(test)]
mod tests;

impl Builtin {
    /// One sentence: at which arguments x = m·2^k the value is rational.
    pub fn exact_rule(self) -> String {
        use Builtin::{Asin, Asinh, Atan, Atanh, Expm1, Logp1, Sin, Sinh, Tan, Tanh};
        let name = self.name();
        match self {
            Self::Exp | Self::Cos | Self::Cosh => {
                format!("{name}(x) is rational only at x = 0, where it is 1 (Hermite–Lindemann)")
            }
            Expm1 | Logp1 | Sin | Tan | Asin | Atan | Sinh | Tanh | Asinh | Atanh => format!("{name}(x) is rational only at x = 0, where it is 0 (Hermite–Lindemann)"),
            Self::Ln | Self::Acos | Self::Acosh => {
                format!("{name}(x) is rational only at x = 1, where it is 0 (Hermite–Lindemann)")
            }
            Self::Exp2 | Self::Exp10 | Self::Exp2m1 | Self::Exp10m1 => {
                format!("{name}(x) is rational exactly at the integers x (unique factorization)")
            }
            Self::Log2 => {
                "log2(x) is rational exactly at the powers of two x = 2^k, where it is k (unique factorization)".into()
            }
            Self::Log2p1 => "log2p1(x) is rational exactly where 1 + x is a power of two 2^k, where it is k \
                             (unique factorization)"
                .into(),
            Self::Log10 => "log10(x) is rational exactly at the powers of ten x = 10^k, where it is k; of a binary \
                            format these have k ≥ 0 (unique factorization)"
                .into(),
            Self::Log10p1 => "log10p1(x) is rational exactly where 1 + x is a power of ten 10^k, where it is k; of a \
                              binary format these have k ≥ 0 (unique factorization)"
                .into(),
            Self::Sqrt => root_rule(name, 2),
            Self::Cbrt => root_rule(name, 3),
            Self::Rsqrt => root_rule(name, -2),
            Self::SinPi | Self::CosPi => {
                format!("{name}(x) is rational exactly at the multiples of 1/2, where it is 0 or ±1 (Niven)")
            }
            Self::TanPi => "tanpi(x) is rational exactly at the multiples of 1/4 that are no odd multiples of 1/2 (poles), \
                            where it is 0 or ±1 (Niven)"
                .into(),
            Self::AsinPi | Self::AcosPi => {
                format!("{name}(x) is rational only at x = 0, ±1/2 and ±1 (Niven, Gelfond–Schneider)")
            }
            Self::AtanPi => "atanpi(x) is rational only at x = 0 and ±1 (Niven, Gelfond–Schneider)".into(),
            Self::Erf => "erf(x) is 0 at x = 0; whether it is irrational at every other x is not known".into(),
            Self::Erfc => "erfc(x) is 1 at x = 0; whether it is irrational at every other x is not known".into(),
        }
    }
}

impl Expression {
    /// The rule of a named function, a power, a root or the reciprocal of x itself; `None` for
    /// other expressions.
    pub(crate) fn rule_of_x(&self) -> Option<String> {
        let of_power = |call: String, n: i32| match n {
            0 => format!("{call} is 1 at every x"),
            1.. => format!("{call} is rational at every x, and a binary number"),
            _ => format!("{call} is rational at every x but 0, and a binary number exactly at x = ±2^k"),
        };
        match self {
            Self::Call(builtin, a) if **a == Self::X => Some(builtin.exact_rule()),
            Self::Special(function, a) if **a == Self::X => Some(function.exact_rule()),
            Self::Div(one, a) if **a == Self::X && **one == Self::Const(1.into()) => {
                Some(of_power("1/x".into(), -1))
            }
            Self::Powi(a, n) if **a == Self::X => Some(of_power(format!("x^{n}"), *n)),
            Self::Rootn(a, n) if **a == Self::X && *n != 0 => Some(root_rule("rootn", *n)),
            _ => None,
        }
    }
}

/// The rule of x^(1/n), n ≠ 0.
fn root_rule(name: &str, n: i32) -> String {
    let degree = n.unsigned_abs();
    let call = if name == "rootn" { format!("rootn(x,{n})") } else { format!("{name}(x)") };
    let sign = if n % 2 == 0 { "m ≥ 0" } else { "m of either sign" };
    let binary =
        if n < 0 { ", and a binary number exactly where m is a power of two, up to its sign" } else { "" };
    let zero = if n < 0 { " other than 0" } else { "" };
    format!(
        "{call} is rational exactly at the x = (m·2^k)^{degree}{zero} with integers m and k, {sign}{binary} (unique \
         factorization)"
    )
}
