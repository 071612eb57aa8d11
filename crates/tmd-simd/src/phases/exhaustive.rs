//! Tabulated differences in lanes: blocks of arguments in 32 bits ([`Coarsely`]), and every
//! argument of consecutive stretches, one stretch per lane ([`Tabulate`]), of the few blocks that
//! are left.
//!
//! The latter takes two additions and a comparison per argument, 64-bit fractions; what truncation
//! does to a stretch's end is in the error budget (`layout`).

use tmd_core::coarse::Coarse;

use crate::lanes::{Kernel, Lanes, Row};

/// Which blocks may hold a case: bit by bit, see [`Coarse::suspects`]. Compilers make vectors of
/// it.
pub(super) struct Coarsely {
    pub(super) coarse: Coarse,
    pub(super) start: [u64; 3],
    pub(super) blocks: u32,
}

impl Kernel for Coarsely {
    type Output = u32;

    #[inline(always)]
    fn run<L: Lanes>(self, _: L) -> u32 {
        self.coarse.suspects(self.start, self.blocks)
    }
}

/// Vectors that are tabulated together: the additions of one wait for each other.
pub(super) const VECTORS: usize = 2;

/// The stretches of one call: first values and first differences, and their common second
/// difference.
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
        // no closures here: they are functions of their own, compiled without the machine's
        // instructions
        let [values0, values1] = &stretches.values;
        let [differences0, differences1] = &stretches.differences;
        let mut values = [l.add_u(l.load_u(values0), raise), l.add_u(l.load_u(values1), raise)];
        let mut differences = [l.load_u(differences0), l.load_u(differences1)];
        for step in 0..steps {
            let inside = [l.le_u(values[0], width), l.le_u(values[1], width)];
            if l.bits(l.either(inside[0], inside[1])) != 0 {
                flush(hits, step, [l.bits(inside[0]), l.bits(inside[1])], L::WIDTH);
            }
            for i in 0..VECTORS {
                values[i] = l.add_u(values[i], differences[i]);
                differences[i] = l.add_u(differences[i], second);
            }
        }
    }
}

/// Lists the stretches whose bits are set: so seldom that the loop must not keep its vectors in
/// memory for it.
#[cold]
#[inline(never)]
fn flush(hits: &mut Vec<Hit>, step: u32, flags: [u32; VECTORS], width: usize) {
    for (vector, mut flags) in flags.into_iter().enumerate() {
        while flags != 0 {
            hits.push(Hit { step, stretch: (vector * width) as u32 + flags.trailing_zeros() });
            flags &= flags - 1;
        }
    }
}
