//! Whether the certificates of a data folder list an argument.

use std::{collections::HashSet, fmt, path::Path};

use tmd_core::{BreakpointKind, Breakpoints, Format, Number};
use tmd_driver::{Certificate, Coverage, certificate::ClassRecord, report::Case};
use tmd_functions::Expression;
use tmd_report::number::number;

use crate::data_folder::{Found, certificates};
use crate::output::Failure;

/// What a certificate says of an argument.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Listed {
    /// It is a case of the list.
    Case,
    /// The same is known of it as of a case at another argument, which is in the list.
    Follows(Number),
    /// It is one of the exact cases; or follows from one.
    Exact,
    /// It is no case: its distance is ε or more, or it is exact and only counted.
    Not,
    /// It is not in the list because an inequality says how it is rounded, or that there is nothing
    /// to round.
    Known(String),
    /// Nothing is known of it; why.
    NotCovered(String),
    /// It was not asked for.
    NotAsked,
    /// It should be in the list, and is not.
    Missing,
}

impl Listed {
    /// One word.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Case => "case",
            Self::Follows(_) => "follows",
            Self::Exact => "exact",
            Self::Not => "not",
            Self::Known(_) => "known",
            Self::NotCovered(_) => "not-covered",
            Self::NotAsked => "not-asked",
            Self::Missing => "missing",
        }
    }
}

/// What comes behind the name of a certificate.
impl fmt::Display for Listed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Case => f.write_str("lists it"),
            Self::Follows(source) => write!(f, "lists it by the case at {source}, from which it follows"),
            Self::Exact => f.write_str("lists it as exact"),
            Self::Not => f.write_str("does not list it, for it is no case there"),
            Self::Known(what) => write!(f, "does not list it, for it is known without a search: {what}"),
            Self::NotCovered(why) => write!(f, "says nothing of it: {why}"),
            Self::NotAsked => f.write_str("is not about this argument"),
            Self::Missing => {
                f.write_str("DOES NOT LIST IT, although it is a case: tmd verify says what is wrong")
            }
        }
    }
}

/// A certificate, ready to be asked.
struct Asked {
    name: String,
    certificate: Certificate,
    coverage: Coverage,
    breakpoints: Breakpoints,
    cases: HashSet<Number>,
    exact: HashSet<Number>,
}

/// The certificates about a function, ready to be asked.
pub(crate) struct Lists(Vec<Asked>);

impl Lists {
    /// Those of a data folder.
    pub(crate) fn open(folder: &Path, function: &Expression, format: Format) -> Result<Self, Failure> {
        certificates(folder, function, format)?
            .into_iter()
            .map(Asked::new)
            .collect::<Result<_, _>>()
            .map(Self)
    }

    /// What each says of an argument whose hardness is `case`; `None` if it is exact, or has no
    /// value.
    pub(crate) fn of(&self, x: Number, case: Option<&Case>) -> Vec<(&str, Listed)> {
        self.0.iter().map(|asked| (asked.name.as_str(), asked.about(x, case))).collect()
    }
}

impl Asked {
    fn new(found: Found) -> Result<Self, Failure> {
        let Found { path, certificate } = found;
        let coverage = Coverage::of(&certificate)?;
        let cases = certificate.cases.iter().map(|case| number(&case.x)).collect::<Result<_, _>>()?;
        let exact = certificate.exact_cases.iter().map(|exact| number(&exact.x)).collect::<Result<_, _>>()?;
        let breakpoints = certificate.rounding.parse()?;
        let name = path.display().to_string();
        Ok(Self { name, certificate, coverage, breakpoints, cases, exact })
    }

    fn about(&self, x: Number, case: Option<&Case>) -> Listed {
        if self.cases.contains(&x) {
            return Listed::Case;
        }
        if self.exact.contains(&x) {
            return Listed::Exact;
        }
        let Some(known) = self.coverage.known(x) else { return Listed::NotAsked };
        if let Some(left) = known.left {
            return Listed::NotCovered(left.to_string());
        }
        if self.cases.contains(&known.source) {
            return Listed::Follows(known.source);
        }
        if self.exact.contains(&known.source) {
            return Listed::Exact;
        }
        match self.certificate.regions.get(known.region).map(|region| &region.class) {
            Some(ClassRecord::Searched) => {}
            Some(ClassRecord::Exact { .. }) => return Listed::Exact,
            Some(class) => return Listed::Known(class.to_string()),
            None => return Listed::NotAsked,
        }
        let is_case = |case: &Case| {
            let kinds = [BreakpointKind::Number, BreakpointKind::Midpoint];
            let kind = kinds.into_iter().find(|kind| case.kind == kind.to_string());
            // distances have four digits
            kind.is_some_and(|kind| self.breakpoints.includes(kind))
                && case.log2_dist < -f64::from(self.certificate.extra_bits) - 1e-4
        };
        if case.is_some_and(is_case) { Listed::Missing } else { Listed::Not }
    }
}
