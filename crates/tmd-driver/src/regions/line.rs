//! [`Beside`]: results that lie between the value of a line and the next breakpoint.
//!
//! Let `S` be the series of f at 0, and let its coefficients be exactly those of the line
//! `ℓ(x) = a` or `ℓ(x) = ±2^k·x` up to degree `n − 1`. By Taylor's theorem `f(x) = ℓ(x) + c·xⁿ` for
//! some `c` that the n-th coefficient `C` of f's series over the hull of 0 and x encloses. If `C`
//! does not hold 0, the sign of `c·xⁿ` is known and is not 0 for `x ≠ 0`; and if `mag(C)·|x|ⁿ` is
//! less than the distance from `ℓ(x)` to the next breakpoint, f(x) lies strictly between the two.
//! That distance is half an ulp of `ℓ(x)`, but a quarter towards 0 from a power of two, where
//! `ℓ(x)` is a breakpoint itself. Where it is none, as 3·x/5 often is, it is a multiple of some
//! 2^c/b, breakpoints are multiples of 2^d, and so the two are 2^min(c, d)/b apart at least.
//!
//! The same holds of any other proof that f is a line and a remainder of known sign
//! ([`Function::asymptote`](tmd_functions::Function::asymptote)): `log(1 + exp(x)) = x + tiny` for
//! large x.
//!
//! This is why `exp(x) = 1 + tiny`, `sin(x) = x − tiny` and the like need no search: the threshold
//! is the end of the region.
//!
//! Theorem M.2 and Lemma M.3 of docs/proofs/domain.md, machine-checked in `proofs/Regions.v`.

use rug::{Float, Rational, float::Round};
use tmd_core::{ArgumentRange, Format};
use tmd_functions::{Asymptote, Function, FunctionError, Interval, taylor::float_of};

use super::gap::largest;
use crate::interval::{floor_log2, power_of_two};

/// Highest degree in which a function may leave its line.
const MAX_DEGREE: usize = 6;

/// A line.
#[derive(Clone, Debug, PartialEq)]
pub enum Line {
    /// a, not 0.
    Constant(Rational),
    /// a rational number times x, not 0
    Ratio(Rational),
}

/// What the series of a function at 0 says.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Tangent {
    line: Line,
    /// the first degree in which the function leaves the line
    degree: usize,
}

/// Results next to a line.
#[derive(Clone, Debug, PartialEq)]
pub struct Beside {
    /// The line.
    pub line: Line,
    /// Whether results are above it.
    pub is_above: bool,
}

/// How far the results over a range are from a line: all on one side of it, none on it.
#[derive(Clone, Debug)]
pub(super) struct Offset {
    pub(super) line: Line,
    pub(super) is_above: bool,
    /// a bound from below of the distances, not negative
    pub(super) least: Float,
    /// a bound from above
    pub(super) most: Float,
}

impl Offset {
    /// The line and the side.
    pub(super) fn beside(&self) -> Beside {
        Beside { line: self.line.clone(), is_above: self.is_above }
    }

    /// The same, if all results lie before the next breakpoint of `format`.
    pub(super) fn before_breakpoints(&self, range: &ArgumentRange, format: Format) -> Option<Beside> {
        (self.most < self.line.space(self.is_above, range, format)?).then(|| self.beside())
    }
}

impl Tangent {
    /// The line that the function leaves at 0; `None` if that is 0, or not known exactly.
    pub(crate) fn of(function: &dyn Function, precision: u32) -> Option<Self> {
        let zero = Interval::zero(precision).ok()?;
        let series = function.series(&zero, MAX_DEGREE, precision).ok()?;
        let exact: Vec<Option<Rational>> = series
            .coefficients()
            .iter()
            .map(|c| c.is_point().then(|| c.lo().to_rational().unwrap_or_default()))
            .collect();
        let is_zero = |c: &Option<Rational>| c.as_ref().is_some_and(Rational::is_zero);
        let (line, skip) = match exact.first()? {
            Some(a) if *a != 0 => (Line::Constant(a.clone()), 1),
            Some(_) => {
                let slope = exact.get(1)?.as_ref().filter(|slope| **slope != 0)?;
                (Line::Ratio(slope.clone()), 2)
            }
            None => return None,
        };
        let degree = skip + exact[skip..].iter().position(|c| !is_zero(c))?;
        Some(Self { line, degree })
    }

    /// How far the results over a range are from the line, if they are on one side of it. The range
    /// must not hold 0.
    pub(super) fn offset(
        &self,
        function: &dyn Function,
        range: &ArgumentRange,
        precision: u32,
    ) -> Result<Option<Offset>, FunctionError> {
        let Some(whole) = of_one_sign(range) else { return Ok(None) };
        let whole = whole?.round_to(precision)?;
        let hull = whole.hull(&Interval::zero(precision)?);
        let series = function.series(&hull, self.degree, precision)?;
        let Some(c) = series.coefficient(self.degree).filter(|c| !c.contains_zero()) else { return Ok(None) };
        let is_x_negative = range.first() < 0;
        let is_above = c.lo().is_sign_positive() != (is_x_negative && self.degree % 2 == 1);
        let bound = |c: Float, x: Float, round| {
            Float::with_val_round(precision, c * power(&x, self.degree, round), round).0
        };
        Ok(Some(Offset {
            line: self.line.clone(),
            is_above,
            least: bound(c.mig(), whole.mig(), Round::Down),
            most: bound(c.mag(), whole.mag(), Round::Up),
        }))
    }
}

