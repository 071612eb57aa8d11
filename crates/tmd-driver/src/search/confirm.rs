//! [`confirm`]: decides one argument with MPFR, at whatever precision that takes (Ziv's strategy);
//! [`confirm_all`]: many.
//!
//! Nearly all arguments are decided by their first enclosure. Of such a one the function is MPFR's,
//! and all else is done in integers of 128 bits (`Scaled`).
//!
//! Lemmas M.16 and M.17 of docs/proofs/domain.md.

use rayon::prelude::*;
use rug::{Float, Integer, Rational, float::Round};
use tmd_core::{BreakpointKind, ExactCase, Format, HrCase, Number, Problem};
use tmd_functions::{
    Function, FunctionError, Interval,
    taylor::{binade, float_of},
};

use super::scaled::Scaled;
use crate::{
    DriverError,
    interval::{floor_log2, power_of_two},
};

/// Precision at which an argument whose result cannot be told from a breakpoint is given up as
/// undecided.
/// The expected hardness is twice the format's precision; a hundred times more is no coincidence.
pub(crate) const MAX_PRECISION: u32 = 1 << 14;

/// A distance of less than 2^this ulp may be a bound, and not the distance: MPFR has no smaller
/// numbers than 2^(−2^30), and of 1/eˣ for an eˣ that it does not have no more is said than that it
/// is less than e^(−2^26) ([`tmd_functions::range`]).
pub(crate) const BEYOND_PRECISION: i32 = -(1 << 25);

/// The fate of an argument.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// `dist(f(x)) ≥ ε`.
    NotHard,
    /// A hard-to-round case.
    Case(HrCase),
    /// `f(x)` is a breakpoint.
    Exact(ExactCase),
    /// With so many bits `f(x)` cannot be told from a breakpoint, and no theorem says whether it is
    /// one.
    Undecided {
        /// the argument
        argument: Number,
        /// the highest precision tried
        bits: u32,
    },
}

/// Where a result stands: the breakpoint next to it, and how far away.
pub(super) struct Position {
    /// `⌊nearest integer⌉` of `2^s·f/ulp (+ 1/2)`
    pub(super) nearest: i128,
    /// `log2 ulp(f(x))`
    pub(super) ulp: i32,
    /// `|2^s·f/ulp (+1/2) − nearest|`, within a relative error that does not matter here
    pub(super) distance: Float,
    /// sign of the difference
    pub(super) above: bool,
}

/// Decides whether `x` is a hard-to-round case of `function`.
///
/// # Errors
/// What the function says where it has no value; overflow of the result format.
pub fn confirm(function: &dyn Function, problem: &Problem, x: Number) -> Result<Verdict, DriverError> {
    let position = match locate(function, problem, x, Wanted::Verdict)? {
        Located::At(position) => position,
        Located::Far => return Ok(Verdict::NotHard),
        Located::Exactly(value) => return exactly(&value, function, problem, x),
        Located::Undecided(bits) => return Ok(Verdict::Undecided { argument: x, bits }),
    };
    // at equality the argument is not a case; equality cannot be met by an interval that excludes
    // it
    if position.distance >= problem.tolerance() {
        return Ok(Verdict::NotHard);
    }
    Ok(Verdict::Case(case(problem, x, &position)))
}

/// Arguments that one thread takes at a time: some hundred microseconds.
const SHARE: usize = 128;

/// As [`confirm`], of each argument, in their order; on all threads of rayon's if they are many.
///
/// # Errors
/// That of the first argument that has one.
pub fn confirm_all(
    function: &dyn Function,
    problem: &Problem,
    arguments: &[Number],
) -> Result<Vec<Verdict>, DriverError> {
    let verdicts: Vec<Result<Verdict, DriverError>> =
        arguments.par_iter().with_min_len(SHARE).map(|&x| confirm(function, problem, x)).collect();
    verdicts.into_iter().collect()
}

