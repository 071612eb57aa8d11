//! What the fuzz targets do, as functions of the fuzzer's bytes. Each panics if the bytes show a
//! fault: an answer that is wrong, and of course a panic of ours. `cargo xtask fuzz` runs them;
//! docs/hardening.md says what they are for.
//!
//! * [`numbers`], [`expressions`]: the language of the command line;
//! * [`certificates`], [`ledgers`]: documents and databases that were damaged or forged;
//!   [`tampering`]: how;
//! * [`segments`], [`pieces`], [`families`]: existence tests and engines against brute force.
#![forbid(unsafe_code)]
#![allow(clippy::missing_panics_doc, reason = "to panic is how a target says what it found")]

pub mod certificates;
pub mod expressions;
pub mod families;
pub mod ledgers;
pub mod numbers;
pub mod pieces;
pub mod segments;
pub mod tampering;
#[cfg(test)]
mod tests;
