//! [`Real`]: singles and doubles, and the vectors of them that roots are in.
//!
//! Vectors are arrays: all their operations are those of IEEE 754 without any fused one, or of
//! integers mod 2^32, lane by lane, so that compilers make vectors of them, and lists and counts
//! are the same on all machines. With thin LTO LLVM does not: what is linked so takes four
//! times as long.

use core::ops::{Add, Mul};

use tmd_core::difftable::power_of_two;

/// Roots per vector: two vectors of AVX2, one of AVX-512.
pub(super) const WIDTH: usize = 16;

/// A vector, lane by lane.
#[inline(always)]
pub(super) fn vector<T: Copy + Default>(lane: impl Fn(usize) -> T) -> [T; WIDTH] {
    let mut vector = [T::default(); WIDTH];
    for (number, value) in vector.iter_mut().enumerate() {
        *value = lane(number);
    }
    vector
}

/// The numbers of a vector's lanes. Compilers are not to know them: they would have scalars for
/// multiples of 0 to 3, and put them together again.
#[inline(always)]
pub(super) fn numbers() -> [i32; WIDTH] {
    core::hint::black_box(core::array::from_fn(|lane| lane as i32))
}

/// 1 as a distance of turns: these are numbers mod 1, next to 0, in units of 2^-32.
pub(super) const WHOLE: f64 = power_of_two(32);

/// Singles or doubles.
pub(super) trait Real: Copy + Add<Output = Self> + Mul<Output = Self> {
    /// ω
    const UNIT: f64;

    fn of(x: f64) -> Self;
    fn whole(x: i32) -> Self;
    fn root(self) -> Self;

    /// What makes turns of numbers from −1 up to a bound, by [`above`] of it.
    fn anchor(above: f64) -> Anchor<Self>;
    /// The turn of a number. Of one beyond its anchor's bound it is anything.
    fn turn(self, anchor: Anchor<Self>) -> i32;
    /// Bounds what θ is off by in a chunk of so many vectors, and what turns with this anchor are.
    fn rounding(above: f64, vectors: f64) -> f64;
}

/// The bits of a number's sum with `number` are the number, in units of which `2^(32 − bits)` are
/// 1, and an integer more.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Anchor<R> {
    number: R,
    bits: u32,
}

/// `2^e > most + 1`, of a number that is not negative.
#[inline(always)]
pub(super) fn above(most: f64) -> f64 {
    f64::from_bits(((most + 1.0).to_bits() & !((1 << 52) - 1)) + (1 << 52))
}

/// e of `2^e`
#[inline(always)]
const fn exponent(power: f64) -> u32 {
    ((power.to_bits() >> 52) as u32).wrapping_sub(1023)
}

impl Real for f32 {
    const UNIT: f64 = power_of_two(-24);

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

    /// Sums with `2^e + 1` have the exponent e, and bits of `2^(e−23)`.
    #[inline(always)]
    fn anchor(above: f64) -> Anchor<Self> {
        debug_assert!((1.0..=power_of_two(21)).contains(&above), "{above}");
        Anchor { number: above as Self + 1.0, bits: 9 + exponent(above) }
    }

    #[inline(always)]
    fn turn(self, Anchor { number, bits }: Anchor<Self>) -> i32 {
        ((self + number).to_bits() << bits) as i32
    }

    #[inline(always)]
    fn rounding(above: f64, vectors: f64) -> f64 {
        power_of_two(-33) * (vectors * WIDTH as f64 + 2.0) + Self::UNIT * above
    }
}

impl Real for f64 {
    const UNIT: Self = power_of_two(-53);

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

    /// Sums with `1.5·2^k`, k above e and from 20 to 51, have bits of `2^(k−52)`.
    #[inline(always)]
    fn anchor(above: f64) -> Anchor<Self> {
        let k = (exponent(above) + 1).clamp(20, 51);
        Anchor { number: 1.5 * power_of_two(k as i32), bits: k - 20 }
    }

    #[inline(always)]
    fn turn(self, Anchor { number, bits }: Anchor<Self>) -> i32 {
        (((self + number).to_bits() as u32) << bits) as i32
    }

