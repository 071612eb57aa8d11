//! [`HrCase`] and [`ExactCase`]: confirmed results.

use crate::{BreakpointKind, Number};

/// A confirmed hard-to-round case: `0 < |f(x) − breakpoint| < ε`.
#[derive(Clone, Debug, PartialEq)]
pub struct HrCase {
    /// The argument `x`.
    pub argument: Number,
    /// What kind of breakpoint is near.
    pub kind: BreakpointKind,
    /// The breakpoint nearest to `f(x)`.
    pub breakpoint: Number,
    /// Whether `f(x) > breakpoint` (the sign of `f(x) − breakpoint`).
    pub above: bool,
    /// `log2(|f(x) − breakpoint| / ulp(f(x)))`, the hardness; more negative is harder.
    pub log2_distance: f64,
    /// The number of the result format next below `f(x)` …
    pub lower: Number,
    /// … and the one next above.
    pub upper: Number,
}

impl HrCase {
    /// The count that the literature prints: bits after the rounding bit that equal each other (all 0 or all 1),
    /// the largest `k` with distance ≤ `2^-(k+1)` ulp.
    pub fn identical_bits(&self) -> u32 {
        ((-self.log2_distance).floor() as u32).saturating_sub(1)
    }
}

/// An argument whose result *is* a breakpoint: it has no hardness and is reported apart.
#[derive(Clone, Debug, PartialEq)]
pub struct ExactCase {
    /// The argument `x`.
    pub argument: Number,
    /// What kind of breakpoint `f(x)` is.
    pub kind: BreakpointKind,
    /// `f(x)`.
    pub value: Number,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identical_bits_of_a_distance() {
        let case = |log2_distance| HrCase {
            argument: Number::ZERO,
            kind: BreakpointKind::Number,
            breakpoint: Number::ZERO,
            above: true,
            log2_distance,
            lower: Number::ZERO,
            upper: Number::ZERO,
        };
        // 0.0111…1 0: distance in (2^-46, 2^-45]: the rounding bit and 44 more
        assert_eq!(case(-45.0).identical_bits(), 44);
        assert_eq!(case(-45.9).identical_bits(), 44);
        assert_eq!(case(-44.9).identical_bits(), 43);
        assert_eq!(case(-0.5).identical_bits(), 0);
    }
}
