//! The data folder: where certificates are kept, and which of them are about a function.
//!
//! A data folder holds certificates, `*.json` or `*.json.zst`, in it or in folders below it, under
//! any names: what they are about is read from them. `results/` of the project's repository is one.
//! Nothing is ever downloaded.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use serde::Deserialize;
use tmd_core::Format;
use tmd_driver::{Certificate, certificate::FormatRecord};
use tmd_functions::{Expression, parse};
use tmd_report::compressed;

use crate::{
    certificate::{changed, read},
    output::Failure,
};

/// Folders below a data folder that are looked into; more are no collection of certificates.
const MOST_LEVELS: usize = 3;

/// Bytes in which a certificate says what it is about.
const HEAD: u64 = 1 << 16;

/// A certificate of a data folder.
#[derive(Debug)]
pub struct Found {
    /// Its file.
    pub path: PathBuf,
    /// What it says; its digest fits.
    pub certificate: Certificate,
}

/// The data folder: the one that is named, else `$TMD_DATA`, else the first that is there of `tmd`
/// in the user's and in the system's data directories (`$XDG_DATA_HOME`, `$XDG_DATA_DIRS`), and
/// `results` in the working directory; `None` if there is none of these.
///
/// # Errors
/// A folder that is named, by the option or by the variable, and is not there.
pub fn data_folder(named: Option<&Path>) -> Result<Option<PathBuf>, Failure> {
    let variable = env::var_os("TMD_DATA").filter(|value| !value.is_empty()).map(PathBuf::from);
    let is_there = |path: &Path, by: &str| {
        if path.is_dir() {
            return Ok(Some(path.to_path_buf()));
        }
        Err(Failure::question(format!(
            "there is no data folder {}, which {by} names; name a folder of certificates",
            path.display()
        )))
    };
    match (named, &variable) {
        (Some(path), _) => is_there(path, "--data"),
        (None, Some(path)) => is_there(path, "TMD_DATA"),
        (None, None) => Ok(usual().into_iter().find(|path| path.is_dir())),
    }
}

/// The places of a data folder that nobody names, the first one first.
fn usual() -> Vec<PathBuf> {
    let system = env::var_os("XDG_DATA_DIRS").filter(|value| !value.is_empty());
    let system = system.unwrap_or_else(|| "/usr/local/share:/usr/share".into());
    // a relative path in these variables is to be ignored, says the specification
    let directories = dirs::data_dir().into_iter().chain(env::split_paths(&system));
    let mut places: Vec<_> =
        directories.filter(|path| path.is_absolute()).map(|path| path.join("tmd")).collect();
    places.push("results".into());
    places
}

/// The certificates of a data folder that are about a function over a format: those that list most
/// first (the largest distances), then by name. There may be none.
///
/// # Errors
/// A folder or file that cannot be read; a certificate about the function that is damaged, or was
/// changed after it was written.
pub fn certificates(folder: &Path, function: &Expression, format: Format) -> Result<Vec<Found>, Failure> {
    let mut paths = Vec::new();
    files(folder, MOST_LEVELS, &mut paths)?;
    let mut found = Vec::new();
    for path in paths {
        if !is_about(&path, function, format) {
            continue;
        }
        let certificate = read(&path)?;
        if let Some(sentence) = changed(&path, &certificate) {
            return Err(Failure::machine(format!("{sentence}; take another copy of it, or take it away")));
        }
        found.push(Found { path, certificate });
    }
    found.sort_by(|a, b| (a.certificate.extra_bits, &a.path).cmp(&(b.certificate.extra_bits, &b.path)));
    Ok(found)
}

/// Adds the files of a folder that may be certificates.
fn files(folder: &Path, levels: usize, found: &mut Vec<PathBuf>) -> Result<(), Failure> {
    let failed = |error: std::io::Error| {
        Failure::question(format!(
            "cannot read the data folder {}: {error}; name another one",
            folder.display()
        ))
    };
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let plain = Path::new(name.strip_suffix(".zst").unwrap_or(&name));
        if path.is_dir() {
            if levels > 0 && !name.starts_with('.') {
                files(&path, levels - 1, found)?;
            }
        } else if path.is_file() && plain.extension().is_some_and(|ending| ending == "json") {
            found.push(path);
        }
    }
    Ok(())
}

