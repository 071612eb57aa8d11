//! [`Statistics`]: the counts of many groups of one size.

use serde::Serialize;

use super::trace::{LANES, Trace};

/// Bins of the histogram of NMDM, 1 % each.
pub const BINS: usize = 100;

/// Turns for which branch divergence is kept turn by turn; later ones count in the total only.
pub const PROFILE: usize = 32;

/// One turn of the loop over all groups that reach it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TurnCount {
    /// groups in which at least one lane runs
    pub issued: u64,
    /// groups whose running lanes disagree on the main condition
    pub divided: u64,
}

/// What groups of `lanes` lanes did. Turns are turns of the main loop, counted per lane unless said
/// otherwise.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(into = "Group")]
pub struct Statistics {
    /// Lanes per group, a power of two up to 64.
    pub lanes: usize,
    /// Groups counted.
    pub groups: u64,
    /// Fewest turns of a lane.
    pub fewest: u64,
    /// Most turns of a lane.
    pub most: u64,
    /// Turns of all lanes together.
    pub useful: u64,
    /// Turns of the groups: the sum of their maxima, not multiplied by the lanes.
    pub issued: u64,
    /// Sum of the groups' NMDM in units of 2^-40, each rounded down: the same whatever the order of
    /// summation.
    nmdm: u128,
    /// Groups by NMDM, in bins of 1 %.
    pub histogram: [u64; BINS],
    /// All turns together.
    pub turns: TurnCount,
    /// The first turns one by one.
    pub profile: [TurnCount; PROFILE],
}

impl Statistics {
    /// No group yet, of `lanes` lanes.
    pub fn new(lanes: usize) -> Self {
        Self {
            lanes,
            groups: 0,
            fewest: u64::MAX,
            most: 0,
            useful: 0,
            issued: 0,
            nmdm: 0,
            histogram: [0; BINS],
            turns: TurnCount::default(),
            profile: [TurnCount::default(); PROFILE],
        }
    }

    /// Counts the groups of a block: lanes 0…, next to each other.
    pub fn add(&mut self, trace: &Trace) {
        for group in 0..LANES / self.lanes {
            self.add_group(trace, group);
        }
    }

    fn add_group(&mut self, trace: &Trace, group: usize) {
        let mask = (u64::MAX >> (LANES - self.lanes)) << (group * self.lanes);
        let (mut useful, mut fewest, mut issued) = (0, 0, 0);
        for turn in 0..trace.turns() {
            let (running, taken) = trace.turn(turn);
            let (running, taken) = (running & mask, taken & mask);
            if running == 0 {
                break;
            }
            issued += 1;
            useful += u64::from(running.count_ones());
            fewest += u64::from(running == mask);
            let divided = u64::from(taken != 0 && taken != running);
            for count in [Some(&mut self.turns), self.profile.get_mut(turn)].into_iter().flatten() {
                count.issued += 1;
                count.divided += divided;
            }
        }
        self.groups += 1;
        self.fewest = self.fewest.min(fewest);
        self.most = self.most.max(issued);
        self.useful += useful;
        self.issued += issued;
        // a group in which no lane turns the loop idles for no turn
        let room = issued * self.lanes as u64;
        let idle = room - useful;
        let nmdm = (u128::from(idle) << 40).checked_div(u128::from(room)).unwrap_or(0);
        self.nmdm += nmdm;
        let bin = (idle * BINS as u64).checked_div(room).unwrap_or(0);
        self.histogram[bin as usize] += 1; // idle < room: some lane runs in every turn
    }

    /// Adds the counts of others.
    pub fn merge(&mut self, other: &Self) {
        self.groups += other.groups;
        self.fewest = self.fewest.min(other.fewest);
        self.most = self.most.max(other.most);
        self.useful += other.useful;
        self.issued += other.issued;
        self.nmdm += other.nmdm;
        for (bin, more) in self.histogram.iter_mut().zip(other.histogram) {
            *bin += more;
        }
        let turns = [&mut self.turns].into_iter().chain(&mut self.profile);
        for (count, more) in turns.zip([&other.turns].into_iter().chain(&other.profile)) {
            count.issued += more.issued;
            count.divided += more.divided;
        }
    }

    /// Mean number of turns of a lane.
    pub fn mean(&self) -> f64 {
        self.useful as f64 / (self.groups * self.lanes as u64) as f64
    }

    /// Mean NMDM of the groups, between 0 and 1.
    pub fn nmdm(&self) -> f64 {
        self.nmdm as f64 * 2f64.powi(-40) / self.groups as f64
    }

    /// Issued over useful turns, 1 or more: how much longer the lanes take together than one by
    /// one.
    pub fn issued_over_useful(&self) -> f64 {
        (self.issued * self.lanes as u64) as f64 / self.useful as f64
    }

    /// Share of the groups' turns in which the running lanes disagree on the main condition.
    pub fn divided(&self) -> f64 {
        self.turns.divided as f64 / self.turns.issued as f64
    }
}

/// The same, as JSON has it.
#[derive(Serialize)]
struct Group {
    lanes: usize,
    groups: u64,
    fewest_turns: u64,
    mean_turns: f64,
    most_turns: u64,
    /// mean of 1 − mean/max over groups, in percent
    nmdm_percent: f64,
    useful_lane_turns: u64,
    issued_lane_turns: u64,
    issued_over_useful: f64,
    /// share of the groups' turns in which lanes disagree on the main condition
    divided_turns_percent: f64,
    /// groups by NMDM, bins of 1 %
    nmdm_histogram: Vec<u64>,
    /// for each of the first turns, the percentage of the groups that get there whose lanes
    /// disagree
    divided_percent_by_turn: Vec<f64>,
}

impl From<Statistics> for Group {
    fn from(counts: Statistics) -> Self {
        let reached = counts.profile.iter().take_while(|turn| turn.issued > 0);
        Self {
            lanes: counts.lanes,
            groups: counts.groups,
            fewest_turns: counts.fewest,
            mean_turns: counts.mean(),
            most_turns: counts.most,
            nmdm_percent: 100.0 * counts.nmdm(),
            useful_lane_turns: counts.useful,
            issued_lane_turns: counts.issued * counts.lanes as u64,
            issued_over_useful: counts.issued_over_useful(),
            divided_turns_percent: 100.0 * counts.divided(),
            nmdm_histogram: counts.histogram.to_vec(),
            divided_percent_by_turn: reached
                .map(|turn| 100.0 * turn.divided as f64 / turn.issued as f64)
                .collect(),
        }
    }
}
