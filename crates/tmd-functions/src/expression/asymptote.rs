//! Lines next to which expressions run, with bounds of what is between:
//! [`Function::asymptote`](crate::Function::asymptote).
//!
//! Every part f of an expression is written as f(ξ) = c + s·ξ + r(ξ) over an interval, with
//! rational c and s and a [`Range`] of r: from the parts up, by the identities below. They are
//! exact, so that nothing cancels: x/(1 + e^(−x)) is x − x·e^(−x)/(1 + e^(−x)), and the range of
//! the second term has a sign and a magnitude however small it is.
//!
//! With f = ℓ + r, g = b + q for a constant b:
//!
//! | part | is | |
//! |---|---|---|
//! | f·g | b·ℓ + (b·r + q·f) | |
//! | f/g | ℓ/b + (r − (ℓ/b)·q)/g | |
//! | f/g, f = k·ξ + r, g = m·ξ + q | k/m + (r − (k/m)·q)/g | |
//! | h(g), h differentiable | h(b) + h′(η)·q, η between b and g | mean value |
//! | tanh u, u > 0 | 1 − 2/(1 + e^2u) | odd |
//! | tanh(log v) | 1 − 2/(v² + 1) | |
//! | erf u, u > 0 | 1 − erfc u | odd |
//! | erfc u, u < 0 | 2 − erfc(−u) | |
//! | expm1 u, u < 0 | −1 + e^u | and to the bases 2 and 10 |
//! | log(c + e^u) | u + logp1(c·e^(−u)) | and to the bases 2 and 10 |
//! | log cosh u | \|u\| − log 2 + logp1(e^(−2\|u\|)) | |
//! | √(c + u²) | \|u\| + c/(√(c + u²) + \|u\|) | |
//!
//! Any other expression is its own remainder. At a point all of ξ is rational, and so
//! are c and s·ξ.
//!
//! Lemma P.29 of docs/proofs/piece.md.

mod part;

use rug::Rational;

use crate::builtin::Builtin;
use crate::composite::{Base, Composite};
use crate::exact;
use crate::expression::Expression;
use crate::expression::identity::{Form, Identity};
use crate::function::Asymptote;
use crate::interval::Interval;
use crate::range::Range;
use crate::series::Series;
use crate::special::Sign;
use crate::special_function::PairFunction;

use part::{LineBase, Part, rational, short};

impl Expression {
    pub(super) fn asymptote_over(&self, x: &Interval) -> Option<Asymptote> {
        let Part { constant, slope, rest } = self.part(&LineBase { x, point: None })?;
        Some(Asymptote { constant, slope, remainder: rest })
    }

    /// q and r with f(x) = q + r, at a single x.
    pub(super) fn split_at(&self, x: &Interval) -> Option<(Rational, Range)> {
        let Part { constant, rest, .. } = self.part(&LineBase { x, point: Some(short(x)?) })?;
        Some((constant, rest))
    }

    /// The range that follows; `None` if there is no line.
    pub(super) fn range_by_asymptote(&self, x: &Interval) -> Option<Range> {
        let place = LineBase { x, point: if x.is_point() { Some(short(x)?) } else { None } };
        let Part { constant, slope, rest } = self.beside_line(&place)?;
        if constant.is_zero() && slope.is_zero() {
            return None;
        }
        Some(place.line(&constant, &slope)?.add(&rest))
    }

    /// A line and a remainder, or nothing but a remainder.
    fn part(&self, at: &LineBase) -> Option<Part> {
        self.beside_line(at).or_else(|| self.opaque(at))
    }

    /// The same, and nothing rather than no line; but an identity may say that of itself.
    fn beside_line(&self, at: &LineBase) -> Option<Part> {
        if let Some(identity) = self.identity() {
            return identity.part(at).filter(|part| part.is_near(at));
        }
        let part = match self {
            Self::Const(q) => Some(at.number(q.clone())),
            Self::X => Some(at.variable()),
            Self::Special(f, a) => a.smooth(at, |c| rational(f.value(c)), |g| f.series(g).ok()),
            // by definition √(a² + b²)
            Self::Pair(PairFunction::Hypot, a, b) => {
                let square = |e: &Self| Box::new(Self::Powi(Box::new(e.clone()), 2));
                Self::Call(Builtin::Sqrt, Box::new(Self::Add(square(a), square(b)))).part(at)
            }
            Self::Pi | Self::E | Self::Pair(..) => None,
            Self::Neg(a) => Some(a.part(at)?.neg()),
            Self::Add(a, b) => Some(a.part(at)?.add(&b.part(at)?)),
            Self::Sub(a, b) => Some(a.part(at)?.add(&b.part(at)?.neg())),
            Self::Mul(a, b) => Self::product(a, b, at),
            Self::Div(a, b) => Self::ratio(a, b, at),
            Self::Powi(a, 1) => a.part(at),
            Self::Powi(a, n) => {
                let value = |c: &Rational| exact::powi(c, *n);
                a.smooth(at, value, |g| g.powi(*n).ok())
            }
            Self::Rootn(a, n) => a.smooth(at, |c| rational(exact::rootn(c, *n)), |g| g.rootn(*n).ok()),
            Self::Call(builtin, a) => self.call(*builtin, a, at),
        };
        part.filter(|part| part.is_short() && part.is_near(at))
    }