/// As [`confirm`], where results may be beyond all numbers: there are no breakpoints from 2^(emax +
/// 1) on.
pub(crate) fn confirm_or_beyond(
    function: &dyn Function,
    problem: &Problem,
    x: Number,
) -> Result<Verdict, DriverError> {
    match confirm(function, problem, x) {
        Err(DriverError::ResultOverflow { .. }) => Ok(Verdict::NotHard),
        verdict => verdict,
    }
}

/// The hardness of one argument, whatever it is: the nearest breakpoint and the distance. `Err`
/// carries exact and undecided results as verdicts.
pub fn hardness(
    function: &dyn Function,
    problem: &Problem,
    x: Number,
) -> Result<Result<HrCase, Verdict>, DriverError> {
    Ok(match locate(function, problem, x, Wanted::Position)? {
        Located::At(position) => Ok(case(problem, x, &position)),
        Located::Far => Err(Verdict::NotHard),
        Located::Undecided(bits) => Err(Verdict::Undecided { argument: x, bits }),
        Located::Exactly(value) => match exactly(&value, function, problem, x)? {
            Verdict::NotHard | Verdict::Case(_) => {
                let position = rational_position(&value, problem);
                Ok(case(problem, x, &position))
            }
            verdict => Err(verdict),
        },
    })
}

/// The breakpoint next to `f(x)`, as far as the highest precision tells.
pub(crate) fn nearest_breakpoint(
    function: &dyn Function,
    problem: &Problem,
    x: Number,
) -> Result<Number, DriverError> {
    let at = Interval::point(float_of(x))?;
    let y = function.enclose(&at, MAX_PRECISION).map_err(|reason| undefined(function, x, reason))?;
    let middle = y.midpoint().to_rational().unwrap_or_default(); // an interval's ends are finite
    Ok(case(problem, x, &rational_position(&middle, problem)).breakpoint)
}

/// What [`locate`] is to find out.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    /// Which breakpoint is the nearest, and how near it is.
    Position,
    /// The same, or that no breakpoint is within ε.
    Verdict,
}

/// What [`locate`] finds out.
enum Located {
    At(Position),
    /// No breakpoint is within the tolerance; said only where a verdict is wanted.
    Far,
    Exactly(Rational),
    Undecided(u32),
}

/// Finds the breakpoint nearest to `f(x)` and separates `f(x)` from it and from the tolerance.
fn locate(
    function: &dyn Function,
    problem: &Problem,
    x: Number,
    wanted: Wanted,
) -> Result<Located, DriverError> {
    let mut precision = problem.results().precision() + problem.extra_bits() + 40;
    let mut exact = None;
    while precision <= MAX_PRECISION {
        // exact: no significand has more than 128 bits
        let point = Float::with_val(precision.max(128), x.significand()) << x.exponent();
        let at = Interval::point(point)?;
        let y = match function.enclose(&at, precision) {
            Err(reason @ FunctionError::Overflow { .. }) => {
                return Err(if is_beyond(function, problem, &at) {
                    result_overflow(function, problem, x)
                } else {
                    undefined(function, x, reason)
                });
            }
            y => y.map_err(|reason| undefined(function, x, reason))?,
        };
        underflow(function, problem, x, &y)?;
        if let Some(position) = separate(&y, problem) {
            overflow(function, problem, x, position.ulp)?;
            return Ok(Located::At(position));
        }
        // 2^n − 1 of a large n is next to a number of any format, if that went on so far
        if y.mig().get_exp().is_some_and(|exponent| exponent - 1 > problem.results().max_exponent()) {
            return Err(result_overflow(function, problem, x));
        }
        if wanted == Wanted::Verdict && (is_far(&y, problem) || is_clear(&y, problem)) {
            return Ok(Located::Far);
        }
        // not separated at once: perhaps it cannot be
        let exact = exact.get_or_insert_with(|| {
            function.exact(&(Rational::from(x.significand()) * power_of_two(x.exponent())))
        });
        if let Some(value) = exact.take() {
            return Ok(Located::Exactly(value));
        }
        if let Some(position) = next_to(function, problem, &at) {
            overflow(function, problem, x, position.ulp)?;
            return Ok(Located::At(position));
        }
        precision *= 2;
    }
    Ok(Located::Undecided(precision / 2))
}

