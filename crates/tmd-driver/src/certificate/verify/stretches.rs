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
        let mut whole = |range: &ArgumentRange, other| {
            let size = range.count().div_ceil(count as u64).max(1);
            let parts = (0..range.count().div_ceil(size)).map(|part| range.part(part * size, size));
            stretches.extend(parts.map(|part| Stretch::of(part, None, other)));
        };
        match &place.via {
            None => stretches.push(Stretch::of(place.range, Some(index), other)),
            Some(Via::Congruences(_)) => {
                let stretch = Stretch::of(place.range, Some(index), other);
                stretches.push(Stretch { is_solved_again: true, ..stretch });
            }
            Some(Via::Inverse(via)) => whole(&via.arguments, other_of(&alone[index..index + count])),
            Some(Via::Family(via)) if is_one_by_one(verification, problem, via, alike)? => {
                // whatever the walk left to the engine's fallback
                via.arguments.iter().for_each(|range| whole(range, verification.other));
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

/// Whether the arguments of a family's units are searched again by themselves, which may take less
/// time than another walk of their turns: by the other engine, as the walk left segments to the
/// certificate's own one and that to its fallback.
fn is_one_by_one(
    verification: &Verification<'_>,
    problem: &Problem,
    via: &FamilyVia,
    units: &[PlacedUnit],
) -> Result<bool, DriverError> {
    if verification.faster.is_none() {
        return Ok(false);
    }
    let again = FamilyAgain::new(verification, problem, via)?;
    let mut walk = 0.0;
    for unit in units {
        walk += again.seconds(&FamilyAgain::cells(&unit.range))?;
    }
    let search = search(verification.function, problem, verification.other);
    Ok(search.plan_over(&via.arguments)?.core_seconds < walk)
}
