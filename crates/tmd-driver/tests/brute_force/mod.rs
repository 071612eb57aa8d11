//! Whole searches against the function at every argument, written without any of the project's
//! function or interval code.

use rug::{Float, Rational};
use tmd_core::{Backend, Breakpoints, Format, Interrupt, Number, Problem};
use tmd_driver::{Outcome, Search, Workers};
use tmd_functions::parse;

/// A search over a small format.
pub(crate) struct Job<'a> {
    /// The function's text.
    pub(crate) text: &'a str,
    /// The function to 200 bits.
    pub(crate) function: &'a (dyn Fn(&Float) -> Float + Sync),
    /// The first argument.
    pub(crate) from: f64,
    /// The end, not searched.
    pub(crate) to: f64,
    /// Of arguments and results.
    pub(crate) format: Format,
    /// Extra bits.
    pub(crate) bits: u32,
}

impl Job<'_> {
    /// Cases and exact cases for every kind of breakpoints by every backend, against brute force.
    pub(crate) fn check(&self, backends: &[Box<dyn Backend>]) {
        let Self { text, function, from, to, format, bits } = *self;
        let arguments = arguments(from, to, format);
        for breakpoints in [Breakpoints::Directed, Breakpoints::Nearest, Breakpoints::All] {
            let problem = Problem::new(format, format, breakpoints, bits).unwrap();
            let mut cases = vec![];
            let mut exact = vec![];
            for &x in &arguments {
                let y = function(&float(x));
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
            for backend in backends {
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
                    let y = function(&float(case.argument));
                    assert_eq!(case.above, y > float(case.breakpoint), "{context}: {case:?}");
                    assert!(float(case.lower) <= y && y <= float(case.upper), "{context}: {case:?}");
                    // lower and upper are neighbors: nothing of the format between them
                    let exponent = y.get_exp().unwrap() - 1;
                    let ulp = Float::with_val(200, 1) << format.ulp_exponent(exponent);
                    assert_eq!(float(case.upper) - float(case.lower), ulp, "{context}: {case:?}");
                }
            }
        }
    }
}

pub(crate) fn search(
    text: &str,
    from: Rational,
    to: Rational,
    problem: Problem,
    backend: &dyn Backend,
    threads: usize,
) -> Outcome {
    let function = parse(text).unwrap();
    let workers = Workers::cpu(backend, threads);
    let search = Search { function: &function, from, to, problem, workers };
    search.run(&(), &Interrupt::new()).unwrap_or_else(|error| panic!("{text}: {error}"))
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
pub(crate) fn arguments(from: f64, to: f64, format: Format) -> Vec<Number> {
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

pub(crate) fn float(x: Number) -> Float {
    Float::with_val(200, x.significand()) << x.exponent()
}
