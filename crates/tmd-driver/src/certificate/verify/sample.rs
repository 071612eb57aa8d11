//! Samples of a certificate's units, searched again: by another engine, and argument by argument with MPFR.

use rand::{Rng, SeedableRng, rngs::StdRng, seq::index};
use tmd_core::{ArgumentRange, Interrupt, Number, Problem};

use super::{Findings, Place, Refusal, Verification, family, number, search};
use crate::{
    DriverError,
    confirm::{Verdict, confirm_or_beyond},
    parallel,
    report::Case,
    via::Via,
};

/// Arguments of each sample that are looked at one by one.
const ONE_BY_ONE: u64 = 1 << 12;

/// Searches samples again and compares.
pub(super) fn check(
    verification: &Verification,
    problem: &Problem,
    units: &[Place],
    findings: &mut Findings,
    interrupt: &Interrupt,
) -> Result<(), DriverError> {
    let chosen = choose(verification, units);
    let listed: Vec<(Number, &Case)> = verification
        .certificate
        .cases
        .iter()
        .filter_map(|case| Some((number(&case.x, problem.arguments()).ok()?, case)))
        .collect();
    let in_range = |range: &ArgumentRange| -> Vec<&Case> {
        let (first, last) = (range.argument(0), range.argument(range.count() - 1));
        let from = listed.partition_point(|(x, _)| *x < first);
        listed[from..].iter().take_while(|(x, _)| *x <= last).map(|(_, case)| *case).collect()
    };
    let compare = |engine: String, range: &ArgumentRange, found: Vec<Case>| {
        let expected = in_range(range);
        let missing = found.iter().find(|case| !expected.contains(case));
        let extra = expected.iter().find(|case| !found.contains(case));
        let reason = match (missing, extra) {
            (None, None) => return None,
            (Some(case), _) => format!("{} is a case, and is not in the list", case.x),
            (None, Some(case)) => format!("{} is in the list, and was not found", case.x),
        };
        let first = range.argument(0).to_string();
        Some(Refusal::Sample { engine, first, count: range.count(), reason })
    };
    let again = |&(unit, at): &(usize, u64)| {
        if let Some(Via::Family(via)) = &units[unit].via {
            return family::again(verification, problem, (&units[unit].range, via), at, &listed, interrupt);
        }
        let arguments = units[unit].arguments()?;
        let sample = long_sample(verification, problem, &arguments, at)?;
        let search = search(verification.function, problem, verification.other);
        let outcome = search.run_over(&[sample], &(), interrupt)?;
        interrupt.check()?;
        let found = outcome.cases.iter().map(Case::from).collect();
        let by_engine = compare(verification.other.name(), &sample, found);

        let short = part(&arguments, at, ONE_BY_ONE);
        let mut found = Vec::new();
        for k in 0..short.count() {
            if let Verdict::Case(case) = confirm_or_beyond(verification.function, problem, short.argument(k))?
            {
                found.push(Case::from(&case));
            }
        }
        interrupt.check()?;
        let one_by_one = compare("MPFR, one by one".into(), &short, found);
        Ok((sample.count(), short.count(), [by_engine, one_by_one]))
    };
    let searched = parallel::map(parallel::cores(), &chosen, again)?
        .into_iter()
        .collect::<Result<Vec<_>, DriverError>>()?;
    let arguments: u128 = searched.iter().map(|(count, ..)| u128::from(*count)).sum();
    let singles: u64 = searched.iter().map(|(_, count, _)| count).sum();
    findings.refusals.extend(searched.into_iter().flat_map(|(.., refusals)| refusals).flatten());
    findings.checked.push(format!(
        "2^{:.1} arguments in {} samples searched again by {}, and {singles} one by one with MPFR",
        (arguments.max(1) as f64).log2(),
        chosen.len(),
        verification.other.name(),
    ));
    Ok(())
}

impl Place {
    /// The function's own arguments that the unit speaks of, whichever function it searched.
    fn arguments(&self) -> Result<ArgumentRange, DriverError> {
        self.via.as_ref().and_then(Via::inverse).map_or(Ok(self.range), |via| via.images(&self.range))
    }
}

/// Units and places in them; units all different.
fn choose(verification: &Verification, units: &[Place]) -> Vec<(usize, u64)> {
    let mut random = StdRng::seed_from_u64(verification.seed);
    let chosen = index::sample(&mut random, units.len(), verification.samples.min(units.len()));
    chosen.into_iter().map(|unit| (unit, random.random())).collect()
}

/// At most `count` arguments of a unit, around a place in it.
fn part(unit: &ArgumentRange, at: u64, count: u64) -> ArgumentRange {
    let count = count.min(unit.count());
    let start = at % (unit.count() - count + 1);
    unit.part(start, count)
}

/// As many arguments as the other engine can search in the time for a sample.
fn long_sample(
    verification: &Verification,
    problem: &Problem,
    unit: &ArgumentRange,
    at: u64,
) -> Result<ArgumentRange, DriverError> {
    let seconds =
        search(verification.function, problem, verification.other).plan_over(&[*unit])?.core_seconds;
    let share = (verification.sample_seconds / seconds).min(1.0);
    let count = (unit.count() as f64 * share) as u64;
    Ok(part(unit, at, count.max(ONE_BY_ONE)))
}
