//! Questions that tests ask, and what becomes of them: outcomes, certificates, findings.
#![allow(dead_code, reason = "each file of tests uses a part of it")]

use std::ops::Range;

use rug::Rational;
use tmd_core::{
    Backend, Breakpoints, CoreError, Format, Interrupt, Number, Piece, PieceOutcome, PiecePlan, Problem,
};
use tmd_driver::{
    Certificate, DriverError, Observer, Outcome, Progress, Search, Solve, Uses, Workers,
    certificate::{Verification, verify::Findings},
    interval,
    solve::{PlannedRegion, Treatment},
};
use tmd_functions::{Function, parse, parse_number};
use tmd_simd::{CostTable, Level, Simd, SimdEngine};

/// The walk in the best lanes there are.
pub(crate) fn walk() -> Simd {
    Simd::farey(Level::best())
}

/// The walk that passes over no flat pieces, so that those of the function take long.
pub(crate) fn walk_through_flat() -> Simd {
    walk().with_costs(CostTable::Second)
}

/// Arguments and results of one format.
pub(crate) fn problem(format: Format, breakpoints: Breakpoints, extra_bits: u32) -> Problem {
    Problem::new(format, format, breakpoints, extra_bits).unwrap()
}

/// The number of a format that a text names.
pub(crate) fn number(text: &str, format: Format) -> Number {
    interval::argument(&parse_number(text).unwrap(), format).unwrap()
}

/// A search from one number to another one.
pub(crate) fn search(
    function: &str,
    [from, to]: [&str; 2],
    problem: Problem,
    workers: Workers,
    observer: &dyn Observer,
    interrupt: &Interrupt,
) -> Result<Outcome, DriverError> {
    let function = parse(function).unwrap();
    let [from, to]: [Rational; 2] = [from, to].map(|end| parse_number(end).unwrap());
    Search { function: &function, from, to, problem, workers }.run(observer, interrupt)
}

/// What two engines find from one number to another one, on two threads each: the same.
pub(crate) fn agreeing(
    function: &str,
    ends: [&str; 2],
    problem: Problem,
    engines: [&dyn Backend; 2],
) -> [Outcome; 2] {
    let [found, expected] = engines.map(|engine| {
        search(function, ends, problem, Workers::cpu(engine, 2), &(), &Interrupt::new()).unwrap()
    });
    assert_eq!(found.cases, expected.cases, "{function} from {}", ends[0]);
    assert_eq!(found.exact_cases, expected.exact_cases, "{function} from {}", ends[0]);
    assert_eq!((found.searched, &found.failure), (expected.searched, &None), "{function} from {}", ends[0]);
    [found, expected]
}

/// The question for all of a function, or for some of its binades, without a limit, to two threads.
pub(crate) fn solve<'a>(
    function: &'a dyn Function,
    problem: Problem,
    binades: Option<Range<i32>>,
    backend: &'a dyn Backend,
) -> Solve<'a> {
    Solve { function, problem, binades, workers: Workers::cpu(backend, 2), limit: f64::INFINITY }
}

/// Its answer by the walk, in these ways.
pub(crate) fn solved_with(
    function: &dyn Function,
    problem: Problem,
    binades: Option<Range<i32>>,
    uses: impl Into<Uses>,
) -> Certificate {
    let walk = walk();
    let solve = solve(function, problem, binades, &walk);
    let plan = solve.plan_with(uses).unwrap();
    solve.run(&plan, &(), &Interrupt::new()).unwrap_or_else(|error| panic!("{}: {error}", function.name()))
}

/// Its answer by the walk, in the ways that a plan chooses.
pub(crate) fn solved(function: &dyn Function, problem: Problem, binades: Option<Range<i32>>) -> Certificate {
    solved_with(function, problem, binades, Uses::default())
}

/// What a plan says that searches of a certificate's regions take.
pub(crate) fn estimates(certificate: &Certificate) -> Vec<f64> {
    let (function, walk) = (parse(&certificate.function).unwrap(), walk());
    let solve = solve(&function, certificate.problem().unwrap(), certificate.binades(), &walk);
    let seconds = |region: &PlannedRegion| match &region.treatment {
        Treatment::Searched { plan, .. } => plan.core_seconds,
        _ => 0.0,
    };
    solve.plan().unwrap().regions.iter().map(seconds).collect()
}

/// A change of a certificate.
pub(crate) type Tamper = fn(&mut Certificate);

/// A certificate that was tampered with, sealed again.
pub(crate) fn forged(honest: &Certificate, tamper: impl FnOnce(&mut Certificate)) -> Certificate {
    let mut certificate = honest.clone();
    tamper(&mut certificate);
    certificate.digest = certificate.computed_digest();
    certificate
}

/// What is found of a certificate, by this engine where there is one, with so many samples of so
/// many seconds each by the regular test.
pub(crate) fn findings(
    function: &dyn Function,
    certificate: &Certificate,
    engine: Option<&dyn Backend>,
    (samples, sample_seconds, seed): (usize, f64, u64),
) -> Findings {
    let other = Simd::new(SimdEngine::Regular, Level::best());
    let verification = Verification {
        certificate,
        function,
        engine,
        other: &other,
        faster: None,
        walk: None,
        samples,
        sample_seconds,
        seed,
    };
    verification.run(&Interrupt::new()).unwrap()
}

/// Requests an interrupt after so many arguments.
pub(crate) struct StopAfter<'a>(pub(crate) u128, pub(crate) &'a Interrupt);

impl Observer for StopAfter<'_> {
    fn progress(&self, progress: Progress) {
        assert!(progress.searched <= progress.arguments);
        if progress.searched >= self.0 {
            self.1.request();
        }
    }
}

/// A backend that plans as another one, and searches as a function says.
pub(crate) struct Searching<B, S> {
    pub(crate) backend: B,
    search: S,
}

impl<B: Backend, S> Searching<B, S>
where
    S: Fn(&B, &Piece, &Interrupt) -> Result<PieceOutcome, CoreError> + Sync,
{
    pub(crate) fn new(backend: B, search: S) -> Self {
        Self { backend, search }
    }
}

impl<B: Backend, S> Backend for Searching<B, S>
where
    S: Fn(&B, &Piece, &Interrupt) -> Result<PieceOutcome, CoreError> + Sync,
{
    fn name(&self) -> String {
        self.backend.name()
    }

    fn plan(&self, piece: &Piece) -> Result<PiecePlan, CoreError> {
        self.backend.plan(piece)
    }

    fn search(&self, piece: &Piece, interrupt: &Interrupt) -> Result<PieceOutcome, CoreError> {
        (self.search)(&self.backend, piece, interrupt)
    }
}
