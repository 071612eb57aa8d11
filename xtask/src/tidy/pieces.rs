//! A file as names and sentences: code is names, comments, messages and pages are sentences, but
//! for what is between backticks.

use std::{ops::Range, path::Path};

/// What a piece of a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Code.
    Name,
    /// A comment, a string or a line of a page.
    Sentence,
}

/// How a file is read.
#[derive(Clone, Copy)]
pub(super) enum Language {
    /// Rust and WGSL.
    Rust,
    Python,
    Markdown,
}

impl Language {
    /// That of a file with this path, if it is one of them.
    pub(super) fn of(path: &str) -> Option<Self> {
        match Path::new(path).extension()?.to_str()? {
            "rs" | "wgsl" => Some(Self::Rust),
            "py" | "pyi" => Some(Self::Python),
            "md" => Some(Self::Markdown),
            _ => None,
        }
    }
}

/// The pieces of a source file or of a page, with the line that each is on, from 0; none of another
/// file.
pub(super) fn pieces<'a>(path: &str, text: &'a str) -> Vec<(usize, Kind, &'a str)> {
    let Some(language) = Language::of(path) else { return Vec::new() };
    let sentences = match language {
        Language::Rust => rust(text),
        Language::Python => python(text),
        Language::Markdown => page(text),
    };
    of_lines(text, &sentences)
}

/// The pieces of each line, given where the sentences are; backticks make names of them.
fn of_lines<'a>(text: &'a str, sentences: &[Range<usize>]) -> Vec<(usize, Kind, &'a str)> {
    let (mut pieces, mut start, mut next) = (Vec::new(), 0, 0);
    for (number, line) in text.split('\n').enumerate() {
        let end = start + line.len();
        let mut at = start;
        while let Some(sentence) = sentences.get(next).filter(|sentence| sentence.start < end) {
            let (from, to) = (sentence.start.max(at), sentence.end.min(end));
            pieces.push((number, Kind::Name, &text[at..from]));
            let parts = text[from..to].split('`').enumerate();
            let kind = |place: usize| if place.is_multiple_of(2) { Kind::Sentence } else { Kind::Name };
            pieces.extend(parts.map(|(place, part)| (number, kind(place), part)));
            at = to;
            if sentence.end > end {
                break;
            }
            next += 1;
        }
        pieces.push((number, Kind::Name, &text[at..end]));
        start = end + 1;
    }
    pieces.retain(|(_, _, piece)| !piece.is_empty());
    pieces
}

/// Comments and strings.
fn rust(text: &str) -> Vec<Range<usize>> {
    let (mut sentences, mut at) = (Vec::new(), 0);
    let mut is_in_name = false;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let raw = if is_in_name { None } else { raw_string(rest) };
        let length = if rest.starts_with("//") {
            Some(rest.find('\n').unwrap_or(rest.len()))
        } else if rest.starts_with("/*") {
            Some(rest.find("*/").map_or(rest.len(), |end| end + 2))
        } else if c == '"' {
            Some(quoted(rest, "\""))
        } else {
            raw
        };
        is_in_name = c.is_alphanumeric() || c == '_';
        match length {
            Some(length) => {
                sentences.push(at..at + length);
                (at, is_in_name) = (at + length, false);
            }
            None if c == '\'' => at += character(rest),
            None => at += c.len_utf8(),
        }
    }
    sentences
}

/// The length of a string with `r` and signs before its quotes.
fn raw_string(rest: &str) -> Option<usize> {
    let inside = rest.strip_prefix("br").or_else(|| rest.strip_prefix('r'))?;
    let signs = inside.len() - inside.trim_start_matches('#').len();
    let begun = inside[signs..].strip_prefix('"')?;
    let end = format!("\"{}", "#".repeat(signs));
    let before = rest.len() - begun.len();
    Some(begun.find(&end).map_or(rest.len(), |found| before + found + end.len()))
}

/// The length of a character, or 1 of what begins a lifetime.
fn character(rest: &str) -> usize {
    let mut inside = rest[1..].char_indices();
    let first = inside.next();
    match first {
        Some((_, '\\')) => {
            rest[2..].char_indices().skip(1).find(|(_, c)| *c == '\'').map_or(1, |(end, _)| end + 3)
        }
        Some(_) => inside.next().filter(|(_, c)| *c == '\'').map_or(1, |(end, _)| end + 2),
        None => 1,
    }
}

