//! Runs on their way over the GPU: beginnings up, one kernel, hits down.

use crate::{
    Buffer, Gpu, GpuError, Pipeline,
    cpu::lattice3::{Beginning, Lattice3Constants, Lattice3Hit},
};

/// The buffers of a walk.
#[derive(Debug)]
pub(super) struct Buffers {
    constants: Buffer,
    tables: Buffer,
    progress: Buffer,
    finished: Buffer,
    hits: Buffer,
    words: Vec<u32>,
    /// runs, targets and hits there is room for
    room: Lattice3Constants,
}

/// What a dispatch did.
pub(super) struct Walked {
    /// Windows done of every run, for all targets.
    pub(super) done: Vec<u32>,
    /// Of these windows those that need another look, in order.
    pub(super) hits: Vec<Lattice3Hit>,
}

impl Buffers {
    /// Room for so many runs and targets.
    pub(super) fn new(gpu: &Gpu, runs: u32, targets: u32, hits: u32) -> Result<Self, GpuError> {
        let room = Lattice3Constants { runs, targets, capacity: hits, stride: runs };
        Ok(Self {
            constants: gpu.buffer("lattice3 constants", Lattice3Constants::WORDS as u64)?,
            tables: gpu.buffer("lattice3 tables", room.table_words() as u64)?,
            progress: gpu.buffer("progress", 1)?,
            finished: gpu.buffer("windows done", room.invocations().into())?,
            hits: gpu.buffer("hits", Lattice3Hit::WORDS as u64 * u64::from(hits))?,
            words: vec![0; room.table_words()],
            room,
        })
    }

    /// Runs there is room for.
    pub(super) const fn runs(&self) -> u32 {
        self.room.runs
    }

    /// Walks these runs, no more than there is room for.
    pub(super) fn walk(
        &mut self,
        gpu: &Gpu,
        pipeline: &Pipeline,
        workgroup: u32,
        runs: &[Beginning],
    ) -> Result<Walked, GpuError> {
        let constants = Lattice3Constants { runs: runs.len() as u32, ..self.room };
        for (number, run) in runs.iter().enumerate() {
            run.put(number as u32, constants.stride, &mut self.words);
        }
        let invocations = constants.invocations();
        let mut batch = gpu.batch();
        batch.write(&self.constants, 0, &constants.to_words());
        batch.write(&self.tables, 0, &self.words);
        batch.fill_zero(&self.progress);
        // what an invocation does not say is not done
        batch.fill_zero(&self.finished);
        let bound = [&self.constants, &self.tables, &self.progress, &self.finished, &self.hits];
        batch.dispatch("lattice3", pipeline, &bound, invocations.div_ceil(workgroup));
        let number = batch.read(&self.progress, 0..1);
        let finished = batch.read(&self.finished, 0..invocations.into());
        let mut result = batch.run()?;
        let number = result.take(number)?.first().copied().unwrap_or(0).min(constants.capacity);
        let finished = result.take(finished)?;
        let mut hits = Vec::new();
        if number > 0 {
            let mut batch = gpu.batch();
            let list = batch.read(&self.hits, 0..u64::from(number) * Lattice3Hit::WORDS as u64);
            let words = batch.run()?.take(list)?;
            hits.extend(words.as_chunks().0.iter().map(Lattice3Hit::of_words));
        }
        let done = runs.iter().enumerate().map(|(run, beginning)| {
            let of_groups = finished.iter().skip(run).step_by(runs.len());
            of_groups.fold(beginning.windows, |least, &done| least.min(done))
        });
        let done: Vec<u32> = done.collect();
        // what a driver says of runs that there are not is not believed
        hits.retain(|hit| done.get(hit.run as usize).is_some_and(|&done| hit.step < done));
        hits.sort_unstable();
        Ok(Walked { done, hits })
    }
}
