//! Enumeration of a window's lattice points, in doubles, one triple after the other.

use super::Counters;

/// Most triples of a window; with more it is searched exactly.
const MAX_TRIPLES: f64 = 4096.0;

/// Longest vector whose points are trusted to a tolerance.
const LONGEST: f64 = 65536.0;

/// Longest row of the dual basis.
const LONGEST_ROW: f64 = 64.0;

/// What a phase, in turns, and its row times a point of the box may be off together, for a dual
/// basis from a frame with rows of at most 64 (lemma L.20).
pub const OFF: f64 = 1.0 / (1u64 << 40) as f64;

/// Ranges are wider by this share of their reach.
const MARGIN: f64 = 1.0 / 1024.0;

/// How far from 0 the computed value of a case may be, if its coordinates are off by so much, no
/// component of a vector is larger than `longest`, and the lengths of the rows are `volume` times
/// the determinant (Lemma L.20, which proofs/Lanes.v has but for the roundings).
fn tolerance(model: f64, [_, tau, nu]: [f64; 3], longest: f64, volume: f64) -> f64 {
    let roundings = longest * 2f64.powi(-38) + volume * 2f64.powi(-46);
    (model + nu + (4.0 + 1.0 / 16.0) * tau + roundings) * (1.0 + 2f64.powi(-40))
}

/// Largest model and tolerance with which anything is said of a window.
const WIDEST: f64 = 0.125;

/// Whether no point of a box next to the parabola has a coordinate in this row that is an integer,
/// whatever the other rows are (Theorem L.18). Where one is too long to say anything, another one
/// may.
fn is_empty(row: &[f64; 3], phase: u64, model: f64, off: f64) -> bool {
    let [x, y, v] = row.map(f64::abs);
    let reach = (x + y + v * (1.0 + WIDEST)) * (1.0 + MARGIN) + MARGIN;
    // at most 1/2: 0 and 1 are the integers next to it
    let phase = (phase as i64 as f64 * 2f64.powi(-64)).abs();
    // each false for NaN; longer rows than bounds hold of have integers everywhere
    model <= WIDEST && off <= MARGIN / 2.0 && reach < phase && phase + reach < 1.0
}

/// The floor of a small number, without the call that processors without SSE 4.1 make of it.
fn floor(x: f64) -> f64 {
    debug_assert!(x.abs() < 1024.0, "rows are at most 64");
    let towards_0 = f64::from(x as i32);
    if towards_0 > x { towards_0 - 1.0 } else { towards_0 }
}

