//! [`Queue`]: the work that is left, and who takes which part of it next.
//!
//! **Every argument is searched exactly once.** At any time an argument that was not searched yet
//! is in exactly one of four places: a range that is no piece yet, the rest of a piece, a part or
//! range that a worker holds, or a part that a device gave back. Each step moves arguments from one
//! place to another and copies none:
//!
//! * a range goes to the worker that makes it; back come its two halves, or a piece whose rest is
//!   all of it, or nothing if its arguments were confirmed one by one;
//! * of the rest `[from, to)` of a piece a worker gets `[from, from + n)`, `1 ≤ n ≤ to − from`;
//!   `[from + n, to)` stays;
//! * a part that was searched goes away, one that a device failed at comes back whole and is a rest
//!   like any other.
//!
//! The queue ends when the four places are empty, and `n ≥ 1` sees to it that they will be.
//!
//! **Sizes** follow guided self-scheduling (Polychronopoulos and Kuck, IEEE Trans. Computers C-36,
//! 1987), in units of time: all workers together need about `T` seconds for the arguments that are
//! left, each by its own backend's plan; whoever comes gets half of what it can do in that time, or
//! all of it if there is nobody else ([`Sharing`]). A device gets many arguments and a core few,
//! parts shrink towards the end, and nobody is idle for long there.

use std::{collections::VecDeque, sync::Arc};

use tmd_core::{ArgumentRange, Piece};

use super::workers::Role;

/// Seconds of work, by the backend's own estimate, in a part that one worker searches at a time:
/// long enough that cutting and confirming do not show, short enough that an interrupt loses
/// little.
const LONGEST_PART: f64 = 0.25;

/// A part is not made shorter than this for the sake of the others.
const SHORTEST_PART: f64 = 0.001;

/// Failures in a row after which a device is not asked again.
const MOST_FAILURES: u32 = 3;

/// A piece with what the workers need to know about it.
#[derive(Debug)]
pub(crate) struct Prepared {
    pub(crate) range: ArgumentRange,
    pub(crate) piece: Piece,
    /// seconds for the whole piece, group by group: on one core, or on the whole device
    pub(crate) seconds: Vec<f64>,
}

/// The arguments `from..to` of a piece, for one worker. It cannot be copied: it is searched, or
/// given back.
#[derive(Debug)]
pub(crate) struct Part {
    pub(crate) prepared: Arc<Prepared>,
    pub(crate) from: u64,
    pub(crate) to: u64,
}

impl Part {
    fn arguments(&self) -> u64 {
        self.to - self.from
    }

    /// Cuts the first `count` arguments off; `0 < count ≤ arguments`.
    fn cut(&mut self, count: u64) -> Self {
        debug_assert!(0 < count && count <= self.arguments());
        let from = self.from;
        self.from += count;
        Self { prepared: Arc::clone(&self.prepared), from, to: self.from }
    }
}

/// What a worker does next.
#[derive(Debug)]
pub(crate) enum Step {
    /// Make this range a piece, or halves, or confirm its arguments one by one: then tell
    /// [`Queue::made`].
    Make(ArgumentRange),
    /// Search this part: then tell [`Queue::searched`] or [`Queue::give_back`].
    Search(Part),
    /// Ask again when another worker is done with something.
    Wait,
    /// Nothing is left, or the device is not to be asked again.
    Leave,
}

/// What became of a range.
pub(crate) enum Made {
    /// Its arguments, so many, were confirmed one by one.
    Confirmed(u64),
    /// It is two ranges now.
    Halves(ArgumentRange, ArgumentRange),
    /// It is a piece.
    Piece(Prepared),
}

/// Threads that share a backend.
#[derive(Clone, Debug)]
pub(crate) struct GroupThreads {
    pub(crate) threads: usize,
    pub(crate) role: Role,
    failures_in_a_row: u32,
    is_lost: bool,
}

impl GroupThreads {
    pub(crate) const fn new(threads: usize, role: Role) -> Self {
        Self { threads, role, failures_in_a_row: 0, is_lost: false }
    }
}

/// Whether a lone thread leaves a share of its pieces to others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sharing {
    /// It does, although there are none. A unit's budget and sizes of domains depend on its parts,
    /// so that those of certificates must stay as they are.
    Assumed,
    /// It does not.
    AsItIs,
}

/// The work that is left.
pub(crate) struct Queue {
    sharing: Sharing,
    workers: Vec<GroupThreads>,
    /// not pieces yet; the next one is the last
    ranges: Vec<ArgumentRange>,
    /// rests of pieces, none empty
    rests: VecDeque<Part>,
    /// what devices failed at, none empty
    returned: Vec<Part>,
    /// ranges that workers hold
    making: usize,
    /// parts that devices hold: they may come back
    on_devices: usize,
    /// arguments in `ranges`, `rests`, `returned` and in ranges that workers hold
    left: u128,
}

impl Queue {
    pub(crate) fn new(ranges: &[ArgumentRange], workers: Vec<GroupThreads>, sharing: Sharing) -> Self {
        Self {
            sharing,
            workers,
            ranges: ranges.iter().rev().filter(|range| range.count() > 0).copied().collect(),
            rests: VecDeque::new(),
            returned: Vec::new(),
            making: 0,
            on_devices: 0,
            left: ranges.iter().map(|range| u128::from(range.count())).sum(),
        }
    }

    /// What a worker of this group does next.
    pub(crate) fn next(&mut self, group: usize) -> Step {
        let GroupThreads { role, is_lost, .. } = self.workers[group];
        if is_lost {
            return Step::Leave;
        }
        if role.is_fallback() && !self.returned.is_empty() {
            return Step::Search(self.part_of_returned(group));
        }
        if self.is_short_of_pieces() && !role.is_device() {
            return self.range();
        }
        let searches = role.searches(self.has_device());
        if searches && !self.rests.is_empty() {
            return Step::Search(self.part_of_rest(group));
        }
        if searches && !self.ranges.is_empty() {
            return self.range();
        }
        if self.is_done() { Step::Leave } else { Step::Wait }
    }

