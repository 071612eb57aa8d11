//! [`Shape`]: a segment in doubles, for engines that walk in less than exact numbers.

use tmd_difftable::{Upper, bounds, power_of_two};

use super::{COEFFICIENT_BITS, Model, Segment};

/// What engines that walk in less than exact numbers take for near an integer, in units of κ (lemma
/// L.19, and those that follow).
pub const TOLERANCE: f32 = 1.0 / 2048.0;

/// A segment in doubles: what depends on the polynomial.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    half: Upper,
    /// ε and the rest
    accuracy: Upper,
    third: Upper,
    /// bound of |F''''|/24 over the segment
    fourth: Upper,
}

impl Shape {
    /// That of a segment.
    pub fn new(segment: &Segment, model: &Model) -> Self {
        // conversions are a relative 2^-52 too small at most
        let up = Upper::new(1.0 + power_of_two(-50));
        let magnitudes: Vec<Upper> =
            segment.coefficients.iter().map(|c| Upper::new(c.to_f64(COEFFICIENT_BITS).abs()) * up).collect();
        let half = Upper::new(segment.half.to_f64(model.angle_bits)) * up;
        let reach = half * Upper::of_integer(segment.windows.into());
        let fourth = bounds::derivatives(&magnitudes, reach).get(4).copied().unwrap_or(Upper::ZERO);
        Self { half, accuracy: segment.accuracy, third: segment.third, fourth }
    }

    /// What separates the point of a case from the parabola of the lanes in so many windows, in
    /// units of κ (Lemma L.15, mechanized in proofs/Lanes.v).
    pub fn model(&self, kappa: f64, cubic: f64, windows: u32) -> Upper {
        let n = Upper::of_integer(windows.into());
        let per_kappa = Upper::new(1.0 / kappa * (1.0 + power_of_two(-48)));
        let long = n * self.half * Upper::new(2.0);
        (self.accuracy + self.third * self.half.power(3)) * per_kappa
            + Upper::new(0.75) * Upper::new(cubic.abs()) * n
            + Upper::new(3.0) * self.fourth * long.power(4) * per_kappa
            + self.third * long.power(3) * per_kappa * Upper::power_of_two(-40)
            + n.power(2) * Upper::power_of_two(-46)
            + Upper::power_of_two(-40)
    }
}
