//! What a machine must have before cargo can build us: GMP and MPFR are compiled from source by
//! `gmp-mpfr-sys` (through `rug`), and that takes a C compiler, `make` and `m4`. The GPU's tests
//! take a Vulkan driver besides (a software one will do), the proofs Rocq and OCaml, and programs
//! without our code Python; what is missing there stops nobody who does not ask for it
//! ([`optional`]).

use std::{
    path::{Path, PathBuf},
    process::Command,
};

use crate::run::{Failure, capture, execute, typed};

/// What is to be done about missing tools.
#[derive(Debug, PartialEq, Eq)]
enum Plan {
    /// Nothing: all are there.
    Ready,
    /// Install these packages with `apt-get`, as root.
    AptInstall(Vec<&'static str>),
    /// Tell the user to type this.
    Tell(String),
}

/// Package managers: their programs, and how one types an installation.
const MANAGERS: [(&str, &str); 4] = [
    (APT, "sudo apt-get update && sudo apt-get install -y"),
    ("dnf", "sudo dnf install"),
    ("pacman", "sudo pacman -S"),
    ("brew", "brew install"),
];
const APT: &str = "apt-get";

/// What a manager of [`MANAGERS`] calls something, word by word; nothing where it has none.
type Packages = [&'static str; MANAGERS.len()];

/// What must be on the PATH: any of these programs, and their packages.
const TOOLS: [(&[&str], Packages); 3] = [
    (&["m4"], ["m4"; 4]),
    // Debian's gcc comes without the headers of the C library
    (&["gcc", "cc"], ["gcc libc6-dev", "gcc", "gcc", "gcc"]),
    (&["make"], ["make"; 4]),
];

/// What some tests are to do that need more of the machine than the others, in the words of an
/// environment variable of theirs: `TMD_GPU`, `TMD_BROWSER`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Demand {
    /// Run.
    Require,
    /// Run if they can; each says so if it cannot.
    Auto,
}

impl Demand {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Require => "require",
            Self::Auto => "auto",
        }
    }
}

/// What some tests need, and the others do not.
struct Extra {
    /// what is missing, and what follows from that
    why: &'static str,
    tests: &'static str,
    packages: Packages,
    /// said where no packages are known
    hint: &'static str,
    is_there: fn() -> bool,
}

/// Mesa's software driver and Vulkan's loader.
const DRIVER: Extra = Extra {
    why: "no Vulkan driver: the GPU's tests are skipped",
    tests: "the GPU's tests",
    packages: [
        "mesa-vulkan-drivers libvulkan1",
        "mesa-vulkan-drivers vulkan-loader",
        "vulkan-swrast vulkan-icd-loader",
        "",
    ],
    hint: "Mesa's software driver (lavapipe) would do.",
    is_there: has_driver,
};

const BROWSER: Extra = Extra {
    why: "no browser: the test that shows it a report is skipped",
    tests: "the test of the report in a browser",
    packages: ["chromium", "chromium", "chromium", ""],
    hint: "Chromium or Chrome would do.",
    is_there: || ["chromium", "chromium-browser", "google-chrome"].into_iter().any(on_path),
};

/// Rocq, and the library of floating-point arithmetic that the proofs use.
const ROCQ: Extra = Extra {
    why: "no Rocq with Flocq: the proofs are not checked",
    tests: "the proofs",
    packages: ["coq libcoq-flocq", "coq flocq", "", ""],
    hint: "Rocq 8.16 or later (coqc) with Flocq 4 would do.",
    is_there: has_rocq,
};

/// The compiler of what Rocq extracts.
const OCAML: Extra = Extra {
    why: "no OCaml: the extracted checker of witnesses does not run",
    tests: "the extracted checker of witnesses",
    packages: ["ocaml-nox", "ocaml", "ocaml", "ocaml"],
    hint: "OCaml 4 or later (ocamlopt) would do.",
    is_there: || on_path("ocamlopt"),
};

