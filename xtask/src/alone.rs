//! `cargo xtask verify-alone`: certificates checked by `tools/verify_certificate.py`, which has
//! none of our code; functions compared with Arb's by `tools/compare_functions.py`; whole 16-bit
//! formats looked at again by `tools/small_formats.py`; witnesses of searches checked by
//! `tools/check_witness.py`.
//!
//! All need python-flint. It is installed in a place of its own in the target folder, by pip, once.

use std::{
    collections::hash_map::DefaultHasher,
    env, fs,
    hash::{Hash as _, Hasher as _},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::SystemTime,
};

use crate::{
    extract,
    prerequisites::{self, environment, inside, optional, pip},
    prove::ROCQ,
    results::LEDGER,
    run::{Failure, cargo, execute, root, target_directory},
    test::LONG,
};

/// The package that encloses, and its versions.
const FLINT: &str = "python-flint>=0.6";

/// Checks the certificates named, or all of `results/`.
pub(crate) fn certificates(named: &[String]) -> Result<(), Failure> {
    let python = python()?;
    if !named.is_empty() {
        return verify(&python, &named.iter().map(PathBuf::from).collect::<Vec<_>>());
    }
    forgeries(&python, &[])?;
    verify(&python, &all(&root().join("results"))?)
}

/// A random share of `results/`, as a step of the tests, all of it with `TMD_RESULTS=all`: skipped
/// with a line where there is no Python, or no way to install what it needs.
pub(crate) fn step() -> Result<(), Failure> {
    with_python("the certificates are not checked without our code", |python| {
        let files = all(&root().join("results"))?;
        let files = match env::var("TMD_RESULTS") {
            Ok(all) if all == "all" => files,
            given => {
                let seed = given.ok().and_then(|seed| seed.parse().ok()).unwrap_or_else(clock);
                println!("TMD_RESULTS={seed} takes the same certificates, TMD_RESULTS=all takes all");
                some(files, seed)
            }
        };
        forgeries(&python, &turn(18, "forgeries"))?;
        reductions(&python)?;
        verify(&python, &files)
    })
}

/// A step of the tests that needs a Python with python-flint: skipped with a line where there is
/// none, and no way to install what it needs, unless `TMD_PYTHON` says otherwise.
fn with_python(skipped: &str, step: impl FnOnce(PathBuf) -> Result<(), Failure>) -> Result<(), Failure> {
    optional("TMD_PYTHON", skipped, python, step)
}

/// A number that is another one each time.
fn clock() -> u32 {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().subsec_micros()
}

/// Bytes of certificates, as text, that one run of the tests looks at: what they cost grows with
/// them.
const SHARE: u64 = 2 << 20;

/// Bytes of text in a byte of a compressed certificate, about.
const COMPRESSION: u64 = 8;

/// Certificates in an order that the seed decides, as many as have [`SHARE`] bytes together, and at
/// least one.
fn some(mut files: Vec<PathBuf>, seed: u32) -> Vec<PathBuf> {
    files.sort_by_cached_key(|path| {
        let mut hasher = DefaultHasher::new();
        (seed, path).hash(&mut hasher);
        hasher.finish()
    });
    let mut bytes = 0;
    let within = files.iter().take_while(|path| {
        let is_compressed = path.extension().is_some_and(|ending| ending == "zst");
        let length = fs::metadata(path).map_or(SHARE, |file| file.len());
        bytes += length * if is_compressed { COMPRESSION } else { 1 };
        bytes <= SHARE
    });
    let count = within.count().max(1);
    files.truncate(count);
    files
}

/// A program of `tools/`.
fn tool(python: &Path, name: &str) -> Command {
    let mut command = Command::new(python);
    command.current_dir(root()).arg(format!("tools/{name}.py"));
    command
}

/// What the program must refuse; `turn` goes to the program.
fn forgeries(python: &Path, turn: &[String]) -> Result<(), Failure> {
    execute(tool(python, "test_verify_certificate").args(turn))
}

