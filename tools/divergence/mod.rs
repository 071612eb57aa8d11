//! Divergence of the existence tests and of the Farey walk: how much of a group of lanes idles, by
//! the papers' measure.
//!
//! Lanes in lockstep turn the main loop as often as the slowest of them needs. With `ℓ_i` turns in
//! lane i of a group:
//!
//! * **NMDM**, the normalized mean deviation to the maximum (PDP 2012, section III.B; TOMS 2016,
//!   section 2.2): `1 − mean(ℓ)/max(ℓ)`, the share of turns that a lane idles; averaged over
//!   groups.
//! * **Issued against useful turns**: `Σ lanes·max(ℓ)` against `Σ ℓ_i`. Long groups weigh more than
//!   in the mean NMDM.
//! * **Branch divergence**: the share of the groups' turns in which the running lanes disagree on
//!   the main condition.
//!
//! From a [`question`] to its [`segments`] to what [`subjects`] do with them, written down lane by
//! lane in a [`trace`], counted in [`statistics`], all of it by [`mod@measure`]; [`report`] prints,
//! [`picture`] draws. The test with the papers' special instructions, as far as they can be told
//! from what they did, is in [`special`].

pub mod measure;
pub mod picture;
pub mod published;
pub mod question;
pub mod report;
pub mod segments;
pub mod special;
pub mod statistics;
pub mod subjects;
#[cfg(test)]
mod tests;
pub mod trace;

pub use measure::{Measurement, Sample, measure};
pub use question::MeasuredInterval;
pub use statistics::Statistics;
pub use subjects::Subject;
