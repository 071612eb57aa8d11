//! Flagged domains, exactly: which of their arguments are candidates.

use std::time::Instant;

use crate::cpu::walk::{Curvature, Flagged, ONE, WalkConstants, number};
use tmd_core::{
    Candidates, CoreError, MAX_CANDIDATES, Phases, Piece, PieceOutcome, contfrac::LatticeBasis,
    walk::contract::PairContract,
};

use super::{layout::WalkLayout, run::Walked};

/// Calls `found(x)` for every `x` with `|x| ≤ N/2` at which the flagged domain's parabola is within
/// acc of an integer, by the kernel's own arithmetic.
fn points(flagged: &Flagged, constants: &WalkConstants, mut found: impl FnMut(i64)) {
    let length = |words| i128::from(number(words) as i64);
    let basis = LatticeBasis {
        u: flagged.u.into(),
        p: length(flagged.p),
        v: flagged.v.into(),
        q: length(flagged.q),
        modulus: ONE.into(),
    };
    debug_assert_eq!(PairContract::GPU.violation(constants.order.into(), &basis), None, "{flagged:?}");
    let kappa = number(flagged.kappa);
    let curvature = Curvature::of_kappa(kappa, constants);
    let (width, accepted) = (number(constants.half_width).into(), number(constants.acceptance).into());
    basis.near(number(flagged.beta).into(), constants.half_domain.into(), width, |x, off| {
        let g = i128::from(curvature.square(x as i32, constants)) - i128::from(kappa) + off;
        if g.unsigned_abs() <= accepted {
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
