//! [`Binade`], and what a certificate says of each: what was expected, found and spent there, and
//! its cases.

use std::{cmp::Reverse, collections::BTreeMap, fmt};

use tmd_core::{BreakpointKind, Breakpoints, Number};
use tmd_driver::{Certificate, certificate::RegionRecord, report::Case};

use crate::{ReportError, list::List, number::number};

/// Arguments of one sign with `2^exponent ≤ |x| < 2^(exponent + 1)`. Ordered as the arguments are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Binade {
    /// Whether the arguments are negative.
    pub is_negative: bool,
    /// `⌊log2|x|⌋`
    pub exponent: i32,
}

impl Binade {
    /// The binade of a number; none for 0.
    pub fn of(x: Number) -> Option<Self> {
        Some(Self { is_negative: x.significand() < 0, exponent: x.log2_floor()? })
    }

    fn key(self) -> (bool, Result<i32, Reverse<i32>>) {
        // negative arguments come first, those with the largest exponents before all
        (!self.is_negative, if self.is_negative { Err(Reverse(self.exponent)) } else { Ok(self.exponent) })
    }
}

impl Ord for Binade {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.key().cmp(&other.key())
    }
}

impl PartialOrd for Binade {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// The inequality.
impl fmt::Display for Binade {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { is_negative, exponent } = self;
        if *is_negative {
            write!(f, "-2^{} < x ≤ -2^{exponent}", exponent + 1)
        } else {
            write!(f, "2^{exponent} ≤ x < 2^{}", exponent + 1)
        }
    }
}

/// What a certificate says of a binade, and of the cases of a list.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary<'a> {
    /// Arguments in units that were searched; 0 where the cases follow from those of other
    /// arguments.
    pub arguments: u128,
    /// Cases expected among them, if results were spread evenly.
    pub expected: f64,
    /// Cases that these units found.
    pub found: u64,
    /// Seconds that they took, summed over threads; none if the certificate does not say.
    pub seconds: Option<f64>,
    /// Seconds that were planned for them, on one core.
    pub planned: Option<f64>,
    /// The cases listed, by argument.
    pub cases: Vec<&'a Case>,
    /// How many cases they stand for.
    pub stands_for: u128,
}

impl<'a> Summary<'a> {
    /// The hardest case near a kind of breakpoint.
    pub fn hardest(&self, kind: BreakpointKind) -> Option<&'a Case> {
        hardest_of(self.cases.iter().copied(), kind)
    }
}

/// The hardest of some cases near a kind of breakpoint; the first one of several.
pub fn hardest_of<'a>(cases: impl IntoIterator<Item = &'a Case>, kind: BreakpointKind) -> Option<&'a Case> {
    let kind = kind.to_string();
    cases.into_iter().filter(|case| case.kind == kind).min_by(|a, b| a.log2_dist.total_cmp(&b.log2_dist))
}

