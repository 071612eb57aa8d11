//! A flagged domain, exactly: which of its arguments are candidates.

use tmd_core::{
    contfrac::LatticeBasis,
    walk::contract::{MAX_ORDER, Unit},
};

use super::kernel::{self, Constants, Flagged, UNIT};

/// Its log2.
const BITS: u32 = Unit::LANES.bits();

/// A domain's parabola as its lane sees it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Curvature {
    pub(super) curvature: f64,
    pub(super) kappa: f64,
}

/// Calls `found(x)` for every `x` with `|x| ≤ N/2` at which the flagged domain's parabola is within
/// acc of an integer; a point whose parabola is farther may be among them, an argument twice is
/// not.
pub(super) fn points(flagged: &Flagged, bend: Curvature, constants: &Constants, mut found: impl FnMut(i64)) {
    let place = LatticeBox::new(flagged, constants);
    let look = |x: i64, off: i64| {
        let bent = bend.curvature * (x * x) as f64;
        let g = bent - bend.kappa + off as f64 / UNIT;
        // a relative 2^-20 of acc is far more than the roundings of g, each below 2^-52 of h ≤ 1/2
        // … and far less than what a candidate costs
        if g.abs() <= constants.acceptance * (1.0 + 1.0 / 1_048_576.0) + 4.0 / UNIT {
            found(x);
        }
    };
    match place.two_lines() {
        Some(lines) => lines.near(look),
        None => place.near(look),
    }
}

/// A flagged domain's basis and box, in units of 2^-52.
#[derive(Clone, Copy, Debug)]
pub(super) struct LatticeBox {
    basis: LatticeBasis,
    beta: i64,
    half_domain: i64,
    width: i64,
}

impl LatticeBox {
    pub(super) fn new(flagged: &Flagged, constants: &Constants) -> Self {
        let Flagged { u, v, p, q, .. } = *flagged;
        // any basis will do, of counts and lengths that a walk may have: the casts are exact
        debug_assert_eq!(kernel::violation([u, v], [p, q], MAX_ORDER), None, "{flagged:?}");
        let basis = LatticeBasis {
            u: flagged.u as i64,
            p: (flagged.p * UNIT) as i128,
            v: flagged.v as i64,
            q: (flagged.q * UNIT) as i128,
            modulus: Unit::LANES.one(),
        };
        Self {
            basis,
            beta: (flagged.beta * UNIT) as i64,
            half_domain: constants.half_domain as i64,
            width: (constants.half_width * UNIT).ceil() as i64,
        }
    }

    /// Calls `found(x, y − beta)` for every lattice point of the box: [`LatticeBasis::near`].
    pub(super) fn near(&self, mut found: impl FnMut(i64, i64)) {
        let Self { basis, beta, half_domain, width } = *self;
        // y − beta is no more than the width
        basis.near(beta.into(), half_domain, width.into(), |x, off| found(x, off as i64));
    }

    /// The two lines next to `U·β` if no others are near, that is where ρ < 1, and the points of a
    /// line have distances: nearly always.
    pub(super) fn two_lines(&self) -> Option<TwoLines> {
        let Self { basis: LatticeBasis { u, p, v, q, modulus }, beta, half_domain, width } = *self;
        let (u, p, v, q, sign) = if p.abs() <= q.abs() { (u, p, v, q, 1) } else { (v, q, u, p, -1) };
        let spread = p.abs() * i128::from(half_domain) + i128::from(u) * i128::from(width);
        // lengths are below 2
        let lines = TwoLines { u, p: p as i64, v, q: q as i64, sign, spread, beta, half_domain, width };
        (spread < modulus && p != 0).then_some(lines)
    }
}

/// A [`LatticeBox`] with two lines: its basis with the shorter length first, the sign of x that
/// makes it one, and `|P|·half_domain + U·width`.
#[derive(Clone, Copy, Debug)]
pub(super) struct TwoLines {
    u: i64,
    p: i64,
    v: i64,
    q: i64,
    sign: i64,
    spread: i128,
    beta: i64,
    half_domain: i64,
    width: i64,
}

impl TwoLines {
    /// The same points as [`LatticeBox::near`], without its divisions of integers.
    ///
    /// With ρ < 1 only the two lines next to `U·β` are near. On a line `s` is within
    /// `half_domain/U` of `t·V/U`, and within `width/|P|` of `(β − t·Q)/P`: ranges that are
    /// computed in `f64` and widened, so that they hold what they should; whatever else they hold
    /// is seen by what it is. The first has its ends below 2^26, and is wider by 2^-10, which is
    /// more than its errors; the errors of the second, of any size, are below a relative 2^-51 of
    /// middle and radius. Products are exact modulo 2^64, and so are differences that are below
    /// 2^63.
    pub(super) fn near(&self, mut found: impl FnMut(i64, i64)) {
        let Self { u, p, v, q, sign, spread, beta, half_domain, width } = *self;
        let middle = i128::from(u) * i128::from(beta);
        let (below, rest) = ((middle >> BITS) as i64, middle & ((1 << BITS) - 1));
        let inverse = [1.0 / u as f64, 1.0 / p as f64];
        for (t, distance) in [(below, rest), (below + 1, (1 << BITS) - rest)] {
            if distance > spread {
                continue;
            }
            let base = beta.wrapping_sub(t.wrapping_mul(q)); // y − beta = s·P − base
            let (x_middle, x_radius) =
                ((t * v) as f64 * inverse[0], half_domain as f64 * inverse[0] + 1.0 / 1024.0);
            let (y_middle, y_radius) = (base as f64 * inverse[1], width as f64 * inverse[1].abs());
            let y_radius = y_radius + (y_middle.abs() + y_radius) * (4.0 / UNIT);
            let first = (x_middle - x_radius).max(y_middle - y_radius).ceil() as i64;
            let last = (x_middle + x_radius).min(y_middle + y_radius).floor() as i64;
            for s in first..=last {
                let (x, off) = (s * u - t * v, s.wrapping_mul(p).wrapping_sub(base));
                if x.abs() <= half_domain && off.abs() <= width {
                    found(sign * x, off);
                }
            }
        }
    }
}
