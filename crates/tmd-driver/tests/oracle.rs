//! Whole searches against MPFR at every argument, written without any of the project's function or interval code.

use rayon::prelude::*;
use rug::{Float, Rational};
use tmd_core::{
    Backend, Breakpoints, CoreError, Format, Interrupt, Number, Piece, PieceOutcome, PiecePlan, Problem,
    Scalar, ScalarEngine, exist::Logms,
};
use tmd_driver::{Outcome, Search, Workforce};
use tmd_functions::parse;
use tmd_simd::{Level, Simd, SimdEngine};

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

fn search(
    text: &str,
    from: Rational,
    to: Rational,
    problem: Problem,
    backend: &dyn Backend,
    threads: usize,
) -> Outcome {
    let function = parse(text).unwrap();
    let workforce = Workforce::cpu(backend, threads);
    let search = Search { function: &function, from, to, problem, workforce };
    search.run(&(), &Interrupt::new()).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The function by MPFR's own operations, to 200 bits.
fn mpfr(text: &str, x: &Float) -> Float {
    let x = Float::with_val(200, x);
    match text {
        "exp" => x.exp(),
        "exp2" => x.exp2(),
        "exp10" => x.exp10(),
        "log" => x.ln(),
        "log2" => x.log2(),
        "log10" => x.log10(),
        "sin" => x.sin(),
        "cos" => x.cos(),
        "tan" => x.tan(),
        "sqrt" => x.sqrt(),
        "cbrt" => x.cbrt(),
        "1/x" => x.recip(),
        "-exp(-x)" => -(-x).exp(),
        "sin(x)/x" => x.clone().sin() / x,
        "x^2" | "x^2+2/3-2/3" => x.square(),
        "exp(2*x)+sin(3*x^2)-3*cos(x)" => {
            let square = x.clone().square() * 3u32;
            (x.clone() * 2u32).exp() + square.sin() - x.cos() * 3u32
        }
        other => panic!("no oracle for {other}"),
    }
}

/// Distance of `y` to the nearest breakpoint in ulps, from the definition.
fn distance(y: &Float, format: Format, breakpoints: Breakpoints) -> f64 {
    let exponent = y.get_exp().map_or(format.min_exponent(), |e| e - 1);
    let ulps = y.clone() >> format.ulp_exponent(exponent);
    let to_integer = |z: Float| (Float::with_val(200, z.round_ref()) - z).abs().to_f64();
    let number = to_integer(ulps.clone());
    let midpoint = to_integer(ulps - 0.5f64);
    match breakpoints {
        Breakpoints::Directed => number,
        Breakpoints::Nearest => midpoint,
        Breakpoints::All => number.min(midpoint),
    }
}

/// All arguments of a format in `[from, to)`, from the definition of a format.
fn arguments(from: f64, to: f64, format: Format) -> Vec<Number> {
    let mut found = vec![];
    let p = format.precision();
    let largest = from.abs().max(to.abs());
    let smallest = if from > 0.0 {
        from
    } else if to < 0.0 {
        -to
    } else {
        0.0
    };
    for exponent in format.min_exponent()..=format.max_exponent() {
        if 2f64.powi(exponent) > largest || 2f64.powi(exponent + 1) <= smallest {
            continue;
        }
        let ulp = format.ulp_exponent(exponent);
        let first = if exponent == format.min_exponent() { 0 } else { 1 << (p - 1) };
        for m in first..1i128 << p {
            for signed in [-m, m] {
                let x = Number::new(signed, ulp);
                if x.to_f64() >= from && x.to_f64() < to && (m != 0 || signed == m) {
                    found.push(x);
                }
            }
        }
    }
    found.sort();
    found.dedup();
    found
}

fn float(x: Number) -> Float {
    Float::with_val(200, x.significand()) << x.exponent()
}

/// Cases and exact cases of every function over real domains of a small format, argument by argument.
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
        // rational results of few bits, many of them exactly ε away, which is no case; enclosed as points, or not
        ("x^2", -2.0, -0.75, p13, 8),
        ("x^2+2/3-2/3", 0.75, 2.0, p13, 8),
    ];
    jobs.into_par_iter().for_each(|(text, from, to, format, bits)| {
        let arguments = arguments(from, to, format);
        for breakpoints in [Breakpoints::Directed, Breakpoints::Nearest, Breakpoints::All] {
            let problem = Problem::new(format, format, breakpoints, bits).unwrap();
            let mut cases = vec![];
            let mut exact = vec![];
            for &x in &arguments {
                let y = mpfr(text, &float(x));
                let distance = distance(&y, format, breakpoints);
                // an exact case is one to 200 bits here; a distance between would be undecided
                assert!(!(1e-50..1e-40).contains(&distance), "{text}({x})");
                if distance < 1e-50 {
                    exact.push(x);
                } else if distance < 2f64.powi(-(bits as i32)) {
                    cases.push((x, distance));
                }
            }
            assert!(cases.len() > 3, "{text}: nothing to find");
            for backend in backends() {
                let engine = backend.name();
                let [from, to] = [from, to].map(|end| Rational::from_f64(end).unwrap());
                let found = search(text, from, to, problem, backend.as_ref(), 1);
                let context = format!("{text} {breakpoints} {engine}");
                assert_eq!(found.arguments, arguments.len() as u128, "{context}");
                assert_eq!(found.undecided, [], "{context}");
                let found_exact: Vec<_> = found.exact_cases.iter().map(|case| case.argument).collect();
                assert_eq!(found_exact, exact, "{context}");
                let found_cases: Vec<_> = found.cases.iter().map(|case| case.argument).collect();
                let expected: Vec<_> = cases.iter().map(|&(x, _)| x).collect();
                assert_eq!(found_cases, expected, "{context}");
                for (case, &(_, distance)) in found.cases.iter().zip(&cases) {
                    assert!((case.log2_distance - distance.log2()).abs() < 1e-6, "{context}: {case:?}");
                    let y = mpfr(text, &float(case.argument));
                    assert_eq!(case.above, y > float(case.breakpoint), "{context}: {case:?}");
                    assert!(float(case.lower) <= y && y <= float(case.upper), "{context}: {case:?}");
                    // lower and upper are neighbors: nothing of the format between them
                    let exponent = y.get_exp().unwrap() - 1;
                    let ulp = Float::with_val(200, 1) << format.ulp_exponent(exponent);
                    assert_eq!(float(case.upper) - float(case.lower), ulp, "{context}: {case:?}");
                }
            }
        }
    });
}

