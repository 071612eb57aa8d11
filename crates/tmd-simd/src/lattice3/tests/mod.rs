mod points;

use super::*;
use proptest::prelude::*;
use tmd_core::{
    difftable::Upper,
    lattice3::{COEFFICIENT_BITS, Course, Exact, Frame, Segment, Shape, Wide},
};
use tmd_testkit::lattice3::{PlantedSegment, suite::ingredients};

/// Segments of many runs, and points at the ends of these, or of windows, or anywhere.
fn long_question() -> impl Strategy<Value = PlantedSegment> {
    let width = Level::best().width() as u32 * 2;
    let place = (0..width, 0u32..8, 0u32..=2, prop_oneof![0.0..0.03f64, 0.97..1.0f64, 0.0..1.0f64]);
    (ingredients(10_000..60_000), place).prop_map(move |(mut ingredients, (lane, run, end, part))| {
        let windows = ingredients.windows;
        let stretch = windows.div_ceil(width);
        let begin = (run * strand::MOST_RUN).min(stretch - 1);
        let length = strand::MOST_RUN.min(stretch - begin);
        let number = (lane * stretch + begin + [0, 1, length - 1][end as usize]).min(windows - 1);
        ingredients.planted.2 = ((f64::from(number) + part) / f64::from(windows) * 2f64.powi(64)) as u64;
        ingredients.question()
    })
}

/// A segment of a sine of large binary64 arguments, somewhere.
fn sine(alpha: u64, place: u64, volume: f64, windows: u32) -> PlantedSegment {
    let angle_bits = 175;
    let (first, last) = (1i128 << 52, (1i128 << 53) - 1);
    let mut limbs = [0u64; 10];
    limbs[..3].copy_from_slice(&[alpha, place.rotate_left(7), alpha ^ place]);
    let model = Model { angle_bits, alpha: Wide::from_limbs(limbs) >> 17, log2_period: angle_bits };
    let spans = [false, true].map(|is_mirrored| Span { first, last, is_mirrored }).to_vec();
    // sinπ at an angle in (1/16, 7/16), times 2^54
    let angle = 1.0 / 16.0 + (place >> 11) as f64 / 2f64.powi(53) * 0.375;
    let pi = core::f64::consts::PI;
    let (sin, cos) = (pi * angle).sin_cos();
    let derivative = |k: u32| pi.powi(k as i32) * [sin, cos, -sin, -cos][k as usize % 4] * 2f64.powi(54);
    let curvature = derivative(2).abs();
    let half = (volume / (2f64.powi(52) * curvature)).cbrt();
    let start = Wide::ceil_scaled(angle, angle_bits).unwrap();
    let half = Wide::ceil_scaled(half, angle_bits).unwrap();
    let coefficients: Vec<Wide> = [1.0, 1.0, 2.0, 6.0, 24.0, 120.0]
        .iter()
        .enumerate()
        .map(|(k, factorial)| {
            let c = derivative(k as u32) / factorial;
            let magnitude = Wide::ceil_scaled(c.abs(), COEFFICIENT_BITS).unwrap();
            if c < 0.0 { -magnitude } else { magnitude }
        })
        .collect();
    let third = Upper::new(derivative(3).abs());
    let accuracy = Upper::power_of_two(-43);
    let segment = Segment { start, half, windows, coefficients, gain: Wide::ZERO, accuracy, third };
    PlantedSegment { model, spans, segment, planted: first, slot: 0 }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, max_shrink_iters: 30, ..ProptestConfig::default() })]
    /// Points on integers are found at the ends of runs, of windows and of spans.
    #[test]
    fn ends_are_searched(question in long_question()) {
        let (found, counters) = question.candidates(&Lattice3::new(Level::best())).unwrap();
        prop_assert!(question.has_planted(&found), "{:?}", found);
        prop_assert_eq!(counters.windows, u64::from(question.segment.windows));
        // lanes do most of it, also where points of eight spans are on few lines
        prop_assert!(counters.occupied * 4 < counters.windows, "{:?}", counters);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, max_shrink_iters: 30, ..ProptestConfig::default() })]
    /// Few windows are looked at one by one, each for all targets: the candidates are those of the
    /// exact walk.
    #[test]
    fn few_windows_are_searched(ingredients in ingredients(1..120)) {
        let question = ingredients.question();
        let (expected, _) = question.candidates(&Exact::default()).unwrap();
        let (found, counters) = question.candidates(&Lattice3::new(Level::best())).unwrap();
        prop_assert!(question.has_planted(&found), "{:?}", found);
        prop_assert_eq!(found, expected);
        prop_assert_eq!(counters.windows, u64::from(question.segment.windows));
    }
}

