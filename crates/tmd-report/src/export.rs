//! A certificate's cases in other formats.
//!
//! | function | format | holds |
//! |---|---|---|
//! | [`to_wc`] | CORE-MATH's worst-case files: an argument per line, `#` comments | all rows, and what is not covered |
//! | [`to_csv`] | comma-separated values, the columns of `tmd search` and the binade | all rows |
//! | [`to_json`] | an array of objects, see [`Row`] | all rows |
//! | [`to_parquet`] | Apache Parquet | all rows, typed, and the question as the file's metadata |
//! | [`to_hardest_markdown`], [`to_hardest_csv`] | tables | the hardest cases of every binade |
//!
//! Rows are cases, exact cases and undecided arguments, as [`rows`] orders them.

mod hardest;
mod parquet;

use std::fmt::Write as _;

use tmd_core::Breakpoints;
use tmd_driver::Certificate;

pub use self::{
    hardest::{Hardness, hardness_to_round, to_hardest_csv, to_hardest_markdown},
    parquet::to_parquet,
};
use crate::{
    ReportError,
    coverage::coverage,
    rows::{Row, UNDECIDED, rows},
};

/// What was asked, and how far it was answered: the same in every format that has room for it.
pub(crate) struct Headline {
    /// Function, format, rounding and ε.
    pub(crate) question: String,
    /// The numbers found.
    pub(crate) counts: String,
    /// `complete`, but for what is not covered, or `PARTIAL` with how much there is.
    pub(crate) state: String,
    /// A line for each region of which nothing is known.
    pub(crate) uncovered: Vec<String>,
    /// What is said of exact cases that are not listed.
    pub(crate) left_out: Option<String>,
}

impl Headline {
    pub(crate) fn new(certificate: &Certificate) -> Self {
        let units: usize = certificate.regions.iter().filter_map(|region| region.units).sum();
        let exact: u64 = certificate.units.iter().map(|unit| unit.exact).sum();
        let plural = |n: usize, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
        let uncovered: Vec<String> = coverage(certificate)
            .iter()
            .filter(|stretch| !stretch.is_covered)
            .map(|stretch| format!("NOT COVERED: {stretch}"))
            .collect();
        let mut counts = plural(certificate.cases.len(), "case");
        if !certificate.undecided.is_empty() {
            let _ = write!(counts, ", {} undecided", certificate.undecided.len());
        }
        Self {
            question: format!(
                "{} in {}, rounding {}, distance < 2^-{} ulp{}",
                certificate.function,
                certificate.format.name,
                certificate.rounding,
                certificate.extra_bits,
                certificate
                    .binades
                    .map_or_else(String::new, |[start, end]| format!(", 2^{start} ≤ |x| < 2^{end}")),
            ),
            counts,
            state: match (certificate.is_complete(), uncovered.is_empty()) {
                (true, true) => "complete".into(),
                (true, false) => "complete but for what is NOT COVERED".into(),
                (false, _) => {
                    format!("PARTIAL: {} of {units} units were searched", certificate.units.len())
                }
            },
            left_out: (certificate.exact_cases.is_empty() && exact > 0)
                .then(|| format!("{exact} exact cases in what was searched, too many to list")),
            uncovered,
        }
    }
}

/// One argument per line with `#` comments, as CORE-MATH's worst-case files.
///
/// # Errors
/// If the certificate lists arguments that are no numbers.
pub fn to_wc(certificate: &Certificate) -> Result<String, ReportError> {
    let rows = rows(certificate)?;
    let headline = Headline::new(certificate);
    let mut text = String::new();
    // writing to a String does not fail
    let _ = writeln!(text, "# {}", headline.question);
    let _ = writeln!(text, "# {}; {}", headline.counts, headline.state);
    for line in headline.uncovered.iter().chain(&headline.left_out) {
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
            Row { x, kind, sign, identical_bits, .. } => {
                let (sign, bits) = (sign.unwrap_or(' '), identical_bits.unwrap_or(0));
                writeln!(text, "{x} # {kind}, sign {sign}, {bits} identical bits")
            }
        };
    }
    Ok(text)
}

/// One line per row, with the columns of `tmd search --output csv` and the binade.
///
/// # Errors
/// If the certificate lists arguments that are no numbers.
pub fn to_csv(certificate: &Certificate) -> Result<String, ReportError> {
    let header =
        ["x", "kind", "sign", "log2_dist", "identical_bits", "breakpoint", "lower", "upper", "binade"];
    let mut lines = vec![header.map(String::from)];
    for row in rows(certificate)? {
        lines.push([
            row.x.to_owned(),
            row.kind_in_words(),
            cell(row.sign),
            cell(row.log2_dist),
            cell(row.identical_bits),
            cell(row.breakpoint),
            cell(row.lower),
            cell(row.upper),
            cell(row.binade),
        ]);
    }
    csv_text(&lines)
}

/// An array of objects, one on each line; the fields are those of [`Row`].
///
/// # Errors
/// If the certificate lists arguments that are no numbers.
pub fn to_json(certificate: &Certificate) -> Result<String, ReportError> {
    let lines: Result<Vec<String>, _> = rows(certificate)?.iter().map(serde_json::to_string).collect();
    let lines = lines.map_err(|error| ReportError::Table { format: "JSON", reason: error.to_string() })?;
    Ok(if lines.is_empty() { "[]\n".into() } else { format!("[\n{}\n]\n", lines.join(",\n")) })
}

/// A value, or an empty cell.
fn cell(value: Option<impl ToString>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

fn csv_text<const N: usize>(lines: &[[String; N]]) -> Result<String, ReportError> {
    let failed = |reason: String| ReportError::Table { format: "CSV", reason };
    let mut writer = csv::Writer::from_writer(Vec::new());
    lines.iter().try_for_each(|line| writer.write_record(line)).map_err(|error| failed(error.to_string()))?;
    let bytes = writer.into_inner().map_err(|error| failed(error.to_string()))?;
    String::from_utf8(bytes).map_err(|error| failed(error.to_string()))
}

/// The breakpoints that a certificate is about.
fn breakpoints(certificate: &Certificate) -> Result<Breakpoints, ReportError> {
    Ok(certificate.rounding.parse()?)
}
