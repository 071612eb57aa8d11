//! One engine over the stretches of a binade, on one thread: seconds and counts by phase, scaled to
//! all arguments.
//!
//! Ranges are halved until there is a polynomial, as a search does it, beginning with the whole
//! stratum. What a polynomial (or a vain attempt) costs is counted by the share of its arguments
//! that lie in the stretch, so that stretches which tile a stratum would add up to the search of
//! it.

use tmd_core::{ArgumentRange, Backend, Breakpoints, Format, Interrupt, Phase, Piece, Problem};
use tmd_driver::{
    confirm::{Verdict, confirm},
    interval::argument_ranges,
};
use tmd_functions::{
    Function, parse, parse_number,
    taylor::{TaylorError, taylor_piece},
};
use tmd_simd::{Level, Simd, SimdEngine};

use super::strata::{Binade, ENGINES, Stretch};
use crate::ToolError;
use crate::figures::timed;

/// Bits of the papers' arguments in their tables IV to VII: 2^53 arguments to a binade.
const ARGUMENT_PRECISION: u32 = 54;

/// Results within 2^-33 ulp of a double: as for I₀, where this gives the papers' 243 cases.
const EXTRA_BITS: u32 = 33;

/// A search confirms ranges of so few arguments one by one.
const POINTWISE: u64 = 32;

/// The papers' problem.
pub(super) fn problem() -> Result<Problem, ToolError> {
    let arguments = Format::BINARY64.with_precision(ARGUMENT_PRECISION)?;
    Ok(Problem::new(arguments, Format::BINARY64, Breakpoints::Directed, EXTRA_BITS)?)
}

/// The engines, in the order of the strata's lengths. The first one's list is what the others' are
/// compared with.
pub(super) fn engines() -> [Simd; ENGINES] {
    [SimdEngine::Farey, SimdEngine::Regular, SimdEngine::Lefevre]
        .map(|engine| Simd::new(engine, Level::best()))
}

/// Seconds on one core, and counts, of some arguments.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Work {
    /// Taylor coefficients.
    pub(super) taylor: f64,
    /// Difference tables.
    pub(super) tables: f64,
    /// Phases 1 to 3: test, refine, exhaust.
    pub(super) phases: [f64; 3],
    /// Confirmation by MPFR.
    pub(super) confirm: f64,
    /// All of these and what lies between them.
    pub(super) total: f64,
    /// Arguments that enter phases 1 to 3.
    pub(super) entered: [f64; 3],
}

impl Work {
    /// Polynomial generation: Taylor coefficients and difference tables.
    pub(super) fn generation(&self) -> f64 {
        self.taylor + self.tables
    }

    /// Generation's share of everything.
    pub(super) fn share(&self) -> f64 {
        self.generation() / self.total
    }

    /// Everything but generation.
    pub(super) fn search(&self) -> f64 {
        self.total - self.generation()
    }

    fn add(&mut self, other: &Self, factor: f64) {
        self.taylor += factor * other.taylor;
        self.tables += factor * other.tables;
        self.confirm += factor * other.confirm;
        self.total += factor * other.total;
        for i in 0..3 {
            self.phases[i] += factor * other.phases[i];
            self.entered[i] += factor * other.entered[i];
        }
    }
}

/// What the search of one stretch was.
#[derive(Clone, Debug)]
pub(super) struct Sample {
    pub(super) stretch: Stretch,
    pub(super) work: Work,
    /// Numbers of the arguments found, ascending.
    pub(super) cases: Vec<u64>,
    /// Arguments per domain, the most of any piece.
    pub(super) domain: u64,
}

/// What an engine takes for a binade.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Measured {
    /// For all arguments.
    pub(super) work: Work,
    /// All arguments …
    pub(super) arguments: f64,
    /// … those in the stretches …
    pub(super) sampled: f64,
    /// … and the cases among them.
    pub(super) cases: usize,
    /// Arguments per domain, the most of any piece.
    pub(super) domain: u64,
    /// Variance of the total, from how stretches of a stratum differ.
    variance: f64,
}

