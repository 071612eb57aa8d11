//! Domain size and order of a walk over a piece, and its cut and budget ([`Cut`]).
//!
//! Of the budget's lines *line* is κ; *quantization* is that of [`quantization`], where the error of κ cancels in g and is
//! covered by h, and `g` is formed with three roundings.

use tmd_core::{
    FareyPlan, Piece,
    cut::{Cut, Unfit, Wish, curvature},
    difftable::Upper,
    farey::FareyCosts,
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
        let (lowest, highest) = curvature(piece).ok_or(Unfit::Bent)?;
        // the walk follows `−R` where c is negative
        let negated = highest <= 0.0 && lowest < 0.0;
        if lowest < 0.0 && !negated {
            return Err(Unfit::Inflection);
        }
        let most = Upper::new(lowest.abs().max(highest));
        let acceptance = |n: u64| piece.half_width() + quantization(n);
        let plan = match domain {
            None => FareyPlan::cheapest(most, acceptance, piece.arguments(), COSTS),
            Some(n) => FareyPlan::of_domain(n, most, acceptance(n), COSTS),
        };
        let plan = plan.ok_or(Unfit::Bent)?;
        // slopes of neighboring domains must be less than 2^-13 apart
        if most.get() * 2.0 * plan.domain as f64 >= 2f64.powi(-14) {
            return Err(Unfit::Bent);
        }
        let wish = Wish {
            domain: plan.domain,
            most,
            negated,
            quantization: quantization(plan.domain),
            time: COSTS.domain,
            point: COSTS.point,
        };
        let mut cut = Cut::new(piece, lanes, wish)?;
        cut.budget.refined = Upper::ZERO; // there are no sub-domains
        Ok(Self { plan, cut })
    }
}
