//! Twins of the kernels: the same steps in Rust, in files of the same names, to be read side by
//! side with the shaders and compared with them result by result.
//!
//! * [`walk`]: the Farey walk; [`phases`]: the papers' three phases; [`lattice3`]: the walk in
//!   three dimensions;
//! * [`generate`]: the tables of the first two; [`progress`]: what their kernels tell beside their
//!   results.

pub mod generate;
pub mod lattice3;
pub mod phases;
pub mod progress;
pub mod walk;
