//! Two-length configurations: the moments at which the points cut the circle into intervals of only
//! two lengths.
//!
//! Source: the GPU paper (2016), section 3.2, equation (2), Property 1 (Slater 1967), Property 2
//! (van Ravenstein 1988). Variables, as in the algorithms of section 4:
//!
//! | name | even `i` | odd `i` | what it is |
//! |---|---|---|---|
//! | `p` | `θ_i` | `θ_{i−1,t}` | length of the intervals whose left end is `x` and whose right end is `x + v` |
//! | `q` | `θ_{i−1,t}` | `θ_i` | length of the intervals whose left end is `x + u` and whose right end is `x` |
//! | `u` | `q_{i−1,t}` | `q_i` | number of intervals of length `p` |
//! | `v` | `q_i` | `q_{i−1,t}` | number of intervals of length `q` |
//!
//! **Invariants.** `u·p + v·q = modulus`, `a·v ≡ p` and `a·u ≡ −q` modulo the modulus. So
//! `n = u + v` points are placed; the right neighbor of point `x` is `x + v`, at distance `p`, if
//! `x < u`, and `x − u`, at distance `q`, otherwise. The longer length (`q` for even `i`, `p` for
//! odd `i`) is the one that is split next.
//!
//! **Directed reduction.** An interval of length `θ_{i−1,t}` splits, from left to right, into
//! `[p][q − p]` for even `i` (the new point lies `p` to the right of the left end) and into
//! `[p − q][q]` for odd `i` (the new point lies `q` to the left of the right end). See
//! [`TwoLengthConfiguration::directed_reduction`].
//!
//! Deviations from the paper:
//!
//! 1. The start is `(p, q, u, v) = (a, modulus, 0, 1)`: no interval of length `a`, one of the whole
//!    circle. The printed start `(1, 0)` of Algorithm 2 violates the invariant.
//! 2. For even `i` the text of section 4.1 says that `u` stores `q_i`; the update `u ← u + k·v`
//!    beside `q ← q − k·p` only keeps equation (2) with `u = q_{i−1,t}`.
//! 3. `a` is rational, so the sequence ends. In the last configuration but one both lengths equal
//!    `gcd(a, modulus)` and all `period` points are placed: it is
//!    [complete](TwoLengthConfiguration::is_complete). The last one, the bottom row of Table I, is
//!    [degenerate](TwoLengthConfiguration::is_degenerate): one length is 0, that is, some of its
//!    `u + v > period` points coincide. For `a = 0` the start is already the last one.
//!
//! **Bounds.** `u, v ≥ 0` and `p, q ≥ 0`, so each product is at most the modulus. If both lengths
//! are positive, `u + v ≤ modulus ≤ 2^64`; in the degenerate configuration
//! `u + v ≤ 2·modulus ≤ 2^65`.

use core::iter;

use crate::Rotation;

/// The two-length configuration `(i, t)` of the points `a·x mod modulus`, `0 ≤ x < u + v`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TwoLengthConfiguration {
    rotation: Rotation,
    i: u32,
    t: u128,
    lengths: Lengths,
}

/// The two lengths and their counts, on a circle of up to 2^126: nothing here multiplies a residue
/// and an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Lengths {
    pub(crate) p: u128,
    pub(crate) q: u128,
    pub(crate) u: u128,
    pub(crate) v: u128,
    /// whether `q` is the longer one, to be split next
    pub(crate) is_even: bool,
}

impl Lengths {
    /// The point 0 alone.
    pub(crate) const fn start(a: u128, modulus: u128) -> Self {
        Self { p: a, q: modulus, u: 0, v: 1, is_even: true }
    }

    /// The length `θ_{i−1,t}`, which is split next.
    pub(crate) const fn long(&self) -> u128 {
        if self.is_even { self.q } else { self.p }
    }

    /// The length `θ_i`.
    pub(crate) const fn short(&self) -> u128 {
        if self.is_even { self.p } else { self.q }
    }

    /// The number `q_i` of intervals of length `θ_{i−1,t}`.
    pub(crate) const fn long_count(&self) -> u128 {
        if self.is_even { self.v } else { self.u }
    }

    /// The number of points placed.
    pub(crate) const fn points(&self) -> u128 {
        self.u + self.v
    }

    /// How often the long intervals can be split with both lengths staying positive.
    pub(crate) fn splits(&self) -> u128 {
        // long ≥ 1 since long ≥ short; short is 0 in the degenerate configuration
        (self.long() - 1).checked_div(self.short()).unwrap_or(0)
    }

