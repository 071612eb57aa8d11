//! What the root of every crate says, what every library's manifest says, and how long a source
//! file may be.

use std::path::Path;

use super::{Complaint, Package, Tree};

/// Packages that may hold unsafe code, and the folder in which they may.
const UNSAFE: [(&str, &str); 3] = [
    ("tmd-simd", "crates/tmd-simd/src/lanes/"),
    ("tmd-libm", "crates/tmd-libm/src/native/"),
    ("tmd-example-libm", "examples/libm-cdylib/src/"),
];
/// Packages that do without the standard library.
const NO_STD: [&str; 1] = ["tmd-contfrac"];
/// Lines of code of a source file before its tests, without comments and empty lines.
const LONGEST: usize = 420;
/// Columns of a line that is a comment.
const WIDEST: usize = 100;

pub(super) fn check(tree: &Tree, packages: &[Package]) -> Vec<Complaint> {
    let mut complaints = Vec::new();
    for package in packages {
        let library = format!("{}/src/lib.rs", package.folder);
        if tree.text(&library).is_some() && !package.lib_without_bench {
            let what = "a library says `[lib] bench = false`, or `cargo bench -- --save-baseline` fails";
            complaints.push(Complaint::file(format!("{}/Cargo.toml", package.folder), what));
        }
        for root in [library, format!("{}/src/main.rs", package.folder)] {
            complaints
                .extend(tree.text(&root).into_iter().flat_map(|text| of_root(&package.name, &root, text)));
        }
    }
    complaints.extend(tree.files().filter_map(|(path, text)| too_long(path, text)));
    complaints.extend(tree.files().flat_map(|(path, text)| too_wide(path, text)));
    complaints.extend(tree.files().flat_map(|(path, text)| misplaced_unsafe(path, text)));
    complaints
}

/// `unsafe` blocks, functions and permissions outside the folders that may have them.
fn misplaced_unsafe(path: &str, text: &str) -> Vec<Complaint> {
    let is_source = path.starts_with("crates/") && path.contains("/src/");
    if !is_source || UNSAFE.iter().any(|(_, folder)| path.starts_with(folder)) {
        return Vec::new();
    }
    let is_unsafe = |line: &str| {
        let code = line.split("//").next().unwrap_or_default();
        code.contains(concat!("allow(unsafe", "_code)"))
            || [concat!("unsafe", " {"), concat!("unsafe", " fn"), concat!("unsafe", " impl")]
                .iter()
                .any(|what| code.contains(what))
    };
    let misplaced = text.lines().any(is_unsafe);
    misplaced
        .then(|| Complaint::file(path, "unsafe code lives in its own folder (see UNSAFE in xtask)"))
        .into_iter()
        .collect()
}

fn of_root(name: &str, path: &str, text: &str) -> Vec<Complaint> {
    let mut complaints = Vec::new();
    let mut complain = |what: &str| complaints.push(Complaint::file(path, what));
    if !text.starts_with("//!") {
        complain("a crate begins with `//!`: what it is for");
    }
    let says = |attribute: &str| text.lines().any(|line| line.trim() == attribute);
    if !says("#![forbid(unsafe_code)]") && !UNSAFE.iter().any(|(package, _)| *package == name) {
        complain("a crate says `#![forbid(unsafe_code)]`");
    }
    if !says("#![no_std]") && NO_STD.contains(&name) {
        complain("this crate says `#![no_std]`");
    }
    complaints
}

fn too_long(path: &str, text: &str) -> Option<Complaint> {
    let mut parts = path.split('/');
    let is_rust = Path::new(path).extension().is_some_and(|extension| extension == "rs");
    let is_source = is_rust && parts.next() == Some("crates") && parts.nth(1) == Some("src");
    // `src/tests/…` and `…/tests.rs` are tests altogether
    let is_test = path.split('/').any(|part| part == "tests" || part == "tests.rs");
    let lines = code_before_tests(text);
    (is_source && !is_test && lines > LONGEST).then(|| {
        Complaint::file(
            path,
            format!("{lines} lines of code before the tests; {LONGEST} are enough for a module"),
        )
    })
}

