//! Lefèvre's test with subtractions only: PDP 2012, section II.C, Algorithm 1.
//!
//! The same walk as [`lefevre_division`](crate::lefevre_division), every quotient taken by repeated
//! subtraction, with a look at the number of points before each. The paper writes x, y for the
//! lengths; here they are p, q as in 2016, and the table and the invariant are those of
//! `lefevre_division`.
//!
//! ```text
//! p ← {a}; q ← 1 − {a}; d ← {b}; u ← 1; v ← 1
//! if d < ε then return Failure
//! while True
//!     if d < p then
//!         while p < q
//!             if u + v ≥ N then return Success
//!             q ← q − p; u ← u + v
//!         if u + v ≥ N then return Success
//!         p ← p − q; v ← v + u
//!     else
//!         d ← d − p
//!         if d < ε then return Failure
//!         while q < p
//!             if u + v ≥ N then return Success
//!             p ← p − q; v ← v + u
//!         if u + v ≥ N then return Success
//!         q ← q − p; u ← u + v
//! ```
//!
//! # Deviations from the paper
//!
//! 1. The paper starts with y = 1 instead of 1 − {a}. Then u·p + v·q = 1 + {a}: the counts run
//!    ahead of the points, the test stops early, and HR-cases are lost (`tests/printed.rs` has a
//!    segment).
//! 2. The second inner loop compares y < x. (Some copies of the paper print x < y in both.)
//! 3. In its second inner loop our copy of the paper has v ← u + v, the same as v ← v + u.
//! 4. For N = 1 the configuration with the single point 0 answers, as in `lefevre_division`.
//! 5. p = q ends the test: all points of the orbit are placed. The inner loops stop at p = q, not
//!    at 0.
//! 6. Several reductions of d may be made at once, see [`reductions`](crate::reductions).
//!
//! # Points looked at
//!
//! n < 2N for N ≥ 2, and the same verdict as `lefevre_division` on every segment. The test makes
//! fewer than N subtractions, since each places a point at least.
//!
//! That `Success` is true, split by split, is Corollary E.27 of `proofs/Existence.v`.

use crate::{
    division::Logms, existence_test::ExistenceTest, lefevre_division::debug_assert_invariant, probe::Probe,
    reductions::Reductions, segment::Segment, verdict::Verdict,
};

/// Lefèvre's test with subtractions only (2012, Algorithm 1).
///
/// Points looked at: n < 2N for N ≥ 2.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct LefevreSubtractive {
    reductions: Reductions,
}

impl LefevreSubtractive {
    /// The test with the given handling of large quotients ([`Reductions::Divided`] uses the
    /// division instruction).
    pub const fn new(reductions: Reductions) -> Self {
        Self { reductions }
    }
}

impl ExistenceTest for LefevreSubtractive {
    #[inline]
    fn test<P: Probe>(&self, segment: Segment, width: u64, probe: &mut P) -> Verdict {
        let (a, b, n) = (segment.a(), segment.b(), segment.n());
        if b < width {
            return Verdict::MayHold;
        }
        if n == 1 || a == 0 {
            return Verdict::Empty; // the only point is 0
        }
        let (mut p, mut q, mut d) = (a, a.wrapping_neg(), b);
        let (mut u, mut v) = (1, 1);
        loop {
            debug_assert_invariant(p, q, u, v, d);
            probe.iteration();
            let in_p = d < p;
            probe.branch(in_p);
            if in_p {
                if split_while_longer((&mut q, &mut u), (p, v), n, probe) {
                    return Verdict::Empty;
                }
                p -= q;
                v += u;
                let missing = n.saturating_sub(u + v);
                let s = self.reductions.at_right((d, p, q), u, missing, Logms::INSTRUCTION, probe);
                p -= s * q;
                v += s * u;
            } else {
                d -= p;
                if d < width {
                    return Verdict::MayHold;
                }
                let missing = n.saturating_sub(u + v);
                let s = self.reductions.at_left((d, p), v, missing, Logms::INSTRUCTION, probe);
                d -= s * p;
                q -= s * p;
                u += s * v;
                if d < width {
                    return Verdict::MayHold;
                }
                if split_while_longer((&mut p, &mut v), (q, u), n, probe) {
                    return Verdict::Empty;
                }
                q -= p;
                u += v;
            }
        }
    }

    fn name(&self) -> &'static str {
        match self.reductions {
            Reductions::OneByOne => "lefevre-subtractive",
            Reductions::Divided => "lefevre-subtractive-special",
            Reductions::DividedBothSides => "lefevre-subtractive-special-both",
        }
    }
}

/// The inner loop: splits the intervals of length `long` into one of length `short` and the rest,
/// while they are the longer ones, and tells whether the test ends: N points are placed, or all
/// points of the orbit.
///
/// `count` is the number of the intervals of length `short`, which each split increases by the
/// number of the long ones.
#[inline]
fn split_while_longer<P: Probe>(
    (long, count): (&mut u64, &mut u64),
    (short, long_count): (u64, u64),
    n: u64,
    probe: &mut P,
) -> bool {
    let mut subtractions = 0;
    while short < *long && *count + long_count < n {
        *long -= short;
        *count += long_count;
        subtractions += 1;
    }
    probe.subtraction(subtractions);
    *count + long_count >= n || short == *long
}
