use super::*;
use crate::confirm::confirm;
use proptest::prelude::*;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use tmd_core::{
    Breakpoints, CoreError, Format,
    lattice3::{Candidate, Exact, Segment, Unwieldy, Walk},
};
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
            match confirm_or_beyond(function, problem, range.argument(k)).unwrap() {
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
    function: &'static str,
    precision: u32,
    exponent: i32,
    /// how many from there on
    binades: i32,
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
        let function: Expression = self.function.parse().unwrap();
        let family = Family::of_expression(&function).unwrap();
        let mut ranges: Vec<ArgumentRange> = (self.exponent..self.exponent + self.binades)
            .map(|exponent| binade(format, exponent, self.is_negative))
            .collect();
        if self.is_negative {
            ranges.reverse();
        }
        let search = FamilySearch {
            function: &function,
            family,
            problem,
            engine: &Exact { volume: self.volume, windows: self.windows },
            threads: self.threads,
            turns: None,
            binades: 1,
        };
        let outcome = search.run(&ranges, &Interrupt::new()).unwrap();
        // a relative's arguments that are not large are left, and all of them where they are
        // negative
        prop_assert!(outcome.left.is_empty() || family.is_relative(), "{:?}", outcome.left);
        for range in &mut ranges {
            let own = outcome.left.iter().filter(|left| left.exponent() == range.exponent());
            let left: u64 = own.clone().map(ArgumentRange::count).sum();
            prop_assert!(left == range.count() || own.clone().all(|left| left.first() == range.first()));
            *range = range.part(left, range.count() - left);
        }
        let expected = brute(&function, &problem, &ranges);
        prop_assert_eq!(&outcome.undecided, &Vec::new());
        prop_assert_eq!(
            (&outcome.cases, &outcome.exact_cases),
            (&expected.cases, &expected.exact),
            "{:?}",
            self
        );
        Ok(outcome)
    }
}

const PERIODS: [&str; 22] = [
    "sin",
    "cos",
    "tan",
    "exp",
    "exp10",
    "sinh",
    "cosh",
    "expm1",
    "exp10m1",
    "-sin(5*x/8)/4",
    "tan(-3*x)",
    "8*exp(-x/4)",
    "exp10(7*x)/2",
    "cosh(3*x/2)",
    "3*sin(x)",
    "-7*tan(x)/2",
    "5*exp(x)/8",
    "-1023*exp10(3*x)",
    "77*sinh(x)",
    "exp(x)-40",
    "9-exp10(x/2)",
    "3*cosh(x)+1/3",
];

fn periods(precisions: std::ops::RangeInclusive<u32>) -> impl Strategy<Value = Periods> {
    let volume = prop::sample::select(vec![0.02, 0.2, 1.0, 4.0, 50.0]);
    (
        prop::sample::select(PERIODS.to_vec()),
        precisions,
        (3i32..=120, 1i32..=5),
        any::<bool>(),
        prop::sample::select(BREAKPOINTS.to_vec()),
        0u32..8,
        volume,
        0u32..9,
        1usize..3,
    )
        .prop_map(
            |(
                function,
                precision,
                (exponent, binades),
                is_negative,
                breakpoints,
                fewer,
                volume,
                log,
                threads,
            )| {
                let family = Family::of_expression(&function.parse().unwrap()).unwrap();
                // relatives are near their functions soon
                let (exponent, is_negative) = match family {
                    _ if family.is_relative() => (2 + exponent % 4, is_negative && exponent % 8 == 0),
                    // 7·2^15·log2(10) is in the exponent range of custom formats
                    _ if family.is_exponential() => (exponent % 11, is_negative),
                    _ => (exponent, is_negative),
                };
                let extra_bits = (precision - 3).saturating_sub(fewer).max(2);
                Periods {
                    function,
                    precision,
                    exponent,
                    binades,
                    is_negative,
                    breakpoints,
                    extra_bits,
                    volume,
                    windows: 1 << log,
                    threads,
                }
            },
        )
}

const LOGARITHMS: [&str; 12] = [
    "log",
    "log10",
    "logp1",
    "log10p1",
    "asinh",
    "acosh",
    "log(x/8)",
    "-log10(4*x)*2",
    "3*log(x)",
    "-5*log10(2*x)/8",
    "77*logp1(x)",
    "-1023*asinh(x/4)",
];

/// A question about a family of exponents.
fn exponents(
    name: &str,
    precision: u32,
    ends: (i32, i32),
    breakpoints: Breakpoints,
    extra_bits: u32,
    engine: Exact,
    binades: u32,
) -> Result<FamilyOutcome, TestCaseError> {
    let format = Format::custom(precision).unwrap();
    let problem = Problem::new(format, format, breakpoints, extra_bits).unwrap();
    let function: Expression = name.parse().unwrap();
    let family = Family::of_expression(&function).unwrap();
    let binades = if breakpoints == Breakpoints::Nearest { 1 } else { binades };
    let search = FamilySearch {
        function: &function,
        family,
        problem,
        engine: &engine,
        threads: 1,
        turns: None,
        binades,
    };
    doubling::tests::ANY_HEIGHT.set(true);
    let outcome = search.run_exponents(ends.0, ends.1, &Interrupt::new()).unwrap();
    doubling::tests::ANY_HEIGHT.set(false);
    let is_left = |e: i32| !search.has_exponent(e);
    // which are the first exponents only, and not too many
    let next_to_one = (-1..=0).map(|e| e - family.factor().1);
    let first = if family.is_relative() { 2 * precision as i32 + 4 } else { 1 };
    for e in ends.0..=ends.1 {
        let expected = next_to_one.clone().any(|other| other == e);
        prop_assert!(
            is_left(e) == expected || family.is_relative() && (expected || e < first),
            "{} {}",
            name,
            e
        );
    }
    let left: Vec<ArgumentRange> =
        (ends.0..=ends.1).filter(|&e| is_left(e)).map(|e| binade(format, e, false)).collect();
    prop_assert_eq!(&outcome.left, &left);
    let searched: Vec<ArgumentRange> =
        (ends.0..=ends.1).filter(|&e| !is_left(e)).map(|e| binade(format, e, false)).collect();
    let expected = brute(&function, &problem, &searched);
    // an argument that is left may be found all the same: it is a case
    let is_in =
        |x: Number| searched.iter().any(|range| Some(range.argument(0).log2_floor()) == Some(x.log2_floor()));
    let cases: Vec<&HrCase> = outcome.cases.iter().filter(|case| is_in(case.argument)).collect();
    prop_assert_eq!(
        cases,
        expected.cases.iter().collect::<Vec<_>>(),
        "{} {} {:?} {}",
        name,
        precision,
        ends,
        breakpoints
    );
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
        name in prop::sample::select(LOGARITHMS.to_vec()), precision in 8u32..=11, from in -30i32..30, count in 0i32..30,
        breakpoints in prop::sample::select(BREAKPOINTS.to_vec()), volume in prop::sample::select(vec![0.05, 1.0, 10.0]), log in 0u32..8,
        binades in 1u32..=5,
    ) {
        let engine = Exact { volume, windows: 1 << log };
        exponents(name, precision, (from, from + count), breakpoints, precision - 2, engine, binades)?;
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
        name in prop::sample::select(LOGARITHMS.to_vec()), precision in 8u32..=16, from in -120i32..100, count in 0i32..40,
        breakpoints in prop::sample::select(BREAKPOINTS.to_vec()), volume in prop::sample::select(vec![0.05, 0.3, 1.0, 10.0]), log in 0u32..8,
        binades in 1u32..=5,
    ) {
        let engine = Exact { volume, windows: 1 << log };
        exponents(name, precision, (from, from + count), breakpoints, precision - 2, engine, binades)?;
    }
}

