//! Hard cases: from files that are named, or from a data folder. Nothing is downloaded.

use std::{
    fs,
    path::{Path, PathBuf},
};

use tmd_core::Number;
use tmd_driver::Certificate;
use tmd_functions::Expression;
use tmd_libm::{Encoding, lists};
use tmd_report::compressed;

use super::tell_no_cases;
use crate::{
    certificate,
    data_folder::{Found, certificates, data_folder},
    output::{Failure, tell},
};

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
                listed(&intact(path)?, path, function, encoding)?
            } else {
                lists::of_text(&text(path)?, path, encoding)?
            };
            cases.add(path, numbers);
        }
        Ok(cases)
    }

    /// Those of all certificates of the function and format in the data folder.
    pub(super) fn find(function: &Expression, encoding: Encoding) -> Result<Self, Failure> {
        let mut cases = Self::default();
        // a folder that is named and not there is no reason not to test at other arguments
        let folder = data_folder(None).unwrap_or_else(|failure| {
            tell(format_args!("tmd: {failure}"));
            None
        });
        if let Some(folder) = folder {
            for Found { path, certificate } in certificates(&folder, function, encoding.format())? {
                cases.add(&path, listed(&certificate, &path, function, encoding)?);
            }
        }
        if cases.names.is_empty() {
            tell_no_cases(function, encoding.format());
        }
        Ok(cases)
    }

    fn add(&mut self, path: &Path, numbers: Vec<Number>) {
        self.names.push(path.display().to_string());
        self.numbers.extend(numbers);
    }
}

/// The arguments of a certificate; says how many cases are left out.
fn listed(
    certificate: &Certificate,
    path: &Path,
    function: &Expression,
    encoding: Encoding,
) -> Result<Vec<Number>, Failure> {
    let numbers = lists::of_certificate(certificate, path, function, encoding)?;
    let left = certificate.case_count().saturating_sub(lists::MOST_EXPANDED as u128);
    if left > 0 {
        tell(format_args!(
            "tmd: {left} cases of {} are NOT tested: too many follow from others",
            path.display()
        ));
    }
    Ok(numbers)
}

/// A certificate that was not changed.
fn intact(path: &Path) -> Result<Certificate, Failure> {
    let certificate = certificate::read(path)?;
    match certificate::changed(path, &certificate) {
        Some(sentence) => Err(Failure::question(format!("{sentence}; take the file that tmd solve wrote"))),
        None => Ok(certificate),
    }
}

/// A run directory, or what begins as JSON does; lists begin with a number, a comment, or names of
/// columns.
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
