//! Everything that goes wrong is a typed error: no panic, no hang, and the device serves on (unless
//! it is the device that is gone).

mod testing;

use std::{thread, time::Duration};

use tmd_gpu::{Gpu, GpuError, Pipeline};

const COPY: &str = "
    @group(0) @binding(0) var<storage, read> source: array<u32>;
    @group(0) @binding(1) var<storage, read_write> sink: array<u32>;
    override size: u32 = 1;
    @compute @workgroup_size(size) fn copy() { sink[0] = source[0]; }
    @fragment fn picture() {}";

/// A loop that a compiler cannot see through. At most 65,535 rounds: Mesa's software driver ends
/// loops there.
const SLOW: &str = "
    @group(0) @binding(0) var<storage, read_write> x: array<u32>;
    @compute @workgroup_size(1) fn slow() {
        var state = x[0];
        for (var i = 0u; i < x[1]; i++) { state = (state ^ (state >> 7u)) * 0x9e3779b9u + i; }
        x[0] = state;
    }";

fn copy(gpu: &Gpu) -> Pipeline {
    gpu.pipeline("copy", COPY, "copy", &[]).unwrap()
}

/// The device still does what it should.
fn assert_serves(gpu: &Gpu) {
    let source = gpu.upload("source", &[42]).unwrap();
    let sink = gpu.upload("sink", &[0xdead_beef]).unwrap();
    assert_eq!(testing::run_once(gpu, &copy(gpu), &[&source, &sink], 1, (&sink, 0..1)), Ok(vec![42]));
}

#[track_caller]
fn assert_validation<T: std::fmt::Debug>(result: Result<T, GpuError>, part: &str) {
    let error = result.unwrap_err();
    assert!(matches!(&error, GpuError::Validation { message } if message.contains(part)), "{error:?}");
}

#[test]
fn shaders() {
    let Some(gpu) = testing::gpu() else { return };
    let failing = |source: &str, entry: &str, constants: &[(&str, f64)]| {
        let error = gpu.pipeline("it", source, entry, constants).unwrap_err();
        let GpuError::Shader { label, message } = error else { panic!("{error:?}") };
        assert_eq!(label, "it");
        message
    };
    let message = failing("fn broken( {", "broken", &[]);
    assert!(message.contains("fn broken( {"), "the line is shown: {message}");
    failing("@compute @workgroup_size(1) fn f() { let x: u32 = 1.5; }", "f", &[]);
    assert_eq!(failing(COPY, "missing", &[]), "no compute entry point `missing`; there are: copy, picture");
    failing(COPY, "picture", &[]);
    assert!(failing(COPY, "copy", &[("seize", 1.0)]).contains("'seize' not found"));
    let invocations = gpu.summary().limits.invocations_per_workgroup;
    let message = failing(COPY, "copy", &[("size", f64::from(invocations) + 1.0)]);
    assert!(
        message.starts_with(&format!("a workgroup of [{}, 1, 1] invocations", invocations + 1)),
        "{message}"
    );
    let message = failing(COPY, "copy", &[("size", 4_294_967_295.0)]);
    assert!(message.contains(": Workgroup size is out of range"), "all of naga's words: {message}");
    for size in [0.0, -1.0, 4_294_967_296.0, f64::NAN] {
        failing(COPY, "copy", &[("size", size)]);
    }
    let shared = "override words: u32 = 1;
        var<workgroup> memory: array<u32, words>;
        @group(0) @binding(0) var<storage, read_write> x: u32;
        @compute @workgroup_size(1) fn f() { memory[x] = x; workgroupBarrier(); x = memory[0]; }";
    let bytes = gpu.summary().limits.workgroup_storage_bytes;
    gpu.pipeline("all", shared, "f", &[("words", f64::from(bytes / 4))]).unwrap();
    let message = failing(shared, "f", &[("words", f64::from(bytes / 4 + 1))]);
    assert_eq!(message, format!("a workgroup that shares {} bytes; {bytes} are allowed", bytes / 4 * 4 + 4));
    let group_1 = "@group(1) @binding(0) var<storage, read_write> x: u32;
        @compute @workgroup_size(1) fn f() { x = 1u; }";
    assert!(failing(group_1, "f", &[]).contains("@group(1)"));
    assert_serves(&gpu);
}

