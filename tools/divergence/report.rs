//! The measurements as tables for people, JSON and CSV.

use std::{
    fmt::{self, Write},
    path::Path,
};

use serde::Serialize;

use super::{
    DivergenceError, MeasuredInterval, Measurement, Sample, Statistics,
    measure::GROUPS,
    published::{Published, published},
};

/// Everything, in the form of the JSON file.
#[derive(Debug, Serialize)]
pub struct Report {
    function: String,
    from: String,
    to: String,
    argument_precision: u32,
    breakpoints: String,
    extra_bits: u32,
    /// whether a domain's arguments are numbered from its end: a is then the slope
    from_end: bool,
    /// one block of 64 consecutive domains in so many is measured
    every: u64,
    ends_early: bool,
    tests: Vec<Test>,
}

/// One test.
#[derive(Debug, Serialize)]
struct Test {
    name: &'static str,
    domain: u64,
    domains: u64,
    groups: Vec<Group>,
}

/// One test in groups of one size: a line of the CSV file, but for the lists.
#[derive(Debug, Serialize)]
struct Group {
    lanes: usize,
    groups: u64,
    fewest_turns: u64,
    mean_turns: f64,
    most_turns: u64,
    /// mean of 1 − mean/max over groups, in percent
    nmdm_percent: f64,
    useful_lane_turns: u64,
    issued_lane_turns: u64,
    issued_over_useful: f64,
    /// share of the groups' turns in which lanes disagree on the main condition
    divided_turns_percent: f64,
    /// groups by NMDM, bins of 1 %
    nmdm_histogram: Vec<u64>,
    /// for each of the first turns, the percentage of the groups that get there whose lanes
    /// disagree
    divided_percent_by_turn: Vec<f64>,
}

#[derive(Serialize)]
struct CsvLine<'a> {
    test: &'a str,
    domain: u64,
    lanes: usize,
    groups: u64,
    fewest_turns: u64,
    mean_turns: f64,
    most_turns: u64,
    nmdm_percent: f64,
    useful_lane_turns: u64,
    issued_lane_turns: u64,
    issued_over_useful: f64,
    divided_turns_percent: f64,
}

impl Report {
    /// The report of these measurements.
    pub fn new(question: &MeasuredInterval, sample: Sample, measurements: &[Measurement]) -> Self {
        Self {
            function: question.function.clone(),
            from: question.from.clone(),
            to: question.to.clone(),
            argument_precision: question.argument_precision,
            breakpoints: question.breakpoints.to_string(),
            extra_bits: question.extra_bits,
            from_end: question.from_end,
            every: sample.every,
            ends_early: sample.ends_early,
            tests: measurements.iter().map(test).collect(),
        }
    }

    /// Writes the JSON file.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write_json(&self, path: &Path) -> Result<(), DivergenceError> {
        let text = serde_json::to_string_pretty(self).map_err(std::io::Error::from);
        write(path, text.and_then(|text| std::fs::write(path, text + "\n")))
    }

    /// Writes the CSV file: a line for each test and size of group.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write_csv(&self, path: &Path) -> Result<(), DivergenceError> {
        let lines = || -> Result<(), csv::Error> {
            let mut writer = csv::Writer::from_path(path)?;
            for test in &self.tests {
                for group in &test.groups {
                    writer.serialize(CsvLine {
                        test: test.name,
                        domain: test.domain,
                        lanes: group.lanes,
                        groups: group.groups,
                        fewest_turns: group.fewest_turns,
                        mean_turns: group.mean_turns,
                        most_turns: group.most_turns,
                        nmdm_percent: group.nmdm_percent,
                        useful_lane_turns: group.useful_lane_turns,
                        issued_lane_turns: group.issued_lane_turns,
                        issued_over_useful: group.issued_over_useful,
                        divided_turns_percent: group.divided_turns_percent,
                    })?;
                }
            }
            writer.flush().map_err(csv::Error::from)
        };
        write(path, lines().map_err(std::io::Error::from))
    }
}

fn test(measurement: &Measurement) -> Test {
    Test {
        name: measurement.name,
        domain: measurement.domain,
        domains: measurement.domains,
        groups: measurement.groups.iter().map(group).collect(),
    }
}

fn group(counts: &Statistics) -> Group {
    let reached = counts.profile.iter().take_while(|turn| turn.issued > 0);
    Group {
        lanes: counts.lanes,
        groups: counts.groups,
        fewest_turns: counts.fewest,
        mean_turns: counts.mean(),
        most_turns: counts.most,
        nmdm_percent: 100.0 * counts.nmdm(),
        useful_lane_turns: counts.useful,
        issued_lane_turns: counts.issued * counts.lanes as u64,
        issued_over_useful: counts.issued_over_useful(),
        divided_turns_percent: 100.0 * counts.divided(),
        nmdm_histogram: counts.histogram.to_vec(),
        divided_percent_by_turn: reached
            .map(|turn| 100.0 * turn.divided as f64 / turn.issued as f64)
            .collect(),
    }
}

fn write(path: &Path, result: std::io::Result<()>) -> Result<(), DivergenceError> {
    result.map_err(|source| DivergenceError::Write { path: path.display().to_string(), source })
}

/// The tables for the terminal; `beside` puts the papers' numbers next to ours.
pub fn tables(measurements: &[Measurement], beside: bool) -> String {
    let mut text = String::new();
    // writing to a string cannot fail
    let _ = write_tables(&mut text, measurements, beside);
    text
}

fn write_tables(text: &mut String, measurements: &[Measurement], beside: bool) -> fmt::Result {
    let head = columns(GROUPS.iter().map(usize::to_string));
    writeln!(text, "{:<55}   mean NMDM in %, lanes:", "turns of the main loop")?;
    writeln!(text, "{:<33}{:>6}{:>9}{:>7}{head}", "test", "min", "mean", "max")?;
    for measurement in measurements {
        let one = &measurement.groups[0];
        write!(text, "{:<33}{:>6}{:>9.3}{:>7}", measurement.name, one.fewest, one.mean(), one.most)?;
        let nmdm = measurement.groups.iter().map(|counts| format!("{:.3}", 100.0 * counts.nmdm()));
        writeln!(text, "{}", columns(nmdm))?;
        if let Some(Published { row, turns: [fewest, mean, most], nmdm, .. }) =
            published(measurement.name).filter(|_| beside)
        {
            let what = format!("  papers: {row}");
            writeln!(text, "{what:<33}{fewest:>6}{mean:>9}{most:>7}{:>24}{nmdm:>8}", "")?;
        }
    }
    let values: [(&str, Value); 2] = [
        ("issued over useful turns", |counts| format!("{:.3}", counts.issued_over_useful())),
        ("turns that divide a group, in %", |counts| format!("{:.2}", 100.0 * counts.divided())),
    ];
    for (title, value) in values {
        writeln!(text, "\n{title:<55}{head}")?;
        for measurement in measurements {
            writeln!(text, "{:<55}{}", measurement.name, columns(measurement.groups.iter().map(value)))?;
        }
    }
    Ok(())
}

type Value = fn(&Statistics) -> String;

/// Values in columns of 8 characters.
fn columns(values: impl Iterator<Item = String>) -> String {
    values.fold(String::new(), |line, value| line + &format!("{value:>8}"))
}
