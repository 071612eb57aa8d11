//! Two functions in Rust as a shared library, for `tmd test-libm`: one that is right, and one that
//! is right almost everywhere.
//!
//! ```text
//! cargo build --release -p tmd-example-libm
//! tmd test-libm target/release/libtmd_example_libm.so --function rsqrt --binary32
//! tmd test-libm target/release/libtmd_example_libm.so --function log1p --binary32
//! ```
#![allow(unsafe_code)] // a name that is not mangled might be another function's: nothing else is unsafe here

/// 1/√x: both operations are far more precise than the result, which is rounded once.
#[unsafe(no_mangle)]
pub extern "C" fn rsqrtf(x: f32) -> f32 {
    (1.0 / f64::from(x).sqrt()) as f32
}

/// log(1 + x), as it should not be computed: 1 + x is rounded, and for small x nothing is left of
/// its lower bits.
#[unsafe(no_mangle)]
pub extern "C" fn log1pf(x: f32) -> f32 {
    (1.0 + f64::from(x)).ln() as f32
}
