//! [`Real`]: singles and doubles, and the vectors of them that roots are in.
//!
//! Vectors are arrays: all their operations are those of IEEE 754 without any fused one, lane by
//! lane, so that compilers make vectors of them, and lists and counts are the same on all machines.

use core::ops::{Add, Div, Mul, Sub};

use tmd_core::difftable::power_of_two;

/// Roots per vector: two vectors of AVX2, one of AVX-512.
pub(super) const WIDTH: usize = 16;

/// Singles or doubles.
pub(super) trait Real:
    Copy + PartialOrd + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self>
{
    /// ω
    const UNIT: f64;
    /// 1.5 times the number from which on there are no fractions
    const ROUNDER: Self;
    fn of(x: f64) -> Self;
    fn root(self) -> Self;
    fn magnitude(self) -> Self;
    /// The smaller one.
    #[inline(always)]
    fn least(self, other: Self) -> Self {
        if self < other { self } else { other }
    }
    /// Whether one of them has its sign set. Zero has not: what is to pass is below it, as limits
    /// are larger by a relative 2^-20 than they need be; and those that are asked for are numbers.
    fn is_one_negative(vector: &[Self; WIDTH]) -> bool;

    /// How far it is from the nearest integer.
    #[inline(always)]
    fn off_integers(self) -> Self {
        (self - self.nearest()).magnitude()
    }

    /// The nearest integer, of numbers below a quarter of [`ROUNDER`](Self::ROUNDER).
    #[inline(always)]
    fn nearest(self) -> Self {
        (self + Self::ROUNDER) - Self::ROUNDER
    }
}

macro_rules! real {
    ($float:ident, $bits:ident, $omega:literal, $rounder:literal) => {
        impl Real for $float {
            const UNIT: f64 = power_of_two($omega);
            const ROUNDER: Self = $rounder;

            #[inline(always)]
            fn of(x: f64) -> Self {
                x as $float
            }

            #[inline(always)]
            fn root(self) -> Self {
                self.sqrt()
            }

            #[inline(always)]
            fn magnitude(self) -> Self {
                self.abs()
            }

            #[inline(always)]
            fn is_one_negative(vector: &[Self; WIDTH]) -> bool {
                vector.iter().fold(0, |bits, x| bits | x.to_bits()) >> ($bits::BITS - 1) == 1
            }
        }
    };
}

real!(f32, u32, -24, 12_582_912.0);
real!(f64, u64, -53, 6_755_399_441_055_744.0);

/// The fractions of a sequence of positions, and their numbers, a vector at a time.
#[derive(Clone, Copy)]
pub(super) struct Angles<R> {
    /// θ, next to 0
    pub(super) theta: [R; WIDTH],
    /// what a vector adds to θ, next to 0
    pub(super) turn: R,
    pub(super) index: [R; WIDTH],
}

impl<R: Real> Angles<R> {
    /// Of numbers from `first` on.
    #[inline(always)]
    pub(super) fn new(theta: [R; WIDTH], turn: R, first: f64) -> Self {
        Self { theta, turn, index: core::array::from_fn(|lane| R::of(first + lane as f64)) }
    }

    /// Goes on to the next vector.
    #[inline(always)]
    pub(super) fn advance(&mut self) {
        let next = R::of(WIDTH as f64);
        for lane in 0..WIDTH {
            let moved = self.theta[lane] + self.turn;
            self.theta[lane] = moved - moved.nearest();
            self.index[lane] = self.index[lane] + next;
        }
    }
}

/// The roots of a chunk, in vectors.
pub(super) trait Sweep {
    type Number: Real;
    /// By how much the distance of this lane's root from an argument is above what is looked at.
    fn excess(&self, lane: usize) -> Self::Number;
    /// Goes on to the next vector.
    fn advance(&mut self);
}

/// Calls `look` for those of the roots from number `first` to `last` that are near an argument.
/// Returns the sum of what it returns.
#[inline(always)]
pub(super) fn sweep<S: Sweep>(
    mut roots: S,
    (first, last): (i64, i64),
    mut look: impl FnMut(i64) -> u64,
) -> u64 {
    let zero = S::Number::of(0.0);
    let mut count = 0;
    for vector in 0..vectors(first, last) {
        let mut excess = [zero; WIDTH];
        for (lane, excess) in excess.iter_mut().enumerate() {
            *excess = roots.excess(lane);
        }
        if S::Number::is_one_negative(&excess) {
            for (lane, _) in excess.iter().enumerate().filter(|(_, excess)| **excess <= zero) {
                let i = first + vector * WIDTH as i64 + lane as i64;
                if i <= last {
                    count += look(i);
                }
            }
        }
        roots.advance();
    }
    count
}

/// How many vectors hold the roots from number `first` to `last`: J.
#[inline(always)]
pub(super) const fn vectors(first: i64, last: i64) -> i64 {
    (last - first + WIDTH as i64) / WIDTH as i64
}