/// The position of a result that is a breakpoint and a remainder, however small, if the function
/// knows these.
///
/// A remainder that is below all numbers of MPFR has a sign, and no magnitude but that bound: the
/// distance is the bound, then.
fn next_to(function: &dyn Function, problem: &Problem, x: &Interval) -> Option<Position> {
    let (number, remainder) = function.split(x, x.precision())?;
    let (below, above) = (remainder.below.value()?, remainder.above.value()?);
    let is_above = *below > 0 || below.is_zero() && remainder.below.is_open();
    let is_below = *above < 0 || above.is_zero() && remainder.above.is_open();
    if !(is_above || is_below) {
        return None;
    }
    let (least, most) =
        if is_above { (below.clone(), above.clone()) } else { (-above.clone(), -below.clone()) };
    let position = rational_position(&number, problem);
    if !position.distance.is_zero() {
        return None;
    }
    // towards 0 from a power of two the ulp is that of the binade below
    let format = problem.results();
    let is_towards_zero = number != 0 && (number < 0) == is_above;
    let exponent = floor_log2(&number).unwrap_or(format.min_exponent());
    let is_power = Rational::from(number.abs_ref()) == power_of_two(exponent);
    let ulp = format.ulp_exponent(if is_towards_zero && is_power { exponent - 1 } else { exponent });
    let scale = problem.breakpoints().scale_bits() as i32 - ulp;
    let [least, most] = [(&least, Round::Down), (&most, Round::Up)]
        .map(|(end, round)| Float::with_val_round(end.prec(), end << scale, round).0);
    let spread = Float::with_val(most.prec(), &most - &least);
    let is_known = spread <= Float::with_val(most.prec(), &most >> 24)
        && negated_log2_floor(&least) == negated_log2_floor(&most)
        && (least < problem.tolerance()) == (most < problem.tolerance());
    let is_beyond_precision = most.get_exp().is_none_or(|exponent| exponent < BEYOND_PRECISION);
    // less than a quarter of an ulp is in the binade of that ulp, and nearer to this breakpoint
    // than to others
    if most >= 0.25 || !(is_known || is_beyond_precision) {
        return None;
    }
    let mut scaled = number * power_of_two(scale);
    if problem.breakpoints().is_shifted() {
        scaled += Rational::from((1, 2));
    }
    let nearest = Integer::from(scaled.round_ref()).to_i128_wrapping();
    Some(Position { nearest, ulp, distance: most, above: is_above })
}

/// Whether the result is proved to be larger than all numbers of the format.
fn is_beyond(function: &dyn Function, problem: &Problem, x: &Interval) -> bool {
    let limit = Float::with_val(2, 1) << (problem.results().max_exponent() + 1);
    function.range(x, x.precision()).is_ok_and(|range| {
        range.below.value().is_some_and(|below| *below >= limit)
            || range.above.value().is_some_and(|above| *above <= -limit)
    })
}

/// Whether an enclosure around a number, where the nearest midpoint or even the binade may stay in
/// doubt for ever, is between the midpoints beside that number and not near either.
fn is_far(y: &Interval, problem: &Problem) -> bool {
    let (format, magnitude) = (problem.results(), y.mag());
    if !problem.breakpoints().is_shifted() || problem.tolerance() > 0.25 {
        return false;
    }
    if magnitude.is_zero() {
        return true; // half an ulp from the midpoints on both sides
    }
    // 2^e ≤ mag(y) < 2^(e+1); ulps do not get smaller below the normal numbers
    let Some(exponent) = magnitude.get_exp().map(|e| (e - 1).max(format.min_exponent())) else {
        return false;
    };
    if exponent > format.max_exponent() {
        return false;
    }
    // Let U be the ulp from 2^e on. The midpoints beside a multiple kU are kU ± U/2; but if it is
    // 2^e, and the ulp below is U/2, the lower one is 2^e − U/4. From a result within U/8 of kU
    // both are at least 3/8 of U away, or U/4 from one above 2^e, or U/8 from one below: 1/4 of its
    // own ulp.
    let ulp = format.ulp_exponent(exponent);
    let [lo, hi] = [y.lo(), y.hi()].map(|end| Float::with_val(end.prec(), end >> ulp));
    let Some((number, _)) = hi.to_integer_round(Round::Nearest) else { return false };
    let is_near =
        |end: &Float| Float::with_val_round(end.prec(), end - &number, Round::AwayZero).0.abs() <= 0.125;
    is_near(&lo) && is_near(&hi)
}

