//! A test, done: workers take arguments chunk by chunk, make the calls in all modes, and compare.

use std::{
    path::Path,
    sync::{
        Mutex,
        atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering},
    },
    thread,
};

use tmd_core::Interrupt;

use crate::{
    Death, LibmError, LibmTest, Mode, Outcome, Reference, Report,
    arguments::{Arguments, Origin},
    report::{Library, Speed},
    tally::{Made, Tally},
    wire::Call,
    worker::{Fate, Patience, Start, Worker},
};

/// Arguments of a batch: so many that making a polynomial for them takes no longer than trying
/// them.
const CHUNK: u64 = 512;
const EXHAUSTIVE_CHUNK: u64 = 4096;

/// Calls that are timed.
const TIMED: usize = 4096;

/// Deaths of each mode after which nothing more is called in it; calls that do not return take
/// long.
const MOST_DEATHS: u32 = 16;
const MOST_HANGS: u32 = 3;

/// What workers share.
struct Shared {
    next: AtomicU64,
    done: AtomicU64,
    /// one worker failed, or was interrupted
    is_over: AtomicBool,
    deaths: [AtomicU32; 4],
    hangs: [AtomicU32; 4],
    once: Mutex<Vec<Death>>,
}

impl Patience for Shared {
    fn died(&self, mode: Mode, death: Death) {
        let counts = if death == Death::Hang { &self.hangs } else { &self.deaths };
        counts[mode.index()].fetch_add(1, Ordering::Relaxed);
    }

    fn is_over(&self, mode: Mode) -> bool {
        self.deaths[mode.index()].load(Ordering::Relaxed) >= MOST_DEATHS
            || self.hangs[mode.index()].load(Ordering::Relaxed) >= MOST_HANGS
    }

    fn died_once(&self, death: Death) {
        if let Ok(mut once) = self.once.lock() {
            once.push(death);
        }
    }
}

/// What a worker found.
struct Found {
    tallies: Vec<Tally>,
    by_origin: [u64; 4],
    exact: u64,
}

struct Job<'a> {
    test: &'a LibmTest<'a>,
    reference: Reference,
    arguments: Arguments,
    start: Start,
    shared: Shared,
    progress: &'a (dyn Fn(u64, u64) + Sync),
    interrupt: &'a Interrupt,
}

