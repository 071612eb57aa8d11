//! Numbers of 16-bit formats by their bit patterns.

use tmd_core::Format;

/// The number with this pattern; exact, as doubles hold both formats. Written with the formats' own
/// constants.
pub(crate) fn number(format: Format, bits: u16) -> f64 {
    if format == Format::BFLOAT16 {
        return f32::from_bits(u32::from(bits) << 16).into();
    }
    let sign = if bits >> 15 == 0 { 1.0 } else { -1.0 };
    let (biased, fraction) = (bits >> 10 & 31, f64::from(bits & 1023));
    sign * match biased {
        0 => fraction * 2f64.powi(-24),
        31 if fraction == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        _ => (1024.0 + fraction) * 2f64.powi(i32::from(biased) - 25),
    }
}
