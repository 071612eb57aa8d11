//! |g|, min, max, hypot and copysign of series: each of the pieces where it is known which it is.
//!
//! Where the values of a and b do not meet, min and max are one of them; likewise |a| where a ≠ 0.
//! Where they meet the function has a value, and as a rule no derivative: so a series of order 0 is
//! there, and others are a [`Kink`](FunctionError::Kink). That is an error even where they meet in
//! one end of an interval only: what comes after that end is another piece.
//!
//! Lemma P.26 of docs/proofs/piece.md.

use super::Series;
use crate::error::FunctionError;
use crate::interval::Interval;

impl Series {
    /// |self|.
    ///
    /// # Errors
    /// [`Kink`](FunctionError::Kink) if the coefficient of degree 0 contains 0 and the order is
    /// not 0.
    pub fn abs(&self) -> Result<Self, FunctionError> {
        let g_0 = &self.coefficients[0];
        match (self.order() > 0 && g_0.contains_zero(), *g_0.lo() > 0, *g_0.hi() < 0) {
            (true, _, _) => Err(kink("abs", g_0)),
            (_, true, _) => Ok(self.clone()),
            (_, _, true) => Ok(self.neg()),
            _ => Self::new(vec![g_0.abs()?]),
        }
    }

    /// The smaller one of self and other.
    ///
    /// # Errors
    /// [`Kink`](FunctionError::Kink) if the coefficients of degree 0 meet and the order is not 0.
    pub fn min(&self, other: &Self) -> Result<Self, FunctionError> {
        let order = self.order().min(other.order());
        let (a, b) = (&self.coefficients[0], &other.coefficients[0]);
        if a.hi() < b.lo() {
            return Ok(self.clone().truncate(order));
        }
        if b.hi() < a.lo() {
            return Ok(other.clone().truncate(order));
        }
        if order > 0 {
            return Err(kink("min", &a.hull(b)));
        }
        Self::new(vec![a.min(b)?])
    }

    /// The larger one of self and other. Errors as for [`Series::min`].
    pub fn max(&self, other: &Self) -> Result<Self, FunctionError> {
        Ok(self.neg().min(&other.neg())?.neg())
    }

    /// √(self² + other²).
    ///
    /// # Errors
    /// [`Pole`](FunctionError::Pole) if both may be 0 and the order is not 0.
    pub fn hypot(&self, other: &Self) -> Result<Self, FunctionError> {
        let c_0 = self.coefficients[0].hypot(&other.coefficients[0])?;
        self.sqr()?.add(&other.sqr()?)?.root(c_0, 2, "hypot")
    }

    /// |self| with the sign of other.
    ///
    /// # Errors
    /// [`Kink`](FunctionError::Kink) if one of them may be 0 and the order is not 0.
    pub fn copysign(&self, other: &Self) -> Result<Self, FunctionError> {
        let order = self.order().min(other.order());
        let b = &other.coefficients[0];
        if order > 0 && b.contains_zero() {
            return Err(kink("copysign", b));
        }
        let c_0 = self.coefficients[0].copysign(b)?;
        let magnitude = self.clone().truncate(order).abs()?;
        Ok(if *b.hi() < 0 { magnitude.neg() } else { magnitude }.with_constant(c_0))
    }
}

fn kink(function: &str, at: &Interval) -> FunctionError {
    FunctionError::Kink { function: function.into(), at: at.to_string() }
}