/// A window's candidates do not depend on where in a lane's run it is: thousands of them, in four
/// million windows, and again with five windows fewer at either end.
#[test]
fn windows_are_searched_wherever_they_are() {
    let mut question = sine(0x9e37_79b9_7f4a_7c15, 0xd1b5_4a32_d192_ed03, 1.0, 1 << 22);
    let whole = question.spans[0];
    // no index in two of them, so that a window searched for one is none for another
    let span = |n: i128| {
        let (first, last) = (whole.first + (n << 52), whole.last + (n << 52));
        Span { first, last, is_mirrored: n % 2 == 1 }
    };
    question.spans = (0..8).map(span).collect();
    let segment = &mut question.segment;
    // as much as lanes take
    let half = segment.half.to_f64(question.model.angle_bits);
    let kappa = segment.coefficients[2].abs().to_f64(COEFFICIENT_BITS) * half * half / 2.0;
    segment.accuracy = Upper::new(kappa * 2f64.powf(-13.5));
    let ten = segment.half * Wide::from(10);
    let inner = Segment { start: segment.start + ten, windows: segment.windows - 10, ..segment.clone() };
    let (from, to) = (inner.start, inner.end());
    let [all, part] = [segment.clone(), inner].map(|segment| {
        let mut walk = Lattice3::new(Level::best()).start(&question.model, &question.spans);
        let mut found = Vec::new();
        walk.search(&segment, &mut |found_one| found.push(found_one)).unwrap();
        found.retain(|candidate| from < candidate.angle && candidate.angle < to);
        let mut keys: Vec<_> = found.iter().map(|candidate| (candidate.span, candidate.index)).collect();
        keys.sort_unstable();
        keys.dedup();
        keys
    });
    let per_span = (0..8).map(|n| all.iter().filter(|(span, _)| *span == n).count());
    assert!(per_span.min() > Some(200), "{} candidates", all.len());
    assert_eq!(all, part);
}

/// Lanes decide nearly all windows, and what they hand over are few.
#[test]
fn lanes_decide() {
    for k in 1..5 {
        let question = sine(
            0x9e37_79b9_7f4a_7c15u64.wrapping_mul(k),
            0xd1b5_4a32_d192_ed03u64.wrapping_mul(k),
            0.5,
            4096,
        );
        let (_, counters) = question.candidates(&Lattice3::new(Level::best())).unwrap();
        assert!(counters.occupied * 500 < counters.windows, "{counters:?}");
    }
}

/// A window's dual basis and phases, from a T and the run's first window, are within their bounds
/// of the exact ones; and the bounds are not idle.
#[test]
fn lanes_numbers_are_within_their_bounds() {
    let mut most = 0.0f64;
    for seed in 1..40u64 {
        let question = sine(
            seed.wrapping_mul(0x9e37_79b9_7f4a_7c15),
            seed.wrapping_mul(0xd1b5_4a32_d192_ed03),
            1.0,
            4096,
        );
        let mut question = question;
        // a parabola: κ is the same in all windows
        question.segment.coefficients.truncate(3);
        let course = Course::<6>::new(&question.model, &question.spans, &question.segment).unwrap();
        let shape = Shape::new(&question.segment, &question.model);
        let first = 1000 + seed as u32;
        let mut frame = Frame::TRIVIAL;
        let view = frame.seek(&course, &course.spot(first)).unwrap();
        let start = frame.start(&course, &course.spot(first), &view).unwrap();
        let bound = *shape::Lane::new(&shape, &start, first, strand::MOST_RUN).bound().unwrap();
        let mut beginning = beginning::Beginning::default();
        beginning.fill(0, 8, &start, &frame.balanced(&course.spot(first), &view, strand::MOST_RUN));
        for step in [0, 1, 100, 511, 1023] {
            let spot = course.spot(first + step);
            let mut other = frame;
            other.seek(&course, &spot).unwrap();
            let t = quotient(other.rows(), frame.rows());
            for target in 0..2 {
                let (dual, phases) = beginning.at(0, 8, target, step, &t);
                let (exact, expected) = other.look(&course, &spot, target).unwrap();
                for i in 0..3 {
                    let length: f64 = exact[i].iter().map(|c| c.abs()).sum();
                    let off: f64 = (0..3).map(|c| (dual[i][c] - exact[i][c]).abs()).sum();
                    let phase = phases[i].wrapping_sub(expected[i]) as i64 as f64 * 2f64.powi(-64);
                    let share = (off + phase.abs()) / (length * bound.off);
                    assert!(share <= 1.0, "{share} in window {step}");
                    most = most.max(share);
                }
            }
        }
    }
    assert!(most > 1.0 / 4096.0, "{most}");
}

