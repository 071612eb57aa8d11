//! [`Tally`]: counts and examples of one rounding mode; tallies of several threads add up.

use std::collections::BTreeMap;

use crate::{Class, Death, Encoding, Flags, Mode, Outcome, arguments::Origin, report::Example};

/// Examples by the number of their argument: the first few are kept, whichever thread finds them.
#[derive(Clone, Debug)]
pub(crate) struct Examples {
    most: usize,
    pub(crate) count: u64,
    pub(crate) first: BTreeMap<u64, Example>,
}

impl Examples {
    pub(crate) fn new(most: usize) -> Self {
        Self { most, count: 0, first: BTreeMap::new() }
    }

    pub(crate) fn add(&mut self, index: u64, example: impl FnOnce() -> Example) {
        self.count += 1;
        let is_late = self.first.last_key_value().is_some_and(|(last, _)| *last < index);
        if self.first.len() < self.most || !is_late {
            self.first.insert(index, example());
            self.trim();
        }
    }

    fn trim(&mut self) {
        while self.first.len() > self.most {
            self.first.pop_last();
        }
    }

    fn merge(&mut self, other: Self) {
        self.count += other.count;
        self.first.extend(other.first);
        self.trim();
    }
}

/// What is counted in a binade.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) calls: u64,
    pub(crate) wrong: u64,
    pub(crate) wrong_flags: u64,
}

/// The largest error so far.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Largest {
    /// bounds of the largest error of all arguments: one of them has at least the first, none has
    /// more than the second
    pub(crate) ulps: [f64; 2],
    /// the argument with the second, the first one of several; and its result
    pub(crate) index: u64,
    pub(crate) argument: u128,
    pub(crate) result: u128,
}

/// One mode.
#[derive(Clone, Debug)]
pub(crate) struct Tally {
    mode: Mode,
    encoding: Encoding,
    pub(crate) calls: u64,
    pub(crate) not_made: u64,
    pub(crate) undecided: u64,
    pub(crate) wrong_by_origin: [u64; 4],
    /// wrong results that are infinite or NaN, or should be
    pub(crate) wrong_kind: u64,
    /// by [`binade_index`](Self::binade_index)
    pub(crate) binades: Vec<Counts>,
    pub(crate) largest: Option<Largest>,
    pub(crate) wrong: Examples,
    /// for each flag
    pub(crate) missing: Vec<Examples>,
    pub(crate) spurious: Vec<Examples>,
    pub(crate) changed: Examples,
    pub(crate) died: Examples,
}

/// An argument of a test, and the call of it that was answered.
pub(crate) struct Made {
    pub(crate) index: u64,
    pub(crate) argument: u128,
    pub(crate) origin: Origin,
    pub(crate) result: u128,
    pub(crate) flags: Flags,
    /// what was changed and left so, in words
    pub(crate) change: Option<String>,
}

impl Tally {
    pub(crate) fn new(mode: Mode, encoding: Encoding, examples: usize) -> Self {
        let format = encoding.format();
        let least = format.ulp_exponent(format.min_exponent());
        let binades = 2 * (format.max_exponent() - least + 1) as usize + 1;
        let none = || Examples::new(examples);
        Self {
            mode,
            encoding,
            calls: 0,
            not_made: 0,
            undecided: 0,
            wrong_by_origin: [0; 4],
            wrong_kind: 0,
            binades: vec![Counts::default(); binades],
            largest: None,
            wrong: none(),
            missing: Flags::ALL.iter().map(|_| none()).collect(),
            spurious: Flags::ALL.iter().map(|_| none()).collect(),
            changed: none(),
            died: none(),
        }
    }

    pub(crate) fn mode(&self) -> Mode {
        self.mode
    }

    /// The place of an argument in `binades`: first all that is in none (zeros, infinities, NaN),
    /// then by exponent, positive before negative.
    fn binade_index(&self, argument: u128) -> usize {
        let format = self.encoding.format();
        let place = self.encoding.ordinal(argument).and_then(|(sign, ordinal)| {
            let above = self.encoding.binade(ordinal)? - format.ulp_exponent(format.min_exponent());
            Some(1 + 2 * above as usize + usize::from(sign == tmd_functions::special::Sign::Negative))
        });
        place.unwrap_or(0)
    }

