//! Coverage by construction: small formats of random precision and exponent range, all functions,
//! roots and powers of any degree, with and without `--limit` and `--binades`, against the function
//! at every number. The oracle is MPFR's own operations to 700 bits and the definition of a
//! distance; it knows nothing of regions, translations or intervals.

#[allow(dead_code, reason = "of numbers only")]
mod brute_force;
mod oracle_functions;
mod testing;

use std::collections::{BTreeMap, BTreeSet};

use oracle_functions::value;
use rand::{Rng, SeedableRng, rngs::StdRng, seq::IndexedRandom};
use rug::Float;
use testing::{findings, number, walk};
use tmd_core::{Breakpoints, Format, Interrupt, Number};
use tmd_driver::{
    Certificate, Coverage, Solve, Workers,
    certificate::{ClassRecord, Effort, Refusal, expand},
    coverage::{Knowledge, Left},
    solve::Treatment,
};
use tmd_functions::{Builtin, Expression, parse};
use tmd_simd::Simd;

/// A function over a whole format, and what of it is hard.
#[derive(Debug)]
struct FormatProblem {
    text: String,
    format: Format,
    breakpoints: Breakpoints,
    extra_bits: u32,
    binades: Option<std::ops::Range<i32>>,
    is_limited: bool,
}

impl FormatProblem {
    fn draw(rng: &mut StdRng) -> Self {
        let format = loop {
            let (precision, most) = (rng.random_range(3..=12), rng.random_range(2..=40));
            let least = if rng.random_bool(0.7) { 1 - most } else { rng.random_range(-40..=0) };
            if (most - least + 2) << precision <= 4096 {
                break Format::new(precision, least, most).unwrap();
            }
        };
        let degree = |rng: &mut StdRng| {
            let most = *[5, 50, 1000].choose(rng).unwrap();
            let degree = rng.random_range(1..=most);
            if rng.random_bool(0.3) { -degree } else { degree }
        };
        let text = match rng.random_range(0..10) {
            0..3 => format!("rootn(x,{})", degree(rng)),
            3 => format!("x^{}", degree(rng)),
            4 => "1/x".into(),
            5..7 => {
                let names = ["exp2", "log2", "sinpi", "cospi", "tanpi", "sqrt", "rsqrt", "cbrt"];
                (*names.choose(rng).unwrap()).into()
            }
            _ => Builtin::ALL.choose(rng).unwrap().name().into(),
        };
        let binades = rng.random_bool(0.2).then(|| {
            let start = rng.random_range(format.ulp_exponent(format.min_exponent())..=format.max_exponent());
            start..rng.random_range(start..=format.max_exponent()) + 1
        });
        let kinds = [Breakpoints::Directed, Breakpoints::Nearest, Breakpoints::All];
        let breakpoints = *kinds.choose(rng).unwrap();
        Self {
            text,
            format,
            breakpoints,
            extra_bits: rng.random_range(2..=6),
            binades,
            is_limited: rng.random_bool(0.4),
        }
    }

    /// All of a function, for cases of 4 bits.
    fn whole(text: &str, format: Format) -> Self {
        let (breakpoints, extra_bits) = (Breakpoints::All, 4);
        Self { text: text.into(), format, breakpoints, extra_bits, binades: None, is_limited: false }
    }

    /// All numbers of the format that are asked for, from the definition of a format.
    fn numbers(&self) -> Vec<Number> {
        let format = self.format;
        let least = format.ulp_exponent(format.min_exponent());
        let numbers = brute_force::arguments(f64::NEG_INFINITY, f64::INFINITY, format);
        let is_asked = |x: &Number| match &self.binades {
            None => true,
            // 0 with the least number, and with no other
            Some(binades) => match x.log2_floor() {
                Some(exponent) => binades.contains(&exponent),
                None => binades.start == least,
            },
        };
        numbers.into_iter().filter(is_asked).collect()
    }
}

fn solve<'a>(question: &FormatProblem, function: &'a Expression, walk: &'a Simd, limit: f64) -> Solve<'a> {
    let FormatProblem { format, breakpoints, extra_bits, binades, .. } = question;
    let problem = testing::problem(*format, *breakpoints, *extra_bits);
    Solve {
        limit,
        workers: Workers::cpu(walk, 1),
        ..testing::solve(function, problem, binades.clone(), walk)
    }
}

