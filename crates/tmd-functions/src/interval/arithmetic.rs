//! The four operations, integer powers and scaling: the extreme points are endpoints, chosen by
//! sign.

use rug::float::Round;
use rug::ops::{AddAssignRound, AssignRound, CompleteRound};
use rug::{Assign, Float};

use super::{Interval, pole};
use crate::error::FunctionError;

/// The product of two endpoints, not yet rounded.
type Corner<'a> = (&'a Float, &'a Float);

/// Where the least and the greatest product of two intervals are taken.
enum Corners<'a> {
    /// One corner each.
    Known { lo: Corner<'a>, hi: Corner<'a> },
    /// Both intervals have 0 inside: two candidates each.
    Mixed { lo: [Corner<'a>; 2], hi: [Corner<'a>; 2] },
}

impl Interval {
    /// self + other.
    pub fn add(&self, other: &Self) -> Result<Self, FunctionError> {
        let p = self.precision().max(other.precision());
        let lo = (&self.lo + &other.lo).complete_round(p, Round::Down).0;
        let hi = (&self.hi + &other.hi).complete_round(p, Round::Up).0;
        Self::checked(lo, hi, "addition", || format!("{self}, {other}"))
    }

    /// self − other.
    pub fn sub(&self, other: &Self) -> Result<Self, FunctionError> {
        let p = self.precision().max(other.precision());
        let lo = (&self.lo - &other.hi).complete_round(p, Round::Down).0;
        let hi = (&self.hi - &other.lo).complete_round(p, Round::Up).0;
        Self::checked(lo, hi, "subtraction", || format!("{self}, {other}"))
    }

    /// −self, exactly.
    #[must_use]
    pub fn neg(&self) -> Self {
        Self { lo: -self.hi.clone(), hi: -self.lo.clone() }
    }

    /// self · other.
    pub fn mul(&self, other: &Self) -> Result<Self, FunctionError> {
        let p = self.precision().max(other.precision());
        let down = |(x, y): Corner<'_>| (x * y).complete_round(p, Round::Down).0;
        let up = |(x, y): Corner<'_>| (x * y).complete_round(p, Round::Up).0;
        let (lo, hi) = match corners(self, other) {
            Corners::Known { lo, hi } => (down(lo), up(hi)),
            Corners::Mixed { lo, hi } => (down(lo[0]).min(&down(lo[1])), up(hi[0]).max(&up(hi[1]))),
        };
        Self::checked(lo, hi, "multiplication", || format!("{self}, {other}"))
    }

    /// self / other.
    ///
    /// # Errors
    /// [`Pole`](FunctionError::Pole) if `other` contains 0.
    pub fn div(&self, other: &Self) -> Result<Self, FunctionError> {
        if other.contains_zero() {
            return Err(pole("division", other.to_string(), other.is_zero()));
        }
        let p = self.precision().max(other.precision());
        // For a positive divisor the least quotient is taken at lo, over the divisor that makes it
        // least: the largest if lo ≥ 0, else the smallest. A negative divisor exchanges the roles
        // of the ends of both.
        let (num_lo, num_hi) = if other.lo > 0 { (&self.lo, &self.hi) } else { (&self.hi, &self.lo) };
        let den_lo = if *num_lo >= 0 { &other.hi } else { &other.lo };
        let den_hi = if *num_hi >= 0 { &other.lo } else { &other.hi };
        let lo = (num_lo / den_lo).complete_round(p, Round::Down).0;
        let hi = (num_hi / den_hi).complete_round(p, Round::Up).0;
        Self::checked(lo, hi, "division", || format!("{self}, {other}"))
    }

    /// self², tighter than `self.mul(&self)` when 0 is inside.
    pub fn sqr(&self) -> Result<Self, FunctionError> {
        self.powi(2)
    }

    /// self^n; x^0 is 1 for every x, 0 included.
    ///
    /// An even power is monotonic in |x|, an odd one in x (for n < 0: on either side of 0).
    ///
    /// # Errors
    /// [`Pole`](FunctionError::Pole) if n < 0 and self contains 0.
    pub fn powi(&self, n: i32) -> Result<Self, FunctionError> {
        use rug::ops::Pow;
        let p = self.precision();
        if n < 0 && self.contains_zero() {
            return Err(pole(format!("the power {n}"), self.to_string(), self.is_zero()));
        }
        let power = |x: &Float, round| x.pow(n).complete_round(p, round).0;
        let (least, greatest) = if n % 2 == 0 {
            (self.mig(), self.mag()) // |x|
        } else {
            (self.lo.clone(), self.hi.clone())
        };
        let (least, greatest) = if n < 0 { (greatest, least) } else { (least, greatest) };
        Self::checked(power(&least, Round::Down), power(&greatest, Round::Up), "integer power", || {
            format!("{self}, {n}")
        })
    }

