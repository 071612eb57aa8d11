//! [`Format`]: precision and exponent range of a binary floating-point format.

use core::iter::once;

use crate::CoreError;

/// A binary floating-point format: `precision` significant bits (the hidden one included),
/// exponents `min_exponent..=max_exponent` of normal numbers `1.m × 2^e`, gradual underflow below.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Format {
    precision: u32,
    min_exponent: i32,
    max_exponent: i32,
}

/// Named formats, in the order in which they are listed to users, with what they are called
/// elsewhere.
const NAMED: [(&str, Format, &[&str]); 5] = [
    ("binary16", Format::BINARY16, &["half", "float16", "fp16", "f16"]),
    ("bfloat16", Format::BFLOAT16, &["bf16", "brain16"]),
    ("binary32", Format::BINARY32, &["single", "float", "float32", "fp32", "f32"]),
    ("binary64", Format::BINARY64, &["double", "float64", "fp64", "f64"]),
    ("x87", Format::X87_EXTENDED, &["extended", "float80", "fp80"]),
];

impl Format {
    /// IEEE 754 binary16, "half".
    pub const BINARY16: Self = Self { precision: 11, min_exponent: -14, max_exponent: 15 };
    /// bfloat16: the exponent range of binary32 with 8 bits of precision.
    pub const BFLOAT16: Self = Self { precision: 8, min_exponent: -126, max_exponent: 127 };
    /// IEEE 754 binary32, "single".
    pub const BINARY32: Self = Self { precision: 24, min_exponent: -126, max_exponent: 127 };
    /// IEEE 754 binary64, "double".
    pub const BINARY64: Self = Self { precision: 53, min_exponent: -1022, max_exponent: 1023 };
    /// The x87 80-bit extended format.
    pub const X87_EXTENDED: Self = Self { precision: 64, min_exponent: -16382, max_exponent: 16383 };

    /// Exponents of a custom format without a practical bound: no overflow, no underflow.
    pub const UNBOUNDED_EXPONENT: i32 = 1 << 24;

    /// A custom format with exponents that never overflow or underflow in practice (`|e| ≤ 2^24`).
    ///
    /// # Errors
    /// [`CoreError::Precision`] unless `2 ≤ precision ≤ 64`.
    pub const fn custom(precision: u32) -> Result<Self, CoreError> {
        if precision < 2 || precision > 64 {
            return Err(CoreError::Precision { precision });
        }
        let bound = Self::UNBOUNDED_EXPONENT;
        Ok(Self { precision, min_exponent: -bound, max_exponent: bound })
    }

    /// The format with this precision and these exponents of normal numbers.
    ///
    /// # Errors
    /// [`CoreError::Precision`] unless `2 ≤ precision ≤ 64`, [`CoreError::Exponents`] unless
    /// `−2^24 ≤ min_exponent ≤ max_exponent ≤ 2^24`.
    pub const fn new(precision: u32, min_exponent: i32, max_exponent: i32) -> Result<Self, CoreError> {
        let bound = Self::UNBOUNDED_EXPONENT;
        if min_exponent < -bound || min_exponent > max_exponent || max_exponent > bound {
            return Err(CoreError::Exponents { min_exponent, max_exponent });
        }
        Self { precision, min_exponent, max_exponent }.with_precision(precision)
    }

    /// The same exponent range with another precision: the papers' arguments are binary64 numbers
    /// with 54 bits.
    ///
    /// # Errors
    /// [`CoreError::Precision`] unless `2 ≤ precision ≤ 64`.
    pub const fn with_precision(self, precision: u32) -> Result<Self, CoreError> {
        if precision < 2 || precision > 64 {
            return Err(CoreError::Precision { precision });
        }
        Ok(Self { precision, ..self })
    }

    /// The same exponent range with one bit more: its numbers are those of the format, and the
    /// midpoints between them. It has 65 bits at most, and is for breakpoints only.
    #[must_use]
    pub const fn with_midpoints(self) -> Self {
        Self { precision: self.precision + 1, ..self }
    }

    /// The format with this name (`binary16`, `bfloat16`, `binary32`, `binary64`, `x87`), or with
    /// one that it has elsewhere (`half`, `bf16`, `fp32`, `float`, `double`, …); in capitals or
    /// not.
    ///
    /// # Errors
    /// [`CoreError::UnknownFormat`] for any other name.
    pub fn named(name: &str) -> Result<Self, CoreError> {
        let is_meant = |known: &&str| known.eq_ignore_ascii_case(name);
        let found = NAMED.iter().find(|(known, _, others)| once(known).chain(*others).any(is_meant));
        found.map(|&(_, format, _)| format).ok_or_else(|| CoreError::UnknownFormat {
            name: name.into(),
            known: NAMED.map(|(known, ..)| known).join(", "),
        })
    }

    /// Significant bits, the hidden one included.
    pub const fn precision(self) -> u32 {
        self.precision
    }

    /// Exponent of the smallest normal number.
    pub const fn min_exponent(self) -> i32 {
        self.min_exponent
    }

    /// Exponent of the largest finite number.
    pub const fn max_exponent(self) -> i32 {
        self.max_exponent
    }

    /// `log2` of the ulp of numbers with `2^exponent ≤ |y| < 2^(exponent+1)`; constant below the
    /// smallest normal.
    pub const fn ulp_exponent(self, exponent: i32) -> i32 {
        let exponent = if exponent < self.min_exponent { self.min_exponent } else { exponent };
        exponent - self.precision as i32 + 1
    }
}

impl core::fmt::Display for Format {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match NAMED.iter().find(|(_, format, _)| format == self) {
            Some((name, ..)) => f.write_str(name),
            None => write!(f, "precision {}", self.precision),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tmd_difftable::power_of_two;

    #[test]
    fn ulps_of_binary64() {
        let d = Format::BINARY64;
        assert_eq!(power_of_two(d.ulp_exponent(0)), f64::EPSILON);
        assert_eq!(d.ulp_exponent(-1022), -1074);
        assert_eq!(d.ulp_exponent(-1070), -1074, "subnormal numbers share one ulp");
        assert_eq!(Format::BINARY32.ulp_exponent(0), -23);
        assert_eq!(Format::BINARY16.ulp_exponent(-20), -24);
    }

    #[test]
    fn names_and_custom_precisions() {
        for (name, format, _) in NAMED {
            assert_eq!(Format::named(name), Ok(format));
            assert_eq!(format.to_string(), name);
        }
        assert!(matches!(Format::named("binary128"), Err(CoreError::UnknownFormat { .. })));
        for (name, format) in [
            ("double", Format::BINARY64),
            ("f64", Format::BINARY64),
            ("fp32", Format::BINARY32),
            ("Float", Format::BINARY32),
            ("half", Format::BINARY16),
            ("float16", Format::BINARY16),
            ("BF16", Format::BFLOAT16),
        ] {
            assert_eq!(Format::named(name), Ok(format), "{name}");
        }
        assert_eq!(Format::named("double").unwrap().to_string(), "binary64");
        assert_eq!(Format::custom(1), Err(CoreError::Precision { precision: 1 }));
        assert_eq!(Format::custom(65), Err(CoreError::Precision { precision: 65 }));
        assert_eq!(Format::custom(54).unwrap().to_string(), "precision 54");
        assert_eq!(Format::BINARY64.with_precision(54).unwrap().ulp_exponent(0), -53);
    }
}
