//! Against brute force: every argument of a small format, one by one with MPFR.

use proptest::prelude::*;
use tmd_functions::parse;
use tmd_simd::{Level, Simd};

use super::*;
use tmd_core::Interrupt;

use crate::{
    Outcome, Workers,
    confirm::hardness,
    via::{Task, Via},
};

/// Functions with inverses, each flat somewhere.
const FUNCTIONS: [&str; 12] =
    ["exp", "log", "atan", "tanh", "cbrt", "sqrt", "asinh", "logp1", "acos", "cosh", "rootn(x,5)", "log2"];

/// Problem, arguments of one binade and sign.
#[derive(Clone, Debug)]
struct BinadeProblem {
    function: &'static str,
    problem: Problem,
    arguments: ArgumentRange,
}

impl BinadeProblem {
    fn function(&self) -> Expression {
        parse(self.function).unwrap()
    }

    fn parts(&self) -> Option<Vec<Part>> {
        parts(&self.function(), &self.problem, &self.arguments, false)
    }

    /// What brute force says, but for the arguments that are not hard.
    fn brute_force(&self) -> Vec<Verdict> {
        let arguments = (0..self.arguments.count()).map(|k| self.arguments.argument(k));
        let verdicts = arguments.map(|x| confirm(&self.function(), &self.problem, x).unwrap());
        verdicts.filter(|verdict| *verdict != Verdict::NotHard).collect()
    }

    /// What searches of the inverse find, in the order of the arguments.
    fn searched(&self, parts: &[Part]) -> Vec<Verdict> {
        found(parts.iter().map(|part| searched(&self.function(), &self.problem, part)))
    }
}

fn run(task: &Task) -> Outcome {
    task.run(Workers::cpu(&Simd::farey(Level::best()), 1), &(), &Interrupt::new()).unwrap()
}

/// The outcome of a part, searched by the inverse.
fn searched(function: &dyn Function, problem: &Problem, Part { breakpoints, via }: &Part) -> Outcome {
    let via = Via::Inverse(via.clone());
    let outcome = run(&Task { function, problem, range: *breakpoints, via: Some(&via) });
    assert_eq!(outcome.searched, u128::from(breakpoints.count()));
    assert_eq!(outcome.exact_count, outcome.exact_cases.len() as u64);
    outcome
}

/// All that searches found, in the order of the arguments.
fn found(outcomes: impl IntoIterator<Item = Outcome>) -> Vec<Verdict> {
    let mut found = Vec::new();
    for outcome in outcomes {
        found.extend(outcome.cases.into_iter().map(Verdict::Case));
        found.extend(outcome.exact_cases.into_iter().map(Verdict::Exact));
    }
    found.sort_by_key(argument);
    found
}

fn argument(verdict: &Verdict) -> Number {
    match verdict {
        Verdict::NotHard => Number::ZERO,
        Verdict::Case(case) => case.argument,
        Verdict::Exact(case) => case.argument,
        Verdict::Undecided { argument, .. } => *argument,
    }
}

/// Arguments of one binade, a part of it or all; borders at powers of two are as likely as not.
fn arguments(format: Format, exponent: i32, ends: [Option<u64>; 2], negative: bool) -> ArgumentRange {
    let least = if exponent < format.min_exponent() { 1 } else { 1i128 << (format.precision() - 1) };
    let count = (1i128 << (format.precision() - 1)) - i128::from(least == 1);
    let [from, drop] = ends.map(|end| i128::from(end.unwrap_or(0)) % (count / 2));
    let (first, count) = (least + from, count - from - drop);
    let first = if negative { -(first + count - 1) } else { first };
    ArgumentRange::new(first, format.ulp_exponent(exponent), count as u64)
}

