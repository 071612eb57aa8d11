//! The one piece that an expression is over an interval where |a|, min, max and copysign are
//! decided.

use crate::expression::Expression;
use crate::interval::Interval;
use crate::special_function::{PairFunction, SpecialFunction};

impl Expression {
    /// Whether it has several pieces.
    fn has_pieces(&self) -> bool {
        use PairFunction::{Copysign, Max, Min};
        matches!(self, Self::Special(SpecialFunction::Abs, _) | Self::Pair(Min | Max | Copysign, _, _))
            || self.operands().any(Self::has_pieces)
    }

    /// An expression without pieces that has the same values all over x; `None` if this one has
    /// none, or enclosures do not decide them.
    pub(super) fn piece_over(&self, x: &Interval) -> Option<Self> {
        if self.has_pieces() { self.decided(x) } else { None }
    }

    fn decided(&self, x: &Interval) -> Option<Self> {
        let part = |a: &Self| a.decided(x).map(Box::new);
        Some(match self {
            Self::Const(_) | Self::Pi | Self::E | Self::X => self.clone(),
            Self::Neg(a) => Self::Neg(part(a)?),
            Self::Powi(a, n) => Self::Powi(part(a)?, *n),
            Self::Rootn(a, n) => Self::Rootn(part(a)?, *n),
            Self::Call(builtin, a) => Self::Call(*builtin, part(a)?),
            Self::Special(SpecialFunction::Abs, a) => a.magnitude(x)?,
            Self::Special(function, a) => Self::Special(*function, part(a)?),
            Self::Add(a, b) => Self::Add(part(a)?, part(b)?),
            Self::Sub(a, b) => Self::Sub(part(a)?, part(b)?),
            Self::Mul(a, b) => Self::Mul(part(a)?, part(b)?),
            Self::Div(a, b) => Self::Div(part(a)?, part(b)?),
            Self::Pair(PairFunction::Hypot, a, b) => Self::Pair(PairFunction::Hypot, part(a)?, part(b)?),
            Self::Pair(PairFunction::Copysign, a, b) => {
                let (magnitude, sign) = (a.magnitude(x)?, b.interval(x).ok()?);
                match (*sign.lo() >= 0, *sign.hi() < 0) {
                    (true, _) => magnitude,
                    (_, true) => Self::Neg(Box::new(magnitude)),
                    _ => return None,
                }
            }
            Self::Pair(function, a, b) => {
                let (f, g) = (a.interval(x).ok()?, b.interval(x).ok()?);
                let is_min = *function == PairFunction::Min;
                match (f.hi() <= g.lo(), g.hi() <= f.lo()) {
                    (true, _) => if is_min { a } else { b }.decided(x)?,
                    (_, true) => if is_min { b } else { a }.decided(x)?,
                    _ => return None,
                }
            }
        })
    }

    /// |self| where it has one sign.
    fn magnitude(&self, x: &Interval) -> Option<Self> {
        let values = self.interval(x).ok()?;
        match (*values.lo() >= 0, *values.hi() <= 0) {
            (true, _) => self.decided(x),
            (_, true) => Some(Self::Neg(Box::new(self.decided(x)?))),
            _ => None,
        }
    }
}
