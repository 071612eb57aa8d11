//! [`Fixed`]: reals of fixed size in fixed point, for what engines in lanes begin with.

use tmd_difftable::power_of_two;

use super::Wide;

/// Limbs before the point.
const WHOLE: usize = 2;

/// A real in two's complement with N limbs, two of them before the point, least significant first;
/// arithmetic is mod 2^128.
///
/// Sums, and products with integers, are exact in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fixed<const N: usize>([u64; N]);

impl<const N: usize> Fixed<N> {
    /// 0
    pub const ZERO: Self = Self([0; N]);
    /// Bits after the point.
    pub const BITS: u32 = 64 * (N - WHOLE) as u32;

    /// `x·2^-bits` mod 2^128, rounded down to a unit if `bits` is more than [`BITS`](Self::BITS).
    pub fn of_wide(x: Wide, bits: u32) -> Self {
        // a shift up loses bits beyond 2^128 only if they are beyond the 640 bits of x, too
        let shifted = if bits > Self::BITS { x >> (bits - Self::BITS) } else { x << (Self::BITS - bits) };
        let mut limbs = [0; N];
        limbs.copy_from_slice(&shifted.limbs()[..N]);
        Self(limbs)
    }

    /// An integer.
    #[inline]
    pub fn of_integer(n: i128) -> Self {
        let mut limbs = [0; N];
        (limbs[N - 2], limbs[N - 1]) = (n as u64, (n >> 64) as u64);
        Self(limbs)
    }

    /// x + y
    #[must_use]
    #[inline]
    pub fn plus(self, other: &Self) -> Self {
        let mut limbs = [0; N];
        let mut carry = 0u128;
        for k in 0..N {
            carry += u128::from(self.0[k]) + u128::from(other.0[k]);
            limbs[k] = carry as u64;
            carry >>= 64;
        }
        Self(limbs)
    }

    /// −x
    #[must_use]
    #[inline]
    pub fn negative(self) -> Self {
        let mut limbs = [0; N];
        let mut carry = 1u128;
        for k in 0..N {
            carry += u128::from(!self.0[k]);
            limbs[k] = carry as u64;
            carry >>= 64;
        }
        Self(limbs)
    }

    /// x − y
    #[must_use]
    #[inline]
    pub fn minus(self, other: &Self) -> Self {
        self.plus(&other.negative())
    }

    const fn is_negative(&self) -> bool {
        self.0[N - 1] >> 63 == 1
    }

    #[inline]
    fn magnitude(self) -> Self {
        if self.is_negative() { self.negative() } else { self }
    }

    /// n·x
    #[must_use]
    #[inline]
    pub fn times(self, n: i128) -> Self {
        let magnitude = n.unsigned_abs();
        // two's complement: products mod 2^(64N) do not ask for the sign of x
        let mut product = self.by_limb(magnitude as u64, 0);
        if magnitude >> 64 != 0 {
            product = product.plus(&self.by_limb((magnitude >> 64) as u64, 1));
        }
        if n < 0 { product.negative() } else { product }
    }

    /// n·x + y
    #[inline]
    #[must_use]
    pub fn times_plus(self, n: i64, y: &Self) -> Self {
        let mut limbs = [0; N];
        let mut carry = 0u128;
        for k in 0..N {
            // (2^64 − 1)² + 2·(2^64 − 1) = 2^128 − 1
            carry += u128::from(self.0[k]) * u128::from(n as u64) + u128::from(y.0[k]);
            limbs[k] = carry as u64;
            carry >>= 64;
        }
        if n < 0 {
            // n as an unsigned integer is 2^64 too large
            let mut borrow = false;
            for k in 1..N {
                let (rest, first) = limbs[k].overflowing_sub(self.0[k - 1]);
                let (rest, second) = rest.overflowing_sub(u64::from(borrow));
                (limbs[k], borrow) = (rest, first || second);
            }
        }
        Self(limbs)
    }

    /// `x·n·2^(64·up)`
    #[inline]
    fn by_limb(self, n: u64, up: usize) -> Self {
        let mut limbs = [0; N];
        let mut carry = 0u128;
        for k in up..N {
            // (2^64 − 1)² + 2^64 − 1 < 2^128
            carry += u128::from(self.0[k - up]) * u128::from(n);
            limbs[k] = carry as u64;
            carry >>= 64;
        }
        Self(limbs)
    }

    /// x/2
    #[must_use]
    #[inline]
    pub fn half(self) -> Self {
        let mut limbs = self.0;
        for k in 0..N {
            let above = if k + 1 < N { self.0[k + 1] } else { 0u64.wrapping_sub(self.0[N - 1] >> 63) };
            limbs[k] = self.0[k] >> 1 | above << 63;
        }
        Self(limbs)
    }

    /// x mod 1, rounded down to a multiple of 2^-64, in that unit.
    pub const fn fraction(&self) -> u64 {
        self.0[N - 1 - WHOLE]
    }

