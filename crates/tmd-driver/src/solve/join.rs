//! Which regions are searched together, as one family of arguments by the walk in three dimensions,
//! and which one after the other.
//!
//! Arguments of one spacing on both sides of 0 are points of one lattice, and with them those of
//! wider spacings; and so are those of all exponents of a logarithm whose results lie in one
//! binade: a basis serves them all. The units of
//! such a group belong to its first region, the *leader*; others are searched *with* it.

use std::collections::BTreeMap;

use rayon::prelude::*;
use tmd_core::{ArgumentRange, Families, difftable::power_of_two};
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

/// Binades whose arguments are searched as some of the multiples of the finest spacing, at most.
///
/// The number of windows is as the cube root of that of the indices (`Sweep::half_width`): n
/// binades take (2^n − 1)^(1/3)/n of the time that they take one by one, 0.72 of it for n = 2,
/// 0.64, 0.62 and 0.63 for 3, 4 and 5.
const MOST_BINADES: usize = 4;

/// That share for as many, and a little more.
const SHARE: f64 = 0.65;

/// Quasi-periods that a binade must span, unless a family is wanted at any cost. With fewer most
/// points of a window are consecutive arguments, whose slope next to a zero is so near to an
/// integer that lanes refuse all but short segments: of tan on [4, 8), 1.27 periods, they take some
/// twenty windows at a time, on [8, 16) as many as elsewhere.
const LEAST_PERIODS: f64 = 2.0;

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
            Repetition::Period => self.periods(family, regions, uses, ways, &families)?,
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

    /// Regions of some consecutive spacings, those on both sides of 0 together; where the function
    /// is even or odd one side is searched.
    ///
    /// Those whose own search takes less time than their share of a group's are left out.
    fn periods(
        &self,
        family: Family,
        regions: &[Region],
        uses: InverseUse,
        ways: &[Option<Way>],
        families: &Families,
    ) -> Result<Vec<Vec<usize>>, DriverError> {
        let known = Known::default();
        let is_worth_it = |(index, way): (usize, &Option<Way>)| {
            let is_long = way.as_ref().is_some_and(|way| {
                uses == InverseUse::WherePossible || way.plan.core_seconds > SHORTEST_UNIT
            });
            let (Some(way), true) = (way, is_long && self.is_possible(&regions[index])) else {
                return Ok(None);
            };
            let range = regions[index].ranges[0];
            if uses == InverseUse::WherePossible {
                return Ok(Some((index, range.exponent())));
            }
            if periods_of(family, &range)? < LEAST_PERIODS {
                return Ok(None);
            }
            let whole = Whole::of(self.function, &self.problem, &[range], families, &known)?;
            let is_faster =
                whole.is_some_and(|whole| SHARE * whole.plan.core_seconds * CLEARLY < way.plan.core_seconds);
            Ok::<_, DriverError>(is_faster.then_some((index, range.exponent())))
        };
        let found = ways.par_iter().enumerate().map(is_worth_it).collect::<Result<Vec<_>, DriverError>>()?;
        let mut by_spacing: BTreeMap<i32, Vec<usize>> = BTreeMap::new();
        for (index, spacing) in found.into_iter().flatten() {
            by_spacing.entry(spacing).or_default().push(index);
        }
        let together = if family.is_symmetric() { 1 } else { MOST_TOGETHER };
        Ok(groups(&by_spacing, together))
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

/// How many quasi-periods a range spans.
fn periods_of(family: Family, range: &ArgumentRange) -> Result<f64, DriverError> {
    let (factor, log2) = family.factor();
    let step = f64::from(factor.abs()) * power_of_two(log2.saturating_add(range.exponent()));
    Ok(range.count() as f64 * step / family.period(64)?.midpoint().to_f64())
}

/// What regions take otherwise.
fn seconds(ways: &[Option<Way>], group: &[usize]) -> f64 {
    group.iter().filter_map(|&index| Some(ways[index].as_ref()?.plan.core_seconds)).sum()
}

/// Regions by the exponent of their spacing, so many of each, and of consecutive exponents at most
/// [`MOST_BINADES`], in groups that are about as large.
fn groups(by_spacing: &BTreeMap<i32, Vec<usize>>, together: usize) -> Vec<Vec<usize>> {
    let (mut groups, mut chain): (Vec<Vec<usize>>, Vec<&[usize]>) = (Vec::new(), Vec::new());
    let mut end = |chain: &mut Vec<&[usize]>| {
        let count = chain.len().div_ceil(MOST_BINADES);
        for part in 0..count {
            let [from, to] = [part, part + 1].map(|k| k * chain.len() / count);
            let mut group = chain[from..to].concat();
            // leaders come first
            group.sort_unstable();
            groups.push(group);
        }
        chain.clear();
    };
    let mut next = None;
    for (&exponent, all) in by_spacing {
        // more than those of one span on each side are pieces of a binade
        if next != Some(exponent) || all.len() > together {
            end(&mut chain);
        }
        for own in all.chunks(together) {
            chain.push(own);
            if all.len() > together {
                end(&mut chain);
            }
        }
        next = Some(exponent + 1);
    }
    end(&mut chain);
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every region is in one group, and groups are of consecutive spacings.
    #[test]
    fn groups_of_binades() {
        let spacings = |exponents: &[i32], sides: usize| -> BTreeMap<i32, Vec<usize>> {
            let regions =
                |n: usize| (0..sides).map(|side| if side == 0 { 100 - n } else { 100 + n }).collect();
            exponents.iter().enumerate().map(|(n, &e)| (e, regions(n))).collect()
        };
        assert_eq!(groups(&BTreeMap::new(), 1), Vec::<Vec<usize>>::new());
        let five = groups(&spacings(&[1, 2, 3, 4, 5], 1), 1);
        assert_eq!(five, [vec![99, 100], vec![96, 97, 98]]);
        let gap = groups(&spacings(&[1, 2, 4, 5], 2), 2);
        assert_eq!(gap, [vec![99, 100, 100, 101], vec![97, 98, 102, 103]]);
        let eight = groups(&spacings(&[2, 3, 4, 5, 6, 7, 8, 9], 2), 2);
        assert_eq!(eight.iter().map(Vec::len).collect::<Vec<_>>(), [8, 8]);
        // two pieces of a binade stay by themselves
        let pieces = groups(&BTreeMap::from([(3, vec![7]), (4, vec![8, 9]), (5, vec![10])]), 1);
        assert_eq!(pieces, [vec![7], vec![8], vec![9], vec![10]]);
    }
}
