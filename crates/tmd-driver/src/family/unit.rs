//! [`FamilyVia`]: units that are parts of the circle of a family's angles.
//!
//! A unit is a range of cells (`turn`); what belongs to it are the arguments whose turns are in
//! these, decided exactly. Its windows are those between the cells' ends, with room for the errors
//! of angles, and perhaps one that reaches beyond; what these find of other cells is left to other
//! units. Every argument is so in exactly one: Theorem S.13 of `proofs/Families.v`.

use std::{
    sync::{
        Arc, LazyLock,
        atomic::{AtomicU64, Ordering},
    },
    time::Instant,
};

use tmd_core::{
    ArgumentRange, CoreError, Families, Interrupt, Number, Phase, Problem,
    difftable::power_of_two,
    lattice3::{Counters, Engine, MAX_WINDOWS, Model, Segment, Span, Unwieldy, Walk},
};
use tmd_functions::{Family, Function, Repetition};

use super::{FamilyOutcome, FamilySearch, doubling::holds_one, is_in, turns_of, whole_circle};
use crate::{DriverError, Outcome, regions::translate::holds};

/// Points per window, at least and at most.
const VOLUMES: std::ops::RangeInclusive<f64> = 1.0 / 1024.0..=1024.0;

/// Most binades of results that are searched together.
const MOST_BINADES: u32 = 8;

/// Parts of what a device searches, the same on all machines: threads of the host, of which there
/// may be as many, feed it side by side.
const DEVICE_PARTS: u32 = 64;

/// Which walk, and what its windows and segments are cut by.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    /// The engine, by its name.
    pub engine: String,
    /// Lattice points that a window holds on average.
    pub volume: f64,
    /// Windows of a segment, at most.
    pub windows: u32,
    /// Binades of a logarithm's results that are searched in the units of the least of them, at
    /// most: see [`FamilySearch::binades`].
    pub binades: u32,
}

impl Shape {
    /// That of a search for so many spans, and of so many binades together.
    pub(crate) fn of(families: &Families, spans: usize, binades: u32) -> Self {
        let engine = &families.engine;
        Self { engine: engine.name(), volume: engine.volume(spans), windows: engine.windows(), binades }
    }

    /// Whether windows may be so.
    pub(crate) fn is_possible(&self) -> bool {
        VOLUMES.contains(&self.volume)
            && (1..=MAX_WINDOWS).contains(&self.windows)
            && (1..=MOST_BINADES).contains(&self.binades)
    }
}

/// Whether a walk of this name is that of a device: in native or emulated integers.
pub(crate) fn is_of_device(engine: &str) -> bool {
    engine.starts_with("lattice3 (") && engine.ends_with(" integers))")
}

/// What a range of cells stands for.
#[derive(Clone, Debug, PartialEq)]
pub struct FamilyVia {
    /// The arguments of which those are searched whose turns are in the cells, in increasing order.
    pub arguments: Arc<[ArgumentRange]>,
    /// Cells of the whole circle.
    pub cells: u64,
    /// Who searches, and in which windows.
    pub shape: Shape,
}

/// Another engine's walk, in windows of this shape.
struct Shaped<'a> {
    engine: &'a dyn Engine,
    shape: &'a Shape,
    /// whether the search ends where its machine fails
    is_alone: bool,
}

impl Engine for Shaped<'_> {
    fn name(&self) -> String {
        self.engine.name()
    }

    fn volume(&self, _spans: usize) -> f64 {
        self.shape.volume
    }

    fn windows(&self) -> u32 {
        self.shape.windows
    }

    fn parts(&self) -> Option<u32> {
        is_of_device(&self.shape.engine).then_some(DEVICE_PARTS)
    }

    fn start(&self, model: &Model, spans: &[Span]) -> Box<dyn Walk> {
        self.engine.start(model, spans)
    }

    fn failure(&self) -> Option<CoreError> {
        self.engine.failure()
    }

    fn check(&self) -> Result<(), CoreError> {
        self.engine.failure().filter(|_| self.is_alone).map_or(Ok(()), Err)
    }
}

/// The engine, threads and fallback of a family's search.
#[derive(Clone, Copy)]
pub(crate) struct FamilyWorkers<'a> {
    pub(crate) engine: &'a dyn Engine,
    pub(crate) threads: usize,
    /// whether another engine may search what a machine failed at
    pub(crate) has_fallback: bool,
}

