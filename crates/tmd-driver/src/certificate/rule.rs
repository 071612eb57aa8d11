//! [`Rule`]: cases that follow from one of the list, as data.

use std::{collections::HashMap, fmt};

use rug::Rational;
use serde::{Deserialize, Serialize};
use tmd_core::Number;
use tmd_functions::{
    parse_number,
    symmetry::{Parity, Translation},
};

use super::{Certificate, record::parity_name};
use crate::{
    DriverError,
    regions::{
        negated, number_of,
        translate::{self, scaled},
    },
    report::Case,
    solve::Repeat,
};

/// Cases that follow from the one at `anchor`: one for each integer n from `first` to `last`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// The argument y of a case in the list.
    pub anchor: String,
    /// What n does to the argument and to the result.
    pub step: RuleStep,
    /// The least n.
    pub first: i64,
    /// The greatest.
    pub last: i64,
    /// `even` or `odd`, if the cases are at −x, of a function that is this; none if they are at x.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mirrored: Option<String>,
}

/// What an integer n does to an argument y and its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "kebab-case", deny_unknown_fields)]
pub enum RuleStep {
    /// `f(2^(argument·n)·y) = 2^(result·n)·f(y)`: breakpoints are multiplied as results are. Next
    /// to 0 it may be so but for an error that is far too small to be seen in a case.
    Factor {
        /// log2 of the argument's factor for n = 1
        argument: u32,
        /// log2 of the result's
        result: i32,
    },
    /// `f(2^(argument·n)·y) = f(y) + result·n`.
    Offset {
        /// log2 of the argument's factor for n = 1
        argument: u32,
        /// what is added to the result for n = 1
        result: u32,
    },
    /// `f(y + n) = 2^(result·n)·f(y)`, times (−1)^n if the function `alternates`.
    Addend {
        /// log2 of the result's factor for n = 1
        result: u32,
        /// whether the sign changes from n to n + 1
        alternates: bool,
    },
}

impl RuleStep {
    fn translation(self) -> Translation {
        match self {
            Self::Factor { argument, result } => {
                Translation::Power { log2_ratio: argument, log2_factor: result }
            }
            Self::Offset { argument, result } => Translation::Offset { log2_ratio: argument, addend: result },
            Self::Addend { result: 0, alternates } => Translation::Sign { period: 1, negates: alternates },
            Self::Addend { result, .. } => Translation::Scaling { period: 1, log2_factor: result },
        }
    }
}

impl From<&Repeat> for Rule {
    fn from(repeat: &Repeat) -> Self {
        let step = match repeat.translation {
            Translation::Power { log2_ratio, log2_factor } => {
                RuleStep::Factor { argument: log2_ratio, result: log2_factor }
            }
            // as nearly that breakpoints, sides and printed distances are the same
            Translation::Near { .. } => RuleStep::Factor { argument: 1, result: 1 },
            Translation::NearOffset { .. } => RuleStep::Offset { argument: 1, result: 1 },
            Translation::NearScaling { .. } => RuleStep::Addend { result: 1, alternates: false },
            Translation::Offset { log2_ratio, addend } => {
                RuleStep::Offset { argument: log2_ratio, result: addend }
            }
            Translation::Scaling { log2_factor, .. } => {
                RuleStep::Addend { result: log2_factor, alternates: false }
            }
            Translation::Sign { negates, .. } => RuleStep::Addend { result: 0, alternates: negates },
            // a kind of translation that no region is made of
            _ => RuleStep::Addend { result: 0, alternates: false },
        };
        Self {
            anchor: repeat.anchor.to_string(),
            step,
            first: repeat.row.first,
            last: repeat.row.last,
            mirrored: repeat.mirrored.map(|parity| parity_name(parity).into()),
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { anchor, step, first, last, mirrored } = self;
        let at = match step {
            RuleStep::Factor { argument: 1, .. } | RuleStep::Offset { argument: 1, .. } => {
                format!("2^n * {anchor}")
            }
            RuleStep::Factor { argument, .. } | RuleStep::Offset { argument, .. } => {
                format!("2^({argument} n) * {anchor}")
            }
            RuleStep::Addend { .. } => format!("{anchor} + n"),
        };
        let at = if mirrored.is_some() { format!("-({at})") } else { at };
        write!(f, "the case at {anchor} repeats at {at} for n = {first} to {last}: {} cases", self.count())
    }
}

/// The case of a rule's anchor, with its numbers.
pub(super) struct Anchor {
    case: Case,
    pub(super) x: Number,
    breakpoint: Number,
    bracket: [Number; 2],
}

impl Anchor {
    pub(super) fn new(case: &Case) -> Result<Self, DriverError> {
        let [lower, upper] = &case.bracket;
        Ok(Self {
            case: case.clone(),
            x: number(&case.x)?,
            breakpoint: number(&case.breakpoint)?,
            bracket: [number(lower)?, number(upper)?],
        })
    }

