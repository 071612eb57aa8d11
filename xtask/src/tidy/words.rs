//! One word per thing: what the glossary of docs/architecture.md says a thing is not called is in
//! no source file.

use super::{Complaint, Tree, tree::is_source};

/// Where the glossary is: the last column of its table holds the words that are not used.
const GLOSSARY: &str = "docs/architecture.md";

/// The line above the table.
const HEADING: &str = "| word | what it is | not |";

pub(super) fn check(tree: &Tree) -> Vec<Complaint> {
    let Some(text) = tree.text(GLOSSARY) else { return Vec::new() };
    let words = banned(text);
    if words.is_empty() {
        return vec![Complaint::file(
            GLOSSARY,
            format!("there is no table `{HEADING}` with words in its last column"),
        )];
    }
    let sources = tree.files().filter(|(path, _)| is_source(path));
    sources.flat_map(|(path, text)| of_file(path, text, &words)).collect()
}

/// The words in backticks of the last column, with their preferred word.
fn banned(text: &str) -> Vec<(&str, &str)> {
    let table = text.lines().skip_while(|line| *line != HEADING).skip(2);
    let rows = table.take_while(|line| line.starts_with('|')).filter_map(|line| {
        let mut cells = line.trim_matches('|').split('|').map(str::trim);
        Some((cells.next()?, cells.nth(1)?))
    });
    rows.flat_map(|(word, not)| not.split('`').skip(1).step_by(2).map(move |not| (not, word))).collect()
}

fn of_file(path: &str, text: &str, words: &[(&str, &str)]) -> Vec<Complaint> {
    let mut complaints = Vec::new();
    for (i, line) in text.lines().enumerate() {
        for (not, word) in words.iter().filter(|(not, _)| holds(line, not)) {
            complaints.push(Complaint::line(
                path,
                i + 1,
                format!("`{not}`: the word is {word} ({GLOSSARY})"),
            ));
        }
    }
    complaints
}

/// Whether the line has this word, not as a part of another one.
fn holds(line: &str, word: &str) -> bool {
    let is_part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    line.match_indices(word).any(|(start, _)| {
        !is_part(line[..start].chars().next_back()) && !is_part(line[start + word.len()..].chars().next())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "# A\n\n| word | what it is | not |\n|---|---|---|\n| partition | of a piece | `Slab`, `Hope` |\n| unit | whole | |\n\n`Other`\n";

    fn complaints(source: &str) -> Vec<String> {
        let tree = Tree::of(&[(GLOSSARY, TABLE), ("crates/a/src/b.rs", source), ("docs/b.md", "`Slab`\n")]);
        check(&tree).iter().map(Complaint::to_string).collect()
    }

    #[test]
    fn words_of_the_last_column_are_found() {
        assert_eq!(banned(TABLE), [("Slab", "partition"), ("Hope", "partition")]);
        assert_eq!(complaints("let partition: Partition;\nShortSlab Slabs _Slab Other\n"), [""; 0]);
        let found = complaints("//! A.\nstruct Slab;\n/// [`Hope`]\n");
        assert_eq!(
            found,
            [
                "crates/a/src/b.rs:2: `Slab`: the word is partition (docs/architecture.md)",
                "crates/a/src/b.rs:3: `Hope`: the word is partition (docs/architecture.md)"
            ]
        );
    }

    #[test]
    fn a_glossary_without_words_is_a_mistake() {
        let tree = Tree::of(&[(GLOSSARY, "# A\n"), ("crates/a/src/b.rs", "")]);
        assert_eq!(check(&tree).len(), 1);
        assert!(check(&Tree::of(&[])).is_empty());
    }
}
