//! All `x` with `(b − a·x) mod modulus < width` on a circle of up to `2^126`: the arguments whose
//! angle is in an arc.
//!
//! The questions and the theorems are those of [`hits`](mod@crate::hits) and
//! [`location`](crate::location); but a search among 2^53 or 2^64 arguments for those within 2^-50
//! of a turn needs the rotation to 120 bits. Products of a residue and an index do not fit any
//! machine word then, so nothing here multiplies the two: every step is one of the two-length
//! configuration, a quotient of lengths times a count or a length, and stays below twice the
//! modulus.
//!
//! | name | what it is |
//! |---|---|
//! | `p, q, u, v` | the [two-length configuration](crate::two_length): `u·p + v·q = modulus`, `a·v ≡ p`, `a·u ≡ −q` |
//! | `x`, `d` | the nearest point at the left of `b` among the first `u + v`, and its distance to `b` |
//!
//! **First hit.** While `d ≥ width` all intervals of the longer length are split; the interval of
//! `b` gets its new left point in the order in which points fall (docs of
//! [`location`](crate::location)), so the first `x` with `d < width` is the smallest one. **Next
//! hit.** By the lemmas of [`hits`](mod@crate::hits): after `r_α`, `r_β` or `r_α + r_β` steps,
//! where `r_α` is the first record minimum of `a·r mod modulus` below the width and `r_β` that of
//! `−a·r`.

use core::iter::FusedIterator;

use crate::{Error, two_length::Lengths};

/// The largest modulus of [`arc_hits`].
pub const MAX_ARC_MODULUS: u128 = 1 << 126;

/// The smallest `x` with `(b − a·x) mod modulus < width`, and that distance, if `x < n`; for
/// `a, b < modulus ≤ 2^126`.
pub(crate) fn first(a: u128, b: u128, modulus: u128, n: u128, width: u128) -> Option<(u128, u128)> {
    if n == 0 || width == 0 {
        return None;
    }
    let mut lengths = Lengths::start(a, modulus);
    let (mut x, mut d) = (0, b);
    while d >= width {
        let mut k = lengths.splits();
        if k == 0 || lengths.points() >= n {
            return None;
        }
        if lengths.is_even && x >= lengths.u {
            // points fall from left to right: stop at the first that comes near enough
            k = k.min((d - (width - 1)).div_ceil(lengths.p));
        }
        (x, d) = lengths.nearest_after(k, x, d);
        lengths.split(k);
    }
    (x < n).then_some((x, d))
}

/// The hits in ascending order; see [`arc_hits`].
#[derive(Clone, Debug)]
pub struct ArcHits {
    next: Option<(u128, u128)>,
    n: u128,
    width: u128,
    down: (u128, u128),
    up: (u128, u128),
}

/// All `x < n` with `(b − a·x) mod modulus < width`, ascending, each with that distance. The first
/// takes `O(log modulus)` divisions, each further one a few additions. `a` and `b` are reduced,
/// `width` may be anything.
///
/// # Errors
/// [`Error::ZeroModulus`], and [`Error::ModulusTooLarge`] beyond [`MAX_ARC_MODULUS`].
///
/// ```
/// use tmd_contfrac::arc_hits;
///
/// // 14·x mod 45 in (37, 41]
/// let hits: Vec<_> = arc_hits(14, 41, 45, 45, 4)?.collect();
/// assert_eq!(hits, [(6, 2), (19, 0), (22, 3), (35, 1)]);
/// # Ok::<(), tmd_contfrac::Error>(())
/// ```
pub fn arc_hits(a: u128, b: u128, modulus: u128, n: u128, width: u128) -> Result<ArcHits, Error> {
    match modulus {
        0 => return Err(Error::ZeroModulus),
        1..=MAX_ARC_MODULUS => {}
        _ => return Err(Error::ModulusTooLarge { modulus }),
    }
    Ok(ArcHits::new(a % modulus, b % modulus, modulus, n, width.min(modulus)))
}

impl ArcHits {
    /// For `a, b < modulus ≤ 2^126` and `width ≤ modulus`.
    pub(crate) fn new(a: u128, b: u128, modulus: u128, n: u128, width: u128) -> Self {
        let next = first(a, b, modulus, n, width);
        let (down, up) = if next.is_some() { steps(a, modulus, width) } else { ((1, 0), (1, 0)) };
        Self { next, n, width, down, up }
    }
}

