//! The parabola about an argument: b, the slope and c, from a block's polynomial.
//!
//! **Theorem A.4.** Let a block's polynomial about its center have the coefficients c0 to c2 in 128
//! bits, cut, and the others in `f64`. Then at the distance X from the center, with the tail
//! `T(X) = Σ c_k·X^k` from k = 3 on,
//!
//! `b = c0 + (c1 + c2·X)·X + T(X)`, slope `c1 + 2·c2·X + T'(X)` and `c = c2 + T''(X)/2`
//!
//! are those of the piece, but for `Tails::neglected` of [`layout`](super::layout).

use tmd_core::{
    Piece,
    difftable::{Fixed, power_of_two},
};

use super::layout::Layout;

/// A block's polynomial about its center, or its negative.
pub(super) struct Block {
    /// of the piece, at which it begins
    first: u64,
    arguments: u64,
    /// argument about which the polynomial is
    center: u64,
    c0: u128,
    c1: u128,
    c2: u128,
    /// c2
    quadratic: f64,
    /// c3 and what follows, and those of the derivative and of half the second one
    higher: Vec<[f64; 3]>,
}

/// A polynomial's parabola at an argument.
#[derive(Clone, Copy, Debug)]
pub(super) struct Local {
    /// the argument's number in the piece
    pub(super) argument: u64,
    /// value mod 1, in units of 2^-64
    value: u64,
    /// slope mod 1, in units of 2^-128
    slope: u128,
    /// c
    pub(super) curvature: f64,
}

impl Block {
    /// Block number `number` of a piece.
    pub(super) fn new(piece: &Piece, layout: Layout, number: u64) -> Self {
        let first = number * layout.block;
        let center = first + layout.block / 2;
        let polynomial = piece.polynomial().shifted(center as i64 - piece.center() as i64);
        let coefficients = polynomial.coefficients();
        let of = |k: usize| {
            let coefficient = coefficients.get(k).copied().unwrap_or(Fixed::ZERO);
            if layout.is_negated { -coefficient } else { coefficient }
        };
        Self {
            first,
            arguments: layout.block,
            center,
            c0: of(0).high128(),
            c1: of(1).high128(),
            c2: of(2).high128(),
            quadratic: residue(of(2)),
            higher: (3..coefficients.len())
                .map(|k| {
                    let (c, k) = (residue(of(k)), k as f64);
                    [c, k * c, k * (k - 1.0) * 0.5 * c]
                })
                .collect(),
        }
    }

    /// The first argument behind it.
    pub(super) const fn end(&self) -> u64 {
        self.first + self.arguments
    }

    /// The parabola at argument number `argument` of the piece, which is in the block.
    #[inline(always)]
    pub(super) fn local(&self, argument: u64) -> Local {
        debug_assert!((self.first..self.end()).contains(&argument), "{argument} is not in the block");
        let x = argument as i64 - self.center as i64;
        let (fixed, float) = (i128::from(x) as u128, x as f64);
        // the tail and its derivatives over X³, X² and X (Theorem A.11)
        let (mut tail, mut slope, mut curvature) = (0.0, 0.0, 0.0);
        for [c, first, second] in self.higher.iter().rev() {
            tail = tail * float + c;
            slope = slope * float + first;
            curvature = curvature * float + second;
        }
        let square = float * float;
        // |T| ≤ 2^-8 and |T'| ≤ 2^-34: the casts cut, and do not saturate
        let tail = (tail * square * float * power_of_two(64)) as i64 as u64;
        let slope = (i128::from((slope * square * power_of_two(96)) as i64) as u128) << 32;
        let rise = self.c2.wrapping_mul(fixed);
        let value = self.c0.wrapping_add(self.c1.wrapping_add(rise).wrapping_mul(fixed));
        Local {
            argument,
            value: ((value >> 64) as u64).wrapping_add(tail),
            slope: self.c1.wrapping_add(rise << 1).wrapping_add(slope),
            curvature: self.quadratic + curvature * float,
        }
    }
}

impl Local {
    /// The slope in units of 2^-64, rounded down.
    pub(super) const fn slope64(&self) -> u64 {
        (self.slope >> 64) as u64
    }

    /// `b + slope·x` mod 1, in units of 2^-128.
    #[cfg(test)]
    pub(super) fn linear(&self, x: i64) -> u128 {
        (u128::from(self.value) << 64).wrapping_add(self.slope.wrapping_mul(i128::from(x) as u128))
    }

    /// `v·slope` mod 1, next to 0: v·σ, if A/v is the fraction next to the slope.
    #[inline(always)]
    pub(super) fn length(&self, v: u64) -> f64 {
        let product = self.slope.wrapping_mul(u128::from(v));
        let (high, low) = ((product >> 64) as i64, (product as u64 >> 1) as i64);
        high as f64 * power_of_two(-64) + low as f64 * power_of_two(-127)
    }

    /// The numerator of the fraction A/v that [`length`](Self::length) is of.
    #[inline(always)]
    pub(super) fn numerator(&self, v: u64) -> u64 {
        // A is the nearest integer, as the length is the residue next to 0
        let low = (u128::from(self.slope as u64) * u128::from(v)) >> 64;
        let product = u128::from((self.slope >> 64) as u64) * u128::from(v) + low;
        ((product >> 64) as u64) + (product as u64 >> 63)
    }

    /// `v·value`: how many whole ones, and the fraction.
    #[inline(always)]
    pub(super) fn multiple(&self, v: u64) -> (u64, f64) {
        let multiple = u128::from(v) * u128::from(self.value);
        ((multiple >> 64) as u64, (multiple as u64 >> 1) as i64 as f64 * power_of_two(-63))
    }
}

/// The residue mod 1 next to 0, rounded to a relative 2^-52.
fn residue(fraction: Fixed<8>) -> f64 {
    let is_negative = fraction.high64() >> 63 == 1;
    let magnitude = if is_negative { -fraction } else { fraction };
    let limbs = magnitude.limbs();
    let Some(top) = limbs.iter().rposition(|&limb| limb != 0) else { return 0.0 };
    let low = if top > 0 { limbs[top - 1] } else { 0 };
    let high = u128::from(limbs[top]) << 64 | u128::from(low);
    let value = high as f64 * power_of_two(64 * (top as i32 - 8) - 64);
    if is_negative { -value } else { value }
}
