//! Whether the certificates of a data folder list an argument.

use std::{collections::HashSet, fmt, path::Path};

use rug::Rational;
use tmd_core::{Breakpoints, Format, HrCase, Number};
use tmd_driver::{Certificate, Coverage, certificate::ClassRecord};
use tmd_functions::{Expression, parse_number, taylor::float_of};
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
    /// What is said of it is not so.
    Wrong(String),
}

impl Listed {
    /// Whether the certificate is wrong here.
    pub(crate) fn is_wrong(&self) -> bool {
        matches!(self, Self::Missing | Self::Wrong(_))
    }

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
            Self::Wrong(_) => "wrong",
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
            Self::Wrong(what) => {
                write!(f, "SAYS WHAT IS NOT SO: {what}: tmd verify says what is wrong")
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
    pub(crate) fn of(&self, x: Number, case: Option<&HrCase>) -> Vec<(&str, Listed)> {
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

    fn about(&self, x: Number, case: Option<&HrCase>) -> Listed {
        // distances have four digits
        let least = -f64::from(self.certificate.extra_bits) - 1e-4;
        let is_in = |x: &HrCase| self.breakpoints.includes(x.kind);
        if self.cases.contains(&x) {
            let is_case = case.is_some_and(|case| is_in(case) && case.log2_distance < least + 2e-4);
            return if is_case { Listed::Case } else { Listed::Wrong("that it is a case".into()) };
        }
        let exactly = || match case {
            None => Listed::Exact,
            Some(_) => Listed::Wrong("that its result is exact".into()),
        };
        if self.exact.contains(&x) {
            return exactly();
        }
        let Some(known) = self.coverage.known(x) else { return Listed::NotAsked };
        if let Some(left) = known.left {
            return Listed::NotCovered(left.to_string());
        }
        if self.cases.contains(&known.source) {
            return Listed::Follows(known.source);
        }
        if self.exact.contains(&known.source) {
            return exactly();
        }
        match self.certificate.regions.get(known.region).map(|region| &region.class) {
            Some(ClassRecord::Searched) => {}
            Some(ClassRecord::Exact { .. }) => return exactly(),
            Some(class) => {
                // the class of another argument is about another result
                let is_so = match class {
                    ClassRecord::Undefined => false,
                    _ => known.source != x || case.is_some_and(|case| is_so(class, case)),
                };
                return if is_so {
                    Listed::Known(class.to_string())
                } else {
                    Listed::Wrong(class.to_string())
                };
            }
            None => return Listed::NotAsked,
        }
        let is_missing = case.is_some_and(|case| is_in(case) && case.log2_distance < least);
        if is_missing { Listed::Missing } else { Listed::Not }
    }
}

/// Whether what a region says of all its results can be so of this one, which is no breakpoint:
/// `case` is about breakpoints of both kinds.
fn is_so(class: &ClassRecord, case: &HrCase) -> bool {
    let value = |x: Number| float_of(x).to_rational().unwrap_or_default(); // numbers are finite
    let (lower, upper, near) = (value(case.lower), value(case.upper), value(case.breakpoint));
    let middle = Rational::from(&lower + &upper) / 2u32;
    // the breakpoints next to the result
    let (below, above) = match (case.above, near < middle, near > middle) {
        (true, false, false) | (false, _, true) => (&middle, &upper),
        _ => (&lower, &middle),
    };
    let read = |text: &String| number(text).ok().map(value);
    match class {
        ClassRecord::Between { below: first, above: last } => {
            let is_below =
                first.as_ref().is_none_or(|first| read(first).is_some_and(|first| first <= *below));
            is_below && last.as_ref().is_none_or(|last| read(last).is_some_and(|last| last >= *above))
        }
        ClassRecord::Beside { line, side } => {
            let line = match line.strip_suffix('x') {
                None => parse_number(line).ok(),
                Some("") => Some(value(case.argument)),
                Some("-") => Some(-value(case.argument)),
                Some(slope) => {
                    let slope = parse_number(slope.trim_end_matches('*')).ok();
                    slope.map(|slope| slope * value(case.argument))
                }
            };
            line.is_some_and(|line| match side.as_str() {
                "above" => *below <= line && line < *above,
                _ => *below < line && line <= *above,
            })
        }
        _ => false,
    }
}
