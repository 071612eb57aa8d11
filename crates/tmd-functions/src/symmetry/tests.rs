//! Oracles: MPFR at both arguments, which it rounds correctly, and exact values.

use proptest::prelude::*;
use rug::{Float, Rational, ops::Pow};

use super::*;
use crate::function::Function;
use crate::interval::Interval;
use crate::parse;

const PRECISION: u32 = 200;

/// f(x), if there is an enclosure.
fn at(f: &dyn Function, x: &Rational) -> Option<Interval> {
    // every argument here is a binary fraction of at most so many bits
    let x = [PRECISION, 2200].map(|precision| Interval::from_rational(x, precision).unwrap());
    let x = x.into_iter().find(Interval::is_point).unwrap();
    f.enclose(&x, PRECISION).and_then(|y| y.round_to(PRECISION)).ok()
}

/// Arguments of binary16, binary32 and binary64, of all binades.
fn argument() -> impl Strategy<Value = Rational> {
    let binary64 = any::<u64>().prop_map(f64::from_bits).prop_filter_map("finite", Rational::from_f64);
    let binary32 = any::<u32>().prop_map(f32::from_bits).prop_filter_map("finite", Rational::from_f32);
    let binary16 = (-2047i32..2048, -24i32..6).prop_map(|(m, e)| Rational::from(m) << e);
    prop_oneof![1 => binary64, 1 => binary32, 3 => binary16, 1 => (-40i32..41).prop_map(|n| Rational::from((n, 4)))]
}

/// f(y) = (−1)^`negates` · 2^`shift` · f(x) + `addend`, or both are undefined; exactly so where
/// theory knows the values.
fn agree(f: &dyn Function, x: &Rational, y: &Rational, negates: bool, shift: i32, addend: u32) -> bool {
    let exact = match (f.exact(x), f.exact(y)) {
        (Some(a), Some(b)) => (if negates { -a } else { a } << shift) + addend == b,
        _ => true,
    };
    let irrational = f.proves_irrational(x) == f.proves_irrational(y);
    exact
        && irrational
        && match (at(f, x), at(f, y)) {
            (None, None) => true,
            (Some(a), Some(b)) => {
                let a = if negates { a.neg() } else { a };
                let addend = Interval::from_f64(f64::from(addend), PRECISION).unwrap();
                a.mul_2exp(shift).unwrap().add(&addend).unwrap().intersects(&b)
            }
            _ => false,
        }
}

fn has_parity(f: &dyn Function, parity: Parity, x: &Rational) -> bool {
    agree(f, x, &Rational::from(-x), parity == Parity::Odd, 0, 0)
}

proptest! {
    #[test]
    fn parities_hold(x in argument()) {
        for builtin in Builtin::ALL {
            let f = Expression::function(builtin);
            if let Some(parity) = f.parity() {
                prop_assert!(has_parity(&f, parity, &x), "{builtin} at {x}");
            }
        }
    }

    #[test]
    fn translations_and_reflections_hold(x in argument()) {
        let powers = ["1/x", "x^3", "x^-2", "rootn(x,5)", "rootn(x,-4)"].map(|text| crate::parse(text).unwrap());
        for f in Builtin::ALL.map(Expression::function).into_iter().chain(powers) {
            let holds = match f.translation() {
                None => true,
                // no identity
                Some(
                    Translation::Near { .. }
                    | Translation::NearOffset { .. }
                    | Translation::NearScaling { .. },
                ) => false,
                Some(Translation::Scaling { period, log2_factor }) => {
                    // beyond, MPFR has no values
                    x.clone().abs() > 1 << 24 || agree(&f, &x, &Rational::from(&x + period), false, log2_factor as i32, 0)
                }
                Some(Translation::Sign { period, negates }) => {
                    agree(&f, &x, &Rational::from(&x + period), negates, 0, 0)
                }
                Some(Translation::Offset { log2_ratio, addend }) => {
                    agree(&f, &x, &(x.clone() << log2_ratio), false, 0, addend)
                }
                Some(Translation::Power { log2_ratio, log2_factor }) => {
                    let ratio = Float::with_val(PRECISION, log2_factor) / log2_ratio;
                    let is_power = x <= 0 || {
                        let power = Float::with_val(PRECISION, &x).pow(ratio);
                        let value = f.enclose(&Interval::from_rational(&x, PRECISION).unwrap(), PRECISION).unwrap();
                        (Float::with_val(PRECISION, value.lo() / power) - 1u32).abs() < 1e-12
                    };
                    is_power && agree(&f, &x, &(x.clone() << log2_ratio), false, log2_factor, 0)
                }
            };
            prop_assert!(holds, "{f} at {x}");
            if let Some(Reflection { sum, negates }) = f.reflection() {
                prop_assert!(agree(&f, &x, &Rational::from(sum - &x), negates, 0, 0), "{f} at {sum} - {x}");
            }
        }
    }

    /// Of any tree whose form proves a parity.
    #[test]
    fn structural_parities_hold(tree in crate::expression::tests::tree(), x in argument()) {
        let x = if x.clone().abs() > 1000 { Rational::from(x.recip_ref()) } else { x };
        let x = Rational::from_f64(x.to_f64()).unwrap();
        if let Some(parity) = tree.parity() {
            prop_assert!(has_parity(&tree, parity, &x), "{tree} at {x}");
        }
    }
}