#[test]
fn what_is_bound() {
    let Some(gpu) = testing::gpu() else { return };
    let buffer = gpu.buffer("one", 3).unwrap();
    let run =
        |buffers: &[&tmd_gpu::Buffer]| testing::run_once(&gpu, &copy(&gpu), buffers, 1, (&buffer, 0..1));
    assert_validation(run(&[&buffer]), "uses the bindings [0, 1], 1 buffers given");
    // read and written at once: wgpu's rule, not ours
    assert_validation(run(&[&buffer, &buffer]), "usage");
    let other = testing::gpu().unwrap();
    let foreign = other.buffer("foreign", 1).unwrap();
    assert_validation(run(&[&buffer, &foreign]), "foreign is a buffer of another device");
    let result = testing::run_once(&gpu, &copy(&other), &[&buffer, &buffer], 1, (&buffer, 0..1));
    assert_validation(result, "a pipeline of another device");
    assert_serves(&gpu);
}

#[test]
fn sizes_and_ranges() {
    let Some(gpu) = testing::gpu() else { return };
    assert_validation(gpu.buffer("none", 0), "none: a buffer without elements");
    assert_validation(gpu.upload("none", &[]), "none: a buffer without elements");
    let limits = gpu.summary().limits;
    let allowed = limits.storage_binding_bytes.min(limits.buffer_bytes);
    for len in [allowed / 4 + 1, u64::MAX] {
        let error = gpu.buffer("much", len).unwrap_err();
        let asked = len.saturating_mul(4);
        assert_eq!(error, GpuError::TooLarge { what: "much".into(), asked, allowed, unit: "bytes" });
    }

    let buffer = gpu.buffer("ten", 10).unwrap();
    let out_of_range = |start, end| GpuError::OutOfRange { label: "ten".into(), start, end, len: 10 };
    #[expect(clippy::reversed_empty_ranges, reason = "that is the mistake")]
    for range in [0..11, 11..11, 3..2, u64::MAX..0, 0..u64::MAX] {
        let mut batch = gpu.batch();
        let _ = batch.read(&buffer, range.clone());
        assert_eq!(batch.run().unwrap_err(), out_of_range(range.start, range.end));
    }
    for offset in [1, 10, u64::MAX] {
        let mut batch = gpu.batch();
        batch.write(&buffer, offset, &[1; 10]);
        assert_eq!(batch.run().unwrap_err(), out_of_range(offset, offset.saturating_add(10)));
    }
    let sink = gpu.buffer("sink", 4).unwrap();
    let mut batch = gpu.batch();
    batch.dispatch("copy", &copy(&gpu), &[&buffer, &sink], u32::MAX);
    let per_dimension = limits.workgroups_per_dimension;
    if per_dimension == 65_535 {
        assert!(matches!(batch.run(), Err(GpuError::TooLarge { unit: "workgroups", .. })));
    }
    assert_serves(&gpu);
}

#[test]
fn the_first_mistake_is_reported() {
    let Some(gpu) = testing::gpu() else { return };
    let buffer = gpu.upload("ten", &[1; 10]).unwrap();
    let mut batch = gpu.batch();
    batch.fill_zero(&buffer);
    batch.write(&buffer, 10, &[1]);
    batch.dispatch("copy", &copy(&gpu), &[], 1);
    assert!(matches!(batch.run(), Err(GpuError::OutOfRange { .. })));
    let mut batch = gpu.batch();
    let read = batch.read(&buffer, 0..10);
    assert_eq!(batch.run().unwrap().take(read).unwrap(), [1; 10], "nothing of a wrong batch is run");
}

