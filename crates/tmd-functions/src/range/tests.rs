//! Oracles: the values themselves, computed by MPFR at single numbers, and exact rational values.
//!
//! At `ORACLE` bits MPFR says of a value v either that it is a number it has, or that it lies
//! strictly between two neighbouring ones. A bound of fewer bits is never strictly between those,
//! so "v > b" is decided, not estimated.

use proptest::prelude::*;
use rug::Rational;

use super::*;
use crate::builtin::Builtin;
use crate::error::FunctionError;
use crate::function::Function;
use crate::parse;
use crate::tests::{PRECISION, float, interval, point, range_over};

/// Bits of the values that ranges are tested with: 1 + 2^-1074 and 1 − 2·e^−1400 are told from 1.
const ORACLE: u32 = 2600;

/// 2^exponent, or −2^exponent.
fn power(sign: i32, exponent: i32) -> Float {
    Float::with_val(PRECISION, sign) << exponent
}

/// f(x) at so many bits that the result says all; `None` where f has no value.
enum Value {
    Between(Interval),
    /// Beyond the numbers of MPFR, with this sign.
    Huge(bool),
    Undefined,
}

impl Value {
    fn of(builtin: Builtin, x: &Float) -> Self {
        match builtin.interval(&point(x).round_to(ORACLE).unwrap()) {
            Ok(value) => Self::Between(value),
            Err(FunctionError::Overflow { .. }) => Self::Huge(*x > 0 || builtin == Builtin::Cosh),
            Err(FunctionError::Pole { .. } | FunctionError::OutsideDomain { everywhere: true, .. }) => {
                Self::Undefined
            }
            Err(error) => panic!("{builtin}({x}): {error}"),
        }
    }

    fn satisfies(&self, range: &Range) -> bool {
        match self {
            Self::Undefined => false,
            Self::Huge(true) => range.above == Bound::Unbounded,
            Self::Huge(false) => range.below == Bound::Unbounded,
            Self::Between(value) if value.is_point() => range.contains(value.lo()),
            // strictly between: both ends of it satisfy the bounds, if these are taken for closed
            // ones
            Self::Between(value) => {
                range.below.value().is_none_or(|b| value.lo() >= b)
                    && range.above.value().is_none_or(|b| value.hi() <= b)
            }
        }
    }
}

/// Arguments of all kinds: around 0, ±1/2, ±1, of the size of 1, tiny and huge.
fn argument() -> impl Strategy<Value = Float> {
    let near = (prop::sample::select(vec![-1.0, -0.5, 0.0, 0.5, 1.0]), -1i32..2, -1080i32..-1);
    prop_oneof![
        near.prop_map(|(center, sign, exponent)| Float::with_val(
            1200,
            float(center) + power(sign, exponent)
        )),
        (-2.0..2.0f64).prop_map(float),
        (-60.0..60.0f64).prop_map(float),
        (-1e5..1e5f64).prop_map(float),
        (any::<i32>(), -1100i32..1000).prop_map(|(m, e)| Float::with_val(PRECISION, m) << e),
        (prop::sample::select(vec![-1, 1]), 10i32..20000).prop_map(|(sign, e)| power(sign, e)),
        (-200i32..200).prop_map(|n| float(f64::from(n) / 4.0)),
    ]
}

