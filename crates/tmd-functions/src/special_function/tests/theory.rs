//! Exact values, parities, pieces, texts, ranges.

use super::*;
use crate::tests::pairs;

#[test]
fn exact_values_by_theory() {
    for (text, value) in pairs(&[
        ("gamma", "1=1 5=24"),
        ("lgamma", "1=0 2=0"),
        ("erfcx j0", "0=1"),
        ("lambertw j1", "0=0"),
        ("abs", "-3/4=3/4"),
        ("min(x,1/3)", "1/2=1/3"),
        ("max(x,sin(1))", "7/8=7/8"),
        ("max(sin(x),0)", "-1=0"),
        ("hypot(x,4)", "3=5"),
        ("copysign(x^2,x)", "-3=-9"),
    ]) {
        let (x, value) = value.split_once('=').unwrap();
        let [x, value] = [x, value].map(|text| parse_number(text).unwrap());
        assert_eq!(parse(text).unwrap().exact(&x), Some(value), "{text}");
    }
    let claims = |text: &str, x: &str| {
        let (f, x) = (parse(text).unwrap(), parse_number(x).unwrap());
        (f.exact(&x), f.proves_irrational(&x))
    };
    for (text, x) in pairs(&[
        ("gamma", "7/2 -1/4"),
        ("lgamma", "3"),
        ("lambertw", "1 -1/4"),
        ("lambertwm1", "-1/4"),
        ("j0", "-3"),
        ("j1", "1/3 1"),
        ("abs(sin(x))", "-2"),
        ("hypot(x,1) hypot(sin(x),1) min(sin(x),exp(x)) copysign(sin(x),x)", "1"),
        ("max(x,sin(1))", "1/2"),
    ]) {
        assert_eq!(claims(text, x), (None, true), "{text} at {x}");
    }
    for (text, x) in pairs(&[("gamma", "-1 0 1/3"), ("lambertw", "-1"), ("lambertwm1 y0 digamma", "1")]) {
        assert_eq!(claims(text, x), (None, false), "{text} at {x}");
    }
}

/// What theory says is what enclosures show, at all numbers of few bits.
#[test]
fn theory_agrees_with_enclosures() {
    for function in SpecialFunction::ALL {
        let f = Expression::Special(function, Box::new(Expression::X));
        assert!(f.exact_rule().unwrap().contains(function.name()), "{function}");
        for n in -40..=40 {
            let x = Rational::from((n, 8));
            let Ok(y) = f.enclose(&Interval::from_rational(&x, 100).unwrap(), 100) else {
                assert!(f.exact(&x).is_none() && !f.proves_irrational(&x), "{function} at {x}");
                continue;
            };
            if let Some(value) = f.exact(&x) {
                assert!(y.contains(&value) && y.is_point(), "{function} at {x}");
            }
            assert!(!f.proves_irrational(&x) || !y.is_point(), "{function} at {x}");
            let rule = f.exact_rule().unwrap();
            if rule.contains("rational only at x = 0") {
                assert_eq!(f.exact(&x).is_some(), x == 0, "{rule}: {x}");
                assert_eq!(f.proves_irrational(&x), x != 0, "{rule}: {x}");
            }
        }
    }
}

#[test]
fn parities() {
    for (texts, parity) in [
        ("abs abs(sin(x)) j0 hypot(x,3) hypot(x,x^2) max(cos(x),x^2) copysign(1,x^2)", Some(Parity::Even)),
        ("j1 copysign(abs(x)*exp(abs(x)),x)", Some(Parity::Odd)),
        // copysign(exp(abs(x)),x) is 1 at 0
        ("max(sin(x),x^2) copysign(exp(abs(x)),x) gamma lambertw y0", None),
    ] {
        for text in texts.split(' ') {
            let f = parse(text).unwrap();
            assert_eq!(f.parity(), parity, "{text}");
            let Some(parity) = parity else { continue };
            for x in [0.25, 1.0, 3.75] {
                let [plus, minus] = [x, -x].map(|x| f.enclose(&interval(x, x), 64).unwrap());
                assert_eq!(plus, if parity == Parity::Odd { minus.neg() } else { minus }, "{text} at {x}");
            }
        }
    }
}

