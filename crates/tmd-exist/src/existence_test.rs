//! The trait that all existence tests implement.

use crate::{probe::Probe, segment::Segment, verdict::Verdict};

/// A test that tells whether a segment can hold an HR-case.
///
/// **Contract.** If `test` returns [`Verdict::Empty`], then (b − a·x) mod 2^64 ≥ `width` for every
/// x with 0 ≤ x < N. A test always returns, whatever the segment and the width. The probe sees what
/// happens and changes nothing.
pub trait ExistenceTest {
    /// Whether (b − a·x) mod 2^64 < `width` may hold for some 0 ≤ x < N; `width` in units of 2^-64.
    fn test<P: Probe>(&self, segment: Segment, width: u64, probe: &mut P) -> Verdict;

    /// The name of the test in the catalogue, without its division strategy: lower case, words
    /// joined by hyphens.
    fn name(&self) -> &'static str;
}
