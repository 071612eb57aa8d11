//! Functions of one argument that are no names of the language, but what sums of named functions
//! amount to: [`Composite`].
//!
//! An expression such as log(1 + eᵘ) is a chain of operations, and evaluated as one it loses what
//! it is about: where u is −1000 the sum is 1, where u is 2^40 the exponential is beyond all
//! numbers. Each function here is one operation, with forms in which nothing cancels or overflows,
//! and it is known to be monotonic, so that its range over an interval is that of the ends. Which
//! expressions are such functions is said in [`identity`](crate::expression); the proofs are in
//! `docs/proofs/piece.md` (Lemma P.27).

use crate::builtin::Builtin;
use crate::error::FunctionError;
use crate::interval::Interval;
use crate::range::{Bound, Range};
use crate::series::Series;

/// A function of u.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Composite {
    /// The logarithm of 1 + bᵘ to the base b, which increases from 0 and tends to u.
    Softplus(Base),
    /// 1 + tanh u, which increases from 0 to 2.
    OnePlusTanh,
    /// log cosh u, which is even and increases for u > 0.
    LogCosh,
}

/// The base b of exponentials and logarithms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Base {
    E,
    Two,
    Ten,
}

impl Base {
    pub(crate) const ALL: [Self; 3] = [Self::E, Self::Two, Self::Ten];

    /// bᵘ, bᵘ − 1, the logarithm to the base b, and that of 1 + u.
    fn builtins(self) -> [Builtin; 4] {
        match self {
            Self::E => [Builtin::Exp, Builtin::Expm1, Builtin::Ln, Builtin::Logp1],
            Self::Two => [Builtin::Exp2, Builtin::Exp2m1, Builtin::Log2, Builtin::Log2p1],
            Self::Ten => [Builtin::Exp10, Builtin::Exp10m1, Builtin::Log10, Builtin::Log10p1],
        }
    }

    /// bᵘ
    pub(crate) fn exponential(self) -> Builtin {
        self.builtins()[0]
    }

    /// bᵘ − 1
    pub(crate) fn exponential_less_one(self) -> Builtin {
        self.builtins()[1]
    }

    /// The logarithm to the base b.
    pub(crate) fn logarithm(self) -> Builtin {
        self.builtins()[2]
    }

    /// The logarithm of 1 + u to the base b.
    pub(crate) fn logarithm_plus_one(self) -> Builtin {
        self.builtins()[3]
    }
}

impl Composite {
    /// An enclosure of the range over an interval.
    pub(crate) fn interval(self, u: &Interval) -> Result<Interval, FunctionError> {
        let (least, greatest) =
            if self == Self::LogCosh { (u.mig(), u.mag()) } else { (u.lo().clone(), u.hi().clone()) };
        let lowest = self.at(&Interval::point(least)?)?;
        if u.is_point() {
            return Ok(lowest);
        }
        let highest = self.at(&Interval::point(greatest)?)?;
        Interval::new(lowest.into_endpoints().0, highest.into_endpoints().1)
    }

    /// The value at a point, in the form that suits its sign.
    fn at(self, u: &Interval) -> Result<Interval, FunctionError> {
        let one = Interval::from_f64(1.0, u.precision())?;
        match self {
            Self::Softplus(base) => {
                let (exponential, logarithm) = (base.exponential(), base.logarithm_plus_one());
                if *u.lo() >= 0 {
                    u.add(&logarithm.interval(&exponential.interval(&u.neg())?)?)
                } else {
                    logarithm.interval(&exponential.interval(u)?)
                }
            }
            Self::OnePlusTanh => {
                let double = u.mul_2exp(1)?;
                if *u.lo() >= 0 {
                    one.mul_2exp(1)?.div(&one.add(&double.neg().exp()?)?)
                } else {
                    let e = double.exp()?;
                    e.mul_2exp(1)?.div(&one.add(&e)?)
                }
            }
            Self::LogCosh if *u.lo() < 1 => u.mul_2exp(-1)?.sinh()?.sqr()?.mul_2exp(1)?.logp1(),
            Self::LogCosh => {
                let rest = u.mul_2exp(1)?.neg().exp()?.logp1()?;
                u.add(&rest.sub(&Interval::ln_2(u.precision())?)?)
            }
        }
    }

    /// The function of a series.
    pub(crate) fn series(self, u: &Series) -> Result<Series, FunctionError> {
        let c_0 = self.interval(&u.coefficients()[0])?;
        let one = Series::constant(Interval::from_f64(1.0, u.precision())?, u.order())?;
        let is_positive = *u.coefficients()[0].lo() >= 0;
        let series = match self {
            Self::Softplus(base) => {
                let exponential = base.exponential();
                if is_positive {
                    // its derivative is 1/(1 + b⁻ᵘ), for every base
                    let slope = one.add(&exponential.series(&u.neg())?)?.recip()?;
                    return u.with_slope(c_0, &slope);
                }
                base.logarithm_plus_one().series(&exponential.series(u)?)?
            }
            Self::OnePlusTanh => {
                let double = u.add(u)?;
                if is_positive {
                    one.add(&one)?.div(&one.add(&double.neg().exp()?)?)?
                } else {
                    let e = double.exp()?;
                    e.add(&e)?.div(&one.add(&e)?)?
                }
            }
            Self::LogCosh => return u.with_slope(c_0, &u.tanh()?),
        };
        Ok(series.with_constant(c_0))
    }

    /// What is proved of f(y), for all y that satisfy the bounds of `g`.
    pub(crate) fn range(self, g: &Range, precision: u32) -> Result<Range, FunctionError> {
        let g = if self == Self::LogCosh { &g.clone().abs(precision) } else { g };
        let limit = |n: i32| Bound::Open(rug::Float::with_val(precision, n));
        // no value overflows, and each is transcendental or taken at one point only: a rounded
        // bound is never taken
        let value = |bound: &Bound, is_below: bool| -> Result<Option<Bound>, FunctionError> {
            let Some(a) = bound.value() else { return Ok(None) };
            let value = self.interval(&Interval::point(a.clone())?)?;
            let is_open = bound.is_open() || !value.is_point();
            let (lo, hi) = value.into_endpoints();
            let end = if is_below { lo } else { hi };
            Ok(Some(if is_open { Bound::Open(end) } else { Bound::Closed(end) }))
        };
        let below = value(&g.below, true)?.unwrap_or_else(|| limit(0));
        let above = value(&g.above, false)?;
        let above =
            above.unwrap_or_else(|| if self == Self::OnePlusTanh { limit(2) } else { Bound::Unbounded });
        Ok(Range { below, above })
    }
}
