//! Numbers of a walk with types of their own, so that none is taken for another: [`Count`] of
//! arguments, and [`Length`] in the units of an engine.
//!
//! Both are transparent: they cost nothing. Vectors of lanes are plain floats; their names say
//! whether they hold counts or fractions.

/// A number of arguments: a count of a pair, a size, an order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Count<T>(pub T);

/// A length, or a fraction of the circle: an integer of units of 2^-`BITS`, two's complement.
/// Arithmetic is mod 2^64 units; what is in range is for its user to know
/// ([`contract`](super::contract)).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Length<const BITS: u32>(i64);

impl<const BITS: u32> Length<BITS> {
    /// 0.
    pub const ZERO: Self = Self(0);

    /// So many units.
    pub const fn of_units(units: i64) -> Self {
        Self(units)
    }

    /// The units.
    pub const fn units(self) -> i64 {
        self.0
    }

    /// Its magnitude, in units.
    pub const fn magnitude(self) -> u64 {
        self.0.unsigned_abs()
    }

    /// The number of two words, the lower first.
    pub const fn of_words(words: [u32; 2]) -> Self {
        Self((words[0] as u64 | (words[1] as u64) << 32).cast_signed())
    }

    /// Both words, the lower first.
    pub const fn to_words(self) -> [u32; 2] {
        let units = self.0.cast_unsigned();
        [units as u32, (units >> 32) as u32]
    }

    /// `self + other`
    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self(self.0.wrapping_add(other.0))
    }

    /// `self − other`
    #[must_use]
    pub const fn minus(self, other: Self) -> Self {
        Self(self.0.wrapping_sub(other.0))
    }

    /// `−self`
    #[must_use]
    pub const fn negated(self) -> Self {
        Self(self.0.wrapping_neg())
    }

    /// `self·count`
    #[must_use]
    pub const fn times(self, count: Count<u32>) -> Self {
        Self(self.0.wrapping_mul(count.0 as i64))
    }

    /// The shorter way around the circle from a fraction to this one, in [−1/2, 1/2).
    #[must_use]
    pub const fn step_from(self, from: Self) -> Self {
        Self((self.0.wrapping_sub(from.0) << (64 - BITS)) >> (64 - BITS))
    }

    /// The same fraction of the circle, in the tables' units.
    pub const fn in_tables(self) -> Length<64> {
        Length(self.0 << (64 - BITS))
    }
}

impl Length<64> {
    /// A fraction of the circle by its 64 bits.
    pub const fn of_fraction(bits: u64) -> Self {
        Self(bits.cast_signed())
    }

    /// The 64 bits of a fraction of the circle.
    pub const fn fraction(self) -> u64 {
        self.0.cast_unsigned()
    }

    /// The fraction in [0, 1), rounded down to the units of an engine.
    pub const fn rounded_down<const BITS: u32>(self) -> Length<BITS> {
        Length((self.0.cast_unsigned() >> (64 - BITS)).cast_signed())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Sixty = Length<60>;

    #[test]
    fn lengths_are_their_units() {
        for units in [0, 1, -1, i64::MAX, i64::MIN, 0x0123_4567_89ab_cdef] {
            let length = Sixty::of_units(units);
            assert_eq!(length.units(), units);
            assert_eq!(Sixty::of_words(length.to_words()), length);
            assert_eq!(length.plus(length.negated()), Sixty::ZERO);
            assert_eq!(length.times(Count(3)), length.plus(length).plus(length));
            assert_eq!(length.minus(length), Sixty::ZERO);
        }
        assert_eq!(Sixty::of_words([1, 2]).units(), 1 + (2 << 32));
        assert_eq!(Sixty::of_units(-5).magnitude(), 5);
        assert_eq!(size_of::<Sixty>() + size_of::<Count<u32>>(), 12);
    }

    #[test]
    fn fractions_of_the_circle() {
        let third = Length::of_fraction(u64::MAX / 3);
        let rounded = third.rounded_down::<60>();
        assert_eq!(rounded.units(), (1 << 60) / 3);
        assert_eq!(rounded.in_tables().fraction(), ((u64::MAX / 3) >> 4) << 4);
        // across 0 the short way, to the last bit
        let (before, after) = (Sixty::of_units((1 << 60) - 3), Sixty::of_units(4));
        assert_eq!((after.step_from(before).units(), before.step_from(after).units()), (7, -7));
        assert_eq!(Sixty::of_units(1 << 59).step_from(Sixty::ZERO).units(), -1 << 59);
        assert_eq!(Length::<64>::of_fraction(2).step_from(Length::of_fraction(u64::MAX)).units(), 3);
    }
}
