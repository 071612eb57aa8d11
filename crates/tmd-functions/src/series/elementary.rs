//! Exponentials, logarithms and roots of a series g, by the differential equation each satisfies
//! (Moore 1966, chapter 11; Knuth, *The Art of Computer Programming* 2, section 4.7; Griewank and
//! Walther, *Evaluating Derivatives*, chapter 13).
//!
//! Below hᵢ = i·gᵢ (the coefficients of t·g′) and c is the result. The coefficient of degree 0
//! always is the interval function of g₀; so bᵍ − 1 has the other coefficients of bᵍ and a first
//! one in which nothing cancels.
//!
//! | c | equation | for k ≥ 1 |
//! |---|---|---|
//! | exp g | c′ = g′·c | k·cₖ = Σ_{i=1..k} hᵢ·cₖ₋ᵢ |
//! | bᵍ | c′ = ln b·g′·c | k·cₖ = ln b·Σ_{i=1..k} hᵢ·cₖ₋ᵢ |
//! | ln g | g·c′ = g′ | g₀·cₖ = gₖ − (1/k)·Σ_{i=1..k−1} i·cᵢ·gₖ₋ᵢ |
//! | ln(1 + g) | (1 + g)·c′ = g′ | that of ln, with 1 + g₀ for g₀ |
//! | g^α | g·c′ = α·g′·c | k·g₀·cₖ = Σ_{i=1..k} (α·i − (k−i))·gᵢ·cₖ₋ᵢ |

use super::{Series, convolution};
use crate::error::FunctionError;
use crate::interval::{Interval, pole};

impl Series {
    /// e^self.
    pub fn exp(&self) -> Result<Self, FunctionError> {
        self.exponential(self.coefficients[0].exp()?, None)
    }

    /// 2^self.
    pub fn exp2(&self) -> Result<Self, FunctionError> {
        self.exponential(self.coefficients[0].exp2()?, Some(Interval::ln_2(self.precision())?))
    }

    /// 10^self.
    pub fn exp10(&self) -> Result<Self, FunctionError> {
        self.exponential(self.coefficients[0].exp10()?, Some(Interval::ln_10(self.precision())?))
    }

    /// e^self − 1.
    pub fn expm1(&self) -> Result<Self, FunctionError> {
        Ok(self.exp()?.with_constant(self.coefficients[0].expm1()?))
    }

    /// 2^self − 1.
    pub fn exp2m1(&self) -> Result<Self, FunctionError> {
        Ok(self.exp2()?.with_constant(self.coefficients[0].exp2m1()?))
    }

    /// 10^self − 1.
    pub fn exp10m1(&self) -> Result<Self, FunctionError> {
        Ok(self.exp10()?.with_constant(self.coefficients[0].exp10m1()?))
    }

    /// The natural logarithm.
    ///
    /// # Errors
    /// [`OutsideDomain`](FunctionError::OutsideDomain) unless the coefficient of degree 0 is
    /// positive.
    pub fn ln(&self) -> Result<Self, FunctionError> {
        let g = &self.coefficients;
        let precision = self.precision();
        let mut c = vec![g[0].ln()?];
        // i·cᵢ; the place of i = 0 is never read
        let mut theta = vec![Interval::zero(precision)?];
        for k in 1..=self.order() {
            // theta has the places 0…k−1, so the sum runs over gᵢ·θₖ₋ᵢ with 1 ≤ i ≤ k, of which i =
            // k is the 0 above
            let sum = convolution(g, &theta, k, 1, precision)?;
            let c_k = g[k].sub(&sum.div_i64(k as i64)?)?.div(&g[0])?;
            theta.push(c_k.mul_i64(k as i64)?);
            c.push(c_k);
        }
        Ok(Self { coefficients: c })
    }

    /// The logarithm to base 2, ln / ln 2. Errors as for [`Series::ln`].
    pub fn log2(&self) -> Result<Self, FunctionError> {
        self.logarithm(self.coefficients[0].log2()?, &Interval::ln_2(self.precision())?)
    }

    /// The logarithm to base 10, ln / ln 10. Errors as for [`Series::ln`].
    pub fn log10(&self) -> Result<Self, FunctionError> {
        self.logarithm(self.coefficients[0].log10()?, &Interval::ln_10(self.precision())?)
    }

