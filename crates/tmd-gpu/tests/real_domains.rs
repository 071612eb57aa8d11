//! The GPU's searches on real functions, with everything that belongs to a search: the same lists
//! as the CPU's walk, with either variant of the integers, whatever the engine, and whatever
//! happens to the device.

mod testing;

use std::sync::{
    Arc,
    atomic::{AtomicU32, Ordering},
};

use tmd_core::{
    Backend, Breakpoints, CoreError, Format, Interrupt, Piece, PieceOutcome, PiecePlan, Problem, exist::Logms,
};
use tmd_driver::{CpuRole, Outcome, Search, Workers};
use tmd_functions::{parse, parse_number};
use tmd_gpu::{ExistenceTest, Gpu, GpuPhases, GpuWalk, Integers, Kernels, PhasesOptions, Shape};
use tmd_simd::{Level, Simd, SimdEngine};
use tmd_testkit::one_in;

struct Job {
    function: &'static str,
    from: &'static str,
    to: &'static str,
    arguments: u32,
    breakpoints: Breakpoints,
    extra_bits: u32,
}

const fn job(
    function: &'static str,
    from: &'static str,
    to: &'static str,
    extra_bits: u32,
    breakpoints: Breakpoints,
) -> Job {
    Job { function, from, to, arguments: 53, breakpoints, extra_bits }
}

fn run(job: &Job, workers: Workers) -> Outcome {
    let arguments = Format::BINARY64.with_precision(job.arguments).unwrap();
    let problem = Problem::new(arguments, Format::BINARY64, job.breakpoints, job.extra_bits).unwrap();
    let function = parse(job.function).unwrap();
    let [from, to] = [job.from, job.to].map(|end| parse_number(end).unwrap());
    Search { function: &function, from, to, problem, workers }.run(&(), &Interrupt::new()).unwrap()
}

fn cpu() -> Simd {
    Simd::farey(Level::best())
}

fn on_cpu(job: &Job) -> Outcome {
    run(job, Workers::cpu(&cpu(), 2))
}

/// What a device's search is given for pieces that it refuses.
fn fallback() -> Arc<dyn Backend + Send + Sync> {
    Arc::new(Simd::new(SimdEngine::Regular, Level::best()))
}

fn walk(gpu: &Gpu) -> GpuWalk {
    GpuWalk::new(gpu, fallback()).unwrap()
}

fn phases(gpu: &Gpu, options: PhasesOptions) -> GpuPhases {
    GpuPhases::new(gpu, Shape::of(gpu.summary()), options, fallback()).unwrap()
}

/// Every engine and deployment.
fn engines(gpu: &Gpu) -> Vec<Box<dyn Backend>> {
    use ExistenceTest::{LefevreDivision, LefevreSwap, Regular, RegularUnrolled};
    let plain = PhasesOptions::new;
    let with = |test, kernels| PhasesOptions { kernels, ..plain(test) };
    let all = [
        with(LefevreDivision, Kernels::Atomics),
        with(LefevreSwap, Kernels::PrefixSum),
        with(Regular, Kernels::PrefixSum),
        with(RegularUnrolled, Kernels::Atomics),
        with(RegularUnrolled, Kernels::One),
        PhasesOptions { logms: Logms::PAPERS, ..with(LefevreDivision, Kernels::One) },
    ];
    let mut engines: Vec<Box<dyn Backend>> = vec![Box::new(walk(gpu))];
    engines.extend(all.map(|options| Box::new(phases(gpu, options)) as Box<dyn Backend>));
    engines
}

fn devices() -> impl Iterator<Item = Gpu> {
    [Integers::Emulated, Integers::Native].into_iter().filter_map(testing::shared)
}

/// All that the device searched, it searched itself.
fn assert_same(found: &Outcome, expected: &Outcome, what: &str) {
    assert_eq!(found.cases, expected.cases, "{what}");
    assert_eq!(found.exact_cases, expected.exact_cases, "{what}");
    assert_eq!((found.searched, &found.failure), (expected.arguments, &None), "{what}");
}

/// 2^32 arguments of the papers' interval.
#[test]
fn every_kernel_on_a_part_of_the_papers_interval() {
    let job = Job { arguments: 54, ..job("exp", "1", "1+2^-21", 26, Breakpoints::Directed) };
    let expected = on_cpu(&job);
    assert_eq!(expected.arguments, 1 << 32);
    assert!(expected.cases.len() > 100, "{} cases", expected.cases.len());
    for (variant, gpu) in devices().enumerate() {
        // by turns those that have the other integers next time; the walk both at once
        let mut engines = engines(&gpu);
        engines.rotate_left(variant);
        for engine in one_in(2, engines) {
            let found = run(&job, Workers::devices(vec![&*engine]));
            assert_same(&found, &expected, &engine.name());
            assert!(!found.kernels.is_empty() || !gpu.summary().features.timestamps);
        }
    }
}

/// The papers' 243 cases.
#[test]
fn the_papers_interval() {
    let job = Job { arguments: 54, ..job("exp", "1", "1+2^-13", 33, Breakpoints::Directed) };
    for gpu in devices() {
        let walk = walk(&gpu);
        assert_eq!(run(&job, Workers::devices(vec![&walk])).cases.len(), 243);
    }
}

