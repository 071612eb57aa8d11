//! [`Encoding`]: the 16-bit patterns of a format, and rounding to them.

use rug::{Float, float::Round};
use tmd_core::Format;
use tmd_functions::special::Sign;

use super::{
    Rounding, TableError,
    pattern::{self, Class},
    rounding::Rest,
};

/// The encoding of a format of 16 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Encoding(pattern::Encoding);

impl Encoding {
    /// The encoding of a format.
    ///
    /// # Errors
    /// [`TableError::Format`] unless it is binary16 or bfloat16.
    pub fn new(format: Format) -> Result<Self, TableError> {
        let encoding = pattern::Encoding::new(format).ok().filter(|encoding| encoding.width() == 16);
        encoding.map(Self).ok_or(TableError::Format { format })
    }

    /// The format.
    pub fn format(self) -> Format {
        self.0.format()
    }

    /// ±∞.
    pub fn infinity(self, sign: Sign) -> u16 {
        self.0.pattern(sign, self.0.infinite()) as u16
    }

    /// ±0.
    pub fn zero(self, sign: Sign) -> u16 {
        self.0.pattern(sign, 0) as u16
    }

    /// The canonical quiet NaN: positive, the first bit of the fraction and no other.
    pub fn nan(self) -> u16 {
        self.0.nan() as u16
    }

    /// What a bit pattern stands for.
    pub fn decode(self, bits: u16) -> Class {
        self.0.decode(bits.into())
    }

    /// `y`, finite and not 0, rounded: overflow gives ∞ or the largest number, underflow 0 or the
    /// least one, with the sign of `y`.
    pub fn round(self, y: &Float, rounding: Rounding) -> u16 {
        debug_assert!(y.is_finite() && !y.is_zero());
        let sign = if y.is_sign_negative() { Sign::Negative } else { Sign::Positive };
        let (below, rest) = self.truncate(y);
        // ordinals of neighbors are neighbors, and ∞ comes after the largest number
        let ordinal = below + u128::from(rounding.is_away(sign, below % 2 != 0, rest));
        self.0.pattern(sign, ordinal) as u16
    }

    /// The ordinal of the largest magnitude that is not above |y|, and what is left, in its ulps.
    fn truncate(self, y: &Float) -> (u128, Rest) {
        let format = self.format();
        let (least, largest) = (format.min_exponent(), format.max_exponent());
        // MPFR: 2^(e−1) ≤ |y| < 2^e; a finite number other than 0 has an exponent
        let exponent = y.get_exp().map_or(i32::MIN, |e| e - 1);
        if exponent > largest {
            return (self.0.infinite() - 1, Rest::AboveHalf);
        }
        // half of the least number is 2^(least − p)
        if exponent < least - format.precision() as i32 {
            return (0, Rest::BelowHalf);
        }
        let scaled = Float::with_val(y.prec(), y.abs_ref()) >> format.ulp_exponent(exponent);
        let ulps = scaled.to_u32_saturating_round(Round::Zero).unwrap_or_default(); // less than 2^p
        let rest = Float::with_val(y.prec().max(32), &scaled - ulps);
        let binades = (exponent.max(least) - least) as u128;
        (binades * self.0.least_normal() + u128::from(ulps), Rest::of(&rest))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tmd_core::Number;

    #[test]
    fn formats_of_sixteen_bits() {
        for format in [Format::BINARY16, Format::BFLOAT16] {
            let encoding = Encoding::new(format).unwrap();
            assert_eq!(encoding.format(), format);
        }
        let other = [Format::BINARY32, Format::BINARY64, Format::X87_EXTENDED];
        let custom = [Format::custom(11).unwrap(), Format::BINARY32.with_precision(11).unwrap()];
        for format in other.into_iter().chain(custom) {
            assert_eq!(Encoding::new(format), Err(TableError::Format { format }));
        }
    }

    #[test]
    fn patterns_that_people_know() {
        let half = Encoding::new(Format::BINARY16).unwrap();
        let number = |m, e| Class::Number(Number::new(m, e));
        for (bits, class, text) in [
            (0x3c00, number(1, 0), "0x1p+0"),
            (0x7bff, number(65504, 0), "0x1.ffcp+15"),
            (0x8001, number(-1, -24), "-0x1p-24"),
            (0x0400, number(1, -14), "0x1p-14"),
            (0x03ff, number(1023, -24), "0x1.ff8p-15"),
            (0x7c00, Class::Infinity(Sign::Positive), "+inf"),
            (0xfc00, Class::Infinity(Sign::Negative), "-inf"),
            (0x8000, Class::Zero(Sign::Negative), "-0"),
            (0x7e00, Class::Nan { is_quiet: true }, "nan"),
            (0xfc01, Class::Nan { is_quiet: false }, "signaling nan"),
        ] {
            assert_eq!(half.decode(bits), class);
            assert_eq!(class.to_string(), text);
        }
        assert_eq!(
            (half.nan(), half.infinity(Sign::Negative), half.zero(Sign::Negative)),
            (0x7e00, 0xfc00, 0x8000)
        );
        let brain = Encoding::new(Format::BFLOAT16).unwrap();
        assert_eq!(brain.decode(0x4049), number(201, -6)); // 3.140625
        assert_eq!(brain.decode(0x0001), number(1, -133));
        assert_eq!((brain.nan(), brain.infinity(Sign::Positive)), (0x7fc0, 0x7f80));
    }

    /// Every number rounds to itself, in every mode.
    #[test]
    fn numbers_are_their_own_roundings() {
        for format in [Format::BINARY16, Format::BFLOAT16] {
            let encoding = Encoding::new(format).unwrap();
            for bits in 0..=u16::MAX {
                if let Class::Number(x) = encoding.decode(bits) {
                    let y = tmd_functions::taylor::float_of(x);
                    for rounding in Rounding::ALL {
                        assert_eq!(encoding.round(&y, rounding), bits, "{x} {rounding}");
                    }
                }
            }
        }
    }

    #[test]
    fn overflow_and_underflow() {
        let half = Encoding::new(Format::BINARY16).unwrap();
        let all = |y: f64| Rounding::ALL.map(|rounding| half.round(&Float::with_val(64, y), rounding));
        // nearest-even, nearest-away, up, down, zero
        assert_eq!(all(65519.9), [0x7bff, 0x7bff, 0x7c00, 0x7bff, 0x7bff]);
        assert_eq!(all(65520.0), [0x7c00, 0x7c00, 0x7c00, 0x7bff, 0x7bff]);
        assert_eq!(all(1e300), [0x7c00, 0x7c00, 0x7c00, 0x7bff, 0x7bff]);
        assert_eq!(all(-1e300), [0xfc00, 0xfc00, 0xfbff, 0xfc00, 0xfbff]);
        let least = 2f64.powi(-24);
        assert_eq!(all(least / 2.0), [0, 1, 1, 0, 0]);
        assert_eq!(all(least * 0.50001), [1, 1, 1, 0, 0]);
        assert_eq!(all(least * 1.5), [2, 2, 2, 1, 1]);
        assert_eq!(all(least * 2.5), [2, 3, 3, 2, 2]);
        assert_eq!(all(-least / 2.0), [0x8000, 0x8001, 0x8000, 0x8001, 0x8000]);
        assert_eq!(all(-1e-300), [0x8000, 0x8000, 0x8000, 0x8001, 0x8000]);
        assert_eq!(all(1e-300), [0, 0, 1, 0, 0]);
        // the binade's border: up from the last number below 2
        assert_eq!(all(2.0 - 2f64.powi(-11)), [0x4000, 0x4000, 0x4000, 0x3fff, 0x3fff]);
    }
}
