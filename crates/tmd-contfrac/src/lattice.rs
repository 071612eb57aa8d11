//! The points of the lattice `Λ_a = {(x, a·x − m·modulus) : x, m integers}` in a box, from a Farey
//! pair.
//!
//! With the names of [`farey`](crate::farey), `e1 = (u, p)` and `e2 = (−v, q)` are a basis of
//! `Λ_a`: both are points of it, and `u·q + v·p = modulus` is its determinant. Exchanging the two
//! and the sign of `x` gives another basis of the same kind, so let `|p| ≤ |q|`. A point
//! `s·e1 + t·e2` has
//!
//! ```text
//! x = s·u − t·v,    y = s·p + t·q,    t·modulus = u·y − p·x.
//! ```
//!
//! **Few lines.** A point with `|x| ≤ half_domain` and `|y − β| ≤ width` lies on a line `t` with
//! `|t·modulus − u·β| ≤ |p|·half_domain + u·width`, by the third equation. When the right side is
//! below the modulus, only `t = ⌊u·β/modulus⌋` and the next integer are possible: **two
//! lines** at most. On a line the points are `u` apart in `x` and `p` apart in `y`, so both
//! conditions bound `s` to a range, and what the range holds are points of the box: the work is one
//! step per line and one per point.
//!
//! That exactly the points of the box are found, from any basis, is Theorem W.11 of
//! `proofs/Lattice.v`, machine-checked.
//!
//! **Bounds.** For `u, v, half_domain ≤ 2^60` and `|p|, |q|, |β|, width, modulus ≤ 2^64` no
//! intermediate exceeds `2^126`.

use crate::FareyWalk;

/// A basis `(u, p), (−v, q)` of `Λ_a` with `u·q + v·p = modulus`; neither a nor the numerators are
/// kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LatticeBasis {
    /// `x` of the first vector, a count of arguments, positive
    pub u: i64,
    /// `y` of the first vector, a length in units of 1/modulus
    pub p: i128,
    /// minus `x` of the second vector, a count of arguments, positive
    pub v: i64,
    /// `y` of the second vector, a length in units of 1/modulus
    pub q: i128,
    /// circumference of the circle: the unit of lengths is 1/modulus of it
    pub modulus: i128,
}

impl LatticeBasis {
    /// Calls `found(x, y − β)` for every lattice point with `|x| ≤ half_domain` and
    /// `|y − β| ≤ width`, in no particular order, each once.
    ///
    /// β is in units of 1/modulus, as `width` is. Any basis finds all points. That of a Farey pair
    /// of order about `half_domain` finds them on few lines.
    ///
    /// ```
    /// use tmd_contfrac::{FareyWalk, LatticeBasis, Rotation};
    ///
    /// // where is 14·x mod 45 within 2 of 41, for |x| ≤ 11?
    /// let basis = LatticeBasis::of(&FareyWalk::new(Rotation::new(14, 45)?, 11)?);
    /// let mut found = Vec::new();
    /// basis.near(41, 11, 2, |x, off| found.push((x, off)));
    /// found.sort_unstable();
    /// assert_eq!(found, [(-10, -1), (3, 1), (6, -2)]); // 14·3 = 42, one above 41
    /// # Ok::<(), tmd_contfrac::Error>(())
    /// ```
    pub fn near(&self, beta: i128, half_domain: i64, width: i128, mut found: impl FnMut(i64, i128)) {
        let Self { u, p, v, q, modulus } = *self;
        let (u, p, v, q, sign) = if p.abs() <= q.abs() { (u, p, v, q, 1) } else { (v, q, u, p, -1) };
        let (u, v, half_domain) = (i128::from(u), i128::from(v), i128::from(half_domain));
        debug_assert!(u > 0 && u * q + v * p == modulus && width >= 0 && half_domain >= 0, "{self:?}");
        debug_assert!(u.max(v).max(half_domain) <= 1 << 60, "{self:?}, half_domain {half_domain}");
        debug_assert!(
            p.abs().max(q.abs()).max(beta.abs()).max(width).max(modulus) <= 1 << 64,
            "{self:?}, beta {beta}, width {width}"
        );
        let spread = p.abs() * half_domain + u * width;
        let middle = u * beta;
        for t in ceil_div(middle - spread, modulus)..=floor_div(middle + spread, modulus) {
            let base = beta - t * q; // y − β = s·p − base
            let (mut first, mut last) = (ceil_div(t * v - half_domain, u), floor_div(t * v + half_domain, u));
            if p == 0 {
                if base.abs() > width {
                    continue;
                }
            } else {
                // |s·p − base| = |s·|p| ∓ base|
                let base = base * p.signum();
                first = first.max(ceil_div(base - width, p.abs()));
                last = last.min(floor_div(base + width, p.abs()));
            }
            for s in first..=last {
                // |x| ≤ half_domain ≤ 2^60
                found((sign * (s * u - t * v)) as i64, s * p - base);
            }
        }
    }
}

