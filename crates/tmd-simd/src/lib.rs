//! Lane-packed searches for hard-to-round cases.
//!
//! [`Simd`] is a [`Backend`] beside `tmd-core`'s `Scalar`: it takes the same pieces and returns the
//! same cases, by the Farey walk or by the papers' three phases with one of their existence tests
//! ([`SimdEngine`]). Its kernels are written once over a small lane trait and compiled for AVX-512
//! (8 lanes), AVX2 with FMA (4 lanes) and the portable vectors of `wide`; which of them runs is
//! decided at run time ([`Level`]), so that one binary runs everywhere.
//!
//! ```
//! use tmd_core::difftable::{Fixed, Polynomial, Upper};
//! use tmd_core::{Backend, Interrupt, Piece, Scalar, ScalarEngine, exist::Logms};
//! use tmd_simd::{Level, Simd, SimdEngine};
//!
//! // x ↦ x·0.618… + x²·2^-40 over 0 ≤ x < 2^24: where is it within 2^-20 of an integer?
//! let golden = Fixed::from_ratio_pow2(0x4f1b_bcdc_bfa5_3e0b, 63);
//! let r = Polynomial::new(vec![Fixed::ZERO, golden, Fixed::from_ratio_pow2(1, 40)]);
//! let magnitudes = [1.0, 1.0, 2f64.powi(-40)].map(Upper::new).to_vec();
//! let piece = Piece::new(r, magnitudes, 1 << 24, 0, Upper::power_of_two(-20), Upper::ZERO, Upper::ZERO)?;
//!
//! let scalar = Scalar { engine: ScalarEngine::Exhaustive, logms: Logms::default(), domain_size: None };
//! let expected = scalar.search(&piece, &Interrupt::new())?.candidates;
//! for engine in SimdEngine::ALL {
//!     let found = Simd::new(engine, Level::best()).search(&piece, &Interrupt::new())?;
//!     assert_eq!(found.candidates, expected);
//! }
//! # Ok::<(), tmd_core::CoreError>(())
//! ```
// vectors live in registers only if every method of the lanes is inlined into the function compiled
// for them
#![allow(clippy::inline_always)]

mod arcs;
mod division;
mod lanes;
pub mod lattice3;
mod level;
mod phases;
mod planner;
mod tables;
mod walk;

use std::sync::Arc;

use tmd_core::{
    Backend, CoreError, Families, Interrupt, Piece, PieceOutcome, PiecePlan, Scalar, ScalarEngine,
    engine_name,
    exist::Logms,
    partition::{Unfit, subdivide::PieceSearch},
};

pub use division::Divisions;
use lanes::Lanes;
#[cfg(target_arch = "x86_64")]
use lanes::pair::Pair;
use level::Machine;
pub use level::{Level, LevelError};
pub use planner::Planner;
pub use walk::CostTable;

/// How the lanes search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SimdEngine {
    /// The Farey walk: the fastest by far.
    Farey,
    /// The papers' three phases with the regular test, unrolled by two, corrected start.
    Regular,
    /// The same, with the last quotient trimmed where many domains fail: near slopes with a small
    /// denominator.
    RegularTrimmed,
    /// The papers' three phases with Lefèvre's test, both of its branches under masks.
    Lefevre,
    /// The same with Lefèvre's test with swap.
    LefevreSwap,
    /// Tabulated differences over every argument.
    Exhaustive,
    /// Farey arcs: the roots of the piece's parabolas next to each fraction.
    Arcs,
}

