//! Expressions that are evaluated in another form, because in their own terms cancel: [`Identity`].
//!
//! | expression | is evaluated as | because |
//! |---|---|---|
//! | eᵘ − 1, 2ᵘ − 1, 10ᵘ − 1 | expm1 u, exp2m1 u, exp10m1 u | by definition |
//! | 1 + expm1 u, … | eᵘ, … | by definition |
//! | 1 + erf u, 1 − erf u, 1 − erfc u | erfc(−u), erfc u, erf u | erfc = 1 − erf, and erf is odd |
//! | 1 ± tanh u | 2/(1 + e^(∓2u)) | tanh u = (e^2u − 1)/(e^2u + 1) |
//! | cosh u − 1, 1 − cos u | 2·sinh²(u/2), 2·sin²(u/2) | half angles |
//! | log(1 + u), log2(1 + u), log10(1 + u) | logp1 u, … | by definition |
//! | log to the base b of 1 + bᵘ | u + the same of 1 + b^(−u) where u ≥ 0 | bᵘ is taken out of the sum |
//! | log cosh u | \|u\| − log 2 + logp1(e^(−2\|u\|)), or logp1(2·sinh²(u/2)) | the same |
//!
//! Both sides of each line are defined at the same u and equal there, so whatever encloses the
//! right side encloses the left one. The order of operands and minus signs before them do not
//! matter. The tree stays what it is: it is printed, compared and evaluated at zeros, infinities
//! and NaN ([`special`](crate::special)) as it was written.
//!
//! Lemma P.27 of docs/proofs/piece.md.

use crate::builtin::Builtin;
use crate::composite::{Base, Composite};
use crate::error::FunctionError;
use crate::expression::Expression;
use crate::interval::Interval;
use crate::range::Range;
use crate::series::Series;

/// Another form of an expression: ± a function of ±u.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Identity<'a> {
    pub(super) function: Form,
    /// u
    pub(super) of: &'a Expression,
    /// Whether the function is that of −u.
    pub(super) of_negative: bool,
    /// Whether the expression is −f.
    pub(super) is_negative: bool,
}

/// A function that no single node of a tree stands for, or another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Named(Builtin),
    Composite(Composite),
    /// 2·f(u/2)²
    TwiceSquareOfHalf(Builtin),
}

impl Expression {
    /// The other form, if the expression has one.
    pub(super) fn identity(&self) -> Option<Identity<'_>> {
        match self {
            Self::Add(a, b) => sum((a, false), (b, false)),
            Self::Sub(a, b) => sum((a, false), (b, true)),
            Self::Call(builtin, a) => logarithm(*builtin, a),
            _ => None,
        }
    }

    fn is_one(&self) -> bool {
        matches!(self, Self::Const(q) if *q == 1)
    }

    /// Without the minus signs before it, and whether their number is odd.
    fn unsigned(&self, is_negative: bool) -> (&Self, bool) {
        match self {
            Self::Neg(a) => a.unsigned(!is_negative),
            a => (a, is_negative),
        }
    }
}

