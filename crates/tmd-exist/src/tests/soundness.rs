//! No test says `Empty` of a segment that holds something, and the relations between the tests, on
//! random segments.

use super::{generators, naive};
use crate::*;
use proptest::prelude::*;

const THRESHOLDS: [u32; 8] = [0, 1, 2, 3, 5, 32, 63, 64];

fn verdict(test: &impl ExistenceTest, segment: Segment, width: u64) -> Verdict {
    test.test(segment, width, &mut NoProbe)
}

fn named(name: &str) -> AnyTest {
    name.parse().unwrap()
}

/// The tests that look at the points of the first two-length configuration with at least N points,
/// no more, no less.
pub(super) const FIRST_CONFIGURATION: &str = "regular-trimmed regular-unrolled-trimmed
    lefevre-subtractive lefevre-subtractive-special lefevre-subtractive-special-both
    lefevre-swap lefevre-swap-special lefevre-swap-special-both
    lefevre-division lefevre-division-special lefevre-division-special-both";

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(miri) { 30 } else { 4000 }))]

    #[test]
    fn no_case_is_lost((segment, width) in generators::segment_and_width()) {
        if naive::holds(segment, width) {
            for logms in THRESHOLDS {
                for test in AnyTest::all_with(Logms::new(logms).unwrap()) {
                    prop_assert_eq!(verdict(&test, segment, width), Verdict::MayHold, "{}, {}", test.name(), logms);
                }
            }
        }
    }

    #[test]
    fn the_division_strategy_never_changes_a_verdict((segment, width) in generators::segment_and_width()) {
        for logms in THRESHOLDS {
            for (test, hybrid) in AnyTest::all().into_iter().zip(AnyTest::all_with(Logms::new(logms).unwrap())) {
                prop_assert_eq!(verdict(&test, segment, width), verdict(&hybrid, segment, width), "{}, {}", test.name(), logms);
            }
        }
    }

    #[test]
    fn what_stays_above_the_width_is_empty((segment, width) in generators::segment_and_width(), flat in 0u64..1 << 30) {
        let slope = flat / segment.n();
        let [falling, rising] = [slope, slope.wrapping_neg()].map(|a| Segment::new(a, segment.b(), segment.n()).unwrap());
        for segment in [segment, falling, rising] {
            if segment.stays_above(width) {
                prop_assert!(!naive::holds(segment, width));
            }
        }
        // and none of those is missed that are flat and do not come around
        let way = slope * (segment.n() - 1);
        if segment.b().checked_sub(way).is_some_and(|end| end >= width) {
            prop_assert!(falling.stays_above(width));
        }
        if segment.b() >= width && segment.b().checked_add(way).is_some() {
            prop_assert!(rising.stays_above(width));
        }
    }

    #[test]
    fn the_exact_test_is_exact(segment in generators::segment()) {
        let minimum = naive::minimum(segment.a(), segment.b(), segment.n());
        prop_assert_eq!(Exact::minimum(segment), minimum);
        prop_assert_eq!(verdict(&Exact, segment, minimum.distance), Verdict::Empty);
        if minimum.distance < u64::MAX {
            prop_assert_eq!(verdict(&Exact, segment, minimum.distance + 1), Verdict::MayHold);
        }
    }

    /// The theorem behind Lefèvre's tests and the trimmed regular ones, with the bound on the
    /// points they look at.
    #[test]
    fn the_first_two_length_configuration_answers((segment, width) in generators::segment_and_width()) {
        let (a, b, n) = (segment.a(), segment.b(), segment.n());
        let points = if a == 0 { 1 } else { naive::first_two_length_configuration(a, n) };
        prop_assert!(points < 2 * n);
        let distance = naive::minimum(a, b, points).distance;
        for width in [width, distance, distance.saturating_add(1)] {
            let expected = if distance < width { Verdict::MayHold } else { Verdict::Empty };
            for name in FIRST_CONFIGURATION.split_whitespace() {
                prop_assert_eq!(verdict(&named(name), segment, width), expected, "{}, {} points", name, points);
            }
        }
    }

    /// A whole last quotient looks at the points of the configuration it ends with, and at none
    /// beyond those stated.
    #[test]
    fn whole_quotients_look_at_no_more_points_than_stated((segment, width) in generators::segment_and_width()) {
        let (a, b, n) = (segment.a(), segment.b(), segment.n());
        prop_assume!(a != 0);
        for (start, counts) in [(Start::Corrected, (0, 1)), (Start::Printed, (1, 0))] {
            let Some(end) = naive::whole_quotients(a, n, counts).filter(|end| end.looked_at < 1 << 16) else {
                continue;
            };
            prop_assert!(start == Start::Printed || n == 1 || end.looked_at < (end.k + 1) * n);
            let placed = naive::minimum(a, b, end.placed).distance;
            let looked_at = naive::minimum(a, b, end.looked_at).distance;
            let test = Regular::new(start, LastQuotient::Whole, Logms::INSTRUCTION);
            for width in [width, looked_at, placed.saturating_add(1)] {
                match verdict(&test, segment, width) {
                    Verdict::Empty => prop_assert!(placed >= width),
                    Verdict::MayHold => prop_assert!(looked_at < width),
                }
            }
        }
    }

    #[test]
    fn looped_and_unrolled_agree((segment, width) in generators::segment_and_width()) {
        for start in [Start::Corrected, Start::Printed] {
            for last in [LastQuotient::Whole, LastQuotient::Trimmed] {
                let looped = Regular::new(start, last, Logms::INSTRUCTION);
                let unrolled = RegularUnrolled::new(start, last, Logms::INSTRUCTION);
                prop_assert_eq!(verdict(&looped, segment, width), verdict(&unrolled, segment, width));
            }
        }
    }

    /// Segment by segment: what holds for the exact test holds for the trimmed one, and so on.
    #[test]
    fn the_tests_are_ordered((segment, width) in generators::segment_and_width()) {
        for chain in [
            ["exact", "regular-trimmed", "regular", "regular-printed"],
            ["exact", "regular-trimmed", "regular-printed-trimmed", "regular-printed"],
        ] {
            for pair in chain.windows(2) {
                if verdict(&named(pair[0]), segment, width) == Verdict::MayHold {
                    prop_assert_eq!(verdict(&named(pair[1]), segment, width), Verdict::MayHold, "{:?}", pair);
                }
            }
        }
    }

    /// Swapping variables is not another walk: the same turns, the same branches.
    #[test]
    fn swap_walks_as_division_does((segment, width) in generators::segment_and_width()) {
        for reductions in [Reductions::OneByOne, Reductions::Divided, Reductions::DividedBothSides] {
            let (mut division, mut swap) = (CountingProbe::default(), CountingProbe::default());
            let _ = LefevreDivision::new(reductions, Logms::PAPERS).test(segment, width, &mut division);
            let _ = LefevreSwap::new(reductions, Logms::PAPERS).test(segment, width, &mut swap);
            prop_assert_eq!(division, swap);
        }
    }

    /// The turns of the regular tests follow from a and N alone: one per quotient.
    #[test]
    fn one_quotient_is_one_iteration(segment in generators::segment()) {
        prop_assume!(segment.a() != 0);
        if let Some(end) = naive::whole_quotients(segment.a(), segment.n(), (0, 1)) {
            for name in ["regular", "regular-trimmed", "regular-unrolled", "regular-unrolled-trimmed"] {
                let mut probe = CountingProbe::default();
                let _ = named(name).test(segment, 0, &mut probe);
                prop_assert_eq!(probe.iterations, end.turns, "{}", name);
            }
        }
    }

    /// Dividing only ever saves turns.
    #[test]
    fn divided_reductions_take_no_more_turns((segment, width) in generators::segment_and_width()) {
        let turns = |reductions| turns(&LefevreDivision::new(reductions, Logms::INSTRUCTION), segment, width);
        prop_assert!(turns(Reductions::Divided) <= turns(Reductions::OneByOne));
        prop_assert!(turns(Reductions::DividedBothSides) <= turns(Reductions::Divided));
    }
}

