//! Units that are parts of the circle of a family's turns: where they are, what they hold, and samples of them.

use tmd_core::{ArgumentRange, Backend, Format, Interrupt, Number, Problem, lattice3::Exact};
use tmd_functions::Function;

use super::{Place, Refusal, UnitRecord, Verification, ViaRecord};
use crate::{
    DriverError,
    confirm::{Verdict, confirm_or_beyond},
    family::{FamilyVia, Shape, Split, cell, is_in},
    regions::{Region, translate::holds},
    report::Case,
    via::Via,
};

/// Bits of the cells that samples are cut by.
const FINE_BITS: u32 = 60;

/// Arguments of a sample that are looked at one by one, about.
const ONE_BY_ONE: f64 = 4096.0;

/// Bits of the number of a cell, and some more.
const CELL_PRECISION: u32 = 40;

/// A format whose numbers cells are.
pub(super) fn cell_format() -> Option<Format> {
    Format::custom(CELL_PRECISION).ok()
}

/// Whether a search cut segments of the unit smaller because the walk refused them, so that they cannot be derived without a search.
pub(super) fn is_recut(record: &UnitRecord) -> bool {
    matches!(record.via, Some(ViaRecord::Family { .. }))
        && record.phases.iter().any(|phase| phase.name == "refine" && phase.domains_in != 0)
}

impl Verification<'_> {
    /// The ranges to be searched in place of a region as a family: its whole circle, and what is not of the family one by one.
    pub(super) fn by_family(
        &self,
        region: &Region,
        problem: &Problem,
        via: &ViaRecord,
    ) -> Result<Vec<(ArgumentRange, Option<Via>)>, String> {
        let ViaRecord::Family { engine, volume, windows } = via else { return Err("it is no family".into()) };
        let shape = Shape { engine: engine.clone(), volume: *volume, windows: *windows };
        if !shape.is_possible() {
            return Err("its windows are such as no walk has".into());
        }
        let [arguments] = region.ranges[..] else { return Err("it is in several binades".into()) };
        let split =
            FamilyVia::split(self.function, problem, &arguments).map_err(|error| error.to_string())?;
        let (Some(Split { inside: Some(inside), left }), Some(family)) = (split, self.function.family())
        else {
            return Err("its arguments are no family".into());
        };
        let (via, circle) = FamilyVia::new(family, vec![inside], shape);
        let mut ranges = vec![(circle, Some(Via::Family(via)))];
        ranges.extend(left.into_iter().map(|rest| (rest, None)));
        Ok(ranges)
    }
}

/// The unit of a region that finds an argument: those of the family come first, in the order of their cells, then those of the rest.
pub(super) fn unit(
    function: &dyn Function,
    units: &[Place],
    x: Number,
) -> Result<Option<usize>, DriverError> {
    let is_family = |unit: &Place| matches!(unit.via, Some(Via::Family(_)));
    let (of_family, rest) = units.split_at(units.partition_point(is_family));
    let by_place = |units: &[Place], x: Number| {
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

/// What a sample says: arguments searched again, arguments decided one by one, and what is wrong.
type Again = (u64, u64, [Option<Refusal>; 2]);

/// Searches a part of a unit again, by the exact walk, and a smaller one argument by argument.
pub(super) fn again(
    verification: &Verification,
    problem: &Problem,
    (cells, via): (&ArgumentRange, &FamilyVia),
    at: u64,
    listed: &[(Number, &Case)],
    interrupt: &Interrupt,
) -> Result<Again, DriverError> {
    let function = verification.function;
    let scalar = tmd_core::Scalar {
        engine: tmd_core::ScalarEngine::Regular,
        logms: tmd_core::exist::Logms::default(),
        domain_size: None,
    };
    let families = scalar.families().ok_or(DriverError::NoBackend)?;
    let exact = Exact::default();
    // the unit in fine cells
    let shift = FINE_BITS - cells.exponent().unsigned_abs().min(FINE_BITS);
    let fine = ArgumentRange::new(cells.first() << shift, -(FINE_BITS as i32), cells.count() << shift);
    let slice = |share: f64| {
        let count = ((fine.count() as f64 * share) as u64).clamp(1, fine.count());
        fine.part(at % (fine.count() - count + 1), count)
    };
    let whole = FamilyVia { shape: Shape::of(&families), ..via.clone() };
    let estimate = whole.search(function, problem, cells, &exact, 1)?.estimate(&via.arguments)?;
    let seconds: f64 = estimate.iter().map(|estimate| estimate.seconds(&families)).sum();
    let share = cells.count() as f64 / via.cells.max(1) as f64;
    let arguments: f64 = via.arguments.iter().map(|range| range.count() as f64).sum::<f64>() * share;

    let long = slice((verification.sample_seconds / (seconds * share)).min(1.0));
    let found = whole.run(function, problem, &long, (&exact, 1), &|_| {}, interrupt)?;
    interrupt.check()?;
    let found: Vec<Case> = found.cases.iter().map(Case::from).collect();
    let by_walk = compare("lattice3-scalar", function, via, &long, &found, listed)?;

    let short = slice((ONE_BY_ONE / arguments).min(1.0));
    let search = whole.search(function, problem, &short, &exact, 1)?;
    let (mut found, mut singles) = (Vec::new(), 0);
    for x in search.listed(&via.arguments, interrupt)? {
        if is_in(search.family, x, &short)? {
            singles += 1;
            if let Verdict::Case(case) = confirm_or_beyond(function, problem, x)? {
                found.push(Case::from(&case));
            }
        }
    }
    interrupt.check()?;
    let one_by_one = compare("MPFR, one by one", function, via, &short, &found, listed)?;
    let searched = (arguments * long.count() as f64 / fine.count() as f64) as u64;
    Ok((searched, singles, [by_walk, one_by_one]))
}

/// Compares what was found in some cells with what is listed of them.
fn compare(
    engine: &str,
    function: &dyn Function,
    via: &FamilyVia,
    cells: &ArgumentRange,
    found: &[Case],
    listed: &[(Number, &Case)],
) -> Result<Option<Refusal>, DriverError> {
    let Some(family) = function.family() else { return Ok(None) };
    let mut expected = Vec::new();
    for range in &via.arguments {
        let (first, last) = (range.argument(0), range.argument(range.count() - 1));
        let from = listed.partition_point(|(x, _)| *x < first);
        for (x, case) in listed[from..].iter().take_while(|(x, _)| *x <= last) {
            if is_in(family, *x, cells)? {
                expected.push(*case);
            }
        }
    }
    let missing = found.iter().find(|case| !expected.contains(case));
    let extra = expected.iter().find(|case| !found.contains(case));
    let reason = match (missing, extra) {
        (None, None) => return Ok(None),
        (Some(case), _) => format!("{} is a case, and is not in the list", case.x),
        (None, Some(case)) => format!("{} is in the list, and was not found", case.x),
    };
    let first = format!("the turn {}", cells.argument(0));
    Ok(Some(Refusal::Sample { engine: engine.into(), first, count: cells.count(), reason }))
}
