//! The walk in three dimensions in lanes: the engine `lattice3`, whose candidates are those of `lattice3-scalar`.
//!
//! A lane takes consecutive windows of a segment. It begins with a basis from the exact walk
//! ([`Walker::start`]), and finds the windows that need a second look (`kernel`); these get it in
//! doubles, one by one (`examine`), and what is left is searched exactly. Whether the doubles were near enough is bounded from what
//! the lanes had; where not, the lane's windows are searched exactly, all of them. Proof: docs/proofs/lattice3.md, section 6.

mod examine;
mod kernel;
#[cfg(test)]
mod tests;

use tmd_core::{
    difftable::{Upper, bounds, power_of_two},
    lattice3::{
        COEFFICIENT_BITS, Candidate, Counters, Engine, Model, Segment, Span, Start, Unwieldy, Walk, Walker,
    },
};

use crate::{
    Level,
    lanes::{Lanes, MAX_LANES},
    level::Machine,
};
use examine::Bounds;
use kernel::{Beginning, Flagged, LONGEST, MAX_TARGETS, Run};

/// Most windows of a lane between two exact bases.
const CHUNK: u32 = 256;

/// Fewest for which lanes are worth their beginning.
const FEW: u32 = 8;

/// What the lanes take for near an integer, in units of κ.
const TOLERANCE: f64 = 1.0 / 4096.0;

/// The least κ, as a power of two, for the lanes.
const LEAST_KAPPA: i32 = -60;

/// The walk in these lanes.
#[derive(Clone, Copy, Debug)]
pub struct Lattice3 {
    /// The lanes.
    pub level: Level,
    /// Points per window.
    pub volume: f64,
    /// Windows per segment.
    pub windows: u32,
}

impl Lattice3 {
    /// The walk in these lanes, with windows as they were measured to be best.
    pub const fn new(level: Level) -> Self {
        Self { level, volume: 0.5, windows: 1 << 14 }
    }
}

impl Engine for Lattice3 {
    fn name(&self) -> String {
        format!("lattice3 ({})", self.level)
    }

    fn volume(&self) -> f64 {
        self.volume
    }

    fn windows(&self) -> u32 {
        self.windows
    }

    fn start(&self, model: &Model, spans: &[Span]) -> Box<dyn Walk> {
        let walker = Walker::new(*model, spans);
        match self.level.machine() {
            #[cfg(target_arch = "x86_64")]
            Machine::Avx512(lanes) => Box::new(Strand::new(lanes, *model, walker, spans.len())),
            #[cfg(target_arch = "x86_64")]
            Machine::Avx2(lanes) => Box::new(Strand::new(lanes, *model, walker, spans.len())),
            Machine::Portable(lanes) => Box::new(Strand::new(lanes, *model, walker, spans.len())),
        }
    }
}

/// What is known of a lane's windows.
#[derive(Clone, Copy, Debug, Default)]
struct Lane {
    /// number of the first window in the segment, and how many
    first: u32,
    windows: u32,
    /// κ, or 0 for a lane that is not to be walked
    kappa: f64,
    /// largest |entry| of the first dual basis
    largest: f64,
    cubic: f64,
}

/// A walk from segment to segment.
struct Strand<L> {
    lanes: L,
    model: Model,
    targets: usize,
    /// makes the lanes' bases
    starter: Walker,
    /// searches windows exactly
    examiner: Walker,
    counters: Counters,
    flagged: Vec<Flagged>,
}

impl<L: Lanes> Strand<L> {
    fn new(lanes: L, model: Model, walker: Walker, targets: usize) -> Self {
        let flagged = Vec::new();
        Self {
            lanes,
            model,
            targets,
            starter: walker.clone(),
            examiner: walker,
            counters: Counters::default(),
            flagged,
        }
    }

    /// The windows from number `first` to before `end`.
    fn range(
        &mut self,
        segment: &Segment,
        shape: &Shape,
        first: u32,
        end: u32,
        found: &mut dyn FnMut(Candidate),
    ) -> Result<(), Unwieldy> {
        let mut next = first;
        while next < end {
            if self.targets > MAX_TARGETS || (end - next) / (L::WIDTH as u32) < FEW {
                self.exactly(segment, next, found)?;
                self.counters.windows += 1;
                next += 1;
            } else {
                next += self.batch(segment, shape, next, end, found)?;
            }
        }
        Ok(())
    }