pub(crate) fn run(
    test: &LibmTest,
    progress: &(dyn Fn(u64, u64) + Sync),
    interrupt: &Interrupt,
) -> Result<Report, LibmError> {
    let reference = Reference::new(test.function, test.format)?;
    let start = Start {
        server: test.server.clone(),
        library: test.library.clone(),
        symbol: test.symbol.clone(),
        format: test.format,
        limit: test.limit,
    };
    // a library that cannot be loaded is found out before all else
    let mut first = Worker::new(&start)?;
    let library = Library {
        name: test.library.clone(),
        file: Some(std::mem::take(&mut first.file)).filter(|file| !file.is_empty()),
        glibc: Some(std::mem::take(&mut first.glibc)).filter(|version| !version.is_empty()),
    };
    drop(first);
    is_its_own(&library, &test.symbol)?;
    let arguments = if test.exhaustive {
        Arguments::all(reference.encoding())?
    } else {
        Arguments::listed(&reference, &test.hard, test.random, test.seed)?
    };
    let shared = Shared {
        next: AtomicU64::new(0),
        done: AtomicU64::new(0),
        is_over: AtomicBool::new(false),
        deaths: Default::default(),
        hangs: Default::default(),
        once: Mutex::default(),
    };
    let job = Job { test, reference, arguments, start, shared, progress, interrupt };
    let found = thread::scope(|scope| {
        let threads: Vec<_> = (0..test.threads.max(1))
            .map(|_| scope.spawn(|| job.work().inspect_err(|_| job.give_up())))
            .collect();
        let found = threads.into_iter().map(|thread| match thread.join() {
            Ok(found) => found,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        found.collect::<Result<Vec<_>, _>>()
    })?;
    let mut found = found.into_iter();
    let mut all = found.next().unwrap_or_else(|| job.nothing());
    for more in found {
        all.merge(more);
    }
    let speed = job.speed(&all)?;
    let partial = job.shared.done.load(Ordering::Relaxed) < job.arguments.len();
    let once = job.shared.once.lock().map(|once| once.clone()).unwrap_or_default();
    Ok(Report::new(test, library, &all.tallies, all.by_origin, all.exact, once, speed, partial))
}

/// A loader that does not find a symbol in a library looks for it in those that the library needs:
/// then another function would be tested.
fn is_its_own(library: &Library, symbol: &str) -> Result<(), LibmError> {
    let Library { name, file: Some(file), .. } = library else { return Ok(()) };
    let [asked, found] = [name, file].map(|path| Path::new(path).canonicalize().ok());
    if !name.contains('/') || asked == found {
        return Ok(());
    }
    let reason = format!(
        "{name} has no symbol {symbol} of its own, but needs {file}, which has one; name the function with --symbol, or the other library"
    );
    Err(LibmError::Library { reason })
}

impl Found {
    fn merge(&mut self, other: Self) {
        for (all, more) in self.tallies.iter_mut().zip(other.tallies) {
            all.merge(more);
        }
        for (all, more) in self.by_origin.iter_mut().zip(other.by_origin) {
            *all += more;
        }
        self.exact += other.exact;
    }
}

impl Job<'_> {
    fn give_up(&self) {
        self.shared.is_over.store(true, Ordering::Relaxed);
    }

    fn nothing(&self) -> Found {
        let tally = |mode: &Mode| Tally::new(*mode, self.reference.encoding(), self.test.examples);
        Found { tallies: self.test.modes.iter().map(tally).collect(), by_origin: [0; 4], exact: 0 }
    }

    /// Chunk after chunk, until there are none.
    fn work(&self) -> Result<Found, LibmError> {
        let mut found = self.nothing();
        let mut worker: Option<Worker> = None;
        let length = self.arguments.len();
        let chunk = if self.test.exhaustive { EXHAUSTIVE_CHUNK } else { CHUNK };
        loop {
            let first = self.shared.next.fetch_add(chunk, Ordering::Relaxed);
            if first >= length
                || self.interrupt.check().is_err()
                || self.shared.is_over.load(Ordering::Relaxed)
            {
                return Ok(found);
            }
            let worker = match &mut worker {
                Some(worker) => worker,
                none => none.insert(Worker::new(&self.start)?),
            };
            let end = length.min(first + chunk);
            match self.chunk(first..end, worker, &mut found) {
                // Ctrl-C is for the process that calls, too; its handler may come a little later
                Err(LibmError::Interrupted) => {
                    self.give_up();
                    return Ok(found);
                }
                done => done?,
            }
            let done = self.shared.done.fetch_add(end - first, Ordering::Relaxed) + end - first;
            (self.progress)(done, length);
        }
    }

    fn chunk(
        &self,
        indices: std::ops::Range<u64>,
        worker: &mut Worker,
        found: &mut Found,
    ) -> Result<(), LibmError> {
        let arguments: Vec<(u64, u128, Origin)> = indices
            .map(|index| {
                let (argument, origin) = self.arguments.get(index);
                (index, argument, origin)
            })
            .collect();
        let calls = |is_over: bool| {
            let modes = self.test.modes.iter().filter(move |mode| self.shared.is_over(**mode) == is_over);
            modes.copied().collect::<Vec<Mode>>()
        };
        let (modes, over) = (calls(false), calls(true));
        let calls: Vec<Call> = arguments
            .iter()
            .flat_map(|(_, argument, _)| modes.iter().map(|&mode| Call { mode, argument: *argument }))
            .collect();
        let begun = worker.begin(&calls);
        // while the calls are made, what they should give
        let outcomes =
            self.reference.outcomes(&arguments.iter().map(|(_, bits, _)| *bits).collect::<Vec<_>>())?;
        let fates = worker.finish(begun, &calls, &self.shared)?;
        let compared = self.test.flags.compared();
        for (i, (&(index, argument, origin), outcome)) in arguments.iter().zip(&outcomes).enumerate() {
            found.by_origin[origin as usize] += 1;
            found.exact += u64::from(outcome.as_ref().is_some_and(Outcome::is_exact));
            for tally in &mut found.tallies {
                let Some(place) = modes.iter().position(|mode| *mode == tally.mode()) else {
                    tally.not_made += u64::from(over.contains(&tally.mode()));
                    continue;
                };
                match fates[i * modes.len() + place] {
                    Fate::Answered(answer) => {
                        let change = (!answer.change.is_none()).then(|| answer.change.to_string());
                        let (result, flags) = (answer.result, answer.flags);
                        let made = Made { index, argument, origin, result, flags, change };
                        tally.add(&made, outcome.as_ref(), compared);
                    }
                    Fate::Died(death) => tally.add_death(index, argument, death),
                    Fate::NotMade => tally.not_made += 1,
                }
            }
        }
        Ok(())
    }

    /// How fast the function is, at arguments that were drawn, or else at any; not told if it ends
    /// processes.
    fn speed(&self, found: &Found) -> Result<Option<Speed>, LibmError> {
        let is_deadly = found.tallies.iter().any(|tally| tally.died.count > 0 || tally.not_made > 0);
        if is_deadly || self.interrupt.check().is_err() {
            return Ok(None);
        }
        let length = self.arguments.len();
        let drawn: Vec<u128> = match &self.arguments {
            Arguments::Listed(listed) => {
                let drawn = listed.iter().rev().filter(|(_, origin)| *origin == Origin::Random);
                drawn.map(|(bits, _)| *bits).take(TIMED).collect()
            }
            Arguments::All(_) => Vec::new(),
        };
        let timed = if drawn.is_empty() {
            let step = (length / TIMED as u64).max(1);
            (0..length).step_by(step as usize).map(|i| self.arguments.get(i).0).take(TIMED).collect()
        } else {
            drawn
        };
        let time = Worker::new(&self.start)?.time(&timed)?;
        Ok(time.filter(|time| *time > 0).map(|time| Speed::new(time, timed.len())))
    }
}
