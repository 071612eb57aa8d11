//! [`clear_part`]: the arguments of a known region none of whose results is within ε of a
//! breakpoint.
//!
//! All results of a region are between the same two breakpoints ([`Class::Between`]), or each is
//! between the value of a line and the next breakpoint ([`Class::Beside`]). An enclosure of all
//! results, or of how far all are from the line, then says how near they come to either side; the
//! next breakpoints beyond are half a space between breakpoints away from there, which is no less
//! than ε.
//!
//! Lemma M.4 of docs/proofs/domain.md.

use rug::{Float, Rational, float::Round};
use tmd_core::{ArgumentRange, Breakpoints, Problem};
use tmd_functions::{Function, Interval, taylor::float_of};

use super::{
    Class,
    classify::is_number,
    gap::{Gap, value_of},
    line::{Offset, Tangent, offset},
    piece,
};
use crate::interval::{floor_log2, power_of_two};

/// Precision of the enclosures in bits: results of 64 bits leave seven times as many for the
/// distance to a breakpoint.
const PRECISION: u32 = 512;

/// The largest part around the middle of a range, known to be of `class`, that holds no case of
/// `problem`; `None` if the middle does not show that it is none, or no enclosure does. What is
/// left on both sides may be anything.
pub(super) fn clear_part(
    function: &dyn Function,
    problem: &Problem,
    range: &ArgumentRange,
    class: &Class,
) -> Option<ArgumentRange> {
    let tangent = Tangent::of(function, PRECISION);
    let is_clear = |from: u64, to: u64| {
        let part = range.part(from, to - from);
        is_clear(function, tangent.as_ref(), problem, &part, class).unwrap_or(false)
    };
    let (count, middle) = (range.count(), range.count() / 2);
    if is_clear(0, count) {
        return Some(*range);
    }
    if !is_clear(middle, middle + 1) {
        return None;
    }
    // the last test of either loop that succeeds is one of the part that is returned
    let (mut bad, mut from) = (0, middle);
    while from - bad > 1 {
        let next = bad + (from - bad) / 2;
        if is_clear(next, middle + 1) { from = next } else { bad = next }
    }
    let (mut to, mut bad) = (middle + 1, count);
    while bad - to > 1 {
        let next = to + (bad - to) / 2;
        if is_clear(from, next) { to = next } else { bad = next }
    }
    Some(range.part(from, to - from))
}

/// Whether no result over a range of one binade is within ε of a breakpoint; `None` if nothing can
/// be enclosed.
fn is_clear(
    function: &dyn Function,
    tangent: Option<&Tangent>,
    problem: &Problem,
    range: &ArgumentRange,
    class: &Class,
) -> Option<bool> {
    let [first, last] = [0, range.count() - 1].map(|k| float_of(range.argument(k)));
    let whole = Interval::new(first, last).ok()?.round_to(PRECISION).ok()?;
    match class {
        Class::Between(gap) => {
            let values = function.range(&whole, PRECISION).ok()?;
            is_clear_of_ends(gap, values.below.value()?, values.above.value()?, problem)
        }
        Class::Beside(beside) => {
            let own = || tangent?.offset(function, range, PRECISION).ok()?;
            let offset = piece::offset(function, &whole, range, PRECISION)
                .or_else(own)
                .or_else(|| offset(function, range, PRECISION))?;
            Some(offset.beside() == *beside && is_clear_of_line(&offset, range, problem))
        }
        _ => None,
    }
}

/// Whether all numbers from `below` to `above` in a gap are at least ε from those of its ends that
/// are breakpoints. They have one ulp.
fn is_clear_of_ends(gap: &Gap, below: &Float, above: &Float, problem: &Problem) -> Option<bool> {
    let format = problem.results();
    let [least, most] = [value_of(gap.below?), value_of(gap.above?)];
    // a number between them has the exponent of all of them
    let exponent = floor_log2(&(Rational::from(&least + &most) / 2u32))?;
    let epsilon = power_of_two(format.ulp_exponent(exponent) - problem.extra_bits() as i32);
    let is_breakpoint = |end: &Rational| match problem.breakpoints() {
        Breakpoints::All => true,
        Breakpoints::Directed => is_number(end, format),
        Breakpoints::Nearest => !is_number(end, format),
    };
    let is_clear = |end: &Rational, distance: Float| {
        !is_breakpoint(end) || distance.is_sign_positive() && distance >= epsilon
    };
    // of 66 bits
    let [least_float, most_float] = [&least, &most].map(|end| Float::with_val(PRECISION, end));
    let [down, up] = [below - &least_float, &most_float - above]
        .map(|difference| Float::with_val_round(PRECISION, difference, Round::Down).0);
    Some(is_clear(&least, down) && is_clear(&most, up))
}

/// Whether all results are at least ε from the line, if its values are breakpoints, and from the
/// next breakpoints on their side.
fn is_clear_of_line(offset: &Offset, range: &ArgumentRange, problem: &Problem) -> bool {
    let format = problem.results();
    let Offset { line, is_above, least, most } = offset;
    let Some(space) = line.space(*is_above, range, format) else { return false };
    // results are before a breakpoint that is not farther out than the power of two above the line
    let [_, farthest] = line.magnitudes(range);
    let Some(exponent) = floor_log2(&farthest) else { return false };
    let ulp = format.ulp_exponent(exponent);
    let epsilon = power_of_two(ulp - problem.extra_bits() as i32);
    // to nearest, numbers are no breakpoints: multiples of the greatest ulp are numbers
    let are_numbers = || (line.unit(range) / power_of_two(ulp)).is_integer();
    let is_clear_below = *least >= epsilon || problem.breakpoints() == Breakpoints::Nearest && are_numbers();
    is_clear_below && *most <= space - epsilon
}
