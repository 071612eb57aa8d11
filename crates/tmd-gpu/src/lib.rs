//! The GPU's side of the search, as far as it knows nothing of the search: which adapters there
//! are, an opened device, buffers, kernels compiled once, and batches of work that are
//! recorded, run and timed.
//!
//! Built on wgpu (Vulkan, Metal, Direct3D 12); runs on a software adapter as well. No call panics
//! or waits forever: whatever goes wrong is a [`GpuError`].
//!
//! ```
//! use tmd_gpu::{AdapterChoice, Gpu, GpuError, INVOCATION_INDEX, Integers};
//!
//! const DOUBLE: &str = "
//!     @group(0) @binding(0) var<storage, read> source: array<u32>;
//!     @group(0) @binding(1) var<storage, read_write> target_: array<u32>;
//!
//!     @compute @workgroup_size(WORKGROUP)
//!     fn double(at: Invocation) {
//!         let i = invocation_index(at);
//!         if i < arrayLength(&source) { target_[i] = 2u * source[i]; }
//!     }";
//!
//! # let is_skipped = std::env::var("TMD_GPU").is_ok_and(|demand| demand == "skip");
//! # if is_skipped || tmd_gpu::adapters().is_empty() { return Ok(()) }
//! let gpu = Gpu::open(&AdapterChoice::Auto, Integers::Auto)?;
//! let double = gpu.pipeline("double", &[INVOCATION_INDEX, DOUBLE].concat(), "double", &[("WORKGROUP", 32.0)])?;
//! let source = gpu.upload("source", &[1, 2, 3])?;
//! let target = gpu.buffer("target", 3)?;
//!
//! let mut batch = gpu.batch();
//! batch.dispatch("double", &double, &[&source, &target], 1);
//! let read = batch.read(&target, 0..3);
//! let mut done = batch.run()?;
//! assert_eq!(done.take(read)?, [2, 4, 6]);
//! # Ok::<(), GpuError>(())
//! ```
//!
//! * [`adapters`], [`AdapterChoice`]: what there is;
//! * [`Gpu`]: an opened adapter; [`Buffer`] and [`Pipeline`]: what it makes;
//! * [`Batch`] → [`Done`]: work before and after it is run; [`Read`]: what ties the two;
//! * [`GpuWalk`], [`GpuPhases`]: searches; [`GpuLattice3`]: one of families; [`Shape`]: their
//!   sizes;
//! * [`cpu`]: the twins of the kernels.
#![forbid(unsafe_code)]

mod adapter;
mod batch;
mod buffer;
pub mod cpu;
mod device;
mod error;
mod occupancy;
mod pipeline;
mod probe;
mod run;
mod search;
mod shader;
mod staging;
mod timing;

pub use adapter::{AdapterChoice, AdapterFeatures, AdapterKind, AdapterLimits, AdapterSummary, adapters};
pub use batch::{Batch, Read};
pub use buffer::Buffer;
pub use device::{Gpu, Integers};
pub use error::GpuError;
pub use pipeline::Pipeline;
pub use run::Done;
pub use tmd_shaders::{ExistenceTest, INVOCATION_INDEX};

#[cfg(test)]
extern crate self as tmd_gpu;
#[cfg(test)]
#[path = "../tests/testing/mod.rs"]
mod testing;

pub use search::{GpuLattice3, GpuPhases, GpuWalk, Kernels, PhasesOptions, Shape};
