//! Bounds of all values of a function over an interval, where an enclosure alone does not say
//! enough: [`Range`].
//!
//! An [`Interval`] is closed and finite. A [`Range`] may be unbounded on a side (e^x where it
//! exceeds every number that MPFR has), and may say that a bound is never taken (e^x > 0 where e^x
//! itself rounds to 0; tanh x < 1; e^x > 1 for every x > 0, however small).
//!
//! # How strictness is proved
//!
//! A function that increases takes values ≥ f(a) over ξ ≥ a. MPFR rounds f(a) down to b and says
//! whether that is exact: if not, b < f(a) ≤ f(ξ), and b is never taken. The same holds of sums,
//! products and powers of bounds. No table of values that are never taken is needed, but for the
//! limits at ±∞.

mod builtin;

#[cfg(test)]
mod tests;

use std::cmp::Ordering;
use std::fmt;

use rug::Float;
use rug::float::Round;
use rug::ops::{CompleteRound, Pow};

use crate::interval::Interval;

/// What is proved of all values on one side.
#[derive(Clone, Debug, PartialEq)]
pub enum Bound {
    /// Nothing.
    Unbounded,
    /// They stay strictly above (below) this number, which is finite.
    Open(Float),
    /// They reach this number, which is finite, at most.
    Closed(Float),
}

/// What is proved of **all** values f(ξ), ξ in an interval: each satisfies both bounds.
///
/// ```
/// use tmd_functions::{Bound, Function, Interval, parse};
/// let f = parse("1-2*exp(x)")?;
/// let [least, zero] = [-1e300, 0.0].map(|x| rug::Float::with_val(64, x));
/// let range = f.range(&Interval::new(least, zero)?, 64)?;
/// assert_eq!(range.below, Bound::Closed(rug::Float::with_val(64, -1))); // f(0)
/// assert_eq!(range.above, Bound::Open(rug::Float::with_val(64, 1))); // f < 1, though f rounds to 1
/// let range = f.range(&Interval::from_f64(1e300, 64)?, 64)?;
/// assert_eq!(range.below, Bound::Unbounded);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Range {
    /// The bound from below: `Open(b)` is f(ξ) > b, `Closed(b)` is f(ξ) ≥ b.
    pub below: Bound,
    /// The bound from above: `Open(b)` is f(ξ) < b, `Closed(b)` is f(ξ) ≤ b.
    pub above: Bound,
}

impl Bound {
    /// The number, if there is a bound.
    pub fn value(&self) -> Option<&Float> {
        match self {
            Self::Unbounded => None,
            Self::Open(b) | Self::Closed(b) => Some(b),
        }
    }

    /// Whether no value equals the number.
    pub fn is_open(&self) -> bool {
        matches!(self, Self::Open(_))
    }

    /// The bound `b`, which is never taken if `is_open`. A bound beyond all numbers of MPFR says
    /// nothing.
    fn new(b: Float, is_open: bool) -> Self {
        if !b.is_finite() {
            Self::Unbounded
        } else if is_open {
            Self::Open(b)
        } else {
            Self::Closed(b)
        }
    }

    /// The bound of −f on the other side.
    fn neg(self) -> Self {
        match self {
            Self::Unbounded => Self::Unbounded,
            Self::Open(b) => Self::Open(-b),
            Self::Closed(b) => Self::Closed(-b),
        }
    }

    /// As a bound from below: whether all values are ≥ 0.
    fn is_at_least_zero(&self) -> bool {
        self.value().is_some_and(|b| *b >= 0)
    }

    /// As a bound from above: whether all values are ≤ 0.
    fn is_at_most_zero(&self) -> bool {
        self.value().is_some_and(|b| *b <= 0)
    }

    /// As a bound from below: whether all values are > 0.
    fn is_positive(&self) -> bool {
        self.value().is_some_and(|b| *b > 0 || self.is_open() && b.is_zero())
    }

    /// The product of two bounds ≥ 0 from the same side; `round` leads away from the values.
    ///
    /// Say f > a and g ≥ b > 0, or g > b ≥ 0: then f·g > a·b. Say f < a and 0 ≤ g ≤ b with b > 0:
    /// then f·g < a·b, also if f is negative.
    fn product(&self, other: &Self, round: Round) -> Self {
        let (Some(a), Some(b)) = (self.value(), other.value()) else {
            return Self::Unbounded;
        };
        debug_assert!(*a >= 0 && *b >= 0);
        let (product, rounding) = (a * b).complete_round(a.prec().max(b.prec()), round);
        let is_open =
            self.is_open() && (*b > 0 || other.is_open()) || other.is_open() && (*a > 0 || self.is_open());
        Self::new(product, is_open || rounding.is_ne())
    }

