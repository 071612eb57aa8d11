//! Tabulated differences in lanes: every argument of consecutive stretches, one stretch per lane.
//!
//! Two additions and a comparison per argument, 64-bit fractions; what truncation does to a stretch's end is in the error
//! budget (`layout`).

use crate::lanes::{Kernel, Lanes, Row};

/// Vectors that are tabulated together: the additions of one wait for each other.
pub(super) const VECTORS: usize = 2;

/// The stretches of one call: first values and first differences, and their common second difference.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stretches {
    pub(super) values: [Row<u64>; VECTORS],
    pub(super) differences: [Row<u64>; VECTORS],
    pub(super) second: u64,
}

/// A value within the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Hit {
    /// argument number in its stretch
    pub(super) step: u32,
    /// number of the stretch: vector·WIDTH + lane
    pub(super) stretch: u32,
}

/// Tabulates `steps` arguments of every stretch.
pub(super) struct Tabulate<'a> {
    pub(super) stretches: &'a Stretches,
    pub(super) steps: u32,
    /// half-width of the window, in units of 2^-64, below 2^63
    pub(super) half: u64,
    pub(super) hits: &'a mut Vec<Hit>,
}

impl Kernel for Tabulate<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        let Tabulate { stretches, steps, half, hits } = self;
        let (raise, width) = (l.splat_u(half), l.splat_u(2 * half));
        let second = l.splat_u(stretches.second);
        let mut values = stretches.values.map(|row| l.add_u(l.load_u(&row), raise));
        let mut differences = stretches.differences.map(|row| l.load_u(&row));
        for step in 0..steps {
            let inside = values.map(|value| l.le_u(value, width));
            if l.bits(l.either(inside[0], inside[1])) != 0 {
                note(hits, step, inside.map(|mask| l.bits(mask)), L::WIDTH);
            }
            for (value, difference) in values.iter_mut().zip(&mut differences) {
                *value = l.add_u(*value, *difference);
                *difference = l.add_u(*difference, second);
            }
        }
    }
}

/// Notes the stretches whose bits are set.
#[inline(never)]
fn note(hits: &mut Vec<Hit>, step: u32, flags: [u32; VECTORS], width: usize) {
    for (vector, mut flags) in flags.into_iter().enumerate() {
        while flags != 0 {
            hits.push(Hit { step, stretch: (vector * width) as u32 + flags.trailing_zeros() });
            flags &= flags - 1;
        }
    }
}
