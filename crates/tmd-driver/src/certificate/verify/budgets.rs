//! The Taylor pieces, error budgets and domains of all units, derived again; and whether the counts
//! of their phases can be.

use tmd_core::{ErrorBudget, Interrupt, Problem};

use super::{Extent, Findings, PlacedUnit, Refusal, Verification, family, phases};
use crate::{
    DriverError, Workers,
    certificate::{
        BudgetRecord, UnitRecord, ViaRecord,
        dry::Dry,
        program,
        writer::{Writer, writer},
    },
    parallel,
    via::Task,
};

impl Verification<'_> {
    /// Derives pieces and budgets again. Another version of the program may have cut other pieces,
    /// as what is cheapest changes: then they cannot be. Says of every unit whether it is known
    /// that the engine that searched left nothing of it to its fallback.
    pub(super) fn budgets(
        &self,
        problem: &Problem,
        units: &[PlacedUnit],
        extent: Extent,
        findings: &mut Findings,
        interrupt: &Interrupt,
    ) -> Result<Vec<bool>, DriverError> {
        let engine = self.engine.filter(|engine| engine.name() == self.certificate.engine);
        let records = &self.certificate.units;
        let derive = |(PlacedUnit { range, via, .. }, record): &(&PlacedUnit, &UnitRecord)| {
            let task = Task { function: self.function, problem, range: *range, via: via.as_ref() };
            let dry = Dry::new(engine.unwrap_or(self.other));
            let outcome = task.derive(Workers::cpu(&dry, 1), &record.refused, interrupt)?;
            interrupt.check()?;
            let budget = BudgetRecord::new(&outcome.budget, task.breakpoints());
            let sizes = UnitRecord::domain_sizes(&outcome);
            // of numbers that no segment has nothing was refused
            let are_all = outcome.refused == record.refused;
            let is_alone = engine.is_some() && self.is_of_this_version() && !dry.has_fallback();
            Ok((budget, outcome.pieces, sizes, are_all, is_alone))
        };
        let both: Vec<(&PlacedUnit, &UnitRecord)> = units.iter().zip(records).collect();
        let derived = parallel::map(parallel::cores(), &both, derive)?
            .into_iter()
            .collect::<Result<Vec<_>, DriverError>>()?;
        let (mut pieces, mut recut, mut refusals) = (0, 0, Vec::new());
        let mut alone: Vec<bool> = derived.iter().map(|&(.., is_alone)| is_alone).collect();
        let is_by_cpu = !matches!(writer(&self.certificate.engine), Some(Writer::Device) | None);
        for (index, (record, (budget, count, sizes, are_all, _))) in records.iter().zip(derived).enumerate() {
            let first = record.first.clone();
            pieces += count;
            let is_family = family::is_family(record);
            let contradiction = if is_family {
                phases::family_contradiction(record, self.certificate.names_refused())
            } else if matches!(
                record.via,
                Some(ViaRecord::Inverse { extra_bits: 0, .. } | ViaRecord::Congruences { .. })
            ) {
                phases::list_contradiction(record)
            } else {
                phases::contradiction(record, is_by_cpu)
            };
            if let Some(reason) = contradiction {
                findings.refusals.push(Refusal::Phases { index, first: first.clone(), reason });
            }
            if family::is_recut(record) {
                recut += 1;
                continue;
            }
            // segments of families are the same on all machines
            let is_derived = engine.is_some() || is_family;
            if is_derived && record.domain_sizes != sizes {
                let reason = format!(
                    "its domains have {:?} arguments, and {sizes:?} follow from the pieces",
                    record.domain_sizes
                );
                refusals.push(Refusal::Phases { index, first: first.clone(), reason });
            }
            if !are_all {
                let reason = "the walk refused segments that it was not given".to_owned();
                refusals.push(Refusal::Phases { index, first: first.clone(), reason });
            }
            if record.pieces != count {
                let (written, what) = (record.pieces, "Taylor pieces");
                refusals.push(Refusal::Count { index, first: first.clone(), what, written, derived: count });
            }
            for ((line, written), (_, derived)) in
                record.budget.lines(is_derived).zip(budget.lines(is_derived))
            {
                // bit by bit: both come from the same operations
                if written.to_bits() != derived.to_bits() {
                    refusals.push(Refusal::Budget { index, first: first.clone(), line, written, derived });
                }
            }
        }
        // which segments these are only a search says, as `--all` makes one
        if recut > 0 && !(extent == Extent::All && engine.is_some() && self.is_of_this_version()) {
            findings.unchecked.push(format!(
                "the segments and error budgets of {recut} units, where the walk refused a segment and an earlier program did not say which: only a search does (--all)"
            ));
        }
        if !refusals.is_empty() && !self.is_of_this_version() {
            findings.unchecked.push(format!(
                "the Taylor pieces and error budgets: {} cuts arguments otherwise than {}; let that one derive them again",
                self.certificate.program,
                program()
            ));
            alone.fill(false);
            return Ok(alone);
        }
        findings.refusals.append(&mut refusals);
        let is_planar = self.certificate.units.iter().any(|unit| !family::is_family(unit));
        let which = if engine.is_some() || !is_planar {
            "all lines of their error budgets".to_owned()
        } else {
            findings.unchecked.push(format!(
                "the domains and the lines of the error budgets that depend on the engine: {} is not here",
                self.certificate.engine
            ));
            "of their error budgets the lines that do not depend on the engine".to_owned()
        };
        findings.checked.push(format!("{pieces} Taylor pieces and {which} derived again"));
        Ok(alone)
    }
}

impl BudgetRecord {
    /// The lines by their names: all, or those that no engine has an influence on.
    fn lines(&self, all: bool) -> impl Iterator<Item = (&'static str, f64)> {
        let Self { tolerance, taylor, coefficients, tables, dropped, linear, refined, quantization } = *self;
        let lines = [tolerance, taylor, coefficients, tables, dropped, linear, refined, quantization];
        ErrorBudget::NAMES.into_iter().zip(lines).take(if all { 8 } else { 3 })
    }
}