/// Comments that are wider than they may be; tables, code and formulas are as wide as they are.
fn too_wide(path: &str, text: &str) -> Vec<Complaint> {
    let is_wide = match Path::new(path).extension().and_then(|extension| extension.to_str()) {
        Some("rs" | "wgsl") => wide_in_rust,
        Some("py") => wide_in_python,
        Some("v") => wide_in_rocq,
        _ => return Vec::new(),
    };
    let what = format!("comments have {WIDEST} columns at most");
    is_wide(text).into_iter().map(|line| Complaint::line(path, line + 1, what.clone())).collect()
}

/// Whether a line that is a comment is too wide, this being what it says.
fn is_too_wide(line: &str, words: &str) -> bool {
    !words.trim_start().starts_with('|') && line.chars().count() > WIDEST
}

fn wide_in_rust(text: &str) -> Vec<usize> {
    let (mut wide, mut is_code) = (Vec::new(), false);
    for (i, line) in text.lines().enumerate() {
        let Some(comment) = line.trim_start().strip_prefix("//") else {
            is_code = false;
            continue;
        };
        let words = comment.trim_start_matches(['/', '!']);
        is_code ^= words.trim_start().starts_with("```");
        let is_formula = words.starts_with("     ");
        if !(is_code || is_formula) && is_too_wide(line, words) {
            wide.push(i);
        }
    }
    wide
}