    /// As many chunks as there are lanes, from window `first` on; the number of windows searched.
    fn batch(
        &mut self,
        segment: &Segment,
        shape: &Shape,
        first: u32,
        end: u32,
        found: &mut dyn FnMut(Candidate),
    ) -> Result<u32, Unwieldy> {
        let left = end - first;
        let steps = left.div_ceil(L::WIDTH as u32).min(CHUNK);
        let mut beginning = Beginning::default();
        let mut known = [Lane::default(); MAX_LANES];
        for lane in 0..L::WIDTH {
            let begin = first + lane as u32 * steps;
            if begin >= end {
                break;
            }
            let windows = steps.min(end - begin);
            let start = self.starter.start(segment, begin)?;
            known[lane] = shape.lane(&mut beginning, lane, &start, begin, windows);
        }
        let mut largest = [[0.0; MAX_LANES]; 2];
        self.flagged.clear();
        let (flagged, tolerance) = (&mut self.flagged, TOLERANCE);
        let (beginning, largest_of) = (&beginning, &mut largest);
        match self.targets {
            1 => self.lanes.run(Run::<1> { beginning, steps, tolerance, flagged, largest: largest_of }),
            _ => self.lanes.run(Run::<2> { beginning, steps, tolerance, flagged, largest: largest_of }),
        }
        let mut bounds = [None; MAX_LANES];
        for (lane, known) in known.iter().enumerate().filter(|(_, known)| known.windows != 0) {
            bounds[lane] = shape.bounds(known, largest[0][lane], largest[1][lane]);
            if bounds[lane].is_some() {
                self.counters.windows += u64::from(known.windows);
            }
        }
        let flagged = core::mem::take(&mut self.flagged);
        let mut looked_at = [u32::MAX; MAX_LANES];
        for record in &flagged {
            let lane = record.lane as usize;
            let (known, Some(bounds)) = (known[lane], bounds[lane]) else { continue };
            // both targets of a window are searched at once; and the last lanes go on beyond the segment
            if record.step >= known.windows || looked_at[lane] == record.step {
                continue;
            }
            if examine::needs_a_search(record, &bounds, &mut self.counters) {
                looked_at[lane] = record.step;
                self.exactly(segment, known.first + record.step, found)?;
            }
        }
        self.flagged = flagged;
        // what the lanes cannot vouch for, in shorter runs
        for lane in (0..L::WIDTH).filter(|&lane| bounds[lane].is_none()) {
            let Lane { first, windows, .. } = known[lane];
            self.range(segment, shape, first, first + windows, found)?;
        }
        Ok(left.min(steps * L::WIDTH as u32))
    }

    fn exactly(
        &mut self,
        segment: &Segment,
        number: u32,
        mut found: &mut dyn FnMut(Candidate),
    ) -> Result<(), Unwieldy> {
        self.examiner.window(segment, number, &mut found).inspect_err(|_| self.examiner.restart())
    }
}

impl<L: Lanes> Walk for Strand<L> {
    fn search(&mut self, segment: &Segment, found: &mut dyn FnMut(Candidate)) -> Result<(), Unwieldy> {
        let shape = Shape::new(segment, &self.model);
        self.range(segment, &shape, 0, segment.windows, found).inspect_err(|_| self.starter.restart())
    }

    fn counters(&self) -> Counters {
        let (mut sum, exact) = (self.counters, self.examiner.counters());
        sum.row_operations += exact.row_operations + self.starter.counters().row_operations;
        // the windows that were searched exactly
        sum.occupied += exact.windows;
        sum.points += exact.points;
        sum.candidates += exact.candidates;
        sum
    }
}

/// A segment in doubles: what depends on the polynomial.
struct Shape {
    /// coefficients as numbers
    coefficients: Vec<f64>,
    half: f64,
    windows: u32,
    /// ε and the rest
    accuracy: Upper,
    third: Upper,
    /// bound of |F''''|/24 over the segment
    fourth: Upper,
}

