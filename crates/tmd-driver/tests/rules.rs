//! Cases behind rules: each is what a confirmation by MPFR says, and all of them are there.

mod testing;

use std::{collections::BTreeSet, path::Path};

use testing::{findings, forged, walk};
use tmd_core::{Breakpoints, Format, Interrupt, Number, Problem};
use tmd_driver::{
    Certificate, Coverage, Solve,
    certificate::{ClassRecord, Expanded, Refusal, Rule, RuleStep, expand, unlikely},
    confirm::{Verdict, confirm},
    report::Case,
};
use tmd_functions::{Function, parse};
use tmd_testkit::results::certificate;

fn problem(format: Format, extra_bits: u32) -> Problem {
    testing::problem(format, Breakpoints::All, extra_bits)
}

/// All of a function.
fn solved(function: &dyn Function, format: Format, extra_bits: u32) -> Certificate {
    testing::solved(function, problem(format, extra_bits), None)
}

/// Asserts that a case is what MPFR says.
fn is_true(function: &dyn Function, problem: &Problem, expanded: &Expanded) {
    let context = format!("{} at {}", function.name(), expanded.argument);
    match confirm(function, problem, expanded.argument).unwrap() {
        Verdict::Case(case) => assert_eq!(Case::from(&case), expanded.case, "{context}"),
        other => panic!("{context}: {other:?}"),
    }
}

/// All of bfloat16, where many binades repeat: every case of the function is in the list or behind
/// a rule, once, and is what MPFR says.
#[test]
fn all_cases_of_bfloat16() {
    let problem = problem(Format::BFLOAT16, 4);
    let mut rules = 0;
    let roots = ["sqrt", "rsqrt", "cbrt", "1/x", "rootn(x,-3)", "rootn(x,5)"];
    for text in roots.into_iter().chain(["log2", "exp2", "sinpi", "cospi", "tanpi"]) {
        let function = parse(text).unwrap();
        let certificate = solved(&function, Format::BFLOAT16, 4);
        let coverage = Coverage::of(&certificate).unwrap();
        assert!(coverage.is_complete(), "{text}");
        rules += certificate.rules.len();
        let expanded: Vec<Expanded> = expand(&certificate).unwrap().collect();
        assert_eq!(expanded.len() as u128, certificate.case_count(), "{text}");
        assert!(expanded.windows(2).all(|pair| pair[0].argument < pair[1].argument), "{text}: in order");
        let of_rules = expanded.iter().filter(|case| case.rule.is_some()).count() as u64;
        assert_eq!(of_rules, certificate.rules.iter().map(Rule::count).sum::<u64>());
        for case in &expanded {
            is_true(&function, &problem, case);
        }
        let found: BTreeSet<Number> = expanded.iter().map(|case| case.argument).collect();
        // one in seven, which meets every binade
        for bits in (0..0x7f80u32).step_by(7) {
            for bits in [bits, bits | 0x8000] {
                let x = Number::from_f64(f32::from_bits(bits << 16).into()).unwrap();
                let is_case = matches!(confirm(&function, &problem, x), Ok(Verdict::Case(_)));
                assert!(
                    !is_case || found.contains(&x) || is_between(&certificate, &coverage, x),
                    "{text} at {x}"
                );
            }
        }
        // counts between any two numbers are those of the list
        let ends = [-1e30, -70.0, -1.0, -1e-30, 1e-30, 0.7, 3.0, 200.0, 1e30];
        for (first, last) in ends.iter().zip(&ends[1..]) {
            let [first, last] = [*first, *last].map(|end| Number::from_f64(end).unwrap());
            for (index, rule) in certificate.rules.iter().enumerate() {
                let listed = expanded.iter().filter(|case| case.rule == Some(index));
                let expected = listed.filter(|case| first <= case.argument && case.argument <= last).count();
                assert_eq!(rule.count_between(first, last).unwrap(), expected as u64, "{text}: {rule}");
            }
        }
    }
    assert!(rules > 30, "{rules}");
}

/// Whether all that is known at x follows from an inequality, so that no case is listed.
fn is_between(certificate: &Certificate, coverage: &Coverage, x: Number) -> bool {
    let region = coverage.known(x).unwrap().region;
    let class = &certificate.regions[region].class;
    matches!(class, ClassRecord::Between { .. } | ClassRecord::Beside { .. })
}

/// Rows of a hundred million integers, in a format of 30 bits in which sqrt(1/2) is next to a
/// number; and of binades in binary64.
#[test]
fn samples_of_long_rows() {
    let format = Format::new(30, -30, 40).unwrap();
    let problem = self::problem(format, 6);
    for (text, alternates) in [("sinpi", true), ("cospi", true)] {
        let function = parse(text).unwrap();
        let mut certificate = testing::solved(&function, self::problem(Format::BFLOAT16, 8), Some(3..4));
        let Ok(Verdict::Case(case)) = confirm(&function, &problem, Number::new(1, -2)) else {
            panic!("{text}(1/4)");
        };
        certificate.cases = vec![Case::from(&case)];
        let (first, last) = (1, 1 << 27);
        certificate.rules = vec![Rule {
            anchor: "0x1p-2".into(),
            step: RuleStep::Addend { result: 0, alternates },
            first,
            last,
            mirrored: None,
        }];
        assert_eq!(certificate.case_count(), 1 + (1 << 27));
        for case in expand(&certificate).unwrap().take(100_000).step_by(101) {
            is_true(&function, &problem, &case);
        }
        let [low, high] = [Number::new(-1, 40), Number::new(1, 26)];
        assert_eq!(certificate.rules[0].count_between(low, high).unwrap(), (1 << 26) - 1);
    }
    for name in ["cbrt", "log2"] {
        let certificate = shipped(name);
        let (function, problem) = (parse(&certificate.function).unwrap(), certificate.problem().unwrap());
        let expanded = expand(&certificate).unwrap().filter(|case| case.rule.is_some());
        for case in expanded.step_by(97) {
            is_true(&function, &problem, &case);
        }
    }
}

