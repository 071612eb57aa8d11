//! Certificates from files, and from run directories.

use std::{fs, path::Path};

use serde_json::Value;
use tmd_driver::{
    Certificate,
    certificate::{FORMER_SCHEMA, SCHEMA},
};
use tmd_ledger::Access;

use crate::output::Failure;
use crate::run::Run;

/// The certificate in a file, or of a run directory; a sentence that names the file if there is none in it.
pub(crate) fn read(path: &Path) -> Result<Certificate, Failure> {
    if path.is_dir() {
        return Run::open(path, Access::Read, None)?.certificate();
    }
    let name = path.display();
    let text = fs::read_to_string(path).map_err(|error| {
        Failure::question(format!("cannot read {name}: {error}; name a file that tmd solve --out wrote"))
    })?;
    Certificate::from_json(&text).map_err(|error| Failure::question(reason(&name.to_string(), &text, &error)))
}

/// Why a text is no certificate. Another version may have other fields: that it is another one says more than which field.
fn reason(name: &str, text: &str, error: &impl std::fmt::Display) -> String {
    let schema = serde_json::from_str::<Value>(text).ok().and_then(|value| match value.get("schema") {
        Some(Value::String(schema)) => Some(schema.clone()),
        _ => None,
    });
    match schema {
        Some(schema) if schema != SCHEMA && schema != FORMER_SCHEMA => {
            format!(
                "{name} is a certificate of the version {schema}, and this program reads {SCHEMA}; use the program that wrote it"
            )
        }
        Some(_) => format!("{name}: {error}"),
        None => format!("{name} is not a certificate; name a file that tmd solve --out wrote"),
    }
}

#[cfg(test)]
mod tests {
    use super::reason;

    #[test]
    fn what_is_said_of_other_files() {
        let said = |text: &str| reason("a.json", text, &"missing field `units`");
        assert!(said("hello").starts_with("a.json is not a certificate; name"));
        assert!(said("[1, 2]").starts_with("a.json is not a certificate; name"));
        assert!(said(r#"{"cases": []}"#).starts_with("a.json is not a certificate; name"));
        assert_eq!(said(r#"{"schema": "tmd-certificate-1"}"#), "a.json: missing field `units`");
        assert_eq!(said(r#"{"schema": "tmd-certificate-2"}"#), "a.json: missing field `units`");
        let other = said(r#"{"schema": "tmd-certificate-77", "news": 1}"#);
        assert!(
            other.starts_with("a.json is a certificate of the version tmd-certificate-77, and"),
            "{other}"
        );
    }
}
