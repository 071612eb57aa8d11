//! Against brute force: all integers of a modulus, every argument of a small format, and the walk.

use proptest::prelude::*;
use tmd_core::{Format, Number};
use tmd_functions::parse;
use tmd_simd::{Level, Simd};

use super::*;
use crate::{
    Workers,
    via::{Task, Via},
};

const KINDS: [Breakpoints; 3] = [Breakpoints::All, Breakpoints::Directed, Breakpoints::Nearest];

/// Arguments of the binade from 2^binade on, of a format with this precision.
fn binade_of(precision: u32, binade: i32) -> ArgumentRange {
    let half = 1u64 << (precision - 1);
    ArgumentRange::new(half.into(), binade + 1 - precision as i32, half)
}

fn problem(arguments: u32, results: u32, breakpoints: Breakpoints, extra_bits: u32) -> Problem {
    let [arguments, results] = [arguments, results].map(|p| Format::new(p, -500, 500).unwrap());
    Problem::new(arguments, results, breakpoints, extra_bits).unwrap()
}

fn run(problem: &Problem, range: ArgumentRange, via: Option<&Via>) -> Outcome {
    let function = parse("sqrt").unwrap();
    let task = Task { function: &function, problem, range, via };
    let outcome = task.run(Workers::cpu(&Simd::farey(Level::best()), 1), &(), &Interrupt::new()).unwrap();
    assert_eq!(outcome.searched, u128::from(range.count()));
    outcome
}

/// Lemma M.24: all square roots of all numbers of small moduli, each once.
#[test]
fn all_square_roots() {
    for k in 1..=11 {
        let modulus = 1i64 << k;
        for d in -modulus..=modulus {
            let roots: Vec<i64> = (0..modulus).filter(|m| (m * m - d) % modulus == 0).collect();
            let end = Integer::from(modulus - 1);
            let classes = square_roots(&d.into(), k);
            let mut found: Vec<i64> = Vec::new();
            for class in &classes {
                let members: Vec<Integer> = class.between(&Integer::new(), &end).collect();
                assert_eq!(class.count(&Integer::new(), &end), members.len());
                found.extend(members.iter().map(|m| m.to_i64().unwrap()));
            }
            found.sort_unstable();
            assert_eq!(found, roots, "{d} modulo 2^{k}");
        }
    }
}

proptest! {
    /// Roots modulo large powers of two, of squares that are known.
    #[test]
    fn large_square_roots(m in any::<u128>(), k in 1u32..140, shift in 0u32..80) {
        let m = Integer::from(m) << shift;
        let classes = square_roots(&Integer::from(m.square_ref()), k);
        let is_member = |class: &&Residues| (&class.residue - m.clone()).is_divisible_2pow(class.modulus);
        prop_assert_eq!(classes.iter().filter(is_member).count(), 1);
        for Residues { residue, modulus } in &classes {
            for root in [residue.clone(), residue + (Integer::from(1) << *modulus)] {
                prop_assert!((root.square() - m.clone().square()).is_divisible_2pow(k));
            }
        }
    }

    /// Classes are counted from and to any integers.
    #[test]
    fn members_of_classes(residue in 0u32..64, modulus in 0u32..6, first in -100i32..100, length in -1i32..200) {
        let class = Residues { residue: residue.into(), modulus };
        let (first, last) = (Integer::from(first), Integer::from(first + length));
        let members: Vec<Integer> = class.between(&first, &last).collect();
        prop_assert_eq!(class.count(&first, &last), members.len());
        let is_member = |m: &i32| (m - residue as i32).rem_euclid(1 << modulus) == 0;
        let expected = (first.to_i32().unwrap()..=last.to_i32().unwrap()).filter(is_member).count();
        prop_assert_eq!(members.len(), expected);
    }
}

