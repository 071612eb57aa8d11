//! Whole domains against brute force: every number of a small format, one by one with MPFR.

mod testing;

use std::collections::BTreeMap;

use testing::{findings, number, problem, solve, solved_with, walk};
use tmd_core::{BreakpointKind, Breakpoints, Format, Interrupt, Number, Problem};
use tmd_driver::{
    Certificate, DriverError, InverseUse, Solve, Workers,
    certificate::{ClassRecord, RegionRecord, Verification},
    confirm::{Verdict, confirm},
    report::Case,
};
use tmd_functions::{Builtin, Expression, Function, FunctionError, parse};
use tmd_simd::{Level, Simd, SimdEngine};
use tmd_testkit::one_in;

/// binary16 with three digits less: what every function is asked in. In binary16 itself a part of
/// them is, by turns: it takes eight times as long.
fn short() -> Format {
    Format::BINARY16.with_precision(8).unwrap()
}

/// All finite numbers of a format with the exponents of binary16, 0 once, in increasing order, by
/// their bits.
fn numbers(format: Format) -> Vec<Number> {
    let digits = format.precision() - 1;
    let least = format.min_exponent() - digits as i32;
    let positive = (0..0x1fu32 << digits).map(|bits| match (bits >> digits, bits % (1 << digits)) {
        (0, fraction) => Number::new(i128::from(fraction), least),
        (exponent, fraction) => Number::new(i128::from(fraction | 1 << digits), exponent as i32 - 1 + least),
    });
    let negative = positive.clone().skip(1).map(|x| Number::new(-x.significand(), x.exponent()));
    let mut all: Vec<Number> = negative.chain(positive).collect();
    all.sort();
    all
}

/// Whether a verdict on x is what its region says.
fn agrees(class: &ClassRecord, verdict: &Result<Verdict, DriverError>, is_all: bool) -> bool {
    match (class, verdict) {
        (ClassRecord::Undefined, Err(DriverError::OutsideDomain { .. } | DriverError::Pole { .. })) => true,
        // where the region says more: results beyond all numbers
        (ClassRecord::Between { above: None, .. } | ClassRecord::Between { below: None, .. }, verdict) => {
            // erfcx(−65504) is beyond MPFR's numbers, too
            matches!(
                verdict,
                Err(DriverError::ResultOverflow { .. }
                    | DriverError::OutsideDomain { reason: FunctionError::Overflow { .. }, .. })
                    | Ok(Verdict::NotHard | Verdict::Case(_))
            )
        }
        // it may be close to a breakpoint, as e^-30000 is to 0, but it is none
        (ClassRecord::Between { .. } | ClassRecord::Beside { .. }, Ok(verdict)) => {
            !matches!(verdict, Verdict::Exact(_))
        }
        // 1 is no breakpoint of rounding to nearest
        (ClassRecord::Exact { .. }, Ok(Verdict::NotHard)) => !is_all,
        (ClassRecord::Exact { kind, .. }, Ok(Verdict::Exact(case))) => *kind == case.kind.to_string(),
        // erf and erfc have no theory
        (ClassRecord::Searched | ClassRecord::Mirrored { .. } | ClassRecord::Translated { .. }, verdict) => {
            // tan(π·x) repeats its poles
            verdict.is_ok()
                || matches!(verdict, Err(DriverError::Pole { .. } | DriverError::OutsideDomain { .. }))
        }
        _ => false,
    }
}

/// A region with its ends as numbers: they are asked for at every argument.
struct Region<'a> {
    first: Number,
    last: Number,
    class: &'a ClassRecord,
}

fn regions(certificate: &Certificate, format: Format) -> Vec<Region<'_>> {
    let region = |record: &'_ RegionRecord| [&record.first, &record.last].map(|end| number(end, format));
    let ends = certificate.regions.iter().map(region);
    let classes = certificate.regions.iter().map(|record| &record.class);
    ends.zip(classes).map(|([first, last], class)| Region { first, last, class }).collect()
}

/// What is known of x.
fn class<'a>(regions: &[Region<'a>], x: Number) -> &'a ClassRecord {
    regions.iter().find(|region| region.first <= x && x <= region.last).unwrap().class
}

/// The argument from which that follows which is known at x, by hand.
fn source(regions: &[Region], x: Number) -> Option<Number> {
    let negated = |x: Number| Number::new(-x.significand(), x.exponent());
    match class(regions, x) {
        ClassRecord::Mirrored { .. } => Some(source(regions, negated(x)).unwrap_or(negated(x))),
        ClassRecord::Translated { rule } if rule == "f(2 x) = f(x) + 1" => {
            let k = x.log2_floor()?;
            let l = if k < 0 { -1 - k } else { k };
            Some(Number::new(x.significand(), x.exponent() - k + (1 << l.ilog2())))
        }
        ClassRecord::Translated { rule } if rule.starts_with("f(2^") => {
            let ratio: i32 = rule["f(2^".len()..].split(' ').next()?.parse().ok()?;
            let k = x.log2_floor()?;
            // beyond the format: the binade below 1 of the same residue
            let base = Some(k.rem_euclid(ratio)).filter(|base| *base <= 15);
            let base = base.unwrap_or(k.rem_euclid(ratio) - ratio);
            Some(Number::new(x.significand(), x.exponent() - k + base))
        }
        ClassRecord::Translated { .. } => {
            let x = x.to_f64();
            let y = Number::from_f64(x - (x - 0.5).ceil())?;
            // sinpi and its like are searched on one side
            let is_mirrored = matches!(class(regions, y), ClassRecord::Mirrored { .. });
            Some(if is_mirrored { negated(y) } else { y })
        }
        _ => None,
    }
}

