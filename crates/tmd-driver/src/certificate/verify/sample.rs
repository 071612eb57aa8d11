//! Samples, searched again: by another engine, argument by argument with MPFR, and whole units by
//! the engine that searched them.

use rand::{Rng, SeedableRng, rngs::StdRng};
use tmd_core::{ArgumentRange, CoreError, Interrupt, Phases, Problem};

use super::{
    Extent, Findings, PlacedUnit, Refusal, Verification,
    family::{Again as FamilyAgain, is_recut},
    found::{Found, Lists},
    search,
    stretches::{Stretch, stretches},
};
use crate::{
    DriverError, Workers,
    certificate::UnitRecord,
    confirm::confirm_or_beyond,
    family::FamilyVia,
    parallel,
    solve::Unit,
    via::{Task, Via},
};

/// Arguments of each sample that are looked at one by one.
pub(super) const ONE_BY_ONE: u64 = 1 << 12;

/// A part of a stretch, which may begin near its end and go on at its beginning: every argument is
/// in it with the same probability.
struct Part {
    stretch: usize,
    start: u64,
    count: u64,
    /// where arguments are looked at one by one, if any are
    one_by_one: Option<u64>,
}

/// A sample is begun with this share of it, which says what the rest takes …
const PILOT: u64 = 256;

/// … if it has so many arguments.
const LONG: u64 = 1 << 30;

/// What an engine counts takes about so many nanoseconds, in eight lanes: a domain or sub-domain
/// that is tested, one that is unpacked, an argument that is tabulated.
const TESTED: f64 = 8.0;
const UNPACKED: f64 = 90.0;
const TABULATED: f64 = 0.05;

/// About how many seconds a search took, by what it counted: unlike a clock's, the answer is the
/// same each time.
fn seconds(phases: &Phases) -> f64 {
    let Phases { test, refine, exhaust, .. } = phases;
    let tested = (test.domains_in + refine.domains_in) as f64 * TESTED;
    let unpacked = (test.domains_out + exhaust.domains_in) as f64 * UNPACKED;
    1e-9 * (tested + unpacked + exhaust.arguments_in as f64 * TABULATED)
}

/// What was searched again.
#[derive(Default)]
struct Again {
    arguments: u128,
    singles: u64,
    /// units whose records were made again by a search …
    units: usize,
    /// … and by congruences
    solved: usize,
    /// of these, units where the walk refused other segments than before
    recut: usize,
    /// of the others, units of which lanes leave more or fewer windows to the exact walk
    left_others: usize,
    refusals: Vec<Refusal>,
}

/// Searches samples again and compares; `alone` says of every unit whether the engine that searched
/// left nothing of it to its fallback.
pub(super) fn check(
    verification: &Verification,
    problem: &Problem,
    units: &[PlacedUnit],
    alone: &[bool],
    extent: Extent,
    findings: &mut Findings,
    interrupt: &Interrupt,
) -> Result<(), DriverError> {
    let stretches = stretches(verification, problem, units, alone)?;
    let parts = choose(verification, problem, &stretches, extent)?;
    let lists = Lists::new(verification, problem);
    let again = |part: &Part| -> Result<Again, DriverError> {
        if let Some(via) = stretches[part.stretch].family {
            return again_of_family(
                (verification, problem),
                units,
                (&stretches[part.stretch], via),
                part,
                &lists,
                extent,
                interrupt,
            );
        }
        let Stretch { range, unit, other, is_solved_again, .. } = &stretches[part.stretch];
        let mut again = Again::default();
        let search = search(verification.function, problem, *other);
        let (mut start, mut count) = (part.start, part.count);
        if extent == Extent::Samples && count >= LONG {
            let pilot = around(range, start, count / PILOT);
            let outcome = search.run_over(&pilot, &(), interrupt)?;
            interrupt.check()?;
            again.arguments += u128::from(count / PILOT);
            let found = Found::from(&outcome);
            again.refusals.extend(lists.compare(other.name(), &pilot, None, &found, None)?);
            let slower = seconds(&outcome.phases) * PILOT as f64 / verification.sample_seconds;
            start = (start + count / PILOT) % range.count();
            count = ((count - count / PILOT) as f64 / slower.max(1.0)) as u64;
        }
        let ranges = around(range, start, count.max(1));
        let outcome = search.run_over(&ranges, &(), interrupt)?;
        interrupt.check()?;
        let is_whole = ranges[..] == [*range];
        let exact = unit.filter(|_| is_whole).map(|unit| verification.certificate.units[unit].exact);
        again.arguments += ranges.iter().map(|range| u128::from(range.count())).sum::<u128>();
        let found = Found::from(&outcome);
        again.refusals.extend(lists.compare(other.name(), &ranges, None, &found, exact)?);
        if let (Some(unit), true) = (*unit, is_whole && !is_solved_again && extent != Extent::All) {
            again.add_record(verification, problem, units, unit, interrupt)?;
        }
        let mut found = Found::default();
        let one_by_one = part.one_by_one.map(|start| around(range, start, ONE_BY_ONE)).unwrap_or_default();
        for range in &one_by_one {
            for k in 0..range.count() {
                found.add(&confirm_or_beyond(verification.function, problem, range.argument(k))?);
            }
            again.singles += range.count();
        }
        interrupt.check()?;
        again.refusals.extend(lists.compare("MPFR, one by one".into(), &one_by_one, None, &found, None)?);
        Ok(again)
    };
    let mut done = parallel::map(parallel::cores(), &parts, again)?
        .into_iter()
        .collect::<Result<Vec<_>, DriverError>>()?;
    let is_whole_again = |stretch: &&Stretch<'_>| stretch.is_solved_again;
    let whole: Vec<usize> = match extent {
        Extent::All => (0..units.len()).collect(),
        _ => stretches.iter().filter(is_whole_again).filter_map(|stretch| stretch.unit).collect(),
    };
    if !whole.is_empty() {
        let record = |unit: &usize| -> Result<Again, DriverError> {
            let mut again = Again::default();
            again.add_record(verification, problem, units, *unit, interrupt)?;
            Ok(again)
        };
        let records = parallel::map(parallel::cores(), &whole, record)?;
        done.extend(records.into_iter().collect::<Result<Vec<_>, DriverError>>()?);
    }

    say(verification, &stretches, &parts, (units.len(), extent), done, findings);
    Ok(())
}

