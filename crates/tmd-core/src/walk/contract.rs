//! What the walk's kernels ask of each other, and the bounds that are proved: [`PairContract`].
//!
//! A kernel holds a pair: counts `u, v` and lengths `p, q` with the slope they belong to. Lengths,
//! slopes and β are fractions, integers in the engine's [`Unit`]; counts and places `x` are
//! arguments. N is the size of a domain, M the order, h the half-width of a box, δ what a slope
//! moves by at most. All of it is required of domains that hold an argument of the piece; domains
//! beyond its end have no requirements, and their flags are ignored.
//!
//! | step | requires | ensures | shown in docs/proofs |
//! |---|---|---|---|
//! | start | `slope < 1`, `1 ≤ M ≤` [`MAX_ORDER`] | the pair's contract, lengths at most 1 | Lemma W.24 |
//! | slope moved | the contract; `M·δ ≤ 1/16` (lanes), `≤ 1/8` (GPU) | `u·q + v·p = 1` still | Lemma W.4, Definition W.6, Theorem G.6 |
//! | crossing | `q ≤ 0`, `k = ⌊(M + u)/v⌋`, `k·v ≤ M + u < 2^26` | the contract, after each of a step's crossings | Lemma W.29, Theorems W.34, G.6 |
//! | two lines | `ρ = \|P\|·N/2 + U·h < 1`, `0 ≤ β < 1` | `t = ⌊U·β⌋ < U` and `t + 1` are all lines | Theorem W.8 |
//! | nearest point | `\|P\| > 2h·(1 + 2^-20)` | it is the only one within h of β; `\|s\| < 2^26` where `\|x\| ≤ N/2` | Theorem W.10, Lemma W.27 |
//! | enumeration | the contract | every lattice point of the box, once | Theorem W.11 |
//!
//! The contract of a pair, with one number for each bound:
//!
//! * `u·q + v·p = 1`, exactly (Lemma W.1);
//! * `1 ≤ u, v ≤ M` (Lemma W.29), `M ≤ 5N/4` ([`max_order`], Lemma W.28), in lanes and on GPUs
//!   alike, so that counts are below 2^25 and sums of two counts below 2^26;
//! * `|p|, |q|` below 2 in lanes (Theorem W.34), which multiples of 2^-52 in binary64 need to be
//!   exact (Theorem F.2); below 8 on GPUs (Theorem G.6), which 64 bits of 2^-60 need; at most 1 in
//!   the exact walk, whose pairs are never behind their slope (Lemma W.24).
//!
//! Engines assert it in debug builds.

use tmd_contfrac::LatticeBasis;
use tmd_difftable::{Upper, power_of_two};

use super::MAX_DOMAIN;

/// Largest order of a walk over domains of `domain` arguments in lanes or on a GPU: `M ≤ 5N/4`. It
/// is that of every plan with a domain of 4 arguments or more (Lemma W.28).
pub const fn max_order(domain: u64) -> u64 {
    domain + domain / 4
}

/// Largest order of all: that of the largest domain.
pub const MAX_ORDER: u64 = max_order(MAX_DOMAIN);

/// Below this are sums of two counts, and the places s of points in a domain (Lemma W.27), in
/// arguments and in steps.
pub const COUNT_LIMIT: u64 = 1 << 26;

// M + u of a crossing; |s| ≤ (N/2 + t·V)/U with t ≤ U
const _: () = assert!(2 * MAX_ORDER < COUNT_LIMIT && MAX_DOMAIN / 2 + MAX_ORDER < COUNT_LIMIT);

/// A unit of fractions, 2^-bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unit {
    bits: u32,
}

impl Unit {
    /// 2^-64: of the difference tables that engines step, of windows, and of the exact walk.
    pub const TABLES: Self = Self { bits: 64 };

    /// 2^-52: multiples below 2 are exact in binary64.
    pub const LANES: Self = Self { bits: 52 };

    /// 2^-60: numbers between −8 and 8 fit 64 bits.
    pub const GPU: Self = Self { bits: 60 };

    /// Bits of a fraction.
    pub const fn bits(self) -> u32 {
        self.bits
    }

    /// Bits of the tables' fractions that are below this unit.
    pub const fn bits_below(self) -> u32 {
        Self::TABLES.bits - self.bits
    }

    /// 1 in these units.
    pub const fn one(self) -> i128 {
        1 << self.bits
    }

    /// One unit, as a bound.
    pub fn upper(self) -> Upper {
        Upper::power_of_two(-(self.bits as i32))
    }
}

/// What an engine's pair is in every domain that holds an argument of the piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairContract {
    /// of lengths
    pub unit: Unit,
    /// lengths are below this
    pub longest: u32,
    /// a step of the slope changes lengths by `M·δ ≤ 2^-step_bits` at most; `None` where nothing is
    /// asked of a step
    pub step_bits: Option<u32>,
}

/// How a pair breaks its contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Violation {
    /// A count is not between 1 and M.
    Count,
    /// A length is too long, or no multiple of the unit.
    Length,
    /// `u·q + v·p` is not 1.
    Determinant,
}

impl PairContract {
    /// Of the exact walk: lengths are at most 1, as it crosses until the slope is between the
    /// neighbors, however far that is.
    pub const EXACT: Self = Self { unit: Unit::TABLES, longest: 2, step_bits: None };

