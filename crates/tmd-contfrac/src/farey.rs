//! Farey neighbors of the slope, and how they change as the slope moves (the Farey walk).
//!
//! The Farey fractions of order `M` are the reduced fractions with denominators up to `M`. The
//! half-open intervals `[m1/u, m2/v)` between neighbors tile the circle; exactly one holds `a`.
//! (For the successor formula, Hardy and Wright, *An Introduction to the Theory of Numbers*,
//! chapter III; Lemma W.24 of docs/proofs/walk.md.)
//!
//! | name | what it is |
//! |---|---|
//! | `M` | the order: `u, v ≤ M < u + v` |
//! | `m1/u`, `m2/v` | left and right neighbor, `m2·u − m1·v = 1`; `0 ≤ m1 < u`, `0 < m2 ≤ v` |
//! | `p` | `u·a − m1 ≥ 0`, scaled by the modulus: how far right of a multiple of the circle the point `u` lies |
//! | `q` | `m2 − v·a > 0`, scaled by the modulus: how far left of it the point `v` lies |
//! | `k` | `⌊(M + u)/v⌋`: the next fraction after `m2/v` is `(k·m2 − m1)/(k·v − u)` |
//!
//! Invariant: **`u·q + v·p = 1`** (scaled: the modulus).
//!
//! **Mind the pairing.** Here `u, p` belong to the left neighbor and `v, q` to the right one: point
//! `u` lies `p` to the right of 0. In a [two-length configuration](crate::two_length) it is point
//! `v` that lies `p` to the right of 0, and the invariant is `u·p + v·q`. The lengths are the same,
//! the two counts are exchanged.
//!
//! Crossing the right end, in `O(1)`: `(u, v, p, q) ← (v, k·v − u, −q, p + k·q)`. Crossing the left
//! end, its mirror image: `k = ⌊(M + v)/u⌋`, `(u, v, p, q) ← (k·u − v, u, q + k·p, −p)`.
//!
//! Both keep a basis of the lattice, whatever k (Lemma W.5 of `proofs/Lattice.v`), as a step of the
//! slope does (Lemma W.4).
//!
//! **Bounds.** With `M ≤ 2^61` ([`MAX_ORDER`]), `modulus ≤ 2^64` and a step `|δ| ≤ modulus`: inside
//! a step `|p|, |q| ≤ modulus + M·|δ| ≤ 2^64 + 2^125`; the product `k·q` is the difference of a new
//! length and an old one, hence at most `2^65 + 2^126 < 2^127` and fits in `i128`.
//! `k·v ≤ M + u ≤ 2^62` fits in `u64`.

use crate::{Error, Rotation};

/// The largest order of a Farey interval, `2^61`; see the bounds of the module.
pub const MAX_ORDER: u64 = 1 << 61;

/// The interval `[m1/u, m2/v)` between two neighbors of the Farey fractions of order `M`, on the
/// circle `[0, 1)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FareyInterval {
    order: u64,
    m1: u64,
    u: u64,
    m2: u64,
    v: u64,
}

/// A slope `a/modulus` and the Farey interval that holds it, with the lengths `p` and `q`; it moves
/// with the slope.
///
/// Invariants: `p = u·a − m1·modulus ≥ 0`, `q = m2·modulus − v·a > 0`, `u·q + v·p = modulus`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FareyWalk {
    interval: FareyInterval,
    rotation: Rotation,
    p: u128,
    q: u128,
}

/// The Farey interval of order `order` that holds the slope of `rotation`, in `O(log order)`
/// divisions.
///
/// # Errors
///
/// [`Error::ZeroOrder`] and [`Error::OrderTooLarge`].
///
/// ```
/// use tmd_contfrac::{Rotation, farey_neighbors};
///
/// let interval = farey_neighbors(Rotation::new(14, 45)?, 10)?;
/// assert_eq!((interval.left(), interval.right()), ((3, 10), (1, 3))); // 3/10 ≤ 14/45 < 1/3
/// # Ok::<(), tmd_contfrac::Error>(())
/// ```
pub fn farey_neighbors(rotation: Rotation, order: u64) -> Result<FareyInterval, Error> {
    FareyWalk::new(rotation, order).map(FareyWalk::interval)
}