/// Over an interval where it is decided which piece a function is, it is that one.
#[test]
fn pieces() {
    for (text, lo, hi, piece) in [
        ("abs(sin(x))", 0.5, 1.0, Some("sin(x)")),
        ("abs(sin(x))", -1.0, -0.5, Some("-sin(x)")),
        ("abs(sin(x))", -1.0, 0.5, None),
        ("1+max(x,x^2)", 0.25, 0.5, Some("1+x")),
        ("1+max(x,x^2)", 2.0, 3.0, Some("1+x^2")),
        ("min(x,x^2)", 2.0, 3.0, Some("x")),
        ("min(x,x^2)", 0.5, 3.0, None),
        ("copysign(exp(x),x)", -3.0, -1.0, Some("-exp(x)")),
        ("copysign(x,x)", 0.0, 1.0, Some("x")),
        ("copysign(x,x)", -1.0, 0.0, None),
        ("exp(x)", 2.0, 3.0, None),
        ("hypot(abs(x),1)", 2.0, 3.0, Some("hypot(x,1)")),
    ] {
        let found = parse(text).unwrap().piece(&interval(lo, hi));
        assert_eq!(found.map(|f| f.to_string()).as_deref(), piece, "{text} on [{lo}, {hi}]");
    }
}

#[test]
fn texts() {
    for (text, shown) in [
        ("tgamma", "gamma(x)"),
        ("psi(2*x)", "digamma(2*x)"),
        ("max( x , 0 )", "max(x,0)"),
        ("hypot(x,3)", "hypot(x,3)"),
        ("copysign(x^2,x)", "copysign(x^2,x)"),
        ("fabs(x)", "abs(x)"),
    ] {
        let f = parse(text).unwrap();
        assert_eq!(f.to_string(), shown);
        assert_eq!(parse(shown).unwrap(), f);
    }
    let message = |text| parse(text).unwrap_err().to_string();
    assert_eq!(
        message("1+zeta(x)"),
        "column 3: zeta is not there: Riemann's zeta function has no enclosures here"
    );
    assert_eq!(message("max(x)"), "column 1: `max` takes 2 arguments, not 1");
    assert_eq!(message("gama(x)"), "column 1: unknown name `gama` (did you mean `gamma`?)");
    assert!(message("floor(x)").starts_with("column 1: floor is not there: "));
    assert_eq!(parse_number("max(abs(-3),hypot(3,4))+gamma(4)").unwrap(), 11);
}

/// Beyond the numbers of MPFR on one side, and never 0.
#[test]
fn ranges() {
    for (text, lo, hi, bits) in [
        ("gamma", 1e9, 1e300, 1 << 19),
        ("gamma", 100.0, 1e300, 500),
        ("erfcx", -1e300, -1e9, 1 << 27),
        ("erfcx", -1e300, -10.0, 140),
    ] {
        let range = range_over(text, lo, hi);
        assert_eq!(range.above, Bound::Unbounded);
        assert!(range.below.value().unwrap().get_exp().unwrap() > bits, "{text}: {range}");
    }
    let tiny = range_over("gamma", -1e9 - 0.75, -1e9 - 0.25);
    assert!(
        tiny.contains(&Float::with_val(64, 0.5).pow(100_000_000)) || tiny.above.value().is_some(),
        "{tiny}"
    );
    assert!(!tiny.contains(&0.0), "{tiny}");
    // pieces with missing and open bounds
    let open = range_over("max(exp(x),1)", -1e300, -1e299);
    assert_eq!(open, Range { below: Bound::Closed(float(1.0)), above: Bound::Closed(float(1.0)) });
    let unbounded = range_over("max(exp(x),1)", 1e299, 1e300);
    assert!(
        unbounded.above == Bound::Unbounded && unbounded.below.value().unwrap().get_exp() > Some(1 << 20)
    );
    let below = range_over("min(exp(-x),1/2)", 1e299, 1e300);
    assert_eq!(below.below, Bound::Open(float(0.0)));
    let hypot = range_over("hypot(exp(x),3)", 1e299, 1e300);
    assert!(hypot.above == Bound::Unbounded && hypot.below.value().unwrap().get_exp() > Some(1 << 20));
}
