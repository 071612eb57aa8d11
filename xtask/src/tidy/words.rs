//! One word per thing: what the glossary of docs/architecture.md says a thing is not called is in
//! no source file and on no page.
//!
//! * names (code, and what is between backticks in comments, messages and pages) are compared part
//!   by part: `gait` is in `at_gait_of` and in `GaitTable`; a word with a capital is one of types
//!   alone, so that a verb of the same letters may stay;
//! * words of the last column are private ones: they are in no sentence either.

use super::{
    Complaint, Tree,
    pieces::{Kind, Language, pieces},
};

/// Where the glossary is, and the line above its table.
const GLOSSARY: &str = "docs/architecture.md";
const HEADING: &str = "| word | what it is | not | nor in a sentence |";

/// Records say what was: measurements, what was found.
const RECORDS: [&str; 2] = ["benches/record/", "results/"];

pub(super) fn check(tree: &Tree) -> Vec<Complaint> {
    let Some(text) = tree.text(GLOSSARY) else { return Vec::new() };
    let words = banned(text);
    if words.is_empty() {
        return vec![Complaint::file(
            GLOSSARY,
            format!("there is no table `{HEADING}` with words in its third column"),
        )];
    }
    let is_record = |path: &str| RECORDS.iter().any(|record| path.starts_with(record));
    let read = tree.files().filter(|(path, _)| Language::of(path).is_some() && !is_record(path));
    read.flat_map(|(path, text)| of_file(path, text, &words)).collect()
}

/// A word that is not used, and the one that is.
struct Banned<'a> {
    not: &'a str,
    word: &'a str,
    kind: Kind,
}

impl Banned<'_> {
    /// What stands somewhere in a text that has the word.
    fn letters(&self) -> impl Iterator<Item = String> {
        self.not.split([':', ' ', '-']).flat_map(parts)
    }
}

/// Lines of the glossary's table.
fn rows(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let table = text.lines().enumerate().skip_while(|(_, line)| *line != HEADING);
    table.take_while(|(_, line)| line.starts_with('|'))
}

/// The words in backticks of the last two columns, with their preferred word.
fn banned(text: &str) -> Vec<Banned<'_>> {
    let mut all = Vec::new();
    for (_, line) in rows(text).skip(2) {
        let mut cells = line.trim_matches('|').split('|').map(str::trim);
        let word = cells.next().unwrap_or_default();
        for (cell, kind) in cells.skip(1).zip([Kind::Name, Kind::Sentence]) {
            all.extend(cell.split('`').skip(1).step_by(2).map(|not| Banned { not, word, kind }));
        }
    }
    all
}

fn of_file(path: &str, text: &str, words: &[Banned]) -> Vec<Complaint> {
    let table: Vec<usize> =
        if path == GLOSSARY { rows(text).map(|(line, _)| line).collect() } else { Vec::new() };
    // few files have even the letters
    let lower = text.to_lowercase();
    let words: Vec<&Banned> =
        words.iter().filter(|banned| banned.letters().all(|part| lower.contains(&part))).collect();
    let mut complaints = Vec::new();
    let pieces = if words.is_empty() { Vec::new() } else { pieces(path, text) };
    for (line, kind, piece) in pieces {
        if table.contains(&line) {
            continue;
        }
        let holds = |banned: &&&Banned| {
            banned.kind == kind
                && match kind {
                    Kind::Name => has_name(piece, banned.not),
                    Kind::Sentence => has_word(&piece.to_lowercase(), &banned.not.to_lowercase()),
                }
        };
        for Banned { not, word, .. } in words.iter().filter(holds) {
            complaints.push(Complaint::line(
                path,
                line + 1,
                format!("`{not}`: the word is {word} ({GLOSSARY})"),
            ));
        }
    }
    complaints
}

/// Whether a name has these parts, one after the other.
fn has_name(code: &str, not: &str) -> bool {
    if not.contains("::") {
        return has_word(code, not); // a path
    }
    let (is_type, wanted) = (not.starts_with(char::is_uppercase), parts(not));
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    code.split(|c| !is_part(c)).map(|name| name.trim_matches('_')).any(|name| {
        let is_one = name.starts_with(char::is_uppercase) && name.contains(char::is_lowercase);
        (is_one || !is_type) && parts(name).windows(wanted.len()).any(|parts| parts == wanted)
    })
}

