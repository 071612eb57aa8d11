//! Where a run of the kernel begins, and whether its numbers are near enough
//! (docs/proofs/lattice3.md, section 7; Lemma L.21, Lemma L.22, Lemma L.23 and Lemma L.28
//! of proofs/Lanes.v).

use tmd_core::{
    difftable::power_of_two,
    lattice3::{Counters, Digits, Gains, Shape, Start, TOLERANCE, enumerate},
};

use tmd_shaders::constants::lattice3::{
    NU_UNITS, POINT_BITS, REST_UNITS, SLACK_UNITS, TAU_UNITS, VOLUME_UNITS,
};

use crate::cpu::lattice3::{Beginning, Lattice3Hit};

/// The least κ, as a power of two, and the largest.
const KAPPA: (i32, i32) = (-60, 60);

/// Most of what rows and phases may be off together, over the length of a row (lemma L.21):
/// 12 units of 2^-24.
const MOST_OFF: f64 = 12.0 / (1 << 24) as f64;

/// Share of [`TOLERANCE`] that the model has.
const MODEL_SHARE: f32 = 0.25;

/// Units of 2^-24, as a float.
const UNITS: f64 = (1u32 << POINT_BITS) as f64;

// what the kernel has for each of these is no less than what lemma L.23 says, by its letters
const _: () = {
    let off = MOST_OFF * UNITS;
    // (a) and (b): what coordinates are off, and rows
    let coordinate = off.max(13.0);
    let flat = (off / 12.0).max(2.0);
    assert!(4.0 * coordinate + 3.0 * off <= TAU_UNITS as f64 - 1.0);
    assert!(coordinate + 3.0 * flat <= NU_UNITS as f64 - 1.0);
    assert!(3.0 * flat * 3.0 <= VOLUME_UNITS as f64 - 1.0);
    // (c): a vector's floor, the determinant's and the last one
    assert!((5.0 * (2.0 + 1.0 + 1.0) + 0.5) * (1.0 + 1.0 / 128.0) <= SLACK_UNITS as f64);
    // (d): two floors, those of four points, those of the summands here, and what is of second
    // order
    assert!(5.0 + 7.0 + 3.0 + 4.0 <= REST_UNITS as f64);
};

/// Most of the shear's cubic part in the last window.
const MOST_CURVATURE: f64 = 0.25;

/// Most of a coordinate of a basis vector, sheared back: with rows below 2^10 no entry of the
/// matrix of row operations is 2^31 or more (Lemma L.14).
const FARTHEST: f64 = (1 << 19) as f64;

/// Most of the determinant, and the least.
const DETERMINANT: (f64, f64) = (32.0, 1.0 / 1024.0);

/// What separates the kernel's numbers from a case's, over a run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bound {
    /// What rows, times a point of the box, and phases are off together, over the length of a row
    /// (Lemma L.21).
    pub(super) off: f64,
    /// What separates a case's point from the parabola, in units of κ (Lemma L.15).
    pub(super) model: f64,
    /// 1.5·g
    pub(super) curvature: f64,
}

impl Bound {
    /// Whether the window of a hit may hold a case's point, as far as the kernel's own numbers
    /// tell (Lemma L.20).
    pub(super) fn needs_a_look(&self, hit: &Lattice3Hit, counters: &mut Counters) -> bool {
        let unit = power_of_two(-(Digits::BITS as i32));
        let step = f64::from(hit.step);
        let curvature = self.curvature * step * step;
        let dual = hit.rows.map(|row| {
            let [x, tau, nu] = row.map(|x| x as f64 * unit);
            [x, tau - curvature * nu, nu]
        });
        enumerate::needs_a_search(&dual, &hit.phases, self.model, self.off, counters)
    }
}

/// How far the vectors of a run's basis reach: that bounds the matrix of its row operations (Lemma
/// L.14).
#[derive(Clone, Copy, Debug)]
pub(super) struct Reaches {
    /// (x, τ, ν) of the vectors, in magnitude
    vectors: [[f64; 3]; 3],
    cubic: f64,
}