/// The lanes' list is the exact walk's where lanes decide: arcs of binary64, near enough to
/// breakpoints that nearly no window is searched exactly.
#[test]
fn lanes_find_the_same_cases() {
    let (mut cases, mut windows, mut exactly) = (0, 0, 0);
    let questions = [
        (Builtin::Sin, 1000, -21, 32),
        (Builtin::Cos, 100, -21, 32),
        (Builtin::Tan, 1023, -21, 32),
        (Builtin::Exp10, 7, -19, 37),
        (Builtin::Ln, 600, -17, 39),
    ];
    for (builtin, exponent, width, extra_bits) in questions {
        let problem = Problem::new(Format::BINARY64, Format::BINARY64, Breakpoints::All, extra_bits).unwrap();
        let function = Expression::function(builtin);
        let family = Family::of(builtin).unwrap();
        let is_doubling = family.repetition() == Repetition::Doubling;
        let from = Rational::from(if is_doubling { (5, 7) } else { (1, 7) });
        let search = |engine: &dyn Engine| {
            let turns = Some((from.clone(), from.clone() + power_of_two(width)));
            let search =
                FamilySearch { function: &function, family, problem, engine, threads: 2, turns, binades: 1 };
            if is_doubling {
                search.run_exponents(exponent - 3, exponent, &Interrupt::new()).unwrap()
            } else {
                search.run(&[binade(Format::BINARY64, exponent, false)], &Interrupt::new()).unwrap()
            }
        };
        let exact = search(&Exact::default());
        // of one width, whatever the lanes: how near cases must be depends on it
        let engine = tmd_simd::lattice3::Lattice3::new(tmd_simd::Level::best());
        let lanes = search(&tmd_simd::lattice3::Lattice3 { volume: Some(2.0), ..engine });
        assert_eq!(lanes.cases, exact.cases, "{builtin}");
        cases += exact.cases.len();
        windows += lanes.counters.windows;
        exactly += lanes.counters.occupied;
    }
    let said = format!("{cases} cases, {exactly} of {windows} windows exactly");
    assert!(cases > 5 && windows > 50_000 && exactly < windows / 100, "{said}");
}

/// Exponentials, and relatives of them, in a format whose least normal number is above 1: the unit
/// function's results would be none of its numbers, and are measured in ulps all the same.
#[test]
fn exponentials_above_one() {
    for (builtin, exponents) in [(Builtin::Exp, 3..=5), (Builtin::Exp10, 3..=4), (Builtin::Cosh, 4..=5)] {
        let function = Expression::function(builtin);
        let format = Format::new(12, 3, 60).unwrap();
        for breakpoints in BREAKPOINTS {
            let problem = Problem::new(format, format, breakpoints, 5).unwrap();
            let ranges: Vec<_> = exponents.clone().map(|exponent| binade(format, exponent, false)).collect();
            let search = FamilySearch {
                function: &function,
                family: Family::of(builtin).unwrap(),
                problem,
                engine: &Exact::default(),
                threads: 1,
                turns: None,
                binades: 1,
            };
            let outcome = search.run(&ranges, &Interrupt::new()).unwrap();
            let (left, all) =
                (brute(&function, &problem, &outcome.left), brute(&function, &problem, &ranges));
            let expected: Vec<_> = all.cases.iter().filter(|case| !left.cases.contains(case)).collect();
            assert!(expected.len() > 20, "{builtin}: {} cases", expected.len());
            assert_eq!(outcome.cases.iter().collect::<Vec<_>>(), expected, "{builtin} {breakpoints}");
        }
    }
}

/// Where relatives are searched with the family next to them, in binary64 with 45 extra bits:
/// section 8 of docs/proofs/lattice3.md has these numbers.
#[test]
fn where_relatives_begin() {
    let problem = Problem::new(Format::BINARY64, Format::BINARY64, Breakpoints::All, 45).unwrap();
    let begin = |builtin: Builtin| {
        let function = Expression::function(builtin);
        let family = Family::of(builtin).unwrap();
        let engine = Exact::default();
        let search = FamilySearch {
            function: &function,
            family,
            problem,
            engine: &engine,
            threads: 1,
            turns: None,
            binades: 1,
        };
        if family.repetition() == Repetition::Doubling {
            f64::from((2..200).find(|&exponent| search.has_exponent(exponent)).unwrap())
        } else {
            (family.least(search.wanted(0) + 1).to_f64() * 10.0).ceil() / 10.0
        }
    };
    let all = [Builtin::Sinh, Builtin::Cosh, Builtin::Expm1, Builtin::Logp1, Builtin::Asinh, Builtin::Acosh];
    let page = include_str!("../../../../docs/proofs/lattice3.md").replace('\n', " ");
    let [sinh, cosh, expm1, logp1, asinh, acosh] = all.map(begin);
    assert!(sinh == cosh && asinh == acosh);
    let sentence = format!(
        "sinh and cosh below {sinh}, expm1 below {expm1}, logp1 below 2^{logp1}, asinh and acosh below 2^{asinh}"
    );
    assert!(page.contains(&sentence), "{sentence}");
}

