//! [`Coarse`]: tabulated differences in 32 bits, to pass over the blocks of arguments that are
//! nowhere near a breakpoint.
//!
//! In an exhaustive search nearly all blocks of [`BLOCK`] arguments are far from all breakpoints,
//! and 32 bits show it: one addition and one comparison an argument, 16 arguments at once even in
//! the instructions that every x86-64 has. A block that is not passed over is tabulated in full, so
//! that the list of candidates is what it would be without.
//!
//! # What 32 bits neglect
//!
//! The arguments of a block are `16k + j`, `0 ≤ j < 16`, `0 ≤ k < 32`. With `v_j` the values of the
//! first 16, d and s the first and the second difference of the first,
//!
//! > `v(16k + j) = v_j + k·(16d + 4080s) + s·(128k(k − 31) + (16j − 120)k)`
//!
//! and the last bracket is between −32,640 (`j = 0`, `k = 16`) and 3,720 (`j = 15`, `k = 31`). What
//! is tabulated is `⌊v_j⌋ + k·⌊16d + 4080s⌋`, rounded down to multiples of 2^-32: it lags by less
//! than `1 + 31` units. The last term is neglected: `2^15·|s|`.
//!
//! Lemma E.21 of docs/proofs/phases.md.
// what is not inlined is not compiled for the caller's vectors
#![allow(clippy::inline_always)]

/// Arguments of a block.
pub const BLOCK: u64 = (LANES * STEPS) as u64;

/// Most blocks from one start.
pub const MOST_BLOCKS: u32 = 32;

/// How far the values may be from those of the integer parabola that a search starts with, in units
/// of 2^-64.
pub const SLACK: u64 = 1 << 30;

/// Values that are tabulated side by side, and how often.
const LANES: usize = 16;
const STEPS: usize = 32;

/// Largest half-width for which passing over pays: `512·2·2^18/2^32`, a sixteenth of the blocks,
/// are not passed over.
const WIDEST: u64 = 1 << 18;

/// The test "may be within h of an integer" in arithmetic of 32 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coarse {
    /// half-width in units of 2^-32, with all that is neglected
    reach: u32,
}

impl Coarse {
    /// For half-width `half` and second differences of at most `curvature`, both in units of 2^-64.
    /// `None` where few blocks would be passed over.
    pub const fn new(half: u64, curvature: u64) -> Option<Self> {
        // rounded up: half and slack, 2^15·curvature, what lags
        let reach = (half.saturating_add(SLACK) >> 32) + 1 + (curvature >> 17) + 1 + STEPS as u64;
        if reach <= WIDEST { Some(Self { reach: reach as u32 }) } else { None }
    }

    /// Bit b is set if the `b`-th of up to [`MOST_BLOCKS`] blocks may hold an argument whose value
    /// is within `half` of an integer.
    ///
    /// `start` is value, first and second difference at the first argument, in units of 2^-64: the
    /// values asked for are within [`SLACK`] of this integer parabola's.
    #[inline(always)]
    pub fn suspects(self, start: [u64; 3], blocks: u32) -> u32 {
        const PAIRS: u64 = BLOCK * (BLOCK - 1) / 2;
        let [mut value, mut difference, second] = start;
        let mut suspects = 0;
        for block in 0..blocks.min(MOST_BLOCKS) {
            suspects |= u32::from(self.is_suspect([value, difference, second])) << block;
            value =
                value.wrapping_add(difference.wrapping_mul(BLOCK)).wrapping_add(second.wrapping_mul(PAIRS));
            difference = difference.wrapping_add(second.wrapping_mul(BLOCK));
        }
        suspects
    }

