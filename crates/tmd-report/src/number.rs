//! Numbers from their text, as certificates write them: C's `%a`.

use tmd_core::Number;

use crate::ReportError;

/// The number that `text` is: what [`Number`] prints.
///
/// # Errors
/// [`ReportError::Number`] for anything else.
///
/// ```
/// assert_eq!(tmd_report::number::number("-0x1.8p+3")?.to_f64(), -12.0);
/// assert!(tmd_report::number::number("12").is_err());
/// # Ok::<(), tmd_report::ReportError>(())
/// ```
pub fn number(text: &str) -> Result<Number, ReportError> {
    Number::from_hex(text).ok_or_else(|| ReportError::Number { text: text.into() })
}

/// The number that a value in a certificate is: C's `%a` as everywhere, or, where theory knows it,
/// an integer or a fraction such as `-3/2`.
///
/// # Errors
/// [`ReportError::Number`] for anything else, also for fractions whose denominator is no power of
/// two.
///
/// ```
/// assert_eq!(tmd_report::number::value("-3/2")?.to_string(), "-0x1.8p+0");
/// assert_eq!(tmd_report::number::value("0x1p+0")?, tmd_report::number::value("1")?);
/// # Ok::<(), tmd_report::ReportError>(())
/// ```
pub fn value(text: &str) -> Result<Number, ReportError> {
    let fraction = || {
        let (numerator, denominator) = text.split_once('/').unwrap_or((text, "1"));
        let denominator: u64 = denominator.parse().ok()?;
        let is_integer =
            |text: &str| text.strip_prefix('-').unwrap_or(text).bytes().all(|b| b.is_ascii_digit());
        (denominator.is_power_of_two() && is_integer(numerator))
            .then(|| Some(Number::new(numerator.parse().ok()?, -(denominator.trailing_zeros() as i32))))?
    };
    Number::from_hex(text).or_else(fraction).ok_or_else(|| ReportError::Number { text: text.into() })
}

/// The `f64` that equals `x`; none if no `f64` does.
pub fn exact_f64(x: Number) -> Option<f64> {
    let nearest = x.to_f64();
    (Number::from_f64(nearest) == Some(x)).then_some(nearest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_numbers_print_is_read_back() {
        for (significand, exponent) in
            [(0, 0), (1, 0), (-3, 2), (0x1f_ffff_ffff_ffff, -1074), (u64::MAX.into(), 16_320)]
        {
            let x = Number::new(significand, exponent);
            assert_eq!(number(&x.to_string()), Ok(x));
        }
    }

    #[test]
    fn anything_else_is_refused() {
        let texts = "1 0x 0x1 0xp+0 0x1p 0x1.gp+0 0x1p+99999999999 0x1p+2000000000 1/3";
        for text in texts.split(' ').chain(["", "0x1.8p+3 "]) {
            assert!(number(text).is_err(), "{text}");
        }
        assert!(number(&format!("0x1.{}p+0", "0".repeat(40))).is_err());
    }

    #[test]
    fn values_that_theory_knows() {
        for (text, significand, exponent) in
            [("0", 0, 0), ("1", 1, 0), ("-7", -7, 0), ("3/8", 3, -3), ("0x1.8p+3", 3, 2)]
        {
            assert_eq!(value(text), Ok(Number::new(significand, exponent)), "{text}");
        }
        for text in ["1/3", "1/0", "", "/", "1/", "+1", "1.5", "one"] {
            assert!(value(text).is_err(), "{text}");
        }
    }

    #[test]
    fn doubles_that_equal_a_number() {
        assert_eq!(exact_f64(Number::new(3, -1)), Some(1.5));
        assert_eq!(exact_f64(Number::ZERO), Some(0.0));
        assert_eq!(exact_f64(Number::new(1, -1074)), Some(f64::from_bits(1)));
        assert_eq!(exact_f64(Number::new((1 << 53) + 1, 0)), None, "54 bits");
        assert_eq!(exact_f64(Number::new(1, 1024)), None, "too large");
        assert_eq!(exact_f64(Number::new(1, -1075)), None, "too small");
    }
}
