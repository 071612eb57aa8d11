//! [`SolvePlan`]: what is done with each region, cut into units of work, with the time that each
//! will take.
//!
//! Nothing in a plan depends on who carries it out but the times: not on the number of threads, and
//! not on other processes. So a plan can be made again, by another program run or by a verifier,
//! and compared.

use std::{collections::HashMap, fmt, sync::OnceLock};

use rayon::prelude::*;
use serde::Serialize;
use tmd_core::{ArgumentRange, Breakpoints, Number};

use super::{Solve, work::Work};
use crate::{
    DriverError,
    congruence::CongruenceVia,
    coverage::settle::{Fate, settle},
    inverse::{self, Part},
    plan::{CONFIRMATION, RangePlan},
    regions::{Class, Region, regions, translate::various},
    via::{Task, Via},
};

/// Core-seconds of a unit, by the estimate, at least …
pub(crate) const SHORTEST_UNIT: f64 = 2.0;

/// … and more where there would be more units than this.
const MOST_UNITS: f64 = 4096.0;

/// A search of the inverse function must be faster by this factor, by the estimate, which may be
/// wrong by as much.
pub(crate) const CLEARLY: f64 = 1.5;

/// … and it cannot be where domains are shorter than this many arguments: a search of the inverse
/// has as many domains as one of the function, but where they are limited by what an engine can do
/// with them (Remark M.13 of docs/proofs/domain.md).
const LARGE_DOMAIN: u64 = 1 << 22;

/// Where the inverse function is searched in place of the function.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum InverseUse {
    /// Nowhere.
    Never,
    /// Where that is clearly faster, by the estimate, and a matter of more than a few seconds.
    #[default]
    WhereFaster,
    /// Wherever it is proved to find the same, at whatever cost.
    WherePossible,
}

/// Which ways of a search a plan may choose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Uses {
    /// Searches of the inverse function.
    pub inverse: InverseUse,
    /// Searches of whole families of arguments, by the walk in three dimensions: nowhere, where
    /// clearly faster, or wherever there is one.
    pub families: InverseUse,
}

/// Families where they are faster.
impl From<InverseUse> for Uses {
    fn from(inverse: InverseUse) -> Self {
        Self { inverse, families: InverseUse::default() }
    }
}

/// Units of a plan whose length is chosen by the caller, at most, and as many more as there are
/// regions.
const MOST_CHOSEN_UNITS: f64 = (1u32 << 20) as f64;

/// A function over its whole domain, planned.
#[derive(Clone, Debug)]
pub struct SolvePlan {
    /// All arguments, in increasing order.
    pub regions: Vec<PlannedRegion>,
    /// The work, in increasing order of the arguments.
    pub units: Vec<Unit>,
    /// The [`calibration`](crate::Workers::calibration) of all times; 1 if they are the cost
    /// model's own.
    pub calibration: f64,
    /// The same of searches of families.
    pub family_calibration: f64,
    /// what [`bounds`](Self::bounds) says, once it was asked
    bounds: OnceLock<Vec<Vec<Bounds>>>,
}

/// The first and the last argument of a region.
type Bounds = (Number, Number);

/// A region, and what is done with it.
#[derive(Clone, Debug)]
pub struct PlannedRegion {
    /// The arguments and what is known of them.
    pub region: Region,
    /// What is done.
    pub treatment: Treatment,
}

/// What is done with a region.
#[derive(Clone, Debug)]
pub enum Treatment {
    /// Nothing: all roundings are known, or there is nothing to round.
    Known,
    /// Nothing: the function cannot be enclosed there.
    Refused,
    /// Nothing: its cases follow from those of regions that are searched, by a symmetry.
    Followed,
    /// It is searched in these units.
    Searched {
        /// how it will go
        plan: Box<RangePlan>,
        /// the first unit …
        first_unit: usize,
        /// … and their number
        units: usize,
        /// the inverse function, if that is searched; the plan is of its search then
        inverse: Option<String>,
        /// the region in whose units its arguments are searched, but for those in units of its own
        with: Option<usize>,
    },
    /// Nothing: a search would take longer than the limit.
    OutOfReach {
        /// how it would go
        plan: Box<RangePlan>,
    },
    /// Nothing: its cases would follow from regions that are out of reach.
    Stranded,
}

/// A piece of work: consecutive arguments of one spacing, searched by one engine; or the
/// breakpoints next to their results; or the cells of the circle in which the turns of a region's
/// arguments are.
#[derive(Clone, Debug, PartialEq)]
pub struct Unit {
    /// The region it belongs to.
    pub region: usize,
    /// The arguments of the function that is searched, or cells.
    pub range: ArgumentRange,
    /// If that is not the function itself, argument by argument: what the range stands for.
    pub via: Option<Via>,
    /// Expected seconds on one core, or on the device.
    pub core_seconds: f64,
}

