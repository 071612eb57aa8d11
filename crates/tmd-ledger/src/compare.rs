//! [`Comparison`]: the cases of two runs in different units, or by different engines.

use std::collections::{BTreeMap, HashMap};

use tmd_core::{ArgumentRange, Number};
use tmd_driver::{
    DriverError, Solve,
    certificate::RegionRecord,
    report::{Case, Exact},
    solve::UnitResult,
};

use crate::{
    Ledger, LedgerError,
    sound::{multiple, number},
};

/// What both runs say where both have searched.
pub(crate) struct Comparison {
    /// Arguments that both have searched.
    pub(crate) compared: u128,
    /// Units of either that could not be compared.
    pub(crate) uncompared: usize,
    /// Units of the first run, and how the second differs there.
    pub(crate) differences: Vec<(usize, String)>,
}

/// A run, and its results with the numbers of their units.
type Side<'a> = (&'a Ledger, &'a [(usize, UnitResult)]);

impl Comparison {
    pub(crate) fn of(solve: &Solve, ours: Side, theirs: Side) -> Result<Self, LedgerError> {
        let ((here, ours), (there, theirs)) = (ours, theirs);
        let (mut compared, mut differences) = compare_cases(solve, ours, theirs)?;
        let (here, there) = (here.finished_regions(ours)?, there.finished_regions(theirs)?);
        let is_inverse = |(_, result): &&(usize, UnitResult)| !result.record.is_of_arguments();
        let mut uncompared = ours.iter().chain(theirs).filter(is_inverse).count();
        for (bounds, region) in &here {
            let Some(twin) = there.get(bounds).filter(|twin| region.inverse + twin.inverse > 0) else {
                continue;
            };
            differences.extend(region.compare(twin));
            uncompared -= region.inverse + twin.inverse;
            compared += region.arguments;
        }
        Ok(Self { compared, uncompared, differences })
    }
}

impl Ledger {
    /// The regions all of whose units are among these results, by their first and last arguments.
    fn finished_regions<'a>(
        &self,
        results: &'a [(usize, UnitResult)],
    ) -> Result<BTreeMap<[String; 2], Finished<'a>>, LedgerError> {
        let counts = "SELECT region, count(*) AS units FROM unit GROUP BY region";
        let query = format!("SELECT number, units, document FROM region JOIN ({counts}) ON region = number");
        let rows: Vec<(usize, usize, String)> = self.select(&query, |row| {
            Ok((row.get::<_, i64>(0)? as usize, row.get::<_, i64>(1)? as usize, row.get(2)?))
        })?;
        let mut units: HashMap<usize, Vec<&(usize, UnitResult)>> = HashMap::new();
        for result in results {
            units.entry(result.1.record.region).or_default().push(result);
        }
        let finished = rows.into_iter().filter_map(|(number, count, document)| {
            let units = units.remove(&number).filter(|units| units.len() == count)?;
            // what cannot be read is damage, which `check` names; it only is not compared
            let region: RegionRecord = serde_json::from_str(&document).ok()?;
            let inverse = units.iter().filter(|(_, result)| !result.record.is_of_arguments()).count();
            let arguments = region.arguments;
            Some(([region.first, region.last], Finished { arguments, inverse, units }))
        });
        Ok(finished.collect())
    }
}

/// A region that was searched to its end.
struct Finished<'a> {
    arguments: u128,
    /// units that searched the inverse function
    inverse: usize,
    units: Vec<&'a (usize, UnitResult)>,
}

impl Finished<'_> {
    /// Units of this run in which another run has other cases. Where a unit that has none of them
    /// is to be found is not known if it searched the inverse function: then all units of the
    /// region are meant.
    fn compare(&self, twin: &Self) -> Vec<(usize, String)> {
        let (ours, theirs) = (self.cases(), twin.cases());
        let mut differences = Vec::new();
        for (number, result) in &self.units {
            let is_missing = |case: &&Case| theirs.get(case.x.as_str()) != Some(case);
            differences.extend(
                result.cases.iter().filter(is_missing).map(|case| (*number, in_one_only("case", &case.x))),
            );
        }
        for (_, result) in &twin.units {
            for case in result.cases.iter().filter(|case| !ours.contains_key(case.x.as_str())) {
                let difference = in_one_only("case", &case.x);
                let searched = self.units.iter().filter(|(_, result)| may_search(result, &case.x));
                differences.extend(searched.map(|(number, _)| (*number, difference.clone())));
            }
        }
        differences
    }

    /// By argument.
    fn cases(&self) -> HashMap<&str, &Case> {
        self.units.iter().flat_map(|(_, result)| &result.cases).map(|case| (case.x.as_str(), case)).collect()
    }
}

