//! The bit patterns of the formats that machines have.

use tmd_core::Format;
use tmd_driver::table::pattern::{Encoding, Sign};

use crate::rounded::Rounded;

/// How wide patterns of a format are; nothing if no machine has it.
pub(crate) fn width(format: Format) -> Option<u32> {
    Encoding::new(format).ok().map(Encoding::width)
}

/// The pattern of a result. Nothing if the format has none, or not this number.
pub(crate) fn pattern(result: Rounded, format: Format) -> Option<u128> {
    let encoding = Encoding::new(format).ok()?;
    let sign = |is_negative| if is_negative { Sign::Negative } else { Sign::Positive };
    match result {
        Rounded::Zero(is_negative) => Some(encoding.pattern(sign(is_negative), 0)),
        Rounded::Infinity(is_negative) => Some(encoding.pattern(sign(is_negative), encoding.infinite())),
        Rounded::Number(x) => encoding.encode(x),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tmd_core::Number;

    #[test]
    fn patterns_of_doubles_and_floats() {
        for bits in
            [0x3ff0_0000_0000_0000, 0xbfb9_9999_9999_999a, 1, 0x800f_ffff_ffff_ffff, 0x7fef_ffff_ffff_ffff]
        {
            let x = Number::from_f64(f64::from_bits(bits)).unwrap();
            assert_eq!(pattern(Rounded::Number(x), Format::BINARY64), Some(bits.into()));
        }
        for bits in [0x3f80_0000, 0xbdcc_cccd, 1, 0x807f_ffff, 0x7f7f_ffff] {
            let x = Number::from_f64(f32::from_bits(bits).into()).unwrap();
            assert_eq!(pattern(Rounded::Number(x), Format::BINARY32), Some(bits.into()));
        }
        let of = |result| pattern(result, Format::BINARY64).map(|bits| f64::from_bits(bits as u64));
        assert_eq!(of(Rounded::Infinity(true)), Some(f64::NEG_INFINITY));
        assert_eq!(of(Rounded::Zero(true)).map(f64::to_bits), Some((-0.0f64).to_bits()));
        for (n, e) in [(1, 1024), (1, -1075), ((1 << 53) + 1, 0)] {
            assert_eq!(of(Rounded::Number(Number::new(n, e))), None);
        }
    }

    #[test]
    fn patterns_of_other_formats() {
        let one = Rounded::Number(Number::new(1, 0));
        let all = [Format::BINARY16, Format::BFLOAT16, Format::X87_EXTENDED];
        assert_eq!(
            all.map(|format| pattern(one, format)),
            [Some(0x3c00), Some(0x3f80), Some(0x3fff_8000_0000_0000_0000)]
        );
        let infinity = all.map(|format| pattern(Rounded::Infinity(false), format));
        assert_eq!(infinity, [Some(0x7c00), Some(0x7f80), Some(0x7fff_8000_0000_0000_0000)]);
        // the least number of x87, and its least normal one
        let of = |e| pattern(Rounded::Number(Number::new(-1, e)), Format::X87_EXTENDED);
        assert_eq!(of(-16_445), Some(0x8000_0000_0000_0000_0001));
        assert_eq!(of(-16_382), Some(0x8001_8000_0000_0000_0000));
        assert_eq!(pattern(one, Format::custom(20).unwrap()), None);
    }
}
