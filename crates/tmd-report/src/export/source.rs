//! [`Table`]: arguments, their correctly rounded results and distances as a C header, a Rust
//! module, or lines of words.

use std::fmt::Write as _;

use tmd_core::Format;
use tmd_driver::{
    Certificate,
    report::plain,
    table::{Language, Rounding},
};

use crate::{
    ReportError,
    bits::{pattern, width},
    rounded::Rounded,
    rows::Row,
};

/// Characters of the expression in a derived name.
const DERIVED_LENGTH: usize = 32;

/// A table to be written. Undecided arguments are no part of it: the comment says which they are.
pub(crate) struct Table {
    format: Format,
    modes: Vec<Rounding>,
    comment: Vec<String>,
    lines: Vec<Line>,
}

struct Line {
    x: Rounded,
    results: Vec<Rounded>,
    /// none where f(x) is a breakpoint
    log2_dist: Option<f64>,
    stands_for: u128,
}

/// The type of numbers of a format in C.
struct CType {
    name: &'static str,
    suffix: &'static str,
    /// whether it holds bit patterns
    is_pattern: bool,
}

impl Table {
    /// A table of rows, with the results in these modes.
    ///
    /// # Errors
    /// [`ReportError::Question`] if the format does not exist.
    pub(crate) fn new(
        certificate: &Certificate,
        modes: &[Rounding],
        comment: Vec<String>,
        rows: &[Row],
    ) -> Result<Self, ReportError> {
        let format = certificate.format.format()?;
        let line = |row: &Row| {
            let results = modes
                .iter()
                .map(|mode| row.rounded(*mode, &certificate.function, format))
                .collect::<Option<_>>()?;
            Some(Line {
                x: Rounded::new(row.argument, false, format),
                results,
                log2_dist: row.log2_dist,
                stands_for: row.stands_for,
            })
        };
        Ok(Self { format, modes: modes.to_vec(), comment, lines: rows.iter().filter_map(line).collect() })
    }

    /// A line for each argument.
    pub(crate) fn to_corpus(&self) -> String {
        let mut text = String::new();
        let names: Vec<String> = self.modes.iter().map(|mode| mode.name().replace('-', "_")).collect();
        let columns = format!("columns: x {} log2_dist", names.join(" "));
        // writing to a String does not fail, here and below
        for line in self.comment.iter().chain([&columns]) {
            let _ = writeln!(text, "# {}", plain(line));
        }
        for line in &self.lines {
            let _ = write!(text, "{}", line.x);
            for result in &line.results {
                let _ = write!(text, " {result}");
            }
            let _ = match line.log2_dist {
                Some(distance) => write!(text, " {distance:.4}"),
                None => write!(text, " -inf"),
            };
            let _ = writeln!(text, "{}", line.stands_for(" # "));
        }
        text
    }

