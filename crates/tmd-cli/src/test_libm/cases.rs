//! Hard cases: from files that are named, or from a data folder. Nothing is downloaded.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use tmd_core::Number;
use tmd_driver::Certificate;
use tmd_functions::{Expression, Function};
use tmd_libm::{Encoding, lists};
use tmd_report::compressed;

use super::tell_no_cases;
use crate::{certificate, output::Failure};

/// Hard cases, and where they are from.
#[derive(Debug, Default)]
pub(super) struct Cases {
    pub(super) numbers: Vec<Number>,
    pub(super) names: Vec<String>,
}

impl Cases {
    /// Those of files that are named.
    pub(super) fn read(
        paths: &[PathBuf],
        function: &Expression,
        encoding: Encoding,
    ) -> Result<Self, Failure> {
        let mut cases = Self::default();
        for path in paths {
            let numbers = if is_certificate(path)? {
                lists::of_certificate(&intact(path)?, path, function, encoding)?
            } else {
                lists::of_text(&text(path)?, path, encoding)?
            };
            cases.add(path, numbers);
        }
        Ok(cases)
    }

    /// Those of all certificates of the function and format in the first data folder that has one.
    pub(super) fn find(function: &Expression, encoding: Encoding) -> Result<Self, Failure> {
        let mut cases = Self::default();
        let name = function.name();
        let stem = name.strip_suffix("(x)").unwrap_or(&name);
        // an expression is no name of a file
        if stem.chars().all(|c| c.is_ascii_alphanumeric()) {
            for folder in folders() {
                for path in candidates(&folder, stem, encoding) {
                    let certificate = intact(&path)?;
                    if lists::is_about(&certificate, function, encoding) {
                        let numbers = lists::of_certificate(&certificate, &path, function, encoding)?;
                        cases.add(&path, numbers);
                    }
                }
                if !cases.names.is_empty() {
                    return Ok(cases);
                }
            }
        }
        tell_no_cases(function, encoding.format());
        Ok(cases)
    }

    fn add(&mut self, path: &Path, numbers: Vec<Number>) {
        self.names.push(path.display().to_string());
        self.numbers.extend(numbers);
    }
}

/// Where certificates may be installed, the first choice first.
fn folders() -> Vec<PathBuf> {
    if let Some(folder) = env::var_os("TMD_DATA") {
        return vec![folder.into()];
    }
    let system = env::var_os("XDG_DATA_DIRS").filter(|folders| !folders.is_empty());
    let system = system.unwrap_or_else(|| "/usr/local/share:/usr/share".into());
    let data = dirs::data_dir().into_iter().chain(env::split_paths(&system));
    let mut folders: Vec<PathBuf> = data.map(|folder| folder.join("tmd").join("results")).collect();
    folders.push("results".into());
    // target/release/tmd of a checkout
    let program = env::current_exe().unwrap_or_default();
    folders.extend(program.ancestors().skip(1).take(3).map(|folder| folder.join("results")));
    folders
}

/// The files of a folder that may be certificates of a function.
fn candidates(folder: &Path, stem: &str, encoding: Encoding) -> Vec<PathBuf> {
    let of_format = folder.join(encoding.format().to_string());
    let endings = ["json", "json.zst"].map(|ending| format!("{stem}.{ending}"));
    let paths =
        [folder, &of_format].into_iter().flat_map(|folder| endings.iter().map(|file| folder.join(file)));
    paths.filter(|path| path.is_file()).collect()
}

/// A certificate that was not changed.
fn intact(path: &Path) -> Result<Certificate, Failure> {
    let certificate = certificate::read(path)?;
    if certificate.computed_digest() != certificate.digest {
        return Err(Failure::question(format!(
            "{} was changed after it was written; take the file that tmd solve wrote",
            path.display()
        )));
    }
    Ok(certificate)
}

/// A run directory, or what begins as JSON does; lists begin with a number, a comment, or names of columns.
fn is_certificate(path: &Path) -> Result<bool, Failure> {
    if path.is_dir() || path.extension().is_some_and(|ending| ending == "json") {
        return Ok(true);
    }
    Ok(bytes(path)?.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'{'))
}

fn text(path: &Path) -> Result<String, Failure> {
    String::from_utf8(bytes(path)?).map_err(|_| {
        Failure::question(format!(
            "{} is not a text; name a certificate, a wc list, or a csv",
            path.display()
        ))
    })
}

fn bytes(path: &Path) -> Result<Vec<u8>, Failure> {
    let read = fs::read(path).and_then(compressed::plain);
    read.map_err(|error| {
        let name = path.display();
        Failure::question(format!("cannot read {name}: {error}; name a certificate, a wc list, or a csv"))
    })
}
