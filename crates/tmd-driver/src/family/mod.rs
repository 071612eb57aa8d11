//! [`FamilySearch`]: all arguments of some spacings, or of one significand, searched as a family
//! (docs/proofs/lattice3.md).
//!
//! The function of an argument is that of its *angle*: x/L mod 1 for a quasi-period L, the
//! significand for a logarithm. The circle of angles is cut into segments of windows (`sweep`; for
//! a device `parts`); an engine of the walk in three dimensions ([`tmd_core::lattice3`]) lists the
//! candidates of each.
//! Where the function is 0 or infinite, and where windows would be no use, the arguments whose
//! angles lie there are listed one by one (`arc`). So every argument is in a window or in such an
//! arc (theorem L.8), and what is in neither is named: [`FamilyOutcome::left`]. From there to the
//! list it is Theorem S.14 of `proofs/Families.v`.

mod arc;
mod doubling;
mod estimate;
mod indices;
mod interval;
mod parts;
mod sweep;
#[cfg(test)]
mod tests;
mod turn;
mod unit;

use std::collections::HashSet;

use rug::{
    Integer, Rational,
    ops::{DivRounding, Pow},
};
use tmd_core::{
    ArgumentRange, ErrorBudget, ExactCase, HrCase, Interrupt, Number, Problem,
    lattice3::{COEFFICIENT_BITS, Counters, Engine, MAX_SPANS, Model, SLOPE_BITS, Span},
};
use tmd_functions::{Family, Function, Repetition, Scale};

use crate::{
    DriverError,
    confirm::{Verdict, confirm_or_beyond},
    interval::power_of_two,
    parallel,
};
pub(crate) use estimate::{Known, Whole};
use indices::{Indices, across};
use sweep::{Scaling, Sweep};
pub(crate) use turn::{cell, is_in, turns_of, whole_circle};
pub use unit::{FamilyVia, Shape};
pub(crate) use unit::{FamilyWorkers, Split, is_of_device};

/// Angles have so many more bits than indices and results: errors of the rotation stay far below
/// any ε.
const GUARD_BITS: u32 = 16;

/// Parts for each thread of several.
const PARTS: u32 = 64;

/// Arguments that are confirmed before the next are taken: some megabytes of verdicts.
const CONFIRMED_AT_ONCE: usize = 1 << 14;

/// Why arguments of a relative are refused.
const SMALL: &str = "some arguments are too small for it to be near one that has";

/// What to search, and how.
pub struct FamilySearch<'a> {
    /// The function.
    pub function: &'a dyn Function,
    /// Its family.
    pub family: Family,
    /// Formats, breakpoints, ε.
    pub problem: Problem,
    /// Who walks.
    pub engine: &'a dyn Engine,
    /// Threads.
    pub threads: usize,
    /// Only arguments with turns, or significands in [1/2, 1), between these, ends included;
    /// perhaps some next to them.
    pub turns: Option<(Rational, Rational)>,
    /// So many binades of a logarithm's results are searched in the units of the least of them, at
    /// most; 1 for each by itself, and where breakpoints are midpoints alone (Theorem L.10).
    pub binades: u32,
}

/// What was found.
#[derive(Clone, Debug, Default)]
pub struct FamilyOutcome {
    /// The cases, in increasing order of the argument.
    pub cases: Vec<HrCase>,
    /// Arguments whose results are breakpoints.
    pub exact_cases: Vec<ExactCase>,
    /// Arguments that could not be decided, with the bits of agreement tried.
    pub undecided: Vec<(Number, u32)>,
    /// What the walks did.
    pub counters: Counters,
    /// Segments of windows.
    pub segments: u64,
    /// Arguments that were listed one by one, by their angles.
    pub listed: u64,
    /// Segments that were given to walks …
    pub asked: u64,
    /// … and numbers of those that no walk could take, and whose places were cut smaller for it.
    pub refused: Vec<u64>,
    /// Windows of a segment, least and most.
    pub windows: Option<(u32, u32)>,
    /// Line by line the largest error bound of all segments.
    pub budget: ErrorBudget,
    /// Arguments that MPFR looked at.
    pub confirmed: u64,
    /// Arguments asked for that are not in the family, and were not searched.
    pub left: Vec<ArgumentRange>,
    /// Candidates of windows and what was listed in their place, before they are confirmed.
    arguments: Vec<Number>,
}

