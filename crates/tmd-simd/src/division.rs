//! Quotients in lanes: always by reciprocals, or by the papers' hybrid of masked subtractions and
//! reciprocals.
//!
//! The hybrid looks at the sizes of the operands before it divides (`tmd_core::exist::Logms`): if
//! every active lane's dividend is below divisor·2^LOGMS, the quotients are taken by subtractions
//! under masks, as many as the largest needs; else all lanes take the reciprocal. The strategy
//! never changes what is found, only how.
//!
//! # Deviations from the papers
//!
//! 1. A vector decides as a whole: one large quotient sends all its lanes to the reciprocal, as a
//!    branch of each lane would cost both ways.
//! 2. A dividend that equals divisor·2^LOGMS is divided, not subtracted: so a divisor of 0 is never
//!    subtracted.
//! 3. As in `tmd_core::exist::division`, repeated subtraction gives up after N subtractions, and
//!    the reciprocal takes its place: such a quotient ends a test.
//!
//! [`Divisions`] is the same for arrays of operands, to be measured.

use tmd_core::{difftable::power_of_two, exist::Logms};

#[cfg(target_arch = "x86_64")]
use crate::lanes::pair::Pair;
use crate::lanes::{Kernel, Lanes, MAX_LANES, Row};
use crate::level::{Level, Machine};

/// How lanes divide lengths: multiples of a unit below 2^52 such units.
pub(crate) trait Division: Copy {
    /// Whether quotients take the same time however large they are.
    const EVEN: bool;

    /// A divisor, with what is prepared for several dividends.
    type Divisor<L: Lanes>: Copy;

    /// The same for tests of segments of this many arguments.
    #[must_use]
    fn up_to(self, arguments: f64) -> Self;

    /// Prepares a divisor.
    fn divisor<L: Lanes>(self, l: L, y: L::F) -> Self::Divisor<L>;

    /// `⌊x/y⌋`, never more, and at most one less if it is below 2^26; of a larger one at least
    /// `2^26 − 1`. Anything in lanes that are not active, or where y is 0.
    fn quotient<L: Lanes>(self, l: L, x: L::F, y: Self::Divisor<L>, active: L::M) -> L::F;

    /// `(⌊x/y⌋, x mod y)` in active lanes, exact for quotients below 2^26. Lanes that are not
    /// active may keep x; a rest is never more than x.
    fn divided<L: Lanes>(self, l: L, x: L::F, y: Self::Divisor<L>, active: L::M) -> (L::F, L::F);
}

/// Always by the reciprocal: LOGMS = 0.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reciprocal;

/// A divisor with its reciprocal.
#[derive(Clone, Copy)]
pub(crate) struct Inverted<L: Lanes> {
    y: L::F,
    r: L::F,
}

impl Division for Reciprocal {
    const EVEN: bool = true;

    type Divisor<L: Lanes> = Inverted<L>;

    #[inline(always)]
    fn up_to(self, _: f64) -> Self {
        self
    }

    #[inline(always)]
    fn divisor<L: Lanes>(self, l: L, y: L::F) -> Inverted<L> {
        Inverted { y, r: l.reciprocal(y) }
    }

    #[inline(always)]
    fn quotient<L: Lanes>(self, l: L, x: L::F, y: Inverted<L>, _: L::M) -> L::F {
        l.quotient(x, y.r)
    }

    #[inline(always)]
    fn divided<L: Lanes>(self, l: L, x: L::F, y: Inverted<L>, _: L::M) -> (L::F, L::F) {
        let k = l.quotient(x, y.r);
        let rest = l.fnma(k, y.y, x); // exact, and not negative
        let again = l.le(y.y, rest);
        (l.select(again, l.add(k, l.splat(1.0)), k), l.select(again, l.sub(rest, y.y), rest))
    }
}

/// By masked subtractions where all quotients are below a power of two, else by the reciprocal.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hybrid {
    /// 2^LOGMS
    scale: f64,
    /// most subtractions
    limit: u32,
}

impl Hybrid {
    /// With this threshold, at least 1, and at most 2^15 subtractions.
    pub(crate) fn new(logms: Logms) -> Self {
        Self { scale: power_of_two(logms.bits() as i32), limit: 1 << 15 }
    }