impl Unit {
    /// The breakpoints of the function that is searched; `breakpoints` are those of the function
    /// itself.
    pub(crate) fn searched(&self, breakpoints: Breakpoints) -> Breakpoints {
        if matches!(self.via, Some(Via::Inverse(_))) { Breakpoints::Directed } else { breakpoints }
    }

    /// The arguments that the unit counts as, for progress: of a family's the share of its cells in
    /// the circle.
    pub fn weight(&self) -> u128 {
        self.via.as_ref().map_or(self.range.count().into(), |via| via.weight(&self.range))
    }

    /// What a search of the unit is.
    pub(crate) fn task<'a>(&'a self, solve: &'a Solve) -> Task<'a> {
        Task { function: solve.function, problem: &solve.problem, range: self.range, via: self.via.as_ref() }
    }
}

/// Where it begins.
impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let first = self.range.argument(0);
        match &self.via {
            None | Some(Via::Congruences(_)) => write!(f, "{first}"),
            Some(Via::Inverse(via)) => write!(f, "{} from {first}", via.function),
            Some(Via::Family(via)) => {
                let of = via.arguments.first().map_or(first, |range| range.argument(0));
                write!(f, "turns from {first} of the arguments from {of}")
            }
        }
    }
}

/// A way to search a region.
pub(super) struct Way {
    pub(super) plan: RangePlan,
    /// ranges to search one after the other, and the time they take
    pub(super) ranges: Vec<(ArgumentRange, Option<Via>, Work)>,
    /// the region whose ranges hold its arguments, too
    pub(super) with: Option<usize>,
}

/// How much there is to do, and to expect.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Totals {
    /// Numbers of the format, or of the binades asked for.
    pub arguments: u128,
    /// Numbers in regions that are searched …
    pub searched: u128,
    /// … or whose cases follow from those by a symmetry …
    pub followed: u128,
    /// … or whose roundings are known …
    pub known: u128,
    /// … or where the function has no value …
    pub undefined: u128,
    /// … or about which nothing will be known.
    pub uncovered: u128,
    /// Cases to be expected among those searched and those that follow, if results were random.
    pub expected_cases: f64,
    /// Expected seconds on one core, or on the device.
    pub core_seconds: f64,
}

