//! Every table and figure that the papers publish, beside ours: `cargo xtask reproduce` writes
//! docs/reproduction.md.
//!
//! A [`Section`] stands for one or more published tables or figures: the papers' numbers, ours, how
//! they were taken, and what the difference comes from. Counts are exact and the same on every
//! machine; seconds are of the machine that the document names.
//!
//! * [`catalog`]: the sections, in the document's order, each in the module of its name;
//! * [`document`]: how sections become Markdown and pictures.

pub mod bars;
mod binades;
pub mod catalog;
mod cores;
mod divergence;
mod division;
pub mod document;
mod filtering;
mod gpu;
mod logms;
pub mod plot;
mod race;
mod section;
mod simd;

pub(crate) use self::race::within;
pub use self::{
    catalog::Name,
    section::{Picture, Scale, Section},
};
