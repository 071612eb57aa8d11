//! [`Bench`]: the device and the piece that everything is measured on; [`Sample`]: what one search
//! of a piece took.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use tmd_core::{
    Backend, CoreError, Interrupt, KernelTime, Phases, Piece, PieceOutcome, PiecePlan, exist::Logms,
};
use tmd_gpu::{AdapterKind, ExistenceTest, Gpu, GpuPhases, GpuWalk, Kernels, PhasesOptions, Shape};
use tmd_simd::{Level, Simd};

use super::arguments::Arguments;
use crate::ToolError;
use crate::figures::table::{NONE, count, milliseconds, or_none, percent};

/// How long a search is measured at least on a GPU, again and again: after a pause its clock is a
/// fifth of what it is a few tenths of a second later.
const LONG_ENOUGH: Duration = Duration::from_millis(800);

/// The engines of a GPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Engine {
    Farey,
    Phases(ExistenceTest),
}

impl Engine {
    /// All of them.
    pub(crate) const ALL: [Self; 5] = [
        Self::Farey,
        Self::Phases(ExistenceTest::RegularUnrolled),
        Self::Phases(ExistenceTest::Regular),
        Self::Phases(ExistenceTest::LefevreDivision),
        Self::Phases(ExistenceTest::LefevreSwap),
    ];

    /// One of each kind.
    pub(crate) const KINDS: [Self; 3] = [Self::ALL[0], Self::ALL[1], Self::ALL[3]];

    /// Its name as `tmd search --engine` takes it.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Farey => "farey",
            Self::Phases(ExistenceTest::RegularUnrolled) => "regular",
            Self::Phases(ExistenceTest::Regular) => "regular-looped",
            Self::Phases(ExistenceTest::LefevreDivision) => "lefevre",
            Self::Phases(ExistenceTest::LefevreSwap) => "lefevre-swap",
        }
    }
}

/// How an engine is set up.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Setup {
    pub(crate) shape: Shape,
    pub(crate) domain_size: Option<u64>,
    pub(crate) logms: Logms,
    pub(crate) kernels: Kernels,
}

impl Setup {
    /// As a search would choose.
    pub(crate) const fn new(shape: Shape) -> Self {
        Self { shape, domain_size: None, logms: Logms::INSTRUCTION, kernels: Kernels::Auto }
    }
}

/// The CPU's walk for what a GPU's engine refuses, and how much that was.
pub(crate) struct Counted {
    walk: Simd,
    arguments: AtomicU64,
}

impl Counted {
    pub(crate) fn new() -> Arc<Self> {
        Arc::new(Self { walk: Simd::farey(Level::best()), arguments: AtomicU64::new(0) })
    }

    /// Arguments searched since the last call.
    pub(crate) fn take(&self) -> u64 {
        self.arguments.swap(0, Ordering::Relaxed)
    }
}

impl Backend for Counted {
    fn name(&self) -> String {
        self.walk.name()
    }

    fn plan(&self, piece: &Piece) -> Result<PiecePlan, CoreError> {
        self.walk.plan(piece)
    }

    fn search(&self, piece: &Piece, interrupt: &Interrupt) -> Result<PieceOutcome, CoreError> {
        self.arguments.fetch_add(piece.arguments(), Ordering::Relaxed);
        self.walk.search(piece, interrupt)
    }
}

/// An engine on a device.
pub(crate) fn backend(
    gpu: &Gpu,
    engine: Engine,
    setup: &Setup,
    fallback: Arc<dyn Backend + Send + Sync>,
) -> Result<Box<dyn Backend + Send + Sync>, ToolError> {
    let Setup { shape, domain_size, logms, kernels } = *setup;
    Ok(match engine {
        Engine::Farey => Box::new(GpuWalk::with_shape(gpu, shape, fallback)?.with_domain_size(domain_size)),
        Engine::Phases(test) => {
            let options = PhasesOptions { test, logms, kernels, domain_size };
            Box::new(GpuPhases::new(gpu, shape, options, fallback)?)
        }
    })
}

/// What one search of a piece took.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sample {
    /// From the call to the return.
    pub(crate) wall: Duration,
    /// By the device's clock.
    pub(crate) kernels: Vec<KernelTime>,
    pub(crate) phases: Phases,
    /// Arguments per domain.
    pub(crate) domain_size: u64,
}

