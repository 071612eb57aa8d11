//! Arguments whose cases follow from those at others, because the function repeats itself there.
//!
//! [`source`] says from which argument y what is known of x follows; it is the one place where that
//! is decided. y is always a number of the format, stands for itself, and the step from f(y) to
//! f(x) maps breakpoints to breakpoints and ulps to ulps:
//!
//! * **By ones**: `f(x + n) = ±f(x)` (sinpi, cospi, tanpi) or `2ⁿ·f(x)` (exp2) for integers n. Let
//!   `y = x − n` with `−1/2 < y ≤ 1/2`. For `|x| ≥ 1/2` it is a number of the format: it is a
//!   multiple of x's spacing, and `|y| ≤ 1/2 ≤ |x|`. A sign moves no breakpoint and a power of two
//!   moves all of them alike, as long as both results are normal numbers: the relative distances at
//!   x and y are the same. So only arguments of magnitude less than 1/2, and 1/2 itself, are
//!   searched (and, for exp2, those with subnormal results; all of them in a format whose normal
//!   numbers do not begin below 2^(−1/2)).
//! * **By twos**: `f(2ⁿ·x) = f(x) + n` (log2). Let `2^k ≤ x < 2^(k+1)`, and `l = k` for `k ≥ 1` and
//!   `l = −k − 1` for `k ≤ −2`. Then `f(x)` is in `[k, k + 1)`, and so `|f(x)|` is in `[l, l + 1]`,
//!   where l + 1 is taken at a power of two only, which is an exact case. So all these x with
//!   `2^j ≤ l < 2^(j+1)` have results of the same binade. If its ulp divides 1, which it does for
//!   `j < p`, distances to breakpoints, if less than an ulp/4, do not change with k: only `k = 2^j`
//!   is searched, and k = 0 and −1.
//! * **By powers of two**: `f(2^(a·n)·x) = 2^(b·n)·f(x)` (roots, powers, 1/x). Both factors move
//!   numbers to numbers and breakpoints to breakpoints as long as results are normal numbers. With
//!   `f(x) = x^(b/a)` those of `2^(a·q) ≤ x < 2^(a·(q+1))` are between `2^(b·q)` and `2^(b·(q+1))`.
//!   Of each residue of exponents modulo a one binade is searched: that of `1 ≤ x < 2^a`, or if its
//!   exponent is beyond the format, that of `2^(−a) ≤ x < 1`; y must be normal, and so must all
//!   results with the same q. (A subnormal x is a number with fewer bits: then `2^(−a·n)·x` is a
//!   number, too.)
//! * **Next to 0**: f is nearly a multiple of x there, and a function that is
//!   [`Repeating`](tmd_functions::Repeating) encloses, in one binade, all that follows below: of
//!   either sign, from the number of the anchor's binade with the same significand.
//! * **At large arguments**: f is nearly log2 or exp2, and a function that is
//!   [`Repeating`](tmd_functions::Repeating) encloses, in some binades or between two integers, all
//!   that follows: from the number of the binade of `2^(2^j)` with the same significand, or with
//!   the same fraction. Powers of two, or integers, stand for themselves.
//!
//! Theorems M.6 to M.9 and M.19 to M.21 of docs/proofs/domain.md. Machine-checked in `proofs/`:
//! powers of two are Theorem C.10, integers Theorem C.11, what is mirrored Theorem C.9; at large
//! arguments Theorem M.20 and Theorem M.21.

use std::collections::BTreeMap;

use tmd_core::{ArgumentRange, Format, Number};
use tmd_functions::symmetry::Translation;

/// How many of so many arguments between two of one sign are not multiples of half a period: where
/// a function repeats itself by ones, all results at these are the same as at 0 or 1/2, and make no
/// cases. (Between the powers of two next to both ends, if the arguments are of many binades.)
pub(crate) fn various(translation: Translation, format: Format, ends: [Number; 2], arguments: u128) -> u128 {
    if !matches!(translation, Translation::Sign { .. } | Translation::Scaling { .. }) {
        return arguments;
    }
    let exponents = ends.map(|end| end.log2_floor().unwrap_or(format.min_exponent()));
    let (least, most) = (exponents[0].min(exponents[1]), exponents[0].max(exponents[1]));
    // spaces are 1/2 from 2^(p − 2) on
    let first = least.max(format.precision() as i32 - 2);
    let binades = (i64::from(most) - i64::from(first) + 1).max(0) as u128;
    arguments.saturating_sub(binades << (format.precision() - 1))
}