impl LatticeBasis {
    /// The basis of the Farey pair where a walk stands.
    pub fn of(walk: &FareyWalk) -> Self {
        let rotation = walk.rotation();
        // counts ≤ 2^61 and lengths ≤ 2^64 by the bounds of the walk: the casts are exact
        Self {
            u: walk.u() as i64,
            p: walk.p() as i128,
            v: walk.v() as i64,
            q: walk.q() as i128,
            modulus: rotation.modulus() as i128,
        }
    }
}

/// `⌊n/d⌋` for `d > 0`; division of 128 bits is slow, and rarely needed.
fn floor_div(n: i128, d: i128) -> i128 {
    if d & (d - 1) == 0 {
        return n >> d.trailing_zeros();
    }
    match (i64::try_from(n), i64::try_from(d)) {
        (Ok(n), Ok(d)) => n.div_euclid(d).into(),
        _ => n.div_euclid(d),
    }
}

/// `⌈n/d⌉` for `d > 0`.
fn ceil_div(n: i128, d: i128) -> i128 {
    -floor_div(-n, d)
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use crate::Rotation;
    use proptest::prelude::*;
    use std::vec::Vec;

    /// By definition: every `x`, and for each the `m` that brings `y` next to β.
    fn brute(a: i128, modulus: i128, beta: i128, half_domain: i64, width: i128) -> Vec<(i64, i128)> {
        let mut points = Vec::new();
        for x in -half_domain..=half_domain {
            let off = (a * i128::from(x) - beta).rem_euclid(modulus);
            let offs = (-2 - 2 * width / modulus..=2 + 2 * width / modulus).map(|m| off + m * modulus);
            points.extend(offs.filter(|off| off.abs() <= width).map(|off| (x, off)));
        }
        points
    }

    proptest! {
        #[test]
        fn near_is_brute_force(
            modulus in prop_oneof![1i128..200, 1i128..1 << 64, (0u32..65).prop_map(|k| 1i128 << k)], seed in any::<[u64; 4]>(),
            order in 1u64..90, half_domain in 0i64..80, log in 0u32..64, steps in -3i32..4,
        ) {
            let reduce = |x: u64| i128::from(x) % modulus;
            let (a, beta, width) = (reduce(seed[0]), reduce(seed[1]) - reduce(seed[2]), reduce(seed[3]) >> log.min(60));
            let walk = FareyWalk::new(Rotation::new(a as u128, modulus as u128).unwrap(), order).unwrap();
            let mut basis = LatticeBasis::of(&walk);
            for _ in 0..steps.abs() {
                // any basis will do: e2 ± e1 for e2, whatever the signs of its lengths, as long as
                // these are at most 2^64, which `near` asks for
                let (v, q) = if steps > 0 || basis.v <= basis.u {
                    (basis.v + basis.u, basis.q - basis.p)
                } else {
                    (basis.v - basis.u, basis.q + basis.p)
                };
                if q.abs() <= 1 << 64 {
                    (basis.v, basis.q) = (v, q);
                }
            }
            let mut found = Vec::new();
            basis.near(beta, half_domain, width, |x, off| found.push((x, off)));
            found.sort_unstable();
            let mut expected = brute(a, modulus, beta, half_domain, width);
            expected.sort_unstable();
            prop_assert_eq!(found, expected);
        }
    }
}
