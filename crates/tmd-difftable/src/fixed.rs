//! [`Fixed`]: fractions mod 1 of a fixed number of 64-bit limbs.
//!
//! `Fixed<L>` is the element `n` of `Z/2^(64 L)`, read as the number `n / 2^(64 L)` mod 1.
//! Addition, subtraction and multiplication by an integer are exact. A `Fixed` is never multiplied
//! by a `Fixed`: mod 1 that has no meaning.

use core::ops::{Add, AddAssign, Neg, Sub};

/// A number mod 1 with `64·L` bits after the binary point; limbs from the least significant up.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Fixed<const L: usize> {
    limbs: [u64; L],
}

impl<const L: usize> Fixed<L> {
    /// Zero.
    pub const ZERO: Self = Self { limbs: [0; L] };

    /// Number of bits after the binary point.
    pub const BITS: u32 = 64 * L as u32;

    /// The number `Σ limbs[k]·2^(64 (k − L))`, least significant limb first.
    pub const fn from_limbs(limbs: [u64; L]) -> Self {
        Self { limbs }
    }

    /// The limbs, least significant first.
    pub const fn limbs(&self) -> &[u64; L] {
        &self.limbs
    }

    /// `numerator / 2^shift` mod 1, rounded down to a multiple of `2^-BITS` when `shift > BITS`.
    pub fn from_ratio_pow2(numerator: i64, shift: u32) -> Self {
        if shift > Self::BITS {
            let lost = shift - Self::BITS;
            return Self::from_integer(if lost > 63 { numerator >> 63 } else { numerator >> lost });
        }
        let mut n = Self::from_integer(numerator);
        n.shift_left(Self::BITS - shift);
        n
    }

    /// The ring element `n`, that is the number `n / 2^BITS` mod 1.
    fn from_integer(n: i64) -> Self {
        let mut limbs = [(n >> 63) as u64; L];
        limbs[0] = n as u64;
        Self { limbs }
    }

    /// Multiplies by `2^bits` mod 1; any number of bits.
    pub fn shift_left(&mut self, bits: u32) {
        let (whole, part) = ((bits / 64) as usize, bits % 64);
        for k in (0..L).rev() {
            let high = if k >= whole { self.limbs[k - whole] } else { 0 };
            let low = if k > whole { self.limbs[k - whole - 1] } else { 0 };
            self.limbs[k] = if part == 0 { high } else { high << part | low >> (64 - part) };
        }
    }

    /// `self · factor` mod 1, exactly.
    #[must_use]
    pub fn times(self, factor: u64) -> Self {
        let mut limbs = [0; L];
        let mut carry = 0u128;
        for k in 0..L {
            // (2^64 − 1)² + 2^64 − 1 < 2^128: no overflow
            carry += u128::from(self.limbs[k]) * u128::from(factor);
            limbs[k] = carry as u64;
            carry >>= 64;
        }
        Self { limbs }
    }

    /// `self · factor` mod 1 for a signed factor, exactly.
    #[must_use]
    pub fn times_signed(self, factor: i64) -> Self {
        let product = self.times(factor.unsigned_abs());
        if factor < 0 { -product } else { product }
    }

    /// `self · factor` mod 1 for an integer factor of `L` limbs (least significant first), exactly.
    #[must_use]
    pub fn times_integer(self, factor: &[u64; L]) -> Self {
        let mut limbs = [0u64; L];
        for (i, &x) in factor.iter().enumerate() {
            if x == 0 {
                continue;
            }
            let mut carry = 0u128;
            for k in i..L {
                // (2^64 − 1)² + 2 (2^64 − 1) = 2^128 − 1: no overflow
                carry += u128::from(self.limbs[k - i]) * u128::from(x) + u128::from(limbs[k]);
                limbs[k] = carry as u64;
                carry >>= 64;
            }
        }
        Self { limbs }
    }

    /// The `K` most significant limbs: rounds down by less than `2^(-64 K)`. Needs `K ≤ L`.
    pub fn truncate<const K: usize>(&self) -> Fixed<K> {
        const { assert!(K <= L, "truncation cannot add limbs") };
        let mut limbs = [0; K];
        limbs.copy_from_slice(&self.limbs[L - K..]);
        Fixed { limbs }
    }

    /// The 64 bits after the binary point, rounded down.
    pub const fn high64(&self) -> u64 {
        self.limbs[L - 1]
    }

    /// The 128 bits after the binary point, rounded down (exact, padded with zeros, when `L = 1`).
    pub fn high128(&self) -> u128 {
        let low = if L > 1 { self.limbs[L - 2] } else { 0 };
        u128::from(self.limbs[L - 1]) << 64 | u128::from(low)
    }
}

