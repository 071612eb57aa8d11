//! [`Verification`]: is a certificate true?
//!
//! | what | how |
//! |---|---|
//! | the document is whole | its digest |
//! | nothing of the domain is missing, and every inequality holds | the regions are derived again from the function |
//! | what is searched is searched once | the units tile their regions, without gap or overlap; or, where the inverse function is searched, the breakpoints next to the regions' results, which are derived again |
//! | the searches allow for every error | every Taylor piece and every budget is derived again |
//! | the lists are what the units found | each case is confirmed again with MPFR, and unit by unit their numbers agree |
//! | cases that follow by symmetry, and the rules for more, are those that follow | derived again from the cases of regions that are searched; both ends of each rule confirmed |
//! | all that was asked is covered | by the chain that leads from each argument to a region that is searched, or of which all is known |
//! | the searches find what they should | samples of the units' arguments are searched again by another engine, and by brute force |
//! | the numbers of cases are likely | Poisson's law, region by region, and binade by binade of those that follow, and of these together |
//!
//! Deriving the pieces again takes a few percent of the search; the samples take what the caller
//! gives them.

mod budgets;
mod family;
mod fields;
mod found;
mod lists;
mod phases;
mod reach;
mod repeating;
mod sample;
mod stretches;

use std::collections::HashMap;

use tmd_core::{ArgumentRange, Backend, Families, Format, Interrupt, Number, Problem};
use tmd_functions::{Function, parse_number};

pub(super) use self::repeating::repeating_of;
pub use super::refusal::Refusal;
use super::{
    BinadeCounts, Certificate, ClassRecord, RegionRecord, UnitRecord, ViaRecord, abundant, unlikely,
    writer::{Version, version},
};
use crate::{
    Coverage, DriverError, Search, Workers,
    congruence::CongruenceVia,
    coverage::settle::{Fate, settle},
    interval,
    inverse::{self, Part},
    regions::{Region, regions},
    via::Via,
};

/// How much of the searches is made again.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Extent {
    /// Some places, as [`Verification::samples`] and [`Verification::sample_seconds`] say.
    Samples,
    /// This share of the arguments of every unit.
    Share(f64),
    /// Everything: by the other engine, and unit by unit by the one that searched, whose counts
    /// must be the same.
    All,
}

/// How a certificate is checked.
pub struct Verification<'a> {
    /// The certificate.
    pub certificate: &'a Certificate,
    /// Its function, by its name.
    pub function: &'a dyn Function,
    /// The engine that searched, if this machine has it: without it those lines of the budgets are
    /// derived again that do not depend on the engine.
    pub engine: Option<&'a dyn Backend>,
    /// Another engine, for samples.
    pub other: &'a dyn Backend,
    /// A faster one, for samples of units of which the engine that searched left nothing to its
    /// fallback. Where there is one, families are searched again by `other`, argument by argument,
    /// if that takes less time than another walk of their turns; else always by that walk.
    pub faster: Option<&'a dyn Backend>,
    /// A device that walks families again that lanes walked: what it leaves must be for exact
    /// integers, or lanes would look at their own work. Without it the exact walk does, which takes
    /// a thousand times as long as lanes.
    pub walk: Option<&'a (dyn Fn() -> Families + Sync)>,
    /// Units of which samples are searched again.
    pub samples: usize,
    /// Core-seconds for a sample, by the other engine's estimate.
    pub sample_seconds: f64,
    /// What the choice of samples starts from.
    pub seed: u64,
}

/// A unit of a certificate that is where it should be: a part of its region's arguments, or of the
/// breakpoints next to their results, or of the circle of their turns.
struct PlacedUnit {
    region: usize,
    range: ArgumentRange,
    via: Option<Via>,
}

/// What was checked, and what is wrong.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    /// A sentence for each kind of check that was carried out.
    pub checked: Vec<String>,
    /// What was not checked, though it could be by the program that wrote the certificate.
    pub unchecked: Vec<String>,
    /// What was not asked to be checked, and how to ask for it.
    pub left: Vec<String>,
    /// What was asked for and is not covered, a line for each stretch of arguments.
    pub uncovered: Vec<String>,
    /// What is covered of what was asked, as [`Coverage::sentence`] says it; empty if the regions
    /// are not what they should be.
    pub coverage: String,
    /// What is wrong; empty for a certificate that holds.
    pub refusals: Vec<Refusal>,
}

