//! [`Gap`]: the space between two neighboring breakpoints, of numbers and midpoints alike.
//!
//! Theorem M.1 of docs/proofs/domain.md, machine-checked in `proofs/Regions.v`; each rounding of a
//! result between two numbers is between them by Theorem C.13.

use std::cmp::Ordering;

use rug::{Integer, Rational};
use tmd_core::{Format, Number};
use tmd_functions::range::{Bound, Range};

use crate::interval::{floor_log2, power_of_two};

/// The results strictly between two neighboring breakpoints: all roundings of all of them are the
/// same.
#[derive(Clone, Debug, PartialEq)]
pub struct Gap {
    /// The breakpoint below; `None` beyond the least breakpoint of all, `−(MAX + ulp/2)`.
    pub below: Option<Number>,
    /// The breakpoint above; `None` beyond the greatest one.
    pub above: Option<Number>,
}

impl Gap {
    /// The gap of `format` around `value`; `None` if that is a breakpoint.
    ///
    /// The breakpoints of a binade are the multiples of half an ulp, and so they are below the
    /// smallest normal number. After the largest finite number comes one more midpoint, from which
    /// on rounding to nearest overflows.
    pub(crate) fn around(value: &Rational, format: Format) -> Option<Self> {
        let magnitude = Rational::from(value.abs_ref());
        let lowest = format.min_exponent();
        let exponent = floor_log2(&magnitude).map_or(lowest, |e| e.max(lowest));
        let last = largest(format) + power_of_two(format.ulp_exponent(format.max_exponent()) - 1);
        let (near, far) = if magnitude > last {
            (Some(number_of(&last)), None)
        } else {
            let half_ulp = format.ulp_exponent(exponent) - 1;
            let scaled = magnitude / power_of_two(half_ulp);
            if scaled.is_integer() {
                return None;
            }
            let index = scaled.floor().into_numer_denom().0.to_i128_wrapping(); // below 2^66
            (Some(Number::new(index, half_ulp)), Some(Number::new(index + 1, half_ulp)))
        };
        let negate = |n: Option<Number>| n.map(|n| Number::new(-n.significand(), n.exponent()));
        Some(if *value < 0 {
            Self { below: negate(far), above: negate(near) }
        } else {
            Self { below: near, above: far }
        })
    }

    /// The gap that holds all values of `range`, if one does.
    pub(crate) fn of(range: &Range, format: Format) -> Option<Self> {
        let below = End::new(&range.below, format, Side::Below);
        let above = End::new(&range.above, format, Side::Above);
        // any number between the ends will do: the gap found around it is compared with both
        let inside = match (&below, &above) {
            (Some(below), Some(above)) => Rational::from(&below.value + &above.value) / 2u32,
            // beyond the last breakpoint, if the end is
            (Some(end), None) | (None, Some(end)) => Rational::from(&end.value * 2),
            (None, None) => return None,
        };
        let gap = Self::around(&inside, format)?;
        let holds = |end: Option<End>, breakpoint: Option<Number>, outside: Ordering| {
            let Some(breakpoint) = breakpoint else { return true };
            end.is_some_and(|end| {
                let order = value_of(breakpoint).cmp(&end.value);
                order == outside || (end.is_open && order == Ordering::Equal)
            })
        };
        (holds(below, gap.below, Ordering::Less) && holds(above, gap.above, Ordering::Greater)).then_some(gap)
    }
}

/// A finite bound of a range.
struct End {
    value: Rational,
    is_open: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Below,
    Above,
}

impl End {
    /// A bound as an end, weakened where it is tinier or larger than matters: rational numbers of
    /// such exponents are long.
    fn new(bound: &Bound, format: Format, side: Side) -> Option<Self> {
        let (bound, is_open) = match bound {
            Bound::Unbounded => return None,
            Bound::Open(bound) => (bound, true),
            Bound::Closed(bound) => (bound, false),
        };
        let Some(exponent) = bound.get_exp() else { return Some(Self { value: Rational::new(), is_open }) };
        // does weakening go towards 0?
        let inward = (side == Side::Below) == bound.is_sign_positive();
        let sign = if bound.is_sign_positive() { 1 } else { -1 };
        let power = |exponent| Rational::from(sign) * power_of_two(exponent);
        let (least, most) = (format.ulp_exponent(format.min_exponent()) - 2, format.max_exponent() + 2);
        if exponent < least {
            // the number is not 0: so an end at 0 is open
            let value = if inward { Rational::new() } else { power(least) };
            return Some(Self { value, is_open: true });
        }
        if exponent > most + 1 {
            return inward.then(|| Self { value: power(most), is_open: true });
        }
        Some(Self { value: bound.to_rational().unwrap_or_default(), is_open })
    }
}

