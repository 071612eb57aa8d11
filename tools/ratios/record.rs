//! [`Record`]: one run with all its samples, as JSON; and two runs compared.

use std::{
    fs,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use super::statistics::{Round, Spread};
use crate::ToolError;
use crate::figures::{
    machine::slug,
    table::{Table, or_none, three_digits, write_csv},
};

/// One run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// Day of the run.
    pub date: String,
    /// Commit that was measured.
    pub commit: String,
    /// The processor.
    pub cpu: String,
    /// What all ratios are to.
    pub baseline: String,
    /// Everything measured.
    pub subjects: Vec<Measured>,
    /// What could not be measured, and why.
    pub missing: Vec<String>,
}

/// A subject with its samples.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// The piece of work's place, such as `exp near 128`.
    pub place: String,
    /// The engine, or the part of a search.
    pub name: String,
    /// What is counted, such as `arguments`.
    pub unit: String,
    /// Arguments that the baseline searches in a round.
    pub baseline_arguments: f64,
    /// Units that the subject does in a round.
    pub units: f64,
    /// Whether the processor plays a GPU.
    pub is_software: bool,
    /// The samples, in their order.
    pub rounds: Vec<Round>,
}

impl Measured {
    /// Time per unit of the subject, in times of the baseline per argument.
    pub fn ratio(&self) -> Option<Spread> {
        Spread::of_rounds(&self.rounds, self.baseline_arguments, self.units)
    }

    /// Whether this is the same work, in the same amount: setting up counts less in more of it.
    fn is_of(&self, other: &Self) -> bool {
        (&self.place, &self.name, self.is_software) == (&other.place, &other.name, other.is_software)
            && [self.units, self.baseline_arguments] == [other.units, other.baseline_arguments]
    }
}

/// How subjects fare against an earlier run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Comparison {
    /// A line for each that is slower.
    pub slower: Vec<String>,
    /// Those of either run that the other one lacks.
    pub unmatched: Vec<String>,
    /// How many were compared.
    pub compared: usize,
}

impl Record {
    /// As a table.
    pub fn table(&self) -> Table {
        let title = format!("Time per unit, in times of the baseline ({}) per argument", self.baseline);
        let mut table = Table::new(
            &title,
            "place | what | unit | ratio | quartiles | baseline / this | ms a round | rounds",
        );
        for measured in &self.subjects {
            let ratio = measured.ratio();
            let of = |pick: fn(Spread) -> f64| or_none(ratio, |ratio| significant(pick(ratio)));
            let seconds = Spread::of(measured.rounds.iter().map(|round| round.subject_s));
            let software = if measured.is_software { " (SOFTWARE adapter)" } else { "" };
            table.row(vec![
                measured.place.clone(),
                format!("{}{software}", measured.name),
                measured.unit.clone(),
                of(|ratio| ratio.median),
                format!("{} to {}", of(|ratio| ratio.low), of(|ratio| ratio.high)),
                of(|ratio| 1.0 / ratio.median),
                or_none(seconds, |seconds| three_digits(1e3 * seconds.median)),
                measured.rounds.len().to_string(),
            ]);
        }
        table
    }

    /// Writes the table to a record of this machine, `MACHINE/DATE-ratios.csv` below a folder; its
    /// path.
    ///
    /// # Errors
    /// [`ToolError::File`], [`ToolError::Csv`].
    pub fn keep(&self, folder: &Path) -> Result<PathBuf, ToolError> {
        let place = folder.join(slug(&self.cpu));
        fs::create_dir_all(&place).map_err(ToolError::write(&place))?;
        let file = place.join(format!("{}-ratios.csv", self.date));
        let mut table = self.table();
        table.note(format!("{}, commit {}", self.date, self.commit));
        for reason in &self.missing {
            table.note(format!("not measured: {reason}"));
        }
        write_csv(&file, &[table])?;
        Ok(file)
    }

    /// Compares this run's ratios with an earlier one's.
    pub fn compare(&self, earlier: &Self, factor: f64) -> Comparison {
        let mut comparison = Comparison::default();
        let name = |measured: &Measured| format!("{}, {}", measured.place, measured.name);
        for now in &self.subjects {
            let before = earlier.subjects.iter().find(|before| before.is_of(now));
            let Some((now_ratio, before_ratio)) = now.ratio().zip(before.and_then(Measured::ratio)) else {
                comparison.unmatched.push(format!("{}: not in the earlier run", name(now)));
                continue;
            };
            comparison.compared += 1;
            if now_ratio.is_slower(&before_ratio, factor) {
                let [now_text, before_text] =
                    [now_ratio, before_ratio].map(|Spread { low, median, high }| {
                        format!("{} ({} to {})", significant(median), significant(low), significant(high))
                    });
                comparison.slower.push(format!(
                    "{}: {now_text} was {before_text}: {:.2} times as slow",
                    name(now),
                    now_ratio.median / before_ratio.median,
                ));
            }
        }
        for before in &earlier.subjects {
            if !self.subjects.iter().any(|now| now.is_of(before)) {
                comparison.unmatched.push(format!("{}: not in this run", name(before)));
            }
        }
        comparison
    }

