//! [`Needs`]: the bits that the final step of an implementation needs, how many arguments fall
//! through its phases, and the exceptions.
//!
//! docs/needs.md says what a phase and its rounding test are, and proves when an argument may fall
//! through.

mod exceptions;
mod expected;
mod text;
mod ziv;

use std::collections::BTreeMap;

use serde::Serialize;
use tmd_core::{BreakpointKind, Breakpoints, Format, Number};
use tmd_driver::{
    Certificate, Coverage,
    certificate::{ClassRecord, expand},
    report::Case,
    tmd_functions::{Expression, parse},
};

pub use self::{exceptions::exceptions, ziv::Accuracy};
use self::{expected::Sampled, ziv::Nearness};
use crate::{
    ReportError,
    binades::Binade,
    export::preamble,
    head::{Headline, Origin},
    list::{List, Listing},
    number::number,
    rows::rows,
};

/// What a certificate says to those who write the function.
#[derive(Clone, Debug, Serialize)]
pub struct Needs {
    #[serde(flatten)]
    origin: Origin,
    #[serde(skip)]
    head: Vec<String>,
    /// `a` such that 2^-a decides all arguments that are searched and not listed: `extra_bits` +
    /// p + 1.
    pub unlisted_bits: u32,
    /// What each rounding needs.
    pub roundings: Vec<Bits>,
    /// The same binade by binade.
    pub binades: Vec<BinadeBits>,
    /// What falls through, for each accuracy and rounding.
    pub phases: Vec<Phase>,
    /// Arguments whose roundings are known by an inequality: nothing is said of these, nor of those
    /// that follow from them.
    pub known: Vec<Known>,
    /// Arguments whose result is a breakpoint, of those listed: the test of no phase passes there.
    pub exact: Vec<ExactCount>,
    /// What is said of exact results that are not listed; nothing if all are.
    pub exact_unlisted: Option<String>,
}

/// What a rounding needs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Bits {
    /// `directed` or `nearest`.
    pub rounding: &'static str,
    /// `a` such that a phase of accuracy 2^-a decides all arguments of which something is said and
    /// whose result is no breakpoint; `u32::MAX` if only a bound of the hardest one's distance is
    /// known.
    pub bits: u32,
    /// Whether a − 1 bits are proved not to be enough.
    pub is_least: bool,
    /// The argument that needs most of those listed.
    pub hardest: Option<String>,
}

/// What the roundings need in a binade of the arguments.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BinadeBits {
    /// `-` or `+`.
    pub sign_of_x: char,
    /// e with 2^e ≤ |x| < 2^(e+1).
    pub binade: i32,
    /// Whether every argument of the binade that was asked for is covered: else of what is.
    pub is_covered: bool,
    /// What each rounding needs.
    pub roundings: Vec<Bits>,
}

/// What falls through a phase.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Phase {
    /// The relative error bound E, as it was given.
    pub accuracy: String,
    /// `directed` or `nearest`.
    pub rounding: &'static str,
    /// Arguments of regions that are searched, and those that follow from them.
    pub arguments: u128,
    /// How many of them may fall through if results are spread evenly.
    pub expected: f64,
    /// How many of them may fall through, inexact ones only; none if the list does not reach so
    /// far.
    pub may_fall_through: Option<u64>,
}

/// Arguments whose roundings are known by an inequality.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Known {
    /// The least, as C's `%a`.
    pub first: String,
    /// The greatest.
    pub last: String,
    /// The inequality.
    pub because: String,
}

/// Exact results next to breakpoints of a rounding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ExactCount {
    /// `directed` or `nearest`.
    pub rounding: &'static str,
    /// How many are listed.
    pub listed: u64,
}

/// Kinds of breakpoints in the order in which they are printed.
const KINDS: [BreakpointKind; 2] = [BreakpointKind::Number, BreakpointKind::Midpoint];

fn rounding(kind: BreakpointKind) -> &'static str {
    match kind {
        BreakpointKind::Number => "directed",
        BreakpointKind::Midpoint => "nearest",
    }
}

/// The hardest case of some, as far as they were seen.
#[derive(Clone, Default)]
struct Hardest {
    /// what the case needs, by a double
    threshold: f64,
    bits: u32,
    x: Option<Number>,
}

