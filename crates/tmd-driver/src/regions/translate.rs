//! Arguments whose cases follow from those at others, because the function repeats itself there.
//!
//! * **By ones**: `f(x + n) = ±f(x)` (sinpi, cospi, tanpi) or `2ⁿ·f(x)` (exp2) for integers n. Let `y = x − n` with `−1/2 < y ≤ 1/2`.
//!   For `|x| ≥ 1/2` it is a number of the format: it is a multiple of x's spacing, and `|y| ≤ 1/2 ≤ |x|`. A sign moves no
//!   breakpoint and a power of two moves all of them alike, as long as both results are normal numbers: the relative
//!   distances at x and y are the same. So only arguments of magnitude less than 1/2, and 1/2 itself, are searched (and, for
//!   exp2, those with subnormal results).
//! * **By twos**: `f(2ⁿ·x) = f(x) + n` (log2). Let `2^k ≤ x < 2^(k+1)`, and `l = k` for `k ≥ 1` and `l = −k − 1` for `k ≤ −2`.
//!   Then `f(x)` is in `[k, k + 1)`, and so `|f(x)|` is in `[l, l + 1]`, where l + 1 is taken at a power of two only, which is
//!   an exact case. So all these x with `2^j ≤ l < 2^(j+1)` have results of the same binade, with an ulp that divides 1, and
//!   distances to breakpoints that do not change with k: only `k = 2^j` is searched, and k = 0 and −1.
//! * **By powers of two**: `f(2^(a·n)·x) = 2^(b·n)·f(x)` (roots, powers, 1/x). Both factors move numbers to numbers and breakpoints
//!   to breakpoints as long as results are normal numbers: only `1 ≤ x < 2^a` is searched, and what has results that are not.
//!   With `f(x) = x^(b/a)` those of `2^(a·q) ≤ x < 2^(a·(q+1))` are between `2^(b·q)` and `2^(b·(q+1))`. (A subnormal x is a
//!   number with fewer bits: then `2^(−a·q)·x` is a number, too.)

use tmd_core::{ArgumentRange, Format, Number};
use tmd_functions::symmetry::Translation;

/// Cases of one argument in one range of integers that are listed; more are described.
const MOST_IMAGES: i128 = 1 << 12;

/// Cases of one argument in a row of binades that are listed; more are described. All of them in binary32, where there are 300.
const MOST_BINADES: i128 = 1 << 6;

/// The parts of a range, and whether they are translated.
pub(super) fn split(
    translation: Translation,
    format: Format,
    range: &ArgumentRange,
) -> Vec<(ArgumentRange, bool)> {
    let half = Number::new(1, -1);
    let mut cuts: Vec<u64> = if let Translation::Offset { .. } | Translation::Power { .. } = translation {
        let last = range.argument(range.count() - 1);
        let first = range.argument(0).log2_floor().unwrap_or(range.exponent());
        let exponents = first..=last.log2_floor().unwrap_or(0);
        exponents.map(|k| first_from(range, Number::new(1, k))).collect()
    } else {
        // from 1/2 and from after it, from after −1/2, from where results are normal, and from where they overflow
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
            (part, is_translated(translation, format, part.argument(0)))
        })
        .collect()
}

/// The integer −emin as a number: below, 2ˣ is subnormal.
fn lowest_normal(format: Format) -> Number {
    Number::new(i128::from(format.min_exponent()), 0)
}

/// The integer emax + 1: from there on, 2ˣ is beyond all numbers.
fn above_normal(format: Format) -> Number {
    Number::new(i128::from(format.max_exponent()) + 1, 0)
}

/// Whether the cases at x follow from those at another argument.
fn is_translated(translation: Translation, format: Format, x: Number) -> bool {
    let half = Number::new(1, -1);
    let is_far = x > half || x <= Number::new(-1, -1);
    match translation {
        Translation::Sign { period: 1, .. } => is_far,
        Translation::Scaling { period: 1, log2_factor: 1 } => {
            is_far && lowest_normal(format) <= x && x < above_normal(format)
        }
        Translation::Offset { log2_ratio: 1, addend: 1 } if x > Number::ZERO => {
            representative(x).is_some_and(|(k, base)| k != base && base <= format.max_exponent())
        }
        Translation::Power { log2_ratio, log2_factor } if x > Number::ZERO => {
            let is_normal = |quotient: i64| {
                let ends = [quotient, quotient + 1].map(|q| i64::from(log2_factor) * q);
                let exponents = i64::from(format.min_exponent())..=i64::from(format.max_exponent());
                ends.iter().all(|end| exponents.contains(end))
            };
            let quotient = x.log2_floor().map_or(0, |k| i64::from(k).div_euclid(i64::from(log2_ratio)));
            quotient != 0 && is_normal(quotient) && is_normal(0)
        }
        _ => false,
    }
}

