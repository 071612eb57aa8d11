//! [`Circular`]: sin, cos and tan of many equally spaced arguments, in `f64` with a proved error.
//!
//! Of large arguments of a narrow format each is alone: between one and the next the angle turns by
//! any amount, so that no polynomial serves two. But angles add. Let the arguments be
//! `(m + k)·2^e`, `0 ≤ k < n`, and `k = i·B + j` with `0 ≤ j < B`. The sines and cosines of
//! `(m + i·B)·2^e` and of `j·2^e` are two tables of about √n entries each, made with MPFR, and
//!
//! ```text
//! sin(α + β) = sin α · cos β + cos α · sin β        cos(α + β) = cos α · cos β − sin α · sin β
//! ```
//!
//! # Error
//!
//! Let u = 2^-53. Entries are at most 1 and rounded to nearest, so wrong by at most u/2. With
//! entries S, C of α and s, c of β the exact value of `S·c + C·s` is wrong by at most
//! `(|S| + |C| + |s| + |c|)·u/2 + 2·(u/2)² ≤ (2√2 + 4·u)·u/2 + u²/2`, which is less than `1.42·u`.
//! The product `C·s` is rounded (u/2), and so is the fused sum (u, as it may exceed 1 a little):
//! altogether less than `3·u` = `ERROR`.
//!
//! Lemma M.14 of docs/proofs/domain.md, machine-checked in `proofs/Regions.v`.

use rug::{Float, Integer, float::Round};

/// Bound of the absolute error of a sine or cosine of a table: 3·2^-53.
const ERROR: f64 = 3.0 / (1u64 << 53) as f64;

/// Sines and cosines below this are not told from 0 well enough to be of use.
const LEAST: f64 = 1.0 / 1024.0;

/// A function of the angle x.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Circular {
    /// sin x
    Sin,
    /// cos x
    Cos,
    /// tan x
    Tan,
}

/// A value that is wrong by at most `error`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Approximation {
    /// About f(x).
    pub value: f64,
    /// Bound of the absolute error.
    pub error: f64,
}

/// The values over one range of arguments.
#[derive(Clone, Debug)]
pub struct Table {
    function: Circular,
    /// sin and cos of `(m + i·B)·2^e`
    coarse: Vec<[f64; 2]>,
    /// sin and cos of `j·2^e`, `j < B`
    fine: Vec<[f64; 2]>,
}

impl Table {
    /// The values at `(first + k)·2^exponent` for `k < count`.
    pub fn new(function: Circular, first: i128, exponent: i32, count: u64) -> Self {
        let step = 1u64 << (count.max(1).ilog2() / 2);
        let entry = |significand: Integer| {
            // exact; an i128 has 127 bits
            let angle = Float::with_val(128, significand) << exponent;
            let (sin, cos) = angle.sin_cos(Float::new(128));
            [sin, cos].map(|value| value.to_f64_round(Round::Nearest))
        };
        let coarse = (0..count.div_ceil(step)).map(|i| entry(Integer::from(first) + i * step));
        Self {
            function,
            coarse: coarse.collect(),
            fine: (0..step).map(|j| entry(Integer::from(j))).collect(),
        }
    }

    /// The value at argument number k; `None` where nothing useful is known.
    pub fn at(&self, k: u64) -> Option<Approximation> {
        let step = self.fine.len() as u64;
        let [coarse_sin, coarse_cos] = *self.coarse.get((k / step) as usize)?;
        let [fine_sin, fine_cos] = self.fine[(k % step) as usize];
        let sin = coarse_sin.mul_add(fine_cos, coarse_cos * fine_sin);
        let cos = coarse_cos.mul_add(fine_cos, -(coarse_sin * fine_sin));
        let is_clear = |value: f64| value.abs() >= LEAST;
        match self.function {
            Circular::Sin => is_clear(sin).then_some(Approximation { value: sin, error: ERROR }),
            Circular::Cos => is_clear(cos).then_some(Approximation { value: cos, error: ERROR }),
            Circular::Tan if is_clear(sin) && is_clear(cos) => {
                // |s'/c' − s/c| ≤ (|δs| + |s/c|·|δc|)/|c'|, where |s/c| ≤ 1.01·|s'/c'| + 2^-40; rounding is a relative u/2; and a
                // relative 2% is more than the roundings of this bound
                let value = sin / cos;
                let error = 1.02 * (ERROR * (1.01 + 1.02 * value.abs()) / cos.abs() + ERROR * value.abs());
                Some(Approximation { value, error })
            }
            Circular::Tan => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// f(x) to so many bits that no test can tell.
    fn exact(function: Circular, x: &Float) -> Float {
        let x = Float::with_val(300, x);
        match function {
            Circular::Sin => x.sin(),
            Circular::Cos => x.cos(),
            Circular::Tan => x.tan(),
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]
        /// Values are as near as they are said to be.
        #[test]
        fn errors(first in (1i128 << 10)..(1 << 24), exponent in -4i32..105, count in 1u64..5000, k in any::<u64>(), negative: bool) {
            let first = if negative { -first } else { first };
            let k = k % count;
            for function in [Circular::Sin, Circular::Cos, Circular::Tan] {
                let table = Table::new(function, first, exponent, count);
                let x = Float::with_val(200, first + i128::from(k)) << exponent;
                let expected = exact(function, &x);
                if let Some(Approximation { value, error }) = table.at(k) {
                    let difference = (Float::with_val(300, value) - &expected).abs();
                    prop_assert!(difference <= error, "{function:?}({x}): {value} is wrong by {difference}");
                } else {
                    let is_large = |function| exact(function, &x).abs() > 1.01 * LEAST;
                    let is_clear = match function {
                        Circular::Tan => is_large(Circular::Sin) && is_large(Circular::Cos),
                        other => is_large(other),
                    };
                    prop_assert!(!is_clear, "{function:?}({x})");
                }
            }
        }
    }

    /// Half the bound is not enough: errors come near to it.
    #[test]
    fn the_bound_is_not_idle() {
        let table = Table::new(Circular::Sin, 1 << 23, 3, 1 << 14);
        let error = |k: u64| {
            let x = Float::with_val(200, (1i64 << 23) + k as i64) << 3i32;
            let near = table.at(k).map(|near| Float::with_val(300, near.value) - exact(Circular::Sin, &x));
            near.map_or(0.0, |difference| difference.abs().to_f64())
        };
        let worst = (0..1u64 << 14).map(error).fold(0.0, f64::max);
        assert!(worst > ERROR / 3.0, "{worst:e} of {ERROR:e}");
    }
}