impl Findings {
    /// Whether nothing is wrong with what the certificate says. It may not say all that was asked.
    pub fn holds(&self) -> bool {
        self.refusals.is_empty()
    }

    /// Whether the certificate holds, covers all that was asked, and was checked as far as was
    /// asked.
    pub fn is_all(&self) -> bool {
        self.holds() && self.unchecked.is_empty() && self.uncovered.is_empty() && !self.coverage.is_empty()
    }

    /// Whether it [is all](Self::is_all), and no more could have been asked for: everything that
    /// was searched was searched again. A case that every count forgets is noticed only then.
    pub fn leaves_nothing(&self) -> bool {
        self.is_all() && self.left.is_empty()
    }
}

impl Verification<'_> {
    /// Checks everything, and searches samples again. What hangs on something that is wrong is not
    /// looked at.
    ///
    /// # Errors
    /// An interrupt, and searches that fail for reasons of the machine.
    pub fn run(&self, interrupt: &Interrupt) -> Result<Findings, DriverError> {
        self.run_to(Extent::Samples, interrupt)
    }

    /// [`run`](Self::run), with as much searched again as `extent` says.
    ///
    /// # Errors
    /// Those of `run`.
    pub fn run_to(&self, extent: Extent, interrupt: &Interrupt) -> Result<Findings, DriverError> {
        if let Some(function) = repeating_of(self.certificate, self.function)? {
            return Verification { function: &function, ..*self }.run_to(extent, interrupt);
        }
        let mut findings = Findings::default();
        let certificate = self.certificate;
        let (computed, written) = (certificate.computed_digest(), certificate.digest.clone());
        if computed != written {
            findings.refusals.push(Refusal::Digest { computed, written });
        }
        if self.function.name() != certificate.function {
            let (written, given) = (certificate.function.clone(), self.function.name());
            findings.refusals.push(Refusal::Function { written, given });
            return Ok(findings);
        }
        let problem = certificate.problem()?;
        fields::check(self, &problem, &mut findings);
        if !certificate.is_finished() {
            findings.refusals.push(Refusal::Incomplete {
                finished: certificate.units.len(),
                planned: certificate.planned_units(),
                failures: certificate.failures.clone(),
            });
        }
        let (regions, units) = self.units(&problem, &mut findings)?;
        match Coverage::of(certificate) {
            // only of regions that are what they should be it means something
            Ok(coverage) if findings.holds() || !certificate.is_finished() => {
                let left = coverage.stretches().iter().filter(|stretch| !stretch.is_covered());
                findings.uncovered = left.map(ToString::to_string).collect();
                findings.coverage = coverage.sentence();
            }
            // what is wrong with the regions was said
            _ if !findings.holds() => {}
            Ok(_) => {}
            Err(error) => findings.refusals.push(Refusal::Unreadable { reason: error.to_string() }),
        }
        if !findings.holds() {
            return Ok(findings);
        }
        let alone = self.budgets(&problem, &units, extent, &mut findings, interrupt)?;
        reach::check(self, &problem, &regions, &mut findings)?;
        lists::check(self, &problem, &regions, &units, &mut findings)?;
        let counts = certificate.all_counts(self.function)?;
        let mut few: Vec<BinadeCounts> = unlikely(&counts).into_iter().cloned().collect();
        if few.is_empty() {
            few.extend(certificate.few_together(self.function)?);
        }
        for BinadeCounts { first, last, found, expected, probability, .. } in few {
            findings.refusals.push(Refusal::Unlikely { first, last, found, expected, probability });
        }
        let many = abundant(&counts);
        if let Some(count) = many.first() {
            findings.checked.push(format!(
                "more cases than chance would make in {} of {} places, first from {} to {}: {} where {:.1} are expected; each was confirmed, so the function is nearly rational there",
                many.len(),
                counts.len(),
                count.first,
                count.last,
                count.found,
                count.expected
            ));
        }
        if findings.holds() {
            sample::check(self, &problem, &units, &alone, extent, &mut findings, interrupt)?;
        }
        Ok(findings)
    }

    /// The units, if regions and units are what they should be.
    fn units(
        &self,
        problem: &Problem,
        findings: &mut Findings,
    ) -> Result<(Vec<Region>, Vec<PlacedUnit>), DriverError> {
        let certificate = self.certificate;
        let derived = regions(self.function, problem.arguments(), certificate.binades())?;
        // what was searched and what was out of reach is the certificate's to say; what follows
        // then is not
        let by_ends: HashMap<(&str, &str), &ClassRecord> = certificate
            .regions
            .iter()
            .map(|record| ((record.first.as_str(), record.last.as_str()), &record.class))
            .collect();
        let seconds: Vec<Option<f64>> = derived
            .iter()
            .map(|region| {
                match by_ends.get(&(region.first().to_string().as_str(), region.last().to_string().as_str()))
                {
                    Some(ClassRecord::OutOfReach { core_seconds }) => Some(*core_seconds),
                    _ => None,
                }
            })
            .collect();
        let derived = settle(problem.arguments(), derived, |index| seconds[index].is_none());
        let (derived, records): (Vec<Region>, Vec<RegionRecord>) = derived
            .into_iter()
            .map(|(region, fate, index)| {
                let mut record = RegionRecord::known(&region);
                match fate {
                    Fate::OutOfReach => {
                        let core_seconds = seconds[index].unwrap_or_default();
                        record.class = ClassRecord::OutOfReach { core_seconds };
                    }
                    Fate::Stranded => record.class = ClassRecord::OutOfReach { core_seconds: 0.0 },
                    Fate::Own | Fate::Followed => {}
                }
                (region, record)
            })
            .unzip();
        if derived.len() != certificate.regions.len() {
            let written = certificate.regions.len();
            findings.refusals.push(Refusal::RegionCount { written, derived: derived.len() });
            return Ok((derived, Vec::new()));
        }
        let mut units = Vec::with_capacity(certificate.units.len());
        let derived_regions: Vec<&Region> = derived.iter().collect();
        for (index, (derived, record)) in records.into_iter().zip(&certificate.regions).enumerate() {
            let is_searched = derived.class == ClassRecord::Searched;
            let (own, with) = (record.units.filter(|_| is_searched), record.with.filter(|_| is_searched));
            let derived = RegionRecord { units: own, with, ..derived };
            if derived != *record {
                let text = |record: &RegionRecord| serde_json::to_string(record).unwrap_or_default();
                findings.refusals.push(Refusal::Region {
                    index,
                    first: record.first.clone(),
                    written: text(record),
                    derived: text(&derived),
                });
            }
            if record.class == ClassRecord::Searched
                && let Err(reason) = self.tile(index, &derived_regions, problem, &mut units)
            {
                findings.refusals.push(Refusal::Tiling { index, first: record.first.clone(), reason });
            }
        }
        if units.len() != certificate.units.len() && findings.holds() {
            let reason = "there are units of regions that are not searched, or out of order".into();
            // that of a region comes before
            let (index, first) = match certificate.units.get(units.len()) {
                Some(unit) => (unit.region, unit.first.clone()),
                None => (derived.len(), "the end".into()),
            };
            findings.refusals.push(Refusal::Tiling { index, first, reason });
        }
        let arguments: u128 = derived.iter().map(Region::arguments).sum();
        findings.checked.push(format!(
            "{} regions derived again from {}: they hold all {arguments} arguments; {} units tile those that are searched",
            derived.len(),
            certificate.function,
            units.len(),
        ));
        Ok((derived, units))
    }
}

