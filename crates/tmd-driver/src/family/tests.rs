use super::*;
use proptest::prelude::*;
use tmd_core::{Breakpoints, Format, lattice3::Exact};
use tmd_functions::{Builtin, Expression};

/// What a search should find.
#[derive(Debug, PartialEq)]
struct Found {
    cases: Vec<HrCase>,
    exact: Vec<ExactCase>,
}

/// Every argument of the ranges, one by one with MPFR; none where the result overflows.
fn brute(function: &dyn Function, problem: &Problem, ranges: &[ArgumentRange]) -> Found {
    let mut found = Found { cases: Vec::new(), exact: Vec::new() };
    for range in ranges {
        for k in 0..range.count() {
            match confirm(function, problem, range.argument(k)).unwrap() {
                Verdict::NotHard => {}
                Verdict::Case(case) => found.cases.push(case),
                Verdict::Exact(case) => found.exact.push(case),
                Verdict::Undecided { argument, .. } => panic!("{argument}"),
            }
        }
    }
    let value = |x: Number| Rational::from(x.significand()) * power_of_two(x.exponent());
    found.cases.sort_by_cached_key(|case| value(case.argument));
    found.exact.sort_by_cached_key(|case| value(case.argument));
    found
}

fn binade(format: Format, exponent: i32, negative: bool) -> ArgumentRange {
    let half = 1i128 << (format.precision() - 1);
    let first = if negative { 1 - 2 * half } else { half };
    ArgumentRange::new(first, format.ulp_exponent(exponent), half as u64)
}

const BREAKPOINTS: [Breakpoints; 3] = [Breakpoints::Directed, Breakpoints::Nearest, Breakpoints::All];

/// A question about a family of periods.
#[derive(Clone, Copy, Debug)]
struct Periods {
    builtin: Builtin,
    precision: u32,
    exponent: i32,
    is_negative: bool,
    breakpoints: Breakpoints,
    extra_bits: u32,
    volume: f64,
    windows: u32,
    threads: usize,
}

impl Periods {
    fn check(self) -> Result<FamilyOutcome, TestCaseError> {
        let format = Format::custom(self.precision).unwrap();
        let problem = Problem::new(format, format, self.breakpoints, self.extra_bits).unwrap();
        let function = Expression::function(self.builtin);
        let range = binade(format, self.exponent, self.is_negative);
        let search = FamilySearch {
            function: &function,
            family: Family::of(self.builtin).unwrap(),
            problem,
            engine: &Exact { volume: self.volume, windows: self.windows },
            threads: self.threads,
        };
        let outcome = search.run(&range, &Interrupt::new()).unwrap();
        let expected = brute(&function, &problem, &[range]);
        prop_assert_eq!(&outcome.left, &Vec::new());
        prop_assert_eq!(&outcome.undecided, &Vec::new());
        prop_assert_eq!((&outcome.cases, &outcome.exact_cases), (&expected.cases, &expected.exact), "{:?}", self);
        Ok(outcome)
    }
}

fn periods(precisions: std::ops::RangeInclusive<u32>) -> impl Strategy<Value = Periods> {
    let function = prop::sample::select(vec![Builtin::Sin, Builtin::Cos, Builtin::Tan, Builtin::Exp, Builtin::Exp10]);
    let volume = prop::sample::select(vec![0.02, 0.2, 1.0, 4.0, 50.0]);
    (function, precisions, 3i32..=120, any::<bool>(), prop::sample::select(BREAKPOINTS.to_vec()), 0u32..8, volume, 0u32..9, 1usize..3)
        .prop_map(|(builtin, precision, exponent, is_negative, breakpoints, fewer, volume, log, threads)| {
            let is_exponential = matches!(builtin, Builtin::Exp | Builtin::Exp10);
            // 2^18·log2(10) is in the exponent range of custom formats
            let exponent = if is_exponential { exponent % 18 } else { exponent };
            let extra_bits = (precision - 3).saturating_sub(fewer).max(2);
            Periods { builtin, precision, exponent, is_negative, breakpoints, extra_bits, volume, windows: 1 << log, threads }
        })
}

