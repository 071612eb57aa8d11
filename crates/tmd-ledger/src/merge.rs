//! [`Ledger::merge_shards`], [`Ledger::merge`]: results from elsewhere, taken in or compared.

use std::collections::BTreeSet;

use tmd_driver::{Solve, SolvePlan, solve::UnitResult};

use crate::{
    Damage, Dispute, Ledger, LedgerError, UnitServer,
    compare::Comparison,
    keep::{Origin, Weighed},
    shards::{read, result_files},
    words::quoted,
};

/// What came of results from elsewhere.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Merged {
    /// Results that were taken in …
    pub new: usize,
    /// … and those that were there, and are the same.
    pub again: usize,
    /// Arguments at which the cases of a run in other units, or by another engine, were compared;
    /// none if results were taken in.
    pub compared: Option<u128>,
    /// Units of either run that searched the inverse function in a region that the other one has
    /// not finished: they are of breakpoints, not of arguments, so that only whole regions can be
    /// compared.
    pub uncompared: usize,
    /// Results from elsewhere that are damaged; they are left where they are.
    pub damaged: Vec<Damage>,
    /// Results from elsewhere that differ from those that are there. Their units are open again,
    /// except where the dispute is settled.
    pub disputes: Vec<Dispute>,
}

impl Ledger {
    /// Takes in the results of the shards. All that agree are kept even if others do not.
    ///
    /// # Errors
    /// Those of reading and writing.
    pub fn merge_shards(&self, solve: &Solve, plan: &SolvePlan) -> Result<Merged, LedgerError> {
        let mark = self.question().mark(self.plan_sha256());
        let mut merged = Merged::default();
        for files in result_files(self.directory())?.chunks(UnitServer::BATCH) {
            let (mut results, mut sources) = (Vec::new(), Vec::new());
            for file in files {
                match read(&file.path, &mark, file.unit, plan) {
                    Ok(Some(result)) => {
                        let path = file.path.strip_prefix(self.directory()).unwrap_or(&file.path);
                        results.push((file.unit, result));
                        sources.push(quoted(path));
                    }
                    // a worker replaced it this moment
                    Ok(None) => {}
                    Err(damage) => merged.damaged.push(damage),
                }
            }
            merged.take_in(self, solve, plan, &results, |i| Origin::Elsewhere(&sources[i]))?;
        }
        Ok(merged)
    }

    /// Takes in the results of another run of the same question, plan and engine; of another
    /// engine, or in other units, compares the cases wherever both have searched.
    ///
    /// # Errors
    /// [`LedgerError::OtherQuestion`] if the cases need not be the same; those of reading and
    /// writing.
    pub fn merge(&self, solve: &Solve, plan: &SolvePlan, other: &Self) -> Result<Merged, LedgerError> {
        let (here, there) = (self.question(), other.question());
        if !here.has_the_same_cases_as(there) {
            let (path, differences) = (other.directory().to_path_buf(), here.differences(there));
            return Err(LedgerError::OtherQuestion { path, differences });
        }
        let place = std::path::absolute(other.directory());
        let source = quoted(place.as_deref().unwrap_or(other.directory()));
        let mut merged = Merged::default();
        if here.differences(there).is_empty() && self.plan_sha256() == other.plan_sha256() {
            let results = other.results(plan)?;
            merged.damaged = results.damaged;
            for batch in results.whole.chunks(UnitServer::BATCH) {
                merged.take_in(self, solve, plan, batch, |_| Origin::Elsewhere(&source))?;
            }
            return Ok(merged);
        }
        let theirs = other.loose_results()?;
        merged.damaged = theirs.damaged;
        let ours = self.results(plan)?;
        let comparison = Comparison::of(solve, (self, &ours.whole), (other, &theirs.whole))?;
        merged.compared = Some(comparison.compared);
        merged.uncompared = comparison.uncompared;
        merged.disputes = self.write(|transaction| {
            // a unit has one difference with one run, or no two merges would find the same
            let mut seen = BTreeSet::new();
            let mut disputes = Vec::new();
            for (number, difference) in comparison.differences {
                if seen.insert(number) {
                    let is_settled = self.contradict(transaction, number, &source, &difference)?;
                    disputes.push(dispute(plan, number, difference, &source, is_settled));
                }
            }
            Ok(disputes)
        })?;
        Ok(merged)
    }

    /// Finishes the units of a batch by one transaction. Those that agree are kept even if others
    /// do not.
    pub(crate) fn keep_all<'a>(
        &self,
        solve: &Solve,
        plan: &SolvePlan,
        batch: &[(usize, UnitResult)],
        origin: impl Fn(usize) -> Origin<'a>,
    ) -> Result<KeptAll, LedgerError> {
        self.write(|transaction| {
            let mut kept = KeptAll { new: Vec::new(), again: 0, disputes: Vec::new() };
            for (i, (number, result)) in batch.iter().enumerate() {
                match self.keep(transaction, solve, plan, *number, result, origin(i))? {
                    Weighed::First => kept.new.push(*number),
                    Weighed::Again => kept.again += 1,
                    Weighed::Disputed { difference, is_settled } => {
                        kept.disputes.push(dispute(plan, *number, difference, origin(i).name(), is_settled));
                    }
                }
            }
            Ok(kept)
        })
    }
}

/// What came of the results of a batch.
pub(crate) struct KeptAll {
    /// Units that had no result.
    pub(crate) new: Vec<usize>,
    /// Results that were there, and are the same.
    pub(crate) again: usize,
    /// Those that are not.
    pub(crate) disputes: Vec<Dispute>,
}

impl Merged {
    /// Whether nothing is wrong with what came, and nothing was left out.
    pub fn is_sound(&self) -> bool {
        self.damaged.is_empty()
            && self.disputes.is_empty()
            && self.uncompared == 0
            && self.compared != Some(0)
    }

    fn take_in<'a>(
        &mut self,
        ledger: &Ledger,
        solve: &Solve,
        plan: &SolvePlan,
        results: &[(usize, UnitResult)],
        origin: impl Fn(usize) -> Origin<'a>,
    ) -> Result<(), LedgerError> {
        let kept = ledger.keep_all(solve, plan, results, origin)?;
        self.new += kept.new.len();
        self.again += kept.again;
        self.disputes.extend(kept.disputes);
        Ok(())
    }
}

fn dispute(plan: &SolvePlan, unit: usize, difference: String, source: &str, is_settled: bool) -> Dispute {
    let first = plan.units.get(unit).map_or_else(String::new, |unit| unit.range.argument(0).to_string());
    Dispute { unit, first, difference, sources: vec![source.to_owned()], is_settled }
}
