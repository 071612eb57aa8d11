use rug::Rational;
use rug::float::Special;

use super::{Arithmetic, Datum, Real, Sign};
use crate::builtin::Builtin;
use crate::parse;

fn datum(x: f64) -> Datum {
    let sign = if x.is_sign_negative() { Sign::Negative } else { Sign::Positive };
    match Rational::from_f64(x) {
        None if x.is_nan() => Datum::Nan,
        None => Datum::Infinity(sign),
        Some(q) if q.is_zero() => Datum::Zero(sign),
        Some(q) => Arithmetic::new(64, Sign::Positive).unwrap().rational(&q),
    }
}

/// The expression at x as a double: NaN, ±∞ and ±0 as such, a number as `real` says.
pub(crate) fn double(text: &str, x: f64, arithmetic: Arithmetic, real: impl Fn(Real) -> f64) -> f64 {
    let signed = |sign, y: f64| if sign == Sign::Negative { -y } else { y };
    match parse(text).unwrap().evaluate(&datum(x), arithmetic).unwrap() {
        Datum::Nan => f64::NAN,
        Datum::Infinity(sign) => signed(sign, f64::INFINITY),
        Datum::Zero(sign) => signed(sign, 0.0),
        Datum::Real(y) => real(y),
    }
}

/// ... a number rounded.
fn at_with(text: &str, x: f64, zero_sum: Sign) -> f64 {
    double(text, x, Arithmetic::new(64, zero_sum).unwrap(), |y| {
        let (lo, hi) = (y.lo().to_f64(), y.hi().to_f64());
        assert_eq!(lo, hi, "{text} at {x}");
        assert!(y.lo().is_finite() && y.hi().is_finite());
        lo
    })
}

fn at(text: &str, x: f64) -> f64 {
    at_with(text, x, Sign::Positive)
}

#[track_caller]
fn same(text: &str, x: f64, expected: f64) {
    assert_double(text, x, at(text, x), expected);
}

/// Every NaN is the same, zeros are of two signs.
#[track_caller]
pub(crate) fn assert_double(text: &str, x: f64, y: f64, expected: f64) {
    let is_same = if expected.is_nan() {
        y.is_nan()
    } else {
        y == expected && y.is_sign_negative() == expected.is_sign_negative()
    };
    assert!(is_same, "{text} at {x:?}: {y:?}, not {expected:?}");
}

const INF: f64 = f64::INFINITY;
const NAN: f64 = f64::NAN;

/// IEEE 754-2019, clause 9.2.1, and C23, F.10: at −∞, −0, +0, +∞.
#[test]
fn every_function_at_zeros_and_infinities() {
    use std::f64::consts::FRAC_PI_2;
    let table = [
        ("exp exp2 exp10", [0.0, 1.0, 1.0, INF]),
        ("expm1 exp2m1 exp10m1", [-1.0, -0.0, 0.0, INF]),
        ("log log2 log10", [NAN, -INF, -INF, INF]),
        ("logp1 log2p1 log10p1 sqrt", [NAN, -0.0, 0.0, INF]),
        ("cbrt sinh asinh", [-INF, -0.0, 0.0, INF]),
        ("rsqrt", [NAN, -INF, INF, 0.0]),
        ("sin tan sinpi tanpi asin asinpi atanh", [NAN, -0.0, 0.0, NAN]),
        ("cos cospi", [NAN, 1.0, 1.0, NAN]),
        ("acos", [NAN, FRAC_PI_2, FRAC_PI_2, NAN]),
        ("acospi", [NAN, 0.5, 0.5, NAN]),
        ("atan", [-FRAC_PI_2, -0.0, 0.0, FRAC_PI_2]),
        ("atanpi", [-0.5, -0.0, 0.0, 0.5]),
        ("cosh", [INF, 1.0, 1.0, INF]),
        ("tanh erf", [-1.0, -0.0, 0.0, 1.0]),
        ("acosh", [NAN, NAN, NAN, INF]),
        ("erfc", [2.0, 1.0, 1.0, 0.0]),
        ("-x", [INF, 0.0, -0.0, -INF]),
    ];
    let table = table.map(|(names, values)| names.split(' ').map(move |name| (name, values)));
    let table: Vec<(&str, [f64; 4])> = table.into_iter().flatten().collect();
    for builtin in Builtin::ALL {
        assert!(table.iter().any(|(name, _)| *name == builtin.name()), "{builtin} is missing");
        assert!(at(builtin.name(), NAN).is_nan());
    }
    for (text, values) in table {
        for (x, value) in [-INF, -0.0, 0.0, INF].into_iter().zip(values) {
            same(text, x, value);
        }
    }
}

