//! Lefèvre's "specific instructions" for large quotients: several reductions of d at once.
//!
//! In Lefèvre's test the points that fall one after the other between the closest point and b, at
//! b's left, are taken one per turn: d ← d − p, q ← q − p, u ← u + v. A large quotient makes many
//! such turns. "In practice, Lefèvre adds specific instructions to partly compute these reductions
//! with divisions to avoid computing large quotients with subtractions. We have omitted these
//! instructions here for clarity" (2016, section 4.1; PDP 2012, section II.C). So the form below
//! is this crate's.
//!
//! A run of points at b's right, p ← p − q, v ← v + u, makes as many turns, and can be taken with a
//! division too. On slopes of the domain of 2016, Table III (exp on [1, 1 + 2^-13), N = 2^15, here
//! with random b), the turns are at most 332 one by one, 328 with divisions at the left and 17 with
//! divisions on both sides; the paper has 328, and 31 with the "specific instructions", which must
//! hence do something about the right as well.
//!
//! **Lemma (reductions at once, left).** After d ← d − p, let b be in an interval of length q, d <
//! q, and let s = min(⌊d/p⌋, ⌈(N − u − v)/v⌉), or 0 if u + v ≥ N. Then the next s turns of the test
//! (as far as their comparison with ε″ lets them come) all take the branch d ≥ p, with k = ⌊p/q⌋ =
//! 0, and amount to d ← d − s·p, q ← q − s·p, u ← u + s·v.
//!
//! *Proof.* Before each of these turns d ≥ p and u + v < N, by the choice of s. From d < q follows
//! p < q, so k = 0; the turn does not end the test; it gives q ← q − p, u ← u + v, and then, p ≤ d
//! still, d ← d − p, after which d < q again. ∎ As d only becomes smaller, comparing it with ε″
//! after all s turns instead of after each gives the same answer: **the verdict is the same on
//! every segment**. (Of any run of single splits "empty" is true: Theorem E.26 of
//! `proofs/Existence.v`.)
//!
//! **Lemma (reductions at once, right).** After p ← p − q, v ← v + u, let m = max(d, q) and s =
//! min(⌈(p − m)/q⌉, ⌈(N − u − v)/u⌉), or 0 if p ≤ m or u + v ≥ N. Then the next s turns all take
//! the branch d < p, with k = ⌊q/p⌋ = 0, and amount to p ← p − s·q, v ← v + s·u.
//!
//! *Proof.* Before each of these turns p > d, p > q and u + v < N, by the choice of s: the branch
//! is that of d < p, k = 0, and the turn does not end the test. ∎ d does not change: again the same
//! verdict.

use crate::{division::Logms, probe::Probe};

/// How Lefèvre's tests take runs of points that fall one after the other into the interval of b.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Reductions {
    /// One per turn of the main loop, as the algorithms are printed.
    #[default]
    OneByOne,
    /// Those at the left of b, which reduce d, as many as possible at once, with a division.
    Divided,
    /// Those at either side of b as many as possible at once.
    DividedBothSides,
}

impl Reductions {
    /// The number s of the lemma (left): further turns to take at once, each placing `v` points, of
    /// which `missing` = N − u − v (or 0) are wanted.
    #[inline]
    pub(crate) fn at_left<P: Probe>(
        self,
        (d, p): (u64, u64),
        v: u64,
        missing: u64,
        logms: Logms,
        probe: &mut P,
    ) -> u64 {
        if self == Self::OneByOne || d < p || missing == 0 {
            return 0;
        }
        // ⌊d/p⌋·v does not overflow: v·p·⌊d/p⌋ ≤ v·d < v·q ≤ 2^64.
        at_most_missing(logms.div_rem(d, p, missing, probe).0, v, missing)
    }

    /// The number s of the lemma (right): further turns to take at once, each placing `u` points,
    /// of which `missing` = N − u − v (or 0) are wanted.
    #[inline]
    pub(crate) fn at_right<P: Probe>(
        self,
        (d, p, q): (u64, u64, u64),
        u: u64,
        missing: u64,
        logms: Logms,
        probe: &mut P,
    ) -> u64 {
        let m = d.max(q);
        if self != Self::DividedBothSides || p <= m || missing == 0 {
            return 0;
        }
        // ⌈(p − m)/q⌉·u does not overflow: with m ≥ q it is at most ⌊p/q⌋·u, and u·p ≤ 2^64 with
        // p > q ≥ 1.
        at_most_missing(logms.div_rem(p - m - 1, q, missing, probe).0 + 1, u, missing)
    }
}

/// min(s, ⌈missing/each⌉), dividing only if it is the second.
#[inline]
fn at_most_missing(s: u64, each: u64, missing: u64) -> u64 {
    if s * each <= missing { s } else { missing.div_ceil(each) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::probe::NoProbe;
    use proptest::prelude::*;

    proptest! {
        /// The turns of the lemma, one after the other.
        #[test]
        fn as_many_turns_at_once_as_one_by_one(
            d in 0_u64..200,
            p in 1_u64..200,
            q in 1_u64..200,
            each in 1_u64..20,
            missing in 0_u64..300,
        ) {
            let (mut left, mut rest, mut wanted) = (0, d, missing);
            while rest >= p && wanted > 0 {
                (left, rest, wanted) = (left + 1, rest - p, wanted.saturating_sub(each));
            }
            let (mut right, mut length, mut wanted) = (0, p, missing);
            while length > d && length > q && wanted > 0 {
                (right, length, wanted) = (right + 1, length - q, wanted.saturating_sub(each));
            }
            for logms in [Logms::INSTRUCTION, Logms::SUBTRACTION] {
                for (reductions, expected) in [
                    (Reductions::OneByOne, (0, 0)),
                    (Reductions::Divided, (left, 0)),
                    (Reductions::DividedBothSides, (left, right)),
                ] {
                    let at_left = reductions.at_left((d, p), each, missing, logms, &mut NoProbe);
                    let at_right = reductions.at_right((d, p, q), each, missing, logms, &mut NoProbe);
                    prop_assert_eq!((at_left, at_right), expected, "{:?}", reductions);
                }
            }
        }
    }
}
