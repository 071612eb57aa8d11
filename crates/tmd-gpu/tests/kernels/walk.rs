//! The kernels of the walk against their CPU twins, word for word, in both variants of the
//! integers.

use proptest::{
    prelude::*,
    strategy::ValueTree,
    test_runner::{Config, RngAlgorithm, TestRng, TestRunner},
};
use tmd_core::walk::{contract::max_order, order, units::Count};
use tmd_gpu::cpu::{
    generate::{self, ENTRIES, GenerateConstants},
    progress::Progress,
    walk::{self, Flagged, Length, ONE, WalkConstants},
};
use tmd_shaders::Kernel;

use crate::common::{Device, POISON};

const WORKGROUP: u32 = 32;

/// Values from a seed that the test names: the same every time.
fn samples<T>(strategy: &impl Strategy<Value = T>, count: usize) -> Vec<T> {
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    (0..count).map(|_| strategy.new_tree(&mut runner).unwrap().current()).collect()
}

/// Runs a kernel over the buffers given, and returns what they hold afterwards.
fn run(device: &Device, kernel: Kernel, buffers: &[Vec<u32>], invocations: u32) -> Vec<Vec<u32>> {
    let gpu = &device.gpu;
    let pipeline = device.pipeline(kernel, &[("WORKGROUP", f64::from(WORKGROUP))]);
    let buffers: Vec<_> = buffers.iter().map(|data| gpu.upload("test", data).unwrap()).collect();
    let bound: Vec<_> = buffers.iter().collect();
    let mut batch = gpu.batch();
    batch.dispatch(kernel.name(), &pipeline, &bound, invocations.div_ceil(WORKGROUP));
    let reads: Vec<_> = buffers.iter().map(|buffer| batch.read(buffer, 0..buffer.len())).collect();
    let mut done = batch.run().unwrap();
    reads.into_iter().map(|read| done.take(read).unwrap()).collect()
}

/// What a walk over runs of domains leaves, with room for so many domains.
fn walk_on(device: &Device, case: &Spec, room: usize) -> Vec<Vec<u32>> {
    let Spec { constants, tables } = case;
    let room = vec![POISON; room * Flagged::WORDS];
    let buffers = [constants.to_words().to_vec(), tables.clone(), vec![0; Progress::WORDS], room];
    run(device, Kernel::Walk, &buffers, constants.runs)
}

/// What the generation of tables leaves.
fn generate_on(device: &Device, constants: &GenerateConstants, outer: &[u32]) -> Vec<Vec<u32>> {
    let tables = vec![POISON; constants.table_words()];
    let buffers = [constants.to_words().to_vec(), outer.to_vec(), tables, vec![0; Progress::WORDS]];
    run(device, Kernel::Generate, &buffers, constants.invocations())
}

#[test]
fn tables() {
    let shapes = samples(&(1u32..100, 1u32..50, proptest::array::uniform7(0u32..6)), 12);
    for device in Device::both() {
        for (packets, runs, degrees) in shapes.clone() {
            let constants = GenerateConstants { packets, runs, degrees };
            let outer = samples(&any::<u32>(), constants.outer_words());
            let found = generate_on(&device, &constants, &outer);

            let (mut twin_outer, mut twin_tables) = (outer, vec![POISON; constants.table_words()]);
            for invocation in 0..constants.invocations() {
                generate::generate(&constants, invocation, &mut twin_outer, &mut twin_tables);
            }
            assert_eq!(found[1], twin_outer, "{:?} {constants:?}", device.integers);
            assert_eq!(found[2], twin_tables, "{:?} {constants:?}", device.integers);
            assert!(found[3] == [0, 0, constants.invocations()], "{:?}", found[3]);
        }
    }
}

/// Runs of domains of one shape.
#[derive(Clone, Debug)]
struct Spec {
    constants: WalkConstants,
    tables: Vec<u32>,
}