impl Sample {
    /// What a kernel is for.
    const GENERATE: [&str; 1] = ["generate"];
    const TEST: [&str; 4] = ["walk", "test_domains", "test_domains_flagged", "one_kernel"];
    const COMPACTION: [&str; 3] = ["prefix_sum_blocks", "prefix_sum_totals", "prefix_sum_scatter"];

    /// What the cells of [`cells`](Self::cells) are.
    pub(crate) const COLUMNS: &str = "N | generate ms | test ms | compaction ms | refine ms | exhaust ms | kernels ms | wall ms | generation";

    /// Time in the kernels of these names; `None` if none of them ran, or nothing was timed.
    pub(crate) fn time(&self, names: &[&str]) -> Option<Duration> {
        let named = self.kernels.iter().filter(|kernel| names.contains(&kernel.name.as_str()));
        named.map(|kernel| kernel.time).reduce(|sum, time| sum + time)
    }

    /// Time in the kernel that tests the domains.
    pub(crate) fn test(&self) -> Option<Duration> {
        self.time(&Self::TEST)
    }

    /// Time in all kernels; where nothing is timed, all the time.
    pub(crate) fn total(&self) -> Duration {
        if self.kernels.is_empty() { self.wall } else { self.kernels.iter().map(|kernel| kernel.time).sum() }
    }

    /// Milliseconds in all kernels and, where there are three, in those of phases 1, 2 and 3.
    pub(crate) fn by_phase(&self) -> String {
        let phases =
            [&Self::TEST[..], &["refine"], &["exhaust"]].map(|names| self.time(names).map(milliseconds));
        let all = milliseconds(self.total());
        match phases {
            [Some(test), Some(refine), Some(exhaust)] => format!("{all} ({test}, {refine}, {exhaust})"),
            _ => all,
        }
    }

    /// Kernel by kernel.
    pub(crate) fn cells(&self) -> Vec<String> {
        let one = |names: &[&str]| or_none(self.time(names), milliseconds);
        let generate = self.time(&Self::GENERATE).unwrap_or_default();
        vec![
            count(self.domain_size),
            one(&Self::GENERATE),
            one(&Self::TEST),
            one(&Self::COMPACTION),
            one(&["refine"]),
            one(&["exhaust"]),
            if self.kernels.is_empty() { NONE.into() } else { milliseconds(self.total()) },
            milliseconds(self.wall),
            if self.kernels.is_empty() { NONE.into() } else { percent(generate, self.total()) },
        ]
    }
}

/// Whether a device lists what the CPU's walk does.
pub(crate) fn same_list<T: PartialEq>(what: &str, here: &[T], there: &[T]) -> Result<(), ToolError> {
    if here == there {
        return Ok(());
    }
    let (here, there) = (here.len(), there.len());
    Err(ToolError::failed(format!("WRONG LIST: {here} {what}, {there} by the CPU's walk")))
}

/// The piece that is measured, and what is in it.
pub(crate) struct Part {
    pub(crate) piece: Piece,
    /// Candidates by the CPU's walk.
    pub(crate) candidates: Vec<u64>,
}

/// What everything is measured with.
pub(crate) struct Bench {
    pub(crate) arguments: Arguments,
    pub(crate) gpu: Gpu,
    pub(crate) shape: Shape,
    pub(crate) refused: Arc<Counted>,
    /// I₀, or a part of it on a software adapter.
    pub(crate) part: Part,
    pub(crate) deadline: Instant,
}

impl Bench {
    /// Whether the processor plays the GPU.
    pub(crate) fn is_software(&self) -> bool {
        self.gpu.summary().kind == AdapterKind::Software
    }

    /// How often a search is measured at least.
    pub(crate) const fn times(&self) -> u32 {
        if self.arguments.quick { 1 } else { 5 }
    }

    /// Whether something new may begin.
    pub(crate) fn in_time(&self) -> Result<(), ToolError> {
        if Instant::now() < self.deadline { Ok(()) } else { Err(ToolError::not_measured("out of time")) }
    }

