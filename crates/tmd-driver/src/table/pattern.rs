//! [`Encoding`]: the bit patterns of a format, as they are in a register.

use std::fmt;

use tmd_core::{Format, Number};
pub use tmd_functions::special::Sign;

/// The encoding of a format: sign, biased exponent, and the fraction, before which x87 writes the
/// integer bit. Patterns are the low bits of a `u128`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Encoding {
    format: Format,
    /// bits of the biased exponent
    exponent_bits: u32,
    /// whether the integer bit is written
    is_explicit: bool,
}

/// A format that no machine has patterns of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there are no bit patterns of {format}; take binary16, bfloat16, binary32, binary64 or x87")]
pub struct UnknownFormat {
    /// The format asked for.
    pub format: Format,
}

/// What a bit pattern stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Not a number; `is_quiet` unless it is a signaling one.
    Nan {
        /// whether operations on it raise no exception
        is_quiet: bool,
    },
    /// ±∞.
    Infinity(Sign),
    /// ±0.
    Zero(Sign),
    /// A finite number other than 0.
    Number(Number),
    /// A pattern of x87 that stands for nothing: its integer bit and its exponent disagree.
    Invalid,
}

/// `%a` as C has it; `-0`, `+inf` and `nan` for the others.
impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Nan { is_quiet: true } => "nan",
            Self::Nan { is_quiet: false } => "signaling nan",
            Self::Infinity(Sign::Positive) => "+inf",
            Self::Infinity(Sign::Negative) => "-inf",
            Self::Zero(Sign::Positive) => "+0",
            Self::Zero(Sign::Negative) => "-0",
            Self::Number(x) => return x.fmt(f),
            Self::Invalid => "no number",
        })
    }
}

impl Encoding {
    /// The encoding of `binary16`, `bfloat16`, `binary32`, `binary64` or `x87`.
    ///
    /// # Errors
    /// [`UnknownFormat`] for any other format.
    pub fn new(format: Format) -> Result<Self, UnknownFormat> {
        let known = [
            (Format::BINARY16, 5),
            (Format::BFLOAT16, 8),
            (Format::BINARY32, 8),
            (Format::BINARY64, 11),
            (Format::X87_EXTENDED, 15),
        ];
        let found = known.into_iter().find(|(known, _)| *known == format);
        let (format, exponent_bits) = found.ok_or(UnknownFormat { format })?;
        Ok(Self { format, exponent_bits, is_explicit: format == Format::X87_EXTENDED })
    }

    /// The format.
    pub fn format(self) -> Format {
        self.format
    }

    /// Bits of a pattern.
    pub fn width(self) -> u32 {
        self.exponent_bits + self.format.precision() + u32::from(self.is_explicit)
    }

    /// Bytes of a pattern.
    pub fn bytes(self) -> usize {
        self.width() as usize / 8
    }

    /// Bits of the fraction, without the integer bit.
    fn fraction_bits(self) -> u32 {
        self.format.precision() - 1
    }

    /// How many magnitudes are below ∞: 0, and the finite numbers.
    pub fn infinite(self) -> u128 {
        ((1 << self.exponent_bits) - 1) << self.fraction_bits()
    }

    /// The ordinal of the least normal number.
    pub fn least_normal(self) -> u128 {
        1 << self.fraction_bits()
    }

    /// The pattern of a magnitude by its ordinal: 0 is zero, then come all numbers in order, then ∞
    /// at [`infinite`](Self::infinite), then NaNs.
    pub fn pattern(self, sign: Sign, ordinal: u128) -> u128 {
        let magnitude = if self.is_explicit {
            let (biased, fraction) = (ordinal >> self.fraction_bits(), ordinal & (self.least_normal() - 1));
            biased << 64 | u128::from(biased != 0) << 63 | fraction
        } else {
            ordinal
        };
        magnitude | u128::from(sign == Sign::Negative) << (self.width() - 1)
    }

