//! One piece's way over the GPU: outer tables up, two kernels, flagged domains down.

use std::time::{Duration, Instant};

use crate::cpu::{
    generate::GenerateConstants,
    progress::Progress,
    walk::{Flagged, WalkConstants},
};
use tmd_core::Piece;

use super::{
    super::{Packets, times::KernelTimes},
    GpuWalk,
    layout::WalkLayout,
};
use crate::{Buffer, Gpu, GpuError};

/// Words of a flagged domain.
const FLAGGED_WORDS: u64 = Flagged::WORDS as u64;

/// The buffers of a walk, for pieces up to a size.
pub(super) struct WalkBuffers {
    generate: Buffer,
    walk: Buffer,
    outer: Buffer,
    tables: Buffer,
    progress: Buffer,
    flagged: Buffer,
}

impl WalkBuffers {
    pub(super) fn new(gpu: &Gpu, layout: &WalkLayout) -> Result<Self, GpuError> {
        Ok(Self {
            generate: gpu.buffer("generate constants", GenerateConstants::WORDS as u64)?,
            walk: gpu.buffer("walk constants", WalkConstants::WORDS as u64)?,
            outer: gpu.buffer("outer tables", layout.packets.generate.outer_words() as u64)?,
            tables: gpu.buffer("tables", layout.packets.generate.table_words() as u64)?,
            progress: gpu.buffer("progress", Progress::WORDS as u64)?,
            flagged: gpu.buffer("flagged domains", FLAGGED_WORDS * u64::from(layout.walk.capacity))?,
        })
    }

    /// Whether they are large enough, and not much too large, for this layout.
    pub(super) fn fit(&self, layout: &WalkLayout) -> bool {
        let wanted = [
            (&self.outer, layout.packets.generate.outer_words() as u64),
            (&self.tables, layout.packets.generate.table_words() as u64),
            (&self.flagged, FLAGGED_WORDS * u64::from(layout.walk.capacity)),
        ];
        wanted.iter().all(|(buffer, words)| (*words..=2 * words).contains(&buffer.len()))
    }
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

impl GpuWalk {
    /// Runs both kernels and reads what was flagged: `guess` domains in one go with their number,
    /// and more if there are more.
    pub(super) fn run(
        &self,
        piece: &Piece,
        layout: &WalkLayout,
        mut buffers: WalkBuffers,
        guess: u32,
    ) -> Result<Walked, GpuError> {
        let WalkLayout { packets: Packets { generate, .. }, mut walk, .. } = *layout;
        let started = Instant::now();
        let outer = layout.packets.outer(piece);
        let preparing = started.elapsed();
        let mut kernels = KernelTimes::default();
        loop {
            let started = Instant::now();
            let first = guess.min(walk.capacity);
            let mut batch = self.gpu.batch();
            batch.write(&buffers.generate, 0, &generate.to_words());
            batch.write(&buffers.walk, 0, &walk.to_words());
            batch.write(&buffers.outer, 0, &outer);
            batch.fill_zero(&buffers.progress);
            let groups = |invocations: u32| invocations.div_ceil(layout.workgroup);
            let WalkBuffers { generate: g, walk: f, outer, tables, progress, flagged } = &buffers;
            batch.dispatch(
                "generate",
                &self.generate,
                &[g, outer, tables, progress],
                groups(generate.invocations()),
            );
            batch.dispatch("walk", &self.walk, &[f, tables, progress, flagged], groups(walk.runs));
            let (number, head) = (
                batch.read(progress, 0..Progress::WORDS as u64),
                batch.read(flagged, 0..u64::from(first) * FLAGGED_WORDS),
            );
            let mut done = batch.run()?;
            let progress = Progress::of(&done.take(number)?);
            kernels.add(&done, started.elapsed());
            if (progress.walked, progress.generated) != (walk.runs, generate.invocations()) {
                let message = "a kernel was ended early; shorter dispatches may do".into();
                return Err(GpuError::Internal { message });
            }
            let number = progress.flagged;
            if number > walk.capacity {
                // count and list do not agree: once more with room for all
                walk.capacity = number;
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use tmd_core::{Scalar, ScalarEngine, exist::Logms};
    use tmd_testkit::generators::Spec;

    use super::*;
    use crate::{Integers, testing};

    /// `x·(√5 − 1)/2 + x²·2^-36`, of which many domains are flagged.
    fn piece() -> Piece {
        let coefficients = vec![(0, 0), (0x4f1b_bcdc_bfa5_3e0b, 63), (1, 36)];
        Spec { coefficients, arguments: 1 << 22, center: 0, tolerance_bits: 14, slack: 0 }.piece()
    }

    fn walk() -> Option<GpuWalk> {
        let scalar = Scalar { engine: ScalarEngine::Regular, logms: Logms::default(), domain_size: None };
        testing::shared(Integers::Auto).map(|gpu| GpuWalk::new(&gpu, Arc::new(scalar)).unwrap())
    }

    /// One walk with a layout, and with a guess of what is flagged.
    fn run(walk: &GpuWalk, layout: &WalkLayout, guess: u32) -> Result<Vec<Flagged>, GpuError> {
        let buffers = WalkBuffers::new(&walk.gpu, layout).unwrap();
        let mut flagged = walk.run(&piece(), layout, buffers, guess)?.flagged;
        flagged.sort_unstable();
        Ok(flagged)
    }

    /// However little room there is, and however few are expected.
    #[test]
    fn all_that_is_flagged_arrives() {
        let Some(walk) = walk() else { return };
        let layout = walk.layout(&piece()).unwrap();
        let all = run(&walk, &layout, layout.walk.capacity).unwrap();
        assert!(all.len() > 100, "{}", all.len());
        assert!(all.is_sorted_by(|a, b| (a.run, a.step) < (b.run, b.step)));
        let count = all.len() as u32;
        for (capacity, guess) in
            [(count, 1), (count, count - 1), (count, count), (10, 1), (10, 10), (count - 1, count)]
        {
            let mut layout = layout;
            layout.walk.capacity = capacity;
            assert_eq!(run(&walk, &layout, guess).unwrap(), all, "room for {capacity}, {guess} expected");
        }
    }

    /// Kernels that did less than they were asked for found nothing.
    #[test]
    fn what_was_cut_off_does_not_count() {
        let Some(walk) = walk() else { return };
        // half of the workgroups are never started
        let mut fewer = walk.layout(&piece()).unwrap();
        assert!(fewer.walk.runs > fewer.workgroup, "{fewer:?}");
        fewer.workgroup *= 2;
        assert!(matches!(run(&walk, &fewer, 1), Err(GpuError::Internal { .. })));
        // and on a device that ends loops, one more round than it grants
        let Some(rounds) = walk.gpu.loop_rounds().unwrap() else { return };
        let mut layout = walk.layout(&piece()).unwrap();
        (layout.packets.generate.packets, layout.packets.generate.runs) = (1, rounds + 10);
        assert!(matches!(run(&walk, &layout, 1), Err(GpuError::Internal { .. })));
        let mut layout = walk.layout(&piece()).unwrap();
        layout.walk.steps = rounds + 10;
        assert!(matches!(run(&walk, &layout, 1), Err(GpuError::Internal { .. })));
    }
}
