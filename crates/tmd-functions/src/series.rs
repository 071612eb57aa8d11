//! Truncated power series with interval coefficients: Taylor arithmetic.
//!
//! # What a series encloses
//!
//! A [`Series`] of f over an interval `at` has the coefficients C₀, …, Cₙ with
//!
//! > f⁽ᵏ⁾(ξ)/k! ∈ Cₖ for **every** ξ ∈ `at`
//!
//! (Moore, *Interval Analysis*, 1966, chapter 11). The variable itself is `at` + t, coefficients
//! (`at`, 1, 0, …), and each operation here maps enclosures of the coefficients of its operands to
//! an enclosure of those of its result: for a fixed ξ the recurrences below hold between real
//! numbers, and interval arithmetic contains them.
//!
//! # Taylor's theorem with it
//!
//! With c the series at a point X and C the series over an interval that holds X and X + t, f(X +
//! t) ∈ Σ_{k<n} cₖ·tᵏ + Cₙ·tⁿ (Lagrange's remainder). This is how a polynomial gets its rigorous
//! error bound, so the width of C over a *wide* interval matters: the recurrences are arranged so
//! that for a linear argument g₀ + g₁·t each coefficient is a product in which no quantity of mixed
//! sign appears twice.
//!
//! # Cost
//!
//! The operations are the classical O(n²) recurrences; coefficients that are exactly 0 are skipped,
//! which makes a function of a linear argument O(n).

mod bessel;
mod composition;
mod elementary;
mod error_function;
mod gamma;
mod hyperbolic;
mod inverse;
mod lambert;
mod pieces;
mod trigonometric;

#[cfg(test)]
mod tests;

use crate::error::FunctionError;
use crate::interval::{Interval, SumOfProducts};

/// The largest order of a series.
pub const MAX_ORDER: usize = 4096;

/// C₀ + C₁·t + … + Cₙ·tⁿ with interval coefficients; n is the order.
///
/// Invariant: 1 ≤ number of coefficients ≤ [`MAX_ORDER`] + 1. An operation on series of two orders
/// has the smaller one.
///
/// ```
/// use tmd_functions::{Interval, Series};
/// // 1/x over [2, 4]: the coefficient of degree 2 is 1/ξ³ for every ξ in [2, 4]
/// let x = Series::variable(&Interval::new(2.into_float(), 4.into_float())?, 2)?;
/// let reciprocal = x.recip()?;
/// assert_eq!(reciprocal.coefficient(2).unwrap().to_string(), "[1.5625e-2, 1.25e-1]");
/// # use rug::Float;
/// # trait IntoFloat { fn into_float(self) -> Float; }
/// # impl IntoFloat for i32 { fn into_float(self) -> Float { Float::with_val(53, self) } }
/// # Ok::<(), tmd_functions::FunctionError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    coefficients: Vec<Interval>,
}

impl Series {
    /// The series with these coefficients, degree 0 first.
    pub fn new(coefficients: Vec<Interval>) -> Result<Self, FunctionError> {
        match coefficients.len() {
            0 => Err(FunctionError::NoCoefficients),
            n => check_order(n - 1).map(|_| Self { coefficients }),
        }
    }

    /// The constant c: (c, 0, …, 0).
    pub fn constant(c: Interval, order: usize) -> Result<Self, FunctionError> {
        check_order(order)?;
        let zero = Interval::zero(c.precision())?;
        let mut coefficients = Vec::with_capacity(order + 1);
        coefficients.push(c);
        coefficients.resize(order + 1, zero);
        Ok(Self { coefficients })
    }

    /// The variable `at` + t: (`at`, 1, 0, …, 0).
    pub fn variable(at: &Interval, order: usize) -> Result<Self, FunctionError> {
        let mut series = Self::constant(at.clone(), order)?;
        if let Some(slope) = series.coefficients.get_mut(1) {
            *slope = Interval::from_f64(1.0, at.precision())?;
        }
        Ok(series)
    }

    /// The largest degree.
    pub fn order(&self) -> usize {
        self.coefficients.len() - 1 // never empty, by the invariant
    }

    /// The largest precision of the coefficients, in bits.
    pub fn precision(&self) -> u32 {
        self.coefficients.iter().map(Interval::precision).max().unwrap_or(crate::interval::MIN_PRECISION)
    }

    /// The coefficients, degree 0 first.
    pub fn coefficients(&self) -> &[Interval] {
        &self.coefficients
    }

    /// The coefficient of degree k, `None` beyond the order.
    pub fn coefficient(&self, k: usize) -> Option<&Interval> {
        self.coefficients.get(k)
    }

    /// The coefficients, degree 0 first.
    pub fn into_coefficients(self) -> Vec<Interval> {
        self.coefficients
    }

    /// The series cut to at most `order`.
    #[must_use]
    pub fn truncate(mut self, order: usize) -> Self {
        self.coefficients.truncate(order.saturating_add(1));
        self
    }

