//! Functions solved as families of arguments, by the walk in three dimensions: small formats against every argument, one by one.

use tmd_core::{Backend, Breakpoints, Format, Interrupt, Number, Problem, Scalar, ScalarEngine, exist::Logms};
use tmd_driver::{
    Certificate, DriverError, Function, InverseUse, Solve, SolvePlan, Uses, Workforce,
    certificate::{UnitRecord, Verification, ViaRecord, verify::Findings},
    confirm::{Verdict, confirm},
    interval::argument_ranges,
    rug::Rational,
};
use tmd_functions::{Expression, parse};
use tmd_simd::{Level, Simd};

const FAMILIES: Uses = Uses { inverse: InverseUse::Never, families: InverseUse::WherePossible };

fn scalar() -> Scalar {
    Scalar { engine: ScalarEngine::Regular, logms: Logms::default(), domain_size: None }
}

/// Cases and exact cases, as texts, by brute force over the arguments with 2^start ≤ |x| < 2^end.
fn brute(function: &dyn Function, problem: &Problem, binades: std::ops::Range<i32>) -> [Vec<String>; 2] {
    let power = |e: i32| Rational::from(1) << e;
    let ranges = argument_ranges(&power(binades.start), &power(binades.end), problem.arguments()).unwrap();
    let (mut cases, mut exact) = (Vec::new(), Vec::new());
    for range in ranges {
        for k in 0..range.count() {
            let x = range.argument(k);
            for x in [x, Number::new(-x.significand(), x.exponent())] {
                match confirm(function, problem, x) {
                    Ok(Verdict::NotHard) | Err(DriverError::ResultOverflow { .. }) => {}
                    // next to 0 all is known by an inequality, and nothing is listed
                    Ok(Verdict::Case(case)) if case.breakpoint == Number::ZERO => {}
                    Ok(Verdict::Case(case)) => cases.push((x, format!("{x} {} {}", case.kind, case.breakpoint))),
                    Ok(Verdict::Exact(_)) => exact.push((x, x.to_string())),
                    other => panic!("{x}: {other:?}"),
                }
            }
        }
    }
    [&mut cases, &mut exact].map(|list| {
        list.sort();
        list.iter().map(|(_, text)| text.clone()).collect()
    })
}

fn found(certificate: &Certificate) -> [Vec<String>; 2] {
    let case = |case: &tmd_driver::report::Case| format!("{} {} {}", case.x, case.kind, case.breakpoint);
    let exact = certificate.exact_cases.iter().map(|case| case.x.clone());
    [certificate.cases.iter().map(case).collect(), exact.collect()]
}

struct Question {
    function: Expression,
    problem: Problem,
    binades: std::ops::Range<i32>,
}

impl Question {
    fn new(function: &str, precision: u32, breakpoints: Breakpoints, extra_bits: u32, binades: std::ops::Range<i32>) -> Self {
        let format = Format::new(precision, -150, 150).unwrap();
        let problem = Problem::new(format, format, breakpoints, extra_bits).unwrap();
        Self { function: parse(function).unwrap(), problem, binades }
    }

    fn solve<'a>(&'a self, backend: &'a dyn Backend) -> Solve<'a> {
        Solve {
            function: &self.function,
            problem: self.problem,
            binades: Some(self.binades.clone()),
            workforce: Workforce::cpu(backend, 2),
            limit: f64::INFINITY,
        }
    }

    fn certificate(&self, backend: &dyn Backend, unit: f64) -> (SolvePlan, Certificate) {
        let solve = self.solve(backend);
        let plan = solve.plan_in_units_with(unit, FAMILIES).unwrap();
        let certificate = solve.run(&plan, &(), &Interrupt::new()).unwrap();
        assert!(certificate.is_complete(), "{}", certificate.summary());
        (plan, certificate)
    }

    fn verify(&self, certificate: &Certificate, samples: usize) -> Findings {
        let (engine, other) = (Simd::farey(Level::best()), scalar());
        let verification = Verification {
            certificate,
            function: &self.function,
            engine: Some(&engine),
            other: &other,
            samples,
            sample_seconds: 0.05,
            seed: 7,
        };
        verification.run(&Interrupt::new()).unwrap()
    }
}

/// Names the first element that only one of two pairs of lists has.
fn same(found: &[Vec<String>; 2], expected: &[Vec<String>; 2], context: &str) {
    for (found, expected) in found.iter().zip(expected) {
        let extra = found.iter().find(|x| !expected.contains(x));
        let missing = expected.iter().find(|x| !found.contains(x));
        assert!(found == expected, "{context}: {extra:?} is none, {missing:?} is missing");
    }
}

fn is_family(unit: &UnitRecord) -> bool {
    matches!(unit.via, Some(ViaRecord::Family { .. }))
}

/// Every argument of small formats in all rounding modes, in units of any size, by both engines; and the certificates hold.
#[test]
fn small_formats_are_brute_force() {
    let walk = Simd::farey(Level::best());
    let questions = [
        ("sin", 12, 40..44),
        ("cos", 13, 100..102),
        ("tan", 12, 7..11),
        ("-sin(x)", 12, 3..5),
        ("exp", 12, 2..7),
        ("exp10", 12, 3..6),
    ];
    let mut units = 0;
    for (number, (function, precision, binades)) in questions.into_iter().enumerate() {
        for breakpoints in [Breakpoints::Directed, Breakpoints::Nearest, Breakpoints::All] {
            let question = Question::new(function, precision, breakpoints, precision - 5, binades.clone());
            let expected = brute(&question.function, &question.problem, binades.clone());
            assert!(expected[0].len() > 40, "{function}: {}", expected[0].len());
            let (lanes, exact) = (&walk as &dyn Backend, &scalar() as &dyn Backend);
            for (backend, unit) in [(lanes, 1.0), (lanes, 1e-5), (exact, 1e-3)] {
                let (plan, certificate) = question.certificate(backend, unit);
                same(&found(&certificate), &expected, &format!("{function} {breakpoints} in units of {unit} s"));
                assert!(certificate.units.iter().any(is_family));
                units += plan.units.len();
                if number % 2 == 0 && breakpoints == Breakpoints::All {
                    let findings = question.verify(&certificate, 4);
                    assert!(findings.refusals.is_empty(), "{function}: {:?}", findings.refusals);
                }
            }
        }
    }
    assert!(units > 500, "{units} units");
}
