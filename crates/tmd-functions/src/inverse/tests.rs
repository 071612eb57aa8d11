//! Oracle: the interval of g over the interval of f at x must hold x, and be narrow.

use proptest::prelude::*;
use rug::ops::Pow;

use super::*;
use crate::function::Function;
use crate::interval::Interval;
use crate::parse;

const PRECISION: u32 = 400;

/// Numbers k/2^20 from the interval of an inverse, and its ends; unlimited sides up to ±12.
fn arguments(inverse: &Inverse, parts: &[u32]) -> Vec<Rational> {
    let lo = inverse.from.clone().unwrap_or_else(|| Rational::from(-12));
    let hi = inverse.to.clone().unwrap_or_else(|| Rational::from(12));
    let width = Rational::from(&hi - &lo);
    let inside = parts.iter().map(|part| Rational::from(&width * *part) / (1u32 << 20) + &lo);
    inside.chain([lo.clone(), hi.clone()]).collect()
}

/// Whether g(f(x)) = x as far as intervals tell; `None` if f is not defined at x, or the interval
/// of f(x) reaches out of the domain of g (at its ends, and where tanh rounds to 1).
fn holds(f: &Expression, g: &Expression, x: &Rational) -> Option<bool> {
    let point = Interval::from_rational(x, PRECISION).unwrap();
    let y = f.enclose(&point, PRECISION).ok()?;
    let back = g.enclose(&y, PRECISION).ok()?;
    Some(back.contains(x) && back.width().unwrap() < 1e-50)
}

/// Everything that has an inverse.
fn functions() -> Vec<Expression> {
    let mut functions: Vec<_> = Builtin::ALL.into_iter().map(Expression::function).collect();
    for n in [-9, -4, -3, -2, -1, 1, 2, 3, 4, 7, 10] {
        functions.push(Expression::Powi(Box::new(Expression::X), n));
        functions.push(Expression::Rootn(Box::new(Expression::X), n));
    }
    functions.push(parse("1/x").unwrap());
    functions.retain(|f| f.inverse().is_some());
    functions
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn inverses_lead_back(parts in prop::collection::vec(0u32..1 << 20, 24)) {
        for f in functions() {
            let inverse = f.inverse().unwrap();
            let mut tested = 0;
            for x in arguments(&inverse, &parts) {
                let Some(holds) = holds(&f, &inverse.function, &x) else { continue };
                tested += 1;
                prop_assert!(holds, "{}({f}) is not {x}", inverse.function);
            }
            // of a half line the end at 12; of [−1, 1] perhaps none, but see below
            let is_unlimited = f.enclose(&Interval::from_f64(5.0, 64).unwrap(), 64).is_ok();
            prop_assert!(tested > 0 || !is_unlimited, "{f}");
        }
    }

    /// Strictly monotonic: values in the order of the arguments, or in the opposite one throughout.
    #[test]
    fn functions_are_monotonic_between_the_ends(parts in prop::collection::vec(0u32..1 << 20, 12)) {
        for f in functions() {
            let mut xs = arguments(&f.inverse().unwrap(), &parts);
            xs.sort();
            xs.dedup();
            let values = xs.iter().filter_map(|x| f.enclose(&Interval::from_rational(x, 1200).unwrap(), 1200).ok());
            let values: Vec<_> = values.collect();
            let rises = values.windows(2).all(|pair| pair[0].hi() < pair[1].lo());
            let falls = values.windows(2).all(|pair| pair[0].lo() > pair[1].hi());
            prop_assert!(rises || falls, "{f}");
        }
    }
}

/// On [−1, 1], where every function with a short domain lives, enough arguments are tested; and
/// beyond the interval of the inverse g(f(x)) is another number, so the ends matter.
#[test]
fn the_ends_matter() {
    let x = |k: i64| Rational::from((k, 16));
    for f in functions() {
        let Inverse { function: g, from, to } = f.inverse().unwrap();
        let inside =
            |x: &Rational| from.as_ref().is_none_or(|lo| x >= lo) && to.as_ref().is_none_or(|hi| x <= hi);
        let near: Vec<_> = (-32..33).map(x).filter(inside).filter_map(|x| holds(&f, &g, &x)).collect();
        assert!(near.len() >= 14 && near.iter().all(|holds| *holds), "{f}: {}", near.len());
        let outside: Vec<_> = (-100..101).map(x).filter(|x| !inside(x)).collect();
        let is_odd_pole = matches!(f.exact_rule(), Some(rule) if rule.contains("rational at every x but 0"))
            || matches!(&f, Expression::Rootn(_, n) if *n < 0);
        if !is_odd_pole && (from.is_some() || to.is_some()) {
            // beyond π/2 by a sixteenth, or below 0
            let other: Vec<_> = outside.iter().filter_map(|x| holds(&f, &g, x)).collect();
            assert!(other.iter().any(|holds| !holds), "{f}");
        }
    }
}

#[test]
fn inverses_by_name() {
    let inverses = "exp=log(x) log10p1=exp10m1(x) sqrt=x^2 x^2=sqrt(x) x^3=cbrt(x) cbrt=x^3 rsqrt=x^-2
        x^-2=rsqrt(x) 1/x=1/x x^-1=x^-1 x^5=rootn(x,5) rootn(x,-6)=x^-6 acospi=cospi(x)";
    for (text, inverse) in inverses.split_whitespace().map(|both| both.split_once('=').unwrap()) {
        assert_eq!(parse(text).unwrap().inverse().unwrap().function.to_string(), inverse, "{text}");
    }
    for text in ["erf", "erfc", "x", "x^0", "2/x", "exp(2*x)", "-exp(x)", "x+1", "pi"] {
        assert_eq!(parse(text).unwrap().inverse(), None, "{text}");
    }
    let ends = |text: &str| parse(text).unwrap().inverse().map(|inverse| (inverse.from, inverse.to)).unwrap();
    let q = |n: i32, d: i32| Some(Rational::from((n, d)));
    assert_eq!(ends("sin"), (q(-3, 2), q(3, 2)));
    assert_eq!(ends("cos"), (q(0, 1), q(3, 1)));
    assert_eq!(ends("tanpi"), (q(-1, 2), q(1, 2)));
    assert_eq!(ends("x^4"), (q(0, 1), None));
    assert_eq!(ends("x^-3"), (q(0, 1), None));
    assert_eq!(ends("rootn(x,4)"), (None, None));
    assert_eq!(ends("log"), (None, None));
    assert!(Rational::from((3, 2)).pow(2) * 6u32 < 15); // (3/2)² < π²/4, as π² = 6·Σ 1/n² > 6·(1 + 1/4 + 1/9 + 1/16)
}
