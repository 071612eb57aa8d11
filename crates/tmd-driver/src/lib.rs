//! Plan, generate, search, confirm, report: the driver of a search for hard-to-round cases.
//!
//! Functions (`tmd-functions`) and backends (`tmd-core` and others) meet here and nowhere else.
//!
//! ```
//! use rug::Rational;
//! use tmd_core::{Breakpoints, Format, Interrupt, Problem, Scalar, ScalarEngine, exist::Logms};
//! use tmd_driver::{Search, Workforce};
//!
//! // exp on the floats of [1, 2): which results are within 2^-20 ulp of a float or a midpoint?
//! let regular = Scalar { engine: ScalarEngine::Regular, logms: Logms::default(), domain_size: None };
//! let search = Search {
//!     function: &tmd_functions::parse("exp")?,
//!     from: Rational::from(1),
//!     to: Rational::from(2),
//!     problem: Problem::new(Format::BINARY32, Format::BINARY32, Breakpoints::All, 20)?,
//!     workforce: Workforce::cpu(&regular, 1),
//! };
//! let found = search.run(&(), &Interrupt::new())?;
//! assert_eq!(found.arguments, 1 << 23);
//! for case in &found.cases {
//!     println!("exp({}) is 2^{:.1} ulp from {}", case.argument, case.log2_distance, case.breakpoint);
//! }
//! # assert!(found.cases.len() > 10 && found.cases.len() < 100);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! * [`interval`]: from real numbers to ranges of arguments; [`validate`]: is the function defined there?
//! * [`search`]: [`Search`], the whole job; [`confirm`]: one argument, with MPFR;
//! * [`workforce`]: who searches, the CPU, devices or both, and who stands in for a device that fails;
//! * [`outcome`]: what was found, and by whom;
//! * [`plan`]: how long will it take, and how will it go;
//! * [`family`]: searches of all arguments of a binade, or all binades, at once, by the walk in three dimensions;
//! * [`inverse`]: searches of the inverse function, where it has fewer arguments;
//! * [`regions`], [`solve`], [`certificate`]: the same for a function over its whole domain, and how to check the result;
//! * [`report`]: the result as JSON, CSV, table and `wc` list;
//! * [`table`]: a function in full over a 16-bit format, correctly rounded.
#![forbid(unsafe_code)]

pub mod certificate;
pub mod confirm;
mod error;
pub mod family;
pub mod interval;
pub mod inverse;
pub mod outcome;
pub mod pace;
mod parallel;
pub mod plan;
mod queue;
pub mod regions;
pub mod report;
pub mod search;
mod sieve;
pub mod solve;
pub mod table;
pub mod validate;
mod walk;
pub mod workforce;

pub use certificate::Certificate;
pub use error::DriverError;
pub use family::{FamilyOutcome, FamilySearch};
pub use outcome::{BackendShare, Outcome};
pub use plan::Plan;
pub use report::Report;
pub use search::{Observer, Progress, Search};
pub use solve::{InverseUse, Solve, SolvePlan, Totals};
pub use workforce::{Duty, Workforce};
