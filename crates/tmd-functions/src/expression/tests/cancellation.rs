//! Other forms of sums and quotients, against the ones that were written; and lines with
//! remainders, against values.
//!
//! The oracle is the tree itself with its identities hidden: `1` is written as a number that no
//! pattern knows, `cos(0)`, so that MPFR's operations are done one by one as they stand, at a
//! precision at which they cancel as they please.

use super::*;
use crate::range::Bound;

/// Expressions that are evaluated in another form, and the same with ONE for 1, which is not.
const PAIRS: [(&str, &str); 34] = [
    ("exp(x)-1", "exp(x)-ONE"),
    ("1-exp(x)", "ONE-exp(x)"),
    ("-1+exp(x)", "-ONE+exp(x)"),
    ("-exp(x)--1", "-exp(x)--ONE"),
    ("exp2(x)-1", "exp2(x)-ONE"),
    ("1-exp10(-x)", "ONE-exp10(-x)"),
    ("1+expm1(x)", "ONE+expm1(x)"),
    ("-expm1(x)-1", "-expm1(x)-ONE"),
    ("1+erf(x)", "ONE+erf(x)"),
    ("erf(x)+1", "erf(x)+ONE"),
    ("1-erf(x)", "ONE-erf(x)"),
    ("erf(x)-1", "erf(x)-ONE"),
    ("-1-erf(x)", "-ONE-erf(x)"),
    ("1-erfc(x)", "ONE-erfc(x)"),
    ("erfc(x)-1", "erfc(x)-ONE"),
    ("1+tanh(x)", "ONE+tanh(x)"),
    ("1-tanh(x)", "ONE-tanh(x)"),
    ("tanh(x)-1", "tanh(x)-ONE"),
    ("-tanh(x)-1", "-tanh(x)-ONE"),
    ("cosh(x)-1", "cosh(x)-ONE"),
    ("1-cosh(x)", "ONE-cosh(x)"),
    ("1-cos(x)", "ONE-cos(x)"),
    ("cos(x)-1", "cos(x)-ONE"),
    ("log(1+x^2)", "log(ONE+x^2)"),
    ("log(1-x/40)", "log(ONE-x/40)"),
    ("log2(x/40+1)", "log2(x/40+ONE)"),
    ("log10(1+-x/40)", "log10(ONE+-x/40)"),
    ("log(1+exp(x))", "log(ONE+exp(x))"),
    ("logp1(exp(-x))", "log(ONE+exp(-x))"),
    ("log2(exp2(x)+1)", "log2(exp2(x)+ONE)"),
    ("log10(1+exp10(x))", "log10(ONE+exp10(x))"),
    ("log(cosh(x))", "log(cosh(x)*ONE)"),
    ("x*tanh(log(1+exp(x)))", "x*tanh(log(ONE+exp(x)))"),
    ("x/2*(1+erf(x/sqrt(2)))", "x/2*(ONE+erf(x/sqrt(2)))"),
];

