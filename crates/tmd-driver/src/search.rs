//! [`Search`]: cut the interval, generate, search, confirm.
//!
//! The interval becomes ranges of equally spaced arguments, a range becomes pieces by halving: as long as a part has
//! more arguments than a piece may have, or its results lie in several binades, or no Taylor polynomial is accurate
//! enough there, it is halved; a part of a few arguments is confirmed one by one. Halving meets every binade border,
//! zero and extremum without being told where they are. The halves are searched in parallel; nothing a piece returns
//! depends on the others, so the cases do not depend on the number of threads.

use std::{
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use rug::Rational;
use tmd_core::{
    ArgumentRange, Backend, CoreError, ErrorBudget, ExactCase, HrCase, Interrupt, Number, Phase, Phases,
    Piece, Problem,
};
use tmd_functions::{Function, TaylorError, taylor::taylor_piece};

use crate::{
    DriverError,
    confirm::{Verdict, confirm},
    interval::argument_ranges,
    validate::validate,
};

/// Parts of at most this many arguments are confirmed one by one: about what a Taylor polynomial costs.
pub(crate) const POINTWISE: u64 = 32;

/// Seconds of work, by the backend's own estimate, in a part that one thread searches at a time: long enough that cutting
/// and confirming do not show, short enough that an interrupt loses little.
const LONGEST_PART: f64 = 0.25;

/// A part is not made shorter than this for the sake of threads.
const SHORTEST_PART: f64 = 0.001;

/// Parts per thread that a piece is cut into, so that no thread is idle long at the end.
const PARTS_PER_THREAD: f64 = 8.0;

/// Most cases, exact ones included, that a search lists: they are what its memory grows with, less than a kilobyte each
/// from the outcome to the report's text.
pub const MAX_CASES: u64 = 100_000;

/// Most undecided arguments in a part. Each takes milliseconds, and more than a few mean an identity such as
/// `sqrt(x)·sqrt(x) = x`, at every argument.
const MAX_UNDECIDED: usize = 64;

/// What to search, and how.
pub struct Search<'a> {
    /// The function.
    pub function: &'a dyn Function,
    /// First end of the interval, included.
    pub from: Rational,
    /// Second end, excluded.
    pub to: Rational,
    /// Formats, breakpoints, ε.
    pub problem: Problem,
    /// Who searches the pieces.
    pub backend: &'a dyn Backend,
    /// Threads; 0 for one per core.
    pub threads: usize,
}

/// Progress of a search, told to its [`Observer`].
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Arguments searched so far …
    pub searched: u128,
    /// … of this many.
    pub arguments: u128,
    /// Cases confirmed so far.
    pub cases: usize,
}

/// Who is told of a search's progress, from whichever thread finishes a piece.
pub trait Observer: Sync {
    /// A piece was finished.
    fn progress(&self, progress: Progress);
}

/// Nobody.
impl Observer for () {
    fn progress(&self, _: Progress) {}
}

/// What a search found. Sums of times are over threads.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The cases, in increasing order of the argument.
    pub cases: Vec<HrCase>,
    /// Arguments whose results are breakpoints, in increasing order.
    pub exact_cases: Vec<ExactCase>,
    /// Arguments that could not be decided, with the bits of agreement tried.
    pub undecided: Vec<(Number, u32)>,
    /// Arguments in the interval …
    pub arguments: u128,
    /// … and those searched; fewer only if the search was interrupted.
    pub searched: u128,
    /// Taylor pieces searched.
    pub pieces: u64,
    /// Arguments per domain, least and most.
    pub domain_sizes: (u64, u64),
    /// Line by line the largest error bound of all pieces.
    pub budget: ErrorBudget,
    /// Counts and times of the backend's phases.
    pub phases: Phases,
    /// Taylor polynomials: pieces tried, pieces made.
    pub taylor: Phase,
    /// Confirmation: candidates, cases.
    pub confirm: Phase,
    /// Wall-clock time.
    pub elapsed: Duration,
}

impl Outcome {
    /// Whether the search was interrupted: the cases are then those of the pieces finished.
    pub fn is_partial(&self) -> bool {
        self.searched < self.arguments
    }
}

