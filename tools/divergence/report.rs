//! The measurements as tables and as JSON.

use std::path::Path;

use serde::Serialize;

use super::{MeasuredInterval, Measurement, Sample, Statistics, measure::GROUPS, published::published};
use crate::{
    ToolError,
    figures::table::{NONE, Table},
};

/// Everything, in the form of the JSON file.
#[derive(Debug, Serialize)]
pub struct Report<'a> {
    #[serde(flatten)]
    question: &'a MeasuredInterval,
    #[serde(flatten)]
    sample: Sample,
    tests: &'a [Measurement],
}

impl<'a> Report<'a> {
    /// The report of these measurements.
    pub fn new(question: &'a MeasuredInterval, sample: Sample, tests: &'a [Measurement]) -> Self {
        Self { question, sample, tests }
    }

    /// Writes the JSON file.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write_json(&self, path: &Path) -> Result<(), ToolError> {
        let text = serde_json::to_string_pretty(self).map_err(std::io::Error::from);
        text.and_then(|text| std::fs::write(path, text + "\n")).map_err(ToolError::write(path))
    }
}

/// The tables; `beside` puts the papers' numbers next to ours.
pub fn tables(measurements: &[Measurement], beside: bool) -> Vec<Table> {
    let nmdm = |counts: &Statistics| format!("{:.3}", 100.0 * counts.nmdm());
    let nmdm_of = GROUPS.map(|lanes| format!("NMDM of {lanes} lanes, %"));
    let mut turns = Table::new("Turns of the main loop", "test | min | mean | max").with_columns(nmdm_of);
    for measurement in measurements {
        let one = &measurement.groups[0];
        let ours = [one.fewest.to_string(), format!("{:.3}", one.mean()), one.most.to_string()];
        turns.row(row(measurement, &ours, nmdm));
        if let Some(papers) = published(measurement.name).filter(|_| beside) {
            let mut cells = vec![format!("papers: {}", papers.row)];
            cells.extend(papers.turns.map(|turns| turns.to_string()));
            let theirs = |lanes: &usize| if *lanes == 32 { papers.nmdm.to_string() } else { NONE.into() };
            cells.extend(GROUPS.iter().map(theirs));
            turns.row(cells);
        }
    }
    let by_lanes =
        |title| Table::new(title, "test").with_columns(GROUPS.map(|lanes| format!("{lanes} lanes")));
    let mut issued = by_lanes("Issued over useful turns");
    let mut divided = by_lanes("Turns that divide a group, %");
    for measurement in measurements {
        issued.row(row(measurement, &[], |counts| format!("{:.3}", counts.issued_over_useful())));
        divided.row(row(measurement, &[], |counts| format!("{:.2}", 100.0 * counts.divided())));
    }
    vec![turns, issued, divided]
}

/// The test's name, these cells, and a value for each number of lanes.
fn row(measurement: &Measurement, cells: &[String], value: impl Fn(&Statistics) -> String) -> Vec<String> {
    let name = [measurement.name.to_owned()];
    name.into_iter().chain(cells.iter().cloned()).chain(measurement.groups.iter().map(value)).collect()
}
