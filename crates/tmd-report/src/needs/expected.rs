//! How many arguments fall through if results are spread evenly: f(x) in ulps, at some arguments of
//! each region.

use tmd_core::{Format, Number, difftable::power_of_two};
use tmd_driver::tmd_functions::{Expression, Function, Interval, taylor::float_of};

/// Arguments of a region at which the function is looked at.
const SAMPLES: u32 = 32;

/// Bits of an enclosure; it need not be a good one.
const PRECISION: u32 = 96;

/// The fractional part of the golden ratio: its multiples are spread evenly, and keep no step with
/// binades.
const GOLDEN: f64 = 0.618_033_988_749_894_9;

/// Some arguments that are in the same case: how many they are, and the sizes of their results in
/// ulps, `2^(p−1)` to `2^p` for normal ones.
pub(crate) struct Sampled {
    arguments: u128,
    sizes: Vec<f64>,
}

impl Sampled {
    /// Of the numbers of a format from `first` to `last`.
    pub(crate) fn new(
        function: &Expression,
        format: Format,
        first: Number,
        last: Number,
        arguments: u128,
    ) -> Self {
        let (first, last) = (ordinal(first, format), ordinal(last, format));
        let size = |i: u32| {
            let share = (f64::from(i) + 0.5) * GOLDEN;
            let at = first + ((last - first) as f64 * share.fract()) as i128;
            // where the function says nothing, the mean of what is spread evenly in the logarithm
            size(function, format, of_ordinal(at.clamp(first, last), format))
                .unwrap_or_else(|| power_of_two(format.precision() as i32 - 1) / std::f64::consts::LN_2)
        };
        Self { arguments, sizes: (0..SAMPLES).map(size).collect() }
    }

    pub(crate) fn arguments(&self) -> u128 {
        self.arguments
    }

    /// How many are expected whose test may fail with the relative error E, next to breakpoints
    /// that are an ulp apart: `4E·|f(x)|` of an ulp is too near to one of them.
    pub(crate) fn expected(&self, accuracy: f64) -> f64 {
        let share = |size: &f64| (4.0 * accuracy * size).min(1.0);
        self.sizes.iter().map(share).sum::<f64>() / self.sizes.len() as f64 * self.arguments as f64
    }
}

/// `|f(x)|` in its ulps.
fn size(function: &Expression, format: Format, x: Number) -> Option<f64> {
    let at = Interval::point(float_of(x)).and_then(|at| at.round_to(PRECISION.max(128))).ok()?;
    let middle = function.enclose(&at, PRECISION).ok()?.midpoint();
    let (significand, exponent) = middle.to_f64_exp();
    let shift = exponent.checked_sub(format.ulp_exponent(exponent - 1))?;
    (significand != 0.0).then(|| significand.abs() * power_of_two(shift.max(-1022)))
}

/// The place of a number among those of its format: 0 has 0, its neighbors ±1.
fn ordinal(x: Number, format: Format) -> i128 {
    let Some(exponent) = x.log2_floor() else { return 0 };
    let ulp = format.ulp_exponent(exponent);
    let significand = x.significand().unsigned_abs() as i128;
    // certificates that were not checked name any numbers
    let shift = (x.exponent() - ulp).clamp(0, 62);
    let binades = i128::from((exponent - format.min_exponent()).max(0));
    let place = (significand << shift) + (binades << (format.precision() - 1));
    if x < Number::ZERO { -place } else { place }
}

/// The number at a place.
fn of_ordinal(place: i128, format: Format) -> Number {
    let (magnitude, hidden) = (place.abs(), 1i128 << (format.precision() - 1));
    let binades = (magnitude / hidden - 1).max(0);
    let significand = magnitude - binades * hidden;
    let exponent = format.ulp_exponent(format.min_exponent()) + binades as i32;
    Number::new(if place < 0 { -significand } else { significand }, exponent)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_of_numbers() {
        let format = Format::BINARY16;
        for place in -0x7bff..=0x7bff {
            let x = of_ordinal(place, format);
            assert_eq!(ordinal(x, format), place);
        }
        assert_eq!(of_ordinal(0x3c00, format), Number::new(1, 0));
        assert_eq!(of_ordinal(-1, format), Number::new(-1, -24));
        assert_eq!(ordinal(Number::new(3, -1), Format::X87_EXTENDED), 16_383 << 63 | 1 << 62);
    }

    #[test]
    fn results_in_ulps() {
        let exp = tmd_driver::parse("exp").unwrap();
        let size = |n, e| size(&exp, Format::BINARY16, Number::new(n, e)).unwrap();
        assert!((size(1, 0) - 1f64.exp() * 512.0).abs() < 1e-9);
        // 2^-24 is the ulp of what is not normal
        assert!((size(-12, 0) - (-12f64).exp() * f64::from(1 << 24)).abs() < 1e-9);
        // between 2^10 and 2^11, mostly in the middle
        let sampled = Sampled::new(&exp, Format::BINARY16, Number::new(1, 0), Number::new(5, 0), 2000);
        let mean = sampled.expected(2f64.powi(-20)) / 2000.0 * 2f64.powi(18);
        assert!((1400.0..1550.0).contains(&mean), "{mean}");
        assert_eq!(sampled.expected(0.2), 2000.0);
    }
}