impl Measured {
    /// Cases expected in the stretches, if results are spread evenly.
    pub(super) fn expected(&self) -> f64 {
        Breakpoints::Directed.expected_cases(self.sampled, EXTRA_BITS)
    }

    /// Standard error of the total, as a share of it.
    pub(super) fn error(&self) -> f64 {
        self.variance.sqrt() / self.work.total
    }

    /// Adds a stratum of so many arguments.
    fn add(&mut self, arguments: f64, samples: &[Sample]) {
        let sampled: f64 = samples.iter().map(|sample| sample.stretch.count as f64).sum();
        for sample in samples {
            self.work.add(&sample.work, arguments / sampled);
            self.cases += sample.cases.len();
            self.domain = self.domain.max(sample.domain);
        }
        self.arguments += arguments;
        self.sampled += sampled;
        let totals: Vec<f64> =
            samples.iter().map(|sample| sample.work.total / sample.stretch.count as f64).collect();
        self.variance += arguments * arguments * variance_of_mean(&totals);
    }
}

/// Variance of the mean of values; 0 of a single one.
fn variance_of_mean(values: &[f64]) -> f64 {
    let count = values.len() as f64;
    if count < 2.0 {
        return 0.0;
    }
    let mean = values.iter().sum::<f64>() / count;
    values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (count * (count - 1.0))
}

/// A binade, ready to be searched.
pub(super) struct Task<'a> {
    binade: &'a Binade,
    function: Box<dyn Function>,
    problem: Problem,
    /// Of the strata, in their order.
    pub(super) ranges: Vec<ArgumentRange>,
}

impl<'a> Task<'a> {
    pub(super) fn new(binade: &'a Binade) -> Result<Self, ToolError> {
        let problem = problem()?;
        let range = |from: &str, to: &str| -> Result<ArgumentRange, ToolError> {
            let ranges = argument_ranges(&parse_number(from)?, &parse_number(to)?, problem.arguments())?;
            debug_assert_eq!(ranges.len(), 1, "a stratum lies in one binade");
            Ok(ranges[0])
        };
        let ranges = binade.strata.iter().map(|stratum| range(&stratum.from, &stratum.to));
        let ranges = ranges.collect::<Result<_, _>>()?;
        Ok(Self { binade, function: Box::new(parse(binade.function)?), problem, ranges })
    }

    /// Every engine over its stretches. The lists agree, or it is an error.
    pub(super) fn measure(&self, full: bool) -> Result<[Measured; ENGINES], ToolError> {
        let engines = engines();
        let mut measured = [Measured::default(); ENGINES];
        for (stratum, range) in self.binade.strata.iter().zip(&self.ranges) {
            let mut reference: Vec<Sample> = Vec::new();
            for (i, engine) in engines.iter().enumerate() {
                let stretches = stratum.stretches(range, i, full).into_iter();
                let samples = stretches.map(|stretch| self.sample(engine, range, stretch));
                let samples = samples.collect::<Result<Vec<_>, _>>()?;
                if i == 0 {
                    reference.clone_from(&samples);
                }
                agree(&engines[0].name(), &reference, &engine.name(), &samples)?;
                measured[i].add(range.count() as f64, &samples);
            }
        }
        Ok(measured)
    }

