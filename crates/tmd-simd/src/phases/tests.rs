//! Each test in each machine's lanes against `tmd-exist`'s exact minimum: never a miss, and hardly
//! a segment too many.

use core::any::type_name_of_val;

use proptest::prelude::*;
use tmd_core::exist::{
    Exact, ExistenceTest, LastQuotient, Logms, NoProbe, RegularUnrolled, Segment, Start, Verdict,
};

use super::{
    exhaustive::{Hit, Stretches, Tabulate},
    kernel::{Batch, Test, TestBounds, UNIT},
    lefevre::{Masked, Swap},
    regular::{Regular, Retested, Trimmed},
};
use crate::division::{Division, Hybrid, Reciprocal};
use crate::lanes::{Kernel, Lanes, MAX_LANES, Row, portable::Portable};
#[cfg(target_arch = "x86_64")]
use crate::lanes::{avx2::Avx2, avx512::Avx512, pair::Pair};

/// Slopes of every kind: any, near 0, near 1, dyadic, and near a fraction with a small denominator;
/// in units of 2^-52.
fn slope() -> impl Strategy<Value = u64> {
    let slope = prop_oneof![
        4 => any::<u64>().prop_map(|a| a >> 12),
        1 => 0u64..1000,
        1 => (1u64..1000).prop_map(|a| (1 << 52) - a),
        2 => (0u32..52, any::<u64>()).prop_map(|(shift, odd)| (odd | 1) << shift),
        3 => (1u64..200, 0u64..200, -3i64..=3, 0u32..45).prop_map(|(denominator, numerator, offset, scale)| {
            (((u128::from(numerator) << 52) / u128::from(denominator)) as u64).wrapping_add_signed(offset << scale)
        }),
    ];
    slope.prop_map(|a| a % (1 << 52))
}

/// A segment in units of 2^-52, with b anywhere or within a few units of a point.
fn segment(n: u64) -> impl Strategy<Value = (u64, u64)> {
    (slope(), any::<u64>(), 0..2 * n, -2i64..=2, 0u32..4).prop_map(|(a, any, x, offset, kind)| {
        let b = match kind {
            0 => any,
            1 => any % 16,
            _ => a.wrapping_mul(x).wrapping_add_signed(offset),
        };
        (a, b % (1 << 52))
    })
}

/// Numbers of arguments below `2^bits` with segments, and ε″ in units of 2^-52.
fn questions(bits: u32) -> impl Strategy<Value = (u64, Vec<(u64, u64)>, u64)> {
    let n =
        prop_oneof![Just(1u64), 1u64..6, 6u64..400, (0..bits).prop_map(|bits| 1 << bits), 1u64..1 << bits];
    n.prop_flat_map(|n| {
        let width = prop_oneof![
            1 => 1u64..5,
            4 => (0u64..8).prop_map(move |share| ((1u64 << 52) / n / 4 * share / 4).clamp(1, 1 << 50)),
        ];
        (Just(n), proptest::collection::vec(segment(n), 1..80), width)
    })
}

/// Which of the segments the test does not call empty.
fn suspects<L: Lanes>(l: L, test: impl Test, n: u64, segments: &[(u64, u64)], beyond: u64) -> Vec<bool> {
    let rows: Vec<(Row<u64>, Row<u64>)> = segments
        .chunks(L::WIDTH)
        .map(|chunk| {
            let at = |lane: usize| chunk[lane.min(chunk.len() - 1)];
            (core::array::from_fn(|lane| at(lane).0 << 12), core::array::from_fn(|lane| at(lane).1 << 12))
        })
        .collect();
    let bounds = TestBounds { arguments: n as f64, beyond: beyond as f64 * UNIT };
    let mut failing = vec![];
    l.run(Batch { test, bounds: &bounds, rows: &rows, failing: &mut failing });
    let mut suspects = vec![false; segments.len() + MAX_LANES];
    for place in failing {
        suspects[place.step as usize * L::WIDTH + place.lane as usize] = true;
    }
    suspects.truncate(segments.len());
    suspects
}

/// Runs `check` in all lanes of this machine.
macro_rules! in_all_lanes {
    ($check:expr) => {{
        #[cfg(target_arch = "x86_64")]
        {
            if let Some(lanes) = Avx512::detect() {
                $check(lanes)?;
            }
            if let Some(lanes) = <Avx2>::detect() {
                $check(lanes)?;
            }
            if let Some(lanes) = Avx2::<true>::detect() {
                $check(Pair(lanes))?;
            }
        }
        $check(Portable)?;
    }};
}

/// The exact minimum of a segment in units of 2^-52.
fn minimum((a, b): (u64, u64), n: u64) -> u64 {
    Exact::minimum(Segment::new(a << 12, b << 12, n).unwrap()).distance >> 12
}

