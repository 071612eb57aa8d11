use super::*;
use proptest::prelude::*;
use tmd_core::{
    difftable::Upper,
    lattice3::{COEFFICIENT_BITS, Counters, Exact, Segment, Wide},
};

/// A segment like those of sin in binary64: values up to 2^54, of angles of 175 bits; the point of a given index is on an integer.
#[derive(Clone, Debug)]
struct Question {
    model: Model,
    spans: Vec<Span>,
    segment: Segment,
    planted: i128,
}

fn question() -> impl Strategy<Value = Question> {
    let span = prop_oneof![
        Just((1i128 << 52, (1i128 << 53) - 1)),
        (0i128..1 << 30).prop_map(|n| (n, n + (1 << 21)))
    ];
    (
        (any::<[u64; 3]>(), span, any::<u64>(), -(1i64 << 55)..1 << 55, 1i64 << 54..1 << 58, any::<bool>()),
        (-64i64..64, -64i64..64, 0.1..2.0f64, 1u32..3000, any::<u64>(), any::<bool>()),
    )
        .prop_map(
            |(
                (alpha, (first, last), which, slope, bend, concave),
                (third, fourth, volume, windows, place, mirrored),
            )| {
                let angle_bits = 175;
                let mut limbs = [0u64; 10];
                limbs[..3].copy_from_slice(&alpha);
                let alpha = Wide::from_limbs(limbs) >> 17;
                let model = Model { angle_bits, alpha, log2_period: angle_bits };
                let planted = first + ((u128::from(which) * ((last - first) as u128 + 1)) >> 64) as i128;
                let spans = vec![
                    Span { first, last, is_mirrored: mirrored },
                    Span { first, last, is_mirrored: !mirrored },
                ];
                let own = if mirrored { -planted } else { planted };
                let angle = (Wide::from(own) * alpha).centered(angle_bits);
                // V = X·F2·half³·2
                let reach = (last - first) as f64 / 2.0;
                let half = (volume / (2.0 * reach * bend as f64)).cbrt();
                let half = Wide::ceil_scaled(half, angle_bits).unwrap();
                // the planted point is anywhere in the segment
                let offset =
                    (half * Wide::from(i128::from(windows)) * Wide::from(i128::from(place >> 1))) >> 62;
                let start = angle - offset;
                let at = |n: i64| Wide::from(i128::from(n)) << COEFFICIENT_BITS;
                let sign = if concave { -1 } else { 1 };
                let (second, more) = (sign * bend / 2, bend / 64);
                let mut coefficients = vec![
                    Wide::ZERO,
                    at(slope),
                    at(second),
                    at(more.saturating_mul(third)),
                    at(more.saturating_mul(fourth)),
                ];
                let middle = start + half * Wide::from(i128::from(windows));
                let t = angle - middle;
                let mut value = Wide::ZERO;
                for &c in coefficients.iter().rev() {
                    value = ((value * t) >> angle_bits) + c;
                }
                coefficients[0] = -value;
                let kappa = bend as f64 * half.to_f64(angle_bits).powi(2) / 4.0;
                let accuracy = Upper::new(kappa * 2f64.powi(-15));
                let third = Upper::new((third.abs() as f64 + 1.0) * more as f64);
                let segment =
                    Segment { start, half, windows, coefficients, gain: Wide::ZERO, accuracy, third };
                Question { model, spans, segment, planted }
            },
        )
}

/// A segment of a sine of large binary64 arguments, somewhere.
fn sine(alpha: u64, place: u64, volume: f64, windows: u32) -> Question {
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
    let bend = derivative(2).abs();
    let half = (volume / (2f64.powi(52) * bend)).cbrt();
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
    Question { model, spans, segment, planted: first }
}

fn levels() -> Vec<Level> {
    Level::available()
}

/// The candidates of an engine, as (span, index), and what it did.
fn candidates(engine: &dyn Engine, question: &Question) -> (Vec<(usize, i128)>, Counters) {
    let mut walk = engine.start(&question.model, &question.spans);
    let mut found = Vec::new();
    walk.search(&question.segment, &mut |candidate| found.push((candidate.span, candidate.index))).unwrap();
    found.sort_unstable();
    found.dedup();
    (found, walk.counters())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, max_shrink_iters: 30, ..ProptestConfig::default() })]
    /// The point that was put on an integer is found, wherever it is; and so is all that the exact walk finds, and nothing else.
    #[test]
    fn lanes_find_what_the_exact_walk_finds(question in question()) {
        let (expected, _) = candidates(&Exact { volume: 1.0, windows: 1 << 14 }, &question);
        prop_assert!(expected.contains(&(0, question.planted)));
        for level in levels() {
            let (found, counters) = candidates(&Lattice3::new(level), &question);
            prop_assert_eq!(&found, &expected, "{}", level);
            prop_assert_eq!(counters.windows, u64::from(question.segment.windows));
        }
    }
}

/// Time of this thread on a processor, where the system tells: clocks on the wall count what others do.
fn on_processor() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    text.split_whitespace().next().and_then(|n| n.parse().ok()).unwrap_or(f64::NAN)
}

/// What a walk costs, and how much the lanes hand over: `cargo test --release -p tmd-simd --lib lattice3 -- --ignored --nocapture`.
#[test]
#[ignore = "a measurement"]
fn measure() {
    let seed = |k: u64| (k + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    for level in levels() {
        if std::env::var("LV").is_ok_and(|l| l != level.name()) { continue; }
        for volume in [0.25, 0.5, 1.0, 2.0] {
            if std::env::var("VO").is_ok_and(|l| l != volume.to_string()) { continue; }
            let (mut counters, mut time) = (Counters::default(), 0.0);
            for k in 0..8 {
                let question = sine(seed(k), seed(k + 100), volume, 1 << 18);
                let engine = Lattice3 { volume, ..Lattice3::new(level) };
                let mut walk = engine.start(&question.model, &question.spans);
                let begun = on_processor();
                walk.search(&question.segment, &mut |_| ()).unwrap();
                time += on_processor() - begun;
                counters.add(&walk.counters());
            }
            let per = time / counters.windows as f64;
            let [again, tried, points, rows] =
                [counters.occupied, counters.tried, counters.points, counters.row_operations]
                    .map(|n| n as f64 / counters.windows as f64);
            println!(
                "{level}: V = {volume}: {per:.2} ns a window of two targets; {again:.2e} exactly, {tried:.2e} tried, {points:.2e} points, {rows:.2e} rows"
            );
        }
    }
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
        let (_, counters) = candidates(&Lattice3::new(Level::best()), &question);
        assert!(counters.occupied * 500 < counters.windows, "{counters:?}");
    }
}
