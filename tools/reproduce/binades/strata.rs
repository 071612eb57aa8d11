//! [`Binade`]: what the papers time, in strata; [`Stretch`]: the arguments that stand for a
//! stratum.
//!
//! A stratum is cut into K equal parts, and the middle of each is searched. Lengths are constants,
//! from the engines' cost model and not from a clock, so that every machine searches the same
//! arguments.

use tmd_core::ArgumentRange;

/// Engines, and columns of lengths: the Farey walk, the regular test, Lefèvre's test, all in lanes.
pub(super) const ENGINES: usize = 3;

/// So many times as many stretches with `--full`.
const MORE: u64 = 8;

/// An interval of the papers.
pub(super) struct Binade {
    pub(super) function: &'static str,
    /// The interval, as the tables print it.
    pub(super) interval: String,
    /// Of a binade of exp.
    pub(super) exponent: Option<i32>,
    pub(super) strata: Vec<Stratum>,
}

/// A part of a binade whose arguments cost about the same.
pub(super) struct Stratum {
    /// Its ends, as expressions; arguments between them are evenly spaced.
    pub(super) from: String,
    pub(super) to: String,
    /// Stretches in it, with `--quick`.
    stretches: u64,
    /// log2 of the arguments in a stretch, by engine.
    log2_lengths: [u32; ENGINES],
}

/// Consecutive arguments of a stratum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stretch {
    /// The number of the first one.
    pub(super) first: u64,
    /// How many.
    pub(super) count: u64,
}

impl Stretch {
    /// One after the last.
    pub(super) const fn end(self) -> u64 {
        self.first + self.count
    }
}

impl Stratum {
    /// The stretches that an engine searches, of a stratum with so many arguments. A slower
    /// engine's stretches lie in a faster one's.
    pub(super) fn stretches(&self, arguments: &ArgumentRange, engine: usize, full: bool) -> Vec<Stretch> {
        let parts = self.stretches * if full { MORE } else { 1 };
        middles(arguments.count(), parts, 1 << self.log2_lengths[engine])
    }
}

/// The middle of each of `parts` equal parts of `arguments`, of `length` each, or all of it where
/// there are fewer.
fn middles(arguments: u64, parts: u64, length: u64) -> Vec<Stretch> {
    let part = (arguments / parts).max(1);
    let count = length.min(part);
    (0..parts.min(arguments)).map(|i| Stretch { first: i * part + (part - count) / 2, count }).collect()
}

/// Lengths for exp, by the binade's exponent from −1 on.
const EXP: [u32; 9] = [43, 43, 42, 42, 41, 40, 39, 38, 37];

/// Lengths for all engines, from the walk's: others are slower by as much everywhere.
const fn lengths(of_the_walk: u32) -> [u32; ENGINES] {
    [of_the_walk, of_the_walk - 3, of_the_walk - 4]
}

/// Strata of log on [1, 2): [1 + 2^-(j+1), 1 + 2^-j) for j below this, and the rest. Results shrink
/// with x − 1, and so do their ulps: in ulps log bends more and more, and an argument costs about
/// 2^(j/3) times what it does near 2.
const LOG_STRATA: u32 = 16;

/// Everything that is timed.
pub(super) fn binades() -> Vec<Binade> {
    let binade =
        |function, interval: String, exponent, strata| Binade { function, interval, exponent, strata };
    let whole = |exponent: i32, length| {
        vec![stratum(format!("2^{exponent}"), format!("2^{}", exponent + 1), 8, lengths(length))]
    };
    let half = || "[1/2, 1)".to_owned();
    let exp = (-1..).zip(EXP).map(|(exponent, length)| {
        let interval = if exponent < 0 { half() } else { format!("[{}, {})", 1 << exponent, 2 << exponent) };
        binade("exp", interval, Some(exponent), whole(exponent, length))
    });
    let others = [binade("sin", half(), None, whole(-1, 43)), binade("log", "[1, 3.17)".into(), None, log())];
    exp.chain(others).collect()
}

