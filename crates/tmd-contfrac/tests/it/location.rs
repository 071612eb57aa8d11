//! Nearest points: the minimum, the first hit, the cell around `b`.

use proptest::prelude::*;
use tmd_contfrac::{Rotation, TwoLengthConfiguration, first_hit, locate, minimum};

use crate::{oracle, strategies};
use strategies::Segment;

fn check_minimum(s: Segment) {
    let found = minimum(s.rotation(), s.b, s.n).map(|point| (point.x, point.d));
    assert_eq!(found, oracle::minimum(s.a, s.b, s.modulus, s.n), "{s:?}");
}

fn check_first_hit(s: Segment) {
    let found = first_hit(s.rotation(), s.b, s.n, s.width).map(|point| (point.x, point.d));
    let expected = oracle::hits(s.a, s.b, s.modulus, s.n, s.width).first().copied();
    assert_eq!(found, expected, "{s:?}");
}

/// The cell of `b` by looking at every interval.
fn check_cell(c: TwoLengthConfiguration, b: u128) {
    let rotation = c.rotation();
    let modulus = rotation.modulus();
    let cell = locate(c, b);
    let intervals = oracle::intervals(rotation.a(), modulus, c.points() as u64);
    let (x, y, left_distance, right_distance) = intervals
        .into_iter()
        .find_map(|(x, y, length)| {
            let left_distance = rotation.distance(b, x);
            (left_distance < length).then(|| (x, y, left_distance, length - left_distance))
        })
        .unwrap();
    assert_eq!((cell.left, cell.right), (x.into(), y.into()), "b = {b}, {c:?}");
    assert_eq!((cell.left_distance, cell.right_distance), (left_distance, right_distance), "b = {b}, {c:?}");
}

#[test]
fn minima_of_all_small_segments() {
    strategies::segments(17).for_each(check_minimum);
}

#[test]
fn cells_of_all_small_configurations() {
    for rotation in strategies::rotations(24) {
        for c in TwoLengthConfiguration::all(rotation) {
            (0..2 * rotation.modulus()).for_each(|b| check_cell(c, b));
        }
    }
}

#[test]
fn extreme_segments_of_64_bit_fixed_point() {
    let unit = 1_u128 << 64;
    let found = |a, b, n| minimum(Rotation::from_q64(a), b, n).map(|point| (point.x, point.d));
    assert_eq!(found(1, unit - 1, u64::MAX), Some((u64::MAX - 1, 1)));
    assert_eq!(found(u64::MAX, 1, u64::MAX), Some((0, 1)));
    assert_eq!(found(u64::MAX, 2, u64::MAX), Some((u64::MAX - 1, 0)));
    assert_eq!(found(0, unit - 1, u64::MAX), Some((0, unit - 1)));
    assert_eq!(found(1 << 63, unit - 1, u64::MAX), Some((1, (1 << 63) - 1)));
    // b is reduced
    assert_eq!(found(1, unit + 5, 10), Some((5, 0)));
}

proptest! {
    #![proptest_config(strategies::config())]

    #[test]
    fn the_minimum_is_that_of_brute_force(s in prop_oneof![strategies::small(), strategies::large()]) {
        check_minimum(s);
    }

    #[test]
    fn the_first_hit_is_that_of_brute_force(s in prop_oneof![strategies::small(), strategies::large()]) {
        check_first_hit(s);
    }

    #[test]
    fn the_cell_is_that_of_brute_force(s in strategies::large()) {
        check_cell(TwoLengthConfiguration::within(s.rotation(), s.n), s.b);
    }

    /// Far beyond brute force: the definition of a minimum in terms of the first hit, which walks
    /// another way.
    #[test]
    fn the_minimum_over_many_points_is_a_first_hit_and_nothing_is_nearer(
        (modulus, n) in (strategies::modulus(), any::<u64>()),
        (a, b) in (any::<u64>(), any::<u64>()),
    ) {
        let rotation = Rotation::new(a.into(), modulus).unwrap();
        let point = minimum(rotation, b.into(), n);
        prop_assert_eq!(point.is_none(), n == 0);
        if let Some(point) = point {
            prop_assert!(point.x < n);
            prop_assert_eq!(rotation.distance(b.into(), point.x), point.d);
            prop_assert_eq!(first_hit(rotation, b.into(), n, point.d), None);
            prop_assert_eq!(first_hit(rotation, b.into(), n, point.d + 1), Some(point));
        }
    }
}
