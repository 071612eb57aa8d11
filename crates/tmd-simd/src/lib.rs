//! Lane-packed searches for hard-to-round cases.
//!
//! [`Simd`] is a [`Backend`] beside `tmd-core`'s `Scalar`: it takes the same pieces and returns the same cases. Its kernels
//! are written once over a small lane trait and compiled for AVX-512 (8 lanes), AVX2 with FMA (4 lanes) and the portable
//! vectors of `wide`; which of them runs is decided at run time ([`Level`]), so that one binary runs everywhere.
//!
//! ```
//! use tmd_core::difftable::{Fixed, Polynomial, Upper};
//! use tmd_core::{Backend, Interrupt, Piece, Scalar, ScalarEngine, exist::Logms};
//! use tmd_simd::{Level, Simd};
//!
//! // x ↦ x·0.618… + x²·2^-40 over 0 ≤ x < 2^24: where is it within 2^-20 of an integer?
//! let golden = Fixed::from_ratio_pow2(0x4f1b_bcdc_bfa5_3e0b, 63);
//! let r = Polynomial::new(vec![Fixed::ZERO, golden, Fixed::from_ratio_pow2(1, 40)]);
//! let magnitudes = [1.0, 1.0, 2f64.powi(-40)].map(Upper::new).to_vec();
//! let piece = Piece::new(r, magnitudes, 1 << 24, 0, Upper::power_of_two(-20), Upper::ZERO, Upper::ZERO)?;
//!
//! let walk = Simd::farey(Level::best()).search(&piece, &Interrupt::new())?;
//! let scalar = Scalar { engine: ScalarEngine::Exhaustive, logms: Logms::default(), domain_size: None };
//! assert_eq!(walk.candidates, scalar.search(&piece, &Interrupt::new())?.candidates);
//! # Ok::<(), tmd_core::CoreError>(())
//! ```
// vectors live in registers only if every method of the lanes is inlined into the function compiled for them
#![allow(clippy::inline_always)]

mod farey;
mod lanes;
mod level;

use tmd_core::{
    Backend, CoreError, Interrupt, Piece, PieceOutcome, PiecePlan, Scalar, ScalarEngine, exist::Logms,
};

use farey::Unfit;
use level::Machine;
pub use level::{Level, LevelError};

/// Parts shorter than this are not cut further to get around an inflection point: the scalar search takes them.
const SHORT: u64 = 1 << 15;

/// The lane-packed backend.
#[derive(Clone, Copy, Debug)]
pub struct Simd {
    level: Level,
    domain_size: Option<u64>,
}

impl Simd {
    /// The Farey walk in these lanes, with domain sizes from the cost model.
    pub const fn farey(level: Level) -> Self {
        Self { level, domain_size: None }
    }

    /// The same with domains of this many arguments, as far as the walk's limits allow.
    #[must_use]
    pub const fn with_domain_size(self, arguments: Option<u64>) -> Self {
        Self { domain_size: arguments, ..self }
    }

    /// The forced size, even and within the walk's limits.
    fn domain(&self, piece: &Piece) -> Option<u64> {
        let most = piece.arguments().next_multiple_of(2).min(tmd_core::farey::MAX_DOMAIN);
        self.domain_size.map(|n| n.min(most).next_multiple_of(2))
    }

    fn walk(&self, piece: &Piece, interrupt: &Interrupt) -> Result<Result<PieceOutcome, CoreError>, Unfit> {
        let domain = self.domain(piece);
        match self.level.machine() {
            #[cfg(target_arch = "x86_64")]
            Machine::Avx512(lanes) => farey::search(lanes, piece, domain, interrupt),
            #[cfg(target_arch = "x86_64")]
            Machine::Avx2(lanes) => farey::search(lanes, piece, domain, interrupt),
            Machine::Portable(lanes) => farey::search(lanes, piece, domain, interrupt),
        }
    }

    /// The scalar search for what cannot be walked; domains of a forced size are meant for the walk.
    const fn scalar() -> Scalar {
        Scalar { engine: ScalarEngine::Regular, logms: Logms::INSTRUCTION, domain_size: None }
    }

    /// The halves of a piece.
    fn halves(piece: &Piece) -> Result<(Piece, Piece), CoreError> {
        let (middle, count) = (piece.arguments() / 2, piece.arguments());
        Ok((piece.part(0, middle)?, piece.part(middle, count - middle)?))
    }

    /// Searches a piece that the walk does not fit: in halves where that helps, else by another engine.
    fn otherwise(
        &self,
        piece: &Piece,
        unfit: Unfit,
        interrupt: &Interrupt,
    ) -> Result<PieceOutcome, CoreError> {
        if unfit == Unfit::Bent || piece.arguments() <= SHORT {
            return Self::scalar().search(piece, interrupt);
        }
        let (left, right) = Self::halves(piece)?;
        let mut outcome = self.search(&left, interrupt)?;
        let found = self.search(&right, interrupt)?;
        outcome.candidates.extend(found.candidates.iter().map(|k| left.arguments() + k));
        outcome.phases.add(&found.phases);
        outcome.budget = outcome.budget.max(&found.budget);
        outcome.domain_size = outcome.domain_size.max(found.domain_size);
        Ok(outcome)
    }
}

impl Backend for Simd {
    fn name(&self) -> String {
        format!("farey {}", self.level)
    }

    fn plan(&self, piece: &Piece) -> Result<PiecePlan, CoreError> {
        match farey::plan(piece, self.level.width(), self.domain(piece)) {
            Ok(plan) => Ok(PiecePlan { engine: self.name(), ..plan }),
            Err(unfit) if unfit == Unfit::Bent || piece.arguments() <= SHORT => Self::scalar().plan(piece),
            Err(Unfit::Long) => {
                // one half is like the other; asking both would ask for every part in the end
                let half = self.plan(&Self::halves(piece)?.0)?;
                Ok(PiecePlan { seconds: 2.0 * half.seconds, ..half })
            }
            Err(_) => {
                let (left, right) = Self::halves(piece)?;
                let (left, right) = (self.plan(&left)?, self.plan(&right)?);
                let seconds = left.seconds + right.seconds;
                let slower = if left.seconds >= right.seconds { left } else { right };
                Ok(PiecePlan { seconds, ..slower })
            }
        }
    }

    fn search(&self, piece: &Piece, interrupt: &Interrupt) -> Result<PieceOutcome, CoreError> {
        interrupt.check()?;
        match self.walk(piece, interrupt) {
            Ok(outcome) => outcome,
            Err(unfit) => self.otherwise(piece, unfit, interrupt),
        }
    }
}
