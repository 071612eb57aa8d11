//! `results/checked.csv`: the certificates that held, as they and their lists were then.

use std::{fmt::Write as _, fs, path::Path, process::Command};

use super::{super::failure, SAMPLES, TABLE, record};
use crate::run::{Failure, capture, root};

/// The columns: the files below `results/`, without an ending; the SHA-256 of their lines of
/// SHA256SUMS; the share that was searched again, or that samples were, and how many arguments of
/// how many; how many sentences said what could not be checked; seconds of one core for all of it,
/// where the system counts them; the day, and the processor.
const HEADER: &str = "files,sha256,share,again,left,core_s,date,processor";

/// A row of the record: its cells.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Row(Vec<String>);

impl Row {
    /// Of a certificate that held: what the program said of it, and how much it left.
    pub(super) fn new(
        stem: &str,
        digest: &str,
        share: &str,
        said: &str,
        left: usize,
        seconds: Option<f64>,
    ) -> Result<Self, Failure> {
        let date = capture(Command::new("date").args(["-u", "+%F"]))?.trim().to_owned();
        let mut again = Again::default();
        again.add(said);
        let seconds = seconds.map_or_else(String::new, |s| format!("{s:.1}"));
        let [again, left] = [again.text(), left.to_string()];
        let cells = [stem, digest, share, &again, &left, &seconds, &date, &record::processor()];
        Ok(Self(cells.map(str::to_owned).to_vec()))
    }

    fn cell(&self, name: &str) -> &str {
        let place = HEADER.split(',').position(|column| column == name);
        place.and_then(|place| self.0.get(place)).map_or("", String::as_str)
    }
}

/// The record.
#[derive(Debug, Default)]
pub(super) struct Table {
    rows: Vec<Row>,
}

impl Table {
    pub(super) fn read(path: &Path) -> Result<Self, Failure> {
        match fs::read_to_string(path) {
            Ok(text) => Self::of(&text).ok_or_else(|| {
                let what = "it is not as `cargo xtask results --check` writes it; mend it, or take it away";
                Failure::step(format!("{}: {what}", path.display()))
            }),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Self::default()),
            Err(error) => Err(failure(path, &error)),
        }
    }

    /// Of its text, if it is one.
    fn of(text: &str) -> Option<Self> {
        let rows = text.strip_prefix(HEADER)?.strip_prefix('\n')?;
        let row = |line: &str| {
            let cells: Vec<String> = line.split(',').map(str::to_owned).collect();
            (cells.len() == HEADER.split(',').count()).then_some(Row(cells))
        };
        Some(Self { rows: rows.lines().map(row).collect::<Option<_>>()? })
    }

    fn text(&self) -> String {
        let mut text = format!("{HEADER}\n");
        for row in &self.rows {
            // writing to a String does not fail
            let _ = writeln!(text, "{}", row.0.join(","));
        }
        text
    }

    /// With this row for these files, or without one; rows are sorted. A row that says less of the
    /// same files takes nothing away.
    fn put(&mut self, stem: &str, row: Option<Row>) {
        let number = |row: &Row| row.cell("share").parse::<f64>().ok();
        if let Some(row) = &row
            && let Some(old) = self.row(stem, row.cell("sha256"), row.cell("share"))
            && number(old) > number(row)
        {
            return;
        }
        self.rows.retain(|row| row.cell("files") != stem);
        self.rows.extend(row);
        self.rows.sort_by(|a, b| a.cell("files").cmp(b.cell("files")));
    }

    /// The row that says that these files, of this digest, held with this share or a larger one;
    /// any is more than samples.
    pub(super) fn row(&self, stem: &str, digest: &str, share: &str) -> Option<&Row> {
        let number = |text: &str| text.parse::<f64>().ok();
        // nothing is less than any number
        let is_enough = |row: &Row| number(row.cell("share")) >= number(share);
        let is_it = |row: &&Row| row.cell("files") == stem && row.cell("sha256") == digest;
        self.rows.iter().find(|row| is_it(row) && is_enough(row))
    }

    /// How many of these certificates, by digest, name and what was asked of them, held, and how
    /// long that took; a share was asked of all but those of which only samples are searched again.
    pub(super) fn summary(&self, subjects: &[[String; 3]], share: &str) -> String {
        let rows: Vec<&Row> =
            subjects.iter().filter_map(|[digest, stem, share]| self.row(stem, digest, share)).collect();
        let (mut seconds, mut left, mut again) = (0.0, 0, Again::default());
        for row in &rows {
            seconds += row.cell("core_s").parse().unwrap_or(0.0);
            left += row.cell("left").parse().unwrap_or(0);
            again.add_cell(row.cell("again"));
        }
        let (held, all) = (rows.len(), subjects.len());
        let others = if held == all { "" } else { ", and the others have no row that stands for them" };
        let not_checked = match left {
            0 => String::new(),
            left => format!(", with {left} sentences of what was not checked"),
        };
        let sampled = match rows.iter().filter(|row| row.cell("share") == SAMPLES).count() {
            0 => String::new(),
            sampled => format!(" (of {sampled} samples)"),
        };
        format!(
            "{held} of {all} certificates hold by results/{TABLE}{not_checked}{others}; with a random \
             {share} of each{sampled} searched again, {}, that took {:.1} core-hours",
            again.text(),
            seconds / 3600.0
        )
    }
}

