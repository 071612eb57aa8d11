//! [`Block`]: many neighboring arguments of a small format at once, in doubles.
//!
//! Over an interval of arguments a function is a Taylor polynomial with a proved remainder
//! (enclosures of the coefficients at the center, and of one more coefficient over the interval),
//! or it runs along a line: its tangent at 0, or an asymptote. With doubles, and a bound of
//! everything that they neglect, most results of formats of 24 bits or less have one position
//! between breakpoints: that takes some nanoseconds, not microseconds. What has none, as exact
//! results, is left to enclosures at one argument.
//!
//! # What is neglected
//!
//! Let t = x − c, |t| ≤ h; both are exact: the arguments are multiples of one power of two, and
//! few. With the coefficients ĉₖ as doubles,
//! |cₖ − ĉₖ| ≤ δₖ, Horner's rule for Σ ĉₖtᵏ, k ≤ D, has an error of at most γ·Σ|ĉₖ|hᵏ with γ = 2Du/(1 − 2Du), u = 2^-53 (Higham,
//! *Accuracy and Stability of Numerical Algorithms*, 5.1), and 2D·2^-1075·Σhᵏ for underflow, below
//! 2^-1000 as h < 2. The bound is their sum with Σ δₖhᵏ and the remainder max|C|·h^(D+1), all
//! rounded up.

use rug::{Float, float::Round};
use tmd_core::Format;
use tmd_functions::{Expression, Function, Interval, range::Bound, special::Sign};

use crate::{
    Class, Encoding,
    position::{Position, Rest},
};

/// Terms of the polynomial beyond the constant.
const DEGREE: usize = 5;
/// Bits of the enclosures.
const PRECISION: u32 = 96;
/// 2D·u with room for the denominator, and for the rounding of the bound itself.
const GAMMA: f64 = 16.0 * f64::EPSILON;
/// More than all underflow, and less than any breakpoint.
const UNDERFLOW: f64 = 1e-300;

/// An enclosure of a result, and its position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Quick {
    pub(crate) lo: f64,
    pub(crate) hi: f64,
    pub(crate) position: Position,
}

/// What is known of the results over an interval of arguments.
pub(crate) struct Block {
    encoding: Encoding,
    center: f64,
    /// half the length, at least
    radius: f64,
    polynomial: Option<([f64; DEGREE + 1], f64)>,
    lines: Vec<Line>,
    /// if all have the same position
    all: Option<Quick>,
}

/// f(x) is between constant + slope·x, which it is not, and that plus `most`, which has a sign.
struct Line {
    constant: f64,
    slope: f64,
    most: f64,
}

impl Block {
    /// What is known between two numbers of a format of 24 bits or less, between which there are at
    /// most 2^20 others.
    pub(crate) fn new(function: &Expression, encoding: Encoding, first: f64, last: f64) -> Option<Self> {
        let (lo, hi) = (first.min(last), first.max(last));
        if encoding.format().precision() > 24 || !(lo.is_finite() && hi.is_finite()) {
            return None;
        }
        let float = |x: f64| Float::with_val(PRECISION, x);
        let wide = Interval::new(float(lo), float(hi)).ok()?;
        // a number of the arguments' spacing, or half of it: so all x − c are exact
        let center = lo + (hi - lo) / 2.0;
        let radius = (hi - center).max(center - lo);
        let polynomial = polynomial(function, &wide, center, radius);
        let lines = [tangent(function, lo, hi), asymptote(function, &wide)].into_iter().flatten().collect();
        let all = all(function, &wide, encoding);
        Some(Self { encoding, center, radius, polynomial, lines, all })
    }

    /// The result at an argument of the interval, if its position is known.
    pub(crate) fn at(&self, x: f64) -> Option<Quick> {
        let along = self.lines.iter().find_map(|line| self.along(line, x));
        along.or_else(|| self.by_polynomial(x)).or(self.all)
    }

    fn by_polynomial(&self, x: f64) -> Option<Quick> {
        let (coefficients, error) = self.polynomial.as_ref()?;
        let t = x - self.center;
        debug_assert!(t.abs() <= self.radius);
        let y = coefficients.iter().rev().fold(0.0, |sum, c| sum * t + c);
        let ends = [(y - error).next_down(), (y + error).next_up()];
        quick(ends, ends, self.encoding)
    }

    /// Where the line's value is a double, exactly.
    fn along(&self, line: &Line, x: f64) -> Option<Quick> {
        let Line { constant, slope, most } = *line;
        let product = slope * x;
        let value = constant + product;
        // x has 24 bits: the product is exact if the slope has no more than 29, and the sum if
        // nothing is left of it
        let is_exact = slope.to_bits().trailing_zeros() >= 24
            && (product == 0.0 || product.abs() > 1e-280)
            && value - constant == product
            && value - product == constant;
        if !is_exact {
            return None;
        }
        // Breakpoints are doubles: so values strictly between two doubles next to each other have
        // the position of either that is none
        let (end, near) = if most > 0.0 {
            ((value + most).next_up(), value.next_up())
        } else {
            ((value + most).next_down(), value.next_down())
        };
        quick([value.min(end), value.max(end)], [near.min(end), near.max(end)], self.encoding)
    }
}

