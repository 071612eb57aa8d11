//! A certificate's cases in other formats.
//!
//! | function | format | holds |
//! |---|---|---|
//! | [`to_wc`] | CORE-MATH's worst-case files: an argument per line, `#` comments | all rows, and what is not covered |
//! | [`to_csv`] | comma-separated values | all rows |
//! | [`to_json`] | an object with the question, the state, and all rows as objects, see [`Row`] | all rows |
//! | [`to_parquet`] | Apache Parquet | all rows, typed |
//! | [`to_hardest_markdown`], [`to_hardest_csv`] | tables | the hardest cases of every binade |
//!
//! Rows are cases, exact cases and undecided arguments, as [`rows`] orders them. Their columns have the same names everywhere, and every
//! format says how many cases each line stands for ([`Listing`]), of which question and certificate it is, and whether that is complete: docs/exports.md.

mod hardest;
mod parquet;

use std::fmt::Write as _;

use serde::Serialize;
use tmd_core::Breakpoints;
use tmd_driver::Certificate;

pub use self::{
    hardest::{Hardness, hardness_to_round, to_hardest_csv, to_hardest_markdown},
    parquet::to_parquet,
};
use crate::{
    ReportError,
    head::{Headline, Origin},
    list::{List, Listing},
    rows::{Row, UNDECIDED, rows},
};

/// One argument per line with `#` comments, as CORE-MATH's worst-case files.
///
/// # Errors
/// If the certificate lists arguments that are no numbers.
pub fn to_wc(certificate: &Certificate, listing: Listing) -> Result<String, ReportError> {
    let list = List::new(certificate, listing)?;
    let rows = rows(certificate, &list)?;
    let headline = Headline::new(certificate)?;
    let mut text = String::new();
    // writing to a String does not fail
    let _ = writeln!(text, "# {}", headline.question);
    let _ = writeln!(text, "# {}; {}", headline.counts, headline.state);
    for line in
        headline.uncovered.iter().chain(&headline.left_out).chain(&headline.derived).chain(&list.note())
    {
        let _ = writeln!(text, "# {line}");
    }
    if let Some(rule) = &certificate.exact_rule {
        let _ = writeln!(text, "# exact results: {rule}");
    }
    let _ = writeln!(text, "# {}, certificate {}", certificate.program, certificate.digest);
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

/// One line per row. The last columns are the same in every line: function, format, rounding, extra bits, state and digest.
///
/// # Errors
/// If the certificate lists arguments that are no numbers.
pub fn to_csv(certificate: &Certificate, listing: Listing) -> Result<String, ReportError> {
    let list = List::new(certificate, listing)?;
    let header = [
        "x",
        "binade",
        "kind",
        "exact",
        "stands_for",
        "sign",
        "log2_dist",
        "identical_bits",
        "breakpoint",
        "lower",
        "upper",
    ];
    let lines = rows(certificate, &list)?.into_iter().map(|row| {
        [
            row.x.to_owned(),
            cell(row.binade),
            row.kind.to_owned(),
            row.exact.to_string(),
            row.stands_for.to_string(),
            cell(row.sign),
            cell(row.log2_dist),
            cell(row.identical_bits),
            cell(row.breakpoint),
            cell(row.lower),
            cell(row.upper),
        ]
    });
    csv_text(&header, lines, &Origin::new(certificate, &Headline::new(certificate)?))
}

/// An object: function, format, rounding, extra bits, state, digest, the number of cases, what is not covered, and the `rows`, an object on each line with the
/// fields of [`Row`].
///
/// # Errors
/// If the certificate lists arguments that are no numbers.
pub fn to_json(certificate: &Certificate, listing: Listing) -> Result<String, ReportError> {
    #[derive(Serialize)]
    struct Head {
        #[serde(flatten)]
        origin: Origin,
        cases: u128,
        uncovered: Vec<String>,
    }
    let (list, headline) = (List::new(certificate, listing)?, Headline::new(certificate)?);
    let failed = |error: serde_json::Error| ReportError::Table { format: "JSON", reason: error.to_string() };
    let origin = Origin::new(certificate, &headline);
    let head = Head { origin, cases: certificate.case_count(), uncovered: headline.uncovered };
    let head = serde_json::to_string(&head).map_err(failed)?;
    let lines: Result<Vec<String>, _> = rows(certificate, &list)?.iter().map(serde_json::to_string).collect();
    let (head, lines) = (head.strip_suffix('}').unwrap_or(&head), lines.map_err(failed)?.join(",\n"));
    Ok(format!("{head},\n\"rows\":[\n{lines}\n]}}\n"))
}

/// A value, or an empty cell.
fn cell(value: Option<impl ToString>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

/// A table, and behind each of its lines where it comes from.
fn csv_text<const N: usize>(
    header: &[&str; N],
    lines: impl IntoIterator<Item = [String; N]>,
    origin: &Origin,
) -> Result<String, ReportError> {
    let failed = |reason: String| ReportError::Table { format: "CSV", reason };
    let mut writer = csv::Writer::from_writer(Vec::new());
    let header = header.iter().chain(&Origin::COLUMNS);
    let origin = origin.cells();
    writer
        .write_record(header)
        .and_then(|()| lines.into_iter().try_for_each(|line| writer.write_record(line.iter().chain(&origin))))
        .map_err(|error| failed(error.to_string()))?;
    let bytes = writer.into_inner().map_err(|error| failed(error.to_string()))?;
    String::from_utf8(bytes).map_err(|error| failed(error.to_string()))
}

/// The breakpoints that a certificate is about.
fn breakpoints(certificate: &Certificate) -> Result<Breakpoints, ReportError> {
    Ok(certificate.rounding.parse()?)
}
