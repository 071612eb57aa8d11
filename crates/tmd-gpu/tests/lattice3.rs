//! The walk in three dimensions on a GPU: the same lists as the exact walk and the lanes', in
//! either variant of the integers, whatever happens to the device.

mod testing;

use std::{sync::Arc, time::Duration};

use tmd_core::{
    ArgumentRange, Breakpoints, CoreError, Format, HrCase, Interrupt, Problem,
    lattice3::{Counters, Engine, Exact, Unwieldy, Wide},
};
use tmd_driver::{FamilySearch, rug::Rational};
use tmd_functions::{Builtin, Expression, Family, Repetition};
use tmd_gpu::{Gpu, GpuLattice3, Integers};
use tmd_simd::{Level, lattice3::Lattice3};
use tmd_testkit::lattice3::{Ingredients, PlantedSegment};

fn lanes() -> Lattice3 {
    Lattice3::new(Level::best())
}

const VARIANTS: [Integers; 2] = [Integers::Emulated, Integers::Native];

fn devices() -> Vec<Gpu> {
    VARIANTS.into_iter().filter_map(testing::shared).collect()
}

/// Devices of a test's own, to be lost.
fn doomed() -> Vec<Gpu> {
    VARIANTS.into_iter().filter_map(testing::gpu_with).collect()
}

fn walk(gpu: &Gpu) -> GpuLattice3 {
    GpuLattice3::new(gpu, Arc::new(lanes())).unwrap()
}

/// Segments of binary64 arguments next to 2^1023, and of fewer indices; with a gain, as logarithms
/// have it; curved more and less.
fn question(seed: u64, windows: u32, accuracy: i32) -> PlantedSegment {
    let random = |k: u64| seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(k as u32 * 11) ^ k;
    let curvature = (1i64 << 54) + (random(6) >> 9) as i64;
    let third = [0, 1, -40, 1 << 12][seed as usize % 4];
    let ingredients = Ingredients {
        alpha: [random(1), random(2), random(3)],
        indices: if seed % 3 == 2 { (1 << 20, 1 << 21) } else { (1 << 52, 1 << 52) },
        spans: 1 + (seed % 8) as usize,
        planted: (random(7) as usize % 8, random(4), random(8) >> 1),
        derivatives: [
            random(5) as i64 >> 9,
            if seed.is_multiple_of(2) { curvature } else { -curvature },
            third * (curvature / 64),
            0,
        ],
        volume: [0.5, 1.0, 2.0][seed as usize % 3],
        windows,
        gain: if seed % 5 == 4 { random(9) } else { 0 },
        accuracy,
    };
    ingredients.question()
}

/// The candidates of an engine, as (span, index), and what it did.
fn candidates(engine: &dyn Engine, question: &PlantedSegment) -> (Vec<(usize, i128)>, Counters) {
    let mut walk = engine.start(&question.model, &question.spans);
    let mut found = Vec::new();
    walk.search(&question.segment, &mut |candidate| found.push((candidate.span, candidate.index))).unwrap();
    found.sort_unstable();
    found.dedup();
    (found, walk.counters())
}

/// Segments that lanes do before a dispatch is back are theirs, with the same candidates, and the
/// device has none of them.
#[test]
fn short_segments_are_for_lanes() {
    for gpu in devices() {
        let engine = walk(&gpu).with_fewest_windows(1000);
        let [short, long] = [999, 1000].map(|windows| question(3, windows, -16));
        let (found, counters) = candidates(&engine, &short);
        assert_eq!(found, candidates(&Exact::default(), &short).0);
        assert_eq!((counters.windows, engine.kernel_time()), (999, Duration::ZERO));
        assert_eq!(candidates(&engine, &long).0, candidates(&Exact::default(), &long).0);
        assert!(engine.kernel_time() > Duration::ZERO || !gpu.summary().features.timestamps);
        assert_eq!(engine.failure(), None);
    }
}

#[test]
fn finds_what_the_exact_walk_finds() {
    for gpu in devices() {
        let (engine, mut on_device) = (walk(&gpu), 0);
        for seed in 1..=40 {
            let question = question(seed, 1 + (seed as u32 * 67) % 1500, -16);
            let (expected, _) = candidates(&Exact::default(), &question);
            assert!(expected.contains(&(question.slot, question.planted)), "seed {seed}");
            let (found, counters) = candidates(&engine, &question);
            assert_eq!(found, expected, "seed {seed}");
            assert_eq!(counters.windows, u64::from(question.segment.windows));
            on_device += u64::from(counters.occupied * 20 < counters.windows);
        }
        assert!(on_device > 20, "{on_device} of 40");
        assert_eq!(engine.failure(), None);
    }
}

