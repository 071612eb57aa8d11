//! [`Backend`]: who searches a piece.

use core::sync::atomic::{AtomicBool, Ordering};
use core::time::Duration;

use tmd_exist::Logms;

use crate::{CoreError, ErrorBudget, Piece, lattice3};

/// Searches pieces, several at once if several threads ask. Engines and machines differ in which
/// domains they look at twice; what they return must hold the same cases. Every backend is put
/// through the conformance suite of `tmd-testkit`.
pub trait Backend: Sync {
    /// Name for reports, such as `scalar regular`, with all on which counts depend
    /// ([`engine_name`]): two backends of the same name count the same.
    fn name(&self) -> String;

    /// How [`search`](Self::search) would go about a piece, without searching it: for plans and for
    /// cutting work.
    fn plan(&self, piece: &Piece) -> Result<PiecePlan, CoreError>;

    /// All candidates of a piece: every argument `k` with
    /// `|R(k − center) mod 1| ≤ ε + taylor + coefficients` is among them, ascending and without
    /// repetition, and perhaps a few more, which confirmation removes.
    ///
    /// # Errors
    /// [`CoreError::Interrupted`] soon after `interrupt` is set; [`CoreError::TooManyCandidates`];
    /// [`CoreError::Backend`] when the machine failed and the piece may be searched again
    /// elsewhere, [`CoreError::BackendLost`] when it did so for good.
    fn search(&self, piece: &Piece, interrupt: &Interrupt) -> Result<PieceOutcome, CoreError>;

    /// Budget and domain size of [`search`](Self::search), bit by bit, without searching: what a
    /// certificate says of a search can be derived again by this. [`plan`](Self::plan) may ask a
    /// part of a piece and speak for all; this may not.
    ///
    /// # Errors
    /// Those of `plan`.
    fn derive(&self, piece: &Piece) -> Result<Derived, CoreError> {
        // right for a backend that searches every piece in one, as planned
        self.plan(piece).map(Derived::from)
    }

    /// Wall-clock time since it was made during which its machine had work of some thread; `None`
    /// where it is not measured.
    fn busy(&self) -> Option<Duration> {
        None
    }

    /// The walk in three dimensions that goes with it, for families of arguments; none of a machine
    /// that has none.
    fn families(&self) -> Option<Families> {
        None
    }
}

/// An engine for families of arguments, with what a window costs it, by its cost model.
pub struct Families {
    /// The engine.
    pub engine: Box<dyn lattice3::Engine + Send + Sync>,
    /// Seconds that a window takes on one core, where so many spans are looked for.
    pub window_seconds: Box<dyn Fn(usize) -> f64 + Send + Sync>,
}

impl core::fmt::Debug for Families {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_tuple("Families").field(&self.engine.name()).finish()
    }
}

impl Families {
    /// Seconds that so many windows take, each searched for this number of spans.
    pub fn seconds(&self, windows: f64, spans: usize) -> f64 {
        windows * (self.window_seconds)(spans)
    }
}

/// The name of an engine with what was asked for otherwise than usual:
/// `farey avx512, domain size 4096`, `scalar regular, LOGMS 3`.
pub fn engine_name(engine: &str, logms: Logms, domain_size: Option<u64>) -> String {
    let size = domain_size.map(|size| format!(", domain size {size}"));
    let logms = Some(logms).filter(|logms| *logms != Logms::default());
    let logms = logms.map(|logms| format!(", LOGMS {}", logms.bits()));
    [engine.to_owned(), size.unwrap_or_default(), logms.unwrap_or_default()].concat()
}

/// The parts of an [`engine_name`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EngineName<'a> {
    /// The engine's own name.
    pub engine: &'a str,
    /// Threshold of the hybrid division.
    pub logms: Logms,
    /// Size of domains that was asked for.
    pub domain_size: Option<u64>,
    /// Number of the table of costs by which it chooses sizes of domains, where there are several:
    /// `farey avx512, costs 2`; without it the first.
    pub costs: Option<u32>,
}

