//! Brute force: what a search of a piece must and may return.

use tmd_core::{Piece, PieceOutcome, difftable::Fixed};

/// Distance of a number mod 1 from the nearest integer; rounded to an `f64`.
pub fn distance(value: Fixed<8>) -> f64 {
    let high = value.high128() as i128;
    high.unsigned_abs() as f64 * 2f64.powi(-128)
}

/// The value at argument `k` of a piece, exact.
pub fn value(piece: &Piece, k: u64) -> Fixed<8> {
    piece.value(k)
}

/// The half-width within which an argument must be returned: ε and what the polynomial's maker
/// claims.
pub fn must_half_width(piece: &Piece) -> f64 {
    piece.half_width().get()
}

/// Every argument that must be returned. A relative 2^-50 keeps the rounding of this oracle's own
/// `f64`s out of the verdict; arguments exactly at the edge are tested where they are planted.
pub fn must(piece: &Piece) -> Vec<u64> {
    let half_width = must_half_width(piece) * (1.0 - 2f64.powi(-50));
    (0..piece.arguments()).filter(|&k| distance(value(piece, k)) <= half_width).collect()
}

/// Whether argument `k` may be returned: the tabulated parabola is within its budget of the
/// polynomial, and what is tabulated is accepted within the window, whose half-width is rounded up
/// by less than 2 units of 2^-64.
pub fn may(piece: &Piece, outcome: &PieceOutcome, k: u64) -> bool {
    let budget = &outcome.budget;
    let reach = budget.exhaust_half_width() + budget.parabola();
    distance(value(piece, k)) <= reach.get() + 3.0 * 2f64.powi(-64)
}
