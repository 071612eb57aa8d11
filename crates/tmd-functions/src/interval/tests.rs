//! Oracles: exact rational arithmetic, and MPFR at 400 bits. Rounding is monotonic, so if a real
//! number lies between two 64-bit numbers, so does its 400-bit rounding: containment is tested
//! exactly.

use proptest::prelude::*;
use rug::ops::Pow;

use super::*;
use crate::builtin::Builtin;
use crate::tests::{PRECISION, between, float, interval, points_in};

mod angles;
mod domains;
mod functions;

/// Numbers of both signs and many sizes, with simple ones and 0 among them.
fn number(largest_exponent: i32) -> impl Strategy<Value = f64> {
    prop_oneof![
        1 => (-4i32..=4).prop_map(f64::from),
        6 => (-1.0..1.0f64, -20..largest_exponent).prop_map(|(m, e)| m * 2f64.powi(e)),
    ]
}

/// An interval (often a point, often narrow) and a few numbers in it.
fn interval_and_points(largest_exponent: i32) -> impl Strategy<Value = (Interval, Vec<Float>)> {
    let width =
        prop_oneof![Just(0.0), (0.0..1.0f64, -40..largest_exponent).prop_map(|(m, e)| m * 2f64.powi(e))];
    let ends = prop_oneof![
        3 => (number(largest_exponent), width).prop_map(|(lo, width)| (lo, lo + width)),
        // 0 inside: the case where a product has two candidates for each end
        1 => (number(3), number(3)).prop_map(|(x, y)| (-x.abs(), y.abs())),
    ];
    let inside = prop::collection::vec(0.0..=1.0f64, 4);
    (ends, inside).prop_map(|((lo, hi), inside)| {
        let a = interval(lo, hi);
        let points = points_in(&a, &inside);
        (a, points)
    })
}

fn rational(x: &Float) -> Rational {
    x.to_rational().unwrap()
}

/// Points are enclosed by neighbors, and exact values by themselves: the tightest possible.
fn is_tight(y: &Interval) -> bool {
    let mut next = y.lo().clone();
    next.next_up();
    y.is_point() || *y.hi() == next
}

