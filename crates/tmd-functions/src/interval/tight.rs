//! [`tight`]: Ziv's strategy for enclosures of numbers that MPFR has no function for.

use super::{Interval, MAX_PRECISION};
use crate::error::FunctionError;

/// How often the working precision is tried: the last one has more than 2^13 bits more than the
/// result. (Γ(2^−1074) is 2^1074 − γ, and erfcx(2^−1074) is next to 1.)
const ATTEMPTS: u32 = 9;

impl Interval {
    /// An enclosure of one number by neighbors of `precision` bits, or by the number itself if it
    /// is known to be one of them.
    ///
    /// `f(working)` encloses the number at `working` bits. Where it stays next to a number of
    /// `precision` bits for all the attempts (it may be that number, and no theory says so), the
    /// enclosure is that number with both its neighbors.
    pub(super) fn tight(
        precision: u32,
        f: impl Fn(u32) -> Result<Self, FunctionError>,
    ) -> Result<Self, FunctionError> {
        let mut extra = 32;
        let mut best: Option<Self> = None;
        for _ in 0..ATTEMPTS {
            let working = precision.saturating_add(extra).min(MAX_PRECISION);
            let rounded = f(working)?.round_to(precision)?;
            if rounded.is_tight() {
                return Ok(rounded);
            }
            best = match best {
                Some(best) => best.intersection(&rounded),
                None => Some(rounded),
            };
            extra = extra.saturating_mul(2).saturating_add(precision);
        }
        // enclosures of the same number have a point in common
        best.ok_or_else(|| FunctionError::NotFinite { function: "an enclosure".into(), at: String::new() })
    }

    /// Whether no number of this precision lies between the ends.
    pub(crate) fn is_tight(&self) -> bool {
        let mut next = self.lo.clone();
        next.next_up();
        next >= self.hi
    }

    /// The hull of 0 and this.
    pub(super) fn hull_with_zero(&self) -> Self {
        let zero = rug::Float::new(self.precision());
        self.hull(&Self { lo: zero.clone(), hi: zero })
    }
}
