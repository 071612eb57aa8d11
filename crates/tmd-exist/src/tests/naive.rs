//! The oracles: obviously right, and slow.

use crate::{Minimum, Segment};

/// The least (b − a·x) mod 2^64 over 0 ≤ x < n and the first x that attains it, one point after the
/// other.
pub(super) fn minimum(a: u64, b: u64, n: u64) -> Minimum {
    let mut best = Minimum { distance: b, argument: 0 };
    let mut distance = b;
    for argument in 1..n {
        distance = distance.wrapping_sub(a);
        if distance < best.distance {
            best = Minimum { distance, argument };
        }
    }
    best
}

/// Whether some x of the segment has (b − a·x) mod 2^64 < width.
pub(super) fn holds(segment: Segment, width: u64) -> bool {
    minimum(segment.a(), segment.b(), segment.n()).distance < width
}

/// The number of points of the first two-length configuration of a (not 0) with at least n points,
/// or of the complete orbit. Built by the subtractive form of Euclid's algorithm on whole numbers,
/// without any b.
pub(super) fn first_two_length_configuration(a: u64, n: u64) -> u64 {
    let (mut p, mut q) = (u128::from(a), 1_u128 << 64);
    let (mut u, mut v) = (0_u64, 1_u64);
    while u + v < n && p != q {
        if p < q {
            q -= p;
            u += v;
        } else {
            p -= q;
            v += u;
        }
    }
    u + v
}

/// Where whole quotients of a (not 0) first count at least n points, from the counts (u, v) =
/// `start`. `None` if the orbit completes before or there, or a quotient exceeds 2^20, which is
/// more than brute force should look at.
pub(super) fn whole_quotients(a: u64, n: u64, start: (u64, u64)) -> Option<WholeQuotients> {
    let (mut p, mut q) = (u128::from(a), 1_u128 << 64);
    let (mut counted_u, mut counted_v) = (u128::from(start.0), u128::from(start.1));
    let (mut u, mut v) = (0_u128, 1_u128);
    for turns in 1.. {
        let splits_p = turns % 2 == 0;
        let k = if splits_p { p / q } else { q / p };
        let untouched = if splits_p { v } else { 0 };
        if splits_p {
            (p, v, counted_v) = (p % q, v + k * u, counted_v + k * counted_u);
        } else {
            (q, u, counted_u) = (q % p, u + k * v, counted_u + k * counted_v);
        }
        if p == 0 || q == 0 || k > 1 << 20 {
            return None;
        }
        if counted_u + counted_v >= u128::from(n) {
            let (k, placed, looked_at) = (k as u64, (u + v) as u64, (u + v + untouched) as u64);
            return Some(WholeQuotients { turns, k, placed, looked_at });
        }
    }
    None
}

/// See [`whole_quotients`].
#[derive(Clone, Copy, Debug)]
pub(super) struct WholeQuotients {
    /// The number of quotients.
    pub(super) turns: u64,
    /// The last of them.
    pub(super) k: u64,
    /// The points placed (all of them, whatever the start).
    pub(super) placed: u64,
    /// With one more point in each interval of length q that a last step on p left alone.
    pub(super) looked_at: u64,
}
