//! [`Strand`]: a walk from segment to segment.

use core::ops::Range;

use tmd_core::lattice3::{
    Candidate, Counters, Course, Fixed, Frame, MAX_SPANS, Model, Segment, Shape, Span, Spot, Start, Unwieldy,
    View, Walk, Walker, enumerate,
};

use super::{
    beginning::{Beginning, End, place},
    kernel::Run,
    queue::{Hit, Queue},
    shape::{Bound, LEAST_KAPPA, Lane},
};
use crate::lanes::{Lanes, MAX_SINGLES};

/// Most windows of a lane between two exact bases.
pub const MOST_RUN: u32 = 1024;

/// Integers below this are exact in single precision.
const MOST_SINGLE: f64 = (1u32 << 24) as f64;

/// Runs are cut to half of their windows so often at most, until bounds hold of most lanes.
const CUTS: u32 = 6;

/// Fewest windows of a lane for which starting the lanes pays.
const FEW: u32 = 2;

/// A walk in these lanes.
pub(super) struct Strand<L> {
    lanes: L,
    model: Model,
    spans: Vec<Span>,
    /// windows of a lane between two exact bases
    run: u32,
    /// near the last window
    frame: Frame,
    /// searches windows exactly
    exact: Walker,
    counters: Counters,
    queue: Queue,
    beginning: Box<Beginning>,
    end: Box<End>,
}

/// A segment, and what is made of it.
struct Task<'a, const N: usize> {
    segment: &'a Segment,
    course: Course<N>,
    shape: Shape,
}

impl<L: Lanes> Strand<L> {
    pub(super) fn new(lanes: L, model: Model, spans: &[Span], run: u32) -> Self {
        debug_assert!((1..=MOST_RUN).contains(&run));
        Self {
            lanes,
            model,
            spans: spans.to_vec(),
            run,
            frame: Frame::TRIVIAL,
            exact: Walker::new(model, spans),
            counters: Counters::default(),
            queue: Queue::new(),
            beginning: Box::default(),
            end: Box::default(),
        }
    }

    fn narrow<const N: usize>(
        &mut self,
        segment: &Segment,
        windows: Range<u32>,
        found: &mut dyn FnMut(Candidate),
    ) -> Result<(), Unwieldy> {
        let course = Course::<N>::new(&self.model, &self.spans, segment)?;
        let task = Task { segment, course, shape: Shape::new(segment, &self.model) };
        self.range(&task, windows.start, windows.end, self.run, found)
    }

