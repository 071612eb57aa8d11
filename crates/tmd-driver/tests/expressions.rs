//! Expressions that people have, over whole formats, against values by hand: tables, lists of
//! cases, what is known without a search.

mod oracle_values;
mod testing;

use oracle_values::{KNOWN, Known};
use rug::Float;
use testing::{findings, number, problem, solved, walk};
use tmd_core::{Breakpoints, Format, Interrupt, Number};
use tmd_driver::{
    DriverError, Search, Workers,
    certificate::ClassRecord,
    confirm::{Verdict, confirm, hardness},
    regions::Region,
    table::{Class, Encoding, Rounding, Table},
};
use tmd_functions::{parse, taylor::float_of};
use tmd_testkit::one_in;

/// The pattern of a number other than 0.
fn rounded(y: &Float, format: Format, rounding: Rounding) -> u16 {
    let fraction_bits = format.precision() - 1;
    let infinity = 0x7fffu16 >> fraction_bits << fraction_bits;
    let sign = if *y < 0 { 0x8000 } else { 0 };
    let exponent = y.get_exp().map_or(format.min_exponent(), |e| (e - 1).max(format.min_exponent()));
    let is_away = match rounding {
        Rounding::Up => Some(*y > 0),
        Rounding::Down => Some(*y < 0),
        _ => None,
    };
    if exponent > format.max_exponent() {
        return sign | if is_away == Some(false) { infinity - 1 } else { infinity };
    }
    let ulps = Float::with_val(y.prec(), y.abs_ref()) >> format.ulp_exponent(exponent);
    let ulps = match is_away {
        None => ulps.round_even(),
        Some(true) => ulps.ceil(),
        Some(false) => ulps.floor(),
    };
    // patterns count ulps from 0 on: those of a binade come after all below
    let ulps = ulps.to_f64() as u32;
    let below = (exponent - format.min_exponent()) as u32 * (1 << fraction_bits);
    sign | (below + ulps) as u16
}

fn tables(format: Format, roundings: [Rounding; 2]) {
    let encoding = Encoding::new(format).unwrap();
    for known in one_in(6, KNOWN) {
        let function = parse(known.text).unwrap();
        let tables = roundings.map(|rounding| {
            Table::compute(&function, format, rounding, &Interrupt::new())
                .unwrap_or_else(|error| panic!("{}: {error}", known.text))
        });
        for bits in 0..=u16::MAX {
            let Class::Number(x) = encoding.decode(bits) else { continue };
            let y = known.representative(&float_of(x));
            for (table, rounding) in tables.iter().zip(roundings) {
                let expected = match &y {
                    None => encoding.nan(),
                    Some(y) if y.is_zero() => 0,
                    Some(y) => rounded(y, format, rounding),
                };
                let entry = table.entries()[usize::from(bits)];
                assert_eq!(entry, expected, "{} at {x} in {format}, {rounding}", known.text);
            }
        }
    }
}

#[test]
fn tables_of_binary16() {
    tables(Format::BINARY16, [Rounding::NearestEven, Rounding::Up]);
}

#[test]
fn tables_of_bfloat16() {
    tables(Format::BFLOAT16, [Rounding::NearestEven, Rounding::Down]);
}

/// All finite numbers other than 0.
fn numbers(format: Format) -> impl Iterator<Item = Number> {
    let encoding = Encoding::new(format).unwrap();
    (0..=u16::MAX).filter_map(move |bits| match encoding.decode(bits) {
        Class::Number(x) => Some(x),
        _ => None,
    })
}

/// The whole function: nothing is left out or undecided, the list is that of the values, and what
/// is known without a search is true.
fn whole(known: &Known, format: Format, bits: u32) {
    let (text, function) = (known.text, parse(known.text).unwrap());
    let certificate = solved(&function, problem(format, Breakpoints::All, bits), None);
    assert!(certificate.is_complete(), "{text}: {:?}", certificate.failures);
    assert!(certificate.undecided.is_empty(), "{text}: {:?}", certificate.undecided);
    let totals = certificate.totals();
    assert_eq!((totals.uncovered, totals.arguments), (0, 1 + numbers(format).count() as u128), "{text}");

    let regions: Vec<_> = certificate
        .regions
        .iter()
        .map(|region| (number(&region.first, format), number(&region.last, format), &region.class))
        .collect();
    let mut cases: Vec<Number> = certificate.cases.iter().map(|case| number(&case.x, format)).collect();
    cases.sort();
    let mut expected = Vec::new();
    for x in numbers(format) {
        let (.., class) = regions.iter().find(|(first, last, _)| *first <= x && x <= *last).unwrap();
        let Some((half_ulps, _)) = known.half_ulps(&float_of(x), format) else {
            assert_eq!(**class, ClassRecord::Undefined, "{text} at {x}");
            continue;
        };
        let rest = half_ulps.clone() - half_ulps.clone().round();
        match class {
            ClassRecord::Searched | ClassRecord::Mirrored { .. } => {
                let top = Float::with_val(64, 1) << (format.max_exponent() + 1);
                let is_finite = known.representative(&float_of(x)).unwrap().abs() < top;
                if is_finite && !rest.is_zero() && rest.abs() < 2f64.powi(1 - bits as i32) {
                    expected.push(x);
                }
            }
            ClassRecord::Between { .. } | ClassRecord::Beside { .. } => {
                assert!(!rest.is_zero(), "{text} at {x} is a breakpoint, in {class}");
            }
            class => panic!("{text} at {x}: {class}"),
        }
    }
    expected.sort();
    assert_eq!(cases, expected, "{text} in {format}");
    let findings = findings(&function, &certificate, Some(&walk()), (2, 0.1, 1));
    assert!(findings.holds(), "{text}: {:?}", findings.refusals);
}