/// What the oracle says of an argument.
#[derive(Debug, PartialEq)]
enum Truth {
    /// There is no value.
    Undefined,
    /// A pole, or a value that MPFR has no exponent for.
    Infinite,
    /// It is a breakpoint, or nearer to one than 700 bits tell.
    Breakpoint,
    /// It is a case.
    Case,
    /// It is none.
    NotHard,
    /// It is beyond the largest number and half an ulp, or below a quarter of the least.
    Beyond,
}

fn truth(question: &FormatProblem, x: Number) -> Option<(Truth, Float)> {
    let format = question.format;
    let y = value(&question.text, x)?;
    if y.is_infinite() {
        return Some((Truth::Infinite, y));
    }
    if !y.is_finite() {
        return Some((Truth::Undefined, y));
    }
    let exponent = y.get_exp().map_or(format.min_exponent(), |e| (e - 1).max(format.min_exponent()));
    let ulp = exponent - format.precision() as i32 + 1;
    let most = Float::with_val(700, (1u64 << (format.precision() + 1)) - 1)
        << (format.max_exponent() - format.precision() as i32);
    let is_beyond = exponent > format.max_exponent() || y.clone().abs() > most;
    let is_tiny = !y.is_zero() && y.get_exp().is_some_and(|e| e < ulp - 1);
    if is_beyond || is_tiny {
        return Some((Truth::Beyond, y));
    }
    let ulps = y.clone() >> ulp;
    let to_integer = |z: Float| (Float::with_val(700, z.round_ref()) - z).abs();
    let (number, midpoint) = (to_integer(ulps.clone()), to_integer(ulps - 0.5f64));
    let distance = match question.breakpoints {
        Breakpoints::Directed => number,
        Breakpoints::Nearest => midpoint,
        Breakpoints::All => number.min(&midpoint),
    };
    let is_near = |bits: u32| distance < Float::with_val(2, 1) >> bits;
    let truth = match () {
        () if is_near(300) => Truth::Breakpoint,
        () if is_near(question.extra_bits) => Truth::Case,
        () => Truth::NotHard,
    };
    Some((truth, y))
}

/// Whether a power of two leads from one to the other, or an integer, but for signs.
fn may_follow(x: Number, y: Number) -> bool {
    let by_powers = x.significand().abs() == y.significand().abs();
    let (x, y) = (x.to_f64(), y.to_f64());
    by_powers || (x - y).fract() == 0.0 || (x + y).fract() == 0.0
}

#[derive(Default)]
struct Seen {
    questions: usize,
    cases: usize,
    ruled: usize,
    followed: usize,
    uncovered: usize,
    stranded: usize,
    unlikely: usize,
}

