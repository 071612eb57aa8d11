//! Backends timed over the same pieces, side by side.

use tmd_core::{Backend, Interrupt, Piece, Window};
use tmd_simd::{Level, Simd};

use crate::ToolError;
use crate::figures::timed;

/// The least seconds that each backend takes for all pieces, of so many interleaved runs: what else
/// the machine does hits all of them alike. Every list is compared with the Farey walk's.
///
/// # Errors
/// If a piece cannot be searched, or a backend finds something else than the walk.
pub(super) fn race(
    backends: &[Box<dyn Backend>],
    pieces: &[Piece],
    times: u32,
) -> Result<Vec<f64>, ToolError> {
    let walk = Simd::farey(Level::best());
    let search = |backend: &dyn Backend, piece: &Piece| backend.search(piece, &Interrupt::new());
    let expected = pieces
        .iter()
        .map(|piece| Ok(within(piece, search(&walk, piece)?.candidates)))
        .collect::<Result<Vec<_>, ToolError>>()?;
    let mut best = vec![f64::INFINITY; backends.len()];
    for _ in 0..times {
        for (backend, best) in backends.iter().zip(&mut best) {
            let mut seconds = 0.0;
            for (piece, expected) in pieces.iter().zip(&expected) {
                let (outcome, taken) = timed(|| search(&**backend, piece));
                let found = within(piece, outcome?.candidates);
                let place = format!("a piece of {} arguments", piece.arguments());
                ToolError::unless_same(&place, (&backend.name(), &found), (&walk.name(), expected))?;
                seconds += taken;
            }
            *best = best.min(seconds);
        }
    }
    Ok(best)
}

/// Those candidates whose exact value is within the piece's own half-width: engines with coarser
/// values may list more, which confirmation drops, and none may list less.
pub(crate) fn within(piece: &Piece, mut candidates: Vec<u64>) -> Vec<u64> {
    if let Some(window) = Window::new(piece.half_width()) {
        candidates.retain(|&k| window.holds(piece.value(k).high64()));
    }
    candidates
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Forgetful;
    use tmd_core::{Scalar, ScalarEngine, exist::Logms};
    use tmd_simd::SimdEngine;

    /// A part of I₀ with candidates.
    fn part() -> Piece {
        crate::piece("exp", "1", 1 << 40, 54).part(0, 1 << 33).unwrap()
    }

    #[test]
    fn every_threshold_finds_the_walks_list() {
        let piece = part();
        let expected = Simd::farey(Level::best()).search(&piece, &Interrupt::new()).unwrap().candidates;
        assert!(!expected.is_empty());
        let mut backends: Vec<Box<dyn Backend>> = Vec::new();
        for logms in [0, 1, 3, 8, 64].map(|bits| Logms::new(bits).unwrap()) {
            for level in Level::available() {
                for engine in [SimdEngine::Regular, SimdEngine::Lefevre, SimdEngine::LefevreSwap] {
                    let simd = Simd::new(engine, level).with_logms(logms);
                    backends.push(Box::new(simd.with_domain_size(Some(1 << 15))));
                }
            }
            let engine = ScalarEngine::Regular;
            backends.push(Box::new(Scalar { engine, logms, domain_size: Some(1 << 15) }));
        }
        let seconds = race(&backends, &[piece], 1).unwrap();
        assert!(seconds.len() == backends.len() && seconds.iter().all(|s| s.is_finite() && *s > 0.0));
    }

    #[test]
    fn a_wrong_list_is_an_error() {
        let error = race(&[Box::new(Forgetful)], &[part()], 1).unwrap_err();
        assert!(matches!(&error, ToolError::Disagreement { engine, .. } if engine == "forgetful"), "{error}");
    }
}