/// Far out, where domains are short; periodic, decreasing, concave; near 0; through an inflection;
/// an expression; other breakpoints.
#[test]
fn many_functions() {
    let all = Breakpoints::All;
    let jobs = [
        job("exp", "128", "128+2^-17", 20, all),
        job("exp", "16", "16+2^-19", 22, Breakpoints::Nearest),
        job("exp", "-2^-10", "-2^-10+2^-34", 22, all),
        job("log", "1", "1+2^-24", 20, all),
        job("sin", "0.5-2^-26", "0.5+2^-25", 20, all),
        job("sin", "3.14159", "3.14159+2^-24", 20, Breakpoints::Directed),
        job("1/x", "1.5", "1.5+2^-25", 20, all),
        job("sin(x)+exp(1)*x", "3.1415926", "3.1415926+2^-23", 20, all),
        job("exp(2*x)+sin(3*x^2)", "0.25", "0.25+2^-27", 20, all),
    ];
    let expected: Vec<Outcome> = jobs.iter().map(on_cpu).collect();
    let (mut cases, mut on_device) = (0, 0);
    for (variant, gpu) in devices().enumerate() {
        // the walk with both variants of the integers, each other engine with one
        let engines = engines(&gpu).into_iter().enumerate();
        for (_, engine) in engines.filter(|(i, _)| *i == 0 || i % 2 == variant) {
            for (job, expected) in one_in(5, jobs.iter().zip(&expected)) {
                let found = run(job, Workers::devices(vec![&*engine]));
                assert_same(
                    &found,
                    expected,
                    &format!("{} from {} by {}", job.function, job.from, engine.name()),
                );
                cases += expected.cases.len();
                on_device += found.kernels.iter().map(|kernel| kernel.invocations).sum::<u64>();
            }
        }
        assert!(
            cases > 300 && (on_device > 100 || !gpu.summary().features.timestamps),
            "{cases}, {on_device}"
        );
    }
}

/// A backend whose device is destroyed at its n-th search.
struct Doomed {
    gpu: Gpu,
    search: Box<dyn Backend>,
    left: AtomicU32,
}

impl Backend for Doomed {
    fn name(&self) -> String {
        self.search.name()
    }

    fn plan(&self, piece: &Piece) -> Result<PiecePlan, CoreError> {
        self.search.plan(piece)
    }

    fn search(&self, piece: &Piece, interrupt: &Interrupt) -> Result<PieceOutcome, CoreError> {
        if self.left.fetch_sub(1, Ordering::Relaxed) == 1 {
            self.gpu.destroy();
        }
        self.search.search(piece, interrupt)
    }
}

/// A search on a device.
type Maker = fn(&Gpu) -> Box<dyn Backend>;

/// The CPU goes on where the device was lost; without it everything finished is kept, and the
/// failure is said.
#[test]
fn a_device_lost_on_the_way() {
    let job = job("exp", "1", "1+2^-14", 30, Breakpoints::All);
    let expected = on_cpu(&job);
    let lost_after = |searches: u32, of: Maker| {
        let gpu = testing::gpu()?;
        let search = of(&gpu);
        Some(Doomed { gpu, search, left: AtomicU32::new(searches) })
    };
    let by_walk: Maker = |gpu| Box::new(walk(gpu));
    let by_phases: Maker = |gpu| Box::new(phases(gpu, PhasesOptions::new(ExistenceTest::RegularUnrolled)));
    for engine in [by_walk, by_phases] {
        for searches in [1, 2, 5] {
            let Some(doomed) = lost_after(searches, engine) else { return };
            let cpu = cpu();
            let found = run(&job, Workers::devices(vec![&doomed]).with_cpu(&cpu, 2, CpuRole::Fallback));
            assert_same(&found, &expected, &doomed.name());
            let share = &found.backends[0];
            assert!(share.is_lost && share.failures > 0, "{:?}", found.backends);
            assert!(share.reason.as_ref().unwrap().to_string().contains("lost"), "{:?}", share.reason);

            let Some(doomed) = lost_after(searches, engine) else { return };
            let found = run(&job, Workers::devices(vec![&doomed]));
            assert!(matches!(found.failure, Some(CoreError::BackendLost { .. })), "{:?}", found.failure);
            assert!(found.searched < expected.arguments);
            assert!(found.cases.iter().all(|case| expected.cases.contains(case)));
        }
    }
}

/// Devices and the CPU side by side, several threads on one device: the same list.
#[test]
fn side_by_side() {
    let job = job("exp", "1", "1+2^-12", 32, Breakpoints::All);
    let expected = on_cpu(&job);
    let (Some(first), Some(second)) = (testing::shared(Integers::Emulated), testing::shared(Integers::Auto))
    else {
        return;
    };
    let (first, second, cpu) = (walk(&first), walk(&second), cpu());
    for streams in [1, 3] {
        let workers = Workers::devices(vec![&first, &second]).with_streams(streams);
        assert_same(&run(&job, workers.clone()), &expected, "two devices");
        assert_same(&run(&job, workers.with_cpu(&cpu, 2, CpuRole::Both)), &expected, "with the CPU");
    }
}
