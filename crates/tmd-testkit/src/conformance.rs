//! The suite that every backend is put through.
//!
//! Each check takes the backend and panics with the piece's specification where it fails.
//! [`crate::conformance!`] makes a test of each.

use std::cell::Cell;

use proptest::{
    prelude::*,
    test_runner::{Config, TestRunner},
};
use tmd_core::{
    Backend, CoreError, Interrupt, Piece, PieceOutcome,
    difftable::{Fixed, Polynomial, Upper},
};

use crate::{
    by_turns,
    generators::{Spec, specs},
    one_in, oracle,
};

/// Makes a module `name` of tests, one per check, for the backend that `expression` makes. Those
/// `by turns` do nothing in two of three runs ([`is_its_turn`](crate::is_its_turn)): for backends
/// that differ from others in their domains, or in kernels that nobody gets by default.
#[macro_export]
macro_rules! conformance {
    ($name:ident, $expression:expr) => {
        $crate::conformance!(@@ $name, $expression, true);
    };
    ($name:ident, $expression:expr, by turns) => {
        $crate::conformance!(@@ $name, $expression, $crate::is_its_turn(stringify!($name)));
    };
    (@@ $name:ident, $expression:expr, $is_checked:expr) => {
        mod $name {
            #[allow(unused_imports)]
            use super::*;

            $crate::conformance! {
                @ $expression, $is_checked;
                random_pieces edges planted_in_long_pieces extreme_deviations slopes_rounded_down
                inflections refusals
            }
        }
    };
    (@ $expression:expr, $is_checked:expr; $($check:ident)*) => {
        $(
            #[test]
            fn $check() {
                if $is_checked {
                    $crate::conformance::$check(&$expression);
                }
            }
        )*
    };
}

pub(crate) fn runner(cases: u32) -> TestRunner {
    TestRunner::new_with_rng(
        Config { cases, failure_persistence: None, ..Config::default() },
        // the same pieces every time: a failure can be found again
        proptest::test_runner::TestRng::deterministic_rng(proptest::test_runner::RngAlgorithm::ChaCha),
    )
}

/// Checks one in `turns` of `count` values ([`one_in`]); from a failure on what it shrinks to.
fn some_of<S: Strategy>(
    turns: usize,
    count: u32,
    strategy: &S,
    check: impl Fn(S::Value) -> Result<(), TestCaseError>,
) {
    let mut are_checked: Vec<bool> = vec![false; count as usize];
    one_in(turns, are_checked.iter_mut()).for_each(|is_checked| *is_checked = true);
    let (number, has_failed) = (Cell::new(0), Cell::new(false));
    let checked = runner(count).run(strategy, |value| {
        let is_checked = are_checked.get(number.replace(number.get() + 1));
        if !has_failed.get() && is_checked == Some(&false) {
            return Ok(());
        }
        let checked = check(value);
        has_failed.set(has_failed.get() || checked.is_err());
        checked
    });
    checked.unwrap_or_else(|failure| panic!("{failure}"));
}

fn search(backend: &(impl Backend + ?Sized), piece: &Piece) -> PieceOutcome {
    backend.search(piece, &Interrupt::new()).expect("a small piece has few candidates")
}

fn finds(backend: &(impl Backend + ?Sized), piece: &Piece, k: u64) -> bool {
    search(backend, piece).candidates.binary_search(&k).is_ok()
}

/// Checks one outcome against brute force.
fn check(backend: &(impl Backend + ?Sized), piece: &Piece) -> Result<(), TestCaseError> {
    let outcome = search(backend, piece);
    let found = &outcome.candidates;
    prop_assert!(found.is_sorted_by(|a, b| a < b), "not ascending");
    for k in oracle::must(piece) {
        prop_assert!(found.binary_search(&k).is_ok(), "{}: argument {k} is lost", backend.name());
    }
    for &k in found {
        prop_assert!(k < piece.arguments(), "argument {k} is none");
        prop_assert!(oracle::may(piece, &outcome, k), "{}: argument {k} is far off", backend.name());
    }
    Ok(())
}

/// Random pieces of up to 2^13 arguments against brute force.
pub fn random_pieces(backend: &(impl Backend + ?Sized)) {
    some_of(12, 2000, &specs(12), |spec| check(backend, &spec.piece()));
}

