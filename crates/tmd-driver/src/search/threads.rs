//! A search under way: the threads, and what each does with what it takes from the [`Queue`].

use std::{
    iter::repeat_n,
    panic::resume_unwind,
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
    thread,
    time::{Duration, Instant},
};

use tmd_core::{ArgumentRange, CoreError, Interrupt, Number, Piece, PieceOutcome};
use tmd_functions::{TaylorError, taylor::taylor_piece};

use super::{
    Decide, MAX_CASES, POINTWISE,
    confirm::Verdict,
    outcome::Findings,
    queue::{GroupThreads, Made, Part, Prepared, Queue, Sharing, Step},
    sieve::{MOST_SIEVED, Sieve},
    workers::Group,
};
use crate::{DriverError, Observer, Outcome, Progress, Search};

/// Most undecided arguments in a part. Each takes milliseconds, and more than a few mean an
/// identity such as `sqrt(x)·sqrt(x) = x`, at every argument.
const MAX_UNDECIDED: usize = 64;

/// Searches the ranges with the search's workers.
pub(crate) fn search_ranges(
    search: &Search,
    arguments: u128,
    ranges: &[ArgumentRange],
    decide: &Decide,
    sharing: Sharing,
    observer: &dyn Observer,
    interrupt: &Interrupt,
) -> Result<Outcome, DriverError> {
    let groups = search.workers.groups();
    if groups.is_empty() {
        return Err(DriverError::NoBackend);
    }
    let workers = groups.iter().map(|group| GroupThreads::new(group.threads, group.role));
    let queue = Queue::new(ranges, workers.collect(), sharing);
    let outcome = Outcome::new(arguments, groups.iter().map(|group| group.backend.name()));
    let busy_before: Vec<Option<Duration>> = groups.iter().map(|group| group.backend.busy()).collect();
    let searching = Threads {
        search,
        decide,
        observer,
        interrupt,
        groups: &groups,
        state: Mutex::new(State { queue, ended: None }),
        changed: Condvar::new(),
        outcome: Mutex::new(outcome),
    };
    // as many threads as workers: each stays with its worker, which may wait for the others. This
    // one is the first's, so that a search by one thread starts none
    let group_of: Vec<usize> =
        (0..groups.len()).flat_map(|group| repeat_n(group, groups[group].threads)).collect();
    let (&first, others) = group_of.split_first().ok_or(DriverError::NoBackend)?;
    thread::scope(|scope| {
        let searching = &searching;
        let mut started = Vec::new();
        for &group in others {
            match thread::Builder::new().spawn_scoped(scope, move || searching.work(group)) {
                Ok(thread) => started.push(thread),
                Err(error) => {
                    let (threads, reason) = (group_of.len(), error.to_string());
                    searching.end(DriverError::Threads { threads, reason });
                    break;
                }
            }
        }
        searching.work(first);
        for thread in started {
            thread.join().unwrap_or_else(|panic| resume_unwind(panic));
        }
    });
    let ended = searching.state.into_inner().unwrap_or_else(PoisonError::into_inner).ended;
    let mut outcome = searching.outcome.into_inner().unwrap_or_else(PoisonError::into_inner);
    for ((share, group), before) in outcome.backends.iter_mut().zip(&groups).zip(busy_before) {
        share.busy = group.backend.busy().zip(before).map(|(after, before)| after.saturating_sub(before));
    }
    match ended {
        // interrupted: what is finished is kept
        None | Some(DriverError::Core(CoreError::Interrupted)) => {}
        // so it is when a machine fails
        Some(DriverError::Core(failure)) if failure.is_of_the_machine() => outcome.failure = Some(failure),
        Some(error) => return Err(error),
    }
    Ok(outcome)
}

struct Threads<'a> {
    search: &'a Search<'a>,
    /// asked of every candidate
    decide: &'a Decide<'a>,
    observer: &'a dyn Observer,
    interrupt: &'a Interrupt,
    /// devices first
    groups: &'a [Group<'a>],
    state: Mutex<State>,
    /// told whenever a worker that waits may find something to do
    changed: Condvar,
    /// never locked together with `state`
    outcome: Mutex<Outcome>,
}

struct State {
    queue: Queue,
    /// why the threads are to leave before the queue is empty: the first error that is not an
    /// interrupt
    ended: Option<DriverError>,
}

/// Ends the search if a thread panics, so that the others do not wait for it forever.
struct EndOnPanic<'a>(&'a Threads<'a>);

impl Drop for EndOnPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.end(CoreError::Interrupted.into());
        }
    }
}

