//! [`Map`]: from which other argument the cases at an argument follow. Nothing else decides that.
//!
//! Every argument is in an entry that knows something by itself, or points elsewhere: to −x, or to
//! the argument that [`source`](crate::regions::translate::source) names. [`Map::parts`] follows
//! these pointers for whole ranges of arguments, until each part is where something is known, or is
//! not: what points to nothing is never covered.

use tmd_core::{ArgumentRange, Format, Number};
use tmd_functions::symmetry::{Parity, Translation};

use super::Left;
use crate::regions::{
    mirrored, negated,
    translate::{end_of_binade, first_from, is_by_binades, source, source_binade},
};

/// −x, then what that is translated from, then its mirror: more steps than these lead nowhere.
const MOST_STEPS: usize = 4;

/// Integers to which the parts of `−1/2 < y ≤ 1/2` are repeated one by one. Of more, where not all
/// is known, nothing is said to be.
const MOST_BLOCKS: i128 = 1 << 10;

/// Parts of a binade that are told apart at what is translated from it. Of more, where not all is
/// known, nothing is said to be.
const MOST_PARTS: usize = 1 << 8;

/// What an entry knows.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Own {
    /// All there is to know, but for the holes.
    Known,
    /// Nothing.
    Left(Left),
    /// What is known at −x.
    Mirrored(Parity),
    /// What is known of other arguments.
    Translated(Translation),
}

/// Consecutive numbers of the format.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) first: Number,
    pub(crate) last: Number,
    pub(crate) own: Own,
    /// Intervals of arguments, both ends included, of which nothing is known; in increasing order
    /// and disjoint.
    pub(crate) holes: Vec<(Number, Number, Left)>,
}

/// Entries in increasing order.
#[derive(Clone, Debug)]
pub(crate) struct Map {
    pub(crate) format: Format,
    pub(crate) entries: Vec<Entry>,
}

/// A step from an argument to the one that it follows from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Step {
    /// To −x, of a function that is even or odd.
    Mirror(Parity),
    /// To where the function repeats itself.
    Translation(Translation),
}

/// Parts of a range, in increasing order, with why nothing is known of them; nothing where all is.
pub(crate) type Parts = Vec<(ArgumentRange, Option<Left>)>;

impl Map {
    /// What is known of each argument of a range, which may be any numbers of one spacing.
    pub(crate) fn parts(&self, range: ArgumentRange) -> Parts {
        self.follow(range, MOST_STEPS)
    }

    /// The number of the entry that holds x.
    pub(crate) fn entry(&self, x: Number) -> Option<usize> {
        let index = self.entries.partition_point(|entry| entry.last < x);
        self.entries.get(index).filter(|entry| entry.first <= x).map(|_| index)
    }

    /// The steps from x to where something is known by itself, and that argument; `None` if they
    /// lead nowhere.
    pub(crate) fn chain(&self, x: Number) -> Option<(Vec<Step>, Number)> {
        let (mut steps, mut at) = (Vec::new(), x);
        while steps.len() <= MOST_STEPS {
            match self.entries[self.entry(at)?].own {
                Own::Known | Own::Left(_) => return Some((steps, at)),
                Own::Mirrored(parity) => {
                    steps.push(Step::Mirror(parity));
                    at = negated(at);
                }
                Own::Translated(translation) => {
                    steps.push(Step::Translation(translation));
                    at = source(translation, self.format, at)?;
                }
            }
        }
        None
    }

    fn follow(&self, range: ArgumentRange, steps: usize) -> Parts {
        let mut parts = Parts::new();
        let mut start = 0;
        while start < range.count() {
            let x = range.argument(start);
            let next = self.entries.partition_point(|entry| entry.last < x);
            let entry = self.entries.get(next);
            let Some(entry) = entry.filter(|entry| entry.first <= x) else {
                // between two entries, or beyond the last
                let end = entry.map_or(range.count(), |entry| first_from(&range, entry.first));
                push(&mut parts, range.part(start, end - start), Some(Left::Unfounded));
                start = end;
                continue;
            };
            let end = first_after(&range, entry.last);
            let part = range.part(start, end - start);
            start = end;
            match &entry.own {
                Own::Known => with_holes(part, &entry.holes, &mut parts),
                Own::Left(left) => push(&mut parts, part, Some(left.clone())),
                Own::Mirrored(_) | Own::Translated(_) if steps == 0 => {
                    push(&mut parts, part, Some(Left::Unfounded));
                }
                Own::Mirrored(_) => {
                    for (part, left) in self.follow(mirrored(&part), steps - 1).into_iter().rev() {
                        push(&mut parts, mirrored(&part), left);
                    }
                }
                Own::Translated(translation) if is_by_binades(*translation) => {
                    self.by_binades(*translation, part, steps, &mut parts);
                }
                Own::Translated(translation) => self.by_integers(*translation, part, steps, &mut parts),
            }
        }
        parts
    }

    /// Binades that are translated from others.
    fn by_binades(&self, translation: Translation, range: ArgumentRange, steps: usize, parts: &mut Parts) {
        let mut start = 0;
        while start < range.count() {
            let x = range.argument(start);
            let is_near = matches!(translation, Translation::Near { .. });
            let Some(k) = x.log2_floor().filter(|_| x > Number::ZERO || is_near) else {
                return push(parts, range.part(start, range.count()), Some(Left::Unfounded));
            };
            let end = end_of_binade(&range, start, k);
            let part = range.part(start, end - start);
            start = end;
            let Some(base) = source_binade(translation, self.format, k) else {
                push(parts, part, Some(Left::Unfounded));
                continue;
            };
            // a power of two may stand for itself where others do not
            let alone = u64::from(source(translation, self.format, x).is_none());
            push(parts, part.part(0, alone), Some(Left::Unfounded));
            let part = part.part(alone, part.count() - alone);
            if part.count() == 0 {
                continue;
            }
            let moved = |part: ArgumentRange, by: i32| {
                ArgumentRange::new(part.first(), part.exponent() + by, part.count())
            };
            let known = self.follow(moved(part, base - k), steps - 1);
            for (known, left) in lumped(known, moved(part, base - k)) {
                push(parts, moved(known, k - base), left);
            }
        }
    }

