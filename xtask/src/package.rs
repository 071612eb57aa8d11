//! `cargo xtask package`: can the crates be packaged, are the packages whole, and can an outsider
//! use them?
//!
//! 1. every file below a crate's `src/` is in its package (that nothing from outside the crate is
//!    needed shows in 2);
//! 2. `cargo package` of every crate that is to be published: each package is unpacked and checked,
//!    with the other packages as its dependencies, as if they were on crates.io;
//! 3. crates with the package of tmd-driver or tmd-core as their only dependency, and the README's
//!    example for it as their `main.rs`, build, run and print something.
//!
//! Everything is downloaded first (a no-op when it was); the rest works without the network, with
//! the versions of the workspace's `Cargo.lock`.

use std::{fmt::Write as _, fs, path::Path, process::Command};

use crate::{
    prerequisites, readme,
    run::{Failure, Steps, cannot, capture, cargo, execute, read, root, target_directory, write},
    tidy::{Package, Tree},
};

/// What an outsider depends on: the README has a program for each.
const OUTSIDE: [&str; 2] = ["tmd-driver", "tmd-core"];

/// An example of a package that is published.
pub(crate) const EXAMPLE: &str = "enclose";

/// The whole check, as a command.
pub(crate) fn run() -> Result<(), Failure> {
    prerequisites::ensure()?;
    let mut steps = Steps::default();
    packages(&mut steps);
    steps.step("outside users", outside_users);
    steps.finish()
}

/// 1 and 2, as steps of a longer command.
pub(crate) fn packages(steps: &mut Steps) {
    steps.step("download", || {
        // for this machine alone: what other platforms need may be missing here, and is not missed
        let version = capture(Command::new("rustc").arg("-vV").current_dir(root()))?;
        let host = host(&version).ok_or_else(|| Failure::step("`rustc -vV` names no host"))?;
        execute(&mut cargo(&["fetch", "--locked", "--target", host]))
    });
    steps.step("packages", || {
        let tree = Tree::read(root())?;
        let packages = tree.packages();
        file_lists(&tree, &packages)?;
        package(&tree, &packages)
    });
}

/// 3, in the copy of the workspace that `packages` made. One by one, with no features of others'
/// packages but those that the package itself asks for: a feature that it forgets, and another one
/// has, is missed here alone.
pub(crate) fn outside_users() -> Result<(), Failure> {
    let target = target_directory()?;
    for package in OUTSIDE {
        let mut run = cargo(&["run", "--offline", "--quiet", "--package", &format!("outside-{package}")]);
        let output = capture(run.current_dir(target.join("packages")).env("CARGO_TARGET_DIR", &target))?;
        if output.trim().is_empty() {
            return Err(Failure::step(format!("the README's example of {package} prints nothing")));
        }
        println!("the README's example of {package} prints:");
        output.lines().for_each(|line| println!("  {line}"));
    }
    Ok(())
}

/// The target triple in what `rustc -vV` prints.
fn host(version: &str) -> Option<&str> {
    version.lines().find_map(|line| line.strip_prefix("host: "))
}

fn file_lists(tree: &Tree, packages: &[Package]) -> Result<(), Failure> {
    for package in packages.iter().filter(|package| package.is_published) {
        let arguments = ["package", "--list", "--allow-dirty", "--offline", "--package", &package.name];
        let list = capture(&mut cargo(&arguments))?;
        let missing = missing(tree, package, &list);
        if !missing.is_empty() {
            let missing = missing.join(", ");
            return Err(Failure::step(format!("the package of {} lacks {missing}", package.name)));
        }
    }
    Ok(())
}

/// What a package needs and its file list, one path a line, does not have.
fn missing(tree: &Tree, package: &Package, list: &str) -> Vec<String> {
    let folder = format!("{}/", package.folder);
    let own = tree.paths().filter_map(|path| path.strip_prefix(&folder));
    let sources = own.filter(|path| path.starts_with("src/"));
    let needed = sources.chain(["Cargo.toml"]);
    needed.filter(|path| !list.lines().any(|listed| listed == *path)).map(Into::into).collect()
}

