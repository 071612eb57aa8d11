//! Whether a certificate was made with one binade for all below, next to 0.

use tmd_core::Number;
use tmd_functions::{Function, Repeating, Translation};

use super::Verification;
use crate::{DriverError, certificate::number_from};

/// The function as the certificate's maker took it, if that is not as it is given: one region holds
/// several binades below an anchor, which are told apart otherwise. What regions there are, and
/// what is known of them, is derived and compared later.
pub(super) fn of<'a>(
    verification: &Verification<'a>,
) -> Result<Option<Repeating<&'a dyn Function>>, DriverError> {
    let certificate = verification.certificate;
    if verification.function.near_zero().is_some() || certificate.binades.is_some() {
        return Ok(None);
    }
    let format = certificate.format.format()?;
    let repeating = Repeating::of(verification.function, format);
    let Some(Translation::Near { anchor, .. }) = repeating.near_zero() else { return Ok(None) };
    let (low, high) = (Number::new(1, anchor - 2), Number::new(1, anchor - 1));
    for region in &certificate.regions {
        // what is unreadable is named later
        let ends = [&region.first, &region.last].map(|end| number_from(end, format));
        if let [Ok(first), Ok(last)] = ends
            && first <= low
            && high <= last
        {
            return Ok(Some(repeating));
        }
    }
    Ok(None)
}
