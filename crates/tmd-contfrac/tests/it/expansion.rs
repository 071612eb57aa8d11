//! Partial quotients, convergents and intermediate convergents.

use proptest::prelude::*;
use tmd_contfrac::{Convergents, IntermediateConvergents, PartialQuotients, Rotation};

use crate::strategies;

/// `k_0 + 1/(k_1 + 1/(… + 1/k_i))` from the inside out, as (numerator, denominator).
fn evaluate(quotients: &[u128]) -> (u128, u128) {
    quotients
        .iter()
        .rev()
        .fold((1, 0), |(numerator, denominator), k| (k * numerator + denominator, numerator))
}

/// The one-sided record approximations by trying all denominators: (denominator, remainder, below),
/// one list for both sides. A denominator that is a record on both sides (1, for 0/1 and 1/1) gives
/// two items, the left one first.
fn records(a: u128, modulus: u128) -> Vec<(u128, u128, bool)> {
    let (mut below, mut above) = (modulus, modulus);
    let mut records = Vec::new();
    for denominator in 1..=modulus {
        let remainder = a * denominator % modulus;
        if remainder == 0 {
            // exact: the last approximation, from whichever side
            records.push((denominator, 0, true));
            return records;
        }
        if remainder < below {
            below = remainder;
            records.push((denominator, remainder, true));
        }
        if modulus - remainder < above {
            above = modulus - remainder;
            records.push((denominator, modulus - remainder, false));
        }
    }
    unreachable!("a·modulus is a multiple of the modulus");
}

#[test]
fn the_golden_ratio_has_unit_quotients() {
    // neighboring Fibonacci numbers: the longest expansion for their size, the last quotient is 2
    let (mut small, mut large) = (1_u128, 2_u128);
    while large + small <= 1 << 64 {
        (small, large) = (large, small + large);
    }
    let quotients: Vec<u128> = PartialQuotients::new(small, large).unwrap().collect();
    assert_eq!((quotients[0], quotients[quotients.len() - 1]), (0, 2));
    assert!(quotients[1..quotients.len() - 1].iter().all(|&k| k == 1));
    assert_eq!(quotients.len(), 92);
}

#[test]
fn quotients_of_any_fraction_give_it_back() {
    assert!(PartialQuotients::new(0, 7).unwrap().eq([0]));
    assert!(PartialQuotients::new(21, 7).unwrap().eq([3]));
    assert!(PartialQuotients::new(u128::MAX, 1).unwrap().eq([u128::MAX]));
    assert!(PartialQuotients::new(1, u128::MAX).unwrap().eq([0, u128::MAX]));
    for denominator in 1..60 {
        for numerator in 0..120 {
            let quotients: Vec<u128> = PartialQuotients::new(numerator, denominator).unwrap().collect();
            let (p, q) = evaluate(&quotients);
            assert_eq!(p * denominator, q * numerator, "{numerator}/{denominator} = {quotients:?}");
            assert!(quotients.len() == 1 || quotients[quotients.len() - 1] >= 2);
            assert!(quotients[1..].iter().all(|&k| k >= 1));
        }
    }
}

#[test]
fn intermediate_convergents_are_the_one_sided_records() {
    for (a, modulus) in strategies::fractions(70) {
        let rotation = Rotation::new(a, modulus).unwrap();
        let items: Vec<_> = IntermediateConvergents::new(rotation).collect();
        let expected = records(a, modulus);
        assert_eq!(items.len(), expected.len(), "{a}/{modulus}: {items:?}");
        for (item, (denominator, remainder, below)) in items.into_iter().zip(expected) {
            assert_eq!((item.denominator, item.remainder), (denominator, remainder), "{a}/{modulus}");
            let (point, target) = (a * denominator, item.numerator * modulus);
            assert_eq!(point.abs_diff(target), remainder, "{a}/{modulus}: numerator of {item:?}");
            if remainder > 0 {
                let sides = (target < point, item.i % 2 == 0);
                assert_eq!(sides, (below, below), "{a}/{modulus}: side of {item:?}");
            }
        }
    }
}

proptest! {
    #![proptest_config(strategies::config())]

    #[test]
    fn convergents_evaluate_the_beginning_of_the_expansion(
        (a, modulus) in strategies::modulus().prop_flat_map(|m| (strategies::slope(m), Just(m)))
    ) {
        let rotation = Rotation::new(a, modulus).unwrap();
        let quotients: Vec<u128> = PartialQuotients::new(a, modulus).unwrap().collect();
        let convergents: Vec<_> = Convergents::new(rotation).collect();
        prop_assert_eq!(convergents.len(), quotients.len());
        for (i, c) in convergents.iter().enumerate() {
            prop_assert_eq!((c.numerator, c.denominator), evaluate(&quotients[..=i]));
            prop_assert_eq!((c.i, c.t), (i32::try_from(i).unwrap(), 0));
            // numerator < 2^64 or the fraction is 1/1: the product fits
            let (point, target) = (a * c.denominator, c.numerator * modulus);
            prop_assert_eq!(c.remainder, point.abs_diff(target));
            let (low, high) = if i % 2 == 0 { (target, point) } else { (point, target) };
            prop_assert!(low <= high, "convergent {} lies on its side", i);
        }
        prop_assert_eq!(convergents[convergents.len() - 1].denominator, rotation.period());
    }

    #[test]
    fn intermediate_convergents_lie_between_convergents(
        (a, modulus) in strategies::modulus().prop_flat_map(|m| (strategies::slope(m), Just(m)))
    ) {
        let rotation = Rotation::new(a, modulus).unwrap();
        // p_{i,t}/q_{i,t} from the convergents i and i + 1, with (−1, 0) = 1/0 in front
        let mut convergents = vec![(1, 0)];
        convergents.extend(Convergents::new(rotation).map(|c| (c.numerator, c.denominator)));
        let mut denominator = 0;
        for item in IntermediateConvergents::new(rotation).take(500) {
            let place = usize::try_from(item.i + 1).unwrap();
            let (p, q) = convergents[place];
            let (p_next, q_next) = if item.t == 0 { (0, 0) } else { convergents[place + 1] };
            prop_assert_eq!((item.numerator, item.denominator), (p + item.t * p_next, q + item.t * q_next));
            prop_assert!(item.denominator >= denominator);
            denominator = item.denominator;
        }
    }
}
