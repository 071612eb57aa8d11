//! The three-distance theorem: the gaps between `n` points `a·x mod modulus`, for any `n`.
//!
//! Theorem 3.5 of the GPU paper (Slater 1950): the `n` points cut the circle into intervals of at
//! most three lengths, and if there are three, the largest is the sum of the other two. Proof by
//! the directed reduction: take the last [two-length configuration](crate::two_length) with at most
//! `n` points; each further point, fewer than there are long intervals, splits one of them into a
//! short one and the rest.

use crate::{Rotation, TwoLengthConfiguration};

/// A length and how many intervals have it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Gap {
    /// The length, in units of 1/modulus.
    pub length: u128,
    /// The number of intervals of that length, at least 1.
    pub count: u128,
}

/// The gaps between `n` points: up to three different lengths, ascending. See [`three_distances`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ThreeDistances {
    gaps: [Gap; 3],
    len: usize,
}

impl ThreeDistances {
    /// The different lengths, ascending, with their counts; empty for no points.
    pub fn as_slice(&self) -> &[Gap] {
        &self.gaps[..self.len]
    }

    /// The number of points, coinciding ones counted once.
    pub fn points(&self) -> u128 {
        self.as_slice().iter().map(|gap| gap.count).sum()
    }
}

/// The lengths and counts of the intervals between the points `a·x mod modulus`, `0 ≤ x < n`, in
/// `O(log n)` divisions.
///
/// Points that coincide count once, so beyond the period nothing changes. One point leaves one gap,
/// the whole circle; no point leaves none.
///
/// ```
/// use tmd_contfrac::{Gap, Rotation, three_distances};
///
/// // points 0, 14, 28, 42, 11 on a circle of 45
/// let gaps = three_distances(Rotation::new(14, 45)?, 5);
/// let expected = [(3, 2), (11, 1), (14, 2)].map(|(length, count)| Gap { length, count });
/// assert_eq!(gaps.as_slice(), expected);
/// # Ok::<(), tmd_contfrac::Error>(())
/// ```
pub fn three_distances(rotation: Rotation, n: u64) -> ThreeDistances {
    let mut distances = ThreeDistances { gaps: [Gap::default(); 3], len: 0 };
    if n == 0 {
        return distances;
    }
    let c = TwoLengthConfiguration::within(rotation, n);
    let extra = if c.is_complete() { 0 } else { u128::from(n) - c.points() };
    debug_assert!(
        extra == 0 || extra < c.lengths().long_count(),
        "fewer points are left than long intervals"
    );
    let (short, long, long_count) = (c.lengths().short(), c.lengths().long(), c.lengths().long_count());
    let short_count = c.points() - long_count;
    for gap in [
        Gap { length: short, count: short_count + extra },
        Gap { length: long - short, count: extra },
        Gap { length: long, count: long_count - extra },
    ] {
        distances.insert(gap);
    }
    distances
}

impl ThreeDistances {
    /// Adds a gap, keeping the lengths ascending and different; at most three calls.
    fn insert(&mut self, gap: Gap) {
        if gap.count == 0 {
            return;
        }
        let place = self.as_slice().partition_point(|other| other.length < gap.length);
        if place < self.len && self.gaps[place].length == gap.length {
            self.gaps[place].count += gap.count;
            return;
        }
        self.gaps.copy_within(place..self.len, place + 1);
        self.gaps[place] = gap;
        self.len += 1;
    }
}
