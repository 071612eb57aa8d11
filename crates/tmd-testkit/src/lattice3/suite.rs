//! The suite that every engine of the walk in three dimensions is put through.
//!
//! Each check takes the engine and panics with the specification where it fails.

use proptest::{prelude::*, test_runner::TestCaseError};
use tmd_core::lattice3::{Engine, Exact, Wide};

use super::{Ingredients, Plant, PlantedSegment, Small, small::smalls};
use crate::conformance::runner;

/// Makes a module `name` of tests, one per check, for the engine that `expression` makes.
#[macro_export]
macro_rules! conformance_lattice3 {
    ($name:ident, $expression:expr) => {
        mod $name {
            #[allow(unused_imports)]
            use super::*;

            #[test]
            fn small_families() {
                $crate::lattice3::suite::small_families(&$expression);
            }
            #[test]
            fn corners_of_boxes() {
                $crate::lattice3::suite::corners_of_boxes(&$expression);
            }
            #[test]
            fn refusals() {
                $crate::lattice3::suite::refusals(&$expression);
            }
        }
    };
}

/// Random small families against brute force.
pub fn small_families(engine: &dyn Engine) {
    let checked = runner(300)
        .run(&smalls(), |spec| spec.question().check(engine).map(|_| ()).map_err(TestCaseError::fail));
    checked.unwrap_or_else(|failure| panic!("{failure}"));
}

/// Families whose planted point is at every corner of its box, and in the middles between them: a
/// box too small by a few percent in any coordinate loses some of them.
pub fn corners_of_boxes(engine: &dyn Engine) {
    for spec in corners() {
        let question = spec.question();
        question.check(engine).unwrap_or_else(|error| panic!("{spec:?}: {error}"));
    }
}

/// The share of windows of [`corners_of_boxes`] that an engine in lanes leaves to the exact walk.
/// One that leaves all of them passes every test here.
pub fn left_to_the_exact_walk(engine: &dyn Engine) -> f64 {
    let (mut left, mut all) = (0, 0);
    for spec in corners().step_by(17) {
        let counters = spec.question().check(engine).unwrap_or_else(|error| panic!("{spec:?}: {error}"));
        left += counters.occupied;
        all += counters.windows;
    }
    left as f64 / all as f64
}

fn corners() -> impl Iterator<Item = Small> {
    let three = || [0, 1, 2];
    let number = |n: usize, ends: [u64; 3]| ends[n];
    three().into_iter().flat_map(move |x| {
        three().into_iter().flat_map(move |tau| {
            three().into_iter().flat_map(move |value| {
                three().into_iter().map(move |window| {
                    let seed = (x * 27 + tau * 9 + value * 3 + window) as u64;
                    let random =
                        |k: u64| (seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(k as u32 * 9);
                    Small {
                        alpha: Ok([1, 2, 3, 4, 5, 6].map(random)),
                        windows: 400 + seed as u32,
                        spans: (2, seed % 2 == 1),
                        is_concave: seed % 4 < 2,
                        slope: random(7) as i64 >> 20,
                        growth: [0, 0],
                        gain: if seed.is_multiple_of(3) { random(8) } else { 0 },
                        accuracy: -14,
                        plant: Plant {
                            span: seed as u32,
                            index: number(x, [0, random(9), u64::MAX]),
                            window: number(window, [0, random(10) >> 32, u64::from(u32::MAX)]) as u32,
                            tau: [-64, 0, 64][tau],
                            deviation: [-64, 0, 64][value],
                        },
                        ..Small::ORDINARY
                    }
                })
            })
        })
    })
}

/// Families like those of the sine of large binary64 arguments, and of logarithms, for engines
/// other than the exact walk: the point that was put on an integer is found, wherever it is, and so
/// is all that the exact walk finds, and nothing else.
pub fn large_families(engines: &[&dyn Engine]) {
    let checked = runner(100).run(&ingredients(1..3000), |ingredients| {
        let question = ingredients.question();
        let find = |engine: &dyn Engine| {
            let found = question.candidates(engine);
            found.map_err(|error| TestCaseError::fail(format!("{}: {error}", engine.name())))
        };
        let (expected, _) = find(&Exact::default())?;
        prop_assert!(question.has_planted(&expected), "the exact walk lost it");
        for &engine in engines {
            let (found, counters) = find(engine)?;
            prop_assert_eq!(&found, &expected, "{}", engine.name());
            prop_assert_eq!(counters.windows, u64::from(question.segment.windows));
        }
        Ok(())
    });
    checked.unwrap_or_else(|failure| panic!("{failure}"));
}

/// [`Ingredients`] of any kind, with so many windows.
pub fn ingredients(windows: core::ops::Range<u32>) -> impl Strategy<Value = Ingredients> {
    let indices = prop_oneof![Just((1i128 << 52, 1i128 << 52)), (0i128..1 << 30).prop_map(|n| (n, 1 << 21))];
    // the ends of spans are the ends of boxes
    let which = prop_oneof![any::<u64>(), 0..1u64 << 57, any::<u64>().prop_map(|n| !(n >> 7))];
    (
        (any::<[u64; 3]>(), indices, which, -(1i64 << 55)..1 << 55, 1i64 << 54..1 << 58, any::<bool>()),
        (-64i64..64, -64i64..64, 0.1..2.0f64, windows, any::<u64>()),
        (1usize..=8, 0usize..8, prop::option::of(any::<u64>())),
    )
        .prop_map(
            |((alpha, indices, which, slope, curvature, is_concave), shape, (spans, slot, gain))| {
                let (third, fourth, volume, windows, place) = shape;
                // the curvature grows by a 64th of itself, times this, in a turn
                let more = curvature / 64;
                Ingredients {
                    alpha,
                    indices,
                    spans,
                    planted: (slot, which, place),
                    derivatives: [
                        slope,
                        if is_concave { -curvature } else { curvature },
                        (6 * third).saturating_mul(more),
                        (24 * fourth).saturating_mul(more),
                    ],
                    volume,
                    windows,
                    gain: gain.unwrap_or(0),
                    accuracy: -15,
                }
            },
        )
}

/// Numbers that fit no engine are refused, and the walk goes on elsewhere; nothing is found where
/// there is nothing.
pub fn refusals(engine: &dyn Engine) {
    let PlantedSegment { model, spans, segment, planted, slot } = Small::ORDINARY.question();
    let mut walk = engine.start(&model, &spans);
    let mut find = |segment: &_| {
        let mut found = Vec::new();
        walk.search(segment, &mut |one| found.push((one.span, one.index))).map(|()| found)
    };
    let has = |found: Vec<(usize, i128)>| found.contains(&(slot, planted));
    for half in [Wide::ZERO, -Wide::ONE, Wide::power_of_two(model.angle_bits)] {
        let refused = tmd_core::lattice3::Segment { half, ..segment.clone() };
        assert!(find(&refused).is_err(), "{}: windows of width {half:?}", engine.name());
        assert!(find(&segment).is_ok_and(has), "{} does not go on", engine.name());
    }
    // numbers that do not fit
    let mut steep = segment.clone();
    steep.coefficients[1] = Wide::power_of_two(560);
    steep.coefficients[2] = Wide::power_of_two(600);
    assert!(find(&steep).is_err(), "{}: a curvature of 2^472", engine.name());
    assert!(find(&segment).is_ok_and(has), "{} does not go on", engine.name());
}
