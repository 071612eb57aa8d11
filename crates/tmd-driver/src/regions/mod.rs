//! [`regions`]: all arguments of a format, cut where what a function asks of a search changes.
//!
//! Every number of the format is in exactly one [`Region`]. Over most of them all roundings are
//! known without a search, by an inequality that is proved with interval arithmetic; see [`Class`].
//! Thresholds are found by halving: it goes on only where one end of a range is known and the other
//! is not.

mod classify;
mod clear;
mod gap;
mod line;
mod piece;
pub(crate) mod translate;

#[cfg(test)]
mod tests;

use std::ops::Range;

use rug::Rational;
use tmd_core::{ArgumentRange, BreakpointKind, Format, Number, Problem};
use tmd_functions::{
    Function, FunctionError,
    symmetry::{Parity, Translation},
};

use self::classify::Classifier;
pub(crate) use self::gap::{number_of, value_of};
pub use self::{
    gap::Gap,
    line::{Beside, Line},
};
use crate::{
    DriverError,
    confirm::is_without_subnormals,
    interval::{argument_ranges, power_of_two},
};

/// Consecutive arguments about which the same is known.
#[derive(Clone, Debug, PartialEq)]
pub struct Region {
    /// Ranges of one spacing each, in increasing order: no number of the format lies between them.
    pub ranges: Vec<ArgumentRange>,
    /// What is known.
    pub class: Class,
}

/// What is known of the results over a region.
#[derive(Clone, Debug, PartialEq)]
pub enum Class {
    /// Nothing: it is to be searched.
    Search,
    /// All results are strictly between the same two neighboring breakpoints: larger than all
    /// numbers, smaller than half of the smallest, or next to a constant.
    Between(Gap),
    /// Each result is strictly between the value of a line, mostly a number, and the next
    /// breakpoint.
    Beside(Beside),
    /// A single argument whose result is a breakpoint.
    Exact {
        /// the result
        value: Rational,
        /// what it is
        kind: BreakpointKind,
    },
    /// The function has no real value.
    Undefined,
    /// The cases are those at `−x`, which is searched: the function is even or odd.
    Mirrored(Parity),
    /// What is known is known of other arguments, because the function repeats itself: the cases
    /// are those of regions that are searched, and other arguments' roundings follow from the same
    /// inequalities as there.
    Translated(Translation),
    /// The function cannot be enclosed; the reason.
    Refused(String),
}

impl Class {
    /// Whether its regions are kept apart, binade by binade: what each takes differs.
    fn is_of_one_binade(&self) -> bool {
        match self {
            // what repeats itself from binade to binade is said once of all
            Self::Translated(
                Translation::Offset { .. }
                | Translation::Power { .. }
                | Translation::Near { .. }
                | Translation::NearOffset { .. },
            ) => false,
            Self::Search | Self::Mirrored(_) | Self::Refused(_) | Self::Translated(_) => true,
            _ => false,
        }
    }

    fn refused(error: &FunctionError) -> Self {
        // with no mention of the arguments, so that neighbors compare equal
        Self::Refused(match error {
            FunctionError::AngleTooLarge { function, .. } => {
                format!("the arguments of {function} are too large to reduce modulo π/2")
            }
            FunctionError::Overflow { function, .. } => {
                format!("the results of {function} are too large to represent")
            }
            FunctionError::OutsideDomain { function, .. } => format!("{function} is not defined everywhere"),
            FunctionError::Pole { function, .. } => format!("{function} has a pole, or a derivative of it"),
            other => other.to_string(),
        })
    }

    /// What is known at `−x` of a function of this parity.
    fn mirrored(&self, parity: Parity) -> Self {
        match (self, parity) {
            (Self::Search | Self::Translated(_), _) => Self::Mirrored(parity),
            (Self::Beside(Beside { line, is_above }), Parity::Odd) => {
                // f(−x) = −f(x) = −ℓ(x) − c, and −ℓ(x) = ℓ(−x) but for a constant
                let line = match line {
                    Line::Constant(a) => Line::Constant(-a.clone()),
                    Line::Ratio(_) => line.clone(),
                };
                Self::Beside(Beside { line, is_above: !is_above })
            }
            (Self::Beside(Beside { line, is_above }), Parity::Even) => {
                let line = match line {
                    Line::Ratio(slope) => Line::Ratio(-slope.clone()),
                    Line::Constant(_) => line.clone(),
                };
                Self::Beside(Beside { line, is_above: *is_above })
            }
            (Self::Between(Gap { below, above }), Parity::Odd) => {
                Self::Between(Gap { below: above.map(negated), above: below.map(negated) })
            }
            (Self::Exact { value, kind }, Parity::Odd) => Self::Exact { value: -value.clone(), kind: *kind },
            (same, _) => same.clone(),
        }
    }
}

