//! [`InverseVia`]: where results are fewer than arguments, the inverse g of f is searched over the
//! breakpoints of f's results.
//!
//! Let `y` be the breakpoint next to `f(x)` for a case x, `ε = 2^-m` and
//! `|f(x) − y| < ε·ulp(f(x))`. As `g(f(x)) = x`,
//!
//! ```text
//!     |x − g(y)| = |g(f(x)) − g(y)| ≤ sup|g'|·|f(x) − y| < sup|g'|·ε·ulp(f(x)):
//! ```
//!
//! g(y) is next to the number x, so that x is found by a search of g at the arguments y for results
//! next to numbers. Lemma M.11 of docs/proofs/domain.md says it with its borders; what it asks
//! for is derived by `parts`:
//!
//! * the breakpoints y next to results of a range of arguments: the hull of the results, rounded
//!   outward to breakpoints;
//! * `m'` with `sup|g'|·ε·ulp(f(x)) ≤ 2^-m'·ulp(g(y))`, for the breakpoints of one binade.
//!
//! What a search of g finds at y is nothing but a reason to look at the argument next to g(y)
//! (`InverseVia::decide`): f is confirmed there as it is everywhere, and what is found there counts
//! if its breakpoint is y. So no argument is found twice.
//!
//! That none is lost is Theorem M.12, machine-checked in `proofs/Certificate.v`; that g(y) is as
//! near to x as m' says, Theorem C.12, and the hull's bound of it, Theorem C.18.

use rug::{Float, Integer, Rational, float::Round};
use tmd_core::{ArgumentRange, Breakpoints, Format, Number, Problem};
use tmd_functions::{Expression, Function, Interval, Inverse, taylor::float_of};

use crate::{
    DriverError,
    confirm::{MAX_PRECISION, Verdict, confirm, nearest_breakpoint, undefined},
    interval::{argument_ranges, floor_log2, power_of_two},
    regions::{translate::holds_anchors, value_of},
    search::MAX_CASES,
};

#[cfg(test)]
mod tests;

/// Precision in bits of the enclosures of f's results and of g's slope.
const PRECISION: u32 = 192;

/// What a range of breakpoints stands for.
#[derive(Clone, Debug, PartialEq)]
pub struct InverseVia {
    /// g, the function that is searched.
    pub function: Expression,
    /// The arguments of f whose cases are found.
    pub arguments: ArgumentRange,
    /// m': g's results closer than 2^-m' ulp to a number are candidates. 0 if g is not searched,
    /// but the arguments next to each breakpoint are listed, because they are many (Lemma M.22 of
    /// docs/proofs/domain.md).
    pub extra_bits: u32,
}

/// [`InverseVia::extra_bits`] where arguments are listed.
const LISTED: u32 = 0;

/// Arguments of a region that are listed, at most.
const MOST_LISTED: f64 = (1u32 << 20) as f64;

/// Whether a range may hold arguments from which others follow because f is nearly another
/// function there.
fn is_anchor(function: &dyn Function, range: &ArgumentRange) -> bool {
    let nearly = [function.near_zero(), function.at_large()];
    nearly.into_iter().flatten().any(|translation| holds_anchors(translation, range))
}

/// Breakpoints y of one spacing, and what searching g there stands for.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Part {
    pub(crate) breakpoints: ArgumentRange,
    pub(crate) via: InverseVia,
}

/// The breakpoints next to results of f over `arguments`, in increasing order; `None` where g
/// cannot be searched instead. `is_flat` asks for half as many breakpoints as arguments at most.
pub(crate) fn parts(
    function: &dyn Function,
    problem: &Problem,
    arguments: &ArgumentRange,
    is_flat: bool,
) -> Option<Vec<Part>> {
    let Inverse { function: inverse, from, to } = function.inverse()?;
    // what is said of these arguments is said of others, too: of f there, not of g
    if is_anchor(function, arguments) {
        return None;
    }
    let ends = [0, arguments.count().checked_sub(1)?].map(|k| arguments.argument(k));
    let [first, last] = ends.map(value_of);
    if from.is_some_and(|from| first < from) || to.is_some_and(|to| last > to) {
        return None;
    }
    let [first, last] = ends.map(float_of);
    let whole = Interval::new(first, last).ok()?.round_to(PRECISION).ok()?;
    let results = function.enclose(&whole, PRECISION).ok()?;
    let ranges = breakpoints(&results, breakpoint_format(problem))?;
    let count: u128 = ranges.iter().map(|range| u128::from(range.count())).sum();
    let has_fewer = count <= u128::from(arguments.count() / 2);
    if is_flat && !has_fewer {
        return None;
    }
    let mut listed = 0.0;
    let parts = ranges.into_iter().map(|breakpoints| {
        let bits = extra_bits(&inverse, problem, arguments, &breakpoints)?;
        let extra_bits = match u32::try_from(bits) {
            // ε' may be larger than it must
            Ok(bits) if bits >= Problem::MIN_EXTRA_BITS => bits.min(Problem::MAX_EXTRA_BITS),
            _ => {
                listed += breakpoints.count() as f64 * per_breakpoint(bits);
                LISTED
            }
        };
        let via = InverseVia { function: inverse.clone(), arguments: *arguments, extra_bits };
        Some(Part { breakpoints, via })
    });
    let parts = parts.collect::<Option<Vec<Part>>>()?;
    if listed > if has_fewer { MOST_LISTED } else { 0.0 } {
        return None;
    }
    // a search that would list too many candidates is refused
    let candidates = |part: &Part| {
        if part.via.is_listed() {
            return 0.0;
        }
        Breakpoints::Directed.expected_cases(part.breakpoints.count() as f64, part.via.extra_bits)
    };
    (parts.iter().map(candidates).sum::<f64>() <= MAX_CASES as f64).then_some(parts)
}

