//! Regions that a certificate calls out of reach: the time of their search, derived again.

use tmd_core::Problem;

use super::{Findings, Refusal, Verification};
use crate::{
    DriverError, Solve, Workers,
    certificate::ClassRecord,
    regions::{Class, Region},
    solve::{InverseUse, Uses},
};

/// Estimates of two machines may differ by as much: their logarithms are not the same in the last
/// bit.
const SAME: f64 = 1e-9;

/// Compares the core-seconds of regions out of reach with what a plan says, and with those of
/// regions that were searched: one limit lies between them.
pub(super) fn check(
    verification: &Verification,
    problem: &Problem,
    regions: &[Region],
    findings: &mut Findings,
) -> Result<(), DriverError> {
    let certificate = verification.certificate;
    let written: Vec<Option<f64>> = regions
        .iter()
        .zip(&certificate.regions)
        .map(|(region, record)| match (&region.class, &record.class) {
            (Class::Search, ClassRecord::OutOfReach { core_seconds }) => Some(*core_seconds),
            _ => None,
        })
        .collect();
    let count = written.iter().flatten().count();
    if count == 0 {
        return Ok(());
    }
    let engine = verification.engine.filter(|engine| engine.name() == certificate.engine);
    // without its lanes an engine does not say what its walk in three dimensions costs
    let engine =
        engine.filter(|engine| verification.function.family().is_none() || engine.families().is_some());
    let (Some(engine), true) = (engine, verification.is_of_this_version()) else {
        let sentence = format!(
            "the estimates of {count} regions that are out of reach: {} made them",
            certificate.engine
        );
        findings.unchecked.push(sentence);
        return Ok(());
    };
    let solve = Solve {
        function: verification.function,
        problem: *problem,
        binades: certificate.binades(),
        workers: Workers::cpu(engine, 1),
        limit: f64::INFINITY,
    };
    let mut refusal = None;
    for uses in ways(verification.function.family().is_some()) {
        let seconds = solve.estimates(regions, uses)?;
        let is_same = |(written, derived): (&Option<f64>, &Option<f64>)| match (written, derived) {
            (Some(written), Some(derived)) => (written - derived).abs() <= SAME * derived,
            (written, _) => written.is_none(),
        };
        let longest = seconds.iter().zip(&written).filter(|(_, written)| written.is_none());
        let longest = longest.filter_map(|(seconds, _)| *seconds).fold(0.0, f64::max);
        let other = written.iter().zip(&seconds).position(|pair| !is_same(pair));
        let shorter = written
            .iter()
            .position(|written| written.is_some_and(|seconds| seconds < longest * (1.0 - SAME)));
        let Some(index) = other.or(shorter) else {
            findings.checked.push(format!(
                "the estimates of {count} regions that are out of reach derived again: each would take longer than any that was searched"
            ));
            return Ok(());
        };
        refusal.get_or_insert_with(|| Refusal::Reach {
            index,
            first: certificate.regions[index].first.clone(),
            written: written[index].unwrap_or_default(),
            derived: seconds[index].unwrap_or_default(),
            longest,
        });
    }
    findings.refusals.extend(refusal);
    Ok(())
}

/// The ways in which a plan may have been made, the usual one first.
fn ways(has_family: bool) -> Vec<Uses> {
    const ALL: [InverseUse; 3] = [InverseUse::WhereFaster, InverseUse::Never, InverseUse::WherePossible];
    let families = if has_family { &ALL[..] } else { &ALL[..1] };
    families
        .iter()
        .flat_map(|&families| ALL.into_iter().map(move |inverse| Uses { inverse, families }))
        .collect()
}
