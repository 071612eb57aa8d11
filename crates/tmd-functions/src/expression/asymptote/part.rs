//! [`Part`]: a part of an expression as a line and a remainder.

use rug::Rational;

use crate::exact::Value;
use crate::interval::Interval;
use crate::range::{Bound, Range};
use crate::special::Sign;

/// Numerators and denominators of lines have fewer bits than this; longer ones are no numbers of
/// formats.
const LONGEST: u32 = 1 << 13;

/// Where parts are written as lines.
pub(super) struct LineBase<'a> {
    pub(super) x: &'a Interval,
    /// x, if it is a point.
    pub(super) point: Option<Rational>,
}

/// ℓ + r
pub(super) struct Part {
    pub(super) constant: Rational,
    pub(super) slope: Rational,
    pub(super) rest: Range,
}

impl LineBase<'_> {
    pub(super) fn number(&self, constant: Rational) -> Part {
        Part { constant, slope: Rational::new(), rest: zero(self.x.precision()) }
    }

    pub(super) fn variable(&self) -> Part {
        match &self.point {
            Some(x) => self.number(x.clone()),
            None => Part { slope: 1.into(), ..self.number(Rational::new()) },
        }
    }

    /// The range of a line.
    pub(super) fn line(&self, constant: &Rational, slope: &Rational) -> Option<Range> {
        let precision = self.x.precision();
        let constant = Range::of_number(Interval::from_rational(constant, precision).ok()?);
        if slope.is_zero() {
            return Some(constant);
        }
        let product = Range::from(self.x.clone()).scaled_by(slope, self)?;
        Some(product.add(&constant))
    }
}

impl Part {
    pub(super) fn is_constant(&self) -> bool {
        self.slope.is_zero()
    }

    /// Whether there is no remainder.
    pub(super) fn is_exact(&self) -> bool {
        let is_zero = |bound: &Bound| matches!(bound, Bound::Closed(b) if b.is_zero());
        is_zero(&self.rest.below) && is_zero(&self.rest.above)
    }

    /// Whether the remainder is less than half of the line all over the place; else it says more as
    /// one range with it.
    pub(super) fn is_near(&self, at: &LineBase) -> bool {
        let line = at.line(&self.constant, &self.slope).and_then(|line| line.closure());
        match (line, self.rest.closure()) {
            (Some(line), Some(rest)) => rest.mag() <= line.mig() >> 1,
            _ => false,
        }
    }

    pub(super) fn is_short(&self) -> bool {
        [&self.constant, &self.slope]
            .iter()
            .all(|q| q.numer().significant_bits().max(q.denom().significant_bits()) < LONGEST)
    }

    pub(super) fn neg(self) -> Self {
        Self { constant: -self.constant, slope: -self.slope, rest: self.rest.neg() }
    }

    pub(super) fn add(self, other: &Self) -> Self {
        let (constant, slope) = (self.constant + &other.constant, self.slope + &other.slope);
        Self { constant, slope, rest: self.rest.add(&other.rest) }
    }

    pub(super) fn plus(self, rest: &Range) -> Self {
        Self { rest: self.rest.add(rest), ..self }
    }
}

impl Range {
    /// The sign of all values, none of which is 0.
    pub(super) fn side(&self) -> Option<Sign> {
        let is_above = |bound: &Bound| match bound {
            Bound::Unbounded => false,
            Bound::Open(b) => *b >= 0,
            Bound::Closed(b) => *b > 0,
        };
        if is_above(&self.below) {
            Some(Sign::Positive)
        } else if is_above(&self.clone().neg().below) {
            Some(Sign::Negative)
        } else {
            None
        }
    }

    /// The range of q·f.
    pub(super) fn scaled_by(&self, q: &Rational, at: &LineBase) -> Option<Self> {
        if *q == 1 {
            return Some(self.clone());
        }
        let precision = at.x.precision();
        if q.is_zero() {
            return Some(zero(precision));
        }
        self.mul(&Self::of_number(Interval::from_rational(q, precision).ok()?))
    }

    /// The range of f·g, whatever their signs.
    pub(super) fn times_any(&self, other: &Self) -> Option<Self> {
        self.mul(other).or_else(|| Some(self.closure()?.mul(&other.closure()?).ok()?.into()))
    }
}

pub(super) fn zero(precision: u32) -> Range {
    let zero = Bound::Closed(rug::Float::new(precision));
    Range { below: zero.clone(), above: zero }
}

pub(super) fn rational(value: Value) -> Option<Rational> {
    match value {
        Value::Rational(q) => Some(q),
        _ => None,
    }
}

/// The number of a point, if it is no longer than numbers of formats are.
pub(super) fn short(x: &Interval) -> Option<Rational> {
    let is_short = x.lo().get_exp().is_none_or(|exponent| exponent.unsigned_abs() < LONGEST / 2);
    if is_short { x.lo().to_rational() } else { None }
}
