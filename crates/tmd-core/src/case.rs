//! [`HrCase`] and [`ExactCase`]: confirmed results.
//!
//! Definition D.3 of docs/proofs/definitions.md.

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
    /// The count that the literature prints: bits after the rounding bit that equal each other (all
    /// 0 or all 1), the largest `k` with distance ≤ `2^-(k+1)` ulp. Not to be had from the rounded
    /// logarithm.
    pub identical_bits: u32,
    /// The number of the result format next below `f(x)` …
    pub lower: Number,
    /// … and the one next above.
    pub upper: Number,
}

/// `x = 0x1.8p+0: 2^-44.3 ulp above the midpoint 0x1.1p+2`.
impl core::fmt::Display for HrCase {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let Self { argument, kind, breakpoint, log2_distance, .. } = self;
        let side = if self.above { "above" } else { "below" };
        write!(f, "x = {argument}: 2^{log2_distance:.1} ulp {side} the {kind} {breakpoint}")
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

/// `x = 0x1p+1: exactly the number 0x1p+2`.
impl core::fmt::Display for ExactCase {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let Self { argument, kind, value } = self;
        write!(f, "x = {argument}: exactly the {kind} {value}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn in_words() {
        let [x, y, z] = [1.5, 4.25, 4.5].map(|x| Number::from_f64(x).unwrap());
        let case = HrCase {
            argument: x,
            kind: BreakpointKind::Midpoint,
            breakpoint: y,
            above: true,
            log2_distance: -44.31,
            identical_bits: 43,
            lower: y,
            upper: z,
        };
        assert_eq!(case.to_string(), "x = 0x1.8p+0: 2^-44.3 ulp above the midpoint 0x1.1p+2");
        let case = HrCase { kind: BreakpointKind::Number, above: false, log2_distance: -3.0, ..case };
        assert_eq!(case.to_string(), "x = 0x1.8p+0: 2^-3.0 ulp below the number 0x1.1p+2");
        let exact = ExactCase { argument: x, kind: BreakpointKind::Number, value: y };
        assert_eq!(exact.to_string(), "x = 0x1.8p+0: exactly the number 0x1.1p+2");
    }
}
