//! What the numbers of lanes may be off, and what that makes of a case's value: lemmas L.16 and
//! L.19 of docs/proofs/lattice3.md, as constants that must fit together. They are those of
//! Lemma L.19 in proofs/Lanes.v (Theorem S.21 for the scale).

use tmd_core::lattice3::TOLERANCE;

/// Ranges of coordinates are widened by this share, and by this (theorem L.18).
pub(super) const MARGIN: f32 = 1.0 / 1024.0;

/// Most of a coordinate's reach, and this much more, times its vector's τ, where lanes look at
/// points themselves.
pub(super) const WIDEST: f32 = 3.0;

/// The same, of ν.
pub(super) const TALLEST: f32 = 16.0;

/// Most of the product of the three reaches and the determinant.
pub(super) const LOOSEST: f32 = 64.0;

/// That much more.
pub(super) const SLACK: f32 = 1.0 / 16.0;

/// Most of what phases and coordinates may be off, over the length of a row of the dual basis, as a
/// power of two (lemma L.16).
pub(super) const MOST_OFF: i32 = -21;

/// The same, of the x and of the ν of a row alone.
pub(super) const MOST_FLAT: i32 = -26;

/// Share of [`TOLERANCE`] that the model has.
pub(super) const MODEL_SHARE: f32 = 0.25;

/// What the value of a case's point is off in lanes at most, in units of 2^-24 (lemma L.19, by its
/// letters).
pub(super) const POINT: f64 = {
    let (wide, tall, loose) = (WIDEST as f64, TALLEST as f64, LOOSEST as f64);
    let unit = (1 << 24) as f64;
    let off = unit / (1 << -MOST_OFF) as f64;
    let flat = unit / (1u64 << -MOST_FLAT) as f64;
    // what ν is off, and 4 times what τ is
    let coordinates = (off + 4.0 + 1.0) * (3.0 * tall + 4.0 * 3.0 * wide);
    let vectors = (9.0 * tall + 3.0 * loose) + 4.0 * (9.0 * wide + 3.0 * loose);
    let steps = 426.0;
    let line = 902.0;
    // 3·ρ
    let scale = 3.0 * (3.0 * (flat * (loose + tall) + off * wide + loose) + 2.0);
    coordinates + vectors + steps + line + scale
};

// a sixteenth is left for the conditions being looked at in singles
const _: () = assert!(POINT / (1 << 24) as f64 <= TOLERANCE as f64 * (1.0 - MODEL_SHARE as f64 - 0.0625));
