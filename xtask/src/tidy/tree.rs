//! The text files of the repository: what git tracks, and what it would track next.

use std::{collections::BTreeMap, path::Path, process::Command};

use crate::{
    run::{Failure, capture},
    tidy::Package,
};

/// Text files by their path from the repository's root, with `/` between the parts.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    files: BTreeMap<String, String>,
}

impl Tree {
    /// The files below `root` that git does not ignore. Files that are not UTF-8 are not text and
    /// left out; files that git lists and that are gone were deleted and not committed yet.
    pub(crate) fn read(root: &Path) -> Result<Self, Failure> {
        let mut git = Command::new("git");
        git.current_dir(root).args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"]);
        let mut files = BTreeMap::new();
        for path in capture(&mut git)?.split('\0').filter(|path| !path.is_empty()) {
            if let Ok(text) = std::fs::read_to_string(root.join(path)) {
                files.insert(path.into(), text);
            }
        }
        if !files.contains_key("Cargo.toml") {
            return Err(Failure::step(format!("git lists no Cargo.toml in {}", root.display())));
        }
        Ok(Self { files })
    }

    /// Paths and texts, sorted by path.
    pub(crate) fn files(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files.iter().map(|(path, text)| (path.as_str(), text.as_str()))
    }

    /// The paths, sorted.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(String::as_str)
    }

    /// The text of one file.
    pub(crate) fn text(&self, path: &str) -> Option<&str> {
        self.files.get(path).map(String::as_str)
    }

    /// The packages, by their manifests; the root's is virtual and none.
    pub(crate) fn packages(&self) -> Vec<Package> {
        let folder_of = |path: &'_ str| path.strip_suffix("/Cargo.toml").map(String::from);
        let packages = self.files().filter_map(|(path, text)| Some(Package::parse(&folder_of(path)?, text)));
        packages.collect()
    }
}

#[cfg(test)]
impl Tree {
    /// A tree of small files, for tests.
    pub(crate) fn of(files: &[(&str, &str)]) -> Self {
        Self { files: files.iter().map(|&(path, text)| (path.into(), text.into())).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::root;

    #[test]
    fn the_repository_itself() {
        let tree = Tree::read(root()).unwrap();
        assert!(tree.text("xtask/src/tidy/tree.rs").unwrap().contains("the_repository_itself"));
        assert!(tree.paths().all(|path| !path.starts_with("target/")));
        let packages = tree.packages();
        let core = packages.iter().find(|package| package.name == "tmd-core").unwrap();
        assert_eq!(core.folder, "crates/tmd-core");
        assert!(packages.iter().any(|package| package.name == "xtask" && !package.is_published));
    }
}
