//! The literature's figures, and agreement of engines, domain sizes and thread counts on real
//! domains.

mod testing;

use rug::Rational;
use testing::{StopAfter, problem};
use tmd_core::{
    Backend, Breakpoints, CoreError, Format, Interrupt, Problem, Scalar, ScalarEngine, exist::Logms,
};
use tmd_driver::{DriverError, Observer, Outcome, Search, Workers, confirm::hardness};
use tmd_functions::parse;
use tmd_simd::{Level, Simd, SimdEngine};
use tmd_testkit::{by_turns, known, one_in};

struct Job {
    function: &'static str,
    from: &'static str,
    to: &'static str,
    arguments: u32,
    breakpoints: Breakpoints,
    extra_bits: u32,
}

fn run(job: &Job, backend: &dyn Backend, threads: usize) -> Result<Outcome, DriverError> {
    run_with(job, backend, threads, &(), &Interrupt::new())
}

fn run_with(
    job: &Job,
    backend: &dyn Backend,
    threads: usize,
    observer: &dyn Observer,
    interrupt: &Interrupt,
) -> Result<Outcome, DriverError> {
    let arguments = Format::BINARY64.with_precision(job.arguments)?;
    let problem = Problem::new(arguments, Format::BINARY64, job.breakpoints, job.extra_bits)?;
    let workers = Workers::cpu(backend, threads);
    testing::search(job.function, [job.from, job.to], problem, workers, observer, interrupt)
}

fn scalar(engine: ScalarEngine) -> Scalar {
    Scalar { engine, logms: Logms::default(), domain_size: None }
}

/// The walk in the lanes of this name, or in the best there are.
fn walk(lanes: &str) -> Simd {
    Simd::farey(Level::named(lanes).unwrap_or_else(|_| Level::best()))
}

const fn exp(to: &'static str, arguments: u32, breakpoints: Breakpoints, extra_bits: u32) -> Job {
    Job { function: "exp", from: "1", to, arguments, breakpoints, extra_bits }
}

/// The papers' searches, and how many cases there are.
const COUNTS: [(Job, usize); 4] = [
    (exp("1+2^-13", 54, Breakpoints::Directed, 33), 243),
    (exp("1+2^-13", 53, Breakpoints::Directed, 32), 241),
    (exp("1+2^-13", 53, Breakpoints::All, 33), 236),
    (exp("1+2^-12", 53, Breakpoints::Directed, 33), 242),
];

#[test]
fn the_papers_243_cases() {
    let found = run(&COUNTS[0].0, &scalar(ScalarEngine::Regular), 2).unwrap();
    assert_eq!(found.arguments, 1 << 40);
    assert_eq!(found.cases.len(), 243);
    assert!(found.exact_cases.is_empty() && found.undecided.is_empty());
}

#[test]
fn the_counts_241_236_242() {
    for (job, count) in by_turns(&COUNTS[1..]) {
        let reference = run(job, &scalar(ScalarEngine::Regular), 2).unwrap();
        assert_eq!(reference.cases.len(), *count);
        for lanes in ["avx512", "avx2", "portable"] {
            assert_eq!(run(job, &walk(lanes), 2).unwrap().cases, reference.cases, "{lanes}");
        }
        assert_eq!(run(job, &scalar(ScalarEngine::Farey), 2).unwrap().cases, reference.cases);
        for engine in [SimdEngine::Regular, SimdEngine::Lefevre, SimdEngine::LefevreSwap] {
            let found = run(job, &Simd::new(engine, Level::best()), 2).unwrap();
            assert_eq!(found.cases, reference.cases, "{engine:?}");
        }
    }
}