    /// x mod 1, rounded down to a multiple of 2^-128, in that unit.
    pub const fn long_fraction(&self) -> u128 {
        (self.0[N - 1 - WHOLE] as u128) << 64 | self.0[N - 2 - WHOLE] as u128
    }

    /// [`fraction`](Self::fraction), and how much more x is, in that unit: towards 0 by less than
    /// 2^-52.
    pub fn fraction_and_rest(&self) -> (u64, f64) {
        // 53 bits are exact
        let rest = (self.0[N - 2 - WHOLE] >> 11) as f64 * power_of_two(-53);
        (self.fraction(), rest)
    }

    /// x rounded to the nearest multiple of `2^-bits`, in that unit, mod 2^63; `bits` is 1 to 62.
    pub const fn nearest(&self, bits: u32) -> i64 {
        let twice = (self.0[N - WHOLE] << (bits + 1) | self.0[N - 1 - WHOLE] >> (63 - bits)) as i64;
        twice.wrapping_add(1) >> 1
    }

    /// About x: towards 0 by less than a relative 2^-52.
    #[inline]
    pub fn to_f64(self) -> f64 {
        let magnitude = self.magnitude();
        let Some(top) = (0..N).rev().find(|&k| magnitude.0[k] != 0) else { return 0.0 };
        let below = if top == 0 { 0 } else { magnitude.0[top - 1] };
        let zeros = magnitude.0[top].leading_zeros();
        let head = (u128::from(magnitude.0[top]) << 64 | u128::from(below)) << zeros;
        // the upper 53 bits, exact; the weight of the head's last bit is 2^(64·top − 64 − zeros −
        // BITS)
        let value = ((head >> 75) as u64) as f64;
        let exponent = 64 * top as i32 - 64 - zeros as i32 - Self::BITS as i32 + 75;
        let value = value * power_of_two(exponent);
        if self.is_negative() { -value } else { value }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// As an integer in units of 2^-256, mod 2^384 centered.
    fn wide(x: Fixed<6>) -> Wide {
        let mut limbs = [0; 10];
        limbs[..6].copy_from_slice(&x.0);
        Wide::from_limbs(limbs).centered(384)
    }

    proptest! {
        /// Everything is what the wide integers say.
        #[test]
        fn is_arithmetic(a in any::<[u64; 6]>(), b in any::<[u64; 6]>(), n in any::<i128>(), shift in 0u32..128, bits in 0u32..400) {
            let n = n >> shift;
            let (x, y) = (Fixed::<6>(a), Fixed::<6>(b));
            prop_assert_eq!(wide(x.plus(&y)), (wide(x) + wide(y)).centered(384));
            prop_assert_eq!(wide(x.minus(&y)), (wide(x) - wide(y)).centered(384));
            prop_assert_eq!(wide(x.times(n)), (wide(x) * Wide::from(n)).centered(384));
            let small = n as i64;
            let product = wide(x) * Wide::from(i128::from(small));
            prop_assert_eq!(wide(x.times_plus(small, &y)), (product + wide(y)).centered(384));
            prop_assert_eq!(wide(x.half()), wide(x) >> 1);
            prop_assert_eq!(wide(Fixed::of_integer(n)), Wide::from(n) << 256);
            let expected = if bits > 256 { wide(y) >> (bits - 256) } else { wide(y) << (256 - bits) };
            prop_assert_eq!(wide(Fixed::of_wide(wide(y), bits)), expected.centered(384));
            prop_assert_eq!(Wide::from(i128::from(x.fraction())), (wide(x) >> 192) - ((wide(x) >> 256) << 64));
            let (whole, rest) = x.fraction_and_rest();
            prop_assert_eq!(x.long_fraction(), u128::from(whole) << 64 | u128::from(((wide(x) >> 128).limbs())[0]));
            let below = (wide(x) >> 128) - ((wide(x) >> 192) << 64);
            let off = below.to_f64(64) - rest;
            prop_assert!(whole == x.fraction() && (0.0..2f64.powi(-52)).contains(&off), "{rest} by {off}");
            // −2^62 and 2^62 are the same
            let nearest = ((wide(x) + Wide::power_of_two(256 - 53)) >> (256 - 52)).limbs()[0];
            prop_assert_eq!((x.nearest(52) as u64) << 1, nearest << 1);
            let float = x.to_f64();
            prop_assert_eq!(float, wide(x).to_f64(256));
        }

        #[test]
        fn small_floats(m in any::<i64>(), shift in 0u32..190) {
            let x = Fixed::<6>::of_wide(Wide::from(i128::from(m)), shift + 64);
            let value = m as f64 * 2f64.powi(-(shift as i32) - 64);
            prop_assert!((x.to_f64() - value).abs() <= value.abs() * 2f64.powi(-51));
        }
    }
}
