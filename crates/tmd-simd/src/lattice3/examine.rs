//! A second look at a window, in doubles, one triple after the other.

use tmd_core::lattice3::Counters;

use super::kernel::{Flagged, MARGIN};

/// Most triples of a window; with more it is searched exactly.
const MAX_TRIPLES: f64 = 4096.0;

/// Longest vector whose points are trusted to a tolerance.
const LONGEST: f64 = 65536.0;

/// Error bounds of a lane's windows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    /// what separates a case's point from the parabola of the lanes, in units of κ
    pub(super) model: f64,
    /// errors of phases, and of coordinates by those of the dual basis
    pub(super) off: f64,
}

impl Bounds {
    /// How far from 0 the computed value of a case may be, if no vector is longer (lemma 9).
    pub(super) fn tolerance(&self, longest: f64) -> f64 {
        (self.model + 32.0 * longest * self.off + longest * longest * 2f64.powi(-38)) * (1.0 + 2f64.powi(-40))
    }
}

/// Whether the window may hold a case's point for this target, as far as doubles tell.
pub(super) fn needs_a_search(record: &Flagged, bounds: &Bounds, counters: &mut Counters) -> bool {
    let d = &record.dual;
    let cross = |a: [f64; 3], b: [f64; 3]| {
        [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    };
    let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    let rows = [cross(d[1], d[2]), cross(d[2], d[0]), cross(d[0], d[1])];
    let determinant = dot(d[0], rows[0]);
    let basis = rows.map(|row| row.map(|c| c / determinant));
    let longest =
        basis.iter().flatten().fold(1.0, |most: f64, c| if c.abs() <= most { most } else { c.abs() });
    let tolerance = bounds.tolerance(longest);
    // NaN is not small
    let is_tame = longest <= LONGEST && tolerance < 0.125;
    if !is_tame {
        return true;
    }
    let (mut first, mut last, mut triples) = ([0i64; 3], [0i64; 3], 1.0);
    for i in 0..3 {
        let r = (d[i][0].abs() + d[i][1].abs() + d[i][2].abs() * (1.0 + MARGIN)) * (1.0 + MARGIN) + MARGIN;
        let c = record.phases[i];
        let (from, to) = ((c - r).ceil(), (c + r).floor());
        if from > to {
            return false;
        }
        triples *= to - from + 1.0;
        (first[i], last[i]) = (from as i64, to as i64);
    }
    let is_few = triples <= MAX_TRIPLES;
    if !is_few {
        return true;
    }
    for a in first[0]..=last[0] {
        for b in first[1]..=last[1] {
            for c in first[2]..=last[2] {
                counters.tried += 1;
                let off = [a, b, c].map(|n| n as f64);
                let coordinate = |axis: usize| -> f64 {
                    (0..3).map(|i| (record.phases[i] - off[i]) * basis[i][axis]).sum()
                };
                let (x, tau, nu) = (coordinate(0), coordinate(1), coordinate(2));
                let edge = 1.0 + tolerance;
                let q = nu - 1.0 + 2.0 * tau * tau;
                if x.abs() <= edge && tau.abs() <= edge && q.abs() <= tolerance {
                    return true;
                }
            }
        }
    }
    false
}
