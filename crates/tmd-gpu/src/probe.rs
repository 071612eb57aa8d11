//! Properties of an adapter that no interface tells, found by trying.

use std::sync::Mutex;

use crate::{Gpu, GpuError, device::locked};

/// Rounds tried: a device that does so many does any number.
const TRIED: u32 = 1 << 20;

/// The body must not be one that a compiler can replace by its result.
const COUNT: &str = "
    @group(0) @binding(0) var<storage, read_write> counts: array<u32>; // rounds to do, rounds done, a hash
    @compute @workgroup_size(1)
    fn count() {
        var hash = 1u;
        var done = 0u;
        for (var i = 0u; i < counts[0]; i++) {
            hash = (hash ^ (hash >> 7u)) * 0x9e3779b9u + i;
            done++;
        }
        counts[1] = done;
        counts[2] = hash;
    }";

/// How many of the rounds were done, once it was tried.
#[derive(Debug, Default)]
pub(crate) struct LoopRounds(Mutex<Option<u32>>);

impl Gpu {
    /// How many rounds all the loops of an invocation may make together before the driver
    /// **silently ends them**; `None` where there is no such limit. Tried out on the first call.
    ///
    /// Mesa's software driver has one: 65,535, and after that every loop is left after one round,
    /// whatever its condition says (seen with Mesa 22.3). It counts for the 4 to 16 invocations of
    /// a vector together: a round in which any of them takes part is a round of all. So a kernel's
    /// work per invocation must stay below the limit, and a kernel whose number of rounds has no
    /// bound must check, after a loop, that its condition has really become false.
    ///
    /// # Errors
    /// What a batch may say.
    pub fn loop_rounds(&self) -> Result<Option<u32>, GpuError> {
        let mut known = locked(&self.inner.loop_rounds.0);
        let done = if let Some(done) = *known { done } else { self.count_rounds()? };
        *known = Some(done);
        Ok(Some(done).filter(|&done| done < TRIED))
    }

    fn count_rounds(&self) -> Result<u32, GpuError> {
        let count = self.pipeline("count", COUNT, "count", &[])?;
        let counts = self.upload("counts", &[TRIED, 0, 0])?;
        let mut batch = self.batch();
        batch.dispatch("count", &count, &[&counts], 1);
        let read = batch.read(&counts, 1..2);
        let done = batch.run()?.take(read)?;
        done.first().copied().ok_or_else(|| GpuError::Internal { message: "nothing was counted".into() })
    }
}
