//! f∘g from the coefficients of f over the values of g.
//!
//! For every ξ the coefficients of f∘g at ξ are those of Σ Fₖ·(g − g(ξ))ᵏ with the coefficients Fₖ
//! of f at g(ξ); and these are enclosed by the coefficients of f over g₀, which holds g(ξ). So it
//! is enough to enclose the coefficients of f over an interval. A linear g multiplies Fₖ by g₁ᵏ;
//! others go by Horner's rule.
//!
//! Lemma P.17 of docs/proofs/piece.md.

use super::Series;
use crate::error::FunctionError;
use crate::interval::Interval;

impl Series {
    /// The function with the coefficients `outer` over the coefficient of degree 0; `outer` has one
    /// for every degree.
    pub(super) fn compose(&self, outer: Vec<Interval>) -> Result<Self, FunctionError> {
        debug_assert_eq!(outer.len(), self.coefficients.len());
        if self.is_linear() {
            let Some(g_1) = self.coefficients.get(1) else { return Self::new(outer) };
            let scaled = (0..).zip(outer).map(|(k, c)| if k == 0 { Ok(c) } else { c.mul(&g_1.powi(k)?) });
            return Self::new(scaled.collect::<Result<_, _>>()?);
        }
        let zero = Interval::zero(self.precision())?;
        let increment = self.clone().with_constant(zero);
        let mut terms = outer.into_iter().rev();
        let Some(last) = terms.next() else { return Err(FunctionError::NoCoefficients) };
        let mut sum = Self::constant(last, self.order())?;
        for c in terms {
            // the product has no term of degree 0
            sum = sum.mul(&increment)?.with_constant(c);
        }
        Ok(sum)
    }
}
