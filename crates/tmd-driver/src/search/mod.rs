//! [`Search`]: cut the interval, generate, search, confirm.
//!
//! The interval becomes ranges of equally spaced arguments, a range becomes pieces by halving: as
//! long as a part has more arguments than a piece may have, or its results lie in several binades,
//! or no Taylor polynomial is accurate enough there, it is halved; a part of a few arguments is
//! confirmed one by one. Halving meets every binade border, zero and extremum without being told
//! where they are. Threads of the CPU and of devices take ranges and parts of pieces from one
//! queue; nothing that a part returns depends on the others, so the cases do not depend on who
//! searched what.

pub mod calibration;
pub mod confirm;
mod engines;
pub mod interval;
pub mod outcome;
pub mod plan;
mod queue;
mod samples;
mod scaled;
mod sieve;
mod threads;
pub mod validate;
pub mod workers;

use std::time::Instant;

use rug::Rational;
use tmd_core::{ArgumentRange, CoreError, Interrupt, Number, Problem};
use tmd_functions::Function;

pub use self::engines::{Besides, engines_besides};
use self::{
    confirm::{Verdict, confirm, confirm_or_beyond},
    interval::argument_ranges,
    queue::Sharing,
    sieve::Sieve,
    threads::search_ranges,
    validate::validate,
};
use crate::{
    DriverError, InverseUse, Outcome, Workers,
    regions::{Region, known_and_rest},
};

/// Parts of at most this many arguments are confirmed one by one: about what a Taylor polynomial
/// costs.
pub(crate) const POINTWISE: u64 = 32;

/// Most cases, exact ones included, that a search lists: they are what its memory grows with, less
/// than a kilobyte each from the outcome to the report's text.
pub const MAX_CASES: u64 = 100_000;

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
    pub workers: Workers<'a>,
}

/// What becomes of a candidate.
pub(crate) type Decide<'a> = dyn Fn(Number) -> Result<Verdict, DriverError> + Sync + 'a;

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

/// Receives a search's progress, from whichever thread finishes a part.
pub trait Observer: Sync {
    /// A part was finished.
    fn progress(&self, progress: Progress);

    /// A device failed at a family, now or before, and is not asked any more; others search on.
    /// Without a fallback the search ends with the failure instead. Of the units of a plan it
    /// is told once.
    fn failed(&self, _failure: &CoreError) {}
}

/// Ignores progress.
impl Observer for () {
    fn progress(&self, _: Progress) {}
}