/// All binades in which something was searched, or in which there are cases.
///
/// # Errors
/// If the certificate holds arguments that are no numbers, or breakpoints that do not exist.
pub fn binades<'a>(
    certificate: &Certificate,
    list: &'a List,
) -> Result<BTreeMap<Binade, Summary<'a>>, ReportError> {
    let breakpoints: Breakpoints = certificate.rounding.parse()?;
    let mut binades = BTreeMap::<Binade, Summary>::new();
    let effort = &certificate.effort;
    let is_timed =
        [&effort.unit_s, &effort.planned_s].iter().all(|times| times.len() == certificate.units.len());
    // regions that were searched together share arguments and times
    let mut together: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (number, region) in certificate.regions.iter().enumerate() {
        if let Some(leader) = region.with {
            together.entry(leader).or_insert_with(|| vec![leader]).push(number);
        }
    }
    for ((index, unit), arguments) in certificate.units.iter().enumerate().zip(certificate.unit_arguments()) {
        // a unit lies in one binade, or is 0; its first argument may be one of the inverse
        // function, but not its region's
        let region = certificate.regions.get(unit.region).filter(|_| !unit.is_of_arguments());
        let first = region.map_or(&unit.first, |region| &region.first);
        let group = together.get(&unit.region).filter(|_| !unit.is_of_arguments());
        let mut places = vec![(first, arguments, 1.0)];
        if let Some(group) = group {
            let regions = || group.iter().filter_map(|&number| certificate.regions.get(number));
            let all = regions().map(|region| region.arguments).sum::<u128>().max(1);
            let share = |region: &RegionRecord| region.arguments as f64 / all as f64;
            // what is rounded away is less than an argument a unit and region
            places = regions()
                .map(|region| (&region.first, (arguments as f64 * share(region)) as u128, share(region)))
                .collect();
        }
        for (first, arguments, share) in places {
            let Some(binade) = Binade::of(number(first)?) else { continue };
            let summary = binades.entry(binade).or_default();
            summary.arguments += arguments;
            if !together.contains_key(&certificate.leader(unit.region)) {
                summary.found += unit.cases;
            }
            if is_timed {
                *summary.seconds.get_or_insert(0.0) += effort.unit_s[index] * share;
                *summary.planned.get_or_insert(0.0) += effort.planned_s[index] * share;
            }
        }
    }
    // of a group's cases the list says in which binades they are
    let found = certificate.found_by_region()?;
    for &number in together.values().flatten() {
        let (Some(region), Some((found, _))) = (certificate.regions.get(number), found.get(number)) else {
            continue;
        };
        let Some(binade) = Binade::of(self::number(&region.first)?) else { continue };
        binades.entry(binade).or_default().found += found;
    }
    for summary in binades.values_mut() {
        summary.expected = breakpoints.expected_cases(summary.arguments as f64, certificate.extra_bits);
    }
    for case in list.cases() {
        if let Some(binade) = Binade::of(number(&case.x)?) {
            let summary = binades.entry(binade).or_default();
            summary.cases.push(case);
            summary.stands_for += list.stands_for(case);
        }
    }
    Ok(binades)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tmd_core::{Format, Interrupt, Problem, Scalar, ScalarEngine, exist::Logms};
    use tmd_driver::{InverseUse, Solve, Workers};

    /// Where the inverse was searched, units speak of results: their arguments, cases and times are
    /// the region's all the same.
    #[test]
    fn units_that_searched_the_inverse() {
        let function = tmd_functions::parse("log").unwrap();
        let walk = Scalar { engine: ScalarEngine::Farey, logms: Logms::default(), domain_size: None };
        let problem = Problem::new(Format::BINARY16, Format::BINARY16, Breakpoints::All, 8).unwrap();
        let (binades_asked, limit) = (Some(-9..12), f64::INFINITY);
        let workers = Workers::cpu(&walk, 1);
        let solve = Solve { function: &function, problem, binades: binades_asked, workers, limit };
        let [direct, inverse] = [InverseUse::Never, InverseUse::WherePossible].map(|inverse_use| {
            solve.run(&solve.plan_with(inverse_use).unwrap(), &(), &Interrupt::new()).unwrap()
        });
        // 8 = log 2980.9: two units between 2^11 and 2^12
        assert!(inverse.units.iter().any(|unit| unit.via.is_some()));
        assert!(inverse.units.len() > direct.units.len());
        let lists = [&direct, &inverse]
            .map(|certificate| List::new(certificate, crate::list::Listing::Short).unwrap());
        let [direct, inverse] = [(&direct, &lists[0]), (&inverse, &lists[1])]
            .map(|(certificate, list)| binades(certificate, list).unwrap());
        assert_eq!(direct.len(), 21);
        assert!(direct.keys().eq(inverse.keys()));
        for (direct, inverse) in direct.values().zip(inverse.values()) {
            assert_eq!((direct.arguments, direct.found), (inverse.arguments, inverse.found));
            assert_eq!((direct.expected, &direct.cases), (inverse.expected, &inverse.cases));
            assert!(inverse.seconds.is_some() && inverse.planned > Some(0.0));
        }
    }

    #[test]
    fn binades_are_ordered_as_arguments_are() {
        let numbers = [(-8, 0), (-1, 0), (-1, -3), (1, -9), (1, 0), (3, 0), (9, 5)];
        let binades: Vec<_> = numbers.map(|(m, e)| Binade::of(Number::new(m, e)).unwrap()).to_vec();
        assert!(binades.is_sorted_by(|a, b| a < b), "{binades:?}");
        assert_eq!(Binade::of(Number::ZERO), None);
        assert_eq!(binades[0].to_string(), "-2^4 < x ≤ -2^3");
        assert_eq!(binades[5].to_string(), "2^1 ≤ x < 2^2");
    }
}
