//! Oracles: direct MPFR evaluation written by hand, Taylor's theorem, tables of exact values, the
//! parser for the text.

use proptest::prelude::*;
use rug::{Float, Integer};

use super::*;
use crate::tests::is_in;

mod cancellation;
mod theory;

const PRECISION: u32 = 120;

fn at(x: f64) -> Interval {
    Interval::from_f64(x, PRECISION).unwrap()
}

/// Expressions that have all derivatives on [1/4, 3/2], with every node and function among them.
const SMOOTH: &str = "exp exp2 exp10 log log2 log10 sin cos tan sqrt cbrt expm1 exp2m1 exp10m1 logp1 log2p1
    log10p1 rsqrt rootn(x,5) rootn(x,-4) rootn(-x,3) sinpi cospi tanpi(x/4) asin(x/2) acos(x/2) atan
    asinpi(-x/2) acospi(x/2-1/3) atanpi sinh cosh tanh asinh acosh(1+x) atanh(x/2) erf erfc(x*3)
    erf(x^2-1)+atan(x^2-1/2) acosh(3-x+x^2)*asinh(x^3) tanh(exp(x)-2) 1/x x^7-x^-3 exp(2*x)+sin(3*x^2)
    -log(1+exp(-x)) sqrt(1+x^2)/(x-5) pi*x/e-x (x+1)^-4*cbrt(x) tan(x/2)^3
    exp(sin(cos(x)))/(2+log2(x+3/10))";

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Taylor's theorem: f(X + t) ∈ Σ_{k<n} c_k·t^k + C_n·t^n, and the remainder makes it narrow.
    #[test]
    fn taylor_with_remainder(x in 0.5..1.25f64, t in -0.05..0.05f64) {
        let order = 10;
        for text in SMOOTH.split_whitespace() {
            let f = parse(text).unwrap();
            let (point, step) = (at(x), at(t));
            let shifted = point.add(&step).unwrap();
            let mut series = f.series(&point, order - 1, PRECISION).unwrap().into_coefficients();
            let wide = f.series(&point.hull(&shifted), order, PRECISION).unwrap();
            series.push(wide.coefficients()[order].clone());
            let enclosure = Series::new(series).unwrap().evaluate(&step).unwrap();
            let value = f.enclose(&shifted, PRECISION).unwrap();
            prop_assert!(enclosure.intersects(&value), "{text}: {value} is not in {enclosure}");
            prop_assert!(value.width().unwrap() < 1e-30, "{text}: {value}");
            prop_assert!(enclosure.width().unwrap() < 1e-4, "{text}: {enclosure} says nothing");
        }
    }

    /// Without the remainder the theorem fails by the next term: the test above can fail.
    #[test]
    fn coefficients_are_not_just_wide(x in 0.5..1.25f64) {
        for text in SMOOTH.split_whitespace() {
            let series = parse(text).unwrap().series(&at(x), 12, PRECISION).unwrap();
            for c in series.coefficients() {
                prop_assert!(c.width().unwrap() < 1e-20, "{text}: {c}");
            }
        }
    }

    #[test]
    fn composition_against_mpfr(x in -3.0..3.0f64) {
        let f = parse("exp(2*x)+sin(3*x^2)").unwrap();
        let v = Float::with_val(400, x);
        let direct = Float::with_val(400, 2 * &v).exp() + Float::with_val(400, 3 * v.square()).sin();
        let y = f.enclose(&Interval::from_f64(x, 53).unwrap(), PRECISION).unwrap();
        prop_assert!(y.contains(&direct));
        prop_assert!(y.width().unwrap() < 1e-30);
        // the derivative: 2·exp(2x) + 6x·cos(3x²)
        let v = Float::with_val(400, x);
        let slope = Float::with_val(400, 2 * &v).exp() * 2u32
            + Float::with_val(400, 6 * &v) * Float::with_val(400, 3 * v.square()).cos();
        let series = f.series(&at(x), 1, PRECISION).unwrap();
        prop_assert!(series.coefficients()[1].contains(&slope));
    }

    /// The two evaluations agree, and the exact value lies in the enclosure.
    #[test]
    fn consistent_evaluations(tree in tree(), numerator in -40i32..40, denominator in 1i32..6) {
        let x = Rational::from((numerator, denominator));
        let point = Interval::from_rational(&x, PRECISION).unwrap();
        if let Ok(y) = tree.enclose(&point, PRECISION) {
            if let Some(q) = tree.exact(&x) {
                prop_assert!(y.contains(&q), "{tree} at {x} is {q}, not in {y}");
                prop_assert!(!tree.proves_irrational(&x));
            }
            match tree.series(&point, 0, PRECISION) {
                Ok(series) => prop_assert!(series.coefficients()[0].intersects(&y)),
                // x/sinh(2^28·x) is enclosed by what is known of its range; a series needs sinh
                Err(FunctionError::Overflow { .. }) => {}
                Err(other) => prop_assert!(false, "{tree} at {x}: {other}"),
            }
        }
    }

    /// What is said of an interval holds at its points: the range, and that there is no value
    /// anywhere.
    #[test]
    fn ranges_hold_at_points(
        tree in tree(), (a, b) in (-40i32..40, -40i32..40), parts in prop::collection::vec(0i32..9, 3),
    ) {
        let (lo, hi) = (a.min(b), a.max(b));
        let fourth = |n: i32| Float::with_val(PRECISION, n) / 32u32;
        let whole = Interval::new(fourth(lo * 8), fourth(hi * 8)).unwrap();
        let range = tree.range(&whole, PRECISION);
        for part in parts {
            let x = fourth(lo * 8 + (hi - lo) * part);
            let point = Interval::point(x.clone()).unwrap();
            let x = x.to_rational().unwrap();
            let (value, exact) = (tree.enclose(&point, 400), tree.exact(&x));
            match &range {
                Ok(range) => {
                    // the range of a point is no wider, and no enclosure of a value lies beside it
                    let at_point = tree.range(&point, PRECISION).unwrap();
                    for range in [range, &at_point] {
                        if let Ok(value) = &value {
                            prop_assert!(is_in(value, range), "{tree} at {x}: {value} is not in {range}");
                        }
                        if let Some(exact) = &exact {
                            prop_assert!(range.contains(exact), "{tree} at {x}: {exact} is not in {range}");
                        }
                    }
                }
                Err(FunctionError::OutsideDomain { everywhere: true, .. }) => {
                    prop_assert!(value.is_err() && exact.is_none(), "{tree} has a value at {x}");
                }
                Err(_) => {}
            }
            // neither does the enclosure claim too much
            if matches!(tree.enclose(&whole, PRECISION), Err(FunctionError::OutsideDomain { everywhere: true, .. })) {
                prop_assert!(value.is_err() && exact.is_none(), "{tree} has a value at {x}");
            }
        }
    }

    /// The text of every tree reads as that tree.
    #[test]
    fn text_round_trip(tree in tree()) {
        prop_assert_eq!(parse(&tree.to_string()), Ok(tree));
    }

    #[test]
    fn literals_round_trip(numerator in any::<i64>(), power in 0u32..40, exponent in -300i32..300, odd in 1u64..200) {
        let n = Rational::from(numerator);
        for q in [
            n.clone() << exponent,
            Rational::from(&n / Integer::from(Integer::u_pow_u(10, power))),
            Rational::from(&n * Integer::from(Integer::u_pow_u(10, power))),
            Rational::from(&n / Integer::from(Integer::u_pow_u(5, power))),
            n / odd,
        ] {
            let tree = Expression::Const(q);
            prop_assert_eq!(parse(&tree.to_string()), Ok(tree));
        }
    }
}

