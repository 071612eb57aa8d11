//! Which point lies nearest to `b`, at its left? The exact minimum of `(b − a·x) mod modulus` over
//! `0 ≤ x < n`.
//!
//! The method is the lower bound computation of the GPU paper (2016), section 4.2 (Algorithm 2),
//! with the index `x` carried along and the last quotient trimmed, so that it places exactly `n`
//! points. One walks through the two-length configurations and keeps the interval that holds `b`:
//!
//! | name | what it is |
//! |---|---|
//! | `p, q, u, v` | the [two-length configuration](crate::two_length) |
//! | `k` | how many times the long intervals are split at once |
//! | `x` | the index of the nearest point at the left of `b` |
//! | `d` | its distance `(b − a·x) mod modulus` |
//!
//! If `b` lies in a long interval, the `k` splits put points into it (directed reduction, Property
//! 2):
//!
//! * even `i` (length `q`, `x ≥ u`): point `x + j·v` at `j·p` from the left end, `j = 1, …, k`. The
//!   nearest at the left of `b` is `j = min(⌊d/p⌋, k)`, and `d ← d − j·p`.
//! * odd `i` (length `p`, `x < u`): the right end is point `x + v`; point `x + v + s·u` lies at
//!   `p − s·q` from the left end, `s = 1, …, k`. The first to fall at the left of `b` is
//!   `s = ⌈(p − d)/q⌉`; later ones fall farther to the left. If `s ≤ k`, then `d ← d − (p − s·q)`.
//!
//! Between two configurations the long intervals are split in the order of their points, so the
//! last step asks whether the one point that would fall into the interval of `b` is among the first
//! `n`.
//!
//! Deviations from Algorithm 2: the start of [`crate::two_length`]; `d` is updated only by points
//! that are placed (the paper's `d mod p` may use a point of a later configuration, a lower bound
//! where this is the minimum); lengths that divide one another, where the paper divides by zero,
//! end the walk: all points are placed.

use crate::{Rotation, TwoLengthConfiguration, arc::first};

/// A point `x` and its distance to the `b` of the question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PlacedPoint {
    /// The index of the point: it lies at `a·x mod modulus`.
    pub x: u64,
    /// The distance `(b − a·x) mod modulus` from the point rightwards to `b`, in units of
    /// 1/modulus.
    pub d: u128,
}

/// The interval of a configuration that holds `b`: `left ≤ b < right` along the circle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cell {
    /// The index of the nearest point at the left of `b`, or at `b`.
    pub left: u128,
    /// The distance `(b − a·left) mod modulus`; 0 if `b` is a point.
    pub left_distance: u128,
    /// The index of the next point to the right.
    pub right: u128,
    /// The distance from `b` rightwards to that point, at least 1; with one point only it is the
    /// rest of the circle.
    pub right_distance: u128,
}

/// The minimum of `(b − a·x) mod modulus` over `0 ≤ x < n`, and the smallest `x` that attains it;
/// `None` for `n = 0`. `O(log n)` divisions; `b` is reduced.
///
/// ```
/// use tmd_contfrac::{PlacedPoint, Rotation, minimum};
///
/// let rotation = Rotation::new(14, 45)?;
/// // 0, 14, 28, 42, 11, 25: the nearest at the left of 27 is 25
/// assert_eq!(minimum(rotation, 27, 6), Some(PlacedPoint { x: 5, d: 2 }));
/// # Ok::<(), tmd_contfrac::Error>(())
/// ```
pub fn minimum(rotation: Rotation, b: u128, n: u64) -> Option<PlacedPoint> {
    if n == 0 {
        return None;
    }
    let mut walk = LocatedPoint::start(rotation, b);
    loop {
        let k = walk.configuration.splits_within(u128::from(n));
        if k == 0 {
            break;
        }
        walk.advance(k);
    }
    let mut best = walk.nearest();
    if !walk.configuration.is_complete() {
        // fewer than long_count points are left to place: at most one falls into the interval of b
        walk.advance(1);
        let candidate = walk.nearest();
        if candidate.x < n {
            best = candidate;
        }
    }
    Some(best)
}