/// The largest finite number.
pub(crate) fn largest(format: Format) -> Rational {
    let top = format.max_exponent();
    power_of_two(top + 1) - power_of_two(format.ulp_exponent(top))
}

/// A number as a rational.
pub(crate) fn value_of(number: Number) -> Rational {
    Rational::from(number.significand()) * power_of_two(number.exponent())
}

/// A binary rational with at most 66 significant bits as a number.
pub(crate) fn number_of(value: &Rational) -> Number {
    let exponent = -(value.denom().significant_bits() as i32 - 1);
    let mut significand = Integer::from(value.numer());
    let zeros = significand.find_one(0).unwrap_or(0);
    significand >>= zeros;
    Number::new(significand.to_i128_wrapping(), exponent + zeros as i32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rug::Float;

    /// All breakpoints of a format with 3 bits and exponents from −14 to 15, in order.
    fn breakpoints() -> (Format, Vec<Rational>) {
        let format = Format::BINARY16.with_precision(3).unwrap();
        let mut positive = vec![];
        for i in 1..8 {
            positive.push(Rational::from(i) * power_of_two(-17)); // below 2^-14: halves of 2^-16
        }
        for exponent in -14..=15 {
            for m in 8..16 {
                positive.push(Rational::from(m) * power_of_two(exponent - 3));
            }
        }
        // numbers end with 7·2^13, and with the midpoint after it
        assert_eq!(positive.last(), Some(&(largest(format) + power_of_two(12))));
        let mut all: Vec<_> = positive.iter().map(|b| -b.clone()).rev().collect();
        all.push(Rational::new());
        all.extend(positive);
        (format, all)
    }

    /// A gap as two indices; one before the first is −1.
    fn indices(gap: &Gap, all: &[Rational]) -> (isize, isize) {
        let index = |n: Number| all.binary_search(&value_of(n)).unwrap() as isize;
        (gap.below.map_or(-1, index), gap.above.map_or(all.len() as isize, index))
    }

    #[test]
    fn gaps_tile_the_line() {
        let (format, all) = breakpoints();
        for (i, pair) in all.windows(2).enumerate() {
            assert_eq!(Gap::around(&pair[0], format), None);
            for part in 1..4 {
                let value = pair[0].clone() + (&pair[1] - pair[0].clone()) * Rational::from((part, 4));
                let gap = Gap::around(&value, format).unwrap();
                assert_eq!(indices(&gap, &all), (i as isize, i as isize + 1), "{value}");
            }
        }
        let beyond = all.last().unwrap().clone() + power_of_two(-100);
        let gap = Gap::around(&beyond, format).unwrap();
        assert_eq!(indices(&gap, &all), (all.len() as isize - 1, all.len() as isize));
        let gap = Gap::around(&-beyond, format).unwrap();
        assert_eq!(indices(&gap, &all), (-1, 0));
    }

    proptest! {
        /// A range has a gap exactly if no breakpoint is a possible value.
        #[test]
        fn ranges(a in -3000i32..3000, b in 0i32..40, scale in 0u32..32, open in any::<[bool; 2]>(), unbounded in 0..6) {
            let (format, all) = breakpoints();
            let end = |n: i32| Float::with_val(64, n) << (6 - scale as i32 * 2);
            let bound = |n, is_open| if is_open { Bound::Open(end(n)) } else { Bound::Closed(end(n)) };
            let mut range = Range { below: bound(a, open[0]), above: bound(a + b, open[1]) };
            match unbounded {
                0 => range.below = Bound::Unbounded,
                1 => range.above = Bound::Unbounded,
                _ => {}
            }
            let holds = |x: &Rational| {
                let above = match &range.below {
                    Bound::Unbounded => true,
                    Bound::Open(b) => *x > *b,
                    Bound::Closed(b) => *x >= *b,
                };
                let below = match &range.above {
                    Bound::Unbounded => true,
                    Bound::Open(b) => *x < *b,
                    Bound::Closed(b) => *x <= *b,
                };
                above && below
            };
            let gap = Gap::of(&range, format);
            if b > 0 || !(open[0] || open[1]) {
                prop_assert_eq!(gap.is_some(), !all.iter().any(holds));
            }
            if let Some(gap) = gap {
                let (below, above) = indices(&gap, &all);
                prop_assert_eq!(above, below + 1);
            }
        }
    }
}
