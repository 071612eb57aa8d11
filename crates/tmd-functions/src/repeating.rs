//! [`Repeating`]: a function that nearly repeats itself, so that a few arguments stand for many.
//!
//! # Next to 0
//!
//! There a function is nearly a multiple of x, and one binade stands for all below. Let f(0) = 0,
//! f′(0) = c ≠ 0, and M a bound of |f″/2| on `[−2^(a+1), 2^(a+1)]`. For `2^a ≤ |y| < 2^(a+1)` and
//! n ≤ 0
//!
//! ```text
//!     |2^−n·f(2^n·y) − f(y)| ≤ (1 − 2^n)·M·y² ≤ M·4^(a+1) =: δ.
//! ```
//!
//! So `[f(y) − δ, f(y) + δ]` holds `2^−n·f(2^n·y)` for all n ≤ 0. A [`Repeating`] function gives
//! these enclosures in the binade of 2^a, its *anchor*, and those of f elsewhere: what is proved
//! there of the enclosure at y, that a breakpoint is nearer than ε or that none is, is proved of f
//! at all `2^n·y`, with breakpoints multiplied by `2^n`. What an enclosure so wide does not decide
//! is undecided at y, and at all these.
//!
//! The anchor is the highest binade in which δ is less than `2^−m·|c·y|`, m = 2·p + 40 or 128,
//! whichever is more: the hardest of 2^p arguments are about 2^−p ulps from a breakpoint, and a
//! case is told to 24 bits. So nothing is undecided in practice. Lemma M.18 and Theorem M.19 of
//! docs/proofs/domain.md.
//!
//! # At large arguments
//!
//! There `log2p1` is nearly `log2`, and `exp2m1` nearly `exp2`, which repeat themselves
//! ([`Nearly`]). For `2^a ≤ y < 2^(a+1)` and n ≥ 0, and for y ≥ 0,
//!
//! ```text
//!     |log2p1(2^n·y) − n − log2p1(y)| ≤ 2^(1−a),    |2^−n·exp2m1(y + n) − exp2m1(y)| ≤ 1.
//! ```
//!
//! So the binades of 2^a, a = 2^j, stand for those of 2^k, `2^j ≤ k < 2^(j+1)`, and the arguments
//! between an integer A and A + 1 for all beyond, in enclosures that are as much wider: but for
//! powers of two, and integers, whose results are next to integers, or powers of two, at distances
//! that differ. a and A are the least with which the enclosures are wider by less than
//! `2^−(p + 28)` ulps. Theorems M.20 and M.21 of docs/proofs/domain.md.

use std::ops::Deref;

use rug::{Float, Integer, Rational, float::Round};
use tmd_core::Format;

use crate::{
    Asymptote, Expression, Family, Function, FunctionError, Interval, Inverse, Nearly, Parity, Range,
    Reflection, Series, Translation, circular::Circular,
};

/// Precision of the bounds of f′(0) and f″.
const PRECISION: u32 = 128;

/// At large arguments δ is less than this power of 1/2, in ulps, and as many bits more as the
/// format has: a case is told to 24 bits, and the hardest of 2^p arguments is about 2^−p ulps from
/// a breakpoint. Where it is nearer by more than four bits it is undecided, and not covered.
const LARGE_MARGIN: u32 = 28;

/// Next to 0 δ is less than this power of 1/2, relatively: 36 bits more than the hardest of 2^p
/// arguments has, in ulps of at most 2^(1 − p) of a result. In small formats it is less.
fn margin(format: Format) -> u32 {
    (2 * format.precision() + 40).max(128)
}

/// Fewer binades, or steps from integer to integer, than these are searched one by one.
const FEWEST: u32 = 64;

