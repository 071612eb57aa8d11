//! Searches of an interval, parts of which are searched all at once.

use tmd_core::{ArgumentRange, CoreError, Families, Interrupt};
use tmd_functions::{Family, Repetition};

use super::{Known, Whole};
use crate::{
    BackendShare, DriverError, InverseUse, Observer, Outcome, Progress, Search,
    outcome::Findings,
    plan::RangePlan,
    solve::plan::{CLEARLY, SHORTEST_UNIT},
    via::{Task, Via},
};

/// Ranges of fewer arguments take less time than a plan of them.
const FEW: u64 = 1 << 20;

/// An interval's ranges by how they are searched.
#[derive(Default)]
pub(crate) struct Ways {
    /// all at once, each with its plan
    pub(crate) families: Vec<Whole>,
    /// otherwise, and the plans of those where another way was thought of
    pub(crate) rest: Vec<ArgumentRange>,
    pub(crate) rivals: Vec<RangePlan>,
}

/// Whether all arguments are between −1 and 1.
fn is_below_one(range: &ArgumentRange) -> bool {
    let last = range.count().saturating_sub(1);
    [0, last].into_iter().all(|k| range.argument(k).log2_floor().is_none_or(|log2| log2 < 0))
}

/// Whether some arguments may be a period apart: if none are, a walk over a family has next to
/// nothing to gain. (Where turns are folded, two arguments next to an extremum share one.)
fn may_repeat(family: Family, range: &ArgumentRange) -> bool {
    let (odd, exponent) = family.factor();
    let log2_factor = odd.unsigned_abs().ilog2() as i32 + exponent;
    let log2_width = (range.count().ilog2() as i32).saturating_add(range.exponent());
    // each is less than one too small
    log2_width.saturating_add(log2_factor).saturating_add(2) > Family::LEAST_PERIOD_LOG2
}

