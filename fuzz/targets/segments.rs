//! See `tmd_fuzz::segments`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| tmd_fuzz::segments::fuzz(data));
