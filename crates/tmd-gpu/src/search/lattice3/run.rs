//! [`Dispatcher`]: runs on their way over the GPU, those of several threads together: beginnings
//! up, one kernel, hits down.
//!
//! A thread has some thousand runs for a dispatch, and a large device room for ten times as many.
//! So what threads hand in while the device works goes into its next dispatch, as much as it should
//! take at a time: the busier it is, the larger its dispatches, and the less a window takes.

use std::{
    sync::{
        Condvar, Mutex, PoisonError,
        mpsc::{Sender, TryRecvError, channel},
    },
    time::Duration,
};

use tmd_shaders::constants::lattice3::BLOCK;

use super::Sizes;
use crate::{
    Buffer, Gpu, GpuError, Pipeline,
    cpu::lattice3::{Beginning, Lattice3Constants, Lattice3Hit},
    device::locked,
};

/// Dispatches under way at most: while the device works on one, the next one is prepared, and what
/// another one found is taken apart.
const IN_FLIGHT: usize = 3;

/// Seconds of the device for a dispatch of several threads: watchdogs end what takes two.
const DISPATCH_SECONDS: f64 = 0.2;

/// Windows of the first dispatch, each counted for each of its targets.
const FIRST: u64 = 1 << 25;

/// Most words of the tables of several threads.
const MOST_WORDS: usize = 1 << 24;

/// Room for hits per run and target: some three are usual.
const HITS_PER_RUN: u32 = 16;

/// Most hits of a dispatch, 208 MiB.
const MOST_HITS: u32 = 1 << 21;

/// The kernel for one target, and for several, two per invocation.
#[derive(Clone)]
pub(super) struct Pipelines {
    pub(super) one: Pipeline,
    pub(super) pairs: Pipeline,
}

/// Hands runs of several threads to a device.
pub(super) struct Dispatcher {
    gpu: Gpu,
    pipelines: Pipelines,
    sizes: Sizes,
    /// most hits of a dispatch
    hits: u32,
    state: Mutex<State>,
    /// a dispatch ended
    ended: Condvar,
}

#[derive(Default)]
struct State {
    waiting: Vec<(Tables, Reply)>,
    in_flight: usize,
    spare: Vec<Buffers>,
    /// in the kernel, of all dispatches
    kernel: Duration,
    /// windows of these, each counted for each of its targets
    timed: u64,
}

/// Runs of one thread.
struct Tables {
    targets: u32,
    words: Vec<u32>,
    /// a multiple of [`BLOCK`]
    runs: u32,
    windows: u64,
}

impl Tables {
    /// Windows, each counted for each of its targets.
    fn work(&self) -> u64 {
        self.windows * u64::from(self.targets)
    }
}

/// To the thread that waits for them.
type Reply = Sender<Result<Walked, GpuError>>;

/// What a dispatch did.
pub(super) struct Walked {
    /// Windows done of every run, for all targets.
    pub(super) done: Vec<u32>,
    /// Of these windows those that need another look, in any order.
    pub(super) hits: Vec<Lattice3Hit>,
}

/// The buffers of a dispatch.
struct Buffers {
    constants: Buffer,
    tables: Buffer,
    progress: Buffer,
    finished: Buffer,
    hits: Buffer,
    /// runs, targets and hits there is room for
    room: Lattice3Constants,
    /// hits of the last dispatch
    last: u32,
}

/// A dispatch in flight; its end is told however it ends.
struct Turn<'a>(&'a Dispatcher);

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        locked(&self.0.state).in_flight -= 1;
        self.0.ended.notify_all();
    }
}

impl Dispatcher {
    /// With dispatches of these sizes, and so many hits at most.
    pub(super) fn new(gpu: &Gpu, pipelines: Pipelines, sizes: Sizes, hits: u32) -> Self {
        let (state, ended) = (Mutex::default(), Condvar::new());
        Self { gpu: gpu.clone(), pipelines, sizes, hits, state, ended }
    }

    /// The same with room for so many hits of a dispatch at most.
    pub(super) fn with_room_for_hits(&self, hits: u32) -> Self {
        Self::new(&self.gpu, self.pipelines.clone(), self.sizes, hits)
    }

