//! Exact values: tables from theory, and the values themselves at 400 bits.

use super::*;

fn exact(text: &str, x: &str) -> Option<Rational> {
    parse(text).unwrap().exact(&crate::parse_number(x).unwrap())
}

fn irrational(text: &str, x: &str) -> bool {
    parse(text).unwrap().proves_irrational(&crate::parse_number(x).unwrap())
}

#[test]
fn exact_values_by_theory() {
    for (text, x, value) in [
        ("exp", "0", "1"),
        ("log", "1", "0"),
        ("exp2", "10", "1024"),
        ("exp2", "-3", "0.125"),
        ("exp10", "-2", "0.01"),
        ("log2", "0x1p-70", "-70"),
        ("log10", "1e25", "25"),
        ("log10", "1e-25", "-25"),
        ("sin", "0", "0"),
        ("tan", "0", "0"),
        ("cos", "0", "1"),
        ("expm1", "0", "0"),
        ("exp2m1", "3", "7"),
        ("exp2m1", "-1", "-1/2"),
        ("exp10m1", "-2", "-0.99"),
        ("exp10m1", "6", "999999"),
        ("logp1", "0", "0"),
        ("log2p1", "7", "3"),
        ("log2p1", "-1/2", "-1"),
        ("log2p1", "-1023/1024", "-10"),
        ("log10p1", "999", "3"),
        ("log10p1", "-0.9", "-1"),
        ("rsqrt", "9/16", "4/3"),
        ("rootn(x,3)", "-27/8", "-3/2"),
        ("rootn(x,-3)", "-27/8", "-2/3"),
        ("rootn(x,4)", "0", "0"),
        ("rootn(x,-4)", "0x1p-40", "1024"),
        ("sinh", "0", "0"),
        ("cosh", "0", "1"),
        ("tanh", "0", "0"),
        ("asinh", "0", "0"),
        ("acosh", "1", "0"),
        ("atanh", "0", "0"),
        ("asin", "0", "0"),
        ("acos", "1", "0"),
        ("atan", "0", "0"),
        ("asinpi", "-1/2", "-1/6"),
        ("asinpi", "1", "1/2"),
        ("acospi", "-1", "1"),
        ("acospi", "-1/2", "2/3"),
        ("acospi", "0", "1/2"),
        ("atanpi", "-1", "-1/4"),
        ("atanpi", "0", "0"),
        ("erf", "0", "0"),
        ("erfc", "0", "1"),
        ("sqrt", "9/16", "3/4"),
        ("cbrt", "-27/8", "-3/2"),
        ("1/x-x^2", "2", "-3.5"),
        ("sqrt(x)+log2(8)^x", "4", "83"),
        ("exp(x-3)", "3", "1"),
        ("pi^0*x", "3", "3"),
        ("0*exp(x)", "1", "0"),
        ("x/sqrt(2)", "0", "0"),
        ("x/2*(1+tanh(sqrt(2/pi)*(x+x^3)))", "0", "0"),
    ] {
        // ^ takes constant exponents: write that one out
        let text = text.replace("^x", "^4");
        assert_eq!(exact(&text, x), Some(crate::parse_number(value).unwrap()), "{text} at {x}");
        assert!(!irrational(&text, x), "{text} at {x}");
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
    for (text, x) in [
        ("exp", "1"),
        ("exp", "-1/7"),
        ("log", "2"),
        ("sin", "1"),
        ("cos", "-2"),
        ("tan", "1e-9"),
        ("exp2", "1/2"),
        ("exp10", "0.3"),
        ("log2", "3"),
        ("log2", "2/3"),
        ("log10", "20"),
        ("log10", "5"),
        ("sqrt", "2"),
        ("sqrt", "4/3"),
        ("cbrt", "9"),
        ("cbrt", "-1/9"),
        ("expm1", "-1"),
        ("exp2m1", "1/2"),
        ("exp10m1", "0.3"),
        ("logp1", "1"),
        ("log2p1", "2"),
        ("log2p1", "-2/3"),
        ("log10p1", "10"),
        ("rsqrt", "2"),
        ("rsqrt", "3/4"),
        ("rootn(x,3)", "-9"),
        ("rootn(x,-5)", "33"),
        ("rootn(exp(x),3)", "1"),
        ("sinh", "1/2"),
        ("cosh", "-1"),
        ("tanh", "3"),
        ("asinh", "1"),
        ("acosh", "2"),
        ("atanh", "-1/2"),
        ("asin", "1"),
        ("acos", "0"),
        ("acos", "-1"),
        ("atan", "1"),
        ("asinpi", "1/3"),
        ("acospi", "-0.6"),
        ("atanpi", "2"),
        ("atanpi", "1/2"),
        ("sinpi", "1/4"),
        ("sinpi", "1/3"),
        ("cospi", "1/12"),
        ("cospi", "0x1p-70"),
        ("tanpi", "1/3"),
        ("tanpi", "1/8"),
        ("2*exp(x)-1", "1"),
        ("(3-sin(x))/7", "1"),
        ("1/log(x)", "2"),
        ("exp(x)^-5", "1"),
        ("cbrt(pi)+x", "0"),
    ] {
        assert!(irrational(text, x), "{text} at {x}");
        assert_eq!(exact(text, x), None, "{text} at {x}");
    }
}

/// Where theory says nothing, or there is no value, neither is claimed.
#[test]
fn nothing_is_claimed_without_a_theorem() {
    for (text, x) in [
        ("log", "0"),
        ("log", "-1"),
        ("log2", "-2"),
        ("log10", "0"),
        ("sqrt", "-4"),
        ("logp1", "-1"),
        ("log2p1", "-3/2"),
        ("log10p1", "-11"),
        ("rsqrt", "0"),
        ("rsqrt", "-4"),
        ("rootn(x,2)", "-4"),
        ("rootn(x,-3)", "0"),
        ("rootn(exp(x),2)", "1"),
        ("acosh", "1/2"),
        ("atanh", "1"),
        ("atanh", "-2"),
        ("asin", "2"),
        ("acos", "-9/8"),
        ("asinpi", "-2"),
        ("acospi", "3/2"),
        ("tanpi", "1/2"),
        ("tanpi", "-7/2"),
        // the numerator of erf is transcendental, but not by any theorem its quotient by √π
        ("erf", "1"),
        ("erfc", "-1/2"),
        ("exp2m1", "100001"),
        ("1/x", "0"),
        ("x^-1", "0"),
        ("exp(x)-exp(x)", "1"),
        ("exp(x)/exp(x)", "1"),
        ("sqrt(x)^2", "2"),
        ("exp(log(x))", "2"),
        ("pi+e", "0"),
        ("sqrt(-pi)", "0"),
        ("0*(1/x)", "0"),
        ("exp2", "100001"),
        ("exp10", "-100001"),
        ("exp2", "2^200"),
    ] {
        assert_eq!((exact(text, x), irrational(text, x)), (None, false), "{text} at {x}");
    }
    assert!(exact("exp10", "100000").is_some());
}