    /// Σ Cₖ·tᵏ by Horner's rule.
    pub fn evaluate(&self, t: &Interval) -> Result<Interval, FunctionError> {
        let mut sum = self.coefficients[self.order()].clone();
        for c in self.coefficients.iter().rev().skip(1) {
            sum = sum.mul(t)?.add(c)?;
        }
        Ok(sum)
    }

    /// self + other.
    pub fn add(&self, other: &Self) -> Result<Self, FunctionError> {
        self.termwise(other, Interval::add)
    }

    /// self − other.
    pub fn sub(&self, other: &Self) -> Result<Self, FunctionError> {
        self.termwise(other, Interval::sub)
    }

    /// −self.
    #[must_use]
    pub fn neg(&self) -> Self {
        Self { coefficients: self.coefficients.iter().map(Interval::neg).collect() }
    }

    /// self · c for a constant c.
    pub fn scale(&self, c: &Interval) -> Result<Self, FunctionError> {
        self.map(|coefficient| coefficient.mul(c))
    }

    /// self · other: cₖ = Σ aᵢ·bₖ₋ᵢ.
    pub fn mul(&self, other: &Self) -> Result<Self, FunctionError> {
        let (a, b) = (&self.coefficients, &other.coefficients);
        let precision = self.precision().max(other.precision());
        let order = self.order().min(other.order());
        let coefficients =
            (0..=order).map(|k| convolution(a, b, k, 0, precision)).collect::<Result<_, _>>()?;
        Ok(Self { coefficients })
    }

    /// self², with the square terms computed as squares: c₂ₘ = 2·Σ_{i<m} aᵢ·a₂ₘ₋ᵢ + aₘ².
    pub fn sqr(&self) -> Result<Self, FunctionError> {
        let precision = self.precision();
        let coefficients = (0..=self.order())
            .map(|k| square_coefficient(&self.coefficients, k, precision))
            .collect::<Result<_, _>>()?;
        Ok(Self { coefficients })
    }

    /// self / other: from c·b = a, cₖ = (aₖ − Σ_{i≥1} bᵢ·cₖ₋ᵢ)/b₀.
    ///
    /// # Errors
    /// [`Pole`](FunctionError::Pole) if the coefficient of degree 0 of `other` contains 0.
    pub fn div(&self, other: &Self) -> Result<Self, FunctionError> {
        let (a, b) = (&self.coefficients, &other.coefficients);
        let precision = self.precision().max(other.precision());
        let order = self.order().min(other.order());
        let mut c = Vec::with_capacity(order + 1);
        for (k, a_k) in a.iter().enumerate().take(order + 1) {
            let sum = convolution(b, &c, k, 1, precision)?;
            // exact zeros stay exact: 0/b₀ = 0 also needs 0 ∉ b₀, which k = 0 has checked
            c.push(a_k.sub(&sum)?.div(&b[0])?);
        }
        Ok(Self { coefficients: c })
    }

    /// 1 / self.
    ///
    /// # Errors
    /// [`Pole`](FunctionError::Pole) if the coefficient of degree 0 contains 0.
    pub fn recip(&self) -> Result<Self, FunctionError> {
        let one = Interval::from_f64(1.0, self.precision())?;
        Self::constant(one, self.order())?.div(self)
    }

    /// self^n; the power 0 is the constant 1.
    ///
    /// A linear series (the variable, most of all) goes by the binomial formula, cₖ = C(n,
    /// k)·g₁ᵏ·g₀ⁿ⁻ᵏ, as tight as interval powers are; others by repeated squaring, with the
    /// coefficient of degree 0 taken from [`Interval::powi`].
    ///
    /// # Errors
    /// [`Pole`](FunctionError::Pole) if n < 0 and the coefficient of degree 0 contains 0.
    pub fn powi(&self, n: i32) -> Result<Self, FunctionError> {
        if self.is_linear() {
            return self.linear_power(n);
        }
        let mut square = if n < 0 { self.recip()? } else { self.clone() };
        let mut exponent = n.unsigned_abs();
        let mut power: Option<Self> = None;
        while exponent != 0 {
            if exponent & 1 == 1 {
                power = Some(match power {
                    None => square.clone(),
                    Some(power) => power.mul(&square)?,
                });
            }
            exponent >>= 1;
            if exponent != 0 {
                square = square.sqr()?;
            }
        }
        let c_0 = self.coefficients[0].powi(n)?;
        match power {
            None => Self::constant(c_0, self.order()),
            Some(mut power) => {
                power.coefficients[0] = c_0;
                Ok(power)
            }
        }
    }

