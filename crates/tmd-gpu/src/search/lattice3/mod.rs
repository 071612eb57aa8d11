//! [`GpuLattice3`]: the walk in three dimensions on a GPU, in integers.
//!
//! * [`bounds`]: where a run begins, and whether the kernel may walk it; [`run`]: runs on their way
//!   over the GPU.
//!
//! The host cuts a segment into runs of some thousand windows and gives each an exact dual basis.
//! The kernel says of every run how many windows it did, and which of these need another look: they
//! get it in doubles, first with the kernel's own basis, then with an exact one, and what is left
//! is searched exactly. Windows that the kernel did not do, or may not, are for an engine of the
//! CPU; so is the whole segment if the device fails, which costs time, and no list, but for long
//! ones [beside exact integers alone](GpuLattice3::beside_exact).

mod bounds;
mod run;
#[cfg(test)]
mod tests;

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use tmd_core::{
    CoreError, Families,
    lattice3::{
        Candidate, Counters, Course, Engine, Exact, Fixed, Frame, MAX_SPANS, MAX_WINDOWS, Model, Segment,
        Shape, Span, Unwieldy, Walk, Walker, enumerate,
    },
};
use tmd_shaders::{Integers as Variant, Kernel, constants::lattice3::STEP_BITS};

use crate::{
    AdapterKind, Gpu, GpuError,
    cpu::lattice3::{Beginning, Lattice3Hit},
    device::locked,
};
use bounds::{Bound, Reaches};
use run::{Dispatcher, Pipelines};

/// Most windows of a run, between two exact bases.
const RUN: u32 = 8192;

/// Windows of runs, the longest first: as many as bounds hold of.
const LENGTHS: [u32; 21] = [
    RUN, 7168, 6144, 5120, 4096, 3584, 3072, 2560, 2048, 1792, 1536, 1280, 1024, 768, 512, 384, 256, 192,
    128, 96, SHORTEST,
];

/// Windows that are left to the engine of the CPU where bounds do not hold of so many.
const SHORTEST: u32 = 64;

// no segment of a certificate has more
const _: () = assert!(
    sizes(AdapterKind::Software).windows <= MAX_WINDOWS
        && sizes(AdapterKind::Integrated).windows <= MAX_WINDOWS
        && sizes(AdapterKind::Discrete).windows <= MAX_WINDOWS
);

// a hit has room for the number of each
const _: () = assert!(RUN <= 1 << STEP_BITS);

/// Runs are handed in when there is one for so many windows of a segment: rarely before its end.
const SHORT: u32 = 512;

/// Fewest windows that are left to the engine of the CPU together: fewer take lanes no less time.
const FEWEST: u32 = 256;

/// How often the device is asked for what it did not do, beside the exact walk: runs that ended
/// early go on from there, with an exact basis. Of log in binary64 1.2 % of windows are left by the
/// first round.
const ROUNDS: u32 = 4;

/// Most windows of a segment that the exact walk does in place of the device, beside nothing else:
/// milliseconds.
const MOST_EXACT: u32 = 256;

/// Seconds of one core for a window, and for each of its targets, on a software adapter: 1.1·10^-7
/// with one target and with two, where lanes of AVX-512 take a seventh of it (lavapipe on an Intel
/// Xeon; docs/performance.md).
const SOFTWARE: (f64, f64) = (0.9e-7, 0.1e-7);

/// The same on GPUs, of each core of the host: beside 16 of them an H100 took 66 s for 32 binades
/// of cos, 4.4·10^11 windows of one target (docs/performance.md). What another target adds is a
/// guess.
const HOST: (f64, f64) = (2e-9, 0.4e-9);

/// What suits an adapter.
#[derive(Clone, Copy, Debug)]
struct Sizes {
    /// invocations of a workgroup
    workgroup: u32,
    /// most windows of a segment
    windows: u32,
    /// most windows of a dispatch of several threads' segments, each counted for each of its
    /// targets: there is room for twice their hits
    together: u64,
    /// fewest windows of a segment for the device: lanes do fewer before a dispatch is back
    fewest: u32,
    /// fewest runs of a dispatch beside another one: a large device takes no less time for few of
    /// them, so the others wait for more to come
    enough: u32,
}

const fn sizes(kind: AdapterKind) -> Sizes {
    match kind {
        // few threads
        AdapterKind::Software => {
            Sizes { workgroup: 64, windows: 1 << 18, together: 1 << 20, fewest: 0, enough: 0 }
        }
        AdapterKind::Integrated => {
            Sizes { workgroup: 64, windows: 1 << 22, together: 1 << 24, fewest: 1 << 16, enough: 0 }
        }
        _ => {
            Sizes { workgroup: 64, windows: MAX_WINDOWS, together: 1 << 30, fewest: 1 << 14, enough: 1 << 16 }
        }
    }
}

