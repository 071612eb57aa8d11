//! [`Repeating`]: next to 0 a function is nearly a multiple of x, so that one binade stands for all
//! below.
//!
//! Let f(0) = 0, f′(0) = c ≠ 0, and M a bound of |f″/2| on `[−2^(a+1), 2^(a+1)]`. For
//! `2^a ≤ |y| < 2^(a+1)` and n ≤ 0
//!
//! ```text
//!     |2^−n·f(2^n·y) − f(y)| ≤ (1 − 2^n)·M·y² < M·4^(a+1) =: δ.
//! ```
//!
//! So `[f(y) − δ, f(y) + δ]` holds `2^−n·f(2^n·y)` for all n ≤ 0. A [`Repeating`] function gives
//! these enclosures in the binade of 2^a, its *anchor*, and those of f elsewhere: what is proved
//! there of the enclosure at y, that a breakpoint is nearer than ε or that none is, is proved of f
//! at all `2^n·y`, with breakpoints multiplied by `2^n`. What an enclosure so wide does not decide
//! is undecided at y, and at all these.
//!
//! The anchor is the highest binade in which δ is less than `2^−192·|c·y|`, much less than what
//! tells a case from another argument: so nothing is undecided in practice. Lemma M.18 and
//! Theorem M.19 of
//! docs/proofs/domain.md.

use std::ops::Deref;

use rug::{Float, Integer, Rational, float::Round};
use tmd_core::Format;

use crate::{
    Asymptote, Expression, Family, Function, FunctionError, Interval, Inverse, Parity, Range, Reflection,
    Series, Translation, circular::Circular,
};

/// Precision of the bounds of f′(0) and f″.
const PRECISION: u32 = 128;

/// δ is less than this power of 1/2, relatively.
const MARGIN: u32 = 192;

/// Fewer binades than these are searched one by one.
const FEWEST: u32 = 64;

/// A function with the enclosures of one binade widened so that they hold for all binades below.
pub struct Repeating<F> {
    function: F,
    anchor: Option<Anchor>,
}

/// The binade that stands for those below.
struct Anchor {
    /// log2 of its least number
    exponent: i32,
    /// the exponent of the least arguments that follow
    from: i32,
    /// δ
    spread: Float,
}

impl<F: Deref<Target: Function>> Repeating<F> {
    /// The function, repeating over the numbers of `format` if that spares a search of 64 binades;
    /// else as it is.
    pub fn of(function: F, format: Format) -> Self {
        Self::with_margin(function, format, MARGIN, FEWEST)
    }

    /// The same with another margin, of at least one bit, and another number of binades that are
    /// worth it. A small margin leaves arguments undecided, never a case out: for tests.
    pub fn with_margin(function: F, format: Format, margin: u32, fewest: u32) -> Self {
        let anchor = Anchor::of(&*function, format, margin.max(1), fewest.max(1));
        Self { function, anchor }
    }

    fn at(&self, x: &Interval) -> Option<&Anchor> {
        self.anchor.as_ref().filter(|anchor| anchor.touches(x))
    }
}

impl Anchor {
    fn of(function: &(impl Function + ?Sized), format: Format, margin: u32, fewest: u32) -> Option<Self> {
        let series = function.series(&Interval::zero(PRECISION).ok()?, 1, PRECISION).ok()?;
        let [value, slope] = series.coefficients() else { return None };
        // next to a line of rational slope results are beside breakpoints, or would be undecided in
        // great numbers
        if !value.is_zero() || slope.is_point() || slope.contains_zero() || may_be_rational(slope) {
            return None;
        }
        // MPFR: 2^(e−1) ≤ |c| < 2^e
        let (least, most) = (slope.mig().get_exp()? - 1, slope.mag().get_exp()?);
        // δ is less than half of |c·y|, so that |f(x)| ≥ 2^(least − 1)·|x| for all x that follow:
        // at least 2^(emin + 1), so that all breakpoints next to it are normal
        let normal = format.min_exponent() + 2 - least;
        let from = normal.max(format.ulp_exponent(format.min_exponent()));
        // and at most 2^(most + 1)·|y| < 2^(most + a + 2) at the anchor
        let highest = (format.max_exponent() - most - 2).min(-1);
        let lowest = from.max(format.min_exponent()) + i32::try_from(fewest).ok()?;
        (lowest..=highest).rev().find_map(|exponent| {
            let end = Float::with_val(PRECISION, 1) << (exponent + 1);
            let around = Interval::new(-end.clone(), end).ok()?;
            let second = function.series(&around, 2, PRECISION).ok()?;
            let spread = second.coefficient(2)?.mag() << (2 * exponent + 2);
            let share = slope.mig() << (exponent - margin as i32);
            (spread <= share).then_some(Self { exponent, from, spread })
        })
    }

