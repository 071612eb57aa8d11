//! The Taylor coefficients of ln |Γ| over an interval: by the recurrence to large arguments, and
//! Stirling's series there.
//!
//! With the polygamma functions the coefficients of degree k ≥ 1 are ψ⁽ᵏ⁻¹⁾(x)/k!. Differentiating
//! ln |Γ(x)| = ln |Γ(x + N)| − Σ ln |x + j|, j < N, for any x that is no pole,
//!
//! > cₖ(x) = cₖ(x + N) − (−1)^(k−1)/k·Σ (x + j)^(−k)  for k ≥ 1.
//!
//! At z = x + N > 0 Euler's and Maclaurin's summation of f(t) = (z + t)^(−k) from t = 0 on gives,
//! for k ≥ 2, (−1)ᵏ·k·cₖ(z) = Σ f(j) = z^(1−k)/(k − 1) + z^(−k)/2 + Σ_{m ≥ 1} B₂ₘ·(2m + k −
//! 2)!/((2m)!·(k − 1)!)·z^(1−k−2m), and integrating once and twice the series of ψ (k = 1) and
//! Stirling's of ln Γ (k = 0), with ln z − 1/(2z) and (z − 1/2)·ln z − z + ln(2π)/2 for the first
//! two terms (DLMF 5.11.1, 5.11.2). All derivatives of f of even order are positive and decrease to
//! 0; then the error of a sum up to any m has the sign of the first term that is left out and is
//! not larger (Graham, Knuth and Patashnik, *Concrete Mathematics*, section 9.5; for ln Γ and ψ
//! DLMF 5.11(ii)). The hull of 0 and that term encloses it.
//!
//! # Negative arguments
//!
//! The recurrence serves them, too, as long as N stays small. Below, ln |Γ(x)| = ln π − ln |sin πx|
//! − ln Γ(1 − x): the caller composes that, see `Series::lgamma`; here it is done for the degrees 0
//! and 1.

use std::sync::{Mutex, PoisonError};

use rug::{Float, Integer, Rational};

use super::super::erfcx::is_negligible;
use crate::error::FunctionError;
use crate::interval::{Interval, MAX_PRECISION};

/// Arguments below this are reflected, not shifted.
pub(crate) const LEAST_SHIFTED: i32 = -64;

/// The Taylor coefficients of ln |Γ| over an interval that lies in a cell, up to degree `order`,
/// computed at `w` bits; those of degree 2 and more only for arguments from [`LEAST_SHIFTED`] on.
///
/// The coefficient of degree 0 over a wide interval is sound, but far from tight.
pub(crate) fn coefficients(x: &Interval, order: usize, w: u32) -> Result<Vec<Interval>, FunctionError> {
    let x = x.round_to(x.precision().max(w))?;
    if *x.lo() < LEAST_SHIFTED {
        return reflected(&x, order, w);
    }
    // the least term of Stirling's series is about e^(−2πz)
    let far = w / 5 + 2 * u32::try_from(order).unwrap_or(u32::MAX / 8) + 8;
    let shifts = if *x.lo() > far {
        0
    } else {
        let gap = Float::with_val(64, far - x.lo()); // below far + 64
        gap.ceil().to_u32_saturating().unwrap_or(far)
    };
    let mut sums = vec![Interval::zero(w)?; order + 1];
    let mut product = Interval::from_f64(1.0, w)?;
    for j in 0..shifts {
        let factor = x.add(&Interval::from_f64(j.into(), w)?)?;
        product = product.mul(&factor)?.round_to(w)?;
        let inverse = Interval::from_f64(1.0, w)?.div(&factor)?.round_to(w)?;
        for (k, sum) in (0i32..).zip(&mut sums).skip(1) {
            *sum = sum.add(&inverse.powi(k)?)?;
        }
    }
    let z = x.add(&Interval::from_f64(shifts.into(), w)?)?;
    let mut tails = tails(&z, order, w)?;
    for (k, (c, sum)) in (0i64..).zip(tails.iter_mut().zip(&sums)) {
        *c = match k {
            0 if shifts == 0 => c.clone(),
            0 => c.sub(&product.abs()?.ln()?)?,
            // cₖ(x) = (−1)ᵏ/k·(sum + tail), with the sign of ψ turned
            k => {
                let all = c.add(sum)?.div_i64(k)?;
                if k % 2 == 0 { all } else { all.neg() }
            }
        }
        .round_to(w)?;
    }
    Ok(tails)
}

