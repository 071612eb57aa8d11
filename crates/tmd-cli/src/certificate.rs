//! Certificates from files, and from run directories.

use std::{
    fs,
    path::{Path, PathBuf},
};

use clap::Args;
use serde_json::{Value, error::Category};
use tmd_driver::{
    Certificate, Coverage,
    certificate::{FORMER_SCHEMA, SCHEMA},
    coverage::Left,
};
use tmd_ledger::Access;

use crate::compressed;
use crate::output::{Failure, tell};
use crate::run::Run;

/// A certificate that is written in another form.
#[derive(Args)]
pub(crate) struct Source {
    /// The certificate, as tmd solve --out writes it, or a run directory
    pub(crate) certificate: PathBuf,
    /// Read a certificate all the same that was changed after it was written; what is written of it says so
    #[arg(long)]
    force: bool,
}

impl Source {
    /// The certificate, unchanged unless `--force` is given.
    pub(crate) fn read(&self) -> Result<Certificate, Failure> {
        let certificate = read(&self.certificate)?;
        if let Some(sentence) = changed(&self.certificate, &certificate) {
            if !self.force {
                return Err(Failure::machine(format!(
                    "{sentence}; take the file that tmd solve wrote, or add --force to read this one all the same"
                )));
            }
            tell(format_args!("tmd: {sentence}; nothing that it says can be relied on"));
        }
        Ok(certificate)
    }
}

/// What is said of a certificate whose digest does not fit; nothing if it does.
pub(crate) fn changed(path: &Path, certificate: &Certificate) -> Option<String> {
    let computed = certificate.computed_digest();
    (computed != certificate.digest).then(|| {
        format!(
            "{} was changed after it was written: its digest is {computed}, and it says {}",
            path.display(),
            certificate.digest
        )
    })
}

/// The exit code of whatever is made of a certificate: 0 if all that was asked is answered but for what the plan said is out of reach, else 1.
/// What is left is said.
pub(crate) fn ending(certificate: &Certificate) -> u8 {
    let coverage = match Coverage::of(certificate) {
        Ok(coverage) => coverage,
        Err(error) => {
            tell(format_args!("tmd: {error}"));
            return 1;
        }
    };
    let is_expected = coverage.left().iter().all(|(left, _)| *left == Left::OutOfReach);
    if certificate.is_finished() && is_expected {
        return 0;
    }
    tell(format_args!("tmd: {}", coverage.sentence()));
    1
}

/// The certificate in a file, or of a run directory; a sentence that names the file if there is none in it. Its digest is not looked at.
pub(crate) fn read(path: &Path) -> Result<Certificate, Failure> {
    if path.is_dir() {
        return Run::open(path, Access::Read, None)?.certificate();
    }
    let name = path.display();
    let bytes = fs::read(path).map_err(|error| {
        Failure::question(format!("cannot read {name}: {error}; name a file that tmd solve --out wrote"))
    })?;
    let bytes = compressed::plain(bytes).map_err(|error| {
        Failure::question(format!(
            "{name} is damaged: it cannot be decompressed: {error}; take another copy of it"
        ))
    })?;
    let text = str::from_utf8(&bytes).map_err(|error| {
        // a character that is cut short at the very end is not one that is wrong
        let is_torn = error.error_len().is_none();
        let (at, part) = (error.valid_up_to(), String::from_utf8_lossy(&bytes[..error.valid_up_to()]));
        Failure::question(if !is_of_a_certificate(&part) {
            not_one(&name)
        } else if is_torn {
            truncated(&name, bytes.len())
        } else {
            format!("{name} is damaged at byte {at}: no text is written so; take another copy of it")
        })
    })?;
    Certificate::from_json(text).map_err(|error| Failure::question(reason(&name.to_string(), text, &error)))
}

/// Why a text is no certificate. Another version may have other fields: that it is another one says more than which field.
fn reason(name: &str, text: &str, error: &impl std::fmt::Display) -> String {
    if text.is_empty() {
        return format!("{name} is empty; name a file that tmd solve --out wrote");
    }
    let value = match serde_json::from_str::<Value>(text) {
        Ok(value) => value,
        Err(_) if !is_of_a_certificate(text) => return not_one(&name),
        Err(error) if error.classify() == Category::Eof => return truncated(&name, text.len()),
        Err(error) => {
            let lines: usize =
                text.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum();
            let at = lines + error.column().saturating_sub(1);
            return format!("{name} is damaged at byte {at}: {error}; take another copy of it");
        }
    };
    match value.get("schema") {
        Some(Value::String(schema)) if ![SCHEMA, FORMER_SCHEMA].contains(&schema.as_str()) => {
            format!(
                "{name} is a certificate of the version {schema}, and this program reads {SCHEMA}; use the program that wrote it"
            )
        }
        Some(Value::String(_)) => format!("{name}: {error}"),
        _ => not_one(&name),
    }
}

/// Whether a text begins as certificates do, however little there is of it.
fn is_of_a_certificate(text: &str) -> bool {
    let bare: String = text.chars().take(64).filter(|character| !character.is_whitespace()).collect();
    let beginning = "{\"schema\":\"tmd-certificate-";
    !bare.is_empty() && (bare.starts_with(beginning) || beginning.starts_with(&bare))
}

fn not_one(name: &impl std::fmt::Display) -> String {
    format!("{name} is not a certificate; name a file that tmd solve --out wrote")
}

fn truncated(name: &impl std::fmt::Display, bytes: usize) -> String {
    format!(
        "{name} is truncated: it ends at byte {bytes}, in the midst of a certificate; take another copy of it"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_of_other_files() {
        let said = |text: &str| reason("a.json", text, &"missing field `units`");
        assert!(said("hello").starts_with("a.json is not a certificate; name"));
        assert!(said("[1, 2]").starts_with("a.json is not a certificate; name"));
        assert!(said("{\"sch").starts_with("a.json is truncated: it ends at byte 5,"));
        assert!(said("{\"scheme").starts_with("a.json is not a certificate; name"));
        assert!(said(r#"{"cases": []}"#).starts_with("a.json is not a certificate; name"));
        assert!(said("").starts_with("a.json is empty; name"));
        for schema in [SCHEMA, FORMER_SCHEMA] {
            assert_eq!(said(&format!(r#"{{"schema": "{schema}"}}"#)), "a.json: missing field `units`");
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
