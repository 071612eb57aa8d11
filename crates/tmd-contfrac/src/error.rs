//! What a caller can do wrong, with the value that was wrong.

use crate::{MAX_MODULUS, MAX_ORDER};

/// The errors of this crate. Bad input is reported here; it never panics.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum Error {
    /// A circle of circumference 0 was asked for.
    #[error("the modulus is 0; it must lie in 1 ..= 2^64")]
    ZeroModulus,
    /// The modulus exceeds [`MAX_MODULUS`], so that products of two residues would not fit in 128
    /// bits.
    #[error("the modulus {modulus} is larger than {MAX_MODULUS} = 2^64")]
    ModulusTooLarge { modulus: u128 },
    /// A fraction with denominator 0 has no continued fraction expansion.
    #[error("the fraction {numerator}/0 has no continued fraction expansion")]
    ZeroDenominator { numerator: u128 },
    /// There are no Farey fractions of order 0.
    #[error("the Farey order is 0; it must lie in 1 ..= 2^61")]
    ZeroOrder,
    /// The Farey order exceeds [`MAX_ORDER`], so that the products of a walk would not fit in 128
    /// bits.
    #[error("the Farey order {order} is larger than {MAX_ORDER} = 2^61")]
    OrderTooLarge { order: u64 },
    /// A step of a Farey walk goes more than once around the circle.
    #[error("the step {delta} goes more than once around the circle of circumference {modulus}")]
    StepTooLong { delta: i128, modulus: u128 },
}
