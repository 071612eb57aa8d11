//! [`UnitResult`]: a unit of work, done; [`Solve::search_unit`] does it.

use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};
use tmd_core::{ArgumentRange, CoreError, Interrupt, Number, Problem};

use super::{Solve, SolvePlan, Unit};
use crate::{
    DriverError, Observer, Outcome, Progress, Via, Workers,
    certificate::{MOST_EXACT, UnitRecord, ViaRecord},
    report::{Case, Exact, Undecided},
};

/// What the search of a unit says, in a form that can be kept, sent and compared. All of it but the
/// times depends on the unit, the engine and the version of the program only; searched by a device,
/// the counts depend on how it cut the work, too.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UnitResult {
    /// Which unit it is, the counts and the budget.
    pub record: UnitRecord,
    /// The cases, by argument.
    pub cases: Vec<Case>,
    /// Arguments whose result is a breakpoint; none if they are more than
    /// [`MOST_EXACT`], which no certificate lists.
    pub exact_cases: Vec<Exact>,
    /// Arguments that could not be decided.
    pub undecided: Vec<Undecided>,
    /// Seconds that it took …
    pub elapsed_s: f64,
    /// … and those expected on one core, or on the device.
    pub planned_s: f64,
}

impl UnitResult {
    fn new(unit: &Unit, outcome: &Outcome, problem: &Problem) -> Self {
        let listed = if outcome.exact_count > MOST_EXACT as u64 { &[][..] } else { &outcome.exact_cases };
        let undecided = outcome.undecided.iter().map(|(x, bits)| Undecided { x: x.to_string(), bits: *bits });
        Self {
            record: UnitRecord::new(unit, outcome, problem),
            cases: outcome.cases.iter().map(Case::from).collect(),
            exact_cases: listed.iter().map(Exact::from).collect(),
            undecided: undecided.collect(),
            elapsed_s: outcome.elapsed.as_secs_f64(),
            planned_s: unit.core_seconds,
        }
    }

    /// Whether both are of the same arguments, and found the same there. Engines may differ in all
    /// else.
    pub fn finds_the_same_as(&self, other: &Self) -> bool {
        let (a, b) = (&self.record, &other.record);
        (&a.via, &a.first, a.spacing, a.arguments, a.exact)
            == (&b.via, &b.first, b.spacing, b.arguments, b.exact)
            && self.cases == other.cases
            && self.exact_cases == other.exact_cases
            && self.undecided == other.undecided
    }
}

impl UnitResult {
    /// The arguments that were searched.
    ///
    /// # Errors
    /// A record whose first argument is none of the question's.
    pub fn range(&self, solve: &Solve) -> Result<ArgumentRange, DriverError> {
        let UnitRecord { first, spacing, arguments, .. } = &self.record;
        let x = solve.argument(first)?;
        // a multiple of the spacing, which divides every argument of the format there
        let shift = x.exponent() - spacing;
        match u32::try_from(shift).ok().filter(|shift| *shift < 64) {
            Some(shift) => Ok(ArgumentRange::new(x.significand() << shift, *spacing, *arguments)),
            None if x == Number::ZERO => Ok(ArgumentRange::new(0, *spacing, *arguments)),
            None => Err(DriverError::Unreadable {
                what: "a unit",
                reason: format!("{first} is no multiple of 2^{spacing}"),
            }),
        }
    }
}

impl Unit {
    /// Whether a result is of this unit, with lists as long as it counts.
    pub fn is_of(&self, result: &UnitResult) -> bool {
        let UnitResult { record, cases, exact_cases, undecided, .. } = result;
        let exact = exact_cases.len() as u64;
        let is_counted = record.exact == exact || exact == 0 && record.exact > MOST_EXACT as u64;
        record.region == self.region
            && record.via == self.via.as_ref().map(ViaRecord::from)
            && record.spacing == self.range.exponent()
            && record.arguments == self.range.count()
            && record.first == self.range.argument(0).to_string()
            && (record.cases, record.undecided) == (cases.len() as u64, undecided.len() as u64)
            && is_counted
            && (record.exact <= record.arguments || !record.is_of_arguments())
    }
}

/// Families' units that a device searches at a time: it wants the runs of some hundred threads
/// together, and the end of a unit, where few have any, is beside the others.
const FAMILIES_AT_A_TIME: usize = 8;

impl Solve<'_> {
    /// How many units of a plan may be searched at a time: one per thread of the CPU; if there are
    /// devices one, or some if all of them are families', whose runs go to the device together.
    pub fn units_at_a_time(&self, plan: &SolvePlan) -> usize {
        let is_family = |unit: &Unit| matches!(unit.via, Some(Via::Family(_)));
        let on_device = if plan.units.iter().all(is_family) { FAMILIES_AT_A_TIME } else { 1 };
        self.workers.only_cpu().map_or(on_device, |(_, threads)| threads)
    }

    /// Whether the counts of a unit are the same at each search of it, as the CPU's are.
    pub fn has_repeatable_counts(&self) -> bool {
        self.workers.only_cpu().is_some()
    }

    /// Searches one unit: on the CPU by one thread, else by the whole workers. `None` if the
    /// interrupt came before the end.
    ///
    /// # Errors
    /// What cannot be searched, or not by this machine.
    pub fn search_unit(
        &self,
        unit: &Unit,
        observer: &dyn Observer,
        interrupt: &Interrupt,
    ) -> Result<Option<UnitResult>, DriverError> {
        if interrupt.is_requested() {
            return Ok(None);
        }
        let workers = match self.workers.only_cpu() {
            Some((backend, _)) => Workers::cpu(backend, 1),
            None => self.workers.clone(),
        };
        let outcome = unit.task(self).run(workers, observer, interrupt)?;
        match (&outcome.failure, outcome.is_partial()) {
            (Some(failure), _) => Err(failure.clone().into()),
            (None, true) => Ok(None),
            (None, false) => Ok(Some(UnitResult::new(unit, &outcome, &self.problem))),
        }
    }
}

/// The progress of all units together, told to one observer.
pub struct Tally<'a> {
    observer: &'a dyn Observer,
    progress: Mutex<Progress>,
    /// failures of devices
    told: Mutex<Vec<CoreError>>,
}

impl<'a> Tally<'a> {
    /// Starts at this progress.
    pub fn new(observer: &'a dyn Observer, progress: Progress) -> Self {
        Self { observer, progress: Mutex::new(progress), told: Mutex::default() }
    }

    /// The observer of one more unit.
    pub fn unit(&self) -> impl Observer {
        Share { tally: self, told: Mutex::new((0, 0)) }
    }
}

/// What one unit told of its progress: arguments and cases.
struct Share<'a> {
    tally: &'a Tally<'a>,
    told: Mutex<(u128, usize)>,
}

impl Observer for Share<'_> {
    fn failed(&self, failure: &CoreError) {
        let mut told = self.tally.told.lock().unwrap_or_else(PoisonError::into_inner);
        if !told.contains(failure) {
            told.push(failure.clone());
            self.tally.observer.failed(failure);
        }
    }

    fn progress(&self, progress: Progress) {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        // threads of a unit may tell out of order
        if progress.searched <= told.0 {
            return;
        }
        let (arguments, cases) = (progress.searched - told.0, progress.cases.saturating_sub(told.1));
        *told = (progress.searched, told.1.max(progress.cases));
        let mut all = self.tally.progress.lock().unwrap_or_else(PoisonError::into_inner);
        all.searched += arguments;
        all.cases += cases;
        self.tally.observer.progress(*all);
    }
}
