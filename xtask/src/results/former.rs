//! The certificates of 48 extra bits in `results/` itself, which came first: those of
//! [`jobs`](super::jobs) take their place, one after the other, and they are named only as long as
//! those are not there.

use std::{fmt::Write as _, fs, path::Path};

use super::failure;
use crate::run::Failure;

/// ε is 2^-48 ulp.
pub(super) const EXTRA_BITS: u32 = 48;

/// Function, and domain in words.
const CERTIFICATES: [(&str, &str); 3] =
    [("sin", "2^-27 ≤ abs(x) < 2"), ("cos", "2^-27 ≤ abs(x) < 2"), ("log", "2^-16 ≤ x < 2^16")];

/// Those whose place none has taken yet.
pub(super) fn certificates(results: &Path) -> impl Iterator<Item = (&'static str, &'static str)> {
    CERTIFICATES.into_iter().filter(|(function, _)| {
        results.join(format!("{function}.json")).is_file()
            && !results.join(format!("binary64/{function}.json.zst")).is_file()
    })
}

/// Their part of the index.
pub(super) fn section(results: &Path) -> Result<String, Failure> {
    let mut rows = String::new();
    for (function, domain) in certificates(results) {
        let path = results.join(format!("{function}.md"));
        let table = fs::read_to_string(&path).map_err(|error| failure(&path, &error))?;
        let head = format!(
            "{function} | {domain} | [md]({function}.md), [csv]({function}.csv) | [json]({function}.json)"
        );
        for (head, rounding) in [(head.as_str(), "directed"), (" | | |", "to nearest")] {
            // writing to a String does not fail
            let _ = writeln!(rows, "| {head} | {rounding} | {} |", super::index::hardest(&table, rounding));
        }
    }
    Ok(if rows.is_empty() {
        rows
    } else {
        format!(
            "\n## binary64: within 2^-{EXTRA_BITS} ulp\n\n\
             | function | domain | tables | certificate | rounding | hardest argument | log2(distance in ulps) | identical bits |\n\
             |---|---|---|---|---|---|---:|---:|\n{rows}"
        )
    })
}
