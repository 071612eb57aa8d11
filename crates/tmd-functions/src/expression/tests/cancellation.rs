//! Other forms of sums and quotients, against the ones that were written; and lines with
//! remainders, against values.
//!
//! The oracle is the tree itself with its identities hidden: `1` is written as a number that no
//! pattern knows, `cos(0)`, so that MPFR's operations are done one by one as they stand, at a
//! precision at which they cancel as they please.

use super::*;
use crate::range::Bound;

/// Expressions that are evaluated in another form, and those with `ONE` for 1, which are not.
const FORMS: &str = "exp(x)-ONE ONE-exp(x) -ONE+exp(x) -exp(x)--ONE exp2(x)-ONE ONE-exp10(-x) ONE+expm1(x)
    -expm1(x)-ONE ONE+erf(x) erf(x)+ONE ONE-erf(x) erf(x)-ONE -ONE-erf(x) ONE-erfc(x) erfc(x)-ONE
    ONE+tanh(x) ONE-tanh(x) tanh(x)-ONE -tanh(x)-ONE cosh(x)-ONE ONE-cosh(x) ONE-cos(x) cos(x)-ONE
    log(ONE+x^2) log(ONE-x/40) log2(x/40+ONE) log10(ONE+-x/40) log(ONE+exp(x)) log2(exp2(x)+ONE)
    log10(ONE+exp10(x)) x*tanh(log(ONE+exp(x))) x/2*(ONE+erf(x/sqrt(2)))";

/// The texts that are evaluated in another form, each with a tree that is not.
fn forms() -> impl Iterator<Item = (String, Expression)> {
    let others = [("logp1(exp(-x))", "log(ONE+exp(-x))"), ("log(cosh(x))", "log(cosh(x)*ONE)")];
    let others = others.map(|(text, plain)| (text.to_owned(), plain));
    let all = FORMS.split_whitespace().map(|plain| (plain.replace("ONE", "1"), plain)).chain(others);
    all.map(|(text, plain)| (text, parse(&plain.replace("ONE", "cos(0)")).unwrap()))
}

/// Every coefficient may be that of the other series.
fn assert_intersect(a: &Series, b: &Series, what: &str) -> Result<(), TestCaseError> {
    for (k, (a, b)) in a.coefficients().iter().zip(b.coefficients()).enumerate() {
        prop_assert!(a.intersects(b), "{what}: c{k} {a}, {b}");
    }
    Ok(())
}