/// A function with the enclosures of some arguments widened so that they hold for others, too.
pub struct Repeating<F> {
    function: F,
    anchor: Option<Anchor>,
    large: Option<Large>,
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

/// The large arguments that stand for others.
struct Large {
    translation: Translation,
    /// in increasing order
    parts: Vec<LargePart>,
}

/// The arguments between two, neither of them among these.
struct LargePart {
    after: Float,
    before: Float,
    /// δ
    spread: Float,
}

impl<F: Deref<Target: Function>> Repeating<F> {
    /// The function, repeating over the numbers of `format` next to 0 if that spares a search of 64
    /// binades, and at large arguments if it spares one of 64 binades or steps; else as it is.
    pub fn of(function: F, format: Format) -> Self {
        let large = Large::of(function.nearly(), format, format.precision() + LARGE_MARGIN, FEWEST);
        let anchor = Anchor::of(&*function, format, margin(format), FEWEST);
        Self { function, anchor, large }
    }

    /// The same with another margin, of at least one bit, and another number of binades that are
    /// worth it, next to 0 only. A small margin leaves arguments undecided, never a case out: for
    /// tests.
    pub fn with_margin(function: F, format: Format, margin: u32, fewest: u32) -> Self {
        let anchor = Anchor::of(&*function, format, margin.max(1), fewest.max(1));
        Self { function, anchor, large: None }
    }

    /// The same at large arguments only: there δ is less than `2^−margin` ulps.
    pub fn with_large_margin(function: F, format: Format, margin: u32) -> Self {
        let large = Large::of(function.nearly(), format, margin, 1);
        Self { function, anchor: None, large }
    }

    /// The same with the anchor next to 0 and the least large argument that a certificate names, by
    /// whichever margin they were chosen; none if the theorems do not hold with these.
    pub fn with_anchors(
        function: F,
        format: Format,
        near_zero: Option<i32>,
        at_large: Option<i32>,
    ) -> Option<Self> {
        let anchor = match near_zero {
            Some(exponent) => Some(Slope::of(&*function, format)?.anchor(&*function, format, exponent, 1)?),
            None => None,
        };
        let large = match at_large {
            Some(least) => Some(Large::from(function.nearly()?, format, least)?),
            None => None,
        };
        Some(Self { function, anchor, large })
    }

    /// The same, repeating only where it is asked to.
    #[must_use]
    pub fn only(self, next_to_zero: bool, at_large: bool) -> Self {
        let Self { function, anchor, large } = self;
        Self { function, anchor: anchor.filter(|_| next_to_zero), large: large.filter(|_| at_large) }
    }

    /// δ, if an interval holds arguments from which others follow.
    fn spread(&self, x: &Interval) -> Option<&Float> {
        let near = self.anchor.as_ref().filter(|anchor| anchor.touches(x)).map(|anchor| &anchor.spread);
        let large = self.large.as_ref().and_then(|large| large.spread(x));
        near.into_iter().chain(large).max_by(|a, b| a.total_cmp(b))
    }
}

/// How f begins at 0.
struct Slope {
    /// c, by which arguments are multiplied
    factor: Interval,
    /// the exponent of the least arguments that may follow
    from: i32,
    /// the exponents that an anchor may have
    exponents: (i32, i32),
}

impl Slope {
    fn of(function: &(impl Function + ?Sized), format: Format) -> Option<Self> {
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
        Some(Self { factor: slope.clone(), from, exponents: (from.max(format.min_exponent()) + 1, highest) })
    }

    /// The anchor with this exponent, if δ is less than `2^−margin` there, relatively.
    fn anchor(
        &self,
        function: &(impl Function + ?Sized),
        format: Format,
        exponent: i32,
        margin: u32,
    ) -> Option<Anchor> {
        let (lowest, highest) = self.exponents;
        if exponent < lowest.max(format.min_exponent()) || exponent > highest {
            return None;
        }
        let end = Float::with_val(PRECISION, 1) << (exponent + 1);
        let around = Interval::new(-end.clone(), end).ok()?;
        let second = function.series(&around, 2, PRECISION).ok()?;
        let spread = second.coefficient(2)?.mag() << (2 * exponent + 2);
        let share = self.factor.mig() << (exponent - margin as i32);
        (spread <= share).then_some(Anchor { exponent, from: self.from, spread })
    }
}

impl Anchor {
    fn of(function: &(impl Function + ?Sized), format: Format, margin: u32, fewest: u32) -> Option<Self> {
        let slope = Slope::of(function, format)?;
        let lowest = slope.exponents.0 - 1 + i32::try_from(fewest).ok()?;
        (lowest..=slope.exponents.1)
            .rev()
            .find_map(|exponent| slope.anchor(function, format, exponent, margin))
    }

