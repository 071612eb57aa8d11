//! [`Flat`]: pieces whose values hardly move mod 1 from one argument to the next.
//!
//! A domain of the walk has at most 2^24 arguments. Where slopes are below 2^-30 mod 1, 2^6 such
//! domains and more follow each other before a value comes around the circle once. So it is asked
//! of an argument how many of those behind it cannot be candidates, whatever they are:
//!
//! **Lemma W.37 (passing over).** Let the slopes of the piece be between `lo` and `hi`, mod 1, and
//! let argument k have the value y, `0 ≤ y < 1`. If `y − r·max(−lo, 0) > W` and
//! `y + r·max(hi, 0) < 1 − W`, none of the arguments from k to k + r is within W of an integer
//! (docs/proofs/walk.md).
//!
//! From one such argument to the next a search takes a few steps per turn of the value around the
//! circle. Each is an evaluation of the polynomial, exact. Nothing is tabulated, so nothing is
//! neglected but what the piece comes with.

use core::time::Duration;
use std::time::Instant;

use tmd_difftable::{Upper, power_of_two};

use crate::{Candidates, CoreError, ErrorBudget, Interrupt, Phases, Piece, PieceOutcome, PiecePlan, Window};

/// Slopes below this are flat: steps cost less than half of the walk's domains there.
const STEEPEST: f64 = power_of_two(-30);

/// Steps per turn of the value, about, and what one costs in nanoseconds: for estimates only.
const STEPS: f64 = 4.0;
const STEP: f64 = 100.0;

/// Steps between looks at the interrupt.
const GLANCE: u32 = 1 << 12;

/// The slopes of a flat piece.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Flat {
    /// bound of how fast the value falls, per argument
    falls: Upper,
    /// and rises
    rises: Upper,
    /// of candidates
    window: Window,
}

impl Flat {
    /// The slopes of a piece mod 1, if they are flat, within 2^-30 of an integer per argument
    /// (Lemma W.37), and its window leaves room outside.
    pub fn of(piece: &Piece) -> Option<Self> {
        // for an integer k the coefficients' residues next to 0 give the same value mod 1; from the
        // second on they are the coefficients
        if piece.magnitudes().iter().skip(2).any(|magnitude| magnitude.get() >= 0.5) {
            return None;
        }
        let window = Window::new(piece.half_width()).filter(|window| window.half() < 1 << 62)?;
        let Some(slope) = piece.polynomial().coefficients().get(1) else {
            return Some(Self { falls: Upper::ZERO, rises: Upper::ZERO, window });
        };
        let center = slope.high128() as i128 as f64 * power_of_two(-128);
        let half = piece.radius();
        let varies: Upper = (2..piece.magnitudes().len())
            .map(|k| Upper::of_integer(k as u64) * piece.magnitudes()[k] * half.power(k - 1))
            .sum();
        // outward: the rounding of the center to 128 and to 53 bits, that of coefficients to 512,
        // and of the last sums
        let rounding = Upper::new(center.abs() * power_of_two(-50)) + Upper::power_of_two(-120);
        let varies = (varies + rounding).get();
        let [falls, rises] =
            [varies - center, varies + center].map(|bound| Upper::new(bound.max(0.0).next_up()));
        let widest = falls.max(rises);
        (widest.get() < STEEPEST).then_some(Self { falls, rises, window })
    }

    /// How the piece is searched: as one domain.
    pub fn plan(self, piece: &Piece) -> PiecePlan {
        let turns = self.falls.max(self.rises).get() * piece.arguments() as f64;
        PiecePlan {
            engine: String::new(),
            domain_size: piece.arguments(),
            run: 1,
            order: None,
            seconds: STEPS * STEP * (turns + 1.0) * 1e-9,
            budget: ErrorBudget::of_piece(piece),
        }
    }

    /// Searches the piece whose slopes these are.
    ///
    /// # Errors
    /// [`CoreError::Interrupted`], [`CoreError::TooManyCandidates`].
    pub fn search(self, piece: &Piece, interrupt: &Interrupt) -> Result<PieceOutcome, CoreError> {
        let started = Instant::now();
        let mut candidates = Candidates::within(piece, self.window);
        let (mut k, mut steps) = (0, 0u32);
        while k < piece.arguments() {
            if steps.is_multiple_of(GLANCE) {
                interrupt.check()?;
            }
            steps = steps.wrapping_add(1);
            let value = piece.value(k).high64();
            if self.window.holds(value) {
                candidates.look_at(k);
                candidates.check()?;
            }
            k = k.saturating_add(1).saturating_add(self.passed(value));
        }
        let time = started.elapsed();
        let (count, found) = (piece.arguments(), candidates.count());
        // the piece is one domain, and flagged if it has candidates
        let counts = [count, count, u64::from(found > 0), found];
        Ok(PieceOutcome {
            candidates: candidates.into_sorted(),
            phases: Phases::of_walk(counts, [Duration::ZERO, time, Duration::ZERO]),
            budget: ErrorBudget::of_piece(piece),
            domain_size: count,
            kernels: Vec::new(),
        })
    }

