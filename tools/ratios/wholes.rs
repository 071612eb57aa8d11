//! What a search of one part of exp does not show: a place where slopes are nearly rational, flat
//! binades, many confirmations at once, and certificates assembled and verified.

use std::{hint::black_box, sync::Arc};

use tmd_core::{Backend, Breakpoints, Format, Interrupt, Number, Problem};
use tmd_driver::{
    Certificate, Solve, Workers,
    certificate::{Effort, Verification},
    confirm::confirm_all,
};
use tmd_functions::{Expression, parse};
use tmd_simd::{CostTable, Level, Simd, SimdEngine};

use super::subjects::{Subject, check};
use crate::ToolError;
use crate::ledger::{Asked, Model};

/// log2 of the arguments that are searched of a place.
const RATIONAL: u32 = 36;
const FLAT: u32 = 44;
const FLAT_PLACE: &str = "sin near 2^-20";

/// Arguments that are confirmed at once.
const BATCH: u64 = 10_000;

/// Units of the certificate that is assembled, about.
const UNITS: u64 = 4096;

/// All of them.
pub(super) fn all() -> Result<Vec<Subject<'static>>, ToolError> {
    let lanes = |engine| Simd::new(engine, Level::best());
    Ok(vec![
        search("exp near 2^-10", "exp", "2^-10", RATIONAL, lanes(SimdEngine::RegularTrimmed))?,
        search("exp near 2^-10", "exp", "2^-10", RATIONAL, lanes(SimdEngine::Regular))?,
        search(FLAT_PLACE, "sin", "1.5*2^-20", FLAT, lanes(SimdEngine::Farey).with_costs(CostTable::Second))?,
        search(FLAT_PLACE, "sin", "1.5*2^-20", FLAT, lanes(SimdEngine::Farey).with_costs(CostTable::Third))?,
        inverse()?,
        confirmations()?,
        assembly()?,
        verification()?,
    ])
}

fn subject(
    place: &'static str,
    name: String,
    (unit, units): (&'static str, u64),
    work: impl Fn() -> Result<(), ToolError> + 'static,
) -> Subject<'static> {
    Subject { place, name, unit, units, is_software: false, work: Box::new(work) }
}

/// An engine over the first arguments from a place on, after its list was compared with the walk's.
fn search(
    place: &'static str,
    function: &str,
    from: &str,
    log2: u32,
    engine: Simd,
) -> Result<Subject<'static>, ToolError> {
    let piece = crate::piece(function, from, 1 << log2, 53);
    let candidates = Simd::farey(Level::best()).search(&piece, &Interrupt::new())?.candidates;
    check(place, &engine, &piece, &candidates)?;
    Ok(subject(place, engine.name(), ("argument", piece.arguments()), move || {
        black_box(engine.search(black_box(&piece), &Interrupt::new())?);
        Ok(())
    }))
}

/// A binade of exp2 in x87's format where it is flat, planned and searched through log2.
fn inverse() -> Result<Subject<'static>, ToolError> {
    let (function, walk) = (parse("exp2")?, Simd::farey(Level::best()));
    let x87 = Format::named("x87")?;
    let problem = Problem::new(x87, x87, Breakpoints::All, 53)?;
    let arguments = 1 << 63;
    Ok(subject("exp2 near 2^-30, x87", "a flat binade, whole".into(), ("argument", arguments), move || {
        let workers = Workers::cpu(&walk, 1);
        let solve =
            Solve { function: &function, problem, binades: Some(-30..-29), workers, limit: f64::INFINITY };
        let certificate = solve.run(&solve.plan()?, &(), &Interrupt::new())?;
        if certificate.is_complete() {
            Ok(())
        } else {
            Err(ToolError::failed("the certificate is not complete"))
        }
    }))
}

/// Many arguments at once, on all threads.
fn confirmations() -> Result<Subject<'static>, ToolError> {
    let (function, formats) = (parse("exp")?, Format::BINARY64);
    let problem = Problem::new(formats, formats, Breakpoints::Directed, 45)?;
    let arguments: Vec<Number> = (0..BATCH)
        .map(|k| Number::new((1 << 52) + i128::from(k * 12_345_678_901 % (1 << 52)), -52))
        .collect();
    Ok(subject("exp from 1 on", "confirmation by MPFR, a batch".into(), ("argument", BATCH), move || {
        black_box(confirm_all(&function, &problem, &arguments)?);
        Ok(())
    }))
}

/// A certificate of some thousand units, made of their results and written.
fn assembly() -> Result<Subject<'static>, ToolError> {
    let asked = Asked::new(UNITS)?;
    let (plan, results) = {
        let solve = asked.solve()?;
        let plan = solve.plan_in_units_of(asked.unit_s)?;
        let model = Model::new(&solve, &plan)?;
        let results: Vec<_> = (0..plan.units.len()).map(|number| model.of(&plan, number)).collect();
        (plan, results)
    };
    let units = plan.units.len() as u64;
    Ok(subject("exp in binary32", "a certificate assembled".into(), ("unit", units), move || {
        let solve = asked.solve()?;
        let certificate = solve.certificate(&plan, results.clone(), Vec::new(), Effort::default())?;
        black_box(certificate.to_json());
        Ok(())
    }))
}

/// A whole function in binary16, verified; no samples.
fn verification() -> Result<Subject<'static>, ToolError> {
    let (function, walk): (Expression, _) = (parse("exp")?, Simd::farey(Level::best()));
    let problem = Problem::new(Format::BINARY16, Format::BINARY16, Breakpoints::All, 8)?;
    let certificate: Certificate = {
        let workers = Workers::cpu(&walk, 1);
        let solve = Solve { function: &function, problem, binades: None, workers, limit: f64::INFINITY };
        solve.run(&solve.plan()?, &(), &Interrupt::new())?
    };
    let (certificate, cases) = (Arc::new(certificate.clone()), certificate.case_count() as u64);
    Ok(subject("exp in binary16", "a certificate verified".into(), ("case", cases), move || {
        let verification = Verification {
            certificate: &certificate,
            function: &function,
            engine: Some(&walk),
            other: &walk,
            faster: None,
            walk: None,
            samples: 0,
            sample_seconds: 0.0,
            seed: 1,
        };
        let holds = verification.run(&Interrupt::new())?.holds();
        if holds { Ok(()) } else { Err(ToolError::failed("the certificate does not hold")) }
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each does what it says, once.
    #[test]
    fn all_of_them_work() {
        let all = all().unwrap();
        assert_eq!(all.len(), 8);
        for subject in all {
            (subject.work)().unwrap();
            assert!(subject.units > 0, "{}", subject.name);
        }
    }
}