/// The exponent k of x, and that of the arguments that are searched in its place.
fn representative(x: Number) -> Option<(i32, i32)> {
    let k = x.log2_floor()?;
    let l = if k >= 0 { k } else { -k - 1 };
    // 0 for k = 0 and k = −1, which stand for themselves
    let base = if l == 0 { k } else { 1 << l.ilog2() };
    Some((k, base))
}

/// Number of the first argument of a range that is at least `border`; the range's count if none is.
fn first_from(range: &ArgumentRange, border: Number) -> u64 {
    let (mut low, mut high) = (0, range.count());
    while low < high {
        let middle = low + (high - low) / 2;
        if range.argument(middle) < border { low = middle + 1 } else { high = middle }
    }
    low
}

/// The arguments of a translated region at which the function has the case of `y`; or, if they are too many, their number.
pub(super) fn images(
    translation: Translation,
    ranges: &[ArgumentRange],
    y: Number,
) -> Result<Vec<Number>, i128> {
    let images = match translation {
        Translation::Offset { .. } => by_powers(ranges, y, |x| {
            // to which argument x belongs, and whether that is x
            let (k, base) = representative(x)?;
            Some((base, k == base))
        }),
        Translation::Power { log2_ratio, .. } => by_powers(ranges, y, |x| {
            let k = x.log2_floor()?;
            let base = k.rem_euclid(i32::try_from(log2_ratio).ok()?);
            Some((base, k == base))
        }),
        _ => {
            let mut images = Vec::new();
            for range in ranges {
                images.extend(by_integers(range, y)?);
            }
            return Ok(images);
        }
    };
    if images.len() as i128 > MOST_BINADES { Err(images.len() as i128) } else { Ok(images) }
}

/// The products `2ⁿ·y > 0` in some ranges that belong to the same exponent as y, if y is what belongs to itself.
fn by_powers(
    ranges: &[ArgumentRange],
    y: Number,
    base: impl Fn(Number) -> Option<(i32, bool)>,
) -> Vec<Number> {
    let Some((own, true)) = Some(y).filter(|y| *y > Number::ZERO).and_then(&base) else { return Vec::new() };
    let image = |range: &ArgumentRange, k: i32| {
        let x = Number::new(y.significand(), y.exponent() + k - y.log2_floor()?);
        let is_number = x.exponent() >= range.exponent() && base(x).is_some_and(|(base, _)| base == own);
        let index = is_number.then(|| x.significand() << (x.exponent() - range.exponent()))?;
        (range.first() <= index && index < range.first() + i128::from(range.count())).then_some(x)
    };
    let in_range = |range: &ArgumentRange| -> Vec<Number> {
        let [first, last] = [0, range.count() - 1].map(|k| range.argument(k).log2_floor().unwrap_or(0));
        (first..=last).filter_map(|k| image(range, k)).collect()
    };
    ranges.iter().flat_map(in_range).collect()
}

/// The sums `y + n` in a range, for integers n.
fn by_integers(range: &ArgumentRange, y: Number) -> Result<Vec<Number>, i128> {
    let (first, last) = (range.first(), range.first() + i128::from(range.count()) - 1);
    let spacing = range.exponent();
    let is_base = Number::new(-1, -1) < y && y <= Number::new(1, -1) && y != Number::ZERO;
    // y is no integer, so that a spacing of 1 or more holds none of its translates
    if !is_base || spacing > 0 || y.exponent() < spacing {
        return Ok(Vec::new());
    }
    // in units of the spacing, which is at least 2^-64: it is that of a number of magnitude 1/2 or more
    let one = 1i128 << -spacing;
    let offset = (y.significand() << (y.exponent() - spacing)).rem_euclid(one);
    let start = first + (offset - first).rem_euclid(one);
    let count = if start > last { 0 } else { (last - start) / one + 1 };
    if count > MOST_IMAGES {
        return Err(count);
    }
    Ok((0..count).map(|i| Number::new(start + i * one, spacing)).collect())
}
