//! The queue without threads: workers come in any order, at any speed, and devices fail at any
//! part.

use proptest::prelude::*;
use tmd_core::difftable::{Fixed, Polynomial, Upper};

use super::*;
use crate::CpuRole;

fn piece(arguments: u64) -> Piece {
    let polynomial = Polynomial::new(vec![Fixed::ZERO]);
    let [tolerance, taylor, rounding] = [20, 60, 60].map(|bits| Upper::power_of_two(-bits));
    Piece::new(polynomial, vec![Upper::ZERO], arguments, 0, tolerance, taylor, rounding).unwrap()
}

/// Numbers of the arguments in a part, counted over all ranges, which follow each other without a
/// gap.
fn arguments(part: &Part) -> core::ops::Range<usize> {
    let first = part.prepared.range.first() as u64;
    (first + part.from) as usize..(first + part.to) as usize
}

/// Ranges of these lengths, one after the other.
fn ranges(lengths: &[u64]) -> Vec<ArgumentRange> {
    let starts = lengths.iter().scan(0, |next, length| Some(core::mem::replace(next, *next + length)));
    lengths
        .iter()
        .zip(starts)
        .map(|(length, start)| ArgumentRange::new(i128::from(start), 0, *length))
        .collect()
}

/// A game of workers against the queue.
struct Game {
    queue: Queue,
    /// group and what it is at, worker by worker
    workers: Vec<(usize, Option<Step>)>,
    /// who was told to leave, and does not come back
    has_left: Vec<bool>,
    /// how often each argument was searched
    searched: Vec<u8>,
    /// what a backend's plan says of a piece of 1000 arguments
    seconds: Vec<f64>,
    /// calls of each group after it was lost, of workers that were not at work then
    calls_after_loss: usize,
}

impl Game {
    fn new(lengths: &[u64], groups: &[(GroupThreads, f64)]) -> Self {
        let workers = groups.iter().enumerate();
        let count = groups.iter().map(|(workers, _)| workers.threads).sum();
        Self {
            has_left: vec![false; count],
            queue: Queue::new(
                &ranges(lengths),
                groups.iter().map(|(workers, _)| workers.clone()).collect(),
                Sharing::Assumed,
            ),
            workers: workers
                .flat_map(|(group, (workers, _))| (0..workers.threads).map(move |_| (group, None)))
                .collect(),
            searched: vec![0; lengths.iter().sum::<u64>() as usize],
            seconds: groups.iter().map(|(_, seconds)| *seconds).collect(),
            calls_after_loss: 0,
        }
    }

    /// One step of a worker, chosen by `luck`; returns whether it changed anything.
    fn step(&mut self, worker: usize, luck: u8) -> bool {
        let (group, at) = &mut self.workers[worker];
        let group = *group;
        match at.take() {
            None if self.has_left[worker] => return false,
            None => match self.queue.next(group) {
                Step::Wait => return false,
                Step::Leave => {
                    self.has_left[worker] = true;
                    return false;
                }
                step => {
                    self.calls_after_loss += usize::from(self.queue.is_lost(group));
                    *at = Some(step);
                }
            },
            Some(Step::Make(range)) => {
                let count = range.count();
                let made = if count <= 3 {
                    let first = range.first() as usize;
                    self.searched[first..first + count as usize].iter_mut().for_each(|times| *times += 1);
                    Made::Confirmed(count)
                } else if luck < 80 {
                    let (left, right) = range.halves();
                    Made::Halves(left, right)
                } else {
                    let seconds = self.seconds.iter().map(|seconds| seconds * count as f64 / 1e3).collect();
                    Made::Piece(Prepared { range, piece: piece(count), seconds })
                };
                self.queue.made(made);
            }
            Some(Step::Search(part)) => {
                let may_fail = self.queue.workers[group].role.is_device() && self.queue.has_fallback();
                if may_fail && luck < 64 {
                    self.queue.give_back(group, part, luck < 16);
                } else {
                    self.searched[arguments(&part)].iter_mut().for_each(|times| *times += 1);
                    self.queue.searched(group);
                }
            }
            Some(Step::Wait | Step::Leave) => unreachable!("never kept"),
        }
        true
    }
}

