//! [`GpuWalk`]: the Farey walk on a GPU.
//!
//! * [`layout`]: sizes and error budget; [`run`]: a piece's way over the GPU; [`enumerate`]: what
//!   was flagged, exactly.

mod enumerate;
mod layout;
mod run;

use std::{
    sync::{
        Arc, Mutex, OnceLock,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use tmd_core::{
    Backend, CoreError, Families, Interrupt, Piece, PieceOutcome, PiecePlan, engine_name,
    exist::Logms,
    partition::{Unfit, subdivide::PieceSearch},
};
use tmd_shaders::{Integers as Variant, Kernel};

use super::{GpuLattice3, Shape};
use crate::{Gpu, GpuError, Pipeline, device::locked};
use layout::WalkLayout;
use run::WalkBuffers;

/// Flagged domains that are read back with their number, before the first piece has told how many
/// there are.
const FIRST_GUESS: u32 = 1 << 10;

/// Searches pieces on one GPU by the Farey walk. Threads may share it: while one enumerates on the
/// CPU what its piece left to be enumerated, the GPU works for another.
pub struct GpuWalk {
    gpu: Gpu,
    shape: Shape,
    domain_size: Option<u64>,
    generate: Pipeline,
    walk: Pipeline,
    /// for what the walk refuses
    fallback: Arc<dyn Backend + Send + Sync>,
    /// buffers of earlier pieces
    spare: Mutex<Vec<WalkBuffers>>,
    /// how many flagged domains are read at once
    guess: AtomicU32,
    /// made when it is first asked for
    lattice3: OnceLock<Option<GpuLattice3>>,
}

impl GpuWalk {
    /// The Farey walk on this device; parts that it refuses (around points of inflection, or where
    /// the curvature is too large) are searched by `fallback`.
    ///
    /// # Errors
    /// [`GpuError::Shader`] if the driver refuses a kernel.
    pub fn new(gpu: &Gpu, fallback: Arc<dyn Backend + Send + Sync>) -> Result<Self, GpuError> {
        Self::with_shape(gpu, Shape::of(gpu.summary()), fallback)
    }

    /// The same with sizes chosen by the caller.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn with_shape(
        gpu: &Gpu,
        shape: Shape,
        fallback: Arc<dyn Backend + Send + Sync>,
    ) -> Result<Self, GpuError> {
        let variant = if gpu.native_integers() { Variant::Native } else { Variant::Emulated };
        let workgroup = [("WORKGROUP", f64::from(shape.workgroup))];
        let pipeline =
            |kernel: Kernel| gpu.pipeline(kernel.name(), &kernel.source(variant), kernel.name(), &workgroup);
        Ok(Self {
            gpu: gpu.clone(),
            shape,
            domain_size: None,
            generate: pipeline(Kernel::Generate)?,
            walk: pipeline(Kernel::Walk)?,
            fallback,
            spare: Mutex::new(Vec::new()),
            guess: AtomicU32::new(FIRST_GUESS),
            lattice3: OnceLock::new(),
        })
    }

    /// The same with domains of this many arguments, as far as the walk's limits allow.
    #[must_use]
    pub fn with_domain_size(self, arguments: Option<u64>) -> Self {
        Self { domain_size: arguments, ..self }
    }

    fn layout(&self, piece: &Piece) -> Result<WalkLayout, Unfit> {
        WalkLayout::new(piece, self.domain_size, self.shape)
    }

    /// Searches a piece in one go.
    fn walk(
        &self,
        piece: &Piece,
        layout: &WalkLayout,
        interrupt: &Interrupt,
    ) -> Result<PieceOutcome, CoreError> {
        interrupt.check()?;
        let spare = {
            let mut spare = locked(&self.spare);
            let fits = spare.iter().position(|buffers| buffers.fit(layout));
            fits.map(|i| spare.swap_remove(i))
        };
        let buffers = match spare {
            Some(buffers) => buffers,
            None => WalkBuffers::new(&self.gpu, layout).map_err(|error| error.of_search(self.label()))?,
        };
        let walked = self
            .run(piece, layout, buffers, self.guess.load(Ordering::Relaxed))
            .map_err(|error| error.of_search(self.label()))?;
        // a little more than this piece had, for the next one
        let seen = walked.flagged.len() as u32;
        self.guess.store((seen + seen / 8).max(FIRST_GUESS), Ordering::Relaxed);
        let outcome = enumerate::outcome(piece, layout, &walked)?;
        let mut spare = locked(&self.spare);
        // two threads, and both sizes of pieces that take turns at the end of a binade
        if spare.len() >= 4 {
            spare.remove(0);
        }
        spare.push(walked.buffers);
        Ok(outcome)
    }
}

impl PieceSearch for GpuWalk {
    fn label(&self) -> String {
        engine_name(&format!("farey {}", self.gpu.name()), Logms::default(), self.domain_size)
    }

    fn search_whole(
        &self,
        piece: &Piece,
        interrupt: &Interrupt,
    ) -> Result<Result<PieceOutcome, CoreError>, Unfit> {
        let layout = self.layout(piece)?;
        Ok(self.walk(piece, &layout, interrupt))
    }

    fn plan_whole(&self, piece: &Piece) -> Result<PiecePlan, Unfit> {
        let layout = self.layout(piece)?;
        Ok(layout.packets.partition.plan(piece, Some(layout.plan.order), layout.plan.cost))
    }

    fn fallback(&self, _: Unfit) -> Arc<dyn Backend + Send + Sync> {
        Arc::clone(&self.fallback)
    }

    fn busy_time(&self) -> Option<Duration> {
        Some(self.gpu.busy())
    }

    /// Beside the fallback's engine; none where that has none, or where the driver refuses the
    /// kernel.
    fn family_engine(&self) -> Option<Families> {
        let engine = self.lattice3.get_or_init(|| {
            let beside = self.fallback.families()?.engine;
            GpuLattice3::new(&self.gpu, Arc::from(beside)).ok()
        });
        engine.clone().map(GpuLattice3::families)
    }
}