impl Search<'_> {
    /// Which ranges are searched all at once: those of which that is clearly faster, by the
    /// estimates, or all that can be.
    pub(crate) fn ways(&self, ranges: &[ArgumentRange], uses: InverseUse) -> Result<Ways, DriverError> {
        let mut ways = Ways::default();
        let is_period = |family: &Family| family.repetition() == Repetition::Period;
        let family = self.function.family().filter(is_period).filter(|_| uses != InverseUse::Never);
        let families = family.and_then(|family| Some((family, self.workers.families()?.0)));
        for range in ranges {
            match &families {
                // what is known without a search needs no way: tiny arguments of cos
                Some(_) if is_below_one(range) && self.known_and_rest(&[*range]).1.is_empty() => {
                    ways.rest.push(*range);
                }
                Some((family, families))
                    if uses == InverseUse::WherePossible
                        || range.count() >= FEW && may_repeat(*family, range) =>
                {
                    self.way(range, uses, families, &mut ways)?;
                }
                _ => ways.rest.push(*range),
            }
        }
        Ok(ways)
    }

    fn way(
        &self,
        range: &ArgumentRange,
        uses: InverseUse,
        families: &Families,
        ways: &mut Ways,
    ) -> Result<(), DriverError> {
        let is_forced = uses == InverseUse::WherePossible;
        let direct = self.plan_over(&[*range])?.ranges.pop();
        let whole = match &direct {
            Some(direct) if is_forced || direct.core_seconds > SHORTEST_UNIT => {
                Whole::of(self.function, &self.problem, &[*range], families, &Known::default())?
            }
            _ => None,
        };
        let (Some(mut whole), Some(direct)) = (whole, direct) else {
            ways.rest.push(*range);
            return Ok(());
        };
        // seconds are those of a core, whoever waits for a device beside it
        whole.plan.seconds /= self.workers.threads().max(1) as f64;
        if is_forced || whole.plan.core_seconds * CLEARLY < direct.core_seconds {
            whole.plan = whole.plan.instead_of(&direct);
            ways.rest.extend(whole.left.drain(..).flatten());
            ways.families.push(whole);
        } else {
            if whole.plan.is_near(&direct) {
                ways.rivals.push(direct.instead_of(&whole.plan));
            }
            ways.rest.push(*range);
        }
        Ok(())
    }

    /// Searches a range all at once, and adds what it found to the outcome; nothing of it if there
    /// was no time.
    pub(crate) fn run_family(
        &self,
        whole: &Whole,
        outcome: &mut Outcome,
        observer: &dyn Observer,
        interrupt: &Interrupt,
    ) -> Result<(), DriverError> {
        if interrupt.is_requested() {
            return Ok(());
        }
        let arguments: u64 = whole.via.arguments.iter().map(ArgumentRange::count).sum();
        let (searched, asked, cases) = (outcome.searched, outcome.arguments, outcome.cases.len());
        let shifted = Shifted { observer, searched, arguments: asked, cases };
        let via = Via::Family(whole.via.clone());
        let (function, problem) = (self.function, &self.problem);
        let task = Task { function, problem, range: whole.circle, via: Some(&via) };
        let found = task.run(self.workers.clone(), &shifted, interrupt)?;
        outcome.failure.clone_from(&found.failure);
        if found.is_partial() && found.failure.is_none() {
            return Ok(());
        }
        let arguments = if found.failure.is_some() { 0 } else { arguments };
        let Outcome { cases, exact_cases, undecided, confirm, .. } = found;
        outcome.add(arguments, Findings { cases, exact_cases, undecided, confirm });
        outcome.pieces += found.pieces;
        outcome.phases.add(&found.phases);
        outcome.budget = outcome.budget.max(&found.budget);
        let (least, most) = outcome.domain_sizes;
        outcome.domain_sizes = (least.min(whole.plan.domain_size), most.max(whole.plan.domain_size));
        for share in found.backends {
            let share = BackendShare { arguments: arguments.into(), ..share };
            match outcome.backends.iter_mut().find(|known| known.name == share.name) {
                Some(known) => {
                    known.parts += share.parts;
                    known.arguments += share.arguments;
                    known.time += share.time;
                    known.failures += share.failures;
                    known.is_lost |= share.is_lost;
                    known.reason = known.reason.take().or(share.reason);
                }
                None => outcome.backends.push(share),
            }
        }
        Ok(())
    }
}

/// An observer of one part of a search.
struct Shifted<'a> {
    observer: &'a dyn Observer,
    searched: u128,
    arguments: u128,
    cases: usize,
}

impl Observer for Shifted<'_> {
    fn failed(&self, failure: &CoreError) {
        self.observer.failed(failure);
    }

    fn progress(&self, progress: Progress) {
        self.observer.progress(Progress {
            searched: self.searched + progress.searched,
            arguments: self.arguments,
            cases: self.cases + progress.cases,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// No range of less than a quarter, times the factor, is repetitive, and each is that is as
    /// wide as its period: exp10's is 0.301, that of sin(3·x/8) 8π/3.
    #[test]
    fn ranges_in_which_nothing_repeats() {
        let of = |text: &str| Family::of_expression(&text.parse().unwrap()).unwrap();
        // 2^52·2^-54 = 1/4 and 3/8·2^52·2^-49 = 3, less a step or as it is
        for (family, spacing, count, repeats) in [
            (of("exp10(x)"), -55, (1u64 << 52) - 1, false),
            (of("exp10(x)"), -54, (1 << 52) + (1 << 50), true),
            (of("exp(x)"), -54, (1 << 53) - 1, true),
            (of("exp(x)"), -56, 1 << 52, false),
            (of("sin(3*x/8)"), -54, (1 << 52) - 1, false),
            (of("sin(3*x/8)"), -49, (1 << 52) + (1 << 51), true),
        ] {
            let range = ArgumentRange::new(1 << 52, spacing, count);
            assert_eq!(may_repeat(family, &range), repeats, "{family:?} {spacing} {count}");
        }
    }
}
