//! The certificates of the repository's `results/`, as text.

use std::{
    fs,
    hash::{DefaultHasher, Hash as _, Hasher as _},
    path::Path,
    time::SystemTime,
};

use crate::is_long;

/// A certificate of `results/`.
pub struct ResultFile {
    /// Its path without `.json` or `.json.zst`.
    pub stem: String,
    /// The document.
    pub text: String,
}

/// All certificates below a folder, by name. Run directories, which have a ledger, hold none.
pub fn certificates(folder: &Path) -> Vec<ResultFile> {
    let mut found = Vec::new();
    if folder.join("ledger.sqlite").exists() {
        return found;
    }
    for entry in fs::read_dir(folder).expect("the folder of results") {
        let path = entry.expect("an entry of the folder of results").path();
        if path.is_dir() {
            found.extend(certificates(&path));
            continue;
        }
        let name = path.display().to_string();
        if let Some(stem) = name.strip_suffix(".json").or(name.strip_suffix(".json.zst")) {
            found.push(ResultFile { stem: stem.to_owned(), text: read(&path) });
        }
    }
    found.sort_by(|a, b| a.stem.cmp(&b.stem));
    found
}

/// The certificate `STEM.json` or `STEM.json.zst` of a folder.
pub fn certificate(folder: &Path, stem: &str) -> String {
    let plain = folder.join(format!("{stem}.json"));
    read(&if plain.is_file() { plain } else { folder.join(format!("{stem}.json.zst")) })
}

fn read(path: &Path) -> String {
    let mut bytes = fs::read(path).expect("a result");
    if path.extension().is_some_and(|kind| kind == "zst") {
        bytes = zstd::decode_all(&bytes[..]).expect("a whole file of Zstandard");
    }
    String::from_utf8(bytes).expect("a certificate is text")
}

/// A random share of certificates, another one each time: as many as have `bytes` bytes together,
/// and at least one. All of them with `TMD_RESULTS=all`, or where [larger samples](is_long) are
/// asked for.
pub fn some(mut files: Vec<ResultFile>, bytes: usize) -> Vec<ResultFile> {
    let seed = match std::env::var("TMD_RESULTS") {
        Ok(all) if all == "all" => return files,
        Ok(seed) => seed.parse().expect("TMD_RESULTS is `all` or a seed"),
        Err(_) if is_long() => return files,
        Err(_) => {
            let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
            now.expect("a clock after 1970").subsec_nanos()
        }
    };
    println!("TMD_RESULTS={seed} takes the same certificates");
    // their order by a hash of the name and the seed
    files.sort_by_cached_key(|file| {
        let mut hasher = DefaultHasher::new();
        (seed, &file.stem).hash(&mut hasher);
        hasher.finish()
    });
    let mut sum = 0;
    let within = files.iter().take_while(|file| {
        sum += file.text.len();
        sum <= bytes
    });
    let count = within.count().max(1);
    files.truncate(count);
    files
}
