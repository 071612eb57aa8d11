//! [`Beside`]: results that lie between the value of a line, itself a number, and the next breakpoint.
//!
//! Let `S` be the series of f at 0, and let its coefficients be exactly those of the line `ℓ(x) = a` or `ℓ(x) = ±2^k·x` up
//! to degree `n − 1`. By Taylor's theorem `f(x) = ℓ(x) + c·xⁿ` for some `c` that the n-th coefficient `C` of f's series over
//! the hull of 0 and x encloses. If `C` does not hold 0, the sign of `c·xⁿ` is known and is not 0 for `x ≠ 0`; and if
//! `mag(C)·|x|ⁿ` is less than the distance from `ℓ(x)` to the next breakpoint, f(x) lies strictly between the two. That
//! distance is half an ulp of `ℓ(x)`, but a quarter towards 0 from a power of two.
//!
//! This is why `exp(x) = 1 + tiny`, `sin(x) = x − tiny` and the like need no search: the threshold is the end of the region.

use rug::{Float, Rational, float::Round};
use tmd_core::{ArgumentRange, Format};
use tmd_functions::{Function, FunctionError, Interval, taylor::float_of};

use super::gap::largest;
use crate::interval::{floor_log2, power_of_two};

/// Highest degree in which a function may leave its line.
const MAX_DEGREE: usize = 6;

/// A line whose values are numbers.
#[derive(Clone, Debug, PartialEq)]
pub enum Line {
    /// a, not 0.
    Constant(Rational),
    /// `±2^exponent·x`
    Multiple {
        /// whether the factor is negative
        is_negative: bool,
        /// log2 of the factor
        exponent: i32,
    },
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

impl Tangent {
    /// The line that the function leaves at 0; `None` if it is none, or none whose values are numbers.
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
                let slope = exact.get(1)?.as_ref()?;
                let exponent = floor_log2(slope)?;
                if Rational::from(slope.abs_ref()) != power_of_two(exponent) {
                    return None;
                }
                (Line::Multiple { is_negative: *slope < 0, exponent }, 2)
            }
            None => return None,
        };
        let degree = skip + exact[skip..].iter().position(|c| !is_zero(c))?;
        Some(Self { line, degree })
    }

    /// Whether the results over a range are beside the line, and on which side. The range must not hold 0.
    pub(crate) fn beside(
        &self,
        function: &dyn Function,
        range: &ArgumentRange,
        format: Format,
        precision: u32,
    ) -> Result<Option<Beside>, FunctionError> {
        let (first, last) = (range.argument(0), range.argument(range.count() - 1));
        if (first.significand() < 0) != (last.significand() < 0)
            || first.significand() == 0
            || last.significand() == 0
        {
            return Ok(None);
        }
        let whole = Interval::new(float_of(first), float_of(last))?.round_to(precision)?;
        let hull = whole.hull(&Interval::zero(precision)?);
        let series = function.series(&hull, self.degree, precision)?;
        let Some(c) = series.coefficient(self.degree).filter(|c| !c.contains_zero()) else { return Ok(None) };
        let is_x_negative = first.significand() < 0;
        let is_above = c.lo().is_sign_positive() != (is_x_negative && self.degree % 2 == 1);
        let Some((least, is_line_negative)) = self.least(range, format) else { return Ok(None) };
        let exponent = floor_log2(&least).map_or(format.min_exponent(), |e| e.max(format.min_exponent()));
        let is_towards_zero = is_above == is_line_negative;
        // a breakpoint is so far away at least: over the whole range |ℓ(x)| is at least `least`
        let distance = format.ulp_exponent(exponent) - if is_towards_zero { 2 } else { 1 };
        let off = Float::with_val_round(precision, c.mag() * power(&whole.mag(), self.degree), Round::Up).0;
        let is_near = off < (Float::with_val(2, 1) << distance);
        Ok(is_near.then(|| Beside { line: self.line.clone(), is_above }))
    }

    /// The least `|ℓ(x)|` over a range, and whether ℓ is negative there; `None` if not all values are numbers of the format.
    fn least(&self, range: &ArgumentRange, format: Format) -> Option<(Rational, bool)> {
        let magnitudes =
            [range.argument(0), range.argument(range.count() - 1)].map(|x| super::gap::value_of(x).abs());
        let [first, last] = magnitudes;
        let (least, most) = if first < last { (first, last) } else { (last, first) };
        match &self.line {
            Line::Constant(a) => {
                let magnitude = Rational::from(a.abs_ref());
                let is_number = is_number(a, format);
                is_number.then(|| (magnitude, *a < 0))
            }
            Line::Multiple { is_negative, exponent } => {
                let factor = power_of_two(*exponent);
                let spacing = power_of_two(range.exponent()) * &factor;
                let (least, most) = (least * &factor, most * factor);
                // multiples of the results' least spacing with no more bits than results have, and finite
                let is_number = spacing >= power_of_two(format.ulp_exponent(format.min_exponent()))
                    && most <= &spacing * power_of_two(format.precision() as i32)
                    && most <= largest(format);
                is_number.then(|| (least, *is_negative != (range.argument(0).significand() < 0)))
            }
        }
    }
}

/// `x^n`, rounded up.
fn power(x: &Float, n: usize) -> Float {
    let mut product = Float::with_val(x.prec(), 1);
    for _ in 0..n {
        product = Float::with_val_round(x.prec(), &product * x, Round::Up).0;
    }
    product
}

/// Whether a number of the format has this value, not 0.
fn is_number(value: &Rational, format: Format) -> bool {
    let Some(exponent) = floor_log2(value) else { return false };
    let ulp = format.ulp_exponent(exponent.max(format.min_exponent()));
    (value / power_of_two(ulp)).is_integer() && Rational::from(value.abs_ref()) <= largest(format)
}