/// The smallest `x < n` with `(b − a·x) mod modulus < width`, if there is one. `O(log n)`
/// divisions; `b` is reduced.
///
/// ```
/// use tmd_contfrac::{PlacedPoint, Rotation, first_hit};
///
/// let rotation = Rotation::new(14, 45)?;
/// assert_eq!(first_hit(rotation, 27, 45, 3), Some(PlacedPoint { x: 5, d: 2 }));
/// assert_eq!(first_hit(rotation, 27, 5, 3), None);
/// # Ok::<(), tmd_contfrac::Error>(())
/// ```
pub fn first_hit(rotation: Rotation, b: u128, n: u64, width: u128) -> Option<PlacedPoint> {
    let modulus = rotation.modulus();
    // x < n ≤ u64::MAX
    let hit = first(rotation.a(), b % modulus, modulus, n.into(), width)?;
    Some(PlacedPoint { x: hit.0 as u64, d: hit.1 })
}

/// The interval of `configuration` that holds `b`, with both its ends. `O(log n)` divisions for `n`
/// points; `b` is reduced. In the degenerate configuration coinciding points count once, by their
/// smallest index.
///
/// ```
/// use tmd_contfrac::{Cell, Rotation, TwoLengthConfiguration, locate};
///
/// let configuration = TwoLengthConfiguration::covering(Rotation::new(14, 45)?, 4); // points 0, 14, 28, 42
/// let cell = Cell { left: 2, left_distance: 12, right: 3, right_distance: 2 };
/// assert_eq!(locate(configuration, 40), cell);
/// # Ok::<(), tmd_contfrac::Error>(())
/// ```
pub fn locate(configuration: TwoLengthConfiguration, b: u128) -> Cell {
    let mut walk = LocatedPoint::start(configuration.rotation(), b);
    loop {
        // Each k is whole except in the last quotient: the walk ends at the configuration, or at
        // the complete one if the configuration is degenerate.
        let k = walk.configuration.splits_within(configuration.points());
        if k == 0 {
            break;
        }
        walk.advance(k);
    }
    let (right, length) = walk.right();
    Cell { left: walk.x, left_distance: walk.d, right, right_distance: length - walk.d }
}

/// A configuration and the interval in it that holds `b`.
///
/// Invariants: `x < u + v`, `(b − a·x) mod modulus = d`, and `d` is less than the length of the
/// interval whose left end is `x`.
#[derive(Clone, Copy, Debug)]
struct LocatedPoint {
    configuration: TwoLengthConfiguration,
    b: u128,
    x: u128,
    d: u128,
}

impl LocatedPoint {
    fn start(rotation: Rotation, b: u128) -> Self {
        let b = b % rotation.modulus();
        Self { configuration: TwoLengthConfiguration::start(rotation), b, x: 0, d: b }.checked()
    }

    /// Splits all long intervals `k` times; needs `k·short < long`, so that no two points coincide.
    fn advance(&mut self, k: u128) {
        let c = self.configuration;
        (self.x, self.d) = c.lengths().nearest_after(k, self.x, self.d);
        self.configuration = c.advance(k);
        *self = self.checked();
    }

    /// The right end of the interval and its length.
    fn right(self) -> (u128, u128) {
        let c = self.configuration;
        if self.x < c.u() { (self.x + c.v(), c.p()) } else { (self.x - c.u(), c.q()) }
    }

    fn nearest(self) -> PlacedPoint {
        // x < u + v ≤ modulus ≤ 2^64 since both lengths are positive (or u + v = 1)
        PlacedPoint { x: self.x as u64, d: self.d }
    }

    fn checked(self) -> Self {
        debug_assert!(self.x < self.configuration.points(), "x is placed");
        debug_assert_eq!(
            self.configuration.rotation().distance(self.b, self.x as u64),
            self.d,
            "d belongs to x"
        );
        debug_assert!(self.d < self.right().1, "b lies in the interval of x");
        self
    }
}
