//! [`WalkPlan`]: domain size and order of a Farey walk.
//!
//! A domain of N arguments `|x| ≤ N/2` about its center holds the parabola `b + a·x + c·x²`. With
//! `κ = c·N²/8` it stays within κ of the line `b + κ + a·x`, so a case needs a point `(x, y)` of
//! the lattice `Λ_a` with `|x| ≤ N/2` and `|y + b + κ| ≤ h`, `h = |κ| + acc`, acc the half-width
//! within which an argument is accepted. From a Farey pair of order M such points lie on two lines
//! if `N/(2 M) + M·h < 1`: the smaller length `p` of the pair is at most `1/(u + v) < 1/M`, and a
//! line `t` meets the box only if `|t − u·β| ≤ p·N/2 + u·h` (Theorem W.8, Lemma W.22;
//! [`LatticeBasis`](tmd_contfrac::LatticeBasis)).
//!
//! Taking the pair's vector with the larger *count* would need `M ≈ 9N/8`. The vector with the
//! smaller *length* allows `M ≈ N/2`, and as the neighbors change `0.3·M²` times per turn of the
//! slope, four times fewer crossings (Remark W.23).
//!
//! What kernels ask of the pair, and the bounds that are proved: [`contract`].
//!
//! Nothing here decides soundness: an engine checks the condition for the pair it holds, domain by
//! domain, and what fails it is enumerated by a slower way. The plan makes that rare.

pub mod contract;
pub mod units;

use tmd_difftable::{Upper, power_of_two};

use crate::{
    Piece,
    partition::{PartitionRequest, Unfit, curvature},
};

/// Smallest domain of a Farey walk on GPUs, in exact integers and by the first tables of costs.
pub const MIN_DOMAIN: u64 = 1 << 8;

/// Slopes of neighboring domains must be less than 2^-13 apart: twice this.
const STEEPEST_STEP: f64 = power_of_two(-14);

/// Largest domain: counts stay below 2^25, sums of two counts below 2^26 ([`contract::MAX_ORDER`]).
pub const MAX_DOMAIN: u64 = 1 << 24;

/// Aimed value of `N/(2 M) + M·h`; the rest to 1 is for a walk that is a little behind its slope.
const ORDER_CONDITION: f64 = 0.95;

/// Order of the Farey fractions for domains of `domain` arguments and boxes of the half-width
/// `half_width`, h: the smallest M with `N/(2 M) + M·h ≤ 0.95` (Lemma W.22). `None` if there is
/// none.
pub fn order(domain: u64, half_width: f64) -> Option<u64> {
    let n = domain as f64;
    // the smaller root of M·h + N/(2 M) = ORDER_CONDITION
    let discriminant = ORDER_CONDITION * ORDER_CONDITION - 2.0 * half_width * n;
    (discriminant >= 0.0).then(|| (n / (ORDER_CONDITION + discriminant.sqrt())).ceil() as u64)
}

/// Domain size and order of a Farey walk.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WalkPlan {
    /// Arguments per domain, N, even.
    pub domain: u64,
    /// Order of the Farey fractions, M.
    pub order: u64,
    /// Expected nanoseconds per argument by the cost model.
    pub cost: f64,
}

/// Costs in nanoseconds of what an engine does, for the choice of N only.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WalkCosts {
    /// per domain: tables, walk, two lines
    pub domain: f64,
    /// per domain with a box so thick that a line may carry several points
    pub dense: f64,
    /// per lattice point in a box that is looked at exactly
    pub point: f64,
    /// smallest domain, in arguments: [`MIN_DOMAIN`], or less; then sizes from one of which to the
    /// next slopes are too far apart are passed over, where a piece was refused before if the
    /// cheapest size was one
    pub least: u64,
}

impl WalkPlan {
    /// The cheapest plan for domains with `|c| ≤ curvature`, `acceptance(N)` being the half-width
    /// acc that a domain of N arguments leads to. `None` if none is valid: the parabolas bend too
    /// much for domains of the smallest size.
    pub fn cheapest(
        curvature: Upper,
        acceptance: impl Fn(u64) -> Upper,
        arguments: u64,
        costs: WalkCosts,
    ) -> Option<Self> {
        // around N = |c|^(-1/3), where a box of N arguments holds about one point
        let natural = curvature.get().cbrt().recip();
        let least = costs.least;
        let size = |quarter: i32| even(natural * 2f64.powf(f64::from(quarter) / 4.0), least, arguments);
        let sizes = (-12..=6).map(size).filter(|&n| least >= MIN_DOMAIN || is_walked(curvature, n));
        let plans = sizes.filter_map(|n| Self::of_domain(n, curvature, acceptance(n), costs));
        plans.min_by(|x, y| x.cost.total_cmp(&y.cost))
    }