/// The number −x.
pub(crate) fn negated(x: Number) -> Number {
    Number::new(-x.significand(), x.exponent())
}

impl Region {
    /// Numbers in the region.
    pub fn arguments(&self) -> u128 {
        self.ranges.iter().map(|range| u128::from(range.count())).sum()
    }

    /// The least argument; a region has one.
    pub fn first(&self) -> Number {
        self.ranges.first().map_or(Number::ZERO, |range| range.argument(0))
    }

    /// The greatest argument.
    pub fn last(&self) -> Number {
        self.ranges.last().map_or(Number::ZERO, |range| range.argument(range.count() - 1))
    }
}

/// The regions of `function` over the numbers of `format`, in increasing order: over all of them,
/// or those with `2^start ≤ |x| < 2^end` for `binades` `start..end`; 0 belongs to those that begin
/// with the format's least number. A region that is to be searched, or that is refused, lies in one
/// binade.
///
/// # Errors
/// [`DriverError::Binades`] if no number has such an exponent.
pub fn regions(
    function: &dyn Function,
    format: Format,
    binades: Option<Range<i32>>,
) -> Result<Vec<Region>, DriverError> {
    let mut classifier = Classifier::new(function, format);
    let mut regions: Vec<Region> = Vec::new();
    let mut add = |part: ArgumentRange, class: Class| match regions.last_mut() {
        Some(region)
            if region.class == class && !class.is_of_one_binade() && !is_apart(region.last(), &part) =>
        {
            region.ranges.push(part);
        }
        _ => regions.push(Region { ranges: vec![part], class }),
    };
    // what is translated from must be there
    let translations = [function.translation(), function.near_zero(), function.at_large()];
    let translations: Vec<Translation> =
        translations.into_iter().flatten().filter(|_| binades.is_none()).collect();
    let (negative, positive) = ranges(format, binades)?;
    let mut parts = |range: ArgumentRange| {
        let mut parts = vec![(range, None)];
        for translation in &translations {
            let split = |(part, known): (ArgumentRange, Option<Translation>)| match known {
                Some(_) => vec![(part, known)],
                None => translate::split(*translation, format, &part)
                    .into_iter()
                    .map(|(part, is_translated)| (part, is_translated.then_some(*translation)))
                    .collect(),
            };
            parts = parts.into_iter().flat_map(split).collect();
        }
        let class = |(part, known): (ArgumentRange, Option<Translation>)| match known {
            Some(translation) => vec![(part, Class::Translated(translation))],
            None => classifier.parts(part),
        };
        parts.into_iter().flat_map(class).collect::<Vec<_>>()
    };
    let positive: Vec<(ArgumentRange, Class)> = positive.into_iter().flat_map(&mut parts).collect();
    if let Some(parity) = function.parity() {
        for (part, class) in positive.iter().rev() {
            // what is known of 0 may be known of others, too; it is not mirrored
            let zeros = u64::from(part.first() == 0);
            if part.count() > zeros {
                add(mirrored(&part.part(zeros, part.count() - zeros)), class.mirrored(parity));
            }
        }
    } else {
        for range in negative {
            for (part, class) in parts(range) {
                add(part, class);
            }
        }
    }
    for (part, class) in positive {
        add(part, class);
    }
    Ok(regions)
}

/// Whether numbers that are not asked for lie between a number and a range that comes next: those
/// around 0.
fn is_apart(before: Number, range: &ArgumentRange) -> bool {
    before < Number::ZERO && range.first() > 0
}

/// Arguments of a part from which on it may be left out of a search because all roundings are
/// known. Fewer are searched, so that the list of a short interval is what its definition says.
const FEWEST_KNOWN: u64 = 1 << 16;