fn pair(pair: (&str, &str)) -> (Expression, Expression) {
    let plain = parse(&pair.1.replace("ONE", "cos(0)")).unwrap();
    (parse(pair.0).unwrap(), plain)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Both forms enclose the same numbers: values, coefficients, ranges over intervals.
    #[test]
    fn both_forms_agree(x in -30.0..30.0f64, width in 0.0..0.25f64, tiny in 0u32..60) {
        let x = x / 2f64.powi(tiny as i32);
        for texts in PAIRS {
            let (other, plain) = pair(texts);
            let point = at(x);
            let value = plain.enclose(&point, 600).unwrap();
            let enclosure = other.enclose(&point, PRECISION).unwrap();
            prop_assert!(enclosure.intersects(&value), "{} at {x}: {enclosure}, {value}", texts.0);
            let (a, b) = (other.series(&point, 6, PRECISION).unwrap(), plain.series(&point, 6, 900).unwrap());
            for (a, b) in a.coefficients().iter().zip(b.coefficients()) {
                prop_assert!(a.intersects(b), "{} at {x}: {a}, {b}", texts.0);
            }
            let wide = Interval::new(Float::with_val(PRECISION, x), Float::with_val(PRECISION, x + width)).unwrap();
            for end in [x, x + width] {
                let value = plain.enclose(&at(end), 600).unwrap();
                let enclosure = other.enclose(&wide, PRECISION).unwrap();
                prop_assert!(enclosure.intersects(&value), "{} at {end}: {enclosure}, {value}", texts.0);
                let range = other.range(&wide, PRECISION).unwrap();
                prop_assert!(is_in(&value, &range), "{} at {end}: {value} in {range}", texts.0);
                let order = 3;
                let coefficients = other.series(&wide, order, PRECISION).unwrap();
                let values = plain.series(&at(end), order, 900).unwrap();
                for (a, b) in coefficients.coefficients().iter().zip(values.coefficients()) {
                    prop_assert!(a.intersects(b), "{} at {end}: {a}, {b}", texts.0);
                }
            }
        }
    }

    /// In the other form nothing cancels: the relative width is that of the arithmetic, however
    /// small the value.
    #[test]
    fn nothing_cancels(x in 0.5..1.0f64, exponent in 0..200i32, negative: bool) {
        let x = if negative { -x } else { x } * 2f64.powi(-exponent);
        for text in [
            "exp(x)-1", "1-exp2(x)", "1-erfc(x)", "cosh(x)-1", "1-cos(x)", "log(1+x)", "log10(1-x)", "log(cosh(x))",
        ] {
            let y = parse(text).unwrap().enclose(&at(x), PRECISION).unwrap();
            let width = y.width().unwrap() / y.mig();
            prop_assert!(width < 1e-30, "{text} at {x}: {y}");
        }
        let x = -60.0 - 100.0 * x.abs();
        for text in ["1+erf(x)", "1+tanh(x)", "log(1+exp(x))", "1+expm1(x)", "x/2*(1+erf(x/sqrt(2)))"] {
            let y = parse(text).unwrap().enclose(&at(x), PRECISION).unwrap();
            let width = y.width().unwrap() / y.mig();
            prop_assert!(width < 1e-30, "{text} at {x}: {y}");
        }
    }

    /// f(x) = ℓ(x) + r(x) with r in its range, which has the sign that it has; over intervals and
    /// at points.
    #[test]
    fn lines_and_remainders(x in 1.0..60.0f64, width in 0.0..4.0f64, negative: bool, down in 0..40i32) {
        for (text, is_near_0) in LINES {
            let f = parse(text).unwrap();
            let x = if is_near_0 { x / 2f64.powi(down + 8) } else { x + 3.0 };
            let x = if negative { -x } else { x };
            let ends = if negative { (x - width, x) } else { (x, x + width) };
            let ends = if is_near_0 { (x.min(x * 1.5), x.max(x * 1.5)) } else { ends };
            let [lo, hi] = [ends.0, ends.1].map(|x| Float::with_val(PRECISION, x));
            let over = Interval::new(lo.clone(), hi.clone()).unwrap();
            let Some(line) = f.asymptote(&over, PRECISION) else { continue };
            for x in [lo, hi] {
                let point = Interval::point(x.clone()).unwrap();
                let value = f.enclose(&point, 2000).unwrap();
                let on_line = x.to_rational().unwrap() * &line.slope + &line.constant;
                let rest = value.sub(&Interval::from_rational(&on_line, 2000).unwrap()).unwrap();
                prop_assert!(is_in(&rest, &line.remainder), "{text} at {x}: {rest} in {:?}", line.remainder);
                let (number, remainder) = f.split(&point, PRECISION).unwrap();
                let rest = value.sub(&Interval::from_rational(&number, 2000).unwrap()).unwrap();
                prop_assert!(is_in(&rest, &remainder), "{text} at {x}: {rest} in {remainder}");
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
            let point = Interval::point(x.clone()).unwrap();
            let Ok(value) = tree.enclose(&point, 2000) else { continue };
            if let Some(line) = tree.asymptote(&over, PRECISION) {
                let on_line = x.to_rational().unwrap() * &line.slope + &line.constant;
                let rest = value.sub(&Interval::from_rational(&on_line, 2000).unwrap()).unwrap();
                prop_assert!(is_in(&rest, &line.remainder), "{tree} at {x}: {rest} in {:?}", line);
            }
            if let Some((number, remainder)) = tree.split(&point, PRECISION) {
                let rest = value.sub(&Interval::from_rational(&number, 2000).unwrap()).unwrap();
                prop_assert!(is_in(&rest, &remainder), "{tree} at {x}: {rest} in {remainder}");
            }
        }
    }

    /// a(x)/xⁿ next to 0: the moved coefficients hold those of the quotient.
    #[test]
    fn removable_singularities(x in 0.01..1.0f64, width in 0.0..0.5f64, negative: bool, down in 0..20i32) {
        let (x, width) = (x / 2f64.powi(down), width / 2f64.powi(down));
        for text in REMOVABLE {
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
                    for (k, (a, b)) in series.coefficients().iter().zip(divided.coefficients()).enumerate() {
                        prop_assert!(a.intersects(b), "{text} at {x}: c{k} {a}, {b}");
                    }
                }
                // narrow although the division by an interval next to 0 is not
                let bound = series.coefficients()[5].mag();
                prop_assert!(bound < 3, "{text} over {over}: {bound}");
            }
        }
    }
}

