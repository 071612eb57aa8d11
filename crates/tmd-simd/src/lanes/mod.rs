//! The lanes: vectors of 64-bit floats and integers, one trait and three machines.
//!
//! A value of a type that implements [`Lanes`] is a token: it exists only where its instructions
//! do, so that its methods are safe to call. The methods are inlined into [`Lanes::run`], the one
//! function compiled for these instructions; a kernel written once over the trait becomes straight
//! vector code there.
//!
//! | type | vectors | exists |
//! |---|---|---|
//! | `Avx512` | 8 lanes | x86-64 with AVX-512 F, DQ and VL, found at run time |
//! | `Avx2` | 4 lanes | x86-64 with AVX2 and FMA, found at run time |
//! | `Pair<L>` | twice the lanes of L, in two of its vectors | where L does |
//! | `Portable` | 4 lanes of `wide` | everywhere; NEON on aarch64 |
//!
//! Every operation is the IEEE one, fused where it says so: lanes of different machines give
//! identical results, except where a method leaves freedom ([`Lanes::floor_quotient`],
//! [`Lanes::floor_product`], [`Lanes::reciprocal`], [`Lanes::rough_reciprocal_s`]).
//!
//! A vector of singles ([`Lanes::S`]) has as many bits, and so twice the lanes: those of two
//! vectors of doubles, the first one's first.

/// Methods of one expression each: `name(arguments) -> result = expression;`, inside `$wrap!`.
macro_rules! methods {
    ($wrap:ident; $($name:ident($($x:ident: $type:ty),*) $(-> $result:ty)? = $body:expr;)*) => {$(
        #[inline(always)]
        fn $name(self $(, $x: $type)*) $(-> $result)? {
            $wrap!($body)
        }
    )*};
}

/// An expression as it is: methods without intrinsics.
macro_rules! plain {
    ($body:expr) => {
        $body
    };
}

#[cfg(target_arch = "x86_64")]
pub(crate) mod avx2;
#[cfg(target_arch = "x86_64")]
pub(crate) mod avx512;
#[cfg(any(target_arch = "x86_64", test))]
pub(crate) mod pair;
pub(crate) mod portable;

use tmd_core::difftable::power_of_two;

/// Most lanes of any machine; arrays that mirror vectors have this length.
pub(crate) const MAX_LANES: usize = 8;

/// The memory of one vector; lanes beyond the machine's are not touched.
pub(crate) type Row<T> = [T; MAX_LANES];

/// Puts the stack frame of the function that this is inlined into on cache lines, by a local that
/// is aligned so and might be looked at.
///
/// LLVM spills vectors to wherever the frame happens to be, and by the depth of the callers' frames
/// each spill may lie across two lines: the same machine code was 18 to 23 % slower in one program
/// than in another.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn on_line_boundaries() {
    #[repr(align(64))]
    struct Line([u8; 64]);
    // not a constant, which would have a place of its own outside the frame
    let mut line = Line([0; 64]);
    core::hint::black_box(&mut line.0);
}

/// Most lanes of a vector of singles.
pub(crate) const MAX_SINGLES: usize = 2 * MAX_LANES;

/// The memory of one vector of singles; lanes beyond the machine's are not touched.
pub(crate) type Singles = [f32; MAX_SINGLES];

/// Code to be compiled for a machine's lanes.
pub(crate) trait Kernel {
    /// What it computes.
    type Output;
    /// Runs on these lanes. Mark it `#[inline(always)]`.
    fn run<L: Lanes>(self, lanes: L) -> Self::Output;
}

/// The vectors of a machine.
pub(crate) trait Lanes: Copy {
    /// Lanes of a vector, at most [`MAX_LANES`].
    const WIDTH: usize;
    /// Floats.
    type F: Copy;
    /// Unsigned integers.
    type U: Copy;
    /// Truth values.
    type M: Copy;
    /// Singles, `2·WIDTH` of them.
    type S: Copy;
    /// Truth values of singles.
    type N: Copy;

    /// Runs a kernel compiled for this machine.
    fn run<K: Kernel>(self, kernel: K) -> K::Output;

