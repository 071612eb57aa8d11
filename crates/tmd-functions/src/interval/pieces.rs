//! |x|, min, max, hypot and copysign of intervals.
//!
//! All but copysign are continuous and monotonic in each operand (hypot in its magnitude), so the
//! ends of the operands make the ends of the result; MPFR rounds hypot correctly, and the others
//! round nothing.

use rug::Float;
use rug::float::Round;
use rug::ops::CompleteRound;

use super::Interval;
use crate::error::FunctionError;

impl Interval {
    /// |self|.
    pub fn abs(&self) -> Result<Self, FunctionError> {
        Ok(Self { lo: self.mig(), hi: self.mag() })
    }

    /// The smaller one of x ∈ self and y ∈ other.
    pub fn min(&self, other: &Self) -> Result<Self, FunctionError> {
        let p = self.precision().max(other.precision());
        let smaller = |x: &Float, y: &Float| Float::with_val(p, if x <= y { x } else { y });
        Ok(Self { lo: smaller(&self.lo, &other.lo), hi: smaller(&self.hi, &other.hi) })
    }

    /// The larger one of x ∈ self and y ∈ other.
    pub fn max(&self, other: &Self) -> Result<Self, FunctionError> {
        Ok(self.neg().min(&other.neg())?.neg())
    }

    /// √(x² + y²) for x ∈ self and y ∈ other, without overflow of the squares.
    pub fn hypot(&self, other: &Self) -> Result<Self, FunctionError> {
        let p = self.precision().max(other.precision());
        let lo = self.mig().hypot_ref(&other.mig()).complete_round(p, Round::Down).0;
        let hi = self.mag().hypot_ref(&other.mag()).complete_round(p, Round::Up).0;
        Self::checked(lo, hi, "hypot", || format!("{self}, {other}"))
    }

    /// |x| with the sign of y, for x ∈ self and y ∈ other; the number 0 counts as positive.
    pub fn copysign(&self, other: &Self) -> Result<Self, FunctionError> {
        let magnitude = self.abs()?.round_to(self.precision().max(other.precision()))?;
        Ok(match (other.lo >= 0, other.hi < 0) {
            (true, _) => magnitude,
            (_, true) => magnitude.neg(),
            _ => magnitude.hull(&magnitude.neg()),
        })
    }
}