/// Trees of all nodes, with constants of all kinds.
pub(crate) fn tree() -> impl Strategy<Value = Expression> {
    let constant = prop_oneof![
        (-9i64..20).prop_map(Rational::from),
        (any::<i16>(), 1i64..30).prop_map(|(n, d)| Rational::from((i64::from(n), d))),
        (any::<i16>(), -80i32..80).prop_map(|(n, e)| Rational::from(n) << e),
    ];
    let leaf = prop_oneof![
        4 => Just(Expression::X),
        3 => constant.prop_map(Expression::Const),
        1 => Just(Expression::Pi),
        1 => Just(Expression::E),
    ];
    leaf.prop_recursive(6, 40, 2, |inner| {
        let pair = || (inner.clone().prop_map(Box::new), inner.clone().prop_map(Box::new));
        prop_oneof![
            inner.clone().prop_map(|a| Expression::Neg(Box::new(a))),
            pair().prop_map(|(a, b)| Expression::Add(a, b)),
            pair().prop_map(|(a, b)| Expression::Sub(a, b)),
            pair().prop_map(|(a, b)| Expression::Mul(a, b)),
            pair().prop_map(|(a, b)| Expression::Div(a, b)),
            (inner.clone(), -6i32..7).prop_map(|(a, n)| Expression::Powi(Box::new(a), n)),
            (inner.clone(), prop_oneof![-6i32..0, 1i32..7])
                .prop_map(|(a, n)| Expression::Rootn(Box::new(a), n)),
            (prop::sample::select(Builtin::ALL.to_vec()), inner)
                .prop_map(|(f, a)| Expression::Call(f, Box::new(a))),
        ]
    })
}