/// `(r_α, α)` and `(r_β, β)`.
fn steps(a: u128, modulus: u128, width: u128) -> ((u128, u128), (u128, u128)) {
    let mut c = Lengths::start(a, modulus);
    let (mut down, mut up) = (None, None);
    loop {
        if down.is_none() && c.p < width {
            down = Some((c.v, c.p));
        }
        if up.is_none() && c.q < width {
            up = Some((c.u, c.q));
        }
        if c.short() == 0 || (down.is_some() && up.is_some()) {
            break;
        }
        // the long length shrinks: not beyond the first time that it is below the width
        let whole = c.long() / c.short();
        let sought = c.long() >= width;
        let k = if sought { whole.min((c.long() - (width - 1)).div_ceil(c.short())) } else { whole };
        c.split(k);
    }
    // a side without a record below the width: only the distance 0 is left, after a whole period,
    // which the other side has
    let period = c.u.max(c.v);
    let fallback = (period, 0);
    let (down, up) = (down.unwrap_or(fallback), up.unwrap_or(fallback));
    debug_assert!(down.1 < width && up.1 < width, "both displacements fit in the window");
    debug_assert!(down.1 + up.1 >= width || down.1 + up.1 == 0, "the first lemma of `hits`");
    (down, up)
}

impl Iterator for ArcHits {
    type Item = (u128, u128);

    fn next(&mut self) -> Option<(u128, u128)> {
        let (x, z) = self.next?;
        let ((r_alpha, alpha), (r_beta, beta)) = (self.down, self.up);
        let (after, z_after) = if z >= alpha {
            (x + r_alpha, z - alpha)
        } else if z + beta < self.width {
            (x + r_beta, z + beta)
        } else {
            (x + r_alpha + r_beta, z + beta - alpha)
        };
        debug_assert!(z_after < self.width, "a return step ends in the window");
        self.next = (after < self.n).then_some((after, z_after));
        Some((x, z))
    }
}

impl FusedIterator for ArcHits {}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use proptest::prelude::*;
    use std::vec::Vec;

    fn brute(a: u128, b: u128, modulus: u128, n: u128, width: u128) -> Vec<(u128, u128)> {
        let distance = |x: u128| (b % modulus + modulus - a % modulus * x % modulus) % modulus;
        (0..n).map(|x| (x, distance(x))).filter(|&(_, d)| d < width).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 3000, ..ProptestConfig::default() })]
        #[test]
        fn hits_are_brute_force(
            modulus in prop_oneof![1u128..60, 1u128..5000, (0u32..50).prop_map(|k| 1 << k)], a in any::<u64>(), b in any::<u64>(),
            n in 0u128..3000, width in prop_oneof![0u128..8, any::<u64>().prop_map(u128::from)], shrink in 0u32..64,
        ) {
            let (a, b, width) = (a.into(), b.into(), width >> shrink);
            let found: Vec<_> = arc_hits(a, b, modulus, n, width).unwrap().collect();
            prop_assert_eq!(found, brute(a, b, modulus, n, width));
        }

        /// On large circles hits are at their distances, and as many as there should be: neighbors
        /// by the search for the first alone.
        #[test]
        fn hits_on_large_circles(a in 0u128..1 << 126, b in 0u128..1 << 126, log_n in 40u32..64) {
            let (modulus, n, width) = (MAX_ARC_MODULUS, 1u128 << log_n, 1u128 << (126 - log_n + 5));
            let hits: Vec<_> = arc_hits(a, b, modulus, n, width).unwrap().take(200).collect();
            // wrapping arithmetic mod 2^128 is arithmetic mod 2^126, times 4
            let distance = |x: u128| (b << 2).wrapping_sub((a << 2).wrapping_mul(x)) >> 2;
            let mut from = 0;
            for &(x, d) in &hits {
                prop_assert_eq!(d, distance(x));
                // the first from there on
                let moved = distance(from) ;
                let (next, _) = first(a, moved, modulus, n - from, width).unwrap();
                prop_assert_eq!(from + next, x);
                from = x + 1;
            }
            if hits.len() < 200 {
                prop_assert_eq!(first(a, distance(from), modulus, n - from, width), None);
            }
        }
    }

    #[test]
    fn no_circle() {
        assert_eq!(arc_hits(1, 1, 0, 1, 1).unwrap_err(), Error::ZeroModulus);
        let modulus = MAX_ARC_MODULUS + 1;
        assert_eq!(arc_hits(1, 1, modulus, 1, 1).unwrap_err(), Error::ModulusTooLarge { modulus });
        assert_eq!(arc_hits(0, 0, 1, 3, 1).unwrap().count(), 3, "a point, over and over");
    }
}