fn exact(x: Number) -> Rational {
    Rational::from(x.significand()) * power_of_two(x.exponent())
}

/// The turn of an argument in [0, 1/2] or [0, 1), or its significand in [1/2, 1), within 2^-150.
fn turn(family: Family, x: Number) -> Rational {
    if family.repetition() == Repetition::Doubling {
        return exact(x) / power_of_two(x.log2_floor().unwrap() + 1);
    }
    let theta = family.rotation(x.exponent(), 250).unwrap() * Integer::from(x.significand());
    let mut turn = Rational::from(theta.keep_bits(250)) / power_of_two(250);
    if turn < 0 {
        turn += 1;
    }
    if family.is_symmetric() && turn > Rational::from((1, 2)) { Rational::from(1) - turn } else { turn }
}

/// Some windows of binary64 around an argument: what both engines find there.
fn around(builtin: Builtin, x: Number, reach: i32, extra_bits: u32) -> Vec<HrCase> {
    let format = Format::BINARY64;
    let function = Expression::function(builtin);
    let family = Family::of(builtin).unwrap();
    let middle = turn(family, x);
    let turns = Some((middle.clone() - power_of_two(reach), middle + power_of_two(reach)));
    let problem = Problem::new(format, format, Breakpoints::All, extra_bits).unwrap();
    let exponent = x.log2_floor().unwrap();
    let lists =
        [&Exact::default() as &dyn Engine, &tmd_simd::lattice3::Lattice3::new(tmd_simd::Level::best())].map(
            |engine| {
                let search = FamilySearch {
                    function: &function,
                    family,
                    problem,
                    engine,
                    threads: 1,
                    turns: turns.clone(),
                    binades: 1,
                };
                let outcome = match family.repetition() {
                    Repetition::Doubling => {
                        search.run_exponents(exponent.min(-500), exponent.max(500), &Interrupt::new())
                    }
                    Repetition::Period => {
                        search.run(&[binade(format, exponent, x.significand() < 0)], &Interrupt::new())
                    }
                };
                outcome.unwrap().cases
            },
        );
    assert_eq!(lists[0], lists[1], "{builtin} around {x}");
    lists[0].clone()
}

/// Cases that V. Lefèvre and J.-M. Muller published ("Worst cases for correct rounding of the
/// elementary functions in double precision", 2003) are found in their windows.
#[test]
fn published_cases() {
    let published = [
        (Builtin::Exp, 0x0015_4cd1_fea7_663a, 7, 55),
        (Builtin::Exp, 0x0011_c11f_1687_d68f, 7, 52),
        (Builtin::Exp, 0x0018_3d4b_cdeb_b3f4, 2, 57),
        (Builtin::Ln, 0x0016_2a88_6136_29b6, 678, 64),
        (Builtin::Ln, 0x001e_a71d_85ce_e020, -509, 60),
        (Builtin::Ln, 0x0019_476e_304c_d7c7, -384, 60),
        (Builtin::Ln, 0x0012_6e9c_4d32_7960, -232, 60),
    ];
    for (builtin, significand, exponent, bits) in published {
        let x = Number::new(significand, exponent - 52);
        let reach = if builtin == Builtin::Ln { -24 } else { -29 };
        let found = around(builtin, x, reach, 40);
        let case = found.iter().find(|case| case.argument == x);
        assert_eq!(case.map(|case| case.identical_bits), Some(bits), "{builtin}({x}): {found:?}");
    }
}

/// The cases among the arguments of a range with turns between two, or whose negatives' are, one by
/// one.
fn one_by_one(
    function: &dyn Function,
    problem: &Problem,
    range: &ArgumentRange,
    (from, to): (&Rational, &Rational),
) -> Vec<HrCase> {
    // by their turns, in 128 bits
    let bits = 126;
    let theta = function.family().unwrap().rotation(range.exponent(), bits).unwrap();
    let units = |turn: &Rational| (turn.clone() * power_of_two(bits as i32)).floor().into_numer_denom().0;
    let mut cases = Vec::new();
    for is_mirrored in [false, true] {
        let high = if is_mirrored { -units(from) } else { units(to) };
        let width = units(to) - units(from);
        let above = (high - Integer::from(range.first()) * &theta).keep_bits(bits);
        let above = if above < 0 { above + (Integer::from(1) << bits) } else { above };
        let [a, b, width] = [theta.clone(), above, width].map(|n| n.to_u128().unwrap());
        for (x, _) in tmd_core::contfrac::arc_hits(a, b, 1 << bits, range.count().into(), width).unwrap() {
            match confirm(function, problem, range.argument(x as u64)).unwrap() {
                Verdict::Case(case) => cases.push(case),
                verdict => assert_eq!(verdict, Verdict::NotHard),
            }
        }
    }
    cases
}