/// The argument from which that follows which is known at x: another number of the format, which
/// stands for itself. `None` if x does so.
pub(crate) fn source(translation: Translation, format: Format, x: Number) -> Option<Number> {
    let by_binade = || {
        let k = x.log2_floor()?;
        Some(Number::new(x.significand(), x.exponent() + source_binade(translation, format, k)? - k))
    };
    match translation {
        Translation::Sign { period: 1, .. } => residue(x),
        Translation::Scaling { period: 1, log2_factor: 1 } => {
            // results at y are between 2^(−1/2) and 2^(1/2)
            let is_normal = format.min_exponent() <= -1
                && format.max_exponent() >= 1
                && lowest_normal(format) <= x
                && x < above_normal(format);
            residue(x).filter(|_| is_normal)
        }
        Translation::Offset { .. } | Translation::Power { .. } if x > Number::ZERO => by_binade(),
        Translation::Near { .. } => by_binade(),
        Translation::NearOffset { .. } if x > Number::ZERO && x.significand() != 1 => by_binade(),
        Translation::NearScaling { least } if x < above_normal(format) => {
            let (floor, fraction) = parts_of(x)?;
            let y = sum(least.into(), fraction)?;
            (floor > i128::from(least) && fraction != Number::ZERO).then_some(y)
        }
        _ => None,
    }
}

/// `⌊x⌋` and what x is more than that, if x is at least 0 and of moderate size.
fn parts_of(x: Number) -> Option<(i128, Number)> {
    if x < Number::ZERO || x >= Number::new(1, 62) {
        return None;
    }
    let Some(bits) = u32::try_from(-x.exponent()).ok().filter(|bits| *bits > 0) else {
        return Some((x.significand() << x.exponent(), Number::ZERO));
    };
    let floor = x.significand().checked_shr(bits).unwrap_or(0);
    let fraction = x.significand() - floor.checked_shl(bits).unwrap_or(0);
    Some((floor, Number::new(fraction, x.exponent())))
}

/// `n + x` for n from 0 on and 0 ≤ x < 1, if that is a number with less than 127 bits.
fn sum(n: i128, x: Number) -> Option<Number> {
    let bits = u32::try_from(-x.exponent().min(0)).ok()?;
    let own = x.significand() << x.exponent().max(0);
    (n == 0 || n.leading_zeros() > bits + 1).then(|| Number::new(own + (n << bits), -(bits as i32)))
}

/// The binade from which that follows which is known on the binade of `2^k`; `None` if it stands
/// for itself.
pub(crate) fn source_binade(translation: Translation, format: Format, k: i32) -> Option<i32> {
    // one with all its bits
    let is_normal = |exponent: i64| {
        (i64::from(format.min_exponent())..=i64::from(format.max_exponent())).contains(&exponent)
    };
    let base = match translation {
        Translation::Offset { log2_ratio: 1, addend: 1 } => {
            let l = if k >= 0 { k } else { -k - 1 };
            // k = 0 and k = −1 stand for themselves
            let binade = (l > 0).then(|| l.ilog2() as i32)?;
            (format.ulp_exponent(binade) <= 0).then_some(1 << binade)
        }
        Translation::Power { log2_ratio, log2_factor } => {
            let ratio = i64::from(log2_ratio);
            let results =
                |quotient: i64| [quotient, quotient + 1].map(|q| i64::from(log2_factor).saturating_mul(q));
            let are_normal = |quotient: i64| results(quotient).into_iter().all(is_normal);
            let residue = i64::from(k).rem_euclid(ratio);
            let bases = [(0, residue), (-1, residue - ratio)];
            let base = bases.into_iter().find(|&(quotient, base)| is_normal(base) && are_normal(quotient));
            let base = base.filter(|_| are_normal(i64::from(k).div_euclid(ratio)));
            base.and_then(|(_, base)| i32::try_from(base).ok())
        }
        Translation::Near { from, anchor } => (from..anchor).contains(&k).then_some(anchor),
        Translation::NearOffset { least } => {
            let binade = (k > 0).then(|| k.ilog2() as i32)?;
            (format.ulp_exponent(binade) <= 0 && 1 << binade >= least).then_some(1 << binade)
        }
        _ => None,
    };
    base.filter(|base| *base != k && is_normal(i64::from(*base)))
}

