//! Generators, known answers and the backend conformance suite of the workspace; for its tests
//! only.
//!
//! ```
//! use tmd_core::{Scalar, ScalarEngine, exist::Logms};
//! use tmd_testkit::conformance;
//!
//! conformance::edges(&Scalar { engine: ScalarEngine::Regular, logms: Logms::default(), domain_size: None });
//! ```
//!
//! * [`generators`]: pieces of every shape, as readable specifications that shrink;
//! * [`oracle`]: brute force over a piece, exact to 512 bits;
//! * [`mod@conformance`]: the suite that every backend is put through, instantiated by
//!   [`macro@conformance`];
//! * [`lattice3`]: families of arguments for the walk in three dimensions, brute force over small
//!   ones, and the suite of its engines, instantiated by [`macro@conformance_lattice3`];
//! * [`known`]: worst cases and counts of the literature;
//! * [`results`]: the certificates of the repository;
//! * [`walk_model`]: the walk and its verdict as `proofs/` has them.
#![forbid(unsafe_code)]
// a check that fails panics: that is what it is for
#![allow(clippy::missing_panics_doc)]

pub mod conformance;
pub mod generators;
pub mod known;
pub mod lattice3;
pub mod oracle;
pub mod results;
pub mod walk_model;

/// Whether larger samples are asked for: `cargo xtask test --long` sets `TMD_LONG`.
pub fn is_long() -> bool {
    std::env::var_os("TMD_LONG").is_some_and(|value| !value.is_empty())
}