/// The other form of a sum, whose terms come with their signs.
fn sum<'a>(a: (&'a Expression, bool), b: (&'a Expression, bool)) -> Option<Identity<'a>> {
    let (a, is_a_negative) = a.0.unsigned(a.1);
    let (b, is_b_negative) = b.0.unsigned(b.1);
    // ±1 and ±f(u), whichever comes first
    let (is_one_negative, (f, is_negative)) = if a.is_one() {
        (is_a_negative, (b, is_b_negative))
    } else if b.is_one() {
        (is_b_negative, (a, is_a_negative))
    } else {
        return None;
    };
    let Expression::Call(f, of) = f else { return None };
    let is_difference = is_one_negative != is_negative;
    let identity =
        |function, of_negative, is_negative| Some(Identity { function, of, of_negative, is_negative });
    for base in Base::ALL {
        if *f == base.exponential() && is_difference {
            return identity(Form::Named(base.exponential_less_one()), false, is_negative);
        }
        if *f == base.exponential_less_one() && !is_difference {
            return identity(Form::Named(base.exponential()), false, is_negative);
        }
    }
    match f {
        // ±1 ± erf u = ±(1 − erf(∓u)), with the sign of the 1 in front
        Builtin::Erf => identity(Form::Named(Builtin::Erfc), !is_difference, is_one_negative),
        Builtin::Erfc if is_difference => identity(Form::Named(Builtin::Erf), false, is_one_negative),
        Builtin::Tanh => identity(Form::Composite(Composite::OnePlusTanh), is_difference, is_one_negative),
        Builtin::Cosh if is_difference => {
            identity(Form::TwiceSquareOfHalf(Builtin::Sinh), false, is_negative)
        }
        Builtin::Cos if is_difference => {
            identity(Form::TwiceSquareOfHalf(Builtin::Sin), false, is_one_negative)
        }
        _ => None,
    }
}

/// The other form of a logarithm.
fn logarithm(logarithm: Builtin, a: &Expression) -> Option<Identity<'_>> {
    let identity =
        |function, of, of_negative| Some(Identity { function, of, of_negative, is_negative: false });
    for base in Base::ALL {
        // of 1 ± v, or its logarithm as a function of v
        let (v, of_negative) = if logarithm == base.logarithm_plus_one() {
            (a, false)
        } else if logarithm == base.logarithm() {
            match a {
                Expression::Call(Builtin::Cosh, u) if base == Base::E => {
                    return identity(Form::Composite(Composite::LogCosh), u, false);
                }
                Expression::Add(one, v) | Expression::Add(v, one) if one.is_one() => (&**v, false),
                Expression::Sub(one, v) if one.is_one() => (&**v, true),
                _ => continue,
            }
        } else {
            continue;
        };
        let (v, of_negative) = v.unsigned(of_negative);
        return match v {
            Expression::Call(exponential, u) if !of_negative && *exponential == base.exponential() => {
                identity(Form::Composite(Composite::Softplus(base)), u, false)
            }
            // what was written so is evaluated so
            _ if logarithm == base.logarithm_plus_one() => None,
            _ => identity(Form::Named(base.logarithm_plus_one()), v, of_negative),
        };
    }
    None
}

impl Form {
    pub(super) fn interval(self, u: &Interval) -> Result<Interval, FunctionError> {
        match self {
            Self::Named(builtin) => builtin.interval(u),
            Self::Composite(composite) => composite.interval(u),
            Self::TwiceSquareOfHalf(builtin) => builtin.interval(&u.mul_2exp(-1)?)?.sqr()?.mul_2exp(1),
        }
    }

    pub(super) fn series(self, u: &Series) -> Result<Series, FunctionError> {
        match self {
            Self::Named(builtin) => builtin.series(u),
            Self::Composite(composite) => composite.series(u),
            Self::TwiceSquareOfHalf(builtin) => {
                let half = Interval::from_f64(0.5, u.precision())?;
                let square = builtin.series(&u.scale(&half)?)?.sqr()?;
                square.add(&square)
            }
        }
    }

    pub(super) fn range(self, u: &Range, precision: u32) -> Result<Range, FunctionError> {
        match self {
            Self::Named(builtin) => builtin.range(u, precision),
            Self::Composite(composite) => composite.range(u, precision),
            Self::TwiceSquareOfHalf(builtin) => {
                let f = builtin.range(&u.scaled(-1), precision)?;
                // an even power is that of |f|, which has a sign
                let square =
                    f.powi(2, precision).ok_or_else(|| crate::interval::overflow("cosh", u.to_string()))?;
                Ok(square.scaled(1))
            }
        }
    }
}

impl Identity<'_> {
    /// The enclosure over x.
    pub(super) fn interval(&self, x: &Interval) -> Result<Interval, FunctionError> {
        let u = self.of.interval(x)?;
        let f = self.function.interval(&if self.of_negative { u.neg() } else { u })?;
        Ok(if self.is_negative { f.neg() } else { f })
    }

    /// The series about x.
    pub(super) fn series(&self, x: &Interval, order: usize) -> Result<Series, FunctionError> {
        let u = self.of.taylor(x, order)?;
        let f = self.function.series(&if self.of_negative { u.neg() } else { u })?;
        Ok(if self.is_negative { f.neg() } else { f })
    }

    /// The range over x.
    pub(super) fn bounds(&self, x: &Interval) -> Result<Range, FunctionError> {
        let u = self.argument(x)?;
        let f = self.function.range(&u, x.precision())?;
        Ok(if self.is_negative { f.neg() } else { f })
    }

    /// The range of the function's argument, ±u.
    pub(super) fn argument(&self, x: &Interval) -> Result<Range, FunctionError> {
        let u = self.of.bounds(x)?;
        Ok(if self.of_negative { u.neg() } else { u })
    }
}
