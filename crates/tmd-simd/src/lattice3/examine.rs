//! A second look at a window, in doubles, one triple after the other.

use tmd_core::{
    difftable::Upper,
    lattice3::{Counters, Start},
};

/// Most triples of a window; with more it is searched exactly.
const MAX_TRIPLES: f64 = 4096.0;

/// Longest vector whose points are trusted to a tolerance.
const LONGEST: f64 = 65536.0;

/// Longest row of the dual basis.
const LONGEST_ROW: f64 = 64.0;

/// Errors of phases, and of coordinates by those of the dual basis, if rows are no longer (lemma 11).
const OFF: f64 = 1.0 / (1u64 << 40) as f64;

/// By so much ranges are wider.
const MARGIN: f64 = 1.0 / (1u64 << 20) as f64;

/// How far from 0 the computed value of a case may be, if no vector is longer (lemma 11).
fn tolerance(model: Upper, longest: f64) -> f64 {
    (model.get() + 32.0 * longest * OFF + longest * longest * 2f64.powi(-38)) * (1.0 + 2f64.powi(-40))
}

/// Whether the window may hold a case's point for one of these targets, as far as doubles tell; `model` is what separates a case's
/// point from the parabola, in units of κ.
pub(super) fn needs_a_search(start: &Start, targets: usize, model: Upper, counters: &mut Counters) -> bool {
    let d = &start.dual;
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
    let tolerance = tolerance(model, most(&basis));
    // NaN is not small
    let is_tame = most(&basis) <= LONGEST && most(d) <= LONGEST_ROW && tolerance < 0.125;
    if !is_tame {
        return true;
    }
    let reach =
        d.map(|[x, y, v]| (x.abs() + y.abs() + v.abs() * (1.0 + tolerance)) * (1.0 + MARGIN) + MARGIN);
    // n_2 varies along the shortest vector
    let last = (0..3).max_by(|&a, &b| reach[a].total_cmp(&reach[b])).unwrap_or(2);
    let order = [(last + 1) % 3, (last + 2) % 3, last];
    let [p, q, s] = order.map(|i| basis[i]);
    'targets: for phases in &start.phases[..targets] {
        // as signed integers they are centered
        let phases = phases.map(|phase| phase as i64 as f64 * 2f64.powi(-64));
        let (mut first, mut end, mut triples) = ([0.0; 3], [0.0; 3], 1.0);
        for (n, &i) in order.iter().enumerate() {
            let (from, to) = ((phases[i] - reach[i]).ceil(), (phases[i] + reach[i]).floor());
            if from > to {
                continue 'targets;
            }
            triples *= to - from + 1.0;
            (first[n], end[n]) = (phases[i] - from, phases[i] - to);
        }
        let is_few = triples <= MAX_TRIPLES;
        if !is_few {
            return true;
        }
        counters.tried += triples as u64;
        let edge = 1.0 + tolerance;
        let mut a = first[0];
        while a >= end[0] - 0.5 {
            let mut b = first[1];
            while b >= end[1] - 0.5 {
                let [x, tau, nu] = [0, 1, 2].map(|c| a * p[c] + b * q[c]);
                let mut c = first[2];
                while c >= end[2] - 0.5 {
                    let (x, tau, nu) = (x + c * s[0], tau + c * s[1], nu + c * s[2]);
                    let off = nu - 1.0 + 2.0 * tau * tau;
                    if x.abs() <= edge && tau.abs() <= edge && off.abs() <= tolerance {
                        return true;
                    }
                    c -= 1.0;
                }
                b -= 1.0;
            }
            a -= 1.0;
        }
    }
    false
}
