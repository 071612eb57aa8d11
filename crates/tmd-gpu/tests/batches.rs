//! Batches that work: every way in and out of the GPU, with poisoned outputs, so that what is not
//! written shows.

mod testing;

use std::{thread, time::Duration};

use tmd_gpu::{Gpu, INVOCATION_INDEX, Integers, Pipeline};

const POISON: u32 = 0xdead_beef;

/// `sum[i] = left[i] + right[i] + extra` for `i` below the length of `left`.
const ADD: &str = "
    @group(0) @binding(0) var<storage, read> left: array<u32>;
    @group(0) @binding(1) var<storage, read> right: array<u32>;
    @group(0) @binding(3) var<storage, read_write> sum: array<u32>;
    @group(0) @binding(2) var<storage, read_write> declared_only: array<u32>;
    override extra: u32 = 0;

    @compute @workgroup_size(WORKGROUP)
    fn add(at: Invocation) {
        let i = invocation_index(at);
        if i < arrayLength(&left) { sum[i] = left[i] + right[i] + extra; }
    }";

fn add(gpu: &Gpu, size: u32, extra: u32) -> Pipeline {
    let constants = [("WORKGROUP", f64::from(size)), ("extra", f64::from(extra))];
    gpu.pipeline("add", &[INVOCATION_INDEX, ADD].concat(), "add", &constants).unwrap()
}

#[test]
fn through_everything() {
    let Some(gpu) = testing::gpu() else { return };
    let add = add(&gpu, 32, 7);
    assert_eq!(add.bindings(), [0, 1, 3]);
    let left: Vec<u32> = (0..100).collect();
    let left_buffer = gpu.upload("left", &left).unwrap();
    let right_buffer = gpu.buffer("right", 100).unwrap();
    let sum = gpu.upload("sum", &[POISON; 120]).unwrap();

    let mut batch = gpu.batch();
    let fresh = batch.read(&right_buffer, 0..100);
    batch.write(&right_buffer, 10, &[1000; 90]);
    batch.dispatch("first", &add, &[&left_buffer, &right_buffer, &sum], 4);
    let first = batch.read(&sum, 0..120);
    // what comes later in the batch must not reach back
    batch.write(&right_buffer, 0, &[5; 100]);
    batch.dispatch("second", &add, &[&left_buffer, &right_buffer, &sum], 1);
    let second = batch.read(&sum, 31..34);
    batch.fill_zero(&sum);
    let zero = batch.read(&sum, 0..120);
    let nothing = batch.read(&sum, 120..120);
    let mut done = batch.run().unwrap();

    assert_eq!(done.take(fresh).unwrap(), [0; 100]);
    let mut expected: Vec<u32> = left.iter().map(|x| x + 7 + if *x < 10 { 0 } else { 1000 }).collect();
    expected.extend([POISON; 20]);
    assert_eq!(done.take(first).unwrap(), expected);
    assert_eq!(done.take(second).unwrap(), [31 + 12, 32 + 1007, 33 + 1007]);
    assert_eq!(done.take(zero).unwrap(), [0; 120]);
    assert_eq!(done.take(nothing).unwrap(), [0; 0]);
    if gpu.summary().features.timestamps {
        let labels: Vec<&str> = done.times().iter().map(|(label, _)| label.as_str()).collect();
        assert_eq!(labels, ["first", "second"]);
        assert!(done.times().iter().all(|(_, time)| *time < Duration::from_secs(60)), "{:?}", done.times());
    } else {
        assert_eq!(done.times(), []);
    }
}

#[test]
fn an_empty_batch() {
    let Some(gpu) = testing::gpu() else { return };
    assert_eq!(gpu.batch().run().unwrap().times(), []);
}

#[test]
fn more_workgroups_than_one_dimension_takes() {
    let Some(gpu) = testing::gpu() else { return };
    let add = add(&gpu, 1, 0);
    let count = gpu.summary().limits.workgroups_per_dimension + 4_321;
    let left: Vec<u32> = (0..count).map(|i| i.wrapping_mul(0x9e37_79b9)).collect();
    let left_buffer = gpu.upload("left", &left).unwrap();
    let right = gpu.upload("right", &left).unwrap();
    let sum = gpu.upload("sum", &vec![POISON; left.len() + 3]).unwrap();

    let buffers = [&left_buffer, &right, &sum];
    let got = testing::run_once(&gpu, &add, &buffers, count, (&sum, 0..sum.len())).unwrap();
    let expected: Vec<u32> = left.iter().map(|x| x.wrapping_mul(2)).chain([POISON; 3]).collect();
    // not assert_eq: nobody reads 70,000 numbers
    assert_eq!((0..got.len()).find(|&i| got[i] != expected[i]), None);
    assert_eq!(got.len(), expected.len());
}