    /// Nothing but a remainder.
    fn opaque(&self, at: &LineBase) -> Option<Part> {
        let rest = self.bounds(at.x).ok()?;
        Some(Part { constant: Rational::new(), slope: Rational::new(), rest })
    }

    fn product(a: &Self, b: &Self, at: &LineBase) -> Option<Part> {
        let (f, g) = (a.part(at)?, b.part(at)?);
        // the constant one; of two such, one that is 0: what is left then is a product of
        // remainders, and has their signs
        let is_first = match (f.is_constant(), g.is_constant()) {
            (false, false) => return None,
            (is_first, false) => is_first,
            (false, true) => false,
            (true, true) => f.constant.is_zero() || !g.constant.is_zero(),
        };
        let (number, other, factor) = if is_first { (f, g, b) } else { (g, f, a) };
        let mut rest = other.rest.scaled_by(&number.constant, at)?;
        if !number.is_exact() {
            let product = number.rest.times_any(&factor.bounds(at.x).ok()?)?;
            rest = rest.add(&product);
        }
        Some(Part {
            constant: number.constant.clone() * other.constant,
            slope: number.constant * other.slope,
            rest,
        })
    }

    fn ratio(a: &Self, b: &Self, at: &LineBase) -> Option<Part> {
        let (f, g) = (a.part(at)?, b.part(at)?);
        let is_line = |part: &Part| part.constant.is_zero() && !part.slope.is_zero();
        let (constant, slope, excess) = if g.is_constant() && !g.constant.is_zero() {
            let (constant, slope) = (f.constant / &g.constant, f.slope / &g.constant);
            if g.is_exact() {
                return Some(Part { constant, slope, rest: f.rest.scaled_by(&g.constant.recip(), at)? });
            }
            let line = at.line(&constant, &slope)?;
            (constant, slope, line.times_any(&g.rest)?)
        } else if is_line(&f) && is_line(&g) {
            let k = f.slope / &g.slope;
            let excess = g.rest.scaled_by(&k, at)?;
            (k, Rational::new(), excess)
        } else {
            return None;
        };
        let divisor = b.bounds(at.x).ok()?.powi(-1, at.x.precision())?;
        let rest = f.rest.add(&excess.neg()).times_any(&divisor)?;
        Some(Part { constant, slope, rest })
    }

    /// h of this expression, where that is next to a number at which h is rational.
    fn smooth(
        &self,
        at: &LineBase,
        value: impl Fn(&Rational) -> Option<Rational>,
        h: impl Fn(&Series) -> Option<Series>,
    ) -> Option<Part> {
        let mut g = self.part(at)?;
        if !g.is_constant() {
            // over a place next to 0 a line is next to its constant
            g.rest = g.rest.add(&at.line(&Rational::new(), &g.slope)?);
            g.slope = Rational::new();
        }
        let (constant, slope) = (value(&g.constant)?, Rational::new());
        if g.is_exact() {
            return Some(Part { constant, slope, rest: g.rest });
        }
        let values = self.bounds(at.x).ok()?.closure()?;
        let between = values.hull(&Interval::from_rational(&g.constant, at.x.precision()).ok()?);
        let series = h(&Series::variable(&between, 1).ok()?)?;
        let rest = Range::from(series.coefficient(1)?.clone()).times_any(&g.rest)?;
        Some(Part { constant, slope, rest })
    }

    fn call(&self, builtin: Builtin, a: &Self, at: &LineBase) -> Option<Part> {
        let precision = at.x.precision();
        let u = a.bounds(at.x).ok()?;
        let side = u.side();
        let of = |f: Builtin, u: &Range| f.range(u, precision).ok();
        // ±1 and what is missing
        let saturated = |n: i32, missing: Range| Some(at.number(n.into()).plus(&missing));
        match (builtin, side) {
            (Builtin::Tanh, _) if u.closure().is_some_and(|u| u.mag() < 2) => {
                if let Some(part) = a.tanh_of_logarithm(at) {
                    return Some(part);
                }
            }
            (Builtin::Tanh, Some(side)) => {
                let sign = if side == Sign::Positive { 1 } else { -1 };
                let u = if sign == 1 { u.neg() } else { u };
                let missing = Composite::OnePlusTanh.range(&u, precision).ok()?;
                return saturated(sign, if sign == 1 { missing.neg() } else { missing });
            }
            (Builtin::Erf, Some(Sign::Positive)) => return saturated(1, of(Builtin::Erfc, &u)?.neg()),
            (Builtin::Erf, Some(Sign::Negative)) => return saturated(-1, of(Builtin::Erfc, &u.neg())?),
            (Builtin::Erfc, Some(Sign::Negative)) => {
                return saturated(2, of(Builtin::Erfc, &u.neg())?.neg());
            }
            (Builtin::Sqrt, _) => {
                if let Some(part) = self.next_to_root_of_square(a, at) {
                    return Some(part);
                }
            }
            _ => {}
        }
        for base in Base::ALL {
            if builtin == base.exponential_less_one() && side == Some(Sign::Negative) {
                return saturated(-1, of(base.exponential(), &u)?);
            }
            if builtin == base.logarithm()
                && let Some(part) = a.logarithm_of_sum(base, at)
            {
                return Some(part);
            }
        }
        let value = |c: &Rational| rational(builtin.value(c));
        a.smooth(at, value, |g| builtin.series(g).ok())
    }