    /// Whether an interval holds arguments of the binade.
    fn touches(&self, x: &Interval) -> bool {
        let [low, high] = [0, 1].map(|more| Float::with_val(2, 1) << (self.exponent + more));
        let is_above = *x.hi() >= low && *x.lo() < high;
        is_above || *x.lo() <= -low && *x.hi() > -high
    }

    /// The hull of all `y + e`, y in the interval and |e| ≤ δ.
    fn widened(&self, y: &Interval) -> Result<Interval, FunctionError> {
        let precision = y.precision();
        let lo = Float::with_val_round(precision, y.lo() - &self.spread, Round::Down).0;
        let hi = Float::with_val_round(precision, y.hi() + &self.spread, Round::Up).0;
        Interval::new(lo, hi)
    }
}

/// Whether an interval, which does not hold 0, holds a power of two times a fraction with a
/// denominator below 2^32. (An interval as narrow as these has none by chance.)
fn may_be_rational(slope: &Interval) -> bool {
    let exponent = slope.mag().get_exp().unwrap_or(0);
    let ends = [slope.mig(), slope.mag()].map(|end| (end >> exponent).to_rational());
    let [Some(mut low), Some(mut high)] = ends else { return true };
    // the continued fraction that both ends share: the next convergent after it is in between
    let (mut before, mut denominator) = (Integer::new(), Integer::from(1));
    loop {
        let [floor, above] = [&low, &high].map(|end| Integer::from(end.floor_ref()));
        if denominator.significant_bits() > 32 {
            return false;
        }
        if floor != above || low == floor {
            return true;
        }
        let inverse = |end: Rational| (end - &floor).recip();
        (low, high) = (inverse(high), inverse(low));
        let floor = Integer::from(low.floor_ref());
        (before, denominator) = (denominator.clone(), floor * &denominator + before);
    }
}

impl<F: Deref<Target: Function> + Send + Sync> Function for Repeating<F> {
    fn name(&self) -> String {
        self.function.name()
    }

    /// In the binade of the anchor, the coefficients of f, the first one widened by δ: with the
    /// next coefficients and remainders it makes enclosures of `f(y) + e` for all |e| ≤ δ, whatever
    /// e is at each y; no derivative of `f(2^n·y)` is asked for.
    fn series(&self, at: &Interval, order: usize, precision: u32) -> Result<Series, FunctionError> {
        let series = self.function.series(at, order, precision)?;
        let Some(anchor) = self.at(at) else { return Ok(series) };
        let mut coefficients = series.into_coefficients();
        if let Some(value) = coefficients.first_mut() {
            *value = anchor.widened(value)?;
        }
        Series::new(coefficients)
    }

    fn enclose(&self, at: &Interval, precision: u32) -> Result<Interval, FunctionError> {
        let values = self.function.enclose(at, precision)?;
        self.at(at).map_or(Ok(values.clone()), |anchor| anchor.widened(&values))
    }

    fn range(&self, at: &Interval, precision: u32) -> Result<Range, FunctionError> {
        if self.at(at).is_some() {
            return Ok(self.enclose(at, precision)?.into());
        }
        self.function.range(at, precision)
    }

    // what is said of f alone is not said of all that follows from the anchor

    fn asymptote(&self, at: &Interval, precision: u32) -> Option<Asymptote> {
        if self.at(at).is_some() { None } else { self.function.asymptote(at, precision) }
    }

    fn split(&self, x: &Interval, precision: u32) -> Option<(Rational, Range)> {
        if self.at(x).is_some() { None } else { self.function.split(x, precision) }
    }

    fn exact(&self, x: &Rational) -> Option<Rational> {
        let point = Interval::from_rational(x, PRECISION).ok()?;
        if self.at(&point).is_some() { None } else { self.function.exact(x) }
    }

    fn piece(&self, at: &Interval) -> Option<Expression> {
        if self.at(at).is_some() { None } else { self.function.piece(at) }
    }

    fn proves_irrational(&self, x: &Rational) -> bool {
        let point = Interval::from_rational(x, PRECISION);
        point.is_ok_and(|point| self.at(&point).is_none()) && self.function.proves_irrational(x)
    }

    /// None, if anything repeats: its polynomials are those of f.
    fn family(&self) -> Option<Family> {
        if self.anchor.is_some() { None } else { self.function.family() }
    }

    fn exact_rule(&self) -> Option<String> {
        self.function.exact_rule()
    }

    fn parity(&self) -> Option<Parity> {
        self.function.parity()
    }

    fn translation(&self) -> Option<Translation> {
        self.function.translation()
    }

    fn near_zero(&self) -> Option<Translation> {
        self.anchor.as_ref().map(|anchor| Translation::Near { from: anchor.from, anchor: anchor.exponent })
    }

    fn reflection(&self) -> Option<Reflection> {
        self.function.reflection()
    }

    /// That of f: it is not to be asked for arguments of the anchor.
    fn inverse(&self) -> Option<Inverse> {
        self.function.inverse()
    }

    fn circular(&self) -> Option<Circular> {
        self.function.circular()
    }
}

#[cfg(test)]
mod tests;