    /// How many arguments behind one of this value, in units of 2^-64 rounded down, are no
    /// candidates.
    fn passed(self, value: u64) -> u64 {
        // a unit for this value's rounding, one for that of another one, and one more as the
        // window's ends are in it
        let beyond = self.window.half() + 3;
        let below = value.saturating_sub(beyond);
        let above = (u64::MAX - value).saturating_sub(beyond);
        if below == 0 || above == 0 {
            return 0;
        }
        // a quotient of floats: conversion, division and this product are off by a relative 2^-53
        // each; 0/0 does not come up, and all casts saturate
        let steps = |distance: u64, slope: Upper| {
            let steps = distance as f64 * power_of_two(-64) / slope.get() * (1.0 - power_of_two(-50));
            steps as u64
        };
        steps(below, self.falls).min(steps(above, self.rises))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use tmd_difftable::{Fixed, Polynomial};

    use super::*;

    /// A piece about its middle with the coefficients `numerator·2^-shift`, and the same of the
    /// magnitudes, from the first on.
    fn piece(coefficients: &[(i64, u32)], arguments: u64, half_width: Upper) -> Piece {
        let fixed = coefficients.iter().map(|&(numerator, shift)| Fixed::from_ratio_pow2(numerator, shift));
        let magnitudes = coefficients
            .iter()
            .map(|&(numerator, shift)| {
                Upper::of_integer(numerator.unsigned_abs()) * Upper::power_of_two(-(shift as i32))
            })
            .collect();
        let polynomial = Polynomial::new(fixed.collect());
        Piece::new(polynomial, magnitudes, arguments, arguments / 2, half_width, Upper::ZERO, Upper::ZERO)
            .unwrap()
    }

    #[test]
    fn only_flat_ones() {
        let width = Upper::power_of_two(-30);
        let slope = |numerator, shift| Flat::of(&piece(&[(0, 0), (numerator, shift)], 1 << 20, width));
        assert!(slope(1, 31).is_some() && slope(-1, 31).is_some());
        assert!(slope(1, 29).is_none() && slope(-1, 29).is_none());
        // next to 1 is next to 0
        assert!(slope((1 << 40) - 1, 40).is_some());
        // steep at its ends
        assert!(Flat::of(&piece(&[(0, 0), (1, 40), (1, 60)], 1 << 20, width)).is_some());
        assert!(Flat::of(&piece(&[(0, 0), (1, 40), (1, 50)], 1 << 20, width)).is_none());
        assert!(Flat::of(&piece(&[(7, 3)], 1 << 20, width)).is_some());
        assert!(Flat::of(&piece(&[(0, 0), (1, 40), (1, 1)], 1 << 20, width)).is_none());
    }

    /// A constant is asked once; one within the window at every argument.
    #[test]
    fn constants() {
        let width = Upper::power_of_two(-30);
        let search = |numerator, shift, arguments| {
            let piece = piece(&[(numerator, shift)], arguments, width);
            Flat::of(&piece).unwrap().search(&piece, &Interrupt::new()).unwrap().candidates
        };
        assert_eq!(search(1, 1, 1 << 44), []);
        assert_eq!(search(1, 40, 3), [0, 1, 2]);
        let stopped = Interrupt::new();
        stopped.request();
        let one = piece(&[(1, 1)], 100, width);
        let found = Flat::of(&one).unwrap().search(&one, &stopped);
        assert_eq!(found.unwrap_err(), CoreError::Interrupted);
        assert_eq!(Flat::of(&piece(&[(1, 1)], 100, Upper::new(0.3))), None);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(if cfg!(miri) { 3 } else { 300 }))]

        /// Every argument, one by one, of pieces that turn several times: rising, falling, and with
        /// an extremum inside.
        #[test]
        fn nothing_is_passed_over(
            first in any::<u32>(),
            slope in -(1i64 << 16)..1 << 16,
            curvature in -(1i64 << 12)..1 << 12,
            third in -16i64..16,
            width in 4i32..40,
            arguments in 1u64..2000,
        ) {
            // slopes up to 2^-33 and 2^-34·n; a window between units of slope and far more
            let shift = 49;
            let coefficients = [(i64::from(first), 32), (slope, shift), (curvature, 57), (third, 63)];
            let half_width = Upper::power_of_two(-width);
            let piece = piece(&coefficients, arguments, half_width);
            let flat = Flat::of(&piece);
            prop_assume!(flat.is_some());
            check(&piece, flat.unwrap())?;
        }

        /// The rule by itself, with slopes that are not flat: as they are known, values turn within
        /// a few arguments.
        #[test]
        fn nothing_is_passed_over_where_it_is_steep(
            first in any::<u32>(),
            slope in -(1i64 << 16)..1 << 16,
            curvature in -64i64..64,
            width in 4i32..40,
            arguments in 1u64..1000,
        ) {
            let coefficients = [(i64::from(first), 32), (slope, 21), (curvature, 32)];
            let piece = piece(&coefficients, arguments, Upper::power_of_two(-width));
            let reach = curvature.unsigned_abs() as f64 * 2f64.powi(-31) * arguments as f64;
            let center = slope as f64 * 2f64.powi(-21);
            let [falls, rises] = [reach - center, reach + center].map(|bound| Upper::new(bound.max(0.0)));
            let window = Window::new(piece.half_width()).unwrap();
            check(&piece, Flat { falls, rises, window })?;
        }
    }

    fn check(piece: &Piece, flat: Flat) -> Result<(), TestCaseError> {
        let found = flat.search(piece, &Interrupt::new()).unwrap();
        let window = Window::new(piece.half_width()).unwrap();
        let expected: Vec<u64> =
            (0..piece.arguments()).filter(|&k| window.holds(piece.value(k).high64())).collect();
        prop_assert_eq!(found.candidates, expected);
        Ok(())
    }
}
