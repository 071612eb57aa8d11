//! `cargo xtask tidy`: the project's invariants that are absences, which no compiler checks.
//!
//! * [`layers`]: who may depend on whom; [`crates`]: what every crate's root and manifest say;
//! * [`text`]: what no file may hold; [`words`]: one word per thing; [`citations`]: what is cited
//!   is there; [`circles`]: files that use each other; [`layout`]: equal names in every crate;
//! * [`tree`]: the files; [`pieces`]: what of them is code; [`manifest`]: as much of TOML as that
//!   takes.

mod circles;
mod citations;
mod crates;
mod layers;
mod layout;
mod manifest;
mod pieces;
mod text;
mod tree;
mod words;

use std::fmt;

pub(crate) use manifest::Package;
pub(crate) use tree::Tree;

use crate::run::{Failure, root};

/// A broken rule: the file, the line if there is one, and what is wrong with it.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Complaint {
    path: String,
    line: Option<usize>,
    what: String,
}

impl Complaint {
    fn file(path: impl Into<String>, what: impl Into<String>) -> Self {
        Self { path: path.into(), line: None, what: what.into() }
    }

    fn line(path: impl Into<String>, line: usize, what: impl Into<String>) -> Self {
        Self { path: path.into(), line: Some(line), what: what.into() }
    }
}

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{line}: {}", self.path, self.what),
            None => write!(f, "{}: {}", self.path, self.what),
        }
    }
}

/// Checks the repository and prints every complaint.
pub(crate) fn run() -> Result<(), Failure> {
    let complaints = check(&Tree::read(root())?);
    for complaint in &complaints {
        eprintln!("{complaint}");
    }
    match complaints.len() {
        0 => Ok(()),
        1 => Err(Failure::step("1 rule of the source tree is broken, see above")),
        n => Err(Failure::step(format!("{n} rules of the source tree are broken, see above"))),
    }
}

fn check(tree: &Tree) -> Vec<Complaint> {
    let packages = tree.packages();
    let mut complaints = layers::check(tree, &packages);
    complaints.extend(crates::check(tree, &packages));
    complaints.extend(text::check(tree));
    complaints.extend(words::check(tree));
    complaints.extend(citations::check(tree));
    complaints.extend(circles::check(tree));
    complaints.extend(layout::check(tree));
    complaints.sort();
    complaints
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_is_asked_and_complaints_are_sorted() {
        let tree = Tree::of(&[
            (
                "crates/tmd-exist/Cargo.toml",
                "[package]\nname = \"tmd-exist\"\n[lib]\nbench = false\n[dependencies]\nrug.workspace = true\n",
            ),
            ("crates/tmd-exist/src/lib.rs", "//! Tests.\n"),
            ("crates/tmd-exist/src/a.rs", concat!("//! A.\nfn a() { db", "g!(1); }\n")),
        ]);
        let shown: Vec<String> = check(&tree).iter().map(Complaint::to_string).collect();
        let starts = [
            "crates/tmd-exist/Cargo.toml: ",
            "crates/tmd-exist/src/a.rs:2: ",
            "crates/tmd-exist/src/lib.rs: ",
        ];
        assert_eq!(shown.len(), starts.len(), "{shown:?}");
        assert!(shown.iter().zip(starts).all(|(line, start)| line.starts_with(start)), "{shown:?}");
    }
}