fn turns(test: &impl ExistenceTest, segment: Segment, width: u64) -> u64 {
    let mut probe = CountingProbe::default();
    let _ = test.test(segment, width, &mut probe);
    probe.iterations
}

/// Two segments on which nearly all N points fall into the interval of b, from its left or from its
/// right.
#[test]
fn divided_reductions_avoid_the_long_runs() {
    let step = 1_u64 << 40;
    let from_left = Segment::new(step, 1 << 62, 1 << 15).unwrap();
    let from_right = Segment::new(step.wrapping_neg(), 1 << 62, 1 << 15).unwrap();
    for (segment, reductions, few) in [
        (from_left, Reductions::OneByOne, false),
        (from_left, Reductions::Divided, true),
        (from_left, Reductions::DividedBothSides, true),
        (from_right, Reductions::OneByOne, false),
        (from_right, Reductions::Divided, false),
        (from_right, Reductions::DividedBothSides, true),
    ] {
        let instruction = Logms::INSTRUCTION;
        let counts = [
            turns(&LefevreSubtractive::new(reductions), segment, 1),
            turns(&LefevreDivision::new(reductions, instruction), segment, 1),
            turns(&LefevreSwap::new(reductions, instruction), segment, 1),
        ];
        for count in counts {
            assert!(if few { count < 5 } else { count > 30_000 }, "{segment:?}, {reductions:?}: {counts:?}");
        }
    }
}

/// The largest N, with slopes that make the largest quotients and counts.
#[test]
fn the_largest_segments_end() {
    for a in
        [0, 1, 2, 3, u64::MAX, u64::MAX - 1, 1 << 63, (1 << 63) + 1, (1 << 32) - 1, 0x9e37_79b9_7f4a_7c15]
    {
        for b in [0, 1, a.wrapping_sub(1), a, a.wrapping_add(1), 1 << 63, u64::MAX] {
            let segment = Segment::new(a, b, Segment::MAX_ARGUMENTS).unwrap();
            let Minimum { distance, argument } = Exact::minimum(segment);
            assert_eq!(segment.distance(argument), Some(distance));
            // The tests whose turns do not grow with N; the division instruction.
            for test in AnyTest::all() {
                let quick = test.name().contains("regular") || test.name().ends_with("both");
                if quick && !test.name().contains("subtractive") && distance < u64::MAX {
                    let verdict_there = verdict(&test, segment, distance + 1);
                    assert_eq!(verdict_there, Verdict::MayHold, "{}, {a}, {b}", test.name());
                    let _ = verdict(&test, segment, distance);
                }
            }
        }
    }
}
