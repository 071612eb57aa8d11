//! `cargo xtask test --python`: the Python package from its wheel. maturin builds it, a fresh
//! virtual environment gets it and what its tests need from `PyPI`, and pytest compares it with the
//! program, reads its types, and runs its documents and the notebook.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use crate::{
    prerequisites::{self, ensure, has_python, inside, pip},
    run::{Failure, Steps, cannot, cargo, execute, root, target_directory},
};

/// The builder, of one year's interface.
const MATURIN: &str = "maturin>=1.9,<2";

/// The package's folder.
const FOLDER: &str = "crates/tmd-python";

/// Builds, installs and tests; `arguments` go to pytest.
pub(crate) fn run(arguments: &[String]) -> Result<(), Failure> {
    ensure()?;
    let python = interpreter()?;
    let folder = target_directory()?.join("python");
    let mut steps = Steps::default();
    let (environment, wheels) = (folder.join("environment"), folder.join("wheels"));
    let inside = inside(&environment, "python");
    steps.needed("environment", || {
        remove(&environment)?;
        pip(&prerequisites::environment(&python, &environment)?, &[MATURIN])
    })?;
    // with the features of the whole workspace, so that what the plain tests compiled will do
    steps.needed("program", || execute(&mut cargo(&["build", "--locked", "--workspace", "--bin", "tmd"])))?;
    // the profile of all tests: what it asserts is asserted here, too
    steps.needed("wheel", || {
        remove(&wheels)?;
        let mut maturin = Command::new(&inside);
        maturin.args(["-m", "maturin", "build", "--locked", "--profile", "dev", "--manifest-path"]);
        maturin.arg(format!("{FOLDER}/Cargo.toml")).arg("--interpreter").arg(&inside);
        execute(maturin.arg("--out").arg(&wheels).current_dir(root()))
    })?;
    steps.needed("install", || {
        let wheel = the_wheel(&wheels)?;
        // with what the package names for its tests
        pip(&inside, &[&format!("{}[test]", wheel.display())])
    })?;
    steps.needed("test", || {
        let mut pytest = Command::new(&inside);
        // in the folder of the tests, whose `tablemaker` is the one installed and no other
        pytest.current_dir(root().join(FOLDER).join("tests"));
        pytest.args(["-m", "pytest", "-q", "-W", "error::DeprecationWarning:tablemaker"]);
        pytest.args(["-p", "no:cacheprovider"]);
        let program = format!("debug/tmd{}", env::consts::EXE_SUFFIX);
        pytest.env("TABLEMAKER_TMD", target_directory()?.join(program));
        pytest.env("TABLEMAKER_NOTEBOOK", folder.join("hardness.ipynb"));
        execute(pytest.env("PYTHONDONTWRITEBYTECODE", "1").args(arguments))
    })?;
    steps.finish()?;
    println!("the wheel: {}", the_wheel(&wheels)?.display());
    Ok(())
}

/// A Python that can make environments: the variable `PYTHON`, or `python3`.
fn interpreter() -> Result<PathBuf, Failure> {
    let python = env::var_os("PYTHON").map_or_else(|| "python3".into(), PathBuf::from);
    if has_python(&python, (3, 10)) {
        return Ok(python);
    }
    Err(Failure::usage(format!(
        "the tests of the Python package need Python 3.10 or later with venv, and `{}` is none. On Debian and its like, type this and try \
         again:\n\n    sudo apt-get update && sudo apt-get install -y python3 python3-venv\n\nElsewhere, install it as the system does it, or \
         name one in the variable PYTHON.",
        python.display()
    )))
}

fn remove(folder: &Path) -> Result<(), Failure> {
    match fs::remove_dir_all(folder) {
        Err(error) if folder.exists() => Err(cannot("remove", folder)(error)),
        _ => Ok(()),
    }
}

/// The one wheel of a folder.
fn the_wheel(folder: &Path) -> Result<PathBuf, Failure> {
    let files = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let wheels: Vec<PathBuf> =
        files.filter(|path| path.extension().is_some_and(|ending| ending == "whl")).collect();
    match wheels.as_slice() {
        [wheel] => Ok(wheel.clone()),
        _ => Err(Failure::step(format!("{} wheels in {}, not one", wheels.len(), folder.display()))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_wheel_is_enough_and_two_are_too_many() {
        let folder = env::temp_dir().join(format!("xtask-wheels-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let said = || the_wheel(&folder).map_err(|failure| failure.to_string());
        assert!(said().unwrap_err().starts_with("0 wheels in "));
        fs::write(folder.join("a.txt"), "").unwrap();
        fs::write(folder.join("a.whl"), "").unwrap();
        assert_eq!(said(), Ok(folder.join("a.whl")));
        fs::write(folder.join("b.whl"), "").unwrap();
        assert!(said().unwrap_err().starts_with("2 wheels in "));
        remove(&folder).unwrap();
        remove(&folder).unwrap();
        assert!(said().is_err());
    }

    #[test]
    fn the_package_is_where_it_is_looked_for() {
        for file in ["Cargo.toml", "pyproject.toml", "tests/conftest.py"] {
            assert!(root().join(FOLDER).join(file).is_file(), "{file}");
        }
    }
}
