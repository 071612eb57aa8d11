//! Fixed-point polynomials mod 1, difference tables and Taylor shifts, each with the error it
//! propagates.
//!
//! A search for hard-to-round cases looks at a polynomial `R(x)` over integers `x`, and only at its
//! value *mod 1*: the distance to the nearest integer is the distance to the nearest rounding
//! breakpoint. So coefficients are fractions of a fixed number of 64-bit limbs, integer parts wrap
//! away, and every shift, change of basis and difference below is *exact* arithmetic in the ring
//! `Z/2^(64 L)`. The only errors are those of dropping limbs and dropping high-degree terms, and
//! [`bounds`] gives both.
//!
//! ```
//! use tmd_difftable::{DifferenceTable, Fixed, Hierarchy, Polynomial};
//!
//! // R(x) = 1/8 + x/2^20 + x²/2^40, over domains of 16 arguments
//! let r = Polynomial::new(vec![
//!     Fixed::<4>::from_ratio_pow2(1, 3),
//!     Fixed::from_ratio_pow2(1, 20),
//!     Fixed::from_ratio_pow2(1, 40),
//! ]);
//! let domains = Hierarchy::new(&r, 16, 3);
//! // Domain 1000 by the straightforward shift; the next ones by tabulated differences.
//! let mut constant_terms = DifferenceTable::<2>::starting_at(domains.row(0), 1000, 2);
//! for i in 1000..1010 {
//!     assert_eq!(constant_terms.value(), r.evaluate(16 * i).truncate::<2>());
//!     constant_terms.step();
//! }
//! ```
//!
//! * [`fixed`]: [`Fixed`], fractions mod 1 of `L` limbs;
//! * [`polynomial`]: polynomials mod 1 in the monomial basis, [`Polynomial`], and in the binomial
//!   basis, [`BinomialPolynomial`], with the straightforward shift of both;
//! * [`hierarchy`]: the hierarchical method, [`Hierarchy`]: one shift by N becomes many shifts by
//!   1;
//! * [`table`]: the tabulated-difference shift, [`DifferenceTable`], and with it the papers'
//!   hybrid;
//! * [`bounds`]: [`Upper`], outward-rounded bounds, and what each operation above loses.
//!
//! Sources: V. Lefèvre's hierarchical difference tables as described in Fortin, Gouicem, Graillat,
//! *GPU-accelerated generation of correctly rounded elementary functions*, ACM TOMS 43(3), 2016,
//! section 5.
#![forbid(unsafe_code)]

pub mod bounds;
pub mod fixed;
pub mod hierarchy;
pub mod polynomial;
pub mod table;

pub use bounds::{Upper, power_of_two};
pub use fixed::Fixed;
pub use hierarchy::Hierarchy;
pub use polynomial::{BinomialPolynomial, Polynomial};
pub use table::DifferenceTable;
