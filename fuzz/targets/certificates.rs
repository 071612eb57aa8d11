//! See `tmd_fuzz::certificates`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| tmd_fuzz::certificates::fuzz(data));
