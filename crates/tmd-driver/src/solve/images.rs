//! [`images`]: the arguments at which cases follow from others, by symmetry.

use std::collections::BTreeSet;

use tmd_core::{ArgumentRange, Format, Number};
use tmd_functions::symmetry::{Parity, Translation};

use crate::regions::{
    Class, Region, mirrored, negated,
    translate::{self, Row, is_by_binades},
};

/// Cases of one argument in a row of integers that are listed; more are described.
const MOST_SUMS: u64 = 1 << 12;

/// Cases of one argument in a row of binades that are listed; more are described. All of them in
/// binary32, where there are 300.
const MOST_BINADES: u64 = 1 << 6;

/// Cases that follow from those that were searched.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Images {
    /// The −x of those that are not translated from anywhere.
    pub(crate) mirrors: Vec<Number>,
    /// Rows that are listed one by one.
    pub(crate) short: Vec<Repeat>,
    /// Rows that are too long to list; the anchors are in the list.
    pub(crate) long: Vec<Repeat>,
}

impl Images {
    /// The arguments that are listed, in increasing order.
    pub(crate) fn arguments(&self) -> Vec<Number> {
        let mirrors = self.mirrors.iter().copied();
        let arguments: BTreeSet<Number> =
            mirrors.chain(self.short.iter().flat_map(Repeat::arguments)).collect();
        arguments.into_iter().collect()
    }
}

/// A row of cases that follow from the one at `anchor`, which is in the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Repeat {
    pub(crate) anchor: Number,
    pub(crate) translation: Translation,
    pub(crate) row: Row,
    /// Where the cases are at −x.
    pub(crate) mirrored: Option<Parity>,
}

impl Repeat {
    fn arguments(&self) -> impl Iterator<Item = Number> {
        let Self { anchor, translation, row, mirrored } = *self;
        let arguments = (row.first..=row.last).filter_map(move |n| translate::image(translation, anchor, n));
        arguments.map(move |x| if mirrored.is_some() { negated(x) } else { x })
    }
}

/// The images in `regions`, all those with images that are not out of reach, of cases at `searched`
/// arguments, which are in increasing order.
pub(crate) fn images<'a>(
    parity: Option<Parity>,
    format: Format,
    regions: &(impl Iterator<Item = &'a Region> + Clone),
    searched: &[Number],
) -> Images {
    let mut images = Images::default();
    let mut bases: BTreeSet<Number> = searched.iter().copied().collect();
    for region in regions.clone() {
        let Class::Mirrored(_) = region.class else { continue };
        let (first, last) = (region.first(), region.last());
        let from = searched.partition_point(|x| *x < negated(last));
        let mirrored = searched[from..].iter().take_while(|x| **x <= negated(first));
        images.mirrors.extend(mirrored.map(|x| negated(*x)));
    }
    // what is translated may be translated from the other side
    bases.extend(&images.mirrors);

    let mut translations: Vec<Translation> = Vec::new();
    for region in regions.clone() {
        if let Class::Translated(translation) = region.class
            && !translations.contains(&translation)
        {
            translations.push(translation);
        }
    }
    for translation in translations {
        let ranges = |is_wanted: &dyn Fn(&Class) -> bool| -> Vec<ArgumentRange> {
            let regions = regions.clone().filter(|region| is_wanted(&region.class));
            regions.flat_map(|region| region.ranges.iter().copied()).collect()
        };
        let is_translated =
            |range: &ArgumentRange| translate::source(translation, format, range.argument(0)).is_some();
        let translated = ranges(&|class| *class == Class::Translated(translation));
        // in increasing order again
        let mut mirrors: Vec<ArgumentRange> = ranges(&|class| matches!(class, Class::Mirrored(_)))
            .iter()
            .map(mirrored)
            .filter(is_translated)
            .collect();
        mirrors.reverse();
        let most = if is_by_binades(translation) { MOST_BINADES } else { MOST_SUMS };
        let sides = [
            (None, translate::Images::new(translation, format, translated.into_iter())),
            (parity, translate::Images::new(translation, format, mirrors.into_iter())),
        ];
        for &anchor in &bases {
            for (mirrored, side) in &sides {
                for row in side.rows(anchor) {
                    let repeat = Repeat { anchor, translation, row, mirrored: *mirrored };
                    if row.count() > most { images.long.push(repeat) } else { images.short.push(repeat) }
                }
            }
        }
    }
    images
}