    /// The bound of a sum; `round` leads away from the values.
    fn add(&self, other: &Self, round: Round) -> Self {
        let (Some(a), Some(b)) = (self.value(), other.value()) else {
            return Self::Unbounded;
        };
        let (sum, rounding) = (a + b).complete_round(a.prec().max(b.prec()), round);
        Self::new(sum, self.is_open() || other.is_open() || rounding.is_ne())
    }
}

impl Range {
    /// The values of a number that `enclosure` encloses, where the ends are taken only if it is a
    /// point: the rounded-down and rounded-up number.
    pub(crate) fn of_number(enclosure: Interval) -> Self {
        let is_inexact = !enclosure.is_point();
        let (lo, hi) = enclosure.into_endpoints();
        Self { below: Bound::new(lo, is_inexact), above: Bound::new(hi, is_inexact) }
    }

    /// Whether the number `x` (a [`Float`], [`Rational`](rug::Rational), f64, …) satisfies both
    /// bounds; compared exactly.
    pub fn contains<T>(&self, x: &T) -> bool
    where
        Float: PartialOrd<T>,
    {
        let above_below = match &self.below {
            Bound::Unbounded => true,
            Bound::Open(b) => b < x,
            Bound::Closed(b) => b <= x,
        };
        above_below
            && match &self.above {
                Bound::Unbounded => true,
                Bound::Open(b) => b > x,
                Bound::Closed(b) => b >= x,
            }
    }

    /// What both ranges say; their values are the same, so that they have some in common.
    #[must_use]
    pub fn intersection(self, other: Self) -> Self {
        let tighter = |a: Bound, b: Bound, wanted: Ordering| match a.value().partial_cmp(&b.value()) {
            Some(order) if order == wanted || order.is_eq() && a.is_open() => a,
            _ => b,
        };
        // a missing bound is below every number in this order: it must not win from above
        let above = match (self.above, other.above) {
            (Bound::Unbounded, b) | (b, Bound::Unbounded) => b,
            (a, b) => tighter(a, b, Ordering::Less),
        };
        Self { below: tighter(self.below, other.below, Ordering::Greater), above }
    }

    /// The smallest closed interval that holds all that satisfies both bounds; `None` if a side is
    /// unbounded.
    pub fn closure(&self) -> Option<Interval> {
        Interval::new(self.below.value()?.clone(), self.above.value()?.clone()).ok()
    }

    /// The range of −f.
    pub(crate) fn neg(self) -> Self {
        Self { below: self.above.neg(), above: self.below.neg() }
    }

    /// The range of f + g.
    pub(crate) fn add(&self, other: &Self) -> Self {
        Self {
            below: self.below.add(&other.below, Round::Down),
            above: self.above.add(&other.above, Round::Up),
        }
    }

    /// The range of 2^exponent·f.
    pub(crate) fn scaled(&self, exponent: i32) -> Self {
        let scaled = |bound: &Bound, round: Round| {
            bound.value().map_or(Bound::Unbounded, |b| {
                let (scaled, rounding) = (b << exponent).complete_round(b.prec(), round);
                Bound::new(scaled, bound.is_open() || rounding.is_ne())
            })
        };
        Self { below: scaled(&self.below, Round::Down), above: scaled(&self.above, Round::Up) }
    }

    /// The range of f·g; `None` if neither of them is proved to have one sign.
    pub(crate) fn mul(&self, other: &Self) -> Option<Self> {
        if other.below.is_at_least_zero() {
            Some(self.times(other))
        } else if self.below.is_at_least_zero() {
            Some(other.times(self))
        } else if other.above.is_at_most_zero() {
            Some(self.times(&other.clone().neg()).neg())
        } else if self.above.is_at_most_zero() {
            Some(other.times(&self.clone().neg()).neg())
        } else {
            None
        }
    }

