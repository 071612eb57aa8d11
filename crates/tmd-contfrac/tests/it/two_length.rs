//! Two-length configurations against sorted points.

use proptest::prelude::*;
use tmd_contfrac::{PartialQuotients, Rotation, TwoLengthConfiguration};

use crate::{oracle, strategies};

/// The row `(i, t, q_{i−1,t}, q_i, θ_{i−1,t}, θ_i)` of Table I.
fn row(c: TwoLengthConfiguration) -> (u32, u128, u128, u128, u128, u128) {
    let (i, t) = (c.i(), c.t());
    if i % 2 == 0 { (i, t, c.u(), c.v(), c.q(), c.p()) } else { (i, t, c.v(), c.u(), c.p(), c.q()) }
}

#[test]
fn table_one_of_the_gpu_paper() {
    // a = 14/45. The columns of the print are garbled; recomputed by hand from θ and q of section
    // 3.2 with k = 3, 4, 1, 2.
    let expected = [
        (0, 0, 0, 1, 45, 14),
        (0, 1, 1, 1, 31, 14),
        (0, 2, 2, 1, 17, 14),
        (1, 0, 1, 3, 14, 3),
        (1, 1, 4, 3, 11, 3),
        (1, 2, 7, 3, 8, 3),
        (1, 3, 10, 3, 5, 3),
        (2, 0, 3, 13, 3, 2),
        (3, 0, 13, 16, 2, 1),
        (3, 1, 29, 16, 1, 1),
        (4, 0, 16, 45, 1, 0),
    ];
    let rotation = Rotation::new(14, 45).unwrap();
    assert_eq!(TwoLengthConfiguration::all(rotation).map(row).collect::<Vec<_>>(), expected);
    let whole: Vec<_> = expected.into_iter().filter(|row| row.1 == 0).collect();
    assert_eq!(TwoLengthConfiguration::whole_quotients(rotation).map(row).collect::<Vec<_>>(), whole);
}

/// Lengths, counts and neighbors of a configuration, and that there is no two-length configuration
/// in between.
fn check_against_points(a: u128, modulus: u128) {
    let rotation = Rotation::new(a, modulus).unwrap();
    let mut sizes = Vec::new();
    for c in TwoLengthConfiguration::all(rotation) {
        let (p, q, u, v) = (c.p(), c.q(), c.u(), c.v());
        let name = format!("{a}/{modulus}: {c:?}");
        assert_eq!(u * p + v * q, modulus, "{name}");
        let points = c.points() as u64;
        let intervals = oracle::intervals(a, modulus, points);
        assert_eq!(c.is_degenerate(), (intervals.len() as u64) < points || a == 0, "{name}");
        assert_eq!(c.is_complete(), intervals.len() as u128 == rotation.period(), "{name}");
        if c.is_degenerate() {
            continue;
        }
        sizes.push(points);
        for (left, right, length) in intervals {
            let (left, right) = (u128::from(left), u128::from(right));
            assert_eq!(c.right_neighbor(left), Some((right, length)), "{name}");
            assert_eq!(c.left_neighbor(right), Some((left, length)), "{name}");
            // intervals of length p start at the first u points, those of length q at the others
            assert_eq!(length, if left < u { p } else { q }, "{name}");
        }
        assert_eq!((c.right_neighbor(u + v), c.left_neighbor(u + v)), (None, None));
    }
    let two_lengths: Vec<u64> = (1..=rotation.period() as u64)
        .filter(|&n| {
            let mut lengths: Vec<u128> = oracle::intervals(a, modulus, n).iter().map(|i| i.2).collect();
            lengths.sort_unstable();
            lengths.dedup();
            lengths.len() <= 2
        })
        .collect();
    assert!(sizes.iter().all(|n| two_lengths.contains(n)), "{a}/{modulus}");
    // Nothing is missing: two lengths between configurations occur only where the long intervals
    // are being halved.
    for n in two_lengths.into_iter().filter(|n| !sizes.contains(n) && a != 0) {
        let c = TwoLengthConfiguration::within(rotation, n);
        assert_eq!(c.p().max(c.q()), 2 * c.p().min(c.q()), "{a}/{modulus}: {n} points missing");
    }
}

#[test]
fn small_configurations_are_those_of_the_points() {
    strategies::fractions(40).for_each(|(a, modulus)| check_against_points(a, modulus));
}