/// Comments and strings.
fn python(text: &str) -> Vec<Range<usize>> {
    let (mut sentences, mut at) = (Vec::new(), 0);
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let quotes = ["\"\"\"", "'''", "\"", "'"].into_iter().find(|quotes| rest.starts_with(quotes));
        let length = match (c, quotes) {
            ('#', _) => rest.find('\n').unwrap_or(rest.len()),
            (_, Some(quotes)) => quoted(rest, quotes),
            _ => {
                at += c.len_utf8();
                continue;
            }
        };
        sentences.push(at..at + length);
        at += length;
    }
    sentences
}

/// The length of a string between these quotes; a backslash hides what is behind it.
fn quoted(rest: &str, quotes: &str) -> usize {
    let mut at = quotes.len();
    while let Some(c) = rest[at..].chars().next() {
        if rest[at..].starts_with(quotes) {
            return at + quotes.len();
        }
        at += c.len_utf8();
        if c == '\\' {
            at += rest[at..].chars().next().map_or(0, char::len_utf8);
        }
    }
    rest.len()
}

/// All but blocks of code.
fn page(text: &str) -> Vec<Range<usize>> {
    let (mut sentences, mut at, mut is_code) = (Vec::new(), 0, false);
    for line in text.split_inclusive('\n') {
        let is_fence = line.trim_start().starts_with("```");
        let length = line.trim_end_matches('\n').len();
        if !is_code && !is_fence && length > 0 {
            sentences.push(at..at + length);
        }
        is_code ^= is_fence;
        at += line.len();
    }
    sentences
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(path: &str, text: &str) -> Vec<(usize, char, String)> {
        let short = |kind| if kind == Kind::Name { 'n' } else { 's' };
        let trimmed =
            pieces(path, text).into_iter().map(|(line, kind, piece)| (line, short(kind), piece.trim()));
        trimmed.filter(|(.., piece)| !piece.is_empty()).map(|(l, k, piece)| (l, k, piece.into())).collect()
    }

    fn expected(all: &[(usize, char, &str)]) -> Vec<(usize, char, String)> {
        all.iter().map(|&(line, kind, piece)| (line, kind, piece.into())).collect()
    }

    #[test]
    fn rust_and_wgsl() {
        let found = of("a.rs", "let a = \"b \\\" // c\"; // d `e` f\n/* g\nh */ i('\"', '\\'', 'x') + j\n");
        let all = [
            (0, 'n', "let a ="),
            (0, 's', "\"b \\\" // c\""),
            (0, 'n', ";"),
            (0, 's', "// d"),
            (0, 'n', "e"),
            (0, 's', "f"),
            (1, 's', "/* g"),
            (2, 's', "h */"),
            (2, 'n', "i('\"', '\\'', 'x') + j"),
        ];
        assert_eq!(found, expected(&all));
        let found = of("a.rs", "fn a<'b>(c: &'b str) { r#\"d \" e\"# + br\"f\" + for\"g\" }\n");
        let strings: Vec<_> =
            found.iter().filter(|(_, kind, _)| *kind == 's').map(|(.., piece)| piece.as_str()).collect();
        assert_eq!(strings, ["r#\"d \" e\"#", "br\"f\"", "\"g\""]);
        assert_eq!(of("a.wgsl", "a // b"), expected(&[(0, 'n', "a"), (0, 's', "// b")]));
        assert_eq!(of("a.rs", "\"never ended"), expected(&[(0, 's', "\"never ended")]));
    }

    #[test]
    fn python_and_pages() {
        let found = of("a.py", "a = 7 // 2  # b\n'''c\n\"d'''\ne(f'g', \"#\")\n");
        let all = [
            (0, 'n', "a = 7 // 2"),
            (0, 's', "# b"),
            (1, 's', "'''c"),
            (2, 's', "\"d'''"),
            (3, 'n', "e(f"),
            (3, 's', "'g'"),
            (3, 'n', ","),
            (3, 's', "\"#\""),
            (3, 'n', ")"),
        ];
        assert_eq!(found, expected(&all));
        let found = of("a.md", "# A `b`\n```rust\nc\n```\nd\n");
        let all = [
            (0, 's', "# A"),
            (0, 'n', "b"),
            (1, 'n', "```rust"),
            (2, 'n', "c"),
            (3, 'n', "```"),
            (4, 's', "d"),
        ];
        assert_eq!(found, expected(&all));
        assert_eq!(of("a.csv", "a\n"), []);
    }
}
