//! [`Ledger::merge_shards`], [`Ledger::merge`]: results from elsewhere, taken in or compared.

use std::collections::{BTreeMap, HashMap};

use tmd_core::{ArgumentRange, Number};
use tmd_driver::{
    DriverError, Solve, SolvePlan,
    certificate::RegionRecord,
    report::{Case, Exact},
    solve::UnitResult,
};

use crate::{
    Damage, Desk, Finish, Ledger, LedgerError,
    shards::{read, result_files},
};

/// What came of results from elsewhere.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Merged {
    /// Results that were taken in …
    pub new: usize,
    /// … and those that were there, and are the same.
    pub again: usize,
    /// Arguments at which the cases of a run in other units, or by another engine, were compared; none if results were taken in.
    pub compared: Option<u128>,
    /// Units of either run that searched the inverse function in a region that the other one has not finished: they are of
    /// breakpoints, not of arguments, so that only whole regions can be compared.
    pub uncompared: usize,
    /// Results from elsewhere that are damaged; they are left where they are.
    pub damaged: Vec<Damage>,
}

impl Ledger {
    /// Takes in the results of the shards. All that agree are kept even if others do not.
    ///
    /// # Errors
    /// [`LedgerError::Disagreement`] for the first that differs from one that is there; those of reading and writing.
    pub fn merge_shards(&self, solve: &Solve, plan: &SolvePlan) -> Result<Merged, LedgerError> {
        let mark = self.question().mark(self.plan_sha256());
        let mut merged = Merged::default();
        let mut batch = Vec::with_capacity(Desk::BATCH);
        let mut disagreement = Ok(());
        for file in result_files(self.directory())? {
            let Some(unit) = plan.units.get(file.unit) else {
                let reason = format!("{}: there is no such unit", file.path.display());
                merged.damaged.push(Damage { unit: file.unit, first: String::new(), reason });
                continue;
            };
            match read(&file.path, &mark, file.unit, unit) {
                Ok(Some(result)) => batch.push((file.unit, result)),
                // a worker replaced it this moment
                Ok(None) => {}
                Err(damage) => merged.damaged.push(damage),
            }
            if batch.len() == Desk::BATCH {
                let kept = self.keep_all(solve, plan, &std::mem::take(&mut batch), "shards")?;
                disagreement = disagreement.and(merged.add(kept));
            }
        }
        disagreement = disagreement.and(merged.add(self.keep_all(solve, plan, &batch, "shards")?));
        disagreement.map(|()| merged)
    }

    /// Takes in the results of another run of the same question, plan and engine; of another engine, or in other units, compares the
    /// cases wherever both have searched.
    ///
    /// # Errors
    /// [`LedgerError::OtherQuestion`] if the cases need not be the same; [`LedgerError::Disagreement`]; those of reading and
    /// writing.
    pub fn merge(&self, solve: &Solve, plan: &SolvePlan, other: &Self) -> Result<Merged, LedgerError> {
        let (here, there) = (self.question(), other.question());
        if !here.has_the_same_cases_as(there) {
            let (path, differences) = (other.directory().to_path_buf(), here.differences(there));
            return Err(LedgerError::OtherQuestion { path, differences });
        }
        let mut merged = Merged::default();
        if here.differences(there).is_empty() && self.plan_sha256() == other.plan_sha256() {
            let results = other.results(plan)?;
            merged.damaged = results.damaged;
            let mut disagreement = Ok(());
            let mut results = results.whole.into_iter().peekable();
            while results.peek().is_some() {
                let batch: Vec<_> = results.by_ref().take(Desk::BATCH).collect();
                disagreement = disagreement.and(merged.add(self.keep_all(solve, plan, &batch, "merged")?));
            }
            return disagreement.map(|()| merged);
        }
        let theirs = other.loose_results()?;
        merged.damaged = theirs.damaged;
        let ours = self.results(plan)?;
        let here = self.finished_regions(&ours.whole)?;
        let there = other.finished_regions(&theirs.whole)?;
        let is_inverse = |(_, result): &&(usize, UnitResult)| result.record.via.is_some();
        merged.uncompared = ours.whole.iter().chain(&theirs.whole).filter(is_inverse).count();
        let mut compared = compare_cases(solve, &ours.whole, &theirs.whole)?;
        for (bounds, region) in &here {
            let Some(twin) = there.get(bounds).filter(|twin| region.inverse + twin.inverse > 0) else {
                continue;
            };
            region.compare(twin)?;
            merged.uncompared -= region.inverse + twin.inverse;
            compared += region.arguments;
        }
        merged.compared = Some(compared);
        Ok(merged)
    }

