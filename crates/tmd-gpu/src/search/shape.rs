//! [`Shape`]: sizes that suit an adapter.

use tmd_core::{
    partition::Unfit,
    walk::{MIN_DOMAIN, WalkCosts},
};

use crate::{AdapterKind, AdapterSummary};

/// Longest dispatch, in nanoseconds by the cost model: a desktop's watchdog ends what takes
/// seconds.
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
    pub costs: WalkCosts,
}

impl Shape {
    /// A guess from what the adapter is.
    pub fn of(adapter: &AdapterSummary) -> Self {
        let binding = adapter.limits.storage_binding_bytes.min(adapter.limits.buffer_bytes);
        let most_invocations = (binding / RUN_BYTES).min(1 << 20) as u32;
        let (workgroup, invocations, costs) = match adapter.kind {
            // a few threads with vectors; what the host looks at again costs not much more than a
            // domain
            AdapterKind::Software => {
                (64, 1 << 12, WalkCosts { domain: 60.0, dense: 300.0, point: 400.0, least: MIN_DOMAIN })
            }
            AdapterKind::Integrated => {
                (64, 1 << 15, WalkCosts { domain: 1.0, dense: 100.0, point: 150.0, least: MIN_DOMAIN })
            }
            _ => (64, 1 << 17, WalkCosts { domain: 0.05, dense: 25.0, point: 40.0, least: MIN_DOMAIN }),
        };
        Self { workgroup, invocations: invocations.min(most_invocations), most_invocations, costs }
    }

    /// [`Unfit::PieceTooLong`] for so many domains, at so many nanoseconds each, that a dispatch
    /// would take too long.
    pub(super) fn check_dispatch(domains: u64, cost: f64) -> Result<(), Unfit> {
        let is_long = domains > FEW_DOMAINS && domains as f64 * cost > LONGEST_DISPATCH;
        if is_long { Err(Unfit::PieceTooLong) } else { Ok(()) }
    }
}