#[test]
fn a_read_of_another_batch() {
    let Some(gpu) = testing::gpu() else { return };
    let buffer = gpu.upload("x", &[1, 2]).unwrap();
    let (mut one, mut two) = (gpu.batch(), gpu.batch());
    let of_one = one.read(&buffer, 0..1);
    let of_two = two.read(&buffer, 1..2);
    let (mut one, mut two) = (one.run().unwrap(), two.run().unwrap());
    assert_validation(one.take(of_two), "another batch");
    assert_validation(two.take(of_one), "another batch");
}

#[test]
fn a_lost_device_stays_lost() {
    let Some(gpu) = testing::gpu() else { return };
    let pipeline = copy(&gpu);
    let buffer = gpu.upload("x", &[1, 2]).unwrap();
    let other = gpu.buffer("y", 1).unwrap();
    let mut finished = gpu.batch();
    let read = finished.read(&buffer, 0..2);
    let mut finished = finished.run().unwrap();
    let mut recorded = gpu.batch();
    recorded.write(&buffer, 0, &[3]);
    recorded.dispatch("copy", &pipeline, &[&buffer, &other], 1);
    let _ = recorded.read(&buffer, 0..2);

    gpu.clone().destroy();
    let lost = GpuError::DeviceLost { reason: "it was destroyed".into() };
    assert_eq!(finished.take(read).unwrap_err(), lost);
    assert_eq!(recorded.run().unwrap_err(), lost);
    for _ in 0..2 {
        assert_eq!(gpu.check(), Err(lost.clone()));
        assert_eq!(gpu.buffer("z", 1).unwrap_err(), lost);
        assert_eq!(gpu.upload("z", &[1]).unwrap_err(), lost);
        assert_eq!(gpu.pipeline("copy", COPY, "copy", &[]).unwrap_err(), lost, "cached or not");
        assert_eq!(gpu.pipeline("new", COPY, "copy", &[("size", 4.0)]).unwrap_err(), lost);
        let mut batch = gpu.batch();
        batch.write(&buffer, 0, &[3]);
        batch.fill_zero(&buffer);
        batch.dispatch("copy", &pipeline, &[&buffer, &other], 1);
        let _ = batch.read(&buffer, 0..1);
        assert_eq!(batch.run().unwrap_err(), lost);
        assert_eq!(gpu.batch().run().unwrap_err(), lost);
        gpu.destroy();
    }
    assert_serves(&testing::gpu().unwrap());
}

/// [`SLOW`] 16 times in a row, by so many invocations each.
fn slow(gpu: &Gpu, invocations: u32) -> Result<u32, GpuError> {
    let x = gpu.upload("x", &[1, 65_000])?;
    let pipeline = gpu.pipeline("slow", SLOW, "slow", &[])?;
    let mut batch = gpu.batch();
    for _ in 0..16 {
        batch.dispatch("slow", &pipeline, &[&x], invocations);
    }
    let read = batch.read(&x, 0..1);
    Ok(batch.run()?.take(read)?[0])
}

#[test]
fn lost_while_others_wait() {
    let Some(gpu) = testing::gpu() else { return };
    thread::scope(|scope| {
        let waiting: Vec<_> = (0..2)
            .map(|_| {
                let gpu = gpu.clone();
                scope.spawn(move || {
                    loop {
                        slow(&gpu, 4)?;
                    }
                })
            })
            .collect();
        slow(&gpu, 1).unwrap();
        gpu.destroy();
        for thread in waiting {
            let result: Result<(), GpuError> = thread.join().unwrap();
            assert_eq!(result, Err(GpuError::DeviceLost { reason: "it was destroyed".into() }));
        }
    });
}

#[test]
fn a_batch_that_takes_too_long() {
    let Some(gpu) = testing::gpu() else { return };
    let hasty = gpu.clone().with_time_limit(Duration::from_millis(1));
    assert_eq!(slow(&hasty, 256), Err(GpuError::TimedOut { seconds: 1 }));
    // the patient handle of the same device gets its turn
    assert_serves(&gpu);
}
