//! The document's text: reading, writing, versions and the digest.

use std::{collections::BTreeMap, io::BufWriter};

use serde::{Deserialize, Serialize, Serializer, ser::SerializeStruct as _};
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::{
    Certificate, Effort, LONG_SCHEMAS, SCHEMA, SHORT_SCHEMA, UnitRecord, ViaRecord,
    cases::{self, Form, Listed},
    layout,
};
use crate::{DriverError, report::Case};

/// The version of a document with these units whose cases have all.
fn long_schema_of(units: &[UnitRecord]) -> &'static str {
    let is_family = |unit: &UnitRecord| matches!(unit.via, Some(ViaRecord::Family { .. }));
    LONG_SCHEMAS[usize::from(units.iter().any(is_family))]
}

/// The classes of the regions, with whatever is written there.
#[derive(Deserialize)]
struct Classes {
    regions: Vec<RegionClass>,
}

#[derive(Deserialize)]
struct RegionClass {
    class: BTreeMap<String, Value>,
}

impl Classes {
    /// Whether all are objects, and none has a field that it has not: of a class without fields
    /// serde passes over them, and of an array it takes them one after the other.
    fn check(text: &str) -> Result<(), String> {
        let Ok(Classes { regions }) = serde_json::from_str(text) else {
            return Err("it or a class of its regions is an array, not an object".into());
        };
        let is_bare = |class: &BTreeMap<String, Value>| {
            class.get("is").and_then(Value::as_str).is_some_and(|is| ["searched", "undefined"].contains(&is))
        };
        let mut bare = regions.into_iter().map(|region| region.class).filter(is_bare);
        match bare.find_map(|class| class.into_keys().find(|field| field != "is")) {
            Some(field) => Err(format!("a class of regions has an unknown field `{field}`")),
            None => Ok(()),
        }
    }
}

/// SHA-256 of a document, in hexadecimal digits. Its text, which may have a gigabyte, is never in
/// memory.
fn digest(document: &impl Serialize) -> String {
    let mut text = BufWriter::with_capacity(1 << 16, Sha256::new());
    // strings and finite numbers only, into memory: nothing fails
    let written = serde_json::to_writer(&mut text, document);
    debug_assert!(written.is_ok());
    text.into_inner().map_or_else(|error| error.to_string(), |digest| format!("{:x}", digest.finalize()))
}

/// A certificate with an empty digest and no effort, not copied.
struct Bare<'a>(&'a Certificate);

impl Serialize for Bare<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.fields("", &Effort::default(), serializer)
    }
}

impl Serialize for Certificate {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.fields(&self.digest, &self.effort, serializer)
    }
}

impl Certificate {
    /// The document, with this digest and effort.
    fn fields<S: Serializer>(&self, digest: &str, effort: &Effort, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Certificate", 18)?;
        // none is left out: whoever reads the document wants all of them
        macro_rules! put {
            ($($name:ident),*) => { $(fields.serialize_field(stringify!($name), &self.$name)?;)* };
        }
        put!(schema, program, function, format, rounding, extra_bits, binades, engine, regions, units);
        fields.serialize_field("cases", &Listed(self))?;
        put!(exact_cases, exact_rule, undecided, rules, failures);
        fields.serialize_field("digest", digest)?;
        fields.serialize_field("effort", effort)?;
        fields.end()
    }
}

impl Certificate {
    /// SHA-256 of everything but the digest and the effort.
    pub fn computed_digest(&self) -> String {
        digest(&Bare(self))
    }

    /// Reads a document, of this version or of one before. What it does not have of its cases is
    /// derived; where there is no result to derive it from the case stays without, for whoever
    /// verifies to find.
    ///
    /// # Errors
    /// [`DriverError::Unreadable`] if it is none, or of another version.
    pub fn from_json(text: &str) -> Result<Self, DriverError> {
        let unreadable = |reason: String| DriverError::Unreadable { what: "the certificate", reason };
        let mut certificate: Self =
            serde_json::from_str(text).map_err(|error| unreadable(error.to_string()))?;
        let (schema, long) = (&certificate.schema, long_schema_of(&certificate.units));
        let Some(form) = Form::of_schema(schema).filter(|form| *form != Form::Whole || schema == long) else {
            let known = format!("{SCHEMA}, {SHORT_SCHEMA} or {long}");
            return Err(unreadable(format!("it is of the version {schema}, not {known}")));
        };
        let fault = |case: &Case| Some((case.x.clone(), form.fault(case)?));
        if let Some((x, fault)) = certificate.cases.iter().find_map(fault) {
            return Err(unreadable(format!("the case {x} {fault}, which is not so in {schema}")));
        }
        Classes::check(text).map_err(unreadable)?;
        if let Some(field) = certificate.unprintable() {
            return Err(unreadable(format!("`{field}` has control characters")));
        }
        if !certificate.is_countable() {
            return Err(DriverError::Unreadable {
                what: "the certificate",
                reason: "its counts are larger than those of any format".into(),
            });
        }
        cases::complete(&mut certificate, form).map_err(unreadable)?;
        Ok(certificate)
    }

    /// Makes it one of this version, if it is as it was written, names all segments that the walk
    /// refused, and has the cases that follow from their arguments. Otherwise nothing is changed,
    /// and the digest goes on telling so.
    pub fn renew(&mut self) {
        let names_all = self.units.iter().all(|unit| unit.refusals() == unit.refused.len() as u64);
        if self.schema == SCHEMA || !names_all || self.digest != self.computed_digest() {
            return;
        }
        let mut renewed = Self { schema: SCHEMA.into(), ..self.clone() };
        renewed.digest = renewed.computed_digest();
        if Self::from_json(&renewed.to_json()).is_ok_and(|read| read.cases == self.cases) {
            *self = renewed;
        }
    }

    /// A field that is printed as it is, and would be more lines than one.
    fn unprintable(&self) -> Option<&'static str> {
        let Self { program, function, engine, failures, .. } = self;
        let names = [("program", program), ("function", function), ("engine", engine)];
        let failures = failures.iter().map(|failure| ("failures", failure));
        let mut printed = names.into_iter().chain(failures);
        printed.find(|(_, text)| text.contains(char::is_control)).map(|(field, _)| field)
    }

    /// Whether its counts can be added up: whoever reads a certificate does, and need not think of
    /// those that a forger writes.
    fn is_countable(&self) -> bool {
        /// Most arguments of a region, so that a number of units, at most as many as there are
        /// lines, times that is no overflow.
        const MOST_ARGUMENTS: u128 = 1 << 90;
        const MOST_UNITS: usize = 1 << 32;
        /// Most cases of all units, a quarter of what there is room for.
        const MOST_FOUND: u64 = 1 << 62;
        let is_summable = |count: fn(&UnitRecord) -> u64| {
            let sum = self.units.iter().try_fold(0u64, |sum, unit| sum.checked_add(count(unit)));
            sum.is_some_and(|sum| sum <= MOST_FOUND)
        };
        let units =
            self.regions.iter().try_fold(0usize, |sum, region| sum.checked_add(region.units.unwrap_or(0)));
        units.is_some_and(|units| units <= MOST_UNITS)
            && self.regions.iter().all(|region| region.arguments <= MOST_ARGUMENTS)
            && is_summable(|unit| unit.cases)
            && is_summable(|unit| unit.exact)
            && is_summable(|unit| unit.undecided)
    }

    /// The document as JSON: one line per region, unit and case.
    pub fn to_json(&self) -> String {
        layout::to_json(self)
    }
}