/// Whether a unit may have searched at `x`: not if it searched the function itself, elsewhere.
fn may_search(result: &UnitResult, x: &str) -> bool {
    let record = &result.record;
    if !record.is_of_arguments() {
        return true;
    }
    let steps = || {
        let [x, first] = [x, &*record.first].map(|text| multiple(number(text)?, record.spacing));
        x?.checked_sub(first?)
    };
    steps().is_some_and(|steps| (0..i128::from(record.arguments)).contains(&steps))
}

fn in_one_only(what: &str, x: &str) -> String {
    format!("the {what} at {x} is in one of the two runs only")
}

/// A unit's arguments, and what is where among them.
struct Searched<'a> {
    number: usize,
    range: ArgumentRange,
    found: Vec<(Number, Found<'a>)>,
    /// of more than a certificate lists, results list none
    lists_exact: bool,
}

/// What a search says of an argument.
#[derive(Clone, Copy, PartialEq)]
enum Found<'a> {
    Case(&'a Case),
    Exact(&'a Exact),
    Undecided,
}

impl Found<'_> {
    fn name(&self) -> &'static str {
        match self {
            Self::Case(_) => "case",
            Self::Exact(_) => "exact case",
            Self::Undecided => "undecided argument",
        }
    }
}

/// Compares cases, exact cases and undecided arguments wherever both have searched: the number of
/// arguments there, and our units in which the other run differs.
fn compare_cases(
    solve: &Solve,
    here: &[(usize, UnitResult)],
    there: &[(usize, UnitResult)],
) -> Result<(u128, Vec<(usize, String)>), LedgerError> {
    let (ours, theirs) = (searched(solve, here)?, searched(solve, there)?);
    // theirs by spacing and first argument; they do not overlap each other
    let theirs: BTreeMap<(i32, i128), &Searched> =
        theirs.iter().map(|unit| ((unit.range.exponent(), unit.range.first()), unit)).collect();
    let (mut compared, mut differences) = (0, Vec::new());
    for a in &ours {
        let spacing = a.range.exponent();
        let (start, end) = (a.range.first(), a.range.first() + i128::from(a.range.count()));
        let before = theirs.range((spacing, i128::MIN)..(spacing, start)).next_back();
        for (_, b) in before.into_iter().chain(theirs.range((spacing, start)..(spacing, end))) {
            let from = start.max(b.range.first());
            let to = end.min(b.range.first() + i128::from(b.range.count()));
            if from < to {
                compared += (to - from) as u128;
                differences.extend(
                    same_cases(a, b, Number::new(from, spacing), Number::new(to - 1, spacing))
                        .map(|difference| (a.number, difference)),
                );
            }
        }
    }
    Ok((compared, differences))
}

fn searched<'a>(solve: &Solve, results: &'a [(usize, UnitResult)]) -> Result<Vec<Searched<'a>>, LedgerError> {
    let unit = |(number, result): &'a (usize, UnitResult)| {
        let cases = result.cases.iter().map(|case| (&case.x, Found::Case(case)));
        let exact = result.exact_cases.iter().map(|exact| (&exact.x, Found::Exact(exact)));
        let undecided = result.undecided.iter().map(|undecided| (&undecided.x, Found::Undecided));
        let found = cases.chain(exact).chain(undecided).map(|(x, what)| Ok((solve.argument(x)?, what)));
        Ok(Searched {
            number: *number,
            range: result.range(solve)?,
            found: found.collect::<Result<_, DriverError>>()?,
            lists_exact: result.record.exact == result.exact_cases.len() as u64,
        })
    };
    // a search of the inverse function is of breakpoints, not of arguments
    results.iter().filter(|(_, result)| result.record.is_of_arguments()).map(unit).collect()
}

impl<'a> Searched<'a> {
    /// What was found from one argument to another, exact cases only if they are asked for.
    fn inside(&self, first: Number, last: Number, with_exact: bool) -> Vec<(Number, Found<'a>)> {
        let is_asked_for = |(x, what): &&(Number, Found)| {
            first <= *x && *x <= last && (with_exact || !matches!(what, Found::Exact(_)))
        };
        self.found.iter().filter(is_asked_for).copied().collect()
    }
}

/// What two units found differently from one argument to another.
fn same_cases(a: &Searched, b: &Searched, first: Number, last: Number) -> Option<String> {
    let with_exact = a.lists_exact && b.lists_exact;
    let (ours, theirs) = (a.inside(first, last, with_exact), b.inside(first, last, with_exact));
    let alone = ours.iter().find(|one| !theirs.contains(one));
    let (x, what) = alone.or_else(|| theirs.iter().find(|one| !ours.contains(one)))?;
    Some(in_one_only(what.name(), &x.to_string()))
}
