//! [`Backend`]: who searches a piece.

use core::sync::atomic::{AtomicBool, Ordering};
use core::time::Duration;

use crate::{CoreError, ErrorBudget, Piece};

/// Searches pieces. Engines and machines differ in which domains they look at twice; what they return must hold the
/// same cases. Every backend is put through the conformance suite of `tmd-testkit`.
pub trait Backend: Sync {
    /// Name for reports, such as `scalar regular`.
    fn name(&self) -> String;

    /// How [`search`](Self::search) would go about a piece, without searching it: for plans and for cutting work.
    fn plan(&self, piece: &Piece) -> Result<PiecePlan, CoreError>;

    /// All candidates of a piece: every argument `k` with `|R(k − center) mod 1| ≤ ε + taylor + coefficients` is
    /// among them, ascending and without repetition, and perhaps a few more, which confirmation removes.
    ///
    /// # Errors
    /// [`CoreError::Interrupted`] soon after `interrupt` is set; [`CoreError::TooManyCandidates`];
    /// [`CoreError::Backend`] when the machine failed and the piece may be searched again elsewhere.
    fn search(&self, piece: &Piece, interrupt: &Interrupt) -> Result<PieceOutcome, CoreError>;
}

/// A backend that several own.
impl<B: Backend + Send + ?Sized> Backend for std::sync::Arc<B> {
    fn name(&self) -> String {
        (**self).name()
    }

    fn plan(&self, piece: &Piece) -> Result<PiecePlan, CoreError> {
        (**self).plan(piece)
    }

    fn search(&self, piece: &Piece, interrupt: &Interrupt) -> Result<PieceOutcome, CoreError> {
        (**self).search(piece, interrupt)
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
    /// Expected seconds on one core of the 2020s, by the engine's cost model.
    pub seconds: f64,
    /// The budget against which the piece would be searched.
    pub budget: ErrorBudget,
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
