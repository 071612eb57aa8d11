//! The inverse trigonometric functions of a series g, in radians and in half-turns (asinPi g = asin
//! g / π).
//!
//! With hᵢ = i·gᵢ, divided by π for the functions in half-turns:
//!
//! | c | equation | for k ≥ 1 |
//! |---|---|---|
//! | asin g | c′ = w·g′, w = (1 − g²)^(−1/2) | k·cₖ = Σ hᵢ·wₖ₋ᵢ |
//! | acos g | c′ = −w·g′ | k·cₖ = −Σ hᵢ·wₖ₋ᵢ |
//! | atan g | c′ = w·g′, w = 1/(1 + g²) | k·cₖ = Σ hᵢ·wₖ₋ᵢ |
//!
//! For x > 0 all coefficients of (1 − x²)^(−1/2) are positive, and so are all terms of its
//! recurrence. Those of 1/(1 + x²) change sign; see [`Series::within_the_circle`].

use super::Series;
use crate::error::FunctionError;
use crate::interval::{Interval, pole};

impl Series {
    /// The inverse sine.
    ///
    /// # Errors
    /// [`OutsideDomain`](FunctionError::OutsideDomain) unless the coefficient of degree 0 lies in
    /// [−1, 1], [`Pole`](FunctionError::Pole) if it contains −1 or 1 and the order is not 0 (the
    /// derivative is infinite there).
    pub fn asin(&self) -> Result<Self, FunctionError> {
        self.arcsine("asin", self.coefficients[0].asin()?, || self.theta())
    }

    /// The inverse cosine. Errors as for [`Series::asin`].
    pub fn acos(&self) -> Result<Self, FunctionError> {
        self.arcsine("acos", self.coefficients[0].acos()?, || self.neg().theta())
    }

    /// The inverse sine divided by π. Errors as for [`Series::asin`].
    pub fn asinpi(&self) -> Result<Self, FunctionError> {
        self.arcsine("asinpi", self.coefficients[0].asinpi()?, || self.theta_times(&self.per_half_turn()?))
    }

    /// The inverse cosine divided by π. Errors as for [`Series::asin`].
    pub fn acospi(&self) -> Result<Self, FunctionError> {
        let theta = || self.neg().theta_times(&self.per_half_turn()?);
        self.arcsine("acospi", self.coefficients[0].acospi()?, theta)
    }

    /// The inverse tangent.
    pub fn atan(&self) -> Result<Self, FunctionError> {
        self.arctangent(self.coefficients[0].atan()?, None)
    }

    /// The inverse tangent divided by π.
    pub fn atanpi(&self) -> Result<Self, FunctionError> {
        self.arctangent(self.coefficients[0].atanpi()?, Some(&self.per_half_turn()?))
    }

    /// 1/π.
    fn per_half_turn(&self) -> Result<Interval, FunctionError> {
        Interval::from_f64(1.0, self.precision())?.div(&Interval::pi(self.precision())?)
    }

    /// The function with the derivative g′·(1 − g²)^(−1/2) times the factor that is in `theta`.
    fn arcsine(
        &self,
        function: &str,
        c_0: Interval,
        theta: impl Fn() -> Result<Vec<Interval>, FunctionError>,
    ) -> Result<Self, FunctionError> {
        if self.order() == 0 {
            return Self::new(vec![c_0]);
        }
        let u = self.one_minus_square()?;
        let u_0 = &u.coefficients[0];
        if u_0.contains_zero() {
            return Err(pole(function, self.coefficients[0].to_string(), false));
        }
        let w = u.root(u_0.rsqrt()?, -2, function)?;
        self.integral(c_0, &theta()?, &w)
    }

    /// The function with the derivative g′/(1 + g²) times a factor, 1 if it is not given.
    fn arctangent(&self, c_0: Interval, factor: Option<&Interval>) -> Result<Self, FunctionError> {
        let u = self.sqr()?.plus(1)?;
        let theta = match factor {
            None => self.theta()?,
            Some(factor) => self.theta_times(factor)?,
        };
        let c = self.integral(c_0, &theta, &u.recip()?)?;
        self.within_the_circle(c, &u.coefficients[0], factor)
    }

    /// 1 − self².
    pub(super) fn one_minus_square(&self) -> Result<Self, FunctionError> {
        let u_0 = self.coefficients[0].round_to(self.precision())?.one_minus_square()?;
        Ok(self.sqr()?.neg().with_constant(u_0))
    }

    /// The coefficients `c` of atan or asinh of self, times `factor`, cut to what Cauchy's circle
    /// allows; `u_0` = 1 + g₀².
    ///
    /// Both functions are analytic but for branch points at ±i, at the distance √(1 + x²) from x.
    /// With ρ = (1 + x²)^(−1/2), the coefficients of atan at x are (−1)^(k−1)·sin(k·acot x)·ρᵏ/k
    /// (the imaginary part of a logarithm), those of (1 + x²)^(−1/2) are (−1)ᵏ·Pₖ(x·ρ)·ρ^(k+1) with
    /// Legendre's polynomials (their generating function), and |Pₖ| ≤ 1 on [−1, 1] (Abramowitz and
    /// Stegun, section 22.14): so |cₖ| ≤ ρᵏ/k for both. Over a wide interval the recurrences, whose
    /// terms change sign, exceed that by up to 2ᵏ. A linear argument multiplies cₖ by g₁ᵏ; of
    /// others nothing is said.
    pub(super) fn within_the_circle(
        &self,
        mut c: Self,
        u_0: &Interval,
        factor: Option<&Interval>,
    ) -> Result<Self, FunctionError> {
        if let Some(g_1) = self.linear_slope() {
            let ratio = g_1.mul(&u_0.rsqrt()?)?;
            for (k, c_k) in (0..).zip(&mut c.coefficients).skip(1) {
                let mut bound = ratio.powi(k)?.div_i64(k.into())?;
                if let Some(factor) = factor {
                    bound = bound.mul(factor)?;
                }
                c_k.cut_to_magnitude(&bound);
            }
        }
        Ok(c)
    }
}
