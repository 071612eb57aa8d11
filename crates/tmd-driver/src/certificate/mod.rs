//! [`Certificate`]: what was searched, how, what was found, and what can be checked of it.
//!
//! The document is JSON; docs/certificate.md describes every field. Everything in it but the effort
//! depends on the question, the engine and the version of the program only, and a digest covers it.
//!
//! That a list is complete if every kind of region is what it says: Theorem C.17 of
//! `proofs/Certificate.v`, from Theorem C.16 for each argument.

mod dry;
mod expand;
mod former;
mod layout;
pub mod merge;
mod record;
mod refusal;
mod rule;
mod statistics;
mod text;
mod together;
pub mod verify;
pub mod witness;
mod writer;

use std::{
    collections::{BTreeMap, BTreeSet},
    io::BufWriter,
    ops::Range,
};

use serde::{Deserialize, Serialize, Serializer, ser::SerializeStruct as _};
use serde_json::Value;
use sha2::{Digest, Sha256};
use tmd_core::{Breakpoints, Format, Number, Problem};
use tmd_functions::{Function, parse_number};

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
    interval::argument,
    regions::translate,
    report::{Case, Exact, Undecided},
};

/// The version of the document.
pub const SCHEMA: &str = "tmd-certificate-2";

/// The version of documents with units that search families of arguments; all else is as in the
/// other.
pub const FAMILY_SCHEMA: &str = "tmd-certificate-3";

/// The version before, which is read, too: its rules were sentences.
pub const FORMER_SCHEMA: &str = "tmd-certificate-1";

/// Exact cases that are listed; more are only counted, and described by the rule.
pub const MOST_EXACT: usize = 10_000;

/// The field by which versions are told apart; the others may be anything.
#[derive(Deserialize)]
struct Schema {
    schema: String,
}

/// The version of a document with these units.
fn schema_of(units: &[UnitRecord]) -> &'static str {
    let is_family = |unit: &UnitRecord| matches!(unit.via, Some(ViaRecord::Family { .. }));
    if units.iter().any(is_family) { FAMILY_SCHEMA } else { SCHEMA }
}

/// The classes of the regions, with whatever is written there.
#[derive(Deserialize)]
struct Classes {
    regions: Vec<RegionClass>,
}

#[derive(Deserialize)]
struct RegionClass {
    class: BTreeMap<String, Value>,
}

impl Classes {
    /// The first field of a class that has none: serde passes over these, and refuses those of
    /// other classes.
    fn unknown_field(text: &str) -> Option<String> {
        let Classes { regions } = serde_json::from_str(text).ok()?;
        let is_bare = |class: &BTreeMap<String, Value>| {
            class.get("is").and_then(Value::as_str).is_some_and(|is| ["searched", "undefined"].contains(&is))
        };
        let mut bare = regions.into_iter().map(|region| region.class).filter(is_bare);
        bare.find_map(|class| class.into_keys().find(|field| field != "is"))
    }
}

/// SHA-256 of a document, in hexadecimal digits. Its text, which may have a gigabyte, is never in
/// memory.
fn digest(document: &impl Serialize) -> String {
    let mut text = BufWriter::with_capacity(1 << 16, Sha256::new());
    // strings and finite numbers only, into memory: nothing fails
    let written = serde_json::to_writer(&mut text, document);
    debug_assert!(written.is_ok());
    text.into_inner().map_or_else(|error| error.to_string(), |digest| format!("{:x}", digest.finalize()))
}

/// A number of a format from its text in a document.
pub(crate) fn number_from(text: &str, format: Format) -> Result<Number, DriverError> {
    let value = parse_number(text).map_err(|error| DriverError::Unreadable {
        what: "a number of the document",
        reason: format!("{text}: {error}"),
    })?;
    argument(&value, format)
}

/// Name and version of the program.
fn program() -> String {
    format!("tmd {}", env!("CARGO_PKG_VERSION"))
}

/// The dilemma of a function, solved.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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
    /// What was derived again as the document was read, if that was of a version before; no part of
    /// the document.
    #[serde(skip)]
    pub derived: Option<String>,
}

/// A certificate with an empty digest and no effort, not copied.
struct Bare<'a>(&'a Certificate);