    /// The windows from number `first` to before `end`, in runs of at most `run`.
    fn range<const N: usize>(
        &mut self,
        task: &Task<'_, N>,
        first: u32,
        end: u32,
        run: u32,
        found: &mut dyn FnMut(Candidate),
    ) -> Result<(), Unwieldy> {
        let lanes = 2 * L::WIDTH;
        if (end - first) / (lanes as u32) < FEW {
            return (first..end).try_for_each(|number| self.single(task, number, found));
        }
        // every lane has a stretch of its own, run after run
        let stretch = (end - first).div_ceil(lanes as u32);
        let begin = |lane: usize| (first + lane as u32 * stretch).min(end);
        let mut frames = [self.frame; MAX_SINGLES];
        let mut near = self.frame;
        for lane in (0..lanes).filter(|&lane| begin(lane) < end) {
            near.seek(&task.course, &task.course.spot(begin(lane)))?;
            frames[lane] = near;
        }
        self.frame = near;
        let (mut gone, mut usual) = (0, run);
        while gone < stretch {
            let mut starts: [Option<(Spot<N>, View<N>, Start)>; MAX_SINGLES] = [const { None }; MAX_SINGLES];
            let from = |lane: usize| (begin(lane) + gone).min(begin(lane + 1));
            for lane in (0..lanes).filter(|&lane| from(lane) < begin(lane + 1)) {
                let spot = task.course.spot(from(lane));
                let view = frames[lane].view(&task.course, &spot)?;
                let start = frames[lane].start(&task.course, &spot, &view)?;
                starts[lane] = Some((spot, view, start));
            }
            let known_of = |steps: u32| {
                let mut known = [Lane::default(); MAX_SINGLES];
                for (lane, (known, start)) in known.iter_mut().zip(&starts).enumerate() {
                    if let Some((.., start)) = start {
                        let windows = (begin(lane + 1) - from(lane)).min(steps);
                        *known = Lane::new(&task.shape, start, from(lane), windows);
                    }
                }
                let walking = known.iter().filter(|lane| lane.bound().is_some()).count();
                (known, walking)
            };
            // as long as most of them may walk, if they ever do
            let all = starts.iter().flatten().count();
            let longest = (stretch - gone).min(run.min(2 * usual));
            let tries = (0..=CUTS).map(|cut| longest >> cut).filter(|&steps| steps >= FEW);
            let is_long = |&(_, (_, walking)): &(u32, (_, usize))| 4 * walking >= 3 * all;
            let chosen = tries.map(|steps| (steps, known_of(steps))).find(is_long);
            let (steps, (known, walking)) = chosen.unwrap_or_else(|| (longest, known_of(longest)));
            usual = steps;
            for lane in 0..lanes {
                match &starts[lane] {
                    Some((spot, view, start)) => {
                        // near enough as far as the lane's bound goes
                        let differences = frames[lane].balanced(spot, view, known[lane].windows);
                        self.beginning.fill(lane, L::WIDTH, start, &differences);
                    }
                    // a lane that has nothing to do goes with the first one, which has
                    None => self.beginning.repeat(lane, L::WIDTH),
                }
            }
            let mut ends = [[[f64::NAN; 3]; 3]; MAX_SINGLES];
            let mut is_sound = [false; MAX_SINGLES];
            if walking > 0 {
                let (beginning, targets) = (&*self.beginning, self.spans.len());
                let (queue, end) = (&mut self.queue, &mut *self.end);
                if targets > 1 {
                    self.lanes.run(Run::<true> { beginning, steps, targets, queue, end });
                } else {
                    self.lanes.run(Run::<false> { beginning, steps, targets, queue, end });
                }
                for lane in 0..lanes {
                    let (g, at) = place(lane, L::WIDTH);
                    ends[lane] = self.end.rows[g].map(|row| row.map(|c| c[at]));
                    is_sound[lane] = known[lane].is_sound(self.end.longest[lane], &ends[lane]);
                }
                self.hits(task, &frames, &known, &is_sound, found)?;
            }
            for lane in 0..lanes {
                let Lane { first, windows, .. } = known[lane];
                if is_sound[lane] {
                    self.counters.windows += u64::from(windows);
                    frames[lane].apply(&ends[lane])?;
                } else if windows != 0 {
                    // lanes whose bounds did not hold: shorter runs
                    self.frame = frames[lane];
                    self.range(task, first, first + windows, steps, found)?;
                    frames[lane].seek(&task.course, &task.course.spot(first + windows))?;
                }
            }
            gone += steps;
        }
        self.frame = frames[lanes - 1];
        Ok(())
    }

    /// One window, by an exact frame.
    fn single<const N: usize>(
        &mut self,
        task: &Task<'_, N>,
        number: u32,
        found: &mut dyn FnMut(Candidate),
    ) -> Result<(), Unwieldy> {
        self.counters.windows += 1;
        let spot = task.course.spot(number);
        let mut frame = self.frame;
        let is_empty = frame.seek(&task.course, &spot).is_ok() && {
            self.frame = frame;
            (0..self.spans.len()).all(|target| self.is_empty(task, &frame, &spot, target))
        };
        if is_empty { Ok(()) } else { self.exact.window(task.segment, number, found) }
    }

    /// Whether a window holds no case's point for a target, as far as a frame that is short there
    /// tells, in doubles.
    fn is_empty<const N: usize>(
        &mut self,
        task: &Task<'_, N>,
        frame: &Frame,
        spot: &Spot<N>,
        target: usize,
    ) -> bool {
        frame.look(&task.course, spot, target).is_ok_and(|(dual, phases)| {
            let (kappa, cubic) = spot.shape();
            let model = task.shape.model(kappa, cubic, 1).get();
            // a course is within 2^-40 of κ of the segment (Lemma L.12); false for NaN
            kappa >= LEAST_KAPPA && !enumerate::needs_a_search(&dual, &phases, model, 0.0, &mut self.counters)
        })
    }