/// Expressions with lines: next to 0, or far from it.
const LINES: [(&str, bool); 26] = [
    ("log(1+exp(x))", false),
    ("-log(1+exp(-x))", false),
    ("log2(1+exp2(x))", false),
    ("log(exp(x)-1/3)", false),
    ("x/(1+exp(-x))", false),
    ("x/2*(1+erf(x/sqrt(2)))", false),
    ("x/2*(1+tanh(sqrt(2/pi)*(x+0.044715*x^3)))", false),
    ("x*tanh(log(1+exp(x)))", false),
    ("x*tanh(log(1+exp(x)))", true),
    ("(exp(x)-1)/x", false),
    ("sqrt(1+x^2)", false),
    ("sqrt(x*x+3)-x", false),
    ("x/sqrt(1+x^2)", false),
    ("(x+exp(-x))/(2*x-exp(-x))", false),
    ("1/(1+exp(-x))", false),
    ("log(cosh(x))", false),
    ("log(2*cosh(x))", false),
    ("tanh(x)", false),
    ("erf(-x)", false),
    ("erfc(x)", false),
    ("expm1(x)", false),
    ("1-tanh(x)", false),
    ("(2+exp(-x))^3", false),
    ("sqrt(4+exp(x))", false),
    ("x*cos(exp(-x))", false),
    ("x/rootn(8+exp(-x),3)", false),
];

const REMOVABLE: [&str; 9] = [
    "sinh(x)/x",
    "(exp(x)-1)/x",
    "(1-exp2(x))/x",
    "sin(x)/x",
    "log(1+x/4)/x",
    "(1-cos(x))/x^2",
    "(cosh(x)-1)/x",
    "(1-erfc(x))/x",
    "x*sin(x)/x^2",
];

/// Whether a number that is enclosed so may be in a range.
fn is_in(value: &Interval, range: &Range) -> bool {
    let above = match &range.below {
        Bound::Unbounded => true,
        Bound::Open(b) => value.hi() > b,
        Bound::Closed(b) => value.hi() >= b,
    };
    above
        && match &range.above {
            Bound::Unbounded => true,
            Bound::Open(b) => value.lo() < b,
            Bound::Closed(b) => value.lo() <= b,
        }
}

/// A quotient has no value at 0, although its series has one.
#[test]
fn quotients_have_no_value_at_0() {
    let zero = Interval::zero(PRECISION).unwrap();
    for text in REMOVABLE {
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
    for (text, _) in PAIRS {
        let f = parse(text).unwrap();
        assert_eq!(f.to_string(), text);
    }
}
