//! All `x` with `(b − a·x) mod modulus < width`, listed in ascending order or counted.
//!
//! Put `z(x) = (b − a·x) mod modulus`; a hit is an `x` with `z(x)` in the window `[0, w)`,
//! `w = min(width, modulus)`. From one hit to the next there are at most three steps (the three-gap
//! theorem for return times, Slater 1950, 1967). Let
//!
//! | name | what it is |
//! |---|---|
//! | `r_α`, `α` | the smallest `r ≥ 1` with `a·r mod modulus < w`, and that value: `r_α` steps lower `z` by `α` |
//! | `r_β`, `β` | the smallest `r ≥ 1` with `−a·r mod modulus < w`, and that value: `r_β` steps raise `z` by `β` |
//!
//! **Lemma (`α + β ≥ w`, or `α = β = 0`).** If `r_α > r_β`, then `r_α − r_β` steps lower `z` by
//! `α + β`; were that less than `w`, `r_α` would not be the smallest. The same with the roles
//! exchanged. If `r_α = r_β`, then `α + β ≡ 0`, so the sum is 0 or the modulus.
//!
//! **Lemma (return steps).** From a hit `z` the next one comes after
//!
//! * `r_α` steps if `z ≥ α`: an earlier `r` would raise `z` by some `γ` with `z + γ < w`, so
//!   `r ≥ r_β` and `γ < w − α ≤ β`; then `r − r_β ≥ 1` steps lower `z` by `β − γ < w`, so
//!   `r ≥ r_α + r_β`. (If `α = 0`, `r_α` is the period, `w ≤ gcd(a, modulus)`, and no other point
//!   of the window is on the orbit.)
//! * `r_β` steps if `z + β < w`, by symmetry;
//! * `r_α + r_β` steps otherwise, `z` changing by `β − α`: an earlier `r` that lowers `z` by
//!   `γ ≤ z < α` has `r > r_α` and `r − r_α` steps raise `z` by `α − γ < w`, so `r ≥ r_α + r_β`;
//!   the same for one that raises it.
//!
//! `r_α` and `r_β` are read off the [two-length configurations](crate::two_length): `p` runs
//! through the record minima of `a·r mod modulus`, attained at `r = v`, and `q` through those of
//! `−a·r`, attained at `r = u`.

use core::iter::FusedIterator;

use crate::{ArcHits, PlacedPoint, Rotation};

/// The hits in ascending order of `x`; see [`hits`].
#[derive(Clone, Debug)]
pub struct Hits(ArcHits);

/// All `x` in `0 ≤ x < n` with `(b − a·x) mod modulus < width`, ascending in `x`, each with its
/// distance. The first hit takes `O(log modulus)` divisions, each further one a few additions. `b`
/// is reduced, `width` may be anything.
///
/// ```
/// use tmd_contfrac::{Rotation, hits};
///
/// let rotation = Rotation::from_q64(0x9e37_79b9_7f4a_7c15);
/// for hit in hits(rotation, 12345, 1 << 20, 1 << 46) {
///     assert!(rotation.distance(12345, hit.x) == hit.d && hit.d < 1 << 46);
/// }
/// ```
pub fn hits(rotation: Rotation, b: u128, n: u64, width: u128) -> Hits {
    let modulus = rotation.modulus();
    Hits(ArcHits::new(rotation.a(), b % modulus, modulus, n.into(), width.min(modulus)))
}

/// How many `x` in `0 ≤ x < n` have `(b − a·x) mod modulus < width`, in `O(log modulus)` divisions;
/// at most `n`.
///
/// With `y = b + (modulus − a)·x` and `w = min(width, modulus)`, the indicator of
/// `y mod modulus < w` is `⌊y/modulus⌋ + 1 − ⌊(y + modulus − w)/modulus⌋`, so the count is `n` plus
/// a difference of two floor sums.
pub fn count_hits(rotation: Rotation, b: u128, n: u64, width: u128) -> u64 {
    let m = rotation.modulus();
    let (b, w) = (b % m, width.min(m));
    let a = (m - rotation.a()) % m;
    let shifted = b + (m - w); // < 2^65; its reduction below m lowers every floor by `carry`
    let carry = shifted / m;
    let below = floor_sum(n, m, a, b);
    let above = floor_sum(n, m, a, shifted % m).wrapping_add(u128::from(n) * carry);
    // exact: the sums are known modulo 2^128, the count lies in 0 ..= n
    u128::from(n).wrapping_add(below).wrapping_sub(above) as u64
}

impl Iterator for Hits {
    type Item = PlacedPoint;

    fn next(&mut self) -> Option<PlacedPoint> {
        // x < n ≤ u64::MAX
        self.0.next().map(|(x, d)| PlacedPoint { x: x as u64, d })
    }
}

impl FusedIterator for Hits {}

/// `Σ_{0 ≤ x < n} ⌊(a·x + c)/m⌋` modulo 2^128, for `a, c < m ≤ 2^64`, by exchanging the axes as
/// Euclid does.
fn floor_sum(n: u64, m: u128, a: u128, c: u128) -> u128 {
    debug_assert!(a < m && c < m, "reduced by the caller");
    let (mut n, mut m, mut a, mut c) = (u128::from(n), m, a, c);
    let mut sum = 0_u128;
    // Invariant: n < 2^64 and m ≤ 2^64. After the reductions below a, c ≤ m − 1 < 2^64, so that
    // y = a·n + c ≤ (2^64 − 1)² + 2^64 − 1 < 2^128; and ⌊y/m⌋ ≤ n since y < m·(n + 1).
    while n > 0 {
        sum = sum.wrapping_add((n * (n - 1) / 2).wrapping_mul(a / m)).wrapping_add(n.wrapping_mul(c / m));
        a %= m;
        c %= m;
        let y = a * n + c;
        if y < m {
            break;
        }
        // the points under the line, counted by rows instead of columns; y ≥ m > c means a > 0
        (n, m, a, c) = (y / m, a, m, y % m);
    }
    sum
}