/// Runs are as long as the bounds of Lemma L.16 let them be in nearly all lanes, as a power of two,
/// and that is what the cost model chooses; twice as long, a third of the lanes could not walk.
#[test]
fn runs_are_as_long_as_bounds_allow() {
    let engine = Lattice3::new(Level::best());
    assert_eq!(engine.run(), Some(MOST_RUN));
    assert_eq!(Lattice3 { run: Some(40), ..engine }.run(), Some(40));
    let (mut walks, mut longer) = (0, 0);
    for seed in 1..40u64 {
        let odd = |c: u64| seed.wrapping_mul(c);
        let question = sine(odd(0x9e37_79b9_7f4a_7c15), odd(0xd1b5_4a32_d192_ed03), 2.5, 4096);
        let course = Course::<6>::new(&question.model, &question.spans, &question.segment).unwrap();
        let shape = Shape::new(&question.segment, &question.model);
        let mut frame = Frame::TRIVIAL;
        let view = frame.seek(&course, &course.spot(1000)).unwrap();
        let start = frame.start(&course, &course.spot(1000), &view).unwrap();
        let may_walk = |windows: u32| shape::Lane::new(&shape, &start, 1000, windows).bound().is_some();
        walks += u32::from(may_walk(MOST_RUN));
        longer += u32::from(may_walk(2 * MOST_RUN));
    }
    assert!(walks >= 38 && longer <= 29, "{walks} and {longer} of 39");
}

/// Lanes walk with a determinant of 2^13 (lemma L.19), and not with a larger one.
#[test]
fn lanes_know_the_largest_determinant() {
    let mut question = sine(0x9e37_79b9_7f4a_7c15, 0xd1b5_4a32_d192_ed03, 1.0, 4096);
    question.segment.coefficients.truncate(3);
    let course = Course::<6>::new(&question.model, &question.spans, &question.segment).unwrap();
    let shape = Shape::new(&question.segment, &question.model);
    let view = Frame::TRIVIAL.view(&course, &course.spot(1000)).unwrap();
    let mut start = Frame::TRIVIAL.start(&course, &course.spot(1000), &view).unwrap();
    for (log2, may_walk) in [(13, true), (14, false)] {
        let short = [2f64.powi(-4), 2f64.powi(-4), 2f64.powi(8 - log2)];
        start.dual = core::array::from_fn(|i| core::array::from_fn(|c| if i == c { short[c] } else { 0.0 }));
        start.determinant = -2f64.powi(log2);
        assert_eq!(shape::Lane::new(&shape, &start, 1000, 64).bound().is_some(), may_walk, "2^{log2}");
    }
}

/// The matrix that makes one frame's rows of another's.
fn quotient(rows: &[[i128; 3]; 3], of: &[[i128; 3]; 3]) -> [[f64; 3]; 3] {
    let wide = |n: i128| Wide::from(n);
    let [a, b, c] = of.map(|row| row.map(wide));
    let cross = |p: [Wide; 3], q: [Wide; 3]| {
        [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]]
    };
    // the rows' dual: the inverse's columns, times ±1
    let columns = [cross(b, c), cross(c, a), cross(a, b)];
    let dot = |p: [Wide; 3], q: [Wide; 3]| p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
    let sign = dot(a, columns[0]).to_f64(0);
    assert_eq!(sign.abs(), 1.0);
    rows.map(|row| columns.map(|column| dot(row.map(wide), column).to_f64(0) * sign))
}

/// Windows are counted as segments have them: those of sines, and of a curvature that grows to an
/// end.
#[test]
fn estimates() {
    let engine = Lattice3 { volume: Some(1.0), ..Lattice3::new(Level::best()) };
    let constant = Workload {
        angles: (0.0, 0.25),
        curvature: &|_| 2f64.powi(55),
        indices: 2f64.powi(52),
        period: 1.0,
        spans: 2,
    };
    // V = 2·X·F2·half³
    let half = (1.0 / (2.0 * 2f64.powi(51) * 2f64.powi(55))).cbrt();
    let estimate = engine.estimate(&constant);
    assert!((estimate.windows * 2.0 * half / 0.25 - 1.0).abs() < 1e-3, "{estimate:?}");
    let pole = Workload { curvature: &|u: f64| 2.0 * (0.25 - u).powi(-2), ..constant };
    // ∫ (2^51·2/4)^(1/3)·(1/4 − u)^(−2/3)
    let expected = (2f64.powi(51) / 2.0).cbrt() * 3.0 * 0.25f64.cbrt();
    assert!((engine.estimate(&pole).windows / expected - 1.0).abs() < 1e-2);
    // seconds are least at the volume that is chosen
    for spans in [1, 2, 8] {
        let seconds = |volume: f64| {
            let engine = Lattice3 { volume: Some(volume), ..engine };
            engine.estimate(&Workload { spans, ..constant }).seconds()
        };
        let chosen = Lattice3::new(engine.level).volume(spans);
        assert!(seconds(chosen) <= seconds(chosen * 1.1) && seconds(chosen) <= seconds(chosen / 1.1));
    }
}
