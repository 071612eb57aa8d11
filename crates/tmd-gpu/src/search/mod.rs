//! The search of pieces on a GPU: two backends.
//!
//! * [`walk`]: [`GpuWalk`], the Farey walk; [`phases`]: [`GpuPhases`], the papers' existence tests in three kernels or in one;
//! * [`packets`]: how a piece is spread over invocations; [`shape`], [`tune`]: sizes that suit an adapter;
//! * [`times`]: how long the kernels took.

mod packets;
mod phases;
mod shape;
mod times;
mod tune;
mod walk;

use packets::Packets;
pub use phases::{Compaction, Deployment, GpuPhases, PhasesOptions};
pub use shape::Shape;
pub use walk::GpuWalk;