    /// Walks these runs, which have so many targets, together with those of other threads.
    pub(super) fn walk(&self, runs: &[Beginning], targets: u32) -> Result<Walked, GpuError> {
        let (reply, answer) = channel();
        let blocks = (runs.len() as u32).div_ceil(BLOCK);
        // the rest of a block are runs of no windows
        let mut words = vec![0; Beginning::words(targets) * (blocks * BLOCK) as usize];
        for (number, run) in runs.iter().enumerate() {
            run.put(number as u32, targets, &mut words);
        }
        let windows = runs.iter().map(|run| u64::from(run.windows)).sum();
        let tables = Tables { targets, words, runs: blocks * BLOCK, windows };
        let mut state = locked(&self.state);
        state.waiting.push((tables, reply));
        let walked = loop {
            match answer.try_recv() {
                Ok(walked) => break walked,
                Err(TryRecvError::Empty) => {}
                Err(TryRecvError::Disconnected) => {
                    let message = "a thread ended that had a dispatch".into();
                    break Err(GpuError::Internal { message });
                }
            }
            if !state.is_ready(self.sizes.enough) {
                state = self.ended.wait(state).unwrap_or_else(PoisonError::into_inner);
                continue;
            }
            // those of others, too, or only these
            let most = state.most_windows(self.sizes.together);
            let next = state.next(self.most_words(), most);
            let spare = state.spare.pop();
            state.in_flight += 1;
            drop(state);
            let turn = Turn(self);
            // gone before the turn ends, also in a panic: then threads that wait hear of it
            let (tables, replies) = next;
            match self.dispatch(&tables, spare) {
                Ok((walked, buffers)) => {
                    for (reply, walked) in replies.iter().zip(walked) {
                        // a thread that is gone needs none
                        let _ = reply.send(Ok(walked));
                    }
                    locked(&self.state).spare.push(buffers);
                }
                Err(error) => {
                    for reply in &replies {
                        let _ = reply.send(Err(error.clone()));
                    }
                }
            }
            drop((tables, replies));
            drop(turn);
            state = locked(&self.state);
        };
        drop(state);
        let Walked { mut done, mut hits } = walked?;
        done.truncate(runs.len());
        for (done, run) in done.iter_mut().zip(runs) {
            *done = run.windows.min(*done);
        }
        // what a driver says of runs that there are not is not believed
        hits.retain(|hit| {
            hit.target < targets && done.get(hit.run as usize).is_some_and(|&done| hit.step < done)
        });
        Ok(Walked { done, hits })
    }

    /// Time in the kernel until now, as far as the device has timestamps.
    pub(super) fn kernel_time(&self) -> Duration {
        locked(&self.state).kernel
    }

    /// Words of the tables of several threads at most: there is room for twice as many.
    fn most_words(&self) -> usize {
        MOST_WORDS.min((bytes_of_a_buffer(&self.gpu) / size_of::<u32>() as u64) as usize / 2)
    }

    /// One dispatch of all these, with buffers that may do.
    fn dispatch(
        &self,
        tables: &[Tables],
        spare: Option<Buffers>,
    ) -> Result<(Vec<Walked>, Buffers), GpuError> {
        let gpu = &self.gpu;
        let targets = tables.first().map_or(0, |tables| tables.targets);
        let runs = tables.iter().map(|tables| tables.runs).sum();
        let has_room = |buffers: &Buffers| buffers.room.runs >= runs && buffers.room.targets == targets;
        let mut buffers = match spare.filter(has_room) {
            Some(buffers) => buffers,
            None => Buffers::new(gpu, runs.next_power_of_two(), targets, self.hits)?,
        };
        let constants = Lattice3Constants { runs, ..buffers.room };
        let invocations = constants.invocations();
        let mut batch = gpu.batch();
        batch.write(&buffers.constants, 0, &constants.to_words());
        let words: Vec<&[u32]> = tables.iter().map(|tables| &tables.words[..]).collect();
        batch.write_all(&buffers.tables, 0, &words);
        batch.fill_zero(&buffers.progress);
        // what an invocation does not say is not done
        batch.fill_zero(&buffers.finished);
        let bound =
            [&buffers.constants, &buffers.tables, &buffers.progress, &buffers.finished, &buffers.hits];
        let pipeline = if targets == 1 { &self.pipelines.one } else { &self.pipelines.pairs };
        batch.dispatch("lattice3", pipeline, &bound, invocations.div_ceil(self.sizes.workgroup));
        let number = batch.read(&buffers.progress, 0..1);
        let finished = batch.read(&buffers.finished, 0..invocations.into());
        // about as many as the last time, or another batch is needed
        let expected = (buffers.last + buffers.last / 4 + 1024).min(constants.capacity);
        let words = |number: u32| u64::from(number) * Lattice3Hit::WORDS as u64;
        let list = batch.read(&buffers.hits, 0..words(expected));
        let mut result = batch.run()?;
        if !result.times().is_empty() {
            let mut state = locked(&self.state);
            state.kernel += result.times().iter().map(|(_, time)| *time).sum::<Duration>();
            state.timed += tables.iter().map(Tables::work).sum::<u64>();
        }
        let number = result.take(number)?.first().copied().unwrap_or(0).min(constants.capacity);
        let finished = result.take(finished)?;
        let mut list = result.take(list)?;
        drop(result);
        list.truncate(words(number) as usize);
        if number > expected {
            let mut batch = gpu.batch();
            let rest = batch.read(&buffers.hits, words(expected)..words(number));
            list.extend(batch.run()?.take(rest)?);
        }
        buffers.last = number;
        Ok((parted(tables, runs, &finished, &list), buffers))
    }
}