impl Search<'_> {
    /// Number of arguments in the interval, and the ranges they form.
    pub fn ranges(&self) -> Result<(u128, Vec<ArgumentRange>), DriverError> {
        let ranges = argument_ranges(&self.from, &self.to, self.problem.arguments())?;
        Ok((ranges.iter().map(|range| u128::from(range.count())).sum(), ranges))
    }

    /// Searches the whole interval, or as much of it as there is time for before `interrupt` is requested.
    pub fn run(&self, observer: &dyn Observer, interrupt: &Interrupt) -> Result<Outcome, DriverError> {
        let started = Instant::now();
        let (arguments, ranges) = self.ranges()?;
        let expected = self.problem.breakpoints().expected_cases(arguments as f64, self.problem.extra_bits());
        if expected > MAX_CASES as f64 {
            let suggestion = self.problem.extra_bits() + (expected / 100.0).log2().ceil() as u32;
            return Err(DriverError::TooManyCases {
                expected: expected as u64,
                limit: MAX_CASES,
                suggestion,
            });
        }
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(self.threads)
            .build()
            .map_err(|error| DriverError::Threads { threads: self.threads, reason: error.to_string() })?;
        let state = Mutex::new(Outcome {
            cases: Vec::new(),
            exact_cases: Vec::new(),
            undecided: Vec::new(),
            arguments,
            searched: 0,
            pieces: 0,
            domain_sizes: (u64::MAX, 0),
            budget: ErrorBudget::default(),
            phases: Phases::default(),
            taylor: Phase::default(),
            confirm: Phase::default(),
            elapsed: Duration::ZERO,
        });
        validate(self.function, &self.problem, &ranges)?;
        let walk = Walk { search: self, observer, interrupt, failed: &Interrupt::new(), state: &state };
        let result = pool.install(|| walk.all(&ranges));
        let mut outcome = state.into_inner().unwrap_or_else(PoisonError::into_inner);
        match result {
            // interrupted: what is finished is kept
            Ok(()) | Err(DriverError::Core(CoreError::Interrupted)) => {}
            Err(error) => return Err(error),
        }
        debug_assert!(result_is_complete(&outcome, interrupt));
        outcome.cases.sort_by_key(|case| case.argument);
        outcome.exact_cases.sort_by_key(|case| case.argument);
        outcome.undecided.sort_by_key(|&(argument, _)| argument);
        outcome.elapsed = started.elapsed();
        Ok(outcome)
    }
}

/// An uninterrupted search has looked at every argument, once.
fn result_is_complete(outcome: &Outcome, interrupt: &Interrupt) -> bool {
    interrupt.is_requested() || outcome.searched == outcome.arguments
}

/// A search under way.
struct Walk<'a> {
    search: &'a Search<'a>,
    observer: &'a dyn Observer,
    interrupt: &'a Interrupt,
    /// set by the first part that fails, so that the others do not go on for nothing
    failed: &'a Interrupt,
    state: &'a Mutex<Outcome>,
}

/// What one part adds to the outcome.
#[derive(Default)]
struct Part {
    cases: Vec<HrCase>,
    exact_cases: Vec<ExactCase>,
    undecided: Vec<(Number, u32)>,
    confirm: Phase,
}

