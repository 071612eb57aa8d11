//! Where do the points `a·x mod m`, `0 ≤ x < n`, fall on a circle of circumference `m`?
//!
//! This is the question behind every search for hardest-to-round cases with polynomials of degree
//! one: a segment `b − a·x` comes close to a breakpoint exactly when a point `a·x` falls just to
//! the left of `b`. The crate answers it in exact integers: continued fraction expansions,
//! two-length configurations and the three-distance theorem, the nearest point and all near points,
//! and the Farey neighbors of the slope. The modulus may be anything up to `2^64` inclusive
//! ([`arc`]: `2^126`), the unit of 64-bit fixed point; nothing rounds, nothing allocates, nothing
//! overflows.
//!
//! ```
//! use tmd_contfrac::{PlacedPoint, Rotation, TwoLengthConfiguration, hits, minimum, three_distances};
//!
//! # fn main() -> Result<(), tmd_contfrac::Error> {
//! // Figure 3 of the GPU paper: a = 14/45, the unit segment scaled by 45.
//! let rotation = Rotation::new(14, 45)?;
//!
//! // 16 points cut the circle into 13 intervals of length 3 and 3 intervals of length 2.
//! let configuration = TwoLengthConfiguration::covering(rotation, 16);
//! assert_eq!((configuration.u(), configuration.p()), (3, 2));
//! assert_eq!((configuration.v(), configuration.q()), (13, 3));
//!
//! // Which of the first 11 points is closest to 41, at its left? Number 6, at 84 mod 45 = 39.
//! assert_eq!(minimum(rotation, 41, 11), Some(PlacedPoint { x: 6, d: 2 }));
//!
//! // All points less than 4 to the left of 41.
//! assert!(hits(rotation, 41, 45, 4).map(|hit| hit.x).eq([6, 19, 22, 35]));
//!
//! // Eleven points: at most three lengths, the largest is the sum of the other two.
//! let gaps = three_distances(rotation, 11);
//! assert!(gaps.as_slice().iter().map(|gap| (gap.length, gap.count)).eq([(3, 8), (5, 1), (8, 2)]));
//! # Ok(())
//! # }
//! ```
//!
//! # Modules
//!
//! | module | what it holds |
//! |---|---|
//! | [`rotation`] | [`Rotation`]: the checked pair (a, modulus) that everything else takes |
//! | [`expansion`] | partial quotients, convergents, intermediate convergents |
//! | [`two_length`] | [`TwoLengthConfiguration`] and the directed reduction |
//! | [`location`] | the nearest point at the left of `b`: [`minimum`], [`first_hit`], the cell around `b` |
//! | [`hits`](mod@hits) | all `x` with `(b − a·x) mod modulus < width`, listed or counted |
//! | [`arc`] | the same on circles of up to `2^126`: which arguments have their angle in an arc |
//! | [`three_distance`] | the gaps between `n` points |
//! | [`farey`] | Farey neighbors of the slope and their walk as the slope moves |
//! | [`lattice`] | the lattice points in a box, on the few lines that a Farey pair leaves |
//! | [`error`] | [`Error`], what a caller can do wrong |

#![no_std]
#![forbid(unsafe_code)]

pub mod arc;
pub mod error;
pub mod expansion;
pub mod farey;
pub mod hits;
pub mod lattice;
pub mod location;
pub mod rotation;
pub mod three_distance;
pub mod two_length;

pub use arc::{ArcHits, MAX_ARC_MODULUS, arc_hits};
pub use error::Error;
pub use expansion::{Convergent, Convergents, IntermediateConvergents, PartialQuotients};
pub use farey::{FareyInterval, FareyWalk, MAX_ORDER, farey_neighbors};
pub use hits::{Hits, count_hits, hits};
pub use lattice::LatticeBasis;
pub use location::{Cell, PlacedPoint, first_hit, locate, minimum};
pub use rotation::{MAX_MODULUS, Rotation};
pub use three_distance::{Gap, ThreeDistances, three_distances};
pub use two_length::{Reduction, TwoLengthConfiguration};
