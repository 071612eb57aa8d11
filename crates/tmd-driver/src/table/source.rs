//! A table as source text: a C header, a Rust module.

use std::fmt::Write;

use super::{ENTRIES, Language, Table, TableError};

/// Entries on a line.
const PER_LINE: usize = 12;

impl Table {
    /// A header for C and C++: the array `name` and the function `name_lookup`, which takes and
    /// gives bit patterns.
    ///
    /// # Errors
    /// [`TableError::Identifier`].
    pub fn to_c(&self, name: &str) -> Result<String, TableError> {
        Language::C.check(name)?;
        let guard = format!("TMD_{}_H", name.to_ascii_uppercase());
        // writing to a string does not fail, here and below
        let mut text = String::with_capacity(ENTRIES * 8 + 1024);
        for line in self.description() {
            let mark = if text.is_empty() { "/*" } else { " *" };
            let _ = writeln!(text, "{mark} {line}");
        }
        let _ = writeln!(text, " */\n#ifndef {guard}\n#define {guard}\n\n#include <stdint.h>\n");
        let _ = writeln!(text, "static const uint16_t {name}[{ENTRIES}] = {{");
        self.write_entries(&mut text);
        text += "};\n\n/* The bit pattern of the result for the bit pattern of an argument. */\n";
        let _ = writeln!(text, "static inline uint16_t {name}_lookup(uint16_t argument)\n{{");
        let _ = writeln!(text, "    return {name}[argument];\n}}\n\n#endif");
        Ok(text)
    }

    /// A Rust module with the static `name`, to be included or used as a file.
    ///
    /// # Errors
    /// [`TableError::Identifier`].
    pub fn to_rust(&self, name: &str) -> Result<String, TableError> {
        Language::Rust.check(name)?;
        let mut text = String::with_capacity(ENTRIES * 8 + 1024);
        for line in self.description() {
            let _ = writeln!(text, "/// {line}");
        }
        text += "#[rustfmt::skip]\n";
        if name.contains(|c: char| c.is_ascii_lowercase()) {
            text += "#[allow(non_upper_case_globals)]\n";
        }
        let _ = writeln!(text, "pub static {name}: [u16; {ENTRIES}] = [");
        self.write_entries(&mut text);
        text += "];\n";
        Ok(text)
    }

    /// What the table is, in lines. (The text of an expression has no `*/` and no backtick.)
    fn description(&self) -> [String; 5] {
        [
            format!("`{}` in {}, rounded {}.", self.function, self.format(), self.rounding.description()),
            String::new(),
            "Entry i is the bit pattern of the correctly rounded result for the argument with the bit pattern i;".into(),
            "signed zeros, infinities and NaN follow IEEE 754.".into(),
            format!("Written by tmd {} (tmd table).", env!("CARGO_PKG_VERSION")),
        ]
    }

    fn write_entries(&self, text: &mut String) {
        for line in self.entries.chunks(PER_LINE) {
            text.push_str("   ");
            for entry in line {
                let _ = write!(text, " {entry:#06x},");
            }
            text.push('\n');
        }
    }
}
