//! [`merge`]: one certificate of several that searched different binades of one function.
//!
//! Regions are derived from the function over all binades from the least to the greatest that any
//! part was asked for. A region that is to be searched takes its units, as they are, from a part
//! that searched the same arguments; regions that were searched together are taken together. Cases
//! that follow by symmetry are derived from those that were found. So what comes out is what one
//! search would have written, but for how units are cut, and is verified like any other.
//!
//! Where several parts have searched the same arguments their lists are compared. If they differ,
//! one is wrong and nobody knows which: the region counts as not searched.

use std::{
    collections::{BTreeSet, HashMap},
    ops::Range,
};

use tmd_core::{Format, Number};
use tmd_functions::{Function, Repeating};

use super::{
    Certificate, ClassRecord, Effort, Findings, Head, RegionRecord, UnitRecord, number_from, verify,
    writer::BETWEEN,
};
use crate::{
    DriverError,
    coverage::{just_after, settle::Fate, settle::settle},
    interval::argument_ranges,
    regions::{Class, Region, regions, value_of},
    report::{Case, Exact, Undecided},
    solve::follow,
};

/// A certificate, and where it came from.
#[derive(Clone, Debug)]
pub struct Part {
    /// A file or a run directory, for sentences.
    pub name: String,
    /// What it says.
    pub certificate: Certificate,
}

/// What came of several certificates.
#[derive(Clone, Debug)]
pub struct Merged {
    /// All of them in one; partial if there are binades that none of them searched to the end.
    pub certificate: Certificate,
    /// Arguments that two parts searched and whose lists were compared.
    pub compared: u128,
    /// Regions that two parts searched and that could not be compared: one of them is not finished,
    /// and its units do not say which arguments they are of; or they follow from others here.
    pub uncompared: usize,
    /// Where two parts say something else.
    pub disagreements: Vec<Disagreement>,
}

/// An argument of which two certificates say something else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disagreement {
    /// The first such argument of a region.
    pub x: String,
    /// What one of them has there: a case, an exact case or an undecided argument.
    pub what: &'static str,
    /// Who.
    pub parts: [String; 2],
}