    /// Written for compilers: arrays of this size become vectors, of whatever instructions the
    /// caller is compiled for.
    #[inline(always)]
    fn is_suspect(self, [mut value, mut difference, second]: [u64; 3]) -> bool {
        let step = (difference.wrapping_mul(16).wrapping_add(second.wrapping_mul(4080)) >> 32) as i32;
        // raised by the reach, values near 0 are at most twice it; lowered by 2^31 for a comparison
        // with signs, as there is no other
        let width = (2 * self.reach) as i32 ^ i32::MIN;
        let mut values = [0i32; LANES];
        for v in &mut values {
            *v = ((value >> 32) as u32).wrapping_add(self.reach) as i32 ^ i32::MIN;
            value = value.wrapping_add(difference);
            difference = difference.wrapping_add(second);
        }
        let mut near = [0i32; LANES];
        for _ in 0..STEPS {
            for lane in 0..LANES {
                near[lane] |= -i32::from(values[lane] <= width);
                values[lane] = values[lane].wrapping_add(step);
            }
        }
        near.into_iter().fold(0, |any, near| any | near) != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Where the parabola is at argument x of all blocks.
    fn value([value, difference, second]: [u64; 3], x: u64) -> u64 {
        let pairs = x * x.wrapping_sub(1) / 2;
        value.wrapping_add(difference.wrapping_mul(x)).wrapping_add(second.wrapping_mul(pairs))
    }

    /// Argument numbers within a block where something is at its worst, and any other.
    fn places() -> impl Strategy<Value = u64> {
        let corner = (prop_oneof![Just(0u64), Just(15)], prop_oneof![Just(0u64), Just(16), Just(31)]);
        prop_oneof![corner.prop_map(|(j, k)| 16 * k + j), 0..BLOCK]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(if cfg!(miri) { 5 } else { 20_000 }))]
        /// Whatever is at the end of the window and of the slack, in the worst places, is seen: by
        /// each part of the reach alone (`half`, `curvature`, or neither: the lag) as by all.
        #[test]
        fn nothing_near_is_passed_over(
            half in prop_oneof![Just(0), 0u64..1 << 32, 0u64..1 << 48],
            curvature in prop_oneof![Just(0), Just(1u64 << 34), 0u64..1 << 34],
            is_curved_most: bool,
            share in -1.0f64..=1.0,
            difference: u64,
            has_most_below: bool,
            block in 0..u64::from(MOST_BLOCKS),
            place in places(),
            is_above: bool,
            is_slack_used: bool,
        ) {
            let Some(coarse) = Coarse::new(half, curvature) else { return Ok(()) };
            let share = if is_curved_most { share.signum() } else { share };
            let second = (share * curvature as f64) as i64 as u64;
            // all that is dropped from the sixteenfold difference at the block's start is as large
            // as can be
            let at_block = |d: u64| d.wrapping_add(second.wrapping_mul(block * BLOCK));
            let difference = if has_most_below {
                let below = at_block(difference).wrapping_mul(16).wrapping_add(second.wrapping_mul(4080)) as u32;
                difference.wrapping_add(u64::from(u32::MAX - below) / 16)
            } else {
                difference
            };
            let x = block * BLOCK + place;
            let off = half + if is_slack_used { SLACK } else { 0 };
            let off = if is_above { off } else { off.wrapping_neg() };
            let start = off.wrapping_sub(value([0, difference, second], x));
            let start = [start, difference, second];
            prop_assert_eq!(value(start, x), off);
            let suspects = coarse.suspects(start, MOST_BLOCKS);
            prop_assert!(suspects >> block & 1 == 1, "argument {place} of block {block}, reach {}", coarse.reach);
            // neither does a search of fewer blocks
            prop_assert_eq!(coarse.suspects(start, block as u32 + 1), suspects & (u32::MAX >> (31 - block)));
        }
    }

    /// Most blocks are passed over.
    #[test]
    fn few_are_suspects() {
        let coarse = Coarse::new(1 << 31, 1 << 28).unwrap();
        let (mut seen, starts) = (0, if cfg!(miri) { 100 } else { 10_000u64 });
        for i in 0..starts {
            let start =
                [i.wrapping_mul(0x9e37_79b9_7f4a_7c15), i.wrapping_mul(0xc2b2_ae3d_27d4_eb4f), 1 << 28];
            seen += coarse.suspects(start, MOST_BLOCKS).count_ones();
        }
        // 2·reach/2^32 of the arguments seem near
        let expected = starts as f64 * 32.0 * 512.0 * f64::from(2 * coarse.reach) / f64::from(u32::MAX);
        assert!((expected / 2.0..expected * 2.0).contains(&f64::from(seen)), "{seen} of {expected}");
    }

    #[test]
    fn wide_windows_and_large_curvatures_are_for_others() {
        assert!(Coarse::new(1 << 49, 0).is_some() && Coarse::new(1 << 50, 0).is_none());
        assert!(Coarse::new(0, 1 << 34).is_some() && Coarse::new(0, 1 << 35).is_none());
        assert!(Coarse::new(u64::MAX, u64::MAX).is_none());
    }
}