    /// Arguments `y + n`, for integers n: blocks of as many as have the same n.
    fn by_integers(&self, translation: Translation, range: ArgumentRange, steps: usize, parts: &mut Parts) {
        let ends = [0, range.count() - 1].map(|k| source(translation, self.format, range.argument(k)));
        if ends.contains(&None) {
            return push(parts, range, Some(Left::Unfounded));
        }
        let Some(one) = u32::try_from(-range.exponent()).ok().and_then(|bits| 1i128.checked_shl(bits)) else {
            // integers, which follow from 0
            let known = self.follow(ArgumentRange::new(0, range.exponent(), 1), steps - 1);
            return push(parts, range, known.into_iter().find_map(|(_, left)| left));
        };
        let (first, last) = (range.first(), range.first() + i128::from(range.count()) - 1);
        // the indices from `from` to `to`, which follow from those n less
        let add = |parts: &mut Parts, n: i128, from: i128, to: i128| {
            let own = ArgumentRange::new(from - n * one, range.exponent(), (to - from + 1) as u64);
            for (known, left) in lumped(self.follow(own, steps - 1), own) {
                push(
                    parts,
                    ArgumentRange::new(known.first() + n * one, known.exponent(), known.count()),
                    left,
                );
            }
        };
        if let Translation::NearScaling { least } = translation {
            // between two integers, or it holds one, which follows from nothing
            let n = first_last_floor(&range, one).map(|n| n - i128::from(least));
            let Some(n) = n else { return push(parts, range, Some(Left::Unfounded)) };
            return add(parts, n, first, last);
        }
        // index i is in block n if −one/2 < i − n·one ≤ one/2
        let block = |index: i128| (index + (one - 1) / 2).div_euclid(one);
        let end = |n: i128| n * one + one / 2;
        let (low, high) = (block(first), block(last));
        if low == high {
            return add(parts, low, first, last);
        }
        add(parts, low, first, end(low));
        if high - low > 1 {
            // whole blocks, which are all alike
            let all = (end(low) + 1, end(high - 1));
            let middle =
                ArgumentRange::new(all.0, range.exponent(), (i128::from(1u8) + all.1 - all.0) as u64);
            let mut whole = Parts::new();
            add(&mut whole, 0, -((one - 1) / 2), one / 2);
            let left = whole.iter().find_map(|(_, left)| left.clone());
            if left.is_none() || whole.len() == 1 || high - low > MOST_BLOCKS {
                push(parts, middle, left);
            } else {
                for n in low + 1..high {
                    for (part, left) in &whole {
                        let part = ArgumentRange::new(part.first() + n * one, part.exponent(), part.count());
                        push(parts, part, left.clone());
                    }
                }
            }
        }
        add(parts, high, end(high - 1) + 1, last);
    }
}

/// `⌊x⌋` of all arguments of a range, if it is the same, in which `one` steps are 1.
fn first_last_floor(range: &ArgumentRange, one: i128) -> Option<i128> {
    let last = range.first() + i128::from(range.count()) - 1;
    let floor = range.first().div_euclid(one);
    (floor == last.div_euclid(one)).then_some(floor)
}

/// Adds a part, to the last one if that follows on and knows the same.
fn push(parts: &mut Parts, part: ArgumentRange, left: Option<Left>) {
    if part.count() == 0 {
        return;
    }
    match parts.last_mut() {
        Some((before, known))
            if *known == left
                && before.exponent() == part.exponent()
                && before.first() + i128::from(before.count()) == part.first() =>
        {
            *before = ArgumentRange::new(before.first(), before.exponent(), before.count() + part.count());
        }
        _ => parts.push((part, left)),
    }
}

/// Adds a range of an entry that is known but for some holes.
fn with_holes(range: ArgumentRange, holes: &[(Number, Number, Left)], parts: &mut Parts) {
    let mut start = 0;
    let from = holes.partition_point(|(_, last, _)| *last < range.argument(0));
    for (first, last, left) in &holes[from..] {
        let (hole, end) = (first_from(&range, *first), first_after(&range, *last));
        if hole >= range.count() {
            break;
        }
        push(parts, range.part(start, hole.saturating_sub(start)), None);
        let hole = hole.max(start);
        push(parts, range.part(hole, end.saturating_sub(hole)), Some(left.clone()));
        start = start.max(end);
    }
    push(parts, range.part(start, range.count()), None);
}

/// The same parts, or one of which nothing is known if they are too many.
fn lumped(parts: Parts, whole: ArgumentRange) -> Parts {
    if parts.len() <= MOST_PARTS {
        return parts;
    }
    let left = parts.into_iter().find_map(|(_, left)| left);
    vec![(whole, left)]
}

/// Number of the first argument of a range that is above `border`; the range's count if none is.
fn first_after(range: &ArgumentRange, border: Number) -> u64 {
    let at = first_from(range, border);
    at + u64::from(at < range.count() && range.argument(at) == border)
}
