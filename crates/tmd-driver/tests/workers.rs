//! CPUs and devices that are fast, slow, or fail, on whole searches: whoever searches, the list is
//! that of the CPU alone.

mod testing;

use std::{
    sync::{
        Condvar, Mutex,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};

use proptest::prelude::*;
use rug::Rational;
use testing::{Searching, problem, search, walk};
use tmd_core::{
    Backend, Breakpoints, CoreError, Format, Interrupt, KernelTime, Piece, PieceOutcome, PiecePlan, Problem,
};
use tmd_driver::{CpuRole, DriverError, Outcome, Report, Search, Workers};
use tmd_functions::parse;
use tmd_simd::Simd;

/// What is wrong with a device.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    Nothing,
    /// it fails at call `n` and at no other
    Once(u64),
    /// it fails at every `n`th call
    Every(u64),
    /// it is lost at call `n`
    Lost(u64),
    /// it searches, and is lost when it should hand over the result of call `n`
    LostAfter(u64),
    /// call `n` returns an argument outside the piece
    Nonsense(u64),
    /// from call `n` on it returns its last candidate twice
    Repeated(u64),
    /// its plan fails from call `n` on
    NoPlan(u64),
}

/// A device or a core, by the walk on this machine's lanes.
struct Mock {
    name: &'static str,
    walk: Simd,
    /// what it says of its speed: seconds for 2^20 arguments
    seconds: f64,
    fault: Fault,
    delay: Duration,
    plans: AtomicU64,
    calls: AtomicU64,
    /// arguments in the parts that it searched and returned
    returned: AtomicU64,
}

impl Mock {
    fn new(name: &'static str, seconds: f64, fault: Fault) -> Self {
        let zero = || AtomicU64::new(0);
        let delay = Duration::ZERO;
        Self { name, walk: walk(), seconds, fault, delay, plans: zero(), calls: zero(), returned: zero() }
    }

    fn with_delay(self, delay: Duration) -> Self {
        Self { delay, ..self }
    }

    fn failure(&self) -> CoreError {
        CoreError::Backend { backend: self.name.into(), reason: "out of memory".into() }
    }

    fn loss(&self) -> CoreError {
        CoreError::BackendLost { backend: self.name.into(), reason: "device lost".into() }
    }
}

impl Backend for Mock {
    fn name(&self) -> String {
        self.name.into()
    }

    fn plan(&self, piece: &Piece) -> Result<PiecePlan, CoreError> {
        let call = self.plans.fetch_add(1, Relaxed);
        if matches!(self.fault, Fault::NoPlan(n) if call >= n) {
            return Err(self.loss());
        }
        let seconds = self.seconds * piece.arguments() as f64 * 2f64.powi(-20);
        Ok(PiecePlan { seconds, ..self.walk.plan(piece)? })
    }

    fn search(&self, piece: &Piece, interrupt: &Interrupt) -> Result<PieceOutcome, CoreError> {
        let call = self.calls.fetch_add(1, Relaxed);
        std::thread::sleep(self.delay);
        match self.fault {
            Fault::Once(n) if call == n => return Err(self.failure()),
            Fault::Every(n) if call % n == n - 1 => return Err(self.failure()),
            Fault::Lost(n) if call >= n => return Err(self.loss()),
            _ => {}
        }
        let mut found = self.walk.search(piece, interrupt)?;
        match self.fault {
            Fault::LostAfter(n) if call >= n => return Err(self.loss()),
            Fault::Nonsense(n) if call == n => found.candidates.push(piece.arguments()),
            Fault::Repeated(n) if call >= n && !found.candidates.is_empty() => {
                found.candidates.extend_from_within(found.candidates.len() - 1..);
            }
            _ => {
                self.returned.fetch_add(piece.arguments(), Relaxed);
                let kernel = |name: &str| KernelTime {
                    name: name.into(),
                    time: Duration::from_millis(1),
                    invocations: 2,
                };
                found.kernels = vec![kernel("walk"), kernel("compact")];
            }
        }
        Ok(found)
    }
}

