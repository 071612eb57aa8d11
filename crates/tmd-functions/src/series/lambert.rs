//! Lambert's W of a series.
//!
//! From W·e^W = x follows W′ = e^(−W)/(1 + W). With E = e^(−c) and Q = E/(1 + c) for c = W(g) and
//! hᵢ = i·gᵢ: k·cₖ = Σ hᵢ·Qₖ₋ᵢ, k·Eₖ = −Σ i·cᵢ·Eₖ₋ᵢ, (1 + c₀)·Qₖ = Eₖ − Σ_{i≥1} cᵢ·Qₖ₋ᵢ.
//!
//! Lemma P.23 of docs/proofs/piece.md.

use super::{Series, convolution};
use crate::error::FunctionError;
use crate::interval::{Interval, pole};

impl Series {
    /// The principal branch of Lambert's W.
    ///
    /// # Errors
    /// [`OutsideDomain`](FunctionError::OutsideDomain) unless the coefficient of degree 0 is at
    /// least −1/e; [`Pole`](FunctionError::Pole) if it may be that and the order is not 0 (the
    /// derivative is infinite there).
    pub fn lambertw(&self) -> Result<Self, FunctionError> {
        self.branch("lambertw", self.coefficients[0].lambertw()?)
    }

    /// The lower branch of Lambert's W.
    ///
    /// # Errors
    /// As for [`Series::lambertw`], and [`OutsideDomain`](FunctionError::OutsideDomain) unless the
    /// coefficient is negative.
    pub fn lambertwm1(&self) -> Result<Self, FunctionError> {
        self.branch("lambertwm1", self.coefficients[0].lambertwm1()?)
    }

    fn branch(&self, function: &str, c_0: Interval) -> Result<Self, FunctionError> {
        let precision = self.precision();
        if self.order() == 0 {
            return Self::new(vec![c_0]);
        }
        let one_more = c_0.add(&Interval::from_f64(1.0, precision)?)?;
        if one_more.contains_zero() {
            return Err(pole(function, self.coefficients[0].to_string(), false));
        }
        let h = self.theta()?;
        let exponential = c_0.neg().exp()?;
        let mut quotient = vec![exponential.div(&one_more)?];
        // i·cᵢ, of which the place of i = 0 is never read
        let (mut c, mut theta) = (vec![c_0], vec![Interval::zero(precision)?]);
        let mut exponential = vec![exponential];
        for k in 1..=self.order() {
            let t_k = convolution(&h, &quotient, k, 1, precision)?;
            c.push(t_k.div_i64(k as i64)?);
            theta.push(t_k);
            exponential.push(convolution(&theta, &exponential, k, 1, precision)?.div_i64(-(k as i64))?);
            let sum = convolution(&c, &quotient, k, 1, precision)?;
            quotient.push(exponential[k].sub(&sum)?.div(&one_more)?);
        }
        Ok(Self { coefficients: c })
    }
}
