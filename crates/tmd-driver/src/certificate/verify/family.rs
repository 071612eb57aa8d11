//! Units that are parts of the circle of a family's turns: where they are, what they hold, and
//! samples of them.

use tmd_core::{
    ArgumentRange, Backend, EngineName, Families, Format, Interrupt, Number, Problem, Scalar, ScalarEngine,
    difftable::power_of_two,
    exist::Logms,
    lattice3::{Engine, Exact},
};
use tmd_functions::{Function, Repetition};
use tmd_simd::{Level, Simd};

use super::{PlacedUnit, UnitRecord, Verification, ViaRecord, found::Found};
use crate::{
    DriverError, Outcome,
    certificate::{
        ClassRecord,
        writer::{BETWEEN, Writer, writer},
    },
    confirm::confirm_or_beyond,
    family::{FamilyVia, FamilyWorkers, Shape, Split, cell, is_in, is_of_device},
    regions::{Region, translate::holds},
    via::Via,
};

/// Bits of the cells that samples are cut by.
const FINE_BITS: u32 = 60;

/// Bits of the number of a cell, and some more.
const CELL_PRECISION: u32 = 40;

/// A format whose numbers cells are.
pub(super) fn cell_format() -> Option<Format> {
    Format::custom(CELL_PRECISION).ok()
}

/// Whether a unit is of a family.
pub(super) fn is_family(record: &UnitRecord) -> bool {
    matches!(record.via, Some(ViaRecord::Family { .. }))
}

/// Whether a search cut segments of the unit smaller because the walk refused them, and the unit
/// does not say which, so that they cannot be derived without a search.
pub(super) fn is_recut(record: &UnitRecord) -> bool {
    record.refusals() != 0 && record.refused.is_empty()
}

/// Whether the walk of this name goes with a certificate's engine: that of the same lanes, beside a
/// device any that there is.
fn is_walk_of(walk: &str, engine: &str) -> bool {
    let in_lanes = |level: &str| format!("lattice3 ({level})");
    match writer(engine) {
        Some(Writer::Here(engine)) => {
            engine.families().is_some_and(|families| families.engine.name() == walk)
        }
        Some(Writer::Elsewhere(_)) => {
            let level = EngineName::parse(engine).and_then(|name| name.engine.rsplit(' ').next());
            level.is_some_and(|level| walk == in_lanes(level))
        }
        Some(Writer::Device) => {
            is_of_device(walk)
                || walk == Exact::default().name()
                || Level::NAMES.iter().any(|level| walk == in_lanes(level))
        }
        Some(Writer::Several) => engine.split(BETWEEN).any(|engine| is_walk_of(walk, engine)),
        // which is refused as such
        None => true,
    }
}

impl Verification<'_> {
    /// The ranges to be searched in place of a region, and of those that say that they are searched
    /// with it, as a family: its whole circle, and what of the region is not of the family one by
    /// one.
    pub(super) fn by_family(
        &self,
        index: usize,
        regions: &[&Region],
        problem: &Problem,
        via: &ViaRecord,
    ) -> Result<Vec<(ArgumentRange, Option<Via>)>, String> {
        let ViaRecord::Family { engine, volume, windows, binades } = via else {
            return Err("it is no family".into());
        };
        let shape = Shape { engine: engine.clone(), volume: *volume, windows: *windows, binades: *binades };
        if !is_walk_of(engine, &self.certificate.engine) {
            return Err(format!("{} does not walk by {engine}", self.certificate.engine));
        }
        if !shape.is_possible() {
            return Err("its windows are such as no walk has".into());
        }
        let family = self.function.family().ok_or("its arguments are no family")?;
        if *binades != 1 && family.repetition() != Repetition::Doubling {
            return Err("binades of results are together only where these are those of a logarithm".into());
        }
        let Split { inside, left } = self.split(regions[index], problem)?;
        let mut together: Vec<ArgumentRange> = inside.into_iter().collect();
        for (other, record) in self.certificate.regions.iter().enumerate() {
            if record.with != Some(index) {
                continue;
            }
            if other <= index || record.class != ClassRecord::Searched {
                return Err(format!("the region from {} is not searched with it", record.first));
            }
            together.extend(self.split(regions[other], problem)?.inside);
        }
        let (via, circle) = FamilyVia::new(family, together, shape);
        if !via.is_together(self.function, problem) {
            return Err("the regions that are searched with it are not of one family".into());
        }
        let mut ranges = vec![(circle, Some(Via::Family(via)))];
        ranges.extend(left.into_iter().map(|rest| (rest, None)));
        Ok(ranges)
    }

    /// What of a region that is searched with another one is not of their family.
    pub(super) fn by_leader(
        &self,
        index: usize,
        regions: &[&Region],
        problem: &Problem,
    ) -> Result<Vec<(ArgumentRange, Option<Via>)>, String> {
        let records = &self.certificate.regions;
        let leader = records[index].with.filter(|leader| *leader < index && records[*leader].with.is_none());
        let leader =
            leader.ok_or("it is searched with one that is searched with another, or comes after it")?;
        let mut own = self.certificate.units.iter().filter(|unit| unit.region == leader);
        if records[leader].class != ClassRecord::Searched || !own.any(is_family) {
            return Err(format!("the region from {} has no units of a family", records[leader].first));
        }
        let Split { left, .. } = self.split(regions[index], problem)?;
        Ok(left.into_iter().map(|rest| (rest, None)).collect())
    }

    /// A region's arguments in its family, and the others.
    fn split(&self, region: &Region, problem: &Problem) -> Result<Split, String> {
        let [arguments] = region.ranges[..] else { return Err("it is in several binades".into()) };
        let split =
            FamilyVia::split(self.function, problem, &arguments).map_err(|error| error.to_string())?;
        split.filter(|split| split.inside.is_some()).ok_or_else(|| "its arguments are no family".into())
    }
}

