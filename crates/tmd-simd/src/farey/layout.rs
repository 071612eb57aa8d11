//! Domain size and order of a walk over a piece, and its cut and budget ([`Cut`]).
//!
//! Of the budget's lines *line* is κ; *quantization* is that of [`quantization`], where the error of κ cancels in g and is
//! covered by h, and `g` is formed with three roundings.

use tmd_core::{
    FareyPlan, Piece,
    cut::{Cut, Unfit},
    difftable::Upper,
    farey::{self, FareyCosts},
};

use crate::tables::quantization;

/// What the parts of a walk cost on one core with eight lanes, in nanoseconds, roughly.
const COSTS: FareyCosts = FareyCosts { domain: 2.0, dense: 100.0, point: 150.0 };

/// Plan, cut and budget of one part of a piece.
#[derive(Clone, Copy, Debug)]
pub(super) struct FareyLayout {
    pub(super) plan: FareyPlan,
    pub(super) cut: Cut,
}

impl FareyLayout {
    /// The layout of `piece` in `lanes` lanes, with domains of `domain` arguments or of the cheapest size.
    pub(super) fn new(piece: &Piece, lanes: u64, domain: Option<u64>) -> Result<Self, Unfit> {
        let (plan, wish) = farey::wish(piece, domain, COSTS, |n, _| quantization(n))?;
        let mut cut = Cut::new(piece, lanes, wish)?;
        cut.budget.refined = Upper::ZERO; // there are no sub-domains
        Ok(Self { plan, cut })
    }
}
