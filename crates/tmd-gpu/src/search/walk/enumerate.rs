//! Flagged domains, exactly: which of their arguments are candidates.

use std::time::Instant;

use crate::cpu::walk::{Bend, Flagged, ONE, WalkConstants, number};
use tmd_core::{
    CoreError, Phase, Phases, Piece, PieceOutcome,
    contfrac::LatticeBasis,
    scalar::{MAX_CANDIDATES, parabola::Window},
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
    let kappa = number(flagged.kappa);
    let bend = Bend::of_kappa(kappa, constants);
    let (width, accepted) = (number(constants.half_width).into(), number(constants.acceptance).into());
    basis.near(number(flagged.beta).into(), constants.half_domain.into(), width, |x, off| {
        let g = i128::from(bend.square(x as i32, constants)) - i128::from(kappa) + off;
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
    // half-widths below 1/8 fit
    let Some(window) = Window::new(piece.half_width()) else {
        return Err(CoreError::TooManyCandidates { limit: MAX_CANDIDATES, arguments: piece.arguments() });
    };
    let half = (plan.domain / 2) as i64;
    let mut candidates = Vec::new();
    let mut enumerated = 0;
    for flagged in &walked.flagged {
        let Some(first) = packets.first_argument(flagged.run, flagged.step, piece) else { continue };
        enumerated += 1;
        points(flagged, walk, |x| {
            let inside = (-half..half).contains(&x); // x = N/2 belongs to the next domain
            let k = (first as i64 + half + x) as u64;
            if inside && k < piece.arguments() && window.holds(piece.value(k).high64()) {
                candidates.push(k);
            }
        });
        if candidates.len() > MAX_CANDIDATES {
            return Err(CoreError::TooManyCandidates { limit: MAX_CANDIDATES, arguments: piece.arguments() });
        }
    }
    candidates.sort_unstable();
    let arguments = piece.arguments();
    let domains = arguments.div_ceil(plan.domain);
    let phase =
        |domains_in, domains_out, arguments_in, time| Phase { domains_in, domains_out, arguments_in, time };
    let found = candidates.len() as u64;
    let phases = Phases {
        generate: phase(domains, domains, arguments, walked.preparing + walked.kernels.of(&["generate"])),
        test: phase(domains, enumerated, arguments, walked.kernels.of(&["farey"]) + walked.kernels.waited()),
        refine: Phase::default(),
        exhaust: phase(enumerated, found, enumerated * plan.domain, started.elapsed()),
    };
    let kernels = walked.kernels.list().to_vec();
    Ok(PieceOutcome {
        candidates,
        phases,
        budget: packets.partition.budget,
        domain_size: plan.domain,
        kernels,
    })
}
