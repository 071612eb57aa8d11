//! The gamma function, ln |Γ| and the digamma function ψ = Γ′/Γ of intervals.
//!
//! Values at numbers come from [`stirling`]; here is how the functions run. Γ has its poles at 0,
//! −1, −2, …; they cut the line into the *cells* (0, ∞) and (n, n + 1), n < 0. In each cell ψ′(x) =
//! Σ 1/(x + j)² > 0: ψ increases, from −∞ at the left end; to +∞ at the right end. So ln |Γ|, whose
//! derivative is ψ, is convex and has one minimum, where ψ is 0; so has |Γ|, its exponential; and Γ
//! has the sign (−1)ⁿ in (n, n + 1). Over an interval of a cell the greatest value of ln |Γ| is
//! taken at an end; so is the least one if ψ does not change its sign. If it does, the least value
//! is that of the cell: u and v with ψ(u) < 0 < ψ(v) are found by halving, and by convexity ln |Γ|
//! ≥ ln |Γ(u)| + ψ(u)·(v − u) between them, and larger outside.
//!
//! Lemma P.20 of docs/proofs/piece.md.

mod stirling;

use std::cmp::Ordering;

use rug::float::Round;
use rug::{Float, Integer};

use super::Interval;
use crate::error::FunctionError;

pub(crate) use stirling::{LEAST_SHIFTED, coefficients};

/// Γ(n) is computed as a factorial up to this n.
pub(crate) const MAX_FACTORIAL: u32 = 1 << 12;

/// Bits of the numbers between which the zero of ψ in a cell is enclosed, in excess of those before
/// the point; a tangent over the width that is left is as good as twice as many.
const BRACKET_BITS: u32 = 64;

/// Bits at which the sign of ψ is decided.
const SIGN_BITS: u32 = 64;

impl Interval {
    /// Γ(self).
    ///
    /// # Errors
    /// [`Pole`](FunctionError::Pole) if 0 or a negative integer lies in the interval.
    pub fn gamma(&self) -> Result<Self, FunctionError> {
        let p = self.precision();
        let cell = self.cell("gamma")?;
        let ends = self.ends(|x| gamma_at(x, p, cell.is_negative))?;
        let magnitude = match self.slope()? {
            Some(Ordering::Less) => Self { lo: ends[1].lo.clone(), hi: ends[0].hi.clone() },
            Some(_) => Self { lo: ends[0].lo.clone(), hi: ends[1].hi.clone() },
            None => {
                let least = cell.least(p)?.exp()?.lo;
                Self { lo: least, hi: ends[0].hi.clone().max(&ends[1].hi) }
            }
        };
        Ok(if cell.is_negative { magnitude.neg() } else { magnitude })
    }

    /// ln |Γ(self)|.
    ///
    /// # Errors
    /// As for [`Interval::gamma`].
    pub fn lgamma(&self) -> Result<Self, FunctionError> {
        let p = self.precision();
        let cell = self.cell("lgamma")?;
        let ends = self.ends(|x| lgamma_at(x, p))?;
        Ok(match self.slope()? {
            Some(Ordering::Less) => Self { lo: ends[1].lo.clone(), hi: ends[0].hi.clone() },
            Some(_) => Self { lo: ends[0].lo.clone(), hi: ends[1].hi.clone() },
            None => Self { lo: cell.least(p)?.lo, hi: ends[0].hi.clone().max(&ends[1].hi) },
        })
    }

    /// ψ(self), the derivative of ln |Γ|.
    ///
    /// # Errors
    /// As for [`Interval::gamma`].
    pub fn digamma(&self) -> Result<Self, FunctionError> {
        self.cell("digamma")?;
        let [lo, hi] = self.ends(|x| digamma_at(x, self.precision()))?;
        Ok(Self { lo: lo.lo, hi: hi.hi })
    }

    /// f at the ends, computed once at a point.
    fn ends(&self, f: impl Fn(&Float) -> Result<Self, FunctionError>) -> Result<[Self; 2], FunctionError> {
        let lo = f(&self.lo)?;
        let hi = if self.is_point() { lo.clone() } else { f(&self.hi)? };
        Ok([lo, hi])
    }