    /// Writes all of it.
    ///
    /// # Errors
    /// [`ToolError::File`].
    pub fn write(&self, path: &Path) -> Result<(), ToolError> {
        // numbers and strings only: serialization cannot fail
        let text =
            serde_json::to_string_pretty(self).map_or_else(|error| error.to_string(), |text| text + "\n");
        fs::write(path, text).map_err(ToolError::write(path))
    }

    /// Reads what [`write`](Self::write) wrote.
    ///
    /// # Errors
    /// [`ToolError::File`], [`ToolError::Json`].
    pub fn read(path: &Path) -> Result<Self, ToolError> {
        let text = fs::read_to_string(path).map_err(|source| ToolError::File {
            what: "read",
            path: path.into(),
            source,
        })?;
        serde_json::from_str(&text).map_err(|source| ToolError::Json { path: path.into(), source })
    }
}

/// Three significant digits, also of what is very small.
fn significant(x: f64) -> String {
    if x != 0.0 && x.abs() < 1e-4 { format!("{x:.2e}") } else { three_digits(x) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(name: &str, seconds: [f64; 3]) -> Measured {
        Measured {
            place: "exp, I₀".into(),
            name: name.into(),
            unit: "arguments".into(),
            baseline_arguments: 100.0,
            units: 100.0,
            is_software: false,
            rounds: seconds.map(|subject_s| Round { baseline_s: 1.0, subject_s }).to_vec(),
        }
    }

    fn record(subjects: Vec<Measured>) -> Record {
        Record {
            date: "2026-11-21".into(),
            commit: "abc".into(),
            cpu: "a \"cpu\"".into(),
            baseline: "scalar regular".into(),
            subjects,
            missing: vec!["GPU: none".into()],
        }
    }

    #[test]
    fn files() {
        let record = record(vec![measured("walk", [0.1, 0.2, 0.3])]);
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("ratios.json");
        record.write(&file).unwrap();
        assert_eq!(Record::read(&file).unwrap(), record);
        std::fs::write(&file, "{}").unwrap();
        assert!(matches!(Record::read(&file).unwrap_err(), ToolError::Json { .. }));
        let none = folder.path().join("none.json");
        assert!(matches!(Record::read(&none).unwrap_err(), ToolError::File { what: "read", .. }));
        assert!(matches!(record.write(folder.path()).unwrap_err(), ToolError::File { what: "write", .. }));
    }

    #[test]
    fn records_are_of_a_machine_and_a_day() {
        let folder = tempfile::tempdir().unwrap();
        let file = record(vec![measured("walk", [0.1, 0.2, 0.3])]).keep(folder.path()).unwrap();
        assert_eq!(file, folder.path().join("a-cpu/2026-11-21-ratios.csv"));
        let text = std::fs::read_to_string(file).unwrap();
        assert!(text.contains("2026-11-21, commit abc") && text.contains("GPU: none"), "{text}");
        assert!(text.contains(",what,walk\n") && text.contains(",ratio,0.200\n"), "{text}");
    }

    #[test]
    fn a_regression_shows() {
        let earlier = record(vec![
            measured("walk", [0.10, 0.10, 0.10]),
            measured("lefevre", [0.9, 1.0, 1.1]),
            measured("gone", [1.0; 3]),
        ]);
        let now = record(vec![
            measured("walk", [0.13, 0.13, 0.13]),
            measured("lefevre", [0.7, 1.3, 1.4]),
            measured("new", [1.0; 3]),
        ]);
        let comparison = now.compare(&earlier, 1.2);
        assert_eq!(comparison.slower.len(), 1, "{comparison:?}");
        assert!(comparison.slower[0].contains("walk: 0.130 (0.130 to 0.130) was 0.100"), "{comparison:?}");
        assert!(comparison.slower[0].ends_with("1.30 times as slow"), "{comparison:?}");
        assert_eq!(
            comparison.unmatched,
            ["exp, I₀, new: not in the earlier run", "exp, I₀, gone: not in this run"]
        );
        assert_eq!(comparison.compared, 2);
        assert!(earlier.compare(&earlier, 1.0).slower.is_empty());
        assert!(now.compare(&earlier, 1.5).slower.is_empty(), "a larger factor");
        let mut more = now.clone();
        more.subjects[0].units *= 2.0;
        assert_eq!(more.compare(&earlier, 1.2).compared, 1, "other amounts of work are not compared");
    }

    #[test]
    fn rows() {
        let mut software = measured("farey", [1e-5, 2e-5, 3e-5]);
        software.is_software = true;
        let text = record(vec![software]).table().lines();
        let row = text.lines().last().unwrap();
        assert_eq!(
            row,
            "| exp, I₀ | farey (SOFTWARE adapter) | arguments | 2.00e-5 | 1.50e-5 to 2.50e-5 | 50,000 | 0.0200 | 3 |"
        );
    }
}
