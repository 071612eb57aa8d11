//! A whole format, or some binades of it, solved by an engine: against MPFR at every number, and
//! verified.

use std::time::Duration;

use tmd_core::Number;
use tmd_driver::{
    Certificate, Coverage, DriverError, Solve, Uses,
    certificate::{ClassRecord, Refusal, Verification, ViaRecord, expand},
    confirm::{Verdict, confirm},
    coverage::{Left, Step},
    interval::argument,
    regions::regions,
    solve::Treatment,
};
use tmd_functions::parse_number;
use tmd_simd::{Level, Simd, SimdEngine};

use super::{Disagreement, Totals, contest::Deadline, draw::Domain, options::SearchOptions};
use crate::ToolError;

/// Where MPFR is asked in regions of which all is known: at the ends, and at one number of so many.
/// To tell e^-30000 from 0 takes thousands of bits.
const KNOWN: u64 = 251;

/// Solves, compares and verifies; nothing if all is well.
pub(super) fn contest(
    domain: &Domain,
    options: &SearchOptions,
    uses: Uses,
    limit: Duration,
    totals: &mut Totals,
) -> Result<Option<Disagreement>, ToolError> {
    let deadline = Deadline::new(limit);
    let fallback = Simd::farey(Level::best());
    let Domain { function, problem, binades, is_limited } = domain;
    let mut solve = Solve {
        function,
        problem: *problem,
        binades: binades.clone(),
        workers: options.contender.workers(options.threads, &fallback),
        limit: f64::INFINITY,
    };
    let disagreement = |against: &str, difference: String| {
        let ours = format!("tmd solve {domain} {} ({uses:?})", options.words);
        Ok(Some(Disagreement { sides: [ours, against.into()], difference }))
    };
    if *is_limited {
        let plan = solve.plan_with(uses)?;
        let times = plan.regions.iter().filter_map(|planned| match &planned.treatment {
            Treatment::Searched { plan, .. } => Some(plan.core_seconds),
            _ => None,
        });
        let mut times: Vec<f64> = times.collect();
        times.sort_by(f64::total_cmp);
        solve.limit = times.get(times.len() / 2).map_or(f64::INFINITY, |time| time * 0.999);
    }
    let solved = solve.plan_with(uses).and_then(|plan| solve.run(&plan, &deadline, &deadline.interrupt));
    let certificate = match solved {
        Ok(certificate) => certificate,
        Err(DriverError::Symmetry { function, argument }) => {
            return disagreement("MPFR", format!("{function} has no symmetry at {argument}"));
        }
        Err(error) => return Err(error.into()),
    };
    totals.count(&options.contender.name, certificate.unit_arguments().iter().sum());
    totals.wholes += 1;
    let is_family = |via: &Option<ViaRecord>| matches!(via, Some(ViaRecord::Family { .. }));
    totals.families += certificate.units.iter().filter(|unit| is_family(&unit.via)).count() as u64;
    if !certificate.is_finished() {
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
    let engine = options.contender.cpu_backend();
    let other = Simd::new(SimdEngine::Regular, Level::best());
    let verification = Verification {
        certificate: &certificate,
        function,
        engine,
        other: &other,
        faster: None,
        walk: None,
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
) -> Result<Option<String>, ToolError> {
    let Domain { function, problem, binades, .. } = domain;
    let number = |text: &str| -> Result<Number, ToolError> {
        Ok(argument(&parse_number(text)?, problem.arguments())?)
    };
    let mut listed: Vec<(Number, &str)> =
        expand(certificate)?.map(|case| (case.argument, "a case")).collect();
    for case in &certificate.exact_cases {
        listed.push((number(&case.x)?, "an exact case"));
    }
    for case in &certificate.undecided {
        listed.push((number(&case.x)?, "undecided"));
    }
    listed.sort_unstable();
    let has_all_exact = certificate.units.iter().map(|unit| unit.exact).sum::<u64>() == 0
        || !certificate.exact_cases.is_empty();
    let coverage = Coverage::of(certificate)?;
    let (mut looked_at, mut seen) = (0, 0u128);
    for region in regions(function, problem.arguments(), binades.clone())? {
        for range in &region.ranges {
            let own = coverage.known(range.argument(0));
            let own = own.and_then(|known| certificate.regions.get(known.region));
            let is_known = own.is_some_and(|record| {
                matches!(record.class, ClassRecord::Between { .. } | ClassRecord::Beside { .. })
            });
            seen += u128::from(range.count());
            for k in 0..range.count() {
                if is_known && k % KNOWN != 0 && k + 1 != range.count() {
                    continue;
                }
                if deadline.is_over() {
                    return Ok(None);
                }
                looked_at += 1;
                let x = range.argument(k);
                let Some(known) = coverage.known(x) else { return Ok(Some(format!("{x} is in no region"))) };
                let at = listed.partition_point(|(y, _)| *y < x);
                let found = listed.get(at).filter(|(y, _)| *y == x).map(|(_, what)| *what);
                if let Some(left) = &known.left {
                    let is_expected = match left {
                        Left::OutOfReach => domain.is_limited && found.is_none(),
                        Left::Undecided => found == Some("undecided") || found.is_none(),
                        // what should follow, and does so from nothing, is the fault of a plan
                        Left::Refused(reason) => found.is_none() && *reason != Left::Unfounded.to_string(),
                        _ => false,
                    };
                    if !is_expected {
                        return Ok(Some(format!("{x} is not covered ({left}), and is listed as {found:?}")));
                    }
                    continue;
                }
                let verdict = confirm(function, problem, x);
                let class = &certificate.regions[known.region].class;
                if let Some(reason) = untrue(class, &verdict, !known.chain.is_empty()) {
                    return Ok(Some(format!("what is known of {x} is {class:?}, but {reason}")));
                }
                let is_translated = known.chain.iter().any(|step| matches!(step, Step::Translation(_)));
                let expected = match verdict {
                    _ if *class != ClassRecord::Searched => None,
                    Ok(Verdict::Case(_)) => Some("a case"),
                    // translated ones are known by the rule alone
                    Ok(Verdict::Exact(_)) if has_all_exact && !is_translated => Some("an exact case"),
                    Ok(Verdict::Undecided { .. }) => Some("undecided"),
                    _ => None,
                };
                if found != expected {
                    let text = |what: Option<&str>| what.unwrap_or("nothing").to_owned();
                    return Ok(Some(format!("{x} is listed as {} and is {}", text(found), text(expected))));
                }
            }
        }
    }
    if seen != coverage.asked() {
        return Ok(Some(format!("{seen} numbers are in regions, of {} asked for", coverage.asked())));
    }
    totals.count("brute force", looked_at);
    Ok(None)
}

/// Why a verdict contradicts what is said of its region.
fn untrue(class: &ClassRecord, verdict: &Result<Verdict, DriverError>, is_followed: bool) -> Option<String> {
    let is_true = match (class, verdict) {
        (ClassRecord::Between { .. } | ClassRecord::Beside { .. }, Ok(verdict)) => {
            !matches!(verdict, Verdict::Exact(_))
        }
        (ClassRecord::Undefined, verdict) => verdict.is_err(),
        (ClassRecord::Exact { .. }, verdict) => matches!(verdict, Ok(Verdict::Exact(_) | Verdict::NotHard)),
        // poles repeat themselves
        (ClassRecord::Searched, verdict) => verdict.is_ok() || is_followed,
        // results beyond all numbers are between the last one and none, poles repeat themselves,
        // and a region that is refused promises nothing
        _ => true,
    };
    (!is_true).then(|| format!("{verdict:?}"))
}
