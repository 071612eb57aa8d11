//! `cargo xtask results`: the tables in `results/`, computed, verified and written again.
//!
//! Each function has three files: `NAME.json`, the certificate; `NAME.md`, the hardness to round and the hardest cases of each
//! binade, to read; `NAME.csv`, the same cases for programs. `README.md` is the index.

use std::{fmt::Write as _, fs, path::Path, process::Command};

use crate::{
    prerequisites,
    run::{Failure, cargo, execute, root, target_directory, typed},
};

/// Cases of a binade that are listed: the certificates hold all within [`EXTRA_BITS`], about 64 of each binade.
const PER_BINADE: &str = "20";

/// ε is 2^-48 ulp.
const EXTRA_BITS: &str = "48";

/// A function, and the binades of |x| that are searched; all if none are named.
struct Entry {
    function: &'static str,
    binades: Option<&'static str>,
    /// in words
    domain: &'static str,
}

const fn entry(function: &'static str, binades: Option<&'static str>, domain: &'static str) -> Entry {
    Entry { function, binades, domain }
}

const ENTRIES: [Entry; 8] = [
    entry("cbrt", None, "all numbers"),
    entry("exp2", None, "all numbers"),
    entry("log2", None, "all numbers"),
    entry("atan", None, "all numbers"),
    entry("sin", Some("-27..1"), "2^-27 ≤ abs(x) < 2"),
    entry("cos", Some("-27..1"), "2^-27 ≤ abs(x) < 2"),
    entry("log", Some("-16..16"), "2^-16 ≤ x < 2^16"),
    entry("exp", Some("-54..3"), "2^-54 ≤ abs(x) < 8, and what is smaller rounds like 1 + x"),
];

/// Computes the tables of these functions, or of all, and then the index.
pub(crate) fn run(names: &[String]) -> Result<(), Failure> {
    if let Some(name) = names.iter().find(|name| ENTRIES.iter().all(|entry| entry.function != **name)) {
        let known: Vec<&str> = ENTRIES.iter().map(|entry| entry.function).collect();
        return Err(Failure::usage(format!("there is no result `{name}`; there are {}", known.join(", "))));
    }
    prerequisites::ensure()?;
    execute(&mut cargo(&["build", "--release", "--package", "tmd-cli", "--bin", "tmd"]))?;
    let binary = target_directory()?.join("release").join(format!("tmd{}", std::env::consts::EXE_SUFFIX));
    let directory = root().join("results");
    fs::create_dir_all(&directory).map_err(|error| failure(&directory, &error))?;
    for entry in ENTRIES {
        if names.is_empty() || names.iter().any(|name| name == entry.function) {
            compute(&entry, &binary, &directory)?;
        }
    }
    let index = index(&directory)?;
    let path = directory.join("README.md");
    fs::write(&path, index).map_err(|error| failure(&path, &error))
}

fn compute(entry: &Entry, binary: &Path, directory: &Path) -> Result<(), Failure> {
    let file = |ending: &str| directory.join(format!("{}.{ending}", entry.function)).display().to_string();
    let certificate = file("json");
    let tell = |arguments: &[&str]| {
        let mut command = Command::new(binary);
        command.args(arguments);
        println!("$ {}", typed(&command));
        execute(&mut command)
    };
    let binades = entry.binades.map(|binades| format!("--binades={binades}"));
    let mut solve =
        vec!["solve", entry.function, "--extra-bits", EXTRA_BITS, "--overwrite", "--out", &certificate];
    solve.extend(binades.as_deref());
    tell(&solve)?;
    tell(&["verify", &certificate])?;
    for (output, ending) in [("hardest", "md"), ("hardest-csv", "csv")] {
        tell(&[
            "export",
            &certificate,
            "--output",
            output,
            "--per-binade",
            PER_BINADE,
            "--overwrite",
            "--out",
            &file(ending),
        ])?;
    }
    Ok(())
}

/// The index of the tables that are there.
fn index(directory: &Path) -> Result<String, Failure> {
    let mut text = format!(
        "# Hardest-to-round cases in binary64\n\n\
         Written by `cargo xtask results`. Each certificate holds **all** cases within 2^-{EXTRA_BITS} ulp of a number or a\n\
         midpoint over its domain; `tmd verify results/NAME.json` checks it. `tmd export` and `tmd report` show more of it.\n\
         The tables list the hardness to round and the {PER_BINADE} hardest cases of each binade.\n\n\
         | function | domain | tables | certificate | rounding | hardest argument | log2(distance in ulps) | identical bits |\n\
         |---|---|---|---|---|---|---:|---:|\n"
    );
    for Entry { function, domain, .. } in ENTRIES {
        let path = directory.join(format!("{function}.md"));
        let tables = match fs::read_to_string(&path) {
            Ok(tables) => tables,
            // not computed yet
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => continue,
            Err(error) => return Err(failure(&path, &error)),
        };
        for (row, rounding) in ["directed", "to nearest"].into_iter().enumerate() {
            let Some(hardest) =
                tables.lines().find_map(|line| line.strip_prefix(&format!("| {rounding} | ")))
            else {
                return Err(Failure::step(format!("{} has no row `{rounding}`", path.display())));
            };
            let cells: Vec<&str> = hardest.split(" | ").take(3).collect();
            let head = if row == 0 {
                format!(
                    "{function} | {domain} | [md]({function}.md), [csv]({function}.csv) | [json]({function}.json)"
                )
            } else {
                " | | |".into()
            };
            // writing to a String does not fail
            let _ = writeln!(text, "| {head} | {rounding} | {} |", cells.join(" | "));
        }
    }
    Ok(text)
}

fn failure(path: &Path, error: &std::io::Error) -> Failure {
    Failure::step(format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The index in the repository is that of the tables in the repository, and every function has its three files.
    #[test]
    fn the_index_is_up_to_date() {
        let directory = root().join("results");
        assert_eq!(fs::read_to_string(directory.join("README.md")).unwrap(), index(&directory).unwrap());
        for Entry { function, .. } in ENTRIES {
            for ending in ["json", "md", "csv"] {
                assert!(directory.join(format!("{function}.{ending}")).is_file(), "{function}.{ending}");
            }
        }
    }

    #[test]
    fn unknown_names() {
        assert_eq!(run(&["sine".into()]).unwrap_err().exit_code(), 2);
    }
}
