//! No circles: files of one package that use each other, directly or through others.
//!
//! A file uses another one if it imports what is written there, or names it by a path; a re-export
//! (`pub use`) is neither, so that a folder's `mod.rs` may show what its files hold. Tests may use
//! whatever they test.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::{Complaint, Tree};

/// The roots of the packages that have no circles, and stay so.
const ROOTS: [&str; 2] = ["benches/lib.rs", "tools/lib.rs"];

pub(super) fn check(tree: &Tree) -> Vec<Complaint> {
    ROOTS.iter().flat_map(|root| circles(&Package::read(tree, root))).collect()
}

/// A path of names from the package's root.
type Path = Vec<String>;

/// The modules that are files of their own.
#[derive(Default)]
struct Package {
    modules: BTreeMap<Path, Module>,
}

/// A file.
#[derive(Default)]
struct Module {
    file: String,
    /// What it imports or re-exports, by the name that it has here.
    names: BTreeMap<String, Path>,
    /// What it uses.
    used: Vec<Path>,
}

impl Package {
    fn read(tree: &Tree, root: &str) -> Self {
        let folder = root.strip_suffix("lib.rs").unwrap_or(root);
        let mut package = Self::default();
        let mut texts = Vec::new();
        for (file, text) in tree.files() {
            let Some(inside) = file.strip_prefix(folder).and_then(|inside| inside.strip_suffix(".rs")) else {
                continue;
            };
            let mut path: Path = inside.split('/').map(String::from).collect();
            match path.last().map(String::as_str) {
                Some("main" | "tests") => continue,
                Some("mod" | "lib") => drop(path.pop()),
                _ => {}
            }
            let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
            texts.push((path.clone(), words(code)));
            package.modules.insert(path, Module { file: file.into(), ..Module::default() });
        }
        for (path, words) in texts {
            let (names, used) = package.paths(&path, &words);
            if let Some(module) = package.modules.get_mut(&path) {
                (module.names, module.used) = (names, used);
            }
        }
        package
    }

    /// What the words of a module import, by name, and what they use.
    fn paths(&self, module: &Path, words: &[&str]) -> (BTreeMap<String, Path>, Vec<Path>) {
        let (mut names, mut used) = (BTreeMap::new(), Vec::new());
        let mut at = 0;
        while at < words.len() {
            let is_import = words[at] == "use";
            let is_shown = is_import && at > 0 && words[at - 1] == "pub";
            let is_inside = at > 0 && ["::", "."].contains(&words[at - 1]);
            let starts = !is_inside && words.get(at + 1) == Some(&"::");
            let mut found = Vec::new();
            if is_import {
                at += 1;
                branches(words, &mut at, &Path::new(), &mut found);
            } else if starts && words[at].starts_with(char::is_alphabetic) {
                branches(words, &mut at, &Path::new(), &mut found);
            } else {
                at += 1;
            }
            for (path, name) in found {
                let Some(path) = self.absolute(module, &path) else { continue };
                if is_import {
                    names.insert(name, path.clone());
                }
                if !is_shown {
                    used.push(path);
                }
            }
        }
        (names, used)
    }

    /// A path from the package's root; none if it leads out of the package.
    fn absolute(&self, module: &Path, path: &[String]) -> Option<Path> {
        let (mut from, mut rest) = match path.first()?.as_str() {
            "crate" => (Path::new(), &path[1..]),
            "self" => (module.clone(), &path[1..]),
            "super" => (module.clone(), path),
            first => {
                let child = [module.as_slice(), &[first.into()]].concat();
                self.modules.contains_key(&child).then_some((module.clone(), path))?
            }
        };
        while rest.first().is_some_and(|word| word == "super") {
            from.pop();
            rest = &rest[1..];
        }
        from.extend_from_slice(rest);
        Some(from)
    }

    /// The module in which what the path names is written.
    fn place(&self, path: &Path) -> Option<Path> {
        let mut path = path.clone();
        // a name may be imported again and again, but not for ever
        for _ in 0..16 {
            let depth = (0..=path.len()).rev().find(|&depth| self.modules.contains_key(&path[..depth]))?;
            let module = self.modules.get(&path[..depth])?;
            match path.get(depth).and_then(|name| module.names.get(name)) {
                Some(imported) => path = [imported.as_slice(), &path[depth + 1..]].concat(),
                None => return Some(path[..depth].into()),
            }
        }
        None
    }

    /// The modules that each one uses, itself not among them.
    fn uses(&self) -> BTreeMap<&Path, BTreeSet<Path>> {
        let of = |(path, module): (_, &Module)| {
            let places = module.used.iter().filter_map(|used| self.place(used));
            (path, places.filter(|place| place != path).collect())
        };
        self.modules.iter().map(of).collect()
    }
}

/// One complaint for each set of modules that use each other: its shortest circle through the first
/// one.
fn circles(package: &Package) -> Vec<Complaint> {
    let uses = package.uses();
    let (mut complaints, mut told) = (Vec::new(), BTreeSet::new());
    for &start in uses.keys() {
        let Some(circle) =
            circle(&uses, start).filter(|circle| circle.iter().all(|path| !told.contains(path)))
        else {
            continue;
        };
        let file = |path: &Path| package.modules.get(path).map_or("", |module| module.file.as_str());
        let files: Vec<&str> = circle.iter().chain([start]).map(file).collect();
        complaints.push(Complaint::file(file(start), format!("a circle: {}", files.join(" uses "))));
        told.extend(circle);
    }
    complaints
}

