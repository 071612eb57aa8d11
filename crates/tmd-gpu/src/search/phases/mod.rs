//! [`GpuPhases`]: the papers' search by an existence test, in three kernels with compaction between
//! them, or in one.
//!
//! TOMS 2016, sections 5 and 6: *generate* the tables, *test* every domain, *refine* the failing
//! ones by eighths, *exhaust* what fails again by tabulated differences; the host decides on what
//! is found by the polynomial's exact values.
//!
//! * [`layout`]: sizes and error budget; [`run`]: a piece's way over the GPU.

mod layout;
mod run;

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicU32, AtomicU64, Ordering},
    },
    time::Duration,
};

use tmd_core::{
    Backend, Candidates, CoreError, Interrupt, MAX_CANDIDATES, Phase, Phases, Piece, PieceOutcome, PiecePlan,
    engine_name,
    exist::Logms,
    partition::{Unfit, subdivide::PieceSearch},
};
use tmd_shaders::{ExistenceTest, Integers as Variant, Kernel, constants::lists::PARTS};

use super::Shape;
use crate::{Gpu, GpuError, Pipeline, device::locked};
use layout::PhasesLayout;
use run::{PhasesBuffers, Ran, Room};

/// Longest run: the tables' errors grow with it.
const LONGEST_RUN: u32 = 1024;

/// Where a device ends loops after so many rounds, a run is at most this share of them: a test
/// takes tens of rounds, and neighbors take theirs in turn.
const ROUNDS_PER_DOMAIN: u32 = 1 << 11;

/// The same for the arguments of a domain that is tabulated in the kernel that tests it.
const ROUNDS_PER_ARGUMENT: u64 = 8;

/// Domains are not made smaller than this for a device that ends loops: such a device is of no use.
const SMALLEST_DOMAIN: u64 = 1 << 8;

/// From this share of failing domains on, flags and prefix sums serve better than a counter that
/// all invocations share.
const MANY: f64 = 1.0 / 16.0;

/// How the phases are spread over kernels, and how failing domains are listed between them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Kernels {
    /// One kernel for each phase, and lists by whichever suits the share of failing domains.
    #[default]
    Auto,
    /// One kernel for each phase, and lists by a counter that all invocations share.
    Atomics,
    /// One kernel for each phase, and lists by flags and prefix sums.
    PrefixSum,
    /// All phases in one kernel.
    One,
}

/// What the search is to be like. None of this changes what is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PhasesOptions {
    /// The existence test.
    pub test: ExistenceTest,
    /// How quotients are taken.
    pub logms: Logms,
    /// How the phases are spread over kernels.
    pub kernels: Kernels,
    /// Most arguments per domain; `None` for the cheapest size.
    pub domain_size: Option<u64>,
}

impl PhasesOptions {
    /// Three kernels, with this test.
    pub fn new(test: ExistenceTest) -> Self {
        Self { test, logms: Logms::INSTRUCTION, kernels: Kernels::default(), domain_size: None }
    }
}

/// The kernels.
struct Pipelines {
    generate: Pipeline,
    test: Pipeline,
    test_flagged: Pipeline,
    prefix_sums: [Pipeline; 3],
    refine: Pipeline,
    exhaust: Pipeline,
    one_kernel: Pipeline,
}

impl Pipelines {
    fn new(gpu: &Gpu, shape: &Shape, options: &PhasesOptions) -> Result<Self, GpuError> {
        let variant = if gpu.native_integers() { Variant::Native } else { Variant::Emulated };
        let workgroup = ("WORKGROUP", f64::from(shape.workgroup));
        let logms = ("LOGMS", f64::from(options.logms.bits()));
        let of_test = match options.test {
            // runs of points at once on either side of b: without, a test takes hundreds of turns
            ExistenceTest::LefevreDivision | ExistenceTest::LefevreSwap => {
                vec![workgroup, logms, ("REDUCTIONS", 2.0)]
            }
            ExistenceTest::Regular | ExistenceTest::RegularUnrolled => vec![workgroup, logms],
        };
        let pipeline = |kernel: Kernel, entry: &str, constants: &[(&str, f64)]| {
            gpu.pipeline(entry, &kernel.source(variant), entry, constants)
        };
        let tested = |kernel: Kernel, entry: &str| pipeline(kernel, entry, &of_test);
        let plain = |kernel: Kernel, entry: &str| pipeline(kernel, entry, &[workgroup]);
        Ok(Self {
            generate: plain(Kernel::Generate, "generate")?,
            test: tested(Kernel::TestDomains(options.test), "test_domains")?,
            test_flagged: tested(Kernel::TestDomains(options.test), "test_domains_flagged")?,
            prefix_sums: [
                plain(Kernel::PrefixSum, "prefix_sum_blocks")?,
                plain(Kernel::PrefixSum, "prefix_sum_totals")?,
                plain(Kernel::PrefixSum, "prefix_sum_scatter")?,
            ],
            refine: tested(Kernel::Refine(options.test), "refine")?,
            exhaust: plain(Kernel::Exhaust, "exhaust")?,
            one_kernel: tested(Kernel::OneKernel(options.test), "one_kernel")?,
        })
    }
}

