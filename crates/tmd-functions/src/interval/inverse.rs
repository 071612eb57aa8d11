//! The inverse trigonometric functions, also in half-turns (asinPi x = asin x / π), and the error
//! functions.
//!
//! All are monotonic, and MPFR rounds each correctly, those in half-turns included: nothing is
//! divided here.

use std::cmp::Ordering;

use rug::Float;
use rug::float::Round;
use rug::ops::{AssignRound, CompleteRound};

use super::Interval;
use super::elementary::{DomainRelation, everywhere, monotonic};
use crate::error::FunctionError;

/// The domain of the inverse sine and cosine.
fn unit_interval(x: &Interval) -> DomainRelation {
    DomainRelation::new(x.lo >= -1 && x.hi <= 1, x.lo > 1 || x.hi < -1)
}

monotonic! {
    /// The inverse sine. Error [`OutsideDomain`](FunctionError::OutsideDomain) unless −1 ≤ self
    /// ≤ 1.
    increasing asin, "asin", asin_ref, unit_interval;
    /// The inverse cosine. Error [`OutsideDomain`](FunctionError::OutsideDomain) unless −1 ≤ self
    /// ≤ 1.
    decreasing acos, "acos", acos_ref, unit_interval;
    /// The inverse tangent.
    increasing atan, "atan", atan_ref, everywhere;
    /// asin(self)/π. Error [`OutsideDomain`](FunctionError::OutsideDomain) unless −1 ≤ self ≤ 1.
    increasing asinpi, "asinpi", asin_pi_ref, unit_interval;
    /// acos(self)/π. Error [`OutsideDomain`](FunctionError::OutsideDomain) unless −1 ≤ self ≤ 1.
    decreasing acospi, "acospi", acos_pi_ref, unit_interval;
    /// atan(self)/π.
    increasing atanpi, "atanpi", atan_pi_ref, everywhere;
    /// The error function (2/√π)·∫₀ˣ e^(−t²) dt.
    increasing erf, "erf", erf_ref, everywhere;
    /// The complementary error function 1 − erf(self), accurate where it is tiny.
    decreasing erfc, "erfc", erfc_ref, everywhere;
}

impl Interval {
    /// e^(−self²), which decreases in |x|.
    ///
    /// The square of an end is exact at twice its precision, so each end is the exponential of an
    /// exact number and as tight as can be. Beyond the exponent range the square is rounded in the
    /// direction of its end.
    pub(crate) fn gaussian(&self) -> Result<Self, FunctionError> {
        let double = self.precision().saturating_mul(2);
        let gaussian = |result: &mut Float, x: &Float, round: Round| {
            // a larger square makes a smaller value
            let opposite = if round == Round::Down { Round::Up } else { Round::Down };
            let (square, inexact) = x.square_ref().complete_round(double, opposite);
            // overflow to an infinity leaves e^−∞ = 0, below every value, and only for the lower
            // end
            let below = result.assign_round((-square).exp_ref(), round);
            if below == Ordering::Equal && inexact != Ordering::Equal { inexact.reverse() } else { below }
        };
        let (least, greatest) = (self.mag(), self.mig());
        self.between(&least, &greatest, "gaussian", gaussian)
    }

    /// 1 − self², which decreases in |x|, as (1 − |x|)·(1 + |x|): next to ±1 both factors are
    /// exact, and nothing cancels.
    pub(crate) fn one_minus_square(&self) -> Result<Self, FunctionError> {
        let p = self.precision();
        let at = |x: Float, round: Round, opposite: Round| {
            let complement = (1u32 - &x).complete_round(p, round).0;
            // a factor that multiplies a negative number goes the other way
            let direction = if complement < 0 { opposite } else { round };
            let sum = (1u32 + &x).complete_round(p, direction).0;
            (&complement * &sum).complete_round(p, round).0
        };
        let lo = at(self.mag(), Round::Down, Round::Up);
        let hi = at(self.mig(), Round::Up, Round::Down);
        Self::checked(lo, hi, "1 - x^2", || self.to_string())
    }
}