    /// The search of a stretch of a stratum.
    fn sample(&self, engine: &Simd, range: &ArgumentRange, stretch: Stretch) -> Result<Sample, ToolError> {
        let mut sample = Sample { stretch, work: Work::default(), cases: Vec::new(), domain: 0 };
        let mut open = vec![(*range, 0)];
        while let Some((part, offset)) = open.pop() {
            let (from, to) = (stretch.first.max(offset), stretch.end().min(offset + part.count()));
            if from >= to {
                continue;
            }
            if part.count() <= POINTWISE {
                self.confirm(range, from..to, &mut sample)?;
                continue;
            }
            if part.count() <= Piece::MAX_ARGUMENTS {
                let (piece, seconds) = timed(|| taylor_piece(&*self.function, &part, &self.problem));
                let seconds = seconds * (to - from) as f64 / part.count() as f64;
                sample.work.taylor += seconds;
                sample.work.total += seconds;
                match piece {
                    Ok(piece) => {
                        let piece = piece.part(from - offset, to - from)?;
                        let found = search(engine, &piece, &mut sample)?;
                        self.confirm(range, found.into_iter().map(|k| from + k), &mut sample)?;
                        continue;
                    }
                    Err(TaylorError::Core(error)) => return Err(error.into()),
                    // shorter parts may do
                    Err(_) => {}
                }
            }
            let (left, right) = part.halves();
            open.push((right, offset + left.count()));
            open.push((left, offset));
        }
        Ok(sample)
    }

    /// Adds the cases among these arguments, and the time that it takes to know them.
    fn confirm(
        &self,
        range: &ArgumentRange,
        arguments: impl Iterator<Item = u64>,
        sample: &mut Sample,
    ) -> Result<(), ToolError> {
        let (confirmed, seconds) = timed(|| -> Result<(), ToolError> {
            for k in arguments {
                if confirm(&*self.function, &self.problem, range.argument(k))? != Verdict::NotHard {
                    sample.cases.push(k);
                }
            }
            Ok(())
        });
        sample.work.confirm += seconds;
        sample.work.total += seconds;
        confirmed
    }
}

/// The candidates of a piece; adds counts and times.
fn search(engine: &Simd, piece: &Piece, sample: &mut Sample) -> Result<Vec<u64>, ToolError> {
    let (found, seconds) = timed(|| engine.search(piece, &Interrupt::new()));
    let found = found?;
    let work = &mut sample.work;
    work.tables += found.phases.generate.time.as_secs_f64();
    let phases: [Phase; 3] = [found.phases.test, found.phases.refine, found.phases.exhaust];
    for (i, phase) in phases.iter().enumerate() {
        work.phases[i] += phase.time.as_secs_f64();
        work.entered[i] += phase.arguments_in as f64;
    }
    work.total += seconds;
    sample.domain = sample.domain.max(found.domain_size);
    Ok(found.candidates)
}

/// Whether an engine finds in its stretches what the reference finds there.
fn agree(reference: &str, expected: &[Sample], engine: &str, samples: &[Sample]) -> Result<(), ToolError> {
    for (expected, Sample { stretch, cases, .. }) in expected.iter().zip(samples) {
        debug_assert!(expected.stretch.first <= stretch.first && stretch.end() <= expected.stretch.end());
        let inside = |k: &&u64| (stretch.first..stretch.end()).contains(*k);
        let expected: Vec<u64> = expected.cases.iter().filter(inside).copied().collect();
        let place = format!("arguments {} to {}", stretch.first, stretch.end());
        ToolError::unless_same(&place, (engine, cases), (reference, &expected))?;
    }
    Ok(())
}

/// What all engines take for a binade.
pub(super) struct Figures {
    pub(super) function: &'static str,
    pub(super) interval: String,
    pub(super) exponent: Option<i32>,
    pub(super) measured: [Measured; ENGINES],
}

impl Figures {
    /// As in the tables' first column.
    pub(super) fn name(&self) -> String {
        format!("{}, {}", self.function, self.interval)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reproduce::binades::strata::binades;

    impl Task<'_> {
        /// The piece of a search around argument number `k` of a stratum.
        pub(in crate::reproduce::binades) fn piece_at(
            &self,
            range: &ArgumentRange,
            mut k: u64,
        ) -> Option<Piece> {
            let mut range = *range;
            while range.count() > POINTWISE {
                let piece = || taylor_piece(&*self.function, &range, &self.problem).ok();
                if let Some(piece) = (range.count() <= Piece::MAX_ARGUMENTS).then(piece).flatten() {
                    return Some(piece);
                }
                let (left, right) = range.halves();
                (range, k) = if k < left.count() { (left, k) } else { (right, k - left.count()) };
            }
            None
        }
    }

