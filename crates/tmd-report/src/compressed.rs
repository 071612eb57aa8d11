//! Files that are compressed by Zstandard: those whose names end with `.zst` are written so, and
//! whatever begins as such a file does is read as one.

use std::{
    borrow::Cow,
    fs::File,
    io::{self, Read as _, Write as _},
    path::Path,
};

/// What every frame of Zstandard begins with.
const MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// Certificates are written once and read often.
const LEVEL: i32 = 19;

/// Bytes that a file may hold: more are no certificate, whatever a few kilobytes claim.
const MOST: u64 = 1 << 33;

/// The content as the file of this name holds it: compressed if the name ends with `.zst`, as a
/// stream whose length is not told beforehand. (What the crate's functions for whole contents tell
/// the compression has changed between its versions, and the bytes with it; files are compared.)
///
/// # Errors
/// Those of the compression, which writes to memory.
pub fn as_named<'a>(path: &Path, content: &'a [u8]) -> io::Result<Cow<'a, [u8]>> {
    if path.extension().is_some_and(|ending| ending == "zst") {
        let mut stream = zstd::Encoder::new(Vec::new(), LEVEL)?;
        stream.write_all(content)?;
        stream.finish().map(Cow::Owned)
    } else {
        Ok(Cow::Borrowed(content))
    }
}

/// The content of a file, compressed or not.
///
/// # Errors
/// A compressed file that is damaged or cut short, or holds more than any certificate.
pub fn plain(bytes: Vec<u8>) -> io::Result<Vec<u8>> {
    if !bytes.starts_with(&MAGIC) {
        return Ok(bytes);
    }
    let mut content = Vec::new();
    let read = zstd::Decoder::new(&bytes[..])?.take(MOST).read_to_end(&mut content)?;
    if read as u64 == MOST {
        return Err(io::Error::other("it holds more than any certificate"));
    }
    Ok(content)
}

/// The first bytes of a file's content, compressed or not: at most `most`.
pub fn beginning(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut content = Vec::new();
    File::open(path)?.take(most).read_to_end(&mut content)?;
    if content.starts_with(&MAGIC) {
        content.clear();
        zstd::Decoder::new(File::open(path)?)?.take(most).read_to_end(&mut content)?;
    }
    Ok(content)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_and_back() {
        let content = b"{\"schema\": ".repeat(1000);
        let packed = as_named(Path::new("a/exp.json.zst"), &content).unwrap();
        assert!(packed.len() * 10 < content.len());
        assert_eq!(plain(packed.to_vec()).unwrap(), content);
        assert_eq!(as_named(Path::new("zst/exp.json"), &content).unwrap(), &content[..]);
        assert_eq!(plain(content.clone()).unwrap(), content);
        // half a file is none
        assert!(plain(packed[..packed.len() / 2].to_vec()).is_err());
    }
}
