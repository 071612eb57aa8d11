//! See `tmd_fuzz::pieces`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| tmd_fuzz::pieces::fuzz(data));
