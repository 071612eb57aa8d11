//! `cargo xtask prove`: the machine-checked proofs of `proofs/`, compiled and audited.
//!
//! Every chapter is compiled by Rocq (`coqc`) in the target folder, then `Print Assumptions` is
//! asked of all theorems. One that rests on anything but the axioms of the classical real numbers
//! fails the command, and so does a word that leaves a proof out.

use std::{fs, path::Path, process::Command, slice};

use crate::{
    extract,
    prerequisites::{self, optional},
    run::{Failure, cannot, capture, execute, read, root, target_directory, write},
};

/// The chapters, each after those that it needs.
const CHAPTERS: &str = "Lattice Walk Existence Doubles Tables Space Taylor Composition Budget Maps Witness Regions \
                        Families Lanes Roots Certificate Arcs Blocks";

fn chapters() -> impl Iterator<Item = &'static str> {
    CHAPTERS.split_whitespace()
}

/// Axioms of the real numbers in Rocq's standard library. Nothing else may be assumed.
const ALLOWED: [&str; 4] = [
    "ClassicalDedekindReals.sig_forall_dec",
    "ClassicalDedekindReals.sig_not_dec",
    "FunctionalExtensionality.functional_extensionality_dep",
    "Classical_Prop.classic",
];

/// The chapter that rests on no axiom at all.
const CONSTRUCTIVE: &str = "Witness";

/// Words that leave a proof out, or assume something.
const BANNED: [&str; 6] = ["Admitted", "admit", "Axiom", "Parameter", "Conjecture", "Abort"];

/// A theorem of a chapter.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Theorem {
    chapter: &'static str,
    /// such as W.14, if the comment before it has one
    number: Option<String>,
    name: String,
}

/// Compiles and audits all chapters; without Rocq it fails with the line to type.
pub(crate) fn run() -> Result<(), Failure> {
    prerequisites::rocq().and_then(check)
}

/// The same as a step of the tests: skipped with a line where Rocq is missing, unless `TMD_ROCQ`
/// says otherwise.
pub(crate) fn step() -> Result<(), Failure> {
    optional(ROCQ, "the proofs are not checked", prerequisites::rocq, check)
}

/// The variable that says whether Rocq, and OCaml for what it extracts, may be missing.
pub(crate) const ROCQ: &str = "TMD_ROCQ";

fn check((): ()) -> Result<(), Failure> {
    let folder = target_directory()?.join("proofs");
    fs::create_dir_all(&folder).map_err(cannot("create", &folder))?;
    let mut theorems = Vec::new();
    for chapter in chapters() {
        let text = source(chapter)?;
        if let Some(word) = banned(&text) {
            return Err(Failure::step(format!(
                "proofs/{chapter}.v has the word {word}: nothing may be left out"
            )));
        }
        theorems.extend(theorems_of(chapter, &text));
        execute(&mut coqc(&folder, chapter, &text)?)?;
    }
    // of all together: what Rocq knows of real numbers is gone through once
    if let Some(axiom) = not_allowed(&assumed(&folder, &theorems)?) {
        for theorem in &theorems {
            if not_allowed(&assumed(&folder, slice::from_ref(theorem))?).is_some() {
                let Theorem { chapter, name, .. } = theorem;
                return Err(Failure::step(format!("{chapter}.{name} rests on {axiom}")));
            }
        }
        return Err(Failure::step(format!("a theorem rests on {axiom}")));
    }
    let checkers: Vec<Theorem> = theorems.iter().filter(|it| it.chapter == CONSTRUCTIVE).cloned().collect();
    if let Some(axiom) = assumed(&folder, &checkers)?.first() {
        return Err(Failure::step(format!(
            "{CONSTRUCTIVE}, from which a checker is extracted, rests on {axiom}"
        )));
    }
    for Theorem { chapter, number, name } in &theorems {
        println!("  {:<6} {chapter}.{name}", number.as_deref().unwrap_or(""));
    }
    println!(
        "{} theorems in {} chapters hold, by no axioms but those of the classical reals",
        theorems.len(),
        chapters().count()
    );
    extract::check(&folder)
}