/// The list of a whole function is the list of brute force, where regions are searched or follow
/// from such; and elsewhere the regions say the truth.
fn against_brute_force(text: &str, format: Format, breakpoints: Breakpoints) {
    let function = parse(text).unwrap();
    let problem = problem(format, breakpoints, 8);
    let certificate = solved_with(&function, problem, None, InverseUse::Never);
    assert!(certificate.is_complete() && certificate.rules.is_empty(), "{text}: {:?}", certificate.failures);
    let (mut cases, mut exact, mut known) = (Vec::new(), BTreeMap::new(), 0);
    let regions = regions(&certificate, format);
    let mut ahead = regions.iter().enumerate().peekable();
    for x in numbers(format) {
        while ahead.peek().is_some_and(|(_, region)| region.last < x) {
            ahead.next();
        }
        let (index, region) = ahead.peek().unwrap();
        assert!(region.first <= x, "{text}: {x} is in no region");
        // where e^x is far below all numbers, MPFR tries thousands of bits to tell it from 0: a few
        // arguments will do
        let is_known = matches!(region.class, ClassRecord::Between { .. } | ClassRecord::Beside { .. });
        let is_end = region.first == x || region.last == x;
        known += usize::from(is_known);
        if is_known && !is_end && known % 509 != 0 {
            continue;
        }
        let verdict = confirm(&function, &problem, x);
        assert!(
            agrees(region.class, &verdict, breakpoints == Breakpoints::All),
            "{text} at {x}: {verdict:?} in {:?}",
            region.class
        );
        let is_listed = *region.class == ClassRecord::Searched
            || source(&regions, x).is_some_and(|y| *class(&regions, y) == ClassRecord::Searched);
        match verdict {
            Ok(Verdict::Case(case)) if is_listed => cases.push(Case::from(&case)),
            Ok(Verdict::Exact(_)) if *region.class == ClassRecord::Searched => {
                *exact.entry(*index).or_insert(0u64) += 1;
            }
            _ => {}
        }
    }
    assert_eq!(certificate.cases, cases, "{text}");
    let mut counted = BTreeMap::new();
    for unit in certificate.units.iter().filter(|unit| unit.exact > 0) {
        *counted.entry(unit.region).or_insert(0) += unit.exact;
    }
    assert_eq!(counted, exact, "{text}: exact cases");
    verified(&function, &certificate);
    by_inverse(&function, problem, &certificate);
}

/// Wherever the inverse function can be searched instead, the same is found.
fn by_inverse(function: &Expression, problem: Problem, certificate: &Certificate) {
    let inverse = solved_with(function, problem, None, InverseUse::WherePossible);
    let is_used = inverse.units.iter().any(|unit| unit.via.is_some());
    assert_eq!(is_used, function.inverse().is_some(), "{function}");
    if !is_used {
        assert_eq!(inverse.digest, certificate.digest);
        return;
    }
    assert!(inverse.is_complete(), "{function}: {:?}", inverse.failures);
    assert_eq!(inverse.cases, certificate.cases, "{function}");
    assert_eq!(inverse.exact_cases, certificate.exact_cases, "{function}");
    assert_eq!(inverse.undecided, certificate.undecided, "{function}");
    let sums = |certificate: &Certificate| {
        let mut sums = vec![[0; 2]; certificate.regions.len()];
        for unit in &certificate.units {
            let [cases, exact] = &mut sums[unit.region];
            (*cases, *exact) = (*cases + unit.cases, *exact + unit.exact);
        }
        sums
    };
    assert_eq!(sums(&inverse), sums(certificate), "{function}: region by region");
    let arguments = |certificate: &Certificate| certificate.unit_arguments().iter().sum::<u128>();
    assert_eq!(arguments(&inverse), arguments(certificate));
    verified(function, &inverse);
}

fn verified(function: &Expression, certificate: &Certificate) {
    let findings = findings(function, certificate, Some(&walk()), (4, 0.1, 1));
    assert!(findings.holds(), "{function}: {:?}", findings.refusals);
}

fn all<'a>(format: Format, texts: impl IntoIterator<Item = &'a str>) {
    texts.into_iter().for_each(|text| against_brute_force(text, format, Breakpoints::All));
}