/// What is said of f as a line with a remainder: over an interval, and at x, which is in it.
/// Whether f has a value at x that is split so.
fn check_line(f: &Expression, over: &Interval, x: &Float) -> Result<bool, TestCaseError> {
    let point = Interval::point(x.clone()).unwrap();
    let Ok(value) = f.enclose(&point, 2000) else { return Ok(false) };
    let beyond = |number: &Rational| value.sub(&Interval::from_rational(number, 2000).unwrap()).unwrap();
    if let Some(line) = f.asymptote(over, PRECISION) {
        let rest = beyond(&(x.to_rational().unwrap() * &line.slope + &line.constant));
        prop_assert!(is_in(&rest, &line.remainder), "{f} at {x}: {rest} in {line:?}");
    }
    let split = f.split(&point, PRECISION);
    if let Some((number, remainder)) = &split {
        let rest = beyond(number);
        prop_assert!(is_in(&rest, remainder), "{f} at {x}: {rest} in {remainder}");
    }
    Ok(split.is_some())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Both forms enclose the same numbers: values, coefficients, ranges over intervals.
    #[test]
    fn both_forms_agree(x in -30.0..30.0f64, width in 0.0..0.25f64, tiny in 0u32..60) {
        let x = x / 2f64.powi(tiny as i32);
        for (text, plain) in forms() {
            let other = parse(&text).unwrap();
            let point = at(x);
            let value = plain.enclose(&point, 600).unwrap();
            let enclosure = other.enclose(&point, PRECISION).unwrap();
            prop_assert!(enclosure.intersects(&value), "{text} at {x}: {enclosure}, {value}");
            let plain_series = plain.series(&point, 6, 900).unwrap();
            assert_intersect(&other.series(&point, 6, PRECISION).unwrap(), &plain_series, &format!("{text} at {x}"))?;
            let wide = Interval::new(Float::with_val(PRECISION, x), Float::with_val(PRECISION, x + width)).unwrap();
            for end in [x, x + width] {
                let value = plain.enclose(&at(end), 600).unwrap();
                let enclosure = other.enclose(&wide, PRECISION).unwrap();
                prop_assert!(enclosure.intersects(&value), "{text} at {end}: {enclosure}, {value}");
                let range = other.range(&wide, PRECISION).unwrap();
                prop_assert!(is_in(&value, &range), "{text} at {end}: {value} in {range}");
                let values = plain.series(&at(end), 3, 900).unwrap();
                assert_intersect(&other.series(&wide, 3, PRECISION).unwrap(), &values, &format!("{text} at {end}"))?;
            }
        }
    }

    /// In the other form nothing cancels: the relative width is that of the arithmetic, however
    /// small the value.
    #[test]
    fn nothing_cancels(x in 0.5..1.0f64, exponent in 0..200i32, negative: bool) {
        let x = if negative { -x } else { x } * 2f64.powi(-exponent);
        let far = -60.0 - 100.0 * x.abs();
        let near_0 = "exp(x)-1 1-exp2(x) 1-erfc(x) cosh(x)-1 1-cos(x) log(1+x) log10(1-x) log(cosh(x))";
        let far_off = "1+erf(x) 1+tanh(x) log(1+exp(x)) 1+expm1(x) x/2*(1+erf(x/sqrt(2)))";
        for (x, texts) in [(x, near_0), (far, far_off)] {
            for text in texts.split(' ') {
                let y = parse(text).unwrap().enclose(&at(x), PRECISION).unwrap();
                let width = y.width().unwrap() / y.mig();
                prop_assert!(width < 1e-30, "{text} at {x}: {y}");
            }
        }
    }

    /// f(x) = ℓ(x) + r(x) with r in its range, which has the sign that it has; over intervals and
    /// at points.
    #[test]
    fn lines_and_remainders(x in 1.0..60.0f64, width in 0.0..4.0f64, negative: bool, down in 0..40i32) {
        let lines = LINES.split_whitespace().map(|text| (text, false));
        for (text, is_near_0) in lines.chain([("x*tanh(log(1+exp(x)))", true)]) {
            let f = parse(text).unwrap();
            let x = if is_near_0 { x / 2f64.powi(down + 8) } else { x + 3.0 };
            let x = if negative { -x } else { x };
            let ends = if negative { (x - width, x) } else { (x, x + width) };
            let ends = if is_near_0 { (x.min(x * 1.5), x.max(x * 1.5)) } else { ends };
            let [lo, hi] = [ends.0, ends.1].map(|x| Float::with_val(PRECISION, x));
            let over = Interval::new(lo.clone(), hi.clone()).unwrap();
            if f.asymptote(&over, PRECISION).is_none() {
                continue;
            }
            for x in [lo, hi] {
                prop_assert!(check_line(&f, &over, &x)?, "{text} at {x}: no value, or nothing to split off");
                let point = Interval::point(x.clone()).unwrap();
                let value = f.enclose(&point, 2000).unwrap();
                prop_assert!(is_in(&value, &f.range(&point, PRECISION).unwrap()), "{text} at {x}");
            }
        }
    }

    /// Trees of all kinds: what is said of lines holds at points.
    #[test]
    fn lines_of_trees(tree in tree(), (a, b) in (-40i32..40, -40i32..40)) {
        let [lo, hi] = [a.min(b), a.max(b)].map(|n| Float::with_val(PRECISION, n) / 4u32);
        let over = Interval::new(lo.clone(), hi.clone()).unwrap();
        for x in [lo, hi] {
            check_line(&tree, &over, &x)?;
        }
    }

    /// a(x)/xⁿ next to 0: the moved coefficients hold those of the quotient.
    #[test]
    fn removable_singularities(x in 0.01..1.0f64, width in 0.0..0.5f64, negative: bool, down in 0..20i32) {
        let (x, width) = (x / 2f64.powi(down), width / 2f64.powi(down));
        for text in REMOVABLE.split_whitespace() {
            let (numerator, divisor) = text.rsplit_once('/').unwrap();
            let f = parse(text).unwrap();
            let (a, b) = (parse(numerator).unwrap(), parse(divisor).unwrap());
            let [lo, hi] = if negative { [-x - width, -x] } else { [x, x + width] };
            let [lo, hi] = [lo, hi].map(|x| Float::with_val(PRECISION, x));
            for over in [
                Interval::new(lo.clone(), hi.clone()).unwrap(),
                Interval::new(lo.clone(), hi.clone()).unwrap().hull(&Interval::zero(PRECISION).unwrap()),
            ] {
                let series = f.series(&over, 5, PRECISION).unwrap();
                for x in [&lo, &hi] {
                    let x = Interval::point(x.clone()).unwrap().round_to(1200).unwrap();
                    let divided = a.series(&x, 5, 1200).unwrap().div(&b.series(&x, 5, 1200).unwrap()).unwrap();
                    assert_intersect(&series, &divided, &format!("{text} at {x}"))?;
                }
                // narrow although the division by an interval next to 0 is not
                let bound = series.coefficients()[5].mag();
                prop_assert!(bound < 3, "{text} over {over}: {bound}");
            }
        }
    }
}

