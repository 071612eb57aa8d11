//! The algorithms as the papers print them: where they agree with this crate, and segments on which
//! they go wrong.
//!
//! Should one of these tests fail, the statement in the documentation of the module concerned is
//! wrong.

use super::{generators, naive};
use crate::*;
use proptest::prelude::*;
use std::mem::swap;

/// PDP 2012, Algorithm 1, on whole numbers modulo `one`, starting with y = `y`.
fn pdp_algorithm_1((a, b, one): (i64, i64, i64), width: i64, n: i64, y: i64) -> Verdict {
    let (mut x, mut y, mut d, mut u, mut v) = (a, y, b % one, 1, 1);
    if d < width {
        return Verdict::MayHold;
    }
    loop {
        if d < x {
            while x < y {
                if u + v >= n {
                    return Verdict::Empty;
                }
                (y, u) = (y - x, u + v);
            }
            if u + v >= n {
                return Verdict::Empty;
            }
            (x, v) = (x - y, v + u);
        } else {
            d -= x;
            if d < width {
                return Verdict::MayHold;
            }
            while y < x {
                if u + v >= n {
                    return Verdict::Empty;
                }
                (x, v) = (x - y, u + v);
            }
            if u + v >= n {
                return Verdict::Empty;
            }
            (y, u) = (y - x, u + v);
        }
    }
}

/// What TOMS 2016, Algorithm 3, prints, or what is right, at the three places in question.
#[derive(Clone, Copy, Debug)]
struct Swap {
    subtract_other: bool,
    compare_other: bool,
    compare_strictly: bool,
}

/// TOMS 2016, Algorithm 3, on whole numbers modulo `one`.
fn toms_algorithm_3((a, b, one): (i64, i64, i64), width: i64, n: i64, form: Swap) -> Verdict {
    let (mut p, mut q, mut d, mut u, mut v) = (a, one - a, b % one, 1, 1);
    if d < width {
        return Verdict::MayHold;
    }
    let mut are_swapped = d >= p;
    if are_swapped {
        swap(&mut p, &mut q);
        swap(&mut u, &mut v);
    }
    loop {
        if are_swapped {
            d -= if form.subtract_other { q } else { p };
            if d < width {
                return Verdict::MayHold;
            }
        }
        let k = q / p;
        q -= k * p;
        u += k * v;
        if u + v >= n {
            return Verdict::Empty;
        }
        p -= q;
        v += u;
        let length = if are_swapped && form.compare_other { q } else { p };
        if are_swapped != (d > length || (!form.compare_strictly && d == length)) {
            swap(&mut p, &mut q);
            swap(&mut u, &mut v);
            are_swapped = !are_swapped;
        }
    }
}

/// The verdict of brute force; and that all tests of the crate find the case, on the segment scaled
/// to 64 bits.
fn true_verdict((a, b, one): (i64, i64, i64), width: i64, n: i64) -> Verdict {
    let scale = (1_u128 << 64) / one as u128;
    let fixed = |value: i64| (value as u128 * scale) as u64;
    let segment = Segment::new(fixed(a), fixed(b), n as u64).unwrap();
    let holds = naive::holds(segment, fixed(width));
    if holds {
        for test in AnyTest::all() {
            assert_eq!(test.test(segment, fixed(width), &mut NoProbe), Verdict::MayHold, "{}", test.name());
        }
    }
    if holds { Verdict::MayHold } else { Verdict::Empty }
}

#[test]
fn pdp_algorithm_1_must_start_with_1_minus_a() {
    // 6 − 10·7 = −64: x = 7 has distance 0.
    let (line, width, n) = ((10, 6, 64), 1, 8);
    assert_eq!(true_verdict(line, width, n), Verdict::MayHold);
    assert_eq!(pdp_algorithm_1(line, width, n, 64), Verdict::Empty);
    assert_eq!(pdp_algorithm_1(line, width, n, 64 - 10), Verdict::MayHold);
}

const RIGHT: Swap = Swap { subtract_other: true, compare_other: true, compare_strictly: false };

/// What is right finds the case; what is printed at one place, or at several, does not.
fn assert_needed(line: (i64, i64, i64), n: i64, printed: &[Swap]) {
    assert_eq!(true_verdict(line, 1, n), Verdict::MayHold);
    assert_eq!(toms_algorithm_3(line, 1, n, RIGHT), Verdict::MayHold);
    for form in printed {
        assert_eq!(toms_algorithm_3(line, 1, n, *form), Verdict::Empty, "{form:?}");
    }
}

#[test]
fn toms_algorithm_3_must_reduce_d_by_the_length_of_the_gap() {
    // 60 − 5·12 = 0. Then with all the print errors of 2012, and with those of 2016.
    let subtracting = Swap { subtract_other: false, ..RIGHT };
    let [of_2012, of_2016] =
        [false, true].map(|compare_strictly| Swap { compare_other: false, compare_strictly, ..subtracting });
    assert_needed((5, 60, 64), 13, &[subtracting, of_2012, of_2016]);
}

#[test]
fn toms_algorithm_3_must_compare_d_with_the_length_of_the_gap() {
    // 10 − 5·2 = 0.
    let comparing = Swap { compare_other: false, ..RIGHT };
    assert_needed((5, 10, 64), 5, &[comparing, Swap { compare_strictly: true, ..RIGHT }]);
}

/// The lower bound d of TOMS 2016, Algorithm 2, on fractions of 2^64, from the counts (u, v) =
/// `start`. A length 0 ends the loop, where the paper divides by it.
fn toms_algorithm_2(segment: Segment, (mut u, mut v): (u128, u128)) -> u64 {
    let (mut p, mut q, mut d) = (u128::from(segment.a()), 1_u128 << 64, u128::from(segment.b()));
    while p != 0 && q != 0 {
        if p < q {
            let k = q / p;
            q -= k * p;
            u += k * v;
            d %= p;
        } else {
            let k = p / q;
            p -= k * q;
            v += k * u;
            if d >= p {
                d = (d - p) % q;
            }
        }
        if u + v >= u128::from(segment.n()) {
            break;
        }
    }
    d as u64
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(miri) { 30 } else { 4000 }))]

    /// The whole last quotient is the paper's test, point for point, with either start.
    #[test]
    fn toms_algorithm_2_is_the_regular_test_with_a_whole_last_quotient(segment in generators::segment()) {
        for (start, counts) in [(Start::Corrected, (0, 1)), (Start::Printed, (1, 0))] {
            let d = toms_algorithm_2(segment, counts);
            for logms in [Logms::INSTRUCTION, Logms::PAPERS] {
                let test = Regular::new(start, LastQuotient::Whole, logms);
                prop_assert_eq!(test.test(segment, d, &mut NoProbe), Verdict::Empty);
                if d < u64::MAX {
                    prop_assert_eq!(test.test(segment, d + 1, &mut NoProbe), Verdict::MayHold);
                }
            }
        }
    }
}
