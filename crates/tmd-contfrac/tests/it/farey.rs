//! Farey intervals and the walk against the sorted list of fractions.

use proptest::prelude::*;
use tmd_contfrac::{FareyInterval, FareyWalk, MAX_ORDER, Rotation, farey_neighbors};

use crate::{oracle, strategies};

type Fraction = (u64, u64);

/// The neighbors with left ≤ a/modulus < right, by looking through the list.
fn neighbors(fractions: &[Fraction], a: u128, modulus: u128) -> (Fraction, Fraction) {
    let place = fractions.partition_point(|&(m, u)| u128::from(m) * modulus <= a * u128::from(u));
    (fractions[place - 1], fractions[place])
}

fn ends(interval: FareyInterval) -> (Fraction, Fraction) {
    (interval.left(), interval.right())
}

/// The lengths from their definition in signed integers.
fn check_lengths(walk: FareyWalk) {
    let ((m1, u), (m2, v)) = ends(walk.interval());
    let (a, modulus) = (walk.rotation().a() as i128, walk.rotation().modulus() as i128);
    assert_eq!(walk.p() as i128, i128::from(u) * a - i128::from(m1) * modulus);
    assert_eq!(walk.q() as i128, i128::from(m2) * modulus - i128::from(v) * a);
    assert_eq!((walk.u(), walk.v()), (u, v));
    assert_eq!(u128::from(u) * walk.q() + u128::from(v) * walk.p(), modulus as u128, "u·q + v·p = 1");
    assert!(walk.q() > 0);
}

#[test]
fn neighbors_of_all_small_slopes() {
    for order in 1..=25 {
        let fractions = oracle::farey_fractions(order);
        for rotation in strategies::rotations(40) {
            let found = farey_neighbors(rotation, order).unwrap();
            let expected = neighbors(&fractions, rotation.a(), rotation.modulus());
            assert_eq!(ends(found), expected, "{rotation:?}, order {order}");
            assert_eq!(found.order(), order);
            check_lengths(FareyWalk::new(rotation, order).unwrap());
        }
    }
}

#[test]
fn successors_and_predecessors_go_around_the_circle() {
    for order in 1..=40 {
        let fractions = oracle::farey_fractions(order);
        let first = FareyInterval::first(order).unwrap();
        let mut interval = first;
        for pair in fractions.windows(2) {
            assert_eq!(ends(interval), (pair[0], pair[1]), "order {order}");
            assert_eq!(interval.successor().predecessor(), interval);
            interval = interval.successor();
        }
        assert_eq!(interval, first, "order {order}: after 1/1 comes 0/1");
        for pair in fractions.windows(2).rev() {
            interval = interval.predecessor();
            assert_eq!(ends(interval), (pair[0], pair[1]), "order {order}");
        }
        assert_eq!(interval, first);
    }
}

#[test]
fn the_largest_order_does_not_overflow() {
    let modulus = 1_i128 << 64;
    for a in [0, 1, u64::MAX, 1 << 63, 0x9e37_79b9_7f4a_7c15] {
        let mut walk = FareyWalk::new(Rotation::from_q64(a), MAX_ORDER).unwrap();
        check_lengths(walk);
        check_lengths(FareyWalk::new(Rotation::from_q64(a), MAX_ORDER - 1).unwrap());
        // a whole turn is refused only beyond the modulus; here a tiny step, which crosses few
        // fractions
        let crossings = walk.advance(0).unwrap();
        assert_eq!(crossings, 0);
        check_lengths(walk);
    }
    // order 3, whole turns: every fraction is met once, 0/1 = 1/1 counting once
    for delta in [modulus, -modulus] {
        let mut walk = FareyWalk::new(Rotation::from_q64(77), 3).unwrap();
        let before = walk;
        assert_eq!(walk.advance(delta), Ok(4)); // 0/1, 1/3, 1/2, 2/3
        assert_eq!(walk, before);
    }
}

