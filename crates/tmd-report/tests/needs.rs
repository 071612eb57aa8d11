//! What `needs` says is what a phase does: every number of binary16, tested one by one with MPFR's
//! values and another rounding.

mod common;

use std::collections::BTreeSet;

use common::{interrupted, solved};
use tmd_core::{Breakpoints, Format, Number};
use tmd_driver::{
    Certificate, Coverage,
    certificate::ClassRecord,
    rug::Float,
    table::{Class, Encoding, Language, Rounding},
};
use tmd_functions::{Function, Interval, taylor::float_of};
use tmd_report::{
    ReportError,
    needs::{Accuracy, BinadeBits, Needs, exceptions},
};

fn encoding(certificate: &Certificate) -> Encoding {
    Encoding::new(certificate.format.format().unwrap()).unwrap()
}

/// f(x) at every number of a 16-bit format that is searched, or follows from one that is, and its
/// value is no binary fraction.
fn values(certificate: &Certificate) -> Vec<(u16, Float)> {
    let function = tmd_functions::parse(&certificate.function).unwrap();
    let encoding = encoding(certificate);
    let coverage = Coverage::of(certificate).unwrap();
    let mut values = Vec::new();
    for bits in 0..=u16::MAX {
        let Class::Number(x) = encoding.decode(bits) else { continue };
        let Some(known) = coverage.known(x) else { continue };
        let is_exact = function.exact(&float_of(x).to_rational().unwrap());
        let is_exact = is_exact.is_some_and(|value| value.denom().is_power_of_two());
        if certificate.regions[known.region].class != ClassRecord::Searched || is_exact {
            continue;
        }
        let at = Interval::point(float_of(x)).unwrap().round_to(400).unwrap();
        values.push((bits, function.enclose(&at, 400).unwrap().midpoint()));
    }
    values
}

/// The rounding test of a phase that says y, in modes that are directed or to nearest: whether it
/// fails.
fn fails(encoding: Encoding, y: &Float, e: &Float, modes: &[Rounding]) -> bool {
    let off = Float::with_val(400, y * e);
    let (less, more) = (Float::with_val(400, y - &off), Float::with_val(400, y + &off));
    modes.iter().any(|mode| encoding.round(&less, *mode) != encoding.round(&more, *mode))
}

const DIRECTED: [Rounding; 2] = [Rounding::Up, Rounding::Down];
const NEAREST: [Rounding; 2] = [Rounding::NearestEven, Rounding::NearestAway];

/// The arguments whose test fails for one of the two phases that are as wrong as they may be: y =
/// f(x)/(1 ∓ E).
fn may_fail(values: &[(u16, Float)], bits: u32, modes: &[Rounding]) -> BTreeSet<u16> {
    may_fail_in(Encoding::new(Format::BINARY16).unwrap(), values, bits, modes)
}

fn may_fail_in(encoding: Encoding, values: &[(u16, Float)], bits: u32, modes: &[Rounding]) -> BTreeSet<u16> {
    let e = Float::with_val(400, 1) >> bits;
    let is_one = |f: &Float| {
        let [far, near] = [1 - e.clone(), 1 + e.clone()].map(|divisor| Float::with_val(400, f / divisor));
        fails(encoding, &far, &e, modes) || fails(encoding, &near, &e, modes)
    };
    values.iter().filter(|(_, f)| is_one(f)).map(|(bits, _)| *bits).collect()
}

/// The inexact arguments of a table of exceptions in Rust.
fn listed(table: &str) -> BTreeSet<u16> {
    let lines = table.lines().filter(|line| line.contains("Case { x: 0x") && !line.contains("NEG_INFINITY"));
    lines.map(|line| u16::from_str_radix(&line.split("0x").nth(1).unwrap()[..4], 16).unwrap()).collect()
}

fn accuracy(bits: u32) -> Accuracy {
    Accuracy::new(&format!("2^-{bits}")).unwrap()
}