/// Puts a row into the record on disk, as it is by now, in one step; rows of files that are not
/// there any more go.
pub(super) fn update(path: &Path, stem: &str, row: Option<Row>) -> Result<(), Failure> {
    let mut table = Table::read(path)?;
    table.put(stem, row);
    let results = root().join("results");
    table.rows.retain(|row| results.join(format!("{}.json.zst", row.cell("files"))).is_file());
    // not beside the data set, of which there are checksums
    let runs = root().join("runs");
    fs::create_dir_all(&runs).map_err(|error| failure(&runs, &error))?;
    let scratch = runs.join(format!("checked-{}.csv", std::process::id()));
    fs::write(&scratch, table.text()).map_err(|error| failure(&scratch, &error))?;
    fs::rename(&scratch, path).map_err(|error| failure(path, &error))
}

/// What verifications searched again, by what they say.
#[derive(Default)]
struct Again {
    arguments: f64,
    searched: f64,
}

impl Again {
    /// Adds what a verification says.
    fn add(&mut self, said: &str) {
        let of_prefix = |prefix: &str| {
            let rests = said.lines().filter_map(|line| line.strip_prefix(prefix));
            let numbers = rests.filter_map(|rest| {
                let (number, rest) = rest.split_once(' ')?;
                rest.starts_with("arguments ").then(|| count(number))?
            });
            numbers.sum::<f64>()
        };
        let arguments = of_prefix("checked: ");
        // no word of the whole where all was searched again
        let searched = of_prefix("not checked: of the ").max(arguments);
        self.arguments += arguments;
        self.searched += searched;
    }

    /// Adds what [`text`](Self::text) has written.
    fn add_cell(&mut self, text: &str) {
        let mut counts =
            text.split(" of ").map(|part| part.split_whitespace().next().and_then(count).unwrap_or(0.0));
        self.arguments += counts.next().unwrap_or(0.0);
        self.searched += counts.next().unwrap_or(0.0);
    }

    fn text(&self) -> String {
        let power = |count: f64| if count < 1.0 { "0".into() } else { format!("2^{:.1}", count.log2()) };
        format!("{} of {} arguments", power(self.arguments), power(self.searched))
    }
}

