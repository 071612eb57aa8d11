//! Segments of windows: a family's unit function as a polynomial in fixed point, with its error
//! bounds.

use rug::{Float, Integer, float::Round, integer::Order};
use thiserror::Error;
use tmd_core::{
    ErrorBudget,
    difftable::{Upper, bounds, power_of_two},
    lattice3::{COEFFICIENT_BITS, SLOPE_BITS, Segment, Wide},
};

use super::{Family, Relative, Repetition};
use crate::{FunctionError, Interval, Series};

/// Highest degree of a segment's polynomial.
const MAX_DEGREE: usize = 9;

/// Precision at which derivatives over a whole segment are enclosed: only magnitudes are wanted of
/// them.
const ENCLOSURE_PRECISION: u32 = 96;

/// Remainder and coefficients are each wanted below this share of ε (2^-5); the bounds carried are
/// the ones reached.
const SHARE_BITS: i32 = 5;

/// Most bits of a coefficient.
const MAX_BITS: u32 = 400;

/// Why a segment is not to be had. A shorter one may be.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum FamilyError {
    /// No degree makes the remainder small enough.
    #[error("no polynomial of degree up to {MAX_DEGREE} is accurate enough over the segment")]
    Remainder,
    /// Coefficients too large for fixed point.
    #[error("the coefficients over the segment are too large")]
    Coefficients,
    /// The unit function has no value, or no derivatives, somewhere in the segment.
    #[error(transparent)]
    Function(#[from] FunctionError),
}

/// Where a segment lies: windows of width `2·half` from the angle `start` on, in units of
/// `2^-angle_bits`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Where the first window begins.
    pub start: Integer,
    /// Half the width of a window.
    pub half: Integer,
    /// How many.
    pub windows: u32,
    /// Bits after the point of an angle.
    pub angle_bits: u32,
}

/// In which units values are: `2^log2·f`, plus 1/2 if shifted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    /// log2 of what the unit function is multiplied by.
    pub log2: i32,
    /// Whether the breakpoints are at halves, and 1/2 is added.
    pub is_shifted: bool,
    /// ε in these units.
    pub tolerance: f64,
    /// Indices are less than `2^index_bits` in magnitude.
    pub index_bits: u32,
    /// Bound of |δ| for a relative (see [`Family::perturbation`]), in no units.
    pub perturbation: f64,
}

impl Place {
    /// The angle where the last window ends.
    pub fn end(&self) -> Integer {
        Integer::from(&self.half * 2u32) * self.windows + &self.start
    }

    /// All angles of the windows, and `2^slack` units on either side.
    fn interval(&self, slack: u32) -> Result<Interval, FunctionError> {
        let margin = Integer::from(1) << slack;
        let ends = [(Integer::from(&self.start - &margin), Round::Down), (self.end() + margin, Round::Up)];
        let [lo, hi] = ends
            .map(|(end, round)| Float::with_val_round(ENCLOSURE_PRECISION, end, round).0 >> self.angle_bits);
        Interval::new(lo, hi)
    }
}

impl Family {
    /// How far, as a power of two of units of an angle, the model's angle of an index may be from
    /// the index's own.
    fn blur(self, index_bits: u32) -> u32 {
        match self.repetition() {
            // the rotation is known to a unit
            Repetition::Period => index_bits,
            Repetition::Doubling => 0,
        }
    }

    /// Least and greatest `⌊log2|f|⌋` of the unit function, with the family's
    /// [multiplier](Self::multiplier), over the windows; `None` if it might be 0 there.
    pub fn binades(self, place: &Place, index_bits: u32) -> Result<Option<(i32, i32)>, FamilyError> {
        let value = self.unit().interval(&place.interval(self.blur(index_bits))?)?;
        let value = value.mul_i64(self.multiplier().into())?;
        if value.contains_zero() {
            return Ok(None);
        }
        let exponent = |x: &Float| x.get_exp().map(|e| e - 1);
        Ok(exponent(&value.mig()).zip(exponent(&value.mag())))
    }

    /// The magnitude of the second derivative of the unit function, with the multiplier, at an
    /// angle, about; 0 where it is unknown.
    pub fn curvature(self, angle: f64) -> f64 {
        let at = Interval::from_f64(angle, 64);
        let series = at.and_then(|at| self.unit_series(&at, 2));
        series.ok().and_then(|c| c.get(2)?.mag_f64().ok()).map_or(0.0, |c| 2.0 * c)
    }

    fn unit_series(self, at: &Interval, order: usize) -> Result<Vec<Interval>, FunctionError> {
        let coefficients = self.unit().series(&Series::variable(at, order)?)?.into_coefficients();
        coefficients.into_iter().map(|c| c.mul_i64(self.multiplier().into())).collect()
    }

