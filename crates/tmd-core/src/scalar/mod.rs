//! The complete scalar search of a piece, in integers: by the walk, or by the papers' phases
//! with any existence test. It takes any piece and any N, and is what the other engines are tested
//! against.
//!
//! * `walk`, `phases`: the two ways (private);
//! * [`parabola`]: one domain's parabola in 128-bit fractions, and the segment that stands for it;
//! * [`generate`]: parabolas of consecutive domains by the hybrid of straightforward shift and
//!   tabulated differences.

pub mod generate;
mod layout;
pub mod parabola;
mod phases;
mod walk;

use tmd_exist::{LastQuotient, LefevreDivision, Logms, Reductions, RegularUnrolled, Start};

use crate::{
    Backend, CoreError, Families, Interrupt, Piece, PieceOutcome, PiecePlan, engine_name,
    lattice3::Exact,
    partition::{OneLevel, Partition},
};
pub use layout::partition;
use phases::Search;

/// Seconds that the exact walk in three dimensions takes for a window …
const WINDOW_SECONDS: f64 = 1.0e-5;

/// … and more of them for each span, roughly.
const TARGET_SECONDS: f64 = 5.0e-6;

/// Which existence test the scalar search uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ScalarEngine {
    /// Lefèvre's test, division form.
    Lefevre,
    /// The regular test, unrolled by two, corrected start, trimmed last quotient.
    Regular,
    /// The Farey walk in exact integers; where domains curve too much for a line, none as below.
    Farey,
    /// None: phase 3 over every domain.
    Exhaustive,
}

/// The scalar backend.
#[derive(Clone, Copy, Debug)]
pub struct Scalar {
    /// The existence test.
    pub engine: ScalarEngine,
    /// Threshold of the hybrid division.
    pub logms: Logms,
    /// Arguments per domain, or `None` to let the cost model choose.
    pub domain_size: Option<u64>,
}

impl Scalar {
    fn partition(&self, piece: &Piece) -> Result<Partition<OneLevel>, CoreError> {
        let domain_size = match self.engine {
            // a walk lists the points of a whole domain, so it should not reach beyond the piece
            ScalarEngine::Farey => {
                self.domain_size.or_else(|| walk::domain_size(piece)).map(|n| n.min(piece.arguments()))
            }
            _ => self.domain_size,
        };
        partition(piece, domain_size)
    }
}

impl Backend for Scalar {
    fn plan(&self, piece: &Piece) -> Result<PiecePlan, CoreError> {
        let partition = self.partition(piece)?;
        let walked = if self.engine == ScalarEngine::Farey { walk::budget(&partition) } else { None };
        let cost = layout::cost_per_argument(&partition, piece, self.engine != ScalarEngine::Exhaustive);
        let budget = walked.unwrap_or(partition.budget);
        Ok(PiecePlan { engine: self.name(), budget, ..partition.plan(piece, None, cost) })
    }

    fn name(&self) -> String {
        let engine = match self.engine {
            ScalarEngine::Lefevre => "lefevre",
            ScalarEngine::Regular => "regular",
            ScalarEngine::Farey => "farey",
            ScalarEngine::Exhaustive => "exhaustive",
        };
        engine_name(&format!("scalar {engine}"), self.logms, self.domain_size)
    }

    fn families(&self) -> Option<Families> {
        let window_seconds = Box::new(|spans: usize| WINDOW_SECONDS + TARGET_SECONDS * spans as f64);
        Some(Families { engine: Box::new(Exact::default()), window_seconds })
    }

    fn search(&self, piece: &Piece, interrupt: &Interrupt) -> Result<PieceOutcome, CoreError> {
        let partition = self.partition(piece)?;
        match self.engine {
            ScalarEngine::Lefevre => {
                Search::new(piece, &partition, Some(LefevreDivision::new(Reductions::Divided, self.logms)))
                    .run(interrupt)
            }
            ScalarEngine::Regular => Search::new(
                piece,
                &partition,
                Some(RegularUnrolled::new(Start::Corrected, LastQuotient::Trimmed, self.logms)),
            )
            .run(interrupt),
            ScalarEngine::Farey => match walk::budget(&partition) {
                Some(budget) => walk::search(piece, &partition, budget, interrupt),
                None => Search::new(piece, &partition, None::<RegularUnrolled>).run(interrupt),
            },
            ScalarEngine::Exhaustive => {
                Search::new(piece, &partition, None::<RegularUnrolled>).run(interrupt)
            }
        }
    }
}
