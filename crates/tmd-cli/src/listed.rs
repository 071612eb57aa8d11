//! Whether the certificates of a data folder list an argument.

use std::{
    collections::{HashMap, HashSet},
    fmt,
    path::Path,
};

use rug::Rational;
use tmd_core::{Breakpoints, ExactCase, Format, HrCase, Number};
use tmd_driver::{Certificate, Coverage, certificate::ClassRecord};
use tmd_functions::{Expression, Function, Interval, parse_number, taylor::float_of};
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
    /// values and kinds
    exact: HashMap<Number, (String, String)>,
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

    /// What each says of an argument whose result is this.
    pub(crate) fn of(&self, result: &ArgumentResult) -> Vec<(&str, Listed)> {
        self.0.iter().map(|asked| (asked.name.as_str(), asked.about(result))).collect()
    }
}

/// An argument with its own result, beside what lists say of it.
pub(crate) struct ArgumentResult<'a> {
    pub(crate) function: &'a Expression,
    pub(crate) x: Number,
    /// of the result
    pub(crate) format: Format,
    /// the hardness among breakpoints of both kinds, or the breakpoint that the result is
    pub(crate) found: &'a Result<HrCase, ExactCase>,
}

impl Asked {
    fn new(found: Found) -> Result<Self, Failure> {
        let Found { path, certificate } = found;
        let coverage = Coverage::of(&certificate)?;
        let cases = certificate.cases.iter().map(|case| number(&case.x)).collect::<Result<_, _>>()?;
        let exact = certificate.exact_cases.iter();
        let exact = exact.map(|exact| Ok((number(&exact.x)?, (exact.value.clone(), exact.kind.clone()))));
        let exact = exact.collect::<Result<_, Failure>>()?;
        let breakpoints = certificate.rounding.parse()?;
        let name = path.display().to_string();
        Ok(Self { name, certificate, coverage, breakpoints, cases, exact })
    }

    fn about(&self, result: &ArgumentResult) -> Listed {
        let x = result.x;
        if self.cases.contains(&x) {
            return if self.is_case(result) {
                Listed::Case
            } else {
                Listed::Wrong("that it is a case".into())
            };
        }
        if let Some((value, kind)) = self.exact.get(&x) {
            return result.exactly(value, kind);
        }
        let Some(known) = self.coverage.known(x) else { return Listed::NotAsked };
        if let Some(left) = known.left {
            return Listed::NotCovered(left.to_string());
        }
        if self.cases.contains(&known.source) {
            return Listed::Follows(known.source);
        }
        // what is said of another argument is about another result
        let is_own = known.source == x;
        match self.certificate.regions.get(known.region).map(|region| &region.class) {
            None => return Listed::NotAsked,
            Some(ClassRecord::Searched) => {}
            Some(ClassRecord::Exact { value, kind }) if is_own => return result.exactly(value, kind),
            Some(ClassRecord::Exact { .. }) => return Listed::Exact,
            Some(class) => {
                let is_so = match class {
                    ClassRecord::Undefined => false,
                    _ => !is_own || result.is_so(class),
                };
                return if is_so {
                    Listed::Known(class.to_string())
                } else {
                    Listed::Wrong(class.to_string())
                };
            }
        }
        if self.exact.contains_key(&known.source) {
            return Listed::Exact;
        }
        match result.found {
            Ok(_) if self.is_case(result) => Listed::Missing,
            // too many exact ones are counted only
            Err(exact) if is_own && !self.exact.is_empty() && self.breakpoints.includes(exact.kind) => {
                Listed::Wrong("that its result is not exact".into())
            }
            _ => Listed::Not,
        }
    }

    /// Whether the result is nearer than ε to a breakpoint of those that the certificate is about;
    /// not nearer than a quarter of an ulp, and so the nearest of both kinds.
    fn is_case(&self, result: &ArgumentResult) -> bool {
        let is = |case: &HrCase| {
            self.breakpoints.includes(case.kind)
                && case.log2_distance < -f64::from(self.certificate.extra_bits)
        };
        result.found.as_ref().is_ok_and(is)
    }
}

impl ArgumentResult<'_> {
    /// What is to be said where a list has this exact result.
    fn exactly(&self, value: &str, kind: &str) -> Listed {
        let is_so = self.found.as_ref().is_err_and(|exact| {
            parse_number(value).is_ok_and(|value| value == of(exact.value)) && kind == exact.kind.to_string()
        });
        if is_so { Listed::Exact } else { Listed::Wrong(format!("that its result is the {kind} {value}")) }
    }

    /// Whether what a region says of all its results can be so of this one. A result that is a
    /// breakpoint is in no such region.
    fn is_so(&self, class: &ClassRecord) -> bool {
        let Ok(case) = self.found else { return false };
        let (lower, upper, near) = (of(case.lower), of(case.upper), of(case.breakpoint));
        let middle = Rational::from(&lower + &upper) / 2u32;
        // the breakpoints next to the result
        let (below, above) = match (case.above, near < middle, near > middle) {
            (true, false, false) | (false, _, true) => (&middle, &upper),
            _ => (&lower, &middle),
        };
        let beyond = of(Number::new(1, self.format.max_exponent() + 1));
        match class {
            ClassRecord::Between { below: first, above: last } => {
                let is_end = |text: &Option<String>, end: &Rational| match text {
                    Some(text) => number(text).is_ok_and(|number| of(number) == *end),
                    // behind the last breakpoint
                    None => Rational::from(end.abs_ref()) == beyond,
                };
                is_end(first, below) && is_end(last, above)
            }
            ClassRecord::Beside { line, side } => {
                let line = match line.strip_suffix('x') {
                    None => parse_number(line).ok(),
                    Some("") => Some(of(self.x)),
                    Some("-") => Some(-of(self.x)),
                    Some(slope) => {
                        let slope = parse_number(slope.trim_end_matches('*')).ok();
                        slope.map(|slope| slope * of(self.x))
                    }
                };
                let is_within = |line: &Rational| below <= line && line <= above;
                // which side cannot be told of what is nearer than any bits say
                line.filter(is_within).is_some_and(|line| {
                    self.is_above(&line).is_none_or(|is_above| is_above == (side == "above"))
                })
            }
            _ => false,
        }
    }

    /// Whether the result is above a number that it is not; `None` if that cannot be told.
    fn is_above(&self, line: &Rational) -> Option<bool> {
        // e^x at 2^-16000 is 1 to more bits than these
        let case = self.found.as_ref().ok().filter(|case| of(case.breakpoint) == *line);
        if let Some(case) = case {
            return Some(case.above);
        }
        let x = Interval::point(float_of(self.x)).ok()?;
        let mut precision = 256;
        while precision <= MOST_BITS {
            let y = self.function.enclose(&x, precision).ok()?;
            if *y.lo() > *line {
                return Some(true);
            }
            if *y.hi() < *line {
                return Some(false);
            }
            precision *= 4;
        }
        None
    }
}

/// Most bits to tell a result from the value of a line.
const MOST_BITS: u32 = 1 << 14;

/// A number as a rational.
fn of(x: Number) -> Rational {
    float_of(x).to_rational().unwrap_or_default() // numbers are finite
}