/// One certificate of several: of the same function, format, rounding and extra bits, written by
/// the same version of the program. In which order they come decides only whose units are taken
/// where several have searched the same.
///
/// # Errors
/// [`DriverError::NothingToMerge`], [`DriverError::OtherQuestion`]; [`DriverError::Unreadable`] for
/// a certificate that was changed after it was written; [`DriverError::Symmetry`] if a case that
/// follows by symmetry is none.
pub fn merge(function: &dyn Function, parts: &[Part]) -> Result<Merged, DriverError> {
    let first = parts.first().ok_or(DriverError::NothingToMerge)?;
    for part in parts {
        check(first, part)?;
    }
    if function.name() != first.certificate.function {
        let name = first.name.clone();
        let differences =
            vec![format!("function is {} there and {}", first.certificate.function, function.name())];
        return Err(DriverError::OtherQuestion { name, other: "the question".into(), differences });
    }
    let problem = first.certificate.problem()?;
    let format = problem.arguments();
    // of a whole domain, one binade next to 0 may stand for those below
    let whole = parts.iter().find(|part| part.certificate.binades.is_none());
    let repeating: Option<Repeating<&dyn Function>> = match whole {
        Some(part) => verify::repeating_of(&part.certificate, function)?,
        None => None,
    };
    let function: &dyn Function = repeating.as_ref().map_or(function, |repeating| repeating);
    let binades = hull(parts);

    let sources = parts.iter().map(|part| Source::of(part, format)).collect::<Result<Vec<_>, _>>()?;
    let derived = regions(function, format, binades.clone())?;
    let mut merger = Merger::new(&sources, &derived);
    merger.compare(format)?;
    merger.choose();

    let seconds: Vec<Option<f64>> =
        (0..derived.len()).map(|index| merger.seconds_out_of_reach(index)).collect();
    let Merger { sources, owners, compared, uncompared, disagreements, .. } = merger;
    let settled = settle(format, derived.clone(), |index| seconds[index].is_none());
    let numbers: HashMap<usize, usize> = settled
        .iter()
        .enumerate()
        .filter(|(_, (region, ..))| region.class == Class::Search)
        .map(|(number, (.., index))| (*index, number))
        .collect();
    let (mut records, mut units) = (Vec::with_capacity(settled.len()), Vec::new());
    let (mut findings, mut followed) = (Findings::default(), Vec::new());
    let (mut engines, mut failures) = (BTreeSet::new(), Vec::new());
    let (mut failing, mut lists_exact) = (BTreeSet::new(), true);
    for (region, fate, index) in &settled {
        let mut record = RegionRecord::known(region);
        match (fate, &region.class, &owners[*index]) {
            (Fate::Followed, ..) => followed.push(region),
            (Fate::OutOfReach, ..) => {
                record.class = ClassRecord::OutOfReach { core_seconds: seconds[*index].unwrap_or_default() };
            }
            (Fate::Stranded, ..) => record.class = ClassRecord::OutOfReach { core_seconds: 0.0 },
            (Fate::Own, Class::Search, Some(owner)) => {
                let source = &sources[owner.source];
                let written = &source.certificate.regions[owner.region];
                record.units = written.units;
                record.with = owner.leader.and_then(|leader| numbers.get(&leader).copied());
                let number = records.len();
                let own = source.units(owner.region);
                units.extend(own.iter().map(|unit| UnitRecord { region: number, ..unit.clone() }));
                source.add_findings(region.first(), region.last(), &mut findings);
                engines.extend(source.certificate.engine.split(BETWEEN).map(str::to_owned));
                lists_exact &= source.lists_exact;
                if !owner.is_complete && failing.insert(owner.source) {
                    failures.extend(source.certificate.failures.iter().cloned());
                }
            }
            // nobody searched it: a unit that is missing
            (Fate::Own, Class::Search, None) => record.units = Some(1),
            (Fate::Own, ..) => {}
        }
        records.push(record);
    }
    follow(function, &problem, &followed, &mut findings)?;
    if !lists_exact {
        findings.exact_cases.clear();
    }
    if engines.is_empty() {
        engines.insert(first.certificate.engine.clone());
    }
    let engine = engines.into_iter().collect::<Vec<_>>().join(BETWEEN);
    let head = Head { function, problem, binades, engine };
    let certificate = Certificate::assemble(head, records, units, findings, failures, Effort::default());
    Ok(Merged { certificate, compared, uncompared, disagreements })
}

/// Whether a part is whole, and of the same question as the first one.
fn check(first: &Part, part: &Part) -> Result<(), DriverError> {
    let (here, there) = (&first.certificate, &part.certificate);
    let fields = |of: &Certificate| {
        [
            ("program", of.program.clone()),
            ("function", of.function.clone()),
            ("format", of.format.name.clone()),
            ("rounding", of.rounding.clone()),
            ("extra_bits", of.extra_bits.to_string()),
        ]
    };
    let pairs = fields(here).into_iter().zip(fields(there));
    let differences: Vec<String> = pairs
        .filter(|((_, here), (_, there))| here != there)
        .map(|((name, here), (_, there))| format!("{name} is {there} there and {here} in the other"))
        .collect();
    if !differences.is_empty() || here.format != there.format {
        let (name, other) = (part.name.clone(), first.name.clone());
        return Err(DriverError::OtherQuestion { name, other, differences });
    }
    if there.computed_digest() != there.digest {
        return Err(DriverError::Unreadable {
            what: "a certificate",
            reason: format!("{} was changed after it was written", part.name),
        });
    }
    Ok(())
}