fn questions() -> impl Strategy<Value = BinadeProblem> {
    let breakpoints =
        prop::sample::select(vec![Breakpoints::Directed, Breakpoints::Nearest, Breakpoints::All]);
    let ends = prop::array::uniform2(prop::option::of(0u64..2000));
    let whole = (prop::sample::select(FUNCTIONS.to_vec()), breakpoints, 5u32..=11, 2u32..=9);
    (whole, -15i32..=15, ends, any::<bool>()).prop_map(
        |((function, breakpoints, precision, extra_bits), exponent, ends, negative)| {
            let format = Format::BINARY16.with_precision(precision).unwrap();
            let problem = Problem::new(format, format, breakpoints, extra_bits).unwrap();
            BinadeProblem { function, problem, arguments: arguments(format, exponent, ends, negative) }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Searches of the inverse find what brute force finds, no more and no less; and the lemma
    /// holds of each case.
    #[test]
    fn the_same_is_found(question in questions()) {
        let Some(parts) = question.parts() else { return Ok(()) };
        let expected = question.brute_force();
        prop_assert_eq!(question.searched(&parts), &expected[..]);
        for verdict in expected {
            let y = breakpoint_of(&question.function(), &question.problem, &verdict).unwrap().unwrap();
            let of_y: Vec<&Part> = parts.iter().filter(|part| holds(&part.breakpoints, y)).collect();
            prop_assert_eq!(of_y.len(), 1, "{} is in one part", y);
            let (off, x) = (log2_distance(&of_y[0].via, &question.problem, y), argument(&verdict));
            prop_assert!(off < -f64::from(of_y[0].via.extra_bits), "{}: 2^{off} ulp", x);
        }
    }
}

fn holds(range: &ArgumentRange, x: Number) -> bool {
    range.argument(0) <= x && x <= range.argument(range.count() - 1)
}

/// log2 of the distance from g(y) to the next number in ulps of g(y).
fn log2_distance(via: &InverseVia, problem: &Problem, y: Number) -> f64 {
    let value = via.function.enclose(&Interval::point(float_of(y)).unwrap(), 300).unwrap().midpoint();
    let exponent = value.get_exp().map_or(problem.arguments().min_exponent(), |e| e - 1);
    let scaled = value >> problem.arguments().ulp_exponent(exponent);
    let nearest = Float::with_val(300, scaled.round_ref());
    (scaled - nearest).abs().log2().to_f64()
}

/// Binades, with their power of two or without, all functions, all roundings.
fn sweep() -> Vec<BinadeProblem> {
    let format = Format::BINARY16;
    let mut sweep = Vec::new();
    for function in FUNCTIONS {
        for (breakpoints, extra_bits) in
            [(Breakpoints::Directed, 5), (Breakpoints::Nearest, 6), (Breakpoints::All, 7)]
        {
            let problem = Problem::new(format, format, breakpoints, extra_bits).unwrap();
            for (exponent, start, negative) in
                (-6..6).flat_map(|e| [(e, 0, false), (e, 1, false), (e, 0, true), (e, 1, true)])
            {
                let arguments = arguments(format, exponent, [Some(start), Some(start)], negative);
                sweep.push(BinadeProblem { function, problem, arguments });
            }
        }
    }
    sweep
}

/// Nothing in what [`parts`] derives is to spare: with ε' halved, or one breakpoint less at either
/// end, cases are lost.
#[test]
fn nothing_is_to_spare() {
    let (mut searched, mut lost_bits, mut lost_ends) = (0, 0, [0, 0]);
    let mut of_functions = std::collections::BTreeSet::new();
    for question in sweep() {
        let Some(parts) = question.parts() else { continue };
        if parts.iter().any(|part| part.via.is_listed()) {
            continue;
        }
        searched += 1;
        of_functions.insert(question.function);
        let expected = question.searched(&parts);
        let mut fewer = parts.clone();
        for part in &mut fewer {
            part.via.extra_bits += 1;
        }
        lost_bits += expected.len() - question.searched(&fewer).len();
        let found: Vec<Number> = expected
            .iter()
            .map(|verdict| breakpoint_of(&question.function(), &question.problem, verdict).unwrap().unwrap())
            .collect();
        let (first, last) = (&parts[0].breakpoints, &parts[parts.len() - 1].breakpoints);
        lost_ends[0] += usize::from(found.contains(&first.argument(0)));
        lost_ends[1] += usize::from(found.contains(&last.argument(last.count() - 1)));
    }
    assert_eq!(of_functions.len(), FUNCTIONS.len(), "{of_functions:?}");
    assert!(searched > 100 && lost_bits > 100, "{searched} searches, {lost_bits} cases lost");
    assert!(lost_ends.iter().all(|&lost| lost > 10), "{lost_ends:?}");
}

/// Where arguments are listed, of all functions and roundings: what brute force finds, cases as far
/// from their breakpoints as they may be.
#[test]
fn lists() {
    let (mut lists, mut cases, mut farthest) = (0, 0, 0f64);
    for question in sweep() {
        let Some(parts) = question.parts() else { continue };
        if !parts.iter().any(|part| part.via.is_listed()) {
            continue;
        }
        lists += 1;
        let expected = question.brute_force();
        assert_eq!(question.searched(&parts), expected, "{question:?}");
        for verdict in expected {
            let Verdict::Case(case) = verdict else { continue };
            cases += 1;
            farthest = farthest.max(case.log2_distance + f64::from(question.problem.extra_bits()));
        }
    }
    assert!(lists > 20 && cases > 500, "{lists} lists, {cases} cases");
    assert!(farthest > -0.01, "a list of half the length would be complete: {farthest}");
}

/// Where x is a power of two, and g(y) below it, the ulp is half of that of all other arguments: ε
/// is chosen so that such x are barely cases. They are found; and with ε' halved some would not be
/// cases of g.
#[test]
fn powers_of_two() {
    let (mut found, mut lost) = (0, 0);
    for (function, precision) in FUNCTIONS.into_iter().flat_map(|f| (5..=11).map(move |p| (f, p))) {
        let format = Format::BINARY16.with_precision(precision).unwrap();
        for (exponent, negative) in (-6..6).flat_map(|e| [(e, false), (e, true)]) {
            // few arguments, so that the slope is about the same at all of them
            let least = 1i128 << (precision - 1);
            let first = if negative { -least - 7 } else { least };
            let arguments = ArgumentRange::new(first, format.ulp_exponent(exponent), 8);
            let power = Number::new(if negative { -1 } else { 1 }, exponent);
            assert!(holds(&arguments, power));
            let problem = Problem::new(format, format, Breakpoints::All, 2).unwrap();
            let Ok(Ok(case)) = hardness(&parse(function).unwrap(), &problem, power) else { continue };
            let Ok(problem) = problem.with_extra_bits((-case.log2_distance).ceil() as u32 - 1) else {
                continue;
            };
            let question = BinadeProblem { function, problem, arguments };
            let Some(parts) = question.parts() else { continue };
            assert!(question.searched(&parts).iter().any(|v| argument(v) == power), "{question:?}");
            let part = parts.iter().find(|part| holds(&part.breakpoints, case.breakpoint)).unwrap();
            let off = log2_distance(&part.via, &problem, case.breakpoint);
            assert!(off < -f64::from(part.via.extra_bits), "{question:?}");
            found += 1;
            lost += usize::from(off >= -f64::from(part.via.extra_bits + 1));
        }
    }
    assert!(found > 200 && lost > 5, "{found} found, {lost} lost");
}

/// Breakpoints are fewer than arguments where f is flat, by its slope in breakpoints per argument.
#[test]
fn ranges_of_breakpoints() {
    let problem = |breakpoints| Problem::new(Format::BINARY64, Format::BINARY64, breakpoints, 45).unwrap();
    let of = |function: &str, exponent, breakpoints| {
        let arguments = arguments(Format::BINARY64, exponent, [None, None], false);
        let parts = parts(&parse(function).unwrap(), &problem(breakpoints), &arguments, true)?;
        let count: u64 = parts.iter().map(|part| part.breakpoints.count()).sum();
        let bits: Vec<u32> = parts.iter().map(|part| part.via.extra_bits).collect();
        Some((parts[0].via.function.to_string(), (count as f64).log2().round(), bits))
    };
    // e^x goes from 1 + 2^-20 to 1 + 2^-19: 2^33 midpoints and numbers, |x − log y| < 2^-45·ulp(1)
    // and ulp(x) = 2^-20·ulp(1) but half of that below 2^-20
    assert_eq!(of("exp", -20, Breakpoints::All), Some(("log(x)".into(), 33.0, vec![24])));
    assert_eq!(of("exp", -20, Breakpoints::Directed), Some(("log(x)".into(), 32.0, vec![24])));
    // from 512·log 2 to 513·log 2 in a binade from 2^8 on: 2^53·log 2/2^8 results
    let (inverse, count, bits) = of("log", 512, Breakpoints::All).unwrap();
    assert_eq!((inverse.as_str(), count, bits.len()), ("exp(x)", 44.0, 1));
    // 1 < log x < e: not flat; results of all binades
    assert_eq!(of("log", 0, Breakpoints::All), None);
    assert_eq!(of("exp", 0, Breakpoints::All), None);
    // so flat that the arguments next to a breakpoint are many: they are listed
    assert_eq!(of("exp", -44, Breakpoints::All), Some(("log(x)".into(), 9.0, vec![0])));
    let coarse = Problem::new(Format::BINARY64, Format::BINARY64, Breakpoints::All, 30).unwrap();
    let flat = arguments(Format::BINARY64, -44, [None, None], false);
    assert_eq!(parts(&parse("exp").unwrap(), &coarse, &flat, true), None, "too many");
    // sin is not the inverse of asin's inverse beyond π/2
    let sin = |arguments| parts(&parse("sin").unwrap(), &problem(Breakpoints::Directed), &arguments, false);
    let around = |first: i128| ArgumentRange::new(first << 40, -52, 1 << 40);
    assert!(sin(around(6143)).is_some() && sin(around(6144)).is_none(), "3/2");
    // erf has no inverse here
    assert_eq!(of("erf", -1, Breakpoints::All), None);
    // midpoints of the largest format have 65 bits: 2^44 to 2^43 numbers
    let x87 = Format::X87_EXTENDED;
    let arguments = arguments(x87, -20, [None, None], false);
    for (breakpoints, log2_count) in [(Breakpoints::Nearest, 44), (Breakpoints::Directed, 43)] {
        let problem = Problem::new(x87, x87, breakpoints, 50).unwrap();
        let parts = parts(&parse("exp").unwrap(), &problem, &arguments, true).unwrap();
        let count: u64 = parts.iter().map(|part| part.breakpoints.count()).sum();
        assert_eq!((count as f64).log2().round() as i32, log2_count, "{breakpoints}");
    }
}

/// binary64 and x87: as many arguments as take a moment, where the inverse function is searched
/// because it pays, and where it does not.
#[test]
fn the_same_is_found_in_real_formats() {
    let (double, x87) = (Format::BINARY64, Format::X87_EXTENDED);
    for (format, function, exponent, extra_bits, log2_count) in [
        (double, "exp", -20, 34, 42),
        (double, "exp", -30, 38, 46),
        (double, "log", 512, 34, 42),
        (double, "log", -1000, 34, 42),
        (double, "cbrt", 1, 24, 30),
        (double, "atan", 9, 30, 38),
        (double, "asinh", 100, 32, 40),
        (double, "logp1", 60, 32, 40),
        (x87, "exp", -20, 38, 46),
        (x87, "exp2", -30, 40, 48),
        (x87, "log", -9000, 34, 42),
    ] {
        let problem = Problem::new(format, format, Breakpoints::All, extra_bits).unwrap();
        // the power of two included
        let ulp = format.ulp_exponent(exponent);
        let first = 1 << (format.precision() - 1);
        let arguments = ArgumentRange::new(first, ulp, 1 << log2_count);
        let question = BinadeProblem { function, problem, arguments };
        let parts = question.parts().unwrap();
        let found = question.searched(&parts);
        let function = question.function();
        let direct = Task { function: &function, problem: &problem, range: arguments, via: None };
        let expected = self::found([run(&direct)]);
        assert!(expected.len() > 100, "{function}: {} cases", expected.len());
        assert_eq!(found, expected, "{function} from 2^{exponent} on");
    }
}

/// A function that no theorem knows: where it is exact it cannot be decided, and that is found via
/// the inverse, too.
struct Untold(Expression);

impl Function for Untold {
    fn name(&self) -> String {
        "untold".into()
    }
    fn series(
        &self,
        at: &Interval,
        order: usize,
        precision: u32,
    ) -> Result<tmd_functions::Series, tmd_functions::FunctionError> {
        self.0.series(at, order, precision)
    }
    fn inverse(&self) -> Option<Inverse> {
        self.0.inverse()
    }
}

#[test]
fn undecided_arguments() {
    let untold = Untold(parse("cbrt").unwrap());
    let format = Format::BINARY16;
    let problem = Problem::new(format, format, Breakpoints::All, 8).unwrap();
    let arguments = arguments(format, 4, [None, None], false);
    let parts = parts(&untold, &problem, &arguments, false).unwrap();
    let mut found = Vec::new();
    for part in &parts {
        let outcome = searched(&untold, &problem, part);
        assert!(outcome.exact_cases.is_empty());
        found.extend(outcome.undecided.into_iter().map(|(x, _)| x));
    }
    // cubes of 2.5 < y < 3.2: of fractions with as few bits as leave 11 in the cube, 21/8, 11/4,
    // 23/8, 3, 25/8
    let cubes = [21i128, 22, 23, 24, 25].map(|n| Number::new(n * n * n, -9));
    let expected: Vec<Number> = cubes.into_iter().filter(|x| x.bits() <= 11).collect();
    assert_eq!(found, expected);
}