#[test]
fn counts_and_exceptions_are_those_of_a_phase() {
    for (function, breakpoints) in [
        ("exp", Breakpoints::All),
        ("sin", Breakpoints::Nearest),
        ("exp2", Breakpoints::All),
        ("log", Breakpoints::Directed),
        // results next to powers of two, and negative ones that are not normal
        ("-exp(x)/16384", Breakpoints::All),
    ] {
        let certificate = solved(function, breakpoints);
        let values = values(&certificate);
        assert!(values.len() > 4000, "{function}: {}", values.len());
        // from 8 extra bits, 11 of precision and 1 on
        let accuracies: Vec<u32> = vec![20, 21, 23, 26];
        let given: Vec<Accuracy> = accuracies.iter().map(|bits| accuracy(*bits)).collect();
        let needs = Needs::new(&certificate, &given).unwrap();
        assert_eq!(needs.unlisted_bits, 20);
        let groups: &[(&str, &[Rounding])] = match breakpoints {
            Breakpoints::All => &[("directed", &DIRECTED), ("nearest", &NEAREST)],
            Breakpoints::Directed => &[("directed", &DIRECTED)],
            Breakpoints::Nearest => &[("nearest", &NEAREST)],
        };
        assert_eq!(needs.phases.len(), accuracies.len() * groups.len());
        let mut phases = needs.phases.iter();
        for bits in accuracies {
            for (rounding, modes) in groups {
                let phase = phases.next().unwrap();
                let failing = may_fail(&values, bits, modes);
                assert_eq!((phase.accuracy.as_str(), phase.rounding), (&*format!("2^-{bits}"), *rounding));
                let count = failing.len() as u64;
                assert_eq!(phase.may_fall_through, Some(count), "{function}, 2^-{bits}, {rounding}");
                // what is spread evenly, and a Poisson law beside; functions that repeat themselves
                // come in clusters
                let spread = 6.0 * phase.expected.sqrt() * if function == "exp2" { 4.0 } else { 1.0 } + 6.0;
                let off = (count as f64 - phase.expected).abs();
                assert!(off < spread, "{function}: {phase:?}, {count}");
                let table =
                    exceptions(&certificate, &accuracy(bits), modes, Language::Rust, "T", None).unwrap();
                assert_eq!(listed(&table), failing, "{function}, 2^-{bits}, {rounding}");
            }
        }
        // the bits that are needed are those with which no test fails
        for (bits, (_, modes)) in needs.roundings.iter().zip(groups) {
            assert!(bits.is_least, "{function}: {bits:?}");
            assert!(may_fail(&values, bits.bits, modes).is_empty(), "{function}: {bits:?}");
            assert!(!may_fail(&values, bits.bits - 1, modes).is_empty(), "{function}: {bits:?}");
        }
    }
}

/// The same where most cases are those of rules.
#[test]
fn what_rules_stand_for_falls_through() {
    let certificate = common::of_bfloat16("1/x");
    let (all, listed_cases) = (certificate.case_count(), certificate.cases.len() as u128);
    assert!(all > 10 * listed_cases, "{all} and {listed_cases}");
    let (values, encoding) = (values(&certificate), encoding(&certificate));
    // 5 extra bits, 8 of precision, 1
    let needs = Needs::new(&certificate, &[accuracy(14), accuracy(16)]).unwrap();
    let mut phases = needs.phases.iter();
    for bits in [14, 16] {
        for modes in [DIRECTED, NEAREST] {
            let failing = may_fail_in(encoding, &values, bits, &modes);
            assert_eq!(phases.next().unwrap().may_fall_through, Some(failing.len() as u64));
            let table = exceptions(&certificate, &accuracy(bits), &modes, Language::Rust, "T", None).unwrap();
            assert_eq!(listed(&table), failing);
        }
    }
    assert!(may_fail_in(encoding, &values, 14, &NEAREST).len() > 1000);
    assert!(needs.exact_unlisted.is_some());
}

/// The same binade by binade, with a bound where the list has nothing.
#[test]
fn bits_of_each_binade() {
    let certificate = solved("exp", Breakpoints::All);
    let values = values(&certificate);
    let encoding = Encoding::new(Format::BINARY16).unwrap();
    let needs = Needs::new(&certificate, &[]).unwrap();
    let is_in = |bits: u16, binade: &BinadeBits| {
        let Class::Number(x) = encoding.decode(bits) else { return false };
        (x < Number::ZERO) == (binade.sign_of_x == '-') && x.log2_floor() == Some(binade.binade)
    };
    let mut least = 0;
    for binade in &needs.binades {
        let here: Vec<_> = values.iter().filter(|(bits, _)| is_in(*bits, binade)).cloned().collect();
        assert!(!here.is_empty() && binade.is_covered, "{binade:?}");
        for (bits, modes) in binade.roundings.iter().zip([&DIRECTED, &NEAREST]) {
            assert!(may_fail(&here, bits.bits, modes).is_empty(), "{binade:?}");
            if bits.is_least {
                assert!(!may_fail(&here, bits.bits - 1, modes).is_empty(), "{binade:?}");
                least += 1;
            }
        }
    }
    assert!(needs.binades.len() > 20 && least > 10, "{least}");
    let is_somewhere = |bits: u16| needs.binades.iter().any(|binade| is_in(bits, binade));
    assert!(values.iter().all(|(bits, _)| is_somewhere(*bits)), "every argument is in a binade of the table");
}

/// Phases as they are, with errors of any size and sign within their bound: whatever fails is an
/// exception, and about half of these fail.
#[test]
fn what_falls_through_is_an_exception() {
    let certificate = solved("exp", Breakpoints::All);
    let values = values(&certificate);
    let e = Float::with_val(400, 1) >> 20;
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    for modes in [DIRECTED, NEAREST] {
        let table = exceptions(&certificate, &accuracy(20), &modes, Language::Rust, "T", None).unwrap();
        let (listed, mut fallen) = (listed(&table), 0);
        for (bits, f) in &values {
            for _ in 0..4 {
                random = random.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
                // |y − f| ≤ E·|y|: f/y is between 1 − E and 1 + E
                let share = (random >> 11) as f64 / (1u64 << 52) as f64 - 1.0;
                let y = Float::with_val(400, f / (1 + Float::with_val(400, &e * share)));
                if fails(encoding(&certificate), &y, &e, &modes) {
                    assert!(listed.contains(bits), "{bits:#06x}");
                    fallen += 1;
                }
            }
        }
        let share = f64::from(fallen) / (4 * listed.len()) as f64;
        assert!((0.4..0.6).contains(&share), "{share}");
    }
}