    /// The plan with domains of `domain` arguments; `None` if their curvature is too
    /// large.
    pub fn of_domain(domain: u64, curvature: Upper, acceptance: Upper, costs: WalkCosts) -> Option<Self> {
        let n = domain as f64;
        let (curvature, acceptance) = (curvature.get(), acceptance.get());
        let half_width = curvature * n * n / 8.0 + acceptance;
        let order = order(domain, half_width)?;
        // the share of boxes that a second point may meet: (8 h N)² up to a factor, which was
        // counted
        let thickness = 8.0 * half_width * n;
        let per_domain =
            costs.domain + 0.035 * thickness * thickness * costs.dense + 2.0 * acceptance * n * costs.point;
        Some(Self { domain, order, cost: per_domain / n })
    }
}

/// Plan and partition's request for a walk over `piece`, with domains of `domain` arguments or of
/// the cheapest size. `quantization(N, most)` is what the engine's own rounding neglects in domains
/// of N arguments with `|c| ≤ most`.
///
/// # Errors
/// [`Unfit::Inflection`] and [`Unfit::CurvatureTooLarge`].
pub fn request(
    piece: &Piece,
    domain: Option<u64>,
    costs: WalkCosts,
    quantization: impl Fn(u64, Upper) -> Upper,
) -> Result<(WalkPlan, PartitionRequest), Unfit> {
    let (lowest, highest) = curvature(piece).ok_or(Unfit::CurvatureTooLarge)?;
    // the walk follows `−R` where c is negative
    let negated = highest <= 0.0 && lowest < 0.0;
    if lowest < 0.0 && !negated {
        return Err(Unfit::Inflection);
    }
    let most = Upper::new(lowest.abs().max(highest));
    let acceptance = |n: u64| piece.half_width() + quantization(n, most);
    let plan = match domain {
        None => WalkPlan::cheapest(most, acceptance, piece.arguments(), costs),
        Some(n) => WalkPlan::of_domain(n, most, acceptance(n), costs),
    };
    let plan = plan.ok_or(Unfit::CurvatureTooLarge)?;
    if !is_walked(most, plan.domain) {
        return Err(Unfit::CurvatureTooLarge);
    }
    let quantization = quantization(plan.domain, most);
    let (domain, time, point) = (plan.domain, costs.domain, costs.point);
    Ok((plan, PartitionRequest { domain, most, negated, may_be_straight: false, quantization, time, point }))
}

/// Whether slopes of neighboring domains of `domain` arguments are near enough where `|c|` is at
/// most `curvature`.
fn is_walked(curvature: Upper, domain: u64) -> bool {
    curvature.get() * 2.0 * (domain as f64) < STEEPEST_STEP
}

/// The even number next to `n` that a domain may have, from `least` on and no larger than it takes
/// for one domain to hold `arguments`.
fn even(n: f64, least: u64, arguments: u64) -> u64 {
    let most = arguments.next_multiple_of(2).clamp(least, MAX_DOMAIN);
    // a float below 2^27 and not negative: the cast is exact
    (n.clamp(least as f64, most as f64) / 2.0) as u64 * 2
}

#[cfg(test)]
mod tests {
    use super::*;

    const COSTS: WalkCosts = WalkCosts { domain: 1.7, dense: 100.0, point: 150.0, least: MIN_DOMAIN };

    #[test]
    fn the_condition_holds_and_the_size_follows_the_curvature() {
        for bits in 20..70 {
            let curvature = Upper::power_of_two(-bits);
            let acceptance = |_| Upper::power_of_two(-33);
            let Some(plan) = WalkPlan::cheapest(curvature, acceptance, 1 << 40, COSTS) else {
                assert!(bits < 26, "no plan for c = 2^-{bits}");
                continue;
            };
            let (n, m) = (plan.domain as f64, plan.order as f64);
            let h = curvature.get() * n * n / 8.0 + power_of_two(-33);
            assert!(n / (2.0 * m) + m * h <= ORDER_CONDITION + 1e-9, "{plan:?}");
            let of_less = n / (2.0 * (m - 2.0)) + m * h;
            assert!(of_less >= ORDER_CONDITION, "M is not larger than needed: {plan:?}");
            assert!(plan.domain % 2 == 0 && (MIN_DOMAIN..=MAX_DOMAIN).contains(&plan.domain));
            let gamma = curvature.get() * n * n * n;
            let is_small = gamma <= 0.02 && plan.domain != MAX_DOMAIN && bits <= 60;
            assert!(gamma < 4.0 && !is_small, "{plan:?}: {gamma}");
        }
    }

    #[test]
    fn edges() {
        let acceptance = |_| Upper::power_of_two(-33);
        let straight = WalkPlan::cheapest(Upper::ZERO, acceptance, 1000, COSTS).unwrap();
        assert_eq!(straight.domain, 1000);
        assert_eq!(WalkPlan::cheapest(Upper::ZERO, acceptance, 1, COSTS).unwrap().domain, MIN_DOMAIN);
        assert_eq!(WalkPlan::cheapest(Upper::new(0.25), acceptance, 1 << 40, COSTS), None);
        assert_eq!(WalkPlan::cheapest(Upper::new(f64::INFINITY), acceptance, 1 << 40, COSTS), None);
    }
}
