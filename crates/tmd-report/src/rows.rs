//! [`Row`]: one argument of a certificate's lists, whatever list it is in.

use serde::Serialize;
use tmd_core::{BreakpointKind, Format, Number};
use tmd_driver::{
    Certificate,
    certificate::ClassRecord,
    report::{Case, Exact, Undecided},
    table::Rounding,
};

use crate::{
    ReportError,
    list::List,
    number::{number, value},
    rounded::{MODES, Neighbors, Rounded, sign_of_zero},
};

/// Kind of an argument that no precision tried could decide.
pub const UNDECIDED: &str = "undecided";

/// One argument: a case, an exact case, or one that was not decided. The names of the fields are
/// those of the JSON export.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Row<'a> {
    /// The argument as C's `%a`.
    pub x: &'a str,
    /// The argument.
    #[serde(skip)]
    pub argument: Number,
    /// Its binade, `⌊log2|x|⌋`; none for 0.
    pub binade: Option<i32>,
    /// The kind of breakpoint, `number` or `midpoint`; or [`UNDECIDED`].
    pub kind: &'a str,
    /// `+` if f(x) is above the breakpoint, else `-`; none for exact cases.
    pub sign: Option<char>,
    /// Whether f(x) is the breakpoint.
    pub exact: bool,
    /// Cases that the row stands for: itself, and those that follow from it and have no row.
    pub stands_for: u128,
    /// log2 of the distance in ulps of the result.
    pub log2_dist: Option<f64>,
    /// Identical bits after the rounding bit.
    pub identical_bits: Option<u32>,
    /// The breakpoint as C's `%a`; of an exact case it is f(x).
    pub breakpoint: Option<String>,
    /// The number of the result's format next below f(x).
    pub lower: Option<&'a str>,
    /// The number next above.
    pub upper: Option<&'a str>,
    /// f(x), correctly rounded to nearest, ties to even; `-0x0p+0`, `inf` and `-inf` are among the
    /// results. None for undecided arguments.
    pub nearest_even: Option<String>,
    /// The same toward zero …
    pub zero: Option<String>,
    /// … toward +∞ …
    pub up: Option<String>,
    /// … and toward −∞.
    pub down: Option<String>,
    /// Where f(x) is; none for undecided arguments.
    #[serde(skip)]
    pub(crate) place: Option<Neighbors>,
}

/// All rows: the cases of the list by argument, then the exact cases by argument (those found by
/// searches and those of single arguments that are known without one), then what was not decided.
///
/// # Errors
/// [`ReportError::Number`] if an argument is none.
pub fn rows<'a>(certificate: &'a Certificate, list: &'a List) -> Result<Vec<Row<'a>>, ReportError> {
    let format = certificate.format.format()?;
    let mut rows = Vec::with_capacity(list.cases().len() + certificate.exact_cases.len());
    for case in list.cases() {
        let row = Row::of_case(case)?.with(Neighbors::of(case)?, &certificate.function, format);
        rows.push(Row { stands_for: list.stands_for(case), ..row });
    }
    let mut exact = Vec::new();
    for case in &certificate.exact_cases {
        exact.push(Row::exact(&case.x, &case.kind, &case.value, &certificate.function, format)?);
    }
    for region in &certificate.regions {
        if let ClassRecord::Exact { value, kind } = &region.class {
            exact.push(Row::exact(&region.first, kind, value, &certificate.function, format)?);
        }
    }
    exact.sort_by_key(|row| row.argument);
    rows.append(&mut exact);
    for undecided in &certificate.undecided {
        rows.push(Row::of_undecided(undecided)?);
    }
    Ok(rows)
}

/// The rows of a search: its cases, its exact cases, and what was not decided, each as they are
/// given; without the results in the rounding modes.
///
/// # Errors
/// [`ReportError::Number`] if an argument is none.
pub fn rows_of<'a>(
    cases: &'a [Case],
    exact: &'a [Exact],
    undecided: &'a [Undecided],
) -> Result<Vec<Row<'a>>, ReportError> {
    let exact = exact.iter().map(|case| Row::of_exact(&case.x, &case.kind, &case.value));
    cases.iter().map(Row::of_case).chain(exact).chain(undecided.iter().map(Row::of_undecided)).collect()
}

impl<'a> Row<'a> {
    fn of_case(case: &'a Case) -> Result<Self, ReportError> {
        let [lower, upper] = &case.bracket;
        Ok(Self {
            sign: Some(case.sign),
            log2_dist: Some(case.log2_dist),
            identical_bits: Some(case.identical_bits),
            breakpoint: Some(case.breakpoint.clone()),
            lower: Some(lower),
            upper: Some(upper),
            ..Self::bare(&case.x, &case.kind)?
        })
    }

    fn of_undecided(undecided: &'a Undecided) -> Result<Self, ReportError> {
        Ok(Self { identical_bits: Some(undecided.bits), ..Self::bare(&undecided.x, UNDECIDED)? })
    }

    fn bare(x: &'a str, kind: &'a str) -> Result<Self, ReportError> {
        let argument = number(x)?;
        let binade = argument.log2_floor();
        Ok(Self { x, argument, binade, kind, stands_for: 1, ..Self::default() })
    }

    fn exact(
        x: &'a str,
        kind: &'a str,
        result: &str,
        function: &str,
        format: Format,
    ) -> Result<Self, ReportError> {
        let value = value(result)?;
        let is_number = kind == BreakpointKind::Number.to_string();
        let place = Neighbors::exact(
            value,
            if is_number { BreakpointKind::Number } else { BreakpointKind::Midpoint },
        );
        Ok(Self::of_exact(x, kind, result)?.with(place, function, format))
    }

    fn of_exact(x: &'a str, kind: &'a str, result: &str) -> Result<Self, ReportError> {
        Ok(Self { breakpoint: Some(value(result)?.to_string()), exact: true, ..Self::bare(x, kind)? })
    }

    fn with(self, place: Neighbors, function: &str, format: Format) -> Self {
        let row = Self { place: Some(place), ..self };
        let [nearest_even, zero, up, down] =
            MODES.map(|mode| row.rounded(mode, function, format).map(|rounded| rounded.to_string()));
        Self { nearest_even, zero, up, down, ..row }
    }

    /// f(x), correctly rounded; none for undecided arguments.
    pub fn rounded(&self, mode: Rounding, function: &str, format: Format) -> Option<Rounded> {
        let rounded = self.place?.round(mode, format);
        let is_exact_zero = self.place == Some(Neighbors::exact(Number::ZERO, BreakpointKind::Number));
        Some(if is_exact_zero { Rounded::Zero(sign_of_zero(function, self.argument, mode)) } else { rounded })
    }
}
