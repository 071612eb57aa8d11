//! The functions by MPFR's own operations to 700 bits: nothing of the project takes part.

use rug::{Float, float::Constant, ops::Pow};
use tmd_core::Number;

const PRECISION: u32 = 700;

/// f(x); no finite number where there is no value. `None` for a function that the oracle does not
/// know.
pub(crate) fn value(text: &str, x: Number) -> Option<Float> {
    of_float(text, Float::with_val(PRECISION, x.significand()) << x.exponent())
}

pub(crate) fn of_float(text: &str, x: Float) -> Option<Float> {
    let x = Float::with_val(PRECISION, x);
    let pi = || Float::with_val(PRECISION, Constant::Pi);
    // zeros and poles of functions of π·x are next to nothing, and next to infinity
    let by_pi = |y: Float| match y.get_exp() {
        Some(exponent) if exponent < -500 => Float::with_val(PRECISION, 0),
        Some(exponent) if exponent > 500 => Float::with_val(PRECISION, rug::float::Special::Nan),
        _ => y,
    };
    if let Some(degree) = text.strip_prefix("rootn(x,").and_then(|rest| rest.strip_suffix(')')) {
        let degree: i32 = degree.parse().ok()?;
        let magnitude = x.clone().abs().root(degree.unsigned_abs());
        let root = match (x.is_sign_negative() && !x.is_zero(), degree % 2 == 0) {
            (true, true) => return Some(Float::with_val(PRECISION, rug::float::Special::Nan)),
            (true, false) => -magnitude,
            _ => magnitude,
        };
        return Some(if degree < 0 { root.recip() } else { root });
    }
    if let Some(exponent) = text.strip_prefix("x^") {
        let exponent: i32 = exponent.parse().ok()?;
        return Some(x.pow(exponent));
    }
    Some(match text {
        "1/x" => x.recip(),
        "exp" => x.exp(),
        "exp2" => x.exp2(),
        "exp10" => x.exp10(),
        "expm1" => x.exp_m1(),
        "exp2m1" => x.exp2() - 1u32,
        "exp10m1" => x.exp10() - 1u32,
        "log" => x.ln(),
        "log2" => x.log2(),
        "log10" => x.log10(),
        "logp1" => (x + 1u32).ln(),
        "log2p1" => (x + 1u32).log2(),
        "log10p1" => (x + 1u32).log10(),
        "sqrt" => x.sqrt(),
        "cbrt" => x.cbrt(),
        "rsqrt" => x.sqrt().recip(),
        "sin" => x.sin(),
        "cos" => x.cos(),
        "tan" => x.tan(),
        "asin" => x.asin(),
        "acos" => x.acos(),
        "atan" => x.atan(),
        "sinpi" => by_pi((x * pi()).sin()),
        "cospi" => by_pi((x * pi()).cos()),
        "tanpi" => by_pi((x * pi()).tan()),
        "asinpi" => x.asin() / pi(),
        "acospi" => x.acos() / pi(),
        "atanpi" => x.atan() / pi(),
        "sinh" => x.sinh(),
        "cosh" => x.cosh(),
        "tanh" => x.tanh(),
        "asinh" => x.asinh(),
        "acosh" => x.acosh(),
        "atanh" => x.atanh(),
        "erf" => x.erf(),
        "erfc" => x.erfc(),
        _ => return None,
    })
}
