//! Sine, cosine and tangent of intervals of any width: extrema and poles are found by exact
//! reduction.
//!
//! # Reduction
//!
//! The quadrant of x is the integer n with n·π/2 ≤ x < (n+1)·π/2. It is computed from an enclosure
//! of 2x/π: if the floors of both ends agree, that is n. A binary number x ≠ 0 is no multiple of
//! the irrational π/2, so doubling the precision separates them after finitely many steps (Ziv's
//! strategy); x = 0 has n = 0.
//!
//! The boundaries n·π/2 inside (lo, hi] are then n(lo)+1, …, n(hi): sin has its maximum 1 where n ≡
//! 1 and its minimum −1 where n ≡ 3 (mod 4), cos where n ≡ 0 and n ≡ 2, and tan a pole where n is
//! odd. Where no maximum lies in (lo, hi], the greatest value is taken at an endpoint, as a
//! differentiable function has its other extremes at critical points; likewise the least value.

use std::cmp::Ordering;

use rug::float::{Constant, Round};
use rug::ops::{AssignRound, CompleteRound};
use rug::{Float, Integer};

use super::Interval;
use crate::error::FunctionError;

/// Arguments of sin, cos and tan with |x| ≥ 2^65536 are not reduced: it would take π to more bits
/// than that. The sine and cosine are then enclosed by [−1, 1] (sound, and useless), the tangent is
/// an error.
pub const MAX_ANGLE_EXPONENT: i32 = 1 << 16;

impl Interval {
    /// sin(self).
    pub fn sin(&self) -> Result<Self, FunctionError> {
        self.wave("sin", self.boundaries(), 1, |result, x, round| result.assign_round(x.sin_ref(), round))
    }

    /// cos(self).
    pub fn cos(&self) -> Result<Self, FunctionError> {
        self.wave("cos", self.boundaries(), 0, |result, x, round| result.assign_round(x.cos_ref(), round))
    }

    /// tan(self).
    ///
    /// # Errors
    /// [`Pole`](FunctionError::Pole) if an odd multiple of π/2 lies in the interval,
    /// [`AngleTooLarge`](FunctionError::AngleTooLarge) beyond [`MAX_ANGLE_EXPONENT`].
    pub fn tan(&self) -> Result<Self, FunctionError> {
        let Some(boundaries) = self.boundaries() else {
            return Err(FunctionError::AngleTooLarge { function: "tan".into(), at: self.to_string() });
        };
        if boundaries.contain(1, 2) {
            return Err(self.pole("tan"));
        }
        self.increasing("tan", |result, x, round| result.assign_round(x.tan_ref(), round))
    }

    /// A wave with its maxima 1 at the boundaries n ≡ `crest` (mod 4) of its quadrants and its
    /// minima −1 at n ≡ `crest` + 2; [−1, 1] if the boundaries in the interval are not known.
    pub(super) fn wave(
        &self,
        function: &str,
        boundaries: Option<Boundaries>,
        crest: u32,
        f: impl Fn(&mut Float, &Float, Round) -> Ordering,
    ) -> Result<Self, FunctionError> {
        let p = self.precision();
        let Some(boundaries) = boundaries else {
            return Ok(Self { lo: Float::with_val(p, -1), hi: Float::with_val(p, 1) });
        };
        if self.is_point() {
            return self.increasing(function, f);
        }
        let (mut at_lo, mut at_hi) = (Float::new(p), Float::new(p));
        let lo = if boundaries.contain(crest + 2, 4) {
            Float::with_val(p, -1)
        } else {
            f(&mut at_lo, &self.lo, Round::Down);
            f(&mut at_hi, &self.hi, Round::Down);
            at_lo.clone().min(&at_hi)
        };
        let hi = if boundaries.contain(crest, 4) {
            Float::with_val(p, 1)
        } else {
            f(&mut at_lo, &self.lo, Round::Up);
            f(&mut at_hi, &self.hi, Round::Up);
            at_lo.max(&at_hi)
        };
        Self::checked(lo, hi, function, || self.to_string())
    }

    /// Whether n·π/2 with n ≡ `residue` (mod 4) lies in (lo, hi]; yes if that is not known.
    pub(crate) fn holds_quarter_turn(&self, residue: u32) -> bool {
        self.boundaries().is_none_or(|boundaries| boundaries.contain(residue, 4))
    }

    /// The multiples of π/2 in (lo, hi]; `None` beyond [`MAX_ANGLE_EXPONENT`].
    fn boundaries(&self) -> Option<Boundaries> {
        if self.mag_ref().get_exp().is_some_and(|e| e > MAX_ANGLE_EXPONENT) {
            return None;
        }
        if self.is_point() {
            return Some(Boundaries { after: Integer::new(), last: Integer::new() }); // (x, x] is empty
        }
        Some(Boundaries { after: quadrant(&self.lo), last: quadrant(&self.hi) })
    }
}

/// The integers n with after < n ≤ last.
pub(super) struct Boundaries {
    pub(super) after: Integer,
    pub(super) last: Integer,
}

impl Boundaries {
    /// Whether some n of these is ≡ `residue` modulo `modulus`.
    pub(super) fn contain(&self, residue: u32, modulus: u32) -> bool {
        // the largest n ≤ last with that residue
        let excess = Integer::from(&self.last - residue).mod_u(modulus);
        Integer::from(&self.last - excess) > self.after
    }
}

/// ⌊2x/π⌋ for a finite x below 2^[`MAX_ANGLE_EXPONENT`].
fn quadrant(x: &Float) -> Integer {
    let exponent = x.get_exp().unwrap_or(0); // None for 0 only: x is finite
    if exponent <= 0 {
        // |x| < 1 < π/2
        return if *x < 0 { Integer::from(-1) } else { Integer::new() };
    }
    let mut precision = exponent.unsigned_abs() + 64;
    loop {
        // 2x/π is least for the pi that is farthest from 0 if x > 0, and nearest to 0 if x < 0
        let (pi_down, pi_up) = (
            Float::with_val_round(precision, Constant::Pi, Round::Down).0,
            Float::with_val_round(precision, Constant::Pi, Round::Up).0,
        );
        let (for_least, for_greatest) = if *x > 0 { (&pi_up, &pi_down) } else { (&pi_down, &pi_up) };
        let least: Float = (x / for_least).complete_round(precision, Round::Down).0 << 1;
        let greatest: Float = (x / for_greatest).complete_round(precision, Round::Up).0 << 1;
        let floors = (least.floor().to_integer(), greatest.floor().to_integer());
        if let (Some(least), Some(greatest)) = floors
            && least == greatest
        {
            return least;
        }
        precision *= 2; // exact reduction terminates: 2x/π is irrational
    }
}
