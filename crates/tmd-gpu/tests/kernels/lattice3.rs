//! The kernel of the walk in three dimensions against its twin, word for word, in both variants of
//! the integers.

use tmd_core::lattice3::Gains;
use tmd_gpu::cpu::lattice3::{Beginning, Lattice3Constants, Lattice3Hit, ROW_BITS, lattice3};
use tmd_shaders::Kernel;

use crate::common::{Device, POISON, RandomWords};

const WORKGROUP: u32 = 32;

/// Any gains.
fn gains(random: &mut RandomWords) -> Gains {
    let mut long = || u128::from(random.next()) << 64 | u128::from(random.next()) >> 32 << 32;
    Gains { first: long() as u64, second: long(), third: long() }
}

/// A dual basis of a lattice with V points per window, rows and phases at random.
fn beginning(random: &mut RandomWords, targets: usize, windows: u32) -> Beginning {
    let mut unit = || (random.next() >> 11) as f64 / 2f64.powi(52) - 1.0;
    let size = |rows: &[[f64; 3]; 3]| {
        let [a, b, c] = rows;
        a[0] * (b[1] * c[2] - b[2] * c[1])
            + a[1] * (b[2] * c[0] - b[0] * c[2])
            + a[2] * (b[0] * c[1] - b[1] * c[0])
    };
    // of every length, and such that the determinant is usual
    let (rows, determinant) = loop {
        let stretch = 8f64.powf(unit().max(0.0));
        // some so long that a run ends
        let long = if unit() > 0.9 { 60.0 } else { 1.0 };
        let lengths = [stretch * long, stretch / long, stretch];
        let rows = lengths.map(|length| [0; 3].map(|_| unit() * length));
        let determinant = size(&rows).recip();
        if (1.0 / 16.0..32.0).contains(&determinant.abs()) {
            break (rows, determinant);
        }
    };
    let cubic = (unit() * 2f64.powi(44)) as i64;
    let exponent = determinant.abs().log2().floor() as i32;
    let unit = 2f64.powi(ROW_BITS as i32);
    Beginning {
        rows: rows.map(|row| row.map(|x| (x * unit) as i64)),
        gains: [0; 3].map(|_| gains(random)),
        cubic,
        mantissa: (determinant * 2f64.powi(30 - exponent)) as i32,
        shift: (30 - exponent) as u32,
        windows,
        model: random.below(1 << 11) as u32,
        scale: Beginning::scale_of(determinant.abs()),
        phases: (0..targets).map(|_| [0; 3].map(|_| random.next())).collect(),
    }
}

/// Windows done by every invocation, and hits in order.
type Walked = (Vec<u32>, Vec<Lattice3Hit>);

fn twin(constants: &Lattice3Constants, tables: &[u32]) -> Walked {
    let mut hits = Vec::new();
    let done = (0..constants.invocations()).map(|invocation| {
        lattice3(constants, invocation, tables, |hit| {
            hits.push(hit);
            true
        })
    });
    let done = done.collect();
    hits.sort_unstable();
    (done, hits)
}

/// The words of windows done and of hits, and how many hits there were.
fn run(
    device: &Device,
    constants: &Lattice3Constants,
    tables: &[u32],
    has_pairs: bool,
) -> (Vec<u32>, Vec<u32>, u32) {
    let gpu = &device.gpu;
    let overrides = [("WORKGROUP", f64::from(WORKGROUP)), ("HAS_PAIRS", f64::from(u8::from(has_pairs)))];
    let pipeline = device.pipeline(Kernel::Lattice3, &overrides);
    let room = vec![POISON; Lattice3Hit::WORDS * (constants.capacity as usize + 8)];
    let buffers = [
        constants.to_words().to_vec(),
        tables.to_vec(),
        vec![0],
        vec![POISON; constants.invocations() as usize + 8],
        room,
    ];
    let buffers: Vec<_> = buffers.iter().map(|data| gpu.upload("test", data).unwrap()).collect();
    let bound: Vec<_> = buffers.iter().collect();
    let mut batch = gpu.batch();
    batch.dispatch("lattice3", &pipeline, &bound, constants.invocations().div_ceil(WORKGROUP));
    let [number, done, hits] = [2, 3, 4].map(|n| batch.read(&buffers[n], 0..buffers[n].len()));
    let mut result = batch.run().unwrap();
    let number = result.take(number).unwrap()[0];
    let (mut done, hits) = (result.take(done).unwrap(), result.take(hits).unwrap());
    let beyond = done.split_off(constants.invocations() as usize);
    assert!(beyond.iter().all(|&word| word == POISON));
    (done, hits, number)
}