/// The shortest way from a module back to it, without its end.
fn circle(uses: &BTreeMap<&Path, BTreeSet<Path>>, start: &Path) -> Option<Vec<Path>> {
    let mut before: BTreeMap<&Path, &Path> = BTreeMap::new();
    let mut open = VecDeque::from([start]);
    while let Some(path) = open.pop_front() {
        for next in &uses[path] {
            if next == start {
                let way = std::iter::successors(Some(path), |path| before.get(path).copied());
                let mut way: Vec<Path> = way.cloned().collect();
                way.reverse();
                return Some(way);
            }
            if !before.contains_key(next) {
                before.insert(next, path);
                open.push_back(next);
            }
        }
    }
    None
}

/// The paths of a tree of imports, or of one path in the code, with the names that they have here;
/// goes on behind it.
fn branches(words: &[&str], at: &mut usize, stem: &Path, found: &mut Vec<(Path, String)>) {
    let mut path = stem.clone();
    while let Some(&word) = words.get(*at) {
        match word {
            "{" => {
                *at += 1;
                while words.get(*at).is_some_and(|word| *word != "}") {
                    branches(words, at, &path, found);
                    *at += usize::from(words.get(*at) == Some(&","));
                }
                *at += 1;
                return;
            }
            "self" if !path.is_empty() => {}
            word if word == "*" || word.starts_with(|c: char| c.is_alphanumeric() || c == '_') => {
                path.push(word.into());
            }
            _ => *at += 1,
        }
        *at += usize::from(!["::", ",", "}"].contains(&word));
        if words.get(*at) != Some(&"::") {
            break;
        }
        *at += 1;
    }
    let mut name = path.last().cloned().unwrap_or_default();
    if words.get(*at) == Some(&"as") {
        name = words.get(*at + 1).map_or(name, ToString::to_string);
        *at += 2;
    }
    found.push((path, name));
}

/// Names, `::` and single signs, without comments.
fn words(code: &str) -> Vec<&str> {
    let mut words = Vec::new();
    for line in code.lines() {
        let mut rest = line.split("//").next().unwrap_or_default().trim_start();
        while let Some(first) = rest.chars().next() {
            let is_part = |c: char| c.is_alphanumeric() || c == '_';
            let length = match first {
                _ if is_part(first) => rest.find(|c| !is_part(c)).unwrap_or(rest.len()),
                ':' if rest.starts_with("::") => 2,
                _ => first.len_utf8(),
            };
            let (word, behind) = rest.split_at(length);
            words.push(word);
            rest = behind.trim_start();
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complaints(files: &[(&str, &str)]) -> Vec<String> {
        let package = Package::read(&Tree::of(files), "tools/lib.rs");
        circles(&package).iter().map(Complaint::to_string).collect()
    }

    #[test]
    fn files_that_use_each_other() {
        let a = ("tools/a.rs", "use crate::b::{self, Deep as D, c::{E, F}};\n");
        assert_eq!(complaints(&[a, ("tools/b.rs", "fn f() { 1 }\n")]), [""; 0]);
        assert_eq!(
            complaints(&[a, ("tools/b.rs", "fn f() -> u8 { super::a::g() }\n")]),
            ["tools/a.rs: a circle: tools/a.rs uses tools/b.rs uses tools/a.rs"]
        );
        let [b, c] = [("tools/b.rs", "use crate::c::X;\n"), ("tools/c/mod.rs", "pub mod d;\n")];
        assert_eq!(complaints(&[a, b, c, ("tools/c/d.rs", "use rug::a;\n")]), [""; 0]);
        let c = ("tools/c/mod.rs", "pub mod d;\npub use d::X;\n");
        assert_eq!(
            complaints(&[a, b, c, ("tools/c/d.rs", "use crate::a::Y;\n")]),
            ["tools/a.rs: a circle: tools/a.rs uses tools/b.rs uses tools/c/d.rs uses tools/a.rs"],
            "through a re-export"
        );
    }

    /// A folder may show what its files hold; what is written in its `mod.rs` is not for them if it
    /// uses them.
    #[test]
    fn a_folder_and_its_files() {
        let file = ("tools/a/b.rs", "use super::Kind;\n");
        let shows = "mod b;\npub use self::b::f;\npub enum Kind {}\n";
        assert_eq!(complaints(&[("tools/a/mod.rs", shows), file]), [""; 0]);
        let calls = "mod b;\npub enum Kind {}\nfn g() { b::f() }\n";
        assert_eq!(complaints(&[("tools/a/mod.rs", calls), file]).len(), 1);
        let test = "mod b;\npub enum Kind {}\n#[cfg(test)]\nmod tests {\n    fn g() { super::b::f() }\n}\n";
        assert_eq!(complaints(&[("tools/a/mod.rs", test), file]), [""; 0]);
        assert_eq!(complaints(&[("tools/a/mod.rs", "// b::f()\npub enum Kind {}\n"), file]), [""; 0]);
    }

    /// Two circles that have nothing in common are two complaints, one circle is one.
    #[test]
    fn every_circle_once() {
        let pair = |a: &'static str, b: &'static str| (a, b);
        let files = [
            pair("tools/a.rs", "use crate::b::x;\n"),
            pair("tools/b.rs", "use crate::a::y;\n"),
            pair("tools/c.rs", "use crate::d::x;\n"),
            pair("tools/d.rs", "use crate::c::y;\n"),
        ];
        assert_eq!(complaints(&files).len(), 2);
        assert_eq!(complaints(&files[..2]).len(), 1);
    }
}
