//! Expressions in one variable x, as trees: a [`Function`] written down.

mod asymptote;
mod display;
mod identity;
mod piece;
mod range;
mod removable;

#[cfg(test)]
pub(crate) mod tests;

use std::borrow::Cow;
use std::str::FromStr;

use rug::Rational;

use crate::builtin::Builtin;
use crate::circular::Circular;
use crate::error::FunctionError;
use crate::exact::{MAX_EXACT_EXPONENT, Value};
use crate::family::Family;
use crate::function::{Asymptote, Function};
use crate::interval::Interval;
use crate::inverse::Inverse;
use crate::parse::{ParseError, parse};
use crate::range::Range;
use crate::series::Series;
use crate::special_function::{PairFunction, SpecialFunction};
use crate::symmetry::{Nearly, Parity, Translation};

/// Bits of enclosures that are asked whether they are points.
const EXACT_PRECISION: u32 = 256;

/// An expression in x. Its text (`Display`) is read back by [`parse`](crate::parse()) as the same
/// tree, within the limits of the parser.
///
/// Evaluation recurses: the parser bounds the depth of its trees
/// ([`MAX_DEPTH`](crate::parse::MAX_DEPTH)), and who builds deeper ones by hand needs the stack for
/// them.
///
/// ```
/// use tmd_functions::{Function, Interval, parse};
/// let f = parse("exp(2*x) + sin(3*x^2)")?;
/// assert_eq!(f.to_string(), "exp(2*x)+sin(3*x^2)");
/// assert_eq!(f.exact(&0.into()), Some(1.into()));
/// let y = f.enclose(&Interval::from_f64(0.5, 53)?, 100)?;
/// assert_eq!(format!("{:.10}", y.midpoint().to_f64()), "3.3999205885");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expression {
    /// A rational number.
    Const(Rational),
    /// π.
    Pi,
    /// e, the base of the natural logarithm.
    E,
    /// The variable x.
    X,
    /// −a.
    Neg(Box<Self>),
    /// a + b.
    Add(Box<Self>, Box<Self>),
    /// a − b.
    Sub(Box<Self>, Box<Self>),
    /// a · b.
    Mul(Box<Self>, Box<Self>),
    /// a / b.
    Div(Box<Self>, Box<Self>),
    /// aⁿ; a⁰ is 1.
    Powi(Box<Self>, i32),
    /// The n-th root a^(1/n), n ≠ 0; for odd n of negative numbers too.
    Rootn(Box<Self>, i32),
    /// A named function of a.
    Call(Builtin, Box<Self>),
    /// A named function of a, beyond those of IEEE 754.
    Special(SpecialFunction, Box<Self>),
    /// A named function of a and b.
    Pair(PairFunction, Box<Self>, Box<Self>),
}

/// Bits at which values that theory does not compare are compared.
const ORDER_PRECISION: u32 = 256;

impl Expression {
    /// The named function of x.
    pub fn function(builtin: Builtin) -> Self {
        Self::Call(builtin, Box::new(Self::X))
    }

    /// What it is an operation of.
    fn operands(&self) -> impl Iterator<Item = &Self> {
        let operands = match self {
            Self::Const(_) | Self::Pi | Self::E | Self::X => [None, None],
            Self::Neg(a) | Self::Powi(a, _) | Self::Rootn(a, _) | Self::Call(_, a) | Self::Special(_, a) => {
                [Some(a), None]
            }
            Self::Add(a, b) | Self::Sub(a, b) | Self::Mul(a, b) | Self::Div(a, b) | Self::Pair(_, a, b) => {
                [Some(a), Some(b)]
            }
        };
        operands.into_iter().flatten().map(|operand| &**operand)
    }

    /// Whether x occurs in it.
    pub fn contains_variable(&self) -> bool {
        matches!(self, Self::X) || self.operands().any(Self::contains_variable)
    }

    /// The range over x, by interval arithmetic.
    fn interval(&self, x: &Interval) -> Result<Interval, FunctionError> {
        if let Some(identity) = self.identity() {
            return identity.interval(x);
        }
        match self {
            Self::Const(q) => Interval::from_rational(q, x.precision()),
            Self::Pi => Interval::pi(x.precision()),
            Self::E => Interval::e(x.precision()),
            Self::X => Ok(x.clone()),
            Self::Neg(a) => Ok(a.interval(x)?.neg()),
            Self::Add(a, b) => a.interval(x)?.add(&b.interval(x)?),
            Self::Sub(a, b) => a.interval(x)?.sub(&b.interval(x)?),
            Self::Mul(a, b) => a.interval(x)?.mul(&b.interval(x)?),
            Self::Div(a, b) => a.interval(x)?.div(&b.interval(x)?),
            Self::Powi(a, n) => a.operand(x)?.powi(*n),
            Self::Rootn(a, n) => a.operand(x)?.rootn(*n),
            Self::Call(builtin, a) => builtin.interval(&*a.operand(x)?),
            Self::Special(function, a) => function.interval(&*a.operand(x)?),
            Self::Pair(function, a, b) => function.interval(&*a.operand(x)?, &*b.operand(x)?),
        }
    }