/// The binades from the least to the greatest; none if a part is of the whole domain.
fn hull(parts: &[Part]) -> Option<Range<i32>> {
    let mut hull: Option<Range<i32>> = None;
    for part in parts {
        let own = part.certificate.binades()?;
        hull = Some(match hull {
            None => own,
            Some(hull) => hull.start.min(own.start)..hull.end.max(own.end),
        });
    }
    hull
}

/// A part, with its lists by argument.
struct Source<'a> {
    name: &'a str,
    certificate: &'a Certificate,
    cases: Vec<(Number, Case)>,
    exact_cases: Vec<(Number, Exact)>,
    undecided: Vec<(Number, Undecided)>,
    /// of more exact cases than a certificate lists none is listed
    lists_exact: bool,
    /// first and last argument of each region
    ends: Vec<(Number, Number)>,
    /// where the units of each region begin, and where they end
    places: Vec<Range<usize>>,
    /// regions that were searched together, in increasing order
    groups: Vec<Group>,
}

/// Regions that a part searched together, the leader first; mostly one.
struct Group {
    regions: Vec<usize>,
    is_complete: bool,
    /// units that were searched
    units: usize,
}

/// Arguments that a part has searched, from one to another.
struct Searched {
    first: Number,
    last: Number,
}

impl<'a> Source<'a> {
    fn of(part: &'a Part, format: Format) -> Result<Self, DriverError> {
        let certificate = &part.certificate;
        let cases = by_argument(&certificate.cases, |case| &case.x, format)?;
        let exact_cases = by_argument(&certificate.exact_cases, |case| &case.x, format)?;
        let undecided = by_argument(&certificate.undecided, |case| &case.x, format)?;
        let lists_exact = !exact_cases.is_empty() || certificate.units.iter().all(|unit| unit.exact == 0);
        let ends = certificate
            .regions
            .iter()
            .map(|region| Ok((number_from(&region.first, format)?, number_from(&region.last, format)?)))
            .collect::<Result<Vec<_>, DriverError>>()?;
        // units are in the order of their regions
        let place = |region: usize| {
            let from = certificate.units.partition_point(|unit| unit.region < region);
            let to = certificate.units.partition_point(|unit| unit.region <= region);
            // whoever wrote them otherwise
            from..to.max(from)
        };
        let places: Vec<Range<usize>> = (0..ends.len()).map(place).collect();
        let mut groups: Vec<Group> = Vec::new();
        let mut leaders = HashMap::new();
        for (number, region) in certificate.regions.iter().enumerate() {
            if region.class != ClassRecord::Searched {
                continue;
            }
            let (units, is_complete) = (places[number].len(), region.units == Some(places[number].len()));
            if let Some(&group) = leaders.get(&certificate.leader(number)) {
                let group: &mut Group = &mut groups[group];
                group.regions.push(number);
                group.is_complete &= is_complete;
                group.units += units;
            } else {
                leaders.insert(number, groups.len());
                groups.push(Group { regions: vec![number], is_complete, units });
            }
        }
        let name = &part.name;
        Ok(Self { name, certificate, cases, exact_cases, undecided, lists_exact, ends, places, groups })
    }

    fn units(&self, region: usize) -> &[UnitRecord] {
        &self.certificate.units[self.places[region].clone()]
    }

    /// What was searched, as far as units say so, in increasing order; and the regions of which
    /// they do not.
    fn searched(&self, format: Format) -> Result<(Vec<Searched>, Vec<usize>), DriverError> {
        let (mut searched, mut others) = (Vec::new(), Vec::new());
        for group in &self.groups {
            for &region in &group.regions {
                let (first, last) = self.ends[region];
                if group.is_complete {
                    searched.push(Searched { first, last });
                    continue;
                }
                let units = self.units(region);
                if !units.iter().all(UnitRecord::is_of_arguments) || group.regions.len() > 1 {
                    others.push(region);
                }
                for unit in units.iter().filter(|unit| unit.is_of_arguments() && unit.arguments > 0) {
                    let first = number_from(&unit.first, format)?;
                    let step = value_of(Number::new(1, unit.spacing)) * (unit.arguments - 1);
                    let last = crate::regions::number_of(&(value_of(first) + step));
                    searched.push(Searched { first, last });
                }
            }
        }
        searched.sort_by_key(|searched| searched.first);
        Ok((searched, others))
    }