/// An enclosure, if both of these doubles are between the same breakpoints: all of it has a
/// position that is between theirs, or the same.
fn quick([lo, hi]: [f64; 2], places: [f64; 2], encoding: Encoding) -> Option<Quick> {
    let is_positive = lo >= 0.0 && places[0] > 0.0;
    let is_negative = hi <= 0.0 && places[1] < 0.0;
    if !(is_positive || is_negative) {
        return None;
    }
    let [position, other] = places.map(|place| of_double(place, encoding));
    position.filter(|_| position == other).map(|position| Quick { lo, hi, position })
}

/// The position of a double that is not 0, if it is no breakpoint.
fn of_double(y: f64, encoding: Encoding) -> Option<Position> {
    let format = encoding.format();
    let sign = if y < 0.0 { Sign::Negative } else { Sign::Positive };
    let bits = y.to_bits();
    let (biased, fraction) = ((bits >> 52 & 0x7ff) as i32, bits & ((1 << 52) - 1));
    if biased == 0 {
        // far below the least number of all these formats
        return Some(Position::At { sign, ordinal: 0, rest: Rest::BelowHalf });
    }
    let exponent = biased - 1023;
    if exponent > format.max_exponent() {
        return Some(Position::Beyond(sign));
    }
    let significand = fraction | 1 << 52;
    // bits below the last one of the format; 29 at least
    let below = format.ulp_exponent(exponent) - (exponent - 52);
    if below > 60 {
        return Some(Position::At { sign, ordinal: 0, rest: Rest::BelowHalf });
    }
    let (ulps, rest) = (significand >> below, significand & ((1 << below) - 1));
    let quarter = 1u64 << (below - 2);
    let binades = (exponent.max(format.min_exponent()) - format.min_exponent()) as u128;
    let ordinal = (binades << (format.precision() - 1)) + u128::from(ulps);
    let is_last_subnormal = ordinal + 1 == encoding.least_normal();
    let rest = match rest {
        0 => return None,
        rest if rest < 2 * quarter => Rest::BelowHalf,
        rest if rest == 2 * quarter => return None,
        _ if !is_last_subnormal => Rest::AboveHalf,
        rest if rest < 3 * quarter => Rest::AboveHalf,
        rest if rest == 3 * quarter => return None,
        _ => Rest::AboveThreeQuarters,
    };
    Some(Position::At { sign, ordinal, rest })
}

/// What is known of all results, by their range: where they overflow or vanish, coefficients say
/// nothing.
fn all(function: &Expression, wide: &Interval, encoding: Encoding) -> Option<Quick> {
    let range = function.range(wide, PRECISION).ok()?;
    let end = |bound: &Bound, round: Round| {
        let Some(b) = bound.value() else {
            let infinite = if round == Round::Up { f64::INFINITY } else { f64::NEG_INFINITY };
            return (infinite, infinite);
        };
        let end = b.to_f64_round(round);
        // what is strictly on one side of a double is between the same breakpoints as its neighbor,
        // or beyond it
        let is_open = bound.is_open() || *b != end;
        let inside = if round == Round::Up { end.next_down() } else { end.next_up() };
        (end, if is_open { inside } else { end })
    };
    let (lo, hi) = (end(&range.below, Round::Down), end(&range.above, Round::Up));
    quick([lo.0, hi.0], [lo.1, hi.1], encoding)
}

/// The coefficients about the center, and a bound of all errors.
fn polynomial(
    function: &Expression,
    wide: &Interval,
    center: f64,
    radius: f64,
) -> Option<([f64; DEGREE + 1], f64)> {
    let point = Interval::from_f64(center, PRECISION).ok()?;
    let at = function.series(&point, DEGREE, PRECISION).ok()?;
    let over = function.series(wide, DEGREE + 1, PRECISION).ok()?;
    let up = |x: f64| x.next_up();
    let mut coefficients = [0.0; DEGREE + 1];
    let (mut error, mut power) = (UNDERFLOW, 1.0);
    for (coefficient, enclosure) in coefficients.iter_mut().zip(at.coefficients()) {
        let c = enclosure.lo().to_f64();
        // |c − ĉ| for all of the enclosure
        let away = [(enclosure.hi(), Round::Up), (enclosure.lo(), Round::Down)]
            .map(|(end, round)| Float::with_val_round(64, end - c, round).0.abs().to_f64_round(Round::Up));
        let neglected = up(up(away[0].max(away[1])) + up(GAMMA * c.abs()));
        error = up(error + up(neglected * power));
        *coefficient = c;
        power = up(power * radius);
    }
    let last = over.coefficient(DEGREE + 1)?.mag_f64().ok()?;
    error = up(error + up(up(last) * power));
    (error.is_finite() && coefficients.iter().all(|c| c.is_finite())).then_some((coefficients, error))
}

