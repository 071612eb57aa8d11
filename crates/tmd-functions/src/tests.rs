//! What the tests of several modules share: intervals of 64 bits, tables whose rows are words, and
//! divided differences.

use rug::Float;

use crate::{Builtin, Function, Interval, Range, parse, range::Bound};

/// Bits of the numbers that tests write down.
pub(crate) const PRECISION: u32 = 64;

pub(crate) fn float(x: f64) -> Float {
    Float::with_val(PRECISION, x)
}

pub(crate) fn interval(lo: f64, hi: f64) -> Interval {
    Interval::new(float(lo), float(hi)).unwrap()
}

pub(crate) fn point(x: &Float) -> Interval {
    Interval::point(x.clone()).unwrap()
}

/// The interval from one number to another, whichever is the smaller one.
pub(crate) fn between(x: &Float, y: &Float) -> Interval {
    point(x).hull(&point(y))
}

/// Numbers in an interval, as far from its lower end as these shares of its width say, and its
/// ends.
pub(crate) fn points_in(a: &Interval, shares: &[f64]) -> Vec<Float> {
    let width = a.width().unwrap();
    let at = |share: &f64| (Float::with_val(PRECISION, &width * share) + a.lo()).clamp(a.lo(), a.hi());
    shares.iter().map(at).chain([a.lo().clone(), a.hi().clone()]).collect()
}

/// Whether `y` is in the range, but for an error of the oracle of 2^−`bits` of it.
pub(crate) fn contains_nearly(range: &Interval, y: &Float, bits: u32) -> bool {
    let slack = Float::with_val(y.prec(), y.abs_ref()) >> bits;
    let [least, greatest] = [Float::with_val(y.prec(), y + &slack), Float::with_val(y.prec(), y - &slack)];
    *range.lo() <= least && *range.hi() >= greatest
}

/// Whether a number that is enclosed so may be in a range.
pub(crate) fn is_in(value: &Interval, range: &Range) -> bool {
    let above = match &range.below {
        Bound::Unbounded => true,
        Bound::Open(b) => value.hi() > b,
        Bound::Closed(b) => value.hi() >= b,
    };
    above
        && match &range.above {
            Bound::Unbounded => true,
            Bound::Open(b) => value.lo() < b,
            Bound::Closed(b) => value.lo() <= b,
        }
}

/// Each word of the first text of a row with each word of the second one.
pub(crate) fn pairs<'a>(rows: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    let words = |text: &'a str| text.split_whitespace();
    rows.iter().flat_map(|&(a, b)| words(a).flat_map(move |a| words(b).map(move |b| (a, b)))).collect()
}

/// A named function.
pub(crate) fn builtin(name: &str) -> Builtin {
    Builtin::ALL.into_iter().find(|builtin| builtin.name() == name).unwrap()
}

/// The range of an expression over an interval.
pub(crate) fn range_over(text: &str, lo: f64, hi: f64) -> Range {
    parse(text).unwrap().range(&interval(lo, hi), PRECISION).unwrap()
}

/// The divided differences of all degrees, from values in steps of this length: of those of a
/// degree the middle one.
pub(crate) fn divided_differences(mut values: Vec<Float>, step: &Float) -> Vec<Float> {
    let bits = values[0].prec();
    let (mut scale, mut found) = (Float::with_val(bits, 1), vec![]);
    for degree in 1..=values.len() as u32 {
        found.push(Float::with_val(bits, &values[(values.len() - 1) / 2] / &scale));
        values = values.windows(2).map(|pair| Float::with_val(bits, &pair[1] - &pair[0])).collect();
        scale = scale * step * degree;
    }
    found
}
