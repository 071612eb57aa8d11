//! [`Stretch`]: the arguments that samples are drawn from, and who searches them again.

use tmd_core::{ArgumentRange, Backend, Problem};

use super::{PlacedUnit, Verification, family::Again as FamilyAgain, search};
use crate::{DriverError, family::FamilyVia, via::Via};

/// Neighboring arguments of the function itself, all of them in regions that were searched; or a
/// part of the circle of a family's turns, where a walk of these takes less time.
pub(super) struct Stretch<'a> {
    /// arguments, or cells
    pub(super) range: ArgumentRange,
    /// Arguments in it: of a family's cells their share.
    pub(super) arguments: u128,
    /// The unit that is of these arguments, if there is one.
    pub(super) unit: Option<usize>,
    pub(super) family: Option<&'a FamilyVia>,
    /// who searches it again, unless it is a family's
    pub(super) other: &'a dyn Backend,
    /// Whether all cases follow from congruences, which are always solved again.
    pub(super) is_solved_again: bool,
}

impl<'a> Stretch<'a> {
    pub(super) const fn of(range: ArgumentRange, unit: Option<usize>, other: &'a dyn Backend) -> Self {
        Self { range, arguments: range.count() as u128, unit, family: None, other, is_solved_again: false }
    }

    /// About how many arguments there are in so much of the range; all of them in all of it.
    pub(super) fn arguments_in(&self, count: u64) -> u128 {
        self.arguments * u128::from(count) / u128::from(self.range.count().max(1))
    }
}

/// The function's own arguments that were searched: as its units have them, or, where the inverse
/// function was searched or all arguments at once, whole regions in as many parts as there are
/// units. `alone` says of every unit whether it is known that the engine that searched left nothing
/// of it to its fallback.
pub(super) fn stretches<'a>(
    verification: &Verification<'a>,
    problem: &Problem,
    units: &'a [PlacedUnit],
    alone: &[bool],
) -> Result<Vec<Stretch<'a>>, DriverError> {
    let mut stretches = Vec::with_capacity(units.len());
    let other_of = |alone: &[bool]| match verification.faster {
        Some(faster) if alone.iter().all(|&is_alone| is_alone) => faster,
        _ => verification.other,
    };
    let mut index = 0;
    while let Some(place) = units.get(index) {
        let other = other_of(&alone[index..=index]);
        // of the same region, and found in the same way
        let count = match &place.via {
            Some(Via::Inverse(_) | Via::Family(_)) => {
                let is_alike = |unit: &&PlacedUnit| {
                    let kinds = [&unit.via, &place.via].map(|via| via.as_ref().map(std::mem::discriminant));
                    unit.region == place.region && kinds[0] == kinds[1]
                };
                units[index..].iter().take_while(is_alike).count()
            }
            _ => 1,
        };
        let alike = &units[index..index + count];
        let whole = |range: &ArgumentRange, other| {
            parts(*range, count).map(move |part| Stretch::of(part, None, other))
        };
        match &place.via {
            None => stretches.push(Stretch::of(place.range, Some(index), other)),
            Some(Via::Congruences(_)) => {
                let stretch = Stretch::of(place.range, Some(index), other);
                stretches.push(Stretch { is_solved_again: true, ..stretch });
            }
            Some(Via::Inverse(via)) => {
                stretches.extend(whole(&via.arguments, other_of(&alone[index..index + count])));
            }
            Some(Via::Family(via)) if is_one_by_one(verification, problem, via, alike)? => {
                stretches.extend(via.arguments.iter().flat_map(|range| whole(range, verification.other)));
            }
            Some(kind @ Via::Family(via)) => {
                stretches.extend(alike.iter().enumerate().map(|(at, unit)| Stretch {
                    arguments: kind.weight(&unit.range),
                    family: Some(via),
                    ..Stretch::of(FamilyAgain::cells(&unit.range), Some(index + at), other)
                }));
            }
        }
        index += count;
    }
    Ok(stretches)
}

/// A range in at most so many parts.
fn parts(range: ArgumentRange, count: usize) -> impl Iterator<Item = ArgumentRange> {
    let size = range.count().div_ceil(count as u64).max(1);
    (0..range.count().div_ceil(size)).map(move |part| {
        let start = part * size;
        range.part(start, size.min(range.count() - start))
    })
}

/// Whether the arguments of a family's units are searched again by themselves: where there is a
/// faster engine, and the other one, by its plan, takes less time than another walk of their turns.
/// What can be planned by the walk alone is left to it.
fn is_one_by_one(
    verification: &Verification<'_>,
    problem: &Problem,
    via: &FamilyVia,
    units: &[PlacedUnit],
) -> Result<bool, DriverError> {
    let (Some(_), [first, ..]) = (verification.faster, units) else { return Ok(false) };
    // they tile the circle
    let count = units.iter().map(|unit| unit.range.count()).sum();
    let circle = ArgumentRange::new(first.range.first(), first.range.exponent(), count);
    let walk = FamilyAgain::new(verification, problem, via)?.seconds(&FamilyAgain::cells(&circle))?;
    let search = search(verification.function, problem, verification.other);
    let mut seconds = 0.0;
    for range in via.arguments.iter() {
        let Ok(plan) = search.plan_over(std::slice::from_ref(range)) else { return Ok(false) };
        seconds += plan.core_seconds;
        if seconds >= walk {
            return Ok(false);
        }
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every argument is in one part.
    #[test]
    fn parts_are_the_range() {
        for arguments in 1..=12_u64 {
            let range = ArgumentRange::new(100, -3, arguments);
            for count in 1..=14 {
                let parts: Vec<_> = parts(range, count).collect();
                assert!((1..=count).contains(&parts.len()));
                let held = parts.iter().flat_map(|part| (0..part.count()).map(|k| part.argument(k)));
                assert!(held.eq((0..arguments).map(|k| range.argument(k))), "{arguments} in {count}");
            }
        }
    }
}