#[test]
fn constants_make_pipelines_and_the_same_is_compiled_once() {
    let Some(gpu) = testing::gpu() else { return };
    let source = [INVOCATION_INDEX, ADD].concat();
    let compiled = |label: &str, constants: &[(&str, f64)]| {
        gpu.pipeline(label, &source, "add", constants).unwrap().label().to_owned()
    };
    assert_eq!(compiled("one", &[("WORKGROUP", 8.0), ("extra", 1.0)]), "one");
    assert_eq!(compiled("two", &[("extra", 1.0), ("WORKGROUP", 8.0)]), "one", "the order does not matter");
    assert_eq!(compiled("three", &[("WORKGROUP", 8.0), ("extra", 2.0)]), "three");
    assert_eq!(compiled("four", &[]), "four");
}

#[test]
fn native_and_emulated_integers() {
    let Some(gpu) = testing::gpu_with(Integers::Native) else { return };
    assert!(gpu.native_integers());
    let square = "
        @group(0) @binding(0) var<storage, read_write> x: array<u64>;
        @compute @workgroup_size(1)
        fn square() { x[0] = x[0] * x[0]; }";
    let buffer = gpu.upload("x", &[0x2345_6789, 1]).unwrap();
    let pipeline = gpu.pipeline("square", square, "square", &[]).unwrap();
    let got = testing::run_once(&gpu, &pipeline, &[&buffer], 1, (&buffer, 0..2)).unwrap();
    let expected = 0x1_2345_6789_u64.wrapping_mul(0x1_2345_6789);
    assert_eq!(got, [expected as u32, (expected >> 32) as u32]);

    let emulated = testing::gpu_with(Integers::Emulated).unwrap();
    assert!(!emulated.native_integers());
    let error = emulated.pipeline("square", square, "square", &[]).unwrap_err();
    assert!(matches!(&error, tmd_gpu::GpuError::Shader { label, .. } if label == "square"), "{error}");
}

#[test]
fn more_dispatches_than_a_query_set_takes() {
    let Some(gpu) = testing::gpu() else { return };
    let step = "
        @group(0) @binding(0) var<storage, read_write> x: array<u32>;
        @compute @workgroup_size(1)
        fn step() { x[0] = x[0] * 3u + 1u; }";
    let step = gpu.pipeline("step", step, "step", &[]).unwrap();
    let x = gpu.upload("x", &[1]).unwrap();
    let mut batch = gpu.batch();
    for i in 0..2_050 {
        batch.dispatch(&format!("step {i}"), &step, &[&x], 1);
    }
    let read = batch.read(&x, 0..1);
    let mut done = batch.run().unwrap();
    let expected = (0..2_050).fold(1_u32, |x, _| x.wrapping_mul(3).wrapping_add(1));
    assert_eq!(done.take(read).unwrap(), [expected], "dispatches run one after another");
    if gpu.summary().features.timestamps {
        assert_eq!(done.times().len(), 2_050);
        assert_eq!(done.times()[2_049].0, "step 2049");
    }
}

#[test]
fn threads_at_once() {
    let Some(gpu) = testing::gpu() else { return };
    let work = |thread: u32| {
        let left = gpu.buffer("left", 1_000).unwrap();
        let sum = gpu.buffer("sum", 1_001).unwrap();
        for round in 0..20 {
            let mut batch = gpu.batch();
            let values: Vec<u32> = (0..1_000).map(|i| i * 1_000 + thread * 100 + round).collect();
            batch.write(&left, 0, &values);
            batch.write(&sum, 0, &[POISON; 1_001]);
            batch.dispatch("add", &add(&gpu, 16, thread), &[&left, &left, &sum], 63);
            let read = batch.read(&sum, 0..1_001);
            let got = batch.run().unwrap().take(read).unwrap();
            let expected: Vec<u32> = values.iter().map(|x| 2 * x + thread).chain([POISON]).collect();
            assert!(got == expected, "thread {thread}, round {round}");
        }
    };
    thread::scope(|scope| {
        for thread in 0..4 {
            scope.spawn(move || work(thread));
        }
    });
}

/// A loop of rounds with a second loop inside: the limit is on both together, and the probe's
/// answer is the whole of it.
#[test]
fn loops_end_where_the_probe_says() {
    let Some(gpu) = testing::gpu() else { return };
    let rounds = "
        @group(0) @binding(0) var<storage, read_write> x: array<u32>;
        @compute @workgroup_size(1)
        fn rounds() {
            var hash = x[2];
            var done = 0u;
            for (var i = 0u; i < x[0]; i++) {
                for (var j = 0u; j < x[1]; j++) { hash = (hash ^ (hash >> 7u)) * 0x9e3779b9u + j; done++; }
            }
            x[2] = hash;
            x[3] = done;
        }";
    let rounds = gpu.pipeline("rounds", rounds, "rounds", &[]).unwrap();
    let done = |outer: u32, inner: u32| {
        let x = gpu.upload("x", &[outer, inner, 1, POISON]).unwrap();
        testing::run_once(&gpu, &rounds, &[&x], 1, (&x, 3..4)).unwrap()[0]
    };
    let limit = gpu.loop_rounds().unwrap();
    assert_eq!(gpu.loop_rounds(), Ok(limit), "the second answer is the first");
    let within = limit.unwrap_or(1 << 20) - 1_000;
    let inner = 500;
    let outer = within / (inner + 1);
    assert_eq!(done(outer, inner), outer * inner);
    assert_eq!(done(1_000, 1_000) == 1_000_000, limit.is_none());
}
