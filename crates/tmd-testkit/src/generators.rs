//! Pieces of every shape, as specifications that print and shrink.

use proptest::prelude::*;
use tmd_core::{
    Piece,
    difftable::{Fixed, Polynomial, Upper},
};

/// A piece from exactly known real coefficients `significand·2^-shift`, constant term first.
#[derive(Clone, Debug)]
pub struct Spec {
    /// the coefficients about the center
    pub coefficients: Vec<(i64, u32)>,
    /// number of arguments
    pub arguments: u64,
    /// the argument at which the polynomial is centered
    pub center: u64,
    /// `ε = 2^-tolerance_bits`
    pub tolerance_bits: u32,
    /// share of ε (in sixteenths) that the piece claims as Taylor and coefficient errors
    pub slack: u32,
}

impl Spec {
    /// The piece.
    pub fn piece(&self) -> Piece {
        let fixed = self.coefficients.iter().map(|&(m, shift)| Fixed::from_ratio_pow2(m, shift));
        self.piece_of(Polynomial::new(fixed.collect()))
    }

    /// The piece with another polynomial whose coefficients have these magnitudes (entry 0 apart,
    /// which has no part in the bounds).
    pub fn piece_of(&self, polynomial: Polynomial<8>) -> Piece {
        let magnitude = |&(m, shift): &(i64, u32)| {
            Upper::of_integer(m.unsigned_abs()) * Upper::power_of_two(-(shift as i32))
        };
        let tolerance = Upper::power_of_two(-(self.tolerance_bits as i32));
        let slack = tolerance * Upper::new(f64::from(self.slack) / 16.0);
        Piece::new(
            polynomial,
            self.coefficients.iter().map(magnitude).collect(),
            self.arguments,
            self.center,
            tolerance,
            slack,
            slack,
        )
        .expect("a specification is a valid piece")
    }

    /// The piece whose constant term makes the value at argument `at` equal `offset` mod 1,
    /// exactly.
    pub fn planted(&self, at: u64, offset: Fixed<8>) -> Piece {
        let x = at as i64 - self.center as i64;
        let mut coefficients: Vec<_> =
            self.coefficients.iter().map(|&(m, shift)| Fixed::<8>::from_ratio_pow2(m, shift)).collect();
        coefficients[0] = Fixed::ZERO;
        let rest = Polynomial::new(coefficients.clone()).evaluate(x);
        coefficients[0] = offset - rest;
        self.piece_of(Polynomial::new(coefficients))
    }
}

/// Random specifications with `arguments` below `2^max_log2`: smooth as functions are (each further
/// coefficient smaller by 2^-s), straight, curved either way, with an inflection inside, or too
/// curved for any line.
pub fn specs(max_log2: u32) -> impl Strategy<Value = Spec> {
    let shape = (1usize..8, 4u32..54, 0u32..5, any::<u64>());
    let size = (0..=max_log2, any::<u64>(), any::<u64>());
    (shape, size, 2u32..50, 0u32..16, proptest::collection::vec(any::<i64>(), 8)).prop_map(
        |((degree, smoothness, kind, seed), (log2, more, center), tolerance_bits, slack, significands)| {
            let arguments = (1u64 << log2) + more % (1u64 << log2);
            let coefficients = (0..=degree).map(|k| {
                let m = significands[k] >> 2; // 62 bits
                let shift = 62 + smoothness * k.saturating_sub(1) as u32;
                match (kind, k) {
                    (1, 2..) => (0, 0),                 // straight
                    (2, 2) => (m, 62 + 3 * smoothness), // curvature changes sign inside
                    (3, 2) => (m, 61),                  // no line can stand for a domain
                    (4, 1) => ((seed % 3) as i64, 0),   // slope 0 mod 1
                    _ => (m, shift.min(500)),
                }
            });
            Spec {
                coefficients: coefficients.collect(),
                arguments,
                center: center % arguments,
                tolerance_bits,
                slack,
            }
        },
    )
}

/// `|c|·N³` of a walk's domains, up to where it ceases to be valid; next to 0, and 0.
pub fn gammas() -> impl Strategy<Value = f64> {
    prop_oneof![8 => 0f64..2.2, 1 => Just(0.0), 1 => 0f64..1e-3]
}

/// Slopes in units of 2^-64: at random, next to small fractions, and exactly those.
pub fn slopes() -> impl Strategy<Value = u64> {
    prop_oneof![
        6 => any::<u64>(),
        2 => (1u64..40, 1u64..40, 0u32..40).prop_map(|(m, u, near)| {
            ((u128::from(m % u) << 64) / u128::from(u)) as u64 ^ (1u64 << near)
        }),
        1 => (0u64..16).prop_map(|m| m << 60),
    ]
}