/// Where an enclosure is, between breakpoints.
struct Offset {
    /// log2 of the ulp
    ulp: i32,
    /// a breakpoint's number
    nearest: Integer,
    /// bounds of the distance from it, in spaces between breakpoints, on one side of it
    least: Float,
    most: Float,
    above: bool,
}

/// Whether no breakpoint is within the tolerance of any value of an enclosure, although which one
/// is the nearest, or how many bits are the same, may stay in doubt for ever: the distance may be a
/// power of two.
fn is_clear(y: &Interval, problem: &Problem) -> bool {
    let Some(Offset { ulp, least, most, .. }) = offset(y, problem) else { return false };
    let (format, tolerance) = (problem.results(), problem.tolerance());
    // the next breakpoint on that side is a space away, as those of one binade are
    let next = Float::with_val_round(most.prec(), 1 - &most, Round::Down).0;
    ulp <= format.ulp_exponent(format.max_exponent()) && least >= tolerance && next >= tolerance
}

/// The position of an enclosure, if it leaves no doubt.
fn separate(y: &Interval, problem: &Problem) -> Option<Position> {
    match Scaled::new(y, problem) {
        Some(scaled) => scaled.separate(problem),
        None => separate_by_floats(y, problem),
    }
}

/// The position of any enclosure, if it leaves no doubt.
pub(super) fn separate_by_floats(y: &Interval, problem: &Problem) -> Option<Position> {
    let Offset { ulp, nearest, least, most, above } = offset(y, problem)?;
    let tolerance = problem.tolerance();
    if (least < tolerance) != (most < tolerance) {
        return None;
    }
    // far from every breakpoint the nearest one may be in doubt: refine unless it is a tie for sure
    let precision = least.prec();
    let distance = Float::with_val(precision, &least + &most) >> 1;
    let spread = Float::with_val(precision, &most - &least);
    if negated_log2_floor(&least) != negated_log2_floor(&most) {
        return None; // the count of identical bits is still in doubt
    }
    if spread > Float::with_val(precision, &distance >> 24) || most >= 0.5 {
        return None;
    }
    Some(Position { nearest: nearest.to_i128_wrapping(), ulp, distance, above })
}

/// Where an enclosure is, if its binade and the side of the breakpoint next to its middle are
/// known.
fn offset(y: &Interval, problem: &Problem) -> Option<Offset> {
    let format = problem.results();
    let exponent = match binade(y) {
        Some(exponent) => exponent,
        // an ulp is also known below the normal numbers; but the sign of a result is not
        None if y.contains_zero() => return None,
        None if y.mag().get_exp().is_some_and(|e| e <= format.min_exponent()) => format.min_exponent(),
        None => return None,
    };
    let ulp = format.ulp_exponent(exponent);
    let scale = problem.breakpoints().scale_bits() as i32 - ulp;
    let half = if problem.breakpoints().is_shifted() { 0.5 } else { 0.0 };
    // endpoints of 2^s·f/ulp + half, rounded outward; one more limb holds the addition of 1/2
    let precision = y.precision() + 64;
    let [lo, hi] = [(y.lo(), Round::Down), (y.hi(), Round::Up)].map(|(end, round)| {
        let scaled = Float::with_val(precision, end << scale);
        Float::with_val_round(precision, &scaled + half, round).0
    });
    let (nearest, _) = (Float::with_val(precision, &lo + &hi) >> 1u32).to_integer_round(Round::Nearest)?;
    let [below, above] = [(&lo, Round::Down), (&hi, Round::Up)]
        .map(|(end, round)| Float::with_val_round(precision, end - &nearest, round).0);
    // the difference lies in [below, above]
    let positive = below.is_sign_positive() && !below.is_zero();
    let negative = above.is_sign_negative() && !above.is_zero();
    if !positive && !negative {
        return None;
    }
    let (least, most) = if positive { (below, above) } else { (above.abs(), below.abs()) };
    Some(Offset { ulp, nearest, least, most, above: positive })
}