    fn add_findings(&self, first: Number, last: Number, findings: &mut Findings) {
        findings.cases.extend_from_slice(between(&self.cases, first, last));
        findings.exact_cases.extend_from_slice(between(&self.exact_cases, first, last));
        findings.undecided.extend_from_slice(between(&self.undecided, first, last));
    }

    /// The first argument between two of which another part says something else, and what it is.
    fn difference(&self, other: &Self, first: Number, last: Number) -> Option<(Number, &'static str)> {
        let case = unlike(&self.cases, &other.cases, first, last).map(|x| (x, "case"));
        let exact = (self.lists_exact && other.lists_exact)
            .then(|| unlike(&self.exact_cases, &other.exact_cases, first, last))
            .flatten()
            .map(|x| (x, "exact case"));
        let undecided =
            unlike(&self.undecided, &other.undecided, first, last).map(|x| (x, "undecided argument"));
        [case, exact, undecided].into_iter().flatten().min()
    }
}

/// A list with the arguments as numbers.
fn by_argument<T: Clone>(
    list: &[T],
    text: impl Fn(&T) -> &str,
    format: Format,
) -> Result<Vec<(Number, T)>, DriverError> {
    let mut list = list
        .iter()
        .map(|one| Ok((number_from(text(one), format)?, one.clone())))
        .collect::<Result<Vec<_>, DriverError>>()?;
    list.sort_by_key(|(x, _)| *x);
    Ok(list)
}

/// What of a list is between two arguments.
fn between<T>(list: &[(Number, T)], first: Number, last: Number) -> &[(Number, T)] {
    let list = &list[list.partition_point(|(x, _)| *x < first)..];
    &list[..list.partition_point(|(x, _)| *x <= last)]
}

/// The first argument between two at which two lists differ.
fn unlike<T: PartialEq>(
    ours: &[(Number, T)],
    theirs: &[(Number, T)],
    first: Number,
    last: Number,
) -> Option<Number> {
    let (ours, theirs) = (between(ours, first, last), between(theirs, first, last));
    let same = ours.iter().zip(theirs).take_while(|(ours, theirs)| ours == theirs).count();
    let next = [ours, theirs].into_iter().filter_map(|list| list.get(same)).map(|(x, _)| *x);
    next.min()
}

/// Whose units a region has.
struct Owner {
    source: usize,
    /// the number of the region there
    region: usize,
    /// the region, by the number here, in whose units its arguments are
    leader: Option<usize>,
    is_complete: bool,
}

/// The parts beside the regions of all their binades.
struct Merger<'a> {
    sources: &'a [Source<'a>],
    derived: &'a [Region],
    /// regions that are to be searched, by their first and last arguments
    by_ends: HashMap<(Number, Number), usize>,
    owners: Vec<Option<Owner>>,
    is_disputed: Vec<bool>,
    compared: u128,
    uncompared: usize,
    disagreements: Vec<Disagreement>,
}

