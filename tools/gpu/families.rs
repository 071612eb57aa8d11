//! The walk in three dimensions: nanoseconds per window and target, and seconds per binade of sin.

use std::{
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

use cpu_time::ProcessTime;
use tmd_core::lattice3::{Counters, Engine};
use tmd_gpu::GpuLattice3;
use tmd_simd::{
    Level,
    lattice3::{Lattice3, Workload},
};
use tmd_testkit::lattice3::{Ingredients, PlantedSegment};

use super::{measure::Bench, report::Report};
use crate::{
    ToolError,
    figures::table::{Table, or_none, thousands, three_digits},
};

/// Windows of a segment that lanes are measured on.
const OF_LANES: u32 = 1 << 18;

/// Segments for each core, which wait for the device side by side.
const SEGMENTS: usize = 4;

/// Candidates of a segment, as span and index, and what the walk did.
type Found = (Vec<(usize, i128)>, Counters);

/// Kernel and host together, on one thread of the host and on all.
pub(crate) fn families(bench: &Bench, report: &mut Report) {
    let columns = "targets | windows | ns/window, one thread | ns/window, all threads | \
                   ns/(window, target) | kernel | host | lanes, one thread | exactly | sin, seconds per binade";
    let mut table = Table::new("The walk in three dimensions", columns);
    let threads = SEGMENTS * thread::available_parallelism().map_or(1, usize::from);
    table.note(format!(
        "Segments like those of sin in [2^1023, 2^1024), with as many points per window for each target as the search chooses; least of {} rounds, host and device together. \
         All threads: {threads}, more than cores, as a search has, each with a segment of its own; *kernel*: what the device takes for a window then, *host*: what all its cores take. *lanes*: {} on one thread; *exactly*: of a million windows those that the CPU searched. \
         The first segment's candidates are those of the lanes.",
        bench.times(),
        Lattice3::new(Level::best()).name(),
    ));
    let targets: &[usize] = if bench.arguments.quick { &[2] } else { &[1, 2, 4, 8] };
    for &targets in targets {
        let figures = figures(bench, targets, threads);
        report.row(&mut table, vec![targets.to_string()], figures);
    }
    report.table(table);
}

/// Lanes with as many points of a window as the device has.
fn lanes(volume: f64) -> Lattice3 {
    Lattice3 { volume: Some(volume), ..Lattice3::new(Level::best()) }
}

fn figures(bench: &Bench, targets: usize, threads: usize) -> Result<Vec<String>, ToolError> {
    bench.in_time()?;
    let device = GpuLattice3::new(&bench.gpu, Arc::new(Lattice3::new(Level::best())))?;
    let volume = device.volume(targets);
    let lanes = lanes(volume);
    let small = segment(0, OF_LANES, targets, volume);
    let (expected, _) = search(&lanes, &small)?;
    if search(&device, &small)?.0 != expected {
        return Err(ToolError::failed("the device finds other candidates than the lanes"));
    }
    let windows = device.windows();
    let segments: Vec<PlantedSegment> =
        (0..threads as u64).map(|seed| segment(seed, windows, targets, volume)).collect();
    let [mut one, mut all, mut of_lanes, mut kernel, mut host] = [Duration::MAX; 5];
    let mut counters = Counters::default();
    for _ in 0..bench.times() {
        bench.in_time()?;
        let begun = Instant::now();
        counters = search(&device, &segments[0])?.1;
        one = one.min(begun.elapsed());
        let (in_kernel, of_process) = (device.kernel_time(), ProcessTime::try_now()?);
        let begun = Instant::now();
        let side_by_side = |question| search(&device, question).map(drop);
        thread::scope(|scope| {
            let running: Vec<_> =
                segments.iter().map(|question| scope.spawn(move || side_by_side(question))).collect();
            let ended = |thread: thread::ScopedJoinHandle<'_, Result<(), ToolError>>| {
                thread.join().unwrap_or_else(|_| Err(ToolError::failed("a thread panicked")))
            };
            running.into_iter().try_for_each(ended)
        })?;
        all = all.min(begun.elapsed());
        kernel = kernel.min(device.kernel_time().saturating_sub(in_kernel));
        host = host.min(of_process.try_elapsed()?);
        let begun = Instant::now();
        search(&lanes, &small)?;
        of_lanes = of_lanes.min(begun.elapsed());
    }
    if let Some(failure) = device.failure() {
        return Err(ToolError::failed(failure.to_string()));
    }
    let ns = |time: Duration, windows: u32| time.as_secs_f64() * 1e9 / f64::from(windows);
    let each = |time: Duration| ns(time, windows) / threads as f64;
    let together = each(all);
    let exactly = 1e6 * counters.occupied as f64 / counters.windows.max(1) as f64;
    let binade = (targets == 2).then(|| windows_of_a_binade(&lanes) * together * 1e-9);
    Ok(vec![
        thousands(windows.into()),
        three_digits(ns(one, windows)),
        three_digits(together),
        three_digits(together / targets as f64),
        three_digits(each(kernel)),
        three_digits(each(host)),
        three_digits(ns(of_lanes, OF_LANES)),
        three_digits(exactly),
        or_none(binade, three_digits),
    ])
}

fn search(engine: &dyn Engine, question: &PlantedSegment) -> Result<Found, ToolError> {
    let mut walk = engine.start(&question.model, &question.spans);
    let mut found = Vec::new();
    let searched =
        walk.search(&question.segment, &mut |candidate| found.push((candidate.span, candidate.index)));
    searched.map_err(|error| ToolError::failed(error.to_string()))?;
    found.sort_unstable();
    found.dedup();
    Ok((found, walk.counters()))
}

/// A segment of binary64 arguments next to 2^1023.
fn segment(seed: u64, windows: u32, targets: usize, volume: f64) -> PlantedSegment {
    let random = |k: u64| seed.wrapping_add(k).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(k as u32 * 11);
    let curvature = (1i64 << 55) + (random(6) >> 9) as i64;
    let ingredients = Ingredients {
        alpha: [random(1), random(2), random(3)],
        indices: (1 << 52, 1 << 52),
        spans: targets,
        planted: (0, random(4), random(8) >> 1),
        derivatives: [random(5) as i64 >> 9, curvature, curvature / 4, 0],
        volume,
        windows,
        gain: 0,
        accuracy: -40,
    };
    ingredients.question()
}

/// Windows of all arguments of sin in a binade, and of their mirror images, by the integral of
/// their density.
fn windows_of_a_binade(lanes: &Lattice3) -> f64 {
    let pi = core::f64::consts::PI;
    // 2^53·sin in ulps of its binade
    let curvature = |u: f64| {
        let sin = (pi * u).sin();
        pi * pi * sin * 2f64.powf(53.0 - sin.log2().floor())
    };
    let workload = Workload {
        angles: (2f64.powi(-28), 0.5),
        curvature: &curvature,
        indices: 2f64.powi(52),
        period: 1.0,
        spans: 2,
    };
    lanes.estimate(&workload).windows
}