/// Above this a tangent at 0 is too far away.
const NEAR_ZERO: f64 = 1.0 / 256.0;

/// The tangent at 0. If the second coefficient is 0 there, f(x) = f(0) + f'(0)·x + C·x³, else with
/// C·x², where C is a Taylor coefficient at a number between 0 and x (Taylor's theorem with
/// Lagrange's remainder): the function is on one side if C has a sign.
fn tangent(function: &Expression, lo: f64, hi: f64) -> Option<Line> {
    if lo.abs().max(hi.abs()) > NEAR_ZERO {
        return None;
    }
    let float = |x: f64| Float::with_val(PRECISION, x);
    let at = function.series(&Interval::zero(PRECISION).ok()?, 2, PRECISION).ok()?;
    let exact = |k: usize| {
        let coefficient = at.coefficient(k).filter(|c| c.is_point())?.lo();
        let nearest = coefficient.to_f64();
        (nearest.is_finite() && *coefficient == nearest).then_some(nearest)
    };
    let (constant, slope) = (exact(0)?, exact(1)?);
    let power = if exact(2) == Some(0.0) { 3 } else { 2 };
    let hull = Interval::new(float(lo.min(0.0)), float(hi.max(0.0))).ok()?;
    let over = function.series(&hull, power, PRECISION).ok()?;
    let last = over.coefficient(power)?;
    if last.contains_zero() {
        return None;
    }
    let is_negative = (last.hi().is_sign_negative()) != (power == 3 && hi < 0.0);
    let magnitude = lo.abs().max(hi.abs());
    // each product is rounded up; what underflows is less than the least double at most
    let most = (0..power).fold(last.mag_f64().ok()?.next_up(), |most, _| (most * magnitude).next_up());
    most.is_finite().then_some(Line { constant, slope, most: if is_negative { -most } else { most } })
}

/// The line by theory, if the function stays on one side of it.
fn asymptote(function: &Expression, wide: &Interval) -> Option<Line> {
    let asymptote = function.asymptote(wide, PRECISION)?;
    let exact = |q: &rug::Rational| {
        let nearest = q.to_f64();
        (nearest.is_finite() && *q == nearest).then_some(nearest)
    };
    let (constant, slope) = (exact(&asymptote.constant)?, exact(&asymptote.slope)?);
    let remainder = &asymptote.remainder;
    let is_positive = match &remainder.below {
        Bound::Open(b) => *b >= 0,
        Bound::Closed(b) => *b > 0,
        Bound::Unbounded => false,
    };
    let is_negative = match &remainder.above {
        Bound::Open(b) => *b <= 0,
        Bound::Closed(b) => *b < 0,
        Bound::Unbounded => false,
    };
    let most = match (is_positive, is_negative) {
        (true, _) => remainder.above.value()?.to_f64_round(Round::Up),
        (_, true) => remainder.below.value()?.to_f64_round(Round::Down),
        _ => return None,
    };
    (most.is_finite() && most != 0.0).then_some(Line { constant, slope, most })
}

/// A finite number of a format of 24 bits or less, or a zero, as the double that it is.
pub(crate) fn double(encoding: Encoding, bits: u128) -> Option<f64> {
    let format = encoding.format();
    let x = if format == Format::BINARY32 {
        f32::from_bits(bits as u32).into()
    } else if format == Format::BFLOAT16 {
        f32::from_bits((bits as u32) << 16).into()
    } else {
        match encoding.decode(bits) {
            Class::Number(x) => x.to_f64(),
            Class::Zero(_) => 0.0,
            _ => return None,
        }
    };
    f64::is_finite(x).then_some(x)
}