impl Solve<'_> {
    /// Plans the whole domain.
    ///
    /// # Errors
    /// Binades that do not exist, backends that cannot plan.
    pub fn plan(&self) -> Result<SolvePlan, DriverError> {
        self.plan_with(InverseUse::default())
    }

    /// Plans the whole domain, with searches of the inverse function and of families where `uses`
    /// says.
    ///
    /// # Errors
    /// Binades that do not exist, backends that cannot plan.
    pub fn plan_with(&self, uses: impl Into<Uses>) -> Result<SolvePlan, DriverError> {
        self.plan_in(uses.into(), |total| SHORTEST_UNIT.max(total / MOST_UNITS))
    }

    /// The plan in units of about so many core-seconds, by the estimate: for runs that are kept
    /// unit by unit.
    ///
    /// # Errors
    /// Those of [`plan`](Self::plan).
    pub fn plan_in_units_of(&self, core_seconds: f64) -> Result<SolvePlan, DriverError> {
        self.plan_in_units_with(core_seconds, Uses::default())
    }

    /// The same in these ways.
    ///
    /// # Errors
    /// Those of [`plan`](Self::plan).
    pub fn plan_in_units_with(
        &self,
        core_seconds: f64,
        uses: impl Into<Uses>,
    ) -> Result<SolvePlan, DriverError> {
        let longest = |total: f64| core_seconds.max(total / MOST_CHOSEN_UNITS).max(f64::MIN_POSITIVE);
        self.plan_in(uses.into(), longest)
    }

    /// Plans with units of the length that `longest` makes of the core-seconds of the whole.
    fn plan_in(&self, uses: Uses, longest: impl Fn(f64) -> f64) -> Result<SolvePlan, DriverError> {
        let regions = regions(self.function, self.problem.arguments(), self.binades.clone())?;
        let ways = self.ways(&regions, uses)?;
        let is_reached = |plan: &RangePlan| plan.core_seconds <= self.limit;
        let total: f64 = ways
            .iter()
            .flatten()
            .map(|way| &way.plan)
            .filter(|plan| is_reached(plan))
            .map(|p| p.core_seconds)
            .sum();
        let longest = longest(total);

        let (mut units, mut planned) = (Vec::new(), Vec::with_capacity(regions.len()));
        let is_reachable = |index: usize| {
            let way: Option<&Way> = ways.get(index).and_then(Option::as_ref);
            way.is_none_or(|way| is_reached(&way.plan))
        };
        let settled = settle(self.problem.arguments(), regions, is_reachable);
        let mut ways: Vec<Option<Way>> = ways;
        // the numbers of regions as they are planned, by those that they had
        let mut numbers = HashMap::new();
        for (region, fate, index) in settled {
            let way = ways.get_mut(index).and_then(Option::take);
            let treatment = match (&region.class, fate, way) {
                (_, Fate::Followed, _) => Treatment::Followed,
                (Class::Search, Fate::OutOfReach, Some(Way { plan, .. })) => {
                    Treatment::OutOfReach { plan: Box::new(plan) }
                }
                (Class::Search, _, Some(Way { plan, ranges, with })) => {
                    numbers.insert(index, planned.len());
                    let first_unit = units.len();
                    let inverse = ranges
                        .iter()
                        .find_map(|(_, via, _)| Some(via.as_ref()?.inverse()?.function.to_string()));
                    for (range, via, work) in ranges {
                        units.extend(cut(planned.len(), range, via, &work, longest));
                    }
                    let units = units.len() - first_unit;
                    // which comes before
                    let with = with.and_then(|leader| numbers.get(&leader).copied());
                    Treatment::Searched { plan: Box::new(plan), first_unit, units, inverse, with }
                }
                // a region without arguments, which there is none
                (Class::Search, _, None) | (Class::Refused(_), ..) => Treatment::Refused,
                // its fate is to be stranded, as what follows is settled above
                (Class::Mirrored(_) | Class::Translated(_), ..) => Treatment::Stranded,
                (Class::Between(_) | Class::Beside(_) | Class::Exact { .. } | Class::Undefined, ..) => {
                    Treatment::Known
                }
            };
            planned.push(PlannedRegion { region, treatment });
        }
        Ok(SolvePlan {
            regions: planned,
            units,
            calibration: 1.0,
            family_calibration: 1.0,
            bounds: OnceLock::new(),
        })
    }

    /// Core-seconds that searches of regions would take, by the estimate; `None` of those that are
    /// not to be searched.
    pub(crate) fn estimates(&self, regions: &[Region], uses: Uses) -> Result<Vec<Option<f64>>, DriverError> {
        let ways = self.ways(regions, uses)?;
        Ok(ways.into_iter().map(|way| way.map(|way| way.plan.core_seconds)).collect())
    }

    /// How to search each region; `None` for those that are not to be searched, and one without
    /// arguments.
    fn ways(&self, regions: &[Region], uses: Uses) -> Result<Vec<Option<Way>>, DriverError> {
        let mut ways = regions
            .par_iter()
            .map(|region| match (&region.class, &region.ranges[..]) {
                // a region that is searched has one range
                (Class::Search, [range]) => self.planar_way(range, uses.inverse).map(Some),
                _ => Ok(None),
            })
            .collect::<Result<Vec<_>, _>>()?;
        self.join(regions, uses.families, &mut ways)?;
        Ok(ways)
    }

    /// How to search a range by walks in the plane: of the function, or of its inverse.
    fn planar_way(&self, range: &ArgumentRange, inverse_use: InverseUse) -> Result<Way, DriverError> {
        if inverse_use != InverseUse::Never
            && let Some(via) = CongruenceVia::of(self.function, &self.problem, range)
        {
            return Way::new(self, vec![(*range, Some(Via::Congruences(via)))]);
        }
        let direct = Way::new(self, vec![(*range, None)])?;
        let is_flat = match inverse_use {
            InverseUse::WherePossible => false,
            InverseUse::WhereFaster
                if direct.plan.core_seconds > SHORTEST_UNIT && direct.plan.domain_size >= LARGE_DOMAIN =>
            {
                true
            }
            // not worth another way
            InverseUse::WhereFaster | InverseUse::Never => return Ok(direct),
        };
        let Some(parts) = inverse::parts(self.function, &self.problem, range, is_flat) else {
            return Ok(direct);
        };
        let ranges =
            parts.into_iter().map(|Part { breakpoints, via }| (breakpoints, Some(Via::Inverse(via))));
        let inverse = Way::new(self, ranges.collect())?;
        let is_taken = !is_flat || inverse.plan.core_seconds * CLEARLY < direct.plan.core_seconds;
        Ok(if is_taken { Way { plan: inverse.plan.instead_of(&direct.plan), ..inverse } } else { direct })
    }
}

