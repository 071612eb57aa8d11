//! Ratios of two interleaved series of times: median and quartiles.

use serde::{Deserialize, Serialize};

/// One round: the baseline and then the subject, each for its own piece of work.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Round {
    /// Seconds of the baseline's work.
    pub baseline_s: f64,
    /// Seconds of the subject's work.
    pub subject_s: f64,
}

/// A median and the quartiles around it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// A quarter of the values is below.
    pub low: f64,
    /// Half of them.
    pub median: f64,
    /// Three quarters.
    pub high: f64,
}

impl Spread {
    /// Of these values, which are interpolated between neighbors; `None` of none.
    pub fn of(values: impl IntoIterator<Item = f64>) -> Option<Self> {
        let mut values: Vec<f64> = values.into_iter().collect();
        values.sort_by(f64::total_cmp);
        let last = values.len().checked_sub(1)?;
        let at = |share: f64| {
            let place = share * last as f64;
            let below = place.floor() as usize;
            let above = (below + 1).min(last);
            values[below] + (place - place.floor()) * (values[above] - values[below])
        };
        Some(Self { low: at(0.25), median: at(0.5), high: at(0.75) })
    }

    /// Of the ratios of rounds: how many times as long as the baseline the subject takes, each per
    /// unit of its work, of which the baseline does `baseline_units` and the subject
    /// `subject_units` in a round.
    pub fn of_rounds(rounds: &[Round], baseline_units: f64, subject_units: f64) -> Option<Self> {
        let ratio = |round: &Round| (round.subject_s / subject_units) / (round.baseline_s / baseline_units);
        Self::of(rounds.iter().map(ratio))
    }

    /// Whether this is slower than an earlier ratio by more than a factor, and beyond both spreads:
    /// its lower quartile above the other one's upper quartile.
    pub fn is_slower(&self, earlier: &Self, factor: f64) -> bool {
        self.median > factor * earlier.median && self.low > earlier.high
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn quartiles() {
        let spread = Spread::of([5.0, 1.0, 4.0, 2.0, 3.0]).unwrap();
        assert_eq!(spread, Spread { low: 2.0, median: 3.0, high: 4.0 });
        let spread = Spread::of([4.0, 1.0, 3.0, 2.0]).unwrap();
        assert_eq!(spread, Spread { low: 1.75, median: 2.5, high: 3.25 });
        assert_eq!(Spread::of([7.0]).unwrap(), Spread { low: 7.0, median: 7.0, high: 7.0 });
        assert_eq!(Spread::of([]), None);
    }

    /// A machine that slows down by half in the middle of a run changes no ratio.
    #[test]
    fn ratios_are_of_one_round_each() {
        let rounds = [1.0, 1.0, 2.0, 2.0, 2.0]
            .map(|slowness| Round { baseline_s: 0.5 * slowness, subject_s: 0.25 * slowness });
        let ratio = Spread::of_rounds(&rounds, 100.0, 1000.0).unwrap();
        // half the time for ten times the work
        assert_eq!(ratio, Spread { low: 0.05, median: 0.05, high: 0.05 });
    }

    #[test]
    fn slower_by_a_factor_and_beyond_both_spreads() {
        let earlier = Spread { low: 0.9, median: 1.0, high: 1.1 };
        let is_slower =
            |low, median, factor| Spread { low, median, high: 2.0 * median }.is_slower(&earlier, factor);
        assert!(is_slower(1.15, 1.3, 1.2));
        assert!(!is_slower(1.15, 1.3, 1.4), "within the factor");
        assert!(!is_slower(1.05, 1.3, 1.2), "within the earlier spread");
        assert!(!is_slower(0.5, 0.6, 1.2), "faster");
    }

    proptest! {
        #[test]
        fn spreads_are_in_order(values in prop::collection::vec(1e-6f64..1e6, 1..40)) {
            let spread = Spread::of(values.clone()).unwrap();
            prop_assert!(spread.low <= spread.median && spread.median <= spread.high);
            let at_most = |limit: f64| values.iter().filter(|value| **value <= limit * (1.0 + 1e-12)).count();
            // interpolated: the value below each place is at most the quartile
            prop_assert!(at_most(spread.high) > 3 * (values.len() - 1) / 4);
            prop_assert!(at_most(spread.median) > (values.len() - 1) / 2);
            // nothing is slower than itself
            prop_assert!(!spread.is_slower(&spread, 1.0));
        }
    }
}
