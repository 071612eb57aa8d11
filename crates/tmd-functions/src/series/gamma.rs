//! Γ, ln |Γ| and ψ of a series, and e^(x²)·erfc x.
//!
//! The coefficients of ln |Γ| over an interval come from the recurrence and Stirling's series
//! ([`interval::gamma_coefficients`](crate::interval)), those of ψ are the next ones times their
//! degree, and those of Γ follow from c′ = ψ·c: k·cₖ = Σ i·lᵢ·cₖ₋ᵢ with the coefficients l of
//! ln |Γ|. Far below 0 ln |Γ(x)| = ln π − ln |sin πx| − ln Γ(1 − x) (DLMF 5.5.3). The coefficients
//! of erfcx are integrals of positive functions, see [`Interval::erfcx`].
//!
//! Lemmas P.18 and P.19 of docs/proofs/piece.md.

use super::Series;
use crate::error::FunctionError;
use crate::interval::{Interval, LEAST_SHIFTED, gamma_coefficients};

/// Bits that the sums of a few hundred terms may lose.
const GUARD_BITS: u32 = 32;

impl Series {
    /// e^(self²)·erfc(self).
    pub fn erfcx(&self) -> Result<Self, FunctionError> {
        let x = &self.coefficients[0];
        let c_0 = x.erfcx()?;
        let mut outer = x.erfcx_coefficients(self.order(), self.precision())?;
        outer[0] = c_0;
        self.compose(outer)
    }

    /// The gamma function.
    ///
    /// # Errors
    /// As for [`Interval::gamma`].
    pub fn gamma(&self) -> Result<Self, FunctionError> {
        let c_0 = self.coefficients[0].gamma()?;
        if self.order() == 0 {
            return Self::new(vec![c_0]);
        }
        let logarithm = Self { coefficients: self.ln_gamma_coefficients(self.order())? };
        self.compose(logarithm.exponential(c_0, None)?.into_coefficients())
    }

    /// ln |Γ|.
    ///
    /// # Errors
    /// As for [`Interval::gamma`].
    pub fn lgamma(&self) -> Result<Self, FunctionError> {
        let c_0 = self.coefficients[0].lgamma()?;
        let mut outer = self.ln_gamma_coefficients(self.order())?;
        outer[0] = c_0;
        self.compose(outer)
    }

    /// ψ, the derivative of ln |Γ|.
    ///
    /// # Errors
    /// As for [`Interval::gamma`].
    pub fn digamma(&self) -> Result<Self, FunctionError> {
        let c_0 = self.coefficients[0].digamma()?;
        let logarithm = self.ln_gamma_coefficients(self.order() + 1)?;
        let theta = (0i64..).zip(&logarithm).skip(1).map(|(k, c)| c.mul_i64(k));
        let mut outer: Vec<Interval> = theta.collect::<Result<_, _>>()?;
        outer[0] = c_0;
        self.compose(outer)
    }

    /// The coefficients of ln |Γ| over the coefficient of degree 0, which lies between poles; that
    /// of degree 0 is not tight.
    fn ln_gamma_coefficients(&self, order: usize) -> Result<Vec<Interval>, FunctionError> {
        let precision = self.precision();
        let x = self.coefficients[0].round_to(precision.saturating_add(GUARD_BITS))?;
        if *x.lo() >= LEAST_SHIFTED {
            let coefficients = gamma_coefficients(&x, order, x.precision())?;
            return coefficients.iter().map(|c| c.round_to(precision)).collect();
        }
        let sine = Self::variable(&x, order)?.sinpi()?;
        let sine = if *sine.coefficients[0].hi() < 0 { sine.neg() } else { sine };
        let one = Interval::from_f64(1.0, x.precision())?;
        let image = gamma_coefficients(&one.sub(&x)?, order, x.precision())?;
        let pi = Interval::pi(x.precision())?;
        let logarithm = sine.ln()?.neg();
        let pairs = logarithm.coefficients.iter().zip(image).enumerate();
        pairs
            .map(|(k, (sine, image))| {
                let image = if k % 2 == 0 { image.neg() } else { image };
                let sum = sine.add(&image)?;
                if k == 0 { sum.add(&pi.ln()?)? } else { sum }.round_to(precision)
            })
            .collect()
    }
}
