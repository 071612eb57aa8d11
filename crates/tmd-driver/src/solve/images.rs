//! [`images`]: the arguments at which cases follow from others, by symmetry.

use std::collections::BTreeSet;

use tmd_core::Number;
use tmd_functions::symmetry::{Parity, Translation};

use crate::regions::{Class, Region, translation_images};

/// Cases that follow from those that were searched.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Images {
    /// Their arguments, in increasing order.
    pub(crate) arguments: Vec<Number>,
    /// Sentences about those that are too many to list.
    pub(crate) rules: Vec<String>,
}

/// The images in `regions`, all those with images that are not out of reach, of cases at `searched` arguments.
pub(crate) fn images<'a>(
    parity: Option<Parity>,
    regions: impl Iterator<Item = &'a Region> + Clone,
    searched: &[Number],
) -> Images {
    let mut images = Images::default();
    let mut bases: BTreeSet<Number> = searched.iter().copied().collect();
    if parity.is_some() {
        // what is translated may be translated from the other side
        bases.extend(searched.iter().map(|x| negated(*x)));
    }
    let mut found: BTreeSet<Number> = BTreeSet::new();
    for region in regions.clone() {
        let Class::Translated(translation) = region.class else { continue };
        for y in &bases {
            match translation_images(translation, &region.ranges, *y) {
                Ok(arguments) => found.extend(arguments),
                Err(count) => images.rules.push(sentence(translation, region, *y, count)),
            }
        }
    }
    let sources: Vec<Number> = searched.iter().chain(&found).copied().collect();
    for region in regions.filter(|region| matches!(region.class, Class::Mirrored(_))) {
        let (first, last) = (region.first(), region.last());
        found.extend(sources.iter().map(|x| negated(*x)).filter(|x| first <= *x && *x <= last));
    }
    images.arguments = found.into_iter().collect();
    images
}

/// What is said of a case instead of a list.
fn sentence(translation: Translation, region: &Region, y: Number, count: i128) -> String {
    let repeated = match translation {
        Translation::Offset { log2_ratio, .. } | Translation::Power { log2_ratio, .. } => {
            let factor = if log2_ratio == 1 { "2^n".into() } else { format!("2^({log2_ratio} n)") };
            format!("{factor} * {y}")
        }
        _ => format!("{y} + n"),
    };
    let (first, last) = (region.first(), region.last());
    format!(
        "the case at {y} repeats at {repeated} for all {count} integers n with {first} <= {repeated} <= {last}"
    )
}

fn negated(x: Number) -> Number {
    Number::new(-x.significand(), x.exponent())
}