impl FareyInterval {
    /// The interval `[0/1, 1/order)`, which holds the slope 0.
    ///
    /// # Errors
    ///
    /// [`Error::ZeroOrder`] and [`Error::OrderTooLarge`].
    pub fn first(order: u64) -> Result<Self, Error> {
        match order {
            0 => Err(Error::ZeroOrder),
            1..=MAX_ORDER => Ok(Self { order, m1: 0, u: 1, m2: 1, v: order }.checked()),
            _ => Err(Error::OrderTooLarge { order }),
        }
    }

    /// The next interval to the right; after the last one, which ends at 1/1, the first one.
    #[must_use]
    pub fn successor(self) -> Self {
        self.successor_with_quotient().0
    }

    /// The next interval to the left; before the first one, which starts at 0/1, the last one.
    #[must_use]
    pub fn predecessor(self) -> Self {
        self.predecessor_with_quotient().0
    }

    /// The order `M`.
    pub fn order(self) -> u64 {
        self.order
    }

    /// The left neighbor `(m1, u)`: the fraction `m1/u`, which belongs to the interval.
    pub fn left(self) -> (u64, u64) {
        (self.m1, self.u)
    }

    /// The right neighbor `(m2, v)`: the fraction `m2/v`, which does not belong to the interval.
    pub fn right(self) -> (u64, u64) {
        (self.m2, self.v)
    }

    fn successor_with_quotient(self) -> (Self, u64) {
        let Self { order, m1, u, m2, v } = self;
        let k = (order + u) / v;
        let next = Self { order, m1: m2, u: v, m2: k * m2 - m1, v: k * v - u };
        // past 1/1 the same interval one turn earlier
        let next = if m2 == v { Self { m1: next.m1 - next.u, m2: next.m2 - next.v, ..next } } else { next };
        (next.checked(), k)
    }

    fn predecessor_with_quotient(self) -> (Self, u64) {
        let Self { order, m1, u, m2, v } = self;
        let k = (order + v) / u;
        let (u_next, v_next) = (k * u - v, u);
        // before 0/1 the same interval one turn later: m1 = 0 and m2 = 1 there
        let (m1_next, m2_next) = if m1 == 0 { (u_next - m2, v_next) } else { (k * m1 - m2, m1) };
        (Self { order, m1: m1_next, u: u_next, m2: m2_next, v: v_next }.checked(), k)
    }

    fn checked(self) -> Self {
        let Self { order, m1, u, m2, v } = self;
        debug_assert!(u <= order && v <= order && order < u + v, "neighbors of order {order}: {self:?}");
        debug_assert!(m1 < u && 0 < m2 && m2 <= v, "within [0, 1]: {self:?}");
        debug_assert_eq!(u128::from(m2) * u128::from(u), u128::from(m1) * u128::from(v) + 1, "a Farey pair");
        self
    }
}

impl FareyWalk {
    /// The walk that starts at the slope of `rotation`, in `O(log order)` divisions.
    ///
    /// The search descends the Stern–Brocot tree from `0/1` and `1/0`, a whole run of equal turns
    /// at a time.
    ///
    /// # Errors
    ///
    /// [`Error::ZeroOrder`] and [`Error::OrderTooLarge`].
    pub fn new(rotation: Rotation, order: u64) -> Result<Self, Error> {
        FareyInterval::first(order)?; // the order is good
        let (mut m1, mut u, mut p) = (0_u64, 1_u64, rotation.a());
        let (mut m2, mut v, mut q) = (1_u64, 0_u64, rotation.modulus());
        // Invariants: m2·u − m1·v = 1; p ≥ 0, q > 0; u·q + v·p = modulus; u, v ≤ order.
        while u + v <= order {
            // Mediants right of a, that is q − p > 0, replace the right neighbor. u ≥ 1 throughout.
            let room = (order - v) / u;
            let k = (q - 1).checked_div(p).map_or(room, |k| (k.min(u128::from(room))) as u64);
            (m2, v, q) = (m2 + k * m1, v + k * u, q - u128::from(k) * p);
            // The others replace the left neighbor. v ≥ 1 now, since a < modulus made the first k
            // at least 1.
            let k = (p / q).min(u128::from((order - u) / v)) as u64;
            (m1, u, p) = (m1 + k * m2, u + k * v, p - u128::from(k) * q);
        }
        let interval = FareyInterval { order, m1, u, m2, v }.checked();
        Ok(Self { interval, rotation, p, q }.checked())
    }