/// One argument, slope 0, a·N exact, constants, values exactly at ±ε.
pub fn edges(backend: &(impl Backend + ?Sized)) {
    let line = |c0, c1, arguments| Spec {
        coefficients: vec![c0, c1, (0, 0)],
        arguments,
        center: arguments / 2,
        tolerance_bits: 20,
        slack: 0,
    };
    let pieces = [
        line((0, 0), (0, 0), 1),
        line((1, 20), (0, 0), 1),
        line((1, 1), (0, 0), 1),
        line((0, 0), (0, 0), 1000),            // always on a breakpoint
        line((1, 1), (0, 0), 1000),            // never near one
        line((1, 20), (1, 0), 777),            // slope 1: always at +ε
        line((-1, 20), (-3, 0), 777),          // always at −ε
        line((1, 3), (1, 4), 1 << 12),         // a·N exact: every 16th argument on a breakpoint
        line((1, 20), (1, 4), 1 << 12),        // every 16th at +ε
        line((0, 0), (1, 62), 1 << 12),        // hardly moves
        line((0, 0), (i64::MAX, 63), 1 << 12), // slope just below 1
        line((0, 0), (1, 1), 4097),            // two points only, p = q
    ];
    for spec in pieces {
        let piece = spec.piece();
        check(backend, &piece).unwrap_or_else(|error| panic!("{spec:?}: {error}"));
        // exactly at the tolerance is inside: the oracle above leaves the edge out, so look at it
        // here
        let at_edge = |k: &u64| (oracle::distance(oracle::value(&piece, *k)) - 2f64.powi(-20)).abs() < 1e-30;
        let found = search(backend, &piece).candidates;
        for k in (0..spec.arguments).filter(at_edge) {
            assert!(found.binary_search(&k).is_ok(), "{spec:?}: argument {k} at ε is lost");
        }
    }
}

/// A smooth piece like those of real functions: coefficient k is about `2^(−s (k − 1))`.
fn smooth(arguments: u64, curvature_bits: u32, slope: i64, tolerance_bits: u32) -> Spec {
    let coefficients = vec![
        (0, 0),
        (slope, 63),
        (0x6ed9_eba1_6132_d1c3, 63 + curvature_bits),
        (0x5555_5555_5555_5555, 63 + 2 * curvature_bits),
        (0x1999_9999_9999_9999, 63 + 3 * curvature_bits),
    ];
    Spec { coefficients, arguments, center: arguments / 2, tolerance_bits, slack: 0 }
}

/// Long pieces with a case planted at the ends and seams of domains, runs and the piece, anywhere
/// within ±ε.
pub fn planted_in_long_pieces(backend: &(impl Backend + ?Sized)) {
    for (log2, curvature_bits, tolerance_bits) in by_turns(LONG) {
        let arguments = (1u64 << log2) - 12_345;
        for (i, slope) in SLOPES.into_iter().enumerate() {
            let spec = smooth(arguments, curvature_bits, slope, tolerance_bits);
            let ends = [0, 1, arguments / 3, arguments / 2, arguments - 2, arguments - 1];
            let seams = [4, 8, 9, 10, 12, 15, 16, 17, 18, 20].map(|bits| 1u64 << bits);
            let at: Vec<_> = ends.into_iter().chain(seams.into_iter().flat_map(|s| [s - 1, s])).collect();
            let edge = Fixed::from_ratio_pow2(1, tolerance_bits);
            let inside = Fixed::from_ratio_pow2(3, tolerance_bits + 2);
            let offsets = [Fixed::ZERO, inside, -inside, edge, -edge];
            for (j, &k) in one_in(2, at.iter().enumerate()) {
                let piece = spec.planted(k, offsets[(i + j) % offsets.len()]);
                assert!(finds(backend, &piece, k), "{}: {spec:?}: argument {k} is lost", backend.name());
            }
        }
    }
}

/// How many of the pieces of [`planted_in_long_pieces`] the backend walks over, as its plans say,
/// and how many there are. A backend that leaves all of them to another one passes every test here.
pub fn walked(backend: &(impl Backend + ?Sized)) -> (usize, usize) {
    let mut count = (0, 0);
    for (log2, curvature_bits, tolerance_bits) in LONG {
        for slope in SLOPES {
            let spec = smooth((1u64 << log2) - 12_345, curvature_bits, slope, tolerance_bits);
            count.0 += usize::from(backend.plan(&spec.piece()).is_ok_and(|plan| plan.order.is_some()));
            count.1 += 1;
        }
    }
    count
}

/// Log2 of the arguments of long pieces, how little they bend, and ε.
const LONG: [(u32, u32, u32); 3] = [(22, 40, 30), (24, 46, 40), (21, 33, 24)];

/// Their slopes.
const SLOPES: [i64; 3] = [0x4f1b_bcdc_bfa5_3e0b, -0x3243_f6a8_885a_308d, 0x0000_1000_0000_0001];

