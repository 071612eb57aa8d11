//! [`Number`]: an exact binary number `±significand·2^exponent`, written as C's `%a` does.

use tmd_difftable::power_of_two;

/// An exact binary number `significand·2^exponent`, the significand signed and at most 64 bits
/// wide.
///
/// Kept normalised: the significand is odd, or the number is 0. So equal numbers are equal
/// structures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Number {
    significand: i128,
    exponent: i32,
}

impl Number {
    /// Zero.
    pub const ZERO: Self = Self { significand: 0, exponent: 0 };

    /// The number `significand·2^exponent`.
    pub const fn new(significand: i128, exponent: i32) -> Self {
        if significand == 0 {
            return Self::ZERO;
        }
        let zeros = significand.trailing_zeros();
        Self { significand: significand >> zeros, exponent: exponent + zeros as i32 }
    }

    /// The finite number that an `f64` holds; `None` for infinities and NaN.
    pub fn from_f64(x: f64) -> Option<Self> {
        if !x.is_finite() {
            return None;
        }
        let bits = x.to_bits();
        let biased = (bits >> 52 & 0x7ff) as i32;
        let fraction = i128::from(bits & ((1 << 52) - 1));
        let magnitude = if biased == 0 { fraction } else { fraction | 1 << 52 };
        Some(Self::new(if x < 0.0 { -magnitude } else { magnitude }, biased.max(1) - 1075))
    }

    /// The number that C's `%a` writes so, with up to 30 digits; `None` for any other text.
    ///
    /// ```
    /// use tmd_core::Number;
    /// assert_eq!(Number::from_hex("-0x1.8p+3"), Some(Number::new(-12, 0)));
    /// assert_eq!(Number::from_hex("12"), None);
    /// ```
    pub fn from_hex(text: &str) -> Option<Self> {
        let (is_negative, magnitude) = match text.strip_prefix('-') {
            Some(magnitude) => (true, magnitude),
            None => (false, text),
        };
        let (significand, exponent) = magnitude.strip_prefix("0x")?.split_once('p')?;
        let (whole, fraction) = significand.split_once('.').unwrap_or((significand, ""));
        // 30 digits fit into i128 and are more than any format has
        if whole.is_empty() || whole.len() + fraction.len() > 30 || !significand.is_ascii() {
            return None;
        }
        let digits = |digits: &str, above: i128| {
            digits.chars().try_fold(above, |sum, digit| Some(sum << 4 | i128::from(digit.to_digit(16)?)))
        };
        let significand = digits(fraction, digits(whole, 0)?)?;
        let exponent = exponent.parse::<i32>().ok()?.checked_sub(4 * fraction.len() as i32)?;
        // far from the ends of i32, so that no arithmetic on it overflows
        (exponent.unsigned_abs() < 1 << 24)
            .then(|| Self::new(if is_negative { -significand } else { significand }, exponent))
    }

    /// The odd significand, with the number's sign; 0 for zero.
    pub const fn significand(self) -> i128 {
        self.significand
    }

    /// The exponent that goes with [`significand`](Self::significand).
    pub const fn exponent(self) -> i32 {
        self.exponent
    }

    /// `⌊log2|x|⌋`; `None` for zero.
    pub const fn log2_floor(self) -> Option<i32> {
        if self.significand == 0 {
            return None;
        }
        Some(self.exponent + 127 - self.significand.unsigned_abs().leading_zeros() as i32)
    }

    /// Significant bits the number needs; 0 for zero.
    pub const fn bits(self) -> u32 {
        128 - self.significand.unsigned_abs().leading_zeros()
    }

    /// The nearest `f64` (ties to even); exact for numbers of binary64.
    pub fn to_f64(self) -> f64 {
        // two steps keep 2^exponent in range; at most 64 significant bits make at most one rounding
        // in range
        let (half, rest) = (self.exponent / 2, self.exponent - self.exponent / 2);
        self.significand as f64 * power_of_two(half) * power_of_two(rest)
    }
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<core::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Number {
    fn cmp(&self, other: &Self) -> core::cmp::Ordering {
        use core::cmp::Ordering::{Equal, Greater, Less};
        let (a, b) = (self, other);
        match a.significand.signum().cmp(&b.significand.signum()) {
            Equal => {}
            decided => return decided,
        }
        let magnitude = match a.log2_floor().cmp(&b.log2_floor()) {
            Equal => {
                // same binade: align the significands at the top, 128 bits hold both
                let top = |x: &Self| {
                    let m = x.significand.unsigned_abs();
                    if m == 0 { 0 } else { m << m.leading_zeros() }
                };
                top(a).cmp(&top(b))
            }
            decided => decided,
        };
        match (a.significand < 0, magnitude) {
            (true, Less) => Greater,
            (true, Greater) => Less,
            (_, order) => order,
        }
    }
}

/// C's `%a` for a normalised number: `-0x1.8p+3`, `0x0p+0`.
impl core::fmt::Display for Number {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let Some(exponent) = self.log2_floor() else { return f.pad("0x0p+0") };
        let magnitude = self.significand.unsigned_abs();
        // the bits after the leading one, left-aligned in 128 bits (the shift by 128 of a power of
        // two is 0)
        let fraction = magnitude.checked_shl(magnitude.leading_zeros() + 1).unwrap_or(0);
        let digits = format!("{fraction:032x}");
        let digits = digits.trim_end_matches('0');
        let (sign, point) =
            (if self.significand < 0 { "-" } else { "" }, if digits.is_empty() { "" } else { "." });
        f.pad(&format!("{sign}0x1{point}{digits}p{exponent:+}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn printed_as_c_does() {
        for (x, text) in [
            (1.0, "0x1p+0"),
            (-12.0, "-0x1.8p+3"),
            (0.1, "0x1.999999999999ap-4"),
            (f64::from_bits(1), "0x1p-1074"),
            (0.0, "0x0p+0"),
        ] {
            assert_eq!(Number::from_f64(x).unwrap().to_string(), text);
        }
        assert_eq!(Number::from_f64(f64::NAN), None);
        assert_eq!(format!("{:>8}|", Number::ZERO), "  0x0p+0|");
    }

    proptest! {
        #[test]
        fn doubles_round_trip_and_order(x in any::<f64>(), y in any::<f64>()) {
            prop_assume!(x.is_finite() && y.is_finite());
            let (a, b) = (Number::from_f64(x).unwrap(), Number::from_f64(y).unwrap());
            prop_assert_eq!(a.to_f64(), x);
            prop_assert_eq!(Some(a.cmp(&b)), x.partial_cmp(&y));
            prop_assert!(a.bits() <= 53);
        }

        #[test]
        fn neighbors_order(m in 1i128..1 << 64, e in -2000i32..2000) {
            prop_assert!(Number::new(m, e) < Number::new(m + 1, e));
            prop_assert!(Number::new(-m, e) > Number::new(-m - 1, e));
            prop_assert_eq!(Number::new(2 * m, e), Number::new(m, e + 1));
        }
    }
}