/// The arguments for one in so many things, another one each time, or that of `TMD_TURN`; none for
/// all of them, as for larger samples.
fn turn(turns: u32, what: &str) -> Vec<String> {
    let given = env::var("TMD_TURN").ok();
    let is_long = given.is_none() && env::var_os(LONG).is_some_and(|value| !value.is_empty());
    if is_long || given.as_deref() == Some("all") {
        return Vec::new();
    }
    let turn = given.and_then(|turn| turn.parse().ok()).unwrap_or_else(clock) % turns;
    println!("TMD_TURN={turn} takes the same {what}, TMD_TURN=all takes all");
    vec!["--turn".into(), turn.to_string()]
}

/// What is said of argument reductions (docs/large-arguments.md), against all numbers of small
/// formats.
fn reductions(python: &Path) -> Result<(), Failure> {
    execute(&mut tool(python, "test_reduction"))
}

fn verify(python: &Path, files: &[PathBuf]) -> Result<(), Failure> {
    let status = tool(python, "verify_certificate").arg("--tables").args(files).status();
    let status = status.map_err(|error| Failure::step(format!("{}: {error}", python.display())))?;
    match status.code() {
        // of some certificates this program cannot check all, and says so
        Some(0 | 3) => Ok(()),
        Some(1) => Err(Failure::step("a certificate does not hold, by tools/verify_certificate.py")),
        _ => Err(Failure::step(format!("tools/verify_certificate.py: {status}"))),
    }
}