fn shipped(name: &str) -> Certificate {
    let results = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../results");
    Certificate::from_json(&certificate(&results, &format!("binary64/{name}"))).unwrap()
}

/// The cases of cbrt that negative numbers have: one for each that a positive number has, in every
/// binade.
#[test]
fn negative_images() {
    let certificate = shipped("cbrt");
    let mut binades = std::collections::BTreeMap::<(bool, i32), usize>::new();
    let mut as_near_as_theirs = 0;
    for case in expand(&certificate).unwrap() {
        let binade = case.argument.log2_floor().unwrap();
        let is_theirs = case.argument < Number::ZERO && binade == -1 && case.case.log2_dist < -48.0;
        as_near_as_theirs += usize::from(is_theirs);
        *binades.entry((case.argument < Number::ZERO, binade)).or_default() += 1;
    }
    let of = |is_negative: bool, binade: i32| binades.get(&(is_negative, binade)).copied().unwrap_or(0);
    assert_eq!(as_near_as_theirs, 59, "as CORE-MATH's list has in (-1, -1/2]");
    for binade in -1074..1024 {
        assert_eq!(of(true, binade), of(false, binade), "2^{binade}");
    }
    assert!((-1021..1024).all(|binade| of(false, binade) == of(false, binade.rem_euclid(3))));
}

fn refusals(certificate: &Certificate) -> Vec<Refusal> {
    let function = parse(&certificate.function).unwrap();
    findings(&function, certificate, Some(&walk()), (2, 0.01, 1)).refusals
}

/// A plan that lets binades of a root follow from numbers that nobody searched loses 16 cases in
/// each: no binade is too unlikely for its being one of many, all of them together are.
#[test]
fn binades_without_cases_are_counted_together() {
    let wider = Format::BINARY16.with_precision(13).unwrap();
    for (text, format, extra_bits) in [("rootn(x,20)", Format::BINARY16, 8), ("rootn(x,-20)", wider, 10)] {
        let function = parse(text).unwrap();
        let certificate = solved(&function, format, extra_bits);
        assert_eq!(certificate.few_together(&function).unwrap(), None, "{text}");
        // from 2^-14 to 2^-4 they follow; those of subnormal numbers stay, else these and the least
        // binade are unlikely by themselves
        let stays = |case: &Case| {
            let x = tmd_functions::parse_number(&case.x).unwrap().to_f64();
            !(f64::exp2(-14.0)..f64::exp2(-4.0)).contains(&x)
        };
        let forged = forged(&certificate, |forged| forged.cases.retain(stays));
        assert!(certificate.rules.is_empty() && forged.cases.len() + 100 < certificate.cases.len(), "{text}");
        let counts = forged.all_counts(&function).unwrap();
        assert_eq!(unlikely(&counts).len(), 0, "{text}");
        let few = forged.few_together(&function).unwrap().unwrap();
        assert!(few.probability < 1e-12 && few.expected > few.found as f64 + 60.0, "{text}: {few:?}");
        let said = refusals(&forged);
        let is_said =
            |refusal: &Refusal| matches!(refusal, Refusal::Unlikely { first, .. } if *first == few.first);
        assert!(said.iter().any(is_said), "{text}: {said:?}");
        assert!(refusals(&certificate).is_empty(), "{text}");
    }
    // no false alarm: hundreds of binades that follow, dozens of residues
    let many = Format::new(15, -126, 127).unwrap();
    for text in ["rootn(x,200)", "rootn(x,-57)", "rootn(x,1000)", "cbrt", "1/x"] {
        let function = parse(text).unwrap();
        let certificate = solved(&function, many, 12);
        assert!(certificate.case_count() > 2000, "{text}");
        assert_eq!(certificate.few_together(&function).unwrap(), None, "{text}");
    }
}

/// Of a binade whose search would take too long, the arguments next to its beginning follow: what
/// they are is asked of these, and not of the binade's middle, where all its integers' copies count
/// as one.
#[test]
fn the_beginning_of_a_binade_is_counted_by_itself() {
    let function = parse("tanpi").unwrap();
    let (walk, problem) = (walk(), problem(Format::X87_EXTENDED, 5));
    let solve = Solve { limit: 3.6e6, ..testing::solve(&function, problem, Some(58..59), &walk) };
    let certificate = solve.run(&solve.plan().unwrap(), &(), &Interrupt::new()).unwrap();
    let followed =
        certificate.regions.iter().filter(|region| matches!(region.class, ClassRecord::Mirrored { .. }));
    let followed: u128 = followed.map(|region| region.arguments).sum();
    assert!(!Coverage::of(&certificate).unwrap().is_complete() && followed > 500);
    assert!(certificate.case_count() > 100, "{}", certificate.case_count());
    assert!(refusals(&certificate).is_empty());
    let counts = certificate.all_counts(&function).unwrap();
    let followed = counts.iter().filter(|counts| counts.last.starts_with('-') && counts.found > 0);
    let beginnings: Vec<bool> = followed.map(|counts| counts.first.contains("000000")).collect();
    assert_eq!(beginnings, [true], "{counts:?}");
}