    /// Whether an interval holds arguments of the binade.
    fn touches(&self, x: &Interval) -> bool {
        let [low, high] = [0, 1].map(|more| Float::with_val(2, 1) << (self.exponent + more));
        let is_above = *x.hi() >= low && *x.lo() < high;
        is_above || *x.lo() <= -low && *x.hi() > -high
    }
}

impl Large {
    /// Those from the least one on with which δ is less than `2^−margin` ulps, if they spare so
    /// many searches of a binade, or of the arguments between two integers.
    fn of(nearly: Option<Nearly>, format: Format, margin: u32, fewest: u32) -> Option<Self> {
        let (nearly, precision) = (nearly?, format.precision() as i32);
        let [margin, fewest] = [margin, fewest].map(|n| n.min(1 << 20) as i32);
        let least = match nearly {
            // 2^(1 − a) in ulps of 2^(j − p + 1), a = 2^j
            Nearly::Log2 => (0..30)
                .find(|j| (1 << j) >= precision + 2 && (1 << j) + j >= precision + margin)
                .map(|j| 1 << j)?,
            // 1 in ulps of 2^(A − p + 1)
            Nearly::Exp2 => (precision + 1).max(precision - 1 + margin),
        };
        Self::from(nearly, format, least).filter(|large| large.spared(format) >= fewest)
    }

    /// Those from this one on, if there are any and the theorems hold.
    fn from(nearly: Nearly, format: Format, least: i32) -> Option<Self> {
        let (precision, greatest) = (format.precision() as i32, format.max_exponent());
        let power = |exponent: i32| Float::with_val(2, 1) << exponent;
        match nearly {
            Nearly::Log2 => {
                // results from 2^j on have the ulp 2^(j − p + 1), which has to divide 1
                let is_there = |j: &i32| (1 << j) >= least && (1 << j) <= greatest;
                let parts: Vec<i32> = (0..precision.min(30)).filter(is_there).map(|j| 1 << j).collect();
                let part = |a: i32| LargePart { after: power(a), before: power(a + 1), spread: power(1 - a) };
                let is_sound = least >= precision + 2 && format.min_exponent() < precision;
                let is_sound = is_sound && parts.first() == Some(&least);
                is_sound.then(|| Self {
                    translation: Translation::NearOffset { least },
                    parts: parts.into_iter().map(part).collect(),
                })
            }
            Nearly::Exp2 => (least > precision && least < greatest).then(|| Self {
                translation: Translation::NearScaling { least },
                parts: vec![LargePart {
                    after: Float::with_val(64, least),
                    before: Float::with_val(64, least + 1),
                    spread: power(0),
                }],
            }),
        }
    }

    /// Binades that follow, or integers after which arguments do.
    fn spared(&self, format: Format) -> i32 {
        let (precision, greatest) = (format.precision() as i32, format.max_exponent());
        match self.translation {
            Translation::NearOffset { least } => {
                // powers of two of greater ulps stand for themselves
                let parts = self.parts.len() as i32;
                let end = i64::from(greatest).min((i64::from(least) << parts) - 1) as i32; // at most greatest
                end - least + 1 - parts
            }
            Translation::NearScaling { least } => {
                // numbers are integers from 2^(p − 1) on
                let end = if precision > 24 { greatest } else { greatest.min((1 << (precision - 1)) - 1) };
                end - least
            }
            _ => 0,
        }
    }

