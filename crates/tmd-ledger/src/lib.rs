//! Run directories: searches of days that survive anything, and that any number of processes share.
//!
//! A [`Ledger`] keeps, in one `SQLite` file, the question, the plan, its units and what each unit
//! found; docs/ledger.md describes the tables, and the guarantees with the reasons why they hold.
//! In short: a unit is finished in one transaction, written through; results have checksums; leases
//! save work, and nothing else hangs on them; the plan is made again by the program that goes on
//! with a run, and compared.
//!
//! ```
//! use tmd_core::{Breakpoints, Format, Interrupt, Problem};
//! use tmd_driver::{Solve, Workers};
//! use tmd_ledger::{Access, Leases, Ledger, Question};
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
//! let unit_s = 120.0;
//! let plan = solve.plan_in_units_of(unit_s)?;
//! # let folder = tempfile::tempdir()?;
//! # let directory = folder.path().join("run");
//! Ledger::create(&directory, &Question::new(&solve, unit_s, Vec::new()), &plan)?;
//!
//! // later, as often as it takes, here or in other processes
//! let ledger = Ledger::open(&directory, Access::Write)?;
//! let damaged = ledger.check(&solve, &plan, Access::Write)?;
//! assert!(damaged.is_empty());
//! let worked = ledger.work(&solve, &plan, Leases::default(), &(), &Interrupt::new())?;
//! assert!(worked.is_complete);
//! assert!(ledger.certificate(&solve, &plan)?.is_complete());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! * [`Ledger`]: the directory; [`Question`]: what it answers; [`Status`]: how far it is;
//! * [`Ledger::work`], [`Leases`]: the work of a process;
//! * [`Ledger::serve`], [`UnitServer`]: units for workers that do not see the ledger, and their
//!   results;
//! * [`Shards`]: the same units without a shared database, a file for each;
//!   [`Ledger::merge_shards`] takes them in;
//! * [`Dispute`]: a unit of which two results differ;
//! * [`Ledger::merge`]: results of other runs of the question, taken in or compared;
//! * [`is_run`]: whether a directory holds a run;
//! * [`LedgerError`]: what can be wrong, and the way out.
#![forbid(unsafe_code)]

mod check;
mod compare;
mod database;
mod error;
mod heartbeat;
mod keep;
mod ledger;
mod liveness;
mod merge;
mod question;
mod record;
mod schema;
mod shards;
mod sound;
mod status;
mod unit_server;
mod words;
mod work;

pub use database::is_run;
pub use error::LedgerError;
pub use keep::{Dispute, Finish};
pub use ledger::{Access, Damage, Ledger, Results};
pub use merge::Merged;
pub use question::Question;
pub use shards::{Shard, ShardWorked, Shards};
pub use status::{BinadeStatus, Status, WorkerStatus};
pub use tmd_driver::report::plain;
pub use unit_server::UnitServer;
pub use words::quoted;
pub use work::{Leases, Worked};