    /// self · 2^exponent (exact unless the exponent range is left).
    pub fn mul_2exp(&self, exponent: i32) -> Result<Self, FunctionError> {
        let p = self.precision();
        let lo = (&self.lo << exponent).complete_round(p, Round::Down).0;
        let hi = (&self.hi << exponent).complete_round(p, Round::Up).0;
        Self::checked(lo, hi, "scaling by a power of two", || format!("{self}, {exponent}"))
    }

    /// self · n.
    pub fn mul_i64(&self, n: i64) -> Result<Self, FunctionError> {
        let p = self.precision();
        let (least, greatest) = if n >= 0 { (&self.lo, &self.hi) } else { (&self.hi, &self.lo) };
        let lo = (least * n).complete_round(p, Round::Down).0;
        let hi = (greatest * n).complete_round(p, Round::Up).0;
        Self::checked(lo, hi, "multiplication", || format!("{self}, {n}"))
    }

    /// self / n.
    ///
    /// # Errors
    /// [`Pole`](FunctionError::Pole) if n = 0.
    pub fn div_i64(&self, n: i64) -> Result<Self, FunctionError> {
        if n == 0 {
            return Err(pole("division", "0".into(), true));
        }
        let p = self.precision();
        let (least, greatest) = if n > 0 { (&self.lo, &self.hi) } else { (&self.hi, &self.lo) };
        let lo = (least / n).complete_round(p, Round::Down).0;
        let hi = (greatest / n).complete_round(p, Round::Up).0;
        Self::checked(lo, hi, "division", || format!("{self}, {n}"))
    }
}

/// A sum of products Σ aᵢ·bᵢ in place: one fused multiply-add and no allocation per endpoint and
/// term.
///
/// Each addition is rounded outward, so after every step the ends bound the exact sum of the exact
/// ranges so far. An infinity stays one (or turns into NaN), so the check at the end sees
/// everything.
pub(crate) struct SumOfProducts {
    lo: Float,
    hi: Float,
}

impl SumOfProducts {
    /// The empty sum, 0, at `precision` bits (the caller's intervals have passed the check of their
    /// precision).
    pub(crate) fn new(precision: u32) -> Self {
        Self { lo: Float::new(precision), hi: Float::new(precision) }
    }

    /// Adds a · b.
    pub(crate) fn add(&mut self, a: &Interval, b: &Interval) {
        match corners(a, b) {
            Corners::Known { lo, hi } => {
                self.lo.add_assign_round(lo.0 * lo.1, Round::Down);
                self.hi.add_assign_round(hi.0 * hi.1, Round::Up);
            }
            Corners::Mixed { lo, hi } => {
                let mut other = self.lo.clone();
                other.add_assign_round(lo[1].0 * lo[1].1, Round::Down);
                self.lo.add_assign_round(lo[0].0 * lo[0].1, Round::Down);
                if other < self.lo {
                    self.lo.assign(&other);
                }
                other.assign(&self.hi);
                other.add_assign_round(hi[1].0 * hi[1].1, Round::Up);
                self.hi.add_assign_round(hi[0].0 * hi[0].1, Round::Up);
                if other > self.hi {
                    self.hi.assign(&other);
                }
            }
        }
    }

    /// Doubles the sum.
    pub(crate) fn double(&mut self) {
        let (lo, hi) = (self.lo.clone(), self.hi.clone());
        self.lo.assign_round(&lo << 1, Round::Down);
        self.hi.assign_round(&hi << 1, Round::Up);
    }

    /// The sum as an interval.
    pub(crate) fn finish(self) -> Result<Interval, FunctionError> {
        Interval::checked(self.lo, self.hi, "a sum of products", || "series coefficients".into())
    }
}

/// The corners of the rectangle a × b where the product is least and greatest: a bilinear function
/// on a rectangle takes its extremes at corners, and the signs tell which (Moore 1966, section
/// 2.2).
fn corners<'a>(a: &'a Interval, b: &'a Interval) -> Corners<'a> {
    let ((al, ah), (bl, bh)) = ((&a.lo, &a.hi), (&b.lo, &b.hi));
    let (lo, hi) = if *al >= 0 {
        (if *bl >= 0 { (al, bl) } else { (ah, bl) }, if *bh >= 0 { (ah, bh) } else { (al, bh) })
    } else if *ah <= 0 {
        (if *bh >= 0 { (al, bh) } else { (ah, bh) }, if *bl >= 0 { (ah, bl) } else { (al, bl) })
    } else if *bl >= 0 {
        ((al, bh), (ah, bh))
    } else if *bh <= 0 {
        ((ah, bl), (al, bl))
    } else {
        return Corners::Mixed { lo: [(al, bh), (ah, bl)], hi: [(al, bl), (ah, bh)] };
    };
    Corners::Known { lo, hi }
}