/// Ranges of arguments in two: regions that need no search, as both neighboring breakpoints of
/// every result are known, and the rest, in as few ranges as that leaves. A region needs none if
/// results come so close to a breakpoint that nobody wants them listed, or if none of them is a
/// case of `problem`.
///
/// `is_near` is asked of an end of a part and of an argument far behind it: where a function runs
/// into a line, as e^x does into 1, both are cases; where it crosses a breakpoint, at most the end
/// is.
pub(crate) fn known_and_rest(
    function: &dyn Function,
    problem: &Problem,
    ranges: &[ArgumentRange],
    is_near: impl Fn(Number) -> bool,
) -> (Vec<Region>, Vec<ArgumentRange>) {
    let mut classifier = Classifier::new(function, problem.results());
    let mut parts = Parts::default();
    for range in ranges {
        parts.is_after_rest = false;
        for (part, class) in classifier.parts(*range) {
            // a result that is beyond all numbers has no hardness: the search says where
            let is_known = match &class {
                Class::Between(Gap { below: Some(below), above: Some(above) }) => {
                    // nor has one that is below all exponents
                    !is_without_subnormals(problem.results())
                        || (*below != Number::ZERO && *above != Number::ZERO)
                }
                Class::Beside(_) => true,
                _ => false,
            };
            let is_flat = || {
                let last = part.count() - 1;
                let behind = FEWEST_KNOWN / 2;
                let ends = [(0, behind), (last, last - behind)];
                ends.into_iter().any(|(end, far)| is_near(part.argument(end)) && is_near(part.argument(far)))
            };
            if !is_known || part.count() < FEWEST_KNOWN {
                parts.add_rest(part);
            } else if is_flat() {
                parts.add_known(part, class);
            } else {
                // what is left beside a few arguments is as quickly searched with them
                let clear = clear::clear_part(function, problem, &part, &class);
                match clear.filter(|clear| clear.count() >= part.count() / 2) {
                    None => parts.add_rest(part),
                    Some(clear) => {
                        let from = (clear.first() - part.first()) as u64; // below the count
                        parts.add_rest(part.part(0, from));
                        parts.add_known(clear, class);
                        parts.add_rest(part.part(from + clear.count(), part.count()));
                    }
                }
            }
        }
    }
    (parts.known, parts.rest)
}

/// What [`known_and_rest`] returns, as it comes into being: in increasing order.
#[derive(Default)]
struct Parts {
    known: Vec<Region>,
    rest: Vec<ArgumentRange>,
    /// whether the last arguments were of the rest, and of the same range
    is_after_rest: bool,
}

impl Parts {
    fn add_known(&mut self, part: ArgumentRange, class: Class) {
        self.is_after_rest = false;
        match self.known.last_mut() {
            Some(region) if region.class == class && is_next(region, &part) => region.ranges.push(part),
            _ => self.known.push(Region { ranges: vec![part], class }),
        }
    }

    fn add_rest(&mut self, part: ArgumentRange) {
        if part.count() == 0 {
            return;
        }
        match self.rest.last_mut() {
            Some(before) if self.is_after_rest => {
                *before =
                    ArgumentRange::new(before.first(), before.exponent(), before.count() + part.count());
            }
            _ => self.rest.push(part),
        }
        self.is_after_rest = true;
    }
}

/// Whether no argument lies between a region and a range that comes later.
fn is_next(region: &Region, range: &ArgumentRange) -> bool {
    let step = value_of(range.argument(0)) - value_of(region.last());
    region.ranges.last().is_some_and(|last| step <= power_of_two(last.exponent().max(range.exponent())))
}

/// The range of the numbers `−x`.
pub(crate) fn mirrored(range: &ArgumentRange) -> ArgumentRange {
    let last = range.first() + i128::from(range.count()) - 1;
    ArgumentRange::new(-last, range.exponent(), range.count())
}

/// The negative numbers of a format, and the others, in increasing order and binade by binade;
/// those of `binades` if given, with 0 if no number lies between.
fn ranges(
    format: Format,
    binades: Option<Range<i32>>,
) -> Result<(Vec<ArgumentRange>, Vec<ArgumentRange>), DriverError> {
    let (lowest, highest) = (format.ulp_exponent(format.min_exponent()), format.max_exponent());
    let positive = match binades {
        None => argument_ranges(&Rational::new(), &power_of_two(highest + 1), format)?,
        Some(binades) if binades.is_empty() || binades.start < lowest || binades.end > highest + 1 => {
            return Err(DriverError::Binades { binades, format, lowest, end: highest + 1 });
        }
        Some(binades) => {
            let from = if binades.start == lowest { Rational::new() } else { power_of_two(binades.start) };
            argument_ranges(&from, &power_of_two(binades.end), format)?
        }
    };
    let without_zero =
        positive.iter().map(|range| if range.first() == 0 { range.part(1, range.count()) } else { *range });
    let negative =
        without_zero.filter(|range| range.count() > 0).map(|range| mirrored(&range)).collect::<Vec<_>>();
    Ok((negative.into_iter().rev().collect(), positive))
}