impl Verification<'_> {
    /// Whether this version of the program wrote the certificate: all that it derives is the same
    /// then, bit by bit.
    fn is_of_this_version(&self) -> bool {
        version(&self.certificate.program, env!("CARGO_PKG_VERSION")) == Version::This
    }

    /// Adds the units of a region if they tile it (Theorem C.7 of `proofs/Composition.v`: so every
    /// number is in one of them); says what is wrong if they do not.
    fn tile(
        &self,
        index: usize,
        regions: &[&Region],
        problem: &Problem,
        units: &mut Vec<PlacedUnit>,
    ) -> Result<(), String> {
        let region = regions[index];
        let before = units.len();
        let records = &self.certificate.units;
        let records =
            records[units.len().min(records.len())..].iter().take_while(|unit| unit.region == index);
        let mut records = records.peekable();
        let ranges = match records.peek() {
            _ if self.certificate.regions[index].with.is_some() => self.by_leader(index, regions, problem)?,
            Some(UnitRecord { via: Some(ViaRecord::Inverse { .. }), .. }) => {
                self.by_inverse(region, problem)?
            }
            Some(UnitRecord { via: Some(ViaRecord::Congruences { .. }), .. }) => {
                self.by_congruences(region, problem)?
            }
            Some(UnitRecord { via: Some(via), .. }) => self.by_family(index, regions, problem, via)?,
            None | Some(UnitRecord { via: None, .. }) => {
                region.ranges.iter().map(|range| (*range, None)).collect()
            }
        };
        for (range, via) in ranges {
            let format = match &via {
                None | Some(Via::Congruences(_)) => problem.arguments(),
                Some(Via::Inverse(_)) => inverse::breakpoint_format(problem),
                Some(Via::Family(_)) => family::cell_format().ok_or("a circle's cells are of no format")?,
            };
            let mut done = 0;
            while done < range.count() {
                let next = range.argument(done);
                let Some(unit) = records.next() else { return Err(format!("no unit begins at {next}")) };
                let first = number(&unit.first, format)?;
                // in no other spelling, either
                if first != next || unit.first != next.to_string() || unit.spacing != range.exponent() {
                    return Err(format!("a unit begins at {}, where one should begin at {next}", unit.first));
                }
                if unit.arguments == 0 || unit.arguments > range.count() - done {
                    return Err(format!(
                        "the unit at {next} has {} arguments, of {} that are left",
                        unit.arguments,
                        range.count() - done
                    ));
                }
                // exact cases that are too many are not listed, and their numbers are compared in
                // samples only
                let found = [unit.cases, unit.exact, unit.undecided];
                if unit.is_of_arguments() && found.iter().any(|found| *found > unit.arguments) {
                    return Err(format!(
                        "the unit at {next} has {} arguments, and more of them are in a list",
                        unit.arguments
                    ));
                }
                let derived = via.as_ref().map(ViaRecord::from);
                if unit.via != derived {
                    return Err(format!(
                        "the unit at {next} is via {:?}, which should be {derived:?}",
                        unit.via
                    ));
                }
                units.push(PlacedUnit {
                    region: index,
                    range: range.part(done, unit.arguments),
                    via: via.clone(),
                });
                done += unit.arguments;
            }
        }
        if let Some(unit) = records.next() {
            return Err(format!("a unit begins at {}, beyond its end", unit.first));
        }
        let (there, written) = (units.len() - before, self.certificate.regions[index].units);
        if Some(there) != written {
            return Err(format!("it says {} units, and has {there}", written.unwrap_or(0)));
        }
        Ok(())
    }

    /// The range of a region whose cases follow from congruences.
    fn by_congruences(
        &self,
        region: &Region,
        problem: &Problem,
    ) -> Result<Vec<(ArgumentRange, Option<Via>)>, String> {
        let [range] = region.ranges[..] else { return Err("it is in several binades".into()) };
        let via = CongruenceVia::of(self.function, problem, &range);
        let via = via.ok_or("its cases do not follow from congruences")?;
        Ok(vec![(range, Some(Via::Congruences(via)))])
    }

    /// The ranges to be searched in place of a region by the inverse function.
    fn by_inverse(
        &self,
        region: &Region,
        problem: &Problem,
    ) -> Result<Vec<(ArgumentRange, Option<Via>)>, String> {
        let [arguments] = region.ranges[..] else { return Err("it is in several binades".into()) };
        let parts = inverse::parts(self.function, problem, &arguments, false);
        let parts = parts.ok_or("it is not proved that a search of the inverse function finds the same")?;
        let ranges =
            parts.into_iter().map(|Part { breakpoints, via }| (breakpoints, Some(Via::Inverse(via))));
        Ok(ranges.collect())
    }
}

/// A search by one thread; the interval plays no role.
fn search<'a>(function: &'a dyn Function, problem: &Problem, backend: &'a dyn Backend) -> Search<'a> {
    let workers = Workers::cpu(backend, 1);
    Search { function, from: 0.into(), to: 0.into(), problem: *problem, workers }
}

/// A number of the format from its text.
fn number(text: &str, format: Format) -> Result<Number, String> {
    let value = parse_number(text).map_err(|error| format!("{text}: {error}"))?;
    interval::argument(&value, format).map_err(|error| error.to_string())
}
