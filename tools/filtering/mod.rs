//! Filtering: how much of an interval each phase of a search leaves to the next, by the papers'
//! strategy.
//!
//! 1. a domain's parabola is replaced by a line and an existence test asks whether a case can be
//!    there;
//! 2. a domain that may hold one is split, and each sub-domain gets a line and a test of its own;
//! 3. in a sub-domain that may hold one, all arguments are looked at.
//!
//! What enters phases 2 and 3 depends on the line and the width around it, a [`Reading`], and on
//! how many points beyond N the test looks at. [`mod@count`] counts, exactly; [`published`] holds
//! the papers' counts; docs/filtering.md tells which readings were tried.

pub mod count;
pub mod published;
pub mod reading;
#[cfg(test)]
mod tests;

pub use count::{Counts, Extent, Filter, count};
pub use reading::{Orientation, Reading, Sides, Truncation};

use crate::ToolError;
use crate::divergence::MeasuredInterval;

/// Sends the domains of all pieces of a question through each of the filters.
///
/// # Errors
/// If the question is wrong or its pieces cannot be cut into its domains.
pub fn filtered(
    question: &MeasuredInterval,
    filters: &[Filter],
    every: u64,
    exhaust: bool,
) -> Result<Vec<Counts>, ToolError> {
    let extent = Extent { domain_bits: question.domain_bits, every, exhaust };
    let mut total = vec![Counts::default(); filters.len()];
    for piece in question.pieces()? {
        let counts = count(&piece, filters, extent)?;
        total = total.into_iter().zip(counts).map(|(total, more)| total.merge(more)).collect();
    }
    Ok(total)
}
