//! [`Certificate`]: what was searched, how, what was found, and what can be checked of it.
//!
//! The document is JSON; docs/certificate.md describes every field. Everything in it but the effort
//! depends on the question, the engine and the version of the program only, and a digest covers it.
//!
//! That a list is complete if every kind of region is what it says: Theorem C.17 of
//! `proofs/Certificate.v`, from Theorem C.16 for each argument.

mod cases;
mod document;
mod dry;
mod expand;
mod layout;
pub mod merge;
mod number;
mod record;
mod refusal;
mod rule;
mod statistics;
mod text;
mod together;
pub mod verify;
pub mod witness;
mod writer;

use std::{collections::BTreeSet, ops::Range};

use serde::{Deserialize, Serialize};
use tmd_core::{Breakpoints, Format, Number, Problem};
use tmd_functions::{Function, parse};

pub(crate) use self::number::number_from;
pub use self::{
    expand::{Expanded, Expansion, expand},
    record::{BudgetRecord, ClassRecord, FormatRecord, PhaseRecord, RegionRecord, UnitRecord, ViaRecord},
    rule::{Rule, RuleStep},
    statistics::{BinadeCounts, abundant, unlikely},
    verify::{Extent, Refusal, Verification},
    writer::{Writer, writer},
};
use crate::{
    Coverage, DriverError, Solve, SolvePlan, Totals,
    regions::translate,
    report::{Case, Exact, Undecided},
};

/// The version of the document: of cases it has the arguments, from which all else follows, and
/// those only that do not follow from the case at −x.
pub const SCHEMA: &str = "tmd-certificate-5";

/// The version before, which is read, too: it has all cases, with kind, sign, distance and
/// identical bits. Certificates of functions whose names `tmd_functions::parse` does not read are
/// still of it.
pub const SHORT_SCHEMA: &str = "tmd-certificate-4";

/// The versions before that one, which are read, too: their cases have breakpoints and brackets as
/// well. The second one has units that search families of arguments.
pub const LONG_SCHEMAS: [&str; 2] = ["tmd-certificate-2", "tmd-certificate-3"];

/// Exact cases that are listed; more are only counted, and described by the rule.
pub const MOST_EXACT: usize = 10_000;

/// Name and version of the program.
fn program() -> String {
    format!("tmd {}", env!("CARGO_PKG_VERSION"))
}

/// The dilemma of a function, solved.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Certificate {
    /// Version of the document.
    pub schema: String,
    /// Name and version of the program.
    pub program: String,
    /// The function, as parsed.
    pub function: String,
    /// The format of arguments and results.
    pub format: FormatRecord,
    /// `directed`, `nearest` or `all`.
    pub rounding: String,
    /// `m` with ε = 2^-m ulp.
    pub extra_bits: u32,
    /// The exponents asked for, first and one after the last; none if the whole domain was. The
    /// first of all stands for 0, too.
    pub binades: Option<[i32; 2]>,
    /// The engine, as the backend calls itself.
    pub engine: String,
    /// All arguments, in increasing order.
    pub regions: Vec<RegionRecord>,
    /// What was searched, in increasing order.
    pub units: Vec<UnitRecord>,
    /// The cases, by argument.
    #[serde(deserialize_with = "cases::read")]
    pub cases: Vec<Case>,
    /// Arguments of the regions searched whose result is a breakpoint, by argument; none if they
    /// are more than [`MOST_EXACT`].
    pub exact_cases: Vec<Exact>,
    /// The theorem behind them.
    pub exact_rule: Option<String>,
    /// Arguments that could not be decided.
    pub undecided: Vec<Undecided>,
    /// Cases that follow from some of the list by a symmetry, and are too many to list.
    pub rules: Vec<Rule>,
    /// Why units were not finished, if not for lack of time.
    pub failures: Vec<String>,
    /// SHA-256 of the document without this field and without the effort, in hexadecimal digits.
    pub digest: String,
    /// What it took.
    pub effort: Effort,
}

/// Times. They differ from run to run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Effort {
    /// Wall-clock time.
    pub elapsed_s: f64,
    /// Threads of the CPU.
    pub threads: usize,
    /// Seconds of each unit …
    pub unit_s: Vec<f64>,
    /// … and those expected on one core.
    pub planned_s: Vec<f64>,
}

/// What a certificate is of, and whose.
struct Head<'a> {
    function: &'a dyn Function,
    problem: Problem,
    binades: Option<Range<i32>>,
    engine: String,
}

/// What units found, by argument.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    pub(crate) cases: Vec<(Number, Case)>,
    pub(crate) exact_cases: Vec<(Number, Exact)>,
    pub(crate) undecided: Vec<(Number, Undecided)>,
    pub(crate) rules: Vec<Rule>,
}

