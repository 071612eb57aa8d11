//! The compute shaders of the search for hard-to-round cases, in WGSL.
//!
//! Every kernel is written once, over the names of one small library of 64-bit integers, and composed by plain concatenation
//! with either variant of it: pairs of 32-bit words, which every GPU has, or the adapter's own ([`Integers`]). No source is
//! copied, and no text is generated when a program runs.
//!
//! ```
//! use tmd_shaders::{Integers, Kernel};
//!
//! for kernel in Kernel::ALL {
//!     assert!(kernel.source(Integers::Emulated).contains("alias U64 = vec2<u32>;"));
//!     assert!(kernel.source(Integers::Native).contains("alias U64 = u64;"));
//!     assert!(kernel.source(Integers::Native).contains(&format!("fn {}(", kernel.name())));
//! }
//! ```
//!
//! # Modules
//!
//! * [`kernel`]: the kernels, and what each is composed of;
//! * [`cpu`]: their twins in Rust.
//!
//! The WGSL itself: `integer/` (the two variants and what they share), `invocation.wgsl` (an invocation's number), one file
//! for each kernel.

#![forbid(unsafe_code)]

pub mod cpu;
pub mod kernel;

#[cfg(test)]
mod tests;

pub use kernel::{Integers, Kernel};