/// Whether the window may hold a case's point for a target, as far as doubles tell: d is the dual
/// basis, phases are in units of 2^-64, `model` is what separates a case's point from the parabola,
/// in units of κ. A phase, and its row times a point of the box, are off together by at most `off`
/// times the exact row's length, and by [`OFF`]. `true` may be wrong, `false` never (Lemma L.20).
pub fn needs_a_search(
    d: &[[f64; 3]; 3],
    phases: &[u64; 3],
    model: f64,
    off: f64,
    counters: &mut Counters,
) -> bool {
    // an exact row is longer by a share of `off` at most, and by OFF
    let off = d.map(|[x, y, v]| {
        let length = x.abs() + y.abs() + v.abs();
        off * (length + OFF) * (1.0 + 2.0 * off) + OFF
    });
    if (0..3).any(|i| is_empty(&d[i], phases[i], model, off[i])) {
        return false;
    }
    let cross = |a: [f64; 3], b: [f64; 3]| {
        [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    };
    let rows = [cross(d[1], d[2]), cross(d[2], d[0]), cross(d[0], d[1])];
    let determinant = d[0][0] * rows[0][0] + d[0][1] * rows[0][1] + d[0][2] * rows[0][2];
    let basis = rows.map(|row| row.map(|c| c / determinant));
    let most = |rows: &[[f64; 3]; 3]| {
        rows.iter().flatten().fold(1.0, |most: f64, c| if c.abs() <= most { most } else { c.abs() })
    };
    // with a little more, which counts where a row is short
    let lengths = d.map(|[x, y, v]| x.abs() + y.abs() + v.abs() + MARGIN);
    let volume = lengths[0] * lengths[1] * lengths[2] / determinant.abs();
    // what that moves a point
    let moved = [0, 1, 2].map(|c| (0..3).map(|i| off[i] * basis[i][c].abs()).sum::<f64>());
    let tolerance = tolerance(model, moved, most(&basis), volume);
    // NaN is not small, and one of any number is in the tolerance
    let is_tame = most(&basis) <= LONGEST
        && most(d) <= LONGEST_ROW
        && tolerance < WIDEST
        && off.iter().all(|&off| off <= MARGIN);
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
        let (from, to) = (-floor(reach[i] - phases[i]), floor(phases[i] + reach[i]));
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
    let edge = 1.0 + tolerance + moved[0];
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers in [0, 1).
    fn random(state: &mut u64) -> f64 {
        *state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        (*state >> 11) as f64 * 2f64.powi(-53)
    }

    fn length(row: &[f64; 3]) -> f64 {
        row.iter().map(|c| c.abs()).sum()
    }

    /// A dual basis of vectors that move the value to one side, and phases of a case's point that
    /// are off by `off` times a row to that side; the point is so far from the parabola.
    fn question(state: &mut u64, off: f64, distance: f64) -> ([[f64; 3]; 3], [u64; 3]) {
        let b: [[f64; 3]; 3] =
            core::array::from_fn(|_| [8.0 * random(state) - 4.0, 3.0 + random(state), 3.0 + random(state)]);
        let cross = |a: [f64; 3], b: [f64; 3]| {
            [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
        };
        let rows = [cross(b[1], b[2]), cross(b[2], b[0]), cross(b[0], b[1])];
        let determinant: f64 = (0..3).map(|c| b[0][c] * rows[0][c]).sum();
        let d = rows.map(|row| row.map(|c| c / determinant));
        let point = [2.0 * random(state) - 1.0, 1.0, -1.0 + distance];
        let phases = d.map(|row| {
            let phase: f64 = (0..3).map(|c| row[c] * point[c]).sum::<f64>() + off * length(&row);
            ((phase - phase.floor()) * 2f64.powi(64)) as u64
        });
        (d, phases)
    }

    /// A case's point is found with errors as large as they may be, and lemma L.20 has no room to
    /// spare: with half of it, it is lost.
    #[test]
    fn errors_are_within_their_bounds() {
        let off = 2f64.powi(-20);
        let (mut state, mut lost, mut looked) = (1u64, 0, 0);
        for n in 0..2000 {
            let model = if n % 2 == 0 { 0.0 } else { 2f64.powi(-13) };
            let mut counters = Counters::default();
            let (d, phases) = question(&mut state, off, model);
            assert!(needs_a_search(&d, &phases, model, off, &mut counters), "{d:?} {phases:?}");
            looked += u32::from(counters.tried > 0);
            lost += u32::from(!needs_a_search(&d, &phases, model, off / 2.0, &mut counters));
            if n % 2 == 1 {
                lost += u32::from(!needs_a_search(&d, &phases, 0.0, off / 2.0, &mut counters));
            }
        }
        assert!(looked > 500 && lost > 200, "{looked} looked at, {lost} lost with half");
    }

    /// Rows that no bound holds of are not looked at, nor is anything that is no number.
    #[test]
    fn what_is_not_tame_needs_a_search() {
        let mut state = 2;
        let (d, phases) = question(&mut state, 0.0, 0.5);
        let needs =
            |d: &[[f64; 3]; 3], off: f64| needs_a_search(d, &phases, 0.0, off, &mut Counters::default());
        assert!(!needs(&d, 0.0));
        assert!(needs(&d, 0.5) && needs(&d, f64::NAN));
        for i in 0..3 {
            for c in 0..3 {
                for bad in [f64::NAN, f64::INFINITY, 65.0] {
                    let mut other = d;
                    other[i][c] = bad;
                    assert!(needs(&other, 0.0), "{bad} at {i}, {c}");
                }
            }
        }
        // two rows that are the same, and one that is none
        let needs = |d: &[[f64; 3]; 3], phases: &[u64; 3]| {
            needs_a_search(d, phases, 0.0, 0.0, &mut Counters::default())
        };
        let [p, q, r] = phases;
        assert!(needs(&[d[0], d[0], d[1]], &[p, p, q]) && needs(&[[0.0; 3], d[1], d[2]], &[0, q, r]));
    }

    /// Theorem L.18: a row has an integer for every point next to the parabola, with errors as
    /// large as they may be, and one a little farther away is missed; what the other rows are is
    /// nothing to it.
    #[test]
    fn one_row_says_enough() {
        let mut state = 3;
        let (mut missed, long) = (0, [1e9, f64::NAN, 1.0]);
        for n in 0..2000 {
            let [p, a, b] = [0; 3].map(|_| random(&mut state) - 0.5);
            let (row, model) = ([p, a, b], if n % 2 == 0 { 0.0 } else { WIDEST });
            let far = p.abs() + a.abs() + b.abs() * (1.0 + model);
            for (off, is_missed) in
                [(MARGIN * 0.49, false), (0.0, false), (1.5 * MARGIN + far * MARGIN, true)]
            {
                // an integer beyond which is nothing
                let phase = far + off - if far + off > 0.5 { (far + off).round() } else { 0.0 };
                // before or behind it; a little less than what is allowed
                let share = MARGIN * 0.49 / length(&row);
                let phase = (if n % 4 < 2 { phase } else { -phase } * 2f64.powi(64)) as i64 as u64;
                let needs = |d: &[[f64; 3]; 3], phases: &[u64; 3]| {
                    needs_a_search(d, phases, model, share, &mut Counters::default())
                };
                if is_missed && model == WIDEST && far + off < 0.5 {
                    missed += u32::from(!needs(&[long, row, long], &[0, phase, 0]));
                } else if !is_missed {
                    assert!(needs(&[long, row, long], &[0, phase, 0]), "{row:?} {off}");
                }
            }
        }
        assert!(missed > 20, "{missed}");
        // where errors may be larger, or rows too long for what is said of them, nothing is said
        let says = |off: f64| {
            let rows = [long, [0.1; 3], long];
            !needs_a_search(&rows, &[0, 1 << 63, 0], 0.0, off / 0.3, &mut Counters::default())
        };
        assert!(says(MARGIN * 0.49) && !says(MARGIN * 0.51));
        let beyond = [LONGEST_ROW, f64::NAN, f64::INFINITY];
        for (c, bad) in (0..3).flat_map(|c| beyond.map(|bad| (c, bad))) {
            let mut row = [0.0; 3];
            row[c] = bad;
            assert!(!is_empty(&row, 1 << 63, 0.0, 0.0) && !is_empty(&[0.1; 3], 1 << 63, bad, 0.0), "{bad}");
        }
    }
}
