//! Which regions are searched together, as one family of arguments by the walk in three dimensions,
//! and which one after the other.
//!
//! Arguments of one spacing on both sides of 0 are points of one lattice, and so are those of all
//! exponents of a logarithm whose results lie in one binade: a basis serves them all. The units of
//! such a group belong to its first region, the *leader*; others are searched *with* it.

use std::collections::BTreeMap;

use rayon::prelude::*;
use tmd_core::{ArgumentRange, Families};
use tmd_functions::{Family, Repetition};

use super::{
    InverseUse, Solve,
    plan::{CLEARLY, SHORTEST_UNIT, Way},
    work::Work,
};
use crate::{
    DriverError,
    family::{Known, Whole},
    plan::RangePlan,
    regions::Region,
    via::Via,
};

/// Spans of a family of which none is mirrored, at most.
const MOST_TOGETHER: usize = 2;

impl Solve<'_> {
    /// Replaces the ways of those regions that are searched all at once, and notes the other way
    /// where it is near.
    pub(super) fn join(
        &self,
        regions: &[Region],
        uses: InverseUse,
        ways: &mut [Option<Way>],
    ) -> Result<(), DriverError> {
        let (Some(family), Some((families, _))) = (self.function.family(), self.workers.families()) else {
            return Ok(());
        };
        if uses == InverseUse::Never {
            return Ok(());
        }
        let groups = match family.repetition() {
            Repetition::Period => self.periods(family, regions, uses, ways),
            Repetition::Doubling => self.doublings(family, regions, uses, ways, &families)?,
        };
        let known = Known::default();
        let wholes = groups
            .par_iter()
            .map(|group| {
                let ranges: Vec<ArgumentRange> =
                    group.iter().map(|&index| regions[index].ranges[0]).collect();
                Whole::of(self.function, &self.problem, &ranges, &families, &known)
            })
            .collect::<Result<Vec<_>, _>>()?;
        for (group, whole) in groups.iter().zip(wholes) {
            let Some(whole) = whole else { continue };
            let joint = self.joint(whole, group.first().copied().unwrap_or_default())?;
            let total: f64 = joint.iter().map(|way| way.plan.core_seconds).sum();
            let direct = seconds(ways, group);
            let is_taken = uses == InverseUse::WherePossible || total * CLEARLY < direct;
            for (&index, way) in group.iter().zip(joint) {
                let Some(planar) = ways[index].as_mut() else { continue };
                if is_taken {
                    *planar = Way { plan: way.plan.instead_of(&planar.plan), ..way };
                } else if way.plan.is_near(&planar.plan) {
                    planar.plan = planar.plan.clone().instead_of(&way.plan);
                }
            }
        }
        Ok(())
    }

    /// Regions of one spacing, those on both sides of 0 together; where the function is even or odd
    /// one side is searched.
    fn periods(
        &self,
        family: Family,
        regions: &[Region],
        uses: InverseUse,
        ways: &[Option<Way>],
    ) -> Vec<Vec<usize>> {
        let mut by_spacing: BTreeMap<i32, Vec<usize>> = BTreeMap::new();
        for (index, way) in ways.iter().enumerate() {
            let is_worth_it = way.as_ref().is_some_and(|way| {
                uses == InverseUse::WherePossible || way.plan.core_seconds > SHORTEST_UNIT
            });
            if is_worth_it && self.is_possible(&regions[index]) {
                by_spacing.entry(regions[index].ranges[0].exponent()).or_default().push(index);
            }
        }
        let together = if family.is_symmetric() { 1 } else { MOST_TOGETHER };
        by_spacing
            .into_values()
            .flat_map(|all| all.chunks(together).map(<[usize]>::to_vec).collect::<Vec<_>>())
            .collect()
    }

    /// Whether a region has arguments in a family.
    fn is_possible(&self, region: &Region) -> bool {
        use crate::family::{FamilyVia, Split};
        let split = FamilyVia::split(self.function, &self.problem, &region.ranges[0]);
        matches!(split, Ok(Some(Split { inside: Some(_), .. })))
    }

    /// The regions of a logarithm that are searched all at once: those with results of at least 2^j
    /// in magnitude, where j makes the whole fastest; or all.
    fn doublings(
        &self,
        family: Family,
        regions: &[Region],
        uses: InverseUse,
        ways: &[Option<Way>],
        families: &Families,
    ) -> Result<Vec<Vec<usize>>, DriverError> {
        let period = family.period(64)?.midpoint().to_f64();
        let mut by_binade: BTreeMap<i32, Vec<usize>> = BTreeMap::new();
        for (index, way) in ways.iter().enumerate() {
            if way.is_none() || !self.is_possible(&regions[index]) {
                continue;
            }
            let range = &regions[index].ranges[0];
            let exponent = |k: u64| range.argument(k).log2_floor().unwrap_or_default();
            // whose results are least: the first above 1, the last below
            let (first, last) = (exponent(0), exponent(range.count() - 1));
            let least = if first > 0 { f64::from(first) } else { f64::from(-1 - last) };
            by_binade.entry((least * period).log2().floor() as i32).or_default().push(index);
        }
        // from the largest results down
        let mut group: Vec<usize> = Vec::new();
        let (mut best, mut spared) = (Vec::new(), 0.0);
        for (_, mut own) in by_binade.into_iter().rev() {
            group.append(&mut own);
            group.sort_unstable();
            if uses == InverseUse::WherePossible {
                continue;
            }
            let ranges: Vec<ArgumentRange> = group.iter().map(|&index| regions[index].ranges[0]).collect();
            let whole = Whole::of(self.function, &self.problem, &ranges, families, &Known::default())?;
            let Some(whole) = whole else { continue };
            // whether the whole is clearly faster is asked of the best
            let direct = seconds(ways, &group);
            let gain = direct - whole.plan.core_seconds;
            if direct > SHORTEST_UNIT && gain > spared {
                (best, spared) = (group.clone(), gain);
            }
        }
        let group = if uses == InverseUse::WherePossible { group } else { best };
        Ok(if group.is_empty() { Vec::new() } else { vec![group] })
    }

    /// The ways of the regions of a group: the first one has the units of the family, and each
    /// those of its own that are not of it.
    fn joint(&self, whole: Whole, leader: usize) -> Result<Vec<Way>, DriverError> {
        let Whole { via, circle, plan, shares, left } = whole;
        let arguments = via.arguments.clone();
        let work = Work::shared(&shares, plan.core_seconds);
        let mut own = vec![(circle, Some(Via::Family(via)), work)];
        let (mut total, mut ways) = (plan.core_seconds, Vec::with_capacity(left.len()));
        for (number, (rest, inside)) in left.into_iter().zip(arguments.iter()).enumerate() {
            let mut ranges = if number == 0 { std::mem::take(&mut own) } else { Vec::new() };
            let mut plans = vec![RangePlan {
                from: inside.argument(0).to_string(),
                arguments: inside.count(),
                core_seconds: 0.0,
                seconds: 0.0,
                ..plan.clone()
            }];
            for range in rest {
                let direct = Way::new(self, vec![(range, None)])?;
                ranges.extend(direct.ranges);
                plans.push(direct.plan);
            }
            let plan = RangePlan::of_all(plans).ok_or(DriverError::NoBackend)?;
            total += plan.core_seconds;
            ways.push(Way { plan, ranges, with: (number > 0).then_some(leader) });
        }
        // each has an equal share, so that all are within the limit or none is
        let share = total / ways.len().max(1) as f64;
        for way in &mut ways {
            (way.plan.core_seconds, way.plan.seconds) = (share, share);
        }
        Ok(ways)
    }
}

/// What regions take otherwise.
fn seconds(ways: &[Option<Way>], group: &[usize]) -> f64 {
    group.iter().filter_map(|&index| Some(ways[index].as_ref()?.plan.core_seconds)).sum()
}
