//! The Bessel functions J₀, J₁ (first kind) and Y₀, Y₁ (second kind) of intervals. At numbers MPFR
//! rounds them correctly.
//!
//! # How they run
//!
//! With C = J or Y: C₀′ = −C₁, C₁′ = C₀ − C₁/x, and from these C₁″ = −C₁′/x − (1 − 1/x²)·C₁ (DLMF
//! 10.6.3, 10.2.1). Over an interval of midpoint m and radius r the derivative f′ has no zero
//! if |f′(m)| exceeds r·max |f″|; then f is monotonic. Bounds:
//!
//! * Jₙ(x) = (1/π)·∫₀^π cos(nθ − x·sin θ) dθ (DLMF 10.9.2), so |Jₙ⁽ᵏ⁾| ≤ (1/π)·∫ sinᵏθ dθ, which is
//!   1 for k = 0, 2/π for k = 1 and at most 1/2 for k ≥ 2, everywhere;
//! * |J₁| ≤ 1/√2 = 0.70710… (DLMF 10.14.1);
//! * Mₙ = √(Jₙ² + Yₙ²) decreases for x > 0 (by Nicholson's integral, DLMF 10.9.30), so |Yₙ| ≤ Mₙ(a)
//!   for x ≥ a > 0, and with the equations above |C₁′| ≤ M₀(a) + M₁(a)/a =: D and |C₁″| ≤ D/a +
//!   (1 + 1/a²)·M₁(a).
//!
//! Where the sign of the derivative stays in doubt, the values are enclosed by these bounds alone.
//! Y₀ and Y₁ are also known to increase up to their first extrema, 2.197… and 3.683… (DLMF table
//! 10.21 and Abramowitz and Stegun, table 9.5), as J₁ does up to 1.841… and J₀ decreases up to
//! 3.831….
//!
//! Lemma P.24 of docs/proofs/piece.md.

use std::cmp::Ordering;

use rug::Float;
use rug::float::Round;
use rug::ops::{AssignRound, CompleteRound};

use super::Interval;
use super::elementary::DomainRelation;
use super::trigonometric::MAX_ANGLE_EXPONENT;
use crate::error::FunctionError;

/// Bits of bounds.
const BITS: u32 = 64;

/// The derivatives of Jₙ of order 1 are at most 2/π = 0.6366….
pub(crate) const FIRST_DERIVATIVE: f64 = 0.6367;

/// Those of higher order: the integral of sin² is π/2.
pub(crate) const HIGHER_DERIVATIVES: f64 = 0.5;

impl Interval {
    /// J₀(self), which is even.
    ///
    /// # Errors
    /// [`AngleTooLarge`](FunctionError::AngleTooLarge) beyond [`MAX_ANGLE_EXPONENT`], as for all of
    /// these functions.
    pub fn j0(&self) -> Result<Self, FunctionError> {
        let x = self.bounded("j0")?.abs()?;
        let value = |y: &mut Float, x: &Float, round| y.assign_round(x.j0_ref(), round);
        if x.hi <= 3 {
            return x.decreasing("j0", value);
        }
        let slope = |m: &Float| -Float::with_val(BITS, m.j1_ref());
        x.cylinder("j0", slope, HIGHER_DERIVATIVES, || envelope(0, &x.lo, 1.0), value)
    }

    /// J₁(self), which is odd.
    ///
    /// # Errors
    /// As for [`Interval::j0`].
    pub fn j1(&self) -> Result<Self, FunctionError> {
        self.bounded("j1")?;
        let value = |y: &mut Float, x: &Float, round| y.assign_round(x.j1_ref(), round);
        if self.lo >= -1.75 && self.hi <= 1.75 {
            return self.increasing("j1", value);
        }
        // J₁′ = (J₀ − J₂)/2
        let slope =
            |m: &Float| (Float::with_val(BITS, m.j0_ref()) - Float::with_val(BITS, m.jn_ref(2))) / 2u32;
        self.cylinder("j1", slope, HIGHER_DERIVATIVES, || envelope(1, &self.mig(), 0.7072), value)
    }

    /// Y₀(self).
    ///
    /// # Errors
    /// [`OutsideDomain`](FunctionError::OutsideDomain) unless self > 0, and as for
    /// [`Interval::j0`].
    pub fn y0(&self) -> Result<Self, FunctionError> {
        self.positive("y0")?;
        let value = |y: &mut Float, x: &Float, round| y.assign_round(x.y0_ref(), round);
        if self.hi <= 2 {
            return self.increasing("y0", value);
        }
        let slope = |m: &Float| -Float::with_val(BITS, m.y1_ref());
        let bounds = Bounds::new(&self.lo);
        self.cylinder("y0", slope, bounds.slope, || modulus(0, &self.lo), value)
    }

    /// Y₁(self).
    ///
    /// # Errors
    /// As for [`Interval::y0`].
    pub fn y1(&self) -> Result<Self, FunctionError> {
        self.positive("y1")?;
        let value = |y: &mut Float, x: &Float, round| y.assign_round(x.y1_ref(), round);
        if self.hi <= 3.5 {
            return self.increasing("y1", value);
        }
        let slope = |m: &Float| Float::with_val(BITS, m.y0_ref()) - Float::with_val(BITS, m.y1_ref()) / m;
        let bounds = Bounds::new(&self.lo);
        self.cylinder("y1", slope, bounds.curvature, || modulus(1, &self.lo), value)
    }