fn never_a_miss<L: Lanes>(
    l: L,
    test: impl Test,
    n: u64,
    segments: &[(u64, u64)],
    beyond: u64,
) -> Result<(), TestCaseError> {
    for (&segment, suspect) in segments.iter().zip(suspects(l, test, n, segments, beyond)) {
        if minimum(segment, n) < beyond {
            let test = type_name_of_val(&test);
            prop_assert!(suspect, "{segment:?} is lost by {test}, {} lanes", L::WIDTH);
        }
    }
    Ok(())
}

/// Every test, with quotients taken in a way.
fn nothing_is_lost(
    division: impl Division,
    n: u64,
    segments: &[(u64, u64)],
    beyond: u64,
) -> Result<(), TestCaseError> {
    in_all_lanes!(|l| never_a_miss(l, Regular(division), n, segments, beyond));
    in_all_lanes!(|l| never_a_miss(l, Trimmed(division), n, segments, beyond));
    in_all_lanes!(|l| never_a_miss(l, Retested(division), n, segments, beyond));
    in_all_lanes!(|l| never_a_miss(l, Masked(division), n, segments, beyond));
    in_all_lanes!(|l| never_a_miss(l, Swap(division), n, segments, beyond));
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(miri) { 5 } else { 3000 }))]

    #[test]
    fn no_test_loses_anything((n, segments, beyond) in questions(24)) {
        nothing_is_lost(Reciprocal, n, &segments, beyond)?;
    }

    /// Every threshold: it changes how quotients are taken, and no verdict that matters. Few
    /// arguments, as they are the most subtractions.
    #[test]
    fn no_threshold_loses_anything(
        (n, segments, beyond) in questions(11), bits in prop_oneof![1u32..10, Just(63), Just(64)],
    ) {
        nothing_is_lost(Hybrid::new(Logms::new(bits).unwrap()), n, &segments, beyond)?;
    }

    /// Tabulation is the definition: every value of every stretch, and no other.
    #[test]
    fn tabulation_is_exact(
        values in any::<[[u64; MAX_LANES]; 2]>(), differences in any::<[[u64; MAX_LANES]; 2]>(), second in any::<u64>(),
        steps in 0u32..200, shift in 1u32..12,
    ) {
        let stretches = Stretches { values, differences, second };
        let half = u64::MAX >> shift.max(2);
        in_all_lanes!(|l| tabulated(l, &stretches, steps, half));
    }
}

fn tabulated<L: Lanes>(l: L, stretches: &Stretches, steps: u32, half: u64) -> Result<(), TestCaseError> {
    let mut hits = vec![];
    l.run(Tabulate { stretches, steps, half, hits: &mut hits });
    let mut expected = vec![];
    for stretch in 0..2 * L::WIDTH {
        let (vector, lane) = (stretch / L::WIDTH, stretch % L::WIDTH);
        let mut value = stretches.values[vector][lane];
        let mut difference = stretches.differences[vector][lane];
        for step in 0..steps {
            if (value as i64).unsigned_abs() <= half {
                expected.push(Hit { step, stretch: stretch as u32 });
            }
            value = value.wrapping_add(difference);
            difference = difference.wrapping_add(stretches.second);
        }
    }
    hits.sort_by_key(|hit| (hit.stretch, hit.step));
    prop_assert_eq!(hits, expected);
    Ok(())
}

/// Quotients of a row by another.
struct Quotients<'a>(&'a Row<f64>, &'a Row<f64>);

impl Kernel for Quotients<'_> {
    type Output = Row<f64>;

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) -> Row<f64> {
        let mut quotients = [0.0; MAX_LANES];
        l.store(l.quotient(l.load(self.0), l.reciprocal(l.load(self.1))), &mut quotients);
        quotients
    }
}

/// Whether the quotients of lengths in units of 2^-52 keep what [`Lanes::quotient`] promises.
fn quotients<L: Lanes>(l: L, pairs: [(u64, u64); MAX_LANES]) -> Result<(), TestCaseError> {
    let (x, y) = (pairs.map(|pair| pair.0 as f64 * UNIT), pairs.map(|pair| pair.1 as f64 * UNIT));
    let found = l.run(Quotients(&x, &y));
    for (&(x, y), found) in pairs.iter().zip(found).take(L::WIDTH) {
        let exact = x / y;
        let least = if exact < 1 << 26 { exact.saturating_sub(1) } else { (1 << 26) - 1 };
        prop_assert!(found <= exact as f64 && found >= least as f64, "{x}/{y}: {found}");
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(miri) { 10 } else { 20_000 }))]

    /// Multiples and what is just below them, where a quotient may come out too large or too small.
    #[test]
    fn quotients_are_never_too_large(
        pairs in proptest::array::uniform8((0u32..52, any::<u64>(), any::<u64>(), 0u64..4)),
    ) {
        let pairs = pairs.map(|(bits, y, k, below)| {
            let y = (y >> 12 >> bits).max(1);
            let x = (y * (k % ((1 << 52) / y + 1))).saturating_sub(below);
            (x, y)
        });
        in_all_lanes!(|l| quotients(l, pairs));
    }
}

/// The i-th of numbers without pattern.
fn random(i: u64) -> u64 {
    i.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29).wrapping_mul(0xbf58_476d_1ce4_e5b9)
}

