//! [`Shape`]: a segment in doubles, and whether lanes can do with its windows.

use tmd_core::{
    difftable::{Upper, bounds, power_of_two},
    lattice3::{COEFFICIENT_BITS, Model, Segment, Start},
};

use super::kernel::TOLERANCE;

/// The least κ, as a power of two, for the lanes, and the largest.
const KAPPA: (i32, i32) = (-60, 60);

/// Most of what phases and coordinates may be off, over the length of a row of the dual basis (lemma 10).
const MOST_OFF: i32 = -20;

/// A segment in doubles: what depends on the polynomial.
pub(super) struct Shape {
    half: Upper,
    /// ε and the rest
    accuracy: Upper,
    third: Upper,
    /// bound of |F''''|/24 over the segment
    fourth: Upper,
}

/// What is known of a lane's windows.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Lane {
    /// Number of the first window in the segment.
    pub(super) first: u32,
    /// How many; 0 for a lane that is not to be walked.
    pub(super) windows: u32,
    /// If it may walk.
    bound: Option<Bound>,
}

/// What the numbers of a lane are bounded by.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bound {
    /// Entries of T, over the length of a row of the dual basis.
    entries: f64,
    /// What phases and coordinates are off, over that length.
    pub(super) off: f64,
    /// What separates the point of a case from the parabola of the lanes, in units of κ.
    pub(super) model: f64,
}

impl Shape {
    pub(super) fn new(segment: &Segment, model: &Model) -> Self {
        // conversions are a relative 2^-52 too small at most
        let up = Upper::new(1.0 + power_of_two(-50));
        let magnitudes: Vec<Upper> =
            segment.coefficients.iter().map(|c| Upper::new(c.to_f64(COEFFICIENT_BITS).abs()) * up).collect();
        let half = Upper::new(segment.half.to_f64(model.angle_bits)) * up;
        let reach = half * Upper::of_integer(segment.windows.into());
        let fourth = bounds::derivatives(&magnitudes, reach).get(4).copied().unwrap_or(Upper::ZERO);
        Self { half, accuracy: segment.accuracy, third: segment.third, fourth }
    }

    /// What separates the point of a case from the parabola of the lanes in so many windows, in units of κ (lemma 9).
    pub(super) fn model(&self, kappa: f64, cubic: f64, windows: u32) -> Upper {
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

    /// A lane of so many windows, and whether it may walk (lemmas 8 to 10).
    pub(super) fn lane(&self, start: &Start, first: u32, windows: u32) -> Lane {
        Lane { first, windows, bound: self.bound(start, windows) }
    }

    /// The bounds of a lane, if its numbers are near enough.
    fn bound(&self, start: &Start, windows: u32) -> Option<Bound> {
        // false for NaN
        let is_usual = start.kappa >= power_of_two(KAPPA.0) && start.kappa <= power_of_two(KAPPA.1);
        if !is_usual {
            return None;
        }
        let n = f64::from(windows);
        let cubic = start.cubic.abs();
        // the largest shear, and a little more than it
        let shear = (8.0 * n + 1.5 * cubic * n * n) * (1.0 + power_of_two(-30)) + 1.0;
        let d = &start.dual;
        let (mut entries, mut sum, mut products) = (0.0f64, 0.0, 0.0);
        for j in 0..3 {
            let (a, b) = (&d[(j + 1) % 3], &d[(j + 2) % 3]);
            // a vector of the basis; roundings are within a relative 2^-40 of the products
            let minor = |p: usize, q: usize| {
                let (one, two) = (a[p] * b[q], a[q] * b[p]);
                ((one - two).abs() + (one.abs() + two.abs()) * power_of_two(-40)) * start.determinant.abs()
            };
            let (x, tau, nu) = (minor(1, 2), minor(2, 0), minor(0, 1));
            // sheared back, and the row sheared
            let vector = x.max(tau).max(nu + shear * tau);
            let row = d[j][0].abs().max(d[j][1].abs() + shear * d[j][2].abs()).max(d[j][2].abs());
            entries = entries.max(vector);
            sum += vector;
            products += vector * row;
        }
        let table = (1.0 + n + n * n + n * n * n) * power_of_two(-64) + power_of_two(-50);
        let off = (products * 3.0 * power_of_two(-49) + sum * table) * (1.0 + power_of_two(-30));
        let model = self.model(start.kappa, start.cubic, windows).get();
        let is_enough = off <= power_of_two(MOST_OFF) && model <= f64::from(TOLERANCE) / 4.0;
        (is_enough && entries.is_finite()).then_some(Bound { entries, off, model })
    }
}

impl Lane {
    /// Whether what the lane says of its windows is so: T was made of integers below 2^52, also between the operations of a window.
    pub(super) fn is_sound(&self, longest: f32, rows: &[[f64; 3]; 3]) -> bool {
        let Some(bound) = self.bound else { return false };
        let between = bound.entries * f64::from(longest) * (1.0 + power_of_two(-10));
        // both false for NaN
        between <= power_of_two(52) && rows.iter().flatten().all(|entry| entry.abs() <= power_of_two(51))
    }

    /// Its bounds, if it may walk.
    pub(super) const fn bound(&self) -> Option<&Bound> {
        self.bound.as_ref()
    }
}
