//! [`Solve::certificate`]: from the results of units to the document, with the cases that follow by
//! symmetry.

use std::collections::BTreeMap;

use tmd_core::{Number, Problem};
use tmd_functions::Function;

use super::{Solve, SolvePlan, Treatment, UnitResult, images};
use crate::{
    Certificate, DriverError,
    certificate::{Effort, Findings, Rule, UnitRecord, number_from},
    confirm::{Verdict, confirm_all},
    regions::{Class, Region, negated},
    report::{Case, Exact, Undecided},
};

impl Solve<'_> {
    /// The certificate of `plan` from the results of its units, each with its number, in any order.
    /// It is partial if some are missing; `failures` says why, where it was not for lack of time.
    ///
    /// # Errors
    /// [`DriverError::ForeignUnit`] for a result that is of another plan or there twice,
    /// [`DriverError::Symmetry`] if a case that follows by symmetry is none.
    pub fn certificate(
        &self,
        plan: &SolvePlan,
        results: impl IntoIterator<Item = (usize, UnitResult)>,
        failures: Vec<String>,
        effort: Effort,
    ) -> Result<Certificate, DriverError> {
        let mut results: Vec<(usize, UnitResult)> = results.into_iter().collect();
        results.sort_by_key(|(number, _)| *number);
        let is_twice = |i: usize| i > 0 && results[i - 1].0 == results[i].0;
        let is_foreign = |(number, result): &(usize, UnitResult)| {
            !plan.units.get(*number).is_some_and(|unit| unit.is_of(result))
        };
        if let Some(i) = (0..results.len()).find(|&i| is_twice(i) || is_foreign(&results[i])) {
            let (number, first) = (results[i].0, results[i].1.record.first.clone());
            return Err(DriverError::ForeignUnit { number, first });
        }
        let (mut records, mut findings) =
            (Vec::<UnitRecord>::with_capacity(results.len()), Findings::default());
        for (_, result) in results {
            for case in result.cases {
                findings.cases.push((self.argument(&case.x)?, case));
            }
            for case in result.exact_cases {
                findings.exact_cases.push((self.argument(&case.x)?, case));
            }
            for case in result.undecided {
                findings.undecided.push((self.argument(&case.x)?, case));
            }
            records.push(result.record);
        }
        let followed = plan.regions.iter().filter(|planned| matches!(planned.treatment, Treatment::Followed));
        let followed: Vec<&Region> = followed.map(|planned| &planned.region).collect();
        follow(self.function, &self.problem, &followed, &mut findings)?;
        Ok(Certificate::new(self, plan, records, findings, failures, effort))
    }

    /// An argument from its text in a result.
    ///
    /// # Errors
    /// A text that is no argument of the question's.
    pub fn argument(&self, text: &str) -> Result<Number, DriverError> {
        number_from(text, self.problem.arguments())
    }
}

/// Adds the cases that follow by symmetry, each confirmed by itself. Exact cases are a matter
/// of theory: those at `−x` are added, translated ones are described by the rule.
pub(crate) fn follow(
    function: &dyn Function,
    problem: &Problem,
    followed: &[&Region],
    findings: &mut Findings,
) -> Result<(), DriverError> {
    let parity = function.parity();
    let refuted = |x: Number| DriverError::Symmetry { function: function.name(), argument: x.to_string() };

    let sorted = |mut of: Vec<Number>| {
        of.sort_unstable();
        of
    };
    let searched = sorted(findings.cases.iter().map(|(x, _)| *x).collect());
    let format = problem.arguments();
    let images = |regions: &[&Region], of: &[Number]| images(parity, format, &regions.iter().copied(), of);
    let found = images(followed, &searched);
    let arguments = found.arguments();
    let verdicts = confirm_all(function, problem, &arguments)?;
    for (x, verdict) in arguments.into_iter().zip(verdicts) {
        match verdict {
            Verdict::Case(case) => findings.cases.push((x, Case::from(&case))),
            _ => return Err(refuted(x)),
        }
    }
    findings.rules = found.long.iter().map(Rule::from).collect();

    let mirrored: Vec<&Region> =
        followed.iter().copied().filter(|region| matches!(region.class, Class::Mirrored(_))).collect();
    let searched = sorted(findings.exact_cases.iter().map(|(x, _)| *x).collect());
    let arguments = images(&mirrored, &searched).arguments();
    let verdicts = confirm_all(function, problem, &arguments)?;
    for (x, verdict) in arguments.into_iter().zip(verdicts) {
        match verdict {
            Verdict::Exact(case) => findings.exact_cases.push((x, Exact::from(&case))),
            _ => return Err(refuted(x)),
        }
    }
    let bits: BTreeMap<Number, u32> = findings.undecided.iter().map(|(x, case)| (*x, case.bits)).collect();
    let searched: Vec<Number> = bits.keys().copied().collect();
    // nothing is translated here: each image is the mirror of one argument
    for image in images(&mirrored, &searched).mirrors {
        let bits = bits[&negated(image)];
        findings.undecided.push((image, Undecided { x: image.to_string(), bits }));
    }
    Ok(())
}
