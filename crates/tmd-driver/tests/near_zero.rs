//! One binade for all below: functions that are nearly a multiple of x next to 0, in small formats,
//! against every argument decided by itself.

use std::collections::BTreeMap;

use tmd_core::{Breakpoints, Format, Interrupt, Number, Problem};
use tmd_driver::{
    Certificate, Coverage, Solve, Workers,
    certificate::{
        ClassRecord, Refusal, Verification, expand,
        verify::{Extent, Findings},
    },
    confirm::{Verdict, confirm},
    coverage::Left,
    report::Case,
};
use tmd_functions::{Function, Repeating, Translation, parse};
use tmd_simd::{Level, Simd, SimdEngine};

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

/// What was met.
#[derive(Default)]
struct Met {
    cases: u64,
    rules: usize,
    undecided: u64,
    others: u64,
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
    let coverage = Coverage::of(&certificate).unwrap();
    met.rules += certificate.rules.len();
    let mut cases: BTreeMap<Number, Case> =
        expand(&certificate).unwrap().map(|expanded| (expanded.argument, expanded.case)).collect();
    // all below the anchor, which is what follows from it and what is left of the subnormal numbers
    for x in numbers(format, format.ulp_exponent(format.min_exponent()), anchor + 1) {
        let verdict = confirm(&function, &problem, x).unwrap();
        let known = coverage.known(x).unwrap();
        let listed = cases.remove(&x);
        if let Some(left) = known.left {
            assert_eq!(left, Left::Undecided, "{context}: {x}");
            assert_eq!(listed, None, "{context}: {x} is undecided");
            met.undecided += 1;
            continue;
        }
        let class = &certificate.regions[known.region].class;
        let is_known = matches!(class, ClassRecord::Between { .. } | ClassRecord::Beside { .. });
        match (verdict, listed) {
            (Verdict::Case(case), Some(listed)) => {
                assert_eq!(essence(&Case::from(&case)), essence(&listed), "{context}: {x}");
                met.cases += 1;
            }
            (Verdict::Case(_), None) if is_known => {}
            (Verdict::NotHard, None) => met.others += 1,
            (verdict, listed) => panic!("{context}: {x} is {verdict:?}, and the list says {listed:?}"),
        }
    }
    let bound = Number::new(1, anchor + 1);
    let beyond = cases.keys().all(|x| *x >= bound || *x <= Number::new(-1, anchor + 1));
    assert!(beyond, "{context}: cases that are none");
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
    for (i, text) in FUNCTIONS.into_iter().enumerate() {
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
    assert!(cases > 10_000 && undecided > 1_000 && others > 10_000, "{cases}, {undecided}, {others}");
}

/// Rows that are long enough to be rules, of both signs, and more bits.
#[test]
fn long_rows() {
    let mut met = Met::default();
    for text in ["asinpi", "exp2m1", "log10p1", "-exp2m1(x)/3"] {
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