/// Some windows in [2^1023, 2^1024), and in [2^16383, 2^16384) of x87's format, and all their
/// arguments one by one: an eighth of a million each.
#[test]
fn the_largest_arguments_are_brute_force() {
    let x87 = Format::new(64, -16_382, 16_383).unwrap();
    let width = |format: Format| power_of_two(16 - format.precision() as i32);
    let half = Rational::from((1, 2)) - width(Format::BINARY64);
    let questions = [
        (Format::BINARY64, Builtin::Sin, Rational::from((1, 7))),
        (Format::BINARY64, Builtin::Cos, Rational::from((3, 11))),
        (Format::BINARY64, Builtin::Tan, Rational::from((5, 13))),
        (x87, Builtin::Sin, Rational::from((2, 9))),
        // next to extrema, from that end of the circle where they are
        (Format::BINARY64, Builtin::Sin, half),
        (Format::BINARY64, Builtin::Cos, Rational::new()),
    ];
    for (format, builtin, from) in tmd_testkit::one_in(questions.len(), questions) {
        let problem = Problem::new(format, format, Breakpoints::All, 15).unwrap();
        let function = Expression::function(builtin);
        let family = Family::of(builtin).unwrap();
        let range = binade(format, format.max_exponent(), false);
        let to = from.clone() + width(format);
        let turns = Some((from.clone(), to.clone()));
        let search = FamilySearch {
            function: &function,
            family,
            problem,
            engine: &Exact::default(),
            threads: 1,
            turns,
            binades: 1,
        };
        let found = search.run(&[range], &Interrupt::new()).unwrap();
        let expected = one_by_one(&function, &problem, &range, (&from, &to));
        assert!(expected.len() > 2, "{} cases", expected.len());
        let is_found = |case: &HrCase| found.cases.iter().any(|other| other == case);
        for case in &expected {
            assert!(is_found(case), "{builtin}: {case:?} is missing");
        }
        // windows are whole, and may reach a little further
        assert!(found.cases.len() < 4 * expected.len() + 10, "{} of {}", found.cases.len(), expected.len());
    }
}

/// Next to a pole windows end where they hold hardly any argument: there some of tan's in [2^1023,
/// 2^1024) are listed, those next to them are not, and hardly any window is searched exactly.
#[test]
fn windows_end_next_to_a_pole() {
    let format = Format::BINARY64;
    let problem = Problem::new(format, format, Breakpoints::All, 10).unwrap();
    let function = Expression::function(Builtin::Tan);
    let family = Family::of(Builtin::Tan).unwrap();
    let range = binade(format, format.max_exponent(), false);
    let lanes = tmd_simd::lattice3::Lattice3::new(tmd_simd::Level::best());
    // the distance from the pole, over 2^-36, where windows end
    let [near, far] =
        [97, 105].map(|x| Rational::from((1, 2)) - Rational::from((x, 100)) * power_of_two(-36));
    let (from, to) = (far, near);
    let turns = Some((from.clone(), to.clone()));
    let search =
        FamilySearch { function: &function, family, problem, engine: &lanes, threads: 1, turns, binades: 1 };
    let found = search.run(&[range], &Interrupt::new()).unwrap();
    assert!(found.listed > 1000 && found.listed < 20_000, "{} listed", found.listed);
    let (windows, exactly) = (found.counters.windows, found.counters.occupied);
    // lanes of any width, whose cost models choose windows of their own
    assert!(windows > 100_000 && exactly < windows / 16, "{exactly} of {windows} windows");
    let expected = one_by_one(&function, &problem, &range, (&from, &to));
    assert!(expected.len() > 20, "{} cases", expected.len());
    for case in &expected {
        assert!(found.cases.contains(case), "{case:?} is missing");
    }
}

/// Both signs at once: what is listed next to a zero has arguments of an index and of its negative,
/// and mirror images of both; each is confirmed once, and none is taken for another.
#[test]
fn both_signs_next_to_a_zero() {
    let format = Format::new(13, -40, 40).unwrap();
    let problem = Problem::new(format, format, Breakpoints::All, 5).unwrap();
    let function = Expression::function(Builtin::Sin);
    let family = Family::of(Builtin::Sin).unwrap();
    let ranges = [true, false].map(|negative| binade(format, 20, negative));
    let engine = Exact::default();
    let search = FamilySearch {
        function: &function,
        family,
        problem,
        engine: &engine,
        threads: 1,
        turns: None,
        binades: 1,
    };
    let found = search.run(&ranges, &Interrupt::new()).unwrap();
    let mut expected = 0;
    for range in &ranges {
        for k in 0..range.count() {
            if let Verdict::Case(case) = confirm(&function, &problem, range.argument(k)).unwrap() {
                assert_eq!(found.cases.iter().filter(|other| **other == case).count(), 1, "{case:?}");
                expected += 1;
            }
        }
    }
    assert!(expected > 100 && found.cases.len() == expected, "{} of {expected}", found.cases.len());
    assert!(found.listed > 100, "{} listed", found.listed);
}

/// A rotation as good as rational: a multiple of it is next to a whole turn, so that the points of
/// windows are on few lines. Of all binades these are the three with the largest quotients.
#[test]
fn nearly_rational_rotations_are_brute_force() {
    let precision = 13;
    for (name, builtin) in [("sin", Builtin::Sin), ("tan", Builtin::Tan)] {
        let family = Family::of(builtin).unwrap();
        // of the convergents p/q of Θ with q below a binade's number of arguments
        let largest_quotient = |exponent: i32| {
            let theta = family.rotation(exponent - precision as i32 + 1, 200).unwrap();
            let (mut a, mut b): (Integer, Integer) = (Integer::from(1) << 200, theta);
            let (mut before, mut q, mut largest) = (Integer::new(), Integer::from(1), Integer::new());
            while q < 1 << (precision - 1) {
                let (quotient, rest) = a.div_rem(b.clone());
                (a, b) = (b, rest);
                let next = Integer::from(&quotient * &q) + &before;
                (before, q) = (q, next);
                largest = largest.max(quotient);
            }
            largest
        };
        let mut binades: Vec<i32> = (3..=120).collect();
        binades.sort_by_cached_key(|&exponent| largest_quotient(exponent));
        let best = &binades[binades.len() - 3..];
        assert!(largest_quotient(best[0]) > 64, "{best:?}");
        for &exponent in best {
            for (volume, windows) in [(0.2, 16), (1.0, 256), (8.0, 4)] {
                let question = Periods {
                    function: name,
                    precision,
                    exponent,
                    binades: 1,
                    is_negative: false,
                    breakpoints: Breakpoints::All,
                    extra_bits: 6,
                    volume,
                    windows,
                    threads: 1,
                };
                let found = question.check().unwrap();
                assert!(found.cases.len() > 20 && found.counters.windows > 0);
            }
        }
    }
}

