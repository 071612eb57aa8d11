//! Values of functions that people have, by formulas in which nothing cancels, written by hand with
//! MPFR alone.
//!
//! Each value is a number that is exact and a remainder with 400 bits: together they tell on which
//! side of a breakpoint a result is that agrees with it to thousands of bits.

use rug::{Float, Rational, float::Round, ops::Pow};
use tmd_core::Format;

const BITS: u32 = 400;

/// Remainders smaller than this are as good as this one.
const FAR: f64 = 1e6;

/// An expression and its value at a finite number other than 0: the exact part and the remainder;
/// `None` where there is none.
pub(crate) struct Known {
    pub(crate) text: &'static str,
    pub(crate) value: fn(&Float) -> Option<(Float, Float)>,
}

fn f(x: impl Into<f64>) -> Float {
    Float::with_val(BITS, x.into())
}

/// e^u, which is as good as 0 or infinity where it is so.
fn e(u: Float) -> Float {
    u.clamp(&-FAR, &FAR).exp()
}

/// 1 + x², exactly
fn one_and_square(x: &Float) -> Float {
    x.clone().square() + 1
}

fn ratio(a: i64, b: i64) -> Float {
    Float::with_val(BITS, Rational::from((a, b)))
}

/// x/2·(1 + tanh(v/2)) = x/(1 + e^−v)
fn gated(x: &Float, v: Float) -> (Float, Float) {
    if v > 0 {
        let small = e(-v);
        (x.clone(), -(x * small.clone()) / (1 + small))
    } else {
        let small = e(v);
        (f(0), x * small.clone() / (1 + small))
    }
}

pub(crate) const KNOWN: [Known; 15] = [
    Known { text: "sinh(x)/x", value: |x| Some((f(0), x.clone().clamp(&-FAR, &FAR).sinh() / x)) },
    Known { text: "exp(x)/x", value: |x| Some((f(0), e(x.clone()) / x)) },
    Known { text: "x/(1+exp(-x))", value: |x| Some(gated(x, x.clone())) },
    Known {
        text: "x/2*(1+erf(x/sqrt(2)))",
        value: |x| {
            let u = (x.clone().abs() / f(2).sqrt()).min(&f(1000));
            let rest: Float = x.clone() / 2 * u.erfc();
            Some(if *x > 0 { (x.clone(), -rest) } else { (f(0), rest) })
        },
    },
    Known { text: "log(1+exp(x))", value: |x| Some((x.clone().max(&f(0)), e(-x.clone().abs()).ln_1p())) },
    Known {
        text: "x/2*(1+tanh(sqrt(2/pi)*(x+0.044715*x^3)))",
        value: |x| {
            let pi = Float::with_val(BITS, rug::float::Constant::Pi);
            let cube = Float::with_val(BITS, x.pow(3)) * ratio(44715, 1_000_000);
            let root: Float = (f(2) / pi).sqrt();
            let sum: Float = x + cube;
            Some(gated(x, root * 2 * sum))
        },
    },
    Known { text: "-log(1+exp(-x))", value: |x| Some((x.clone().min(&f(0)), -e(-x.clone().abs()).ln_1p())) },
    Known {
        text: "x*tanh(log(1+exp(x)))",
        value: |x| {
            // with s = 1 + e^x: tanh log s = (s² − 1)/(s² + 1)
            let big = e(x.clone());
            if *x > 1 {
                let sum: Float = big + 1;
                let square = sum.square();
                Some((x.clone(), -2 * x.clone() / (square + 1)))
            } else {
                let w: Float = big.clone().square() + 2 * big;
                Some((f(0), x * w.clone() / (w + 2)))
            }
        },
    },
    Known {
        text: "(exp(x)-1)/x",
        value: |x| {
            let is_power = x.to_integer().is_some_and(|n| *x == n && (-n).is_power_of_two());
            if is_power && *x < -1 {
                Some((f(-1) / x, e(x.clone()) / x))
            } else {
                Some((f(0), x.clone().clamp(&-FAR, &FAR).exp_m1() / x))
            }
        },
    },
    Known { text: "x*log(x)", value: |x| if *x > 0 { Some((f(0), x * x.clone().ln())) } else { None } },
    Known { text: "sqrt(1+x^2)", value: |x| Some((f(0), one_and_square(x).sqrt())) },
    Known { text: "x/sqrt(1+x^2)", value: |x| Some((f(0), x / one_and_square(x).sqrt())) },
    Known { text: "exp(-x^2/2)", value: |x| Some((f(0), e(x.clone().square() / -2))) },
    Known {
        text: "1/(1+exp(-x))",
        value: |x| {
            let small = e(-x.clone().abs());
            let rest: Float = small.clone() / (1 + small);
            Some(if *x > 0 { (f(1), -rest) } else { (f(0), rest) })
        },
    },
    Known {
        text: "log(cosh(x))",
        value: |x| {
            let x = x.clone().abs();
            if x < 1 {
                let half: Float = x / 2;
                let square = half.sinh().square() * 2u32;
                let square = Float::with_val(BITS, square);
                return Some((f(0), square.ln_1p()));
            }
            let log_2 = Float::with_val(BITS, rug::float::Constant::Log2);
            Some((f(0), x.clone() + (e(x * -2).ln_1p() - log_2)))
        },
    },
];

impl Known {
    /// A number with which the value shares all roundings: itself a breakpoint only if the value
    /// is.
    pub(crate) fn representative(&self, x: &Float) -> Option<Float> {
        let (exact, rest) = (self.value)(&Float::with_val(BITS, x))?;
        let [down, up] =
            [Round::Down, Round::Up].map(|round| Float::with_val_round(BITS, &exact + &rest, round).0);
        Some(Float::with_val(BITS + 2, &down + &up) / 2)
    }

    /// Twice the value in ulps, and whether it is negative: an integer part, and what it is more.
    pub(crate) fn half_ulps(&self, x: &Float, format: Format) -> Option<(Float, bool)> {
        let y = self.representative(x)?;
        let exponent = y.get_exp().map_or(format.min_exponent(), |e| (e - 1).max(format.min_exponent()));
        let magnitude = Float::with_val(y.prec(), y.abs_ref()) >> (format.ulp_exponent(exponent) - 1);
        Some((magnitude, y < 0))
    }
}
