//! Thresholds that libraries of functions have in their sources, and the shape of all plans.

use super::*;
use crate::confirm::{Verdict, confirm};
use tmd_core::{Breakpoints, Format};
use tmd_functions::parse;

fn found(function: &str, format: Format) -> Vec<Region> {
    regions(&parse(function).unwrap(), format, None).unwrap()
}

/// The region that holds x.
fn at(regions: &[Region], x: f64) -> &Region {
    at_number(regions, Number::from_f64(x).unwrap()).unwrap()
}

fn at_number(regions: &[Region], x: Number) -> Option<&Region> {
    regions.iter().find(|region| region.first() <= x && x <= region.last())
}

fn between(region: &Region) -> (Option<f64>, Option<f64>) {
    match &region.class {
        Class::Between(Gap { below, above }) => (below.map(Number::to_f64), above.map(Number::to_f64)),
        other => panic!("{other:?}"),
    }
}

/// Every number of the format is in one region, and regions are in order.
#[test]
fn regions_tile_the_format() {
    for format in [Format::BINARY16, Format::BFLOAT16, Format::BINARY32, Format::BINARY64] {
        let all: u128 = (u128::from(format.max_exponent().unsigned_abs()) * 2 + 1) << format.precision();
        // of the second row the same is known of 0 and of what is next to it, on both sides
        let functions = [
            ["exp", "sin", "log", "sqrt", "1/x", "exp2", "tanpi", "log2", "cosh", "x^2", "exp(-1/x^2)"]
                .as_slice(),
            &["sqrt(x^2-1)", "abs(x)+pi", "hypot(x,1e-6)", "max(abs(x),1e-6)", "log(abs(x)-1)", "1/(x-x)"],
        ];
        for function in functions.concat() {
            let regions = found(function, format);
            let arguments: u128 = regions.iter().map(Region::arguments).sum();
            assert_eq!(arguments, all - 1, "{function} in {format}");
            let ranges: Vec<&ArgumentRange> = regions.iter().flat_map(|region| &region.ranges).collect();
            let in_order = ranges.windows(2).all(|w| w[0].argument(w[0].count() - 1) < w[1].argument(0));
            assert!(in_order && ranges.iter().all(|range| range.count() > 0), "{function} in {format}");
        }
    }
}

/// Overflow and underflow of e^x in binary64: the thresholds of fdlibm's `e_exp.c`, and the results
/// that round to 1.
#[test]
fn thresholds_of_exp() {
    let regions = found("exp", Format::BINARY64);
    let overflow = 709.782_712_893_384;
    assert_eq!(at(&regions, overflow).class, Class::Search);
    let over = at(&regions, overflow.next_up());
    assert_eq!((over.first().to_f64(), over.last().to_f64()), (overflow.next_up(), f64::MAX));
    // from MAX + ulp/2 on
    assert!(matches!(&over.class, Class::Between(Gap { below: Some(below), above: None })
        if *below == Number::new((1 << 54) - 1, 970)));
    let underflow = -745.133_219_101_941_1;
    let least = f64::from_bits(1);
    assert_eq!(at(&regions, underflow).class, Class::Search);
    let under = at(&regions, underflow.next_down());
    assert_eq!((under.first().to_f64(), under.last().to_f64()), (-f64::MAX, underflow.next_down()));
    assert!(matches!(&under.class, Class::Between(Gap { below: Some(Number::ZERO), above: Some(above) })
        if *above == Number::new(1, -1075)));
    // 1 < e^x < 1 + 2^-53
    let tiny = at(&regions, 1e-300);
    assert_eq!((tiny.first().to_f64(), tiny.last().to_f64()), (least, 2f64.powi(-53).next_down()));
    assert!(matches!(&tiny.class, Class::Between(Gap { below: Some(below), above: Some(above) })
        if *below == Number::new(1, 0) && *above == Number::new((1 << 53) + 1, -53)));
    assert!(
        matches!(&at(&regions, 0.0).class, Class::Exact { value, kind: BreakpointKind::Number } if *value == 1)
    );
}