    /// Sign and ordinal of a pattern; none for the [invalid](Class::Invalid) ones.
    pub fn ordinal(self, bits: u128) -> Option<(Sign, u128)> {
        let sign_bit = 1 << (self.width() - 1);
        let sign = if bits & sign_bit == 0 { Sign::Positive } else { Sign::Negative };
        let magnitude = bits & (sign_bit - 1);
        if !self.is_explicit {
            return Some((sign, magnitude));
        }
        let (biased, integer_bit) = (magnitude >> 64, magnitude >> 63 & 1);
        let fraction = magnitude & (self.least_normal() - 1);
        // a subnormal number with the integer bit is the least normal one, written otherwise
        match (biased, integer_bit) {
            (0, 1) => Some((sign, self.least_normal() | fraction)),
            (0, _) | (_, 1) => Some((sign, biased << self.fraction_bits() | fraction)),
            _ => None,
        }
    }

    /// The canonical quiet NaN: positive, the first bit of the fraction and no other.
    pub fn nan(self) -> u128 {
        self.pattern(Sign::Positive, self.infinite() | 1 << (self.fraction_bits() - 1))
    }

    /// What a bit pattern stands for.
    pub fn decode(self, bits: u128) -> Class {
        let Some((sign, ordinal)) = self.ordinal(bits) else { return Class::Invalid };
        if ordinal > self.infinite() {
            return Class::Nan { is_quiet: ordinal >> (self.fraction_bits() - 1) & 1 != 0 };
        } else if ordinal == self.infinite() {
            return Class::Infinity(sign);
        }
        match self.magnitude(ordinal) {
            Number::ZERO => Class::Zero(sign),
            x if sign == Sign::Negative => Class::Number(Number::new(-x.significand(), x.exponent())),
            x => Class::Number(x),
        }
    }

    /// The number with a finite ordinal.
    fn magnitude(self, ordinal: u128) -> Number {
        let biased = (ordinal >> self.fraction_bits()) as i32;
        let fraction = (ordinal & (self.least_normal() - 1)) as i128;
        let integer = if biased == 0 { 0 } else { self.least_normal() as i128 };
        let exponent = self.format.min_exponent() + biased.max(1) - 1;
        Number::new(fraction | integer, self.format.ulp_exponent(exponent))
    }

    /// The pattern of a number; none if it is not one of the format. 0 is +0.
    pub fn encode(self, x: Number) -> Option<u128> {
        let Some(exponent) = x.log2_floor() else { return Some(0) };
        if exponent > self.format.max_exponent() {
            return None;
        }
        let shift = x.exponent().checked_sub(self.format.ulp_exponent(exponent))?;
        if shift < 0 {
            return None; // bits below the last one
        }
        let significand = x.significand().unsigned_abs() << shift; // below 2^p
        let binades = exponent.max(self.format.min_exponent()) - self.format.min_exponent();
        let sign = if x.significand() < 0 { Sign::Negative } else { Sign::Positive };
        // the integer bit of a normal number adds the 1 that its biased exponent has more
        Some(self.pattern(sign, ((binades as u128) << self.fraction_bits()) + significand))
    }