impl SimdEngine {
    /// All engines.
    pub const ALL: [Self; 7] = [
        Self::Farey,
        Self::Regular,
        Self::RegularTrimmed,
        Self::Lefevre,
        Self::LefevreSwap,
        Self::Exhaustive,
        Self::Arcs,
    ];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Farey => "farey",
            Self::Regular => "regular",
            Self::RegularTrimmed => "regular-trimmed",
            Self::Lefevre => "lefevre",
            Self::LefevreSwap => "lefevre-swap",
            Self::Exhaustive => "exhaustive",
            Self::Arcs => "arcs",
        }
    }

    /// Its name in these lanes; the tests of segments have one table of costs. (Arcs have none of
    /// their own, but the walk, which takes what they refuse, has.)
    fn name_on(self, level: &str, costs: CostTable) -> String {
        match (self, costs) {
            (Self::Farey | Self::Arcs, costs) if costs != CostTable::First => {
                format!("{} {level}, costs {}", self.name(), costs.number())
            }
            _ => format!("{} {level}", self.name()),
        }
    }

    /// How a piece would be searched in so many lanes, with domains of this size if one was asked
    /// for.
    fn plan(
        self,
        piece: &Piece,
        lanes: u64,
        domain_size: Option<u64>,
        costs: CostTable,
    ) -> Result<PiecePlan, Unfit> {
        let domain = forced_domain(domain_size, piece);
        match self {
            Self::Farey => walk::plan(piece, lanes, domain, costs),
            Self::Arcs => arcs::plan(piece, domain_size),
            _ => phases::plan(piece, lanes, self, domain),
        }
    }

    /// Who takes what this engine refuses. A part that has an inflection point, or may have one for
    /// all that is known, goes from the walk to the regular test in lanes: the tests of segments do
    /// not mind. By the fourth table of costs all that the walk refuses does. All else is left to
    /// the scalar search.
    fn fallback(self, unfit: Unfit, costs: CostTable) -> Fallback {
        match self {
            Self::Farey if costs >= CostTable::Fourth => Fallback::Lanes(Self::RegularTrimmed),
            Self::Farey if unfit == Unfit::Inflection => Fallback::Lanes(Self::Regular),
            Self::Farey | Self::Regular | Self::RegularTrimmed => Fallback::Scalar(ScalarEngine::Regular),
            Self::Lefevre | Self::LefevreSwap => Fallback::Scalar(ScalarEngine::Lefevre),
            Self::Exhaustive => Fallback::Scalar(ScalarEngine::Exhaustive),
            Self::Arcs => Fallback::Lanes(Self::Farey),
        }
    }
}

/// An engine that takes what another one refuses.
enum Fallback {
    /// in the same lanes
    Lanes(SimdEngine),
    Scalar(ScalarEngine),
}

/// The scalar search for what does not fit the lanes; domains of a forced size are meant for them.
const fn scalar(engine: ScalarEngine, logms: Logms) -> Scalar {
    Scalar { engine, logms, domain_size: None }
}

/// A size of domains that was asked for, even and within the engines' limits.
fn forced_domain(size: Option<u64>, piece: &Piece) -> Option<u64> {
    let most = piece.arguments().next_multiple_of(2).min(tmd_core::walk::MAX_DOMAIN);
    size.map(|n| n.clamp(2, most).next_multiple_of(2))
}

/// The lane-packed backend.
#[derive(Clone, Copy, Debug)]
pub struct Simd {
    engine: SimdEngine,
    level: Level,
    logms: Logms,
    domain_size: Option<u64>,
    costs: CostTable,
    /// who takes what arcs refuse, if not the walk
    arcs_or: Option<SimdEngine>,
}

impl Simd {
    /// This engine in these lanes, with domain sizes from the cost model and quotients from
    /// reciprocals.
    pub const fn new(engine: SimdEngine, level: Level) -> Self {
        Self {
            engine,
            level,
            logms: Logms::INSTRUCTION,
            domain_size: None,
            costs: CostTable::Fifth,
            arcs_or: None,
        }
    }

    /// The Farey walk in these lanes, with domain sizes from the cost model.
    pub const fn farey(level: Level) -> Self {
        Self::new(SimdEngine::Farey, level)
    }

    /// Arcs in these lanes, which leave what they refuse to this engine, not to the walk: for
    /// searches of what that one has searched.
    pub const fn arcs_or(engine: SimdEngine, level: Level) -> Self {
        Self { arcs_or: Some(engine), ..Self::new(SimdEngine::Arcs, level) }
    }