impl<'a> EngineName<'a> {
    /// The parts of a name; none if it is not one.
    pub fn parse(name: &'a str) -> Option<Self> {
        let mut parts = name.split(", ");
        let mut parsed = Self { engine: parts.next()?, ..Self::default() };
        for part in parts {
            if let Some(number) = part.strip_prefix("domain size ") {
                parsed.domain_size = Some(number.parse().ok()?);
            } else if let Some(number) = part.strip_prefix("costs ") {
                parsed.costs = Some(number.parse().ok()?);
            } else {
                parsed.logms = Logms::new(part.strip_prefix("LOGMS ")?.parse().ok()?).ok()?;
            }
        }
        Some(parsed)
    }
}

/// A request to stop, shared between a search and whoever started it.
#[derive(Debug, Default)]
pub struct Interrupt(AtomicBool);

impl Interrupt {
    /// Not requested yet.
    pub const fn new() -> Self {
        Self(AtomicBool::new(false))
    }

    /// Requests the stop; async-signal-safe.
    pub fn request(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the stop was requested.
    pub fn is_requested(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// [`CoreError::Interrupted`] if the stop was requested.
    pub fn check(&self) -> Result<(), CoreError> {
        if self.is_requested() { Err(CoreError::Interrupted) } else { Ok(()) }
    }
}

/// How a piece would be searched, and about how long that takes.
#[derive(Clone, Debug, PartialEq)]
pub struct PiecePlan {
    /// The engine that the piece suits.
    pub engine: String,
    /// Arguments per domain.
    pub domain_size: u64,
    /// Domains per run: after so many the difference tables start afresh.
    pub run: u64,
    /// Order of the Farey fractions, for a walk.
    pub order: Option<u64>,
    /// Expected seconds, by the engine's cost model: on one core of the 2020s, or on the whole of a
    /// device.
    pub seconds: f64,
    /// The budget against which the piece would be searched.
    pub budget: ErrorBudget,
}

/// What a search of a piece is bound by, the same bit by bit wherever it is derived again.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Derived {
    /// The budget against which a piece is searched.
    pub budget: ErrorBudget,
    /// Arguments per domain.
    pub domain_size: u64,
    /// Whether another engine than the one that was asked, its fallback, searches a part of it.
    pub has_fallback: bool,
}

impl From<PiecePlan> for Derived {
    /// Of a piece that is searched as it is planned, in one.
    fn from(plan: PiecePlan) -> Self {
        Self { budget: plan.budget, domain_size: plan.domain_size, has_fallback: false }
    }
}

/// What came out of one piece.
#[derive(Clone, Debug, Default)]
pub struct PieceOutcome {
    /// Argument numbers within the piece, ascending.
    pub candidates: Vec<u64>,
    /// Counts and times per phase.
    pub phases: Phases,
    /// The budget against which the piece was searched.
    pub budget: ErrorBudget,
    /// Arguments per domain.
    pub domain_size: u64,
    /// Times that the device measured, one entry per kernel; empty where nothing is measured.
    pub kernels: Vec<KernelTime>,
}

/// Time that a device spent in one of its kernels, by its own clock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KernelTime {
    /// The kernel.
    pub name: String,
    /// Time in it, summed over invocations.
    pub time: Duration,
    /// How often it was started.
    pub invocations: u64,
}

impl KernelTime {
    /// Adds other times to `sum`, kernel by kernel; kernels new to it follow in their order.
    pub fn add(sum: &mut Vec<Self>, more: &[Self]) {
        for kernel in more {
            if let Some(known) = sum.iter_mut().find(|known| known.name == kernel.name) {
                known.time += kernel.time;
                known.invocations += kernel.invocations;
            } else {
                sum.push(kernel.clone());
            }
        }
    }
}

