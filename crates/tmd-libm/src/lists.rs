//! Hard cases from certificates, and from the lists that are made of them.

use std::path::Path;

use tmd_core::Number;
use tmd_driver::{
    Certificate,
    certificate::{ClassRecord, expand},
    interval::argument,
};
use tmd_functions::{Expression, Function, parse_number};

use crate::{Encoding, LibmError};

/// Most cases of a certificate that are taken one by one, where rules stand for more.
pub const MOST_EXPANDED: usize = 2_000_000;

/// The arguments of a certificate: hard cases, those that follow from them by symmetry (two million
/// at most), exact cases, and what could not be decided.
///
/// # Errors
/// [`LibmError::Cases`] if it is of another function or format, or its numbers are none.
pub fn of_certificate(
    certificate: &Certificate,
    path: &Path,
    function: &Expression,
    encoding: Encoding,
) -> Result<Vec<Number>, LibmError> {
    let refuse = |reason: String| LibmError::Cases { path: path.into(), reason };
    if !is_about(certificate, function, encoding) {
        let (of, format) = (&certificate.function, &certificate.format.name);
        let (name, wanted) = (function.name(), encoding.format());
        return Err(refuse(format!("it is the certificate of {of} in {format}, not of {name} in {wanted}")));
    }
    let expanded = expand(certificate).map_err(|error| refuse(error.to_string()))?;
    let mut numbers: Vec<Number> = expanded.take(MOST_EXPANDED).map(|expanded| expanded.argument).collect();
    let exact = certificate.exact_cases.iter().map(|case| &case.x);
    let undecided = certificate.undecided.iter().map(|case| &case.x);
    let single =
        certificate.regions.iter().filter(|region| matches!(region.class, ClassRecord::Exact { .. }));
    for text in exact.chain(undecided).chain(single.map(|region| &region.first)) {
        numbers.push(number(text, encoding).map_err(&refuse)?);
    }
    Ok(numbers)
}

/// Whether a certificate is about a function in a format.
pub fn is_about(certificate: &Certificate, function: &Expression, encoding: Encoding) -> bool {
    let is_of = |text: &str| tmd_functions::parse(text).is_ok_and(|of| of == *function);
    certificate.format.format().is_ok_and(|format| format == encoding.format())
        && (certificate.function == function.name() || is_of(&certificate.function))
}

/// The arguments of a list: one a line, before a comma or a comment (`#`), as CORE-MATH's `wc`
/// files have them; or the column `x` of comma-separated values with a head.
///
/// # Errors
/// [`LibmError::Cases`] with the first line that holds no number of the format.
pub fn of_text(text: &str, path: &Path, encoding: Encoding) -> Result<Vec<Number>, LibmError> {
    let mut numbers = Vec::new();
    let (mut column, mut is_first) = (0, true);
    for (i, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        let mut fields = line.split(',').map(str::trim);
        if std::mem::take(&mut is_first)
            && let Some(place) = line.split(',').position(|field| field.trim() == "x")
        {
            column = place;
            continue;
        }
        let field = fields.nth(column).unwrap_or_default();
        numbers.push(number(field, encoding).map_err(|reason| LibmError::Cases {
            path: path.into(),
            reason: format!("line {}: {reason}", i + 1),
        })?);
    }
    if numbers.is_empty() {
        let reason = "it lists no arguments; name a certificate, a wc list, or a csv with a column x".into();
        return Err(LibmError::Cases { path: path.into(), reason });
    }
    Ok(numbers)
}

fn number(text: &str, encoding: Encoding) -> Result<Number, String> {
    let value = parse_number(text).map_err(|error| format!("`{text}`: {error}"))?;
    argument(&value, encoding.format()).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use tmd_core::Format;

    #[test]
    fn lists_of_several_kinds() {
        let encoding = Encoding::new(Format::BINARY64).unwrap();
        let read = |text: &str| of_text(text, Path::new("a.wc"), encoding);
        let [one, two] = [1, 2].map(|m| Number::new(m, 0));
        assert_eq!(read("# exp\n0x1p+0 # midpoint\n\n2\n").unwrap(), [one, two]);
        assert_eq!(read("sign,x,kind\n+,0x1p+0,a\n-,0x1p+1,b\n").unwrap(), [one, two]);
        assert_eq!(read("0x1p+0,0x1.5p+1\n").unwrap(), [one]);
        let error = read("1\n0.1\n").unwrap_err().to_string();
        assert!(error.starts_with("a.wc: line 2: "), "{error}");
        assert!(read("hello\n").unwrap_err().to_string().contains("line 1: `hello`"));
        assert!(read("# nothing\n").unwrap_err().to_string().contains("lists no arguments"));
    }
}
