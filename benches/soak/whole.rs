//! A whole format, or some binades of it, solved by an engine: against MPFR at every number, and verified.

use std::time::Duration;

use tmd_core::Number;
use tmd_driver::{
    Certificate, DriverError, InverseUse, Solve,
    certificate::{ClassRecord, Refusal, RegionRecord, Verification},
    confirm::{Verdict, confirm},
    interval::argument,
    regions::regions,
};
use tmd_functions::parse_number;
use tmd_simd::{Level, Simd, SimdEngine};

use super::{Disagreement, SoakError, Totals, contest::Deadline, draw::Domain, means::Means};

/// Where MPFR is asked in regions of which all is known: at the ends, and at one number of so many. To tell e^-30000 from 0
/// takes thousands of bits.
const KNOWN: u64 = 251;

/// Solves, compares and verifies; nothing if all is well.
pub(super) fn contest(
    domain: &Domain,
    means: &Means,
    inverse_use: InverseUse,
    limit: Duration,
    totals: &mut Totals,
) -> Result<Option<Disagreement>, SoakError> {
    let deadline = Deadline::new(limit);
    let standby = Simd::farey(Level::best());
    let Domain { function, problem, binades, .. } = domain;
    let solve = Solve {
        function,
        problem: *problem,
        binades: binades.clone(),
        workforce: means.contender.workforce(means.threads, &standby),
        limit: f64::INFINITY,
    };
    let disagreement = |against: &str, difference: String| {
        let ours = format!("tmd solve {domain} {} ({inverse_use:?})", means.words);
        Ok(Some(Disagreement { sides: [ours, against.into()], difference }))
    };
    let solved =
        solve.plan_with(inverse_use).and_then(|plan| solve.run(&plan, &deadline, &deadline.interrupt));
    let certificate = match solved {
        Ok(certificate) => certificate,
        Err(DriverError::Symmetry { function, argument }) => {
            return disagreement("MPFR", format!("{function} has no symmetry at {argument}"));
        }
        Err(error) => return Err(error.into()),
    };
    totals.count(&means.contender.name, certificate.unit_arguments().iter().sum());
    totals.wholes += 1;
    if !certificate.is_complete() {
        // there was no time, or it has too many cases; which units is a matter of neither
        totals.incomplete += 1;
        return Ok(None);
    }
    if let Some(difference) = against_brute_force(domain, &certificate, &deadline, totals)? {
        return disagreement("MPFR at every number", difference);
    }
    if deadline.is_over() {
        totals.give_up();
        return Ok(None);
    }
    let engine = means.contender.cpu_backend();
    let other = Simd::new(SimdEngine::Regular, Level::best());
    let verification = Verification {
        certificate: &certificate,
        function,
        engine,
        other: &other,
        samples: 2,
        sample_seconds: 0.01,
        seed: 1,
    };
    let findings = verification.run(&deadline.interrupt)?;
    totals.verified += 1;
    // random expressions need not be random functions: Poisson's law is for those that have a name
    let refusal = findings.refusals.iter().find(|refusal| !matches!(refusal, Refusal::Unlikely { .. }));
    match refusal {
        Some(refusal) => disagreement("tmd verify", refusal.to_string()),
        None => Ok(None),
    }
}