    /// The natural logarithm of 1 + self.
    ///
    /// # Errors
    /// [`OutsideDomain`](FunctionError::OutsideDomain) unless the coefficient of degree 0 is above
    /// −1.
    pub fn logp1(&self) -> Result<Self, FunctionError> {
        let c_0 = self.coefficients[0].logp1()?; // first, so that an error speaks of this function
        Ok(self.plus(1)?.ln()?.with_constant(c_0))
    }

    /// The logarithm of 1 + self to base 2. Errors as for [`Series::logp1`].
    pub fn log2p1(&self) -> Result<Self, FunctionError> {
        let c_0 = self.coefficients[0].log2p1()?;
        self.plus(1)?.logarithm(c_0, &Interval::ln_2(self.precision())?)
    }

    /// The logarithm of 1 + self to base 10. Errors as for [`Series::logp1`].
    pub fn log10p1(&self) -> Result<Self, FunctionError> {
        let c_0 = self.coefficients[0].log10p1()?;
        self.plus(1)?.logarithm(c_0, &Interval::ln_10(self.precision())?)
    }

    /// The square root, g^(1/2).
    ///
    /// # Errors
    /// [`OutsideDomain`](FunctionError::OutsideDomain) if the coefficient of degree 0 has negative
    /// points, [`Pole`](FunctionError::Pole) if it contains 0 and the order is not 0 (the
    /// derivative is infinite there).
    pub fn sqrt(&self) -> Result<Self, FunctionError> {
        self.root(self.coefficients[0].sqrt()?, 2, "sqrt")
    }

    /// The cube root, g^(1/3).
    ///
    /// # Errors
    /// [`Pole`](FunctionError::Pole) if the coefficient of degree 0 contains 0 and the order is
    /// not 0.
    pub fn cbrt(&self) -> Result<Self, FunctionError> {
        self.root(self.coefficients[0].cbrt()?, 3, "cbrt")
    }

    /// 1/√self, g^(−1/2).
    ///
    /// # Errors
    /// As for [`Interval::rsqrt`] of the coefficient of degree 0.
    pub fn rsqrt(&self) -> Result<Self, FunctionError> {
        self.root(self.coefficients[0].rsqrt()?, -2, "rsqrt")
    }

    /// The n-th root, g^(1/n).
    ///
    /// # Errors
    /// As for [`Interval::rootn`] of the coefficient of degree 0, and [`Pole`](FunctionError::Pole)
    /// if that contains 0 and the order is not 0.
    pub fn rootn(&self, n: i32) -> Result<Self, FunctionError> {
        self.root(self.coefficients[0].rootn(n)?, n.into(), "rootn")
    }

    /// bᵍ with b^g₀ = `c_0`; `ln_b` is `None` for b = e.
    pub(super) fn exponential(&self, c_0: Interval, ln_b: Option<Interval>) -> Result<Self, FunctionError> {
        let precision = self.precision();
        let h = match ln_b {
            None => self.theta()?,
            Some(ln_b) => self.theta_times(&ln_b)?,
        };
        let mut c = vec![c_0];
        for k in 1..=self.order() {
            c.push(convolution(&h, &c, k, 1, precision)?.div_i64(k as i64)?);
        }
        Ok(Self { coefficients: c })
    }

    /// ln g / ln b with the coefficient of degree 0 replaced by the direct enclosure `c_0`.
    fn logarithm(&self, c_0: Interval, ln_b: &Interval) -> Result<Self, FunctionError> {
        Ok(self.ln()?.map(|c_k| c_k.div(ln_b))?.with_constant(c_0))
    }

    /// g^(1/n) with g₀^(1/n) = `c_0`, for n of either sign; the recurrence of g^α times n.
    pub(super) fn root(&self, c_0: Interval, n: i64, function: &str) -> Result<Self, FunctionError> {
        let g = &self.coefficients;
        if self.order() > 0 && g[0].contains_zero() {
            return Err(pole(function, g[0].to_string(), false));
        }
        let precision = self.precision();
        let mut c = vec![c_0];
        for k in 1..=self.order() {
            let mut weighted = Vec::with_capacity(k + 1);
            for (i, g_i) in (0..=k as i64).zip(g) {
                weighted.push(g_i.mul_i64(i - n * (k as i64 - i))?);
            }
            let sum = convolution(&weighted, &c, k, 1, precision)?;
            c.push(sum.div(&g[0].mul_i64(n * k as i64)?)?);
        }
        Ok(Self { coefficients: c })
    }
}
