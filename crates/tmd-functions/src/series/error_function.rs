//! The error function of a series g, and its complement.
//!
//! With hᵢ = i·gᵢ and E = e^(−g²), whose coefficients follow from those of −g² by the recurrence of
//! the exponential:
//!
//! | c | equation | for k ≥ 1 |
//! |---|---|---|
//! | erf g | c′ = (2/√π)·E·g′ | k·cₖ = (2/√π)·Σ hᵢ·Eₖ₋ᵢ |
//! | erfc g | c′ = −(2/√π)·E·g′ | the same with the other sign |
//!
//! E₀ is enclosed by itself, as tight at 20 as at 0. For a linear argument Eₖ =
//! (−g₁)ᵏ·Hₖ(x)·e^(−x²)/k! with Hermite's polynomials, whose terms change sign; so over a wide
//! interval the recurrence is cut to the bound
//! |Hₖ(x)| < 1.0865·√(2ᵏ·k!)·e^(x²/2) (Cramér; Abramowitz and Stegun, section 22.14).

use super::Series;
use crate::error::FunctionError;
use crate::interval::Interval;

/// Above the constant 1.086435… of Cramér's inequality.
const CRAMER: f64 = 1.0865;

impl Series {
    /// The error function.
    pub fn erf(&self) -> Result<Self, FunctionError> {
        self.error_function(self.coefficients[0].erf()?, self)
    }

    /// The complementary error function, 1 − erf.
    pub fn erfc(&self) -> Result<Self, FunctionError> {
        self.error_function(self.coefficients[0].erfc()?, &self.neg())
    }

    /// The function with the derivative (2/√π)·e^(−g²)·g′, where `signed` is g or −g and gives g′
    /// its sign.
    fn error_function(&self, c_0: Interval, signed: &Self) -> Result<Self, FunctionError> {
        let precision = self.precision();
        let gaussian = self.coefficients[0].round_to(precision)?.gaussian()?;
        let mut e = self.sqr()?.neg().exponential(gaussian.clone(), None)?;
        if let Some(g_1) = self.linear_slope() {
            // √(2ᵏ/k!)·|g₁|ᵏ·e^(−x²/2), step by step
            let mut bound = gaussian.sqrt()?.mul(&Interval::from_f64(CRAMER, precision)?)?;
            let two = Interval::from_f64(2.0, precision)?;
            for (k, e_k) in (0..).zip(&mut e.coefficients).skip(1) {
                bound = bound.mul(g_1)?.mul(&two.div_i64(k)?.sqrt()?)?;
                e_k.cut_to_magnitude(&bound);
            }
        }
        let factor = two_over_sqrt_pi(precision)?;
        self.integral(c_0, &signed.theta_times(&factor)?, &e)
    }
}

/// 2/√π.
fn two_over_sqrt_pi(precision: u32) -> Result<Interval, FunctionError> {
    Interval::pi(precision)?.rsqrt()?.mul_2exp(1)
}
