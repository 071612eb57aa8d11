//! `cargo xtask package`: can the crates be packaged, are the packages whole, and can an outsider
//! use them?
//!
//! 1. every file below a crate's `src/` is in its package (that nothing from outside the crate is
//!    needed shows in 2);
//! 2. `cargo package` of every crate that is to be published: each package is unpacked and checked,
//!    with the other packages as its dependencies, as if they were on crates.io;
//! 3. crates outside the workspace, with tmd-driver and tmd-core as their only dependency and the
//!    README's example for it as their `main.rs`, build, run and print something.
//!
//! Everything is downloaded first (a no-op when it was); the rest works without the network, with
//! the versions of the workspace's `Cargo.lock`.

use std::{fs, path::Path, process::Command};

use crate::{
    prerequisites, readme,
    run::{Failure, Steps, cannot, capture, cargo, execute, read, root, target_directory, write},
    tidy::{Package, Tree},
};

/// What an outsider depends on: the README has a program for each.
const OUTSIDE: [&str; 2] = ["tmd-driver", "tmd-core"];

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
        package(&packages)
    });
}

/// 3, after a `packages` or any build that downloaded everything.
pub(crate) fn outside_users() -> Result<(), Failure> {
    OUTSIDE.into_iter().try_for_each(outside_user)
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

/// Packs, unpacks, and checks what was unpacked, in a workspace where each package takes the
/// others for those of crates.io. What it needs of others' is taken from the folder of the
/// workspace's own builds, whose profiles and lock file it has: clippy has checked nearly all.
fn package(packages: &[Package]) -> Result<(), Failure> {
    let target = target_directory()?;
    let (packed, unpacked) = (target.join("package"), target.join("packages"));
    for folder in [&packed, &unpacked] {
        // of an earlier run
        if folder.exists() {
            fs::remove_dir_all(folder).map_err(cannot("remove", folder))?;
        }
    }
    fs::create_dir_all(&unpacked).map_err(cannot("create", &unpacked))?;

    let mut package = cargo(&["package", "--workspace", "--no-verify", "--exclude-lockfile"]);
    package.args(["--allow-dirty", "--offline", "--quiet"]);
    for package_left_out in packages.iter().filter(|package| !package.is_published) {
        package.args(["--exclude", &package_left_out.name]);
    }
    execute(package.arg("--target-dir").arg(&target))?;

    let published: Vec<&Package> = packages.iter().filter(|package| package.is_published).collect();
    let folders: Vec<String> = published
        .iter()
        .map(|package| unpack(&package.name, &packed, &unpacked))
        .collect::<Result<_, _>>()?;
    let names: Vec<&str> = published.iter().map(|package| package.name.as_str()).collect();
    let text = read(&root().join("Cargo.toml"))?;
    write(&unpacked.join("Cargo.toml"), &workspace_manifest(&names, &folders, &text))?;
    copy_lock(&unpacked)?;
    let mut check = cargo(&["check", "--workspace", "--offline", "--quiet"]);
    execute(check.current_dir(&unpacked).env("CARGO_TARGET_DIR", &target))
}

/// Unpacks the package `name`, and returns its folder below `unpacked`.
fn unpack(name: &str, packed: &Path, unpacked: &Path) -> Result<String, Failure> {
    let entries = fs::read_dir(packed).map_err(cannot("read", packed))?;
    let files = entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
    let folder = files
        .filter_map(|file| file.strip_suffix(".crate").map(String::from))
        .find(|folder| is_packed(folder, name))
        .ok_or_else(|| Failure::step(format!("`cargo package` made no package of {name}")))?;
    let file = packed.join(format!("{folder}.crate"));
    // -m: as new as they are, and not of the time that packages give all files, or what was checked
    // of an earlier one would be taken for theirs
    execute(Command::new("tar").arg("-xmzf").arg(file).arg("-C").arg(unpacked))?;
    Ok(folder)
}

/// Is `folder` named `<name>-<version>`?
fn is_packed(folder: &str, name: &str) -> bool {
    let version = folder.strip_prefix(name).and_then(|rest| rest.strip_prefix('-'));
    version.is_some_and(|version| version.starts_with(|c: char| c.is_ascii_digit()))
}

/// The manifest of a workspace of packages, each in its folder, with the profiles of `workspace`.
fn workspace_manifest(names: &[&str], folders: &[String], workspace: &str) -> String {
    let patches = names
        .iter()
        .zip(folders)
        .fold(String::new(), |text, (name, folder)| text + &format!("{name} = {{ path = \"{folder}\" }}\n"));
    format!(
        "[workspace]\nresolver = \"3\"\nmembers = {folders:?}\n\n[patch.crates-io]\n{patches}{}",
        profiles(workspace)
    )
}

/// The profiles of a workspace's manifest, but what is said of single packages of ours.
fn profiles(workspace: &str) -> String {
    let sections = workspace.split("\n[").skip(1).filter(|section| {
        section.starts_with("profile.")
            && (!section.contains(".package.") || section.contains(".package.\"*\""))
    });
    sections.fold(String::new(), |text, section| text + "\n[" + section)
}

/// Builds and runs the README's program for `package`, in the folder of the workspace's own builds:
/// what these have compiled, GMP above all, serves, as long as the profiles are the same.
fn outside_user(package: &str) -> Result<(), Failure> {
    let text = read(&root().join("README.md"))?;
    let program = readme::outside_user_program(&text, package).map_err(Failure::step)?;

    let target = target_directory()?;
    let folder = target.join("outside-users").join(package);
    fs::create_dir_all(folder.join("src")).map_err(cannot("create", &folder))?;
    let manifest = manifest(package, &root().join("crates").join(package));
    write(&folder.join("Cargo.toml"), &manifest)?;
    write(&folder.join("src/main.rs"), &program)?;
    copy_lock(&folder)?;

    let mut command = cargo(&["run", "--quiet", "--offline"]);
    command.current_dir(&folder).env("CARGO_TARGET_DIR", &target);
    let output = capture(&mut command)?;
    if output.trim().is_empty() {
        return Err(Failure::step(format!("the README's example of {package} prints nothing")));
    }
    println!("the README's example of {package} prints:");
    output.lines().for_each(|line| println!("  {line}"));
    Ok(())
}

/// The manifest of a crate that knows nothing of our workspace. What it does is done in a moment,
/// so nothing is compiled for speed.
fn manifest(package: &str, path: &Path) -> String {
    // as a TOML literal string, which has no escapes: Windows paths may stand in it
    let path = path.display();
    format!(
        "[package]\nname = \"outside-user\"\nversion = \"0.0.0\"\nedition = \"2024\"\npublish = false\n\n\
         [dependencies]\n{package} = {{ path = '{path}' }}\n\n[workspace]\n\n\
         [profile.dev]\nopt-level = 0\ndebug = false\nincremental = false\n"
    )
}

/// The versions of the workspace, for another one.
fn copy_lock(folder: &Path) -> Result<(), Failure> {
    write(&folder.join("Cargo.lock"), &read(&root().join("Cargo.lock"))?)
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
    fn packages_take_each_other_for_those_of_the_registry() {
        let workspace = "[workspace]\nmembers = []\n\n[profile.dev]\nopt-level = 3\n";
        let manifest = workspace_manifest(&["a", "b"], &["a-0.1.0".into(), "b-2.0.0".into()], workspace);
        let expected = "[workspace]\nresolver = \"3\"\nmembers = [\"a-0.1.0\", \"b-2.0.0\"]\n\n\
                        [patch.crates-io]\na = { path = \"a-0.1.0\" }\nb = { path = \"b-2.0.0\" }\n\n\
                        [profile.dev]\nopt-level = 3\n";
        assert_eq!(manifest, expected);
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

    #[test]
    fn the_outside_crate_is_its_own_workspace() {
        let manifest = manifest("tmd-core", Path::new(r"C:\tmd\crates\tmd-core"));
        assert!(manifest.lines().any(|line| line == "[workspace]") && !manifest.contains("members"));
        assert!(manifest.contains(r"tmd-core = { path = 'C:\tmd\crates\tmd-core' }"));
        assert!(manifest.ends_with("\nincremental = false\n"), "{manifest}");
    }
}