/// Poles, ends of domains, exact zeros.
#[test]
fn functions_at_numbers() {
    for (texts, x, value) in [
        ("log sqrt rsqrt", -1.0, NAN),
        ("log log2 log10 acos acospi acosh", 1.0, 0.0),
        ("logp1 log2p1 log10p1 atanh", -1.0, -INF),
        ("log10p1", -1.5, NAN),
        ("acospi", -1.0, 1.0),
        ("asin", 1.5, NAN),
        ("acosh", 0.5, NAN),
        ("atanh", 1.0, INF),
        ("atanh", 2.0, NAN),
        // sinPi(±n) is ±0; cosPi(n + 1/2) is +0
        ("sinpi", 1.0, 0.0),
        ("sinpi tanpi", 2.0, 0.0),
        ("sinpi", -3.0, -0.0),
        ("cospi", 0.5, 0.0),
        ("cospi", -1.5, 0.0),
        // tanPi(n) is +0 for even n > 0 and odd n < 0, else −0; its poles alternate
        ("tanpi", 1.0, -0.0),
        ("tanpi", -1.0, 0.0),
        ("tanpi", -2.0, -0.0),
        ("tanpi", 0.5, INF),
        ("tanpi", 1.5, -INF),
        ("tanpi", -0.5, -INF),
        // decided by enclosures of parts that are no numbers of 64 bits
        ("log(x/3)", -1.0, NAN),
        ("acos(x/3)", 4.0, NAN),
        ("acosh(x/3)", 2.0, NAN),
        ("atanh(pi*x)", 1.0, NAN),
        ("logp1(-x/3)", 5.0, NAN),
        ("sqrt(-pi*x)", 1.0, NAN),
        ("cosh(-x/3)", 1.0, (1.0f64 / 3.0).cosh()),
    ] {
        for text in texts.split(' ') {
            same(text, x, value);
        }
    }
}

#[test]
fn powers_and_roots() {
    // at −∞, −0, +0, +∞, NaN
    for (text, values) in [
        ("x^0", [1.0, 1.0, 1.0, 1.0, 1.0]),
        ("x^2", [INF, 0.0, 0.0, INF, NAN]),
        ("x^3", [-INF, -0.0, 0.0, INF, NAN]),
        ("x^-1", [-0.0, -INF, INF, 0.0, NAN]),
        ("x^-2", [0.0, INF, INF, 0.0, NAN]),
        ("rootn(x,2)", [NAN, 0.0, 0.0, INF, NAN]),
        ("rootn(x,3)", [-INF, -0.0, 0.0, INF, NAN]),
        ("rootn(x,-2)", [NAN, INF, INF, 0.0, NAN]),
        ("rootn(x,-3)", [-0.0, -INF, INF, 0.0, NAN]),
    ] {
        for (x, value) in [-INF, -0.0, 0.0, INF, NAN].into_iter().zip(values) {
            same(text, x, value);
        }
    }
    same("rootn(x,3)", -8.0, -2.0);
    same("rootn(x,4)", -8.0, NAN);
    same("rootn(x,-3)", -8.0, -0.5);
    same("x^-3", -2.0, -0.125);
}

#[test]
fn trees() {
    for (text, x, value) in [
        ("1/x", -0.0, -INF),
        ("exp(-1/x^2)", -0.0, 0.0),
        ("exp(1/x)", -0.0, 0.0),
        ("exp(1/x)", 0.0, INF),
        ("sin(1/x)", 0.0, NAN),
        ("sin(x)/x", 0.0, NAN),
        ("sin(x)/x", INF, NAN),
        ("x-x", INF, NAN),
        ("x+x", -0.0, -0.0),
        ("x*x", -0.0, 0.0),
        ("0*x", -1.0, -0.0),
        ("0*x", INF, NAN),
        ("0/x", -2.0, -0.0),
        ("x/0", -2.0, -INF),
        ("x/0", 0.0, NAN),
        ("x/x", INF, NAN),
        ("atan(1/(x-1))", 1.0, std::f64::consts::FRAC_PI_2),
        ("1/log(x)", 0.0, -0.0),
        ("1/(1-x)", 1.0, INF),
        ("sqrt(x)-x", 4.0, -2.0),
        ("3+0*x", 5.0, 3.0),
        ("2/3", NAN, 2.0 / 3.0),
        ("x+1", NAN, NAN),
        ("exp(2*x)+sin(3*x^2)-3*cos(x)", 0.0, -2.0),
        ("exp(2*x)+sin(3*x^2)-3*cos(x)", INF, NAN),
        ("exp(x)*exp(-x)", INF, NAN),
        // finite numbers stay finite, below and above the largest number of MPFR
        ("1+exp(-x)", 1e300, 1.0),
        ("1-1/exp(x)", 1e300, 1.0),
        ("log(1+exp(-x))+2", 1e300, 2.0),
        ("erf(sinh(x))", -1e300, -1.0),
        ("atan(((x^1000)^1000)^1000)*2/pi", 3.0, 1.0),
    ] {
        same(text, x, value);
    }
    // exact zeros: toward −∞ they are −0
    for (text, x) in [("x-x", 1.0), ("sqrt(x)-2", 4.0), ("x+(-x)", 0.0), ("log2(x)-3", 8.0)] {
        same(text, x, 0.0);
        let down = at_with(text, x, Sign::Negative);
        assert!(down == 0.0 && down.is_sign_negative(), "{text}");
    }
    assert!(at_with("log(x)", 1.0, Sign::Negative).is_sign_positive(), "a function's zero is no sum");
}

