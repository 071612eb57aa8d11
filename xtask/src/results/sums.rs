//! `results/SHA256SUMS`: the checksums of all files of the data set, as `sha256sum` writes them and
//! reads them.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
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
    let mut names: Vec<String> = files(results)?
        .iter()
        .filter_map(|path| path.strip_prefix(results).ok())
        .map(|path| path.to_string_lossy().replace('\\', "/"))
        .filter(|name| ![FILE, checked::TABLE].contains(&name.as_str()))
        .collect();
    names.sort();
    // coreutils', and what macOS has in its place
    let tools: [&[&str]; 2] = [&["sha256sum"], &["shasum", "-a", "256"]];
    let tool = tools.into_iter().find(|tool| Command::new(tool[0]).arg("--version").output().is_ok());
    let tool = tool.ok_or_else(|| {
        Failure::usage("there is neither sha256sum nor shasum: install coreutils".to_owned())
    })?;
    let mut command = Command::new(tool[0]);
    command.args(&tool[1..]).args(&names).current_dir(results);
    capture(&mut command)
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
