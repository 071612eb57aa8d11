//! Series of quotients a(x)/xⁿ next to 0, where a has a zero of that order: a removable
//! singularity.
//!
//! # The theorem
//!
//! Let a have a zero of order n or more at 0, and g(x) = a(x)/xⁿ, continued to 0. For n = 1, g(x) =
//! ∫₀¹ a′(s·x) ds, so g⁽ᵏ⁾(x)/k! = (1/k!)·∫₀¹ sᵏ·a⁽ᵏ⁺¹⁾(s·x) ds. If Aₖ₊₁ encloses a⁽ᵏ⁺¹⁾(ξ)/(k+1)!
//! for every ξ between 0 and x, the integrand is in (k+1)!·sᵏ·Aₖ₊₁, and as ∫₀¹ sᵏ ds = 1/(k+1),
//! g⁽ᵏ⁾(x)/k! ∈ Aₖ₊₁. For larger n the same is done n times, with the same interval. So **the
//! coefficients of a over the hull of 0 and `at`, moved by n places, are coefficients of g over
//! `at`**. That the first n coefficients of a at 0 vanish is seen from their enclosures, which are
//! exactly [0, 0].
//!
//! Division of the two series, which cancels next to 0, is good farther away. Both are enclosures,
//! and so is their intersection.
//!
//! Lemma P.28 of docs/proofs/piece.md.

use crate::error::FunctionError;
use crate::expression::Expression;
use crate::interval::Interval;
use crate::series::{MAX_ORDER, Series};

/// Farther away from 0 than this the hull of 0 and the argument says too little.
const REACH: u32 = 4;

impl Expression {
    /// The series of self/divisor. That of a continued function where the singularity is removable:
    /// it has a value at 0, which the quotient has not.
    pub(super) fn quotient(
        &self,
        divisor: &Self,
        x: &Interval,
        order: usize,
    ) -> Result<Series, FunctionError> {
        let divided = || self.taylor(x, order)?.div(&divisor.taylor(x, order)?);
        let Some(moved) = self.moved(divisor, x, order) else { return divided() };
        let Ok(divided) = divided() else { return Ok(moved) };
        let pairs = moved.coefficients().iter().zip(divided.coefficients());
        // both hold the coefficient: they have a point in common
        Series::new(pairs.map(|(a, b)| a.intersection(b).unwrap_or_else(|| a.clone())).collect())
    }

    /// The series of self/xⁿ by the theorem above, if `divisor` is xⁿ and the theorem applies.
    fn moved(&self, divisor: &Self, x: &Interval, order: usize) -> Option<Series> {
        let n = match divisor {
            Self::X => 1,
            Self::Powi(a, n) if **a == Self::X => usize::try_from(*n).ok().filter(|n| *n > 0)?,
            _ => return None,
        };
        if x.mag() > REACH || order + n > MAX_ORDER {
            return None;
        }
        let zero = Interval::zero(x.precision()).ok()?;
        let first = self.taylor(&zero, n - 1).ok()?;
        if !first.coefficients().iter().all(Interval::is_zero) {
            return None;
        }
        let series = self.taylor(&x.hull(&zero), order + n).ok()?;
        Series::new(series.into_coefficients().split_off(n)).ok()
    }
}