/// `⌊−log2 d⌋` for `d > 0`, exactly; 0 for 0, which has none.
fn negated_log2_floor(d: &Float) -> i32 {
    // MPFR: 2^(e−1) ≤ d < 2^e
    d.get_exp().map_or(0, |e| if *d == Float::with_val(2, 1) << (e - 1) { 1 - e } else { -e })
}

/// log2 of a distance, to one or two places of the last of an `f64`: in operations that IEEE 754
/// has, so that it is the same on all machines. `-∞` of 0.
fn log2(d: &Float) -> f64 {
    if d.is_zero() {
        return f64::NEG_INFINITY;
    }
    let (mut significand, mut exponent) = d.to_f64_exp();
    if significand < std::f64::consts::FRAC_1_SQRT_2 {
        (significand, exponent) = (2.0 * significand, exponent - 1);
    }
    // ln v = 2·artanh((v − 1)/(v + 1)), of an argument of at most 0.172 here: its odd powers up to
    // the 23rd are enough
    let s = (significand - 1.0) / (significand + 1.0);
    let series = (0..=11).rev().fold(0.0, |sum, k| sum * (s * s) + 1.0 / f64::from(2 * k + 1));
    f64::from(exponent) + 2.0 * std::f64::consts::LOG2_E * (s * series)
}

/// The verdict on an exactly known rational result.
fn exactly(
    value: &Rational,
    function: &dyn Function,
    problem: &Problem,
    x: Number,
) -> Result<Verdict, DriverError> {
    let position = rational_position(value, problem);
    overflow(function, problem, x, position.ulp)?;
    let least = problem.results().min_exponent();
    if is_without_subnormals(problem.results()) && floor_log2(value).is_some_and(|exponent| exponent < least)
    {
        return Err(result_underflow(function, problem, x));
    }
    if position.distance.is_zero() {
        let case = case(problem, x, &position);
        return Ok(Verdict::Exact(ExactCase { argument: x, kind: case.kind, value: case.breakpoint }));
    }
    if position.distance >= problem.tolerance() {
        return Ok(Verdict::NotHard);
    }
    Ok(Verdict::Case(case(problem, x, &position)))
}

/// The position of a rational result; exact but for the rounding of the distance to 128 bits.
fn rational_position(value: &Rational, problem: &Problem) -> Position {
    let format = problem.results();
    // 0 is a number of every format; its ulp is that of the smallest numbers
    let exponent = floor_log2(value).unwrap_or(format.min_exponent());
    let ulp = format.ulp_exponent(exponent);
    let mut scaled = value.clone() * power_of_two(problem.breakpoints().scale_bits() as i32 - ulp);
    if problem.breakpoints().is_shifted() {
        scaled += Rational::from((1, 2));
    }
    let nearest = Integer::from(scaled.round_ref());
    let difference = scaled - Rational::from(&nearest);
    Position {
        nearest: nearest.to_i128_wrapping(),
        ulp,
        above: difference > 0,
        distance: Float::with_val(128, difference.abs()),
    }
}

