//! One piece's way over the GPU: outer tables up, two kernels, flagged domains down.

use std::time::{Duration, Instant};

use crate::cpu::{
    farey::{FareyConstants, Flagged},
    generate::GenerateConstants,
    progress::Progress,
};
use tmd_core::Piece;

use super::{
    super::{Packets, times::KernelTimes},
    layout::WalkLayout,
};
use crate::{Buffer, Gpu, GpuError, Pipeline};

/// Words of a flagged domain.
const FLAGGED_WORDS: u64 = Flagged::WORDS as u64;

/// The buffers of a walk, for pieces up to a size.
pub(super) struct WalkBuffers {
    generate: Buffer<u32>,
    farey: Buffer<u32>,
    outer: Buffer<u32>,
    tables: Buffer<u32>,
    progress: Buffer<u32>,
    flagged: Buffer<u32>,
}

impl WalkBuffers {
    pub(super) fn new(gpu: &Gpu, layout: &WalkLayout) -> Result<Self, GpuError> {
        Ok(Self {
            generate: gpu.buffer("generate constants", GenerateConstants::WORDS as u64)?,
            farey: gpu.buffer("farey constants", FareyConstants::WORDS as u64)?,
            outer: gpu.buffer("outer tables", layout.packets.generate.outer_words() as u64)?,
            tables: gpu.buffer("tables", layout.packets.generate.table_words() as u64)?,
            progress: gpu.buffer("progress", Progress::WORDS as u64)?,
            flagged: gpu.buffer("flagged domains", FLAGGED_WORDS * u64::from(layout.farey.capacity))?,
        })
    }

    /// Whether they are large enough, and not much too large, for this layout.
    pub(super) fn fit(&self, layout: &WalkLayout) -> bool {
        let wanted = [
            (&self.outer, layout.packets.generate.outer_words() as u64),
            (&self.tables, layout.packets.generate.table_words() as u64),
            (&self.flagged, FLAGGED_WORDS * u64::from(layout.farey.capacity)),
        ];
        wanted.iter().all(|(buffer, words)| (*words..=2 * words).contains(&buffer.len()))
    }
}

/// A piece to be walked.
pub(super) struct Walk<'a> {
    pub(super) gpu: &'a Gpu,
    pub(super) generate: &'a Pipeline,
    pub(super) farey: &'a Pipeline,
    pub(super) layout: WalkLayout,
    pub(super) piece: &'a Piece,
}

/// What a walk flagged.
pub(super) struct Walked {
    pub(super) flagged: Vec<Flagged>,
    /// time on the host for the outer tables
    pub(super) preparing: Duration,
    /// time of the kernels
    pub(super) kernels: KernelTimes,
    pub(super) buffers: WalkBuffers,
}

impl Walk<'_> {
    /// Runs both kernels and reads what was flagged: `guess` domains in one go with their number, and more if there are
    /// more.
    pub(super) fn run(&self, mut buffers: WalkBuffers, guess: u32) -> Result<Walked, GpuError> {
        let WalkLayout { packets: Packets { generate, .. }, mut farey, .. } = self.layout;
        let started = Instant::now();
        let outer = self.layout.packets.outer(self.piece);
        let preparing = started.elapsed();
        let mut kernels = KernelTimes::default();
        loop {
            let started = Instant::now();
            let first = guess.min(farey.capacity);
            let mut batch = self.gpu.batch();
            batch.write(&buffers.generate, 0, &generate.to_words());
            batch.write(&buffers.farey, 0, &farey.to_words());
            batch.write(&buffers.outer, 0, &outer);
            batch.fill_zero(&buffers.progress);
            let groups = |invocations: u32| invocations.div_ceil(self.layout.workgroup);
            let WalkBuffers { generate: g, farey: f, outer, tables, progress, flagged } = &buffers;
            batch.dispatch(
                "generate",
                self.generate,
                &[g, outer, tables, progress],
                groups(generate.invocations()),
            );
            batch.dispatch("farey", self.farey, &[f, tables, progress, flagged], groups(farey.runs));
            let (number, head) = (
                batch.read(progress, 0..Progress::WORDS as u64),
                batch.read(flagged, 0..u64::from(first) * FLAGGED_WORDS),
            );
            let mut done = batch.run()?;
            let progress = Progress::of(&done.take(number)?);
            kernels.add(&done, started.elapsed());
            if (progress.walked, progress.generated) != (farey.runs, generate.invocations()) {
                let message = "a kernel was ended early; shorter dispatches may do".into();
                return Err(GpuError::Internal { message });
            }
            let number = progress.flagged;
            if number > farey.capacity {
                // count and list do not agree: once more with room for all
                farey.capacity = number;
                buffers.flagged = self.gpu.buffer("flagged domains", FLAGGED_WORDS * u64::from(number))?;
                continue;
            }
            let mut words = done.take(head)?;
            // those beyond the guess
            let rest = u64::from(first.min(number)) * FLAGGED_WORDS..u64::from(number) * FLAGGED_WORDS;
            if !rest.is_empty() {
                let mut batch = self.gpu.batch();
                let rest = batch.read(&buffers.flagged, rest);
                words.extend(batch.run()?.take(rest)?);
            }
            words.truncate(number as usize * FLAGGED_WORDS as usize);
            let flagged = words.as_chunks().0.iter().map(Flagged::of_words).collect();
            return Ok(Walked { flagged, preparing, kernels, buffers });
        }
    }
}