fn source(chapter: &str) -> Result<String, Failure> {
    read(&root().join(format!("proofs/{chapter}.v")))
}

fn coqc(folder: &Path, name: &str, text: &str) -> Result<Command, Failure> {
    write(&folder.join(format!("{name}.v")), text)?;
    let mut command = Command::new("coqc");
    command.args(["-q", "-Q", ".", "TMD"]).arg(format!("{name}.v")).current_dir(folder);
    Ok(command)
}

/// The text without its comments, which nest.
fn without_comments(text: &str) -> String {
    let (mut depth, mut code, mut rest) = (0usize, String::new(), text);
    while let Some(c) = rest.chars().next() {
        let skipped = if rest.starts_with("(*") {
            depth += 1;
            2
        } else if rest.starts_with("*)") && depth > 0 {
            depth -= 1;
            2
        } else {
            if depth == 0 {
                code.push(c);
            }
            c.len_utf8()
        };
        rest = &rest[skipped..];
    }
    code
}

fn banned(text: &str) -> Option<&'static str> {
    let code = without_comments(text);
    let is_there = |word: &&str| code.split(|c: char| !c.is_alphanumeric() && c != '_').any(|w| w == *word);
    BANNED.into_iter().find(|word| is_there(word))
}

/// The theorems of a chapter, each with the number that the comment before it begins with.
fn theorems_of(chapter: &'static str, text: &str) -> Vec<Theorem> {
    let mut number = None;
    let mut theorems = Vec::new();
    for line in text.lines() {
        let line = line.trim_start();
        if let Some(comment) = line.strip_prefix("(* ") {
            number = numbers(comment).into_iter().next();
        } else if ["Lemma ", "Corollary ", "Definition ", "Inductive ", "Fixpoint "]
            .iter()
            .any(|word| line.starts_with(word))
        {
            number = None;
        } else if let Some(rest) = line.strip_prefix("Theorem ") {
            let name = rest.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or("").to_owned();
            theorems.push(Theorem { chapter, number: number.take(), name });
        }
    }
    theorems
}

/// Numbers such as W.14 that a text names after one of the words Theorem, Lemma, Corollary.
fn numbers(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for kind in ["Theorem ", "Lemma ", "Corollary "] {
        for (start, _) in text.match_indices(kind) {
            let word: String = text[start + kind.len()..]
                .chars()
                .take_while(|c| c.is_ascii_alphanumeric() || *c == '.')
                .collect();
            let word = word.trim_end_matches('.');
            let is_number = word.split_once('.').is_some_and(|(letter, digits)| {
                letter.len() == 1
                    && letter.chars().all(|c| c.is_ascii_uppercase())
                    && !digits.is_empty()
                    && digits.chars().all(|c| c.is_ascii_digit())
            });
            if is_number {
                found.push((start, word.to_owned()));
            }
        }
    }
    found.sort();
    found.into_iter().map(|(_, number)| number).collect()
}

/// The axioms that some theorems rest on.
fn assumed(folder: &Path, theorems: &[Theorem]) -> Result<Vec<String>, Failure> {
    let names = theorems.iter().map(|Theorem { chapter, name, .. }| format!("@TMD.{chapter}.{name}"));
    let names: Vec<String> = names.collect();
    let audit = format!(
        "Require TMD.{}.\nDefinition all := ({}).\nPrint Assumptions all.\n",
        chapters().collect::<Vec<_>>().join(" TMD."),
        names.join(",\n  ")
    );
    let said = capture(&mut coqc(folder, "Audit", &audit)?)?;
    assumptions(&said).ok_or_else(|| Failure::step(format!("Rocq says of assumptions: {said}")))
}