/// Searches pieces on one GPU by the papers' three phases. Threads may share it.
pub struct GpuPhases {
    gpu: Gpu,
    shape: Shape,
    options: PhasesOptions,
    pipelines: Pipelines,
    /// for pieces that do not fit
    fallback: Arc<dyn Backend + Send + Sync>,
    spare: Mutex<Vec<PhasesBuffers>>,
    longest_run: AtomicU32,
    largest_domain: AtomicU64,
}

impl GpuPhases {
    /// The search on this device; pieces that bend too much are searched by `fallback`.
    ///
    /// # Errors
    /// [`GpuError::Shader`] if the driver refuses a kernel.
    pub fn new(
        gpu: &Gpu,
        shape: Shape,
        options: PhasesOptions,
        fallback: Arc<dyn Backend + Send + Sync>,
    ) -> Result<Self, GpuError> {
        let rounds = gpu.loop_rounds()?;
        let longest = rounds.map_or(LONGEST_RUN, |rounds| (rounds / ROUNDS_PER_DOMAIN).clamp(1, LONGEST_RUN));
        // an invocation that tabulates a part goes around N/8 times, and its neighbors may have to
        // as well
        let largest = match (options.kernels, rounds) {
            (Kernels::One, Some(rounds)) => u64::from(rounds) / ROUNDS_PER_ARGUMENT,
            _ => u64::MAX,
        };
        Ok(Self {
            gpu: gpu.clone(),
            shape,
            options,
            pipelines: Pipelines::new(gpu, &shape, &options)?,
            fallback,
            spare: Mutex::new(Vec::new()),
            longest_run: AtomicU32::new(longest),
            largest_domain: AtomicU64::new(largest),
        })
    }

    fn layout(&self, piece: &Piece) -> Result<PhasesLayout, Unfit> {
        let longest = self.longest_run.load(Ordering::Relaxed);
        let largest = self.largest_domain.load(Ordering::Relaxed);
        PhasesLayout::new(piece, self.options.domain_size, (longest, largest), &self.shape)
    }

    /// Searches a piece in one go.
    fn run(&self, piece: &Piece, layout: &PhasesLayout) -> Result<Once, CoreError> {
        let limits = &self.gpu.summary().limits;
        let binding = limits.storage_binding_bytes.min(limits.buffer_bytes);
        let mut room = Room::expected(layout);
        loop {
            if !room.is_sane(binding) {
                return Ok(Once::TooMuch);
            }
            let spare = {
                let mut spare = locked(&self.spare);
                let fits = spare.iter().position(|buffers| buffers.fit(layout, &room));
                fits.map(|i| spare.swap_remove(i))
            };
            let of_search = |error: GpuError| error.of_search(self.label());
            let buffers = match spare {
                Some(buffers) => buffers,
                None => PhasesBuffers::new(&self.gpu, layout, &room).map_err(of_search)?,
            };
            match self.dispatch(piece, layout, self.options.kernels, &buffers).map_err(of_search)? {
                Ran::Unfinished => return Ok(Once::Unfinished),
                Ran::Crowded(wanted) => room = wanted,
                Ran::Complete(found) => {
                    let outcome = outcome(piece, layout, &found)?;
                    let mut spare = locked(&self.spare);
                    if spare.len() >= 4 {
                        spare.remove(0);
                    }
                    spare.push(buffers);
                    return Ok(Once::Done(outcome.into()));
                }
            }
        }
    }
}