/// Bytes of a buffer at most.
fn bytes_of_a_buffer(gpu: &Gpu) -> u64 {
    let limits = &gpu.summary().limits;
    limits.storage_binding_bytes.min(limits.buffer_bytes)
}

/// What is whose of a dispatch: the windows that every invocation did, and the words of hits.
fn parted(tables: &[Tables], runs: u32, finished: &[u32], list: &[u32]) -> Vec<Walked> {
    let mut parts = Vec::with_capacity(tables.len());
    let mut ends = Vec::with_capacity(tables.len());
    let mut end = 0;
    for tables in tables {
        let own = end as usize..(end + tables.runs) as usize;
        let mut done = vec![u32::MAX; tables.runs as usize];
        for of_group in finished.chunks_exact(runs as usize) {
            for (least, &windows) in done.iter_mut().zip(&of_group[own.clone()]) {
                *least = windows.min(*least);
            }
        }
        end += tables.runs;
        ends.push(end);
        parts.push(Walked { done, hits: Vec::new() });
    }
    for words in list.as_chunks().0 {
        let mut hit = Lattice3Hit::of_words(words);
        let part = ends.partition_point(|&end| end <= hit.run);
        if let Some(walked) = parts.get_mut(part) {
            hit.run -= ends[part] - tables[part].runs;
            walked.hits.push(hit);
        }
    }
    parts
}

impl State {
    /// Windows of a dispatch of several threads: as many as take a fifth of a second, by those
    /// until now, but no more than `most`.
    fn most_windows(&self, most: u64) -> u64 {
        let per_second = self.timed as f64 / self.kernel.as_secs_f64();
        // without timestamps it is not known
        if per_second.is_finite() {
            most.min((DISPATCH_SECONDS * per_second) as u64)
        } else {
            most.min(FIRST)
        }
    }

    /// Whether the next dispatch begins: the device has nothing else to do, or there are enough
    /// runs for one that waits.
    fn is_ready(&self, enough: u32) -> bool {
        let Some((first, _)) = self.waiting.first() else { return false };
        // those that may go with it
        let own = self.waiting.iter().filter(|(tables, _)| tables.targets == first.targets);
        let runs = || own.map(|(tables, _)| u64::from(tables.runs)).sum::<u64>();
        self.in_flight == 0 || self.in_flight < IN_FLIGHT && runs() >= enough.into()
    }

    /// The tables that go into the next dispatch, of so many words and windows if they are several,
    /// and who waits for them.
    fn next(&mut self, most_words: usize, most_windows: u64) -> (Vec<Tables>, Vec<Reply>) {
        let (mut tables, mut replies) = (Vec::<Tables>::new(), Vec::new());
        let (mut words, mut work) = (0, 0);
        let mut later = Vec::new();
        for (own, reply) in self.waiting.drain(..) {
            let fits = match tables.first() {
                Some(first) => {
                    first.targets == own.targets
                        && words + own.words.len() <= most_words
                        && work + own.work() <= most_windows
                }
                None => true,
            };
            if fits {
                words += own.words.len();
                work += own.work();
                tables.push(own);
                replies.push(reply);
            } else {
                later.push((own, reply));
            }
        }
        self.waiting = later;
        (tables, replies)
    }
}