impl Serialize for Bare<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // by name, so that no field is left out
        let Certificate {
            schema,
            program,
            function,
            format,
            rounding,
            extra_bits,
            binades,
            engine,
            regions,
            units,
            cases,
            exact_cases,
            exact_rule,
            undecided,
            rules,
            failures,
            digest: _,
            effort: _,
            derived: _,
        } = self.0;
        let mut fields = serializer.serialize_struct("Certificate", 18)?;
        fields.serialize_field("schema", schema)?;
        fields.serialize_field("program", program)?;
        fields.serialize_field("function", function)?;
        fields.serialize_field("format", format)?;
        fields.serialize_field("rounding", rounding)?;
        fields.serialize_field("extra_bits", extra_bits)?;
        fields.serialize_field("binades", binades)?;
        fields.serialize_field("engine", engine)?;
        fields.serialize_field("regions", regions)?;
        fields.serialize_field("units", units)?;
        fields.serialize_field("cases", cases)?;
        fields.serialize_field("exact_cases", exact_cases)?;
        fields.serialize_field("exact_rule", exact_rule)?;
        fields.serialize_field("undecided", undecided)?;
        fields.serialize_field("rules", rules)?;
        fields.serialize_field("failures", failures)?;
        fields.serialize_field("digest", "")?;
        fields.serialize_field("effort", &Effort::default())?;
        fields.end()
    }
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
        let mut certificate = Self {
            schema: schema_of(&units).into(),
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
            derived: None,
        };
        certificate.digest = certificate.computed_digest();
        certificate
    }

    /// SHA-256 of everything but the digest and the effort.
    pub fn computed_digest(&self) -> String {
        digest(&Bare(self))
    }

    /// Reads a document, of this version or of the [one before](FORMER_SCHEMA): then what follows
    /// by symmetry is derived again, and [`derived`](Self::derived) says so.
    ///
    /// # Errors
    /// [`DriverError::Unreadable`] if it is none, or of another version.
    pub fn from_json(text: &str) -> Result<Self, DriverError> {
        let unreadable = |reason: String| DriverError::Unreadable { what: "the certificate", reason };
        let is_former =
            serde_json::from_str::<Schema>(text).is_ok_and(|Schema { schema }| schema == FORMER_SCHEMA);
        let certificate = if is_former {
            former::read(text)?
        } else {
            serde_json::from_str::<Self>(text).map_err(|error| unreadable(error.to_string()))?
        };
        let schema = schema_of(&certificate.units);
        if certificate.schema != schema {
            return Err(unreadable(format!("it is of the version {}, not {schema}", certificate.schema)));
        }
        if let Some(field) = Classes::unknown_field(text) {
            return Err(unreadable(format!("a class of regions has an unknown field `{field}`")));
        }
        if !certificate.is_countable() {
            return Err(DriverError::Unreadable {
                what: "the certificate",
                reason: "its counts are larger than those of any format".into(),
            });
        }
        Ok(certificate)
    }

    /// Whether its counts can be added up: whoever reads a certificate does, and need not think of
    /// those that a forger writes.
    fn is_countable(&self) -> bool {
        /// Most arguments of a region, so that a number of units, at most as many as there are
        /// lines, times that is no overflow.
        const MOST_ARGUMENTS: u128 = 1 << 90;
        const MOST_UNITS: usize = 1 << 32;
        /// Most cases of all units, a quarter of what there is room for.
        const MOST_FOUND: u64 = 1 << 62;
        let is_summable = |count: fn(&UnitRecord) -> u64| {
            let sum = self.units.iter().try_fold(0u64, |sum, unit| sum.checked_add(count(unit)));
            sum.is_some_and(|sum| sum <= MOST_FOUND)
        };
        let units =
            self.regions.iter().try_fold(0usize, |sum, region| sum.checked_add(region.units.unwrap_or(0)));
        units.is_some_and(|units| units <= MOST_UNITS)
            && self.regions.iter().all(|region| region.arguments <= MOST_ARGUMENTS)
            && is_summable(|unit| unit.cases)
            && is_summable(|unit| unit.exact)
            && is_summable(|unit| unit.undecided)
    }

    /// The document as JSON: one line per region, unit and case.
    pub fn to_json(&self) -> String {
        layout::to_json(self)
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
        for unit in self.units.iter().filter(|unit| unit.via.is_none()) {
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
            if unit.via.is_none() {
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
            let number =
                ends.partition_point(|last| *last < number_from(&case.x, format).unwrap_or(Number::ZERO));
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
