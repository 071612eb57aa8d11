//! Lefèvre's test with quotients: TOMS 2016, section 4.1, Algorithm 1; SIMD 2016, Algorithm 2.
//!
//! The test splits the intervals that do *not* hold b by whole quotients of the continued fraction
//! of {a}, and those that do by one point at a time.
//!
//! | variable | what it is |
//! |---|---|
//! | p | length of the intervals from the point x to x + v; those of length p are split from the right |
//! | q | length of the intervals from the point x to x − u; those of length q are split from the left |
//! | u, v | number of intervals of length p, of length q; u + v points are placed |
//! | d | distance from {b} to the closest point at its left, as of the configuration before the last split |
//! | k | a quotient |
//!
//! ```text
//! p ← {a}; q ← 1 − {a}; d ← {b}; u ← 1; v ← 1
//! if d < ε″ then return Failure
//! while True
//!     if d < p then
//!         k ← ⌊q/p⌋; q ← q − k·p; u ← u + k·v
//!         if u + v ≥ N then return Success
//!         p ← p − q; v ← v + u
//!     else
//!         d ← d − p
//!         if d < ε″ then return Failure
//!         k ← ⌊p/q⌋; p ← p − k·q; v ← v + k·u
//!         if u + v ≥ N then return Success
//!         q ← q − p; u ← u + v
//! ```
//!
//! **Invariant** at the top of a turn: u·p + v·q = 2^64; the last split put a point in the interval
//! of b, between a part of length p at the left and one of length q at the right, and d is the
//! distance to the left end of the whole. So b is in the interval of length p if d < p, and the
//! distance to its left end is d; otherwise b is in the one of length q and the distance is d − p.
//! In the first case splitting the intervals of length q, all k times, leaves d as it is, and the
//! split of p by q from the right restores the invariant; in the second case likewise, with a split
//! of q by p from the left. The counts do not overflow: there are fewer than 2N points at the top
//! of a turn, and a quotient with remainder ≥ 1 leaves two lengths that differ, so that u + v <
//! u·p + v·q = 2^64.
//!
//! That `Success` is true is Theorem E.11 of `proofs/Existence.v`, machine-checked; from the top of
//! any turn it is Theorem E.13.
//!
//! # Deviations from the paper
//!
//! 1. For N = 1 the configuration with the single point 0 answers (the paper's start has two
//!    points).
//! 2. A quotient without remainder ends the test: all points of the orbit are placed, b is in an
//!    interval of the other length, and d ≥ ε″ is the minimum over all x. (The paper's loop would
//!    add points that are already there.)
//! 3. Several reductions of d may be made at once, see [`reductions`](crate::reductions).
//!
//! # Points looked at
//!
//! A split of b's interval starts from fewer than N points and adds one point per interval of the
//! length split, so the test looks at n < 2N points (for N = 1, at one). The quotient that reaches
//! N adds no point to b's interval. The verdict is hence that of the first two-length configuration
//! with at least N points, as for the regular test with
//! [`LastQuotient::Trimmed`](crate::LastQuotient::Trimmed).

use crate::{
    division::Logms, existence_test::ExistenceTest, probe::Probe, reductions::Reductions, segment::Segment,
    verdict::Verdict,
};

/// Lefèvre's test with quotients (2016, Algorithm 1).
///
/// Points looked at: n < 2N for N ≥ 2.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct LefevreDivision {
    reductions: Reductions,
    logms: Logms,
}

impl LefevreDivision {
    /// The test with the given handling of large quotients and division strategy.
    pub const fn new(reductions: Reductions, logms: Logms) -> Self {
        Self { reductions, logms }
    }
}

impl ExistenceTest for LefevreDivision {
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
                let (k, r) = self.logms.div_rem(q, p, n, probe);
                if r == 0 {
                    return Verdict::Empty;
                }
                q = r;
                u += k * v;
                if u + v >= n {
                    return Verdict::Empty;
                }
                p -= q;
                v += u;
                let s = self.reductions.at_right((d, p, q), u, n.saturating_sub(u + v), self.logms, probe);
                p -= s * q;
                v += s * u;
            } else {
                d -= p;
                if d < width {
                    return Verdict::MayHold;
                }
                let s = self.reductions.at_left((d, p), v, n.saturating_sub(u + v), self.logms, probe);
                d -= s * p;
                q -= s * p;
                u += s * v;
                if d < width {
                    return Verdict::MayHold;
                }
                let (k, r) = self.logms.div_rem(p, q, n, probe);
                if r == 0 {
                    return Verdict::Empty;
                }
                p = r;
                v += k * u;
                if u + v >= n {
                    return Verdict::Empty;
                }
                q -= p;
                u += v;
            }
        }
    }

    fn name(&self) -> &'static str {
        match self.reductions {
            Reductions::OneByOne => "lefevre-division",
            Reductions::Divided => "lefevre-division-special",
            Reductions::DividedBothSides => "lefevre-division-special-both",
        }
    }
}

/// The invariant at the top of a turn, for all three forms of Lefèvre's test.
#[inline]
pub(crate) fn debug_assert_invariant(p: u64, q: u64, u: u64, v: u64, d: u64) {
    debug_assert_eq!(
        u128::from(u) * u128::from(p) + u128::from(v) * u128::from(q),
        1 << 64,
        "u·p + v·q ≠ 1 for p = {p}, q = {q}, u = {u}, v = {v}"
    );
    debug_assert!(
        u128::from(d) < u128::from(p) + u128::from(q),
        "b has left its interval: p = {p}, q = {q}, d = {d}"
    );
}