fn not_allowed(axioms: &[String]) -> Option<&str> {
    axioms.iter().map(String::as_str).find(|axiom| !ALLOWED.contains(axiom))
}

/// The names of the axioms in an answer of Rocq's; none if it is no answer to one question.
fn assumptions(said: &str) -> Option<Vec<String>> {
    let (closed, open) = ("Closed under the global context", "Axioms:");
    let mut lines = said.lines().skip_while(|line| !line.starts_with(closed) && *line != open);
    let is_open = lines.next()? == open;
    let names = lines.filter(|line| !line.starts_with(' '));
    let names: Vec<String> = names.filter_map(|line| line.split([' ', ':']).next()).map(Into::into).collect();
    (is_open != names.is_empty()).then_some(names)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::Tree;

    #[test]
    fn theorems_with_their_numbers() {
        let text = "(* Theorem W.8 (two lines). *)\nTheorem two_lines D :\n(* Lemma W.9. *)\nLemma far x :\nTheorem bare: x.";
        let found = theorems_of("Walk", text);
        assert_eq!(found.len(), 2);
        assert_eq!((found[0].number.as_deref(), found[0].name.as_str()), (Some("W.8"), "two_lines"));
        assert_eq!((found[1].number.as_deref(), found[1].name.as_str()), (None, "bare"));
        assert_eq!(numbers("see Theorem E.12, and Lemma W.3. Theorem Ab.1 and Lemma x"), ["E.12", "W.3"]);
    }

    #[test]
    fn what_is_left_out_is_seen() {
        assert_eq!(banned("Lemma a : x. Admitted."), Some("Admitted"));
        assert_eq!(banned("(* Admitted (* admit *) *) Lemma admitted_b : x. Qed."), None);
        assert_eq!(banned("all: admit."), Some("admit"));
    }

    #[test]
    fn axioms_are_read() {
        assert_eq!(assumptions("Closed under the global context\n"), Some(vec![]));
        let said = "Fetching opaque proofs from disk for TMD.A\nAxioms:\nA.b\n  : forall x,\n    y\nc : R\n";
        assert_eq!(assumptions(said), Some(vec!["A.b".to_owned(), "c".to_owned()]));
        assert_eq!(not_allowed(&assumptions(said).unwrap()), Some("A.b"));
        assert_eq!(not_allowed(&[ALLOWED[1].to_owned()]), None);
        for said in ["", "Axioms:\n", "Error: what\n", "Closed under the global context\nAxioms:\nA.b : R\n"]
        {
            assert_eq!(assumptions(said), None, "{said}");
        }
    }

    /// No number is given twice, and every theorem is cited by the code that it is about. That
    /// every number that is cited exists is a rule of `cargo xtask tidy`.
    #[test]
    fn every_theorem_is_cited() {
        let mut known = Vec::new();
        for chapter in chapters() {
            let text = source(chapter).unwrap();
            assert_eq!(banned(&text), None, "{chapter}");
            assert!(theorems_of(chapter, &text).iter().all(|theorem| theorem.number.is_some()), "{chapter}");
            known.extend(text.lines().filter(|line| line.starts_with("(* ")).flat_map(numbers));
        }
        let mut twice = known.clone();
        twice.sort();
        twice.dedup();
        assert_eq!(twice.len(), known.len(), "a number is given twice: {known:?}");
        let tree = Tree::read(root()).unwrap();
        let mut cited = Vec::new();
        for (_, text) in tree.files().filter(|(path, _)| path.starts_with("crates/")) {
            cited.extend(numbers(text).into_iter().filter(|number| known.contains(number)));
        }
        let theorems = chapters().flat_map(|chapter| theorems_of(chapter, &source(chapter).unwrap()));
        let uncited: Vec<String> =
            theorems.filter_map(|theorem| theorem.number).filter(|number| !cited.contains(number)).collect();
        assert_eq!(uncited, Vec::<String>::new(), "no code cites these theorems");
    }
}