/// Constants as of a piece with `|c|·N³ = gamma`, slopes and heights at random.
/// M is this part of what the condition of a walk asks for.
fn spec(half_domain: u32, gamma: f64, bits: u32, part: f64, runs: u32, steps: u32, seed: &[u64]) -> Spec {
    let n = 2.0 * f64::from(half_domain);
    let second = (2.0 * gamma / n * 2f64.powi(64)) as u64;
    let step = (2.0 * gamma / (n * n) * 2f64.powi(64)) as u64;
    let h = gamma / n / 8.0 + 2f64.powi(-(bits as i32));
    let half_width = (h * ONE as f64) as u64 + 16;
    let domain = 2 * u64::from(half_domain);
    let order = order(domain, h).unwrap_or(max_order(domain));
    let order = ((order as f64 * part).ceil() as u32).min((ONE / half_width / 9 * 8) as u32);
    let [half_width, acceptance] = [half_width, ONE >> bits].map(|x| Length::of_units(x as i64));
    let mut constants = WalkConstants::new(Count(half_domain), Count(order), half_width, acceptance);
    (constants.runs, constants.steps) = (runs, steps);
    constants.capacity = runs * steps;
    let mut tables = vec![0; 2 * ENTRIES * runs as usize];
    for run in 0..runs as usize {
        let random = |k: usize| seed[(run * 7 + k * 13) % seed.len()].rotate_left((run + k) as u32);
        // some slopes next to small fractions
        let slope = match run % 4 {
            0 => ((u128::from(random(0) % 7) << 64) / 7) as u64 ^ (1 << (random(1) % 40)),
            _ => random(0),
        };
        let entries = [random(2), random(3), second.wrapping_neg(), 0, slope, step, 0];
        for (entry, value) in entries.into_iter().enumerate() {
            tables[2 * entry * runs as usize + run] = value as u32;
            tables[(2 * entry + 1) * runs as usize + run] = (value >> 32) as u32;
        }
    }
    Spec { constants, tables }
}

#[test]
fn walks() {
    let gamma = prop_oneof![4 => 0f64..2.0, 1 => Just(0.0), 1 => 0f64..1e-3];
    let half_domain = prop_oneof![6 => 128u32..1 << 17, 1 => 128u32..1 << 23, 1 => Just(1 << 23)];
    // pairs that are not fine enough: stuck
    let part = prop_oneof![3 => Just(1.0), 1 => 0.003..1.0f64];
    let shapes = samples(&(half_domain, gamma, 12u32..50, part, 1u32..200, 1u32..60, any::<[u64; 17]>()), 60);
    let mut flagged = 0;
    for device in Device::both() {
        for (half_domain, gamma, bits, part, runs, steps, seed) in &shapes {
            let case = spec(*half_domain, *gamma, *bits, *part, *runs, *steps, seed);
            let Spec { constants, tables } = &case;
            let mut twin = Vec::new();
            for run in 0..*runs {
                walk::walk(constants, run, tables, |domain| twin.push(domain));
            }
            twin.sort_unstable();

            let found = walk_on(&device, &case, constants.capacity as usize);
            assert_eq!(found[2], [twin.len() as u32, *runs, 0], "{:?} {constants:?}", device.integers);
            let (list, rest) = found[3].split_at(twin.len() * Flagged::WORDS);
            let mut list: Vec<_> = list.as_chunks().0.iter().map(Flagged::of_words).collect();
            list.sort_unstable();
            assert_eq!(list, twin, "{:?} {constants:?}", device.integers);
            assert!(rest.iter().all(|&word| word == POISON));
            flagged += twin.len();
        }
        assert!(flagged > 10_000, "{flagged} flagged");
    }
}

/// What finds no room is counted all the same, and nothing is written beyond the room.
#[test]
fn more_flagged_than_there_is_room_for() {
    for device in Device::both() {
        let mut case = spec(500, 1.0, 12, 1.0, 64, 50, &samples(&any::<u64>(), 40));
        let mut twin = 0;
        for run in 0..64 {
            walk::walk(&case.constants, run, &case.tables, |_| twin += 1);
        }
        assert!(twin > 30, "{twin}");
        case.constants.capacity = 10;
        let found = walk_on(&device, &case, 20);
        assert_eq!(found[2][0], twin);
        assert!(found[3][..120].chunks(12).all(|domain| domain[0] < 64));
        assert!(found[3][120..].iter().all(|&word| word == POISON));
    }
}

/// A device that ends loops early shows in the progress.
#[test]
fn loops_ended_early_are_noticed() {
    for device in Device::both() {
        let Some(rounds) = device.gpu.loop_rounds().unwrap() else {
            println!("this device ends no loop early: nothing to notice");
            continue;
        };
        let mut case = spec(500, 1.0, 40, 1.0, 8, 50, &samples(&any::<u64>(), 40));
        for (steps, walks) in [(rounds + 10, false), (rounds / 16, true)] {
            case.constants.steps = steps;
            case.constants.capacity = 1 << 10;
            let found = walk_on(&device, &case, 1 << 10);
            assert_eq!(found[2][1] == 8, walks, "{steps} steps: {:?}", found[2]);
        }
        for (runs, ends) in [(rounds + 10, false), (rounds / 32, true)] {
            let constants = GenerateConstants { packets: 8, runs, degrees: [0; ENTRIES] };
            let invocations = constants.invocations();
            let found = generate_on(&device, &constants, &vec![0; constants.outer_words()]);
            assert_eq!(found[3][2] == invocations, ends, "{runs} runs: {:?}", found[3]);
        }
    }
}