/// A step of a walk of large order that crosses the gap of length 1/M around 0: the largest
/// products there are.
#[test]
fn the_longest_crossing_of_the_largest_order() {
    let modulus = 1_i128 << 64;
    // [0, 1/M) is 8 units wide; the slopes −1 and 1 lie on both sides of 0
    let mut walk = FareyWalk::new(Rotation::from_q64(u64::MAX), MAX_ORDER).unwrap();
    assert_eq!(ends(walk.interval()), ((MAX_ORDER - 1, MAX_ORDER), (1, 1)));
    assert_eq!(walk.advance(2), Ok(1));
    assert_eq!(ends(walk.interval()), ((0, 1), (1, MAX_ORDER)));
    check_lengths(walk);
    assert_eq!(walk.advance(-2), Ok(1));
    assert_eq!(ends(walk.interval()), ((MAX_ORDER - 1, MAX_ORDER), (1, 1)));
    check_lengths(walk);
    assert_eq!(walk.advance(2 - 1), Ok(1));
    assert_eq!((walk.rotation().a() as i128) % modulus, 0);
}

/// How many fractions lie in `(a, a + delta]`, or in `(a + delta, a]`, counted turn by turn over
/// the list.
fn crossings(fractions: &[Fraction], a: i128, delta: i128, modulus: i128) -> u64 {
    let (low, high) = (a.min(a + delta), a.max(a + delta));
    let mut count = 0;
    for turn in -2..=2 {
        // 1/1 is 0/1 of the next turn
        for &(m, u) in &fractions[..fractions.len() - 1] {
            let (m, u) = (i128::from(m), i128::from(u));
            let scaled = (m + turn * u) * modulus;
            if low * u < scaled && scaled <= high * u {
                count += 1;
            }
        }
    }
    count
}

proptest! {
    #![proptest_config(strategies::config())]

    #[test]
    fn small_walks_follow_the_slope(
        (modulus, order) in (1_u128..=300, 1_u64..=30),
        a in 0_u128..300,
        steps in prop::collection::vec(-300_i128..=300, 1..12),
    ) {
        let fractions = oracle::farey_fractions(order);
        let mut walk = FareyWalk::new(Rotation::new(a, modulus).unwrap(), order).unwrap();
        for step in steps {
            let signed = modulus as i128;
            let (before, delta) = (walk.rotation().a() as i128, step % (signed + 1));
            prop_assert_eq!(walk.advance(delta), Ok(crossings(&fractions, before, delta, signed)));
            let a = (before + delta).rem_euclid(signed) as u128;
            prop_assert_eq!(walk.rotation().a(), a);
            prop_assert_eq!(ends(walk.interval()), neighbors(&fractions, a, modulus));
            check_lengths(walk);
        }
    }

    /// A walk arrives where a fresh search arrives, for the orders and steps of the search:
    /// `M ≈ 9N/8`, `N = 2^16`.
    #[test]
    fn large_walks_end_where_a_fresh_search_does(
        (a, modulus) in strategies::modulus().prop_flat_map(|m| (strategies::slope(m), Just(m))),
        order in prop_oneof![1_u64..100, 1_u64..(9 << 13), Just(9 << 13)],
        steps in prop::collection::vec(any::<i64>(), 1..6),
    ) {
        let mut walk = FareyWalk::new(Rotation::new(a, modulus).unwrap(), order).unwrap();
        check_lengths(walk);
        for step in steps {
            // about 1000 crossings at most
            let limit = (modulus * 3000 / (u128::from(order) * u128::from(order))).min(modulus) as i128;
            let delta = i128::from(step) % (limit + 1);
            let target = (walk.rotation().a() as i128 + delta).rem_euclid(modulus as i128) as u128;
            walk.advance(delta).unwrap();
            prop_assert_eq!(walk, FareyWalk::new(Rotation::new(target, modulus).unwrap(), order).unwrap());
        }
    }

    #[test]
    fn neighbors_of_any_order_enclose_the_slope(
        (a, modulus) in strategies::modulus().prop_flat_map(|m| (strategies::slope(m), Just(m))),
        order in prop_oneof![1_u64..100, 1..=MAX_ORDER, Just(MAX_ORDER)],
    ) {
        let walk = FareyWalk::new(Rotation::new(a, modulus).unwrap(), order).unwrap();
        let ((m1, u), (m2, v)) = ends(walk.interval());
        let [m1, u, m2, v] = [m1, u, m2, v].map(u128::from);
        prop_assert!(m1 * modulus <= a * u && a * v < m2 * modulus);
        prop_assert_eq!(m2 * u, m1 * v + 1);
        prop_assert!(u.max(v) <= u128::from(order) && u128::from(order) < u + v);
        check_lengths(walk);
    }
}
