//! [`Table`]: figures with their captions, as Markdown for people and as CSV for programs. And
//! numbers as text.

use std::{io, path::Path, time::Duration};

use crate::ToolError;

/// What stands where nothing was measured.
pub const NONE: &str = "—";

/// A table of figures; the first column names the rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    title: String,
    /// What was done, and what the reader must know.
    notes: Vec<String>,
    columns: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table without rows; the columns' names as in `engine | ms | of 2^40`.
    pub fn new(title: &str, columns: &str) -> Self {
        let columns = columns.split(" | ").map(String::from).collect();
        Self { title: title.into(), notes: Vec::new(), columns, rows: Vec::new() }
    }

    /// The same with more columns.
    #[must_use]
    pub fn with_columns<C: ToString>(mut self, names: impl IntoIterator<Item = C>) -> Self {
        self.columns.extend(names.into_iter().map(|name| name.to_string()));
        self
    }

    /// What it shows.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// Adds a sentence above the table.
    pub fn note(&mut self, text: impl Into<String>) {
        self.notes.push(text.into());
    }

    /// Adds a row; missing cells at its end are [`NONE`].
    pub fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        let mut cells: Vec<String> = cells.into_iter().collect();
        cells.resize(self.columns.len(), NONE.into());
        self.rows.push(cells);
    }

    /// As Markdown, below a heading of the third level, with the notes.
    pub fn markdown(&self) -> String {
        let notes: Vec<String> = self.notes.iter().map(|note| format!("{note}\n\n")).collect();
        format!("### {}\n\n{}{}", self.title, notes.concat(), self.lines())
    }

    /// The table alone, as Markdown.
    pub fn lines(&self) -> String {
        let line = |cells: &[String]| {
            let cells: Vec<String> = cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
            format!("| {} |\n", cells.join(" | "))
        };
        let mut lines = vec![line(&self.columns)];
        lines.push(format!("|{}\n", "---|".repeat(self.columns.len())));
        lines.extend(self.rows.iter().map(|row| line(row)));
        lines.concat()
    }

    /// One line a figure: table, row number from 1, row, column, value. Notes are lines without row
    /// and column.
    fn write(&self, file: &mut csv::Writer<impl io::Write>) -> csv::Result<()> {
        for note in &self.notes {
            file.write_record([self.title.as_str(), "", "", "note", note])?;
        }
        for (number, row) in (1..).zip(&self.rows) {
            for (column, value) in self.columns.iter().zip(row) {
                file.write_record([&self.title, &format!("{number}"), &row[0], column, value])?;
            }
        }
        Ok(())
    }
}

/// All tables as one Markdown text.
pub fn markdown(tables: &[Table]) -> String {
    tables.iter().map(Table::markdown).collect::<Vec<_>>().join("\n")
}

/// Writes all tables to a CSV file: a line for each figure.
///
/// # Errors
/// [`ToolError::Csv`].
pub fn write_csv(path: &Path, tables: &[Table]) -> Result<(), ToolError> {
    let lines = || -> csv::Result<()> {
        let mut file = csv::Writer::from_path(path)?;
        file.write_record(["table", "number", "row", "column", "value"])?;
        tables.iter().try_for_each(|table| table.write(&mut file))?;
        Ok(file.flush()?)
    };
    lines().map_err(ToolError::csv(path))
}

/// A number to three significant digits, with commas between thousands.
pub fn three_digits(x: f64) -> String {
    if x == 0.0 {
        return "0".into();
    }
    if !x.is_finite() {
        return NONE.into();
    }
    let digits = (2 - x.abs().log10().floor() as i32).max(0) as usize;
    if digits > 0 {
        return format!("{x:.digits$}");
    }
    thousands(x.round() as u64)
}

/// A count with commas between thousands.
pub fn thousands(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A count, as a power of two where it is one.
pub fn count(n: u64) -> String {
    if n.is_power_of_two() && n > 512 { format!("2^{}", n.ilog2()) } else { thousands(n) }
}

/// A value as text, or [`NONE`].
pub fn or_none<T>(value: Option<T>, text: impl FnOnce(T) -> String) -> String {
    value.map_or_else(|| NONE.into(), text)
}

/// In milliseconds.
pub fn milliseconds(time: Duration) -> String {
    three_digits(time.as_secs_f64() * 1e3)
}

/// In seconds.
pub fn seconds(time: Duration) -> String {
    three_digits(time.as_secs_f64())
}

/// A share in per cent; [`NONE`] of nothing.
pub fn percent(part: Duration, whole: Duration) -> String {
    if whole.is_zero() {
        NONE.into()
    } else {
        format!("{:.1} %", 100.0 * part.as_secs_f64() / whole.as_secs_f64())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let mut table = Table::new("Times", "engine | ms | of 2^40");
        table.note("Best of 3.");
        table.row(vec!["a|b".into(), "1.5".into(), "x, y".into()]);
        table.row(vec!["c".into()]);
        table
    }

    #[test]
    fn markdown() {
        let expected = "### Times\n\nBest of 3.\n\n| engine | ms | of 2^40 |\n|---|---|---|\n\
                        | a\\|b | 1.5 | x, y |\n| c | — | — |\n";
        assert_eq!(table().markdown(), expected);
    }

    #[test]
    fn record() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("figures.csv");
        write_csv(&file, &[table()]).unwrap();
        let text = std::fs::read_to_string(&file).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "table,number,row,column,value");
        assert_eq!(lines[1], "Times,,,note,Best of 3.");
        assert_eq!(lines[2], "Times,1,a|b,engine,a|b");
        assert_eq!(lines[4], "Times,1,a|b,of 2^40,\"x, y\"");
        assert_eq!(lines[7], "Times,2,c,of 2^40,—");
        assert_eq!(lines.len(), 8);
    }

    #[test]
    fn numbers() {
        for (x, text) in [
            (0.0, "0"),
            (0.012_345, "0.0123"),
            (1.0, "1.00"),
            (9.876, "9.88"),
            (15.04, "15.0"),
            (999.4, "999"),
            (1234.6, "1,235"),
            (57_021.67, "57,022"),
            (1e7, "10,000,000"),
            (f64::NAN, NONE),
            (f64::INFINITY, NONE),
        ] {
            assert_eq!(three_digits(x), text, "{x}");
        }
        for (n, text) in [(0, "0"), (12, "12"), (512, "512"), (1 << 15, "2^15"), (210_828, "210,828")] {
            assert_eq!(count(n), text);
        }
        assert_eq!(milliseconds(Duration::from_micros(1500)), "1.50");
        assert_eq!(seconds(Duration::from_millis(250)), "0.250");
        assert_eq!(percent(Duration::from_secs(1), Duration::from_secs(8)), "12.5 %");
        assert_eq!(percent(Duration::from_secs(1), Duration::ZERO), NONE);
    }
}