/// Packs, unpacks, and checks what was unpacked, in a copy of the workspace where each package is
/// in its folder and stands for that of crates.io. What it needs of others' is taken from the
/// folder of the workspace's own builds: clippy has checked it, with the same profiles, versions
/// and features.
fn package(tree: &Tree, packages: &[Package]) -> Result<(), Failure> {
    let target = target_directory()?;
    let (packed, copy) = (target.join("package"), target.join("packages"));
    for folder in [&packed, &copy] {
        // of an earlier run
        if folder.exists() {
            fs::remove_dir_all(folder).map_err(cannot("remove", folder))?;
        }
    }

    let mut package = cargo(&["package", "--workspace", "--no-verify", "--exclude-lockfile"]);
    package.args(["--allow-dirty", "--offline", "--quiet"]);
    for package_left_out in packages.iter().filter(|package| !package.is_published) {
        package.args(["--exclude", &package_left_out.name]);
    }
    execute(package.arg("--target-dir").arg(&target))?;

    for (path, text) in others(tree, packages) {
        put(&copy.join(path), text)?;
    }
    for package in packages.iter().filter(|package| package.is_published) {
        unpack(&package.name, &packed, &copy.join(&package.folder))?;
    }
    let readme = read(&root().join("README.md"))?;
    for package in OUTSIDE {
        let program = readme::outside_user_program(&readme, package).map_err(Failure::step)?;
        let folder = copy.join("outside").join(package);
        put(&folder.join("Cargo.toml"), &manifest(package))?;
        put(&folder.join("src/main.rs"), &program)?;
    }
    put(&copy.join("Cargo.toml"), &of_copy(&read(&root().join("Cargo.toml"))?, packages))?;
    // of the same versions
    put(&copy.join("Cargo.lock"), &read(&root().join("Cargo.lock"))?)?;
    // one of the examples, as features are then those of builds with dev-dependencies
    let mut check = cargo(&["check", "--workspace", "--offline", "--quiet"]);
    check.args(["--lib", "--bins", "--example", EXAMPLE]);
    execute(check.current_dir(&copy).env("CARGO_TARGET_DIR", &target))
}

/// The files of packages that are not published.
fn others<'a>(tree: &'a Tree, packages: &[Package]) -> impl Iterator<Item = (&'a str, &'a str)> {
    let folders: Vec<String> = packages
        .iter()
        .filter(|package| !package.is_published)
        .map(|package| format!("{}/", package.folder))
        .collect();
    tree.files().filter(move |(path, _)| folders.iter().any(|folder| path.starts_with(folder)))
}

/// The workspace's manifest for its copy: with outside users, and with published packages for those
/// of crates.io. What outside users do is done in a moment: packages are not compiled for speed.
fn of_copy(workspace: &str, packages: &[Package]) -> String {
    let is_ours = |section: &str| {
        let of = section.strip_prefix("profile.dev.package.").and_then(|rest| rest.split_once(']'));
        of.is_some_and(|(name, _)| packages.iter().any(|package| package.name == name))
    };
    let sections: Vec<&str> = workspace.split("\n[").filter(|section| !is_ours(section)).collect();
    let mut text = sections.join("\n[").replace("members = [\"", "members = [\"outside/*\", \"");
    let published = || packages.iter().filter(|package| package.is_published);
    // writing to a String does not fail
    for Package { name, .. } in published() {
        let _ = write!(text, "\n[profile.dev.package.{name}]\nopt-level = 0\n");
    }
    let _ = write!(text, "\n[patch.crates-io]\n");
    for Package { name, folder, .. } in published() {
        let _ = writeln!(text, "{name} = {{ path = \"{folder}\" }}");
    }
    text
}

/// Writes a file, in a folder that may not exist yet.
fn put(path: &Path, text: &str) -> Result<(), Failure> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(cannot("create", folder))?;
    }
    write(path, text)
}

