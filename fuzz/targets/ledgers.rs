//! See `tmd_fuzz::ledgers`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| tmd_fuzz::ledgers::fuzz(data));
