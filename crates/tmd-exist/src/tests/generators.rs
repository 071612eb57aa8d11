//! Segments and widths where things happen: short orbits, large quotients, points at b or just
//! beside it.

use super::naive;
use crate::Segment;
use proptest::prelude::*;

/// Slopes of every kind: any, near 0, near 1, near 1/2, dyadic (rational with a short orbit), and
/// near a fraction with a small denominator (a large quotient at some depth).
pub(super) fn slope() -> impl Strategy<Value = u64> {
    prop_oneof![
        4 => any::<u64>(),
        1 => 0_u64..1000,
        1 => (0_u64..1000).prop_map(u64::wrapping_neg),
        1 => (-1000_i64..1000).prop_map(|offset| (1_u64 << 63).wrapping_add_signed(offset)),
        2 => (0_u32..64, any::<u64>()).prop_map(|(shift, odd)| (odd | 1) << shift),
        3 => (1_u64..200, 0_u64..200, -3_i64..=3, 0_u32..50).prop_map(|(den, num, offset, scale)| {
            (((u128::from(num) << 64) / u128::from(den)) as u64).wrapping_add_signed(offset << scale)
        }),
        // a·N is 0 modulo 1, for N a power of two.
        1 => (1_u32..12, any::<u64>()).prop_map(|(bits, num)| num << (64 - bits)),
    ]
}

/// Numbers of arguments, with the smallest and the powers of two.
pub(super) fn arguments() -> impl Strategy<Value = u64> {
    prop_oneof![1_u64..6, 6_u64..400, (0_u32..10).prop_map(|bits| 1 << bits)]
}

/// Segments; b anywhere, near 0, near 1, or within a few units of a point a·x.
pub(super) fn segment() -> impl Strategy<Value = Segment> {
    (slope(), arguments()).prop_flat_map(|(a, n)| {
        let near_a_point = (0..=2 * n, -2_i64..=2)
            .prop_map(move |(x, offset)| a.wrapping_mul(x).wrapping_add_signed(offset));
        let b = prop_oneof![
            4 => any::<u64>(),
            1 => 0_u64..10,
            1 => (0_u64..10).prop_map(u64::wrapping_neg),
            4 => near_a_point,
        ];
        b.prop_map(move |b| Segment::new(a, b, n).unwrap())
    })
}

/// A segment with a width; among them the least width that holds the minimum, and the greatest that
/// does not.
pub(super) fn segment_and_width() -> impl Strategy<Value = (Segment, u64)> {
    segment().prop_flat_map(|segment| {
        let least = naive::minimum(segment.a(), segment.b(), segment.n()).distance;
        let width = prop_oneof![
            3 => Just(least),
            3 => Just(least.saturating_add(1)),
            1 => 0_u64..4,
            1 => Just(u64::MAX),
            1 => any::<u64>(),
            1 => (0_u32..64).prop_map(|shift| 1 << shift),
        ];
        (Just(segment), width)
    })
}