    /// The case of x, with results turned by `moved`, and by the sign if `is_negated`.
    fn turned(&self, x: Number, is_negated: bool, moved: impl Fn(Number) -> Option<Number>) -> Option<Case> {
        let turned = |y: Number| Some(moved(y)?).map(|y| if is_negated { negated(y) } else { y });
        let [lower, upper] = self.bracket;
        let [lower, upper] = if is_negated { [upper, lower] } else { [lower, upper] };
        let Case { kind, sign, log2_dist, identical_bits, .. } = &self.case;
        Some(Case {
            x: x.to_string(),
            kind: kind.clone(),
            sign: match (is_negated, sign) {
                (true, '+') => '-',
                (true, '-') => '+',
                _ => *sign,
            },
            log2_dist: *log2_dist,
            identical_bits: *identical_bits,
            breakpoint: turned(self.breakpoint)?.to_string(),
            bracket: [turned(lower)?.to_string(), turned(upper)?.to_string()],
        })
    }
}

impl Rule {
    /// How many cases it stands for.
    pub fn count(&self) -> u64 {
        if self.first <= self.last { self.first.abs_diff(self.last).saturating_add(1) } else { 0 }
    }

    /// The argument of the case of n, given that of the anchor.
    pub(super) fn at(&self, anchor: Number, n: i64) -> Option<Number> {
        let x = translate::image(self.step.translation(), anchor, n)?;
        Some(if self.mirrored.is_some() { negated(x) } else { x })
    }

    /// How many of its cases have arguments from `first` to `last`.
    ///
    /// # Errors
    /// [`DriverError::Unreadable`] if the anchor is no number, or arguments are none that there
    /// are.
    pub fn count_between(&self, first: Number, last: Number) -> Result<u64, DriverError> {
        let anchor = number(&self.anchor)?;
        // for n in increasing order arguments increase, or decrease
        let at =
            |n: i64| self.at(anchor, n).ok_or_else(|| unreadable(&self.anchor, "its images are no numbers"));
        if self.count() == 0 {
            return Ok(0);
        }
        let is_increasing = at(self.first)? <= at(self.last)?;
        // the first n at which `is_past` holds, as it does from there on
        let search = |is_past: &dyn Fn(Number) -> bool| -> Result<i128, DriverError> {
            let (mut low, mut high) = (i128::from(self.first), i128::from(self.last) + 1);
            while low < high {
                let middle = low + (high - low).div_euclid(2);
                // between first and last
                if is_past(at(middle as i64)?) { high = middle } else { low = middle + 1 }
            }
            Ok(low)
        };
        let (from, to) = if is_increasing {
            (search(&|x| x >= first)?, search(&|x| x > last)?)
        } else {
            (search(&|x| x <= last)?, search(&|x| x < first)?)
        };
        Ok(u64::try_from(to - from).unwrap_or(0))
    }

