//! `cargo xtask package`: can the crates be packaged, are the packages whole, and can an outsider
//! use them?
//!
//! 1. every file below a crate's `src/` is in its package (that nothing from outside the crate is
//!    needed shows in 2);
//! 2. `cargo package` of every crate that is to be published: each package is unpacked and built,
//!    with the other packages as its dependencies, as if they were on crates.io;
//! 3. crates outside the workspace, with tmd-driver and tmd-core as their only dependency and the
//!    README's example for it as their `main.rs`, build, run and print something.
//!
//! Everything is downloaded first (a no-op when it was); the rest works without the network, with
//! the versions of the workspace's `Cargo.lock`.

use std::{
    env,
    fmt::Display,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use crate::{
    prerequisites, readme,
    run::{Failure, Steps, capture, cargo, execute, root, target_directory},
    tidy::{Package, Tree},
};

/// What an outsider depends on: the README has a program for each.
const OUTSIDE: [&str; 2] = ["tmd-driver", "tmd-core"];

/// The whole check, as a command.
pub(crate) fn run() -> Result<(), Failure> {
    prerequisites::ensure()?;
    let mut steps = Steps::default();
    packages(&mut steps)?;
    steps.step("outside users", outside_users);
    steps.finish()
}

/// 1 and 2, as steps of a longer command.
pub(crate) fn packages(steps: &mut Steps) -> Result<(), Failure> {
    steps.needed("download", || {
        // for this machine alone: what other platforms need may be missing here, and is not missed
        let version = capture(Command::new("rustc").arg("-vV").current_dir(root()))?;
        let host = host(&version).ok_or_else(|| Failure::step("`rustc -vV` names no host"))?;
        execute(&mut cargo(&["fetch", "--locked", "--target", host]))
    })?;
    let tree = Tree::read(root())?;
    let packages = tree.packages();
    steps.step("file lists", || file_lists(&tree, &packages));
    steps.step("packages", || package(&packages));
    Ok(())
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

/// Cargo takes a package of a registry, which is where the others of ours are to it here, for a
/// thing that never changes while its version stays: it would build against what an earlier run
/// unpacked or compiled. Both are removed first; the target folder is another than the workspace's,
/// whose builds of the same names stay.
fn package(packages: &[Package]) -> Result<(), Failure> {
    forget_unpacked(&cargo_home()?.join("registry/src"), packages)?;
    let target = target_directory()?.join("packages");
    let mut clean = cargo(&["clean", "--offline", "--quiet"]);
    let mut package = cargo(&["package", "--workspace", "--allow-dirty", "--offline", "--quiet"]);
    for Package { name, is_published, .. } in packages {
        if *is_published {
            clean.args(["--package", name]);
        } else {
            package.args(["--exclude", name]);
        }
    }
    // nobody debugs these builds
    package.env("CARGO_PROFILE_DEV_DEBUG", "false").env("CARGO_INCREMENTAL", "0");
    for command in [&mut clean, &mut package] {
        execute(command.arg("--target-dir").arg(&target))?;
    }
    Ok(())
}

/// Cargo's own folder: the variable `CARGO_HOME`, else `.cargo` in the user's home.
fn cargo_home() -> Result<PathBuf, Failure> {
    let home = env::var_os("CARGO_HOME").filter(|home| !home.is_empty()).map(PathBuf::from);
    home.or_else(|| Some(env::home_dir()?.join(".cargo")))
        .ok_or_else(|| Failure::step("neither CARGO_HOME nor the home folder is known"))
}

/// Removes what was unpacked of our own packages (`<registry>/<name>-<version>` below
/// `registries`): a cache, in whichever registry it lies.
fn forget_unpacked(registries: &Path, packages: &[Package]) -> Result<(), Failure> {
    let entries = |folder: &Path| fs::read_dir(folder).into_iter().flatten().flatten();
    for unpacked in entries(registries).flat_map(|registry| entries(&registry.path())) {
        if packages.iter().any(|package| is_unpacked(&unpacked.file_name().to_string_lossy(), &package.name))
        {
            let path = unpacked.path();
            fs::remove_dir_all(&path).map_err(|error| cannot("remove", &path, &error))?;
        }
    }
    Ok(())
}

/// Is `folder` named `<name>-<version>`?
fn is_unpacked(folder: &str, name: &str) -> bool {
    let version = folder.strip_prefix(name).and_then(|rest| rest.strip_prefix('-'));
    version.is_some_and(|version| version.starts_with(|c: char| c.is_ascii_digit()))
}

/// Builds and runs the README's program for `package`, in the folder of the workspace's own builds:
/// what these have compiled, GMP above all, serves, as long as the profiles are the same.
fn outside_user(package: &str) -> Result<(), Failure> {
    let read = |file: &str| {
        fs::read_to_string(root().join(file)).map_err(|error| cannot("read", &root().join(file), &error))
    };
    let program = readme::outside_user_program(&read("README.md")?, package).map_err(Failure::step)?;

    let target = target_directory()?;
    let folder = target.join("outside-users").join(package);
    let write =
        |path: &Path, text: &str| fs::write(path, text).map_err(|error| cannot("write", path, &error));
    fs::create_dir_all(folder.join("src")).map_err(|error| cannot("create", &folder, &error))?;
    let manifest = manifest(package, &root().join("crates").join(package), &read("Cargo.toml")?);
    write(&folder.join("Cargo.toml"), &manifest)?;
    write(&folder.join("src/main.rs"), &program)?;
    let lock = folder.join("Cargo.lock");
    fs::copy(root().join("Cargo.lock"), &lock).map_err(|error| cannot("write", &lock, &error))?;

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

/// The manifest of a crate that knows nothing of our workspace but the profiles.
fn manifest(package: &str, path: &Path, workspace: &str) -> String {
    // as a TOML literal string, which has no escapes: Windows paths may stand in it
    let path = path.display();
    // but what is said of single packages, most of which it has not
    let sections = workspace.split("\n[").skip(1).filter(|section| {
        section.starts_with("profile.")
            && (!section.contains(".package.") || section.contains(".package.\"*\""))
    });
    let profiles = sections.fold(String::new(), |text, section| text + "\n[" + section);
    format!(
        "[package]\nname = \"outside-user\"\nversion = \"0.0.0\"\nedition = \"2024\"\npublish = false\n\n\
         [dependencies]\n{package} = {{ path = '{path}' }}\n\n[workspace]\n{profiles}"
    )
}

fn cannot(what: &str, path: &Path, error: &dyn Display) -> Failure {
    Failure::step(format!("cannot {what} {}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_unpacked_packages_are_forgotten() {
        let registries = target_directory().unwrap().join("forget-unpacked-test");
        for folder in ["-0/a-0.1.0/src", "-1/a-0.2.0", "-1/ab-0.1.0", "-1/a-sys-0.1.0", "io/b-1.0.0"] {
            fs::create_dir_all(registries.join(folder)).unwrap();
        }
        let tree = Tree::of(&[("crates/a/Cargo.toml", "[package]\nname = \"a\"\n")]);
        forget_unpacked(&registries, &tree.packages()).unwrap();
        let left = ["-0/a-0.1.0", "-1/a-0.2.0", "-1/ab-0.1.0", "-1/a-sys-0.1.0", "io/b-1.0.0"]
            .map(|folder| registries.join(folder).exists());
        fs::remove_dir_all(&registries).unwrap();
        assert_eq!(left, [false, false, true, true, true]);
        // on a new machine nothing was ever unpacked
        forget_unpacked(&registries, &tree.packages()).unwrap();
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
        let workspace = "[workspace]\nmembers = []\n\n[profile.dev]\nopt-level = 3\n\n[profile.dev.package.parquet]\nopt-level = 0\n\n\
                         [profile.dev.package.\"*\"]\nopt-level = 1\n";
        let manifest = manifest("tmd-core", Path::new(r"C:\tmd\crates\tmd-core"), workspace);
        assert!(manifest.lines().any(|line| line == "[workspace]") && !manifest.contains("members"));
        assert!(manifest.contains(r"tmd-core = { path = 'C:\tmd\crates\tmd-core' }"));
        let profiles = "\n[profile.dev]\nopt-level = 3\n\n[profile.dev.package.\"*\"]\nopt-level = 1\n";
        assert!(manifest.ends_with(profiles), "{manifest}");
    }
}
