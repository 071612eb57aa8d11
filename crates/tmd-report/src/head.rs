//! [`Headline`]: what was asked, and how far it was answered, the same in every format.

use std::fmt::Write as _;

use serde::Serialize;
use tmd_driver::{Certificate, Coverage, coverage::Stretch, report::rounding_in_words};

use crate::ReportError;

/// What was asked, and how far it was answered, for people.
pub(crate) struct Headline {
    /// Function, format, rounding and ε.
    pub(crate) question: String,
    /// The numbers found.
    pub(crate) counts: String,
    /// For which arguments it is complete, or how many are not covered, and why; before that
    /// `CHANGED`, and `PARTIAL` with the number of units.
    pub(crate) state: String,
    /// Whether the state is not simply that it is complete.
    pub(crate) is_alarming: bool,
    /// A line for each region of which nothing is known.
    pub(crate) uncovered: Vec<String>,
    /// What is said of exact cases that are not listed.
    pub(crate) left_out: Option<String>,
}

/// The same for programs: the columns that every line of a table has, whichever line is looked at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Origin {
    /// The function, as parsed.
    pub(crate) function: String,
    /// The name of the format.
    pub(crate) format: String,
    /// The breakpoints: `directed`, `nearest` or `all`.
    pub(crate) rounding: String,
    /// `m`: cases are closer than 2^-m ulp to a breakpoint.
    pub(crate) extra_bits: u32,
    /// [`Headline::state`].
    pub(crate) state: String,
    /// The certificate's digest.
    pub(crate) digest: String,
}

impl Origin {
    /// The names of the columns.
    pub(crate) const COLUMNS: [&'static str; 6] =
        ["function", "format", "rounding", "extra_bits", "state", "digest"];

    pub(crate) fn new(certificate: &Certificate, headline: &Headline) -> Self {
        Self {
            function: certificate.function.clone(),
            format: certificate.format.name.clone(),
            rounding: certificate.rounding.clone(),
            extra_bits: certificate.extra_bits,
            state: headline.state.clone(),
            digest: certificate.digest.clone(),
        }
    }

    /// The values of the columns.
    pub(crate) fn cells(&self) -> [String; 6] {
        [
            self.function.clone(),
            self.format.clone(),
            self.rounding.clone(),
            self.extra_bits.to_string(),
            self.state.clone(),
            self.digest.clone(),
        ]
    }
}

impl Headline {
    /// # Errors
    /// Regions that cannot be.
    pub(crate) fn new(certificate: &Certificate) -> Result<Self, ReportError> {
        Ok(Self::with(certificate, &Coverage::of(certificate)?))
    }

    pub(crate) fn with(certificate: &Certificate, coverage: &Coverage) -> Self {
        let units: usize = certificate.regions.iter().filter_map(|region| region.units).sum();
        let exact: u64 = certificate.units.iter().map(|unit| unit.exact).sum();
        let uncovered = uncovered(coverage).map(|stretch| format!("NOT COVERED: {stretch}")).collect();
        let mut counts = match certificate.case_count() {
            1 => "1 case".to_owned(),
            n => format!("{n} cases"),
        };
        if !certificate.undecided.is_empty() {
            let _ = write!(counts, ", {} undecided", certificate.undecided.len());
        }
        let mut state = String::new();
        let is_changed = certificate.computed_digest() != certificate.digest;
        if is_changed {
            state += "CHANGED after it was written, nothing here can be relied on; ";
        }
        let is_partial = !certificate.is_finished();
        if is_partial {
            let _ = write!(state, "PARTIAL: {} of {units} units were searched; ", certificate.units.len());
        }
        state += &coverage.sentence();
        if certificate.binades.is_some() {
            state += "; nothing is said of other arguments";
        }
        Self {
            question: format!(
                "{} in {}, rounding {}, distance < 2^-{} ulp{}",
                certificate.function,
                certificate.format.name,
                rounding_in_words(&certificate.rounding),
                certificate.extra_bits,
                certificate
                    .binades
                    .map_or_else(String::new, |[start, end]| format!(", 2^{start} ≤ |x| < 2^{end}")),
            ),
            counts,
            is_alarming: is_changed || is_partial || !coverage.is_complete(),
            state,
            left_out: (certificate.exact_cases.is_empty() && exact > 0)
                .then(|| format!("{exact} exact cases in what was searched, too many to list")),
            uncovered,
        }
    }
}

/// The stretches of which nothing is known.
pub(crate) fn uncovered(coverage: &Coverage) -> impl Iterator<Item = &Stretch> {
    coverage.stretches().iter().filter(|stretch| !stretch.is_covered())
}