/// A list that does not reach is not printed as one that does. It would lack arguments: the limit
/// is the right one.
#[test]
fn a_list_that_does_not_reach() {
    let certificate = solved("exp", Breakpoints::All);
    let needs = Needs::new(&certificate, &[accuracy(12), accuracy(19), accuracy(20)]).unwrap();
    let counts: Vec<_> = needs.phases.iter().map(|phase| phase.may_fall_through.is_some()).collect();
    assert_eq!(counts, [false, false, false, false, true, true]);
    let text = needs.to_text();
    assert!(text.contains("THE LIST DOES NOT REACH") && text.contains(" not listed "), "{text}");
    for language in [Language::C, Language::Rust] {
        let refused = exceptions(&certificate, &accuracy(19), &[], language, "T", None);
        assert!(matches!(refused, Err(ReportError::Reach { least: 20, .. })), "{refused:?}");
    }
    let values = values(&certificate);
    let cases: BTreeSet<&str> = certificate.cases.iter().map(|case| case.x.as_str()).collect();
    let encoding = Encoding::new(Format::BINARY16).unwrap();
    let text = |bits: &u16| encoding.decode(*bits).to_string();
    assert!(may_fail(&values, 19, &NEAREST).iter().any(|bits| !cases.contains(text(bits).as_str())));
    // a half of all arguments and more
    assert!(needs.phases[0].expected > 0.5 * needs.phases[0].arguments as f64);
}

/// Beyond the largest number all is rounded alike, and next to 0 no relative error reaches it: what
/// is near to 2^16 or 0 does not fall through.
#[test]
fn what_is_no_breakpoint() {
    let certificate = solved("exp", Breakpoints::All);
    let count = |certificate: &Certificate| {
        let needs = Needs::new(certificate, &[accuracy(20)]).unwrap();
        let bits: Vec<u32> = needs.roundings.iter().map(|bits| bits.bits).collect();
        (needs.phases[0].may_fall_through.unwrap(), bits)
    };
    let before = count(&certificate);
    for (breakpoint, bracket, more) in [
        ("0x1p+16", ["0x1.ffcp+15", "0x1p+16"], 0),
        ("-0x1p+16", ["-0x1p+16", "-0x1.ffcp+15"], 0),
        ("0x0p+0", ["0x0p+0", "0x1p-24"], 0),
        ("0x1.ffcp+15", ["0x1.ffcp+15", "0x1p+16"], 1),
    ] {
        let mut changed = certificate.clone();
        let case = &mut changed.cases[0];
        assert_eq!(case.kind, "midpoint");
        (case.kind, case.breakpoint, case.bracket) =
            ("number".into(), breakpoint.into(), bracket.map(str::to_owned));
        case.log2_dist = -40.0;
        assert_eq!(count(&changed).0, before.0 + more, "{breakpoint}");
        assert_eq!(count(&changed).1[0] > before.1[0], more == 1, "{breakpoint}");
    }
}

/// Exact results are exceptions whatever the accuracy; what no list has is said, and so is what is
/// not covered.
#[test]
fn what_is_exact_known_or_missing_is_said() {
    let exp = solved("exp", Breakpoints::All);
    let table =
        exceptions(&exp, &accuracy(60), &[], Language::C, "exp_exceptions", Some("tmd needs exp.json"))
            .unwrap();
    assert!(table.contains("0 inexact ones and 1 whose result is a breakpoint"), "{table}");
    assert!(table.contains("{0x0000, 0x3c00, 0x3c00, 0x3c00, 0x3c00, -INFINITY},"), "{table}");
    assert!(
        table.contains("not looked at, from ") && table.contains("made by: tmd needs exp.json\n"),
        "{table}"
    );
    assert!(!Needs::new(&exp, &[]).unwrap().known.is_empty());
    // 2^x is exact at integers, of which those that follow from others are not listed
    let exp2 = Needs::new(&solved("exp2", Breakpoints::All), &[]).unwrap();
    assert!(exp2.exact_unlisted.as_ref().unwrap().contains("EXACT RESULTS ARE NOT ALL LISTED"));
    assert!(exp2.to_text().contains("EXACT RESULTS ARE NOT ALL LISTED"));
    let needs = Needs::new(&interrupted("exp"), &[]).unwrap();
    assert!(needs.to_text().contains("PARTIAL") && needs.binades.iter().any(|binade| !binade.is_covered));
    let json: serde_json::Value = serde_json::from_str(&needs.to_json().unwrap()).unwrap();
    assert!(json["state"].as_str().unwrap().contains("NOT COMPLETE"));
    assert_eq!(json["unlisted_bits"], 20);
    let nearest = solved("sin", Breakpoints::Nearest);
    let refused = exceptions(&nearest, &accuracy(30), &[Rounding::Up], Language::C, "t", None);
    assert!(matches!(refused, Err(ReportError::Mode { .. })));
}
