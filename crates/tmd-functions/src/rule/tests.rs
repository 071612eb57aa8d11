//! Oracle: the sentences, written as predicates, at every number of binary16.

use rug::ops::Pow;
use rug::{Integer, Rational};

use super::*;
use crate::function::Function;
use crate::parse;

/// All finite numbers of binary16 with a positive sign, and 0.
fn binary16() -> Vec<Rational> {
    let subnormal = (0..1024u32).map(|m| Rational::from(m) >> 24);
    let normal = (-14..16i32).flat_map(|e| (1024..2048u32).map(move |m| (Rational::from(m) >> 10) << e));
    subnormal.chain(normal).collect()
}

fn is_integer(x: &Rational) -> bool {
    *x.denom() == 1
}

/// x = bⁿ for an integer n, by trial.
fn is_power_of(b: u32, x: &Rational) -> bool {
    (-30..31).any(|n: i32| Rational::from(b).pow(n) == *x)
}

/// x = (m·2^k)ⁿ, by trial of roots that are next to the one in doubles; n > 0.
fn is_power(n: i32, x: &Rational) -> bool {
    if *x < 0 {
        return n % 2 != 0 && is_power(n, &Rational::from(-x));
    }
    // a root of a number of binary16 is a multiple of 2^−12
    let root = (x.to_f64().powf(1.0 / f64::from(n)) * 4096.0).round() as i64;
    (root - 2..=root + 2).any(|m| Rational::from((m, 4096)).pow(n) == *x)
}

type Predicate = fn(&Rational) -> bool;

/// The predicate of a sentence, where it is known at all whether a value is rational.
fn predicate(f: &str) -> (&'static str, Predicate) {
    match f {
        "exp" | "cos" | "cosh" => ("only at x = 0, where it is 1", |x| *x == 0),
        "expm1" | "logp1" | "sin" | "tan" | "asin" | "atan" | "sinh" | "tanh" | "asinh" | "atanh" => {
            ("only at x = 0, where it is 0", |x| *x == 0)
        }
        "log" | "acos" | "acosh" => ("only at x = 1, where it is 0", |x| *x == 1),
        "exp2" | "exp10" | "exp2m1" | "exp10m1" => ("exactly at the integers x", is_integer),
        "log2" => ("x = 2^k, where it is k", |x| is_power_of(2, x)),
        "log10" => ("x = 10^k, where it is k; of a binary format these have k ≥ 0", |x| {
            is_integer(x) && is_power_of(10, x)
        }),
        "log2p1" => ("1 + x is a power of two 2^k", |x| is_power_of(2, &Rational::from(x + 1u32))),
        "log10p1" => {
            ("1 + x is a power of ten 10^k, where it is k; of a binary format these have k ≥ 0", |x| {
                is_integer(x) && is_power_of(10, &Rational::from(x + 1u32))
            })
        }
        "sqrt" | "rootn(x,2)" => {
            ("exactly at the x = (m·2^k)^2 with integers m and k, m ≥ 0", |x| is_power(2, x))
        }
        "cbrt" => {
            ("exactly at the x = (m·2^k)^3 with integers m and k, m of either sign", |x| is_power(3, x))
        }
        "rsqrt" => ("exactly at the x = (m·2^k)^2 other than 0", |x| *x != 0 && is_power(2, x)),
        "sinpi" | "cospi" => {
            ("the multiples of 1/2, where it is 0 or ±1", |x| is_integer(&(x.clone() * 2u32)))
        }
        "tanpi" => ("multiples of 1/4 that are no odd multiples of 1/2", |x| {
            is_integer(&(x.clone() * 4u32)) && (is_integer(x) || !is_integer(&(x.clone() * 2u32)))
        }),
        "asinpi" | "acospi" => {
            ("only at x = 0, ±1/2 and ±1", |x| is_integer(&(x.clone() * 2u32)) && x.clone().abs() <= 1)
        }
        "atanpi" => ("only at x = 0 and ±1", |x| is_integer(x) && x.clone().abs() <= 1),
        "x^0" => ("1 at every x", |_| true),
        "x^5" => ("rational at every x, and a binary number", |_| true),
        "x^-3" | "1/x" => {
            ("rational at every x but 0, and a binary number exactly at x = ±2^k", |x| *x != 0)
        }
        "rootn(x,5)" => {
            ("exactly at the x = (m·2^k)^5 with integers m and k, m of either sign", |x| is_power(5, x))
        }
        "rootn(x,-4)" => ("exactly at the x = (m·2^k)^4 other than 0 with integers m and k, m ≥ 0", |x| {
            *x != 0 && is_power(4, x)
        }),
        "rootn(x,-3)" => ("exactly at the x = (m·2^k)^3 other than 0", |x| *x != 0 && is_power(3, x)),
        "erf" => ("0 at x = 0; whether it is irrational at every other x is not known", |x| *x == 0),
        "erfc" => ("1 at x = 0; whether it is irrational at every other x is not known", |x| *x == 0),
        _ => panic!("{f} has no predicate"),
    }
}