const PYTHON: Extra = Extra {
    why: "no Python with environments: programs without our code do not run",
    tests: "programs without our code",
    packages: ["python3 python3-venv", "python3", "python", "python"],
    hint: "Python 3 with venv would do.",
    is_there: || has_python(Path::new("python3"), (3, 0)),
};

/// Where Vulkan's loader looks for drivers.
const DRIVER_FOLDERS: [&str; 3] =
    ["/usr/share/vulkan/icd.d", "/etc/vulkan/icd.d", "/usr/local/share/vulkan/icd.d"];
/// Or what these name.
const DRIVER_VARIABLES: [&str; 2] = ["VK_DRIVER_FILES", "VK_ICD_FILENAMES"];

/// Sees to a Vulkan driver for the tests.
pub(crate) fn gpu_driver() -> Demand {
    // Metal and Direct3D come with their systems
    if cfg!(target_os = "linux") { DRIVER.provide() } else { Demand::Auto }
}

/// Sees to a browser for the tests.
pub(crate) fn browser() -> Demand {
    if cfg!(target_os = "linux") { BROWSER.provide() } else { Demand::Auto }
}

/// Sees to Rocq for the proofs.
pub(crate) fn rocq() -> Result<(), Failure> {
    ROCQ.needed()
}

/// Sees to OCaml for what Rocq extracts.
pub(crate) fn ocaml() -> Result<(), Failure> {
    OCAML.needed()
}

/// Sees to a Python for programs without our code.
pub(crate) fn python() -> Result<(), Failure> {
    PYTHON.needed()
}

/// Runs a step that needs `tools`, where they are. Where they are not, the environment variable
/// says what follows: with `auto`, as without it, a line with what is not done (`skipped`); with
/// `require`, as in CI, a failure. With `skip` they are not looked for.
pub(crate) fn optional<T>(
    variable: &str,
    skipped: &str,
    tools: impl FnOnce() -> Result<T, Failure>,
    step: impl FnOnce(T) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let word = std::env::var(variable).unwrap_or_default();
    optional_by(variable, &word, skipped, tools, step)
}

fn optional_by<T>(
    variable: &str,
    word: &str,
    skipped: &str,
    tools: impl FnOnce() -> Result<T, Failure>,
    step: impl FnOnce(T) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let skip = |why: String| {
        println!("skipped: {skipped}: {why}");
        Ok(())
    };
    match word {
        "skip" => skip(format!("{variable}=skip")),
        "" | "auto" | "require" => match tools() {
            Ok(tools) => step(tools),
            Err(failure) if word == "require" => {
                Err(Failure::step(format!("{skipped}, but {variable}=require wants it: {failure}")))
            }
            Err(failure) => skip(failure.to_string()),
        },
        other => Err(Failure::usage(format!("{variable} is require, auto or skip, not `{other}`"))),
    }
}

/// Whether there is a `coqc` that finds Flocq: its folder of libraries says where it looks.
fn has_rocq() -> bool {
    on_path("coqc")
        && capture(Command::new("coqc").arg("-where"))
            .is_ok_and(|folder| Path::new(folder.trim()).join("user-contrib/Flocq").is_dir())
}

/// Whether a Python of this version or a later one is there and makes environments.
pub(crate) fn has_python(python: &Path, least: (u32, u32)) -> bool {
    let asked = format!("import sys, venv, ensurepip; sys.exit(sys.version_info < {least:?})");
    let answer = Command::new(python).args(["-c", &asked]).output();
    answer.is_ok_and(|output| output.status.success())
}

/// Makes an environment of Python in a folder, and returns its Python.
pub(crate) fn environment(python: &Path, folder: &Path) -> Result<PathBuf, Failure> {
    execute(Command::new(python).args(["-m", "venv"]).arg(folder))?;
    Ok(inside(folder, "python"))
}

/// A program of an environment of Python.
pub(crate) fn inside(folder: &Path, program: &str) -> PathBuf {
    let folder = folder.join(if cfg!(windows) { "Scripts" } else { "bin" });
    folder.join(format!("{program}{}", std::env::consts::EXE_SUFFIX))
}