impl Search<'_> {
    /// Number of arguments in the interval, and the ranges they form.
    pub fn ranges(&self) -> Result<(u128, Vec<ArgumentRange>), DriverError> {
        let ranges = argument_ranges(&self.from, &self.to, self.problem.arguments())?;
        Ok((ranges.iter().map(|range| u128::from(range.count())).sum(), ranges))
    }

    /// Chooses the extra bits: as many as there can be if `cases` cases are to be expected.
    ///
    /// # Errors
    /// Those of [`ranges`](Self::ranges).
    pub fn aim(&mut self, cases: f64) -> Result<(), DriverError> {
        let (arguments, _) = self.ranges()?;
        // 2^(1 + scale − m)·arguments ≥ cases for the largest such m; none for few arguments
        let most = self.problem.breakpoints().expected_cases(arguments as f64, 0) / cases;
        let bits = most.log2().floor().max(0.0) as u32;
        self.problem =
            self.problem.with_extra_bits(bits.clamp(Problem::MIN_EXTRA_BITS, Problem::MAX_EXTRA_BITS))?;
        Ok(())
    }

    /// [`run_with`](Self::run_with), again and again with fewer extra bits until `wanted` cases are
    /// found, or the search is ended early, or there are no fewer bits. For searches that
    /// [`aim`](Self::aim) at a few times as many.
    pub fn run_until_found(
        &mut self,
        wanted: usize,
        families: InverseUse,
        observer: &dyn Observer,
        interrupt: &Interrupt,
    ) -> Result<Outcome, DriverError> {
        loop {
            let outcome = self.run_with(families, observer, interrupt)?;
            let fewer = self.problem.extra_bits().saturating_sub(3).max(Problem::MIN_EXTRA_BITS);
            let is_enough = outcome.cases.len() >= wanted || fewer == self.problem.extra_bits();
            if is_enough || outcome.is_partial() {
                return Ok(outcome);
            }
            self.problem = self.problem.with_extra_bits(fewer)?;
        }
    }

    /// Searches the interval but for what needs no search because all roundings there are known by
    /// an inequality ([`Outcome::known`]: next to 0, e^x is strictly between 1 and the next
    /// breakpoint), or as much of it as there is time for before `interrupt` is requested, or
    /// before a machine fails that has no fallback ([`Outcome::failure`]).
    pub fn run(&self, observer: &dyn Observer, interrupt: &Interrupt) -> Result<Outcome, DriverError> {
        self.run_with(InverseUse::default(), observer, interrupt)
    }

    /// The same with families of arguments (those of sin, cos, tan and exponentials, binade by
    /// binade) searched all at once, by the walk in three dimensions, where `families` says.
    pub fn run_with(
        &self,
        families: InverseUse,
        observer: &dyn Observer,
        interrupt: &Interrupt,
    ) -> Result<Outcome, DriverError> {
        let started = Instant::now();
        let (arguments, ranges) = self.ranges()?;
        let ways = self.ways(&ranges, families)?;
        if !ways.families.is_empty() {
            self.expect_few(arguments)?;
        }
        self.validate(&ways.rest)?;
        let (known, ranges) = self.known_and_rest(&ways.rest);
        let decide = |x| confirm_or_beyond(self.function, &self.problem, x);
        let mut outcome = self.run_shared(&ranges, &decide, Sharing::AsItIs, observer, interrupt)?;
        (outcome.arguments, outcome.known) = (arguments, known);
        if outcome.failure.is_some() {
            return Ok(outcome);
        }
        if ranges.is_empty() && !ways.families.is_empty() {
            outcome.backends.clear();
        }
        for whole in &ways.families {
            self.run_family(whole, &mut outcome, observer, interrupt)?;
            if outcome.failure.is_some() {
                break;
            }
            if outcome.is_too_long() {
                return Err(DriverError::TooManyFound { limit: MAX_CASES });
            }
        }
        outcome.sort();
        outcome.elapsed = started.elapsed();
        Ok(outcome)
    }

    /// Checks that the function has values over ranges that are not searched all at once: what is
    /// has them, and so have large arguments of sin, cos and tan, whatever is between two of them.
    pub(crate) fn validate(&self, ranges: &[ArgumentRange]) -> Result<(), DriverError> {
        let is_single = |range: &&ArgumentRange| !Sieve::is_of_single_arguments(self.function, range);
        let ranges: Vec<ArgumentRange> = ranges.iter().filter(is_single).copied().collect();
        validate(self.function, &self.problem, &ranges)
    }

    /// The regions of some ranges where all roundings are known by an inequality, and nearly all
    /// arguments would be candidates or none is a case; and the ranges that are left to search.
    pub(crate) fn known_and_rest(&self, ranges: &[ArgumentRange]) -> (Vec<Region>, Vec<ArgumentRange>) {
        // four times as far off there are hardly fewer candidates, as error bounds are added to the
        // distance
        let bits = self.problem.extra_bits().saturating_sub(2).max(Problem::MIN_EXTRA_BITS);
        let wide = self.problem.with_extra_bits(bits).unwrap_or(self.problem);
        known_and_rest(self.function, &self.problem, ranges, |x| {
            matches!(confirm(self.function, &wide, x), Ok(Verdict::Case(_)))
        })
    }

    /// [`run`](Self::run) over these ranges, in increasing order, instead of the interval's.
    /// Whether the function is defined there is not looked at before: a pole between two arguments
    /// is no obstacle, one at an argument ends the search with an error. Results beyond all numbers
    /// of the format are no cases.
    pub fn run_over(
        &self,
        ranges: &[ArgumentRange],
        observer: &dyn Observer,
        interrupt: &Interrupt,
    ) -> Result<Outcome, DriverError> {
        let decide = |x| confirm_or_beyond(self.function, &self.problem, x);
        self.run_deciding(ranges, &decide, observer, interrupt)
    }

    /// [`run_over`](Self::run_over), where `decide` says what becomes of a candidate.
    pub(crate) fn run_deciding(
        &self,
        ranges: &[ArgumentRange],
        decide: &Decide,
        observer: &dyn Observer,
        interrupt: &Interrupt,
    ) -> Result<Outcome, DriverError> {
        self.run_shared(ranges, decide, Sharing::Assumed, observer, interrupt)
    }

    fn run_shared(
        &self,
        ranges: &[ArgumentRange],
        decide: &Decide,
        sharing: Sharing,
        observer: &dyn Observer,
        interrupt: &Interrupt,
    ) -> Result<Outcome, DriverError> {
        let started = Instant::now();
        let arguments: u128 = ranges.iter().map(|range| u128::from(range.count())).sum();
        self.expect_few(arguments)?;
        let mut outcome = search_ranges(self, arguments, ranges, decide, sharing, observer, interrupt)?;
        debug_assert!(result_is_complete(&outcome, interrupt));
        outcome.sort();
        outcome.elapsed = started.elapsed();
        Ok(outcome)
    }

    /// Refuses a search that would list too many cases.
    fn expect_few(&self, arguments: u128) -> Result<(), DriverError> {
        let expected = self.problem.breakpoints().expected_cases(arguments as f64, self.problem.extra_bits());
        if expected > MAX_CASES as f64 {
            let suggestion = self.problem.extra_bits() + (expected / 100.0).log2().ceil() as u32;
            return Err(DriverError::TooManyCases {
                expected: expected as u64,
                limit: MAX_CASES,
                suggestion,
            });
        }
        Ok(())
    }
}

/// A search that nothing ended early has looked at every argument, once.
fn result_is_complete(outcome: &Outcome, interrupt: &Interrupt) -> bool {
    interrupt.is_requested() || outcome.failure.is_some() || outcome.searched == outcome.arguments
}
