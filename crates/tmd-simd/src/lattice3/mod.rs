//! The walk in three dimensions in lanes: the engine `lattice3`, whose candidates are those of
//! `lattice3-scalar`.
//!
//! A lane takes consecutive windows of a segment, some hundred at a time (`strand`). It begins with
//! an exact dual basis ([`Frame`](tmd_core::lattice3::Frame)), and finds the windows that must be
//! enumerated (`kernel`, `queue`); that is done in doubles, from an exact dual basis of their own
//! (`enumerate`), and what is left is searched exactly. Whether the lanes' numbers were near enough
//! is bounded before they walk (`shape`); where not, the lane's windows are searched in shorter
//! runs, in the end one by one. Proof: docs/proofs/lattice3.md, section 6.

mod beginning;
mod budget;
mod cost;
mod kernel;
mod plan;
mod queue;
mod shape;
mod strand;
#[cfg(test)]
mod tests;

pub use cost::{Estimate, Workload};
pub use strand::MOST_RUN;
use tmd_core::lattice3::{Engine, Model, Span, Walk};

#[cfg(target_arch = "x86_64")]
use crate::lanes::pair::Pair;
use crate::{Level, level::Machine};
use strand::Strand;

/// The walk in these lanes.
#[derive(Clone, Copy, Debug)]
pub struct Lattice3 {
    /// The lanes.
    pub level: Level,
    /// Points per window; `None` for those that are fastest by the cost model.
    pub volume: Option<f64>,
    /// Windows per segment.
    pub windows: u32,
    /// Most windows of a lane from one exact basis to the next, at most [`MOST_RUN`]; `None` for as
    /// many as are fastest by the cost model.
    pub run: Option<u32>,
}

impl Lattice3 {
    /// The walk in these lanes, with windows as the cost model has them.
    pub const fn new(level: Level) -> Self {
        Self { level, volume: None, windows: 1 << 18, run: None }
    }
}

impl Engine for Lattice3 {
    fn name(&self) -> String {
        format!("lattice3 ({})", self.level)
    }

    fn volume(&self, spans: usize) -> f64 {
        self.volume.unwrap_or_else(|| self.fastest_volume(spans))
    }

    fn windows(&self) -> u32 {
        self.windows
    }

    fn run(&self) -> Option<u32> {
        Some(self.longest_run())
    }

    fn start(&self, model: &Model, spans: &[Span]) -> Box<dyn Walk> {
        let run = self.longest_run();
        match self.level.machine() {
            #[cfg(target_arch = "x86_64")]
            Machine::Avx512(lanes) => Box::new(Strand::new(lanes, *model, spans, run)),
            #[cfg(target_arch = "x86_64")]
            Machine::Avx2(lanes) => Box::new(Strand::new(lanes, *model, spans, run)),
            #[cfg(target_arch = "x86_64")]
            Machine::Avx2InPairs(lanes) => Box::new(Strand::new(Pair(lanes), *model, spans, run)),
            Machine::Portable(lanes) => Box::new(Strand::new(lanes, *model, spans, run)),
        }
    }
}