/// Unpacks the package `name` as `folder`.
fn unpack(name: &str, packed: &Path, folder: &Path) -> Result<(), Failure> {
    let entries = fs::read_dir(packed).map_err(cannot("read", packed))?;
    let mut files = entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
    let file = files
        .find(|file| file.strip_suffix(".crate").is_some_and(|folder| is_packed(folder, name)))
        .ok_or_else(|| Failure::step(format!("`cargo package` made no package of {name}")))?;
    fs::create_dir_all(folder).map_err(cannot("create", folder))?;
    // -m: as new as they are, and not of the time that packages give all files, or what was checked
    // of an earlier one would be taken for theirs
    let mut tar = Command::new("tar");
    tar.args(["-xmz", "--strip-components", "1", "-f"]).arg(packed.join(file)).arg("-C").arg(folder);
    execute(&mut tar)
}

/// Is `folder` named `<name>-<version>`?
fn is_packed(folder: &str, name: &str) -> bool {
    let version = folder.strip_prefix(name).and_then(|rest| rest.strip_prefix('-'));
    version.is_some_and(|version| version.starts_with(|c: char| c.is_ascii_digit()))
}

/// The manifest of a crate that depends on a package of crates.io.
fn manifest(package: &str) -> String {
    format!(
        "[package]\nname = \"outside-{package}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
         [dependencies]\n{package} = \"*\"\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_and_their_versions() {
        assert!(is_packed("tmd-core-0.1.0", "tmd-core"));
        assert!(!is_packed("tmd-core-sys-0.1.0", "tmd-core") && !is_packed("tmd-core", "tmd-core"));
    }

    #[test]
    fn the_copy_has_packages_for_those_of_the_registry() {
        let tree = Tree::of(&[
            ("Cargo.toml", "[workspace]\n"),
            ("crates/a/Cargo.toml", "[package]\nname = \"a\"\n"),
            ("crates/a/src/lib.rs", ""),
            ("tools/Cargo.toml", "[package]\nname = \"b\"\npublish = false\n"),
            ("tools/main.rs", "fn main() {}\n"),
            ("tools2/main.rs", ""),
        ]);
        let packages = tree.packages();
        let files: Vec<(&str, &str)> = others(&tree, &packages).collect();
        assert_eq!(
            files.iter().map(|file| file.0).collect::<Vec<_>>(),
            ["tools/Cargo.toml", "tools/main.rs"]
        );
        assert_eq!(files[1].1, "fn main() {}\n");
        let workspace = "[workspace]\nmembers = [\"crates/*\"]\n\n[profile.dev.package.a]\nopt-level = 3\n\n\
                         [profile.dev.package.other]\nopt-level = 2\n";
        let expected = "[workspace]\nmembers = [\"outside/*\", \"crates/*\"]\n\n\
                        [profile.dev.package.other]\nopt-level = 2\n\n\
                        [profile.dev.package.a]\nopt-level = 0\n\n\
                        [patch.crates-io]\na = { path = \"crates/a\" }\n";
        assert_eq!(of_copy(workspace, &packages), expected);
    }

    #[test]
    fn a_source_file_left_out_is_named() {
        let tree = Tree::of(&[
            ("crates/a/Cargo.toml", "[package]\nname = \"a\"\n"),
            ("crates/a/src/lib.rs", ""),
            ("crates/a/src/grammar.pest", ""),
            ("crates/a/tests/t.rs", ""),
            ("crates/ab/src/other.rs", ""),
        ]);
        let package = &tree.packages()[0];
        assert_eq!(missing(&tree, package, "Cargo.toml\nsrc/lib.rs\nsrc/grammar.pest\n"), [""; 0]);
        assert_eq!(
            missing(&tree, package, "src/lib.rs\nsrc/x/grammar.pest\n"),
            ["src/grammar.pest", "Cargo.toml"]
        );
    }

    #[test]
    fn the_host_of_rustc() {
        let version = "rustc 1.95.0\nbinary: rustc\nhost: x86_64-unknown-linux-gnu\nrelease: 1.95.0\n";
        assert_eq!(host(version), Some("x86_64-unknown-linux-gnu"));
        assert_eq!(host("rustc 1.95.0"), None);
    }
}