/// The walk in three dimensions on a GPU, beside an engine of the CPU for what it does not do.
/// Clones share the device, and know of its failure.
#[derive(Clone)]
pub struct GpuLattice3 {
    gpu: Gpu,
    dispatcher: Arc<Dispatcher>,
    sizes: Sizes,
    fallback: Arc<dyn Engine + Send + Sync>,
    /// whether nothing but the exact walk is beside it: [`beside_exact`](Self::beside_exact)
    is_beside_exact: bool,
    /// why the device is not asked any more
    failure: Arc<Mutex<Option<GpuError>>>,
}

impl GpuLattice3 {
    /// The walk on this device; what it does not do is searched by `fallback`.
    ///
    /// # Errors
    /// [`GpuError::Shader`] if the driver refuses the kernel.
    pub fn new(gpu: &Gpu, fallback: Arc<dyn Engine + Send + Sync>) -> Result<Self, GpuError> {
        Self::with_sizes(gpu, fallback, sizes(gpu.summary().kind))
    }

    /// The walk on this device beside exact integers, for who looks again at what lanes walked: the
    /// exact walk takes a thousand times as long as they do. So the device is asked several times,
    /// and a segment of many windows that it cannot take, or at which it failed, is refused, to be
    /// cut smaller; what is left of others is searched exactly.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn beside_exact(gpu: &Gpu) -> Result<Self, GpuError> {
        let sizes = sizes(gpu.summary().kind);
        let fewest = sizes.fewest.min(MOST_EXACT + 1);
        let walk = Self::with_sizes(gpu, Arc::new(Exact::default()), Sizes { fewest, ..sizes })?;
        Ok(Self { is_beside_exact: true, ..walk })
    }

    fn with_sizes(
        gpu: &Gpu,
        fallback: Arc<dyn Engine + Send + Sync>,
        sizes: Sizes,
    ) -> Result<Self, GpuError> {
        let variant = if gpu.native_integers() { Variant::Native } else { Variant::Emulated };
        let kernel = Kernel::Lattice3;
        let source = kernel.source(variant);
        let pipeline = |has_pairs: bool| {
            let constants =
                [("WORKGROUP", f64::from(sizes.workgroup)), ("HAS_PAIRS", f64::from(u8::from(has_pairs)))];
            gpu.pipeline(kernel.name(), &source, kernel.name(), &constants)
        };
        let pipelines = Pipelines { one: pipeline(false)?, pairs: pipeline(true)? };
        Ok(Self {
            gpu: gpu.clone(),
            dispatcher: Arc::new(Dispatcher::new(gpu, pipelines, sizes, u32::MAX)),
            sizes,
            fallback,
            is_beside_exact: false,
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

    /// The same, but segments of fewer windows are searched by the fallback.
    #[must_use]
    pub fn with_fewest_windows(self, fewest: u32) -> Self {
        Self { sizes: Sizes { fewest, ..self.sizes }, ..self }
    }

    /// Time in the kernel until now, of all clones together; 0 where the device has no timestamps.
    pub fn kernel_time(&self) -> Duration {
        self.dispatcher.kernel_time()
    }

    /// The engine with what a window costs, roughly: for plans, which no calibration corrects.
    pub fn families(self) -> Families {
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

    /// Points of a box, for each target: where instructions for a window times the number of
    /// windows are least, by what 32 invocations that wait for each other have in points. Not
    /// measured.
    fn volume(&self, _spans: usize) -> f64 {
        2.0
    }

    fn windows(&self) -> u32 {
        self.sizes.windows
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
            length: 0,
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
    /// the place in [`LENGTHS`] of the last run
    length: usize,
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
    /// Walks a segment on the device, what is left of it several times if no lanes are there for
    /// that; the windows that it did not do.
    fn narrow<const N: usize>(
        &mut self,
        segment: &Segment,
        found: &mut dyn FnMut(Candidate),
    ) -> Result<Vec<Range>, Refusal> {
        let course = Course::<N>::new(&self.model, &self.spans, segment)?;
        let whole = 0..segment.windows;
        let mut left = vec![whole];
        let rounds = if self.engine.is_beside_exact { ROUNDS } else { 1 };
        for _ in 0..rounds {
            left = self.round(segment, &course, left, found)?;
        }
        Ok(left)
    }

    /// Walks windows on the device; those that it did not do.
    fn round<const N: usize>(
        &mut self,
        segment: &Segment,
        course: &Course<N>,
        windows: Vec<Range>,
        found: &mut dyn FnMut(Candidate),
    ) -> Result<Vec<Range>, Refusal> {
        let shape = Shape::new(segment, &self.model);
        let (mut left, mut runs) = (Vec::new(), Runs::default());
        let mut near = self.frame;
        for Range { start: mut first, end } in windows {
            while first < end {
                let spot = course.spot(first);
                let view = near.seek(course, &spot)?;
                let start = near.start(course, &spot, &view)?;
                let reaches = Reaches::new(&start);
                // about as long as the last one
                let places = self.length.saturating_sub(1)..LENGTHS.len();
                let own = places.into_iter().find_map(|place| {
                    let windows = (end - first).min(LENGTHS[place]);
                    Some((place, windows, bounds::bound(&shape, &start, &reaches, windows)?))
                });
                self.length = own.as_ref().map_or(LENGTHS.len() - 1, |&(place, ..)| place);
                let windows = own.as_ref().map_or((end - first).min(SHORTEST), |&(_, windows, _)| windows);
                let digits =
                    own.and_then(|(.., bound)| Some((bound, near.digits(course, &spot, &view).ok()?)));
                if let Some((bound, digits)) = digits {
                    runs.firsts.push(first);
                    runs.frames.push(near);
                    let targets = self.spans.len();
                    runs.beginnings.push(bounds::beginning(&start, &digits, &bound, targets, windows));
                    runs.bounds.push(bound);
                } else {
                    left.push(first..first + windows);
                }
                first += windows;
                if runs.firsts.len() as u32 == self.engine.sizes.windows / SHORT {
                    self.walk(segment, course, &shape, &runs, &mut left, found)?;
                    runs = Runs::default();
                }
            }
        }
        if !runs.firsts.is_empty() {
            self.walk(segment, course, &shape, &runs, &mut left, found)?;
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
        // first with the numbers that the kernel has
        let mut hits = walked.hits;
        hits.retain(|hit| runs.bounds[hit.run as usize].needs_a_look(hit, &mut self.counters));
        hits.sort_unstable();
        let mut searched = None;
        for Lattice3Hit { run, step, target, .. } in hits {
            let number = runs.firsts[run as usize] + step;
            // a window may need a search for several targets, which is one
            if searched == Some(number) {
                continue;
            }
            let spot = course.spot(number);
            let mut frame = runs.frames[run as usize];
            let look = frame.seek(course, &spot).and_then(|_| frame.look(course, &spot, target as usize));
            let is_empty = look.is_ok_and(|(dual, phases)| {
                let (kappa, cubic) = spot.shape();
                let model = shape.model(kappa, cubic, 1).get();
                !enumerate::needs_a_search(&dual, &phases, model, 0.0, &mut self.counters)
            });
            if !is_empty {
                searched = Some(number);
                self.exact.window(segment, number, found)?;
            }
        }
        Ok(())
    }

    /// Whether a segment is too long for the exact walk, with nothing else beside the device.
    fn is_long(&self, segment: &Segment) -> bool {
        self.engine.is_beside_exact && segment.windows > MOST_EXACT
    }

    /// Whether there is room for the numbers of a segment.
    fn fits(&self, segment: &Segment) -> Result<(), Unwieldy> {
        if self.model.value_bits() <= Fixed::<6>::BITS {
            Course::<6>::new(&self.model, &self.spans, segment).map(drop)
        } else {
            Course::<9>::new(&self.model, &self.spans, segment).map(drop)
        }
    }

    /// Where numbers are such that the device may be asked.
    fn on_device(
        &mut self,
        segment: &Segment,
        found: &mut dyn FnMut(Candidate),
    ) -> Result<Vec<Range>, Refusal> {
        let bits = self.model.value_bits();
        let is_short = segment.windows < self.engine.sizes.fewest;
        let is_usual = (1..=MAX_SPANS).contains(&self.spans.len()) && !is_short;
        if !is_usual || locked(&self.engine.failure).is_some() {
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

/// Ranges of at least so many windows, where there are so many before their end, that cover all of
/// these.
fn widened(mut ranges: Vec<Range>, fewest: u32) -> Vec<Range> {
    ranges.sort_unstable_by_key(|range| range.start);
    let mut all: Vec<Range> = Vec::new();
    for Range { start, end } in ranges {
        let mut range = start.min(end.saturating_sub(fewest))..end;
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
                let done_by_none = number(&left);
                // the exact walk takes a window at a time
                let left = widened(left, if self.engine.is_beside_exact { 1 } else { FEWEST });
                // what is searched twice is counted once
                self.counters.windows -= number(&left) - done_by_none;
                let mut left = left.into_iter();
                return left.try_for_each(|windows| self.fallback.part(segment, windows, found));
            }
            Err(Refusal::Unwieldy) => {}
            Err(Refusal::Device(error)) => {
                // others may have told it before
                locked(&self.engine.failure).get_or_insert(error);
            }
        }
        self.counters.windows = before;
        if self.is_long(segment) {
            return Err(Unwieldy);
        }
        // all windows once more: a candidate may come twice
        self.fallback.search(segment, found)
    }

    fn accepts(&self, segment: &Segment) -> Result<(), Unwieldy> {
        if self.is_long(segment) {
            self.fits(segment)?;
        }
        // which searches what the device does not
        self.fallback.accepts(segment)
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