    /// The binade of a finite number other than 0, `⌊log2|x|⌋`.
    pub fn binade(self, ordinal: u128) -> Option<i32> {
        if ordinal == 0 || ordinal >= self.infinite() {
            return None;
        }
        let format = self.format;
        Some(match (ordinal >> self.fraction_bits()) as i32 {
            0 => format.ulp_exponent(format.min_exponent()) + ordinal.ilog2() as i32,
            biased => format.min_exponent() + biased - 1,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FORMATS: [Format; 5] =
        [Format::BINARY16, Format::BFLOAT16, Format::BINARY32, Format::BINARY64, Format::X87_EXTENDED];

    #[test]
    fn widths() {
        let widths = FORMATS.map(|format| Encoding::new(format).unwrap().width());
        assert_eq!(widths, [16, 16, 32, 64, 80]);
        assert!(Encoding::new(Format::custom(24).unwrap()).is_err());
    }

    /// Rust's own floats have the same patterns.
    #[test]
    fn patterns_of_doubles_and_floats() {
        let double = Encoding::new(Format::BINARY64).unwrap();
        for x in [1.0, -2.5, 0.1, f64::MIN_POSITIVE, f64::MAX, 5e-324, -2.2e-308] {
            let number = Number::from_f64(x).unwrap();
            assert_eq!(double.encode(number), Some(x.to_bits().into()), "{x}");
            assert_eq!(double.decode(x.to_bits().into()), Class::Number(number));
        }
        assert_eq!(double.decode(f64::NEG_INFINITY.to_bits().into()), Class::Infinity(Sign::Negative));
        assert_eq!(double.decode((-0.0f64).to_bits().into()), Class::Zero(Sign::Negative));
        assert_eq!(double.decode(f64::NAN.to_bits().into()), Class::Nan { is_quiet: true });
        assert_eq!(double.decode(0x7ff0_0000_0000_0001), Class::Nan { is_quiet: false });
        assert_eq!(double.nan(), 0x7ff8_0000_0000_0000);
        let single = Encoding::new(Format::BINARY32).unwrap();
        for bits in [1u32, 0x007f_ffff, 0x0080_0000, 0x3f80_0001, 0xff7f_ffff] {
            let number = Number::from_f64(f32::from_bits(bits).into()).unwrap();
            assert_eq!(single.decode(bits.into()), Class::Number(number));
            assert_eq!(single.encode(number), Some(bits.into()));
        }
        assert_eq!(single.encode(Number::new((1 << 24) + 1, 0)), None);
        assert_eq!(single.encode(Number::new(1, 128)), None);
        assert_eq!(single.encode(Number::new(1, -150)), None);
        assert_eq!(single.encode(Number::new(3, -150)), None);
    }

    #[test]
    fn patterns_of_x87() {
        let x87 = Encoding::new(Format::X87_EXTENDED).unwrap();
        let bits = |exponent: u128, significand: u128| exponent << 64 | significand;
        assert_eq!(x87.encode(Number::new(1, 0)), Some(bits(0x3fff, 1 << 63)));
        assert_eq!(x87.encode(Number::new(-3, 0)), Some(bits(0xc000, 3 << 62)));
        assert_eq!(x87.encode(Number::new(1, -16445)), Some(1));
        assert_eq!(x87.encode(Number::new(1, -16382)), Some(bits(1, 1 << 63)));
        assert_eq!(x87.pattern(Sign::Negative, x87.infinite()), bits(0xffff, 1 << 63));
        assert_eq!(x87.nan(), bits(0x7fff, 3 << 62));
        assert_eq!(x87.decode(bits(0x7fff, 1 << 63)), Class::Infinity(Sign::Positive));
        assert_eq!(x87.decode(bits(0x7fff, 5 << 61)), Class::Nan { is_quiet: false });
        // an exponent without its integer bit, and a subnormal number with one
        assert_eq!(x87.decode(bits(0x3fff, 1 << 62)), Class::Invalid);
        assert_eq!(x87.decode(bits(0, 1 << 63)), Class::Number(Number::new(1, -16382)));
    }

    /// Every ordinal there and back, around all that is special.
    #[test]
    fn ordinals_are_in_order() {
        for format in FORMATS {
            let encoding = Encoding::new(format).unwrap();
            let (normal, infinite) = (encoding.least_normal(), encoding.infinite());
            for start in [1, normal - 3, normal, 2 * normal - 2, 5 * normal, infinite - 4] {
                let numbers = (start..start + 4).filter(|ordinal| *ordinal < infinite).map(|ordinal| {
                    let bits = encoding.pattern(Sign::Positive, ordinal);
                    assert_eq!(encoding.ordinal(bits), Some((Sign::Positive, ordinal)));
                    let Class::Number(x) = encoding.decode(bits) else { panic!("{format} {ordinal}") };
                    assert_eq!(encoding.encode(x), Some(bits));
                    assert_eq!(encoding.binade(ordinal), x.log2_floor());
                    x
                });
                assert!(numbers.collect::<Vec<_>>().is_sorted_by(|a, b| a < b));
            }
        }
    }
}
