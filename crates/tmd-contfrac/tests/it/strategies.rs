//! Random segments: small ones that shrink to readable numbers, and large ones with the quotients
//! that hurt.

use proptest::prelude::*;
use tmd_contfrac::{MAX_MODULUS, Rotation};

/// Cases are cheap here: 2000 of each property, or more by `PROPTEST_CASES`.
pub(crate) fn config() -> ProptestConfig {
    let default = ProptestConfig::default();
    ProptestConfig { cases: if cfg!(miri) { 5 } else { default.cases.max(2000) }, ..default }
}

/// `b − a·x mod modulus` for `0 ≤ x < n`, and the width of the window of interest. Nothing is
/// reduced.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Segment {
    pub(crate) a: u128,
    pub(crate) b: u128,
    pub(crate) modulus: u128,
    pub(crate) n: u64,
    pub(crate) width: u128,
}

impl Segment {
    pub(crate) fn rotation(&self) -> Rotation {
        Rotation::new(self.a, self.modulus).unwrap()
    }
}

/// Every `a` of every modulus from 1 to `most`, as (a, modulus).
pub(crate) fn fractions(most: u128) -> impl Iterator<Item = (u128, u128)> {
    (1..=most).flat_map(|modulus| (0..modulus).map(move |a| (a, modulus)))
}

/// The same as rotations.
pub(crate) fn rotations(most: u128) -> impl Iterator<Item = Rotation> {
    fractions(most).map(|(a, modulus)| Rotation::new(a, modulus).unwrap())
}

/// ... with every `b` and every number of points up to twice the modulus and one.
pub(crate) fn segments(most: u128) -> impl Iterator<Item = Segment> {
    fractions(most).flat_map(|(a, modulus)| {
        let all = (0..modulus).flat_map(move |b| (0..=2 * modulus as u64 + 1).map(move |n| (b, n)));
        all.map(move |(b, n)| Segment { a, b, modulus, n, width: 0 })
    })
}

/// Moduli up to 200; `a`, `b`, `n` and the width go beyond the modulus.
pub(crate) fn small() -> impl Strategy<Value = Segment> {
    (1_u128..=200).prop_flat_map(|modulus| {
        let twice = 2 * modulus;
        (0..twice, 0..twice, 0..=twice as u64 + 2, 0..=modulus + 2)
            .prop_map(move |(a, b, n, width)| Segment { a, b, modulus, n, width })
    })
}

/// Moduli up to 2^64, `n` up to 3000; widths from 0 through a few hits to beyond the modulus.
pub(crate) fn large() -> impl Strategy<Value = Segment> {
    (modulus(), 0_u64..=3000).prop_flat_map(|(modulus, n)| {
        (slope(modulus), any::<u64>(), width(modulus), 0..n.max(1), any::<bool>()).prop_map(
            move |(a, b, width, x, near_a_point)| {
                let b = if near_a_point {
                    a * u128::from(x) % modulus + u128::from(b % 64)
                } else {
                    u128::from(b)
                };
                Segment { a, b, modulus, n, width }
            },
        )
    })
}

/// Mostly 2^64, the unit of 64-bit fixed point.
pub(crate) fn modulus() -> impl Strategy<Value = u128> {
    prop_oneof![
        4 => Just(MAX_MODULUS),
        1 => MAX_MODULUS - 1000..=MAX_MODULUS,
        1 => (0_u32..=64).prop_map(|bits| 1 << bits),
        2 => 1..=MAX_MODULUS,
    ]
}

/// Uniform slopes, slopes of every size, and slopes near fractions with small denominators (large
/// quotients).
pub(crate) fn slope(modulus: u128) -> impl Strategy<Value = u128> {
    let near_fraction =
        (1_u128..500, 0_u128..500, 0_u128..8).prop_map(move |(denominator, numerator, offset)| {
            (modulus * (numerator % denominator) / denominator + 4 * modulus + offset - 4) % modulus
        });
    prop_oneof![
        2 => 0..modulus,
        1 => (0_u32..=64, any::<u64>()).prop_map(move |(shift, a)| u128::from(a).unbounded_shr(shift) % modulus),
        1 => (0_u32..=64, any::<u64>()).prop_map(move |(shift, a)| {
            (modulus - u128::from(a).unbounded_shr(shift) % modulus) % modulus
        }),
        2 => near_fraction,
    ]
}

fn width(modulus: u128) -> impl Strategy<Value = u128> {
    prop_oneof![
        1 => 0_u128..4,
        4 => (1_u128..5000).prop_map(move |share| modulus / share),
        1 => (0_u32..=64, any::<u64>()).prop_map(|(shift, width)| u128::from(width).unbounded_shr(shift)),
        1 => modulus - modulus / 16..=modulus + 1,
        1 => Just(u128::MAX),
    ]
}
