//! [`Real`]: singles and doubles, and the vectors of them that roots are in.
//!
//! Vectors are arrays: all their operations are those of IEEE 754 without any fused one, or of
//! integers mod 2^32, lane by lane, so that compilers make vectors of them, and lists and counts
//! are the same on all machines.

use core::ops::{Add, Div, Mul, Sub};

use tmd_core::difftable::power_of_two;

/// Roots per vector: two vectors of AVX2, one of AVX-512.
pub(super) const WIDTH: usize = 16;

/// The numbers of a vector's lanes. Compilers are not to know them: they would have scalars for
/// multiples of 0 to 3, and put them together again.
#[inline(always)]
pub(super) fn numbers() -> [i32; WIDTH] {
    core::hint::black_box(core::array::from_fn(|lane| lane as i32))
}

/// Singles or doubles.
pub(super) trait Real:
    Copy + PartialOrd + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self>
{
    /// A number mod 1, next to 0: singles have it as an integer in units of 2^-32, doubles as what
    /// it is.
    type Turn: Copy;
    /// What [`turn`](Self::turn) takes for numbers up to a bound.
    type Anchor: Copy;
    /// ω
    const UNIT: f64;
    /// 1 as a distance of turns
    const WHOLE: f64;

    fn of(x: f64) -> Self;
    fn whole(x: i32) -> Self;
    fn root(self) -> Self;
    /// Whether one of them is negative; none is NaN. What is to pass is: limits are larger by a
    /// relative 2^-20 or more than they need be.
    fn is_one_negative(vector: &[Self; WIDTH]) -> bool;

    /// The smaller one.
    #[inline(always)]
    fn least(self, other: Self) -> Self {
        if self < other { self } else { other }
    }

    /// For numbers from −1 to `most`, which is 0 or more, and below 2^20.
    fn anchor(most: f64) -> Self::Anchor;
    /// A number mod 1. Of one beyond its anchor's bound it is anything.
    fn turn(self, anchor: Self::Anchor) -> Self::Turn;
    /// A number next to 0 mod 1, rounded to the next unit.
    fn near(x: f64) -> Self::Turn;
    /// What a vector adds: [`WIDTH`] times the turn `one`, or the number `vector`.
    fn vector(one: Self::Turn, vector: impl FnOnce() -> f64) -> Self::Turn;
    /// `base + k·one`
    fn lane(base: Self::Turn, one: Self::Turn, k: i32) -> Self::Turn;
    /// Bounds what these are off by in a chunk of so many vectors, and `turn` with this anchor.
    fn rounding(anchor: Self::Anchor, vectors: i64) -> f64;
    fn sum(a: Self::Turn, b: Self::Turn) -> Self::Turn;
    /// How far the nearer one of `a + b` and `a − b` is from 0 (Theorem A.8), in units of
    /// [`WHOLE`](Self::WHOLE).
    fn nearer(a: Self::Turn, b: Self::Turn) -> Self;
}

impl Real for f32 {
    type Turn = i32;
    /// `2^e + 1`, and how many bits of a sum with it are no fraction
    type Anchor = (Self, u32);
    const UNIT: f64 = power_of_two(-24);
    const WHOLE: f64 = power_of_two(32);

    #[inline(always)]
    fn of(x: f64) -> Self {
        x as Self
    }

    #[inline(always)]
    fn whole(x: i32) -> Self {
        x as Self
    }

    #[inline(always)]
    fn root(self) -> Self {
        self.sqrt()
    }

    #[inline(always)]
    fn is_one_negative(vector: &[Self; WIDTH]) -> bool {
        let (low, high) = vector.split_at(WIDTH / 2);
        low.iter().zip(high).fold(false, |any, (a, b)| any | (a.least(*b) < 0.0))
    }

    /// `2^e > most + 1`, so that sums with `2^e + 1` have the exponent e: their bits are the number
    /// in units of `2^(e−23)`, and an integer more.
    #[inline(always)]
    fn anchor(most: f64) -> (Self, u32) {
        debug_assert!((0.0..power_of_two(20)).contains(&most), "{most}");
        let e = ((most + 1.0).to_bits() >> 52) as u32 - 1022;
        (Self::from_bits((127 + e) << 23) + 1.0, 9 + e)
    }

    #[inline(always)]
    fn turn(self, (anchor, bits): (Self, u32)) -> i32 {
        ((self + anchor).to_bits() << bits) as i32
    }

    #[inline(always)]
    fn near(x: f64) -> i32 {
        nearest_integer(x * Self::WHOLE) as i32
    }

    #[inline(always)]
    fn vector(one: i32, _: impl FnOnce() -> f64) -> i32 {
        one.wrapping_mul(WIDTH as i32)
    }

    #[inline(always)]
    fn lane(base: i32, one: i32, k: i32) -> i32 {
        base.wrapping_add(one.wrapping_mul(k))
    }

    #[inline(always)]
    fn rounding((_, bits): (Self, u32), vectors: i64) -> f64 {
        Self::UNIT * (f64::from(1u32 << (bits - 9)) + (vectors as f64 + 0.125) * (1.0 / 32.0))
    }

    #[inline(always)]
    fn sum(a: i32, b: i32) -> i32 {
        a.wrapping_add(b)
    }

