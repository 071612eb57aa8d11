//! Where functions have no value: at points, and all over an interval.

use super::*;
use crate::tests::builtin;

/// An end of a domain, and whether it belongs to it.
type End = Option<(f64, bool)>;

/// The domains, each an interval; those in half-turns and radians have poles as well.
fn domain(builtin: Builtin) -> (End, End) {
    match builtin {
        Builtin::Ln | Builtin::Log2 | Builtin::Log10 | Builtin::Rsqrt => (Some((0.0, false)), None),
        Builtin::Logp1 | Builtin::Log2p1 | Builtin::Log10p1 => (Some((-1.0, false)), None),
        Builtin::Sqrt => (Some((0.0, true)), None),
        Builtin::Acosh => (Some((1.0, true)), None),
        Builtin::Asin | Builtin::Acos | Builtin::AsinPi | Builtin::AcosPi => {
            (Some((-1.0, true)), Some((1.0, true)))
        }
        Builtin::Atanh => (Some((-1.0, false)), Some((1.0, false))),
        _ => (None, None),
    }
}

/// The ends of binary64, of the domains, and what lies between.
const NUMBERS: [f64; 19] = [
    f64::MIN, // −(2 − 2^−52)·2^1023
    -1.0 - f64::EPSILON,
    -1.0,
    -1.0 + f64::EPSILON,
    -0.75,
    -0.5,
    -f64::MIN_POSITIVE,
    -5e-324, // −2^−1074
    0.0,
    5e-324,
    f64::MIN_POSITIVE,
    0.25,
    0.5,
    0.75,
    1.0 - f64::EPSILON,
    1.0,
    1.0 + f64::EPSILON,
    1e300,
    f64::MAX,
];

/// What an error says; the exponentials overflow at the ends of binary64 × 2^30 only, and not here.
fn verdict(result: &Result<Interval, FunctionError>) -> Option<bool> {
    match result {
        Err(FunctionError::OutsideDomain { everywhere, .. }) => Some(*everywhere),
        _ => None,
    }
}

/// Exactly the intervals without a common point with the domain are said to have none, and no point
/// of such an interval has a value.
#[test]
fn nowhere_defined_is_exact() {
    for builtin in Builtin::ALL {
        let (from, to) = domain(builtin);
        let is_before = |x: f64| from.is_some_and(|(end, is_in)| x < end || x == end && !is_in);
        let is_after = |x: f64| to.is_some_and(|(end, is_in)| x > end || x == end && !is_in);
        for (i, &lo) in NUMBERS.iter().enumerate() {
            for &hi in &NUMBERS[i..] {
                let result = builtin.interval(&interval(lo, hi));
                let outside = is_before(hi) || is_after(lo);
                let is_pole = builtin == Builtin::Rsqrt && lo == 0.0;
                let expected = (is_before(lo) || is_after(hi)).then_some(outside).filter(|_| !is_pole);
                assert_eq!(verdict(&result), expected, "{builtin} on [{lo}, {hi}]");
                for &x in NUMBERS.iter().filter(|x| lo <= **x && **x <= hi) {
                    let value = builtin.interval(&interval(x, x));
                    assert!(verdict(&result) != Some(true) || value.is_err(), "{builtin} has a value at {x}");
                }
            }
        }
    }
}

/// At a single number there is a value, or a pole, or nothing at all.
#[test]
fn points_have_a_value_or_none() {
    let is_settled = |result: &Result<Interval, FunctionError>| match result {
        Ok(_) | Err(FunctionError::Pole { .. } | FunctionError::Overflow { .. }) => true,
        other => verdict(other) == Some(true),
    };
    for x in NUMBERS {
        let point = interval(x, x);
        for builtin in Builtin::ALL {
            assert!(is_settled(&builtin.interval(&point)), "{builtin} at {x}");
        }
        for n in [-4, -3, -1, 0, 1, 2, 5] {
            assert!(is_settled(&point.rootn(n)) && is_settled(&point.powi(n)), "{x}, {n}");
        }
    }
    // and the poles have none
    for (names, pole) in [
        ("log log2 log10 rsqrt", 0.0),
        ("logp1 log2p1 log10p1 atanh", -1.0),
        ("atanh", 1.0),
        ("tanpi", 0.5),
        ("tanpi", -1.5),
    ] {
        for builtin in names.split(' ').map(builtin) {
            let result = builtin.interval(&interval(pole, pole));
            assert!(is_settled(&result) && result.is_err(), "{builtin} at {pole}");
            let beside = [pole + 0.125, pole - 0.125].map(|x| builtin.interval(&interval(x, x)).is_ok());
            assert!(beside.contains(&true), "{builtin} beside {pole}");
        }
    }
    assert!(interval(0.0, 0.0).powi(-1).is_err() && interval(1.0, 1.0).div(&interval(0.0, 0.0)).is_err());
}