    /// The same with domains of this many arguments, as far as the engine's limits allow.
    #[must_use]
    pub const fn with_domain_size(self, arguments: Option<u64>) -> Self {
        Self { domain_size: arguments, ..self }
    }

    /// The same with sizes of the walk's domains by another table of costs, such as that of a
    /// certificate's engine.
    #[must_use]
    pub const fn with_costs(self, costs: CostTable) -> Self {
        Self { costs, ..self }
    }

    /// The same with the hybrid division of this threshold in the regular and Lefèvre's tests, in
    /// lanes and where a piece is left to the scalar search: quotients by masked subtractions if
    /// every lane's dividend is below divisor·2^LOGMS.
    #[must_use]
    pub const fn with_logms(self, logms: Logms) -> Self {
        Self { logms, ..self }
    }

    /// Who takes what this engine refuses, if it is for arcs and the walk is to have no part in it.
    fn instead_of_the_walk(&self) -> Option<SimdEngine> {
        self.arcs_or.filter(|_| self.engine == SimdEngine::Arcs)
    }

    /// Searches in lanes; the walk in those of so many other vectors.
    fn search_in<W: Lanes, L: Lanes>(
        &self,
        (walk, vectors): (W, usize),
        lanes: L,
        piece: &Piece,
        interrupt: &Interrupt,
    ) -> Result<Result<PieceOutcome, CoreError>, Unfit> {
        let domain = forced_domain(self.domain_size, piece);
        match self.engine {
            SimdEngine::Farey => walk::search(walk, vectors, piece, domain, self.costs, interrupt),
            SimdEngine::Arcs => arcs::search(walk, piece, self.domain_size, interrupt),
            engine => phases::search(lanes, engine, self.logms, piece, domain, interrupt),
        }
    }
}

impl PieceSearch for Simd {
    fn label(&self) -> String {
        let level = self.level.name();
        let engine = match self.instead_of_the_walk() {
            Some(other) => format!("{} or {} {level}", self.engine.name(), other.name()),
            None => self.engine.name_on(level, self.costs),
        };
        engine_name(&engine, self.logms, self.domain_size)
    }

    fn search_whole(
        &self,
        piece: &Piece,
        interrupt: &Interrupt,
    ) -> Result<Result<PieceOutcome, CoreError>, Unfit> {
        match self.level.machine() {
            #[cfg(target_arch = "x86_64")]
            Machine::Avx512(lanes) => self.search_in((lanes, 1), lanes, piece, interrupt),
            #[cfg(target_arch = "x86_64")]
            Machine::Avx2(lanes) => self.search_in((lanes, 1), lanes, piece, interrupt),
            #[cfg(target_arch = "x86_64")]
            Machine::Avx2InPairs(lanes) => self.search_in((lanes, 2), Pair(lanes), piece, interrupt),
            Machine::Portable(lanes) => self.search_in((lanes, 1), lanes, piece, interrupt),
        }
    }

    fn plan_whole(&self, piece: &Piece) -> Result<PiecePlan, Unfit> {
        self.engine.plan(piece, self.level.width(), self.domain_size, self.costs)
    }

    fn fallback(&self, unfit: Unfit) -> Arc<dyn Backend + Send + Sync> {
        let other = self.instead_of_the_walk().map(Fallback::Lanes);
        match other.unwrap_or_else(|| self.engine.fallback(unfit, self.costs)) {
            Fallback::Lanes(engine) => Arc::new(Self { engine, domain_size: None, ..*self }),
            Fallback::Scalar(engine) => Arc::new(scalar(engine, self.logms)),
        }
    }

    fn family_engine(&self) -> Option<Families> {
        let engine = lattice3::Lattice3::new(self.level);
        let window_seconds = Box::new(move |spans: usize| 1e-9 * engine.window_ns(spans));
        Some(Families { engine: Box::new(engine), window_seconds })
    }
}
