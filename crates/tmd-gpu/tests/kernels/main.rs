//! The shaders on a device, against Rust: their integers, and each kernel against its twin on the
//! CPU.

mod common;
mod integers;
mod lattice3;
mod phases;
mod segments;
#[path = "../testing/mod.rs"]
mod testing;
mod walk;