/// How the search of a piece in one go ended.
enum Once {
    Done(Box<PieceOutcome>),
    /// The device ended a kernel's loops early: shorter runs may do.
    Unfinished,
    /// The lists are too long: shorter pieces may do.
    TooMuch,
}

/// What came out of a piece.
fn outcome(piece: &Piece, layout: &PhasesLayout, found: &run::Found) -> Result<PieceOutcome, CoreError> {
    let started = std::time::Instant::now();
    let arguments = piece.arguments();
    // half-widths below 1/4 fit
    let crowd = CoreError::TooManyCandidates { limit: MAX_CANDIDATES, arguments };
    let mut candidates = Candidates::new(piece).ok_or(crowd)?;
    for hit in &found.hits {
        if let Some(first) = layout.packets.first_argument(hit.run, hit.step, piece) {
            candidates.look_at(first + u64::from(hit.argument));
        }
        candidates.check()?;
    }
    let candidates = candidates.into_sorted();
    let n = layout.packets.partition.domain;
    let domains = arguments.div_ceil(n);
    let phase =
        |domains_in, domains_out, arguments_in, time| Phase { domains_in, domains_out, arguments_in, time };
    let (times, count) = (&found.kernels, candidates.len() as u64);
    let test = [
        "test_domains",
        "test_domains_flagged",
        "prefix_sum_blocks",
        "prefix_sum_totals",
        "prefix_sum_scatter",
        "one_kernel",
    ];
    let phases = Phases {
        generate: phase(domains, domains, arguments, found.preparing + times.of(&["generate"])),
        test: phase(domains, found.failing_domains, arguments, times.of(&test) + times.waited()),
        refine: phase(
            u64::from(PARTS) * found.failing_domains,
            found.failing_parts,
            found.failing_domains * n,
            times.of(&["refine"]),
        ),
        exhaust: phase(
            found.failing_parts,
            count,
            found.failing_parts * (n / u64::from(PARTS)),
            times.of(&["exhaust"]) + started.elapsed(),
        ),
    };
    let budget = layout.packets.partition.budget;
    Ok(PieceOutcome { candidates, phases, budget, domain_size: n, kernels: times.list().to_vec() })
}

impl PieceSearch for GpuPhases {
    fn label(&self) -> String {
        let test = match self.options.test {
            ExistenceTest::LefevreDivision => "lefevre",
            ExistenceTest::LefevreSwap => "lefevre-swap",
            ExistenceTest::Regular => "regular-looped",
            ExistenceTest::RegularUnrolled => "regular",
        };
        engine_name(&format!("{test} {}", self.gpu.name()), self.options.logms, self.options.domain_size)
    }

    fn search_whole(
        &self,
        piece: &Piece,
        interrupt: &Interrupt,
    ) -> Result<Result<PieceOutcome, CoreError>, Unfit> {
        loop {
            let layout = self.layout(piece)?;
            let run = layout.packets.partition.run as u32;
            match interrupt.check().and_then(|()| self.run(piece, &layout)) {
                Ok(Once::Done(outcome)) => return Ok(Ok(*outcome)),
                Ok(Once::TooMuch) => return Err(Unfit::PieceTooLong),
                Err(error) => return Ok(Err(error)),
                Ok(Once::Unfinished) if run > 1 => {
                    self.longest_run.fetch_min(run / 2, Ordering::Relaxed);
                }
                Ok(Once::Unfinished) if layout.packets.partition.domain > SMALLEST_DOMAIN => {
                    self.largest_domain.fetch_min(layout.packets.partition.domain / 2, Ordering::Relaxed);
                }
                Ok(Once::Unfinished) => {
                    let message = "the device ends the kernels' loops early".into();
                    return Ok(Err(GpuError::Internal { message }.of_search(self.label())));
                }
            }
        }
    }

    fn plan_whole(&self, piece: &Piece) -> Result<PiecePlan, Unfit> {
        let layout = self.layout(piece)?;
        Ok(layout.packets.partition.plan(piece, None, layout.cost))
    }

    fn fallback(&self, _: Unfit) -> Arc<dyn Backend + Send + Sync> {
        Arc::clone(&self.fallback)
    }
    fn busy_time(&self) -> Option<Duration> {
        Some(self.gpu.busy())
    }
}