/// Long domains on which a walk and the scalar search list the same cases: shapes as they occur
/// near 1, 16, 128 and 2^-10, decreasing, concave, with an inflection point, with a zero, composed.
#[test]
#[ignore = "long: walks of up to 2^44 arguments against the scalar search, several minutes"]
fn long_walks_agree_with_the_scalar_search() {
    for (function, from, to, breakpoints, extra_bits) in [
        ("exp", "1", "1+2^-8", Breakpoints::All, 35),
        ("exp", "16", "16+2^-11", Breakpoints::Directed, 30),
        ("exp", "128", "128+2^-11", Breakpoints::Nearest, 30),
        ("exp", "2^-10", "2^-10+2^-20", Breakpoints::Directed, 33),
        ("exp", "-1-2^-11", "-1", Breakpoints::Directed, 33),
        ("exp(-x)", "1", "1+2^-11", Breakpoints::Directed, 33),
        ("log", "1.5", "1.5+2^-11", Breakpoints::Directed, 33),
        ("log", "1+2^-10", "1+2^-10+2^-16", Breakpoints::Directed, 28),
        ("sin", "0.5", "0.5+2^-11", Breakpoints::Directed, 33),
        ("sin", "2^-20", "2^-19", Breakpoints::Directed, 40),
        // the second derivative vanishes at log 3, between the ends
        ("exp(x)-3*x^2/2", "1.0986", "1.0986+2^-15", Breakpoints::All, 30),
        ("cos", "1", "1+2^-11", Breakpoints::All, 34),
        ("cos", "1.5", "1.5+2^-13", Breakpoints::Directed, 32),
        ("exp2", "1", "1+2^-11", Breakpoints::Directed, 33),
        ("x^3-3*x", "2^-14", "2^-14+2^-28", Breakpoints::Directed, 32),
        ("1/x", "1.25", "1.25+2^-11", Breakpoints::Nearest, 33),
        ("exp(2*x)+sin(3*x^2)", "1.25", "1.25+2^-12", Breakpoints::Directed, 32),
    ] {
        let job = Job { function, from, to, arguments: 53, breakpoints, extra_bits };
        let reference =
            run(&job, &scalar(ScalarEngine::Regular), 2).unwrap_or_else(|e| panic!("{function}: {e}"));
        assert!(reference.cases.len() > 20, "{function} from {from}: {} cases", reference.cases.len());
        for lanes in ["avx512", "avx2"] {
            for threads in [1, 2] {
                let found = run(&job, &walk(lanes), threads).unwrap();
                assert_eq!(found.cases, reference.cases, "{function} from {from}, {lanes}");
                assert_eq!(found.exact_cases, reference.exact_cases, "{function} from {from}, {lanes}");
            }
        }
    }
}

/// 2^44 doubles where exp bends little and much: the walk in either kind of lanes and the regular
/// test in lanes.
#[test]
#[ignore = "long: four times 2^44 arguments with the regular test in lanes, some minutes"]
fn lanes_agree_on_2_44_doubles() {
    for (from, to) in [("1", "1+2^-8"), ("16", "16+2^-4"), ("128", "128.5"), ("2^-10", "2^-10+2^-18")] {
        let (breakpoints, extra_bits) = (Breakpoints::Directed, 34);
        let job = Job { function: "exp", from, to, arguments: 53, breakpoints, extra_bits };
        let reference = run(&job, &Simd::new(SimdEngine::Regular, Level::best()), 2).unwrap();
        assert_eq!(reference.arguments, 1 << 44);
        assert!(reference.cases.len() > 1800, "from {from}: {} cases", reference.cases.len());
        for (lanes, threads) in [("avx512", 1), ("avx512", 2), ("avx2", 2)] {
            assert_eq!(
                run(&job, &walk(lanes), threads).unwrap().cases,
                reference.cases,
                "from {from}, {lanes}"
            );
        }
    }
}

#[test]
#[ignore = "long: the four counts with Lefèvre's test at the papers' domain size, about a minute"]
fn the_counts_with_lefevres_test() {
    for (job, count) in &COUNTS {
        let lefevre = Scalar { domain_size: Some(1 << 15), ..scalar(ScalarEngine::Lefevre) };
        let found = run(job, &lefevre, 2).unwrap();
        assert_eq!(found.cases.len(), *count);
        assert_eq!(found.cases, run(job, &scalar(ScalarEngine::Regular), 2).unwrap().cases);
    }
}