/// Installs packages of `PyPI` in a Python's environment.
pub(crate) fn pip(python: &Path, packages: &[&str]) -> Result<(), Failure> {
    let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
    execute(Command::new(python).args(pip).args(packages)).map_err(|failure| {
        Failure::step(format!(
            "{failure}; packages come from PyPI: is there a network, or a mirror that pip knows?"
        ))
    })
}

impl Extra {
    /// [`provide`](Self::provide), for a step that cannot run without.
    fn needed(&self) -> Result<(), Failure> {
        match self.provide() {
            Demand::Require => Ok(()),
            // what follows from that the step says itself
            Demand::Auto => Err(Failure::usage(self.why.split(':').next().unwrap_or(self.why))),
        }
    }

    /// Installs it if that is plainly our right (root, `apt-get`), and otherwise says what to type.
    /// Never fails: the other tests are worth running anyway.
    fn provide(&self) -> Demand {
        match self.plan((self.is_there)(), on_path, is_root) {
            Plan::Ready => return Demand::Require,
            Plan::AptInstall(packages) => {
                println!("missing on this machine, for {}: {}", self.tests, packages.join(", "));
                if install(&packages).is_ok() && (self.is_there)() {
                    return Demand::Require;
                }
                println!("that could not be installed; {}", self.why);
            }
            Plan::Tell(what) => println!("{what}"),
        }
        Demand::Auto
    }

    fn plan(&self, is_there: bool, exists: impl Fn(&str) -> bool, is_root: impl Fn() -> bool) -> Plan {
        if is_there {
            return Plan::Ready;
        }
        installation(
            (self.why, self.hint, "To run it all, type this first"),
            |manager| self.packages[manager].split_whitespace().collect(),
            exists,
            is_root,
        )
    }
}

/// How packages come to the machine: `why` they do, what is said where no manager has them, and
/// before the line to type.
fn installation(
    (why, hint, type_this): (&str, &str, &str),
    packages: impl Fn(usize) -> Vec<&'static str>,
    exists: impl Fn(&str) -> bool,
    is_root: impl Fn() -> bool,
) -> Plan {
    let known = (0..MANAGERS.len()).map(|manager| (MANAGERS[manager], packages(manager)));
    let mut known = known.filter(|((program, _), packages)| !packages.is_empty() && exists(program));
    match known.next() {
        None => Plan::Tell(format!("{why}. {hint}")),
        Some(((APT, _), packages)) if is_root() => Plan::AptInstall(packages),
        Some(((_, command), packages)) => {
            Plan::Tell(format!("{why}. {type_this}:\n\n    {command} {}\n", packages.join(" ")))
        }
    }
}

fn has_driver() -> bool {
    let is_set = |name: &&str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    DRIVER_VARIABLES.iter().any(is_set) || DRIVER_FOLDERS.iter().any(|folder| holds_json(Path::new(folder)))
}

fn holds_json(folder: &Path) -> bool {
    let Ok(files) = folder.read_dir() else { return false };
    files.flatten().any(|file| file.path().extension().is_some_and(|extension| extension == "json"))
}

/// Returns when the machine has all it takes; installs what is missing if that is plainly our right
/// (root, `apt-get`), and otherwise fails with the command to type.
pub(crate) fn ensure() -> Result<(), Failure> {
    match plan(on_path, is_root) {
        Plan::Ready => Ok(()),
        Plan::AptInstall(packages) => {
            println!("missing on this machine, needed to compile GMP and MPFR: {}", packages.join(", "));
            install(&packages)?;
            if plan(on_path, is_root) == Plan::Ready {
                return Ok(());
            }
            let (missing, typed) = (packages.join(", "), packages.join(" "));
            Err(Failure::usage(format!("{missing} still missing after `apt-get install -y {typed}`")))
        }
        Plan::Tell(what) => Err(Failure::usage(what)),
    }
}

