//! erfcx x = e^(x²)·erfc x, and all its derivatives.
//!
//! Let Iₖ(x) = e^(x²)·iᵏerfc(x) with the repeated integrals of erfc (DLMF 7.18). Then
//!
//! * I₋₁ = 2/√π, I₀ = erfcx, and the coefficient of degree k of erfcx at x is (−2)ᵏ·Iₖ(x) (DLMF
//!   7.18.3);
//! * 2k·Iₖ = Iₖ₋₂ − 2x·Iₖ₋₁ (DLMF 7.18.7);
//! * Iₖ(x) = 2/(√π·k!)·∫₀^∞ tᵏ·e^(−t²−2xt) dt (DLMF 7.18.2 with t − x for t), which is positive and
//!   decreases in x: so its range over an interval is that of the ends.
//!
//! For x > 0 put e^(−t²) = Σ (−t²)ᵐ/m! into the integral. Between the partial sums of an
//! exponential of a negative number lies the exponential itself, each next term having the sign of
//! what is left and a larger magnitude; integrated against the positive tᵏ·e^(−2xt) this stays so:
//!
//! > Iₖ(x) = 2/√π·Σ (−1)ᵐ·(2m + k)!/(k!·m!)/(2x)^(2m+k+1), with an error between 0 and the first
//! > term that is left out.
//!
//! The terms shrink until m is about x²; where that is not soon enough, the recurrence is used,
//! which loses digits for x > 0: then it is done again with more of them.
//!
//! Lemmas P.21 and P.22 of docs/proofs/piece.md.

use rug::Float;

use super::{Interval, MAX_PRECISION};
use crate::error::FunctionError;

impl Interval {
    /// e^(self²)·erfc(self), which decreases.
    ///
    /// # Errors
    /// [`Overflow`](FunctionError::Overflow) where e^(self²) does, for arguments below −27,000.
    pub fn erfcx(&self) -> Result<Self, FunctionError> {
        let at = |x: &Float| {
            let x = Self::point(x.clone())?;
            if x.is_zero() {
                return Self::from_f64(1.0, self.precision());
            }
            Self::tight(self.precision(), |w| Ok(repeated_integrals(&x, 0, w)?.swap_remove(0)))
        };
        let greatest = at(&self.lo)?;
        if self.is_point() {
            return Ok(greatest);
        }
        Ok(Self { lo: at(&self.hi)?.lo, hi: greatest.hi })
    }

    /// The coefficients of erfcx over self, up to degree `order`, at `precision` bits.
    pub(crate) fn erfcx_coefficients(
        &self,
        order: usize,
        precision: u32,
    ) -> Result<Vec<Self>, FunctionError> {
        let at = |x: &Float| precise(&Self::point(x.clone())?, order, precision);
        let greatest = at(&self.lo)?;
        let least = if self.is_point() { greatest.clone() } else { at(&self.hi)? };
        let pairs = (0i32..).zip(least.into_iter().zip(greatest));
        pairs
            .map(|(k, (least, greatest))| {
                let c = Self { lo: least.lo, hi: greatest.hi }.mul_2exp(k)?;
                (if k % 2 == 0 { c } else { c.neg() }).round_to(precision)
            })
            .collect()
    }
}

/// I₀, …, Iₙ at a point, each to about `precision` bits if that can be had.
fn precise(x: &Interval, order: usize, precision: u32) -> Result<Vec<Interval>, FunctionError> {
    let mut working = precision.saturating_add(32).min(MAX_PRECISION);
    loop {
        let values = repeated_integrals(x, order, working)?;
        let is_precise = |value: &Interval| {
            let width = value.width().ok().and_then(|width| width.get_exp());
            *value.lo() > 0
                && width
                    .is_none_or(|width| value.hi().get_exp().is_some_and(|e| e - width > precision as i32))
        };
        if values.iter().all(is_precise) || working > 8 * (precision + 64) {
            return values.iter().map(|value| value.round_to(working)).collect();
        }
        working = working.saturating_mul(2).min(MAX_PRECISION);
    }
}

/// I₀, …, Iₙ at a point.
fn repeated_integrals(x: &Interval, order: usize, w: u32) -> Result<Vec<Interval>, FunctionError> {
    let square = x.round_to(x.precision().saturating_mul(2).min(MAX_PRECISION))?.sqr()?;
    let two_over_root = Interval::pi(w)?.rsqrt()?.mul_2exp(1)?;
    if *x.lo() > 0 && *square.lo() > u64::from(w) + 8 * order as u64 {
        return (0..=order).map(|k| by_large_argument(x, k, w)?.mul(&two_over_root)).collect();
    }
    let x = x.round_to(x.precision().max(w))?;
    let mut values = vec![square.round_to(square.precision().max(w))?.exp()?.mul(&x.erfc()?)?.round_to(w)?];
    let mut before = two_over_root;
    for k in 1..=order {
        let last = &values[k - 1];
        let next = before.sub(&x.mul(last)?.mul_2exp(1)?)?.div_i64(2 * k as i64)?.round_to(w)?;
        // an integral of a positive function that is less than the one before next to 0, all that
        // matters here
        let next =
            if *next.lo() < 0 && *next.hi() > 0 { Interval { lo: Float::new(w), hi: next.hi } } else { next };
        before = last.clone();
        values.push(next);
    }
    Ok(values)
}

/// Iₖ·√π/2 by its series in 1/x, x > 0, at w bits or as many as x has; terms below 2^−w are not
/// added.
fn by_large_argument(x: &Interval, k: usize, w: u32) -> Result<Interval, FunctionError> {
    let inverse = Interval::from_f64(0.5, x.precision().max(w))?.div(x)?;
    let step = inverse.sqr()?;
    let mut term = inverse.powi(k as i32 + 1)?;
    let mut sum = term.clone();
    for m in 0i64.. {
        // (2m + k + 2)!/(m + 1)! over (2m + k)!/m!
        let n = 2 * m + k as i64;
        let next = term.mul(&step)?.mul_i64(n + 1)?.mul_i64(n + 2)?.div_i64(-(m + 1))?;
        let is_last = next.mag() >= term.mag() || is_negligible(&next, &sum, w);
        if is_last {
            return sum.add(&next.hull_with_zero());
        }
        sum = sum.add(&next)?;
        term = next;
    }
    Ok(sum) // not reached: terms shrink, or they grow
}

/// Whether a term changes a sum of w bits by less than its last one.
pub(super) fn is_negligible(term: &Interval, sum: &Interval, w: u32) -> bool {
    match (term.mag().get_exp(), sum.mag().get_exp()) {
        (None, _) => true,
        (Some(term), Some(sum)) => i64::from(term) + i64::from(w) + 2 < i64::from(sum),
        (Some(_), None) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where the series in 1/x stops far from its value, what is left out is enclosed: half of it
    /// would not do.
    #[test]
    fn remainders() {
        let root = Float::with_val(300, rug::float::Constant::Pi).sqrt();
        for n in 4..60 {
            let x = Float::with_val(300, n) >> 3u32;
            // I₀·√π/2, and I₁ = −x·I₀ + 1/√π
            let value: Float = (x.clone().square().exp() * x.clone().erfc() * &root) >> 1u32;
            let next = Float::with_val(300, 0.5) - Float::with_val(300, &x * &value);
            for w in [1, 5, 12, 20, 300] {
                let at = |k| by_large_argument(&Interval::point(x.clone()).unwrap(), k, w).unwrap();
                for (found, value) in [(at(0), &value), (at(1), &next)] {
                    assert!(found.contains(value), "{x}, {w} bits: {value} not in {found}");
                }
            }
        }
    }
}