    /// The same float in every lane.
    fn splat(self, x: f64) -> Self::F;
    /// Reads a vector.
    fn load(self, row: &Row<f64>) -> Self::F;
    /// Writes a vector.
    fn store(self, x: Self::F, row: &mut Row<f64>);
    /// `x + y`
    fn add(self, x: Self::F, y: Self::F) -> Self::F;
    /// `x − y`
    fn sub(self, x: Self::F, y: Self::F) -> Self::F;
    /// `x·y`
    fn mul(self, x: Self::F, y: Self::F) -> Self::F;
    /// `x/y`
    fn div(self, x: Self::F, y: Self::F) -> Self::F;
    /// `x·y + z`, rounded once
    fn fma(self, x: Self::F, y: Self::F, z: Self::F) -> Self::F;
    /// `z − x·y`, rounded once
    fn fnma(self, x: Self::F, y: Self::F, z: Self::F) -> Self::F;
    /// `x·y − z`, rounded once
    fn fms(self, x: Self::F, y: Self::F, z: Self::F) -> Self::F;
    /// `min(x, y)`; what it does with NaN is the machine's choice
    fn min(self, x: Self::F, y: Self::F) -> Self::F;
    /// `max(x, y)`; what it does with NaN is the machine's choice
    fn max(self, x: Self::F, y: Self::F) -> Self::F;
    /// `min(|x|, |y|)`, as [`min`](Self::min)
    #[inline(always)]
    fn min_abs(self, x: Self::F, y: Self::F) -> Self::F {
        self.min(self.abs(x), self.abs(y))
    }
    /// `|x|`
    fn abs(self, x: Self::F) -> Self::F;
    /// `⌊x·y⌋` or `⌊x·y rounded⌋`, for `0 ≤ x·y < 2^51`: one more than the floor only if `x·y` is
    /// within a relative 2^-53 below that integer
    fn floor_product(self, x: Self::F, y: Self::F) -> Self::F;
    /// `⌊x/y⌋` for `x = n + 1/2` and integers `0 < n < 2^26`, `0 < y ≤ n`; anything for other
    /// operands
    fn floor_quotient(self, x: Self::F, y: Self::F) -> Self::F;
    /// A little less than `1/y` for a normal `y > 0`: `(1 − 2^-27)/y ≤ r ≤ (1 − 2^-41)/y`; infinity
    /// or NaN for 0
    fn reciprocal(self, y: Self::F) -> Self::F;
    /// `x ≤ y`; false for NaN
    fn le(self, x: Self::F, y: Self::F) -> Self::M;
    /// `if mask { x } else { y }`
    fn select(self, mask: Self::M, x: Self::F, y: Self::F) -> Self::F;
    /// both
    fn both(self, x: Self::M, y: Self::M) -> Self::M;
    /// either
    fn either(self, x: Self::M, y: Self::M) -> Self::M;
    /// neither: the lanes where a mask does not hold
    fn not(self, x: Self::M) -> Self::M;
    /// One bit per lane, lane 0 lowest.
    fn bits(self, mask: Self::M) -> u32;

    /// The same integer in every lane.
    fn splat_u(self, x: u64) -> Self::U;
    /// Reads a vector.
    fn load_u(self, row: &Row<u64>) -> Self::U;
    /// Writes a vector.
    fn store_u(self, x: Self::U, row: &mut Row<u64>);
    /// `x + y` mod 2^64
    fn add_u(self, x: Self::U, y: Self::U) -> Self::U;
    /// `x − y` mod 2^64
    fn sub_u(self, x: Self::U, y: Self::U) -> Self::U;
    /// `x ≤ y`
    fn le_u(self, x: Self::U, y: Self::U) -> Self::M;
    /// bitwise and
    fn and_u(self, x: Self::U, y: Self::U) -> Self::U;
    /// bitwise or
    fn or_u(self, x: Self::U, y: Self::U) -> Self::U;
    /// `x` shifted right by 12
    fn shift_12(self, x: Self::U) -> Self::U;
    /// The floats with these bits.
    fn as_float(self, x: Self::U) -> Self::F;

