//! Few arguments for many: functions that are nearly a multiple of x next to 0, or nearly log2 or
//! exp2 at large arguments, in small formats, against every argument decided by itself.

use std::collections::BTreeMap;

use tmd_core::{Breakpoints, Format, Interrupt, Number, Problem};
use tmd_driver::{
    Certificate, Coverage, DriverError, Solve, Workers,
    certificate::{
        ClassRecord, Refusal, Verification, expand,
        verify::{Extent, Findings},
    },
    confirm::{Verdict, confirm},
    coverage::Left,
    report::Case,
};
use tmd_functions::{Function, Repeating, Translation, parse, parse_number};
use tmd_simd::{Level, Simd, SimdEngine};
use tmd_testkit::{by_turns, one_in};

fn solve(function: &dyn Function, problem: Problem) -> Certificate {
    let walk = Simd::farey(Level::best());
    let solve =
        Solve { function, problem, binades: None, workers: Workers::cpu(&walk, 2), limit: f64::INFINITY };
    solve.run(&solve.plan().unwrap(), &(), &Interrupt::new()).unwrap()
}

/// A case but for its distance, of which a small margin says no more than its bits.
fn essence(case: &Case) -> (String, char, u32, String, [String; 2]) {
    let Case { kind, sign, identical_bits, breakpoint, bracket, .. } = case;
    (kind.clone(), *sign, *identical_bits, breakpoint.clone(), bracket.clone())
}

/// All numbers of a format with `2^from ≤ |x| < 2^end`.
fn numbers(format: Format, from: i32, end: i32) -> impl Iterator<Item = Number> {
    (from..end).flat_map(move |k| {
        let ulp = format.ulp_exponent(k.max(format.min_exponent()));
        let one = 1i128 << (k - ulp);
        (one..2 * one).flat_map(move |m| [Number::new(m, ulp), Number::new(-m, ulp)])
    })
}

fn number(text: &str) -> Number {
    let value = parse_number(text).unwrap();
    let exponent = -(value.denom().significant_bits() as i32 - 1);
    // a number with few bits
    let zeros = value.numer().find_one(0).unwrap_or(0);
    Number::new((value.numer().clone() >> zeros).to_i128().unwrap(), exponent + zeros as i32)
}

/// What was met.
#[derive(Default)]
struct Met {
    cases: u64,
    rules: usize,
    undecided: u64,
    others: u64,
    /// arguments in regions that follow from others at large arguments
    far: u64,
}

/// Compares a certificate with every argument next to 0, decided by itself.
fn compare(text: &str, format: Format, breakpoints: Breakpoints, bits: u32, margin: u32, met: &mut Met) {
    let function = parse(text).unwrap();
    let problem = Problem::new(format, format, breakpoints, bits).unwrap();
    let repeating = Repeating::with_margin(&function, format, margin, 1);
    let context = format!("{text}, {format}, {breakpoints}, {bits} bits, margin {margin}");
    let Some(Translation::Near { anchor, .. }) = repeating.near_zero() else {
        panic!("{context}: no anchor")
    };
    let certificate = solve(&repeating, problem);
    // all below the anchor, which is what follows from it and what is left of the subnormal numbers
    let near = numbers(format, format.ulp_exponent(format.min_exponent()), anchor + 1);
    let cases = compare_all(&certificate, &function, &problem, near, &context, met);
    let bound = Number::new(1, anchor + 1);
    let beyond = cases.keys().all(|x| *x >= bound || *x <= Number::new(-1, anchor + 1));
    assert!(beyond, "{context}: cases that are none");
}