    #[inline(always)]
    fn nearer(a: i32, b: i32) -> Self {
        a.wrapping_abs().wrapping_sub(b.wrapping_abs()).wrapping_abs() as Self
    }
}

/// 1.5·2^52
const ROUNDER: f64 = 6_755_399_441_055_744.0;

/// The nearest integer, of numbers below 2^51.
#[inline(always)]
pub(super) fn nearest(x: f64) -> f64 {
    (x + ROUNDER) - ROUNDER
}

/// The nearest integer, of numbers below 2^51, as one: casts take more time, as they saturate.
#[inline(always)]
pub(super) fn nearest_integer(x: f64) -> i64 {
    debug_assert!(x.abs() < power_of_two(51), "{x}");
    (x + ROUNDER).to_bits().wrapping_sub(ROUNDER.to_bits()) as i64
}

impl Real for f64 {
    type Turn = Self;
    type Anchor = ();
    const UNIT: Self = power_of_two(-53);
    const WHOLE: Self = 1.0;

    #[inline(always)]
    fn of(x: f64) -> Self {
        x
    }

    #[inline(always)]
    fn whole(x: i32) -> Self {
        Self::from(x)
    }

    #[inline(always)]
    fn root(self) -> Self {
        self.sqrt()
    }

    #[inline(always)]
    fn is_one_negative(vector: &[Self; WIDTH]) -> bool {
        vector.iter().fold(0, |bits, x| bits | x.to_bits()) >> 63 == 1
    }

    #[inline(always)]
    fn anchor(_: Self) {}

    #[inline(always)]
    fn turn(self, (): ()) -> Self {
        self - nearest(self)
    }

    #[inline(always)]
    fn near(x: Self) -> Self {
        x
    }

    #[inline(always)]
    fn vector(_: Self, vector: impl FnOnce() -> Self) -> Self {
        vector()
    }

    #[inline(always)]
    fn lane(base: Self, one: Self, k: i32) -> Self {
        (base + one * Self::from(k)).turn(())
    }

    #[inline(always)]
    fn rounding((): (), vectors: i64) -> Self {
        Self::UNIT * 0.75 * (vectors + 1) as Self
    }

    #[inline(always)]
    fn sum(a: Self, b: Self) -> Self {
        (a + b).turn(())
    }

    #[inline(always)]
    fn nearer(a: Self, b: Self) -> Self {
        (a.abs() - b.abs()).abs()
    }
}

/// The turns of a sequence of positions, a vector at a time.
#[derive(Clone, Copy)]
pub(super) struct Turns<R: Real> {
    /// of number 0
    pub(super) base: R::Turn,
    /// from one to the next
    pub(super) one: R::Turn,
    /// from one vector to the next
    pub(super) vector: R::Turn,
}

impl<R: Real> Turns<R> {
    /// θ of the first vector.
    #[inline(always)]
    pub(super) fn lanes(&self) -> [R::Turn; WIDTH] {
        numbers().map(|lane| R::lane(self.base, self.one, lane))
    }

    /// θ of the next vector.
    #[inline(always)]
    pub(super) fn advance(&self, theta: &mut [R::Turn; WIDTH]) {
        for theta in theta {
            *theta = R::sum(*theta, self.vector);
        }
    }
}

/// The roots of a chunk, in vectors.
pub(super) trait Sweep: Copy {
    type Number: Real;
    /// What differs from lane to lane.
    type Lanes;
    /// Those of the first vector.
    fn lanes(&self) -> Self::Lanes;
    /// By how much the distances of a vector's roots from an argument are above what is looked at.
    fn excess(&self, lanes: &Self::Lanes) -> [Self::Number; WIDTH];
    /// Goes on to the next vector.
    fn advance(&mut self, lanes: &mut Self::Lanes);
}

/// Which of so many vectors of roots have one near an argument: a bit each.
#[inline(always)]
pub(super) fn sweep<S: Sweep>(mut roots: S, vectors: i64) -> u64 {
    debug_assert!(vectors <= MOST_VECTORS, "{vectors} vectors");
    let mut flags = 0;
    let mut lanes = roots.lanes();
    for vector in 0..vectors {
        let excess = roots.excess(&lanes);
        flags |= u64::from(S::Number::is_one_negative(&excess)) << vector;
        roots.advance(&mut lanes);
    }
    flags
}

/// Which roots of the first vector are near an argument.
#[inline(always)]
pub(super) fn of_first<S: Sweep>(roots: S) -> impl Iterator<Item = i64> {
    let excess = roots.excess(&roots.lanes());
    let is_near = move |lane: &i64| excess[*lane as usize] <= S::Number::of(0.0);
    (0..WIDTH as i64).filter(is_near)
}

/// The numbers of the bits that are set.
#[inline(always)]
pub(super) fn bits(mut flags: u64) -> impl Iterator<Item = i64> {
    core::iter::from_fn(move || {
        let bit = (flags != 0).then_some(i64::from(flags.trailing_zeros()));
        flags &= flags.wrapping_sub(1);
        bit
    })
}

/// Most vectors of a chunk: a flag each.
pub(super) const MOST_VECTORS: i64 = 64;

/// How many vectors hold the roots from number `first` to `last`: J.
#[inline(always)]
pub(super) const fn vectors(first: i64, last: i64) -> i64 {
    (last - first + WIDTH as i64) / WIDTH as i64
}