    /// (g₀ + g₁·t)ⁿ.
    fn linear_power(&self, n: i32) -> Result<Self, FunctionError> {
        let precision = self.precision();
        let g_0 = self.coefficients[0].round_to(precision)?;
        let mut c = Self::constant(g_0.powi(n)?, self.order())?.coefficients;
        let Some(g_1) = self.coefficients.get(1).filter(|g_1| !g_1.is_zero()) else {
            return Ok(Self { coefficients: c });
        };
        let mut binomial = rug::Integer::from(1);
        for (k, c_k) in (0..).zip(c.iter_mut()).skip(1) {
            // C(n, k) = C(n, k−1)·(n−k+1)/k, exact for negative n as well
            binomial *= n - k + 1;
            binomial.div_exact_u_mut(k.unsigned_abs());
            if binomial.is_zero() {
                break; // k > n ≥ 0
            }
            let power = g_0.powi(n - k)?.mul(&g_1.powi(k)?)?;
            *c_k = Interval::from_integer(&binomial, precision)?.mul(&power)?;
        }
        Ok(Self { coefficients: c })
    }

    /// Whether all coefficients beyond that of degree 1 are exactly 0.
    fn is_linear(&self) -> bool {
        self.coefficients.iter().skip(2).all(Interval::is_zero)
    }

    /// g₁, if this is g₀ + g₁·t.
    fn linear_slope(&self) -> Option<&Interval> {
        self.coefficients.get(1).filter(|_| self.is_linear())
    }

    /// The series with another coefficient of degree 0.
    pub(crate) fn with_constant(mut self, c_0: Interval) -> Self {
        self.coefficients[0] = c_0;
        self
    }

    /// self + n.
    fn plus(&self, n: i32) -> Result<Self, FunctionError> {
        let n = Interval::from_f64(n.into(), self.precision())?;
        Ok(self.clone().with_constant(self.coefficients[0].add(&n)?))
    }

    /// The coefficients hᵢ = i·gᵢ of t·g′.
    fn theta(&self) -> Result<Vec<Interval>, FunctionError> {
        self.coefficients.iter().zip(0..).map(|(g_i, i)| g_i.mul_i64(i)).collect()
    }

    /// The coefficients of t·g′ times a constant; an exact 0 stays one.
    fn theta_times(&self, factor: &Interval) -> Result<Vec<Interval>, FunctionError> {
        self.theta()?.iter().map(|h_i| h_i.mul(factor)).collect()
    }

    /// The function with the coefficient `c_0` of degree 0 whose derivative, times t, is the
    /// product of the series with the coefficients `h` and `w`: k·cₖ = Σ_{i=1..k} hᵢ·wₖ₋ᵢ.
    fn integral(&self, c_0: Interval, h: &[Interval], w: &Self) -> Result<Self, FunctionError> {
        let mut c = vec![c_0];
        for k in 1..=self.order() {
            c.push(convolution(h, &w.coefficients, k, 1, self.precision())?.div_i64(k as i64)?);
        }
        Ok(Self { coefficients: c })
    }

    /// The function f(g) of this series g with the value `c_0` whose derivative f′(g) has the
    /// series `slope`.
    pub(crate) fn with_slope(&self, c_0: Interval, slope: &Self) -> Result<Self, FunctionError> {
        self.integral(c_0, &self.theta()?, slope)
    }

    fn map(&self, f: impl Fn(&Interval) -> Result<Interval, FunctionError>) -> Result<Self, FunctionError> {
        let coefficients = self.coefficients.iter().map(f).collect::<Result<_, _>>()?;
        Ok(Self { coefficients })
    }

    fn termwise(
        &self,
        other: &Self,
        f: impl Fn(&Interval, &Interval) -> Result<Interval, FunctionError>,
    ) -> Result<Self, FunctionError> {
        let pairs = self.coefficients.iter().zip(&other.coefficients);
        let coefficients = pairs.map(|(a, b)| f(a, b)).collect::<Result<_, _>>()?;
        Ok(Self { coefficients })
    }
}

/// `order` if a series may have it.
fn check_order(order: usize) -> Result<usize, FunctionError> {
    if order <= MAX_ORDER { Ok(order) } else { Err(FunctionError::Order { order }) }
}

/// Σ aᵢ·bₖ₋ᵢ for `from` ≤ i ≤ k; terms with an exact 0 are skipped. Needs a₀…aₖ and b₀…bₖ₋f, f =
/// `from`.
fn convolution(
    a: &[Interval],
    b: &[Interval],
    k: usize,
    from: usize,
    precision: u32,
) -> Result<Interval, FunctionError> {
    let mut sum = SumOfProducts::new(precision);
    for i in from..=k {
        if !a[i].is_zero() && !b[k - i].is_zero() {
            sum.add(&a[i], &b[k - i]);
        }
    }
    sum.finish()
}

/// The coefficient of degree k of a².
fn square_coefficient(a: &[Interval], k: usize, precision: u32) -> Result<Interval, FunctionError> {
    let mut sum = SumOfProducts::new(precision);
    for i in 0..k.div_ceil(2) {
        if !a[i].is_zero() && !a[k - i].is_zero() {
            sum.add(&a[i], &a[k - i]);
        }
    }
    sum.double();
    let sum = sum.finish()?;
    if k % 2 == 1 || a[k / 2].is_zero() { Ok(sum) } else { sum.add(&a[k / 2].sqr()?) }
}
