//! What it takes to assemble a certificate: reading the results of all units, making the document
//! of them, and writing it down. Each must take a time that is linear in the number of units.

use std::{path::Path, time::Duration};

use cpu_time::ProcessTime;
use tmd_driver::certificate::Effort;
use tmd_ledger::{Ledger, Question};

use super::{Asked, Model, folder, serve};
use crate::ToolError;
use crate::figures::table::{Table, markdown};

/// Results that are kept by one transaction: nobody else waits here.
const BATCH: usize = 1 << 12;

/// Takes the figures of runs of these numbers of units, about, in run directories below
/// `directory`; `tell` hears how far it is. The tables as Markdown.
///
/// # Errors
/// Those of the ledger, and of the system.
pub fn assembly(counts: &[u64], directory: Option<&Path>, tell: impl Fn(&str)) -> Result<String, ToolError> {
    let columns = "units | what | s | µs a unit | a unit, against the first";
    let mut table = Table::new("Assembly of certificates", columns);
    table.note(
        "Seconds of all cores together, by the processor's clock: other work beside it does not count.",
    );
    let mut first: Option<Vec<f64>> = None;
    for &count in counts {
        let (units, parts) = one(count, directory)?;
        let per_unit: Vec<f64> =
            parts.iter().map(|(_, time)| time.as_secs_f64() / units.max(1) as f64).collect();
        let baseline = first.get_or_insert_with(|| per_unit.clone());
        for (((what, time), own), baseline) in parts.iter().zip(&per_unit).zip(baseline.iter()) {
            let seconds = time.as_secs_f64();
            tell(&format!("{units} units, {what}: {seconds:.2} s"));
            let figures = [seconds, own * 1e6, own / baseline].map(|figure| format!("{figure:.2}"));
            table.row([units.to_string(), (*what).into()].into_iter().chain(figures));
        }
    }
    Ok(markdown(&[table]))
}

/// Parts of the assembly, and the processor's time of each.
type Times = Vec<(&'static str, Duration)>;

/// A run of about so many units, and the processor's time of each part of the assembly and of them
/// all.
fn one(count: u64, directory: Option<&Path>) -> Result<(usize, Times), ToolError> {
    let folder = folder(directory)?;
    let asked = Asked::new(count)?;
    let solve = asked.solve()?;
    let plan = solve.plan_in_units_of(asked.unit_s)?;
    let units = plan.units.len();
    let question = Question::new(&solve, asked.unit_s, Vec::new());
    let ledger = Ledger::create(&folder.path().join("run"), &question, &plan)?;
    let model = Model::new(&solve, &plan)?;
    serve(&ledger, &solve, &plan, &model, units, BATCH)?;

    let mut parts = Vec::new();
    let begun = ProcessTime::try_now()?;
    let results = ledger.results(&plan)?.whole;
    parts.push(("read the results", begun.try_elapsed()?));
    // made-up cases are none; the certificate does not look at that
    let begun = ProcessTime::try_now()?;
    let certificate = solve.certificate(&plan, results, Vec::new(), Effort::default())?;
    parts.push(("make the certificate", begun.try_elapsed()?));
    let begun = ProcessTime::try_now()?;
    let text = certificate.to_json();
    parts.push(("write it as JSON", begun.try_elapsed()?));
    if certificate.units.len() != units || text.is_empty() {
        return Err(ToolError::failed("the certificate lacks units"));
    }
    parts.push(("all of it", parts.iter().map(|(_, time)| *time).sum()));
    Ok((units, parts))
}