    /// Moves the slope by `delta/modulus`, to the right if positive, and follows it to its
    /// interval. Returns the number of Farey fractions crossed: those in `(a, a + delta]`, or in
    /// `(a + delta, a]` if `delta` is negative.
    ///
    /// Costs `O(1)` per crossing, of which there are about `0.304·M²·|delta|/modulus` (the Farey
    /// fractions of order `M` are that many per turn); for a long jump [`FareyWalk::new`] is
    /// cheaper. The slope is kept modulo 1.
    ///
    /// # Errors
    ///
    /// [`Error::StepTooLong`] if `|delta| > modulus`; the walk then stays where it is.
    ///
    /// ```
    /// use tmd_contfrac::{FareyWalk, Rotation};
    ///
    /// let mut walk = FareyWalk::new(Rotation::new(14, 45)?, 5)?; // 1/4 … 1/3
    /// assert_eq!(walk.advance(5)?, 2); // past 1/3 and 2/5 to 19/45
    /// assert_eq!((walk.interval().left(), walk.interval().right()), ((2, 5), (1, 2)));
    /// # Ok::<(), tmd_contfrac::Error>(())
    /// ```
    pub fn advance(&mut self, delta: i128) -> Result<u64, Error> {
        let modulus = self.rotation.modulus();
        if delta.unsigned_abs() > modulus {
            return Err(Error::StepTooLong { delta, modulus });
        }
        let FareyInterval { u, v, .. } = self.interval;
        // p, q ≤ modulus ≤ 2^64: the casts are exact; the products are bounded in the module
        // documentation
        let (mut p, mut q) = (self.p as i128 + i128::from(u) * delta, self.q as i128 - i128::from(v) * delta);
        let mut crossings = 0_u64; // one per turn of a loop: 2^64 turns do not happen
        while q <= 0 {
            let (interval, k) = self.interval.successor_with_quotient();
            self.interval = interval;
            (p, q) = (-q, p + i128::from(k) * q);
            crossings += 1;
        }
        while p < 0 {
            let (interval, k) = self.interval.predecessor_with_quotient();
            self.interval = interval;
            (p, q) = (q + i128::from(k) * p, -p);
            crossings += 1;
        }
        self.rotation = self.rotation.turned(delta);
        (self.p, self.q) = (p as u128, q as u128); // p ≥ 0 and q > 0 by the loops
        *self = self.checked();
        Ok(crossings)
    }

    /// The Farey interval that holds the slope.
    pub fn interval(self) -> FareyInterval {
        self.interval
    }

    /// The slope where the walk now stands.
    pub fn rotation(self) -> Rotation {
        self.rotation
    }

    /// The denominator `u` of the left neighbor: point `u` lies `p` to the right of 0.
    pub fn u(self) -> u64 {
        self.interval.u
    }

    /// The denominator `v` of the right neighbor: point `v` lies `q` to the left of 0.
    pub fn v(self) -> u64 {
        self.interval.v
    }

    /// The length `p = u·a − m1·modulus`, at least 0, in units of 1/modulus.
    pub fn p(self) -> u128 {
        self.p
    }

    /// The length `q = m2·modulus − v·a`, at least 1, in units of 1/modulus.
    pub fn q(self) -> u128 {
        self.q
    }

    fn checked(self) -> Self {
        let FareyInterval { m1, u, m2, v, .. } = self.interval;
        let (a, modulus) = (self.rotation.a(), self.rotation.modulus());
        let [m1, u, m2, v] = [m1, u, m2, v].map(u128::from);
        debug_assert_eq!(m1 * modulus + self.p, u * a, "p = u·a − m1");
        debug_assert_eq!(v * a + self.q, m2 * modulus, "q = m2 − v·a");
        debug_assert!(self.q > 0, "a lies left of the right neighbor");
        debug_assert_eq!(u * self.q + v * self.p, modulus, "u·q + v·p = 1");
        self
    }
}
