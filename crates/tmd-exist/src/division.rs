//! Quotients by the division instruction, by repeated subtraction, or by a hybrid of both.
//!
//! Most quotients of a continued fraction are small (1 with probability 0.415, 2 with 0.170, …),
//! and a few subtractions used to be cheaper than a 64-bit division. Lefèvre's hybrid looks at the
//! sizes of the operands: the division instruction if dividend > divisor·2^LOGMS, subtractions
//! otherwise (PDP 2012, section II.C, where LOGMS is called k; SIMD 2016, section 3). The papers
//! found 3 best on their machines.
//!
//! The strategy never changes a result, only how it is obtained (Corollary E.28 of
//! `proofs/Existence.v`).
//!
//! **Deviation from the papers.** Repeated subtraction stops after N subtractions and leaves the
//! rest to the instruction. Without this a slope of 2^-64 would keep LOGMS = 64 busy for 2^64
//! subtractions. A quotient k > N belongs to the last step of a test (u + k·v ≥ N as soon as v ≥
//! 1), so the ordinary steps never meet the limit.

use crate::{error::ExistError, probe::Probe};

/// The threshold of the hybrid division, a number of bits from 0 to 64.
///
/// * 0: always the division instruction;
/// * 1 … 63: the instruction if dividend > divisor·2^LOGMS, repeated subtraction otherwise;
/// * 64: always repeated subtraction (see the module's note on its limit).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Logms(u32);

impl Logms {
    /// Always the division instruction: the best choice where it takes some ten cycles, and the
    /// default.
    pub const INSTRUCTION: Self = Self(0);
    /// The hybrid threshold of the papers' measurements, 3.
    pub const PAPERS: Self = Self(3);
    /// Always repeated subtraction.
    pub const SUBTRACTION: Self = Self(64);

    /// The threshold `bits`.
    ///
    /// # Errors
    ///
    /// [`ExistError::LogmsAboveWordSize`] if `bits` exceeds 64.
    pub const fn new(bits: u32) -> Result<Self, ExistError> {
        if bits > 64 { Err(ExistError::LogmsAboveWordSize(bits)) } else { Ok(Self(bits)) }
    }

    /// The threshold in bits, 0 to 64.
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// (⌊dividend/divisor⌋, dividend mod divisor) for divisor ≥ 1, by at most `limit` subtractions
    /// if by subtraction.
    ///
    /// # Panics
    ///
    /// If the divisor is 0.
    #[inline]
    pub fn div_rem<P: Probe>(self, dividend: u64, divisor: u64, limit: u64, probe: &mut P) -> (u64, u64) {
        debug_assert!(divisor >= 1, "the callers divide by lengths of intervals that hold a point");
        if self.wants_instruction(dividend, divisor) {
            probe.division();
            (dividend / divisor, dividend % divisor)
        } else {
            divide_by_subtraction(dividend, divisor, limit, probe)
        }
    }

    /// LOGMS = 0, or dividend > divisor·2^LOGMS, evaluated without leaving 64 bits: for whole
    /// numbers dividend > divisor·2^L ⟺ ⌊(dividend − 1)/2^L⌋ ≥ divisor (dividend ≥ 1), and never so
    /// for L = 64.
    #[inline]
    fn wants_instruction(self, dividend: u64, divisor: u64) -> bool {
        self.0 == 0 || dividend.saturating_sub(1).checked_shr(self.0).is_some_and(|scaled| scaled >= divisor)
    }
}

impl Default for Logms {
    fn default() -> Self {
        Self::INSTRUCTION
    }
}

#[inline]
fn divide_by_subtraction<P: Probe>(dividend: u64, divisor: u64, limit: u64, probe: &mut P) -> (u64, u64) {
    let mut quotient = 0;
    let mut remainder = dividend;
    while remainder >= divisor {
        if quotient == limit {
            probe.subtraction(quotient);
            probe.division();
            return (quotient + remainder / divisor, remainder % divisor);
        }
        remainder -= divisor;
        quotient += 1;
    }
    probe.subtraction(quotient);
    (quotient, remainder)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::probe::{CountingProbe, NoProbe};
    use proptest::prelude::*;

    fn run(logms: u32, dividend: u64, divisor: u64, limit: u64) -> ((u64, u64), CountingProbe) {
        let mut probe = CountingProbe::default();
        let result = Logms::new(logms).unwrap().div_rem(dividend, divisor, limit, &mut probe);
        (result, probe)
    }

    #[test]
    fn the_threshold_is_strict() {
        // dividend > divisor·2^LOGMS: 40 is not above 5·2^3, 41 is.
        for (dividend, divisions, subtractions) in [(40, 0, 8), (41, 1, 0), (39, 0, 7), (4, 0, 0)] {
            let ((quotient, remainder), probe) = run(3, dividend, 5, 1 << 32);
            assert_eq!((quotient, remainder), (dividend / 5, dividend % 5));
            assert_eq!((probe.divisions, probe.subtractions), (divisions, subtractions), "{dividend}");
        }
    }

    #[test]
    fn both_ends_of_the_range_use_one_method_only() {
        for (dividend, divisor) in [(0, 1), (7, 7), (7, 8), (100, 3), (u64::MAX, u64::MAX / 50)] {
            let (_, probe) = run(0, dividend, divisor, 1 << 32);
            assert_eq!((probe.divisions, probe.subtractions), (1, 0));
            let (_, probe) = run(64, dividend, divisor, 1 << 32);
            assert_eq!((probe.divisions, probe.subtractions), (0, dividend / divisor));
        }
        // 63 is the last threshold that can still ask for the instruction.
        assert_eq!(run(63, u64::MAX, 1, 10).1.divisions, 1);
        assert_eq!(run(63, 1 << 63, 1, 10).1.subtractions, 10);
    }

    #[test]
    fn subtraction_stops_at_its_limit() {
        let (result, probe) = run(64, u64::MAX, 10, 20);
        assert_eq!(result, (u64::MAX / 10, u64::MAX % 10));
        assert_eq!((probe.divisions, probe.subtractions), (1, 20));
        // A quotient that equals the limit needs no division.
        let (result, probe) = run(64, 205, 10, 20);
        assert_eq!(result, (20, 5));
        assert_eq!((probe.divisions, probe.subtractions), (0, 20));
    }

    #[test]
    fn thresholds_above_the_word_size_are_refused() {
        assert_eq!(Logms::new(64).map(Logms::bits), Ok(64));
        assert_eq!(Logms::new(65), Err(ExistError::LogmsAboveWordSize(65)));
    }

    proptest! {
        #[test]
        fn the_strategy_never_changes_the_result(
            logms in 0_u32..=64,
            dividend in any::<u64>(),
            divisor in prop_oneof![1_u64..100, any::<u64>().prop_map(|d| d.max(1))],
            limit in 0_u64..1000,
        ) {
            let result = Logms::new(logms).unwrap().div_rem(dividend, divisor, limit, &mut NoProbe);
            prop_assert_eq!(result, (dividend / divisor, dividend % divisor));
        }
    }
}