fn plan(exists: impl Fn(&str) -> bool, is_root: impl Fn() -> bool) -> Plan {
    let is_missing = |(programs, _): &&(&[&str], Packages)| !programs.iter().any(|program| exists(program));
    let missing: Vec<_> = TOOLS.iter().filter(is_missing).collect();
    if missing.is_empty() {
        return Plan::Ready;
    }
    let names: Vec<&str> = missing.iter().map(|(programs, _)| programs[0]).collect();
    let why = format!(
        "{} missing; GMP and MPFR are compiled from source and need m4, make and a C compiler",
        names.join(", ")
    );
    let packages =
        |manager: usize| missing.iter().flat_map(|tool| tool.1[manager].split_whitespace()).collect();
    let words = (why.as_str(), "Install them and try again.", "Type this, then try again");
    installation(words, packages, exists, is_root)
}

/// Installs packages with `apt-get`, as root.
pub(crate) fn install(packages: &[&str]) -> Result<(), Failure> {
    execute(&mut apt(&["install", "-y"], packages)).or_else(|_| {
        println!("that did not work; perhaps the package lists are missing or old");
        execute(&mut apt(&["update"], &[]))?;
        execute(&mut apt(&["install", "-y"], packages))
    })
}

fn apt(arguments: &[&str], packages: &[&str]) -> Command {
    let mut command = Command::new("apt-get");
    // steps that run beside each other wait for each other
    command.args(["-o", "DPkg::Lock::Timeout=600", "-o", "Acquire::Retries=3"]);
    command.args(arguments).args(packages);
    command.env("DEBIAN_FRONTEND", "noninteractive");
    println!("$ {}", typed(&command));
    command
}

pub(crate) fn on_path(program: &str) -> bool {
    let Some(path) = std::env::var_os("PATH") else { return false };
    let name = format!("{program}{}", std::env::consts::EXE_SUFFIX);
    std::env::split_paths(&path).any(|folder| is_executable(&folder.join(&name)))
}

#[cfg(unix)]
fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    path.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(path: &Path) -> bool {
    path.is_file()
}

