//! Sine, cosine and tangent of a series g, in radians and in half-turns (sinPi g = sin π·g).
//!
//! With hᵢ = i·gᵢ, times π for the functions in half-turns:
//!
//! | c | equation | for k ≥ 1 |
//! |---|---|---|
//! | s = sin g, c = cos g | s′ = c·g′, c′ = −s·g′ | k·sₖ = Σ hᵢ·cₖ₋ᵢ, k·cₖ = −Σ hᵢ·sₖ₋ᵢ |
//! | tan g | c′ = u·g′, u = 1 + c² | k·cₖ = Σ hᵢ·uₖ₋ᵢ |

use super::{Series, convolution, square_coefficient};
use crate::error::FunctionError;
use crate::interval::Interval;

impl Series {
    /// The sine and the cosine.
    pub fn sin_cos(&self) -> Result<(Self, Self), FunctionError> {
        let g_0 = &self.coefficients[0];
        self.waves(g_0.sin()?, g_0.cos()?, &self.theta()?, -1)
    }

    /// The sine.
    pub fn sin(&self) -> Result<Self, FunctionError> {
        self.sin_cos().map(|(sin, _)| sin)
    }

    /// The cosine.
    pub fn cos(&self) -> Result<Self, FunctionError> {
        self.sin_cos().map(|(_, cos)| cos)
    }

    /// The tangent.
    ///
    /// # Errors
    /// [`Pole`](FunctionError::Pole) if the coefficient of degree 0 contains an odd multiple of
    /// π/2, [`AngleTooLarge`](FunctionError::AngleTooLarge) as for [`Interval::tan`].
    pub fn tan(&self) -> Result<Self, FunctionError> {
        self.tangent(self.coefficients[0].tan()?, &self.theta()?)
    }

    /// The sine and the cosine of π·self.
    pub fn sinpi_cospi(&self) -> Result<(Self, Self), FunctionError> {
        let g_0 = &self.coefficients[0];
        self.waves(g_0.sinpi()?, g_0.cospi()?, &self.half_turns()?, -1)
    }

    /// sin(π·self).
    pub fn sinpi(&self) -> Result<Self, FunctionError> {
        self.sinpi_cospi().map(|(sin, _)| sin)
    }

    /// cos(π·self).
    pub fn cospi(&self) -> Result<Self, FunctionError> {
        self.sinpi_cospi().map(|(_, cos)| cos)
    }

    /// tan(π·self).
    ///
    /// # Errors
    /// [`Pole`](FunctionError::Pole) if the coefficient of degree 0 contains an odd multiple of
    /// 1/2.
    pub fn tanpi(&self) -> Result<Self, FunctionError> {
        self.tangent(self.coefficients[0].tanpi()?, &self.half_turns()?)
    }

    /// π·hᵢ.
    fn half_turns(&self) -> Result<Vec<Interval>, FunctionError> {
        self.theta_times(&Interval::pi(self.precision())?)
    }

    /// The series s and c with s′ = c·g′ and c′ = `sign`·s·g′, and these coefficients of degree 0;
    /// `h` is that of g's derivative.
    pub(super) fn waves(
        &self,
        s_0: Interval,
        c_0: Interval,
        h: &[Interval],
        sign: i64,
    ) -> Result<(Self, Self), FunctionError> {
        let precision = self.precision();
        let (mut s, mut c) = (vec![s_0], vec![c_0]);
        for k in 1..=self.order() {
            let s_k = convolution(h, &c, k, 1, precision)?.div_i64(k as i64)?;
            let c_k = convolution(h, &s, k, 1, precision)?.div_i64(sign * k as i64)?;
            s.push(s_k);
            c.push(c_k);
        }
        Ok((Self { coefficients: s }, Self { coefficients: c }))
    }

    /// The tangent of a series with its coefficient of degree 0, `h` that of its derivative.
    fn tangent(&self, c_0: Interval, h: &[Interval]) -> Result<Self, FunctionError> {
        let u_0 = Interval::from_f64(1.0, self.precision())?.add(&c_0.sqr()?)?;
        self.by_square(c_0, u_0, h, false)
    }

    /// The series c with c′ = u·g′, where u is 1 + c², or 1 − c² if that is negated, and these
    /// coefficients of degree 0; `h` is that of g's derivative.
    pub(super) fn by_square(
        &self,
        c_0: Interval,
        u_0: Interval,
        h: &[Interval],
        is_negated: bool,
    ) -> Result<Self, FunctionError> {
        let precision = self.precision();
        let (mut c, mut u) = (vec![c_0], vec![u_0]);
        for k in 1..=self.order() {
            c.push(convolution(h, &u, k, 1, precision)?.div_i64(k as i64)?);
            let square = square_coefficient(&c, k, precision)?;
            u.push(if is_negated { square.neg() } else { square });
        }
        Ok(Self { coefficients: c })
    }
}
