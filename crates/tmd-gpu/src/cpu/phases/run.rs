//! A run of domains, and the chord of each, by difference tables: `phases/run.wgsl`, where the
//! formulas are.

use crate::{
    GpuError,
    cpu::{generate, phases::Parameters},
};

/// The tables of all runs: seven entries of 64 bits for each, in units of 2^-64, at the center of
/// its first domain. −R and its differences Δ, Δ², Δ³ from domain to domain; R' (per argument) and
/// Δ, Δ² of it.
#[derive(Clone, Copy, Debug)]
pub struct Tables<'a> {
    words: &'a [u32],
    runs: usize,
}

/// The chord of a run's current domain, and its differences from domain to domain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// b + κ − a·N/2
    pub(super) value: [u64; 4],
    /// −a
    pub(super) fall: [u64; 3],
    /// 2c·N², signed
    pub(super) curvature: u64,
}

impl<'a> Tables<'a> {
    /// Entries of a run.
    pub const ENTRIES: usize = generate::ENTRIES;

    /// Limb l (0: low) of entry e of run i is word (2e + l)·`runs` + i.
    ///
    /// # Errors
    /// [`GpuError::Validation`] if there are not 14 words for each run.
    pub fn new(parameters: &Parameters, words: &'a [u32]) -> Result<Self, GpuError> {
        let runs = parameters.runs as usize;
        if words.len() != 2 * Self::ENTRIES * runs {
            let message = format!("tables of {runs} runs have 14 words each, not {} in all", words.len());
            return Err(GpuError::Validation { message });
        }
        Ok(Self { words, runs })
    }

    fn entry(&self, entry: usize, run: u32) -> u64 {
        let low = 2 * entry * self.runs + run as usize;
        u64::from(self.words[low]) | u64::from(self.words[low + self.runs]) << 32
    }
}

/// κ = c·N²/8, rounded down.
pub(super) const fn kappa(curvature: u64) -> u64 {
    (curvature.cast_signed() >> 4).cast_unsigned()
}

impl Run {
    /// Run number `run` at its first domain.
    pub(super) fn start(parameters: &Parameters, tables: &Tables<'_>, run: u32) -> Self {
        let slopes = [4, 5, 6].map(|entry| tables.entry(entry, run));
        let curvature = tables.entry(2, run).wrapping_neg();
        let mut value: [u64; 4] = core::array::from_fn(|l| {
            let slope = slopes.get(l).copied().unwrap_or_default();
            tables.entry(l, run).wrapping_add(slope << (parameters.log2_n - 1)).wrapping_neg()
        });
        value[0] = value[0].wrapping_add(kappa(curvature));
        Self { value, fall: slopes.map(u64::wrapping_neg), curvature }
    }

    /// The run at its next domain.
    #[must_use]
    pub(super) fn next(mut self) -> Self {
        for l in 0..3 {
            self.value[l] = self.value[l].wrapping_add(self.value[l + 1]);
        }
        for l in 0..2 {
            self.fall[l] = self.fall[l].wrapping_add(self.fall[l + 1]);
        }
        self
    }
}
