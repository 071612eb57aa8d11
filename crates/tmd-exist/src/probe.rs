//! What a test tells while it runs: turns of the loop, outcomes of its main condition,
//! subtractions, divisions.
//!
//! The statistics of the papers (iterations per test and their divergence, 2016 Table III) come
//! from here. A test is generic over its probe, so that with [`NoProbe`] the calls are empty
//! functions and leave no code behind.

/// What a test tells while it runs. Every method does nothing unless implemented.
pub trait Probe {
    /// One turn of the main loop (`while True` in the papers); for the unrolled regular test one
    /// half-turn, so that one quotient is one iteration in both forms.
    #[inline]
    fn iteration(&mut self) {}

    /// The main condition was evaluated. It holds (`taken`) if d < p in Lefèvre's tests and if p <
    /// q in the looped regular test; the unrolled regular test has none.
    #[inline]
    fn branch(&mut self, taken: bool) {
        let _ = taken;
    }

    /// A quotient or a remainder was taken with `count` subtractions (possibly 0).
    #[inline]
    fn subtraction(&mut self, count: u64) {
        let _ = count;
    }

    /// A division instruction was used, for a quotient, a remainder or both.
    #[inline]
    fn division(&mut self) {}
}

/// Records nothing and costs nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NoProbe;

impl Probe for NoProbe {}

/// Counts over as many tests as it is handed to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CountingProbe {
    /// Turns of the main loop; for the unrolled regular test half-turns.
    pub iterations: u64,
    /// Subtractions made to obtain quotients and remainders.
    pub subtractions: u64,
    /// Division instructions.
    pub divisions: u64,
}

impl Probe for CountingProbe {
    #[inline]
    fn iteration(&mut self) {
        self.iterations += 1;
    }

    #[inline]
    fn subtraction(&mut self, count: u64) {
        self.subtractions += count;
    }

    #[inline]
    fn division(&mut self) {
        self.divisions += 1;
    }
}