/// Expressions with lines far from 0.
const LINES: &str = "log(1+exp(x)) -log(1+exp(-x)) log2(1+exp2(x)) log(exp(x)-1/3) x/(1+exp(-x))
    x/2*(1+erf(x/sqrt(2))) x/2*(1+tanh(sqrt(2/pi)*(x+0.044715*x^3))) x*tanh(log(1+exp(x))) (exp(x)-1)/x
    sqrt(1+x^2) sqrt(x*x+3)-x x/sqrt(1+x^2) (x+exp(-x))/(2*x-exp(-x)) 1/(1+exp(-x)) log(cosh(x))
    log(2*cosh(x)) tanh(x) erf(-x) erfc(x) expm1(x) 1-tanh(x) (2+exp(-x))^3 sqrt(4+exp(x)) x*cos(exp(-x))
    x/rootn(8+exp(-x),3)";

const REMOVABLE: &str = "sinh(x)/x (exp(x)-1)/x (1-exp2(x))/x sin(x)/x log(1+x/4)/x (1-cos(x))/x^2
    (cosh(x)-1)/x (1-erfc(x))/x x*sin(x)/x^2";

/// A quotient has no value at 0, although its series has one.
#[test]
fn quotients_have_no_value_at_0() {
    let zero = Interval::zero(PRECISION).unwrap();
    for text in REMOVABLE.split_whitespace() {
        let f = parse(text).unwrap();
        for error in [f.enclose(&zero, PRECISION).unwrap_err(), f.range(&zero, PRECISION).unwrap_err()] {
            assert!(matches!(error, FunctionError::Pole { everywhere: true, .. }), "{text}: {error}");
        }
    }
    // no zero of that order: a pole
    for text in ["cos(x)/x", "sin(x)/x^2", "exp(x)/x"] {
        assert!(parse(text).unwrap().series(&zero, 3, PRECISION).is_err(), "{text}");
    }
}

/// Where a part is beyond all numbers of MPFR the whole is enclosed.
#[test]
fn parts_that_overflow() {
    let huge = |sign: i32| Interval::point(Float::with_val(53, sign) << 1000).unwrap();
    for (text, sign) in [
        ("1/(1+exp(-x))", -1),
        ("x/(1+exp(-x))", -1),
        ("log(1+exp(x))", 1),
        ("log(cosh(x))", 1),
        ("x*tanh(log(1+exp(x)))", 1),
        ("x/2*(1+tanh(sqrt(2/pi)*(x+0.044715*x^3)))", -1),
        ("1/sinh(x)", 1),
    ] {
        let y = parse(text).unwrap().enclose(&huge(sign), PRECISION);
        assert!(y.is_ok(), "{text}: {y:?}");
    }
    // e^(−2^1000) has no magnitude, but a sign: f(x) = x − r
    let (number, rest) = parse("x/(1+exp(-x))").unwrap().split(&huge(1), PRECISION).unwrap();
    assert_eq!(number, Rational::from(1) << 1000);
    assert!(
        rest.above == Bound::Open(Float::new(PRECISION)) && rest.below.value().is_some_and(|b| *b > -1),
        "{rest}"
    );
}

/// The text is the one that was written.
#[test]
fn the_other_form_is_not_shown() {
    for (text, _) in forms() {
        assert_eq!(parse(&text).unwrap().to_string(), text);
    }
}