impl Certificate {
    pub(crate) fn new(
        solve: &Solve,
        plan: &SolvePlan,
        units: Vec<UnitRecord>,
        findings: Findings,
        failures: Vec<String>,
        effort: Effort,
    ) -> Self {
        let head = Head {
            function: solve.function,
            problem: solve.problem,
            binades: solve.binades.clone(),
            engine: solve.workers.name(),
        };
        let regions = plan.regions.iter().map(RegionRecord::from).collect();
        Self::assemble(head, regions, units, findings, failures, effort)
    }

    fn assemble(
        head: Head,
        regions: Vec<RegionRecord>,
        units: Vec<UnitRecord>,
        mut findings: Findings,
        failures: Vec<String>,
        effort: Effort,
    ) -> Self {
        findings.cases.sort_by_key(|(argument, _)| *argument);
        findings.exact_cases.sort_by_key(|(argument, _)| *argument);
        findings.undecided.sort_by_key(|(argument, _)| *argument);
        // all or none: a list with holes helps nobody, and a unit lists no more than so many
        let is_long = |unit: &UnitRecord| unit.exact > MOST_EXACT as u64;
        if findings.exact_cases.len() > MOST_EXACT || units.iter().any(is_long) {
            findings.exact_cases.clear();
        }
        let Head { function, problem, binades, engine } = head;
        // what an argument leads to follows only where the name tells which function it is
        let schema = if parse(&function.name()).is_ok() { SCHEMA } else { SHORT_SCHEMA };
        let mut certificate = Self {
            schema: schema.into(),
            program: program(),
            function: function.name(),
            format: problem.arguments().into(),
            rounding: problem.breakpoints().to_string(),
            extra_bits: problem.extra_bits(),
            binades: binades.map(|binades| [binades.start, binades.end]),
            engine,
            regions,
            units,
            cases: findings.cases.into_iter().map(|(_, case)| case).collect(),
            exact_cases: findings.exact_cases.into_iter().map(|(_, case)| case).collect(),
            exact_rule: function.exact_rule(),
            undecided: findings.undecided.into_iter().map(|(_, case)| case).collect(),
            rules: findings.rules,
            failures,
            digest: String::new(),
            effort,
        };
        certificate.digest = certificate.computed_digest();
        certificate
    }

    /// The question.
    ///
    /// # Errors
    /// Formats, breakpoints or extra bits that do not exist.
    pub fn problem(&self) -> Result<Problem, DriverError> {
        let format: Format = self.format.format()?;
        let breakpoints: Breakpoints = self.rounding.parse()?;
        Ok(Problem::new(format, format, breakpoints, self.extra_bits)?)
    }

    /// The binades asked for.
    pub fn binades(&self) -> Option<Range<i32>> {
        self.binades.map(|[start, end]| start..end)
    }

    /// Whether every number that was asked for is [covered](Coverage): not if units are missing, or
    /// parts are out of reach, refused or undecided.
    pub fn is_complete(&self) -> bool {
        Coverage::of(self).is_ok_and(|coverage| coverage.is_complete()) && self.failures.is_empty()
    }

    /// Whether units of families name the segments that the walk refused: those of the first
    /// versions need not.
    pub(crate) fn names_refused(&self) -> bool {
        !LONG_SCHEMAS.contains(&self.schema.as_str())
    }

    /// Whether every unit that was planned was searched. What is out of reach was not planned.
    pub fn is_finished(&self) -> bool {
        self.failures.is_empty() && self.units.len() == self.planned_units()
    }

    fn planned_units(&self) -> usize {
        self.regions.iter().map(|region| region.units.unwrap_or(0)).sum()
    }

    /// The region whose units search the arguments of a region: itself, or the one that it was
    /// searched with.
    pub fn leader(&self, region: usize) -> usize {
        let with = self.regions.get(region).and_then(|record| record.with);
        with.filter(|leader| *leader < self.regions.len()).unwrap_or(region)
    }

    /// Of each region the arguments that it was searched with: its own, and those of the regions
    /// that were searched with it; none of these has some.
    fn joint_arguments(&self) -> Vec<u128> {
        let mut joint = vec![0; self.regions.len()];
        for (number, region) in self.regions.iter().enumerate() {
            if let Some(sum) = joint.get_mut(self.leader(number)) {
                *sum += region.arguments;
            }
        }
        joint
    }