/// The format whose numbers are the breakpoints, and for rounding to nearest the numbers between
/// these.
pub(crate) fn breakpoint_format(problem: &Problem) -> Format {
    let format = problem.results();
    match problem.breakpoints() {
        Breakpoints::Directed => format,
        // midpoints are numbers with one more bit, subnormal ones too: that halves the least
        // spacing as all others
        Breakpoints::Nearest | Breakpoints::All => format.with_midpoints(),
    }
}

/// The numbers of `format` from the last one that is not above the results to the first one that is
/// not below them. None if the format ends before.
fn breakpoints(results: &Interval, format: Format) -> Option<Vec<ArgumentRange>> {
    let [least, most] = [results.lo(), results.hi()].map(Float::to_rational);
    let on_grid = |value: Rational, is_up: bool| {
        let exponent = floor_log2(&value).unwrap_or(format.min_exponent());
        let spacing = power_of_two(format.ulp_exponent(exponent));
        let scaled = value / &spacing;
        (if is_up { scaled.ceil() } else { scaled.floor() }) * spacing
    };
    let (first, last) = (on_grid(least?, false), on_grid(most?, true));
    let end = power_of_two(format.max_exponent() + 1);
    if first <= -end.clone() || last >= end {
        return None;
    }
    // less than any spacing: the end of an interval is not part of it
    let after = power_of_two(format.ulp_exponent(format.min_exponent()) - 1);
    argument_ranges(&first, &(last + after), format).ok()
}

/// Arguments next to a breakpoint, on both sides, for this m'.
fn per_breakpoint(bits: i32) -> f64 {
    2.0 + 2f64.powi(1 - bits)
}

/// m' for breakpoints of one binade: the largest for which Lemma M.11 is proved, 2 at least.
fn extra_bits(
    inverse: &Expression,
    problem: &Problem,
    arguments: &ArgumentRange,
    breakpoints: &ArgumentRange,
) -> Option<i32> {
    let [first, last] = [0, breakpoints.count() - 1].map(|k| breakpoints.argument(k));
    // ulp(f(x)) is at most that of y's binade: a result in the next binade has its breakpoint
    // there, too
    let exponent = |y: Number| y.log2_floor().unwrap_or(problem.results().min_exponent());
    let ulp = problem.results().ulp_exponent(exponent(first).max(exponent(last)));
    let reach = ulp - problem.extra_bits() as i32;
    let slope = {
        let reach = Float::with_val(2, 1) << reach;
        let from = Float::with_val_round(PRECISION, &float_of(first) - &reach, Round::Down).0;
        let to = Float::with_val_round(PRECISION, &float_of(last) + &reach, Round::Up).0;
        let whole = Interval::new(from, to).ok()?;
        inverse.series(&whole, 1, PRECISION).ok()?.coefficient(1)?.mag()
    };
    // |g'| ≤ 2^log2_slope, so |x − g(y)| < 2^(log2_slope + reach)
    let log2_slope = slope.get_exp()?;
    // ulp(g(y)) is at least that of the numbers below the least |x|: g(y) may be there
    let magnitudes = [0, arguments.count() - 1].map(|k| arguments.argument(k));
    let format = problem.arguments();
    let below = |x: Number| match x.log2_floor() {
        Some(exponent) if x.significand().unsigned_abs() == 1 => exponent - 1,
        Some(exponent) => exponent,
        None => format.min_exponent(),
    };
    let least = magnitudes.into_iter().map(below).min()?;
    Some(format.ulp_exponent(least) - (log2_slope + reach))
}

/// The breakpoint next to `f(x)`, if x is a case, exact, or undecided.
pub(crate) fn breakpoint_of(
    function: &dyn Function,
    problem: &Problem,
    verdict: &Verdict,
) -> Result<Option<Number>, DriverError> {
    Ok(match verdict {
        Verdict::NotHard => None,
        Verdict::Case(case) => Some(case.breakpoint),
        Verdict::Exact(case) => Some(case.value),
        Verdict::Undecided { argument, .. } => Some(nearest_breakpoint(function, problem, *argument)?),
    })
}