const OTHERS: [&str; 8] =
    ["x^0", "x^5", "x^-3", "1/x", "rootn(x,2)", "rootn(x,5)", "rootn(x,-4)", "rootn(x,-3)"];

#[test]
fn rules_agree_with_the_exact_values() {
    let positive = binary16();
    assert_eq!(positive.len(), 0x7c00);
    for name in Builtin::ALL.map(Builtin::name).into_iter().chain(OTHERS) {
        let f = parse(name).unwrap();
        let (phrase, predicate) = predicate(name);
        let rule = f.exact_rule().unwrap();
        assert!(rule.contains(phrase) && rule.starts_with(name), "{rule}");
        let is_power = name.starts_with("exp2") || name.starts_with("exp10");
        for x in positive.iter().flat_map(|x| [x.clone(), Rational::from(-x)]) {
            // powers of tens of thousands of digits say no more than those of hundreds
            if is_power && x.clone().abs() > 600 {
                continue;
            }
            let value = f.exact(&x);
            assert_eq!(value.is_some(), predicate(&x), "{name} at {x}");
            assert!(value.is_none() || !f.proves_irrational(&x), "{name} at {x}");
            if let Some(value) = value {
                check_value(&rule, &x, &value);
            } else if !name.starts_with("erf") {
                // irrational, or not defined: nothing is left open
                let point = crate::Interval::from_rational(&x, 64).unwrap();
                let is_defined = || f.enclose(&point, 64).is_ok();
                assert!(f.proves_irrational(&x) || !is_defined(), "{name} at {x}");
            }
        }
    }
}

/// What the sentence says of the value itself.
fn check_value(rule: &str, x: &Rational, value: &Rational) {
    let is_binary = |y: &Rational| y.denom().is_power_of_two();
    assert!(
        !rule.contains("where it is 0 (") && !rule.contains("is 0 at x = 0") || *value == 0,
        "{rule}: {x}"
    );
    assert!(!rule.contains("where it is 1 (") && !rule.contains("is 1 at") || *value == 1, "{rule}: {x}");
    assert!(
        !rule.contains("where it is 0 or ±1") || value.clone().abs() <= 1 && is_integer(value),
        "{rule}: {x}"
    );
    if rule.contains("where it is k") {
        let base = if rule.starts_with("log2") { 2 } else { 10 };
        let x = if rule.contains("1 + x") { Rational::from(x + 1u32) } else { x.clone() };
        assert!(
            is_integer(value) && Rational::from(base).pow(value.numer().to_i32().unwrap()) == x,
            "{rule}: {x}"
        );
    }
    let odd_part = |m: &Integer| Integer::from(m >> m.find_one(0).unwrap_or(0));
    if rule.contains("binary number exactly") {
        assert_eq!(is_binary(value), odd_part(value.denom()) == 1);
        assert_eq!(is_binary(value), odd_part(&x.numer().clone().abs()) == 1, "{rule}: {x}");
    } else if rule.contains("a binary number") {
        assert!(is_binary(value), "{rule}: {x}");
    }
}

#[test]
fn other_expressions_have_no_rule() {
    for text in ["x", "exp(2*x)", "2/x", "x^2+1", "rootn(x+1,3)"] {
        assert_eq!(parse(text).unwrap().exact_rule(), None, "{text}");
    }
    // a negative power of ten is no binary number, so the rule may leave it out
    assert!(parse("log10").unwrap().exact(&Rational::from((1, 10))).is_some());
}
