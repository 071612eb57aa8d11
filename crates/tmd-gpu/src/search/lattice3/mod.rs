//! [`GpuLattice3`]: the walk in three dimensions on a GPU, in integers.
//!
//! * [`bounds`]: where a run begins, and whether the kernel may walk it; [`run`]: runs on their way
//!   over the GPU.
//!
//! The host cuts a segment into runs of some thousand windows and gives each an exact dual basis.
//! The kernel says of every run how many windows it did, and which of these need another look: they
//! get it in doubles, first with the kernel's own basis, then with an exact one, and what is left
//! is searched exactly. Windows that the kernel did not do, or may not, are for an engine of the
//! CPU; so is the whole segment if the device fails, which costs time, and no list.

mod bounds;
mod run;
#[cfg(test)]
mod tests;

use std::sync::{Arc, Mutex};

use tmd_core::{
    CoreError, Families,
    lattice3::{
        Candidate, Counters, Course, Engine, Fixed, Frame, MAX_SPANS, MAX_WINDOWS, Model, Segment, Shape,
        Span, Unwieldy, Walk, Walker, enumerate,
    },
};
use tmd_shaders::{Integers as Variant, Kernel, constants::lattice3::STEP_BITS};

use crate::{
    AdapterKind, Gpu, GpuError,
    cpu::lattice3::{Beginning, Lattice3Hit},
    device::locked,
};
use bounds::Bound;
use run::Dispatcher;

/// Most windows of a run, between two exact bases.
const RUN: u32 = 2048;

/// How often that is halved where bounds do not hold of so many.
const LENGTHS: u32 = 5;

// no segment of a certificate has more
const _: () = assert!(
    sizes(AdapterKind::Software).1 <= MAX_WINDOWS
        && sizes(AdapterKind::Integrated).1 <= MAX_WINDOWS
        && sizes(AdapterKind::Discrete).1 <= MAX_WINDOWS
);

// a hit has room for the number of each
const _: () = assert!(RUN <= 1 << STEP_BITS);

/// Runs are handed in when there is one for so many windows of a segment: rarely before its end.
const SHORT: u32 = 512;

/// Fewest windows that are left to the engine of the CPU together: fewer take lanes no less time.
const FEWEST: u32 = 256;

/// Seconds of a window, and of each of its targets, on a software adapter. Rough, not a benchmark:
/// the test `windows_of_binary64` takes 0.9 s for 750,000 windows, lanes included, with lavapipe on
/// two busy cores; how it splits is a guess.
const SOFTWARE: (f64, f64) = (1e-6, 0.5e-6);

/// The same on GPUs, of each of the host's threads, whose part of the work decides: 16 of them took
/// 0.5 ns a window with one target and 0.7 with two beside an H200
/// (benches/record/nvidia-h200/2026-11-26-gpu-families-integers-engines-roofline.csv).
const HOST: (f64, f64) = (5e-9, 3e-9);

/// Invocations of a workgroup, windows of a segment, and of a dispatch of several threads'
/// segments: watchdogs end what takes seconds, and software has few threads.
const fn sizes(kind: AdapterKind) -> (u32, u32, u64) {
    match kind {
        AdapterKind::Software => (64, 1 << 18, 1 << 19),
        AdapterKind::Integrated => (64, 1 << 22, 1 << 23),
        // far from a second on an H200
        _ => (64, MAX_WINDOWS, 1 << 27),
    }
}

/// The walk in three dimensions on a GPU, beside an engine of the CPU for what it does not do.
/// Clones share the device, and know of its failure.
#[derive(Clone)]
pub struct GpuLattice3 {
    gpu: Gpu,
    dispatcher: Arc<Dispatcher>,
    /// windows of a segment
    windows: u32,
    fallback: Arc<dyn Engine + Send + Sync>,
    /// why the device is not asked any more
    failure: Arc<Mutex<Option<GpuError>>>,
}

impl GpuLattice3 {
    /// The walk on this device; what it does not do is searched by `fallback`.
    ///
    /// # Errors
    /// [`GpuError::Shader`] if the driver refuses the kernel.
    pub fn new(gpu: &Gpu, fallback: Arc<dyn Engine + Send + Sync>) -> Result<Self, GpuError> {
        let variant = if gpu.native_integers() { Variant::Native } else { Variant::Emulated };
        let kernel = Kernel::Lattice3;
        let (workgroup, windows, together) = sizes(gpu.summary().kind);
        let constants = [("WORKGROUP", f64::from(workgroup))];
        let pipeline = gpu.pipeline(kernel.name(), &kernel.source(variant), kernel.name(), &constants)?;
        Ok(Self {
            gpu: gpu.clone(),
            dispatcher: Arc::new(Dispatcher::new(gpu, pipeline, workgroup, together, u32::MAX)),
            windows,
            fallback,
            failure: Arc::default(),
        })
    }