/// sin x is between x and the number below it as far as x³/6 is less than half an ulp; tan x above.
#[test]
fn lines() {
    for (function, is_above, factor) in [("sin", false, 6.0), ("tan", true, 3.0), ("asinh", false, 6.0)] {
        let regions = found(function, Format::BINARY64);
        let region = at(&regions, 1e-100);
        let line = Line::Ratio(1.into());
        assert_eq!(region.class, Class::Beside(Beside { line: line.clone(), is_above }), "{function}");
        assert_eq!(region.first().to_f64(), f64::from_bits(1));
        // half an ulp in the last binade, a quarter where x may be a power of two: x³/factor at the
        // end is more than a quarter
        let end = region.last().to_f64();
        let ulp = end.next_up() - end;
        let off = end.powi(3) / factor / ulp;
        assert!(off < 0.5 && off > 0.1, "{function}: {off} ulp");
        let mirror = at(&regions, -1e-100);
        assert_eq!(mirror.class, Class::Beside(Beside { line, is_above: !is_above }), "{function}");
        assert_eq!(mirror.first().to_f64(), -end);
    }
    let regions = found("4*x+x^3", Format::BINARY32);
    let line = Line::Ratio(4.into());
    assert_eq!(at(&regions, 2f64.powi(-40)).class, Class::Beside(Beside { line, is_above: true }));
}

/// Functions that approach a constant, domains, poles, and what cannot be enclosed.
#[test]
fn ends_of_domains() {
    let d = Format::BINARY64;
    assert_eq!(between(at(&found("tanh", d), 1e300)), (Some(1.0 - 2f64.powi(-54)), Some(1.0)));
    assert_eq!(between(at(&found("expm1", d), -1e300)).0, Some(-1.0));
    assert_eq!(between(at(&found("erf", d), 10.0)).1, Some(1.0));
    let log = found("log", d);
    assert_eq!(at(&log, -1.0).class, Class::Undefined);
    assert_eq!(at(&log, 0.0).class, Class::Undefined);
    assert_eq!(at(&log, f64::from_bits(1)).class, Class::Search);
    let asin = found("asin", d);
    assert_eq!(at(&asin, 1.0).class, Class::Search);
    assert_eq!(at(&asin, 1f64.next_up()).class, Class::Undefined);
    assert_eq!(at(&asin, 1f64.next_up()).last().to_f64(), f64::MAX);
    let atanh = found("atanh", d);
    assert_eq!((at(&atanh, 1.0).class.clone(), at(&atanh, 1.0).first().to_f64()), (Class::Undefined, 1.0));
    assert_eq!(at(&found("1/x", d), 0.0).class, Class::Undefined);
    // a pole between numbers is met by the search
    assert_eq!(at(&found("tan", d), 1.5).class, Class::Search);
    // one at a number is a region
    let pole = found("1/(x-3)", Format::BINARY16);
    assert_eq!((at(&pole, 3.0).class.clone(), at(&pole, 3.0).arguments()), (Class::Undefined, 1));
}

/// exp2 is searched on (−1/2, 1/2] and where it is subnormal, sinpi on (0, 1/2], log2 on one binade
/// in each of results.
#[test]
fn repetitions() {
    let exp2 = found("exp2", Format::BINARY64);
    let (searched, translated) = ([0.25, 0.5, -0.25, -1022.5], [0.75, -0.5, 3.0, -1022.0]);
    let searched = searched.map(|x| (x, false)).into_iter();
    for (x, is_translated) in searched.chain(translated.map(|x| (x, true))) {
        assert_eq!(matches!(at(&exp2, x).class, Class::Translated(_)), is_translated, "exp2 at {x}");
    }
    let sinpi = found("sinpi", Format::BINARY64);
    for (x, is_translated) in [(0.3, false), (0.5, false), (0.7, true), (1e300, true)] {
        assert_eq!(matches!(at(&sinpi, x).class, Class::Translated(_)), is_translated, "sinpi at {x}");
        assert!(matches!(at(&sinpi, -x).class, Class::Mirrored(Parity::Odd)), "sinpi at -{x}");
    }
    let log2 = found("log2", Format::BINARY64);
    let (searched, translated) = ([0, -1, 1, 2, 4, 512, -1025], [3, 513, -2, -1024]);
    let searched = searched.map(|k| (k, false)).into_iter();
    for (k, is_translated) in searched.chain(translated.map(|k| (k, true))) {
        let region = at_number(&log2, Number::new(3, k - 1)).unwrap();
        assert_eq!(matches!(region.class, Class::Translated(_)), is_translated, "log2 at 1.5·2^{k}");
    }
    // 1/x is below the normal numbers from 2^1022 on, and beyond all numbers below 2^-1024
    for (text, searched) in [("cbrt", &[0, 1, 2][..]), ("rsqrt", &[0, 1]), ("1/x", &[0, 1022, 1023, -1024])] {
        let regions = found(text, Format::BINARY64);
        for k in (-1074..1024).filter(|k| text != "1/x" || *k >= -1024) {
            let region = at_number(&regions, Number::new(1, k)).unwrap();
            let is_translated = matches!(region.class, Class::Translated(_));
            assert_eq!(is_translated, !searched.contains(&k), "{text} at 2^{k}: {region:?}");
        }
    }
    // nothing to translate from
    let function = parse("sinpi").unwrap();
    let some = regions(&function, Format::BINARY64, Some(2..4)).unwrap();
    assert!(some.iter().all(|region| matches!(region.class, Class::Search | Class::Mirrored(_))), "{some:?}");
}