impl Way {
    pub(super) fn new(solve: &Solve, ranges: Vec<(ArgumentRange, Option<Via>)>) -> Result<Self, DriverError> {
        let mut plans = Vec::with_capacity(ranges.len());
        for (range, via) in &ranges {
            if let Some(Via::Congruences(via)) = via {
                let threads = solve.workers.threads();
                plans.push(RangePlan::of_congruences(range, via.pairs(range), &solve.problem, threads));
                continue;
            }
            if let Some(Via::Inverse(via)) = via
                && via.is_listed()
            {
                let listed = via.listed(&solve.problem, range);
                plans.push(RangePlan::of_list(range, listed, &solve.problem, solve.workers.threads()));
                continue;
            }
            let task =
                Task { function: solve.function, problem: &solve.problem, range: *range, via: via.as_ref() };
            let plan = task.search(solve.workers.clone())?.plan_over(&[*range])?;
            plans.extend(plan.ranges);
            let via = via.as_ref().and_then(Via::inverse);
            let (Some(plan), Some(via)) = (plans.last_mut(), via) else { continue };
            // g is enclosed at every candidate, and f at the argument next to that, which may have
            // a midpoint next to it
            let candidates = Breakpoints::Directed.expected_cases(range.count() as f64, via.extra_bits);
            plan.core_seconds += candidates * CONFIRMATION;
            plan.seconds += candidates * CONFIRMATION;
        }
        let ranges = ranges.into_iter().zip(&plans);
        let work = |plan: &RangePlan| match &plan.shares[..] {
            [] => Work::even(plan.arguments, plan.core_seconds),
            shares => Work::shared(shares, plan.core_seconds),
        };
        let ranges = ranges.map(|((range, via), plan)| (range, via, work(plan))).collect();
        let plan = RangePlan::of_all(plans).ok_or(DriverError::NoBackend)?;
        Ok(Self { plan, ranges, with: None })
    }
}

impl SolvePlan {
    /// First and last argument of each region whose arguments a unit is of: its own, and those that
    /// are searched with that one. Regions are looked through once, however many units ask.
    pub fn bounds(&self, unit: &Unit) -> &[(Number, Number)] {
        let all = self.bounds.get_or_init(|| {
            let of = |planned: &PlannedRegion| (planned.region.first(), planned.region.last());
            let mut all: Vec<Vec<Bounds>> = self.regions.iter().map(|planned| vec![of(planned)]).collect();
            for planned in &self.regions {
                // a leader comes before those that are searched with it
                if let Treatment::Searched { with: Some(leader), .. } = planned.treatment
                    && let Some(bounds) = all.get_mut(leader)
                {
                    bounds.push(of(planned));
                }
            }
            all
        });
        let bounds = all.get(unit.region).map_or(&[][..], Vec::as_slice);
        if matches!(unit.via, Some(Via::Family(_))) { bounds } else { bounds.get(..1).unwrap_or_default() }
    }

    /// Sums over the regions.
    pub fn totals(&self, solve: &Solve) -> Totals {
        let mut totals = Totals::default();
        // of what follows, without what repeats a single result
        let mut followed = 0;
        for PlannedRegion { region, treatment } in &self.regions {
            let arguments = region.arguments();
            totals.arguments += arguments;
            if matches!(treatment, Treatment::Followed) {
                let format = solve.problem.arguments();
                followed += solve.function.translation().map_or(arguments, |translation| {
                    various(translation, format, [region.first(), region.last()], arguments)
                });
            }
            *match treatment {
                Treatment::Known if region.class == Class::Undefined => &mut totals.undefined,
                Treatment::Known => &mut totals.known,
                Treatment::Followed => &mut totals.followed,
                Treatment::Searched { plan, .. } => {
                    totals.core_seconds += plan.core_seconds;
                    &mut totals.searched
                }
                Treatment::Refused | Treatment::OutOfReach { .. } | Treatment::Stranded => {
                    &mut totals.uncovered
                }
            } += arguments;
        }
        let candidates = (totals.searched + followed) as f64;
        let problem = &solve.problem;
        totals.expected_cases = problem.breakpoints().expected_cases(candidates, problem.extra_bits());
        totals
    }
}

/// A range in units that take about as long as each other, the last one less perhaps.
fn cut(
    region: usize,
    range: ArgumentRange,
    via: Option<Via>,
    work: &Work,
    longest: f64,
) -> impl Iterator<Item = Unit> {
    let count = range.count();
    let wanted = (work.between(0, count) / longest).ceil().max(1.0) as u64; // at most as many as the plan may have
    let mut starts = work.starts(wanted).into_iter().peekable();
    std::iter::from_fn(move || {
        let start = starts.next()?;
        let end = starts.peek().copied().unwrap_or(count);
        let core_seconds = work.between(start, end);
        Some(Unit { region, range: range.part(start, end - start), via: via.clone(), core_seconds })
    })
}