#[test]
fn whole_binary16() {
    for known in one_in(6, &KNOWN) {
        whole(known, Format::BINARY16, 8);
    }
}

#[test]
fn whole_bfloat16() {
    for known in one_in(6, &KNOWN) {
        whole(known, Format::BFLOAT16, 6);
    }
}

/// Far out, where the difference to a number is beyond all precision, an argument's hardness is
/// told; and so it is in between.
#[test]
fn check_anywhere() {
    let hard = |text: &str, x: Number, format: Format| {
        hardness(&parse(text).unwrap(), &problem(format, Breakpoints::All, 20), x)
            .unwrap()
            .unwrap_or_else(|verdict| panic!("{text}: {verdict:?}"))
    };
    let double = Format::BINARY64;
    // GELU: 128·erfc(256/√2) ≈ 2^-47280.6 below 256, where ulps are 2^-2 in binary16; below 256
    // they are half of that
    let gelu = "x/2*(1+erf(x/sqrt(2)))";
    let case = hard(gelu, Number::new(1, 8), Format::BINARY16);
    assert_eq!((case.breakpoint, case.above), (Number::new(1, 8), false));
    let distance: Float =
        Float::with_val(200, (Float::with_val(200, 256) / Float::with_val(200, 2).sqrt()).erfc() * 128) << 3;
    assert!((case.log2_distance - distance.log2().to_f64()).abs() < 1e-6, "{}", case.log2_distance);
    for (text, x, breakpoint, above) in [
        (gelu, Number::new(1, 100), Number::new(1, 100), false),
        ("log(1+exp(x))", Number::new(3, 1000), Number::new(3, 1000), true),
        ("-log(1+exp(-x))", Number::new(-3, 1000), Number::new(-3, 1000), false),
        ("x/(1+exp(-x))", Number::new(5, 60), Number::new(5, 60), false),
        ("x*tanh(log(1+exp(x)))", Number::new(5, 90), Number::new(5, 90), false),
        ("(exp(x)-1)/x", Number::new(-1, 80), Number::new(1, -80), false),
        ("1/(1+exp(-x))", Number::new(1, 70), Number::new(1, 0), false),
        ("1/(1+exp(-x))", Number::new(-1, 70), Number::new(0, 0), true),
        ("exp(x)/x", Number::new(-1, 70), Number::new(0, 0), false),
        ("sqrt(1+x^2)", Number::new(-7, 1000), Number::new(7, 1000), true),
        ("x/sqrt(1+x^2)", Number::new(7, 1000), Number::new(1, 0), false),
    ] {
        let case = hard(text, x, double);
        assert_eq!((case.breakpoint, case.above), (breakpoint, above), "{text} at {x}");
        assert!(case.log2_distance < -60.0, "{text} at {x}: {}", case.log2_distance);
    }
    // e^(−2^70) is below 2^(−2^30): the distance is a bound, and the verdict a case
    let all = problem(double, Breakpoints::All, 40);
    let verdict = confirm(&parse(gelu).unwrap(), &all, Number::new(1, 100)).unwrap();
    assert!(matches!(verdict, Verdict::Case(case) if case.log2_distance < -1e9));
    let overflow = confirm(&parse("exp(x)/x").unwrap(), &all, Number::new(1, 100)).unwrap_err();
    assert!(matches!(overflow, DriverError::ResultOverflow { .. }), "{overflow}");
    // rounding to nearest only: 256 is no breakpoint, and 2·x is none of rounding to numbers where
    // it is a midpoint
    let nearest = problem(double, Breakpoints::Nearest, 40);
    assert_eq!(confirm(&parse(gelu).unwrap(), &nearest, Number::new(1, 100)).unwrap(), Verdict::NotHard);
}

/// A search leaves out what is known, and says so: what it lists besides is the list of values.
#[test]
fn searches_leave_out_what_is_known() {
    for (text, from, to, known_arguments) in [("exp", 0, 1, 1u128 << 23), ("log(1+exp(x))", 1, 64, 1 << 23)] {
        let function = parse(text).unwrap();
        let problem = problem(Format::BINARY32, Breakpoints::All, 20);
        let (walk, from, to) = (walk(), from.into(), to.into());
        let search = Search { function: &function, from, to, problem, workers: Workers::cpu(&walk, 2) };
        let outcome = search.run(&(), &Interrupt::new()).unwrap();
        let known: u128 = outcome.known.iter().map(Region::arguments).sum();
        assert!(!outcome.is_partial() && known > known_arguments, "{text}: {known}");
        assert_eq!(outcome.searched + known, outcome.arguments);
        assert_eq!(search.plan().unwrap().arguments, outcome.searched);
        let expected = Breakpoints::All.expected_cases(outcome.searched as f64, 20);
        // no more than chance makes, and fewer where results come near a line, but not to within ε
        let found = outcome.cases.len() as f64;
        let (least, most) = (0.4 * expected, expected + 6.0 * expected.sqrt());
        assert!(least < found && found < most, "{text}: {found}, {expected} expected");
        for region in &outcome.known {
            let is_in = |x: Number| region.first() <= x && x <= region.last();
            assert!(!outcome.cases.iter().any(|case| is_in(case.argument)));
            // not hard, or on the side that the region says
            for x in [region.first(), region.last()] {
                assert!(
                    !matches!(confirm(&function, &problem, x).unwrap(), Verdict::Exact(_)),
                    "{text} at {x}"
                );
            }
        }
        let text = tmd_driver::Report::new(&search, &outcome, None).summary();
        assert!(text.contains("not searched, as all roundings are known"), "{text}");
    }
}