impl Hardest {
    fn add(&mut self, nearness: &Nearness, function: &Expression) {
        // what is less by a thousandth needs no more bits
        if nearness.hardness() > self.threshold - 1e-3 || self.x.is_none() {
            self.bits = self.bits.max(nearness.bits(function));
        }
        if nearness.hardness() > self.threshold || self.x.is_none() {
            (self.threshold, self.x) = (nearness.hardness(), Some(nearness.x));
        }
    }

    fn bits(&self, kind: BreakpointKind, unlisted: u32) -> Bits {
        Bits {
            rounding: rounding(kind),
            bits: self.bits.max(unlisted),
            is_least: self.bits >= unlisted,
            hardest: self.x.map(|x| x.to_string()),
        }
    }
}

impl Needs {
    /// What a certificate says, and what falls through phases of these accuracies.
    ///
    /// # Errors
    /// If the certificate lists arguments that are no numbers, or its function does not exist.
    pub fn new(certificate: &Certificate, accuracies: &[Accuracy]) -> Result<Self, ReportError> {
        let function = function(certificate)?;
        let (headline, coverage) = (Headline::new(certificate)?, Coverage::of(certificate)?);
        let (kinds, format) = (kinds(certificate)?, certificate.format.format()?);
        let unlisted = unlisted_bits(certificate);
        let mut binades = searched_binades(certificate)?;
        let mut all = [Hardest::default(), Hardest::default()];
        let mut counts = vec![[0u64; 2]; accuracies.len()];
        for expanded in expand(certificate)? {
            let Some((index, nearness)) = nearness(&expanded.case, format)? else { continue };
            all[index].add(&nearness, &function);
            if let Some(binade) = Binade::of(nearness.x) {
                binades.entry(binade).or_default()[index].add(&nearness, &function);
            }
            for (accuracy, counts) in accuracies.iter().zip(&mut counts) {
                counts[index] += u64::from(nearness.may_fail(&function, accuracy));
            }
        }
        let of = |hardest: &[Hardest; 2]| -> Vec<Bits> {
            kinds.iter().map(|kind| hardest[index_of(*kind)].bits(*kind, unlisted)).collect()
        };
        let holes = holes(&coverage)?;
        let binades = binades.iter().map(|(binade, hardest)| BinadeBits {
            sign_of_x: if binade.is_negative { '-' } else { '+' },
            binade: binade.exponent,
            is_covered: !holes.iter().any(|ends| overlaps(*ends, *binade)),
            roundings: of(hardest),
        });
        let binades = binades.collect();
        let samples = samples(certificate, &function)?;
        let mut phases = Vec::new();
        for (accuracy, counts) in accuracies.iter().zip(&counts) {
            for kind in &kinds {
                phases.push(Phase {
                    accuracy: accuracy.to_string(),
                    rounding: rounding(*kind),
                    arguments: samples.iter().map(Sampled::arguments).sum(),
                    expected: samples.iter().map(|sampled| sampled.expected(accuracy.to_f64())).sum(),
                    may_fall_through: accuracy.is_at_most(unlisted).then_some(counts[index_of(*kind)]),
                });
            }
        }
        let list = List::new(certificate, Listing::Short)?;
        let rows = rows(certificate, &list)?;
        let exact = kinds.iter().map(|kind| ExactCount {
            rounding: rounding(*kind),
            listed: rows.iter().filter(|row| row.exact && row.kind == kind.to_string()).count() as u64,
        });
        Ok(Self {
            origin: Origin::new(certificate, &headline),
            head: preamble(certificate, &list, None, None)?,
            unlisted_bits: unlisted,
            roundings: of(&all),
            binades,
            phases,
            known: known(certificate),
            exact: exact.collect(),
            exact_unlisted: exact_unlisted(certificate),
        })
    }

    /// The document as JSON, indented.
    ///
    /// # Errors
    /// [`ReportError::Table`], which does not happen: texts and numbers only.
    pub fn to_json(&self) -> Result<String, ReportError> {
        let text = serde_json::to_string_pretty(self);
        let failed =
            |error: serde_json::Error| ReportError::Table { format: "JSON", reason: error.to_string() };
        text.map(|text| text + "\n").map_err(failed)
    }
}

fn function(certificate: &Certificate) -> Result<Expression, ReportError> {
    parse(&certificate.function).map_err(|error| ReportError::Function {
        text: certificate.function.clone(),
        reason: error.to_string(),
    })
}

/// The kinds of breakpoints that a certificate is about.
fn kinds(certificate: &Certificate) -> Result<Vec<BreakpointKind>, ReportError> {
    let breakpoints: Breakpoints = certificate.rounding.parse()?;
    Ok(KINDS.into_iter().filter(|kind| breakpoints.includes(*kind)).collect())
}