    /// The regions all of whose units are among these results, by their first and last arguments.
    fn finished_regions<'a>(
        &self,
        results: &'a [(usize, UnitResult)],
    ) -> Result<BTreeMap<[String; 2], Finished<'a>>, LedgerError> {
        let rows: Vec<(usize, usize, String)> = self.read(|connection| {
            let counts = "SELECT region, count(*) AS units FROM unit GROUP BY region";
            let select =
                format!("SELECT number, units, document FROM region JOIN ({counts}) ON region = number");
            let mut statement = connection.prepare(&select)?;
            let rows = statement.query_map([], |row| {
                Ok((row.get::<_, i64>(0)? as usize, row.get::<_, i64>(1)? as usize, row.get(2)?))
            })?;
            rows.collect()
        })?;
        let mut units: HashMap<usize, Vec<&(usize, UnitResult)>> = HashMap::new();
        for result in results {
            units.entry(result.1.record.region).or_default().push(result);
        }
        let finished = rows.into_iter().filter_map(|(number, count, document)| {
            let units = units.remove(&number).filter(|units| units.len() == count)?;
            // what cannot be read is damage, which `check` names; it only is not compared
            let region: RegionRecord = serde_json::from_str(&document).ok()?;
            let inverse = units.iter().filter(|(_, result)| result.record.via.is_some()).count();
            let arguments = region.arguments;
            Some(([region.first, region.last], Finished { arguments, inverse, units }))
        });
        Ok(finished.collect())
    }

    /// Finishes the units of a batch by one transaction. Those that agree are kept even if others do not.
    pub(crate) fn keep_all(
        &self,
        solve: &Solve,
        plan: &SolvePlan,
        batch: &[(usize, UnitResult)],
        worker: &str,
    ) -> Result<Kept, LedgerError> {
        self.write(|transaction| {
            let mut kept = Kept { new: Vec::new(), again: 0, disagreement: Ok(()) };
            for (number, result) in batch {
                match self.keep(transaction, solve, plan, *number, result, worker) {
                    Ok(Finish::First) => kept.new.push(*number),
                    Ok(Finish::Again) => kept.again += 1,
                    Err(LedgerError::Disagreement { unit, first, difference }) => {
                        self.dispute(transaction, unit, &difference)?;
                        let error = LedgerError::Disagreement { unit, first, difference };
                        kept.disagreement = kept.disagreement.and(Err(error));
                    }
                    Err(error) => return Err(error),
                }
            }
            Ok(kept)
        })
    }
}

/// What came of the results of a batch.
pub(crate) struct Kept {
    /// Units that had no result.
    pub(crate) new: Vec<usize>,
    /// Results that were there, and are the same.
    pub(crate) again: usize,
    /// The first that is not.
    pub(crate) disagreement: Result<(), LedgerError>,
}

impl Merged {
    fn add(&mut self, kept: Kept) -> Result<(), LedgerError> {
        self.new += kept.new.len();
        self.again += kept.again;
        kept.disagreement
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
    /// Whether another run has the same cases.
    fn compare(&self, twin: &Self) -> Result<(), LedgerError> {
        let (ours, theirs) = (self.cases(), twin.cases());
        for (region, others) in [(self, &theirs), (twin, &ours)] {
            for (number, result) in &region.units {
                let is_missing = |case: &&Case| others.get(case.x.as_str()) != Some(case);
                if let Some(case) = result.cases.iter().find(is_missing) {
                    return Err(in_one_only(*number, result, "case", &case.x));
                }
            }
        }
        Ok(())
    }

    /// By argument.
    fn cases(&self) -> HashMap<&str, &Case> {
        self.units.iter().flat_map(|(_, result)| &result.cases).map(|case| (case.x.as_str(), case)).collect()
    }
}

fn in_one_only(unit: usize, result: &UnitResult, what: &str, x: &str) -> LedgerError {
    let difference = format!("the {what} at {x} is in one of the two runs only");
    LedgerError::Disagreement { unit, first: result.record.first.clone(), difference }
}

/// A unit's arguments, and what is where among them.
struct Searched<'a> {
    number: usize,
    range: ArgumentRange,
    result: &'a UnitResult,
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

/// Compares cases, exact cases and undecided arguments wherever both have searched. The number of arguments there.
fn compare_cases(
    solve: &Solve,
    here: &[(usize, UnitResult)],
    there: &[(usize, UnitResult)],
) -> Result<u128, LedgerError> {
    let (ours, theirs) = (searched(solve, here)?, searched(solve, there)?);
    // theirs by spacing and first argument; they do not overlap each other
    let theirs: BTreeMap<(i32, i128), &Searched> =
        theirs.iter().map(|unit| ((unit.range.exponent(), unit.range.first()), unit)).collect();
    let mut compared = 0;
    for a in &ours {
        let spacing = a.range.exponent();
        let (start, end) = (a.range.first(), a.range.first() + i128::from(a.range.count()));
        let before = theirs.range((spacing, i128::MIN)..(spacing, start)).next_back();
        for (_, b) in before.into_iter().chain(theirs.range((spacing, start)..(spacing, end))) {
            let from = start.max(b.range.first());
            let to = end.min(b.range.first() + i128::from(b.range.count()));
            if from < to {
                compared += (to - from) as u128;
                same_cases(a, b, Number::new(from, spacing), Number::new(to - 1, spacing))?;
            }
        }
    }
    Ok(compared)
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
            result,
            found: found.collect::<Result<_, DriverError>>()?,
            lists_exact: result.record.exact == result.exact_cases.len() as u64,
        })
    };
    // a search of the inverse function is of breakpoints, not of arguments
    results.iter().filter(|(_, result)| result.record.via.is_none()).map(unit).collect()
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

/// Whether two units found the same from one argument to another.
fn same_cases(a: &Searched, b: &Searched, first: Number, last: Number) -> Result<(), LedgerError> {
    let with_exact = a.lists_exact && b.lists_exact;
    let (ours, theirs) = (a.inside(first, last, with_exact), b.inside(first, last, with_exact));
    let alone = ours.iter().find(|one| !theirs.contains(one));
    match alone.or_else(|| theirs.iter().find(|one| !ours.contains(one))) {
        None => Ok(()),
        Some((x, what)) => Err(in_one_only(a.number, a.result, what.name(), &x.to_string())),
    }
}