/// The hull of a range of arguments of one sign.
fn of_one_sign(range: &ArgumentRange) -> Option<Result<Interval, FunctionError>> {
    let [first, last] = [0, range.count() - 1].map(|k| range.argument(k));
    let is_one = first.significand() != 0
        && last.significand() != 0
        && (first.significand() < 0) == (last.significand() < 0);
    is_one.then(|| Interval::new(float_of(first), float_of(last)))
}

/// The same of the line that is the function's own [asymptote](Function::asymptote). The range must
/// not hold 0.
pub(super) fn offset(function: &dyn Function, range: &ArgumentRange, precision: u32) -> Option<Offset> {
    let at = of_one_sign(range)?.ok()?.round_to(precision).ok()?;
    let Asymptote { constant, slope, remainder } = function.asymptote(&at, precision)?;
    let line = match (constant.is_zero(), slope.is_zero()) {
        (false, true) => Line::Constant(constant),
        (true, false) => Line::Ratio(slope),
        _ => return None,
    };
    let (below, above) = (remainder.below.value()?, remainder.above.value()?);
    let is_positive = *below > 0 || below.is_zero() && remainder.below.is_open();
    let is_negative = *above < 0 || above.is_zero() && remainder.above.is_open();
    let (is_above, least, most) = match (is_positive, is_negative) {
        (true, false) => (true, below.clone(), above.clone()),
        (false, true) => (false, -above.clone(), -below.clone()),
        _ => return None,
    };
    Some(Offset { line, is_above, least, most })
}

impl Line {
    /// ℓ(1), or the constant: what the line's values over a range are multiples of is this times
    /// the arguments' spacing, or the constant.
    fn factor(&self) -> Rational {
        match self {
            Self::Constant(factor) | Self::Ratio(factor) => factor.clone(),
        }
    }

    /// A positive number of which all values over a range are multiples.
    pub(super) fn unit(&self, range: &ArgumentRange) -> Rational {
        let factor = self.factor().abs();
        match self {
            Self::Constant(_) => factor,
            Self::Ratio(_) => power_of_two(range.exponent()) * factor,
        }
    }

    /// The least and the greatest |ℓ(x)| over a range of arguments of one sign.
    pub(super) fn magnitudes(&self, range: &ArgumentRange) -> [Rational; 2] {
        let factor = self.factor().abs();
        if let Self::Constant(_) = self {
            return [factor.clone(), factor];
        }
        let [first, last] =
            [0, range.count() - 1].map(|k| super::gap::value_of(range.argument(k)).abs() * &factor);
        if first < last { [first, last] } else { [last, first] }
    }

    /// A number such that all numbers on one side of the line that are nearer to it lie before the
    /// next breakpoint on that side: for all arguments of a range, which have one sign. `None` if
    /// the line leaves the format.
    pub(super) fn space(&self, is_above: bool, range: &ArgumentRange, format: Format) -> Option<Rational> {
        let [least, most] = self.magnitudes(range);
        if most > largest(format) {
            return None;
        }
        let is_x_negative = range.argument(0).significand() < 0;
        let is_negative = (self.factor() < 0) != (is_x_negative && !matches!(self, Self::Constant(_)));
        let exponent = floor_log2(&least).map_or(format.min_exponent(), |e| e.max(format.min_exponent()));
        // breakpoints next to values, over the whole range, are multiples of half an ulp of the
        // least one; towards 0 from a power of two, of a quarter
        let is_towards_zero = is_above == is_negative;
        let fraction = power_of_two(format.ulp_exponent(exponent) - if is_towards_zero { 2 } else { 1 });
        // A breakpoint m·fraction and a value n·unit that differ do so by a multiple of what
        // divides both: with unit = a/b·2^c and odd a and b, of 2^min(c, log2 fraction)/b.
        let unit = self.unit(range);
        let twos =
            unit.numer().find_one(0).unwrap_or(0) as i32 - unit.denom().find_one(0).unwrap_or(0) as i32;
        let odd = Rational::from(unit.denom()) / power_of_two(unit.denom().find_one(0).unwrap_or(0) as i32);
        Some(fraction.min(power_of_two(twos)) / odd)
    }
}

/// `x^n`, rounded so.
fn power(x: &Float, n: usize, round: Round) -> Float {
    let mut product = Float::with_val(x.prec(), 1);
    for _ in 0..n {
        product = Float::with_val_round(x.prec(), &product * x, round).0;
    }
    product
}