/// A number of arguments as the program prints it: `2^49.7`, or in full.
fn count(text: &str) -> Option<f64> {
    match text.strip_prefix("2^") {
        Some(power) => power.parse().ok().map(f64::exp2),
        None => text.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_searched_again() {
        let mut again = Again::default();
        again.add(
            "checked: 4 Taylor pieces derived again\n\
             checked: 2^9 arguments in 2 parts searched again by regular avx512\n\
             checked: 2 units searched again by farey: all that they say is the same\n\
             not checked: of the 2^12.0 arguments that were searched, 10.06 % were searched again: a case\n\
             not checked: the counts of phases of 2 of 2 units\n",
        );
        assert_eq!(again.text(), "2^9.0 of 2^12.0 arguments");
        let mut whole = Again::default();
        whole.add("checked: 512 arguments in 1 parts searched again by farey\n");
        assert_eq!(whole.text(), "2^9.0 of 2^9.0 arguments");
        let none = Again::default();
        assert_eq!(none.text(), "0 of 0 arguments");
        again.add_cell(&again.text());
        again.add_cell(&none.text());
        assert_eq!(again.text(), "2^10.0 of 2^13.0 arguments");
    }

    /// A row stands for files as they were, and for a share up to its own.
    #[test]
    fn what_holds() {
        let said = "checked: 2^9 arguments in 2 parts searched again by regular avx512\n\
                    not checked: of the 2^12.0 arguments that were searched, 10.06 % were searched again\n";
        let row = |name: &str, digest: &str| Row::new(name, digest, "0.1", said, 1, Some(1800.0)).ok();
        let mut table = Table::default();
        table.put("b", row("b", "2"));
        table.put("a", row("a", "0"));
        table.put("a", row("a", "1"));
        table.put("c", row("c", "3"));
        table.put("c", None);
        let again = Table::of(&table.text()).unwrap();
        assert_eq!((&again.rows, again.rows.len()), (&table.rows, 2));
        assert_eq!(again.rows[0].cell("files"), "a");
        let holds = |name: &str, digest: &str, share: &str| again.row(name, digest, share).is_some();
        assert!(holds("a", "1", "0.1") && holds("a", "1", "0.05") && holds("b", "2", "1e-1"));
        assert!(!holds("a", "0", "0.1"), "another digest");
        assert!(!holds("a", "1", "0.2"), "a larger share");
        assert!(!holds("c", "1", "0.1"), "other files");

        let subjects =
            [["1", "a", "0.1"], ["2", "b", "0.1"], ["3", "c", "0.1"]].map(|s| s.map(str::to_owned));
        let took = "; with a random 0.1 of each searched again, 2^10.0 of 2^13.0 arguments, that took 1.0 \
                    core-hours";
        let hold = "certificates hold by results/checked.csv, with 2 sentences of what was not checked";
        assert_eq!(again.summary(&subjects[..2], "0.1"), format!("2 of 2 {hold}{took}"));
        let others = ", and the others have no row that stands for them";
        assert_eq!(again.summary(&subjects, "0.1"), format!("2 of 3 {hold}{others}{took}"));

        // samples are less than any share
        assert!(holds("a", "1", SAMPLES));
        // and take no row away that says more of the same files
        for share in [SAMPLES, "0.05"] {
            table.put("b", Row::new("b", "2", share, said, 1, Some(0.0)).ok());
            assert!(table.row("b", "2", "0.1").is_some(), "{share}");
        }
        table.put("b", row("b", "4"));
        assert!(table.row("b", "2", "0.1").is_none() && table.row("b", "4", "0.1").is_some());
        table.put("b", Row::new("b", "4", "0.2", said, 1, Some(0.0)).ok());
        assert!(table.row("b", "4", "0.2").is_some());
        table.put("b", Row::new("b", "2", SAMPLES, said, 1, Some(0.0)).ok());
        assert!(table.row("b", "2", SAMPLES).is_some() && table.row("b", "2", "0.001").is_none());
        let sampled = [["1", "a", "0.1"], ["2", "b", SAMPLES]].map(|s| s.map(str::to_owned));
        let said = table.summary(&sampled, "0.1");
        assert!(said.starts_with("2 of 2") && said.contains("0.1 of each (of 1 samples) searched"), "{said}");
        assert!(table.summary(&subjects[..2], "0.1").starts_with("1 of 2"));
    }

    /// What somebody else has written is not taken for rows.
    #[test]
    fn other_tables() {
        for text in ["", "files", "a,b\n", &format!("{HEADER}\na,b\n"), &format!("{HEADER}\n\n")] {
            assert!(Table::of(text).is_none(), "{text}");
        }
        let cells = vec!["a"; HEADER.split(',').count()].join(",");
        assert_eq!(Table::of(&format!("{HEADER}\n{cells}\n")).unwrap().rows.len(), 1);
    }

    /// The record in the repository is of certificates that are there, whole and sorted.
    #[test]
    fn the_record_is_well_formed() {
        let path = root().join("results").join(TABLE);
        let table = Table::read(&path).unwrap();
        assert_eq!(table.text(), fs::read_to_string(&path).unwrap());
        assert!(table.rows.is_sorted_by(|a, b| a.cell("files") < b.cell("files")));
        for row in &table.rows {
            let certificate = format!("{}.json.zst", row.cell("files"));
            assert!(root().join("results").join(certificate).is_file(), "{row:?}");
            assert_eq!(row.cell("sha256").len(), 64, "{row:?}");
            assert!(row.cell("left").parse::<usize>().is_ok(), "{row:?}");
        }
    }
}
