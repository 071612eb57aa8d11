//! What a machine must have before cargo can build us: GMP and MPFR are compiled from source by
//! `gmp-mpfr-sys` (through `rug`), and that takes a C compiler, `make` and `m4`. The GPU's tests
//! take a Vulkan driver besides (a software one will do), the proofs Rocq and OCaml, and programs
//! without our code Python; what is missing there stops nobody who does not ask for it
//! ([`optional`]).

use std::{path::Path, process::Command};

use crate::run::{Failure, capture, execute, typed};

/// A program that must be on the PATH.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tool {
    M4,
    Compiler,
    Make,
}

/// A package manager we know the words of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Manager {
    Apt,
    Dnf,
    Pacman,
    Brew,
}

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

const TOOLS: [Tool; 3] = [Tool::M4, Tool::Compiler, Tool::Make];
const MANAGERS: [Manager; 4] = [Manager::Apt, Manager::Dnf, Manager::Pacman, Manager::Brew];

impl Tool {
    /// Any of these programs will do.
    fn programs(self) -> &'static [&'static str] {
        match self {
            Self::M4 => &["m4"],
            Self::Compiler => &["gcc", "cc"],
            Self::Make => &["make"],
        }
    }

    fn packages(self, manager: Manager) -> &'static [&'static str] {
        match (self, manager) {
            (Self::M4, _) => &["m4"],
            (Self::Make, _) => &["make"],
            // Debian's gcc comes without the headers of the C library
            (Self::Compiler, Manager::Apt) => &["gcc", "libc6-dev"],
            (Self::Compiler, _) => &["gcc"],
        }
    }
}

impl Manager {
    fn program(self) -> &'static str {
        match self {
            Self::Apt => "apt-get",
            Self::Dnf => "dnf",
            Self::Pacman => "pacman",
            Self::Brew => "brew",
        }
    }

    /// Mesa's software driver and Vulkan's loader; `None` where there are none to install.
    fn software_vulkan(self) -> Option<&'static [&'static str]> {
        match self {
            Self::Apt => Some(&["mesa-vulkan-drivers", "libvulkan1"]),
            Self::Dnf => Some(&["mesa-vulkan-drivers", "vulkan-loader"]),
            Self::Pacman => Some(&["vulkan-swrast", "vulkan-icd-loader"]),
            Self::Brew => None,
        }
    }

    fn browser(self) -> Option<&'static [&'static str]> {
        match self {
            Self::Apt | Self::Dnf | Self::Pacman => Some(&["chromium"]),
            Self::Brew => None,
        }
    }

    /// The compiler of what Rocq extracts.
    fn ocaml(self) -> &'static [&'static str] {
        match self {
            Self::Apt => &["ocaml-nox"],
            Self::Dnf | Self::Pacman | Self::Brew => &["ocaml"],
        }
    }

    /// A Python that makes environments.
    fn python(self) -> &'static [&'static str] {
        match self {
            Self::Apt => &["python3", "python3-venv"],
            Self::Dnf => &["python3"],
            Self::Pacman | Self::Brew => &["python"],
        }
    }

    /// Rocq, and the library of floating-point arithmetic that the proofs use.
    fn rocq(self) -> Option<&'static [&'static str]> {
        match self {
            Self::Apt => Some(&["coq", "libcoq-flocq"]),
            Self::Dnf => Some(&["coq", "flocq"]),
            Self::Pacman | Self::Brew => None,
        }
    }

    fn command(self, packages: &[&str]) -> String {
        let packages = packages.join(" ");
        match self {
            Self::Apt => format!("sudo apt-get update && sudo apt-get install -y {packages}"),
            Self::Dnf => format!("sudo dnf install {packages}"),
            Self::Pacman => format!("sudo pacman -S {packages}"),
            Self::Brew => format!("brew install {packages}"),
        }
    }
}

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
    packages: fn(Manager) -> Option<&'static [&'static str]>,
    /// said where no packages are known
    hint: &'static str,
    is_there: fn() -> bool,
}

const DRIVER: Extra = Extra {
    why: "no Vulkan driver: the GPU's tests are skipped",
    tests: "the GPU's tests",
    packages: Manager::software_vulkan,
    hint: "Mesa's software driver (lavapipe) would do.",
    is_there: has_driver,
};

const BROWSER: Extra = Extra {
    why: "no browser: the test that shows it a report is skipped",
    tests: "the test of the report in a browser",
    packages: Manager::browser,
    hint: "Chromium or Chrome would do.",
    is_there: || ["chromium", "chromium-browser", "google-chrome"].into_iter().any(on_path),
};

const ROCQ: Extra = Extra {
    why: "no Rocq with Flocq: the proofs are not checked",
    tests: "the proofs",
    packages: Manager::rocq,
    hint: "Rocq 8.16 or later (coqc) with Flocq 4 would do.",
    is_there: has_rocq,
};

const OCAML: Extra = Extra {
    why: "no OCaml: the extracted checker of witnesses does not run",
    tests: "the extracted checker of witnesses",
    packages: |manager| Some(manager.ocaml()),
    hint: "OCaml 4 or later (ocamlopt) would do.",
    is_there: || on_path("ocamlopt"),
};

