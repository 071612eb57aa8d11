//! For tests of what compares lists.

use tmd_core::{Backend, CoreError, Interrupt, Piece, PieceOutcome, PiecePlan};
use tmd_simd::{Level, Simd};

/// A walk that loses its last candidate.
pub(crate) struct Forgetful;

impl Backend for Forgetful {
    fn name(&self) -> String {
        "forgetful".into()
    }

    fn plan(&self, piece: &Piece) -> Result<PiecePlan, CoreError> {
        Simd::farey(Level::best()).plan(piece)
    }

    fn search(&self, piece: &Piece, interrupt: &Interrupt) -> Result<PieceOutcome, CoreError> {
        let mut found = Simd::farey(Level::best()).search(piece, interrupt)?;
        found.candidates.pop();
        Ok(found)
    }
}