#[test]
fn every_name_is_its_function() {
    // at 1/2, by the C library: a mix-up of names shows in the first digits
    for (texts, value) in [
        ("exp", 0.5f64.exp()),
        ("exp2", 0.5f64.exp2()),
        ("exp10", 10f64.sqrt()),
        ("log ln", 0.5f64.ln()),
        ("log2", -1.0),
        ("log10", 0.5f64.log10()),
        ("sin", 0.5f64.sin()),
        ("cos", 0.5f64.cos()),
        ("tan", 0.5f64.tan()),
        ("sqrt cospi(x/2)", 0.5f64.sqrt()),
        ("cbrt rootn(x,3)", 0.5f64.cbrt()),
        ("expm1", 0.5f64.exp_m1()),
        ("exp2m1", 0.5f64.exp2() - 1.0),
        ("exp10m1", 10f64.sqrt() - 1.0),
        ("logp1 log1p", 0.5f64.ln_1p()),
        ("log2p1", 1.5f64.log2()),
        ("log10p1", 1.5f64.log10()),
        ("rsqrt rSqrt rootn(x,-2)", 2f64.sqrt()),
        ("cosPi", 0.0),
        ("sinpi tanpi(x/2)", 1.0),
        ("sinPi(x/3) asinPi(2*x)", 0.5),
        ("tanPi(x/3)", 3f64.sqrt().recip()),
        ("asin", std::f64::consts::FRAC_PI_6),
        ("acos", std::f64::consts::FRAC_PI_3),
        ("atan", 0.5f64.atan()),
        ("asinpi", 1.0 / 6.0),
        ("acospi", 1.0 / 3.0),
        ("acosPi(-x)", 2.0 / 3.0),
        ("atanpi", 0.5f64.atan() * std::f64::consts::FRAC_1_PI),
        ("atanPi(2*x)", 0.25),
        ("sinh", 0.5f64.sinh()),
        ("cosh", 0.5f64.cosh()),
        ("tanh", 0.5f64.tanh()),
        ("asinh", 0.5f64.asinh()),
        ("acosh(x+1)", 1.5f64.acosh()),
        ("atanh", 0.5f64.atanh()),
        ("erf", 0.520_499_877_813_046_5), // Abramowitz and Stegun, table 7.1
        ("erfc", 0.479_500_122_186_953_5),
        ("pown(x,3)", 0.125),
        ("pi+x", std::f64::consts::PI + 0.5),
        ("e-x", std::f64::consts::E - 0.5),
        ("-x/4", -0.125),
    ] {
        for text in texts.split(' ') {
            let f = parse(text).unwrap();
            let y = f.enclose(&at(0.5), PRECISION).unwrap().midpoint().to_f64();
            assert!((y - value).abs() < 1e-14, "{text}: {y} against {value}");
            assert_eq!(f.name(), f.to_string());
        }
    }
}

#[test]
fn the_precision_is_the_larger_one() {
    let f = parse("sqrt(x-1)").unwrap();
    // 1 + 2^-200 has 201 bits: rounding it to 64 would leave the domain of the derivative
    let x = Interval::point((Float::with_val(201, 1) >> 200) + 1u32).unwrap();
    assert_eq!(f.enclose(&x, 64).unwrap().precision(), 201);
    assert!(f.enclose(&x, 64).unwrap().contains(&(Float::with_val(64, 1) >> 100)));
    assert!(f.series(&x, 3, 64).is_ok());
    assert_eq!(f.enclose(&x, 300).unwrap().precision(), 300);
    assert_eq!(f.enclose(&at(2.0), 1 << 30), Err(FunctionError::Precision { precision: 1 << 30 }));
}