    /// Of the lanes: Theorem W.34, with the steps of Definition W.6.
    pub const LANES: Self = Self { unit: Unit::LANES, longest: 2, step_bits: Some(4) };

    /// Of the GPU's walk: Theorem G.6.
    pub const GPU: Self = Self { unit: Unit::GPU, longest: 8, step_bits: Some(3) };

    /// The largest `M·δ`, what a step of the slope changes lengths by: 1 is the whole circle.
    pub const fn longest_step(self) -> f64 {
        match self.step_bits {
            Some(bits) => power_of_two(-(bits as i32)),
            None => f64::INFINITY,
        }
    }

    /// Whether a walk of order `order` may move its slope by `delta` units.
    pub const fn allows_step(self, order: u64, delta: i64) -> bool {
        match self.step_bits {
            Some(bits) => order as i128 * (delta as i128).abs() <= self.unit.one() >> bits,
            None => true,
        }
    }

    /// How this pair of a walk of order `order` breaks the contract, if it does.
    pub fn violation(self, order: u64, pair: &LatticeBasis) -> Option<Violation> {
        let LatticeBasis { u, p, v, q, .. } = *pair;
        let one = self.unit.one();
        if ![u, v].into_iter().all(|count| u64::try_from(count).is_ok_and(|n| (1..=order).contains(&n))) {
            return Some(Violation::Count);
        }
        if ![p, q].into_iter().all(|length| length.abs() < i128::from(self.longest) * one) {
            return Some(Violation::Length);
        }
        // counts below 2^63 and lengths below 2^67: in range where they are such
        let determinant = i128::from(u).checked_mul(q).zip(i128::from(v).checked_mul(p));
        let is_one = determinant.is_some_and(|(left, right)| left.checked_add(right) == Some(one));
        (!is_one).then_some(Violation::Determinant)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tmd_contfrac::{FareyWalk, Rotation};

    /// Pairs of walks hold the contract; one count or one length changed, and they do not.
    #[test]
    fn every_change_is_a_violation() {
        for contract in [PairContract::LANES, PairContract::GPU] {
            let one = contract.unit.one();
            let rotation = Rotation::new(one as u128 * 5 / 17 + 12_345, one as u128).unwrap();
            let pair = LatticeBasis::of(&FareyWalk::new(rotation, 1000).unwrap());
            let violation = |pair: LatticeBasis| contract.violation(1000, &pair);
            assert_eq!(violation(pair), None);
            assert_eq!(violation(LatticeBasis { p: pair.p + 1, ..pair }), Some(Violation::Determinant));
            assert_eq!(violation(LatticeBasis { u: pair.u - 1, ..pair }), Some(Violation::Determinant));
            for u in [0, -3, 1001] {
                assert_eq!(violation(LatticeBasis { u, ..pair }), Some(Violation::Count));
            }
            // another basis of the lattice, with a length at its limit
            let most = i128::from(contract.longest) * one;
            let long = LatticeBasis { u: 1, p: most - one, v: 1, q: 2 * one - most, modulus: one };
            assert_eq!(violation(long), None);
            let long = LatticeBasis { p: most, q: one - most, ..long };
            assert_eq!(violation(long), Some(Violation::Length));
        }
    }

    /// Plans of every size have an order of at most 5N/4, also those of the largest curvature,
    /// whose order is N/0.95.
    #[test]
    fn orders_are_below_their_bound() {
        let most = 0.95 * 0.95 / 2.0; // of h·N
        let mut largest = 0f64;
        for domain in (4..3000).chain([MAX_DOMAIN - 2, MAX_DOMAIN]) {
            for share in [0.0, 0.5, 0.99, 1.0] {
                let half_width = share * most * (1.0 - 1e-12) / domain as f64;
                let order = super::super::order(domain, half_width).unwrap();
                assert!(order <= max_order(domain), "N = {domain}: {order}");
                largest = largest.max(order as f64 / domain as f64);
            }
        }
        // 5N/4 is needed at N = 4; below it does not hold
        assert_eq!(largest, 1.25);
        assert!(super::super::order(2, most / 2.0 * (1.0 - 1e-12)).unwrap() > max_order(2));
        assert_eq!(max_order(MAX_DOMAIN), MAX_ORDER);
    }

    /// A step may change lengths by just so much.
    #[test]
    fn steps_have_bounds() {
        for (contract, bits) in [(PairContract::LANES, 4), (PairContract::GPU, 3)] {
            let longest = (contract.unit.one() >> bits) as i64;
            for order in [1u64, 1000, MAX_ORDER] {
                let most = longest / order as i64;
                assert!(contract.allows_step(order, most) && contract.allows_step(order, -most));
                assert!(!contract.allows_step(order, most + 1) && !contract.allows_step(order, -most - 1));
            }
            assert_eq!(contract.longest_step() * contract.unit.one() as f64, longest as f64);
        }
        assert!(PairContract::EXACT.allows_step(MAX_ORDER, i64::MIN));
    }

    #[test]
    fn units() {
        for (unit, bits) in [(Unit::TABLES, 64), (Unit::GPU, 60), (Unit::LANES, 52)] {
            assert_eq!((unit.bits(), unit.one(), unit.bits_below()), (bits, 1 << bits, 64 - bits));
            assert_eq!(unit.upper().get() * unit.one() as f64, 1.0);
        }
    }
}