/// Of ln Γ at z > 0 the value, and for k ≥ 1 what is (−1)ᵏ·k·cₖ(z), with the precision of z; terms
/// below 2^−`w` are not added.
fn tails(z: &Interval, order: usize, w: u32) -> Result<Vec<Interval>, FunctionError> {
    let p = z.precision();
    let inverse = Interval::from_f64(1.0, p)?.div(z)?;
    let square = inverse.sqr()?;
    (0..=order as i64)
        .map(|k| {
            // the power z^(1−k)/(k − 1), and half of z^(−k)
            let first = match k {
                0 => {
                    let ln_z = z.ln()?;
                    let half_ln_two_pi = Interval::pi(p)?.mul_2exp(1)?.ln()?.mul_2exp(-1)?;
                    let half = Interval::from_f64(0.5, p)?;
                    z.sub(&half)?.mul(&ln_z)?.sub(z)?.add(&half_ln_two_pi)?
                }
                1 => z.ln()?.neg().add(&inverse.mul_2exp(-1)?)?,
                k => {
                    let power = inverse.powi(k as i32 - 1)?;
                    power.div_i64(k - 1)?.add(&power.mul(&inverse)?.mul_2exp(-1)?)?
                }
            };
            let mut sum = first;
            let mut factor = inverse.powi(k as i32 + 1)?.mul_i64(k.max(1))?.mul_2exp(-1)?;
            let mut before: Option<Float> = None;
            for m in 1i64.. {
                let term = bernoulli(m as usize, p)?.mul(&factor)?;
                let grows = before.as_ref().is_some_and(|before| term.mag() >= *before);
                if grows || is_negligible(&term, &sum, w) {
                    return sum.add(&term.hull_with_zero());
                }
                sum = sum.add(&term)?;
                before = Some(term.mag());
                // (2m + k)!/(2m + 2)! over (2m + k − 2)!/(2m)!
                factor = factor.mul(&square)?.mul_i64((k + 2 * m - 1) * (k + 2 * m))?;
                factor = factor.div_i64((2 * m + 1) * (2 * m + 2))?.round_to(p)?;
            }
            Ok(sum) // not reached
        })
        .collect()
}

/// The degrees 0 and 1 by reflection: ψ(x) = ψ(1 − x) − π·cot πx.
fn reflected(x: &Interval, order: usize, w: u32) -> Result<Vec<Interval>, FunctionError> {
    // integers before the point are lost after it
    let before = x.mag().get_exp().unwrap_or(0).max(0).unsigned_abs();
    let precision = w.saturating_add(before).saturating_add(16).min(MAX_PRECISION);
    let one = Interval::from_f64(1.0, x.precision().max(precision))?;
    let image = coefficients(&one.sub(x)?, order.min(1), precision)?;
    let (sine, pi) = (x.sinpi()?, Interval::pi(precision)?);
    let mut c = vec![pi.ln()?.sub(&sine.abs()?.ln()?)?.sub(&image[0])?.round_to(w)?];
    if let Some(slope) = image.get(1) {
        c.push(slope.sub(&pi.mul(&x.cospi()?.div(&sine)?)?)?.round_to(w)?);
    }
    Ok(c)
}

/// B₂ₘ, m ≥ 1.
fn bernoulli(m: usize, w: u32) -> Result<Interval, FunctionError> {
    static KNOWN: Mutex<Vec<Rational>> = Mutex::new(Vec::new());
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if known.len() < m {
        *known = bernoulli_numbers((2 * m).max(64));
    }
    Interval::from_rational(&known[m - 1], w)
}

/// B₂, B₄, …, by the tangent numbers Tₘ: B₂ₘ = (−1)^(m−1)·2m·Tₘ/(4ᵐ·(4ᵐ − 1)) (Brent and Harvey,
/// *Fast computation of Bernoulli, tangent and secant numbers*, 2011, section 6).
fn bernoulli_numbers(count: usize) -> Vec<Rational> {
    let mut tangents = vec![Integer::from(1)];
    for k in 1..count {
        let next = Integer::from(&tangents[k - 1] * k as u64);
        tangents.push(next);
    }
    for k in 1..count {
        for j in k..count {
            let sum = Integer::from(&tangents[j - 1] * (j - k) as u64)
                + Integer::from(&tangents[j] * (j - k + 2) as u64);
            tangents[j] = sum;
        }
    }
    (1u32..)
        .zip(tangents)
        .map(|(m, tangent)| {
            let power = Integer::from(1) << (2 * m);
            let divisor = Integer::from(&power - 1u32) * power;
            let magnitude = Rational::from((tangent * (2 * m), divisor));
            if m % 2 == 1 { magnitude } else { -magnitude }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where the series stops far from its value, what is left out is enclosed: half of it would
    /// not do.
    #[test]
    fn remainders() {
        for n in 4..60 {
            let x = Float::with_val(300, n) >> 3u32;
            // ln Γ, −ψ, and the sum of (x + j)^−2 by ψ′ = (ψ(x + h) − ψ(x − h))/2h
            let step: Float = Float::with_val(300, 1) >> 80u32;
            let [up, down] = [Float::with_val(300, &x + &step), Float::with_val(300, &x - &step)];
            let slope = (up.digamma() - down.digamma()) >> 1u32 << 80u32;
            let values = [x.clone().ln_gamma(), -x.clone().digamma(), slope];
            for w in [1, 5, 12, 20, 300] {
                let tails = tails(&Interval::point(x.clone()).unwrap(), 2, w).unwrap();
                for (k, (tail, value)) in tails.iter().zip(&values).enumerate() {
                    assert!(tail.contains(value), "degree {k} at {x}, {w} bits: {value} not in {tail}");
                }
            }
        }
    }

    #[test]
    fn numbers_of_bernoulli() {
        let known = [(1, 6), (-1, 30), (1, 42), (-1, 30), (5, 66), (-691, 2730), (7, 6), (-3617, 510)];
        let found = bernoulli_numbers(known.len());
        assert_eq!(found, known.map(Rational::from));
        // and in any order of asking
        assert!(bernoulli(200, 100).unwrap().contains_zero() == bernoulli(3, 100).unwrap().contains_zero());
    }
}
