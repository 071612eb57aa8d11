//! [`Sweep::run_parts`]: parts of a sweep whose segments are walked side by side.
//!
//! The segments of a part follow each other: where the next one begins depends on what the walk
//! refuses. That is known before it walks but for exceptions ([`Walk::accepts`]), so segments are
//! made one after the other, and walked by whoever has time: a device wants many at once, and next
//! to a pole one part has most of them. A part of which a walk refuses a segment that it had
//! accepted is swept again as on the CPU, by [`Sweep::run`].
//!
//! [`Walk::accepts`]: tmd_core::lattice3::Walk::accepts

use std::{
    collections::VecDeque,
    mem::take,
    panic::resume_unwind,
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
    thread::{Builder, panicking, scope},
};

use rug::Integer;
use tmd_core::{
    Interrupt, Number,
    lattice3::{Counters, Segment, Unwieldy, Walk},
};

use super::{
    FamilyOutcome, Told,
    sweep::{Sweep, Taker},
};
use crate::{DriverError, parallel};

/// A part on its way.
struct Part {
    /// where its next segment begins
    next: Integer,
    to: Integer,
    /// of the segments that are made
    made: FamilyOutcome,
    /// of those that are walked
    walked: FamilyOutcome,
    is_refused: bool,
}

/// A place's segments, to be walked.
struct Job {
    part: usize,
    segments: Vec<Segment>,
    /// in units of an angle
    length: Integer,
}

struct State {
    parts: Vec<Part>,
    /// parts that have segments to be made and are in no thread's hands
    idle: VecDeque<usize>,
    /// parts of which a thread makes a segment
    making: usize,
    ready: VecDeque<Job>,
    /// the first error of any thread
    error: Option<DriverError>,
    /// a thread panics
    is_over: bool,
}

/// What a thread does next.
enum Task {
    Make { part: usize, next: Integer, to: Integer },
    Walk(Job),
}

/// The threads' state, and that something in it is new.
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
    /// segments that are made before they are walked
    ahead: usize,
}

/// Tells the other threads of a panic.
struct Guard<'a>(&'a Shared);

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        if panicking() {
            self.0.locked().is_over = true;
            self.0.changed.notify_all();
        }
    }
}

/// Takes what its walk does not refuse at once.
struct Collecting {
    walk: Box<dyn Walk>,
    segments: Vec<Segment>,
}

impl Taker for Collecting {
    fn take(&mut self, segment: &Segment, _: &mut Vec<Number>) -> Result<(), Unwieldy> {
        self.walk.accepts(segment)?;
        self.segments.push(segment.clone());
        Ok(())
    }

    fn drop_place(&mut self) {
        self.segments.clear();
    }
}

