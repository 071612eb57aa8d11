//! A device to test on, or a line that says why there is none. The library's own tests have this
//! file too (`src/lib.rs`).
#![allow(dead_code, reason = "not every test shares a device, or runs a kernel")]

use std::{io::Write as _, ops::Range, sync::OnceLock};

use tmd_gpu::{AdapterChoice, Buffer, Gpu, GpuError, Integers, Pipeline};

/// The device that tests run on, as the environment variable `TMD_GPU` demands:
///
/// * `require`: there must be one;
/// * `skip`: none, and a line that says so;
/// * `auto`, or not set: the best there is; without any, none, and a line that says so.
///
/// # Panics
/// Under `require` without an adapter, and if the adapter there is cannot be opened: a test that
/// cannot run must not pass.
pub(crate) fn gpu() -> Option<Gpu> {
    gpu_with(Integers::Auto)
}

/// The same with a say in the integers; `None`, with a line, also where native ones are asked for
/// and missing.
///
/// # Panics
/// As [`gpu`].
pub(crate) fn gpu_with(integers: Integers) -> Option<Gpu> {
    let demand = std::env::var("TMD_GPU").unwrap_or_default();
    match demand.as_str() {
        "skip" => {
            say_skipped("TMD_GPU=skip");
            return None;
        }
        "require" | "auto" | "" => {}
        other => panic!("TMD_GPU is require, auto or skip, not `{other}`"),
    }
    match Gpu::open(&AdapterChoice::Auto, integers) {
        Ok(gpu) => Some(gpu),
        Err(error @ GpuError::NoAdapter) if demand == "require" => {
            panic!("TMD_GPU=require, but {error}; TMD_GPU=auto goes on without")
        }
        Err(error @ (GpuError::NoAdapter | GpuError::NativeIntegersMissing { .. })) => {
            say_skipped(&error.to_string());
            None
        }
        Err(error) => panic!("{error}"),
    }
}

/// The same, one for all tests of a program that do a device no harm: what is compiled on it is
/// compiled once. Where there is none, the line is there once for each kind of integers.
///
/// # Panics
/// As [`gpu`].
pub(crate) fn shared(integers: Integers) -> Option<Gpu> {
    static OPEN: [OnceLock<Option<Gpu>>; 3] = [const { OnceLock::new() }; 3];
    let place = match integers {
        Integers::Auto => 0,
        Integers::Emulated => 1,
        Integers::Native => 2,
    };
    OPEN[place].get_or_init(|| gpu_with(integers)).clone()
}

/// Runs a kernel over buffers, and reads from one of them.
pub(crate) fn run_once(
    gpu: &Gpu,
    pipeline: &Pipeline,
    buffers: &[&Buffer],
    workgroups: u32,
    read: (&Buffer, Range<u64>),
) -> Result<Vec<u32>, GpuError> {
    let mut batch = gpu.batch();
    batch.dispatch(pipeline.label(), pipeline, buffers, workgroups);
    let read = batch.read(read.0, read.1);
    batch.run()?.take(read)
}

/// Past libtest, which hides what passing tests print: a skipped test should be seen.
fn say_skipped(why: &str) {
    // a closed standard error is no reason to fail
    let _ = writeln!(std::io::stderr(), "GPU test skipped: {why}");
}
