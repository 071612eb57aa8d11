//! The certificates of 48 extra bits in `results/` itself, which came first: in time those of
//! [`jobs`](super::jobs) take their place.

use std::{fmt::Write as _, fs, io::ErrorKind, path::Path};

use super::failure;
use crate::run::Failure;

/// ε is 2^-48 ulp.
pub(super) const EXTRA_BITS: u32 = 48;

/// Function, and domain in words.
pub(super) const CERTIFICATES: [(&str, &str); 8] = [
    ("cbrt", "all numbers"),
    ("exp2", "all numbers"),
    ("log2", "all numbers"),
    ("atan", "all numbers"),
    ("sin", "2^-27 ≤ abs(x) < 2"),
    ("cos", "2^-27 ≤ abs(x) < 2"),
    ("log", "2^-16 ≤ x < 2^16"),
    ("exp", "2^-54 ≤ abs(x) < 8, and what is smaller rounds like 1 + x"),
];

/// Their part of the index.
pub(super) fn section(results: &Path) -> Result<String, Failure> {
    let mut rows = String::new();
    for (function, domain) in CERTIFICATES {
        let path = results.join(format!("{function}.md"));
        let table = match fs::read_to_string(&path) {
            Ok(table) => table,
            Err(error) if error.kind() == ErrorKind::NotFound => continue,
            Err(error) => return Err(failure(&path, &error)),
        };
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
