//! `progress.wgsl`: what invocations tell the host beside their results.
//!
//! A device may end a loop early without a word: Mesa's lavapipe lets all loops of a vector of
//! invocations go around 65,535 times in total, and drivers have watchdogs. A search that does not
//! notice would lose cases. So an invocation counts itself as done only if its loop came to its
//! end, and the host compares the numbers with what it asked for.
//!
//! Lemma G.10 of docs/proofs/gpu.md.

/// The words of the kernels' `Progress`, in their order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Domains flagged, more than there was room for included.
    pub flagged: u32,
    /// Invocations of `walk` that walked to the end of their runs.
    pub walked: u32,
    /// Invocations of `generate` that came to the end of their packet's entry.
    pub generated: u32,
}

impl Progress {
    /// Number of words.
    pub const WORDS: usize = 3;

    /// The progress in these words; missing ones are 0.
    pub fn of(words: &[u32]) -> Self {
        let word = |i: usize| words.get(i).copied().unwrap_or(0);
        Self { flagged: word(0), walked: word(1), generated: word(2) }
    }
}