/// Adds what was searched again, what was left, and what is wrong.
fn say(
    verification: &Verification,
    stretches: &[Stretch<'_>],
    parts: &[Part],
    (units, extent): (usize, Extent),
    done: Vec<Again>,
    findings: &mut Findings,
) {
    let arguments: u128 = done.iter().map(|again| again.arguments).sum();
    let singles: u64 = done.iter().map(|again| again.singles).sum();
    let records: usize = done.iter().map(|again| again.units).sum();
    let solved: usize = done.iter().map(|again| again.solved).sum();
    let recut: usize = done.iter().map(|again| again.recut).sum();
    let left_others: usize = done.iter().map(|again| again.left_others).sum();
    // of what is solved again no case can be missing
    let is_sampled = |stretch: &&Stretch<'_>| !stretch.is_solved_again;
    let all: u128 = stretches.iter().filter(is_sampled).map(|stretch| stretch.arguments).sum();
    let parts_again = done.iter().zip(parts);
    let sampled = parts_again.filter(|(_, part)| !stretches[part.stretch].is_solved_again);
    let sampled: u128 = sampled.map(|(again, _)| again.arguments).sum();
    let mut names: Vec<String> = parts
        .iter()
        .map(|part| match &stretches[part.stretch] {
            Stretch { family: Some(via), .. } => FamilyAgain::name(verification, via),
            Stretch { other, .. } => other.name(),
        })
        .collect();
    names.sort();
    names.dedup();
    findings.refusals.extend(done.into_iter().flat_map(|again| again.refusals));
    let one_by_one =
        if singles > 0 { format!(", and {singles} one by one with MPFR") } else { String::new() };
    if !parts.is_empty() {
        findings.checked.push(format!(
            "2^{:.1} arguments in {} {} searched again by {}{one_by_one}",
            (arguments.max(1) as f64).log2(),
            parts.len(),
            if extent == Extent::Samples { "samples" } else { "parts" },
            names.join(" and "),
        ));
    }
    if records > recut {
        let but = if left_others > 0 {
            format!(
                ", but in {left_others} for how many windows are left to the exact walk, on which no list depends"
            )
        } else {
            String::new()
        };
        findings.checked.push(format!(
            "{} units searched again by {}: all that they say is the same, counts of phases included{but}",
            records - recut,
            verification.certificate.engine
        ));
    }
    if solved > 0 {
        findings.checked.push(format!(
            "the congruences of {solved} units solved again: their cases and exact cases are all that there are"
        ));
    }
    if recut > 0 {
        findings.left.push(format!(
            "the segments, error budgets and counts of phases of {recut} units, where the walk refuses other segments than the program's that searched them: all else that they say is the same"
        ));
    }
    if sampled < all {
        let share = sampled as f64 / all as f64;
        findings.left.push(format!(
            "of the 2^{:.1} arguments that were searched, {} were searched again: a case that is missing elsewhere is not noticed (--share 0.1 searches a tenth again, --all everything)",
            (all as f64).log2(),
            percent(share),
        ));
    }
    let units_again = records + solved;
    if units_again < units {
        findings.left.push(format!(
            "the counts of phases of {} of {} units, beyond what must agree whatever was found (--all makes them again)",
            units - units_again,
            units
        ));
        // asked for, and not done
        if extent == Extent::All {
            findings.unchecked.push(format!(
                "the counts of phases of {} units: {} does not search here",
                units - units_again,
                verification.certificate.engine
            ));
        }
    }
}

/// A part of a family's unit, searched again by another walk, and a smaller part argument by
/// argument.
fn again_of_family(
    (verification, problem): (&Verification, &Problem),
    units: &[PlacedUnit],
    (stretch, via): (&Stretch<'_>, &FamilyVia),
    part: &Part,
    lists: &Lists,
    extent: Extent,
    interrupt: &Interrupt,
) -> Result<Again, DriverError> {
    let walk = FamilyAgain::new(verification, problem, via)?;
    let Stretch { range, unit, .. } = stretch;
    let mut again = Again::default();
    let cells = around(range, part.start, part.count);
    let found = walk.search(&cells, interrupt)?;
    let is_whole = cells[..] == [*range];
    let exact = unit.filter(|_| is_whole).map(|unit| verification.certificate.units[unit].exact);
    again.arguments += stretch.arguments_in(cells.iter().map(ArgumentRange::count).sum());
    again.refusals.extend(lists.compare(
        FamilyAgain::name(verification, via),
        &cells,
        Some(via),
        &found,
        exact,
    )?);
    if let (Some(unit), true) = (*unit, is_whole && extent != Extent::All) {
        again.add_record(verification, problem, units, unit, interrupt)?;
    }
    if let Some(start) = part.one_by_one {
        let share = ONE_BY_ONE as f64 / stretch.arguments as f64;
        let cells = around(range, start, ((range.count() as f64 * share) as u64).max(1));
        let (found, singles) = walk.one_by_one(&cells, interrupt)?;
        again.singles += singles;
        again.refusals.extend(lists.compare("MPFR, one by one".into(), &cells, Some(via), &found, None)?);
    }
    Ok(again)
}

/// A share in percent, in two digits.
fn percent(share: f64) -> String {
    let percent = 100.0 * share;
    if percent == 0.0 || percent >= 0.01 { format!("{percent:.2} %") } else { format!("{percent:.1e} %") }
}

impl Again {
    /// Searches a unit by the engine that searched it, if it is here, and compares all that the
    /// unit says.
    fn add_record(
        &mut self,
        verification: &Verification,
        problem: &Problem,
        units: &[PlacedUnit],
        index: usize,
        interrupt: &Interrupt,
    ) -> Result<(), DriverError> {
        let certificate = verification.certificate;
        let PlacedUnit { region, range, via } = &units[index];
        let is_solved = matches!(via, Some(Via::Congruences(_)));
        let is_of_this_version = verification.is_of_this_version();
        let engine = if is_solved {
            // no engine has a part in it, and all versions find the same
            Some(verification.other)
        } else {
            verification.engine.filter(|engine| is_of_this_version && engine.name() == certificate.engine)
        };
        let Some(engine) = engine else { return Ok(()) };
        if let Some(Via::Family(FamilyVia { shape, .. })) = via
            && engine.families().is_none_or(|families| families.engine.name() != shape.engine)
        {
            return Ok(());
        }
        let task = Task { function: verification.function, problem, range: *range, via: via.as_ref() };
        let outcome = match task.run(Workers::cpu(engine, 1), &(), interrupt) {
            Ok(outcome) => outcome,
            Err(DriverError::Core(error)) if error.is_of_the_machine() => return Ok(()),
            Err(error) => return Err(error),
        };
        if outcome.failure.as_ref().is_some_and(CoreError::is_of_the_machine) {
            return Ok(());
        }
        interrupt.check()?;
        let unit = Unit { region: *region, range: *range, via: via.clone(), core_seconds: 0.0 };
        let mut derived = UnitRecord::new(&unit, &outcome, problem);
        let written = &certificate.units[index];
        // as programs wrote it that did not say which
        let are_unnamed = is_recut(written);
        if are_unnamed {
            derived.refused.clear();
        }
        // which segments are refused is the program's, and no list depends on it
        let are_others =
            are_unnamed || (&derived.refused, derived.refusals()) != (&written.refused, written.refusals());
        let is_recut =
            are_others && derived != *written && derived.without_segments() == written.without_segments();
        if is_recut {
            self.recut += 1;
        } else if is_solved && !is_of_this_version && derived.finds_as_many_as(written) {
            // how many pairs a version looks at is its own
        } else if derived.says_the_same_as(written) {
            self.left_others += usize::from(derived != *written);
        } else {
            let text = |record: &UnitRecord| serde_json::to_string(record).unwrap_or_default();
            let (written, derived) = (text(written), text(&derived));
            self.refusals.push(Refusal::Unit {
                index,
                first: certificate.units[index].first.clone(),
                written,
                derived,
            });
        }
        *(if is_solved { &mut self.solved } else { &mut self.units }) += 1;
        Ok(())
    }
}

/// What to search again.
fn choose(
    verification: &Verification,
    problem: &Problem,
    stretches: &[Stretch<'_>],
    extent: Extent,
) -> Result<Vec<Part>, DriverError> {
    let mut random = StdRng::seed_from_u64(verification.seed);
    let share = match extent {
        Extent::Samples => {
            let mut parts = Vec::new();
            for stretch in weighted(&mut random, stretches, verification.samples) {
                let Stretch { range, family, other, .. } = &stretches[stretch];
                let seconds = if let Some(via) = family {
                    FamilyAgain::new(verification, problem, via)?.seconds(range)?
                } else {
                    let search = search(verification.function, problem, *other);
                    search.plan_over(&[*range])?.core_seconds
                };
                let share = (verification.sample_seconds / seconds).min(1.0);
                let count = ((range.count() as f64 * share) as u64).max(ONE_BY_ONE).min(range.count());
                let mut place = || random.random_range(0..range.count());
                parts.push(Part { stretch, start: place(), count, one_by_one: Some(place()) });
            }
            return Ok(parts);
        }
        Extent::Share(share) => share.clamp(0.0, 1.0),
        Extent::All => 1.0,
    };
    let part = |(stretch, Stretch { range, .. }): (usize, &Stretch<'_>)| {
        let count = ((range.count() as f64 * share).ceil() as u64).clamp(1, range.count());
        Part { stretch, start: random.random_range(0..range.count()), count, one_by_one: None }
    };
    // congruences that are solved again leave nothing for a search to find
    let searched = stretches.iter().enumerate().filter(|(_, stretch)| !stretch.is_solved_again);
    Ok(searched.map(part).collect())
}

/// At most so many of the stretches, all different, each chosen as is likely by its number of
/// arguments: a forger who cuts what he need not hide into many small units gains nothing.
fn weighted(random: &mut StdRng, stretches: &[Stretch<'_>], count: usize) -> Vec<usize> {
    // the smallest of exponential variables with rates as the weights (Efraimidis and Spirakis)
    let mut keys: Vec<(f64, usize)> = stretches
        .iter()
        .enumerate()
        .map(|(index, stretch)| {
            let uniform: f64 = 1.0 - random.random::<f64>();
            (-uniform.ln() / stretch.arguments as f64, index)
        })
        .collect();
    keys.sort_by(|a, b| a.0.total_cmp(&b.0));
    keys.into_iter().take(count).map(|(_, index)| index).collect()
}

/// So many arguments from the one with this number on, and after the last one from the first on:
/// each argument is as likely as any other, those at the ends too.
fn around(range: &ArgumentRange, start: u64, count: u64) -> Vec<ArgumentRange> {
    let all = range.count();
    if count >= all {
        return vec![*range];
    }
    let before_end = count.min(all - start);
    let mut parts = vec![range.part(start, before_end)];
    if count > before_end {
        parts.insert(0, range.part(0, count - before_end));
    }
    parts
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use tmd_simd::{Level, Simd};

    use super::*;

    /// Every argument of a stretch is in as many of its parts as every other, whatever the length.
    #[test]
    fn no_argument_is_likelier_than_another() {
        let range = ArgumentRange::new(100, -3, 11);
        for count in 1..=12 {
            let mut seen = [0; 11];
            for start in 0..range.count() {
                let parts = around(&range, start, count);
                assert!(parts.is_sorted_by_key(ArgumentRange::first));
                for part in &parts {
                    assert!(part.exponent() == -3 && part.count() > 0);
                    for k in 0..part.count() {
                        seen[(part.first() - 100) as usize + k as usize] += 1;
                    }
                }
            }
            assert_eq!(seen, [count.min(11); 11], "{count}");
        }
    }

    /// A thousand small units beside a large one: the large one is chosen as often as its arguments
    /// are many.
    #[test]
    fn small_units_hide_nothing() {
        let walk = Simd::farey(Level::best());
        let stretch = |count| Stretch::of(ArgumentRange::new(0, 0, count), None, &walk);
        let mut stretches: Vec<Stretch<'_>> = (0..1000).map(|_| stretch(10)).collect();
        stretches.push(stretch(90_000));
        let mut random = StdRng::seed_from_u64(7);
        let chosen = (0..400).filter(|_| weighted(&mut random, &stretches, 1) == [1000]).count();
        // 0.9 of 400, and six standard deviations of 6
        assert!((324..=396).contains(&chosen), "{chosen}");
        let many = weighted(&mut random, &stretches, 500);
        assert_eq!(many.iter().collect::<HashSet<_>>().len(), 500, "all different");
        assert_eq!(weighted(&mut random, &stretches, 2000).len(), 1001);
    }
}
