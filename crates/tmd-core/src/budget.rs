//! [`ErrorBudget`]: every neglected quantity, as an upper bound, next to the numbers it belongs to.

use tmd_difftable::Upper;

use crate::Piece;

/// Upper bounds of what a search neglects, in units of the breakpoints' spacing (an ulp of the
/// result, or half an ulp when numbers and midpoints are both breakpoints).
///
/// The half-widths against which the phases test are sums of these: a search may report a domain
/// without a case, it may never lose one. docs/proofs/piece.md derives each line; that nothing is
/// lost if the half-widths are such sums is Theorem C.5 of `proofs/Composition.v` (Theorem C.4 for
/// a domain's parabola, Theorem C.6 for the domains of a piece), and what follows for a
/// certificate's list Theorem C.8.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ErrorBudget {
    /// ε itself: the distance below which an argument is a case.
    pub tolerance: Upper,
    /// Remainder of the Taylor polynomial over the piece.
    pub taylor: Upper,
    /// Radii of the coefficients' enclosures and their rounding to fixed point, at the far end of
    /// the piece.
    pub coefficients: Upper,
    /// Limbs dropped at the start of a run, carried through its difference tables, at the far end
    /// of a domain.
    pub tables: Upper,
    /// Differences and terms of high order that the tables and the domains' parabolas leave out.
    pub dropped: Upper,
    /// Distance of a domain's parabola from the segment that phase 1 tests.
    pub linear: Upper,
    /// The same for the sub-domains of phase 2.
    pub refined: Upper,
    /// Rounding of a segment to 64 bits.
    pub quantization: Upper,
}

impl ErrorBudget {
    /// The names of the lines, in their order.
    pub const NAMES: [&'static str; 8] =
        ["tolerance", "taylor", "coefficients", "tables", "dropped", "linear", "refined", "quantization"];

    /// What is neglected before a piece is divided: the lines that a piece comes with.
    pub fn of_piece(piece: &Piece) -> Self {
        let (tolerance, taylor, coefficients) = (piece.tolerance(), piece.taylor(), piece.coefficients());
        Self { tolerance, taylor, coefficients, ..Self::default() }
    }

    /// What separates the tabulated parabola from the function: all but the degree-1 truncation.
    pub fn parabola(&self) -> Upper {
        self.taylor + self.coefficients + self.tables + self.dropped
    }

    /// Half-width of phase 1: a case lies no farther than this from a breakpoint on its domain's
    /// segment.
    pub fn test_half_width(&self) -> Upper {
        self.tolerance + self.parabola() + self.linear + self.quantization
    }

    /// Half-width of phase 2.
    pub fn refine_half_width(&self) -> Upper {
        self.tolerance + self.parabola() + self.refined + self.quantization
    }

    /// Half-width of phase 3, the acceptance of a candidate.
    pub fn exhaust_half_width(&self) -> Upper {
        self.tolerance + self.parabola() + self.quantization
    }

    /// Line by line the larger of two budgets: what holds for both of two pieces.
    #[must_use]
    pub fn max(&self, other: &Self) -> Self {
        let (ours, theirs) = (self.lines(), other.lines());
        let [tolerance, taylor, coefficients, tables, dropped, linear, refined, quantization] =
            core::array::from_fn(|line| ours[line].1.max(theirs[line].1));
        Self { tolerance, taylor, coefficients, tables, dropped, linear, refined, quantization }
    }

    /// The lines with their names, for reports.
    pub fn lines(&self) -> [(&'static str, Upper); 8] {
        let Self { tolerance, taylor, coefficients, tables, dropped, linear, refined, quantization } = *self;
        let lines = [tolerance, taylor, coefficients, tables, dropped, linear, refined, quantization];
        core::array::from_fn(|line| (Self::NAMES[line], lines[line]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_larger_of_two_budgets_line_by_line() {
        let of = |bits: [i32; 8]| {
            let [tolerance, taylor, coefficients, tables, dropped, linear, refined, quantization] =
                bits.map(|bits| Upper::power_of_two(-bits));
            ErrorBudget { tolerance, taylor, coefficients, tables, dropped, linear, refined, quantization }
        };
        let (a, b) = (of([1, 20, 3, 40, 5, 60, 7, 80]), of([10, 2, 30, 4, 50, 6, 70, 8]));
        assert_eq!(a.max(&b), of([1, 2, 3, 4, 5, 6, 7, 8]));
        assert_eq!(b.max(&a), a.max(&b));
    }
}