/// Real domains of many shapes: every engine, domain size, threshold and thread count lists the
/// same cases.
#[test]
fn engines_and_threads_agree() {
    let all = Breakpoints::All;
    let jobs = [
        ("exp", "16", "16+2^-19", 53, all, 20),
        ("exp", "128", "128+2^-18", 53, Breakpoints::Nearest, 19),
        ("exp", "-2^-10", "-2^-10+2^-36", 53, all, 20),
        ("log", "1", "1+2^-24", 53, all, 20),
        ("log", "1-2^-26", "1+2^-26", 53, Breakpoints::Directed, 20),
        ("sin", "0.5-2^-25", "0.5+2^-24", 53, all, 22),
        ("sin", "3.14159", "3.14159+2^-26", 53, all, 20),
        ("cos", "1-2^-27", "1+2^-27", 53, Breakpoints::Nearest, 20),
        ("tan", "1.5707963", "1.57079631", 53, all, 22),
        ("exp2", "0.999999995", "1.000000005", 53, all, 18),
        ("log2", "2-2^-26", "2+2^-26", 53, all, 18),
        ("cbrt", "1.7", "1.7+2^-25", 53, all, 18),
        ("x^3-3*x", "1.4", "1.4+2^-26", 53, all, 20),
        ("1/x", "1+2^-20", "1+2^-20+2^-25", 54, Breakpoints::Directed, 22),
        ("exp(2*x)+sin(3*x^2)", "1.25", "1.25+2^-25", 53, all, 20),
        // an inflection point in the middle
        ("exp(x)-exp(1)*x^2/2+exp(1/2)*x", "1-2^-26", "1+2^-26", 53, all, 20),
    ];
    for (function, from, to, arguments, breakpoints, extra_bits) in one_in(5, jobs) {
        let job = Job { function, from, to, arguments, breakpoints, extra_bits };
        let reference =
            run(&job, &scalar(ScalarEngine::Exhaustive), 2).unwrap_or_else(|e| panic!("{function}: {e}"));
        assert!(reference.cases.len() > 10, "{function}: {} cases say little", reference.cases.len());
        let expected = breakpoints.expected_cases(reference.arguments as f64, extra_bits);
        let found = reference.cases.len() as f64;
        // So near 1, log(x) is t − t²/2 to within a few ulps: in ulps of the result a multiple of
        // 2^-28, which falls on breakpoints more often than chance.
        let is_lawful = function != "log";
        assert!(
            !is_lawful || (found - expected).abs() < 6.0 * expected.sqrt() + 6.0,
            "{function}: {found} against {expected}"
        );
        let regular = scalar(ScalarEngine::Regular);
        let mut variants: Vec<(Box<dyn Backend>, usize)> = vec![
            (Box::new(Scalar { domain_size: Some(1000), ..regular }), 3),
            (Box::new(Scalar { logms: Logms::new(3).unwrap(), ..scalar(ScalarEngine::Lefevre) }), 1),
            (Box::new(walk("avx512").with_domain_size(Some(300))), 3),
            (Box::new(walk("avx2").with_domain_size(Some(20_000))), 2),
            // too much curvature for the walk
            (Box::new(walk("avx2").with_domain_size(Some(1 << 30))), 2),
        ];
        let tests = [ScalarEngine::Regular, ScalarEngine::Lefevre, ScalarEngine::Farey];
        for threads in [1, 2] {
            variants.extend(tests.map(|engine| (Box::new(scalar(engine)) as Box<dyn Backend>, threads)));
            for level in Level::available() {
                let engine = |engine| (Box::new(Simd::new(engine, level)) as Box<dyn Backend>, threads);
                variants.extend(SimdEngine::ALL.map(engine));
            }
        }
        for (backend, threads) in variants {
            let found = run_with(&job, backend.as_ref(), threads, &(), &Interrupt::new()).unwrap();
            let name = backend.name();
            assert_eq!(found.cases, reference.cases, "{function} {name}");
            assert_eq!(found.exact_cases, reference.exact_cases, "{function} {name}");
            assert_eq!(found.searched, reference.arguments);
        }
    }
}

#[test]
fn the_worst_cases_of_the_literature() {
    let cases = known::worst_cases().unwrap();
    assert!(cases.len() >= 20);
    for known in cases {
        let function = parse(&known.function).unwrap();
        let problem = problem(Format::BINARY64, Breakpoints::All, 40);
        let case = hardness(&function, &problem, known.argument).unwrap().unwrap();
        assert_eq!(case.identical_bits, known.identical_bits, "{known:?}");
        let kind = if known.midpoint { "midpoint" } else { "number" };
        assert_eq!(case.kind.to_string(), kind, "{known:?}");
    }
}