    /// The same single in every lane.
    fn splat_s(self, x: f32) -> Self::S;
    /// Reads a vector of singles.
    fn load_s(self, row: &Singles) -> Self::S;
    /// Writes a vector of singles.
    fn store_s(self, x: Self::S, row: &mut Singles);
    /// Writes the lanes where a mask holds, next to each other from the first on; what follows them
    /// may be overwritten, too.
    fn compress_s(self, mask: Self::N, x: Self::S, row: &mut Singles);
    /// The doubles of two vectors, rounded to singles.
    fn narrow(self, first: Self::F, second: Self::F) -> Self::S;
    /// The doubles that a vector's singles are.
    fn widen(self, x: Self::S) -> [Self::F; 2];
    /// `x + y`
    fn add_s(self, x: Self::S, y: Self::S) -> Self::S;
    /// `x − y`
    fn sub_s(self, x: Self::S, y: Self::S) -> Self::S;
    /// `x·y`
    fn mul_s(self, x: Self::S, y: Self::S) -> Self::S;
    /// `x·y + z`, rounded once
    fn fma_s(self, x: Self::S, y: Self::S, z: Self::S) -> Self::S;
    /// `z − x·y`, rounded once
    fn fnma_s(self, x: Self::S, y: Self::S, z: Self::S) -> Self::S;
    /// `x·y − z`, rounded once
    fn fms_s(self, x: Self::S, y: Self::S, z: Self::S) -> Self::S;
    /// `min(x, y)`; what it does with NaN is the machine's choice
    fn min_s(self, x: Self::S, y: Self::S) -> Self::S;
    /// `max(x, y)`; what it does with NaN is the machine's choice
    fn max_s(self, x: Self::S, y: Self::S) -> Self::S;
    /// `|x|`
    fn abs_s(self, x: Self::S) -> Self::S;
    /// `min(|x|, |y|)`, as [`min_s`](Self::min_s)
    #[inline(always)]
    fn min_abs_s(self, x: Self::S, y: Self::S) -> Self::S {
        self.min_s(self.abs_s(x), self.abs_s(y))
    }
    /// `|x|` with the sign of y
    fn copysign_s(self, x: Self::S, y: Self::S) -> Self::S;
    /// About `1/y`, for a normal `y > 0`: within a relative 2^-11.
    fn rough_reciprocal_s(self, y: Self::S) -> Self::S;
    /// `x ≤ y`; false for NaN
    fn le_s(self, x: Self::S, y: Self::S) -> Self::N;
    /// `if mask { x } else { y }`
    fn select_s(self, mask: Self::N, x: Self::S, y: Self::S) -> Self::S;
    /// both
    fn both_s(self, x: Self::N, y: Self::N) -> Self::N;
    /// either
    fn either_s(self, x: Self::N, y: Self::N) -> Self::N;
    /// neither: the lanes where a mask does not hold
    fn not_s(self, x: Self::N) -> Self::N;
    /// One bit per lane, lane 0 lowest.
    fn bits_s(self, mask: Self::N) -> u32;

    /// What [`turns`](Self::turns) counts a whole turn as.
    const TURN: f64 = 1.0;

    /// [`TURN`](Self::TURN) times a 64-bit fraction, mod it: in `[−1/2, 1)` times it, within a
    /// relative 2^-52 of it.
    #[inline(always)]
    fn turns(self, x: Self::U) -> Self::F {
        self.fraction(x)
    }

    /// The integer next to `x·y`, for `|x·y| < 2^22`; some integer, infinity or NaN for others.
    #[inline(always)]
    fn round_product_s(self, x: Self::S, y: Self::S) -> Self::S {
        let magic = self.splat_s(ROUNDING_SINGLE);
        self.sub_s(self.fma_s(x, y, magic), magic)
    }

    /// The upper 52 bits of a 64-bit fraction as a float in `[0, 1)`, exact.
    #[inline(always)]
    fn fraction(self, x: Self::U) -> Self::F {
        // the significand of a float in [1, 2)
        let one = self.splat_u(1f64.to_bits());
        self.sub(self.as_float(self.or_u(self.shift_12(x), one)), self.splat(1.0))
    }

    /// `x·2^-64` for `0 ≤ x < 2^51` with at most 52 bits from the first to the last set one, exact.
    #[inline(always)]
    fn small_fraction(self, x: Self::U) -> Self::F {
        // a unit in the last place of a float in [2^-12, 2^-11) is 2^-64; adding x to its bits adds
        // x such units
        let base = 1.5 * power_of_two(-12);
        self.sub(self.as_float(self.add_u(x, self.splat_u(base.to_bits()))), self.splat(base))
    }

    /// `⌊x/y⌋` from `r = reciprocal(y)`: never more, and at most one less if the quotient is below
    /// 2^26; of a larger one at least `2^26 − 1`. For `0 ≤ x` and y not 0.
    ///
    /// `x·r` is below `x/y·(1 − 2^-41)`, and what [`floor_product`](Self::floor_product) may round
    /// up is a relative 2^-53 (Theorem F.5 of `proofs/Doubles.v`); beyond its range, 2^51, the
    /// result is an integer no larger than the product, and of its magnitude.
    #[inline(always)]
    fn quotient(self, x: Self::F, r: Self::F) -> Self::F {
        self.floor_product(x, r)
    }

    /// The integer next to `x·y`, for `|x·y| < 2^51`.
    #[inline(always)]
    fn round_product(self, x: Self::F, y: Self::F) -> Self::F {
        let magic = self.splat(ROUNDING);
        self.sub(self.fma(x, y, magic), magic)
    }
}

/// `1.5·2^52`: floats next to it are integers.
pub(crate) const ROUNDING: f64 = 6_755_399_441_055_744.0;

/// `1.5·2^23`: singles next to it are integers.
pub(crate) const ROUNDING_SINGLE: f32 = 12_582_912.0;

/// `1 − 2^-40`: what makes a reciprocal a little too small.
pub(crate) const BELOW_ONE: f64 = 1.0 - 1.0 / (1u64 << 40) as f64;
