//! [`Rounding`]: the five rounding-direction attributes of IEEE 754.

use std::{cmp::Ordering, fmt, str::FromStr};

use rug::Float;
use tmd_functions::special::Sign;

use super::TableError;

/// A rounding-direction attribute of IEEE 754-2019, clause 4.3.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Rounding {
    /// To the nearest number, ties to the even one: `nearest-even`.
    #[default]
    NearestEven,
    /// To the nearest number, ties to the one of larger magnitude: `nearest-away`.
    NearestAway,
    /// Toward +∞: `up`.
    Up,
    /// Toward −∞: `down`.
    Down,
    /// Toward 0: `zero`.
    Zero,
}

impl Rounding {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::NearestEven, Self::NearestAway, Self::Up, Self::Down, Self::Zero];

    /// The name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::NearestEven => "nearest-even",
            Self::NearestAway => "nearest-away",
            Self::Up => "up",
            Self::Down => "down",
            Self::Zero => "zero",
        }
    }

    /// What it does, for a comment.
    pub const fn description(self) -> &'static str {
        match self {
            Self::NearestEven => "to nearest, ties to even",
            Self::NearestAway => "to nearest, ties away from zero",
            Self::Up => "toward +infinity",
            Self::Down => "toward -infinity",
            Self::Zero => "toward zero",
        }
    }

    /// Whether a number that lies `rest` above a magnitude (odd or not) of the format goes to the
    /// next magnitude.
    pub(super) fn is_away(self, sign: Sign, is_odd: bool, rest: Rest) -> bool {
        match (self, rest) {
            (_, Rest::Nothing) | (Self::Zero, _) => false,
            (Self::Up, _) => sign == Sign::Positive,
            (Self::Down, _) => sign == Sign::Negative,
            (_, Rest::BelowHalf) => false,
            (Self::NearestEven, Rest::Half) => is_odd,
            (Self::NearestEven | Self::NearestAway, _) => true,
        }
    }
}

impl fmt::Display for Rounding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Rounding {
    type Err = TableError;

    fn from_str(name: &str) -> Result<Self, TableError> {
        let found = Self::ALL.into_iter().find(|rounding| rounding.name() == name);
        found.ok_or_else(|| TableError::Rounding {
            name: name.into(),
            known: Self::ALL.map(Self::name).join(", "),
        })
    }
}

/// What truncation leaves, in ulps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rest {
    Nothing,
    BelowHalf,
    Half,
    AboveHalf,
}

impl Rest {
    /// The kind of a rest 0 ≤ `rest` < 1.
    pub(super) fn of(rest: &Float) -> Self {
        match rest.partial_cmp(&0.5) {
            _ if rest.is_zero() => Self::Nothing,
            Some(Ordering::Less) => Self::BelowHalf,
            Some(Ordering::Equal) => Self::Half,
            _ => Self::AboveHalf,
        }
    }
}