/// What follows does so from a number of the format that stands for itself, and the step maps
/// results, breakpoints and ulps as it says: in formats with few bits and exponents, for roots of
/// any degree.
#[test]
fn sources() {
    let mut translated = 0;
    for (precision, least, most) in [
        (3, -1, 2),
        (3, -6, 7),
        (3, -40, 40),
        (4, 0, 3),
        (5, -2, 30),
        (5, 0, 0),
        (5, -30, 2),
        (6, -14, 15),
        (11, -14, 15),
    ] {
        let format = Format::new(precision, least, most).unwrap();
        let (negative, positive) = ranges(format, None).unwrap();
        let ranges = negative.into_iter().chain(positive);
        let numbers: Vec<Number> =
            ranges.flat_map(|range| (0..range.count()).map(move |k| range.argument(k))).collect();
        let powers = [1, 2, 3, 4, 15, 16, 17, 20, 33, 200, 1000].into_iter().flat_map(|ratio| {
            [1, -1, 2, -7, 16, 999].map(|log2_factor| Translation::Power { log2_ratio: ratio, log2_factor })
        });
        let others = [
            Translation::Sign { period: 1, negates: true },
            Translation::Scaling { period: 1, log2_factor: 1 },
            Translation::Offset { log2_ratio: 1, addend: 1 },
        ];
        for translation in powers.chain(others) {
            for &x in &numbers {
                let Some(y) = translate::source(translation, format, x) else { continue };
                translated += 1;
                let context = format!("{translation:?} in {precision} bits, {least}..{most}: {x} from {y}");
                assert!(numbers.binary_search(&y).is_ok() && y != x, "{context}");
                assert_eq!(translate::source(translation, format, y), None, "{context}");
                // the exponents of results: at x, and at y; both between two powers of two
                let normal = |exponent: i64| (i64::from(least)..=i64::from(most)).contains(&exponent);
                match translation {
                    Translation::Power { log2_ratio, log2_factor } => {
                        for z in [x, y] {
                            let q = i64::from(z.log2_floor().unwrap()).div_euclid(log2_ratio.into());
                            let ends = [q, q + 1].map(|q| q * i64::from(log2_factor));
                            assert!(ends.into_iter().all(normal), "{context}");
                        }
                    }
                    Translation::Scaling { .. } => {
                        let floor = x.to_f64().floor() as i64;
                        assert!(normal(floor) && normal(-1) && normal(0), "{context}");
                    }
                    Translation::Offset { .. } => {
                        let [fx, fy] = [x, y].map(|z| z.to_f64().log2().abs().max(f64::MIN_POSITIVE));
                        // but for powers of two, whose results are integers; ulps divide 1
                        let is_power = x.bits() == 1;
                        let (ex, ey) = (fx.log2().floor() as i32, fy.log2().floor() as i32);
                        assert!(
                            is_power || ex == ey && ey <= most && format.ulp_exponent(ey) <= 0,
                            "{context}"
                        );
                    }
                    _ => {}
                }
            }
        }
    }
    assert!(translated > 100_000, "{translated}");
}

