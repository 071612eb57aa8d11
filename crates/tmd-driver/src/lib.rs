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
//! Every folder is one job, its `mod.rs` the entry:
//!
//! * [`hard_cases`]: from the text of a function to a list, with everything else at its default;
//! * [`search`]: [`Search`], the search of an interval. [`interval`]: from real numbers to ranges
//!   of arguments; [`validate`]: is the function defined there? `queue`, `threads`, [`workers`]:
//!   who searches which arguments, and who searches what a device failed at; [`confirm`]: one
//!   argument, with MPFR; [`outcome`]: what was found, and by whom; [`plan`], [`calibration`]: how
//!   long will it take, and how will it go;
//! * [`family`]: searches of all arguments of a binade, or all binades, at once, by the walk in
//!   three dimensions;
//! * [`inverse`]: searches of the inverse function, where it has fewer arguments; [`via`]: searches
//!   of either kind;
//! * [`regions`]: which arguments of a whole domain need no search; [`solve`]: the plan of the
//!   others, unit by unit, and their results; [`certificate`]: the document of both, how it is
//!   verified, and its [`witness`];
//! * [`coverage`]: what is known of which arguments, by what chain;
//! * [`report`]: the result as JSON, CSV, table and `wc` list;
//! * [`table`]: a function in full over a 16-bit format, correctly rounded.
#![forbid(unsafe_code)]

pub mod certificate;
pub mod congruence;
pub mod coverage;
mod error;
pub mod family;
mod hard_cases;
pub mod inverse;
mod parallel;
pub mod regions;
pub mod report;
pub mod search;
pub mod solve;
pub mod table;
pub mod via;

pub use certificate::{Certificate, witness};
pub use coverage::Coverage;
pub use error::DriverError;
pub use family::{FamilyOutcome, FamilySearch};
pub use hard_cases::{HardCases, hard_cases};
pub use outcome::{BackendShare, Outcome};
pub use plan::Plan;
pub use report::Report;
pub use search::{
    Besides, Observer, Progress, Search, calibration, confirm, engines_besides, interval, outcome, plan,
    validate, workers,
};
pub use solve::{InverseUse, Solve, SolvePlan, Totals, Uses};
pub use via::Via;
pub use witness::{Witness, WitnessError};
pub use workers::{CpuRole, Workers};

// the vocabulary of questions and answers, and the crates that it comes from
pub use tmd_core::{Breakpoints, ExactCase, Format, HrCase, Interrupt, Number, Problem};
pub use tmd_functions::{Function, parse};
pub use {rug, tmd_core, tmd_functions, tmd_simd};