/// A full binade of binary32, every argument by MPFR.
#[test]
fn exp_on_a_binade_of_binary32() {
    let bits: u32 = 15;
    let format = Format::BINARY32;
    let expected: Vec<Number> = (1i128 << 23..1 << 24)
        .into_par_iter()
        .map(|m| Number::new(m, -23))
        .filter(|&x| {
            // exp(x) in units of 2^-60 half-ulps; on [1, 2) the results have the ulps 2^-22 and 2^-21
            let y = Float::with_val(90, float(x)).exp();
            let half_ulp: i32 = if y < 4 { -23 } else { -22 };
            let units = (y << (60 - half_ulp)).to_integer().and_then(|n| n.to_u128()).unwrap();
            let fraction = units as u64 % (1 << 60);
            // distance in half-ulps < 2^(1−bits)
            fraction.min((1 << 60) - fraction) < 1 << (61 - bits)
        })
        .collect();
    let problem = Problem::new(format, format, Breakpoints::All, bits).unwrap();
    for backend in backends() {
        let engine = backend.name();
        let found = search("exp", Rational::from(1), Rational::from(2), problem, backend.as_ref(), 2);
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

/// However many parts a piece is cut into, no argument is lost at a seam: with this ε half of all arguments are cases.
#[test]
fn parts_of_a_piece_lose_nothing() {
    let format = Format::BINARY32.with_precision(13).unwrap();
    let problem = Problem::new(format, format, Breakpoints::All, 3).unwrap();
    let function = parse("exp").unwrap();
    let cases = |seconds| {
        let scalar = Scalar { engine: ScalarEngine::Regular, logms: Logms::default(), domain_size: None };
        let backend = Slow(scalar, seconds);
        let (from, to) = (Rational::from(1), Rational::from(2));
        let workforce = Workforce::cpu(&backend, 2);
        let search = Search { function: &function, from, to, problem, workforce };
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
