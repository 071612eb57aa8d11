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
                let y = if i == 63 { y + (Float::with_val(128, 1) << (anchor.exponent - 50)) * 63 } else { y };
                for y in [y.clone(), -y] {
                    let value = |x: Float| {
                        let x = Interval::point(x).unwrap().round_to(600).unwrap();
                        function.enclose(&x, 600).unwrap().midpoint()
                    };
                    let at = Interval::point(y.clone()).unwrap();
                    let wide = repeating.enclose(&at, 500).unwrap();
                    assert_eq!(*repeating.series(&at, 0, 500).unwrap().coefficients(), [wide.clone()]);
                    for n in [0, 1, 2, 3, 7, anchor.exponent - anchor.from] {
                        let copy = value(Float::with_val(128, &y >> n)) << n;
                        assert!(*wide.lo() <= copy && copy <= *wide.hi(), "{text}: {copy} at {y}, {n}");
                        let off = Float::with_val(600, copy - value(y.clone())).abs();
                        most = most.max((off / &anchor.spread).to_f64());
                    }
                }
            }
            // a third where f is odd: the bound is of f″, and the difference f‴'s
            let is_bent = !function.parity().is_some_and(|parity| parity == Parity::Odd);
            if margin > 3 && text != "sin(x*pi)/1000" {
                assert!(most > if is_bent { 0.9 } else { 0.3 }, "{text}: {most}");
            }
        }
    }
}

/// The anchor is the highest binade with the margin, and beyond it all is that of the function.
#[test]
fn the_anchor_is_as_high_as_it_may_be() {
    let double = Format::BINARY64;
    for (text, anchor) in [("asinpi", -96), ("sinpi", -99), ("erf", -97), ("exp2m1", -193), ("log2p1", -193)]
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
    for text in ["exp", "sin", "asin", "expm1", "x^2", "cos", "log", "1/x", "sqrt", "x/3+x^3", "-x/3000000000000+x^2", "gamma", "x"] {
        let function = parse(text).unwrap();
        assert_eq!(Repeating::of(&function, Format::BINARY64).near_zero(), None, "{text}");
    }
    let function = parse("asinpi").unwrap();
    for format in [Format::BINARY16, Format::BFLOAT16, Format::BINARY32] {
        assert_eq!(Repeating::of(&function, format).near_zero(), None, "{format}");
    }
}
