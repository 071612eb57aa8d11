//! As much of `Cargo.toml` as the rules need, read line by line.
//!
//! Known limits, harmless for manifests as this project writes them: a section header or a key
//! inside a multi-line string would be taken for one, and `dependencies = { … }` as one inline
//! table is not seen (nobody writes it).

/// What the rules want to know of a package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Package {
    /// Its folder, from the repository's root.
    pub(crate) folder: String,
    /// Its name.
    pub(crate) name: String,
    /// Whether it may go to crates.io: it says neither `publish = false` nor `publish = []`.
    pub(crate) is_published: bool,
    /// Whether it says `bench = false` for its library.
    pub(crate) lib_without_bench: bool,
    /// Real names of its dependencies and build dependencies, on any platform, optional ones
    /// included.
    pub(crate) dependencies: Vec<String>,
    /// The same of its dev-dependencies.
    pub(crate) dev_dependencies: Vec<String>,
}

impl Package {
    /// The package of the manifest `text` in `folder`.
    pub(crate) fn parse(folder: &str, text: &str) -> Self {
        let mut package = Self {
            folder: folder.into(),
            name: String::new(),
            is_published: true,
            lib_without_bench: false,
            dependencies: Vec::new(),
            dev_dependencies: Vec::new(),
        };
        let mut section = Section::Other;
        for line in text.lines().map(|line| without_comment(line).trim()) {
            if let Some(header) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
                section = Section::of(header);
                if let Section::Dependency(kind, name) = &section {
                    package.dependencies_of(*kind).push(name.clone());
                }
            } else if let Some((key, value)) = line.split_once('=') {
                package.entry(&section, key.trim(), value.trim());
            }
        }
        package
    }

    fn entry(&mut self, section: &Section, key: &str, value: &str) {
        match (section, key) {
            (Section::Package, "name") => self.name = unquoted(value),
            (Section::Package, "publish") => self.is_published = !matches!(value, "false" | "[]"),
            (Section::Library, "bench") => self.lib_without_bench = value == "false",
            (Section::Dependencies(kind), key) => {
                let name = renamed(value).unwrap_or_else(|| {
                    // `rug.workspace = true` is about rug
                    unquoted(key.split('.').next().unwrap_or(key).trim())
                });
                self.dependencies_of(*kind).push(name);
            }
            (Section::Dependency(kind, _), "package") => {
                // the section's own name was pushed at its header
                self.dependencies_of(*kind).pop();
                self.dependencies_of(*kind).push(unquoted(value));
            }
            _ => {}
        }
    }

    fn dependencies_of(&mut self, kind: Kind) -> &mut Vec<String> {
        match kind {
            Kind::Normal => &mut self.dependencies,
            Kind::Dev => &mut self.dev_dependencies,
        }
    }
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    Normal,
    Dev,
}

/// Which section of a manifest a line stands in.
enum Section {
    Package,
    Library,
    /// `[dependencies]`, `[target.'cfg(unix)'.dev-dependencies]`, …
    Dependencies(Kind),
    /// `[dependencies.rug]`, …
    Dependency(Kind, String),
    Other,
}

impl Section {
    fn of(header: &str) -> Self {
        let header = header.trim();
        match header {
            "package" => return Self::Package,
            "lib" => return Self::Library,
            _ => {}
        }
        // a platform's name may hold dots, so its tables are known by their ends
        let is_ours = |rest: &str| rest.is_empty() || (rest.starts_with("target.") && rest.ends_with('.'));
        for (table, kind) in [
            ("dev-dependencies", Kind::Dev),
            ("build-dependencies", Kind::Normal),
            ("dependencies", Kind::Normal),
        ] {
            if header.strip_suffix(table).is_some_and(is_ours) {
                return Self::Dependencies(kind);
            }
            if let Some((before, name)) = header.rsplit_once('.')
                && before.strip_suffix(table).is_some_and(is_ours)
            {
                return Self::Dependency(kind, unquoted(name));
            }
        }
        Self::Other
    }
}

/// The line up to a `#` outside quotes.
fn without_comment(line: &str) -> &str {
    let mut quote = None;
    for (i, c) in line.char_indices() {
        match (quote, c) {
            (None, '#') => return &line[..i],
            (None, '"' | '\'') => quote = Some(c),
            (Some(open), _) if c == open => quote = None,
            _ => {}
        }
    }
    line
}

/// `rug` of `{ package = "rug", version = "1" }`.
fn renamed(value: &str) -> Option<String> {
    let (_, rest) = value.strip_prefix('{')?.split_once("package")?;
    let rest = rest.trim_start().strip_prefix('=')?.trim_start().strip_prefix(['"', '\''])?;
    Some(rest.split(['"', '\'']).next().unwrap_or(rest).into())
}

fn unquoted(text: &str) -> String {
    text.trim().trim_matches(['"', '\'']).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whole_manifest() {
        let text = r#"
[package]
name = "a" # not "b"
publish = false
[lib]
bench = false

[[bench]]
name = "speed"

[dependencies]
one = "1"
two.workspace = true
three = { package = "real-three", version = "3", features = [
    "a = b",
] }
"four" = { workspace = true }

[dependencies.five]
version = "5"
[dependencies.six]
package = "real-six"

[build-dependencies]
seven = "7"

[target.'cfg(target_arch = "x86.64")'.dependencies]
eight = "8"

[dev-dependencies]
nine = "9"
[target.x.dev-dependencies.ten]
path = "../ten"

[features]
eleven = []
[package.metadata.dependencies]
twelve = "12"
"#;
        let package = Package::parse("crates/a", text);
        assert_eq!((package.folder.as_str(), package.name.as_str()), ("crates/a", "a"));
        assert!(!package.is_published);
        assert!(package.lib_without_bench);
        // the array's line "a = b" is taken for a dependency `a`: too many are seen, never too few
        let seen: Vec<&String> = package.dependencies.iter().filter(|name| *name != "a").collect();
        assert_eq!(seen, ["one", "two", "real-three", "four", "five", "real-six", "seven", "eight"]);
        assert_eq!(package.dev_dependencies, ["nine", "ten"]);
    }

    #[test]
    fn defaults() {
        let package = Package::parse("crates/a", "[package]\nname = 'a'\n[[bin]]\nbench = false\n");
        assert!(package.is_published);
        assert!(!package.lib_without_bench, "the binary's bench is not the library's");
        assert_eq!(package.dependencies, [""; 0]);
        for (value, is_published) in
            [("true", true), ("[\"crates-io\"]", true), ("false", false), ("[]", false)]
        {
            let manifest = format!("[package]\npublish = {value}\n");
            assert_eq!(Package::parse("a", &manifest).is_published, is_published, "{value}");
        }
    }

    #[test]
    fn comments() {
        assert_eq!(without_comment("a = \"#1\" # two"), "a = \"#1\" ");
        assert_eq!(without_comment("# [dependencies]"), "");
        assert_eq!(Package::parse("a", "[dependencies]\n# rug = \"1\"\n").dependencies, [""; 0]);
    }
}
