//! The gaps between any number of points.

use proptest::prelude::*;
use tmd_contfrac::{Rotation, three_distances};

use crate::{oracle, strategies};

/// The different lengths, ascending, with their counts.
fn gaps(a: u128, modulus: u128, n: u64) -> Vec<(u128, u128)> {
    let mut lengths: Vec<u128> = oracle::intervals(a, modulus, n).iter().map(|interval| interval.2).collect();
    lengths.sort_unstable();
    lengths.chunk_by(|x, y| x == y).map(|equal| (equal[0], equal.len() as u128)).collect()
}

fn check(a: u128, modulus: u128, n: u64) {
    let distances = three_distances(Rotation::new(a, modulus).unwrap(), n);
    let found: Vec<_> = distances.as_slice().iter().map(|gap| (gap.length, gap.count)).collect();
    let expected = gaps(a, modulus, n);
    assert_eq!(found, expected, "{n} points of {a}/{modulus}");
    assert_eq!(distances.points(), expected.iter().map(|gap| gap.1).sum());
    if let [x, y, z] = found[..] {
        assert_eq!(x.0 + y.0, z.0, "the largest is the sum of the others");
    }
}

#[test]
fn gaps_of_all_small_rotations() {
    for (a, modulus) in strategies::fractions(40) {
        (0..=modulus as u64 + 2).for_each(|n| check(a, modulus, n));
    }
}

#[test]
fn all_but_one_point_of_64_bit_fixed_point() {
    let distances = three_distances(Rotation::from_q64(3), u64::MAX);
    let found: Vec<_> = distances.as_slice().iter().map(|gap| (gap.length, gap.count)).collect();
    assert_eq!(found, [(1, (1 << 64) - 2), (2, 1)]);
}

proptest! {
    #![proptest_config(strategies::config())]

    #[test]
    fn gaps_of_large_rotations(s in strategies::large()) {
        check(s.a, s.modulus, s.n);
    }
}