    /// The function's own arguments that each unit speaks of. Units that searched the inverse
    /// function share those of their region, in equal parts; those of a family share them with
    /// those of the regions that were searched with it.
    pub fn unit_arguments(&self) -> Vec<u128> {
        let mut done = vec![0; self.regions.len()];
        let mut joint = self.joint_arguments();
        // what is not of a family is searched argument by argument, in units beside its own
        let is_family = |unit: &UnitRecord| matches!(unit.via, Some(ViaRecord::Family { .. }));
        let mut beside = vec![0; self.regions.len()];
        let families: BTreeSet<usize> =
            self.units.iter().filter(|unit| is_family(unit)).map(|unit| unit.region).collect();
        for unit in self.units.iter().filter(|unit| unit.is_of_arguments()) {
            let leader = self.leader(unit.region);
            if let (true, Some(joint)) = (families.contains(&leader), joint.get_mut(leader)) {
                *joint = joint.saturating_sub(unit.arguments.into());
                beside[leader] += u128::from(leader == unit.region);
            }
        }
        let arguments = |unit: &UnitRecord| {
            let own = u128::from(unit.arguments);
            let (Some(region), Some(done)) = (self.regions.get(unit.region), done.get_mut(unit.region))
            else {
                return own;
            };
            if unit.is_of_arguments() {
                return own;
            }
            let units = (region.units.unwrap_or(1) as u128).saturating_sub(beside[unit.region]).max(1);
            let upto = |units_done: u128| joint[unit.region].saturating_mul(units_done) / units;
            *done += 1;
            upto(*done) - upto(*done - 1)
        };
        self.units.iter().map(arguments).collect()
    }

    /// The arguments of each region that were searched, about, and the cases that were found there:
    /// of regions that were searched together those of the list, and of the others those that their
    /// units count.
    ///
    /// # Errors
    /// Numbers that are none.
    pub fn found_by_region(&self) -> Result<Vec<(u64, u128)>, DriverError> {
        let joint = self.joint_arguments();
        let is_joint = |number: usize| joint[self.leader(number)] != self.regions[number].arguments;
        let mut sums = vec![(0, 0); self.regions.len()];
        // of each group
        let mut done = vec![0u128; self.regions.len()];
        for (unit, arguments) in self.units.iter().zip(self.unit_arguments()) {
            if let Some((found, own)) = sums.get_mut(unit.region) {
                *found = u64::saturating_add(*found, unit.cases);
                *own = u128::saturating_add(*own, arguments);
                let all = &mut done[self.leader(unit.region)];
                *all = all.saturating_add(arguments);
            }
        }
        let groups: Vec<usize> = (0..self.regions.len()).filter(|&number| is_joint(number)).collect();
        if groups.is_empty() {
            return Ok(sums);
        }
        let format = self.format.format()?;
        let mut ends = Vec::with_capacity(self.regions.len());
        for region in &self.regions {
            ends.push(number_from(&region.last, format)?);
        }
        for &number in &groups {
            let leader = self.leader(number);
            // far from overflow: fewer than 2^90 arguments; a share of them, in parts of 2^-30
            let share = (done[leader].min(1 << 90) << 30) / joint[leader].max(1);
            sums[number] = (
                0,
                ((self.regions[number].arguments.min(1 << 90) * share) >> 30)
                    .min(self.regions[number].arguments),
            );
        }
        for case in &self.cases {
            let x = number_from(&case.x, format).unwrap_or(Number::ZERO);
            let number = ends.partition_point(|last| *last < x);
            if groups.binary_search(&number).is_ok() {
                sums[number].0 += 1;
            }
        }
        Ok(sums)
    }

    /// Sums over the regions.
    pub fn totals(&self) -> Totals {
        let mut totals = Totals::default();
        let format = self.format.format().ok();
        let translation = self.regions.iter().find_map(|region| region.class.translation());
        // of what follows, without what repeats a single result
        let mut followed = 0;
        for region in &self.regions {
            totals.arguments += region.arguments;
            if matches!(region.class, ClassRecord::Mirrored { .. } | ClassRecord::Translated { .. }) {
                let end = |end: &str| format.and_then(|format| number_from(end, format).ok());
                followed += match (translation, format, end(&region.first), end(&region.last)) {
                    (Some(translation), Some(format), Some(first), Some(last)) => {
                        translate::various(translation, format, [first, last], region.arguments)
                    }
                    _ => region.arguments,
                };
            }
            *match region.class {
                ClassRecord::Searched => &mut totals.searched,
                ClassRecord::Mirrored { .. } | ClassRecord::Translated { .. } => &mut totals.followed,
                ClassRecord::Undefined => &mut totals.undefined,
                ClassRecord::Refused { .. } | ClassRecord::OutOfReach { .. } => &mut totals.uncovered,
                _ => &mut totals.known,
            } += region.arguments;
        }
        let rounding: Option<Breakpoints> = self.rounding.parse().ok();
        // of a certificate that is partial, the part that was searched
        let done: u128 = self.unit_arguments().iter().sum();
        let share = done as f64 / totals.searched.max(1) as f64;
        totals.expected_cases = rounding.map_or(0.0, |breakpoints| {
            breakpoints.expected_cases((totals.searched + followed) as f64 * share, self.extra_bits)
        });
        totals.core_seconds = self.effort.planned_s.iter().sum();
        totals
    }
}