fn groups() -> impl Strategy<Value = Vec<(GroupThreads, f64)>> {
    let seconds = prop_oneof![
        (-5.0..3.0f64).prop_map(|e| 10f64.powf(e)),
        Just(0.0),
        Just(f64::INFINITY),
        Just(f64::NAN)
    ];
    let cpu_role = prop_oneof![
        Just(None),
        Just(Some(CpuRole::Search)),
        Just(Some(CpuRole::Fallback)),
        Just(Some(CpuRole::Both))
    ];
    let devices = prop::collection::vec((1..4usize, seconds.clone()), 0..4);
    (devices, cpu_role, 1..4usize, seconds).prop_map(|(devices, cpu_role, threads, seconds)| {
        let mut groups: Vec<_> = devices
            .into_iter()
            .map(|(streams, seconds)| (GroupThreads::new(streams, Role::Device), seconds))
            .collect();
        if let Some(cpu_role) = cpu_role.or(groups.is_empty().then_some(CpuRole::Search)) {
            groups.push((GroupThreads::new(threads, Role::Cpu(cpu_role)), seconds));
        }
        groups
    })
}

proptest! {
    #[test]
    fn every_argument_exactly_once(
        lengths in prop::collection::vec(0..3000u64, 0..5),
        groups in groups(),
        script in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..400),
        after in any::<u8>(),
    ) {
        let mut game = Game::new(&lengths, &groups);
        for (worker, luck) in script {
            game.step(worker.index(game.workers.len()), luck);
        }
        // to the end, with the same luck for all: whenever somebody can do something, it is done
        while !(0..game.workers.len()).filter(|&worker| game.step(worker, after)).collect::<Vec<_>>().is_empty() {}
        prop_assert!(game.queue.is_done(), "nobody can go on, but something is left");
        prop_assert_eq!(game.queue.left, 0);
        prop_assert!(game.searched.iter().all(|&times| times == 1), "{:?}", game.searched);
        prop_assert_eq!(game.calls_after_loss, 0);
    }
}

/// A queue over one piece, which the first worker has made.
fn one_piece(groups: &[(GroupThreads, f64)], length: u64) -> Queue {
    shared_piece(groups, length, Sharing::Assumed)
}

fn shared_piece(groups: &[(GroupThreads, f64)], length: u64, sharing: Sharing) -> Queue {
    let mut queue =
        Queue::new(&ranges(&[length]), groups.iter().map(|(workers, _)| workers.clone()).collect(), sharing);
    let Step::Make(range) = queue.next(0) else { panic!("one range is to be made") };
    let seconds = groups.iter().map(|(_, seconds)| *seconds).collect();
    queue.made(Made::Piece(Prepared { range, piece: piece(length), seconds }));
    queue
}

fn size(step: &Step) -> u64 {
    match step {
        Step::Search(part) => part.arguments(),
        other => panic!("a part, not {other:?}"),
    }
}

/// A device a hundred times as fast as a core gets parts that take it about as long as the core's
/// take the core, half of what is left each time.
#[test]
fn parts_follow_the_speed_of_the_taker() {
    let groups =
        [(GroupThreads::new(2, Role::Device), 0.2), (GroupThreads::new(4, Role::Cpu(CpuRole::Both)), 20.0)];
    let length = 1 << 40;
    let mut queue = one_piece(&groups, length);
    // 1/(5 + 4/20) s = 192 ms for all together: half of it for a core, a quarter for each of a
    // device's two threads
    let core = size(&queue.next(1)) as f64 / length as f64 * 20.0;
    assert!((core - 0.096).abs() < 0.002, "{core} s");
    let device = size(&queue.next(0)) as f64 / length as f64 * 0.2;
    // equal parts of what is left, none longer than that
    assert!((0.038..=0.048).contains(&device), "{device} s");
    // guided: never longer than the part before by more than rounding, and at the end as short as
    // parts may be
    let mut parts = Vec::new();
    while let Step::Search(part) = queue.next(1) {
        parts.push(part.arguments() as f64 / length as f64 * 20.0);
    }
    assert!(parts.windows(2).all(|pair| pair[1] <= pair[0] * 1.01), "{parts:?}");
    assert!(parts.last().is_some_and(|&last| last <= 0.0011), "{parts:?}");
}