/// Counts and times of the phases of a search.
#[derive(Clone, Copy, Debug, Default)]
pub struct Phases {
    /// Polynomial generation: domains generated.
    pub generate: Phase,
    /// Phase 1, the existence test: domains tested and failing.
    pub test: Phase,
    /// Phase 2, the refined test: sub-domains tested and failing.
    pub refine: Phase,
    /// Phase 3, exhaustive tabulated differences: (sub-)domains tabulated, candidates found.
    pub exhaust: Phase,
}

/// One phase.
#[derive(Clone, Copy, Debug, Default)]
pub struct Phase {
    /// Domains (or sub-domains) that entered.
    pub domains_in: u64,
    /// Domains that failed the test and went on (for the last phase: candidates).
    pub domains_out: u64,
    /// Arguments in the domains that entered.
    pub arguments_in: u64,
    /// Time spent, summed over threads.
    pub time: Duration,
}

impl Phases {
    /// The phases with their names, in order.
    pub fn named(&self) -> [(&'static str, Phase); 4] {
        [("generate", self.generate), ("test", self.test), ("refine", self.refine), ("exhaust", self.exhaust)]
    }

    /// The figures of a walk over `arguments` arguments in domains of `domain`, of which `flagged`
    /// were enumerated and had `found` candidates; times of tables, kernel and enumeration.
    pub fn of_walk(
        [arguments, domain, flagged, found]: [u64; 4],
        [generate, test, exhaust]: [Duration; 3],
    ) -> Self {
        let domains = arguments.div_ceil(domain);
        let phase = |domains_in, domains_out, arguments_in, time| Phase {
            domains_in,
            domains_out,
            arguments_in,
            time,
        };
        Self {
            generate: phase(domains, domains, arguments, generate),
            test: phase(domains, flagged, arguments, test),
            refine: Phase::default(),
            exhaust: phase(flagged, found, flagged * domain, exhaust),
        }
    }

    /// Adds another piece's figures.
    pub fn add(&mut self, other: &Self) {
        for (mine, theirs) in [
            (&mut self.generate, &other.generate),
            (&mut self.test, &other.test),
            (&mut self.refine, &other.refine),
            (&mut self.exhaust, &other.exhaust),
        ] {
            mine.domains_in += theirs.domains_in;
            mine.domains_out += theirs.domains_out;
            mine.arguments_in += theirs.arguments_in;
            mine.time += theirs.time;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_what_was_asked_for() {
        let usual = Logms::default();
        for (logms, size, expected) in [
            (usual, None, "farey avx512"),
            (usual, Some(4096), "farey avx512, domain size 4096"),
            (Logms::PAPERS, None, "farey avx512, LOGMS 3"),
            (Logms::SUBTRACTION, Some(1), "farey avx512, domain size 1, LOGMS 64"),
        ] {
            let name = engine_name("farey avx512", logms, size);
            let parsed = EngineName { engine: "farey avx512", logms, domain_size: size, costs: None };
            assert_eq!(name, expected);
            assert_eq!(EngineName::parse(&name), Some(parsed));
            let name = engine_name("farey avx512, costs 2", logms, size);
            assert_eq!(EngineName::parse(&name), Some(EngineName { costs: Some(2), ..parsed }));
        }
        let others = "a, b|a, LOGMS x|a, LOGMS 65|a, domain size -1|a, domain size 5, |a, costs|a, costs -1";
        for none in others.split('|') {
            assert_eq!(EngineName::parse(none), None, "{none}");
        }
    }

    #[test]
    fn times_of_kernels_are_summed_by_name() {
        let kernel = |name: &str, ms, invocations| KernelTime {
            name: name.into(),
            time: Duration::from_millis(ms),
            invocations,
        };
        let mut sum = Vec::new();
        KernelTime::add(&mut sum, &[kernel("walk", 3, 1), kernel("compact", 1, 2)]);
        KernelTime::add(&mut sum, &[kernel("tables", 5, 1), kernel("walk", 4, 10)]);
        assert_eq!(sum, [kernel("walk", 7, 11), kernel("compact", 1, 2), kernel("tables", 5, 1)]);
    }
}
