//! [`Window`]: "within h of an integer", as every engine tests it.

use tmd_difftable::Upper;

/// "Within `h` of an integer" in units of 2^-64: `v` is inside if `v + h` mod 2^64 ≤ `2h`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    half: u64,
}

impl Window {
    /// The window of a half-width given in units of the breakpoints' spacing, rounded up by one
    /// unit more so that a value rounded down to 64 bits cannot fall out of it. `None` if the
    /// window is the whole circle.
    pub fn new(half_width: Upper) -> Option<Self> {
        let half = half_width.to_units_2_64()?.checked_add(1)?;
        // width() = 2·half + 1 must fit
        (half < 1 << 63).then_some(Self { half })
    }

    /// The half-width in units of 2^-64.
    pub const fn half(self) -> u64 {
        self.half
    }

    /// Whether a value is inside.
    #[inline]
    pub const fn holds(self, value: u64) -> bool {
        value.wrapping_add(self.half) <= 2 * self.half
    }

    /// The width for an existence test of values raised by [`half`](Self::half): inside means below
    /// it.
    pub const fn width(self) -> u64 {
        2 * self.half + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows() {
        assert_eq!(Window::new(Upper::new(0.5)), None);
        assert_eq!(Window::new(Upper::new(f64::INFINITY)), None);
        assert_eq!(Window::new(Upper::power_of_two(-64)).unwrap().half(), 2);
        assert_eq!(Window::new(Upper::power_of_two(-2)).unwrap().width(), (1 << 63) + 3);
    }

    /// Random values never meet the ends of a window: both are inside, as the width for the
    /// existence tests has it.
    #[test]
    fn the_ends_of_a_window_are_inside() {
        for bits in [2, 17, 63, 64, 100] {
            let window = Window::new(Upper::power_of_two(-bits)).unwrap();
            let end = window.half();
            assert!(window.holds(end) && window.holds(end.wrapping_neg()), "2^-{bits}");
            assert!(!window.holds(end + 1) && !window.holds((end + 1).wrapping_neg()), "2^-{bits}");
            assert_eq!(window.width(), 2 * end + 1);
        }
    }
}