/// No parity is missing: a function without one has an argument where neither holds.
#[test]
fn parities_are_complete() {
    for builtin in Builtin::ALL {
        let f = Expression::function(builtin);
        let fails = |parity| {
            [(1, 4), (1, 2), (3, 2)].into_iter().any(|x| !has_parity(&f, parity, &Rational::from(x)))
        };
        for parity in [Parity::Even, Parity::Odd] {
            assert_eq!(fails(parity), f.parity() != Some(parity), "{builtin}");
        }
    }
}

#[test]
fn parities_of_expressions() {
    for (texts, parity) in [
        ("x x^3-sin(x) tan(x)/cosh(x) -1/x erf(tanh(2*x)) rootn(x,3) rootn(x,-3)*2", Some(Parity::Odd)),
        ("pi 3-x^2 x*sinh(x) x^-4 exp(cos(x)) log(x^2) cos(x^3) rootn(x^2,4)", Some(Parity::Even)),
        // the sum of exponentials is even, but not by its form
        ("x^3-cos(x) exp(x)+exp(-x) rootn(x,4) acos(x) sin(x+1)", None),
    ] {
        for text in texts.split(' ') {
            assert_eq!(parse(text).unwrap().parity(), parity, "{text}");
        }
    }
}

/// Which there are, and of which functions.
#[test]
fn translations_are_those_listed() {
    let translations = Builtin::ALL.into_iter().filter(|builtin| builtin.translation().is_some());
    let translations: Vec<_> = translations.map(Builtin::name).collect();
    assert_eq!(translations.join(" "), "exp2 log2 sqrt cbrt rsqrt sinpi cospi tanpi");
    let reflection = |text: &str| parse(text).unwrap().reflection();
    for (text, negates) in [("sinpi", false), ("cospi", true), ("tanpi", true)] {
        assert_eq!(reflection(text), Some(Reflection { sum: 1, negates }), "{text}");
    }
    for text in ["exp2", "log2", "sin", "x"] {
        assert_eq!(reflection(text), None, "{text}");
    }
    for text in ["exp2(2*x)", "sinpi(x^2)", "2*exp2(x)", "log2(-x)", "3/x", "x^0", "(x+1)^2", "1/(2*x)"] {
        assert_eq!(parse(text).unwrap().translation(), None, "{text}");
    }
    // the tests above are able to see a wrong one
    let (f, x) = (parse("sinpi").unwrap(), Rational::from((1, 8)));
    assert!(!agree(&f, &x, &Rational::from(&x + 1u32), false, 0, 0));
    assert!(!agree(&f, &x, &Rational::from(&x + 1u32), true, 1, 0));
    assert!(Float::with_val(53, 0.5) == f.exact(&Rational::from((1, 6))).unwrap());
}

/// What log2p1 and exp2m1 are next to, at small and large arguments, and that the bounds are not
/// much larger than they must be.
#[test]
fn nearly_another_function() {
    let value = |text: &str, x: &Float| {
        let at = Interval::point(x.clone()).unwrap().round_to(400).unwrap();
        parse(text).unwrap().enclose(&at, 400).unwrap()
    };
    let mut most = [0f64; 2];
    for i in 0..200u32 {
        let x = Float::with_val(64, 32 + i % 32) << ((i / 32) as i32 * 5 - 5);
        let off = value("log2p1", &x).sub(&value("log2", &x)).unwrap();
        assert!(*off.lo() > 0 && *off.hi() <= 2 / x.clone(), "log2p1 at {x}");
        most[0] = most[0].max((off.midpoint() * &x).to_f64() / 2.0);
        let x = Float::with_val(64, i) / 2;
        let off = value("exp2", &x).sub(&value("exp2m1", &x)).unwrap();
        assert!(off.contains(&1.0) && off.radius().unwrap() < 1e-9, "exp2m1 at {x}");
        most[1] = most[1].max(off.midpoint().to_f64());
    }
    assert!(most.iter().all(|most| *most > 0.7), "{most:?}");
    let nearly = |text: &str| parse(text).unwrap().nearly();
    assert_eq!([nearly("log2p1"), nearly("exp2m1")], [Some(Nearly::Log2), Some(Nearly::Exp2)]);
    for text in ["logp1", "log10p1", "expm1", "exp10m1", "log2", "exp2", "exp2m1(-x)", "log2p1(x)/2"] {
        assert_eq!(nearly(text), None, "{text}");
    }
}