    /// What is measured, for captions.
    pub(crate) fn what(&self) -> String {
        let arguments = self.part.piece.arguments();
        let (times, seconds) = (self.times(), self.long_enough().as_secs_f64());
        let best = format!(
            "Best of {times} runs or more, for {seconds} s, after a first one; each list is compared with the CPU walk's."
        );
        if arguments == super::question::ARGUMENTS {
            return format!("I₀, 2^40 arguments. {best}");
        }
        let arguments = count(arguments);
        format!("SOFTWARE adapter: the first {arguments} arguments of I₀ only, not scaled. {best}")
    }

    /// Some software adapters leave loops after 65,536 rounds, and then no figure is to be had:
    /// that is no failure of ours.
    fn unmeasured(&self, error: ToolError) -> ToolError {
        if self.is_software() && error.to_string().contains("ends the kernels' loops early") {
            return ToolError::not_measured("this adapter leaves long loops early");
        }
        error
    }

    /// One search of the part, checked.
    pub(crate) fn once(&self, backend: &dyn Backend) -> Result<Sample, ToolError> {
        let Part { piece, candidates } = &self.part;
        let started = Instant::now();
        let found =
            backend.search(piece, &Interrupt::new()).map_err(|error| self.unmeasured(error.into()))?;
        let wall = started.elapsed();
        same_list("candidates", &found.candidates, candidates)?;
        match self.refused.take() {
            0 => {
                let PieceOutcome { kernels, phases, domain_size, .. } = found;
                Ok(Sample { wall, kernels, phases, domain_size })
            }
            refused => Err(ToolError::failed(format!(
                "failed: {refused} arguments were refused and searched by the CPU"
            ))),
        }
    }

    /// How long a search is measured at least.
    const fn long_enough(&self) -> Duration {
        if self.arguments.quick { Duration::ZERO } else { LONG_ENOUGH }
    }

    /// The best sample of several; every run is checked.
    pub(crate) fn best(&self, backend: &dyn Backend) -> Result<Sample, ToolError> {
        let mut samples = Vec::new();
        let begun = Instant::now();
        self.once(backend)?;
        while samples.len() < self.times() as usize || begun.elapsed() < self.long_enough() {
            samples.push(self.once(backend)?);
        }
        samples.into_iter().min_by_key(Sample::total).ok_or_else(|| ToolError::failed("nothing was measured"))
    }

    /// The best sample of an engine set up like this.
    pub(crate) fn sample(&self, engine: Engine, setup: &Setup) -> Result<Sample, ToolError> {
        self.in_time()?;
        let backend = backend(&self.gpu, engine, setup, self.refused.clone())?;
        self.best(&*backend)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(kernels: &[(&str, u64)]) -> Sample {
        let kernel = |&(name, microseconds): &(&str, u64)| KernelTime {
            name: name.into(),
            time: Duration::from_micros(microseconds),
            invocations: 1,
        };
        let kernels = kernels.iter().map(kernel).collect();
        Sample { wall: Duration::from_millis(20), kernels, domain_size: 1 << 15, ..Sample::default() }
    }

    #[test]
    fn cells_by_kernel() {
        let all = sample(&[
            ("generate", 1000),
            ("test_domains_flagged", 2000),
            ("prefix_sum_blocks", 250),
            ("prefix_sum_totals", 250),
            ("prefix_sum_scatter", 500),
            ("refine", 3000),
            ("exhaust", 3000),
        ]);
        let cells = ["2^15", "1.00", "2.00", "1.00", "3.00", "3.00", "10.0", "20.0", "10.0 %"];
        assert_eq!(all.cells(), cells);
        assert_eq!(cells.len(), Sample::COLUMNS.split(" | ").count());
        let walk = sample(&[("generate", 1000), ("walk", 3000)]);
        assert_eq!(walk.cells(), ["2^15", "1.00", "3.00", NONE, NONE, NONE, "4.00", "20.0", "25.0 %"]);
    }

    #[test]
    fn without_timestamps() {
        let sample = sample(&[]);
        assert_eq!(sample.cells(), ["2^15", NONE, NONE, NONE, NONE, NONE, NONE, "20.0", NONE]);
        assert_eq!((sample.total(), sample.test()), (Duration::from_millis(20), None));
    }
}
