//! [`settle`]: the parts of mirrored and translated regions whose source is not known either.

use tmd_core::{ArgumentRange, Format};

use super::{
    Left,
    resolve::{Entry, Map, Own},
};
use crate::regions::{Class, Region};

/// What becomes of a region.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Fate {
    /// What its class says by itself; it is searched, if that is to be.
    Own,
    /// Everything follows from regions that are searched, or of which all is known.
    Followed,
    /// A search of it would take too long.
    OutOfReach,
    /// It would follow from regions that are out of reach.
    Stranded,
}

/// The fates of regions, where `is_reached` says of each that is to be searched whether it is.
/// Regions whose cases follow from others are split where these have different fates; with each
/// comes the number of the region that it was. What follows from a region that is refused is
/// refused.
pub(crate) fn settle(
    format: Format,
    regions: Vec<Region>,
    is_reached: impl Fn(usize) -> bool,
) -> Vec<(Region, Fate, usize)> {
    let own = |index: usize, class: &Class| match class {
        Class::Search if !is_reached(index) => Own::Left(Left::OutOfReach),
        Class::Refused(reason) => Own::Left(Left::Refused(reason.clone())),
        Class::Mirrored(parity) => Own::Mirrored(*parity),
        Class::Translated(translation) => Own::Translated(*translation),
        _ => Own::Known,
    };
    let entry = |(index, region): (usize, &Region)| Entry {
        first: region.first(),
        last: region.last(),
        own: own(index, &region.class),
        holes: Vec::new(),
    };
    let map = Map { format, entries: regions.iter().enumerate().map(entry).collect() };
    let mut settled = Vec::with_capacity(regions.len());
    for (index, region) in regions.into_iter().enumerate() {
        if !map.entries[index].own.is_followed() {
            let is_left = map.entries[index].own == Own::Left(Left::OutOfReach);
            settled.push((region, if is_left { Fate::OutOfReach } else { Fate::Own }, index));
            continue;
        }
        let mut pieces: Vec<(Vec<ArgumentRange>, Option<Left>)> = Vec::new();
        for (part, left) in region.ranges.iter().flat_map(|range| map.parts(*range)) {
            match pieces.last_mut() {
                Some((ranges, known)) if *known == left => ranges.push(part),
                _ => pieces.push((vec![part], left)),
            }
        }
        for (ranges, left) in pieces {
            let (class, fate) = match left {
                None => (region.class.clone(), Fate::Followed),
                Some(Left::OutOfReach) => (region.class.clone(), Fate::Stranded),
                Some(left) => (Class::Refused(left.to_string()), Fate::Own),
            };
            settled.push((Region { ranges, class }, fate, index));
        }
    }
    settled
}