/// A dry run: makes segments without searching them, and refuses those with the numbers that
/// another walk refused, in increasing order.
#[derive(Default)]
struct DryRun {
    refused: Arc<[u64]>,
    /// segments so far, of all walks one after the other
    asked: Arc<AtomicU64>,
}

impl Engine for DryRun {
    fn name(&self) -> String {
        "none".into()
    }

    fn volume(&self, _spans: usize) -> f64 {
        1.0
    }

    fn windows(&self) -> u32 {
        1
    }

    fn start(&self, _: &Model, _: &[Span]) -> Box<dyn Walk> {
        Box::new(Self { refused: Arc::clone(&self.refused), asked: Arc::clone(&self.asked) })
    }
}

impl Walk for DryRun {
    fn search(
        &mut self,
        _: &Segment,
        _: &mut dyn FnMut(tmd_core::lattice3::Candidate),
    ) -> Result<(), Unwieldy> {
        let number = self.asked.fetch_add(1, Ordering::Relaxed);
        if self.refused.binary_search(&number).is_ok() { Err(Unwieldy) } else { Ok(()) }
    }

    fn counters(&self) -> Counters {
        Counters::default()
    }
}

/// A search that is a dry run.
fn dry_run<'a>(
    function: &'a dyn Function,
    family: Family,
    problem: &Problem,
    binades: u32,
) -> FamilySearch<'a> {
    static DRY_RUN: LazyLock<DryRun> = LazyLock::new(DryRun::default);
    FamilySearch { function, family, problem: *problem, engine: &*DRY_RUN, threads: 1, turns: None, binades }
}

/// A range of arguments in those that a family has, and the others.
pub(crate) struct Split {
    pub(crate) inside: Option<ArgumentRange>,
    pub(crate) left: Vec<ArgumentRange>,
}

impl FamilyVia {
    /// All these arguments, and the cells in which their turns are.
    pub(crate) fn new(family: Family, arguments: Vec<ArgumentRange>, shape: Shape) -> (Self, ArgumentRange) {
        let circle = whole_circle(family);
        (Self { arguments: arguments.into(), cells: circle.count(), shape }, circle)
    }

    /// The arguments of a range that can be searched as a family, and the others; `None` if the
    /// function has none.
    pub(crate) fn split(
        function: &dyn Function,
        problem: &Problem,
        range: &ArgumentRange,
    ) -> Result<Option<Split>, DriverError> {
        let Some(family) = function.family() else { return Ok(None) };
        let search = dry_run(function, family, problem, 1);
        if family.repetition() == Repetition::Doubling {
            // a range lies in one binade, or in some that share their spacing
            let is_in = |x: Number| {
                let exponent = x.log2_floor().filter(|_| x > Number::ZERO);
                // and no result is beyond the format's
                let most = problem.results().max_exponent();
                exponent.is_some_and(|e| {
                    let bits = family.multiplier().next_power_of_two().ilog2() as i32;
                    let larger = bits + family.log2();
                    search.has_exponent(e) && 33 - e.abs().leading_zeros() as i32 + larger <= most
                })
            };
            let (first, last) = (range.argument(0), range.argument(range.count().saturating_sub(1)));
            let is_whole = range.count() != 0 && is_in(first) && is_in(last);
            let is_beyond = |x: Number| x.log2_floor().is_some_and(|e| e + family.factor().1 > 0);
            let is_beyond_one = is_beyond(first) == is_beyond(last);
            let inside = Some(*range).filter(|_| is_whole && is_beyond_one);
            let left = if inside.is_some() { Vec::new() } else { vec![*range] };
            return Ok(Some(Split { inside, left }));
        }
        let mut left = Vec::new();
        let inside = search.normal(range, &mut left)?;
        // a turn of 0 is no turn
        let inside = inside.filter(|range| !holds(range, Number::ZERO));
        Ok(Some(Split { inside, left }))
    }

    /// Spans of a walk over the arguments, the most of any if there are several walks; 1 where
    /// there is none.
    pub(crate) fn spans(&self, function: &dyn Function, problem: &Problem) -> usize {
        let walks = function.family().and_then(|family| {
            dry_run(function, family, problem, self.shape.binades).walks(&self.arguments).ok()
        });
        walks.into_iter().flatten().max().unwrap_or(1)
    }

