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
    /// The count that the literature prints: bits after the rounding bit that equal each other (all 0 or all 1), the
    /// largest `k` with distance ≤ `2^-(k+1)` ulp. Not to be had from the rounded logarithm.
    pub identical_bits: u32,
    /// The number of the result format next below `f(x)` …
    pub lower: Number,
    /// … and the one next above.
    pub upper: Number,
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