/// A question about a family of exponents.
fn exponents(
    builtin: Builtin,
    precision: u32,
    ends: (i32, i32),
    breakpoints: Breakpoints,
    extra_bits: u32,
    engine: Exact,
) -> Result<FamilyOutcome, TestCaseError> {
    let format = Format::custom(precision).unwrap();
    let problem = Problem::new(format, format, breakpoints, extra_bits).unwrap();
    let function = Expression::function(builtin);
    let search =
        FamilySearch { function: &function, family: Family::of(builtin).unwrap(), problem, engine: &engine, threads: 1 };
    let outcome = search.run_exponents(ends.0, ends.1, &Interrupt::new()).unwrap();
    let is_left = |e: i32| (-1..=0).contains(&e);
    let left: Vec<ArgumentRange> =
        (ends.0..=ends.1).filter(|&e| is_left(e)).map(|e| binade(format, e, false)).collect();
    prop_assert_eq!(&outcome.left, &left);
    let searched: Vec<ArgumentRange> =
        (ends.0..=ends.1).filter(|&e| !is_left(e)).map(|e| binade(format, e, false)).collect();
    let expected = brute(&function, &problem, &searched);
    // an argument that is left may be found all the same: it is a case
    let is_in = |x: Number| searched.iter().any(|range| Some(range.argument(0).log2_floor()) == Some(x.log2_floor()));
    let cases: Vec<&HrCase> = outcome.cases.iter().filter(|case| is_in(case.argument)).collect();
    prop_assert_eq!(cases, expected.cases.iter().collect::<Vec<_>>(), "{} {} {:?} {}", builtin, precision, ends, breakpoints);
    prop_assert_eq!(&outcome.exact_cases, &expected.exact);
    Ok(outcome)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, max_shrink_iters: 40, ..ProptestConfig::default() })]
    #[test]
    fn periods_are_brute_force(question in periods(8..=12)) {
        question.check()?;
    }

    #[test]
    fn exponents_are_brute_force(
        log10 in any::<bool>(), precision in 8u32..=11, from in -30i32..30, count in 0i32..30,
        breakpoints in prop::sample::select(BREAKPOINTS.to_vec()), volume in prop::sample::select(vec![0.05, 1.0, 10.0]), log in 0u32..8,
    ) {
        let builtin = if log10 { Builtin::Log10 } else { Builtin::Ln };
        let engine = Exact { volume, windows: 1 << log };
        exponents(builtin, precision, (from, from + count), breakpoints, precision - 2, engine)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, max_shrink_iters: 20, ..ProptestConfig::default() })]
    #[test]
    #[ignore = "an hour"]
    fn thousands_of_periods_are_brute_force(question in periods(12..=18)) {
        question.check()?;
    }

    #[test]
    #[ignore = "an hour"]
    fn thousands_of_exponents_are_brute_force(
        log10 in any::<bool>(), precision in 8u32..=16, from in -120i32..100, count in 0i32..40,
        breakpoints in prop::sample::select(BREAKPOINTS.to_vec()), volume in prop::sample::select(vec![0.05, 0.3, 1.0, 10.0]), log in 0u32..8,
    ) {
        let builtin = if log10 { Builtin::Log10 } else { Builtin::Ln };
        let engine = Exact { volume, windows: 1 << log };
        exponents(builtin, precision, (from, from + count), breakpoints, precision - 2, engine)?;
    }
}

/// The lanes' list is the exact walk's, and they did look: precision 24, where cases are few and windows many.
#[test]
fn lanes_find_the_same_cases() {
    let format = Format::custom(24).unwrap();
    let problem = Problem::new(format, format, Breakpoints::All, 23).unwrap();
    let (mut cases, mut windows) = (0, 0);
    let questions = [(Builtin::Sin, 30), (Builtin::Cos, 100), (Builtin::Tan, 77), (Builtin::Exp10, 12), (Builtin::Ln, 60)];
    for (builtin, exponent) in questions {
        let function = Expression::function(builtin);
        let search = |engine: &dyn Engine| {
            let family = Family::of(builtin).unwrap();
            let search = FamilySearch { function: &function, family, problem, engine, threads: 2 };
            if family.repetition() == Repetition::Doubling {
                search.run_exponents(exponent - 50, exponent, &Interrupt::new()).unwrap()
            } else {
                search.run(&binade(format, exponent, false), &Interrupt::new()).unwrap()
            }
        };
        let exact = search(&Exact::default());
        let lanes = search(&tmd_simd::lattice3::Lattice3::new(tmd_simd::Level::best()));
        assert_eq!(lanes.cases, exact.cases, "{builtin}");
        cases += exact.cases.len();
        windows += lanes.counters.windows;
    }
    assert!(cases > 10 && windows > 100_000, "{cases} cases, {windows} windows");
}