/// Many cases, and no room for them: runs end, and what is left is searched.
#[test]
fn nothing_is_lost_without_room() {
    let question = question(6, 200_000, -14);
    let (expected, _) = candidates(&lanes(), &question);
    assert!(expected.len() > 20, "{}", expected.len());
    for gpu in devices() {
        for room in [1, 40, 200, 10_000] {
            let (found, counters) = candidates(&walk(&gpu).with_room_for_hits(room), &question);
            assert_eq!(found, expected, "room for {room}");
            assert_eq!(counters.windows, 200_000);
        }
    }
}

/// Beside the exact walk the device is asked again for what its runs left: nothing is lost, and
/// hardly any window is left.
#[test]
fn the_device_is_asked_again() {
    let question = question(6, 20_000, -14);
    let (expected, exact) = candidates(&Exact::default(), &question);
    assert!(expected.len() > 2, "{}", expected.len());
    for gpu in devices() {
        let engine = GpuLattice3::beside_exact(&gpu).unwrap();
        for room in [8, 14, 10_000] {
            let engine = engine.clone().with_room_for_hits(room);
            let (found, counters) = candidates(&engine, &question);
            assert_eq!(found, expected, "room for {room}");
            assert_eq!(counters.windows, 20_000);
            // in one round half of the windows are left by runs that found no room
            assert!(room < 14 || counters.row_operations * 100 < exact.row_operations, "room for {room}");
            let beside = candidates(&walk(&gpu).with_room_for_hits(room), &question);
            assert_eq!(beside.0, expected, "room for {room}");
        }
        for seed in 1..=12 {
            let question = self::question(seed, 200 + 30 * seed as u32, -16);
            assert_eq!(candidates(&engine, &question).0, candidates(&lanes(), &question).0, "seed {seed}");
        }
        assert_eq!(engine.failure(), None);
    }
}

/// Beside the exact walk segments whose numbers the device has no room for are refused, as lanes
/// refuse them, and not walked for hours; of few windows they are not.
#[test]
fn what_the_device_cannot_take_is_cut_smaller() {
    let of_degree_9 = |windows| {
        let mut question = question(6, windows, -14);
        question.segment.coefficients.resize(10, Wide::ZERO);
        question
    };
    let search = |engine: &dyn Engine, question: &PlantedSegment| {
        let mut walk = engine.start(&question.model, &question.spans);
        let accepted = walk.accepts(&question.segment);
        assert_eq!(walk.search(&question.segment, &mut |_| ()), accepted);
        accepted.map(|()| walk.counters().windows)
    };
    let (long, short) = (of_degree_9(1 << 18), of_degree_9(1 << 15));
    assert_eq!(search(&lanes(), &long), Err(Unwieldy));
    for gpu in devices() {
        let engine = GpuLattice3::beside_exact(&gpu).unwrap();
        assert_eq!(search(&engine, &long), Err(Unwieldy));
        assert_eq!(engine.kernel_time(), Duration::ZERO);
        assert_eq!(search(&engine, &short), Ok(1 << 15));
        assert_eq!(candidates(&engine, &short).0, candidates(&lanes(), &short).0);
        // these are for the exact walk, which has room for any
        let mut few = of_degree_9(200);
        few.segment.coefficients.resize(40, Wide::ZERO);
        assert_eq!(search(&engine, &few), Ok(200));
        assert_eq!(engine.failure(), None);
    }
}

/// Beside the exact walk a lost device has the search end soon: what it was asked for is refused,
/// so that it is cut to a few windows, and these are searched.
#[test]
fn a_lost_device_beside_the_exact_walk() {
    let [long, few] = [5000, 256].map(|windows| question(1, windows, -15));
    for gpu in doomed() {
        let engine = GpuLattice3::beside_exact(&gpu).unwrap();
        gpu.destroy();
        for number in 0..2 {
            let mut walk = engine.start(&long.model, &long.spans);
            assert_eq!(walk.search(&long.segment, &mut |_| ()), Err(Unwieldy), "{number}");
            assert_eq!(walk.counters().windows, 0);
            assert!(matches!(engine.failure(), Some(CoreError::BackendLost { .. })));
        }
        assert_eq!(candidates(&engine, &few).0, candidates(&Exact::default(), &few).0);
    }
}

