//! The programs that take and compare figures, as modules with thin binaries: [`agreement`],
//! [`divergence`], [`gpu`], [`mod@ledger`], [`ratios`], [`reproduce`], [`soak`], over the tables
//! and pictures of [`figures`], with one type of errors; [`filtering`] counts for [`reproduce`].
#![forbid(unsafe_code)]

pub mod agreement;
pub mod divergence;
mod error;
pub mod figures;
pub mod filtering;
pub mod gpu;
pub mod ledger;
mod lists;
pub mod ratios;
pub mod reproduce;
pub mod soak;
#[cfg(test)]
mod testing;

pub use error::{ToolError, ended};
pub use tmd_benches::{operands, piece};
