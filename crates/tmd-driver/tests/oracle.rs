//! Whole searches by every engine against MPFR at every argument.

mod brute_force;
#[allow(dead_code, reason = "its arguments are floats here")]
mod oracle_functions;

use brute_force::{Job, float, search};
use rayon::prelude::*;
use rug::{Float, Rational};
use tmd_core::{
    Backend, Breakpoints, CoreError, Format, Interrupt, Number, Piece, PieceOutcome, PiecePlan, Problem,
    Scalar, ScalarEngine, exist::Logms,
};
use tmd_driver::{Search, Workers};
use tmd_functions::parse;
use tmd_simd::{Level, Simd, SimdEngine};
use tmd_testkit::by_turns;

/// Every engine; the walk in every kind of lanes this machine has.
fn backends() -> Vec<Box<dyn Backend>> {
    let scalar = |engine| Scalar { engine, logms: Logms::default(), domain_size: None };
    let engines =
        [ScalarEngine::Regular, ScalarEngine::Lefevre, ScalarEngine::Exhaustive, ScalarEngine::Farey];
    let mut backends: Vec<Box<dyn Backend>> = Vec::new();
    backends.extend(engines.map(|engine| Box::new(scalar(engine)) as Box<dyn Backend>));
    let lanes = Level::available().into_iter().map(Simd::farey);
    let tests = SimdEngine::ALL.map(|engine| Simd::new(engine, Level::best()));
    backends.extend(lanes.chain(tests).map(|simd| Box::new(simd) as Box<dyn Backend>));
    backends
}

/// The function by MPFR's own operations, to 200 bits.
fn mpfr(text: &str, x: &Float) -> Float {
    let known = oracle_functions::of_float(text, x.clone()).map(|y| Float::with_val(200, y));
    if let Some(y) = known {
        return y;
    }
    let x = Float::with_val(200, x);
    match text {
        "-exp(-x)" => -(-x).exp(),
        "sin(x)/x" => x.clone().sin() / x,
        "x^2+2/3-2/3" => x.square(),
        "exp(2*x)+sin(3*x^2)-3*cos(x)" => {
            let square = x.clone().square() * 3u32;
            (x.clone() * 2u32).exp() + square.sin() - x.cos() * 3u32
        }
        other => panic!("no oracle for {other}"),
    }
}

/// Cases and exact cases of every function over real domains of a small format, argument by
/// argument.
#[test]
fn small_formats_in_full() {
    let p13 = Format::BINARY32.with_precision(13).unwrap();
    let jobs: [(&str, f64, f64, Format, u32); 20] = [
        ("exp", -17.5, 11.0, Format::BINARY16, 7),
        ("exp", 1.0, 2.0, p13, 8),
        ("exp2", -3.0, 3.0, Format::BINARY16, 7),
        ("exp10", 0.25, 2.0, p13, 8),
        ("log", 0.25, 8.0, p13, 8),
        ("log2", 0.25, 9.0, Format::BINARY16, 7),
        ("log10", 0.5, 11.0, Format::BINARY16, 7),
        ("sin", 0.25, 4.0, p13, 8),
        ("sin", -2.0, -0.5, Format::BINARY16, 7),
        ("cos", 0.5, 3.0, p13, 8),
        ("tan", 0.25, 1.5, p13, 8),
        ("sqrt", 0.25, 5.0, Format::BINARY16, 7),
        ("cbrt", -9.0, -0.5, Format::BINARY16, 7),
        ("cbrt", 0.5, 9.0, p13, 8),
        ("1/x", 0.5, 4.0, Format::BINARY16, 7),
        ("-exp(-x)", -3.0, -0.25, Format::BFLOAT16, 5),
        ("sin(x)/x", 0.25, 8.0, Format::BINARY16, 7),
        ("exp(2*x)+sin(3*x^2)-3*cos(x)", 0.75, 3.0, p13, 8),
        // rational results of few bits, many of them exactly ε away, which is no case; enclosed as
        // points, or not
        ("x^2", -2.0, -0.75, p13, 8),
        ("x^2+2/3-2/3", 0.75, 2.0, p13, 8),
    ];
    by_turns(jobs).collect::<Vec<_>>().into_par_iter().for_each(|(text, from, to, format, bits)| {
        let job = Job { text, function: &|x| mpfr(text, x), from, to, format, bits };
        job.check(&backends());
    });
}

