//! [`InModes`]: a result correctly rounded in each of IEEE 754's modes.

use tmd_driver::{
    Format,
    report::{Case, Exact},
    table::Rounding,
    tmd_core::BreakpointKind,
};
use tmd_report::{
    ReportError,
    number::value,
    rounded::{Neighbors, Rounded},
};

/// One result in the five modes. An exact zero is +0, whatever the zero of the argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct InModes {
    /// To nearest, ties to even.
    pub(crate) nearest_even: Rounded,
    /// To nearest, ties away from zero.
    pub(crate) nearest_away: Rounded,
    /// Toward +∞.
    pub(crate) up: Rounded,
    /// Toward −∞.
    pub(crate) down: Rounded,
    /// Toward 0.
    pub(crate) zero: Rounded,
}

impl InModes {
    /// The results of a case in this format.
    ///
    /// # Errors
    /// [`ReportError::Number`] for what no certificate and no search says.
    pub(crate) fn of_case(case: &Case, format: Format) -> Result<Self, ReportError> {
        Ok(Self::of(Neighbors::of(case)?, format))
    }

    /// The results of an exact case in this format.
    ///
    /// # Errors
    /// [`ReportError::Number`] for what no certificate and no search says.
    pub(crate) fn of_exact(exact: &Exact, format: Format) -> Result<Self, ReportError> {
        let is_number = exact.kind == BreakpointKind::Number.to_string();
        let kind = if is_number { BreakpointKind::Number } else { BreakpointKind::Midpoint };
        Ok(Self::of(Neighbors::exact(value(&exact.value)?, kind), format))
    }

    fn of(place: Neighbors, format: Format) -> Self {
        let round = |mode| place.round(mode, format);
        Self {
            nearest_even: round(Rounding::NearestEven),
            nearest_away: round(Rounding::NearestAway),
            up: round(Rounding::Up),
            down: round(Rounding::Down),
            zero: round(Rounding::Zero),
        }
    }
}
