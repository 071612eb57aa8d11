//! "Can this segment hold an HR-case?": the existence tests of the Table Maker's Dilemma.
//!
//! On a small domain the scaled function is close to a straight line, and an HR-case of the
//! function needs an argument x, 0 ≤ x < N, where the line b − a·x falls within a given width above
//! a breakpoint, that is above an integer. Only the fractions of a and b matter; they are 64-bit
//! fixed-point numbers here. Every test of this crate answers [`Verdict::Empty`] only if **no**
//! such x exists; [`Verdict::MayHold`] may be a false positive (it costs time and nothing else),
//! except from [`Exact`], which has none. The tests differ in speed, in regularity, which decides
//! what SIMD lanes and GPUs make of them, and in how many points beyond N they look at, which
//! decides how many false positives they give.
//!
//! ```
//! use tmd_exist::{Exact, ExistenceTest, NoProbe, RegularUnrolled, Segment, Verdict};
//!
//! // b - a*x over 0 <= x < 2^15, with a = 0.618… and b = 0.25 in units of 2^-64.
//! let segment = Segment::new(0x9e37_79b9_7f4a_7c15, 0x4000_0000_0000_0000, 1 << 15)?;
//!
//! // Does it come within 2^-40 above an integer?
//! let width = 1 << 24;
//! assert_eq!(RegularUnrolled::default().test(segment, width, &mut NoProbe), Verdict::Empty);
//!
//! // The exact minimum says by how much it misses, and where.
//! let minimum = Exact::minimum(segment);
//! assert!(minimum.distance >= width);
//! assert_eq!(segment.distance(minimum.argument), Some(minimum.distance));
//! # Ok::<(), tmd_exist::ExistError>(())
//! ```
//!
//! # The tests
//!
//! The tests place the points {a·x}, x = 0, 1, 2, …, on the circle [0, 1) until there are at least
//! N of them, and follow the distance d from {b} to the closest point at its left. They never go
//! from one point to the next, but from one *two-length configuration* of the three-distance
//! theorem to a later one. How many points n ≥ N the last one may have bounds the false positives:
//!
//! | test | source | points looked at, for N ≥ 2 |
//! |---|---|---|
//! | [`LefevreSubtractive`] | PDP 2012, Algorithm 1 | n < 2N |
//! | [`LefevreSwap`] | 2012, Algorithm 2; TOMS 2016, Algorithm 3 | n < 2N |
//! | [`LefevreDivision`] | 2016, Algorithm 1 | n < 2N |
//! | [`Regular`], [`RegularUnrolled`], last quotient whole | 2016, Algorithms 2 and 4 | n < (k+1)·N, with k the last quotient |
//! | the same, last quotient trimmed | here | n < 2N |
//! | [`Exact`] | here | n = N |
//!
//! The first three, with or without divided reductions, and the trimmed regular tests give the same
//! verdict on every segment. [`AnyTest`] lists them all under their names, for benchmarks and
//! conformance tests.
//!
//! # Modules
//!
//! * [`segment`]: the line b − a·x, 0 ≤ x < N; [`verdict`]: the answer; [`error`]: what a caller
//!   can do wrong;
//! * [`existence_test`]: the [`ExistenceTest`] trait; [`probe`]: counters for what a test does,
//!   free when not wanted;
//! * [`division`]: quotients by instruction, by subtraction or by a hybrid of both ([`Logms`]);
//! * [`lefevre_subtractive`], [`lefevre_swap`], [`lefevre_division`]: Lefèvre's test, in the
//!   papers' three forms;
//! * [`reductions`]: Lefèvre's "specific instructions" for large quotients;
//! * [`regular`], [`regular_unrolled`]: the regular test; [`options`]: its start and its last
//!   quotient;
//! * [`exact`]: the exact minimum; [`catalogue`]: all of them, by name.

#![forbid(unsafe_code)]

pub mod catalogue;
mod configuration;
pub mod division;
pub mod error;
pub mod exact;
pub mod existence_test;
pub mod lefevre_division;
pub mod lefevre_subtractive;
pub mod lefevre_swap;
pub mod options;
pub mod probe;
pub mod reductions;
pub mod regular;
pub mod regular_unrolled;
pub mod segment;
pub mod verdict;

#[cfg(test)]
mod tests;

pub use catalogue::AnyTest;
pub use division::Logms;
pub use error::ExistError;
pub use exact::{Exact, Minimum};
pub use existence_test::ExistenceTest;
pub use lefevre_division::LefevreDivision;
pub use lefevre_subtractive::LefevreSubtractive;
pub use lefevre_swap::LefevreSwap;
pub use options::{LastQuotient, Start};
pub use probe::{CountingProbe, NoProbe, Probe};
pub use reductions::Reductions;
pub use regular::Regular;
pub use regular_unrolled::RegularUnrolled;
pub use segment::Segment;
pub use verdict::Verdict;