/// The unit of a region that finds an argument: those of the family come first, in the order of
/// their cells, then those of the rest.
pub(super) fn unit(
    function: &dyn Function,
    units: &[PlacedUnit],
    x: Number,
) -> Result<Option<usize>, DriverError> {
    let is_family = |unit: &PlacedUnit| matches!(unit.via, Some(Via::Family(_)));
    let (of_family, rest) = units.split_at(units.partition_point(is_family));
    let by_place = |units: &[PlacedUnit], x: Number| {
        let index = units.partition_point(|unit| unit.range.argument(0) <= x).checked_sub(1)?;
        let range = &units[index].range;
        (x <= range.argument(range.count() - 1)).then_some(index)
    };
    let own = of_family.first().and_then(|unit| unit.via.as_ref()?.family());
    match (own, function.family()) {
        (Some(via), Some(family)) if via.arguments.iter().any(|range| holds(range, x)) => {
            let Some(spacing) = of_family.first().map(|unit| unit.range.exponent()) else { return Ok(None) };
            let cell = cell(family, x, spacing.unsigned_abs())?;
            Ok(cell.to_i128().and_then(|cell| by_place(of_family, Number::new(cell, spacing))))
        }
        _ => Ok(by_place(rest, x).map(|index| of_family.len() + index)),
    }
}

/// A family that is searched again, by another walk than the one that searched it, in windows of
/// its own.
pub(super) struct Again<'a> {
    function: &'a dyn Function,
    problem: Problem,
    families: Families,
    via: FamilyVia,
}

impl<'a> Again<'a> {
    pub(super) fn new(
        verification: &Verification<'a>,
        problem: &Problem,
        via: &FamilyVia,
    ) -> Result<Self, DriverError> {
        let families = verification.other_walk(via).ok_or(DriverError::NoBackend)?;
        let spans = via.spans(verification.function, problem);
        let via = FamilyVia { shape: Shape::of(&families, spans, via.shape.binades), ..via.clone() };
        Ok(Self { function: verification.function, problem: *problem, families, via })
    }

    /// Who walks.
    pub(super) fn name(verification: &Verification<'_>, via: &FamilyVia) -> String {
        verification.other_walk(via).map_or_else(String::new, |families| families.engine.name())
    }

    /// A unit's cells, cut smaller.
    pub(super) fn cells(cells: &ArgumentRange) -> ArgumentRange {
        let shift = FINE_BITS - cells.exponent().unsigned_abs().min(FINE_BITS);
        ArgumentRange::new(cells.first() << shift, cells.exponent() - shift as i32, cells.count() << shift)
    }