/// A question with its answer by the CPU alone.
struct Job {
    function: &'static str,
    ends: [&'static str; 2],
    problem: Problem,
    expected: Outcome,
}

impl Job {
    fn new(ends: [&'static str; 2], format: Format, extra_bits: u32) -> Self {
        let (function, problem) = ("exp", problem(format, Breakpoints::All, extra_bits));
        let walk = walk();
        let workers = Workers::cpu(&walk, 1);
        let expected = search(function, ends, problem, workers, &(), &Interrupt::new()).unwrap();
        Self { function, ends, problem, expected }
    }

    /// Pieces of all lengths, several binades, half of all arguments cases: what is lost or
    /// searched twice shows.
    fn dense() -> Self {
        Self::new(["0.25", "8"], Format::BINARY32.with_precision(12).unwrap(), 3)
    }

    /// One piece of 2^22 doubles.
    fn long() -> Self {
        Self::new(["1", "1+2^-30"], Format::BINARY64, 12)
    }

    fn run(&self, workers: Workers) -> Result<Outcome, DriverError> {
        self.run_until(&Interrupt::new(), workers)
    }

    fn run_until(&self, interrupt: &Interrupt, workers: Workers) -> Result<Outcome, DriverError> {
        search(self.function, self.ends, self.problem, workers, &(), interrupt)
    }

    /// The whole list, every argument once.
    fn check(&self, found: &Outcome) {
        assert_eq!(found.cases, self.expected.cases);
        assert_eq!(found.exact_cases, self.expected.exact_cases);
        assert_eq!((found.searched, found.arguments), (self.expected.arguments, self.expected.arguments));
        assert_eq!(found.failure, None);
    }

    fn report(&self, workers: Workers, found: &Outcome) -> Report {
        let function = parse(self.function).unwrap();
        let (from, to) = (Rational::from(1), Rational::from(2));
        Report::new(&Search { function: &function, from, to, problem: self.problem, workers }, found, None)
    }
}

/// What was finished is in the outcome, what failed is not: each backend's share is what it
/// returned.
fn check_shares(found: &Outcome, mocks: &[&Mock]) {
    assert_eq!(found.backends.len(), mocks.len());
    for (share, mock) in found.backends.iter().zip(mocks) {
        assert_eq!(share.name, mock.name);
        assert_eq!(share.arguments, u128::from(mock.returned.load(Relaxed)), "{}", share.name);
        assert_eq!(share.parts + share.failures, mock.calls.load(Relaxed) + failed_plans(mock));
    }
}

/// Failed plans among a device's failures: several if threads ask at once.
fn failed_plans(mock: &Mock) -> u64 {
    match mock.fault {
        Fault::NoPlan(n) => mock.plans.load(Relaxed).saturating_sub(n),
        _ => 0,
    }
}

fn fault() -> impl Strategy<Value = Fault> {
    let n = 0..12u64;
    prop_oneof![
        Just(Fault::Nothing),
        n.clone().prop_map(Fault::Once),
        (1..5u64).prop_map(Fault::Every),
        n.clone().prop_map(Fault::Lost),
        n.clone().prop_map(Fault::LostAfter),
        n.clone().prop_map(Fault::Nonsense),
        n.clone().prop_map(Fault::Repeated),
        n.prop_map(Fault::NoPlan),
    ]
}

fn speed() -> impl Strategy<Value = f64> {
    prop_oneof![(-6.0..1.0f64).prop_map(|e| 10f64.powf(e)), Just(0.0), Just(f64::INFINITY)]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]
    #[test]
    fn any_mix_finds_the_same(
        devices in prop::collection::vec((speed(), fault()), 0..3),
        streams in 1..4usize,
        cpu in speed(),
        threads in 1..4usize,
        cpu_role in prop_oneof![Just(CpuRole::Search), Just(CpuRole::Fallback), Just(CpuRole::Both)],
        is_long in any::<bool>(),
    ) {
        static JOBS: std::sync::LazyLock<[Job; 2]> = std::sync::LazyLock::new(|| [Job::dense(), Job::long()]);
        let job = &JOBS[usize::from(is_long)];
        let names = ["first gpu", "second gpu"];
        let gpus: Vec<Mock> =
            devices.iter().zip(names).map(|(&(speed, fault), name)| Mock::new(name, speed, fault)).collect();
        let cpu = Mock::new("cpu", cpu, Fault::Nothing);
        let devices = gpus.iter().map(|gpu| gpu as &dyn Backend).collect();
        let workers = Workers::devices(devices).with_cpu(&cpu, threads, cpu_role).with_streams(streams);
        let found = job.run(workers).unwrap();
        let all: Vec<&Mock> = gpus.iter().chain([&cpu]).collect();
        check_shares(&found, &all);
        let has_failed = found.backends.iter().any(|share| share.failures > 0);
        prop_assert_eq!(found.failure.is_some(), cpu_role == CpuRole::Search && has_failed);
        if found.failure.is_some() {
            prop_assert!(found.is_partial());
            prop_assert!(found.cases.iter().all(|case| job.expected.cases.contains(case)));
            prop_assert!(found.cases.is_sorted_by(|a, b| a.argument < b.argument));
        } else {
            job.check(&found);
        }
        for share in &found.backends {
            prop_assert_eq!(share.reason.is_some(), share.failures > 0);
        }
    }
}

#[test]
fn the_cpu_searches_what_a_device_failed_at() {
    let job = Job::long();
    let gpu = Mock::new("gpu", 1e-3, Fault::Once(1)).with_delay(Duration::from_millis(3));
    let cpu = Mock::new("cpu", 1e-2, Fault::Nothing);
    let workers = Workers::devices(vec![&gpu]).with_cpu(&cpu, 2, CpuRole::Fallback);
    let found = job.run(workers.clone()).unwrap();
    job.check(&found);
    check_shares(&found, &[&gpu, &cpu]);
    let [gpu_share, cpu_share] = &found.backends[..] else { panic!("two backends") };
    assert_eq!((gpu_share.failures, gpu_share.is_lost), (1, false));
    assert!(gpu_share.arguments > cpu_share.arguments && cpu_share.arguments > 0, "only that part");

    let report = job.report(workers, &found);
    let sentence = "gpu failed once (out of memory) and the CPU took over there: nothing is missing, nothing is counted twice";
    assert_eq!(report.failures, [sentence]);
    let summary = report.summary();
    assert_eq!(summary.lines().filter(|line| line.trim() == sentence).count(), 1, "{summary}");
    let document: serde_json::Value = serde_json::from_str(&report.to_json()).unwrap();
    assert_eq!(document["failures"][0], sentence);
    assert_eq!(document["engine"], "gpu");
    assert_eq!(document["backends"][0]["name"], "gpu");
    assert_eq!(document["backends"][0]["failures"], 1);
    let total: u64 = (0..2).map(|i| document["backends"][i]["arguments"].as_u64().unwrap()).sum();
    assert_eq!(total, 1 << 22);
    let share: f64 = (0..2).map(|i| document["backends"][i]["share"].as_f64().unwrap()).sum();
    assert!((share - 1.0).abs() < 1e-12);
    // kernels of all parts that were searched, in their order, by name
    let parts = found.backends.iter().map(|share| share.parts).sum::<u64>();
    assert_eq!(document["kernels"][0]["name"], "walk");
    assert_eq!(document["kernels"][1]["name"], "compact");
    assert_eq!(document["kernels"][0]["invocations"], 2 * parts);
    assert!((document["kernels"][1]["seconds"].as_f64().unwrap() - 1e-3 * parts as f64).abs() < 1e-9);
    assert!(summary.contains("kernel walk") && summary.contains("kernel compact"), "{summary}");
}

#[test]
fn a_lost_device_is_not_asked_again() {
    for (fault, calls) in
        [(Fault::Lost(2), 2), (Fault::LostAfter(0), 0), (Fault::NoPlan(0), 0), (Fault::Every(1), 2)]
    {
        let job = Job::dense();
        let gpu = Mock::new("gpu", 1.0, fault);
        let cpu = Mock::new("cpu", 1.0, Fault::Nothing);
        let workers = Workers::devices(vec![&gpu]).with_cpu(&cpu, 1, CpuRole::Fallback).with_streams(2);
        let found = job.run(workers.clone()).unwrap();
        job.check(&found);
        check_shares(&found, &[&gpu, &cpu]);
        // the second stream may have been at work when the first one failed
        assert!(gpu.calls.load(Relaxed) <= calls + 2, "{fault:?}: {} calls", gpu.calls.load(Relaxed));
        assert!(found.backends[0].is_lost, "{fault:?}");
        let [sentence] = &job.report(workers, &found).failures[..] else { panic!("one sentence") };
        assert!(sentence.contains("was not asked again; the CPU took over"), "{sentence}");
    }
}

/// Waits, at most ten minutes, until a device was called so often.
fn wait_for_calls(mock: &Mock, count: u64) {
    let begun = Instant::now();
    while mock.calls.load(Relaxed) < count {
        assert!(begun.elapsed() < Duration::from_secs(600), "it is never called");
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn without_a_fallback_everything_finished_is_kept() {
    let job = Job::dense();
    let delay = Duration::from_millis(2);
    for (with_cpu, fault) in [(false, Fault::Once(5)), (true, Fault::Lost(5)), (false, Fault::NoPlan(9))] {
        let gpu = Mock::new("gpu", 1.0, fault).with_delay(delay);
        // the CPU begins when the device is lost, or it might do all that there is before
        let cpu = Mock::new("cpu", 1.0, Fault::Nothing).with_delay(delay);
        let cpu = Searching::new(cpu, |cpu, piece, interrupt| {
            wait_for_calls(&gpu, 6);
            cpu.search(piece, interrupt)
        });
        let workers = Workers::devices(vec![&gpu]).with_streams(2);
        let (workers, mocks) = if with_cpu {
            (workers.with_cpu(&cpu, 1, CpuRole::Search), vec![&gpu, &cpu.backend])
        } else {
            (workers, vec![&gpu])
        };
        let found = job.run(workers.clone()).unwrap();
        assert!(found.failure.is_some() && found.is_partial());
        assert!(found.searched > 0 && !found.cases.is_empty());
        check_shares(&found, &mocks);
        // the cases of the arguments searched, all of them: half of all arguments are cases
        assert!(
            found.cases.len() as f64 > 0.4 * found.searched as f64,
            "{} of {}",
            found.cases.len(),
            found.searched
        );
        let report = job.report(workers, &found);
        assert!(report.partial);
        assert!(
            report.failures[0].ends_with("and the search ended early; all that was finished is kept"),
            "{:?}",
            report.failures
        );
    }
}

/// A CPU that fails has no fallback.
#[test]
fn a_failing_cpu_ends_the_search() {
    let job = Job::long();
    let cpu = Mock::new("cpu", 1.0, Fault::Once(3));
    let found = job.run(Workers::cpu(&cpu, 2)).unwrap();
    assert_eq!(found.failure, Some(cpu.failure()));
    check_shares(&found, &[&cpu]);
    assert!(found.searched > 0 && found.is_partial());
}

/// Waits, at most ten minutes, until so many calls were begun by all who share it.
#[derive(Default)]
struct Meeting {
    begun: Mutex<usize>,
    changed: Condvar,
}

impl Meeting {
    fn wait_for(&self, count: usize) {
        let mut begun = self.begun.lock().unwrap();
        *begun += 1;
        self.changed.notify_all();
        let all = |begun: &mut usize| *begun < count;
        let (_guard, result) = self.changed.wait_timeout_while(begun, Duration::from_secs(600), all).unwrap();
        assert!(!result.timed_out(), "the others never came");
    }
}

/// Two devices with two threads each and a core are all at work at the same time: no search returns
/// before all five are.
#[test]
fn all_search_at_the_same_time() {
    let job = Job::dense();
    let meeting = Meeting::default();
    let sociable = |name| {
        Searching::new(Mock::new(name, 1.0, Fault::Nothing), |mock, piece, interrupt| {
            meeting.wait_for(5);
            mock.search(piece, interrupt)
        })
    };
    let (first, second, cpu) = (sociable("first"), sociable("second"), sociable("cpu"));
    let workers = Workers::devices(vec![&first, &second]).with_cpu(&cpu, 1, CpuRole::Both);
    let found = job.run(workers).unwrap();
    job.check(&found);
    assert!(found.backends.iter().all(|share| share.parts > 0), "{:?}", found.backends);
}

#[test]
fn nobody() {
    assert_eq!(Job::long().run(Workers::devices(vec![])).unwrap_err(), DriverError::NoBackend);
}

/// An interrupt reaches those who wait for work as well: the search ends, with what was finished.
#[test]
fn interrupts_reach_everybody() {
    let job = Job::long();
    let interrupt = Interrupt::new();
    // as Ctrl-C would ask for the end; it returns when it sees the request
    let gpu = Searching::new(Mock::new("gpu", 1.0, Fault::Nothing), |gpu, piece, interrupt| {
        if gpu.calls.load(Relaxed) >= 3 {
            interrupt.request();
            interrupt.check()?;
        }
        gpu.search(piece, interrupt)
    });
    let cpu = Mock::new("cpu", 1.0, Fault::Nothing);
    // the fallback has nothing to do and waits
    let workers = Workers::devices(vec![&gpu]).with_cpu(&cpu, 2, CpuRole::Fallback).with_streams(1);
    let found = job.run_until(&interrupt, workers).unwrap();
    assert!(found.is_partial() && found.searched > 0 && found.failure.is_none());
    check_shares(&found, &[&gpu.backend, &cpu]);
}

/// An interrupt keeps what is finished as a result; it must not hide an error that came before.
#[test]
fn an_error_is_not_taken_for_an_interrupt() {
    let job = Job::long();
    // of two threads at work one fails at the question itself, the other, once that is known, says
    // that it was interrupted
    let (calls, meeting) = (AtomicU64::new(0), Meeting::default());
    let backend = Searching::new(Mock::new("quarreling", 1.0, Fault::Nothing), |_, piece, _| {
        let is_first = calls.fetch_add(1, Relaxed) == 0;
        meeting.wait_for(2);
        if is_first {
            return Err(CoreError::TooManyCandidates { limit: 0, arguments: piece.arguments() });
        }
        std::thread::sleep(Duration::from_millis(50));
        Err(CoreError::Interrupted)
    });
    let error = job.run(Workers::cpu(&backend, 2)).unwrap_err();
    assert!(matches!(error, DriverError::Core(CoreError::TooManyCandidates { .. })), "{error}");
}

/// A bug is passed on, and nobody waits for the thread that had it.
#[test]
#[should_panic(expected = "a bug in a backend")]
fn a_panic_ends_the_search() {
    let job = Job::long();
    let walk = walk();
    let panicking = Searching::new(walk, |_, _, _| panic!("a bug in a backend"));
    let _ = job.run(Workers::devices(vec![&panicking]).with_cpu(&walk, 1, CpuRole::Fallback));
}

/// So is one of a thread that is not the caller's: with what it says, not that there was one.
#[test]
#[should_panic(expected = "a bug in another thread")]
fn a_panic_of_another_thread_is_passed_on() {
    let job = Job::long();
    let (caller, meeting) = (std::thread::current().id(), Meeting::default());
    let panicking = Searching::new(walk(), |walk, piece, interrupt| {
        meeting.wait_for(2);
        assert_eq!(std::thread::current().id(), caller, "a bug in another thread");
        walk.search(piece, interrupt)
    });
    let _ = job.run(Workers::cpu(&panicking, 2));
}

/// One thread gets all of a piece where nothing depends on its parts. What certificates say of a
/// unit does: it is searched in the parts that one of two threads would get, half of what is left
/// each time and a millisecond at least.
#[test]
fn parts_of_one_thread() {
    let job = Job::long();
    let sizes = Mutex::new(Vec::new());
    // a piece of 2^22 doubles in 0.25 s
    let noting = Searching::new(Mock::new("noting", 0.0625, Fault::Nothing), |mock, piece, interrupt| {
        sizes.lock().unwrap().push(piece.arguments());
        mock.search(piece, interrupt)
    });
    let workers = Workers::cpu(&noting, 1);
    let found = job.run(workers.clone()).unwrap();
    job.check(&found);
    assert_eq!(std::mem::take(&mut *sizes.lock().unwrap()), [1 << 22]);

    let function = parse(job.function).unwrap();
    let [from, to] = job.ends.map(|end| tmd_functions::parse_number(end).unwrap());
    let search = Search { function: &function, from, to, problem: job.problem, workers };
    let (_, ranges) = search.ranges().unwrap();
    job.check(&search.run_over(&ranges, &(), &Interrupt::new()).unwrap());
    let halves = (1..=7).map(|k| 1u64 << (22 - k));
    // then parts of a millisecond, or a little less
    let last = sizes.into_inner().unwrap();
    assert_eq!(last[..7], halves.collect::<Vec<_>>());
    assert!(last[7..].iter().all(|&size| size <= 1 << 14) && last.len() <= 10, "{last:?}");
}
