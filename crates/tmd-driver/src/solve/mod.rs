//! [`Solve`]: the dilemma of a function over its whole domain, or over some binades of it.
//!
//! 1. [`regions`](crate::regions): all numbers of the format, cut where what is known of the
//!    results changes;
//! 2. [`plan`]: what is searched becomes units of work;
//! 3. [`Solve::run`]: units are searched one by one, each in a way that depends on nothing but the
//!    unit and the engine;
//! 4. [`Solve::certificate`]: their results become a [`Certificate`](crate::Certificate).
//!
//! [`Solve::run`] does all of it in memory. Others keep the results of units ([`mod@unit`]) where
//! they last, and come to the same certificate.
//!
//! ```
//! use tmd_core::{Breakpoints, Format, Interrupt, Problem};
//! use tmd_driver::{Solve, Workers};
//! use tmd_simd::{Level, Simd};
//!
//! let function = tmd_functions::parse("exp")?;
//! let walk = Simd::farey(Level::best());
//! let solve = Solve {
//!     function: &function,
//!     problem: Problem::new(Format::BINARY16, Format::BINARY16, Breakpoints::All, 12)?,
//!     binades: None,
//!     workers: Workers::cpu(&walk, 2),
//!     limit: f64::INFINITY,
//! };
//! let plan = solve.plan()?;
//! let certificate = solve.run(&plan, &(), &Interrupt::new())?;
//! assert!(certificate.is_complete());
//! // every finite number is accounted for, −0 and 0 as one
//! assert_eq!(certificate.totals().arguments, 2 * 0x7c00 - 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod assemble;
mod digest;
mod images;
mod join;
pub mod plan;
mod run;
mod text;
pub mod unit;
mod work;

use std::ops::Range;

use tmd_core::{Format, Problem};
use tmd_functions::Function;

pub use self::plan::{InverseUse, PlannedRegion, SolvePlan, Totals, Treatment, Unit, Uses};
pub use self::unit::{Tally, UnitResult};
pub(crate) use self::{
    assemble::follow,
    images::{Repeat, images},
};
use crate::Workers;

/// A function, and what is asked of it.
pub struct Solve<'a> {
    /// The function.
    pub function: &'a dyn Function,
    /// Format, breakpoints, ε; arguments and results are of the same format.
    pub problem: Problem,
    /// The arguments asked for: those with `2^start ≤ |x| < 2^end`, and 0 if `2^start` is the least
    /// positive number; or all.
    pub binades: Option<Range<i32>>,
    /// Who searches.
    pub workers: Workers<'a>,
    /// Core-seconds that a region may take, by the estimate: what would take longer is said to be
    /// out of reach.
    pub limit: f64,
}

impl Solve<'_> {
    /// The extra bits that suit a whole format: about 16 cases in a binade of a small one, 512 in
    /// one of binary64.
    pub const fn default_extra_bits(format: Format) -> u32 {
        let precision = format.precision();
        precision.saturating_sub(if precision < 53 { 3 } else { 8 })
    }
}
