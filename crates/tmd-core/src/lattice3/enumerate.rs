//! Enumeration of a window's lattice points, in doubles, one triple after the other.

use super::Counters;

/// Most triples of a window; with more it is searched exactly.
const MAX_TRIPLES: f64 = 4096.0;

/// Longest vector whose points are trusted to a tolerance.
const LONGEST: f64 = 65536.0;

/// Longest row of the dual basis.
const LONGEST_ROW: f64 = 64.0;

/// Errors of phases, and of coordinates by those of the dual basis, if it is from a frame and rows
/// are no longer (lemma 13).
pub const OFF: f64 = 1.0 / (1u64 << 40) as f64;

/// By so much ranges are wider.
const MARGIN: f64 = 1.0 / 1024.0;

/// How far from 0 the computed value of a case may be, if no vector is longer (lemma 13).
fn tolerance(model: f64, off: f64, longest: f64) -> f64 {
    (model + 32.0 * longest * off + longest * longest * 2f64.powi(-38)) * (1.0 + 2f64.powi(-40))
}

/// Whether the window may hold a case's point for a target, as far as doubles tell: d is the dual
/// basis, phases are in units of 2^-64, `model` is what separates a case's point from the parabola,
/// in units of κ, and `off` what phases and coordinates are off.
pub fn needs_a_search(
    d: &[[f64; 3]; 3],
    phases: &[u64; 3],
    model: f64,
    off: f64,
    counters: &mut Counters,
) -> bool {
    let cross = |a: [f64; 3], b: [f64; 3]| {
        [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    };
    let mut rows = [cross(d[1], d[2]), cross(d[2], d[0]), cross(d[0], d[1])];
    let determinant = d[0][0] * rows[0][0] + d[0][1] * rows[0][1] + d[0][2] * rows[0][2];
    for c in rows.iter_mut().flatten() {
        *c /= determinant;
    }
    let basis = rows;
    let most = |rows: &[[f64; 3]; 3]| {
        rows.iter().flatten().fold(1.0, |most: f64, c| if c.abs() <= most { most } else { c.abs() })
    };
    let tolerance = tolerance(model, off, most(&basis));
    // NaN is not small
    let is_tame = most(&basis) <= LONGEST && most(d) <= LONGEST_ROW && tolerance < 0.125 && off <= MARGIN;
    if !is_tame {
        return true;
    }
    let reach =
        d.map(|[x, y, v]| (x.abs() + y.abs() + v.abs() * (1.0 + tolerance)) * (1.0 + MARGIN) + MARGIN);
    // as signed integers they are centered
    let phases = phases.map(|phase| phase as i64 as f64 * 2f64.powi(-64));
    // coordinates less the first integer, and how many integers
    let (mut first, mut counts, mut triples) = ([0.0; 3], [0u32; 3], 1.0);
    for i in 0..3 {
        let (from, to) = ((phases[i] - reach[i]).ceil(), (phases[i] + reach[i]).floor());
        if from > to {
            return false;
        }
        let count = to - from + 1.0;
        triples *= count;
        (first[i], counts[i]) = (phases[i] - from, count as u32);
    }
    let is_few = triples <= MAX_TRIPLES;
    if !is_few {
        return true;
    }
    counters.tried += triples as u64;
    let edge = 1.0 + tolerance;
    let step = |[x, y, v]: [f64; 3], n: f64, i: usize| {
        let [p, q, r] = basis[i];
        [x + n * p, y + n * q, v + n * r]
    };
    for a in 0..counts[0] {
        let plane = step([0.0, 0.0, -1.0], first[0] - f64::from(a), 0);
        for b in 0..counts[1] {
            let line = step(plane, first[1] - f64::from(b), 1);
            for c in 0..counts[2] {
                let [x, tau, nu] = step(line, first[2] - f64::from(c), 2);
                let off = nu + 2.0 * tau * tau;
                if x.abs() <= edge && tau.abs() <= edge && off.abs() <= tolerance {
                    return true;
                }
            }
        }
    }
    false
}