/// The certificates below a folder, in order. A run directory has none: `results/unfinished` is of
/// such.
fn all(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let unreadable = |error: std::io::Error| Failure::step(format!("{}: {error}", folder.display()));
    let mut paths = Vec::new();
    if folder.join(LEDGER).is_file() {
        return Ok(paths);
    }
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let name = name.strip_suffix(".zst").unwrap_or(&name);
        if path.is_dir() {
            paths.extend(all(&path)?);
        } else if Path::new(name).extension().is_some_and(|ending| ending == "json") {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}

/// A Python that has python-flint: the user's, or one in the target folder, made if there is none.
fn python() -> Result<PathBuf, Failure> {
    let has_flint = |python: &Path| {
        let mut command = Command::new(python);
        command.args(["-c", "import flint"]).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    let system = PathBuf::from("python3");
    if has_flint(&system) {
        return Ok(system);
    }
    let folder = target_directory()?.join("python-flint");
    let own = inside(&folder, "python");
    if has_flint(&own) {
        return Ok(own);
    }
    let hint = |what: &str| {
        Failure::usage(format!(
            "{what}; install Python 3 with venv, and python-flint: pip install python-flint"
        ))
    };
    prerequisites::python().map_err(|_| hint("there is no python3 that makes environments"))?;
    environment(&system, &folder).map_err(|_| hint("python3 makes no environments"))?;
    pip(&own, &[FLINT]).map_err(|_| hint("pip does not install python-flint"))?;
    if has_flint(&own) { Ok(own) } else { Err(hint("python-flint is not there after its installation")) }
}

/// Compares the functions with Arb's; `arguments` go to the program.
pub(crate) fn functions(arguments: &[String]) -> Result<(), Failure> {
    compare(&python()?, arguments)
}

/// Some seconds of it, as a step of the tests; skipped as the other one is.
pub(crate) fn functions_step() -> Result<(), Failure> {
    with_python("the functions are not compared with Arb's", |python| {
        compare(&python, &["--count".into(), "40".into()])
    })
}

/// Looks at whole 16-bit formats again; `arguments` go to the program.
pub(crate) fn small_formats(arguments: &[String]) -> Result<(), Failure> {
    look_again(&python()?, arguments)
}

/// A sample of it, as a step of the tests: a third of the functions, all with `TMD_TURN=all`;
/// skipped as the other ones are.
pub(crate) fn small_formats_step() -> Result<(), Failure> {
    let sample = ["--quick", "--share", "0.01"].map(String::from).into_iter().chain(turn(3, "functions"));
    let sample: Vec<String> = sample.collect();
    let skipped = "16-bit formats are not looked at again without our code";
    with_python(skipped, |python| look_again(&python, &sample))
}

/// Witnesses of small searches, and forged ones, as a step of the tests; skipped as the other ones
/// are. Where there is OCaml, the checker that Rocq extracts looks at them, too.
pub(crate) fn witnesses_step() -> Result<(), Failure> {
    with_python("witnesses are not checked without our code", |python| {
        let program = program()?;
        execute(tool(&python, "test_check_witness").arg(&program))?;
        optional(ROCQ, "witnesses are not given to the extracted checker", prerequisites::ocaml, |()| {
            let mut test = tool(&python, "test_check_witness");
            execute(test.arg(&program).arg("--extracted").arg(extract::program()?))
        })
    })
}

/// Checks witnesses with what Rocq extracts in place of Python's integers.
pub(crate) fn witnesses(files: &[String]) -> Result<(), Failure> {
    let (python, extracted) = (python()?, extract::program()?);
    for file in files {
        let mut command = Command::new(&python);
        // the file is the caller's, named from where they are
        command.arg(root().join("tools/check_witness.py")).arg("--extracted").arg(&extracted).arg(file);
        execute(&mut command)?;
    }
    Ok(())
}

/// `tmd`, as tests of the whole workspace have it: built for itself alone, other people's crates
/// would have other features, and nearly all of them would be compiled again.
fn program() -> Result<PathBuf, Failure> {
    execute(&mut cargo(&["test", "--workspace", "--no-run", "--test", "cli"]))?;
    Ok(target_directory()?.join("debug").join(format!("tmd{}", std::env::consts::EXE_SUFFIX)))
}

fn look_again(python: &Path, arguments: &[String]) -> Result<(), Failure> {
    execute(tool(python, "small_formats").arg(program()?).args(arguments))
}

fn compare(python: &Path, arguments: &[String]) -> Result<(), Failure> {
    // as tests of the whole workspace have it, see `program`
    execute(&mut cargo(&["test", "--workspace", "--no-run", "--example", "enclose"]))?;
    let program = target_directory()?.join("debug/examples/enclose");
    execute(tool(python, "compare_functions").arg(program).args(arguments))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every certificate of the results, and nothing else.
    #[test]
    fn certificates_of_the_results() {
        let paths = all(&root().join("results")).unwrap();
        assert!(paths.len() >= 10, "{}", paths.len());
        assert!(paths.iter().all(|path| path.display().to_string().contains(".json")));
        assert!(paths.is_sorted());
    }

    /// What a run says of itself is no certificate, though its name ends as that of one.
    #[test]
    fn run_directories_have_no_certificates() {
        let folder = env::temp_dir().join(format!("tmd-alone-{}", std::process::id()));
        let run = folder.join("unfinished/x87-exp2");
        fs::create_dir_all(&run).unwrap();
        for name in ["unfinished/x87-exp2/ledger.sqlite", "unfinished/x87-exp2/status.json", "exp.json.zst"] {
            fs::write(folder.join(name), "").unwrap();
        }
        assert_eq!(all(&folder).unwrap(), [folder.join("exp.json.zst")]);
        fs::remove_dir_all(&folder).unwrap();
    }

    /// Every certificate has its turn, and no run looks at many.
    #[test]
    fn shares_of_the_results() {
        let paths = all(&root().join("results")).unwrap();
        let mut seen = std::collections::HashSet::new();
        for seed in 0..1500 {
            let share = some(paths.clone(), seed);
            assert!(!share.is_empty() && share.len() < paths.len() && share == some(paths.clone(), seed));
            seen.extend(share);
        }
        assert_eq!(seen.len(), paths.len());
    }
}