impl Walk<'_> {
    fn all(&self, ranges: &[ArgumentRange]) -> Result<(), DriverError> {
        match ranges {
            [] => Ok(()),
            [range] => self.range(range),
            _ => {
                let (left, right) = ranges.split_at(ranges.len() / 2);
                self.both(|| self.all(left), || self.all(right))
            }
        }
    }

    /// Both halves in parallel. Of two errors the one that says more: a half told to stop has nothing to say.
    fn both(
        &self,
        left: impl FnOnce() -> Result<(), DriverError> + Send,
        right: impl FnOnce() -> Result<(), DriverError> + Send,
    ) -> Result<(), DriverError> {
        let interrupted = Err(DriverError::Core(CoreError::Interrupted));
        let (left, right) = rayon::join(left, right);
        let result = if left == interrupted && right.is_err() { right } else { left.and(right) };
        if result.is_err() {
            self.failed.request();
        }
        result
    }

    fn range(&self, range: &ArgumentRange) -> Result<(), DriverError> {
        self.interrupt.check()?;
        self.failed.check()?;
        if range.count() <= POINTWISE {
            return self.pointwise(range);
        }
        if range.count() <= Piece::MAX_ARGUMENTS {
            let started = Instant::now();
            let piece = taylor_piece(self.search.function, range, &self.search.problem);
            let time = started.elapsed();
            self.update(|outcome| {
                outcome.taylor.domains_in += 1;
                outcome.taylor.domains_out += u64::from(piece.is_ok());
                outcome.taylor.arguments_in += range.count();
                outcome.taylor.time += time;
            });
            match piece {
                Ok(piece) => return self.piece(range, &piece),
                Err(TaylorError::Core(error)) => return Err(error.into()),
                // shorter parts may do, single arguments will tell
                Err(_) => {}
            }
        }
        let (left, right) = range.halves();
        self.both(|| self.range(&left), || self.range(&right))
    }

    /// Cuts a piece into parts of about equal work and searches them.
    fn piece(&self, range: &ArgumentRange, piece: &Piece) -> Result<(), DriverError> {
        self.update(|outcome| outcome.pieces += 1);
        let seconds = self.search.backend.plan(piece)?.seconds;
        let threads = rayon::current_num_threads() as f64;
        let aim = (seconds / (PARTS_PER_THREAD * threads)).clamp(SHORTEST_PART, LONGEST_PART);
        // a float that is not finite means that nothing is known: one part
        let parts =
            if seconds.is_finite() && seconds > aim { (seconds / aim).ceil().min(1e9) as u64 } else { 1 };
        let parts = parts.min(piece.arguments());
        self.parts(range, piece, 0, parts, parts)
    }

    /// Searches the parts `first..last` of `parts`.
    fn parts(
        &self,
        range: &ArgumentRange,
        piece: &Piece,
        first: u64,
        last: u64,
        parts: u64,
    ) -> Result<(), DriverError> {
        self.interrupt.check()?;
        self.failed.check()?;
        if last - first > 1 {
            let middle = first.midpoint(last);
            return self.both(
                || self.parts(range, piece, first, middle, parts),
                || self.parts(range, piece, middle, last, parts),
            );
        }
        // part i starts at ⌊arguments·i/parts⌋: nothing is left out, nothing is searched twice
        let start = |part: u64| (u128::from(piece.arguments()) * u128::from(part) / u128::from(parts)) as u64;
        let (from, to) = (start(first), start(last));
        let part = if parts == 1 { piece.clone() } else { piece.part(from, to - from)? };
        let found = self.search.backend.search(&part, self.interrupt)?;
        let confirmed = self.confirm(found.candidates.iter().map(|&k| range.argument(from + k)))?;
        self.finish(to - from, confirmed, |outcome| {
            outcome.phases.add(&found.phases);
            outcome.budget = outcome.budget.max(&found.budget);
            let (least, most) = outcome.domain_sizes;
            outcome.domain_sizes = (least.min(found.domain_size), most.max(found.domain_size));
        })
    }

    /// Confirms every argument of a short part.
    fn pointwise(&self, range: &ArgumentRange) -> Result<(), DriverError> {
        let part = self.confirm((0..range.count()).map(|k| range.argument(k)))?;
        self.finish(range.count(), part, |_| {})
    }

    fn confirm(&self, candidates: impl Iterator<Item = Number>) -> Result<Part, DriverError> {
        let started = Instant::now();
        let mut part = Part::default();
        for x in candidates {
            self.interrupt.check()?;
            part.confirm.domains_in += 1;
            part.confirm.arguments_in += 1;
            match confirm(self.search.function, &self.search.problem, x)? {
                Verdict::NotHard => continue,
                Verdict::Case(case) => part.cases.push(case),
                Verdict::Exact(case) => part.exact_cases.push(case),
                Verdict::Undecided { argument, bits } => {
                    part.undecided.push((argument, bits));
                    if part.undecided.len() > MAX_UNDECIDED {
                        return Err(DriverError::IdenticallyExact {
                            function: self.search.function.name(),
                            bits,
                            count: part.undecided.len(),
                            near: argument.to_string(),
                        });
                    }
                }
            }
            part.confirm.domains_out += 1;
        }
        part.confirm.time = started.elapsed();
        Ok(part)
    }

    /// Adds a finished part to the outcome: all of it or nothing.
    fn finish(&self, arguments: u64, part: Part, more: impl FnOnce(&mut Outcome)) -> Result<(), DriverError> {
        let progress = self.update(|outcome| {
            outcome.cases.extend(part.cases);
            outcome.exact_cases.extend(part.exact_cases);
            outcome.undecided.extend(part.undecided);
            outcome.confirm.domains_in += part.confirm.domains_in;
            outcome.confirm.domains_out += part.confirm.domains_out;
            outcome.confirm.arguments_in += part.confirm.arguments_in;
            outcome.confirm.time += part.confirm.time;
            outcome.searched += u128::from(arguments);
            more(outcome);
            let cases = outcome.cases.len();
            let listed = (cases + outcome.exact_cases.len() + outcome.undecided.len()) as u64;
            let progress = Progress { searched: outcome.searched, arguments: outcome.arguments, cases };
            if listed > MAX_CASES {
                Err(DriverError::TooManyFound { limit: MAX_CASES })
            } else {
                Ok(progress)
            }
        })?;
        self.observer.progress(progress);
        Ok(())
    }

    fn update<R>(&self, change: impl FnOnce(&mut Outcome) -> R) -> R {
        // a poisoned lock means that a thread panicked; rayon passes that panic on
        change(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
