use super::*;
use crate::parse;

/// Functions with a slope that is no power of two, of either sign and any size.
const FUNCTIONS: [&str; 14] = [
    "asinpi",
    "atanpi",
    "sinpi",
    "tanpi",
    "erf",
    "exp2m1",
    "exp10m1",
    "log2p1",
    "log10p1",
    "sin(x*pi)/1000",
    "-exp2m1(x)",
    "x*exp(x+pi)",
    "expm1(pi*x)",
    "x/pi-1000*x^2",
];

/// An enclosure at an anchor holds what follows from it, for all steps; and is not twice as wide as
/// it has to be where f bends to one side.
#[test]
fn enclosures_hold_what_follows() {
    let format = Format::new(24, -300, 127).unwrap();
    for text in FUNCTIONS {
        let function = parse(text).unwrap();
        for margin in [3, 10, 40] {
            let repeating = Repeating::with_margin(&function, format, margin, 1);
            let anchor = repeating.anchor.as_ref().unwrap_or_else(|| panic!("{text}"));
            let mut most = 0f64;
            for i in 0..64 {
                let y = Float::with_val(128, 64 + i) << (anchor.exponent - 6);
                // the last number of the binade, too
                let y =
                    if i == 63 { y + (Float::with_val(128, 1) << (anchor.exponent - 50)) * 63 } else { y };
                for y in [y.clone(), -y] {
                    let value = |x: Float| {
                        let x = Interval::point(x).unwrap().round_to(600).unwrap();
                        function.enclose(&x, 600).unwrap().midpoint()
                    };
                    let at = Interval::point(y.clone()).unwrap();
                    let wide = repeating.enclose(&at, 500).unwrap();
                    assert_eq!(
                        repeating.series(&at, 0, 500).unwrap().coefficients(),
                        std::slice::from_ref(&wide)
                    );
                    for n in [0, 1, 2, 3, 7, anchor.exponent - anchor.from] {
                        let copy = value(Float::with_val(128, &y >> n)) << n;
                        assert!(*wide.lo() <= copy && copy <= *wide.hi(), "{text}: {copy} at {y}, {n}");
                        let off = Float::with_val(600, copy - value(y.clone())).abs();
                        most = most.max((off / &anchor.spread).to_f64());
                    }
                }
            }
            // a third where f is odd: the bound is of f″, and the difference f‴'s
            let is_curved = !function.parity().is_some_and(|parity| parity == Parity::Odd);
            if margin > 3 && text != "sin(x*pi)/1000" {
                assert!(most > if is_curved { 0.9 } else { 0.3 }, "{text}: {most}");
            }
        }
    }
}

/// At large arguments, an enclosure holds what follows from it, for all steps, and is not twice as
/// wide as it has to be; where arguments stand for themselves it is that of the function.
#[test]
fn large_enclosures_hold_what_follows() {
    let format = Format::new(24, -126, 500).unwrap();
    let value = |function: &Expression, x: &Float| {
        let x = Interval::point(x.clone()).unwrap().round_to(1200).unwrap();
        function.enclose(&x, 1200).unwrap().midpoint()
    };
    for (text, margin, anchors) in [
        ("log2p1", 2, vec![32, 64, 128, 256]),
        ("log2p1", 60, vec![128, 256]),
        ("exp2m1", 10, vec![33]),
        ("exp2m1", 50, vec![73]),
    ] {
        let function = parse(text).unwrap();
        let repeating = Repeating::with_large_margin(&function, format, margin);
        let large = repeating.large.as_ref().unwrap();
        assert_eq!(large.parts.len(), anchors.len(), "{text}, {margin}");
        for (part, anchor) in large.parts.iter().zip(anchors) {
            let is_log = text == "log2p1";
            let first =
                if is_log { Float::with_val(1200, 1) << anchor } else { Float::with_val(1200, anchor) };
            assert_eq!(part.after, first);
            let whole = Interval::new(part.after.clone(), part.before.clone()).unwrap();
            for end in [&part.after, &part.before] {
                let end = Interval::point(end.clone()).unwrap();
                assert_eq!(repeating.enclose(&end, 600).unwrap(), function.enclose(&end, 600).unwrap());
            }
            let mut most = 0f64;
            for i in 1..64 {
                let step = Float::with_val(1200, whole.hi() - whole.lo()) >> 6;
                let y = Float::with_val(1200, step * i + whole.lo());
                let wide = repeating.enclose(&Interval::point(y.clone()).unwrap(), 1200).unwrap();
                let own = value(&function, &y);
                for n in [1, 2, 3, anchor / 2, anchor - 1] {
                    let copy = if is_log {
                        value(&function, &Float::with_val(1200, &y << n)) - n
                    } else {
                        value(&function, &Float::with_val(1200, &y + n)) >> n
                    };
                    assert!(*wide.lo() <= copy && copy <= *wide.hi(), "{text}: {n} after {y}");
                    most = most.max((Float::with_val(600, copy - &own).abs() / &part.spread).to_f64());
                }
            }
            assert!(most > 0.7, "{text}, {anchor}: {most}");
        }
    }
}