impl<const L: usize> Add for Fixed<L> {
    type Output = Self;
    #[inline]
    fn add(mut self, other: Self) -> Self {
        self += other;
        self
    }
}

impl<const L: usize> AddAssign for Fixed<L> {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        let mut carry = false;
        for k in 0..L {
            (self.limbs[k], carry) = carrying_add(self.limbs[k], other.limbs[k], carry);
        }
    }
}

impl<const L: usize> Sub for Fixed<L> {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl<const L: usize> Neg for Fixed<L> {
    type Output = Self;
    #[inline]
    fn neg(mut self) -> Self {
        let mut carry = true;
        for limb in &mut self.limbs {
            (*limb, carry) = (!*limb).overflowing_add(u64::from(carry));
        }
        self
    }
}

/// Sum with carry in and out; compiles to one `adc`.
#[inline]
fn carrying_add(a: u64, b: u64, carry: bool) -> (u64, bool) {
    let (sum, c1) = a.overflowing_add(b);
    let (sum, c2) = sum.overflowing_add(u64::from(carry));
    (sum, c1 | c2)
}

impl<const L: usize> core::fmt::Debug for Fixed<L> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("0x0.")?;
        self.limbs.iter().rev().try_for_each(|limb| write!(f, "{limb:016x}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Two limbs against `u128`, which wraps in the same ring.
    fn as_u128(x: Fixed<2>) -> u128 {
        u128::from(x.limbs[0]) | u128::from(x.limbs[1]) << 64
    }

    fn of_u128(x: u128) -> Fixed<2> {
        Fixed::from_limbs([x as u64, (x >> 64) as u64])
    }

    fn edgy() -> impl Strategy<Value = u128> {
        prop_oneof![any::<u128>(), (0u32..128).prop_map(|k| (1 << k) - 1), (0u32..128).prop_map(|k| 1 << k)]
    }

    proptest! {
        #[test]
        fn two_limbs_are_u128(x in edgy(), y in edgy(), f in any::<i64>(), s in 0u32..200) {
            let (a, b) = (of_u128(x), of_u128(y));
            prop_assert_eq!(as_u128(a + b), x.wrapping_add(y));
            prop_assert_eq!(as_u128(a - b), x.wrapping_sub(y));
            prop_assert_eq!(as_u128(-a), x.wrapping_neg());
            prop_assert_eq!(as_u128(a.times(f as u64)), x.wrapping_mul(u128::from(f as u64)));
            prop_assert_eq!(as_u128(a.times_signed(f)), x.wrapping_mul(f as u128));
            prop_assert_eq!(as_u128(a.times_integer(b.limbs())), x.wrapping_mul(y));
            let mut shifted = a;
            shifted.shift_left(s);
            prop_assert_eq!(as_u128(shifted), x.checked_shl(s).unwrap_or(0));
            prop_assert_eq!(a.high128(), x);
            prop_assert_eq!(a.high64(), (x >> 64) as u64);
            prop_assert_eq!(a.truncate::<1>().limbs()[0], (x >> 64) as u64);
        }

        #[test]
        fn multiplication_distributes_over_five_limbs(
            x in any::<[u64; 5]>(), f in any::<u32>(), g in any::<u32>(),
        ) {
            let x = Fixed::from_limbs(x);
            let (f, g) = (u64::from(f), u64::from(g));
            prop_assert_eq!(x.times(f) + x.times(g), x.times(f + g));
            prop_assert_eq!(x.times(f).times(g), x.times(f * g));
            prop_assert_eq!(x.times(f), x.times_integer(&[f, 0, 0, 0, 0]));
        }
    }

    #[test]
    fn ratios() {
        assert_eq!(Fixed::<1>::from_ratio_pow2(3, 2).high64(), 3 << 62);
        assert_eq!(Fixed::<1>::from_ratio_pow2(5, 2).high64(), 1 << 62);
        assert_eq!(Fixed::<2>::from_ratio_pow2(-1, 128).high128(), u128::MAX);
        assert_eq!(Fixed::<2>::from_ratio_pow2(-1, 1000).high128(), u128::MAX, "rounds down");
        assert_eq!(Fixed::<2>::from_ratio_pow2(1, 1000).high128(), 0);
        assert_eq!(Fixed::<1>::from_ratio_pow2(-3, 65).high64(), u64::MAX - 1);
        assert_eq!(Fixed::<3>::from_ratio_pow2(7, 0), Fixed::ZERO);
    }
}
