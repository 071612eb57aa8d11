//! [`Found`]: what a search again found, and [`Lists`], which it is compared with.

use tmd_core::{ArgumentRange, Number, Problem};
use tmd_functions::Function;

use super::{Refusal, Verification, number};
use crate::{
    DriverError, Outcome,
    confirm::Verdict,
    family::{FamilyVia, is_in},
    report::{Case, Exact, Undecided},
};

/// What was found in some ranges.
#[derive(Default)]
pub(super) struct Found {
    cases: Vec<Case>,
    exact: Vec<Exact>,
    undecided: Vec<Undecided>,
    exact_count: u64,
}

impl From<&Outcome> for Found {
    fn from(outcome: &Outcome) -> Self {
        let undecided = |(x, bits): &(Number, u32)| Undecided { x: x.to_string(), bits: *bits };
        Self {
            cases: outcome.cases.iter().map(Case::from).collect(),
            exact: outcome.exact_cases.iter().map(Exact::from).collect(),
            undecided: outcome.undecided.iter().map(undecided).collect(),
            exact_count: outcome.exact_count,
        }
    }
}

impl Found {
    pub(super) fn add(&mut self, verdict: &Verdict) {
        match verdict {
            Verdict::NotHard => {}
            Verdict::Case(case) => self.cases.push(Case::from(case)),
            Verdict::Exact(case) => {
                self.exact.push(Exact::from(case));
                self.exact_count += 1;
            }
            Verdict::Undecided { argument, bits } => {
                self.undecided.push(Undecided { x: argument.to_string(), bits: *bits });
            }
        }
    }
}

/// The lists of a certificate by argument.
pub(super) struct Lists<'a> {
    cases: Vec<(Number, &'a Case)>,
    /// none if they are too many to be listed
    exact: Option<Vec<(Number, &'a Exact)>>,
    undecided: Vec<(Number, &'a Undecided)>,
    function: &'a dyn Function,
}

impl<'a> Lists<'a> {
    pub(super) fn new(verification: &Verification<'a>, problem: &Problem) -> Self {
        let certificate = verification.certificate;
        let at = |x: &str| number(x, problem.arguments()).ok();
        let is_listed =
            !certificate.exact_cases.is_empty() || certificate.units.iter().all(|unit| unit.exact == 0);
        let exact = certificate.exact_cases.iter().filter_map(|case| Some((at(&case.x)?, case)));
        Self {
            cases: certificate.cases.iter().filter_map(|case| Some((at(&case.x)?, case))).collect(),
            exact: is_listed.then(|| exact.collect()),
            function: verification.function,
            undecided: certificate.undecided.iter().filter_map(|case| Some((at(&case.x)?, case))).collect(),
        }
    }

    /// What is found in some ranges and not in the lists, or the other way round. `exact_count` is
    /// what a unit of just these arguments counts. The ranges are of cells if there is a family.
    pub(super) fn compare(
        &self,
        engine: String,
        ranges: &[ArgumentRange],
        family: Option<&FamilyVia>,
        found: &Found,
        exact_count: Option<u64>,
    ) -> Result<Option<Refusal>, DriverError> {
        let place = Within { function: self.function, ranges, family };
        let cases = difference("a case", &place.of(&self.cases)?, &found.cases, |case| &case.x);
        // a search that finds too many lists none
        let exact = match self.exact.as_ref().filter(|_| found.exact.len() as u64 == found.exact_count) {
            Some(listed) => difference("an exact case", &place.of(listed)?, &found.exact, |case| &case.x),
            None => None,
        };
        let undecided =
            difference("undecided", &place.of(&self.undecided)?, &found.undecided, |case| &case.x);
        let counted = exact_count.filter(|counted| *counted != found.exact_count);
        let counted = counted
            .map(|counted| format!("{} exact cases are there, and it counts {counted}", found.exact_count));
        let (Some(reason), Some(first)) = (cases.or(exact).or(undecided).or(counted), ranges.first()) else {
            return Ok(None);
        };
        let first = match family {
            Some(_) => format!("the turn {}", first.argument(0)),
            None => first.argument(0).to_string(),
        };
        let count = ranges.iter().map(ArgumentRange::count).sum();
        Ok(Some(Refusal::Sample { engine, first, count, reason }))
    }
}

/// Ranges of arguments in increasing order, or of the cells of a family's circle.
struct Within<'a> {
    function: &'a dyn Function,
    ranges: &'a [ArgumentRange],
    family: Option<&'a FamilyVia>,
}

impl Within<'_> {
    /// What of a list is there.
    fn of<'b, T>(&self, listed: &[(Number, &'b T)]) -> Result<Vec<&'b T>, DriverError> {
        let arguments = self.family.map_or(self.ranges, |via| &via.arguments);
        let mut found = Vec::new();
        for range in arguments {
            let (first, last) = (range.argument(0), range.argument(range.count() - 1));
            let from = listed.partition_point(|(x, _)| *x < first);
            for (x, case) in listed[from..].iter().take_while(|(x, _)| *x <= last) {
                if self.family.is_none() || self.has_turn_of(*x)? {
                    found.push(*case);
                }
            }
        }
        Ok(found)
    }

    /// Whether the turn of an argument is in the cells.
    fn has_turn_of(&self, x: Number) -> Result<bool, DriverError> {
        let Some(family) = self.function.family() else { return Ok(false) };
        for cells in self.ranges {
            if is_in(family, x, cells)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// The first difference between what a list has somewhere and what was found there.
fn difference<T: PartialEq>(
    what: &str,
    expected: &[&T],
    found: &[T],
    argument: impl Fn(&T) -> &str,
) -> Option<String> {
    // both are in increasing order
    if expected.len() == found.len() && expected.iter().zip(found).all(|(a, b)| **a == *b) {
        return None;
    }
    let missing = found.iter().find(|case| !expected.contains(case));
    let extra = expected.iter().find(|case| !found.contains(case));
    Some(match (missing, extra) {
        (Some(case), _) => format!("{} is {what}, and is not in the list", argument(case)),
        (None, Some(case)) => {
            format!("{} is in the list of what is {what}, and was not found", argument(case))
        }
        (None, None) => format!("the list of what is {what} is in another order"),
    })
}
