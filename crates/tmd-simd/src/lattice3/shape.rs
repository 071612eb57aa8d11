//! [`Lane`]: whether lanes can do with a segment's windows.

use tmd_core::{
    difftable::power_of_two,
    lattice3::{Frame, Shape, Start, TOLERANCE},
};

use super::budget::{MODEL_SHARE, MOST_FLAT, MOST_OFF};

/// The least κ for which anything is said in doubles, 2^-60 (Lemma L.12).
pub(super) const LEAST_KAPPA: f64 = 1.0 / (1u64 << 60) as f64;

/// The largest κ for the lanes.
const LARGEST_KAPPA: f64 = (1u64 << 60) as f64;

/// Largest determinant for which Lemma L.19 holds; windows of 1/1024 of a point on average have as
/// much.
const MOST_DETERMINANT: f64 = 8192.0;

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

/// The bounds of a lane, if its numbers are near enough.
fn bound(shape: &Shape, start: &Start, windows: u32) -> Option<Bound> {
    // false for NaN
    let is_usual = start.kappa >= LEAST_KAPPA
        && start.kappa <= LARGEST_KAPPA
        && start.determinant.abs() <= MOST_DETERMINANT;
    if !is_usual {
        return None;
    }
    let n = f64::from(windows);
    let cubic = start.cubic.abs();
    // the largest shear, and a little more than it
    let shear = (8.0 * n + 1.5 * cubic * n * n) * (1.0 + power_of_two(-30)) + 1.0;
    let d = &start.dual;
    let (mut entries, mut sum, mut flat, mut sheared) = (0.0f64, 0.0, 0.0, 0.0);
    for j in 0..3 {
        let (a, b) = (&d[(j + 1) % 3], &d[(j + 2) % 3]);
        // a vector of the basis; roundings are within a relative 2^-40 of the products
        let minor = |p: usize, q: usize| {
            let (one, two) = (a[p] * b[q], a[q] * b[p]);
            ((one - two).abs() + (one.abs() + two.abs()) * power_of_two(-40)) * start.determinant.abs()
        };
        let (x, tau, nu) = (minor(1, 2), minor(2, 0), minor(0, 1));
        // sheared back
        let vector = x.max(tau).max(nu + shear * tau);
        entries = entries.max(vector);
        sum += vector;
        // times the row, which has τ sheared
        let [x, tau, nu] = d[j].map(f64::abs);
        flat += vector * x.max(nu);
        sheared += vector * (tau + shear * nu);
    }
    let table = Frame::balanced_off(n) * power_of_two(-64) + power_of_two(-50);
    let up = 1.0 + power_of_two(-30);
    let flat = flat * power_of_two(-49) * up;
    let off = (sheared * power_of_two(-49) + 2.0 * flat + sum * table) * up;
    let model = shape.model(start.kappa, start.cubic, windows).get();
    let is_enough = off <= power_of_two(MOST_OFF)
        && flat <= power_of_two(MOST_FLAT)
        && model <= f64::from(TOLERANCE * MODEL_SHARE);
    (is_enough && entries.is_finite()).then_some(Bound { entries, off, model })
}

impl Lane {
    /// A lane of so many windows, and whether it may walk (lemmas L.14 to L.16; what rows and
    /// phases are off is Lemma L.16 of proofs/Lanes.v).
    pub(super) fn new(shape: &Shape, start: &Start, first: u32, windows: u32) -> Self {
        Self { first, windows, bound: bound(shape, start, windows) }
    }

    /// Whether what the lane says of its windows is so: T was made of integers below 2^52, also
    /// between the operations of a window.
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