    /// tanh of this expression, log v or log(1 + v), where v is next to a number.
    fn tanh_of_logarithm(&self, at: &LineBase) -> Option<Part> {
        let Self::Call(logarithm, v) = self else { return None };
        let addend = match logarithm {
            Builtin::Ln => 0,
            Builtin::Logp1 => 1,
            _ => return None,
        };
        // 1 − 2/(v² + 1)
        let value = |c: &Rational| {
            let square = Rational::from(c + addend).square() + 1;
            Some(1 - Rational::from(2) / square)
        };
        let series = |v: &Series| {
            let precision = v.precision();
            let number =
                |n: i32| Series::constant(Interval::from_f64(n.into(), precision).ok()?, v.order()).ok();
            let square = v.add(&number(addend)?).ok()?.sqr().ok()?.add(&number(1)?).ok()?;
            number(1)?.sub(&number(2)?.div(&square).ok()?).ok()
        };
        v.smooth(at, value, series)
    }

    /// The logarithm to the base b of this sum c + bᵘ (or bᵘ − c), where u > 0.
    fn logarithm_of_sum(&self, base: Base, at: &LineBase) -> Option<Part> {
        let (exponential, c) = match self {
            Self::Add(a, b) => match (&**a, &**b) {
                (Self::Const(c), exponential) | (exponential, Self::Const(c)) => (exponential, c.clone()),
                _ => return None,
            },
            Self::Sub(a, b) => match (&**a, &**b) {
                (exponential, Self::Const(c)) => (exponential, -c.clone()),
                _ => return None,
            },
            _ => return None,
        };
        let Self::Call(f, u) = exponential else { return None };
        let range = u.bounds(at.x).ok()?;
        if *f != base.exponential() || range.side() != Some(Sign::Positive) {
            return None;
        }
        let precision = at.x.precision();
        let small = f.range(&range.neg(), precision).ok()?.scaled_by(&c, at)?;
        let rest = base.logarithm_plus_one().range(&small, precision).ok()?;
        Some(u.part(at)?.plus(&rest))
    }

    /// √ of `square` = c + u², where u has a sign: |u| and what is missing.
    fn next_to_root_of_square(&self, square: &Self, at: &LineBase) -> Option<Part> {
        let Self::Add(a, b) = square else { return None };
        let ((Self::Const(c), u) | (u, Self::Const(c))) = (&**a, &**b) else { return None };
        let u = match u {
            Self::Powi(u, 2) => u,
            Self::Mul(u, v) if u == v => u,
            _ => return None,
        };
        let (part, range) = u.with_sign(at)?;
        let sum = self.bounds(at.x).ok()?.add(&range);
        let rest = sum.powi(-1, at.x.precision())?.scaled_by(c, at)?;
        Some(part.plus(&rest))
    }

    /// |self| where it has a sign, and its range.
    fn with_sign(&self, at: &LineBase) -> Option<(Part, Range)> {
        let (part, range) = (self.part(at)?, self.bounds(at.x).ok()?);
        Some(match range.side()? {
            Sign::Positive => (part, range),
            Sign::Negative => (part.neg(), range.neg()),
        })
    }
}

impl Identity<'_> {
    fn part(&self, at: &LineBase) -> Option<Part> {
        let precision = at.x.precision();
        let u = self.argument(at.x).ok()?;
        let of = || {
            let part = self.of.part(at)?;
            Some(if self.of_negative { part.neg() } else { part })
        };
        let part = match self.function {
            Form::Named(builtin) => {
                let u = self.of.clone();
                let u = if self.of_negative { Expression::Neg(Box::new(u)) } else { u };
                Expression::Call(builtin, Box::new(u)).part(at)?
            }
            Form::Composite(Composite::Softplus(base)) if u.side() == Some(Sign::Positive) => {
                of()?.plus(&Composite::Softplus(base).range(&u.neg(), precision).ok()?)
            }
            Form::Composite(Composite::OnePlusTanh) if u.side() == Some(Sign::Positive) => {
                let missing = Composite::OnePlusTanh.range(&u.neg(), precision).ok()?;
                at.number(2.into()).plus(&missing.neg())
            }
            Form::Composite(Composite::LogCosh) => {
                let (part, u) = self.of.with_sign(at)?;
                let small = Builtin::Exp.range(&u.scaled(1).neg(), precision).ok()?;
                let rest = Builtin::Logp1.range(&small, precision).ok()?;
                let log_2 = Range::of_number(Interval::ln_2(precision).ok()?);
                part.plus(&rest.add(&log_2.neg()))
            }
            Form::Composite(_) | Form::TwiceSquareOfHalf(_) => return None,
        };
        Some(if self.is_negative { part.neg() } else { part })
    }
}