const PYTHON: Extra = Extra {
    why: "no Python with environments: programs without our code do not run",
    tests: "programs without our code",
    packages: |manager| Some(manager.python()),
    hint: "Python 3 with venv would do.",
    is_there: has_python,
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
        "" | "auto" => match tools() {
            Ok(tools) => step(tools),
            Err(failure) => skip(failure.to_string()),
        },
        "require" => match tools() {
            Ok(tools) => step(tools),
            Err(failure) => {
                Err(Failure::step(format!("{skipped}, but {variable}=require wants it: {failure}")))
            }
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

/// Whether there is a `python3` that makes environments.
fn has_python() -> bool {
    let mut command = Command::new("python3");
    let asked = command.args(["-c", "import venv, ensurepip"]).output();
    asked.is_ok_and(|output| output.status.success())
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
        let Self { why, hint, .. } = self;
        let Some((manager, packages)) = MANAGERS
            .into_iter()
            .filter_map(|manager| Some((manager, (self.packages)(manager)?)))
            .find(|(manager, _)| exists(manager.program()))
        else {
            return Plan::Tell(format!("{why}. {hint}"));
        };
        if manager == Manager::Apt && is_root() {
            return Plan::AptInstall(packages.to_vec());
        }
        Plan::Tell(format!("{why}. To run it all, type this first:\n\n    {}\n", manager.command(packages)))
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
            match plan(on_path, is_root) {
                Plan::Ready => Ok(()),
                _ => Err(Failure::usage(format!(
                    "{} still missing after `apt-get install -y {}`",
                    packages.join(", "),
                    packages.join(" ")
                ))),
            }
        }
        Plan::Tell(what) => Err(Failure::usage(what)),
    }
}

fn plan(exists: impl Fn(&str) -> bool, is_root: impl Fn() -> bool) -> Plan {
    let is_missing = |tool: &Tool| !tool.programs().iter().any(|program| exists(program));
    let missing: Vec<Tool> = TOOLS.into_iter().filter(is_missing).collect();
    if missing.is_empty() {
        return Plan::Ready;
    }
    let names: Vec<&str> = missing.iter().map(|tool| tool.programs()[0]).collect();
    let why = format!(
        "{} missing; GMP and MPFR are compiled from source and need m4, make and a C compiler",
        names.join(", ")
    );
    let Some(manager) = MANAGERS.into_iter().find(|manager| exists(manager.program())) else {
        return Plan::Tell(format!("{why}. Install them and try again."));
    };
    let packages: Vec<&str> = missing.iter().flat_map(|tool| tool.packages(manager)).copied().collect();
    if manager == Manager::Apt && is_root() {
        return Plan::AptInstall(packages);
    }
    Plan::Tell(format!("{why}. Type this, then try again:\n\n    {}\n", manager.command(&packages)))
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

    fn planned_driver(has_driver: bool, programs: &[&str], root: bool) -> Plan {
        planned_extra(&DRIVER, has_driver, programs, root)
    }

    #[test]
    fn a_browser_is_installed_where_we_may() {
        let planned = |programs, root| planned_extra(&BROWSER, false, programs, root);
        assert_eq!(planned(&["apt-get"], true), Plan::AptInstall(vec!["chromium"]));
        let Plan::Tell(text) = planned(&["dnf"], true) else { panic!() };
        assert!(text.lines().any(|line| line.trim() == "sudo dnf install chromium"), "{text}");
        let Plan::Tell(text) = planned(&["brew"], false) else { panic!() };
        assert!(text.ends_with("skipped. Chromium or Chrome would do."), "{text}");
    }

    #[test]
    fn a_driver_is_installed_where_we_may() {
        assert_eq!(planned_driver(true, &["apt-get"], true), Plan::Ready);
        assert_eq!(
            planned_driver(false, &["apt-get"], true),
            Plan::AptInstall(vec!["mesa-vulkan-drivers", "libvulkan1"])
        );
    }

    #[test]
    fn others_are_told_how_to_get_a_driver() {
        for (manager, root, command) in [
            (
                "apt-get",
                false,
                "sudo apt-get update && sudo apt-get install -y mesa-vulkan-drivers libvulkan1",
            ),
            ("dnf", true, "sudo dnf install mesa-vulkan-drivers vulkan-loader"),
            ("pacman", true, "sudo pacman -S vulkan-swrast vulkan-icd-loader"),
        ] {
            let Plan::Tell(text) = planned_driver(false, &[manager], root) else { panic!("{manager}") };
            assert!(text.lines().any(|line| line.trim() == command), "{text}");
            assert!(text.starts_with("no Vulkan driver: the GPU's tests are skipped"), "{text}");
        }
        for programs in [&[][..], &["brew"]] {
            let Plan::Tell(text) = planned_driver(false, programs, true) else { panic!("{programs:?}") };
            assert!(text.contains("lavapipe"), "{text}");
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
    fn proofs_take_packages_of_debian() {
        for (extra, packages) in [
            (&ROCQ, ["coq", "libcoq-flocq"].as_slice()),
            (&OCAML, &["ocaml-nox"]),
            (&PYTHON, &["python3", "python3-venv"]),
        ] {
            let planned = planned_extra(extra, false, &["apt-get"], true);
            assert_eq!(planned, Plan::AptInstall(packages.to_vec()));
            let Plan::Tell(text) = planned_extra(extra, false, &["apt-get"], false) else { panic!() };
            assert!(text.contains(&format!("sudo apt-get install -y {}", packages.join(" "))), "{text}");
        }
    }

    #[test]
    fn programs_of_this_machine() {
        assert!(on_path("cargo"));
        assert!(!on_path("no-such-program-as-this"));
    }
}