/// What is told of a sweep: how far it got since it was last told, in units of an angle.
type Told<'a> = dyn Fn(&Integer, u32) + Sync + 'a;

impl FamilyOutcome {
    /// Adds what one sweep of angles found.
    fn add(&mut self, other: Self) {
        self.arguments.extend(other.arguments);
        self.counters.add(&other.counters);
        self.segments += other.segments;
        self.listed += other.listed;
        self.refused.extend(other.refused.iter().map(|number| self.asked + number));
        self.asked += other.asked;
        self.budget = self.budget.max(&other.budget);
        for windows in [other.windows].into_iter().flatten() {
            self.add_windows(windows);
        }
    }

    fn add_windows(&mut self, (least, most): (u32, u32)) {
        let known = self.windows.unwrap_or((least, most));
        self.windows = Some((known.0.min(least), known.1.max(most)));
    }
}

/// Angles from one to another in so many parts, which are equal but where the last angle is a pole:
/// the nearer, the shorter segments are, so many in each halving of the distance, and those of a
/// part are made one after the other. There the distance is that of the first angle times the sixth
/// power of the share of parts that are left: most parts have about as many segments as windows.
fn parted(from: &Integer, to: &Integer, parts: u32, is_pole: bool) -> Vec<(Integer, Integer)> {
    let length = Integer::from(to - from);
    let power = if is_pole { 6 } else { 1 };
    let all = Integer::from(parts).pow(power);
    let at = |k: u32| to - (&length * Integer::from(parts - k).pow(power)).div_ceil(&all);
    (0..parts).map(|k| (at(k), at(k + 1))).collect()
}