fn index_of(kind: BreakpointKind) -> usize {
    usize::from(kind == BreakpointKind::Midpoint)
}

/// The number of a case's kind, and how near it is; nothing next to 0, nor next to
/// 2^(`max_exponent` + 1): there no mode changes its result.
fn nearness(case: &Case, format: Format) -> Result<Option<(usize, Nearness)>, ReportError> {
    if number(&case.breakpoint)?.log2_floor().is_none_or(|exponent| exponent > format.max_exponent()) {
        return Ok(None);
    }
    let kind = if case.kind == BreakpointKind::Midpoint.to_string() { KINDS[1] } else { KINDS[0] };
    Ok(Nearness::new(case)?.map(|nearness| (index_of(kind), nearness)))
}

/// `a` such that 2^-a decides every argument whose distance is 2^-m ulp or more: m + p + 1.
fn unlisted_bits(certificate: &Certificate) -> u32 {
    certificate.extra_bits.saturating_add(certificate.format.precision).saturating_add(1)
}

/// The regions of which lists say something: what is searched, and what follows from that.
fn is_listed(class: &ClassRecord) -> bool {
    matches!(class, ClassRecord::Searched | ClassRecord::Mirrored { .. } | ClassRecord::Translated { .. })
}

/// The binades of these regions.
fn searched_binades(certificate: &Certificate) -> Result<BTreeMap<Binade, [Hardest; 2]>, ReportError> {
    let mut binades = BTreeMap::new();
    for region in certificate.regions.iter().filter(|region| is_listed(&region.class)) {
        let ends = [number(&region.first)?, number(&region.last)?].map(Binade::of);
        // those of one sign, as regions are that are searched
        let [Some(first), Some(last)] = ends else { continue };
        let exponents = first.exponent.min(last.exponent)..=first.exponent.max(last.exponent);
        for exponent in exponents {
            binades.entry(Binade { exponent, ..first }).or_default();
        }
    }
    Ok(binades)
}

/// Stretches of which nothing is known.
fn holes(coverage: &Coverage) -> Result<Vec<(Number, Number)>, ReportError> {
    let holes = crate::head::uncovered(coverage);
    holes.map(|stretch| Ok((number(&stretch.first)?, number(&stretch.last)?))).collect()
}

fn overlaps((first, last): (Number, Number), binade: Binade) -> bool {
    let power = |exponent: i32| Number::new(if binade.is_negative { -1 } else { 1 }, exponent);
    let (near, far) = (power(binade.exponent), power(binade.exponent + 1));
    if binade.is_negative { first <= near && last > far } else { last >= near && first < far }
}

fn samples(certificate: &Certificate, function: &Expression) -> Result<Vec<Sampled>, ReportError> {
    let format = certificate.format.format()?;
    let regions = certificate.regions.iter().filter(|region| is_listed(&region.class));
    regions
        .map(|region| {
            let (first, last) = (number(&region.first)?, number(&region.last)?);
            Ok(Sampled::new(function, format, first, last, region.arguments))
        })
        .collect()
}

fn known(certificate: &Certificate) -> Vec<Known> {
    let is_known =
        |class: &ClassRecord| matches!(class, ClassRecord::Between { .. } | ClassRecord::Beside { .. });
    let regions = certificate.regions.iter().filter(|region| is_known(&region.class));
    regions
        .map(|region| Known {
            first: region.first.clone(),
            last: region.last.clone(),
            because: region.class.to_string(),
        })
        .collect()
}

/// What is said of exact results that no list has: they are counted only, or follow from others.
fn exact_unlisted(certificate: &Certificate) -> Option<String> {
    let counted: u64 = certificate.units.iter().map(|unit| unit.exact).sum();
    let is_counted_only = certificate.exact_cases.is_empty() && counted > 0;
    let is_translated = |class: &ClassRecord| matches!(class, ClassRecord::Translated { .. });
    let has_translated = certificate.regions.iter().any(|region| is_translated(&region.class));
    if !is_counted_only && !has_translated {
        return None;
    }
    let rule = certificate.exact_rule.as_ref()?;
    let which = if is_counted_only { "they are too many" } else { "at arguments that follow from others" };
    Some(format!("EXACT RESULTS ARE NOT ALL LISTED, {which}: {rule}; decide these by the rule"))
}