    /// Whether all arguments are searched by one walk: in not too many spans, and positive numbers
    /// where exponents are what repeats.
    pub(crate) fn is_together(&self, function: &dyn Function, problem: &Problem) -> bool {
        let is_known = |range: &ArgumentRange| range.count() != 0;
        let family = function.family().filter(|_| self.arguments.iter().all(is_known));
        family.is_some_and(|family| {
            let search = dry_run(function, family, problem, self.shape.binades);
            let is_increasing = self.arguments.is_sorted_by_key(|range| range.argument(0));
            is_increasing && search.walks(&self.arguments).is_ok()
        })
    }

    pub(crate) fn search<'a>(
        &self,
        function: &'a dyn Function,
        problem: &Problem,
        cells: &ArgumentRange,
        engine: &'a dyn Engine,
        threads: usize,
    ) -> Result<FamilySearch<'a>, DriverError> {
        let refuse = |reason: &str| DriverError::Family { function: function.name(), reason: reason.into() };
        let family = function.family().ok_or_else(|| refuse("it has no family"))?;
        if !self.shape.is_possible() {
            return Err(refuse("windows are never so"));
        }
        Ok(FamilySearch {
            function,
            family,
            problem: *problem,
            engine,
            threads,
            turns: Some(turns_of(cells)),
            binades: self.shape.binades,
        })
    }

    /// Searches some cells. What is found elsewhere is left out. The failure of a machine is in the
    /// outcome; it ends the search without a fallback.
    pub(crate) fn run(
        &self,
        function: &dyn Function,
        problem: &Problem,
        cells: &ArgumentRange,
        FamilyWorkers { engine, threads, has_fallback }: FamilyWorkers,
        told: &(dyn Fn(f64) + Sync),
        interrupt: &Interrupt,
    ) -> Result<Outcome, DriverError> {
        let started = Instant::now();
        let shaped = Shaped { engine, shape: &self.shape, is_alone: !has_fallback };
        // what threads of the CPU cut is one part for each unit, as it is derived again
        let threads = if is_of_device(&self.shape.engine) { threads } else { 1 };
        let search = self.search(function, problem, cells, &shaped, threads)?;
        let mut outcome = Outcome::new(cells.count().into(), std::iter::once(engine.name()));
        let found = match search.run_over(&self.arguments, told, interrupt) {
            Ok(found) => found,
            // nothing of it counts
            Err(DriverError::Core(CoreError::Interrupted)) => return Ok(outcome),
            Err(DriverError::Core(failure)) if failure.is_of_the_machine() => {
                outcome.elapsed = started.elapsed();
                outcome.add_failure(0, outcome.elapsed, &failure, true);
                outcome.failure = Some(failure);
                return Ok(outcome);
            }
            Err(error) => return Err(error),
        };
        let is_here = |x: Number| is_in(search.family, x, cells);
        for case in found.cases {
            if is_here(case.argument)? {
                outcome.cases.push(case);
            }
        }
        for case in found.exact_cases {
            if is_here(case.argument)? {
                outcome.exact_cases.push(case);
            }
        }
        for (x, bits) in found.undecided {
            if is_here(x)? {
                outcome.undecided.push((x, bits));
            }
        }
        outcome.exact_count = outcome.exact_cases.len() as u64;
        outcome.searched = outcome.arguments;
        outcome.pieces = found.segments;
        outcome.domain_sizes =
            found.windows.map_or((u64::MAX, 0), |(least, most)| (least.into(), most.into()));
        outcome.budget = found.budget;
        let Counters { windows, occupied, candidates, .. } = found.counters;
        let phase = |domains_in, domains_out, arguments_in| Phase {
            domains_in,
            domains_out,
            arguments_in,
            ..Phase::default()
        };
        outcome.phases.generate = phase(found.segments, found.segments, 0);
        outcome.phases.test = phase(windows, occupied, 0);
        outcome.phases.refine = phase(found.refused.len() as u64, 0, 0);
        outcome.refused = found.refused;
        outcome.phases.exhaust = phase(occupied, candidates, found.listed);
        let decided = (outcome.cases.len() + outcome.exact_cases.len() + outcome.undecided.len()) as u64;
        outcome.confirm = phase(found.confirmed, decided, found.confirmed);
        let share = &mut outcome.backends[0];
        (share.parts, share.arguments) = (found.segments, outcome.arguments);
        outcome.sort();
        outcome.elapsed = started.elapsed();
        match engine.failure() {
            Some(failure) => outcome.add_failure(0, outcome.elapsed, &failure, true),
            None => outcome.backends[0].time = outcome.elapsed,
        }
        Ok(outcome)
    }

    /// Segments and error bounds of a search of some cells that refused segments of these numbers,
    /// without searching.
    pub(crate) fn derive(
        &self,
        function: &dyn Function,
        problem: &Problem,
        cells: &ArgumentRange,
        refused: &[u64],
        interrupt: &Interrupt,
    ) -> Result<Outcome, DriverError> {
        let dry_run = DryRun { refused: refused.into(), asked: Arc::default() };
        let shaped = Shaped { engine: &dry_run, shape: &self.shape, is_alone: false };
        let search = self.search(function, problem, cells, &shaped, 1)?;
        let mut outcome = Outcome::new(cells.count().into(), std::iter::once(self.shape.engine.clone()));
        let FamilyOutcome { segments, budget, windows, refused, .. } =
            search.derive(&self.arguments, interrupt)?;
        (outcome.pieces, outcome.budget, outcome.refused) = (segments, budget, refused);
        outcome.domain_sizes = windows.map_or((u64::MAX, 0), |(least, most)| (least.into(), most.into()));
        Ok(outcome)
    }
}

