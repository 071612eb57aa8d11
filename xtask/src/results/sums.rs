//! `results/SHA256SUMS`: the checksums of all files of the data set but the record of checks, as
//! `sha256sum` writes them and reads them.

use std::{
    fs,
    io::Write as _,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use super::{checked, failure};
use crate::run::{Failure, capture, root};

const FILE: &str = "SHA256SUMS";

/// The file of the checksums, and its text.
pub(super) fn made() -> Result<(PathBuf, String), Failure> {
    let results = root().join("results");
    Ok((results.join(FILE), sums(&results)?))
}

/// A line for each file below a folder, by name, but the one that changes while files are checked.
fn sums(results: &Path) -> Result<String, Failure> {
    let names: Vec<String> = files(results)?
        .iter()
        .filter_map(|path| path.strip_prefix(results).ok())
        .map(|path| path.to_string_lossy().replace('\\', "/"))
        .filter(|name| ![FILE, checked::TABLE].contains(&name.as_str()))
        .collect();
    of_files(results, names)
}

/// The lines of some files below a folder, sorted by name.
fn of_files(folder: &Path, mut names: Vec<String>) -> Result<String, Failure> {
    names.sort();
    capture(tool()?.args(&names).current_dir(folder))
}

/// The program that makes checksums: coreutils', and what macOS has in its place.
fn tool() -> Result<Command, Failure> {
    let tools: [&[&str]; 2] = [&["sha256sum"], &["shasum", "-a", "256"]];
    let tool = tools.into_iter().find(|tool| Command::new(tool[0]).arg("--version").output().is_ok());
    let tool = tool.ok_or_else(|| {
        Failure::usage("there is neither sha256sum nor shasum: install coreutils".to_owned())
    })?;
    let mut command = Command::new(tool[0]);
    command.args(&tool[1..]);
    Ok(command)
}

/// The lines of a certificate and its lists as they are now, by their name without an ending.
pub(super) fn of(stem: &str) -> Result<String, Failure> {
    let results = root().join("results");
    let (folder, name) = stem.rsplit_once('/').unwrap_or(("", stem));
    let place = results.join(folder);
    let mut names = Vec::new();
    for entry in fs::read_dir(&place).map_err(|error| failure(&place, &error))? {
        let file = entry.map_err(|error| failure(&place, &error))?.file_name();
        let file = file.to_string_lossy();
        if file.strip_prefix(name).is_some_and(|rest| rest.starts_with('.')) {
            names.push(format!("{folder}/{file}"));
        }
    }
    of_files(&results, names)
}

/// The same lines of the checksums of all files.
pub(super) fn about(sums: &str, stem: &str) -> String {
    let is_of = |line: &&str| {
        let name = line.split_once("  ").map(|(_, name)| name);
        name.and_then(|name| name.strip_prefix(stem)).is_some_and(|rest| rest.starts_with('.'))
    };
    sums.lines().filter(is_of).flat_map(|line| [line, "\n"]).collect()
}

/// The checksum of a text: `grep ' binary64/exp[.]' SHA256SUMS | sha256sum` says that of the lines
/// of exp.
pub(super) fn digest(text: &str) -> Result<String, Failure> {
    let failed = |error| Failure::step(format!("cannot run sha256sum: {error}"));
    let mut child = tool()?.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().map_err(failed)?;
    // closed after that, so that the program ends
    child.stdin.take().map_or(Ok(()), |mut input| input.write_all(text.as_bytes())).map_err(failed)?;
    let output = child.wait_with_output().map_err(failed)?;
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let digest = said.split_whitespace().next().filter(|digest| digest.len() == 64);
    digest.map(str::to_owned).ok_or_else(|| Failure::step("sha256sum says no checksum"))
}

fn files(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(|error| failure(folder, &error))? {
        let path = entry.map_err(|error| failure(folder, &error))?.path();
        if path.is_dir() { found.extend(files(&path)?) } else { found.push(path) }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The files of one name, and none whose name begins so.
    #[test]
    fn checksums_of_some() {
        let all = fs::read_to_string(root().join("results").join(FILE)).unwrap();
        let lines = of("bfloat16/exp").unwrap();
        assert_eq!(about(&all, "bfloat16/exp"), lines);
        assert!(lines.lines().count() >= 4 && lines.lines().all(|line| line.contains("  bfloat16/exp.")));
        assert!(!of("large/sin/13").unwrap().is_empty());
        assert_eq!(
            digest("abc").unwrap(),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
    }

    /// All that is in the folder, as it would be fetched, has less than 150 MB.
    #[test]
    fn the_folder_is_small() {
        let files = files(&root().join("results")).unwrap();
        let bytes: u64 = files.iter().map(|path| fs::metadata(path).unwrap().len()).sum();
        assert!(bytes < 150_000_000, "{bytes} bytes in {} files", files.len());
    }

    /// The checksums in the repository are those of the files in the repository.
    #[test]
    fn the_checksums_are_up_to_date() {
        let results = root().join("results");
        let written = fs::read_to_string(results.join(FILE)).unwrap();
        let now = sums(&results).unwrap();
        for (written, now) in written.lines().zip(now.lines()) {
            assert_eq!(written, now, "cargo xtask results --index writes them again");
        }
        assert_eq!(written.lines().count(), now.lines().count());
        // a checksum that is known: SHA-256 has no other one of a file that is empty
        let folder = std::env::temp_dir().join(format!("tmd-sums-{}", std::process::id()));
        fs::create_dir_all(folder.join("a")).unwrap();
        fs::write(folder.join("a/empty"), "").unwrap();
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  a/empty\n";
        assert_eq!(sums(&folder).unwrap(), empty);
        fs::remove_dir_all(&folder).unwrap();
    }
}