/// The number `x − n` for the integer n with `−1/2 < x − n ≤ 1/2`, if n is not 0.
fn residue(x: Number) -> Option<Number> {
    let is_far = x > Number::new(1, -1) || x <= Number::new(-1, -1);
    if !is_far || x.exponent() >= 0 {
        return is_far.then_some(Number::ZERO);
    }
    // an argument that is far is a multiple of 2^-64
    let one = 1i128.checked_shl(x.exponent().unsigned_abs()).filter(|one| *one > 0)?;
    let rest = x.significand().rem_euclid(one);
    Some(Number::new(if rest > one / 2 { rest - one } else { rest }, x.exponent()))
}

/// The parts of a range, and whether they are translated.
pub(super) fn split(
    translation: Translation,
    format: Format,
    range: &ArgumentRange,
) -> Vec<(ArgumentRange, bool)> {
    let half = Number::new(1, -1);
    let mut cuts: Vec<u64> = if let Translation::Near { from, anchor } = translation {
        [from, anchor].into_iter().flat_map(|k| borders_of(range, k)).collect()
    } else if is_at_large(translation) {
        // what is next to an integer, or a power of two, is apart
        let [first, last] = [0, range.count() - 1].map(|k| range.argument(k));
        let alone = |first: i32, last: i32, at: &dyn Fn(i32) -> Number| -> Vec<u64> {
            let ends = |n: i32| {
                let from = first_from(range, at(n));
                [from, from + u64::from(from < range.count() && range.argument(from) == at(n))]
            };
            (first..=last).flat_map(ends).collect()
        };
        match translation {
            Translation::NearOffset { least } if last > Number::ZERO => {
                let first = first.log2_floor().unwrap_or(least).max(least);
                alone(first, last.log2_floor().unwrap_or(0), &|k| Number::new(1, k))
            }
            Translation::NearScaling { least } if last > Number::ZERO && range.exponent() < 0 => {
                let end = format.max_exponent() + 1;
                let floor = |x: Number| {
                    let floor = parts_of(x).and_then(|(floor, _)| i32::try_from(floor).ok());
                    floor.unwrap_or(if x < Number::ZERO { 0 } else { end })
                };
                alone(floor(first).max(least), floor(last).min(end), &|n| Number::new(n.into(), 0))
            }
            _ => Vec::new(),
        }
    } else if is_by_binades(translation) {
        let last = range.argument(range.count() - 1);
        let first = range.argument(0).log2_floor().unwrap_or(range.exponent());
        let exponents = first..=last.log2_floor().unwrap_or(0);
        exponents.map(|k| first_from(range, Number::new(1, k))).collect()
    } else {
        // from 1/2 and from after it, from after −1/2, from where results are normal, and from
        // where they overflow
        let borders = [Number::new(-1, -1), half, lowest_normal(format), above_normal(format)];
        let [minus, plus, normal, above] = borders.map(|border| first_from(range, border));
        let after =
            |first: u64, x: Number| first + u64::from(first < range.count() && range.argument(first) == x);
        vec![plus, after(plus, half), after(minus, Number::new(-1, -1)), normal, above]
    };
    cuts.push(0);
    cuts.push(range.count());
    cuts.sort_unstable();
    cuts.dedup();
    cuts.windows(2)
        .map(|cut| {
            let part = range.part(cut[0], cut[1] - cut[0]);
            (part, source(translation, format, part.argument(0)).is_some())
        })
        .collect()
}

/// Where arguments of magnitude 2^k or more begin, and where those of magnitude below 2^k begin
/// among the negative ones: numbers of arguments of a range.
fn borders_of(range: &ArgumentRange, k: i32) -> [u64; 2] {
    let power = Number::new(1, k);
    let minus = first_from(range, Number::new(-1, k));
    let is_there = minus < range.count() && range.argument(minus) == Number::new(-1, k);
    [first_from(range, power), minus + u64::from(is_there)]
}

