//! The ranges of expressions: as their enclosures, but for the nodes that pass on unbounded and
//! open sides.

use crate::error::FunctionError;
use crate::expression::Expression;
use crate::interval::{Interval, overflow};
use crate::range::Range;

impl Expression {
    /// The range over x. Products of two factors that both may have either sign, quotients with a
    /// divisor that may be 0, and roots need both sides of their operands; all else passes on
    /// unbounded and open sides.
    ///
    /// # Errors
    /// Those of the enclosure; [`Overflow`](FunctionError::Overflow) also where a side is missing.
    pub(super) fn bounds(&self, x: &Interval) -> Result<Range, FunctionError> {
        if let Some(identity) = self.identity() {
            return identity.bounds(x);
        }
        let precision = x.precision();
        match self {
            Self::Const(_) | Self::Pi | Self::E => Ok(Range::of_number(self.interval(x)?)),
            Self::X => Ok(x.clone().into()),
            Self::Neg(a) => Ok(a.bounds(x)?.neg()),
            Self::Add(a, b) => Ok(a.bounds(x)?.add(&b.bounds(x)?)),
            Self::Sub(a, b) => Ok(a.bounds(x)?.add(&b.bounds(x)?.neg())),
            Self::Mul(a, b) => {
                let (f, g) = (a.bounds(x)?, b.bounds(x)?);
                match f.mul(&g) {
                    Some(product) => Ok(product),
                    None => Ok(closed(&f, "multiplication")?.mul(&closed(&g, "multiplication")?)?.into()),
                }
            }
            Self::Div(a, b) => {
                let (f, g) = (a.bounds(x)?, b.bounds(x)?);
                match g.powi(-1, precision).and_then(|reciprocal| f.mul(&reciprocal)) {
                    Some(quotient) => Ok(quotient),
                    None => Ok(closed(&f, "division")?.div(&closed(&g, "division")?)?.into()),
                }
            }
            Self::Powi(a, n) => {
                let f = a.bounds(x)?;
                match f.powi(*n, precision) {
                    Some(power) => Ok(power),
                    None => Ok(closed(&f, "integer power")?.powi(*n)?.into()),
                }
            }
            Self::Rootn(a, n) => Ok(closed(&a.bounds(x)?, "rootn")?.rootn(*n)?.into()),
            Self::Call(builtin, a) => builtin.range(&a.bounds(x)?, precision),
            Self::Special(function, a) => function.range(&a.bounds(x)?, precision),
            Self::Pair(function, a, b) => function.range(&a.bounds(x)?, &b.bounds(x)?, precision),
        }
    }
}

/// Both sides of a range.
fn closed(range: &Range, function: &str) -> Result<Interval, FunctionError> {
    range.closure().ok_or_else(|| overflow(function, range.to_string()))
}
