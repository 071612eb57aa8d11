//! Known answers: the literature's worst cases.
//!
//! Format of `data/known_worst_cases.txt`: `#` starts a comment line; every other line is
//! `FUNCTION ARGUMENT KIND BITS`, separated by blanks: the function's name, the argument as a C hex
//! float, `number` or `midpoint` for the nearest breakpoint, and the count of identical bits after
//! the rounding bit (the largest `k` with distance ≤ 2^-(k+1) ulp).

use tmd_core::Number;

/// One worst case of the literature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownCase {
    /// the function's name
    pub function: String,
    /// the argument, a double
    pub argument: Number,
    /// whether the nearest breakpoint is a midpoint
    pub midpoint: bool,
    /// identical bits after the rounding bit
    pub identical_bits: u32,
}

/// A line that is not of the format.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}: `{text}`")]
pub struct KnownError {
    /// line number, from 1
    pub line: usize,
    /// what is wrong
    pub reason: &'static str,
    /// the line
    pub text: String,
}

/// The literature's worst cases.
pub fn worst_cases() -> Result<Vec<KnownCase>, KnownError> {
    parse(include_str!("../data/known_worst_cases.txt"))
}

/// Parses a file of the format above.
pub fn parse(text: &str) -> Result<Vec<KnownCase>, KnownError> {
    let lines =
        text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
    lines
        .map(|(i, line)| {
            let fail = |reason| KnownError { line: i + 1, reason, text: line.into() };
            let words: Vec<_> = line.split_whitespace().collect();
            let [function, argument, kind, bits] = words[..] else { return Err(fail("not four words")) };
            let midpoint = match kind {
                "number" => false,
                "midpoint" => true,
                _ => return Err(fail("neither number nor midpoint")),
            };
            Ok(KnownCase {
                function: function.into(),
                argument: hex_float(argument).ok_or_else(|| fail("not a hex float"))?,
                midpoint,
                identical_bits: bits.parse().map_err(|_| fail("not a count of bits"))?,
            })
        })
        .collect()
}

/// A C hex float such as `-0x1.8p+3`; `None` if it is none or has more than 64 significant bits.
pub fn hex_float(text: &str) -> Option<Number> {
    Number::from_hex(text).filter(|number| number.bits() <= 64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_parses() {
        let cases = worst_cases().unwrap();
        assert!(cases.len() >= 20);
        assert!(cases.iter().any(|case| case.midpoint) && cases.iter().any(|case| !case.midpoint));
        assert!(cases.iter().all(|case| case.argument.bits() <= 53 && case.identical_bits >= 43));
    }

    #[test]
    fn malformed_lines_are_named() {
        for (text, line, reason) in [
            ("exp 0x1p+0 number", 1, "not four words"),
            ("# fine\nexp 0x1p+0 maybe 50", 2, "neither number nor midpoint"),
            ("exp 1.5 number 50", 1, "not a hex float"),
            ("exp 0x1p+0 number fifty", 1, "not a count of bits"),
        ] {
            let error = parse(text).unwrap_err();
            assert_eq!((error.line, error.reason), (line, reason));
        }
    }

    #[test]
    fn hex_floats() {
        assert_eq!(hex_float("0x1.8p+3"), Some(Number::new(12, 0)));
        assert_eq!(hex_float("-0x1p-1074"), Some(Number::new(-1, -1074)));
        for bad in
            ["", "1", "0x", "0x1", "0xp3", "0x1.p", "0x1.gp0", "0x1.00000000000000001p0", "0x1p99999999999"]
        {
            assert_eq!(hex_float(bad), None, "{bad}");
        }
        for x in [1.0, -0.1, 1e-300, 123_456.789] {
            let number = Number::from_f64(x).unwrap();
            assert_eq!(hex_float(&number.to_string()), Some(number));
        }
    }
}
