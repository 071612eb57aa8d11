//! [`Dry`]: a backend that plans and does not search, so that a search with it derives every piece
//! and every budget again.

use tmd_core::{Backend, CoreError, Derived, Interrupt, Piece, PieceOutcome, PiecePlan};

/// Another backend's plans, without its searches.
pub(super) struct Dry<'a>(pub(super) &'a dyn Backend);

impl Backend for Dry<'_> {
    fn name(&self) -> String {
        self.0.name()
    }

    fn plan(&self, piece: &Piece) -> Result<PiecePlan, CoreError> {
        self.0.plan(piece)
    }

    fn search(&self, piece: &Piece, interrupt: &Interrupt) -> Result<PieceOutcome, CoreError> {
        interrupt.check()?;
        let Derived { budget, domain_size } = self.0.derive(piece)?;
        Ok(PieceOutcome { budget, domain_size, ..PieceOutcome::default() })
    }
}
