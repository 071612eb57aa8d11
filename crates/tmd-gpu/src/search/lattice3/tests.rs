use tmd_core::{
    difftable::power_of_two,
    lattice3::{Digits, Spot},
};
use tmd_testkit::lattice3::Ingredients;

use super::*;
use crate::cpu::lattice3::{Lattice3Constants, Seen, walk};

/// A segment of binary64 arguments next to 2^1023, of a parabola: κ is the same in all windows.
fn ingredients(seed: u64) -> Ingredients {
    let random = |k: u64| seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(k as u32 * 11) ^ k;
    Ingredients {
        alpha: [random(1), random(2), random(3)],
        indices: (1 << 52, 1 << 52),
        spans: 2,
        planted: (0, random(4), 1 << 62),
        derivatives: [random(5) as i64 >> 9, (1 << 54) + (random(6) >> 9) as i64, 0, 0],
        volume: 1.0,
        windows: 4096,
        gain: 0,
        accuracy: -20,
    }
}

/// T, from the first rows and others, in doubles: its entries are integers.
fn row_operations(first: &[[i64; 3]; 3], seen: &Seen) -> [[f64; 3]; 3] {
    let unit = power_of_two(-(Digits::BITS as i32));
    let mut e = first.map(|row| row.map(|x| x as f64 * unit));
    for row in &mut e {
        row[1] -= 8.0 * f64::from(seen.step) * row[2];
    }
    let cross = |a: [f64; 3], b: [f64; 3]| {
        [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    };
    let columns = [cross(e[1], e[2]), cross(e[2], e[0]), cross(e[0], e[1])];
    let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    let size = dot(e[0], columns[0]);
    seen.rows.map(|row| columns.map(|column| (dot(row.map(|x| x as f64 * unit), column) / size).round()))
}

/// Windows of a run of which all bounds hold.
const WALKED: u32 = 512;

/// The longest run that bounds allow here, with what is known of it.
fn longest(
    shape: &Shape,
    course: &Course<6>,
    spot: &Spot<6>,
    frame: &mut Frame,
) -> (Beginning, Bound, Reaches) {
    let view = frame.seek(course, spot).unwrap();
    let start = frame.start(course, spot, &view).unwrap();
    let reaches = Reaches::new(&start);
    let bound = |windows: u32| bounds::bound(shape, &start, &reaches, windows);
    let (windows, bound) = LENGTHS.iter().find_map(|&n| Some((n, bound(n)?))).unwrap();
    let digits = frame.digits(course, spot, &view).unwrap();
    (bounds::beginning(&start, &digits, &bound, 2, windows), bound, reaches)
}

/// Rows and phases of the kernel's windows are within their bounds of the exact ones, and the
/// bounds are not idle.
#[test]
fn numbers_are_within_their_bounds() {
    let (mut most, mut long) = (0.0f64, 0);
    for seed in 1..30 {
        let question = ingredients(seed).question();
        let course = Course::<6>::new(&question.model, &question.spans, &question.segment).unwrap();
        let shape = Shape::new(&question.segment, &question.model);
        let first = 1000 + seed as u32;
        let mut frame = Frame::TRIVIAL;
        let spot = course.spot(first);
        let (run, _, reaches) = longest(&shape, &course, &spot, &mut frame);
        let length = run.windows;
        long += u32::from(length >= 2048);
        let off = reaches.off(length);
        let constants = Lattice3Constants { runs: 1, targets: 2, capacity: 1 };
        let mut tables = vec![0; constants.table_words()];
        run.put(0, 2, &mut tables);
        let mut windows = Vec::new();
        let done = walk(&constants, 0, &tables, |_| true, |seen| windows.push(seen));
        assert_eq!((done, windows.len()), (length, length as usize));
        let steps = [0, 1, 100, 511, length - 1];
        for seen in windows.iter().filter(|seen| steps.contains(&seen.step)) {
            let spot = course.spot(first + seen.step);
            let mut other = frame;
            other.apply(&row_operations(&run.rows, seen)).unwrap();
            let view = other.view(&course, &spot).unwrap();
            let exact = other.digits(&course, &spot, &view).unwrap();
            let (dual, phases) = other.look(&course, &spot, 0).unwrap();
            for i in 0..3 {
                let size: f64 = dual[i].iter().map(|c| c.abs()).sum();
                let unit = power_of_two(-(Digits::BITS as i32));
                let off_by: f64 =
                    (0..3).map(|c| (seen.rows[i][c] - exact.dual[i][c]).unsigned_abs() as f64 * unit).sum();
                let phase = seen.phases[i].wrapping_sub(phases[i]) as i64 as f64 * power_of_two(-64);
                // a unit of each of the exact ones, which are rounded, too
                let share = (off_by + phase.abs() - 4.0 * unit) / (size * off);
                assert!(share <= 1.0, "{share} in window {}", seen.step);
                most = most.max(share);
            }
        }
    }
    assert!(most > 1.0 / 4096.0 && long > 20, "{most}, {long} long runs");
}

/// A case's point is near the parabola with numbers that are off as much as they may be, and Lemma
/// L.20 has no room to spare: with half of `off` it is lost.
#[test]
fn hits_may_be_off() {
    let (off, unit) = (power_of_two(-18), power_of_two(-(Digits::BITS as i32)));
    let mut lost = 0;
    for seed in 1..2000u64 {
        let random = |k: u64| {
            let bits = (seed * 16 + k)
                .wrapping_mul(0x9e37_79b9_7f4a_7c15)
                .rotate_left(23)
                .wrapping_mul(0xbf58_476d_1ce4_e5b9);
            (bits >> 11) as f64 * power_of_two(-53)
        };
        // vectors that move the value to one side
        let b =
            [0, 1, 2].map(|i| [8.0 * random(3 * i) - 4.0, 3.0 + random(3 * i + 1), 3.0 + random(3 * i + 2)]);
        let cross = |a: [f64; 3], b: [f64; 3]| {
            [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
        };
        let rows = [cross(b[1], b[2]), cross(b[2], b[0]), cross(b[0], b[1])];
        let determinant: f64 = (0..3).map(|c| b[0][c] * rows[0][c]).sum();
        let d = rows.map(|row| row.map(|c| c / determinant));
        let point = [2.0 * random(10) - 1.0, 1.0, -1.0];
        let phases = d.map(|row| {
            let phase: f64 =
                (0..3).map(|c| row[c] * point[c]).sum::<f64>() + off * row.map(f64::abs).iter().sum::<f64>();
            ((phase - phase.floor()) * power_of_two(64)) as u64
        });
        let rows = d.map(|row| row.map(|c| (c / unit) as i64));
        let hit = Lattice3Hit { run: 0, step: 0, target: 0, rows, phases };
        let needs =
            |off: f64| Bound { off, model: 0.0, curvature: 0.0 }.needs_a_look(&hit, &mut Counters::default());
        assert!(needs(off), "{d:?} {phases:?}");
        lost += u32::from(!needs(off / 2.0));
    }
    assert!(lost > 200, "{lost} lost with half");
}

/// Every candidate of the exact walk is in a window that the kernel hits, and whose own numbers say
/// that it needs another look; of most hits they say that it needs none.
#[test]
fn cases_need_a_look() {
    let (mut cases, mut hits, mut needed) = (0, 0, 0);
    for seed in 1..30 {
        let parabola = ingredients(seed);
        let [slope, curvature, ..] = parabola.derivatives;
        // what the shear's cubic part is for
        let third = [0, curvature / 4, -curvature][seed as usize % 3];
        let derivatives = [slope, curvature, third, 0];
        let question = Ingredients { windows: WALKED, accuracy: -14, derivatives, ..parabola }.question();
        let (spans, segment) = (&question.spans, &question.segment);
        let course = Course::<6>::new(&question.model, spans, segment).unwrap();
        let shape = Shape::new(segment, &question.model);
        let mut frame = Frame::TRIVIAL;
        let (run, bound, _) = longest(&shape, &course, &course.spot(0), &mut frame);
        let run = Beginning { windows: run.windows.min(WALKED), ..run };
        let constants = Lattice3Constants { runs: 1, targets: 2, capacity: 1 };
        let mut tables = vec![0; constants.table_words()];
        run.put(0, 2, &mut tables);
        let mut looks = Vec::new();
        let mut counters = Counters::default();
        let done = walk(
            &constants,
            0,
            &tables,
            |hit| {
                hits += 1;
                if bound.needs_a_look(&hit, &mut counters) {
                    looks.push((hit.step, hit.target as usize));
                }
                true
            },
            |_| {},
        );
        needed += looks.len();
        let mut exact = Walker::new(question.model, spans);
        for number in 0..done {
            exact
                .window(segment, number, &mut |one| {
                    cases += 1;
                    assert!(looks.contains(&(number, one.span)), "seed {seed}, window {number}");
                })
                .unwrap();
        }
    }
    assert!(cases > 10 && needed < hits, "{cases} cases, {needed} of {hits} hits");
}

/// Ranges are covered, long where there is room, and apart.
#[test]
fn ranges_are_widened() {
    let wide_by = |fewest, ranges: &[(u32, u32)]| {
        let all = widened(ranges.iter().map(|&(start, end)| start..end).collect(), fewest);
        all.into_iter().map(|range| (range.start, range.end)).collect::<Vec<_>>()
    };
    let wide = |ranges| wide_by(FEWEST, ranges);
    assert_eq!(wide(&[]), []);
    assert_eq!(wide(&[(10, 20)]), [(0, 20)]);
    assert_eq!(wide(&[(1000, 1001), (5000, 9000)]), [(745, 1001), (5000, 9000)]);
    assert_eq!(wide(&[(5000, 5100), (1000, 1300), (1300, 1310)]), [(1000, 1310), (4844, 5100)]);
    // one that reaches back over several
    assert_eq!(wide(&[(300, 600), (700, 701), (702, 703)]), [(300, 703)]);
    assert_eq!(wide_by(1, &[(702, 703), (300, 600), (600, 601)]), [(300, 601), (702, 703)]);
}

/// Windows without a case are hardly ever hits: fewer than one in 2,000, for each target.
#[test]
fn few_windows_are_hits() {
    let (mut hits, mut needed, mut windows) = (0u64, 0u64, 0u64);
    for seed in 1..40 {
        let parabola = ingredients(seed);
        let [slope, curvature, ..] = parabola.derivatives;
        let derivatives = [slope, curvature, curvature / 4, 0];
        let question = Ingredients { accuracy: -40, derivatives, ..parabola }.question();
        let course = Course::<6>::new(&question.model, &question.spans, &question.segment).unwrap();
        let shape = Shape::new(&question.segment, &question.model);
        let mut frame = Frame::TRIVIAL;
        let (run, bound, _) = longest(&shape, &course, &course.spot(0), &mut frame);
        let constants = Lattice3Constants { runs: 1, targets: 2, capacity: 1 };
        let mut tables = vec![0; constants.table_words()];
        run.put(0, 2, &mut tables);
        let mut counters = Counters::default();
        let look = |hit: Lattice3Hit| {
            hits += 1;
            needed += u64::from(bound.needs_a_look(&hit, &mut counters));
            true
        };
        windows += u64::from(walk(&constants, 0, &tables, look, |_| {}));
    }
    // each segment has a planted case, at the border of two windows
    assert!(needed > 30 && (hits - needed) * 1000 < windows, "{needed} of {hits} hits in {windows} windows");
}
