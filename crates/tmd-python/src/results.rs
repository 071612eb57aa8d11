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

/// One result in each of the modes. An exact zero is +0, whatever the zero of the argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct InModes(pub(crate) [Rounded; 5]);

/// What Python calls the modes.
pub(crate) const MODES: [(&str, Rounding); 5] = [
    ("nearest_even", Rounding::NearestEven),
    ("nearest_away", Rounding::NearestAway),
    ("up", Rounding::Up),
    ("down", Rounding::Down),
    ("zero", Rounding::Zero),
];

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
        Self(MODES.map(|(_, mode)| place.round(mode, format)))
    }
}