    /// The nearest point at the left of b and its distance, which are `x` and `d` now, after `k`
    /// splits; needs `k·short ≤ long`.
    pub(crate) fn nearest_after(&self, k: u128, x: u128, d: u128) -> (u128, u128) {
        let Self { p, q, u, v, is_even } = *self;
        if is_even && x >= u {
            // points fall from left to right
            let j = (d / p).min(k);
            return (x + j * v, d - j * p);
        }
        if !is_even && x < u {
            // from right to left: only the first that falls at the left of b is nearer
            let s = (p - d).div_ceil(q);
            if s <= k {
                return (x + v + s * u, d - (p - s * q));
            }
        }
        (x, d)
    }

    /// Splits all long intervals `k` times; needs `k·short ≤ long`. Says whether the other length
    /// is now the longer one.
    pub(crate) fn split(&mut self, k: u128) -> bool {
        // counts: u·p + v·q = modulus bounds them while the lengths are positive, and twice that at
        // the very end
        if self.is_even {
            self.q -= k * self.p;
            self.u += k * self.v;
        } else {
            self.p -= k * self.q;
            self.v += k * self.u;
        }
        let turns = self.long() < self.short();
        self.is_even ^= turns;
        turns
    }
}

/// How the intervals are split on the way to the next configuration (Property 2 of the GPU paper).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Reduction {
    /// The length of the intervals that are split; all of them are.
    pub split: u128,
    /// The length of the left one of the two pieces.
    pub left: u128,
    /// The length of the right one of the two pieces.
    pub right: u128,
    /// The number of intervals that are split, which is the number of points that are added.
    pub count: u128,
}

impl TwoLengthConfiguration {
    /// The configuration (0, 0): the point 0 alone.
    pub fn start(rotation: Rotation) -> Self {
        let lengths = Lengths::start(rotation.a(), rotation.modulus());
        Self { rotation, i: 0, t: 0, lengths }.checked()
    }

    /// All configurations in order, from the start to the degenerate end; `1 + Σ k_i` of them.
    ///
    /// ```
    /// use tmd_contfrac::{Rotation, TwoLengthConfiguration};
    ///
    /// let points = TwoLengthConfiguration::all(Rotation::new(14, 45)?).map(|c| c.points());
    /// assert!(points.eq([1, 2, 3, 4, 7, 10, 13, 16, 29, 45, 61]));
    /// # Ok::<(), tmd_contfrac::Error>(())
    /// ```
    pub fn all(rotation: Rotation) -> impl Iterator<Item = Self> + Clone {
        iter::successors(Some(Self::start(rotation)), |configuration| configuration.successor())
    }

    /// The configurations (0, 0), (1, 0), (2, 0), … of the division-based Euclidean algorithm,
    /// equation (3).
    ///
    /// ```
    /// use tmd_contfrac::{Rotation, TwoLengthConfiguration};
    ///
    /// let points = TwoLengthConfiguration::whole_quotients(Rotation::new(14, 45)?).map(|c| c.points());
    /// assert!(points.eq([1, 4, 16, 29, 61]));
    /// # Ok::<(), tmd_contfrac::Error>(())
    /// ```
    pub fn whole_quotients(rotation: Rotation) -> impl Iterator<Item = Self> + Clone {
        iter::successors(Some(Self::start(rotation)), |configuration| configuration.next_quotient())
    }

    /// The first configuration with at least `n` points, or the complete one where there are fewer
    /// than `n` distinct points. It has fewer than `2n` points (for `n ≥ 1`), in `O(log n)`
    /// divisions.
    pub fn covering(rotation: Rotation, n: u64) -> Self {
        let within = Self::within(rotation, n);
        if within.points() < u128::from(n) && !within.is_complete() { within.advance(1) } else { within }
    }

    /// The last configuration with at most `n` points (the start for `n = 0`), at the latest the
    /// complete one; in `O(log n)` divisions.
    pub fn within(rotation: Rotation, n: u64) -> Self {
        let mut configuration = Self::start(rotation);
        loop {
            let k = configuration.splits_within(u128::from(n));
            if k == 0 {
                return configuration;
            }
            configuration = configuration.advance(k);
        }
    }

    /// The next configuration, (i, t + 1) or (i + 1, 0) (Property 1); `None` after the degenerate
    /// one.
    pub fn successor(self) -> Option<Self> {
        (!self.is_degenerate()).then(|| self.advance(1))
    }

    /// The configuration (i + 1, 0), whatever `t`: the rest of the quotient at once; `None` after
    /// the degenerate one.
    pub fn next_quotient(self) -> Option<Self> {
        self.lengths.long().checked_div(self.lengths.short()).map(|k| self.advance(k))
    }

