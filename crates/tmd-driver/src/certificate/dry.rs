//! [`Dry`]: a backend that plans and does not search, so that a search with it derives every piece
//! and every budget again.

use core::sync::atomic::{AtomicBool, Ordering};

use tmd_core::{Backend, CoreError, Derived, Interrupt, Piece, PieceOutcome, PiecePlan};

/// Another backend's plans, without its searches.
pub(super) struct Dry<'a> {
    backend: &'a dyn Backend,
    has_fallback: AtomicBool,
}

impl<'a> Dry<'a> {
    pub(super) const fn new(backend: &'a dyn Backend) -> Self {
        Self { backend, has_fallback: AtomicBool::new(false) }
    }

    /// Whether the backend leaves a part of what was derived until now to its fallback.
    pub(super) fn has_fallback(&self) -> bool {
        self.has_fallback.load(Ordering::Relaxed)
    }
}

impl Backend for Dry<'_> {
    fn name(&self) -> String {
        self.backend.name()
    }

    fn plan(&self, piece: &Piece) -> Result<PiecePlan, CoreError> {
        self.backend.plan(piece)
    }

    fn search(&self, piece: &Piece, interrupt: &Interrupt) -> Result<PieceOutcome, CoreError> {
        interrupt.check()?;
        let Derived { budget, domain_size, has_fallback } = self.backend.derive(piece)?;
        self.has_fallback.fetch_or(has_fallback, Ordering::Relaxed);
        Ok(PieceOutcome { budget, domain_size, ..PieceOutcome::default() })
    }
}
