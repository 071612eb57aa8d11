//! Whether a certificate was made with few arguments for many, where a function nearly repeats
//! itself.

use tmd_core::{Format, Number};
use tmd_functions::{Function, Repeating, Translation};

use crate::{
    DriverError,
    certificate::{Certificate, number_from},
};

/// The function as the certificate's maker took it, if that is not as it is given: the rules of its
/// regions name the arguments from which others follow. Whichever they are, the theorems are proved
/// again of them; what regions there are, and what is known of them, is derived and compared later.
///
/// Where all of these are out of reach there are no rules, and regions are told by their ends.
pub(in super::super) fn repeating_of<'a>(
    certificate: &Certificate,
    function: &'a dyn Function,
) -> Result<Option<Repeating<&'a dyn Function>>, DriverError> {
    if function.near_zero().is_some() || function.at_large().is_some() || certificate.binades.is_some() {
        return Ok(None);
    }
    let format = certificate.format.format()?;
    let usual = Repeating::of(function, format);
    let (mut near_zero, mut at_large) = match usual.near_zero() {
        Some(Translation::Near { anchor, .. }) if has_binades_below(certificate, format, anchor) => {
            (Some(anchor), least(usual.at_large()).filter(|_| has_one_alone(certificate, usual.at_large())))
        }
        _ => (None, None),
    };
    for translation in certificate.regions.iter().filter_map(|region| region.class.translation()) {
        match translation {
            Translation::Near { anchor, .. } => near_zero = Some(anchor),
            other => at_large = least(Some(other)).or(at_large),
        }
    }
    if near_zero.is_none() && at_large.is_none() {
        return Ok(None);
    }
    Ok(Repeating::with_anchors(function, format, near_zero, at_large))
}

/// The number that a rule about large arguments names.
fn least(translation: Option<Translation>) -> Option<i32> {
    match translation? {
        Translation::NearOffset { least } | Translation::NearScaling { least } => Some(least),
        _ => None,
    }
}

/// Whether one region holds several binades below an anchor, which are told apart otherwise.
fn has_binades_below(certificate: &Certificate, format: Format, anchor: i32) -> bool {
    let (low, high) = (Number::new(1, anchor - 2), Number::new(1, anchor - 1));
    certificate.regions.iter().any(|region| {
        // what is unreadable is named later
        let ends = [&region.first, &region.last].map(|end| number_from(end, format));
        matches!(ends, [Ok(first), Ok(last)] if first <= low && high <= last)
    })
}

/// Whether a number from which nothing follows, among others from which something does, is a region
/// of its own.
fn has_one_alone(certificate: &Certificate, translation: Option<Translation>) -> bool {
    let alone = match translation {
        Some(Translation::NearOffset { least }) => Number::new(1, least + 1),
        Some(Translation::NearScaling { least }) => Number::new(i128::from(least) + 2, 0),
        _ => return false,
    };
    let alone = alone.to_string();
    certificate.regions.iter().any(|region| region.first == alone && region.last == alone)
}
