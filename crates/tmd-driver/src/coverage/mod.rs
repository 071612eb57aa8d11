//! [`Coverage`]: what is known of each argument, and from which other argument it follows; how
//! many arguments were asked for, are covered, and are not.
//!
//! An argument is covered if all its roundings are known, or it has no value: because it was
//! searched, by an inequality, or because that is so of the argument that it follows from by a
//! symmetry. There is one map from arguments to those that they follow from (`resolve`); plans,
//! certificates, their verification and all texts about them ask it.
//!
//! Chains are Definition M.5 of docs/proofs/domain.md.

mod read;
pub(crate) mod resolve;
pub(crate) mod settle;

use std::fmt;

use rug::Rational;
use tmd_core::{Format, Number};

pub(crate) use self::read::ranges_of;
pub use self::resolve::Step;
use self::resolve::{Map, Own};
use crate::{interval::argument, plan::duration};

/// Why nothing is known of an argument.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Left {
    /// A search would take longer than was allowed; or that of what it follows from.
    OutOfReach,
    /// The function cannot be enclosed; the reason.
    Refused(String),
    /// No precision tried decides it.
    Undecided,
    /// A unit of its region failed, or one of what it follows from.
    Failed,
    /// Its region was not searched to the end, or that which it follows from was not.
    Unfinished,
    /// It follows from nothing that a certificate speaks of, or no region holds it.
    Unfounded,
}

impl Left {
    /// The same reason in as many words as a count needs.
    pub fn briefly(&self) -> &'static str {
        match self {
            Self::OutOfReach => "out of reach",
            Self::Refused(_) => "refused",
            Self::Undecided => "undecided",
            Self::Failed => "in units that failed",
            Self::Unfinished => "not searched to the end",
            Self::Unfounded => "following from nothing",
        }
    }
}

impl fmt::Display for Left {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OutOfReach => f.write_str("a search would take too long"),
            Self::Refused(reason) => f.write_str(reason),
            Self::Undecided => f.write_str("no precision tried decides them"),
            Self::Failed => f.write_str("not searched to the end: a unit failed"),
            Self::Unfinished => f.write_str("not searched to the end"),
            Self::Unfounded => f.write_str("they follow from nothing"),
        }
    }
}

/// Neighboring arguments of which the same is known.
#[derive(Clone, Debug, PartialEq)]
pub struct Stretch {
    /// The least argument, as C's `%a`.
    pub first: String,
    /// The greatest.
    pub last: String,
    /// Numbers of the format from the one to the other.
    pub arguments: u128,
    /// What is known: how it was searched, or an inequality; or why nothing is.
    pub what: String,
    /// Why nothing is known; nothing where all roundings are.
    pub left: Option<Left>,
    /// Core-seconds that the searches would take that were not made; 0 of what would follow from
    /// them.
    pub core_seconds: f64,
}

impl Stretch {
    /// Whether all roundings are known, or there is nothing to round.
    pub fn is_covered(&self) -> bool {
        self.left.is_none()
    }
}

impl fmt::Display for Stretch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { first, last, what, core_seconds, .. } = self;
        if first == last {
            write!(f, "{first}: {what}")?;
        } else {
            write!(f, "{first} to {last}: {what}")?;
        }
        if *core_seconds > 0.0 { write!(f, ", {} of one core", duration(*core_seconds)) } else { Ok(()) }
    }
}

/// What is known of one argument.
#[derive(Clone, Debug, PartialEq)]
pub struct Knowledge {
    /// The steps that lead from it to an argument of which something is known by itself.
    pub chain: Vec<Step>,
    /// That argument; the argument itself if the chain is empty.
    pub source: Number,
    /// The number of the region that holds the source.
    pub region: usize,
    /// Why nothing is known; nothing if all roundings are.
    pub left: Option<Left>,
}

/// How many arguments were asked for, are covered, and are not covered.
#[derive(Clone, Debug)]
pub struct Coverage {
    format: Format,
    binades: Option<[i32; 2]>,
    asked: u128,
    map: Map,
    stretches: Vec<Stretch>,
    /// in increasing order, with why nothing is known
    parts: Vec<(Number, Number, Option<Left>)>,
}

impl Coverage {
    /// How many numbers were asked for: those of the format, 0 once, or those of the binades.
    pub fn asked(&self) -> u128 {
        self.asked
    }

    /// How many of them are covered.
    pub fn covered(&self) -> u128 {
        let covered = self.stretches.iter().filter(|stretch| stretch.is_covered());
        covered.map(|stretch| stretch.arguments).sum()
    }

