//! Certificates in the formats that people and their programs read.
//!
//! A [`Certificate`](tmd_driver::Certificate) holds everything; these are its cases as lists and
//! tables, and a page about it:
//!
//! * [`export`]: CORE-MATH's `wc`, CSV, JSON, Parquet, and tables of the hardest cases binade by
//!   binade;
//! * [`html`]: one self-contained page, with plots;
//! * [`rows`]: the lists of a certificate as rows of one table;
//! * [`binades`]: the same binade by binade, with the numbers expected;
//! * [`choice`]: which rows are written;
//! * [`rounded`]: the correctly rounded results of a row;
//! * [`needs`]: the bits that the final step of an implementation needs, and what falls through its
//!   phases;
//! * [`list`]: the cases one by one, or those from which others follow;
//! * [`number`]: numbers from their text;
//! * [`mod@file`]: certificates from files, [`compressed`] or not.
//!
//! ```
//! use tmd_core::{Breakpoints, Format, Interrupt, Problem, Scalar, ScalarEngine, exist::Logms};
//! use tmd_driver::{Solve, Workers};
//! use tmd_report::list::Listing;
//!
//! let function = tmd_functions::parse("exp")?;
//! let walk = Scalar { engine: ScalarEngine::Farey, logms: Logms::default(), domain_size: None };
//! let solve = Solve {
//!     function: &function,
//!     problem: Problem::new(Format::BINARY16, Format::BINARY16, Breakpoints::All, 8)?,
//!     binades: None,
//!     workers: Workers::cpu(&walk, 1),
//!     limit: f64::INFINITY,
//! };
//! let certificate = solve.run(&solve.plan()?, &(), &Interrupt::new())?;
//!
//! let list = tmd_report::export::to_wc(&certificate, Listing::of(&certificate))?;
//! assert!(list.starts_with("# exp(x) in binary16"));
//! let page = tmd_report::html::page(&certificate, "exp.json")?;
//! assert!(page.starts_with("<!DOCTYPE html>"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

pub mod binades;
mod bits;
pub mod choice;
pub mod compressed;
mod error;
pub mod export;
pub mod file;
mod head;
pub mod html;
pub mod list;
pub mod needs;
pub mod number;
mod own;
pub mod rounded;
pub mod rows;

pub use error::ReportError;
