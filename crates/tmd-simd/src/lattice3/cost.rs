//! What a walk costs: a model with measured constants, for plans and for the choice of windows.

use tmd_core::lattice3::Engine;

use super::{Lattice3, strand::MOST_RUN};

/// A family's windows, to be counted.
#[derive(Clone, Copy)]
pub struct Workload<'a> {
    /// Angles from and to, as real numbers.
    pub angles: (f64, f64),
    /// |F''| at an angle, in units of the breakpoints' spacing.
    pub curvature: &'a (dyn Fn(f64) -> f64 + Sync),
    /// Indices of the longest span.
    pub indices: f64,
    /// The angle between the points of an index: the lattice's determinant.
    pub period: f64,
    /// Spans, 1 to 8.
    pub spans: usize,
}

/// What a walk is expected to do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// Windows.
    pub windows: f64,
    /// Nanoseconds of one thread for each.
    pub window_ns: f64,
}

impl Estimate {
    /// Seconds of one thread.
    pub fn seconds(&self) -> f64 {
        self.windows * self.window_ns * 1e-9
    }
}

/// Nanoseconds: of a lane's exact basis, and per window of the basis in lanes, of each target, and
/// of each target per point of the window.
///
/// Measured by `cargo run --release -p tmd-simd --example lattice3` on an AMD EPYC of family 26
/// (Zen 5), one quiet core (docs/proofs/lattice3.md, section 10). Plans compare them with what the
/// Farey walk would take, so they are in the nanoseconds of its model, a slower core's: those
/// measured times what that model is over the walk's time there, 1.83 with AVX-512 and 1.17 with
/// AVX2.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Constants {
    start: f64,
    basis: f64,
    target: f64,
    point: f64,
}

const fn constants(name: &str) -> Constants {
    match name.as_bytes() {
        b"avx512" => Constants { start: 1040.0, basis: 7.9, target: 2.08, point: 2.28 },
        b"avx2" => Constants { start: 665.0, basis: 9.1, target: 3.07, point: 1.71 },
        // with FMA in software, as programs for every x86-64 have it; of two targets only
        _ => Constants { start: 570.0, basis: 240.0, target: 100.0, point: 50.0 },
    }
}

/// Widths of windows are looked for among these.
const VOLUMES: (f64, f64) = (0.125, 4.0);

/// Places where windows are counted, per octave of the distance to an end.
const PLACES: usize = 16;

impl Lattice3 {
    /// Nanoseconds of one thread per window, for so many spans, as measured: of the walk alone,
    /// without the polynomials of segments.
    pub fn window_ns(&self, spans: usize) -> f64 {
        let Constants { basis, target, point, .. } = constants(self.level.name());
        self.start_ns(self.longest_run()) + basis + spans as f64 * (target + point * self.volume(spans))
    }

    /// A window's share of the exact basis with which a lane begins, in nanoseconds.
    fn start_ns(&self, run: u32) -> f64 {
        constants(self.level.name()).start / f64::from(run)
    }

    /// Windows of a lane from one exact basis to the next, as asked for or as the cost model has
    /// it.
    pub(super) fn longest_run(&self) -> u32 {
        self.run.map_or_else(|| self.fastest_run(), |run| run.clamp(1, MOST_RUN))
    }

    /// The power of two of windows with which a lane's window is cheapest. Nothing but the basis's
    /// share hangs on it, and of the lengths that Lemma L.16 may allow it is the last.
    fn fastest_run(&self) -> u32 {
        let runs = (0..=MOST_RUN.ilog2()).map(|log2| 1 << log2);
        runs.min_by(|&a, &b| self.start_ns(a).total_cmp(&self.start_ns(b))).unwrap_or(MOST_RUN)
    }

    /// Points per window with which a search for so many spans is fastest: the number of windows
    /// is as V^(-1/3). In sixteenths, so that certificates name it in few digits.
    pub(super) fn fastest_volume(&self, spans: usize) -> f64 {
        let Constants { basis, target, point, .. } = constants(self.level.name());
        // (a + b·V)·V^(-1/3) is least for a = 2·b·V
        let a = self.start_ns(self.longest_run()) + basis + spans as f64 * target;
        let b = spans as f64 * point;
        ((a / (2.0 * b)).clamp(VOLUMES.0, VOLUMES.1) * 16.0).round() / 16.0
    }

    /// How many windows a family has, and what they cost.
    ///
    /// A window is 2·half wide, where `V = 2·X·|F''|·half³/period` with 2X indices: the number of
    /// windows is the integral of `(X·|F''|/(4·period·V))^(1/3)`, here by the midpoint rule, in
    /// steps that grow with the distance to either end.
    pub fn estimate(&self, workload: &Workload<'_>) -> Estimate {
        let &Workload { angles: (from, to), curvature, indices, period, spans } = workload;
        let (half_of, volume) = (indices / 2.0, self.volume(spans));
        let density = |angle: f64| (half_of * curvature(angle).abs() / (4.0 * period * volume)).cbrt();
        let middle = (to - from) / 2.0;
        let ratio = 0.5f64.powf(1.0 / PLACES as f64);
        let mut windows = 0.0;
        let mut far = middle;
        // the rest, 2^-40 of it, has no weight
        for _ in 0..40 * PLACES {
            let near = far * ratio;
            let place = f64::midpoint(far, near);
            for angle in [from + place, to - place] {
                let count = density(angle) * (far - near);
                windows += if count.is_finite() { count } else { 0.0 };
            }
            far = near;
        }
        Estimate { windows, window_ns: self.window_ns(spans) }
    }
}