/// Each of them turns up in a search of its neighborhood, 2^25 doubles, with no more others than
/// chance allows: the pieces of these functions are right to 2^-43 ulp.
#[test]
fn searches_find_the_worst_cases_of_the_literature() {
    for known in known::worst_cases().unwrap() {
        let (significand, exponent) = (known.argument.significand(), known.argument.exponent());
        // doubles next to it, in its binade
        let shift = 53 - (128 - significand.unsigned_abs().leading_zeros()) as i32;
        let last_place = Rational::from(1) << (exponent - shift);
        let center = Rational::from(significand) << exponent;
        let reach = last_place * (1 << 24);
        let (from, to) = (Rational::from(&center - &reach), center + reach);
        let function = parse(&known.function).unwrap();
        let problem = problem(Format::BINARY64, Breakpoints::All, 43);
        let backend = walk("avx512");
        let workers = Workers::cpu(&backend, 2);
        let search = Search { function: &function, from, to, problem, workers };
        let found = search.run(&(), &Interrupt::new()).unwrap_or_else(|error| panic!("{known:?}: {error}"));
        let case = found.cases.iter().find(|case| case.argument == known.argument);
        let case = case.unwrap_or_else(|| panic!("{known:?} is not found"));
        assert_eq!(case.identical_bits, known.identical_bits, "{known:?}");
        assert!(found.arguments > 1 << 23 && found.cases.len() < 4, "{known:?}: {}", found.cases.len());
    }
}

#[test]
fn an_interrupted_search_keeps_what_it_has() {
    let (job, _) = &COUNTS[0];
    let interrupt = Interrupt::new();
    // at the first piece
    let stop = StopAfter(0, &interrupt);
    let found = run_with(job, &scalar(ScalarEngine::Regular), 1, &stop, &interrupt).unwrap();
    assert!(found.is_partial() && found.searched > 0);
    let whole = run(job, &scalar(ScalarEngine::Regular), 2).unwrap();
    assert!(!found.cases.is_empty() && found.cases.iter().all(|case| whole.cases.contains(case)));
}

#[test]
fn wrong_questions() {
    let ask = |function, from, to, bits| {
        let job = Job { function, from, to, arguments: 53, breakpoints: Breakpoints::All, extra_bits: bits };
        run(&job, &scalar(ScalarEngine::Regular), 1).unwrap_err()
    };
    assert!(matches!(ask("exp", "2", "1", 40), DriverError::EmptyInterval { .. }));
    assert!(matches!(ask("exp", "1", "1", 40), DriverError::EmptyInterval { .. }));
    assert!(matches!(ask("exp", "1+2^-54", "1+2^-53", 40), DriverError::NoArguments { .. }));
    assert!(matches!(ask("exp", "1", "2^1025", 60), DriverError::ArgumentOverflow { .. }));
    assert!(matches!(ask("log", "-1", "1", 50), DriverError::OutsideDomain { .. }));
    assert!(matches!(ask("log", "0", "1", 60), DriverError::OutsideDomain { .. } | DriverError::Pole { .. }));
    assert!(matches!(ask("sqrt", "-1", "1", 60), DriverError::OutsideDomain { .. }));
    for function in ["tan", "1/(x-1.5)", "1/(x^2-2)"] {
        assert!(matches!(ask(function, "1", "2", 45), DriverError::Pole { .. }), "{function}");
    }
    assert!(matches!(ask("exp", "700", "710", 45), DriverError::ResultOverflow { .. }));
    assert!(matches!(ask("exp", "1", "2", 61), DriverError::Core(CoreError::ExtraBits { .. })));
    assert!(matches!(ask("exp", "1", "2", 20), DriverError::TooManyCases { .. }));
    // no theorem here knows that these are x
    assert!(matches!(ask("sqrt(x)*sqrt(x)", "1", "1+2^-40", 45), DriverError::IdenticallyExact { .. }));
    assert!(matches!(ask("exp(log(x))", "1", "1+2^-40", 45), DriverError::IdenticallyExact { .. }));
    // x + 2^-60 is a case at every argument: none was expected, too many turned up
    assert!(matches!(ask("x+2^-60", "1", "1+2^-33", 7), DriverError::TooManyFound { .. }));
    // a constant is always on its breakpoint
    assert!(matches!(ask("x-x", "1", "2", 50), DriverError::Core(CoreError::TooManyCandidates { .. })));
}