/// What is nowhere defined makes all above it so.
#[test]
fn nowhere_defined() {
    let everywhere = |text: &str, lo: f64, hi: f64| {
        let x = Interval::new(Float::with_val(53, lo), Float::with_val(53, hi)).unwrap();
        match parse(text).unwrap().enclose(&x, 53).unwrap_err() {
            FunctionError::OutsideDomain { everywhere, .. } => Some(everywhere),
            _ => None,
        }
    };
    for (text, lo, hi, expected) in [
        ("1+2*log(x)^2", -2.0, -1.0, Some(true)),
        ("0*log(x)", -2.0, 0.0, Some(true)),
        ("log(x)^0", -2.0, 1.0, Some(false)),
        ("sqrt(-1-x^2)", -5.0, 5.0, Some(true)),
        ("exp(asin(cosh(x)+1))", -5.0, 5.0, Some(true)),
        ("asin(cosh(x))", -5.0, 5.0, Some(false)), // asin 1 at 0
        ("x+atanh(x)", 1.0, 2.0, Some(true)),
        ("rootn(x,4)", f64::MIN, -5e-324, Some(true)),
        ("rootn(x,-4)", -1.0, 0.0, Some(true)),
        ("rootn(x,4)", -1.0, 0.0, Some(false)),
        ("rootn(x,-3)", -1.0, 0.0, None),
        ("1/x", 0.0, 0.0, None),
        ("x^-2", 0.0, 1.0, None),
        ("log(x)/0", -1.0, -1.0, Some(true)),
    ] {
        assert_eq!(everywhere(text, lo, hi), expected, "{text}");
    }
}

#[test]
fn errors_name_the_function() {
    let error = parse("1+log(x-2)").unwrap().enclose(&at(1.0), 53).unwrap_err();
    assert_eq!(error.to_string(), "log is not defined on all of -1");
    let error = parse("1/(x-1)").unwrap().series(&at(1.0), 3, 53).unwrap_err();
    assert_eq!(error.to_string(), "division or one of its derivatives is infinite at a point of 0");
    let error = parse("exp(exp(x))").unwrap().enclose(&at(50.0), 53).unwrap_err();
    assert!(matches!(error, FunctionError::Overflow { .. }), "{error}");
}

#[test]
fn literals() {
    for (q, text) in [
        (Rational::from(0), "0"),
        (Rational::from(1_000_000), "1000000"),
        (Rational::from((3, 2000)), "0.0015"),
        (Rational::from(1) << 100, "0x1p100"),
        (Rational::from(3) >> 90, "0x3p-90"),
        (crate::parse_number("1e1000000").unwrap(), "1e1000000"),
        (crate::parse_number("25e-1000000").unwrap(), "25e-1000000"),
        (Rational::from((1, 3)), "[1/3]"),
        (Rational::from((-1, 2)), "[-1/2]"),
        (Rational::from(-7), "[-7/1]"),
    ] {
        assert_eq!(Expression::Const(q).to_string(), text);
    }
}

/// The text has no parentheses that the reader does not need.
#[test]
fn text_is_minimal() {
    let texts = "1+x-2*x/3 -x^2 (-x)^2 x-(1-x) x/(2*x) --x 2*-x (x^2)^3 (x+1)*x exp(x)^-2 x+-x";
    for text in texts.split(' ') {
        assert_eq!(parse(text).unwrap().to_string(), text);
    }
    assert_eq!(parse(" ( (x) ) * (2) ").unwrap().to_string(), "x*2");
    assert_eq!("sin".parse(), Ok(Expression::function(Builtin::Sin)));
}

/// Found by fuzzing: a constant of more digits than a width in `format!` may have.
#[test]
fn long_constants_are_printed() {
    for text in ["0x.22222222p222222", "0x1p+300000", "1e70000"] {
        let function = parse(text).unwrap();
        assert_eq!(parse(&function.to_string()).as_ref(), Ok(&function), "{text}");
    }
}