    /// The range of f·g for g ≥ 0: the least product has the least g if f ≥ 0, else the greatest;
    /// likewise the greatest.
    fn times(&self, g: &Self) -> Self {
        let below = if self.below.is_at_least_zero() {
            self.below.product(&g.below, Round::Down)
        } else {
            self.below.clone().neg().product(&g.above, Round::Up).neg()
        };
        let above = if self.above.is_at_most_zero() {
            self.above.clone().neg().product(&g.below, Round::Down).neg()
        } else {
            self.above.product(&g.above, Round::Up)
        };
        Self { below, above }
    }

    /// The range of fⁿ; `None` if n < 0 and the bounds do not prove that f ≠ 0 has one sign.
    pub(crate) fn powi(&self, n: i32, precision: u32) -> Option<Self> {
        let power = |bound: &Bound, round: Round| {
            bound.value().map_or(Bound::Unbounded, |a| {
                let (power, rounding) = a.pow(n).complete_round(a.prec(), round);
                Bound::new(power, bound.is_open() || rounding.is_ne())
            })
        };
        let base = if n % 2 == 0 { self.clone().abs(precision) } else { self.clone() };
        if n == 0 {
            let one = Bound::Closed(Float::with_val(precision, 1));
            return Some(Self { below: one.clone(), above: one });
        }
        if n > 0 {
            return Some(Self {
                below: power(&base.below, Round::Down),
                above: power(&base.above, Round::Up),
            });
        }
        // over f > 0 it decreases from +∞ to 0
        if base.below.is_positive() {
            let below = match &base.above {
                Bound::Unbounded => Bound::Open(Float::new(precision)),
                above => power(above, Round::Down),
            };
            return Some(Self { below, above: power(&base.below, Round::Up) }); // 0ⁿ is infinite: no bound
        }
        // an odd power, as an even one has |f| for f
        let negative = base.neg();
        if negative.below.is_positive() { negative.powi(n, precision).map(Self::neg) } else { None }
    }

    /// The range of the smaller one of f and g.
    pub(crate) fn min(&self, other: &Self) -> Self {
        // from below it needs both bounds, and is open at the lesser one if no closed bound is
        // there
        let below = match (self.below.value(), other.below.value()) {
            (Some(a), Some(b)) if a < b || a == b && !self.below.is_open() => self.below.clone(),
            (Some(_), Some(_)) => other.below.clone(),
            _ => Bound::Unbounded,
        };
        let above = match (self.above.value(), other.above.value()) {
            (Some(a), Some(b)) if a < b || a == b && self.above.is_open() => self.above.clone(),
            (Some(_), None) => self.above.clone(),
            _ => other.above.clone(),
        };
        Self { below, above }
    }

    /// The range of |f|.
    pub(crate) fn abs(self, precision: u32) -> Self {
        if self.below.is_at_least_zero() {
            return self;
        }
        let negative = self.clone().neg();
        if negative.below.is_at_least_zero() {
            return negative;
        }
        let above = match (self.above, negative.above) {
            (Bound::Unbounded, _) | (_, Bound::Unbounded) => Bound::Unbounded,
            (a, b) => {
                let order = a.value().partial_cmp(&b.value());
                let is_first =
                    order == Some(Ordering::Greater) || order == Some(Ordering::Equal) && !a.is_open();
                if is_first { a } else { b }
            }
        };
        Self { below: Bound::Closed(Float::new(precision)), above }
    }
}

/// The ends are values that may be taken.
impl From<Interval> for Range {
    fn from(values: Interval) -> Self {
        let (lo, hi) = values.into_endpoints();
        Self { below: Bound::Closed(lo), above: Bound::Closed(hi) }
    }
}

/// `[lo, hi)` in decimal, rounded outward as intervals are; a side without a bound is `(-inf` or
/// `inf)`.
impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = |b: &Float, round| crate::interval::decimal(b, round);
        match &self.below {
            Bound::Unbounded => f.write_str("(-inf, ")?,
            Bound::Open(b) => write!(f, "({}, ", text(b, Round::Down))?,
            Bound::Closed(b) => write!(f, "[{}, ", text(b, Round::Down))?,
        }
        match &self.above {
            Bound::Unbounded => f.write_str("inf)"),
            Bound::Open(b) => write!(f, "{})", text(b, Round::Up)),
            Bound::Closed(b) => write!(f, "{}]", text(b, Round::Up)),
        }
    }
}
