//! [`ArgumentRange`]: consecutive arguments of one spacing.

use crate::Number;

/// The arguments `(first + k)·2^exponent`, `0 ≤ k < count`, in increasing order: consecutive
/// numbers of a format that share an ulp.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArgumentRange {
    first: i128,
    exponent: i32,
    count: u64,
}

impl ArgumentRange {
    /// The range that starts at `first·2^exponent` with `count` arguments; `|first| ≤ 2^65`.
    pub const fn new(first: i128, exponent: i32, count: u64) -> Self {
        Self { first, exponent, count }
    }

    /// Number of arguments.
    pub const fn count(&self) -> u64 {
        self.count
    }

    /// `log2` of the spacing.
    pub const fn exponent(&self) -> i32 {
        self.exponent
    }

    /// The first argument in units of the spacing.
    pub const fn first(&self) -> i128 {
        self.first
    }

    /// Argument number `k`.
    pub const fn argument(&self, k: u64) -> Number {
        Number::new(self.first + k as i128, self.exponent)
    }

    /// `count` arguments from number `start` on, fewer at the end of the range.
    #[must_use]
    pub fn part(&self, start: u64, count: u64) -> Self {
        let start = start.min(self.count);
        Self { first: self.first + i128::from(start), count: count.min(self.count - start), ..*self }
    }

    /// The two halves; the second is the larger one by at most one argument.
    #[must_use]
    pub fn halves(&self) -> (Self, Self) {
        let half = self.count / 2;
        (self.part(0, half), self.part(half, self.count))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_tile_the_range() {
        let range = ArgumentRange::new(-7, -3, 11);
        assert_eq!(range.argument(0), Number::new(-7, -3));
        assert_eq!(range.argument(10), Number::new(3, -3));
        for cut in 0..=11 {
            let (a, b) = (range.part(0, cut), range.part(cut, 100));
            assert_eq!(a.count() + b.count(), 11);
            assert_eq!(b.first(), -7 + i128::from(cut));
        }
        let (a, b) = range.halves();
        assert_eq!((a.count(), b.count(), b.first()), (5, 6, -2));
    }
}