impl Reaches {
    /// Of the basis of a run's beginning.
    pub(super) fn new(start: &Start) -> Self {
        let d = &start.dual;
        let vectors = [0, 1, 2].map(|j| {
            let (a, b) = (&d[(j + 1) % 3], &d[(j + 2) % 3]);
            // roundings are within a relative 2^-40 of the products
            let minor = |p: usize, q: usize| {
                let (one, two) = (a[p] * b[q], a[q] * b[p]);
                ((one - two).abs() + (one.abs() + two.abs()) * power_of_two(-40)) * start.determinant.abs()
            };
            [minor(1, 2), minor(2, 0), minor(0, 1)]
        });
        Self { vectors, cubic: start.cubic.abs() }
    }

    /// More than the largest shear in a run of so many windows.
    fn shear(&self, windows: u32) -> f64 {
        let n = f64::from(windows);
        (8.0 * n + 1.5 * self.cubic * n * n) * (1.0 + power_of_two(-30)) + 1.0
    }

    /// Of the largest coordinates of the vectors, sheared back.
    fn sum(&self, shear: f64) -> f64 {
        self.vectors.iter().map(|[x, tau, nu]| x.max(*tau).max(nu + shear * tau)).sum()
    }

    /// What rows, times a point of the box, and phases may be off together in a run of so many
    /// windows, over the length of a row (lemma L.21).
    pub(super) fn off(&self, windows: u32) -> f64 {
        let n = f64::from(windows);
        let shear = self.shear(windows);
        let sum = self.sum(shear);
        // x and ν are off by half a unit, τ by one and by the shear of ν's
        let entries = (3.0 + shear) * power_of_two(-(Digits::BITS as i32) - 1);
        let table = Gains::off(n) * power_of_two(-64);
        sum * (entries + table) * (1.0 + power_of_two(-30))
    }
}

/// What bounds say of a run of so many windows that begins there, if the kernel may walk it:
/// otherwise its numbers might be too far from the exact ones.
pub(super) fn bound(shape: &Shape, start: &Start, reaches: &Reaches, windows: u32) -> Option<Bound> {
    // each false for NaN
    let is_usual = start.kappa >= power_of_two(KAPPA.0) && start.kappa <= power_of_two(KAPPA.1);
    let n = f64::from(windows);
    let curvature = 1.5 * start.cubic;
    let is_straight = curvature.abs() * n * n * (1.0 + power_of_two(-30)) <= MOST_CURVATURE;
    let size = start.determinant.abs() * (1.0 + power_of_two(-30));
    let is_measured = size <= DETERMINANT.0 && size >= DETERMINANT.1;
    let off = reaches.off(windows);
    let has_room = reaches.sum(reaches.shear(windows)) <= FARTHEST;
    if !(is_usual && is_straight && is_measured && has_room && off <= MOST_OFF) {
        return None;
    }
    let model = shape.model(start.kappa, start.cubic, windows).get();
    (model <= f64::from(TOLERANCE * MODEL_SHARE)).then_some(Bound { off, model, curvature })
}

/// The beginning of a run of so many windows, with its digits.
pub(super) fn beginning(
    start: &Start,
    digits: &Digits,
    bound: &Bound,
    targets: usize,
    windows: u32,
) -> Beginning {
    let size = start.determinant.abs() * (1.0 + power_of_two(-30));
    // size = m·2^exponent, 1 ≤ m < 2
    let exponent = ((start.determinant.abs().to_bits() >> 52) as i32) - 1023;
    let mantissa = (start.determinant * power_of_two(30 - exponent)) as i32;
    Beginning {
        rows: digits.dual,
        gains: digits.gains,
        cubic: (1.5 * start.cubic * power_of_two(64)) as i64,
        mantissa,
        shift: (30 - exponent) as u32,
        windows,
        model: (bound.model * UNITS).ceil() as u32,
        scale: Beginning::scale_of(size),
        phases: start.phases[..targets].to_vec(),
    }
}