impl<'a> Merger<'a> {
    fn new(sources: &'a [Source<'a>], derived: &'a [Region]) -> Self {
        let is_searched = |(_, region): &(usize, &Region)| region.class == Class::Search;
        let searched = derived.iter().enumerate().filter(is_searched);
        let by_ends = searched.map(|(index, region)| ((region.first(), region.last()), index)).collect();
        let owners = derived.iter().map(|_| None).collect();
        let is_disputed = vec![false; derived.len()];
        let (compared, uncompared, disagreements) = (0, 0, Vec::new());
        Self { sources, derived, by_ends, owners, is_disputed, compared, uncompared, disagreements }
    }

    /// Compares what several parts have searched.
    fn compare(&mut self, format: Format) -> Result<(), DriverError> {
        let searched =
            self.sources.iter().map(|source| source.searched(format)).collect::<Result<Vec<_>, _>>()?;
        for (j, (theirs, unclear)) in searched.iter().enumerate() {
            for (i, (ours, also_unclear)) in searched[..j].iter().enumerate() {
                let (here, there) = (&self.sources[i], &self.sources[j]);
                let has = |searched: &[Searched], (first, last): (Number, Number)| {
                    let after = searched.partition_point(|one| one.last < first);
                    searched.get(after).is_some_and(|one| one.first <= last)
                };
                self.uncompared += unclear.iter().filter(|&&region| has(ours, there.ends[region])).count()
                    + also_unclear.iter().filter(|&&region| has(theirs, here.ends[region])).count();
                let mut next = 0;
                for one in theirs {
                    while ours.get(next).is_some_and(|other| other.last < one.first) {
                        next += 1;
                    }
                    for other in ours[next..].iter().take_while(|other| other.first <= one.last) {
                        let (first, last) = (one.first.max(other.first), one.last.min(other.last));
                        let ranges = argument_ranges(&value_of(first), &just_after(last, format), format)?;
                        self.compared += ranges.iter().map(|range| u128::from(range.count())).sum::<u128>();
                        if let Some((x, what)) = here.difference(there, first, last) {
                            let parts = [here.name.to_owned(), there.name.to_owned()];
                            self.disagreements.push(Disagreement { x: x.to_string(), what, parts });
                            let index = self.derived.partition_point(|region| region.last() < x);
                            if let Some(is_disputed) = self.is_disputed.get_mut(index) {
                                *is_disputed = true;
                            }
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// Gives each region to one of the parts that searched it: groups that are complete first, and
    /// of these the larger ones, so that regions that were searched together stay together.
    fn choose(&mut self) {
        let mut candidates = Vec::new();
        for (number, source) in self.sources.iter().enumerate() {
            for group in source.groups.iter().filter(|group| group.units > 0) {
                let place = |region: &usize| self.by_ends.get(&source.ends[*region]).copied();
                // those that are not regions here follow from others, or are cut otherwise
                let Some(places) = group.regions.iter().map(place).collect::<Option<Vec<usize>>>() else {
                    self.uncompared += usize::from(group.is_complete);
                    continue;
                };
                if !places.iter().any(|&index| self.is_disputed[index]) {
                    candidates.push((number, group, places));
                }
            }
        }
        // a stable sort: the parts' order decides what else is equal
        candidates.sort_by_key(|(_, group, places)| {
            let units = if group.is_complete { 0 } else { group.units };
            std::cmp::Reverse((group.is_complete, places.len(), units))
        });
        for (source, group, places) in candidates {
            if places.iter().any(|&index| self.owners[index].is_some()) {
                continue;
            }
            for (&region, &index) in group.regions.iter().zip(&places) {
                let leader = places.first().copied().filter(|leader| *leader != index);
                let is_complete = group.is_complete;
                self.owners[index] = Some(Owner { source, region, leader, is_complete });
            }
        }
    }

    /// Core-seconds that the search of a region would take, if parts say that this is too long and
    /// nobody has searched it.
    fn seconds_out_of_reach(&self, index: usize) -> Option<f64> {
        let region = &self.derived[index];
        if region.class != Class::Search || self.owners[index].is_some() || self.is_disputed[index] {
            return None;
        }
        let ends = (region.first(), region.last());
        self.sources.iter().find_map(|source| {
            let at = source.ends.partition_point(|(first, _)| *first < ends.0);
            match source.certificate.regions.get(at)?.class {
                ClassRecord::OutOfReach { core_seconds } if source.ends[at] == ends => Some(core_seconds),
                _ => None,
            }
        })
    }
}