/// What is not finite in MPFR is enclosed, with its sign.
#[test]
fn beyond_the_range_of_mpfr() {
    let nearest = Arithmetic::new(64, Sign::Positive).unwrap();
    let real = |text: &str, x: f64| match parse(text).unwrap().evaluate(&datum(x), nearest).unwrap() {
        Datum::Real(y) => y,
        other => panic!("{text}: {other:?}"),
    };
    for (text, x, sign) in [
        ("exp(x)", 1e300, Sign::Positive),
        ("sinh(x)", -1e300, Sign::Negative),
        ("-3*exp(x)^3", 1e300, Sign::Negative),
        ("1/exp(-x)", 1e300, Sign::Positive),
        ("exp(x)-exp(-x)", 1e300, Sign::Positive),
    ] {
        let y = real(text, x);
        assert_eq!(y.sign(), sign, "{text}");
        assert!(y.lo().is_infinite() != y.hi().is_infinite(), "{text}");
    }
    for (text, x, sign) in [
        ("exp(-x)", 1e300, Sign::Positive),
        ("erfc(x)", 1e300, Sign::Positive),
        ("-1/exp(x)", 1e300, Sign::Negative),
        ("exp(-x)*x", -1e300, Sign::Negative),
        ("sqrt(exp(-x))", 1e300, Sign::Positive),
        ("sinh(-exp(-x))^5", 1e300, Sign::Negative),
    ] {
        let y = real(text, x);
        assert_eq!(y.sign(), sign, "{text}");
        assert!(
            text == "exp(-x)*x" || y.lo().is_zero() != y.hi().is_zero() || y.lo().is_sign_positive(),
            "{text}: {y:?}"
        );
    }
}

/// What neither enclosures nor theorems say is not guessed.
#[test]
fn doubts() {
    let doubt = |text: &str, x: f64, precision: u32| {
        let arithmetic = Arithmetic::new(precision, Sign::Positive).unwrap();
        parse(text)
            .unwrap()
            .evaluate(&datum(x), arithmetic)
            .map(|_| ())
            .map_err(|doubt| doubt.operation().to_string())
    };
    for (text, x, operation) in [
        ("sin(x)^2+cos(x)^2-1", 1.0, "a sum"),
        ("1/(exp(x)-exp(x))", 1.0, "a sum"),
        ("acos(sin(x)^2+cos(x)^2)", 1.0, "acos"),
        ("sin(exp(x))", 1e300, "sin"),
        ("tan(exp2(x))", 70000.0, "tan"),
        ("log(exp(x)/exp(x))", 1e300, "log"),
    ] {
        for precision in [64, 512] {
            assert_eq!(doubt(text, x, precision), Err(operation.into()), "{text}");
        }
    }
    // an end that was rounded is not the number itself
    for text in
        ["log(1+exp(-x))", "acosh(1+exp(-x))", "acos(1-exp(-x))", "sqrt(1-erf(x))", "atanh(exp(-x)-1)"]
    {
        assert_eq!(doubt(text, 1e300, 64), Ok(()), "{text}");
    }
    // more precision removes this one
    assert_eq!(doubt("exp(x)-1-x", 2f64.powi(-100), 64), Err("a sum".into()));
    assert_eq!(doubt("exp(x)-1-x", 2f64.powi(-100), 256), Ok(()));
    assert!(Arithmetic::new(1, Sign::Positive).is_err());
}

/// Zeros of MPFR do not depend on the rounding, so that either end says their sign.
#[test]
fn zeros_have_one_sign() {
    let arithmetic = Arithmetic::new(64, Sign::Positive).unwrap();
    let zero = arithmetic.special(Special::NegZero);
    for builtin in Builtin::ALL {
        for x in [zero.clone(), -zero.clone(), zero.clone() + 1, zero.clone() - 1, zero.clone() + 0.5] {
            let [lo, hi] = [super::Round::Down, super::Round::Up].map(|round| {
                let mut end = rug::Float::new(64);
                super::call::mpfr(builtin, &mut end, &x, round);
                end
            });
            if lo.is_zero() && hi.is_zero() {
                assert_eq!(lo.is_sign_negative(), hi.is_sign_negative(), "{builtin} at {x}");
            }
        }
    }
}