impl Shared {
    fn locked(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is to be done, if there is anything left.
    fn next(&self) -> Option<Task> {
        let mut state = self.locked();
        loop {
            if state.is_over || state.error.is_some() {
                return None;
            }
            // those are swept again
            while let Some(&part) = state.idle.front()
                && state.parts[part].is_refused
            {
                state.idle.pop_front();
            }
            while let Some(job) = state.ready.front()
                && state.parts[job.part].is_refused
            {
                state.ready.pop_front();
            }
            let is_enough = state.ready.len() >= self.ahead;
            if let Some(part) = if is_enough { None } else { state.idle.pop_front() } {
                state.making += 1;
                let Part { next, to, .. } = &state.parts[part];
                return Some(Task::Make { part, next: next.clone(), to: to.clone() });
            }
            if let Some(job) = state.ready.pop_front() {
                return Some(Task::Walk(job));
            }
            if state.making == 0 {
                return None;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn fail(&self, error: DriverError) {
        self.locked().error.get_or_insert(error);
        self.changed.notify_all();
    }
}

impl Sweep<'_> {
    /// The windows of parts, each between two angles, on all threads of the search.
    pub(super) fn run_parts(
        &self,
        ends: &[(Integer, Integer)],
        told: &Told,
        interrupt: &Interrupt,
    ) -> Result<Vec<FamilyOutcome>, DriverError> {
        let singularities = self.singularities();
        let part = |(from, to): &(Integer, Integer)| {
            let (next, to) = self.windows_between(from, to, &singularities);
            let [made, walked] = [FamilyOutcome::default(), FamilyOutcome::default()];
            Part { next, to, made, walked, is_refused: false }
        };
        let parts: Vec<Part> = ends.iter().map(part).collect();
        let idle = (0..parts.len()).filter(|&part| parts[part].next < parts[part].to).collect();
        let (making, ready) = (0, VecDeque::new());
        let state = State { parts, idle, making, ready, error: None, is_over: false };
        let threads = self.search.threads.max(1);
        let shared = Shared { state: Mutex::new(state), changed: Condvar::new(), ahead: threads };
        let work = || {
            let _guard = Guard(&shared);
            if let Err(error) = self.work(&shared, &singularities, told, interrupt) {
                shared.fail(error);
            }
        };
        scope(|scope| {
            // as many as there may be: this one is enough
            let spawn = |_| Builder::new().spawn_scoped(scope, work).ok();
            let others: Vec<_> = (1..threads).map_while(spawn).collect();
            work();
            for thread in others {
                thread.join().unwrap_or_else(|panic| resume_unwind(panic));
            }
        });
        let State { parts, error, .. } = shared.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        if let Some(error) = error {
            return Err(error);
        }
        // some of its progress was told
        let again = |&part: &usize| self.run(&ends[part].0, &ends[part].1, &|_, _| {}, interrupt);
        let refused: Vec<usize> = (0..parts.len()).filter(|&part| parts[part].is_refused).collect();
        let mut again = parallel::map(threads, &refused, again)?.into_iter();
        let outcome = |part: Part| {
            if part.is_refused {
                return again.next().unwrap_or_else(|| Ok(FamilyOutcome::default()));
            }
            let Part { made, mut walked, .. } = part;
            walked.arguments.extend(made.arguments);
            Ok(FamilyOutcome { arguments: walked.arguments, counters: walked.counters, ..made })
        };
        parts.into_iter().map(outcome).collect()
    }

    /// What one thread does, until there is nothing left.
    fn work(
        &self,
        shared: &Shared,
        singularities: &[(f64, f64)],
        told: &Told,
        interrupt: &Interrupt,
    ) -> Result<(), DriverError> {
        let engine = self.search.engine;
        let walk = || engine.start(&self.model, &self.spans);
        let mut collecting = Collecting { walk: walk(), segments: Vec::new() };
        while let Some(task) = shared.next() {
            interrupt.check()?;
            match task {
                Task::Make { part, next, to } => {
                    let mut made = FamilyOutcome::default();
                    let end =
                        self.segment(&mut collecting, &next, &to, singularities, &mut made, interrupt)?;
                    let job = Job {
                        part,
                        segments: take(&mut collecting.segments),
                        length: Integer::from(&end - &next),
                    };
                    let mut state = shared.locked();
                    state.making -= 1;
                    let own = &mut state.parts[part];
                    own.made.add(made);
                    own.next = end;
                    if own.next < own.to {
                        state.idle.push_back(part);
                    }
                    state.ready.push_back(job);
                    drop(state);
                    shared.changed.notify_all();
                }
                Task::Walk(Job { part, segments, length }) => {
                    let (mut walk, mut arguments) = (walk(), Vec::new());
                    let mut search = |segment: &Segment| {
                        walk.search(segment, &mut |candidate| {
                            arguments.extend((self.argument)(candidate.index, candidate.angle));
                        })
                    };
                    let searched = segments.iter().try_for_each(&mut search);
                    let counters: Counters = walk.counters();
                    engine.check()?;
                    told(&length, self.model.angle_bits);
                    let mut state = shared.locked();
                    let Part { walked, is_refused, .. } = &mut state.parts[part];
                    *is_refused |= searched.is_err();
                    walked.counters.add(&counters);
                    walked.arguments.extend(arguments);
                }
            }
        }
        Ok(())
    }
}