    /// About how many seconds these cells take.
    pub(super) fn seconds(&self, cells: &ArgumentRange) -> Result<f64, DriverError> {
        let engine = self.families.engine.as_ref();
        let search = self.via.search(self.function, &self.problem, cells, engine, 1)?;
        let angle = |cell: i128| cell as f64 * power_of_two(cells.exponent());
        let (from, to) = (angle(cells.first()), angle(cells.first() + i128::from(cells.count())));
        let length = angle(cells.count().into());
        let estimates = search.estimate(&self.via.arguments)?;
        Ok(estimates.iter().map(|e| e.seconds(&self.families) * e.share(from, to, length)).sum())
    }

    /// Searches these cells.
    pub(super) fn search(
        &self,
        cells: &[ArgumentRange],
        interrupt: &Interrupt,
    ) -> Result<Found, DriverError> {
        let mut all: Option<Outcome> = None;
        for cells in cells {
            let engine: &dyn Engine = self.families.engine.as_ref();
            // what a device failed at nobody else searches in its name
            let engine = FamilyWorkers { engine, threads: 1, has_fallback: false };
            let found = self.via.run(self.function, &self.problem, cells, engine, &|_| {}, interrupt)?;
            interrupt.check()?;
            if let Some(failure) = found.failure {
                return Err(failure.into());
            }
            match &mut all {
                Some(all) => {
                    all.cases.extend(found.cases);
                    all.exact_cases.extend(found.exact_cases);
                    all.exact_count += found.exact_count;
                    all.undecided.extend(found.undecided);
                    all.sort();
                }
                None => all = Some(found),
            }
        }
        Ok(all.as_ref().map(Found::from).unwrap_or_default())
    }

    /// Decides all arguments with turns in these cells, and says how many they are.
    pub(super) fn one_by_one(
        &self,
        cells: &[ArgumentRange],
        interrupt: &Interrupt,
    ) -> Result<(Found, u64), DriverError> {
        let mut arguments = Vec::new();
        for cells in cells {
            let engine = self.families.engine.as_ref();
            let search = self.via.search(self.function, &self.problem, cells, engine, 1)?;
            for x in search.listed(&self.via.arguments, interrupt)? {
                if is_in(search.family, x, cells)? {
                    arguments.push(x);
                }
            }
        }
        arguments.sort_unstable();
        arguments.dedup();
        let mut found = Found::default();
        for x in &arguments {
            found.add(&confirm_or_beyond(self.function, &self.problem, *x)?);
        }
        interrupt.check()?;
        Ok((found, arguments.len() as u64))
    }
}

impl Verification<'_> {
    /// The walk besides the one that searched a family.
    fn other_walk(&self, via: &FamilyVia) -> Option<Families> {
        other_walk(&via.shape.engine, self.walk)
    }
}

/// The walk besides the one of this name: that of the device, if there is one, or else the exact
/// one; where that one or a device searched, the one in lanes, which takes a thousandth of its
/// time.
fn other_walk(engine: &str, device: Option<&(dyn Fn() -> Families + Sync)>) -> Option<Families> {
    if engine == Exact::default().name() || is_of_device(engine) {
        return Simd::farey(Level::best()).families();
    }
    let (regular, logms) = (ScalarEngine::Regular, Logms::default());
    let exact = Scalar { engine: regular, logms, domain_size: None };
    let other = device.map_or_else(|| exact.families(), |device| Some(device()));
    other.filter(|families| families.engine.name() != engine)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn walks_besides_one_another() {
        let other = |engine: &str| other_walk(engine, None).unwrap().engine.name();
        let lanes = Simd::farey(Level::best()).families().unwrap().engine.name();
        let exact = Exact::default().name();
        for (engine, expected) in [
            (lanes.as_str(), &exact),
            ("lattice3 (avx512)", &exact),
            (&exact, &lanes),
            ("lattice3 (NVIDIA H200 (native integers))", &lanes),
            ("lattice3 (llvmpipe (emulated integers))", &lanes),
        ] {
            assert_eq!(other(engine), *expected, "{engine}");
        }
        // who is given walks what lanes walked, and nothing else; nobody walks besides himself
        let given = || Simd::farey(Level::named("portable").unwrap()).families().unwrap();
        let by_given = |engine: &str| other_walk(engine, Some(&given)).map(|walk| walk.engine.name());
        assert_eq!(by_given("lattice3 (avx512)").unwrap(), "lattice3 (portable)");
        assert_eq!(by_given("lattice3 (portable)"), None);
        assert_eq!(by_given(&exact), Some(lanes.clone()));
        assert_eq!(by_given("lattice3 (NVIDIA H200 (native integers))"), Some(lanes.clone()));
    }
}
