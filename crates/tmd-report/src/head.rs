//! [`Headline`]: what was asked, and how far it was answered, the same in every format.

use std::fmt::Write as _;

use serde::Serialize;
use tmd_driver::{Certificate, report::rounding_in_words};

use crate::coverage::coverage;

/// What was asked, and how far it was answered, for people.
pub(crate) struct Headline {
    /// Function, format, rounding and ε.
    pub(crate) question: String,
    /// The numbers found.
    pub(crate) counts: String,
    /// `complete`, but for what is not covered, or `PARTIAL` with how much there is; `CHANGED` before all.
    pub(crate) state: String,
    /// Whether the state is not simply `complete`.
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

    pub(crate) fn new(certificate: &Certificate) -> Self {
        Self {
            function: certificate.function.clone(),
            format: certificate.format.name.clone(),
            rounding: certificate.rounding.clone(),
            extra_bits: certificate.extra_bits,
            state: Headline::new(certificate).state,
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
    pub(crate) fn new(certificate: &Certificate) -> Self {
        let units: usize = certificate.regions.iter().filter_map(|region| region.units).sum();
        let exact: u64 = certificate.units.iter().map(|unit| unit.exact).sum();
        let plural = |n: usize, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
        let uncovered: Vec<String> = coverage(certificate)
            .iter()
            .filter(|stretch| !stretch.is_covered)
            .map(|stretch| format!("NOT COVERED: {stretch}"))
            .collect();
        let mut counts = plural(certificate.cases.len(), "case");
        if !certificate.undecided.is_empty() {
            let _ = write!(counts, ", {} undecided", certificate.undecided.len());
        }
        let answered = match (certificate.is_complete(), uncovered.is_empty()) {
            (true, true) => "complete".into(),
            (true, false) => "complete but for what is NOT COVERED".into(),
            (false, _) => {
                format!("PARTIAL: {} of {units} units were searched", certificate.units.len())
            }
        };
        let state = if certificate.computed_digest() == certificate.digest {
            answered
        } else {
            format!("CHANGED after it was written, nothing here can be relied on; {answered}")
        };
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
            is_alarming: state != "complete",
            state,
            left_out: (certificate.exact_cases.is_empty() && exact > 0)
                .then(|| format!("{exact} exact cases in what was searched, too many to list")),
            uncovered,
        }
    }
}
