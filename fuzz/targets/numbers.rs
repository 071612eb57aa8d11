//! See `tmd_fuzz::numbers`.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| tmd_fuzz::numbers::fuzz(text));