/// The parts of a name in lower case: those between underscores, and those that begin with a
/// capital.
fn parts(name: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut was_lower = false;
    for c in name.chars() {
        if c == '_' || c.is_uppercase() && was_lower {
            parts.push(String::new());
        }
        was_lower = !c.is_uppercase() && c != '_';
        if let Some(part) = parts.last_mut().filter(|_| c != '_') {
            part.extend(c.to_lowercase());
        }
    }
    parts.retain(|part| !part.is_empty());
    parts
}

/// Whether the text has this word, not as a part of another one.
fn has_word(text: &str, word: &str) -> bool {
    let is_part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    text.match_indices(word).any(|(start, _)| {
        !is_part(text[..start].chars().next_back()) && !is_part(text[start + word.len()..].chars().next())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "# A\n\n| word | what it is | not | nor in a sentence |\n|---|---|---|---|\n\
                         | partition | of a piece | `Slab`, `Hope::Vain` | |\n\
                         | calibration | of times | `gait`, `lie_in` | `gait` |\n\
                         | unit | whole | | |\n\n`Other`\n";

    fn of(path: &str, source: &str) -> Vec<String> {
        let tree = Tree::of(&[(GLOSSARY, TABLE), (path, source)]);
        let cut = |complaint: Complaint| {
            let text = complaint.to_string();
            text[path.len() + 1..].split(": the word").next().unwrap_or_default().into()
        };
        check(&tree).into_iter().map(cut).collect()
    }

    fn in_rust(source: &str) -> Vec<String> {
        of("crates/a/src/b.rs", source)
    }

    #[test]
    fn the_table() {
        let words: Vec<_> =
            banned(TABLE).into_iter().map(|Banned { not, word, kind }| (not, word, kind)).collect();
        let names = [
            ("Slab", "partition", Kind::Name),
            ("Hope::Vain", "partition", Kind::Name),
            ("gait", "calibration", Kind::Name),
            ("lie_in", "calibration", Kind::Name),
            ("gait", "calibration", Kind::Sentence),
        ];
        assert_eq!(words, names);
        let tree = Tree::of(&[(GLOSSARY, TABLE), ("crates/a/src/b.rs", "//! A.\nstruct Slab;\n")]);
        let found: Vec<String> = check(&tree).iter().map(Complaint::to_string).collect();
        assert_eq!(found, ["crates/a/src/b.rs:2: `Slab`: the word is partition (docs/architecture.md)"]);
    }

    #[test]
    fn names_are_compared_by_their_parts() {
        assert_eq!(
            in_rust("let partition: Partition; slab(Slabs, Other, space, gaits, Hope, SLAB)\n"),
            [""; 0]
        );
        assert_eq!(in_rust("fn at_gait_of() {}\n\n_Slab\n"), ["1: `gait`", "3: `Slab`"]);
        assert_eq!(in_rust("struct FlatSlab2; GaitTable {}\n"), ["1: `gait`"], "digits belong to a part");
        assert_eq!(in_rust("struct FlatSlab;\n"), ["1: `Slab`"]);
        let lines = "HAS_LIE_IN\nLieIn\nlie, is_in, lie_by_in\nHope::Vain, Hope\n";
        assert_eq!(in_rust(lines), ["1: `lie_in`", "2: `lie_in`", "4: `Hope::Vain`"]);
    }

    #[test]
    fn sentences_and_names_in_them() {
        assert_eq!(in_rust("//! A slab has Slabs, Slab too.\n/// [`Slab`]\n"), ["2: `Slab`"]);
        assert_eq!(
            in_rust("// at its Gait\nlet a = \"keep gait\"; // family_gait\n"),
            ["1: `gait`", "2: `gait`"]
        );
        assert_eq!(in_rust("let a = \"Slab and family_gait\";\n"), [""; 0]);
        assert_eq!(
            of("docs/b.md", "Slab, `Slab`, gait\n```rust\nSlab\n```\n"),
            ["1: `Slab`", "1: `gait`", "3: `Slab`"]
        );
        assert_eq!(of("tools/b.py", "x = 7 // gait  # a Gait\n"), ["1: `gait`", "1: `gait`"]);
        for record in ["benches/record/a/b.md", "results/a.md", "data.csv"] {
            assert_eq!(of(record, "`Slab`\n"), [""; 0], "{record}");
        }
    }

    #[test]
    fn a_glossary_without_words_is_a_mistake() {
        let tree = Tree::of(&[(GLOSSARY, "# A\n"), ("crates/a/src/b.rs", "")]);
        assert_eq!(check(&tree).len(), 1);
        assert!(check(&Tree::of(&[])).is_empty());
    }
}