/// Families of a format's exponents, problems in it, and the cases among all of its arguments
/// between two exponents.
fn in_format(name: &str, format: Format, ends: (i32, i32)) -> (Vec<ArgumentRange>, FamilyOutcome, Found) {
    let problem = Problem::new(format, format, Breakpoints::All, 6).unwrap();
    let function: Expression = name.parse().unwrap();
    let family = Family::of_expression(&function).unwrap();
    let engine = &Exact { volume: 0.5, windows: 64 };
    let search =
        FamilySearch { function: &function, family, problem, engine, threads: 1, turns: None, binades: 1 };
    let ranges: Vec<ArgumentRange> = (ends.0..=ends.1).map(|e| binade(format, e, false)).collect();
    let found = if family.repetition() == Repetition::Doubling {
        search.run_exponents(ends.0, ends.1, &Interrupt::new()).unwrap()
    } else {
        search.run(&ranges[..1], &Interrupt::new()).unwrap()
    };
    let expected = brute(&function, &problem, &ranges);
    (ranges, found, expected)
}

/// exp's last binade of arguments is cut where results are beyond all numbers: what is left has
/// none but the one or two next to the cut.
#[test]
fn the_last_binade_of_an_exponential_is_cut() {
    let format = Format::new(12, -62, 63).unwrap();
    // 3·2^t has one binade more, or two
    for (name, most) in [
        ("exp", 64.0 * std::f64::consts::LN_2),
        ("exp10", 64.0 * std::f64::consts::LOG10_2),
        ("3*exp(x)", 62.0 * std::f64::consts::LN_2),
    ] {
        let exponent = most.log2().floor() as i32;
        let (ranges, found, expected) = in_format(name, format, (exponent, exponent));
        let [left] = found.left[..] else { panic!("{:?}", found.left) };
        let real = |x: Number| x.significand() as f64 * 2f64.powi(x.exponent());
        let (first, last) = (left.argument(0), left.argument(left.count() - 1));
        assert_eq!(last, ranges[0].argument(ranges[0].count() - 1));
        assert!((real(first) - most).abs() <= 2.0 * 2f64.powi(first.exponent()), "{name}: {first}, {most}");
        assert!(found.cases.len() > 10, "{name}");
        // those at the cut are searched one by one by whoever asked
        let inside: Vec<HrCase> = expected.cases.into_iter().filter(|case| case.argument < first).collect();
        assert_eq!(found.cases, inside, "{name}");
    }
}

/// All exponents of a format, from log's first to its last but those next to 1, where results have
/// all binades.
#[test]
fn all_exponents_of_a_logarithm_are_brute_force() {
    let format = Format::new(9, -126, 127).unwrap();
    for name in ["log", "log10"] {
        let (_, found, expected) = in_format(name, format, (-126, 127));
        let next_to_one = [-1, 0].map(|e| binade(format, e, false));
        assert_eq!(found.left, next_to_one);
        let is_left = |x: Number| {
            next_to_one.iter().any(|range| Some(range.argument(0).log2_floor()) == Some(x.log2_floor()))
        };
        let expected: Vec<HrCase> =
            expected.cases.into_iter().filter(|case| !is_left(case.argument)).collect();
        let cases: Vec<HrCase> = found.cases.into_iter().filter(|case| !is_left(case.argument)).collect();
        assert!(expected.iter().any(|case| case.argument.log2_floor() == Some(-126)), "{name}");
        assert_eq!(cases, expected, "{name}");
    }
}

/// In binary64 nearly all windows of a logarithm are for the lanes, from the first significand to
/// the last: binades of results are together only where ε is small beside the height of windows.
#[test]
fn lanes_decide_logarithms() {
    let format = Format::BINARY64;
    let problem = Problem::new(format, format, Breakpoints::All, 45).unwrap();
    let engine = tmd_simd::lattice3::Lattice3::new(tmd_simd::Level::best());
    for (builtin, from) in
        [(Builtin::Ln, 0.5), (Builtin::Ln, 0.8), (Builtin::Log10, 0.99), (Builtin::Logp1, 0.99)]
    {
        let function = Expression::function(builtin);
        let family = Family::of(builtin).unwrap();
        let from = Rational::from_f64(from).unwrap();
        let turns = Some((from.clone(), from + power_of_two(-22)));
        let search = FamilySearch {
            function: &function,
            family,
            problem,
            engine: &engine,
            threads: 1,
            turns,
            binades: 4,
        };
        let found = search.run_exponents(-1022, 1023, &Interrupt::new()).unwrap();
        let Counters { windows, occupied, .. } = found.counters;
        assert!(windows > 10_000 && occupied * 1000 < windows, "{builtin}: {occupied} of {windows}");
    }
}

/// Next to a zero slopes are large, and a basis is far from the one before: none is refused for its
/// size, where four binades are one family. (Each refusal cuts a segment smaller: a million of them
/// took ten times as long as the search.) Farther away lanes need no exact windows.
#[test]
fn lanes_walk_next_to_a_zero() {
    let format = Format::BINARY64;
    let problem = Problem::new(format, format, Breakpoints::All, 44).unwrap();
    let engine = tmd_simd::lattice3::Lattice3::new(tmd_simd::Level::best());
    let ranges: Vec<_> = (1016..1020).map(|e| ArgumentRange::new(1 << 52, e - 52, 1 << 52)).collect();
    for builtin in [Builtin::Sin, Builtin::Tan] {
        let function = Expression::function(builtin);
        let family = Family::of(builtin).unwrap();
        let found = |from, to| {
            let turns = Some((power_of_two(from), to));
            let (function, engine) = (&function, &engine);
            let search = FamilySearch { function, family, problem, engine, threads: 1, turns, binades: 1 };
            search.run(&ranges, &Interrupt::new()).unwrap()
        };
        let near = found(-27, power_of_two(-24));
        assert!(near.refused.is_empty() && near.counters.windows > 5_000, "{builtin}: {:?}", near.counters);
        let far = found(-13, power_of_two(-13) + power_of_two(-22));
        let Counters { windows, occupied, .. } = far.counters;
        assert!(windows > 5_000 && occupied * 100 < windows, "{builtin}: {occupied} of {windows}");
    }
}

