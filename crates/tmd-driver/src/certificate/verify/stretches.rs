//! [`Stretch`]: the arguments that samples are drawn from, and who searches them again.

use tmd_core::{ArgumentRange, Backend};

use super::{PlacedUnit, Verification, family::Again as FamilyAgain};
use crate::{family::FamilyVia, via::Via};

/// Neighboring arguments of the function itself, all of them in regions that were searched; or a
/// part of the circle of a family's turns.
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
/// function was searched, whole regions in as many parts as there are units. `alone` says of every
/// unit whether it is known that the engine that searched left nothing of it to its fallback.
pub(super) fn stretches<'a>(
    verification: &Verification<'a>,
    units: &'a [PlacedUnit],
    alone: &[bool],
) -> Vec<Stretch<'a>> {
    let mut stretches = Vec::with_capacity(units.len());
    let other_of = |alone: &[bool]| match verification.faster {
        Some(faster) if alone.iter().all(|&is_alone| is_alone) => faster,
        _ => verification.other,
    };
    for (index, place) in units.iter().enumerate() {
        let other = other_of(&alone[index..=index]);
        let via = match &place.via {
            None => {
                stretches.push(Stretch::of(place.range, Some(index), other));
                continue;
            }
            Some(Via::Congruences(_)) => {
                let stretch = Stretch::of(place.range, Some(index), other);
                stretches.push(Stretch { is_solved_again: true, ..stretch });
                continue;
            }
            Some(kind @ Via::Family(via)) => {
                let (range, arguments) = (FamilyAgain::cells(&place.range), kind.weight(&place.range));
                let stretch = Stretch::of(range, Some(index), other);
                stretches.push(Stretch { arguments, family: Some(via), ..stretch });
                continue;
            }
            Some(Via::Inverse(via)) => via,
        };
        if index > 0 && units[index - 1].region == place.region {
            continue;
        }
        let count = units[index..].iter().take_while(|other| other.region == place.region).count();
        let other = other_of(&alone[index..index + count]);
        let size = via.arguments.count().div_ceil(count as u64).max(1);
        for part in 0..via.arguments.count().div_ceil(size) {
            stretches.push(Stretch::of(via.arguments.part(part * size, size), None, other));
        }
    }
    stretches
}
