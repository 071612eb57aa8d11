//! Bessel functions of a series, from their coefficients over an interval.
//!
//! * Of Jₙ the derivatives are finite sums: Jₙ⁽ᵏ⁾ = 2^(−k)·Σⱼ (−1)ʲ·C(k, j)·Jₙ₋ₖ₊₂ⱼ with J₋ₘ =
//!   (−1)ᵐ·Jₘ (DLMF 10.6.7, 10.4.1): nothing is divided by x, at 0 they are exact, and all are cut
//!   to the bounds that hold everywhere (see [`Interval::j0`]).
//! * Of u = Y₀ and v = Y₁ over x > 0, u′ = −v and x·v′ = x·u − v give (k + 1)·uₖ₊₁ = −vₖ and
//!   x·(k + 1)·vₖ₊₁ = x·uₖ + uₖ₋₁ − (k + 1)·vₖ.
//!
//! Lemma P.25 of docs/proofs/piece.md.

use rug::{Float, Integer};

use super::Series;
use crate::error::FunctionError;
use crate::interval::{FIRST_DERIVATIVE, HIGHER_DERIVATIVES, Interval};

/// Bits that sums lose.
const GUARD_BITS: u32 = 32;

impl Series {
    /// J₀.
    ///
    /// # Errors
    /// As for [`Interval::j0`].
    pub fn j0(&self) -> Result<Self, FunctionError> {
        self.first_kind(0, self.coefficients[0].j0()?)
    }

    /// J₁. Errors as for [`Series::j0`].
    pub fn j1(&self) -> Result<Self, FunctionError> {
        self.first_kind(1, self.coefficients[0].j1()?)
    }

    /// Y₀.
    ///
    /// # Errors
    /// As for [`Interval::y0`].
    pub fn y0(&self) -> Result<Self, FunctionError> {
        let c_0 = self.coefficients[0].y0()?;
        let [mut outer, _] = self.second_kind()?;
        outer[0] = c_0;
        self.compose(outer)
    }

    /// Y₁. Errors as for [`Series::y0`].
    pub fn y1(&self) -> Result<Self, FunctionError> {
        let c_0 = self.coefficients[0].y1()?;
        let [_, mut outer] = self.second_kind()?;
        outer[0] = c_0;
        self.compose(outer)
    }

    /// Jₙ for n = 0 or 1, with the value `c_0`.
    fn first_kind(&self, n: i64, c_0: Interval) -> Result<Self, FunctionError> {
        let precision = self.precision();
        let x = self.coefficients[0].round_to(precision.saturating_add(GUARD_BITS))?;
        let j = x.bessel_j(self.order() + n as usize)?;
        let mut outer = vec![c_0];
        let mut factorial = Interval::from_f64(1.0, x.precision())?;
        for k in 1..=self.order() as i64 {
            let mut sum = Interval::zero(x.precision())?;
            let mut binomial = Integer::from(1);
            for i in 0..=k {
                let m = n - k + 2 * i;
                let is_negative = (i % 2 != 0) ^ (m < 0 && m % 2 != 0);
                let term =
                    j[m.unsigned_abs() as usize].mul(&Interval::from_integer(&binomial, x.precision())?)?;
                sum = if is_negative { sum.sub(&term)? } else { sum.add(&term)? };
                binomial = binomial * (k - i) / (i + 1);
            }
            factorial = factorial.mul_i64(k)?;
            let mut c = sum.mul_2exp(-(k as i32))?.div(&factorial)?.round_to(precision)?;
            let bound = if k == 1 { FIRST_DERIVATIVE } else { HIGHER_DERIVATIVES };
            c.cut_to_magnitude(&Interval::point(Float::with_val(64, bound))?.div(&factorial)?);
            outer.push(c.round_to(precision)?);
        }
        self.compose(outer)
    }

    /// The coefficients of Y₀ and Y₁.
    fn second_kind(&self) -> Result<[Vec<Interval>; 2], FunctionError> {
        let precision = self.precision();
        let x = self.coefficients[0].round_to(precision.saturating_add(GUARD_BITS))?;
        let (mut u, mut v) = (vec![x.y0()?], vec![x.y1()?]);
        for k in 0..self.order() {
            let next = k as i64 + 1;
            u.push(v[k].div_i64(-next)?);
            let lost = v[k].mul_i64(next)?;
            let lost = if k == 0 { lost.neg() } else { u[k - 1].sub(&lost)? };
            v.push(u[k].add(&lost.div(&x)?)?.div_i64(next)?);
        }
        let rounded = |c: Vec<Interval>| c.iter().map(|c| c.round_to(precision)).collect::<Result<_, _>>();
        Ok([rounded(u)?, rounded(v)?])
    }
}