/// The first difference between a certificate and what MPFR says at every number.
fn against_brute_force(
    domain: &Domain,
    certificate: &Certificate,
    deadline: &Deadline,
    totals: &mut Totals,
) -> Result<Option<String>, SoakError> {
    let Domain { function, problem, binades, .. } = domain;
    let number = |text: &str| -> Result<Number, SoakError> {
        Ok(argument(&parse_number(text)?, problem.arguments())?)
    };
    let mut listed = Vec::new();
    for case in &certificate.cases {
        listed.push((number(&case.x)?, "a case"));
    }
    for case in &certificate.exact_cases {
        listed.push((number(&case.x)?, "an exact case"));
    }
    for case in &certificate.undecided {
        listed.push((number(&case.x)?, "undecided"));
    }
    listed.sort_unstable();
    let has_all_exact = certificate.units.iter().map(|unit| unit.exact).sum::<u64>() == 0
        || !certificate.exact_cases.is_empty();
    let derived = regions(function, problem.arguments(), binades.clone())?;
    if derived.len() != certificate.regions.len() {
        return Ok(Some("the regions are others the second time".into()));
    }
    let of_all = || derived.iter().zip(&certificate.regions);
    let is_known = |record: &RegionRecord| {
        matches!(record.class, ClassRecord::Between { .. } | ClassRecord::Beside { .. })
    };
    let ends = |which: &dyn Fn(&RegionRecord) -> bool| -> Vec<(Number, Number)> {
        let regions = of_all().filter(|(_, record)| which(record));
        let ranges = regions.flat_map(|(region, _)| &region.ranges);
        ranges.map(|range| (range.argument(0), range.argument(range.count() - 1))).collect()
    };
    let (searched, known) = (ends(&|record| record.class == ClassRecord::Searched), ends(&is_known));
    let mut looked_at = 0;
    for (region, record) in of_all() {
        let is_known = is_known(record);
        for range in &region.ranges {
            for k in 0..range.count() {
                if is_known && k % KNOWN != 0 && k + 1 != range.count() {
                    continue;
                }
                if deadline.is_over() {
                    return Ok(None);
                }
                looked_at += 1;
                let x = range.argument(k);
                let verdict = confirm(function, problem, x);
                if let Some(reason) = untrue(&record.class, &verdict) {
                    return Ok(Some(format!("the region of {x} is {:?}, but {reason}", record.class)));
                }
                let is_searched = match record.class {
                    ClassRecord::Searched => true,
                    ClassRecord::Mirrored { .. } => {
                        let mirror = Number::new(-x.significand(), x.exponent());
                        searched.iter().any(|(first, last)| (*first..=*last).contains(&mirror))
                    }
                    _ => false,
                };
                let is_translated =
                    matches!(record.class, ClassRecord::Translated { .. } | ClassRecord::Mirrored { .. });
                // by translation cases follow, if they are not too many; exact ones are known by the rule alone
                let is_listed = is_searched || is_translated && certificate.rules.is_empty();
                let expected = match verdict {
                    Ok(Verdict::Case(_)) => Some("a case"),
                    Ok(Verdict::Exact(_)) if has_all_exact && is_searched => Some("an exact case"),
                    Ok(Verdict::Undecided { .. }) if is_searched => Some("undecided"),
                    _ => None,
                };
                let at = listed.partition_point(|(y, _)| *y < x);
                let found = listed.get(at).filter(|(y, _)| *y == x).map(|(_, what)| *what);
                // what is between two breakpoints is not searched for cases, and neither are its translations
                let is_known_elsewhere = is_translated && found.is_none() && follows(x, &known);
                if is_listed && !is_known_elsewhere && found != expected {
                    let text = |what: Option<&str>| what.unwrap_or("nothing").to_owned();
                    return Ok(Some(format!("{x} is listed as {} and is {}", text(found), text(expected))));
                }
            }
        }
    }
    totals.count("brute force", looked_at);
    Ok(None)
}

/// Whether x, or −x, is a power of two times an argument of one of these ranges, or differs from one by an integer.
fn follows(x: Number, ranges: &[(Number, Number)]) -> bool {
    let holds = |y: Number| {
        let either = [y, Number::new(-y.significand(), y.exponent())];
        ranges.iter().any(|(first, last)| either.iter().any(|y| first <= y && y <= last))
    };
    let times_a_power = || {
        let exponents = ranges.iter().flat_map(|(first, last)| {
            let [a, b] = [first, last].map(|end| end.log2_floor().unwrap_or_default());
            a.min(b)..=a.max(b)
        });
        let own = x.log2_floor().unwrap_or_default();
        exponents.into_iter().any(|k| holds(Number::new(x.significand(), x.exponent() + k - own)))
    };
    let beside_an_integer = || {
        let bits = u32::try_from(-x.exponent()).ok().filter(|bits| *bits < 127);
        bits.is_some_and(|bits| {
            let one = 1i128 << bits;
            let rest = x.significand().rem_euclid(one);
            holds(Number::new(rest, x.exponent())) || holds(Number::new(rest - one, x.exponent()))
        })
    };
    times_a_power() || beside_an_integer()
}

/// Why a verdict contradicts what is said of its region.
fn untrue(class: &ClassRecord, verdict: &Result<Verdict, DriverError>) -> Option<String> {
    let is_true = match (class, verdict) {
        (ClassRecord::Between { .. } | ClassRecord::Beside { .. }, Ok(verdict)) => {
            !matches!(verdict, Verdict::Exact(_))
        }
        (ClassRecord::Undefined, verdict) => verdict.is_err(),
        (ClassRecord::Exact { .. }, verdict) => matches!(verdict, Ok(Verdict::Exact(_) | Verdict::NotHard)),
        (ClassRecord::Searched, verdict) => verdict.is_ok(),
        // results beyond all numbers are between the last one and none, poles repeat themselves, and a region that is refused
        // promises nothing
        _ => true,
    };
    (!is_true).then(|| format!("{verdict:?}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_follows_from_what_is_known() {
        let number = |significand, exponent| Number::new(significand, exponent);
        // the ends of binades only: significands from 27/16 to 31/16, and from 1 to 17/16
        let known = [(number(27, 60), number(31, 60)), (number(16, -16), number(17, -16))];
        for (x, expected) in [
            (number(27, -132), true),
            (number(-27, -132), true),
            (number(29, 3), true),
            (number(26, -132), false),
            (number(5, -1), false),
            // 33·2^-17 beside 3, and 2^-8, which is not known
            (number((3 << 17) + 33, -17), true),
            (number((3 << 17) - 33, -17), true),
            (number((3 << 8) + 1, -8), false),
        ] {
            assert_eq!(follows(x, &known), expected, "{x}");
        }
    }
}
