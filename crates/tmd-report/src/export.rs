//! A certificate's cases in other formats.
//!
//! | function | format | holds |
//! |---|---|---|
//! | [`to_wc`] | CORE-MATH's worst-case files: an argument per line, `#` comments | all rows, and what is not covered |
//! | [`to_csv`], [`search_to_csv`] | comma-separated values | all rows |
//! | [`to_json`] | an object with the question, the state, and all rows as objects, see [`Row`] | all rows |
//! | [`to_parquet`] | Apache Parquet | all rows, typed |
//! | [`to_corpus`] | the same with results and distances: words on a line | arguments, results in each rounding mode, distances |
//! | [`to_c`], [`to_rust`] | a C99 header, a Rust module | the same as tables |
//! | [`to_hardest_markdown`], [`to_hardest_csv`] | tables | the hardest cases of every binade |
//!
//! What is written is a [`Choice`]; a [`Listing`] is the choice of everything.
//!
//! Rows are cases, exact cases and undecided arguments, as [`rows`] orders them. Their columns have
//! the same names everywhere, and every format says how many cases each line stands for
//! ([`Listing`]), of which question and certificate it is, and whether that is complete:
//! docs/exports.md.

mod hardest;
mod parquet;
pub(crate) mod source;

use std::fmt::Write as _;

use serde::Serialize;
use tmd_core::Breakpoints;
use tmd_driver::{Certificate, Report, report::plain, table::Language};

pub use self::{
    hardest::{Hardness, hardness_to_round, to_hardest_csv, to_hardest_markdown},
    parquet::to_parquet,
};
#[cfg(doc)]
use crate::list::Listing;
use crate::{
    ReportError,
    choice::{Choice, Chosen},
    head::{Headline, Origin},
    list::List,
    rows::{Row, UNDECIDED, rows, rows_of},
};

/// What is said in comments before a list: the question, the state, what was chosen, and how to
/// make the list again.
pub(crate) fn preamble(
    certificate: &Certificate,
    list: &List,
    words: Option<&str>,
    command: Option<&str>,
) -> Result<Vec<String>, ReportError> {
    let headline = Headline::new(certificate)?;
    let mut lines = vec![headline.question, format!("{}; {}", headline.counts, headline.state)];
    lines.extend(words.map(str::to_owned));
    lines.extend(headline.uncovered);
    lines.extend(headline.left_out);
    lines.extend(list.note());
    lines.extend(certificate.exact_rule.as_ref().map(|rule| format!("exact results: {rule}")));
    lines.push(format!("{}, certificate {}", certificate.program, certificate.digest));
    lines.extend(command.map(|command| format!("made by: {command}")));
    Ok(lines)
}

/// Where rows come from; a choice among them is part of the state.
fn origin(certificate: &Certificate, headline: &Headline, chosen: &Chosen) -> Origin {
    let mut origin = Origin::new(certificate, headline);
    if let Some(words) = &chosen.words {
        origin.state = format!("{words}; {}", origin.state);
    }
    origin
}

/// One argument per line with `#` comments, as CORE-MATH's worst-case files.
///
/// # Errors
/// If the certificate lists arguments that are no numbers, or says nothing of the modes chosen.
pub fn to_wc(certificate: &Certificate, choice: impl Into<Choice>) -> Result<String, ReportError> {
    let choice = choice.into();
    let list = List::new(certificate, choice.listing)?;
    let Chosen { rows, words } = choice.of(certificate, rows(certificate, &list)?)?;
    let mut text = String::new();
    // writing to a String does not fail
    for line in preamble(certificate, &list, words.as_deref(), choice.command.as_deref())? {
        let _ = writeln!(text, "# {}", plain(&line));
    }
    for row in rows {
        let _ = match row {
            Row { x, exact: true, kind, .. } => writeln!(text, "{x} # exact, a {kind}"),
            Row { x, kind: UNDECIDED, .. } => writeln!(text, "# undecided: {x}"),
            Row { x, kind, sign, identical_bits, stands_for, .. } => {
                let (sign, bits) = (sign.unwrap_or(' '), identical_bits.unwrap_or(0));
                let behind =
                    if stands_for > 1 { format!(", stands for {stands_for}") } else { String::new() };
                writeln!(text, "{x} # {kind}, sign {sign}, {bits} identical bits{behind}")
            }
        };
    }
    Ok(text)
}