    /// Enumerates the windows that lanes have flagged.
    fn hits<const N: usize>(
        &mut self,
        task: &Task<'_, N>,
        frames: &[Frame; MAX_SINGLES],
        known: &[Lane; MAX_SINGLES],
        is_sound: &[bool; MAX_SINGLES],
        found: &mut dyn FnMut(Candidate),
    ) -> Result<(), Unwieldy> {
        let mut hits = core::mem::take(&mut self.queue.hits);
        // a window may need a search for several targets, which is one
        hits.sort_unstable_by_key(|hit| (hit.lane, hit.step));
        let mut searched = None;
        for Hit { step, target, lane } in &hits {
            let lane = *lane as usize;
            // some lanes go on beyond their windows
            if !is_sound[lane] || *step >= known[lane].windows {
                continue;
            }
            let number = known[lane].first + step;
            if searched == Some(number) {
                continue;
            }
            let t = self.queue.history[*step as usize].map(|row| row.map(|c| f64::from(c[lane])));
            // T has to be exact: singles may have rounded larger entries
            let is_exact = t.iter().flatten().all(|entry| entry.abs() < MOST_SINGLE);
            if let (true, Some(bound)) = (is_exact, known[lane].bound()) {
                // first with the numbers that lanes have
                let (dual, phases) = self.beginning.at(lane, L::WIDTH, *target as usize, *step, &t);
                let Bound { off, model, .. } = *bound;
                if !enumerate::needs_a_search(&dual, &phases, model, off, &mut self.counters) {
                    continue;
                }
            }
            let spot = task.course.spot(number);
            let mut frame = frames[lane];
            let moved = if is_exact { frame.apply(&t) } else { frame.seek(&task.course, &spot).map(drop) };
            let is_empty = moved.is_ok() && self.is_empty(task, &frame, &spot, *target as usize);
            if !is_empty {
                searched = Some(number);
                self.exact.window(task.segment, number, found)?;
            }
        }
        hits.clear();
        self.queue.hits = hits;
        Ok(())
    }
}

impl<L: Lanes> Walk for Strand<L> {
    fn search(&mut self, segment: &Segment, found: &mut dyn FnMut(Candidate)) -> Result<(), Unwieldy> {
        self.part(segment, 0..segment.windows, found)
    }

    fn part(
        &mut self,
        segment: &Segment,
        windows: Range<u32>,
        found: &mut dyn FnMut(Candidate),
    ) -> Result<(), Unwieldy> {
        let bits = self.model.value_bits();
        if self.spans.len() <= MAX_SPANS && bits <= Fixed::<6>::BITS {
            return self.narrow::<6>(segment, windows, found);
        }
        // several binades of x87
        if self.spans.len() <= MAX_SPANS && bits <= Fixed::<9>::BITS {
            return self.narrow::<9>(segment, windows, found);
        }
        for number in windows {
            self.counters.windows += 1;
            self.exact.window(segment, number, found)?;
        }
        Ok(())
    }

    fn accepts(&self, segment: &Segment) -> Result<(), Unwieldy> {
        let bits = self.model.value_bits();
        if self.spans.len() > MAX_SPANS || bits > Fixed::<9>::BITS {
            Ok(())
        } else if bits <= Fixed::<6>::BITS {
            Course::<6>::new(&self.model, &self.spans, segment).map(drop)
        } else {
            Course::<9>::new(&self.model, &self.spans, segment).map(drop)
        }
    }

    fn counters(&self) -> Counters {
        let (mut sum, exact) = (self.counters, self.exact.counters());
        sum.row_operations += exact.row_operations;
        // the windows that were searched exactly
        sum.occupied += exact.windows;
        sum.points += exact.points;
        sum.candidates += exact.candidates;
        sum
    }
}