    /// The largest δ of the parts that an interval meets.
    fn spread(&self, x: &Interval) -> Option<&Float> {
        let part = self.parts.iter().find(|part| *x.hi() > part.after && *x.lo() < part.before)?;
        Some(&part.spread)
    }
}

/// The hull of all `y + e`, y in the interval and |e| ≤ δ.
fn widened(y: &Interval, spread: &Float) -> Result<Interval, FunctionError> {
    let precision = y.precision();
    let lo = Float::with_val_round(precision, y.lo() - spread, Round::Down).0;
    let hi = Float::with_val_round(precision, y.hi() + spread, Round::Up).0;
    Interval::new(lo, hi)
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

    /// Where others follow, the coefficients of f, the first one widened by δ: with the next
    /// coefficients and remainders it makes enclosures of `f(y) + e` for all |e| ≤ δ, whatever e is
    /// at each y; no derivative of `f(2^n·y)` is asked for.
    fn series(&self, at: &Interval, order: usize, precision: u32) -> Result<Series, FunctionError> {
        let series = self.function.series(at, order, precision)?;
        let Some(spread) = self.spread(at) else { return Ok(series) };
        let mut coefficients = series.into_coefficients();
        if let Some(value) = coefficients.first_mut() {
            *value = widened(value, spread)?;
        }
        Series::new(coefficients)
    }

    fn enclose(&self, at: &Interval, precision: u32) -> Result<Interval, FunctionError> {
        let values = self.function.enclose(at, precision)?;
        match self.spread(at) {
            Some(spread) => widened(&values, spread),
            None => Ok(values),
        }
    }

    fn range(&self, at: &Interval, precision: u32) -> Result<Range, FunctionError> {
        if self.spread(at).is_some() {
            return Ok(self.enclose(at, precision)?.into());
        }
        self.function.range(at, precision)
    }

    // what is said of f alone is not said of all that follows

    fn asymptote(&self, at: &Interval, precision: u32) -> Option<Asymptote> {
        if self.spread(at).is_some() { None } else { self.function.asymptote(at, precision) }
    }

    fn split(&self, x: &Interval, precision: u32) -> Option<(Rational, Range)> {
        if self.spread(x).is_some() { None } else { self.function.split(x, precision) }
    }

    fn exact(&self, x: &Rational) -> Option<Rational> {
        let point = Interval::from_rational(x, PRECISION).ok()?;
        if self.spread(&point).is_some() { None } else { self.function.exact(x) }
    }

    fn piece(&self, at: &Interval) -> Option<Expression> {
        if self.spread(at).is_some() { None } else { self.function.piece(at) }
    }

    fn proves_irrational(&self, x: &Rational) -> bool {
        let point = Interval::from_rational(x, PRECISION);
        point.is_ok_and(|point| self.spread(&point).is_none()) && self.function.proves_irrational(x)
    }

    /// That of f, but none if it might have arguments from which others follow: its polynomials are
    /// those of f. A relative's are at 4 and beyond, the anchor is next to 0.
    fn family(&self) -> Option<Family> {
        let is_apart = |family: &Family| {
            let is_below =
                |anchor: &Anchor| family.is_relative() && family.is_below_least(anchor.exponent + 1);
            self.large.is_none() && self.anchor.as_ref().is_none_or(is_below)
        };
        self.function.family().filter(is_apart)
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

    fn nearly(&self) -> Option<Nearly> {
        self.function.nearly()
    }

    fn at_large(&self) -> Option<Translation> {
        self.large.as_ref().map(|large| large.translation)
    }

    fn reflection(&self) -> Option<Reflection> {
        self.function.reflection()
    }

    /// That of f: it is not to be asked for arguments from which others follow.
    fn inverse(&self) -> Option<Inverse> {
        self.function.inverse()
    }

    fn circular(&self) -> Option<Circular> {
        self.function.circular()
    }

    /// A square root is nearly nothing else: no other arguments follow from its.
    fn is_square_root(&self) -> bool {
        self.anchor.is_none() && self.large.is_none() && self.function.is_square_root()
    }
}

#[cfg(test)]
mod tests;
