//! Lefèvre's test with swap: TOMS 2016, section 4.3.3, Algorithm 3; PDP 2012, section III.A,
//! Algorithm 2.
//!
//! Both branches of [`lefevre_division`](crate::lefevre_division) do the same with p and q (u and
//! v) exchanged, but for the reduction of d. Here the variables are exchanged instead, when the
//! outcome of the main condition changes, and the rest is written once: less to diverge on a GPU.
//!
//! | variable | what it is |
//! |---|---|
//! | `are_swapped` | whether the variables p and q (u and v) hold the q and p (v and u) of `lefevre_division` |
//! | p, u | length and number of the intervals that hold b |
//! | q, v | length and number of the others |
//! | d, k | as in `lefevre_division` |
//!
//! ```text
//! p ← {a}; q ← 1 − {a}; d ← {b}; u ← 1; v ← 1; are_swapped ← False
//! if d < ε″ then return Failure
//! if d ≥ p then SWAP(p, q); SWAP(u, v); are_swapped ← True
//! while True
//!     if are_swapped then
//!         d ← d − q
//!         if d < ε″ then return Failure
//!     k ← ⌊q/p⌋; q ← q − k·p; u ← u + k·v
//!     if u + v ≥ N then return Success
//!     p ← p − q; v ← v + u
//!     if are_swapped xor (d ≥ (if are_swapped then q else p)) then
//!         SWAP(p, q); SWAP(u, v); are_swapped ← not are_swapped
//! ```
//!
//! # Deviations from the papers
//!
//! 1. Both papers subtract the *variable* p from d while swapped, which is `lefevre_division`'s q.
//!    It must be its p, here the variable q. As printed the test loses HR-cases.
//! 2. For the same reason the condition at the end compares d with the variable q while swapped;
//!    both papers print p.
//! 3. It is d ≥ p (as 2012 prints), not d > p (as 2016 does): with d = p the point just placed is
//!    at b itself. (`tests/printed.rs` has a segment for each of these three.)
//! 4. 2012 starts with y = 1 instead of 1 − {a}, and takes quotients by repeated subtraction (here
//!    [`Logms::SUBTRACTION`]).
//! 5. N = 1, a quotient without remainder, and reductions at once: as in `lefevre_division`.
//!
//! # Points looked at
//!
//! n < 2N for N ≥ 2, and the same verdict as `lefevre_division` on every segment, in as many turns.

use std::mem::swap;

use crate::{
    division::Logms, existence_test::ExistenceTest, lefevre_division::debug_assert_invariant, probe::Probe,
    reductions::Reductions, segment::Segment, verdict::Verdict,
};

/// Lefèvre's test with swap (2016, Algorithm 3; 2012, Algorithm 2).
///
/// Points looked at: n < 2N for N ≥ 2.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct LefevreSwap {
    reductions: Reductions,
    logms: Logms,
}

impl LefevreSwap {
    /// The test with the given handling of large quotients and division strategy.
    pub const fn new(reductions: Reductions, logms: Logms) -> Self {
        Self { reductions, logms }
    }
}

impl ExistenceTest for LefevreSwap {
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
        let mut are_swapped = d >= p;
        if are_swapped {
            swap(&mut p, &mut q);
        }
        loop {
            debug_assert_invariant(p, q, u, v, d);
            probe.iteration();
            probe.branch(!are_swapped);
            if are_swapped {
                d -= q;
                if d < width {
                    return Verdict::MayHold;
                }
                let s = self.reductions.at_left((d, q), u, n.saturating_sub(u + v), self.logms, probe);
                d -= s * q;
                p -= s * q;
                v += s * u;
                if d < width {
                    return Verdict::MayHold;
                }
            }
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
            if !are_swapped {
                let s = self.reductions.at_right((d, p, q), u, n.saturating_sub(u + v), self.logms, probe);
                p -= s * q;
                v += s * u;
            }
            if are_swapped != (d >= if are_swapped { q } else { p }) {
                swap(&mut p, &mut q);
                swap(&mut u, &mut v);
                are_swapped = !are_swapped;
            }
        }
    }

    fn name(&self) -> &'static str {
        match self.reductions {
            Reductions::OneByOne => "lefevre-swap",
            Reductions::Divided => "lefevre-swap-special",
            Reductions::DividedBothSides => "lefevre-swap-special-both",
        }
    }
}