proptest! {
    #[test]
    fn arithmetic_contains_the_exact_results(
        (a, xs) in interval_and_points(20), (b, ys) in interval_and_points(20), n in -9i64..9, e in -80i32..80,
    ) {
        let (sum, difference, product) = (a.add(&b).unwrap(), a.sub(&b).unwrap(), a.mul(&b).unwrap());
        let quotient = a.div(&b);
        prop_assert_eq!(quotient.is_err(), b.contains_zero());
        let mut dot = SumOfProducts::new(PRECISION);
        dot.add(&a, &b);
        dot.add(&b, &b);
        dot.double();
        let dot = dot.finish().unwrap();
        for (x, y) in xs.iter().flat_map(|x| ys.iter().map(move |y| (rational(x), rational(y)))) {
            prop_assert!(sum.contains(&Rational::from(&x + &y)));
            prop_assert!(difference.contains(&Rational::from(&x - &y)));
            prop_assert!(product.contains(&Rational::from(&x * &y)));
            let sum = Rational::from(&x * &y) + Rational::from(&y * &y);
            prop_assert!(dot.contains(&(sum * 2)));
            if let Ok(quotient) = &quotient {
                prop_assert!(quotient.contains(&Rational::from(&x / &y)));
            }
            prop_assert!(a.neg().contains(&Rational::from(-&x)));
            prop_assert!(a.mul_i64(n).unwrap().contains(&(x.clone() * n)));
            prop_assert!(a.mul_2exp(e).unwrap().contains(&(x.clone() << e)));
            if n != 0 {
                prop_assert!(a.div_i64(n).unwrap().contains(&(x.clone() / n)));
            }
        }
    }

    /// The range is that of the corners, so the result is no wider than the rounded corners.
    #[test]
    fn products_and_quotients_are_tight((a, _) in interval_and_points(20), (b, _) in interval_and_points(20)) {
        let corners = |f: &dyn Fn(Rational, Rational) -> Rational| {
            let mut values: Vec<_> = [a.lo(), a.hi()].into_iter()
                .flat_map(|x| [b.lo(), b.hi()].map(|y| f(rational(x), rational(y)))).collect();
            values.sort();
            let (least, greatest) = (values.first().unwrap(), values.last().unwrap());
            let lo = Float::with_val_round(PRECISION, least, Round::Down).0;
            Interval::new(lo, Float::with_val_round(PRECISION, greatest, Round::Up).0).unwrap()
        };
        prop_assert_eq!(a.mul(&b).unwrap(), corners(&|x, y| x * y));
        if !b.contains_zero() {
            prop_assert_eq!(a.div(&b).unwrap(), corners(&|x, y| x / y));
        }
    }

    #[test]
    fn integer_powers((a, xs) in interval_and_points(6), n in -7i32..8) {
        let power = a.powi(n);
        prop_assert_eq!(power.is_err(), n < 0 && a.contains_zero());
        if let Ok(power) = power {
            for x in &xs {
                prop_assert!(power.contains(&rational(x).pow(n)));
            }
            let (lo, hi) = (rational(a.lo()).pow(n), rational(a.hi()).pow(n));
            let (mut least, greatest) = if lo <= hi { (lo, hi) } else { (hi, lo) };
            if n > 0 && n % 2 == 0 && a.contains_zero() {
                least = Rational::new();
            }
            prop_assert_eq!(power.lo(), &Float::with_val_round(PRECISION, &least, Round::Down).0);
            prop_assert_eq!(power.hi(), &Float::with_val_round(PRECISION, &greatest, Round::Up).0);
        }
    }

    #[test]
    fn inclusion_is_monotonic((a, xs) in interval_and_points(5), (b, ys) in interval_and_points(5), n in 0i32..5) {
        let (inner_a, inner_b) = (between(&xs[0], &xs[1]), between(&ys[0], &ys[1]));
        prop_assert!(a.add(&b).unwrap().contains_interval(&inner_a.add(&inner_b).unwrap()));
        prop_assert!(a.sub(&b).unwrap().contains_interval(&inner_a.sub(&inner_b).unwrap()));
        prop_assert!(a.mul(&b).unwrap().contains_interval(&inner_a.mul(&inner_b).unwrap()));
        if let Ok(outer) = a.div(&b) {
            prop_assert!(outer.contains_interval(&inner_a.div(&inner_b).unwrap()));
        }
        prop_assert!(a.powi(n).unwrap().contains_interval(&inner_a.powi(n).unwrap()));
        for builtin in Builtin::ALL {
            if let Ok(outer) = builtin.interval(&a) {
                let inner = builtin.interval(&inner_a).unwrap(); // defined on all of a
                prop_assert!(outer.contains_interval(&inner), "{builtin}: {outer} over {inner}");
            }
        }
    }

    #[test]
    fn measures((a, xs) in interval_and_points(20)) {
        let (middle, radius) = (a.midpoint(), rational(&a.radius().unwrap()));
        prop_assert!(a.contains(&middle));
        prop_assert!(a.width().unwrap() >= rational(a.hi()) - rational(a.lo()));
        for x in &xs {
            let x = rational(x);
            prop_assert!(a.contains(&x));
            prop_assert!((x.clone() - rational(&middle)).abs() <= radius);
            let size = x.abs();
            prop_assert!(a.mig() <= size && a.mag() >= size);
            prop_assert!(a.mig_f64() <= size && a.mag_f64().unwrap() >= size);
        }
        let (lo, hi) = (rational(a.lo()).abs(), rational(a.hi()).abs());
        prop_assert_eq!(rational(&a.mag()), lo.clone().max(hi.clone()));
        prop_assert_eq!(rational(&a.mig()), if a.contains_zero() { Rational::new() } else { lo.min(hi) });
        let coarse = a.round_to(5).unwrap();
        prop_assert!(coarse.contains_interval(&a) && coarse.precision() == 5);
        prop_assert_eq!(a.round_to(200).unwrap().round_to(PRECISION).unwrap(), a);
    }

    #[test]
    fn sets((a, xs) in interval_and_points(4), (b, _) in interval_and_points(4)) {
        let hull = a.hull(&b);
        prop_assert!(hull.contains_interval(&a) && hull.contains_interval(&b));
        prop_assert_eq!(a.intersection(&b).is_some(), a.intersects(&b));
        prop_assert_eq!(a.contains_interval(&b), a.contains(b.lo()) && a.contains(b.hi()));
        for x in &xs {
            let common = a.intersection(&b).is_some_and(|c| c.contains(x));
            prop_assert_eq!(common, b.contains(x));
        }
    }

    #[test]
    fn rational_constructors(numerator in any::<i64>(), denominator in 1..i64::MAX, precision in 2u32..100, e in -99..99) {
        let q = Rational::from((numerator, denominator));
        let a = Interval::from_rational(&q, precision).unwrap();
        prop_assert!(a.contains(&q) && is_tight(&a) && a.precision() == precision);
        let n = Integer::from(numerator);
        let a = Interval::from_integer(&n, precision).unwrap();
        prop_assert!(a.contains(&n) && is_tight(&a));
        let a = Interval::from_dyadic(&n, e, precision).unwrap();
        prop_assert!(a.contains(&(Rational::from(numerator) << e)) && is_tight(&a));
        let a = Interval::from_f64(numerator as f64, precision).unwrap();
        prop_assert!(a.contains(&(numerator as f64)) && is_tight(&a) && a.precision() == precision);
    }
}