impl FamilySearch<'_> {
    /// Searches the arguments of ranges, in increasing order: of one spacing, or of some as
    /// multiples of the finest.
    ///
    /// # Errors
    /// [`DriverError::Family`] if the function is a logarithm, which has families of exponents, or
    /// if indices of the finest spacing have too many bits; what confirmation says.
    pub fn run(&self, ranges: &[ArgumentRange], interrupt: &Interrupt) -> Result<FamilyOutcome, DriverError> {
        if self.family.repetition() != Repetition::Period {
            return Err(self.refuse("they share an exponent, but its families have all exponents"));
        }
        self.run_ranges(ranges, &|_, _| {}, interrupt)
    }

    fn run_ranges(
        &self,
        ranges: &[ArgumentRange],
        told: &Told,
        interrupt: &Interrupt,
    ) -> Result<FamilyOutcome, DriverError> {
        let mut outcome = FamilyOutcome::default();
        let mut inside = Vec::with_capacity(ranges.len());
        for range in ranges {
            inside.extend(self.normal(range, &mut outcome.left)?);
        }
        if inside.is_empty() {
            return Ok(outcome);
        }
        self.with_sweep(&inside, |sweep, end| {
            let (from, to) = self.clipped(sweep, &Integer::new(), end);
            if from >= to {
                return Ok(outcome);
            }
            let singular = sweep.singular(&from, &to, interrupt)?;
            outcome.add(self.sweep(sweep, &from, &to, told, interrupt)?);
            outcome.listed += singular.iter().map(|indices| indices.len() as u64).sum::<u64>();
            // two places have no argument in common
            let listed = singular.into_iter().flat_map(|indices| sweep.each_once(indices));
            self.conclude(outcome, listed, interrupt)
        })?
    }

    /// The sweep of arguments that are all in the family, and the angle where it ends. Each range
    /// is a span, or ranges that follow each other are one ([`Indices`]).
    fn with_sweep<R>(
        &self,
        inside: &[ArgumentRange],
        job: impl FnOnce(&Sweep, &Integer) -> R,
    ) -> Result<R, DriverError> {
        let indices = Indices::of(inside)
            .ok_or_else(|| self.refuse("there are none, or their spacings are too different"))?;
        let (exponent, index_bits) = (indices.exponent(), indices.bits());
        let angle_bits = self.angle_bits(index_bits);
        let alpha = self.family.rotation(exponent, angle_bits)?;
        let model = Model {
            angle_bits,
            alpha: sweep::wide(&alpha).ok_or_else(|| self.refuse("their indices have too many bits"))?,
            log2_period: angle_bits,
        };
        let span = |is_mirrored| move |(first, last)| Span { first, last, is_mirrored };
        let (own, mut end) = (indices.spans(), Integer::from(1) << angle_bits);
        let is_symmetric = self.family.is_symmetric();
        let mut spans: Vec<Span> = own.iter().copied().map(span(false)).collect();
        if is_symmetric {
            // the point of index −i is the mirror image of that of i
            let images = own.iter().rev().map(|&(first, last)| (-last, -first));
            match across(own.iter().copied().chain(images)) {
                Some(hull) => spans = vec![span(false)(hull)],
                None => spans.extend(own.iter().copied().map(span(true))),
            }
            end >>= 1;
        } else if let Some(hull) = across(own.iter().copied()) {
            spans = vec![span(false)(hull)];
        }
        if spans.len() > MAX_SPANS {
            return Err(self.refuse("they are in too many ranges"));
        }
        let sweep = Sweep {
            search: self,
            model,
            alpha,
            spans,
            scaling: Scaling::ByBinade,
            index_bits,
            argument: &|index, _| {
                let image = || indices.argument(-index).filter(|_| is_symmetric);
                indices.argument(index).or_else(image)
            },
            perturbation: self.perturbation(inside)?,
        };
        Ok(job(&sweep, &end))
    }

    /// The arguments of ranges as [`run_over`](Self::run_over) takes them whose turns are between
    /// [`turns`](Self::turns), and perhaps some next to them, one by one; one may come twice.
    pub(crate) fn listed(
        &self,
        ranges: &[ArgumentRange],
        interrupt: &Interrupt,
    ) -> Result<Vec<Number>, DriverError> {
        let mut found = FamilyOutcome::default();
        self.each_sweep(ranges, |sweep, from, to| {
            let (from, to) = self.clipped(sweep, from, to);
            sweep.list(&from, &to, self.family.is_symmetric(), &mut found, interrupt)
        })?;
        Ok(found.arguments)
    }

    /// What a job says of each sweep of the ranges, which are as [`run_over`](Self::run_over) takes
    /// them, and of the angles where it begins and ends.
    fn each_sweep<T>(
        &self,
        ranges: &[ArgumentRange],
        mut job: impl FnMut(&Sweep, &Integer, &Integer) -> Result<T, DriverError>,
    ) -> Result<Vec<T>, DriverError> {
        match self.family.repetition() {
            Repetition::Period => {
                self.with_sweep(ranges, |sweep, end| Ok(vec![job(sweep, &Integer::new(), end)?]))?
            }
            Repetition::Doubling => self.with_doubling(&self.exponents(ranges)?, Some(ranges), |sweeps| {
                let mut one = |sweep: &Sweep| {
                    let half = Integer::from(1) << (sweep.model.angle_bits - 1);
                    job(sweep, &half, &Integer::from(&half * 2u32))
                };
                sweeps.iter().map(&mut one).collect()
            })?,
        }
    }

    fn refuse(&self, reason: &str) -> DriverError {
        DriverError::Family { function: self.function.name(), reason: reason.into() }
    }

    /// Bits after the point of angles, for indices or significands of so many bits.
    fn angle_bits(&self, index_bits: u32) -> u32 {
        let problem = &self.problem;
        let wanted = problem.results().precision() + problem.extra_bits().max(problem.results().precision());
        (index_bits + wanted + GUARD_BITS).max(COEFFICIENT_BITS - SLOPE_BITS)
    }

    /// The scale of results with `2^binade ≤ |g| < 2^(binade+1)`, g being the function that has the
    /// family, without what the results are multiplied by.
    fn scale(&self, binade: i32, index_bits: u32, perturbation: f64) -> Scale {
        let breakpoints = self.problem.breakpoints();
        let log2 = if self.family.is_exponential() { 0 } else { self.family.log2() };
        Scale {
            log2: breakpoints.scale_bits() as i32 + log2 - self.ulp_exponent(binade + log2),
            is_shifted: breakpoints.is_shifted(),
            tolerance: self.problem.tolerance(),
            index_bits,
            perturbation,
        }
    }

    /// log2 of the ulp of results of a binade. Those of an exponential are normal, and its unit
    /// function's, 2^k times smaller, are measured as if they were: 0 may be below the format's
    /// least exponent.
    fn ulp_exponent(&self, binade: i32) -> i32 {
        let results = self.problem.results();
        if self.family.is_exponential() {
            binade - results.precision() as i32 + 1
        } else {
            results.ulp_exponent(binade)
        }
    }

    /// A bound of |δ| over ranges of arguments of one sign.
    fn perturbation(&self, ranges: &[ArgumentRange]) -> Result<f64, DriverError> {
        let (odd, shift) = self.family.factor();
        let factor = Rational::from(odd) * power_of_two(shift);
        let ends = ranges.iter().flat_map(|range| [range.argument(0), range.argument(range.count() - 1)]);
        let products = ends.map(|x| Rational::from(x.significand()) * power_of_two(x.exponent()) * &factor);
        let least = products.min().unwrap_or_default();
        self.family.perturbation(&least).ok_or_else(|| self.refuse(SMALL))
    }

    /// Bits below 1 that |δ| is wanted to be, where results are `2^binade` or more in magnitude: it
    /// is at most ε then, in the units of the results.
    fn wanted(&self, binade: i32) -> u32 {
        let scale = self.problem.breakpoints().scale_bits() as i32 - self.ulp_exponent(binade);
        (scale - self.problem.tolerance().log2().floor() as i32).max(0).unsigned_abs()
    }

    /// The arguments of a range with normal results, and in `left` the others: for exponentials,
    /// whose results are scaled by powers of two. Other functions' are not. A relative's are those
    /// that are large.
    fn normal(
        &self,
        range: &ArgumentRange,
        left: &mut Vec<ArgumentRange>,
    ) -> Result<Option<ArgumentRange>, DriverError> {
        if range.count() == 0 {
            return Ok(None);
        }
        if self.family.is_symmetric() {
            return Ok(Some(*range));
        }
        let format = self.problem.results();
        // m·2^s·f(k·L) = m·2^(k+s): normal from k + s = min_exponent on, finite below
        // max_exponent + 1 less the bits of m; inward
        let period = self.family.period(256)?;
        let (odd, shift) = self.family.factor();
        let step = Rational::from(odd.unsigned_abs()) * power_of_two(range.exponent() + shift);
        let [lo, hi] = [period.lo(), period.hi()].map(|end| end.to_rational().unwrap_or_default() / &step);
        let times = |k: i32, upper: bool| {
            let product = |end: &Rational| end.clone() * Rational::from(k - self.family.log2());
            if upper { product(&lo).max(product(&hi)) } else { product(&lo).min(product(&hi)) }
        };
        let mut least = times(format.min_exponent(), true).ceil().into_numer_denom().0;
        let bits = self.family.multiplier().next_power_of_two().ilog2() as i32;
        let mut most = times(format.max_exponent() + 1 - bits, false).floor().into_numer_denom().0 - 1u32;
        if self.family.is_relative() {
            // results of the binade 0 are as far from each other, relatively, as any
            let near = self.family.least(self.wanted(0) + 1).max(Rational::from(4));
            least = least.max((near / &step).ceil().into_numer_denom().0);
        }
        if odd < 0 {
            (least, most) = (-most, -least);
        }
        let (first, last) =
            (Integer::from(range.first()), Integer::from(range.first()) + (range.count() - 1));
        let begin: Integer =
            Integer::from(&least - &first).max(Integer::new()).min(Integer::from(range.count()));
        let end: Integer = Integer::from(&most.min(last) - &first) + 1u32;
        let end = end.max(begin.clone());
        let [begin, end] = [begin, end].map(|n| n.to_u64().unwrap_or(range.count()));
        for part in [range.part(0, begin), range.part(end, range.count())] {
            if part.count() != 0 {
                left.push(part);
            }
        }
        let inside = range.part(begin, end - begin);
        Ok((inside.count() != 0).then_some(inside))
    }

    /// The angles between two that are asked for: those of [`turns`](Self::turns), with room for
    /// the errors of angles.
    fn clipped(&self, sweep: &Sweep, from: &Integer, to: &Integer) -> (Integer, Integer) {
        let Some((first, last)) = &self.turns else { return (from.clone(), to.clone()) };
        let units = |turn: &Rational, round: fn(Rational) -> Rational| {
            round(turn.clone() * power_of_two(sweep.model.angle_bits as i32)).into_numer_denom().0
        };
        // an argument's turn is within |index| units of the model's angle
        let margin = match self.family.repetition() {
            Repetition::Period => (Integer::from(1) << sweep.index_bits) + 1u32,
            Repetition::Doubling => Integer::new(),
        };
        let (first, last) = (units(first, Rational::floor) - &margin, units(last, Rational::ceil) + margin);
        // where turns are folded, none is beyond the ends; around a whole circle the next turn goes
        // on
        if self.family.is_symmetric() || self.family.repetition() == Repetition::Doubling {
            (first.max(from.clone()), last.min(to.clone()))
        } else {
            (first, last)
        }
    }

    /// The windows from angle `from` to `to`, in as many parts as a device likes, or enough for
    /// threads that they do not wait long for the last one.
    fn sweep(
        &self,
        sweep: &Sweep,
        from: &Integer,
        to: &Integer,
        told: &Told,
        interrupt: &Interrupt,
    ) -> Result<FamilyOutcome, DriverError> {
        let parts = self.engine.parts();
        let parts = parts.unwrap_or(if self.threads > 1 { PARTS * self.threads as u32 } else { 1 });
        let pole = self.family.pole_half_turn().filter(|_| self.engine.parts().is_some());
        let pole = pole.map(|half_turn| Integer::from(half_turn) << (sweep.model.angle_bits - 1));
        let ends = parted(from, to, parts, pole.as_ref() == Some(to));
        // one thread goes from part to part, as dry runs count what they refuse
        let found = if self.engine.parts().is_some() && self.threads > 1 {
            sweep.run_parts(&ends, told, interrupt)?
        } else {
            let one = |(from, to): &(Integer, Integer)| sweep.run(from, to, told, interrupt);
            parallel::map(self.threads, &ends, one)?.into_iter().collect::<Result<Vec<_>, _>>()?
        };
        let mut all = FamilyOutcome::default();
        for found in found {
            all.add(found);
        }
        Ok(all)
    }

    /// Confirms the candidates of windows, each once, and what was listed next to zeros and poles
    /// and is none of them: so many at a time, as a verdict takes more room than an index.
    fn conclude(
        &self,
        mut outcome: FamilyOutcome,
        listed: impl Iterator<Item = Number>,
        interrupt: &Interrupt,
    ) -> Result<FamilyOutcome, DriverError> {
        let arguments: HashSet<Number> = std::mem::take(&mut outcome.arguments).into_iter().collect();
        let listed = listed.filter(|x| !arguments.contains(x));
        let mut all = arguments.iter().copied().chain(listed);
        loop {
            let some: Vec<Number> = all.by_ref().take(CONFIRMED_AT_ONCE).collect();
            if some.is_empty() {
                break;
            }
            outcome.confirmed += some.len() as u64;
            let verdicts = parallel::map(self.threads, &some, |x| {
                interrupt.check()?;
                confirm_or_beyond(self.function, &self.problem, *x)
            })?;
            for verdict in verdicts {
                match verdict? {
                    Verdict::NotHard => {}
                    Verdict::Case(case) => outcome.cases.push(case),
                    Verdict::Exact(case) => outcome.exact_cases.push(case),
                    Verdict::Undecided { argument, bits } => outcome.undecided.push((argument, bits)),
                }
            }
        }
        let value = |x: Number| Rational::from(x.significand()) * power_of_two(x.exponent());
        outcome.cases.sort_by_cached_key(|case| value(case.argument));
        outcome.exact_cases.sort_by_cached_key(|case| value(case.argument));
        outcome.undecided.sort_by_cached_key(|&(x, _)| value(x));
        Ok(outcome)
    }
}
