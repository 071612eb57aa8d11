//! The hyperbolic functions of a series g, and their inverses.
//!
//! With hᵢ = i·gᵢ:
//!
//! | c | equation | for k ≥ 1 |
//! |---|---|---|
//! | s = sinh g, c = cosh g | s′ = c·g′, c′ = s·g′ | k·sₖ = Σ hᵢ·cₖ₋ᵢ, k·cₖ = Σ hᵢ·sₖ₋ᵢ |
//! | tanh g | c′ = u·g′, u = 1 − c² | k·cₖ = Σ hᵢ·uₖ₋ᵢ, with u₀ = 1/cosh² g₀, where nothing cancels |
//! | asinh g | c′ = w·g′, w = (1 + g²)^(−1/2) | k·cₖ = Σ hᵢ·wₖ₋ᵢ |
//! | acosh g | c′ = w·g′, w = (g − 1)^(−1/2)·(g + 1)^(−1/2) | the same |
//! | atanh g | c′ = w·g′, w = 1/(1 − g²) | the same |
//!
//! For x > 1 the two factors of acosh have coefficients of alternating sign, and so has their
//! product: over a wide interval no term works against another, as would happen with the square
//! root of g² − 1. The coefficients of 1/(1 − x²) all have the sign of their first for x > 0. Those
//! of (1 + x²)^(−1/2) have no such pattern; see [`Series::within_the_circle`].

use super::{Series, convolution, square_coefficient};
use crate::error::FunctionError;

impl Series {
    /// The hyperbolic sine and cosine.
    pub fn sinh_cosh(&self) -> Result<(Self, Self), FunctionError> {
        let precision = self.precision();
        let h = self.theta()?;
        let (mut s, mut c) = (vec![self.coefficients[0].sinh()?], vec![self.coefficients[0].cosh()?]);
        for k in 1..=self.order() {
            let s_k = convolution(&h, &c, k, 1, precision)?.div_i64(k as i64)?;
            let c_k = convolution(&h, &s, k, 1, precision)?.div_i64(k as i64)?;
            s.push(s_k);
            c.push(c_k);
        }
        Ok((Self { coefficients: s }, Self { coefficients: c }))
    }

    /// The hyperbolic sine.
    pub fn sinh(&self) -> Result<Self, FunctionError> {
        self.sinh_cosh().map(|(sinh, _)| sinh)
    }

    /// The hyperbolic cosine.
    pub fn cosh(&self) -> Result<Self, FunctionError> {
        self.sinh_cosh().map(|(_, cosh)| cosh)
    }

    /// The hyperbolic tangent.
    pub fn tanh(&self) -> Result<Self, FunctionError> {
        let precision = self.precision();
        let h = self.theta()?;
        let mut c = vec![self.coefficients[0].tanh()?];
        let mut u = vec![self.coefficients[0].sech()?.sqr()?];
        for k in 1..=self.order() {
            c.push(convolution(&h, &u, k, 1, precision)?.div_i64(k as i64)?);
            u.push(square_coefficient(&c, k, precision)?.neg());
        }
        Ok(Self { coefficients: c })
    }

    /// The inverse of sinh.
    pub fn asinh(&self) -> Result<Self, FunctionError> {
        let u = self.sqr()?.plus(1)?;
        let w = u.root(u.coefficients[0].rsqrt()?, -2, "asinh")?;
        let c = self.integral(self.coefficients[0].asinh()?, &self.theta()?, &w)?;
        self.within_the_circle(c, &u.coefficients[0], None)
    }

    /// The inverse of cosh.
    ///
    /// # Errors
    /// [`OutsideDomain`](FunctionError::OutsideDomain) unless the coefficient of degree 0 is ≥ 1,
    /// [`Pole`](FunctionError::Pole) if it contains 1 and the order is not 0 (the derivative is
    /// infinite there).
    pub fn acosh(&self) -> Result<Self, FunctionError> {
        let g_0 = &self.coefficients[0];
        let c_0 = g_0.acosh()?;
        if self.order() == 0 {
            return Self::new(vec![c_0]);
        }
        if g_0.contains(&1) {
            return Err(FunctionError::Pole {
                function: "acosh".into(),
                at: g_0.to_string(),
                everywhere: false,
            });
        }
        let w = self.plus(-1)?.rsqrt()?.mul(&self.plus(1)?.rsqrt()?)?;
        self.integral(c_0, &self.theta()?, &w)
    }

    /// The inverse of tanh.
    ///
    /// # Errors
    /// [`OutsideDomain`](FunctionError::OutsideDomain) unless the coefficient of degree 0 lies
    /// between −1 and 1.
    pub fn atanh(&self) -> Result<Self, FunctionError> {
        let c_0 = self.coefficients[0].atanh()?;
        let w = self.one_minus_square()?.recip()?;
        self.integral(c_0, &self.theta()?, &w)
    }
}