    /// The range over x as an operand: x itself is not copied.
    fn operand<'a>(&self, x: &'a Interval) -> Result<Cow<'a, Interval>, FunctionError> {
        if matches!(self, Self::X) { Ok(Cow::Borrowed(x)) } else { self.interval(x).map(Cow::Owned) }
    }

    /// The series, by Taylor arithmetic; `x` is the variable's enclosure.
    fn taylor(&self, x: &Interval, order: usize) -> Result<Series, FunctionError> {
        if let Some(identity) = self.identity() {
            return identity.series(x, order);
        }
        match self {
            Self::Const(_) | Self::Pi | Self::E => Series::constant(self.interval(x)?, order),
            Self::X => Series::variable(x, order),
            Self::Neg(a) => Ok(a.taylor(x, order)?.neg()),
            Self::Add(a, b) => a.taylor(x, order)?.add(&b.taylor(x, order)?),
            Self::Sub(a, b) => a.taylor(x, order)?.sub(&b.taylor(x, order)?),
            Self::Mul(a, b) => a.taylor(x, order)?.mul(&b.taylor(x, order)?),
            Self::Div(a, b) => a.quotient(b, x, order),
            Self::Powi(a, n) => a.taylor(x, order)?.powi(*n),
            Self::Rootn(a, n) => a.taylor(x, order)?.rootn(*n),
            Self::Call(builtin, a) => builtin.series(&a.taylor(x, order)?),
            Self::Special(function, a) => function.series(&a.taylor(x, order)?),
            Self::Pair(function, a, b) => function.series(&a.taylor(x, order)?, &b.taylor(x, order)?),
        }
    }

    /// What theory says about the value at x.
    pub(crate) fn value(&self, x: &Rational) -> Value {
        match self {
            Self::Const(q) => Value::Rational(q.clone()),
            Self::Pi | Self::E => Value::Transcendental,
            Self::X => Value::Rational(x.clone()),
            Self::Neg(a) => a.value(x).neg(),
            Self::Add(a, b) => a.value(x).add(b.value(x)),
            Self::Sub(a, b) => a.value(x).add(b.value(x).neg()),
            Self::Mul(a, b) => a.value(x).mul(b.value(x)),
            Self::Div(a, b) => a.value(x).mul(b.value(x).recip()),
            Self::Powi(a, n) => a.value(x).powi(*n),
            Self::Rootn(a, n) => a.value(x).rootn(*n),
            Self::Call(builtin, a) => match (builtin, a.value(x)) {
                (builtin, Value::Rational(q)) => builtin.value(&q),
                (Builtin::Cbrt, y) => y.rootn(3),
                _ => Value::Unknown,
            },
            Self::Special(function, a) => function.value_of(a.value(x)),
            Self::Pair(function, a, b) => function.value(a.value(x), b.value(x), Self::order_at(a, b, x)),
        }
    }
}

impl Expression {
    /// How the values of a and b at x compare, where their enclosures tell; asked of functions of
    /// two arguments.
    fn order_at(a: &Self, b: &Self, x: &Rational) -> Option<std::cmp::Ordering> {
        let at = Interval::from_rational(x, ORDER_PRECISION).ok()?;
        let (a, b) = (a.interval(&at).ok()?, b.interval(&at).ok()?);
        match (a.hi() < b.lo(), b.hi() < a.lo()) {
            (true, _) => Some(std::cmp::Ordering::Less),
            (_, true) => Some(std::cmp::Ordering::Greater),
            _ => None,
        }
    }
}

/// The enclosures are computed at the larger of `precision` and the precision of `at`.
impl Function for Expression {
    fn name(&self) -> String {
        self.to_string()
    }

    fn series(&self, at: &Interval, order: usize, precision: u32) -> Result<Series, FunctionError> {
        self.taylor(&at.round_to(precision.max(at.precision()))?, order)
    }