/// The end of the arguments of a range, from number `start` on, that are in the same binade.
pub(crate) fn end_of_binade(range: &ArgumentRange, start: u64, k: i32) -> u64 {
    if range.argument(start) > Number::ZERO {
        return first_from(range, Number::new(1, k + 1));
    }
    let [_, after] = borders_of(range, k);
    after
}

/// Whether a translation maps whole binades to binades.
pub(crate) fn is_by_binades(translation: Translation) -> bool {
    matches!(
        translation,
        Translation::Offset { .. }
            | Translation::Power { .. }
            | Translation::Near { .. }
            | Translation::NearOffset { .. }
    )
}

/// Whether a translation is one of a function that is nearly another one at large arguments.
pub(crate) fn is_at_large(translation: Translation) -> bool {
    matches!(translation, Translation::NearOffset { .. } | Translation::NearScaling { .. })
}

/// Whether a range may hold arguments from which others follow because f is nearly another
/// function.
pub(crate) fn holds_anchors(translation: Translation, range: &ArgumentRange) -> bool {
    let ends = [0, range.count().saturating_sub(1)].map(|k| range.argument(k));
    match translation {
        Translation::Near { anchor, .. } => {
            // a range that holds 0 holds smaller ones than any
            let [Some(first), Some(last)] = ends.map(Number::log2_floor) else { return true };
            let is_across = ends[0] < Number::ZERO && ends[1] > Number::ZERO;
            is_across || (first.min(last)..=first.max(last)).contains(&anchor)
        }
        // whichever they are
        Translation::NearOffset { least } => ends[1] >= Number::new(1, least),
        Translation::NearScaling { least } => {
            ends[1] >= Number::new(least.into(), 0) && ends[0] <= Number::new(i128::from(least) + 1, 0)
        }
        _ => false,
    }
}

/// The integer −emin as a number: below, 2ˣ is subnormal.
fn lowest_normal(format: Format) -> Number {
    Number::new(i128::from(format.min_exponent()), 0)
}

/// The integer emax + 1: from there on, 2ˣ is beyond all numbers.
fn above_normal(format: Format) -> Number {
    Number::new(i128::from(format.max_exponent()) + 1, 0)
}

/// Number of the first argument of a range that is at least `border`; the range's count if none is.
pub(crate) fn first_from(range: &ArgumentRange, border: Number) -> u64 {
    let (mut low, mut high) = (0, range.count());
    while low < high {
        let middle = low + (high - low) / 2;
        if range.argument(middle) < border { low = middle + 1 } else { high = middle }
    }
    low
}

/// Integers n from `first` to `last`, for each of which the function has the case of y at the n-th
/// image of y.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Row {
    pub(crate) first: i64,
    pub(crate) last: i64,
}

impl Row {
    pub(crate) fn count(self) -> u64 {
        self.first.abs_diff(self.last) + 1
    }
}

/// `2^shift·y`.
pub(crate) fn scaled(y: Number, shift: i64) -> Option<Number> {
    let exponent = i32::try_from(i64::from(y.exponent()).checked_add(shift)?).ok()?;
    Some(Number::new(y.significand(), exponent))
}

/// The image of y under n steps of a translation: `2^(a·n)·y`, or `y + n`.
pub(crate) fn image(translation: Translation, y: Number, n: i64) -> Option<Number> {
    match translation {
        Translation::Offset { log2_ratio, .. } | Translation::Power { log2_ratio, .. } => {
            scaled(y, i64::from(log2_ratio).checked_mul(n)?)
        }
        Translation::Near { .. } | Translation::NearOffset { .. } => scaled(y, n),
        Translation::Scaling { .. } | Translation::Sign { .. } | Translation::NearScaling { .. } => {
            // spaces of 64 bits are 2^-64 from 1/2 on, and y + n is a number with them
            let bits = u32::try_from(-y.exponent().min(0)).ok().filter(|bits| *bits < 127)?;
            let own = y.significand().checked_shl(u32::try_from(y.exponent().max(0)).ok()?)?;
            let whole = i128::from(n).checked_mul(1 << bits)?;
            Some(Number::new(own.checked_add(whole)?, -(bits as i32)))
        }
        _ => None,
    }
}

/// The translated ranges of a function, arranged by what they follow from.
pub(crate) struct Images {
    translation: Translation,
    ranges: Vec<ArgumentRange>,
    /// by binades: those that follow from each
    by_source: BTreeMap<i32, Vec<(i32, ArgumentRange)>>,
}

