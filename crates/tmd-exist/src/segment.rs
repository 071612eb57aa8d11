//! The line b − a·x over the arguments 0 ≤ x < N, in 64-bit fixed point modulo 1.

use crate::error::ExistError;

/// The segment b − a·x, 0 ≤ x < N, modulo 1.
///
/// a and b are fractions in units of 2^-64, so that arithmetic modulo 1 is wrapping arithmetic on
/// `u64`. A line that rises, b + s·x, is the segment with a = −s, `s.wrapping_neg()`. A two-sided
/// question, "|b − a·x| ≤ h modulo 1", is the one-sided one for b + h and width 2h + 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Segment {
    a: u64,
    b: u64,
    n: u64,
}

impl Segment {
    /// The greatest number of arguments of a segment, 2^32: the counts of intervals, which are
    /// below N until the last step of a test, then fit a word with room to spare.
    pub const MAX_ARGUMENTS: u64 = 1 << 32;

    /// The segment b − a·x for the `n` arguments x = 0, 1, …, n − 1; `a` and `b` in units of 2^-64.
    ///
    /// # Errors
    ///
    /// [`ExistError::NoArguments`] if `n` is 0, [`ExistError::TooManyArguments`] if it exceeds
    /// [`MAX_ARGUMENTS`](Self::MAX_ARGUMENTS).
    #[inline]
    pub const fn new(a: u64, b: u64, n: u64) -> Result<Self, ExistError> {
        if n == 0 {
            return Err(ExistError::NoArguments);
        }
        if n > Self::MAX_ARGUMENTS {
            return Err(ExistError::TooManyArguments(n));
        }
        Ok(Self { a, b, n })
    }

    /// The slope a, in units of 2^-64 per argument; the line falls.
    #[inline]
    pub const fn a(self) -> u64 {
        self.a
    }

    /// The value b at x = 0, in units of 2^-64.
    #[inline]
    pub const fn b(self) -> u64 {
        self.b
    }

    /// The number of arguments N, from 1 to 2^32.
    #[inline]
    pub const fn n(self) -> u64 {
        self.n
    }

    /// (b − a·x) mod 1 at one argument, in units of 2^-64: how far the line is above a breakpoint
    /// there. `None` if x is not below N.
    #[inline]
    pub const fn distance(self, x: u64) -> Option<u64> {
        if x < self.n { Some(self.b.wrapping_sub(self.a.wrapping_mul(x))) } else { None }
    }

    /// Whether the line, falling or rising, stays at `width` or above without coming around: then
    /// no argument is below `width`, and no test is needed. The tests place as many points as the
    /// slope's first quotient says, so that they would seldom say so of a segment that is flatter
    /// than 1/N.
    #[inline]
    pub const fn stays_above(self, width: u64) -> bool {
        let (steps, b) = ((self.n - 1) as u128, self.b as u128);
        let falls = b >= width as u128 + self.a as u128 * steps;
        let rises = self.b >= width && b + self.a.wrapping_neg() as u128 * steps < 1 << 64;
        falls || rises
    }
}