    /// The binade of a place, with whether it is of negative numbers; none of the first place.
    pub(crate) fn binade(&self, index: usize) -> Option<(bool, i32)> {
        let format = self.encoding.format();
        let index = index.checked_sub(1)?;
        Some((index % 2 != 0, (index / 2) as i32 + format.ulp_exponent(format.min_exponent())))
    }

    /// An answered call.
    pub(crate) fn add(&mut self, made: &Made, outcome: Option<&Outcome>, compared: Flags) {
        self.calls += 1;
        let place = self.binade_index(made.argument);
        self.binades[place].calls += 1;
        let example = |text: String| Example::new(self.encoding, made.argument, text);
        if let Some(change) = &made.change {
            self.changed.add(made.index, || example(change.clone()));
        }
        let Some(outcome) = outcome else {
            self.undecided += 1;
            return;
        };
        let expected = outcome.expected(self.mode);
        let error = outcome.error(self.mode, made.result);
        if let Some(ulps) = error {
            let largest = Largest { ulps, index: made.index, argument: made.argument, result: made.result };
            self.largest = Some(self.largest.map_or(largest, |so_far| so_far.or(largest)));
        }
        if !outcome.is_right(self.mode, made.result) {
            self.binades[place].wrong += 1;
            self.wrong_by_origin[made.origin as usize] += 1;
            self.wrong_kind += u64::from(error.is_none());
            self.wrong.add(made.index, || Example {
                result: Some(self.encoding.decode(made.result).to_string()),
                expected: Some(self.encoding.decode(expected.bits).to_string()),
                ulps: error,
                ..example(String::new())
            });
        }
        let missing = Flags::from_bits(expected.raised.without(made.flags).bits() & compared.bits());
        let spurious = made.flags.without(expected.raised | expected.optional);
        let spurious = Flags::from_bits(spurious.bits() & compared.bits());
        if missing != Flags::NONE || spurious != Flags::NONE {
            self.binades[place].wrong_flags += 1;
            let raised = || example(format!("raised {}, expected {}", made.flags, expected.raised));
            for (i, (flag, _)) in Flags::ALL.iter().enumerate() {
                if missing.contains(*flag) {
                    self.missing[i].add(made.index, raised);
                }
                if spurious.contains(*flag) {
                    self.spurious[i].add(made.index, raised);
                }
            }
        }
    }

    /// A call that ended the process.
    pub(crate) fn add_death(&mut self, index: u64, argument: u128, death: Death) {
        self.calls += 1;
        let place = self.binade_index(argument);
        self.binades[place].calls += 1;
        self.died.add(index, || Example::new(self.encoding, argument, death.to_string()));
    }

    pub(crate) fn merge(&mut self, other: Self) {
        self.calls += other.calls;
        self.not_made += other.not_made;
        self.undecided += other.undecided;
        self.wrong_kind += other.wrong_kind;
        for (count, more) in self.wrong_by_origin.iter_mut().zip(other.wrong_by_origin) {
            *count += more;
        }
        for (counts, more) in self.binades.iter_mut().zip(other.binades) {
            counts.calls += more.calls;
            counts.wrong += more.wrong;
            counts.wrong_flags += more.wrong_flags;
        }
        self.largest = match (self.largest, other.largest) {
            (Some(a), Some(b)) => Some(a.or(b)),
            (a, b) => a.or(b),
        };
        self.wrong.merge(other.wrong);
        self.changed.merge(other.changed);
        self.died.merge(other.died);
        let flags = self.missing.iter_mut().chain(&mut self.spurious);
        flags.zip(other.missing.into_iter().chain(other.spurious)).for_each(|(all, more)| all.merge(more));
    }

    /// What an argument or a result is.
    pub(crate) fn class(&self, bits: u128) -> Class {
        self.encoding.decode(bits)
    }
}