/// Lines that are comments, or of a string in three quotes that begins a line.
fn wide_in_python(text: &str) -> Vec<usize> {
    let (mut wide, mut is_inside) = (Vec::new(), false);
    for (i, line) in text.lines().enumerate() {
        let begins = line.trim_start().starts_with(r#"""""#);
        let quotes = line.matches(r#"""""#).count();
        if (is_inside || begins || line.trim_start().starts_with('#')) && is_too_wide(line, line) {
            wide.push(i);
        }
        if is_inside || begins {
            is_inside ^= quotes % 2 == 1;
        }
    }
    wide
}

/// Lines that begin in a comment, or with one.
fn wide_in_rocq(text: &str) -> Vec<usize> {
    let (mut wide, mut depth) = (Vec::new(), 0usize);
    for (i, line) in text.lines().enumerate() {
        let is_comment = depth > 0 || line.trim_start().starts_with("(*");
        if is_comment && is_too_wide(line, line) {
            wide.push(i);
        }
        depth = (depth + line.matches("(*").count()).saturating_sub(line.matches("*)").count());
    }
    wide
}

/// Lines of code up to the tests.
fn code_before_tests(text: &str) -> usize {
    let is_code = |line: &&str| !line.trim().is_empty() && !line.trim_start().starts_with("//");
    text.lines().take(lines_before_tests(text)).filter(is_code).count()
}

/// Lines up to a `#[cfg(test)]` that opens a module in place; one on a mere declaration or on a
/// helper ends nothing.
fn lines_before_tests(text: &str) -> usize {
    let lines: Vec<&str> = text.lines().collect();
    let opens_tests = |pair: &[&str]| {
        let module = pair[1].trim_start();
        pair[0].trim() == "#[cfg(test)]" && module.starts_with("mod ") && module.trim_end().ends_with('{')
    };
    lines.windows(2).position(opens_tests).unwrap_or(lines.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROOT: &str = "//! What for.\n#![no_std]\n#![forbid(unsafe_code)]\n";
    const MANIFEST: &str = "[package]\nname = \"tmd-contfrac\"\n[lib]\nbench = false\n";

    fn complaints(manifest: &str, root: &str) -> Vec<String> {
        let tree = Tree::of(&[("crates/c/Cargo.toml", manifest), ("crates/c/src/lib.rs", root)]);
        check(&tree, &tree.packages()).iter().map(Complaint::to_string).collect()
    }

    #[test]
    fn unsafe_code_has_its_folder() {
        let code = concat!("fn f() { unsafe", " { g() } }\n");
        let count = |path, text: &str| misplaced_unsafe(path, text).len();
        assert_eq!(count("crates/tmd-simd/src/lanes/a.rs", code), 0);
        assert_eq!(count("crates/tmd-simd/src/a.rs", code), 1);
        assert_eq!(count("crates/tmd-libm/src/native/a.rs", code), 0);
        assert_eq!(count("crates/tmd-libm/src/a.rs", code), 1);
        assert_eq!(count("crates/tmd-core/src/a.rs", concat!("#![allow(unsafe", "_code)]\n")), 1);
        assert_eq!(count("crates/tmd-core/src/a.rs", concat!("// unsafe", " { is a word here }\n")), 0);
    }

    #[test]
    fn roots_and_manifests() {
        assert_eq!(complaints(MANIFEST, ROOT), [""; 0]);
        for (broken, word) in [
            ("//! What for.\n", "`//!`"),
            ("#![no_std]\n", "no_std"),
            ("#![forbid(unsafe_code)]\n", "unsafe"),
        ] {
            let found = complaints(MANIFEST, &ROOT.replace(broken, ""));
            assert_eq!(found.len(), 1, "{found:?}");
            assert!(found[0].starts_with("crates/c/src/lib.rs: ") && found[0].contains(word), "{found:?}");
        }
        let found = complaints(&MANIFEST.replace("false", "true"), ROOT);
        assert_eq!(found.len(), 1);
        assert!(found[0].starts_with("crates/c/Cargo.toml: ") && found[0].contains("bench = false"));
        assert_eq!(
            complaints(&MANIFEST.replace("contfrac", "exist"), &ROOT.replace("#![no_std]\n", "")),
            [""; 0]
        );
        let commented = ROOT.replace("#![forbid(unsafe_code)]", "// #![forbid(unsafe_code)]");
        assert_eq!(complaints(MANIFEST, &commented).len(), 1);
    }

    #[test]
    fn comments_have_their_width() {
        let wide = format!("/// {}\n", "word ".repeat(20));
        let count = |path, text: &str| too_wide(path, text).len();
        assert_eq!(count("crates/a/src/b.rs", &wide), 1);
        assert_eq!(count("docs/a.md", &wide), 0);
        assert_eq!(count("crates/a/src/b.rs", &wide[..100]), 0);
        assert_eq!(count("crates/a/src/b.rs", &wide.replace("/// ", "/// | ")), 0);
        assert_eq!(count("crates/a/src/b.rs", &format!("/// ```\n{wide}/// ```\n{wide}")), 1);
        let words = "word ".repeat(21);
        let lines = |path, text: &str| too_wide(path, text).iter().filter_map(|found| found.line).collect();
        let python = format!(
            "# {words}\na = \"{words}\"\ndef f():\n    \"\"\"A.\n    {words}\"\"\"\n    b({words})\n"
        );
        let found: Vec<usize> = lines("tools/a.py", &python);
        assert_eq!(found, [1, 5]);
        let rocq = format!(
            "(* A.\n   {words} *)\nLemma {words}.\n(* {words} *)\n(* | {words} *)\n{words} (* b *)\n"
        );
        let found: Vec<usize> = lines("proofs/A.v", &rocq.replace("(* | ", "(*\n| "));
        assert_eq!(found, [2, 4]);
    }

    #[test]
    fn binaries_have_roots_and_no_library() {
        let tree =
            Tree::of(&[("b/Cargo.toml", "[package]\nname = \"b\"\n"), ("b/src/main.rs", "fn main() {}\n")]);
        let found = check(&tree, &tree.packages());
        assert_eq!(found.len(), 2, "documentation and unsafe code, but no `[lib]`: {found:?}");
        assert!(found.iter().all(|complaint| complaint.path == "b/src/main.rs"));
    }

    #[test]
    fn long_files() {
        let body = |lines| "x\n".repeat(lines);
        let long = |path: &str, text: &str| too_long(path, text).is_some();
        assert!(!long("crates/c/src/a.rs", &body(LONGEST)));
        assert!(long("crates/c/src/a.rs", &body(LONGEST + 1)));
        assert!(long("crates/c/src/deep/a.rs", &body(LONGEST + 1)));
        for elsewhere in [
            "crates/c/src/tests/a.rs",
            "crates/c/src/a/tests.rs",
            "crates/c/tests/a.rs",
            "crates/c/src/a.txt",
        ] {
            assert!(!long(elsewhere, &body(LONGEST + 1)), "{elsewhere}");
        }
        let tests = "#[cfg(test)]\nmod tests {\n";
        assert!(!long("crates/c/src/a.rs", &(body(LONGEST) + tests + &body(LONGEST))));
        assert!(long("crates/c/src/a.rs", &(body(LONGEST + 1) + tests)));
        // a declaration does not hide what follows it
        assert!(long("crates/c/src/a.rs", &("#[cfg(test)]\nmod tests;\n".to_owned() + &body(LONGEST))));
    }
}