impl FamilySearch<'_> {
    /// Searches ranges of arguments, in increasing order.
    ///
    /// # Errors
    /// [`DriverError::Family`] if some of them are not in the family.
    pub(crate) fn run_over(
        &self,
        ranges: &[ArgumentRange],
        told: &(dyn Fn(f64) + Sync),
        interrupt: &Interrupt,
    ) -> Result<super::FamilyOutcome, DriverError> {
        let told = |length: &rug::Integer, bits: u32| {
            told(rug::Float::with_val(64, length).to_f64() * power_of_two(-(bits as i32)));
        };
        let mut outcome = match self.family.repetition() {
            Repetition::Period => self.run_ranges(ranges, &told, interrupt)?,
            Repetition::Doubling => {
                self.run_doubling(&self.exponents(ranges)?, Some(ranges), &told, interrupt)?
            }
        };
        let is_asked = |x: Number| holds_one(ranges, x);
        // what was left and what is asked may have a part in common that neither of the ends of
        // either is in
        if outcome.left.iter().any(|left| ranges.iter().any(|range| overlap(left, range))) {
            return Err(self.refuse("some of them are not in the family"));
        }
        outcome.cases.retain(|case| is_asked(case.argument));
        outcome.exact_cases.retain(|case| is_asked(case.argument));
        outcome.undecided.retain(|(x, _)| is_asked(*x));
        Ok(outcome)
    }

    fn derive(&self, ranges: &[ArgumentRange], interrupt: &Interrupt) -> Result<FamilyOutcome, DriverError> {
        let mut found = FamilyOutcome::default();
        self.each_sweep(ranges, |sweep, from, to| {
            let (from, to) = self.clipped(sweep, from, to);
            found.add(self.sweep(sweep, &from, &to, &|_, _| {}, interrupt)?);
            Ok(())
        })?;
        Ok(found)
    }

    /// The exponents of arguments that are all positive and in increasing order: first and last of
    /// those without a gap.
    pub(super) fn exponents(&self, ranges: &[ArgumentRange]) -> Result<Vec<(i32, i32)>, DriverError> {
        let mut stretches: Vec<(i32, i32)> = Vec::new();
        let mut before = Number::ZERO;
        for range in ranges {
            let (first, last) = (range.argument(0), range.argument(range.count().saturating_sub(1)));
            if first <= before || first > last {
                return Err(self.refuse("they are not positive, or not in order"));
            }
            before = last;
            let ends = first.log2_floor().zip(last.log2_floor());
            let (first, last) = ends.ok_or_else(|| self.refuse("one is 0"))?;
            match stretches.last_mut() {
                Some(stretch) if stretch.1 + 1 >= first => stretch.1 = last,
                _ => stretches.push((first, last)),
            }
        }
        if stretches.is_empty() {
            return Err(self.refuse("there are none"));
        }
        Ok(stretches)
    }
}