    /// The cell that holds the interval.
    fn cell(&self, function: &str) -> Result<Cell, FunctionError> {
        if self.lo > 0 {
            return Ok(Cell { from: None, is_negative: false });
        }
        let floor = Float::with_val(self.precision(), self.lo.floor_ref());
        let next = Float::with_val_round(self.precision() + 1, &floor + 1u32, Round::Down).0;
        if floor == self.lo || self.hi >= next {
            return Err(self.pole(function));
        }
        // finite, and no integer: so it is not large
        let from = floor.to_integer().unwrap_or_default();
        Ok(Cell { is_negative: from.is_odd(), from: Some(from) })
    }

    /// How ln |Γ| runs over the interval; `None` if it has its minimum inside, or might have.
    fn slope(&self) -> Result<Option<Ordering>, FunctionError> {
        // a point is its own least value
        if self.is_point() || digamma_at(&self.lo, SIGN_BITS)?.lo >= 0 {
            return Ok(Some(Ordering::Greater));
        }
        Ok((digamma_at(&self.hi, SIGN_BITS)?.hi <= 0).then_some(Ordering::Less))
    }
}

/// Where Γ has no pole: (0, ∞) if `from` is `None`, else from that integer to the next one.
struct Cell {
    from: Option<Integer>,
    /// Whether Γ is negative.
    is_negative: bool,
}

impl Cell {
    /// An enclosure of the least value of ln |Γ| in the cell.
    fn least(&self, precision: u32) -> Result<Interval, FunctionError> {
        // of Γ on (0, ∞) it is between 1 and 2
        let from = self.from.clone().unwrap_or_else(|| Integer::from(1));
        let bits = from.significant_bits() + BRACKET_BITS;
        let mut u = Float::with_val(bits, &from);
        let mut v = Float::with_val(bits, from + 1);
        loop {
            let middle = Float::with_val(bits, &u + &v) >> 1u32;
            if middle <= u || middle >= v {
                break;
            }
            let slope = digamma_at(&middle, SIGN_BITS)?;
            if *slope.hi() < 0 {
                u = middle;
            } else if *slope.lo() > 0 {
                v = middle;
            } else {
                break;
            }
        }
        let w = precision.saturating_add(32);
        let (width, u) = (Float::with_val_round(bits, &v - &u, Round::Up).0, Interval::point(u)?);
        let at_u = lgamma_at(u.lo(), w)?;
        let fall = digamma_at(u.lo(), w)?.mul(&Interval::point(width)?)?;
        Interval { lo: at_u.add(&fall)?.lo, hi: at_u.hi }.round_to(precision)
    }
}

/// |Γ(x)| of a number that is no pole.
fn gamma_at(x: &Float, precision: u32, _is_negative: bool) -> Result<Interval, FunctionError> {
    if x.is_integer()
        && let Some(n) = x.to_integer().and_then(|n| n.to_u32()).filter(|n| *n <= MAX_FACTORIAL)
    {
        return Interval::from_integer(&Integer::from(Integer::factorial(n - 1)), precision);
    }
    Interval::tight(precision, |w| {
        let rough = ln_gamma(x, 64)?;
        // bits before the point of the logarithm are lost after it
        let before = rough.mag().get_exp().unwrap_or(0).max(0).unsigned_abs();
        ln_gamma(x, w.saturating_add(before + 8).min(super::MAX_PRECISION))?.exp()
    })
}

/// ln |Γ(x)| of a number that is no pole.
fn lgamma_at(x: &Float, precision: u32) -> Result<Interval, FunctionError> {
    if *x == 1 || *x == 2 {
        return Interval::zero(precision);
    }
    Interval::tight(precision, |w| ln_gamma(x, w))
}

/// ψ(x) of a number that is no pole.
fn digamma_at(x: &Float, precision: u32) -> Result<Interval, FunctionError> {
    Interval::tight(precision, |w| Ok(coefficients(&Interval::point(x.clone())?, 1, w)?.swap_remove(1)))
}

/// ln |Γ(x)|, not yet tight.
fn ln_gamma(x: &Float, w: u32) -> Result<Interval, FunctionError> {
    Ok(coefficients(&Interval::point(x.clone())?, 0, w)?.swap_remove(0))
}
