//! `cargo xtask test --cluster`: the paths of docs/cluster.md for real, on one node: `tmd-mpi`
//! built and linted, then Slurm, `HyperQueue` and MPI with workers killed
//! (`crates/tmd-cli/tests/cluster`).

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use crate::{
    prerequisites::{ensure, environment, has_python, inside, install, is_root, on_path, pip},
    run::{Failure, Steps, cargo, execute, target_directory},
};

/// Something that the tests need: how one sees that it is there, and Debian's packages of it.
struct Need {
    name: &'static str,
    is_there: fn() -> bool,
    packages: &'static [&'static str],
}

const NEEDS: [Need; 5] = [
    Need {
        name: "Open MPI",
        is_there: || on_path("mpirun") && on_path("mpicc"),
        packages: &["openmpi-bin", "libopenmpi-dev"],
    },
    Need { name: "libclang", is_there: has_libclang, packages: &["libclang-dev"] },
    Need {
        name: "Slurm",
        is_there: || ["slurmctld", "slurmd", "sbatch"].into_iter().all(on_path),
        packages: &["slurm-wlm"],
    },
    Need { name: "munge", is_there: || on_path("munged"), packages: &["munge"] },
    Need {
        name: "Python",
        is_there: || has_python(Path::new("python3"), (3, 0)),
        packages: &["python3", "python3-venv"],
    },
];

/// The package of `PyPI` whose API the script uses.
const HYPERQUEUE: &str = "hyperqueue==0.27.0";

/// Installs what is missing, and runs the tests; `arguments` go to them.
pub(crate) fn run(arguments: &[String]) -> Result<(), Failure> {
    if !cfg!(target_os = "linux") {
        return Err(Failure::usage("the tests of clusters run on Linux"));
    }
    ensure()?;
    let mut steps = Steps::default();
    steps.needed("needs", needs)?;
    steps.needed("clippy", || {
        execute(selected("clippy", &["--bin", "tmd-mpi"]).args(["--", "-D", "warnings"]))
    })?;
    steps.needed("build", || execute(&mut selected("build", &["--bin", "tmd-mpi"])))?;
    let target = target_directory()?;
    let environment = target.join("cluster-python");
    steps.needed("hyperqueue", || python(&environment))?;
    steps.needed("test", || {
        let mut test = selected("test", &[]);
        test.env("TMD_MPI", target.join("debug/tmd-mpi")).env("TMD_PYTHON", environment.join("bin/python"));
        execute(test.args(arguments))
    })?;
    steps.finish()
}

/// Cargo, on the tests and on other targets. Features are those of the whole workspace, so that
/// what the plain tests compiled will do.
fn selected(command: &str, others: &[&str]) -> Command {
    let mut cargo = cargo(&[command, "--workspace", "--features", "tmd-mpi/mpi", "--test", "cluster"]);
    cargo.args(others);
    cargo
}

/// Installs what is missing if that is plainly our right (root, `apt-get`), and otherwise says what
/// it is.
fn needs() -> Result<(), Failure> {
    let missing: Vec<&Need> = NEEDS.iter().filter(|need| !(need.is_there)()).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let packages: Vec<&str> = missing.iter().flat_map(|need| need.packages).copied().collect();
    if on_path("apt-get") && is_root() {
        println!("missing on this machine, for the tests of clusters: {}", packages.join(", "));
        install(&packages)?;
    }
    match NEEDS.iter().find(|need| !(need.is_there)()) {
        None => Ok(()),
        Some(_) => Err(Failure::usage(tell(&missing, &packages))),
    }
}

fn tell(missing: &[&Need], packages: &[&str]) -> String {
    let names: Vec<&str> = missing.iter().map(|need| need.name).collect();
    format!(
        "missing for the tests of clusters: {}. On Debian and its like, type this and try again:\n\n    \
         sudo apt-get update && sudo apt-get install -y {}\n\nElsewhere, install them as the system does it.",
        names.join(", "),
        packages.join(" ")
    )
}

/// The `mpi` crate's build reads MPI's headers with it: where Debian, Fedora and `LIBCLANG_PATH`
/// have it.
fn has_libclang() -> bool {
    let entries = |folder: &Path| -> Vec<PathBuf> {
        fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect()
    };
    let mut folders: Vec<PathBuf> =
        entries(Path::new("/usr/lib")).iter().map(|folder| folder.join("lib")).collect();
    folders.extend(["/usr/lib64", "/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu"].map(Into::into));
    folders.extend(env::var_os("LIBCLANG_PATH").map(PathBuf::from));
    let is_it = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with("libclang.so") || name.starts_with("libclang-") && name.contains(".so")
    };
    folders.iter().any(|folder| entries(folder).iter().any(is_it))
}

/// A Python of the tests' own, with `HyperQueue` from `PyPI`.
fn python(folder: &Path) -> Result<(), Failure> {
    let python = inside(folder, "python");
    if !python.exists() {
        environment(Path::new("python3"), folder)?;
    }
    pip(&python, &[HYPERQUEUE])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_named_with_the_line_to_type() {
        let missing = [&NEEDS[0], &NEEDS[3]];
        let packages: Vec<&str> = missing.iter().flat_map(|need| need.packages).copied().collect();
        let told = tell(&missing, &packages);
        assert!(told.starts_with("missing for the tests of clusters: Open MPI, munge."), "{told}");
        assert!(
            told.lines().any(|line| line.trim().ends_with("install -y openmpi-bin libopenmpi-dev munge")),
            "{told}"
        );
    }
}
