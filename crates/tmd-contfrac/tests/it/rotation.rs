//! The checked input and the errors.

use tmd_contfrac::{
    Error, FareyInterval, FareyWalk, MAX_MODULUS, MAX_ORDER, PartialQuotients, Rotation, farey_neighbors,
};

use crate::oracle;

#[test]
fn bad_input_is_reported_with_its_value() {
    assert_eq!(Rotation::new(3, 0), Err(Error::ZeroModulus));
    let modulus = MAX_MODULUS + 1;
    assert_eq!(Rotation::new(3, modulus), Err(Error::ModulusTooLarge { modulus }));
    assert_eq!(Rotation::new(3, u128::MAX), Err(Error::ModulusTooLarge { modulus: u128::MAX }));
    assert_eq!(PartialQuotients::new(7, 0).err(), Some(Error::ZeroDenominator { numerator: 7 }));

    let rotation = Rotation::new(14, 45).unwrap();
    let order = MAX_ORDER + 1;
    assert_eq!(farey_neighbors(rotation, 0), Err(Error::ZeroOrder));
    assert_eq!(farey_neighbors(rotation, order), Err(Error::OrderTooLarge { order }));
    assert_eq!(FareyInterval::first(0), Err(Error::ZeroOrder));
    assert_eq!(FareyInterval::first(order), Err(Error::OrderTooLarge { order }));

    let mut walk = FareyWalk::new(rotation, 5).unwrap();
    let before = walk;
    for delta in [46, -46, i128::MAX, i128::MIN] {
        assert_eq!(walk.advance(delta), Err(Error::StepTooLong { delta, modulus: 45 }));
        assert_eq!(walk, before, "a refused step moves nothing");
    }
}

#[test]
fn messages_name_the_limit() {
    let message = Error::ModulusTooLarge { modulus: 18_446_744_073_709_551_617 }.to_string();
    assert_eq!(message, "the modulus 18446744073709551617 is larger than 18446744073709551616 = 2^64");
    let message = Error::OrderTooLarge { order: 1 << 62 }.to_string();
    assert_eq!(message, "the Farey order 4611686018427387904 is larger than 2305843009213693952 = 2^61");
}

#[test]
fn the_largest_modulus_is_the_unit_of_64_bit_fixed_point() {
    let rotation = Rotation::from_q64(u64::MAX);
    assert_eq!(rotation, Rotation::new(u128::from(u64::MAX), 1 << 64).unwrap());
    // a = −1 modulo 2^64, so point x is −x
    assert_eq!(rotation.point(u64::MAX), 1);
    assert_eq!(rotation.distance(5, 7), 12);
    assert_eq!(rotation.distance(u128::from(u64::MAX), u64::MAX), u128::from(u64::MAX) - 1);
    assert_eq!(rotation.period(), 1 << 64);
}

#[test]
fn points_distances_and_the_period_agree_with_placing_the_points() {
    for modulus in 1..=24 {
        for a in 0..2 * modulus {
            let rotation = Rotation::new(a, modulus).unwrap();
            assert_eq!(rotation.a(), a % modulus);
            let points = oracle::points(a, modulus, 50);
            assert!((0..50).map(|x| rotation.point(x)).eq(points.iter().copied()));
            let period = (1..=24).find(|&x| points[x] == 0).unwrap();
            assert_eq!(rotation.period(), period as u128);
            for b in 0..2 * modulus {
                let distances = oracle::distances(a, b, modulus, 50);
                assert!((0..50).map(|x| rotation.distance(b, x)).eq(distances));
            }
        }
    }
}