    /// The same with room for so many hits of a dispatch at most: where there is none, runs end
    /// early.
    #[must_use]
    pub fn with_room_for_hits(self, hits: u32) -> Self {
        let dispatcher = Arc::new(self.dispatcher.with_room_for_hits(hits.max(1)));
        Self { dispatcher, ..self }
    }

    /// The engine with what a window costs, roughly: for plans, which a short search
    /// (calibration) corrects.
    pub(crate) fn families(self) -> Families {
        let is_software = self.gpu.summary().kind == AdapterKind::Software;
        let (window, target) = if is_software { SOFTWARE } else { HOST };
        let window_seconds = Box::new(move |spans: usize| window + target * spans as f64);
        Families { engine: Box::new(self), window_seconds }
    }
}

impl Engine for GpuLattice3 {
    fn name(&self) -> String {
        format!("lattice3 ({})", self.gpu.name())
    }

    fn volume(&self, _spans: usize) -> f64 {
        1.0
    }

    fn windows(&self) -> u32 {
        self.windows
    }

    fn run(&self) -> Option<u32> {
        Some(RUN)
    }

    fn failure(&self) -> Option<CoreError> {
        locked(&self.failure).as_ref().map(|error| error.of_search(self.name()))
    }

    fn start(&self, model: &Model, spans: &[Span]) -> Box<dyn Walk> {
        Box::new(Strand {
            engine: self.clone(),
            model: *model,
            spans: spans.to_vec(),
            frame: Frame::TRIVIAL,
            exact: Walker::new(*model, spans),
            fallback: self.fallback.start(model, spans),
            counters: Counters::default(),
        })
    }
}

/// A walk from segment to segment.
struct Strand {
    engine: GpuLattice3,
    model: Model,
    spans: Vec<Span>,
    /// near the last window
    frame: Frame,
    /// searches windows exactly
    exact: Walker,
    /// searches what the device does not
    fallback: Box<dyn Walk>,
    counters: Counters,
}

/// Runs that are walked together: where each begins in the segment.
#[derive(Default)]
struct Runs {
    firsts: Vec<u32>,
    frames: Vec<Frame>,
    bounds: Vec<Bound>,
    beginnings: Vec<Beginning>,
}

/// Windows from a number to before another.
type Range = core::ops::Range<u32>;

/// Why a segment is not walked on the device.
enum Refusal {
    Unwieldy,
    Device(GpuError),
}

impl From<Unwieldy> for Refusal {
    fn from(_: Unwieldy) -> Self {
        Self::Unwieldy
    }
}

impl Strand {
    /// Walks a segment on the device; the windows that it did not do.
    fn narrow<const N: usize>(
        &mut self,
        segment: &Segment,
        found: &mut dyn FnMut(Candidate),
    ) -> Result<Vec<Range>, Refusal> {
        let course = Course::<N>::new(&self.model, &self.spans, segment)?;
        let shape = Shape::new(segment, &self.model);
        let (mut left, mut runs) = (Vec::new(), Runs::default());
        let mut near = self.frame;
        let mut first = 0;
        while first < segment.windows {
            let rest = segment.windows - first;
            let spot = course.spot(first);
            let view = near.seek(&course, &spot)?;
            let start = near.start(&course, &spot, &view)?;
            let digits = near.digits(&course, &spot, &view);
            let own = digits.ok().and_then(|digits| {
                // the longest that bounds allow
                let mut lengths = (0..=LENGTHS).map(|half| rest.min(RUN >> half));
                lengths.find_map(|n| bounds::beginning(&shape, &start, &digits, self.spans.len(), n))
            });
            let windows = own.as_ref().map_or(rest.min(RUN >> LENGTHS), |(beginning, _)| beginning.windows);
            if let Some((beginning, bound)) = own {
                runs.firsts.push(first);
                runs.frames.push(near);
                runs.bounds.push(bound);
                runs.beginnings.push(beginning);
            } else {
                left.push(first..first + windows);
            }
            first += windows;
            let is_full = runs.firsts.len() as u32 == self.engine.windows / SHORT;
            if is_full || first == segment.windows && !runs.firsts.is_empty() {
                self.walk(segment, &course, &shape, &runs, &mut left, found)?;
                runs = Runs::default();
            }
        }
        self.frame = near;
        Ok(left)
    }