/// Compares a certificate with each of some numbers, decided by itself; the cases that it has
/// elsewhere.
fn compare_all(
    certificate: &Certificate,
    function: &dyn Function,
    problem: &Problem,
    numbers: impl Iterator<Item = Number>,
    context: &str,
    met: &mut Met,
) -> BTreeMap<Number, Case> {
    let coverage = Coverage::of(certificate).unwrap();
    met.rules += certificate.rules.len();
    let far: Vec<(Number, Number)> = certificate
        .regions
        .iter()
        .filter(|region| matches!(&region.class, ClassRecord::Translated { rule } if rule.contains("<= x")))
        .map(|region| (number(&region.first), number(&region.last)))
        .collect();
    let mut cases: BTreeMap<Number, Case> =
        expand(certificate).unwrap().map(|expanded| (expanded.argument, expanded.case)).collect();
    for x in numbers {
        let verdict = match confirm(function, problem, x) {
            Err(DriverError::ResultOverflow { .. }) => Verdict::NotHard,
            verdict => verdict.unwrap(),
        };
        let known = coverage.known(x).unwrap();
        let listed = cases.remove(&x);
        if let Some(left) = known.left {
            let failures = &certificate.failures;
            assert_eq!(left, Left::Undecided, "{context}: {x}, {failures:?}");
            assert_eq!(listed, None, "{context}: {x} is undecided");
            met.undecided += 1;
            continue;
        }
        let class = &certificate.regions[known.region].class;
        let is_known = matches!(class, ClassRecord::Between { .. } | ClassRecord::Beside { .. });
        let is_far = far.iter().any(|(first, last)| *first <= x && x <= *last);
        met.far += u64::from(is_far);
        match (verdict, listed) {
            (Verdict::Case(case), Some(listed)) => {
                assert_eq!(essence(&Case::from(&case)), essence(&listed), "{context}: {x}");
                met.cases += 1;
            }
            (Verdict::Case(_), None) if is_known => {}
            (Verdict::NotHard, None) => met.others += 1,
            (Verdict::Exact(_), None) => assert!(!is_far, "{context}: {x} is exact"),
            (verdict, listed) => panic!("{context}: {x} is {verdict:?}, and the list says {listed:?}"),
        }
    }
    cases
}

const FUNCTIONS: [&str; 11] = [
    "asinpi",
    "atanpi",
    "sinpi",
    "tanpi",
    "erf",
    "exp2m1",
    "exp10m1",
    "log2p1",
    "log10p1",
    "-exp2m1(x)/3",
    "x/pi-100*x^2",
];

/// Every argument of small formats, with margins so small that arguments are left undecided: none
/// is said to be what it is not.
#[test]
fn every_argument_of_small_formats() {
    let mut met = Met::default();
    let kinds = [Breakpoints::All, Breakpoints::Directed, Breakpoints::Nearest];
    for (i, text) in by_turns(FUNCTIONS.into_iter().enumerate()) {
        for precision in [3, 4, 5, 8u32] {
            let kind = kinds[(i + precision as usize) % 3];
            // the margin in ulps is 2^(precision − margin): of the size of ε, and smaller; with the
            // last one, cases are told from others
            for (margin, bits) in [(precision + 3, 2), (precision + 9, 4), (precision + 29, 3)] {
                let format = Format::new(precision, -(margin as i32) - 22, 4).unwrap();
                compare(text, format, kind, bits, margin, &mut met);
            }
        }
    }
    let Met { cases, undecided, others, .. } = met;
    assert!(cases > 3_000 && undecided > 300 && others > 3_000, "{cases}, {undecided}, {others}");
}

/// Every argument of small formats of functions that repeat themselves at large arguments: with
/// margins so small that arguments are left undecided, none is said to be what it is not; with
/// greater ones, none is undecided.
#[test]
fn every_large_argument_of_small_formats() {
    let kinds = [Breakpoints::All, Breakpoints::Directed, Breakpoints::Nearest];
    for text in one_in(2, ["log2p1", "exp2m1"]) {
        let (mut close, mut wide) = (Met::default(), Met::default());
        let function = parse(text).unwrap();
        for (precision, greatest) in [(4, 20), (5, 31), (6, 70), (7, 100), (8, 150), (9, 140)] {
            for (margin, bits) in [(5, 2), (6, 3), (8, 4), (10, 5), (60, 3)] {
                let format = Format::new(precision, -4, greatest).unwrap();
                let kind = kinds[(precision + margin) as usize % 3];
                let problem = Problem::new(format, format, kind, bits).unwrap();
                let repeating = Repeating::with_large_margin(&function, format, margin);
                let context = format!("{text}, {format}, {kind}, {bits} bits, margin {margin}");
                if repeating.at_large().is_none() {
                    continue;
                }
                let certificate = solve(&repeating, problem);
                let met = if margin < 60 { &mut close } else { &mut wide };
                // beyond, results overflow
                let end = if text == "log2p1" {
                    Number::new(1, greatest + 1)
                } else {
                    Number::new(i128::from(greatest) + 1, 0)
                };
                let all = numbers(format, 0, greatest + 1).filter(|x| *x > Number::ZERO && *x < end);
                let elsewhere = compare_all(&certificate, &function, &problem, all, &context, met);
                let is_elsewhere = elsewhere.keys().all(|x| *x < Number::new(1, 0));
                assert!(is_elsewhere, "{context}: cases that are none");
            }
        }
        let counts = [&close, &wide].map(|met| [met.cases, met.undecided, met.others, met.far]);
        assert!(close.undecided > 100 && close.cases > 1_000 && close.far > 1_000, "{text}: {counts:?}");
        assert!(wide.undecided == 0 && wide.cases > 500 && wide.far > 200, "{text}: {counts:?}");
    }
}

