//! The core of a search for hard-to-round cases: what another numerics project depends on.
//!
//! It holds the vocabulary (formats, breakpoints, numbers, cases, problems, error budgets), the
//! [`Backend`] trait and the complete [`Scalar`] search of a polynomial over a piece; and it
//! re-exports the mathematics underneath: [`contfrac`] (continued fractions, three distances, Farey
//! neighbors), [`exist`] (existence tests) and [`difftable`] (fixed-point polynomials and
//! difference tables). It knows no function: a [`Piece`] is a polynomial mod 1 with its error
//! bounds, wherever it comes from (`tmd-functions` makes them from MPFR).
//!
//! ```
//! use tmd_core::difftable::{Fixed, Polynomial, Upper};
//! use tmd_core::{Backend, Interrupt, Piece, Scalar, ScalarEngine, exist::Logms};
//!
//! // x ↦ 1/3 + x·0.618… + x²·2^-30 over 0 ≤ x < 2^20: where is it within 2^-20 of an integer?
//! let third = Fixed::from_limbs([u64::MAX / 3; 8]);
//! let golden = Fixed::from_ratio_pow2(0x4f1b_bcdc_bfa5_3e0b, 63);
//! let r = Polynomial::new(vec![third, golden, Fixed::from_ratio_pow2(1, 30)]);
//! let magnitudes = [1.0, 1.0, 2f64.powi(-30)].map(Upper::new).to_vec();
//! let piece = Piece::new(r.clone(), magnitudes, 1 << 20, 0, Upper::power_of_two(-20), Upper::ZERO, Upper::ZERO)?;
//!
//! let search = |engine| Scalar { engine, logms: Logms::default(), domain_size: None }.search(&piece, &Interrupt::new());
//! let found = search(ScalarEngine::Regular)?.candidates;
//! assert_eq!(found, search(ScalarEngine::Exhaustive)?.candidates);
//! for &x in &found {
//!     let value = r.evaluate(x as i64).high64() as i64 as f64 * 2f64.powi(-64);
//!     assert!(value.abs() < 2f64.powi(-20) * 1.1);
//! }
//! # assert!(!found.is_empty());
//! # Ok::<(), tmd_core::CoreError>(())
//! ```
//!
//! * [`mod@format`], [`breakpoints`], [`number`], [`arguments`], [`problem`], [`case`]: the
//!   vocabulary;
//! * [`budget`], [`piece`], [`partition`], [`walk`]: what is searched, how it is divided, what is
//!   neglected; [`window`], [`candidates`]: what is near a breakpoint;
//! * [`backend`], [`scalar`]: who searches; [`coarse`]: tabulation by 32 bits, for all who
//!   tabulate.
#![forbid(unsafe_code)]

pub mod arguments;
pub mod backend;
pub mod breakpoints;
pub mod budget;
pub mod candidates;
pub mod case;
pub mod coarse;
mod error;
pub mod flat;
pub mod format;
pub mod lattice3;
pub mod number;
pub mod partition;
pub mod piece;
pub mod problem;
pub mod scalar;
pub mod walk;
pub mod window;

pub use tmd_contfrac as contfrac;
pub use tmd_difftable as difftable;
pub use tmd_exist as exist;

pub use arguments::ArgumentRange;
pub use backend::{
    Backend, Derived, EngineName, Families, Interrupt, KernelTime, Phase, Phases, PieceOutcome, PiecePlan,
    engine_name,
};
pub use breakpoints::{BreakpointKind, Breakpoints};
pub use budget::ErrorBudget;
pub use candidates::{Candidates, MAX_CANDIDATES};
pub use case::{ExactCase, HrCase};
pub use error::CoreError;
pub use format::Format;
pub use number::Number;
pub use piece::{PIECE_LIMBS, Piece};
pub use problem::Problem;
pub use scalar::{Scalar, ScalarEngine};
pub use walk::WalkPlan;
pub use window::Window;
