//! Sine, cosine and tangent of π·x for intervals of any width: unlike in radians, the reduction is
//! exact and cheap.
//!
//! # Reduction
//!
//! The quadrant of x is ⌊2x⌋, an integer, and the boundaries of quadrants in (lo, hi] are ⌊2·lo⌋+1,
//! …, ⌊2·hi⌋; sinPi has its maximum 1 at x = n/2 with n ≡ 1 and its minimum −1 with n ≡ 3 (mod 4),
//! cosPi with n ≡ 0 and n ≡ 2, and tanPi a pole where n is odd. An interval at least as wide as the
//! period 2 has them all. A narrower one that is no point has small integers: with |x| < 2^e at the
//! larger end and p bits, both ends are multiples of 2^(e−1−p) (the other one is at least half as
//! large as soon as e > 2) and differ by less than 2, so e ≤ p + 1.
//!
//! At points MPFR reduces modulo 2 by exact integer arithmetic, however large the argument is.

use rug::float::Round;
use rug::ops::{AssignRound, CompleteRound};
use rug::{Float, Integer};

use super::Interval;
use super::trigonometric::Boundaries;
use crate::error::FunctionError;

impl Interval {
    /// sin(π·self), exact at multiples of 1/2.
    pub fn sinpi(&self) -> Result<Self, FunctionError> {
        self.wave("sinpi", self.half_integers(), 1, |result, x, round| {
            result.assign_round(x.sin_pi_ref(), round)
        })
    }

    /// cos(π·self), exact at multiples of 1/2.
    pub fn cospi(&self) -> Result<Self, FunctionError> {
        self.wave("cospi", self.half_integers(), 0, |result, x, round| {
            result.assign_round(x.cos_pi_ref(), round)
        })
    }

    /// tan(π·self), exact at multiples of 1/4.
    ///
    /// # Errors
    /// [`Pole`](FunctionError::Pole) if an odd multiple of 1/2 lies in the interval.
    pub fn tanpi(&self) -> Result<Self, FunctionError> {
        let is_free = self.half_integers().is_some_and(|boundaries| !boundaries.contain(1, 2));
        if !is_free || is_odd_half(&self.lo) {
            return Err(self.pole("tanpi"));
        }
        self.increasing("tanpi", |result, x, round| result.assign_round(x.tan_pi_ref(), round))
    }

    /// Whether n/2 with n ≡ `residue` (mod 4) lies in (lo, hi]; yes if that is not known.
    pub(crate) fn holds_half(&self, residue: u32) -> bool {
        self.half_integers().is_none_or(|boundaries| boundaries.contain(residue, 4))
    }

    /// The integers n with n/2 in (lo, hi]; `None` if the interval is as wide as a period.
    fn half_integers(&self) -> Option<Boundaries> {
        if self.is_point() {
            return Some(Boundaries { after: Integer::new(), last: Integer::new() }); // (x, x] is empty
        }
        let width = (&self.hi - &self.lo).complete_round(self.precision(), Round::Down).0;
        if width >= 2 {
            return None;
        }
        let quadrant = |x: &Float| Float::with_val(x.prec(), x << 1).floor().to_integer();
        // finite: what is less than 2 away from another number is far below the largest one
        Some(Boundaries { after: quadrant(&self.lo)?, last: quadrant(&self.hi)? })
    }
}

/// Whether x is an odd multiple of 1/2.
fn is_odd_half(x: &Float) -> bool {
    !x.is_integer() && Float::with_val(x.prec(), x << 1).is_integer()
}
