//! [`WalkLayout`]: N, M, runs, packets and the error budget of a walk over a piece.

use tmd_core::{
    FareyPlan, Piece,
    cut::Unfit,
    difftable::Upper,
    farey::{self, FareyCosts, MAX_DOMAIN, MIN_DOMAIN},
};
use tmd_shaders::cpu::farey::{FareyConstants, ONE};

use super::packets::Packets;
use crate::{AdapterKind, AdapterSummary};

/// Longest run: the tables' errors grow with it.
const LONGEST_RUN: u64 = 1024;

/// Longest dispatch, in nanoseconds by the cost model: a desktop's watchdog ends what takes seconds.
const LONGEST_DISPATCH: f64 = 0.25e9;

/// Pieces of so few domains are short whatever a cost model says.
const FEW_DOMAINS: u64 = 1 << 12;

/// Bytes of a run's tables.
const RUN_BYTES: u64 = 56;

/// Sizes that suit an adapter. None of them changes what is found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shape {
    /// Invocations of a workgroup.
    pub workgroup: u32,
    /// Invocations that a piece is spread over, if it has enough domains …
    pub invocations: u32,
    /// … and most of them.
    pub most_invocations: u32,
    /// Nanoseconds for the parts of a walk, on the whole GPU.
    pub costs: FareyCosts,
}

impl Shape {
    /// A guess from what the adapter is.
    pub fn of(adapter: &AdapterSummary) -> Self {
        let binding = adapter.limits.storage_binding_bytes.min(adapter.limits.buffer_bytes);
        let most_invocations = (binding / RUN_BYTES).min(1 << 20) as u32;
        let (workgroup, invocations, costs) = match adapter.kind {
            // a few threads with vectors; what the host looks at again costs not much more than a domain
            AdapterKind::Software => (64, 1 << 12, FareyCosts { domain: 60.0, dense: 300.0, point: 400.0 }),
            AdapterKind::Integrated => (64, 1 << 15, FareyCosts { domain: 1.0, dense: 100.0, point: 150.0 }),
            _ => (64, 1 << 17, FareyCosts { domain: 0.05, dense: 25.0, point: 40.0 }),
        };
        Self { workgroup, invocations: invocations.min(most_invocations), most_invocations, costs }
    }
}

/// Plan, cut and constants of one piece.
#[derive(Clone, Copy, Debug)]
pub(super) struct WalkLayout {
    pub(super) plan: FareyPlan,
    pub(super) packets: Packets,
    pub(super) farey: FareyConstants,
    pub(super) workgroup: u32,
}

impl WalkLayout {
    /// The layout of `piece`, with domains of `domain` arguments or of the cheapest size.
    pub(super) fn new(piece: &Piece, domain: Option<u64>, shape: Shape) -> Result<Self, Unfit> {
        let most = piece.arguments().next_multiple_of(2).clamp(MIN_DOMAIN, MAX_DOMAIN);
        let domain = domain.map(|n| n.next_multiple_of(2).clamp(MIN_DOMAIN, most));
        let (plan, wish) = farey::wish(piece, domain, shape.costs, quantization)?;

        let domains = piece.arguments().div_ceil(plan.domain);
        if domains > FEW_DOMAINS && domains as f64 * shape.costs.domain > LONGEST_DISPATCH {
            return Err(Unfit::Long);
        }
        let mut packets = Packets::new(piece, wish, LONGEST_RUN, &shape)?;
        let Packets { cut, .. } = &mut packets;
        cut.budget.refined = Upper::ZERO; // there are no sub-domains

        let (line, accepted) = (cut.budget.test_half_width(), cut.budget.exhaust_half_width());
        if line.get() >= 0.125 {
            return Err(Unfit::Bent);
        }
        let units = |width: Upper| (width.get() * ONE as f64).ceil() as u64;
        let (reach, order) = ((plan.domain / 2) as u32, plan.order as u32);
        // what `tmd_shaders::cpu::farey` asks for under "Ranges"
        let grows = 2.0 * wish.most.get() * plan.domain as f64;
        let is_valid = plan.order as f64 * line.get() < 1.0
            && (plan.order as f64) < 1.1 * plan.domain as f64
            && grows * 8.0 * (plan.order as f64) < 1.0;
        if !is_valid {
            return Err(Unfit::Bent);
        }
        let mut farey = FareyConstants::new(reach, order, units(line), units(accepted));
        (farey.runs, farey.steps) = (packets.runs(), packets.cut.run as u32);
        // expected are a few per cent of the domains; more than all of them there cannot be
        let capacity = (u64::from(farey.runs) * u64::from(farey.steps)).min((domains / 16).max(1 << 16));
        farey.capacity = capacity as u32;
        Ok(Self { plan, packets, farey, workgroup: shape.workgroup })
    }
}

/// What units of 2^-60 neglect in domains of `n` arguments with `|c| ≤ most`.
fn quantization(n: u64, most: Upper) -> Upper {
    let kappa = most.get() * (n * n) as f64 / 8.0 * ONE as f64;
    // the sum's roundings are far below a unit
    Upper::new(FareyConstants::quantization((n / 2) as u32, kappa) + 1.0) * Upper::power_of_two(-60)
}