/// Long parts are bounded, short pieces are not cut, unknown ones neither.
#[test]
fn bounds_of_parts() {
    let core = |seconds| [(GroupThreads::new(2, Role::Cpu(CpuRole::Search)), seconds)];
    let length = 1 << 40;
    assert_eq!(size(&one_piece(&core(250.0), length).next(0)), (1u64 << 40).div_ceil(1000));
    for seconds in [0.0, 0.0009, f64::NAN, f64::INFINITY] {
        assert_eq!(size(&one_piece(&core(seconds), length).next(0)), length, "{seconds} s");
    }
    // two threads share a piece; for one by itself it is cut only if that is asked for
    let first = |threads, seconds, sharing| {
        let groups = [(GroupThreads::new(threads, Role::Cpu(CpuRole::Search)), seconds)];
        size(&shared_piece(&groups, length, sharing).next(0))
    };
    assert!(first(2, 0.2, Sharing::AsItIs) < length && first(1, 0.2, Sharing::Assumed) < length);
    // whatever is rounded
    let seconds = (1..=400).map(|k| f64::from(k) * 0.25 / 400.0);
    seconds.for_each(|seconds| assert_eq!(first(1, seconds, Sharing::AsItIs), length, "{seconds} s"));
    assert_eq!(first(1, 250.0, Sharing::AsItIs), (1u64 << 40).div_ceil(1000));
}

/// Threads that are a fallback make pieces for the device and search nothing, until it is lost.
#[test]
fn a_fallback_makes_pieces_until_the_device_is_lost() {
    let groups = [
        (GroupThreads::new(1, Role::Device), 0.0),
        (GroupThreads::new(2, Role::Cpu(CpuRole::Fallback)), 0.0),
    ];
    let workers = groups.iter().map(|(workers, _)| workers.clone()).collect();
    let mut queue = Queue::new(&ranges(&[100; 9]), workers, Sharing::Assumed);
    let prepare = |queue: &mut Queue, group| match queue.next(group) {
        Step::Make(range) => {
            let piece = piece(range.count());
            queue.made(Made::Piece(Prepared { range, piece, seconds: vec![0.0; 2] }));
            true
        }
        _ => false,
    };
    assert!(prepare(&mut queue, 1) && prepare(&mut queue, 1) && prepare(&mut queue, 1));
    assert!(!prepare(&mut queue, 1), "a piece per worker is enough");
    let Step::Search(part) = queue.next(0) else { panic!("three pieces are ready") };
    assert_eq!(arguments(&part), 0..100);
    assert!(prepare(&mut queue, 1), "one more");
    queue.give_back(0, part, false);
    let Step::Search(part) = queue.next(1) else { panic!("the device failed at it") };
    assert_eq!(arguments(&part), 0..100);
    queue.searched(1);
    assert!(matches!(queue.next(1), Step::Wait), "the device has the rest");
    queue.lose(0);
    assert!(matches!(queue.next(0), Step::Leave));
    assert!(matches!(queue.next(1), Step::Search(_)), "now it is the CPU's");
}

/// Failures in a row are as good as a loss, others are not.
#[test]
fn a_device_that_always_fails_is_lost() {
    let groups = [
        (GroupThreads::new(1, Role::Device), 1e3),
        (GroupThreads::new(1, Role::Cpu(CpuRole::Fallback)), 1e3),
    ];
    let mut queue = one_piece(&groups, 1 << 40);
    let mut ask = |fails| {
        let Step::Search(part) = queue.next(0) else { return false };
        if fails {
            queue.give_back(0, part, false);
        } else {
            queue.searched(0);
        }
        true
    };
    for fails in [true, true, false, true, true, false, true, true, true] {
        assert!(ask(fails));
    }
    assert!(!ask(false), "after three in a row");
}
