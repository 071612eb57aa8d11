//! The regular test, looped: TOMS 2016, section 4.2, Algorithm 2.
//!
//! Every turn takes one whole quotient of the continued fraction of {a}, and reduces d, the
//! distance from {b} to the closest point at its left, modulo the shorter length. The number of
//! turns hence depends on a and N alone, and not on b, which is what makes the test regular. For
//! the variables and the theorem see the table in `configuration.rs`.
//!
//! ```text
//! p ← {a}; q ← 1; d ← {b}; u ← 0; v ← 1
//! if d < ε″ then return Failure
//! while True
//!     if p < q then k ← ⌊q/p⌋; q ← q − k·p; u ← u + k·v; d ← d mod p
//!     else          k ← ⌊p/q⌋; p ← p − k·q; v ← v + k·u; if d ≥ p then d ← (d − p) mod q
//!     if u + v ≥ N then return d ≥ ε″
//! ```
//!
//! # Deviations from the paper
//!
//! 1. The start: (u, v) = (0, 1), not (1, 0), unless [`Start::Printed`] is asked for.
//! 2. The answer is `Success` iff d ≥ ε″, where the paper prints d > ε″ (a case has dist < ε,
//!    strictly).
//! 3. q = 1 does not fit a 64-bit fraction; the first quotient is taken before the loop.
//! 4. A length that becomes 0 ends the test, where the paper divides by zero and recovers from the
//!    exception.
//! 5. In the second branch, if b is in an interval of length q with d ≥ p, the paper subtracts p
//!    although the point in question belongs to the next step. At an ordinary step it makes no
//!    difference; at the last one it looks at one point more in each of the v intervals of length q
//!    that were there before. [`LastQuotient::Whole`] keeps the paper's form,
//!    [`LastQuotient::Trimmed`] leaves these points out.
//!
//! That `Success` is true, for every way to divide and either last quotient, is Theorem E.12 of
//! `proofs/Existence.v`, machine-checked; from any configuration it is Theorem E.14.
//!
//! # Points looked at
//!
//! With the corrected start and N ≥ 2, let u + v < N before the last quotient k ≥ 1. If it is taken
//! whole, the first branch ends with u + k·v + v < (k+1)·N points; the second looks at (u + v +
//! k·u) + v ≤ (k+1)·(u + v) < (k+1)·N, with those of deviation 5. A trimmed one takes t = min(k,
//! ⌈(N−u−v)/v⌉) rounds of v points (or of u), and ends with fewer than N + v < 2N (or N + u). From
//! the printed start the counts are smaller than the numbers of points, and N in these bounds is to
//! be replaced by the number of points at which the counts come to N.

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

/// The regular test, looped (2016, Algorithm 2).
///
/// Points looked at: n < (k+1)·N with the last quotient k whole, n < 2N (for N ≥ 2) trimmed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Regular {
    rule: Rule,
}

impl Regular {
    /// The test with the given start, last quotient and division strategy.
    pub const fn new(start: Start, last: LastQuotient, logms: Logms) -> Self {
        Self { rule: Rule { start, last, logms } }
    }

    /// The distance from b to the closest of the points placed at its left.
    #[inline]
    fn distance<P: Probe>(self, segment: Segment, probe: &mut P) -> ControlFlow<u64, Infallible> {
        probe.iteration();
        probe.branch(true);
        let mut configuration = Configuration::after_first_quotient(segment, self.rule, probe)?;
        loop {
            probe.iteration();
            let reduces_q = configuration.reduces_q();
            probe.branch(reduces_q);
            if reduces_q {
                configuration.split_q(probe)?;
            } else {
                configuration.split_p(probe)?;
            }
        }
    }
}

impl ExistenceTest for Regular {
    #[inline]
    fn test<P: Probe>(&self, segment: Segment, width: u64, probe: &mut P) -> Verdict {
        if segment.b() < width {
            return Verdict::MayHold;
        }
        let ControlFlow::Break(d) = self.distance(segment, probe);
        Verdict::from_lower_bound(d, width)
    }

    fn name(&self) -> &'static str {
        match (self.rule.start, self.rule.last) {
            (Start::Corrected, LastQuotient::Whole) => "regular",
            (Start::Corrected, LastQuotient::Trimmed) => "regular-trimmed",
            (Start::Printed, LastQuotient::Whole) => "regular-printed",
            (Start::Printed, LastQuotient::Trimmed) => "regular-printed-trimmed",
        }
    }
}