/// What a certificate says of itself before all else.
#[derive(Deserialize)]
struct Head {
    function: String,
    format: FormatRecord,
}

/// Whether a file is a certificate about a function over a format. What cannot be read is not.
fn is_about(path: &Path, function: &Expression, format: Format) -> bool {
    let head = || {
        let bytes = compressed::beginning(path, HEAD).ok()?;
        let text = String::from_utf8_lossy(&bytes);
        let end = text.find("\"regions\"")?;
        let head = text[..end].trim_end().trim_end_matches(',');
        serde_json::from_str::<Head>(&format!("{head}}}")).ok()
    };
    head().is_some_and(|head| {
        head.format.format() == Ok(format) && parse(&head.function).is_ok_and(|about| about == *function)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_named_must_be_there() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(data_folder(Some(folder.path())).unwrap().as_deref(), Some(folder.path()));
        let refused = data_folder(Some(&folder.path().join("nowhere"))).unwrap_err().to_string();
        assert!(refused.contains("nowhere, which --data names"), "{refused}");
    }

    /// A certificate of the repository's results, as text: the first of these that is there.
    fn result(names: &[&str]) -> String {
        let results = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../results");
        let bytes = names.iter().find_map(|name| fs::read(results.join(name)).ok()).unwrap();
        String::from_utf8(compressed::plain(bytes).unwrap()).unwrap()
    }

    /// Several of a function, those that list most first; compressed or not. And the repository's
    /// own.
    #[test]
    fn certificates_by_function_and_format() {
        let folder = tempfile::tempdir().unwrap();
        let below = folder.path().join("large");
        fs::create_dir_all(&below).unwrap();
        // of 44 extra bits, and of 48 or 45
        let most = result(&["large/sin/1023.json.zst"]);
        let most = compressed::as_named(Path::new("x.zst"), most.as_bytes()).unwrap();
        fs::write(below.join("1023.json.zst"), most).unwrap();
        fs::write(folder.path().join("a.json"), result(&["sin.json", "binary64/sin.json.zst"])).unwrap();
        let of =
            |folder: &Path, text: &str, format| certificates(folder, &parse(text).unwrap(), format).unwrap();
        let found = of(folder.path(), "sin", Format::BINARY64);
        let names: Vec<_> = found.iter().map(|found| found.path.strip_prefix(&folder).unwrap()).collect();
        assert_eq!(names, [Path::new("large/1023.json.zst"), Path::new("a.json")]);
        let bits: Vec<_> = found.iter().map(|found| found.certificate.extra_bits).collect();
        assert!(bits.is_sorted() && found.iter().all(|found| found.certificate.function == "sin(x)"));

        let results = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../results");
        let found = of(&results, "2^x", Format::BINARY64);
        assert_eq!(found[0].path, results.join("binary64/exp2.json.zst"));
        assert_eq!(of(&results, "exp2", Format::BINARY32).len(), 1);
        assert!(of(&results, "gamma", Format::BINARY32).is_empty());
        assert!(of(&results, "exp(x)+1", Format::BINARY64).is_empty());
    }

    /// What is no certificate is passed over; one that was changed is not.
    #[test]
    fn other_files_and_changed_ones() {
        let folder = tempfile::tempdir().unwrap();
        let below = folder.path().join("a/b");
        fs::create_dir_all(&below).unwrap();
        for (name, content) in [("note.json", "{}"), ("empty.json", ""), ("cbrt.md", "\"regions\"")] {
            fs::write(folder.path().join(name), content).unwrap();
        }
        let of = || certificates(folder.path(), &parse("cbrt").unwrap(), Format::BINARY64);
        assert!(of().unwrap().is_empty());
        let text = result(&["binary64/cbrt.json.zst"]);
        let path = below.join("what-it-is-called.json");
        fs::write(&path, &text).unwrap();
        assert_eq!(of().unwrap()[0].path, path);
        let line = text.lines().find(|line| line.starts_with("\"0x1")).unwrap();
        fs::write(&path, text.replacen(&format!("{line}\n"), "", 1)).unwrap();
        let refused = of().unwrap_err().to_string();
        assert!(refused.contains("what-it-is-called.json was changed after it was written"), "{refused}");
        fs::write(&path, &text[..text.len() / 2]).unwrap();
        assert!(of().unwrap_err().to_string().contains("is truncated"));
    }
}