/// An argument range, the precision of its ends, and numbers that satisfy it.
fn arguments() -> impl Strategy<Value = (Range, u32, Vec<Float>)> {
    let ends = (argument(), argument(), 0u8..3, prop::sample::select(vec![PRECISION, 1200]));
    (ends, prop::collection::vec(0.0..1.0f64, 3), 0u8..12, 0u8..12).prop_map(
        |((a, b, width, precision), inside, below, above)| {
            let b = match width {
                0 => a.clone(),
                1 => Float::with_val(1200, &a * (1.0 + f64::EPSILON)),
                _ => b,
            };
            let [a, b] = [a, b].map(|end| Float::with_val(precision, end));
            let (lo, hi) = if a <= b { (a, b) } else { (b, a) };
            let width = Float::with_val(1300, &hi - &lo);
            let mut points: Vec<_> = inside
                .iter()
                .map(|part| Float::with_val(1300, &width * part) + &lo)
                .filter(|x| *x > lo && *x < hi)
                .collect();
            let is_open = lo < hi;
            let mut bound = |end: &Float, kind: u8, outward: f64| match kind {
                0 | 1 if is_open => Bound::Open(end.clone()),
                2 => {
                    points.extend([
                        end.clone(),
                        Float::with_val(1300, end + outward),
                        Float::with_val(1300, end + outward * 1e9),
                    ]);
                    Bound::Unbounded
                }
                _ => {
                    points.push(end.clone());
                    Bound::Closed(end.clone())
                }
            };
            let (below, above) = (bound(&lo, below, -1.0), bound(&hi, above, 1.0));
            (Range { below, above }, precision, points)
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn ranges_hold_all_values((g, precision, xs) in arguments()) {
        for builtin in Builtin::ALL {
            let range = builtin.range(&g, precision);
            if let Ok(range) = &range {
                for x in &xs {
                    let value = Value::of(builtin, x);
                    prop_assert!(value.satisfies(range), "{builtin}({x}) is not in {range}, over {g}");
                    let exact = x.to_rational().and_then(small).and_then(|x| exact(builtin, &x));
                    if let Some(q) = exact {
                        prop_assert!(range.contains(&q), "{builtin}({x}) = {q} is not in {range}, over {g}");
                    }
                }
            }
            if let Err(FunctionError::OutsideDomain { everywhere: true, .. }) = &range {
                for x in &xs {
                    prop_assert!(matches!(Value::of(builtin, x), Value::Undefined), "{builtin} is defined at {x}, in {g}");
                }
            }
            // what can be enclosed has a range, and no wider one
            if let Some(Ok(values)) = g.closure().map(|x| builtin.interval(&x)) {
                let closure = range.unwrap().closure().unwrap();
                prop_assert!(values.contains_interval(&closure), "{builtin} over {g}: {closure}, but {values}");
            }
        }
    }
}

/// A number whose exact values are short.
fn small(x: Rational) -> Option<Rational> {
    (x.clone().abs() < 1000 && x.denom().significant_bits() < 1000).then_some(x)
}

fn exact(builtin: Builtin, x: &Rational) -> Option<Rational> {
    crate::Expression::function(builtin).exact(x)
}

fn range_at(text: &str, x: &Float) -> Range {
    parse(text).unwrap().range(&point(x), PRECISION).unwrap()
}

/// The values that are never taken, also where the function rounds to them.
#[test]
fn asymptotes_are_open() {
    use Builtin::{AtanPi, Erf, Erfc, Exp, Exp2, Exp2m1, Exp10, Exp10m1, Expm1, Sinh, Tanh};
    let open = |b: f64| Bound::Open(float(b));
    let everywhere = Range { below: Bound::Unbounded, above: Bound::Unbounded };
    for (builtins, below, above) in [
        (vec![Exp, Exp2, Exp10], open(0.0), Bound::Unbounded),
        (vec![Expm1, Exp2m1, Exp10m1], open(-1.0), Bound::Unbounded),
        (vec![Sinh], Bound::Unbounded, Bound::Unbounded),
        (vec![Tanh, Erf], open(-1.0), open(1.0)),
        (vec![Erfc], open(0.0), open(2.0)),
        (vec![AtanPi], open(-0.5), open(0.5)),
    ] {
        let whole = Range { below, above };
        for builtin in builtins {
            assert_eq!(builtin.range(&everywhere, PRECISION), Ok(whole.clone()), "{builtin}");
            // numbers of the sizes of binary64, binary128 and beyond
            for exponent in [1023, 16383, 16384, 1 << 20, 1 << 28, (1 << 30) - 2] {
                let x = Interval::new(power(-1, exponent), power(1, exponent)).unwrap();
                let range = builtin.range(&x.into(), PRECISION).unwrap();
                // where MPFR has e^(2^28), that is the bound
                let is_finite = range.above.value().is_some_and(|b| b.get_exp() > Some(1 << 20));
                assert!(is_finite || range == whole, "{builtin} at 2^{exponent}: {range}");
                assert!(!is_finite || exponent <= 1 << 28, "{builtin} at 2^{exponent}: {range}");
            }
        }
    }
    let cosh = Builtin::Cosh.range(&everywhere, PRECISION).unwrap();
    assert_eq!(cosh, Range { below: Bound::Closed(float(1.0)), above: Bound::Unbounded });
    let atan = Builtin::Atan.range(&everywhere, PRECISION).unwrap();
    let quarter = std::f64::consts::FRAC_PI_2; // rounded down
    assert!(atan.above.is_open() && atan.contains(&quarter) && !atan.contains(&quarter.next_up()));
    assert_eq!(atan.clone().neg(), atan);
    // next to a limit, and next to 1, at arguments of binary64
    let [least, greatest] = [power(1, -1074), float(f64::MAX)];
    for (texts, x, above) in [
        ("exp(-x) cos(x) cospi(x)", &least, 1.0),
        ("tanh(x) erf(x) expm1(-x)*-1 1-exp10(-x)/3", &greatest, 1.0),
        ("erfc(-x)", &greatest, 2.0),
        ("atanpi(x)", &greatest, 0.5),
        ("-cosh(x)", &least, -1.0),
        ("-exp2(-x)", &greatest, 0.0),
        ("sinpi(1/2-x) rsqrt(1+x)", &float(0.001), 1.0),
        ("acospi(x)", &least, 0.5),
    ] {
        for text in texts.split(' ') {
            let range = range_at(text, x);
            assert!(range.above.is_open() && !range.contains(&above), "{text} at {x}: {range}");
        }
    }
    // taken, so never open
    for (text, x, value) in [
        ("cos(x)", 0.0, 1.0),
        ("cosh(x)", 0.0, 1.0),
        ("sinpi(x)", 0.5, 1.0),
        ("sinpi(x)", -0.5, -1.0),
        ("exp2(x)", -3.0, 0.125),
        ("expm1(x)", 0.0, 0.0),
        ("exp10m1(x)", 2.0, 99.0),
        ("asinpi(x)", 1.0, 0.5),
        ("x^-2", 4.0, 0.0625),
        ("3*x", 5.0, 15.0),
    ] {
        assert_eq!(range_at(text, &float(x)), point(&float(value)).into(), "{text} at {x}");
    }
    for text in ["sin(x)", "cos(x)", "sinpi(x)", "cospi(x)"] {
        assert_eq!(range_over(text, -9.0, 9.0), interval(-1.0, 1.0).into(), "{text}");
    }
    assert_eq!(
        range_over("cospi(x)", 1e-9, 1.0).above.value(),
        range_at("cospi(x)", &float(1e-9)).above.value()
    );
    assert!(range_over("cos(x)", 1e-30, 1.0).above == Bound::Open(float(1.0)));
    assert!(range_over("cos(x)", 0.0, 1.0).above == Bound::Closed(float(1.0)));
    assert!(range_over("cos(x)", -1e-30, 1.0).above == Bound::Closed(float(1.0)));
    assert!(range_over("cospi(x)", 1e-30, 1.0).below == Bound::Closed(float(-1.0)));
    assert!(range_over("cospi(x)", 1e-30, 1.0 - 1e-15).below.is_open());
}

#[test]
fn expressions_pass_on_what_saturates() {
    let [minus, plus] = [power(-1, 1 << 14), power(1, 1 << 14)];
    for (text, below, above) in [
        ("2*exp(x)-1", "(-1, -9.9999999999999999e-1)", "(4.197839054932199e29145009, inf)"),
        ("exp(exp(x))", "(1, 1.0000000000000001)", "(2.0989195274660995e29145009, inf)"),
        ("1/(1+exp(x))", "(9.9999999999999999e-1, 1)", "(0, 4.7643560742285361e-29145010)"),
        ("-2*erfc(x)", "(-4, -3.9999999999999999)", "(-4.7651298097759022e-323228497, 0)"),
        ("exp(x)/-2", "(-2.3825649048879511e-323228497, 0)", "(-inf, -1.0494597637330497e29145009)"),
        ("log(exp(x))", "(-inf, -744261117.95489301)", "(67108863.999999999, inf)"),
        ("-1/exp(x)", "(-inf, -2.0985787164673876e323228496)", "(-4.7643560742285361e-29145010, 0)"),
        ("exp(x)^-1*exp(x)", "(0, inf)", "(0, inf)"),
        ("x*exp(x)*0", "[0, 0]", "[0, inf)"),
        (
            "atan(-cosh(x))*-4/pi",
            "(1.9999999999999999, 2.0000000000000001)",
            "(1.9999999999999999, 2.0000000000000001)",
        ),
    ] {
        assert_eq!(range_at(text, &minus).to_string(), below, "{text}");
        assert_eq!(range_at(text, &plus).to_string(), above, "{text}");
    }
    // where a side is missing, the error is that of the enclosure
    let whole = Interval::new(minus, plus.clone()).unwrap();
    for text in ["rootn(exp(x),4)", "sin(x)*(cosh(x)-2)", "exp(x)/sin(x)"] {
        let error = parse(text).unwrap().range(&whole, PRECISION).unwrap_err();
        assert_eq!(Err(error), parse(text).unwrap().enclose(&whole, PRECISION), "{text}");
    }
    // a proof that there is no value needs no enclosure
    for text in ["log(-exp(x))", "exp(x)+sqrt(-1)"] {
        let error = parse(text).unwrap().range(&point(&plus), PRECISION).unwrap_err();
        assert!(matches!(error, FunctionError::OutsideDomain { everywhere: true, .. }), "{text}: {error}");
    }
}