fn check(question: &FormatProblem, seen: &mut Seen) {
    let function = parse(&question.text).unwrap();
    let walk = walk();
    let unlimited = solve(question, &function, &walk, f64::INFINITY);
    let context = format!("{question:?}");
    let plan = unlimited.plan().unwrap_or_else(|error| panic!("{context}: {error}"));
    // a limit that some regions are beyond, or all
    let times = plan.regions.iter().filter_map(|planned| match &planned.treatment {
        Treatment::Searched { plan, .. } => Some(plan.core_seconds),
        _ => None,
    });
    let mut times: Vec<f64> = times.collect();
    times.sort_by(f64::total_cmp);
    let limit = match times.len() {
        n if question.is_limited && n > 0 => times[(n - 1) / 2] * if n % 3 == 0 { 0.5 } else { 1.0 },
        _ => f64::INFINITY,
    };
    let limited = solve(question, &function, &walk, limit);
    let plan = limited.plan().unwrap();
    let certificate =
        limited.run(&plan, &(), &Interrupt::new()).unwrap_or_else(|error| panic!("{context}: {error}"));
    assert!(certificate.failures.is_empty(), "{context}: {:?}", certificate.failures);

    let numbers = question.numbers();
    let coverage = Coverage::of(&certificate).unwrap();
    assert_eq!(coverage.asked(), numbers.len() as u128, "{context}");
    let expanded: BTreeMap<Number, Option<usize>> =
        expand(&certificate).unwrap().map(|case| (case.argument, case.rule)).collect();
    assert_eq!(expanded.len() as u128, certificate.case_count(), "{context}");
    seen.ruled += expanded.values().flatten().count();
    let is_out = |class: &ClassRecord| match class {
        ClassRecord::OutOfReach { core_seconds } => *core_seconds > 0.0,
        _ => false,
    };
    let ends = |end: &str| number(end, question.format);
    let out_of_reach = certificate.regions.iter().filter(|region| is_out(&region.class));
    let out_of_reach: Vec<(Number, Number)> =
        out_of_reach.map(|region| (ends(&region.first), ends(&region.last))).collect();
    let missing: Vec<Number> =
        numbers.iter().copied().filter(|x| out_of_reach.iter().any(|(a, b)| a <= x && x <= b)).collect();

    let mut covered = 0u128;
    for &x in &numbers {
        let Some((truth, y)) = truth(question, x) else { return };
        let known = coverage.known(x).unwrap_or_else(|| panic!("{context}: {x} is in no region"));
        let context = format!("{context} at {x}, {truth:?} {}: {known:?}", y.to_f64());
        let is_listed = expanded.contains_key(&x);
        if let Some(left) = &known.left {
            assert!(*left == Left::OutOfReach && limit.is_finite(), "{context}");
            assert!(
                missing.iter().any(|y| may_follow(x, *y)),
                "{context}: it follows from what was searched"
            );
            assert!(!is_listed, "{context}: in the list, and not covered");
            seen.uncovered += 1;
            // regions that follow from such are said to be out of reach, too
            seen.stranded += usize::from(missing.binary_search(&x).is_err());
            continue;
        }
        covered += 1;
        seen.followed += usize::from(!known.chain.is_empty());
        agrees(&certificate, &known, &truth, is_listed, &context);
        seen.cases += usize::from(is_listed);
    }
    assert!(expanded.keys().all(|x| numbers.binary_search(x).is_ok()), "{context}");
    assert_eq!(coverage.covered(), covered, "{context}");
    let left: u128 = coverage.left().iter().map(|(_, count)| count).sum();
    assert_eq!(left, numbers.len() as u128 - covered, "{context}");
    assert_eq!(certificate.is_complete(), left == 0, "{context}");
    assert_eq!(coverage.sentence().starts_with("complete for "), left == 0, "{context}");
    let findings = findings(&function, &certificate, Some(&walk), (1, 0.001, 1));
    // with so few bits squares and the like are no matter of chance
    let is_unlikely = |refusal: &&Refusal| matches!(refusal, Refusal::Unlikely { .. });
    let unlikely = findings.refusals.iter().filter(is_unlikely).count();
    seen.unlikely += usize::from(unlikely > 0);
    assert_eq!(findings.refusals.len(), unlikely, "{context}: {:?}", findings.refusals);
    assert_eq!(findings.is_all(), left == 0 && unlikely == 0, "{context}: {findings:?}");
    seen.questions += 1;
}

/// What is covered is true: by the region at the end of the chain.
fn agrees(certificate: &Certificate, known: &Knowledge, truth: &Truth, is_listed: bool, context: &str) {
    match (&certificate.regions[known.region].class, truth) {
        (ClassRecord::Searched, Truth::Case) => assert!(is_listed, "{context}: a case is lost"),
        (ClassRecord::Searched, Truth::NotHard) => assert!(!is_listed, "{context}: a case is added"),
        // nearer than 700 bits tell: a case, or an exact one; or next to 0, or beyond the last
        // breakpoint
        (ClassRecord::Searched, Truth::Breakpoint | Truth::Beyond) => {}
        (ClassRecord::Searched, Truth::Undefined | Truth::Infinite) => {
            panic!("{context}: searched, and undefined")
        }
        (ClassRecord::Undefined, truth) => {
            assert!(matches!(truth, Truth::Undefined | Truth::Infinite) && !is_listed, "{context}");
        }
        (ClassRecord::Exact { .. }, truth) => {
            assert!(matches!(truth, Truth::Breakpoint | Truth::NotHard) && !is_listed, "{context}");
        }
        (ClassRecord::Between { .. } | ClassRecord::Beside { .. }, truth) => {
            assert!(*truth != Truth::Undefined && !is_listed, "{context}");
        }
        (class, _) => panic!("{context}: {class:?} knows nothing by itself"),
    }
}

fn questions(seed: u64, count: usize) {
    let mut rng = StdRng::seed_from_u64(seed);
    let mut seen = Seen::default();
    while seen.questions < count {
        check(&FormatProblem::draw(&mut rng), &mut seen);
    }
    let Seen { cases, followed, uncovered, stranded, unlikely, .. } = seen;
    assert!(unlikely * 50 <= count, "{unlikely} of {count}");
    assert!(
        cases > 1000 && followed > 1000 && uncovered > 1000 && stranded > 100,
        "{cases} {followed} {uncovered} {stranded}"
    );
}

#[test]
fn random_formats_0() {
    questions(1, 40);
}

#[test]
fn random_formats_1() {
    questions(2, 40);
}