    /// How the intervals are split on the way to the [successor](Self::successor); `None` after the
    /// degenerate configuration.
    pub fn directed_reduction(self) -> Option<Reduction> {
        let Lengths { p, q, .. } = self.lengths;
        let (split, count) = (self.lengths.long(), self.lengths.long_count());
        if self.is_degenerate() {
            None
        } else if self.lengths.is_even {
            Some(Reduction { split, left: p, right: q - p, count })
        } else {
            Some(Reduction { split, left: p - q, right: q, count })
        }
    }

    /// The right neighbor of the point `x` and the distance to it, in `O(1)`; `None` if
    /// `x ≥ u + v`.
    ///
    /// In the degenerate configuration it is the neighbor among points of which some coincide.
    pub fn right_neighbor(self, x: u128) -> Option<(u128, u128)> {
        let Lengths { p, q, u, v, .. } = self.lengths;
        (x < self.points()).then(|| if x < u { (x + v, p) } else { (x - u, q) })
    }

    /// The left neighbor of the point `x` and the distance to it, in `O(1)`; `None` if `x ≥ u + v`.
    ///
    /// In the degenerate configuration it is the neighbor among points of which some coincide.
    pub fn left_neighbor(self, x: u128) -> Option<(u128, u128)> {
        let Lengths { p, q, u, v, .. } = self.lengths;
        (x < self.points()).then(|| if x < v { (x + u, q) } else { (x - v, p) })
    }

    /// The rotation whose points these are.
    pub fn rotation(self) -> Rotation {
        self.rotation
    }

    /// The index `i` of the continued fraction expansion.
    pub fn i(self) -> u32 {
        self.i
    }

    /// How much of the quotient `k_{i+1}` is taken: `0 ≤ t < k_{i+1}`.
    pub fn t(self) -> u128 {
        self.t
    }

    /// The length `p`, in units of 1/modulus: a point and the one `v` later, which lies to its
    /// right.
    pub fn p(self) -> u128 {
        self.lengths.p
    }

    /// The length `q`, in units of 1/modulus: a point and the one `u` later, which lies to its
    /// left.
    pub fn q(self) -> u128 {
        self.lengths.q
    }

    /// The number of intervals of length `p`.
    pub fn u(self) -> u128 {
        self.lengths.u
    }

    /// The number of intervals of length `q`.
    pub fn v(self) -> u128 {
        self.lengths.v
    }

    /// The circumference of the circle.
    pub fn modulus(self) -> u128 {
        self.rotation.modulus()
    }

    /// The number `n = u + v` of points placed: those with `0 ≤ x < n`.
    pub fn points(self) -> u128 {
        self.lengths.points()
    }

    /// Whether all distinct points of the rotation are placed, so that a further point falls on an
    /// old one.
    pub fn is_complete(self) -> bool {
        self.lengths.p == self.lengths.q || self.is_degenerate()
    }

    /// Whether one of the two lengths is 0: the end of the sequence.
    pub fn is_degenerate(self) -> bool {
        self.lengths.short() == 0
    }

    /// The lengths and their counts.
    pub(crate) fn lengths(self) -> Lengths {
        self.lengths
    }

    /// How many of the remaining splits of this quotient keep both lengths positive and at most `n`
    /// points.
    pub(crate) fn splits_within(self, n: u128) -> u128 {
        // long_count = q_i ≥ 1 always
        self.lengths.splits().min(n.saturating_sub(self.points()) / self.lengths.long_count())
    }

    /// Splits all long intervals `k` times; needs `k·short ≤ long`.
    pub(crate) fn advance(mut self, k: u128) -> Self {
        self.t += k;
        if self.lengths.split(k) {
            self.i += 1;
            self.t = 0;
        }
        self.checked()
    }

    fn checked(self) -> Self {
        let Lengths { p, q, u, v, is_even } = self.lengths;
        let (a, modulus) = (self.rotation.a(), self.modulus());
        debug_assert_eq!(u * p + v * q, modulus, "equation (2) of the paper");
        // a < 2^64 and u, v ≤ modulus ≤ 2^64: the products stay below 2^128
        debug_assert_eq!(a * v % modulus, p % modulus, "point v lies p to the right of point 0");
        debug_assert_eq!((a * u % modulus + q) % modulus, 0, "point u lies q to the left of point 0");
        debug_assert!(self.lengths.short() <= self.lengths.long(), "the longer length is split next");
        debug_assert_eq!(is_even, self.i.is_multiple_of(2), "i counts the turns");
        self
    }
}