impl Buffers {
    /// Room for so many runs and targets, and for their hits, but no more than `hits`.
    fn new(gpu: &Gpu, runs: u32, targets: u32, hits: u32) -> Result<Self, GpuError> {
        let limit = bytes_of_a_buffer(gpu) / (4 * Lattice3Hit::WORDS as u64);
        let limit = u32::try_from(limit).unwrap_or(u32::MAX);
        let usual = runs.saturating_mul(targets).saturating_mul(HITS_PER_RUN);
        let capacity = usual.min(MOST_HITS).min(limit).min(hits);
        let room = Lattice3Constants { runs, targets, capacity };
        Ok(Self {
            constants: gpu.buffer("lattice3 constants", Lattice3Constants::WORDS as u64)?,
            tables: gpu.buffer("lattice3 tables", room.table_words() as u64)?,
            progress: gpu.buffer("progress", 1)?,
            finished: gpu.buffer("windows done", room.invocations().into())?,
            hits: gpu.buffer("hits", Lattice3Hit::WORDS as u64 * u64::from(capacity))?,
            room,
            last: 0,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tables(targets: u32, runs: u32) -> Tables {
        let words = vec![0; Beginning::words(targets) * runs as usize];
        Tables { targets, runs, words, windows: 100 * u64::from(runs) }
    }

    /// What goes into a dispatch has so many targets and so many words; what does not waits, in
    /// order.
    #[test]
    fn tables_of_a_dispatch() {
        let words = |runs: usize| Beginning::words(2) * runs;
        let state = |list: &[(u32, u32)]| {
            let waiting = list.iter().map(|&(targets, runs)| (tables(targets, runs), channel().0)).collect();
            State { waiting, ..State::default() }
        };
        let runs = |list: &[Tables]| list.iter().map(|tables| tables.runs).collect::<Vec<_>>();
        let mut several = state(&[(2, 32), (1, 64), (2, 96), (2, 128)]);
        let (first, replies) = several.next(words(160), u64::MAX);
        assert_eq!((runs(&first), replies.len()), (vec![32, 96], 2));
        let (second, _) = several.next(words(160), u64::MAX);
        assert_eq!((runs(&second), second[0].targets), (vec![64], 1));
        assert_eq!(runs(&several.next(words(160), u64::MAX).0), [128]);
        // one by itself may have more
        assert_eq!(runs(&state(&[(2, 320), (2, 32)]).next(words(160), u64::MAX).0), [320]);
        // and of windows likewise
        assert_eq!(runs(&state(&[(2, 64), (2, 64), (2, 32)]).next(usize::MAX, 19_200).0), [64, 32]);
        assert_eq!(runs(&state(&[(2, 64), (2, 32)]).next(usize::MAX, 1).0), [64]);
    }

    /// Nothing waits where the device has nothing to do; beside another dispatch few runs wait for
    /// more with as many targets.
    #[test]
    fn dispatches_that_wait() {
        let state = |in_flight: usize, list: &[(u32, u32)]| {
            let waiting = list.iter().map(|&(targets, runs)| (tables(targets, runs), channel().0)).collect();
            State { waiting, in_flight, ..State::default() }
        };
        let is_ready = |in_flight: usize, list: &[(u32, u32)]| state(in_flight, list).is_ready(256);
        assert!(!is_ready(0, &[]) && is_ready(0, &[(1, 32)]));
        assert!(
            !is_ready(1, &[]) && !is_ready(1, &[(1, 128), (1, 96)]) && is_ready(1, &[(1, 128), (1, 128)])
        );
        assert!(!is_ready(1, &[(2, 32), (1, 256)]) && is_ready(1, &[(1, 128), (2, 32), (1, 128)]));
        assert!(is_ready(IN_FLIGHT - 1, &[(1, 256)]) && !is_ready(IN_FLIGHT, &[(1, 256)]));
        assert!(state(1, &[(1, 32)]).is_ready(0) && !state(1, &[]).is_ready(0));
    }

    /// A dispatch takes a fifth of a second by those until now, and no more windows than it may.
    #[test]
    fn dispatches_are_short() {
        let state = |kernel: f64, timed: u64| State {
            kernel: Duration::from_secs_f64(kernel),
            timed,
            ..State::default()
        };
        assert_eq!(state(10.0, 1 << 30).most_windows(u64::MAX), (1 << 30) / 50);
        assert_eq!(state(10.0, 1 << 30).most_windows(1000), 1000);
        // where nothing was timed
        assert_eq!(state(0.0, 0).most_windows(u64::MAX), FIRST);
        assert_eq!(state(0.0, 0).most_windows(1000), 1000);
    }

    /// Each thread gets its own runs and hits, by its own numbers.
    #[test]
    fn whose_is_what() {
        let list = [tables(3, 32), tables(3, 64)];
        let runs = 96;
        // two groups of targets: the lesser of what they did
        let finished: Vec<u32> =
            (0..runs).chain((0..runs).map(|run| if run == 40 { 7 } else { 200 })).collect();
        let words: Vec<u32> = [3, 40, 95, 96]
            .into_iter()
            .flat_map(|run| [run, 5].into_iter().chain(std::iter::repeat_n(run, Lattice3Hit::WORDS - 2)))
            .collect();
        let parts = parted(&list, runs, &finished, &words);
        assert_eq!(parts.len(), 2);
        assert_eq!(parts[0].done, (0..32).collect::<Vec<_>>());
        assert_eq!((parts[1].done[7], parts[1].done[8], parts[1].done[63]), (39, 7, 95));
        let hits = |part: usize| {
            parts[part].hits.iter().map(|hit| (hit.run, hit.rows[0][0] as u32)).collect::<Vec<_>>()
        };
        // of run 96, which there is not, nobody
        assert_eq!((hits(0), hits(1)), (vec![(3, 3)], vec![(8, 40), (63, 95)]));
    }
}