    /// One dispatch, and its hits.
    fn walk<const N: usize>(
        &mut self,
        segment: &Segment,
        course: &Course<N>,
        shape: &Shape,
        runs: &Runs,
        left: &mut Vec<Range>,
        found: &mut dyn FnMut(Candidate),
    ) -> Result<(), Refusal> {
        let targets = self.spans.len() as u32;
        let walked = self.engine.dispatcher.walk(&runs.beginnings, targets).map_err(Refusal::Device)?;
        for ((&first, beginning), &done) in runs.firsts.iter().zip(&runs.beginnings).zip(&walked.done) {
            self.counters.windows += u64::from(done);
            if done < beginning.windows {
                left.push(first + done..first + beginning.windows);
            }
        }
        let mut searched = None;
        for hit in &walked.hits {
            let Lattice3Hit { run, step, target, .. } = *hit;
            let number = runs.firsts[run as usize] + step;
            // a window may need a search for several targets, which is one
            if searched == Some(number) {
                continue;
            }
            // first with the numbers that the kernel has
            if !runs.bounds[run as usize].needs_a_look(hit, &mut self.counters) {
                continue;
            }
            let spot = course.spot(number);
            let mut frame = runs.frames[run as usize];
            let look = frame.seek(course, &spot).and_then(|_| frame.look(course, &spot, target as usize));
            let is_empty = look.is_ok_and(|(dual, phases)| {
                let (kappa, cubic) = spot.shape();
                let model = shape.model(kappa, cubic, 1).get();
                !enumerate::needs_a_search(&dual, &phases, model, enumerate::OFF, &mut self.counters)
            });
            if !is_empty {
                searched = Some(number);
                self.exact.window(segment, number, found)?;
            }
        }
        Ok(())
    }

    /// Where numbers are such that the device may be asked.
    fn on_device(
        &mut self,
        segment: &Segment,
        found: &mut dyn FnMut(Candidate),
    ) -> Result<Vec<Range>, Refusal> {
        let bits = self.model.value_bits();
        if self.spans.is_empty() || self.spans.len() > MAX_SPANS || locked(&self.engine.failure).is_some() {
            return Err(Refusal::Unwieldy);
        }
        if bits <= Fixed::<6>::BITS {
            return self.narrow::<6>(segment, found);
        }
        // several binades of x87
        if bits <= Fixed::<9>::BITS {
            return self.narrow::<9>(segment, found);
        }
        Err(Refusal::Unwieldy)
    }
}

/// Windows of ranges.
fn number(ranges: &[Range]) -> u64 {
    ranges.iter().map(|range| u64::from(range.end - range.start)).sum()
}

/// Ranges of at least [`FEWEST`] windows, where there are so many before their end, that cover all
/// of these.
fn widened(mut ranges: Vec<Range>) -> Vec<Range> {
    ranges.sort_unstable_by_key(|range| range.start);
    let mut all: Vec<Range> = Vec::new();
    for Range { start, end } in ranges {
        let mut range = start.min(end.saturating_sub(FEWEST))..end;
        while let Some(last) = all.pop_if(|last| range.start <= last.end) {
            range = range.start.min(last.start)..range.end.max(last.end);
        }
        all.push(range);
    }
    all
}

impl Walk for Strand {
    fn search(&mut self, segment: &Segment, found: &mut dyn FnMut(Candidate)) -> Result<(), Unwieldy> {
        let before = self.counters.windows;
        match self.on_device(segment, found) {
            Ok(left) => {
                let before = number(&left);
                let left = widened(left);
                // what is searched twice is counted once
                self.counters.windows -= number(&left) - before;
                let mut left = left.into_iter();
                return left.try_for_each(|windows| self.fallback.part(segment, windows, found));
            }
            Err(Refusal::Unwieldy) => {}
            Err(Refusal::Device(error)) => {
                // others may have told it before
                locked(&self.engine.failure).get_or_insert(error);
            }
        }
        // all windows once more: a candidate may come twice
        self.counters.windows = before;
        self.fallback.search(segment, found)
    }

    fn counters(&self) -> Counters {
        let (mut sum, exact) = (self.fallback.counters(), self.exact.counters());
        sum.windows += self.counters.windows;
        sum.tried += self.counters.tried;
        sum.row_operations += exact.row_operations;
        // the windows that were searched exactly
        sum.occupied += exact.windows;
        sum.points += exact.points;
        sum.candidates += exact.candidates;
        sum
    }
}