    /// How many of its cases are in each binade: whether they are negative, the exponent, and their
    /// number.
    pub(super) fn by_binades(&self) -> Result<Vec<(bool, i32, u64)>, DriverError> {
        let anchor = number(&self.anchor)?;
        let no_number = || unreadable(&self.anchor, "it has images that are no numbers");
        if translate::is_by_binades(self.step.translation()) {
            let one = |n: i64| {
                let x = self.at(anchor, n)?;
                Some((x < Number::ZERO, x.log2_floor()?, 1))
            };
            return (self.first..=self.last).map(|n| one(n).ok_or_else(no_number)).collect();
        }
        let mut counts = Vec::new();
        let ends = [self.first, self.last].map(|n| self.at(anchor, n));
        let [Some(a), Some(b)] = ends else { return Err(no_number()) };
        let most = [a, b].into_iter().filter_map(Number::log2_floor).max().unwrap_or(0);
        for exponent in -1..=most {
            let first = Number::new(1, exponent);
            // all numbers below the next power of two
            let last = Number::new((1 << 64) - 1, exponent - 63);
            for (is_negative, first, last) in [(false, first, last), (true, negated(last), negated(first))] {
                let count = self.count_between(first, last)?;
                if count > 0 {
                    counts.push((is_negative, exponent, count));
                }
            }
        }
        Ok(counts)
    }

    /// The case of n.
    pub(super) fn case(&self, anchor: &Anchor, n: i64) -> Option<Case> {
        let x = self.at(anchor.x, n)?;
        let moved = |y: Number| -> Option<Number> {
            match self.step {
                RuleStep::Factor { result, .. } => scaled(y, i64::from(result).checked_mul(n)?),
                RuleStep::Offset { result, .. } => sum(y, i64::from(result).checked_mul(n)?),
                RuleStep::Addend { result, .. } => scaled(y, i64::from(result).checked_mul(n)?),
            }
        };
        let alternates = matches!(self.step, RuleStep::Addend { alternates: true, .. }) && n % 2 != 0;
        let is_negated = alternates != (self.mirrored.as_deref() == Some(parity_name(Parity::Odd)));
        anchor.turned(x, is_negated, moved)
    }
}

/// `y + n`, if that has not too many bits.
fn sum(y: Number, n: i64) -> Option<Number> {
    let exponent = y.exponent().min(0);
    let bits = |x: i128, shift: i32| {
        (x == 0 || i64::from(x.unsigned_abs().leading_zeros()) > i64::from(shift) + 2).then(|| x << shift)
    };
    let (own, added) = (bits(y.significand(), y.exponent() - exponent)?, bits(n.into(), -exponent)?);
    Some(Number::new(own + added, exponent))
}

pub(super) fn unreadable(text: &str, reason: &str) -> DriverError {
    DriverError::Unreadable { what: "the certificate", reason: format!("{text}: {reason}") }
}

/// A binary fraction from its text, of whatever format.
pub(super) fn number(text: &str) -> Result<Number, DriverError> {
    let value: Rational = parse_number(text).map_err(|error| unreadable(text, &error.to_string()))?;
    let zeros = value.numer().find_one(0).unwrap_or(0);
    let is_short = value.denom().is_power_of_two() && value.numer().significant_bits() - zeros <= 66;
    let number = is_short.then(|| number_of(&value));
    number.ok_or_else(|| unreadable(text, "it is no number of a format"))
}

impl Certificate {
    /// How many cases there are, those that rules stand for included.
    pub fn case_count(&self) -> u128 {
        self.cases.len() as u128 + self.rules.iter().map(|rule| u128::from(rule.count())).sum::<u128>()
    }
}

/// The cases of the least and of the greatest n of each rule.
pub(super) fn ends_of_rules(certificate: &Certificate) -> Result<Vec<Case>, DriverError> {
    let by_argument: HashMap<&str, &Case> =
        certificate.cases.iter().map(|case| (case.x.as_str(), case)).collect();
    let mut ends = Vec::with_capacity(2 * certificate.rules.len());
    for rule in &certificate.rules {
        let case = by_argument.get(rule.anchor.as_str());
        let case =
            case.ok_or_else(|| unreadable(&rule.anchor, "a rule is about a case that is not listed"))?;
        let anchor = Anchor::new(case)?;
        for n in [rule.first, rule.last] {
            let case = rule.case(&anchor, n);
            ends.push(case.ok_or_else(|| unreadable(&rule.anchor, "it has images that are no numbers"))?);
        }
    }
    Ok(ends)
}