impl InverseVia {
    /// The problem that a search of g answers; `problem` is that of f.
    pub(crate) fn problem(&self, problem: &Problem) -> Result<Problem, DriverError> {
        Ok(Problem::new(
            breakpoint_format(problem),
            problem.arguments(),
            Breakpoints::Directed,
            self.extra_bits,
        )?)
    }

    /// Whether arguments are listed, and g is not searched.
    pub(crate) fn is_listed(&self) -> bool {
        self.extra_bits == LISTED
    }

    /// Arguments to be looked at next to so many breakpoints, about, where they are listed:
    /// `problem` is that of f.
    pub(crate) fn listed(&self, problem: &Problem, breakpoints: &ArgumentRange) -> f64 {
        let bits = extra_bits(&self.function, problem, &self.arguments, breakpoints);
        bits.map_or(0.0, |bits| breakpoints.count() as f64 * per_breakpoint(bits))
    }

    /// What is known of f at all arguments whose results may be nearer than ε to y, if y is their
    /// breakpoint: those between g(y − ε·U) and g(y + ε·U), U the ulp at y (Lemma M.22).
    pub(crate) fn list(
        &self,
        function: &dyn Function,
        problem: &Problem,
        y: Number,
    ) -> Result<Vec<Verdict>, DriverError> {
        let exponent = y.log2_floor().unwrap_or(problem.results().min_exponent());
        let reach =
            Float::with_val(2, 1) << (problem.results().ulp_exponent(exponent) - problem.extra_bits() as i32);
        // with as many bits as this, g tells arguments of the region apart
        let precision = 2 * PRECISION;
        let middle = float_of(y);
        let ends = [
            Float::with_val_round(precision, &middle - &reach, Round::Down).0,
            Float::with_val_round(precision, &middle + &reach, Round::Up).0,
        ];
        let [from, to] = ends;
        let value = self.function.enclose(&Interval::new(from, to)?, precision);
        let value = value.map_err(|reason| undefined(&self.function, y, reason))?;
        let range = &self.arguments;
        let index = |end: &Float, round: Round| {
            let scaled = Float::with_val(end.prec(), end >> range.exponent());
            scaled.to_integer_round(round).map(|(integer, _)| integer - range.first())
        };
        let (Some(first), Some(last)) = (index(value.lo(), Round::Up), index(value.hi(), Round::Down)) else {
            return Err(DriverError::TooManyFound { limit: MAX_CASES });
        };
        let first = first.max(Integer::new());
        let last = last.min(Integer::from(range.count()) - 1u32);
        if Integer::from(&last - &first) > MOST_LISTED as u64 {
            return Err(DriverError::TooManyFound { limit: MAX_CASES });
        }
        let (first, count) = (first.to_u64().unwrap_or(0), (last - &first).to_i64().unwrap_or(-1) + 1);
        let mut verdicts = Vec::new();
        for k in 0..u64::try_from(count).unwrap_or(0) {
            let verdict = confirm(function, problem, range.argument(first + k))?;
            let is_of_y = breakpoint_of(function, problem, &verdict)? == Some(y);
            verdicts.push(if is_of_y { verdict } else { Verdict::NotHard });
        }
        Ok(verdicts)
    }

    /// What is known of f at the argument next to g(y), if y is its breakpoint.
    pub(crate) fn decide(
        &self,
        function: &dyn Function,
        problem: &Problem,
        y: Number,
    ) -> Result<Verdict, DriverError> {
        let range = &self.arguments;
        let index = self.index(y)? - range.first();
        if !(0..i128::from(range.count())).contains(&index) {
            return Ok(Verdict::NotHard);
        }
        let verdict = confirm(function, problem, range.argument(index as u64))?; // below the count
        let is_of_y = breakpoint_of(function, problem, &verdict)? == Some(y);
        Ok(if is_of_y { verdict } else { Verdict::NotHard })
    }

    /// The integer next to g(y) in units of the arguments' spacing: the only one that can be as
    /// near as a quarter.
    fn index(&self, y: Number) -> Result<i128, DriverError> {
        let spacing = self.arguments.exponent();
        let point = Interval::point(float_of(y))?;
        let mut precision = PRECISION;
        while precision <= MAX_PRECISION {
            let value = self.function.enclose(&point, precision);
            let value = value.map_err(|reason| undefined(&self.function, y, reason))?;
            // the middle is within 1/16 of g(y), so less than 5/16 from such an integer
            if value.radius()? <= Float::with_val(2, 1) << (spacing - 4)
                && let Some((integer, _)) = (value.midpoint() >> spacing).to_integer_round(Round::Nearest)
            {
                // far from all arguments an integer may be large
                return Ok(integer.to_i128().unwrap_or(i128::MIN / 2));
            }
            precision *= 2;
        }
        let (function, argument) = (self.function.name(), y.to_string());
        Err(DriverError::Undecided { function, argument, bits: MAX_PRECISION })
    }
}