/// Rows that are long enough to be rules, of both signs, and more bits.
#[test]
fn long_rows() {
    let mut met = Met::default();
    for text in one_in(2, ["asinpi", "exp2m1", "log10p1", "-exp2m1(x)/3"]) {
        let format = Format::new(6, -140, 4).unwrap();
        compare(text, format, Breakpoints::All, 3, 54, &mut met);
        let format = Format::new(12, -80, 2).unwrap();
        compare(text, format, Breakpoints::All, 6, 66, &mut met);
    }
    assert_eq!(met.undecided, 0);
    assert!(met.rules > 10 && met.cases > 1_000, "{}, {}", met.rules, met.cases);
}

fn verify(certificate: &Certificate, function: &dyn Function) -> Findings {
    let [walk, regular] = [Simd::farey(Level::best()), Simd::new(SimdEngine::Regular, Level::best())];
    let verification = Verification {
        certificate,
        function,
        engine: Some(&walk),
        other: &regular,
        faster: None,
        walk: None,
        samples: 8,
        sample_seconds: 0.1,
        seed: 7,
    };
    verification.run_to(Extent::All, &Interrupt::new()).unwrap()
}

/// The exponents of binary64, with its margin: certificates hold, with the rule and without it.
#[test]
fn certificates_hold() {
    let format = Format::new(6, -1022, 1023).unwrap();
    let problem = Problem::new(format, format, Breakpoints::All, 4).unwrap();
    for text in ["asinpi", "sinpi", "log2p1"] {
        let function = parse(text).unwrap();
        let certificate = solve(&Repeating::of(&function, format), problem);
        let coverage = Coverage::of(&certificate).unwrap();
        assert!(coverage.is_complete(), "{text}");
        let findings = verify(&certificate, &function);
        assert!(findings.is_all(), "{text}: {findings:?}");
        let searched = |certificate: &Certificate| {
            let regions = certificate.regions.iter().filter(|region| region.class == ClassRecord::Searched);
            regions.map(|region| region.arguments).sum::<u128>()
        };
        // what is behind the rules is what MPFR says, to the last digit
        let cases: Vec<_> = expand(&certificate).unwrap().collect();
        for expanded in cases.iter().step_by(97) {
            let Verdict::Case(case) = confirm(&function, &problem, expanded.argument).unwrap() else {
                panic!("{text}: {}", expanded.argument)
            };
            assert_eq!(Case::from(&case), expanded.case, "{text}");
        }
        if text != "log2p1" {
            continue;
        }
        let plain = solve(&function, problem);
        assert!(verify(&plain, &function).is_all());
        assert!(searched(&certificate) * 4 < searched(&plain));
        let all: Vec<_> = expand(&plain).unwrap().map(|expanded| expanded.case).collect();
        assert!(cases.iter().map(|expanded| &expanded.case).eq(&all), "{text}: the lists are the same");
        // what is not searched is said to be left, and not more
        let walk = Simd::farey(Level::best());
        let repeating = Repeating::of(&function, format);
        let workers = Workers::cpu(&walk, 2);
        let lazy = Solve { function: &repeating, problem, binades: None, workers, limit: 1e-12 };
        let none = lazy.run(&lazy.plan().unwrap(), &(), &Interrupt::new()).unwrap();
        assert!(none.cases.is_empty() && !Coverage::of(&none).unwrap().is_complete());
        let findings = verify(&none, &function);
        assert!(
            !findings
                .refusals
                .iter()
                .any(|refusal| { matches!(refusal, Refusal::Region { .. } | Refusal::RegionCount { .. }) })
        );
        // other rules are not those of the function
        for (written, forged) in [("< 2^-", "< 2^-1"), (" for 2^-10", " for 2^-9"), ("~", "=")] {
            let mut certificate = certificate.clone();
            for region in &mut certificate.regions {
                if let ClassRecord::Translated { rule } = &mut region.class {
                    *rule = rule.replace(written, forged);
                }
            }
            certificate.digest = certificate.computed_digest();
            let findings = verify(&certificate, &function);
            let is_refused = findings
                .refusals
                .iter()
                .any(|refusal| matches!(refusal, Refusal::Region { .. } | Refusal::RegionCount { .. }));
            assert!(is_refused, "{forged}: {findings:?}");
        }
    }
}

