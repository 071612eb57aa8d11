//! Certificates from files, and why a file holds none.

use std::{fs, io, path::Path};

use serde_json::{Value, error::Category};
use tmd_driver::{
    Certificate, DriverError,
    certificate::{LONG_SCHEMAS, SCHEMA, SHORT_SCHEMA},
};

use crate::compressed;

/// Why there is no certificate in a file. Each names the file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum FileError {
    #[error("cannot read {name}: {reason}; name a file that tmd solve --out wrote")]
    Unreadable { name: String, reason: io::Error },
    #[error("{name} is damaged: it cannot be decompressed: {reason}; take another copy of it")]
    Compressed { name: String, reason: io::Error },
    #[error("{name} is empty; name a file that tmd solve --out wrote")]
    Empty { name: String },
    #[error("{name} is not a certificate; name a file that tmd solve --out wrote")]
    Other { name: String },
    #[error(
        "{name} is truncated: it ends at byte {bytes}, in the midst of a certificate; take another copy of it"
    )]
    Truncated { name: String, bytes: usize },
    #[error("{name} is damaged at byte {at}: {reason}; take another copy of it")]
    Damaged { name: String, at: usize, reason: String },
    #[error(
        "{name} is a certificate of the version {schema}, and this program reads {oldest} to {SCHEMA}; use the program that wrote it",
        oldest = LONG_SCHEMAS[0]
    )]
    Version { name: String, schema: String },
    #[error("{name}: {reason}")]
    Refused { name: String, reason: Box<DriverError> },
    /// Said by [`unchanged`] alone.
    #[error("{name} was changed after it was written: its digest is {computed}, and it says {written}")]
    Changed { name: String, computed: String, written: String },
}

/// The certificate in a file, compressed by Zstandard or not. Its digest is not looked at.
///
/// # Errors
/// [`FileError`], which says where the file is wrong.
pub fn read(path: &Path) -> Result<Certificate, FileError> {
    let name = path.display().to_string();
    let bytes = fs::read(path).map_err(|reason| FileError::Unreadable { name: name.clone(), reason })?;
    let bytes =
        compressed::plain(bytes).map_err(|reason| FileError::Compressed { name: name.clone(), reason })?;
    let text = str::from_utf8(&bytes).map_err(|error| {
        // a character that is cut short at the very end is not one that is wrong
        let is_torn = error.error_len().is_none();
        let (at, part) = (error.valid_up_to(), String::from_utf8_lossy(&bytes[..error.valid_up_to()]));
        let name = name.clone();
        if !is_of_a_certificate(&part) {
            FileError::Other { name }
        } else if is_torn {
            FileError::Truncated { name, bytes: bytes.len() }
        } else {
            FileError::Damaged { name, at, reason: "no text is written so".into() }
        }
    })?;
    Certificate::from_json(text).map_err(|error| reason(name, text, error))
}

/// Whether a certificate is as it was written.
///
/// # Errors
/// [`FileError::Changed`], which names its file, if its digest is another.
pub fn unchanged(path: &Path, certificate: &Certificate) -> Result<(), FileError> {
    let (computed, written) = (certificate.computed_digest(), certificate.digest.clone());
    if computed == written {
        return Ok(());
    }
    Err(FileError::Changed { name: path.display().to_string(), computed, written })
}

/// Why a text is no certificate. Another version may have other fields: that it is another one says
/// more than which field.
fn reason(name: String, text: &str, error: DriverError) -> FileError {
    if text.is_empty() {
        return FileError::Empty { name };
    }
    let value = match serde_json::from_str::<Value>(text) {
        Ok(value) => value,
        Err(_) if !is_of_a_certificate(text) => return FileError::Other { name },
        Err(error) if error.classify() == Category::Eof => {
            return FileError::Truncated { name, bytes: text.len() };
        }
        Err(error) => {
            let lines: usize =
                text.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum();
            let at = lines + error.column().saturating_sub(1);
            return FileError::Damaged { name, at, reason: error.to_string() };
        }
    };
    match value.get("schema") {
        Some(Value::String(schema)) if !versions().any(|version| version == schema) => {
            FileError::Version { name, schema: schema.clone() }
        }
        Some(Value::String(_)) => FileError::Refused { name, reason: error.into() },
        _ => FileError::Other { name },
    }
}

/// The versions that are read.
fn versions() -> impl Iterator<Item = &'static str> {
    LONG_SCHEMAS.into_iter().chain([SHORT_SCHEMA, SCHEMA])
}

/// Whether a text begins as certificates do, however little there is of it.
fn is_of_a_certificate(text: &str) -> bool {
    let bare: String = text.chars().take(64).filter(|character| !character.is_whitespace()).collect();
    let beginning = "{\"schema\":\"tmd-certificate-";
    !bare.is_empty() && (bare.starts_with(beginning) || beginning.starts_with(&bare))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_of_other_files() {
        let missing = DriverError::Unreadable { what: "it", reason: "missing field `units`".into() };
        let said = |text: &str| reason("a.json".into(), text, missing.clone()).to_string();
        assert!(said("hello").starts_with("a.json is not a certificate; name"));
        assert!(said("[1, 2]").starts_with("a.json is not a certificate; name"));
        assert!(said("{\"sch").starts_with("a.json is truncated: it ends at byte 5,"));
        assert!(said("{\"scheme").starts_with("a.json is not a certificate; name"));
        assert!(said(r#"{"cases": []}"#).starts_with("a.json is not a certificate; name"));
        assert!(said("").starts_with("a.json is empty; name"));
        for schema in versions() {
            let text = format!(r#"{{"schema": "{schema}"}}"#);
            assert_eq!(said(&text), "a.json: it cannot be read: missing field `units`");
        }
        let other = said(r#"{"schema": "tmd-certificate-77", "news": 1}"#);
        assert!(
            other.starts_with("a.json is a certificate of the version tmd-certificate-77, and"),
            "{other}"
        );
    }

    /// Wherever it ends or is wrong, the byte is named.
    #[test]
    fn torn_and_damaged_certificates() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.json");
        let text = format!("{{\n\"schema\":\"{SCHEMA}\",\n\"function\":\"√x ≤ 1\",\n\"rest\":[1,2]\n}}\n");
        let said = |bytes: &[u8]| {
            fs::write(&path, bytes).unwrap();
            read(&path).unwrap_err().to_string()
        };
        for end in 1..text.len() - 1 {
            let said = said(&text.as_bytes()[..end]);
            assert!(said.contains(&format!("a.json is truncated: it ends at byte {end}, ")), "{said}");
        }
        let at = text.find("[1").unwrap();
        let mut damaged = text.clone().into_bytes();
        damaged[at] = b'}';
        assert!(said(&damaged).contains(&format!("is damaged at byte {at}: ")), "{}", said(&damaged));
        damaged[at] = 0xff;
        assert!(said(&damaged).contains(&format!("is damaged at byte {at}: ")), "{}", said(&damaged));
        // what a power failure leaves: the right length, and nothing in it
        damaged[at..].fill(0);
        assert!(said(&damaged).contains(&format!("is damaged at byte {at}: ")), "{}", said(&damaged));
    }
}
