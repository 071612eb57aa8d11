//! [`Indices`]: arguments of several spacings as multiples of the finest.
//!
//! A family's points are those of indices `i` of one spacing 2^e. Arguments of a wider spacing are
//! some of its multiples: so ranges that follow each other, binade after binade, are one span of
//! indices, in which only the ranges' own are arguments (Theorem L.10 of docs/proofs/lattice3.md).

use tmd_core::{ArgumentRange, Number};

/// Most bits of an index.
const MOST_BITS: u32 = 120;

/// A range, and by how many bits its indices are shorter than those of the finest spacing.
struct Own {
    range: ArgumentRange,
    shift: u32,
}

/// Ranges in increasing order, as multiples of the finest spacing of any.
pub(super) struct Indices {
    exponent: i32,
    own: Vec<Own>,
}

impl Indices {
    /// `None` if there is no range, an empty one, or an index of too many bits.
    pub(super) fn of(ranges: &[ArgumentRange]) -> Option<Self> {
        let exponent = ranges.iter().map(ArgumentRange::exponent).min()?;
        let own = ranges.iter().map(|&range| {
            let shift = u32::try_from(i64::from(range.exponent()) - i64::from(exponent)).ok()?;
            let bits = bits(range.first()).max(bits(last(&range)));
            let fits = range.count() != 0 && shift <= MOST_BITS && bits + shift <= MOST_BITS;
            fits.then_some(Own { range, shift })
        });
        Some(Self { exponent, own: own.collect::<Option<_>>()? })
    }

    /// log2 of the finest spacing.
    pub(super) const fn exponent(&self) -> i32 {
        self.exponent
    }

    /// First and last index of the spans that hold all ranges: ranges of different spacings with
    /// no gap between them are in one.
    pub(super) fn spans(&self) -> Vec<(i128, i128)> {
        let mut spans: Vec<(i128, i128)> = Vec::new();
        let mut before = None;
        for Own { range, shift } in &self.own {
            let (first, end) = (range.first() << shift, last(range) << shift);
            match (spans.last_mut(), before) {
                (Some(span), Some(other))
                    if other != *shift && first - span.1 <= 1i128 << shift.max(&other) =>
                {
                    span.1 = end;
                }
                _ => spans.push((first, end)),
            }
            before = Some(*shift);
        }
        spans
    }

    /// The argument of an index, if it is one of a range's.
    pub(super) fn argument(&self, index: i128) -> Option<Number> {
        self.own.iter().find_map(|Own { range, shift }| {
            let own = index >> shift;
            let is_own = own << shift == index && range.first() <= own && own <= last(range);
            is_own.then(|| Number::new(own, range.exponent()))
        })
    }

    /// Bits of the largest index in magnitude: `|i| < 2^bits`.
    pub(super) fn bits(&self) -> u32 {
        self.spans().into_iter().map(|(first, last)| bits(first).max(bits(last))).max().unwrap_or(0)
    }
}

/// Most indices of a span that reaches across 0, over those of the longer side: beyond, two spans
/// take less time. One takes as long as 0.7 of two in windows of the same width, by the cost model,
/// and their number is as the cube root of that of the indices.
const WIDEST: f64 = 2.5;

/// The span that holds two, one on each side of 0, if it is not too long (Theorem L.10).
pub(super) fn across(spans: impl Iterator<Item = (i128, i128)>) -> Option<(i128, i128)> {
    let mut spans: Vec<(i128, i128)> = spans.collect();
    spans.sort_unstable();
    let &[below, above] = &spans[..] else { return None };
    let length = |(first, last): (i128, i128)| (last - first + 1) as f64;
    let hull = (below.0, above.1);
    let is_across = below.1 < 0 && above.0 > 0;
    (is_across && length(hull) <= WIDEST * length(below).max(length(above))).then_some(hull)
}

/// The last index of a range that is not empty.
fn last(range: &ArgumentRange) -> i128 {
    range.first() + i128::from(range.count()) - 1
}

/// Bits of an integer's magnitude: `|n| < 2^bits`.
pub(super) const fn bits(n: i128) -> u32 {
    128 - n.unsigned_abs().leading_zeros()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn binade(exponent: i32, is_negative: bool) -> ArgumentRange {
        ArgumentRange::new(if is_negative { -15 } else { 8 }, exponent, 8)
    }

    /// The arguments of the ranges are those of the indices in the spans, each once.
    #[test]
    fn each_argument_has_one_index() {
        let questions = [
            (vec![binade(3, false)], 1),
            (vec![binade(3, false), binade(4, false), binade(5, false)], 1),
            (vec![binade(5, true), binade(4, true)], 1),
            (vec![binade(1, true), binade(0, true), binade(0, false), binade(1, false)], 2),
            // a gap; and pieces of one binade, which stay apart
            (vec![binade(0, false), binade(2, false)], 2),
            (vec![ArgumentRange::new(8, 2, 3), ArgumentRange::new(11, 2, 5)], 2),
            (vec![ArgumentRange::new(9, 0, 7), ArgumentRange::new(8, 1, 4)], 1),
            (vec![ArgumentRange::new(8, 0, 5), ArgumentRange::new(8, 1, 4)], 2),
        ];
        for (ranges, count) in questions {
            let indices = Indices::of(&ranges).unwrap();
            let spans = indices.spans();
            assert_eq!(spans.len(), count, "{ranges:?}");
            assert!(
                spans.iter().all(|&(a, b)| a.abs() < 1 << indices.bits() && b.abs() < 1 << indices.bits())
            );
            let found: Vec<Number> =
                spans.iter().flat_map(|&(a, b)| a..=b).filter_map(|i| indices.argument(i)).collect();
            let all: Vec<Number> =
                ranges.iter().flat_map(|range| (0..range.count()).map(|k| range.argument(k))).collect();
            assert_eq!(found, all, "{ranges:?}");
        }
    }

    #[test]
    fn spans_across_zero() {
        let symmetric = |first: i128, last: i128| across([(first, last), (-last, -first)].into_iter());
        assert_eq!(symmetric(8, 63), Some((-63, 63)));
        assert_eq!(symmetric(-63, -8), Some((-63, 63)));
        assert_eq!(symmetric(8, 31), None);
        assert_eq!(across([(8, 63)].into_iter()), None);
        assert_eq!(across([(1, 63), (-3, -1)].into_iter()), Some((-3, 63)));
        assert_eq!(across([(0, 63), (-63, 0)].into_iter()), None);
        assert_eq!(across([(1, 20), (21, 40)].into_iter()), None);
    }

    #[test]
    fn what_has_no_indices() {
        assert!(Indices::of(&[]).is_none());
        assert!(Indices::of(&[ArgumentRange::new(8, 0, 0)]).is_none());
        assert!(Indices::of(&[binade(0, false), binade(117, false)]).is_none());
        assert!(Indices::of(&[binade(0, false), binade(116, false)]).is_some());
        assert!(Indices::of(&[binade(i32::MIN, false), binade(i32::MAX, false)]).is_none());
    }
}
