//! [`KernelTimes`]: how long the kernels of a piece took.

use std::time::Duration;

use tmd_core::KernelTime;

use crate::Done;

/// Times by kernel, over the batches of a piece.
#[derive(Debug, Default)]
pub(super) struct KernelTimes {
    kernels: Vec<KernelTime>,
    /// what the host waited for batches without timestamps
    waited: Duration,
}

impl KernelTimes {
    /// Adds a batch for which the host waited so long.
    pub(super) fn add(&mut self, done: &Done, waited: Duration) {
        if done.times().is_empty() {
            self.waited += waited;
        }
        for (name, time) in done.times() {
            KernelTime::add(
                &mut self.kernels,
                &[KernelTime { name: name.clone(), time: *time, invocations: 1 }],
            );
        }
    }

    /// Time in the kernels of these names.
    pub(super) fn of(&self, names: &[&str]) -> Duration {
        self.kernels
            .iter()
            .filter(|kernel| names.contains(&kernel.name.as_str()))
            .map(|kernel| kernel.time)
            .sum()
    }

    /// Time that was waited for without knowing for which kernel.
    pub(super) const fn waited(&self) -> Duration {
        self.waited
    }

    pub(super) fn list(&self) -> &[KernelTime] {
        &self.kernels
    }
}
