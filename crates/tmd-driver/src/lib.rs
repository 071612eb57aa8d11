//! Plan, generate, search, confirm, report: the driver of a search for hard-to-round cases.
//!
//! Functions (`tmd-functions`) and backends (`tmd-core` and others) meet here and nowhere else. If
//! all you want is a list, [`hard_cases`] is enough:
//!
//! ```
//! use tmd_driver::{Format, hard_cases};
//!
//! for case in hard_cases("exp(x)/x")?.format(Format::BINARY32).between(1.0, 2.0)?.hardest(5) {
//!     println!("{case}");
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Whoever wants to choose the engine, or ends beyond doubles, fills a [`Search`]. This crate
//! re-exports the crates whose types it speaks of, so that a program needs no other dependency:
//! [`rug`], [`tmd_core`], [`tmd_functions`], [`tmd_simd`].
//!
//! ```
//! use tmd_driver::rug::Rational;
//! use tmd_driver::tmd_core::{Scalar, ScalarEngine, exist::Logms};
//! use tmd_driver::{Breakpoints, Format, Interrupt, Problem, Search, Workers, tmd_functions};
//!
//! // exp on the floats of [1, 2): which results are within 2^-20 ulp of a float or a midpoint?
//! let regular = Scalar { engine: ScalarEngine::Regular, logms: Logms::default(), domain_size: None };
//! let search = Search {
//!     function: &tmd_functions::parse("exp")?,
//!     from: Rational::from(1),
//!     to: Rational::from(2),
//!     problem: Problem::new(Format::BINARY32, Format::BINARY32, Breakpoints::All, 20)?,
//!     workers: Workers::cpu(&regular, 1),
//! };
//! let found = search.run(&(), &Interrupt::new())?;
//! assert_eq!(found.arguments, 1 << 23);
//! for case in &found.cases {
//!     println!("exp at {case}");
//! }
//! # assert!(found.cases.len() > 10 && found.cases.len() < 100);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! * [`hard_cases`]: from the text of a function to a list, with everything else at its default;
//! * [`interval`]: from real numbers to ranges of arguments; [`validate`]: is the function defined
//!   there?
//! * [`search`]: [`Search`], the whole job; [`confirm`]: one argument, with MPFR;
//! * [`workers`]: who searches, the CPU, devices or both, and who stands in for a device that
//!   fails;
//! * [`outcome`]: what was found, and by whom;
//! * [`plan`]: how long will it take, and how will it go;
//! * [`family`]: searches of all arguments of a binade, or all binades, at once, by the walk in
//!   three dimensions;
//! * [`inverse`]: searches of the inverse function, where it has fewer arguments; [`via`]: searches
//!   of either kind;
//! * [`regions`], [`solve`], [`certificate`]: the same for a function over its whole domain, and
//!   how to check the result;
//! * [`coverage`]: what is known of which arguments, by what chain;
//! * [`report`]: the result as JSON, CSV, table and `wc` list;
//! * [`table`]: a function in full over a 16-bit format, correctly rounded.
#![forbid(unsafe_code)]

pub mod calibration;
pub mod certificate;
pub mod confirm;
pub mod coverage;
mod engines;
mod error;
pub mod family;
mod hard_cases;
pub mod interval;
pub mod inverse;
pub mod outcome;
mod parallel;
pub mod plan;
mod queue;
pub mod regions;
pub mod report;
pub mod search;
mod sieve;
pub mod solve;
pub mod table;
mod threads;
pub mod validate;
pub mod via;
pub mod witness;
pub mod workers;

pub use certificate::Certificate;
pub use coverage::Coverage;
pub use engines::engine_besides;
pub use error::DriverError;
pub use family::{FamilyOutcome, FamilySearch};
pub use hard_cases::{HardCases, hard_cases};
pub use outcome::{BackendShare, Outcome};
pub use plan::Plan;
pub use report::Report;
pub use search::{Observer, Progress, Search};
pub use solve::{InverseUse, Solve, SolvePlan, Totals, Uses};
pub use via::Via;
pub use witness::{Witness, WitnessError};
pub use workers::{CpuRole, Workers};

// the vocabulary of questions and answers, and the crates that it comes from
pub use tmd_core::{Breakpoints, ExactCase, Format, HrCase, Interrupt, Number, Problem};
pub use tmd_functions::{Function, parse};
pub use {rug, tmd_core, tmd_functions, tmd_simd};