/// Midpoints of a binade of results are none of those below: such a search is refused.
#[test]
fn midpoints_alone_are_not_together() {
    let format = Format::custom(12).unwrap();
    let problem = Problem::new(format, format, Breakpoints::Nearest, 10).unwrap();
    let (function, family) = (Expression::function(Builtin::Ln), Family::of(Builtin::Ln).unwrap());
    let engine = &Exact::default();
    for (binades, is_refused) in [(1, false), (2, true)] {
        let search =
            FamilySearch { function: &function, family, problem, engine, threads: 1, turns: None, binades };
        assert_eq!(search.run_exponents(5, 9, &Interrupt::new()).is_err(), is_refused, "{binades}");
    }
    assert_eq!(doubling::together(family, &problem), 1);
}

/// The exact walk, which refuses some segments.
pub(super) struct Refusing {
    pub(super) walk: Exact,
    /// which, in angles of so many bits
    pub(super) refuses: fn(&Segment, u32) -> bool,
}

struct RefusingWalk {
    walk: Box<dyn Walk>,
    refuses: fn(&Segment, u32) -> bool,
    angle_bits: u32,
}

impl Engine for Refusing {
    fn name(&self) -> String {
        self.walk.name()
    }

    fn volume(&self, spans: usize) -> f64 {
        self.walk.volume(spans)
    }

    fn windows(&self) -> u32 {
        self.walk.windows()
    }

    fn start(&self, model: &Model, spans: &[Span]) -> Box<dyn Walk> {
        let Self { walk, refuses } = *self;
        Box::new(RefusingWalk { walk: walk.start(model, spans), refuses, angle_bits: model.angle_bits })
    }
}

impl Walk for RefusingWalk {
    fn search(&mut self, segment: &Segment, found: &mut dyn FnMut(Candidate)) -> Result<(), Unwieldy> {
        if (self.refuses)(segment, self.angle_bits) {
            Err(Unwieldy)
        } else {
            self.walk.search(segment, found)
        }
    }

    fn counters(&self) -> Counters {
        self.walk.counters()
    }
}

/// What an engine refuses, however few windows it is asked, is listed: no argument is lost, neither
/// a mirrored one nor the last significand.
#[test]
fn what_is_refused_is_listed() {
    let format = Format::custom(9).unwrap();
    let problem = Problem::new(format, format, Breakpoints::All, 3).unwrap();
    for (name, exponents) in [("sin", (20, 20)), ("tan", (9, 9)), ("exp", (3, 3)), ("log", (2, 40))] {
        let function: Expression = name.parse().unwrap();
        let family = Family::of_expression(&function).unwrap();
        // whatever begins in every other 64th of the angles
        let refuses = |segment: &Segment, bits| {
            (segment.start >> (bits - 6)).to_i128().is_none_or(|part| part & 1 == 1)
        };
        let engine = &Refusing { walk: Exact { volume: 1.0, windows: 4 }, refuses };
        let search = FamilySearch {
            function: &function,
            family,
            problem,
            engine,
            threads: 1,
            turns: None,
            binades: 1,
        };
        let ranges: Vec<_> = (exponents.0..=exponents.1).map(|e| binade(format, e, false)).collect();
        let found = if family.repetition() == Repetition::Doubling {
            search.run_exponents(exponents.0, exponents.1, &Interrupt::new()).unwrap()
        } else {
            search.run(&ranges, &Interrupt::new()).unwrap()
        };
        assert!(found.refused.len() > 20 && found.listed > 50 && found.left.is_empty(), "{name}: {found:?}");
        let expected = brute(&function, &problem, &ranges);
        assert!(expected.cases.len() > 20, "{name}");
        assert_eq!((found.cases, found.exact_cases), (expected.cases, expected.exact), "{name}");
    }
}

/// The same in five parts; what it refuses may be known before, and its machine may fail after some
/// segments.
struct InParts {
    engine: Refusing,
    is_known: bool,
    segments: AtomicU32,
}

impl InParts {
    fn new(refuses: fn(&Segment, u32) -> bool, is_known: bool, segments: u32) -> Self {
        let engine = Refusing { walk: Exact { volume: 1.0, windows: 4 }, refuses };
        Self { engine, is_known, segments: segments.into() }
    }
}

struct WalkOfParts {
    walk: RefusingWalk,
    is_known: bool,
}

impl Engine for InParts {
    fn name(&self) -> String {
        self.engine.name()
    }

    fn volume(&self, spans: usize) -> f64 {
        self.engine.volume(spans)
    }

    fn windows(&self) -> u32 {
        self.engine.windows()
    }

    fn parts(&self) -> Option<u32> {
        Some(5)
    }

    fn check(&self) -> Result<(), CoreError> {
        let lost = || CoreError::BackendLost { backend: "parts".into(), reason: "it was unplugged".into() };
        let left = self.segments.fetch_update(Relaxed, Relaxed, |left| left.checked_sub(1));
        left.map(drop).map_err(|_| lost())
    }

    fn start(&self, model: &Model, spans: &[Span]) -> Box<dyn Walk> {
        let Refusing { walk, refuses } = self.engine;
        let walk = RefusingWalk { walk: walk.start(model, spans), refuses, angle_bits: model.angle_bits };
        Box::new(WalkOfParts { walk, is_known: self.is_known })
    }
}

impl Walk for WalkOfParts {
    fn search(&mut self, segment: &Segment, found: &mut dyn FnMut(Candidate)) -> Result<(), Unwieldy> {
        self.walk.search(segment, found)
    }

    fn accepts(&self, segment: &Segment) -> Result<(), Unwieldy> {
        let RefusingWalk { refuses, angle_bits, .. } = self.walk;
        if self.is_known && refuses(segment, angle_bits) { Err(Unwieldy) } else { Ok(()) }
    }

    fn counters(&self) -> Counters {
        self.walk.counters()
    }
}

