//! Numbers of a format from their text in a document.

use tmd_core::{Format, Number};
use tmd_functions::parse_number;

use crate::{DriverError, interval::argument};

/// A number of a format from its text: any constant expression.
///
/// # Errors
/// Texts that are none, and values that are no number of the format.
pub(crate) fn number_from(text: &str, format: Format) -> Result<Number, DriverError> {
    // as numbers are printed: a certificate has a million of them, and to read them as expressions
    // takes longer than to confirm the cases at them
    let printed = Number::from_hex(text).filter(|x| is_of(*x, format) && x.to_string() == text);
    printed.map_or_else(|| by_expression(text, format), Ok)
}

/// The same, whatever the text is.
fn by_expression(text: &str, format: Format) -> Result<Number, DriverError> {
    let value = parse_number(text).map_err(|error| DriverError::Unreadable {
        what: "a number of the document",
        reason: format!("{text}: {error}"),
    })?;
    argument(&value, format)
}

/// Whether a number is one of a format, and not so far from 1 that it might be refused as an
/// expression.
fn is_of(x: Number, format: Format) -> bool {
    x.log2_floor().is_none_or(|exponent| {
        exponent.unsigned_abs() < 1 << 20
            && exponent <= format.max_exponent()
            && format.ulp_exponent(exponent) <= x.exponent()
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// By both ways: the number, or the same words why there is none.
    fn is_same(text: &str, format: Format) {
        let said = |read: Result<Number, DriverError>| read.map_err(|error| error.to_string());
        assert_eq!(said(number_from(text, format)), said(by_expression(text, format)), "{text} in {format}");
    }

    /// The last one has all exponents that there may be.
    fn formats() -> Vec<Format> {
        let custom = Format::custom(53).unwrap();
        vec![Format::BINARY64, Format::X87_EXTENDED, Format::BINARY16, Format::BFLOAT16, custom]
    }

    #[test]
    fn texts_of_all_kinds() {
        for format in formats() {
            for text in [
                "0x0p+0",
                "-0x0p+0",
                "0x1p+0",
                "0x1.8p3",
                "0X1P+0",
                "0x1.p+0",
                "0x2p+0",
                "0x1.80p+0",
                "12",
                "-3/2",
                "2^-3",
                "1e3",
                "pi",
                "0x1.g",
                "",
                "0x1.fffffffffffffp+1023",
                "0x1p+1024",
                "0x1p-1074",
                "0x1p-1075",
                "0x1p-24",
                "0x1p-25",
                "0x1.ffcp+15",
                "0x1p+16",
                "0x1.fffffffffffffffep+16383",
                "0x1.ffffffffffffffffp+0",
                "0x1p+99999999999",
                "0x1p+5000000",
                "-0x1.8p-5000000",
                "0x1p+1048575",
                "0x1p+1048576",
            ] {
                is_same(text, format);
            }
        }
    }

    proptest! {
        #[test]
        fn numbers_are_read_as_expressions_are(
            significand in any::<u64>(),
            bits in 0u32..64,
            is_negative in any::<bool>(),
            exponent in prop_oneof![-1200i32..1100, -30i32..30, -17_000i32..17_000],
            format in prop::sample::select(formats()),
        ) {
            let magnitude = i128::from(significand >> bits);
            let x = Number::new(if is_negative { -magnitude } else { magnitude }, exponent);
            is_same(&x.to_string(), format);
            // one that is near the ends of the format
            let place = |bound: i32| Number::new(magnitude | 1, bound - 63 + bits as i32);
            is_same(&place(format.max_exponent()).to_string(), format);
            is_same(&place(format.max_exponent() + 1).to_string(), format);
            is_same(&place(format.min_exponent()).to_string(), format);
        }
    }
}
