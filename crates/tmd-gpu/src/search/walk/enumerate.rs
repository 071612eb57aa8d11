//! Flagged domains, exactly: which of their arguments are candidates.

use std::time::Instant;

use crate::cpu::walk::{Curvature, Flagged, Length, WalkConstants};
use tmd_core::{
    Candidates, CoreError, MAX_CANDIDATES, Phases, Piece, PieceOutcome, walk::contract::PairContract,
};

use super::{layout::WalkLayout, run::Walked};

/// Calls `found(x)` for every `x` with `|x| ≤ N/2` at which the flagged domain's parabola is within
/// acc of an integer, by the kernel's own arithmetic.
fn points(flagged: &Flagged, constants: &WalkConstants, mut found: impl FnMut(i64)) {
    let basis = flagged.pair().basis();
    debug_assert_eq!(PairContract::GPU.violation(constants.order.0.into(), &basis), None, "{flagged:?}");
    let curvature = Curvature::of_kappa(flagged.kappa, constants);
    let units = |length: Length| i128::from(length.units());
    let (beta, width) = (units(flagged.beta), units(constants.half_width));
    basis.near(beta, constants.half_domain.0.into(), width, |x, off| {
        let g = units(curvature.square(x as i32, constants)) - units(flagged.kappa) + off;
        if g.abs() <= units(constants.acceptance) {
            found(x);
        }
    });
}

/// What came out of a walk.
pub(super) fn outcome(
    piece: &Piece,
    layout: &WalkLayout,
    walked: &Walked,
) -> Result<PieceOutcome, CoreError> {
    let started = Instant::now();
    let WalkLayout { plan, packets, walk, .. } = layout;
    let arguments = piece.arguments();
    // half-widths below 1/8 fit
    let crowd = CoreError::TooManyCandidates { limit: MAX_CANDIDATES, arguments };
    let mut candidates = Candidates::new(piece).ok_or(crowd)?;
    let mut enumerated = 0;
    for flagged in &walked.flagged {
        let Some(first) = packets.first_argument(flagged.run, flagged.step, piece) else { continue };
        enumerated += 1;
        points(flagged, walk, |x| candidates.look_at_point(first, (plan.domain / 2) as i64, x));
        candidates.check()?;
    }
    let counts = [arguments, plan.domain, enumerated, candidates.count()];
    let times = [
        walked.preparing + walked.kernels.of(&["generate"]),
        walked.kernels.of(&["walk"]) + walked.kernels.waited(),
        started.elapsed(),
    ];
    Ok(PieceOutcome {
        candidates: candidates.into_sorted(),
        phases: Phases::of_walk(counts, times),
        budget: packets.partition.budget,
        domain_size: plan.domain,
        kernels: walked.kernels.list().to_vec(),
    })
}