/// Whoever walks the segments of a part, they are those of one thread, and so is what is found,
/// whether refusals are known before or not.
#[test]
fn parts_are_those_of_one_thread() {
    let format = Format::custom(9).unwrap();
    let problem = Problem::new(format, format, Breakpoints::All, 3).unwrap();
    for (name, exponent) in [("sin", 20), ("tan", 9), ("cos", 13)] {
        let function: Expression = name.parse().unwrap();
        let family = Family::of_expression(&function).unwrap();
        let never = |_: &Segment, _: u32| false;
        // longer ones in every other 64th of the angles
        let long = |segment: &Segment, bits: u32| {
            segment.windows > 1 && (segment.start >> (bits - 6)).to_i128().is_none_or(|part| part & 1 == 1)
        };
        // or all there: these are listed
        let any = |segment: &Segment, bits: u32| {
            (segment.start >> (bits - 6)).to_i128().is_none_or(|part| part & 1 == 1)
        };
        let never: fn(&Segment, u32) -> bool = never;
        let kinds = [
            (never, true, false),
            (long, true, true),
            (long, false, true),
            (any, true, true),
            (any, false, true),
        ];
        for (refuses, is_known, some) in kinds {
            let engine = &InParts::new(refuses, is_known, u32::MAX);
            let found = |threads: usize| {
                let function = &function;
                let search =
                    FamilySearch { function, family, problem, engine, threads, turns: None, binades: 1 };
                search.run(&[binade(format, exponent, false)], &Interrupt::new()).unwrap()
            };
            let expected = found(1);
            assert!(expected.segments > 5 && !expected.cases.is_empty(), "{name}: {}", expected.segments);
            assert_eq!(!expected.refused.is_empty(), some, "{name}");
            for threads in [2, 3, 9] {
                let again = found(threads);
                let counts = |found: &FamilyOutcome| {
                    (
                        found.segments,
                        found.listed,
                        found.asked,
                        found.windows,
                        found.counters.windows,
                        found.confirmed,
                    )
                };
                assert_eq!(counts(&again), counts(&expected), "{name}");
                assert_eq!((&again.refused, again.budget), (&expected.refused, expected.budget), "{name}");
                assert_eq!(
                    (&again.cases, &again.exact_cases),
                    (&expected.cases, &expected.exact_cases),
                    "{name}"
                );
            }
        }
    }
}

/// An interrupt, the failure of a machine amid a search, and a panic end all threads.
#[test]
fn parts_end_together() {
    let format = Format::custom(9).unwrap();
    let problem = Problem::new(format, format, Breakpoints::All, 3).unwrap();
    let function: Expression = "sin".parse().unwrap();
    let family = Family::of_expression(&function).unwrap();
    let found = |engine: &InParts, interrupt: &Interrupt| {
        let function = &function;
        let search = FamilySearch { function, family, problem, engine, threads: 3, turns: None, binades: 1 };
        search.run(&[binade(format, 20, false)], interrupt)
    };
    let whole = InParts::new(|_, _| false, true, u32::MAX);
    let interrupt = Interrupt::new();
    assert!(found(&whole, &interrupt).is_ok());
    interrupt.request();
    let ended = found(&whole, &interrupt);
    assert!(matches!(ended, Err(DriverError::Core(CoreError::Interrupted))), "{ended:?}");
    for segments in [0, 1, 10] {
        let ended = found(&InParts::new(|_, _| false, true, segments), &Interrupt::new());
        assert!(matches!(ended, Err(DriverError::Core(CoreError::BackendLost { .. }))), "{ended:?}");
    }
    let panics = InParts::new(|_, _| panic!("on purpose"), false, u32::MAX);
    let ended = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| found(&panics, &Interrupt::new())));
    assert!(ended.is_err());
}

/// An argument is found where only its own turn is asked for: the model's angle of a large index is
/// elsewhere. In windows, and among what is listed, be it the first of a range, the last, or all.
#[test]
fn arguments_are_found_by_their_own_turns() {
    let format = Format::BINARY64;
    let problem = Problem::new(format, format, Breakpoints::All, 3).unwrap();
    let exponent = 1023 - 52;
    for (builtin, halves) in [(Builtin::Sin, 0), (Builtin::Cos, 1), (Builtin::Tan, 1)] {
        let function = Expression::function(builtin);
        let family = Family::of(builtin).unwrap();
        let all = ArgumentRange::new(1 << 52, exponent, 1 << 52);
        let middle = Rational::from((halves, 2));
        let beside = (middle.clone() - power_of_two(-48), middle + power_of_two(-48));
        let listed =
            one_by_one(&function, &problem, &all, (&beside.0, &beside.1)).into_iter().map(|c| c.argument);
        let others = (0..100).map(|k| Number::new((3 << 51) + 12_345 * k, exponent));
        let is_case = |x: &Number| matches!(confirm(&function, &problem, *x), Ok(Verdict::Case(_)));
        let listed: Vec<Number> = listed.take(4).collect();
        let walked: Vec<Number> = others.filter(is_case).take(4).collect();
        assert_eq!((listed.len(), walked.len()), (4, 4), "{builtin}");
        for &x in listed.iter().chain(&walked) {
            for (before, count) in [(0, 1), (0, 3), (2, 3)] {
                let own = turn(family, x);
                let search = FamilySearch {
                    function: &function,
                    family,
                    problem,
                    engine: &Exact::default(),
                    threads: 1,
                    turns: Some((own.clone(), own)),
                    binades: 1,
                };
                let index = x.significand() << (x.exponent() - exponent);
                let range = ArgumentRange::new(index - before, exponent, count);
                let found = search.run(&[range], &Interrupt::new()).unwrap();
                assert!(found.cases.iter().any(|case| case.argument == x), "{builtin}: {x} of {range:?}");
            }
        }
    }
}

/// Results that are multiplied by a power of two: those below the normal numbers are in their own
/// units, and an exponential's, which are normal, in those of its unit function.
#[test]
fn scaled_results_are_brute_force() {
    let format = Format::new(10, -8, 40).unwrap();
    for (name, exponents) in [
        ("sin(x)/64", (20, 20)),
        ("-tan(x)/256", (9, 9)),
        ("log(x)/2048", (4, 30)),
        ("exp(x)/1048576", (4, 4)),
        ("1048576*exp(-x)", (2, 2)),
    ] {
        let (_, found, expected) = in_format(name, format, exponents);
        assert!(found.left.is_empty() && expected.cases.len() > 5, "{name}: {:?}", found.left);
        assert_eq!((found.cases, found.exact_cases), (expected.cases, expected.exact), "{name}");
    }
}

