//! Oracles: the definitions, searched over small fractions.

use super::*;
use proptest::prelude::*;

fn q(numerator: i64, denominator: i64) -> Rational {
    Rational::from((numerator, denominator))
}

/// The irrational numbers known to the theory stay so, or become unknown; they never turn rational.
#[test]
fn closure() {
    let r = |n| Value::Rational(Rational::from(n));
    for y in [Value::Transcendental, Value::Irrational] {
        assert_eq!(y.clone().add(r(0)), y);
        assert_eq!(r(3).mul(y.clone()), y);
        assert_eq!(y.clone().neg().recip().rootn(3), y);
        assert_eq!(r(0).mul(y.clone()), Value::Unknown);
        assert_eq!(y.clone().add(y.clone()), Value::Unknown);
        assert_eq!(y.clone().mul(y.clone()), Value::Unknown);
        assert_eq!(y.clone().powi(0), r(1));
        assert_eq!(y.clone().powi(-1), y);
    }
    assert_eq!(Value::Transcendental.powi(2), Value::Transcendental);
    assert_eq!(Value::Irrational.powi(2), Value::Unknown); // (√2)² = 2
    assert_eq!(Value::Unknown.powi(0), Value::Unknown);
    assert_eq!(r(0).recip(), Value::Unknown);
}

#[test]
fn long_results_are_refused() {
    let two = Rational::from(2);
    assert!(powi(&two, 1 << 20).is_some());
    assert_eq!(powi(&two, 1 << 21), powi(&two, 1 << 20).and_then(|a| mul(&a, &a)));
    assert_eq!(powi(&two, (1 << 21) + 1), None); // 2 bits each, by the estimate
    assert_eq!(powi(&two, -(1 << 21) - 1), None);
    assert_eq!(powi(&q(-1, 1), i32::MAX), Some(q(-1, 1)));
    assert_eq!(powi(&q(0, 1), 0), Some(q(1, 1)));
    assert_eq!(powi(&q(0, 1), -1), None);
    let long = Rational::from(Integer::from(1) << (1 << 21));
    assert_eq!(mul(&long, &long), None);
    assert_eq!(mul(&long.clone().recip(), &long.clone().recip()), None);
    assert_eq!(mul(&long, &long.clone().recip()), Some(q(1, 1)));
    let sum = |a: &Rational, b: &Rational| add(a, b).is_some();
    assert!(sum(&long, &long) && !sum(&long, &long.clone().recip()));
}

proptest! {
    /// Against the definition: the root is rational iff some small fraction has that power.
    #[test]
    fn roots_by_search(u in -40i64..200, v in 1i64..60, n in 2i32..6, power in 1i32..6) {
        // many of these are powers
        for a in [q(u, v), q(u % 9, v % 6 + 1).pow(power)] {
            let fractions = (1..60).flat_map(|d| (-200..200).map(move |m| q(m, d)));
            // of the even roots the one that is not negative
            let root = fractions.filter(|b| n % 2 != 0 || *b >= 0).find(|b| Rational::from(b.pow(n)) == a);
            let expected = root.map_or(Value::Irrational, Value::Rational);
            let expected = if a < 0 && n % 2 == 0 { Value::Unknown } else { expected };
            prop_assert_eq!(rootn(&a, n), expected.clone(), "{}, {}", a, n);
            prop_assert_eq!(rootn(&a, -n), expected.recip(), "{}, -{}", a, n);
        }
    }

    #[test]
    fn exponents_by_search(n in -40i32..40, off in 0i64..3) {
        for (base, found) in [(2, power_of_two as fn(&Rational) -> Option<i64>), (10, power_of_ten)] {
            let power = Rational::from(base).pow(n) + off;
            let expected = (-45..45).find(|&m| Rational::from(base).pow(m) == power);
            prop_assert_eq!(found(&power), expected.map(i64::from));
            prop_assert_eq!(found(&-power), None);
        }
    }
}