fn tables(constants: &Lattice3Constants, seed: u64, windows: u32) -> Vec<u32> {
    let mut random = RandomWords::new(seed);
    let mut tables = vec![POISON; constants.table_words()];
    for run in 0..constants.runs {
        let windows = windows + random.below(8) as u32;
        let beginning = beginning(&mut random, constants.targets as usize, windows);
        beginning.put(run, constants.targets, &mut tables);
        assert_eq!(Beginning::get(run, constants, &tables), beginning);
    }
    tables
}

#[test]
fn runs() {
    for device in Device::both() {
        let (mut flagged, mut walked, mut ended) = (0, 0u64, 0);
        let cases = [(1, 1, true), (1, 1, false), (2, 2, true), (3, 2, true), (4, 3, true), (5, 8, true)];
        for (seed, targets, has_pairs) in cases {
            let runs = 200 + seed as u32;
            let constants = Lattice3Constants { runs, targets, capacity: 1 << 15 };
            let tables = tables(&constants, seed, 24);
            let (expected_done, expected) = twin(&constants, &tables);
            let (done, words, number) = run(&device, &constants, &tables, has_pairs);
            assert_eq!(done, expected_done, "{:?} {targets} targets", device.integers);
            let (list, rest) = words.split_at(number as usize * Lattice3Hit::WORDS);
            let mut hits: Vec<_> = list.as_chunks().0.iter().map(Lattice3Hit::of_words).collect();
            hits.sort_unstable();
            assert_eq!(hits, expected, "{:?} {targets} targets", device.integers);
            assert!(rest.iter().all(|&word| word == POISON));
            flagged += hits.len();
            walked += done.iter().map(|&done| u64::from(done)).sum::<u64>();
            ended += done.iter().filter(|&&done| done < 24).count();
        }
        println!("{:?}: {flagged} hits in {walked} windows, {ended} runs ended early", device.integers);
        // windows of every kind
        assert!(
            flagged > 200 && flagged as u64 * 2 < walked && walked > 10_000 && ended > 5,
            "{flagged} {walked} {ended}"
        );
    }
}

/// Where there is no room, runs end: what they did before is all in the list, and nothing is
/// written beyond it.
#[test]
fn runs_end_where_there_is_no_room() {
    for device in Device::both() {
        let mut constants = Lattice3Constants { runs: 64, targets: 2, capacity: 1 << 12 };
        let tables = tables(&constants, 9, 24);
        let (all_done, all) = twin(&constants, &tables);
        assert!(all.len() > 40);
        constants.capacity = 20;
        let (done, words, number) = run(&device, &constants, &tables, true);
        assert!(number > 20);
        let (list, rest) = words.split_at(20 * Lattice3Hit::WORDS);
        assert!(rest.iter().all(|&word| word == POISON));
        let mut hits: Vec<_> = list.as_chunks().0.iter().map(Lattice3Hit::of_words).collect();
        hits.sort_unstable();
        let is_done = |hit: &&Lattice3Hit| hit.step < done[hit.run as usize];
        let expected: Vec<_> = all.iter().filter(is_done).collect();
        assert!(expected.len() > 10, "{} hits", expected.len());
        assert_eq!(hits.iter().filter(is_done).collect::<Vec<_>>(), expected);
        assert!(done.iter().zip(&all_done).all(|(done, all)| done <= all));
        assert!(done.iter().sum::<u32>() < all_done.iter().sum());
    }
}

/// A device that ends loops early says so by the windows that it did.
#[test]
fn loops_ended_early_are_noticed() {
    for device in Device::both() {
        let Some(rounds) = device.gpu.loop_rounds().unwrap() else {
            println!("this device ends no loop early: nothing to notice");
            continue;
        };
        let constants = Lattice3Constants { runs: 1, targets: 1, capacity: 1 << 16 };
        let mut random = RandomWords::new(5);
        // rows that stay as they are: nothing is sheared
        let mut beginning = beginning(&mut random, 1, rounds + 10);
        beginning.rows = [[1i64 << ROW_BITS, 0, 0], [0, 1i64 << ROW_BITS, 0], [0, 0, 0]];
        let mut tables = vec![0; constants.table_words()];
        beginning.put(0, 1, &mut tables);
        let (expected, _) = twin(&constants, &tables);
        assert_eq!(expected, [rounds + 10]);
        let (done, ..) = run(&device, &constants, &tables, false);
        assert!(done[0] < rounds + 10, "{done:?}");
    }
}