/// An enclosure of |r − y| in ulps of y, for a y between two doubles and an r that is one.
pub(crate) fn error(r: f64, lo: f64, hi: f64, ulp_exponent: i32) -> [f64; 2] {
    let (least, most) = ((r - hi).next_down(), (r - lo).next_up());
    let (least, most) = if least >= 0.0 {
        (least, most)
    } else if most <= 0.0 {
        (-most, -least)
    } else {
        (0.0, most.max(-least))
    };
    // a power of two: exact, but where it overflows, upward
    let scale = tmd_core::difftable::power_of_two(-ulp_exponent);
    [least * scale, most * scale]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Mode, Reference};
    use proptest::prelude::*;

    /// How many of a block's results are known, all of which are as the enclosures at one argument
    /// say.
    fn known(text: &str, format: Format, first: u128, count: u128) -> usize {
        let function = tmd_functions::parse(text).unwrap();
        let reference = Reference::new(&function, format).unwrap();
        let encoding = reference.encoding();
        let at = |sign, ordinal| encoding.pattern(sign, ordinal);
        let mut known = 0;
        for sign in [Sign::Positive, Sign::Negative] {
            let ends = [first, first + count - 1].map(|ordinal| double(encoding, at(sign, ordinal)).unwrap());
            let Some(block) = Block::new(&function, encoding, ends[0], ends[1]) else { continue };
            for ordinal in first..first + count {
                let bits = at(sign, ordinal);
                let Some(quick) = block.at(double(encoding, bits).unwrap()) else { continue };
                let outcome = reference.outcome(bits).unwrap().unwrap();
                let slow = Mode::ALL.map(|mode| outcome.expected(mode));
                let rounded = Mode::ALL.map(|mode| quick.position.rounded(mode, encoding));
                assert_eq!(rounded, slow, "{text} {bits:x}");
                if let Some(ulp) = quick.position.ulp_exponent(encoding) {
                    for mode in Mode::ALL {
                        let result = slow[mode.index()].bits;
                        let Some(r) = double(encoding, result) else { continue };
                        let [lo, hi] = outcome.error(mode, result).unwrap();
                        let [least, most] = error(r, quick.lo, quick.hi, ulp);
                        assert!(least <= lo && hi <= most, "{text} {bits:x}: {least} {lo} {hi} {most}");
                    }
                }
                known += 1;
            }
        }
        known
    }

    const FUNCTIONS: [&str; 14] = [
        "exp", "log", "sin", "cos", "tan", "cbrt", "atan", "tanh", "expm1", "log1p", "sinpi", "erf", "exp2",
        "asin",
    ];

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]
        #[test]
        fn as_one_by_one(
            text in prop::sample::select(&FUNCTIONS[..]), exponent in 1u128..254, fraction in 0u128..1 << 23,
            length in prop::sample::select(&[16u128, 64][..]),
        ) {
            known(text, Format::BINARY32, (exponent << 23 | fraction) / length * length, length);
        }

        /// Where a block is a large part of a binade, the remainder is more than all the rest.
        #[test]
        fn as_one_by_one_where_the_remainder_counts(
            text in prop::sample::select(&FUNCTIONS[..]), exponent in 115u128..140, place in 0u128..2,
        ) {
            known(text, Format::BFLOAT16, exponent << 7 | place << 6, 64);
        }

        #[test]
        fn doubles_have_the_position_of_enclosures(m in 1u64..1 << 53, e in -210i32..80, negative: bool, short in 0u32..50) {
            let m = (m >> short << short).max(1);
            let y = (if negative { -(m as f64) } else { m as f64 }) * 2f64.powi(e);
            for format in [Format::BINARY32, Format::BINARY16, Format::BFLOAT16] {
                let encoding = Encoding::new(format).unwrap();
                let arithmetic = tmd_functions::special::Arithmetic::new(64, Sign::Positive).unwrap();
                let exact = arithmetic.rational(&rug::Rational::from_f64(y).unwrap());
                let tmd_functions::special::Datum::Real(real) = exact else { unreachable!() };
                let slow = Position::of(&real, encoding).unwrap();
                if let Some(quick) = of_double(y, encoding) {
                    prop_assert_eq!(quick, slow);
                } else {
                    let Position::At { rest, .. } = slow else { panic!("{y}") };
                    prop_assert!(matches!(rest, Rest::Nothing | Rest::Half | Rest::ThreeQuarters));
                }
            }
        }
    }

    /// Almost all results are known where it matters: next to a line, in the middle, at large
    /// arguments.
    #[test]
    fn most_are_known() {
        for (text, exponents) in [
            ("exp", &[127, 80, 100, 200, 0][..]),
            ("sin", &[60, 115, 125]),
            ("tanh", &[10, 140]),
            ("cos", &[100]),
            ("log", &[200]),
            ("cbrt", &[20]),
            ("log1p", &[90]),
            ("atan", &[250]),
            ("exp2m1", &[50]),
            ("asinh", &[30]),
        ] {
            for &exponent in exponents {
                let found = known(text, Format::BINARY32, (exponent << 23) + 4096 * 55, 512);
                let of = if text == "log" { 512 } else { 1024 };
                assert!(found > of * 9 / 10, "{text} {exponent}: {found} of {of}");
            }
        }
        assert!(known("exp", Format::BFLOAT16, 127 << 7, 64) > 110);
        assert!(known("exp", Format::BINARY16, 15 << 10, 64) > 110);
    }
}
