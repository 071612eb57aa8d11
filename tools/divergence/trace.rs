//! [`Trace`]: what every lane of a block did, turn by turn, as a matrix of bits.

use tmd_core::exist::Probe;

/// Lanes of a block: the widest group.
pub const LANES: usize = 64;

/// Which lanes ran in each turn of the main loop, and for which of them the main condition held.
///
/// Lanes run from the first turn without a gap until they leave the loop.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    running: Vec<u64>,
    taken: Vec<u64>,
}

impl Trace {
    /// Forgets everything.
    pub fn clear(&mut self) {
        self.running.clear();
        self.taken.clear();
    }

    /// Turns of the slowest lane.
    pub fn turns(&self) -> usize {
        self.running.len()
    }

    /// The lanes, as bits, that ran in a turn, and those of them for which the main condition held.
    pub fn turn(&self, turn: usize) -> (u64, u64) {
        (self.running[turn], self.taken[turn])
    }

    /// Writes down one turn of a lane, which has made `turn` turns before.
    pub fn record(&mut self, lane: usize, turn: usize, taken: bool) {
        if turn == self.running.len() {
            self.running.push(0);
            self.taken.push(0);
        }
        self.running[turn] |= 1 << lane;
        self.taken[turn] |= u64::from(taken) << lane;
    }

    /// The probe that writes down what a test does in a lane below [`LANES`].
    pub fn probe(&mut self, lane: usize) -> LaneProbe<'_> {
        LaneProbe { trace: self, lane, turns: 0 }
    }
}

/// Writes down one lane's test.
#[derive(Debug)]
pub struct LaneProbe<'a> {
    trace: &'a mut Trace,
    lane: usize,
    turns: usize,
}

impl Probe for LaneProbe<'_> {
    #[inline]
    fn iteration(&mut self) {
        self.trace.record(self.lane, self.turns, false);
        self.turns += 1;
    }

    #[inline]
    fn branch(&mut self, taken: bool) {
        // the tests announce the turn first
        if let Some(turn) = self.turns.checked_sub(1) {
            self.trace.record(self.lane, turn, taken);
        }
    }
}