/// What a relative is off is at most ε wherever it is searched (Lemma L.25), with a factor, too;
/// and what sweeps are told of it is no less than it is.
#[test]
fn relatives_are_off_by_epsilon_at_most() {
    let engine = &Exact::default();
    let (mut inside, mut exponents) = (0, 0);
    for (name, precision, extra_bits) in ["cosh", "exp10m1", "logp1", "asinh", "77*sinh(x)", "5*log10p1(x)"]
        .into_iter()
        .flat_map(|name| [9, 12].into_iter().flat_map(move |p| (2..=18).map(move |bits| (name, p, bits))))
    {
        let format = Format::custom(precision).unwrap();
        let problem = Problem::new(format, format, Breakpoints::All, extra_bits).unwrap();
        let function: Expression = name.parse().unwrap();
        let family = Family::of_expression(&function).unwrap();
        let search = FamilySearch {
            function: &function,
            family,
            problem,
            engine,
            threads: 1,
            turns: None,
            binades: 1,
        };
        let ulps = |binade: i32| power_of_two(search.scale(binade, 1, 0.0).log2).to_f64();
        let epsilon = problem.tolerance();
        if family.repetition() == Repetition::Period {
            for range in
                (0..6).filter_map(|e| search.normal(&binade(format, e, false), &mut Vec::new()).unwrap())
            {
                assert!(
                    2.0 * ulps(0) * search.perturbation(&[range]).unwrap() <= epsilon,
                    "{name}: {range:?}"
                );
                inside += 1;
            }
            continue;
        }
        let multiplier = f64::from(family.multiplier());
        let period = family.period(60).unwrap().midpoint().to_f64();
        for exponent in (1..60).filter(|&e| search.has_exponent(e)) {
            let log2 = exponent + family.factor().1;
            let least = (multiplier * f64::from(log2) * period).log2().floor() as i32;
            let off = family.perturbation(&power_of_two(log2)).unwrap();
            assert!(multiplier * ulps(least) * off <= epsilon, "{name} at 2^{exponent}, {extra_bits} bits");
            exponents += 1;
            let told = search.with_doubling(&[(exponent, exponent)], None, |sweeps| {
                sweeps.iter().map(|sweep| sweep.perturbation).fold(f64::INFINITY, f64::min)
            });
            // logp1 is off by 1/x, asinh by 1/(2x)²
            let actual = if name == "asinh" { 2f64.powi(-2 * log2) } else { 2f64.powi(-log2) };
            assert!(told.unwrap() >= 0.99 * actual, "{name} at 2^{exponent}");
        }
    }
    assert!(inside > 50 && exponents > 1000, "{inside} {exponents}");
}

/// Units have no arguments that are not in the family: those of results beyond the largest number.
#[test]
fn units_of_other_arguments_are_refused() {
    let format = Format::new(12, -62, 63).unwrap();
    let problem = Problem::new(format, format, Breakpoints::All, 6).unwrap();
    let (function, family) = (Expression::function(Builtin::Exp), Family::of(Builtin::Exp).unwrap());
    let engine = &Exact::default();
    let search =
        FamilySearch { function: &function, family, problem, engine, threads: 1, turns: None, binades: 1 };
    for (exponent, is_refused) in [(4, false), (5, true)] {
        let found = search.run_over(&[binade(format, exponent, false)], &|_| {}, &Interrupt::new());
        assert_eq!(found.is_err(), is_refused, "{exponent}");
    }
    // and 0, whose turn is no irrational number, is in none
    for (first, is_inside) in [(-5, false), (1, true)] {
        let split = FamilyVia::split(&function, &problem, &ArgumentRange::new(first, -4, 9)).unwrap();
        assert_eq!(split.unwrap().inside.is_some(), is_inside, "{first}");
    }
}

/// What is listed twice, by its own turn and by that of its mirror image, is confirmed once.
#[test]
fn what_is_listed_twice_is_one_argument() {
    let format = Format::custom(9).unwrap();
    let problem = Problem::new(format, format, Breakpoints::All, 3).unwrap();
    let (function, family) = (Expression::function(Builtin::Sin), Family::of(Builtin::Sin).unwrap());
    let engine = &Exact::default();
    let search =
        FamilySearch { function: &function, family, problem, engine, threads: 1, turns: None, binades: 1 };
    let x = |index: i128| Number::new(index, 12);
    let found = search.with_sweep(&[binade(format, 20, false)], |sweep, _| {
        sweep.each_once(vec![300, -299, -300, 301, 300, 299]).collect::<Vec<_>>()
    });
    assert_eq!(found.unwrap(), [299, 300, 301].map(x));
}

/// Parts follow each other from the first angle to the last; they are equal where there is no pole,
/// and at a pole each has a few of the halvings of the distance.
#[test]
fn parts_of_angles() {
    let [from, to] = [1000, 1000 + (1i64 << 50)].map(Integer::from);
    for is_pole in [false, true] {
        let parts = parted(&from, &to, 64, is_pole);
        assert_eq!((parts.len(), &parts[0].0, &parts[63].1), (64, &from, &to));
        assert!(parts.windows(2).all(|two| two[0].1 == two[1].0) && parts.iter().all(|(a, b)| a <= b));
        // where 19 halvings are left no part has more than 1.3 of them, nor 2.4 times an equal
        // share of the windows, of which there are as the cube root of the distance
        let distance = |angle: &Integer| Integer::from(&to - angle).to_f64();
        for (a, b) in parts.iter().map(|(a, b)| (distance(a), distance(b))) {
            let halvings = (a / b).log2();
            if !is_pole {
                assert_eq!(a - b, (1i64 << 44) as f64);
            } else if b > (1i64 << 31) as f64 {
                assert!(halvings < 1.3, "{halvings}");
                assert!((a.cbrt() - b.cbrt()) * 64.0 < 2.4 * (2f64.powi(50)).cbrt(), "{a}");
            }
        }
    }
}
