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

use crate::{PlacedPoint, Rotation, TwoLengthConfiguration, first_hit};

/// The hits in ascending order of `x`; see [`hits`].
#[derive(Clone, Debug)]
pub struct Hits {
    /// The next hit: its index, below `n` if there is one, and its `z < w`.
    x: u128,
    z: u128,
    n: u64,
    w: u128,
    steps: ReturnSteps,
}

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
    let w = width.min(rotation.modulus());
    let (x, z, steps) = match first_hit(rotation, b, n, w) {
        Some(first) => (u128::from(first.x), first.d, ReturnSteps::new(rotation, w)),
        None => (u128::from(n), 0, ReturnSteps { r_alpha: 1, alpha: 0, r_beta: 1, beta: 0 }),
    };
    Hits { x, z, n, w, steps }
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
        if self.x >= u128::from(self.n) {
            return None;
        }
        // x < n ≤ u64::MAX
        let hit = PlacedPoint { x: self.x as u64, d: self.z };
        let ReturnSteps { r_alpha, alpha, r_beta, beta } = self.steps;
        // x < 2^64 and each step is at most the period ≤ 2^64, so x stays below 2^66
        if self.z >= alpha {
            self.x += r_alpha;
            self.z -= alpha;
        } else if self.z + beta < self.w {
            self.x += r_beta;
            self.z += beta;
        } else {
            self.x += r_alpha + r_beta;
            self.z = self.z + beta - alpha;
        }
        debug_assert!(self.z < self.w, "a return step ends in the window");
        Some(hit)
    }
}

impl FusedIterator for Hits {}

/// The steps from one hit to the next; the names are those of the module documentation.
///
/// Invariants: `alpha, beta < w`; `alpha + beta ≥ w` or both are 0.
#[derive(Clone, Copy, Debug)]
struct ReturnSteps {
    r_alpha: u128,
    alpha: u128,
    r_beta: u128,
    beta: u128,
}

impl ReturnSteps {
    /// The return steps for a window of `1 ≤ w ≤ modulus`.
    fn new(rotation: Rotation, w: u128) -> Self {
        let mut c = TwoLengthConfiguration::start(rotation);
        let (mut down, mut up) = (None, None);
        loop {
            if down.is_none() && c.p() < w {
                down = Some((c.v(), c.p()));
            }
            if up.is_none() && c.q() < w {
                up = Some((c.u(), c.q()));
            }
            if c.is_degenerate() || (down.is_some() && up.is_some()) {
                break;
            }
            // The length that shrinks is the long one. While it is not below w, stop at the first t
            // where it is.
            let whole = c.long() / c.short();
            let sought = c.long() >= w;
            let t = if sought { whole.min((c.long() - (w - 1)).div_ceil(c.short())) } else { whole };
            c = c.advance(t);
        }
        // A side without a record below w: only displacement 0 is left, after a whole period.
        let fallback = || (rotation.period(), 0);
        let (r_alpha, alpha) = down.unwrap_or_else(fallback);
        let (r_beta, beta) = up.unwrap_or_else(fallback);
        debug_assert!(alpha < w && beta < w, "both displacements fit in the window");
        debug_assert!(alpha + beta >= w || alpha + beta == 0, "the first lemma");
        Self { r_alpha, alpha, r_beta, beta }
    }
}

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
