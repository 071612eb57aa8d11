//! The exact minimum of (b − a·x) mod 1 over 0 ≤ x < N, in O(log N) steps.
//!
//! The walk through the two-length configurations of the regular test, with one more thing to
//! follow: the index x of the closest point at the left of b. Then the indices of the points that
//! come next between it and b are known, and those that are N or more are left out.
//!
//! | variable | what it is |
//! |---|---|
//! | p | length of the intervals that begin at the point x and end at x + v; split from the right |
//! | q | length of the intervals that begin at the point x and end at x − u; split from the left |
//! | u, v | number of intervals of length p, of length q; u + v < N points are placed |
//! | d, x | distance from {b} to the closest placed point at its left, and the index of that point |
//! | k, r | the next quotient and remainder |
//!
//! **Theorem.** Going right by p adds v to the index, going left by q adds u (at the start, p = {a}
//! with v = 1 and q = 1 with u = 0; a step of Euclid's algorithm keeps both). Hence:
//!
//! 1. Splitting q from the left puts the points x + v, x + 2v, …, at distance p from each other, at
//!    the right of x. The closest to b at its left is x + j·v with j = ⌊d/p⌋, or, below N, j =
//!    min(⌊d/p⌋, ⌊(N − 1 − x)/v⌋).
//! 2. Splitting p from the right puts x + v + m·u at distance p − m·q to the right of x, m = 1, …,
//!    k. If b is in an interval of length p, that is if x < u, the closest to b at its left is the
//!    one of m = ⌈(p − d)/q⌉, if that is at most k, or d ≥ r = p − k·q. Every smaller m lies at the
//!    right of b. (If r = 0 the orbit is complete with m = k − 1; the point of m = k is the left
//!    end once more.)
//! 3. Points fall into an interval in the order of their indices; once the next one that comes
//!    between the closest point and b has an index ≥ N, so have all later ones, and d is final.

use crate::{existence_test::ExistenceTest, probe::Probe, segment::Segment, verdict::Verdict};

/// The exact test: [`Verdict::MayHold`] only if there is such an x. Points looked at: n = N.
///
/// About as fast as the others, but less regular: the oracle where those of a test suite are too
/// slow, and the test to use where false positives cost more than the test.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Exact;

/// The minimum of a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Minimum {
    /// The least (b − a·x) mod 1 over 0 ≤ x < N, in units of 2^-64.
    pub distance: u64,
    /// The first x that attains it.
    pub argument: u64,
}

impl Exact {
    /// The minimum of (b − a·x) mod 1 over 0 ≤ x < N, and the first x that attains it.
    pub fn minimum(segment: Segment) -> Minimum {
        minimum(segment, &mut crate::probe::NoProbe)
    }
}

impl ExistenceTest for Exact {
    #[inline]
    fn test<P: Probe>(&self, segment: Segment, width: u64, probe: &mut P) -> Verdict {
        Verdict::from_lower_bound(minimum(segment, probe).distance, width)
    }

    fn name(&self) -> &'static str {
        "exact"
    }
}

#[inline]
fn minimum<P: Probe>(segment: Segment, probe: &mut P) -> Minimum {
    let (a, b, n) = (segment.a(), segment.b(), segment.n());
    let (mut d, mut x) = (b, 0);
    if a == 0 {
        return Minimum { distance: d, argument: x };
    }
    let (mut p, mut u, mut v) = (a, 0, 1);
    // 1 = (1 − {a}) + {a}: the quotient is one more than that of 1 − {a}. It overflows for a =
    // 2^-64 alone, where the remainder is 0 and the quotient is not used.
    let mut k = (a.wrapping_neg() / a).saturating_add(1);
    let mut q = a.wrapping_neg() % a;
    probe.division();
    loop {
        // q was split from the left: it is already reduced to the rest of the quotient k.
        debug_assert!(q < p && u + v <= n && x < u + v);
        probe.iteration();
        if d >= p {
            probe.division();
            let (wanted, allowed) = (d / p, (n - 1 - x) / v);
            let j = wanted.min(allowed);
            d -= j * p;
            x += j * v;
            if wanted > allowed {
                return Minimum { distance: d, argument: x };
            }
        }
        // With q = 0 the orbit is complete; the counts do not overflow before, as u·p + v·q = 2^64.
        if q == 0 || u + k * v + v >= n {
            return Minimum { distance: d, argument: x };
        }
        u += k * v;

        probe.iteration();
        probe.division();
        k = p / q;
        let r = p % q;
        // The leftmost new point; with r = 0 the one at distance 0 is the left end itself, once
        // more.
        let leftmost = if r == 0 { q } else { r };
        if x < u && d >= leftmost {
            let m = (p - d).div_ceil(q);
            debug_assert!(d < p && 1 <= m && m <= k);
            // No overflow: m·q·u ≤ p·u = 2^64 − v·q, and x < u; for q = 1 we have r = 0, so that m
            // ≤ k − 1.
            let next = x + v + m * u;
            if next >= n {
                return Minimum { distance: d, argument: x };
            }
            d -= p - m * q;
            x = next;
        }
        if r == 0 || v + k * u + u >= n {
            return Minimum { distance: d, argument: x };
        }
        v += k * u;
        p = r;
        probe.division();
        k = q / p;
        q %= p;
    }
}