    fn enclose(&self, at: &Interval, precision: u32) -> Result<Interval, FunctionError> {
        let x =
            if at.precision() >= precision { Cow::Borrowed(at) } else { Cow::Owned(at.round_to(precision)?) };
        match self.interval(&x) {
            // a part is beyond all numbers of MPFR, but the whole need not be
            Err(error @ FunctionError::Overflow { .. }) => {
                self.bounds(&x).ok().and_then(|range| range.closure()).ok_or(error)
            }
            enclosure => enclosure,
        }
    }

    /// Where an enclosure has an end that MPFR cannot hold, the range has none; bounds that are
    /// proved never to be taken are open.
    ///
    /// # Errors
    /// Those of the enclosure.
    fn range(&self, at: &Interval, precision: u32) -> Result<Range, FunctionError> {
        let x = at.round_to(precision.max(at.precision()))?;
        let beside_line = |range: Range| match self.range_by_asymptote(&x) {
            Some(narrow) => range.intersection(narrow),
            None => range,
        };
        match (self.bounds(&x), self.interval(&x)) {
            (Ok(range), Ok(values)) => Ok(beside_line(range.intersection(values.into()))),
            (Ok(range), Err(_)) => Ok(beside_line(range)),
            // proved, even if the enclosure fails before it comes to that
            (Err(error @ FunctionError::OutsideDomain { everywhere: true, .. }), _) => Err(error),
            (Err(_), values) => Ok(values?.into()),
        }
    }

    fn asymptote(&self, at: &Interval, precision: u32) -> Option<Asymptote> {
        self.asymptote_over(&at.round_to(precision.max(at.precision())).ok()?)
    }

    fn split(&self, x: &Interval, precision: u32) -> Option<(Rational, Range)> {
        let x = x.round_to(precision.max(x.precision())).ok()?;
        if x.is_point() { self.split_at(&x) } else { None }
    }

    fn exact(&self, x: &Rational) -> Option<Rational> {
        match self.value(x) {
            Value::Rational(q) => Some(q),
            Value::Transcendental | Value::Irrational => None,
            // an enclosure that is a point is the value: 0 times anything, most of all
            Value::Unknown => {
                let point = Interval::from_rational(x, EXACT_PRECISION).ok().filter(Interval::is_point)?;
                let y = self.interval(&point).ok().filter(Interval::is_point)?;
                let is_short = y.lo().get_exp().is_none_or(|e| e.unsigned_abs() < MAX_EXACT_EXPONENT);
                if is_short { y.lo().to_rational() } else { None }
            }
        }
    }

    fn proves_irrational(&self, x: &Rational) -> bool {
        matches!(self.value(x), Value::Transcendental | Value::Irrational)
    }

    fn exact_rule(&self) -> Option<String> {
        self.rule_of_x()
    }

    fn parity(&self) -> Option<Parity> {
        self.structural_parity()
    }

    /// For the named functions, roots and powers of x itself.
    fn translation(&self) -> Option<Translation> {
        let power =
            |ratio: i32, log2_factor| Translation::Power { log2_ratio: ratio.unsigned_abs(), log2_factor };
        match self {
            Self::Call(builtin, a) if **a == Self::X => builtin.translation(),
            Self::Powi(a, n) if **a == Self::X && *n != 0 => Some(power(1, *n)),
            Self::Rootn(a, n) if **a == Self::X && *n != 0 => Some(power(*n, n.signum())),
            Self::Div(one, a) if **a == Self::X && matches!(&**one, Self::Const(q) if *q == 1) => {
                Some(power(1, -1))
            }
            _ => None,
        }
    }

    fn piece(&self, at: &Interval) -> Option<Expression> {
        self.piece_over(at)
    }

    fn circular(&self) -> Option<Circular> {
        match self {
            Self::Call(Builtin::Sin, a) if **a == Self::X => Some(Circular::Sin),
            Self::Call(Builtin::Cos, a) if **a == Self::X => Some(Circular::Cos),
            Self::Call(Builtin::Tan, a) if **a == Self::X => Some(Circular::Tan),
            _ => None,
        }
    }

    fn nearly(&self) -> Option<Nearly> {
        match self {
            Self::Call(builtin, a) if **a == Self::X => builtin.nearly(),
            _ => None,
        }
    }

    fn inverse(&self) -> Option<Inverse> {
        self.inverse_of_x()
    }

    fn family(&self) -> Option<Family> {
        Family::of_expression(self)
    }

    fn is_square_root(&self) -> bool {
        match self {
            Self::Call(Builtin::Sqrt, a) | Self::Rootn(a, 2) => **a == Self::X,
            _ => false,
        }
    }
}

impl FromStr for Expression {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        parse(text)
    }
}