    /// The unit function, with the multiplier, over the windows, as a segment (lemma L.6 of
    /// docs/proofs/lattice3.md), and what its accuracy is the sum of.
    ///
    /// # Errors
    /// See [`FamilyError`].
    pub fn segment(self, place: &Place, scale: &Scale) -> Result<(Segment, ErrorBudget), FamilyError> {
        let blur = self.blur(scale.index_bits);
        let enclosures = self.unit_series(&place.interval(blur)?, MAX_DEGREE + 1)?;
        let magnitudes: Vec<Upper> = enclosures.iter().map(|c| upper(&(c.mag() << scale.log2))).collect();
        let half_length = Integer::from(&place.half * place.windows);
        let center = Integer::from(&place.start + &half_length);
        let reach =
            Float::with_val_round(ENCLOSURE_PRECISION, half_length + (Integer::from(1) << blur), Round::Up).0;
        let reach = upper(&(reach >> place.angle_bits));
        let aim = scale.tolerance * power_of_two(-SHARE_BITS);
        let remainder = |degree: usize| magnitudes[degree + 1] * reach.power(degree + 1);
        let degree = (2..=MAX_DEGREE).find(|&degree| remainder(degree).get() <= aim);
        let degree = degree.ok_or(FamilyError::Remainder)?;

        let largest = magnitudes[..=degree].iter().fold(1.0, |most: f64, c| most.max(c.get())).log2();
        if largest.is_nan() || largest > f64::from(MAX_BITS) {
            return Err(FamilyError::Coefficients);
        }
        let precision = COEFFICIENT_BITS + largest as u32 + 64;
        let center = Interval::from_dyadic(
            &center,
            -(place.angle_bits as i32),
            precision.max(center.significant_bits()),
        )?;
        let series = self.unit_series(&center, degree)?;
        let (mut coefficients, mut error) = (Vec::with_capacity(degree + 1), Upper::ZERO);
        for (k, c) in series.iter().enumerate() {
            let (fixed, off) = fixed(c, scale.log2, COEFFICIENT_BITS)?;
            coefficients.push(fixed);
            error += off * reach.power(k);
        }
        let own: Vec<Upper> = coefficients.iter().map(|c| magnitude(*c)).collect();
        let third = bounds::derivatives(&own, reach)[3..].first().copied().unwrap_or(Upper::ZERO);
        if scale.is_shifted {
            coefficients[0] += Wide::power_of_two(COEFFICIENT_BITS - 1);
        }
        let index = Upper::power_of_two(scale.index_bits as i32);
        let (gain, blurred) = match self.repetition() {
            Repetition::Period => {
                (Wide::ZERO, magnitudes[1] * index * Upper::power_of_two(-(place.angle_bits as i32)))
            }
            Repetition::Doubling => {
                let bits = place.angle_bits + SLOPE_BITS;
                let period = self.period(bits + largest as u32 + 64)?.mul_i64(self.multiplier().into())?;
                let (gain, off) = fixed(&period, scale.log2, bits)?;
                (gain, off * index)
            }
        };
        // lemma L.25 of docs/proofs/lattice3.md; Theorem C.14 of proofs/Regions.v
        let perturbation = Upper::new(scale.perturbation)
            * match self.relative {
                Relative::Summand(_) => {
                    // exact: a bound that is multiplied would be a unit larger
                    Upper::new(f64::from(self.multiplier()) * power_of_two(scale.log2))
                }
                Relative::Same | Relative::Factor { .. } => magnitudes[0],
            };
        let budget = ErrorBudget {
            tolerance: Upper::new(scale.tolerance),
            taylor: remainder(degree),
            coefficients: error + blurred + perturbation,
            ..ErrorBudget::default()
        };
        let segment = Segment {
            start: wide(&place.start)?,
            half: wide(&place.half)?,
            windows: place.windows,
            coefficients,
            gain,
            accuracy: budget.tolerance + budget.taylor + budget.coefficients,
            third,
        };
        Ok((segment, budget))
    }
}

/// A coefficient's magnitude: the conversion is at most a relative 2^-52 too small.
fn magnitude(c: Wide) -> Upper {
    Upper::new(c.to_f64(COEFFICIENT_BITS).abs()) * Upper::new(1.0 + power_of_two(-50))
}

/// The middle of `c·2^log2` in units of `2^-bits`, rounded down, and a bound of its distance from
/// any value in `c·2^log2`.
fn fixed(c: &Interval, log2: i32, bits: u32) -> Result<(Wide, Upper), FamilyError> {
    let scaled = c.midpoint() << (log2 + bits as i32);
    let radius = upper(&(c.radius()? << log2));
    let (integer, _) = scaled.to_integer_round(Round::Down).ok_or(FamilyError::Coefficients)?;
    Ok((wide(&integer)?, radius + Upper::power_of_two(-(bits as i32))))
}

/// An integer of at most `2·MAX_BITS/3 + …` bits, as the exact walk has them.
pub(super) fn wide(x: &Integer) -> Result<Wide, FamilyError> {
    if x.significant_bits() > MAX_BITS + COEFFICIENT_BITS {
        return Err(FamilyError::Coefficients);
    }
    let mut limbs = [0u64; (Wide::BITS / 64) as usize];
    Integer::from(x.abs_ref()).write_digits(&mut limbs, Order::Lsf);
    let magnitude = Wide::from_limbs(limbs);
    Ok(if *x < 0 { -magnitude } else { magnitude })
}

/// A float as an upper bound.
fn upper(x: &Float) -> Upper {
    Upper::new(x.to_f64_round(Round::Up))
}
