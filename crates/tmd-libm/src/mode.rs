//! [`Mode`]: the rounding-direction attributes that a processor has; [`Flags`]: the exceptions of
//! IEEE 754.

use std::{fmt, ops::BitOr};

use serde::{Serialize, Serializer};
use tmd_functions::special::Sign;

/// A rounding-direction attribute, as `fesetround` sets it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    /// To the nearest number, ties to the even one: `nearest`.
    Nearest,
    /// Toward 0: `zero`.
    Zero,
    /// Toward +∞: `up`.
    Up,
    /// Toward −∞: `down`.
    Down,
}

impl Mode {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Nearest, Self::Zero, Self::Up, Self::Down];

    /// The name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Nearest => "nearest",
            Self::Zero => "zero",
            Self::Up => "up",
            Self::Down => "down",
        }
    }

    /// The number of a mode, its place in [`ALL`](Self::ALL).
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Whether magnitudes of this sign are rounded away from 0, if the mode is a directed one.
    pub(crate) fn is_away(self, sign: Sign) -> bool {
        self == if sign == Sign::Positive { Self::Up } else { Self::Down }
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A set of exceptions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags(u8);

impl Flags {
    /// None.
    pub const NONE: Self = Self(0);
    /// The result is not defined.
    pub const INVALID: Self = Self(1);
    /// The result is infinite, and the operand is not.
    pub const DIVIDE_BY_ZERO: Self = Self(1 << 1);
    /// The result is beyond the largest number.
    pub const OVERFLOW: Self = Self(1 << 2);
    /// The result is tiny and not exact.
    pub const UNDERFLOW: Self = Self(1 << 3);
    /// The result is not exact.
    pub const INEXACT: Self = Self(1 << 4);

    /// Those of one exception each, with their names.
    pub const ALL: [(Self, &'static str); 5] = [
        (Self::INVALID, "invalid"),
        (Self::DIVIDE_BY_ZERO, "divide-by-zero"),
        (Self::OVERFLOW, "overflow"),
        (Self::UNDERFLOW, "underflow"),
        (Self::INEXACT, "inexact"),
    ];

    /// The set with these bits, in the order of [`ALL`](Self::ALL).
    pub(crate) const fn from_bits(bits: u8) -> Self {
        Self(bits & 0x1f)
    }

    /// Its bits.
    pub(crate) const fn bits(self) -> u8 {
        self.0
    }

    /// Whether all of `other` are in the set.
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Those that are not in `other`.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

impl BitOr for Flags {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// The names, with `+` between them; `none` for the empty set.
impl fmt::Display for Flags {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> =
            Self::ALL.iter().filter(|(flag, _)| self.contains(*flag)).map(|(_, name)| *name).collect();
        f.pad(&if names.is_empty() { "none".to_owned() } else { names.join("+") })
    }
}

impl Serialize for Flags {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets() {
        let both = Flags::OVERFLOW | Flags::INEXACT;
        assert_eq!(both.to_string(), "overflow+inexact");
        assert!(both.contains(Flags::INEXACT) && !both.contains(Flags::INVALID));
        assert_eq!(both.without(Flags::INEXACT), Flags::OVERFLOW);
        assert_eq!(Flags::NONE.to_string(), "none");
        for (i, (flag, _)) in Flags::ALL.into_iter().enumerate() {
            assert_eq!(flag.bits(), 1 << i);
        }
        for (i, mode) in Mode::ALL.into_iter().enumerate() {
            assert_eq!(mode.index(), i);
        }
    }
}
