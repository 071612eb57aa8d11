//! What no file may hold: unfinished code, tests left out without a reason, paths of somebody's
//! machine.

use super::{Complaint, Tree};

/// A word that no line may hold, in which files, and why. The words are put together from parts, so
/// that this file does not hold them.
struct Rule {
    word: &'static str,
    /// File name endings; none for every text file.
    endings: &'static [&'static str],
    /// What may not stand next to the word, or it is part of another one.
    border: Border,
    why: &'static str,
}

#[derive(Clone, Copy)]
enum Border {
    /// Nothing: the word counts wherever it stands.
    Free,
    /// No letter, digit or underscore before it.
    Before,
    /// None before or after it.
    Both,
}

const CODE: &[&str] = &[".rs", ".toml", ".wgsl", ".pest", ".sh", ".md"];

const RULES: [Rule; 8] = [
    Rule { word: concat!("to", "do!("), endings: &[".rs"], border: Border::Before, why: "unfinished code" },
    Rule {
        word: concat!("unimpl", "emented!("),
        endings: &[".rs"],
        border: Border::Before,
        why: "unfinished code",
    },
    Rule {
        word: concat!("db", "g!("),
        endings: &[".rs"],
        border: Border::Before,
        why: "a trace left behind",
    },
    Rule { word: concat!("FIX", "ME"), endings: CODE, border: Border::Both, why: "open an issue instead" },
    Rule { word: concat!("X", "XX"), endings: CODE, border: Border::Both, why: "open an issue instead" },
    Rule {
        word: concat!("#[ig", "nore]"),
        endings: &[".rs"],
        border: Border::Free,
        why: "say why, as in #[ignore = \"long: two minutes\"]",
    },
    Rule {
        word: concat!("../", "shared"),
        endings: &[],
        border: Border::Free,
        why: "a path outside the repository",
    },
    Rule { word: concat!("/wo", "rk/"), endings: &[], border: Border::Before, why: "a path of one machine" },
];

pub(super) fn check(tree: &Tree) -> Vec<Complaint> {
    tree.files().flat_map(|(path, text)| of_file(path, text)).collect()
}

fn of_file(path: &str, text: &str) -> Vec<Complaint> {
    let applies =
        |rule: &&Rule| rule.endings.is_empty() || rule.endings.iter().any(|end| path.ends_with(end));
    let mut complaints = Vec::new();
    for rule in RULES.iter().filter(applies) {
        for (i, _) in text.lines().enumerate().filter(|(_, line)| holds(line, rule)) {
            complaints.push(Complaint::line(path, i + 1, format!("`{}`: {}", rule.word, rule.why)));
        }
    }
    complaints
}

fn holds(line: &str, rule: &Rule) -> bool {
    let is_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    line.match_indices(rule.word).any(|(start, word)| {
        let before = is_word(line[..start].chars().next_back());
        let after = is_word(line[start + word.len()..].chars().next());
        match rule.border {
            Border::Free => true,
            Border::Before => !before,
            Border::Both => !before && !after,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(path: &str, text: &str) -> Vec<Option<usize>> {
        of_file(path, text).into_iter().map(|complaint| complaint.line).collect()
    }

    #[test]
    fn every_word_is_found_where_it_stands() {
        for rule in &RULES {
            let text = format!("first\n  {} \n", rule.word);
            assert_eq!(lines("crates/a/src/b.rs", &text), [Some(2)], "{}", rule.word);
            assert_eq!(lines("data.csv", &text).is_empty(), !rule.endings.is_empty(), "{}", rule.word);
        }
    }

    #[test]
    fn parts_of_other_words_are_not() {
        let digits = format!("{}X and x{}\n", RULES[4].word, RULES[4].word);
        assert_eq!(lines("a.rs", &digits), []);
        assert_eq!(lines("a.rs", &format!("my_{}1)\n", RULES[2].word)), []);
        assert_eq!(lines("a.md", &format!("frame{}\n", &RULES[7].word[1..])), []);
        assert_eq!(lines("a.md", &format!("x{}\n", RULES[7].word)), []);
        assert_eq!(lines("a.md", &format!("`{}`\n", RULES[7].word)), [Some(1)]);
        // a match inside a word does not hide a later one
        assert_eq!(lines("a.rs", &format!("x{0} {0}\n", RULES[3].word)), [Some(1)]);
    }

    #[test]
    fn a_reason_is_enough() {
        assert_eq!(lines("a.rs", "#[ignore = \"long: a minute\"]\n"), []);
    }

    #[test]
    fn the_complaint_names_file_line_and_reason() {
        let found = of_file("docs/a.md", &format!("see {}/x\n", RULES[6].word));
        assert!(
            found[0].to_string().starts_with("docs/a.md:1: ")
                && found[0].to_string().ends_with("outside the repository")
        );
    }
}
