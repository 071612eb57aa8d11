//! [`GpuLattice3`]: the walk in three dimensions on a GPU, in integers.
//!
//! * [`bounds`]: where a run begins, and whether the kernel may walk it; [`run`]: runs on their way
//!   over the GPU.
//!
//! The host cuts a segment into runs of some hundred windows and gives each an exact dual basis.
//! The kernel says of every run how many windows it did, and which of these need another look: they
//! get it in doubles from an exact basis of their own, and what is left is searched exactly.
//! Windows that the kernel did not do, or may not, are searched exactly where they are few;
//! otherwise the whole segment is searched by an engine of the CPU. So a device that fails costs
//! time, and no list.

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
    AdapterKind, Gpu, GpuError, Pipeline,
    cpu::lattice3::{Beginning, Lattice3Hit},
    device::locked,
};
use run::Buffers;

/// Windows of a run, between two exact bases.
const RUN: u32 = 512;

// what a segment of several dispatches would have is no segment of a certificate
const _: () = assert!(
    sizes(AdapterKind::Software).1 * RUN <= MAX_WINDOWS
        && sizes(AdapterKind::Integrated).1 * RUN <= MAX_WINDOWS
        && sizes(AdapterKind::Discrete).1 * RUN <= MAX_WINDOWS
);

// a hit has room for the number of each
const _: () = assert!(RUN <= 1 << STEP_BITS);

/// Room for hits per run and target: one is usual.
const HITS_PER_RUN: u32 = 16;

/// Windows that are left to the CPU are searched exactly if they are no more than these, and one in
/// so many; otherwise by the engine in lanes, whose windows take a thousandth of the time.
const FEW_LEFT: (u32, u32) = (64, 2048);

/// Seconds of a window, and of each of its targets, on a software adapter. Rough, not a benchmark:
/// the test `windows_of_binary64` takes 0.9 s for 750,000 windows, lanes included, with lavapipe on
/// two busy cores; how it splits is a guess.
const SOFTWARE: (f64, f64) = (1e-6, 0.5e-6);

/// The same on GPUs, where the host's part of the work decides. A guess: not measured on any.
const HOST: (f64, f64) = (4e-9, 4e-9);

/// Invocations of a workgroup, and runs of a dispatch: watchdogs end what takes seconds, software
/// has few threads, and a segment has [`MAX_WINDOWS`] at most.
const fn sizes(kind: AdapterKind) -> (u32, u32) {
    match kind {
        AdapterKind::Software => (64, 1 << 9),
        AdapterKind::Integrated => (64, 1 << 13),
        _ => (64, MAX_WINDOWS / RUN),
    }
}

/// The walk in three dimensions on a GPU, beside an engine of the CPU for what it does not do.
/// Clones share the device, and know of its failure.
#[derive(Clone)]
pub struct GpuLattice3 {
    gpu: Gpu,
    pipeline: Pipeline,
    workgroup: u32,
    /// runs of a dispatch
    runs: u32,
    /// most hits of a dispatch
    hits: u32,
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
        let (workgroup, runs) = sizes(gpu.summary().kind);
        let constants = [("WORKGROUP", f64::from(workgroup))];
        let pipeline = gpu.pipeline(kernel.name(), &kernel.source(variant), kernel.name(), &constants)?;
        Ok(Self {
            gpu: gpu.clone(),
            pipeline,
            workgroup,
            runs,
            hits: u32::MAX,
            fallback,
            failure: Arc::default(),
        })
    }

    /// The same with room for so many hits of a dispatch at most: where there is none, runs end
    /// early.
    #[must_use]
    pub fn with_room_for_hits(self, hits: u32) -> Self {
        Self { hits: hits.max(1), ..self }
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
        self.runs.saturating_mul(RUN)
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
            buffers: None,
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
    buffers: Option<Buffers>,
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
            let windows = (segment.windows - first).min(RUN);
            let spot = course.spot(first);
            near.seek(&course, &spot)?;
            let start = near.start(&course, &spot)?;
            let digits = near.digits(&course, &spot);
            let own = digits
                .ok()
                .and_then(|digits| bounds::beginning(&shape, &start, &digits, self.spans.len(), windows));
            match own {
                Some(beginning) => {
                    runs.firsts.push(first);
                    runs.frames.push(near);
                    runs.beginnings.push(beginning);
                }
                None => left.push(first..first + windows),
            }
            first += windows;
            let is_full = runs.firsts.len() as u32 == self.engine.runs;
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
        let (most, targets) = (self.engine.runs, self.spans.len() as u32);
        let room = most.saturating_mul(targets).saturating_mul(HITS_PER_RUN);
        if self.buffers.as_ref().is_none_or(|buffers| buffers.runs() < runs.firsts.len() as u32) {
            // short segments need few
            let runs = (runs.firsts.len() as u32).next_power_of_two().min(most);
            let room = (room / most.max(1) * runs).min(self.engine.hits);
            self.buffers =
                Some(Buffers::new(&self.engine.gpu, runs, targets, room).map_err(Refusal::Device)?);
        }
        let Some(buffers) = &mut self.buffers else { return Ok(()) };
        let walked = buffers
            .walk(&self.engine.gpu, &self.engine.pipeline, self.engine.workgroup, &runs.beginnings)
            .map_err(Refusal::Device)?;
        for ((&first, beginning), &done) in runs.firsts.iter().zip(&runs.beginnings).zip(&walked.done) {
            self.counters.windows += u64::from(done);
            if done < beginning.windows {
                left.push(first + done..first + beginning.windows);
            }
        }
        let mut searched = None;
        for Lattice3Hit { run, step, target } in walked.hits {
            let number = runs.firsts[run as usize] + step;
            // a window may need a search for several targets, which is one
            if searched == Some(number) {
                continue;
            }
            let spot = course.spot(number);
            let mut frame = runs.frames[run as usize];
            let look = frame.seek(course, &spot).and_then(|()| frame.look(course, &spot, target as usize));
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

impl Walk for Strand {
    fn search(&mut self, segment: &Segment, found: &mut dyn FnMut(Candidate)) -> Result<(), Unwieldy> {
        let before = self.counters.windows;
        match self.on_device(segment, found) {
            Ok(left) => {
                let number: u32 = left.iter().map(|range| range.end - range.start).sum();
                if number <= FEW_LEFT.0 + segment.windows / FEW_LEFT.1 {
                    for number in left.into_iter().flatten() {
                        self.counters.windows += 1;
                        self.exact.window(segment, number, found)?;
                    }
                    return Ok(());
                }
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