impl Largest {
    /// The larger one of two, each of which was the largest of some arguments.
    fn or(self, other: Self) -> Self {
        let is_other =
            other.ulps[1] > self.ulps[1] || other.ulps[1] == self.ulps[1] && other.index < self.index;
        let chosen = if is_other { other } else { self };
        Self { ulps: [self.ulps[0].max(other.ulps[0]), chosen.ulps[1]], ..chosen }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Reference;
    use tmd_core::Format;

    fn made(index: u64, x: f64, result: f64, flags: Flags) -> Made {
        let [argument, result] = [x, result].map(|x| u128::from(x.to_bits()));
        Made { index, argument, origin: Origin::Special, result, flags, change: None }
    }

    /// Whatever the order and the division among threads, the same is told.
    #[test]
    fn tallies_add_up() {
        let reference = Reference::new(&tmd_functions::parse("exp").unwrap(), Format::BINARY64).unwrap();
        let xs: Vec<f64> = (1..=30).map(|n| f64::from(n) / 7.0).collect();
        let tally = |order: &[usize]| {
            let mut tally = Tally::new(Mode::Up, reference.encoding(), 3);
            for &i in order {
                let outcome = reference.outcome(xs[i].to_bits().into()).unwrap();
                // rounded to nearest: wrong about every other time
                tally.add(&made(i as u64, xs[i], xs[i].exp(), Flags::NONE), outcome.as_ref(), Flags::INEXACT);
            }
            tally
        };
        let all: Vec<usize> = (0..30).collect();
        let whole = tally(&all);
        let reversed: Vec<usize> = all.iter().rev().copied().collect();
        let mut parts = tally(&reversed[..11]);
        parts.merge(tally(&reversed[11..]));
        let told = |tally: &Tally| {
            let largest = tally.largest.unwrap();
            (
                (tally.calls, tally.wrong.count, tally.missing[4].count, tally.binades.clone()),
                (tally.wrong.first.clone(), largest.index, largest.ulps),
            )
        };
        assert_eq!(told(&whole), told(&parts));
        assert!(whole.wrong.count > 5 && whole.wrong.count < 25 && whole.missing[4].count == 30);
        assert_eq!(whole.wrong.first.len(), 3);
        assert!(whole.largest.unwrap().ulps[1] <= 1.5);
        let calls: u64 = whole.binades.iter().map(|counts| counts.calls).sum();
        assert_eq!(calls, 30);
        let places: Vec<_> = (0..whole.binades.len())
            .filter(|i| whole.binades[*i].calls > 0)
            .map(|i| whole.binade(i))
            .collect();
        assert_eq!(places, [-3, -2, -1, 0, 1, 2].map(|e| Some((false, e))));
    }

    #[test]
    fn wrong_kinds_and_flags() {
        let reference = Reference::new(&tmd_functions::parse("log").unwrap(), Format::BINARY64).unwrap();
        let mut tally = Tally::new(Mode::Nearest, reference.encoding(), 2);
        let compared = Flags::from_bits(0x1f);
        for (i, (x, result, flags)) in (0..).zip([
            (0.0, f64::NEG_INFINITY, Flags::DIVIDE_BY_ZERO),
            (1.0, 0.0, Flags::NONE),
            (-1.0, f64::NAN, Flags::INVALID),
            (-1.0, 0.0, Flags::INVALID),
            (0.0, f64::NEG_INFINITY, Flags::INEXACT),
            (1.0, -0.0, Flags::NONE),
        ]) {
            let outcome = reference.outcome(u128::from(f64::to_bits(x))).unwrap();
            tally.add(&made(i, x, result, flags), outcome.as_ref(), compared);
        }
        assert_eq!((tally.wrong.count, tally.wrong_kind), (2, 2));
        assert_eq!(tally.wrong.first[&3].expected.as_deref(), Some("nan"));
        assert_eq!((tally.missing[1].count, tally.spurious[4].count), (1, 1));
        assert_eq!(tally.spurious[4].first[&4].text, "raised inexact, expected divide-by-zero");
    }
}
