//! Statements that are cited by number are there: every "Lemma W.3" of a comment or a page is in
//! `docs/proofs/` or `proofs/`, and so is every page that is named.
//!
//! * a page states what begins a line in bold, as in `**Theorem W.8 (two lines).**`; a chapter of
//!   Rocq's what begins a comment, as in `(* Theorem W.8 (two lines). *)`;
//! * citations are the four words below, of one or of several, in either case, before numbers, as
//!   in "theorems E.2, E.3 and E.9"; of a range the two ends are looked up;
//! * a number has its page's letter: a bare one, as in "lemma" and "12", is refused. (Numbers of
//!   the literature, as 3.5, have their chapter before the point.)
//! * links of pages to pages lead to a file and, with `#`, to a heading of it;
//! * files that the pages of `docs/` and the README name in backticks, from the root or from a
//!   crate's name on, are there;
//! * paragraphs of `docs/proofs/` are short.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use super::{Complaint, Tree};

const PAGES: &str = "docs/proofs/";
const CHAPTERS: &str = "proofs/";

/// Most lines of a paragraph of a page.
const LONGEST: usize = 10;

/// What a statement may be; definitions are counted apart from the others.
const KINDS: [&str; 5] = ["definition", "lemma", "theorem", "corollary", "remark"];

/// What begins a line of a comment, and is not part of its sentence.
const MARKERS: [&str; 8] = ["//", "///", "//!", "(*", "*", "#", ">", "|"];

pub(super) fn check(tree: &Tree) -> Vec<Complaint> {
    let (stated, mut complaints) = statements(tree);
    for (path, text) in tree.files().filter(|(path, _)| is_read(path)) {
        let words = words_of(text);
        for (line, kind, number) in citations(&words) {
            if !stated.contains(&(kind.into(), number.into())) {
                let what = format!("{kind} {number} is neither in {PAGES} nor in {CHAPTERS}");
                complaints.push(Complaint::line(path, line, what));
            }
        }
        for (line, kind, number) in bare_citations(&words) {
            let what = format!("{kind} {number} has no letter, which says whose it is");
            complaints.push(Complaint::line(path, line, what));
        }
        for (line, named) in named_pages(text) {
            if tree.text(named).is_none() {
                complaints.push(Complaint::line(path, line, format!("there is no {named}")));
            }
        }
        if is_page(path) {
            complaints.extend(broken_links(tree, path, text));
        }
        if is_page(path) && (path.starts_with("docs/") || path == "README.md") {
            complaints.extend(missing_files(tree, path, text));
        }
        if is_page(path) && path.starts_with(PAGES) {
            complaints.extend(long_paragraphs(path, text));
        }
    }
    complaints
}

/// Files whose comments or sentences are read.
fn is_read(path: &str) -> bool {
    let extension = Path::new(path).extension().and_then(|extension| extension.to_str());
    matches!(extension, Some("rs" | "wgsl" | "md" | "v" | "py" | "c" | "h"))
}

fn is_page(path: &str) -> bool {
    Path::new(path).extension().is_some_and(|extension| extension == "md")
}

type Statements = BTreeSet<(String, String)>;

/// Kind and number of every statement. A page may state again what a chapter proves, under the same
/// number, but pages and chapters have each number once.
fn statements(tree: &Tree) -> (Statements, Vec<Complaint>) {
    let mut all = Statements::new();
    let mut complaints = Vec::new();
    for (folder, extension, start) in [(PAGES, "md", "**"), (CHAPTERS, "v", "(* ")] {
        let mut first: BTreeMap<(bool, &str), &str> = BTreeMap::new();
        let files = tree.files().filter(|(path, _)| {
            path.starts_with(folder) && Path::new(path).extension().is_some_and(|found| found == extension)
        });
        for (path, text) in files {
            for (i, line) in text.lines().enumerate() {
                let Some(rest) = line.trim_start().strip_prefix(start) else { continue };
                let mut words = rest.split_whitespace();
                let (Some(kind), Some(number)) =
                    (words.next().and_then(kind_of), words.next().and_then(number_of))
                else {
                    continue;
                };
                if let Some(other) = first.insert((kind == KINDS[0], number), path) {
                    let what = format!("{kind} {number}: {other} has this number, too");
                    complaints.push(Complaint::line(path, i + 1, what));
                }
                all.insert((kind.into(), number.into()));
            }
        }
    }
    (all, complaints)
}

