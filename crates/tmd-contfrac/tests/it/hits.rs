//! All hits, listed and counted.

use proptest::prelude::*;
use tmd_contfrac::{Rotation, count_hits, first_hit, hits};

use crate::{oracle, strategies};
use strategies::Segment;

fn check(s: Segment) {
    let found: Vec<_> = hits(s.rotation(), s.b, s.n, s.width).map(|hit| (hit.x, hit.d)).collect();
    let expected = oracle::hits(s.a, s.b, s.modulus, s.n, s.width);
    assert_eq!(found, expected, "{s:?}");
    assert_eq!(count_hits(s.rotation(), s.b, s.n, s.width), expected.len() as u64, "{s:?}");
}

#[test]
fn hits_of_all_small_segments() {
    for segment in strategies::segments(16) {
        for width in 0..=segment.modulus + 1 {
            check(Segment { width, ..segment });
        }
    }
}

#[test]
fn extreme_segments_of_64_bit_fixed_point() {
    let found = |a, b, n, width| {
        hits(Rotation::from_q64(a), b, n, width).map(|hit| (hit.x, hit.d)).collect::<Vec<_>>()
    };
    // the step to the next hit leaves 64 bits
    assert_eq!(found(1, 3, u64::MAX, 2), [(2, 1), (3, 0)]);
    assert_eq!(found(u64::MAX, 1, u64::MAX, 1), []);
    assert_eq!(found(u64::MAX, 2, u64::MAX, 1), [(u64::MAX - 1, 0)]);
    assert_eq!(found(u64::MAX, 4, u64::MAX, 3), [(u64::MAX - 3, 0), (u64::MAX - 2, 1), (u64::MAX - 1, 2)]);
    assert_eq!(found(0, 3, 4, 4), [(0, 3), (1, 3), (2, 3), (3, 3)]);
    assert_eq!(found(0, 3, u64::MAX, 3), []);
    // point 2^63 would meet b again after the whole period, beyond n
    assert_eq!(found(2, 0, 1 << 63, 2), [(0, 0)]);
    assert_eq!(found(2, 0, (1 << 63) + 1, 2), [(0, 0), (1 << 63, 0)]);
    assert_eq!(count_hits(Rotation::from_q64(1), 0, u64::MAX, 1 << 64), u64::MAX);
    assert_eq!(count_hits(Rotation::from_q64(u64::MAX), 0, u64::MAX, u128::MAX), u64::MAX);
    assert_eq!(count_hits(Rotation::from_q64(u64::MAX), 1, u64::MAX, 1), 0);
    assert_eq!(count_hits(Rotation::from_q64(u64::MAX), 2, u64::MAX, 1), 1);
}

proptest! {
    #![proptest_config(strategies::config())]

    #[test]
    fn small_hits_are_those_of_brute_force(s in strategies::small()) {
        check(s);
    }

    #[test]
    fn large_hits_are_those_of_brute_force(s in strategies::large()) {
        check(s);
    }

    /// Far beyond brute force: the return steps against a fresh search for each next hit, and the
    /// count.
    #[test]
    fn each_hit_is_the_first_one_after_its_predecessor(
        (a, modulus) in strategies::modulus().prop_flat_map(|m| (strategies::slope(m), Just(m))),
        b in any::<u64>(),
        n in any::<u64>(),
        share in 0_u32..=64,
    ) {
        let rotation = Rotation::new(a, modulus).unwrap();
        let width = modulus.unbounded_shr(share);
        let b = u128::from(b);
        let mut start = 0;
        for hit in hits(rotation, b, n, width).take(40) {
            // the segment that begins at `start`: b moves back by a·start
            let moved = rotation.distance(b, start);
            let first = first_hit(rotation, moved, n - start, width).map(|f| (f.x + start, f.d));
            prop_assert_eq!(first, Some((hit.x, hit.d)));
            prop_assert_eq!(count_hits(rotation, moved, hit.x - start + 1, width), 1);
            start = hit.x + 1;
        }
        if hits(rotation, b, n, width).nth(40).is_none() {
            let rest = rotation.distance(b, start);
            prop_assert_eq!(first_hit(rotation, rest, n - start, width), None);
            prop_assert_eq!(count_hits(rotation, rest, n - start, width), 0);
        }
    }
}
