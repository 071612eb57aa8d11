//! The compute shaders of the search for hard-to-round cases, in WGSL.
//!
//! Every kernel is written once, over the names of one small library of 64-bit integers, and
//! composed by plain concatenation with either variant of it: pairs of 32-bit words, which every
//! GPU has, or the adapter's own ([`Integers`]). No source is copied, and none is edited.
//!
//! ```
//! use tmd_shaders::{Integers, Kernel};
//!
//! for kernel in Kernel::all() {
//!     assert!(kernel.source(Integers::Emulated).contains("alias U64 = vec2<u32>;"));
//!     assert!(kernel.source(Integers::Native).contains("alias U64 = u64;"));
//!     assert!(kernel.source(Integers::Native).contains(&format!("fn {}(", kernel.entries()[0])));
//! }
//! ```
//!
//! # Modules
//!
//! * [`constants`]: what kernels share with their twins, written once;
//! * [`kernel`]: the kernels, and what each is composed of. (Their twins in Rust are in `tmd-gpu`.)
//!
//! The WGSL itself: `walk/`, `phases/` (with the existence tests, each a function `test_segment`,
//! in `phases/existence/`) and `lattice3/`, a file for each kernel; below them `integer/` (the two
//! variants and what they share), `invocation.wgsl` (an invocation's number) and `generate.wgsl`.

#![forbid(unsafe_code)]

#[macro_use]
pub mod constants;
pub mod kernel;

#[cfg(test)]
mod tests;

pub use kernel::{ExistenceTest, Integers, Kernel};

/// WGSL for the head of a kernel of one's own, as every kernel here has it: `override WORKGROUP`,
/// and `invocation_index(at: Invocation)`, the number of an invocation in a dispatch of a plane of
/// workgroups, from the entry point's only parameter. The plane may hold more invocations than were
/// asked for.
pub const INVOCATION_INDEX: &str = include_str!("invocation.wgsl");