/// The kind that a word names, as in "Lemmas" or "(theorem".
fn kind_of(word: &str) -> Option<&'static str> {
    let word = word.trim_start_matches(|c: char| !c.is_alphanumeric());
    // most words are none, and are seen to be none by their length or their first letters
    let begins = |kind: &&str| word.as_bytes()[..2].eq_ignore_ascii_case(&kind.as_bytes()[..2]);
    if word.len() < "lemma".len() || !KINDS.iter().any(begins) {
        return None;
    }
    let word = word.to_lowercase();
    KINDS.into_iter().find(|kind| {
        word == *kind
            || word.strip_suffix('s') == Some(kind)
            || word.strip_suffix("ies") == kind.strip_suffix('y')
                && kind.ends_with('y')
                && word.ends_with("ies")
    })
}

/// The number with which a word begins, as W.3 in "W.3)." and in "W.3's".
fn number_of(word: &str) -> Option<&str> {
    let start = word.find(|c: char| c.is_alphanumeric())?;
    let word = &word[start..];
    let (letter, rest) = word.split_once('.')?;
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let is_letter = letter.len() == 1 && letter.bytes().all(|c| c.is_ascii_uppercase());
    let ends = !rest[digits..].starts_with(|c: char| c.is_alphanumeric() || c == '_');
    (is_letter && digits > 0 && ends).then(|| &word[..letter.len() + 1 + digits])
}

/// The digits of a number without a letter, as 4 in "4)." and in "4'"; none of 3.5, 4th and 2^4.
fn bare_number_of(word: &str) -> Option<&str> {
    let word = &word[word.find(|c: char| c.is_alphanumeric())?..];
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    let (number, rest) = word.split_at(digits);
    let is_decimal =
        rest.strip_prefix('.').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    let ends = rest.is_empty() || rest.starts_with(['.', ',', ';', ':', '?', '!', ')', ']', '\'', '*']);
    (digits > 0 && ends && !is_decimal).then_some(number)
}

/// The words of a text with their lines, but for what begins a comment's line.
fn words_of(text: &str) -> Vec<(usize, &str)> {
    let words = text.lines().enumerate().flat_map(|(i, line)| {
        let words = line.split_whitespace().skip_while(|word| MARKERS.contains(word));
        words.map(move |word| (i + 1, word))
    });
    words.collect()
}

/// Line, kind and number of what a text cites without a letter.
fn bare_citations<'a>(words: &[(usize, &'a str)]) -> impl Iterator<Item = (usize, &'static str, &'a str)> {
    words.windows(2).filter_map(|pair| {
        let [(_, word), (line, number)] = [pair[0], pair[1]];
        // a sentence ends with the word in "by this lemma. 4 of them"
        let kind = kind_of(word).filter(|_| word.ends_with(char::is_alphabetic))?;
        Some((line, kind, bare_number_of(number)?))
    })
}

/// Line, kind and number of what a text cites, also where a comment's lines break in between.
fn citations<'a>(words: &[(usize, &'a str)]) -> Vec<(usize, &'static str, &'a str)> {
    let mut found = Vec::new();
    for (at, (_, word)) in words.iter().enumerate() {
        let Some(kind) = kind_of(word) else { continue };
        let mut rest = words[at + 1..].iter();
        while let Some((line, word)) = rest.next() {
            let Some(number) = number_of(word) else { break };
            found.push((*line, kind, number));
            let is_joined = match word.strip_suffix(',') {
                Some(_) => {
                    // "E.2, E.3" and "E.2, and E.3"
                    let joins = rest.clone().next().is_some_and(|(_, next)| is_joint(next));
                    if joins {
                        rest.next();
                    }
                    true
                }
                None => word.ends_with(number) && rest.next().is_some_and(|(_, next)| is_joint(next)),
            };
            if !is_joined {
                break;
            }
        }
    }
    found
}