/// What follows from y at `y + n` is found again, up to the 64 bits that a significand may have: a
/// limit of 62 bits lost three of four images in [1/2, 1) of x87's format, half of those in [1, 2).
#[test]
fn images_are_where_they_follow() {
    let mut seen = 0;
    for precision in [2u32, 24, 53, 61, 62, 63, 64] {
        let format = Format::new(precision, -16382, 16383).unwrap();
        let translations = [
            Translation::Sign { period: 1, negates: true },
            Translation::Scaling { period: 1, log2_factor: 1 },
        ];
        for (translation, binade) in translations.into_iter().flat_map(|t| (-1i32..70).map(move |b| (t, b))) {
            let (half, spacing) = (1i128 << (precision - 1), format.ulp_exponent(binade));
            for offset in [0, 1, 2, 3, half / 2, half / 3, half - 2, half - 1] {
                let significand = half + offset.clamp(0, half - 1);
                for x in [significand, -significand].map(|m| Number::new(m, spacing)) {
                    let Some(y) = translate::source(translation, format, x) else { continue };
                    if y == Number::ZERO {
                        continue;
                    }
                    let range = ArgumentRange::new(significand - offset.min(1), spacing, 2);
                    let mirrored = ArgumentRange::new(-significand, spacing, 1);
                    let range = if x > Number::ZERO { range } else { mirrored };
                    let images = translate::Images::new(translation, format, [range].into_iter());
                    let mut found = images.rows(y).into_iter().flat_map(|row| row.first..=row.last);
                    let is_x = |n| translate::image(translation, y, n) == Some(x);
                    assert!(found.any(is_x), "{translation:?} in {precision} bits: {x} from {y}");
                    seen += 1;
                }
            }
        }
    }
    assert!(seen > 5000, "{seen}");
}

#[test]
fn binades() {
    let function = parse("exp").unwrap();
    let some = |binades| regions(&function, Format::BINARY32, Some(binades));
    let found = some(-1..2).unwrap();
    assert_eq!(found.iter().map(Region::arguments).sum::<u128>(), 6 << 23);
    assert_eq!(
        (found[0].first().to_f64(), found[5].last().to_f64()),
        (2f64.powi(-22) - 4.0, 4.0 - 2f64.powi(-22))
    );
    // the same is known on both sides of what is not asked for
    let cos = parse("cos").unwrap();
    let found = regions(&cos, Format::BINARY32, Some(-30..-20)).unwrap();
    assert!(
        found.len() == 2 && found.iter().all(|region| matches!(region.class, Class::Between(_))),
        "{found:?}"
    );
    for (start, end) in [(1, 1), (5, 2), (-150, 0), (0, 129)] {
        assert!(matches!(some(start..end), Err(DriverError::Binades { .. })));
    }
    // from the least number on, 0 is among them, as it is where all numbers are asked for
    let sum = |regions: Vec<Region>| regions.iter().map(Region::arguments).sum::<u128>();
    assert_eq!(sum(some(-148..128).unwrap()), 2 * (0x7f80_0000 - 2));
    assert_eq!(sum(some(-149..128).unwrap()), 2 * (0x7f80_0000 - 1) + 1);
    assert_eq!(sum(regions(&function, Format::BINARY32, None).unwrap()), 2 * (0x7f80_0000 - 1) + 1);
    for text in ["sin", "cos", "tan", "exp", "log"] {
        let function = parse(text).unwrap();
        let at_zero = |binades| {
            let is_there = |region: &Region| region.first() <= Number::ZERO && Number::ZERO <= region.last();
            let mut at = regions(&function, Format::BINARY32, binades).unwrap().into_iter().filter(is_there);
            (at.next().map(|region| region.class), at.next().is_none())
        };
        let (class, is_only) = at_zero(Some(-149..13));
        assert!(class.is_some() && is_only, "{text}");
        assert_eq!(class, at_zero(None).0, "{text}");
        assert_eq!(at_zero(Some(-148..13)).0, None, "{text}");
    }
}