    /// A C99 header.
    ///
    /// # Errors
    /// [`ReportError::Name`], [`ReportError::Type`].
    pub(crate) fn to_c(&self, name: &str) -> Result<String, ReportError> {
        Language::C.check(name)?;
        let kind = self.c_type()?;
        let mut text = String::with_capacity(self.lines.len() * 160 + 4096);
        for line in &self.comment {
            let mark = if text.is_empty() { "/*" } else { " *" };
            let _ = writeln!(text, "{mark} {}", in_c(line));
        }
        let capitals = name.to_ascii_uppercase();
        let _ = writeln!(text, " */\n#ifndef TMD_{capitals}_H\n#define TMD_{capitals}_H\n");
        if kind.is_pattern {
            text += "#include <math.h>\n#include <stdint.h>\n\n";
        } else if self.format == Format::X87_EXTENDED {
            text += "#include <float.h>\n#include <math.h>\n\n#if LDBL_MANT_DIG != 64\n#error \"long double is not x87's extended format\"\n#endif\n\n";
        } else {
            text += "#include <math.h>\n\n";
        }
        if kind.is_pattern {
            let _ = writeln!(text, "/* Arguments and results are bit patterns of {}. */", self.format);
        }
        let _ = writeln!(text, "struct {name}_case {{\n    {} x;", kind.name);
        for mode in &self.modes {
            let _ = writeln!(
                text,
                "    {} {}; /* f(x) rounded {} */",
                kind.name,
                field(*mode),
                mode.description()
            );
        }
        text += "    double log2_dist; /* between f(x) and the nearest breakpoint, in ulps; -INFINITY: f(x) is one */\n};\n\n";
        let _ = writeln!(text, "#define {capitals}_COUNT {}\n", self.lines.len());
        if self.lines.is_empty() {
            text += "/* C has no empty arrays: there is no case, and this is none. */\n";
        }
        let _ = writeln!(text, "static const struct {name}_case {name}[{}] = {{", self.lines.len().max(1));
        for line in &self.lines {
            text += "    {";
            for number in line.numbers() {
                // numbers that the format does not have are refused either way
                let bits = self.pattern(number)?;
                if kind.is_pattern {
                    let _ = write!(text, "{bits:#06x}, ");
                } else {
                    let _ = match number {
                        Rounded::Infinity(true) => write!(text, "-INFINITY, "),
                        Rounded::Infinity(false) => write!(text, "INFINITY, "),
                        finite => write!(text, "{finite}{}, ", kind.suffix),
                    };
                }
            }
            let _ = match line.log2_dist {
                Some(distance) => writeln!(text, "{distance:.4}}},{}", line.remark()),
                None => writeln!(text, "-INFINITY}},{}", line.remark()),
            };
        }
        if self.lines.is_empty() {
            let zeros = "0, ".repeat(1 + self.modes.len());
            let _ = writeln!(text, "    {{{zeros}0.0}},");
        }
        text += "};\n\n#endif\n";
        Ok(text)
    }

    /// A Rust module.
    ///
    /// # Errors
    /// [`ReportError::Name`], [`ReportError::Type`].
    pub(crate) fn to_rust(&self, name: &str) -> Result<String, ReportError> {
        Language::Rust.check(name)?;
        let width = width(self.format).ok_or(ReportError::Type { format: self.format })?;
        let (kind, is_pattern) = match width {
            32 => ("f32", false),
            64 => ("f64", false),
            16 => ("u16", true),
            _ => ("u128", true),
        };
        let mut text = String::with_capacity(self.lines.len() * 240 + 4096);
        for line in &self.comment {
            let _ = writeln!(text, "// {}", plain(line));
        }
        let of = if is_pattern { format!(", as bit patterns of {}", self.format) } else { String::new() };
        let _ = writeln!(
            text,
            "\n/// An argument and its correctly rounded results{of}.\n#[allow(dead_code)]\n\
             #[derive(Clone, Copy, Debug, PartialEq)]\npub struct Case {{\n    /// The argument.\n    pub x: {kind},"
        );
        for mode in &self.modes {
            let _ = writeln!(
                text,
                "    /// f(x) rounded {}.\n    pub {}: {kind},",
                mode.description(),
                field(*mode)
            );
        }
        let _ = writeln!(
            text,
            "    /// log2 of the distance between f(x) and the nearest breakpoint, in ulps; −∞ if f(x) is one.\n    \
             pub log2_dist: f64,\n}}\n\n/// The cases.\n#[rustfmt::skip]\n#[allow(dead_code)]"
        );
        if name.contains(|c: char| c.is_ascii_lowercase()) {
            text += "#[allow(non_upper_case_globals)]\n";
        }
        let _ = writeln!(text, "pub static {name}: [Case; {}] = [", self.lines.len());
        let fields = ["x".to_owned()].into_iter().chain(self.modes.iter().map(|mode| field(*mode)));
        let fields: Vec<String> = fields.collect();
        for line in &self.lines {
            text += "    Case {";
            for (number, field) in line.numbers().zip(&fields) {
                let digits = width.div_ceil(4) as usize + 2;
                let bits = self.pattern(number)?;
                let _ = if is_pattern {
                    write!(text, " {field}: {bits:#0digits$x},")
                } else {
                    write!(text, " {field}: {kind}::from_bits({bits:#0digits$x}),")
                };
            }
            let remark = line.remark();
            let _ = match line.log2_dist {
                Some(distance) => writeln!(text, " log2_dist: {distance:.4} }},{remark}"),
                None => writeln!(text, " log2_dist: f64::NEG_INFINITY }},{remark}"),
            };
        }
        text += "];\n";
        Ok(text)
    }