fn is_joint(word: &str) -> bool {
    matches!(word, "and" | "or" | "to" | "–" | "&")
}

/// Lines that name a file of `docs/proofs/`, and the file.
fn named_pages(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines().enumerate().flat_map(|(i, line)| {
        line.match_indices(PAGES).filter_map(move |(start, _)| {
            let rest = &line[start..];
            let end = rest.find(".md")? + ".md".len();
            let is_path = rest[..end]
                .bytes()
                .all(|c| c.is_ascii_alphanumeric() || matches!(c, b'/' | b'.' | b'_' | b'-'));
            is_path.then(|| (i + 1, &rest[..end]))
        })
    })
}

/// Paragraphs and items of lists that are longer than they may be. Displayed formulas and tables
/// are neither, and begin a new paragraph.
fn long_paragraphs(path: &str, text: &str) -> Vec<Complaint> {
    let mut lines = 0;
    let mut complaints = Vec::new();
    for (i, line) in text.lines().enumerate() {
        let is_text = !line.is_empty() && !line.starts_with("    ") && !line.starts_with(['|', '#']);
        let is_item = line.starts_with("- ")
            || line.split_once(". ").is_some_and(|(number, _)| number.parse::<u32>().is_ok());
        lines = if is_item { 1 } else { usize::from(is_text) * (lines + 1) };
        if lines == LONGEST + 1 {
            let what = format!("a paragraph has {LONGEST} lines at most");
            complaints.push(Complaint::line(path, i + 1, what));
        }
    }
    complaints
}

/// Links of a page to pages of the repository that lead nowhere.
fn broken_links(tree: &Tree, path: &str, text: &str) -> Vec<Complaint> {
    let mut complaints = Vec::new();
    for (i, line) in text.lines().enumerate() {
        for (start, open) in line.match_indices("](") {
            let Some((target, _)) = line[start + open.len()..].split_once(')') else { continue };
            let (file, heading) = target.split_once('#').unwrap_or((target, ""));
            if target.contains("://") || !(file.is_empty() || is_page(file)) {
                continue;
            }
            let file = if file.is_empty() { Some(path.to_owned()) } else { resolved(path, file) };
            let page = file.as_deref().and_then(|file| tree.text(file));
            let is_there = page.is_some_and(|page| heading.is_empty() || anchors(page).contains(heading));
            if !is_there {
                complaints.push(Complaint::line(path, i + 1, format!("the link {target} leads nowhere")));
            }
        }
    }
    complaints
}

/// Sources and pages that a page names in backticks and that are not there. A path begins with a
/// folder of the root or of `crates/`; others, as `solve/run.rs`, are short for several.
fn missing_files(tree: &Tree, path: &str, text: &str) -> Vec<Complaint> {
    let mut complaints = Vec::new();
    for (i, line) in text.lines().enumerate() {
        // what stands between the first backtick and the second, the third and the fourth, …
        for named in line.split('`').skip(1).step_by(2) {
            let is_path =
                named.bytes().all(|c| c.is_ascii_alphanumeric() || matches!(c, b'/' | b'.' | b'_' | b'-'));
            let Some((folder, _)) = named.split_once('/') else { continue };
            let within = |start: &str| tree.paths().any(|path| path.starts_with(start));
            let whole = if within(&format!("{folder}/")) {
                named.to_owned()
            } else if within(&format!("crates/{folder}/")) {
                format!("crates/{named}")
            } else {
                continue;
            };
            if is_path && is_read(named) && tree.text(&whole).is_none() {
                complaints.push(Complaint::line(path, i + 1, format!("there is no {whole}")));
            }
        }
    }
    complaints
}

