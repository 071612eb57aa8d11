//! The search of pieces on a GPU: two backends, and an engine for families.
//!
//! * [`walk`]: [`GpuWalk`], the Farey walk; [`phases`]: [`GpuPhases`], the papers' existence tests
//!   in three kernels or in one;
//! * [`lattice3`]: [`GpuLattice3`], the walk in three dimensions;
//! * [`packets`]: how a piece is spread over invocations; [`shape`], [`tune`]: sizes that suit an
//!   adapter;
//! * [`times`]: how long the kernels took.

mod lattice3;
mod packets;
mod phases;
mod shape;
mod times;
mod tune;
mod walk;

pub use lattice3::GpuLattice3;
use packets::Packets;
pub use phases::{GpuPhases, Kernels, PhasesOptions};
pub use shape::Shape;
pub use walk::GpuWalk;
