//! The lists of a certificate: each case confirmed again, and counted unit by unit.

use rayon::prelude::*;
use tmd_core::{Format, Number, Problem};

use super::{Findings, PlacedUnit, Refusal, Verification, number};
use crate::{
    DriverError,
    certificate::{ClassRecord, MOST_EXACT, Rule, UnitRecord, number_from, rule::ends_of_rules},
    confirm::{Verdict, confirm, confirm_all},
    inverse::breakpoint_of,
    regions::{Class, Region, negated},
    report::{Case, Exact, Undecided},
    solve::images,
    via::Via,
};

/// Checks cases, exact cases and undecided arguments against the function and against the units
/// that found them.
pub(super) fn check(
    verification: &Verification,
    problem: &Problem,
    regions: &[Region],
    units: &[PlacedUnit],
    findings: &mut Findings,
) -> Result<(), DriverError> {
    let certificate = verification.certificate;
    let format = problem.arguments();
    let cases: Vec<&str> = certificate.cases.iter().map(|case| case.x.as_str()).collect();
    let exact: Vec<&str> = certificate.exact_cases.iter().map(|case| case.x.as_str()).collect();
    let undecided: Vec<&str> = certificate.undecided.iter().map(|case| case.x.as_str()).collect();
    let of_cases = |unit: &UnitRecord| unit.cases;
    let of_exact = |unit: &UnitRecord| unit.exact;
    let of_undecided = |unit: &UnitRecord| unit.undecided;
    let followed = regions.iter().zip(&certificate.regions).filter(|(_, record)| {
        matches!(record.class, ClassRecord::Mirrored { .. } | ClassRecord::Translated { .. })
    });
    let followed: Vec<&Region> = followed.map(|(region, _)| region).collect();
    let mirrored: Vec<&Region> =
        followed.iter().copied().filter(|region| matches!(region.class, Class::Mirrored(_))).collect();
    let places = |followed| Places { verification, problem, regions, units, format, followed };
    let (everywhere, mirrored) = (places(followed), places(mirrored));
    let (cases, rules) = everywhere.count("case", &cases, of_cases, findings)?;
    if rules != certificate.rules {
        let is_other = |(index, rule): &(usize, &Rule)| rules.get(*index) != Some(*rule);
        let written = certificate.rules.iter().enumerate().find(is_other).map(|(_, rule)| rule.to_string());
        let reason = format!(
            "{} rules of what repeats follow, and these are not the {} written",
            rules.len(),
            certificate.rules.len()
        );
        let x = written.unwrap_or_else(|| "of the rules".into());
        findings.refusals.push(Refusal::Listed { what: "case", x, reason });
    }
    // a list of exact cases that is left out is left out whole
    let is_left_out = exact.is_empty() && mirrored.exact_count() > MOST_EXACT as u128;
    let exact =
        if is_left_out { Vec::new() } else { mirrored.count("exact case", &exact, of_exact, findings)?.0 };
    let undecided = mirrored.count("undecided argument", &undecided, of_undecided, findings)?.0;

    let verdicts = |list: &[Number]| confirm_all(verification.function, problem, list);
    for (verdict, written) in verdicts(&cases)?.iter().zip(&certificate.cases) {
        let reason = match verdict {
            Verdict::Case(case) if Case::from(case) == *written => continue,
            Verdict::Case(case) => {
                format!("MPFR says {:?}, the list {written:?}", Case::from(case))
            }
            _ => "MPFR says that it is none".into(),
        };
        findings.refusals.push(Refusal::Listed { what: "case", x: written.x.clone(), reason });
    }
    if rules == certificate.rules {
        rules_hold(verification, problem, findings)?;
    }
    for (verdict, written) in verdicts(&exact)?.iter().zip(&certificate.exact_cases) {
        if !matches!(verdict, Verdict::Exact(case) if Exact::from(case) == *written) {
            let reason = "it is none, or has another value".into();
            findings.refusals.push(Refusal::Listed { what: "exact case", x: written.x.clone(), reason });
        }
    }
    for (verdict, written) in verdicts(&undecided)?.iter().zip(&certificate.undecided) {
        let is_it = matches!(verdict, Verdict::Undecided { argument, bits }
            if *written == Undecided { x: argument.to_string(), bits: *bits });
        if !is_it {
            let (x, reason) = (written.x.clone(), format!("MPFR decides it otherwise: {verdict:?}"));
            findings.refusals.push(Refusal::Listed { what: "undecided argument", x, reason });
        }
    }
    let so_far = if undecided.is_empty() {
        String::new()
    } else {
        format!(" and {} undecided arguments", undecided.len())
    };
    findings.checked.push(format!(
        "{} cases and {} exact cases{so_far} confirmed again with MPFR, in the numbers that the units found",
        cases.len(),
        exact.len()
    ));
    Ok(())
}

/// Confirms the cases at both ends of each rule.
fn rules_hold(
    verification: &Verification,
    problem: &Problem,
    findings: &mut Findings,
) -> Result<(), DriverError> {
    let certificate = verification.certificate;
    let ends = match ends_of_rules(certificate) {
        Ok(ends) => ends,
        Err(error) => {
            findings.refusals.push(Refusal::Unreadable { reason: error.to_string() });
            return Ok(());
        }
    };
    let confirmed: Vec<(Verdict, &Case)> = ends
        .par_iter()
        .map(|case| {
            let x = number_from(&case.x, problem.arguments())?;
            Ok((confirm(verification.function, problem, x)?, case))
        })
        .collect::<Result<_, DriverError>>()?;
    for (verdict, case) in confirmed {
        if !matches!(&verdict, Verdict::Case(found) if Case::from(found) == *case) {
            let reason = format!("a rule says {case:?}, MPFR {verdict:?}");
            findings.refusals.push(Refusal::Listed { what: "case", x: case.x.clone(), reason });
        }
    }
    if !certificate.rules.is_empty() {
        let behind = certificate.case_count() - certificate.cases.len() as u128;
        findings.checked.push(format!(
            "{} rules, which stand for {behind} more cases, derived again, and both ends of each confirmed with MPFR",
            certificate.rules.len()
        ));
    }
    Ok(())
}