/// The path from the root of a link in the file `from`.
fn resolved(from: &str, link: &str) -> Option<String> {
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in link.split('/') {
        match part {
            "." => {}
            ".." => {
                parts.pop()?;
            }
            _ => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// What `#` may name in a page: its headings in small letters, with `-` for spaces and without
/// punctuation.
fn anchors(page: &str) -> BTreeSet<String> {
    let mut is_code = false;
    let mut all = BTreeSet::new();
    for line in page.lines() {
        if line.starts_with("```") {
            is_code = !is_code;
        } else if !is_code && line.starts_with('#') {
            let heading = line.trim_start_matches('#').trim().to_lowercase();
            let kept = heading.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
            all.insert(kept.map(|c| if c == ' ' { '-' } else { c }).collect());
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::root;

    /// A page, a chapter and one more file.
    fn complaints(path: &str, text: &str) -> Vec<String> {
        let page = "# A page\n\n**Definition W.5 (box).** A\n**Lemma W.20.** B\n**Theorem W.8 (lines).**\n";
        let chapter = "(* Theorem W.8 (two lines). *)\n  (* Lemma W.9. A line\n*)\n(* see Lemma W.9 *)\n";
        let tree = Tree::of(&[("docs/proofs/walk.md", page), ("proofs/Walk.v", chapter), (path, text)]);
        check(&tree).iter().map(Complaint::to_string).collect()
    }

    const NONE: [&str; 0] = [];

    #[test]
    fn numbers_that_exist_may_be_cited() {
        let text = "//! Lemmas W.9 and W.20, (theorem W.8's), Lemma\n/// W.20. Definition W.5; annex F.10, Lemma 4.5.\n";
        assert_eq!(complaints("crates/a/src/b.rs", text), NONE);
        assert_eq!(complaints("docs/a.md", "[a](proofs/walk.md#a-page), [b](#c-d)\n\n## `C`: d\n"), NONE);
    }

    #[test]
    fn unknown_numbers_are_refused() {
        let cited = |word: &str| complaints("crates/a/src/b.rs", &format!("// A.\n// {word}\n"));
        let what = |kind: &str, number: &str| {
            format!("crates/a/src/b.rs:2: {kind} {number} is neither in docs/proofs/ nor in proofs/")
        };
        let unknown = concat!("W", ".21");
        assert_eq!(cited(&format!("Lemma {unknown}")), [what("lemma", unknown)]);
        assert_eq!(cited(&format!("lemmas W.20, W.9, and {unknown}.")), [what("lemma", unknown)]);
        assert_eq!(cited(&format!("lemmas W.9 to {unknown})")), [what("lemma", unknown)]);
        assert_eq!(cited(&format!("Corollaries {unknown}")), [what("corollary", unknown)]);
        assert_eq!(cited(concat!("(Lemma", "\n// ", "W.2", ")")).len(), 1);
        // definitions are counted apart, and a theorem is not a lemma
        assert_eq!(cited(concat!("Definition", " W.8")), [what("definition", "W.8")]);
        assert_eq!(cited(concat!("Lemma", " W.8")), [what("lemma", "W.8")]);
        let page = concat!("docs/pro", "ofs/a.md");
        assert_eq!(cited(page), [format!("crates/a/src/b.rs:2: there is no {page}")]);
    }

    #[test]
    fn numbers_without_a_letter_are_refused() {
        let cited = |words: &str| complaints("crates/a/src/b.rs", &format!("// A.\n// {words}\n"));
        let what = |line: u32, kind: &str, number: &str| {
            format!("crates/a/src/b.rs:{line}: {kind} {number} has no letter, which says whose it is")
        };
        for end in ["", ".", ")", "'s", "''", ","] {
            let bare = format!("{}{end}", concat!("(lemma", " 12"));
            assert_eq!(cited(&bare), [what(2, "lemma", "12")], "{bare}");
        }
        assert_eq!(cited(concat!("by Theorem", "\n/// 3 or")), [what(3, "theorem", "3")]);
        assert_eq!(cited(concat!("Definitions", " 1 to 3")), [what(2, "definition", "1")]);
        // of the literature, of a sentence, and of none
        for none in [
            "theorem 3.5 of the book",
            "a lemma. 4 of them",
            "lemma 2^4",
            "lemma 4th",
            "lemma four",
            "| x | by definition | 1 |",
        ] {
            assert_eq!(cited(none), NONE);
        }
        // a statement without a letter is cited by nobody, and refused as well
        let page = concat!("docs/pro", "ofs/z.md");
        assert_eq!(complaints(page, concat!("**Lemma", " 7 (box).** B\n")).len(), 1);
    }

    #[test]
    fn links_that_lead_nowhere_are_refused() {
        for link in ["walk.md", "../walk.md", "../../../a.md", "proofs/walk.md#box", "#box"] {
            let found = complaints("docs/a.md", &format!("[a]({link})\n"));
            assert_eq!(found, [format!("docs/a.md:1: the link {link} leads nowhere")]);
        }
    }

    #[test]
    fn files_that_are_not_there_are_refused() {
        let of = |page: &str, text: &str| {
            let files = [("crates/tmd-a/src/b.rs", "//! B.\n"), ("tools/c.py", "\n"), (page, text)];
            check(&Tree::of(&files)).iter().map(Complaint::to_string).collect::<Vec<_>>()
        };
        let there = "`crates/tmd-a/src/b.rs`, `tmd-a/src/b.rs`, `tools/c.py`, `src/d.rs`, `tools/d`\n";
        assert_eq!(of("docs/a.md", there), NONE);
        for (named, whole) in [
            ("crates/tmd-a/b.rs", "crates/tmd-a/b.rs"),
            ("tmd-a/b.rs", "crates/tmd-a/b.rs"),
            ("tools/d.py", "tools/d.py"),
        ] {
            let text = format!("# A\n\n| `x` | `{named}` |\n");
            for page in ["docs/a.md", "README.md"] {
                assert_eq!(of(page, &text), [format!("{page}:3: there is no {whole}")]);
            }
            // what was, is told there
            assert_eq!(of("CHANGELOG.md", &text), NONE);
        }
    }

    #[test]
    fn long_paragraphs_are_refused() {
        let path = concat!("docs/pro", "ofs/z.md");
        let wanted = [format!("{path}:12: a paragraph has 10 lines at most")];
        assert_eq!(complaints(path, &format!("# Z\n{}", "a\n".repeat(11))), wanted);
        assert_eq!(complaints(path, &format!("- b\n1. c\n{}", "a\n".repeat(10))), wanted);
        assert_eq!(complaints(path, &format!("{0}\n{0}    d\n{0}", "a\n".repeat(10))), NONE);
        assert_eq!(complaints("docs/a.md", &"a\n".repeat(11)), NONE);
    }

    #[test]
    fn a_number_is_given_once() {
        let again = concat!("**Definition", " W.20.** Not it.\n**Theorem", " W.20.** The lemma's.\n");
        let path = concat!("docs/pro", "ofs/z.md");
        let wanted = concat!("theorem", " W.20: docs/proofs/walk.md has this number, too");
        assert_eq!(complaints(path, again), [format!("{path}:2: {wanted}")]);
    }

    /// The rule sees what this repository has: it is not that nothing is read.
    #[test]
    fn the_repository_states_and_cites() {
        let tree = Tree::read(root()).unwrap();
        let (stated, _) = statements(&tree);
        for letter in "CDEFGLMPRSTW".chars() {
            assert!(stated.iter().any(|(_, number)| number.starts_with(letter)), "no {letter}");
        }
        let cites = |path: &str| citations(&words_of(tree.text(path).unwrap())).len();
        assert!(cites("crates/tmd-simd/src/walk/kernel.rs") > 5);
        assert!(cites("docs/proofs/walk.md") > 20);
    }
}
