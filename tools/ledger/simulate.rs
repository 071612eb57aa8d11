//! Thousands of workers at one unit server, simulated: they and their units are made up, what the
//! unit server does is not, and takes the time it takes.

use std::{
    cmp::Reverse,
    collections::{BinaryHeap, VecDeque},
};

use rand::{Rng, SeedableRng, rngs::StdRng};
use tmd_ledger::UnitServer;

/// Workers, and how long a unit takes one of them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Crowd {
    pub(super) workers: usize,
    /// Mean of the seconds of a unit; they are spread evenly over half of it to one and a half.
    pub(super) unit_s: f64,
}

/// What became of a crowd's units.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Day {
    pub(super) units: usize,
    /// Seconds from the first unit's beginning to the last one's end.
    pub(super) elapsed_s: f64,
    /// Seconds that the unit server was busy.
    pub(super) busy_s: f64,
    /// Seconds of workers at their units, together …
    pub(super) worked_s: f64,
    /// … and between two units, waiting for the unit server, together …
    pub(super) waited_s: f64,
    /// … and the longest of these waits.
    pub(super) longest_s: f64,
}

impl Day {
    /// The share of its time that the unit server was busy.
    pub(super) fn load(&self) -> f64 {
        self.busy_s / self.elapsed_s
    }

    /// Mean seconds between the end of a unit and the next one.
    pub(super) fn wait_s(&self) -> f64 {
        self.waited_s / self.units as f64
    }

    /// The share of the workers' time that they did not work: waits, and idleness when no units are
    /// left.
    pub(super) fn lost(&self, crowd: Crowd) -> f64 {
        1.0 - self.worked_s / (self.elapsed_s * crowd.workers as f64)
    }
}

impl Crowd {
    /// Lets the crowd work until the unit server has no more units. `serve` takes in what is done
    /// and hands out so many units, or fewer if there are no more, and says how many seconds that
    /// took.
    pub(super) fn work<E>(
        self,
        mut serve: impl FnMut(&[usize], usize) -> Result<(Vec<usize>, f64), E>,
    ) -> Result<Day, E> {
        let mut random = StdRng::seed_from_u64(1);
        let (mut day, mut clock, mut is_dry) = (Day::default(), 0.0, false);
        // when each idle worker became idle, and the ends of units in work; moments are not
        // negative: their bits are in their order
        let mut idle: VecDeque<f64> = std::iter::repeat_n(0.0, self.workers).collect();
        let mut ends: BinaryHeap<Reverse<(u64, usize)>> = BinaryHeap::new();
        loop {
            let mut done = Vec::new();
            while done.len() < UnitServer::BATCH
                && let Some(Reverse((end, unit))) = ends.peek().copied()
                && f64::from_bits(end) <= clock
            {
                ends.pop();
                done.push(unit);
                idle.push_back(f64::from_bits(end));
            }
            if done.is_empty() && (is_dry || idle.is_empty()) {
                match ends.peek() {
                    Some(Reverse((end, _))) => clock = f64::from_bits(*end),
                    None => return Ok(day),
                }
                continue;
            }
            let wanted = if is_dry { 0 } else { idle.len() };
            let (units, seconds) = serve(&done, wanted)?;
            is_dry |= units.len() < wanted;
            clock += seconds;
            day.busy_s += seconds;
            day.units += done.len();
            day.elapsed_s = clock;
            for unit in units {
                let wait = idle.pop_front().map_or(0.0, |since| clock - since);
                day.waited_s += wait;
                day.longest_s = day.longest_s.max(wait);
                let worked = self.unit_s * random.random_range(0.5..1.5);
                day.worked_s += worked;
                ends.push(Reverse(((clock + worked).to_bits(), unit)));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;

    /// A unit server with so many units that takes so many seconds each time.
    fn day(crowd: Crowd, units: usize, seconds: f64) -> Day {
        let (mut next, mut kept) = (0, vec![0; units]);
        let day = crowd.work(|done, wanted| {
            for &unit in done {
                kept[unit] += 1;
            }
            let first = next;
            next = units.min(next + wanted);
            Ok::<_, Infallible>(((first..next).collect(), seconds))
        });
        assert!(kept.iter().all(|&times| times == 1), "each unit comes back once");
        day.unwrap()
    }

    #[test]
    fn one_worker_waits_for_the_unit_server_each_time() {
        let day = day(Crowd { workers: 1, unit_s: 10.0 }, 50, 0.5);
        assert_eq!(day.units, 50);
        // the unit server is asked 51 times: for the first unit, after each but the last, and with
        // the last
        assert!(
            (day.busy_s - 25.5).abs() < 1e-9 && (day.elapsed_s - day.worked_s - 25.5).abs() < 1e-9,
            "{day:?}"
        );
        assert!(
            (day.waited_s - 25.0).abs() < 1e-9 && (day.wait_s() - 0.5).abs() < 1e-9 && day.longest_s < 0.51
        );
        assert!((day.worked_s - 500.0).abs() < 100.0);
    }

    #[test]
    fn a_quick_unit_server_costs_nothing_and_a_slow_one_all() {
        let crowd = Crowd { workers: 100, unit_s: 10.0 };
        let quick = day(crowd, 10_000, 1e-6);
        assert!(quick.load() < 1e-3 && quick.lost(crowd) < 0.02 && quick.wait_s() < 1e-4, "{quick:?}");
        // what came in meanwhile is taken in together: 1 s each time for all that came within 1 s
        let busy = day(crowd, 10_000, 1.0);
        assert!(busy.load() > 0.9 && (1.0..2.1).contains(&busy.wait_s()), "{busy:?}");
        assert!((0.1..0.25).contains(&busy.lost(crowd)), "{busy:?}");
    }
}
