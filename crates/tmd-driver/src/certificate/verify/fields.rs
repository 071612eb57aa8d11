//! What a certificate says of itself, field by field: who wrote it, by which theorem, in what time.

use tmd_core::Problem;

use super::{Findings, Refusal, Verification};
use crate::certificate::{
    Effort,
    writer::{Version, version, writer},
};

/// Compares the fields that say nothing of arguments with what they must be.
pub(super) fn check(verification: &Verification, problem: &Problem, findings: &mut Findings) {
    let certificate = verification.certificate;
    let mut refuse = |what: &'static str, written: &str, derived: String| {
        findings.refusals.push(Refusal::Field { what, written: written.to_owned(), derived });
    };
    if version(&certificate.program, env!("CARGO_PKG_VERSION")) == Version::Unknown {
        let versions = "a version that wrote certificates, this one or an earlier one".into();
        refuse("program", &certificate.program, versions);
    }
    if writer(&certificate.engine).is_none() {
        refuse("engine", &certificate.engine, "an engine that there is".into());
    }
    let rounding = problem.breakpoints().to_string();
    if certificate.rounding != rounding {
        refuse("rounding", &certificate.rounding, rounding);
    }
    let theorem = verification.function.exact_rule();
    if certificate.exact_rule != theorem {
        let text = |rule: &Option<String>| rule.clone().unwrap_or_else(|| "none".into());
        refuse("exact_rule", &text(&certificate.exact_rule), text(&theorem));
    }
    let Effort { elapsed_s, unit_s, planned_s, .. } = &certificate.effort;
    let is_time = |seconds: &f64| seconds.is_finite() && *seconds >= 0.0;
    let is_of_units = |times: &[f64]| times.is_empty() || times.len() == certificate.units.len();
    if !(is_time(elapsed_s)
        && unit_s.iter().chain(planned_s).all(is_time)
        && is_of_units(unit_s)
        && is_of_units(planned_s))
    {
        refuse("effort", "times", "a time for each unit, none of them negative".into());
    }
}