#[test]
fn constants() {
    for precision in [2, 3, 10, 53, 64, 300] {
        let truth = 400;
        let ln = |x: u32| Float::with_val(truth, x).ln();
        let pi = Float::with_val(truth, rug::float::Constant::Pi);
        for (a, value) in [
            (Interval::pi(precision).unwrap(), pi),
            (Interval::ln_2(precision).unwrap(), ln(2)),
            (Interval::ln_10(precision).unwrap(), ln(10)),
            (Interval::e(precision).unwrap(), Float::with_val(truth, 1).exp()),
        ] {
            assert!(a.contains(&value) && a.precision() == precision && is_tight(&a), "{a} at {precision}");
        }
    }
}

#[test]
fn bad_endpoints_and_precisions() {
    for (lo, hi) in [(f64::NAN, 1.0), (1.0, f64::NAN), (f64::NEG_INFINITY, 0.0), (0.0, f64::INFINITY)] {
        let error = Interval::new(float(lo), float(hi)).unwrap_err();
        assert!(matches!(error, FunctionError::NotFinite { .. }), "{error}");
    }
    let error = Interval::new(float(2.0), float(1.0)).unwrap_err();
    assert_eq!(error.to_string(), "the endpoints of an interval are reversed: 2 > 1");
    assert!(matches!(Interval::from_f64(f64::NAN, 53), Err(FunctionError::NotFinite { .. })));
    for precision in [0, 1, MAX_PRECISION + 1, u32::MAX] {
        let error = Err(FunctionError::Precision { precision });
        for made in [
            Interval::zero(precision),
            Interval::pi(precision),
            Interval::e(precision),
            Interval::ln_2(precision),
            Interval::ln_10(precision),
            Interval::from_f64(1.0, precision),
            Interval::from_rational(&Rational::from(1), precision),
            interval(0.0, 1.0).round_to(precision),
        ] {
            assert_eq!(made, error);
        }
    }
}

#[test]
fn the_ends_of_the_exponent_range() {
    let huge = Interval::point(float(1.0) << (rug::float::exp_max() - 1)).unwrap();
    let tiny = Interval::point(float(0.5) << (rug::float::exp_min())).unwrap();
    assert!(!tiny.is_zero());
    let overflow =
        |result: Result<Interval, FunctionError>| matches!(result, Err(FunctionError::Overflow { .. }));
    assert!(overflow(huge.mul(&huge)));
    assert!(overflow(huge.add(&huge)));
    assert!(overflow(huge.neg().sub(&huge)));
    assert!(overflow(huge.powi(3)) && overflow(huge.neg().powi(3)));
    assert!(overflow(huge.div(&tiny)) && overflow(huge.mul_2exp(9)) && overflow(huge.mul_i64(-2)));
    assert!(overflow(huge.exp()) && overflow(huge.exp2()) && overflow(huge.exp10()));
    let mut sum = SumOfProducts::new(PRECISION);
    sum.add(&huge, &huge);
    sum.add(&huge.neg(), &huge); // ∞ − ∞
    assert!(sum.finish().is_err());
    // underflow is no error: the result reaches to 0, and not beyond
    for (result, value_is_positive) in [
        (tiny.mul(&tiny), true),
        (tiny.div(&huge), true),
        (tiny.powi(4), true),
        (tiny.mul_2exp(-1), true),
        (tiny.neg().div_i64(7), false),
        (huge.neg().exp(), true),
        (tiny.neg().mul(&tiny), false),
    ] {
        let result = result.unwrap();
        let sides = (*result.lo() < 0, *result.hi() > 0);
        assert_eq!(sides, (!value_is_positive, value_is_positive), "{result}");
        assert!(result.contains_zero());
    }
    assert!(tiny.contains(&tiny.midpoint()));
    assert_eq!(huge.neg().hull(&huge).midpoint(), 0);
    assert!(huge.neg().hull(&huge).width().is_err());
    assert!(huge.ln().is_ok() && tiny.ln().is_ok() && tiny.sin().is_ok());
    assert!(matches!(huge.mag_f64(), Err(FunctionError::Overflow { .. })));
    assert_eq!(huge.mig_f64(), f64::MAX);
    assert_eq!(tiny.mag_f64(), Ok(f64::from_bits(1)));
    assert_eq!(tiny.mig_f64(), 0.0);
}

#[test]
fn division_by_zero() {
    assert_eq!(
        interval(1.0, 2.0).div(&interval(-1.0, 0.0)).unwrap_err().to_string(),
        "division or one of its derivatives is infinite at a point of [-1, 0]"
    );
}

#[test]
fn decimal_text_is_rounded_outward() {
    assert_eq!(
        Interval::from_rational(&(1, 3).into(), 100).unwrap().to_string(),
        "[3.3333333333333333e-1, 3.3333333333333334e-1]"
    );
    assert_eq!(interval(0.0, 100.0).to_string(), "[0, 100]");
    assert_eq!(interval(1.5, 1.5).to_string(), "1.5");
}