/// Domains curved as far as a line can follow, with a case where the line is farthest from the
/// parabola, and ε next to nothing: a half-width too small by a few percent, or a chord off by half
/// an argument, loses some of them. The slopes are random, so that hardly any other argument comes
/// near and excuses the domain.
pub fn extreme_deviations(backend: &(impl Backend + ?Sized)) {
    let curvature = (1i64 << 61..i64::MAX, 8u32..13);
    let strategy = (4u32..11, any::<u64>(), any::<i64>(), curvature, any::<bool>(), 0u64..17, 0u32..4);
    some_of(12, 6000, &strategy, |(log2, more, slope, (m, bits), down, place, refine)| {
        let arguments = (1u64 << log2) + more % (1 << log2);
        // linear deviation |c|·n²/8 ≈ 2^-bits over the whole piece, or over a part of it that
        // refinement may meet
        let shift = 63 + bits + 2 * log2 - 2 * refine.min(log2 - 4);
        let c2 = if down { -m } else { m };
        let coefficients = vec![(0, 0), (slope, 63), (c2, shift)];
        let spec = Spec { coefficients, arguments, center: more % arguments, tolerance_bits: 50, slack: 0 };
        // the ends and the middles of the piece and of its eighths
        let k = ((arguments - 1) * place).div_ceil(16);
        let offset = if down { Fixed::from_ratio_pow2(1, 50) } else { Fixed::from_ratio_pow2(-1, 50) };
        let is_found = finds(backend, &spec.planted(k, offset), k);
        prop_assert!(is_found, "{}: argument {k} is lost", backend.name());
        Ok(())
    });
}

/// Lines with ones in all the bits of the slope that a segment drops, ε far below what that makes
/// in a long domain, and a case at −ε where it makes most: at the ends of the piece's eighths, and
/// of eighths of these. Nothing else comes near, so a phase that forgets what its rounding takes
/// away loses them.
pub fn slopes_rounded_down(backend: &(impl Backend + ?Sized)) {
    for log2 in [10, 14, 18] {
        let arguments = 1u64 << log2;
        for slope in [0x9_e377_9b97_f4a7, 0x6_a09e_667f_3bcc, -0x3_243f_6a88_85a3] {
            // all ones from bit 53 to bit 110
            let ones = Fixed::<8>::from_ratio_pow2(1, 52) - Fixed::from_ratio_pow2(1, 110);
            let slope = Fixed::from_ratio_pow2(slope, 52) + ones;
            let ends = (1..=8).map(|eighth| eighth * (arguments / 8) - 1);
            for k in ends.chain((1..8).map(|eighth| eighth * (arguments / 64) - 1)) {
                let tolerance = Upper::power_of_two(-58);
                let constant = Fixed::from_ratio_pow2(-1, 58)
                    - Polynomial::new(vec![Fixed::ZERO, slope]).evaluate(k as i64);
                let polynomial = Polynomial::new(vec![constant, slope, Fixed::ZERO]);
                let magnitudes = vec![Upper::ONE, Upper::ONE, Upper::ZERO];
                let piece =
                    Piece::new(polynomial, magnitudes, arguments, 0, tolerance, Upper::ZERO, Upper::ZERO)
                        .expect("valid");
                let name = backend.name();
                assert!(finds(backend, &piece, k), "{name}: argument {k} of 2^{log2} is lost");
            }
        }
    }
}

/// Long pieces whose curvature changes sign inside, away from the middle: a backend that cuts them
/// must put the parts together again.
pub fn inflections(backend: &(impl Backend + ?Sized)) {
    for (sign, shift) in [(1, 128), (-1, 131)] {
        let coefficients = vec![
            (0x0123_4567_89ab_cdef, 63),
            (0x4f1b_bcdc_bfa5_3e0b, 63),
            (0, 0),
            (sign * (0x6ed9_eba1_6132_d1c3 >> 1), shift),
        ];
        let spec = Spec { coefficients, arguments: 3 << 18, center: 1 << 18, tolerance_bits: 12, slack: 0 };
        check(backend, &spec.piece()).unwrap_or_else(|error| panic!("{spec:?}: {error}"));
    }
}

/// Too many candidates, an interrupt requested before.
pub fn refusals(backend: &(impl Backend + ?Sized)) {
    let zero = |arguments| {
        let polynomial = Polynomial::new(vec![Fixed::ZERO; 3]);
        let magnitudes = vec![Upper::ZERO; 3];
        let tolerance = Upper::power_of_two(-20);
        Piece::new(polynomial, magnitudes, arguments, 0, tolerance, Upper::ZERO, Upper::ZERO).expect("valid")
    };
    let refused = backend.search(&zero(1 << 24), &Interrupt::new()).map(|outcome| outcome.candidates.len());
    assert!(matches!(refused, Err(CoreError::TooManyCandidates { .. })), "{refused:?}");
    let interrupt = Interrupt::new();
    interrupt.request();
    let stopped = backend.search(&zero(1 << 20), &interrupt).map(|outcome| outcome.candidates.len());
    assert_eq!(stopped, Err(CoreError::Interrupted));
}