    /// Whether nothing is left and nothing can come back.
    pub(crate) fn is_done(&self) -> bool {
        let is_empty = self.ranges.is_empty() && self.rests.is_empty() && self.returned.is_empty();
        is_empty && self.making == 0 && self.on_devices == 0
    }

    /// A range that [`next`](Self::next) handed out was made.
    pub(crate) fn made(&mut self, made: Made) {
        self.making -= 1;
        match made {
            Made::Confirmed(arguments) => self.left -= u128::from(arguments),
            Made::Halves(left, right) => self.ranges.extend([right, left]),
            Made::Piece(prepared) => {
                let to = prepared.piece.arguments();
                self.rests.push_back(Part { prepared: Arc::new(prepared), from: 0, to });
            }
        }
    }

    /// A part that [`next`](Self::next) handed out was searched.
    pub(crate) fn searched(&mut self, group: usize) {
        self.workers[group].failures_in_a_row = 0;
        self.on_devices -= usize::from(self.workers[group].role.is_device());
    }

    /// A device failed at a part, for good or not; there has to be a fallback
    /// ([`has_fallback`](Self::has_fallback)).
    pub(crate) fn give_back(&mut self, group: usize, part: Part, for_good: bool) {
        debug_assert!(self.workers[group].role.is_device() && self.has_fallback());
        self.left += u128::from(part.arguments());
        self.returned.push(part);
        self.on_devices -= 1;
        let workers = &mut self.workers[group];
        workers.failures_in_a_row += 1;
        if for_good || workers.failures_in_a_row >= MOST_FAILURES {
            self.lose(group);
        }
    }

    /// A device is not to be asked again. Once none is left the fallback searches everything.
    pub(crate) fn lose(&mut self, group: usize) {
        self.workers[group].is_lost = true;
    }

    pub(crate) fn is_lost(&self, group: usize) -> bool {
        self.workers[group].is_lost
    }

    /// Whether somebody takes what a device fails at.
    pub(crate) fn has_fallback(&self) -> bool {
        self.workers.iter().any(|workers| workers.role.is_fallback())
    }

    fn has_device(&self) -> bool {
        self.workers.iter().any(|workers| workers.role.is_device() && !workers.is_lost)
    }

    /// Whether pieces should be made ahead: a device must not wait for Taylor polynomials, which
    /// the CPU can make meanwhile. One piece per worker is enough, and bounds the memory.
    pub(crate) fn is_short_of_pieces(&self) -> bool {
        let enough: usize = self.workers.iter().map(|workers| workers.threads).sum();
        !self.ranges.is_empty() && self.has_device() && self.rests.len() + self.making < enough
    }

    /// The next range; there is one.
    fn range(&mut self) -> Step {
        let Some(range) = self.ranges.pop() else { return Step::Wait };
        self.making += 1;
        Step::Make(range)
    }

    /// A part of the first rest; there is one.
    fn part_of_rest(&mut self, group: usize) -> Part {
        let count = self.size(group, &self.rests[0], self.left, |role| role.searches(self.has_device()));
        self.on_devices += usize::from(self.workers[group].role.is_device());
        self.left -= u128::from(count);
        let part = self.rests[0].cut(count);
        if self.rests[0].arguments() == 0 {
            self.rests.pop_front();
        }
        part
    }

    /// A part of what was given back last; there is something.
    fn part_of_returned(&mut self, group: usize) -> Part {
        let last = self.returned.len() - 1;
        let left = self.returned.iter().map(|part| u128::from(part.arguments())).sum();
        let count = self.size(group, &self.returned[last], left, Role::is_fallback);
        self.left -= u128::from(count);
        let part = self.returned[last].cut(count);
        if self.returned[last].arguments() == 0 {
            self.returned.pop();
        }
        part
    }

    /// Arguments that a worker gets of this rest, when `left` arguments are left for those who are
    /// `at_work`.
    fn size(&self, group: usize, rest: &Part, left: u128, at_work: impl Fn(Role) -> bool) -> u64 {
        let Prepared { piece, seconds, .. } = rest.prepared.as_ref();
        let arguments = piece.arguments() as f64;
        // arguments per second of all together; the threads of a device share it
        let at_work = |workers: &GroupThreads| !workers.is_lost && at_work(workers.role);
        let at_work = || self.workers.iter().zip(seconds).filter(|(workers, _)| at_work(workers));
        let threads: usize = at_work().map(|(workers, _)| workers.threads).sum();
        let rates = at_work().map(|(workers, seconds)| {
            if workers.role.is_device() {
                arguments / seconds
            } else {
                workers.threads as f64 * arguments / seconds
            }
        });
        let rate: f64 = rates.filter(|rate| *rate > 0.0).sum();
        let share =
            if self.workers[group].role.is_device() { self.workers[group].threads as f64 } else { 1.0 };
        let aim = if threads == 1 && self.sharing == Sharing::AsItIs {
            LONGEST_PART
        } else {
            (left as f64 / rate / (2.0 * share)).clamp(SHORTEST_PART, LONGEST_PART)
        };
        let seconds = seconds[group] * (rest.arguments() as f64 / arguments);
        // a float that is not finite means that nothing is known: one part
        let parts = if seconds.is_finite() { (seconds / aim).ceil().min(1e9) as u64 } else { 1 };
        rest.arguments().div_ceil(parts.max(1))
    }
}

#[cfg(test)]
mod tests;