impl Threads<'_> {
    /// One thread's work.
    fn work(&self, group: usize) {
        let _guard = EndOnPanic(self);
        while let Some(step) = self.next(group) {
            let done = match step {
                Step::Make(range) => self.make(&range),
                Step::Search(part) => self.part(group, part),
                Step::Wait | Step::Leave => return,
            };
            if let Err(error) = done {
                return self.end(error);
            }
        }
    }

    /// The next thing to do, as soon as there is one; `None` if there will be none.
    fn next(&self, group: usize) -> Option<Step> {
        let mut state = self.state();
        loop {
            if state.ended.is_some() {
                return None;
            }
            if let Err(interrupted) = self.interrupt.check() {
                drop(state);
                self.end(interrupted.into());
                return None;
            }
            match state.queue.next(group) {
                Step::Leave => return None,
                // whoever is at work will see an interrupt, end the search and wake this thread
                Step::Wait => state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
                step => {
                    // a piece may have been used up: those who prepare the next ones wait for that
                    if state.queue.is_short_of_pieces() {
                        self.changed.notify_all();
                    }
                    return Some(step);
                }
            }
        }
    }

    /// Ends the search. Of several errors the first counts; a thread told to stop has nothing to
    /// say.
    fn end(&self, error: DriverError) {
        let mut state = self.state();
        let is_better = match &state.ended {
            None => true,
            Some(known) => *known == CoreError::Interrupted.into() && error != *known,
        };
        if is_better {
            state.ended = Some(error);
        }
        drop(state);
        self.changed.notify_all();
    }

    /// Makes a range a piece, or halves, or confirms its arguments.
    fn make(&self, range: &ArgumentRange) -> Result<(), DriverError> {
        let made = self.made(range)?;
        self.state().queue.made(made);
        self.changed.notify_all();
        Ok(())
    }

    fn made(&self, range: &ArgumentRange) -> Result<Made, DriverError> {
        if range.count() <= POINTWISE {
            let findings = self.confirm((0..range.count()).map(|k| range.argument(k)))?;
            self.finish(range.count(), findings, |_| {})?;
            return Ok(Made::Confirmed(range.count()));
        }
        if range.count() <= MOST_SIEVED
            && let Some(sieve) = Sieve::new(self.search.function, &self.search.problem, range)
        {
            let candidates = (0..range.count()).filter(|&k| sieve.may_be_a_case(k));
            let findings = self.confirm(candidates.map(|k| range.argument(k)))?;
            self.finish(range.count(), findings, |_| {})?;
            return Ok(Made::Confirmed(range.count()));
        }
        if range.count() <= Piece::MAX_ARGUMENTS {
            let started = Instant::now();
            let piece = taylor_piece(self.search.function, range, &self.search.problem);
            let time = started.elapsed();
            let is_made = u64::from(piece.is_ok());
            self.update(|outcome| {
                outcome.taylor.domains_in += 1;
                outcome.taylor.domains_out += is_made;
                outcome.taylor.arguments_in += range.count();
                outcome.taylor.time += time;
                outcome.pieces += is_made;
            });
            match piece {
                Ok(piece) => {
                    let seconds = (0..self.groups.len()).map(|group| self.seconds(group, &piece));
                    let seconds = seconds.collect::<Result<_, _>>()?;
                    return Ok(Made::Piece(Prepared { range: *range, piece, seconds }));
                }
                Err(TaylorError::Core(error)) => return Err(error.into()),
                // shorter parts may do, single arguments will tell
                Err(_) => {}
            }
        }
        let (left, right) = range.halves();
        Ok(Made::Halves(left, right))
    }

    /// Seconds that the group's backend needs for a piece; not a number if it is lost.
    fn seconds(&self, group: usize, piece: &Piece) -> Result<f64, CoreError> {
        if self.state().queue.is_lost(group) {
            return Ok(f64::NAN);
        }
        match self.groups[group].backend.plan(piece) {
            Ok(plan) => Ok(plan.seconds),
            // a device that cannot even plan is gone
            Err(error) if error.is_of_the_machine() => {
                let can_go_on = {
                    let queue = &mut self.state().queue;
                    let can_go_on = self.groups[group].role.is_device() && queue.has_fallback();
                    if can_go_on {
                        queue.lose(group);
                    }
                    can_go_on
                };
                self.update(|outcome| outcome.add_failure(group, Duration::ZERO, &error, true));
                if can_go_on { Ok(f64::NAN) } else { Err(error) }
            }
            Err(error) => Err(error),
        }
    }

    /// Searches a part and confirms its candidates. A part at which a device failed goes back into
    /// the queue; nothing of it is in the outcome then.
    fn part(&self, group: usize, part: Part) -> Result<(), DriverError> {
        let Part { ref prepared, from, to } = part;
        let Prepared { range, piece, .. } = prepared.as_ref();
        let count = to - from;
        let piece = if count == piece.arguments() { piece.clone() } else { piece.part(from, count)? };
        let backend = self.groups[group].backend;
        let started = Instant::now();
        let found =
            backend.search(&piece, self.interrupt).and_then(|found| checked(found, count, backend.name()));
        let time = started.elapsed();
        let found = match found {
            Ok(found) => found,
            Err(error) if error.is_of_the_machine() => return self.failed(group, part, time, error),
            Err(error) => return Err(error.into()),
        };
        let findings = self.confirm(found.candidates.iter().map(|&k| range.argument(from + k)))?;
        self.finish(count, findings, |outcome| outcome.add_part(group, count, time, &found))?;
        let mut state = self.state();
        state.queue.searched(group);
        if state.queue.is_done() {
            drop(state);
            self.changed.notify_all();
        }
        Ok(())
    }

    /// A backend failed as a machine: its part goes to the fallback, or the search
    /// ends.
    fn failed(&self, group: usize, part: Part, time: Duration, error: CoreError) -> Result<(), DriverError> {
        let for_good = matches!(error, CoreError::BackendLost { .. });
        let mut state = self.state();
        let can_go_on = self.groups[group].role.is_device() && state.queue.has_fallback();
        if can_go_on {
            state.queue.give_back(group, part, for_good);
        }
        let is_lost = for_good || state.queue.is_lost(group);
        drop(state);
        self.changed.notify_all();
        self.update(|outcome| outcome.add_failure(group, time, &error, is_lost));
        if can_go_on { Ok(()) } else { Err(error.into()) }
    }

    fn confirm(&self, candidates: impl Iterator<Item = Number>) -> Result<Findings, DriverError> {
        let started = Instant::now();
        let mut findings = Findings::default();
        for x in candidates {
            self.interrupt.check()?;
            findings.confirm.domains_in += 1;
            findings.confirm.arguments_in += 1;
            match (self.decide)(x)? {
                Verdict::NotHard => continue,
                Verdict::Case(case) => {
                    findings.cases.push(case);
                    // a part may have millions, each a matter of milliseconds
                    if findings.cases.len() as u64 > MAX_CASES {
                        return Err(DriverError::TooManyFound { limit: MAX_CASES });
                    }
                }
                Verdict::Exact(case) => findings.exact_cases.push(case),
                Verdict::Undecided { argument, bits } => {
                    findings.undecided.push((argument, bits));
                    if findings.undecided.len() > MAX_UNDECIDED {
                        return Err(DriverError::IdenticallyExact {
                            function: self.search.function.name(),
                            bits,
                            count: findings.undecided.len(),
                            near: argument.to_string(),
                        });
                    }
                }
            }
            findings.confirm.domains_out += 1;
        }
        findings.confirm.time = started.elapsed();
        Ok(findings)
    }

    /// Adds a finished part to the outcome: all of it or nothing.
    fn finish(
        &self,
        arguments: u64,
        findings: Findings,
        more: impl FnOnce(&mut Outcome),
    ) -> Result<(), DriverError> {
        let progress = self.update(|outcome| {
            outcome.add(arguments, findings);
            more(outcome);
            if outcome.is_too_long() {
                return Err(DriverError::TooManyFound { limit: MAX_CASES });
            }
            let cases = outcome.cases.len();
            Ok(Progress { searched: outcome.searched, arguments: outcome.arguments, cases })
        })?;
        self.observer.progress(progress);
        Ok(())
    }

    fn update<R>(&self, change: impl FnOnce(&mut Outcome) -> R) -> R {
        // a poisoned lock means that a thread panicked; the scope passes that panic on
        change(&mut self.outcome.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Candidates as the contract wants them: a device that returns others computed or copied nonsense,
/// and its part is searched again.
fn checked(found: PieceOutcome, arguments: u64, backend: String) -> Result<PieceOutcome, CoreError> {
    let candidates = &found.candidates;
    let is_inside = candidates.last().is_none_or(|&last| last < arguments);
    if is_inside && candidates.is_sorted_by(|a, b| a < b) {
        return Ok(found);
    }
    let reason = "it returned candidates outside the piece or out of order".into();
    Err(CoreError::Backend { backend, reason })
}