    /// `(⌊x/y⌋, x mod y)` by subtraction, exact; `None` if that is not for all active lanes.
    #[inline(always)]
    fn subtracted<L: Lanes>(self, l: L, x: L::F, y: L::F, active: L::M) -> Option<(L::F, L::F)> {
        let large = l.le(l.mul(y, l.splat(self.scale)), x);
        if l.bits(l.both(active, large)) != 0 {
            return None;
        }
        let (mut k, mut rest) = (l.splat(0.0), x);
        for _ in 0..=self.limit {
            let again = l.both(active, l.le(y, rest));
            if l.bits(again) == 0 {
                return Some((k, rest));
            }
            rest = l.select(again, l.sub(rest, y), rest);
            k = l.select(again, l.add(k, l.splat(1.0)), k);
        }
        None
    }
}

impl Division for Hybrid {
    const EVEN: bool = false;

    type Divisor<L: Lanes> = L::F;

    #[inline(always)]
    fn up_to(self, arguments: f64) -> Self {
        Self { limit: arguments as u32, ..self }
    }

    #[inline(always)]
    fn divisor<L: Lanes>(self, _: L, y: L::F) -> L::F {
        y
    }

    #[inline(always)]
    fn quotient<L: Lanes>(self, l: L, x: L::F, y: L::F, active: L::M) -> L::F {
        match self.subtracted(l, x, y, active) {
            Some((k, _)) => k,
            None => l.quotient(x, l.reciprocal(y)),
        }
    }

    #[inline(always)]
    fn divided<L: Lanes>(self, l: L, x: L::F, y: L::F, active: L::M) -> (L::F, L::F) {
        match self.subtracted(l, x, y, active) {
            Some(exact) => exact,
            None => Reciprocal.divided(l, x, Reciprocal.divisor(l, y), active),
        }
    }
}

/// Pairs of operands packed into lanes, for measuring the divisions of the existence tests by
/// themselves.
#[derive(Clone, Debug)]
pub struct Divisions {
    level: Level,
    /// rows of dividends and divisors
    rows: Vec<(Row<f64>, Row<f64>)>,
}

impl Divisions {
    /// Most pairs: the sum of so many quotients is exact.
    const MOST: usize = 1 << 26;

    /// Packs pairs (dividend, divisor) for these lanes, or `None` if they are not what the tests
    /// divide: dividends below 2^52, divisors from 1, quotients below 2^26, and at most 2^26 pairs.
    pub fn new(level: Level, pairs: &[(u64, u64)]) -> Option<Self> {
        let fits = |&(x, y): &(u64, u64)| {
            x < 1 << 52 && x.checked_div(y).is_some_and(|k| k < 1 << 26) && y < 1 << 52
        };
        if pairs.len() > Self::MOST || !pairs.iter().all(fits) {
            return None;
        }
        let width = level.width() as usize;
        let row = |chunk: &[(u64, u64)]| {
            // missing pairs are 0/1
            let pair =
                |lane: usize| if lane < width { chunk.get(lane).copied().unwrap_or((0, 1)) } else { (0, 1) };
            let x: Row<f64> = core::array::from_fn(|lane| pair(lane).0 as f64);
            let y: Row<f64> = core::array::from_fn(|lane| pair(lane).1 as f64);
            (x, y)
        };
        Some(Self { level, rows: pairs.chunks(width).map(row).collect() })
    }

    /// Divides all pairs with this threshold; the sum of the quotients rounded down.
    pub fn sum(&self, logms: Logms) -> u64 {
        match self.level.machine() {
            #[cfg(target_arch = "x86_64")]
            Machine::Avx512(lanes) => self.sum_in(lanes, logms),
            #[cfg(target_arch = "x86_64")]
            Machine::Avx2(lanes) => self.sum_in(lanes, logms),
            #[cfg(target_arch = "x86_64")]
            Machine::Avx2InPairs(lanes) => self.sum_in(Pair(lanes), logms),
            Machine::Portable(lanes) => self.sum_in(lanes, logms),
        }
    }

    fn sum_in<L: Lanes>(&self, lanes: L, logms: Logms) -> u64 {
        let sums = if logms == Logms::INSTRUCTION {
            lanes.run(Sum { division: Reciprocal, rows: &self.rows })
        } else {
            lanes.run(Sum { division: Hybrid::new(logms), rows: &self.rows })
        };
        // lanes beyond the machine's are 0, and every sum is an integer below 2^52
        sums.iter().map(|&sum| sum as u64).sum()
    }
}