/// All of them in the short format, and one in so many in binary16.
fn some_in_binary16(turns: usize, texts: &[&str]) {
    all(short(), texts.iter().copied());
    all(Format::BINARY16, one_in(turns, texts.iter().copied()));
}

/// Every fourth function of IEEE 754.
fn functions(part: usize) {
    let names = Builtin::ALL.into_iter().map(|builtin| Expression::function(builtin).to_string());
    let names: Vec<String> = names.skip(part).step_by(4).collect();
    let names: Vec<&str> = names.iter().map(|name| &**name).collect();
    some_in_binary16(6, &names);
}

#[test]
fn functions_0() {
    functions(0);
}

#[test]
fn functions_1() {
    functions(1);
}

#[test]
fn functions_2() {
    functions(2);
}

#[test]
fn functions_3() {
    functions(3);
}

/// What is searched of functions with pieces, poles and zeros without end; `gamma` and its like
/// have a pole at every negative integer.
#[test]
fn special_functions_0() {
    some_in_binary16(3, &["abs(sin(x))", "max(x,exp(-x))", "min(2,exp(x))"]);
    some_in_binary16(3, &["hypot(1,sin(x))", "copysign(log(1+abs(x)),x)", "erfcx"]);
}

/// Series and Newton's method in intervals: half a minute for some in binary16.
const WITH_SERIES: [&str; 9] =
    ["gamma", "lgamma", "digamma", "lambertw", "lambertwm1", "j0", "j1", "y0", "y1"];

#[test]
fn special_functions_1() {
    all(short(), one_in(9, WITH_SERIES));
}

#[test]
#[ignore = "long: what is asked in a shorter format otherwise, two minutes"]
fn special_functions_in_binary16() {
    all(Format::BINARY16, WITH_SERIES);
}

#[test]
fn expressions() {
    some_in_binary16(3, &["1/x", "x^3", "rootn(x,3)", "rootn(x,-5)", "x^-2", "x^12"]);
    some_in_binary16(3, &["exp(-1/x^2)", "2*exp(x)-1", "1/(x-3)", "x*exp(x)", "exp(2*x)+sin(3*x^2)"]);
}

#[test]
fn other_breakpoints() {
    let questions = ["exp", "exp2", "sinpi", "log2", "cbrt", "rsqrt"]
        .into_iter()
        .flat_map(|text| [(text, Breakpoints::Directed), (text, Breakpoints::Nearest)]);
    for (text, breakpoints) in questions.clone() {
        against_brute_force(text, short(), breakpoints);
    }
    for (text, breakpoints) in one_in(4, questions) {
        against_brute_force(text, Format::BINARY16, breakpoints);
    }
}

/// Roots of so high a degree that 2^a, with `f(2^a·x) = 2·f(x)`, is no number of the format: what
/// follows does so from another binade, or not at all.
#[test]
fn roots_of_high_degree() {
    let of_15_to_200 =
        ["rootn(x,15)", "rootn(x,16)", "rootn(x,17)", "rootn(x,20)", "rootn(x,-33)", "rootn(x,200)", "x^17"];
    some_in_binary16(3, &of_15_to_200);
}

/// Engines find the same, and say the same of what they found.
#[test]
fn engines_agree() {
    let function = parse("exp").unwrap();
    let problem = problem(Format::BINARY32, Breakpoints::All, 18);
    let mut lists = Vec::new();
    for engine in [SimdEngine::Farey, SimdEngine::Regular, SimdEngine::Lefevre, SimdEngine::Exhaustive] {
        for level in Level::available() {
            for threads in [1, 3] {
                let simd = Simd::new(engine, level);
                let workers = Workers::cpu(&simd, threads);
                let solve = Solve { workers, ..solve(&function, problem, Some(-2..1), &simd) };
                let plan = solve.plan().unwrap();
                let certificate = solve.run(&plan, &(), &Interrupt::new()).unwrap();
                assert!(certificate.is_complete());
                let verification = Verification {
                    certificate: &certificate,
                    function: &function,
                    engine: Some(&simd),
                    other: &simd,
                    faster: None,
                    walk: None,
                    samples: 2,
                    sample_seconds: 0.1,
                    seed: 2,
                };
                let findings = verification.run(&Interrupt::new()).unwrap();
                assert!(findings.holds(), "{engine:?} {level}: {:?}", findings.refusals);
                lists.push((engine, level.name(), certificate.digest.clone(), certificate.cases));
            }
        }
    }
    for pair in lists.chunks(2) {
        assert_eq!(pair[0].2, pair[1].2, "{:?} {}: threads change the certificate", pair[0].0, pair[0].1);
    }
    assert!(lists.iter().all(|(.., cases)| *cases == lists[0].3) && lists[0].3.len() > 100);
    let kinds = [BreakpointKind::Number, BreakpointKind::Midpoint].map(|kind| kind.to_string());
    assert!(kinds.iter().all(|kind| lists[0].3.iter().any(|case| case.kind == *kind)));
}