/// Where arguments of binary64 stand for others at large, and that functions which do not come near
/// another one there have none.
#[test]
fn large_anchors() {
    let double = Format::BINARY64;
    let at = |text: &str, format| Repeating::of(&parse(text).unwrap(), format).at_large();
    assert_eq!(at("log2p1", double), Some(Translation::NearOffset { least: 128 }));
    assert_eq!(at("exp2m1", double), Some(Translation::NearScaling { least: 133 }));
    for text in ["log2", "exp2", "logp1", "exp10m1", "2*exp2m1(x)", "log2p1(2*x)", "sin"] {
        assert_eq!(at(text, double), None, "{text}");
    }
    // too few steps
    for text in ["log2p1", "exp2m1"] {
        assert_eq!(at(text, Format::BINARY32), None, "{text}");
        assert_eq!(at(text, Format::BINARY16), None, "{text}");
    }
}

/// The anchor is the highest binade with the margin, and beyond it all is that of the function.
#[test]
fn the_anchor_is_as_high_as_it_may_be() {
    let double = Format::BINARY64;
    for (text, anchor) in [("asinpi", -73), ("sinpi", -76), ("erf", -74), ("exp2m1", -147), ("log2p1", -147)]
    {
        let function = parse(text).unwrap();
        let repeating = Repeating::of(&function, double);
        let Some(Translation::Near { from, anchor: found }) = repeating.near_zero() else {
            panic!("{text} repeats")
        };
        assert!((anchor - 2..=anchor + 2).contains(&found), "{text}: {found}");
        assert!((-1022..=-1018).contains(&from), "{text}: {from}");
        let beside = Interval::from_f64((f64::from(found) + 1.0).exp2(), 128).unwrap();
        assert_eq!(repeating.enclose(&beside, 128).unwrap(), function.enclose(&beside, 128).unwrap());
        let below = Interval::from_f64((f64::from(found) - 1.0).exp2() * 1.999, 128).unwrap();
        assert_eq!(repeating.enclose(&below, 128).unwrap(), function.enclose(&below, 128).unwrap());
    }
}

/// Functions without such a line, lines whose slope is known, and formats with few binades.
#[test]
fn functions_that_do_not_repeat() {
    for text in [
        "exp",
        "sin",
        "asin",
        "expm1",
        "x^2",
        "cos",
        "log",
        "1/x",
        "sqrt",
        "x/3+x^3",
        "-x/3000000000000+x^2",
        "gamma",
        "x",
    ] {
        let function = parse(text).unwrap();
        assert_eq!(Repeating::of(&function, Format::BINARY64).near_zero(), None, "{text}");
    }
    let function = parse("asinpi").unwrap();
    for format in [Format::BINARY16, Format::BFLOAT16, Format::BINARY32] {
        assert_eq!(Repeating::of(&function, format).near_zero(), None, "{format}");
    }
}

/// e^(x·π) − 1, which says more of itself than is true below an anchor.
struct Outspoken(Expression);

impl Function for Outspoken {
    fn name(&self) -> String {
        "outspoken".into()
    }
    fn series(&self, at: &Interval, order: usize, precision: u32) -> Result<Series, FunctionError> {
        self.0.series(at, order, precision)
    }
    fn asymptote(&self, _: &Interval, _: u32) -> Option<Asymptote> {
        let remainder = Interval::zero(64).unwrap().into();
        Some(Asymptote { constant: Rational::new(), slope: Rational::from(3), remainder })
    }
    fn split(&self, _: &Interval, _: u32) -> Option<(Rational, Range)> {
        Some((Rational::new(), Interval::zero(64).unwrap().into()))
    }
    fn exact(&self, x: &Rational) -> Option<Rational> {
        Some(x.clone())
    }
    fn piece(&self, _: &Interval) -> Option<Expression> {
        Some(self.0.clone())
    }
    fn proves_irrational(&self, _: &Rational) -> bool {
        true
    }
    fn family(&self) -> Option<Family> {
        parse("exp").unwrap().family()
    }
}

/// What is said of f at an anchor is not said of what follows.
#[test]
fn an_anchor_says_nothing_but_its_enclosure() {
    let outspoken = Outspoken(parse("expm1(pi*x)").unwrap());
    assert!(outspoken.family().is_some());
    let repeating = Repeating::of(&outspoken, Format::BINARY64);
    let Some(Translation::Near { anchor, .. }) = repeating.near_zero() else { panic!("it repeats") };
    let says = |x: Rational| {
        let at = Interval::from_rational(&x, 64).unwrap();
        let (asymptote, split) = (repeating.asymptote(&at, 64).is_some(), repeating.split(&at, 64).is_some());
        let exact = repeating.exact(&x).is_some();
        let range = repeating.range(&at, 64).unwrap() == outspoken.range(&at, 64).unwrap();
        [asymptote, split, exact, repeating.piece(&at).is_some(), repeating.proves_irrational(&x), range]
    };
    for sign in [1, -1] {
        let power = |exponent: i32| Rational::from(sign) << exponent;
        for x in
            [power(anchor), power(anchor) * Rational::from((3, 2)), power(anchor + 1) - power(anchor - 52)]
        {
            assert_eq!(says(x), [false; 6]);
        }
        for x in [power(anchor + 1), power(anchor) - power(anchor - 52), power(anchor - 1), power(0)] {
            assert_eq!(says(x), [true; 6]);
        }
    }
    assert!(repeating.family().is_none());
}