    #[inline(always)]
    fn rounding(above: f64, vectors: f64) -> f64 {
        power_of_two(-33) * (vectors * WIDTH as f64 + 3.0) + 2.0 * Self::UNIT * above
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

/// How far the nearer one of `a + b` and `a − b` is from 0 (Theorem A.8).
#[inline(always)]
pub(super) fn nearer(a: i32, b: i32) -> i32 {
    a.wrapping_abs().wrapping_sub(b.wrapping_abs()).wrapping_abs()
}

/// The turns of a sequence of positions, a vector at a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Turns {
    /// of number 0
    base: i32,
    /// from one to the next
    one: i32,
}

impl Turns {
    /// Of number 0 and from one to the next, numbers between −1 and 1.
    #[inline(always)]
    pub(super) fn new(numbers: [f64; 2]) -> Self {
        let [base, one] = numbers.map(|x| nearest_integer(x * WHOLE) as i32);
        Self { base, one }
    }

    /// θ of the first vector.
    #[inline(always)]
    pub(super) fn lanes(self) -> [i32; WIDTH] {
        numbers().map(|lane| self.base.wrapping_add(self.one.wrapping_mul(lane)))
    }

    /// θ of the next vector.
    #[inline(always)]
    pub(super) fn advance(self, theta: &mut [i32; WIDTH]) {
        let vector = self.one.wrapping_mul(WIDTH as i32);
        for theta in theta {
            *theta = theta.wrapping_add(vector);
        }
    }
}

/// A distance in units of turns, larger by a relative 2^-16 and two units than it need be.
#[inline(always)]
pub(super) fn units(distance: f64) -> f64 {
    distance * (WHOLE * (1.0 + power_of_two(-16))) + 2.0
}

/// The distance at which, and above, nothing is near, in units of turns, as an integer: if it is a
/// quarter of 1 or more, all is.
#[inline(always)]
pub(super) fn limit(units: f64) -> i32 {
    if units < 0.25 * WHOLE { nearest_integer(units) as i32 } else { i32::MAX }
}

/// The roots of a chunk, in vectors.
pub(super) trait Sweep: Copy {
    /// What differs from lane to lane.
    type Lanes;
    /// Those of the first vector.
    fn lanes(&self) -> Self::Lanes;
    /// How far a vector's roots are from an argument, in units of turns.
    fn distances(&self, lanes: &Self::Lanes) -> [i32; WIDTH];
    /// What is looked at is nearer than this, in the first vector, and in the others: [`limit`].
    fn limits(&self) -> [i32; 2];
    /// Goes on to the next vector.
    fn advance(&mut self, lanes: &mut Self::Lanes);
}

/// Which of so many vectors of roots have one near an argument: a bit each.
#[inline(always)]
pub(super) fn sweep<S: Sweep>(mut roots: S, vectors: i64) -> u64 {
    debug_assert!((1..=MOST_VECTORS).contains(&vectors), "{vectors} vectors");
    let [mut limit, rest] = roots.limits();
    if limit.max(rest) == i32::MAX {
        return u64::MAX >> (MOST_VECTORS - vectors);
    }
    let mut flags = 0;
    let mut lanes = roots.lanes();
    for vector in 0..vectors {
        let distances = roots.distances(&lanes);
        let (low, high) = distances.split_at(WIDTH / 2);
        let is_one_near = low.iter().zip(high).fold(false, |any, (a, b)| any | (*a.min(b) < limit));
        flags |= u64::from(is_one_near) << vector;
        roots.advance(&mut lanes);
        limit = rest;
    }
    flags
}

/// Which roots of the first vector are near an argument: a bit each.
#[inline(always)]
pub(super) fn of_first<S: Sweep>(roots: S) -> u64 {
    let distances = roots.distances(&roots.lanes());
    let [limit, _] = roots.limits();
    let mut bits = 0;
    for (lane, distance) in distances.into_iter().enumerate() {
        bits |= u64::from(distance < limit || limit == i32::MAX) << lane;
    }
    bits
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