pub(crate) fn is_root() -> bool {
    capture(Command::new("id").arg("-u")).is_ok_and(|id| id.trim() == "0")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn planned(programs: &[&str], root: bool) -> Plan {
        plan(|program| programs.contains(&program), || root)
    }

    #[test]
    fn nothing_to_do() {
        assert_eq!(planned(&["m4", "cc", "make", "apt-get"], true), Plan::Ready);
        assert_eq!(planned(&["m4", "gcc", "make"], false), Plan::Ready);
    }

    #[test]
    fn root_with_apt_installs_exactly_what_is_missing() {
        assert_eq!(planned(&["gcc", "make", "apt-get"], true), Plan::AptInstall(vec!["m4"]));
        assert_eq!(planned(&["m4", "make", "apt-get"], true), Plan::AptInstall(vec!["gcc", "libc6-dev"]));
    }

    #[test]
    fn others_are_told_what_to_type() {
        for (manager, root, command) in [
            ("apt-get", false, "sudo apt-get update && sudo apt-get install -y m4"),
            ("dnf", true, "sudo dnf install m4"),
            ("pacman", true, "sudo pacman -S m4"),
            ("brew", false, "brew install m4"),
        ] {
            let Plan::Tell(text) = planned(&["gcc", "make", manager], root) else { panic!("{manager}") };
            assert!(text.lines().any(|line| line.trim() == command), "{text}");
        }
        let Plan::Tell(text) = planned(&["make"], true) else { panic!() };
        assert!(text.starts_with("m4, gcc missing"), "{text}");
    }

    fn planned_extra(extra: &Extra, is_there: bool, programs: &[&str], root: bool) -> Plan {
        extra.plan(is_there, |program| programs.contains(&program), || root)
    }

    #[test]
    fn extras_are_installed_where_we_may() {
        for (extra, packages) in [
            (&DRIVER, ["mesa-vulkan-drivers", "libvulkan1"].as_slice()),
            (&BROWSER, &["chromium"]),
            (&ROCQ, &["coq", "libcoq-flocq"]),
            (&OCAML, &["ocaml-nox"]),
            (&PYTHON, &["python3", "python3-venv"]),
        ] {
            assert_eq!(planned_extra(extra, true, &["apt-get"], true), Plan::Ready);
            let planned = planned_extra(extra, false, &["apt-get"], true);
            assert_eq!(planned, Plan::AptInstall(packages.to_vec()));
        }
    }

    #[test]
    fn others_are_told_how_to_get_extras() {
        for (extra, manager, root, command) in [
            (
                &DRIVER,
                "apt-get",
                false,
                "sudo apt-get update && sudo apt-get install -y mesa-vulkan-drivers libvulkan1",
            ),
            (&DRIVER, "dnf", true, "sudo dnf install mesa-vulkan-drivers vulkan-loader"),
            (&DRIVER, "pacman", true, "sudo pacman -S vulkan-swrast vulkan-icd-loader"),
            (&BROWSER, "dnf", true, "sudo dnf install chromium"),
            (&ROCQ, "apt-get", false, "sudo apt-get update && sudo apt-get install -y coq libcoq-flocq"),
            (&OCAML, "apt-get", false, "sudo apt-get update && sudo apt-get install -y ocaml-nox"),
            (
                &PYTHON,
                "apt-get",
                false,
                "sudo apt-get update && sudo apt-get install -y python3 python3-venv",
            ),
            (&PYTHON, "brew", false, "brew install python"),
        ] {
            let Plan::Tell(text) = planned_extra(extra, false, &[manager], root) else { panic!("{manager}") };
            assert!(text.lines().any(|line| line.trim() == command), "{text}");
            assert!(text.starts_with(extra.why), "{text}");
        }
        for programs in [&[][..], &["brew"]] {
            for (extra, why, hint) in [
                (&DRIVER, "no Vulkan driver: the GPU's tests are skipped", "(lavapipe) would do."),
                (
                    &BROWSER,
                    "no browser: the test that shows it a report is skipped",
                    "skipped. Chromium or Chrome would do.",
                ),
            ] {
                let Plan::Tell(text) = planned_extra(extra, false, programs, true) else {
                    panic!("{programs:?}")
                };
                assert!(text.starts_with(why) && text.ends_with(hint), "{text}");
            }
        }
    }

    #[test]
    fn a_driver_is_a_json_file_in_a_folder() {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        assert!(!holds_json(&here.join("src")));
        assert!(!holds_json(&here.join("no-such-folder")));
        let folder = std::env::temp_dir().join(format!("xtask-driver-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("driver.x86_64.json"), "{}").unwrap();
        assert!(holds_json(&folder));
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn what_is_missing_is_skipped_or_fails() {
        let there = || Ok(7);
        let missing = || Err::<i32, _>(Failure::usage("no tool"));
        let asked = |word, tools: &dyn Fn() -> Result<i32, Failure>| {
            let mut ran = 0;
            let done = optional_by("TMD_TOOL", word, "nothing is checked", tools, |seven| {
                ran = seven;
                Ok(())
            });
            (ran, done.map_err(|failure| (failure.exit_code(), failure.to_string())))
        };
        for word in ["", "auto", "require"] {
            assert_eq!(asked(word, &there), (7, Ok(())), "{word}");
        }
        for word in ["", "auto", "skip"] {
            assert_eq!(asked(word, &missing), (0, Ok(())), "{word}");
        }
        assert_eq!(asked("skip", &there), (0, Ok(())));
        let wanted = "nothing is checked, but TMD_TOOL=require wants it: no tool".to_owned();
        assert_eq!(asked("require", &missing), (0, Err((1, wanted))));
        let unknown = "TMD_TOOL is require, auto or skip, not `yes`".to_owned();
        assert_eq!(asked("yes", &there), (0, Err((2, unknown))));
        // a step that fails does so whatever the word
        for word in ["", "require"] {
            let failed = optional_by("TMD_TOOL", word, "nothing", there, |_| Err(Failure::step("no")));
            assert_eq!(failed.unwrap_err().to_string(), "no");
        }
    }

    #[test]
    fn programs_of_this_machine() {
        assert!(on_path("cargo"));
        assert!(!on_path("no-such-program-as-this"));
    }
}
