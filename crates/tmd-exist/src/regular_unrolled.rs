//! The regular test, unrolled by two: TOMS 2016, section 4.3.3, Algorithm 4; SIMD 2016,
//! Algorithm 3.
//!
//! The remainders of Euclid's algorithm alternate: a turn of the looped test that reduces q is
//! followed by one that reduces p. Writing two turns one after the other leaves no condition to
//! evaluate, and no divergence on it.
//!
//! ```text
//! p ← {a}; q ← 1; d ← {b}; u ← 0; v ← 1
//! while True
//!     k ← ⌊q/p⌋; q ← q − k·p; u ← u + k·v; d ← d mod p
//!     if u + v ≥ N then return d ≥ ε″
//!     k ← ⌊p/q⌋; p ← p − k·q; v ← v + k·u; if d ≥ p then d ← (d − p) mod q
//!     if u + v ≥ N then return d ≥ ε″
//! ```
//!
//! The deviations from the paper and the bounds on the points looked at are those of
//! [`regular`](crate::regular); the verdicts are the same on every segment. One quotient is one
//! iteration for the probe.

use std::{convert::Infallible, ops::ControlFlow};

use crate::{
    configuration::{Configuration, Rule},
    division::Logms,
    existence_test::ExistenceTest,
    options::{LastQuotient, Start},
    probe::Probe,
    segment::Segment,
    verdict::Verdict,
};

/// The regular test, unrolled by two (2016, Algorithm 4).
///
/// Points looked at: n < (k+1)·N with the last quotient k whole, n < 2N (for N ≥ 2) trimmed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct RegularUnrolled {
    rule: Rule,
}

impl RegularUnrolled {
    /// The test with the given start, last quotient and division strategy.
    pub const fn new(start: Start, last: LastQuotient, logms: Logms) -> Self {
        Self { rule: Rule { start, last, logms } }
    }

    /// The distance from b to the closest of the points placed at its left.
    #[inline]
    fn distance<P: Probe>(self, segment: Segment, probe: &mut P) -> ControlFlow<u64, Infallible> {
        probe.iteration();
        let mut configuration = Configuration::after_first_quotient(segment, self.rule, probe)?;
        loop {
            probe.iteration();
            configuration.split_p(probe)?;
            probe.iteration();
            configuration.split_q(probe)?;
        }
    }
}

impl ExistenceTest for RegularUnrolled {
    #[inline]
    fn test<P: Probe>(&self, segment: Segment, width: u64, probe: &mut P) -> Verdict {
        let ControlFlow::Break(d) = self.distance(segment, probe);
        Verdict::from_lower_bound(d, width)
    }

    fn name(&self) -> &'static str {
        match (self.rule.start, self.rule.last) {
            (Start::Corrected, LastQuotient::Whole) => "regular-unrolled",
            (Start::Corrected, LastQuotient::Trimmed) => "regular-unrolled-trimmed",
            (Start::Printed, LastQuotient::Whole) => "regular-unrolled-printed",
            (Start::Printed, LastQuotient::Trimmed) => "regular-unrolled-printed-trimmed",
        }
    }
}