fn stratum(from: String, to: String, stretches: u64, log2_lengths: [u32; ENGINES]) -> Stratum {
    Stratum { from, to, stretches, log2_lengths }
}

fn log() -> Vec<Stratum> {
    let mut strata = vec![stratum("2".into(), "3.17".into(), 4, lengths(42))];
    for j in 0..LOG_STRATA {
        let (from, to) = (format!("1+2^-{}", j + 1), format!("1+2^-{j}"));
        // half as many arguments, each a little more expensive
        strata.push(stratum(from, to, if j < 4 { 2 } else { 1 }, lengths(42 - j / 2)));
    }
    strata.push(stratum("1".into(), format!("1+2^-{LOG_STRATA}"), 2, lengths(34)));
    strata
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reproduce::binades::measure::{Task, engines};
    use proptest::prelude::*;
    use tmd_core::Backend;

    proptest! {
        /// As many as asked for, each in the middle of its part, shorter ones inside longer ones.
        #[test]
        fn stretches_are_spread_evenly(arguments in 1u64..1 << 54, parts in 1u64..100, log2 in 0u32..44) {
            let stretches = middles(arguments, parts, 1 << log2);
            prop_assert_eq!(stretches.len() as u64, parts.min(arguments));
            let part = (arguments / parts).max(1);
            for (i, stretch) in (0..).zip(&stretches) {
                let (before, after) = (stretch.first - i * part, (i + 1) * part - stretch.end());
                prop_assert!(stretch.count >= 1 && before.abs_diff(after) <= 1, "{stretch:?}");
            }
            prop_assert!(stretches.iter().all(|stretch| stretch.end() <= arguments));
            if log2 > 0 {
                for (long, short) in stretches.iter().zip(middles(arguments, parts, 1 << (log2 - 1))) {
                    prop_assert!(long.first <= short.first && short.end() <= long.end());
                }
            }
        }
    }

    /// The strata of a binade are next to each other and hold the papers' arguments: 2^53 a binade.
    #[test]
    fn strata_tile_the_intervals() {
        for binade in binades() {
            let ranges = Task::new(&binade).unwrap().ranges;
            let arguments: u64 = ranges.iter().map(ArgumentRange::count).sum();
            let expected = if binade.function == "log" {
                (1 << 53) + ((3.17 - 2.0) * 2f64.powi(52)) as u64
            } else {
                1 << 53
            };
            assert!(
                arguments.abs_diff(expected) <= 1024,
                "{} on {}: {arguments}",
                binade.function,
                binade.interval
            );
            let mut ends: Vec<(f64, f64)> = ranges
                .iter()
                .map(|range| (range.argument(0).to_f64(), range.argument(range.count()).to_f64()))
                .collect();
            ends.sort_by(|a, b| a.0.total_cmp(&b.0));
            assert!(ends.windows(2).all(|pair| pair[0].1 == pair[1].0), "{ends:?}");
        }
    }

    /// The lengths suit the engines' cost model, in eight lanes or in four: nothing is over before
    /// it can be timed, nothing takes long, and all of it is quick.
    #[test]
    fn lengths_suit_the_cost_model() {
        let mut all = 0.0;
        for binade in binades() {
            let task = Task::new(&binade).unwrap();
            for (i, engine) in engines().iter().enumerate() {
                let mut planned = 0.0;
                for (stratum, range) in binade.strata.iter().zip(&task.ranges) {
                    let stretches = stratum.stretches(range, i, false);
                    let stretch = stretches[stretches.len() / 2];
                    let piece = task.piece_at(range, stretch.first + stretch.count / 2).unwrap();
                    let seconds = engine.plan(&piece).unwrap().seconds / piece.arguments() as f64;
                    planned += seconds * (stretch.count * stretches.len() as u64) as f64;
                }
                let name =
                    format!("{} on {}: {planned} s by {}", binade.function, binade.interval, engine.name());
                assert!((0.2..4.0).contains(&planned), "{name}");
                all += planned;
            }
        }
        assert!((10.0..60.0).contains(&all), "{all} s");
    }
}