/// The case at a position.
fn case(problem: &Problem, x: Number, position: &Position) -> HrCase {
    let breakpoints = problem.breakpoints();
    // in halves of an ulp
    let doubled = match (breakpoints.scale_bits(), breakpoints.is_shifted()) {
        (1, _) => position.nearest,
        (_, false) => 2 * position.nearest,
        (_, true) => 2 * position.nearest - 1,
    };
    let half_ulp = position.ulp - 1;
    let (kind, lower, upper) = if doubled % 2 != 0 {
        (BreakpointKind::Midpoint, doubled - 1, doubled + 1)
    } else if position.above {
        (BreakpointKind::Number, doubled, doubled + 2)
    } else {
        (BreakpointKind::Number, doubled - 2, doubled)
    };
    let log2_distance = log2(&position.distance) - f64::from(breakpoints.scale_bits());
    // dist = distance·2^(−s) ≤ 2^-(k+1) for k + 1 = ⌊−log2 dist⌋
    let bits = negated_log2_floor(&position.distance) + breakpoints.scale_bits() as i32;
    HrCase {
        identical_bits: (bits - 1).max(0) as u32,
        argument: x,
        kind,
        breakpoint: Number::new(doubled, half_ulp),
        above: position.above,
        log2_distance,
        lower: Number::new(lower, half_ulp),
        upper: Number::new(upper, half_ulp),
    }
}

/// Refuses results beyond the format.
fn overflow(function: &dyn Function, problem: &Problem, x: Number, ulp: i32) -> Result<(), DriverError> {
    let format = problem.results();
    if ulp > format.ulp_exponent(format.max_exponent()) {
        return Err(result_overflow(function, problem, x));
    }
    Ok(())
}

/// Whether a format has exponents so small that results below them are none that anyone asks for,
/// and ulps of subnormal numbers would be none of theirs.
pub(crate) fn is_without_subnormals(format: Format) -> bool {
    format.max_exponent() >= Format::UNBOUNDED_EXPONENT
}

/// An error if a result, which is not 0, is below all exponents.
fn underflow(function: &dyn Function, problem: &Problem, x: Number, y: &Interval) -> Result<(), DriverError> {
    let format = problem.results();
    // below 2^exponent
    let is_below = || y.mag().get_exp().is_some_and(|exponent| exponent <= format.min_exponent());
    if is_without_subnormals(format) && is_below() {
        return Err(result_underflow(function, problem, x));
    }
    Ok(())
}

fn result_underflow(function: &dyn Function, problem: &Problem, x: Number) -> DriverError {
    let (function, least) = (function.name(), problem.results().min_exponent());
    DriverError::ResultUnderflow { function, least, near: x.to_string() }
}

fn result_overflow(function: &dyn Function, problem: &Problem, x: Number) -> DriverError {
    let format = problem.results();
    DriverError::ResultOverflow { function: function.name(), format, near: x.to_string() }
}