impl Shape {
    fn new(segment: &Segment, model: &Model) -> Self {
        let coefficients: Vec<f64> =
            segment.coefficients.iter().map(|c| c.to_f64(COEFFICIENT_BITS)).collect();
        let half = segment.half.to_f64(model.angle_bits);
        // conversions are a relative 2^-52 too small at most
        let up = Upper::new(1.0 + power_of_two(-50));
        let magnitudes: Vec<Upper> = coefficients.iter().map(|c| Upper::new(c.abs()) * up).collect();
        let reach = Upper::new(half) * up * Upper::of_integer(segment.windows.into());
        let fourth = bounds::derivatives(&magnitudes, reach).get(4).copied().unwrap_or(Upper::ZERO);
        let (accuracy, third, windows) = (segment.accuracy, segment.third, segment.windows);
        Self { coefficients, half, windows, accuracy, third, fourth }
    }

    /// Fills a lane, and what is known of it.
    fn lane(&self, beginning: &mut Beginning, lane: usize, start: &Start, first: u32, windows: u32) -> Lane {
        for i in 0..3 {
            for c in 0..3 {
                beginning.dual[i][c][lane] = start.dual[i][c];
            }
            for c in 0..2 {
                beginning.low[i][c][lane] = start.dual_low[i][c + 1];
            }
            for (phases, own) in beginning.phases.iter_mut().zip(&start.phases) {
                phases[i][lane] = own[i];
            }
        }
        // F'''/6 at the first window, by Horner's rule
        let t = (2.0 * f64::from(first) + 1.0 - f64::from(self.windows)) * self.half;
        let third = (3..self.coefficients.len())
            .rev()
            .fold(0.0, |sum, k| sum * t + self.coefficients[k] * ((k * (k - 1) * (k - 2)) / 6) as f64);
        let sign = if start.is_convex { 1.0 } else { -1.0 };
        let cubic = sign * third * (2.0 * self.half).powi(3) / start.kappa;
        beginning.determinant[lane] = start.determinant;
        beginning.cubic[lane] = cubic;
        let largest = start.dual.iter().flatten().fold(0.0, |most: f64, entry| most.max(entry.abs()));
        Lane { first, windows, kappa: start.kappa, largest, cubic }
    }

    /// The error bounds of a lane's windows, if the lanes could do with them (lemmas 7 to 9).
    fn bounds(&self, lane: &Lane, largest: f64, growth: f64) -> Option<Bounds> {
        // T was made of integers below 2^53, also between a window's six operations
        let between = largest * growth * (1.0 + power_of_two(-40));
        if between.is_nan() || between > power_of_two(52) {
            return None;
        }
        if lane.kappa.is_nan()
            || lane.kappa < power_of_two(LEAST_KAPPA)
            || largest.is_nan()
            || largest > power_of_two(40)
        {
            return None;
        }
        let (n, half) =
            (Upper::of_integer(lane.windows.into()), Upper::new(self.half * (1.0 + power_of_two(-50))));
        let per_kappa = Upper::new(1.0 / lane.kappa * (1.0 + power_of_two(-50)));
        let long = n * half * Upper::new(2.0);
        // lemma 7: what the model of the lanes lacks, at |τ| ≤ 1
        let cubic = Upper::new(lane.cubic.abs());
        let model = (self.accuracy + self.third * half.power(3)) * per_kappa
            + Upper::new(0.75) * cubic * n
            + Upper::new(3.0) * self.fourth * long.power(4) * per_kappa
            + self.third * long.power(3) * per_kappa * Upper::power_of_two(-40)
            + n.power(2) * Upper::power_of_two(-46)
            + Upper::power_of_two(-40);
        // lemma 8: errors of the dual basis and of the phases
        let times = Upper::new(3.0) * Upper::new(largest);
        let shear = Upper::new(8.0) * n + Upper::new(1.5) * cubic * n.power(2) + Upper::ONE;
        let dual = times * Upper::new(lane.largest) * shear * Upper::power_of_two(-50);
        let rise = Upper::new(8.0) * n.power(2) + cubic * n.power(3) + Upper::new(2.0) * n;
        let gain = Upper::power_of_two(-50)
            + (cubic * n.power(3) + rise * Upper::power_of_two(-48))
                * Upper::new(lane.largest)
                * Upper::power_of_two(-51);
        let phase = times * gain;
        let off = phase + Upper::new(4.0) * dual + Upper::power_of_two(-40);
        let bounds = Bounds { model: model.get(), off: off.get() };
        let is_enough = off.get() <= kernel::MARGIN / 2.0
            && model.get() <= TOLERANCE / 2.0
            && bounds.tolerance(LONGEST) <= TOLERANCE;
        is_enough.then_some(bounds)
    }
}
