//! Nanoseconds per window of the walk in three dimensions, by lanes, targets and points per window,
//! on segments like those of sin in [2^1023, 2^1024); minutes of one thread for such a binade of
//! sin; and nanoseconds by the length of runs.
//!
//! `cargo run --release -p tmd-simd --example lattice3 [LANES [ROUNDS]]`, half a minute for each
//! lanes and round. Times are those of the thread on its processor, where the system tells; the
//! medians of the rounds, which take turns.

use tmd_core::{
    difftable::Upper,
    lattice3::{COEFFICIENT_BITS, Engine, Model, Segment, Span, Wide},
};
use tmd_simd::{
    Level,
    lattice3::{Lattice3, Workload},
};

const ANGLE_BITS: u32 = 175;
const WINDOWS: u32 = 1 << 18;

/// Segments of a measurement.
const SEGMENTS: u64 = 16;

/// Time of this thread on a processor, in nanoseconds; where the system does not tell, on the wall.
fn now(begun: std::time::Instant) -> f64 {
    // the system adds up when a thread leaves its processor
    std::thread::yield_now();
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let own = text.split_whitespace().next().and_then(|n| n.parse().ok());
    own.unwrap_or_else(|| begun.elapsed().as_secs_f64() * 1e9)
}

/// Derivatives of `2^54·sin(πu)`, as in the highest binade of results.
fn derivative(angle: f64, k: u32) -> f64 {
    let pi = core::f64::consts::PI;
    let (sin, cos) = (pi * angle).sin_cos();
    pi.powi(k as i32) * [sin, cos, -sin, -cos][k as usize % 4] * 2f64.powi(54)
}

fn fixed(x: f64, bits: u32) -> Wide {
    let magnitude = Wide::ceil_scaled(x.abs(), bits).unwrap_or(Wide::ZERO);
    if x < 0.0 { -magnitude } else { magnitude }
}

/// A segment at an angle, with so many points per window.
fn segment(angle: f64, volume: f64) -> Segment {
    let half = (volume / (2f64.powi(52) * derivative(angle, 2).abs())).cbrt();
    let mut factorial = 1.0;
    let coefficients = (0..6).map(|k| {
        factorial *= f64::from(k.max(1));
        fixed(derivative(angle, k) / factorial, COEFFICIENT_BITS)
    });
    Segment {
        start: fixed(angle, ANGLE_BITS),
        half: fixed(half, ANGLE_BITS),
        windows: WINDOWS,
        coefficients: coefficients.collect(),
        gain: Wide::ZERO,
        accuracy: Upper::power_of_two(-43),
        third: Upper::new(derivative(angle, 3).abs()),
    }
}

/// Nanoseconds per window.
fn measure(engine: &Lattice3, spans: &[Span], round: u64) -> f64 {
    let tasks = (0..SEGMENTS).map(|number| {
        let seed = (round * SEGMENTS + number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let limbs = [seed, seed.rotate_left(21), seed.rotate_left(43) >> 17, 0, 0, 0, 0, 0, 0, 0];
        let model = Model { angle_bits: ANGLE_BITS, alpha: Wide::from_limbs(limbs), log2_period: ANGLE_BITS };
        let angle = 0.0625 + (seed >> 11) as f64 * 2f64.powi(-53) * 0.375;
        (segment(angle, engine.volume(spans.len())), engine.start(&model, spans))
    });
    let tasks: Vec<_> = tasks.collect();
    let begun = std::time::Instant::now();
    let before = now(begun);
    for (segment, mut walk) in tasks {
        if walk.search(&segment, &mut |_| ()).is_err() {
            return f64::NAN;
        }
    }
    (now(begun) - before) / f64::from(WINDOWS) / SEGMENTS as f64
}

/// The medians of the rounds, which take turns.
fn medians(engines: &[(usize, Lattice3)], rounds: u64) -> Vec<f64> {
    let whole = Span { first: 1 << 52, last: (1 << 53) - 1, is_mirrored: false };
    let mut times = vec![Vec::new(); engines.len()];
    for round in 0..rounds {
        for (times, (targets, engine)) in times.iter_mut().zip(engines) {
            let spans: Vec<Span> = (0..*targets).map(|n| Span { is_mirrored: n % 2 == 1, ..whole }).collect();
            times.push(measure(engine, &spans, round));
        }
    }
    times
        .into_iter()
        .map(|mut times| {
            times.sort_by(f64::total_cmp);
            times.get(times.len() / 2).copied().unwrap_or(f64::NAN)
        })
        .collect()
}

/// Nanoseconds per window by the length of runs: what the cost model of runs is made of.
fn runs(level: Level, rounds: u64) {
    let lengths: Vec<u32> = (4..=9).map(|log2| 1 << log2).collect();
    let engines: Vec<(usize, Lattice3)> = [1, 2, 8]
        .into_iter()
        .flat_map(|n| lengths.iter().map(move |&run| (n, run)))
        .map(|(n, run)| (n, Lattice3 { volume: Some(1.0), run: Some(run), ..Lattice3::new(level) }))
        .collect();
    println!("\nlanes     targets  V      windows of a run  ns/window");
    for (ns, (targets, engine)) in medians(&engines, rounds).into_iter().zip(engines) {
        let run = engine.run.unwrap_or_default();
        println!("{:9} {targets:7}  1      {run:16}  {ns:9.2}", level.name());
    }
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let lanes = arguments.next();
    let rounds: u64 = arguments.next().and_then(|n| n.parse().ok()).unwrap_or(5);
    let pi = core::f64::consts::PI;
    println!("lanes     targets  V      ns/window  ns/(window, target)  model  minutes per binade of sin");
    for level in Level::available() {
        if lanes.as_ref().is_some_and(|name| name != level.name()) {
            continue;
        }
        let engines: Vec<(usize, Lattice3)> = [1, 2, 4, 8]
            .into_iter()
            .flat_map(|n| [0.125, 0.25, 0.5, 1.0, 2.0].map(|volume| (n, volume)))
            .map(|(n, volume)| (n, Lattice3 { volume: Some(volume), ..Lattice3::new(level) }))
            .collect();
        for (ns, (targets, engine)) in medians(&engines, rounds).into_iter().zip(engines) {
            let volume = engine.volume(targets);
            // 2^53·sin in ulps of its binade, all arguments of a binade, angles and their mirror
            // images
            let curvature = |u: f64| {
                let sin = (pi * u).sin();
                pi * pi * sin * 2f64.powf(53.0 - sin.log2().floor())
            };
            let angles = (2f64.powi(-28), 0.5);
            let workload = Workload {
                angles,
                curvature: &curvature,
                indices: 2f64.powi(52),
                period: 1.0,
                spans: targets,
            };
            let minutes = if targets == 2 {
                format!("{:.1}", engine.estimate(&workload).windows * ns * 1e-9 / 60.0)
            } else {
                "-".into()
            };
            let (each, model) = (ns / targets as f64, engine.window_ns(targets));
            println!(
                "{:9} {targets:7}  {volume:<5}  {ns:9.2}  {each:19.2}  {model:5.1}  {minutes}",
                level.name()
            );
        }
        runs(level, rounds);
    }
}
