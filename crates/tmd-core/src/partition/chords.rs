//! [`Chords`]: when a line may stand for a domain, for the existence tests in lanes and on GPUs.
//!
//! The tables know the second differences of heights, `2c·N²` somewhere near, mod 1: the residue
//! next to 0 has to be the number itself. c is bounded by C over the piece; where a run reaches
//! beyond it `|c|` may exceed C by as much as the budget's line *tables* says, times `4/N²`. So
//!
//! > `|2c·N²| ≤ 2·C·N² + 8·tables`,
//!
//! of which either term gets half of an engine's limit (1/2 or less). And half-widths below 1/4
//! leave room outside. Lemma E.22 of docs/proofs/phases.md.

use tmd_difftable::Upper;

use super::{Unfit, curvature};
use crate::{ErrorBudget, Piece};

/// Bounds of a piece's higher derivatives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Curvature {
    /// C, a bound of the curvature `|R''/2|` over the piece: spacings of breakpoints per squared
    /// argument
    pub most: Upper,
    /// a bound of `|R^(3)/6|` over the piece: spacings per cubed argument
    pub third: Upper,
}

impl Curvature {
    /// Of this piece.
    ///
    /// # Errors
    /// [`Unfit::CurvatureTooLarge`] if the curvature is not known mod 1.
    pub fn of(piece: &Piece) -> Result<Self, Unfit> {
        let (lowest, highest) = curvature(piece).ok_or(Unfit::CurvatureTooLarge)?;
        let third = piece.derivatives(Upper::ZERO).get(3).copied().unwrap_or(Upper::ZERO);
        Ok(Self { most: Upper::new(lowest.abs().max(highest.abs())), third })
    }
}

/// An engine's limit of second differences.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chords {
    limit: f64,
}

impl Chords {
    /// Second differences are known next to 0 below 1/2.
    pub const HALF: Self = Self { limit: 0.5 };

    /// Second differences stay below a quarter.
    pub const QUARTER: Self = Self { limit: 0.25 };

    /// Whether domains of `n` arguments are flat enough where `|c| ≤ most`: `2·most·n²` is at most
    /// half the limit (E.22).
    pub fn fit(self, most: Upper, n: u64) -> bool {
        2.0 * most.get() * (n as f64).powi(2) <= self.limit / 2.0
    }

    /// Whether the tables of domains that [`fit`](Self::fit) are precise enough.
    ///
    /// # Errors
    /// [`Unfit::CurvatureTooLarge`] if not.
    pub fn check(self, budget: &ErrorBudget) -> Result<(), Unfit> {
        let is_known = 8.0 * budget.tables.get() < self.limit / 2.0;
        if is_known && budget.test_half_width().get() < 0.25 { Ok(()) } else { Err(Unfit::CurvatureTooLarge) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_terms_have_half_of_the_limit() {
        for (chords, bits) in [(Chords::HALF, 3), (Chords::QUARTER, 4)] {
            // 2·C·N² is a quarter, an eighth: C = 2^(−3 − 2·10), 2^(−4 − 2·10)
            let most = Upper::power_of_two(-bits - 20);
            assert!(chords.fit(most, 1 << 10) && !chords.fit(most, (1 << 10) + 2));
            assert!(!chords.fit(Upper::new(most.get().next_up()), 1 << 10));
            // 8·tables likewise, and this is no longer below
            let tables = Upper::power_of_two(-bits - 2);
            let below = Upper::new(tables.get().next_down());
            let budget = ErrorBudget { tables: below, ..ErrorBudget::default() };
            assert_eq!(chords.check(&budget), Ok(()));
            let budget = ErrorBudget { tables, ..ErrorBudget::default() };
            assert_eq!(chords.check(&budget), Err(Unfit::CurvatureTooLarge));
            // |2c·N²| is below the limit, 1/2 at most
            let room = chords.limit - 2.0 * most.get() * f64::from(1 << 20);
            assert!(8.0 * below.get() < room && chords.limit <= 0.5);
        }
        let wide = ErrorBudget { linear: Upper::new(0.25), ..ErrorBudget::default() };
        assert_eq!(Chords::HALF.check(&wide), Err(Unfit::CurvatureTooLarge));
    }
}
