//! [`Scaled`]: where an enclosure is between breakpoints, in integers of 128 bits.
//!
//! The first enclosure that a confirmation takes has as many bits as the result, the extra ones and
//! some forty more. Its ends are exactly representable as integers and fractions of a space between
//! breakpoints, and the fractions fit into 128 bits. So nothing is rounded here, and nothing is
//! allocated but the distance that is the answer.

use rug::{Float, integer::Order};
use tmd_core::Problem;
use tmd_functions::{Interval, taylor::binade};

use super::confirm::Position;

/// Both ends of an enclosure `2^s·f/ulp (+ 1/2)`, exactly: each an integer, and a fraction in
/// `2^-bits`.
pub(super) struct Scaled {
    ulp: i32,
    bits: u32,
    lo: (i128, u128),
    hi: (i128, u128),
}

impl Scaled {
    /// Bits of a fraction, at least …
    const LEAST: i64 = 26;

    /// … and at most: two of them add up in 127 bits.
    const MOST: i64 = 125;

    /// `None` if there is more than one binade, or integers of 128 bits do not hold it.
    pub(super) fn new(y: &Interval, problem: &Problem) -> Option<Self> {
        let exponent = binade(y)?;
        let ulp = problem.results().ulp_exponent(exponent);
        // |y| is 0.S·2^(e + 1) with a significand S of `precision` bits
        let precision = i64::from(y.precision());
        let whole = i64::from(exponent) + 1 + i64::from(problem.breakpoints().scale_bits()) - i64::from(ulp);
        let bits = precision - whole;
        if precision > 256 || !(1..=100).contains(&whole) || !(Self::LEAST..=Self::MOST).contains(&bits) {
            return None;
        }
        let bits = bits as u32;
        let half = if problem.breakpoints().is_shifted() { 1 << (bits - 1) } else { 0 };
        let [lo, hi] = [y.lo(), y.hi()].map(|end| {
            let significand = end.get_significand()?;
            let mut digits = [0u64; 4];
            let most = digits.get_mut(..significand.significant_digits::<u64>())?;
            significand.write_digits(most, Order::Lsf);
            // the least bits are those that fill the last limb
            let filling = 64 * most.len() as u32 - y.precision();
            let (mut whole, mut fraction) =
                (part(&digits, filling + bits, whole as u32) as i128, part(&digits, filling, bits));
            if end.is_sign_negative() {
                (whole, fraction) =
                    if fraction == 0 { (-whole, 0) } else { (-whole - 1, (1 << bits) - fraction) };
            }
            fraction += half;
            if fraction >> bits == 1 {
                Some((whole + 1, fraction - (1 << bits)))
            } else {
                Some((whole, fraction))
            }
        });
        Some(Self { ulp, bits, lo: lo?, hi: hi? })
    }

    /// What [`separate_by_floats`](super::confirm::separate_by_floats) says.
    pub(super) fn separate(&self, problem: &Problem) -> Option<Position> {
        let Self { ulp, bits, lo, hi } = *self;
        // otherwise a breakpoint is between the ends, or one of them
        if lo.0 != hi.0 || lo.1 == 0 {
            return None;
        }
        let half = 1u128 << (bits - 1);
        // next to the breakpoint below, or to the one above; in between it is neither
        let is_above = hi.1 < half;
        let (nearest, least, most) = if is_above {
            (lo.0, lo.1, hi.1)
        } else if lo.1 > half {
            (lo.0 + 1, 2 * half - hi.1, 2 * half - lo.1)
        } else {
            return None;
        };
        let tolerance =
            i64::from(bits) + i64::from(problem.breakpoints().scale_bits()) - i64::from(problem.extra_bits());
        let is_within = |distance: u128| match tolerance {
            ..0 => false,
            0..=127 => distance < 1 << tolerance,
            _ => true,
        };
        // −⌈log2⌉ of n·2^-bits, for n > 0
        let negated_log2_floor = |n: u128| (n - 1).leading_zeros();
        let twice = least + most;
        let is_known = is_within(least) == is_within(most)
            && negated_log2_floor(least) == negated_log2_floor(most)
            && most - least <= twice >> 25;
        let distance = is_known.then(|| Float::with_val(128, twice) >> (bits + 1))?;
        Some(Position { nearest, ulp, distance, above: is_above })
    }
}

/// `count` bits of a number from bit `from` on.
fn part(digits: &[u64; 4], from: u32, count: u32) -> u128 {
    let digit = |index: u32| digits.get(index as usize).copied().unwrap_or(0);
    let (first, shift) = (from / 64, from % 64);
    let low = u128::from(digit(first)) | u128::from(digit(first + 1)) << 64;
    let next = u128::from(digit(first + 2));
    let bits = if shift == 0 { low } else { low >> shift | next << (128 - shift) };
    bits & ((1 << count) - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::confirm::separate_by_floats;
    use proptest::prelude::*;
    use rug::Integer;
    use tmd_core::{Breakpoints, Format};

    /// Fractions of so many bits: any, and those next to a breakpoint and to the middle between
    /// two.
    fn fractions(bits: u32) -> impl Strategy<Value = u128> {
        let one = 1u128 << bits;
        (0..5, 0..one, 0..bits).prop_map(move |(kind, any, j)| match kind {
            0 => any,
            1 => 1 << j,
            2 => one - (1 << j),
            3 => one / 2 - (1 << j >> 1),
            _ => (one / 2 + (1 << j >> 1)).min(one - 1),
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 20_000, ..ProptestConfig::default() })]
        /// Integers and MPFR's numbers say the same of every enclosure: of any sign, next to
        /// breakpoints, in the middle between two, and around one.
        #[test]
        fn integers_say_what_floats_say(
            (bits, fraction, width) in (26u32..=125).prop_flat_map(|bits| {
                (Just(bits), fractions(bits), prop_oneof![0..4u128, (0..bits).prop_map(|j| 1 << j)])
            }),
            whole in 0u64..1 << 52,
            exponent in -1000i32..1000,
            breakpoints in prop_oneof![Just(Breakpoints::All), Just(Breakpoints::Directed), Just(Breakpoints::Nearest)],
            extra_bits in 2u32..=60,
            negative: bool,
        ) {
            let double = Format::BINARY64;
            let problem = Problem::new(double, double, breakpoints, extra_bits).unwrap();
            let whole_bits = 53 + breakpoints.scale_bits();
            let precision = bits + whole_bits;
            // 2^exponent and more, in units of the last bit
            let whole = Integer::from(u128::from(whole) << breakpoints.scale_bits()) + (Integer::from(1) << (whole_bits - 1));
            let least: Integer = (whole << bits) + fraction;
            let largest = (Integer::from(1) << precision) - 1u32;
            let most = (least.clone() + width).min(largest);
            let ends = [least, most].map(|end| Float::with_val(precision, end) << (exponent - precision as i32 + 1));
            let [lo, hi] = if negative { let [a, b] = ends; [-b, -a] } else { ends };
            let y = Interval::new(lo, hi).unwrap();
            let said = |position: Option<Position>| position.map(|p| (p.nearest, p.ulp, p.above, p.distance));
            let scaled = Scaled::new(&y, &problem).unwrap();
            prop_assert_eq!(said(scaled.separate(&problem)), said(separate_by_floats(&y, &problem)));
        }
    }
}