/// The sum of the quotients of rows, lane by lane.
struct Sum<'a, D> {
    division: D,
    rows: &'a [(Row<f64>, Row<f64>)],
}

impl<D: Division> Kernel for Sum<'_, D> {
    type Output = Row<f64>;

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) -> Row<f64> {
        let mut sum = l.splat(0.0);
        let all = l.le(sum, sum);
        for (x, y) in self.rows {
            let (k, _) = self.division.divided(l, l.load(x), self.division.divisor(l, l.load(y)), all);
            sum = l.add(sum, k);
        }
        let mut sums = [0.0; MAX_LANES];
        l.store(sum, &mut sums);
        sums
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const ALL: [u32; 7] = [0, 1, 2, 3, 8, 63, 64];

    /// Quotients are below `2^MOST_BITS`; some strategies subtract as often.
    const MOST_BITS: u32 = if cfg!(miri) { 8 } else { 26 };

    #[test]
    fn operands_that_are_not_the_tests() {
        let fits = |x, y| Divisions::new(Level::best(), &[(1, 1), (x, y)]).is_some();
        assert!(fits(0, 1) && fits((1 << 52) - 1, (1 << 26) + 1) && fits(0, (1 << 52) - 1));
        for (x, y) in [(1, 0), (1 << 52, 1 << 51), (0, 1 << 52), (1 << 26, 1), ((1 << 52) - 1, 1 << 25)] {
            assert!(!fits(x, y), "{x}/{y}");
        }
    }

    /// A lane that is not active neither decides nor is decided upon, and by subtraction it keeps
    /// its dividend.
    #[test]
    fn lanes_that_are_not_active() {
        struct Masked;
        impl Kernel for Masked {
            type Output = [Row<f64>; 2];
            #[inline(always)]
            fn run<L: Lanes>(self, l: L) -> [Row<f64>; 2] {
                let mut rows = [[0.0; MAX_LANES]; 2];
                let x = l.load(&[7.0, 900.0, 5.0, 7.0, 7.0, 900.0, 5.0, 7.0]);
                let y = l.load(&[2.0, 1.0, 0.0, 9.0, 2.0, 1.0, 0.0, 9.0]);
                let active = l.le(l.load(&[1.0, 2.0, 2.0, 1.0, 1.0, 2.0, 2.0, 1.0]), l.splat(1.0));
                let (k, rest) = Hybrid::new(Logms::PAPERS).divided(l, x, y, active);
                l.store(k, &mut rows[0]);
                l.store(rest, &mut rows[1]);
                rows
            }
        }
        for level in Level::with_pairs() {
            let ([k, rest], _) = crate::walk::tests::run(level, Masked);
            assert_eq!(
                (&k[..4], &rest[..4]),
                (&[3.0, 0.0, 0.0, 0.0][..], &[1.0, 900.0, 5.0, 7.0][..]),
                "{level}"
            );
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(if cfg!(miri) { 10 } else { 600 }))]

        /// Multiples and what is next to them, small and large quotients side by side.
        #[test]
        fn every_strategy_divides_exactly(
            operands in proptest::collection::vec((0u32..52, any::<u64>(), any::<u64>(), 0..MOST_BITS, 0u64..3), 1..20),
        ) {
            let pairs: Vec<(u64, u64)> = operands
                .into_iter()
                .map(|(bits, y, k, size, below)| {
                    let y = (y >> 12 >> bits).max(1);
                    let most = (((1u64 << 52) - 1) / y).min((1 << 26) - 1);
                    ((y * ((k % (1 << size)).min(most))).saturating_sub(below), y)
                })
                .collect();
            let expected: u64 = pairs.iter().map(|&(x, y)| x / y).sum();
            for level in Level::with_pairs() {
                let divisions = Divisions::new(level, &pairs).unwrap();
                for bits in ALL {
                    let sum = divisions.sum(Logms::new(bits).unwrap());
                    prop_assert_eq!(sum, expected, "{} at LOGMS {}: {:?}", level, bits, &pairs);
                }
            }
        }
    }
}
