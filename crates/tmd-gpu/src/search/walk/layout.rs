//! [`WalkLayout`]: N, M, runs, packets and the error budget of a walk over a piece.

use tmd_core::{
    Piece, WalkPlan,
    difftable::Upper,
    partition::Unfit,
    walk::{
        self, MAX_DOMAIN, MIN_DOMAIN,
        contract::{PairContract, Unit, max_order},
        units::Count,
    },
};

use super::super::{Packets, Shape};
use crate::cpu::walk::{Length, MOST_CROSSINGS, ONE, WalkConstants};

/// Longest run: the tables' errors grow with it.
const LONGEST_RUN: u64 = 1024;

/// Plan, cut and constants of one piece.
#[derive(Clone, Copy, Debug)]
pub(super) struct WalkLayout {
    pub(super) plan: WalkPlan,
    pub(super) packets: Packets,
    pub(super) walk: WalkConstants,
    pub(super) workgroup: u32,
}

impl WalkLayout {
    /// The layout of `piece`, with domains of `domain` arguments or of the cheapest size.
    pub(super) fn new(piece: &Piece, domain: Option<u64>, shape: Shape) -> Result<Self, Unfit> {
        let most = piece.arguments().next_multiple_of(2).clamp(MIN_DOMAIN, MAX_DOMAIN);
        let domain = domain.map(|n| n.next_multiple_of(2).clamp(MIN_DOMAIN, most));
        let (plan, request) = walk::request(piece, domain, shape.costs, quantization)?;

        let domains = piece.arguments().div_ceil(plan.domain);
        Shape::check_dispatch(domains, shape.costs.domain)?;
        let mut packets = Packets::new(piece, request, LONGEST_RUN, &shape)?;
        let Packets { partition, .. } = &mut packets;
        partition.budget.refined = Upper::ZERO; // there are no sub-domains

        let (line, accepted) = (partition.budget.test_half_width(), partition.budget.exhaust_half_width());
        if line.get() >= 0.125 {
            return Err(Unfit::CurvatureTooLarge);
        }
        // below 1/8
        let length = |width: Upper| Length::of_units((width.get() * ONE as f64).ceil() as i64);
        let (half_domain, order) = (Count((plan.domain / 2) as u32), Count(plan.order as u32));
        // what Theorem G.6 asks for
        let step = partition.slope_step(request.most).get();
        let m = f64::from(order.0);
        let is_valid = u128::from(order.0) * u128::from(length(line).magnitude()) < u128::from(ONE)
            && plan.order <= max_order(plan.domain)
            && step * m < PairContract::GPU.longest_step()
            && step * m * m < f64::from(MOST_CROSSINGS);
        if !is_valid {
            return Err(Unfit::CurvatureTooLarge);
        }
        let mut walk = WalkConstants::new(half_domain, order, length(line), length(accepted));
        (walk.runs, walk.steps) = (packets.runs(), packets.partition.run as u32);
        // expected are a few per cent of the domains; more than all of them there cannot be
        let capacity = (u64::from(walk.runs) * u64::from(walk.steps)).min((domains / 16).max(1 << 16));
        walk.capacity = capacity as u32;
        Ok(Self { plan, packets, walk, workgroup: shape.workgroup })
    }
}

/// What units of 2^-60 neglect in domains of `n` arguments with `|c| ≤ most`.
fn quantization(n: u64, most: Upper) -> Upper {
    let kappa = most.get() * (n * n) as f64 / 8.0 * ONE as f64;
    // the sum's roundings are far below a unit
    Upper::new(WalkConstants::quantization(Count((n / 2) as u32), kappa) + 1.0) * Unit::GPU.upper()
}