    fn work(total: f64) -> Work {
        Work {
            taylor: 0.125 * total,
            tables: 0.125 * total,
            phases: [0.5 * total, 0.0, 0.25 * total],
            confirm: 0.0,
            total,
            entered: [16.0 * total, 0.0, 2.0 * total],
        }
    }

    fn sample(first: u64, count: u64, total: f64, cases: &[u64]) -> Sample {
        Sample { stretch: Stretch { first, count }, work: work(total), cases: cases.into(), domain: count }
    }

    /// Two strata: each is scaled by its own share.
    #[test]
    fn strata_are_scaled_each_by_its_share() {
        let mut measured = Measured::default();
        measured.add(1000.0, &[sample(0, 10, 1.0, &[3]), sample(500, 10, 3.0, &[])]);
        assert_eq!(measured.work, work(200.0), "4 s for 20 of 1000 arguments");
        // per argument 0.1 and 0.3 s: mean 0.2 ± 0.1, times 1000
        assert!((measured.error() - 0.5).abs() < 1e-12, "{}", measured.error());
        measured.add(64.0, &[sample(0, 16, 2.0, &[1, 2])]);
        assert_eq!(measured.work, work(208.0));
        assert_eq!((measured.arguments, measured.sampled, measured.cases), (1064.0, 36.0, 3));
        assert_eq!(measured.domain, 16);
        assert!((measured.error() - 100.0 / 208.0).abs() < 1e-12);
        assert_eq!((measured.work.share(), measured.work.search()), (0.25, 156.0));
        measured.sampled = 2f64.powi(40);
        assert_eq!(measured.expected(), 256.0);
    }

    #[test]
    fn lists_that_differ_are_an_error() {
        let reference = [sample(100, 50, 1.0, &[100, 120, 149]), sample(200, 50, 1.0, &[230])];
        let agree = |samples: &[Sample]| agree("walk", &reference, "other", samples);
        agree(&reference).unwrap();
        // shorter stretches inside
        agree(&[sample(110, 30, 1.0, &[120]), sample(231, 10, 1.0, &[])]).unwrap();
        for wrong in
            [sample(110, 30, 1.0, &[]), sample(110, 30, 1.0, &[121]), sample(110, 39, 1.0, &[120, 149])]
        {
            let error = agree(&[wrong]).unwrap_err();
            assert!(matches!(&error, ToolError::Disagreement { expected: 1, .. }), "{error}");
        }
    }

    /// Stretches that tile a stratum add up to the driver's search of it: cases, arguments,
    /// polynomials.
    #[test]
    fn stretches_add_up_to_the_search() {
        let binades = binades();
        let log = binades.iter().find(|binade| binade.function == "log").unwrap();
        let task = Task::new(log).unwrap();
        // around e, which is argument number (e − 2)·2^52 from 2 on: there the results' ulp changes
        let first = task.ranges[0].part(3_234_853_774_995_154 - (1 << 35), 1 << 36);
        let [walk, ..] = engines();
        let whole = task.sample(&walk, &first, Stretch { first: 0, count: first.count() }).unwrap();
        let mut parts = Work::default();
        let mut cases = Vec::new();
        for i in 0..4 {
            let count = first.count() / 4;
            let part = task.sample(&walk, &first, Stretch { first: i * count, count }).unwrap();
            cases.extend(part.cases);
            parts.add(&part.work, 1.0);
        }
        assert_eq!(cases, whole.cases);
        assert!(cases.len() > 4, "{cases:?}");
        assert_eq!(parts.entered[0], whole.work.entered[0]);
        // what is missing stands around the border and was confirmed one by one
        let missing = first.count() as f64 - parts.entered[0];
        assert!(missing > 0.0 && missing <= 2.0 * POINTWISE as f64, "{missing}");
        assert!(whole.work.taylor > 0.0 && whole.work.total > whole.work.taylor);
    }
}