/// Threads share dispatches, also where their questions have other numbers of targets: each finds
/// what it finds by itself.
#[test]
fn threads_share_dispatches() {
    let questions: Vec<_> = (1..=12).map(|seed| question(seed, 20_000 + 1000 * seed as u32, -15)).collect();
    let expected: Vec<_> = questions.iter().map(|question| candidates(&lanes(), question).0).collect();
    assert!(expected.iter().filter(|list| !list.is_empty()).count() > 6);
    for gpu in devices() {
        let engine = walk(&gpu);
        std::thread::scope(|scope| {
            for (question, expected) in questions.iter().zip(&expected) {
                let engine = &engine;
                scope.spawn(move || {
                    for _ in 0..3 {
                        let (found, counters) = candidates(engine, question);
                        assert_eq!(&found, expected);
                        assert_eq!(counters.windows, u64::from(question.segment.windows));
                    }
                });
            }
        });
        assert_eq!(engine.failure(), None);
    }
}

/// A device that is lost is not asked again, and its segments are searched elsewhere.
#[test]
fn a_lost_device_loses_no_case() {
    let question = question(1, 5000, -15);
    let (expected, _) = candidates(&lanes(), &question);
    for gpu in doomed() {
        let engine = walk(&gpu);
        let mut walk = engine.start(&question.model, &question.spans);
        for number in 0..3 {
            let mut found = Vec::new();
            walk.search(&question.segment, &mut |one| found.push((one.span, one.index))).unwrap();
            found.sort_unstable();
            found.dedup();
            assert_eq!(found, expected);
            assert_eq!(engine.failure().is_some(), number > 0);
            gpu.destroy();
        }
        assert_eq!(walk.counters().windows, 15_000);
        assert!(matches!(engine.failure(), Some(CoreError::BackendLost { .. })));
    }
}

/// The arguments of a binade.
fn binade(format: Format, exponent: i32) -> ArgumentRange {
    let p = format.precision();
    ArgumentRange::new(1i128 << (p - 1), exponent + 1 - p as i32, 1u64 << (p - 1))
}

fn cases(
    builtin: Builtin,
    problem: Problem,
    exponent: i32,
    turns: Option<(Rational, Rational)>,
    engine: &dyn Engine,
) -> (Vec<HrCase>, Counters) {
    let (function, family) = (Expression::function(builtin), Family::of(builtin).unwrap());
    let search = FamilySearch { function: &function, family, problem, engine, threads: 2, turns, binades: 1 };
    let outcome = if family.repetition() == Repetition::Doubling {
        search.run_exponents(exponent - 50, exponent, &Interrupt::new())
    } else {
        search.run(&[binade(problem.arguments(), exponent)], &Interrupt::new())
    };
    let outcome = outcome.unwrap();
    (outcome.cases, outcome.counters)
}

#[test]
fn small_formats() {
    let format = Format::custom(22).unwrap();
    let problem = Problem::new(format, format, Breakpoints::All, 21).unwrap();
    for gpu in devices() {
        let (engine, mut found) = (walk(&gpu), 0);
        let questions = [
            (Builtin::Sin, 30),
            (Builtin::Cos, 100),
            (Builtin::Tan, 77),
            (Builtin::Exp10, 12),
            (Builtin::Ln, 60),
        ];
        for (builtin, exponent) in questions {
            let (expected, _) = cases(builtin, problem, exponent, None, &lanes());
            let (list, counters) = cases(builtin, problem, exponent, None, &engine);
            assert_eq!(list, expected, "{builtin}");
            assert!(counters.windows > 0);
            found += list.len();
        }
        assert!(found > 5, "{found}");
    }
}

/// Windows of binary64: of sin next to 2^1024, of exp and of all binades of log at once.
#[test]
fn windows_of_binary64() {
    let format = Format::BINARY64;
    for gpu in devices() {
        let engine = walk(&gpu);
        // so many extra bits that lanes may walk
        for (builtin, exponent, at, width, extra_bits) in [
            (Builtin::Sin, 1023, (1, 5), 20, 32),
            (Builtin::Exp, 6, (2, 7), 16, 36),
            (Builtin::Ln, 600, (5, 7), 17, 41),
        ] {
            let problem = Problem::new(format, format, Breakpoints::All, extra_bits).unwrap();
            let from = Rational::from(at);
            let to = from.clone() + Rational::from((1, 1u64 << width));
            let turns = Some((from, to));
            let (expected, of_lanes) = cases(builtin, problem, exponent, turns.clone(), &lanes());
            let (list, counters) = cases(builtin, problem, exponent, turns, &engine);
            assert_eq!(list, expected, "{builtin}");
            println!("{builtin}: {} cases, {counters:?}, in lanes {of_lanes:?}", list.len());
            // not much more is left to the exact walk than by the lanes
            assert!(counters.windows > 20_000 && !list.is_empty(), "{builtin} {counters:?}");
            assert!(
                counters.occupied <= 2 * of_lanes.occupied + counters.windows / 50,
                "{builtin} {counters:?}"
            );
        }
    }
}