    fn c_type(&self) -> Result<CType, ReportError> {
        let no_type = ReportError::Type { format: self.format };
        let (name, suffix, is_pattern) = match width(self.format).ok_or(no_type)? {
            32 => ("float", "f", false),
            64 => ("double", "", false),
            16 => ("uint16_t", "", true),
            _ => ("long double", "L", false),
        };
        Ok(CType { name, suffix, is_pattern })
    }

    /// The bit pattern of a number that a certificate says the format has.
    fn pattern(&self, number: Rounded) -> Result<u128, ReportError> {
        pattern(number, self.format).ok_or_else(|| ReportError::Number { text: number.to_string() })
    }
}

impl Line {
    /// The argument and the results.
    fn numbers(&self) -> impl Iterator<Item = Rounded> {
        [self.x].into_iter().chain(self.results.iter().copied())
    }

    fn stands_for(&self, mark: &str) -> String {
        if self.stands_for > 1 { format!("{mark}stands for {}", self.stands_for) } else { String::new() }
    }

    /// What is said of it in C and Rust.
    fn remark(&self) -> String {
        let words = self.stands_for("");
        if words.is_empty() { words } else { format!(" /* {words} */") }
    }
}

/// The name of a mode as a field.
fn field(mode: Rounding) -> String {
    mode.name().replace('-', "_")
}

/// The name that follows from an expression and a format: `exp_binary64`, `f_1_x_binary16`; in Rust
/// in capitals.
pub(crate) fn default_name(function: &str, format: &str, language: Language) -> String {
    let is_word = |text: &&str| text.chars().all(|c| c.is_ascii_alphanumeric());
    let expression = function.strip_suffix("(x)").filter(is_word).unwrap_or(function);
    language.name_of(expression, DERIVED_LENGTH, format)
}

/// A line as a comment of C shows it, which has an end: no `*/`, no `/*`, no trigraph, and no line
/// that goes on. File names and what is not checked in a certificate come here.
fn in_c(line: &str) -> String {
    let mut text = plain(line).into_owned();
    for (found, instead) in [("*/", "* /"), ("/*", "/ *"), ("??", "? ?")] {
        while text.contains(found) {
            text = text.replace(found, instead);
        }
    }
    if text.ends_with('\\') {
        text.push('.');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_cannot_be_left() {
        for text in ["a */ int x; /*", "*/*/*/", "/*/", "????/", "a\nb\r\u{2028}c", "\u{202e}abc", "ends \\"]
        {
            let comment = in_c(text);
            assert!(
                !comment.contains("*/") && !comment.contains("/*") && !comment.contains("??"),
                "{comment}"
            );
            assert!(
                !comment.contains(['\n', '\r', '\u{2028}', '\u{202e}']) && !comment.ends_with('\\'),
                "{comment}"
            );
        }
        assert_eq!(plain("exp(x) ≤ 2^-9"), "exp(x) ≤ 2^-9");
    }

    #[test]
    fn derived_names() {
        let name = |function| default_name(function, "binary16", Language::C);
        assert_eq!(name("exp(x)"), "exp_binary16");
        assert_eq!(name("1/x"), "f_1_x_binary16");
        assert_eq!(name("é"), "f__binary16");
        assert_eq!(default_name("log2(x)", "x87", Language::Rust), "LOG2_X87");
        let long = default_name(&"sin(x)+".repeat(40), "binary64", Language::Rust);
        assert!(Language::Rust.check(&long).is_ok() && Language::C.check(&long).is_ok(), "{long}");
        for function in ["é", "1/x", "-x"] {
            Language::C.check(&name(function)).unwrap();
        }
    }
}