/// Property 2: which intervals are split, into which pieces in which order.
#[test]
fn the_reduction_is_directed() {
    for (a, modulus) in strategies::fractions(40) {
        let rotation = Rotation::new(a, modulus).unwrap();
        for c in TwoLengthConfiguration::all(rotation) {
            let (Some(reduction), Some(next)) = (c.directed_reduction(), c.successor()) else {
                assert!(c.is_degenerate() && c.successor().is_none() && c.directed_reduction().is_none());
                continue;
            };
            assert_eq!(next.points(), c.points() + reduction.count);
            if next.is_degenerate() {
                // the new points fall on old ones
                let least = reduction.left.min(reduction.right);
                assert_eq!((least, reduction.split), (0, next.p().max(next.q())));
                continue;
            }
            let before = oracle::intervals(a, modulus, c.points() as u64);
            let after = oracle::intervals(a, modulus, next.points() as u64);
            let long: Vec<_> = before.iter().filter(|old| old.2 == reduction.split).collect();
            assert_eq!(long.len() as u128, reduction.count, "{a}/{modulus}: {c:?}");
            for &(left, right, length) in &before {
                let first = after.iter().find(|new| new.0 == left).unwrap();
                if length == reduction.split {
                    let second = after.iter().find(|new| new.1 == right).unwrap();
                    let parts = (reduction.left, reduction.right);
                    assert_eq!((first.2, second.2), parts, "{a}/{modulus}: {c:?}");
                    assert_eq!(first.1, second.0, "{a}/{modulus}: {c:?}");
                } else {
                    assert_eq!((first.1, first.2), (right, length), "{a}/{modulus}: {c:?}");
                }
            }
        }
    }
}

#[test]
fn whole_quotients_skip_from_anywhere_to_the_next_index() {
    for (a, modulus) in [(14, 45), (31, 45), (1, 9), (8, 9), (6, 21), (55, 89), (0, 5), (3, 1)] {
        let rotation = Rotation::new(a, modulus).unwrap();
        let all: Vec<_> = TwoLengthConfiguration::all(rotation).collect();
        for c in &all {
            let expected = all.iter().find(|later| later.i() == c.i() + 1).copied();
            assert_eq!(c.next_quotient(), expected, "{a}/{modulus}: from {c:?}");
        }
        let quotients: u128 = PartialQuotients::new(a % modulus, modulus).unwrap().sum();
        assert_eq!(all.len() as u128, 1 + quotients, "one split per unit of quotient");
    }
}

#[test]
fn within_and_covering_pick_from_the_sequence() {
    for (a, modulus) in strategies::fractions(40) {
        let rotation = Rotation::new(a, modulus).unwrap();
        let all: Vec<_> =
            TwoLengthConfiguration::all(rotation).filter(|c| !c.is_degenerate() || a == 0).collect();
        for n in 0..=2 * modulus as u64 {
            let within = all.iter().rev().find(|c| c.points() <= u128::from(n.max(1))).unwrap();
            assert_eq!(TwoLengthConfiguration::within(rotation, n), *within, "{a}/{modulus}, n = {n}");
            let covering = all.iter().find(|c| c.points() >= u128::from(n)).unwrap_or(&all[all.len() - 1]);
            assert_eq!(TwoLengthConfiguration::covering(rotation, n), *covering, "{a}/{modulus}, n = {n}");
            assert!(covering.points() < u128::from(2 * n.max(1)));
        }
    }
}

#[test]
fn extreme_slopes_of_64_bit_fixed_point() {
    // a = 1: one quotient of 2^64. a = 2^64 − 1: quotients 1 and 2^64 − 1.
    let last = |a| TwoLengthConfiguration::whole_quotients(Rotation::from_q64(a)).map(row).last();
    assert_eq!(last(1), Some((1, 0, 1, 1 << 64, 1, 0)));
    assert_eq!(last(u64::MAX), Some((2, 0, 1, 1 << 64, 1, 0)));
    assert_eq!(last(1 << 63), Some((1, 0, 1, 2, 1 << 63, 0)));
    assert_eq!(last(0), Some((0, 0, 0, 1, 1 << 64, 0)));
    let complete = TwoLengthConfiguration::covering(Rotation::from_q64(1), u64::MAX);
    assert_eq!((complete.p(), complete.q(), complete.points()), (1, 2, u128::from(u64::MAX)));
    assert_eq!(complete.successor().map(TwoLengthConfiguration::is_complete), Some(true));
}

proptest! {
    #![proptest_config(strategies::config())]

    #[test]
    fn large_configurations_are_those_of_the_points(segment in strategies::large()) {
        let rotation = segment.rotation();
        let c = TwoLengthConfiguration::within(rotation, segment.n);
        let intervals = oracle::intervals(segment.a, segment.modulus, c.points() as u64);
        prop_assert_eq!(intervals.len() as u128, c.points());
        for (left, right, length) in intervals {
            prop_assert_eq!(c.right_neighbor(left.into()), Some((right.into(), length)));
            prop_assert_eq!(c.left_neighbor(right.into()), Some((left.into(), length)));
        }
        let covering = TwoLengthConfiguration::covering(rotation, segment.n);
        prop_assert!(covering.points() >= u128::from(segment.n) || covering.points() == rotation.period());
    }
}
