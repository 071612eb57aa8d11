//! A flagged domain, exactly: which of its arguments are candidates.

use tmd_core::contfrac::LatticeBasis;

use super::kernel::{Constants, Flagged};

/// `2^52`: the unit in which the lanes' fractions are integers.
const UNIT: f64 = 4_503_599_627_370_496.0;

/// A domain's parabola as its lane sees it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bend {
    pub(super) curvature: f64,
    pub(super) kappa: f64,
}

/// Calls `found(x)` for every `x` with `|x| ≤ N/2` at which the flagged domain's parabola is within acc of an integer; a
/// point whose parabola is farther may be among them, an argument twice is not.
pub(super) fn points(flagged: &Flagged, bend: Bend, constants: &Constants, mut found: impl FnMut(i64)) {
    // counts are integers below 2^27, fractions multiples of 2^-52 below 2: the casts are exact
    let basis = LatticeBasis {
        u: flagged.u as i64,
        p: (flagged.p * UNIT) as i128,
        v: flagged.v as i64,
        q: (flagged.q * UNIT) as i128,
        modulus: UNIT as i128,
    };
    let height = (flagged.height * UNIT) as i128;
    let width = (constants.half_width * UNIT).ceil() as i128;
    basis.near(height, constants.reach as i64, width, |x, off| {
        let bent = bend.curvature * (x * x) as f64;
        let g = bent - bend.kappa + off as f64 / UNIT;
        // a relative 2^-20 of acc is far more than the three roundings of g, each below 2^-52 of h ≤ 1/2 … and far less
        // than what a candidate costs
        if g.abs() <= constants.acceptance * (1.0 + 1.0 / 1_048_576.0) + 4.0 / UNIT {
            found(x);
        }
    });
}
