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

use super::Series;
use crate::error::FunctionError;
use crate::interval::pole;

impl Series {
    /// The hyperbolic sine and cosine.
    pub fn sinh_cosh(&self) -> Result<(Self, Self), FunctionError> {
        let g_0 = &self.coefficients[0];
        self.waves(g_0.sinh()?, g_0.cosh()?, &self.theta()?, 1)
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
        let g_0 = &self.coefficients[0];
        self.by_square(g_0.tanh()?, g_0.sech()?.sqr()?, &self.theta()?, true)
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
            return Err(pole("acosh", g_0.to_string(), false));
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