    /// How many of them are not, by the reason. Numbers that no region holds are
    /// [`Left::Unfounded`].
    pub fn left(&self) -> Vec<(Left, u128)> {
        let mut counts: Vec<(Left, u128)> = Vec::new();
        let mut add = |left: &Left, arguments: u128| match counts.iter_mut().find(|(known, _)| known == left)
        {
            Some((_, count)) => *count += arguments,
            None => counts.push((left.clone(), arguments)),
        };
        for stretch in &self.stretches {
            if let Some(left) = &stretch.left {
                add(left, stretch.arguments);
            }
        }
        let seen: u128 = self.stretches.iter().map(|stretch| stretch.arguments).sum();
        if seen < self.asked {
            add(&Left::Unfounded, self.asked - seen);
        }
        counts.sort();
        counts
    }

    /// Whether every number that was asked for is covered.
    pub fn is_complete(&self) -> bool {
        self.covered() == self.asked
    }

    /// All arguments in increasing order, in as few stretches as there are different things to say.
    pub fn stretches(&self) -> &[Stretch] {
        &self.stretches
    }

    /// What is known of x, and by what chain; `None` if x was not asked for.
    pub fn known(&self, x: Number) -> Option<Knowledge> {
        argument(&crate::regions::value_of(x), self.format).ok()?;
        let index = self.parts.partition_point(|(_, last, _)| *last < x);
        let (_, _, left) = self.parts.get(index).filter(|(first, ..)| *first <= x)?;
        let region = self.map.entry(x)?;
        Some(match self.map.chain(x) {
            Some((chain, source)) => Knowledge {
                chain,
                source,
                region: self.map.entry(source).unwrap_or(region),
                left: left.clone(),
            },
            None => Knowledge { chain: Vec::new(), source: x, region, left: Some(Left::Unfounded) },
        })
    }

    /// What was asked, in a few words: `every number of binary16`, or `2^-54 <= |x| < 8`.
    pub fn question(&self) -> String {
        let power = |exponent: i32| match exponent {
            0..=10 => (1u32 << exponent).to_string(),
            -3..=-1 => format!("1/{}", 1u32 << -exponent),
            _ => format!("2^{exponent}"),
        };
        match self.binades {
            None => format!("every number of {}", self.format),
            Some([start, end]) if start == self.format.ulp_exponent(self.format.min_exponent()) => {
                format!("|x| < {}", power(end))
            }
            Some([start, end]) => format!("{} <= |x| < {}", power(start), power(end)),
        }
    }

    /// What is covered of what was asked, as a sentence without its stop:
    /// `complete for 2^-54 <= |x| < 8`; or how much is not, and why.
    pub fn sentence(&self) -> String {
        let question = self.question();
        if self.is_complete() {
            return format!("complete for {question}");
        }
        let reasons =
            self.left().into_iter().fold(Vec::<(&str, u128)>::new(), |mut reasons, (left, count)| {
                match reasons.iter_mut().find(|(text, _)| *text == left.briefly()) {
                    Some((_, sum)) => *sum += count,
                    None => reasons.push((left.briefly(), count)),
                }
                reasons
            });
        let reasons: Vec<String> =
            reasons.iter().map(|(reason, arguments)| format!("{} {reason}", count(*arguments))).collect();
        let of = format!("{} of {}", count(self.asked - self.covered()), count(self.asked));
        format!("NOT COMPLETE for {question}: {of} arguments are not covered ({})", reasons.join(", "))
    }
}

/// A count as a power of two, or exactly if it is small.
pub(crate) fn count(arguments: u128) -> String {
    if arguments < 10_000 { arguments.to_string() } else { format!("2^{:.1}", (arguments as f64).log2()) }
}

/// How many numbers of a format there are, or in some of its binades: 0 once, if nothing below them
/// is left out, and both signs.
pub(crate) fn asked(format: Format, binades: Option<[i32; 2]>) -> u128 {
    let precision = format.precision();
    // numbers 0 < x < 2^end
    let below = |end: i32| -> u128 {
        let ulp = format.ulp_exponent(format.min_exponent());
        if end <= format.min_exponent() {
            return u32::try_from(end - ulp).ok().map_or(0, |bits| (1u128 << bits) - 1);
        }
        let normal = u128::from(end.abs_diff(format.min_exponent()));
        (1u128 << (precision - 1)) - 1 + (normal << (precision - 1))
    };
    match binades {
        None => 2 * below(format.max_exponent() + 1) + 1,
        Some([start, end]) => {
            let is_whole = start <= format.ulp_exponent(format.min_exponent());
            2 * below(end).saturating_sub(below(start)) + u128::from(is_whole)
        }
    }
}

/// The end of an interval of real numbers that lies after `last` and before the next number of the
/// format.
pub(crate) fn just_after(last: Number, format: Format) -> Rational {
    let half = crate::interval::power_of_two(format.ulp_exponent(format.min_exponent()) - 1);
    crate::regions::value_of(last) + half
}

impl Own {
    /// Whether it points elsewhere.
    pub(crate) fn is_followed(&self) -> bool {
        matches!(self, Self::Mirrored(_) | Self::Translated(_))
    }
}