/// A full binade of binary32, every argument by MPFR. On [8, 16) exp bends too much for the walk,
/// on [1, 2) and below it does not.
#[test]
fn exp_on_binades_of_binary32() {
    for exponent in by_turns([-25, -23, -20]) {
        exp_on_a_binade_of_binary32(exponent);
    }
}

fn exp_on_a_binade_of_binary32(exponent: i32) {
    let bits: u32 = 15;
    let format = Format::BINARY32;
    let expected: Vec<Number> = (1i128 << 23..1 << 24)
        .into_par_iter()
        .map(|m| Number::new(m, exponent))
        .filter(|&x| {
            // exp(x) in units of 2^-60 half-ulps; the exponent of a Float is that of a fraction
            // below 1
            let y = Float::with_val(90, float(x)).exp();
            let half_ulp = y.get_exp().unwrap() - 25;
            let units = (y << (60 - half_ulp)).to_integer().and_then(|n| n.to_u128()).unwrap();
            let fraction = units as u64 % (1 << 60);
            // distance in half-ulps < 2^(1−bits)
            fraction.min((1 << 60) - fraction) < 1 << (61 - bits)
        })
        .collect();
    let problem = Problem::new(format, format, Breakpoints::All, bits).unwrap();
    let (from, to) = (Rational::from(1) << (exponent + 23), Rational::from(2) << (exponent + 23));
    for backend in backends() {
        let engine = backend.name();
        if engine.starts_with("farey") {
            let workers = Workers::cpu(backend.as_ref(), 2);
            let function = parse("exp").unwrap();
            let search = Search { function: &function, from: from.clone(), to: to.clone(), problem, workers };
            let plan = search.plan().unwrap();
            assert!(
                plan.ranges.iter().all(|range| range.order.is_some() == (exponent < -20)),
                "{engine}: {plan:?}"
            );
        }
        let found = search("exp", from.clone(), to.clone(), problem, backend.as_ref(), 2);
        assert_eq!(found.cases.iter().map(|case| case.argument).collect::<Vec<_>>(), expected, "{engine}");
    }
    assert!(expected.len() > 500);
}

/// A backend that claims to take so many seconds, so that the driver cuts its pieces.
struct Slow(Scalar, f64);

impl Backend for Slow {
    fn name(&self) -> String {
        self.0.name()
    }
    fn plan(&self, piece: &Piece) -> Result<PiecePlan, CoreError> {
        Ok(PiecePlan { seconds: self.1, ..self.0.plan(piece)? })
    }
    fn search(&self, piece: &Piece, interrupt: &Interrupt) -> Result<PieceOutcome, CoreError> {
        self.0.search(piece, interrupt)
    }
}

/// However many parts a piece is cut into, no argument is lost at a seam: with this ε half of all
/// arguments are cases.
#[test]
fn parts_of_a_piece_lose_nothing() {
    let format = Format::BINARY32.with_precision(13).unwrap();
    let problem = Problem::new(format, format, Breakpoints::All, 3).unwrap();
    let function = parse("exp").unwrap();
    let cases = |seconds| {
        let scalar = Scalar { engine: ScalarEngine::Regular, logms: Logms::default(), domain_size: None };
        let backend = Slow(scalar, seconds);
        let (from, to) = (Rational::from(1), Rational::from(2));
        let workers = Workers::cpu(&backend, 2);
        let search = Search { function: &function, from, to, problem, workers };
        let found = search.run(&(), &Interrupt::new()).unwrap();
        assert_eq!((found.searched, found.arguments), (4096, 4096));
        found.cases
    };
    let whole = cases(0.0);
    assert!((1900..2200).contains(&whole.len()), "{} cases", whole.len());
    // 1 ms and 250 ms are the shortest and the longest part
    for seconds in [0.005, 1.0, 7.75, 100.0, f64::INFINITY, f64::NAN] {
        assert_eq!(cases(seconds), whole, "{seconds} s");
    }
}
