//! The rotation `x ↦ a·x mod modulus`: the one checked input of this crate.
//!
//! The papers speak of `{a·x}`, the fractional part, for a real `a` in `[0, 1)`. Here `a` is the
//! rational `a/modulus`, and the unit segment is scaled by `modulus`, as in Figure 3 of the GPU
//! paper (2016) where `a = 14/45` is drawn on a segment of length 45. In 64-bit fixed point the
//! modulus is `2^64`.
//!
//! **Bounds.** `0 ≤ a < modulus ≤ 2^64` and `x < 2^64`, hence `a·x < 2^128`: every product of a
//! residue and an index fits in `u128`.

use num_integer::Integer;

use crate::Error;

/// The largest modulus: `2^64`, the unit of 64-bit fixed point.
pub const MAX_MODULUS: u128 = 1 << 64;

/// The rotation of a circle of circumference `modulus` by `a`, both exact integers.
///
/// Invariant: `1 ≤ modulus ≤ 2^64` and `a < modulus`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rotation {
    a: u128,
    modulus: u128,
}

impl Rotation {
    /// The rotation by `a`, reduced modulo `modulus`.
    ///
    /// # Errors
    ///
    /// [`Error::ZeroModulus`] and [`Error::ModulusTooLarge`].
    ///
    /// ```
    /// use tmd_contfrac::{MAX_MODULUS, Rotation};
    ///
    /// assert_eq!(Rotation::new(59, 45)?.a(), 14);
    /// assert!(Rotation::new(1, MAX_MODULUS).is_ok());
    /// assert!(Rotation::new(1, MAX_MODULUS + 1).is_err());
    /// # Ok::<(), tmd_contfrac::Error>(())
    /// ```
    pub fn new(a: u128, modulus: u128) -> Result<Self, Error> {
        match modulus {
            0 => Err(Error::ZeroModulus),
            1..=MAX_MODULUS => Ok(Self { a: a % modulus, modulus }),
            _ => Err(Error::ModulusTooLarge { modulus }),
        }
    }

    /// The rotation by the 64-bit fixed-point fraction `a/2^64`; it cannot fail.
    pub fn from_q64(a: u64) -> Self {
        Self { a: u128::from(a), modulus: MAX_MODULUS }
    }

    /// The rotation by `a + delta`, for `|delta| ≤ modulus`.
    pub(crate) fn turned(self, delta: i128) -> Self {
        // a, modulus ≤ 2^64 are exact in i128, and rem_euclid leaves 0 ..= modulus − 1
        let a = (self.a as i128 + delta).rem_euclid(self.modulus as i128);
        Self { a: a as u128, ..self }
    }

    /// The angle, in units of 1/modulus; less than the modulus.
    pub fn a(self) -> u128 {
        self.a
    }

    /// The circumference of the circle, in `1 ..= 2^64`.
    pub fn modulus(self) -> u128 {
        self.modulus
    }

    /// The number of distinct points `a·x mod modulus`: `modulus / gcd(a, modulus)`. Point
    /// `x + period` coincides with point `x`, and the distinct points are the multiples of
    /// `gcd(a, modulus)`.
    pub fn period(self) -> u128 {
        self.modulus / self.a.gcd(&self.modulus)
    }

    /// The point `a·x mod modulus`.
    pub fn point(self, x: u64) -> u128 {
        self.a * u128::from(x) % self.modulus
    }

    /// The distance `(b − a·x) mod modulus` from the point `x` rightwards to `b`; `b` is reduced.
    pub fn distance(self, b: u128, x: u64) -> u128 {
        let point = self.point(x);
        let b = b % self.modulus;
        // both are below the modulus, so the sum below stays under 2^65
        if b >= point { b - point } else { b + self.modulus - point }
    }
}