    /// J₀, …, Jₙ over the interval; of a wide one an enclosure that shrinks with it.
    pub(crate) fn bessel_j(&self, last: usize) -> Result<Vec<Self>, FunctionError> {
        self.bounded("j0")?;
        (0..=last as i32)
            .map(|n| match n {
                0 => self.j0(),
                1 => self.j1(),
                n => self.bessel_jn(n),
            })
            .collect()
    }

    /// Jₙ for n ≥ 2.
    fn bessel_jn(&self, n: i32) -> Result<Self, FunctionError> {
        let p = self.precision();
        let value = |y: &mut Float, x: &Float, round| y.assign_round(x.jn_ref(n), round);
        if self.is_point() {
            return self.between(&self.lo, &self.lo, "jn", value);
        }
        // up to n ≤ j′ₙ the function increases from 0 (DLMF 10.21.3)
        let x = self.abs()?;
        if x.hi <= n {
            let values = x.increasing("jn", value)?;
            return Ok(match (n % 2 == 0, self.lo >= 0, self.hi <= 0) {
                (true, _, _) | (_, true, _) => values,
                (_, _, true) => values.neg(),
                _ => values.hull(&values.neg()),
            });
        }
        let middle = Self::point(self.midpoint())?.bessel_jn(n)?;
        let spread = Float::with_val_round(p, self.radius()? * FIRST_DERIVATIVE, Round::Up).0;
        let values = middle.add(&Self { lo: -spread.clone(), hi: spread })?;
        let one = Float::with_val(p, 1);
        Ok(values.intersection(&Self { lo: -one.clone(), hi: one }).unwrap_or(values))
    }

    /// The range of a function with this derivative, whose own derivative is at most `curvature`;
    /// where it may have an extremum, the values are at most `most`, or everything.
    fn cylinder(
        &self,
        function: &str,
        slope: impl Fn(&Float) -> Float,
        curvature: f64,
        most: impl Fn() -> f64,
        value: impl Fn(&mut Float, &Float, Round) -> Ordering,
    ) -> Result<Self, FunctionError> {
        if self.is_point() {
            return self.increasing(function, value);
        }
        let middle = self.midpoint();
        let change = Float::with_val_round(BITS, self.radius()? * curvature, Round::Up).0;
        let slope = slope(&middle);
        // the slope is made of one or two numbers of 64 bits that are less than 2^10 times this
        // bound, each rounded thrice at most
        let doubt = Float::with_val(BITS, curvature.max(1.0)) >> (BITS - 16);
        let change = Float::with_val_round(BITS, change + doubt, Round::Up).0;
        if slope > change {
            return self.increasing(function, value);
        }
        if slope < -change {
            return self.decreasing(function, value);
        }
        let most = most();
        if !most.is_finite() {
            return Err(super::overflow(function, self.to_string()));
        }
        let most = Float::with_val_round(self.precision(), most, Round::Up).0;
        Ok(Self { lo: -most.clone(), hi: most })
    }

    fn positive(&self, function: &str) -> Result<(), FunctionError> {
        match DomainRelation::new(self.lo > 0, self.hi <= 0) {
            DomainRelation::Inside => self.bounded(function).map(|_| ()),
            place => Err(self.outside_domain(function, place)),
        }
    }

    fn bounded(&self, function: &str) -> Result<&Self, FunctionError> {
        if self.mag().get_exp().is_some_and(|e| e > MAX_ANGLE_EXPONENT) {
            return Err(FunctionError::AngleTooLarge { function: function.into(), at: self.to_string() });
        }
        Ok(self)
    }
}

/// Bounds of the derivatives of C₁ for x ≥ a.
struct Bounds {
    /// of C₁′
    slope: f64,
    /// of C₁″
    curvature: f64,
}

impl Bounds {
    fn new(a: &Float) -> Self {
        let up = |x: Float| x.to_f64_round(Round::Up);
        let a = a.to_f64_round(Round::Down);
        let [m_0, m_1] = [0, 1].map(|n| modulus(n, &Float::with_val(BITS, a)));
        // a relative 2^-40 is more than the roundings of these few operations
        let more = |x: f64| up(Float::with_val(BITS, x) * (1.0 + 2f64.powi(-40)));
        let slope = more(m_0 + m_1 / a);
        Self { slope, curvature: more(slope / a + (1.0 + 1.0 / (a * a)) * m_1) }
    }
}

/// √(Jₙ² + Yₙ²) at a > 0, rounded up.
fn modulus(n: i32, a: &Float) -> f64 {
    let [j, y] = [
        a.jn_ref(n).complete_round(BITS, Round::AwayZero).0,
        a.yn_ref(n).complete_round(BITS, Round::AwayZero).0,
    ];
    j.hypot_ref(&y).complete_round(BITS, Round::Up).0.to_f64_round(Round::Up)
}

/// The same of Jₙ, which is at most `limit` anywhere.
fn envelope(n: i32, a: &Float, limit: f64) -> f64 {
    if a.is_zero() { limit } else { modulus(n, a).min(limit) }
}
