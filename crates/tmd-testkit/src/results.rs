//! The certificates of the repository's `results/`, as text.

use std::{fs, path::Path};

/// A certificate of `results/`.
pub struct ResultFile {
    /// Its path without `.json` or `.json.zst`.
    pub stem: String,
    /// The document.
    pub text: String,
}

/// All certificates below a folder, by name.
pub fn certificates(folder: &Path) -> Vec<ResultFile> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("the folder of results") {
        let path = entry.expect("an entry of the folder of results").path();
        if path.is_dir() {
            found.extend(certificates(&path));
            continue;
        }
        let name = path.display().to_string();
        let read = || fs::read(&path).expect("a result");
        let (stem, bytes) = if let Some(stem) = name.strip_suffix(".json") {
            (stem, read())
        } else if let Some(stem) = name.strip_suffix(".json.zst") {
            (stem, zstd::decode_all(&read()[..]).expect("a whole file of Zstandard"))
        } else {
            continue;
        };
        let text = String::from_utf8(bytes).expect("a certificate is text");
        found.push(ResultFile { stem: stem.to_owned(), text });
    }
    found.sort_by(|a, b| a.stem.cmp(&b.stem));
    found
}