/// Whether two ranges of numbers of the same format have a number in common.
fn overlap(a: &ArgumentRange, b: &ArgumentRange) -> bool {
    let last = |range: &ArgumentRange| range.argument(range.count() - 1);
    a.count() != 0 && b.count() != 0 && a.argument(0) <= last(b) && b.argument(0) <= last(a)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::family::tests::Refusing;
    use tmd_core::{Breakpoints, Format, lattice3::Exact};
    use tmd_functions::{Builtin, Expression};

    /// Pieces and budgets follow from a unit and from what the walk refused, and are those of every
    /// number of threads where a device walks.
    #[test]
    fn what_is_searched_is_derived_again() {
        let format = Format::new(18, -150, 150).unwrap();
        let problem = Problem::new(format, format, Breakpoints::All, 14).unwrap();
        // one in seven segments, by where they begin
        let refuses = |segment: &Segment, _| {
            let place = format!("{:?}{}", segment.start, segment.windows);
            place.bytes().map(u32::from).sum::<u32>().is_multiple_of(7)
        };
        let engine = Refusing { walk: Exact::default(), refuses };
        let lanes = "lattice3 (avx512)".to_owned();
        let device = "lattice3 (Some GPU (native integers))".to_owned();
        // of the circle, in twelfths; the last angle is a pole of tan
        let questions = [
            (Builtin::Sin, 60..62, 4..10),
            (Builtin::Tan, 60..62, 9..12),
            (Builtin::Exp, 4..6, 4..10),
            (Builtin::Ln, 20..30, 4..10),
        ];
        for (builtin, binades, twelfths) in questions {
            let function = Expression::function(builtin);
            let ranges = binades.map(|e| ArgumentRange::new(1 << 17, e - 17, 1 << 17)).collect();
            let shape = Shape { engine: lanes.clone(), volume: 0.5, windows: 4, binades: 2 };
            let (lanes, circle) = FamilyVia::new(Family::of(builtin).unwrap(), ranges, shape.clone());
            let device = FamilyVia { shape: Shape { engine: device.clone(), ..shape }, ..lanes.clone() };
            let at = |twelfths: u64| (u128::from(circle.count()) * u128::from(twelfths) / 12) as u64;
            let cells = circle.part(at(twelfths.start), at(twelfths.end) - at(twelfths.start));
            let interrupt = Interrupt::new();
            let run = |via: &FamilyVia, threads| {
                let workers = FamilyWorkers { engine: &engine, threads, has_fallback: true };
                via.run(&function, &problem, &cells, workers, &|_| {}, &interrupt).unwrap()
            };
            let said = |outcome: &Outcome| {
                let Outcome { pieces, domain_sizes, budget, refused, .. } = outcome;
                (*pieces, *domain_sizes, *budget, refused.clone())
            };
            let alone = run(&lanes, 1);
            assert!(
                alone.refused.len() > 10 && alone.refused.is_sorted_by(|a, b| a < b),
                "{:?}",
                alone.refused
            );
            let [one, three] = [1, 3].map(|threads| run(&device, threads));
            assert_eq!(said(&one), said(&three), "{builtin}");
            assert!(one.pieces != alone.pieces && alone.cases.len() > 10, "{builtin}");
            assert_eq!(one.cases, alone.cases, "{builtin}");
            for (via, outcome) in [(&lanes, &alone), (&device, &three)] {
                let derive = |refused: &[u64]| {
                    said(&via.derive(&function, &problem, &cells, refused, &interrupt).unwrap())
                };
                assert_eq!(derive(&outcome.refused), said(outcome), "{builtin}");
                assert_ne!(derive(&outcome.refused[1..]), said(outcome), "{builtin}");
                // a number that no segment has is none that was refused
                let beyond = [&outcome.refused[..], &[1 << 40]].concat();
                assert_eq!(derive(&beyond), said(outcome), "{builtin}");
            }
        }
    }

    #[test]
    fn ranges_overlap_wherever_their_ends_are() {
        let range = |first, count| ArgumentRange::new(first, -4, count);
        for (a, b, expected) in [
            (range(16, 16), range(20, 3), true),
            (range(16, 16), range(16, 16), true),
            (range(16, 16), range(31, 9), true),
            (range(16, 16), range(32, 9), false),
            (range(16, 16), range(20, 0), false),
            (range(-20, 16), range(-16, 2), true),
        ] {
            assert_eq!((overlap(&a, &b), overlap(&b, &a)), (expected, expected), "{a:?} {b:?}");
        }
        // of different spacing
        assert!(overlap(&range(16, 32), &ArgumentRange::new(16, -3, 1)));
    }
}