/// What the lanes do not trim or cannot decide costs little: on random segments a test fails hardly
/// more often than the scalar regular test with its last quotient whole.
#[test]
#[cfg_attr(miri, ignore = "statistics over many segments")]
fn few_segments_too_many() {
    let (n, beyond) = (1u64 << 15, 1u64 << 34); // on average 2^15·2^-18 = 1/8 of a point
    let segments: Vec<_> = (1..=4000).map(|i| (random(2 * i) >> 12, random(2 * i + 1) >> 12)).collect();
    let exact = segments.iter().filter(|&&segment| minimum(segment, n) < beyond).count();
    assert!((400..600).contains(&exact), "{exact}");
    let scalar = RegularUnrolled::new(Start::Corrected, LastQuotient::Whole, Logms::INSTRUCTION);
    let whole = |&&(a, b): &&(u64, u64)| {
        let segment = Segment::new(a << 12, b << 12, n).unwrap();
        scalar.test(segment, beyond << 12, &mut NoProbe) == Verdict::MayHold
    };
    let whole = segments.iter().filter(whole).count();
    let check = |name: &str, suspects: Vec<bool>, most: f64| {
        let count = suspects.into_iter().filter(|&suspect| suspect).count();
        assert!(
            count >= exact && count as f64 <= whole as f64 * most,
            "{name}: {count}, in scalars {whole}, exactly {exact}"
        );
    };
    for bits in [1, 3, 64] {
        let hybrid = Hybrid::new(Logms::new(bits).unwrap());
        check("regular by subtraction", suspects(Portable, Regular(hybrid), n, &segments, beyond), 1.02);
        check("lefevre by subtraction", suspects(Portable, Masked(hybrid), n, &segments, beyond), 1.25);
        check("lefevre-swap by subtraction", suspects(Portable, Swap(hybrid), n, &segments, beyond), 1.25);
    }
    check("regular", suspects(Portable, Regular(Reciprocal), n, &segments, beyond), 1.02);
    check("lefevre", suspects(Portable, Masked(Reciprocal), n, &segments, beyond), 1.25);
    check("lefevre-swap", suspects(Portable, Swap(Reciprocal), n, &segments, beyond), 1.25);
}

/// Segments flatter than 1/N, of which the tests alone would call hardly any empty: those that stay
/// above ε″ are.
#[test]
fn flat_segments_are_decided() {
    let (n, beyond, one) = (1u64 << 20, 1u64 << 22, 1 << 52);
    let count = if cfg!(miri) { 80 } else { 8000u64 };
    let betas = (0..count).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 12);
    let slopes = (0..400u64).flat_map(|a| [a, one - 1 - a]);
    let segments: Vec<_> = betas.zip(slopes.cycle()).map(|(b, a)| (a, b)).collect();
    for (test, found) in [
        ("regular", suspects(Portable, Regular(Reciprocal), n, &segments, beyond)),
        ("lefevre", suspects(Portable, Masked(Reciprocal), n, &segments, beyond)),
        ("lefevre-swap", suspects(Portable, Swap(Reciprocal), n, &segments, beyond)),
    ] {
        for (&(a, b), suspect) in segments.iter().zip(found) {
            let stays =
                if a < one / 2 { b >= beyond + a * n } else { b >= beyond && b + (one - a) * n <= one };
            assert!(!(suspect && stays), "{test}: {b} - {a}·x is well above");
        }
    }
}

/// Next to fractions with a small denominator, where the last quotient is huge, the trimmed test
/// fails where a point is near b, and hardly elsewhere; the whole one fails wherever points beyond
/// N fill the gaps.
#[test]
#[cfg_attr(miri, ignore = "statistics over many segments")]
fn trimmed_quotients_are_of_no_points_too_many() {
    let (n, beyond, count) = (1u64 << 17, 1u64 << 32, 4000u64); // on average 2^17·2^-20 = 1/8 of a point
    let segments: Vec<_> = (1..=count)
        .map(|i| {
            // 2^-10 and up to 2^-29 more, or less
            let offset = random(2 * i) >> 41;
            let slope = if i % 2 == 0 { (1 << 42) + offset } else { (1 << 42) - offset };
            (slope, random(2 * i + 1) >> 12)
        })
        .collect();
    let exact = segments.iter().filter(|&&segment| minimum(segment, n) < beyond).count();
    let failing = |suspects: Vec<bool>| suspects.into_iter().filter(|&suspect| suspect).count();
    let whole = failing(suspects(Portable, Regular(Reciprocal), n, &segments, beyond));
    assert!(exact > 100 && whole > 2 * exact, "{exact}, {whole}");
    for (name, found) in [
        ("trimmed", failing(suspects(Portable, Trimmed(Reciprocal), n, &segments, beyond))),
        ("retested", failing(suspects(Portable, Retested(Reciprocal), n, &segments, beyond))),
    ] {
        assert!(
            found >= exact && found < exact + exact / 2,
            "{name}: {found}, exactly {exact}, whole {whole}"
        );
    }
}