/// Every argument of small formats, by MPFR; and how large |D| is.
#[test]
fn all_cases_of_small_formats() {
    let function = parse("sqrt").unwrap();
    let (mut pairs, mut cases, mut exact) = (0, 0, 0);
    // |D| over what it may be, and the last value of it
    let mut nearest_to_bound = 0.0f64;
    for (arguments, results) in [(5, 5), (8, 8), (11, 11), (8, 11), (11, 9), (6, 12), (12, 7)] {
        for breakpoints in KINDS {
            for extra_bits in 2..results + 2 {
                let problem = problem(arguments, results, breakpoints, extra_bits);
                for binade in [-3, -2, 0, 1, 6] {
                    let all = binade_of(arguments, binade);
                    let Some(via) = CongruenceVia::of(&function, &problem, &all) else { continue };
                    pairs += 1;
                    // a part of it, too
                    for range in [all, all.part(all.count() / 3, all.count() / 5)] {
                        let outcome = run(&problem, range, Some(&Via::Congruences(via)));
                        let mut found = Vec::new();
                        found.extend(outcome.cases.iter().map(|case| Verdict::Case(case.clone())));
                        found.extend(outcome.exact_cases.iter().map(|case| Verdict::Exact(case.clone())));
                        assert_eq!(outcome.exact_count, outcome.exact_cases.len() as u64);
                        let x = |verdict: &Verdict| match verdict {
                            Verdict::Case(case) => case.argument,
                            Verdict::Exact(case) => case.argument,
                            other => panic!("{other:?}"),
                        };
                        found.sort_by_key(x);
                        let confirmed = (0..range.count())
                            .map(|k| confirm(&function, &problem, range.argument(k)).unwrap());
                        let expected: Vec<Verdict> =
                            confirmed.filter(|verdict| *verdict != Verdict::NotHard).collect();
                        assert_eq!(found, expected, "{problem:?} {range:?}");
                        cases += outcome.cases.len();
                        exact += outcome.exact_cases.len();
                        for case in &outcome.cases {
                            let d = remainder(&via, &range, case.argument, case.breakpoint);
                            assert!(d.unsigned_abs() <= via.remainders, "{d} of {via:?}");
                            nearest_to_bound =
                                nearest_to_bound.max(d.unsigned_abs() as f64 / (via.remainders + 1) as f64);
                        }
                    }
                }
            }
        }
    }
    assert!(pairs > 200 && cases > 10_000 && exact > 1000, "{pairs} {cases} {exact}");
    // with half as many remainders cases would be lost
    assert!(nearest_to_bound > 0.9, "{nearest_to_bound}");
}

/// D of a case.
fn remainder(via: &CongruenceVia, range: &ArgumentRange, x: Number, y: Number) -> i64 {
    let integer = |number: Number, spacing: i32| {
        Integer::from(number.significand()) << u32::try_from(number.exponent() - spacing).unwrap()
    };
    let (m, x) = (integer(y, via.spacing), integer(x, range.exponent()));
    (m.square() - (x << via.modulus)).to_i64().unwrap()
}

/// In formats of 24 to 40 bits, in parts that the walk can search, and where exact cases are
/// counted only.
#[test]
fn as_the_walk() {
    let function = parse("rootn(x,2)").unwrap();
    let mut cases = 0;
    for (precision, part) in [(24, 1 << 23), (33, 1 << 26), (40, 1 << 28)] {
        for breakpoints in KINDS {
            for binade in [0, 1, -7] {
                let all = binade_of(precision, binade);
                for start in [0, all.count() / 7 * 3, all.count() - part.min(all.count())] {
                    let range = all.part(start, part);
                    let problem = problem(precision, precision, breakpoints, precision - 6);
                    let via = CongruenceVia::of(&function, &problem, &all).unwrap();
                    let ours = run(&problem, range, Some(&Via::Congruences(via)));
                    let theirs = run(&problem, range, None);
                    assert_eq!(ours.cases, theirs.cases);
                    assert_eq!(ours.exact_count, theirs.exact_count);
                    assert_eq!(ours.exact_cases, theirs.exact_cases);
                    cases += ours.cases.len();
                }
            }
        }
    }
    assert!(cases > 500, "{cases}");
    // squares of multiples of 2^-23 are too many to be listed
    let (problem, all) = (problem(48, 48, Breakpoints::All, 44), binade_of(48, 0));
    let via = CongruenceVia::of(&function, &problem, &all).unwrap();
    let outcome = run(&problem, all, Some(&Via::Congruences(via)));
    let below = |x: f64| (x.sqrt() * 2f64.powi(23)).ceil();
    assert_eq!(outcome.exact_count as f64, below(2.0) - below(1.0));
    assert!(outcome.exact_cases.is_empty() && !outcome.cases.is_empty());
}

/// What is no square root, or has results of two binades, or too many pairs, is searched.
#[test]
fn where_there_are_none() {
    let is_there = |function: &str, problem: &Problem, range: &ArgumentRange| {
        CongruenceVia::of(&parse(function).unwrap(), problem, range).is_some()
    };
    let (hard, range) = (problem(53, 53, Breakpoints::All, 45), binade_of(53, 0));
    assert!(is_there("sqrt", &hard, &range));
    for function in ["rsqrt", "cbrt", "sqrt(2*x)", "rootn(x,3)", "rootn(x,-2)", "x^2", "-sqrt(x)"] {
        assert!(!is_there(function, &hard, &range), "{function}");
    }
    let (three, four) = (ArgumentRange::new(3, 0, 1), ArgumentRange::new(3, 0, 2));
    assert!(is_there("sqrt", &hard, &three) && !is_there("sqrt", &hard, &four));
    assert!(!is_there("sqrt", &hard, &ArgumentRange::new(0, -1074, 10)));
    assert!(!is_there("sqrt", &problem(53, 53, Breakpoints::All, 30), &range), "too many");
    assert!(!is_there("sqrt", &problem(53, 20, Breakpoints::All, 15), &range), "most arguments are cases");
}
