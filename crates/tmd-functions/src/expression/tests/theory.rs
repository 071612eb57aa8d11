//! Exact values: tables from theory, and the values themselves at 400 bits.

use super::*;
use crate::tests::pairs;

fn exact(text: &str, x: &str) -> Option<Rational> {
    parse(text).unwrap().exact(&crate::parse_number(x).unwrap())
}

fn irrational(text: &str, x: &str) -> bool {
    parse(text).unwrap().proves_irrational(&crate::parse_number(x).unwrap())
}

#[test]
fn exact_values_by_theory() {
    for (text, value) in pairs(&[
        ("exp cos cosh erfc", "0=1"),
        ("sin tan asin atan sinh tanh asinh atanh expm1 logp1 erf", "0=0"),
        ("atanpi rootn(x,4) x/sqrt(2) x/2*(1+tanh(sqrt(2/pi)*(x+x^3)))", "0=0"),
        ("log acos acosh", "1=0"),
        ("exp2", "10=1024 -3=0.125"),
        ("exp10", "-2=0.01"),
        ("log2", "0x1p-70=-70"),
        ("log10", "1e25=25 1e-25=-25"),
        ("exp2m1", "3=7 -1=-1/2"),
        ("exp10m1", "-2=-0.99 6=999999"),
        ("log2p1", "7=3 -1/2=-1 -1023/1024=-10"),
        ("log10p1", "999=3 -0.9=-1"),
        ("rsqrt", "9/16=4/3"),
        ("sqrt", "9/16=3/4"),
        ("cbrt rootn(x,3)", "-27/8=-3/2"),
        ("rootn(x,-3)", "-27/8=-2/3"),
        ("rootn(x,-4)", "0x1p-40=1024"),
        ("asinpi", "-1/2=-1/6 1=1/2"),
        ("acospi", "-1=1 -1/2=2/3 0=1/2"),
        ("atanpi", "-1=-1/4"),
        ("1/x-x^2", "2=-3.5"),
        ("sqrt(x)+log2(8)^4", "4=83"),
        ("exp(x-3)", "3=1"),
        ("pi^0*x", "3=3"),
        ("0*exp(x)", "1=0"),
    ]) {
        let (x, value) = value.split_once('=').unwrap();
        assert_eq!(exact(text, x), Some(crate::parse_number(value).unwrap()), "{text} at {x}");
        assert!(!irrational(text, x), "{text} at {x}");
    }
}

/// Niven's theorem against the values themselves: a rational sine, cosine or tangent of a rational
/// angle is one of those, so a value within 2^-300 of them is it, and any other is irrational.
#[test]
fn half_turns_by_theory() {
    for (text, values) in [
        ("sinpi", vec![(-1, 1), (-1, 2), (0, 1), (1, 2), (1, 1)]),
        ("cospi", vec![(-1, 1), (-1, 2), (0, 1), (1, 2), (1, 1)]),
        ("tanpi", vec![(-1, 1), (0, 1), (1, 1)]),
        ("asinpi", vec![(-1, 2), (-1, 6), (0, 1), (1, 6), (1, 2)]),
        ("acospi", vec![(0, 1), (1, 3), (1, 2), (2, 3), (1, 1)]),
        ("atanpi", vec![(-1, 4), (0, 1), (1, 4)]),
    ] {
        let f = parse(text).unwrap();
        let mut rational = 0;
        for (numerator, denominator) in (-60..60).flat_map(|n| (1..30).map(move |d| (n, d))) {
            let x = Rational::from((numerator, denominator));
            let at = Interval::from_rational(&x, 400).unwrap();
            let Ok(y) = f.enclose(&at, 400) else {
                assert_eq!((f.exact(&x), f.proves_irrational(&x)), (None, false), "{text} at {x}");
                continue;
            };
            let near = |q: &Rational| (y.midpoint() - q).abs() < Float::with_val(64, 1) >> 300;
            let expected = values.iter().map(|q| Rational::from(*q)).find(near);
            assert_eq!(f.exact(&x), expected, "{text} at {x}");
            assert_eq!(f.proves_irrational(&x), expected.is_none(), "{text} at {x}");
            rational += i32::from(expected.is_some());
        }
        assert!(rational > 20, "{text}");
    }
    // however large
    assert_eq!(exact("cospi", "1e30+1/3"), Some(Rational::from((1, 2)))); // cos(π/3): 10^30 is even
}

#[test]
fn irrational_values_by_theory() {
    for (text, x) in pairs(&[
        ("sin asin atan asinh logp1 rootn(exp(x),3) 2*exp(x)-1 (3-sin(x))/7 exp(x)^-5", "1"),
        ("log sqrt rsqrt acosh atanpi log2p1 1/log(x)", "2"),
        ("exp2 exp2m1 sinh atanpi", "1/2"),
        ("asinpi sinpi tanpi", "1/3"),
        ("expm1 cosh acos", "-1"),
        ("exp10 exp10m1", "0.3"),
        ("acos cbrt(pi)+x", "0"),
        ("exp", "1 -1/7"),
        ("cos", "-2"),
        ("tan", "1e-9"),
        ("log2", "3 2/3"),
        ("log10", "20 5"),
        ("sqrt", "4/3"),
        ("cbrt", "9 -1/9"),
        ("log2p1", "-2/3"),
        ("log10p1", "10"),
        ("rsqrt", "3/4"),
        ("rootn(x,3)", "-9"),
        ("rootn(x,-5)", "33"),
        ("tanh", "3"),
        ("atanh", "-1/2"),
        ("acospi", "-0.6"),
        ("sinpi", "1/4"),
        ("cospi", "1/12 0x1p-70"),
        ("tanpi", "1/8"),
    ]) {
        assert!(irrational(text, x), "{text} at {x}");
        assert_eq!(exact(text, x), None, "{text} at {x}");
    }
}

/// Where theory says nothing, or there is no value, neither is claimed.
#[test]
fn nothing_is_claimed_without_a_theorem() {
    for (text, x) in pairs(&[
        ("log log10 rsqrt rootn(x,-3) 1/x x^-1 0*(1/x) pi+e sqrt(-pi)", "0"),
        ("atanh rootn(exp(x),2) exp(x)-exp(x) exp(x)/exp(x)", "1"),
        ("log logp1", "-1"),
        ("log2 atanh asinpi", "-2"),
        ("sqrt rsqrt rootn(x,2)", "-4"),
        ("asin sqrt(x)^2 exp(log(x))", "2"),
        ("acosh tanpi", "1/2"),
        ("log2p1", "-3/2"),
        ("log10p1", "-11"),
        ("acos", "-9/8"),
        ("acospi", "3/2"),
        ("tanpi", "-7/2"),
        // the numerator of erf is transcendental, but not by any theorem its quotient by √π
        ("erf", "1"),
        ("erfc", "-1/2"),
        ("exp2m1 exp2", "100001"),
        ("exp10", "-100001"),
        ("exp2", "2^200"),
    ]) {
        assert_eq!((exact(text, x), irrational(text, x)), (None, false), "{text} at {x}");
    }
    assert!(exact("exp10", "100000").is_some());
}
