//! [`Wide`]: integers of 640 bits, two's complement, for the exact walk.
//!
//! Sums and products are those of the integers mod 2^640; they are the integers' own while these
//! have at most 639 bits, which [`Walker`](super::Walker) sees to by [`bits`](Wide::bits) before it
//! multiplies.

use core::cmp::Ordering;
use core::ops::{Add, AddAssign, Mul, Neg, Shl, Shr, Sub, SubAssign};

use tmd_difftable::power_of_two;

const LIMBS: usize = 10;

/// An integer of 640 bits with its sign; limbs from the least significant up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Wide([u64; LIMBS]);

impl Wide {
    /// 0
    pub const ZERO: Self = Self([0; LIMBS]);
    /// 1
    pub const ONE: Self = Self([1, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    /// Bits, the sign included.
    pub const BITS: u32 = 64 * LIMBS as u32;

    /// The integer with these limbs in two's complement, least significant first.
    pub const fn from_limbs(limbs: [u64; LIMBS]) -> Self {
        Self(limbs)
    }

    /// Its limbs in two's complement, least significant first.
    pub(super) const fn limbs(&self) -> &[u64; LIMBS] {
        &self.0
    }

    /// `2^k`, for `k < 639`.
    pub fn power_of_two(k: u32) -> Self {
        Self::ONE << k
    }

    /// The least integer not below `x·2^shift`; `None` if it has more than about 500 bits, or there
    /// is none.
    pub fn ceil_scaled(x: f64, shift: u32) -> Option<Self> {
        if !x.is_finite() || x < 0.0 {
            return None;
        }
        // x = m·2^e with a 53-bit m
        let bits = x.to_bits();
        let biased = (bits >> 52 & 0x7ff) as i32;
        let fraction = i128::from(bits & ((1 << 52) - 1));
        let significand = Self::from(if biased == 0 { fraction } else { fraction | 1 << 52 });
        let exponent = biased.max(1) - 1075 + shift as i32;
        if exponent >= 0 {
            (exponent < 440).then(|| significand << exponent.unsigned_abs())
        } else {
            Some(-(-significand >> exponent.unsigned_abs()))
        }
    }

    /// Whether it is below 0.
    pub const fn is_negative(self) -> bool {
        self.0[LIMBS - 1] >> 63 == 1
    }

    /// Its magnitude.
    #[must_use]
    pub fn abs(self) -> Self {
        if self.is_negative() { -self } else { self }
    }

    /// Bits of the magnitude: `|x| < 2^bits`, and at least `2^(bits − 1)` unless it is 0.
    pub fn bits(self) -> u32 {
        let magnitude = self.abs();
        let top = (0..LIMBS).rev().find(|&k| magnitude.0[k] != 0);
        top.map_or(0, |k| 64 * k as u32 + 64 - magnitude.0[k].leading_zeros())
    }

    /// About `x·2^-scale`: towards 0 by less than a relative 2^-52.
    pub fn to_f64(self, scale: u32) -> f64 {
        let (magnitude, bits) = (self.abs(), self.bits());
        let dropped = bits.saturating_sub(53);
        let top = (magnitude >> dropped).0[0] as f64;
        // two factors, as either may be beyond the range of f64 alone
        let exponent = dropped as i32 - scale as i32;
        let value = top * power_of_two(exponent / 2) * power_of_two(exponent - exponent / 2);
        if self.is_negative() { -value } else { value }
    }

    /// The integer as an `i128`, if it is one.
    pub fn to_i128(self) -> Option<i128> {
        let value = (u128::from(self.0[0]) | u128::from(self.0[1]) << 64) as i128;
        (Self::from(value) == self).then_some(value)
    }

    /// `⌊x/2^k + 1/2⌋`, for `k < 639`.
    #[must_use]
    pub fn rounded_shift(self, k: u32) -> Self {
        if k == 0 {
            return self;
        }
        (self + Self::power_of_two(k - 1)) >> k
    }

    /// The representative of `x` mod 2^k in `[−2^(k−1), 2^(k−1))`, for `0 < k < 639`.
    #[must_use]
    pub fn centered(self, k: u32) -> Self {
        self - (self.rounded_shift(k) << k)
    }
}

impl From<i128> for Wide {
    fn from(x: i128) -> Self {
        let mut limbs = [(x >> 127) as u64; LIMBS];
        (limbs[0], limbs[1]) = (x as u64, (x >> 64) as u64);
        Self(limbs)
    }
}

impl Add for Wide {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        let mut limbs = [0; LIMBS];
        let mut carry = false;
        for k in 0..LIMBS {
            let (sum, first) = self.0[k].overflowing_add(other.0[k]);
            let (sum, second) = sum.overflowing_add(u64::from(carry));
            // at most one of the two overflows
            (limbs[k], carry) = (sum, first || second);
        }
        Self(limbs)
    }
}

impl Neg for Wide {
    type Output = Self;
    fn neg(self) -> Self {
        let mut limbs = [0; LIMBS];
        let mut carry = true;
        for k in 0..LIMBS {
            (limbs[k], carry) = (!self.0[k]).overflowing_add(u64::from(carry));
        }
        Self(limbs)
    }
}

impl Sub for Wide {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl AddAssign for Wide {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Wide {
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl Mul for Wide {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        let (a, b) = (self.abs(), other.abs());
        let mut limbs = [0u64; LIMBS];
        let length = |x: &Self| x.0.iter().rposition(|&limb| limb != 0).map_or(0, |k| k + 1);
        let (of_a, of_b) = (length(&a), length(&b));
        for i in 0..of_a {
            let mut carry = 0u128;
            for k in 0..of_b.min(LIMBS - i) {
                // (2^64 − 1)² + 2·(2^64 − 1) = 2^128 − 1: no overflow
                carry += u128::from(a.0[i]) * u128::from(b.0[k]) + u128::from(limbs[i + k]);
                limbs[i + k] = carry as u64;
                carry >>= 64;
            }
            if let Some(limb) = limbs.get_mut(i + of_b) {
                *limb = carry as u64;
            }
        }
        if self.is_negative() == other.is_negative() { Self(limbs) } else { -Self(limbs) }
    }
}

impl Shl<u32> for Wide {
    type Output = Self;
    fn shl(self, k: u32) -> Self {
        let (whole, part) = ((k / 64) as usize, k % 64);
        let at = |j: usize| if j >= whole { self.0.get(j - whole).copied().unwrap_or(0) } else { 0 };
        let mut limbs = [0; LIMBS];
        for j in 0..LIMBS {
            let low = if part == 0 || j == 0 { 0 } else { at(j - 1) >> (64 - part) };
            limbs[j] = at(j) << part | low;
        }
        Self(limbs)
    }
}

/// `⌊x/2^k⌋`
impl Shr<u32> for Wide {
    type Output = Self;
    fn shr(self, k: u32) -> Self {
        let (whole, part) = ((k / 64) as usize, k % 64);
        let sign = if self.is_negative() { u64::MAX } else { 0 };
        let at = |j: usize| self.0.get(j + whole).copied().unwrap_or(sign);
        let mut limbs = [0; LIMBS];
        for j in 0..LIMBS {
            let high = if part == 0 { 0 } else { at(j + 1) << (64 - part) };
            limbs[j] = at(j) >> part | high;
        }
        Self(limbs)
    }
}

impl PartialOrd for Wide {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Wide {
    fn cmp(&self, other: &Self) -> Ordering {
        // limbs of two's complement compare as unsigned ones do, once the signs agree
        other
            .is_negative()
            .cmp(&self.is_negative())
            .then_with(|| self.0.iter().rev().cmp(other.0.iter().rev()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn is_arithmetic(a in any::<i64>(), b in any::<i64>(), c in -(1i128 << 120)..1 << 120, k in 1u32..120) {
            let (x, y, z) = (Wide::from(i128::from(a)), Wide::from(i128::from(b)), Wide::from(c));
            prop_assert_eq!((x * y).to_i128(), Some(i128::from(a) * i128::from(b)));
            prop_assert_eq!((x - y).to_i128(), Some(i128::from(a) - i128::from(b)));
            prop_assert_eq!((z >> k).to_i128(), Some(c >> k));
            prop_assert_eq!(((z << 250) >> 250, (z << 250) >> (250 + k)), (z, z >> k));
            prop_assert_eq!(x.cmp(&y), a.cmp(&b));
            prop_assert_eq!(z.bits(), 128 - c.unsigned_abs().leading_zeros());
            let rest = z.centered(k).to_i128().unwrap();
            prop_assert!((c - rest) % (1 << k) == 0 && -(1 << (k - 1)) <= rest && rest < 1 << (k - 1));
            // (x·2^200 + y)·(z·2^100 − y), by the distributive law
            let wide = ((x << 200) + y) * ((z << 100) - y);
            prop_assert_eq!(wide, ((x * z) << 300) - ((x * y) << 200) + ((y * z) << 100) - y * y);
        }

        #[test]
        fn floats(m in any::<i64>(), shift in 0u32..300, x in 0.0..1e9f64) {
            let value = Wide::from(i128::from(m)) << shift;
            let float = value.to_f64(shift);
            prop_assert!((float - m as f64).abs() <= (m as f64).abs() * 2f64.powi(-51));
            prop_assert_eq!(Wide::ceil_scaled(x, 0).unwrap().to_i128(), Some(x.ceil() as i128));
            let fine = Wide::ceil_scaled(x, 100).unwrap();
            prop_assert_eq!(fine.to_f64(100), x, "a double has no bits below 2^-100 here, or hardly any");
        }
    }

    #[test]
    fn no_scaled_integer() {
        for x in [f64::NAN, f64::INFINITY, -1.0] {
            assert_eq!(Wide::ceil_scaled(x, 3), None);
        }
        assert_eq!(Wide::ceil_scaled(1e300, 10), None);
        assert_eq!(Wide::ceil_scaled(1e-300, 10), Some(Wide::ONE), "outward");
    }
}
