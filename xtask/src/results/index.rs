//! `results/README.md`: what is there, read from the tables beside the certificates.

use std::{
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
};

use super::{
    failure,
    files::ENDINGS,
    former,
    jobs::{self, Job, TARGETS, Target},
    large,
};
use crate::run::{Failure, root};

/// The file of the index, and its text.
pub(super) fn made() -> Result<(PathBuf, String), Failure> {
    Ok((root().join("results/README.md"), index(&root().join("results"))?))
}

/// The index of the certificates below a folder.
fn index(results: &Path) -> Result<String, Failure> {
    let mut text = "# Hardest-to-round cases\n\n\
         Written by `cargo xtask results`. Each certificate holds **all** cases of its function over its domain: results closer to a\n\
         breakpoint of rounding (a number, or the midpoint of two) than the distance named, and not on it. `tmd verify FILE` checks a\n\
         certificate, `tmd export` and `tmd report` show more of it; they read it as it is, compressed. `.wc` is the list as CORE-MATH's\n\
         tools read it, an argument a line; `.md` and `.csv` have the hardness to round and the hardest cases of each binade.\n\
         Larger lists are compressed by Zstandard (`.zst`). Lists of up to 50,000 cases are Parquet files, too; of half a million cases and more, which are no copies of others, there is the certificate only, and [DATA.md](../DATA.md) says how to make others.\n\
         [effort.csv](effort.csv) says what each took, beside what was planned; [comparison.md](comparison.md) has published worst cases beside ours.\n\
         [checked.csv](checked.csv) has a row for each that `cargo xtask results --check` verified again as it is now: when, with which share of it searched again by another engine, and in how many seconds of one core.\n\
         All of it is in the public domain ([CC0 1.0](LICENSE)); [DATA.md](../DATA.md) says how to use and to cite it.\n"
        .to_owned();
    let all = jobs::jobs(&[], &[])?;
    for target in TARGETS.into_iter().rev() {
        let mut rows = String::new();
        for job in all.iter().filter(|job| job.target == target) {
            rows += &row(results, job)?;
        }
        if !rows.is_empty() {
            let Target { format, extra_bits, .. } = target;
            // writing to a String does not fail
            let _ = write!(
                text,
                "\n## {format}: within 2^-{extra_bits} ulp\n\n\
                 | function | domain | cases | files | rounding | hardest argument | log2(distance in ulps) | identical bits |\n\
                 |---|---|---:|---|---|---|---:|---:|\n{rows}"
            );
        }
    }
    text += &former::section(results)?;
    text += &large::section()?;
    Ok(text)
}

/// The two rows of a job, or nothing if it is not done.
fn row(results: &Path, job: &Job) -> Result<String, Failure> {
    let stem = job.stem();
    if !results.join(format!("{stem}.json.zst")).is_file() {
        return Ok(String::new());
    }
    let path = results.join(format!("{stem}.md"));
    let table = fs::read_to_string(&path).map_err(|error| failure(&path, &error))?;
    let links: Vec<String> = ENDINGS
        .into_iter()
        .filter(|ending| results.join(format!("{stem}.{ending}")).is_file())
        .map(|ending| format!("[{ending}]({stem}.{ending})"))
        .collect();
    let mut rows = String::new();
    for rounding in ["directed", "to nearest"] {
        let cells = hardest(&table, rounding);
        let head = if rounding == "directed" {
            format!("{} | {} | {} | {}", job.function, job.domain(), cases(&path)?, links.join(" "))
        } else {
            " | | | ".into()
        };
        // writing to a String does not fail
        let _ = writeln!(rows, "| {head} | {rounding} | {cells} |");
    }
    Ok(rows)
}

/// Hardest argument, distance and identical bits, as a table of the hardest has them for a
/// rounding.
pub(super) fn hardest(table: &str, rounding: &str) -> String {
    let row = table.lines().find_map(|line| line.strip_prefix(&format!("| {rounding} | ")));
    row.map_or_else(|| "none | | ".into(), |cells| cells.split(" | ").take(3).collect::<Vec<_>>().join(" | "))
}

/// The number of cases that a table of the hardest names first.
pub(super) fn cases(table: &Path) -> Result<usize, Failure> {
    let text = fs::read_to_string(table).map_err(|error| failure(table, &error))?;
    let count = text.lines().find_map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let place = words.iter().position(|word| word.trim_end_matches(';') == "cases")?;
        words.get(place.checked_sub(1)?)?.parse().ok()
    });
    count.ok_or_else(|| Failure::step(format!("{} names no number of cases", table.display())))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The index in the repository is that of the tables in the repository.
    #[test]
    fn the_index_is_up_to_date() {
        let directory = root().join("results");
        assert_eq!(fs::read_to_string(directory.join("README.md")).unwrap(), index(&directory).unwrap());
    }
}
