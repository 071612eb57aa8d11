//! The answer of an existence test.

/// Whether a segment can hold an HR-case.
///
/// The soundness rule of the project: a test may say `MayHold` of a segment that holds nothing (it
/// costs time), it never says `Empty` of one that holds something.
#[must_use]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// Proved: (b − a·x) mod 2^64 ≥ width for every x of the segment. The papers' `Success` (2012,
    /// 2016), the SIMD paper's `False`.
    Empty,
    /// Not excluded: there may be an x of the segment with (b − a·x) mod 2^64 < width. The papers'
    /// `Failure` (2012, 2016), the SIMD paper's `True`.
    MayHold,
}

impl Verdict {
    /// The verdict from a lower bound of (b − a·x) mod 2^64 over the segment, in units of 2^-64.
    ///
    /// The comparison is strict, as in the definition of an HR-case (dist < ε): the regular test of
    /// the papers returns `d > ε″` for "none", which leaves d = ε″ among the failures.
    #[inline]
    pub(crate) fn from_lower_bound(d: u64, width: u64) -> Self {
        if d < width { Self::MayHold } else { Self::Empty }
    }
}