/// Where arguments may be: in units, or where cases follow from those.
struct Places<'a> {
    verification: &'a Verification<'a>,
    problem: &'a Problem,
    regions: &'a [Region],
    /// region by region
    units: &'a [PlacedUnit],
    format: Format,
    followed: Vec<&'a Region>,
}

impl Places<'_> {
    /// Reads a list in increasing order; compares the numbers of its elements in each unit with
    /// what the unit counts, and those elsewhere with what follows from them by symmetry. The rules
    /// for what follows and is not listed come with it.
    fn count(
        &self,
        what: &'static str,
        list: &[&str],
        counted: impl Fn(&UnitRecord) -> u64,
        findings: &mut Findings,
    ) -> Result<(Vec<Number>, Vec<Rule>), DriverError> {
        let mut refuse = |x: &str, reason: String| {
            findings.refusals.push(Refusal::Listed { what, x: x.to_owned(), reason });
        };
        let mut numbers: Vec<Number> = Vec::with_capacity(list.len());
        let mut found = vec![0u64; self.units.len()];
        let (mut searched, mut others) = (Vec::new(), Vec::new());
        for &text in list {
            let x = match number(text, self.format) {
                Ok(x) => x,
                Err(reason) => {
                    refuse(text, reason);
                    continue;
                }
            };
            if numbers.last().is_some_and(|before| *before >= x) {
                refuse(text, "the list is not in increasing order".into());
            }
            numbers.push(x);
            match self.unit(x)? {
                Some(unit) => {
                    found[unit] += 1;
                    searched.push(x);
                }
                None => others.push(x),
            }
        }
        let parity = self.verification.function.parity();
        let images = images(parity, self.format, &self.followed.iter().copied(), &searched);
        let (arguments, rules) = (images.arguments(), images.long.iter().map(Rule::from).collect());
        if arguments != others {
            for x in others.iter().filter(|x| arguments.binary_search(x).is_err()) {
                refuse(
                    &x.to_string(),
                    "it is in no region that was searched, and does not follow from one that is".into(),
                );
            }
            for x in arguments.iter().filter(|x| others.binary_search(x).is_err()) {
                refuse(&x.to_string(), "it follows by symmetry, and is not in the list".into());
            }
        }
        for (index, (unit, found)) in self.verification.certificate.units.iter().zip(found).enumerate() {
            let written = counted(unit);
            if written != found {
                let first = unit.first.clone();
                findings.refusals.push(Refusal::Count { index, first, what, written, derived: found });
            }
        }
        Ok((numbers, rules))
    }

    /// How many exact cases a list would have, at most: those that units count, and those that
    /// mirror them.
    fn exact_count(&self) -> u128 {
        let is_mirrored = |index: usize| {
            let region = &self.regions[index];
            let (first, last) = (negated(region.last()), negated(region.first()));
            self.followed.iter().any(|other| other.first() <= last && other.last() >= first)
        };
        let of_unit = |unit: &UnitRecord| {
            let copies = if unit.region < self.regions.len() && is_mirrored(unit.region) { 2 } else { 1 };
            u128::from(unit.exact) * copies
        };
        self.verification.certificate.units.iter().map(of_unit).sum()
    }

    /// The unit that finds an argument. Regions are in increasing order, and so are the units of
    /// one.
    fn unit(&self, x: Number) -> Result<Option<usize>, DriverError> {
        let Some(region) = self.regions.partition_point(|region| region.first() <= x).checked_sub(1) else {
            return Ok(None);
        };
        if x > self.regions[region].last() {
            return Ok(None);
        }
        let units_of = |region: usize| {
            let from = self.units.partition_point(|unit| unit.region < region);
            let units = &self.units[from..];
            (from, &units[..units.partition_point(|unit| unit.region == region)])
        };
        // searched with another region's arguments, but for some that have units of their own
        if let Some(leader) = self.verification.certificate.regions[region].with {
            let (from, units) = units_of(leader);
            if let Some(index) = super::family::unit(self.verification.function, units, x)? {
                return Ok(Some(from + index));
            }
        }
        let (from, units) = units_of(region);
        if units.first().is_some_and(|unit| matches!(unit.via, Some(Via::Family(_)))) {
            return Ok(super::family::unit(self.verification.function, units, x)?.map(|index| from + index));
        }
        let is_by_inverse = units.first().is_some_and(|unit| matches!(unit.via, Some(Via::Inverse(_))));
        // where the inverse is searched it is the breakpoint that is in the unit
        let place = if is_by_inverse {
            let function = self.verification.function;
            breakpoint_of(function, self.problem, &confirm(function, self.problem, x)?)?
        } else {
            Some(x)
        };
        let Some(place) = place else { return Ok(None) };
        let after = units.partition_point(|unit| unit.range.argument(0) <= place);
        let Some(index) = after.checked_sub(1) else { return Ok(None) };
        let range = &units[index].range;
        Ok((place <= range.argument(range.count() - 1)).then_some(from + index))
    }
}