/// Whether a certificate is refused for its regions when the rules of what follows are written
/// otherwise.
fn is_refused_with(certificate: &Certificate, function: &dyn Function, written: &str, forged: &str) -> bool {
    let mut certificate = certificate.clone();
    let mut changed = 0;
    for region in &mut certificate.regions {
        if let ClassRecord::Translated { rule } = &mut region.class
            && rule.contains(written)
        {
            *rule = rule.replace(written, forged);
            changed += 1;
        }
    }
    assert!(changed > 0, "{written}: no region has it");
    certificate.digest = certificate.computed_digest();
    let findings = verify(&certificate, function);
    findings
        .refusals
        .iter()
        .any(|refusal| matches!(refusal, Refusal::Region { .. } | Refusal::RegionCount { .. }))
}

/// Certificates of functions that repeat themselves at large arguments hold, are those of a search
/// of all arguments, and other rules are refused.
#[test]
fn certificates_hold_at_large() {
    let format = Format::new(8, -30, 300).unwrap();
    let problem = Problem::new(format, format, Breakpoints::All, 4).unwrap();
    for (text, forgeries) in [
        ("log2p1", [("2^64 <= x", "2^32 <= x"), ("2^64 <= x", "2^128 <= x"), ("~", "=")]),
        ("exp2m1", [("43 <= x", "42 <= x"), ("43 <= x", "44 <= x"), ("~ 2", "~ 4")]),
    ] {
        let function = parse(text).unwrap();
        let repeating = Repeating::of(&function, format);
        assert!(repeating.at_large().is_some());
        let certificate = solve(&repeating, problem);
        let coverage = Coverage::of(&certificate).unwrap();
        let left = numbers(format, 0, 301).filter(|x| coverage.known(*x).unwrap().left.is_some());
        let left: Vec<_> = left.map(|x| (x, coverage.known(x).unwrap().left)).take(9).collect();
        assert!(coverage.is_complete(), "{text}: {left:?}, {:?}", certificate.failures);
        for given in [&function as &dyn Function, &repeating] {
            let findings = verify(&certificate, given);
            assert!(findings.is_all(), "{text}: {findings:?}");
        }
        let plain = solve(&function, problem);
        assert!(verify(&plain, &function).is_all());
        let cases = |certificate: &Certificate| -> Vec<Case> {
            expand(certificate).unwrap().map(|expanded| expanded.case).collect()
        };
        // with so few bits a number from which nothing follows may be known with its neighbors
        let is_alone = |case: &&Case| {
            let x = number(&case.x);
            if text == "log2p1" { x.significand() == 1 } else { x.exponent() >= 0 }
        };
        let (own, all) = (cases(&certificate), cases(&plain));
        assert!(own.iter().filter(|case| !is_alone(case)).eq(all.iter().filter(|case| !is_alone(case))));
        assert!(all.iter().filter(is_alone).all(|case| own.contains(case)), "{text}");
        let searched = |certificate: &Certificate| {
            let regions = certificate.regions.iter().filter(|region| region.class == ClassRecord::Searched);
            regions.map(|region| region.arguments).sum::<u128>()
        };
        assert!(searched(&certificate) < searched(&plain), "{text}");
        for (written, forged) in forgeries {
            assert!(is_refused_with(&certificate, &function, written, forged), "{text}: {forged}");
        }
        // a case that follows is left out, or another one is added
        for more in [-1i64, 1] {
            let mut certificate = certificate.clone();
            let Some(rule) = certificate.rules.iter_mut().find(|rule| rule.last > rule.first + 1) else {
                continue;
            };
            rule.last += more;
            certificate.digest = certificate.computed_digest();
            assert!(!verify(&certificate, &function).refusals.is_empty(), "{text}: {more} more");
        }
    }
}

/// The hardest multiples of π of a binade are decided at the anchors of binary64, for all that
/// follow, and were not with a relative margin of 128 bits: a case is told to 24 bits.
#[test]
fn the_hardest_are_decided_at_the_anchor() {
    let double = Format::BINARY64;
    let problem = Problem::new(double, double, Breakpoints::All, 45).unwrap();
    let function = parse("tanpi").unwrap();
    let is_decided = |repeating: &Repeating<&tmd_functions::Expression>| {
        let Some(Translation::Near { anchor, .. }) = repeating.near_zero() else { panic!("it repeats") };
        [0x1b_c03d_f34e_902c_i128, 0x1b_4445_3e24_04e7, 0x14_5435_c150_60dc].map(|significand| {
            let x = Number::new(significand, anchor - 52);
            matches!(confirm(repeating, &problem, x).unwrap(), Verdict::Case(_))
        })
    };
    assert_eq!(is_decided(&Repeating::of(&function, double)), [true; 3]);
    assert_eq!(is_decided(&Repeating::with_margin(&function, double, 128, 64)), [false; 3]);
}