/// The name of a column, and what a row has there.
type Column = (&'static str, fn(&Row) -> String);

/// The columns, but those in which all rows are the same.
const COLUMNS: [Column; 15] = [
    ("x", |row| row.x.to_owned()),
    ("binade", |row| cell(row.binade)),
    ("kind", |row| row.kind.to_owned()),
    ("exact", |row| row.exact.to_string()),
    ("stands_for", |row| row.stands_for.to_string()),
    ("sign", |row| cell(row.sign)),
    ("log2_dist", |row| cell(row.log2_dist)),
    ("identical_bits", |row| cell(row.identical_bits)),
    ("breakpoint", |row| cell(row.breakpoint.as_ref())),
    ("lower", |row| cell(row.lower)),
    ("upper", |row| cell(row.upper)),
    ("nearest_even", |row| cell(row.nearest_even.as_ref())),
    ("zero", |row| cell(row.zero.as_ref())),
    ("up", |row| cell(row.up.as_ref())),
    ("down", |row| cell(row.down.as_ref())),
];

/// One line per row. The last columns are the same in every line: function, format, rounding, extra
/// bits, state and digest.
///
/// # Errors
/// If the certificate lists arguments that are no numbers.
pub fn to_csv(certificate: &Certificate, choice: impl Into<Choice>) -> Result<String, ReportError> {
    let choice = choice.into();
    let list = List::new(certificate, choice.listing)?;
    let chosen = choice.of(certificate, rows(certificate, &list)?)?;
    let origin = origin(certificate, &Headline::new(certificate)?, &chosen);
    let lines = chosen.rows.iter().map(|row| COLUMNS.map(|(_, of)| of(row)));
    csv_text(COLUMNS.map(|(name, _)| name), lines, &origin)
}

/// The same of a search: one line per row, without what is known of certificates only.
///
/// # Errors
/// If the report lists arguments that are no numbers.
pub fn search_to_csv(report: &Report) -> Result<String, ReportError> {
    let rows = rows_of(&report.cases, &report.exact_cases, &report.undecided)?;
    let columns = COLUMNS[..11].iter().filter(|(name, _)| !["binade", "stands_for"].contains(name));
    csv(|writer| {
        writer.write_record(columns.clone().map(|(name, _)| name))?;
        rows.iter().try_for_each(|row| writer.write_record(columns.clone().map(|(_, of)| of(row))))
    })
}

/// An object: function, format, rounding, extra bits, state, digest, the number of cases, what is
/// not covered, and the `rows`, an object on each line with the fields of [`Row`].
///
/// # Errors
/// If the certificate lists arguments that are no numbers.
pub fn to_json(certificate: &Certificate, choice: impl Into<Choice>) -> Result<String, ReportError> {
    #[derive(Serialize)]
    struct Head {
        #[serde(flatten)]
        origin: Origin,
        cases: u128,
        uncovered: Vec<String>,
    }
    let choice = choice.into();
    let (list, headline) = (List::new(certificate, choice.listing)?, Headline::new(certificate)?);
    let chosen = choice.of(certificate, rows(certificate, &list)?)?;
    let failed = |error: serde_json::Error| ReportError::Table { format: "JSON", reason: error.to_string() };
    let origin = origin(certificate, &headline, &chosen);
    let head = Head { origin, cases: certificate.case_count(), uncovered: headline.uncovered };
    let head = serde_json::to_string(&head).map_err(failed)?;
    let lines: Result<Vec<String>, _> = chosen.rows.iter().map(serde_json::to_string).collect();
    let (head, lines) = (head.strip_suffix('}').unwrap_or(&head), lines.map_err(failed)?.join(",\n"));
    Ok(format!("{head},\n\"rows\":[\n{lines}\n]}}\n"))
}

/// Text for the tools of CORE-MATH and others: `#` comments, then a row on each line, in words: the
/// argument, its correctly rounded results in the modes chosen, in their order, and log2 of the
/// distance in ulps, `-inf` where f(x) is a breakpoint. Numbers are as C's `%a` writes them, so
/// that `scanf` reads them. Arguments that were not decided are comments.
///
/// # Errors
/// If the certificate lists arguments that are no numbers, or says nothing of the modes chosen.
pub fn to_corpus(certificate: &Certificate, choice: &Choice) -> Result<String, ReportError> {
    table(certificate, choice).map(|table| table.to_corpus())
}

/// A C99 header: `name`, an array of structures with an argument, its correctly rounded results in
/// the modes chosen, and the distance; in `long double`, `double` or `float` as hexadecimal
/// constants, in bit patterns of `uint16_t` for the 16-bit formats.
///
/// # Errors
/// As [`to_corpus`]; [`ReportError::Name`], [`ReportError::Type`].
pub fn to_c(certificate: &Certificate, choice: &Choice, name: &str) -> Result<String, ReportError> {
    table(certificate, choice)?.to_c(name)
}

/// A Rust module with the static `name`: the same in `f64` or `f32` from bit patterns, or bit
/// patterns in `u16` (16-bit formats) and `u128` (x87).
///
/// # Errors
/// As [`to_corpus`]; [`ReportError::Name`], [`ReportError::Type`].
pub fn to_rust(certificate: &Certificate, choice: &Choice, name: &str) -> Result<String, ReportError> {
    table(certificate, choice)?.to_rust(name)
}

/// The name that follows from a certificate: `exp_binary64`; in Rust in capitals.
pub fn default_name(certificate: &Certificate, language: Language) -> String {
    source::default_name(&certificate.function, &certificate.format.name, language)
}

fn table(certificate: &Certificate, choice: &Choice) -> Result<source::Table, ReportError> {
    let list = List::new(certificate, choice.listing)?;
    let Chosen { rows, words } = choice.of(certificate, rows(certificate, &list)?)?;
    let comment = preamble(certificate, &list, words.as_deref(), choice.command.as_deref())?;
    source::Table::new(certificate, choice.modes(), comment, &rows)
}

/// A value, or an empty cell.
fn cell(value: Option<impl ToString>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

/// A table, and behind each of its lines where it comes from.
fn csv_text<'a, const N: usize>(
    header: impl IntoIterator<Item = &'a str>,
    lines: impl IntoIterator<Item = [String; N]>,
    origin: &Origin,
) -> Result<String, ReportError> {
    let origin = origin.cells();
    csv(|writer| {
        writer.write_record(header.into_iter().chain(Origin::COLUMNS))?;
        lines.into_iter().try_for_each(|line| writer.write_record(line.iter().chain(&origin)))
    })
}

/// The records that are written.
fn csv(write: impl FnOnce(&mut csv::Writer<Vec<u8>>) -> csv::Result<()>) -> Result<String, ReportError> {
    let failed = |reason: String| ReportError::Table { format: "CSV", reason };
    let mut writer = csv::Writer::from_writer(Vec::new());
    write(&mut writer).map_err(|error| failed(error.to_string()))?;
    let bytes = writer.into_inner().map_err(|error| failed(error.to_string()))?;
    String::from_utf8(bytes).map_err(|error| failed(error.to_string()))
}

/// The breakpoints that a certificate is about.
fn breakpoints(certificate: &Certificate) -> Result<Breakpoints, ReportError> {
    Ok(certificate.rounding.parse()?)
}