/// Where translations end: degrees beyond the exponents, ulps beyond 1, formats in which 1/2 or 1
/// is not normal or the largest number is.
#[test]
fn ends_of_formats() {
    let mut seen = Seen::default();
    for (text, precision, least, most) in [
        ("rootn(x,20)", 6, -14, 15),
        ("rootn(x,-33)", 6, -14, 15),
        ("rootn(x,200)", 4, -40, 40),
        ("x^17", 6, -14, 15),
        ("x^-2", 5, -2, 9),
        ("1/x", 7, -2, 9),
        ("rsqrt", 7, 0, 5),
        ("exp2", 7, 0, 6),
        ("exp2", 9, -1, 2),
        ("exp2", 9, 0, 0),
        ("log2", 3, -40, 40),
        ("log2", 7, 1, 9),
        ("log2", 8, -126, 10),
        ("sinpi", 8, 0, 5),
        ("cospi", 8, 1, 3),
        ("tanpi", 10, -1, 2),
        ("cbrt", 8, -1, 1),
        ("sqrt", 8, 0, 1),
    ] {
        for is_limited in [false, true] {
            let format = Format::new(precision, least, most).unwrap();
            check(&FormatProblem { is_limited, ..FormatProblem::whole(text, format) }, &mut seen);
        }
    }
    assert_eq!(seen.questions, 36);
    // with 0, up to somewhere, as the data set asks for sin, cos and tan; and without 0
    for text in ["sin", "cos", "tan", "exp", "log2"] {
        for start in [-10, -9] {
            let whole = FormatProblem::whole(text, Format::new(6, -5, 8).unwrap());
            let question = FormatProblem { binades: Some(start..3), ..whole };
            assert_eq!(question.numbers().contains(&Number::ZERO), start == -10);
            check(&question, &mut seen);
        }
    }
    assert_eq!(seen.questions, 46);
}

/// Of a run that is not finished: what no unit was searched for is not covered, and neither is what
/// follows from it; what is covered is in the list.
#[test]
fn unfinished_units() {
    let mut rng = StdRng::seed_from_u64(5);
    let format = Format::new(8, -6, 7).unwrap();
    for text in ["exp2", "sinpi", "log2", "sqrt", "cbrt", "1/x", "sin", "cosh", "exp", "rootn(x,9)"] {
        let question = FormatProblem::whole(text, format);
        let function = parse(text).unwrap();
        let walk = walk();
        let solve = solve(&question, &function, &walk, f64::INFINITY);
        let plan = solve.plan_in_units_of(1e-7).unwrap();
        let interrupt = Interrupt::new();
        let search = |unit| solve.search_unit(unit, &(), &interrupt).unwrap().unwrap();
        let results: Vec<_> = plan.units.iter().map(search).collect();
        assert!(plan.units.len() > 8, "{text}: {} units", plan.units.len());
        let numbers = question.numbers();
        let mut before = 0;
        for share in [0.0, 0.5, 0.9, 1.0] {
            let done: Vec<usize> = (0..plan.units.len()).filter(|_| rng.random_bool(share)).collect();
            let some = done.iter().map(|&number| (number, results[number].clone()));
            let certificate = solve.certificate(&plan, some, Vec::new(), Effort::default()).unwrap();
            let coverage = Coverage::of(&certificate).unwrap();
            let listed: BTreeSet<Number> = expand(&certificate).unwrap().map(|case| case.argument).collect();
            let mut covered = 0;
            for &x in &numbers {
                let known = coverage.known(x).unwrap();
                let own = plan.units.iter().position(|unit| {
                    let range = &unit.range;
                    range.argument(0) <= x && x <= range.argument(range.count() - 1)
                });
                let context = format!("{text}, {share} at {x}: {known:?}");
                if let Some(unit) = own {
                    assert_eq!(known.left.is_none(), done.contains(&unit), "{context}");
                }
                if known.left.is_some() {
                    assert_eq!(known.left, Some(Left::Unfinished), "{context}");
                    continue;
                }
                covered += 1;
                // nothing but what is known without a search, if there was none
                let class = &certificate.regions[known.region].class;
                assert!(!done.is_empty() || *class != ClassRecord::Searched, "{context}");
                let Some((truth, _)) = truth(&question, x) else { panic!("{context}") };
                agrees(&certificate, &known, &truth, listed.contains(&x), &context);
            }
            assert_eq!(coverage.covered(), covered, "{text}");
            assert_eq!(coverage.is_complete(), done.len() == plan.units.len(), "{text}");
            assert_eq!(certificate.is_complete(), certificate.is_finished(), "{text}");
            assert!(covered >= before || share < 1.0, "{text}");
            before = covered;
        }
    }
}