impl Images {
    /// Arranges some ranges, all of whose arguments are translated, in increasing order.
    pub(crate) fn new(
        translation: Translation,
        format: Format,
        ranges: impl Iterator<Item = ArgumentRange>,
    ) -> Self {
        let mut images = Self { translation, ranges: Vec::new(), by_source: BTreeMap::new() };
        for range in ranges.filter(|range| range.count() > 0) {
            let ends = [0, range.count() - 1].map(|k| range.argument(k).log2_floor());
            let [Some(low), Some(high)] = ends else { continue };
            if !is_by_binades(translation) {
                images.ranges.push(range);
                continue;
            }
            for k in low.min(high)..=low.max(high) {
                if let Some(base) = source_binade(translation, format, k) {
                    images.by_source.entry(base).or_default().push((k, range));
                }
            }
        }
        images
    }

    /// The rows of integers n for which the n-th image of y is in the ranges, in increasing order;
    /// y stands for itself.
    pub(crate) fn rows(&self, y: Number) -> Vec<Row> {
        let mut rows: Vec<Row> = Vec::new();
        let mut add = |row: Row| match rows.last_mut() {
            Some(last) if last.last.checked_add(1) == Some(row.first) => last.last = row.last,
            _ => rows.push(row),
        };
        if is_by_binades(self.translation) {
            let is_near = matches!(self.translation, Translation::Near { .. });
            let Some(own) = y.log2_floor().filter(|_| y > Number::ZERO || is_near) else { return rows };
            let mut steps = Vec::new();
            for (k, range) in self.by_source.get(&own).into_iter().flatten() {
                let distance = i64::from(*k) - i64::from(own);
                let ratio = match self.translation {
                    Translation::Power { log2_ratio, .. } => i64::from(log2_ratio),
                    _ => 1,
                };
                let n = distance / ratio;
                if image(self.translation, y, n).is_some_and(|x| holds(range, x)) {
                    steps.push(n);
                }
            }
            // those of negative arguments come the other way round
            steps.sort_unstable();
            for n in steps {
                add(Row { first: n, last: n });
            }
        } else {
            let is_base = match self.translation {
                Translation::NearScaling { least } => {
                    let [low, high] = [0, 1].map(|more| Number::new(i128::from(least) + more, 0));
                    low < y && y < high
                }
                _ => Number::new(-1, -1) < y && y <= Number::new(1, -1) && y != Number::ZERO,
            };
            if is_base {
                self.ranges.iter().filter_map(|range| sums(range, y)).for_each(add);
            }
        }
        rows
    }
}

/// Whether a range holds x.
pub(crate) fn holds(range: &ArgumentRange, x: Number) -> bool {
    if x == Number::ZERO {
        return range.first() <= 0 && 0 < range.first() + i128::from(range.count());
    }
    let shift = u32::try_from(x.exponent() - range.exponent()).ok();
    let index = shift.and_then(|shift| shifted(x.significand(), shift));
    index.is_some_and(|index| range.first() <= index && index < range.first() + i128::from(range.count()))
}

/// `x·2^shift` if it is not larger than any index of a range.
fn shifted(x: i128, shift: u32) -> Option<i128> {
    (x.unsigned_abs().leading_zeros() > shift + 1).then(|| x << shift)
}

/// The integers n with `y + n` in a range; y is no integer.
fn sums(range: &ArgumentRange, y: Number) -> Option<Row> {
    let (first, last) = (range.first(), range.first() + i128::from(range.count()) - 1);
    let spacing = range.exponent();
    // y is no integer, so that a spacing of 1 or more holds none of its translates
    if spacing > 0 || y.exponent() < spacing {
        return None;
    }
    // in units of the spacing, which is at least 2^-64: it is that of a number of magnitude 1/2 or
    // more
    let one = 1i128.checked_shl(spacing.unsigned_abs())?;
    let own = y.significand() << (y.exponent() - spacing);
    let start = first + (own - first).rem_euclid(one);
    let end = last - (last - own).rem_euclid(one);
    let n = |index: i128| i64::try_from((index - own) / one).ok();
    (start <= end).then_some(Row { first: n(start)?, last: n(end)? })
}