/// No argument of what is said to be clear is a case, of any rounding and ε, next to constants and
/// to lines and above breakpoints and below; and twice ε would make cases of many of those next to
/// it: the bound is sharp, but for what enclosures over many arguments lose.
#[test]
fn what_is_clear_holds_no_case() {
    let (mut clear_arguments, mut ends, mut sharp) = (0, 0, 0);
    for (text, from, to) in [
        ("exp", -14, 0),
        ("exp(-x)", -14, 0),
        ("cos", -9, 0),
        ("sin", -9, 0),
        ("tanh", -9, 0),
        ("log1p", -14, 0),
        ("2*atan(x)", -9, 0),
        ("-sinh(x)", -9, 0),
        ("sin(3*x/5)", -9, 0),
        ("log(1+exp(x))", 1, 5),
        ("abs(sin(x))", -9, 0),
        ("3+x/8", -9, 0),
    ] {
        let function = parse(text).unwrap();
        for precision in [6, 8] {
            let format = Format::new(precision, -20, 20).unwrap();
            let (negative, positive) = ranges(format, Some(from..to)).unwrap();
            let ranges: Vec<ArgumentRange> = negative.into_iter().chain(positive).collect();
            let mut classifier = Classifier::new(&function, format);
            let parts: Vec<(ArgumentRange, Class)> =
                ranges.iter().flat_map(|range| classifier.parts(*range)).collect();
            for breakpoints in [Breakpoints::All, Breakpoints::Directed, Breakpoints::Nearest] {
                for extra_bits in [2, 4, 7] {
                    let problem = Problem::new(format, format, breakpoints, extra_bits).unwrap();
                    let wider = Problem::new(format, format, breakpoints, extra_bits.max(3) - 1).unwrap();
                    let is_case =
                        |problem, x| matches!(confirm(&function, problem, x).unwrap(), Verdict::Case(_));
                    for (part, class) in &parts {
                        let Some(clear) = clear::clear_part(&function, &problem, part, class) else {
                            continue;
                        };
                        let context =
                            || format!("{text}, {format:?}, {breakpoints:?}, {extra_bits}: {class:?}");
                        for x in (0..clear.count()).map(|k| clear.argument(k)) {
                            assert!(!is_case(&problem, x), "{} at {x}", context());
                        }
                        clear_arguments += clear.count();
                        let start = (clear.first() - part.first()) as u64;
                        let next = [start.checked_sub(1), Some(start + clear.count())];
                        for k in next.into_iter().flatten().filter(|k| *k < part.count()) {
                            ends += 1;
                            sharp += u64::from(is_case(&wider, part.argument(k)));
                        }
                    }
                }
            }
        }
    }
    assert!(clear_arguments > 50_000 && ends > 300 && 3 * sharp > ends, "{clear_arguments}, {ends}, {sharp}");
}

/// What is left of a binade of results that cross no breakpoint is searched in as few ranges as
/// there are, and in order.
#[test]
fn known_parts_and_the_rest_tile_the_ranges() {
    let format = Format::custom(20).unwrap();
    let exp = parse("exp").unwrap();
    for breakpoints in [Breakpoints::All, Breakpoints::Directed, Breakpoints::Nearest] {
        let problem = Problem::new(format, format, breakpoints, 12).unwrap();
        let near = problem.with_extra_bits(10).unwrap();
        let (_, asked) = ranges(format, Some(-60..-10)).unwrap();
        let is_near = |x| matches!(confirm(&exp, &near, x), Ok(Verdict::Case(_)));
        let (known, rest) = known_and_rest(&exp, &problem, &asked, is_near);
        let mut all: Vec<ArgumentRange> =
            known.iter().flat_map(|region| region.ranges.clone()).chain(rest.clone()).collect();
        all.sort_by_key(|range| range.argument(0));
        assert!(
            all.windows(2)
                .all(|two| is_next(&Region { ranges: vec![two[0]], class: Class::Search }, &two[1]))
        );
        let count = |ranges: &[ArgumentRange]| ranges.iter().map(ArgumentRange::count).sum::<u64>();
        assert_eq!(count(&all), count(&asked));
        // ten binades of real results, and what is next to 2^-20
        let searched: Vec<&ArgumentRange> =
            rest.iter().filter(|range| range.argument(range.count() - 1) < Number::new(1, -19)).collect();
        assert!(searched.len() <= 4 && searched.iter().all(|range| range.count() < 1 << 16), "{searched:?}");
        let hidden = known.iter().flat_map(|region| [region.first(), region.last()]);
        assert!(hidden.into_iter().all(|x| x < Number::new(1, -16)), "{known:?}");
    }
}