/// An evaluation error at an argument, in the driver's words.
pub(crate) fn undefined(function: &dyn Function, x: Number, reason: FunctionError) -> DriverError {
    let (function, near) = (function.name(), x.to_string());
    match reason {
        FunctionError::Pole { .. } => DriverError::Pole { function, near },
        reason => DriverError::OutsideDomain { function, reason, near },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use tmd_core::{Breakpoints, Format};

    proptest! {
        /// What is said to be far is not within the tolerance of a breakpoint, for every result
        /// that an enclosure holds: around numbers that are powers of two, any, 0, or no normal
        /// ones.
        #[test]
        fn far_is_far(
            exponent in -13i32..=15, number in prop_oneof![Just(1024), Just(2047), 1024i32..2048, Just(0), -1023i32..1024],
            below in 0i32..200, above in 0i32..200, negative: bool,
        ) {
            let format = Format::BINARY16;
            let problem = Problem::new(format, format, Breakpoints::Nearest, 2).unwrap();
            // in 1/64 of an ulp; numbers that are not normal have the ulp of those from 2^-14 on
            let exponent = if number < 1024 { -14 } else { exponent };
            let ulp = power_of_two(exponent - 10);
            let at = |n: i32| Rational::from(number) * &ulp + Rational::from((n, 64)) * &ulp;
            let ends = [at(-below), at(above)].map(|end| if negative { -end } else { end });
            let [mut lo, mut hi] = ends.clone().map(|end| Float::with_val(64, &end));
            if negative {
                std::mem::swap(&mut lo, &mut hi);
            }
            let is_far = is_far(&Interval::new(lo, hi).unwrap(), &problem);
            let distance = |value: &Rational| rational_position(value, &problem).distance;
            if is_far {
                prop_assert!(ends.iter().all(|end| distance(end) >= problem.tolerance()));
            }
            // an eighth of an ulp; it is a quarter of that below a power of two. Beyond the next
            // midpoint the next number is near
            if below < 32 && above < 32 {
                prop_assert_eq!(is_far, below <= 8 && above <= 8);
            }
        }
    }

    proptest! {
        #[test]
        fn logarithms_of_distances(significand in 1u64.., exponent in -3000i32..3000, j in 0u32..64) {
            let distance = Float::with_val(64, significand) << exponent;
            let expected = distance.clone().log2().to_f64();
            prop_assert!((log2(&distance) - expected).abs() <= expected.abs().max(1.0) * 4.0 * f64::EPSILON);
            let power = Float::with_val(64, 1u64 << j) << exponent;
            prop_assert_eq!(log2(&power), f64::from(exponent + j as i32));
        }
    }

    /// In their order, and with the error of the first that has one.
    #[test]
    fn many_are_confirmed_as_one_is() {
        let half = Format::BINARY16;
        let problem = Problem::new(half, half, Breakpoints::All, 4).unwrap();
        let exp = tmd_functions::parse("exp").unwrap();
        let arguments: Vec<Number> = (0..2000).map(|k| Number::new(1024 + k, -10)).collect();
        let verdicts = confirm_all(&exp, &problem, &arguments).unwrap();
        for (x, verdict) in arguments.iter().zip(&verdicts) {
            assert_eq!(*verdict, confirm(&exp, &problem, *x).unwrap(), "{x}");
        }
        let is_case = |verdict: &&Verdict| matches!(verdict, Verdict::Case(_));
        assert!((100..1900).contains(&verdicts.iter().filter(is_case).count()));
        let negative = |k: i128| Number::new(-k, 0);
        let arguments: Vec<Number> = arguments.into_iter().chain((1..2000).map(negative)).collect();
        let log = tmd_functions::parse("log").unwrap();
        let first = confirm(&log, &problem, negative(1)).unwrap_err();
        assert_eq!(confirm_all(&log, &problem, &arguments), Err(first));
    }

    /// A result that is closer to a number than precision shows is far from midpoints: next to a
    /// normal one, and to 0.
    #[test]
    fn next_to_a_number_is_far() {
        let verdict = |format, text, x| {
            let problem = Problem::new(Format::custom(40).unwrap(), format, Breakpoints::Nearest, 9).unwrap();
            confirm(&tmd_functions::parse(text).unwrap(), &problem, x).unwrap()
        };
        let wide = Format::custom(12).unwrap();
        assert_eq!(verdict(wide, "atanh(x)", Number::new(3, -10_000)), Verdict::NotHard);
        assert_eq!(verdict(Format::BFLOAT16, "exp2(x)", Number::new(-0x8000_0001, -13)), Verdict::NotHard);
        assert_eq!(verdict(Format::BFLOAT16, "-exp2(x)", Number::new(-0x8000_0001, -13)), Verdict::NotHard);
        assert_eq!(verdict(Format::BINARY16, "x*exp(x+pi)", Number::ZERO), Verdict::NotHard);
    }

    /// In formats of any precision results end at 2^(-2^24), below which MPFR has numbers for a
    /// while, and then none: no distance from 0 is told of them.
    #[test]
    fn below_all_exponents() {
        let format = Format::custom(11).unwrap();
        let problem = Problem::new(format, format, Breakpoints::All, 3).unwrap();
        let ask = |text: &str, x| confirm(&tmd_functions::parse(text).unwrap(), &problem, x);
        let is_below = |text: &str, x| {
            matches!(ask(text, x), Err(DriverError::ResultUnderflow { least: -16_777_216, .. }))
        };
        assert!(is_below("exp", Number::new(-3, 22)));
        assert!(is_below("exp", Number::new(-1, 300)));
        // the largest number that is, and the least one that is not
        assert!(is_below("x", Number::new(2047, -16_777_227)));
        // e^x next to it on both sides: 2^24·ln 2 is 11,629,079.97
        assert!(
            is_below("exp", Number::new(-11_629_080, 0)) && ask("exp", Number::new(-11_629_079, 0)).is_ok()
        );
        assert!(matches!(ask("x", Number::new(1, -16_777_216)), Ok(Verdict::Exact(_))));
        assert!(is_below("x^1000", Number::new(1, -16_790)));
        assert!(is_below("x^1000", Number::new(3, -16_790)));
        for (text, x) in
            [("exp", Number::new(-5, 21)), ("x^1000", Number::new(1, -16_777)), ("x-x", Number::new(1, 0))]
        {
            assert!(ask(text, x).is_ok(), "{text}");
        }
        let half = Problem::new(Format::BINARY16, Format::BINARY16, Breakpoints::All, 3).unwrap();
        assert!(confirm(&tmd_functions::parse("exp").unwrap(), &half, Number::new(-1, 10)).is_ok());
    }

    /// Results that no precision tells from a power of two, and that are beyond all numbers.
    #[test]
    fn beyond_all_exponents() {
        let problem = Problem::new(Format::BINARY32, Format::BINARY32, Breakpoints::All, 3).unwrap();
        let is_beyond = |text: &str, x| {
            let verdict = confirm(&tmd_functions::parse(text).unwrap(), &problem, Number::new(x, 0));
            matches!(verdict, Err(DriverError::ResultOverflow { .. }))
        };
        for x in [129, 1 << 15, 1 << 22] {
            assert!(is_beyond("exp2m1", x) && is_beyond("1-2^x", x) && is_beyond("2^x+1/3", x), "{x}");
        }
        assert!(is_beyond("sqrt(exp2(2*x)+exp2(-100*x))", 128));
        // 2^128 − 1 is beyond the last midpoint, and has the exponent of the largest number
        assert!(!is_beyond("exp2m1", 128) && !is_beyond("exp2m1", 127));
    }

    /// A distance that is a power of two for all that precision shows, without a theorem that says
    /// so, and more than ε: how many bits are the same stays in doubt, that there is no case does
    /// not. (1 + 15²)² is 51,076.
    #[test]
    fn far_by_a_power_of_two() {
        let half = Format::BINARY16;
        let function = tmd_functions::parse("cosh(asinh(x))^4").unwrap();
        for (breakpoints, extra_bits) in [
            (Breakpoints::All, 5),
            (Breakpoints::Directed, 5),
            (Breakpoints::Nearest, 5),
            (Breakpoints::Directed, 4),
        ] {
            let problem = Problem::new(half, half, breakpoints, extra_bits).unwrap();
            let verdict = confirm(&function, &problem, Number::new(-15, 0)).unwrap();
            assert_eq!(verdict, Verdict::NotHard, "{breakpoints:?}");
        }
        // it is 1/8 ulp from a number: a case for 2^-2
        let problem = Problem::new(half, half, Breakpoints::Directed, 2).unwrap();
        assert!(!matches!(confirm(&function, &problem, Number::new(-15, 0)).unwrap(), Verdict::NotHard));
    }

    /// A result that is a power of two for all that precision shows, without a theorem that says
    /// so.
    #[test]
    fn a_power_of_two_is_no_midpoint() {
        let double = Format::BINARY64;
        let verdict = |breakpoints| {
            let problem = Problem::new(double, double, breakpoints, 40).unwrap();
            let one = tmd_functions::parse("sin(x)^2+cos(x)^2").unwrap();
            confirm(&one, &problem, Number::new(3, 0)).unwrap()
        };
        assert_eq!(verdict(Breakpoints::Nearest), Verdict::NotHard);
        assert!(matches!(verdict(Breakpoints::All), Verdict::Undecided { .. }));
    }
}
